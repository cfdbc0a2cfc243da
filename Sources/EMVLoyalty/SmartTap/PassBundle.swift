// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The content of a decrypted Smart Tap bundle: services with an issuer and an object each; the object holds the pass's
/// value in its record `n`. There is no cryptography here.
enum PassBundle {
    /// The first pass of a requested kind; `nil` if there is none. Customer records and other kinds are skipped: a
    /// bundle may contain them without being asked.
    static func value(_ plain: Bytes, kinds: Set<PassKind>) throws(LoyaltyFault) -> PassValue? {
        for service in try records(plain[...]) where service.name == "asv" {
            for object in try records(service.payload) {
                guard let kind = object.name.flatMap({ PassKind(record: $0) }), kinds.contains(kind) else { continue }
                guard let number = try number(object.payload) else { throw .malformed(.pass) }
                return try value(number, kind)
            }
        }
        return nil
    }

    private static func number(_ object: ArraySlice<UInt8>) throws(LoyaltyFault) -> NDEFRecord? {
        do throws(NDEFError) { return try NDEFReader.records(object).only("n") } catch { throw .malformed(.pass) }
    }

    private static func records(_ bytes: ArraySlice<UInt8>) throws(LoyaltyFault) -> [NDEFRecord] {
        do throws(NDEFError) { return try NDEFReader.records(bytes) } catch { throw .malformed(.pass) }
    }

    /// An external record has a format byte before the value; a well-known one of type T is an NFC text record.
    private static func value(_ record: NDEFRecord, _ kind: PassKind) throws(LoyaltyFault) -> PassValue {
        guard let first = record.payload.first else { throw .malformed(.pass) }
        if record.format == NDEFRecord.external {
            let bytes = Bytes(record.payload.dropFirst())
            return PassValue(bytes: bytes, text: text(bytes, format: first), kind: kind)
        }
        let language = Int(first & 0x3F)
        guard record.type.elementsEqual("T".utf8), record.payload.count > language else { throw .malformed(.pass) }
        let bytes = Bytes(record.payload.dropFirst(1 + language))
        return PassValue(bytes: bytes, text: first & 0x80 != 0 ? utf16(bytes) : utf8(bytes), kind: kind)
    }

    private static func text(_ bytes: Bytes, format: UInt8) -> String? {
        switch format {
        case 0x00, 0x02: utf8(bytes)
        case 0x01: bytes.allSatisfy { $0 < 0x80 } ? utf8(bytes) : nil
        case 0x03: utf16(bytes)
        case 0x05: digits(bytes)
        default: nil
        }
    }

    /// The decimal digits of BCD, padded with F at the right; `nil` for any other content.
    private static func digits(_ bytes: Bytes) -> String? {
        var text = Hex.string(bytes)[...]
        while text.last == "F" { text.removeLast() }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(text) : nil
    }

    private static func utf8(_ bytes: Bytes) -> String? { String(validating: bytes, as: UTF8.self) }

    /// Decodes UTF-16, big-endian unless a byte order mark says otherwise.
    private static func utf16(_ bytes: Bytes) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        var units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
        if units.first == 0xFEFF { units.removeFirst() }
        return String(validating: units, as: UTF16.self)
    }
}
