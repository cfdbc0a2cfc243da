// SPDX-License-Identifier: Apache-2.0
import CPCSC
import EMVKit
import EMVPCSC
import EMVSimulator

/// Times equal work over SCardTransmit alone and over the transport. The caller presents the card.
enum Overhead {
    struct Failure: Error {
        let text: String
    }

    /// Nanoseconds per APDU: the total, and the part outside SCardTransmit.
    struct Times {
        var whole: [UInt64] = []
        var outside: [UInt64] = []

        mutating func add(whole: UInt64, inside: UInt64, exchanges: Int = 1) {
            self.whole.append(whole / UInt64(exchanges))
            outside.append((whole - min(whole, inside)) / UInt64(exchanges))
        }

        static func + (one: Times, other: Times) -> Times {
            Times(whole: one.whole + other.whole, outside: one.outside + other.outside)
        }

        var median: (whole: Int, outside: Int) {
            func median(_ times: [UInt64]) -> Int { times.isEmpty ? 0 : Int(times.sorted()[times.count / 2]) }
            return (median(whole), median(outside))
        }
    }

    private static let command: Bytes = [0x00, 0xB0, 0x00, 40, 0x00]

    // MARK: - One command again and again

    static func bare(reader: String, exchanges: Int) throws -> Times {
        let link = try BareLink(reader)
        var times = Times()
        for _ in 0..<exchanges {
            let begin = cpcsc_now()
            let (response, inside) = try link.transmit(command)
            times.add(whole: cpcsc_now() - begin, inside: inside)
            guard response.count == 40 else { throw Failure(text: "the card answered \(response.count) bytes") }
        }
        return times
    }

    /// From an actor that shares the transport's thread, or from any other task.
    static func transport(_ transport: PCSCTransport, exchanges: Int, near: Bool) async throws -> Times {
        if near { return try await Neighbour(transport).exchange(command, exchanges) }
        return try await Overhead.exchange(transport, command, exchanges)
    }

    fileprivate static func exchange(
        _ transport: PCSCTransport, _ command: Bytes, _ count: Int, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Times {
        var times = Times()
        for _ in 0..<count {
            let begin = cpcsc_now()
            let exchange = await transport.transceive(command)
            let whole = cpcsc_now() - begin
            guard case .response(let response, let elapsed?) = exchange, response.count == 40 else {
                throw Failure(text: "\(exchange)")
            }
            times.add(whole: whole, inside: nanoseconds(elapsed))
        }
        return times
    }

    // MARK: - Taps

    /// A session driven by hand over SCardTransmit, from the first command to the last response.
    static func bareTap(
        reader: String, _ configuration: CheckedConfiguration, _ transaction: Transaction
    ) throws -> Times {
        let link = try BareLink(reader)
        var session = try KernelSession(configuration, transaction)
        var begin: UInt64?
        var end: UInt64 = 0
        var inside: UInt64 = 0
        while true {
            switch session.kind {
            case .poll: session.advance(.card)
            case .work: session.advance(.carryOn)
            case .send:
                begin = begin ?? cpcsc_now()
                let (response, elapsed) = try link.transmit(session.command)
                end = cpcsc_now()
                inside += elapsed
                session.advance(.response(response, elapsed: .nanoseconds(Int64(elapsed))))
            case .parked, .done:
                guard let begin, session.outcome.status == .onlineRequest else {
                    throw Failure(text: "\(session.outcome.status)")
                }
                var times = Times()
                times.add(whole: end - begin, inside: inside, exchanges: session.commands)
                return times
            case .ask: throw Failure(text: "the session asks for something")
            }
        }
    }

    /// A tap through `TapReader`, which must use this probe.
    static func tap(_ session: ReaderSession, _ probe: Probe, _ request: PaymentRequest) async throws -> Times {
        let outcome = await session.read(request)
        guard case .success = outcome, let times = await probe.take() else { throw Failure(text: "\(outcome.name)") }
        return times
    }

    fileprivate static func nanoseconds(_ duration: Duration) -> UInt64 { UInt64(duration / .nanoseconds(1)) }
}

/// A card over SCardTransmit alone. Powers the card off at the end, so that it forgets the tap.
private final class BareLink {
    private var context: Int64 = 0
    private var card: Int64 = 0
    private var active: UInt32 = 0
    private var buffer = Bytes(repeating: 0, count: 300)

    init(_ reader: String) throws {
        let established = unsafe cpcsc_establish(&context)
        let connected = unsafe cpcsc_connect(context, reader, 1, 2, &card, &active)
        guard established == 0, connected == 0 else {
            throw Overhead.Failure(text: "SCardConnect \(established) \(connected)")
        }
    }

    deinit {
        _ = cpcsc_disconnect(card, 2)
        _ = cpcsc_release(context)
    }

    func transmit(_ command: Bytes) throws -> (Bytes, UInt64) {
        var length = buffer.count
        var elapsed: UInt64 = 0
        let code = unsafe cpcsc_transmit(card, active, command, command.count, &buffer, &length, &elapsed)
        guard code == 0 else { throw Overhead.Failure(text: "SCardTransmit \(code)") }
        return (Bytes(buffer.prefix(length)), elapsed)
    }
}

/// A caller that shares the transport's thread, as `TapReader` does.
private actor Neighbour {
    private nonisolated let transport: PCSCTransport
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe transport.unownedExecutor }

    init(_ transport: PCSCTransport) { self.transport = transport }

    func exchange(_ command: Bytes, _ count: Int) async throws -> Overhead.Times {
        try await Overhead.exchange(transport, command, count)
    }
}

/// Sits between a `TapReader` and its transport, on the same thread, and times the commands of a tap.
actor Probe: CardTransport {
    private nonisolated let transport: PCSCTransport
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe transport.unownedExecutor }
    nonisolated var isolation: (any Actor)? { transport.isolation }

    private var begin: UInt64?
    private var end: UInt64 = 0
    private var inside: UInt64 = 0
    private var count = 0
    /// Threads on which commands arrived and answers were returned.
    private(set) var threads: Set<UInt> = []

    init(_ transport: PCSCTransport) { self.transport = transport }

    func open() async -> ReaderFault? { await transport.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent { await transport.waitForCard(poll) }
    func fieldOff() async { await transport.fieldOff() }
    func fieldOff(for hold: Duration) async { await transport.fieldOff(for: hold) }

    func transceive(_ command: Bytes) async -> Exchange {
        threads.insert(threadNumber())
        begin = begin ?? cpcsc_now()
        let exchange = await transport.transceive(command)
        end = cpcsc_now()
        threads.insert(threadNumber())
        if case .response(_, let elapsed?) = exchange { inside += Overhead.nanoseconds(elapsed) }
        count += 1
        return exchange
    }

    /// Returns the times of the last tap once.
    func take() -> Overhead.Times? {
        guard let begin, count > 0 else { return nil }
        var times = Overhead.Times()
        times.add(whole: end - begin, inside: inside, exchanges: count)
        self.begin = nil
        inside = 0
        count = 0
        return times
    }
}
