// SPDX-License-Identifier: Apache-2.0
import EMVKit

#if !FUZZING
import Foundation

@testable import EMVPN532

extension CodecProperties {
    static let fuzz = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz")
}
#endif

/// Properties of the frame parser and of the list of cards that hold for any bytes from a serial line. The fuzzer
/// (`Scripts/fuzz pn532`) compiles this file together with the codec; the ordinary tests replay the inputs that it
/// kept.
enum CodecProperties {
    /// The property that the input violates; `nil` if all hold.
    static func violated(by input: Bytes) -> String? {
        let whole = parsed([input])
        guard let whole else { return "more bytes are kept than the longest frame has" }
        if let violated = sameInPieces(input, whole) ?? readAgain(whole, from: input) ?? foundBehind(input) {
            return violated
        }
        for type in PN532CardType.allCases {
            if let violated = listed(input, type) { return violated }
        }
        return nil
    }

    /// `nil`: the parser stores too many bytes.
    private static func parsed(_ pieces: [Bytes]) -> [PN532Frame]? {
        var parser = PN532FrameParser(), frames: [PN532Frame] = []
        for piece in pieces {
            parser.append(piece)
            while let frame = parser.next() { frames.append(frame) }
            guard parser.pendingCount <= PN532Frame.longest + 10 else { return nil }
        }
        return frames
    }

    /// Bytes arrive from a line in pieces of any size.
    private static func sameInPieces(_ input: Bytes, _ whole: [PN532Frame]) -> String? {
        if parsed(input.map { [$0] }) != whole { return "byte by byte other frames are read" }
        guard let first = input.first else { return nil }
        let cut = min(Int(first), input.count)
        return parsed([Bytes(input[..<cut]), Bytes(input[cut...])]) == whole ? nil : "cut in two other frames are read"
    }

    /// A frame that was read is within the length limits, is read again after it has been written, and occurs in the
    /// input with its checksum.
    private static func readAgain(_ frames: [PN532Frame], from input: Bytes) -> String? {
        for case .data(let content) in frames {
            guard (1...PN532Frame.longest).contains(content.count) else { return "a frame of \(content.count) bytes" }
            let written = PN532Frame.encode(content, direction: PN532Frame.toHost)
            guard parsed([written]) == [.data(content)] else { return "not read again as it was written" }
            let body = written.suffix(content.count + 3).dropLast()
            guard body.first == PN532Frame.toHost, input.indices.contains(where: { input[$0...].starts(with: body) })
            else { return "a frame that did not come" }
        }
        return nil
    }

    /// Noise hides the next frame for at most the length of the longest frame.
    private static func foundBehind(_ noise: Bytes) -> String? {
        let answer: Bytes = [0x41, 0x00, 0x90, 0x00]
        var parser = PN532FrameParser()
        parser.append(noise + Bytes(repeating: 0, count: PN532Frame.longest + 10))
        while parser.next() != nil {}
        parser.append(PN532Frame.encode(answer, direction: PN532Frame.toHost))
        return parser.next() == .data(answer) ? nil : "the frame behind noise is not found"
    }

    private static func listed(_ input: Bytes, _ type: PN532CardType) -> String? {
        guard let targets = PN532Target.targets(input[...], type) else { return nil }
        guard targets.count == Int(input[0]), Set(targets.map(\.number)).count == targets.count,
            targets.allSatisfy({ (1...2).contains($0.number) })
        else { return "cards are listed that cannot be told apart" }
        // Each byte belongs to the list: with one byte less or more it is invalid.
        guard PN532Target.targets(input.dropLast(), type) == nil, PN532Target.targets((input + [0])[...], type) == nil
        else { return "a list of any length is taken" }
        return nil
    }
}
