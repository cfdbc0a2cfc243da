// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The next step of a dialogue.
package enum DialogueStep: Sendable, Hashable {
    /// Send this command to the phone.
    case send(Bytes)
    /// Sign this with the collector's key.
    case sign(Bytes)
    /// The dialogue is over: its findings are final.
    case finished
}

/// The result of a step.
package enum DialogueAnswer: Sendable, Hashable {
    /// Body and status word.
    case response(Bytes)
    case fault(LinkFault)
    /// ECDSA over P-256 and SHA-256 in DER; `nil` if there is no signature.
    case signature(Bytes?)
    /// No further command may be sent: the time is up, or the tap is over.
    case over
}

extension DialogueAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of answer, never the phone's data.
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

/// The finding of a dialogue for one programme.
package enum Finding: Sendable, Hashable {
    case outcome(PassOutcome)
    /// A Smart Tap bundle, which the key of this tap opens.
    case bundle(EncryptedBundle)
}
