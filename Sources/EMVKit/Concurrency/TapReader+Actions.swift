// SPDX-License-Identifier: Apache-2.0
/// Carries out the actions of ``ReaderStateMachine``. Nothing is decided here.
extension TapReader {
    // MARK: - Calls

    /// - Parameter generation: of the calling session; `nil` means prepare if needed.
    /// - Parameter isOfCharge: the call is part of the charge in progress.
    /// - Parameter prelude: gets the first card before the kernel does.
    func perform(
        _ purpose: TapRecord.Purpose, generation: Int?, superseding: Bool = false, isOfCharge: Bool = false,
        prelude: PreludeHandle? = nil
    ) async -> TapOutcome {
        if superseding { while !machine.isIdle || charging != nil { await end(.superseded) } }
        takeStaged()
        var record = TapRecord(purpose, counter: machine.counter, moment: options.clock).paid(to: options.payee)
        select(record.currency)
        record.configuration = current.identity
        record.isSimulated = transport.isSimulated
        return await tap(
            machine.readRequested(
                record, unfit: problem(in: record.currency), generation: generation,
                expired: current.expired(on: options.clock().date),
                isCancelled: Task.isCancelled,
                isOfCharge: isOfCharge, prelude: prelude))
    }

    func complete(_ answer: IssuerAnswer, removalTimedOut: Bool, generation: Int) async -> TapOutcome {
        let reply = machine.completion(answer, removalTimedOut: removalTimedOut)
        let isTaken = reply.map { reply in withSession { $0.takes(reply) } == true } ?? false
        return await tap(
            machine.completionRequested(reply, isTaken: isTaken, generation: generation), isCompletion: true)
    }

    func authorize(_ read: CardRead, _ means: Means, pin: EncryptedPINBlock?) async -> AuthorizationResult {
        await authorization(
            machine.authorizationRequested(read, means, pin: pin, isCancelled: Task.isCancelled), read)
    }

    /// Authorises as part of the charge in progress.
    func authorizeCharge(_ read: CardRead, _ means: Means) async -> AuthorizationResult.Ending {
        await authorizationEnding(
            machine.authorizationRequested(read, means, isCancelled: Task.isCancelled, isOfCharge: true), read)
    }

    /// Continues after ``AuthorizationResult/Ending/pinRequested(_:)`` with the PIN that the issuer wanted.
    public func authorize(
        _ read: CardRead, answering challenge: PINChallenge, with pin: EncryptedPINBlock
    ) async -> AuthorizationResult {
        await authorization(machine.pinBrought(read, challenge, pin), read)
    }

    /// See ``ReaderSession/giveUp(_:)``.
    public func giveUp(_ read: CardRead) async -> AuthorizationResult {
        await authorization(machine.giveUpRequested(read), read)
    }

    func end(_ reason: CancelReason) async {
        if let task = charging?.task {
            if charging?.interruption == nil { charging?.interruption = reason }
            _ = await answer(machine.endRequested(reason))
            _ = await task.value
            // Another charge may have begun after this call.
            guard charging == nil else { return }
        }
        _ = await answer(machine.endRequested(reason))
    }

    private func tap(_ action: ReaderAction, isCompletion: Bool = false) async -> TapOutcome {
        let isRun = action.isRun
        guard case .tap(let outcome) = await answer(action) else { return .failed(.internal) }
        meter?.ended(outcome, tap: isRun ? lastTap : nil, isCompletion: isCompletion, isRun: isRun)
        return outcome
    }

    private func authorization(_ action: ReaderAction, _ read: CardRead) async -> AuthorizationResult {
        let ending = await authorizationEnding(action, read)
        return AuthorizationResult(ending, sale: await standing(of: read.tap?.request))
    }

    private func authorizationEnding(_ action: ReaderAction, _ read: CardRead) async -> AuthorizationResult.Ending {
        let isRun = action.isRun
        if case .authorization(let ending) = await answer(action) {
            meter?.ended(ending, of: read, isRun: isRun)
            return ending
        }
        return read.key.map { .unknown($0) } ?? .failed([Problem(.kernelDefect)])
    }

    /// Returns the standing of the request's sale in the journal.
    func standing(of request: PaymentRequest?) async -> SaleStanding {
        guard let request, let sale = request.sale, let journal = options.journal else { return .notTracked }
        guard let taps = try? await journal.taps(of: sale) else { return .unknown }
        return SaleAccount.standing(of: taps, request)
    }

    /// Returns the ending of a request, either at once or when its activity ends.
    func answer(_ action: ReaderAction) async -> ReaderAction.Ending {
        carryOut(action.effects)
        switch action.operation {
        case .finish(let ending): return ending
        case .run: return await runActivity()
        case .cancelActivity:
            activity?.cancel()
            _ = await activity?.value
            return .released
        default: return .released
        }
    }

    // MARK: - The activity

    /// Runs as a separate task, because its callers may be cancelled. The reader is idle again when it returns.
    private func runActivity() async -> ReaderAction.Ending {
        let task = Task {
            noteCancellation()
            var action = machine.started()
            while true {
                carryOut(action.effects)
                machine.reuse(&action.effects)
                if case .finish(let ending) = action.operation {
                    noteCard(false)
                    activity = nil
                    return ending
                }
                action = await carryOut(action.operation)
                wipeResponse(before: action.operation)
            }
        }
        activity = task
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Once the kernel has read a response it is no longer needed: it is overwritten, unless the transport has kept a
    /// copy.
    private func wipeResponse(before next: ReaderAction.Operation) {
        if case .reply(.response) = next { return }
        response.wipe()
        response = []
    }

    /// The journal postpones its maintenance while a card is present.
    private func noteCard(_ isPresent: Bool) {
        guard isPresent != hasCard else { return }
        hasCard = isPresent
        options.journal?.cardIsPresent(isPresent)
    }

    private func noteCancellation() {
        if Task.isCancelled { machine.taskCancelled() }
    }

    func carryOut(_ effects: [ReaderAction.Effect]) {
        for effect in effects {
            switch effect {
            case .publish(let event):
                hub.publish(.event(event))
                meter?.note(event)
                noteOfCharge(event)
            case .show(let draft):
                hub.publish(.prompt(draft))
                if charging != nil { noteOfCharge(.prompt(draft.prompt(options.texts))) }
            case .dropSession:
                removalTimer?.cancel()
                session = nil
                transaction = nil
                inUse = nil
            case .startRemovalTimer(let key, let timeout): startRemovalTimer(key, timeout)
            case .stopRemovalTimer: removalTimer?.cancel()
            case .startPromptTimer(let tap, let hold): startPromptTimer(tap, hold)
            }
        }
    }

    /// Carries out the operation and returns the action that follows its result.
    private func carryOut(_ operation: ReaderAction.Operation) async -> ReaderAction {
        switch operation {
        case .prepare:
            let error = await preparationError()
            noteCancellation()
            return machine.prepared(error)
        case .beginSession(let record, let isOnlineOnly):
            return machine.sessionBegan(beginSession(record, isOnlineOnly))
        case .beginAgain(let record): return beginAgain(record)
        case .consultJournal, .seal, .append, .lookUp: return await journal(operation)
        case .announce(let record):
            lastTap = record
            await transport.begin(record)
            return report { machine.tapAnnounced($0) }
        case .waitForCard(let poll):
            noteCard(false)
            let event = await transport.waitForCard(poll)
            noteCard(event == .card)
            noteCancellation()
            return machine.cardArrived(event)
        case .holdPrelude(let handle):
            let (end, isReaderGone) = await lendCard(to: handle)
            noteCancellation()
            return machine.preludeHeld(end, isReaderGone: isReaderGone)
        case .exchange(let command):
            meter?.commands += 1
            noteCard(true)
            let exchange = await exchangeAndWork(command)
            if case .response(let bytes, _) = exchange { response = bytes }
            noteCancellation()
            return machine.exchanged(exchange)
        case .sleep(let duration):
            try? await options.timer.sleep(for: duration)
            noteCancellation()
            return machine.timePassed()
        case .fieldOff(let hold):
            noteCard(false)
            await transport.fieldOff(for: hold)
            noteCancellation()
            return machine.fieldSwitchedOff()
        case .findLimit(let query): return machine.limitFound(limit(query))
        case .askAmount(let change, let question):
            let answer = await race(change.deadline, by: options.timer) { await change.decide(question) }
            noteCancellation()
            return machine.amountAnswered(answer)
        case .reply, .replyIfTaken, .replyCard, .resume, .giveAmount:
            give(operation)
            return report { machine.stepTaken($0) }
        case .askIssuer, .askStatus, .collectPIN, .reverse: return await ask(operation)
        case .none, .finish, .run, .cancelActivity, .unexpected:
            assertionFailure("the reader was told what it does not wait for")
            return machine.failed()
        }
    }

    /// Calls a part of the app. Each call has a deadline; a call that misses it is abandoned.
    private func ask(_ operation: ReaderAction.Operation) async -> ReaderAction {
        let timer = options.timer, deadline = options.authorizationDeadline
        switch operation {
        case .askIssuer(let request, let means):
            requests += 1
            let number = requests
            awaited = number
            let answer = await race(deadline, by: timer) { [weak self] in
                let decision = try? await means.authorizer.authorize(request)
                if let decision { await self?.answerArrived(decision, to: request.key, number) }
                return decision
            }
            awaited = nil
            noteCancellation()
            return machine.issuerAnswered(answer)
        case .askStatus(let key, let means):
            let answer = await race(deadline, by: timer) { try? await means.authorizer.status(of: key) }
            noteCancellation()
            return machine.statusAnswered(answer)
        case .collectPIN(let request, let means):
            let entry = await race(request.timeout, by: timer) {
                await means.pinPad?.collectPIN(request) ?? .failed([Problem(.pinPadMissing)])
            }
            noteCancellation()
            return machine.pinCollected(entry)
        case .reverse(let reversal, let means):
            let answer = await Task {
                await race(deadline, by: timer) {
                    do {
                        try await means.authorizer.reverse(reversal)
                        return true
                    } catch {
                        return false
                    }
                }
            }.value
            noteCancellation()
            if case .value(true) = answer { return machine.reversed(true) }
            return machine.reversed(false)
        default: return machine.failed()
        }
    }

    /// A late answer changes nothing; the journal stores it.
    private func answerArrived(_ decision: IssuerDecision, to key: ReconciliationKey, _ number: Int) async {
        guard let journal = options.journal, awaited != number else { return }
        switch decision {
        case .approved(let approval): try? await journal.append([.answeredLate(.approved(approval))], to: key)
        case .declined(let decline): try? await journal.append([.answeredLate(.declined(decline))], to: key)
        case .chipRequested(let code, let data):
            let decline = Decline(reason: .chipRequested, responseCode: code, issuerData: data)
            try? await journal.append([.answeredLate(.declined(decline))], to: key)
        case .pinRequested, .failed: break
        }
    }

    // MARK: - The journal

    /// Completes each journal operation, even if a caller is cancelled.
    private func journal(_ operation: ReaderAction.Operation) async -> ReaderAction {
        guard let journal = options.journal else { return machine.failed() }
        switch operation {
        case .consultJournal(let record):
            let answer = await Task { await consult(journal, record) }.value
            noteCancellation()
            return machine.journalConsulted(answer)
        case .seal(let read):
            let sealer = options.sealer, fingerprints = options.fingerprints
            let stored = await Task { try? await StoredRead.of(read, sealer: sealer, fingerprints: fingerprints) }
                .value
            noteCancellation()
            return machine.sealed(stored)
        case .append(let events, let key, let limits):
            let error: JournalError? = await Task {
                do throws(JournalError) {
                    try await journal.append(events, to: key, within: limits)
                    return nil
                } catch {
                    return error
                }
            }.value
            noteCancellation()
            return machine.journaled(error)
        case .lookUp(let key):
            let answer: Result<JournaledTap?, JournalError> = await Task {
                do throws(JournalError) { return .success(try await journal.tap(key)) } catch { return .failure(error) }
            }.value
            noteCancellation()
            return machine.tapFound(answer)
        default: return machine.failed()
        }
    }

    /// A card may approve by itself only if the approval can be delivered to a host.
    private nonisolated func consult(
        _ journal: any Journal, _ record: TapRecord
    ) async -> Result<ReaderStateMachine.Consultation, JournalError> {
        do throws(JournalError) {
            let standing = try await journal.standing()
            let stop = record.request.flatMap { options.offline?.limits.stops($0.mostAmount, at: standing) }
            return .success(
                ReaderStateMachine.Consultation(
                    counter: try await journal.nextCounter(from: options.firstCounter),
                    isOnlineOnly: options.sealer == nil || standing.isFull || stop != nil
                        || options.offline == nil && !options.takesCardApprovals))
        } catch {
            return .failure(error)
        }
    }

    private func preparationError() async -> PrepareError? {
        do throws(PrepareError) {
            _ = try await prepare()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - The kernel

    private func beginSession(_ record: TapRecord, _ isOnlineOnly: Bool) -> ConfigurationError? {
        guard var checked = current.checked else { return nil }
        do throws(ConfigurationError) {
            if isOnlineOnly {
                if current.onlineOnly == nil { current.onlineOnly = try checked.onlineOnly() }
                checked = current.onlineOnly ?? checked
            }
            inUse = checked
            try begin(record, checked)
            return nil
        } catch {
            return error
        }
    }

    private func begin(_ record: TapRecord, _ checked: CheckedConfiguration) throws(ConfigurationError) {
        let transaction = record.transaction(random: options.random, autorun: checked.configuration.autorun)
        session = try KernelSession(checked, transaction, memory: memory, reader: remembered, keepsPresented: true)
        self.transaction = transaction
    }

    private func beginAgain(_ record: TapRecord) -> ReaderAction {
        guard let inUse else { return machine.failed() }
        // Frees the session first: its memory is used by the next one.
        session = nil
        do throws(ConfigurationError) {
            try begin(record, inUse)
        } catch {
            return machine.begunAgain(.failure(error))
        }
        return report { machine.begunAgain(.success($0)) }
    }

    private func give(_ operation: ReaderAction.Operation) {
        switch operation {
        case .reply(let reply): give(reply)
        case .replyIfTaken(let reply): giveIfTaken(reply)
        case .replyCard:
            giveIfTaken(.removed)
            giveIfTaken(.collisionCleared)
            give(.card)
        case .resume(let reply): withSession { $0.advance(reply) }
        case .giveAmount(let amount):
            transaction?.amount = amount.minorUnits
            give(.data(([0x9F02: amount.numeric] as DataObjects).encoded))
        default: break
        }
    }

    private func give(_ reply: Reply) {
        withSession { $0.advance($0.takes(reply) ? reply : .abandon) }
    }

    private func giveIfTaken(_ reply: Reply) {
        withSession { if $0.takes(reply) { $0.advance(reply) } }
    }

    /// Reports the kernel's state to the machine.
    private func report(_ event: (KernelReport) -> ReaderAction) -> ReaderAction {
        let report = withSession {
            KernelReport(
                step: $0.step, messages: $0.messages, presented: $0.presented, presentations: $0.taps,
                fieldOff: $0.fieldOff)
        }
        guard let report else { return machine.failed() }
        noteCancellation()
        return event(report)
    }

    /// Calls `body` with the session, if there is one. The session is taken out and put back, because every borrow of
    /// this property would allocate.
    @discardableResult
    private func withSession<Result>(_ body: (inout KernelSession) -> Result) -> Result? {
        guard var open = session.take() else { return nil }
        let result = body(&open)
        session = consume open
        return result
    }

    private func limit(_ query: ReaderAction.LimitQuery) -> LimitRule? {
        guard let transaction, let checked = inUse else { return nil }
        return switch query {
        case .all: checked.limitRule(for: transaction)
        case .offered(let applications): checked.limitRule(for: transaction, offered: applications)
        }
    }

    /// Certificates are processed while the card is working. If the executor blocks during an exchange, the processing
    /// comes first.
    private func exchangeAndWork(_ command: Bytes) async -> Exchange {
        guard withSession({ $0.hasWork() }) == true else { return await transport.transceive(command) }
        async let exchange = transport.transceive(command)
        withSession { while $0.work() {} }
        return await exchange
    }

    // MARK: - Timers

    private func startRemovalTimer(_ key: ReconciliationKey, _ timeout: Duration) {
        let timer = options.timer
        removalTimer?.cancel()
        removalTimer = Task { [weak self] in
            do { try await timer.sleep(for: timeout) } catch { return }
            await self?.removalTimePassed(key)
        }
    }

    private func removalTimePassed(_ key: ReconciliationKey) {
        guard !Task.isCancelled else { return }
        carryOut(machine.removalTimePassed(key).effects)
    }

    private func startPromptTimer(_ tap: Int, _ hold: Duration) {
        let timer = options.timer
        Task { [weak self] in
            try? await timer.sleep(for: hold)
            await self?.promptTimePassed(tap)
        }
    }

    private func promptTimePassed(_ tap: Int) {
        carryOut(machine.promptTimePassed(tap).effects)
    }
}

extension ReaderStateMachine.Policy {
    init(_ options: TapReader.Options) {
        returnsImmediately = options.returnReadResultImmediately
        hasPINPad = options.hasPINPad
        cardTimeout = options.cardTimeout
        waitsForEmptyField = options.waitsForEmptyField
        issuerUpdateTimeout = options.issuerUpdateTimeout
        pinDeadline = options.pinDeadline
        maximumPINRequests = options.maximumPINRequests
        reversalAttempts = options.reversalAttempts
        keepsApprovals = options.keepsApprovals
        authorizationDeadline = options.authorizationDeadline
        hasJournal = options.journal != nil
        hasSealer = options.sealer != nil
        offline = options.offline
        takesCardApprovals = options.takesCardApprovals
    }
}
