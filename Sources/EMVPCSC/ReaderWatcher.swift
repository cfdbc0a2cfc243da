// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Waits for changes of readers, over a connection to the service and on threads of its own: the service answers
/// nothing else on a connection that waits.
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

    /// A call of this watcher was given up and has not returned: the service hangs.
    nonisolated var isStuck: Bool { thread.isStuck("") }

    /// Waits until a reader's state is another than what is known of it, or the time is over. The states are those
    /// known where nothing else is.
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

    /// Lets the service go.
    func rest() {
        service = nil
    }
}
