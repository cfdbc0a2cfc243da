// SPDX-License-Identifier: Apache-2.0
import EMVPCSC
import Foundation
import Testing

/// The tables of Readers.md against the code.
@Suite struct ReadersDocumentTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    private static func document() throws -> String {
        try String(
            contentsOf: tests.appendingPathComponent("../Sources/EMVPCSC/EMVPCSC.docc/Readers.md"), encoding: .utf8)
    }

    /// `Suite.test` of every row.
    @Test func everyTestInTheTablesExists() throws {
        var sources: [String: String] = [:]
        for folder in ["PCSCTests", "PN532Tests"] {
            let path = ReadersDocumentTests.tests.appendingPathComponent(folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: path.path) {
                let text = try String(contentsOf: path.appendingPathComponent(file), encoding: .utf8)
                for suite in text.matches(of: /struct ([A-Za-z0-9]+Tests)\b/) {
                    sources[String(suite.output.1), default: ""] += text
                }
            }
        }
        let names = try ReadersDocumentTests.document().matches(of: /`([A-Za-z0-9]+Tests)\.([A-Za-z0-9]+)`/)
        #expect(names.count >= 35)
        for name in names {
            let source = try #require(sources[String(name.output.1)], "no suite \(name.output.1)")
            #expect(source.contains("func \(name.output.2)("), "no test \(name.output.0)")
        }
    }

    /// Every finding of the doctor has a row.
    @Test func everyFindingOfTheDoctorHasARow() throws {
        let text = try ReadersDocumentTests.document()
        for code in ReaderDiagnosis.Code.allCases {
            #expect(text.contains("`\(code.rawValue)`"), "\(code.rawValue)")
        }
    }
}
