// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The reader's public values for one Smart Tap: made before the phone is presented, used once.
package struct SmartTapTerminal: Sendable, Hashable {
    /// 8 random bytes.
    package let session: Bytes
    /// 32 random bytes.
    package let nonce: Bytes
    /// The compressed public key of this tap: 33 bytes.
    package let key: Bytes

    package init(session: Bytes, nonce: Bytes, key: Bytes) {
        precondition(session.count == 8 && nonce.count == 32 && key.count == 33, "sizes of Smart Tap")
        self.session = session
        self.nonce = nonce
        self.key = key
    }
}

/// An encrypted bundle with all inputs of its key derivation except the secret.
package struct EncryptedBundle: Sendable, Hashable {
    /// IV (12), ciphertext, HMAC (32).
    package let data: Bytes
    /// The phone's compressed public key: 33 bytes.
    package let deviceKey: Bytes
    package let signed: Bytes
    package let signature: Bytes
    package let kinds: Set<PassKind>

    package static let overhead = 12 + 32
}

extension EncryptedBundle: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "encrypted bundle (\(data.count) bytes)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension NDEFWriter {
    fileprivate mutating func session(_ terminal: SmartTapTerminal, _ sequence: UInt8, _ place: NDEFPlace) {
        record("ses", place) { writer in
            writer.bytes += terminal.session
            writer.bytes.append(sequence)
            writer.bytes.append(SmartTapRecords.isOK)
        }
    }

    fileprivate mutating func collector(_ number: UInt32, _ place: NDEFPlace) {
        record("cld", place) { writer in
            writer.bytes.append(SmartTapRecords.binary)
            writer.bytes.append(bigEndian: number)
        }
    }
}

/// Commands and answers of Smart Tap 2.1, as records. There is no cryptography here.
enum SmartTapRecords {
    static let version: Bytes = [0x00, 0x01]
    static let binary: UInt8 = 0x04
    static let isOK: UInt8 = 0x01
    static let getMore: Bytes = [0x90, 0xC0, 0x00, 0x00, 0x00]

    /// The bytes that the collector's key signs: live authentication, with the phone's own nonce.
    static func signed(_ terminal: SmartTapTerminal, deviceNonce: Bytes, collector: UInt32) -> Bytes {
        var bytes = Bytes()
        bytes.reserveCapacity(terminal.nonce.count + deviceNonce.count + 4 + terminal.key.count)
        bytes += terminal.nonce
        bytes += deviceNonce
        bytes.append(bigEndian: collector)
        bytes += terminal.key
        return bytes
    }

    static func negotiate(
        _ terminal: SmartTapTerminal, sequence: UInt8, collector number: UInt32, keyVersion: UInt32, signature: Bytes
    ) -> Bytes {
        let live: UInt8 = 0x01
        return command(0x53, "ngr") { writer in
            writer.session(terminal, sequence, [.first])
            writer.record("cpr", [.last]) { writer in
                writer.bytes += terminal.nonce
                writer.bytes.append(live)
                writer.bytes += terminal.key
                writer.bytes.append(bigEndian: keyVersion)
                writer.record("sig", [.first]) { writer in
                    writer.bytes.append(binary)
                    writer.bytes += signature
                }
                writer.collector(number, [.last])
            }
        }
    }

    static func getData(
        _ terminal: SmartTapTerminal, sequence: UInt8, collector number: UInt32, kinds: Set<PassKind>,
        purpose: LoyaltyPurpose
    ) -> Bytes {
        command(0x50, "srq") { writer in
            writer.session(terminal, sequence, [.first])
            writer.record("mer") { $0.collector(number, [.first, .last]) }
            writer.record("slr") { writer in
                var left = kinds.count
                for kind in PassKind.allCases where kinds.contains(kind) {
                    var place: NDEFPlace = left == kinds.count ? [.first] : []
                    left -= 1
                    if left == 0 { place.insert(.last) }
                    writer.record("str", place) { $0.bytes.append(kind.service) }
                }
            }
            writer.record("pcr", [.last]) { writer in
                writer.bytes += standalone
                writer.bytes.append(purpose.smartTapMode)
            }
        }
    }

    /// Capabilities: system, user interface, checkout, cardholder verification. Only the system is set, as a standalone
    /// terminal.
    private static let standalone: Bytes = [0x01, 0x00, 0x00, 0x00]
    private static let header: Bytes = [0x90, 0x00, 0x00, 0x00, 0x00]

    /// A command with one record, which begins with the version. It is written into one array, because the phone is
    /// waiting for it.
    private static func command(
        _ instruction: UInt8, _ record: String, _ content: (inout NDEFWriter) -> Void
    ) -> Bytes {
        var writer = NDEFWriter(capacity: 5 + 255 + 1)
        writer.bytes += header
        writer.record(record, [.first, .last]) { writer in
            writer.bytes += version
            content(&writer)
        }
        let count = writer.bytes.count - header.count
        precondition(count < 256, "more than a short command holds")
        writer.bytes[1] = instruction
        writer.bytes[4] = UInt8(count)
        writer.bytes.append(0x00)
        return writer.bytes
    }

    /// The phone's sequence number and key, from the answer to NEGOTIATE.
    static func negotiated(
        _ body: ArraySlice<UInt8>, _ terminal: SmartTapTerminal
    ) throws(LoyaltyFault) -> (sequence: UInt8, key: Bytes) {
        let records = try inside("nrs", body)
        let sequence = try checked(records, terminal)
        guard let key = try payload("dpk", records), key.count == 33, key.first == 0x02 || key.first == 0x03 else {
            throw .malformed(.session)
        }
        return (sequence, Bytes(key))
    }

    /// IV, ciphertext and HMAC from the answer to GET DATA; `nil` without a bundle.
    static func bundle(_ body: ArraySlice<UInt8>, _ terminal: SmartTapTerminal) throws(LoyaltyFault) -> Bytes? {
        let records = try inside("srs", body)
        _ = try checked(records, terminal)
        guard let bundle = try payload("reb", records) else { return nil }
        guard let flags = bundle.first else { throw .malformed(.records) }
        guard flags & 0x02 == 0 else { throw .compressed }
        guard flags & 0x01 != 0 else { throw .notEncrypted }
        guard bundle.count >= 1 + EncryptedBundle.overhead else { throw .malformed(.records) }
        return Bytes(bundle.dropFirst())
    }

    private static func inside(_ name: String, _ body: ArraySlice<UInt8>) throws(LoyaltyFault) -> [NDEFRecord] {
        do throws(NDEFError) {
            guard let outer = try NDEFReader.records(body).only(name) else { throw NDEFError.truncated }
            return try NDEFReader.records(outer.payload)
        } catch {
            throw .malformed(.records)
        }
    }

    private static func payload(_ name: String, _ records: [NDEFRecord]) throws(LoyaltyFault) -> ArraySlice<UInt8>? {
        do throws(NDEFError) { return try records.only(name)?.payload } catch { throw .malformed(.records) }
    }

    /// Checks that the session is the reader's own, and that the phone reports no error in it.
    private static func checked(_ records: [NDEFRecord], _ terminal: SmartTapTerminal) throws(LoyaltyFault) -> UInt8 {
        guard let session = try payload("ses", records), session.count == 10,
            session.prefix(8) == terminal.session[...], let status = session.last
        else { throw .malformed(.session) }
        guard status == isOK else { throw .session(status) }
        return session[session.startIndex + 8]
    }
}
