// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension KernelDecision {
    /// The decision in words: the meaning of the number in ``value`` for this clause. Empty for a clause that no
    /// built-in kernel notes.
    package var words: String {
        let number = state.kernel.flatMap { id in (2...8).first { KernelID(number: UInt8($0)) == id } } ?? 0
        switch (number, clause) {
        case (3, "5.4.3.1"), (6, "3.2"), (7, "4.1.4.4"): return "the card returned " + DecisionWords.short(value)
        case (5, "3.8.1"): return "the card returned " + DecisionWords.type(value)
        case (2, "S456.39"), (4, "10.2"), (5, "3.7.1"): return "the reader asks for " + DecisionWords.type(value)
        case (8, "S25.21"), (8, "S29.43"): return "the reader decides: " + DecisionWords.reader(value)
        case (3, "5.5.1"): return "after processing restrictions: " + DecisionWords.marks(value)
        case (3, "5.6"), (8, "S28.8"): return DecisionWords.checked(value, isKernel8: number == 8)
        case (2, "S910.1"), (4, "6.2"), (6, "3.4"), (7, "4.3.2"): return DecisionWords.signature(value)
        case (2, "S456.36"), (3, "5.7.1"), (4, "8.2"), (6, "3.5"), (8, "S29.25"):
            return "cardholder verification: " + DecisionWords.method(value)
        case (7, "4.4"): return "cardholder verification: " + DecisionWords.verification(value)
        case (2, "S456.38"), (6, "3.6"): return "Terminal Verification Results (95)"
        case (4, "11.2"):
            return DecisionWords.of(
                value, ["approved", "declined", "go online", "use the contact chip", "ask for a PIN"])
        case (6, "3.7"):
            return DecisionWords.of(value, ["approved", "declined", "go online", "another interface"])
        case (7, "4.1.4.7"):
            return DecisionWords.of(
                value, ["end: data are missing", "declined", "go online", "read the records"])
        case (7, "4.3.2.5"):
            return "after the card's signature: "
                + DecisionWords.of(value, ["go online", "use the contact chip", "declined", "approved"])
        case (8, "S21.17"): return "relay resistance: time measured"
        case (8, "S2930.2"):
            return DecisionWords.of(
                value,
                ["approved", "go online", "declined", "another interface", "end of the application", "tap again"])
        default: return ""
        }
    }
}

/// The numbers that kernels give to their decisions.
private enum DecisionWords {
    static func of(_ value: UInt64, _ names: [String]) -> String {
        value < UInt64(names.count) ? names[Int(value)] : "code \(value)"
    }
    static func short(_ value: UInt64) -> String {
        of(
            value,
            ["an AAC (decline)", "a TC (offline approval)", "an ARQC (go online)", "no cryptogram of a known type"])
    }
    static func type(_ value: UInt64) -> String { short(value >> 6) }
    static func reader(_ value: UInt64) -> String { of(value, ["decline", "accept offline", "go online"]) }
    static func marks(_ value: UInt64) -> String {
        let names = [
            "go online", "decline", "another interface", "contact chip", "a rule of the protection profile",
        ]
        let set = names.indices.filter { value >> UInt64($0) & 1 != 0 }.map { names[$0] }
        return set.isEmpty ? "nothing demanded" : set.joined(separator: ", ")
    }
    static func checked(_ value: UInt64, isKernel8: Bool) -> String {
        isKernel8
            ? "local authentication: " + of(value, ["good", "failed", "data missing"])
            : "signature: " + of(value, ["not looked at", "good", "cannot be checked", "does not verify"])
    }
    static func signature(_ value: UInt64) -> String {
        switch value {
        case 0: "signature: good"
        case 1: "signature: the CA key is missing"
        case 3: "signature: the CA key is unusable"
        case 4: "signature: data are missing"
        case 7: "signature: a certificate is expired"
        case 8: "signature: a certificate is revoked"
        case 1..<16: "signature: cannot be checked"
        case 16...:
            "signature: does not verify"
                + (Explanation.signatureFault(value, nil, isFast: false).map { ", " + $0 } ?? "")
        default: "signature: code \(value)"
        }
    }
    static func method(_ value: UInt64) -> String {
        switch value {
        case 0x00: "none"
        case 0x10: "signature"
        case 0x20: "online PIN"
        case 0x30: "by the device"
        default: "not applicable"
        }
    }
    static func verification(_ value: UInt64) -> String {
        of(
            value,
            ["not applicable", "signature", "online PIN", "by the device", "declined", "contact chip"])
    }
}
