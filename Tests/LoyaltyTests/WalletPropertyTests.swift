// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVLoyalty

/// Row Y12: what the fuzzer has kept, and the fewest of its inputs that reach as much (`Scripts/fuzz passes wallet`).
@Suite struct WalletPropertyTests {
    private func inputs(_ kind: String, _ target: String) throws -> [(name: String, bytes: Bytes)] {
        let folder = WalletProperties.fuzz.appending(path: "\(kind)/\(target)")
        // Nothing is kept until something has crashed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return try names.sorted().map { name in
            ("\(kind)/\(target)/\(name)", Bytes(try Data(contentsOf: folder.appending(path: name))))
        }
    }

    @Test(arguments: ["Corpus", "Kept"]) func whatTheFuzzerKeptOfWalletsHolds(_ kind: String) throws {
        for (name, bytes) in try inputs(kind, "passes") {
            #expect(WalletProperties.violated(byAnswer: bytes) == nil, "\(name)")
        }
        for (name, bytes) in try inputs(kind, "wallet") {
            #expect(WalletProperties.violated(byDialogue: bytes) == nil, "\(name)")
        }
    }

    /// Else the properties hold of nothing.
    @Test func theCorpusComesToEveryOutcome() throws {
        #expect(try inputs("Corpus", "passes").count > 100)
        var names: Set<PassOutcomeName> = [], bundles = 0, longest = 0
        for (_, bytes) in try inputs("Corpus", "wallet") {
            let played = WalletProperties.play(bytes)
            longest = max(longest, played.commands)
            for finding in played.findings {
                switch finding {
                case .outcome(let outcome): names.insert(outcome.name)
                case .bundle: bundles += 1
                }
            }
        }
        #expect(names == Set(PassOutcomeName.allCases).subtracting([.read]) && bundles > 1)
        // Door, selection, negotiation, data, and every part that there may be.
        #expect(longest >= 4 + SmartTapDialogue.maximumParts)
    }

    /// The published answers are read, each by its decoder, and hold the properties when a bit is changed.
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
