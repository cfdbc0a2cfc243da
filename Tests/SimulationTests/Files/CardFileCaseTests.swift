// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Cases: a card that behaves differently by amount, presentment, type or currency.
@Suite struct CardFileCaseTests {
    static func card(_ base: String, _ application: String) throws(FormatError) -> CardDocument {
        try CardDocumentTests.read(
            """
            { "format": "emv-card/1", "base": "\(base)", "applications": [ { \(application) } ] }
            """)
    }

    /// One reader and one card over several taps.
    private static func taps(
        _ presentation: any CardPresentation, _ amounts: [UInt64], limits: Limits = Limits()
    ) async throws -> [String] {
        var protection = Protection()
        protection.profile = .book
        let reader = TapReader(
            SimulatedReader(presentation), configuration: .simulator(limits: limits, protection: protection),
            options: .ofTools)
        var found: [String] = []
        for (index, amount) in amounts.enumerated() {
            let session = try await reader.prepare()
            var request = PaymentRequest(
                amount: Money(minorUnits: amount, currency: .eur), moment: TapThroughTests.moment)
            request.counter = UInt32(index + 1)
            found.append(TapThroughTests.describe(await session.read(request)))
        }
        return found
    }

    /// The files of Examples/Cards.
    private static func example(_ name: String) throws -> CardDocument {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Examples/Cards")
        return try CardDocument(json: Array(Data(contentsOf: folder.appending(path: name))), file: name)
    }

    @Test func aVisaAsksForTheContactInterfaceAboveFifty() async throws {
        let found = try await Self.taps(
            Self.example("visa-6984-above-50.json").presentation, [12_50, 50_00, 50_01, 12_50])
        #expect(found == ["onlineRequest none", "onlineRequest none", "tryAnotherInterface", "onlineRequest none"])
    }

    /// The ordinary tap is approved, the third one is not: the reader sees a signature that does not verify.
    @Test func aMastercardFailsCDAAtTheThirdTap() async throws {
        let found = try await Self.taps(
            Self.example("mastercard-cda-fails-at-third-tap.json").presentation, [5_00, 5_00, 5_00, 5_00])
        #expect(found[0] == "approved none" && found[1] == found[0] && found[3] == found[0])
        #expect(found[2] != found[0], "\(found)")
    }

    /// A card whose CDOL1 alone has the amount decides in GENERATE AC.
    @Test(arguments: ["mcOffline", "k5-offline", "amexOffline"])
    func theAmountMayComeWithGenerateAC(base: String) async throws {
        var profile = CardProfile.named(base)!
        let pdol = (profile.application.pdol ?? []).filter { $0.tag != 0x9F02 }
        profile.application.pdol = profile.application.pdol.map { _ in pdol }
        var decline = profile.application
        decline.disposition = .decline
        var condition = CardCase.Condition()
        condition.amountAbove = 10_00
        profile.application.cases = [CardCase(condition, decline)]
        #expect(profile.application.cases[0].stage(in: profile.application) == .cryptogram)
        let document = CardDocument(profile)
        let text = try #require(document.json(base: base))
        #expect(try CardDocumentTests.read(text) == document, "\(text)")
        let found = try await Self.taps(document.card, [5_00, 10_01, 5_00])
        #expect(found[0].hasPrefix("approved") && found[2] == found[0], "\(found)")
        // As a card that always declines: some kernels then ask for another interface.
        profile.application.cases = []
        profile.application.disposition = .decline
        let declined = try await Self.taps(VirtualCard(profile), [10_01])
        #expect(found[1] == declined[0] && found[1] != found[0], "\(found)")
    }

    @Test func typeAndCurrencyAreConditions() throws {
        var card = try Self.card(
            "online",
            """
            "cases": [ { "when": { "type": "20", "currency": "0978" }, "then": { "refusal": "6985" } },
                       { "when": { "type": "20" }, "then": { "refusal": "6986" } },
                       { "when": { "currency": "0840" }, "then": { "pan": "4000001234562345" } } ]
            """
        ).card
        func status(type: String, currency: [UInt8]) -> [UInt8] {
            var terminal = PlainTerminal()
            terminal.type = type
            terminal.more = [0x5F2A: currency]
            defer { card.reset() }
            return terminal.tap(&card).status
        }
        #expect(status(type: "00", currency: [0x09, 0x78]) == [0x90, 0x00])
        #expect(status(type: "20", currency: [0x09, 0x78]) == [0x69, 0x85])
        #expect(status(type: "20", currency: [0x08, 0x40]) == [0x69, 0x86])
        #expect(status(type: "00", currency: [0x08, 0x40]) == [0x90, 0x00])
    }

    /// The certificates follow the account of the case.
    @Test func aCaseHasItsOwnCertificates() async throws {
        let document = try Self.card(
            "fdda",
            #""cases": [ { "when": { "presentment": 2 }, "then": { "pan": "4000001234562345", "flaws": [] } } ]"#)
        let found = try await Self.taps(document.card, [5_00, 5_00, 5_00])
        #expect(found == ["approved none", "approved none", "approved none"])
    }

    @Test(arguments: [
        (
            "online", #""pdol": "9F6604", "cases": [ { "when": { "amountAbove": 1 }, "then": {} } ]"#,
            "applications[0].cases[0].when: expected a condition whose data the card asks for: the amount, 9F02, in "
                + "the PDOL or in CDOL1, found a card that asks for it in neither"
        ),
        (
            "mcOffline", #""pdol": null, "cases": [ { "when": { "amountAbove": 1 }, "then": { "refusal": "6985" } } ]"#,
            "applications[0].cases[0].then.refusal: expected a key that matters in GENERATE AC"
        ),
        (
            "online", #""cases": [ { "when": { }, "then": {} } ]"#,
            #"cases[0].when: expected an object with one or more of "amountAbove""#
        ),
        (
            "online", #""cases": [ { "when": { "presentment": 1 }, "then": { "aid": "A000000003" } } ]"#,
            "cases[0].then.aid"
        ),
        ("online", #""cases": [ { "when": { "amountabove": 1 } } ]"#, #"expected one of the keys "amountAbove""#),
    ])
    func whatCannotBindIsRejected(base: String, application: String, expected: String) {
        do throws(FormatError) {
            _ = try Self.card(base, application)
            Issue.record("accepted: \(application)")
        } catch {
            #expect(error.description.contains(expected), "\(error)")
        }
    }
}
