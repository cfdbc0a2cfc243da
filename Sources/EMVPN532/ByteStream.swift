// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What the frames of a PN532 travel over: a serial line, or whatever else carries bytes in order (a socket of a
/// serial server, a tunnel).
public protocol ByteStream: Sendable {
    /// What it is called, for a report to support.
    var name: String { get }

    /// Makes it usable; called again after its end. Answers what is wrong, or `nil`.
    func open() async -> ReaderFault?

    /// At least one byte, as soon as one is there; empty when the deadline has passed or, soon, when the task is
    /// cancelled; `nil` when the stream has ended. A deadline in the past takes what is there.
    func read(until deadline: ContinuousClock.Instant) async -> Bytes?

    /// Writes all of it before the deadline, also in a cancelled task; whether that was possible.
    func write(_ bytes: Bytes, until deadline: ContinuousClock.Instant) async -> Bool

    /// Ends it; what waits returns.
    func close() async
}
