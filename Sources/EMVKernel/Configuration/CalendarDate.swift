// SPDX-License-Identifier: Apache-2.0
/// A day of the calendar. Years 1950 to 2049, as two digits of a year mean in EMV (Book 4).
public struct CalendarDate: Sendable, Hashable, Comparable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Fails for a day that does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1950...2049).contains(year), (1...12).contains(month) else { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        guard (1...days).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads only the form `2026-11-21`.
    public init?(_ text: String) {
        guard let parts = numbers(text, separator: "-", widths: [4, 2, 2]) else { return nil }
        self.init(year: parts[0], month: parts[1], day: parts[2])
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// n 6, YYMMDD.
    var bcd: (UInt8, UInt8, UInt8) { (packed(year % 100), packed(month), packed(day)) }
}

extension CalendarDate: CustomStringConvertible {
    public var description: String { "\(year)-\(padded(month))-\(padded(day))" }
}

/// A time of day to the second.
public struct TimeOfDay: Sendable, Hashable {
    public let hour: Int
    public let minute: Int
    public let second: Int

    public static let midnight = TimeOfDay(hour: 0, minute: 0, second: 0, unchecked: ())

    public init?(hour: Int, minute: Int, second: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.init(hour: hour, minute: minute, second: second, unchecked: ())
    }

    private init(hour: Int, minute: Int, second: Int, unchecked: Void) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Reads only the form `12:00:00`.
    public init?(_ text: String) {
        guard let parts = numbers(text, separator: ":", widths: [2, 2, 2]) else { return nil }
        self.init(hour: parts[0], minute: parts[1], second: parts[2])
    }

    /// n 6, HHMMSS.
    var bcd: (UInt8, UInt8, UInt8) { (packed(hour), packed(minute), packed(second)) }
}

extension TimeOfDay: CustomStringConvertible {
    public var description: String { "\(padded(hour)):\(padded(minute)):\(padded(second))" }
}

private func packed(_ number: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: number + number / 10 * 6)
}

private func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}

private func numbers(_ text: String, separator: Character, widths: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == widths.count else { return nil }
    var numbers: [Int] = []
    for (part, width) in zip(parts, widths) {
        guard part.utf8.count == width, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
        else { return nil }
        numbers.append(number)
    }
    return numbers
}

#if !hasFeature(Embedded)
extension CalendarDate: Codable {
    /// Reads ISO 8601: `2026-11-21`.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = CalendarDate(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected 2026-11-21, not \"\(text)\""))
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
#endif
