// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC

/// One connection to the PC/SC service, used by one actor and released with its last reference. Each call runs on the
/// actor's thread and has a time limit. A call that exceeds it throws `PCSCError.waitedTooLong`; the connection is
/// invalid from then on, and its resources are released when the call returns.
final class Service {
    let context: Int64
    private let thread: ReaderThread
    private let functions: PCSCFunctions
    private let limits: PCSCLimits
    private(set) var isGivenUp = false

    private init(_ context: Int64, _ thread: ReaderThread, _ functions: PCSCFunctions, _ limits: PCSCLimits) {
        self.context = context
        self.thread = thread
        self.functions = functions
        self.limits = limits
    }

    static func open(
        on thread: ReaderThread, _ functions: PCSCFunctions, _ limits: PCSCLimits,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) -> Service {
        let ending = await thread.call(
            "", limit: limits.service,
            late: { (code: UInt32, context: Int64) in if code == PCSCError.success { functions.release(context) } },
            functions.establish)
        guard case .done(let (code, context)) = ending else { throw PCSCError(code: PCSCError.waitedTooLong) }
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        return Service(context, thread, functions, limits)
    }

    deinit {
        guard !isGivenUp else { return }
        thread.post("", limit: limits.service) { [context, functions] in functions.release(context) }
    }

    private func call<Result: Sendable>(
        _ subject: String, _ limit: Duration, isolation: isolated (any Actor)? = #isolation,
        late: @escaping @Sendable (Result) -> Void = { _ in }, _ body: @escaping @Sendable () -> Result
    ) async throws(PCSCError) -> Result {
        guard !isGivenUp else { throw PCSCError(code: PCSCError.waitedTooLong) }
        let ending = await thread.call(
            subject, limit: limit,
            late: { [context, functions] in
                late($0)
                functions.release(context)
            }, body)
        guard case .done(let result) = ending else {
            isGivenUp = true
            throw PCSCError(code: PCSCError.waitedTooLong)
        }
        return result
    }

    /// The names of all readers; an empty list is not an error.
    func readers(isolation: isolated (any Actor)? = #isolation) async throws(PCSCError) -> [String] {
        let (code, names) = try await call("", limits.service) { [context, functions] in
            functions.listReaders(context)
        }
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        return names
    }

    /// Waits until a reader's state differs from the known one; returns the code and the states. Ends soon after its
    /// task is cancelled, even if the service does not respond.
    func statusChange(
        _ known: [ReaderState], milliseconds: UInt32, isolation: isolated (any Actor)? = #isolation
    ) async -> (code: UInt32, states: [ReaderState]) {
        guard !isGivenUp else { return (PCSCError.waitedTooLong, known) }
        let token = ReaderThread.Token()
        let ending = await withTaskCancellationHandler {
            await thread.call(
                "", limit: limits.service + .milliseconds(Int64(milliseconds)), token: token, isolation: isolation,
                late: { [context, functions] (_: UInt32, _: [ReaderState]) in functions.release(context) }
            ) { [context, functions] in
                functions.statusChange(context, known, milliseconds)
            }
        } onCancel: { [thread, context, functions] in
            guard thread.hurry(token) else { return }
            Service.cancel(context, functions) { thread.isRunning(token) }
        }
        switch ending {
        case .done(let result): return result
        case .refused: return (PCSCError.cancelled, known)
        case .givenUp:
            isGivenUp = true
            return (PCSCError.waitedTooLong, known)
        }
    }

    /// Cancels a wait. PC/SC loses a cancellation that arrives before the wait begins, so it is repeated until the wait
    /// is over. It runs on a separate thread, since a hanging service does not answer it.
    private static func cancel(
        _ context: Int64, _ functions: PCSCFunctions, while runs: @escaping @Sendable () -> Bool
    ) {
        guard !canceller.isStuck("") else { return }
        canceller.post("", limit: .seconds(3)) {
            while runs() {
                functions.cancel(context)
                cpcsc_pause(2_000_000)
            }
        }
    }

    private static let canceller = ReaderThread()

    /// Connects to a contactless card with T=1, even though its generated answer to reset also names T=0; otherwise
    /// with a protocol that the card offers.
    func connect(
        _ reader: String, share: UInt32, atr: Bytes, isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) -> CardConnection {
        if ReaderState(name: reader, atr: atr).isContactless {
            do throws(PCSCError) {
                return try await connect(reader, share: share, protocols: CardConnection.t1)
            } catch {
                guard error.code == PCSCError.protocolMismatch else { throw error }
            }
        }
        return try await connect(reader, share: share, protocols: CardConnection.t0 | CardConnection.t1)
    }

    func connect(
        _ reader: String, share: UInt32, protocols: UInt32, isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) -> CardConnection {
        let (code, card, active) = try await call(
            reader, limits.exchange,
            late: { [functions] (code: UInt32, card: Int64, _: UInt32) in
                if code == PCSCError.success { functions.disconnect(card, CardConnection.Disposition.reset.rawValue) }
            }
        ) { [context, functions] in functions.connect(context, reader, share, protocols) }
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        return CardConnection(service: self, reader: reader, handle: card, protocol: active)
    }

    // MARK: - For a card's connection

    fileprivate func onCard<Result: Sendable>(
        _ connection: CardConnection, limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (PCSCFunctions) -> Result
    ) async throws(PCSCError) -> Result {
        try await call(
            connection.reader, limit ?? limits.exchange,
            late: { [functions, handle = connection.handle] _ in
                functions.disconnect(handle, CardConnection.Disposition.reset.rawValue)
            }
        ) { [functions] in body(functions) }
    }

    fileprivate func leave(_ connection: CardConnection, inTransaction: Bool) {
        guard !isGivenUp else { return }
        thread.post(connection.reader, limit: limits.exchange) { [functions, handle = connection.handle] in
            if inTransaction { functions.endTransaction(handle) }
            functions.disconnect(handle, CardConnection.Disposition.leave.rawValue)
        }
    }
}

/// PC/SC's state of one reader.
struct ReaderState: Sendable, Hashable {
    static let changed: UInt32 = 0x0002
    static let unknown: UInt32 = 0x0004
    static let unavailable: UInt32 = 0x0008
    static let empty: UInt32 = 0x0010
    static let present: UInt32 = 0x0020
    static let exclusive: UInt32 = 0x0080
    static let inUse: UInt32 = 0x0100
    static let mute: UInt32 = 0x0200

    /// The name under which PC/SC reports the arrival and removal of readers.
    static let arrivals = "\\\\?PnP?\\Notification"

    var name: String
    /// The state bits, with the event counter above them; 0 if nothing is known.
    var rawValue: UInt32 = 0
    var atr: Bytes = []

    /// Whether the answer to reset is one that a contactless reader generates (PC/SC part 3, 3.1.3.2.3).
    var isContactless: Bool {
        atr.count >= 4 && atr[0] == 0x3B && atr[1] & 0xF0 == 0x80 && atr[2] == 0x80 && atr[3] == 0x01
    }

    func has(_ bits: UInt32) -> Bool { rawValue & bits != 0 }
}

/// One connection to a card, or to a reader without a card. If it is released without `end`, the card is left as it is.
final class CardConnection {
    static let exclusive: UInt32 = 1
    static let shared: UInt32 = 2
    static let direct: UInt32 = 3
    static let t0: UInt32 = 1
    static let t1: UInt32 = 2

    enum Disposition: UInt32 {
        case leave = 0
        case reset = 1
        case unpower = 2
    }

    /// Keeps the service until the card is released.
    private let service: Service
    fileprivate let reader: String
    fileprivate let handle: Int64
    let `protocol`: UInt32
    private var isOpen = true
    private var inTransaction = false

    init(service: Service, reader: String, handle: Int64, protocol: UInt32) {
        self.service = service
        self.reader = reader
        self.handle = handle
        self.protocol = `protocol`
    }

    deinit {
        if isOpen { service.leave(self, inTransaction: inTransaction) }
    }

    func end(_ disposition: Disposition, isolation: isolated (any Actor)? = #isolation) async {
        guard isOpen else { return }
        isOpen = false
        let inTransaction = inTransaction
        try? await service.onCard(self) { [handle] functions in
            if inTransaction { functions.endTransaction(handle) }
            functions.disconnect(handle, disposition.rawValue)
        }
    }

    /// Waits for the end of another program's transaction, up to `limit`.
    func beginTransaction(
        limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) {
        let code = try await service.onCard(self, limit: limit) { [handle] in $0.beginTransaction(handle) }
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        inTransaction = true
    }

    /// Makes one exchange as the reader does. The response is written to the buffer.
    func transmit(
        _ command: Bytes, into room: ReaderThread.Room, isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) -> (code: UInt32, length: Int, nanoseconds: UInt64) {
        try await service.onCard(self) { [handle, `protocol`] in $0.transmit(handle, `protocol`, command, room) }
    }

    func control(
        _ code: UInt32, _ command: Bytes, isolation: isolated (any Actor)? = #isolation
    ) async throws(PCSCError) -> Bytes {
        let (result, response) = try await service.onCard(self) { [handle] in $0.control(handle, code, command) }
        guard result == PCSCError.success else { throw PCSCError(code: result) }
        return response
    }

    /// The bus and address of a USB reader (`SCARD_ATTR_CHANNEL_ID`, 0x0020bbaa); `nil` if its driver does not report
    /// them.
    func usbAddress(isolation: isolated (any Actor)? = #isolation) async -> USBAddress? {
        let answer = try? await service.onCard(self) { [handle] in $0.attribute(handle, 0x0002_0110) }
        guard let (code, value) = answer, code == PCSCError.success, value.count == 4, value[2] == 0x20 else {
            return nil
        }
        return USBAddress(bus: value[1], device: value[0])
    }

    /// The control code that passes a command to the reader itself (PC/SC part 10, feature 13).
    func escapeCode(isolation: isolated (any Actor)? = #isolation) async -> UInt32 {
        let features = (try? await control(cpcsc_control_code(3400), [])) ?? []
        var at = 0
        while at + 6 <= features.count {
            if features[at] == 0x13, features[at + 1] == 4 {
                return features[(at + 2)..<(at + 6)].reduce(0) { $0 << 8 | UInt32($1) }
            }
            at += 2 + Int(features[at + 1])
        }
        return cpcsc_control_code(1)
    }
}
