// SPDX-License-Identifier: Apache-2.0
/// One call for a payment: a tap and its authorisation, with nothing in between.
extension TapReader {
    /// A charge in progress.
    struct RunningCharge {
        /// The request as the app passed it.
        let request: PaymentRequest
        let number: Int
        var charge: Charge
        var task: Task<ChargeResult, Never>?
        /// The number of calls that wait for it.
        var waiting = 0
        /// The prelude that it holds before its payment.
        let prelude: PreludeHandle?
        /// Why the charge is being cancelled; `nil` if it is not.
        var interruption: CancelReason?
    }

    /// Returns the states of the charges at this reader from now on, beginning with the latest, for any number of
    /// listeners.
    public nonisolated func charges() -> AsyncStream<Charge> { chargeHub.subscribe() }

    /// Reads one card and asks its issuer: prepares the reader if needed, reads, authorises. Never throws.
    ///
    /// While it runs, a second call with its key and an equal request waits for the charge in progress (the second
    /// call's authoriser and PIN pad are not used), so that a button pressed twice charges once. After its end, and for
    /// another request, the key is used: ``ChargeResult/Ending/keyUsed(_:_:)``, with the result of that payment if
    /// there is a journal.
    /// Any other read or authorisation is refused as busy meanwhile.
    ///
    /// Each waiting call can be cancelled separately: it returns ``ChargeResult/Ending/running(_:)``, and the charge
    /// continues. When no waiting call is left, the charge is cancelled as a task is: a request that may have reached
    /// the host is reversed.
    ///
    /// - Parameters:
    ///   - request: best with a key that the app has stored before. Without one every call is a separate payment.
    ///   - authorizer: asks the issuer, and reverses the payment if necessary.
    ///   - pinPad: collects PINs; without one the ending is ``ChargeResult/Ending/pinRequested(_:_:)``.
    ///   - accessibility: the PIN pad guides people who do not see the keys, if it can.
    public func charge(
        _ request: PaymentRequest, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil,
        accessibility: Bool = false
    ) async -> ChargeResult {
        await charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), generation: nil)
    }

    /// - Parameter generation: of the calling session; `nil` means prepare if needed.
    func charge(
        _ request: PaymentRequest, _ means: Means, generation: Int?, prelude: PreludeHandle? = nil
    ) async -> ChargeResult {
        if let running = charging, let task = running.task, let key = request.key, running.charge.key == key {
            guard running.request == request else { return await told(.keyUsed(key, nil), request) }
            return await wait(for: task, running.number, running.charge.request)
        }
        guard charging == nil, machine.isIdle, !Task.isCancelled else {
            let outcome = await perform(.payment(request), generation: generation, prelude: prelude)
            return await told(unread(outcome), request)
        }
        let key = request.key ?? ReconciliationKey()
        chargeCount += 1
        let number = chargeCount, charge = Charge(request, key: key)
        machine.isReserved = true
        machine.isPadGiven = means.pinPad != nil
        let task = Task { await carryOut(charge.request, means, generation, prelude) }
        charging = RunningCharge(
            request: request, number: number, charge: charge, task: task, prelude: prelude)
        chargeHub.publish(charge)
        return await wait(for: task, number, charge.request)
    }

    /// Returns the result with the standing of the sale when the call ends.
    private func told(_ ending: ChargeResult.Ending, _ request: PaymentRequest) async -> ChargeResult {
        ChargeResult(ending, sale: await standing(of: request))
    }

    /// Returns the ending of a charge whose tap gave no read; for a used key it includes the result of that payment.
    private func unread(_ outcome: TapOutcome) async -> ChargeResult.Ending {
        guard case .failed(.refused(.keyUsed(let key))) = outcome, let journal = options.journal,
            let tap = try? await journal.tap(key)
        else { return ChargeResult.Ending(unread: outcome) }
        return ChargeResult.Ending(unread: outcome, try? await journal.settled(tap))
    }

    /// Returns the charge in progress that such a call waits for.
    private func running(_ request: PaymentRequest) -> RunningCharge? {
        guard let running = charging, running.task != nil, running.charge.key == request.key,
            running.request == request
        else { return nil }
        return running
    }

    /// Charges, and also returns the prelude that was held: the other charge's if the call joins a charge already in
    /// progress.
    func charge(
        _ request: PaymentRequest, _ means: Means, holding prelude: PreludeHandle
    ) async -> (result: ChargeResult, prelude: (any Prelude)?) {
        let joined = running(request)
        let held = joined == nil ? prelude : joined?.prelude
        return (await charge(request, means, generation: nil, prelude: prelude), held?.prelude)
    }

    private func wait(
        for task: Task<ChargeResult, Never>, _ number: Int, _ request: PaymentRequest
    ) async -> ChargeResult {
        guard let key = charging?.charge.key else { return await task.value }
        charging?.waiting += 1
        let answer = await race(nil, by: options.timer) { await task.value }
        // The charge has ended, and another one may already run.
        guard charging?.number == number else { return await task.value }
        charging?.waiting -= 1
        if case .value(let result) = answer { return result }
        guard charging?.waiting == 0 else { return await told(.running(key), request) }
        if charging?.interruption == nil { charging?.interruption = .taskCancelled }
        activity?.cancel()
        return await task.value
    }

    private func carryOut(
        _ request: PaymentRequest, _ means: Means, _ generation: Int?, _ prelude: PreludeHandle?
    ) async -> ChargeResult {
        let result = await told(ending(of: request, means, generation, prelude), request)
        machine.isReserved = false
        machine.isPadGiven = false
        if var charge = charging?.charge {
            charging = nil
            charge.end(result)
            chargeHub.publish(charge)
        }
        return result
    }

    private func ending(
        of request: PaymentRequest, _ means: Means, _ generation: Int?, _ prelude: PreludeHandle?
    ) async -> ChargeResult.Ending {
        if let reason = charging?.interruption { return .notRead(.cancelled(reason)) }
        if options.offline != nil, !(means.authorizer is any DeliveringAuthorizer) {
            return .notRead(.failed(.preparation(.offlineUndelivered)))
        }
        let outcome = await perform(
            .payment(request), generation: generation, isOfCharge: true, prelude: prelude)
        switch outcome {
        case .success(let read), .onlinePINRequired(let read):
            // Nothing has left yet. An approval by the card itself is kept.
            if let reason = charging?.interruption, read.authorization == .onlineRequired {
                return .failed([Problem(reason.code)], read)
            }
            return ChargeResult.Ending(await authorizeCharge(read, means), read)
        case .verified, .declined, .unreadable, .unsupportedNetwork, .limitExceeded, .onlinePINUnavailable,
            .tryAnotherInterface, .cancelled, .failed:
            return await unread(outcome)
        }
    }

    /// Events of the reader update its charge.
    func noteOfCharge(_ event: TapEvent) {
        guard var charge = charging?.charge, charge.note(event) else { return }
        charging?.charge = charge
        chargeHub.publish(charge)
    }

    /// The number of calls that wait for the charge in progress.
    var waitingCalls: Int { charging?.waiting ?? 0 }

    // MARK: - The parts of a charge, for apps that act in between

    /// See ``ReaderSession/authorize(_:with:pinPad:pin:accessibility:)``.
    public func authorize(
        _ read: CardRead, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil, pin: EncryptedPINBlock? = nil,
        accessibility: Bool = false
    ) async -> AuthorizationResult {
        await authorize(
            read, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), pin: pin)
    }
}
