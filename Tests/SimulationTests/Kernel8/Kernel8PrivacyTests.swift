// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// What an eavesdropper who has every byte on the air can link: of one card's taps, nothing but what Book C-8 sends in
/// the clear. The test takes exactly these objects away, by name, and compares what is left of one card's taps among
/// themselves with what is left of another card's.
@Suite struct Kernel8PrivacyTests {
    /// What is sent in the clear, and where. Whoever adds a name here says that it may be linked.
    enum Clear {
        /// All of the directory and of the FCI: names, labels, PDOL, Card Qualifier.
        static let selection = true
        /// Interchange profile, file locator, counter, CDOL1.
        static let options: Set<UInt32> = [0x82, 0x94, 0x9F36, 0x8C]
        /// Cryptogram Information Data, counter, the card's decision and its results, Issuer Application Data with
        /// their fixed parts, Authenticated Application Data, Restart Indicator, place of the IAD-MAC.
        static let cryptogram: Set<UInt32> = [
            0x9F27, 0x9F36, 0x9F8102, 0x9F8104, 0x9F10, 0x9F8106, 0x9F8108, 0x9F8107,
        ]
        /// Template and length of a record, the reader's own commands, status words; of relay resistance the card's
        /// times.
        static let relayTimes = 5..<10
    }

    /// Taps of each card. The nightly form takes 1,000 (`CEMV_PRIVACY_TAPS`).
    static let taps = ProcessInfo.processInfo.environment["CEMV_PRIVACY_TAPS"].flatMap(Int.init) ?? 60

    /// Values that a tap leaves behind, each with its place: whole values, and every run of six bytes in them. A run
    /// occurs in two independent taps by chance about once in 10,000 runs of 1,000 taps of 500 such places.
    private static func traces(of tap: Kernel8POS.Tap) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for exchange in tap.exchanges {
            for value in values(exchange.command, Array(exchange.response.dropLast(2))) {
                guard value.count >= 6 else { continue }
                for start in 0...value.count - 6 { found.insert(Array(value[start..<start + 6])) }
            }
        }
        return found
    }

    /// What is not of the list above.
    private static func values(_ command: [UInt8], _ body: [UInt8]) -> [[UInt8]] {
        switch command[1] {
        case 0xA8: return objects(body).filter { !Clear.options.contains($0.tag) }.map(\.value)
        case 0xAE: return objects(body).filter { !Clear.cryptogram.contains($0.tag) }.map(\.value)
        case 0xB2: return (DataObject.parse(body) ?? []).map(\.value)
        case 0xEA: return [Array(body.dropFirst(2).prefix(4))]
        case 0x32, 0x34: return [body]
        default: return []
        }
    }

    private static func objects(_ body: [UInt8]) -> [DataObject] {
        (DataObject.parse(body) ?? []).flatMap { DataObject.parse($0.value) ?? [] }
    }

    /// Runs that two taps of one card have in common, and those that a tap of the one and a tap of the other have.
    private static func links(
        _ name: String, taps count: Int, change: (inout CardApplication) -> Void = { _ in }
    ) throws -> (own: Set<[UInt8]>, across: Set<[UInt8]>) {
        var profile = try #require(CardProfile.named(name))
        change(&profile.application)
        var other = profile
        other.application.pan = "6788880000000026"
        var pos = Kernel8POS()
        pos.data[0x9F8203] = [0x9F, 0x81, 0x11, 0x9F, 0x81, 0x1A]
        var seen: [Set<[UInt8]>] = [[], []]
        var own: Set<[UInt8]> = []
        var cards = [VirtualCard(profile), VirtualCard(other)]
        for number in 0..<count {
            for which in 0...1 {
                // The same terminal with the same key and number for both, and for pairs of taps of each: what differs
                // is the cards' doing.
                pos.seed = UInt8(truncatingIfNeeded: number / 2)
                let found = traces(of: try pos.tap(&cards[which]))
                #expect(found.count > 100)
                own.formUnion(seen[which].intersection(found))
                seen[which].formUnion(found)
            }
        }
        return (own, seen[0].intersection(seen[1]))
    }

    /// Certificates, account, blinded key, blinding factor, cryptogram, MACs, envelopes, the card's entropy: none of
    /// them is the same, or has a part that is, in two taps of one card.
    @Test(arguments: ["k8Envelopes", "k8Relay"])
    func tapsOfOneCardShareNothingButWhatIsSentInTheClear(card: String) throws {
        let links = try Self.links(card, taps: Self.taps) { $0.kernel8.envelopes = [0x11: [1, 2, 3, 4, 5, 6, 7, 8]] }
        #expect(links.own.isEmpty && links.across.isEmpty)
    }

    /// The control: cards that can be recognised are. Those that blind with a constant, those that encipher nothing,
    /// those that leave the issuer's certificate in the clear (which all cards of the issuer share).
    @Test(arguments: [
        ("k8BlindingOne", false), ("k8BlindingRepeated", false), ("k8PlainRecords", true), ("k8PlainIssuer", true),
    ])
    func cardsThatCanBeRecognisedAreFound(card: String, shared: Bool) throws {
        let links = try Self.links(card, taps: 4)
        #expect(!links.own.isEmpty && links.across.isEmpty != shared)
    }

    /// And a name too many in the list is found, too: without the cryptogram's own objects taken away, the counter and
    /// the issuer's fixed data link the taps.
    @Test func theListIsNeeded() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Offline")))
        var pos = Kernel8POS()
        let bodies = try (1...2).map { seed in
            pos.seed = UInt8(seed)
            let tap = try pos.tap(&card)
            return try #require(tap.exchanges.first { $0.command[1] == 0xAE }?.response)
        }
        let issuerData = bodies.map { body in
            Self.objects(Array(body.dropLast(2))).first { $0.tag == 0x9F10 }?.value
        }
        #expect(issuerData[0] == issuerData[1] && issuerData[0] != nil)
    }
}
