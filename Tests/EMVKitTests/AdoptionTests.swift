// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Foundation
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Row I15: a running reader adopts another configuration.
@Suite struct AdoptionTests {
    /// A configuration whose reader accepts fewer payments, under a version number that differs from the first one's.
    private func configuration(
        _ version: String, upTo limit: UInt64, from day: CalendarDate? = nil, in currency: Currency = .eur
    ) -> Configuration {
        var configuration = Configuration.simulator(
            currency: currency, limits: Limits(transaction: limit, floor: 0, cvmRequired: 5_000))
        configuration.version = version
        configuration.validFrom = day
        return configuration
    }

    private func isRead(_ outcome: TapOutcome) -> Bool { if case .success = outcome { true } else { false } }
    private func isLimited(_ outcome: TapOutcome) -> Bool { if case .limitExceeded = outcome { true } else { false } }

    @Test("between two taps it is taken at once, and told; what is kept of a tap says which one it was taken with")
    func itIsTakenBetweenTaps() async throws {
        let old = configuration("1", upTo: 30_000), new = configuration("2", upTo: 1_000)
        let reader = tapReader(SimulatedReader(.online), configuration: old)
        let session = try await reader.prepare()
        let events = collect(reader.events()) { if case .adopted = $0 { true } else { false } }
        let before = await session.read(PaymentRequest(amount: eur(2_000)))
        #expect(isRead(before))
        #expect(try await reader.adopt(new) == .taken)
        #expect(await events.value.last == .adopted(Configuration.Identity(new)))
        // The reader's session is still valid.
        let after = await session.read(PaymentRequest(amount: eur(2_000)))
        #expect(isLimited(after))
        let small = await session.read(PaymentRequest(amount: eur(900)))
        #expect(before.read?.tap?.configuration == Configuration.Identity(old))
        #expect(small.read?.tap?.configuration == Configuration.Identity(new))

        let report = await reader.supportReport(before)
        #expect(report.configurationVersion == "1" && report.configuration == old.fingerprint)
        #expect(await reader.supportReport(after).configuration == new.fingerprint)
        let read = try #require(small.read)
        let receipt = try #require(
            Receipt(read, .approved(Approval(code: "123456")), merchant: Merchant("Market hall")))
        #expect(receipt.configuration == Configuration.Identity(new))
        #expect(!receipt.lines(.columns40).joined().contains(new.fingerprint.prefix(8)))
        let kept = try JSONDecoder().decode(Receipt.self, from: JSONEncoder().encode(receipt))
        #expect(kept == receipt)
    }

    @Test("one that is refused changes nothing, and what waits still waits")
    func aRefusedOneChangesNothing() async throws {
        let old = configuration("1", upTo: 30_000)
        let tomorrow = try #require(CalendarDate(testDay, after: 1))
        let today = Today()
        let reader = tapReader(SimulatedReader(.online), configuration: old) {
            $0.requiresCAKeys = true
            $0.clock = { LocalTime(date: today.day, time: noon.time) }
        }
        let session = try await reader.prepare()
        #expect(try await reader.adopt(configuration("2", upTo: 1_000, from: tomorrow)) == .from(tomorrow))
        var broken = configuration("3", upTo: 1)
        broken.combinations[0].aid = [0xA0]
        await #expect(throws: PrepareError.self) { try await reader.adopt(broken) }
        var keyless = configuration("4", upTo: 1)
        keyless.caKeys = []
        let missing = await #expect(throws: PrepareError.self) { try await reader.adopt(keyless) }
        guard case .caKeysMissing = missing else { Issue.record("\(String(describing: missing))"); return }
        await #expect(throws: PrepareError.configurationExpired(try #require(CalendarDate(testDay, after: -1)))) {
            try await reader.adopt(configuration("5", upTo: 1), lastDay: CalendarDate(testDay, after: -1))
        }
        #expect(await reader.configurationIdentity(for: .eur)?.version == "1")
        #expect(isRead(await session.read(PaymentRequest(amount: eur(2_000)))))
        // The day has changed: the first tap uses the new one.
        today.day = tomorrow
        #expect(isLimited(await session.read(PaymentRequest(amount: eur(2_000)))))
        #expect(await reader.configurationIdentity(for: .eur)?.version == "2")
    }

    @Test("a tap under way ends with the configuration it began with")
    func aTapUnderWayKeepsItsOwn() async throws {
        let old = configuration("1", upTo: 30_000), new = configuration("2", upTo: 1_000)
        let asked = AsyncStream<Void>.makeStream(), answer = AsyncStream<Void>.makeStream()
        let reader = tapReader(SimulatedReader(.online), configuration: old)
        let request = with(PaymentRequest(amount: eur(2_000))) {
            $0.amountChange = AmountChange(within: .seconds(600)) { _ in
                asked.continuation.yield()
                for await _ in answer.stream { break }
                return nil
            }
        }
        let tap = Task { await reader.read(request) }
        for await _ in asked.stream { break }
        #expect(try await reader.adopt(configuration("1a", upTo: 1)) == .afterThisTap)
        #expect(try await reader.adopt(new) == .afterThisTap)
        #expect(await reader.configurationIdentity(for: .eur)?.version == "1")
        answer.continuation.yield()
        let outcome = await tap.value
        #expect(isRead(outcome) && outcome.read?.tap?.configuration?.version == "1")
        #expect(isLimited(await reader.read(PaymentRequest(amount: eur(2_000)))))
        #expect(await reader.configurationIdentity(for: .eur) == Configuration.Identity(new))
    }

    private func pay(_ amount: UInt64, _ currency: Currency = .eur) -> PaymentRequest {
        PaymentRequest(amount: Money(minorUnits: amount, currency: currency))
    }

    @Test("a configuration in another currency leaves tonight's update, and each payment is taken with its own")
    func currenciesAreHeldSideBySide() async throws {
        let tomorrow = try #require(CalendarDate(testDay, after: 1))
        let today = Today()
        let reader = tapReader(SimulatedReader(.online), configuration: configuration("1", upTo: 30_000)) {
            $0.clock = { LocalTime(date: today.day, time: noon.time) }
        }
        let session = try await reader.prepare()
        let refused = await session.read(pay(500, .jpy))
        #expect(refused.problems.map(\.code) == [.currencyNotConfigured])
        #expect(await reader.configurationIdentity(for: .jpy) == nil)

        #expect(try await reader.adopt(configuration("2", upTo: 1_000, from: tomorrow)) == .from(tomorrow))
        #expect(try await reader.adopt(configuration("yen", upTo: 900, in: .jpy)) == .taken)
        for _ in 0..<2 {
            // A tap in yen before and after one in euro.
            let yen = await session.read(pay(500, .jpy)), euro = await session.read(pay(2_000))
            #expect(isRead(yen) && yen.read?.tap?.configuration?.version == "yen")
            #expect(isRead(euro) && euro.read?.tap?.configuration?.version == "1")
            #expect(isLimited(await session.read(pay(950, .jpy))))
        }
        let other = await session.read(pay(500, .usd))
        #expect(other.problems.first?.detail == "USD at a reader configured in EUR, JPY")

        today.day = tomorrow
        #expect(await reader.configurationIdentity(for: .eur)?.version == "2")
        #expect(await reader.configurationIdentity(for: .jpy)?.version == "yen")
        #expect(isLimited(await session.read(pay(2_000))))
        #expect(isRead(await session.read(pay(500, .jpy))))
    }

    @Test("an update takes the place of the one in its currency alone")
    func updatesWaitByCurrency() async throws {
        let tomorrow = try #require(CalendarDate(testDay, after: 1))
        let today = Today()
        let reader = tapReader(SimulatedReader(.online), configuration: configuration("1", upTo: 30_000)) {
            $0.clock = { LocalTime(date: today.day, time: noon.time) }
        }
        _ = try await reader.prepare()
        for (version, currency) in [("2", Currency.eur), ("yen", .jpy), ("3", .eur)] {
            let update = configuration(version, upTo: 1_000, from: tomorrow, in: currency)
            #expect(try await reader.adopt(update) == .from(tomorrow))
        }
        #expect(await reader.configurationIdentity(for: .eur)?.version == "1")
        #expect(await reader.configurationIdentity(for: .jpy) == nil)
        today.day = tomorrow
        #expect(await reader.configurationIdentity(for: .eur)?.version == "3")
        #expect(await reader.configurationIdentity(for: .jpy)?.version == "yen")
    }

    @Test("each currency has its own last day, and one that states no currency takes the place of all")
    func oneWithoutCurrencyIsForAll() async throws {
        let today = Today(), tomorrow = try #require(CalendarDate(testDay, after: 1))
        let reader = tapReader(SimulatedReader(.online), configuration: configuration("1", upTo: 30_000)) {
            $0.clock = { LocalTime(date: today.day, time: noon.time) }
        }
        let session = try await reader.prepare()
        try await reader.adopt(configuration("yen", upTo: 900, in: .jpy), lastDay: testDay)
        today.day = tomorrow
        let late = await session.read(pay(500, .jpy))
        #expect(late == .failed(.preparation(.configurationExpired(testDay))))
        #expect(isRead(await session.read(pay(500))))

        var all = configuration("all", upTo: 700)
        for row in all.combinations.indices { all.combinations[row].currency = nil }
        #expect(try await reader.adopt(all) == .taken)
        for currency in [Currency.eur, .jpy, .usd] {
            #expect(isLimited(await session.read(pay(800, currency))), "\(currency)")
            #expect(await reader.configurationIdentity(for: currency)?.version == "all")
        }
        #expect(try await reader.adopt(configuration("4", upTo: 30_000)) == .taken)
        #expect(await session.read(pay(500, .jpy)).problems.map(\.code) == [.currencyNotConfigured])
    }

    @Test("a reader of few kernels takes no configuration for others; one of all takes any")
    func theKernelsStay() async throws {
        var visa = Configuration.simulator()
        visa.combinations.removeAll { $0.kernel.id != KernelID(number: 3) }
        let few = TapReader(
            SimulatedReader(.online), configuration: visa, kernels: [.visa], options: settings())
        _ = try await few.prepare()
        await #expect(throws: PrepareError.self) { try await few.adopt(.simulator()) }
        let checked = TapReader(
            SimulatedReader(.online), checked: try CheckedConfiguration(visa, kernels: [.visa]), options: settings())
        await #expect(throws: PrepareError.self) { try await checked.adopt(.simulator()) }
        #expect(try await checked.adopt(visa) == .taken)
        let all = tapReader(SimulatedReader(.online), configuration: visa)
        #expect(try await all.adopt(.simulator()) == .taken)
        #expect(isRead(await all.read(PaymentRequest(amount: eur(1_250)))))
    }

    @Test("a reader whose first configuration is refused is prepared with the one that it adopts")
    func aGoodOneHelps() async throws {
        var broken = Configuration.simulator()
        broken.combinations[0].aid = [0xA0]
        let reader = tapReader(SimulatedReader(.online), configuration: broken)
        await #expect(throws: PrepareError.self) { try await reader.prepare() }
        #expect(try await reader.adopt(.simulator()) == .taken)
        _ = try await reader.prepare()
        #expect(isRead(await reader.read(PaymentRequest(amount: eur(1_250)))))
    }

    @Test("the last day of the one it has is not that of the one it adopts")
    func theLastDayGoesWithIt() async throws {
        let yesterday = try #require(CalendarDate(testDay, after: -1))
        let reader = tapReader(SimulatedReader(.online)) { $0.configurationLastDay = yesterday }
        await #expect(throws: PrepareError.configurationExpired(yesterday)) { try await reader.prepare() }
        #expect(try await reader.adopt(.simulator(), lastDay: testDay) == .taken)
        _ = try await reader.prepare()
    }
}

/// The test changes the day while the reader is idle.
private final class Today: @unchecked Sendable { var day = testDay }

extension CalendarDate {
    /// The date a number of days after another date of the same month.
    fileprivate init?(_ day: CalendarDate, after days: Int) {
        self.init(year: day.year, month: day.month, day: day.day + days)
    }
}
