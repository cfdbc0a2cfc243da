// SPDX-License-Identifier: Apache-2.0
#if Journal
public import EMVKit

import Foundation

/// Why an exported file of payments cannot be imported. The error never contains any of the file's content.
public enum JournalExportError: Error, Sendable, Hashable {
    /// The file is not an export; the value is the expected format.
    case malformed(String)
    /// The file has a newer format; the value is its name.
    case newerFormat(String)
    /// The file was changed, or somebody else signed it.
    case notGenuine
    /// The file was sealed for a different key.
    case notOpened
    /// The payments could not be sealed or signed.
    case notSealed
}

/// Payments that only a host can settle, as one file for another device or the payment service. The file is sealed, so
/// that only its recipient can read it, and signed, so that nobody else can make one.
///
/// ```swift
/// let file = try await JournalExport.seal(settlement.handOver(), by: sealer, signer).file()
/// let payments = try JournalExport(file: file).open(signer) { try opener.open($0, context: $1) }
/// let taken = try await elsewhere.takeOver(payments)
/// ```
///
/// The exporting journal deletes nothing: there, a payment is finished when its host says so, or when a person writes
/// it off (`Settlement.writeOff(_:by:reason:)`). Both devices may settle it: a host books a key once.
public struct JournalExport: Sendable, Hashable, Codable {
    static let format = "emv-ledger/1"

    public let format: String
    /// The number of payments in the file.
    public let count: Int
    public let sealed: SealedPayload
    /// The signature over all other members, in hexadecimal digits.
    public let signature: String

    /// - Parameters:
    ///   - payments: the entries of each payment, as `Settlement.handOver()` returns them.
    ///   - sealer: seals for the key of the recipient.
    ///   - signer: signs the file, as it signs enrolment records.
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

    /// - Parameters:
    ///   - signer: checks the signature of the file.
    ///   - open: returns the plaintext of a sealed payload with this context; returns `nil` or throws if the key or the
    ///     content does not match.
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

    /// The signed bytes: each part, preceded by its length.
    private static func signedBytes(_ count: Int, _ sealed: SealedPayload) -> Bytes {
        let parts = [
            context(count), Bytes(sealed.scheme.utf8), sealed.keyIdentifier, sealed.encapsulatedKey, sealed.ciphertext,
        ]
        return parts.flatMap { bigEndian(UInt64($0.count)) + $0 }
    }
}
#endif
