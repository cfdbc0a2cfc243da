// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// A configuration that the kernel has checked, row by row. Immutable, shared by any number of sessions and threads.
@safe
public final class CheckedConfiguration: Sendable {
    public let configuration: Configuration
    /// ``Configuration/currency``.
    let currency: UInt16?
    let kernels: [Kernel]
    private let secrets: SecretCrypto?
    /// Every pointer that the kernel keeps points into this memory, which is not written after `init`.
    private nonisolated(unsafe) let memory: ConfigurationMemory
    nonisolated(unsafe) let checked: OpaquePointer

    /// Checks the configuration for every built-in kernel; Kernel 8 only if a combination names it.
    ///
    /// - Parameter secrets: only Kernel 8 needs it. Without it a combination of Kernel 8 is rejected
    ///   (``ConfigurationError/Field/secretCrypto``).
    public convenience init(
        _ configuration: Configuration, secrets: SecretCrypto? = nil
    ) throws(ConfigurationError) {
        try self.init(configuration, kernels: .all(for: configuration), secrets: secrets)
    }

    /// Checks the configuration for these kernels only. Throws an error for the first wrong row; nothing is guessed or
    /// repaired.
    public init(
        _ configuration: Configuration, kernels: [Kernel], secrets: SecretCrypto? = nil
    ) throws(ConfigurationError) {
        try configuration.checkCurrency()
        let memory = ConfigurationMemory()
        var rows = try unsafe memory.rows(configuration, kernels, secrets)
        let size = unsafe cemv_checked_size(&rows)
        var checked: OpaquePointer?
        var error = cemv_config_error()
        let status = unsafe cemv_configuration_check(&rows, memory.allocate(size), size, &checked, &error)
        guard status == CEMV_OK, let result = unsafe checked else {
            throw ConfigurationError(status: status, error: error, configuration: configuration, kernels: kernels)
        }
        self.configuration = configuration
        currency = configuration.currency
        self.kernels = kernels
        self.secrets = secrets
        unsafe self.memory = memory
        unsafe self.checked = result
    }

    /// Checks another configuration for the kernels of this one.
    package func with(_ configuration: Configuration) throws(ConfigurationError) -> CheckedConfiguration {
        try CheckedConfiguration(configuration, kernels: kernels, secrets: secrets)
    }

    /// Returns a copy with every floor limit at zero: every card is asked to go online.
    package func onlineOnly() throws(ConfigurationError) -> CheckedConfiguration {
        try CheckedConfiguration(configuration.onlineOnly, kernels: kernels, secrets: secrets)
    }

    /// Returns the limit that keeps this transaction's combinations from being used, for display: the highest if there
    /// are several.
    public func limitRule(for transaction: Transaction) -> LimitRule {
        limitRule(for: transaction) { _ in true } ?? .other
    }

    /// Like ``limitRule(for:)``, but only for combinations whose applications the card offers; `nil` if no limit blocks
    /// any of them.
    public func limitRule(for transaction: Transaction, offered: [Bytes]) -> LimitRule? {
        limitRule(for: transaction) { aid in offered.contains { $0.starts(with: aid) } }
    }

    private func limitRule(for transaction: Transaction, among isMeant: (Bytes) -> Bool) -> LimitRule? {
        var row = unsafe cemv_transaction(transaction)
        var found: LimitRule?
        for index in unsafe 0..<memory.combinationCount {
            let combination = unsafe memory.combinations + index
            guard unsafe cemv_combination_takes(combination, row.type) else { continue }
            guard isMeant(configuration.combinations[index].aid) else { continue }
            let indicators = unsafe cemv_preprocess(combination, &row)
            guard indicators.not_allowed else { continue }
            let rule = LimitRule(indicators.blocked_by, configuration.combinations[index].limits, transaction.money)
            found = found.map { $0.widened(rule) } ?? rule
        }
        return found
    }
}

extension LimitRule {
    fileprivate init(_ blockedBy: UInt8, _ limits: Limits, _ money: (UInt64) -> Money?) {
        switch Int32(blockedBy) {
        case Int32(CEMV_LIMIT_TRANSACTION.rawValue): self = .transactionLimit(limits.transaction.flatMap(money))
        case CEMV_BLOCKED_BY_ZERO_AMOUNT: self = .zeroAmount
        default: self = .other
        }
    }

    /// Returns the rule to report when two combinations are both blocked.
    fileprivate func widened(_ rule: LimitRule) -> LimitRule {
        if case .transactionLimit(let one?) = self, case .transactionLimit(let other?) = rule {
            return .transactionLimit(one.minorUnits < other.minorUnits ? other : one)
        }
        return self == rule ? self : .other
    }
}
