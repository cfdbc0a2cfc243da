// SPDX-License-Identifier: Apache-2.0
/// The data of a read for the issuer: cryptogram, issuer application data, tracks, and the data set of the
/// authorisation message.
///
/// The data objects are kept as they were read and found in place; bytes are copied only when an array is requested. No
/// cardholder data appear in the description, mirror or encoder.
///
/// ```swift
/// let chip = ChipData(read)
/// let field55 = try chip.dataSet()
/// let fields = chip.messageFields()
/// ```
public struct ChipData: Sendable, Hashable {
    public enum Mode: UInt8, Sendable, Hashable, CaseIterable {
        /// An EMV-mode record. It usually has an application cryptogram; the card gave none (``cryptogram`` is nil) if
        /// its signature failed, or if the transaction was declined before a cryptogram was requested.
        case emv = 1
        /// A record of mag-stripe mode, with tracks.
        case magneticStripe
    }

    public enum CryptogramType: UInt8, Sendable, Hashable, CaseIterable {
        /// Declined.
        case aac
        /// Approved offline.
        case tc
        /// Online.
        case arqc
    }

    /// The lists, in the order in which they are searched for a tag.
    let lists: [Bytes]
    let objects: [Object]
    /// `nil`: not one of the schemes that this library knows.
    public let scheme: PaymentScheme?
    /// `nil`: neither a cryptogram nor a track.
    public let mode: Mode?
    public let kernel: KernelID?

    struct Object: Sendable, Hashable {
        let tag: Tag
        let list: Int
        let range: Range<Int>
    }

    public init(_ outcome: Outcome, terminal: DataObjects = DataObjects()) {
        self.init(
            record: outcome.dataRecord ?? CardData([]), discretionary: outcome.discretionary ?? CardData([]),
            terminal: terminal,
            applicationName: outcome.applicationName, kernel: outcome.kernel)
    }

    /// Builds chip data from its parts, for hosts and tools. The first occurrence of a tag counts, in the order of the
    /// arguments. Without a scheme, the application's name determines it, or else the kernel.
    public init(
        record: CardData, discretionary: CardData = CardData([]), terminal: DataObjects = DataObjects(),
        applicationName: Bytes = [],
        kernel: KernelID? = nil, scheme: PaymentScheme? = nil
    ) {
        lists = [record.bytes, discretionary.bytes, terminal.encoded, applicationName]
        let found = CryptogramBridge.index(lists, scheme: scheme)
        objects = found.objects
        self.scheme = found.scheme ?? kernel.flatMap { PaymentScheme(kernel: $0) }
        mode = found.mode
        self.kernel = kernel
    }

    /// Tags in the order in which they were found.
    public var tags: [Tag] { objects.map { $0.tag } }

    /// The value of a data object, in place.
    public subscript(tag: Tag) -> ArraySlice<UInt8>? {
        objects.first { $0.tag == tag }.map { lists[$0.list][$0.range] }
    }

    /// Returns the value, if it has exactly this size.
    private func value(_ tag: Tag, size: Int) -> ArraySlice<UInt8>? {
        self[tag].flatMap { $0.count == size ? $0 : nil }
    }
}

// MARK: The cryptogram

extension ChipData {
    /// 9F26: ARQC, TC or AAC.
    public var cryptogram: ArraySlice<UInt8>? { value(0x9F26, size: 8) }

    /// 9F27; if a Visa or UnionPay card omits it, the value from 9F10 instead (Book C-3, 5.4.3.1; C-7, 4.1.4.4).
    public var cryptogramInformation: UInt8? {
        if let given = value(0x9F27, size: 1)?.first { return given }
        guard scheme == .visa || scheme == .unionPay, let data = self[0x9F10], data.count >= 5 else { return nil }
        return data[data.startIndex + 4] << 2 & 0xC0
    }

    /// `nil` for the reserved code too.
    public var cryptogramType: CryptogramType? {
        cryptogramInformation.flatMap { CryptogramType(rawValue: $0 >> 6) }
    }

    /// 9F36.
    public var transactionCounter: UInt16? {
        value(0x9F36, size: 2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } }
    }

    /// 9F37.
    public var unpredictableNumber: ArraySlice<UInt8>? { value(0x9F37, size: 4) }

    /// 9F10.
    public var issuerApplicationData: IssuerApplicationData? {
        self[0x9F10].map { IssuerApplicationData($0, scheme: scheme) }
    }

    /// 95.
    public var terminalVerificationResults: TerminalVerificationResults? {
        value(0x95, size: 5).map { TerminalVerificationResults($0) }
    }

    /// 9F34.
    public var cvmResults: CVMResults? {
        value(0x9F34, size: 3).map { CVMResults($0) }
    }
}

// MARK: The account

extension ChipData {
    /// 57, or else 9F6B.
    public var track2: Track2? {
        (self[0x57] ?? self[0x9F6B]).map { Track2($0) }
    }

    /// 56. American Express includes the sentinels (Book C-4, Table 12-2); they are removed.
    public var track1: Track1? {
        self[0x56].map { track in
            let isBounded = scheme == .amex && track.count > 2 && track.first == 0x25 && track.last == 0x3F
            return Track1(isBounded ? track.dropFirst().dropLast() : track)
        }
    }

    /// From track 2 (Book C-3, B.1.2.2), or else 5A.
    public var accountNumber: AccountNumber? {
        track2?.accountNumber ?? self[0x5A].flatMap { CryptogramBridge.accountNumber(cn: $0) }
    }

    /// From track 2, or else 5F24.
    public var expiry: ExpiryMonth? {
        track2?.expiry ?? value(0x5F24, size: 3).flatMap { ExpiryMonth(yymm: Hex.string($0.prefix(2))) }
    }

    public var serviceCode: String? { track2?.serviceCode }

    /// 5F34, 0 to 99.
    public var sequenceNumber: Int? {
        value(0x5F34, size: 1).flatMap { Int(Hex.string($0)) }
    }

    /// 9F24, 29 characters.
    public var paymentAccountReference: String? {
        value(0x9F24, size: 29).map { String(decoding: $0, as: UTF8.self) }
    }

    /// 9F6E, or 9F67 of Amex.
    public var formFactor: FormFactor? {
        guard let scheme, let value = self[scheme == .amex ? 0x9F67 : 0x9F6E] else { return nil }
        return FormFactor(value, scheme: scheme)
    }

    /// The account number masked: at most the first six and the last four digits.
    public var maskedAccountNumber: String? { accountNumber?.masked }
}

extension ChipData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Scheme, mode, and tags with lengths.
    public var description: String {
        let list = objects.map { "\($0.tag): \($0.range.count) bytes" }.joined(separator: ", ")
        return "\(scheme?.rawValue ?? "unknown scheme"), \(mode.map { "\($0)" } ?? "no data"), [\(list)]"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

#if !hasFeature(Embedded)
extension ChipData: Encodable {
    /// Scheme, mode, the type of cryptogram and the masked account number; never a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(scheme?.rawValue, forKey: .scheme)
        try container.encodeIfPresent(mode.map { "\($0)" }, forKey: .mode)
        try container.encodeIfPresent(cryptogramType.map { "\($0)" }, forKey: .cryptogramType)
        try container.encodeIfPresent(maskedAccountNumber, forKey: .maskedAccountNumber)
    }

    private enum Key: String, CodingKey {
        case scheme, mode, cryptogramType, maskedAccountNumber
    }
}
#endif
