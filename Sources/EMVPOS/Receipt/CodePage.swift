// SPDX-License-Identifier: Apache-2.0
/// The characters of a printer that accepts bytes of a code page instead of Unicode.
///
/// A receipt holds characters that many pages lack: `’` between the digits of an amount in Switzerland, non-breaking
/// spaces, letters of other scripts. A character that the page lacks is printed as the first of these that the page
/// has:
///
/// 1. its plain form: `’ ‘` as `'`, `“ ” „` as `"`, dashes and the minus sign as `-`, `…` as `...`, every
///    space as a space, `€` as `EUR`, `×` as `x`, `·` and `•` as `*`;
/// 2. a Latin letter without its marks: `ł` as `l`, and `ä` as `ae`, `ß` as `ss`;
/// 3. `?`. Marks that only change the direction, and marks over a letter, are left out.
///
/// If the labels of a receipt would need `?` on this page, as in Arabic or Chinese, the receipt is printed in English.
/// Texts of the app and the card stay as they are, except that ``Merchant/latinName`` replaces a name that the page
/// cannot print.
public struct CodePage: Sendable, Hashable {
    /// Characters of the bytes from 0x80.
    private let bytes: [Character: UInt8]

    /// A page whose lower half is ASCII.
    ///
    /// - Parameter upperHalf: the characters of the bytes from 0x80 on, in order, at most 128; U+FFFD for a byte
    ///   without a character.
    public init(upperHalf: String) {
        var bytes: [Character: UInt8] = [:]
        for (place, scalar) in upperHalf.unicodeScalars.prefix(128).enumerated() where scalar != "\u{FFFD}" {
            let character = Character(scalar)
            if bytes[character] == nil { bytes[character] = UInt8(0x80 + place) }
        }
        self.bytes = bytes
    }

    /// Plain ASCII, which every printer has.
    public static let ascii = CodePage(upperHalf: "")
    /// The default of most printers. No €.
    public static let pc437 = CodePage(
        upperHalf: """
            ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«\
            »░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬\
            ╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤\
            ⌠⌡÷≈°∙·√ⁿ²■\u{A0}
            """)
    /// Western Europe. No €.
    public static let pc850 = CodePage(
        upperHalf: """
            ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»\
            ░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊË\
            ÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²\
            ■\u{A0}
            """)
    /// Central Europe. No €.
    public static let pc852 = CodePage(
        upperHalf: """
            ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»\
            ░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎË\
            ďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\
            \u{A0}
            """)
    /// ``pc850`` with €.
    public static let pc858 = CodePage(
        upperHalf: """
            ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»\
            ░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊË\
            È€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²\
            ■\u{A0}
            """)
    /// Portugal. No €.
    public static let pc860 = CodePage(
        upperHalf: """
            ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«\
            »░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬\
            ╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤\
            ⌠⌡÷≈°∙·√ⁿ²■\u{A0}
            """)
    /// French Canada. No €.
    public static let pc863 = CodePage(
        upperHalf: """
            ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«\
            »░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬\
            ╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤\
            ⌠⌡÷≈°∙·√ⁿ²■\u{A0}
            """)
    /// Nordic. No €.
    public static let pc865 = CodePage(
        upperHalf: """
            ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«\
            ¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬\
            ╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤\
            ⌠⌡÷≈°∙·√ⁿ²■\u{A0}
            """)
    /// Cyrillic. No €.
    public static let pc866 = CodePage(
        upperHalf: """
            АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп\
            ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧\
            ╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀рстуфхцчшщъыьэюяЁёЄєЇїЎў\
            °∙·√№¤■\u{A0}
            """)
    /// Western Europe, with € and typographic marks.
    public static let windows1252 = CodePage(
        upperHalf: """
            €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š\
            ›œ\u{FFFD}žŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂ\
            ÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñò\
            óôõö÷øùúûüýþÿ
            """)

    /// The text in characters of this page.
    public func text(_ text: String) -> String {
        var written = ""
        for character in text { written += spelled(character) ?? "?" }
        return written
    }

    /// The bytes that print a text: of its characters, or of their replacements.
    public func encoded(_ text: String) -> Bytes {
        self.text(text).map { bytes[$0] ?? $0.asciiValue ?? 0x3F }
    }

    /// True if no character of the text becomes `?`.
    public func prints(_ text: String) -> Bool { text.allSatisfy { spelled($0) != nil } }

    private func spelled(_ character: Character) -> String? {
        if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? " " : String(character) }
        if bytes[character] != nil { return String(character) }
        if let plain = CodePage.plain(character) { return plain }
        let scalars = character.unicodeScalars
        guard scalars.count > 1 else { return nil }
        // A character of several scalars, such as a letter with a mark or a digit after a mark, is converted scalar by
        // scalar.
        var written = ""
        for scalar in scalars {
            guard let part = spelled(Character(scalar)) else { return nil }
            written += part
        }
        return written
    }

    /// The replacement for a character on every page; `nil`: there is no replacement.
    private static func plain(_ character: Character) -> String? {
        if let latin = LatinText.spelled(character) { return latin }
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return nil }
        return switch scalar.properties.generalCategory {
        case .spaceSeparator, .control, .lineSeparator, .paragraphSeparator: " "
        case .format, .nonspacingMark, .enclosingMark: ""
        default: nil
        }
    }
}

extension CodePage {
    /// The language that the labels of a receipt are printed in.
    func language(_ wanted: Language, _ texts: TextCatalogue) -> Language {
        let labels = TextCatalogue.keys.filter { TextKey.Kind($0) == .receipt || TextKey.Kind($0) == .amount }
        let isPrinted = labels.allSatisfy { key in texts.text(key, in: wanted).map { prints($0.description) } ?? true }
        return isPrinted ? wanted : .english
    }

    /// The receipt with the merchant's name in Latin letters, if the page needs it.
    func receipt(_ receipt: Receipt) -> Receipt {
        guard let latin = receipt.merchant.latinName, !prints(receipt.merchant.name) else { return receipt }
        var receipt = receipt
        receipt.merchant.name = latin
        return receipt
    }
}

extension Receipt.Element {
    func printed(on page: CodePage) -> Receipt.Element {
        switch self {
        case .heading(let text): .heading(page.text(text))
        case .centered(let text): .centered(page.text(text))
        case .row(let label, let value): .row(page.text(label), page.text(value))
        case .total(let label, let value): .total(page.text(label), page.text(value))
        case .detail(let label, let value): .detail(page.text(label), page.text(value))
        case .result(let text): .result(page.text(text))
        case .signature(let text): .signature(page.text(text))
        case .blank, .rule: self
        }
    }
}
