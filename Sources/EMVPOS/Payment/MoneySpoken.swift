// SPDX-License-Identifier: Apache-2.0
extension Money {
    /// The amount for a screen reader or a voice: `12.50 euros`, `12,50 Euro`, `5 złotych`.
    ///
    /// The number has no group separators, which voices read as pauses or decimal marks; decimals that are all zero are
    /// omitted. The currency's name is in the plural form for the number; a currency without a name in the language is
    /// spoken letter by letter.
    public func spoken(in language: Language) -> String {
        var divisor: UInt64 = 1
        for _ in 0..<currency.exponent { divisor *= 10 }
        let isWhole = minorUnits % divisor == 0
        let shown = Int64(clamping: isWhole ? minorUnits / divisor : minorUnits)
        let format = MoneyFormat.of(language)
        let number = format.number(shown, exponent: isWhole ? 0 : currency.exponent, isGrouped: false)
        for candidate in language.fallbacks {
            guard let forms = CurrencyNames.forms(currency.code, candidate) else { continue }
            let plural = PluralRule.of(candidate).index(whole: minorUnits / divisor, isWhole: isWhole)
            let name = forms[min(plural, forms.count - 1)]
            return number + (PluralRule.of(candidate) == .noneUnspaced ? "" : " ") + name
        }
        return number + " " + currency.code
    }
}

/// The plural form of a noun after a number (based on CLDR's cardinal rules).
enum PluralRule: Sendable, Hashable {
    /// One form for all, with or without a space before it.
    case none, noneUnspaced
    /// 1; all others, decimals too.
    case one
    /// Below 2, decimals too; all others.
    case belowTwo
    /// 1 and decimals below 2; all others.
    case danish
    /// 1; 2 to 4 at the end; other whole numbers; decimals.
    case polish
    /// 1; 2 to 4; other whole numbers; decimals.
    case czech
    /// 1; 2; 3 to 10 at the end; 11 to 99 at the end; all others.
    case arabic

    static func of(_ language: Language) -> PluralRule {
        switch language {
        case .japanese, .chinese, .traditionalChinese: .noneUnspaced
        case .turkish: .none
        case .french, .brazilianPortuguese: .belowTwo
        case .danish: .danish
        case .polish: .polish
        case .czech: .czech
        case .arabic: .arabic
        default: .one
        }
    }

    /// Index of a number's form among the forms of its currency.
    func index(whole: UInt64, isWhole: Bool) -> Int {
        switch self {
        case .none, .noneUnspaced: return 0
        case .one: return isWhole && whole == 1 ? 0 : 1
        case .belowTwo: return whole < 2 ? 0 : 1
        case .danish: return isWhole ? (whole == 1 ? 0 : 1) : (whole < 2 ? 0 : 1)
        case .polish:
            guard isWhole else { return 3 }
            if whole == 1 { return 0 }
            return (2...4).contains(whole % 10) && !(12...14).contains(whole % 100) ? 1 : 2
        case .czech:
            guard isWhole else { return 3 }
            if whole == 1 { return 0 }
            return (2...4).contains(whole) ? 1 : 2
        case .arabic:
            guard isWhole else { return 4 }
            if whole == 1 || whole == 2 { return Int(whole) - 1 }
            switch whole % 100 {
            case 3...10: return 2
            case 11...99: return 3
            default: return 4
            }
        }
    }
}

/// Names of currencies as they follow a number, for the currencies that are common among a language's speakers.
enum CurrencyNames {
    static func forms(_ code: String, _ language: Language) -> [String]? { names[language]?[code] }

    static let names: [Language: [String: [String]]] = lines.mapValues { text in
        Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").compactMap { line in
                line.firstIndex(of: " ").map { space in
                    let forms = line[line.index(after: space)...].split(separator: "|").map(String.init)
                    return (String(line[..<space]), forms)
                }
            })
    }

    private static let lines: [Language: String] = [
        .english: """
        EUR euro|euros
        USD US dollar|US dollars
        GBP pound|pounds
        CHF Swiss franc|Swiss francs
        JPY yen
        CAD Canadian dollar|Canadian dollars
        AUD Australian dollar|Australian dollars
        INR rupee|rupees
        SEK Swedish krona|Swedish kronor
        NOK Norwegian krone|Norwegian kroner
        DKK Danish krone|Danish kroner
        PLN zloty|zlotys
        CZK Czech koruna|Czech korunas
        """,
        .german: """
        EUR Euro
        USD US-Dollar
        GBP Pfund
        CHF Franken
        JPY Yen
        """,
        .french: """
        EUR euro|euros
        USD dollar américain|dollars américains
        GBP livre sterling|livres sterling
        CHF franc suisse|francs suisses
        JPY yen|yens
        CAD dollar canadien|dollars canadiens
        """,
        .spanish: """
        EUR euro|euros
        USD dólar estadounidense|dólares estadounidenses
        GBP libra esterlina|libras esterlinas
        CHF franco suizo|francos suizos
        JPY yen|yenes
        MXN peso mexicano|pesos mexicanos
        """,
        .italian: """
        EUR euro
        USD dollaro statunitense|dollari statunitensi
        GBP sterlina|sterline
        CHF franco svizzero|franchi svizzeri
        JPY yen
        """,
        .dutch: """
        EUR euro
        USD Amerikaanse dollar
        GBP Brits pond|Britse pond
        CHF Zwitserse frank
        JPY yen
        """,
        .japanese: """
        EUR ユーロ
        USD 米ドル
        GBP ポンド
        CHF スイスフラン
        JPY 円
        CNY 人民元
        """,
        .chinese: """
        EUR 欧元
        USD 美元
        GBP 英镑
        CHF 瑞士法郎
        JPY 日元
        CNY 元
        HKD 港元
        """,
        .traditionalChinese: """
        EUR 歐元
        USD 美元
        GBP 英鎊
        CHF 瑞士法郎
        JPY 日圓
        TWD 元
        HKD 港元
        CNY 人民幣
        """,
        .portuguese: """
        EUR euro|euros
        USD dólar americano|dólares americanos
        GBP libra esterlina|libras esterlinas
        CHF franco suíço|francos suíços
        JPY iene|ienes
        BRL real|reais
        """,
        .brazilianPortuguese: """
        EUR euro|euros
        USD dólar|dólares
        GBP libra esterlina|libras esterlinas
        CHF franco suíço|francos suíços
        JPY iene|ienes
        BRL real|reais
        """,
        .polish: """
        EUR euro
        USD dolar|dolary|dolarów|dolara
        GBP funt|funty|funtów|funta
        CHF frank szwajcarski|franki szwajcarskie|franków szwajcarskich|franka szwajcarskiego
        JPY jen|jeny|jenów|jena
        PLN złoty|złote|złotych|złotego
        """,
        .swedish: """
        EUR euro
        USD dollar
        GBP pund
        CHF schweizisk franc|schweiziska franc
        JPY yen
        SEK krona|kronor
        NOK norsk krona|norska kronor
        DKK dansk krona|danska kronor
        """,
        .norwegian: """
        EUR euro
        USD dollar
        GBP pund
        CHF sveitsisk franc|sveitsiske franc
        JPY yen
        SEK svensk krone|svenske kroner
        NOK krone|kroner
        DKK dansk krone|danske kroner
        """,
        .danish: """
        EUR euro
        USD dollar
        GBP pund
        CHF schweizisk franc|schweiziske franc
        JPY yen
        SEK svensk krone|svenske kroner
        NOK norsk krone|norske kroner
        DKK krone|kroner
        """,
        .finnish: """
        EUR euro|euroa
        USD Yhdysvaltain dollari|Yhdysvaltain dollaria
        GBP punta|puntaa
        CHF Sveitsin frangi|Sveitsin frangia
        JPY jeni|jeniä
        SEK Ruotsin kruunu|Ruotsin kruunua
        """,
        .czech: """
        EUR euro|eura|eur|eura
        USD dolar|dolary|dolarů|dolaru
        GBP libra|libry|liber|libry
        CHF švýcarský frank|švýcarské franky|švýcarských franků|švýcarského franku
        JPY jen|jeny|jenů|jenu
        CZK koruna|koruny|korun|koruny
        """,
        .turkish: """
        EUR euro
        USD dolar
        GBP sterlin
        CHF İsviçre frangı
        JPY yen
        TRY lira
        """,
        .arabic: """
        EUR يورو
        USD دولار|دولاران|دولارات|دولارًا|دولار
        GBP جنيه إسترليني|جنيهان إسترلينيان|جنيهات إسترلينية|\
            جنيهًا إسترلينيًا|جنيه إسترليني
        CHF فرنك سويسري|فرنكان سويسريان|فرنكات سويسرية|\
            فرنكًا سويسريًا|فرنك سويسري
        JPY ين
        SAR ريال|ريالان|ريالات|ريالًا|ريال
        AED درهم|درهمان|دراهم|درهمًا|درهم
        EGP جنيه|جنيهان|جنيهات|جنيهًا|جنيه
        """,
    ]
}
