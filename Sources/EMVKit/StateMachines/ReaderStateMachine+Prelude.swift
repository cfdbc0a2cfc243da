// SPDX-License-Identifier: Apache-2.0
/// Handles a dialogue of the app, before the kernel's dialogue or without a payment. Without a prelude none of these
/// states is entered.
///
/// | before a payment | without one |
/// |---|---|
/// | `waitingForCard` of the tap | `preparingPrelude`, `waitingForPrelude` |
/// | `holdingPrelude` | `holdingPrelude` |
/// | `pricing`, if the prelude gave another total | |
/// | the kernel, `leavingCard`, or the end of the tap | `closingPrelude` |
extension ReaderStateMachine {
    /// After this number of failed card activations in a row the reader stops waiting.
    static let maximumActivationFaults = 5

    // MARK: - Without a payment

    /// - Parameters:
    ///   - generation: of the calling session; `nil` means any current preparation.
    ///   - expired: why the configuration may no longer be used.
    ///   - isCancelled: the caller is cancelled.
    mutating func preludeRequested(
        _ prelude: PreludeRun, generation: Int? = nil, expired: PrepareError? = nil, isCancelled: Bool = false
    ) -> ReaderAction {
        guard isIdle, !isReserved, parked == nil, challenge == nil else {
            return act(.finish(.prelude(.failed(.busy))))
        }
        if let generation, generation != preparation.generation {
            return act(.finish(.prelude(.failed(.notPrepared))))
        }
        if isCancelled { return act(.finish(.prelude(.cancelled(.taskCancelled)))) }
        if let expired { return act(.finish(.prelude(.failed(.preparation(expired))))) }
        return accept(.hold(prelude))
    }

    mutating func prepare(_ prelude: PreludeRun) -> ReaderAction {
        if let interruption { return finishPrelude(.cancelled(interruption)) }
        state = .preparingPrelude(prelude)
        return act(.prepare)
    }

    mutating func prepared(_ prelude: PreludeRun, _ error: PrepareError?) -> ReaderAction {
        if let interruption { return finishPrelude(.cancelled(interruption)) }
        if let error { return finishPrelude(.failed(.preparation(error))) }
        let request = UIRequest(message: .presentCard, status: .readyToRead)
        prompt(prelude.handle.prelude.invitation, request)
        return waitForCard(prelude)
    }

    private mutating func waitForCard(_ prelude: PreludeRun) -> ReaderAction {
        publish(.waitingForCard)
        state = .waitingForPrelude(prelude)
        let timeout = prelude.timeout ?? policy.cardTimeout
        return act(.waitForCard(Poll(timeout: timeout, annotation: prelude.handle.annotation)))
    }

    private mutating func cardArrived(_ event: CardEvent, _ waiting: PreludeRun) -> ReaderAction {
        var prelude = waiting
        if event == .readerGone {
            preparation.lost()
            return finishPrelude(.cancelled(.readerDetached))
        }
        if let interruption { return close(.cancelled(interruption)) }
        switch event {
        case .card:
            publish(.cardDetected)
            return hold(prelude)
        case .collision:
            publish(.severalCards)
            return waitForCard(prelude)
        case .fault(let fault):
            prelude.faults += 1
            guard prelude.faults < ReaderStateMachine.maximumActivationFaults else { return close(.linkFailed(fault)) }
            return waitForCard(prelude)
        case .inUse(let fault):
            guard prelude.held == nil else { return close(.failed(.reader(fault))) }
            prelude.held = fault
            publish(.cardInUse(fault))
            return waitForCard(prelude)
        case .collisionCleared, .removed: return waitForCard(prelude)
        case .nothing, .readerGone: return close(.cancelled(.timedOut))
        }
    }

    private mutating func close(_ outcome: PreludeOutcome) -> ReaderAction {
        state = .closingPrelude(outcome)
        return act(.fieldOff(.zero))
    }

    mutating func finishPrelude(_ outcome: PreludeOutcome) -> ReaderAction {
        publish(outcome == .cancelled(.readerDetached) ? .readerDetached : standing)
        return finish(.prelude(outcome))
    }

    var isPreludeAlone: Bool {
        switch state {
        case .starting(.hold), .preparingPrelude, .waitingForPrelude, .closingPrelude: true
        case .holdingPrelude(let prelude): prelude.kernel == nil
        default: false
        }
    }

    // MARK: - Before a payment

    /// Returns the prelude of the tap, the first time it is called.
    mutating func takePrelude(_ run: KernelRun) -> PreludeRun? {
        guard run.isOfTap, let handle = prelude else { return nil }
        prelude = nil
        return PreludeRun(handle: handle, kernel: run)
    }

    mutating func hold(_ prelude: PreludeRun) -> ReaderAction {
        state = .holdingPrelude(prelude)
        return act(.holdPrelude(prelude.handle))
    }

    /// Handles a card event if the reader waits for a card without a kernel, or for the removal of one; returns `nil`
    /// in other states.
    mutating func cardArrivedForPrelude(_ event: CardEvent) -> ReaderAction? {
        switch state {
        case .waitingForPrelude(let prelude): cardArrived(event, prelude)
        case .leavingCard(let run): cardLeft(event, run)
        default: nil
        }
    }

    private mutating func cardLeft(_ event: CardEvent, _ run: KernelRun) -> ReaderAction {
        if event == .readerGone { return readerGone(run) }
        if let interruption { return end(run, .cancelled(interruption)) }
        switch event {
        // The transport does not report removals.
        case .card:
            publish(.cardDetected)
            return compute(run, .replyCard)
        case .nothing, .readerGone: return end(run, .cancelled(.cardLeft))
        case .removed, .collision, .collisionCleared, .fault, .inUse:
            publish(.waitingForCard)
            state = .waitingForCard(run)
            return act(.waitForCard(Poll(timeout: run.tap.timeout)))
        }
    }

    // MARK: - Its end

    /// - Parameters:
    ///   - next: the next step according to the prelude.
    ///   - isReaderGone: a command found the reader disconnected.
    mutating func preludeHeld(_ next: PreludeEnd, isReaderGone: Bool = false) -> ReaderAction {
        guard case .holdingPrelude(let prelude) = state else { return act(.unexpected) }
        guard let run = prelude.kernel else { return endAlone(next, isReaderGone) }
        if isReaderGone { return readerGone(run) }
        if let interruption { return end(run, .cancelled(interruption)) }
        guard next.next != .stop, let total = next.total, let request = run.tap.base,
            let changed = request.changed(to: total), changed.amount != request.amount
        else { return follow(next, run) }
        return pay(changed, next, run)
    }

    private mutating func follow(_ next: PreludeEnd, _ run: KernelRun) -> ReaderAction {
        switch next.next {
        case .payment: compute(run, .replyCard)
        case .presentAgain: presentAgain(next.text, run)
        case .stop: stop(next.text, run)
        }
    }

    /// Restarts the kernel, because it has already checked its limits with the earlier amount.
    private mutating func pay(_ changed: PaymentRequest, _ next: PreludeEnd, _ start: KernelRun) -> ReaderAction {
        var run = start
        run.tap.pay(changed)
        if next.next == .payment {
            prompt(UIRequest(message: run.tap.shown ?? .presentCard, status: .processing), run.tap)
        }
        state = .pricing(run, next)
        return act(.beginAgain(run.tap.record))
    }

    /// - Parameter answer: the kernel's first step, or why there is no such step.
    mutating func begunAgain(_ answer: Result<KernelReport, ConfigurationError>) -> ReaderAction {
        guard case .pricing(let run, let next) = state else { return act(.unexpected) }
        switch answer {
        case .failure(let error): return end(run, .failed(.invalidRequest(error)))
        case .success(let report):
            // The kernel does not accept this amount.
            guard case .poll = report.step else { return take(report, run) }
            if let interruption { return end(run, .cancelled(interruption)) }
            return follow(next, run)
        }
    }

    private mutating func endAlone(_ next: PreludeEnd, _ isReaderGone: Bool) -> ReaderAction {
        if isReaderGone {
            preparation.lost()
            return finishPrelude(.cancelled(.readerDetached))
        }
        if let interruption { return close(.cancelled(interruption)) }
        prompt(next.text, UIRequest(message: .cardReadOK, status: .cardRead))
        publish(.cardRead)
        return close(.held)
    }

    private mutating func presentAgain(_ text: TextKey?, _ start: KernelRun) -> ReaderAction {
        var run = start
        let request = run.tap.note(UIRequest(message: .presentAgain, status: .readyToRead))
        prompt(text, request, run.tap.record.purpose)
        publish(.presentAgain)
        state = .leavingCard(run)
        return act(.waitForCard(Poll(removalFirst: true, timeout: run.tap.timeout)))
    }

    /// Shows the prelude's text as the last message of the tap.
    private mutating func stop(_ text: TextKey?, _ start: KernelRun) -> ReaderAction {
        var run = start
        prompt(text, UIRequest(message: .cardReadOK, status: .cardRead))
        publish(.cardRead)
        run.tap.shown = nil
        run.tap.hold = .zero
        return end(run, .cancelled(.requested))
    }

    /// Shows a message with the prelude's own text.
    private mutating func prompt(_ key: TextKey?, _ request: UIRequest, _ purpose: TapRecord.Purpose? = nil) {
        order(.show(PromptDraft(request: request, purpose: purpose, key: key)))
    }
}

/// A prelude in progress.
struct PreludeRun: Sendable, Equatable {
    let handle: PreludeHandle
    /// How long to wait for a card without a payment; `nil` means the time in the options.
    var timeout: Duration?
    /// The payment that follows; `nil` if there is no payment.
    var kernel: KernelRun?
    /// Failed activations in a row.
    var faults = 0
    /// The fault of another program that keeps the card, once it was reported.
    var held: ReaderFault?
}
