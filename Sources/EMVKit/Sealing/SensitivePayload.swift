// SPDX-License-Identifier: Apache-2.0
/// The part of a read that only the payment service may see, as TLV: account number, tracks, names, discretionary data,
/// expiry. It has one owner and is overwritten when it is freed.
public struct SensitivePayload: ~Copyable, Sendable {
    /// Track 1, Track 2 Equivalent Data, Track 2, PAN, cardholder's name, expiry, and both tracks' discretionary data,
    /// as the card sent them and as Kernel 2 filled them in. A template that contains one of them is sealed whole.
    public static let tags: Set<Tag> = [
        0x56, 0x57, 0x9F6B, 0x5A, 0x5F20, 0x9F0B, 0x5F24, 0x9F1F, 0x9F20, 0xDF812A, 0xDF812B,
    ]

    private let secret: SecretBytes

    public var count: Int { secret.count }

    /// Collects the sensitive data objects, each tag once, in their order; empty if there are no such objects.
    public init(_ lists: CardData...) {
        secret = SensitivePayload.collect(lists.map { $0.bytes })
    }

    /// Creates a payload from TLV that was collected elsewhere.
    public init(tlv: consuming SecretBytes) {
        secret = tlv
    }

    /// Lends the TLV for the call.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe secret.withUnsafeBytes(body)
    }

    /// Returns the value of a tag, for the payment service. The caller is responsible for the copy.
    public borrowing func value(of tag: Tag) -> Bytes? {
        unsafe secret.withUnsafeBytes { bytes in TLVReader(unsafe Bytes(bytes)).first(tag).map { Bytes($0.value) } }
    }

    static func isSensitive(_ object: TLV) -> Bool {
        tags.contains(object.tag)
            || object.isConstructed && TLVTree(object.value).contains { tags.contains($0.object.tag) }
    }

    /// Copies directly from the lists into the secret, so that no other copy is made.
    private static func collect(_ lists: [Bytes]) -> SecretBytes {
        var seen: Set<Tag> = []
        var ranges: [(list: Int, range: Range<Int>)] = []
        for (number, list) in lists.enumerated() {
            for object in TLVReader(list) where isSensitive(object) && seen.insert(object.tag).inserted {
                ranges.append((number, object.whole.indices))
            }
        }
        var secret = SecretBytes(count: ranges.reduce(0) { $0 + $1.range.count })
        var at = 0
        for (number, range) in ranges {
            for index in range {
                secret[at] = lists[number][index]
                at += 1
            }
        }
        return secret
    }
}

/// A read whose account data are sealed: this is the only form of a card that an app stores, shows, logs and sends.
public struct SealedRead: Sendable, Hashable {
    public let authorization: CardRead.Authorization
    public let cvm: Outcome.CVM
    /// At most the first six and the last four digits.
    public let maskedPAN: MaskedPAN?
    /// The sealed account data for the payment service.
    public let payload: SealedPayload
    /// The data record without the sealed objects: cryptogram, counter, issuer application data and the terminal's
    /// data. The seal covers it.
    public let dataRecord: CardData
    public let receiptRequested: Bool

    /// The clear data that the seal authenticates: the recipient needs the same data to open the payload.
    public var context: Bytes { dataRecord.bytes }
}

/// A card whose account data are sealed and that is not to be authorised: from a ``CardVerification`` or a
/// ``PINFallbackRead``.
public struct SealedCard: Sendable, Hashable {
    /// At most the first six and the last four digits.
    public let maskedPAN: MaskedPAN?
    /// The sealed account data for the payment service.
    public let payload: SealedPayload
    /// The data record without the sealed objects. The seal covers it.
    public let dataRecord: CardData

    /// The clear data that the seal authenticates: the recipient needs the same data to open the payload.
    public var context: Bytes { dataRecord.bytes }
}

extension CardData {
    /// The outermost data objects that are not sealed.
    public var withoutSensitiveData: CardData {
        var clear = Bytes()
        for object in TLVReader(bytes) where !SensitivePayload.isSensitive(object) { clear += object.whole }
        return CardData(clear)
    }
}

extension SealedRead: Encodable {
    /// Encodes authorisation, CVM, masked account number and the sealed payload; the data record as tags and lengths.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization.rawValue, forKey: .authorization)
        try container.encode(cvm.rawValue, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
        try container.encode(payload, forKey: .payload)
        try container.encode(dataRecord, forKey: .dataRecord)
    }

    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN, payload, dataRecord
    }
}
