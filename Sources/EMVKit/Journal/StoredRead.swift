// SPDX-License-Identifier: Apache-2.0
/// The part of a read that a journal stores. It is never a ``CardRead``, and contains account data only in sealed form.
public struct StoredRead: Sendable, Hashable {
    /// The data of the selected application that a receipt prints (EMV Book 4, 11.4), without account data.
    public struct Application: Sendable, Hashable {
        /// The application identifier (AID); empty if it contains the account number.
        public let identifier: Bytes
        /// The application's preferred name or label, fit to print; may be empty.
        public let label: String
        /// The kernel that used the application; `nil` if not known.
        public let kernel: KernelID?

        public init(identifier: Bytes, label: String, kernel: KernelID? = nil) {
            self.identifier = identifier
            self.label = PrintableText.cleaned(label)
            self.kernel = kernel
        }
    }

    public let authorization: CardRead.Authorization
    public let cvm: Outcome.CVM
    /// At most the first six and the last four digits.
    public let maskedPAN: MaskedPAN?
    /// The card's approval or request: cryptogram, counter, issuer application data and the terminal's data, without
    /// anything that identifies an account. The seal covers it.
    public let clearRecord: CardData
    /// `nil` if a journal of an earlier version does not have it.
    public let application: Application?
    /// The sealed account data, for the host alone; `nil` if there is no sealer, or it was erased.
    public private(set) var payload: SealedPayload?
    /// Recognises two taps of the same account; `nil` if no fingerprint was made, or it was erased.
    public private(set) var fingerprint: Fingerprint?
    /// The card was simulated (``CardRead/isSimulated``): no live host is notified of it.
    public let isSimulated: Bool

    public init(
        authorization: CardRead.Authorization, cvm: Outcome.CVM, maskedPAN: MaskedPAN?, clearRecord: CardData,
        application: Application? = nil, payload: SealedPayload? = nil, fingerprint: Fingerprint? = nil,
        isSimulated: Bool = false
    ) {
        self.isSimulated = isSimulated
        self.authorization = authorization
        self.cvm = cvm
        self.maskedPAN = maskedPAN
        self.clearRecord = clearRecord
        self.application = application
        self.payload = payload
        self.fingerprint = fingerprint
    }

    /// Creates the part of a read that a journal, and a receipt, store.
    init(_ read: CardRead, payload: SealedPayload? = nil, fingerprint: Fingerprint? = nil) {
        self.init(
            authorization: read.authorization, cvm: read.cvm, maskedPAN: read.maskedPAN, clearRecord: read.clearRecord,
            application: Application(read), payload: payload, fingerprint: fingerprint, isSimulated: read.isSimulated)
    }

    /// Application Cryptogram (9F26).
    public var cryptogram: Bytes? { clearRecord[0x9F26] }

    /// Application Transaction Counter (9F36).
    public var transactionCounter: Int? { clearRecord[0x9F36].map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// ``CardRead/isDelayed``.
    public var isDelayed: Bool {
        authorization == .approvedOffline && clearRecord[0x9F27]?.first.map { $0 & 0xC0 } == 0x80
    }

    /// Returns whether this is the stored form of this read.
    public func isOf(_ read: CardRead) -> Bool {
        authorization == read.authorization && read.dataRecord[0x9F26] == cryptogram
    }

    /// Returns a copy with other account data, which a journal stores separately.
    package func with(_ payload: SealedPayload?, _ fingerprint: Fingerprint?) -> StoredRead {
        var read = self
        read.payload = payload
        read.fingerprint = fingerprint
        return read
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

/// A value that two taps of the same account have in common; it is not an account number.
public struct Fingerprint: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Redacted, because it tracks a cardholder.
    public var description: String { "fingerprint" }
}

extension StoredRead.Application {
    fileprivate init(_ read: CardRead) {
        var identifier = read.outcome.applicationName
        for tag in [Tag(integerLiteral: 0x84), 0x9F06] where identifier.isEmpty {
            identifier = read.dataRecord[tag] ?? read.discretionary[tag] ?? []
        }
        self.init(
            identifier: read.holdsAccount(identifier[...]) ? [] : identifier, label: read.card.label,
            kernel: read.outcome.kernel)
    }
}

extension CardRead {
    /// The data record without the sealed objects, and without any object that contains the account number, whatever
    /// its tag.
    var clearRecord: CardData {
        let clear = dataRecord.withoutSensitiveData
        guard var digits = accountDigits else { return clear }
        defer { digits.wipe() }
        guard digits.count >= 8 else { return clear }
        var kept = Bytes()
        for object in TLVReader(clear.bytes) where !object.value.hasRun(of: digits) { kept += object.whole }
        return CardData(kept)
    }

    fileprivate func holdsAccount(_ value: ArraySlice<UInt8>) -> Bool {
        guard var digits = accountDigits else { return false }
        defer { digits.wipe() }
        return digits.count >= 8 && value.hasRun(of: digits)
    }

    /// The digits of the account number, one byte each. The caller must wipe them.
    private var accountDigits: Bytes? {
        guard let value = track ?? dataRecord.value(of: 0x5A) else { return nil }
        var digits = Bytes()
        digits.reserveCapacity(2 * value.count)
        for place in 0..<2 * value.count {
            guard value.nibble(place) < 10 else { break }
            digits.append(value.nibble(place))
        }
        return digits.isEmpty ? nil : digits
    }

    private var track: ArraySlice<UInt8>? { dataRecord.value(of: 0x57) ?? dataRecord.value(of: 0x9F6B) }

    /// The account in the format that ``AccountFingerprint`` expects.
    var account: SecretBytes? {
        guard var digits = accountDigits else { return nil }
        defer { digits.wipe() }
        var expiry = Bytes()
        if let track {
            let places = (0..<2 * track.count).drop { track.nibble($0) < 10 }.dropFirst().prefix(4)
            expiry = places.map { track.nibble($0) }
        }
        if expiry.count < 4 {
            expiry = (dataRecord.value(of: 0x5F24) ?? []).prefix(2).flatMap { [$0 >> 4, $0 & 0x0F] }
        }
        var account = SecretBytes(count: digits.count + 1 + expiry.count)
        for (place, digit) in digits.enumerated() { account[place] = digit + 0x30 }
        account[digits.count] = 0x3D
        for (place, digit) in expiry.enumerated() { account[digits.count + 1 + place] = digit + 0x30 }
        return account
    }
}

extension ArraySlice where Element == UInt8 {
    /// Returns whether this contains the digits, packed from any nibble or as bytes of text.
    fileprivate func hasRun(of digits: Bytes) -> Bool {
        let packed = 2 * count - digits.count, text = count - digits.count
        return (0..<Swift.max(0, packed + 1)).contains { start in
            digits.indices.allSatisfy { nibble(start + $0) == digits[$0] }
        }
            || (0..<Swift.max(0, text + 1)).contains { start in
                digits.indices.allSatisfy { self[startIndex + start + $0] == digits[$0] + 0x30 }
            }
    }
}

extension StoredRead: Codable {
    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN, clearRecord, application, payload, fingerprint, isSimulated
    }

    /// Encodes bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization, forKey: .authorization)
        try container.encode(cvm, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
        try container.encode(Hex.string(clearRecord.bytes), forKey: .clearRecord)
        try container.encodeIfPresent(application, forKey: .application)
        try container.encodeIfPresent(payload, forKey: .payload)
        try container.encodeIfPresent(fingerprint, forKey: .fingerprint)
        if isSimulated { try container.encode(true, forKey: .isSimulated) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let clear = try container.bytes(.clearRecord)
        self.init(
            authorization: try container.decode(CardRead.Authorization.self, forKey: .authorization),
            cvm: try container.decode(Outcome.CVM.self, forKey: .cvm),
            maskedPAN: try container.decodeIfPresent(MaskedPAN.self, forKey: .maskedPAN),
            clearRecord: CardData(clear),
            application: try container.decodeIfPresent(Application.self, forKey: .application),
            payload: try container.decodeIfPresent(SealedPayload.self, forKey: .payload),
            fingerprint: try container.decodeIfPresent(Fingerprint.self, forKey: .fingerprint),
            isSimulated: try container.decodeIfPresent(Bool.self, forKey: .isSimulated) ?? false)
    }
}

extension StoredRead.Application: Codable {
    private enum Key: String, CodingKey {
        case identifier, label, kernel
    }

    /// Encodes bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Hex.string(identifier), forKey: .identifier)
        try container.encode(label, forKey: .label)
        try container.encodeIfPresent(kernel.map { Hex.string($0.bytes) }, forKey: .kernel)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            identifier: try container.bytes(.identifier), label: try container.decode(String.self, forKey: .label),
            kernel: container.contains(.kernel) ? KernelID(try container.bytes(.kernel)) : nil)
    }
}

extension KeyedDecodingContainer {
    fileprivate func bytes(_ key: Key) throws -> Bytes {
        guard let bytes = Hex.bytes(try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected hexadecimal digits")
        }
        return bytes
    }
}
