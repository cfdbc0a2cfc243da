// SPDX-License-Identifier: Apache-2.0
import EMVKit
import TestData
import Testing

@testable import EMVLoyalty

/// A state walk through every dialogue: forks it at each wait, gives every class of answer, and compares the observed
/// edges with the declared ones.
@Suite struct DialogueWalkTests {
    private typealias Vectors = SmartTapVectors

    /// One answer of each class; an answer that is right in one phase is invalid in another.
    private static let answers: [DialogueAnswer] =
        [
            .response(VASVectors.selected), .response(Vectors.selected), .response(Vectors.selectedAgain),
            .response(Vectors.negotiated()), .response(Vectors.data() + [0x90, 0x00]),
            .response(Vectors.data() + [0x91, 0x01]), .response(VASVectors.answer(VASVectors.cryptogram)),
            .response([]), .response([0x90]), .response(Bytes(repeating: 0xFF, count: 5_000)),
            .signature(Vectors.signature), .signature(nil), .over,
        ] + LinkFault.allCases.map { .fault($0) }
        + ([0x9000, 0x9001, 0x9002, 0x9100, 0x9101, 0x9201, 0x9300, 0x9302, 0x9406, 0x9500, 0x6A82, 0x6A83] as [UInt16])
        .map { .response([UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]) }

    private struct Edges {
        var whole: [WalletDialogue.Phase: Set<WalletDialogue.Phase>] = [:]
        var vas: [VASDialogue.Phase: Set<VASDialogue.Phase>] = [:]
        var smartTap: [SmartTapDialogue.Phase: Set<SmartTapDialogue.Phase>] = [:]

        mutating func note(_ before: WalletDialogue, _ after: WalletDialogue) {
            whole[before.phase, default: []].insert(after.phase)
            if let one = before.vas, let other = after.vas { vas[one.phase, default: []].insert(other.phase) }
            if let other = after.smartTap {
                let one = before.smartTap?.phase ?? .idle
                smartTap[one, default: []].insert(other.phase)
            }
        }
    }

    /// Every distinct dialogue is visited once, so the walk ends.
    private func walk(_ start: WalletDialogue) -> (edges: Edges, waits: Int) {
        var edges = Edges(), seen: Set<WalletDialogue> = [], open: [WalletDialogue] = []
        var first = start
        _ = first.next(nil)
        edges.note(start, first)
        open.append(first)
        while let dialogue = open.popLast() {
            guard dialogue.phase != .ended, seen.insert(dialogue).inserted else { continue }
            for answer in DialogueWalkTests.answers {
                var next = dialogue
                let step = next.next(answer)
                edges.note(dialogue, next)
                #expect((step == .finished) == (next.phase == .ended))
                #expect(next.findings.count == dialogue.findings.count)
                open.append(next)
            }
            // Every wait can be left separately.
            var exit = dialogue
            #expect(exit.next(.over) == .finished && exit.next(.over) == .finished && exit.next(nil) == .finished)
        }
        return (edges, seen.count)
    }

    @Test func declaredEdgesAreObservedAndNoOthers() throws {
        var all = Edges(), waits = 0
        let requests = [
            try LoyaltyRequest([programme("a", signUp: "https://a.example"), programme("b"), collector("g")]),
            try LoyaltyRequest([]), try LoyaltyRequest([collector("g")]),
        ]
        for request in requests {
            for purpose in LoyaltyPurpose.allCases {
                let (edges, count) = walk(WalletDialogue(request, purpose, terminal: Vectors.terminal))
                waits += count
                all.whole.merge(edges.whole) { $0.union($1) }
                all.vas.merge(edges.vas) { $0.union($1) }
                all.smartTap.merge(edges.smartTap) { $0.union($1) }
            }
        }
        // A phone without the application ends Smart Tap before it begins.
        var absent = SmartTapSelection()
        absent.isAbsent = true
        var dialogue = SmartTapDialogue(
            collector: 1, keyVersion: 1, kinds: [.loyalty], purpose: .andPayment, terminal: Vectors.terminal,
            selection: absent)
        #expect(dialogue.next(nil) == .finished)
        all.smartTap[.idle, default: []].insert(dialogue.phase)
        #expect(all.whole == WalletDialogue.edges.filter { !$0.value.isEmpty })
        #expect(all.vas == VASDialogue.edges.filter { !$0.value.isEmpty })
        #expect(all.smartTap == SmartTapDialogue.edges.filter { !$0.value.isEmpty })
        #expect(Set(WalletDialogue.edges.keys) == Set(WalletDialogue.Phase.allCases))
        #expect(Set(SmartTapDialogue.edges.keys) == Set(SmartTapDialogue.Phase.allCases))
        #expect(waits > 200)
    }

    /// Whatever the answers, a dialogue sends no more commands than its limits allow.
    @Test func noDialogueGoesOnForEver() throws {
        let request = try LoyaltyRequest((0..<5).map { programme("p\($0)") } + [collector("g")])
        // Selections, signature, negotiation, data and a single repetition, parts.
        let most = 2 + 1 + 1 + 1 + 1 + SmartTapDialogue.maximumParts
        for seed in 1...3_000 as ClosedRange<UInt64> {
            var generator = SeededRandom(seed: seed)
            var dialogue = WalletDialogue(request, .andPayment, terminal: Vectors.terminal)
            var step = dialogue.next(nil), count = 0
            while step != .finished {
                count += 1
                #expect(count <= most, "seed \(seed)")
                guard count <= most else { break }
                let right = DialogueWalkTests.right(dialogue)
                let isRight = UInt8.random(in: 0...9, using: &generator) < 8
                step = dialogue.next(
                    isRight ? right : DialogueWalkTests.answers.randomElement(using: &generator)!)
            }
        }
    }

    private static func right(_ dialogue: WalletDialogue) -> DialogueAnswer {
        switch (dialogue.phase, dialogue.smartTap?.phase) {
        case (.smartTap, .selecting): .response(Vectors.selectedAgain)
        case (.smartTap, .signing): .signature(Vectors.signature)
        case (.smartTap, .negotiating): .response(Vectors.negotiated())
        case (.smartTap, _): .response([0x91, 0x00])
        case (.vas, _): .response(VASVectors.answer(VASVectors.cryptogram))
        default: .response(Vectors.selected)
        }
    }
}
