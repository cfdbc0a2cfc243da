// SPDX-License-Identifier: Apache-2.0
/// The parts of a BCP 47 tag (RFC 5646), and the order in which other tags replace it (RFC 4647, 3.4).
struct LanguageTag: Sendable, Hashable {
    /// Lower case; empty if there is no language.
    var language: String
    /// Four letters, capitalised.
    var script: String?
    /// Two letters in upper case, or three digits.
    var region: String?

    init(language: String, script: String? = nil, region: String? = nil) {
        self.language = language
        self.script = script
        self.region = region
    }

    /// Reads a canonical tag; variants and extensions are skipped.
    init(_ tag: String) {
        let parts = tag.split(separator: "-").prefix { $0.utf8.count > 1 }.map(String.init)
        language = parts.first ?? ""
        for part in parts.dropFirst() {
            if region == nil, part.utf8.count == 2 || part.utf8.count == 3 && part.allSatisfy({ $0.isNumber }) {
                region = part
            } else if script == nil, region == nil, part.utf8.count == 4, part.allSatisfy({ $0.isLetter }) {
                script = part
            }
        }
    }

    var text: String { [language, script, region].compactMap { $0 }.joined(separator: "-") }

    /// Subtags in canonical case, joined by hyphens, without the suffix that POSIX adds after `.` or `@`.
    static func canonical(_ text: String) -> String {
        let tag = text.prefix { $0 != "." && $0 != "@" }
        var parts: [String] = []
        var isExtension = false
        for part in tag.split(whereSeparator: { $0 == "-" || $0 == "_" }) {
            let isFirst = parts.isEmpty
            if part.utf8.count == 1 { isExtension = true }
            switch part.utf8.count {
            case 2 where !isFirst && !isExtension: parts.append(part.uppercased())
            case 4 where !isFirst && !isExtension && part.allSatisfy({ $0.isLetter }):
                parts.append(part.prefix(1).uppercased() + part.dropFirst().lowercased())
            default: parts.append(part.lowercased())
            }
        }
        return parts.joined(separator: "-")
    }

    /// Older or broader codes of a language, the current one first. Cards may still use the old ones.
    fileprivate static let others: [String: [String]] = [
        "iw": ["he"], "in": ["id"], "ji": ["yi"], "cmn": ["zh"], "no": ["nb"], "nb": ["no"], "nn": ["no", "nb"],
    ]

    /// Regions that write Chinese in traditional characters.
    private static let traditional: Set<String> = ["TW", "HK", "MO"]

    /// Chinese in traditional characters, by its script, its region, or as Cantonese.
    fileprivate var isTraditionalChinese: Bool {
        switch language {
        case "zh": script == "Hant" || script == nil && region.map(LanguageTag.traditional.contains) == true
        case "yue": script != "Hans"
        default: false
        }
    }
}

extension Language {
    /// The languages whose texts this one may use: itself first, then the closest.
    ///
    /// | tag | its fallbacks |
    /// |---|---|
    /// | any | subtags are left off from the end: `de-Latn-CH`, `de-Latn`, `de-CH`, `de` |
    /// | `nb`, `nn`, `no` | one another: `nn`, `no`, `nb` |
    /// | `zh-TW`, `zh-HK`, `zh-MO`, `yue` | `zh-Hant`; never simplified characters |
    /// | `zh-Hans`, `zh-CN`, `zh-SG`, `cmn` | `zh` |
    /// | `iw`, `in`, `ji` | today's code: `he`, `id`, `yi` |
    ///
    /// After these a ``TextCatalogue`` uses the POS's own language and its fallbacks, then English, then any language
    /// that has the key.
    public var fallbacks: [Language] { Language.builtInFallbacks[self] ?? derivedFallbacks }

    /// Derived once, because every text is looked up in them.
    private static let builtInFallbacks: [Language: [Language]] = {
        var table: [Language: [Language]] = [:]
        for language in builtIn { table[language] = language.derivedFallbacks }
        return table
    }()

    private var derivedFallbacks: [Language] {
        let tag = LanguageTag(rawValue)
        var tags = [rawValue]
        if tag.isTraditionalChinese {
            tags.append(LanguageTag(language: "zh", script: "Hant", region: tag.region).text)
            if let region = tag.region { tags.append("zh-" + region) }
            tags.append("zh-Hant")
        } else {
            var parts = rawValue.split(separator: "-")
            while parts.count > 1 {
                parts.removeLast()
                // A single letter only introduces an extension.
                while parts.count > 1, parts.last?.utf8.count == 1 { parts.removeLast() }
                // Language and region; a tag without a script repeats itself here, and repetitions are dropped below.
                if parts.count == 1, let region = tag.region { tags.append(tag.language + "-" + region) }
                tags.append(parts.joined(separator: "-"))
            }
            tags += LanguageTag.others[tag.language] ?? []
            if tag.language == "yue" { tags.append("zh") }
        }
        var seen: Set<String> = []
        return tags.filter { seen.insert($0).inserted }.map(Language.init(rawValue:))
    }
}
