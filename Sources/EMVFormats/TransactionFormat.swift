// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension Transaction {
    /// Reads a transaction; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node())
    }

    init(_ node: Node) throws(FormatError) {
        try self.init(node, after: nil)
    }

    /// Absent keys have the values of `first`, if given: then this is a further transaction at that reader, which must
    /// have its own date, time, counter and random bytes.
    init(_ node: Node, after first: Transaction?) throws(FormatError) {
        let object = try node.object([
            "type", "amount", "amountOther", "currency", "exponent", "date", "time", "counter", "random", "utcOffset",
            "onlineAvailable", "data",
        ])
        if first != nil { for key in ["time", "counter", "random"] { _ = try object.required(key) } }
        let named = try object.optional("currency") { node throws(FormatError) in try node.currency() }
        guard let currency = named ?? first?.currency else { throw node.missing("\"currency\"") }
        let amount = try object.optional("amount") { node throws(FormatError) in
            try node.integer(0...largestAmount, anAmount)
        }
        guard let amount = amount ?? first?.amount else { throw node.missing("\"amount\"") }
        let exponent = try object.optional("exponent") { node throws(FormatError) in
            UInt8(try node.integer(0...4, "a number of decimals"))
        }
        let usual = Currency(numeric: currency)?.exponent ?? 2
        self.init(
            type: try object.value("type", or: first?.type ?? .purchase) { node throws(FormatError) in
                try node.transactionType()
            },
            amount: amount,
            currency: currency,
            exponent: exponent ?? (named == nil ? first?.exponent : nil) ?? usual,
            date: try object.required("date").date(),
            time: try object.value("time", or: .midnight) { node throws(FormatError) in
                guard case .string(let text) = node.json.value, let time = TimeOfDay(text) else {
                    throw node.expected("a time, hours, minutes and seconds like \"12:00:00\"")
                }
                return time
            },
            counter: try object.value("counter", or: 1) { node throws(FormatError) in
                UInt32(try node.integer(0...99_999_999, "a counter"))
            },
            random: try object.value("random", or: .system) { node throws(FormatError) in
                .fixed(try node.hex(0...65536))
            })
        amountOther = try object.value("amountOther", or: first?.amountOther ?? 0) { node throws(FormatError) in
            try node.integer(0...largestAmount, anAmount)
        }
        data = try object.value("data", or: first?.data ?? [:]) { node throws(FormatError) in try node.dataObjects()
        }
        utcOffset = try object.value("utcOffset", or: first?.utcOffset ?? 0) { node throws(FormatError) in
            Int(try node.signed(-840...840, "a difference from UTC in minutes"))
        }
        onlineAvailable = try object.value("onlineAvailable", or: first?.onlineAvailable ?? true) {
            node throws(FormatError) in try node.bool()
        }
    }
}

extension Node {
    /// Four digits of ISO 4217: `"0978"`.
    func currency() throws(FormatError) -> UInt16 {
        guard case .string(let text) = json.value, text.utf8.count == 4,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(text)
        else { throw expected("four digits of ISO 4217 like \"0978\"") }
        return number
    }
}
