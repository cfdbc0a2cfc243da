// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Puts a virtual card into the virtual reader of vsmartcard (the driver vpcd), so that every PC/SC program on the
/// machine can use it.
///
/// ```swift
/// try await CardServer().serve(VirtualCard(profile))
/// ```
public struct CardServer: Sendable, Hashable {
    /// The answer to reset that a contactless reader makes for a card without historical bytes (PC/SC part 3).
    public static let contactless: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]

    /// TCP port of the driver on this machine; 35963 is the first slot of the first virtual reader.
    public var port: UInt16
    public var answerToReset: [UInt8]
    /// The reader's answer to the command for the card's UID; four bytes that begin with 08 denote a random UID
    /// (ISO/IEC 14443-3, 6.5.4).
    public var uid: [UInt8] = [0x08, 0x12, 0x34, 0x56]
    /// Delay of every response, in addition to the card's own response time.
    public var delay: Duration
    /// The card fails when it receives this command, counted from 1: the link breaks in the middle of the exchange.
    public var diesAt: Int?
    /// The card leaves after this number of responses, between two exchanges.
    public var leavesAfter: Int?

    public init(
        port: UInt16 = 35963, answerToReset: [UInt8] = CardServer.contactless, delay: Duration = .zero,
        diesAt: Int? = nil,
        leavesAfter: Int? = nil
    ) {
        self.port = port
        self.answerToReset = answerToReset
        self.delay = delay
        self.diesAt = diesAt
        self.leavesAfter = leavesAfter
    }

    /// Why the card is no longer in the reader.
    public enum End: Sendable, Hashable {
        /// The card failed or left as planned, or its ``FaultPlan`` removed it.
        case left
        /// The driver closed the connection: pcscd ended.
        case readerClosed
        case cancelled
    }

    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// No driver listens on the port. The number is `errno`.
        case noReader(port: UInt16, errno: Int32)
        case noThread

        public var description: String {
            switch self {
            case .noReader(let port, _):
                "No virtual reader listens on port \(port). Install it and restart pcscd: "
                    + "sudo apt install pcscd vsmartcard-vpcd && sudo systemctl restart pcscd"
            case .noThread: "The system has no thread left"
            }
        }
    }

    /// The state of the card when it left, and the number of commands that it received.
    public struct Visit<Card: CardPresentation>: Sendable {
        public var card: Card
        public var commands: Int
        public var end: End
    }

    /// Presents the card and serves it until it leaves or the reader disconnects. Cancelling the task removes the card.
    @discardableResult
    public func serve<Card: CardPresentation>(_ card: Card) async throws(Failure) -> Visit<Card> {
        let socket = try connect()
        var visit = await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Visit<Card>?, Never>) in
                let started = startThread { done.resume(returning: self.converse(socket, card)) }
                if !started { done.resume(returning: nil) }
            }
        } onCancel: {
            shutdown(socket, Int32(SHUT_RDWR))
        }
        close(socket)
        if Task.isCancelled { visit?.end = .cancelled }
        guard let visit else { throw .noThread }
        return visit
    }

    private func connect() throws(Failure) -> Int32 {
        #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let socket = socket(AF_INET, stream, 0)
        guard socket >= 0 else { throw .noReader(port: port, errno: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe systemConnect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            close(socket)
            throw .noReader(port: port, errno: reason)
        }
        set(socket, TCP_NODELAY)
        #if canImport(Darwin)
        var on: Int32 = 1
        unsafe _ = setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return socket
    }

    // MARK: - The driver's protocol

    /// Serves the driver's messages: two bytes of length, then the message. Messages of one byte control the power: 0
    /// off, 1 on, 2 reset, 4 answer to reset.
    private func converse<Card: CardPresentation>(_ socket: Int32, _ card: Card) -> Visit<Card> {
        var visit = Visit(card: card, commands: 0, end: .readerClosed)
        while let length = receive(socket, 2), let message = receive(socket, Int(length[0]) << 8 | Int(length[1])) {
            switch message {
            case [0], [2]: visit.card.reset()
            case [1]: break
            case [4]: guard send(socket, answerToReset) else { return visit }
            case let command where command.starts(with: [0xFF, 0xCA]):
                guard send(socket, identify(command)) else { return visit }
            default:
                guard let response = answer(message, &visit) else {
                    visit.end = .left
                    shutdown(socket, Int32(SHUT_RDWR))
                    return visit
                }
                guard send(socket, response) else { return visit }
                if visit.commands == leavesAfter {
                    visit.end = .left
                    shutdown(socket, Int32(SHUT_RDWR))
                    return visit
                }
            }
        }
        return visit
    }

    /// Answers GET DATA of PC/SC part 3 (3.2.2.1.3), which a reader handles itself, with the UID. There are no
    /// historical bytes.
    private func identify(_ command: [UInt8]) -> [UInt8] {
        guard command.count == 5 else { return [0x67, 0x00] }
        guard command[2] == 0, command[3] == 0 else { return [0x6A, 0x81] }
        let wanted = Int(command[4])
        return wanted == 0 || wanted == uid.count ? uid + [0x90, 0x00] : [0x6C, UInt8(uid.count)]
    }

    /// Returns the card's response, or `nil` if the card is gone. If the card does not answer properly, one byte is
    /// sent, which is not a valid response: the driver has no other way to report the error, and hangs on an empty
    /// message.
    private func answer<Card>(_ command: [UInt8], _ visit: inout Visit<Card>) -> [UInt8]? {
        visit.commands += 1
        if visit.commands == diesAt { return nil }
        let reply = visit.card.exchange(command)
        var wait = delay
        if case .response(_, let milliseconds) = reply { wait += .nanoseconds(Int64(milliseconds * 1_000_000)) }
        if wait > .zero { usleep(UInt32(clamping: Int64(wait / .microseconds(1)))) }
        switch reply {
        case .response(let bytes, _): return bytes.isEmpty ? [0x00] : bytes
        case .timeout, .transmissionError, .protocolError: return [0x00]
        case .removed: return nil
        }
    }

    // MARK: - Bytes

    /// Receives exactly `count` bytes; `nil` if the connection ends.
    private func receive(_ socket: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            #if os(Linux)
            // Linux resets this option repeatedly; without it each exchange waits 40 ms for an acknowledgement.
            set(socket, TCP_QUICKACK)
            #endif
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe recv(socket, buffer.baseAddress?.advanced(by: have), count - have, 0)
            }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            have += received
        }
        return bytes
    }

    private func send(_ socket: Int32, _ message: [UInt8]) -> Bool {
        guard message.count <= 0xFFFF else { return false }
        let bytes = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemSend(socket, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private func set(_ socket: Int32, _ option: Int32) {
        var on: Int32 = 1
        unsafe _ = setsockopt(socket, Int32(IPPROTO_TCP), option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// Calls `connect`, which the type's own method would hide; likewise `send` below.
private func systemConnect(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    unsafe connect(socket, address, length)
}

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    unsafe send(socket, bytes, count, flags)
}

/// Runs `body`, which blocks, on a separate thread; returns `false` if no thread could be created.
private func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = unsafe Unmanaged.passRetained(Box(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let result = unsafe pthread_create(
        &thread, nil,
        { argument in
            unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
    if let thread = unsafe thread, result == 0 { unsafe _ = pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread, nil,
        { argument in
            if let argument = unsafe argument { unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, box.toOpaque())
    if result == 0 { pthread_detach(thread) }
    #endif
    if result != 0 { unsafe box.release() }
    return result == 0
}
