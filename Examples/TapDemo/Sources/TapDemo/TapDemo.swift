// SPDX-License-Identifier: Apache-2.0
import EMVJournal
import EMVKit
import EMVPCSC
import EMVSimulator

/// A POS in a terminal: `swift run TapDemo`, or `swift run TapDemo --pcsc` with a card reader.
@main struct TapDemo {
    static func main() async {
        guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
            print(Arguments.usage)
            return
        }
        var texts = TextCatalogue(language: arguments.language)
        // An app's own words go before the built-in ones.
        texts[.message(.presentCard), .english] = try? PromptText("Card, phone or watch here")
        let merchant = Merchant("Market hall", via: "Pay Desk", city: "Berlin", identifier: "526567081224")
        // A customer has a minute; if the last customer's card is still on the reader, it must be removed first.
        var options = TapReader.Options(cardTimeout: .seconds(60), waitsForEmptyField: true)
        options.hasPINPad = true
        options.payee = merchant
        options.texts = texts
        let journal = arguments.journal.map { SQLiteJournal(path: $0) }
        options.journal = journal
        // Replaces a key that only the payment service can use; see EMVSealing. Everybody has this key, so no account
        // of a real card is sealed with it: nothing of one is stored.
        if journal != nil, !arguments.usesPCSC { options.sealer = SimulatedSealer() }

        let pos =
            if arguments.usesPCSC {
                PointOfSale(
                    PCSCTransport(arguments.readerName.map { .named($0) } ?? .contactless), .demonstration,
                    options: options,
                    merchant: merchant, width: arguments.width, journal: journal)
            } else {
                PointOfSale(
                    SimulatedReader(EmptyField(), pace: .real), .simulator(), options: options, merchant: merchant,
                    width: arguments.width, journal: journal)
            }
        await pos.open()
    }
}

/// The options of the command line.
struct Arguments {
    static let usage = """
        usage: TapDemo [--pcsc [READER]] [--language CODE] [--columns 32|40|48] [--journal FILE]
          --pcsc       a real reader instead of the simulated one; READER is its name or a part of it
          --language   en de fr es it nl ja zh
          --journal    payments are written there; what an earlier run left open is settled at the start
        """

    var usesPCSC = false
    var readerName: String?
    var language = Language.english
    var width = Receipt.Width.columns40
    var journal: String?

    init?(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--pcsc":
                usesPCSC = true
                if let name = words.first, !name.hasPrefix("--") { readerName = words.popFirst() }
            case "--language":
                guard let code = words.popFirst(), Language.builtIn.contains(Language(rawValue: code)) else {
                    return nil
                }
                language = Language(rawValue: code)
            case "--journal":
                guard let file = words.popFirst() else { return nil }
                journal = file
            case "--columns":
                guard let columns = words.popFirst().flatMap(Int.init), let width = Receipt.Width(rawValue: columns)
                else { return nil }
                self.width = width
            default: return nil
            }
        }
    }
}

extension Configuration {
    /// Two networks, always online, without CA keys: enough to try a real card, but not for production.
    static let demonstration = Configuration(
        terminal: [
            0x9F1A: [0x02, 0x76], 0x9F35: [0x21], 0x9F33: [0xE0, 0x68, 0xC8], 0x9F40: [0x60, 0x00, 0xB0, 0xA0, 0x01],
            0x9F15: [0x59, 0x99],
        ],
        combinations: [
            Combination(
                aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Visa", transactionTypes: [.purchase],
                limits: Limits(floor: 0, cvmRequired: 5000), ttq: [0x36, 0x00, 0x40, 0x00]),
            Combination(
                aid: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], kernel: 2, name: "Mastercard", transactionTypes: [.purchase],
                limits: Limits(floor: 0, cvmRequired: 5000)),
            Combination(
                aid: [0xA0, 0, 0, 0, 0x04, 0x30, 0x60], kernel: 2, name: "Maestro", transactionTypes: [.purchase],
                limits: Limits(floor: 0, cvmRequired: 5000)),
        ],
        caKeys: [])
}
