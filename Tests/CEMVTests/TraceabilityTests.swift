// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The names of code and tests in CONFORMANCE.md, SECURITY.md and every file of Conformance exist.
@Suite struct TraceabilityTests {
    private static let index = Result { try RepositoryIndex(root: Repository.root) }

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
            ],
            // Conformance/attacks.md
            suites: [
                "K2": "MastercardProtectionTests",
                "K4": "AmericanExpressAttackTests",
                "K5": "JCBProtectionTests",
                "K6": "DiscoverAttackTests",
                "K7": "UnionPayAttackTests",
                "K8": "Kernel8AttackTests",
            ])
    }

    private static let documents: [String] =
        ["CONFORMANCE.md", "SECURITY.md"]
        + Repository.files(below: "Conformance", ending: ["md"]).map { "Conformance/" + $0.lastPathComponent }

    /// The documents name dialogues and decision tables, too.
    private static let areGenerated = FileManager.default.fileExists(
        atPath: Repository.root.appendingPathComponent(RepositoryIndex.generated + "/kernel_8.taps").path)

    /// Functions, tests, files, scripts and their options, Swift declarations.
    @Test(.enabled(if: TraceabilityTests.areGenerated, "Scripts/independent makes the dialogues"), arguments: documents)
    func everyNameInADocumentExists(document: String) throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(document), encoding: .utf8)
        var names = try Self.names()
        for problem in names.missing(in: text) { Issue.record("\(document), \(problem)") }
        #expect(names.checked > 0, "\(document): no name is found")
    }

    /// A wrong name in a line or in a row of a table is reported, and the right one next to it is not.
    @Test(arguments: [
        ("draws by `cemv_random_draw`, then `draw_number_of_nobody`", "line 1: no C name draw_number_of_nobody"),
        ("`cemv_random_seen` or `Nobody.knows`", "line 1: no Swift name Nobody, knows of Nobody.knows"),
        (
            "`JournaledTapTests.declaredIsObserved` and `JournaledTapTests.nothingIsObserved`",
            "line 1: no test JournaledTapTests.nothingIsObserved"
        ),
        (
            "| test |\n|---|\n| K4: aClaimRaisesNoLimit, nothingIsRaised |",
            "line 3: no test AmericanExpressAttackTests.nothingIsRaised"
        ),
        ("`Scripts/test --all`, `Scripts/nothing`", "line 1: no script Scripts/nothing"),
        ("`Tests/Proving/main.c`, `Tests/Proving/nothing.c`", "line 1: no file Tests/Proving/nothing.c"),
        ("| function | test |\n|---|---|\n| shoot (session.c) | walk |", "line 3: no C function shoot"),
        ("| function | test |\n|---|---|\n| activate | somehow |", "line 3: no test is named: somehow"),
    ])
    func aNameThatDoesNotExistIsReported(text: String, problem: String) throws {
        var names = try Self.names()
        #expect(names.missing(in: text) == [problem])
    }

    // MARK: Skips

    /// A skipped test states its reason.
    @Test func everySkippedTestHasItsReason() throws {
        var found = 0
        for file in Repository.files(below: "Tests", ending: ["swift"]) {
            for line in try Repository.lines(file) where line.contains(".enabled" + "(if:") {
                let hasReason = line.contains(/, ("[^"]+"|[A-Za-z.]+\.missing)\)/)
                #expect(hasReason, "\(file.lastPathComponent): \(line)")
                found += 1
            }
        }
        #expect(found >= 10)
    }
}
