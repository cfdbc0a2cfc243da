// SPDX-License-Identifier: Apache-2.0
/// An error in a configuration or a transaction, and its place.
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
        /// The point of a CA key on a curve.
        case point
        case checksum256 = "SHA-256"
        /// The ``SecretCrypto`` that Kernel 8 needs.
        case secretCrypto = "secret cryptography"
    }

    public enum Reason: Sendable, Hashable, CaseIterable {
        case noMemory, missing, badLength, badValue, badTLV, unknownTag, notConfigurable, duplicate, unknownKernel
        case badChecksum, tooMany, noRandom, weakKey, conflict
        /// The kernel reported a reason that this version does not know.
        case other
    }

    public var section: Section
    /// Zero-based row within the section.
    public var row: Int
    public var field: Field
    /// The data object at fault, if there is one.
    public var tag: Tag?
    public var reason: Reason
    /// The kernel's own option at fault, as the configuration format names it: `kernel6.mode`.
    public var option: String?
    /// The name of the row: AID or name of a combination, RID and index of a key.
    public var rowName: String?
    /// The expected value, with its unit, length, range or bit, for example `4 bytes`.
    public var expected: String
    /// The value that was found, never a value of an account or a key: `3 bytes`.
    public var found: String

    public init(
        section: Section, row: Int = 0, field: Field = .none, tag: Tag? = nil, reason: Reason, rowName: String? = nil,
        expected: String, found: String
    ) {
        self.section = section
        self.row = row
        self.field = field
        self.tag = tag
        self.reason = reason
        self.rowName = rowName
        self.expected = expected
        self.found = found
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// One sentence, for example
    /// `combinations[2] (Visa, A0000000031010), TTQ: expected 4 bytes, found 3 bytes`.
    public var description: String {
        var text = place
        if let rowName { text += " (\(rowName))" }
        if let option {
            text += ", \(option)"
        } else if field != .none, section != .protection {
            text += ", \(field.rawValue)"
        }
        if let tag { text += ", tag \(tag)" }
        return text + ": expected \(expected), found \(found)"
    }

    /// The member at fault below ``place``, as the configuration format names it; empty if the whole element is at
    /// fault.
    package var member: [String] {
        if let option { return option.split(separator: ".").map { String($0) } }
        if let tag { return section == .terminal ? ["\(tag)"] : ["data", "\(tag)"] }
        return switch field {
        case .aid: ["aid"]
        case .kernelID: ["kernel"]
        case .transactionTypes: ["transactionTypes"]
        case .limits: ["limits"]
        case .ttq: ["ttq"]
        case .data: section == .combination ? ["data"] : []
        case .zeroAmount: ["zeroAmount"]
        case .dynamicLimits: ["dynamicLimits"]
        case .protection: section == .combination ? ["protection"] : []
        case .currency: ["currency"]
        case .rid: ["rid"]
        case .index: ["index"]
        case .exponent: ["exponent"]
        case .modulus: ["modulus"]
        case .checksum: ["sha1"]
        case .checksum256: ["sha256"]
        case .expiry: ["expires"]
        case .serial: ["serial"]
        case .pan: ["pan"]
        case .sequence: ["sequence"]
        case .none, .type, .amount, .currencyExponent, .date, .time, .counter, .random, .memory, .module, .tags,
            .options, .poiInformation, .readerMemory, .point, .secretCrypto:
            []
        }
    }

    /// The place of the error, as the configuration format writes it: `combinations[2]`.
    public var place: String {
        switch section {
        case .terminal: "terminal"
        // For an error in the number of rows, the place is the list.
        case .combination: field == .none ? "combinations" : "combinations[\(row)]"
        case .caKey: field == .none ? "caKeys" : "caKeys[\(row)]"
        case .revocation: "revoked[\(row)]"
        case .exception: "exceptions[\(row)]"
        case .kernel: field == .none ? "kernels" : "kernels[\(row)]"
        case .protection: "protection"
        case .transaction: "transaction"
        case .other: "configuration"
        }
    }
}

extension ConfigurationError: ExplainedError {
    public var recoverySuggestion: String {
        switch reason {
        case .noMemory, .tooMany: "Use a configuration with fewer rows"
        case .missing: "Add the missing value at the place named"
        case .badLength, .badValue, .badTLV, .badChecksum: "Correct the value at the place named"
        case .unknownTag, .notConfigurable: "Remove this data object from the configuration"
        case .duplicate: "Keep only one of the two values"
        case .unknownKernel: "Choose a kernel that this program lists"
        case .noRandom: "Use a random source with more bytes"
        case .weakKey: "Use a longer key, or another protection"
        case .conflict: "Keep only one of the two settings"
        case .other: "Correct the configuration"
        }
    }
}
