// SPDX-License-Identifier: Apache-2.0
extension StoredRead: Codable {
    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN, clearRecord, application, payload, fingerprint, isSimulated
    }

    /// Bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization, forKey: .authorization)
        try container.encode(cvm, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
        try container.encode(Hex.string(clearRecord.bytes), forKey: .clearRecord)
        try container.encodeIfPresent(application, forKey: .application)
        try container.encodeIfPresent(payload, forKey: .payload)
        try container.encodeIfPresent(fingerprint, forKey: .fingerprint)
        if isSimulated { try container.encode(true, forKey: .isSimulated) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let clear = try container.bytes(.clearRecord)
        self.init(
            authorization: try container.decode(CardRead.Authorization.self, forKey: .authorization),
            cvm: try container.decode(Outcome.CVM.self, forKey: .cvm),
            maskedPAN: try container.decodeIfPresent(MaskedPAN.self, forKey: .maskedPAN),
            clearRecord: CardData(clear),
            application: try container.decodeIfPresent(Application.self, forKey: .application),
            payload: try container.decodeIfPresent(SealedPayload.self, forKey: .payload),
            fingerprint: try container.decodeIfPresent(Fingerprint.self, forKey: .fingerprint),
            isSimulated: try container.decodeIfPresent(Bool.self, forKey: .isSimulated) ?? false)
    }
}

extension StoredRead.Application: Codable {
    private enum Key: String, CodingKey {
        case identifier, label, kernel
    }

    /// Bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Hex.string(identifier), forKey: .identifier)
        try container.encode(label, forKey: .label)
        try container.encodeIfPresent(kernel.map { Hex.string($0.bytes) }, forKey: .kernel)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            identifier: try container.bytes(.identifier), label: try container.decode(String.self, forKey: .label),
            kernel: container.contains(.kernel) ? KernelID(try container.bytes(.kernel)) : nil)
    }
}

extension KeyedDecodingContainer {
    fileprivate func bytes(_ key: Key) throws -> Bytes {
        guard let bytes = Hex.bytes(try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected hexadecimal digits")
        }
        return bytes
    }
}
