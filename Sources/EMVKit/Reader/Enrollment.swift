// SPDX-License-Identifier: Apache-2.0
/// A merchant, as the payment provider knows it.
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

    /// As the app knows this person.
    public let id: String
    public let role: Role

    public init(id: String, role: Role) {
        self.id = id
        self.role = role
    }
}

/// Who accepted which terms when; portable: made in one app or on a web page, adopted in another.
public struct EnrollmentRecord: Sendable, Hashable, Codable {
    public let merchant: MerchantID
    public let termsVersion: String
    /// Identifier of the administrator.
    public let acceptedBy: String
    /// `2026-11-21T12:00:00`, in the time zone of the person who accepted.
    public let acceptedAt: String
    /// Over ``signedBytes``, by whoever made the record.
    public let signature: Bytes

    public init(merchant: MerchantID, termsVersion: String, acceptedBy: String, acceptedAt: String, signature: Bytes) {
        self.merchant = merchant
        self.termsVersion = termsVersion
        self.acceptedBy = acceptedBy
        self.acceptedAt = acceptedAt
        self.signature = signature
    }

    /// What is signed: a line with the name of the format, then the four texts, each with the number of its bytes
    /// before it.
    public var signedBytes: Bytes {
        let texts = [merchant.rawValue, termsVersion, acceptedBy, acceptedAt]
        return Array("EMVKit enrolment 1\n".utf8) + texts.flatMap { Array("\($0.utf8.count):\($0)\n".utf8) }
    }
}

public enum EnrollmentStatus: Sendable, Hashable {
    case accepted(EnrollmentRecord)
    /// The terms of this version have not been accepted yet.
    case required(termsVersion: String)
    /// Older terms were accepted, not these.
    case outdated(EnrollmentRecord, termsVersion: String)
    case revoked
    /// Nobody answered within ``TapReader/Options/enrollmentDeadline``.
    case unanswered
}

extension EnrollmentStatus {
    /// What stands in the way; empty where the terms are accepted.
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
    /// The record was not made by whom it should be, or was changed.
    case signatureInvalid
    case otherMerchant
    case otherTerms(wanted: String)
    /// The record could not be stored; says why.
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
