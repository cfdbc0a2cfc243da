// SPDX-License-Identifier: Apache-2.0
/// Whether a reader is prepared, and the progress of its preparation: a pure value without I/O, clock or task.
/// ``TapReader`` carries out its actions.
///
/// The reader or the app may go away at any time. The preparation in progress is then discarded, and its caller fails.
/// A later caller waits for its end and then for a new preparation, because the reader is opened only once at a time.
struct PreparationStateMachine: Sendable, Equatable {
    enum State: Sendable, Equatable {
        case unprepared
        case preparing(Stage, Progress)
        /// Each preparation has a higher number than the one before; sessions of an earlier one have ended.
        case prepared(generation: Int)
    }

    enum Stage: Sendable, Equatable {
        case configuration, keys, journal, reader, enrollment
    }

    struct Progress: Sendable, Equatable {
        /// The value of `departures` when the preparation began.
        let departures: Int
        let steps: Double
        var done = 0.0

        /// `nil` if the reader is the only step, because its duration is not known.
        var fraction: Double? { steps == 1 ? nil : done / steps }
    }

    struct Action: Sendable, Equatable {
        var events: [TapEvent] = []
        let operation: Operation
    }

    enum Operation: Sendable, Equatable {
        case checkConfiguration, checkKeys, openJournal, openReader, askEnrollment
        case finish(End)
        /// The state does not wait for this event.
        case unexpected
    }

    struct End: Sendable, Equatable {
        let error: PrepareError?
        /// The value of `departures` when the preparation began.
        let departures: Int
    }

    /// The next step of a caller of `prepare()`.
    enum Call: Sendable, Equatable {
        case finish(generation: Int)
        case fail(PrepareError)
        /// Waits for the preparation in progress.
        case wait
        case begin
    }

    private(set) var state = State.unprepared
    /// Incremented whenever the reader or the app goes away.
    private(set) var departures = 0
    private var preparations = 0
    let requiresCAKeys: Bool
    let hasEnrollment: Bool
    let hasJournal: Bool

    init(requiresCAKeys: Bool = false, hasEnrollment: Bool = false, hasJournal: Bool = false) {
        self.requiresCAKeys = requiresCAKeys
        self.hasEnrollment = hasEnrollment
        self.hasJournal = hasJournal
    }

    /// The generation of the current preparation; `nil` if the reader is not prepared.
    var generation: Int? {
        if case .prepared(let generation) = state { generation } else { nil }
    }

    // MARK: - Callers

    /// Returns the next step of a caller that asks for a prepared reader.
    func requested() -> Call {
        switch state {
        case .unprepared: .begin
        case .preparing: .wait
        case .prepared(let generation): .finish(generation: generation)
        }
    }

    /// Returns the next step of a caller whose preparation has ended.
    ///
    /// - Parameter asked: the value of `departures` when the caller asked.
    func ended(_ end: End, asked: Int) -> Call {
        if let error = end.error { return end.departures < asked ? requested() : .fail(error) }
        guard let generation else {
            return .fail(.reader(ReaderFault(.noReader, "The reader went away while it was prepared")))
        }
        return .finish(generation: generation)
    }

    // MARK: - The preparation

    /// - Parameter isChecked: the configuration was already checked; only its last day is checked again.
    mutating func began(isChecked: Bool) -> Action {
        guard case .unprepared = state else { return Action(operation: .unexpected) }
        let steps = (isChecked ? 0.0 : 1) + 1 + (hasEnrollment ? 1 : 0)
        let progress = Progress(departures: departures, steps: steps)
        state = .preparing(.configuration, progress)
        return Action(events: [.preparing(fraction: progress.fraction)], operation: .checkConfiguration)
    }

    /// - Parameter isNew: the check was a separate step.
    mutating func configurationChecked(_ error: PrepareError?, isNew: Bool) -> Action {
        guard case .preparing(.configuration, var progress) = state else { return Action(operation: .unexpected) }
        if let error { return fail(error, progress) }
        var events: [TapEvent] = []
        if isNew {
            progress.done += 1
            events = [.preparing(fraction: progress.done / progress.steps)]
        }
        guard requiresCAKeys else { return checked(progress, events) }
        state = .preparing(.keys, progress)
        return Action(events: events, operation: .checkKeys)
    }

    mutating func keysChecked(_ error: PrepareError?) -> Action {
        guard case .preparing(.keys, let progress) = state else { return Action(operation: .unexpected) }
        if let error { return fail(error, progress) }
        return checked(progress, [])
    }

    /// The reader is not opened for payments that could not be journalled.
    private mutating func checked(_ progress: Progress, _ events: [TapEvent]) -> Action {
        state = .preparing(hasJournal ? .journal : .reader, progress)
        return Action(events: events, operation: hasJournal ? .openJournal : .openReader)
    }

    mutating func journalOpened(_ error: JournalError?) -> Action {
        guard case .preparing(.journal, let progress) = state else { return Action(operation: .unexpected) }
        if let error { return fail(.journal(error), progress) }
        state = .preparing(.reader, progress)
        return Action(operation: .openReader)
    }

    mutating func readerOpened(_ fault: ReaderFault?) -> Action {
        guard case .preparing(.reader, var progress) = state else { return Action(operation: .unexpected) }
        if let fault { return fail(.reader(fault), progress) }
        guard hasEnrollment else { return succeed(progress, []) }
        progress.done += 1
        state = .preparing(.enrollment, progress)
        return Action(operation: .askEnrollment)
    }

    mutating func enrollmentAnswered(_ status: EnrollmentStatus) -> Action {
        guard case .preparing(.enrollment, let progress) = state else { return Action(operation: .unexpected) }
        let event = TapEvent.preparing(fraction: progress.done / progress.steps)
        guard status.problems.isEmpty else { return fail(.enrollment(status), progress, [event]) }
        return succeed(progress, [event])
    }

    /// Handles a defect: the reader is not prepared.
    mutating func failed() -> Action {
        let progress: Progress =
            if case .preparing(_, let progress) = state { progress } else { Progress(departures: departures, steps: 1) }
        return fail(.reader(ReaderFault(.failed, "The preparation failed")), progress)
    }

    // MARK: - Departures

    /// Notes that the reader or the app went away. Returns whether the reader was prepared until now.
    mutating func departed() -> Bool {
        departures += 1
        return lost()
    }

    /// Notes that a tap lost the reader, which has to be prepared again. Returns whether it was prepared until now.
    @discardableResult
    mutating func lost() -> Bool {
        guard case .prepared = state else { return false }
        state = .unprepared
        return true
    }

    private mutating func succeed(_ progress: Progress, _ events: [TapEvent]) -> Action {
        guard departures == progress.departures else {
            let fault = ReaderFault(.noReader, "The reader or the app went away during the preparation")
            return fail(.reader(fault), progress, events)
        }
        preparations += 1
        state = .prepared(generation: preparations)
        return Action(
            events: events + [.ready], operation: .finish(End(error: nil, departures: progress.departures)))
    }

    private mutating func fail(_ error: PrepareError, _ progress: Progress, _ events: [TapEvent] = []) -> Action {
        state = .unprepared
        return Action(
            events: events + [.notReady], operation: .finish(End(error: error, departures: progress.departures)))
    }
}
