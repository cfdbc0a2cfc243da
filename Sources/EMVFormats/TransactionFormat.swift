import EMVKit

extension Transaction {
    /// Reads a transaction; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node())
    }

    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }

    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "type", "amount", "amountOther", "currency", "exponent", "date", "time", "counter", "random", "data",
        ])
        let currency = try object.required("currency").currency()
        let exponent = try object.optional("exponent") { node throws(FormatError) in UInt8(try node.integer(0...4)) }
        self.init(
            type: try object.value("type", or: .purchase) { node throws(FormatError) in try node.transactionType() },
            amount: try object.required("amount").integer(0...largestAmount),
            amountOther: try object.value("amountOther", or: 0) { node throws(FormatError) in
                try node.integer(0...largestAmount)
            },
            currency: currency,
            exponent: exponent ?? Currency(numeric: currency)?.exponent ?? 2,
            date: try object.required("date").date(),
            time: try object.value("time", or: .midnight) { node throws(FormatError) in
                guard case .string(let text) = node.json.value, let time = TimeOfDay(text) else {
                    throw node.expected("a time like \"12:00:00\"")
                }
                return time
            },
            counter: try object.value("counter", or: 1) { node throws(FormatError) in UInt32(try node.integer(0...99_999_999)) },
            random: try object.value("random", or: .system) { node throws(FormatError) in .fixed(try node.hex(0...65536)) },
            data: try object.value("data", or: [:]) { node throws(FormatError) in try node.dataObjects() })
    }
}

extension Node {
    /// Four digits of ISO 4217: `"0978"`.
    fileprivate func currency() throws(FormatError) -> UInt16 {
        guard case .string(let text) = json.value, text.utf8.count == 4,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(text)
        else { throw expected("four digits of ISO 4217 like \"0978\"") }
        return number
    }
}
