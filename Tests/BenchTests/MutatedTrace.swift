// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVKit
import EMVPage
import EMVSimulator
import Foundation
import TestData

/// A committed trace with a recognisable account number in which a relay has changed responses, and all outputs of the
/// tools for it.
struct MutatedTrace {
    let trace: Trace
    /// The changes, for the message of a failing test.
    private(set) var changes: [String] = []
    /// All runs of eight digits of the account number: at least two digits of each must be masked.
    private let windows: Set<UInt32>

    /// The committed traces whose cards have an account number.
    static let names = IndependentTraces.all.names.filter { account(text($0)) != nil }

    private static func text(_ name: String) -> String {
        String(decoding: IndependentTraces.all.json(name), as: UTF8.self)
    }

    /// The digits after 5A or 57 in the text of a trace.
    private static func account(_ text: String) -> String? {
        for head in ["5A08", "5713", "5711"] {
            for part in text.components(separatedBy: head).dropFirst() {
                let digits = part.prefix { ("0"..."9").contains($0) }.prefix(16)
                if digits.count >= 15, digits.first != "0" { return String(digits) }
            }
        }
        return nil
    }

    /// A number as long as the account number and with its first six digits; its other digits occur nowhere else.
    static func marked(_ account: String) -> String {
        let number = account.prefix(6) + "57924680135".prefix(account.count - 7)
        var sum = 0
        for (place, digit) in number.reversed().enumerated() {
            let doubled = Int(String(digit))! * (place % 2 == 0 ? 2 : 1)
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return number + String((10 - sum % 10) % 10)
    }

    /// - Parameter seed: selects the trace's changes; `nil`: no change.
    init(_ name: String, seed: UInt64?) throws {
        let text = MutatedTrace.text(name)
        let old = MutatedTrace.account(text)!, new = MutatedTrace.marked(old)
        func spread(_ digits: String) -> String { digits.map { "3\($0)" }.joined() }
        let marked = text.replacingOccurrences(of: old, with: new)
            .replacingOccurrences(of: spread(old), with: spread(new))
        var trace = try Trace(json: Array(marked.utf8))
        let digits = new.compactMap { $0.wholeNumberValue }
        windows = Set((0...digits.count - 8).map { at in digits[at..<at + 8].reduce(0) { $0 * 10 + UInt32($1) } })
        if let seed {
            var random = SeededRandom(seed: seed)
            let places = trace.items.indices.filter {
                if case .exchange(_, let response, _) = trace.items[$0] { response.count > 6 } else { false }
            }
            for _ in 0..<(Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1) {
                guard let place = places.randomElement(using: &random),
                    case .exchange(let command, let response, let elapsed) = trace.items[place]
                else { continue }
                let (change, changed) = MutatedTrace.changed(response, &random)
                changes.append("exchange \(place): \(change)")
                trace.items[place] = .exchange(command: command, response: changed, elapsed: elapsed)
            }
        }
        self.trace = trace
    }

    // MARK: Changes

    /// The positions of tag, length and value of an object.
    private struct Place {
        let tag: Range<Int>
        let length: Range<Int>
        let value: Range<Int>
        let isConstructed: Bool
    }

    private static func places(_ bytes: ArraySlice<UInt8>) -> [Place] {
        var reader = TLVReader(bytes)
        var places: [Place] = []
        while let object = reader.next() {
            let start = object.whole.startIndex
            let tag = start..<start + (object.tag.rawValue > 0xFFFF ? 3 : object.tag.rawValue > 0xFF ? 2 : 1)
            places.append(
                Place(
                    tag: tag, length: tag.upperBound..<object.value.startIndex,
                    value: object.value.startIndex..<object.value.endIndex, isConstructed: object.isConstructed))
            if object.isConstructed { places += MutatedTrace.places(object.value) }
        }
        return places
    }

    private static func changed(_ answer: Bytes, _ random: inout SeededRandom) -> (String, Bytes) {
        var bytes = answer
        let places = places(answer.dropLast(2))
        guard let place = places.randomElement(using: &random) else { return ("none", answer) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            // A template becomes a primitive object: 77 turns into 57, or into 80.
            let template = places.filter(\.isConstructed).randomElement(using: &random) ?? place
            bytes[template.tag.lowerBound] = Bool.random(using: &random) ? 0x80 : bytes[template.tag.lowerBound] & 0xDF
            return ("a template becomes primitive", bytes)
        case 1:
            let length = bytes[place.length.upperBound - 1]
            let by = UInt8.random(in: 1...12, using: &random)
            bytes[place.length.upperBound - 1] = Bool.random(using: &random) ? length &+ by : length &- by
            return ("a wrong length at \(place.length)", bytes)
        case 2:
            let count = Int.random(in: 1..<answer.count, using: &random)
            return ("cut after \(count)", Bytes(answer.prefix(count)) + (count < 2 ? [0x90, 0x00] : []))
        case 3:
            let count = Int.random(in: 1..<answer.count - 2, using: &random)
            return ("cut after \(count), with a status word", Bytes(answer.prefix(count)) + [0x90, 0x00])
        case 4:
            // The outer length agrees with the remaining bytes, and the template may become a primitive object.
            let first = places[0]
            guard first.length.count == 1, first.value.count > 2 else { return ("none", answer) }
            let count = Int.random(in: 1..<first.value.count, using: &random)
            if Bool.random(using: &random) { bytes[0] = 0x80 }
            bytes[first.length.lowerBound] = UInt8(count)
            bytes = Bytes(bytes.prefix(first.value.lowerBound + count)) + [0x90, 0x00]
            return ("cut to \(count) with its length", bytes)
        case 5:
            let at = place.tag.randomElement(using: &random)!
            bytes[at] = UInt8.random(in: 0...255, using: &random)
            return ("a wrong tag byte at \(at)", bytes)
        case 6:
            let around = [0x80, 0xC1, 0x50, 0x70].randomElement(using: &random)!
            let body = bytes.dropLast(2)
            let length: Bytes = body.count < 128 ? [UInt8(body.count)] : [0x81, UInt8(truncatingIfNeeded: body.count)]
            return ("wrapped", [UInt8(around)] + length + body + bytes.suffix(2))
        default:
            let count = Int.random(in: 1...3, using: &random)
            var flipped: [String] = []
            for _ in 0..<count {
                let at = bytes.indices.randomElement(using: &random)!
                bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                flipped.append("\(at)")
            }
            return ("bits at " + flipped.joined(separator: ", "), bytes)
        }
    }

    // MARK: Outputs

    /// The outputs that show digits of the account number which must be masked.
    func leaks() throws -> [String] {
        try outputs().filter { shows($0.text) }.map { "\($0.name) after \(changes.joined(separator: "; "))" }
    }

    /// All outputs by name: of `emv-bench replay`, `--steps`, `--html`, `tap --record`, `decode`, and of the page.
    func outputs() throws -> [(name: String, text: String)] {
        var outputs: [(name: String, text: String)] = [
            ("redacted", trace.redacted().json),
            ("page", try MutatedTrace.page("replay", ["trace": trace.json])),
        ]
        var steps: [ReplayStep] = []
        let replay = try TraceReplay(trace, secrets: .simulatorVariableTime)
        if let report = try? replay.run(observer: { steps.append($0) }) {
            let lines = Reason(trace, steps, report).lines + ReplayStory(steps, AccountMask(trace)).lines
            outputs.append(("replay", (lines + report.differences.map(\.description)).joined(separator: "\n")))
            outputs.append(("replay --html", trace.redacted(after: report).json))
        }
        var log: [String] = []
        for case .exchange(let command, let response, _) in trace.items {
            let hex = Hex.string(response)
            log += ["> " + Hex.string(command), "< " + hex]
            outputs.append(("decode of \(hex.prefix(4))", try MutatedTrace.page("decode", ["text": hex])))
        }
        let text = log.joined(separator: "\n")
        outputs.append(("log", try MutatedTrace.page("read", ["text": text])))
        if case .log(let log) = PastedText(text) {
            outputs.append(("decode of a log", log.lines(showsPAN: false).joined(separator: "\n")))
        }
        return outputs
    }

    private static func page(_ call: String, _ keys: [String: String]) throws -> String {
        let request = keys.merging(["call": call]) { first, _ in first }
        return PageEngine.answer(Bytes(try JSONSerialization.data(withJSONObject: request)))
    }

    /// Whether a text contains eight consecutive digits of the account number: as digits, in hex, with spaces, one per
    /// byte, or packed in its bytes.
    func shows(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let digits = bytes.filter { $0 != 0x20 && $0 != 0x3A && $0 != 0x0A }.map { $0 &- 0x30 }
        if contains(digits, step: 1) || contains(digits, step: 2) { return true }
        return contains(bytes.flatMap { [$0 >> 4, $0 & 0x0F] }, step: 1)
    }

    /// - Parameter step: 2: each digit is followed by the 3 of the next character.
    private func contains(_ digits: Bytes, step: Int) -> Bool {
        var last = [UInt32](repeating: 0, count: step), counts = [Int](repeating: 0, count: step)
        for (at, digit) in digits.enumerated() {
            let lane = at % step
            guard digit < 10 else {
                (last[lane], counts[lane]) = (0, 0)
                continue
            }
            last[lane] = last[lane] % 10_000_000 * 10 + UInt32(digit)
            counts[lane] += 1
            if counts[lane] >= 8, windows.contains(last[lane]) { return true }
        }
        return false
    }
}
