// SPDX-License-Identifier: Apache-2.0
extension TapReader {
    /// Whether a reader could accept a card now, before a customer is there, without a card and without an amount.
    public struct Readiness: Sendable, Hashable {
        /// The problems that keep the reader from being prepared, in order.
        public var blocking: [Problem]
        /// The problems that will soon block it, or may.
        public var warnings: [Problem]

        public init(blocking: [Problem] = [], warnings: [Problem] = []) {
            self.blocking = blocking
            self.warnings = warnings
        }

        public var isReady: Bool { blocking.isEmpty }
    }
}

extension TapReader {
    /// Checks the configuration, opens the reader and asks for the enrolment, in this order. Concurrent calls share one
    /// preparation; a prepared reader returns at once. If one caller is cancelled, the preparation continues for the
    /// others.
    public func prepare() async throws(PrepareError) -> ReaderSession {
        takeStaged()
        let asked = machine.preparation.departures
        var call = machine.preparation.requested()
        while true {
            switch call {
            case .finish(let generation):
                guard !Task.isCancelled else { throw .cancelled }
                return ReaderSession(reader: self, generation: generation)
            case .fail(let error): throw error
            case .begin:
                let first = machine.preparation.began(isChecked: current.checked != nil)
                preparation = Task { await self.carryOut(first) }
            case .wait: break
            }
            guard let shared = preparation else { throw .cancelled }
            switch await race(nil, by: options.timer, { await shared.value }) {
            case .value(let end): call = machine.preparation.ended(end, asked: asked)
            case .deadlinePassed, .cancelled: throw .cancelled
            }
        }
    }

    /// Prepares the reader now and again whenever it is reconnected, until the task is cancelled. A transport that does
    /// not report connections is prepared once.
    public func keepPrepared() async {
        _ = try? await prepare()
        guard let presence = transport.presence() else { return }
        for await isThere in presence {
            if isThere {
                _ = try? await prepare()
            } else {
                await end(.readerDetached)
                carryOut(machine.departed(.readerDetached).effects)
            }
        }
    }

    /// - Parameter includingReader: opens the reader, too, if it is not prepared.
    public func readiness(includingReader: Bool = false) async -> TapReader.Readiness {
        var readiness = TapReader.Readiness()
        if let error = check() { readiness.blocking += error.problems }
        if let error = missingKeys, options.requiresCAKeys { readiness.blocking += error.problems }
        if let error = missingKeys, !options.requiresCAKeys { readiness.warnings += error.problems }
        readiness.warnings += foreseeable
        if includingReader, machine.preparation.generation == nil, let fault = await openReader() {
            readiness.blocking.append(fault.problem)
        }
        readiness.blocking += await enrollmentStatus()?.problems ?? []
        return readiness
    }

    private func carryOut(_ first: PreparationStateMachine.Action) async -> PreparationStateMachine.End {
        var action = first
        while true {
            for event in action.events { hub.publish(.event(event)) }
            switch action.operation {
            case .checkConfiguration:
                let isNew = current.checked == nil
                action = machine.preparation.configurationChecked(check(), isNew: isNew)
            case .checkKeys: action = machine.preparation.keysChecked(missingKeys)
            case .openJournal: action = machine.preparation.journalOpened(await openJournal())
            case .openReader: action = machine.preparation.readerOpened(await openReader())
            case .askEnrollment:
                let status = await enrollmentStatus() ?? .required(termsVersion: "")
                action = machine.preparation.enrollmentAnswered(status)
            case .finish(let end): return end
            case .unexpected:
                assertionFailure("the preparation was told what it does not wait for")
                action = machine.preparation.failed()
            }
        }
    }

    /// Opens the reader, or waits for an opening that an earlier preparation abandoned: only one opening runs at a
    /// time.
    private func openReader() async -> ReaderFault? {
        let task =
            opening
            ?? Task {
                let fault = await transport.open()
                opening = nil
                return fault
            }
        opening = task
        switch await race(options.openDeadline, by: options.timer, { await task.value }) {
        case .value(let fault): return fault
        case .deadlinePassed:
            // An opening that has finished by now is not late, however busy the machine was.
            if opening == nil { return await task.value }
            return ReaderFault(.failed, "The reader did not open in time; it is still being opened")
        case .cancelled: return ReaderFault(.failed, "The opening of the reader was cancelled")
        }
    }

    private func openJournal() async -> JournalError? {
        guard let journal = options.journal else { return .notOpen }
        do throws(JournalError) {
            _ = try await journal.open()
            return nil
        } catch {
            return error
        }
    }

    private func check() -> PrepareError? {
        if current.checked == nil {
            do throws(ConfigurationError) {
                current.checked = try CheckedConfiguration(current.configuration, kernels: kernels, secrets: secrets)
            } catch {
                return .configuration(error)
            }
            // The identity is hashed now, not in the first tap.
            _ = current.identity
        }
        if options.offline != nil,
            options.journal == nil || options.sealer == nil || options.fingerprints == nil
        {
            return .offlineUnjournaled
        }
        return expired
    }

    /// The error if every configuration has expired.
    var expired: PrepareError? {
        guard others.allSatisfy({ $0.expired(on: options.clock().date) != nil }) else { return nil }
        return current.expired(on: options.clock().date)
    }

    private func enrollmentStatus() async -> EnrollmentStatus? {
        guard let enrollment = options.enrollment else { return nil }
        let merchant = options.merchant
        let answer = await race(options.enrollmentDeadline, by: options.timer) { await enrollment.status(of: merchant) }
        guard case .value(let status) = answer else { return .unanswered }
        return status
    }

    /// The networks of a configuration that have no authority key that is still valid.
    private var missingKeys: PrepareError? {
        ([current] + others).lazy.compactMap { self.missingKeys(of: $0.configuration) }.first
    }

    func missingKeys(of configuration: Configuration) -> PrepareError? {
        let today = options.clock().date
        let valid = Set(configuration.caKeys.filter { $0.expires.map { $0 >= today } ?? true }.map(\.rid))
        var missing: [Bytes] = []
        for combination in configuration.combinations {
            let provider = Bytes(combination.aid.prefix(5))
            if !valid.contains(provider), !missing.contains(provider) { missing.append(provider) }
        }
        return missing.isEmpty ? nil : .caKeysMissing(missing)
    }

    /// Problems that will need action, though nothing blocks the reader today.
    private var foreseeable: [Problem] {
        let today = options.clock().date
        var problems: [Problem] = []
        for held in [current] + others {
            if let last = held.lastDay, today <= last, today.days(until: last) <= 30 {
                problems.append(Problem(.configurationExpiresSoon, detail: "last day \(last)"))
            }
            let keys = held.configuration.caKeys
            for key in keys where key.expires.map({ $0 < today }) ?? false {
                problems.append(Problem(.caKeyExpired, detail: "\(Hex.string(key.rid)) \(Hex.string([key.index]))"))
            }
            if keys.contains(where: \.isTest) { problems.append(Problem(.testKeys)) }
        }
        var told: Set<Problem> = []
        return problems.filter { told.insert($0).inserted }
    }
}

extension CalendarDate {
    /// Returns the days from this date to `other`; 0 for the same day.
    func days(until other: CalendarDate) -> Int { other.number - number }

    /// Days since 1 March of the year 0, in the Gregorian calendar.
    private var number: Int {
        let shifted = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return 365 * shifted.0 + shifted.0 / 4 - shifted.0 / 100 + shifted.0 / 400 + (153 * shifted.1 + 2) / 5 + day - 1
    }
}
