// SPDX-License-Identifier: Apache-2.0
/// Another configuration for a reader that goes on: over the air, at night, without a restart (row I15).
extension TapReader {
    /// A configuration that was checked and waits for its time.
    struct StagedConfiguration {
        let checked: CheckedConfiguration
        let identity: ConfigurationIdentity
        let lastDay: CalendarDate?
    }

    /// Checks a configuration at once, and takes it between two taps. The reader stays prepared; a tap under way, and
    /// one that waits for its issuer, end with the configuration they began with.
    ///
    /// One that is refused changes nothing: the reader keeps the configuration that it has, and what was adopted before
    /// and waits for its day still waits. One that is accepted replaces what waited.
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
    ) throws(PrepareError) -> ConfigurationAdoption {
        if let lastDay, options.clock().date > lastDay { throw .configurationExpired(lastDay) }
        let staged: StagedConfiguration
        do throws(ConfigurationError) {
            staged = StagedConfiguration(
                checked: try check(configuration), identity: ConfigurationIdentity(configuration), lastDay: lastDay)
        } catch {
            throw .configuration(error)
        }
        if options.requiresCAKeys, let error = missingKeys(of: configuration) { throw error }
        self.staged = staged
        if let first = configuration.validFrom, first > options.clock().date { return .from(first) }
        takeStaged()
        return self.staged == nil ? .taken : .afterThisTap
    }

    /// Which configuration the next tap is taken with.
    public var configurationIdentity: ConfigurationIdentity {
        takeStaged()
        return identity
    }

    private func check(_ configuration: Configuration) throws(ConfigurationError) -> CheckedConfiguration {
        if hasEveryKernel { return try CheckedConfiguration(configuration, secrets: secrets) }
        if let checked { return try checked.with(configuration) }
        return try CheckedConfiguration(configuration, kernels: kernels, secrets: secrets)
    }

    /// Between two taps: what waits for its time is taken when that has come.
    func takeStaged() {
        guard let staged, machine.isIdle else { return }
        let configuration = staged.checked.configuration
        if let first = configuration.validFrom, first > options.clock().date { return }
        self.staged = nil
        self.configuration = configuration
        checked = staged.checked
        onlineOnly = nil
        lastDay = staged.lastDay
        identity = staged.identity
        hub.publish(.adopted(staged.identity))
    }
}
