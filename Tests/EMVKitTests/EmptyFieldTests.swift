// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestWaiting
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// P7: a card that is left on the reader pays once.
@Suite(.timeLimit(.minutes(5))) struct EmptyFieldTests {
    private typealias Step = ReaderAction

    private static let ready = KernelReport(
        step: .poll(Poll()), messages: [UIRequest(message: .presentCard, status: .readyToRead)], presentations: 0)
    private static let grace = ReaderStateMachine.removalGrace

    private func machine() -> ReaderStateMachine {
        Sample.machine {
            $0.waitsForEmptyField = true
            $0.cardTimeout = .seconds(90)
        }
    }

    /// Runs from a request to the kernel's first poll.
    private func announced(_ machine: inout ReaderStateMachine, _ record: TapRecord = Sample.record()) -> Step {
        _ = machine.readRequested(record)
        _ = machine.started()
        _ = machine.prepared()
        _ = machine.sessionBegan()
        return machine.tapAnnounced(Self.ready)
    }

    /// Runs from the arrival of a card to the end.
    private func pay(_ machine: inout ReaderStateMachine) {
        _ = machine.cardArrived(.card)
        _ = machine.stepTaken(KernelReport(step: .done(Sample.outcome(.approved))))
        _ = machine.fieldSwitchedOff()
    }

    // MARK: The state machine

    @Test("P7: the first payment of a process looks for a card that lies there, and shows nothing of an empty field")
    func theFirstPaymentLooks() {
        var machine = machine()
        let look = Poll(removalFirst: true, timeout: Self.grace)
        #expect(announced(&machine) == Step(then: .waitForCard(look)))
        let action = machine.cardArrived(.removed)
        #expect(action.prompts == [.presentCard])
        #expect(action.quiet == Step(.publish(.waitingForCard), then: .waitForCard(Poll(timeout: .seconds(90)))))
    }

    @Test("P7: a card that stays is asked to leave before the next payment, as long as a card may take to come")
    func aCardThatStaysIsAskedToLeave() {
        var machine = machine()
        _ = announced(&machine)
        _ = machine.cardArrived(.removed)
        pay(&machine)
        #expect(machine.isIdle && !machine.isFieldEmpty)
        _ = announced(&machine, Sample.record(Sample.otherKey))
        let action = machine.cardArrived(.nothing)
        #expect(action.prompts == [.removeCard])
        let wait = Poll(removalFirst: true, timeout: .seconds(90))
        #expect(action.quiet == Step(then: .waitForCard(wait)))
        var left = machine
        #expect(left.cardArrived(.removed).prompts == [.presentCard])
        // The card never leaves: no card was accepted, and the display invites nobody.
        #expect(machine.cardArrived(.nothing).operation == .fieldOff(.zero))
        let end = machine.fieldSwitchedOff()
        #expect(end.operation == .finish(.tap(.cancelled(.cardLeft))) && end.prompts == [.clearDisplay])
    }

    @Test("P7: a card that was seen to leave, or a field in which none came, needs no second look")
    func aFieldThatIsKnownToBeEmptyIsNotLookedAt() {
        var machine = machine()
        _ = announced(&machine)
        _ = machine.cardArrived(.removed)
        _ = machine.cardArrived(.nothing)
        _ = machine.fieldSwitchedOff()
        #expect(
            announced(&machine, Sample.record(Sample.otherKey)).quiet.operation
                == .waitForCard(
                    Poll(timeout: .seconds(90))))
        // A reader that was disconnected may come back with a card on it.
        for goes in [true, false] {
            var gone = machine
            if goes { _ = gone.cardArrived(.readerGone) } else { _ = gone.departed(.notReady) }
            #expect(!gone.isFieldEmpty)
        }
    }

    @Test("P7: only a removal empties the field: no fault, no collision, no link that broke")
    func onlyARemovalEmptiesTheField() {
        for event in [CardEvent.card, .collision, .collisionCleared, .fault(.removed), .nothing] {
            var machine = machine()
            machine.isFieldEmpty = event != .nothing
            machine.state = .waitingForCard(Sample.run())
            _ = machine.cardArrived(event)
            #expect(!machine.isFieldEmpty, "\(event)")
            if event == .card {
                machine.state = .exchanging(Sample.run())
                _ = machine.exchanged(.fault(.removed))
                #expect(!machine.isFieldEmpty)
            }
        }
    }

    @Test("P7: an interruption and a reader that goes end the wait for the removal")
    func theWaitForTheRemovalEnds() {
        for isAsked in [false, true] {
            var machine = machine()
            _ = announced(&machine)
            if isAsked { _ = machine.cardArrived(.nothing) }
            var gone = machine
            #expect(gone.cardArrived(.readerGone).operation == .finish(.tap(.cancelled(.readerDetached))))
            _ = machine.endRequested(.requested)
            _ = machine.cardArrived(.nothing)
            #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.cancelled(.requested))))
        }
    }

    @Test("P7: what a transport reports that knows no removals is for the kernel")
    func aTransportWithoutRemovalsIsNotStuck() {
        for (event, operation) in [
            (CardEvent.card, ReaderAction.Operation.replyCard), (.collision, .reply(.collision)),
            (.fault(.timeout), .reply(.fault(.timeout))),
        ] {
            var machine = machine()
            _ = announced(&machine)
            let action = machine.cardArrived(event)
            #expect(action.operation == operation && action.prompts == [.presentCard])
            #expect(action.effects.contains(.publish(.waitingForCard)))
        }
    }

    @Test("P7: without the option, for a verification and while the tap is left, nothing is looked for")
    func whoDoesNotWait() {
        var off = Sample.machine()
        #expect(announced(&off).operation == .waitForCard(Poll()))
        var machine = machine()
        let purpose = TapRecord.Purpose.verification(VerificationRequest(reason: .verify, currency: .eur))
        let record = TapRecord(key: Sample.key, purpose: purpose, moment: noon)
        #expect(announced(&machine, record).operation == .waitForCard(Poll(timeout: .seconds(90))))
    }

    // MARK: A card that another program is using

    @Test("P12: who has the card is said while the tap waits on, and is how it ends if that stays so")
    func whoHasTheCardIsSaid() {
        let fault = ReaderFault(.inUse, "other (4711) uses the card. kill 4711")
        var machine = Sample.machine { $0.cardTimeout = .seconds(90) }
        _ = announced(&machine)
        #expect(
            machine.cardArrived(.inUse(fault))
                == Step(
                    .publish(.cardInUse(fault)), then: .waitForCard(Poll(timeout: .seconds(90)))))
        var freed = machine, gone = machine
        #expect(freed.cardArrived(.card).operation == .replyCard)
        _ = gone.cardArrived(.nothing)
        #expect(gone.fieldSwitchedOff().operation == .finish(.tap(.cancelled(.timedOut))))
        _ = machine.cardArrived(.inUse(fault))
        #expect(machine.fieldSwitchedOff().operation == .finish(.tap(.failed(.reader(fault)))))
        #expect(TapOutcome.failed(.reader(fault)).problems.map(\.code) == [.readerInUse])
        // A read of passes only.
        var alone = Sample.machine()
        alone.state = .waitingForPrelude(PreludeRun(handle: Sample.prelude))
        #expect(alone.cardArrived(.inUse(fault)).effects.first == .publish(.cardInUse(fault)))
        _ = alone.cardArrived(.inUse(fault))
        #expect(alone.fieldSwitchedOff().operation == .finish(.prelude(.failed(.reader(fault)))))
        // The card has to leave before a payment, whichever program is using it.
        var left = self.machine()
        _ = announced(&left)
        #expect(left.cardArrived(.inUse(fault)).prompts == [.removeCard])
    }

    // MARK: Two cards

    @Test(
        "P13: \"One card only\" is said once, and long enough to be read",
        arguments: [
            SimulatedTap.collision, .collisionStays,
        ]) func oneCardOnlyIsSaidOnce(_ tap: SimulatedTap) async
    {
        let reader = reader(SimulatedReader(tap))
        let all = collect(reader.events(), until: isFinished)
        _ = await reader.read(PaymentRequest(amount: eur(tap.amount)))
        let prompts = await all.value.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
        let said = prompts.filter { $0.message == .oneCardOnly }
        #expect(said.count == 1 && said.first?.cue == .alert)
        #expect(said.allSatisfy { $0.hold >= .milliseconds(500) })
    }

    // MARK: The reader

    private func reader(_ transport: SimulatedReader, _ timeout: Duration = .milliseconds(300)) -> TapReader {
        TapReader(
            transport, configuration: .simulator(),
            options: with(.init(cardTimeout: timeout)) {
                $0.clock = { noon }
                $0.openDeadline = nil
            })
    }

    private func request(_ key: String) -> PaymentRequest {
        PaymentRequest(amount: eur(1250), key: ReconciliationKey(rawValue: key))
    }

    private func booked(_ host: SimulatedAuthorizer) async -> Int {
        await host.ledger.values.count { $0 == .approved }
    }

    @Test("P7: three sales in a row with a card left on the reader book once")
    func threeSalesBookOnce() async {
        let transport = SimulatedReader(CardProfile.named("online")!), host = SimulatedAuthorizer()
        let reader = reader(transport)
        let first = await reader.charge(request("1"), with: host)
        await transport.leaveCard()
        #expect(first.name == .approved)
        // The second payment is the button pressed again after "Approved".
        for key in ["2", "3"] {
            #expect(await reader.charge(request(key), with: host).ending == .notRead(.cancelled(.cardLeft)))
        }
        #expect(await booked(host) == 1)
        // Another process did not see the card arrive.
        let other = self.reader(transport)
        #expect(await other.charge(request("4"), with: host).ending == .notRead(.cancelled(.cardLeft)))
        #expect(await booked(host) == 1)
    }

    @Test("P7: a card that leaves and returns pays, and the display asked it to leave")
    func aCardThatReturnsPays() async throws {
        let transport = SimulatedReader(CardProfile.named("online")!), host = SimulatedAuthorizer()
        let reader = reader(transport, .seconds(60))
        #expect(await reader.charge(request("1"), with: host).name == .approved)
        await transport.leaveCard()
        let prompts = collect(reader.events(), until: isFinished)
        let second = Task { await reader.charge(request("2"), with: host) }
        for await event in reader.events() {
            if case .prompt(let prompt) = event, prompt.message == .removeCard { break }
        }
        await transport.removeCard()
        for await event in reader.events() where event == .waitingForCard { break }
        await transport.leaveCard()
        #expect(await second.value.name == .approved)
        #expect(await booked(host) == 2)
        let shown = await prompts.value.compactMap { if case .prompt(let prompt) = $0 { prompt.message } else { nil } }
        #expect(shown.first { [.removeCard, .presentCard].contains($0) } == .removeCard)
    }

    @Test("P7: nobody's card is waited for longer than a minute and a half")
    func theDefaultsAreSafe() {
        let options = TapReader.Options()
        #expect(options.cardTimeout == .seconds(90) && options.waitsForEmptyField)
    }
}
