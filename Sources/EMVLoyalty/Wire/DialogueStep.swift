// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What a dialogue asks for next.
package enum DialogueStep: Sendable, Hashable {
    /// Send this command to the phone.
    case send(Bytes)
    /// Sign this with the collector's key.
    case sign(Bytes)
    /// It is over: its findings stand.
    case finished
}

/// What happened, in answer to a step.
package enum DialogueAnswer: Sendable, Hashable {
    /// Body and status word.
    case response(Bytes)
    case fault(LinkFault)
    /// ECDSA over P-256 and SHA-256 in DER; `nil`: nobody signed.
    case signature(Bytes?)
    /// No further command may be sent: the time is up, or the tap is over.
    case over
}

extension DialogueAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never what a phone said.
    package var description: String {
        switch self {
        case .response(let bytes): "response (\(bytes.count) bytes)"
        case .fault(let fault): "fault \(fault.rawValue)"
        case .signature(let bytes): bytes == nil ? "no signature" : "signature"
        case .over: "over"
        }
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// What a dialogue found for one programme.
package enum Finding: Sendable, Hashable {
    case outcome(PassOutcome)
    /// Of Smart Tap: opened with the key of this tap.
    case bundle(EncryptedBundle)
}
