// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC

/// A PC/SC reader as a transport. Exchanges run on a thread of its own, which the `TapReader` shares; waits for a card
/// on another.
///
/// ```swift
/// let reader = TapReader(PCSCTransport(), configuration: configuration)
/// ```
///
/// Waits end at once when their task is cancelled, at the latest after 250 ms. An exchange with a card cannot be
/// cancelled in PC/SC: it ends when the card answers or the reader gives up (ISO/IEC 14443-4 allows a card 4.949 s, and
/// to ask for more), and the cancelled task learns of it then.
public actor PCSCTransport: CardTransport {
    /// Which reader to take.
    public enum Choice: Sendable, Hashable {
        /// The one whose name is this or, where none is, the only one whose name contains it.
        case named(String)
        /// One that looks contactless, else one that may be; never a contact reader, a SAM slot or a security
        /// key.
        case contactless
    }

    /// How the card is shared with other programs during a tap.
    public enum Sharing: Sendable, Hashable {
        /// Exclusive: no other program may connect.
        case exclusive
        /// Others may be connected, but wait during the tap. A program that never ends its own transaction holds this
        /// one up, and PC/SC has no way to cancel that.
        case transaction
    }

    public struct Options: Sendable, Hashable {
        public var sharing: Sharing
        /// How long a vanished service or reader may be away during a wait before the tap ends with the reader
        /// detached.
        public var patience: Duration
        /// Switches the antenna by the reader's own commands, where ``ReaderModel`` knows them. Otherwise the card is
        /// unpowered, which most contactless readers do by switching the field off for a moment.
        public var switchesAntenna: Bool

        public init(sharing: Sharing = .exclusive, patience: Duration = .seconds(3), switchesAntenna: Bool = false) {
            self.sharing = sharing
            self.patience = patience
            self.switchesAntenna = switchesAntenna
        }
    }

    private let thread = ReaderThread()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
    public nonisolated var isolation: (any Actor)? { self }

    /// Waits on a thread of its own, so that this actor answers meanwhile.
    private let watcher = ReaderWatcher()
    private let choice: Choice
    private let options: Options
    private var service: Service?
    private var connection: CardConnection?
    private var isAntennaOff = false
    /// Before then the field stays off.
    private var restsUntil: ContinuousClock.Instant?
    /// The last exchange failed: the card is left alone, and reset when it is connected again. Powering a card down
    /// that is already gone confuses pcscd (seen with 1.9.9): one that follows it at once is not noticed.
    private var needsReset = false
    /// When a card was powered down that had gone before. pcscd (1.9.9) calls the slot empty then without having seen
    /// it empty, and does not notice a card that follows until that one has gone too: the reader is asked once more.
    private var doubt: ContinuousClock.Instant?
    private var buffer = Bytes(repeating: 0, count: Int(CPCSC_MAX_RESPONSE))

    /// The reader in use; `nil` before `open()` and after it was lost.
    public private(set) var readerName: String?
    /// Answer to reset of the card that was connected last.
    public private(set) var answerToReset: Bytes = []
    /// The last answer of PC/SC that was not success.
    public private(set) var lastError: PCSCError?

    /// A wait is cut into slices of so many milliseconds: a cancellation that comes before PC/SC waits would be lost.
    static let slice: UInt32 = 250
    /// After an exchange the next one is expected within so many nanoseconds: the kernel's share of a tap.
    private static let watch: UInt64 = 50_000

    public init(_ choice: Choice = .contactless, options: Options = Options()) {
        self.choice = choice
        self.options = options
    }

    // MARK: - Reader

    public func open() async -> ReaderFault? {
        connection?.end(.reset)
        connection = nil
        // A context may still call itself valid when pcscd is long gone: only an answer counts.
        if let fault = attach() {
            service = nil
            return attach() == nil ? nil : fault.readerFault
        }
        return nil
    }

    /// Lets card and service go. `open()` makes the transport usable again.
    public func close() async {
        powerDown()
        forget()
        await watcher.rest()
    }

    private func forget() {
        connection = nil
        service = nil
        readerName = nil
    }

    /// Finds the reader, over a new connection to the service where there is none.
    private func attach() -> PCSCError? {
        do throws(PCSCError) {
            let service = try connected()
            let names = try service.readers()
            guard let name = PCSCTransport.choose(choice, from: names) else {
                readerName = nil
                throw PCSCError(code: names.isEmpty ? PCSCError.noReaders : PCSCError.unknownReader)
            }
            readerName = name
            return nil
        } catch {
            return note(error)
        }
    }

    private func connected() throws(PCSCError) -> Service {
        if let service { return service }
        let service = try Service()
        self.service = service
        return service
    }

    static func choose(_ choice: Choice, from names: [String]) -> String? {
        switch choice {
        case .named(let wanted):
            if names.contains(wanted) { return wanted }
            let similar = names.filter { $0.lowercased().contains(wanted.lowercased()) }
            return similar.count == 1 ? similar[0] : nil
        case .contactless:
            return names.first { ReaderKind(readerName: $0) == .contactless }
                ?? names.first { [.dual, .unknown].contains(ReaderKind(readerName: $0)) }
        }
    }

    @discardableResult private func note(_ error: PCSCError) -> PCSCError {
        lastError = error
        return error
    }

    // MARK: - Waiting

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        let deadline = poll.timeout.map { ContinuousClock.now.advanced(by: $0) }
        if let hold = poll.fieldOff { await fieldOff(for: hold) }
        await switchFieldOn()
        if poll.removalFirst { return await waitForRemoval(deadline) }
        var wait = Wait(patience: options.patience, deadline: deadline)
        var failures = 0
        while !Task.isCancelled, !wait.isOver {
            guard let state = await look(&wait) else {
                if wait.hasLostPatience { return gone() }
                continue
            }
            guard state.has(ReaderState.present) else {
                settleDoubt()
                continue
            }
            // PC/SC would wait for the end of another program's transaction, however long that lasts.
            let isTaken = options.sharing == .exclusive && state.has(ReaderState.inUse | ReaderState.exclusive)
            let failure = isTaken ? note(PCSCError(code: PCSCError.sharingViolation)) : connect(state)
            guard let error = failure else { return .card }
            switch error.meaning {
            case .reader(.inUse):
                try? await Task.sleep(for: .milliseconds(50))
            case .link(let fault) where fault != .removed:
                failures += 1
                if failures >= 3 { return .fault(fault) }
                try? await Task.sleep(for: .milliseconds(100))
            case .link, .interrupted: break
            case .reader:
                if error.isServiceLoss { forget() }
            }
            wait.forgetState()
        }
        return .nothing
    }

    private func waitForRemoval(_ deadline: ContinuousClock.Instant?) async -> CardEvent {
        connection?.end(.leave)
        connection = nil
        var wait = Wait(patience: options.patience, deadline: deadline)
        while !Task.isCancelled, !wait.isOver {
            guard let state = await look(&wait) else {
                if wait.hasLostPatience { return gone() }
                continue
            }
            if !state.has(ReaderState.present) { return .removed }
        }
        return .nothing
    }

    /// When it has been off for as long as it was asked to be; not if the wait is cancelled meanwhile.
    private func switchFieldOn() async {
        if let rest = restsUntil {
            try? await Task.sleep(until: rest)
            guard !Task.isCancelled else { return }
            restsUntil = nil
        }
        // Without a request the field is left as it is, and so is the card.
        connection?.end(.leave)
        connection = nil
        if isAntennaOff { switchAntenna(on: true) }
    }

    private func powerDown() {
        guard let connection else { return }
        self.connection = nil
        connection.end(needsReset ? .leave : .unpower)
        guard !needsReset, let service, let readerName else { return }
        let (code, states) = service.statusChange([ReaderState(name: readerName)], milliseconds: 0)
        doubt = code == PCSCError.success && !states[0].has(ReaderState.present) ? .now : nil
    }

    /// Resets whatever may be on a reader that is called empty, when pcscd must have looked at it again (every 400 ms).
    private func settleDoubt() {
        guard let doubt, let service, let readerName, ContinuousClock.now >= doubt.advanced(by: .milliseconds(600))
        else { return }
        self.doubt = nil
        (try? service.connect(readerName, share: CardConnection.direct, protocols: 0))?.end(.reset)
    }

    /// Waits for one slice; the reader's state where it is known.
    private func look(_ wait: inout Wait) async -> ReaderState? {
        guard service != nil, let readerName else { return await reattach(&wait) }
        let known = wait.state ?? ReaderState(name: readerName)
        let (code, state) = await watcher.look(known, milliseconds: wait.remaining(PCSCTransport.slice))
        switch code {
        case PCSCError.success, PCSCError.timeout, PCSCError.cancelled:
            if state.has(ReaderState.unknown | ReaderState.unavailable) { return await reattach(&wait) }
            wait.state = state
            wait.isWhole()
            return state
        default:
            if note(PCSCError(code: code)).isServiceLoss { self.service = nil }
            return await reattach(&wait)
        }
    }

    /// The service or the reader is away: looks for them once, after a moment.
    private func reattach(_ wait: inout Wait) async -> ReaderState? {
        wait.isBroken()
        connection = nil
        if attach()?.isServiceLoss == true { service = nil }
        if readerName == nil || service == nil { try? await Task.sleep(for: .milliseconds(100)) }
        return nil
    }

    private func gone() -> CardEvent {
        forget()
        return .readerGone
    }

    private func connect(_ state: ReaderState) -> PCSCError? {
        guard let service, let readerName else { return PCSCError(code: PCSCError.unknownReader) }
        do throws(PCSCError) {
            let share = options.sharing == .exclusive ? CardConnection.exclusive : CardConnection.shared
            if needsReset {
                try service.connect(readerName, share: share, atr: state.atr).end(.reset)
                needsReset = false
            }
            let connection = try service.connect(readerName, share: share, atr: state.atr)
            if options.sharing == .transaction { try connection.beginTransaction() }
            self.connection = connection
            doubt = nil
            answerToReset = state.atr
            return nil
        } catch {
            return note(error)
        }
    }

    // MARK: - Exchanges

    public func transceive(_ command: Bytes) async -> Exchange {
        guard let connection else { return service == nil || readerName == nil ? .readerGone : .fault(.removed) }
        defer { thread.watch(nanoseconds: PCSCTransport.watch) }
        var elapsed: UInt64 = 0
        var link = T0Link(command, speaksT0: connection.protocol == CardConnection.t0)
        while let next = link.next() {
            let (code, length, time) = connection.transmit(next, into: &buffer)
            elapsed += time
            guard code == PCSCError.success else { return failed(PCSCError(code: code)) }
            // A card that dies during the exchange: success, and nothing was received.
            guard length >= 2 else {
                needsReset = true
                return .fault(.transmission)
            }
            link.received(buffer[..<length])
        }
        guard let response = link.response else { return .fault(.protocol) }
        return .response(response, elapsed: .nanoseconds(Int64(clamping: elapsed)))
    }

    private func failed(_ error: PCSCError) -> Exchange {
        note(error)
        needsReset = true
        switch error.meaning {
        case .link(let fault):
            if fault == .removed { connection = nil }
            return .fault(fault)
        case .reader(.inUse), .reader(.unsupported), .interrupted:
            return .fault(.transmission)
        case .reader:
            forget()
            return .readerGone
        }
    }

    public func fieldOff() async {
        powerDown()
        if options.switchesAntenna { switchAntenna(on: false) }
    }

    public func fieldOff(for hold: Duration) async {
        await fieldOff()
        guard hold > .zero else { return }
        let end = ContinuousClock.now.advanced(by: hold)
        restsUntil = restsUntil.map { max($0, end) } ?? end
    }

    // MARK: - The reader itself

    /// What is known of this model.
    public var model: ReaderModel? { readerName.flatMap(ReaderModel.init(readerName:)) }

    /// Sends a command to the reader itself. libccid allows it only where bit 0 of `ifdDriverOptions` in its
    /// `Info.plist` is set.
    public func escape(_ command: Bytes) async throws(PCSCError) -> Bytes {
        try passThrough(command)
    }

    /// Shows a light, where the model has one; whether it did.
    @discardableResult public func show(_ light: ReaderModel.Light) async -> Bool {
        guard let command = model?.command(for: light) else { return false }
        return (try? passThrough(command)) != nil
    }

    /// Sounds the buzzer, where the model has one; whether it did.
    @discardableResult public func buzz(for duration: Duration = .milliseconds(200)) async -> Bool {
        guard let command = model?.buzz(for: duration) else { return false }
        return (try? passThrough(command)) != nil
    }

    private func switchAntenna(on: Bool) {
        guard let model else { return }
        let command = on ? model.antennaOn : model.antennaOff
        if (try? passThrough(command)) != nil { isAntennaOff = !on }
    }

    private func passThrough(_ command: Bytes) throws(PCSCError) -> Bytes {
        do throws(PCSCError) {
            if let connection { return try connection.control(connection.escapeCode, command) }
            guard let service, let readerName else { throw PCSCError(code: PCSCError.unknownReader) }
            let direct = try service.connect(readerName, share: CardConnection.direct, protocols: 0)
            defer { direct.end(.leave) }
            return try direct.control(direct.escapeCode, command)
        } catch {
            throw note(error)
        }
    }
}

/// How far a wait has come.
private struct Wait {
    let patience: Duration
    let deadline: ContinuousClock.Instant?
    /// As PC/SC reported it last.
    var state: ReaderState?
    private var brokenSince: ContinuousClock.Instant?

    init(patience: Duration, deadline: ContinuousClock.Instant?) {
        self.patience = patience
        self.deadline = deadline
    }

    var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
    var hasLostPatience: Bool { brokenSince.map { ContinuousClock.now >= $0.advanced(by: patience) } ?? false }

    /// Milliseconds to wait, up to a slice.
    func remaining(_ slice: UInt32) -> UInt32 {
        guard let deadline else { return slice }
        let left = ContinuousClock.now.duration(to: deadline) / Duration.milliseconds(1)
        return left <= 0 ? 0 : left >= Double(slice) ? slice : UInt32(left) + 1
    }

    mutating func forgetState() { state = nil }
    mutating func isWhole() { brokenSince = nil }
    mutating func isBroken() {
        state = nil
        brokenSince = brokenSince ?? ContinuousClock.now
    }
}
