// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Data objects that a file sets or leaves out: signatures and certificates cover them.
@Suite struct CardFileObjectTests {
    /// A card with these objects.
    static func card(_ base: String, _ objects: String) throws(FormatError) -> CardDocument {
        try CardDocumentTests.read(
            """
            { "format": "emv-card/1", "base": "\(base)", "applications": [ { "objects": \(objects) } ] }
            """)
    }

    /// A country in a signed record: the kernel still accepts the signature. A relay that changes this object does not
    /// get that far.
    @Test(arguments: [
        ("fdda", "3.1"), ("mcOffline", "2.1"), ("dpasOffline", "3.1"), ("upOffline", "3.1"), ("k5-offline", "1.1"),
        ("amexOffline", "5.1"),
    ])
    func certificatesCoverAChangedObject(base: String, record: String) async throws {
        let plain = VirtualCard(CardProfile.named(base)!)
        let ordinary = TapThroughTests.describe(try await TapThroughTests.tap(plain, amount: 500))
        #expect(ordinary.hasPrefix("approved"))
        let document = try Self.card(base, #"{ "records": { "\#(record)": { "5F28": "0276", "5F24": "301231" } } }"#)
        let changed = try await TapThroughTests.tap(document.card, amount: 500)
        #expect(TapThroughTests.describe(changed) == ordinary, "\(base)")
        var card = document.card
        #expect(PlainTerminal().tap(&card)[0x5F24] == [0x30, 0x12, 0x31])
        let relay = ManInTheMiddle(plain, [CardEdit(.every, .response(.replace(0x5F24, [0x30, 0x12, 0x31])))])
        let edited = TapThroughTests.describe(try await TapThroughTests.tap(relay, amount: 500))
        #expect(edited != ordinary, "\(base): \(edited)")
    }

    /// The interchange profile is covered by 9F4A, so it has to be changed before the certificate is made, too.
    @Test func certificatesCoverAChangedInterchangeProfile() async throws {
        let document = try Self.card("fdda", #"{ "options": { "82": "2080" } }"#)
        var card = document.card
        #expect(PlainTerminal(qualifiers: "36004000", amount: 500).tap(&card)[0x82] == [0x20, 0x80])
        let outcome = try await TapThroughTests.tap(document.card, amount: 500)
        #expect(TapThroughTests.describe(outcome).hasPrefix("approved"))
    }

    @Test func objectsAreSetAndLeftOutInEveryPlace() throws {
        let document = try Self.card(
            "fdda",
            """
            { "directory": { "87": null, "9F2A": "03" },
              "fci": { "50": "4D494E45", "87": null, "9F12": "4D59", "9F4D": "0B0A", "84": "A0000000031010AA" },
              "options": { "9F6C": null, "9F5D": "000000000100", "9F36": "1234" },
              "records": { "3.1": { "5F28": null, "9F08": "0001" }, "9.9": { "5A": "00" } } }
            """)
        var card = document.card
        let talk = PlainTerminal().tap(&card)
        let entry = try #require(PlainTerminal.find(0x61, in: Array(talk.exchanges[0].response.dropLast(2))))
        #expect(PlainTerminal.find(0x87, in: entry) == nil && PlainTerminal.find(0x9F2A, in: entry) == [0x03])
        let control = Array(talk.exchanges[1].response.dropLast(2))
        let proprietary = try #require(PlainTerminal.find(0xA5, in: control))
        #expect(PlainTerminal.find(0x50, in: proprietary) == Array("MINE".utf8))
        #expect(PlainTerminal.find(0x87, in: control) == nil)
        #expect(PlainTerminal.find(0x84, in: control)?.last == 0xAA)
        #expect(DataObject.parse(proprietary)?.contains { $0.tag == 0x9F12 } == true)
        #expect(PlainTerminal.find(0x9F4D, in: PlainTerminal.find(0xBF0C, in: proprietary) ?? []) == [0x0B, 0x0A])
        #expect(talk[0x9F6C] == nil && talk[0x9F36] == [0x12, 0x34] && talk[0x5F28] == nil)
        #expect(talk[0x9F5D] == [0, 0, 0, 0, 1, 0] && talk[0x9F08] == [0x00, 0x01])
        // The file describes them as it was written.
        let text = try #require(document.json(base: "fdda"))
        #expect(try CardDocumentTests.read(text) == document)
    }

    @Test(arguments: [
        (#"{ "fci": { "9F38": "9F0206" } }"#, "objects.fci.9F38: expected the key \"pdol\" of the application instead"),
        (#"{ "records": { "2": { } } }"#, "expected file and record as the key, like \"2.1\", found another key"),
        (#"{ "records": { "31.1": { } } }"#, "expected file and record as the key"),
        (#"{ "options": { "9F": "00" } }"#, "expected a tag of 1 to 4 bytes in hex as the key"),
        (#"{ "options": { "9F6C": "0" } }"#, "objects.options.9F6C: expected hex"),
    ])
    func errorsNameThePlace(objects: String, expected: String) {
        do throws(FormatError) {
            _ = try Self.card("fdda", objects)
            Issue.record("accepted: \(objects)")
        } catch {
            #expect(error.description.contains(expected), "\(error)")
        }
    }
}
