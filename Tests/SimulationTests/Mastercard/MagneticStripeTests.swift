// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct DynamicCodeTests {
    @Test func codesAgreeWithKnownAnswers() {
        // From knovichikhin/pyemv, tests/test_cvv_hsm.py: made with a payment HSM.
        let maker = DynamicCode(
            masterKey: [UInt8](hex: "01234567899876543210012345678998"), pan: "5123456789012345", sequence: 0)
        let number = [UInt8](hex: "00000899")
        let track2 = [UInt8](hex: "5123456789012345D35121010000000000000F")
        let track1 = Array("B5123456789012345^KENOBI/OBIWAN^3512101000000000000000000000000".utf8)
        #expect(maker.code(track: track2, number: number, counter: 0x5E) == 29488)
        #expect(maker.code(track: track1, number: number, counter: 0x5E) == 33419)
    }

    @Test func cardsCodesAreKnown() {
        // Computed with OpenSSL from the master key and both tracks.
        var card = VirtualCard(CardProfile.named("mcStripe")!, transactionCounter: 0x0014)
        var kernel = PlainKernel2()
        kernel.terminal.more[0x9F6A] = [UInt8](hex: "00000907")
        var tap = kernel.open(&card)
        kernel.checksum(&card, &tap)
        #expect(tap[0x9F61]?.hex == "B93B")
        #expect(tap[0x9F60]?.hex == "A8BD")
    }

    private static let vectors = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../shared/vectors/cryptogram.json").standardizedFileURL

    @Test(.enabled(if: FileManager.default.fileExists(atPath: vectors.path), "no third-party vectors"))
    func publishedCodesAndSessionKeysAgree() throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.vectors))
        let all = try #require((object as? [String: Any])?["function_vectors"] as? [[String: Any]])
        var checked: [String: Int] = [:]
        for vector in all {
            guard let function = vector["function"] as? String, let answer = vector["expected"] as? String,
                let inputs = vector["inputs"] as? [String: Any]
            else { continue }
            func bytes(_ name: String) -> [UInt8]? { (inputs[name] as? String).map { [UInt8](hex: $0) } }
            if function.hasSuffix("generate_cvc3"), let key = bytes("icc_cvc3"), let track = bytes("track_template"),
                let counter = bytes("atc"), let number = bytes("un")
            {
                let code = DynamicCode(key: key).code(
                    track: track, number: number, counter: UInt16(counter[0]) << 8 | UInt16(counter[1]))
                #expect(String(code) == answer)
            } else if function.hasSuffix("derive_common_sk"), let key = bytes("icc_mk"), let seed = bytes("r") {
                #expect(ApplicationCryptogram.commonSessionKey(key, seed: seed).hex == answer)
            } else {
                continue
            }
            checked[function, default: 0] += 1
        }
        #expect(checked.count == 2)
    }
}

@Suite struct MagneticStripeTests {
    private static let names = [
        "mcStripe", "mcStripeTrack2", "mcStripeDefaultUDOL", "mcStripeNoNumber", "mcStripeWide", "mcStripeShort",
        "mcStripeWatch", "mcStripePhone",
    ]

    private func kernel(_ name: String, number: UInt32 = 907, device: UInt8 = 0x01) -> PlainKernel2 {
        let stripe = CardProfile.named(name)!.application.mastercard.magneticStripe!
        let count = PlainKernel2.positions(stripe.numberMap2).count - Int(stripe.counterDigits)
        let limit = (0..<count).reduce(UInt32(1)) { product, _ in product * 10 }
        let digits = String(repeating: "0", count: 8) + String(number % limit)
        var kernel = PlainKernel2()
        kernel.terminal.more[0x9F6A] = [UInt8](hex: String(digits.suffix(8)))
        kernel.terminal.more[0x9F7E] = [device]
        return kernel
    }

    /// Both tracks, filled in completely; Track 1 is nil if the card has none.
    private func tracks(_ tap: PlainKernel2.Tap, _ kernel: PlainKernel2) throws -> (first: [UInt8]?, second: [UInt8]) {
        let number = kernel.terminal.value(0x9F6A)
        let counter = try #require(tap[0x9F36])
        let verified = tap[0xDF4B].map { $0[1] & 0x10 != 0 } ?? false
        let second = PlainKernel2.filled(
            (try #require(tap.talk[0x9F6B])).hex.filter { $0 != "F" }, code: try #require(tap[0x9F61]), number: number,
            counter: counter, codeMap: try #require(tap.talk[0x9F65]), numberMap: try #require(tap.talk[0x9F66]),
            counterDigits: try #require(tap.talk[0x9F67])[0], verified: verified)
        var first: String?
        if let track = tap.talk[0x56] {
            first = PlainKernel2.filled(
                String(decoding: track, as: UTF8.self), code: try #require(tap[0x9F60]), number: number,
                counter: counter, codeMap: try #require(tap.talk[0x9F62]), numberMap: try #require(tap.talk[0x9F63]),
                counterDigits: try #require(tap.talk[0x9F64])[0], verified: verified)
        }
        return (first.map { Array($0.utf8) }, [UInt8](hex: second.count.isMultiple(of: 2) ? second : second + "F"))
    }

    @Test(arguments: names)
    func issuerAcceptsFilledTracks(name: String) throws {
        let profile = CardProfile.named(name)!
        let issuer = SimulatedIssuer(profile.application)
        for start in [UInt16(0x0014), 998, 12344, 65533] {
            var card = VirtualCard(profile, transactionCounter: start)
            let kernel = kernel(name)
            var tap = kernel.open(&card)
            kernel.checksum(&card, &tap)
            let (first, second) = try tracks(tap, kernel)
            #expect((first != nil) == (name != "mcStripeTrack2"))
            for track in [first, second].compactMap(\.self) {
                #expect(issuer.acceptsTrack(track, counter: start + 1))
                #expect(!issuer.acceptsTrack(track, counter: start))
                for at in track.indices.suffix(7) {
                    var changed = track
                    changed[at] ^= 0x01
                    if track[at] & 0x0F != 0x0F { #expect(!issuer.acceptsTrack(changed, counter: start + 1)) }
                }
            }
        }
    }

    @Test func publishedDialogueFillsAsPublished() {
        // From MohamedHassanNasr/emv, mock/mock-msc-ms-mode.json: counter 03F9, code A2C4.
        let filled = PlainKernel2.filled(
            "5413339000001513D49121019000990000000", code: [0xA2, 0xC4], number: [UInt8](hex: "08680008"),
            counter: [0x03, 0xF9], codeMap: [0x00, 0x0E], numberMap: [0x0E, 0x70], counterDigits: 3)
        #expect(filled.suffix(13) == "9017990086683")
    }

    @Test func recordAndProfileAreOfMagStripeModeAlone() {
        var card = VirtualCard(CardProfile.named("mcStripe")!)
        let tap = PlainKernel2().open(&card)
        #expect(tap.talk[0x82] == [0x00, 0x00])
        #expect(tap.talk[0x94]?.hex == "08010100")
        #expect(tap.talk[0x9F6B]?.count == 19)
        #expect(card.respond(to: [UInt8](hex: "80AE500000")) == [0x6D, 0x00])
    }

    @Test func bothModesBeginWithTheMagStripeRecord() {
        var card = VirtualCard(CardProfile.named("mcBothModes")!)
        let kernel = kernel("mcBothModes")
        var tap = kernel.open(&card)
        #expect(tap.talk[0x94]?.prefix(4) == [0x08, 0x01, 0x01, 0x00])
        kernel.checksum(&card, &tap)
        #expect(tap[0x9F61]?.count == 2)
    }

    @Test func phoneGivesItsCodesOnceItsHolderWasThere() {
        var card = VirtualCard(CardProfile.named("mcStripePhone")!)
        let kernel = kernel("mcStripePhone", device: 0x03)
        for (interaction, pays) in [("000100", false), ("001000", true), ("000100", false)] {
            var tap = kernel.open(&card)
            kernel.checksum(&card, &tap)
            #expect(tap[0xDF4B]?.hex == interaction)
            #expect((tap[0x9F61] != nil) == pays)
            #expect(tap[0x9F36] != nil)
            card.reset()
        }
    }

    @Test func refusalHasNoCodes() {
        var card = VirtualCard(CardProfile.named("mcStripeDecline")!)
        let kernel = kernel("mcStripeDecline")
        var tap = kernel.open(&card)
        kernel.checksum(&card, &tap)
        #expect(tap.objects.map(\.tag) == [0x9F36, 0xDF4B])
    }

    @Test func oneChecksumATransaction() {
        var card = VirtualCard(CardProfile.named("mcStripe")!)
        let kernel = kernel("mcStripe")
        var tap = kernel.open(&card)
        kernel.checksum(&card, &tap)
        kernel.checksum(&card, &tap)
        #expect(tap.status == [0x69, 0x85])
    }

    @Test func otherCardsTracksAreRefused() {
        let issuer = SimulatedIssuer(CardProfile.named("mcStripe")!.application)
        #expect(!issuer.acceptsTrack([], counter: 1))
        #expect(!issuer.acceptsTrack([0x42], counter: 1))
        #expect(!issuer.acceptsTrack([UInt8](repeating: 0xFF, count: 19), counter: 1))
        let visa = SimulatedIssuer(CardProfile.named("online")!.application)
        #expect(!visa.acceptsTrack([UInt8](hex: "5555555555554444D49122019000990000000F"), counter: 1))
    }
}
