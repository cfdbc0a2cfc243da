// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The text from which a configuration's fingerprint is computed: equal values share one text, different values never
/// do.
@Suite struct CanonicalTextTests {
    private enum Kind: Hashable { case plain, other, value(Int) }
    private struct Nothing: Hashable {}
    private struct Pair: Hashable {
        var left: Int
        var right: String?
    }

    @Test func everyKindOfValueHasItsText() {
        #expect(CanonicalText.of("ab") == "2:ab" && CanonicalText.of("") == "0:" && CanonicalText.of("ü") == "2:ü")
        #expect(CanonicalText.of([1, 0xAB] as Bytes) == "x01AB")
        #expect(CanonicalText.of([0x9F02: [1, 2]] as DataObjects) == "t9F02020102")
        #expect(CanonicalText.of(42) == "42" && CanonicalText.of(true) == "true")
        #expect(CanonicalText.of(Int?.none as Any) == "-" && CanonicalText.of(Int?.some(7) as Any) == "some=7")
        // Every empty collection has the same text, whatever its element type.
        #expect(CanonicalText.of([3, 1, 2]) == "[3,1,2]" && CanonicalText.of([Int]()) == CanonicalText.of(Bytes()))
        #expect(CanonicalText.of(Set([3, 1, 2])) == "[1,2,3]")
        #expect(CanonicalText.of(["b": 2, "a": 1]) == "[[key=1:a,value=1],[key=1:b,value=2]]")
        #expect(CanonicalText.of(Pair(left: 1, right: nil)) == "{left=1,right=-}")
        #expect(CanonicalText.of(Pair(left: 1, right: "x")) == "{left=1,right=1:x}")
        #expect(CanonicalText.of(Kind.plain) == "plain" && CanonicalText.of(Kind.value(3)) == "{value=3}")
        #expect(CanonicalText.of(Nothing()) == "Nothing()" && CanonicalText.of((1, "a")) == "[.0=1,.1=1:a]")
    }

    /// All of these texts differ, even where the values are close.
    @Test func differentValuesHaveDifferentTexts() {
        let values: [Any] = [
            Pair(left: 1, right: nil), Pair(left: 1, right: ""), Pair(left: 1, right: "-"), Pair(left: -1, right: nil),
            Kind.plain, Kind.other, Kind.value(1), [1, 2], [12], [[1], [2]], "1", 1, [1] as Bytes, ["1"], ["", "1"],
            ["1", ""], ["1,1:2"], ["1", "2"], Set(["12"]), Set(["1", "2", "3"]), Int?.none as Any,
        ]
        let texts = values.map { CanonicalText.of($0) }
        #expect(Set(texts).count == texts.count)
    }

    /// Key rows are written without reflection. Their text has every member, under the name that reflection gives it.
    @Test func aKeysTextIsThatOfReflection() {
        let plain = CAKey(rid: [0xA0, 0, 0, 0, 3], index: 0x92, exponent: 3, modulus: [1, 2, 3])
        var whole = CAKey(
            rid: [0xA0, 0, 0, 0, 4], index: 1, curve: CAKey.Curve(x: [1], y: [2], sha256: [3]), expires: testDay,
            isTest: true)
        (whole.exponent, whole.modulus, whole.sha1) = (65_537, [4, 5], [6])
        for key in [plain, whole] { #expect(CanonicalText.of(key) == CanonicalText.reflecting(key)) }
        let configuration = Configuration.simulator()
        #expect(CanonicalText.of(configuration) == CanonicalText.reflecting(configuration))
    }

    /// A fingerprint is the SHA-256 of the text in hex digits, whatever the order of the values.
    @Test func aFingerprintFollowsTheValuesAlone() {
        let one = Configuration.simulator(ttq: [0x36, 0x00, 0xC0, 0x00])
        let two = Configuration.simulator(ttq: [0x36, 0x00, 0xC0, 0x00])
        #expect(one.fingerprint == two.fingerprint && one.fingerprint.utf8.count == 64)
        var other = one
        other.version += "x"
        #expect(other.fingerprint != one.fingerprint)
        #expect(Configuration.Identity(other).fingerprint == other.fingerprint)
        #expect(Configuration.Identity(other).version == other.version)
        other.version = ""
        #expect(Configuration.Identity(other).version == nil)
    }
}
