// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVLoyalty

/// Row Y12: replays the inputs in Fuzz: the failing cases that the fuzzer kept, and its small corpus
/// (`Scripts/fuzz passes wallet`).
@Suite struct WalletPropertyTests {
    private func inputs(_ kind: String, _ target: String) throws -> [(name: String, bytes: Bytes)] {
        let folder = WalletProperties.fuzz.appending(path: "\(kind)/\(target)")
        // Without a crash the fuzzer has kept nothing.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return try names.sorted().map { name in
            ("\(kind)/\(target)/\(name)", Bytes(try Data(contentsOf: folder.appending(path: name))))
        }
    }

    @Test(arguments: ["Corpus", "Kept"]) func whatTheFuzzerKeptOfWalletsHolds(_ kind: String) throws {
        let passes = try inputs(kind, "passes"), wallets = try inputs(kind, "wallet")
        #expect(kind == "Kept" || !passes.isEmpty && !wallets.isEmpty)
        for (name, bytes) in passes { #expect(WalletProperties.violated(byAnswer: bytes) == nil, "\(name)") }
        for (name, bytes) in wallets { #expect(WalletProperties.violated(byDialogue: bytes) == nil, "\(name)") }
    }

    /// Dialogues that leave the path of a complete one after some steps and get one other answer until they end: the
    /// properties hold, and every outcome occurs.
    @Test func dialoguesEndWithEveryOutcome() {
        var names: Set<PassOutcomeName> = [], bundles = 0, longest = 0
        func play(_ input: Bytes) {
            let played = WalletProperties.play(input)
            #expect(played.violated == nil, "\(Hex.string(input))")
            longest = max(longest, played.commands)
            for finding in played.findings {
                switch finding {
                case .outcome(let outcome): names.insert(outcome.name)
                case .bundle: bundles += 1
                }
            }
        }
        for request in UInt8(0)..<7 {
            for path in [[0], [1, 2, 3, 9, 10], [1, 2, 3, 5]] as [Bytes] {
                for length in 0...path.count {
                    for other in UInt8(0)..<25 {
                        let answers = Bytes(path.prefix(length)) + Bytes(repeating: other, count: 17)
                        for purpose in UInt8(0)..<4 { play([purpose, request] + answers) }
                    }
                }
            }
        }
        #expect(names == Set(PassOutcomeName.allCases).subtracting([.read]) && bundles > 1)
        // Entry, selection, negotiation, data, and the maximum number of parts.
        #expect(longest >= 4 + SmartTapDialogue.maximumParts)
    }

    /// Each published answer is read by its decoder, and the properties hold after any bit is changed.
    @Test func publishedAnswersHoldTheProperties() throws {
        let answers: [(UInt8, Bytes)] = [
            (0, VASVectors.selected.dropLast(2)), (0, SmartTapVectors.selected.dropLast(2)),
            (1, VASVectors.answer(VASVectors.cryptogram)), (1, [0x62, 0x87]),
            (2, SmartTapVectors.negotiated().dropLast(2)),
            (3, SmartTapVectors.selectedAgain.dropLast(2)), (3, SmartTapVectors.negotiated().dropLast(2)),
            (3, SmartTapVectors.data()), (4, SmartTapVectors.plain),
        ]
        for (decoder, answer) in answers {
            #expect(WalletProperties.violated(byAnswer: [decoder] + answer) == nil)
            for place in answer.indices {
                for bit in 0..<8 {
                    var changed = answer
                    changed[place] ^= 1 << UInt8(bit)
                    let violated = WalletProperties.violated(byAnswer: [decoder] + changed)
                    #expect(violated == nil, "\(decoder), \(place), \(bit)")
                }
            }
        }
    }
}
