// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// A card, a transaction and the required result. A run that ends differently is an error and yields no measurement.
///
/// Each kernel has a file for its scenarios; `lists` contains all of them.
package struct Scenario: Sendable {
    package let name: String
    package let summary: String
    /// A named profile of the simulator.
    package let profile: String
    /// Minor units of the euro.
    package let amount: UInt64
    package let configuration: Configuration
    /// Data objects of the terminal for this transaction.
    package let data: DataObjects
    /// The instruction whose first answer is lost.
    package let loses: UInt8?
    package let expected: Expectation

    package var kernel: String { String(name.prefix { $0 != "-" }) }

    package struct Expectation: Sendable, Hashable {
        package let tap: TapName
        package let outcome: Outcome.Status
        package let cvm: Outcome.CVM

        package init(tap: TapName, outcome: Outcome.Status, cvm: Outcome.CVM) {
            self.tap = tap
            self.outcome = outcome
            self.cvm = cvm
        }
    }

    static let transactionDate = CalendarDate("2026-11-21")
    static let transactionTime = TimeOfDay("12:00:00")
    /// Unpredictable numbers, four bytes each. Fixed, so that the card's answers can be prepared.
    static let random: Bytes = (0..<32).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) }
    /// Kernel 8 also needs 32 bytes for its key in each activation.
    private static let longRandom: Bytes = (0..<128).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) }

    /// A kernel that computes with secrets uses the simulator's implementation.
    package var secrets: SecretCrypto? { kernel == "k8" ? .simulatorVariableTime : nil }
    package var random: Bytes { secrets == nil ? Self.random : Self.longRandom }
    /// False if secrets are needed: the C session has no implementation, and the simulator's is in Swift.
    package var runsInC: Bool { secrets == nil }
    /// The simulator's arithmetic needs milliseconds and differs from a reader's, so many taps are not worth the time.
    package static let tapsWithSecrets = 20

    package var transaction: Transaction {
        guard let date = Scenario.transactionDate, let time = Scenario.transactionTime else {
            preconditionFailure("the fixed date is a date")
        }
        var transaction = Transaction(
            type: .purchase, amount: amount, currency: 978, exponent: 2, date: date, time: time, counter: 1,
            random: .fixed(random))
        transaction.data = data
        return transaction
    }
}

extension Scenario {
    /// One list for each kernel, in the order of the report.
    private static let lists: [[Scenario]] = [k3, k2, k6, k7, k4, k5, k8]

    package static let all: [Scenario] = lists.flatMap { $0 }

    /// - Parameters:
    ///   - name: begins with the kernel's, as in `k3-online`.
    ///   - profile: a named profile of the simulator.
    ///   - amount: minor units of the euro.
    ///   - loses: the instruction whose first answer is lost.
    init(
        _ name: String, _ summary: String, card profile: String, at configuration: Configuration,
        amount: UInt64 = 1250, data: DataObjects = [:], loses: UInt8? = nil, _ expected: Expectation
    ) {
        self.name = name
        self.summary = summary
        self.profile = profile
        self.amount = amount
        self.data = data
        self.loses = loses
        self.configuration = configuration
        self.expected = expected
    }

    /// Data objects of every scenario's terminal.
    static let terminal: DataObjects = [
        0x9F1A: [0x02, 0x76], 0x9F35: [0x22], 0x9F33: [0xE0, 0xB8, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
        0x9F15: [0x59, 0x99], 0x9F4E: Array("BENCH".utf8),
    ]

    /// Keys of the simulated certification authorities of these schemes.
    static func keys(_ rids: [UInt8]...) -> [CAKey] {
        CardAuthority.publicKeys.filter { rids.contains($0.rid) }.map { key in
            CAKey(
                rid: key.rid, index: key.index, exponent: key.exponent.reduce(0) { $0 << 8 | UInt32($1) },
                modulus: key.modulus, sha1: key.sha1, expires: CalendarDate(key.expires))
        }
    }
}
