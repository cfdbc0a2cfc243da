// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Shows the current activity on a terminal; prints nothing to a pipe.
struct Progress {
    private let isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

    func show(_ text: String) {
        guard isShown else { return }
        write("\r\u{1B}[K" + text)
    }

    func clear() {
        guard isShown else { return }
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) { tell(text) }
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
