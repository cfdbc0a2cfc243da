// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A PN532 as a reader, over a serial line (its mode HSU) or another byte stream. In contrast to PC/SC, it detects two
/// cards and switches the field itself.
///
/// ```swift
/// let reader = TapReader(PN532Transport(port: "/dev/ttyUSB0"), configuration: configuration)
/// ```
///
/// The chip itself handles ISO/IEC 14443-4 with the card: chaining, waiting time extensions and retransmission. Cards
/// are activated at 106 kbit/s. A PN532 is not an EMV Level 1 approved reader: if it does not keep a timing of Book D,
/// software cannot correct that.
///
/// After each poll that found a card, the field is switched off for ``resetTime`` before the next poll: an activated
/// card does not answer polling.
public actor PN532Transport: CardTransport {
    public struct Options: Sendable, Hashable {
        /// The longest exchange with a card. A card that has not answered by then has timed out.
        public var exchangeLimit: Duration
        /// The longest command to the chip itself, polling included.
        public var chipLimit: Duration
        /// How long the chip or stream may be absent during a wait before the tap ends with the reader detached.
        public var patience: Duration
        /// The time between two polls for a card.
        public var pollInterval: Duration
        /// The card types to poll for, in this order. A card of the last type is activated at once, a card of another
        /// type after a short reset of the field.
        public var types: [PN532CardType]
        /// Frames that are sent before each poll, with the checksum of type A, and to which no answer is expected: a
        /// reader's annotation for phones, for example. Each has 1 to 256 bytes.
        public var pollingFrames: [Bytes]

        public init(
            exchangeLimit: Duration = .seconds(5), chipLimit: Duration = .seconds(1), patience: Duration = .seconds(3),
            pollInterval: Duration = .milliseconds(50), types: [PN532CardType] = [.b, .a], pollingFrames: [Bytes] = []
        ) {
            self.exchangeLimit = exchangeLimit
            self.chipLimit = chipLimit
            self.patience = patience
            self.pollInterval = pollInterval
            self.types = types
            self.pollingFrames = pollingFrames
        }
    }

    /// The time after which a card has lost its power, and after which a card is ready after power-on (ISO/IEC 14443-3:
    /// 5 ms).
    public static let resetTime = Duration.microseconds(6_000)

    private let stream: any ByteStream
    private let link: PN532Link
    private let options: Options
    private let clock: PN532Clock
    /// Whether the chip has been set up and has answered since.
    private var isReady = false
    private var fieldIsOn = false
    /// Whether a poll has found a card since the field was switched on.
    private var hasActivated = false
    /// Whether two cards were reported and have not yet been reported gone.
    private var hasCollided = false
    private var target: PN532Target?
    /// The time until which the field stays off.
    private var restsUntil: ContinuousClock.Instant?

    /// The last error of the chip or the stream.
    public private(set) var lastError: PN532Error?
    /// The version of the chip's firmware, for example "1.6"; `nil` before `open()`.
    public private(set) var firmware: String?

    public nonisolated let name: String?

    public init(_ stream: any ByteStream, options: Options = Options()) {
        self.init(stream, options: options, clock: .system)
    }

    #if !os(Windows)
    /// - Parameters:
    ///   - port: the path of the serial line.
    ///   - options: time limits, polling and card types.
    public init(port: String, options: Options = Options()) {
        self.init(SerialPort(port), options: options)
    }
    #endif

    init(_ stream: any ByteStream, options: Options, clock: PN532Clock) {
        self.stream = stream
        self.options = options
        self.clock = clock
        link = PN532Link(stream, clock)
        name = "PN532 on \(stream.name)"
    }

    // MARK: - Reader

    public func open() async -> ReaderFault? {
        hasCollided = false
        return await setUp()
    }

    /// Switches the field off and releases the stream. `open()` makes the transport usable again.
    public func close() async {
        await fieldOff()
        isReady = false
        await stream.close()
    }

    private func setUp() async -> ReaderFault? {
        (isReady, fieldIsOn, hasActivated, target) = (false, false, false, nil)
        if let fault = await stream.open() { return fault }
        do throws(PN532Error) {
            _ = try await ask(.normalMode, wakesUp: true)
            let version = try await ask(.firmwareVersion)
            // 0x32 means PN532; the lowest two bits mean both types of cards.
            guard version.count == 4, version[0] == 0x32, version[3] & 0x03 == 0x03 else {
                return ReaderFault(
                    .unsupported, "\(stream.name) has another chip than a PN532. Connect a board with a PN532")
            }
            firmware = "\(version[1]).\(version[2])"
            for command in [.field(on: false), .automaticActivation, .fewAttempts, PN532Command.timeouts] {
                _ = try await ask(command)
            }
        } catch {
            return error.readerFault
        }
        isReady = true
        return nil
    }

    /// Sends a command to the chip itself.
    private func ask(
        _ command: PN532Command, wakesUp: Bool = false, isCancellable: Bool = true
    ) async throws(PN532Error) -> Bytes {
        switch await link.send(
            command, limit: options.chipLimit, wakesUp: wakesUp, isCancellable: isCancellable)
        {
        case .success(let answer): return answer
        case .failure(let error):
            if error != .cancelled { lastError = error }
            throw error
        }
    }

    // MARK: - The field

    public func fieldOff() async {
        guard isReady else { return }
        try? await switchField(on: false)
    }

    public func fieldOff(for hold: Duration) async {
        await fieldOff()
        guard hold > .zero else { return }
        let end = clock.now().advanced(by: hold)
        restsUntil = restsUntil.map { max($0, end) } ?? end
    }

    private func switchField(on: Bool) async throws(PN532Error) {
        do throws(PN532Error) {
            if !on { (target, hasActivated) = (nil, false) }
            // This runs even in a cancelled task: a field that has to be off is switched off.
            _ = try await ask(.field(on: on), isCancellable: on)
            fieldIsOn = on
        } catch {
            if error != .cancelled { isReady = false }
            throw error
        }
    }

    private func resetField() async throws(PN532Error) {
        try await switchField(on: false)
        await clock.sleep(PN532Transport.resetTime)
        try await raiseField()
    }

    private func raiseField() async throws(PN532Error) {
        guard !fieldIsOn else { return }
        try await switchField(on: true)
        await clock.sleep(PN532Transport.resetTime)
    }

    // MARK: - Waiting

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        let deadline = poll.timeout.map { clock.now().advanced(by: $0) }
        if let hold = poll.fieldOff { await fieldOff(for: hold) }
        if let rest = restsUntil {
            let left = clock.now().duration(to: rest)
            if left > .zero { await clock.sleep(left) }
            guard !Task.isCancelled else { return .nothing }
            restsUntil = nil
        }
        target = nil
        var brokenSince: ContinuousClock.Instant?
        var emptyLooks = 0
        while !Task.isCancelled, deadline.map({ clock.now() < $0 }) ?? true {
            do throws(PN532Error) {
                if !isReady, await setUp() != nil { throw lastError ?? .streamEnded }
                let found = try await look()
                brokenSince = nil
                emptyLooks = found.isEmpty ? emptyLooks + 1 : 0
                if poll.removalFirst {
                    // A card at the edge of the field sometimes misses a poll.
                    if emptyLooks == 2 { return .removed }
                } else if let event = try await event(found) {
                    return event
                }
            } catch {
                guard !Task.isCancelled else { return .nothing }
                if case .link = error.meaning, error.isOfCard { return .fault(fault(error)) }
                isReady = false
                let since = brokenSince ?? clock.now()
                brokenSince = since
                if clock.now() >= since.advanced(by: options.patience) { return .readerGone }
            }
            await clock.sleep(options.pollInterval)
        }
        return .nothing
    }

    /// The event for the result of a poll; `nil` if the wait continues.
    private func event(_ found: [(PN532CardType, PN532Target)]) async throws(PN532Error) -> CardEvent? {
        if found.count > 1 {
            guard !hasCollided else { return nil }
            hasCollided = true
            return .collision
        }
        if hasCollided {
            hasCollided = false
            return .collisionCleared
        }
        guard let (type, first) = found.first else { return nil }
        var active: PN532Target? = first
        if type != options.types.last {
            // Polling for the other type has made the chip forget this card.
            try await resetField()
            active = try await targets(type, atMost: 1).first
        }
        // The card was removed meanwhile.
        guard let active else { return nil }
        guard active.isISODEP else { return .fault(.protocol) }
        target = active
        return .card
    }

    /// All cards in the field, up to two.
    private func look() async throws(PN532Error) -> [(PN532CardType, PN532Target)] {
        if hasActivated { try await resetField() } else { try await raiseField() }
        for frame in options.pollingFrames where (1...256).contains(frame.count) {
            _ = try await ask(.frame(frame))
        }
        var found: [(PN532CardType, PN532Target)] = []
        for type in options.types where found.count < 2 {
            found += try await targets(type, atMost: 2).map { (type, $0) }
        }
        return found
    }

    private func targets(_ type: PN532CardType, atMost count: UInt8) async throws(PN532Error) -> [PN532Target] {
        let repeats = await link.repeats
        // A card whose answer was lost has still been activated, and does not answer a second time.
        let hadActivated = hasActivated
        hasActivated = true
        let answer = try await ask(.list(type, atMost: count))
        if await link.repeats == repeats { hasActivated = hadActivated }
        guard let targets = PN532Target.targets(answer[...], type), targets.count <= Int(count) else {
            lastError = .malformed
            throw .malformed
        }
        if !targets.isEmpty { hasActivated = true }
        return targets
    }

    // MARK: - Exchanges

    public func transceive(_ command: Bytes) async -> Exchange {
        guard let target else { return isReady ? .fault(.removed) : .readerGone }
        let began = clock.now()
        do throws(PN532Error) {
            let response = try await exchange(command, target, until: began.advanced(by: options.exchangeLimit))
            guard response.count >= 2 else { return .fault(.transmission) }
            return .response(response, elapsed: began.duration(to: clock.now()))
        } catch {
            lastError = error
            if error == .streamEnded { isReady = false }
            switch error.meaning {
            case .link(let fault):
                if fault == .removed { self.target = nil }
                return .fault(fault)
            case .interrupted: return .fault(.timeout)
            case .reader:
                isReady = false
                self.target = nil
                return .readerGone
            }
        }
    }

    /// The size of the longest response: 65,536 bytes and a status word.
    private static let longestResponse = 65_538

    private func exchange(
        _ command: Bytes, _ target: PN532Target, until end: ContinuousClock.Instant
    ) async throws(PN532Error) -> Bytes {
        var left = command[...]
        var response: Bytes = []
        var isAsking = false
        while true {
            let part = left.prefix(PN532Command.part)
            left = left.dropFirst(part.count)
            let (hasMore, answer) = try await step(
                .exchange(target.number, part, hasMore: !left.isEmpty), until: end)
            if !left.isEmpty {
                guard answer.isEmpty, !hasMore else { throw .malformed }
                continue
            }
            response += answer
            guard hasMore else { return response }
            // A chip that announces more data for ever without sending a byte would hold the tap until its deadline.
            guard response.count <= PN532Transport.longestResponse, !isAsking || !answer.isEmpty else {
                throw .malformed
            }
            isAsking = true
        }
    }

    /// Sends one command that ends with a status; returns whether more data follows, and the card's bytes.
    private func step(
        _ command: PN532Command, until end: ContinuousClock.Instant
    ) async throws(PN532Error) -> (hasMore: Bool, answer: ArraySlice<UInt8>) {
        let left = clock.now().duration(to: end)
        guard left > .zero else { throw .noAnswer }
        let answer = try await link.send(command, limit: left).get()
        guard let status = answer.first, status & ~(PN532Command.more | PN532Command.errorBits) == 0 else {
            throw .malformed
        }
        guard status & PN532Command.errorBits == 0 else { throw .status(status & PN532Command.errorBits) }
        return (status & PN532Command.more != 0, answer.dropFirst())
    }

    private func fault(_ error: PN532Error) -> LinkFault {
        if case .link(let fault) = error.meaning { fault } else { .protocol }
    }
}

extension PN532Error {
    /// Whether the card caused the error, rather than the chip or the line.
    fileprivate var isOfCard: Bool { if case .status = self { true } else { false } }
}
