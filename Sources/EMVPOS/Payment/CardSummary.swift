// SPDX-License-Identifier: Apache-2.0
/// The data of a card that may be shown.
public struct CardSummary: Sendable, Hashable {
    public let maskedPAN: MaskedPAN?
    /// Application identifier as selected; empty if unknown.
    public let application: Bytes
    /// Label of the application (50), or its preferred name (9F12) if its character set is Latin 1 (9F11 = 1); empty if
    /// unknown.
    public let label: String
    /// Language preference (5F2D): ISO 639 codes in order, for example `["de", "en"]`.
    public let languages: [String]
    public let issuerCountry: Country?

    public init(
        maskedPAN: MaskedPAN? = nil, application: Bytes = [], label: String = "", languages: [String] = [],
        issuerCountry: Country? = nil
    ) {
        self.maskedPAN = maskedPAN
        self.application = application
        self.label = label
        self.languages = languages
        self.issuerCountry = issuerCountry
    }

    package init(_ outcome: Outcome, _ presented: DataObjects) {
        var said = presented
        for data in [outcome.dataRecord, outcome.discretionary].compactMap({ $0 }) {
            for tag in CardSummary.tags where said[tag] == nil { said[tag] = data[tag] }
        }
        self.init(
            maskedPAN: outcome.dataRecord?.maskedPAN, application: outcome.applicationName,
            label: CardSummary.label(said),
            languages: CardSummary.languages(said[0x5F2D] ?? Array((outcome.uiOnOutcome?.language ?? "").utf8)),
            issuerCountry: Country(ofIssuer: said))
    }

    /// A card's public data, which identifies no account.
    static let tags: [Tag] = [0x50, 0x5F2D, 0x9F11, 0x9F12, 0x5F28, 0x5F55, 0x5F56]

    private static func label(_ said: DataObjects) -> String {
        if said[0x9F11] == [0x01], let name = said[0x9F12], !name.isEmpty { return latin(name) }
        return latin(said[0x50] ?? [])
    }

    /// ISO 8859-1 text, cleaned for display: a card could put its account number there, or a command for a printer.
    private static func latin(_ bytes: Bytes) -> String {
        PrintableText.cleaned(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
    }

    private static func languages(_ bytes: Bytes) -> [String] {
        let codes = stride(from: 0, to: bytes.count - 1, by: 2).prefix(4).map { bytes[$0..<($0 + 2)].map { $0 | 0x20 } }
        return codes.filter { $0.allSatisfy { (0x61...0x7A).contains($0) } }.map { String(decoding: $0, as: UTF8.self) }
    }
}
