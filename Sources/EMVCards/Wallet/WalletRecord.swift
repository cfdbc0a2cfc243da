// SPDX-License-Identifier: Apache-2.0
/// One NDEF record as a simulated wallet reads and writes it (NFC Forum, NDEF 1.0). Chunked records are not supported.
struct WalletRecord: Sendable, Hashable {
    /// Type Name Format: 1 well-known, 4 external.
    var format: UInt8 = 4
    var type: [UInt8]
    var identifier: [UInt8] = []
    var payload: [UInt8]

    init(_ type: String, _ payload: [UInt8]) {
        self.type = Array(type.utf8)
        self.payload = payload
    }

    /// Makes a record whose payload is `prefix`, followed by a message of the `records`.
    init(_ type: String, prefix: [UInt8] = [], _ records: [WalletRecord]) {
        self.init(type, prefix + Self.message(records))
    }

    /// Makes a text record without language, with its name as identifier.
    init(text: [UInt8], named name: String) {
        format = 1
        type = Array("T".utf8)
        identifier = Array(name.utf8)
        payload = [0x00] + text
    }

    var name: String { String(decoding: format == 1 && !identifier.isEmpty ? identifier : type, as: UTF8.self) }

    static func message(_ records: [WalletRecord]) -> [UInt8] {
        records.enumerated().flatMap { $1.bytes(isFirst: $0 == 0, isLast: $0 == records.count - 1) }
    }

    private func bytes(isFirst: Bool, isLast: Bool) -> [UInt8] {
        let isShort = payload.count < 256
        var header = format | (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | (isShort ? 0x10 : 0)
        if !identifier.isEmpty { header |= 0x08 }
        var bytes = [header, UInt8(type.count)]
        let count = UInt32(payload.count)
        bytes += isShort ? [UInt8(count)] : (0..<4).map { UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * $0)) }
        if !identifier.isEmpty { bytes.append(UInt8(identifier.count)) }
        return bytes + type + identifier + payload
    }

    /// Returns nil if the bytes are not exactly one message.
    static func parse(_ bytes: [UInt8]) -> [WalletRecord]? {
        var records: [WalletRecord] = []
        var at = 0
        var isLast = false
        while at < bytes.count {
            guard !isLast, let record = parse(bytes, &at, isFirst: records.isEmpty, &isLast) else { return nil }
            records.append(record)
        }
        return isLast ? records : nil
    }

    private static func parse(
        _ bytes: [UInt8], _ at: inout Int, isFirst: Bool, _ isLast: inout Bool
    ) -> WalletRecord? {
        let header = bytes[at]
        guard (header & 0x80 != 0) == isFirst, header & 0x20 == 0 else { return nil }
        isLast = header & 0x40 != 0
        func take(_ count: Int) -> [UInt8]? {
            guard count <= bytes.count - at else { return nil }
            at += count
            return Array(bytes[at - count..<at])
        }
        at += 1
        guard let typeCount = take(1), let payloadCount = take(header & 0x10 != 0 ? 1 : 4),
            let identifierCount = header & 0x08 != 0 ? take(1) : [0], let type = take(Int(typeCount[0])),
            let identifier = take(Int(identifierCount[0])),
            let payload = take(payloadCount.reduce(0) { $0 << 8 | Int($1) })
        else { return nil }
        var record = WalletRecord("", payload)
        record.format = header & 0x07
        record.type = type
        record.identifier = identifier
        return record
    }
}

extension [WalletRecord] {
    func first(named name: String) -> WalletRecord? { first { $0.name == name } }
}

extension UInt32 {
    /// Four bytes, the most significant first.
    var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
