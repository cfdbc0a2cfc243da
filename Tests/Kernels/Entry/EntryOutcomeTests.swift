// SPDX-License-Identifier: Apache-2.0
// Kernel activation and outcome processing, Book B v2.10, 3.4 and 3.5; Book A v2.10, 6.2 and 8.1.1.
import CEMV
import CEMVInternals
import TestData
import Testing

private func reader(
    _ rows: [EntryRow] = [EntryRow()], taps: UInt8 = 8, profile: cemv_profile = CEMV_PROFILE_GUARDED
) -> EntryConfiguration {
    var protection = cemv_protection()
    protection.max_taps = taps
    protection.profile = UInt8(profile.rawValue)
    return EntryConfiguration(rows, protection: protection)
}

private let statuses = [
    CEMV_OUTCOME_APPROVED, CEMV_OUTCOME_DECLINED, CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_REQUEST_ONLINE_PIN,
    CEMV_OUTCOME_END_APPLICATION,
    CEMV_OUTCOME_SELECT_NEXT, CEMV_OUTCOME_TRY_ANOTHER_INTERFACE, CEMV_OUTCOME_TRY_AGAIN,
]
private let starts = [CEMV_START_B, CEMV_START_D, CEMV_START_NA]
private let answers = [CEMV_ONLINE_RESPONSE_EMV_DATA, CEMV_ONLINE_RESPONSE_ANY, CEMV_ONLINE_RESPONSE_NA]

private let issuerData = hex("8A023030 910A01020304050607083030")
private let scriptOnly = hex("7209860784160000 02AABB")
private let codeOnly = hex("8A023030")
private let online = entryOutcome(
    CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_B, answer: CEMV_ONLINE_RESPONSE_EMV_DATA)
private let onlineAny = entryOutcome(CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_B, answer: CEMV_ONLINE_RESPONSE_ANY)
private let holdAny = entryOutcome(CEMV_OUTCOME_ONLINE_REQUEST, start: CEMV_START_D, answer: CEMV_ONLINE_RESPONSE_ANY)
private let approved = entryOutcome(CEMV_OUTCOME_APPROVED)
private let read = "send 00B2010C00"

private func showing(
    _ outcome: cemv_outcome, _ message: cemv_message, _ status: cemv_ui_status, hold: UInt32 = 0,
    restart: (cemv_message, cemv_ui_status)? = nil
) -> cemv_outcome {
    var outcome = outcome
    cemv_outcome_show(&outcome, UInt8(message.rawValue), UInt8(status.rawValue))
    outcome.ui_on_outcome.hold_ms = hold
    if let restart {
        outcome.ui_on_restart_present = true
        outcome.ui_on_restart = cemv_ui_of(UInt8(restart.0.rawValue), UInt8(restart.1.rawValue))
    }
    return outcome
}

extension EntryPoint {
    @Suite struct OutcomeTests {
        // MARK: 3.4

        @Test func kernelGetsWhatTheSelectionFound() {
            let script = EntryScript(approved)
            let row = EntryRow(limits: [(CEMV_LIMIT_CVM_REQUIRED, 1000)], ttq: [0x36, 0x80, 0x40, 0x80])
            let session = EntrySession(reader([EntryRow(aid: EntryCard.visa, kernel: [0x22]), row]))
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own + [0x77])))
            let fci = EntryCard.fci(EntryCard.own + [0x77])
            #expect(session.answer(fci) == [read])
            let given = script.seen(0)
            #expect(script.fci(0) == fci.dropLast(2) && given.status_word == 0x9000)
            #expect(entryBytes(given.aid) == EntryCard.own && Int(given.df_name.size) == 6)
            #expect(given.indicators.ttq == (0x36, 0x40, 0x40, 0x80) && given.indicators.cvm_required_limit_exceeded)
            #expect(given.combination == session.configuration.c.combinations + 1)
            #expect(
                !given.restarted && !given.online_response_present && !given.unable_to_go_online
                    && !given.removal_timed_out)
            #expect(session.answer("9000") == ["done"])
            #expect(entryBytes(cemv_session_df_name(session.session)) == EntryCard.own + [0x77])
            #expect(
                session.outcome.kernel_id_size == 1 && session.outcome.kernel_id.0 == 0x21
                    && session.reason == CEMV_REASON_KERNEL)
            #expect(
                entryBytes(cemv_session_data_record(session.session)) == [0x9C, 0x01, 0x00]
                    && session.outcome.data_record_present)
            #expect(
                entryBytes(cemv_session_discretionary(session.session)).count == 10
                    && session.outcome.discretionary_present)
        }

        @Test(
            arguments: [
                (0x9F1A, "0276"), (0x9F15, "1111"), (0x9F4E, "54"), (0x9F02, "000000001000"), (0x9F03, "000000000000"),
                (0x9A, "261121"), (0x9C, "00"),
                (0x9F21, "123456"), (0x9F41, "00000007"), (0x5F2A, "0978"), (0x5F36, "02"), (0x9F37, "01020304"),
                (0x9F66, "36004080"), (0x8B, "0001020001"),
                (0x9F33, ""), (0x57, ""),
            ] as [(UInt32, String)])
        func kernelFindsTerminalData(tag: UInt32, value: String) {
            let script = EntryScript(approved)
            script.c.pointee.tag = tag
            let terminal = hex("9F1A020276 9F15021111 9F4E0154")
            EntrySession(
                EntryConfiguration(
                    [EntryRow(ttq: [0x36, 0, 0x40, 0x80])], terminal: terminal, poi: hex("0001020001"))
            ).activate()
            #expect(script.value(0) == hex(value))
        }

        @Test func transactionWinsOverCombinationWinsOverTerminal() {
            let terminal = hex("9F15021111"), row = hex("9F15022222"), own = hex("9F15023333")
            for (data, sale, expected) in [([], [], 0x11), (row, [], 0x22), ([], own, 0x33), (row, own, 0x33)]
                as [([UInt8], [UInt8], UInt8)]
            {
                let script = EntryScript(approved)
                script.c.pointee.tag = 0x9F15
                let configuration = EntryConfiguration([EntryRow(data: data)], terminal: terminal)
                var transaction = entrySale()
                transaction.data = configuration.bytes(sale)
                EntrySession(configuration, transaction).activate()
                #expect(script.value(0) == [expected, expected])
            }
        }

        @Test func dataOfACombinationStayWithIt() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_SELECT_NEXT), approved)
            script.c.pointee.tag = 0x9F15
            let session = EntrySession(
                EntryConfiguration(
                    [EntryRow(data: hex("9F15022222")), EntryRow(aid: EntryCard.visa, kernel: [0x22])],
                    terminal: hex("9F15021111")))
            session.card()
            session.answer(
                EntryCard.ppse(
                    EntryCard.entry(EntryCard.own, priority: 1),
                    EntryCard.entry(EntryCard.visa, priority: 2, kernel: [0x22])))
            session.answer(EntryCard.fci(EntryCard.own))
            session.answer("9000")
            session.answer(EntryCard.fci(EntryCard.visa))
            #expect(script.value(0) == [0x22, 0x22] && script.value(1) == [0x11, 0x11])
        }

        @Test func kernelMayPublishBeforeItSends() {
            let script = EntryScript(approved, commands: 1)
            script.c.pointee.first = UInt8(CEMV_STEP_WORK.rawValue)
            let session = EntrySession(reader())
            #expect(session.activate() == ["work"])
            for kind in 0...255 as ClosedRange<UInt8> { #expect(session.takes(kind) == [11, 12, 15].contains(kind)) }
            #expect(session.reply(CEMV_REPLY_CONTINUE) == ["done"])
        }

        @Test func kernelMayAskTheTerminal() {
            for reply in [CEMV_REPLY_DATA, CEMV_REPLY_DEADLINE] {
                let script = EntryScript(approved, commands: 1)
                script.c.pointee.first = UInt8(CEMV_STEP_ASK.rawValue)
                let session = EntrySession(reader())
                #expect(session.activate() == ["ask 2"])
                let question = cemv_session_question(session.session)
                #expect(entryBytes(question.bytes) == [0x9F, 0x37] && question.deadline_ms == 500)
                #expect(session.reply(reply, [1]) == ["done"])
            }
        }

        @Test func linkFaultsGoToTheKernelThatIsActive() {
            for kind in [CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL, CEMV_REPLY_REMOVED] {
                _ = EntryScript(approved)
                let session = EntrySession(reader())
                session.activate()
                #expect(session.reply(kind) == ["done"])
                #expect(session.status == CEMV_OUTCOME_APPROVED)
            }
        }

        // MARK: 3.5, every outcome

        @Test(arguments: [0, 1] as [UInt8])
        func everyOutcomeGoesWhereItsParametersSay(commands: UInt8) {
            for status in statuses {
                for start in starts {
                    for answer in answers {
                        for off in [nil, 0, 13] as [UInt16?] {
                            for restartMessage in [false, true] {
                                var outcome = showing(
                                    entryOutcome(status, start: start, answer: answer), CEMV_MESSAGE_SEE_PHONE,
                                    CEMV_UI_PROCESSING_ERROR, hold: 1300,
                                    restart: restartMessage ? (CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ) : nil)
                                if let off { outcome.field_off_100ms = off }
                                let script = EntryScript(outcome, commands: commands)
                                let session = EntrySession(reader())
                                session.card()
                                session.answer(
                                    EntryCard.ppse(EntryCard.entry(EntryCard.own), EntryCard.entry(EntryCard.own + [2]))
                                )
                                session.answer(EntryCard.fci(EntryCard.own))
                                if commands == 1 { session.answer("9000") }

                                let field = off.map { "poll \($0 * 100)" } ?? "poll keep"
                                let restart = restartMessage ? "ui 21 2" : "ui 15 2"
                                var expected = ["ui 20 5 hold 1300"]
                                switch status {
                                case CEMV_OUTCOME_SELECT_NEXT: expected += [EntryCard.select(EntryCard.own + [2])]
                                case CEMV_OUTCOME_TRY_AGAIN: expected += [restart, field]
                                case CEMV_OUTCOME_END_APPLICATION:
                                    expected += start == CEMV_START_NA ? ["done"] : [field + " removal"]
                                case CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_REQUEST_ONLINE_PIN:
                                    expected += start == CEMV_START_NA ? ["done"] : ["parked"]
                                default: expected += ["done"]
                                }
                                #expect(session.new == expected, "\(status.rawValue) \(start.rawValue)")
                                if session.step == CEMV_STEP_PARKED || session.step == CEMV_STEP_DONE {
                                    #expect(
                                        session.outcome.status == outcome.status
                                            && session.outcome.start == outcome.start
                                            && session.outcome.online_response == outcome.online_response)
                                    #expect(
                                        session.outcome.data_record_present && session.outcome.discretionary_present
                                            && session.outcome.kernel_id.0 == 0x21)
                                }
                                if status == CEMV_OUTCOME_END_APPLICATION && start != CEMV_START_NA {
                                    #expect(session.reply(CEMV_REPLY_REMOVED) == [restart, "poll keep"])
                                    session.activate()
                                    #expect(
                                        script.seen(1).start == UInt8(CEMV_START_B.rawValue) && script.seen(1).restarted
                                    )
                                }
                            }
                        }
                    }
                }
            }
        }

        @Test func messageOnOutcomeIsOnlySentWhereItIsPresent() {
            _ = EntryScript(approved)
            let session = EntrySession(reader())
            session.activate()
            #expect(session.answer("9000") == ["done"])
        }

        @Test func waitForRemovalIsEndedByTheDeadline() {
            _ = EntryScript(entryOutcome(CEMV_OUTCOME_END_APPLICATION, start: CEMV_START_B))
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            for kind in 0...255 as ClosedRange<UInt8> {
                #expect(session.takes(kind) == [8, 10, 11, 15].contains(kind))
            }
            #expect(session.reply(CEMV_REPLY_DEADLINE) == ["done"])
            #expect(session.reason == CEMV_REASON_STOPPED)
        }

        @Test func ownOutcomesOfEntryPointCarryNoData() {
            // Each kernel outcome brings records; the one that follows of itself does not.
            for (outcome, taps, reason) in [
                (entryOutcome(CEMV_OUTCOME_TRY_AGAIN), 1, CEMV_REASON_TOO_MANY_TAPS),
                (entryOutcome(CEMV_OUTCOME_SELECT_NEXT), 3, CEMV_REASON_SELECTION_EXHAUSTED),
            ] as [(cemv_outcome, UInt8, cemv_reason)] {
                _ = EntryScript(outcome)
                let session = EntrySession(reader(taps: taps))
                session.activate()
                #expect(session.answer("9000") == ["ui 1C 2", "done"])
                #expect(session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == reason)
                #expect(
                    !session.outcome.data_record_present && !session.outcome.discretionary_present
                        && session.outcome.kernel_id_size == 0)
                #expect(
                    entryBytes(cemv_session_data_record(session.session)).isEmpty
                        && entryBytes(cemv_session_df_name(session.session)).isEmpty)
            }
        }

        @Test func reasonOfAKernelLimitSurvivesItsLastCandidate() {
            var outcome = entryOutcome(CEMV_OUTCOME_SELECT_NEXT)
            outcome.reason = UInt8(CEMV_REASON_KERNEL_LIMIT.rawValue)
            _ = EntryScript(outcome)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            #expect(session.reason == CEMV_REASON_KERNEL_LIMIT)
        }

        @Test func findingsOfOtherKernelsAreKept() {
            var outcome = approved
            outcome.findings = 1 << CEMV_FINDING_LUHN.rawValue
            _ = EntryScript(outcome)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            #expect(session.found(CEMV_FINDING_LUHN))
        }

        @Test func candidateThatFellAwayDoesNotReturnBeforeStartB() {
            let script = EntryScript(
                entryOutcome(CEMV_OUTCOME_SELECT_NEXT), entryOutcome(CEMV_OUTCOME_SELECT_NEXT), approved, commands: 0)
            let session = EntrySession(reader())
            session.card()
            session.answer(
                EntryCard.ppse(
                    EntryCard.entry(EntryCard.own + [1], priority: 2),
                    EntryCard.entry(EntryCard.own + [2], priority: 1), EntryCard.entry(EntryCard.own + [3])))
            #expect(session.answer(EntryCard.fci(EntryCard.own)) == [EntryCard.select(EntryCard.own + [1])])
            #expect(session.answer(EntryCard.fci(EntryCard.own)) == [EntryCard.select(EntryCard.own + [3])])
            #expect(session.answer(EntryCard.fci(EntryCard.own)) == ["done"])
            #expect(script.activations == 3)
        }

        // MARK: A 8.1.1.22, second presentment

        @Test(arguments: [0, 1]) func issuerDataGoStraightToTheSelectedApplication(which: Int) {
            let data = which == 0 ? issuerData : scriptOnly
            for outcome in [online, onlineAny] {
                let script = EntryScript(outcome, entryOutcome(CEMV_OUTCOME_END_APPLICATION))
                let session = EntrySession(reader())
                session.card()
                session.answer(
                    EntryCard.ppse(
                        EntryCard.entry(EntryCard.own + [1], priority: 2),
                        EntryCard.entry(EntryCard.own + [2], priority: 1)))
                session.answer(EntryCard.fci(EntryCard.own + [2]))
                #expect(session.answer("9000") == ["parked"])
                #expect(session.reply(CEMV_REPLY_ONLINE, data) == ["ui 15 2", "poll keep"])
                #expect(session.card() == [EntryCard.select(EntryCard.own + [2])])
                #expect(session.answer(EntryCard.fci(EntryCard.own + [2])) == [read])
                let given = script.seen(1)
                #expect(
                    given.start == UInt8(CEMV_START_B.rawValue) && given.restarted && given.online_response_present
                        && !given.unable_to_go_online)
                #expect(script.online(1) == data && script.fci(1) == EntryCard.fci(EntryCard.own + [2]).dropLast(2))
                #expect(session.answer("9000") == ["done"])
            }
        }

        @Test func anotherCardAtTheSecondPresentmentEndsTheApplication() {
            let script = EntryScript(online)
            let session = EntrySession(reader())
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), EntryCard.entry(EntryCard.own + [2])))
            session.answer(EntryCard.fci(EntryCard.own))
            session.answer("9000")
            session.reply(CEMV_REPLY_ONLINE, issuerData)
            session.card()
            #expect(session.answer("6A82") == ["ui 1C 2", "done"])
            #expect(session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_CARD_STATUS)
            #expect(!session.outcome.data_record_present && session.outcome.start == 0xF0)
            #expect(script.activations == 1)
        }

        @Test func restartHappensOnlyWhereTheConditionHolds() {
            for (condition, data, restarts) in [
                (CEMV_ONLINE_RESPONSE_EMV_DATA, [], false), (CEMV_ONLINE_RESPONSE_EMV_DATA, codeOnly, false),
                (CEMV_ONLINE_RESPONSE_EMV_DATA, issuerData, true),
                (CEMV_ONLINE_RESPONSE_EMV_DATA, scriptOnly, true), (CEMV_ONLINE_RESPONSE_ANY, [], true),
                (CEMV_ONLINE_RESPONSE_ANY, codeOnly, true),
                (CEMV_ONLINE_RESPONSE_ANY, issuerData, true), (CEMV_ONLINE_RESPONSE_NA, issuerData, false),
                (CEMV_ONLINE_RESPONSE_NA, [], false),
                (CEMV_ONLINE_RESPONSE_EMV_DATA, hex("91"), false),
                (CEMV_ONLINE_RESPONSE_EMV_DATA, dataObject(0x72, Array(repeating: 0, count: 260)), true),
            ] as [(cemv_online_response, [UInt8], Bool)] {
                for status in [CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_REQUEST_ONLINE_PIN] {
                    for start in [CEMV_START_B, CEMV_START_D] {
                        for kind in [CEMV_REPLY_ONLINE, CEMV_REPLY_PIN] {
                            _ = EntryScript(entryOutcome(status, start: start, answer: condition), approved)
                            let session = EntrySession(reader())
                            session.activate()
                            session.answer("9000")
                            let parked = session.outcome
                            session.reply(kind, data)
                            #expect(
                                session.step
                                    == (!restarts
                                        ? CEMV_STEP_DONE : start == CEMV_START_B ? CEMV_STEP_POLL : CEMV_STEP_SEND))
                            if !restarts {
                                #expect(session.outcome.status == parked.status && session.outcome.data_record_present)
                            }
                        }
                    }
                }
            }
        }

        @Test func unableToGoOnlineRestartsThroughTheDirectory() {
            let script = EntryScript(onlineAny, approved)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            #expect(session.reply(CEMV_REPLY_ONLINE, timedOut: true, unable: true) == ["ui 15 2", "poll keep"])
            session.activate()
            let given = script.seen(1)
            #expect(
                given.online_response_present && given.unable_to_go_online && given.removal_timed_out
                    && script.online(1).isEmpty)
        }

        @Test func startDActivatesTheSameKernelAtOnce() {
            let script = EntryScript(holdAny, approved)
            script.c.pointee.tag = 0x9F66
            let session = EntrySession(reader([EntryRow(limits: [(CEMV_LIMIT_FLOOR, 0)], ttq: [0x36, 0, 0x40, 0x80])]))
            session.activate()
            session.answer("9000")
            #expect(session.reply(CEMV_REPLY_ONLINE, issuerData, timedOut: true) == [read])
            let given = script.seen(1)
            #expect(
                given.start == UInt8(CEMV_START_D.rawValue) && given.restarted && given.fci.size == 0
                    && given.status_word == 0)
            #expect(script.online(1) == issuerData && given.removal_timed_out && !given.unable_to_go_online)
            #expect(given.indicators.ttq == (0x36, 0x80, 0x40, 0x80) && script.value(1) == [0x36, 0x80, 0x40, 0x80])
            #expect(session.commands.count == 4)
            #expect(session.answer("9000") == ["done"])
            #expect(entryBytes(cemv_session_df_name(session.session)) == EntryCard.own)
        }

        @Test func requestForAnOnlinePINGoesOnAtStartD() {
            let pin = entryOutcome(
                CEMV_OUTCOME_REQUEST_ONLINE_PIN, start: CEMV_START_D, answer: CEMV_ONLINE_RESPONSE_ANY)
            let script = EntryScript(holdAny, pin, approved)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            session.reply(CEMV_REPLY_ONLINE, codeOnly)
            #expect(session.answer("9000") == ["parked"])
            #expect(session.status == CEMV_OUTCOME_REQUEST_ONLINE_PIN)
            #expect(session.reply(CEMV_REPLY_PIN) == [read])
            #expect(
                script.seen(2).online_response_present && !script.seen(2).unable_to_go_online
                    && script.online(2).isEmpty)
            #expect(session.answer("9000") == ["done"])
        }

        @Test func messageOnRestartReplacesTheInvitation() {
            _ = EntryScript(
                showing(
                    online, CEMV_MESSAGE_AUTHORISING, CEMV_UI_STATUS_NA,
                    restart: (CEMV_MESSAGE_PRESENT_AGAIN, CEMV_UI_READY_TO_READ)), approved)
            let session = EntrySession(reader())
            session.activate()
            #expect(session.answer("9000") == ["ui 1B 255", "parked"])
            #expect(session.reply(CEMV_REPLY_ONLINE, issuerData) == ["ui 21 2", "poll keep"])
        }

        @Test func failedSecondPresentmentBringsTheIssuerDataAgain() {
            let script = EntryScript(
                online, entryOutcome(CEMV_OUTCOME_TRY_AGAIN, start: CEMV_START_B),
                entryOutcome(CEMV_OUTCOME_END_APPLICATION))
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            session.reply(CEMV_REPLY_ONLINE, issuerData)
            session.card()
            session.reply(CEMV_REPLY_TIMEOUT)  // in the SELECT
            #expect(session.card() == [EntryCard.select(EntryCard.own)])
            session.answer(EntryCard.fci(EntryCard.own))
            #expect(session.reply(CEMV_REPLY_TIMEOUT) == ["ui 15 2", "poll keep"])  // in the kernel
            #expect(session.card() == [EntryCard.select(EntryCard.own)])
            session.answer(EntryCard.fci(EntryCard.own))
            #expect(
                script.activations == 3 && script.online(1) == issuerData && script.online(2) == issuerData
                    && script.seen(2).online_response_present)
        }

        @Test func tryAgainAfterStartDPresentsTheCardWithTheSameAnswer() {
            let script = EntryScript(holdAny, entryOutcome(CEMV_OUTCOME_TRY_AGAIN, start: CEMV_START_B), approved)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            session.reply(CEMV_REPLY_ONLINE, issuerData)
            session.answer("9000")
            session.card()
            session.answer(EntryCard.fci(EntryCard.own))
            #expect(
                script.seen(2).start == UInt8(CEMV_START_B.rawValue)
                    && script.fci(2) == EntryCard.fci(EntryCard.own).dropLast(2) && script.online(2) == issuerData)
        }

        @Test func tryAgainOfAFirstPresentmentHasNoIssuerData() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN), approved)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            session.activate()
            #expect(script.seen(1).restarted && !script.seen(1).online_response_present)
        }

        @Test func abandonedParkedOutcomeStays() {
            _ = EntryScript(online)
            let session = EntrySession(reader())
            session.activate()
            session.answer("9000")
            for kind in 0...255 as ClosedRange<UInt8> { #expect(session.takes(kind) == [13, 14, 15].contains(kind)) }
            #expect(session.reply(CEMV_REPLY_ABANDON) == ["done"])
            #expect(session.status == CEMV_OUTCOME_ONLINE_REQUEST && session.outcome.data_record_present)
        }

        @Test func restartsAreBounded() {
            for outcome in [holdAny, onlineAny, entryOutcome(CEMV_OUTCOME_END_APPLICATION, start: CEMV_START_B)] {
                let script = EntryScript(outcome, commands: 0)
                let session = EntrySession(reader(taps: 100))
                var restarts = 0
                session.activate()
                while session.step != CEMV_STEP_DONE {
                    restarts += 1
                    if session.step == CEMV_STEP_PARKED {
                        session.reply(CEMV_REPLY_ONLINE)
                    } else {
                        session.reply(CEMV_REPLY_REMOVED)
                    }
                    if session.step == CEMV_STEP_POLL { session.activate() }
                }
                #expect(restarts == Int(CEMV_MAX_RESTARTS) && script.activations == restarts + 1)
                #expect(
                    session.outcome.status == outcome.status && session.outcome.start == 0xF0
                        && session.outcome.data_record_present)
                #expect(
                    session.reason
                        == (session.status == CEMV_OUTCOME_END_APPLICATION
                            ? CEMV_REASON_TOO_MANY_TAPS : CEMV_REASON_KERNEL))
            }
        }

        @Test func tryAgainIsBoundedByTheTaps() {
            for taps in [1, 2, 5] as [UInt8] {
                let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
                let session = EntrySession(reader(taps: taps))
                for _ in 1...taps {
                    session.activate()
                    session.answer("9000")
                }
                #expect(
                    session.step == CEMV_STEP_DONE && session.reason == CEMV_REASON_TOO_MANY_TAPS
                        && script.activations == Int(taps))
            }
        }

        // MARK: the kernel's memory

        @Test func memoryOfAKernelLivesThroughItsActivations() {
            for outcome in [
                entryOutcome(CEMV_OUTCOME_TRY_AGAIN), entryOutcome(CEMV_OUTCOME_END_APPLICATION, start: CEMV_START_B),
                onlineAny, holdAny,
            ] {
                let script = EntryScript(outcome)
                let session = EntrySession(reader())
                session.activate()
                for _ in 0..<2 {
                    session.answer("9000")
                    if session.step == CEMV_STEP_PARKED { session.reply(CEMV_REPLY_ONLINE) }
                    if session.step == CEMV_STEP_POLL, cemv_session_poll(session.session).removal_first {
                        session.reply(CEMV_REPLY_REMOVED)
                    }
                    if session.step == CEMV_STEP_POLL { session.activate() }
                }
                #expect([script.remembered(0), script.remembered(1), script.remembered(2)] == [0, 1, 2])
            }
        }

        @Test func anotherKernelFindsZeroMemoryAndIsNotRestarted() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_SELECT_NEXT), approved)
            let configuration = EntryConfiguration([EntryRow(), EntryRow(aid: EntryCard.own + [1], kernel: [0x22])])
            let rows = UnsafeMutablePointer(mutating: configuration.c.kernels!)
            rows[1].module = UnsafePointer(configuration.array([third_party_kernel]))
            let session = EntrySession(configuration)
            session.card()
            session.answer(
                EntryCard.ppse(
                    EntryCard.entry(EntryCard.own, priority: 1, kernel: [0x21]),
                    EntryCard.entry(EntryCard.own + [1], priority: 2, kernel: [0x22])))
            session.answer(EntryCard.fci(EntryCard.own))
            session.answer("9000")
            session.answer(EntryCard.fci(EntryCard.own))
            #expect(script.activations == 2 && script.remembered(1) == 0 && !script.seen(1).restarted)
        }

        // MARK: A 8.1.1.8

        @Test func numbersAreDrawnInOrderAtEveryActivation() {
            let script = EntryScript(
                entryOutcome(CEMV_OUTCOME_TRY_AGAIN), entryOutcome(CEMV_OUTCOME_SELECT_NEXT), holdAny, approved)
            script.c.pointee.tag = 0x9F37
            let session = EntrySession(reader())
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own)))
            session.answer("6A82")  // no activation, no number
            let other = EntrySession(reader())
            other.activate()
            other.answer("9000")
            other.card()
            other.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own), EntryCard.entry(EntryCard.own + [1])))
            other.answer(EntryCard.fci(EntryCard.own))
            other.answer("9000")
            other.answer(EntryCard.fci(EntryCard.own))
            other.answer("9000")
            other.reply(CEMV_REPLY_ONLINE)
            for place in 0..<4 {
                let number = (1...4).map { UInt8(4 * place + $0) }
                #expect(script.number(place) == number && script.value(place) == number)
            }
        }

        @Test func dryPoolAsksForMore() {
            for size in 4...7 {
                let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
                let session = EntrySession(reader(), random: Array(EntrySession.pool.prefix(size)))
                session.activate()
                session.answer("9000")
                #expect(session.activate() == ["ask 1"])
                #expect(session.reply(CEMV_REPLY_DATA, [9, 8, 7, 6, 5, 4, 3, 2]) == [read])
                #expect(script.number(1) == [9, 8, 7, 6] && script.fci(1) == EntryCard.fci(EntryCard.own).dropLast(2))
                session.answer("9000")
                #expect(session.activate() == [read])
                #expect(script.number(2) == [5, 4, 3, 2])
            }
        }

        @Test func poolKeepsNoMoreThanItsSize() {
            _ = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
            let session = EntrySession(reader(taps: 40), random: Array(1...100))
            for _ in 0..<CEMV_RANDOM_POOL / 4 {
                #expect(session.activate() == [read])
                session.answer("9000")
            }
            #expect(session.activate() == ["ask 1"])
        }

        @Test func dryPoolAsksAtStartDToo() {
            let script = EntryScript(holdAny, approved)
            let session = EntrySession(reader(), random: [1, 2, 3, 4])
            session.activate()
            session.answer("9000")
            #expect(session.reply(CEMV_REPLY_ONLINE, issuerData) == ["ask 1"])
            #expect(session.reply(CEMV_REPLY_DATA, [9, 9, 9, 9]) == [read])
            #expect(
                script.seen(1).start == UInt8(CEMV_START_D.rawValue) && script.online(1) == issuerData
                    && script.number(1) == [9, 9, 9, 9])
        }

        @Test func tooFewRandomBytesEndTheTransaction() {
            for reply in [(CEMV_REPLY_DATA, []), (CEMV_REPLY_DATA, [1, 2, 3]), (CEMV_REPLY_DEADLINE, [])]
                as [(cemv_reply_kind, [UInt8])]
            {
                let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
                let session = EntrySession(reader(), random: [1, 2, 3, 4])
                session.activate()
                session.answer("9000")
                session.activate()
                #expect(session.reply(reply.0, reply.1) == ["ui 1C 2", "done"])
                #expect(
                    session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_RANDOM
                        && script.activations == 1)
            }
        }

        @Test func repeatedNumberEndsTheTransactionUnlessTheProfileIsBook() {
            for profile in [CEMV_PROFILE_GUARDED, CEMV_PROFILE_BOOK, CEMV_PROFILE_STRICT] {
                for distance in 1...7 {
                    var pool = EntrySession.pool
                    pool.replaceSubrange(4 * distance..<4 * distance + 4, with: pool[0..<4])
                    let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
                    let session = EntrySession(reader(taps: 20, profile: profile), random: pool)
                    for _ in 0..<distance {
                        session.activate()
                        session.answer("9000")
                    }
                    session.activate()
                    if profile == CEMV_PROFILE_BOOK {
                        #expect(session.new == [read])
                        session.reply(CEMV_REPLY_STOP)
                    } else {
                        #expect(
                            session.new == ["ui 1C 2", "done"] && session.reason == CEMV_REASON_RANDOM
                                && script.activations == distance)
                    }
                    #expect(session.found(CEMV_FINDING_RNG_SUSPECT))
                }
            }
        }

        @Test func stuckSourceIsFoundThroughTheQuestionToo() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
            let session = EntrySession(reader(), random: [1, 2, 3, 4])
            session.activate()
            session.answer("9000")
            session.activate()
            #expect(session.reply(CEMV_REPLY_DATA, [1, 2, 3, 4]) == ["ui 1C 2", "done"])
            #expect(session.found(CEMV_FINDING_RNG_SUSPECT) && script.activations == 1)
        }
    }
}
