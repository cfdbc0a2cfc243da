// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Handles Ctrl-C and the termination request of a service manager: runs a closure instead of ending the process at
/// once.
struct Interruption {
    private static let signals = [SIGINT, SIGTERM]
    private let sources: [DispatchSourceSignal]

    init(_ body: @escaping @Sendable () -> Void) {
        sources = Interruption.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler(handler: body)
            source.resume()
            return source
        }
    }

    /// Restores the default: the signals end the process again.
    func end() {
        for source in sources { source.cancel() }
        for number in Interruption.signals { signal(number, SIG_DFL) }
    }
}
