// SPDX-License-Identifier: Apache-2.0
/// Another configuration for a reader that goes on: over the air, at night, without a restart (row I15). A reader has
/// one configuration in each currency.
extension TapReader {
    /// Checks a configuration at once, and takes it between two taps. The reader stays prepared; a tap under way, and
    /// one that waits for its issuer, end with the configuration they began with.
    ///
    /// It takes the place of the one in the same currency (``Configuration/currency``), and of an update in that
    /// currency that waits for its day. Those in other currencies stay: a payment is taken with the configuration in
    /// its currency. One that states no currency is for every payment, so it takes the place of all, and any other
    /// takes its place.
    ///
    /// One that is refused changes nothing: the reader keeps the configurations that it has, and what was adopted
    /// before and waits for its day still waits.
    ///
    /// - Parameters:
    ///   - configuration: with every built-in kernel where the reader was made so, else with the reader's kernels. Its
    ///     ``Configuration/validFrom`` says from which day on it is used.
    ///   - lastDay: on which it may be used; it stands in for ``Options/configurationLastDay``.
    /// - Throws: ``PrepareError/configuration(_:)`` where a row is not right, ``PrepareError/caKeysMissing(_:)`` where
    ///   the options ask for keys that it has not, ``PrepareError/configurationExpired(_:)`` where its last day has
    ///   passed.
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
        // Hashed now, not in a tap.
        _ = held.identity
        staged.removeAll { $0.currency == held.currency }
        staged.append(held)
        if let first = configuration.validFrom, first > today { return .from(first) }
        takeStaged()
        return staged.contains { $0.currency == held.currency } ? .afterThisTap : .taken
    }

    /// Which configuration the next tap in this currency is taken with; `nil`: the reader has none for it.
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

    /// Between two taps: what waits for its time is taken when that has come.
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
            // The first one of a reader that was never prepared. One that is not right is not kept.
            if held.checked == nil { held.checked = try? check(held.configuration) }
            if held.checked != nil { kept.append(held) }
        }
        var new = new
        current = new
        others = kept
        hub.publish(.adopted(new.identity))
    }

    // MARK: - By currency

    /// Between two taps: the configuration in this currency becomes the current one, if the reader has it.
    func select(_ currency: Currency) {
        guard machine.isIdle, !current.configuration.takes(currency),
            let index = others.firstIndex(where: { $0.configuration.takes(currency) })
        else { return }
        swap(&current, &others[index])
    }

    /// Why nothing in this currency is taken; `nil`: it is.
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

/// A configuration of a reader, and what was made of it.
struct HeldConfiguration {
    let configuration: Configuration
    /// `nil`: not checked yet.
    var checked: CheckedConfiguration?
    /// Of the same configuration, for taps at which no card may approve by itself.
    var onlineOnly: CheckedConfiguration?
    /// On which it may be used.
    let lastDay: CalendarDate?
    lazy var identity = Configuration.Identity(configuration)

    init(_ configuration: Configuration, checked: CheckedConfiguration?, lastDay: CalendarDate?) {
        self.configuration = configuration
        self.checked = checked
        self.lastDay = lastDay
    }

    var currency: UInt16? { configuration.currency }

    /// It may not be used any more.
    func expired(on today: @autoclosure () -> CalendarDate) -> PrepareError? {
        guard let lastDay, today() > lastDay else { return nil }
        return .configurationExpired(lastDay)
    }

    /// Its first day has come.
    func isUsed(on today: CalendarDate) -> Bool { configuration.validFrom.map { $0 <= today } ?? true }
}
