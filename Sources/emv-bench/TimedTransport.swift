// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit

/// An event of a reader and a card, in order.
enum TimedEvent: Sendable {
    case exchange(TimedExchange)
    /// A card arrived; 2 for the second time.
    case presentment(Int)
    case collision
}

/// One command and its answer, with times.
struct TimedExchange: Sendable {
    let command: Bytes
    let exchange: Exchange
    /// The time from the last answer, or the card's arrival, to this command.
    let kernel: Duration
    /// The time around the exchange in the reader: changes of threads and copies.
    let transport: Duration
    /// With PC/SC, the time in SCardTransmit: daemon, driver, reader, air and card, which cannot be separated.
    let card: Duration

    /// The card's status word in hex, hidden if the data before it is cut off; `nil` if the card did not answer.
    var status: String? {
        if case .response(let bytes, _) = exchange { AccountMask().status(of: bytes) } else { nil }
    }
}

/// A reader whose exchanges are timed and recorded. It runs on the reader's executor, so that it adds no change of
/// threads.
actor TimedTransport<Reader: CardTransport & Actor>: CardTransport {
    private nonisolated let reader: Reader
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe reader.unownedExecutor }
    nonisolated var isolation: (any Actor)? { reader.isolation }
    nonisolated var sendsPollingFrames: Bool { reader.sendsPollingFrames }
    nonisolated var isSimulated: Bool { reader.isSimulated }

    private(set) var log: [TimedEvent] = []
    /// The time from the first card's arrival to the field's end.
    private(set) var inField: Duration = .zero
    private var presentments = 0
    private var arrival: ContinuousClock.Instant?
    private var last = ContinuousClock.now

    init(_ reader: Reader) { self.reader = reader }

    /// The events, and the time that a card was in the field, since the last call.
    func take() -> (log: [TimedEvent], inField: Duration) {
        defer {
            log = []
            presentments = 0
            inField = .zero
        }
        return (log, inField)
    }

    func open() async -> ReaderFault? { await reader.open() }
    func begin(_ tap: TapRecord) async { await reader.begin(tap) }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        leave()
        let event = await reader.waitForCard(poll)
        last = .now
        switch event {
        case .card:
            presentments += 1
            arrival = last
            log.append(.presentment(presentments))
        case .collision: log.append(.collision)
        default: break
        }
        return event
    }

    func transceive(_ command: Bytes) async -> Exchange {
        let begin = ContinuousClock.now
        let exchange = await reader.transceive(command)
        let end = ContinuousClock.now
        var card = end - begin
        if case .response(_, let elapsed?) = exchange { card = elapsed }
        log.append(
            .exchange(
                TimedExchange(
                    command: command, exchange: exchange, kernel: begin - last, transport: end - begin - card,
                    card: card)))
        last = end
        return exchange
    }

    func fieldOff() async { await fieldOff(for: .zero) }

    func fieldOff(for hold: Duration) async {
        leave()
        await reader.fieldOff(for: hold)
    }

    private func leave() {
        guard let arrival else { return }
        inField += ContinuousClock.now - arrival
        self.arrival = nil
    }
}
