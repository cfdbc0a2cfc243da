// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Every named card with every layer: simulated reader, TapReader, session, kernel.
@Suite struct TapThroughTests {
    static let moment = LocalTime(
        date: CalendarDate(year: 2026, month: 11, day: 21)!, time: TimeOfDay(hour: 12, minute: 0, second: 0)!)

    static func tap(
        _ presentation: any CardPresentation, limits: Limits = Limits(), amount: UInt64 = 12_50,
        revoked: [Revocation] = [],
        ttq: [UInt8] = [0x36, 0x00, 0x40, 0x00], profile: Protection.Profile = .book, hasPINPad: Bool = true
    ) async throws -> TapOutcome {
        var protection = Protection()
        protection.profile = profile
        var configuration = Configuration.simulator(limits: limits, ttq: ttq, protection: protection)
        configuration.revoked = revoked
        var options = TapReader.Options.ofTools
        options.hasPINPad = hasPINPad
        let reader = TapReader(SimulatedReader(presentation), configuration: configuration, options: options)
        let session = try await reader.prepare()
        return await session.read(PaymentRequest(amount: Money(minorUnits: amount, currency: .eur), moment: moment))
    }

    static func describe(_ outcome: TapOutcome) -> String {
        switch outcome {
        case .success(let read), .onlinePINRequired(let read):
            "\(read.authorization == .approvedOffline ? "approved" : "onlineRequest") \(read.cvm.rawValue)"
        case let other: other.name.rawValue
        }
    }

    /// The independent implementation in `NamedProfileTests` and the kernel agree on every card.
    @Test(arguments: NamedProfileTests.plain.keys.sorted())
    func theKernelLeadsWhereTheTableSays(expected: String) async throws {
        let serial = Revocation(rid: CardAuthority.visaRID, index: 0xF3, serial: [0x00, 0x00, 0xAA])
        for name in NamedProfileTests.plain[expected]! {
            let outcome = try await Self.tap(
                VirtualCard(CardProfile.named(name)!), revoked: name == "revokedIssuer" ? [serial] : [])
            switch expected {
            case "tryAgain notApplicable":
                let ends = name == "phoneLocked" ? "onlineRequest cdcvm" : "unreadable"
                #expect(Self.describe(outcome) == ends, "\(name)")
            case "endApplication notApplicable":
                #expect(["unsupportedNetwork", "unreadable"].contains(Self.describe(outcome)), "\(name): \(outcome)")
            case "declined notApplicable", "tryAnotherInterface notApplicable":
                #expect(expected.hasPrefix(outcome.name.rawValue), "\(name): \(outcome)")
            default:
                #expect(Self.describe(outcome) == expected, "\(name)")
            }
        }
    }

    @Test(arguments: [
        ("online", "success"), ("decline", "declined"), ("missingTrack2", "unreadable"),
        ("unknownScheme", "unsupportedNetwork"),
        ("onlinePIN", "onlinePINRequired"), ("tryAnotherInterface", "tryAnotherInterface"),
    ])
    func everyPrincipalResultHasItsCard(card: String, result: String) async throws {
        let outcome = try await Self.tap(VirtualCard(CardProfile.named(card)!), profile: .guarded)
        #expect(outcome.name.rawValue == result)
    }

    @Test func anAmountAtTheLimitAsksNoCard() async throws {
        let outcome = try await Self.tap(VirtualCard(CardProfile.named("online")!), limits: Limits(transaction: 12_50))
        #expect(outcome.name == .limitExceeded)
    }

    @Test func aPINWithoutAPadIsUnavailable() async throws {
        let outcome = try await Self.tap(VirtualCard(CardProfile.named("onlinePIN")!), hasPINPad: false)
        #expect(outcome.name == .onlinePINUnavailable)
    }

    @Test func twoCardsPayWhenOneIsTakenAway() async throws {
        let cards = TwoCards(
            VirtualCard(CardProfile.named("online")!), VirtualCard(CardProfile.named("fdda")!), collidingPolls: 3)
        #expect(Self.describe(try await Self.tap(cards)) == "onlineRequest none")
    }

    /// The issuer accepts the kernel's data record.
    @Test(arguments: ["online", "onlineCVN18", "onlinePIN", "cdcvm", "onlineODA"])
    func theIssuerAcceptsTheDataRecord(card: String) async throws {
        let profile = CardProfile.named(card)!
        let outcome = try await Self.tap(VirtualCard(profile))
        guard case .success(let read) = outcome else {
            if case .onlinePINRequired(let read) = outcome { return try check(read, profile) }
            Issue.record("\(outcome)")
            return
        }
        try check(read, profile)
    }

    private func check(_ read: CardRead, _ profile: CardProfile) throws {
        let issuer = SimulatedIssuer(profile.application)
        let record = Dictionary(uniqueKeysWithValues: read.dataRecord.tags.map { ($0.rawValue, read.dataRecord[$0]!) })
        #expect(issuer.accepts(record))
        var altered = record
        altered[0x9F02] = [0, 0, 0, 0, 0x99, 0x99]
        #expect(!issuer.accepts(altered))
    }

    /// Whatever fails and at whatever point, a tap ends with one outcome, and an offline approval always rests on the
    /// card's complete data.
    @Test(arguments: 0..<200)
    func everyFaultPlanEndsInOneOutcome(seed: Int) async throws {
        let card = VirtualCard(CardProfile.named(seed.isMultiple(of: 2) ? "fdda" : "onlineRecords")!)
        let plan = FaultPlan(seed: UInt64(seed))
        let outcome = try await Self.tap(FaultyCard(card, plan), limits: Limits(floor: 100_00), profile: .guarded)
        #expect(
            [.success, .declined, .unreadable, .unsupportedNetwork, .tryAnotherInterface, .onlinePINRequired].contains(
                outcome.name))
    }
}
