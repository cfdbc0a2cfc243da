// SPDX-License-Identifier: Apache-2.0
// Golden taps of Kernel 5: JCB cards at readers of their own.
import EMVKit

@testable import EMVSimulator

extension GoldenScenes {
    static var kernel5: GoldenSet { GoldenSet(file: "k5", readers: JCB.readers, scenes: JCB.scenes) }

    private enum JCB {
        static let cards = JCBBehaviour.profiles.map(\.name)

        /// Both modes and every verification, unless stated otherwise.
        static func configuration(
            _ profile: Protection.Profile, options: JCBOptions? = nil,
            limits: Limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000),
            terminal changes: DataObjects = [:]
        ) -> Configuration {
            var data = terminal
            for change in changes.elements { data[change.tag] = change.value }
            let usual = JCBOptions(combinationOptions: [0x23, 0x00], terminalInterchangeProfile: [0x72, 0x00, 0x00])
            return Configuration(
                terminal: data,
                combinations: [
                    Combination(
                        aid: [0xA0, 0, 0, 0, 0x65, 0x10, 0x10], kernel: .jcb(options ?? usual),
                        transactionTypes: [.purchase, .cash, .cashBack, .refund], limits: limits)
                ],
                caKeys: JCBBehaviour.authorities.map { CAKey($0.publicKey) },
                protection: Protection(profile: profile))
        }

        private static func options(_ combination: UInt8, _ profile: Bytes) -> JCBOptions {
            JCBOptions(combinationOptions: [combination, 0x00], terminalInterchangeProfile: profile)
        }

        static let readers: [(name: String, configuration: Configuration)] =
            profiles.map { ($0.name, configuration($0.profile)) }
            + profiles.map { ("update-\($0.name)", configuration($0.profile, options: update)) }
            + [
                // As the defaults have it: no Legacy Mode, no verification.
                ("defaults", configuration(.guarded, options: JCBOptions())),
                ("no-oda", configuration(.book, options: options(0x03, [0x72, 0x00, 0x00]))),
                ("online-only", configuration(.guarded, terminal: [0x9F35: [0x21]])),
                ("offline-only", configuration(.guarded, terminal: [0x9F35: [0x23]])),
                ("offline-only-book", configuration(.book, terminal: [0x9F35: [0x23]])),
                ("transit", configuration(.guarded, options: options(0x33, [0x76, 0x00, 0x00]))),
                ("atm", configuration(.book, terminal: [0x9F35: [0x14]])),
                (
                    "random",
                    configuration(
                        .book,
                        options: JCBOptions(
                            combinationOptions: [0x6B, 0x00], terminalInterchangeProfile: [0x72, 0x00, 0x00],
                            randomSelection: .init(threshold: 500, target: 40, maximumTarget: 80)))
                ),
                (
                    "device-limit",
                    configuration(
                        .guarded,
                        limits: Limits(
                            transaction: 20_000, floor: 10_000, cvmRequired: 5_000, cdcvmTransaction: 90_000))
                ),
                (
                    "device-limit-book",
                    configuration(
                        .book,
                        limits: Limits(
                            transaction: 20_000, floor: 10_000, cvmRequired: 5_000, cdcvmTransaction: 90_000))
                ),
            ]

        private static let update = JCBOptions(
            combinationOptions: [0x22, 0x00], terminalInterchangeProfile: [0x72, 0x80, 0x00], removalTimeout: 50)

        static var scenes: [GoldenScene] {
            let plain = profiles.flatMap { profile in cards.map { scene("plain", $0, profile.name) } }
            let verified = (profiles.map(\.name) + ["defaults", "no-oda"]).flatMap { reader in
                cards.map { scene("above-cvm-limit", $0, reader, sale(6000)) }
            }
            let gates = ["k5-transit", "k5-offline", "k5-online", "k5-legacy", "k5-cvm-pin"].map {
                scene("gate", $0, "transit", sale(6000))
            }
            let devices = ["k5-cvm-phone", "k5-cvm-pin", "k5-offline", "k5-online-no-cda"].flatMap { card in
                ["device-limit", "device-limit-book"].map { scene("device-limit", card, $0, sale(50_000)) }
            }
            let sales = [
                "k5-offline", "k5-online", "k5-legacy", "k5-expired", "k5-auc", "k5-regardless", "k5-online-no-cda",
            ]
            return plain + verified + gates + devices
                + sales.flatMap { card in
                    [
                        scene("cash", card, "guarded", sale(type: .cash)),
                        scene("cash", card, "atm", sale(type: .cash)),
                        scene("cash-back", card, "guarded", sale(4000, type: .cashBack, other: 1000)),
                        scene("refund", card, "book", sale(type: .refund)),
                        scene("refund", card, "guarded", sale(type: .refund)),
                        scene("zero", card, "book", sale(0)), scene("zero", card, "guarded", sale(0)),
                        scene("status-check", card, "random", sale(100)), scene("random", card, "random", sale(9000)),
                        scene("above-floor", card, "guarded", sale(20_000)),
                        scene("online-only", card, "online-only"), scene("offline-only", card, "offline-only"),
                        scene("offline-only", card, "offline-only-book"),
                        scene("at-limit", card, "guarded", sale(30_000)),
                    ]
                }
                + faults(["k5-offline", "k5-online", "k5-legacy"], reader: "guarded")
                + faults(["k5-hold"], reader: "update-guarded") + torn + relayed + updates
        }

        /// The answer to GENERATE AC is lost; the recovery goes on, or breaks at each of its exchanges.
        private static var torn: [GoldenScene] {
            let cards = [
                "k5-torn", "k5-torn-online", "k5-torn-no-cda", "k5-torn-no-echo", "k5-wrong-signature", "k5-cvm-pin",
            ]
            return cards.flatMap { name in
                profiles.flatMap { profile -> [GoldenScene] in
                    let cryptogram = exchangeOfCryptogram(name)
                    let breaks: [FaultPlan] =
                        [FaultPlan(at: cryptogram, .loseResponse), FaultPlan(at: cryptogram, .drop)]
                        + (1...8).map { FaultPlan([cryptogram: [.removeAfter], cryptogram + $0: [.loseResponse]]) }
                        + (1...8).map {
                            FaultPlan([cryptogram: [.loseResponse], cryptogram + $0: [.replace([0x69, 0x85])]])
                        }
                        + (1...8).map {
                            FaultPlan([cryptogram: [.loseResponse], cryptogram + $0: [.replace([0x90, 0x00])]])
                        }
                    return breaks.enumerated().map { index, plan in
                        GoldenScene(
                            name: "torn-\(index)/\(name)/\(profile.name)", reader: profile.name,
                            transaction: sale(6000),
                            card: FaultyCard(VirtualCard(CardProfile.named(name)!), plan))
                    }
                }
            }
        }

        /// Which exchange GENERATE AC is, counted from 1, in a tap that goes on to it.
        private static func exchangeOfCryptogram(_ name: String) -> Int {
            let chain = CardProfile.named(name)!.application.keys == nil ? 0 : 2
            // PPSE, SELECT, GET PROCESSING OPTIONS, the static record, those of the certificates.
            return 3 + 1 + chain + 1
        }

        private static var relayed: [GoldenScene] {
            let edits: [(String, CardEdit)] = [
                ("no-signature", CardEdit(.options, .response(.clearBits(0x82, [0x01, 0x00])))),
                ("no-emv-mode", CardEdit(.options, .response(.clearBits(0x82, [0x00, 0x80])))),
                ("legacy", CardEdit(.selection, .response(.replace(0x9F38, [0x9F, 0x1A, 0x02, 0x9F, 0x37, 0x04])))),
                ("claims-device", CardEdit(.cryptogram, .response(.replace(0x9F50, [0x31])))),
                ("claims-signature", CardEdit(.cryptogram, .response(.replace(0x9F50, [0x10])))),
                ("claims-nothing", CardEdit(.cryptogram, .response(.replace(0x9F50, [0x00])))),
                ("claims-wrongly", CardEdit(.cryptogram, .response(.replace(0x9F50, [0x11])))),
                ("type-as-tc", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x40])))),
                ("type-as-aac", CardEdit(.cryptogram, .response(.replace(0x9F27, [0x00])))),
                ("drops-signature", CardEdit(.cryptogram, .response(.remove(0x9F4B)))),
                ("adds-cryptogram", CardEdit(.cryptogram, .response(.insert(0x9F26, [1, 2, 3, 4, 5, 6, 7, 8])))),
                ("wants-hold", CardEdit(.cryptogram, .response(.insert(0x9F60, [0x01])))),
                ("other-balance", CardEdit(.cryptogram, .response(.insert(0x9F5F, [0, 0, 0, 0, 0x50, 0x00])))),
                ("terminal-data", CardEdit(.record(1), .response(.insert(0x9F37, [0, 0, 0, 0])))),
                ("other-account", CardEdit(.record(1), .response(.replace(0x5A, [0x35, 0x66, 0, 0, 0, 0, 0, 0x09])))),
                ("later-expiry", CardEdit(.every, .response(.replace(0x5F24, [0x49, 0x12, 0x30])))),
                ("unknown-authority", CardEdit(.every, .response(.replace(0x8F, [0x77])))),
                ("lax-list", CardEdit(.record(1), .response(.replace(0x8C, [0x95, 0x05, 0x9F, 0x35, 0x01])))),
                ("twice", CardEdit(.cryptogram, .response(.duplicate(0x9F36)))),
                ("wrong-template", CardEdit(.cryptogram, .response(.raw([0x80, 0x01, 0x40, 0x90, 0x00])))),
            ]
            return ["k5-offline", "k5-cvm-pin", "k5-online-no-cda", "k5-legacy"].flatMap { name in
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

        /// Answers and scripts as an issuer's host might send them, and as it should not.
        private static var updates: [GoldenScene] {
            let answers: [DataObjects] = [
                [:], [0x8A: [0x30, 0x30]], [0x8A: [0x30, 0x30], 0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x30, 0x30]],
                [0x8A: [0x30, 0x35], 0x72: [0x9F, 0x18, 4, 0, 0, 0, 1, 0x86, 5, 0x84, 0x1E, 0, 0, 0]],
                [0x8A: [0x30, 0x30], 0x71: [0x86, 5, 0x84, 0x18, 0, 0, 0], 0x72: [0x86, 5, 0x84, 0x1E, 0, 0, 0]],
                [0x8A: [0x30, 0x30], 0x71: [0x86, 5, 0x84, 0x24, 0, 0, 0]],
                [0x8A: [0x30, 0x30], 0x71: [0x86, 9, 0x84]],
                [0x8A: [0x5A, 0x33], 0x91: [1, 2, 3, 4, 5, 6, 7, 8]],
            ]
            return ["k5-two-presentments", "k5-hold", "k5-hold-pin", "k5-online"].flatMap { card in
                profiles.flatMap { profile in
                    answers.enumerated().map { index, answer in
                        var scene = scene("issuer-\(index)", card, "update-\(profile.name)")
                        scene.online = answer
                        return scene
                    }
                }
            }
        }
    }
}
