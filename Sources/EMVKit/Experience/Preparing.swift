// SPDX-License-Identifier: Apache-2.0
/// Whether a reader could take a card now: known before any customer is there, without a card and without an amount.
public struct Readiness: Sendable, Hashable {
    /// What keeps the reader from being prepared; in order.
    public var blocking: [Problem]
    /// What will soon, or may.
    public var warnings: [Problem]

    public init(blocking: [Problem] = [], warnings: [Problem] = []) {
        self.blocking = blocking
        self.warnings = warnings
    }

    public var isReady: Bool { blocking.isEmpty }
}

extension TapReader {
    /// Checks the configuration, opens the reader and asks for the enrolment, in this order. Calls at the same time share one preparation; a
    /// prepared reader answers at once. A caller that is cancelled leaves the preparation to the others.
    public func prepare() async throws(PrepareError) -> ReaderSession {
        // A preparation from before the reader went away is void; who comes after that waits for its end, and for the next one.
        let asked = departures
        while generation == 0 {
            let shared = preparation ?? Preparation(self)
            preparation = shared
            switch await race(nil, by: options.timer, { await shared.task.value }) {
            case .value(_?) where shared.departures < asked: continue
            case .value(let error?): throw error
            case .value(nil): break
            case .deadlinePassed, .cancelled: throw .cancelled
            }
            break
        }
        guard !Task.isCancelled else { throw .cancelled }
        guard generation != 0 else {
            throw .reader(ReaderFault(.noReader, "The reader went away while it was prepared"))
        }
        return ReaderSession(reader: self, generation: generation)
    }

    /// Prepares the reader now and again whenever it comes back, until the task is cancelled. A transport that does not tell when it comes
    /// and goes is prepared once.
    public func keepPrepared() async {
        _ = try? await prepare()
        guard let presence = transport.presence() else { return }
        for await isThere in presence {
            if isThere {
                _ = try? await prepare()
            } else {
                await end(.readerDetached)
                departures += 1
                guard generation != 0 else { continue }
                generation = 0
                hub.publish(.readerDetached)
            }
        }
    }

    /// - Parameter includingReader: opens the reader, too, if it is not prepared.
    public func readiness(includingReader: Bool = false) async -> Readiness {
        var readiness = Readiness()
        if let error = check() { readiness.blocking += error.problems }
        if let error = missingKeys, options.requiresCAKeys { readiness.blocking += error.problems }
        if let error = missingKeys, !options.requiresCAKeys { readiness.warnings += error.problems }
        readiness.warnings += foreseeable
        if includingReader, generation == 0, let fault = await transport.open() {
            readiness.blocking.append(fault.problem)
        }
        readiness.blocking += await enrollmentStatus()?.problems ?? []
        return readiness
    }

    /// Steps of which some are known to be still to do; the work is not known where only the reader is left.
    fileprivate func open(after before: Int) async -> PrepareError? {
        defer { preparation = nil }
        let steps = (checked == nil ? 1.0 : 0) + 1 + (options.enrollment == nil ? 0 : 1)
        var done = 0.0
        hub.publish(.preparing(fraction: steps == 1 ? nil : 0))
        if checked == nil {
            if let error = check() { return failed(error) }
            done += 1
            hub.publish(.preparing(fraction: done / steps))
        } else if let error = expired {
            return failed(error)
        }
        if options.requiresCAKeys, let error = missingKeys { return failed(error) }
        if let fault = await transport.open() { return failed(.reader(fault)) }
        if let status = await enrollmentStatus() {
            hub.publish(.preparing(fraction: (done + 1) / steps))
            if !status.problems.isEmpty { return failed(.enrollment(status)) }
        }
        guard departures == before else {
            return failed(.reader(ReaderFault(.noReader, "The reader or the app went away during the preparation")))
        }
        preparations += 1
        generation = preparations
        hub.publish(.ready)
        return nil
    }

    private func failed(_ error: PrepareError) -> PrepareError {
        hub.publish(.notReady)
        return error
    }

    private func check() -> PrepareError? {
        if checked == nil {
            do throws(ConfigurationError) {
                checked = try CheckedConfiguration(configuration)
            } catch {
                return .configuration(error)
            }
        }
        return expired
    }

    /// The configuration may not be used any more.
    var expired: PrepareError? {
        guard let last = options.configurationLastDay, options.clock().date > last else { return nil }
        return .configurationExpired(last)
    }

    private func enrollmentStatus() async -> EnrollmentStatus? {
        guard let enrollment = options.enrollment else { return nil }
        return await enrollment.status(of: options.merchant)
    }

    /// Networks of the configuration without an authority key that is still valid.
    private var missingKeys: PrepareError? {
        let today = options.clock().date
        let valid = Set(configuration.caKeys.filter { $0.expires.map { $0 >= today } ?? true }.map(\.rid))
        var missing: [Bytes] = []
        for combination in configuration.combinations {
            let provider = Bytes(combination.aid.prefix(5))
            if !valid.contains(provider), !missing.contains(provider) { missing.append(provider) }
        }
        return missing.isEmpty ? nil : .caKeysMissing(missing)
    }

    /// What will have to be done, though nothing stands in the way today.
    private var foreseeable: [Problem] {
        let today = options.clock().date
        var problems: [Problem] = []
        if let last = options.configurationLastDay, today <= last, today.days(until: last) <= 30 {
            problems.append(Problem(.configurationExpiresSoon, detail: "last day \(last)"))
        }
        for key in configuration.caKeys where key.expires.map({ $0 < today }) ?? false {
            problems.append(Problem(.caKeyExpired, detail: "\(Hex.string(key.rid)) \(Hex.string([key.index]))"))
        }
        if configuration.caKeys.contains(where: \.isTest) { problems.append(Problem(.testKeys)) }
        return problems
    }
}

/// A preparation under way.
struct Preparation {
    let task: Task<PrepareError?, Never>
    /// Of the reader when it began.
    let departures: Int

    fileprivate init(_ reader: isolated TapReader) {
        let before = reader.departures
        departures = before
        task = Task { await reader.open(after: before) }
    }
}

extension CalendarDate {
    /// Days from here to there; 0 for the same day.
    func days(until other: CalendarDate) -> Int { other.number - number }

    /// Days since 1 March of the year 0, in the Gregorian calendar.
    private var number: Int {
        let shifted = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return 365 * shifted.0 + shifted.0 / 4 - shifted.0 / 100 + shifted.0 / 400 + (153 * shifted.1 + 2) / 5 + day - 1
    }
}
