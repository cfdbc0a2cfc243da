// SPDX-License-Identifier: Apache-2.0
/// A receipt that is sent or shown instead of printed.
extension Receipt {
    /// For a mail or a message: one line per row, with the value directly after the label, because letters have
    /// different widths there.
    public func message(
        in language: Language = .english, copy: Copy = .customer, texts: TextCatalogue = TextCatalogue()
    ) -> String {
        Receipt.message(elements(in: language, copy: copy, texts: texts), in: language)
    }

    /// The text that a QR code encodes, so that a phone shows the receipt without a connection. If it is longer than
    /// `limit`, identifiers and cryptogram are left out, then the lines that make up the total.
    ///
    /// - Parameter limit: bytes of UTF-8. 1,200 make a code of about 130 modules a side, which phones read from a
    ///   screen; no QR code holds more than 2,953 at the lowest error correction (ISO/IEC 18004).
    /// - Returns: `nil` if even the shortest form is too long.
    public func codeText(
        in language: Language = .english, texts: TextCatalogue = TextCatalogue(), limit: Int = 1_200
    ) -> String? {
        let whole = elements(in: language, texts: texts)
        var short = self
        short.lines = []
        let lineless = short.elements(in: language, texts: texts)
        for elements in [whole, whole.filter { !$0.isDetail }, lineless.filter { !$0.isDetail }] {
            let text = Receipt.message(elements, in: language)
            if text.utf8.count <= limit { return text }
        }
        return nil
    }

    private static func message(_ elements: [Element], in language: Language) -> String {
        func directed(_ text: String) -> String {
            let clean = PrintableText.undirected(text)
            guard language.isRightToLeft, !clean.isEmpty, !TextDirection.hasRightToLeftLetter(clean) else {
                return clean
            }
            return TextDirection.isolated(clean, in: language)
        }
        let mark = language.isRightToLeft ? TextDirection.rightToLeftMark : ""
        return elements.compactMap { element -> String? in
            switch element {
            case .heading(let text), .centered(let text), .result(let text): mark + directed(text) + "\n"
            case .row(let label, let value), .total(let label, let value), .detail(let label, let value):
                mark + directed(label) + ": " + directed(value) + "\n"
            case .signature: nil
            case .blank, .rule: "\n"
            }
        }.joined()
    }

    /// A document for a mail or a page: no script, no image, no external resource. Each element has its own style,
    /// because mail programs remove styles from the head. Everything that the card, the merchant or the app wrote is
    /// escaped text.
    public func html(
        in language: Language = .english, copy: Copy = .customer, texts: TextCatalogue = TextCatalogue()
    ) -> String {
        let elements = elements(in: language, copy: copy, texts: texts)
        var body = ""
        for element in elements {
            switch element {
            case .heading(let text): body += ReceiptHTML.wide(text, "font-weight:bold;font-size:1.2em")
            case .centered(let text): body += ReceiptHTML.wide(text, "")
            case .result(let text): body += ReceiptHTML.wide(text, "font-weight:bold")
            case .row(let label, let value): body += ReceiptHTML.row(label, value, "")
            case .total(let label, let value): body += ReceiptHTML.row(label, value, "font-weight:bold")
            case .detail(let label, let value): body += ReceiptHTML.row(label, value, "font-size:.85em")
            case .signature(let text):
                body += ReceiptHTML.wide(text, "padding-top:4em;border-bottom:0")
            case .blank: body += "<tr><td colspan=\"2\">&nbsp;</td></tr>\n"
            case .rule: body += "<tr><td colspan=\"2\"><hr style=\"border:0;border-top:1px solid\"></td></tr>\n"
            }
        }
        let direction = language.isRightToLeft ? "rtl" : "ltr"
        return """
            <!DOCTYPE html>
            <html lang="\(HTMLText.escaped(language.rawValue))" dir="\(direction)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.escaped(PrintableText.undirected(merchant.name)))</title>
            </head>
            <body style="margin:1em;font:1em/1.4 system-ui,sans-serif">
            <table role="presentation" style="width:100%;max-width:26em;margin:0 auto;border-collapse:collapse">
            \(body)</table>
            </body>
            </html>

            """
    }
}

extension Receipt.Element {
    fileprivate var isDetail: Bool { if case .detail = self { true } else { false } }
}

private enum ReceiptHTML {
    static func wide(_ text: String, _ style: String) -> String {
        "<tr><td colspan=\"2\" style=\"text-align:center;\(style)\">\(isolated(text))</td></tr>\n"
    }

    static func row(_ label: String, _ value: String, _ style: String) -> String {
        "<tr style=\"\(style)\"><td style=\"text-align:start;padding-inline-end:1em\">\(isolated(label))</td>"
            + "<td style=\"text-align:end;overflow-wrap:anywhere\">\(isolated(value))</td></tr>\n"
    }

    /// Isolated, so that the text keeps its own direction in any context.
    private static func isolated(_ text: String) -> String {
        "<bdi>\(HTMLText.escaped(PrintableText.undirected(text)))</bdi>"
    }
}
