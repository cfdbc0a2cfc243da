// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Traces by authors who had not read this project's code, as JSON: those of Tests/Independent, and the dialogues that
/// Scripts/independent generates.
public struct IndependentTraces: Sendable {
    /// Names, in the order of the files and of their lines.
    public let names: [String]
    private let texts: [String: String]

    /// Every trace of Tests/Independent.
    public static let all = IndependentTraces(
        files: ((try? FileManager.default.contentsOfDirectory(atPath: committed.path)) ?? []).sorted()
            .filter { $0.hasSuffix(".taps") }.map(committed.appendingPathComponent))

    /// The traces of one file, named without the ending `.taps`.
    public static func file(_ name: String) -> IndependentTraces {
        IndependentTraces(files: [committed.appendingPathComponent(name + ".taps")])
    }

    /// The dialogues of one file, named without the ending `.taps`. It is empty before Scripts/independent has run.
    public static func dialogues(_ name: String) -> IndependentTraces {
        IndependentTraces(files: [generated.appendingPathComponent(name + ".taps")])
    }

    /// Only Scripts/test makes sure that the dialogues exist and are current.
    public static let areDialoguesGenerated = FileManager.default.fileExists(
        atPath: generated.appendingPathComponent("kernel_8.taps").path)

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../.."
    ).standardizedFileURL
    private static let committed = root.appendingPathComponent("Tests/Independent")
    private static let generated = root.appendingPathComponent(".build-independent")

    private init(files: [URL]) {
        let lines = files.flatMap { file in
            ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }
        // The name of the trace is the first in its line.
        names = lines.map { line in
            String((line.components(separatedBy: "\"name\":\"").dropFirst().first ?? "").prefix { $0 != "\"" })
        }
        texts = Dictionary(zip(names, lines), uniquingKeysWith: { first, _ in first })
    }

    /// The JSON of a trace; empty if there is no trace with this name.
    public func json(_ name: String) -> [UInt8] { Array((texts[name] ?? "").utf8) }
}
