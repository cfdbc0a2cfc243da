// SPDX-License-Identifier: Apache-2.0
/// A prepared reader. It is over when the reader goes, or the app is suspended: then prepare again.
public struct ReaderSession: Sendable {
    let reader: TapReader
    let generation: Int

    /// See ``TapReader/events()``.
    public var events: AsyncStream<TapEvent> { reader.events() }

    /// Takes one card. Never throws: what a card did and the loss of the reader are outcomes.
    /// Cancelling the task ends the tap with ``TapOutcome/cancelled(_:)``.
    ///
    /// - Parameter superseding: ends what is under way first; otherwise that makes this tap fail with `busy`.
    public func read(_ request: PaymentRequest, superseding: Bool = false) async -> TapOutcome {
        await reader.perform(.payment(request), generation: generation, superseding: superseding)
    }

    /// Reads a card without an amount: ``TapOutcome/verified(_:)``, never an approval.
    public func read(_ request: VerificationRequest, superseding: Bool = false) async -> TapOutcome {
        await reader.perform(.verification(request), generation: generation, superseding: superseding)
    }

    /// Reads and authorises in one call: see ``TapReader/charge(_:with:pinPad:accessibility:)``. Where the reader is no
    /// longer prepared, it fails as a read does.
    public func charge(
        _ request: PaymentRequest, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil,
        accessibility: Bool = false
    ) async -> ChargeResult {
        await reader.charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            generation: generation)
    }

    /// Asks the issuer, with the deadline of the options, and gives its answer to the card where the kernel asks for
    /// that.
    ///
    /// An approval of the card is one without anybody being asked. A PIN that the card wants is collected first, one
    /// that the issuer wants replaces its answer and the issuer is asked anew. Whatever interrupts this after the
    /// request may have left is reversed before it returns. Asking again for the same read gives the same result;
    /// another read of its key is refused. Cancelling the task interrupts.
    ///
    /// A kernel that waits (Start B or D) is told what came of it as Book A 8.1.1.22 says: the data of an answer, that
    /// it brought none, or that no answer came. It may overrule an approval, which is reversed then, or ask for an
    /// online PIN, with which the issuer is asked once more.
    ///
    /// - Parameters:
    ///   - pinPad: collects PINs; without one ``AuthorizationResult/Ending/pinRequested(_:)`` tells the app that the
    ///     issuer requests one.
    ///   - pin: collected by the app where the card wanted one.
    ///   - accessibility: the PIN pad guides people who do not see the keys, if it can.
    public func authorize(
        _ read: CardRead, with authorizer: any Authorizer, pinPad: (any PINPad)? = nil, pin: EncryptedPINBlock? = nil,
        accessibility: Bool = false
    ) async -> AuthorizationResult {
        await reader.authorize(
            read, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), pin: pin)
    }

    /// Goes on after ``AuthorizationResult/Ending/pinRequested(_:)`` with the PIN the issuer wanted.
    public func authorize(
        _ read: CardRead, answering challenge: PINChallenge, with pin: EncryptedPINBlock
    ) async -> AuthorizationResult {
        await reader.authorize(read, answering: challenge, with: pin)
    }

    /// Ends a payment for which the issuer wanted a PIN that does not come: it is reversed. The next read, and
    /// `cancel()`, do the same.
    public func giveUp(_ read: CardRead) async -> AuthorizationResult {
        await reader.giveUp(read)
    }

    /// Gives an answer to a tap that waits for one (Start B or D) without an authoriser, for programs that talk to the
    /// host themselves; `failed(.nothingToComplete)` where none waits.
    ///
    /// - Parameter removalTimedOut: the removal time-out of the outcome passed before the answer came, for who measures
    ///   it; the reader does, too.
    public func complete(_ answer: IssuerAnswer, removalTimedOut: Bool = false) async -> TapOutcome {
        await reader.complete(answer, removalTimedOut: removalTimedOut, generation: generation)
    }

    /// See ``TapReader/cancel()``.
    public func cancel() async {
        await reader.cancel()
    }
}
