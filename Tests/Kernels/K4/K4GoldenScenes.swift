// SPDX-License-Identifier: Apache-2.0
// Golden taps of Kernel 4: American Express cards at readers of their own.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    static var kernel4: GoldenSet {
        GoldenSet(file: "k4", readers: AmericanExpress.readers, scenes: AmericanExpress.scenes)
    }

    private enum AmericanExpress {
        static let cards = AmericanExpressBehaviour.profiles.map(\.name)
        static let stripes = cards.filter { $0.contains("Stripe") || $0 == "amexBoth" }

        /// All in `enhanced` (9F6E): interfaces, modes, ways to verify, delayed authorisation.
        static func configuration(
            _ profile: Protection.Profile, enhanced: Bytes = [0x9C, 0xE0, 0x00, 0x03],
            terminal changes: DataObjects = [:],
            online: Bool = true, floor: UInt64? = 10_000
        ) -> Configuration {
            var data = terminal
            data[0x9F33] = [0xE0, 0xF8, 0xC8]
            data[0x9F09] = [0x00, 0x01]
            data[0x9F6D] = [0xC0]
            data[0x9F6E] = enhanced
            for change in changes.elements { data[change.tag] = change.value }
            var options = Configuration.americanExpressOptions(
                Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000))
            options.onlineAvailable = online
            return Configuration(
                terminal: data,
                combinations: [
                    Combination(
                        aid: [0xA0, 0, 0, 0, 0x25, 0x01], kernel: .americanExpress(options),
                        transactionTypes: [.purchase, .cash, .cashBack, .refund],
                        limits: Limits(transaction: 30_000, floor: floor, cvmRequired: 5_000))
                ],
                caKeys: AmericanExpressBehaviour.authorities.map { CAKey($0.publicKey) },
                protection: Protection(profile: profile))
        }

        static let readers: [(name: String, configuration: Configuration)] =
            profiles.map { ($0.name, configuration($0.profile)) }
            + profiles.map { ("stripe-\($0.name)", configuration($0.profile, enhanced: [0xDC, 0xE0, 0x00, 0x03])) }
            + profiles.map { ("delayed-\($0.name)", configuration($0.profile, enhanced: [0xDC, 0xE0, 0x00, 0x43])) }
            + profiles.map { ("no-line-\($0.name)", configuration($0.profile, online: false)) }
            + [
                ("online-only", configuration(.guarded, terminal: [0x9F35: [0x21]])),
                ("offline-only", configuration(.guarded, terminal: [0x9F35: [0x23]])),
                (
                    "offline-stripe",
                    configuration(.book, enhanced: [0xDC, 0xE0, 0x00, 0x03], terminal: [0x9F35: [0x23]])
                ),
                ("no-contact", configuration(.book, enhanced: [0x58, 0xE0, 0x00, 0x03])),
                ("no-cda", configuration(.book, terminal: [0x9F33: [0xE0, 0xF8, 0x80]])),
                ("no-oda", configuration(.book, terminal: [0x9F33: [0xE0, 0xF8, 0x00]])),
                ("signature-only", configuration(.book, enhanced: [0x9C, 0xA0, 0x00, 0x03])),
                ("no-floor", configuration(.guarded, floor: nil)),
                ("dumb", configuration(.book, enhanced: [0x00, 0x00, 0x00, 0x00], terminal: [0x9F6D: [0x00]])),
            ]

        static var scenes: [GoldenScene] {
            let plain = profiles.flatMap { profile in cards.map { scene("plain", $0, profile.name) } }
            let verified = (profiles.map(\.name) + ["no-contact", "signature-only"]).flatMap { reader in
                cards.map { scene("above-cvm-limit", $0, reader, sale(6000)) }
            }
            let tracks = (profiles.map { "stripe-\($0.name)" } + ["offline-stripe", "delayed-book"]).flatMap { reader in
                stripes.flatMap { [scene("tracks", $0, reader), scene("tracks-above", $0, reader, sale(6000))] }
            }
            return plain + verified + tracks + delayed + sales + issuers
                + faults(["amexOffline", "amexOnline", "amexPhone"], reader: "guarded")
                + faults(["amexStripeSigned"], reader: "stripe-guarded") + relayed
        }

        private static var delayed: [GoldenScene] {
            [
                "amexOnline", "amexOnlinePlain", "amexOffline", "amexOfflineSDA", "amexDecline", "amexNoDelay",
                "amexWatch",
            ]
            .flatMap { card in
                profiles.flatMap { profile in
                    [
                        scene("delayed", card, "delayed-\(profile.name)"),
                        scene("delayed-above", card, "delayed-\(profile.name)", sale(6000)),
                        scene("no-line", card, "no-line-\(profile.name)"),
                    ]
                }
            }
        }

        private static var sales: [GoldenScene] {
            [
                "amexOffline", "amexOfflineSDA", "amexOnline", "amexForeign", "amexRegardless",
                "amexRegardlessUnsigned",
                "amexEnhanced", "amexExpired",
            ].flatMap { card in
                [
                    scene("cash", card, "guarded", sale(type: .cash)),
                    scene("cash-back", card, "guarded", sale(4000, type: .cashBack, other: 1000)),
                    scene("refund", card, "book", sale(type: .refund)),
                    scene("refund", card, "guarded", sale(type: .refund)),
                    scene("zero", card, "guarded", sale(0)), scene("above-floor", card, "guarded", sale(20_000)),
                    scene("online-only", card, "online-only"), scene("offline-only", card, "offline-only"),
                    scene("at-limit", card, "guarded", sale(30_000)), scene("no-contact", card, "no-contact"),
                    scene("no-cda", card, "no-cda"), scene("no-oda", card, "no-oda"),
                    scene("no-floor", card, "no-floor"),
                    scene("dumb", card, "dumb"),
                ]
            }
        }

        /// What a relay changes below and above the limit.
        private static var relayed: [GoldenScene] {
            let list: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03]
            let edits: [(String, CardEdit)] = [
                ("claims-cdcvm", CardEdit(.options, .response(.replace(0x9F71, [0x01, 0x03, 0x02])))),
                ("adds-cdcvm", CardEdit(.options, .response(.insert(0x9F71, [0x01, 0x03, 0x02])))),
                ("calls-it-phone", CardEdit(.options, .response(.setBits(0x82, [0x00, 0x40])))),
                ("calls-it-stripe", CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x80])))),
                ("tells-stripe", CardEdit(.options, .command(.clearBits(0x9F35, [0x80])))),
                ("drops-cda", CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00])))),
                ("other-list", CardEdit(.every, .response(.replace(0x8E, list)))),
                ("no-list", CardEdit(.every, .response(.remove(0x8E)))),
                ("lowest-set", CardEdit(.every, .response(.replace(0x9F70, [0xFC, 0x00])))),
                ("verified-set", CardEdit(.every, .response(.replace(0x9F70, [0xFC, 0x01])))),
                ("no-contact", CardEdit(.every, .response(.replace(0x9F70, [0x00, 0x00])))),
                ("no-action-codes", CardEdit(.every, .response(.replace(0x9F0F, [0, 0, 0, 0, 0])))),
                ("unknown-authority", CardEdit(.every, .response(.replace(0x8F, [0x77])))),
                ("no-certificate", CardEdit(.every, .response(.remove(0x9F46)))),
                ("later-expiry", CardEdit(.every, .response(.replace(0x5F24, [0x49, 0x12, 0x30])))),
                (
                    "other-account",
                    CardEdit(
                        .every, .response(.replace(0x5A, [0x37, 0x14, 0x49, 0x63, 0x53, 0x98, 0x43, 0x1F])))
                ),
                (
                    "other-brand",
                    CardEdit(
                        .every, .response(.replace(0x5A, [0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11])))
                ),
                ("reader-from-card", CardEdit(.record(1), .response(.insert(0x9F6E, [0xDC, 0xE0, 0x00, 0x43])))),
                ("number-from-card", CardEdit(.record(2), .response(.insert(0x9F37, [0, 0, 0, 0])))),
                ("drops-signature", CardEdit(.cryptogram, .response(.remove(0x9F4B)))),
                ("type-as-tc", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x40])))),
                ("type-as-arqc", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x80])))),
                ("type-as-aac", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x00])))),
                ("other-results", CardEdit(.cryptogram, .response(.setBits(0x9F10, [0, 0, 0, 0, 0x04])))),
                ("see-phone", CardEdit(.cryptogram, .answer([0x69, 0x84]))),
                ("other-counter", CardEdit(.other, .response(.replace(0x9F36, [0x00, 0x77])))),
            ]
            return [
                ("amexOffline", ""), ("amexOnlinePIN", ""), ("amexSignatureUnsigned", ""), ("amexWatch", ""),
                ("amexStripeSigned", "stripe-"), ("amexLimit", ""), ("amexOfflineSDA", ""),
            ].flatMap { name, reader in
                edits.flatMap { edit in
                    profiles.map { profile in
                        GoldenScene(
                            name: "relayed-\(edit.0)/\(name)/\(reader)\(profile.name)",
                            reader: reader + profile.name, transaction: sale(6000),
                            card: ManInTheMiddle(VirtualCard(CardProfile.named(name)!), [edit.1]))
                    }
                }
            }
        }

        /// What an issuer says at Start D (Book C-4, 12.2.2): approvals, another interface, a PIN, declines, nothing.
        private static var issuers: [GoldenScene] {
            let answers: [DataObjects] =
                ["00", "08", "10", "11", "12", "13", "05"].map { [0x8A: Array($0.utf8)] } + [
                    [:], [0x8A: [0x30]], [0x8A: [0x30, 0x30], 0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x30, 0x30]],
                ]
            return ["amexOnline", "amexSignature", "amexDeclineNoContact", "amexLimitNoContact"].flatMap { card in
                answers.enumerated().flatMap { index, answer in
                    ["guarded", "no-contact"].map { reader in
                        var scene = scene("issuer-\(index)", card, reader, sale(6000))
                        scene.online = answer
                        return scene
                    }
                }
            }
        }
    }
}
