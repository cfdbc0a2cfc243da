// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct VirtualCardTests {
    private static let names = CardProfile.profiles.keys.sorted()

    @Test func profilesAreFoundByName() {
        for (name, profile) in CardProfile.profiles { #expect(profile.name == name) }
        #expect(CardProfile.named("nobody") == nil)
    }

    @Test(arguments: names)
    func everyProfileAnswersWithinTheLimits(name: String) {
        let profile = CardProfile.named(name)!
        var card = VirtualCard(profile)
        let talk = PlainTerminal().tap(&card)
        #expect(!talk.exchanges.isEmpty)
        for exchange in talk.exchanges {
            // A record has 254 bytes at most (EMV Book 3, 7.1), a short response 256.
            let limit = exchange.command[1] == 0xB2 ? 254 : 256
            #expect((0...limit).contains(exchange.response.count - 2))
        }
        #expect(talk.hasRepeatedObjects == profile.application.flaws.contains(.repeatedTrack2))
    }

    @Test(arguments: names)
    func equalCardsAnswerEqually(name: String) {
        var first = VirtualCard(CardProfile.named(name)!)
        var second = VirtualCard(CardProfile.named(name)!)
        for _ in 0..<2 {
            let one = PlainTerminal().tap(&first)
            let other = PlainTerminal().tap(&second)
            #expect(one.exchanges.map(\.response) == other.exchanges.map(\.response))
            first.reset()
            second.reset()
        }
    }

    @Test func windingBackTheCounterRepeatsTheTap() {
        var card = VirtualCard(CardProfile.named("fdda")!)
        let first = PlainTerminal().tap(&card)
        card.reset()
        card.transactionCounter -= 1
        let second = PlainTerminal().tap(&card)
        #expect(first.exchanges.map(\.response) == second.exchanges.map(\.response))
    }

    @Test func anyBytesAreAnsweredWithAStatusWord() {
        var random = SeededRandom(seed: 42)
        for name in ["online", "fdda", "cdcvmPhone", "nextApplication", "gpoFormat1", "issuerUpdate"] {
            var card = VirtualCard(CardProfile.named(name)!)
            _ = PlainTerminal().tap(&card)
            for _ in 0..<500 {
                let command = Self.randomCommand(&random)
                let response = card.respond(to: command)
                #expect(response.count >= 2)
                let isKnown = [0x90, 0x62, 0x63, 0x67, 0x69, 0x6A, 0x6D, 0x6E].contains(response[response.count - 2])
                #expect(isKnown, "\(command.hex) → \(response.hex)")
                if Int.random(in: 0..<40, using: &random) == 0 { card.reset() }
            }
        }
    }

    /// Random bytes, or a probable header followed by random bytes, or a valid command with one wrong bit.
    private static func randomCommand(_ random: inout SeededRandom) -> [UInt8] {
        let noise = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let headers = ["00A40400", "00A40402", "80A80000", "00B2011C", "00B20114", "80CA9F36", "00820000", "84240001"]
        let right = [
            "00A404000E325041592E5359532E444446303100", "00A4040007A000000003101000",
            "80A80000238321360040000000000012500000000000000276000000000009782611210001020304" + "00", "00B2011C00",
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return noise
        case 1: return [UInt8](hex: headers.randomElement(using: &random)!) + [UInt8(noise.count)] + noise
        case 2: return [UInt8](hex: right.randomElement(using: &random)!)
        default:
            var command = [UInt8](hex: right.randomElement(using: &random)!)
            command[Int.random(in: command.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            return command
        }
    }

    @Test func transactionsCountAndOutliveTheField() {
        var card = VirtualCard(CardProfile.named("online")!, transactionCounter: 7)
        #expect(PlainTerminal().tap(&card)[0x9F36] == [0x00, 0x08])
        card.reset()
        #expect(PlainTerminal().tap(&card)[0x9F36] == [0x00, 0x09])
    }

    @Test func counterDoesNotWrap() {
        var card = VirtualCard(CardProfile.named("online")!, transactionCounter: .max)
        #expect(PlainTerminal().tap(&card).status == StatusWord.conditionsNotSatisfied.bytes)
    }

    @Test func fieldOffForgetsTheSelection() {
        var card = VirtualCard(CardProfile.named("fdda")!)
        _ = PlainTerminal().tap(&card)
        #expect(card.respond(to: [0x00, 0xB2, 0x01, 0x14, 0x00]).suffix(2) == [0x90, 0x00])
        card.reset()
        #expect(card.respond(to: [0x00, 0xB2, 0x01, 0x14, 0x00]) == StatusWord.conditionsNotSatisfied.bytes)
    }

    @Test func optionsAreProcessedOncePerSelection() {
        var card = VirtualCard(CardProfile.named("online")!)
        let talk = PlainTerminal().tap(&card)
        #expect(card.respond(to: talk.exchanges[2].command) == StatusWord.conditionsNotSatisfied.bytes)
    }

    @Test func optionsOfAnotherLengthAreWrong() {
        var card = VirtualCard(CardProfile.named("online")!)
        _ = card.respond(to: PlainTerminal.select([UInt8](hex: "A0000000031010")))
        #expect(card.respond(to: [UInt8](hex: "80A8000002830000")) == StatusWord.wrongData.bytes)
    }
}

@Suite struct CryptogramTypeTests {
    @Test(arguments: [
        ("online", "36004000", "80"), ("online", "3E004000", "00"), ("fdda", "36004000", "40"),
        ("fdda", "36804000", "80"), ("fdda", "3E004000", "40"), ("decline", "36004000", "00"),
        ("stubbornOffline", "36804000", "40"), ("fddaLimit", "36004000", "80"), ("onlinePIN", "36004000", "80"),
    ])
    func followsCardAndReader(name: String, qualifiers: String, type: String) {
        var card = VirtualCard(CardProfile.named(name)!)
        let talk = PlainTerminal(qualifiers: qualifiers).tap(&card)
        #expect(talk[0x9F27]?.hex == type)
        // Bits 6-5 of the fifth byte of the issuer's data agree (Book C-3, A.2).
        #expect(talk[0x9F10].map { [($0[4] & 0x30) << 2].hex } == type)
    }

    @Test func cryptogramIsKnown() {
        // Computed with OpenSSL from the card's key and the ten data objects of version 10.
        var card = VirtualCard(CardProfile.named("online")!, transactionCounter: 0x0014)
        let talk = PlainTerminal().tap(&card)
        #expect(talk[0x9F36]?.hex == "0015")
        #expect(talk[0x9F26]?.hex == "9EF71A14EBEF3708")
    }

    @Test func issuerAcceptsEveryHonestCryptogram() {
        let tags: [UInt32] = [0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37]
        for name in ["online", "onlineCVN18", "fdda", "fddaShortPDOL", "decline", "cdcvm"] {
            let profile = CardProfile.named(name)!
            let terminal = PlainTerminal()
            var card = VirtualCard(profile)
            let talk = terminal.tap(&card)
            var record: [UInt32: [UInt8]] = [:]
            for tag in tags { record[tag] = terminal.value(tag) }
            for tag in [0x82, 0x9F10, 0x9F26, 0x9F36] as [UInt32] { record[tag] = talk[tag] }
            let issuer = SimulatedIssuer(profile.application)
            #expect(issuer.accepts(record), "\(name)")
            record[0x9F37]?[0] ^= 1
            #expect(!issuer.accepts(record), "\(name)")
        }
    }
}

@Suite struct VerificationTests {
    private func qualifiers(_ name: String, _ reader: String) -> String? {
        var card = VirtualCard(CardProfile.named(name)!)
        return PlainTerminal(qualifiers: reader).tap(&card)[0x9F6C]?.hex
    }

    @Test func methodsAreAskedForOnlyWhenTheReaderRequiresThem() {
        #expect(qualifiers("online", "36004000") == "0000")
        #expect(qualifiers("online", "36404000") == "8000")
        #expect(qualifiers("online", "32404000") == "4000")
        #expect(qualifiers("onlinePIN", "36004000") == "8000")
        #expect(qualifiers("signature", "36004000") == "4000")
        #expect(qualifiers("cdcvm", "36004000") == "0080")
        #expect(qualifiers("ctqAbsent", "36404000") == nil)
    }

    @Test func phoneAsksItsHolderAndVouchesOnce() {
        var card = VirtualCard(CardProfile.named("cdcvmPhone")!)
        let reader = PlainTerminal(qualifiers: "36404000")
        #expect(reader.tap(&card).status == StatusWord.seePhone.bytes)
        card.reset()
        #expect(reader.tap(&card)[0x9F6C]?.hex == "0080")
        card.reset()
        #expect(reader.tap(&card).status == StatusWord.seePhone.bytes)
    }

    @Test func phoneAnswersAtOnceBelowTheLimit() {
        #expect(qualifiers("cdcvmPhone", "36004000") == "0000")
    }

    @Test func phoneUnlockedBeforehandVouchesAtOnce() {
        var card = VirtualCard(CardProfile.named("cdcvmPhone")!)
        card.verifyCardholder()
        #expect(PlainTerminal(qualifiers: "36404000").tap(&card)[0x9F6C]?.hex == "0080")
    }

    @Test func signedQualifiersAreTheShownOnesUnlessFlawed() {
        for (name, agrees) in [("cdcvmSigned", true), ("cdcvmMismatch", false)] {
            var card = VirtualCard(CardProfile.named(name)!)
            let talk = PlainTerminal().tap(&card)
            #expect((talk[0x9F69].map { Array($0[5...6]) } == talk[0x9F6C]) == agrees)
        }
    }

    @Test func cardWithoutMethodsFollowsItsIssuer() {
        var goesOn = VirtualCard(CardProfile.named("noCVM")!)
        #expect(PlainTerminal(qualifiers: "36404000").tap(&goesOn)[0x9F6C]?.hex == "0000")
        var switches = VirtualCard(CardProfile.named("noCVMContact")!)
        #expect(PlainTerminal(qualifiers: "36404000").tap(&switches).status == StatusWord.useAnotherInterface.bytes)
        switches.reset()
        #expect(PlainTerminal(qualifiers: "26404000").tap(&switches)[0x9F27]?.hex == "00")
    }
}

@Suite struct SelectionTests {
    private func status(_ name: String, after commands: Int = 1) -> String? {
        var card = VirtualCard(CardProfile.named(name)!)
        let talk = PlainTerminal().tap(&card)
        return talk.exchanges.count >= commands ? Array(talk.exchanges[commands - 1].response.suffix(2)).hex : nil
    }

    @Test func directoriesAnswerAsNamed() {
        #expect(status("noPPSE") == "6A82")
        #expect(status("blocked") == "6A81")
        #expect(status("invalidatedPPSE") == "6283")
        #expect(status("blockedApplication", after: 2) == "6283")
        #expect(status("missingApplication", after: 2) == "6A82")
        #expect(status("tryAnotherInterface", after: 3) == "6984")
        #expect(status("selectNext", after: 3) == "6985")
    }

    @Test func extendedSelectionTellsApplicationsApart() {
        for number in [UInt8(1), 2] {
            var card = VirtualCard(CardProfile.named("extendedSelection")!)
            let talk = PlainTerminal().tap(&card, aid: [UInt8](hex: "A0000000031010") + [number])
            #expect(talk[0x5F34] == [number])
        }
    }

    @Test func exactNameWinsOverALongerOne() {
        var card = VirtualCard(CardProfile.named("twoApplications")!)
        let short = card.respond(to: PlainTerminal.select([UInt8](hex: "A0000000031010")))
        #expect(PlainTerminal.find(0x84, in: Array(short.dropLast(2)))?.hex == "A0000000031010")
        let next = card.respond(to: [0x00, 0xA4, 0x04, 0x02, 0x05] + [UInt8](hex: "A000000003") + [0x00])
        #expect(next == StatusWord.fileNotFound.bytes)
    }
}

@Suite struct IssuerAnswerTests {
    @Test(arguments: ["online", "onlineCVN18", "issuerUpdate"])
    func cardTakesTheIssuersAnswerOnce(name: String) throws {
        let profile = CardProfile.named(name)!
        var card = VirtualCard(profile)
        let talk = PlainTerminal().tap(&card)
        let answer = SimulatedIssuer(profile.application).authenticationData(
            cryptogram: try #require(talk[0x9F26]), counter: card.transactionCounter)
        card.reset()
        _ = card.respond(to: PlainTerminal.select(profile.application.aid))
        let command = [0x00, 0x82, 0x00, 0x00, UInt8(answer.count)] + answer
        #expect(card.respond(to: command) == StatusWord.success.bytes)
        #expect(card.respond(to: command) == StatusWord.conditionsNotSatisfied.bytes)
    }

    @Test func wrongAnswerIsRefused() {
        var card = VirtualCard(CardProfile.named("issuerUpdate")!)
        _ = PlainTerminal().tap(&card)
        let command = [UInt8](hex: "008200000A") + [UInt8](hex: "01020304050607083030")
        #expect(card.respond(to: command) == StatusWord.authenticationFailed.bytes)
    }
}
