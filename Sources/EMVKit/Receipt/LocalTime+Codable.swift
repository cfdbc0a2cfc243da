// SPDX-License-Identifier: Apache-2.0
extension LocalTime: CustomStringConvertible, Codable {
    /// `2026-11-21T12:34:56`.
    public var description: String { "\(date)T\(time)" }

    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CalendarDate(String(parts[0])), let time = TimeOfDay(String(parts[1])) else {
            return nil
        }
        self.init(date: date, time: time)
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let moment = LocalTime(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected 2026-11-21T12:34:56, not \"\(text)\"")
            )
        }
        self = moment
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
