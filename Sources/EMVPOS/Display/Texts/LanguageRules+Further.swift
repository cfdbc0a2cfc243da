// SPDX-License-Identifier: Apache-2.0
extension LanguageRules {
    static let further: [Language: LanguageRules] = [
        .portuguese: LanguageRules(
            sentence: [
                "você", "seu", "sua", "seus", "suas", "nós", "favor", "é", "está", "estão", "são", "foi", "foram",
                "pode", "podem", "deve", "devem", "será", "obrigado",
            ],
            payment: ["pagar", "pagamento", "compra", "cobrança", "cobrar"]),
        .polish: LanguageRules(
            sentence: [
                "proszę", "pan", "pani", "twój", "twoja", "twoją", "jest", "są", "był", "była", "było",
                "może", "mogą",
                "musi", "muszą", "będzie", "przepraszamy", "dziękujemy",
            ],
            payment: [
                "zapłata", "zapłać", "zapłacić", "płatność", "płatności", "płatnicza", "zakup", "zakupy",
                "sprzedaż",
                "kasa",
            ]),
        .swedish: LanguageRules(
            sentence: [
                "du", "din", "ditt", "dina", "vi", "vår", "är", "har", "hade", "kan", "måste", "ska", "vänligen",
                "tack", "tyvärr",
            ],
            payment: ["betala", "betalning", "betalningen", "betalkort", "köp", "kassa"]),
        .norwegian: LanguageRules(
            sentence: [
                "du", "din", "ditt", "dine", "vi", "vår", "er", "har", "hadde", "kan", "må", "skal", "vennligst",
                "takk", "dessverre",
            ],
            payment: ["betale", "betaling", "betalingen", "betalingskort", "kjøp", "varekjøp", "kasse"]),
        .danish: LanguageRules(
            sentence: [
                "du", "din", "dit", "dine", "vi", "vores", "er", "har", "havde", "kan", "skal", "venligst", "tak",
                "desværre",
            ],
            payment: ["betale", "betaling", "betalingen", "betalingskort", "køb", "kasse"]),
        .finnish: LanguageRules(
            sentence: [
                "sinä", "sinun", "te", "teidän", "me", "on", "ovat", "oli", "voi", "voit", "pitää", "täytyy",
                "kiitos",
                "valitettavasti",
            ],
            payment: ["maksa", "maksaa", "maksu", "maksun", "maksukortti", "lähimaksu", "osto", "kassa"]),
        .czech: LanguageRules(
            sentence: [
                "prosím", "je", "jsou", "byl", "byla", "bylo", "není", "může", "mohou", "musí", "bude", "váš",
                "vaše",
                "vaši", "děkujeme", "omlouváme",
            ],
            payment: ["platba", "platby", "platit", "zaplatit", "platební", "nákup", "prodej", "pokladna"]),
        .turkish: LanguageRules(
            sentence: [
                "siz", "sizin", "biz", "lütfen", "sayın", "teşekkürler", "üzgünüz", "kartınız",
                "kartınızı",
            ],
            payment: ["öde", "ödeme", "ödemesi", "ödeyin", "satış", "satın", "kasa"]),
        .arabic: LanguageRules(
            sentence: [
                "يرجى", "الرجاء", "رجاء", "رجاءً", "فضلك", "عفوًا", "عذرًا",
                "نعتذر", "شكرًا", "أنت", "لديك", "بطاقتك",
                "نحن",
            ],
            payment: [
                "دفع", "الدفع", "دفعة", "الدفعة", "شراء", "الشراء", "سداد",
                "السداد",
            ]),
        .traditionalChinese: LanguageRules(
            sentence: ["請", "您", "你", "我們", "謝謝", "抱歉"],
            payment: ["支付", "付款", "購買", "結帳", "消費", "銷售"], isUnspaced: true,
            exceptions: ["請求", "申請"]),
    ]
}
