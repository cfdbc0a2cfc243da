// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Edits and faults of a file are those of `ManInTheMiddle` and `FaultyCard`.
@Suite struct CardFileDisturbanceTests {
    private static let edits: [CardEdit] = [
        CardEdit(.directory, .response(.setBits(0x87, [0x01]))),
        CardEdit(.selection, .response(.clearBits(0x87, [0x01]))),
        CardEdit(.options, .response(.replace(0x9F6C, [0x00, 0x80]))), CardEdit(.record(2), .response(.remove(0x5F24))),
        CardEdit(.cryptogram, .response(.insert(0x9F10, [1, 2]))),
        CardEdit(.relayResistance, .response(.duplicate(0x80))),
        CardEdit(.other, .response(.raw([0x90, 0x00]))),
        CardEdit(.number(7), .response(.statusWord(.useAnotherInterface))),
        CardEdit(.every, .response(.flip(byte: 3, mask: 0x80))), CardEdit(.options, .command(.setBits(0x9F66, [0x80]))),
        CardEdit(.options, .command(.clearBits(0x9F66, [0x80]))),
        CardEdit(.options, .command(.replace(0x9F02, [0, 1]))),
        CardEdit(.options, .command(.raw([0x80, 0xA8, 0, 0]))),
        CardEdit(.options, .command(.flip(byte: 0, mask: 0x01))),
        CardEdit(.record(1), .answer([0x6A, 0x83])), CardEdit(.record(1), .drop),
        CardEdit(.record(1), .delay(milliseconds: 12.5)),
    ]
    private static let faults = FaultPlan(
        [
            1: [.drop, .loseResponse], 2: [.truncate(10)], 3: [.flip(byte: 4, bit: 8)], 4: [.replace([0x90])],
            5: [.delay(milliseconds: 0.25)], 6: [.transmissionError], 7: [.protocolError], 8: [.remove],
            9: [.removeAfter],
        ], collisions: [1, 3])

    @Test func everyEditAndFaultIsReadBackEqual() throws {
        var document = CardDocument(CardProfile.named("fdda")!)
        document.edits = Self.edits
        document.faults = Self.faults
        document.transactionCounter = 0xFFFE
        let text = try #require(document.json(base: "fdda"))
        #expect(try CardDocumentTests.read(text) == document, "\(text)")
        #expect(document.presentation.card.edits == Self.edits && document.presentation.plan == Self.faults)
    }

    @Test func disturbancesReachTheReader() async throws {
        let document = try CardDocumentTests.read(
            """
            { "format": "emv-card/1", "base": "online",
              "edits": [ { "at": "options", "response": { "statusWord": "6984" } } ],
              "faults": [ { "at": 1, "loseResponse": true } ], "collisions": [ 1 ] }
            """)
        var presented = document.presentation
        #expect(presented.poll() == .collision)
        #expect(presented.poll() == .one)
        let directory = PlainTerminal.select(VirtualCard.directoryName)
        #expect(presented.exchange(directory) == .timeout)
        guard case .response(let bytes, _) = presented.exchange(directory) else { return #expect(Bool(false)) }
        #expect(bytes.suffix(2) == [0x90, 0x00])
        var whole = document
        whole.faults = FaultPlan()
        let outcome = try await TapThroughTests.tap(whole.presentation)
        #expect(outcome.name == .tryAnotherInterface)
    }

    @Test(arguments: [
        (#""edits": [ { "at": "option", "drop": true } ]"#, #"edits[0].at: expected one of "directory""#),
        (#""edits": [ { "at": "record 0", "drop": true } ]"#, "edits[0].at: expected one of"),
        (#""edits": [ { "drop": true } ]"#, #"edits[0]: expected the key "at""#),
        (#""edits": [ { "at": "every" } ]"#, #"edits[0]: expected exactly one of "command", "response""#),
        (#""edits": [ { "at": "every", "drop": true, "answer": "9000" } ]"#, "found 2 of them"),
        (
            #""edits": [ { "at": "every", "response": { "setBits": { } } } ]"#,
            "edits[0].response.setBits: expected one tag with its value"
        ),
        (#""faults": [ { "at": 0, "drop": true } ]"#, "faults[0].at: expected the number of an exchange"),
        (#""faults": [ { "at": 1, "drop": false } ]"#, "faults[0].drop: expected true"),
        (#""faults": [ { "at": 1, "flip": { "byte": 0, "bit": 9 } } ]"#, "faults[0].flip.bit: expected a bit"),
        (#""collisions": [ "1" ]"#, "collisions[0]: expected the number of a polling loop"),
    ])
    func errorsNameThePlace(part: String, expected: String) {
        let found = CardDocumentTests.error(#"{ "format": "emv-card/1", "base": "fdda", \#(part) }"#)
        #expect(found.contains(expected), "\(found)")
    }
}
