// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import Foundation

/// Lines that somebody types.
actor Keyboard {
    private var lines: [String] = []
    private var isOver = false
    private var waiting: (number: Int, continuation: CheckedContinuation<String?, Never>)?
    private var waits = 0

    init() {
        let thread = Thread { [weak self] in
            while let line = readLine() {
                Task { await self?.take(line) }
                // Lines are read one after the other.
                usleep(1000)
            }
            Task { await self?.end() }
        }
        thread.start()
    }

    /// The next line, without spaces around it; `nil` at the end of input and when the task is cancelled.
    func line() async -> String? {
        if !lines.isEmpty { return lines.removeFirst() }
        guard !isOver, !Task.isCancelled else { return nil }
        waits += 1
        let number = waits
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting = (number, $0) }
        } onCancel: {
            Task { await self.giveUp(number) }
        }
    }

    /// Typed characters do not show.
    func hide(_ isHidden: Bool) {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        let echo = tcflag_t(ECHO)
        settings.c_lflag = isHidden ? settings.c_lflag & ~echo : settings.c_lflag | echo
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    private func take(_ line: String) {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard let waiting else { return lines.append(line) }
        self.waiting = nil
        waiting.continuation.resume(returning: line)
    }

    private func giveUp(_ number: Int) {
        guard let waiting, waiting.number == number else { return }
        self.waiting = nil
        waiting.continuation.resume(returning: nil)
    }

    private func end() {
        isOver = true
        waiting?.continuation.resume(returning: nil)
        waiting = nil
    }
}
