// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVSimulator
import Foundation
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row C15: every public error of EMVKit states the problem and a remedy.
@Suite struct ErrorTextTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// One value per case, by type name.
    private static let errors: [String: [any LocalizedError]] = {
        let states = JournaledTap.State.allCases.map { JournalError.outOfOrder($0) }
        let key = ReconciliationKey(), sale = SaleReference(rawValue: "order")!
        let configurations = ConfigurationError.Reason.allCases.map {
            ConfigurationError(section: .terminal, reason: $0, expected: "4 bytes", found: "3 bytes")
        }
        return [
            "BillError": [
                BillError.sum(1, total: 2), BillError.negative(sum: -1), BillError.emptyLabel(line: 0),
                BillError.positiveDiscount(line: 0), BillError.overflow,
            ],
            "ConfigurationError": configurations,
            "EnrollmentError": [
                EnrollmentError.administratorRequired, EnrollmentError.revoked, EnrollmentError.signatureInvalid,
                EnrollmentError.otherMerchant, EnrollmentError.otherTerms(wanted: "2"), EnrollmentError.store("full"),
            ],
            "IssuerDataSetError": [
                IssuerDataSetError.missing(0x9F26), IssuerDataSetError.tooLong(needed: 300),
                IssuerDataSetError.duplicate(0x95), IssuerDataSetError.tooManyEntries(99),
                IssuerDataSetError.noDefault,
            ],
            "JournalError": [
                JournalError.inUse(by: "1"), JournalError.full, JournalError.damaged(at: 1),
                JournalError.unreadable("file"), JournalError.newerSchema(9), JournalError.restored,
                JournalError.notOpen, JournalError.unavailable("no"), JournalError.keyUsed(key),
                JournalError.unknownKey(key), JournalError.saleSettled(sale), JournalError.saleOpen(key),
                JournalError.beyondSale(left: eur(1)), JournalError.beyondPaid(left: eur(1)),
            ] + FollowUp.Refusal.allCases.map { JournalError.followUpRefused($0, of: key) } + states,
            "LinkFault": LinkFault.allCases,
            "PrepareError": [
                PrepareError.configuration(configurations[0]), PrepareError.configurationExpired(testDay),
                PrepareError.caKeysMissing([[1]]), PrepareError.enrollment(.revoked),
                PrepareError.reader(ReaderFault(.noReader, "No reader")), PrepareError.journal(.full),
                PrepareError.busy, PrepareError.cancelled,
            ],
            "Problem": Problem.Code.allCases.map { Problem($0) },
            "ReaderFault": ReaderFault.Code.allCases.map { ReaderFault($0, "Explained") },
            "SealingError": [
                SealingError.badKey("short"), SealingError.exhausted, SealingError.failed, SealingError.notAuthentic,
                SealingError.unknownScheme("x"),
            ],
            "Flaw": [
                PromptText.Flaw.empty, PromptText.Flaw.tooLong(129), PromptText.Flaw.endsInPunctuation("."),
                PromptText.Flaw.surroundingSpace,
                PromptText.Flaw.controlCharacter(7), PromptText.Flaw.beginsInLowerCase("a"),
                PromptText.Flaw.allCapitals,
                PromptText.Flaw.titleCase("Card"), PromptText.Flaw.sentence("is"), PromptText.Flaw.paymentWord("pay"),
                PromptText.Flaw.missing,
            ],
            "UndecidedAnswer": [
                UndecidedAnswer(responseCode: "94", network: .visa), UndecidedAnswer(responseCode: "Z9", network: nil),
            ],
            "TLVError": [
                TLVError.truncatedTag, TLVError.longTag, TLVError.truncatedLength, TLVError.indefiniteLength,
                TLVError.longLength, TLVError.truncatedValue, TLVError.tooDeep,
            ],
        ]
    }()

    @Test func everyErrorSaysWhatItIsAndWhatHelps() {
        for (name, errors) in ErrorTextTests.errors {
            #expect(!errors.isEmpty, "\(name)")
            for error in errors {
                let description = error.errorDescription ?? "", remedy = error.recoverySuggestion ?? ""
                // A configuration error begins with its place, in the terms of the file format.
                let isPlace = ["ConfigurationError", "PrepareError"].contains(name)
                #expect(description.count > 3, "\(name): \(description)")
                #expect(isPlace || description.first?.isUppercase == true, "\(name): \(description)")
                #expect(PromptText.flaw(of: remedy) == nil, "\(name): \(remedy)")
                let flaws = TextCatalogue.flaws(remedy, language: .english, names: ["Book", "Annex"])
                #expect(flaws == [], "\(remedy)")
                #expect(error.localizedDescription == description, "\(name)")
            }
        }
    }

    /// The list of errors is read from the sources, so a new error must have its texts here.
    @Test func noPublicErrorIsForgotten() throws {
        let folder = ErrorTextTests.root.appendingPathComponent("Sources").resolvingSymlinksInPath()
        let modules = ["EMVKernel/", "EMVPOS/", "EMVKit/"]
        var found: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where file.hasSuffix(".swift") && modules.contains(where: { file.hasPrefix($0) }) {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let words = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
                if words.count > 3, words[0] == "public", ["enum", "struct"].contains(words[1]),
                    words.contains("Error")
                {
                    found.insert(words[2])
                }
            }
        }
        #expect(found == Set(ErrorTextTests.errors.keys))
    }

    /// EMVKit's own member is always present; an app gets it in addition to Foundation's.
    @Test func theSuggestionIsThereWithAndWithoutFoundation() {
        let suggestion = Problem(.linkTimedOut).recoverySuggestion
        #expect(suggestion == "Hold the card flat and still on the reader")
        #expect((Problem(.linkTimedOut) as any LocalizedError).recoverySuggestion == suggestion)
        #expect((LinkFault.timeout as any LocalizedError).recoverySuggestion == suggestion)
    }

    @Test func anOwnCauseHasItsOwnWords() throws {
        let message = try PromptText("Till locked by the manager"),
            remedy = try PromptText("Ask the manager for the key")
        let problem = Problem(
            own: "till.locked/4761739001010119", message: message, remedy: remedy, actions: [.administrator])
        #expect(problem.code == .own && problem.name == "till.locked4761739")
        #expect(problem.description == "Till locked by the manager")
        #expect(problem.recoverySuggestion == "Ask the manager for the key")
        #expect(problem.severity == .recoverable([.administrator]))
        #expect(Problem(own: "x", message: message).severity == .fatal)
        #expect(Problem(own: "x", message: message).alternatives.first == .help)
        let shown = Presentation(.failed, problem: problem)
        #expect(shown.hostMessage == message && shown.headline == TextKey("headline.setUp"))
        #expect(shown.spoken().hasSuffix("Till locked by the manager"))
        // A text for the merchant alone is never displayed, whatever its source.
        let quiet = Problem(own: "x", message: message, audience: .merchant)
        #expect(Presentation(.failed, problem: quiet).hostMessage == nil)
        let host = Problem(.hostRejected, message: try PromptText("Terminal not active"))
        #expect(host.description == "Terminal not active" && host.name == "hostRejected")
        #expect(Problem(own: "", message: message).name == "own")
    }

    @Test func aReportNamesReaderVersionsAndConfiguration() async throws {
        let reader = tapReader(SimulatedReader(.unreadable))
        let outcome = await reader.read(PaymentRequest(amount: eur(1250)))
        let report = await reader.supportReport(outcome, version: "Shop 3.2")
        #expect(report.tap == .unreadable && report.key != nil && report.moment == "2026-11-21T12:00:00")
        #expect(report.versions == [SupportReport.libraryVersion, "Shop 3.2"])
        #expect(report.reader == "EMVSimulator")
        #expect(report.configuration == Configuration.simulator().fingerprint)
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(try JSONDecoder().decode(SupportReport.self, from: Data(text.utf8)) == report)
        let host = SimulatedAuthorizer(.decline("51"))
        for tap in SimulatedTap.allCases {
            let reader = tapReader(SimulatedReader(tap)) { $0.cardTimeout = .milliseconds(50) }
            let result = await reader.charge(PaymentRequest(amount: eur(tap.amount)), with: host)
            let text = String(decoding: try JSONEncoder().encode(await reader.supportReport(result)), as: UTF8.self)
            let account = result.read?.dataRecord[0x57].map { Hex.string($0).prefix(13) } ?? "none"
            #expect(!text.contains(account), "\(tap)")
        }
    }

    @Test func aFingerprintIsThatOfTheValues() {
        let one = Configuration.simulator()
        #expect(one.fingerprint == Configuration.simulator().fingerprint && one.fingerprint.count == 64)
        var seen: Set<String> = [one.fingerprint]
        func changed(_ change: (inout Configuration) -> Void) {
            var other = one
            change(&other)
            #expect(seen.insert(other.fingerprint).inserted, "\(seen.count)")
        }
        changed { $0.version = "2" }
        changed { $0.terminal[0x9F1A] = [0x02, 0x50] }
        changed { $0.combinations[0].limits.floor = 77 }
        changed { $0.combinations[0].ttq = [0, 0, 0, 1] }
        changed { $0.combinations.removeLast() }
        changed { $0.caKeys.removeLast() }
        changed { $0.protection.maxTaps = 5 }
        // The number of rejected accounts is reported, never the accounts.
        changed { $0.exceptions = [ExceptionEntry(pan: [0x47, 0x61])] }
        var other = one, third = one
        other.exceptions = [ExceptionEntry(pan: [0x47, 0x61])]
        third.exceptions = [ExceptionEntry(pan: [0x47, 0x62])]
        #expect(other.fingerprint == third.fingerprint)
    }

    // MARK: - The page that help anchors lead to

    private static let page = root.appendingPathComponent("Sources/EMVKit/EMVKit.docc/Problems.md")

    private static var wanted: String {
        let sections = Problem.Code.allCases.map { code in
            let problem = Problem(code)
            let ways = problem.alternatives.map { TextCatalogue().text($0.textKey)?.description ?? "?" }
            let audience = problem.audience == .merchant ? " For the merchant alone." : ""
            return """
                ### \(problem.helpAnchor)

                \(problem.description). What helps: \(problem.recoverySuggestion).
                Offered: \(ways.joined(separator: ", ")).\(audience)
                """
        }
        return """
            # Problems

            What each problem means, and what can be done: the page that help anchors lead to.

            ## Overview

            ``Problem/helpAnchor`` is the anchor of a section here. A test holds this page against the table.

            \(sections.joined(separator: "\n\n"))

            """
    }

    /// `EMV_WRITE_HELP=1` rewrites the page.
    @Test func everyHelpAnchorExists() throws {
        let page = ErrorTextTests.page
        if ProcessInfo.processInfo.environment["EMV_WRITE_HELP"] == "1" {
            try ErrorTextTests.wanted.write(to: page, atomically: true, encoding: .utf8)
        }
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text == ErrorTextTests.wanted)
        for code in Problem.Code.allCases {
            #expect(text.contains("\n### \(Problem(code).helpAnchor)\n"), "\(code)")
        }
        #expect(Set(Problem.Code.allCases.map { Problem($0).helpAnchor }).count == Problem.Code.allCases.count)
    }
}
