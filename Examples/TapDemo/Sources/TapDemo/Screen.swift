// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import EMVKit
import Foundation

/// The terminal: lines, and a last line that moves while an operation is in progress.
actor Screen {
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var progress: Task<Void, Never>?
    /// The question on the last line; typed text follows it.
    private var question: String?

    func line(_ text: String) {
        let isBusy = question != nil || progress != nil
        write((isBusy ? clear : "") + text + "\n" + (question.map { $0 + " " } ?? ""))
    }

    func ask(_ question: String) {
        stopProgress()
        self.question = question
        write(question + " ")
    }

    /// - Parameter byHand: whether somebody has ended the line; otherwise the question is removed.
    func answered(byHand: Bool) {
        guard question != nil else { return }
        question = nil
        if !byHand { write(clear) }
    }

    func prompt(_ text: String, total: String? = nil, note: String? = nil) {
        let parts = [text, total, note].compactMap { $0 }.joined(separator: "   ")
        line(isTerminal ? "\u{1B}[1m» \(parts)\u{1B}[0m" : "» \(parts)")
    }

    func headline(_ text: String, mark: Presentation.Mark?) {
        let (sign, colour) =
            switch mark {
            case .completed: ("✔", 32)
            case .notCompleted, .declined: ("✘", 31)
            case nil: ("…", 33)
            }
        line(isTerminal ? "\u{1B}[1;\(colour)m\(sign) \(text)\u{1B}[0m" : "\(sign) \(text)")
    }

    /// Indeterminate: the issuer's response time is unknown.
    func startProgress(_ text: String) {
        stopProgress()
        guard isTerminal else { return line(text) }
        progress = Task {
            var step = 0
            while !Task.isCancelled {
                turn(text, step)
                step += 1
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func stopProgress() {
        guard let progress else { return }
        progress.cancel()
        self.progress = nil
        write(clear)
    }

    private func turn(_ text: String, _ step: Int) {
        guard progress != nil, question == nil else { return }
        let marks = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
        write("\(clear)\(marks[step % marks.count]) \(text)")
    }

    private var clear: String { isTerminal ? "\r\u{1B}[K" : "\n" }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
