// SPDX-License-Identifier: Apache-2.0
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// An ``EmulatedChip`` at one end of a pseudo-terminal, on a separate thread; the other end is a serial line.
@safe final class PseudoTerminal: Sendable {
    let path: String
    private let descriptor: Int32
    private let lock = NSLock()
    nonisolated(unsafe) private var chip: EmulatedChip
    nonisolated(unsafe) private var isOver = false
    nonisolated(unsafe) private var isClosed = false
    private let splitsBytes: Bool

    /// - Parameter splitsBytes: every byte arrives separately.
    init?(_ chip: EmulatedChip, splitsBytes: Bool = false) {
        unsafe self.chip = chip
        self.splitsBytes = splitsBytes
        var (master, keeper): (Int32, Int32) = (-1, -1)
        // The other end stays open here, because this end's reads fail if the line is not open anywhere.
        guard unsafe openpty(&master, &keeper, nil, nil, nil) == 0, let name = unsafe ttyname(keeper) else {
            return nil
        }
        descriptor = master
        path = unsafe String(cString: name)
        let end = keeper
        var settings = termios()
        unsafe _ = tcgetattr(end, &settings)
        unsafe cfmakeraw(&settings)
        unsafe _ = tcsetattr(end, TCSANOW, &settings)
        let thread = Thread { [self] in
            run()
            close(end)
        }
        thread.start()
    }

    @discardableResult func change<Result>(_ body: (inout EmulatedChip) -> Result) -> Result {
        lock.withLock { unsafe body(&chip) }
    }

    /// Removes the line.
    func unplug() { lock.withLock { unsafe isOver = true } }

    /// Copies this process's descriptors of the line, like a program that it starts has until exec. The caller closes
    /// them.
    func copyOpenDescriptors() -> [Int32] {
        var (line, candidate) = (stat(), stat())
        guard unsafe stat(path, &line) == 0 else { return [] }
        return (0..<getdtablesize()).filter {
            unsafe fstat($0, &candidate) == 0 && candidate.st_rdev == line.st_rdev
        }.map { dup($0) }
    }

    private func run() {
        while !lock.withLock({ unsafe isOver }) {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wait, 1, 5) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 512)
            let count = unsafe read(descriptor, &bytes, bytes.count)
            guard count > 0 else { continue }
            for output in change({ $0.receive(Array(bytes.prefix(count))) }) {
                switch output {
                case .bytes(let all): send(all)
                case .pause(let milliseconds): usleep(UInt32(milliseconds) * 1000)
                case .hangUp: unplug()
                }
            }
        }
        close(descriptor)
        lock.withLock { unsafe isClosed = true }
    }

    private func send(_ bytes: [UInt8]) {
        for part in splitsBytes ? bytes.map({ [$0] }) : [bytes] {
            unsafe _ = write(descriptor, part, part.count)
        }
    }
}
