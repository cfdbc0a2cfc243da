// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A PIN pad that returns the given entries in order; the last one is repeated. Its blocks are random and contain no
/// PIN.
public actor SimulatedPINPad: PINPad {
    public enum Entry: Sendable, Hashable {
        case entered, bypassed, cancelled, timedOut, broken
        /// Waits until it is cancelled.
        case nobody
    }

    public nonisolated let supportsAccessibility: Bool
    private var entries: [Entry]
    /// In order of arrival.
    public private(set) var requests: [PINRequest] = []

    public init(_ entries: [Entry] = [.entered], supportsAccessibility: Bool = true) {
        self.entries = entries
        self.supportsAccessibility = supportsAccessibility
    }

    public func collectPIN(_ request: PINRequest) async -> PINEntry {
        requests.append(request)
        let entry = entries.count > 1 ? entries.removeFirst() : entries.first ?? .entered
        switch entry {
        case .entered: return SimulatedPINPad.block().map { .entered($0) } ?? .failed([])
        case .bypassed: return .bypassed
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        case .broken: return .failed([Problem(.pinPadFailed)])
        case .nobody:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
            return .cancelled
        }
    }

    /// Sixteen random bytes in the form of format 4.
    public static func block() -> EncryptedPINBlock? {
        EncryptedPINBlock((0..<16).map { _ in .random(in: 0...255) }, format: .iso4)
    }
}
