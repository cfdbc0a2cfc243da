// SPDX-License-Identifier: Apache-2.0
// Protocol Activation and communication errors, Book B v2.10, 3.2 and 3.3.3.7, and the steps of a session outside a
// kernel.
import CEMV
import CEMVInternals
import TestData
import Testing

private func protection(taps: UInt8) -> cemv_protection {
    var protection = cemv_protection()
    protection.max_taps = taps
    return protection
}
private func reader(taps: UInt8 = 0) -> EntryConfiguration {
    EntryConfiguration([EntryRow()], protection: protection(taps: taps))
}

private let faults = [CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL]
private let startAgain = ["ui 15 2", "poll 0"]

/// Sessions at every wait of Entry Point, and one in a kernel.
private func waits() -> [(String, EntrySession)] {
    let directory = EntryCard.ppse(EntryCard.entry(EntryCard.own)),
        spi = EntryCard.ppse(dataObject(0x9F3F, []), EntryCard.entry(EntryCard.own))
    func session(_ random: [UInt8] = EntrySession.pool, _ steps: (EntrySession) -> Void) -> EntrySession {
        let session = EntrySession(reader(), random: random)
        steps(session)
        return session
    }
    _ = EntryScript(entryOutcome(CEMV_OUTCOME_TRY_AGAIN))
    return [
        ("card", session { _ in }),
        ("clear", session { $0.reply(CEMV_REPLY_COLLISION) }),
        ("ppse", session { $0.card() }),
        (
            "spi",
            session {
                $0.card(); $0.answer(spi)
            }
        ),
        (
            "select",
            session {
                $0.card(); $0.answer(directory)
            }
        ),
        ("kernel", session { $0.activate() }),
        (
            "random",
            session(Array(1...4)) {
                $0.activate(); $0.answer("9000"); $0.activate()
            }
        ),
    ]
}

extension EntryPoint {
    @Suite struct ProtocolTests {
        // MARK: 3.2.1.2, 3.2.1.4, 3.2.1.5

        @Test func transactionBeginsByAskingForACard() {
            #expect(EntrySession(reader()).log == ["ui 15 2", "poll keep"])
        }

        @Test func readerAtStartBAsksForACardWithItsConfiguredTTQ() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            let row = EntryRow(
                limits: [(CEMV_LIMIT_TRANSACTION, 1), (CEMV_LIMIT_FLOOR, 0)], ttq: [0x36, 0xC0, 0x40, 0x80])
            let session = EntrySession(EntryConfiguration([row]), entrySale(startB: true))
            #expect(session.log == ["ui 15 2", "poll keep"])
            session.activate()
            let given = script.seen(0)
            #expect(given.start == UInt8(CEMV_START_B.rawValue))
            #expect(given.indicators.ttq == (0x36, 0xC0, 0x40, 0x80))
            #expect(
                !given.indicators.not_allowed && !given.indicators.floor_limit_exceeded && given.indicators.ttq_present)
        }

        @Test func readerAtStartAGivesThePreProcessedIndicators() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            EntrySession(
                EntryConfiguration([EntryRow(limits: [(CEMV_LIMIT_FLOOR, 0)], ttq: [0x36, 0xC0, 0x40, 0x80])])
            ).activate()
            #expect(script.seen(0).start == UInt8(CEMV_START_A.rawValue))
            #expect(
                script.seen(0).indicators.ttq == (0x36, 0x80, 0x40, 0x80)
                    && script.seen(0).indicators.floor_limit_exceeded)
        }

        @Test func collisionIsToldAndTakenBack() {
            let session = EntrySession(reader())
            #expect(session.reply(CEMV_REPLY_COLLISION) == ["ui 19 5", "poll keep"])
            #expect(session.reply(CEMV_REPLY_CARD) == session.new && session.log.count == 4 + session.new.count)
            #expect(session.reply(CEMV_REPLY_COLLISION_CLEARED) == ["ui 19 2", "poll keep"])
            #expect(session.card() == ["send " + EntryCard.ppseCommand])
        }

        @Test func collisionsAreBounded() {
            let session = EntrySession(reader())
            for _ in 0..<Int(CEMV_MAX_COLLISIONS) / 2 {
                #expect(session.reply(CEMV_REPLY_COLLISION) == ["ui 19 5", "poll keep"])
                #expect(session.reply(CEMV_REPLY_COLLISION) == ["ui 19 5", "poll keep"])
                #expect(session.reply(CEMV_REPLY_COLLISION_CLEARED) == ["ui 19 2", "poll keep"])
            }
            #expect(session.reply(CEMV_REPLY_COLLISION) == ["ui 1C 2", "done"])
            #expect(session.reason == CEMV_REASON_COLLISION && session.status == CEMV_OUTCOME_END_APPLICATION)
        }

        // MARK: 3.3.3.7

        @Test(arguments: ["card", "clear", "ppse", "spi", "select"], [0, 1, 2])
        func linkFaultReturnsToStartB(wait: String, fault: Int) {
            let session = waits().first { $0.0 == wait }!.1
            #expect(session.reply(faults[fault]) == startAgain)
            #expect(session.card() == ["send " + EntryCard.ppseCommand])
        }

        @Test(arguments: ["ppse", "spi", "select"])
        func cardPulledDuringACommandIsALinkFault(wait: String) {
            #expect(waits().first { $0.0 == wait }!.1.reply(CEMV_REPLY_REMOVED) == startAgain)
        }

        @Test(arguments: ["ppse", "spi", "select"], [0, 1, 259, 65538])
        func responsesOfImpossibleLengthAreLinkFaults(wait: String, size: Int) {
            #expect(waits().first { $0.0 == wait }!.1.answer(Array(repeating: 0x90, count: size)) == startAgain)
        }

        @Test func longestResponseIsAResponse() {
            let session = EntrySession(reader())
            session.card()
            let padding = dataObject(0xDF01, Array(repeating: 0, count: 256))
            let entry = EntryCard.entry(EntryCard.own),
                empty = EntryCard.ppse(entry, dataObject(0xDF01, Array(repeating: 1, count: 128)))
            let room = Int(CEMV_MAX_RESPONSE) - empty.count
            let longest = EntryCard.ppse(entry, dataObject(0xDF01, Array(repeating: 1, count: 128 + room)))
            #expect(longest.count == 258 && padding.count > 256)
            #expect(session.answer(longest) == [EntryCard.select(EntryCard.own)])
        }

        @Test(arguments: [1, 2, 3, 7] as [UInt8])
        func linkFaultsAreBoundedByTheTaps(taps: UInt8) {
            for wait in [CEMV_STEP_POLL, CEMV_STEP_SEND] {
                let session = EntrySession(reader(taps: taps))
                for tap in 1...taps {
                    if wait == CEMV_STEP_SEND { session.card() }
                    #expect(session.reply(CEMV_REPLY_TRANSMISSION) == (tap < taps ? startAgain : ["ui 1C 2", "done"]))
                    #expect(cemv_session_taps(session.session) == tap)
                }
                #expect(session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_LINK)
            }
        }

        @Test func threeTapsAreTheDefault() {
            let session = EntrySession(reader())
            for _ in 1...2 { #expect(session.reply(CEMV_REPLY_TIMEOUT) == startAgain) }
            #expect(session.reply(CEMV_REPLY_TIMEOUT) == ["ui 1C 2", "done"])
        }

        @Test func candidatesOfAnEarlierPresentmentAreForgotten() {
            let session = EntrySession(reader())
            session.card()
            session.answer(EntryCard.ppse(EntryCard.entry(EntryCard.own + [1]), EntryCard.entry(EntryCard.own + [2])))
            session.reply(CEMV_REPLY_TIMEOUT)
            session.card()
            #expect(session.answer("6A82") == ["ui 1C 2", "done"])
            #expect(session.reason == CEMV_REASON_NO_COMMON_APPLICATION)
        }

        // MARK: stop, abandon, deadline, replies out of place

        @Test func stopEndsEveryWaitSilently() {
            for (_, session) in waits() {
                #expect(session.reply(CEMV_REPLY_STOP) == ["done"])
                #expect(session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_STOPPED)
                #expect(!session.outcome.ui_on_outcome_present && session.outcome.kernel_id_size == 0)
            }
        }

        @Test func abandonEndsEveryWaitSilently() {
            for (_, session) in waits() {
                #expect(session.reply(CEMV_REPLY_ABANDON) == ["done"])
                #expect(session.reason == CEMV_REASON_ABANDONED && !session.outcome.ui_on_outcome_present)
            }
        }

        @Test func deadlineEndsPollingSilently() {
            for (wait, session) in waits() where wait == "card" || wait == "clear" {
                #expect(session.reply(CEMV_REPLY_DEADLINE) == ["done"])
                #expect(session.status == CEMV_OUTCOME_END_APPLICATION && session.reason == CEMV_REASON_STOPPED)
            }
        }

        @Test func repliesOutOfPlaceChangeNothing() {
            for (wait, session) in waits() {
                let polls = ["card", "clear"].contains(wait)
                for kind in 0...255 as ClosedRange<UInt8> {
                    let fork = session.fork()
                    let takes = fork.takes(kind)
                    let expected: Bool
                    switch cemv_reply_kind(UInt32(kind)) {
                    case CEMV_REPLY_RESPONSE: expected = ["ppse", "spi", "select", "kernel"].contains(wait)
                    case CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL: expected = wait != "random"
                    case CEMV_REPLY_CARD: expected = wait == "card"
                    case CEMV_REPLY_COLLISION: expected = polls
                    case CEMV_REPLY_COLLISION_CLEARED: expected = wait == "clear"
                    case CEMV_REPLY_REMOVED: expected = ["ppse", "spi", "select", "kernel"].contains(wait)
                    case CEMV_REPLY_DATA: expected = wait == "random"
                    case CEMV_REPLY_DEADLINE: expected = polls || wait == "random"
                    case CEMV_REPLY_STOP, CEMV_REPLY_ABANDON: expected = true
                    default: expected = false
                    }
                    #expect(takes == expected, "\(wait) \(kind)")
                    if !takes {
                        fork.reply(cemv_reply_kind(UInt32(kind)), [0x90, 0x00])
                        #expect(fork.everything == session.everything, "\(wait) \(kind)")
                    }
                }
            }
        }

        @Test func finishedSessionTakesNothing() {
            let session = EntrySession(reader())
            session.reply(CEMV_REPLY_STOP)
            for kind in 0...255 as ClosedRange<UInt8> { #expect(!session.takes(kind)) }
        }

        @Test func wipedSessionTakesNothing() {
            let session = EntrySession(reader())
            cemv_session_wipe(session.session)
            for kind in 0...255 as ClosedRange<UInt8> { #expect(!session.takes(kind)) }
            #expect(session.everything.allSatisfy { $0 == 0 })
        }
    }
}
