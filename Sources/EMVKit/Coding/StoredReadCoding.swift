// SPDX-License-Identifier: Apache-2.0
extension StoredRead: Codable {
    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN, clearRecord, payload, fingerprint, isSimulated
    }

    /// Bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization, forKey: .authorization)
        try container.encode(cvm, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
        try container.encode(Hex.string(clearRecord.bytes), forKey: .clearRecord)
        try container.encodeIfPresent(payload, forKey: .payload)
        try container.encodeIfPresent(fingerprint, forKey: .fingerprint)
        if isSimulated { try container.encode(true, forKey: .isSimulated) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard let clear = Hex.bytes(try container.decode(String.self, forKey: .clearRecord)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .clearRecord, in: container, debugDescription: "expected hexadecimal digits")
        }
        self.init(
            authorization: try container.decode(CardRead.Authorization.self, forKey: .authorization),
            cvm: try container.decode(Outcome.CVM.self, forKey: .cvm),
            maskedPAN: try container.decodeIfPresent(MaskedPAN.self, forKey: .maskedPAN),
            clearRecord: CardData(clear),
            payload: try container.decodeIfPresent(SealedPayload.self, forKey: .payload),
            fingerprint: try container.decodeIfPresent(Fingerprint.self, forKey: .fingerprint),
            isSimulated: try container.decodeIfPresent(Bool.self, forKey: .isSimulated) ?? false)
    }
}
