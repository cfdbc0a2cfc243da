// SPDX-License-Identifier: Apache-2.0
/// Why nothing was sealed. It never contains the data.
public enum SealingError: Error, Sendable, Hashable {
    /// A key's length or form does not fit the scheme: the text names the key and the expected form.
    case badKey(String)
    /// The keys of this device are used up: it needs new keys.
    case exhausted
    /// The cryptographic library refused.
    case failed
    /// The sealed data were changed, belong to another context, or are for another key.
    case notAuthentic
    /// The payload was sealed with another scheme.
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

/// The output of a sealer: safe to store, log and send.
public struct SealedPayload: Sendable, Hashable {
    /// The sealing scheme, for example `hpke-p256-sha256-aes256gcm`.
    public var scheme: String
    /// The identifier of the key that opens it: the one given to the sealer, or DUKPT's key serial number.
    public var keyIdentifier: Bytes
    /// HPKE's encapsulated key; empty for DUKPT.
    public var encapsulatedKey: Bytes
    /// The encrypted data, with the authentication tag at the end.
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

    /// Encodes bytes as hexadecimal text.
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
        case .badKey: "Use a key of the length and form named"
        case .exhausted: "Load new keys for this device"
        case .failed: "Report the problem to support"
        case .notAuthentic: "Use the unchanged payload, with its key and context"
        case .unknownScheme: "Use an opener for this scheme"
        }
    }
}
