// SPDX-License-Identifier: Apache-2.0
/// A prepared reader. It ends when the reader is disconnected or the app is suspended: then prepare again.
public struct ReaderSession: Sendable {
    let reader: TapReader
    let generation: Int

    /// See ``TapReader/events()``.
    public var events: AsyncStream<TapEvent> { reader.events() }

    /// Reads one card. Never throws: the card's result and the loss of the reader are outcomes. Cancelling the task
    /// ends the tap with ``TapOutcome/cancelled(_:)``.
    ///
    /// - Parameters:
    ///   - request: the payment to make.
    ///   - superseding: ends the current activity first; without it an activity in progress makes this tap fail with
    ///     `busy`.
    public func read(_ request: PaymentRequest, superseding: Bool = false) async -> TapOutcome {
        await reader.perform(.payment(request), generation: generation, superseding: superseding)
    }

    /// Reads a card without an amount: ``TapOutcome/verified(_:)``, never an approval.
    public func read(_ request: VerificationRequest, superseding: Bool = false) async -> TapOutcome {
        await reader.perform(.verification(request), generation: generation, superseding: superseding)
    }

    /// Reads and authorises in one call: see ``TapReader/charge(_:with:pinPad:accessibility:)``. If the reader is no
    /// longer prepared, it fails as a read does.
    public func charge(
        _ request: PaymentRequest, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil,
        accessibility: Bool = false
    ) async -> ChargeResult {
        await reader.charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            generation: generation)
    }

    /// Asks the issuer, with the deadline of the options, and gives its answer to the card if the kernel asks for that.
    ///
    /// An approval by the card is final without asking a host. A PIN that the card wants is collected first. If the
    /// issuer answers that it wants a PIN, the PIN is collected and the issuer is asked again. If anything interrupts
    /// this after the request may have left, the payment is reversed before this returns. Asking again for a read gives
    /// its first result again; another read of its key is refused. Cancelling the task interrupts.
    ///
    /// A waiting kernel (Start B or D) gets the result as Book A 8.1.1.22 defines: the data of an answer, an answer
    /// without data, or no answer. It may overrule an approval, which is reversed then, or ask for an online PIN, with
    /// which the issuer is asked once more.
    ///
    /// - Parameters:
    ///   - read: the card as read.
    ///   - authorizer: asks the issuer, and reverses the payment if necessary.
    ///   - pinPad: collects PINs; without one ``AuthorizationResult/Ending/pinRequested(_:)`` informs the app that the
    ///     issuer requests one.
    ///   - pin: collected by the app if the card wanted one.
    ///   - accessibility: the PIN pad guides people who do not see the keys, if it can.
    public func authorize(
        _ read: CardRead, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil, pin: EncryptedPINBlock? = nil,
        accessibility: Bool = false
    ) async -> AuthorizationResult {
        await reader.authorize(
            read, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), pin: pin)
    }

    /// Continues after ``AuthorizationResult/Ending/pinRequested(_:)`` with the PIN that the issuer wanted.
    public func authorize(
        _ read: CardRead, answering challenge: PINChallenge, with pin: EncryptedPINBlock
    ) async -> AuthorizationResult {
        await reader.authorize(read, answering: challenge, with: pin)
    }

    /// Ends a payment for which the issuer wanted a PIN that was not entered: the payment is reversed. The next read,
    /// and `cancel()`, do that as well.
    public func giveUp(_ read: CardRead) async -> AuthorizationResult {
        await reader.giveUp(read)
    }

    /// Gives an answer to a tap that waits for one (Start B or D) without an authoriser, for programs that talk to the
    /// host themselves; returns `failed(.nothingToComplete)` if no tap waits.
    ///
    /// - Parameters:
    ///   - answer: the issuer's answer, or why there is none.
    ///   - removalTimedOut: the removal time-out of the outcome passed before the answer came, for callers that measure
    ///     it; the reader measures it too.
    public func complete(_ answer: IssuerAnswer, removalTimedOut: Bool = false) async -> TapOutcome {
        await reader.complete(answer, removalTimedOut: removalTimedOut, generation: generation)
    }

    /// See ``TapReader/cancel()``.
    public func cancel() async {
        await reader.cancel()
    }
}
