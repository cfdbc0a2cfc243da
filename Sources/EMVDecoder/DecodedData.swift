// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// One data object of the tree, with its meaning.
public struct DecodedObject: Sendable, Hashable {
    public var tag: Tag
    /// The name for the card's kernel, or every meaning of the number, with ` / ` between them; `Unknown`.
    public var name: String
    /// Length of the value according to the length field.
    public var length: Int
    /// Number of bytes present; differs from ``length`` if the object is cut.
    public var available: Int
    public var isConstructed: Bool
    /// Hex in upper case, or the visible digits with `*` for the others, or `(masked)`. Empty for an object without a
    /// value, and for a template unless its bytes are not data objects.
    public var value: String
    /// The value as text, if it is text and not masked.
    public var text: String?
    /// True if ``value`` hides a part of an account number, or track data.
    public var isMasked: Bool
    /// One line for each set bit, code, field or list entry.
    public var meanings: [String]
    /// The objects in a template, or in an answer in format 1 (80).
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
    /// The records of a wallet for passes, if the bytes are NDEF and not BER-TLV.
    public var records: [DecodedRecord]
    /// The two bytes after one template, if the bytes are a response with its status word.
    public var statusWord: Bytes?
    /// The fields of the issuer's message that follow from the objects, one line each; empty if there is neither a
    /// cryptogram nor a track, or if there is a fault.
    public var issuer: [String]
    /// All wrong tags and lengths, in the order of their bytes; objects after a fault are read as far as possible.
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
        /// Position of the byte, counted from 1.
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
