// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Cards as files, emv-card/1: every named profile can be written and read, and an error names place and expectation.
@Suite struct CardDocumentTests {
    static func read(_ text: String) throws(FormatError) -> CardDocument {
        try CardDocument(json: Array(text.utf8), file: "card.json")
    }

    /// Reads a file that must be rejected.
    static func error(_ text: String) -> String {
        do throws(FormatError) {
            _ = try read(text)
            return "accepted"
        } catch {
            return error.description
        }
    }

    /// In three forms: as the differences from an ordinary card, with every field over that card, and with every field
    /// over the profile itself.
    @Test func everyNamedProfileIsReadBackEqual() throws {
        #expect(CardProfile.profiles.count > 400)
        for profile in CardProfile.profiles.values {
            let document = CardDocument(profile)
            for (base, complete) in [(nil, false), (nil, true), (profile.name, true), (profile.name, false)] {
                let text = try #require(document.json(base: base, complete: complete))
                do throws(FormatError) {
                    let found = try Self.read(text)
                    #expect(found == document, "\(profile.name), complete: \(complete)\n\(text)")
                } catch {
                    Issue.record("\(profile.name), complete: \(complete): \(error)\n\(text)")
                }
            }
        }
    }

    /// A field that is added to a type without a key would silently be lost: every stored property has its key.
    @Test func everyFieldHasAKey() throws {
        func keys(_ value: some CardFielded) throws -> Set<String> {
            let text = CardFields.write(value, value, complete: true).text()
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            return Set(try #require(object).keys)
        }
        func check(_ value: some CardFielded, except: Set<String> = [], more: Set<String> = []) throws {
            var labels = Set(Mirror(reflecting: value).children.compactMap(\.label)).subtracting(except).union(more)
            if labels.remove("byDefault") != nil { labels.insert("default") }
            #expect(try keys(value) == labels, "\(type(of: value))")
        }
        try check(CardApplication(), except: ["scheme"], more: ["visa"])
        try check(CardObjects())
        try check(CardCase.Condition())
        try check(VisaBehaviour())
        try check(MastercardBehaviour())
        try check(MastercardBehaviour.ActionCodes())
        try check(MastercardBehaviour.Capabilities())
        try check(MagneticStripe())
        try check(Device())
        try check(DataStorage())
        try check(RelayResistance())
        try check(DiscoverBehaviour())
        try check(DPASMagneticStripe())
        try check(UnionPayBehaviour())
        try check(UnionPayBehaviour.Token(accountReference: "", lastDigits: "", requestor: ""))
        try check(JCBBehaviour())
        try check(JCBBehaviour.ActionCodes())
        try check(AmericanExpressBehaviour())
        try check(AmericanExpressBehaviour.ActionCodes())
        try check(AmericanExpressBehaviour.Mobile())
        try check(AmericanExpressBehaviour.Membership(product: "", number: ""))
        try check(Kernel8Behaviour())
    }

    /// The dialogue with a card from a file is the dialogue with the Swift value.
    @Test(arguments: Schemes.cards.indices)
    func tapsAreEqual(scheme: Int) throws {
        for profile in Schemes.cards[scheme].profiles.prefix(3) {
            let text = try #require(CardDocument(profile).json(complete: true))
            var read = try Self.read(text).card
            var made = VirtualCard(profile)
            let terminal = PlainTerminal()
            for _ in 0..<2 {
                let (one, other) = (terminal.tap(&read), terminal.tap(&made))
                #expect(one.exchanges.map(\.command) == other.exchanges.map(\.command), "\(profile.name)")
                #expect(one.exchanges.map(\.response) == other.exchanges.map(\.response), "\(profile.name)")
                #expect(one.exchanges.count > 2)
                read.reset()
                made.reset()
            }
        }
    }

    @Test func aFileChangesWhatItNames() throws {
        let card = try Self.read(
            """
            { "format": "emv-card/1", "base": "fdda", "name": "mine", "counter": 7,
              "applications": [ { "pan": "4000001234562345", "label": "MINE", "priority": null,
                                  "flaws": ["corruptSignature"], "visa": { "signing": "always" } },
                                { "base": "mcAndVisa", "priority": 2 } ] }
            """)
        var expected = CardProfile.named("fdda")!
        expected.name = "mine"
        expected.application.pan = "4000001234562345"
        expected.application.label = "MINE"
        expected.application.priority = nil
        expected.application.flaws = [.corruptSignature]
        expected.application.visa.signing = .always
        expected.applications.append(CardProfile.named("mcAndVisa")!.application)
        expected.applications[1].priority = 2
        #expect(card.profile == expected)
        #expect(card.card.transactionCounter == 7)
    }

    @Test(arguments: [
        (#"{ "base": "fdda" }"#, #"card.json:1:1: expected the key "format" with "emv-card/1""#),
        (#"{ "format": "emv-card/1" }"#, #"card.json:1:1: expected the key "base""#),
        (#"{ "format": "emv-card/1", "base": "fddaa" }"#, #"base: expected the name of a card, one of "fdda""#),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "aplications": [] }"#,
            #"expected one of the keys "applications""#
        ),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ { "mastercard": {} } ] }"#,
            #"applications[0].mastercard: expected "visa", the scheme of the base's application"#
        ),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ { "visa": { "signing": "alway" } } ] }"#,
            #"applications[0].visa.signing: expected a name, one of "always""#
        ),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ {}, {} ] }"#,
            #"applications[1]: expected the key "base", since the card's base has fewer applications"#
        ),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ { "masterKey": ""#
                + String(repeating: "00", count: 24) + #"" } ] }"#,
            "applications[0].masterKey: expected a key of 16 bytes, without optionC, found 24 bytes"
        ),
        (
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ { "pdol": "9F02" } ] }"#,
            "applications[0].pdol: expected a data object list"
        ),
    ])
    func errorsNamePlaceAndExpectation(text: String, expected: String) {
        let found = Self.error(text)
        #expect(found.contains(expected), "\(found)")
    }

    /// An error never contains a value.
    @Test func errorsShowNoValue() {
        let found = Self.error(
            #"{ "format": "emv-card/1", "base": "fdda", "applications": [ { "pan": "41111111111111111111" } ] }"#)
        #expect(found.contains("applications[0].pan: expected 1 to 19 decimal digits"), "\(found)")
        #expect(!found.contains("4111"))
    }

    private static let words = [
        "null", "true", "-1", "1e999", "65536", "\"\"", "{}", "[]", "\"00\"", "\"9F02\"", "\"always\"", "0", "{", "}",
        ",",
        "\"2.1\": {}",
    ].map { Array($0.utf8) }

    /// Damaged files are read or rejected with a place. A card that was read can be tapped, whatever it returns.
    @Test func damagedFilesAreReadOrRejectedAndCardsAnswer() async throws {
        var random = SeededRandom(seed: 45)
        let names = CardProfile.profiles.keys.sorted()
        var taps = 0
        for _ in 0..<1500 {
            var document = CardDocument(CardProfile.named(names.randomElement(using: &random)!)!)
            document.profile.application.objects.records = [.init(file: 2, record: 1): [.init(0x5F28, [0x08, 0x40])]]
            document.profile.application.cases = [CardCase(.presented(1), document.profile.application)]
            document.edits = [CardEdit(.options, .response(.replace(0x9F6C, [0x00, 0x80])))]
            document.faults = FaultPlan(at: 9, .truncate(3))
            var bytes = Array(try #require(document.json(complete: true)).utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                // Most changes are of one digit, so that many files stay readable.
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<24, using: &random) {
                case 0: bytes[at] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                case 2: bytes.removeSubrange(at..<min(bytes.count, at + 12))
                case 3: bytes.insert(contentsOf: Self.words.randomElement(using: &random)!, at: at)
                case 4..<9: bytes[at] = .random(in: 0x41...0x46, using: &random)
                default: if (0x30...0x39).contains(bytes[at]) { bytes[at] = .random(in: 0x30...0x39, using: &random) }
                }
            }
            do throws(FormatError) {
                let read = try CardDocument(json: bytes)
                taps += 1
                guard taps.isMultiple(of: 3) else { continue }
                _ = try? await TapThroughTests.tap(read.presentation, amount: 500)
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
            }
        }
        #expect(taps > 100 && taps < 1400, "\(taps)")
    }
}

extension CardCase.Condition {
    fileprivate static func presented(_ number: Int) -> Self {
        var condition = CardCase.Condition()
        condition.presentment = number
        return condition
    }
}
