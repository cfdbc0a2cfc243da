// SPDX-License-Identifier: Apache-2.0
extension CardData: Encodable {
    /// Encodes tags, each with the number of its bytes; never a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TagKey.self)
        for object in TLVReader(bytes) { try container.encode(object.value.count, forKey: TagKey(object.tag)) }
    }

    private struct TagKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ tag: Tag) { stringValue = tag.description }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension MaskedPAN: Codable {
    /// Refuses a number that shows more than it may.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let masked = MaskedPAN(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected a masked account number, at most six and four digits shown"))
        }
        self = masked
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension CardRead: Encodable {
    /// Never encodes card data: the authorisation, the CVM and the masked account number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(authorization.rawValue, forKey: .authorization)
        try container.encode(cvm.rawValue, forKey: .cvm)
        try container.encodeIfPresent(maskedPAN, forKey: .maskedPAN)
    }

    private enum Key: String, CodingKey {
        case authorization, cvm, maskedPAN
    }
}
