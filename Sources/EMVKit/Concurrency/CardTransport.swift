// SPDX-License-Identifier: Apache-2.0
/// A contactless reader: how bytes reach a card. Faults are values; nothing throws.
///
/// Every call must return soon after its task is cancelled. What it returns then does not matter, but a response must
/// be the card's: one that completes the tap counts.
public protocol CardTransport: Sendable {
    /// Makes the reader usable; called by `prepare()`. Answers what is wrong, or `nil`.
    func open() async -> ReaderFault?

    /// Switches the field as `poll` says and waits until something happens. Where `poll.fieldOff` is set, the field
    /// goes off for so long first, also if the wait is cancelled meanwhile; otherwise it is left as it is. Where
    /// `poll.removalFirst` is set, something is the card's removal, at once where no card is there: a payment begins
    /// with such a poll (``TapReader/Options/waitsForEmptyField``). Where a collision was reported, it is that the
    /// field holds at most one card. It is called again for the next card.
    func waitForCard(_ poll: Poll) async -> CardEvent

    /// Sends one command and waits for its response.
    func transceive(_ command: Bytes) async -> Exchange

    /// Switches the field off.
    func fieldOff() async

    /// As ``fieldOff()``, at the end of every tap: the field stays off for so long (Book B 3.5.1.2), and a wait for a
    /// card that begins sooner switches it on only then. Best returns at once; by default it switches off and waits.
    func fieldOff(for hold: Duration) async

    /// The actor on whose executor the reader shall run, so that an exchange changes no thread; `nil`, as by default:
    /// on one of its own. Asked for once. For a transport that is an actor, itself.
    ///
    /// The reader keeps this actor. Whatever blocks its executor keeps the reader from answering (`cancel()` among it),
    /// so a wait for a card must not; an exchange may.
    nonisolated var isolation: (any Actor)? { get }

    /// A tap begins: for readers that show the amount. By default nothing.
    func begin(_ tap: TapRecord) async

    /// What the reader is called, for a report to support; `nil`, as by default, where that is not known. Never the
    /// name of a person or a card.
    var name: String? { get async }

    /// The cards are none that a bank issued: what is read here is marked (``TapRecord/isSimulated``), and only an
    /// authoriser that ``Authorizer/acceptsSimulatedReads`` is asked about it. `false`, as by default: real cards. A
    /// transport around another one says what that says.
    nonisolated var isSimulated: Bool { get }

    /// The reader sends ``Poll/annotation`` between its polls. `false`, as by default: none is ever asked of it.
    nonisolated var sendsPollingFrames: Bool { get }

    /// Tells when the reader is plugged in (true) and when it goes (false), for ``TapReader/keepPrepared()``; `nil`, as
    /// by default, where that is not known.
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
        // Whoever gives up waiting does not shorten it.
        await Task { try? await Task.sleep(for: hold) }.value
    }

    public nonisolated func presence() -> AsyncStream<Bool>? { nil }
    public nonisolated var sendsPollingFrames: Bool { false }
    public nonisolated var isSimulated: Bool { false }
}
