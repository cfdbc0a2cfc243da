// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Names of countries (ISO 3166-1), currencies (ISO 4217) and languages (ISO 639-1), and a remark on an impossible
/// value: a currency's number in a country's object, an impossible date.
enum CodeNames {
    /// - Parameter kernel: decides the meaning of a number that kernels interpret differently; 0: not known.
    static func meanings(of tag: Tag, _ value: Bytes, kernel: UInt8) -> [String] {
        if value.isEmpty { return [] }
        return switch tag.rawValue {
        case 0x9F1A, 0x5F28: [country(value)]
        case 0x9F57 where kernel == 3: [country(value)]
        case 0x5F55, 0x5F56: [country(letters: value)]
        case 0x5F2A, 0x9F42, 0x9F3C: [currency(value)]
        case 0x9F51 where kernel == 3: [currency(value)]
        case 0x9F50 where kernel == 4: [currency(value)]
        case 0x9F3B: value.count % 2 == 0 ? pairs(value).map { currency($0) } : []
        case 0x5F2D: value.count % 2 == 0 ? pairs(value).map { language($0) } : ["not in pairs of letters"]
        case 0x5F24, 0x5F25, 0x9A: date(value)
        case 0x9F21: time(value)
        default: []
        }
    }

    private static func pairs(_ value: Bytes) -> [Bytes] {
        stride(from: 0, to: value.count, by: 2).map { Bytes(value[$0..<$0 + 2]) }
    }

    private static func isDecimal(_ value: some Collection<UInt8>) -> Bool {
        value.allSatisfy { $0 >> 4 < 10 && $0 & 0x0F < 10 }
    }

    private static func number(_ value: some Collection<UInt8>) -> UInt16? {
        guard value.count == 2, isDecimal(value) else { return nil }
        return value.reduce(0) { $0 * 100 + UInt16($1 >> 4) * 10 + UInt16($1 & 0x0F) }
    }

    private static func digits(_ number: UInt16) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 3 - text.utf8.count)) + text
    }

    /// The name for a code of a table; `nil` if the table lacks the code.
    private static func name(_ code: String, _ table: [String]) -> String? {
        let wanted = Array((code + " ").utf8)
        guard let row = table.first(where: { $0.utf8.starts(with: wanted) }) else { return nil }
        return String(decoding: Array(row.utf8.dropFirst(wanted.count)), as: UTF8.self)
    }

    private static func named(_ country: Country) -> String {
        (name(country.code, countries) ?? country.code3) + " (\(country.code))"
    }

    private static func named(_ currency: Currency) -> String {
        (name(currency.code, currencies).map { $0 + " " } ?? "") + "(\(currency.code))"
    }

    static func country(_ value: some Collection<UInt8>) -> String {
        guard let number = number(value) else { return "not three decimal digits in two bytes" }
        if let country = Country(numeric: number) { return named(country) }
        let hint = Currency(numeric: number).map { "; this is the currency " + named($0) } ?? ""
        return "no country has the number \(digits(number))" + hint
    }

    static func currency(_ value: some Collection<UInt8>) -> String {
        guard let number = number(value) else { return "not three decimal digits in two bytes" }
        if let currency = Currency(numeric: number) { return named(currency) }
        let hint = Country(numeric: number).map { "; this is the country " + named($0) } ?? ""
        return "no current currency has the number \(digits(number))" + hint
    }

    private static func country(letters value: Bytes) -> String {
        let text = String(decoding: value, as: UTF8.self)
        return Country(code: text).map { named($0) } ?? "no country has this code"
    }

    static func language(_ value: some Collection<UInt8>) -> String {
        guard value.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }) else {
            return "not two letters"
        }
        let code = String(decoding: value.map { $0 | 0x20 }, as: UTF8.self)
        return name(code, languages) ?? "no language known as \"\(code)\""
    }

    /// Returns a remark on an impossible date; empty for a possible one.
    private static func date(_ value: Bytes) -> [String] {
        guard value.count == 3, isDecimal(value) else { return ["not a date: expected YYMMDD in three bytes"] }
        let numbers = value.map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard (1...12).contains(month) else { return ["not a date: there is no month \(month)"] }
        let most = month == 2 ? year % 4 == 0 ? 29 : 28 : [4, 6, 9, 11].contains(month) ? 30 : 31
        return (1...most).contains(day) ? [] : ["not a date: month \(month) has no day \(day)"]
    }

    private static func time(_ value: Bytes) -> [String] {
        guard value.count == 3, isDecimal(value) else { return ["not a time: expected HHMMSS in three bytes"] }
        let isTime = value[0] < 0x24 && value[1] < 0x60 && value[2] < 0x60
        return isTime ? [] : ["not a time of day"]
    }

    /// Two letters of ISO 3166-1 and the common English name.
    private static let countries: [String] = [
        "AD Andorra", "AE United Arab Emirates", "AF Afghanistan", "AG Antigua and Barbuda", "AI Anguilla",
        "AL Albania", "AM Armenia", "AO Angola", "AQ Antarctica", "AR Argentina", "AS American Samoa", "AT Austria",
        "AU Australia", "AW Aruba", "AX Åland Islands", "AZ Azerbaijan", "BA Bosnia and Herzegovina", "BB Barbados",
        "BD Bangladesh", "BE Belgium", "BF Burkina Faso", "BG Bulgaria", "BH Bahrain", "BI Burundi", "BJ Benin",
        "BL Saint Barthélemy", "BM Bermuda", "BN Brunei", "BO Bolivia", "BQ Caribbean Netherlands", "BR Brazil",
        "BS Bahamas", "BT Bhutan", "BV Bouvet Island", "BW Botswana", "BY Belarus", "BZ Belize", "CA Canada",
        "CC Cocos Islands", "CD DR Congo", "CF Central African Republic", "CG Congo", "CH Switzerland",
        "CI Ivory Coast", "CK Cook Islands", "CL Chile", "CM Cameroon", "CN China", "CO Colombia", "CR Costa Rica",
        "CU Cuba", "CV Cabo Verde", "CW Curaçao", "CX Christmas Island", "CY Cyprus", "CZ Czechia", "DE Germany",
        "DJ Djibouti", "DK Denmark", "DM Dominica", "DO Dominican Republic", "DZ Algeria", "EC Ecuador", "EE Estonia",
        "EG Egypt", "EH Western Sahara", "ER Eritrea", "ES Spain", "ET Ethiopia", "FI Finland", "FJ Fiji",
        "FK Falkland Islands", "FM Micronesia", "FO Faroe Islands", "FR France", "GA Gabon", "GB United Kingdom",
        "GD Grenada", "GE Georgia", "GF French Guiana", "GG Guernsey", "GH Ghana", "GI Gibraltar", "GL Greenland",
        "GM Gambia", "GN Guinea", "GP Guadeloupe", "GQ Equatorial Guinea", "GR Greece", "GS South Georgia",
        "GT Guatemala", "GU Guam", "GW Guinea-Bissau", "GY Guyana", "HK Hong Kong", "HM Heard and McDonald Islands",
        "HN Honduras", "HR Croatia", "HT Haiti", "HU Hungary", "ID Indonesia", "IE Ireland", "IL Israel",
        "IM Isle of Man", "IN India", "IO British Indian Ocean Territory", "IQ Iraq", "IR Iran", "IS Iceland",
        "IT Italy", "JE Jersey", "JM Jamaica", "JO Jordan", "JP Japan", "KE Kenya", "KG Kyrgyzstan", "KH Cambodia",
        "KI Kiribati", "KM Comoros", "KN Saint Kitts and Nevis", "KP North Korea", "KR South Korea", "KW Kuwait",
        "KY Cayman Islands", "KZ Kazakhstan", "LA Laos", "LB Lebanon", "LC Saint Lucia", "LI Liechtenstein",
        "LK Sri Lanka", "LR Liberia", "LS Lesotho", "LT Lithuania", "LU Luxembourg", "LV Latvia", "LY Libya",
        "MA Morocco", "MC Monaco", "MD Moldova", "ME Montenegro", "MF Saint Martin", "MG Madagascar",
        "MH Marshall Islands", "MK North Macedonia", "ML Mali", "MM Myanmar", "MN Mongolia", "MO Macao",
        "MP Northern Mariana Islands", "MQ Martinique", "MR Mauritania", "MS Montserrat", "MT Malta", "MU Mauritius",
        "MV Maldives", "MW Malawi", "MX Mexico", "MY Malaysia", "MZ Mozambique", "NA Namibia", "NC New Caledonia",
        "NE Niger", "NF Norfolk Island", "NG Nigeria", "NI Nicaragua", "NL Netherlands", "NO Norway", "NP Nepal",
        "NR Nauru", "NU Niue", "NZ New Zealand", "OM Oman", "PA Panama", "PE Peru", "PF French Polynesia",
        "PG Papua New Guinea", "PH Philippines", "PK Pakistan", "PL Poland", "PM Saint Pierre and Miquelon",
        "PN Pitcairn Islands", "PR Puerto Rico", "PS Palestine", "PT Portugal", "PW Palau", "PY Paraguay", "QA Qatar",
        "RE Réunion", "RO Romania", "RS Serbia", "RU Russia", "RW Rwanda", "SA Saudi Arabia", "SB Solomon Islands",
        "SC Seychelles", "SD Sudan", "SE Sweden", "SG Singapore", "SH Saint Helena", "SI Slovenia",
        "SJ Svalbard and Jan Mayen", "SK Slovakia", "SL Sierra Leone", "SM San Marino", "SN Senegal", "SO Somalia",
        "SR Suriname", "SS South Sudan", "ST Sao Tome and Principe", "SV El Salvador", "SX Sint Maarten", "SY Syria",
        "SZ Eswatini", "TC Turks and Caicos Islands", "TD Chad", "TF French Southern Territories", "TG Togo",
        "TH Thailand", "TJ Tajikistan", "TK Tokelau", "TL Timor-Leste", "TM Turkmenistan", "TN Tunisia", "TO Tonga",
        "TR Türkiye", "TT Trinidad and Tobago", "TV Tuvalu", "TW Taiwan", "TZ Tanzania", "UA Ukraine", "UG Uganda",
        "UM US Outlying Islands", "US United States", "UY Uruguay", "UZ Uzbekistan", "VA Vatican City",
        "VC Saint Vincent", "VE Venezuela", "VG British Virgin Islands", "VI US Virgin Islands", "VN Vietnam",
        "VU Vanuatu", "WF Wallis and Futuna", "WS Samoa", "YE Yemen", "YT Mayotte", "ZA South Africa", "ZM Zambia",
        "ZW Zimbabwe",
    ]

    /// Three letters of ISO 4217 and the English name.
    private static let currencies: [String] = [
        "AED UAE dirham", "AFN Afghan afghani", "ALL Albanian lek", "AMD Armenian dram", "AOA Angolan kwanza",
        "ARS Argentine peso", "AUD Australian dollar", "AWG Aruban florin", "AZN Azerbaijani manat",
        "BAM Bosnian mark", "BBD Barbados dollar", "BDT Bangladeshi taka", "BGN Bulgarian lev", "BHD Bahraini dinar",
        "BIF Burundian franc", "BMD Bermudian dollar", "BND Brunei dollar", "BOB boliviano", "BRL Brazilian real",
        "BSD Bahamian dollar", "BTN Bhutanese ngultrum", "BWP Botswana pula", "BYN Belarusian rouble",
        "BZD Belize dollar", "CAD Canadian dollar", "CDF Congolese franc", "CHF Swiss franc", "CLP Chilean peso",
        "CNY yuan renminbi", "COP Colombian peso", "CRC Costa Rican colon", "CUP Cuban peso", "CVE Cabo Verde escudo",
        "CZK Czech koruna", "DJF Djibouti franc", "DKK Danish krone", "DOP Dominican peso", "DZD Algerian dinar",
        "EGP Egyptian pound", "ERN Eritrean nakfa", "ETB Ethiopian birr", "EUR euro", "FJD Fiji dollar",
        "FKP Falkland pound", "GBP pound sterling", "GEL Georgian lari", "GHS Ghana cedi", "GIP Gibraltar pound",
        "GMD Gambian dalasi", "GNF Guinean franc", "GTQ Guatemalan quetzal", "GYD Guyana dollar",
        "HKD Hong Kong dollar", "HNL Honduran lempira", "HRK Croatian kuna", "HTG Haitian gourde",
        "HUF Hungarian forint", "IDR Indonesian rupiah", "ILS Israeli shekel", "INR Indian rupee", "IQD Iraqi dinar",
        "IRR Iranian rial", "ISK Icelandic krona", "JMD Jamaican dollar", "JOD Jordanian dinar", "JPY Japanese yen",
        "KES Kenyan shilling", "KGS Kyrgyz som", "KHR Cambodian riel", "KMF Comorian franc", "KPW North Korean won",
        "KRW South Korean won", "KWD Kuwaiti dinar", "KYD Cayman Islands dollar", "KZT Kazakh tenge", "LAK Lao kip",
        "LBP Lebanese pound", "LKR Sri Lankan rupee", "LRD Liberian dollar", "LSL Lesotho loti", "LYD Libyan dinar",
        "MAD Moroccan dirham", "MDL Moldovan leu", "MGA Malagasy ariary", "MKD Macedonian denar", "MMK Myanmar kyat",
        "MNT Mongolian tugrik", "MOP Macao pataca", "MRU Mauritanian ouguiya", "MUR Mauritian rupee",
        "MVR Maldivian rufiyaa", "MWK Malawi kwacha", "MXN Mexican peso", "MYR Malaysian ringgit",
        "MZN Mozambican metical", "NAD Namibian dollar", "NGN Nigerian naira", "NIO Nicaraguan cordoba",
        "NOK Norwegian krone", "NPR Nepalese rupee", "NZD New Zealand dollar", "OMR Omani rial",
        "PAB Panamanian balboa", "PEN Peruvian sol", "PGK Papua New Guinean kina", "PHP Philippine peso",
        "PKR Pakistani rupee", "PLN Polish zloty", "PYG Paraguayan guarani", "QAR Qatari riyal", "RON Romanian leu",
        "RSD Serbian dinar", "RUB Russian rouble", "RWF Rwandan franc", "SAR Saudi riyal",
        "SBD Solomon Islands dollar", "SCR Seychelles rupee", "SDG Sudanese pound", "SEK Swedish krona",
        "SGD Singapore dollar", "SHP Saint Helena pound", "SLE Sierra Leonean leone", "SOS Somali shilling",
        "SRD Surinamese dollar", "SSP South Sudanese pound", "STN Sao Tome dobra", "SVC Salvadoran colon",
        "SYP Syrian pound", "SZL Swazi lilangeni", "THB Thai baht", "TJS Tajik somoni", "TMT Turkmen manat",
        "TND Tunisian dinar", "TOP Tongan paanga", "TRY Turkish lira", "TTD Trinidad dollar", "TWD New Taiwan dollar",
        "TZS Tanzanian shilling", "UAH Ukrainian hryvnia", "UGX Ugandan shilling", "USD US dollar",
        "UYU Uruguayan peso", "UZS Uzbek sum", "VES Venezuelan bolivar", "VND Vietnamese dong", "VUV Vanuatu vatu",
        "WST Samoan tala", "XAF Central African CFA franc", "XCD East Caribbean dollar", "XOF West African CFA franc",
        "XPF CFP franc", "XXX no currency", "XTS for tests", "YER Yemeni rial", "ZAR South African rand",
        "ZMW Zambian kwacha",
    ]

    /// Two letters of ISO 639-1 and the English name.
    private static let languages: [String] = [
        "ar Arabic", "be Belarusian", "bg Bulgarian", "bn Bengali", "bs Bosnian", "ca Catalan", "cs Czech",
        "cy Welsh", "da Danish", "de German", "el Greek", "en English", "es Spanish", "et Estonian", "eu Basque",
        "fa Persian", "fi Finnish", "fr French", "ga Irish", "gl Galician", "gu Gujarati", "he Hebrew", "hi Hindi",
        "hr Croatian", "hu Hungarian", "hy Armenian", "id Indonesian", "is Icelandic", "it Italian", "ja Japanese",
        "ka Georgian", "kk Kazakh", "kn Kannada", "ko Korean", "lb Luxembourgish", "lt Lithuanian", "lv Latvian",
        "mk Macedonian", "ml Malayalam", "mr Marathi", "ms Malay", "mt Maltese", "nb Norwegian Bokmål", "ne Nepali",
        "nl Dutch", "nn Norwegian Nynorsk", "no Norwegian", "pa Punjabi", "pl Polish", "pt Portuguese", "rm Romansh",
        "ro Romanian", "ru Russian", "si Sinhala", "sk Slovak", "sl Slovenian", "sq Albanian", "sr Serbian",
        "sv Swedish", "sw Swahili", "ta Tamil", "te Telugu", "th Thai", "tr Turkish", "uk Ukrainian", "ur Urdu",
        "uz Uzbek", "vi Vietnamese", "zh Chinese",
    ]
}
