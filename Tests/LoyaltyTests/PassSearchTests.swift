// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

@testable import EMVLoyalty

#if Loyalty
/// Row Y9: a pass that was opened on the POS, and every output of a charge.
@Suite struct PassSearchTests {
    private let club = programme("club-of-the-shop", VASVectors.passType)
    private let points = collector("points-of-the-shop", SmartTapVectors.collector)

    /// Text that must not appear: the values, as text, hex and bytes, and the programmes' names.
    private func traces(of value: String) -> [String] {
        let bytes = Bytes(value.utf8)
        return [
            value, Hex.string(bytes), Data(bytes).base64EncodedString(),
            bytes.map { "\($0)" }.joined(separator: ", "), "of-the-shop",
        ].map { $0.lowercased() }
    }

    private func dumped(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    /// Events, charges, journal, read, receipt, report, and the descriptions of the result itself.
    @Test func thePlainValueOfAPassStandsInNoOutput() async throws {
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: points)
        let context = LoyaltyContext(passKeys: keys, signer: keys, freshness: .unsafeUnlimited)
        for (wallet, id, value) in [
            (PassTypeWallet.withPass, club.id, VASVectors.message), (CollectorWallet(), points.id, "1234567890"),
        ] as [(any HandMadeWallet, LoyaltyProgramme.ID, String)] {
            let journal = MemoryJournal(), recorder = TapRecorder(Phone(wallet))
            let reader = reader(recorder) { $0.journal = journal }
            let told = Mutexed(""), events = reader.events(), charges = reader.charges()
            let listening = [
                Task { for await event in events { await told.add(dumped(event)) } },
                Task { for await charge in charges { await told.add(dumped(charge)) } },
            ]
            let (charge, passes) = await reader.charge(
                payment(), loyalty: try LoyaltyRequest([club, points]), .andPayment, context: context,
                with: SimulatedAuthorizer())
            guard case .read(let pass)? = passes[id], pass.text == value else { Issue.record("\(passes)"); continue }
            let result = try #require(charge), read = try #require(result.read)
            let report = await reader.supportReport(.success(read))
            let entries = try await journal.entries(after: 0)
            let receipt = try #require(Receipt(result, merchant: Merchant("Shop")))
            let encoder = JSONEncoder()
            for task in listening { task.cancel() }
            for task in listening { await task.value }
            // The ids of programmes come from the app, and its results contain them.
            let passText = dumped(passes).replacingOccurrences(of: "of-the-shop", with: "")
            let outputs: [(String, String)] = [
                ("events", await told.value), ("charge", dumped(result)), ("passes", passText),
                ("context", dumped(context)), ("keys", dumped(keys)), ("report", dumped(report)),
                ("report, encoded", String(decoding: try encoder.encode(report), as: UTF8.self)),
                ("journal", entries.map { dumped($0) }.joined()),
                ("journal, encoded", String(decoding: try encoder.encode(entries), as: UTF8.self)),
                ("receipt", dumped(receipt)), ("read", Hex.string(read.dataRecord.bytes + read.discretionary.bytes)),
            ]
            for (name, output) in outputs {
                #expect(!output.isEmpty, "\(name)")
                let text = output.lowercased()
                for trace in traces(of: value) { #expect(!text.contains(trace), "\(name)") }
            }
        }
    }
}
#endif
