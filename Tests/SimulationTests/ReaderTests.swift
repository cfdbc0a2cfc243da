// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct ScriptedCardTests {
    private let script: [ScriptedCard.Line] = [
        .exchange(
            command: [0x00, 0xA4, 0x04, 0x00, 0x01, 0xAA, 0x00], reply: .response([0x90, 0x00], milliseconds: 3)),
        .exchange(command: [0x80, 0xA8, 0x00, 0x00, 0x02, 0x83, 0x00], reply: .timeout),
        .presentment,
        .collision,
        .exchange(command: [0x00, 0xB2, 0x01, 0x14, 0x00], reply: .response([0x6A, 0x83], milliseconds: 0)),
    ]

    @Test func scriptPlaysInOrder() {
        var card = ScriptedCard(script)
        #expect(card.poll() == .one)
        #expect(card.exchange([0x00, 0xA4, 0x04, 0x00, 0x01, 0xAA, 0x00]) == .response([0x90, 0x00], milliseconds: 3))
        #expect(card.exchange([0x80, 0xA8, 0x00, 0x00, 0x02, 0x83, 0x00]) == .timeout)
        #expect(card.remaining == 1)
        card.reset()
        #expect(card.poll() == .collision)
        #expect(card.poll() == .one)
        #expect(card.exchange([0x00, 0xB2, 0x01, 0x14, 0x00]) == .response([0x6A, 0x83], milliseconds: 0))
        #expect(card.isComplete)
    }

    @Test func firstDifferenceIsKept() {
        var card = ScriptedCard(script)
        _ = card.exchange([0x00, 0xA4, 0x04, 0x00, 0x01, 0xBB, 0x00])
        _ = card.exchange([0x00])
        #expect(card.difference?.line == 0)
        #expect(card.difference?.offset == 5)
        #expect(!card.isComplete)
    }

    @Test func headersMatchWithoutData() {
        var card = ScriptedCard(script, match: .header)
        #expect(card.exchange([0x00, 0xA4, 0x04, 0x00, 0x01, 0xAA]) == .response([0x90, 0x00], milliseconds: 3))
        #expect(card.exchange([0x80, 0xA8, 0x00, 0x00, 0x03, 0x83, 0x01, 0x05, 0x00]) == .timeout)
        #expect(card.difference == nil)
        var other = ScriptedCard(script, match: .header)
        _ = other.exchange([0x00, 0xA4, 0x04, 0x00, 0x01, 0xBB, 0x00])
        #expect(other.difference != nil)
    }

    @Test func commandAfterTheEndIsADifference() {
        var card = ScriptedCard([])
        _ = card.exchange([0x00])
        #expect(card.difference == .init(line: 0, expected: nil, received: [0x00], offset: 0))
    }
}

@Suite struct FaultyCardTests {
    private let select = PlainTerminal.select(Array("2PAY.SYS.DDF01".utf8))

    private func reply(_ fault: FaultPlan.Fault) -> CardReply {
        var card = FaultyCard(VirtualCard(CardProfile.named("noPPSE")!), FaultPlan(at: 1, fault))
        _ = card.poll()
        return card.exchange(select)
    }

    @Test func faultsHappenAsPlanned() {
        #expect(reply(.drop) == .timeout)
        #expect(reply(.loseResponse) == .timeout)
        #expect(reply(.truncate(1)) == .response([0x6A], milliseconds: 0))
        #expect(reply(.flip(byte: 1, bit: 2)) == .response([0x6A, 0x80], milliseconds: 0))
        #expect(reply(.replace([0x90, 0x00])) == .response([0x90, 0x00], milliseconds: 0))
        #expect(reply(.delay(milliseconds: 70)) == .response([0x6A, 0x82], milliseconds: 70))
        #expect(reply(.transmissionError) == .transmissionError)
        #expect(reply(.protocolError) == .protocolError)
        #expect(reply(.remove) == .removed)
        #expect(reply(.removeAfter) == .removed)
    }

    @Test func droppedCommandIsNotHeardAndLostResponseIs() {
        for (fault, counter) in [(FaultPlan.Fault.drop, UInt16(0x14)), (.loseResponse, 0x15)] {
            var card = FaultyCard(VirtualCard(CardProfile.named("online")!), FaultPlan(at: 3, fault))
            var plain = VirtualCard(CardProfile.named("online")!)
            for exchange in PlainTerminal().tap(&plain).exchanges { _ = card.exchange(exchange.command) }
            #expect(card.card.transactionCounter == counter)
        }
    }

    @Test func removedCardStaysAwayUntilItIsPresented() {
        var card = FaultyCard(VirtualCard(CardProfile.named("online")!), FaultPlan(at: 1, .remove))
        #expect(card.exchange(select) == .removed)
        #expect(card.exchange(select) == .removed)
        #expect(card.poll() == .one)
        #expect(card.exchange(select) != .removed)
    }

    @Test func collisionsHappenAtTheirPoll() {
        var card = FaultyCard(VirtualCard(CardProfile.named("online")!), FaultPlan(collisions: [2]))
        #expect([card.poll(), card.poll(), card.poll()] == [.one, .collision, .one])
    }

    @Test func equalSeedsMakeEqualPlans() {
        for seed in 0..<200 as Range<UInt64> { #expect(FaultPlan(seed: seed) == FaultPlan(seed: seed)) }
        #expect(Set((0..<200 as Range<UInt64>).map { FaultPlan(seed: $0) }).count > 100)
    }

    @Test func anyPlanIsSurvived() {
        for seed in 0..<300 as Range<UInt64> {
            var card = FaultyCard(VirtualCard(CardProfile.named("online")!), FaultPlan(seed: seed, exchanges: 3))
            _ = card.poll()
            for _ in 0..<4 { _ = card.exchange(select) }
            card.reset()
        }
    }
}

@Suite struct TwoCardsTests {
    @Test func secondCardGoesAfterItsPolls() {
        var field = TwoCards(
            VirtualCard(CardProfile.named("noPPSE")!), VirtualCard(CardProfile.named("online")!), collidingPolls: 2)
        #expect(field.exchange([0x00]) == .transmissionError)
        #expect([field.poll(), field.poll(), field.poll()] == [.collision, .collision, .one])
        #expect(field.exchange([0x00]) == .response([0x67, 0x00], milliseconds: 0))
    }
}

@Suite struct ManInTheMiddleTests {
    private let terminal = PlainTerminal(qualifiers: "36404000")

    /// Taps a plain card through a relay, replaying command by command.
    private func replies(_ name: String, _ edits: [CardEdit]) -> [[UInt8]] {
        var plain = VirtualCard(CardProfile.named(name)!)
        var relay = ManInTheMiddle(VirtualCard(CardProfile.named(name)!), edits)
        return terminal.tap(&plain).exchanges.map { exchange in
            guard case .response(let bytes, _) = relay.exchange(exchange.command) else { return [] }
            return bytes
        }
    }

    private func qualifiers(_ edits: [CardEdit]) -> String? {
        PlainTerminal.find(0x9F6C, in: Array(replies("online", edits)[2].dropLast(2)))?.hex
    }

    @Test func relayWithoutEditsIsInvisible() {
        var plain = VirtualCard(CardProfile.named("fdda")!)
        #expect(replies("fdda", []) == terminal.tap(&plain).exchanges.map(\.response))
    }

    @Test func responseBitsAreEdited() {
        #expect(qualifiers([]) == "8000")
        let edits: [CardEdit] = [
            .init(.options, .response(.clearBits(0x9F6C, [0x80, 0x00]))),
            .init(.options, .response(.setBits(0x9F6C, [0x00, 0x80]))),
        ]
        #expect(qualifiers(edits) == "0080")
        #expect(qualifiers([.init(.options, .response(.remove(0x9F6C)))]) == nil)
        #expect(qualifiers([.init(.options, .response(.replace(0x9F6C, [0x01])))]) == "01")
    }

    @Test func commandBitsAreEditedThroughTheList() {
        // Without "CVM required" the card has nothing to request.
        #expect(qualifiers([.init(.options, .command(.clearBits(0x9F66, [0x00, 0x40])))]) == "0000")
    }

    @Test func insertedAndRepeatedObjectsKeepTheTemplateRight() throws {
        for edit in [CardEdit.ResponseChange.insert(0x9F69, [0x01]), .duplicate(0x57)] {
            let plain = replies("online", [])[2]
            let edited = replies("online", [.init(.options, .response(edit))])[2]
            let outer = try #require(DataObject.parse(Array(edited.dropLast(2))))
            #expect(outer.count == 1)
            #expect(edited.count > plain.count)
        }
    }

    /// Commands are counted over all presentments; a byte that does not exist is not changed.
    @Test func bitsOfTheNthCommandAreFlipped() {
        let plain = replies("online", [])
        var expected = plain
        expected[1][3] ^= 0x81
        #expect(replies("online", [.init(.number(2), .response(.flip(byte: 3, mask: 0x81)))]) == expected)
        #expect(replies("online", [.init(.number(2), .response(.flip(byte: 3000, mask: 0x81)))]) == plain)
        let changed = replies("online", [.init(.number(1), .command(.flip(byte: 1, mask: 0xFF)))])
        #expect(changed[0] != plain[0])
        #expect(replies("online", [.init(.number(1), .command(.flip(byte: 3000, mask: 0xFF)))]) == plain)

        var relay = ManInTheMiddle(
            VirtualCard(CardProfile.named("online")!), [.init(.number(2), .answer([0x6F, 0x00]))])
        let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x0E] + VirtualCard.directoryName + [0x00]
        let first = relay.exchange(select)
        relay.reset()
        #expect(relay.exchange(select) == .response([0x6F, 0x00], milliseconds: 0))
        #expect(relay.exchange(select) == first)
    }

    @Test func answersOfTheRelayNeverReachTheCard() {
        var relay = ManInTheMiddle(
            VirtualCard(CardProfile.named("online")!), [.init(.options, .answer([0x69, 0x86]))])
        var plain = VirtualCard(CardProfile.named("online")!)
        for exchange in terminal.tap(&plain).exchanges { _ = relay.exchange(exchange.command) }
        #expect(relay.card.transactionCounter == 0x14)
    }

    @Test func recordsAreCounted() {
        let edits: [CardEdit] = [.init(.record(2), .response(.statusWord(.recordNotFound)))]
        var talk = VirtualCard(CardProfile.named("fdda")!)
        let plain = PlainTerminal().tap(&talk)
        var relay = ManInTheMiddle(VirtualCard(CardProfile.named("fdda")!), edits)
        var statuses: [String] = []
        for exchange in plain.exchanges {
            if case .response(let bytes, _) = relay.exchange(exchange.command) { statuses.append(bytes.suffix(2).hex) }
        }
        #expect(statuses.enumerated().filter { $0.element == "6A83" }.map(\.offset) == [4])
    }
}
