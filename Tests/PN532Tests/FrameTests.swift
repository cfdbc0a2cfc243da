// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import TestData
import Testing

@testable import EMVPN532

/// The codec against an independent encoder, noise, and every small change.
@Suite struct FrameTests {
    private func frames(_ bytes: Bytes) -> [PN532Frame] {
        var parser = PN532FrameParser()
        parser.append(bytes)
        return drain(&parser)
    }

    private func drain(_ parser: inout PN532FrameParser) -> [PN532Frame] {
        var frames: [PN532Frame] = []
        while let frame = parser.next() { frames.append(frame) }
        return frames
    }

    private func data(_ count: Int) -> Bytes { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 0x41) } }

    @Test func publishedFramesAreRead() {
        #expect(frames([0, 0, 0xFF, 0, 0xFF, 0]) == [.ack])
        #expect(frames([0, 0, 0xFF, 0xFF, 0, 0]) == [.nack])
        #expect(frames([0, 0, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0]) == [.error])
        // GetFirmwareVersion and its answer, as the application notes print them.
        #expect(PN532Frame.encode([0x02]) == [0, 0, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0])
        #expect(
            frames([0, 0, 0xFF, 0x06, 0xFA, 0xD5, 0x03, 0x32, 0x01, 0x06, 0x07, 0xE8, 0])
                == [.data([0x03, 0x32, 0x01, 0x06, 0x07])])
    }

    @Test func everyLengthIsReadAsItWasWritten() {
        for count in 1...PN532Frame.longest {
            #expect(frames(EmulatedChip.frame(data(count))) == [.data(data(count))])
            #expect(PN532Frame.encode(data(count), direction: 0xD5) == EmulatedChip.frame(data(count)))
        }
    }

    @Test func everySplitGivesTheSameFrames() {
        let stream =
            PN532Frame.ackBytes + EmulatedChip.frame(data(9)) + PN532Frame.nackBytes
            + EmulatedChip.frame(data(260))
        let expected = frames(stream)
        #expect(expected == [.ack, .data(data(9)), .nack, .data(data(260))])
        for split in 0...stream.count {
            var parser = PN532FrameParser()
            parser.append(Bytes(stream[..<split]))
            let first = drain(&parser)
            parser.append(Bytes(stream[split...]))
            #expect(first + drain(&parser) == expected)
        }
        var parser = PN532FrameParser()
        var found: [PN532Frame] = []
        for byte in stream {
            parser.append([byte])
            found += drain(&parser)
        }
        #expect(found == expected)
    }

    /// A flipped bit never turns an answer into another valid answer.
    @Test(arguments: [1, 2, 20, 254, 255, 264]) func noFlippedBitIsBelieved(count: Int) {
        let content = data(count)
        let frame = EmulatedChip.frame(content)
        for bit in 0..<frame.count * 8 {
            var changed = frame
            changed[bit / 8] ^= 1 << (bit % 8)
            for found in frames(changed) {
                if case .data(let bytes) = found {
                    #expect(bytes == content && !(3..<frame.count - 1).contains(bit / 8))
                }
            }
        }
    }

    @Test func truncatedFramesAreNotFrames() {
        let frame = EmulatedChip.frame(data(260))
        // A frame is complete without its postamble.
        for count in 0..<frame.count - 1 { #expect(frames(Bytes(frame[..<count])).isEmpty) }
    }

    @Test(
        arguments: [
            [0, 0, 0xFF, 0, 0], [0, 0, 0xFF, 5, 5], [0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x09, 0x00],
            // 266 and 65,535 bytes; no bytes.
            [0, 0, 0xFF, 0xFF, 0xFF, 0x01, 0x0A, 0xF5], [0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
            [0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0],
            // A frame from the host, and one without a code.
            [0, 0, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0], [0, 0, 0xFF, 0x01, 0xFF, 0xD5, 0x2B, 0],
        ] as [Bytes]) func malformedFramesAreDamaged(bytes: Bytes)
    {
        #expect(frames(bytes).first == .damaged)
        #expect(!frames(bytes).contains { if case .data = $0 { true } else { false } })
        #expect(frames(bytes + Bytes(repeating: 0, count: 300) + EmulatedChip.frame([3, 1])).last == .data([3, 1]))
    }

    /// Any bytes: no crash, bounded memory, and the frame after them is found.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func findsTheFrameBehindAnyNoise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let kept = [
            PN532Frame.ackBytes, PN532Frame.nackBytes, EmulatedChip.frame(data(3)), EmulatedChip.frame(data(262)),
            [0, 0xFF], [0, 0, 0xFF, 0xFF, 0xFF], [0x7F],
        ]
        for _ in 0..<500 {
            var parser = PN532FrameParser()
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                var piece = kept.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 0...3, using: &random) where !piece.isEmpty {
                    let index = Int.random(in: 0..<piece.count, using: &random)
                    switch UInt8.random(in: 0...2, using: &random) {
                    case 0: piece[index] = .random(in: 0...255, using: &random)
                    case 1: piece.remove(at: index)
                    default: piece.insert(.random(in: 0...255, using: &random), at: index)
                    }
                }
                parser.append(piece)
                for frame in drain(&parser) {
                    if case .data(let bytes) = frame { #expect((1...PN532Frame.longest).contains(bytes.count)) }
                }
                #expect(parser.pendingCount <= PN532Frame.longest + 10)
            }
            parser.append(Bytes(repeating: 0, count: 300))
            _ = drain(&parser)
            parser.append(EmulatedChip.frame([0x41, 0, 0x90, 0]))
            #expect(drain(&parser) == [.data([0x41, 0, 0x90, 0])])
        }
    }

    /// Replays the inputs in Fuzz: the failing cases that the fuzzer kept, and its small corpus (`Scripts/fuzz pn532`).
    @Test(arguments: ["Corpus", "Kept"]) func whatTheFuzzerKeptHolds(kind: String) throws {
        let files = FileManager.default, folder = CodecProperties.fuzz.appending(path: "\(kind)/pn532")
        // Without a crash the fuzzer has kept nothing.
        let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(kind == "Kept" || !names.isEmpty)
        for name in names {
            let input = try Data(contentsOf: folder.appending(path: name))
            #expect(CodecProperties.violated(by: Bytes(input)) == nil, "\(kind)/pn532/\(name)")
        }
    }

    // MARK: Targets

    private let cardA: Bytes = [1, 1, 0x00, 0x04, 0x20, 4, 8, 1, 2, 3, 5, 0x78, 0x80, 0x70, 0x02]
    private let cardB: Bytes = [1, 1, 0x50, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0x81, 0xE0, 1, 0]

    @Test func targetsAreRead() {
        #expect(PN532Target.targets([0], .a) == [])
        #expect(PN532Target.targets(cardA[...], .a) == [PN532Target(number: 1, isISODEP: true)])
        #expect(PN532Target.targets(cardB[...], .b) == [PN532Target(number: 1, isISODEP: true)])
        let tag: Bytes = [1, 1, 0x00, 0x04, 0x08, 7, 1, 2, 3, 4, 5, 6, 7]
        #expect(PN532Target.targets(tag[...], .a) == [PN532Target(number: 1, isISODEP: false)])
        let two = [2] + cardA.dropFirst() + [2] + tag.dropFirst(2)
        #expect(PN532Target.targets(two[...], .a)?.map(\.number) == [1, 2])
        let twice = [2] + cardA.dropFirst() + cardA.dropFirst()
        #expect(PN532Target.targets(twice[...], .a) == nil)
    }

    @Test func shortenedAndLengthenedTargetsAreRefused() {
        for (answer, type) in [(cardA, PN532CardType.a), (cardB, .b)] {
            for count in 0..<answer.count { #expect(PN532Target.targets(answer[..<count], type) == nil) }
            #expect(PN532Target.targets((answer + [0])[...], type) == nil)
            for byte in 0...255 as ClosedRange<UInt8> {
                for index in answer.indices {
                    var changed = answer
                    changed[index] = byte
                    let targets = PN532Target.targets(changed[...], type)
                    #expect((targets ?? []).allSatisfy { (1...2).contains($0.number) })
                }
            }
        }
    }

    // MARK: Errors

    @Test func everyErrorSaysWhatHappened() {
        for code in 1...63 as ClosedRange<UInt8> {
            let error = PN532Error.status(code)
            #expect(!error.explanation.isEmpty && error.description.contains("status"))
            #expect(PN532Error.knownStatuses.contains(code) || error.meaning == .link(.protocol))
        }
        for error: PN532Error in [.noAnswer, .damaged, .refused, .malformed, .streamEnded] {
            #expect(error.remedy != nil && error.description.contains(". "))
        }
        #expect(PN532Error.status(0x01).meaning == .link(.timeout))
        #expect(PN532Error.status(0x02).meaning == .link(.transmission))
        #expect(PN532Error.status(0x0B).meaning == .link(.protocol))
        #expect(PN532Error.status(0x2B).meaning == .link(.removed))
        #expect(PN532Error.status(0x0D).meaning == .reader(.failed))
    }
}
