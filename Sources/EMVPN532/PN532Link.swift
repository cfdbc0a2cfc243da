// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The clock of the link and the transport.
struct PN532Clock: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant
    /// Sleeps; returns early when its task is cancelled.
    var sleep: @Sendable (Duration) async -> Void

    static let system = PN532Clock(
        now: { ContinuousClock.now }, sleep: { try? await Task.sleep(for: $0) })
}

/// Commands and answers over a byte stream: one at a time, each acknowledged, each with a deadline. It knows no card.
///
/// An answer counts only after the acknowledgement of its own command, so that a late answer never counts for the next
/// command. If only the acknowledgement was lost, the answer counts provided that no earlier answer can be outstanding.
/// A command that reaches a card is never sent twice; a damaged answer is requested again.
actor PN532Link {
    private let stream: any ByteStream
    private let clock: PN532Clock
    private var parser = PN532FrameParser()
    /// Whether the answer of an earlier command may still arrive.
    private var isDoubtful = true
    private var tail: Task<Void, Never>?
    /// Counts repeated commands: the first one may have been carried out.
    private(set) var repeats = 0

    /// The time limit for the acknowledgement. A chip acknowledges within 15 ms (UM0701-02, 6.2.2), but adapters and
    /// their drivers hold bytes back for a while.
    static let acknowledgement = Duration.milliseconds(200)
    /// The time limit for the answer of a command that may not be repeated, if its acknowledgement was lost.
    static let unacknowledged = Duration.seconds(1)
    /// The longest gap between two bytes of a frame.
    static let gap = Duration.milliseconds(100)
    /// The longest time to write a frame.
    static let writing = Duration.milliseconds(500)
    static let attempts = 3

    init(_ stream: any ByteStream, _ clock: PN532Clock) {
        self.stream = stream
        self.clock = clock
    }

    /// Sends a command and returns the data after the code of its answer.
    ///
    /// - Parameters:
    ///   - limit: the time after which the command is ended.
    ///   - wakesUp: whether the chip may be asleep.
    ///   - isCancellable: whether cancelling the task ends the command.
    func send(
        _ command: PN532Command, limit: Duration, wakesUp: Bool = false, isCancellable: Bool = true
    ) async -> Result<Bytes, PN532Error> {
        let before = tail
        let task = Task {
            await before?.value
            return await exchange(command, limit, wakesUp)
        }
        tail = Task { _ = await task.value }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            if isCancellable { task.cancel() }
        }
    }

    private func exchange(
        _ command: PN532Command, _ limit: Duration, _ wakesUp: Bool
    ) async -> Result<Bytes, PN532Error> {
        var attempt = 1
        while true {
            guard !Task.isCancelled else { return .failure(.cancelled) }
            var isAcknowledged = false
            let result = await attemptOnce(command, limit, wakesUp, &isAcknowledged)
            switch result {
            case .failure(.noAnswer) where !isAcknowledged, .failure(.damaged), .failure(.refused): break
            default: return result
            }
            guard command.isRepeatable, attempt < PN532Link.attempts else { return result }
            attempt += 1
            repeats += 1
        }
    }

    private func attemptOnce(
        _ command: PN532Command, _ limit: Duration, _ wakesUp: Bool, _ isAcknowledged: inout Bool
    ) async -> Result<Bytes, PN532Error> {
        guard await dropWhatIsThere() else { return .failure(.streamEnded) }
        let mayBeLate = isDoubtful
        isDoubtful = true
        guard await write((wakesUp ? PN532Link.wakeUp : []) + PN532Frame.encode(command.bytes)) else {
            return .failure(.streamEnded)
        }
        let began = clock.now()
        let end = began.advanced(by: limit)
        let silence = command.isRepeatable ? PN532Link.acknowledgement : PN532Link.unacknowledged
        var asked = 0
        while true {
            while let frame = parser.next() {
                switch frame {
                case .ack: isAcknowledged = true
                case .nack: break
                case .error where isAcknowledged || !mayBeLate: return .failure(.refused)
                case .data(let answer)
                where (isAcknowledged || !mayBeLate) && answer.first == command.answerCode:
                    // An answer that was requested twice may arrive twice.
                    isDoubtful = asked > 0
                    return .success(Bytes(answer.dropFirst()))
                case .error, .data: break
                // Before the acknowledgement, a repeat request would return the answer of an earlier command.
                case .damaged where isAcknowledged:
                    if let error = await askAgain(&asked) { return .failure(error) }
                case .damaged: break
                }
            }
            let until = isAcknowledged ? end : min(end, began.advanced(by: silence))
            let gap = clock.now().advanced(by: PN532Link.gap)
            guard let bytes = await stream.read(until: parser.isInsideFrame ? min(until, gap) : until) else {
                return .failure(.streamEnded)
            }
            parser.append(bytes)
            guard bytes.isEmpty else { continue }
            if Task.isCancelled || clock.now() >= until {
                // An acknowledgement from the host ends the command (6.2.1.3).
                guard await write(PN532Frame.ackBytes) else { return .failure(.streamEnded) }
                return .failure(Task.isCancelled ? .cancelled : .noAnswer)
            }
            if parser.isInsideFrame, clock.now() >= gap {
                parser.reset()
                if isAcknowledged, let error = await askAgain(&asked) { return .failure(error) }
            }
        }
    }

    /// Ends the sleep after power-on: any byte wakes the chip, and the zeros cover the time that it needs (2 ms).
    private static let wakeUp: Bytes = [0x55, 0x55] + Bytes(repeating: 0, count: 30)

    private func askAgain(_ asked: inout Int) async -> PN532Error? {
        guard asked < PN532Link.attempts else { return .damaged }
        asked += 1
        return await write(PN532Frame.nackBytes) ? nil : .streamEnded
    }

    private func write(_ bytes: Bytes) async -> Bool {
        await stream.write(bytes, until: clock.now().advanced(by: PN532Link.writing))
    }

    /// Drops unexpected bytes; at most the length of a few frames, in case they never end.
    private func dropWhatIsThere() async -> Bool {
        parser.reset()
        for _ in 0..<64 {
            guard let bytes = await stream.read(until: clock.now()) else { return false }
            if bytes.isEmpty { return true }
        }
        return true
    }
}
