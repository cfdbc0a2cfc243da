// SPDX-License-Identifier: Apache-2.0
/// Whether a merchant has accepted the terms of its payment provider. The app has the terms; this protocol only records
/// who accepted them.
public protocol Enrollment: Sendable {
    func status(of merchant: MerchantID) async -> EnrollmentStatus

    /// Accepts the current terms. Only an administrator may accept; anybody else is refused, whatever the status.
    func accept(
        for merchant: MerchantID, by person: Operator, at moment: LocalTime
    ) async throws(EnrollmentError) -> EnrollmentRecord

    /// Adopts an acceptance made elsewhere, if it is genuine and for the current terms.
    func adopt(_ record: EnrollmentRecord) async throws(EnrollmentError)
}

/// Makes and checks signatures of enrolment records, with the payment provider's key or one of the app's.
public protocol EnrollmentSigner: Sendable {
    func sign(_ bytes: Bytes) throws -> Bytes
    func isGenuine(_ signature: Bytes, of bytes: Bytes) -> Bool
}

/// Enrolment records of one set of terms, in memory. A caller that stores them longer passes the stored records to the
/// initialiser and is notified of every change.
public actor EnrollmentBook: Enrollment {
    private let termsVersion: String
    private let signer: any EnrollmentSigner
    private let store: @Sendable ([EnrollmentRecord]) throws -> Void
    private var records: [MerchantID: EnrollmentRecord] = [:]
    private var revoked: Set<MerchantID>

    /// Creates a book from stored records. Records that are not genuine are left out.
    ///
    /// - Parameters:
    ///   - termsVersion: of the terms that the app shows today.
    ///   - signer: signs new records and checks the signatures of the others.
    ///   - records: stored earlier.
    ///   - revoked: merchants who may no longer accept payments.
    ///   - store: stores all records; if it throws, nothing is accepted.
    public init(
        termsVersion: String, signer: any EnrollmentSigner, records: [EnrollmentRecord] = [],
        revoked: Set<MerchantID> = [],
        store: @escaping @Sendable ([EnrollmentRecord]) throws -> Void = { _ in }
    ) {
        self.termsVersion = termsVersion
        self.signer = signer
        self.revoked = revoked
        self.store = store
        for record in records where signer.isGenuine(record.signature, of: record.signedBytes) {
            self.records[record.merchant] = record
        }
    }

    public func status(of merchant: MerchantID) -> EnrollmentStatus {
        if revoked.contains(merchant) { return .revoked }
        guard let record = records[merchant] else { return .required(termsVersion: termsVersion) }
        return record.termsVersion == termsVersion ? .accepted(record) : .outdated(record, termsVersion: termsVersion)
    }

    public func accept(
        for merchant: MerchantID, by person: Operator, at moment: LocalTime
    ) throws(EnrollmentError) -> EnrollmentRecord {
        guard person.role == .administrator else { throw .administratorRequired }
        guard !revoked.contains(merchant) else { throw .revoked }
        let draft = EnrollmentRecord(
            merchant: merchant, termsVersion: termsVersion, acceptedBy: person.id,
            acceptedAt: "\(moment.date)T\(moment.time)", signature: [])
        guard let signature = try? signer.sign(draft.signedBytes) else {
            throw .store("the record could not be signed")
        }
        let record = EnrollmentRecord(
            merchant: merchant, termsVersion: termsVersion, acceptedBy: person.id, acceptedAt: draft.acceptedAt,
            signature: signature)
        try keep(record)
        return record
    }

    public func adopt(_ record: EnrollmentRecord) throws(EnrollmentError) {
        guard signer.isGenuine(record.signature, of: record.signedBytes) else { throw .signatureInvalid }
        guard !revoked.contains(record.merchant) else { throw .revoked }
        guard record.termsVersion == termsVersion else { throw .otherTerms(wanted: termsVersion) }
        try keep(record)
    }

    /// From now on this merchant is refused, even if it has accepted the terms.
    public func revoke(_ merchant: MerchantID) {
        revoked.insert(merchant)
    }

    private func keep(_ record: EnrollmentRecord) throws(EnrollmentError) {
        var changed = records
        changed[record.merchant] = record
        do {
            try store(changed.values.sorted { $0.merchant.rawValue < $1.merchant.rawValue })
        } catch {
            throw .store("\(error)")
        }
        records = changed
    }
}
