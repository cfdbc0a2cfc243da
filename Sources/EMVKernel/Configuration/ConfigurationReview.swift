// SPDX-License-Identifier: Apache-2.0

extension Configuration {
    /// Describes how a reader will use a configuration, network by network, and lists settings that are probably
    /// mistakes: combinations that never approve, never go online, or approve payments that would never be reported. A
    /// review rejects nothing; ``CheckedConfiguration`` reports the errors for which a kernel rejects a configuration.
    ///
    ///     for remark in configuration.review().remarks { print(remark) }
    public struct Review: Sendable, Hashable {
        /// Amounts that may be approved without the issuer, as far as limits and terminal allow. In minor units.
        public enum OfflineAmounts: Sendable, Hashable {
            case none
            /// Up to and including this amount.
            case upTo(UInt64)
            case all
        }

        /// A combination.
        public struct Network: Sendable, Hashable {
            /// The place, written as in errors: `combinations[2]`.
            public var place: String
            /// The combination's name, or else that of its kernel's scheme.
            public var name: String
            public var aid: Bytes
            public var kernel: KernelID
            public var transactionTypes: [TransactionType]
            public var goesOnline: Bool
            public var offline: OfflineAmounts
            public var limits: Limits
            /// CA keys with which this network's cards can be authenticated on the day of the review.
            public var caKeys: Int
        }

        /// A setting that is probably a mistake, or that the app must provide for.
        public struct Remark: Sendable, Hashable {
            public enum Code: String, Sendable, Hashable, CaseIterable {
                /// No amount passes the transaction limit.
                case noAmountAllowed
                /// The combination is offline only, and either no CA key can authenticate a card or nothing allows
                /// offline approvals.
                case neverApproves
                /// The issuer is never asked.
                case neverGoesOnline
                /// Offline approvals are allowed and no CA key is usable: such cards are sent online or declined.
                case noUsableKey
                /// Offline approvals reach the issuer only through a journal (`TapReader.Options.journal`).
                case approvalsNeedAJournal
                /// The floor limit is not below the transaction limit: no amount is high enough to go online.
                case floorAboveTransaction
                /// Above the CVM limit no method verifies the cardholder.
                case noVerificationMethod
                /// A CA key whose private key is public and that is not allowed: it counts as missing.
                case testKey
                /// A CA key past its last day: it counts as missing.
                case expiredKey
                /// No combination has an AID of this RID.
                case keyWithoutNetwork
                /// The first day of the configuration is in the future.
                case notYetValid
                /// Kernel 8 needs a ``SecretCrypto``.
                case secretsNeeded
                /// The combination has limits but states no currency: they apply to amounts in any currency.
                case currencyNotStated
            }

            public var code: Code
            /// The place, written as in the configuration format: `combinations[2].limits`.
            public var place: String
            /// A text in English for the author of the configuration.
            public var text: String
        }

        public private(set) var networks: [Network] = []
        public private(set) var remarks: [Remark] = []
    }
}

extension Configuration.Review.Remark: CustomStringConvertible {
    public var description: String { "\(place): \(text)" }
}

extension Configuration {
    /// Returns how a reader will use this configuration.
    ///
    /// - Parameter day: used for the expiry of keys and for `validFrom`; `nil`: neither is checked.
    public func review(on day: CalendarDate? = nil) -> Configuration.Review {
        Configuration.Review(self, day)
    }
}

extension Configuration.Review {
    fileprivate init(_ configuration: Configuration, _ day: CalendarDate?) {
        if let day, let first = configuration.validFrom, first > day {
            add(.notYetValid, "validFrom", "the configuration is meant for \(first) and later")
        }
        let usable = keys(configuration, day)
        for (row, combination) in configuration.combinations.enumerated() {
            look(at: combination, row, configuration, usable)
        }
    }

    private mutating func add(_ code: Remark.Code, _ place: String, _ text: String) {
        remarks.append(Remark(code: code, place: place, text: text))
    }

    /// The keys that kernels will use.
    private mutating func keys(_ configuration: Configuration, _ day: CalendarDate?) -> [CAKey] {
        let rids = Set(configuration.combinations.map { Bytes($0.aid.prefix(5)) })
        var usable: [CAKey] = []
        for (row, key) in configuration.caKeys.enumerated() {
            let place = "caKeys[\(row)]"
            if !rids.contains(key.rid) {
                add(.keyWithoutNetwork, place, "no combination has an AID that begins with \(Hex.string(key.rid))")
            }
            if key.isTest, !configuration.protection.allowTestKeys {
                add(.testKey, place, "a test key, which protection.allowTestKeys does not allow: it counts as missing")
            } else if let day, let last = key.expires, last < day {
                add(.expiredKey, place, "its last day was \(last): it counts as missing")
            } else {
                usable.append(key)
            }
        }
        return usable
    }

    private mutating func look(
        at combination: Combination, _ row: Int, _ configuration: Configuration, _ usable: [CAKey]
    ) {
        let place = "combinations[\(row)]"
        let terminal = ConfiguredTerminal(configuration, combination)
        let onCurves = combination.kernel.id == 8
        let network = Network(
            place: place, name: combination.name.isEmpty ? "Kernel \(combination.kernel)" : combination.name,
            aid: combination.aid, kernel: combination.kernel.id,
            transactionTypes: combination.transactionTypes.isEmpty ? [.purchase] : combination.transactionTypes,
            goesOnline: terminal.goesOnline, offline: terminal.offline, limits: terminal.limits,
            caKeys: usable.count { $0.rid.elementsEqual(combination.aid.prefix(5)) && (onCurves || $0.curve == nil) })
        networks.append(network)

        if terminal.limits.transaction == 0 {
            add(.noAmountAllowed, place + ".limits", "the transaction limit is 0, so that no amount is allowed")
        }
        if !network.goesOnline {
            add(.neverGoesOnline, place, "no issuer is ever asked: \(terminal.whyOffline)")
            if network.offline == .none {
                add(.neverApproves, place, "never approves: it is offline only, and nothing allows offline approvals")
            } else if network.caKeys == 0 {
                add(.neverApproves, place, "never approves: it is offline only, and no CA key is usable")
            }
        }
        if network.offline != .none {
            if network.caKeys == 0, network.goesOnline {
                add(.noUsableKey, place, "no CA key is usable: cards that could be approved offline are not")
            }
            if network.caKeys > 0 {
                add(.approvalsNeedAJournal, place, "approvals without the issuer are reported by a journal alone")
            }
        }
        if let floor = terminal.limits.floor, let most = terminal.limits.transaction, floor >= most, floor > 0 {
            add(.floorAboveTransaction, place + ".limits", "the floor limit is not below the transaction limit")
        }
        if terminal.verifiesNobody {
            add(.noVerificationMethod, place, "above the CVM limit no method of the reader verifies the cardholder")
        }
        if combination.currency == nil, terminal.limits != Limits() {
            add(
                .currencyNotStated, place,
                "its limits are in no stated currency: 50.00 EUR and 5000 JPY are the same to it")
        }
        if onCurves { add(.secretsNeeded, place, "its kernel needs a SecretCrypto where the reader is made") }
    }
}

/// The terminal's and the combination's settings together, as a kernel sees them.
private struct ConfiguredTerminal {
    let combination: Combination
    private let type: UInt8
    private let ttq: Bytes?
    private let protection: Protection

    init(_ configuration: Configuration, _ combination: Combination) {
        self.combination = combination
        protection = combination.protection ?? configuration.protection
        type = (combination.data[0x9F35] ?? configuration.terminal[0x9F35])?.first ?? 0
        // Only Kernels 3, 6 and 7 use the qualifiers.
        let looks = combination.kernel.id.number.map { [3, 6, 7].contains($0) } ?? false
        ttq = looks ? combination.ttq.flatMap { $0.count == 4 ? $0 : nil } : nil
    }

    /// Terminal Type (Book 4, A1): x1 and x4 are online only, x3 and x6 offline only.
    private var kind: UInt8 { type & 0x0F }

    /// TTQ byte 1 bit 4 (Book A, Table 5-4).
    private var isOfflineOnlyReader: Bool { ttq.map { $0[0] & 0x08 != 0 } ?? false }

    private var hostIsAway: Bool { combination.kernel.americanExpress.map { !$0.onlineAvailable } ?? false }

    var goesOnline: Bool { kind != 3 && kind != 6 && !isOfflineOnlyReader && !hostIsAway }

    var whyOffline: String {
        if isOfflineOnlyReader { return "the TTQ say an offline-only reader" }
        return hostIsAway ? "its option onlineAvailable is false" : "the terminal type is offline only"
    }

    /// The combination's limits, including those that Kernels 2 and 8 may have as data objects.
    var limits: Limits {
        var limits = combination.limits
        func amount(_ tag: Tag) -> UInt64? {
            combination.data[tag].flatMap { UInt64(Hex.string($0)) }
        }
        switch combination.kernel.id {
        case 2:
            limits.floor = limits.floor ?? amount(0xDF8123)
            limits.transaction = limits.transaction ?? amount(0xDF8124)
            limits.cdcvmTransaction = limits.cdcvmTransaction ?? amount(0xDF8125)
            limits.cvmRequired = limits.cvmRequired ?? amount(0xDF8126)
        case 8:
            limits.floor = limits.floor ?? amount(0x9F820D)
        default:
            break
        }
        return limits
    }

    private var allowsOffline: Bool {
        switch protection.offline {
        case .off: false
        case .profile: protection.profile != .strict
        case .report, .enforce: true
        }
    }

    var offline: Configuration.Review.OfflineAmounts {
        guard kind != 1, kind != 4, allowsOffline else { return .none }
        // Except in profile `book`, nothing is approved offline without a floor limit (attacks.md, A19, A30).
        guard let floor = limits.floor ?? limits.terminalFloor else {
            return protection.profile == .book ? .all : .none
        }
        // For Kernel 5 an amount equal to the limit is already above it.
        let most = combination.kernel.id == 5 && floor > 0 ? floor - 1 : floor
        return most == 0 ? .none : .upTo(most)
    }

    /// Online PIN, signature (TTQ byte 1 bits 3 and 2) and the device's own verification (byte 3 bit 7).
    var verifiesNobody: Bool {
        guard let ttq, combination.limits.cvmRequired != nil else { return false }
        return ttq[0] & 0x06 == 0 && ttq[2] & 0x40 == 0
    }
}
