// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What is going on, on a terminal; nothing in a pipe.
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

/// A line on standard error. A failure to write it is ignored.
func complain(_ text: String) {
    tell(text + "\n")
}

private func tell(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}

/// Twelve digits in a row may be an account number that was typed in the wrong place: only their count is shown.
func withoutAccountNumbers(_ text: String) -> String {
    var shown = ""
    var digits = ""
    for character in text + "\n" {
        if character.isASCII, character.isNumber {
            digits.append(character)
            continue
        }
        shown += digits.count < 12 ? digits : "(\(digits.count) digits)"
        digits = ""
        shown.append(character)
    }
    return String(shown.dropLast())
}
