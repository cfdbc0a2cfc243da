// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation

@testable import EMVPN532

/// An ``EmulatedChip`` without a serial line. It has its own time: every wait advances the clock and returns at once.
@safe final class FakeStream: ByteStream {
    private struct State {
        var chip: EmulatedChip
        var now = ContinuousClock.Instant.now
        /// Bytes to arrive, with their times.
        var coming: [(at: ContinuousClock.Instant, bytes: Bytes)] = []
        var hasEnded = false
        var opens = 0
        /// The number of opens that fail.
        var failures = 0
    }

    let name = "fake"
    private let lock = NSLock()
    nonisolated(unsafe) private var state: State
    /// The maximum number of bytes in one read.
    private let piece: Int

    init(_ chip: EmulatedChip, piece: Int = .max) {
        unsafe state = State(chip: chip)
        self.piece = piece
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { unsafe body(&state) } }

    @discardableResult func change<Result>(_ body: (inout EmulatedChip) -> Result) -> Result {
        locked { body(&$0.chip) }
    }

    var elapsedSinceStart: ContinuousClock.Instant { locked { $0.now } }
    var opens: Int { locked { $0.opens } }
    func end() { locked { $0.hasEnded = true } }
    /// Makes the next opens fail.
    func refuse(_ count: Int) { locked { $0.failures = count } }

    var clock: PN532Clock {
        PN532Clock(
            now: { self.locked { $0.now } },
            sleep: { duration in self.locked { $0.now = $0.now.advanced(by: duration) } })
    }

    func open() async -> ReaderFault? {
        locked { state in
            state.opens += 1
            if state.failures > 0 {
                state.failures -= 1
                return ReaderFault(.noReader, "There is none. Plug one in")
            }
            state.hasEnded = false
            state.coming = []
            return nil
        }
    }

    func close() async { locked { $0.hasEnded = true } }

    func read(until deadline: ContinuousClock.Instant) async -> Bytes? {
        locked { state in
            guard let next = state.coming.first, next.at <= max(deadline, state.now) else {
                if state.hasEnded { return nil }
                state.now = max(state.now, deadline)
                return []
            }
            state.now = max(state.now, next.at)
            let count = min(piece, next.bytes.count)
            if count == next.bytes.count {
                state.coming.removeFirst()
            } else {
                state.coming[0].bytes.removeFirst(count)
            }
            return Bytes(next.bytes.prefix(count))
        }
    }

    func write(_ bytes: Bytes, until deadline: ContinuousClock.Instant) async -> Bool {
        locked { state in
            guard !state.hasEnded else { return false }
            var at = state.now
            for output in state.chip.receive(bytes) {
                switch output {
                case .bytes(let bytes): state.coming.append((at, bytes))
                case .pause(let milliseconds): at = at.advanced(by: .milliseconds(milliseconds))
                case .hangUp: state.hasEnded = true
                }
            }
            return true
        }
    }
}
