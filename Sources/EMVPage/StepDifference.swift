// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVPOS

/// The differences between the steps of two taps. It compares the bytes themselves, not their masked form, so two
/// account numbers that look alike when masked still differ.
enum StepDifference {
    /// For each step that both taps have: the first differing byte of command and answer, counted from 1; null if they
    /// are equal, 0 if the difference is not in the bytes.
    static func json(_ a: [ReplayStep], _ b: [ReplayStep]) -> OutputJSON {
        .array(
            zip(a, b).map { one, other in
                .object([
                    ("command", .optional(command(one.wait?.command ?? [], other.wait?.command ?? []))),
                    ("answer", .optional(answer(one.reply, other.reply))),
                ])
            })
    }

    private static func command(_ one: Bytes, _ other: Bytes) -> Int? {
        one.isEmpty != other.isEmpty ? 0 : firstByte(one, other)
    }

    /// Times are not compared.
    private static func answer(_ one: Reply?, _ other: Reply?) -> Int? {
        if case .response(let a, _)? = one, case .response(let b, _)? = other { return firstByte(a, b) }
        if case .data(let a)? = one, case .data(let b)? = other { return firstByte(a, b) }
        return one == other ? nil : 0
    }

    private static func firstByte(_ one: Bytes, _ other: Bytes) -> Int? {
        for (at, (a, b)) in zip(one, other).enumerated() where a != b { return at + 1 }
        return one.count == other.count ? nil : min(one.count, other.count) + 1
    }
}
