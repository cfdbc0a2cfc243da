// SPDX-License-Identifier: Apache-2.0
/// A PIN as a secure device sends it: an encrypted PIN block of ISO 9564. Nothing here creates a block from digits,
/// takes one apart or shows it; the block travels to the host unchanged.
public struct EncryptedPINBlock: Sendable, Hashable {
    public enum Format: String, Sendable, Hashable, CaseIterable, Codable {
        /// Eight bytes, bound to the account number.
        case iso0
        case iso1
        case iso3
        /// Sixteen bytes, AES.
        case iso4

        var size: Int { self == .iso4 ? 16 : 8 }
    }

    public let format: Format
    /// The block as it is sent to the host.
    public let bytes: Bytes
    /// Key serial number, or name of the key, as the host knows it; may be empty.
    public let keySerialNumber: Bytes

    /// Returns `nil` if `bytes` are not 8, or for format 4 not 16.
    public init?(_ bytes: Bytes, format: Format, keySerialNumber: Bytes = []) {
        guard bytes.count == format.size else { return nil }
        self.format = format
        self.bytes = bytes
        self.keySerialNumber = keySerialNumber
    }
}

extension EncryptedPINBlock: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the format only.
    public var description: String { "PIN block (\(format.rawValue))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

public struct PINRequest: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The card or the kernel asks for it: before the authorisation, or after an answer of the issuer (Request
        /// Online PIN).
        case card
        /// The issuer asks for it, after it has seen the payment.
        case issuer(PINChallenge)
    }

    public let reason: Reason
    /// The amount to show. Nothing else may be shown.
    public let amount: Money?
    /// 1 for the first entry of a tap.
    public let attempt: Int
    /// The device guides people who do not see the keys. Requested only if ``PINPad/supportsAccessibility`` is true.
    public let accessibility: Bool
    /// How long to wait for the PIN.
    public let timeout: Duration
    /// Holds the account number, to which formats 0, 3 and 4 bind the PIN. It must never be shown.
    public let card: CardData

    public init(
        reason: Reason, amount: Money?, attempt: Int = 1, accessibility: Bool = false, timeout: Duration, card: CardData
    ) {
        self.reason = reason
        self.amount = amount
        self.attempt = attempt
        self.accessibility = accessibility
        self.timeout = timeout
        self.card = card
    }
}

/// The result of asking for a PIN.
public enum PINEntry: Sendable, Hashable {
    case entered(EncryptedPINBlock)
    /// The cardholder continued without a PIN.
    case bypassed
    case cancelled
    case timedOut
    /// The device does not work; the array is empty if it gives no reason.
    case failed([Problem])
}

extension PINEntry {
    /// The problems of this entry when a PIN was needed; empty for an entered PIN.
    public var problems: [Problem] {
        switch self {
        case .entered: []
        case .bypassed: [Problem(.pinBypassed)]
        case .cancelled: [Problem(.pinCancelled)]
        case .timedOut: [Problem(.pinTimedOut)]
        case .failed(let problems): [Problem(.pinPadFailed, underlying: problems)]
        }
    }
}
