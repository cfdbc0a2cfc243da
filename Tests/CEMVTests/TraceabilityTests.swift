// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// CONFORMANCE.md, the rows of the experience: every one has a test that exists, or a reason.
@Suite struct TraceabilityTests {
    private static let expected =
        [
            ("A", 11), ("B", 11), ("C", 16), ("D", 6), ("E", 15), ("F", 8), ("G", 11), ("H", 17),
        ]
        .flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }

    @Test func everyRowNamesATestThatExists() throws {
        try check("## The experience, rows A to H", TraceabilityTests.expected)
    }

    /// Rows I, the open ones among them.
    @Test func everyRowOfTheSecondReadingIsThere() throws {
        try check("## The experience, rows I", (1...15).map { "I\($0)" })
    }

    /// Rows Y: passes.
    @Test func everyRowOfThePassesIsThere() throws {
        try check("## Passes, rows Y", (1...17).map { "Y\($0)" })
    }

    private func check(_ heading: String, _ expected: [String]) throws {
        let text = try String(contentsOf: LayeringTests.root.appendingPathComponent("CONFORMANCE.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: heading + "\n").dropFirst().first)
        let table = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
            .dropFirst()
        let rows = table.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(rows.map { $0[0] } == expected)
        let files =
            LayeringTests.files(below: "Tests", ending: ["swift"])
            + LayeringTests.files(below: "Examples/TapDemo/Tests", ending: ["swift"])
        let functions = try files.reduce(into: Set<Substring>()) { names, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            for part in text.components(separatedBy: "func ").dropFirst() { names.insert(part.prefix { $0 != "(" }) }
        }
        for row in rows {
            if row[3] == "–" {
                #expect(row[2].hasPrefix("n/a: ") || row[2].hasPrefix("open: "), "\(row[0])")
                continue
            }
            for name in row[3].split(separator: ",") {
                let function = name.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                #expect(functions.contains(Substring(function)), "\(row[0]): \(function)")
            }
        }
    }

    // MARK: Names in documents

    private static let index = Result { try RepositoryIndex(root: LayeringTests.root) }

    private static func names() throws -> DocumentedNames {
        DocumentedNames(
            index: try index.get(),
            foreign: ["emv_iad_get_format", "mpz_powm", "mpz_powm_ui"],
            tests: [
                "walk": "kernel_walk.c",
                "table": "MastercardTapTests.everyCardLeadsWhereTheTableSays",
                "vectors": "CryptogramVectorTests.everyFunctionAgrees",
                "dialogues": "IndependentTraceTests.theDialoguesAreMet",
                "tables": "independent_rules.c",
            ])
    }

    /// The documents name dialogues and decision tables, too.
    private static let areGenerated = FileManager.default.fileExists(
        atPath: LayeringTests.root.appendingPathComponent(RepositoryIndex.generated + "/kernel_8.taps").path)

    /// Functions, tests, files, scripts and their options, Swift declarations.
    @Test(
        .enabled(if: TraceabilityTests.areGenerated, "Scripts/independent makes the dialogues"),
        arguments: [
            ("CONFORMANCE.md", 400), ("TESTING.md", 100), ("PERFORMANCE.md", 40), ("SECURITY.md", 120),
            ("README.md", 8), ("Conformance/book-c2.md", 200), ("Conformance/book-c3.md", 200),
            ("Conformance/book-c4.md", 80), ("Conformance/book-c5.md", 150), ("Conformance/book-c6.md", 100),
            ("Conformance/book-c7.md", 60), ("Conformance/book-c8.md", 100),
        ])
    func everyNameInADocumentExists(document: String, atLeast: Int) throws {
        let text = try String(contentsOf: LayeringTests.root.appendingPathComponent(document), encoding: .utf8)
        var names = try Self.names()
        for problem in names.missing(in: text) { Issue.record("\(document), \(problem)") }
        #expect(names.checked >= atLeast, "the names of \(document) are no longer found")
    }

    /// One mistake a line: what is reported, and what is not.
    @Test(arguments: [
        ("draws by `cemv_random_draw`, then `draw_number_of_nobody`", "no C name draw_number_of_nobody"),
        ("`cemv_random_seen` or `Nobody.knows`", "no Swift name Nobody, knows of Nobody.knows"),
        (
            "`SelectionTests.directoryIsAskedForByItsName` and `SelectionTests.directoryIsLost`",
            "no test SelectionTests.directoryIsLost"
        ),
        ("`Scripts/taps --short`, `Scripts/tabs`", "no script Scripts/tabs"),
        ("`Scripts/mutate --only PART`, `Scripts/mutate --always`", "Scripts/mutate has no --always"),
        ("`Scripts/proving golden`, `Scripts/proving silver`", "Scripts/proving has no silver"),
        ("`Tests/Golden/k2.txt`, `Tests/Golden/caps.txt`", "no file Tests/Golden/caps.txt"),
        ("`struct cemv_outcome`, `struct cemv_income`", "no C type cemv_income"),
        ("`k3-online`, `k3-nowhere`", "no trace or scenario k3-nowhere"),
        ("`CEMV_STEP_SEND`, `CEMV_STEP_BACK`", "no C constant CEMV_STEP_BACK"),
    ])
    func aNameThatDoesNotExistIsReported(line: String, problem: String) throws {
        var names = try Self.names()
        #expect(names.missing(in: line) == ["line 1: " + problem])
    }

    /// The same in the columns of a table, where names stand without backticks too.
    @Test(arguments: [
        ("activate, shoot (session.c)", "walk", "no C function shoot"),
        (
            "random.c cemv_random_draw; session.c cemv_random_seen", "walk",
            "cemv_random_seen is in random.c, not in session.c"
        ),
        (
            "`activate`: by the book", "SelectionTests.directoryIsAskedForByItsName, directoryIsLost",
            "no test SelectionTests.directoryIsLost"
        ),
        (
            "activate", "`SelectionTests.directoryIsAskedForByItsName`, `.directoryIsForgotten`",
            "no test SelectionTests.directoryIsForgotten"
        ),
        ("activate", "table (`mcExpired`, `mcNobody`)", "no test mcNobody"),
        ("activate", "`NobodyTests`", "no suite NobodyTests"),
        ("activate", "somehow", "no test is named: somehow"),
    ])
    func aWrongRowIsReported(function: String, test: String, problem: String) throws {
        let table = "| clause | function | test |\n|---|---|---|\n| 1.1 `nobody_knows` | \(function) | \(test) |"
        var names = try Self.names()
        #expect(names.missing(in: table) == ["line 3: no C name nobody_knows", "line 3: " + problem])
    }

    // MARK: Figures in documents

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: LayeringTests.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Numbers of at least three digits, without the commas between thousands.
    private static func figures(_ text: Substring) -> [String] {
        text.matches(of: /[0-9][0-9,]*[0-9]/).map { $0.output.filter { $0 != "," } }.filter { $0.count >= 3 }
    }

    /// Counts of instructions stand in Benchmarks/Instructions/counts.txt, which Scripts/instructions compares.
    @Test func instructionFiguresAreThoseOfTheTable() throws {
        let recorded = Set(try Self.text("Benchmarks/Instructions/counts.txt").split(whereSeparator: \.isWhitespace))
        let table = try Self.text("PERFORMANCE.md").split(separator: "\n", omittingEmptySubsequences: false)
        let header = try #require(table.firstIndex { $0.contains("| instructions, clang") })
        let place = try #require(DocumentedNames.cells(table[header]).firstIndex { $0.hasPrefix("instructions") })
        var compared = 0
        for row in table[(header + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = DocumentedNames.cells(row)
            for figure in Self.figures(Substring(cells[place])) {
                #expect(recorded.contains(Substring(figure)), "\(cells[0]): \(figure) is not in counts.txt")
                compared += 1
            }
        }
        #expect(compared >= 16)
    }

    /// Sizes stand in Footprint/table.txt, which Scripts/footprint writes and compares.
    @Test func footprintFiguresAreThoseOfTheTable() throws {
        let recorded = Set(try Self.text("Footprint/table.txt").split(whereSeparator: \.isWhitespace))
        let document = try Self.text("TESTING.md")
        let section = try #require(document.components(separatedBy: "\n## Footprint\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        var compared = 0
        for row in rows {
            // The last column is the goal.
            for cell in DocumentedNames.cells(row).dropFirst().dropLast() {
                for figure in Self.figures(Substring(cell)) {
                    #expect(recorded.contains(Substring(figure)), "\(row): \(figure) is not in table.txt")
                    compared += 1
                }
            }
        }
        #expect(compared >= 16)
        let session = try #require(section.firstMatch(of: /A session takes ([0-9,]+) bytes there/)).output.1
        #expect(recorded.contains(Substring(session.filter { $0 != "," })))
    }

    // MARK: Skips

    /// A test that is left out says why.
    @Test func everySkippedTestHasItsReason() throws {
        var found = 0
        for file in LayeringTests.files(below: "Tests", ending: ["swift"]) {
            for line in try LayeringTests.lines(file) where line.contains(".enabled" + "(if:") {
                let hasReason = line.contains(/, ("[^"]+"|[A-Za-z.]+\.missing)\)/)
                #expect(hasReason, "\(file.lastPathComponent): \(line)")
                found += 1
            }
        }
        #expect(found >= 10)
    }
}
