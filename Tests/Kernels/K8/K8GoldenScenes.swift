// SPDX-License-Identifier: Apache-2.0
// Golden taps of Kernel 8: its cards at readers of their own, over the test adapter in C.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    static var kernel8: GoldenSet { GoldenSet(file: "k8", readers: Kernel8.readers, scenes: Kernel8.scenes) }

    private enum Kernel8 {
        static let cards = Kernel8Behaviour.profiles.map(\.name)
        /// For one activation: 32 for the key, 4 for the number, 4 for each attempt of relay resistance.
        static let random: Bytes = (0..<68).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) }

        static func sale(
            _ amount: UInt64 = 1250, type: TransactionType = .purchase, data: DataObjects = [:]
        )
            -> Transaction
        {
            var sale = GoldenScenes.sale(amount, type: type, data: data)
            sale.random = .fixed(random)
            return sale
        }

        static func configuration(
            _ profile: Protection.Profile, type: UInt8 = 0x22, data changes: DataObjects = [:]
        ) -> Configuration {
            var terminal = GoldenScenes.terminal
            terminal[0x9F35] = [type]
            var data: DataObjects = [
                0x9F8206: [0xE0], 0x9F8207: [0x64], 0x9F8208: [0x6C], 0x9F8209: [0x38, 0x00], 0x9F820A: [0x10],
                0x9F821E: [0x18], 0x9F821F: [0x9F, 0x82, 0x04, 0x9F, 0x81, 0x0C],
                0x9F820D: [0, 0, 0, 1, 0, 0], 0x9F820E: [0, 0, 0, 0, 0x50, 0],
            ]
            for change in changes.elements { data[change.tag] = change.value }
            return Configuration(
                terminal: terminal,
                combinations: [
                    Combination(
                        aid: CardApplication.ordinaryKernel8.aid, kernel: .kernel8(),
                        transactionTypes: [.purchase, .cash, .cashBack, .refund],
                        limits: Limits(transaction: 30_000), data: data)
                ],
                caKeys: Kernel8Behaviour.authorities.map { CAKey($0.publicKey) }
                    + [CAKey(Kernel8Authority.publicKey(rid: CardAuthority.kernel8RID))],
                revoked: [Revocation(rid: CardAuthority.kernel8RID, index: 0xEC, serial: [0x00, 0xBA, 0xD1])],
                protection: Protection(profile: profile))
        }

        static let readers: [(name: String, configuration: Configuration)] =
            profiles.map { ($0.name, configuration($0.profile)) } + [
                ("online-only", configuration(.guarded, type: 0x21, data: [0x9F820B: [0, 0, 0, 0, 0x40]])),
                ("offline-only", configuration(.guarded, type: 0x23)),
                ("offline-only-book", configuration(.book, type: 0x23)),
                ("bare", configuration(.book, data: [0x9F8209: [0, 0], 0x9F8207: [0x40], 0x9F8208: [0x48]])),
            ]

        static var scenes: [GoldenScene] {
            let plain = profiles.flatMap { profile in cards.map { scene("plain", $0, profile.name, sale()) } }
            let verified = (profiles.map(\.name) + ["bare"]).flatMap { reader in
                cards.map { scene("above-cvm-limit", $0, reader, sale(6000)) }
            }
            let sales = ["k8Offline", "k8OnlineLocal", "k8OfflineRSA", "k8RelayLate", "k8Regardless", "k8Online"]
            return plain + verified
                + sales.flatMap { card in
                    [
                        scene("cash", card, "guarded", sale(type: .cash)),
                        scene("refund", card, "book", sale(type: .refund)),
                        scene("refund", card, "guarded", sale(type: .refund)),
                        scene("zero", card, "guarded", sale(0)),
                        scene("above-floor", card, "guarded", sale(20_000)),
                        scene("online-only", card, "online-only", sale()),
                        scene("offline-only", card, "offline-only", sale()),
                        scene("offline-only", card, "offline-only-book", sale()),
                        scene("at-limit", card, "guarded", sale(30_000)), scene("bare", card, "bare", sale()),
                    ]
                } + envelopes + faults
        }

        private static var envelopes: [GoldenScene] {
            let read: DataObjects = [0x9F8203: [0x9F, 0x81, 0x11, 0x9F, 0x81, 0x1A]]
            let written = DataObject(0x9F8111, [1, 2, 3]).bytes + DataObject(0x9F8112, [4]).bytes
            let write: DataObjects = [0xBF8104: written]
            return ["k8Envelopes", "k8EnvelopeMAC", "k8WriteMAC", "k8Offline"].flatMap { card in
                [
                    scene("reads", card, "guarded", sale(data: read)),
                    scene("writes", card, "guarded", sale(data: write)),
                ]
            }
        }

        private static var faults: [GoldenScene] {
            let kinds: [FaultPlan.Fault] = [
                .drop, .truncate(1), .replace([0x69, 0x85]), .transmissionError, .replace([0x90, 0x00]),
            ]
            return ["k8Relay", "k8Online"].flatMap { name in
                (3...9).flatMap { exchange in
                    kinds.enumerated().map { index, fault in
                        GoldenScene(
                            name: "fault-\(index)-at-\(exchange)/\(name)/guarded", reader: "guarded",
                            transaction: sale(),
                            card: FaultyCard(VirtualCard(CardProfile.named(name)!), FaultPlan(at: exchange, fault)))
                    }
                }
            }
        }
    }
}
