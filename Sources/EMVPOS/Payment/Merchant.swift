// SPDX-License-Identifier: Apache-2.0
/// The payee: the name that the card statement will show.
public struct Merchant: Sendable, Hashable, Codable {
    /// The name that customers know, in any script; used on prompts and receipts.
    public var name: String
    /// The company that accepts the payment on the merchant's behalf, if any.
    public var via: String?
    public var city: String?
    /// The name in Latin letters for the card, if ``name`` is written in others.
    public var latinName: String?
    /// Identifier at the acquirer.
    public var identifier: String?

    public init(
        _ name: String, via: String? = nil, city: String? = nil, latinName: String? = nil, identifier: String? = nil
    ) {
        self.name = name
        self.via = via
        self.city = city
        self.latinName = latinName
        self.identifier = identifier
    }

    /// The name for a prompt: `Market hall, via Pay Desk`.
    public var displayName: String {
        via.map { "\(name), via \($0)" } ?? name
    }

    /// Bytes of 9F4E that hosts and cards commonly keep.
    public static let nameAndLocationSize = 40

    /// Merchant Name and Location (9F4E): `VIA*NAME CITY` in the printable ASCII of format ans, at most 40 bytes, the
    /// name is shortened last; `nil` if no letter or digit of the name remains.
    public var nameAndLocation: Bytes? {
        let name = Merchant.latin(latinName ?? self.name)
        guard name.contains(where: Merchant.isWordCharacter) else { return nil }
        let via = Merchant.latin(via ?? "").prefix(12)
        let front = via.isEmpty ? Bytes() : Bytes(via) + [0x2A]
        let city = Merchant.latin(city ?? "")
        var all = front + name
        if !city.isEmpty, all.count + 1 + city.count <= Merchant.nameAndLocationSize { all += [0x20] + city }
        return Bytes(all.prefix(Merchant.nameAndLocationSize))
    }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Converts to printable ASCII: letters lose their marks, other characters are dropped, runs of spaces become one.
    private static func latin(_ text: String) -> Bytes {
        var bytes = Bytes()
        for character in text {
            if character.isWhitespace {
                if bytes.last != 0x20, !bytes.isEmpty { bytes.append(0x20) }
            } else if let spelled = LatinText.spelled(character) {
                bytes += Bytes(spelled.utf8)
            }
        }
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}

/// Text in the printable characters of ASCII.
enum LatinText {
    /// Returns a Latin letter without its marks, or a typographic mark in its plain form; `nil`: ASCII has no
    /// equivalent.
    static func spelled(_ character: Character) -> String? {
        if let spelled = spelling[character] { return spelled }
        if let ascii = character.asciiValue { return (0x21...0x7E).contains(ascii) ? String(character) : nil }
        if let plain = plain[character] { return String(plain) }
        // A letter followed by combining marks.
        guard let first = character.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else {
            return nil
        }
        return String(first)
    }

    private static let spelling: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ẞ": "SS",
        "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe",
        "’": "'", "‘": "'", "‚": "'", "‛": "'", "′": "'", "‹": "'", "›": "'",
        "“": "\"", "”": "\"", "„": "\"", "‟": "\"", "″": "\"", "«": "\"", "»": "\"",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-",
        "\u{2212}": "-", "…": "...", "€": "EUR", "×": "x", "·": "*", "•": "*",
    ]

    private static let plain: [Character: Character] = {
        let rows: [(Character, String)] = [
            ("a", "àáâãåāăą"), ("A", "ÀÁÂÃÅĀĂĄ"), ("c", "çćč"), ("C", "ÇĆČ"),
            ("d", "ďđð"), ("D", "ĎĐÐ"), ("e", "èéêëēėęě"), ("E", "ÈÉÊËĒĖĘĚ"),
            ("g", "ğģ"), ("G", "ĞĢ"), ("i", "ìíîïīįı"), ("I", "ÌÍÎÏĪĮİ"), ("k", "ķ"), ("K", "Ķ"),
            ("l", "łļľ"), ("L", "ŁĻĽ"), ("n", "ñńņň"), ("N", "ÑŃŅŇ"),
            ("o", "òóôõøōő"), ("O", "ÒÓÔÕØŌŐ"), ("r", "řŕ"), ("R", "ŘŔ"),
            ("s", "śšşș"), ("S", "ŚŠŞȘ"), ("t", "ťţț"), ("T", "ŤŢȚ"),
            ("u", "ùúûūůűų"), ("U", "ÙÚÛŪŮŰŲ"), ("y", "ýÿ"), ("Y", "ÝŸ"),
            ("z", "źżž"), ("Z", "ŹŻŽ"),
        ]
        var table: [Character: Character] = [:]
        for (base, marked) in rows { for character in marked { table[character] = base } }
        return table
    }()
}
