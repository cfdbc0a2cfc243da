// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What messages may show of a file: never a value, and a key only where it cannot hold an account number.
enum Shown {
    /// A letter first, then at most 39 letters, digits, points, underscores and hyphens, without five digits in a row;
    /// or a tag.
    static func isSafe(_ key: String) -> Bool {
        if Tag(key) != nil { return true }
        let characters = Array(key.utf8)
        guard (1...40).contains(characters.count), isLetter(characters[0]) else { return false }
        var digits = 0
        for character in characters {
            digits = isDigit(character) ? digits + 1 : 0
            guard digits < 5, isDigit(character) || isLetter(character) || ".-_".utf8.contains(character) else {
                return false
            }
        }
        return true
    }

    /// A key as part of a path.
    static func step(_ key: String) -> String {
        isSafe(key) ? key : "(key \(size(key)))"
    }

    /// A key in a sentence.
    static func key(_ key: String) -> String {
        isSafe(key) ? "\"\(key)\"" : size(key)
    }

    private static func size(_ key: String) -> String {
        key.utf8.count == 1 ? "of 1 byte" : "of \(key.utf8.count) bytes"
    }

    private static func isDigit(_ character: UInt8) -> Bool { (0x30...0x39).contains(character) }

    private static func isLetter(_ character: UInt8) -> Bool { (0x41...0x5A).contains(character & ~0x20) }
}

/// Masks account numbers and track data in text that shows data objects in hex: the first six and the last four digits
/// of an account number may stay, of one with less than 14 digits the last four.
public struct AccountMask: Sendable {
    /// The digits of account numbers that are known from elsewhere, the longest first.
    private(set) var accounts: [String] = []

    package init() {}

    /// Notes the account numbers of data objects, nested ones included.
    package mutating func learn(_ objects: some Sequence<UInt8>) {
        var tree = TLVTree(Bytes(objects))
        while let (object, _) = tree.next() { learn(object.tag, object.value) }
    }

    mutating func learn(_ tag: Tag, _ value: some Collection<UInt8>) {
        if tag.isConstructed { return learn(value) }
        switch tag {
        case 0x57, 0x5A, 0x9F6B:
            add(String(Hex.string(value).prefix { $0.isNumber }))
        case 0x56:
            // Track 1: B, the account number in text, a separator.
            let text = String(decoding: value, as: UTF8.self)
            add(String(text.drop { !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }))
        default:
            break
        }
    }

    private mutating func add(_ digits: String) {
        guard digits.utf8.count >= 8, !accounts.contains(digits) else { return }
        accounts.append(digits)
        accounts.sort { $0.utf8.count > $1.utf8.count }
    }

    /// The value of a tag in hex, or any other text.
    func shown(_ tag: Tag?, _ text: String) -> String {
        guard let tag, let value = Hex.bytes(text), !value.isEmpty else { return everywhere(text) }
        return everywhere(AccountMask.shown(tag, value[...]))
    }

    /// The value with what the tag says about it; objects in a template are masked each for itself.
    private static func shown(_ tag: Tag, _ value: ArraySlice<UInt8>) -> String {
        switch tag {
        case 0x57, 0x5A, 0x9F6B:
            return digits(Hex.string(value))
        case 0x56, 0x5F20, 0x9F0B, 0x9F1F, 0x9F20, 0x9F46:
            return String(repeating: "*", count: value.count * 2)
        default:
            guard tag.isConstructed else { return Hex.string(value) }
            var text = ""
            var reader = TLVReader(value)
            var end = value.startIndex
            while let object = reader.next() {
                text += Hex.string(value[end..<object.value.startIndex]) + shown(object.tag, object.value)
                end = object.value.endIndex
            }
            // What is no list of data objects is shown as far as it is one.
            let rest = value[end...]
            return text + (reader.error == nil ? Hex.string(rest) : String(repeating: "*", count: rest.count * 2))
        }
    }

    /// Digits up to the separator as an account number; of what follows only separator and filler.
    private static func digits(_ text: String) -> String {
        let number = String(text.prefix { $0.isNumber })
        return account(number)
            + text.dropFirst(number.utf8.count).map { $0 == "D" || $0 == "F" ? String($0) : "*" }.joined()
    }

    private static func account(_ number: String) -> String {
        let first = number.utf8.count >= 14 ? 6 : 0
        let hidden = max(0, number.utf8.count - first - 4)
        return String(number.prefix(first)) + String(repeating: "*", count: hidden)
            + String(number.suffix(number.utf8.count - first - hidden))
    }

    /// Known account numbers, packed at any digit, or one character a byte.
    private func everywhere(_ text: String) -> String {
        var text = text
        for number in accounts {
            text = AccountMask.replace(number, AccountMask.account(number), in: text)
            let spread = number.map { "3\($0)" }.joined()
            text = AccountMask.replace(spread, String(repeating: "*", count: spread.utf8.count), in: text)
        }
        return text
    }

    private static func replace(_ old: String, _ new: String, in text: String) -> String {
        let (wanted, source) = (Array(old.utf8), Array(text.utf8))
        guard source.count >= wanted.count else { return text }
        var result: [UInt8] = []
        var at = 0
        while at < source.count {
            if source[at...].starts(with: wanted) {
                result += Array(new.utf8)
                at += wanted.count
            } else {
                result.append(source[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension AccountMask {
    /// Knows the account numbers of a trace.
    public init(_ trace: Trace) {
        for item in trace.items {
            switch item {
            case .exchange(_, let response, _): learn(response.dropLast(2))
            case .online(let data?), .dataExchange(let data), .terminalData(let data): learn(data.encoded)
            default: break
            }
        }
        for datum in trace.expectation.data + trace.expectation.discretionary {
            if let value = datum.value { learn(datum.tag, value) }
        }
    }

    /// And those of what a replay of it found.
    init(_ trace: Trace, _ outcome: Outcome) {
        self.init(trace)
        for data in [outcome.dataRecord, outcome.discretionary] {
            if let data { learn(data.bytes) }
        }
    }

    /// A response without its status word, or data objects, in hex.
    public func objects(_ bytes: some Collection<UInt8>) -> String { shown(0x70, Hex.string(bytes)) }

    /// A command in hex, or any other text.
    public func text(_ text: String) -> String { shown(nil, text) }

    /// A difference with masked text beside its own.
    func difference(_ difference: ReplayReport.Difference) -> ReplayReport.Difference {
        let tag = difference.place.split(separator: ".").last.flatMap { Tag($0) }
        var masked = difference
        masked.maskedExpected = shown(tag, difference.expected)
        masked.maskedFound = shown(tag, difference.found)
        return masked
    }
}
