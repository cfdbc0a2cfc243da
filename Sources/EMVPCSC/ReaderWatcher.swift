// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Waits for changes of readers, over a separate connection and on separate threads: while a connection waits, the
/// service answers no other call on it.
actor ReaderWatcher {
    private nonisolated let thread = ReaderThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    private let functions: PCSCFunctions
    private let limits: PCSCLimits
    private var service: Service?

    init(_ functions: PCSCFunctions, _ limits: PCSCLimits) {
        self.functions = functions
        self.limits = limits
    }

    /// Whether a call of this watcher was abandoned and has not returned: the service hangs.
    nonisolated var isStuck: Bool { thread.isStuck("") }

    /// Waits until a reader's state differs from the known one, or until the time limit. Returns the known states if
    /// there are no others.
    func look(_ known: [ReaderState], milliseconds: UInt32) async -> (code: UInt32, states: [ReaderState]) {
        guard !isStuck else { return (PCSCError.waitedTooLong, known) }
        do throws(PCSCError) {
            let service = try await connected()
            let (code, states) = await service.statusChange(known, milliseconds: milliseconds)
            if PCSCError(code: code).isServiceLoss { self.service = nil }
            return (code, code == PCSCError.success || code == PCSCError.timeout ? states : known)
        } catch {
            return (error.code, known)
        }
    }

    private func connected() async throws(PCSCError) -> Service {
        if let service { return service }
        let service = try await Service.open(on: thread, functions, limits)
        self.service = service
        return service
    }

    /// Releases the service.
    func rest() {
        service = nil
    }
}
