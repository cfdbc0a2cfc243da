// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// How a card answers EXCHANGE RELAY RESISTANCE DATA. Times are in units of 100 µs where not said otherwise.
public struct RelayResistance: Sendable, Hashable {
    /// What the card claims it needs at least and at most.
    public var minimumTime: UInt16
    public var maximumTime: UInt16
    /// What the card thinks the transmission of its answer takes.
    public var transmissionTime: UInt16
    /// What the terminal will measure, in milliseconds, for the first answer of a transaction and those after it; the
    /// last is repeated.
    public var milliseconds: [Double]

    /// By default honest: the answer lies within the card's own bounds.
    public init(
        minimumTime: UInt16 = 40, maximumTime: UInt16 = 100, transmissionTime: UInt16 = 24,
        milliseconds: [Double] = [8]
    ) {
        self.minimumTime = minimumTime
        self.maximumTime = maximumTime
        self.transmissionTime = transmissionTime
        self.milliseconds = milliseconds
    }
    /// Milliseconds that the next answer takes.
    func responseTime(afterAttempts attempts: Int) -> Double {
        attempts < milliseconds.count ? milliseconds[attempts] : milliseconds.last ?? 0
    }
}

/// One answer to EXCHANGE RELAY RESISTANCE DATA.
struct RelayExchange: Sendable, Hashable {
    let terminalEntropy: [UInt8]
    /// Entropy, minimum, maximum and transmission time, 10 bytes.
    let cardData: [UInt8]
    /// 1 for the first of a transaction.
    let attempt: Int

    /// - Parameter seed: of all random numbers of the card in this transaction.
    init(_ own: RelayResistance, terminalEntropy: [UInt8], attempt: Int, seed: [UInt8]) {
        let entropy = SHA1.hash(seed + terminalEntropy + [UInt8(truncatingIfNeeded: attempt)]).prefix(4)
        self.terminalEntropy = terminalEntropy
        self.attempt = attempt
        let times = [own.minimumTime, own.maximumTime, own.transmissionTime]
        cardData = entropy + times.flatMap { $0.bigEndianBytes }
    }
}
