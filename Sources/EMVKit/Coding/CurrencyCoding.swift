// SPDX-License-Identifier: Apache-2.0
extension Currency: Codable {
    private enum Key: String, CodingKey {
        case code, numeric, exponent
    }

    /// Three letters, or an object with `code`, `numeric` and `exponent` for a currency that the table does not have.
    public init(from decoder: any Decoder) throws {
        if let code = try? decoder.singleValueContainer().decode(String.self) {
            guard let currency = Currency(code: code) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "expected a currency of ISO 4217, not \"\(code)\""))
            }
            self = currency
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            code: try container.decode(String.self, forKey: .code),
            numeric: try container.decode(UInt16.self, forKey: .numeric),
            exponent: try container.decode(UInt8.self, forKey: .exponent))
        guard exponent <= 4, numeric <= 999 else {
            throw DecodingError.dataCorruptedError(
                forKey: .exponent, in: container,
                debugDescription: "expected an exponent of 0 to 4 and a number of three digits")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if Currency(code: code) == self {
            var container = encoder.singleValueContainer()
            try container.encode(code)
        } else {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(code, forKey: .code)
            try container.encode(numeric, forKey: .numeric)
            try container.encode(exponent, forKey: .exponent)
        }
    }
}
