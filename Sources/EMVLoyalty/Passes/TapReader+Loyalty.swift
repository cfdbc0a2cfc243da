// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// What the total of a payment becomes by the passes of the same tap; `nil`: it stays.
///
/// It is asked where a pass came and a payment follows, with the passes as they are then, while the phone is in the
/// field and in the time that ``LoyaltyRequest/timeout`` leaves; an answer that is late is none. The total holds by the
/// rules of ``AmountChange``: it may only become lower, or as high as the ceiling of ``PaymentRequest/amountChange``.
public typealias LoyaltyPrice = @Sendable (LoyaltyResult) async -> AmountChange.Total?

/// What came of a read of passes without a payment. Never throws, never a payment.
public enum LoyaltyOutcome: Sendable, Hashable {
    case finished(LoyaltyResult)
    case cancelled(CancelReason)
    /// The reader could not take a phone. None of it is the phone's doing.
    case failed(TapFailure)

    /// `nil` where no phone was taken.
    public var result: LoyaltyResult? { if case .finished(let result) = self { result } else { nil } }
}

extension TapReader {
    /// Takes one phone and reads its passes, after having prepared the reader where that is needed. No payment
    /// application is selected, and nothing is counted or journalled as a payment. Without programmes the field stays
    /// off. Cancelling the task ends it.
    ///
    /// - Parameter waiting: how long to wait for a phone; `nil`: as the options of the reader say.
    public func read(
        _ request: LoyaltyRequest, with context: LoyaltyContext = LoyaltyContext(), waiting: Duration? = nil
    ) async -> LoyaltyOutcome {
        guard !request.programmes.isEmpty else { return .finished(LoyaltyResult([])) }
        let tap = LoyaltyTap(request, .passOnly, context, timer: timer)
        return await tap.outcome(await hold(tap, timeout: waiting))
    }

    /// Reads passes and a payment in one tap, after having prepared the reader where that is needed. Whatever becomes
    /// of the passes, the payment is what it would have been without them, unless `price` makes it another one. With
    /// ``LoyaltyRule/insteadOfPayment`` the payment is left out, and is `nil`, if a pass came: a pass that is still
    /// sealed when the payment would begin counts, whatever its key says later. The payment's key is used up all the
    /// same.
    public func read(
        _ payment: PaymentRequest, loyalty: LoyaltyRequest, _ rule: LoyaltyRule,
        with context: LoyaltyContext = LoyaltyContext(), price: LoyaltyPrice? = nil
    ) async -> (payment: TapOutcome?, loyalty: LoyaltyResult) {
        guard !loyalty.programmes.isEmpty else { return (await read(payment), LoyaltyResult([])) }
        let tap = LoyaltyTap(loyalty, rule.purpose, context, timer: timer, price: price)
        let outcome = await read(payment, after: tap)
        return (await tap.leaves(out: outcome) ? nil : outcome, await tap.result())
    }

    /// As ``charge(_:with:pinPad:accessibility:)``, with passes in the same tap: `charge` is `nil` where a pass took
    /// the payment's place. A call that waits for a charge under way gets that one's passes; a call that is left alone
    /// with ``ChargeResult/Ending/running(_:)`` gets them as they stand.
    ///
    /// - Parameters:
    ///   - context: what passes are opened with.
    ///   - price: what the total becomes by the passes; `nil`: it stays.
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
    /// Of a read without a payment.
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

    /// Of a charge.
    ///
    /// - Parameter held: the passes of the charge that this call waited for; `nil`: those of this one.
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
