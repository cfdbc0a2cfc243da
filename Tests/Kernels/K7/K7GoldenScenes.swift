// SPDX-License-Identifier: Apache-2.0
// Golden taps of Kernel 7: UnionPay cards at readers of their own.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    static var kernel7: GoldenSet { GoldenSet(file: "k7", readers: UnionPay.readers, scenes: UnionPay.scenes) }

    private enum UnionPay {
        static let cards = UnionPayBehaviour.profiles.map(\.name)

        static func configuration(
            _ profile: Protection.Profile, ttq: Bytes = [0x36, 0x00, 0x40, 0x00], signsOnline: Bool = false,
            terminal changes: DataObjects = [:]
        ) -> Configuration {
            var data = terminal
            for change in changes.elements { data[change.tag] = change.value }
            return Configuration(
                terminal: data,
                combinations: (1...3).map {
                    Combination(
                        aid: [0xA0, 0, 0, 0x03, 0x33, 0x01, 0x01, $0],
                        kernel: .unionPay(UnionPayOptions(odaForOnline: signsOnline)),
                        transactionTypes: [.purchase, .cash, .cashBack, .refund],
                        limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000), ttq: ttq)
                },
                caKeys: UnionPayBehaviour.authorities.map { CAKey($0.publicKey) },
                protection: Protection(profile: profile))
        }

        static let readers: [(name: String, configuration: Configuration)] =
            profiles.map { ($0.name, configuration($0.profile)) } + [
                ("online-only", configuration(.book, ttq: [0x36, 0x80, 0x40, 0x00])),
                ("online-only-guarded", configuration(.guarded, ttq: [0x36, 0x80, 0x40, 0x00])),
                ("offline-only", configuration(.guarded, ttq: [0x3A, 0x00, 0x40, 0x00])),
                ("transit", configuration(.guarded, ttq: [0x37, 0x00, 0x40, 0x00], signsOnline: true)),
                (
                    "bare",
                    configuration(.book, ttq: [0x22, 0x00, 0x40, 0x00], terminal: [0x9F33: [0x20, 0xB8, 0xC8]])
                ),
            ]

        static var scenes: [GoldenScene] {
            let plain = profiles.flatMap { profile in cards.map { scene("plain", $0, profile.name) } }
            let verified = (profiles.map(\.name) + ["bare"]).flatMap { reader in
                cards.map { scene("above-cvm-limit", $0, reader, sale(6000)) }
            }
            let transit = ["upTransit", "upOnline", "upOnlineODA", "upOffline"].map { scene("gate", $0, "transit") }
            let sales = ["upOffline", "upOnline", "upExpiredOnline", "upWrongSignatureOnline", "upRegardless"]
            return plain + verified + transit
                + sales.flatMap { card in
                    [
                        scene("cash", card, "guarded", sale(type: .cash)),
                        scene("cash-back", card, "guarded", sale(4000, type: .cashBack, other: 1000)),
                        scene("refund", card, "book", sale(type: .refund)),
                        scene("refund", card, "guarded", sale(type: .refund)),
                        scene("zero", card, "guarded", sale(0)), scene("above-floor", card, "guarded", sale(20_000)),
                        scene("online-only", card, "online-only"),
                        scene("online-only", card, "online-only-guarded"),
                        scene("offline-only", card, "offline-only"),
                        scene("at-limit", card, "guarded", sale(30_000)), scene("bare", card, "bare"),
                    ]
                } + faults(["upOffline", "upOnline"], reader: "guarded") + relayed
        }

        private static var relayed: [GoldenScene] {
            let edits: [(String, CardEdit)] = [
                ("claims-cdcvm", CardEdit(.options, .response(.setBits(0x9F6C, [0x00, 0x80])))),
                ("drops-pin", CardEdit(.options, .response(.clearBits(0x9F6C, [0xC0, 0x00])))),
                ("online-if-failed", CardEdit(.options, .response(.setBits(0x9F6C, [0x20, 0x00])))),
                ("drops-signature", CardEdit(.every, .response(.remove(0x9F4B)))),
                ("drops-card-data", CardEdit(.every, .response(.remove(0x9F69)))),
                ("drops-qualifiers", CardEdit(.options, .response(.remove(0x9F6C)))),
                ("type-as-tc", CardEdit(.options, .response(.replace(0x9F27, [0x40])))),
                ("type-as-aac", CardEdit(.options, .response(.replace(0x9F27, [0x00])))),
                ("no-type", CardEdit(.options, .response(.remove(0x9F27)))),
                ("terminal-data", CardEdit(.record(1), .response(.insert(0x9F37, [0, 0, 0, 0])))),
                ("unknown-authority", CardEdit(.every, .response(.replace(0x8F, [0x77])))),
                ("later-expiry", CardEdit(.every, .response(.replace(0x5F24, [0x49, 0x12, 0x30])))),
                (
                    "other-track",
                    CardEdit(
                        .options,
                        .response(
                            .replace(0x57, [0x62, 0x01, 0x88, 0x88, 0x88, 0x88, 0x18, 0x81, 0xD4, 0x91, 0x22, 0x01])))
                ),
            ]
            return ["upOffline", "upOnlinePIN", "upCDCVMSigned", "upExpired"].flatMap { name in
                edits.flatMap { edit in
                    profiles.map { profile in
                        GoldenScene(
                            name: "relayed-\(edit.0)/\(name)/\(profile.name)", reader: profile.name,
                            transaction: sale(6000),
                            card: ManInTheMiddle(VirtualCard(CardProfile.named(name)!), [edit.1]))
                    }
                }
            }
        }
    }
}
