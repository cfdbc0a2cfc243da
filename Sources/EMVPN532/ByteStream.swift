// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The stream that carries the frames of a PN532: a serial line, or any other transport that keeps bytes in order (a
/// socket of a serial server, a tunnel).
public protocol ByteStream: Sendable {
    /// The name of the stream, for a support report.
    var name: String { get }

    /// Opens the stream; called again after the stream has ended. Returns the fault, or `nil`.
    func open() async -> ReaderFault?

    /// Returns at least one byte, as soon as one is available; empty after the deadline or, soon, after the task is
    /// cancelled; `nil` if the stream has ended. With a deadline in the past it returns the bytes that are already
    /// available.
    func read(until deadline: ContinuousClock.Instant) async -> Bytes?

    /// Writes all bytes before the deadline, even in a cancelled task; returns whether that was possible.
    func write(_ bytes: Bytes, until deadline: ContinuousClock.Instant) async -> Bool

    /// Ends the stream; waiting calls return.
    func close() async
}
