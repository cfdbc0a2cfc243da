// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// Returns the total of a payment after the passes of the tap; `nil` keeps the total.
///
/// It is called if a pass was received and a payment follows, with the passes known by then, while the phone is in the
/// field and within the time that ``LoyaltyRequest/timeout`` leaves; a late answer is ignored. The new total is subject
/// to the rules of `AmountChange`: it may only become lower, or as high as the ceiling of
/// `PaymentRequest.amountChange`.
public typealias LoyaltyPrice = @Sendable (LoyaltyResult) async -> AmountChange.Total?

/// The outcome of a read of passes without a payment. The read never throws and never becomes a payment.
public enum LoyaltyOutcome: Sendable, Hashable {
    case finished(LoyaltyResult)
    case cancelled(CancelReason)
    /// The reader could not read a phone. The phone is not the cause.
    case failed(TapFailure)

    /// `nil` if no phone was read.
    public var result: LoyaltyResult? { if case .finished(let result) = self { result } else { nil } }
}

extension TapReader {
    /// Reads the passes of one phone; prepares the reader first if needed. No payment application is selected, and no
    /// payment is counted or journalled. Without programmes the field stays off. Cancelling the task ends the read.
    ///
    /// - Parameter waiting: how long to wait for a phone; `nil` uses the reader's options.
    public func read(
        _ request: LoyaltyRequest, with context: LoyaltyContext = LoyaltyContext(), waiting: Duration? = nil
    ) async -> LoyaltyOutcome {
        guard !request.programmes.isEmpty else { return .finished(LoyaltyResult([])) }
        let tap = LoyaltyTap(request, .passOnly, context, timer: timer)
        return await tap.outcome(await hold(tap, timeout: waiting))
    }

    /// Reads passes and a payment in one tap; prepares the reader first if needed. The passes never change the payment,
    /// unless `price` changes its total. With ``LoyaltyRule/insteadOfPayment`` the payment is left out, and is `nil`,
    /// if a pass was received: a pass that is still sealed when the payment would begin counts, even if it cannot be
    /// opened later. The payment's key is used up even then.
    public func read(
        _ payment: PaymentRequest, loyalty: LoyaltyRequest, _ rule: LoyaltyRule,
        with context: LoyaltyContext = LoyaltyContext(), price: LoyaltyPrice? = nil
    ) async -> (payment: TapOutcome?, loyalty: LoyaltyResult) {
        guard !loyalty.programmes.isEmpty else { return (await read(payment), LoyaltyResult([])) }
        let tap = LoyaltyTap(loyalty, rule.purpose, context, timer: timer, price: price)
        let outcome = await read(payment, after: tap)
        return (await tap.leaves(out: outcome) ? nil : outcome, await tap.result())
    }

    /// Works like ``charge(_:with:pinPad:accessibility:)``, with passes in the same tap: `charge` is `nil` if a pass
    /// replaced the payment. A call that waits for a charge in progress gets the passes of that charge; a call that
    /// ends with ``ChargeResult/Ending/running(_:)`` gets the passes known by then.
    ///
    /// - Parameters:
    ///   - context: opens the passes.
    ///   - price: returns the total after the passes; `nil` keeps the total.
    public func charge(
        _ payment: PaymentRequest, loyalty: LoyaltyRequest, _ rule: LoyaltyRule,
        context: LoyaltyContext = LoyaltyContext(), price: LoyaltyPrice? = nil, with authorizer: any Authorizer,
        pinPad: (any PINPad)? = nil, accessibility: Bool = false
    ) async -> (charge: ChargeResult?, loyalty: LoyaltyResult) {
        guard !loyalty.programmes.isEmpty else {
            let result = await charge(payment, with: authorizer, pinPad: pinPad, accessibility: accessibility)
            return (result, LoyaltyResult([]))
        }
        let tap = LoyaltyTap(loyalty, rule.purpose, context, timer: timer, price: price)
        let (result, held) = await charge(
            payment, holding: tap, with: authorizer, pinPad: pinPad, accessibility: accessibility)
        return await tap.results(result, of: held as? LoyaltyTap)
    }
}

extension LoyaltyTap {
    /// The outcome of a read without a payment.
    func outcome(_ held: PreludeOutcome) async -> LoyaltyOutcome {
        switch held {
        case .held: return .finished(await result())
        case .linkFailed(let fault):
            let entries = request.programmes.map { LoyaltyResult.Entry($0.id, .unreadable(.link(fault))) }
            return .finished(LoyaltyResult(entries))
        case .cancelled(let reason): return .cancelled(reason)
        case .failed(let failure): return .failed(failure)
        }
    }

    /// The results of a charge.
    ///
    /// - Parameter held: the passes of the charge that this call waited for; `nil` for the passes of this one.
    func results(
        _ result: ChargeResult, of held: LoyaltyTap?
    ) async -> (charge: ChargeResult?, loyalty: LoyaltyResult) {
        let tap = held ?? self
        var passes: LoyaltyResult
        if case .running = result.ending { passes = await tap.current } else { passes = await tap.result() }
        if tap !== self {
            passes = LoyaltyResult(
                request.programmes.map { LoyaltyResult.Entry($0.id, passes[$0.id] ?? .notAsked(.noPhone)) })
        }
        return (await tap.leaves(out: result) ? nil : result, passes)
    }

    func leaves(out outcome: TapOutcome) -> Bool { hasStopped && outcome == .cancelled(.requested) }
    func leaves(out result: ChargeResult) -> Bool { hasStopped && result.ending == .notRead(.cancelled(.requested)) }
}
