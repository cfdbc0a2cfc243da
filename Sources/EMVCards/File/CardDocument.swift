// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKernel

/// A virtual card as a file, `emv-card/1`: a named profile and what differs from it (Schemas/emv-card-1.md).
///
/// ```json
/// { "format": "emv-card/1", "base": "online", "applications": [ { "pan": "4000001234562345" } ] }
/// ```
public struct CardDocument: Sendable, Hashable {
    public var profile: CardProfile
    /// Application Transaction Counter before the first transaction.
    public var transactionCounter: UInt16 = 0x0014
    /// Changes that a relay between reader and card makes, in their order.
    public var edits: [CardEdit] = []
    public var faults = FaultPlan()

    static let formatName = "emv-card/1"

    public init(_ profile: CardProfile) { self.profile = profile }

    /// The card with its relay and its faults, for a reader.
    public var presentation: FaultyCard<ManInTheMiddle<VirtualCard>> {
        FaultyCard(ManInTheMiddle(card, edits), faults)
    }

    /// The card alone.
    public var card: VirtualCard { VirtualCard(profile, transactionCounter: transactionCounter) }

    /// Reads a card; `file` names it in errors.
    public init(json bytes: [UInt8], file: String = "") throws(FormatError) {
        let node = try Document(bytes, file: file).node()
        var named = NamedDocument(document: CardDocument(CardProfile(name: "", summary: "", applications: [])))
        try CardFields.read(node, &named)
        self = named.document
    }

    /// Returns the card in its format. Reading it returns an equal value.
    ///
    /// - Parameters:
    ///   - base: the named profile that the file refers to; nil is the first profile of the first application's scheme.
    ///   - complete: writes every field; by default only those that differ from the base.
    /// - Returns: nil if no profile has this name.
    public func json(base: String? = nil, complete: Bool = false) -> String? {
        let usual = profile.applications.first.flatMap { application in
            Schemes.cards.first { $0.rid == application.scheme.behaviour.rid }?.profiles.first?.name
        }
        guard let base = base ?? usual, CardProfile.named(base) != nil else { return nil }
        let named = NamedDocument(base: base, document: self)
        return CardFields.write(named, NamedDocument(document: self), complete: complete).text() + "\n"
    }
}

/// A document with the name of its base.
private struct NamedDocument: CardFielded {
    var base = ""
    var document: CardDocument

    static func visit(
        _ fields: inout CardFields, _ value: inout NamedDocument, _ absent: NamedDocument
    ) throws(FormatError) {
        var format = CardDocument.formatName
        try fields("format", &format, "", .choice([CardDocument.formatName: CardDocument.formatName]))
        try fields.require(
            fields.node("format") != nil, at: "", "the key \"format\" with \"emv-card/1\"",
            found: "an object without it")
        try fields("base", &value.base, "", .profile)
        try fields.require(fields.node("base") != nil, at: "", "the key \"base\"", found: "an object without it")
        let base = CardProfile.named(value.base) ?? CardProfile(name: "", summary: "", applications: [])
        if fields.isReading { value.document.profile = base }
        try CardDocument.visit(&fields, &value.document, CardDocument(base))
    }
}

extension CardDocument: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout CardDocument, _ base: CardDocument
    ) throws(FormatError) {
        try fields("name", &value.profile.name, base.profile.name, .text(0...60))
        try fields("summary", &value.profile.summary, base.profile.summary, .text(0...200))
        try fields("directory", &value.profile.directory, base.profile.directory, .choice)
        try fields("counter", &value.transactionCounter, base.transactionCounter, .number(0...65535, "a counter"))
        try fields(
            "applications", &value.profile.applications, base.profile.applications,
            .applications(base.profile, complete: fields.isComplete))
        try fields("edits", &value.edits, base.edits, CardValue<CardEdit>.edit.inArray)
        try fields("faults", &value.faults.faults, base.faults.faults, .faults)
        try fields("collisions", &value.faults.collisions, base.faults.collisions, .collisions)
    }
}

extension CardValue where Value == String {
    /// The name of a profile.
    fileprivate static var profile: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                try node.name(of: CardProfile.profiles.keys.sorted(), "the name of a card")
            }, write: { JSON(.string($0)) })
    }
}

extension CardValue where Value == [CardApplication] {
    /// Each application refers to the one at its place in `base`, or to the first one of the profile that it names.
    fileprivate static func applications(_ base: CardProfile, complete: Bool) -> CardValue {
        CardValue(
            read: { node throws(FormatError) in
                var applications: [CardApplication] = []
                for (index, element) in try node.elements().enumerated() {
                    var entry = ApplicationEntry(standard: base.applications.dropFirst(index).first)
                    // The permitted keys depend on the scheme of the base.
                    if case .object = element.json.value,
                        let name = try element.members().first(where: { $0.name == "base" })?.node
                    {
                        entry.base = try CardValue<String>.profile.read(name)
                    }
                    try CardFields.read(element, &entry)
                    applications.append(entry.application)
                }
                guard (1...16).contains(applications.count) else {
                    throw node.expected("1 to 16 applications", found: "\(applications.count)")
                }
                return applications
            },
            write: { applications in
                let rows = applications.enumerated().map { index, application -> JSON in
                    let entry = ApplicationEntry(
                        standard: base.applications.dropFirst(index).first, application: application)
                    return CardFields.write(entry, entry, complete: complete)
                }
                return JSON(.array(rows))
            })
    }
}

/// An application with the profile that it differs from.
private struct ApplicationEntry: CardFielded {
    /// The profile whose first application is the base; nil for `standard`.
    var base: String?
    /// The application at this place in the card's base.
    let standard: CardApplication?
    var application: CardApplication

    init(standard: CardApplication?, application: CardApplication? = nil) {
        self.standard = standard
        self.application = application ?? standard ?? CardApplication()
        guard let application, standard?.scheme.behaviour.rid != application.scheme.behaviour.rid else { return }
        base = Schemes.cards.first { $0.rid == application.scheme.behaviour.rid }?.profiles.first?.name
    }

    static func visit(
        _ fields: inout CardFields, _ value: inout ApplicationEntry, _ absent: ApplicationEntry
    ) throws(FormatError) {
        if !fields.isComplete || value.base != nil { try fields.orNull("base", &value.base, nil, .profile) }
        try fields.require(
            value.standard != nil || value.base != nil, at: "",
            "the key \"base\", since the card's base has fewer applications", found: "an object without it")
        let named = value.base.flatMap { CardProfile.named($0) }?.application ?? value.standard ?? CardApplication()
        if fields.isReading { value.application = named }
        try CardApplication.visit(&fields, &value.application, named)
    }
}
