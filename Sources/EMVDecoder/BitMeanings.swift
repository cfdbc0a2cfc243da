// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Meanings of single bits and fields of data objects. Sources: EMV Book 3 annex C, Book 4 A4, Book A 5.7, Book C-3
/// A.2. `IssuerView` has the meanings of the issuer's data.
enum BitMeanings {
    /// Returns one line for each set bit or field; empty for an object without such meanings or of another length.
    ///
    /// - Parameter kernel: decides the meaning of a number that kernels interpret differently; 0: not known.
    static func meanings(of tag: Tag, _ value: Bytes, kernel: UInt8) -> [String] {
        switch tag.rawValue {
        case 0x95: set(value, terminalVerificationResults)
        // Action codes have the bits of the TVR (Book 3, annex C).
        case 0x9F0D, 0x9F0E, 0x9F0F, 0xDF8120, 0xDF8121, 0xDF8122, 0x9F820A, 0x9F820B, 0x9F820C:
            set(value, terminalVerificationResults)
        case 0x9B: set(value, transactionStatus)
        case 0x82: set(value, interchangeProfile(kernel))
        // PUNATC (Track2) has two bytes.
        case 0x9F66 where value.count != 2 && kernel != 2: set(value, terminalQualifiers)
        case 0x9F6C where kernel != 2: set(value, cardQualifiers)
        case 0x9F07: set(value, usageControl)
        case 0x9F34: verificationResults(value)
        case 0x8E: verificationList(value)
        case 0x9F27: cryptogramInformation(value)
        case 0x94: fileLocator(value)
        default: TerminalMeanings.meanings(of: tag, value) + KernelMeanings.meanings(of: tag, value, kernel: kernel)
        }
    }

    /// In the order of the bytes, bit 8 first; nil for a reserved bit.
    static func set(_ value: Bytes, _ names: [[String?]]) -> [String] {
        guard value.count == names.count else { return length(value, names.count) }
        return value.indices.flatMap { byte in
            (0..<8).filter { value[byte] & (0x80 >> UInt8($0)) != 0 }.map { place in
                "byte \(byte + 1) bit \(8 - place): \(names[byte][place] ?? "reserved")"
            }
        }
    }

    static func length(_ value: Bytes, _ expected: Int) -> [String] {
        ["unexpected length: \(value.count) \(value.count == 1 ? "byte" : "bytes"), not \(expected)"]
    }

    private static let terminalVerificationResults: [[String?]] = [
        [
            "offline data authentication was not performed", "SDA failed", "card data missing",
            "card on exception file", "DDA failed", "CDA failed", "SDA selected", "XDA selected",
        ],
        [
            "card and terminal have different application versions", "expired application",
            "application not yet effective", "requested service not allowed for card product", "new card", nil,
            "biometric performed and successful", "biometric template format not supported",
        ],
        [
            "cardholder verification was not successful", "unrecognised CVM", "PIN try limit exceeded",
            "PIN entry required, PIN pad missing or not working", "PIN entry required, PIN not entered",
            "online CVM captured", "biometric required, device missing or not working",
            "biometric required, not entered",
        ],
        [
            "transaction exceeds floor limit", "lower consecutive offline limit exceeded",
            "upper consecutive offline limit exceeded", "selected at random for online processing",
            "merchant forced transaction online", "biometric try limit exceeded",
            "selected biometric type not supported", "XDA signature verification failed",
        ],
        [
            "default TDOL used", "issuer authentication failed", "script failed before final GENERATE AC",
            "script failed after final GENERATE AC", "relay resistance threshold exceeded",
            "relay resistance time limits exceeded, or CA ECC key missing",
            "relay resistance performed, or ECC key recovery failed", "relay resistance not performed",
        ],
    ]

    private static let transactionStatus: [[String?]] = [
        [
            "offline data authentication was performed", "cardholder verification was performed",
            "card risk management was performed", "issuer authentication was performed",
            "terminal risk management was performed", "script processing was performed", nil, nil,
        ],
        [nil, nil, nil, nil, nil, nil, nil, nil],
    ]

    /// The second byte has contradictory meanings: C-2 A.1.16, C-3 A.2, C-4 Table 5-2, C-5 3.3.1, C-8 S28.
    private static func interchangeProfile(_ kernel: UInt8) -> [[String?]] {
        let first: [String?] = [
            "XDA supported", "SDA supported", "DDA supported", "cardholder verification supported",
            "terminal risk management to be performed", "issuer authentication supported",
            "on-device cardholder verification supported",
            kernel == 8 ? "local authentication supported" : "CDA supported",
        ]
        let second: [String?] =
            switch kernel {
            case 2: ["EMV mode supported", nil, nil, nil, nil, nil, nil, "relay resistance supported"]
            case 3: ["mag-stripe mode supported", "mobile device", "contactless transaction", nil, nil, nil, nil, nil]
            case 4:
                [
                    "EMV and mag-stripe modes supported", "contactless mobile supported",
                    "host card emulation supported", nil, nil, nil, nil, nil,
                ]
            case 5: ["EMV mode supported", nil, nil, nil, nil, nil, nil, nil]
            // Neither kernel evaluates the bit.
            case 6, 7: ["reserved for contactless (Book 3, C1)", nil, nil, nil, nil, nil, nil, nil]
            case 8:
                [
                    nil, nil, nil, nil, "offline capable", "IAD-MAC copied to the offset of the card",
                    "IAD-MAC copied to the default offset", "relay resistance supported",
                ]
            default:
                [
                    "by the network: EMV mode (Kernels 2, 5), EMV and mag-stripe modes (4) or mag-stripe mode (3)",
                    "mobile device (Kernels 3, 4)", "by the network: contactless (Kernel 3), host card emulation (4)",
                    nil, nil, nil, nil, "relay resistance supported (Kernels 2, 8)",
                ]
            }
        return [first, second]
    }

    private static let terminalQualifiers: [[String?]] = [
        [
            "mag-stripe mode supported", "full contactless flow supported", "EMV mode supported",
            "EMV contact chip supported", "offline-only reader", "online PIN supported", "signature supported",
            "offline data authentication for online authorisations supported",
        ],
        ["online cryptogram required", "CVM required", "contact chip offline PIN supported", nil, nil, nil, nil, nil],
        [
            "issuer update processing supported", "consumer device CVM supported", nil, nil,
            "consumer device CVM required", nil, nil, nil,
        ],
        ["fDDA version 1.0 supported", nil, nil, nil, nil, nil, nil, nil],
    ]

    private static let cardQualifiers: [[String?]] = [
        [
            "online PIN required", "signature required", "go online if offline data authentication fails",
            "switch interface if offline data authentication fails", "go online if application expired",
            "switch interface for cash", "switch interface for cash back", nil,
        ],
        [
            "consumer device CVM performed", "issuer update processing at the POS supported", nil, nil, nil, nil, nil,
            nil,
        ],
    ]

    private static let usageControl: [[String?]] = [
        [
            "domestic cash", "international cash", "domestic goods", "international goods", "domestic services",
            "international services", "ATMs", "terminals other than ATMs",
        ],
        ["domestic cash back", "international cash back", nil, nil, nil, nil, nil, nil],
    ]

    private static func cryptogramInformation(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return [] }
        let type = ["AAC: declined", "TC: approved offline", "ARQC: online", "reserved"][Int(value[0] >> 6)]
        var lines = [type]
        if value[0] & 0x08 != 0 { lines.append("advice required") }
        let reasons = ["", "service not allowed", "PIN try limit exceeded", "issuer authentication failed"]
        let reason = Int(value[0] & 0x07)
        if reason != 0 { lines.append("reason: \(reason < reasons.count ? reasons[reason] : "code \(reason)")") }
        return lines
    }

    // MARK: Cardholder verification

    private static func method(_ code: UInt8) -> String {
        switch code & 0x3F {
        case 0x00: "fail CVM processing"
        case 0x01: "plaintext PIN, offline"
        case 0x02: "enciphered PIN, online"
        case 0x03: "plaintext PIN, offline, and signature"
        case 0x04: "enciphered PIN, offline"
        case 0x05: "enciphered PIN, offline, and signature"
        case 0x06...0x0F: "biometric"
        case 0x1E: "signature"
        case 0x1F: "no CVM required"
        case 0x3F: "no CVM performed"
        default: "method \(Hex.string(CollectionOfOne(code & 0x3F)))"
        }
    }

    private static func condition(_ code: UInt8) -> String {
        switch code {
        case 0x00: "always"
        case 0x01: "if unattended cash"
        case 0x02: "if neither cash nor cash back"
        case 0x03: "if the terminal supports it"
        case 0x04: "if manual cash"
        case 0x05: "if cash back"
        case 0x06: "if under X"
        case 0x07: "if over X"
        case 0x08: "if under Y"
        case 0x09: "if over Y"
        default: "condition \(Hex.string(CollectionOfOne(code)))"
        }
    }

    private static func rule(_ code: UInt8, _ conditionCode: UInt8) -> String {
        method(code) + ", " + condition(conditionCode) + (code & 0x40 != 0 ? ", else the next" : ", else fail")
    }

    private static func verificationResults(_ value: Bytes) -> [String] {
        guard value.count == 3 else { return [] }
        let results = ["unknown", "failed", "successful"]
        let result = Int(value[2])
        return [
            "method: " + method(value[0]), "condition: " + condition(value[1]),
            "result: " + (result < results.count ? results[result] : "code \(result)"),
        ]
    }

    private static func verificationList(_ value: Bytes) -> [String] {
        guard value.count >= 8, value.count % 2 == 0 else { return [] }
        let amounts = [0, 4].map { start in value[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        return ["X = \(amounts[0]), Y = \(amounts[1])"]
            + stride(from: 8, to: value.count, by: 2).map { rule(value[$0], value[$0 + 1]) }
    }

    // MARK: Structures

    private static func fileLocator(_ value: Bytes) -> [String] {
        guard !value.isEmpty, value.count % 4 == 0 else { return ["no file locator: not a multiple of four bytes"] }
        return stride(from: 0, to: value.count, by: 4).map { at in
            "file \(value[at] >> 3), records \(value[at + 1]) to \(value[at + 2]), signed \(value[at + 3])"
        }
    }
}
