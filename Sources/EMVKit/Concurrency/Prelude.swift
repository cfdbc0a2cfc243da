// SPDX-License-Identifier: Apache-2.0
/// A dialogue of the app's own with what was presented, held once in a tap: after the card has arrived, before the
/// kernel selects anything. The product EMVLoyalty reads passes with it; the reader knows nothing of what is said.
///
/// Whatever becomes of it, the payment begins when it ends, when ``limit`` is over, or when the link has failed: with
/// the commands that it would have sent without a prelude. The field is not switched in between. Further presentments
/// of the same tap go to the kernel at once. Only ``PreludeEnd/total`` changes anything of the payment.
public protocol Prelude: Sendable {
    /// A frame for ``Poll/annotation``, sent while the reader waits, where the transport can send one.
    var annotation: Bytes? { get }
    /// The longest that it may take, from the card's arrival. It is looked at before each command: one that is out is
    /// waited for.
    var limit: Duration { get }
    /// What the display says while a card is waited for without a payment; `nil`: what it says before a payment.
    var invitation: TextKey? { get }

    /// Holds the dialogue. Returns when it is over; it is left to itself, and its task cancelled, when ``limit`` is.
    func hold(_ card: PreludeCard) async
    /// What follows, as it stands now. Asked for when ``hold(_:)`` has returned, or was left; has to answer at once.
    ///
    /// - Parameter answers: what came of every command that was sent, in order. Where ``hold(_:)`` was left it may not
    ///   have seen the last one yet: it gets it before this call, or after it.
    func end(after answers: [PreludeAnswer]) async -> PreludeEnd
}

/// What was presented, for a ``Prelude``.
public struct PreludeCard: Sendable {
    let exchange: @Sendable (Bytes) async -> PreludeAnswer

    /// Sends one command and waits for its response. One at a time.
    public func send(_ command: Bytes) async -> PreludeAnswer { await exchange(command) }
}

/// A prelude. A handle: equal to itself only.
final class PreludeHandle: Sendable, Equatable {
    let prelude: any Prelude
    /// `nil` where the transport sends none.
    let annotation: Bytes?

    init(_ prelude: any Prelude, sendsAnnotations: Bool) {
        self.prelude = prelude
        annotation = sendsAnnotations ? prelude.annotation : nil
    }

    static func == (one: PreludeHandle, other: PreludeHandle) -> Bool { one === other }
}

extension ReaderSession {
    /// Takes one card as ``read(_:superseding:)-(PaymentRequest,_)`` does, after a dialogue of the app's own with it.
    public func read(
        _ request: PaymentRequest, after prelude: some Prelude, superseding: Bool = false
    ) async -> TapOutcome {
        await reader.perform(
            .payment(request), generation: generation, superseding: superseding, prelude: reader.handle(prelude))
    }

    /// Reads and authorises in one call, after a dialogue of the app's own: see
    /// ``TapReader/charge(_:after:with:pinPad:accessibility:)``.
    public func charge(
        _ request: PaymentRequest, after prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)? = nil, accessibility: Bool = false
    ) async -> ChargeResult {
        await reader.charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            generation: generation, prelude: reader.handle(prelude))
    }

    /// Holds a dialogue of the app's own, and no payment: no kernel runs, nothing is selected, counted or journalled.
    /// Refused as busy while a payment waits for its issuer or its PIN.
    ///
    /// - Parameter timeout: how long to wait for a card; `nil`: as the options say.
    public func hold(_ prelude: some Prelude, timeout: Duration? = nil) async -> PreludeOutcome {
        await reader.hold(prelude, timeout, generation: generation)
    }
}

extension TapReader {
    /// See ``ReaderSession/read(_:after:superseding:)``. Prepares the reader where that is needed.
    public func read(_ request: PaymentRequest, after prelude: some Prelude) async -> TapOutcome {
        await perform(.payment(request), generation: nil, prelude: handle(prelude))
    }

    /// As ``charge(_:with:pinPad:accessibility:)``, after a dialogue of the app's own with the card. A call that waits
    /// for a charge under way does not bring its prelude.
    public func charge(
        _ request: PaymentRequest, after prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)? = nil, accessibility: Bool = false
    ) async -> ChargeResult {
        await charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), generation: nil,
            prelude: handle(prelude))
    }

    /// As ``charge(_:after:with:pinPad:accessibility:)``, and which prelude was held: where the call waits for a charge
    /// under way, that one's.
    package func charge(
        _ request: PaymentRequest, holding prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)?, accessibility: Bool
    ) async -> (result: ChargeResult, prelude: (any Prelude)?) {
        await charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            holding: handle(prelude))
    }

    /// What the deadlines of the reader are measured by.
    package nonisolated var timer: any Clock<Duration> { options.timer }

    /// See ``ReaderSession/hold(_:timeout:)``. Prepares the reader where that is needed.
    public func hold(_ prelude: some Prelude, timeout: Duration? = nil) async -> PreludeOutcome {
        await hold(prelude, timeout, generation: nil)
    }
}
