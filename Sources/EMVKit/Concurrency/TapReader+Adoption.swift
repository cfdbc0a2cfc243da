// SPDX-License-Identifier: Apache-2.0
/// Replaces the configuration of a running reader: over the air, at night, without a restart. A reader has one
/// configuration per currency.
extension TapReader {
    /// Checks a configuration at once, and activates it between two taps. The reader stays prepared. A tap in progress,
    /// and one that waits for its issuer, end with the configuration they began with.
    ///
    /// It replaces the active configuration in its currency (``Configuration/currency``), and an update in that
    /// currency that waits for its day. Configurations in other currencies stay: a payment uses the configuration in
    /// its currency. A configuration without a currency applies to every payment, so it replaces all others, and any
    /// other replaces it.
    ///
    /// A rejected configuration changes nothing: the reader keeps its configurations, and an update that was adopted
    /// earlier still waits for its day.
    ///
    /// - Parameters:
    ///   - configuration: checked against every built-in kernel if the reader was created with all of them, otherwise
    ///     against the reader's kernels. Its ``Configuration/validFrom`` states the first day on which it is used.
    ///   - lastDay: the last day on which it may be used; replaces ``Options/configurationLastDay``.
    /// - Throws: ``PrepareError/configuration(_:)`` if a row is invalid, ``PrepareError/caKeysMissing(_:)`` if the
    ///   options require keys that it lacks, ``PrepareError/configurationExpired(_:)`` if its last day has passed.
    @discardableResult
    public func adopt(
        _ configuration: Configuration, lastDay: CalendarDate? = nil
    ) throws(PrepareError) -> Configuration.Adoption {
        let today = options.clock().date
        if let lastDay, today > lastDay { throw .configurationExpired(lastDay) }
        var held: HeldConfiguration
        do throws(ConfigurationError) {
            held = HeldConfiguration(configuration, checked: try check(configuration), lastDay: lastDay)
        } catch {
            throw .configuration(error)
        }
        if options.requiresCAKeys, let error = missingKeys(of: configuration) { throw error }
        // The identity is hashed now, not in a tap.
        _ = held.identity
        staged.removeAll { $0.currency == held.currency }
        staged.append(held)
        if let first = configuration.validFrom, first > today { return .from(first) }
        takeStaged()
        return staged.contains { $0.currency == held.currency } ? .afterThisTap : .taken
    }

    /// Returns the configuration that the next tap in this currency uses; `nil` if the reader has no configuration for
    /// it.
    public func configurationIdentity(for currency: Currency) -> Configuration.Identity? {
        takeStaged()
        if current.configuration.takes(currency) { return current.identity }
        guard let index = others.firstIndex(where: { $0.configuration.takes(currency) }) else { return nil }
        return others[index].identity
    }

    private func check(_ configuration: Configuration) throws(ConfigurationError) -> CheckedConfiguration {
        if hasEveryKernel { return try CheckedConfiguration(configuration, secrets: secrets) }
        if let checked = current.checked { return try checked.with(configuration) }
        return try CheckedConfiguration(configuration, kernels: kernels, secrets: secrets)
    }

    /// Activates staged configurations whose day has come. Called between two taps.
    func takeStaged() {
        guard !staged.isEmpty, machine.isIdle else { return }
        let today = options.clock().date
        let due = staged.filter { $0.isUsed(on: today) }
        staged.removeAll { $0.isUsed(on: today) }
        let inOrder = due.sorted { one, other in
            guard let day = other.configuration.validFrom else { return false }
            return one.configuration.validFrom.map { $0 < day } ?? true
        }
        for held in inOrder { take(held) }
    }

    private func take(_ new: HeldConfiguration) {
        var kept: [HeldConfiguration] = []
        for var held in [current] + others
        where new.currency != nil && held.currency != nil && held.currency != new.currency {
            // The first configuration of a reader that was never prepared is not checked yet. An invalid one is not
            // kept.
            if held.checked == nil { held.checked = try? check(held.configuration) }
            if held.checked != nil { kept.append(held) }
        }
        var new = new
        current = new
        others = kept
        hub.publish(.event(.adopted(new.identity)))
    }

    // MARK: - By currency

    /// Makes the configuration in this currency the current one, if the reader has it. Called between two taps.
    func select(_ currency: Currency) {
        guard machine.isIdle, !current.configuration.takes(currency),
            let index = others.firstIndex(where: { $0.configuration.takes(currency) })
        else { return }
        swap(&current, &others[index])
    }

    /// Returns why payments in this currency are not accepted; `nil` if they are.
    func problem(in paid: Currency) -> Problem? {
        guard !current.configuration.takes(paid), !others.contains(where: { $0.configuration.takes(paid) }) else {
            return nil
        }
        let held = ([current] + others).compactMap { $0.currency }
        let names = held.map { Currency(numeric: $0)?.code ?? "\($0)" }
        return Problem(
            .currencyNotConfigured,
            detail: "\(paid.code) at a reader configured in \(names.sorted().joined(separator: ", "))")
    }
}

/// A configuration of a reader, with the values derived from it.
struct HeldConfiguration {
    let configuration: Configuration
    /// `nil` if not checked yet.
    var checked: CheckedConfiguration?
    /// The checked configuration for taps at which no card may approve by itself.
    var onlineOnly: CheckedConfiguration?
    /// The last day on which it may be used.
    let lastDay: CalendarDate?
    lazy var identity = Configuration.Identity(configuration)

    init(_ configuration: Configuration, checked: CheckedConfiguration?, lastDay: CalendarDate?) {
        self.configuration = configuration
        self.checked = checked
        self.lastDay = lastDay
    }

    var currency: UInt16? { configuration.currency }

    /// Returns an error if the configuration may no longer be used.
    func expired(on today: @autoclosure () -> CalendarDate) -> PrepareError? {
        guard let lastDay, today() > lastDay else { return nil }
        return .configurationExpired(lastDay)
    }

    /// Returns whether its first day has come.
    func isUsed(on today: CalendarDate) -> Bool { configuration.validFrom.map { $0 <= today } ?? true }
}
