// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC

/// A PC/SC reader as a transport. Exchanges run on a separate thread, which the `TapReader` shares; another thread
/// waits for cards.
///
/// ```swift
/// let reader = TapReader(PCSCTransport(), configuration: configuration)
/// ```
///
/// A wait ends at once when its task is cancelled. PC/SC cannot cancel an exchange with a card: the exchange ends when
/// the card answers, when the reader gives up (ISO/IEC 14443-4 allows a card 4.949 s, and to ask for more) or at
/// ``Options/exchangeLimit``, and only then does the cancelled task continue. If a call exceeds its limit, the link
/// counts as timed out, the thread of that call is abandoned, and its reader is not used until the call returns.
public actor PCSCTransport: CardTransport {
    /// The readers to use.
    public enum Choice: Sendable, Hashable {
        /// The reader with this name or, if there is none, the only reader whose name contains it. `usb:1-2.4` is the
        /// reader at this USB port (``ReaderDescription/port``): PC/SC numbers two readers of one model in the order in
        /// which it finds them, so their names may be swapped after a restart, and only the port distinguishes them.
        case named(String)
        /// All readers that are or may be contactless are watched, and the first card wins. A contact reader, a SAM
        /// slot or a security key is never used.
        case contactless
    }

    /// How the card is shared with other programs during a tap.
    public enum Sharing: Sendable, Hashable {
        /// Exclusive: no other program may connect.
        case exclusive
        /// Others may be connected, but wait during the tap. A program that does not end its own transaction within
        /// ``Options/exchangeLimit`` keeps the card, and the reader is not used until it does.
        case transaction
    }

    public struct Options: Sendable, Hashable {
        public var sharing: Sharing
        /// How long the service or a reader may be absent during a wait before the tap ends with the reader detached.
        public var patience: Duration
        /// Whether to switch the antenna with the reader's own commands, if ``ReaderModel`` has them. Otherwise the
        /// card is unpowered, for which most contactless readers switch the field off for a moment.
        public var switchesAntenna: Bool
        /// Whether to ask the reader, once for each card that arrives, if several cards are in the field. This applies
        /// only to readers whose makers document a command for it (Identiv uTrust 37xx F and 47xx F, ACR122U); see
        /// `Readers.md`. It costs a command to the reader and, with an ACR122U, a reset of the card.
        public var looksForTwoCards: Bool
        /// The longest exchange with a card or a reader. A card that has not answered by then has timed out.
        public var exchangeLimit: Duration
        /// The longest call of the service that involves no card.
        public var serviceLimit: Duration

        public init(
            sharing: Sharing = .exclusive, patience: Duration = .seconds(3), switchesAntenna: Bool = false,
            looksForTwoCards: Bool = false, exchangeLimit: Duration = .seconds(5),
            serviceLimit: Duration = .seconds(2)
        ) {
            self.sharing = sharing
            self.patience = patience
            self.switchesAntenna = switchesAntenna
            self.looksForTwoCards = looksForTwoCards
            self.exchangeLimit = exchangeLimit
            self.serviceLimit = serviceLimit
        }

        var limits: PCSCLimits { PCSCLimits(service: serviceLimit, exchange: exchangeLimit) }
    }

    private nonisolated let thread = ReaderThread()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
    public nonisolated var isolation: (any Actor)? { self }

    /// Waits on separate threads, so that this actor stays responsive.
    private let watcher: ReaderWatcher
    private let choice: Choice
    private let options: Options
    private let functions: PCSCFunctions
    /// Evaluated when needed: PC/SC is not loaded before its first use.
    private let system: @Sendable () -> SystemView
    private var service: Service?
    private var connection: CardConnection?
    /// Counts `open()` and `close()`: earlier operations that are still running are void.
    private var epoch = 0
    /// Readers whose antenna is off.
    private var darkReaders: Set<String> = []
    /// Whether two cards were reported and have not yet been reported gone.
    private var hasCollided = false
    /// Readers that rejected the query for several cards.
    private var silentReaders: Set<String> = []
    /// The time until which the field stays off.
    private var restsUntil: ContinuousClock.Instant?
    /// Whether the current tap has had a card: a removal is then the removal of that card. Before that, every watched
    /// reader has to be empty.
    private var hasTakenCard = false
    /// The time until which "empty" may only mean that the reader has not found its card again, after it was powered
    /// down or its field was switched on.
    private var unsettledUntil: ContinuousClock.Instant?
    /// Whether the current tap has already reported which program holds the card.
    private var hasNamedHolder = false
    /// The time after which a program that inspects each new card has finished.
    static let holdersTime = Duration.seconds(5)
    /// Longer than the 400 ms between two polls of a reader by pcscd.
    private static let settling = Duration.milliseconds(600)
    /// Whether the last exchange failed: the card is not powered down, but reset when it is connected again. Powering
    /// down a card that has already gone confuses pcscd (seen with 1.9.9): it does not notice a card that follows at
    /// once.
    private var needsReset = false
    /// Set when a card was powered down that had already gone. pcscd (1.9.9) then calls the slot empty without having
    /// seen it empty, and does not notice the next card until that one has gone too. The reader is therefore reset
    /// later, and several times: on a busy machine pcscd polls later than planned, and rejects a reset before that.
    private var doubt: Doubt?
    private var room = ReaderThread.Room(count: Int(CPCSC_MAX_RESPONSE))

    /// The watched readers, the likely ones first; empty before `open()` and after all were lost.
    public private(set) var candidates: [ReaderCandidate] = []
    /// The reader of the last card; before the first card, the first candidate; `nil` without a candidate.
    public private(set) var readerName: String?
    public var name: String? { readerName }
    /// The answer to reset of the last connected card.
    public private(set) var answerToReset: Bytes = []
    /// The last PC/SC error.
    public private(set) var lastError: PCSCError?

    /// The length in milliseconds of one slice of a wait; PC/SC returns earlier when a state changes.
    static let slice: UInt32 = 60_000
    /// The length of a slice if PC/SC does not report the arrival and removal of readers.
    static let shortSlice: UInt32 = 1_000
    /// How long after an exchange to spin for the next one, in nanoseconds: the kernel's share of a tap.
    private static let watch: UInt64 = 50_000

    public init(_ choice: Choice = .contactless, options: Options = Options()) {
        self.init(choice, options: options, functions: .system)
    }

    init(
        _ choice: Choice, options: Options, functions: PCSCFunctions,
        system: @escaping @Sendable () -> SystemView = { SystemView() }
    ) {
        self.system = system
        self.choice = choice
        self.options = options
        self.functions = functions
        watcher = ReaderWatcher(functions, options.limits)
    }

    /// The candidate in use.
    public var candidate: ReaderCandidate? { candidates.first { $0.name == readerName } }

    // MARK: - Reader

    public func open() async -> ReaderFault? {
        epoch += 1
        (hasCollided, silentReaders) = (false, [])
        if let connection {
            self.connection = nil
            await connection.end(.reset)
        }
        // A context can count as valid long after pcscd has gone: only an answer proves that the service is there.
        guard await attach() != nil else { return nil }
        service = nil
        return await attach()
    }

    /// Releases the card and the service. `open()` makes the transport usable again.
    public func close() async {
        epoch += 1
        await powerDown()
        forget()
        await watcher.rest()
    }

    private func forget() {
        connection = nil
        service = nil
        readerName = nil
        candidates = []
    }

    /// Finds the readers; connects to the service first if there is no connection.
    private func attach() async -> ReaderFault? {
        do throws(PCSCError) {
            guard !thread.isStuck(""), !watcher.isStuck else { throw PCSCError(code: PCSCError.waitedTooLong) }
            let names = try await connected().readers()
            let ports = choice.namesPort ? await ports(of: names) : [:]
            switch ReaderCandidate.candidates(choice, from: names, ports: ports) {
            case .failure(let failure):
                note(PCSCError(code: failure.code))
                lose()
                return failure.fault
            case .success(let all):
                candidates = all.filter { !thread.isStuck($0.name) }
                guard let first = candidates.first else {
                    lose()
                    return stuck(all)
                }
                if candidate == nil { readerName = first.name }
                return nil
            }
        } catch {
            if error.isServiceLoss { service = nil }
            lose()
            guard error.code != PCSCError.waitedTooLong else {
                note(error)
                return ReaderFault(
                    .failed, "pcscd does not answer. Restart it: sudo systemctl restart pcscd, or end and start it")
            }
            return note(error).readerFault
        }
    }

    /// The USB ports of the readers, as far as they are known.
    private func ports(of names: [String]) async -> [String: String] {
        var ports: [String: String] = [:]
        let view = system()
        for name in names {
            guard
                let direct = try? await connected().connect(name, share: CardConnection.direct, protocols: 0)
            else { continue }
            let address = await direct.usbAddress()
            await direct.end(.leave)
            ports[name] = view.port(of: address)
        }
        return ports
    }

    private func lose() {
        candidates = []
        readerName = nil
    }

    private func stuck(_ readers: [ReaderCandidate]) -> ReaderFault {
        let names = readers.map(\.name).joined(separator: ", ")
        note(PCSCError(code: PCSCError.waitedTooLong))
        return ReaderFault(
            .failed,
            "\(names): a call to the reader has not returned. Take the card away; if that does not help, plug the "
                + "reader out and in again")
    }

    private func connected() async throws(PCSCError) -> Service {
        if let service, !service.isGivenUp { return service }
        let service = try await Service.open(on: thread, functions, options.limits)
        self.service = service
        return service
    }

    @discardableResult private func note(_ error: PCSCError) -> PCSCError {
        lastError = error
        return error
    }

    // MARK: - Waiting

    public func begin(_ tap: TapRecord) async { (hasTakenCard, hasNamedHolder) = (false, false) }

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        let deadline = poll.timeout.map { functions.now().advanced(by: $0) }
        if let hold = poll.fieldOff { await fieldOff(for: hold) }
        await switchFieldOn()
        if poll.removalFirst { return await waitForRemoval(deadline) }
        var wait = Wait(functions, patience: options.patience, deadline: deadline)
        while !Task.isCancelled, !wait.isOver {
            guard let states = await look(&wait, candidates) else {
                wait.isHeld(false)
                if wait.hasLostPatience { return gone() }
                continue
            }
            let cards = states.filter { isTakeable($0) }
            guard !cards.isEmpty else {
                wait.isHeld(false)
                if hasCollided {
                    hasCollided = false
                    return .collisionCleared
                }
                await settleDoubt()
                continue
            }
            if let event = await take(cards, &wait) { return event }
            if !hasNamedHolder, let time = wait.heldFor, time >= PCSCTransport.holdersTime { return inUse(cards) }
        }
        return wait.heldFor != nil && !Task.isCancelled ? inUse([]) : .nothing
    }

    /// The event for a card that another program holds, with the program's name if it can be determined.
    private func inUse(_ cards: [ReaderState]) -> CardEvent {
        hasNamedHolder = true
        let (who, remedy) = ReaderDiagnosis.holder(system())
        let name = cards.first?.name ?? readerName ?? "the reader"
        return .inUse(ReaderFault(.inUse, "\(name): \(who), uses the card. \(remedy)"))
    }

    /// Connects to the first of these cards that is free; `nil` if the wait continues.
    private func take(_ cards: [ReaderState], _ wait: inout Wait) async -> CardEvent? {
        // PC/SC would wait for another program's transaction to end, with no time limit.
        let free = cards.first { state in
            options.sharing != .exclusive || !state.has(ReaderState.inUse | ReaderState.exclusive)
        }
        let began = epoch
        var failure: PCSCError?
        if let free {
            failure = await connect(free)
        } else {
            failure = note(PCSCError(code: PCSCError.sharingViolation))
        }
        guard began == epoch else {
            connection = nil
            return .nothing
        }
        guard let error = failure else {
            hasTakenCard = true
            let seesTwo = await seesTwoCards(free)
            guard began == epoch else {
                connection = nil
                return .nothing
            }
            guard seesTwo || hasCollided else { return connection == nil ? nil : .card }
            // Both cards are left as they are until one of them is removed.
            await leaveCard()
            if !seesTwo || !hasCollided {
                hasCollided = seesTwo
                return seesTwo ? .collision : .collisionCleared
            }
            wait.forgetStates()
            await functions.sleep(.milliseconds(250))
            return nil
        }
        wait.forgetStates()
        if error.isServiceLoss {
            // A reader that does not answer must not block the others.
            service = nil
            _ = await attach()
            return nil
        }
        wait.isHeld(error.meaning == .reader(.inUse))
        switch error.meaning {
        case .reader(.inUse):
            await functions.sleep(wait.pause())
        case .link(let fault) where fault != .removed:
            wait.failures += 1
            if wait.failures >= 3 { return .fault(fault) }
            await functions.sleep(.milliseconds(100))
        case .link, .interrupted, .reader: await functions.sleep(.milliseconds(20))
        }
        return nil
    }

    /// Asks the reader of the connected card for several cards, if the option is set and the command is known.
    private func seesTwoCards(_ state: ReaderState?) async -> Bool {
        guard options.looksForTwoCards, let state, !silentReaders.contains(state.name),
            let query = CollisionQuery(readerName: state.name)
        else { return false }
        do throws(PCSCError) {
            if query.disturbs, let model = ReaderModel(readerName: state.name) {
                for command in CollisionQuery.wakeCards(model) { _ = try await passThrough(command) }
            }
            let answer = try await passThrough(query.command)
            guard query.disturbs, let held = connection else { return query.saysSeveral(answer) }
            connection = nil
            await held.end(.reset)
            if query.saysSeveral(answer) { return true }
            if await connect(state) != nil { connection = nil }
            return false
        } catch {
            silentReaders.insert(state.name)
            return false
        }
    }

    private func waitForRemoval(_ deadline: ContinuousClock.Instant?) async -> CardEvent {
        await leaveCard()
        var wait = Wait(functions, patience: options.patience, deadline: deadline)
        while !Task.isCancelled, !wait.isOver {
            let watched = hasTakenCard ? candidates.filter { $0.name == readerName } : candidates
            guard let states = await look(&wait, watched) else {
                if wait.hasLostPatience { return gone() }
                continue
            }
            guard !states.contains(where: { holdsCard($0) }) else { continue }
            guard !hasTakenCard, let end = unsettledUntil, functions.now() < end else { return .removed }
            await functions.sleep(min(functions.now().duration(to: end), wait.left ?? .seconds(1)))
            wait.forgetStates()
        }
        return .nothing
    }

    /// Whether this reader has something that a tap would use. On the reader of the current tap's card, anything
    /// counts.
    private func holdsCard(_ state: ReaderState) -> Bool {
        hasTakenCard ? state.has(ReaderState.present) : isTakeable(state)
    }

    private func isTakeable(_ state: ReaderState) -> Bool {
        state.has(ReaderState.present) && candidates.contains { $0.name == state.name && $0.counts(state) }
    }

    /// Switches the field on once it has been off for the requested time, unless the wait is cancelled meanwhile.
    private func switchFieldOn() async {
        if let rest = restsUntil {
            let left = functions.now().duration(to: rest)
            if left > .zero { await functions.sleep(left) }
            guard !Task.isCancelled else { return }
            restsUntil = nil
        }
        // Without a request, field and card are left as they are.
        await leaveCard()
        for name in darkReaders.sorted() { await switchAntenna(on: true, of: name) }
    }

    private func leaveCard() async {
        guard let connection else { return }
        self.connection = nil
        await connection.end(.leave)
    }

    private func powerDown() async {
        guard let connection else { return }
        self.connection = nil
        await connection.end(needsReset ? .leave : .unpower)
        unsettledUntil = functions.now().advanced(by: PCSCTransport.settling)
        guard !needsReset, let service, let readerName else { return }
        let (code, states) = await service.statusChange([ReaderState(name: readerName)], milliseconds: 0)
        doubt = code == PCSCError.success && !states[0].has(ReaderState.present) ? Doubt(functions.now()) : nil
    }

    /// A period after which pcscd must have polled the reader again (it does so every 400 ms). The next period is twice
    /// as long.
    private struct Doubt {
        private let began: ContinuousClock.Instant
        private let count: Int

        init(_ now: ContinuousClock.Instant) { self.init(now, 0) }

        private init(_ began: ContinuousClock.Instant, _ count: Int) { (self.began, self.count) = (began, count) }

        var end: ContinuousClock.Instant { began.advanced(by: .milliseconds(600 << count)) }
        /// The periods end after 600 and 1,200 ms, 2.4 and 4.8 s; then `nil`: the reader's state is trusted.
        var next: Doubt? { count < 3 ? Doubt(began, count + 1) : nil }
    }

    /// Resets a card that may be on a reader reported as empty.
    private func settleDoubt() async {
        guard let doubt, let service, let readerName, functions.now() >= doubt.end else { return }
        self.doubt = doubt.next
        let direct = try? await service.connect(readerName, share: CardConnection.direct, protocols: 0)
        await direct?.end(.reset)
    }

    /// Waits for one slice and returns the readers' states, if they are known.
    private func look(_ wait: inout Wait, _ readers: [ReaderCandidate]) async -> [ReaderState]? {
        guard service != nil, !readers.isEmpty else { return await reattach(&wait) }
        var known = readers.prefix(Int(CPCSC_MAX_STATES) - 1).map { wait.states[$0.name] ?? ReaderState(name: $0.name) }
        let arrivals = wait.states[ReaderState.arrivals] ?? ReaderState(name: ReaderState.arrivals)
        if wait.tellsArrivals { known.append(arrivals) }
        let slice = wait.tellsArrivals ? PCSCTransport.slice : PCSCTransport.shortSlice
        let (code, states) = await watcher.look(known, milliseconds: wait.remaining(slice, until: doubt?.end))
        switch code {
        case PCSCError.success, PCSCError.timeout, PCSCError.cancelled: break
        case PCSCError.unknownReader where wait.tellsArrivals:
            // This PC/SC does not know the name for arrivals; without it in the list, the code refers to the readers.
            wait.tellsArrivals = false
            return nil
        default:
            if note(PCSCError(code: code)).isServiceLoss { service = nil }
            return await reattach(&wait)
        }
        for state in states { wait.states[state.name] = state }
        let slots = states.filter { $0.name != ReaderState.arrivals }
        let here = slots.filter { !$0.has(ReaderState.unknown | ReaderState.unavailable) }
        let arrived = wait.tellsArrivals && code == PCSCError.success && states.last?.rawValue != arrivals.rawValue
        // A reader arrived or left, or PC/SC does not report that.
        if arrived || !wait.tellsArrivals || slots.contains(where: { $0.has(ReaderState.unknown) }) {
            if await attach() != nil || here.isEmpty { return await pauseBroken(&wait) }
        }
        guard !here.isEmpty else {
            // The readers are listed but not available: PC/SC reports when that changes.
            wait.isBroken()
            connection = nil
            return nil
        }
        wait.isWhole()
        return here
    }

    /// Looks once for a missing service or missing readers, then pauses for a moment.
    private func reattach(_ wait: inout Wait) async -> [ReaderState]? {
        connection = nil
        _ = await attach()
        return await pauseBroken(&wait)
    }

    private func pauseBroken(_ wait: inout Wait) async -> [ReaderState]? {
        wait.isBroken()
        wait.forgetStates()
        if candidates.isEmpty || service == nil { await functions.sleep(.milliseconds(100)) }
        return nil
    }

    private func gone() -> CardEvent {
        forget()
        return .readerGone
    }

    private func connect(_ state: ReaderState) async -> PCSCError? {
        guard let service else { return PCSCError(code: PCSCError.noService) }
        readerName = state.name
        do throws(PCSCError) {
            let share = options.sharing == .exclusive ? CardConnection.exclusive : CardConnection.shared
            if needsReset {
                await (try service.connect(state.name, share: share, atr: state.atr)).end(.reset)
                needsReset = false
            }
            let connection = try await service.connect(state.name, share: share, atr: state.atr)
            if options.sharing == .transaction { try await connection.beginTransaction() }
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
            do throws(PCSCError) {
                let (code, length, time) = try await connection.transmit(next, into: room)
                elapsed += time
                guard code == PCSCError.success else { return failed(PCSCError(code: code)) }
                // If a card is removed during the exchange, PC/SC may report success without any data.
                guard length >= 2 else {
                    needsReset = true
                    return .fault(.transmission)
                }
                link.received(unsafe Bytes(room.bytes[..<length])[...])
                // A shorter next answer would leave part of this one in the buffer, and nothing overwrites the last
                // one. Only the received bytes are cleared: the buffer has the size of the longest answer.
                unsafe room.bytes.baseAddress?.update(repeating: 0, count: length)
            } catch {
                // The hanging call may still write into the old buffer.
                room = ReaderThread.Room(count: Int(CPCSC_MAX_RESPONSE))
                self.connection = nil
                service = nil
                return failed(error)
            }
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
        await powerDown()
        if options.switchesAntenna, let readerName { await switchAntenna(on: false, of: readerName) }
    }

    public func fieldOff(for hold: Duration) async {
        await fieldOff()
        guard hold > .zero else { return }
        let end = functions.now().advanced(by: hold)
        restsUntil = restsUntil.map { max($0, end) } ?? end
    }

    // MARK: - Commands to the reader

    /// The known properties of this reader model.
    public var model: ReaderModel? { readerName.flatMap(ReaderModel.init(readerName:)) }

    /// Sends a command to the reader itself. libccid allows this only if bit 0 of `ifdDriverOptions` in its
    /// `Info.plist` is set.
    public func escape(_ command: Bytes) async throws(PCSCError) -> Bytes {
        try await passThrough(command)
    }

    /// Shows a light, if the model has one; returns whether it did.
    @discardableResult public func show(_ light: ReaderModel.Light) async -> Bool {
        guard let command = model?.command(for: light) else { return false }
        return (try? await passThrough(command)) != nil
    }

    /// Sounds the buzzer, if the model has one; returns whether it did.
    @discardableResult public func buzz(for duration: Duration = .milliseconds(200)) async -> Bool {
        guard let command = model?.buzz(for: duration) else { return false }
        return (try? await passThrough(command)) != nil
    }

    private func switchAntenna(on: Bool, of name: String) async {
        guard let model = ReaderModel(readerName: name) else { return }
        let sent = try? await passThrough(on ? model.antennaOn : model.antennaOff, to: name)
        if on {
            darkReaders.remove(name)
            unsettledUntil = functions.now().advanced(by: PCSCTransport.settling)
        } else if sent != nil {
            darkReaders.insert(name)
        }
    }

    private func passThrough(_ command: Bytes, to name: String? = nil) async throws(PCSCError) -> Bytes {
        do throws(PCSCError) {
            if let connection, name == nil || name == readerName {
                return try await connection.control(connection.escapeCode(), command)
            }
            guard let service, let reader = name ?? readerName else {
                throw PCSCError(code: PCSCError.unknownReader)
            }
            let direct = try await service.connect(reader, share: CardConnection.direct, protocols: 0)
            do throws(PCSCError) {
                let response = try await direct.control(direct.escapeCode(), command)
                await direct.end(.leave)
                return response
            } catch {
                await direct.end(.leave)
                throw error
            }
        } catch {
            throw note(error)
        }
    }
}

/// The state of a wait.
private struct Wait {
    let patience: Duration
    let deadline: ContinuousClock.Instant?
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The states that PC/SC reported last, by reader name.
    var states: [String: ReaderState] = [:]
    /// Whether PC/SC reports the arrival and removal of readers.
    var tellsArrivals = true
    /// The number of cards that could not be connected.
    var failures = 0
    private var brokenSince: ContinuousClock.Instant?
    private var heldSince: ContinuousClock.Instant?
    private var pauses = 0

    init(_ functions: PCSCFunctions, patience: Duration, deadline: ContinuousClock.Instant?) {
        self.patience = patience
        self.deadline = deadline
        now = functions.now
    }

    var isOver: Bool { deadline.map { now() >= $0 } ?? false }
    /// The time until the deadline.
    var left: Duration? { deadline.map { max(.zero, now().duration(to: $0)) } }
    var hasLostPatience: Bool { brokenSince.map { now() >= $0.advanced(by: patience) } ?? false }

    /// The milliseconds to wait: until the end of the slice, the deadline, the end of patience or `until`, whichever
    /// comes first.
    func remaining(_ slice: UInt32, until: ContinuousClock.Instant?) -> UInt32 {
        let ends = [deadline, brokenSince?.advanced(by: patience), until].compactMap(\.self)
        guard let end = ends.min() else { return slice }
        let left = now().duration(to: end) / Duration.milliseconds(1)
        return left <= 0 ? 0 : left >= Double(slice) ? slice : UInt32(left) + 1
    }

    /// A short pause while another program holds the card: PC/SC does not always report its release.
    mutating func pause() -> Duration {
        pauses += 1
        return .milliseconds(min(250, 50 * pauses))
    }

    /// How long another program has held the card; `nil` if none does.
    var heldFor: Duration? { heldSince.map { $0.duration(to: now()) } }
    mutating func isHeld(_ isSo: Bool) { heldSince = isSo ? heldSince ?? now() : nil }

    mutating func forgetStates() { states = [:] }
    mutating func isWhole() { brokenSince = nil }
    mutating func isBroken() { brokenSince = brokenSince ?? now() }
}
