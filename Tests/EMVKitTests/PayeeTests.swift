// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A card that records the commands it receives.
private struct ListeningCard: CardPresentation {
    final class Notes: @unchecked Sendable {
        // Written by the reader's actor, read after the tap.
        var commands: [[UInt8]] = []
    }

    let notes: Notes
    var card: ManInTheMiddle<VirtualCard>

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }
    mutating func exchange(_ command: [UInt8]) -> CardReply {
        notes.commands.append(command)
        return card.exchange(command)
    }
}

/// Rows G5, G6 and H16, and the card's language, over a whole tap.
@Suite(.timeLimit(.minutes(30))) struct PayeeTests {
    private static let payee = Merchant("Café Übergröße", via: "Pay Desk", city: "Köln")
    private static let amount = Money(minorUnits: 1250, currency: .eur)

    /// A tap with a card that requests the merchant's name and prefers a language. Returns what the card received and
    /// what was shown.
    private func tap(
        _ request: PaymentRequest, payee: Merchant?, language: [UInt8]? = nil
    ) async throws -> (heard: [[UInt8]], shown: [Prompt]) {
        var profile = try #require(CardProfile.named("online"))
        profile.applications[0].pdol = .full + [DataRequest(0x9F4E, 40)]
        let edits = language.map { [CardEdit(.selection, .response(.insert(0x5F2D, $0)))] } ?? []
        let notes = ListeningCard.Notes()
        let card = ListeningCard(notes: notes, card: ManInTheMiddle(VirtualCard(profile), edits))
        let reader = TapReader(
            SimulatedReader(card), configuration: .simulator(),
            options: with(.init()) { ($0.payee, $0.texts) = (payee, TextCatalogue(language: .dutch)) })
        let session = try await reader.prepare()
        let events = reader.events()
        let outcome = await session.read(request)
        guard case .success(let read) = outcome else {
            Issue.record("\(outcome)")
            return ([], [])
        }
        _ = await session.authorize(read, with: Approver())
        var shown: [Prompt] = []
        for await event in events {
            if case .prompt(let prompt) = event { shown.append(prompt) }
            if case .authorized = event { break }
        }
        return (notes.commands, shown)
    }

    private struct Approver: Authorizer {
        var acceptsSimulatedReads: Bool { true }
        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision { .approved(Approval()) }
        func reverse(_ reversal: Reversal) async throws {}
    }

    @Test func aReaderNamesWhoIsPaid() async throws {
        let name = try #require(PayeeTests.payee.nameAndLocation)
        let (heard, shown) = try await tap(PaymentRequest(amount: PayeeTests.amount), payee: PayeeTests.payee)
        #expect(heard.contains { command in command.indices.contains { command[$0...].starts(with: name) } })
        #expect(shown.contains { $0.merchant == "Café Übergröße, via Pay Desk" && $0.total == PayeeTests.amount })
        #expect(shown.allSatisfy { $0.merchant != nil })
    }

    @Test func theRequestsOwnMerchantGoesFirst() async throws {
        let own = Merchant("Stall 7")
        let (heard, shown) = try await tap(
            with(PaymentRequest(amount: PayeeTests.amount)) { $0.merchant = own }, payee: PayeeTests.payee)
        #expect(
            heard.contains { command in command.indices.contains { command[$0...].starts(with: Array("Stall 7".utf8)) }
            })
        #expect(shown.allSatisfy { $0.merchant == "Stall 7" })
    }

    @Test func aReceiptTakesBillMerchantAndKeyFromTheTap() async throws {
        let bill = try Bill([LineItem("Ride", minorUnits: 900), .pending("Tolls")], total: PayeeTests.amount)
        let key = ReconciliationKey()
        let reader = TapReader(
            SimulatedReader(try #require(CardProfile.named("online"))), configuration: .simulator(),
            options: with(.init()) { $0.payee = PayeeTests.payee })
        let session = try await reader.prepare()
        guard case .success(let read) = await session.read(PaymentRequest(bill, key: key)) else {
            Issue.record("not read"); return
        }
        #expect(Receipt(read) == nil)
        let result = await session.authorize(read, with: Approver())
        let receipt = try #require(Receipt(read, result))
        #expect(receipt.lines == bill.lines && receipt.total == PayeeTests.amount && receipt.reference == key.rawValue)
        #expect(receipt.merchant == PayeeTests.payee && receipt.note == TextKey("amount.pending"))
        #expect(receipt.applicationLabel == "VISA" && receipt.card?.description == "************1111")
        let text = receipt.text(.columns48)
        #expect(text.contains("Tolls                             Amount pending"))
        #expect(text.contains("Through                                 Pay Desk"))
        #expect(Receipt(read, .pinRequested(PINChallenge(id: "1"))) == nil)
    }

    @Test func aReadWithoutAnAmountHasAReceiptWithoutOne() async throws {
        let reader = TapReader(SimulatedReader(try #require(CardProfile.named("online"))), configuration: .simulator())
        let outcome = await reader.read(VerificationRequest(reason: .storeCard, currency: .eur))
        guard case .verified(let verification) = outcome else { Issue.record("\(outcome)"); return }
        let text = Receipt(verification, merchant: PayeeTests.payee).text()
        #expect(text.contains("Card verification") && text.contains("Card verified"))
        #expect(!text.contains("Total") && !text.contains("ARQC") && !text.contains("Approved"))
    }

    /// EMV Book 4, 11.1: the POS uses its own language until the card has stated a preference.
    @Test func afterTheCardHasSaidSoPromptsAreInItsLanguage() async throws {
        let (_, shown) = try await tap(
            PaymentRequest(amount: PayeeTests.amount), payee: nil, language: Array("hujade".utf8))
        #expect(shown.first?.language == .dutch)
        #expect(shown.first?.text?.description == "Kaart aanbieden")
        #expect(shown.last?.language == .japanese)
        #expect(shown.last?.text?.description == "承認")
        let (_, plain) = try await tap(PaymentRequest(amount: PayeeTests.amount), payee: nil)
        #expect(plain.allSatisfy { $0.language == .dutch })
    }
}
