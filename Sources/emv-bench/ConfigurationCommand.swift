// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVFormats
import EMVKit
import EMVSimulator
import Foundation

struct ConfigurationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configuration", abstract: "Examines configuration files.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what a reader will do with a configuration, and everything that is wrong with it.",
            discussion: """
                Network by network: kernel, transactions, limits in minor units, CA keys; then what can hardly be \
                meant, for example a network that can never approve or never go online. Exit status 0, 1 where there \
                are remarks or keys left out, 2 where the file is refused.

                Examples:
                  emv-bench configuration check shop.json
                  emv-bench configuration check --day 2027-01-01 shop.json
                  emv-bench configuration check --leave-out-bad-keys --json shop.json
                """)

        @Argument(help: ArgumentHelp("An emv-configuration/1.", valueName: "file"))
        var file: String

        @Flag(name: .customLong("leave-out-bad-keys"), help: "Name CA keys that are wrong, and continue without them.")
        var leavesOut = false

        @Flag(help: "One JSON object instead of lines.")
        var json = false

        @Option(help: ArgumentHelp("The day for expiry and validFrom; today by default.", valueName: "2026-11-21"))
        var day: String?

        func run() throws {
            let bytes = try InputFile.bytes(file)
            if let other = InputFile.other(than: "emv-configuration/1", bytes) {
                throw BenchFailure("\(file) is \(other)")
            }
            let reading = Configuration.reading(
                json: bytes, file: file, leavingOutBadCAKeys: leavesOut,
                secrets: .simulatorVariableTime)
            let review = try reading.configuration?.review(on: today())
            if json {
                print(ConfigurationJSON.object(reading, review).text)
            } else {
                for error in reading.errors { print(error) }
                for key in reading.leftOut { print("left out: \(key)") }
                if let configuration = reading.configuration, let review {
                    for line in ConfigurationText(configuration, review).lines { print(line) }
                }
            }
            guard let review else { throw ExitCode(2) }
            if !review.remarks.isEmpty || !reading.leftOut.isEmpty { throw ExitCode(1) }
        }

        private func today() throws -> CalendarDate {
            if let day {
                guard let date = CalendarDate(day) else {
                    throw ValidationError("--day: expected a date like 2026-11-21")
                }
                return date
            }
            let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
            guard let year = parts.year, let month = parts.month, let number = parts.day,
                let date = CalendarDate(year: year, month: month, day: number)
            else { throw BenchFailure("the day cannot be told: --day names one") }
            return date
        }
    }
}

/// The result of the check as JSON, for programs.
enum ConfigurationJSON {
    static func object(_ reading: ConfigurationReading, _ review: Configuration.Review?) -> JSON {
        .object([
            ("format", .string("emv-configuration-check/1")),
            ("errors", .array(reading.errors.map { .string("\($0)") })),
            ("leftOut", .array(reading.leftOut.map { .string("\($0)") })),
            ("version", .string(reading.configuration?.version ?? "")),
            ("fingerprint", reading.configuration.map { .string($0.fingerprint) } ?? .null),
            ("currency", .optional(reading.configuration?.currency.map { Int($0) })),
            ("networks", .array((review?.networks ?? []).map(network))),
            ("remarks", .array((review?.remarks ?? []).map(remark))),
        ])
    }

    private static func network(_ network: Configuration.Review.Network) -> JSON {
        let offline: JSON =
            switch network.offline {
            case .none: .integer(0)
            case .upTo(let amount): .integer(Int(amount))
            case .all: .null
            }
        return .object([
            ("place", .string(network.place)), ("name", .string(network.name)),
            ("aid", .string(Hex.string(network.aid))), ("kernel", .string("\(network.kernel)")),
            ("transactionTypes", .array(network.transactionTypes.map { .string("\($0)") })),
            ("goesOnline", .bool(network.goesOnline)), ("offlineUpTo", offline),
            ("transactionLimit", .optional(network.limits.transaction.map { Int($0) })),
            ("cvmRequiredLimit", .optional(network.limits.cvmRequired.map { Int($0) })),
            ("caKeys", .integer(network.caKeys)),
        ])
    }

    private static func remark(_ remark: Configuration.Review.Remark) -> JSON {
        .object([
            ("code", .string(remark.code.rawValue)), ("place", .string(remark.place)), ("text", .string(remark.text)),
        ])
    }
}

/// A configuration as text for people.
struct ConfigurationText {
    private(set) var lines: [String] = []

    init(_ configuration: Configuration, _ review: Configuration.Review) {
        head(configuration)
        for network in review.networks { add(network) }
        for remark in review.remarks { lines.append("remark: \(remark)") }
    }

    private mutating func head(_ configuration: Configuration) {
        var head = "profile \(configuration.protection.profile.rawValue)"
        if !configuration.version.isEmpty { head = "version \(configuration.version), " + head }
        if let numeric = configuration.currency {
            head += ", limits in \(Currency(numeric: numeric)?.code ?? "currency \(numeric)")"
        }
        if let first = configuration.validFrom { head += ", valid from \(first)" }
        if let autorun = configuration.autorun {
            head += ", begins by itself with type \(autorun.type) and amount \(autorun.amount)"
        }
        lines.append(head)
        lines.append(
            "\(count(configuration.combinations, "combination")), \(count(configuration.caKeys, "CA key")), "
                + "\(count(configuration.revoked, "revoked certificate")), "
                + count(configuration.exceptions, "card on the exception list", "cards on the exception list"))
    }

    private mutating func add(_ network: Configuration.Review.Network) {
        let types = network.transactionTypes.map(ConfigurationText.name).joined(separator: ", ")
        lines.append("")
        lines.append("\(network.name), AID \(Hex.string(network.aid)), Kernel \(network.kernel): \(types)")
        var rules: [String] = []
        // Kernels 2 and 8 compare with >, the others with >= (Book B, 3.1.1.5 and 3.1.1.8).
        let own = network.kernel == 2 || network.kernel == 8
        if let limit = network.limits.transaction {
            rules.append(own && network.kernel == 2 ? "refused above \(limit)" : "refused from \(limit)")
        }
        if let limit = network.limits.cdcvmTransaction { rules.append("with the device's own verification \(limit)") }
        if let limit = network.limits.cvmRequired {
            rules.append(own ? "cardholder verified above \(limit)" : "cardholder verified from \(limit)")
        }
        if !rules.isEmpty { lines.append("  " + rules.joined(separator: "; ")) }
        let offline =
            switch network.offline {
            case .none: "always asks the issuer"
            case .upTo(let amount): "may approve offline up to \(amount)"
            case .all: "may approve any amount offline"
            }
        lines.append(
            "  \(network.goesOnline ? offline : "never asks the issuer"); "
                + "\(network.caKeys) usable CA \(network.caKeys == 1 ? "key" : "keys")")
    }

    private static func name(_ type: TransactionType) -> String {
        switch type {
        case .purchase: "purchase"
        case .cash: "cash"
        case .cashBack: "cash back"
        case .refund: "refund"
        default: "type \(type)"
        }
    }

    private func count(_ rows: some Collection, _ one: String, _ many: String? = nil) -> String {
        rows.count == 1 ? "1 \(one)" : "\(rows.count) \(many ?? one + "s")"
    }
}
#endif
