// SPDX-License-Identifier: Apache-2.0
import Dispatch
import EMVKit
import Foundation

@testable import EMVPCSC
import TestWaiting

/// A PC/SC service and a clock controlled by tests: every wait advances the clock and returns at once.
@safe final class FakeService: Sendable {
    struct State {
        var readers: [ReaderState] = []
        var now = ContinuousClock.Instant.now
        /// The number of calls by name.
        var calls: [String: Int] = [:]
        var blocked: Set<String> = []
        var knowsArrivals = true
        var disconnected: [UInt32] = []
        /// The readers' answers to their own commands, by command; all others are refused.
        var answers: [Bytes: Bytes] = [:]
        var escapes: [Bytes] = []
        /// The card's answer.
        var response: Bytes = [0x90, 0x00]
        /// The number of bytes left from an earlier answer in the buffer of the next one.
        var leftOver = 0
        /// Changes the readers when the clock has reached this time.
        var later: (after: Duration, readers: [ReaderState])?
        var began = ContinuousClock.Instant.now
        /// Runs once while the transport sleeps.
        var whenAsleep: (@Sendable (inout State) -> Void)?
    }

    private let lock = NSLock()
    nonisolated(unsafe) private var state = State()
    private let gate = DispatchSemaphore(value: 0)

    init(_ readers: [ReaderState] = []) {
        change { state in
            state.readers = readers
            state.began = state.now
        }
    }

    @discardableResult func change<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { unsafe body(&state) }
    }

    func count(_ call: String) -> Int { change { $0.calls[call, default: 0] } }

    /// Lets this number of blocked calls continue; later calls are not blocked.
    func unblock(_ count: Int = 1) {
        change { $0.blocked = [] }
        for _ in 0..<count { gate.signal() }
    }

    private func enter(_ call: String) {
        let waits = change { state in
            state.calls[call, default: 0] += 1
            return state.blocked.contains(call)
        }
        if waits { gate.wait() }
    }

    /// Waits until a call was made this number of times.
    func until(_ call: String, _ count: Int) async throws {
        try await waitUntil("\(count) calls of \(call)") { self.count(call) >= count }
    }

    private func statusChange(_ known: [ReaderState], _ milliseconds: UInt32) -> (UInt32, [ReaderState]) {
        change { state in
            if !state.knowsArrivals, known.contains(where: { $0.name == ReaderState.arrivals }) {
                return (PCSCError.unknownReader, known)
            }
            func answer() -> [ReaderState] {
                known.map { asked in
                    if asked.name == ReaderState.arrivals { return asked }
                    return state.readers.first { $0.name == asked.name }
                        ?? ReaderState(name: asked.name, rawValue: ReaderState.unknown)
                }
            }
            if answer().map(\.rawValue) != known.map(\.rawValue) { return (PCSCError.success, answer()) }
            state.now = state.now.advanced(by: .milliseconds(Int64(milliseconds)))
            if let later = state.later, state.began.duration(to: state.now) >= later.after {
                state.readers = later.readers
                state.later = nil
                return (PCSCError.success, answer())
            }
            return (PCSCError.timeout, answer())
        }
    }

    var functions: PCSCFunctions {
        var functions = PCSCFunctions(
            establish: {
                self.enter("establish")
                return (0, 1)
            },
            release: { _ in self.enter("release") },
            cancel: { _ in self.enter("cancel") },
            listReaders: { _ in
                self.enter("listReaders")
                return (0, self.change { $0.readers.map(\.name) })
            },
            statusChange: { _, known, milliseconds in
                self.enter("statusChange")
                return self.statusChange(known, milliseconds)
            },
            connect: { _, _, _, _ in
                self.enter("connect")
                return (0, 7, CardConnection.t1)
            },
            disconnect: { _, disposition in
                self.enter("disconnect")
                self.change { $0.disconnected.append(disposition) }
            },
            beginTransaction: { _ in 0 },
            endTransaction: { _ in },
            transmit: { _, _, _, room in
                self.enter("transmit")
                let response = self.change { state in
                    state.leftOver += unsafe room.bytes.prefix(300).count { $0 != 0 }
                    return state.response
                }
                _ = unsafe room.bytes.update(fromContentsOf: response)
                return (0, response.count, 1000)
            },
            control: { _, _, command in
                self.change { state in
                    guard !command.isEmpty else { return (PCSCError.invalidHandle, []) }
                    state.escapes.append(command)
                    return state.answers[command].map { (0, $0) } ?? (PCSCError.invalidHandle, [])
                }
            })
        functions.now = { self.change { $0.now } }
        functions.sleep = { duration in
            self.change { state in
                state.now = state.now.advanced(by: duration)
                let happens = state.whenAsleep
                state.whenAsleep = nil
                happens?(&state)
            }
        }
        return functions
    }
}
