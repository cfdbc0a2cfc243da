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

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// A line on standard error.
func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
