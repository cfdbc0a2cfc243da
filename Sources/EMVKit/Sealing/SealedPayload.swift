// SPDX-License-Identifier: Apache-2.0
/// Why nothing was sealed. Never says what.
public enum SealingError: Error, Sendable, Hashable {
    /// A key has another length or form than the scheme takes: which key, and what was expected.
    case badKey(String)
    /// The keys of this device are used up: it needs new ones.
    case exhausted
    /// The cryptographic library refused.
    case failed
    /// What was to be opened was changed, belongs to another context, or is for another key.
    case notAuthentic
    /// A sealed payload of another scheme.
    case unknownScheme(String)
}

extension SealingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badKey(let what): "The sealing key cannot be used: \(what)."
        case .exhausted: "The sealing keys of this device are used up; it needs new ones."
        case .failed: "Sealing failed in the cryptographic library."
        case .notAuthentic: "The sealed payload is not authentic for this key and context."
        case .unknownScheme(let name): "No opener for the sealing scheme \(name) was given."
        }
    }
}

/// What a sealer made: safe to store, log and send.
public struct SealedPayload: Sendable, Hashable {
    /// How it was sealed, for example `hpke-p256-sha256-aes256gcm`.
    public var scheme: String
    /// Which key opens it: the identifier given to the sealer, or DUKPT's key serial number.
    public var keyIdentifier: Bytes
    /// HPKE's encapsulated key; empty for DUKPT.
    public var encapsulatedKey: Bytes
    /// With its authentication tag at the end.
    public var ciphertext: Bytes

    public init(scheme: String, keyIdentifier: Bytes, encapsulatedKey: Bytes = [], ciphertext: Bytes) {
        self.scheme = scheme
        self.keyIdentifier = keyIdentifier
        self.encapsulatedKey = encapsulatedKey
        self.ciphertext = ciphertext
    }
}

extension SealedPayload: Codable {
    private enum Key: String, CodingKey {
        case scheme, keyIdentifier, encapsulatedKey, ciphertext
    }

    /// Bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(scheme, forKey: .scheme)
        try container.encode(Hex.string(keyIdentifier), forKey: .keyIdentifier)
        try container.encode(Hex.string(encapsulatedKey), forKey: .encapsulatedKey)
        try container.encode(Hex.string(ciphertext), forKey: .ciphertext)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        func bytes(_ key: Key) throws -> Bytes {
            guard let bytes = Hex.bytes(try container.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "expected hexadecimal digits")
            }
            return bytes
        }
        scheme = try container.decode(String.self, forKey: .scheme)
        keyIdentifier = try bytes(.keyIdentifier)
        encapsulatedKey = try bytes(.encapsulatedKey)
        ciphertext = try bytes(.ciphertext)
    }
}

extension SealingError: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .badKey: "A key of the length and form named"
        case .exhausted: "New keys for this device"
        case .failed: "A report to support"
        case .notAuthentic: "The payload unchanged, with its key and context"
        case .unknownScheme: "An opener for this scheme"
        }
    }
}
