// SPDX-License-Identifier: Apache-2.0
// Golden taps of Kernel 6: Discover cards at readers of their own.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    static var kernel6: GoldenSet { GoldenSet(file: "k6", readers: Discover.readers, scenes: Discover.scenes) }

    private enum Discover {
        static let cards = DiscoverBehaviour.profiles.map(\.name)

        /// D-PAS and, with mag-stripe mode, Zip.
        static func configuration(
            _ profile: Protection.Profile, ttq: Bytes = [0x36, 0x00, 0x40, 0x00], terminal changes: DataObjects = [:]
        ) -> Configuration {
            let aids: [Bytes] = [[0xA0, 0, 0, 0x01, 0x52, 0x30, 0x10], [0xA0, 0, 0, 0x03, 0x24, 0x10, 0x10]]
            var data = terminal
            data[0x9F09] = [0x00, 0x01]
            data[0x9F1E] = Array("GOLDEN06".utf8)
            for change in changes.elements { data[change.tag] = change.value }
            return Configuration(
                terminal: data,
                combinations: (ttq[0] & 0x80 == 0 ? [aids[0]] : aids).map {
                    Combination(
                        aid: $0, kernel: .discover(), transactionTypes: [.purchase, .cash, .cashBack, .refund],
                        limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000), ttq: ttq)
                },
                caKeys: DiscoverBehaviour.authorities.map { CAKey($0.publicKey) },
                protection: Protection(profile: profile))
        }

        static let readers: [(name: String, configuration: Configuration)] =
            profiles.map { ($0.name, configuration($0.profile)) }
            + profiles.map { ("stripe-\($0.name)", configuration($0.profile, ttq: [0xB6, 0x00, 0x40, 0x00])) }
            + [
                ("online-only", configuration(.guarded, ttq: [0x36, 0x80, 0x40, 0x00])),
                ("offline-only", configuration(.guarded, ttq: [0x3A, 0x00, 0x40, 0x00])),
                ("stripe-only", configuration(.book, ttq: [0x96, 0x00, 0x40, 0x00])),
                ("update", configuration(.guarded, ttq: [0x36, 0x00, 0xC0, 0x00])),
                (
                    "bare",
                    configuration(.book, ttq: [0x22, 0x00, 0x00, 0x00], terminal: [0x9F33: [0x20, 0xB8, 0xC8]])
                ),
            ]

        static var scenes: [GoldenScene] {
            let stripes = ["dpasStripe", "dpasStripeCode", "dpasStripeTrack2", "zip", "zipStatic", "dpasOnline"]
            let plain = profiles.flatMap { profile in cards.map { scene("plain", $0, profile.name) } }
            let verified = (profiles.map(\.name) + ["bare"]).flatMap { reader in
                cards.map { scene("above-cvm-limit", $0, reader, sale(6000)) }
            }
            let tracks = (profiles.map { "stripe-\($0.name)" } + ["stripe-only"]).flatMap { reader in
                stripes.map { scene("tracks", $0, reader) }
            }
            let sales = [
                "dpasOffline", "dpasOnline", "dpasNoCash", "dpasForeign", "dpasExpiredOnline", "dpasRegardless",
            ]
            return plain + verified + tracks
                + sales.flatMap { card in
                    [
                        scene("cash", card, "guarded", sale(type: .cash)),
                        scene("cash-back", card, "guarded", sale(4000, type: .cashBack, other: 1000)),
                        scene("refund", card, "book", sale(type: .refund)),
                        scene("refund", card, "guarded", sale(type: .refund)),
                        scene("zero", card, "guarded", sale(0)), scene("above-floor", card, "guarded", sale(20_000)),
                        scene("online-only", card, "online-only"), scene("offline-only", card, "offline-only"),
                        scene("at-limit", card, "guarded", sale(30_000)), scene("bare", card, "bare"),
                    ]
                } + faults(["dpasOffline", "dpasOnline", "dpasUpdate"], reader: "update") + relayed + updates
        }

        private static var relayed: [GoldenScene] {
            let edits: [(String, CardEdit)] = [
                ("claims-cdcvm", CardEdit(.options, .response(.setBits(0x9F71, [0x10, 0x00])))),
                ("drops-pin", CardEdit(.options, .response(.clearBits(0x9F71, [0xC0, 0x00])))),
                ("allows-no-cvm", CardEdit(.options, .response(.replace(0x9F71, [0x00, 0x01])))),
                ("online-if-failed", CardEdit(.options, .response(.setBits(0x9F71, [0x00, 0x40])))),
                ("drops-signature", CardEdit(.options, .response(.remove(0x9F4B)))),
                ("type-as-tc", CardEdit(.options, .response(.replace(0x9F27, [0x40])))),
                ("type-as-aac", CardEdit(.options, .response(.replace(0x9F27, [0x00])))),
                ("terminal-data", CardEdit(.record(1), .response(.insert(0x9F37, [0, 0, 0, 0])))),
                ("adds-results", CardEdit(.options, .response(.insert(0x9F53, [0, 0x02, 0, 0, 0, 0, 0, 0])))),
                ("offers-stripe", CardEdit(.selection, .response(.insert(0x9F7D, [0x01, 0x00])))),
                ("unknown-authority", CardEdit(.every, .response(.replace(0x8F, [0x77])))),
                ("later-expiry", CardEdit(.every, .response(.replace(0x5F24, [0x49, 0x12, 0x30])))),
                ("no-effective-date", CardEdit(.every, .response(.remove(0x9F08)))),
            ]
            return ["dpasOffline", "dpasOnlinePIN", "dpasWrongSignature", "dpasFuture"].flatMap { name in
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

        /// Scripts as an issuer's host might send them, and as it should not.
        private static var updates: [GoldenScene] {
            let answers: [DataObjects] = [
                [:], [0x8A: [0x30, 0x30], 0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x30, 0x30]],
                [0x8A: [0x30, 0x35], 0x72: [0x9F, 0x18, 4, 0, 0, 0, 1, 0x86, 5, 0x84, 0x1E, 0, 0, 0]],
                [0x71: [0x86, 5, 0x84, 0x18, 0, 0, 0], 0x72: [0x86, 5, 0x84, 0x1E, 0, 0, 0]],
                [0x71: [0x86, 5, 0x84, 0x24, 0, 0, 0]], [0x71: [0x86, 9, 0x84]],
            ]
            return ["dpasUpdate", "dpasOnline"].flatMap { card in
                answers.enumerated().map { index, answer in
                    var scene = scene("issuer-\(index)", card, "update")
                    scene.online = answer
                    return scene
                }
            }
        }
    }

    /// Link faults and wrong answers at every exchange.
    static func faults(_ cards: [String], reader: String) -> [GoldenScene] {
        let kinds: [FaultPlan.Fault] = [
            .drop, .loseResponse, .truncate(1), .truncate(9), .replace([0x69, 0x85]), .replace([0x69, 0x86]),
            .replace([0x6A, 0x83]), .transmissionError, .protocolError, .remove, .removeAfter, .replace([0x90, 0x00]),
        ]
        return cards.flatMap { name in
            (1...7).flatMap { exchange in
                kinds.enumerated().map { index, fault in
                    GoldenScene(
                        name: "fault-\(index)-at-\(exchange)/\(name)/\(reader)", reader: reader, transaction: sale(),
                        card: FaultyCard(VirtualCard(CardProfile.named(name)!), FaultPlan(at: exchange, fault)))
                }
            }
        }
    }
}
