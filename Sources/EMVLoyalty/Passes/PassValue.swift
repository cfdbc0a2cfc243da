// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// What a pass says: the merchant's own number or token. It names a person as a member's number does, so it appears in
/// no description, mirror, log or encoder: ask for ``bytes`` or ``text``.
public struct PassValue: Sendable, Hashable {
    public let bytes: Bytes
    /// The bytes as text; `nil` where the wallet says that they are none, or they are not of the encoding it names.
    public let text: String?
    /// `nil` where the protocol does not say.
    public let kind: PassKind?
    /// When the phone made it by its own clock, in seconds since 1970 UTC; `nil` where the protocol does not say.
    public let made: Int64?

    public init(bytes: Bytes, text: String?, kind: PassKind? = nil, made: Int64? = nil) {
        self.bytes = bytes
        self.text = text
        self.kind = kind
        self.made = made
    }
}

extension PassValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many bytes.
    public var description: String { "pass value (\(bytes.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A pass that was read and not opened, for a service with the key of its pass type.
public struct SealedPass: Sendable, Hashable {
    /// SHA-256 of the pass type identifier: whoever opens it needs it besides the key.
    public let passType: Bytes
    /// Key identifier (4), x of the phone's key (32), ciphertext with its tag.
    public let cryptogram: Bytes
    /// When the phone gave it by the POS's clock, in seconds since 1970 UTC: its freshness is judged by that. `nil`: it
    /// is not known, and the time of opening counts.
    public internal(set) var received: Int64?

    public init?(passType: Bytes, cryptogram: Bytes, received: Int64? = nil) {
        guard passType.count == 32, SealedPass.sizes.contains(cryptogram.count) else { return nil }
        self.passType = passType
        self.cryptogram = cryptogram
        self.received = received
    }

    /// With 4 bytes of time, 0 to 64 of message and 16 of tag.
    static let sizes = (4 + 32 + 4 + 16)...(4 + 32 + 4 + 64 + 16)

    /// First 4 bytes of the SHA-256 of the x coordinate of the pass's public key.
    public var keyIdentifier: Bytes { Bytes(cryptogram[0..<4]) }
    /// x coordinate of the phone's key.
    public var x: Bytes { Bytes(cryptogram[4..<36]) }
    var ciphertext: ArraySlice<UInt8> { cryptogram[36..<(cryptogram.count - 16)] }
    var tag: ArraySlice<UInt8> { cryptogram.suffix(16) }
    /// Tells it from others. Without the key identifier, which nothing authenticates.
    var digest: Bytes { Digest.sha256(cryptogram.dropFirst(4)) }
}

extension SealedPass: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many bytes: what was sent in the clear would tell phones apart.
    public var description: String { "sealed pass (\(cryptogram.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
