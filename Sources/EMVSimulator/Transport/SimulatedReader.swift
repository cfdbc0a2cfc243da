// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader without hardware. A ``CardPresentation`` is presented to it, which also causes the faults.
///
/// The card appears when the session waits for a card and disappears when it waits for the removal, as with a
/// cardholder who follows the display. ``leaveCard()`` keeps the card on the reader, and ``removeCard()`` removes it.
public actor SimulatedReader: CardTransport {
    /// Whether time passes.
    public enum Pace: Sendable, Hashable {
        /// Answers arrive at once; the elapsed time is the card's response time.
        case instant
        /// Answers take the card's response time, and the field stays off for the requested time.
        case real
    }

    private var presentation: any CardPresentation
    private let pace: Pace
    public private(set) var isFieldOn = false
    private var inCollision = false
    private var isDetached = false
    /// Who moves the card.
    private enum Hand {
        /// A cardholder who follows the display.
        case obliging
        /// Nobody: the card stays on the reader.
        case none
        /// The card was removed.
        case away
    }
    private var hand = Hand.obliging
    /// The presentation says that no card comes: a wait with a time limit may end at once. At an empty reader without a
    /// presentation a card may still be presented.
    private var knowsNobodyComes = false
    /// The next poll finds the reader unplugged.
    private var vanishes: Bool
    private let choosesByAmount: Bool
    private nonisolated let comings = ReaderPresence()

    /// The field stays off until this time.
    private var restsUntil: ContinuousClock.Instant?

    /// Number of commands since the reader was made, for tests.
    public private(set) var commandCount = 0
    /// Requested field-off times, in order; for tests.
    public private(set) var fieldHolds: [Duration] = []
    /// Frames to be sent between polls, one for each wait that had one, in order; for tests.
    public private(set) var pollingFrames: [Bytes] = []

    public init(_ presentation: any CardPresentation, pace: Pace = .instant) {
        self.init(presentation, pace: pace, choosesByAmount: false, vanishes: false)
    }

    private init(
        _ presentation: any CardPresentation, pace: Pace, choosesByAmount: Bool, vanishes: Bool,
        knowsNobodyComes: Bool = false
    ) {
        self.presentation = presentation
        self.pace = pace
        self.choosesByAmount = choosesByAmount
        self.vanishes = vanishes
        self.knowsNobodyComes = knowsNobodyComes
    }

    /// A reader with this tap.
    public init(_ tap: SimulatedTap, pace: Pace = .instant) {
        self.init(
            tap.presentation, pace: pace, choosesByAmount: false, vanishes: tap == .readerLost,
            knowsNobodyComes: tap == .noCard)
    }

    /// A reader at which the amount selects the tap (``SimulatedTap/amount``); with any other amount the card goes
    /// online.
    public static func byAmount(pace: Pace = .instant) -> SimulatedReader {
        SimulatedReader(EmptyField(), pace: pace, choosesByAmount: true, vanishes: false)
    }

    public nonisolated var name: String? { "EMVSimulator" }
    public nonisolated var sendsPollingFrames: Bool { true }
    public nonisolated var isSimulated: Bool { true }

    public func begin(_ tap: TapRecord) {
        guard choosesByAmount else { return }
        let chosen = SimulatedTap(amount: tap.request?.amount.minorUnits ?? 0) ?? .online
        present(chosen.presentation)
        knowsNobodyComes = chosen == .noCard
        vanishes = chosen == .readerLost
    }

    /// A reader with this card on it.
    public init(_ profile: CardProfile, pace: Pace = .instant) {
        self.init(VirtualCard(profile), pace: pace)
    }

    /// Replaces the objects in the reader's field.
    public func present(_ presentation: any CardPresentation) {
        self.presentation = presentation
        (inCollision, isFieldOn) = (false, false)
        knowsNobodyComes = presentation is EmptyField
        hand = .obliging
    }

    /// Keeps the card on the reader: a wait for its removal lasts until ``removeCard()`` or ``present(_:)`` is called.
    public func leaveCard() { hand = .none }

    /// Removes the card until ``leaveCard()`` or ``present(_:)`` is called.
    public func removeCard() {
        hand = .away
        switchOff()
    }

    /// Unplugs the reader: all operations fail.
    public func detach() {
        isDetached = true
        comings.tell(false)
    }

    /// Plugs it in again.
    public func attach() {
        isDetached = false
        comings.tell(true)
    }

    /// Supports one listener.
    public nonisolated func presence() -> AsyncStream<Bool>? { comings.stream }

    public func open() async -> ReaderFault? {
        isDetached ? ReaderFault(.noReader, "The simulated reader is detached; attach() plugs it in again") : nil
    }

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        if vanishes {
            vanishes = false
            detach()
        }
        if isDetached { return .readerGone }
        if let frame = poll.annotation { pollingFrames.append(frame) }
        if let hold = poll.fieldOff { await fieldOff(for: hold) }
        let deadline = poll.timeout.map { ContinuousClock.now.advanced(by: $0) }
        if poll.removalFirst {
            while case .none = hand {
                if isDetached { return .readerGone }
                if Task.isCancelled { return .nothing }
                if let deadline, ContinuousClock.now >= deadline { return .nothing }
                try? await Task.sleep(for: .milliseconds(2))
            }
            switchOff()
            return .removed
        }
        if let rest = restsUntil {
            try? await Task.sleep(until: rest)
            guard !Task.isCancelled else { return .nothing }
            restsUntil = nil
        }
        isFieldOn = true
        while !Task.isCancelled {
            if isDetached { return .readerGone }
            switch hand == .away ? CardPresence.none : presentation.poll() {
            case .one:
                defer { inCollision = false }
                return inCollision ? .collisionCleared : .card
            case .collision:
                if !inCollision {
                    inCollision = true
                    return .collision
                }
            case .none:
                if inCollision {
                    inCollision = false
                    return .collisionCleared
                }
                // At this pace no time passes: the limit counts as reached.
                if pace == .instant, poll.timeout != nil, knowsNobodyComes { return .nothing }
            }
            if let deadline, ContinuousClock.now >= deadline { break }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return .nothing
    }

    public func transceive(_ command: Bytes) async -> Exchange {
        if isDetached { return .readerGone }
        commandCount += 1
        switch presentation.exchange(command) {
        case .response(let bytes, let milliseconds):
            let elapsed = Duration.nanoseconds(Int64(milliseconds * 1_000_000))
            if pace == .real { try? await Task.sleep(for: elapsed) }
            return isDetached ? .readerGone : .response(bytes, elapsed: elapsed)
        case .timeout: return .fault(.timeout)
        case .transmissionError: return .fault(.transmission)
        case .protocolError: return .fault(.protocol)
        case .removed: return .fault(.removed)
        }
    }

    public func fieldOff() async { switchOff() }

    /// Switches the field off. The next wait for a card first keeps it off for the rest of `hold`, unless the pace is
    /// `instant`.
    public func fieldOff(for hold: Duration) async {
        switchOff()
        guard hold > .zero else { return }
        fieldHolds.append(hold)
        guard pace == .real else { return }
        let end = ContinuousClock.now.advanced(by: hold)
        restsUntil = restsUntil.map { max($0, end) } ?? end
    }

    private func switchOff() {
        guard isFieldOn else { return }
        presentation.reset()
        isFieldOn = false
    }
}

/// Notifies one listener when the reader is plugged in or unplugged.
private struct ReaderPresence: Sendable {
    let stream: AsyncStream<Bool>
    private let telling: AsyncStream<Bool>.Continuation

    init() { (stream, telling) = AsyncStream.makeStream(of: Bool.self) }

    func tell(_ isThere: Bool) { telling.yield(isThere) }
}
