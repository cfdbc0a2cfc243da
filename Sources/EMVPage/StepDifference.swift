// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVPOS

/// What differs between one step of two taps. It compares the bytes themselves, not what is shown of them: two account
/// numbers that are masked alike differ.
enum StepDifference {
    /// For each step that both taps have, the first differing byte of command and answer, from 1; null where they are
    /// equal, 0 where they differ in something else than bytes.
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

    /// Times do not count.
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
