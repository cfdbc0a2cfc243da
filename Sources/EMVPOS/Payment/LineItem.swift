// SPDX-License-Identifier: Apache-2.0
/// One line of a bill.
public struct LineItem: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case item, charge, discount, tip, tax, donation, recurring, installment, future

        /// The name of this kind of line, such as "Tip".
        public var textKey: TextKey { TextKey(self == .future ? "amount.later" : "amount.line.\(rawValue)") }
    }

    /// Columns into which a label should fit, so that it stays on one line (wide characters count twice).
    public static let labelColumns = 40

    /// The app's name for the line; in English if the line has a ``textKey``.
    public var label: String
    /// The label as a text of the catalogue, for a receipt in the customer's language; `nil`: ``label`` in all
    /// languages. For its own keys the app adds the texts (``TextCatalogue``).
    public var textKey: TextKey?
    public var kind: Kind
    /// Minor units of the bill's currency; negative for a discount. `nil`: the amount is pending.
    public var minorUnits: Int64?
    /// True if the amount may still change.
    public var isEstimate: Bool

    public init(_ label: String, minorUnits: Int64, kind: Kind = .item, isEstimate: Bool = false) {
        self.label = label
        self.kind = kind
        self.minorUnits = minorUnits
        self.isEstimate = isEstimate
    }

    /// A line whose label is a text of the catalogue.
    public init(_ text: TextKey, minorUnits: Int64, kind: Kind = .item, isEstimate: Bool = false) {
        self.init(
            TextCatalogue.builtIn(.english)[text] ?? text.rawValue, minorUnits: minorUnits, kind: kind,
            isEstimate: isEstimate)
        textKey = text
    }

    /// A line labelled with its kind, in every language.
    public init(_ kind: Kind, minorUnits: Int64, isEstimate: Bool = false) {
        self.init(kind.textKey, minorUnits: minorUnits, kind: kind, isEstimate: isEstimate)
    }

    /// The label in a language.
    public func label(in language: Language, texts: TextCatalogue = TextCatalogue()) -> String {
        textKey.flatMap { texts.text($0, in: language)?.description } ?? label
    }

    private init(pending label: String, kind: Kind) {
        self.label = label
        self.kind = kind
        minorUnits = nil
        isEstimate = true
    }

    /// A line whose amount is not known yet.
    public static func pending(_ label: String, kind: Kind = .item) -> LineItem {
        LineItem(pending: label, kind: kind)
    }

    /// A suggestion for improvement; the line is accepted as it is.
    public var advice: Advice? {
        DisplayWidth.columns(label) > LineItem.labelColumns ? .longLabel(DisplayWidth.columns(label)) : nil
    }

    public enum Advice: Sendable, Hashable {
        /// Columns of the label; a label of more than 40 does not stay on one line.
        case longLabel(Int)
    }
}

/// A bill: lines that add up to the total.
///
/// ```swift
/// let bill = try Bill(
///     [LineItem("Subtotal", minorUnits: 350), LineItem(.discount, minorUnits: -50)],
///     total: Money(minorUnits: 300, currency: .eur))
/// ```
public struct Bill: Sendable, Hashable {
    public let lines: [LineItem]
    public let total: Money

    /// Throws if the lines do not add up. With a pending line, or an estimate, the sum of the known lines may be below
    /// the total.
    public init(_ lines: [LineItem], total: Money) throws(BillError) {
        var sum: Int64 = 0
        for (index, line) in lines.enumerated() {
            guard !line.label.allSatisfy({ $0.isWhitespace }) else { throw .emptyLabel(line: index) }
            if line.kind == .discount, let amount = line.minorUnits, amount > 0 { throw .positiveDiscount(line: index) }
            let (next, overflows) = sum.addingReportingOverflow(line.minorUnits ?? 0)
            guard !overflows else { throw .overflow }
            sum = next
        }
        guard sum >= 0 else { throw .negative(sum: sum) }
        guard total.minorUnits <= Money.maximum else { throw .overflow }
        let isOpen = lines.contains { $0.isEstimate }
        guard UInt64(sum) == total.minorUnits || isOpen && UInt64(sum) <= total.minorUnits else {
            throw .sum(sum, total: total.minorUnits)
        }
        self.lines = lines
        self.total = total
    }

    /// The total of lines that are all final.
    public init(_ lines: [LineItem], currency: Currency) throws(BillError) {
        var sum: Int64 = 0
        for line in lines {
            let (next, overflows) = sum.addingReportingOverflow(line.minorUnits ?? 0)
            guard !overflows else { throw .overflow }
            sum = next
        }
        guard sum >= 0 else { throw .negative(sum: sum) }
        try self.init(lines, total: Money(minorUnits: UInt64(sum), currency: currency))
    }

    /// Suggestions for improvement; the bill is accepted as it is.
    public var advice: [Advice] {
        let goods = lines.indices.filter { lines[$0].kind == .item }
        return goods.count > 1 ? [.goods(lines: goods)] : []
    }

    public enum Advice: Sendable, Hashable {
        /// These lines, counted from 0, look like a list of goods. Lines show how the total is made up: a subtotal,
        /// charges, discounts, tips, donations, pending or recurring amounts. The goods belong on the app's receipt.
        case goods(lines: [Int])
    }

    /// True if a line is not final: the amount is to be preauthorised, and shown as pending.
    public var isPending: Bool { lines.contains { $0.isEstimate } }
}

/// Why lines are not a valid bill.
public enum BillError: Error, Sendable, Hashable {
    /// The sum of the lines, in minor units, and the total from which it differs.
    case sum(Int64, total: UInt64)
    case negative(sum: Int64)
    /// Index of the line, counted from 0.
    case emptyLabel(line: Int)
    case positiveDiscount(line: Int)
    /// More than twelve digits.
    case overflow
}

extension BillError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .sum(let sum, let total): "The lines add up to \(sum) minor units, expected the total, \(total)"
        case .negative(let sum): "The lines add up to \(sum) minor units, expected 0 or more"
        case .emptyLabel(let line): "Line \(line + 1) has no label"
        case .positiveDiscount(let line):
            "Line \(line + 1) is a discount with a positive amount, expected a negative one"
        case .overflow: "The amount has more than twelve digits"
        }
    }
}

#if !hasFeature(Embedded)
extension Bill: Codable {
    private enum Key: String, CodingKey {
        case lines, total
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let lines = try container.decode([LineItem].self, forKey: .lines)
        let total = try container.decode(Money.self, forKey: .total)
        do throws(BillError) {
            try self.init(lines, total: total)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: .lines, in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(lines, forKey: .lines)
        try container.encode(total, forKey: .total)
    }
}
#endif

extension BillError: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .sum: "Make the lines add up to the total"
        case .negative: "Limit the discounts to the sum of the other lines"
        case .emptyLabel: "Give every line a label"
        case .positiveDiscount: "Use a negative amount for a discount"
        case .overflow: "Enter an amount of at most 12 digits"
        }
    }
}
