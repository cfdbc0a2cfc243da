// SPDX-License-Identifier: Apache-2.0
/// Which data objects go to the issuer, in which order, in how many bytes: ISO 8583 field 55.
public struct IssuerDataSet: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var tag: Tag
        /// If it is absent, a required entry is an error; an optional one is left out.
        public var isRequired: Bool

        public init(_ tag: Tag, required: Bool = false) {
            self.tag = tag
            isRequired = required
        }
    }

    /// What to do if there are more data than ``limit`` allows.
    public enum Overflow: Sendable, Hashable {
        /// Leave out optional entries, starting with the last.
        case leaveOut
        case fail
    }

    /// At most ``maximumEntries``, each tag once.
    public var entries: [Entry]
    /// The largest field, in bytes: 255 and 999 are common.
    public var limit: Int
    public var overflow: Overflow

    public static let maximumEntries = 64

    public init(_ entries: [Entry], limit: Int = 255, overflow: Overflow = .leaveOut) {
        self.entries = entries
        self.limit = limit
        self.overflow = overflow
    }

    /// The data objects that the kernel's book requires and allows in EMV mode, for kernels 2 to 8; `nil` for other
    /// kernels.
    public init?(kernel: KernelID) {
        guard let entries = CryptogramBridge.entries(ofKernel: kernel.bytes) else { return nil }
        self.init(entries)
    }

    /// The set of the scheme's kernel.
    public init(scheme: PaymentScheme) {
        let kernel: KernelID =
            switch scheme {
            case .mastercard: 2
            case .visa: 3
            case .amex: 4
            case .jcb: 5
            case .discover: 6
            case .unionPay: 7
            }
        self.init(CryptogramBridge.entries(ofKernel: kernel.bytes) ?? [])
    }
}

/// The content of field 55.
public struct IssuerDataField: Sendable, Hashable {
    /// Data objects as TLV, without a length in front. They may hold cardholder data: handle accordingly.
    public let bytes: Bytes
    /// Number of optional entries that were present but did not fit.
    public let leftOut: Int
}

extension IssuerDataField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(bytes.count) bytes, \(leftOut) left out" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

public enum IssuerDataSetError: Error, Hashable, Sendable {
    /// A required data object is absent.
    case missing(Tag)
    /// The number of bytes needed, which exceeds the limit.
    case tooLong(needed: Int)
    /// A tag is listed twice.
    case duplicate(Tag)
    /// More than ``IssuerDataSet/maximumEntries``.
    case tooManyEntries(Int)
    /// The data come from a kernel without a default set: name a set.
    case noDefault
}

/// The other fields of ISO 8583:1987 that come from the card; `nil` if the card did not supply them. Cardholder data in
/// the clear.
public struct MessageFields: Sendable, Hashable {
    /// 2: up to 19 digits.
    public internal(set) var accountNumber: String?
    /// 14: YYMM.
    public internal(set) var expiry: String?
    /// 22: 07x for EMV mode, 91x for mag-stripe mode; x is the PIN entry capability.
    public internal(set) var entryMode: String?
    /// 23: three digits.
    public internal(set) var sequenceNumber: String?
    /// 35: up to 37 characters.
    public internal(set) var track2: String?
    /// 45: up to 76 characters.
    public internal(set) var track1: String?
}

extension MessageFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the fields that are present, and the entry mode.
    public var description: String {
        let there = [
            (2, accountNumber), (14, expiry), (22, entryMode), (23, sequenceNumber), (35, track2), (45, track1),
        ]
        return "fields " + there.filter { $0.1 != nil }.map { "\($0.0)" }.joined(separator: ", ")
            + (entryMode.map { ", mode \($0)" } ?? "")
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ChipData {
    /// Whether the terminal can accept a PIN: the third digit of field 22.
    public enum PINCapability: UInt8, Sendable, Hashable, CaseIterable {
        case unspecified, capable, notCapable
    }

    /// Returns the content of field 55. Without a set, that of the kernel is used, or of the scheme.
    public func dataSet(_ set: IssuerDataSet? = nil) throws(IssuerDataSetError) -> IssuerDataField {
        guard
            let set = set ?? kernel.flatMap({ IssuerDataSet(kernel: $0) }) ?? scheme.map({ IssuerDataSet(scheme: $0) })
        else {
            throw .noDefault
        }
        return try CryptogramBridge.write(set, of: self)
    }

    /// Fields 2, 14, 22, 23, 35 and 45.
    public func messageFields(pin: PINCapability = .unspecified, separator: Character = "=") -> MessageFields {
        CryptogramBridge.messageFields(of: self, pin: pin, separator: separator)
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
        case .missing: "Make this data object optional in the set, or use another card"
        case .tooLong: "Use a set with fewer data objects, or a higher limit"
        case .duplicate: "Keep one entry for each tag"
        case .tooManyEntries: "Use a set with fewer entries"
        case .noDefault: "Give the name of a set"
        }
    }
}
