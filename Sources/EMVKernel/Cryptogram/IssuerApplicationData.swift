// SPDX-License-Identifier: Apache-2.0
/// Issuer Application Data (tag 9F10), read in the scheme's format.
///
/// Every part is a slice of the given bytes: nothing is copied. An unknown format keeps its ``bytes``, and ``problem``
/// gives the reason. Sources of each format: Conformance/cryptogram-data.md.
public struct IssuerApplicationData: Sendable, Hashable {
    public enum Format: UInt8, Sendable, Hashable, CaseIterable {
        case visa0 = 1, visa1, visa3, visa2, visa4
        /// 18 bytes; M/Chip Advance may have this length too.
        case mChip4, mChipAdvance
        case amex, jcb, discover, unionPay
        /// Common Core Definitions, format A.
        case commonCore
    }

    public enum Problem: UInt8, Sendable, Hashable, CaseIterable {
        case empty = 1
        /// Over 32 bytes.
        case tooLong
        case tooShort
        /// A length inside contradicts the format.
        case badLengthByte
        case unknownVersion
        case unknownSize
        /// The format depends on the scheme, which is not known.
        case unknownScheme
        /// The format is known, but the size of the discretionary data is wrong, so they stay in ``rest``.
        case badDiscretionary
    }

    /// How the session key is derived, according to the cryptogram version, if this is public.
    public enum SessionKey: UInt8, Sendable, Hashable, CaseIterable {
        case unpublished
        /// No derivation: the card's own key.
        case none
        /// Mastercard's derivation, from transaction counter and unpredictable number.
        case mastercard
        /// The tree of EMV 4.0.
        case emv2000
        /// EMV Book 2, A1.3.
        case common
    }

    /// An M/Chip offline counter, if it is not enciphered.
    public struct OfflineCounter: Sendable, Hashable {
        /// Cumulative, in minor units of the card's own currency.
        public let amount: UInt64
        /// Consecutive transactions.
        public let number: UInt8
    }

    /// `nil`: unknown.
    public internal(set) var format: Format?
    public internal(set) var problem: Problem?
    /// True if no scheme was given and the format was derived from the bytes alone.
    public internal(set) var isAssumed = false
    /// As received.
    public let bytes: ArraySlice<UInt8>
    /// Derivation key index; 0 if the format is unknown.
    public internal(set) var keyIndex: UInt8 = 0
    /// Cryptogram version number; the common core identifier of ``Format/commonCore``.
    public internal(set) var version: UInt8 = 0
    public internal(set) var sessionKey: SessionKey = .unpublished
    /// M/Chip: the cryptogram covers the counters.
    public internal(set) var coversCounters = false
    /// Common core: the cryptogram is made with AES.
    public internal(set) var usesAES = false
    /// UnionPay: 01 triple DES, 04 SM4.
    public internal(set) var algorithm: UInt8?
    /// Card verification results, with their length byte if the scheme has one.
    public internal(set) var verificationResults: ArraySlice<UInt8>
    /// M/Chip: data authentication code or ICC dynamic number; else empty.
    public internal(set) var dynamicNumber: ArraySlice<UInt8>
    /// M/Chip: 8 or 16 bytes, perhaps enciphered; common core: 8; else empty.
    public internal(set) var counters: ArraySlice<UInt8>
    /// M/Chip Advance: the counter of the last online transaction, if present.
    public internal(set) var lastOnlineCounter: ArraySlice<UInt8>
    /// The issuer's own data, without the size byte before them.
    public internal(set) var discretionary: ArraySlice<UInt8>
    /// The remaining bytes, which are not understood.
    public internal(set) var rest: ArraySlice<UInt8>

    /// Never fails. Without a scheme the formats common core, M/Chip and Visa are distinguished by their structure.
    public init(_ bytes: ArraySlice<UInt8>, scheme: PaymentScheme?) {
        self.bytes = bytes
        let none = bytes[bytes.endIndex...]
        verificationResults = none
        dynamicNumber = none
        counters = none
        lastOnlineCounter = none
        discretionary = none
        rest = none
        CryptogramBridge.read(&self, scheme: scheme)
    }

    public init(_ bytes: Bytes, scheme: PaymentScheme?) {
        self.init(bytes[...], scheme: scheme)
    }

    /// The fields of the card verification results in order, every bit once; empty if they are not public.
    public var fields: [BitField] {
        CryptogramBridge.fields(of: self)
    }

    /// Returns the value of a field; `nil` if the format lacks the field.
    public func value(_ meaning: BitMeaning) -> UInt8? {
        fields.first { $0.meaning == meaning }?.value
    }

    /// The bits that are set, without the fields that are numbers.
    public var setFlags: [BitMeaning] {
        fields.filter { $0.mask.nonzeroBitCount == 1 && $0.value == 1 }.map { $0.meaning }
    }

    /// The cryptogram type in the response to GET PROCESSING OPTIONS or the first GENERATE AC.
    public var firstCryptogram: ChipData.CryptogramType? {
        value(.firstAC).flatMap { ChipData.CryptogramType(rawValue: $0) }
    }

    /// M/Chip counters that are not enciphered.
    public var offlineCounters: [OfflineCounter] {
        CryptogramBridge.counters(of: self)
    }
}

extension IssuerApplicationData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Format, version and size; no counters and no issuer data.
    public var description: String {
        let name = format.map { "\($0)" } ?? problem.map { "unknown (\($0))" } ?? "unknown"
        return "\(name), version \(Hex.string(CollectionOfOne(version))), \(bytes.count) bytes"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
