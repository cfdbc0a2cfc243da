// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import TestData
import Testing

/// The optional keys of traces: read, compared, written.
@Suite struct TraceKeyTests {
    private static func hex(_ text: String) -> Bytes { Hex.bytes(text)! }

    /// Items in the notation of a trace file.
    private static func items(_ text: String) throws -> [Trace.Item] {
        let file = """
            { "format": "emv-trace/1", "configuration": { "combinations": [] },
              "transaction": { "amount": 1250, "currency": "0978", "date": "2026-11-21", "data": { "9F7C": "01" } }, \
            "exchanges": [ \(text) ] }
            """
        return try Trace(json: Array(file.utf8)).items
    }

    // MARK: - Expected outcomes

    /// If a trace expects exactly the values found, it is met; any other value is a difference at its key. Checked over
    /// all outcomes of the independent traces.
    @Test func everyParameterOfTheOutcomeIsCompared() throws {
        var seen: [String: Set<String>] = [:]
        for name in IndependentTraces.all.names {
            var trace = try IndependentTraceTests.trace(name)
            let found = try TraceReplay(trace, secrets: testSecrets).run()
            // A trace that ends before the transaction has no outcome to compare.
            guard trace.expectation != Trace.Expectation() else { continue }
            let outcome = found.outcome
            let right = TraceKeyTests.parameters(of: outcome)
            trace.expectation = right
            #expect(try TraceReplay(trace, secrets: testSecrets).run().isMet, "\(name)")
            trace.expectation = TraceKeyTests.wrong(right)
            #expect(
                try TraceReplay(trace, secrets: testSecrets).run().differences.map(\.place).sorted()
                    == TraceKeyTests.places, "\(name)")
            seen["start", default: []].insert("\(outcome.start)")
            seen["alternateInterface", default: []].insert("\(outcome.alternateInterface)")
            seen["receipt", default: []].insert("\(outcome.receipt)")
            seen["fieldOffMs", default: []].insert("\(String(describing: outcome.fieldOff))")
            seen["holdMs", default: []].insert("\(String(describing: outcome.uiOnOutcome?.hold))")
            seen["restartMessage", default: []].insert("\(String(describing: outcome.uiOnRestart?.message))")
        }
        for (key, values) in seen { #expect(values.count >= 2, "\(key)") }
    }

    private static func parameters(of outcome: Outcome) -> Trace.Expectation {
        let shown = outcome.uiOnOutcome
        var expectation = Trace.Expectation()
        expectation.start = outcome.start
        expectation.alternateInterface = outcome.alternateInterface
        expectation.receipt = outcome.receipt
        expectation.removalTimeout = outcome.removalTimeout.map { Int($0 / .milliseconds(100)) } ?? 0
        expectation.fieldOff = .some(outcome.fieldOff)
        expectation.hold = .some(shown?.hold)
        expectation.restartMessage = .some(outcome.uiOnRestart?.message)
        expectation.valueQualifier =
            shown?.value == nil ? Trace.ValueQualifier.none : shown?.value?.qualifier == .amount ? .amount : .balance
        expectation.value = .some(shown?.value?.amount)
        return expectation
    }

    private static let places = [
        "alternateInterface", "fieldOffMs", "holdMs", "receipt", "removalTimeout", "restartMessage", "start", "value",
        "valueQualifier",
    ].map { "expect.\($0)" }

    /// An expectation that differs in every value.
    private static func wrong(_ right: Trace.Expectation) -> Trace.Expectation {
        var wrong = Trace.Expectation()
        wrong.start = right.start == .a ? .b : .a
        wrong.alternateInterface = right.alternateInterface == .magstripe ? .contactChip : .magstripe
        wrong.receipt = right.receipt != true
        wrong.removalTimeout = right.removalTimeout! + 1
        wrong.fieldOff = right.fieldOff! == nil ? .some(.zero) : .some(nil)
        wrong.hold = .some((right.hold! ?? .zero) + .milliseconds(100))
        wrong.restartMessage = right.restartMessage! == nil ? .some(.presentAgain) : .some(nil)
        wrong.valueQualifier = right.valueQualifier == .balance ? .amount : .balance
        wrong.value = .some((right.value! ?? 0) + 1)
        return wrong
    }

    private static let expectation = """
        { "format": "emv-trace/1", "configuration": { "combinations": [] },
          "transaction": { "amount": 1, "currency": "0978", "date": "2026-11-21" }, "exchanges": [], "expect": { KEY } }
        """

    @Test(arguments: [
        "\"start\": \"B\"", "\"start\": \"none\"", "\"alternateInterface\": \"contact\"",
        "\"alternateInterface\": \"none\"", "\"receipt\": true",
        "\"removalTimeout\": 13", "\"fieldOffMs\": null", "\"fieldOffMs\": 0", "\"fieldOffMs\": 1300", "\"holdMs\": 0",
        "\"holdMs\": 1300", "\"holdMs\": null", "\"value\": null",
        "\"valueQualifier\": \"none\"", "\"valueQualifier\": \"balance\"", "\"value\": 99999",
        "\"restartMessage\": null", "\"restartMessage\": \"21\"",
        "\"data\": { \"9F6E\": null }", "\"data\": { \"9F6E\": \"\" }", "\"discretionary\": { \"FF8101\": null }",
    ])
    func anExpectationReadsBackAsItWasWritten(_ key: String) throws {
        let trace = try Trace(json: Array(TraceKeyTests.expectation.replacingOccurrences(of: "KEY", with: key).utf8))
        #expect(trace.expectation != Trace.Expectation())
        #expect(trace.json.filter { !$0.isWhitespace }.contains(key.filter { !$0.isWhitespace }))
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }

    @Test(arguments: [
        ("\"start\": \"b\"", "start"), ("\"alternateInterface\": \"contactChip\"", "alternateInterface"),
        ("\"receipt\": 1", "receipt"),
        ("\"removalTimeout\": -1", "removalTimeout"), ("\"fieldOffMs\": \"13\"", "fieldOffMs"),
        ("\"holdMs\": -1", "holdMs"),
        ("\"valueQualifier\": \"BALANCE\"", "valueQualifier"), ("\"value\": 1.5", "value"),
        ("\"restartMessage\": \"2\"", "restartMessage"),
    ])
    func aWrongValueOfAnExpectationIsNamed(_ key: String, _ name: String) {
        let text = TraceKeyTests.expectation.replacingOccurrences(of: "KEY", with: key)
        let error = #expect(throws: FormatError.self) { try Trace(json: Array(text.utf8)) }
        #expect(error?.path == "expect.\(name)")
        #expect(error?.message.contains("expected") == true)
    }

    // MARK: - Items

    @Test(arguments: [
        ("{ \"online\": null }", Trace.Item.online(nil)), ("{ \"online\": {} }", .online([:])),
        ("{ \"online\": { \"8A\": \"3030\" } }", .online([0x8A: [0x30, 0x30]])),
        ("{ \"pin\": \"captured\" }", .pin(captured: true)), ("{ \"pin\": \"notCaptured\" }", .pin(captured: false)),
        ("{ \"stop\": true }", .stop), ("{ \"deadline\": true }", .deadline), ("{ \"removed\": true }", .removed),
        ("{ \"collision\": true }", .collision),
        ("{ \"dek\": { \"5A\": \"\", \"DF8106\": \"9F02\" } }", .dataExchange([0x5A: [], 0xDF8106: [0x9F, 0x02]])),
        ("{ \"det\": { \"9F02\": \"\" } }", .terminalData([0x9F02: []])),
    ])
    func anItemReadsBackAsItWasWritten(_ text: String, _ item: Trace.Item) throws {
        #expect(try TraceKeyTests.items(text) == [item])
        let trace = Trace(
            configuration: Configuration(),
            transaction: Transaction(amount: 1, currency: 978, date: CalendarDate("2026-11-21")!), items: [item])
        #expect(try Trace(json: Array(trace.json.utf8)).items == [item])
    }

    /// The issuer may send several script templates (EMV Book 3, 10.10): all of them reach the kernel in order.
    @Test func aTemplateMayComeSeveralTimes() throws {
        let items = try TraceKeyTests.items(
            "{ \"online\": { \"8A\": \"3030\", \"71\": [\"8600\", \"860101\"], \"72\": \"8600\" } }")
        guard case .online(let answer?)? = items.first else { Issue.record("no answer"); return }
        #expect(answer.encoded == TraceKeyTests.hex("8A02303071028600710386010172028600"))
        let trace = Trace(
            configuration: Configuration(),
            transaction: Transaction(amount: 1, currency: 978, date: CalendarDate("2026-11-21")!), items: items)
        #expect(try Trace(json: Array(trace.json.utf8)).items == items)
        #expect(try DataObjects(tlv: answer.encoded) == answer)
        var one = answer
        one[0x71] = [1]
        #expect(one.all(0x71) == [[1]] && one.all(0x72) == [[0x86, 0x00]])
        one[0x71] = nil
        #expect(one.all(0x71).isEmpty)
    }

    @Test(arguments: [
        ("{ \"online\": { \"8A\": [\"3030\"] } }", "exchanges[0].online.8A"),
        ("{ \"online\": { \"71\": [] } }", "exchanges[0].online.71"),
        ("{ \"online\": true }", "exchanges[0].online"), ("{ \"pin\": true }", "exchanges[0].pin"),
        ("{ \"stop\": false }", "exchanges[0].stop"),
        ("{ \"deadline\": null }", "exchanges[0].deadline"), ("{ \"removed\": 1 }", "exchanges[0].removed"),
        ("{ \"stop\": true, \"removed\": true }", "exchanges[0].stop"),
        ("{ \"dek\": { \"9\": \"\" } }", "exchanges[0].dek.(key of 1 byte)"),
        ("{ \"sale\": { \"date\": \"2026-11-22\", \"time\": \"12:00:00\", \"counter\": 2 } }", "exchanges[0].sale"),
        ("{ \"sale\": { \"date\": \"2026-11-22\", \"time\": \"12:00:00\", \"random\": \"00\" } }", "exchanges[0].sale"),
        ("{ \"sale\": { \"date\": \"2026-11-22\", \"counter\": 2, \"random\": \"00\" } }", "exchanges[0].sale"),
        ("{ \"sale\": { \"time\": \"12:00:00\", \"counter\": 2, \"random\": \"00\" } }", "exchanges[0].sale"),
    ])
    func aWrongItemIsNamed(_ text: String, _ path: String) {
        let error = #expect(throws: FormatError.self) { try TraceKeyTests.items(text) }
        #expect(error?.path == path)
        #expect(error?.message.contains("expected") == true)
    }

    @Test func aSaleTakesFromTheFirstWhatItLeavesOut() throws {
        let text =
            "{ \"sale\": { \"date\": \"2026-11-22\", \"time\": \"12:00:01\", \"counter\": 2, "
            + "\"random\": \"ABABABAB\", \"utcOffset\": -60 } }"
        let items = try TraceKeyTests.items(text)
        let sale = with(
            Transaction(
                amount: 1250, currency: 978, date: CalendarDate("2026-11-22")!, time: TimeOfDay("12:00:01")!,
                counter: 2, random: .fixed([0xAB, 0xAB, 0xAB, 0xAB]))
        ) {
            $0.data = [0x9F7C: [1]]
            $0.utcOffset = -60
        }
        #expect(items == [.sale(sale)])
        var other = sale
        other.data = [:]
        other.utcOffset = 0
        let first = with(Transaction(amount: 1, currency: 392, exponent: 0, date: CalendarDate("2026-11-21")!)) {
            $0.data = [0x9F7C: [2]]
            $0.utcOffset = 60
        }
        let trace = Trace(configuration: Configuration(), transaction: first, items: [.sale(sale), .sale(other)])
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
    }

    /// The state of the line of a transaction (C-4, 4.3.1.3): read, kept for a further sale, written if the line is
    /// down.
    @Test func theLineIsReadAndWritten() throws {
        let sale =
            "{ \"sale\": { \"date\": \"2026-11-22\", \"time\": \"12:00:01\", \"counter\": 2, "
            + "\"random\": \"ABABABAB\" LINE } }"
        func line(_ text: String) throws -> Bool? {
            let items = try TraceKeyTests.items(sale.replacingOccurrences(of: "LINE", with: text))
            guard case .sale(let transaction)? = items.first else { return nil }
            return transaction.onlineAvailable
        }
        #expect(try line("") == true && line(", \"onlineAvailable\": false") == false)
        let error = #expect(throws: FormatError.self) { try line(", \"onlineAvailable\": 1") }
        #expect(error?.path == "exchanges[0].sale.onlineAvailable")
        let down = with(Transaction(amount: 1, currency: 978, date: CalendarDate("2026-11-21")!)) {
            $0.onlineAvailable = false
        }
        var up = down
        up.random = .fixed([1, 2, 3, 4])
        up.onlineAvailable = true
        let trace = Trace(configuration: Configuration(), transaction: down, items: [.sale(up)])
        #expect(try Trace(json: Array(trace.json.utf8)) == trace)
        let plain = Trace(configuration: Configuration(), transaction: up)
        #expect(!plain.json.contains("onlineAvailable"))
    }

    // MARK: - Replay

    /// The torn transaction of the first sale is recovered in the second one at this reader; the counts are the second
    /// sale's.
    @Test func aSaleBeginsWithTheReadersMemoryAndNewCounts() throws {
        var trace = try IndependentTraceTests.trace("k2-torn-recovered")
        let place = try #require(trace.items.firstIndex(of: .tap(2)))
        var sale = trace.transaction
        sale.counter += 1
        sale.random = .fixed([1, 2, 3, 4, 5, 6, 7, 8])
        trace.items[place] = .sale(sale)
        trace.expectation.apdus = trace.items.count - place - 1
        trace.expectation.messages = [.presentCard, .clearDisplay, .approved]
        #expect(try TraceReplay(trace).run().differences == [])
        trace.items.remove(at: place)
        #expect(try TraceReplay(trace).run().differences.map(\.place) == ["exchanges[\(place)]"])
    }

    @Test func aSaleEndsAParkedOutcome() throws {
        let parked = try IndependentTraceTests.trace("k3-clause-issuer-update-next-candidate")
        let online = try #require(parked.items.firstIndex { if case .online = $0 { true } else { false } })
        var trace = parked
        trace.expectation = Trace.Expectation(outcome: .onlineRequest, apdus: online)
        trace.items = parked.items[..<online] + [.sale(parked.transaction)] + parked.items[..<online]
        #expect(try TraceReplay(trace).run().differences == [])
    }

    /// Kernel 2, a Mastercard that goes online: the objects that the terminal requested are in the first record and in
    /// the response to GET PROCESSING OPTIONS.
    private static func exchanging(_ data: DataObjects) throws -> Trace {
        var trace = try IndependentTraceTests.trace("k2-clause-det-terminal-type")
        trace.items.removeAll { if case .terminalData = $0 { true } else { false } }
        trace.transaction.data = data
        return trace
    }

    @Test func whatIsSentToTheTerminalIsCompared() throws {
        var trace = try TraceKeyTests.exchanging([0xDF8112: [0x82, 0x5F, 0x34]])
        let record = try #require(
            trace.items.firstIndex { if case .exchange(let c, _, _) = $0 { c[1] == 0xB2 } else { false } })
        let sent = Trace.Item.dataExchange([0x82: [0x19, 0x80], 0x5F34: [0x01]])
        trace.items.insert(sent, at: record + 2)
        #expect(try TraceReplay(trace).run().differences == [])
        for (wrong, tag) in [
            ([0x82: [0x19, 0x81], 0x5F34: [0x01]], "82"), ([0x82: [0x19, 0x80]], "5F34"),
            ([0x82: [0x19, 0x80], 0x5F34: [0x01], 0x5A: []], "5A"),
        ] as [(DataObjects, String)] {
            trace.items[record + 2] = .dataExchange(wrong)
            #expect(try TraceReplay(trace).run().differences.map(\.place) == ["exchanges[\(record + 2)].dek.\(tag)"])
        }
        trace.items.remove(at: record + 2)
        trace.items.insert(sent, at: record)
        #expect(try TraceReplay(trace).run().differences.map(\.place) == ["exchanges[\(record)]"])
    }

    /// With Proceed To First Write Flag 00 the kernel waits for the terminal (Data Exchange of Kernel 2): for an
    /// answer, a deadline or a stop.
    @Test func theTerminalAnswersOrItsTimePassesOrItStops() throws {
        let base = try TraceKeyTests.exchanging([0xDF8110: [0x00]])
        let wait = try #require(
            base.items.firstIndex { if case .exchange(let c, _, _) = $0 { c[1] == 0xAE } else { false } })
        func replay(_ item: Trace.Item, goesOn: Bool = false, _ expectation: Trace.Expectation) throws -> ReplayReport {
            var trace = base
            trace.items = base.items[..<wait] + [item] + (goesOn ? base.items[wait...] : [])
            trace.expectation = expectation
            return try TraceReplay(trace).run()
        }
        #expect(try replay(.terminalData([0xDF8110: [0x01]]), goesOn: true, base.expectation).differences == [])
        let time = Trace.Expectation(outcome: .endApplication, apdus: wait, errorIndication: [0, 0, 1, 0, 0, 0xFF])
        #expect(try replay(.deadline, time).differences == [])
        let stopped = Trace.Expectation(outcome: .endApplication, apdus: wait, errorIndication: [0, 0, 2, 0, 0, 0xFF])
        #expect(try replay(.stop, stopped).differences == [])
        #expect(try replay(.removed, Trace.Expectation()).differences.map(\.place) == ["exchanges[\(wait)]"])
        #expect(try replay(.online(nil), Trace.Expectation()).differences.map(\.place) == ["exchanges[\(wait)]"])
    }

    /// Data that arrive while the card works do not repeat a message.
    @Test func dataWhileTheCardWorksRepeatNoMessage() throws {
        var trace = try TraceKeyTests.exchanging([:])
        trace.expectation = Trace.Expectation(messages: try TraceReplay(trace).run().messages)
        for place in 1..<trace.items.count {
            var late = trace
            late.items.insert(.terminalData([0x9F7C: [0x01]]), at: place)
            guard try TraceReplay(late).run().outcome.status == .onlineRequest else { continue }
            #expect(try TraceReplay(late).run().differences == [])
        }
    }

    @Test func aStopDoesNotCountTheCommandThatIsUnderWay() throws {
        var trace = try IndependentTraceTests.trace("k3-fault-at-record-then-success")
        trace.items = [trace.items[0], .stop]
        trace.expectation = Trace.Expectation(outcome: .endApplication, apdus: 1)
        #expect(try TraceReplay(trace).run().differences == [])
    }

    /// A presentment after Try Again may state that the card left first; the messages do not change.
    @Test func theCardMayBeSeenToLeave() throws {
        var trace = try IndependentTraceTests.trace("k3-gpo-6986-twice")
        let place = try #require(trace.items.firstIndex(of: .tap(2)))
        trace.items.insert(.removed, at: place)
        #expect(try TraceReplay(trace).run().differences == [])
        trace.items.insert(.removed, at: 0)
        #expect(try TraceReplay(trace).run().differences.map(\.place) == ["exchanges[0]"])
    }

    @Test(arguments: [Trace.Item.online(nil), .online([:]), .pin(captured: true), .pin(captured: false)])
    func anAnswerThatRestartsNothingEndsTheTransaction(_ item: Trace.Item) throws {
        let parked = try IndependentTraceTests.trace("k3-clause-issuer-update-next-candidate")
        let online = try #require(parked.items.firstIndex { if case .online = $0 { true } else { false } })
        var trace = parked
        trace.items = parked.items[..<online] + [item]
        trace.expectation = Trace.Expectation(outcome: .onlineRequest)
        #expect(try TraceReplay(trace).run().differences == [])
        trace.items.append(item)
        #expect(try TraceReplay(trace).run().differences.map(\.place) == ["exchanges[\(online + 1)]"])
    }

    // MARK: - Configuration

    @Test func versionAndFirstDayReadBack() throws {
        let text = """
            { "format": "emv-configuration/1", "version": "shop 7", "validFrom": "2026-12-01", "combinations": [] }
            """
        let configuration = try Configuration(json: Array(text.utf8))
        #expect(configuration.version == "shop 7" && configuration.validFrom == CalendarDate("2026-12-01"))
        #expect(try Configuration(json: Array(configuration.json.utf8)) == configuration)
        for (old, path) in [("\"shop 7\"", "version"), ("\"2026-12-01\"", "validFrom")] {
            let error = #expect(throws: FormatError.self) {
                try Configuration(json: Array(text.replacingOccurrences(of: old, with: "7").utf8))
            }
            #expect(error?.path == path)
        }
    }
}
