// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Meanings of objects that only one kernel defines, and of Kernel 2's outcome, message, error and configuration, which
/// terminals print for other kernels too. Sources: Book C-2, annex A; C-4 Tables 4-2 to 4-4; C-5 annex A; C-6 annex A.
enum KernelMeanings {
    static func meanings(of tag: Tag, _ value: Bytes, kernel: UInt8) -> [String] {
        switch tag.rawValue {
        case 0xDF8129: outcome(value)
        case 0xDF8115: error(value)
        case 0xDF8116: message(value)
        case 0xDF811B: BitMeanings.set(value, [configuration])
        case 0xDF4B: interaction(value)
        case 0xDF8108, 0xDF8114: requestedType(value)
        case 0xDF8128: BitMeanings.set(value, [["read", "write", nil, nil, nil, nil, nil, nil]])
        default:
            switch kernel {
            case 2: ofKernel2(tag, value)
            case 4: ofKernel4(tag, value)
            case 5: ofKernel5(tag, value)
            case 6: tag == 0x9F71 ? BitMeanings.set(value, processingRequirements) : []
            default: []
            }
        }
    }

    private static func hex(_ byte: UInt8) -> String { Hex.string(CollectionOfOne(byte)) }

    private static func length(_ value: Bytes, _ expected: Int) -> [String] {
        BitMeanings.length(value, expected)
    }

    // MARK: Kernel 2

    private static let configuration: [String?] = [
        "mag-stripe mode not supported", "EMV mode not supported", "on-device CVM supported",
        "relay resistance supported", "reserved for the payment system", "all records are read even without CDA", nil,
        nil,
    ]

    /// Book C-2, A.1, Outcome Parameter Set: high nibbles, a byte of flags, and times in 100 ms.
    private static func outcome(_ value: Bytes) -> [String] {
        guard value.count == 8 else { return length(value, 8) }
        let statuses = [
            "code 0", "approved", "declined", "online request", "end application", "select next",
            "try another interface", "try again",
        ]
        let methods = ["no CVM", "obtain signature", "online PIN", "confirmation code verified"]
        func name(_ byte: Int, _ names: [String]) -> String {
            let code = Int(value[byte] >> 4)
            return code < names.count ? names[code] : code == 15 ? "not applicable" : "code \(code)"
        }
        var lines = [
            "outcome: " + name(0, statuses), "start: " + name(1, ["A", "B", "C", "D"]),
            "online response data: " + name(2, []), "CVM: " + name(3, methods),
        ]
        let flags = [
            "UI request on outcome", "UI request on restart", "data record present", "discretionary data present",
            "receipt",
        ]
        for (place, flag) in flags.enumerated() where value[4] & (0x80 >> UInt8(place)) != 0 { lines.append(flag) }
        lines.append("alternate interface: " + name(5, []))
        lines.append("field off: " + (value[6] == 0xFF ? "not applicable" : "\(Int(value[6]) * 100) ms"))
        lines.append("removal timeout: \(Int(value[7]) * 100) ms")
        return lines
    }

    private static func error(_ value: Bytes) -> [String] {
        guard value.count == 6 else { return length(value, 6) }
        let first = ["OK", "time-out", "transmission error", "protocol error"]
        let second = [
            "OK", "card data missing", "CAM failed", "status bytes", "parsing error", "maximum limit exceeded",
            "card data error", "mag-stripe not supported", "no PPSE", "PPSE fault", "empty candidate list",
            "IDS read error", "IDS write error", "IDS data error", "IDS no matching AC", "terminal data error",
        ]
        let third = ["OK", "time-out", "stop", "amount not present"]
        func name(_ byte: Int, _ names: [String]) -> String {
            Int(value[byte]) < names.count ? names[Int(value[byte])] : "code " + hex(value[byte])
        }
        return [
            "L1: " + name(0, first), "L2: " + name(1, second), "L3: " + name(2, third),
            "status word: "
                + (value[3] == 0 && value[4] == 0
                    ? "none" : Hex.string(value[3...4]) + KernelMeanings.status(value[3], value[4])),
            "message: " + Names.message(value[5]),
        ]
    }

    /// Status words that decide a contactless tap (Book 3, 6.3.5; Book A; ISO 7816-4).
    private static func status(_ one: UInt8, _ two: UInt8) -> String {
        switch UInt16(one) << 8 | UInt16(two) {
        case 0x9000: ", success"
        case 0x6283: ", selected file invalidated"
        case 0x6300: ", authentication failed"
        case 0x6700: ", wrong length"
        case 0x6982: ", security status not satisfied"
        case 0x6983: ", authentication method blocked"
        case 0x6984: ", referenced data invalidated"
        case 0x6985: ", conditions of use not satisfied"
        case 0x6986: ", command not allowed"
        case 0x6A81: ", function not supported"
        case 0x6A82: ", file not found"
        case 0x6A83: ", record not found"
        case 0x6A86: ", wrong P1 or P2"
        case 0x6A88: ", referenced data not found"
        case 0x6D00: ", instruction not supported"
        case 0x6E00: ", class not supported"
        default: ""
        }
    }

    /// Book C-2, A.1, User Interface Request Data: 22 bytes, since version 2.11 only the first 13.
    private static func message(_ value: Bytes) -> [String] {
        guard value.count == 22 || value.count == 13 else { return length(value, 22) }
        let states = [
            "not ready", "idle", "ready to read", "processing", "card read successfully", "processing error",
        ]
        let status = value[1] == 0xFF ? "not applicable" : "code " + hex(value[1])
        var lines = [
            "message: " + Names.message(value[0]),
            "status: " + (Int(value[1]) < states.count ? states[Int(value[1])] : status),
        ]
        let hold = value[2...4]
        if hold.allSatisfy({ $0 >> 4 < 10 && $0 & 0x0F < 10 }) {
            let number = hold.reduce(0) { $0 * 100 + Int($1 >> 4) * 10 + Int($1 & 0x0F) }
            lines.append("hold time: \(number * 100) ms")
        } else {
            lines.append("hold time: not decimal digits")
        }
        let languages = stride(from: 5, to: 13, by: 2).map { value[$0..<$0 + 2] }.filter { $0 != [0, 0] }
        if !languages.isEmpty {
            lines.append("languages: " + languages.map { CodeNames.language($0) }.joined(separator: ", "))
        }
        guard value.count == 22 else { return lines }
        let qualifiers: [UInt8: String] = [0x00: "none", 0x10: "amount", 0x20: "balance"]
        lines.append("value: " + (qualifiers[value[13]] ?? "code " + hex(value[13])))
        if value[13] != 0 {
            lines.append("  " + Hex.string(value[14...19]) + ", " + CodeNames.currency(value[20...21]))
        }
        return lines
    }

    private static func interaction(_ value: Bytes) -> [String] {
        guard value.count == 3 else { return length(value, 3) }
        let version = "version \(value[0])"
        let bits: [[String?]] = [
            [nil, nil, nil, nil, nil, nil, nil, nil],
            [
                nil, nil, nil, "on-device CVM verification successful", "context conflicting",
                "offline PIN change required", "acknowledgement required", "on-device CVM required",
            ],
            [nil, nil, nil, nil, nil, nil, nil, "wallet requires a second tap"],
        ]
        return [version] + BitMeanings.set([0, value[1], value[2]], bits)
    }

    private static func requestedType(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return length(value, 1) }
        let type = ["AAC", "TC", "ARQC", "reserved"][Int(value[0] >> 6)]
        return [type] + (value[0] & 0x10 != 0 ? ["CDA signature requested"] : [])
    }

    private static func ofKernel2(_ tag: Tag, _ value: Bytes) -> [String] {
        switch tag.rawValue {
        case 0x9F5D: capabilities(value)
        case 0x9F5F:
            BitMeanings.set(
                value, [["permanent slot available", "volatile slot available", nil, nil, nil, nil, nil, nil]])
        case 0x9F6F:
            BitMeanings.set(
                value,
                [
                    [
                        "permanent slot", "volatile slot", "low volatility", "locked slot", nil, nil, nil,
                        "deactivated slot",
                    ]
                ])
        case 0x9F7E:
            BitMeanings.set(
                value, [[nil, nil, nil, nil, nil, nil, "on-device CVM required", "mobile supported"]])
        case 0xDF62:
            BitMeanings.set(
                value,
                [
                    [
                        "permanent slot", "volatile slot", "low volatility", nil,
                        "decline if data storage fails", nil, nil, nil,
                    ]
                ])
        case 0xDF810A:
            BitMeanings.set(
                value,
                [
                    [
                        "usable for TC", "usable for ARQC", "usable for AAC", nil, nil, "stop without DS ODS Term",
                        "stop if the write failed", nil,
                    ]
                ])
        default: []
        }
    }

    private static func capabilities(_ value: Bytes) -> [String] {
        guard value.count == 3 else { return length(value, 3) }
        let storage = ["data storage not supported", "data storage version 1", "data storage version 2"]
        let version = Int(value[0] & 0x0F)
        var lines = [
            "version of this object: \(value[0] >> 4)",
            version < storage.count ? storage[version] : "data storage version code \(version)",
        ]
        let second: [String?] = [
            nil, nil, nil, nil, nil, "field-off detection supported", "balance reading supported",
            "CDA over TC, ARQC and AAC supported",
        ]
        lines += BitMeanings.set([0, value[1]], [[nil, nil, nil, nil, nil, nil, nil, nil], second])
        let sizes = [32, 48, 64, 96, 128, 160, 192]
        switch Int(value[2]) {
        case 0: lines.append("envelopes: size undefined")
        case 1...7: lines.append("envelopes: ten of \(sizes[Int(value[2]) - 1]) bytes")
        case 8: lines.append("envelopes: 32 bytes, 9F78 has 64")
        default: lines.append("envelopes: code " + hex(value[2]))
        }
        return lines
    }

    // MARK: Kernel 4

    private static func ofKernel4(_ tag: Tag, _ value: Bytes) -> [String] {
        switch tag.rawValue {
        case 0x9F6D: readerCapabilities(value)
        case 0x9F6E: BitMeanings.set(value, enhancedCapabilities)
        case 0x9F70:
            value.count == 2
                ? BitMeanings.set([value[0], value[1] & 0xF0], cardInterface)
                    + (value[1] & 0x0F != 0 ? ["limit set \(value[1] & 0x0F)"] : [])
                : length(value, 2)
        case 0x9F71: mobileResults(value)
        default: []
        }
    }

    /// C-4, Table 4-2: bits 8, 7 and 4 form one code.
    private static func readerCapabilities(_ value: Bytes) -> [String] {
        guard value.count == 1 else { return length(value, 1) }
        let modes = ["deprecated", "mag-stripe mode", "deprecated", "EMV and mag-stripe modes"]
        return [modes[Int(value[0] >> 6)] + (value[0] & 0x08 != 0 ? ", CVM required" : ", CVM not required")]
    }

    private static let enhancedCapabilities: [[String?]] = [
        [
            "contact mode supported", "contactless mag-stripe mode supported", nil,
            "contactless EMV partial online mode supported", "contactless mobile supported",
            "try another interface after a decline", nil, nil,
        ],
        ["mobile CVM supported", "online PIN supported", "signature supported", "plaintext offline PIN supported"]
            + [nil, nil, nil, nil],
        ["reader is offline only", "CVM required", nil, nil, nil, nil, nil, nil],
        [nil, "delayed authorisation terminal", nil, nil, nil, nil, nil, nil],
    ]

    private static let cardInterface: [[String?]] = [
        [
            "keyed entry supported", "physical magnetic stripe supported", "contact EMV supported",
            "contactless EMV supported", "mobile interface supported", "mag-stripe mode not supported", nil, nil,
        ],
        [
            "delayed authorisation information present", "delayed authorisation allowed, domestic",
            "delayed authorisation allowed, international", nil, nil, nil, nil, nil,
        ],
    ]

    private static func mobileResults(_ value: Bytes) -> [String] {
        guard value.count == 3 else { return length(value, 3) }
        let methods: [UInt8: String] = [0x01: "mobile CVM performed", 0x3F: "no CVM performed"]
        let conditions: [UInt8: String] = [0x00: "mobile CVM not required", 0x03: "terminal required CVM"]
        let results: [UInt8: String] = [
            0x00: "unknown", 0x01: "mobile CVM failed", 0x02: "mobile CVM successful", 0x03: "mobile CVM blocked",
        ]
        return [
            "method: " + (methods[value[0]] ?? "code " + hex(value[0])),
            "condition: " + (conditions[value[1]] ?? "code " + hex(value[1])),
            "result: " + (results[value[2]] ?? "code " + hex(value[2])),
        ]
    }

    // MARK: Kernels 5 and 6

    private static func ofKernel5(_ tag: Tag, _ value: Bytes) -> [String] {
        switch tag.rawValue {
        case 0x9F50:
            guard value.count == 1 else { return length(value, 1) }
            let methods = ["no CVM", "signature", "online PIN", "on-device CVM"]
            let code = Int(value[0] >> 4)
            return [code < methods.count ? methods[code] : "code " + hex(value[0])]
        case 0x9F53: return BitMeanings.set(value, terminalProfile)
        default: return []
        }
    }

    private static let terminalProfile: [[String?]] = [
        [
            "CVM required by the reader", "signature supported", "online PIN supported", "on-device CVM supported",
            nil, "transit reader", "contact chip supported", "offline PIN on contact supported",
        ],
        ["issuer update supported", nil, nil, nil, nil, nil, nil, nil],
        [nil, nil, nil, nil, nil, nil, nil, nil],
    ]

    private static let processingRequirements: [[String?]] = [
        ["online PIN required", "signature required", nil, "on-device CVM performed", nil, nil, nil, nil],
        [
            "switch interface if unable to go online", "go online if CDA failed",
            "decline or switch interface if CDA failed", "issuer update supported", "go online if expired",
            "decline if expired", "fall back to signature", "fall back to no CVM",
        ],
    ]
}
