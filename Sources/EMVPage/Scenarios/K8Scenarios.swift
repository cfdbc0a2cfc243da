// SPDX-License-Identifier: Apache-2.0
import EMVPOS
import EMVCards

/// Kernel 8, with the simulator's cryptography: the measured time includes its arithmetic, which differs from a
/// reader's.
extension Scenario {
    static let k8: [Scenario] = [
        kernel8("k8-online", "online after local authentication, keys on P-256", card: "k8OnlineLocal"),
        kernel8(
            "k8-offline", "approved offline, keys on P-256", card: "k8Offline", outcome: .approved),
        kernel8(
            "k8-offline-rsa", "approved offline; RSA keys of 1408, 1152 and 896 bits", card: "k8OfflineRSA",
            outcome: .approved),
        kernel8("k8-version1", "approved offline, a card of version 1", card: "k8Version1", outcome: .approved),
        kernel8("k8-decline", "declined by the card", card: "k8Decline", tap: .declined, outcome: .declined),
        kernel8(
            "k8-limit", "amount at the contactless limit: no card is asked", card: "k8Offline", amount: 30000,
            tap: .limitExceeded, outcome: .tryAnotherInterface, cvm: .notApplicable),
        kernel8(
            "k8-cvm-signature", "online with a signature on paper", card: "k8Signature", amount: 6000, cvm: .signature),
        kernel8(
            "k8-cvm-pin", "online with an online PIN", card: "k8OnlinePIN", amount: 6000, tap: .onlinePINRequired,
            cvm: .onlinePIN),
        kernel8(
            "k8-cvm-cdcvm", "approved by a watch that vouches for its holder", card: "k8CDCVM", amount: 6000,
            outcome: .approved, cvm: .cdcvm),
        kernel8(
            "k8-cvm-failed", "online with a PIN, since the card has no method that is offered", card: "k8CVMFailed",
            amount: 6000, tap: .onlinePINRequired, cvm: .onlinePIN),
        kernel8("k8-relay", "approved after relay resistance", card: "k8Relay", outcome: .approved),
        kernel8("k8-relay-late", "late three times: online", card: "k8RelayLate"),
        kernel8(
            "k8-envelopes", "two envelopes are read, one is written", card: "k8Envelopes",
            data: [
                0x9F8203: [0x9F, 0x81, 0x11, 0x9F, 0x81, 0x1A],
                0xBF8104: [0x9F, 0x81, 0x12, 0x04, 0x01, 0x02, 0x03, 0x04],
            ], outcome: .approved),
        kernel8(
            "k8-restart-phone", "a phone wants its holder first: two presentments", card: "k8Phone", amount: 6000,
            outcome: .approved, cvm: .cdcvm),
        kernel8(
            "k8-other-interface", "the card points to its contacts", card: "k8OtherInterface",
            tap: .tryAnotherInterface, outcome: .tryAnotherInterface,
            cvm: .notApplicable),
        kernel8(
            "k8-bad-eda", "the card's MAC is wrong", card: "k8WrongEDAMAC", tap: .unreadable, outcome: .endApplication,
            cvm: .notApplicable),
        kernel8(
            "k8-bad-blinding", "the blinding factor is another tap's: declined", card: "k8ForeignBlinding",
            tap: .declined, outcome: .declined),
    ]

    private static func kernel8(
        _ name: String, _ summary: String, card profile: String, amount: UInt64 = 1250, data: DataObjects = [:],
        tap: TapName = .success, outcome: Outcome.Status = .onlineRequest, cvm: Outcome.CVM = .none
    ) -> Scenario {
        Scenario(
            name, summary, card: profile, at: kernel8Reader, amount: amount, data: data,
            Expectation(tap: tap, outcome: outcome, cvm: cvm))
    }

    /// Twelve combinations; the card's application is the second of them.
    private static var kernel8Reader: Configuration {
        let own = CardApplication.ordinaryKernel8.aid
        let others: [Bytes] = (1...11).map { CardAuthority.kernel8RID + [0x99, $0] }
        return Configuration(
            terminal: terminal,
            combinations: ([others[0], own] + others.dropFirst()).map {
                Combination(
                    aid: $0, kernel: .kernel8(), transactionTypes: [.purchase, .refund],
                    limits: Limits(transaction: 30000, floor: 10000, cvmRequired: 5000),
                    data: [
                        0x9F8206: [0xE0], 0x9F8207: [0x64], 0x9F8208: [0x6C], 0x9F8209: [0x38, 0x00], 0x9F820A: [0x10],
                        0x9F821E: [0x18],
                    ])
            },
            caKeys: keys(CardAuthority.kernel8RID)
                + CardAuthority.ellipticKeys.filter { $0.rid == CardAuthority.kernel8RID }.map { CAKey($0) })
    }
}
