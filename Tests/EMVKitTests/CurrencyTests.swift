// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVSimulator
import Testing

/// Limits are amounts in the currency that the combination states.
@Suite(.timeLimit(.minutes(30))) struct CurrencyTests {
    @Test("A payment in another currency than the limits' fails by name, before the field is on")
    func anotherCurrencyIsRefused() async throws {
        let recorder = Recorder(SimulatedReader(.online))
        let reader = tapReader(recorder, configuration: .simulator())
        let yen = await reader.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .jpy)))
        guard case .failed(.invalid(let problems)) = yen else { Issue.record("\(yen)"); return }
        #expect(problems.map(\.code) == [.currencyNotConfigured])
        #expect(problems.first?.detail == "JPY at a reader configured in EUR")
        #expect(await recorder.polls.isEmpty)
        let look = await reader.read(VerificationRequest(reason: .lookUp, currency: .jpy))
        #expect(look.problems.map(\.code) == [.currencyNotConfigured])
        #expect(await reader.read(PaymentRequest(amount: eur(1250))).name == .success)
        // A combination that states no currency accepts any.
        var configuration = Configuration.simulator()
        for row in configuration.combinations.indices { configuration.combinations[row].currency = nil }
        let any = tapReader(SimulatedReader(.online), configuration: configuration)
        #expect(await any.read(PaymentRequest(amount: Money(minorUnits: 1250, currency: .jpy))).name == .success)
    }

    @Test("The simulated POS states its currency, and every amount goes the same way in each")
    func theSimulatorStatesIt() async throws {
        #expect(Configuration.simulator().currency == 978)
        for currency in [Currency.eur, .jpy, .usd, Currency(code: "KWD")!] {
            let configuration = Configuration.simulator(currency: currency)
            #expect(configuration.currency == currency.numeric)
            let reader = tapReader(SimulatedReader.byAmount(), configuration: configuration)
            for tap in [SimulatedTap.approve, .online, .decline, .overLimit] {
                let outcome = await reader.read(
                    PaymentRequest(amount: Money(minorUnits: tap.amount, currency: currency)))
                #expect(outcome.name == tap.expected, "\(tap) \(currency.code)")
            }
            let refused = await reader.read(PaymentRequest(amount: Money(minorUnits: 4_002, currency: .gbp)))
            #expect(refused.problems.map(\.code) == [.currencyNotConfigured])
        }
    }

    @Test("The kernel refuses such a transaction, too")
    func theKernelRefusesIt() throws {
        let checked = try CheckedConfiguration(.simulator())
        #expect(checked.configuration.currency == 978)
        let yen = Transaction(amount: 1250, currency: 392, exponent: 0, date: testDay)
        do {
            _ = try KernelSession(checked, yen)
            Issue.record("taken")
        } catch {
            #expect(error.section == .transaction && error.field == .currency && error.reason == .conflict)
        }
        _ = try KernelSession(checked, Transaction(amount: 1250, currency: 978, date: testDay))
    }

    @Test("Two currencies in one configuration are an error at the second one")
    func twoCurrenciesAreRefused() throws {
        var configuration = Configuration.simulator()
        configuration.combinations[1].currency = 756
        let error = #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
        #expect(error?.row == 1 && error?.field == .currency && error?.reason == .conflict)
        configuration.combinations[1].currency = 1000
        #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
    }

    @Test("A document states it in four digits, and writes it so")
    func documentsStateIt() throws {
        func file(_ value: String) -> Bytes {
            Bytes(
                """
                { "format": "emv-configuration/1", "terminal": { "9F1A": "0276", "9F35": "22" },
                  "combinations": [
                    { "aid": "A0000000031010", "kernel": 3, "ttq": "36004000", "currency": \(value) } ] }
                """.utf8)
        }
        let configuration = try Configuration(json: file(#""0036""#))
        #expect(configuration.combinations[0].currency == 36 && configuration.currency == 36)
        #expect(try Configuration(json: Bytes(configuration.json.utf8)) == configuration)
        for wrong in ["978", #""978""#, #""EUR""#, #""0A00""#] {
            let error = #expect(throws: FormatError.self, "\(wrong)") { try Configuration(json: file(wrong)) }
            #expect(error?.path == "combinations[0].currency")
        }
    }

    // MARK: An acquirer's configuration

    private static let networks: [AcceptedNetwork] = [
        .visa(limit: 100_000, verifiedFrom: 5_000), .visaElectron(verifiedFrom: 5_000), .vPay(verifiedFrom: 5_000),
        .mastercard(limit: 100_000, verifiedFrom: 5_000), .maestro(verifiedFrom: 5_000),
        .americanExpress(verifiedFrom: 5_000), .jcb(verifiedFrom: 5_000), .discover(verifiedFrom: 5_000),
        .unionPayDebit(verifiedFrom: 5_000), .unionPayCredit(verifiedFrom: 5_000),
    ]

    private static func acquirer(
        _ networks: [AcceptedNetwork] = networks, offlineUpTo floor: Money? = nil, hasPINPad: Bool = true,
        serialNumber: String? = "POS00001"
    ) throws -> Configuration {
        try Configuration.acquirer(
            country: #require(Country(code: "DE")), currency: .eur, networks: networks,
            caKeys: Configuration.simulator().caKeys, hasPINPad: hasPINPad, offlineUpTo: floor, merchantCategory: 5999,
            serialNumber: serialNumber)
    }

    @Test(
        "A card of every network goes online, below and above the limit",
        arguments: [
            "online", "mcOnline", "amexOnline", "k5-online", "dpasOnline", "upOnline",
        ])
    func everyNetworkIsTaken(card: String) async throws {
        for (amount, wanted) in [(UInt64(1_250), [TapName.success]), (6_000, [.success, .onlinePINRequired])] {
            let reader = tapReader(
                SimulatedReader(try #require(CardProfile.named(card))), configuration: try Self.acquirer())
            let outcome = await reader.read(PaymentRequest(amount: eur(amount)))
            #expect(wanted.contains(outcome.name), "\(card), \(amount): \(outcome.name) \(outcome.problems)")
            #expect(outcome.read?.authorization == .onlineRequired)
        }
    }

    @Test("Its defaults are safe: no approval without the issuer, no mag-stripe mode, everything verified and stated")
    func itsDefaultsAreSafe() throws {
        let configuration = try Self.acquirer()
        let review = configuration.review(on: testDay)
        #expect(review.networks.allSatisfy { $0.goesOnline && $0.offline == .none })
        #expect(Set(review.remarks.map(\.code)).isSubset(of: [.testKey, .keyWithoutNetwork]))
        #expect(configuration.combinations.allSatisfy { $0.currency == 978 && $0.limits.floor == 0 })
        #expect(configuration.terminal[0x9F1A] == [0x02, 0x76] && configuration.terminal[0x9F15] == [0x59, 0x99])
        let plain = try Self.acquirer([.visa(), .mastercard()])
        #expect(plain.combinations.allSatisfy { $0.limits.cvmRequired == 0 })
        for row in configuration.combinations where row.kernel.id == 2 {
            #expect(row.data[0xDF811B].map { $0[0] & 0x80 } == 0x80)
        }
        for row in configuration.combinations { #expect(row.ttq.map { $0[0] & 0x88 } ?? 0 == 0) }
    }

    @Test func whatContradictsItselfIsRefused() throws {
        #expect(throws: ConfigurationError.self) { try Self.acquirer([.visa(), .visa()]) }
        let other = Money(minorUnits: 100, currency: .usd)
        let error = #expect(throws: ConfigurationError.self) { try Self.acquirer(offlineUpTo: other) }
        #expect(error?.field == .currency)
        let offline = try Self.acquirer([.visa(verifiedFrom: 5_000)], offlineUpTo: eur(1_000))
        #expect(offline.terminal[0x9F35] == [0x22] && offline.combinations[0].limits.floor == 1_000)
        let silent = try Self.acquirer([.visa()], hasPINPad: false)
        #expect(silent.combinations[0].ttq.map { $0[0] & 0x04 } == 0)
        for wrong in ["POS1", "POS000001", "POS0000ü", "POS0000\n"] {
            let error = #expect(throws: ConfigurationError.self) { try Self.acquirer([.visa()], serialNumber: wrong) }
            #expect(error?.section == .terminal && error?.tag == 0x9F1E, "\(wrong)")
        }
        _ = try Self.acquirer([.visa()], serialNumber: nil)
        let nameless = #expect(throws: ConfigurationError.self) { try Self.acquirer([.discover()], serialNumber: nil) }
        #expect(nameless?.tag == 0x9F1E && nameless?.reason == .missing)
    }
}
