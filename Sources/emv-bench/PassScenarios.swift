// SPDX-License-Identifier: Apache-2.0
#if Tools
// Dialogues with wallets before a payment: the phone, what it is asked for, and what must come of it. What follows is
// the payment of any other scenario, whose commands a dialogue does not change.
import EMVBenchC
import EMVKit
import EMVLoyalty
import EMVSimulator

/// A simulated phone and what it is asked for. A run that ends otherwise is an error, never a number.
struct PassScenario: Sendable {
    let name: String
    let summary: String
    /// A named phone of the simulator.
    let phone: String
    let programmes: [LoyaltyProgramme]
    let expected: [PassOutcomeName]

    static let all: [PassScenario] = vas + smartTap

    private static let club = LoyaltyProgramme(
        id: "club", name: "Club", wallet: .passType(WalletProfile.passType))
    private static let coffee = LoyaltyProgramme(
        id: "coffee", name: "Coffee", wallet: .passType(WalletProfile.secondPassType))
    private static let points = LoyaltyProgramme(
        id: "points", name: "Points",
        wallet: .collector(WalletProfile.collector, keyVersion: 1, kinds: [.loyalty]))

    private static let vas: [PassScenario] = [
        PassScenario("vas-plain-card", "a card without a wallet", "walletNone", [club], [.none]),
        PassScenario("vas-one", "one pass", "walletVAS", [club], [.sealed]),
        PassScenario("vas-two", "two passes, two keys", "walletVASSeveral", [club, coffee], [.sealed, .sealed]),
        PassScenario("vas-none", "no pass of this programme", "walletVASEmpty", [club], [.none]),
        PassScenario("vas-locked", "a locked phone", "walletVASLocked", [club, coffee], [.locked, .locked]),
    ]

    /// Somebody has to sign, so these need the trait.
    private static var smartTap: [PassScenario] {
        #if Loyalty
        [
            PassScenario("smarttap-one", "one pass", "walletSmartTap", [points], [.sealed]),
            PassScenario(
                "smarttap-parts", "a pass of 1,100 bytes, in parts", "walletSmartTapParts", [points], [.sealed]),
            PassScenario("smarttap-none", "no pass of this collector", "walletSmartTapEmpty", [points], [.none]),
            PassScenario(
                "smarttap-choose", "two passes to choose from", "walletSmartTapChoose", [points], [.chooseOnDevice]),
            PassScenario("smarttap-again", "has to be asked twice", "walletSmartTapAgain", [points], [.sealed]),
        ]
        #else
        []
        #endif
    }

    private init(
        _ name: String, _ summary: String, _ phone: String, _ programmes: [LoyaltyProgramme],
        _ expected: [PassOutcomeName]
    ) {
        self.name = name
        self.summary = summary
        self.phone = phone
        self.programmes = programmes
        self.expected = expected
    }
}

/// A dialogue as it was recorded, and what it costs to hold it again: the reader's part, without cryptography.
struct PassMeasurement: Sendable {
    let scenario: PassScenario
    let exchanges: [Dialogue.Exchange]
    let taps: Int
    let times: Percentiles
    /// Of one dialogue; `nil` where they cannot be counted.
    let allocations: Int?

    init(_ scenario: PassScenario, taps: Int) async throws {
        let recording = try await PassRecording(scenario)
        var times = [UInt64](repeating: 0, count: taps)
        for index in -min(taps, 100)..<taps {
            let begin = emv_bench_now()
            let dialogue = recording.repeated()
            let end = emv_bench_now()
            guard dialogue.findings.count == scenario.expected.count else {
                throw BenchFailure("\(scenario.name): a timed dialogue ended otherwise")
            }
            if index >= 0 { times[index] = end - begin }
        }
        emv_bench_allocations_begin()
        let again = recording.repeated()
        let count = emv_bench_allocations_end()
        try recording.check(again)
        self.scenario = scenario
        self.taps = taps
        self.times = Percentiles(times)
        exchanges = recording.exchanges
        allocations = count < 0 ? nil : Int(count)
    }

    private var sent: Int { exchanges.reduce(0) { $0 + $1.command.count } }
    private var received: Int { exchanges.reduce(0) { $0 + $1.response.count } }

    var json: JSON {
        .object([
            ("name", .string(scenario.name)),
            ("outcomes", .array(scenario.expected.map { .string($0.rawValue) })), ("taps", .integer(taps)),
            ("ns", times.json), ("apdus", .integer(exchanges.count)), ("bytesSent", .integer(sent)),
            ("bytesReceived", .integer(received)), ("allocations", .optional(allocations)),
            (
                "airtimeMs",
                .object(
                    AirTime.rates.map { rate in
                        (rate.0, .rounded(AirTime.milliseconds(exchanges, periods: rate.1), digits: 3))
                    })
            ),
        ])
    }

    static func text(_ measurements: [PassMeasurement]) -> String {
        var table = Table(
            ["passes", "APDUs", "bytes sent", "received"] + AirTime.rates.map { "ms at \($0.0)" }
                + ["p50 µs", "p99", "allocations", "outcome"])
        for row in measurements {
            table.add(
                [row.scenario.name, "\(row.exchanges.count)", "\(row.sent)", "\(row.received)"]
                    + AirTime.rates.map { fixed(AirTime.milliseconds(row.exchanges, periods: $0.1), 2) }
                    + [
                        fixed(Double(row.times.p50) / 1000, 2), fixed(Double(row.times.p99) / 1000, 2),
                        row.allocations.map { "\($0)" } ?? "-",
                        row.scenario.expected.map(\.rawValue).joined(separator: ", "),
                    ])
        }
        return
            "Passes before a payment: what a tap has more than the same tap without them. Time on the air at least "
            + "(kbit/s); the reader's own time without cryptography\n\n" + table.text
    }
}

/// One dialogue with a simulated phone.
private struct PassRecording: Sendable {
    let scenario: PassScenario
    private(set) var exchanges: [Dialogue.Exchange] = []
    private let start: WalletDialogue
    private var signature = Bytes()

    init(_ scenario: PassScenario) async throws {
        guard let phone = WalletProfile.named(scenario.phone) else {
            throw BenchFailure("\(scenario.name): the simulator has no phone \(scenario.phone)")
        }
        self.scenario = scenario
        let request = try LoyaltyRequest(scenario.programmes)
        #if Loyalty
        var keys = LoyaltyKeys()
        for programme in scenario.programmes {
            if case .collector = programme.wallet {
                try keys.add(SecretBytes(WalletProfile.collectorKey.privateKey), for: programme)
            }
        }
        start = WalletDialogue(request, .andPayment, terminal: SmartTapKey().terminal)
        #else
        start = WalletDialogue(request, .andPayment, terminal: nil)
        #endif
        var presented = phone.phone
        var dialogue = start
        var step = dialogue.next(nil)
        while step != .finished {
            switch step {
            case .send(let command):
                guard case .response(let response, _) = presented.exchange(command) else {
                    throw BenchFailure("\(scenario.name): the phone does not answer")
                }
                exchanges.append(Dialogue.Exchange(command: command, response: response, microseconds: 0))
                step = dialogue.next(.response(response))
            case .sign(let bytes):
                #if Loyalty
                signature = try await keys.sign(bytes, collector: WalletProfile.collector, keyVersion: 1)
                #endif
                step = dialogue.next(.signature(signature))
            case .finished: break
            }
        }
        guard presented.wallet.complaints.isEmpty else {
            throw BenchFailure("\(scenario.name): the phone complains: \(presented.wallet.complaints)")
        }
        try check(dialogue)
    }

    func check(_ dialogue: WalletDialogue) throws {
        let found = dialogue.findings.map { finding -> PassOutcomeName in
            switch finding {
            case .outcome(let outcome): outcome.name
            // Sealed as it came.
            case .bundle: .sealed
            }
        }
        guard found == scenario.expected else {
            let names = found.map(\.rawValue).joined(separator: ", ")
            throw BenchFailure("\(scenario.name): ended as \(names)")
        }
    }

    @inline(never)
    func repeated() -> WalletDialogue {
        var dialogue = start
        var answered = 0
        var step = dialogue.next(nil)
        while step != .finished, answered <= exchanges.count {
            switch step {
            case .send:
                let response = answered < exchanges.count ? exchanges[answered].response : []
                answered += 1
                step = dialogue.next(.response(response))
            case .sign: step = dialogue.next(.signature(signature))
            case .finished: break
            }
        }
        return dialogue
    }
}
#endif
