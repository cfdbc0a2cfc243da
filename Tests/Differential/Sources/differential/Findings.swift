// SPDX-License-Identifier: Apache-2.0
// Differences in which the independent implementation follows the clause and CEMV is not yet corrected. A differing tap
// with such a case is counted, not reported. A finding that a long run no longer counts is removed here.

struct Finding: Hashable {
    /// The difference, and the clause.
    let name: String
    /// The tap has such a case.
    let shows: @Sendable (World) -> Bool

    static let open: [Finding] = []

    static func == (a: Finding, b: Finding) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
