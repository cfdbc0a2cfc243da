// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader and the card on it.
public struct ReaderDescription: Sendable, Hashable {
    public enum Card: Sendable, Hashable {
        case none
        /// A card is present; the value is its answer to reset.
        case present(atr: Bytes)
        /// Something is present but does not answer.
        case mute
    }

    public var name: String
    public var card: Card
    /// Whether another program is connected to the card.
    public var isInUse: Bool
    /// Whether that program has exclusive access to the card.
    public var isExclusive: Bool
    /// The kind of the reader, from its name.
    public var kind: ReaderKind
    /// Whether the reader is listed but unusable in PC/SC.
    public var isUnavailable: Bool
    /// Whether it is contactless, from its name or the answer to reset of the card on it (PC/SC part 3).
    public var isContactless: Bool
    /// The USB port, as `usb:1-2.4`, which distinguishes two readers of one model independently of PC/SC's numbers
    /// (``PCSCTransport/Choice/named(_:)``). ``ReaderDiagnosis/examine()`` finds it; `nil` if it is not known.
    public var port: String?

    init(_ state: ReaderState) {
        name = state.name
        kind = ReaderKind(readerName: state.name)
        isUnavailable = state.has(ReaderState.unavailable)
        isInUse = state.has(ReaderState.inUse | ReaderState.exclusive)
        isExclusive = state.has(ReaderState.exclusive)
        card =
            if !state.has(ReaderState.present) { .none } else if state.has(ReaderState.mute) { .mute } else {
                .present(atr: state.atr)
            }
        isContactless = state.isContactless || kind == .contactless
    }
}

/// All readers at one moment.
public struct ReaderList: Sendable, Hashable {
    public var readers: [ReaderDescription]
    /// Why the list is empty, if the service is the cause.
    public var error: PCSCError?
}

/// The list of readers now, and again after each change: a reader, a card or the service arrives or leaves. It ends
/// only when its task is cancelled.
///
/// ```swift
/// for await list in ReaderDiscovery() { print(list.readers.map(\.name)) }
/// ```
public struct ReaderDiscovery: AsyncSequence, Sendable {
    public init() {}

    public func makeAsyncIterator() -> Iterator { Iterator(monitor: ReaderMonitor()) }

    public struct Iterator: AsyncIteratorProtocol {
        let monitor: ReaderMonitor

        /// Returns `nil` when the task was cancelled.
        public mutating func next() async -> ReaderList? { await monitor.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> ReaderList? { await monitor.next() }
    }

    /// Returns the present readers.
    public static func now() async -> ReaderList { await ReaderMonitor().list() }
}

/// Watches all readers over a separate connection to the service.
actor ReaderMonitor {
    private nonisolated let thread = ReaderThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    private let functions: PCSCFunctions
    private let limits: PCSCLimits
    private var service: Service?
    private var states: [ReaderState] = []
    private var arrivals = ReaderState(name: ReaderState.arrivals)
    private var reported: ReaderList?

    init(_ functions: PCSCFunctions = .system, _ limits: PCSCLimits = PCSCLimits()) {
        self.functions = functions
        self.limits = limits
    }

    func next() async -> ReaderList? {
        while !Task.isCancelled {
            let list = await look()
            if list != reported {
                reported = list
                return list
            }
            await wait()
        }
        return nil
    }

    func list() async -> ReaderList { await look() }

    /// Why communication with the card fails; `nil` if it works, or there is no card.
    func difficulty(_ reader: String) async -> PCSCError? {
        do throws(PCSCError) {
            let service = try await connected()
            let both = CardConnection.t0 | CardConnection.t1
            await (try service.connect(reader, share: CardConnection.shared, protocols: both)).end(.leave)
            return nil
        } catch {
            return [PCSCError.noCard, PCSCError.removed].contains(error.code) ? nil : error
        }
    }

    /// How another program holds the card.
    enum Hold: Sendable, Hashable {
        case exclusive, transaction, shared
    }

    func hold(_ reader: String) async -> Hold? {
        do throws(PCSCError) {
            let service = try await connected()
            let both = CardConnection.t0 | CardConnection.t1
            let card = try await service.connect(reader, share: CardConnection.shared, protocols: both)
            try await card.beginTransaction(limit: .seconds(1))
            await card.end(.leave)
            return .shared
        } catch {
            return switch error.code {
            case PCSCError.sharingViolation: .exclusive
            case PCSCError.waitedTooLong: .transaction
            default: nil
            }
        }
    }

    /// The USB address of the reader; `nil` if it is unknown, or another program has exclusive access to the reader.
    func usbAddress(_ reader: String) async -> USBAddress? {
        guard let direct = try? await connected().connect(reader, share: CardConnection.direct, protocols: 0) else {
            return nil
        }
        let address = await direct.usbAddress()
        await direct.end(.leave)
        return address
    }

    /// Whether the reader accepts escape commands.
    func takesEscapes(_ reader: String, _ command: Bytes) async -> Bool {
        do throws(PCSCError) {
            let service = try await connected()
            let direct = try await service.connect(reader, share: CardConnection.direct, protocols: 0)
            let answer = try? await direct.control(direct.escapeCode(), command)
            await direct.end(.leave)
            return answer != nil
        } catch {
            return true
        }
    }

    private func connected() async throws(PCSCError) -> Service {
        if let service, !service.isGivenUp { return service }
        guard !thread.isStuck("") else { throw PCSCError(code: PCSCError.waitedTooLong) }
        let service = try await Service.open(on: thread, functions, limits)
        self.service = service
        return service
    }

    private func look() async -> ReaderList {
        do throws(PCSCError) {
            let service = try await connected()
            let names = try await service.readers().prefix(16)
            let (code, now) = await service.statusChange(names.map { ReaderState(name: $0) }, milliseconds: 0)
            guard
                names.isEmpty || code == PCSCError.success || code == PCSCError.timeout
                    || code == PCSCError.unknownReader
            else {
                throw PCSCError(code: code)
            }
            states = now.filter { !$0.has(ReaderState.unknown) }
            return ReaderList(readers: states.map(ReaderDescription.init))
        } catch {
            service = nil
            states = []
            return ReaderList(readers: [], error: error)
        }
    }

    /// Waits until something changes, at most for a slice; then the readers are listed again.
    private func wait() async {
        guard let service else { return await functions.sleep(.milliseconds(250)) }
        let (code, now) = await service.statusChange(states + [arrivals], milliseconds: PCSCTransport.slice)
        switch code {
        case PCSCError.success, PCSCError.timeout, PCSCError.cancelled: if let last = now.last { arrivals = last }
        // PC/SC does not report arrivals, or there is nothing to wait for: pause, so that the loop does not spin.
        default: await functions.sleep(.milliseconds(250))
        }
    }
}
