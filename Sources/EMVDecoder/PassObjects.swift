// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// The dialogue of two wallets for passes before a payment: the data objects of Apple's VAS, and the NDEF records of
// Google's Smart Tap. Names and layouts are the public ones (Conformance/passes.md). This code only explains; data of a
// pass are masked like an account number.

/// Names of data objects in a wallet's dialogue. Most numbers have another meaning on a payment card.
enum PassNames {
    /// Returns true if the objects belong to a wallet, or to a reader's request to one.
    static func isWallet(_ data: DataObjects) -> Bool {
        if let label = data[0x50], walletLabels.contains(label) { return true }
        if data[0x9F22] == [0x01, 0x00], data[0x9F25]?.count == 32 { return true }
        return (data[0x9F27]?.count ?? 0) > 1
    }

    private static let walletLabels: [Bytes] = [Array("ApplePay".utf8), Array("AndroidPay".utf8)]

    static func name(of tag: Tag) -> String? { names[tag.rawValue] }

    private static let names: [UInt32: String] = [
        0x9F21: "VAS Protocol Version of the Wallet", 0x9F22: "VAS Protocol Version of the Terminal",
        0x9F23: "Mobile Capabilities", 0x9F24: "Mobile Nonce", 0x9F25: "Pass Type Identifier (SHA-256)",
        0x9F26: "Terminal Capabilities", 0x9F27: "VAS Cryptogram", 0x9F28: "Terminal Nonce",
        0x9F29: "Sign-up URL", 0x9F2A: "Mobile Token", 0x9F2B: "Filter",
        0x73: "Smart Tap Directory Data", 0xC0: "Smart Tap Version", 0xC1: "Transaction Mode", 0xC2: "Device Nonce",
        0xC3: "Device Key (compressed)", 0xDF6E: "Device Nonce", 0xDF6B: "Device Key (compressed)",
        0xDF6D: "Minimum Version", 0xDF4D: "Maximum Version", 0xDF62: "Capabilities",
    ]

    /// One line for each set bit or field.
    static func meanings(of tag: Tag, _ value: Bytes) -> [String] {
        switch (tag.rawValue, value.count) {
        case (0x9F26, 4): terminalCapabilities(value)
        case (0x9F23, 4): bits(value[3], mobileCapabilities)
        case (0xC1, 1...): bits(value[0], transactionModes)
        case (0xDF62, 1): bits(value[0], directoryCapabilities)
        case (0x9F27, 52...):
            [
                "key \(Hex.string(value[0..<4]))", "device key \(Hex.string(value[4..<36]))",
                "\(value.count - 52) bytes enciphered",
            ]
        default: []
        }
    }

    private static func terminalCapabilities(_ value: Bytes) -> [String] {
        let modes = ["pass, else payment", "pass and payment", "pass alone", "payment alone"]
        return (value[1] & 0x80 != 0 ? ["VAS supported"] : [])
            + (value[1] & 0x40 != 0 ? ["authentication wanted"] : [])
            + [modes[Int(value[3] & 0x03)]] + (value[3] & 0x80 != 0 ? ["more requests follow"] : [])
    }

    private static func bits(_ byte: UInt8, _ names: [(UInt8, String)]) -> [String] {
        names.filter { byte & $0.0 != 0 }.map { $0.1 }
    }

    private static let mobileCapabilities: [(UInt8, String)] = [
        (0x01, "plain VAS data"), (0x02, "encrypted VAS data"), (0x04, "VAS may be skipped"),
        (0x08, "VAS may be performed"), (0x10, "payment may be skipped"), (0x20, "payment may be performed"),
    ]
    private static let transactionModes: [(UInt8, String)] = [
        (0x80, "payment enabled"), (0x40, "payment requested"), (0x08, "pass enabled"), (0x04, "pass requested"),
    ]
    private static let directoryCapabilities: [(UInt8, String)] = [
        (0x01, "the second SELECT may be skipped"), (0x02, "VAS supported"),
    ]
}

/// One NDEF record of Smart Tap.
public struct DecodedRecord: Sendable, Hashable {
    /// Its type, or the identifier of a well-known record.
    public var type: String
    public var name: String
    /// Bytes of the payload.
    public var length: Int
    /// For a record without inner records: hex, or `(masked)`. For others, the bytes before the inner records.
    public var value: String
    public var isMasked: Bool
    public var meanings: [String]
    public var children: [DecodedRecord]

    fileprivate func append(to lines: inout [String], _ indent: String) {
        lines.append(indent + "\(type) \(name) [\(length)]" + (value.isEmpty ? "" : ": " + value))
        for meaning in meanings { lines.append(indent + "    " + meaning) }
        for child in children { child.append(to: &lines, indent + "  ") }
    }

    static func lines(_ records: [DecodedRecord]) -> [String] {
        var lines: [String] = []
        for record in records { record.append(to: &lines, "") }
        return lines
    }
}

/// Finds the records in a command, a response, or a message on its own.
struct PassRecords {
    let showsPass: Bool

    /// Maximum nesting of messages.
    private static let maximumDepth = 8

    /// Nil if the bytes are not a Smart Tap message.
    func decode(_ bytes: Bytes) -> [DecodedRecord]? {
        for (start, end) in PassRecords.places(bytes) where start < end {
            if let records = read(bytes[start..<end], depth: 1), let first = records.first,
                PassRecords.outer.contains(first.type)
            {
                return records
            }
        }
        return nil
    }

    /// Possible places of a message: on its own, before a status word, after the versions in the answer to the second
    /// SELECT, in a command with class 90.
    private static func places(_ bytes: Bytes) -> [(Int, Int)] {
        let count = bytes.count
        var places = [(0, count), (0, count - 2), (4, count - 2), (4, count)]
        if count > 6, bytes[0] == 0x90 { places.append((5, min(count, 5 + Int(bytes[4])))) }
        return places
    }

    private static let outer: Set<String> = ["mdn", "ngr", "nrs", "srq", "srs", "asv"]

    private func read(_ bytes: ArraySlice<UInt8>, depth: Int) -> [DecodedRecord]? {
        var records: [DecodedRecord] = []
        var at = bytes.startIndex
        var isLast = false
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.endIndex - at else { return nil }
            at += count
            return bytes[at - count..<at]
        }
        while !isLast {
            guard let header = take(1)?.first, (header & 0x80 != 0) == records.isEmpty, header & 0x20 == 0,
                let typeCount = take(1)?.first, let length = take(header & 0x10 != 0 ? 1 : 4),
                let nameCount = header & 0x08 != 0 ? take(1)?.first : 0, let type = take(Int(typeCount)),
                let name = take(Int(nameCount)), length.count == 1 || length[length.startIndex] == 0,
                let payload = take(length.reduce(0) { $0 << 8 | Int($1) })
            else { return nil }
            isLast = header & 0x40 != 0
            let shown = header & 0x07 == 1 && !name.isEmpty ? name : type
            guard !shown.isEmpty, shown.allSatisfy({ (0x30...0x7A).contains($0) }) else { return nil }
            records.append(describe(String(decoding: shown, as: UTF8.self), Bytes(payload), depth))
        }
        return at == bytes.endIndex ? records : nil
    }

    private func describe(_ type: String, _ payload: Bytes, _ depth: Int) -> DecodedRecord {
        var record = DecodedRecord(
            type: type, name: PassRecords.names[type] ?? "Unknown", length: payload.count, value: "", isMasked: false,
            meanings: [], children: [])
        let head = min(PassRecords.heads[type] ?? 0, payload.count)
        if depth < PassRecords.maximumDepth, !PassRecords.primitive.contains(type), head < payload.count,
            let children = read(payload[head...], depth: depth + 1)
        {
            record.value = Hex.string(payload[0..<head])
            record.children = children
        } else if !showsPass, PassRecords.secret.contains(type) || type == "reb" && PassRecords.isClear(payload) {
            record.value = payload.isEmpty ? "" : "(masked)"
            record.isMasked = !payload.isEmpty
        } else {
            record.value = Hex.string(payload)
        }
        record.meanings = PassRecords.meanings(type, payload)
        return record
    }

    /// Number of bytes before the inner records.
    private static let heads: [String: Int] = ["ngr": 2, "srq": 2, "cpr": 70]
    private static let primitive: Set<String> = [
        "ses", "sig", "cld", "dpk", "str", "pcr", "reb", "n", "oid", "i", "mdn", "lid", "tid", "mnr", "mcr", "cid",
        "cpl", "cut", "cud", "tr1", "tr2",
    ]
    /// Records with data of a pass or its holder.
    private static let secret: Set<String> = ["n", "oid", "cid", "cud", "tr1", "tr2", "gp"]

    /// Returns true if the bundle is not enciphered. An enciphered bundle is shown, like the cryptogram of the other
    /// wallet.
    private static func isClear(_ bundle: Bytes) -> Bool { bundle.first.map { $0 & 0x01 == 0 } ?? false }

    private static func meanings(_ type: String, _ payload: Bytes) -> [String] {
        switch (type, payload.count) {
        case ("ses", 10):
            return ["session \(Hex.string(payload[0..<8]))", "sequence \(payload[8]), status \(status(payload[9]))"]
        case ("str", 1): return [kinds[payload[0]] ?? "kind \(Hex.string(payload))"]
        case ("pcr", 5):
            let modes: [UInt8: String] = [
                1: "pass alone", 2: "payment alone", 4: "pass and payment", 8: "pass over payment",
            ]
            return [modes[payload[4]] ?? "mode \(Hex.string(payload[4..<5]))"]
        case ("reb", 1...):
            return (payload[0] & 0x01 != 0 ? ["encrypted"] : ["in the clear"])
                + (payload[0] & 0x02 != 0 ? ["compressed"] : [])
        case ("cpr", 70...):
            return [
                payload[32] == 1 ? "authenticated live" : "not authenticated live",
                "terminal key \(Hex.string(payload[33..<66]))", "key version \(Hex.string(payload[66..<70]))",
            ]
        default: return []
        }
    }

    private static func status(_ byte: UInt8) -> String {
        let names = [
            "OK", "format", "version", "sequence", "unknown merchant", "merchant data missing",
            "service data missing", "send again", "not yet",
        ]
        return byte >= 1 && byte <= names.count ? names[Int(byte) - 1] : Hex.string(CollectionOfOne(byte))
    }

    private static let kinds: [UInt8: String] = [
        0x00: "all", 0x01: "all but payment", 0x02: "payment", 0x03: "loyalty", 0x04: "offer", 0x05: "gift card",
        0x06: "private label", 0x07: "event", 0x08: "flight", 0x09: "transit", 0x12: "generic", 0x40: "customer",
    ]

    private static let names: [String: String] = [
        "mdn": "Device Nonce", "ngr": "Negotiate Request", "nrs": "Negotiate Response", "srq": "Service Request",
        "srs": "Service Response", "ses": "Session", "cpr": "Cryptographic Parameters", "sig": "Signature",
        "cld": "Collector", "dpk": "Device Key (compressed)", "mer": "Merchant", "lid": "Location",
        "tid": "Terminal", "mnr": "Merchant Name", "mcr": "Merchant Category", "slr": "Service List",
        "str": "Service Type", "pcr": "POS Capabilities", "reb": "Record Bundle", "asv": "Service", "i": "Issuer",
        "ly": "Loyalty Pass", "of": "Offer", "gc": "Gift Card", "et": "Event Ticket", "fl": "Flight",
        "tr": "Transit Pass", "gr": "Generic Pass", "pl": "Private Label Card", "cus": "Customer",
        "oid": "Object Identifier", "n": "Number", "cid": "Customer Identifier", "cpl": "Preferred Language",
        "cut": "Customer Tap Identifier", "cud": "Customer Device", "tr1": "Track 1", "tr2": "Track 2",
    ]
}
