// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EMVKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

#if !os(Windows)
/// A serial line: 8 bits, no parity, one stop bit, no flow control.
public actor SerialPort: ByteStream {
    public nonisolated let name: String
    /// Bits per second.
    public nonisolated let speed: UInt32
    private var line: Line?

    /// The supported speeds.
    public static let speeds: [UInt32] = [9600, 19200, 38400, 57600, 115_200, 230_400]

    /// - Parameters:
    ///   - path: `/dev/ttyUSB0`, `/dev/serial0`, …
    ///   - speed: one of ``speeds``; a PN532 begins with 115,200.
    public init(_ path: String, speed: UInt32 = 115_200) {
        name = path
        self.speed = speed
    }

    deinit { line?.letGo() }

    public func open() -> ReaderFault? {
        close()
        switch Line.open(name, speed) {
        case .success(let line):
            self.line = line
            return nil
        case .failure(let fault): return fault
        }
    }

    public func close() {
        line?.letGo()
        line = nil
    }

    public func read(until deadline: ContinuousClock.Instant) async -> Bytes? {
        guard let line else { return nil }
        return await withTaskCancellationHandler {
            await line.read(until: deadline)
        } onCancel: {
            line.wake()
        }
    }

    public func write(_ bytes: Bytes, until deadline: ContinuousClock.Instant) async -> Bool {
        await line?.write(bytes, until: deadline) ?? false
    }
}

/// An open line. Reads and writes block a separate queue, never longer than their deadline; a byte in a pipe ends a
/// read before its deadline. The line is closed when the last call has returned.
private final class Line: Sendable {
    private let descriptor: Int32
    private let wakeIn: Int32
    private let wakeOut: Int32
    private let queue = DispatchQueue(label: "EMVPN532.SerialPort")

    private init(_ descriptor: Int32, _ wakeIn: Int32, _ wakeOut: Int32) {
        self.descriptor = descriptor
        self.wakeIn = wakeIn
        self.wakeOut = wakeOut
    }

    deinit {
        for number in [descriptor, wakeIn, wakeOut] { _ = systemClose(number) }
    }

    /// Ends the current read and lets other programs open the line. The line is free at once, even if that read, or a
    /// program that is just being started, holds the descriptor for a moment longer. Call it once, before the last
    /// reference is released.
    func letGo() {
        wake()
        flock(descriptor, LOCK_UN)
        _ = ioctl(descriptor, UInt(TIOCNXCL))
    }

    static func open(_ path: String, _ speed: UInt32) -> Result<Line, ReaderFault> {
        guard let rate = rate(speed) else {
            return .failure(
                ReaderFault(.unsupported, "\(speed) bit/s is not supported: \(SerialPort.speeds) bit/s are"))
        }
        let descriptor = systemOpen(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(fault(path, errno)) }
        var settings = termios()
        var ends: [Int32] = [-1, -1]
        guard unsafe tcgetattr(descriptor, &settings) == 0 else {
            _ = systemClose(descriptor)
            return .failure(ReaderFault(.noReader, "\(path) is not a serial line. Name one, such as /dev/ttyUSB0"))
        }
        // Locks out other programs that lock the line in this way, and those of other users.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, ioctl(descriptor, UInt(TIOCEXCL)) == 0 else {
            _ = systemClose(descriptor)
            return .failure(fault(path, EBUSY))
        }
        unsafe cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
        settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB)
        guard unsafe cfsetispeed(&settings, rate) == 0, unsafe cfsetospeed(&settings, rate) == 0,
            unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0, unsafe pipe(&ends) == 0
        else {
            let reason = errno
            _ = systemClose(descriptor)
            return .failure(fault(path, reason))
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        tcflush(descriptor, TCIFLUSH)
        return .success(Line(descriptor, ends[0], ends[1]))
    }

    private static func rate(_ speed: UInt32) -> speed_t? {
        switch speed {
        case 9600: speed_t(B9600)
        case 19200: speed_t(B19200)
        case 38400: speed_t(B38400)
        case 57600: speed_t(B57600)
        case 115_200: speed_t(B115200)
        case 230_400: speed_t(B230400)
        default: nil
        }
    }

    private static func fault(_ path: String, _ code: Int32) -> ReaderFault {
        switch code {
        case ENOENT, ENXIO, ENODEV:
            ReaderFault(.noReader, "There is no \(path). Plug the adapter in; ls /dev/tty* shows what there is")
        case EACCES, EPERM:
            ReaderFault(
                .failed, "This user may not open \(path). Allow it: sudo usermod -aG dialout $USER, then log in again")
        case EBUSY, EAGAIN:
            ReaderFault(.inUse, "Another program uses \(path). Find it: sudo fuser -v \(path), and end it")
        default: ReaderFault(.failed, "\(path) cannot be opened (error \(code)). Plug the adapter out and in again")
        }
    }

    /// Ends the current read; without one, ends the next read.
    func wake() {
        var byte: UInt8 = 0
        unsafe _ = systemWrite(wakeOut, &byte, 1)
    }

    func read(until deadline: ContinuousClock.Instant) async -> Bytes? {
        await withCheckedContinuation { waiting in
            queue.async { waiting.resume(returning: self.blockingRead(deadline)) }
        }
    }

    func write(_ bytes: Bytes, until deadline: ContinuousClock.Instant) async -> Bool {
        await withCheckedContinuation { waiting in
            queue.async { waiting.resume(returning: self.blockingWrite(bytes, deadline)) }
        }
    }

    private static func milliseconds(_ deadline: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        return Int32(min(60_000, left / .milliseconds(1))) + 1
    }

    private static func has(_ events: Int16, _ flags: Int32) -> Bool { Int32(events) & flags != 0 }

    private func blockingRead(_ deadline: ContinuousClock.Instant) -> Bytes? {
        while true {
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeIn, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds = Line.milliseconds(deadline)
            let count = unsafe poll(&waits, 2, milliseconds)
            if count < 0, errno != EINTR { return nil }
            if count == 0, milliseconds == 0 { return [] }
            guard count > 0 else { continue }
            if Line.has(waits[0].revents, POLLIN) {
                var bytes = Bytes(repeating: 0, count: 512)
                let received = unsafe systemRead(descriptor, &bytes, bytes.count)
                if received > 0 { return Bytes(bytes.prefix(received)) }
                guard received < 0, errno == EINTR || errno == EAGAIN else { return nil }
            } else if waits[0].revents != 0 {
                return nil
            }
            if Line.has(waits[1].revents, POLLIN) {
                var byte: UInt8 = 0
                while unsafe systemRead(wakeIn, &byte, 1) > 0 {}
                return []
            }
        }
    }

    private func blockingWrite(_ bytes: Bytes, _ deadline: ContinuousClock.Instant) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let part = Bytes(left)
            let written = unsafe systemWrite(descriptor, part, part.count)
            if written > 0 {
                left = left.dropFirst(written)
                continue
            }
            guard written < 0, errno == EINTR || errno == EAGAIN else { return false }
            let milliseconds = Line.milliseconds(deadline)
            guard milliseconds > 0 else { return false }
            var waits = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
            unsafe _ = poll(&waits, 1, milliseconds)
            if Line.has(waits[0].revents, POLLHUP | POLLERR | POLLNVAL) { return false }
        }
        return true
    }
}

// These have other names because the types' own methods would hide the originals.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
#endif
