// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// An edit of one object of one response never leads to a better result for the attacker than the honest tap, unless a
/// finding reports it. Whatever the findings, guarded and strict approve nothing that the card did not approve, and
/// strict accepts no weaker verification above the CVM limit. The exceptions are listed below.
@Suite struct SweepTests {
    static let cards: [SweepCard] = cardsOfTwoToFive + cardsOfSixToEight

    private static let cardsOfTwoToFive: [SweepCard] =
        [
            "mcOffline", "mcLimit", "mcNoCDA", "mcOnlinePIN", "mcSignature", "mcPhoneOffline", "mcPDOL", "mcBothModes",
            "mcRelayOnline", "mcDecline",
            "online", "fdda", "fddaLimit", "onlinePIN", "signatureOffline", "cdcvmPhone", "cdcvmSigned", "decline",
            "amexOffline", "amexOfflineLimit", "amexOnlinePlain", "amexSignatureUnsigned", "amexPhoneOffline",
            "amexDecline",
            "k5-offline", "k5-offline-limit", "k5-online-no-cda", "k5-cvm-pin", "k5-see-phone", "k5-unsigned-list",
            "k5-decline",
        ].map(SweepCard.init) + [
            SweepCard("mcSignature", "offline", offline),
            SweepCard("amexOfflineLimit", "with an unsigned CDOL1") { $0.americanExpress.dataListIsUnsigned = true },
            SweepCard("k5-cvm-signature", "offline", offline),
        ]

    private static let cardsOfSixToEight: [SweepCard] =
        [
            "dpasOffline", "dpasOfflineLimit", "dpasOnlinePIN", "dpasPhone", "dpasNoCVMOffline", "dpasDecline",
            "upOffline", "upOfflineLimit", "upOnlinePIN", "upCDCVMSigned", "upDecline",
            "k8Offline", "k8OfflineLimit", "k8OfflineRSA", "k8OnlinePIN", "k8CDCVM", "k8PlainRecords", "k8SignedList",
            "k8Version1", "k8AndMastercard", "k8Decline",
        ].map(SweepCard.init) + [
            SweepCard("dpasOffline", "with a signature") {
                $0.discover.verification = [.signature]
                $0.discover.alwaysVerifies = true
            },
            SweepCard("upSignature", "offline", offline),
            SweepCard("k8Signature", "offline", offline),
            SweepCard("k8OfflineLimit", "with an unsigned CDOL1") { $0.kernel8.extendedTags = [] },
            SweepCard("k8OnlinePIN", "with an unsigned CDOL1") { $0.kernel8.extendedTags = [] },
            SweepCard("k8Version1", "with the IAD-MAC apart") { $0.kernel8.issuerDataMAC = .apart },
        ]

    private static func offline(_ card: inout CardApplication) {
        card.disposition = .offline(upTo: 1000_00)
        card.keys = .standard
    }

    /// Remaining gains, each with its reason. The conditions on kernel, kind and place are as narrow as the reason.
    static let accepted: [(reason: String, holds: @Sendable (SweepGain) -> Bool)] = [
        (
            "Kernels 3, 7: no signature covers cryptogram, issuer data, nor by the book the counter (cannot defend 4)",
            {
                $0.kind == .unpaid && [3, 7].contains($0.edited.kernel)
                    && ($0.edit.tag != "9F36" || $0.lane.profile == .book)
            }
        ),
        (
            "Kernel 6: no signature covers the PDOL; below the CVM limit guarded takes the TC (cannot defend, 18)",
            {
                $0.edited.kernel == 6 && $0.edit.tag == "9F38" && $0.kind != .verification
                    && ($0.lane.profile == .book || $0.lane.profile == .guarded && !$0.lane.isAboveLimit)
            }
        ),
        (
            "below the CVM limit the reader asks for no verification, and the card's wish came in the clear",
            {
                $0.kind == .verification && !$0.lane.isAboveLimit
                    && ([3, 4, 6, 7].contains($0.edited.kernel) || $0.edit.tag == "8C")
            }
        ),
        (
            "a relay that hides Kernel 8's entry of the directory steers the choice (cannot defend, 10)",
            { $0.exchange == 1 && $0.kind == .online && $0.honest.kernel == 8 && $0.edited.kernel == 2 }
        ),
        (
            "Kernel 4: a phone that did not verify its holder leads to the next method of its list, which is signed",
            {
                $0.edited.kernel == 4 && $0.kind == .verification && $0.honest.cvm == .cdcvm
                    && $0.edited.cvm == .signature
            }
        ),
    ]

    /// Plays every 61st edit, or every `EMV_SWEEP_STEP`th; `EMV_MODEL_SEED` selects which.
    @Test func noEditGains() async throws {
        func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        let (step, seed) = (setting("EMV_SWEEP_STEP") ?? 61, setting("EMV_MODEL_SEED") ?? 1)
        let gains = try await withThrowingTaskGroup(of: [SweepGain].self) { group in
            for (place, card) in Self.cards.enumerated() {
                group.addTask {
                    var sweep = Sweep(step: step, seed: seed % step + place)
                    try sweep.play(card)
                    return sweep.gains.filter { !$0.isExcused }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var used: Set<Int> = []
        for gain in gains {
            let reasons = Self.accepted.indices.filter { Self.accepted[$0].holds(gain) }
            used.formUnion(reasons)
            if reasons.isEmpty { Issue.record("\(gain)") }
        }
        for (place, exception) in Self.accepted.enumerated() where step == 1 && !used.contains(place) {
            Issue.record("nothing needs the exception: \(exception.reason)")
        }
    }
}
