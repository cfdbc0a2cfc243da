// SPDX-License-Identifier: Apache-2.0
/// Receives the figures of a reader's taps and authorisations, for the operator of a fleet.
///
/// ```swift
/// let reader = TapReader(transport, configuration: configuration, options: .init(metrics: fleet))
/// ```
public protocol MetricsSink: Sendable {
    /// Called by the reader when a tap or an authorisation has ended, once for every call. The reader waits until it
    /// returns: pass the value on, and send it later.
    func record(_ metric: TapMetric)
}

/// The result of a tap or an authorisation in counts, times and words. It contains nothing of the card, the cardholder
/// or the amount.
public struct TapMetric: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case tap
        /// Also used for ``ReaderSession/complete(_:removalTimedOut:)``, whose tap has already been counted; its ending
        /// is a ``TapName``.
        case authorization
    }

    /// Times in milliseconds; `nil` if that phase did not occur, or the call was refused at once.
    public struct Times: Sendable, Hashable, Codable {
        /// From the beginning to the end, including the time spent waiting for people.
        public var total: Double?
        /// From switching the field on to the first card.
        public var waiting: Double?
        /// From the first card to "card read", or to the end.
        public var card: Double?
        /// From the first question to the issuer to the end, PIN entry included.
        public var issuer: Double?

        /// All times are in milliseconds.
        public init(total: Double? = nil, waiting: Double? = nil, card: Double? = nil, issuer: Double? = nil) {
            self.total = total
            self.waiting = waiting
            self.card = card
            self.issuer = issuer
        }
    }

    public var kind: Kind
    /// Raw value of a ``TapName`` or an ``AuthorizationName``.
    public var ending: String
    /// Names of the problems (``Problem/name``), in order.
    public var problems: [String]
    /// Identifier of the kernel as text; `nil` if no kernel was chosen.
    public var kernel: String?
    /// Raw value of a ``PaymentScheme``.
    public var scheme: String?
    /// ``Findings/names``.
    public var findings: [String]
    /// The number of cards presented in this tap.
    public var presentments: Int
    /// The number of commands sent to cards.
    public var commands: Int
    /// The number of PIN entries.
    public var entries: Int
    public var times: Times
    /// ``Configuration/Identity/fingerprint``, if it is known.
    public var configuration: String?
    /// The card was simulated.
    public var isSimulated: Bool
}

/// Many metrics in one value: the counts of each ending, problem and finding, and the times.
public struct TapStatistics: Sendable, Hashable, Codable {
    public struct Spread: Sendable, Hashable, Codable {
        public private(set) var count = 0
        /// Milliseconds.
        public private(set) var least = 0.0
        public private(set) var most = 0.0
        public private(set) var sum = 0.0

        public var mean: Double { count == 0 ? 0 : sum / Double(count) }

        mutating func add(_ value: Double?) {
            guard let value else { return }
            least = count == 0 ? value : min(least, value)
            most = max(most, value)
            sum += value
            count += 1
        }
    }

    /// Counts by kind and ending: `tap.success`, `authorization.approved`.
    public private(set) var endings: [String: Int] = [:]
    public private(set) var problems: [String: Int] = [:]
    public private(set) var findings: [String: Int] = [:]
    /// Counts of taps, by kernel.
    public private(set) var kernels: [String: Int] = [:]
    public private(set) var total = Spread()
    public private(set) var waiting = Spread()
    public private(set) var card = Spread()
    public private(set) var issuer = Spread()

    public init() {}

    public mutating func add(_ metric: TapMetric) {
        endings["\(metric.kind.rawValue).\(metric.ending)", default: 0] += 1
        for problem in metric.problems { problems[problem, default: 0] += 1 }
        for finding in metric.findings { findings[finding, default: 0] += 1 }
        if metric.kind == .tap, let kernel = metric.kernel { kernels[kernel, default: 0] += 1 }
        if metric.kind == .tap { total.add(metric.times.total) }
        waiting.add(metric.times.waiting)
        card.add(metric.times.card)
        issuer.add(metric.times.issuer)
    }
}
