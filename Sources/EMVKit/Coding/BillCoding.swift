// SPDX-License-Identifier: Apache-2.0
extension Bill: Codable {
    private enum Key: String, CodingKey {
        case lines, total
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let lines = try container.decode([LineItem].self, forKey: .lines)
        let total = try container.decode(Money.self, forKey: .total)
        do throws(BillError) {
            try self.init(lines, total: total)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: .lines, in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(lines, forKey: .lines)
        try container.encode(total, forKey: .total)
    }
}
