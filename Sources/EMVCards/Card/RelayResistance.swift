// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// A card's behaviour in EXCHANGE RELAY RESISTANCE DATA. Times are in units of 100 µs unless stated otherwise.
public struct RelayResistance: Sendable, Hashable {
    /// Minimum and maximum time that the card claims for its processing.
    public var minimumTime: UInt16
    public var maximumTime: UInt16
    /// The card's estimate of the transmission time of its answer.
    public var transmissionTime: UInt16
    /// The times that the terminal will measure, in milliseconds, for the first and the following answers of a
    /// transaction; the last value is repeated.
    public var milliseconds: [Double]

    /// Creates the behaviour. By default it is honest: the answer's time is within the card's own limits.
    public init(
        minimumTime: UInt16 = 40, maximumTime: UInt16 = 100, transmissionTime: UInt16 = 24,
        milliseconds: [Double] = [8]
    ) {
        self.minimumTime = minimumTime
        self.maximumTime = maximumTime
        self.transmissionTime = transmissionTime
        self.milliseconds = milliseconds
    }
    /// Returns the next answer's time in milliseconds.
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
