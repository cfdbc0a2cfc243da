// SPDX-License-Identifier: Apache-2.0
/// A contactless reader: the connection over which bytes reach a card. Faults are values; nothing throws.
///
/// Every call must return soon after its task is cancelled. Its return value does not matter then, but a response must
/// come from the card: a response that completes the tap is used.
public protocol CardTransport: Sendable {
    /// Makes the reader usable; called by `prepare()`. Returns the fault, or `nil`.
    func open() async -> ReaderFault?

    /// Switches the field as `poll` states and waits for the next event. If `poll.fieldOff` is set, the field is
    /// switched off for that time first, even if the wait is cancelled meanwhile; otherwise it is left as it is. If
    /// `poll.removalFirst` is set, the event is the card's removal, reported at once if no card is present: a payment
    /// begins with such a poll (``TapReader/Options/waitsForEmptyField``). After a reported collision, the event is
    /// that the field holds at most one card. The method is called again for the next card.
    func waitForCard(_ poll: Poll) async -> CardEvent

    /// Sends one command and waits for its response.
    func transceive(_ command: Bytes) async -> Exchange

    /// Switches the field off.
    func fieldOff() async

    /// Switches the field off, as ``fieldOff()`` does, at the end of every tap. The field stays off for `hold` (Book B
    /// 3.5.1.2): a wait for a card that begins sooner switches it on only after that time. An implementation should
    /// return at once; by default it switches off and waits.
    func fieldOff(for hold: Duration) async

    /// The actor on whose executor the reader runs, so that an exchange does not change threads; `nil`, the default,
    /// gives the reader a separate executor. Read once. A transport that is an actor returns itself.
    ///
    /// The reader keeps this actor. A call that blocks its executor keeps the reader from answering, `cancel()`
    /// included, so a wait for a card must not block; an exchange may.
    nonisolated var isolation: (any Actor)? { get }

    /// Called when a tap begins, for readers that show the amount. By default it does nothing.
    func begin(_ tap: TapRecord) async

    /// The reader's name for a report to support; `nil`, the default, if it is not known. It must never be the name of
    /// a person or a card.
    var name: String? { get async }

    /// The cards were not issued by a bank. Their reads are marked (``TapRecord/isSimulated``), and only an authoriser
    /// whose ``Authorizer/acceptsSimulatedReads`` is `true` receives them. `false`, the default, means real cards. A
    /// transport that wraps another one returns that one's value.
    nonisolated var isSimulated: Bool { get }

    /// The reader sends ``Poll/annotation`` between its polls. `false` by default: then it never receives an
    /// annotation.
    nonisolated var sendsPollingFrames: Bool { get }

    /// Reports when the reader is plugged in (true) and unplugged (false), for ``TapReader/keepPrepared()``; `nil`, the
    /// default, if that is not known.
    nonisolated func presence() -> AsyncStream<Bool>?
}

extension CardTransport {
    public func open() async -> ReaderFault? { nil }
    public nonisolated var isolation: (any Actor)? { nil }
    public func begin(_ tap: TapRecord) async {}
    public var name: String? { get async { nil } }

    public func fieldOff(for hold: Duration) async {
        await fieldOff()
        guard hold > .zero else { return }
        // A caller that stops waiting does not shorten the hold time.
        await Task { try? await Task.sleep(for: hold) }.value
    }

    public nonisolated func presence() -> AsyncStream<Bool>? { nil }
    public nonisolated var sendsPollingFrames: Bool { false }
    public nonisolated var isSimulated: Bool { false }
}
