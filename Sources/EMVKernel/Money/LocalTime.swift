// SPDX-License-Identifier: Apache-2.0
/// Local date and time of day at the reader.
public struct LocalTime: Sendable, Hashable {
    public var date: CalendarDate
    public var time: TimeOfDay
    /// Offset from UTC in minutes, −840 to 840; positive if ahead. Certificates of Kernel 8 are in UTC.
    public var utcOffset: Int

    public init(date: CalendarDate, time: TimeOfDay, utcOffset: Int = 0) {
        self.date = date
        self.time = time
        self.utcOffset = utcOffset
    }
}

extension LocalTime: CustomStringConvertible {
    /// `2026-11-21T12:34:56`.
    public var description: String { "\(date)T\(time)" }
}

#if !hasFeature(Embedded)
extension LocalTime: Codable {
    /// Reads ISO 8601, with the offset if it is not zero: `2026-11-21T12:34:56+01:00`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CalendarDate(String(parts[0])) else { return nil }
        guard let time = TimeOfDay(String(parts[1].prefix(8))),
            let offset = LocalTime.minutes(parts[1].dropFirst(8))
        else { return nil }
        self.init(date: date, time: time, utcOffset: offset)
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
        try container.encode(description + offset)
    }

    /// Empty for UTC.
    private var offset: String {
        guard utcOffset != 0 else { return "" }
        let minutes = utcOffset.magnitude
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return (utcOffset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }

    /// Returns the minutes of `+01:00`, up to 14 hours; 0 for empty text.
    private static func minutes(_ text: some StringProtocol) -> Int? {
        if text.isEmpty { return 0 }
        let digits = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 6, digits.count == 2, digits.allSatisfy({ $0.utf8.count == 2 }),
            text.utf8.dropFirst().allSatisfy({ $0 == 0x3A || (0x30...0x39).contains($0) }),
            let hours = Int(digits[0]), let rest = Int(digits[1]), rest < 60, hours * 60 + rest <= 840
        else { return nil }
        switch text.first {
        case "+": return hours * 60 + rest
        case "-": return -(hours * 60 + rest)
        default: return nil
        }
    }
}
#endif
