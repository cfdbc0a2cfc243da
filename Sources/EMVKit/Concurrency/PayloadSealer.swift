// SPDX-License-Identifier: Apache-2.0
/// Seals the data that only the payment service may read, so that neither an app nor its logs hold an account number in
/// the clear.
///
/// The product EMVSealing has two sealers: `HPKESealer` for a public key of the service, `DUKPTSealer` for injected
/// keys. Write your own sealer for a secure element or another scheme.
public protocol PayloadSealer: Sendable {
    /// - Parameters:
    ///   - payload: is wiped when this returns or throws.
    ///   - context: clear data that the seal authenticates: the recipient needs the same data to open it.
    func seal(_ payload: consuming SensitivePayload, context: Bytes) async throws(SealingError) -> SealedPayload
}

extension CardRead {
    /// Seals the account data and omits them from the rest. Drop the read itself afterwards.
    public func sealed(by sealer: some PayloadSealer) async throws(SealingError) -> SealedRead {
        let clear = dataRecord.withoutSensitiveData
        let payload = try await sealer.seal(SensitivePayload(dataRecord, discretionary), context: clear.bytes)
        return SealedRead(
            authorization: authorization, cvm: cvm, maskedPAN: maskedPAN, payload: payload, dataRecord: clear,
            receiptRequested: receiptRequested)
    }
}

extension CardVerification {
    /// Seals the account data of a card that is looked up or kept. Drop the verification itself afterwards.
    public func sealed(by sealer: some PayloadSealer) async throws(SealingError) -> SealedCard {
        try await SealedCard(dataRecord, discretionary, shown: card.maskedPAN, by: sealer)
    }
}

extension PINFallbackRead {
    /// Seals the available account data of a card whose PIN cannot be entered, for a payment link. Drop the read itself
    /// afterwards.
    public func sealed(by sealer: some PayloadSealer) async throws(SealingError) -> SealedCard {
        try await SealedCard(partialData, CardData([]), shown: maskedPAN, by: sealer)
    }
}

extension SealedCard {
    fileprivate init(
        _ record: CardData, _ discretionary: CardData, shown: MaskedPAN?, by sealer: some PayloadSealer
    ) async throws(SealingError) {
        let clear = record.withoutSensitiveData
        let payload = try await sealer.seal(SensitivePayload(record, discretionary), context: clear.bytes)
        self.init(maskedPAN: shown, payload: payload, dataRecord: clear)
    }
}

/// Makes fingerprints of accounts. A plain hash of an account number can be guessed, so a fingerprint needs a key that
/// belongs to this device and is stored outside the journal. Cards that have a Payment Account Reference (9F24) need no
/// fingerprint.
public protocol AccountFingerprint: Sendable {
    /// - Parameter account: digits of the account number, `=`, and year and month of expiry in four digits if they are
    ///   known.
    func fingerprint(of account: consuming SecretBytes) async throws(SealingError) -> Bytes
}

extension StoredRead {
    /// Returns the part of a read that may be stored, with its account sealed if there is a sealer.
    static func of(
        _ read: CardRead, sealer: (any PayloadSealer)?, fingerprints: (any AccountFingerprint)?
    ) async throws(SealingError) -> StoredRead {
        let clear = read.clearRecord
        var payload: SealedPayload?
        if let sealer {
            payload = try await sealer.seal(
                SensitivePayload(read.dataRecord, read.discretionary), context: clear.bytes)
        }
        var fingerprint: Fingerprint?
        if let reference = read.discretionary[0x9F24] ?? read.dataRecord[0x9F24], !reference.isEmpty {
            fingerprint = Fingerprint(rawValue: "par:" + Hex.string(reference))
        } else if let fingerprints, let account = read.account {
            let bytes = try await fingerprints.fingerprint(of: account)
            fingerprint = Fingerprint(rawValue: "key:" + Hex.string(bytes))
        }
        return StoredRead(read, payload: payload, fingerprint: fingerprint)
    }
}
