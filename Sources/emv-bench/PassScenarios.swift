// SPDX-License-Identifier: Apache-2.0
#if Tools
// Dialogues with wallets before a payment: the phone, the requested passes, and the expected result. The payment after
// it is that of any other scenario: a dialogue does not change its commands.
import EMVBenchC
import EMVKit
import EMVLoyalty
import EMVSimulator

/// A simulated phone and the passes requested from it. A run with an unexpected result is an error and yields no
/// figure.
struct PassScenario: Sendable {
    let name: String
    let summary: String
    /// The name of a phone in the simulator.
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

    /// These scenarios need a signer, and so the trait.
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

/// A recorded dialogue and the cost of repeating it: the reader's part without cryptography, and the cryptography
/// separately.
struct PassMeasurement: Sendable {
    let scenario: PassScenario
    let exchanges: [Dialogue.Exchange]
    let taps: Int
    let times: Percentiles
    /// Times to sign, if a signature is needed, and to open the received passes; `nil` if there is none, or without the
    /// trait.
    let cryptography: Percentiles?
    /// Times to make the reader's key, before a phone is presented.
    let key: Percentiles?
    /// The allocations of one dialogue; `nil` if they cannot be counted.
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
        cryptography = try await recording.cryptography(times: min(taps, 1000))
        key = recording.key(times: min(taps, 1000))
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
            ("cryptographyNs", cryptography?.json ?? .null), ("keyNs", key?.json ?? .null),
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
            ["passes", "APDUs", "sent", "received"] + AirTime.rates.map(\.0)
                + ["p50", "p99", "allocs", "crypto", "key"])
        for row in measurements {
            table.add(
                [row.scenario.name, "\(row.exchanges.count)", "\(row.sent)", "\(row.received)"]
                    + AirTime.rates.map { fixed(AirTime.milliseconds(row.exchanges, periods: $0.1), 2) }
                    + [
                        microseconds(row.times.p50), microseconds(row.times.p99),
                        row.allocations.map { "\($0)" } ?? "-", microseconds(row.cryptography?.p50),
                        microseconds(row.key?.p50),
                    ])
        }
        return
            "Passes before a payment: what a tap has in addition\n"
            + "106, 424, 848: least ms on the air at that rate in kbit/s\n"
            + "p50, p99: µs of the reader without cryptography; crypto: to sign and open; key: to make a key\n\n"
            + table.text
    }

    private static func microseconds(_ nanoseconds: UInt64?) -> String {
        nanoseconds.map { fixed(Double($0) / 1000, 2) } ?? "-"
    }
}

/// A recording of one dialogue with a simulated phone.
private struct PassRecording: Sendable {
    let scenario: PassScenario
    private(set) var exchanges: [Dialogue.Exchange] = []
    private let start: WalletDialogue
    private var signature = Bytes()
    #if Loyalty
    private var keys = LoyaltyKeys()
    private var toSign: Bytes?
    private let readerKey = SmartTapKey()
    private let found: [Finding]
    #endif

    init(_ scenario: PassScenario) async throws {
        guard let phone = WalletProfile.named(scenario.phone) else {
            throw BenchFailure("\(scenario.name): the simulator has no phone \(scenario.phone)")
        }
        self.scenario = scenario
        let request = try LoyaltyRequest(scenario.programmes)
        #if Loyalty
        for programme in scenario.programmes {
            let key =
                switch programme.wallet {
                case .collector: WalletProfile.collectorKey
                case .passType(WalletProfile.secondPassType): WalletProfile.coffeeKey
                case .passType: WalletProfile.clubKey
                }
            try keys.add(SecretBytes(key.privateKey), for: programme)
        }
        start = WalletDialogue(request, .andPayment, terminal: readerKey.terminal)
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
                toSign = bytes
                signature = try await keys.sign(bytes, collector: WalletProfile.collector, keyVersion: 1)
                #endif
                step = dialogue.next(.signature(signature))
            case .finished: break
            }
        }
        guard presented.wallet.complaints.isEmpty else {
            throw BenchFailure("\(scenario.name): the phone complains: \(presented.wallet.complaints)")
        }
        #if Loyalty
        found = dialogue.findings
        #endif
        try check(dialogue)
    }

    #if Loyalty
    /// Measures the operations with keys in a tap of this phone. Each pass must be read, or the run fails.
    func cryptography(times count: Int) async throws -> Percentiles? {
        guard found.contains(where: { $0.isClosed }) else { return nil }
        let context = LoyaltyContext(passKeys: keys, freshness: .unsafeUnlimited)
        var times = [UInt64]()
        for _ in 0..<max(count, 1) {
            let begin = emv_bench_now()
            if let toSign { _ = try await keys.sign(toSign, collector: WalletProfile.collector, keyVersion: 1) }
            for (programme, finding) in zip(scenario.programmes, found) where finding.isClosed {
                let outcome = await open(finding, of: programme, context)
                guard case .read = outcome else {
                    throw BenchFailure("\(scenario.name): a pass was opened as \(outcome.name.rawValue)")
                }
            }
            times.append(emv_bench_now() - begin)
        }
        return Percentiles(times)
    }

    private func open(
        _ finding: Finding, of programme: LoyaltyProgramme, _ context: LoyaltyContext
    ) async -> PassOutcome {
        switch finding {
        case .outcome(.sealed(let pass)): await context.open(pass, of: programme.id)
        case .outcome(let outcome): outcome
        case .bundle(let bundle): readerKey.open(bundle)
        }
    }

    func key(times count: Int) -> Percentiles? {
        guard toSign != nil else { return nil }
        return Percentiles(
            (0..<max(count, 1)).map { _ in
                let begin = emv_bench_now()
                let made = SmartTapKey()
                let end = emv_bench_now()
                return withExtendedLifetime(made) { end - begin }
            })
    }
    #else
    func cryptography(times count: Int) async throws -> Percentiles? { nil }
    func key(times count: Int) -> Percentiles? { nil }
    #endif

    func check(_ dialogue: WalletDialogue) throws {
        let found = dialogue.findings.map { finding -> PassOutcomeName in
            switch finding {
            case .outcome(let outcome): outcome.name
            // A bundle counts as sealed, as it was received.
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

#if Loyalty
extension Finding {
    /// Whether this is a pass that a key has to open.
    fileprivate var isClosed: Bool {
        switch self {
        case .outcome(.sealed), .bundle: true
        case .outcome: false
        }
    }
}
#endif
#endif
