// SPDX-License-Identifier: Apache-2.0
// Combination Selection, Book B v2.10, 3.3 and annex C.
import CEMV
import CEMVInternals
import TestData
import Testing

private let visaRow = EntryRow(aid: EntryCard.visa, kernel: [3], ttq: [0x36, 0x00, 0x40, 0x80])

/// The names tried, in order, when the card refuses every final SELECT.
private func namesTried(_ rows: [EntryRow], ppse: [UInt8], kernels: [[UInt8]]? = nil) -> [String] {
    let session = EntrySession(EntryConfiguration(rows, kernels: kernels))
    session.card()
    session.answer(ppse)
    while session.step == CEMV_STEP_SEND { session.answer("6A82") }
    precondition(session.step == CEMV_STEP_DONE)
    return session.commands.dropFirst().map { String($0.dropFirst(10).dropLast(2)) }
}

private func serves(_ kernel: [UInt8], aid: [UInt8] = EntryCard.own, _ identifier: [UInt8]?) -> Bool {
    !namesTried([EntryRow(aid: aid, kernel: kernel)], ppse: EntryCard.ppse(EntryCard.entry(aid, kernel: identifier)))
        .isEmpty
}

private let prefixes: [[UInt8]] = [
    EntryCard.visa, EntryCard.mastercard, EntryCard.own, hex("A0000000651010"), hex("A0000000250110"),
    hex("F0000000020101"),
]
private let kernels: [[UInt8]] = [[3], [2], [5], [0x21], [0x43], [0x81, 2, 0x76], [0xC1, 1, 2]]
private let identifiers: [[UInt8]?] = [
    nil, nil, [], [0], [0, 1, 2], [2], [3], [3, 0, 0], [5, 9], [0x21], [0x43], [0x81], [0x81, 2], [0x81, 2, 0x76],
    [0x81, 2, 0x76, 5], [0xC1, 1, 2],
    [0xC1, 1, 3], [0x82, 2, 0x76],
]

/// Distinct combinations of a reader, some of them blocked by their limit.
private func randomRows(_ random: inout SeededRandom) -> [EntryRow] {
    var rows: [EntryRow] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
        let prefix: [UInt8] = prefixes.randomElement(using: &random)!
        var row = EntryRow(
            aid: Array(prefix.prefix(Int.random(in: 5...7, using: &random))),
            kernel: kernels.randomElement(using: &random)!)
        row.extendedSelection = Bool.random(using: &random)
        if Int.random(in: 0...7, using: &random) == 0 { row.limits = [(CEMV_LIMIT_TRANSACTION, 1)] }
        let stands = rows.contains { (other: EntryRow) -> Bool in other.aid == row.aid && other.kernel == row.kernel }
        if !stands { rows.append(row) }
    }
    return rows
}

private func randomEntries(_ random: inout SeededRandom) -> [NaiveDirectoryEntry] {
    var entries: [NaiveDirectoryEntry] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
        let prefix: [UInt8] = prefixes.randomElement(using: &random)!
        let long: [UInt8] = prefix + (1...12).map { UInt8($0) }
        var entry = NaiveDirectoryEntry(adfName: Array(long.prefix(Int.random(in: 4...17, using: &random))))
        if Int.random(in: 0...20, using: &random) == 0 { entry.adfName = nil }
        if Bool.random(using: &random) {
            entry.priority = [0x00, 0x01, 0x02, 0x0E, 0x0F, 0x10, 0xF1, 0xFF].randomElement(using: &random)!
        }
        entry.kernelIdentifier = identifiers.randomElement(using: &random)!
        if Bool.random(using: &random) {
            entry.extendedSelection = Array(repeating: 0xEE, count: Int.random(in: 0...6, using: &random))
        }
        entries.append(entry)
    }
    return entries
}

private let category = hex("0001020001")
private let nothingInCommon = ["ui 1C 2", "done"]

extension EntryPoint {
    @Suite struct SelectionTests {
        @Test func directoryIsAskedForByItsName() {
            #expect(EntrySession(EntryConfiguration([EntryRow()])).card() == ["send " + EntryCard.ppseCommand])
        }

        // MARK: 3.3.2.3, 3.3.2.4, Table 3-2

        @Test(arguments: ["6A82", "6283", "6985", "9001", "6F00"])
        func refusedDirectoryLeavesNoCandidate(status: String) {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)).dropLast(2) + hex(status))
                    == nothingInCommon)
            #expect(
                session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_NO_COMMON_APPLICATION)
            let outcome = session.outcome
            #expect(
                outcome.start == 0xF0 && outcome.online_response == 0xF0 && outcome.cvm == 0xF0
                    && outcome.alternate_interface == 0xF0)
            #expect(
                !outcome.ui_on_restart_present && !outcome.data_record_present && !outcome.discretionary_present
                    && !outcome.receipt)
            #expect(Int32(outcome.field_off_100ms) == CEMV_FIELD_OFF_NA && outcome.removal_timeout_100ms == 0)
        }

        @Test func everyTruncationOfADirectoryLeavesNoCandidate() {
            let whole = EntryCard.ppse(
                EntryCard.entry(EntryCard.own, priority: 1, kernel: [0x21]), EntryCard.entry(EntryCard.visa)
            ).dropLast(2)
            for size in 0..<whole.count {
                let session = EntrySession(EntryConfiguration([EntryRow()]))
                session.card()
                #expect(session.answer(whole.prefix(size) + [0x90, 0x00]) == nothingInCommon)
            }
        }

        @Test(arguments: [
            "6F00", "6F02A500", "6F05A503BF0C00", "7011A50FBF0C0C610A4F05F00000000187010100",
            "A50FBF0C0C610A4F05F000000001870101", "6F0D610B4F05F000000001870101" + "00",
            "6F11A60FBF0C0C610A4F05F000000001870101",
            "6F12A510BF0C0D620B4F05F0000000018701019F", "6F80A50ABF0C07610" + "54F03F00000" + "0000",
        ])
        func malformedOrEmptyDirectoryLeavesNoCandidate(body: String) {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            #expect(session.answer(hex(body) + [0x90, 0x00]) == nothingInCommon)
        }

        @Test func directoryWithoutItsOwnNameIsAccepted() {
            let body = dataObject(0x6F, dataObject(0xA5, dataObject(0xBF0C, EntryCard.entry(EntryCard.own))))
            #expect(namesTried([EntryRow()], ppse: body + [0x90, 0x00]) == ["F000000001"])
        }

        @Test func unknownAndProprietaryDataAreIgnored() {
            let template73 = dataObject(0x73, hex("9F2A0122"))
            let entry = dataObject(
                0x61,
                hex("DF0102AABB") + template73 + dataObject(0x50, Array("OWN".utf8)) + dataObject(0x4F, EntryCard.own)
                    + dataObject(0x9F0A, hex("00010199FF")))
            let body = dataObject(
                0x6F,
                hex("DF0101AA")
                    + dataObject(0xA5, hex("880101") + dataObject(0xBF0C, template73 + hex("9F4D020B0A") + entry))
            )
            #expect(namesTried([EntryRow()], ppse: body + [0x90, 0x00]) == ["F000000001"])
        }

        @Test func terminalDataFromTheCardAreIgnored() {
            let entry = EntryCard.entry(EntryCard.own, more: hex("9F660436000000 9F02060000000000019F1A020840"))
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            script.c.pointee.tag = 0x9F1A
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            session.answer(EntryCard.ppse(entry, hex("9F1A020840")))
            session.answer(EntryCard.fci(EntryCard.own, pdol: hex("9F1A02")))
            #expect(script.value(0) == [0x02, 0x76])
            #expect(script.seen(0).transaction.pointee.amount == 1000)
        }

        @Test func dataObjectsComeInAnyOrder() {
            let parts = [
                dataObject(0x4F, EntryCard.own), dataObject(0x87, [2]), dataObject(0x9F2A, [0x21]),
                dataObject(0x50, [0x41]),
            ]
            let entries = EntryCard.entry(EntryCard.own + [9], priority: 1)
            for a in 0..<4 {
                for b in 0..<4 where b != a {
                    for c in 0..<4 where c != a && c != b {
                        let entry = dataObject(0x61, parts[a] + parts[b] + parts[c] + parts[6 - a - b - c])
                        let body = dataObject(
                            0x6F,
                            dataObject(0xA5, dataObject(0xBF0C, entry + entries) + dataObject(0x50, [0x41]))
                                + dataObject(0x84, [0x41]))
                        #expect(namesTried([EntryRow()], ppse: body + [0x90, 0x00]) == ["F00000000109", "F000000001"])
                    }
                }
            }
        }

        @Test func fillerBetweenObjectsIsSkipped() {
            let inner = [0x00] + EntryCard.entry(EntryCard.own) + [0x00, 0x00, 0xFF]
            let body = dataObject(0x6F, [0x00] + dataObject(0xA5, dataObject(0xBF0C, inner)))
            #expect(namesTried([EntryRow()], ppse: [0x00] + body + [0x00, 0x90, 0x00]) == ["F000000001"])
        }

        // MARK: 3.3.2.5 A and B

        @Test func namesOfFiveToSixteenBytesAreNames() {
            let long = EntryCard.own + Array(repeating: 0x11, count: 12)
            for size in 0...17 {
                let name = Array(long.prefix(size))
                let next = EntryCard.entry(EntryCard.own, priority: 9)
                let expected = (5...16).contains(size) ? [hexText(name), "F000000001"] : ["F000000001"]
                #expect(
                    namesTried([EntryRow()], ppse: EntryCard.ppse(EntryCard.entry(name, priority: 1), next)) == expected
                )
            }
        }

        @Test func entryWithoutANameIsSkipped() {
            #expect(
                namesTried(
                    [EntryRow()],
                    ppse: EntryCard.ppse(EntryCard.entry(nil, priority: 1), EntryCard.entry(EntryCard.own))) == [
                        "F000000001"
                    ])
        }

        @Test func nameMatchesWhereItBeginsWithTheAID() {
            let rows = [EntryRow(aid: EntryCard.own + [1])]
            #expect(
                namesTried(
                    rows,
                    ppse: EntryCard.ppse(
                        EntryCard.entry(EntryCard.own + [1, 2]), EntryCard.entry(EntryCard.own),
                        EntryCard.entry(EntryCard.own + [2]))) == ["F0000000010102"])
        }

        // MARK: 3.3.2.5 C and D

        @Test func absentEmptyOrZeroIdentifierMeansTheDefaultOfTheProduct() {
            let products: [(String, UInt8)] = [
                ("A000000025", 4), ("A000000152", 6), ("A000000324", 6), ("A000000065", 5), ("A000000004", 2),
                ("A000000333", 7), ("A000000003", 3),
            ]
            for (aid, kernel) in products {
                for identifier in [nil, [], [0x00]] as [[UInt8]?] {
                    for own in 1...8 as ClosedRange<UInt8> {
                        #expect(serves([own], aid: hex(aid) + [0x10], identifier) == (own == kernel))
                    }
                }
            }
            for own in [[0x01], [0x21], [0x81, 2, 3]] as [[UInt8]] {
                for identifier in [nil, [], [0x00]] as [[UInt8]?] { #expect(serves(own, identifier)) }
            }
        }

        @Test func internationalIdentifierIsItsFirstByte() {
            for type in [0x00, 0x40] as [UInt8] {
                for identifier in [[type | 5], [type | 5, 0], [type | 5, 1, 2], [type | 5, 1, 2, 3, 4, 5, 6, 7]]
                    as [[UInt8]]
                {
                    #expect(serves([type | 5], identifier))
                    #expect(!serves([type ^ 0x40 | 5], identifier))
                    #expect(!serves([6], identifier))
                    #expect(!serves([5, 1, 2].map { $0 | 0x80 }, identifier))
                }
            }
        }

        @Test func zeroFirstByteWithMoreAsksForNoKernel() {
            #expect(
                serves([3], aid: EntryCard.visa, [0x00, 0x00]) && serves([0x21], aid: EntryCard.visa, [0x00, 1, 2]))
        }

        @Test func domesticIdentifierIsItsFirstThreeBytes() {
            for type in [0x80, 0xC0] as [UInt8] {
                let own: [UInt8] = [type | 1, 0x09, 0x78]
                #expect(!serves(own, [type | 1]) && !serves(own, [type | 1, 0x09]))
                #expect(serves(own, own) && serves(own, own + [0xFF]) && serves(own, own + [1, 2, 3, 4, 5]))
                #expect(
                    !serves(own, [type | 1, 0x09, 0x79]) && !serves(own, [type | 2, 0x09, 0x78])
                        && !serves(own, [type ^ 0x40 | 1, 0x09, 0x78]))
                #expect(!serves([type | 1], [type | 1]) && !serves([1], own))
            }
        }

        @Test func identifierOfMoreThanEightBytesIsNone() {
            #expect(
                !serves([5], [5, 0, 0, 0, 0, 0, 0, 0, 0]) && !serves([0x81, 2, 3], [0x81, 2, 3, 0, 0, 0, 0, 0, 0]))
        }

        @Test func shortIdentifierZeroOfADomesticKernelIsTheWholeValue() {
            for type in [0x80, 0xC0] as [UInt8] {
                let own: [UInt8] = [type, 0x09, 0x78, 0x01]
                #expect(serves(own, own))
                #expect(
                    !serves(own, Array(own.prefix(3))) && !serves(own, own + [0]) && !serves(Array(own.prefix(3)), own))
                #expect(serves(Array(own.prefix(3)), Array(own.prefix(3))))
            }
        }

        @Test func longIdentifiersOfOneReaderAreToldApart() {
            let first: [UInt8] = [0x81, 0x09, 0x78, 0x01], second: [UInt8] = [0x81, 0x09, 0x78, 0x02]
            #expect(serves(first, first) && !serves(first, second))
        }

        // MARK: 3.3.2.5 E, 3.3.3.1, 3.3.3.2

        @Test func randomDirectoriesAgreeWithTheNaiveReading() {
            var random = SeededRandom(seed: 0xB2)
            var compared = 0
            for _ in 0..<3000 {
                let rows = randomRows(&random), entries = randomEntries(&random)
                guard rows.contains(where: { $0.limits.isEmpty }) else { continue }
                let body = entries.flatMap {
                    EntryCard.entry(
                        $0.adfName, priority: $0.priority, kernel: $0.kernelIdentifier, extended: $0.extendedSelection)
                }
                let ppse = dataObject(0x6F, dataObject(0xA5, dataObject(0xBF0C, body))) + [0x90, 0x00]
                guard ppse.count <= 258 else { continue }
                let combinations = rows.map {
                    NaiveReaderCombination(
                        aid: $0.aid, kernelID: $0.kernel, extendedSelectionSupport: $0.extendedSelection,
                        notAllowed: !$0.limits.isEmpty)
                }
                let expected = naiveCandidates(entries: entries, combinations: combinations).filter {
                    $0.selectName.count <= 16
                }
                guard expected.count <= 16 else { continue }
                if !expected.isEmpty { compared += 1 }
                #expect(namesTried(rows, ppse: ppse) == expected.map { hexText($0.selectName) })
            }
            #expect(compared > 300)
        }

        @Test func priorityIsTheLowNibbleAndNoneRanksLowest() {
            let order = namesTried(
                [EntryRow()],
                ppse: EntryCard.ppse(
                    EntryCard.entry(EntryCard.own + [0x00]), EntryCard.entry(EntryCard.own + [0x01], priority: 0xF0),
                    EntryCard.entry(EntryCard.own + [0x0F], priority: 0x0F),
                    EntryCard.entry(EntryCard.own + [0x0E], priority: 0xEE),
                    EntryCard.entry(EntryCard.own + [0x02], priority: 2),
                    EntryCard.entry(EntryCard.own + [0x03], priority: 0x12)))
            #expect(order.map { $0.suffix(2) } == ["02", "03", "0E", "00", "01", "0F"])
        }

        @Test func identicalEntriesAreTwoCandidates() {
            #expect(
                namesTried(
                    [EntryRow()], ppse: EntryCard.ppse(EntryCard.entry(EntryCard.own), EntryCard.entry(EntryCard.own))
                ).count == 2)
        }

        @Test func oneNameOnTwoKernelsFollowsTheConfiguration() {
            let script = EntryScript(
                entryOutcome(CEMV_OUTCOME_SELECT_NEXT), entryOutcome(CEMV_OUTCOME_APPROVED), commands: 0)
            let session = EntrySession(EntryConfiguration([EntryRow(kernel: [0x22]), EntryRow(kernel: [0x21])]))
            session.activate()
            session.answer(EntryCard.fci(EntryCard.own))
            #expect([script.seen(0), script.seen(1)].map { $0.combination.pointee.kernel_id.0 } == [0x22, 0x21])
        }

        @Test func moreCandidatesThanTheLimitAreDroppedAndReported() {
            // One byte of AID space each: nine names of two rows make eighteen candidates.
            let entries = (1...9 as ClosedRange<UInt8>).flatMap { EntryCard.entry(EntryCard.own + [$0]) }
            let ppse = dataObject(0x6F, dataObject(0xA5, dataObject(0xBF0C, entries))) + [0x90, 0x00]
            let rows = [EntryRow(), EntryRow(kernel: [0x22])]
            let session = EntrySession(EntryConfiguration(rows))
            session.card()
            session.answer(ppse)
            while session.step == CEMV_STEP_SEND { session.answer("6A82") }
            #expect(session.commands.count == 1 + Int(CEMV_MAX_CANDIDATES))
            #expect(session.found(CEMV_FINDING_CANDIDATES_DROPPED) && session.reason == CEMV_REASON_SELECTION_EXHAUSTED)
            #expect(session.commands.last == "00A4040006F0000000010800")
        }

        // MARK: 3.3.3.3 to 3.3.3.6

        @Test func extendedSelectionIsAppendedWhereSupported() {
            let ppse = EntryCard.ppse(EntryCard.entry(EntryCard.own, extended: [0xAA, 0xBB]))
            #expect(namesTried([EntryRow(extendedSelection: true)], ppse: ppse) == ["F000000001AABB"])
            #expect(namesTried([EntryRow(extendedSelection: false)], ppse: ppse) == ["F000000001"])
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            let session = EntrySession(EntryConfiguration([EntryRow(extendedSelection: true)]))
            session.card()
            session.answer(ppse)
            session.answer(EntryCard.fci(EntryCard.own))
            session.answer("9000")
            #expect(entryBytes(cemv_session_df_name(session.session)) == EntryCard.own + [0xAA, 0xBB])
            #expect(script.activations == 1)
        }

        @Test func extendedSelectionBeyondSixteenBytesSkipsTheEntryOnlyWhereSupported() {
            for (size, supported, tried) in [(11, true, 2), (12, true, 1), (12, false, 2), (40, true, 1)] {
                let ppse = EntryCard.ppse(
                    EntryCard.entry(EntryCard.own, extended: Array(repeating: 1, count: size)),
                    EntryCard.entry(EntryCard.own))
                #expect(namesTried([EntryRow(extendedSelection: supported)], ppse: ppse).count == tried)
            }
        }

        @Test(arguments: ["6A82", "6283", "6A81", "6985", "9001", "6F00"])
        func refusedSelectMovesToTheNextCandidate(status: String) {
            _ = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own + [1]), EntryCard.entry(EntryCard.own + [2])))
            #expect(
                session.answer(EntryCard.fci(EntryCard.own).dropLast(2) + hex(status)) == [
                    EntryCard.select(EntryCard.own + [2])
                ])
            #expect(session.answer(status) == nothingInCommon)
            #expect(session.reason == CEMV_REASON_SELECTION_EXHAUSTED)
        }

        @Test(arguments: ["", "9F0206", "9F6604", "9F02069F66045F2A02", "9F66", "9F02065F2A029F3704", "9F6604 9F"])
        func visaForKernel3MustAskForTheTTQ(pdol: String) {
            let list = hex(pdol)
            let asks = pdol.contains("9F6604")
            for (row, falls) in [
                (visaRow, !asks), (EntryRow(aid: EntryCard.visa, kernel: [0x21]), false),
                (EntryRow(aid: hex("F000000003"), kernel: [3]), false),
            ] {
                for fci in [
                    EntryCard.fci(row.aid, pdol: list), EntryCard.fci(row.aid, pdol: pdol.isEmpty ? nil : list),
                ] {
                    let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
                    let session = EntrySession(EntryConfiguration([row]))
                    session.card()
                    session.answer(EntryCard.ppse(EntryCard.entry(row.aid, kernel: row.kernel)))
                    session.answer(fci)
                    #expect((session.step == CEMV_STEP_DONE) == falls)
                    #expect(script.activations == (falls ? 0 : 1))
                    if falls { #expect(session.new == nothingInCommon) }
                }
            }
        }

        @Test func malformedFCIOfVisaFallsAway() {
            let session = EntrySession(EntryConfiguration([visaRow]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.visa)))
            #expect(session.answer(hex("6F0AA5089F38039F660400") + [0x90, 0x00]) == nothingInCommon)
        }

        // MARK: 3.3.2.3a, 3.3.2.3b, annex C

        @Test func categoryOfTheTerminalOnTheListIsSent() {
            let session = EntrySession(EntryConfiguration([EntryRow()], poi: category))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3E, hex("00020001"))))
                    == ["send 801A00000783050001020001" + "00"])
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own + [7]))) == [
                    EntryCard.select(EntryCard.own + [7])
                ])
        }

        @Test(arguments: ["", "0002", "00", "0100", "00020003"])
        func categoryNotOnTheListSendsNothing(list: String) {
            let session = EntrySession(EntryConfiguration([EntryRow()], poi: category))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3E, hex(list)))) == [
                    EntryCard.select(EntryCard.own)
                ])
        }

        @Test func categoriesAreComparedAtTwoByteSteps() {
            let odd = EntrySession(EntryConfiguration([EntryRow()], poi: category))
            odd.card()
            #expect(
                odd.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3E, hex("0000 0100")))) == [
                    EntryCard.select(EntryCard.own)
                ])
        }

        @Test func terminalWithoutACategorySendsNothing() {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3E, hex("0001")))) == [
                    EntryCard.select(EntryCard.own)
                ])
        }

        @Test func selectionListIsAnsweredFromTerminalData() {
            let session = EntrySession(EntryConfiguration([EntryRow()], poi: category))
            session.card()
            #expect(
                session.answer(
                    EntryCard.ppse(
                        EntryCard.entry(EntryCard.own), dataObject(0x9F3F, hex("9F02069F1A025F2A028B05DF0102"))))
                    == ["send 801A00001383110000000010000276097800010200010000" + "00"])
        }

        @Test func selectionListAndCategoryGoTogether() {
            let session = EntrySession(EntryConfiguration([EntryRow()], poi: category + hex("123401AA")))
            session.card()
            #expect(
                session.answer(
                    EntryCard.ppse(
                        dataObject(0x9F3F, hex("5F2A02")), dataObject(0x9F3E, hex("0001")),
                        EntryCard.entry(EntryCard.own)))
                    == ["send 801A00000D830B09780001020001123401AA00"])
        }

        @Test func emptySelectionListSendsAnEmptyTemplate() {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(dataObject(0x9F3F, []), EntryCard.entry(EntryCard.own))) == [
                    "send 801A000002830000"
                ])
        }

        @Test func longSelectionListUsesTheLongLength() {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            let values = Array(repeating: 0, count: 126) + hex("0978")
            #expect(
                session.answer(EntryCard.ppse(dataObject(0x9F3F, hex("5F2A80")), EntryCard.entry(EntryCard.own)))
                    == ["send " + hexText(hex("801A0000838381 80") + values + [0])])
        }

        @Test(arguments: ["5F2AFD", "5F2AFF5F2A01", "5F2A", "5F"])
        func selectionListThatCannotBeAnsweredLeavesNoCandidate(list: String) {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            #expect(
                session.answer(EntryCard.ppse(dataObject(0x9F3F, hex(list)), EntryCard.entry(EntryCard.own)))
                    == nothingInCommon)
        }

        @Test func selectionListSeesNoDataOfACombination() {
            // Country 0840 belongs to one combination; the list is answered before any is selected, at every
            // presentment.
            _ = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN), commands: 0)
            let session = EntrySession(EntryConfiguration([EntryRow(data: hex("9F1A020840"))]))
            for _ in 0..<2 {
                session.card()
                #expect(
                    session.answer(EntryCard.ppse(dataObject(0x9F3F, hex("9F1A02")))) == [
                        "send 801A00000483020276" + "00"
                    ])
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
                session.answer(EntryCard.fci(EntryCard.own))
            }
        }

        @Test(arguments: ["6A82", "6D00", "6283"])
        func refusedPOIInformationLeavesNoCandidate(status: String) {
            let session = EntrySession(EntryConfiguration([EntryRow()]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3F, [])))
            #expect(
                session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)).dropLast(2) + hex(status))
                    == nothingInCommon)
        }

        @Test func answerToPOIInformationAsksForNoFurtherRound() {
            let session = EntrySession(EntryConfiguration([EntryRow()], poi: category))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), dataObject(0x9F3F, [])))
            #expect(
                session.answer(
                    EntryCard.ppse(
                        EntryCard.entry(EntryCard.own), dataObject(0x9F3E, hex("0001")), dataObject(0x9F3F, []))) == [
                        EntryCard.select(EntryCard.own)
                    ])
        }

        // MARK: 3.3.1.2, A.1: lists of identifier, length, value

        @Test func listsOfIdentifierLengthValueAreReadTotally() {
            var random = SeededRandom(seed: 0x1D)
            for _ in 0..<20_000 {
                let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &random) ? 4 : 255), using: &random)
                }
                var expected: [[UInt8]] = [], at = 0, fault = false
                while at < bytes.count {
                    guard at + 3 <= bytes.count, at + 3 + Int(bytes[at + 2]) <= bytes.count else { fault = true; break }
                    let end = at + 3 + Int(bytes[at + 2])
                    expected.append(Array(bytes[at..<at + 2]) + bytes[at + 3..<end])
                    at = end
                }
                var found: [[UInt8]] = [], bad = false
                bytes.withUnsafeBufferPointer { buffer in
                    var list = cemv_bytes(data: buffer.baseAddress, size: buffer.count), value = cemv_bytes(),
                        id: UInt16 = 0
                    while cemv_idlv_next(&list, &id, &value, &bad) {
                        found.append([UInt8(id >> 8), UInt8(id & 0xFF)] + entryBytes(value))
                    }
                }
                #expect(found == expected && bad == fault)
            }
        }
    }
}
