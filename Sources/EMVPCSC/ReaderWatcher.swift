// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Waits for changes of one reader, over a connection to the service and on a thread of its own: the service answers
/// nothing else on a connection that waits.
actor ReaderWatcher {
    private let thread = ReaderThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    private var service: Service?

    /// Waits until the reader's state is another than `known` or the time is over. The state is `known` where nothing
    /// else is known.
    func look(_ known: ReaderState, milliseconds: UInt32) async -> (code: UInt32, state: ReaderState) {
        do throws(PCSCError) {
            let service = try connected()
            let (code, states) = await withTaskCancellationHandler {
                service.statusChange([known], milliseconds: milliseconds)
            } onCancel: { [handle = service.handle] in
                Service.cancel(handle)
            }
            if PCSCError(code: code).isServiceLoss { self.service = nil }
            return (code, code == PCSCError.success ? states[0] : known)
        } catch {
            return (error.code, known)
        }
    }

    private func connected() throws(PCSCError) -> Service {
        if let service { return service }
        let service = try Service()
        self.service = service
        return service
    }

    /// Lets the service go.
    func rest() {
        service = nil
    }
}
