// SPDX-License-Identifier: Apache-2.0
/// An error that says what it is and what a person can do about it; every public error of EMVKit is one.
public protocol ExplainedError: Error, CustomStringConvertible {
    /// In English, a noun phrase of at most 128 characters without final punctuation. Where a ``Problem`` stands for
    /// the error, its text is used, which the catalogue has in every language.
    var recoverySuggestion: String { get }
}

extension Problem: ExplainedError {}
extension JournalError: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}

extension UndecidedAnswer: ExplainedError {
    public var recoverySuggestion: String { Problem(.authorizationAnswerLost).recoverySuggestion }
}

extension EnrollmentError: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}

extension ReaderFault: ExplainedError {
    public var recoverySuggestion: String { problem.recoverySuggestion }
}

extension PrepareError: ExplainedError {
    /// Of the decisive problem.
    public var recoverySuggestion: String { (problems.first ?? Problem(.notPrepared)).recoverySuggestion }
}

extension ConfigurationError: ExplainedError {
    public var recoverySuggestion: String {
        switch reason {
        case .noMemory, .tooMany: "A configuration with fewer rows"
        case .missing: "The missing value, at the place named"
        case .badLength, .badValue, .badTLV, .badChecksum: "A corrected value, at the place named"
        case .unknownTag, .notConfigurable: "A configuration without this data object"
        case .duplicate: "One of the two values alone"
        case .unknownKernel: "A kernel that this program lists"
        case .noRandom: "A random source with more bytes"
        case .weakKey: "A longer key, or another protection"
        case .conflict: "One of the two settings alone"
        case .other: "A corrected configuration"
        }
    }
}

extension TLVError: ExplainedError {
    public var description: String {
        switch self {
        case .truncatedTag: "The bytes end inside a tag"
        case .longTag: "A tag has more than four bytes"
        case .truncatedLength: "The bytes end before or inside a length"
        case .indefiniteLength: "A length is indefinite"
        case .longLength: "A length has more than four bytes"
        case .truncatedValue: "A value would end after its parent"
        case .tooDeep: "Data objects are nested too deep"
        }
    }

    public var recoverySuggestion: String {
        switch self {
        case .truncatedTag, .truncatedLength, .truncatedValue: "The whole of the data object"
        case .longTag, .indefiniteLength, .longLength, .tooDeep: "Data objects as EMV Book 3, Annex B, defines them"
        }
    }
}

extension LinkFault: ExplainedError {
    public var description: String { problem.description }
    public var recoverySuggestion: String { problem.recoverySuggestion }

    public var problem: Problem { Problem(LinkFault?.some(self).code) }
}

extension BillError: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .sum: "Lines that add up to the total"
        case .negative: "Discounts of at most the other lines"
        case .emptyLabel: "A label for every line"
        case .positiveDiscount: "A negative amount for a discount"
        case .overflow: "An amount of at most 12 digits"
        }
    }
}

extension TextFlaw: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .empty, .missing: "A text for this key"
        case .tooLong: "A text of at most 128 characters"
        case .endsInPunctuation: "The same text without its last character"
        case .surroundingSpace: "The same text without spaces around it"
        case .controlCharacter: "One line without control characters"
        case .beginsInLowerCase: "A capital at the beginning"
        case .allCapitals, .titleCase: "Sentence case, with capitals for names and abbreviations alone"
        case .sentence: "A noun phrase, or a short instruction"
        case .paymentWord: "Words of loyalty alone"
        case .tooWide: "A shorter text"
        case .placeholder: "The same placeholders as in English"
        }
    }
}

extension SealingError: ExplainedError {
    public var recoverySuggestion: String {
        switch self {
        case .badKey: "A key of the length and form named"
        case .exhausted: "New keys for this device"
        case .failed: "A report to support"
        case .notAuthentic: "The payload unchanged, with its key and context"
        case .unknownScheme: "An opener for this scheme"
        }
    }
}

extension IssuerDataSetError: ExplainedError {
    public var description: String {
        switch self {
        case .missing(let tag): "The data object \(tag), which the set requires, is absent"
        case .tooLong(let needed): "The set needs \(needed) bytes, over its limit"
        case .duplicate(let tag): "The tag \(tag) stands twice in the set"
        case .tooManyEntries(let count): "The set has \(count) entries, over the limit"
        case .noDefault: "No default set is known for the kernel of these data"
        }
    }

    public var recoverySuggestion: String {
        switch self {
        case .missing: "A set with this data object optional, or another card"
        case .tooLong: "A set with fewer data objects, or a higher limit"
        case .duplicate: "One entry for each tag"
        case .tooManyEntries: "A set with fewer entries"
        case .noDefault: "The name of a set"
        }
    }
}
