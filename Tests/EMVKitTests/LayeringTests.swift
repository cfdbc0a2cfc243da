// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct LayeringTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardizedFileURL.resolvingSymlinksInPath()

    /// Lines that begin with a word, of every Swift file of a target, each with its file.
    private func imports(_ target: String) throws -> [(file: String, line: String)] {
        let folder = LayeringTests.sources.appendingPathComponent(target).resolvingSymlinksInPath()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.flatMap { file in
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.filter { $0.hasPrefix("import ") || $0.hasPrefix("internal import ") }.map { (file, $0) }
        }
    }

    @Test func theKitImportsTheKernelInFourFilesAtMostAndNothingElse() throws {
        let imports = try imports("EMVKit")
        #expect(imports.filter { $0.line == "internal import CEMV" }.count <= 4)
        let clock = ["import Darwin", "import Glibc", "import Musl"]
        for (file, line) in imports where line != "internal import CEMV" {
            let isOfClock = ["Concurrency/LocalTime+Now.swift", "Concurrency/JournalClock.swift"].contains(file)
            #expect(isOfClock && clock.contains(line), "\(file): \(line)")
        }
    }

    @Test func formatsRestOnTheKitAndFoundation() throws {
        for (file, line) in try imports("EMVFormats") {
            #expect(["import EMVKit", "import Foundation"].contains(line), "\(file): \(line)")
        }
    }
}
