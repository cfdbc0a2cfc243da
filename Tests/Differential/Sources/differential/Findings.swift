// SPDX-License-Identifier: Apache-2.0
// Differences in which the clause is with the independent implementation, while CEMV is not yet corrected. A tap that
// parts and shows such a case is counted, not reported; a finding that a long run no longer counts is taken out here.

struct Finding: Hashable {
    /// What differs, and the clause.
    let name: String
    /// The tap has such a case.
    let shows: @Sendable (World) -> Bool

    static let open: [Finding] = []

    static func == (a: Finding, b: Finding) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
