// SPDX-License-Identifier: Apache-2.0
extension Approval: Codable {
    private enum Key: String, CodingKey {
        case origin, code, responseCode, issuerData, approvedAmount, cardAnswer, balance, isPINVerified
    }

    /// Bytes as hexadecimal text. Of the card's answer without what is sealed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(origin, forKey: .origin)
        try container.encode(code, forKey: .code)
        try container.encode(responseCode, forKey: .responseCode)
        try container.encode(Hex.string(issuerData.encoded), forKey: .issuerData)
        try container.encodeIfPresent(approvedAmount, forKey: .approvedAmount)
        let answer = cardAnswer.map { Hex.string($0.withoutSensitiveData.bytes) }
        try container.encodeIfPresent(answer, forKey: .cardAnswer)
        try container.encodeIfPresent(balance, forKey: .balance)
        if isPINVerified { try container.encode(true, forKey: .isPINVerified) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            origin: try container.decode(Origin.self, forKey: .origin),
            code: try container.decode(String.self, forKey: .code),
            responseCode: try container.decode(String.self, forKey: .responseCode),
            issuerData: try DataObjects(hex: container.decode(String.self, forKey: .issuerData), in: decoder),
            approvedAmount: try container.decodeIfPresent(Money.self, forKey: .approvedAmount),
            balance: try container.decodeIfPresent(Money.self, forKey: .balance))
        cardAnswer = try container.decodeIfPresent(String.self, forKey: .cardAnswer).map {
            CardData(try DataObjects(hex: $0, in: decoder).encoded)
        }
        isPINVerified = try container.decodeIfPresent(Bool.self, forKey: .isPINVerified) ?? false
    }
}

extension DataObjects {
    fileprivate init(hex text: String, in decoder: any Decoder) throws {
        guard let bytes = Hex.bytes(text), let objects = try? DataObjects(tlv: bytes) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected data objects in hexadecimal digits"))
        }
        self = objects
    }
}

extension Decline: Codable {
    private enum Key: String, CodingKey {
        case reason, responseCode, issuerData
    }

    /// Bytes as hexadecimal text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(reason, forKey: .reason)
        try container.encodeIfPresent(responseCode, forKey: .responseCode)
        try container.encode(Hex.string(issuerData.encoded), forKey: .issuerData)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            reason: try container.decode(Reason.self, forKey: .reason),
            responseCode: try container.decodeIfPresent(String.self, forKey: .responseCode),
            issuerData: try DataObjects(hex: container.decode(String.self, forKey: .issuerData), in: decoder))
    }
}
