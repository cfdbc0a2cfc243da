// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import EMVKit
import EMVLoyalty
import EMVSimulator
import Foundation
import Testing

/// The article Passes: its code compiles, and its statements are true.
@Suite struct PassesArticleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func everySnippetIsCompiled() throws {
        let compiled = try text("Tests/LoyaltyTests/PassesArticle.swift").filter { !$0.isWhitespace }
        let parts = try text("Sources/EMVKit/EMVKit.docc/Passes.md").components(separatedBy: "```swift loyalty\n")
        #expect(parts.count == 7)
        for part in parts.dropFirst() {
            let snippet = part.components(separatedBy: "```")[0].filter { !$0.isWhitespace }
            #expect(!snippet.isEmpty && compiled.contains(snippet))
        }
    }

    @Test func theCodeReadsThePassOfASimulatedPhone() async throws {
        var keys = LoyaltyKeys()
        let request = try programmes()
        try keys.add(SecretBytes(SimulatedPassKey(name: "club").privateKey), for: request.programmes[0])
        let context = LoyaltyContext(passKeys: keys)
        // A single phone: two with equal seeds would make equal cryptograms in one second, and a cryptogram is accepted
        // only once.
        let phone = simulatedPhone()
        #expect(try await readPass(phone, context) == "member 12345")
        let amount = Money(minorUnits: 12_50, currency: .eur)
        let both = try await chargeWithPass(phone, context, amount, SimulatedAuthorizer())
        #expect(both.charge?.name == .approved && both.loyalty.hasPass)
        let members = try await chargeMembers(simulatedPhone(), anyTime(keys), SimulatedAuthorizer())
        #expect(members.charge?.read?.amount == Money(minorUnits: 11_00, currency: .eur) && members.loyalty.hasPass)
    }
}
#endif
