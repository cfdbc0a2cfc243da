// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader that a transport watches, and why.
public struct ReaderCandidate: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// Its name was given.
        case named
        /// It is the only reader with this part in its name.
        case part(String)
        /// Its name says that it is contactless: any card on it counts.
        case contactless
        /// Its name does not tell: a card counts if its answer to reset is one that contactless readers make up (PC/SC
        /// part 3, 3.1.3.2.3).
        case byCard
    }

    public var name: String
    public var kind: ReaderKind
    public var reason: Reason

    /// For a person.
    public var explanation: String {
        let warning =
            switch kind {
            case .contact: "; by its name it is a contact reader"
            case .sam: "; by its name it is a slot for a security module"
            case .securityKey: "; by its name it is a security key"
            case .contactless, .dual, .unknown: ""
            }
        return switch reason {
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

    static func candidates(
        _ choice: PCSCTransport.Choice, from names: [String]
    ) -> Result<[ReaderCandidate], Failure> {
        guard !names.isEmpty else {
            let error = PCSCError(code: PCSCError.noReaders)
            return .failure(Failure(code: error.code, text: error.description))
        }
        func make(_ name: String, _ reason: Reason) -> ReaderCandidate {
            ReaderCandidate(name: name, kind: ReaderKind(readerName: name), reason: reason)
        }
        switch choice {
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
                // The likely ones first: of cards that are there at the same time theirs wins.
                return .success(all.filter { $0.reason == .contactless } + all.filter { $0.reason != .contactless })
            }
            let text =
                "None of the readers is contactless by its name: \(list(names)). Name the one to take if it is"
            return .failure(Failure(code: PCSCError.unknownReader, text: text))
        }
    }

    /// The second slot of a reader (its name ends in `00 01`) may be for something else.
    private static func isFurtherSlot(_ name: String) -> Bool {
        let numbers = name.split(separator: " ").suffix(2)
        return numbers.count == 2 && numbers.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
            && numbers.last != "00" && !name.contains("[")
    }

    private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}
