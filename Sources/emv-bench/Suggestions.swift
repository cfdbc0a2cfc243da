// SPDX-License-Identifier: Apache-2.0
/// The known names that somebody may have meant who typed an unknown one.
enum Suggestions {
    /// Returns `did you mean "a" or "b"?`, or `nothing is named like it`.
    static func text(for typed: String, in names: [String]) -> String {
        let close = closest(to: typed, in: names).map { "\"\($0)\"" }
        guard let last = close.last else { return "nothing is named like it" }
        let others = close.dropLast().joined(separator: ", ")
        return "did you mean \(others.isEmpty ? "" : others + " or ")\(last)?"
    }

    /// Returns up to three names: those that contain the typed text, or differ from it in few letters.
    static func closest(to typed: String, in names: [String]) -> [String] {
        let typed = typed.lowercased()
        guard !typed.isEmpty else { return [] }
        let ranked = names.compactMap { name -> (rank: Int, name: String)? in
            let known = name.lowercased()
            let distance = edits(Array(typed), Array(known))
            if distance <= max(2, typed.count / 3) { return (distance, name) }
            return typed.count >= 3 && known.contains(typed) ? (100 + known.count, name) : nil
        }
        return ranked.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(3).map(\.name)
    }

    /// The number of insertions, deletions and replacements that turn one text into the other.
    private static func edits(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, character) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let replaced = diagonal + (character == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
