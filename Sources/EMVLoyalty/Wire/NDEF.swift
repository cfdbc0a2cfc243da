// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A record of an NDEF message (NFC Forum, NDEF 1.0). Reader and writer know no wallet. Every length is checked against
/// the remaining bytes before anything is read.
package struct NDEFRecord: Sendable, Hashable {
    /// Type name format, 0 to 5.
    package let format: UInt8
    /// Slices of the message: nothing is copied while the phone waits.
    package let type, identifier, payload: ArraySlice<UInt8>

    fileprivate init(
        format: UInt8, type: ArraySlice<UInt8>, identifier: ArraySlice<UInt8>, payload: ArraySlice<UInt8>
    ) {
        self.format = format
        self.type = type
        self.identifier = identifier
        self.payload = payload
    }

    package init(format: UInt8, type: Bytes, identifier: Bytes = [], payload: Bytes) {
        self.init(format: format, type: type[...], identifier: identifier[...], payload: payload[...])
    }

    /// Well-known types (1) and external ones (4), the two that wallets use.
    package static let wellKnown: UInt8 = 1
    package static let external: UInt8 = 4

    /// The name of a record: its type if that is external, its identifier if the type is well known.
    package var name: String? {
        switch format {
        case NDEFRecord.external: NDEFRecord.text(type)
        case NDEFRecord.wellKnown: NDEFRecord.text(identifier)
        default: nil
        }
    }

    private static func text(_ name: ArraySlice<UInt8>) -> String? {
        guard (1...32).contains(name.count) else { return nil }
        for byte in name where byte < 0x21 || byte > 0x7E { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}

/// The position of a record in its message.
struct NDEFPlace: OptionSet {
    let rawValue: UInt8
    static let first = NDEFPlace(rawValue: NDEFHeader.begin)
    static let last = NDEFPlace(rawValue: NDEFHeader.end)
}

/// Writes short external records, including messages nested in messages, into one array.
struct NDEFWriter {
    var bytes = Bytes()

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// - Parameters:
    ///   - name: ASCII letters.
    ///   - content: appends the payload, of at most 255 bytes.
    mutating func record(_ name: String, _ place: NDEFPlace = [], _ content: (inout NDEFWriter) -> Void) {
        bytes.append(NDEFRecord.external | NDEFHeader.short | place.rawValue)
        bytes.append(UInt8(name.utf8.count))
        let length = bytes.count
        bytes.append(0)
        bytes.append(contentsOf: name.utf8)
        let start = bytes.count
        content(&self)
        precondition(bytes.count - start < 256, "more than a short record holds")
        bytes[length] = UInt8(bytes.count - start)
    }
}

extension Bytes {
    mutating func append(bigEndian number: UInt32) {
        append(UInt8(truncatingIfNeeded: number >> 24))
        append(UInt8(truncatingIfNeeded: number >> 16))
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }
}

private enum NDEFHeader {
    static let begin: UInt8 = 0x80
    static let end: UInt8 = 0x40
    static let chunk: UInt8 = 0x20
    static let short: UInt8 = 0x10
    static let named: UInt8 = 0x08
    static let format: UInt8 = 0x07
}

/// Why bytes are not a valid message.
package enum NDEFError: String, Error, Sendable, Hashable, CaseIterable {
    /// The bytes end inside a record, or before a record marked as the last.
    case truncated
    /// A record in parts, or a part without its beginning: wallets do not send these.
    case chunked
    /// The record has a type name format that does not exist.
    case unknownFormat
    /// The first record is not marked as the first, or another one is.
    case misplacedBegin
    /// There are bytes after the record marked as the last.
    case trailing
    /// There are more records than ``NDEFReader/maximumRecords``.
    case tooManyRecords
    /// A second record has a name that may occur once in a message.
    case repeated
}

/// Iterates over the records of one message. A message in a payload needs another reader: the caller controls the
/// depth.
///
/// After the last record or the first error ``next()`` returns `nil`, and ``error`` holds the error.
package struct NDEFReader: Sequence, IteratorProtocol, Sendable {
    /// The most records in one message.
    package static let maximumRecords = 32

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var count = 0
    private var hasEnded = false
    package private(set) var error: NDEFError?

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// All records of a message.
    package static func records(_ bytes: Bytes) throws(NDEFError) -> [NDEFRecord] { try records(bytes[...]) }

    package static func records(_ bytes: ArraySlice<UInt8>) throws(NDEFError) -> [NDEFRecord] {
        var reader = NDEFReader(bytes)
        var records: [NDEFRecord] = []
        records.reserveCapacity(4)
        while let record = reader.next() { records.append(record) }
        if let error = reader.error { throw error }
        return records
    }

    package mutating func next() -> NDEFRecord? {
        guard error == nil, !hasEnded else { return nil }
        do throws(NDEFError) {
            return try read()
        } catch {
            self.error = error
            return nil
        }
    }

    private mutating func read() throws(NDEFError) -> NDEFRecord {
        guard count < NDEFReader.maximumRecords else { throw .tooManyRecords }
        let header = try byte()
        guard header & NDEFHeader.chunk == 0 else { throw .chunked }
        let format = header & NDEFHeader.format
        guard format != 6 else { throw .chunked }
        guard format != 7 else { throw .unknownFormat }
        guard (header & NDEFHeader.begin != 0) == (count == 0) else { throw .misplacedBegin }
        let typeCount = Int(try byte())
        var payloadCount = 0
        // At most 2^32 - 1: it fits an Int of 64 bits, and is rejected before it overflows one of 32.
        for _ in 0..<(header & NDEFHeader.short != 0 ? 1 : 4) {
            guard payloadCount <= Int(Int32.max) >> 8 else { throw .truncated }
            payloadCount = payloadCount << 8 | Int(try byte())
        }
        let nameCount = header & NDEFHeader.named != 0 ? Int(try byte()) : 0
        let type = try take(typeCount), name = try take(nameCount), payload = try take(payloadCount)
        count += 1
        if header & NDEFHeader.end != 0 {
            guard position == bytes.endIndex else { throw .trailing }
            hasEnded = true
        }
        return NDEFRecord(format: format, type: type, identifier: name, payload: payload)
    }

    private mutating func byte() throws(NDEFError) -> UInt8 {
        guard position < bytes.endIndex else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int) throws(NDEFError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}

extension [NDEFRecord] {
    /// The record of a name that may occur at most once. A second one makes the message invalid, as a repeated tag does
    /// (``ObjectList``).
    package func only(_ name: String) throws(NDEFError) -> NDEFRecord? {
        var found: NDEFRecord?
        for index in indices where self[index].name == name {
            guard found == nil else { throw .repeated }
            found = self[index]
        }
        return found
    }
}
