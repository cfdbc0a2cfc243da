// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// An eavesdropper with every byte on the air can link a card's taps only by objects that Book C-8 sends unprotected.
/// The test removes exactly these objects, listed by tag, and compares the remaining data of one card's taps with each
/// other and with another card's.
@Suite struct Kernel8PrivacyTests {
    /// The unprotected objects, by response. Adding a tag here states that it may be linked.
    enum Clear {
        /// All of the directory and of the FCI: names, labels, PDOL, Card Qualifier.
        static let selection = true
        /// Interchange profile, file locator, counter, CDOL1.
        static let options: Set<UInt32> = [0x82, 0x94, 0x9F36, 0x8C]
        /// Cryptogram Information Data, counter, the card's decision and its results, Issuer Application Data with
        /// their fixed parts, Authenticated Application Data, Restart Indicator, position of the IAD-MAC.
        static let cryptogram: Set<UInt32> = [
            0x9F27, 0x9F36, 0x9F8102, 0x9F8104, 0x9F10, 0x9F8106, 0x9F8108, 0x9F8107,
        ]
        /// A record's template and length, the reader's commands and status words are excluded, too; of relay
        /// resistance, the card's times.
        static let relayTimes = 5..<10
    }

    /// The number of taps per card. The nightly run uses 1,000 (`CEMV_PRIVACY_TAPS`).
    static let taps = ProcessInfo.processInfo.environment["CEMV_PRIVACY_TAPS"].flatMap(Int.init) ?? 60

    /// The values observed in a tap, each with its place: whole values, and every run of six bytes in them. In 1,000
    /// taps of 500 such places a run occurs twice by chance about once in 10,000 runs of the test.
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

    /// The values that are not in the list above.
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

    /// The runs common to two taps of one card, and those common to a tap of each card.
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
                // The terminal uses equal keys and numbers for both cards, and for pairs of taps of each, so any
                // difference comes from the cards.
                pos.seed = UInt8(truncatingIfNeeded: number / 2)
                let found = traces(of: try pos.tap(&cards[which]))
                #expect(found.count > 100)
                own.formUnion(seen[which].intersection(found))
                seen[which].formUnion(found)
            }
        }
        return (own, seen[0].intersection(seen[1]))
    }

    /// Certificates, account, blinded key, blinding factor, cryptogram, MACs, envelopes, the card's entropy: two taps
    /// of one card have no value and no part of a value in common.
    @Test(arguments: ["k8Envelopes", "k8Relay"])
    func tapsOfOneCardShareNothingButWhatIsSentInTheClear(card: String) throws {
        let links = try Self.links(card, taps: Self.taps) { $0.kernel8.envelopes = [0x11: [1, 2, 3, 4, 5, 6, 7, 8]] }
        #expect(links.own.isEmpty && links.across.isEmpty)
    }

    /// The negative control: the test recognises cards that blind with a constant, cards that encipher nothing, and
    /// cards that send the issuer's certificate unprotected (which all cards of the issuer share).
    @Test(arguments: [
        ("k8BlindingOne", false), ("k8BlindingRepeated", false), ("k8PlainRecords", true), ("k8PlainIssuer", true),
    ])
    func cardsThatCanBeRecognisedAreFound(card: String, shared: Bool) throws {
        let links = try Self.links(card, taps: 4)
        #expect(!links.own.isEmpty && links.across.isEmpty != shared)
    }

    /// An object missing from the list would be noticed, too: unless the cryptogram's own objects are removed, the
    /// counter and the issuer's fixed data link the taps.
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
