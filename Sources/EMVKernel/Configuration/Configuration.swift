// SPDX-License-Identifier: Apache-2.0
/// Everything a reader knows before a payment. It is a value: check it once with ``CheckedConfiguration`` and share the
/// result.
public struct Configuration: Sendable, Hashable {
    /// Data objects of the terminal, for example 9F1A, 9F35, 9F33, 9F40, 9F15, 9F4E.
    public var terminal: DataObjects
    public var combinations: [Combination]
    public var caKeys: [CAKey]
    public var revoked: [Revocation]
    public var exceptions: [ExceptionEntry]
    public var protection: Protection
    /// If set, transactions begin at Start B, without pre-processing.
    public var autorun: Autorun?
    /// Identifier, length and value fields for SEND POI INFORMATION (Book B, A.1); at most 64 bytes.
    public var poiInformation: Bytes = []
    /// The name that its issuer gave it; empty if it has no name. Kernels ignore it: it identifies configurations that
    /// are delivered over the air.
    public var version: String
    /// The first day on which it is meant to be used. Kernels ignore it: it is for the software that installs the
    /// configuration.
    public var validFrom: CalendarDate?

    public init(
        terminal: DataObjects = [:], combinations: [Combination] = [], caKeys: [CAKey] = [],
        revoked: [Revocation] = [], exceptions: [ExceptionEntry] = [], protection: Protection = Protection(),
        autorun: Autorun? = nil, version: String = ""
    ) {
        self.terminal = terminal
        self.combinations = combinations
        self.caKeys = caKeys
        self.revoked = revoked
        self.exceptions = exceptions
        self.protection = protection
        self.autorun = autorun
        self.version = version
    }
}

/// Type and amount of a transaction that begins without a cashier (Book A, 5.8; Start B): indicators are zero and the
/// TTQ is as configured. A ``TapReader`` begins payments of exactly this type and amount in this way.
public struct Autorun: Sendable, Hashable {
    public var type: TransactionType
    /// Minor units.
    public var amount: UInt64

    public init(type: TransactionType = .purchase, amount: UInt64) {
        self.type = type
        self.amount = amount
    }
}

/// One row of "this application with this kernel" (Book A, 5.2).
public struct Combination: Sendable, Hashable {
    /// 5 to 16 bytes; matches application names that begin with it.
    public var aid: Bytes
    public var kernel: CombinationKernel
    /// For people: "Visa".
    public var name: String
    /// Empty: purchases only.
    public var transactionTypes: [TransactionType]
    /// ISO 4217 numeric code of the currency of the limits. All combinations that state a currency state one and the
    /// same; a transaction in another currency is refused. `nil`: the limits apply to amounts in any currency.
    public var currency: UInt16?
    public var limits: Limits
    public var statusCheck: Bool = false
    public var zeroAmount: Combination.ZeroAmount = .online
    public var extendedSelection: Bool = false
    /// Terminal Transaction Qualifiers, tag 9F66; 4 bytes.
    public var ttq: Bytes?
    /// Data objects that take precedence over the terminal's.
    public var data: DataObjects
    /// Replaces the configuration's protection if set.
    public var protection: Protection?

    public init(
        aid: Bytes, kernel: CombinationKernel, name: String = "", transactionTypes: [TransactionType] = [],
        limits: Limits = Limits(), ttq: Bytes? = nil, data: DataObjects = [:], protection: Protection? = nil
    ) {
        self.aid = aid
        self.kernel = kernel
        self.name = name
        self.transactionTypes = transactionTypes
        self.limits = limits
        self.ttq = ttq
        self.data = data
        self.protection = protection
    }
}

extension Configuration {
    /// ISO 4217 numeric code of the one currency that its combinations state; `nil` if they state no currency.
    public var currency: UInt16? {
        combinations.lazy.compactMap { $0.currency }.first
    }

    /// Throws for the first combination whose currency differs from an earlier one's.
    func checkCurrency() throws(ConfigurationError) {
        guard let first = currency else { return }
        for (row, combination) in combinations.enumerated() {
            guard let own = combination.currency, own != first || own > 999 else { continue }
            throw ConfigurationError(
                section: .combination, row: row, field: .currency, reason: own > 999 ? .badValue : .conflict,
                rowName: combination.rowName,
                expected: own > 999
                    ? "an ISO 4217 number from 0 to 999" : "\(first), the currency of the combinations before it",
                found: shownNumber(own))
        }
    }

    /// Returns true if a payment in this currency is possible: the configuration states this currency or no currency.
    package func takes(_ paid: Currency) -> Bool { currency.map { $0 == paid.numeric } ?? true }

    /// Returns a copy in which every amount is above the floor limit and no transaction begins at Start B, where no
    /// limit is checked.
    var onlineOnly: Configuration {
        var configuration = self
        configuration.autorun = nil
        configuration.combinations = combinations.map { combination in
            var combination = combination
            combination.limits.floor = 0
            // Kernel 2's limit and Kernel 8's may be configured as data objects, too.
            for tag in [Tag(0xDF8123), Tag(0x9F820D)] { combination.data[tag] = nil }
            if var visa = combination.kernel.visa {
                visa.dynamicLimits = visa.dynamicLimits.map { limit in
                    var limit = limit
                    limit.limits.floor = 0
                    return limit
                }
                combination.kernel.visa = visa
            }
            return combination
        }
        return configuration
    }
}

/// A kernel identifier as in tag 9F2A: 1 to 8 bytes, `03` for Kernel 3.
public struct KernelID: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    private let packed: UInt64
    /// 1 to 8.
    public let size: Int

    public init?(_ bytes: some Collection<UInt8>) {
        guard (1...8).contains(bytes.count) else { return nil }
        packed = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        size = bytes.count
    }

    /// Reads `size` bytes, the last of them in the lowest bits; allocates nothing.
    init?(packed: UInt64, size: Int) {
        guard (1...8).contains(size) else { return nil }
        self.packed = packed
        self.size = size
    }

    /// A kernel by its number.
    public init(number: UInt8) {
        packed = UInt64(number)
        size = 1
    }

    public init(integerLiteral value: UInt8) {
        self.init(number: value)
    }

    public var bytes: Bytes {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: packed >> (8 * UInt64($0))) }
    }

    /// The number of a kernel with a one-byte identifier.
    public var number: UInt8? { size == 1 ? UInt8(packed) : nil }

    public var description: String { number.map { "\($0)" } ?? Hex.string(bytes) }
}

/// Limits in minor units of ``Combination/currency``. Absent means "no such limit" and is not zero.
public struct Limits: Sendable, Hashable {
    /// Exceeded at amount ≥ limit (Book B, 3.1.1.5).
    public var transaction: UInt64?
    /// Exceeded at amount > limit (3.1.1.6).
    public var floor: UInt64?
    /// Used if `floor` is absent (3.1.1.7). Kernels receive it as tag 9F1B, which can only be configured here.
    public var terminalFloor: UInt64?
    /// Reached at amount ≥ limit (3.1.1.8).
    public var cvmRequired: UInt64?
    /// The transaction limit if the device verified its user.
    public var cdcvmTransaction: UInt64?

    public init(
        transaction: UInt64? = nil,
        floor: UInt64? = nil,
        terminalFloor: UInt64? = nil,
        cvmRequired: UInt64? = nil,
        cdcvmTransaction: UInt64? = nil
    ) {
        self.transaction = transaction
        self.floor = floor
        self.terminalFloor = terminalFloor
        self.cvmRequired = cvmRequired
        self.cdcvmTransaction = cdcvmTransaction
    }
}

extension Combination {
    /// How a zero amount is handled (Book B, 3.1.1.4).
    public enum ZeroAmount: String, Sendable, Hashable, CaseIterable {
        /// Allowed; asks for an online cryptogram.
        case online
        case notAllowed
        case offlineAllowed
    }
}

/// A public key of a certification authority: an RSA key, or for Kernel 8 a key on an elliptic curve.
public struct CAKey: Sendable, Hashable {
    /// A key on an elliptic curve (Book C-8, Table 4.3).
    public struct Curve: Sendable, Hashable {
        /// `10` is P-256. A key of another suite is kept but not checked, and counts as missing.
        public var suite: UInt8
        /// Big-endian; 32 bytes each on P-256.
        public var x: Bytes
        public var y: Bytes
        /// 32 bytes over RID, index, suite, x and y; without it the key's integrity is not checked.
        public var sha256: Bytes?

        public init(suite: UInt8 = 0x10, x: Bytes, y: Bytes, sha256: Bytes? = nil) {
            self.suite = suite
            self.x = x
            self.y = y
            self.sha256 = sha256
        }
    }

    /// 5 bytes.
    public var rid: Bytes
    public var index: UInt8
    /// 3 or 65537; 0 if the key is on a curve.
    public var exponent: UInt32
    /// Empty if the key is on a curve.
    public var modulus: Bytes
    /// 20 bytes over RID, index, modulus and exponent; without it the key's integrity is not checked.
    public var sha1: Bytes?
    /// The last day it may be used.
    public var expires: CalendarDate?
    /// True if the private key is public.
    public var isTest: Bool
    /// `nil`: an RSA key, which every kernel uses. Keys on a curve are for Kernel 8, which checks that they are points
    /// of the curve.
    public var curve: Curve?

    public init(
        rid: Bytes, index: UInt8, curve: Curve, expires: CalendarDate? = nil, isTest: Bool = false
    ) {
        self.init(rid: rid, index: index, exponent: 0, modulus: [], expires: expires, isTest: isTest)
        self.curve = curve
    }

    public init(
        rid: Bytes, index: UInt8, exponent: UInt32, modulus: Bytes,
        sha1: Bytes? = nil, expires: CalendarDate? = nil, isTest: Bool = false
    ) {
        self.rid = rid
        self.index = index
        self.exponent = exponent
        self.modulus = modulus
        self.sha1 = sha1
        self.expires = expires
        self.isTest = isTest
    }
}

/// A revoked issuer certificate.
public struct Revocation: Sendable, Hashable {
    /// 5 bytes.
    public var rid: Bytes
    public var index: UInt8
    /// 3 bytes.
    public var serial: Bytes

    public init(rid: Bytes, index: UInt8, serial: Bytes) {
        self.rid = rid
        self.index = index
        self.serial = serial
    }
}

/// A card on the exception list.
public struct ExceptionEntry: Sendable, Hashable {
    /// Compressed numeric, without padding: only an odd number of digits ends with F.
    public var pan: Bytes
    /// PAN sequence number as BCD; `nil`: any.
    public var sequence: UInt8?

    public init(pan: Bytes, sequence: UInt8? = nil) {
        self.pan = pan
        self.sequence = sequence
    }
}

extension ExceptionEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "exception (redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
