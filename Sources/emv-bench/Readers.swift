// SPDX-License-Identifier: Apache-2.0
#if Tools
import ArgumentParser
import EMVFormats
import EMVKit
import EMVPCSC
import EMVPN532
import EMVSimulator

struct Readers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows readers and cards, and what is wrong, with the command that fixes it.",
        discussion: """
            PC/SC does not see a PN532 at a serial line: --pn532 looks for one. Exit status: 0 a reader is usable, 1 \
            something is wrong.
            """)

    @Option(help: ArgumentHelp("Serial line of a PN532 (mode HSU), instead of PC/SC.", valueName: "path"))
    var pn532: String?

    @Flag(help: "One JSON object on standard output.")
    var json = false

    func run() async throws {
        if let pn532 { return try await lookForChip(pn532) }
        let diagnosis = await ReaderDiagnosis.examine()
        print(json ? Readers.json(diagnosis).text : Readers.text(diagnosis))
        if diagnosis.readers.isEmpty || !diagnosis.findings.isEmpty { throw ExitCode(1) }
    }

    /// Checks whether a PN532 answers on this line.
    private func lookForChip(_ path: String) async throws {
        let chip = PN532Transport(port: path)
        let fault = await chip.open()
        let firmware = await chip.firmware ?? ""
        await chip.close()
        let name = printable(chip.name ?? path)
        if json {
            let reader = JSON.object([("name", .string(name)), ("firmware", .string(firmware))])
            let finding = fault.map { fault in
                JSON.object([("code", .string(fault.code.rawValue)), ("text", .string(fault.explanation))])
            }
            print(
                JSON.object([
                    ("format", .string("emv-bench/1")), ("readers", .array(fault == nil ? [reader] : [])),
                    ("findings", .array([finding].compactMap(\.self))),
                ]).text)
        } else {
            print(fault.map { printable($0.explanation) } ?? "\(name) (contactless, firmware \(firmware))")
        }
        if fault != nil { throw ExitCode(1) }
    }

    private static func text(_ diagnosis: ReaderDiagnosis) -> String {
        var lines = diagnosis.readers.map { reader in
            let card =
                switch reader.card {
                case .none: "no card"
                case .mute: "something that does not answer"
                case .present(let atr): "card \(Hex.string(atr))"
                }
            let kind = reader.isContactless ? ReaderKind.contactless : reader.kind
            return printable(reader.name) + (kind == .unknown ? "" : " (\(kind.label))") + ": \(card)"
                + (reader.port.map { ", at \($0)" } ?? "") + (reader.isUnavailable ? ", not available" : "")
                + (reader.isInUse ? ", in use by another program" : "")
        }
        if lines.isEmpty { lines.append("No readers") }
        for finding in diagnosis.findings {
            lines += ["", "\(printable(finding.text)).", "  \(finding.remedy)"]
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ diagnosis: ReaderDiagnosis) -> JSON {
        let readers = diagnosis.readers.map { reader in
            var card = JSON.null
            var isMute = false
            switch reader.card {
            case .none: break
            case .mute: isMute = true
            case .present(let atr): card = .string(Hex.string(atr))
            }
            return JSON.object([
                ("name", .string(reader.name)), ("contactless", .bool(reader.isContactless)),
                ("kind", .string(reader.kind.rawValue)), ("available", .bool(!reader.isUnavailable)), ("atr", card),
                ("mute", .bool(isMute)),
                ("inUse", .bool(reader.isInUse)), ("port", reader.port.map { .string($0) } ?? .null),
            ])
        }
        let findings = diagnosis.findings.map { finding in
            JSON.object([
                ("code", .string(finding.code.rawValue)), ("text", .string(finding.text)),
                ("remedy", .string(finding.remedy)),
            ])
        }
        return .object([
            ("format", .string("emv-bench/1")), ("readers", .array(readers)), ("findings", .array(findings)),
        ])
    }
}

extension ReaderKind {
    /// The description for people.
    fileprivate var label: String {
        switch self {
        case .contactless: "contactless"
        case .dual: "contact and contactless"
        case .contact: "contact"
        case .sam: "security module"
        case .securityKey: "security key"
        case .unknown: "not known"
        }
    }
}

/// A name that is safe to show in a terminal: control characters from a device are escaped.
func printable(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
}

extension CardDocument {
    /// Reads a file.
    init(contentsOf path: String) throws {
        do {
            try self.init(json: readFile(path), file: path)
        } catch let error as FormatError {
            throw BenchFailure(error.description)
        }
    }
}

struct Card: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves a virtual card to the virtual reader of vsmartcard, for any PC/SC program.",
        discussion: """
            Needs pcscd with the driver vpcd (Debian: pcscd, vsmartcard-vpcd). Serves until interrupted, and again \
            after pcscd restarts; with --die-at until the card has died.
            """)

    @Option(help: ArgumentHelp("A named card; --list shows them.", valueName: "name"))
    var profile: String?

    @Option(help: ArgumentHelp("A card of your own, emv-card/1.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Print this named card as such a file, with all its keys.", valueName: "name"))
    var write: String?

    @Option(help: ArgumentHelp("TCP port of the driver.", valueName: "port"))
    var port: UInt16 = 35963

    @Option(
        name: .customLong("die-at"),
        help: ArgumentHelp("The card dies when it hears this command, counted from 1.", valueName: "n"))
    var dieAt: Int?

    @Option(help: ArgumentHelp("Milliseconds before every response.", valueName: "ms"))
    var delay = 0.0

    @Flag(help: "List the cards.")
    var list = false

    func validate() throws {
        guard list || [profile, file, write].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("expected one of --profile NAME, --file FILE, --write NAME and --list")
        }
        if let write, CardProfile.named(write) == nil {
            throw ValidationError("--write: no card \"\(write)\"; emv-bench card --list shows them")
        }
        guard dieAt.map({ $0 > 0 }) ?? true else { throw ValidationError("--die-at: expected a number above 0") }
        guard (0...60000).contains(delay) else { throw ValidationError("--delay: expected 0 to 60000") }
        if let profile, CardProfile.named(profile) == nil, WalletProfile.named(profile) == nil {
            throw ValidationError(
                "--profile: no card \"\(profile)\"; known: "
                    + (CardProfile.profiles.keys.sorted() + WalletProfile.profiles.keys.sorted())
                    .joined(separator: ", "))
        }
    }

    func run() async throws {
        if list {
            for profile in CardProfile.profiles.values.sorted(by: { $0.name < $1.name }) {
                print("\(profile.name)  \(profile.summary)")
            }
            for profile in WalletProfile.profiles.values.sorted(by: { $0.name < $1.name }) {
                print("\(profile.name)  \(profile.summary)")
            }
            return
        }
        if let write {
            print(
                CardProfile.named(write).map { CardDocument($0).json(base: write, complete: true) ?? "" } ?? "",
                terminator: "")
            return
        }
        if let file {
            let document = try CardDocument(contentsOf: file)
            return try await serve(document.presentation, document.profile.name)
        }
        guard let profile else { return }
        if let wallet = WalletProfile.named(profile) {
            // Passes contain the time, so the machine's clock is used.
            try await serve(wallet.with(clock: .system).phone, profile)
        } else if let card = CardProfile.named(profile) {
            try await serve(VirtualCard(card), profile)
        }
    }

    private func serve<Presented: CardPresentation>(_ presented: Presented, _ profile: String) async throws {
        let server = CardServer(port: port, delay: .microseconds(Int64(delay * 1000)), diesAt: dieAt)
        var card = presented
        var hasServed = false
        while !Task.isCancelled {
            do {
                complain("Card \(profile) is presented on port \(port).")
                let visit = try await server.serve(card)
                hasServed = true
                if visit.end != .readerClosed { return complain("The card left after \(visit.commands) commands.") }
                complain("The reader went away.")
                card = visit.card
                try? await Task.sleep(for: .seconds(1))
            } catch {
                guard hasServed else { throw BenchFailure("\(error)") }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
#endif
