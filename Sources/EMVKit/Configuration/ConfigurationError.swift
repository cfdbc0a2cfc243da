// SPDX-License-Identifier: Apache-2.0
/// What is wrong with a configuration or a transaction, and where it stands.
public struct ConfigurationError: Error, Hashable, Sendable {
    public enum Section: Sendable, Hashable, CaseIterable {
        case terminal, combination, caKey, revocation, exception, kernel, protection, transaction
        /// Memory and other means that belong to no row.
        case other
    }

    public enum Field: String, Sendable, Hashable, CaseIterable {
        case none = ""
        case aid = "AID"
        case kernelID = "kernel identifier"
        case transactionTypes = "transaction types"
        case limits, ttq = "TTQ", data
        case zeroAmount = "zero amount"
        case dynamicLimits = "dynamic limits"
        case rid = "RID"
        case index, exponent, modulus
        case checksum = "SHA-1"
        case expiry = "expiry date"
        case serial = "serial number"
        case pan = "account number"
        case sequence = "sequence number"
        case type, amount, currency
        case currencyExponent = "currency exponent"
        case date, time, counter, random, memory, protection
        case module
        case tags = "kernel's own tags"
        case options
        case poiInformation = "POI information"
        case readerMemory = "reader memory"
        /// Of a CA key on a curve.
        case point
        case checksum256 = "SHA-256"
        /// The ``SecretCrypto`` that Kernel 8 needs.
        case secretCrypto = "secret cryptography"
    }

    public enum Reason: Sendable, Hashable, CaseIterable {
        case noMemory, missing, badLength, badValue, badTLV, unknownTag, notConfigurable, duplicate, unknownKernel
        case badChecksum, tooMany, noRandom, weakKey, conflict
        /// The kernel named a reason that this version does not know.
        case other
    }

    public var section: Section
    /// Zero-based row within the section.
    public var row: Int
    public var field: Field
    /// The data object at fault, where there is one.
    public var tag: Tag?
    public var reason: Reason
    /// Of the kernel's own options, the one at fault, in the words of the configuration format: `kernel6.mode`.
    public var option: String?
    /// What the row is called: the AID or name of a combination, RID and index of a key.
    public var rowName: String?

    public init(
        section: Section, row: Int = 0, field: Field = .none, tag: Tag? = nil, reason: Reason, rowName: String? = nil
    ) {
        self.section = section
        self.row = row
        self.field = field
        self.tag = tag
        self.reason = reason
        self.rowName = rowName
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence, for example
    /// `combinations[2] (Visa, A0000000031010), TTQ: the length is wrong`.
    public var description: String {
        var text = place
        if let rowName { text += " (\(rowName))" }
        if let option { text += ", \(option)" } else if field != .none { text += ", \(field.rawValue)" }
        if let tag { text += ", tag \(tag)" }
        return text + ": " + explanation
    }

    /// The sentence without its place: `TTQ: the length is wrong`.
    package var sentence: String {
        var parts: [String] = []
        if let option { parts.append(option) } else if field != .none { parts.append(field.rawValue) }
        if let tag { parts.append("tag \(tag)") }
        return parts.isEmpty ? explanation : parts.joined(separator: ", ") + ": " + explanation
    }

    /// Where it stands, in the words of the configuration format: `combinations[2]`.
    public var place: String {
        switch section {
        case .terminal: "terminal"
        case .combination: "combinations[\(row)]"
        case .caKey: "caKeys[\(row)]"
        case .revocation: "revoked[\(row)]"
        case .exception: "exceptions[\(row)]"
        case .kernel: "kernels[\(row)]"
        case .protection: "protection"
        case .transaction: "transaction"
        case .other: "configuration"
        }
    }

    private var explanation: String {
        switch reason {
        case .noMemory: "not enough memory"
        case .missing: "a required value is missing"
        case .badLength: "the length is wrong"
        case .badValue where field == .point: "it is not a point of the curve"
        case .badValue: "the value is not allowed"
        case .badTLV: "the bytes are not well-formed data objects"
        case .unknownTag: "this data object is not known"
        case .notConfigurable: "this data object comes from the card or the kernel and cannot be configured"
        case .duplicate: "it is given twice"
        case .unknownKernel: "no kernel with this identifier is built in"
        case .badChecksum: "the \(field == .checksum256 ? "SHA-256" : "SHA-1") does not match the key"
        case .tooMany: "there are more rows than allowed"
        case .noRandom: "there are too few random bytes for one unpredictable number"
        case .weakKey: "the key is shorter than the protection allows"
        case .conflict: "two settings exclude each other"
        case .other: "it was refused"
        }
    }
}
