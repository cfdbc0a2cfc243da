// SPDX-License-Identifier: Apache-2.0
extension TextKey {
    /// The place where a text is shown, which determines how wide it may be.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A message of the user interface: four lines of sixteen columns.
        case message
        case headline
        /// The text of a button: the name of a request, or of a next step.
        case button
        case progress
        /// Next to an amount, or on a line of a receipt.
        case amount, receipt
        case loyalty, enrollment
        /// A problem, or the next step that resolves it.
        case problem
        case title, step
        /// The place to which the card is held.
        case place

        /// Columns: wide characters occupy two, combining marks none. A longer text is cut, or moves the lines below
        /// it.
        public var maximumColumns: Int {
            switch self {
            case .amount, .progress, .loyalty: 32
            case .button, .receipt, .title: 40
            case .headline, .place: 48
            case .message, .enrollment, .problem: 64
            case .step: 96
            }
        }

        /// The kind of a key of EMVKit; `nil` for a key of an app.
        public init?(_ key: TextKey) {
            switch key.rawValue.prefix(while: { $0 != "." }) {
            case "message": self = .message
            case "headline": self = .headline
            case "label", "alternative", "delivery": self = .button
            case "progress": self = .progress
            case "amount": self = .amount
            case "receipt": self = .receipt
            case "loyalty": self = .loyalty
            case "enrollment": self = .enrollment
            case "problem": self = .problem
            case "education": self = key.rawValue.hasSuffix(".title") ? .title : .step
            case "antenna": self = .place
            default: return nil
            }
        }
    }
}

/// Names in braces, such as `{amount}`, that an app replaces with values.
enum TextPlaceholders {
    static func names(in text: String) -> Set<String> {
        Set(
            text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { part in
                part.firstIndex(of: "}").map { String(part[..<$0]) }
            })
    }
}
