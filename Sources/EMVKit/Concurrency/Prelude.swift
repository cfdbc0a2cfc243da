// SPDX-License-Identifier: Apache-2.0
/// A dialogue of the app with the presented card or phone, held once in a tap: after the card has arrived, before the
/// kernel selects anything. The product EMVLoyalty reads passes with it; the reader does not interpret the dialogue.
///
/// The payment begins when the dialogue ends, when ``limit`` is over, or when the link has failed, whatever the result.
/// It sends the commands that it would have sent without a prelude. The field is not switched in between. If a card is
/// presented again in this tap, it goes to the kernel at once. Only ``PreludeEnd/total`` changes the payment.
public protocol Prelude: Sendable {
    /// A frame for ``Poll/annotation``, sent while the reader waits, if the transport can send one.
    var annotation: Bytes? { get }
    /// The maximum duration, from the card's arrival. The limit is checked before each command. A command already sent
    /// is allowed to finish.
    var limit: Duration { get }
    /// The display's text while the reader waits for a card without a payment; `nil` means the text before a payment.
    var invitation: TextKey? { get }

    /// Holds the dialogue and returns when it is over. When ``limit`` is over, its task is cancelled and not awaited.
    func hold(_ card: PreludeCard) async
    /// Returns the next step. Called after ``hold(_:)`` has returned or was abandoned; must return at once.
    ///
    /// - Parameter answers: the result of every command that was sent, in order. If ``hold(_:)`` was abandoned it may
    ///   not have seen the last answer yet: it gets that answer before this call, or after it.
    func end(after answers: [PreludeAnswer]) async -> PreludeEnd
}

/// The presented card or phone, for a ``Prelude``.
public struct PreludeCard: Sendable {
    let exchange: @Sendable (Bytes) async -> PreludeAnswer

    /// Sends one command and waits for its response. Only one command may be in progress at a time.
    public func send(_ command: Bytes) async -> PreludeAnswer { await exchange(command) }
}

/// A prelude. A handle: equal to itself only.
final class PreludeHandle: Sendable, Equatable {
    let prelude: any Prelude
    /// `nil` if the transport sends no annotations.
    let annotation: Bytes?

    init(_ prelude: any Prelude, sendsAnnotations: Bool) {
        self.prelude = prelude
        annotation = sendsAnnotations ? prelude.annotation : nil
    }

    static func == (one: PreludeHandle, other: PreludeHandle) -> Bool { one === other }
}

extension ReaderSession {
    /// Reads one card as ``read(_:superseding:)-(PaymentRequest,_)`` does, after the app's dialogue with it.
    public func read(
        _ request: PaymentRequest, after prelude: some Prelude, superseding: Bool = false
    ) async -> TapOutcome {
        await reader.perform(
            .payment(request), generation: generation, superseding: superseding, prelude: reader.handle(prelude))
    }

    /// Reads and authorises in one call, after the app's dialogue: see
    /// ``TapReader/charge(_:after:with:pinPad:accessibility:)``.
    public func charge(
        _ request: PaymentRequest, after prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)? = nil, accessibility: Bool = false
    ) async -> ChargeResult {
        await reader.charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            generation: generation, prelude: reader.handle(prelude))
    }

    /// Holds the app's dialogue without a payment: no kernel runs, and nothing is selected, counted or journalled.
    /// Refused as busy while a payment waits for its issuer or its PIN.
    ///
    /// - Parameters:
    ///   - prelude: the app's dialogue with the card.
    ///   - timeout: how long to wait for a card; `nil` means the time in the options.
    public func hold(_ prelude: some Prelude, timeout: Duration? = nil) async -> PreludeOutcome {
        await reader.hold(prelude, timeout, generation: generation)
    }
}

extension TapReader {
    /// See ``ReaderSession/read(_:after:superseding:)``. Prepares the reader if needed.
    public func read(_ request: PaymentRequest, after prelude: some Prelude) async -> TapOutcome {
        await perform(.payment(request), generation: nil, prelude: handle(prelude))
    }

    /// Charges as ``charge(_:with:pinPad:accessibility:)`` does, after the app's dialogue with the card. If the call
    /// joins a charge already in progress, its prelude is not used.
    public func charge(
        _ request: PaymentRequest, after prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)? = nil, accessibility: Bool = false
    ) async -> ChargeResult {
        await charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility), generation: nil,
            prelude: handle(prelude))
    }

    /// Charges as ``charge(_:after:with:pinPad:accessibility:)`` does, and also returns the prelude that was held. If
    /// the call joins a charge already in progress, that is the other charge's prelude.
    package func charge(
        _ request: PaymentRequest, holding prelude: some Prelude, with authorizer: any Authorizer,
        pinPad: (any PINPad)?, accessibility: Bool
    ) async -> (result: ChargeResult, prelude: (any Prelude)?) {
        await charge(
            request, Means(authorizer: authorizer, pinPad: pinPad, accessibility: accessibility),
            holding: handle(prelude))
    }

    /// The clock that measures the reader's deadlines.
    package nonisolated var timer: any Clock<Duration> { options.timer }

    /// See ``ReaderSession/hold(_:timeout:)``. Prepares the reader if needed.
    public func hold(_ prelude: some Prelude, timeout: Duration? = nil) async -> PreludeOutcome {
        await hold(prelude, timeout, generation: nil)
    }
}
