// SPDX-License-Identifier: Apache-2.0
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

extension SealedRead: Encodable {
    /// Authorisation, CVM, masked account number and the sealed payload; the data record as tags and lengths.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization.rawValue, forKey: .authorization)
        try container.encode(cvm.rawValue, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
        try container.encode(payload, forKey: .payload)
        try container.encode(dataRecord, forKey: .dataRecord)
    }

    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN, payload, dataRecord
    }
}
