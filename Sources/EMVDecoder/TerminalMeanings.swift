// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Meanings of the terminal's own objects: its capabilities, its type, its risk management data. Sources: EMV Book 4,
/// A1 to A3; Book C-2, annex A.
enum TerminalMeanings {
    static func meanings(of tag: Tag, _ value: Bytes) -> [String] {
        switch tag.rawValue {
        case 0x9F33: BitMeanings.set(value, [cardInput, verification, security])
        case 0xDF8117: BitMeanings.set(value, [cardInput])
        case 0xDF8118, 0xDF8119: BitMeanings.set(value, [verification])
        case 0xDF811F: BitMeanings.set(value, [security])
        case 0xDF811E, 0xDF812C: magStripeVerification(value)
        case 0x9F40: BitMeanings.set(value, additionalCapabilities)
        case 0x9F35: terminalType(value)
        case 0x9F1D where value.count == 8: BitMeanings.set(value, riskManagement)
        case 0x9C: transactionType(value)
        default: []
        }
    }

    private static let cardInput: [String?] = [
        "manual key entry", "magnetic stripe", "chip with contacts", nil, nil, nil, nil, nil,
    ]
    private static let verification: [String?] = [
        "plaintext PIN, offline", "enciphered PIN, online", "signature", "enciphered PIN, offline (RSA)",
        "no CVM required", "biometric, online", "biometric, offline", "enciphered PIN, offline (ECC)",
    ]
    private static let security: [String?] = ["SDA", "DDA", "card capture", nil, "CDA", "XDA", nil, nil]

    private static let additionalCapabilities: [[String?]] = [
        ["cash", "goods", "services", "cash back", "inquiry", "transfer", "payment", "administrative"],
        ["cash deposit", nil, nil, nil, nil, nil, nil, nil],
        ["numeric keys", "letters and special keys", "command keys", "function keys", nil, nil, nil, nil],
        [
            "prints for the attendant", "prints for the cardholder", "display for the attendant",
            "display for the cardholder", nil, nil, "code table 10", "code table 9",
        ],
        [
            "code table 8", "code table 7", "code table 6", "code table 5", "code table 4", "code table 3",
            "code table 2", "code table 1",
        ],
    ]

    /// Bits of the CVMs: contactless in the first byte, contact in the second.
    private static let riskManagement: [[String?]] =
        [
            [
                "restart supported", "contactless: enciphered PIN, online", "contactless: signature",
                "contactless: enciphered PIN, offline", "contactless: no CVM required", "contactless: on-device CVM",
                "contactless: plaintext PIN, offline", "present and hold supported",
            ],
            [
                "CVM limit exceeded", "contact: enciphered PIN, online", "contact: signature",
                "contact: enciphered PIN, offline", "contact: no CVM required", "contact: on-device CVM",
                "contact: plaintext PIN, offline", nil,
            ],
            [
                "contactless mag-stripe mode not supported", "contactless EMV mode not supported",
                "on-device CVM without CDA supported", nil, nil, nil, nil, nil,
            ],
        ] + [[String?]](repeating: [nil, nil, nil, nil, nil, nil, nil, nil], count: 5)

    private static func terminalType(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return BitMeanings.length(value, 1) }
        let operators = [1: "financial institution", 2: "merchant", 3: "cardholder"]
        let kinds = [
            1: "attended, online only", 2: "attended, offline with online capability", 3: "attended, offline only",
            4: "unattended, online only", 5: "unattended, offline with online capability",
            6: "unattended, offline only",
        ]
        guard let who = operators[Int(value[0] >> 4)], let what = kinds[Int(value[0] & 0x0F)] else {
            return ["no terminal type of Book 4, A1"]
        }
        return [what + ", operated by the " + who]
    }

    private static func magStripeVerification(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return BitMeanings.length(value, 1) }
        return switch value[0] >> 4 {
        case 0x0: ["no CVM"]
        case 0x1: ["signature"]
        case 0x2: ["enciphered PIN, online"]
        case 0xF: ["not applicable"]
        default: ["reserved"]
        }
    }

    /// The first two digits of ISO 8583's processing code.
    private static func transactionType(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return [] }
        return switch value[0] {
        case 0x00: ["purchase"]
        case 0x01: ["cash"]
        case 0x09: ["purchase with cash back"]
        case 0x17: ["cash disbursement"]
        case 0x20: ["refund"]
        case 0x30, 0x31: ["balance inquiry"]
        default: []
        }
    }
}
