// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS

/// The document of `emv-bench replay --json`, which the page also shows.
package enum ReplayJSON {
    package static func document(_ replays: [OutputJSON]) -> OutputJSON {
        .object([("format", .string("emv-bench/1")), ("replays", .array(replays))])
    }

    package static func unusable(_ file: String, _ why: String) -> OutputJSON {
        .object([("file", .string(file)), ("error", .string(why))])
    }

    /// - Parameter measured: additional measurements of the caller.
    package static func replayed(
        _ file: String, _ name: String, _ report: ReplayReport, _ reason: Reason, _ story: ReplayStory?,
        measured: [(String, OutputJSON)] = []
    ) -> OutputJSON {
        var pairs: [(String, OutputJSON)] = [
            ("file", .string(file)), ("name", .string(name)), ("met", .bool(report.isMet)),
            ("tap", .string(report.tap.rawValue)), ("outcome", .string(report.outcome.status.rawValue)),
            ("cvm", .string(report.outcome.cvm.rawValue)), ("apdus", .integer(report.commands)),
            ("messages", .strings(report.messages.map { $0.description })),
            ("findings", .strings(report.outcome.findings.names)), ("why", why(reason)),
            ("differences", .array(report.differences.map { difference($0) })),
        ]
        pairs += measured
        if let story { pairs.append(("steps", story.json)) }
        return .object(pairs)
    }

    package static func why(_ reason: Reason) -> OutputJSON {
        .object([
            ("sentence", .string(reason.sentence)), ("object", .optional(reason.object?.description)),
            ("bits", .string(reason.bits)), ("clause", .string(reason.clause)), ("change", .string(reason.change)),
            ("status", .optional(reason.status)), ("error", .strings(reason.error)),
        ])
    }

    static func difference(_ difference: ReplayReport.Difference) -> OutputJSON {
        .object([
            ("place", .string(difference.place)), ("expected", .string(difference.maskedExpected)),
            ("found", .string(difference.maskedFound)),
        ])
    }

    /// The error without the name of its file, which already precedes it.
    package static func withoutFile(_ error: FormatError) -> String {
        let place = error.path.isEmpty ? "" : " \(error.path):"
        return "line \(error.line), column \(error.column):\(place) \(error.message)"
    }
}
