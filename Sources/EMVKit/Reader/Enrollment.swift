// SPDX-License-Identifier: Apache-2.0
/// The identifier of a merchant at the payment provider.
public struct MerchantID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
}

/// A person who works at the POS.
public struct Operator: Sendable, Hashable, Codable {
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case administrator, cashier
    }

    /// The app's identifier of this person.
    public let id: String
    public let role: Role

    public init(id: String, role: Role) {
        self.id = id
        self.role = role
    }
}

/// Records who accepted which terms and when. It is portable: made in one app or on a web page, adopted in another.
public struct EnrollmentRecord: Sendable, Hashable, Codable {
    public let merchant: MerchantID
    public let termsVersion: String
    /// Identifier of the administrator.
    public let acceptedBy: String
    /// `2026-11-21T12:00:00`, in the time zone of the person who accepted.
    public let acceptedAt: String
    /// The signature over ``signedBytes``, made by the record's issuer.
    public let signature: Bytes

    public init(merchant: MerchantID, termsVersion: String, acceptedBy: String, acceptedAt: String, signature: Bytes) {
        self.merchant = merchant
        self.termsVersion = termsVersion
        self.acceptedBy = acceptedBy
        self.acceptedAt = acceptedAt
        self.signature = signature
    }

    /// The signed bytes: a line with the name of the format, then the four texts, each preceded by its length in bytes.
    public var signedBytes: Bytes {
        let texts = [merchant.rawValue, termsVersion, acceptedBy, acceptedAt]
        return Array("EMVKit enrolment 1\n".utf8) + texts.flatMap { Array("\($0.utf8.count):\($0)\n".utf8) }
    }
}

public enum EnrollmentStatus: Sendable, Hashable {
    case accepted(EnrollmentRecord)
    /// The terms of this version have not been accepted yet.
    case required(termsVersion: String)
    /// Older terms were accepted, but not the current ones.
    case outdated(EnrollmentRecord, termsVersion: String)
    case revoked
    /// No answer came within ``TapReader/Options/enrollmentDeadline``.
    case unanswered
}

extension EnrollmentStatus {
    /// The problems of this status; empty if the terms are accepted.
    public var problems: [Problem] {
        switch self {
        case .accepted: []
        case .required: [Problem(.enrollmentRequired)]
        case .outdated: [Problem(.enrollmentOutdated)]
        case .revoked: [Problem(.enrollmentRevoked)]
        case .unanswered: [Problem(.enrollmentUnanswered)]
        }
    }
}

public enum EnrollmentError: Error, Sendable, Hashable {
    /// Only an administrator may accept terms.
    case administratorRequired
    case revoked
    /// The record was changed, or was not signed by the expected signer.
    case signatureInvalid
    case otherMerchant
    case otherTerms(wanted: String)
    /// The record could not be stored; the text gives the reason.
    case store(String)
}

extension EnrollmentError {
    public var problem: Problem {
        switch self {
        case .administratorRequired: Problem(.administratorRequired)
        case .revoked: Problem(.enrollmentRevoked)
        case .signatureInvalid: Problem(.enrollmentSignatureInvalid)
        case .otherMerchant: Problem(.enrollmentRequired, detail: "the record is another merchant's")
        case .otherTerms(let wanted): Problem(.enrollmentOutdated, detail: "the terms wanted are of version \(wanted)")
        case .store(let reason): Problem(.enrollmentStoreFailed, detail: reason)
        }
    }
}

extension EnrollmentError: CustomStringConvertible {
    public var description: String { problem.description }
}

extension EnrollmentError: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}
