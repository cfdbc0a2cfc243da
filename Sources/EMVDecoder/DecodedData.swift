// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// One data object of the tree, with what it means.
public struct DecodedObject: Sendable, Hashable {
    public var tag: Tag
    /// To the card's kernel, or each meaning that the number has, with ` / ` between them; `Unknown`.
    public var name: String
    /// Bytes of the value by the length field.
    public var length: Int
    /// Bytes of the value that are there; other than ``length`` where the object is cut.
    public var available: Int
    public var isConstructed: Bool
    /// Hex in upper case, or the digits that may be shown with `*` for the others, or `(masked)`. Empty for an object
    /// without a value, and for a template unless its bytes are no data objects.
    public var value: String
    /// The value as text, where it is text and not masked.
    public var text: String?
    /// Whether ``value`` hides a part of an account number, or track data.
    public var isMasked: Bool
    /// One line for each set bit, code, field, entry of a list.
    public var meanings: [String]
    /// What stands in a template, or in an answer in format 1 (80).
    public var children: [DecodedObject]

    init(tag: Tag, name: String, length: Int, isConstructed: Bool) {
        self.tag = tag
        self.name = name
        self.length = length
        available = length
        self.isConstructed = isConstructed
        value = ""
        isMasked = false
        meanings = []
        children = []
    }

    /// The line of the object itself.
    fileprivate var line: String {
        let head = "\(tag) \(name) [\(length)\(available == length ? "" : ", \(available) there")]"
        guard !value.isEmpty else { return head }
        return head + ": " + value + (text.map { " \"" + $0 + "\"" } ?? "")
    }

    fileprivate func append(to lines: inout [String], _ indent: String) {
        lines.append(indent + line)
        for meaning in meanings { lines.append(indent + "    " + meaning) }
        for child in children { child.append(to: &lines, indent + "  ") }
    }
}

/// Bytes as a tree of data objects, as far as they are BER-TLV.
public struct DecodedData: Sendable, Hashable {
    public var objects: [DecodedObject]
    /// The records of a wallet for passes, where the bytes are NDEF and no BER-TLV.
    public var records: [DecodedRecord]
    /// Two bytes behind one template: a response with its status word.
    public var statusWord: Bytes?
    /// What the objects make of the issuer's message, one line for each field; empty where they hold neither a
    /// cryptogram nor a track, and where there is a fault.
    public var issuer: [String]
    /// Each wrong tag or length, in the order of their bytes; the objects behind one are read as far as they can be.
    public var faults: [Fault]
    /// The first fault; `nil`: everything was read.
    public var fault: Fault? { faults.first }

    init(objects: [DecodedObject]) {
        self.objects = objects
        records = []
        issuer = []
        faults = []
    }

    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The byte, counted from 1.
        public var position: Int
        public var message: String

        public var description: String { "byte \(position): \(message)" }
    }

    /// The tree as `emv-bench decode` prints it: two spaces for each level, four more before a meaning.
    public var lines: [String] {
        var lines: [String] = []
        for object in objects { object.append(to: &lines, "") }
        lines += DecodedRecord.lines(records)
        if let statusWord {
            let word = UInt16(statusWord[0]) << 8 | UInt16(statusWord[1])
            let isKnown = word != 0x9000
            lines.append("status word \(Hex.string(statusWord))" + (isKnown ? ": " + StatusWords.meaning(word) : ""))
        }
        if !issuer.isEmpty { lines.append("for the issuer:") }
        return lines + issuer.map { "  " + $0 }
    }
}
