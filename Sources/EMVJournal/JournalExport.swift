// SPDX-License-Identifier: Apache-2.0
#if Journal
public import EMVKit

import Foundation

/// Why a file of payments cannot be taken over. Never says what stands in it.
public enum JournalExportError: Error, Sendable, Hashable {
    /// Not such a file: what was expected.
    case malformed(String)
    /// Of a later version: its format.
    case newerFormat(String)
    /// Changed, or signed by somebody else.
    case notGenuine
    /// The key that opens it is another.
    case notOpened
    /// It could not be sealed or signed.
    case notSealed
}

/// Payments that only a host can settle, as one file for another device or the payment service: sealed, so that only
/// its reader sees them, and signed, so that nobody else can make one.
///
/// ```swift
/// let file = try await JournalExport.seal(settlement.handOver(), by: sealer, signer).file()
/// let payments = try JournalExport(file: file).open(signer) { try opener.open($0, context: $1) }
/// let taken = try await elsewhere.takeOver(payments)
/// ```
///
/// Nothing is deleted where it came from: a payment is over there when its host says so, or when a person writes it off
/// (``EMVKit/Settlement/writeOff(_:by:reason:)``). Both devices may settle it: a host books a key once.
public struct JournalExport: Sendable, Hashable, Codable {
    static let format = "emv-ledger/1"

    public let format: String
    /// Payments in it.
    public let count: Int
    public let sealed: SealedPayload
    /// Of all the rest, in hexadecimal digits.
    public let signature: String

    /// - Parameters:
    ///   - sealer: for the key of whoever takes them over.
    ///   - signer: as of enrolment records.
    public static func seal(
        _ payments: [[JournalEntry]], by sealer: some PayloadSealer, _ signer: some EnrollmentSigner
    ) async throws(JournalExportError) -> JournalExport {
        do {
            let text = try JournalStore.text(payments)
            let sealed = try await sealer.seal(
                SensitivePayload(tlv: SecretBytes(Bytes(text.utf8))), context: context(payments.count))
            let signature = try signer.sign(signedBytes(payments.count, sealed))
            return JournalExport(
                format: format, count: payments.count, sealed: sealed, signature: Hex.string(signature))
        } catch {
            throw .notSealed
        }
    }

    private init(format: String, count: Int, sealed: SealedPayload, signature: String) {
        self.format = format
        self.count = count
        self.sealed = sealed
        self.signature = signature
    }

    public init(file: Bytes) throws(JournalExportError) {
        struct Head: Codable { let format: String }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(file)), head.format.hasPrefix("emv-ledger/")
        else { throw .malformed("expected a JSON object with format \(JournalExport.format)") }
        guard head.format == JournalExport.format else { throw .newerFormat(String(head.format.prefix(32))) }
        guard let export = try? JSONDecoder().decode(JournalExport.self, from: Data(file)) else {
            throw .malformed("expected count, sealed and signature")
        }
        self = export
    }

    public func file() throws(JournalExportError) -> Bytes {
        do { return Bytes(try JournalStore.text(self).utf8) } catch { throw .notSealed }
    }

    /// - Parameter open: a sealed payload with its context, to the bytes that were sealed; `nil` or an error where key
    ///   or content is another.
    public func open(
        _ signer: some EnrollmentSigner, _ open: (SealedPayload, Bytes) throws -> Bytes?
    ) throws(JournalExportError) -> [[JournalEntry]] {
        guard let signature = Hex.bytes(signature),
            signer.isGenuine(signature, of: JournalExport.signedBytes(count, sealed))
        else { throw .notGenuine }
        let bytes: Bytes?
        do { bytes = try open(sealed, JournalExport.context(count)) } catch { throw .notOpened }
        guard let bytes else { throw .notOpened }
        guard let payments = try? JSONDecoder().decode([[JournalEntry]].self, from: Data(bytes)),
            payments.count == count
        else { throw .malformed("expected \(count) payments") }
        return payments
    }

    private static func context(_ count: Int) -> Bytes { Bytes("\(format) \(count)".utf8) }

    /// Each part with its length before it.
    private static func signedBytes(_ count: Int, _ sealed: SealedPayload) -> Bytes {
        let parts = [
            context(count), Bytes(sealed.scheme.utf8), sealed.keyIdentifier, sealed.encapsulatedKey, sealed.ciphertext,
        ]
        return parts.flatMap { bigEndian(UInt64($0.count)) + $0 }
    }
}
#endif
