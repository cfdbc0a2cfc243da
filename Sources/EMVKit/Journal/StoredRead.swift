// SPDX-License-Identifier: Apache-2.0
/// What a journal keeps of a card: never a ``CardRead``, and of its account only what is sealed.
public struct StoredRead: Sendable, Hashable {
    public let authorization: CardRead.Authorization
    public let cvm: Outcome.CVM
    /// At most the first six and the last four digits.
    public let maskedPAN: MaskedPAN?
    /// What the card approved or asked: cryptogram, counter, issuer application data, what the terminal said; nothing
    /// that identifies an account. The seal covers it.
    public let clearRecord: CardData
    /// For the host alone; `nil`: there is no sealer, or it was erased.
    public private(set) var payload: SealedPayload?
    /// Tells two taps of one account; `nil`: none is made, or it was erased.
    public private(set) var fingerprint: Fingerprint?
    /// Of a simulated card (``CardRead/isSimulated``): no live host is told of it.
    public let isSimulated: Bool

    public init(
        authorization: CardRead.Authorization, cvm: Outcome.CVM, maskedPAN: MaskedPAN?, clearRecord: CardData,
        payload: SealedPayload? = nil, fingerprint: Fingerprint? = nil, isSimulated: Bool = false
    ) {
        self.isSimulated = isSimulated
        self.authorization = authorization
        self.cvm = cvm
        self.maskedPAN = maskedPAN
        self.clearRecord = clearRecord
        self.payload = payload
        self.fingerprint = fingerprint
    }

    /// Application Cryptogram (9F26).
    public var cryptogram: Bytes? { clearRecord[0x9F26] }

    /// Application Transaction Counter (9F36).
    public var transactionCounter: Int? { clearRecord[0x9F36].map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// It is what was read in this tap.
    public func isOf(_ read: CardRead) -> Bool {
        authorization == read.authorization && read.dataRecord[0x9F26] == cryptogram
    }

    mutating func erase(_ part: JournalEvent.Erasure) {
        switch part {
        case .payload: payload = nil
        case .fingerprint: fingerprint = nil
        case .account:
            payload = nil
            fingerprint = nil
        }
    }
}

/// What two taps of one account have in common, and no account number.
public struct Fingerprint: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Redacted: it follows a cardholder.
    public var description: String { "fingerprint" }
}

extension CardRead {
    /// The data record without what is sealed, and without any object in which the account number stands, whatever its
    /// tag.
    var clearRecord: CardData {
        let clear = dataRecord.withoutSensitiveData
        guard let digits = accountDigits, digits.count >= 8 else { return clear }
        let text = digits.map { $0 + 0x30 }
        var kept = Bytes()
        for object in TLVReader(clear.bytes) {
            let value = Bytes(object.value)
            let nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
            if !nibbles.contains(run: digits), !value.contains(run: text) { kept += object.whole }
        }
        return CardData(kept)
    }

    /// Digits of the account number, each a byte.
    private var accountDigits: Bytes? {
        let track = (dataRecord[0x57] ?? dataRecord[0x9F6B]).map { $0.flatMap { [$0 >> 4, $0 & 0x0F] } }
        let number = dataRecord[0x5A].map { $0.flatMap { [$0 >> 4, $0 & 0x0F] } }
        let digits = track?.prefix { $0 < 10 } ?? number?.prefix { $0 < 10 }
        return digits.flatMap { $0.isEmpty ? nil : Bytes($0) }
    }

    /// As ``AccountFingerprint`` takes it.
    var account: Bytes? {
        guard let digits = accountDigits else { return nil }
        let nibbles = (dataRecord[0x57] ?? dataRecord[0x9F6B] ?? []).flatMap { [$0 >> 4, $0 & 0x0F] }
        let ofTrack = nibbles.drop { $0 < 10 }.dropFirst().prefix(4)
        let ofRecord = (dataRecord[0x5F24] ?? []).prefix(2).flatMap { [$0 >> 4, $0 & 0x0F] }
        let expiry = ofTrack.count == 4 ? Bytes(ofTrack) : ofRecord
        return digits.map { $0 + 0x30 } + [0x3D] + expiry.map { $0 + 0x30 }
    }
}

extension Array where Element == UInt8 {
    fileprivate func contains(run wanted: Bytes) -> Bool {
        guard let first = wanted.first, count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains {
            self[$0] == first && self[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }
}
