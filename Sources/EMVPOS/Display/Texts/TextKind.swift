// SPDX-License-Identifier: Apache-2.0
extension TextKey {
    /// Where a text is shown, which says how wide it may be.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A message of the user interface: four lines of sixteen columns.
        case message
        case headline
        /// What a button says: the name of a request, or of a next step.
        case button
        case progress
        /// Beside an amount, or on a line of a receipt.
        case amount, receipt
        case loyalty, enrollment
        /// What is wrong, or what resolves it.
        case problem
        case title, step
        /// Where the card is to be held.
        case place

        /// Columns: wide characters take two, combining marks none. A longer text is cut, or moves what stands below
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

        /// Of a key of EMVKit; `nil` for a key of an app.
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

/// Names in braces, such as `{amount}`, that an app puts values in place of.
enum TextPlaceholders {
    static func names(in text: String) -> Set<String> {
        Set(
            text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1).compactMap { part in
                part.firstIndex(of: "}").map { String(part[..<$0]) }
            })
    }
}
