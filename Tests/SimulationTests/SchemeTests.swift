// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// A scheme is a directory and a line in one list (DESIGN.md): no other part of the virtual cards or of the simulator
/// refers to it.
@Suite struct SchemeTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardizedFileURL

    /// Directories of Card/.
    private static func schemes() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: sources.appending(path: "EMVCards/Card"), includingPropertiesForKeys: [.isDirectoryKey]
        ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }.map(\.lastPathComponent)
            .sorted()
    }

    /// Swift files by their path below Sources, without comments.
    private static func code() throws -> [String: String] {
        let files = ["EMVCards", "EMVSimulator"].flatMap { module -> [URL] in
            let walker = FileManager.default.enumerator(
                at: sources.appending(path: module), includingPropertiesForKeys: nil)
            return (walker?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        }
        return try Dictionary(
            uniqueKeysWithValues: files.map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                let lines = text.split(separator: "\n").map { $0.split(separator: "//", maxSplits: 1).first ?? "" }
                return (
                    file.standardizedFileURL.path.replacing(sources.path + "/", with: ""),
                    lines.joined(separator: "\n")
                )
            })
    }

    /// The names of a scheme's directory, its types and its part of an application, occur only in it and in the list.
    private static func namesOutside(_ scheme: String, _ code: [String: String]) -> [String] {
        let part = scheme.prefix(1).lowercased() + scheme.dropFirst()
        let own = "\\b(\(scheme)[A-Z][A-Za-z]*|[a-z][A-Za-z]*\\.\(part)\\.)"
        return code.flatMap { path, text -> [String] in
            guard !path.hasPrefix("EMVCards/Card/\(scheme)/"), path != "EMVCards/Card/CardScheme.swift",
                let pattern = try? Regex(own)
            else { return [] }
            return text.matches(of: pattern).map { "\(path): \(text[$0.range])" }
        }
    }

    @Test func nothingButItsDirectoryAndTheListNamesAScheme() throws {
        let code = try Self.code()
        let schemes = try Self.schemes()
        #expect(schemes == ["Mastercard", "Visa"] || schemes.count > 2)
        #expect(schemes.count == Schemes.cards.count)
        for scheme in schemes {
            let found = Self.namesOutside(scheme, code)
            #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        }
    }

    /// The search finds such a name.
    @Test func aSwitchOnASchemeElsewhereIsFound() {
        let typed = ["EMVCards/Card/CardChain.swift": "if scheme.behaviour is VisaBehaviour { }"]
        #expect(Self.namesOutside("Visa", typed) == ["EMVCards/Card/CardChain.swift: VisaBehaviour"])
        let part = ["EMVCards/Issuer/IssuerHost.swift": "application.mastercard.magneticStripe"]
        #expect(Self.namesOutside("Mastercard", part) == ["EMVCards/Issuer/IssuerHost.swift: application.mastercard."])
        #expect(Self.namesOutside("Visa", ["EMVCards/Card/Visa/VisaScheme.swift": "VisaBehaviour"]).isEmpty)
    }

    @Test func schemesDifferAndBringWhatIsTheirs() {
        #expect(Set(Schemes.cards.map { $0.rid }).count == Schemes.cards.count)
        #expect(Set(Schemes.issuers).count == Schemes.issuers.count)
        #expect(
            IssuerScheme.allCases.map(\.description) == [
                "visa", "mastercard", "discover", "unionPay", "jcb", "americanExpress", "kernel8", "interac",
            ])
        for scheme in Schemes.cards {
            #expect(scheme.rid.count == 5 && !scheme.profiles.isEmpty)
            #expect(!scheme.authorities.isEmpty)
            #expect(scheme.authorities.allSatisfy { $0.publicKey.rid == scheme.rid })
            for profile in scheme.profiles {
                #expect(profile.applications.allSatisfy { $0.scheme.behaviour.rid == scheme.rid }, "\(profile.name)")
            }
        }
        let indexes = CardAuthority.publicKeys.map { $0.rid + [$0.index] }
        #expect(Set(indexes).count == indexes.count)
    }

    /// Two applications are equal if their schemes' parts are equal; parts of different schemes never are.
    @Test func schemesCompareByWhatTheyAdd() {
        var changed = VisaBehaviour()
        changed.recordsOnline = true
        #expect(CardScheme.visa(VisaBehaviour()) == .visa(VisaBehaviour()))
        #expect(CardScheme.visa(VisaBehaviour()) != .visa(changed))
        #expect(CardScheme.visa(VisaBehaviour()) != .mastercard(MastercardBehaviour()))
        #expect(CardScheme.visa(changed).hashValue == CardScheme.visa(changed).hashValue)
        var application = CardApplication.ordinaryMastercard
        #expect(application.visa == VisaBehaviour())
        application.visa = changed
        #expect(application.scheme == .visa(changed) && application.mastercard == MastercardBehaviour())
    }

    /// The simulated POS accepts every scheme's cards, and additional data objects reach their kernel.
    @Test func simulatedPOSTakesEveryScheme() throws {
        let whole = Configuration.simulator(secrets: Kernel8POS.secrets)
        for scheme in Schemes.cards {
            #expect(whole.combinations.contains { Array($0.aid.prefix(5)) == scheme.rid })
        }
        _ = try CheckedConfiguration(whole, secrets: Kernel8POS.secrets)
        // Without a provider of secret operations the POS only lacks Kernel 8: it has no combination and no key on a
        // curve for it, and each application's own kernel is in its usual place.
        let rows = Configuration.simulator().combinations
        #expect(whole.combinations.filter { $0.kernel.id != 8 } == rows)
        #expect(whole.caKeys.filter { $0.curve == nil } == Configuration.simulator().caKeys)
        let beside = whole.combinations.filter { $0.kernel.id == 8 }.map(\.aid)
        #expect(Set(beside) == Set(rows.map(\.aid) + [CardApplication.ordinaryKernel8.aid]))
        #expect(Set(beside).count == beside.count)
        let changed = Configuration.simulator(data: [2: [0xDF811D: [0x01]], 3: [0x9F4E: [0x41]]])
        #expect(changed == .simulator(data: [3: [0x9F4E: [0x41]], 2: [0xDF811D: [0x01]]]))
        #expect(changed.combinations.filter { $0.kernel.id == 2 }.allSatisfy { $0.data[0xDF811D] == [0x01] })
        #expect(changed.combinations.filter { $0.kernel.id == 3 }.map(\.data) == [[0x9F4E: [0x41]]])
        #expect(Configuration.simulator(mastercard: [0xDF811D: [0x01]]) == .simulator(data: [2: [0xDF811D: [0x01]]]))
    }

    /// An issuer answers cards with every cipher; if its scheme has no rule, by method 1 with the card's key.
    @Test(arguments: ["mcOnline", "mcCommonCoreAES"])
    func issuerOfASchemeWithoutAnAnswerUsesMethod1(name: String) throws {
        let application = try #require(CardProfile.named(name)).application
        let cryptogram: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let answer = SimulatedIssuer(application).authenticationData(cryptogram: cryptogram, counter: 1)
        let key = application.cardKeys.cryptogram
        var block = [1 ^ 0x30, 2 ^ 0x30, 3, 4, 5, 6, 7, 8] as [UInt8]
        if name == "mcCommonCoreAES" { block += [UInt8](repeating: 0, count: 8) }
        #expect(answer == Array(key.encrypt(block).prefix(8)) + [0x30, 0x30])
    }
}
