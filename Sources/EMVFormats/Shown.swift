// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The parts of a file that messages may show: never a value, and a key only if it cannot hold an account number.
enum Shown {
    /// A letter first, then at most 39 letters, digits, points, underscores and hyphens, without five digits in a row;
    /// or a tag.
    static func isSafe(_ key: String) -> Bool {
        if Tag(key) != nil { return true }
        let characters = Array(key.utf8)
        guard (1...40).contains(characters.count), isLetter(characters[0]) else { return false }
        var digits = 0
        for character in characters {
            digits = isDigit(character) ? digits + 1 : 0
            guard digits < 5, isDigit(character) || isLetter(character) || ".-_".utf8.contains(character) else {
                return false
            }
        }
        return true
    }

    /// A key as part of a path.
    static func step(_ key: String) -> String {
        isSafe(key) ? key : "(key \(size(key)))"
    }

    /// A key in a sentence, after "the key" or "a key".
    static func key(_ key: String) -> String {
        isSafe(key) ? "\"\(key)\"" : size(key)
    }

    private static func size(_ key: String) -> String {
        key.utf8.count == 1 ? "of 1 byte" : "of \(key.utf8.count) bytes"
    }

    /// `4 bytes (8 digits)`, `5 to 16 bytes (10 to 32 digits)`.
    static func size(_ sizes: ClosedRange<Int>) -> String {
        func range(_ low: Int, _ high: Int) -> String { low == high ? "\(low)" : "\(low) to \(high)" }
        return range(sizes.lowerBound, sizes.upperBound) + (sizes == 1...1 ? " byte (" : " bytes (")
            + range(2 * sizes.lowerBound, 2 * sizes.upperBound) + " digits)"
    }

    /// The names that differ from this one in few characters, or contain it, closest first; all names if none does.
    static func closest(to name: String, in known: [String]) -> [String] {
        let wanted = lowercased(name)
        guard (1...40).contains(wanted.count) else { return known }
        let limit = max(1, wanted.count / 3)
        let rated = known.map { ($0, distance(wanted, lowercased($0))) }
        var close = rated.filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map { $0.0 }
        if wanted.count >= 3 {
            for name in known where close.count < 8 && !close.contains(name) {
                if contains(lowercased(name), wanted) { close.append(name) }
            }
        }
        return close.isEmpty ? known : Array(close.prefix(8))
    }

    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }

    /// The number of characters to insert, remove or replace (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, left) in one.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for (column, right) in other.enumerated() {
                let next = min(row[column + 1] + 1, row[column] + 1, corner + (left == right ? 0 : 1))
                corner = row[column + 1]
                row[column + 1] = next
            }
        }
        return row[other.count]
    }

    private static func isDigit(_ character: UInt8) -> Bool { (0x30...0x39).contains(character) }

    private static func isLetter(_ character: UInt8) -> Bool { (0x41...0x5A).contains(character & ~0x20) }
}
