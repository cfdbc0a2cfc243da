// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Shows the current activity on standard error: on a terminal one line that is erased at the end. In a pipe a long run
/// prints a line at its start and one every ten seconds, a short run nothing.
final class Progress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isLong: Bool
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    init(isLong: Bool = false) { self.isLong = isLong }

    /// - Parameter done: the share of the work that is done, 0 to 1; `nil` if it is not known.
    func show(_ text: String, done: Double? = nil) {
        let now = ContinuousClock.now
        // A terminal needs no more than ten pictures a second.
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(10)
        guard isTerminal || isLong, last.map({ now - $0 >= pause }) ?? true else { return }
        last = now
        guard isTerminal else { return complain(text + rest(done, now)) }
        let bar = done.map { share in
            let filled = Int(17 * share)
            return "  " + String(repeating: "█", count: filled) + String(repeating: "░", count: 17 - filled)
        }
        tell("\r\u{1B}[K" + text + (bar ?? "") + rest(done, now))
    }

    private func rest(_ done: Double?, _ now: ContinuousClock.Instant) -> String {
        guard let done, done > 0 else { return "" }
        let left = (now - start) * ((1 - done) / done)
        return "  \(Int(100 * done)) %  \(left.components.seconds) s left"
    }

    func clear() {
        guard isTerminal else { return }
        tell("\r\u{1B}[K")
    }
}

/// Writes a line to standard error. A failure to write it is ignored.
func complain(_ text: String) {
    tell(text + "\n")
}

private func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}

/// Twelve digits in a row may be an account number that was typed in the wrong place: only their count is shown.
func withoutAccountNumbers(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    var digits: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars + ["\n"] {
        if ("0"..."9").contains(scalar) {
            digits.append(scalar)
            continue
        }
        shown.append(contentsOf: digits.count < 12 ? digits : Array("(\(digits.count) digits)".unicodeScalars))
        digits = []
        shown.append(scalar)
    }
    return String(String(shown).dropLast())
}
