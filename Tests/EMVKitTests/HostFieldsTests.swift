// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// The fields for a host, and the table in the article FieldsForAHost.
@Suite(.timeLimit(.minutes(30))) struct HostFieldsTests {
    private static let rows: [(network: String, mode: String, card: String)] = [
        ("Visa", "EMV", "online"), ("Mastercard", "EMV", "mcOnline"), ("Mastercard", "mag-stripe", "mcStripe"),
        ("American Express", "EMV", "amexOnline"), ("JCB", "EMV", "k5-online"), ("Discover", "EMV", "dpasOnline"),
        ("UnionPay", "EMV", "upOnline"),
    ]

    private func read(_ card: String, _ amount: UInt64 = 1_250) async throws -> CardRead {
        let reader = tapReader(SimulatedReader(try #require(CardProfile.named(card))))
        return try #require(await reader.read(PaymentRequest(amount: eur(amount))).read, "\(card)")
    }

    @Test("The article's rows are what a tap of each network gives")
    func theArticleSaysWhatIsThere() async throws {
        let article = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
                "../../Sources/EMVKit/EMVKit.docc/FieldsForAHost.md"), encoding: .utf8)
        for row in Self.rows {
            let request = try #require(AuthorizationRequest(try await read(row.card)))
            let fields = try request.hostFields(pin: .capable)
            func mark(_ value: Any?) -> String { value == nil ? "–" : "x" }
            let line =
                "| \(row.network) | \(row.mode) | \(fields.message.entryMode ?? "–") "
                + "| \(mark(fields.message.sequenceNumber)) | \(mark(fields.message.track2)) "
                + "| \(mark(fields.message.track1)) | \(mark(fields.chip)) | \(fields.entry?.rawValue ?? "–") |"
            #expect(article.contains("\n\(line)\n"), "FieldsForAHost.md lacks: \(line)")
        }
    }

    @Test("A PIN that goes with the request stands in field 52, and says NPIN; a signature says PPSG")
    func verificationHasItsCode() async throws {
        let reader = tapReader(SimulatedReader(.onlinePIN))
        let outcome = await reader.read(PaymentRequest(amount: eur(SimulatedTap.onlinePIN.amount)))
        let wantsPIN = try #require(outcome.read)
        let block = try #require(EncryptedPINBlock(Bytes(repeating: 7, count: 8), format: .iso0))
        let with = try #require(AuthorizationRequest(wantsPIN, pin: block))
        #expect(try with.hostFields().pinBlock == block && with.hostFields().verification == .onlinePIN)
        let without = try #require(AuthorizationRequest(wantsPIN))
        #expect(try without.hostFields().pinBlock == nil && without.hostFields().verification == nil)
        let plain = try #require(AuthorizationRequest(try await read("online")))
        #expect(try plain.hostFields().verification == nil)
        var signed = wantsPIN.outcome
        signed.cvm = .signature
        let signature = CardRead(authorization: .onlineRequired, outcome: signed, tap: wantsPIN.tap)
        #expect(
            try #require(AuthorizationRequest(signature)).hostFields().verification == .paperSignature)
        // The issuer requested a PIN after the kernel had chosen a signature.
        let asked = try #require(AuthorizationRequest(signature, attempt: 2, pin: SimulatedPINPad.block()))
        #expect(try asked.hostFields().verification == .onlinePIN)
    }

    @Test func descriptionsNameFieldsAndNoValue() async throws {
        let fields = try #require(AuthorizationRequest(try await read("mcOnline"))).hostFields()
        let account = try #require(fields.message.accountNumber)
        for text in ["\(fields)", String(reflecting: fields), "\(Mirror(reflecting: fields).children.map { $0 })"] {
            #expect(!text.contains(account) && !text.contains(account.dropFirst(6)))
        }
        #expect("\(fields)".contains("55") && "\(fields)".contains("ECTL"))
    }
}
