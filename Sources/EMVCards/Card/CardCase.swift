// SPDX-License-Identifier: Apache-2.0
/// Another behaviour of an application under a condition. The answer to SELECT is equal in all cases, since the card
/// has no data of the transaction yet.
public struct CardCase: Sendable, Hashable {
    public var condition: Condition
    /// The application while the condition is met. Its own cases are ignored.
    public var application: CardApplication

    public init(_ condition: Condition, _ application: CardApplication) {
        self.condition = condition
        self.application = application
    }

    /// Every given part must be met.
    public struct Condition: Sendable, Hashable {
        /// Amount, Authorised (9F02) is higher, in minor units.
        public var amountAbove: UInt64?
        /// Number of the presentment, from 1: a time in the field in which the card was addressed.
        public var presentment: Int?
        /// Transaction Type (9C).
        public var type: UInt8?
        /// Transaction Currency Code (5F2A), 2 bytes.
        public var currency: [UInt8]?

        public init() {}
    }

    /// The command with which a case applies: the first one that carries all data of its condition.
    enum Stage { case options, cryptogram }

    /// Returns nil if the application's lists do not ask for the data of the condition.
    func stage(in application: CardApplication) -> Stage? {
        let early = (application.pdol ?? []).map { $0.tag }
        if condition.tags.allSatisfy({ early.contains($0) }) { return .options }
        let late = application.scheme.behaviour.cryptogramList.map { $0.tag }
        return condition.tags.allSatisfy { late.contains($0) } ? .cryptogram : nil
    }
}

extension CardCase.Condition {
    static let amountTag: UInt32 = 0x9F02
    static let typeTag: UInt32 = 0x9C
    static let currencyTag: UInt32 = 0x5F2A

    /// The objects that the terminal must send.
    var tags: [UInt32] {
        (amountAbove == nil ? [] : [Self.amountTag]) + (type == nil ? [] : [Self.typeTag])
            + (currency == nil ? [] : [Self.currencyTag])
    }

    func isMet(_ terminal: TerminalData, presentment number: Int) -> Bool {
        if let amountAbove, terminal.amount <= amountAbove { return false }
        if let presentment, presentment != number { return false }
        if let type, terminal.bytes(Self.typeTag, 1) != [type] { return false }
        if let currency, terminal.bytes(Self.currencyTag, 2) != currency { return false }
        return true
    }
}
