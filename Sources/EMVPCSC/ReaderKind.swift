// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The kind of a PC/SC reader, from its name. PC/SC has no query for it; makers write it into the name of the product
/// or of the slot.
///
/// The rule, in this order:
/// 1. A security key, a token or a wallet, recognised by its product (`keys`, `keyWords`).
/// 2. The name of the slot, which libccid puts in brackets, if it is unambiguous: `PICC`, `CL`, `Contactless`, …;
/// `ICC`, `Contact`; `SAM`. A SAM slot that the product merely includes (`+ SAM`) is ignored.
/// 3. The product: `SAM`, `ICC`, `PICC`, both interfaces, contactless.
/// 4. The exceptions (`models`): products whose names do not show it.
/// 5. Words of contact readers (`KEYBOARD`, `PINPAD`); otherwise unknown.
public enum ReaderKind: String, Sendable, Hashable, CaseIterable {
    case contactless
    /// Contact and contactless: the answer to reset of a card shows which interface it is on.
    case dual
    case contact
    /// A slot for a security module.
    case sam
    /// A security key, a token or a wallet: its card is never presented.
    case securityKey
    case unknown

    /// - Parameter readerName: the name in PC/SC's list, with or without slot name, serial number and slot numbers.
    public init(readerName: String) {
        let parts = NameParts(readerName)
        let product = parts.product
        let words = ReaderKind.words(product)
        if ReaderKind.keys.contains(where: product.contains)
            || (!words.isDisjoint(with: ReaderKind.keyWords) && !words.contains("SAM"))
        {
            self = .securityKey
            return
        }
        if let slot = parts.slot {
            let signs = ReaderKind.signs(slot)
            if signs.count == 1, let only = signs.first {
                self = only
                return
            }
        }
        self = ReaderKind.product(product, words)
    }

    private static func product(_ product: String, _ words: Set<String>) -> ReaderKind {
        let signs = signs(product)
        if signs.contains(.sam) { return .sam }
        if signs == [.contactless, .contact] { return .dual }
        if words.contains("ICC") { return .contact }
        if words.contains("PICC") { return .contactless }
        if !words.isDisjoint(with: dualWords), !words.contains("HSID") { return .dual }
        if signs == [.contactless] { return .contactless }
        if let model = models.first(where: { product.contains($0.part) }) { return model.kind }
        if let only = signs.first { return only }
        return words.isDisjoint(with: contactWords) ? .unknown : .contact
    }

    /// The kinds that the words of a product or a slot indicate.
    private static func signs(_ text: String) -> Set<ReaderKind> {
        var text = text
        for feature in ["+ SAM", "& SAM"] {
            while let range = text.firstRange(of: feature) { text.removeSubrange(range) }
        }
        let words = words(text)
        var signs: Set<ReaderKind> = []
        if !words.isDisjoint(with: contactlessWords) || words.contains(where: isModelEndingInCL) {
            signs.insert(.contactless)
        }
        if !words.isDisjoint(with: ["ICC", "CONTACT", "SIM"]) { signs.insert(.contact) }
        if words.contains("SAM") { signs.insert(.sam) }
        return signs
    }

    /// Whether the word is a model such as `5422CL`.
    private static func isModelEndingInCL(_ word: String) -> Bool {
        word.hasSuffix("CL") && word.count > 2 && word.dropLast(2).allSatisfy(\.isNumber)
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// The parts of `PRODUCT [SLOT] (SERIAL) 00 01`, in capitals.
    private struct NameParts {
        let product: String
        let slot: String?

        init(_ name: String) {
            let name = name.uppercased()
            guard let open = name.firstIndex(of: "["), let close = name[open...].firstIndex(of: "]") else {
                product = name
                slot = nil
                return
            }
            product = String(name[..<open])
            slot = String(name[name.index(after: open)..<close])
        }
    }

    // MARK: - Words

    private static let contactlessWords: Set<String> = [
        "PICC", "CL", "NFC", "RFID", "RF", "CONTACTLESS", "FELICA", "PROX",
    ]
    private static let dualWords: Set<String> = ["DUAL", "DI", "COMBI", "COMBO", "HYBRID", "DUALSLOT"]
    private static let contactWords: Set<String> = ["KEYBOARD", "KB", "PINPAD"]
    private static let keyWords: Set<String> = [
        "TOKEN", "ETOKEN", "KEY", "FIDO", "FIDO2", "U2F", "HSM", "XECUREHSM", "TOKENME", "SECURETOKEN", "IDTOKEN",
        "TOKENA", "JACARTA",
    ]

    // MARK: - Exceptions

    private static let keys = [
        "TOKEN2 FIDO", "TOKEN2 MOLTO", "YUBIKEY", "NITROKEY", "LEDGER", "CANOKEY", "CRYPTOMATE", "EPASS2",
        "RUTOKEN ECP", "RUTOKEN LITE", "RUTOKEN MAGISTRA", "JC-WEBPASS", "PIVKEY", "GNUK", "LIBREM",
        "SOLO 2", "CRESCENDO", "AUTHENTIKEY", "IDEM KEY", "ESAFELD", "DIGITAL DNA", "DIGITAL-DNA", "CRYPTOKEY", "CKEY",
        "IDONE", "WIRELESSKEY", "MIDENTITY", "STARSIGN", "STAR SIGN", "VAULT", "SECURID", "CTAP", "PICO OPENPGP",
        "TSS-PK1", "ROSETTA", "WORKSAFE", "AVESTKEY", "KEYPASS", "ANGARA", "IBANK2KEY", "ITOKEN", "E.KEY", "HWDSSL",
        "E-SEAL", "K3000", "ACTIVKEY", "IDPROTECT", "CRYPTO STICK", "CRYPTOIDENTITY", "DOMINO-KEY", "WENEO", "ARMORY",
        "MOBIKEY", "PLUG'N'CRYPT", "CYBERFLEX", "ID-ONE COSMO", "SMARTKEY", "BIOPASS", "UKEY", "KONA USB",
        "CRYPTNOX", "CARE ONE", "CARE TWO", "BIT4ID IAM", "DXTOKEN", "ESMARTDX", "PU-50N",
    ]

    private static let models: [(part: String, kind: ReaderKind)] =
        [
            // Boot loaders, and a storage product with "dual" in its name.
            ("FW UPGRADE", .unknown), ("FW_UPGRADE", .unknown), ("HSID READER", .unknown),
        ]
        + of(
            .dual,
            [
                "OMNIKEY 5122", "OMNIKEY 5421", "OMNIKEY 5422", "OMNIKEY 6321", "CARDMAN 5121", "CARDMAN 5125",
                "CARDMAN 5321", "ACR1281", "ACR128U", "AMR220", "DE-620", "PN7462", "PN7362", "R502", "CYBERJACK ONE",
                "CYBERJACK GO", "SDI010", "ST-1275", "CLOUD 4000",
            ])
        + of(
            .contactless,
            [
                "SPRINGCARD", "OMNIKEY 5022", "OMNIKEY 5023", "OMNIKEY 5025", "OMNIKEY 5027", "OMNIKEY 5127",
                "OMNIKEY 5326", "OMNIKEY 5427", "ACR122", "ACR123", "ACR125", "ACR126", "ACR1283", "ACR155", "ACM1252",
                "RC-S3", "RC-S660", "TWN4", "DE-ABCM6", "MINILECTOR AIR", "KAP-ECV", "PR533", "PN532", "PN533",
                "PEGODA", "CL1356", "ATR210", "ATR220", "EPASSPORT", "MULTI-ISO", "TC63CUT", "BR500", "SCL01",
                "UTRUST 370", "UTRUST 372",
            ])
        + of(
            .contact,
            [
                "JACARTAREADER", "DIGIPASS", "VASCO DP", "XIRING", "EZIO", "TODOS", "CARDMAN", "OMNIKEY 3",
                "OMNIKEY 6121", "OMNIKEY AG", "ACR3", "ACR 38", "APG8201", "BR301", "IR301", "SCR301", "SCR310",
                "SCR33", "SCR 33", "SCR 355", "SPR 532", "GEMPC", "PC TWIN", "KAAN", "LTC3", "TLTC2", "KBR36",
                "REFLEX USB", "OZ776", "AU95", "ST-2XXX", "TANJACK", "SIMHUB", "SIMCARD", "OCTSIM", "CLOUD 2",
                "UTRUST 29",
            ])

    private static func of(_ kind: ReaderKind, _ parts: [String]) -> [(part: String, kind: ReaderKind)] {
        parts.map { ($0, kind) }
    }
}
