// SPDX-License-Identifier: Apache-2.0
/// Configurations in the words of an acquirer's contract: country, currency, networks and their limits.
extension Configuration {
    /// A POS with a cashier that accepts these networks in one currency, with safe defaults: every payment goes to the
    /// issuer (Terminal Type 21, floor limit zero, no mag-stripe mode), and the protection is `guarded`.
    ///
    ///     let configuration = try Configuration.acquirer(
    ///         country: germany, currency: .eur, networks: [.visa(), .mastercard(), .maestro()], caKeys: keys)
    ///
    /// If the acquirer prescribes other values, they replace these defaults: change the rows of the result, or write a
    /// document (`emv-configuration/1`).
    ///
    /// - Parameters:
    ///   - hasPINPad: `true` offers online PIN to cards (9F33, TTQ and the kernels' own objects).
    ///   - takesSignatures: `true` offers a signature on paper to cards.
    ///   - offlineUpTo: payments up to this amount may be approved without the issuer, if CA keys allow card
    ///     authentication (Terminal Type 22). The app must report them (``TapReader/Options/journal``). `nil`: no
    ///     offline approvals.
    ///   - merchantCategory: 9F15, four digits.
    ///   - serialNumber: the terminal's serial number, eight ASCII characters (9F1E). Discover requires it (Book C-6);
    ///     the other kernels send it to cards and issuers that ask for it.
    /// - Throws: the error of ``CheckedConfiguration``, for example for a network listed twice or a key whose hash does
    ///   not match; also if `offlineUpTo` is in another currency.
    public static func acquirer(
        country: Country, currency: Currency, networks: [AcceptedNetwork], caKeys: [CAKey] = [],
        transactionTypes: [TransactionType] = [.purchase, .refund], hasPINPad: Bool = true,
        takesSignatures: Bool = false, offlineUpTo floor: Money? = nil, merchantCategory: UInt16? = nil,
        serialNumber: String? = nil, version: String = ""
    ) throws(ConfigurationError) -> Configuration {
        let means = TerminalMeans(
            hasPINPad: hasPINPad, takesSignatures: takesSignatures, hasKeys: !caKeys.isEmpty)
        var terminal: DataObjects = [
            0x9F1A: bcd(country.numeric), 0x9F35: [floor == nil ? 0x21 : 0x22], 0x9F33: means.capabilities,
            // Purchase, cash back, refund by the cashier; numeric keys and printer (EMV Book 4, A3).
            0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        ]
        if let serialNumber {
            let digits = Bytes(serialNumber.utf8)
            guard digits.count == 8, digits.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) else {
                throw ConfigurationError(
                    section: .terminal, field: .data, tag: 0x9F1E, reason: .badValue,
                    expected: "8 printable ASCII characters",
                    found: digits.count == 8 ? "another character in 8" : byteCount(digits.count))
            }
            terminal[0x9F1E] = digits
        }
        if let merchantCategory { terminal[0x9F15] = bcd(merchantCategory) }
        if let floor, floor.currency != currency {
            throw ConfigurationError(
                section: .other, field: .currency, reason: .conflict,
                expected: "offlineUpTo in \(currency.code), the currency of the limits",
                found: "\(floor.currency.code)")
        }
        let combinations = networks.map { network in
            network.combination(
                currency: currency, types: transactionTypes, floor: floor?.minorUnits ?? 0, means: means)
        }
        let configuration = Configuration(
            terminal: terminal, combinations: combinations, caKeys: caKeys, version: version)
        _ = try CheckedConfiguration(configuration)
        return configuration
    }

    /// Four digits of a numeric code.
    private static func bcd(_ number: UInt16) -> Bytes {
        // `<<` binds tighter than a division.
        [
            UInt8((number / 1_000 % 10) << 4 | number / 100 % 10), UInt8((number / 10 % 10) << 4 | number % 10),
        ]
    }
}

/// The terminal's capabilities as every kernel receives them in its own objects.
struct TerminalMeans {
    var hasPINPad: Bool
    var takesSignatures: Bool
    var hasKeys: Bool

    /// 9F33 (EMV Book 4, A2): no contact interface, the verification methods, DDA and CDA if there are CA keys.
    var capabilities: Bytes {
        [0x00, 0x08 | (hasPINPad ? 0x40 : 0) | (takesSignatures ? 0x20 : 0), hasKeys ? 0x48 : 0x00]
    }

    /// 9F66 (Book A, Table 5-4): EMV mode, verification on the device.
    var qualifiers: Bytes {
        [0x20 | (hasPINPad ? 0x04 : 0) | (takesSignatures ? 0x02 : 0), 0x00, 0x40, 0x00]
    }
}

/// A network that a POS accepts, with its limits in minor units of the configuration's currency.
public struct AcceptedNetwork: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case visa, mastercard, maestro, americanExpress, jcb, discover, unionPay
    }

    let kind: Kind
    let aid: Bytes
    let name: String
    /// Amounts at or above this limit are refused (Mastercard and Maestro: only above it); `nil`: no limit.
    public var limit: UInt64?
    /// At or above this amount (Mastercard and Maestro: only above it) the cardholder is verified.
    public var verifiedFrom: UInt64?

    private init(_ kind: Kind, _ aid: Bytes, _ name: String, _ limit: UInt64?, _ verifiedFrom: UInt64?) {
        self.kind = kind
        self.aid = aid
        self.name = name
        self.limit = limit
        self.verifiedFrom = verifiedFrom
    }

    /// Credit and debit, A0000000031010; Kernel 3.
    public static func visa(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.visa, [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], "Visa", limit, verifiedFrom)
    }

    /// A0000000032010; Kernel 3.
    public static func visaElectron(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.visa, [0xA0, 0, 0, 0, 0x03, 0x20, 0x10], "Visa Electron", limit, verifiedFrom)
    }

    /// A0000000032020; Kernel 3.
    public static func vPay(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.visa, [0xA0, 0, 0, 0, 0x03, 0x20, 0x20], "V PAY", limit, verifiedFrom)
    }

    /// A0000000041010; Kernel 2.
    public static func mastercard(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.mastercard, [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], "Mastercard", limit, verifiedFrom)
    }

    /// A0000000043060; Kernel 2.
    public static func maestro(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.maestro, [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], "Maestro", limit, verifiedFrom)
    }

    /// A00000002501; Kernel 4.
    public static func americanExpress(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.americanExpress, [0xA0, 0, 0, 0, 0x25, 0x01], "American Express", limit, verifiedFrom)
    }

    /// A0000000651010; Kernel 5.
    public static func jcb(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.jcb, [0xA0, 0, 0, 0, 0x65, 0x10, 0x10], "JCB", limit, verifiedFrom)
    }

    /// A0000001523010; Kernel 6.
    public static func discover(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.discover, [0xA0, 0, 0, 0x01, 0x52, 0x30, 0x10], "Discover", limit, verifiedFrom)
    }

    /// A000000333010101; Kernel 7.
    public static func unionPayDebit(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.unionPay, [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, 0x01], "UnionPay debit", limit, verifiedFrom)
    }

    /// A000000333010102; Kernel 7.
    public static func unionPayCredit(limit: UInt64? = nil, verifiedFrom: UInt64? = 0) -> AcceptedNetwork {
        AcceptedNetwork(.unionPay, [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, 0x02], "UnionPay credit", limit, verifiedFrom)
    }

    func combination(
        currency: Currency, types: [TransactionType], floor: UInt64, means: TerminalMeans
    ) -> Combination {
        var combination = Combination(
            aid: aid, kernel: kernel(means), name: name, transactionTypes: types,
            limits: Limits(transaction: limit, floor: floor, cvmRequired: verifiedFrom))
        combination.currency = currency.numeric
        switch kind {
        case .visa, .discover, .unionPay: combination.ttq = means.qualifiers
        case .mastercard, .maestro, .americanExpress, .jcb: break
        }
        combination.data = data(means)
        return combination
    }

    private func kernel(_ means: TerminalMeans) -> CombinationKernel {
        switch kind {
        case .visa: return .visa()
        case .mastercard, .maestro: return .mastercard
        case .americanExpress:
            // Cards that are not authenticated, expired applications, every PIN and amounts above the floor limit go
            // online.
            return .americanExpress(
                CombinationKernel.AmericanExpressOptions(
                    tacDenial: [0x00, 0x10, 0x00, 0x00, 0x00], tacOnline: [0xDC, 0x50, 0xFC, 0x98, 0x00],
                    tacDefault: [0xDC, 0x50, 0xFC, 0x98, 0x00]))
        case .jcb:
            // 9F53 (Book C-5, A.9): signature, online PIN, verification on the device.
            let methods: UInt8 = 0x10 | (means.takesSignatures ? 0x40 : 0) | (means.hasPINPad ? 0x20 : 0)
            // EMV mode; authentication of the card if there are CA keys (A.3).
            return .jcb(
                CombinationKernel.JCBOptions(
                    combinationOptions: [means.hasKeys ? 0x22 : 0x02, 0x00],
                    terminalInterchangeProfile: [methods, 0x00, 0x00]))
        case .discover: return .discover()
        case .unionPay: return .unionPay()
        }
    }

    private func data(_ means: TerminalMeans) -> DataObjects {
        switch kind {
        case .visa, .jcb, .unionPay: return [:]
        case .discover: return [0x9F09: [0x00, 0x01]]
        case .americanExpress:
            // Reader capabilities (Book C-4, 4.3.3 and Table 4-4): EMV mode and phones, no mag-stripe mode.
            let methods: UInt8 = 0x80 | (means.hasPINPad ? 0x40 : 0) | (means.takesSignatures ? 0x20 : 0)
            return [0x9F09: [0x00, 0x01], 0x9F6D: [0xC0], 0x9F6E: [0x18, methods, 0x00, 0x03]]
        case .mastercard, .maestro:
            // Verification above the limit, none below (DF8118, DF8119); EMV mode only, verification on the device
            // (DF811B); CDA if there are CA keys (DF811F). Cards that are not authenticated go online (DF8120, DF8122)
            // and are never denied for it (DF8121).
            let methods: UInt8 =
                (means.hasPINPad ? 0x40 : 0) | (means.takesSignatures && kind == .mastercard ? 0x20 : 0)
            return [
                0xDF8117: [0x00], 0xDF8118: [methods], 0xDF8119: [0x08], 0xDF811B: [0xA0],
                0xDF811F: [means.hasKeys ? 0x08 : 0x00], 0xDF8120: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
                0xDF8121: [0x00, 0x00, 0x00, 0x00, 0x00], 0xDF8122: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            ]
        }
    }
}
