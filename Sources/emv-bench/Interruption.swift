// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Ctrl-C, and the end that a service manager asks for: what is done instead of ending at once.
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

    /// They end the process again.
    func end() {
        for source in sources { source.cancel() }
        for number in Interruption.signals { signal(number, SIG_DFL) }
    }
}
