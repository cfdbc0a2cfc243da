// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct CombinedSignatureTests {
    private static let signed: [(name: String, request: UInt8, type: UInt8)] = [
        ("mcOnline", 0x90, 0x80), ("mcOnline", 0x50, 0x80), ("mcOffline", 0x50, 0x40), ("mcOffline", 0x90, 0x80),
        ("mcOnlineMax", 0x90, 0x80), ("mcOfflineMax", 0x50, 0x40), ("mcOfflineSmallF4", 0x50, 0x40),
        ("mcLimit", 0x50, 0x80), ("mcDeclineSigned", 0x50, 0x00), ("mcBalance", 0x50, 0x40), ("mcMaestro", 0x90, 0x80),
        ("mcBothModes", 0x50, 0x40), ("mcRelay", 0x50, 0x40), ("mcTorn", 0x50, 0x40), ("mcTornRelay", 0x50, 0x40),
        ("mcPhone", 0x90, 0x80), ("mcWatch", 0x90, 0x80), ("mcStorage", 0x50, 0x40), ("mcCounters", 0x90, 0x80),
        ("mcCommonKey", 0x90, 0x80), ("mcCommonKeyCounters", 0x90, 0x80), ("mcPDOL", 0x50, 0x40),
        ("mcSpread", 0x50, 0x40), ("mcProprietaryFile", 0x50, 0x40), ("mcLongPAN", 0x50, 0x40),
        ("mcUnknownObjects", 0x50, 0x40), ("mcStubbornOffline", 0x90, 0x40), ("mcAndVisa", 0x90, 0x80),
    ]

    @Test(arguments: signed)
    func signatureAndHashVerifyWithBigIntegers(name: String, request: UInt8, type: UInt8) throws {
        let profile = CardProfile.named(name)!
        var card = VirtualCard(profile)
        let kernel = PlainKernel2()
        let tap = kernel.tap(&card, request: request)
        #expect(tap.status == [0x90, 0x00])
        #expect(tap.objects.map(\.tag).prefix(4) == [0x9F27, 0x9F36, 0x9F4B, 0x9F10])
        let combined = try kernel.combined(tap)
        #expect(combined.type == type)
        #expect(combined.dynamicNumber.count == 8)
        #expect(combined.dynamicNumber.prefix(2) == tap[0x9F10]?[8..<10])
        #expect(combined.extra == tap.relayData)

        var record = kernel.record(tap, cryptogram: combined.cryptogram)
        let issuer = SimulatedIssuer(profile.application)
        #expect(issuer.accepts(record))
        record[0x9F02]?[5] ^= 1
        #expect(!issuer.accepts(record))
    }

    @Test(arguments: [
        ("mcUnknownCA", ChainCheck.Failure.noAuthority), ("mcWrongHash", .hash), ("mcWrongCardHash", .hash),
        ("mcWrongStaticData", .hash), ("mcWrongTagList", .missing(0x9F4A)), ("mcMissingCertificate", .missing(0x9F46)),
        ("mcWrongSignature", .trailer), ("mcReplayedSignature", .hash), ("mcWrongSignatureFormat", .format),
        ("mcMissingSignature", .missing(0x9F4B)), ("mcDifferingData", .hash), ("mcDifferingType", .format),
    ])
    func flawsBreakTheSignatureWhereTheySay(name: String, failure: ChainCheck.Failure) {
        var card = VirtualCard(CardProfile.named(name)!)
        let kernel = PlainKernel2()
        let tap = kernel.tap(&card, request: 0x50)
        #expect(tap.status == [0x90, 0x00])
        #expect(throws: failure) { try kernel.combined(tap) }
    }

    @Test func declinesAreSignedByThoseWhoSaySo() {
        for (name, signs) in [("mcDecline", false), ("mcDeclineSigned", true)] {
            var card = VirtualCard(CardProfile.named(name)!)
            let tap = PlainKernel2().tap(&card, request: 0x50)
            #expect(tap[0x9F27] == [0x00])
            #expect((tap[0x9F4B] != nil) == signs)
            #expect((tap[0x9F26] == nil) == signs)
        }
    }

    @Test func withoutKeysCryptogramStandsInTheClear() {
        for name in ["mcNoCDA", "mcTornNoCDA", "mcRelayNoCDA"] {
            let profile = CardProfile.named(name)!
            var card = VirtualCard(profile)
            let kernel = PlainKernel2()
            let tap = kernel.tap(&card, request: 0x80)
            #expect(tap.talk[0x82].map { $0[0] & 0x21 } == 0)
            #expect(tap.talk[0x9F4A] == nil)
            #expect(tap[0x9F4B] == nil)
            #expect(SimulatedIssuer(profile.application).accepts(kernel.record(tap, cryptogram: tap[0x9F26] ?? [])))
        }
    }

    @Test func profileWithoutCombinedSignaturesStillHasItsCertificates() {
        var card = VirtualCard(CardProfile.named("mcWithoutCDA")!)
        let tap = PlainKernel2().tap(&card, request: 0x80)
        #expect(tap.talk[0x82] == [0x78, 0x80])
        #expect(tap.talk[0x9F46] != nil)
        #expect(tap[0x9F26] != nil)
    }

    @Test func format1HoldsTypeCounterCryptogramIssuerData() throws {
        let profile = CardProfile.named("mcFormat1")!
        var card = VirtualCard(profile)
        let kernel = PlainKernel2()
        var tap = kernel.open(&card)
        tap.talk.objects.append(DataObject(0x82, profile.application.profileBytes))
        kernel.generate(&card, &tap, 0x80)
        let value = try #require(PlainTerminal.find(0x80, in: Array(tap.response.dropLast(2))))
        #expect(value.count == 29)
        #expect(value[0] == 0x80)
        var record = kernel.record(tap, cryptogram: Array(value[3..<11]))
        record[0x9F36] = Array(value[1..<3])
        record[0x9F10] = Array(value[11...])
        #expect(SimulatedIssuer(profile.application).accepts(record))
        #expect(tap.talk.exchanges[2].response.first == 0x80)
    }

    @Test func everyAnswerFitsAShortResponse() {
        for name in CardProfile.profiles.keys.filter({ $0.hasPrefix("mc") }) {
            var card = VirtualCard(CardProfile.named(name)!)
            var kernel = PlainKernel2()
            kernel.terminal.more[0x9F5C] = [1, 2, 3, 4, 5, 6, 7, 8]
            #expect(kernel.tap(&card, request: 0x50).response.count <= 258, "\(name)")
        }
    }
}

@Suite struct MChipCryptogramTests {
    // Keys, inputs and answers from knovichikhin/pyemv, tests/test_cvn_hsm.py: made with a payment HSM.
    private let keys = ApplicationCryptogram(
        masterKey: [UInt8](hex: "0123456789ABCDEFFEDCBA9876543210"), pan: "1234567890123456", sequence: 0)

    private let plain: [UInt32: String] = [
        0x9F02: "000000009999", 0x9F03: "000000000000", 0x9F1A: "0124", 0x95: "8000000000", 0x5F2A: "0124",
        0x9A: "209906", 0x9C: "00", 0x9F37: "ABCDEF12", 0x82: "1800", 0x9F36: "001C",
    ]

    private func cryptogram(_ version: MChipCryptogramVersion) -> String? {
        var bytes = [UInt8](hex: "0110A000032200000000" + "00000000000322FF")
        bytes[1] = version.rawValue
        guard let issuerData = MChipIssuerData(bytes) else { return nil }
        let data = ApplicationCryptogram.input(version, issuerData) { tag, _ in [UInt8](hex: plain[tag] ?? "") }
        return keys.cryptogram(version, counter: 0x1C, number: [UInt8](hex: "ABCDEF12"), data: data).hex
    }

    @Test func sessionKeysOfBothKindsAreKnown() {
        #expect(
            keys.sessionKey(.common, counter: 0x1C, number: [1, 2, 3, 4]).hex == "436B942AD637E08564B532B0EC97CB26")
        #expect(
            keys.sessionKey(.mchip, counter: 0x1C, number: [UInt8](hex: "ABCDEF12")).hex
                == "5D8F37BCD9E5DA68048CDFA2EA255D9E")
    }

    @Test func cryptogramsOfEveryVersionAgreeWithKnownAnswers() {
        #expect(cryptogram(.mchip) == "24CCF3DEE3158C70")
        #expect(cryptogram(.mchipWithCounters) == "EAE8A620A75648D8")
        #expect(cryptogram(.common) == "CD29615D6452E70E")
        #expect(cryptogram(.commonWithCounters) == "C30E54BE496CF5E5")
    }

    @Test func cardsCryptogramIsKnown() {
        // Computed with OpenSSL from the master key, the ten data objects and the card's verification results.
        var card = VirtualCard(CardProfile.named("mcNoCDA")!, transactionCounter: 0x0014)
        let tap = PlainKernel2().tap(&card, request: 0x80)
        #expect(tap[0x9F36]?.hex == "0015")
        #expect(tap[0x9F26]?.hex == "0D22AA021EDCB555")
    }

    @Test func issuerDataOfAnotherShapeIsNone() {
        #expect(MChipIssuerData([UInt8](hex: "0110A0000322000000000000000000000322")) != nil)
        #expect(MChipIssuerData([UInt8](hex: "0113A0000322000000000000000000000322")) == nil)
        #expect(MChipIssuerData([UInt8](hex: "0110A00003220000")) == nil)
    }
}

@Suite struct MastercardTransactionTests {
    @Test func oneCryptogramATransaction() {
        var card = VirtualCard(CardProfile.named("mcTorn")!)
        let kernel = PlainKernel2()
        var tap = kernel.tap(&card, request: 0x50)
        kernel.generate(&card, &tap, 0x50)
        #expect(tap.status == [0x69, 0x85])
        kernel.recover(&card, &tap)
        #expect(tap.status == [0x69, 0x85])
    }

    @Test func commandsBeforeOptionsAreRefused() {
        var card = VirtualCard(CardProfile.named("mcTornRelay")!)
        _ = card.respond(to: PlainTerminal.select([UInt8](hex: "A0000000041010")))
        for command in ["80AE500000", "80EA0000040102030400", "80D00000040102030400"] {
            #expect(card.respond(to: [UInt8](hex: command)) == [0x69, 0x85])
        }
    }

    @Test func wrongParametersAndLengthsAreRefused() {
        var card = VirtualCard(CardProfile.named("mcTornRelay")!)
        _ = PlainKernel2().open(&card)
        let refused: [(String, [UInt8])] = [
            ("80AEC00000", [0x6A, 0x86]), ("80AE500100", [0x6A, 0x86]), ("80AE500001AA00", [0x67, 0x00]),
            ("80EA0100040102030400", [0x6A, 0x86]), ("80EA0000030102030000", [0x67, 0x00]),
            ("80D0000003010203", [0x67, 0x00]), ("802A8E80040102030400", [0x6D, 0x00]), ("80CA9F50", [0x6A, 0x88]),
            ("80DA9F7501AA", [0x6D, 0x00]),
        ]
        for (command, status) in refused { #expect(card.respond(to: [UInt8](hex: command)) == status, "\(command)") }
    }

    @Test func cardNeverGivesMoreThanAskedForUnlessDishonest() {
        for name in ["mcOnline", "mcOffline", "mcLimit", "mcDecline", "mcStubbornOffline"] {
            for (request, ceiling) in [(UInt8(0x00), 0), (0x80, 1), (0x40, 2)] {
                var card = VirtualCard(CardProfile.named(name)!)
                let type = PlainKernel2().tap(&card, request: request)[0x9F27]?[0]
                let rank = [0x00: 0, 0x80: 1, 0x40: 2][type ?? 0xFF]
                #expect((rank ?? 3) <= ceiling || name == "mcStubbornOffline")
            }
        }
    }

    @Test func offlineOnlyTerminalsGetNoOnlineCryptogram() {
        var card = VirtualCard(CardProfile.named("mcOnline")!)
        var kernel = PlainKernel2()
        kernel.terminal.more[0x9F35] = [0x23]
        #expect(kernel.tap(&card, request: 0x50)[0x9F27] == [0x00])
    }

    @Test func balanceCountsDownAndEndsOfflineApproval() {
        var card = VirtualCard(CardProfile.named("mcBalance")!)
        var kernel = PlainKernel2()
        kernel.terminal.amount = 10_000
        for (type, left) in [(UInt8(0x40), "000000002345"), (0x80, "000000002345")] {
            #expect(kernel.tap(&card, request: 0x50)[0x9F27] == [type])
            #expect(card.respond(to: [UInt8](hex: "80CA9F5000")).hex == "9F5006" + left + "9000")
            card.reset()
        }
    }

    @Test func mastercardStandsBesideVisa() {
        var card = VirtualCard(CardProfile.named("mcAndVisa")!, transactionCounter: 7)
        #expect(PlainKernel2().tap(&card, request: 0x90)[0x9F36] == [0x00, 0x08])
        card.reset()
        #expect(PlainTerminal().tap(&card, aid: [UInt8](hex: "A0000000031010"))[0x9F36] == [0x00, 0x09])
        #expect(card.respond(to: [UInt8](hex: "80AE500000")) == [0x6D, 0x00])
    }

    @Test(arguments: CardProfile.profiles.keys.filter { $0.hasPrefix("mc") }.sorted())
    func equalCardsSignEqually(name: String) {
        var first = VirtualCard(CardProfile.named(name)!)
        var second = first
        for _ in 0..<2 {
            let one = PlainKernel2().tap(&first, request: 0x50)
            let other = PlainKernel2().tap(&second, request: 0x50)
            #expect(one.response == other.response)
            first.reset()
            second.reset()
        }
    }

    @Test func anyBytesAreAnsweredWithAStatusWord() {
        var random = SeededRandom(seed: 2)
        let headers = [
            "00A40400", "80A80000", "80AE5000", "80AE9000", "80EA0000", "80D00000", "802A8E80", "80CA9F50", "80CA9F75",
            "80DA9F75", "00B2010C", "00B20114",
        ]
        let names = [
            "mcTornRelay", "mcStorageTorn", "mcStripePhone", "mcBothModes", "mcEnvelopes", "mcPhone", "mcFormat1",
        ]
        for name in names {
            var card = VirtualCard(CardProfile.named(name)!)
            for round in 0..<400 {
                if round.isMultiple(of: 40) {
                    card.reset()
                    _ = PlainKernel2().open(&card)
                }
                let count = [0, 1, 4, 15, 66, 243].randomElement(using: &random)!
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                var command = [UInt8](hex: headers.randomElement(using: &random)!)
                if !noise.isEmpty { command += [UInt8(count)] + noise }
                if Bool.random(using: &random) { command.append(0x00) }
                if Int.random(in: 0..<8, using: &random) == 0 { command = noise }
                let response = card.respond(to: command)
                #expect(response.count >= 2)
                #expect([0x90, 0x67, 0x69, 0x6A, 0x6D, 0x6E].contains(response[response.count - 2]), "\(command.hex)")
            }
        }
    }
}

@Suite struct RelayResistanceTests {
    @Test func answerTellsTimesAndIsSigned() throws {
        var card = VirtualCard(CardProfile.named("mcRelay")!)
        let kernel = PlainKernel2()
        let tap = kernel.tap(&card, request: 0x50)
        #expect(tap.relayData.suffix(6).hex == "002800640018")
        #expect(tap.relayData.count == 14)
        #expect(try kernel.combined(tap).extra == tap.relayData)
    }

    @Test func profileDecidesTheTime() {
        let command = [UInt8](hex: "80EA0000040102030400")
        for (name, times) in [
            ("mcRelay", [8.0, 8]), ("mcRelaySlowOnce", [21, 8]), ("mcRelaySlow", [40, 40]), ("mcRelayFast", [3, 3]),
        ] {
            var card = VirtualCard(CardProfile.named(name)!)
            _ = PlainKernel2().open(&card)
            for time in times {
                guard case .response(let bytes, let milliseconds) = card.exchange(command) else { continue }
                #expect(milliseconds == time)
                #expect(bytes.count == 14)
            }
        }
    }

    @Test func relayAddsItsOwnTime() {
        let card = VirtualCard(CardProfile.named("mcRelay")!)
        var relay = ManInTheMiddle(card, [.init(.relayResistance, .delay(milliseconds: 12))])
        let command = [UInt8](hex: "80EA0000040102030400")
        for step in [PlainTerminal.select([UInt8](hex: "A0000000041010")), [UInt8](hex: "80A8000002830000")] {
            guard case .response(_, milliseconds: 0) = relay.exchange(step) else {
                Issue.record("no time passes before")
                return
            }
        }
        guard case .response(_, let milliseconds) = relay.exchange(command) else {
            Issue.record("the card answers")
            return
        }
        #expect(milliseconds == 20)
    }

    @Test func everyAnswerHasOtherEntropyAndTheFourthIsRefused() {
        var card = VirtualCard(CardProfile.named("mcRelay")!)
        _ = PlainKernel2().open(&card)
        let command = [UInt8](hex: "80EA0000040102030400")
        let answers = (0..<4).map { _ in card.respond(to: command) }
        #expect(Set(answers.prefix(3)).count == 3)
        #expect(answers[3] == [0x69, 0x85])
    }

    @Test func flawSignsOtherTimes() throws {
        var card = VirtualCard(CardProfile.named("mcDifferingRelay")!)
        let kernel = PlainKernel2()
        let tap = kernel.tap(&card, request: 0x50)
        #expect(try kernel.combined(tap).extra != tap.relayData)
    }
}

@Suite struct TornTransactionTests {
    private let names = ["mcTorn", "mcTornOnline", "mcTornNoCDA", "mcTornRelay", "mcTornBalance", "mcStorageTorn"]

    @Test func lostCryptogramIsRecoveredAsItWas() {
        for name in names {
            var card = VirtualCard(CardProfile.named(name)!)
            let kernel = PlainKernel2()
            let first = kernel.tap(&card, request: 0x50)
            for _ in 0..<2 {
                card.reset()
                var again = kernel.open(&card)
                kernel.recover(&card, &again)
                #expect(again.response == first.response, "\(name)")
            }
        }
    }

    @Test func commandThatNeverArrivedLeavesNothingToRecover() {
        var card = VirtualCard(CardProfile.named("mcTorn")!)
        let kernel = PlainKernel2()
        _ = kernel.open(&card)
        card.reset()
        var again = kernel.open(&card)
        kernel.recover(&card, &again)
        #expect(again.status == [0x6A, 0x88])
        kernel.generate(&card, &again, 0x50)
        #expect(again[0x9F27] == [0x40])
    }

    @Test func otherNumbersAndLaterCryptogramsDoNotRecover() {
        var card = VirtualCard(CardProfile.named("mcTorn")!)
        let kernel = PlainKernel2()
        var other = PlainKernel2()
        other.terminal.number = "0A0B0C0D"
        _ = kernel.tap(&card, request: 0x50)
        card.reset()
        var again = other.open(&card)
        other.recover(&card, &again)
        #expect(again.status == [0x6A, 0x88])
        other.generate(&card, &again, 0x50)
        card.reset()
        again = kernel.open(&card)
        kernel.recover(&card, &again)
        #expect(again.status == [0x6A, 0x88])
    }

    @Test func recoveryDoesNotSpendTwice() {
        var card = VirtualCard(CardProfile.named("mcTornBalance")!)
        let kernel = PlainKernel2()
        _ = kernel.tap(&card, request: 0x50)
        card.reset()
        var again = kernel.open(&card)
        kernel.recover(&card, &again)
        #expect(again[0x9F27] == [0x40])
        #expect(card.respond(to: [UInt8](hex: "80CA9F5000")).hex == "9F50060000000110959000")
    }
}

@Suite struct DeviceTests {
    private func kernel(deviceVerifies: Bool) -> PlainKernel2 {
        var kernel = PlainKernel2()
        kernel.terminal.more[0x9F34] = deviceVerifies ? [0x01, 0x00, 0x02] : [0x3F, 0x00, 0x02]
        return kernel
    }

    @Test func phoneAsksItsHolderAndVouchesOnce() {
        for (name, type) in [("mcPhone", UInt8(0x80)), ("mcPhoneOffline", 0x40)] {
            var card = VirtualCard(CardProfile.named(name)!)
            let kernel = kernel(deviceVerifies: true)
            for (interaction, expected) in [("000100", 0x00), ("001000", type), ("000100", 0x00)] {
                let tap = kernel.tap(&card, request: 0x50)
                #expect(tap.talk[0x82].map { $0[0] & 0x02 } == 0x02)
                #expect(tap[0xDF4B]?.hex == interaction)
                #expect(tap[0x9F27] == [expected])
                card.reset()
            }
        }
    }

    @Test func phoneBelowTheLimitAsksNobody() {
        var card = VirtualCard(CardProfile.named("mcPhone")!)
        let tap = kernel(deviceVerifies: false).tap(&card, request: 0x90)
        #expect(tap[0xDF4B]?.hex == "000000")
        #expect(tap[0x9F27] == [0x80])
    }

    @Test func lockedPhoneAndWatchDoNotWaitForTheReader() {
        for (name, interaction) in [("mcPhoneAlways", "000100"), ("mcWatch", "001000")] {
            var card = VirtualCard(CardProfile.named(name)!)
            #expect(kernel(deviceVerifies: false).tap(&card, request: 0x90)[0xDF4B]?.hex == interaction)
        }
    }

    @Test func interactionIsShownHoweverOften() {
        for (name, bytes) in [
            ("mcPhoneConflict", "000800"), ("mcPhonePIN", "000400"), ("mcPhoneAcknowledge", "000200"),
            ("mcPhoneWallet", "000001"),
        ] {
            var card = VirtualCard(CardProfile.named(name)!)
            for _ in 0..<2 {
                let tap = kernel(deviceVerifies: false).tap(&card, request: 0x50)
                #expect(tap[0xDF4B]?.hex == bytes)
                #expect(tap[0x9F27] == [0x00])
                card.reset()
            }
        }
    }
}

@Suite struct DataStorageTests {
    private let owner: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private func kernel(_ proof: [UInt8]? = nil, secret: [UInt8], data: [UInt8]) -> PlainKernel2 {
        var kernel = PlainKernel2()
        kernel.terminal.more[0x9F5C] = owner
        let identifier = CardProfile.named("mcStorage")!.application.storageIdentifier
        kernel.storage = [
            0xDF60: proof ?? [UInt8](repeating: 0, count: 8),
            0xDF61: StorageSlot.digest(secret, identifier: identifier, owner: owner), 0xDF62: [0x80], 0xDF63: data,
        ]
        return kernel
    }

    @Test func digestIsKnown() {
        // Computed from the description of the one-way function with another triple DES.
        let digest = StorageSlot.digest(
            [UInt8](hex: "1122334455667788"), identifier: [UInt8](hex: "541333008902002900"), owner: owner)
        #expect(digest.hex == "CA1A725CEEA319A1")
    }

    @Test func freeSlotTakesTheFirstWritingAndItsOwnerTheNext() throws {
        var card = VirtualCard(CardProfile.named("mcStorage")!)
        let secret: [UInt8] = [9, 9, 9, 9, 9, 9, 9, 9]
        let first = kernel(secret: secret, data: [0xAA])
        var tap = first.tap(&card, request: 0x50)
        #expect(tap.talk[0x9F5F] == [0x80])
        #expect(tap.talk[0x9F7F]?.count == 4)
        #expect(tap.talk[0x9F54] == nil)
        var extra = try first.combined(tap).extra
        #expect(Array(extra.prefix(8)) == tap.talk[0x9F7D])
        #expect(extra.prefix(8) != extra.suffix(8))

        card.reset()
        let second = kernel(secret, secret: [8, 8, 8, 8, 8, 8, 8, 8], data: [0xBB])
        tap = second.tap(&card, request: 0x50)
        #expect(tap.talk[0x9F54]?.first == 0xAA)
        #expect(tap.talk[0x9F7D] == Array(extra.suffix(8)))
        extra = try second.combined(tap).extra
        #expect(extra.prefix(8) != extra.suffix(8))
    }

    @Test func wrongProofsAndReadOnlySlotsChangeNothing() throws {
        for name in ["mcStorageUsed", "mcStorageReadOnly"] {
            var card = VirtualCard(CardProfile.named(name)!)
            let kernel = kernel([1, 1, 1, 1, 1, 1, 1, 1], secret: [2], data: [0xAA])
            let extra = try kernel.combined(kernel.tap(&card, request: 0x50)).extra
            #expect(extra.prefix(8) == extra.suffix(8))
        }
    }

    @Test func usedSlotOpensToZeros() throws {
        var card = VirtualCard(CardProfile.named("mcStorageUsed")!)
        let kernel = kernel(secret: [2], data: [0xAA])
        let tap = kernel.tap(&card, request: 0x50)
        #expect(tap.talk[0x9F54] == [0xCA, 0xFE])
        let extra = try kernel.combined(tap).extra
        #expect(extra.prefix(8) != extra.suffix(8))
    }

    @Test func failedWritingDeclinesWhereTheTerminalWantsThat() {
        var card = VirtualCard(CardProfile.named("mcStorageReadOnly")!)
        var kernel = kernel(secret: [2], data: [0xAA])
        kernel.storage[0xDF62] = [0x88]
        #expect(kernel.tap(&card, request: 0x50)[0x9F27] == [0x00])
    }

    @Test func lastObjectMayComeShorter() throws {
        var card = VirtualCard(CardProfile.named("mcStorage")!)
        let kernel = kernel(secret: [2], data: [0xAA, 0xBB])
        var tap = kernel.open(&card)
        tap.cryptogramData = kernel.terminal.fill(tap.talk[0x8C]!)
        let tags: [UInt32] = [0xDF60, 0xDF61, 0xDF62, 0xDF63]
        let data = tap.cryptogramData + tags.flatMap { kernel.storage[$0]! }
        tap.response = card.respond(to: [0x80, 0xAE, 0x50, 0x00, UInt8(data.count)] + data + [0x00])
        #expect(tap.status == [0x90, 0x00])
        let extra = try kernel.combined(tap).extra
        #expect(extra.prefix(8) != extra.suffix(8))
        card.reset()
        #expect(kernel.open(&card).talk[0x9F54] == [0xAA, 0xBB])
    }

    @Test func summariesStandBeforeRelayData() throws {
        var card = VirtualCard(CardProfile.named("mcStorageRelay")!)
        let kernel = kernel(secret: [2], data: [0xAA])
        let tap = kernel.tap(&card, request: 0x50)
        let extra = try kernel.combined(tap).extra
        #expect(extra.count == 30)
        #expect(Array(extra.suffix(14)) == tap.relayData)
    }

    @Test func terminalsWithoutAnOperatorHearNothingOfIt() throws {
        var card = VirtualCard(CardProfile.named("mcStorage")!)
        let kernel = PlainKernel2()
        let tap = kernel.tap(&card, request: 0x50)
        for tag in [0x9F7D, 0x9F54, 0x9F5F, 0x9F6F] as [UInt32] { #expect(tap.talk[tag] == nil) }
        #expect(try kernel.combined(tap).extra.isEmpty)
    }

    @Test func envelopesKeepWhatIsWritten() {
        var card = VirtualCard(CardProfile.named("mcEnvelopes")!)
        _ = PlainKernel2().open(&card)
        #expect(card.respond(to: [UInt8](hex: "80CA9F7500")) == [0x6A, 0x88])
        #expect(card.respond(to: [UInt8](hex: "80DA9F7502CAFE")) == [0x90, 0x00])
        card.reset()
        _ = PlainKernel2().open(&card)
        #expect(card.respond(to: [UInt8](hex: "80CA9F7500")).hex == "9F7502CAFE9000")
        #expect(card.respond(to: [UInt8](hex: "80DA9F7002CAFE")) == [0x69, 0x82])
        #expect(card.respond(to: [UInt8](hex: "80DA9F3602CAFE")) == [0x6A, 0x88])
        #expect(card.respond(to: [UInt8](hex: "80DA9F7621") + [UInt8](repeating: 0, count: 33)) == [0x67, 0x00])
    }
}
