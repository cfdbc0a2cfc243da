// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVLoyalty
@testable import EMVPOS

#if Loyalty
/// A key service that is slow or never answers: the payment equals the one without passes, and its result waits for a
/// key no longer than allowed.
@Suite struct SlowKeyTests {
    private let club = programme("club", VASVectors.passType)
    private let phone = Phone(PassTypeWallet.withPass)

    private func context(_ gate: Latch, now: Int64 = VASVectors.made) throws -> LoyaltyContext {
        LoyaltyContext(
            passKeys: GatedKeys(keys: try keys(club), gate: gate), openingDeadline: .seconds(2), now: { now })
    }

    /// Lets the time for keys pass until a call returns.
    private func result<Value: Sendable>(
        of call: Task<Value, Never>, after gate: Latch, _ clock: SimulatedClock,
        _ isPaid: @escaping @Sendable () async -> Bool
    ) async throws -> Value {
        let isDone = Mutexed(false)
        Task {
            _ = await call.value
            await isDone.set(true)
        }
        try await waitUntil("the keys to be asked") { await gate.count > 0 }
        try await waitUntil("the payment") { await isPaid() }
        try await waitUntil("the call to return") {
            await clock.advance(by: .seconds(1))
            return await isDone.value
        }
        return await call.value
    }

    @Test func aKeyThatNeverAnswersDelaysNoChargeBeyondItsDeadline() async throws {
        let plain = TapRecorder(Phone(NoWallet()))
        let expected = await reader(plain).charge(payment(), with: SimulatedAuthorizer())
        #expect(expected.name == .approved)
        let recorder = TapRecorder(phone), clock = SimulatedClock(), gate = Latch(), host = SimulatedAuthorizer()
        let reader = reader(recorder) { $0.timer = clock }
        let context = try context(gate), request = try LoyaltyRequest([club])
        let call = Task {
            await reader.charge(payment(), loyalty: request, .andPayment, context: context, with: host)
        }
        // The keys are requested while the payment continues.
        let (charge, passes) = try await result(of: call, after: gate, clock) { await !host.requests.isEmpty }
        #expect(charge == expected)
        #expect(await recorder.paymentCommands == plain.paymentCommands)
        guard case .sealed(let pass)? = passes["club"] else { Issue.record("\(passes)"); return }
        // A late key has not used up the cryptogram: the pass can still be opened.
        await gate.open()
        #expect(await context.open(pass, of: "club").name == .read)
        #expect(await context.open(pass, of: "club") == .unreadable(.repeated))
    }

    @Test func aKeyThatNeverAnswersDelaysNoPassAlone() async throws {
        let recorder = TapRecorder(phone), clock = SimulatedClock(), gate = Latch()
        let reader = reader(recorder) { $0.timer = clock }
        let context = try context(gate), request = try LoyaltyRequest([club])
        let call = Task { await reader.read(request, with: context) }
        let outcome = try await result(of: call, after: gate, clock) { await recorder.log.last == "off" }
        #expect(outcome.result?["club"]?.name == .sealed)
        await gate.open()
    }

    /// No time passes here: the caller cancels.
    @Test func whoeverIsCancelledWaitsForNoKey() async throws {
        let plain = TapRecorder(Phone(NoWallet()))
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let recorder = TapRecorder(phone), gate = Latch()
        let reader = reader(recorder)
        let context = try context(gate), request = try LoyaltyRequest([club])
        let events = reader.events()
        let finished = Task { for await event in events { if case .finished = event { break } } }
        let call = Task { await reader.read(payment(), loyalty: request, .andPayment, with: context) }
        try await waitUntil("the keys to be asked") { await gate.count > 0 }
        await finished.value
        call.cancel()
        let (outcome, passes) = await call.value
        #expect(await paymentTrace(try #require(outcome), recorder) == expected)
        #expect(passes["club"]?.name == .sealed)
        await gate.open()
    }

    /// Row Y10: freshness is judged by the time of the answer, however long the key takes; a service that opens the
    /// pass later receives that time.
    @Test func freshnessIsJudgedByTheTimeOfTheAnswer() async throws {
        let clock = Wristwatch(VASVectors.made)
        struct Late: PassKeys {
            let keys: LoyaltyKeys
            let clock: Wristwatch
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes {
                clock.now += 3_600
                return try await keys.agree(with: x, keyIdentifier: keyIdentifier, of: programme)
            }
        }
        let late = LoyaltyContext(passKeys: Late(keys: try keys(club), clock: clock), now: { clock.now })
        let request = try LoyaltyRequest([club])
        let (outcome, passes) = await reader(TapRecorder(phone)).read(
            payment(), loyalty: request, .andPayment, with: late)
        #expect(outcome?.name == .success && passes["club"]?.name == .read)

        clock.now = VASVectors.made
        let keyless = LoyaltyContext(now: { clock.now })
        guard case .sealed(let pass)? = await reader(TapRecorder(phone)).read(request, with: keyless).result?["club"]
        else { Issue.record("not sealed"); return }
        #expect(pass.received == VASVectors.made)
        let service = LoyaltyContext(passKeys: try keys(club), now: { VASVectors.made + 3_600 })
        let unknown = try #require(SealedPass(passType: pass.passType, cryptogram: pass.cryptogram))
        #expect(await service.open(unknown, of: "club") == .unreadable(.fromPast))
        #expect(await service.open(pass, of: "club").name == .read)
    }

    /// Y4: the next step is decided once. A pass that is still sealed replaces the payment at that moment, even if its
    /// key fails later.
    @Test func aPassThatCannotBeOpenedLaterLeavesThePaymentOut() async throws {
        let gate = Latch(), clock = SimulatedClock(), recorder = TapRecorder(phone)
        /// The key fails while the tap ends.
        actor Ending: CardTransport {
            let recorder: TapRecorder
            let gate: Latch
            init(_ recorder: TapRecorder, _ gate: Latch) {
                self.recorder = recorder
                self.gate = gate
            }
            func open() async -> ReaderFault? { await recorder.open() }
            func waitForCard(_ poll: Poll) async -> CardEvent { await recorder.waitForCard(poll) }
            func transceive(_ command: Bytes) async -> Exchange { await recorder.transceive(command) }
            func fieldOff() async { await recorder.fieldOff() }
            func fieldOff(for hold: Duration) async {
                await recorder.fieldOff(for: hold)
                await gate.open()
                for _ in 0..<1_000 { await Task.yield() }
            }
        }
        let reader = reader(Ending(recorder, gate)) { $0.timer = clock }
        let request = try LoyaltyRequest([club])
        let context = LoyaltyContext(passKeys: GatedKeys(keys: NoKeys(), gate: gate))
        let call = Task { await reader.read(payment(), loyalty: request, .insteadOfPayment, with: context) }
        try await waitUntil("the service to be asked, and the time to run") {
            await min(gate.count, clock.sleeperCount) > 0
        }
        await clock.advance(by: .milliseconds(300))
        let (outcome, result) = await call.value
        #expect(outcome == nil && result["club"] == .unreadable(.keyFailed))
        #expect(await recorder.paymentCommands.isEmpty)
    }
}

/// A clock set by the test.
final class Wristwatch: @unchecked Sendable {
    private let lock = NSLock()
    private var seconds: Int64

    init(_ seconds: Int64) { self.seconds = seconds }

    var now: Int64 {
        get { lock.withLock { seconds } }
        set { lock.withLock { seconds = newValue } }
    }
}

/// An answer that arrives when the dialogue's time is up reaches it before the question for the next step (rows Y4,
/// Y7).
@Suite struct LateAnswerTests {
    private let points = collector("points", SmartTapVectors.collector)
    private let club = programme("club", VASVectors.passType)

    private func tap(
        _ wallet: any HandMadeWallet, _ rule: LoyaltyRule, heldAt instruction: UInt8
    ) async throws -> (outcome: TapOutcome?, passes: LoyaltyResult, recorder: TapRecorder) {
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: points)
        let context = LoyaltyContext(passKeys: keys, signer: keys, freshness: .unsafeUnlimited)
        let recorder = TapRecorder(Phone(wallet)), gate = Latch(), clock = SimulatedClock()
        let reader = reader(GatedReader(recorder, gate) { TapRecorder.isOfWallet($0) && $0[1] == instruction }) {
            $0.timer = clock
        }
        let request = try LoyaltyRequest([club, points])
        let call = Task { await reader.read(payment(), loyalty: request, rule, with: context) }
        try await waitUntil("the answer to be held, and the time to run") {
            await min(gate.count, clock.sleeperCount) > 0
        }
        await clock.advance(by: .milliseconds(300))
        try await waitUntil("the time to be up") { await reader.lending?.isOpen == false }
        await gate.open()
        let (outcome, passes) = await call.value
        return (outcome, passes, recorder)
    }

    @Test(arguments: LoyaltyRule.allCases)
    func aPassThatIsLateIsRead(_ rule: LoyaltyRule) async throws {
        for (wallet, instruction) in [(PassTypeWallet.withPass, 0xCA), (CollectorWallet(), 0x50)]
            as [(any HandMadeWallet, UInt8)]
        {
            let (outcome, passes, recorder) = try await tap(wallet, rule, heldAt: instruction)
            #expect(passes.entries.contains { $0.outcome.name == .read }, "\(passes)")
            #expect(await !recorder.log.contains("removal"))
            if rule == .insteadOfPayment {
                #expect(outcome == nil)
                #expect(await recorder.paymentCommands.isEmpty)
            } else {
                #expect(outcome?.name == .success)
            }
        }
    }

    /// A command that the reader no longer sent does not get the answer to the previous one.
    @Test func anAnswerIsTakenForItsOwnCommandOnly() async throws {
        let request = try LoyaltyRequest([club, programme("other")]), gate = Latch()
        let tap = LoyaltyTap(request, .andPayment, LoyaltyContext(), timer: SimulatedClock())
        let count = Mutexed(0), pass = VASVectors.answer(VASVectors.cryptogram)
        let holding = Task {
            await tap.hold(
                PreludeCard { _ in
                    await count.set(await count.value + 1)
                    switch await count.value {
                    case 1: return .response(VASVectors.selected)
                    case 2: return .response(pass)
                    default:
                        await gate.pass()
                        return .over
                    }
                })
        }
        try await waitUntil("the second pass to be asked for") { await gate.count > 0 }
        #expect(await tap.end(after: [.response(VASVectors.selected), .response(pass)]) == PreludeEnd(.payment))
        await gate.open()
        await holding.value
        #expect(await tap.result().entries.map(\.outcome.name) == [.sealed, .notAsked])
    }

    /// 91xx with a pass and without one: the phone is not ready, and the payment begins only after it was removed.
    @Test(arguments: LoyaltyRule.allCases)
    func aPhoneThatSaysLateThatItIsNotReadyIsPresentedAgain(_ rule: LoyaltyRule) async throws {
        let withPass = try await tap(CollectorWallet(status: [0x91, 0x01]), rule, heldAt: 0x50)
        #expect(withPass.passes["points"]?.name == .read)
        let log = await withPass.recorder.log
        if rule == .insteadOfPayment {
            #expect(withPass.outcome == nil)
            #expect(await withPass.recorder.paymentCommands.isEmpty)
        } else {
            #expect(withPass.outcome?.name == .success && log[5...].starts(with: ["removal", "poll"]))
        }
        let none = try await tap(
            ScriptedWallet([
                response(SmartTapVectors.selected), response(SmartTapVectors.selectedAgain), response([0x91, 0x02]),
            ]), rule, heldAt: 0x53)
        #expect(none.passes["points"] == PassOutcome.none)
        #expect(none.outcome?.name == .success)
        #expect(await none.recorder.log[4...].starts(with: ["removal", "poll"]))
    }
}

/// One button pressed twice.
@Suite struct JoinedChargeTests {
    private let club = programme("club", VASVectors.passType)

    private func waiting(_ reader: TapReader, _ count: Int) async throws {
        try await waitUntil("\(count) to wait") { await reader.waitingCalls == count }
    }

    /// A call that waits for a running charge gets that charge's passes.
    @Test(arguments: LoyaltyRule.allCases)
    func aSecondCallGetsThePassesOfTheFirst(_ rule: LoyaltyRule) async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass)), gate = Latch()
        let reader = reader(GatedReader(recorder, gate) { $0.starts(with: [0x80, 0xCA, 0x01]) })
        let context = LoyaltyContext(passKeys: try keys(club), now: { VASVectors.made })
        let one = try LoyaltyRequest([club]), two = try LoyaltyRequest([club, programme("other")])
        let first = Task {
            await reader.charge(payment(), loyalty: one, rule, context: context, with: SimulatedAuthorizer())
        }
        try await waitUntil("the pass to be asked for") { await gate.count > 0 }
        let second = Task {
            await reader.charge(payment(), loyalty: two, rule, context: context, with: SimulatedAuthorizer())
        }
        try await waiting(reader, 2)
        await gate.open()
        let (charge, passes) = await first.value
        let (joined, same) = await second.value
        #expect(passes["club"]?.name == .read && same["club"] == passes["club"])
        #expect(same["other"] == .notAsked(.noPhone))
        #expect(joined == charge && (charge == nil) == (rule == .insteadOfPayment))
    }

    /// If only one caller cancels, the charge's dialogue continues.
    @Test func aFirstCallThatGoesLeavesThePassesToTheSecond() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass)), gate = Latch()
        let reader = reader(GatedReader(recorder, gate) { $0 == WalletSelection.command })
        let context = LoyaltyContext(passKeys: try keys(club), now: { VASVectors.made })
        let request = try LoyaltyRequest([club]), host = SimulatedAuthorizer()
        let first = Task {
            await reader.charge(payment(), loyalty: request, .andPayment, context: context, with: host)
        }
        try await waitUntil("the phone to be asked") { await gate.count > 0 }
        let second = Task {
            await reader.charge(payment(), loyalty: request, .andPayment, context: context, with: host)
        }
        try await waiting(reader, 2)
        first.cancel()
        let (left, unknown) = await first.value
        #expect(left?.name == .running && unknown["club"]?.name == .notAsked)
        await gate.open()
        let (charge, passes) = await second.value
        #expect(charge?.name == .approved && passes["club"]?.name == .read)
    }
}
#endif
