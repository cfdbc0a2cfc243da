// SPDX-License-Identifier: Apache-2.0
import Foundation
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// `kill` by another name, which the type's own method would hide.
private func unlessDead(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }

/// A program in a separate terminal: typed text goes in, and the screen is the one that a person would see.
final class PseudoTerminal {
    private let master: Int32
    private let process = Process()
    private var screen = TerminalScreen()
    private var pending: [UInt8] = []

    struct NoTerminal: Error {}

    init(_ program: URL, _ arguments: [String]) throws {
        guard let (master, name) = PseudoTerminal.pair() else { throw NoTerminal() }
        self.master = master
        let slave = open(name, O_RDWR | O_NOCTTY)
        guard slave >= 0 else { throw NoTerminal() }
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
    }

    /// A new terminal: the end that types and reads, and the name of the other one.
    private static func pair() -> (Int32, String)? {
        #if canImport(Darwin)
        let master = posix_openpt(O_RDWR | O_NOCTTY)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return nil }
        return (master, String(cString: name))
        #else
        // Glibc declares functions of POSIX only for programs that request extensions; these are TIOCSPTLCK and
        // TIOCGPTN.
        let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var unlocked: Int32 = 0, number: UInt32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431, &unlocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return (master, "/dev/pts/\(number)")
        #endif
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(master)
    }

    /// Ends the program at once, as a power cut would.
    func kill() {
        _ = unlessDead(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Types a line.
    func type(_ line: String) {
        let bytes = Array((line + "\r").utf8)
        bytes.withUnsafeBytes { _ = write(master, $0.baseAddress, $0.count) }
    }

    /// The lines on the screen as soon as one of them, after line `start`, contains all of these texts; `nil` if that
    /// does not happen.
    func wait(for texts: String..., after start: Int = 0, seconds: Double = 60) -> [String]? {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if screen.lines.dropFirst(start).contains(where: { line in texts.allSatisfy { line.contains($0) } }) {
                return screen.lines
            }
            read()
        }
        return nil
    }

    /// Number of lines so far, to wait for later ones.
    var lineCount: Int { screen.lines.count - 1 }
    var lines: [String] { screen.lines }
    /// Everything that was ever on the screen, including overwritten text.
    var seen: String { screen.everything }

    /// The exit status once the program has ended.
    func ended() -> Int32 {
        while process.isRunning { read() }
        return process.terminationStatus
    }

    private func read() {
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, 100) > 0, ready.revents & Int16(POLLIN) != 0 else {
            if ready.revents != 0 { usleep(20_000) }
            return
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { Foundation.read(master, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        pending += buffer.prefix(count)
        // A character may come in two parts.
        guard let text = String(validating: pending, as: UTF8.self) else { return }
        pending = []
        screen.take(text)
    }
}

/// The part of a terminal that the demo uses: lines, carriage return, backspace, erase to the end of the line, colours.
struct TerminalScreen {
    private(set) var lines: [String] = [""]
    private(set) var everything = ""
    private var column = 0
    private var escape: String?

    mutating func take(_ text: String) {
        for scalar in text.unicodeScalars {
            if escape != nil {
                escape?.unicodeScalars.append(scalar)
                if scalar.properties.isAlphabetic { finishEscape() }
                continue
            }
            switch scalar {
            case "\u{1B}": escape = ""
            case "\r": column = 0
            case "\n":
                everything += lines[lines.count - 1] + "\n"
                lines.append("")
                column = 0
            case "\u{8}": column = max(0, column - 1)
            case "\u{7}": continue
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        var line = Array(lines[lines.count - 1])
        while line.count < column { line.append(" ") }
        if column < line.count { line[column] = character } else { line.append(character) }
        lines[lines.count - 1] = String(line)
        column += 1
    }

    private mutating func finishEscape() {
        if escape == "[K" {
            everything += lines[lines.count - 1] + "\n"
            lines[lines.count - 1] = String(lines[lines.count - 1].prefix(column))
        }
        escape = nil
    }
}
