// SPDX-License-Identifier: Apache-2.0

extension Configuration {
    /// What a reader will do with a configuration, network by network, and what in it can hardly be meant: combinations
    /// that never approve, never go online, or approve what nobody would report. Nothing here refuses anything; what a
    /// kernel refuses, ``CheckedConfiguration`` names.
    ///
    ///     for remark in configuration.review().remarks { print(remark) }
    public struct Review: Sendable, Hashable {
        /// Amounts that a card may be approved for without its issuer, as far as limits and terminal go. In minor
        /// units.
        public enum OfflineAmounts: Sendable, Hashable {
            case none
            /// This amount is the largest.
            case upTo(UInt64)
            case all
        }

        /// A combination.
        public struct Network: Sendable, Hashable {
            /// As in errors: `combinations[2]`.
            public var place: String
            /// The combination's own, or that of its kernel's scheme.
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

        /// Something that can hardly be meant, or that the app must provide for.
        public struct Remark: Sendable, Hashable {
            public enum Code: String, Sendable, Hashable, CaseIterable {
                /// No amount passes the transaction limit.
                case noAmountAllowed
                /// Offline only, and nothing with which a card could be authenticated, or nothing allows offline
                /// approvals.
                case neverApproves
                /// No issuer is ever asked.
                case neverGoesOnline
                /// Offline approvals are allowed and no CA key is usable: such cards are sent online or declined.
                case noUsableKey
                /// Approvals without an issuer reach it only from a journal (`TapReader.Options.journal`).
                case approvalsNeedAJournal
                /// The floor limit is not below the transaction limit: no amount is sent online for its height.
                case floorAboveTransaction
                /// Above the CVM limit nothing verifies the cardholder.
                case noVerificationMethod
                /// A CA key whose private half is public, and that is not allowed: it counts as missing.
                case testKey
                /// A CA key past its last day: it counts as missing.
                case expiredKey
                /// No combination has an AID of this RID.
                case keyWithoutNetwork
                /// The first day of the configuration is still to come.
                case notYetValid
                /// Kernel 8 needs a ``SecretCrypto``.
                case secretsNeeded
                /// The combination has limits and states no currency: they count in whatever is paid in.
                case currencyNotStated
            }

            public var code: Code
            /// Where it stands, in the words of the configuration format: `combinations[2].limits`.
            public var place: String
            /// English, for whoever writes configurations.
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
    /// What a reader will do.
    ///
    /// - Parameter day: for expiry of keys and `validFrom`; `nil`: neither is looked at.
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

/// Terminal and combination together, as a kernel sees them.
private struct ConfiguredTerminal {
    let combination: Combination
    private let type: UInt8
    private let ttq: Bytes?
    private let protection: Protection

    init(_ configuration: Configuration, _ combination: Combination) {
        self.combination = combination
        protection = combination.protection ?? configuration.protection
        type = (combination.data[0x9F35] ?? configuration.terminal[0x9F35])?.first ?? 0
        // Kernels 3, 6 and 7 alone look at the qualifiers.
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

    /// Those of the combination, with what Kernels 2 and 8 may have as data objects.
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
        // Outside the profile of the books nothing is approved offline without a floor limit (attacks.md, A19, A30).
        guard let floor = limits.floor ?? limits.terminalFloor else {
            return protection.profile == .book ? .all : .none
        }
        // Kernel 5 takes an amount that reaches the limit for one above it.
        let most = combination.kernel.id == 5 && floor > 0 ? floor - 1 : floor
        return most == 0 ? .none : .upTo(most)
    }

    /// Online PIN, signature (TTQ byte 1 bits 3 and 2) and the device's own verification (byte 3 bit 7).
    var verifiesNobody: Bool {
        guard let ttq, combination.limits.cvmRequired != nil else { return false }
        return ttq[0] & 0x06 == 0 && ttq[2] & 0x40 == 0
    }
}
