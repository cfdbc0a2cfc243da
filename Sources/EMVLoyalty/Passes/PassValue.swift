// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// The content of a pass: the merchant's own number or token. It identifies a person as a member's number does, so it
/// appears in no description, mirror, log or encoder: use ``bytes`` or ``text``.
public struct PassValue: Sendable, Hashable {
    public let bytes: Bytes
    /// The bytes as text; `nil` if the wallet marks them as binary, or they are not valid in the encoding that it
    /// names.
    public let text: String?
    /// `nil` if the protocol does not send the kind.
    public let kind: PassKind?
    /// The time by the phone's clock at which the phone made it, in seconds since 1970 UTC; `nil` if the protocol does
    /// not send it.
    public let made: Int64?

    public init(bytes: Bytes, text: String?, kind: PassKind? = nil, made: Int64? = nil) {
        self.bytes = bytes
        self.text = text
        self.kind = kind
        self.made = made
    }
}

extension PassValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes.
    public var description: String { "pass value (\(bytes.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A pass that was read but not opened, for a service with the key of its pass type.
public struct SealedPass: Sendable, Hashable {
    /// SHA-256 of the pass type identifier, which is needed with the key to open the pass.
    public let passType: Bytes
    /// Key identifier (4 bytes), x coordinate of the phone's key (32), ciphertext with its tag.
    public let cryptogram: Bytes
    /// The time by the POS's clock at which it was received, in seconds since 1970 UTC: its freshness is checked
    /// against this time. If `nil`, the time is unknown and the time of opening is used.
    public internal(set) var received: Int64?

    public init?(passType: Bytes, cryptogram: Bytes, received: Int64? = nil) {
        guard passType.count == 32, SealedPass.sizes.contains(cryptogram.count) else { return nil }
        self.passType = passType
        self.cryptogram = cryptogram
        self.received = received
    }

    /// The sizes with 4 bytes of time, 0 to 64 of message and 16 of tag.
    static let sizes = (4 + 32 + 4 + 16)...(4 + 32 + 4 + 64 + 16)

    /// First 4 bytes of the SHA-256 of the x coordinate of the pass's public key.
    public var keyIdentifier: Bytes { Bytes(cryptogram[0..<4]) }
    /// x coordinate of the phone's key.
    public var x: Bytes { Bytes(cryptogram[4..<36]) }
    var ciphertext: ArraySlice<UInt8> { cryptogram[36..<(cryptogram.count - 16)] }
    var tag: ArraySlice<UInt8> { cryptogram.suffix(16) }
    /// Identifies the cryptogram. The key identifier is left out, because nothing authenticates it.
    var digest: Bytes { Digest.sha256(cryptogram.dropFirst(4)) }
}

extension SealedPass: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes: the content itself, sent in the clear, would distinguish phones.
    public var description: String { "sealed pass (\(cryptogram.count) bytes)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
