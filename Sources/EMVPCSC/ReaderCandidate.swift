// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader that a transport watches, and the reason.
public struct ReaderCandidate: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The caller gave exactly this name.
        case named
        /// The reader is at this USB port.
        case port(String)
        /// It is the only reader with this part in its name.
        case part(String)
        /// The name shows that it is contactless: any card on it counts.
        case contactless
        /// The name does not show whether it is contactless: a card counts if its answer to reset is one that
        /// contactless readers generate (PC/SC part 3, 3.1.3.2.3).
        case byCard
    }

    public var name: String
    public var kind: ReaderKind
    public var reason: Reason
    /// Whether another reader has a name that differs only in PC/SC's numbers.
    var hasTwin = false

    /// A description for people.
    public var explanation: String {
        let warning =
            switch kind {
            case .contact: "; by its name it is a contact reader"
            case .sam: "; by its name it is a slot for a security module"
            case .securityKey: "; by its name it is a security key"
            case .contactless, .dual, .unknown: ""
            }
        return switch reason {
        case .port(let port): "at \(port)" + warning
        case .named where hasTwin:
            "as named; another reader of its model is here, and PC/SC may swap their numbers: name its USB port, which "
                + "emv-bench readers shows" + warning
        case .named: "as named" + warning
        case .part(let part): "the only reader with \"\(part)\" in its name" + warning
        case .contactless: "contactless by its name"
        case .byCard: "its name does not tell whether it is contactless; a card on it does"
        }
    }

    func counts(_ state: ReaderState) -> Bool { reason != .byCard || state.isContactless }

    // MARK: - Choice

    /// Why no reader can be watched.
    struct Failure: Error, Sendable, Hashable {
        var code: UInt32
        var text: String

        var fault: ReaderFault { ReaderFault(.noReader, text) }
    }

    /// - Parameter ports: the USB ports of the readers, if the choice needs them.
    static func candidates(
        _ choice: PCSCTransport.Choice, from names: [String], ports: [String: String] = [:]
    ) -> Result<[ReaderCandidate], Failure> {
        guard !names.isEmpty else {
            let error = PCSCError(code: PCSCError.noReaders)
            return .failure(Failure(code: error.code, text: error.description))
        }
        func make(_ name: String, _ reason: Reason) -> ReaderCandidate {
            var candidate = ReaderCandidate(name: name, kind: ReaderKind(readerName: name), reason: reason)
            candidate.hasTwin = names.contains { $0 != name && isTwin($0, of: name) }
            return candidate
        }
        switch choice {
        case .named(let port) where choice.namesPort:
            if let name = names.first(where: { ports[$0] == port }) { return .success([make(name, .port(port))]) }
            let known = ports.sorted { $0.value < $1.value }.map { "\($0.value) (\($0.key))" }
            let text =
                known.isEmpty
                ? "No reader says at which port it is. There are: \(list(names))"
                : "No reader is at \(port). There are: " + known.joined(separator: ", ")
            return .failure(Failure(code: PCSCError.unknownReader, text: text))
        case .named(let wanted):
            if names.contains(wanted) { return .success([make(wanted, .named)]) }
            let similar = names.filter { $0.lowercased().contains(wanted.lowercased()) }
            if let only = similar.first, similar.count == 1 { return .success([make(only, .part(wanted))]) }
            let text =
                similar.isEmpty
                ? "No reader has \"\(wanted)\" in its name. There are: \(list(names))"
                : "\(similar.count) readers have \"\(wanted)\" in their names: \(list(similar)). Name one of them"
            return .failure(Failure(code: PCSCError.unknownReader, text: text))
        case .contactless:
            let all = names.compactMap { name -> ReaderCandidate? in
                switch ReaderKind(readerName: name) {
                case .contactless: make(name, isFurtherSlot(name) ? .byCard : .contactless)
                case .dual, .unknown: make(name, .byCard)
                case .contact, .sam, .securityKey: nil
                }
            }
            guard all.isEmpty else {
                // The likely readers come first: if several have a card, theirs wins.
                return .success(all.filter { $0.reason == .contactless } + all.filter { $0.reason != .contactless })
            }
            let text =
                "None of the readers is contactless by its name: \(list(names)). Name the one to take if it is"
            return .failure(Failure(code: PCSCError.unknownReader, text: text))
        }
    }

    /// Whether this is the second slot of a reader (its name ends in `00 01`), which may have another purpose.
    private static func isFurtherSlot(_ name: String) -> Bool {
        let numbers = name.split(separator: " ").suffix(2)
        return numbers.count == 2 && numbers.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
            && numbers.last != "00" && !name.contains("[")
    }

    /// Whether two names differ only in the numbers that PC/SC assigns: then only the port distinguishes the readers.
    private static func isTwin(_ one: String, of other: String) -> Bool {
        func parts(_ name: String) -> (product: [Substring], numbers: [Substring])? {
            let words = name.split(separator: " ")
            guard words.count > 2, words.suffix(2).allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
                return nil
            }
            return (Array(words.dropLast(2)), Array(words.suffix(2)))
        }
        // The slots of one reader have equal first numbers.
        guard let one = parts(one), let other = parts(other) else { return false }
        return one.product == other.product && one.numbers[0] != other.numbers[0]
    }

    private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension PCSCTransport.Choice {
    /// Whether the choice is `usb:…`.
    var namesPort: Bool { if case .named(let name) = self { name.hasPrefix(SystemView.portPrefix) } else { false } }
}
