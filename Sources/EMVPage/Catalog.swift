// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS
import EMVCards

/// The request `catalog`: all names that the other requests may use.
enum Catalog {
    static var json: OutputJSON {
        let kernels = Configuration.simulator(secrets: .simulatorVariableTime).combinations
        return .object([
            ("version", .string(PageEngine.version)),
            ("kernels", .strings((2...8).map { EngineNames.kernel(KernelID(number: $0)) })),
            ("profiles", .array(profiles(kernels))),
            ("protections", .strings(Protection.Profile.allCases.map { $0.rawValue })),
            ("types", .strings(["purchase", "cash", "cashBack", "refund"])),
            ("faults", .array(faults.map { fault($0.0, $0.1, $0.2) })),
            ("plans", .array(NamedPlan.all.map { named($0.name, $0.summary) })),
            ("scenarios", .array(Scenario.all.map { named($0.name, $0.summary) })),
            (
                "languages",
                .array(
                    names.map { name in
                        .object([
                            ("tag", .string(name.key)), ("name", .string(name.value)),
                            ("rightToLeft", .bool(Language(rawValue: name.key).isRightToLeft)),
                        ])
                    })
            ),
            (
                "currencies",
                .array(
                    Currency.all.map { currency in
                        .object([
                            ("code", .string(currency.code)), ("numeric", .integer(Int(currency.numeric))),
                            ("exponent", .integer(Int(currency.exponent))),
                        ])
                    })
            ),
        ])
    }

    private static func named(_ name: String, _ summary: String) -> OutputJSON {
        .object([("name", .string(name)), ("summary", .string(summary))])
    }

    private static func fault(_ name: String, _ summary: String, _ takes: [String]) -> OutputJSON {
        .object([("name", .string(name)), ("summary", .string(summary)), ("takes", .strings(takes))])
    }

    /// Sorted by kernel, then by name.
    private static func profiles(_ combinations: [Combination]) -> [OutputJSON] {
        var rows: [(kernel: String, profile: CardProfile)] = CardProfile.profiles.values.map { profile in
            let aid = profile.application.aid
            let own = profile.application.kernelIdentifier == [8] ? KernelID(number: 8) : nil
            let combination =
                combinations.first { aid.starts(with: $0.aid) }
                ?? combinations.first { $0.aid.prefix(5).elementsEqual(aid.prefix(5)) }
            return ((own ?? combination?.kernel.id).map { EngineNames.kernel($0) } ?? "", profile)
        }
        rows.sort { $0.kernel == $1.kernel ? $0.profile.name < $1.profile.name : $0.kernel < $1.kernel }
        return rows.map { row in
            let application = row.profile.application
            return .object([
                ("name", .string(row.profile.name)), ("summary", .string(row.profile.summary)),
                ("kernel", .string(row.kernel)),
                ("scheme", .optional(PaymentScheme(aid: application.aid).map { $0.name })),
                ("label", .string(application.label)),
            ])
        }
    }

    private static let faults: [(String, String, [String])] = [
        ("drop", "the card never hears the command", []),
        ("loseResponse", "the card hears the command, its response is lost", []),
        ("truncate", "only so many bytes of the response arrive", ["count"]),
        ("flip", "one bit of the response arrives wrong", ["byte", "bit"]),
        ("replace", "other bytes arrive instead of the response", ["hex"]),
        ("delay", "the response comes later", ["ms"]),
        ("transmissionError", "the response is disturbed", []),
        ("protocolError", "the response breaks the link's protocol", []),
        ("remove", "the card leaves before it hears the command", []),
        ("removeAfter", "the card leaves after it has heard the command", []),
    ]

    /// The languages of the prompts, each with its own name for itself.
    private static let names: KeyValuePairs<String, String> = [
        "en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "it": "Italiano", "nl": "Nederlands",
        "ja": "日本語", "zh": "中文", "pt": "Português", "pt-BR": "Português (Brasil)", "pl": "Polski",
        "sv": "Svenska", "nb": "Norsk bokmål", "da": "Dansk", "fi": "Suomi", "cs": "Čeština", "tr": "Türkçe",
        "ar": "العربية", "zh-Hant": "繁體中文",
    ]
}
