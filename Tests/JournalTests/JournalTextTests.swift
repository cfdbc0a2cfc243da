// SPDX-License-Identifier: Apache-2.0
#if Journal
@testable import EMVJournal
import EMVKit
import Foundation
import Testing

/// The JSON writer against Foundation's: both outputs are read as equal values.
@Suite struct JournalTextTests {
    private struct Odd: Codable, Hashable {
        enum Case: Codable, Hashable {
            case none, one(Int), named(a: String?, b: [UInt8]), nested(Inner)
        }
        struct Inner: Codable, Hashable {
            var numbers: [[Int64]] = [[], [1, -2], [.max, .min]]
            var texts: [String: [Bool]] = ["": [], "b\u{1F}\"\\/é€😀\n": [true, false]]
        }
        struct Empty: Codable, Hashable {}

        var cases: [Case] = [.none, .one(-7), .named(a: nil, b: [0, 255]), .named(a: "x", b: []), .nested(Inner())]
        var nothing: Int?
        var empty = Empty()
        var big = UInt64.max
        var part = 0.25
        var time = Duration.milliseconds(1_500)
        var byNumber: [Int: String] = [3: "three"]
    }

    @Test func whatIsWrittenIsReadAsTheSame() throws {
        let odd = Odd(), text = try JournalText.of(odd)
        #expect(try JSONDecoder().decode(Odd.self, from: Data(text.utf8)) == odd, "\(text)")
        let own = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
        let other = try JSONSerialization.jsonObject(with: JSONEncoder().encode(odd)) as? NSDictionary
        #expect(own == other)
        for number in [0, 1, 99_999_999] as [UInt32] { #expect(try JournalText.of(number) == "\(number)") }
    }

    @Test func everyCharacterIsReadAsTheSame() throws {
        for code in 0..<0x3000 {
            guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
            let text = "a\(Character(scalar))b"
            #expect(try JSONDecoder().decode(String.self, from: Data(JournalText.of(text).utf8)) == text, "\(code)")
        }
    }

    @Test func eventsAreReadAsTheSame() throws {
        let first: [JournalEvent] = [
            Payments.began(1, sale: "order \"1\" \\ ."), .read(Payments.read(3)), .unsent, .challenged, .closed,
        ]
        let second: [JournalEvent] = [
            .asking(attempt: 2, deadline: .milliseconds(30_001)), .answered(.approved(Approval(code: "1"))), .reversed,
            .answered(.declined(Decline(reason: .insufficientFunds, responseCode: "51"))), .reversing(.timedOut),
            .setAside("line\nline\t\u{7}é"),
            .writtenOff(by: "\"", reason: "\\"), .erased(.account), .clockJumped(seconds: -400), .queued(.void),
        ]
        for event in first + second {
            let text = try JournalText.of(event)
            #expect(try JSONDecoder().decode(JournalEvent.self, from: Data(text.utf8)) == event, "\(text)")
        }
    }

    @Test func whatIsNoNumberOfJSONIsRefused() {
        #expect(throws: EncodingError.self) { try JournalText.of([Double.nan]) }
    }
}
#endif
