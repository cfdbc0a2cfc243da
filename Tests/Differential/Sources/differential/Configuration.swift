// SPDX-License-Identifier: Apache-2.0
// The configuration and the transaction as the independent implementation reads them: `emv-configuration/1` and the
// transaction of `emv-trace/1`. Only Kernels 2 and 3 and profile `book`, because it implements only the book.

struct Combination {
    var aid: Bytes
    var kernel: UInt8
    var types: Bytes
    var transactionLimit: UInt64?
    var floorLimit: UInt64?
    var terminalFloorLimit: UInt64?
    var cvmRequiredLimit: UInt64?
    var onDeviceLimit: UInt64?
    var statusCheck: Bool
    var zeroAmount: String
    var extendedSelection: Bool
    var ttq: Bytes
    var data: [UInt32: Bytes]
    var usageControl: Bool
}

struct AuthorityKey {
    var rid: Bytes
    var index: UInt8
    var key: PublicKey
}

struct Revocation: Equatable {
    var rid: Bytes
    var index: UInt8
    var serial: Bytes
}

struct ExceptionEntry {
    var pan: String
    var sequence: UInt8?
}

struct Configuration {
    var terminal: [UInt32: Bytes]
    var combinations: [Combination]
    var keys: [AuthorityKey]
    var revoked: [Revocation]
    var exceptions: [ExceptionEntry]
    var maxTaps: Int
    var maxRecords: Int

    /// Returns `nil` with the reason if this implementation cannot play it.
    static func read(_ json: JSON) -> (Configuration?, String) {
        let protection = json["protection"]
        if protection?["profile"]?.text != "book" { return (nil, "only profile book") }
        var rows: [Combination] = []
        for row in json["combinations"]?.list ?? [] {
            let kernel = row["kernel"]?.integer ?? 0
            if kernel != 2 && kernel != 3 { return (nil, "only Kernels 2 and 3") }
            if row["dynamicLimits"] != nil { return (nil, "no dynamic limits") }
            let ttq = row["ttq"]?.bytes ?? []
            guard let aid = row["aid"]?.bytes, kernel == 2 || !ttq.isEmpty else { return (nil, "aid and ttq") }
            let limits = row["limits"]
            rows.append(
                Combination(
                    aid: aid, kernel: UInt8(kernel),
                    types: (row["transactionTypes"]?.list ?? []).compactMap { $0.bytes?.first },
                    transactionLimit: limits?["transaction"]?.integer, floorLimit: limits?["floor"]?.integer,
                    terminalFloorLimit: limits?["terminalFloor"]?.integer,
                    cvmRequiredLimit: limits?["cvmRequired"]?.integer,
                    onDeviceLimit: limits?["cdcvmTransaction"]?.integer,
                    statusCheck: row["statusCheck"]?.truth ?? false, zeroAmount: row["zeroAmount"]?.text ?? "online",
                    extendedSelection: row["extendedSelection"]?.truth ?? false, ttq: ttq,
                    data: dataObjects(row["data"]), usageControl: row["usageControl"]?.truth ?? true))
        }
        var keys: [AuthorityKey] = []
        for key in json["caKeys"]?.list ?? [] where key["suite"] == nil {
            keys.append(
                AuthorityKey(
                    rid: key["rid"]?.bytes ?? [], index: key["index"]?.bytes?.first ?? 0,
                    key: PublicKey(modulus: key["modulus"]?.bytes ?? [], exponent: key["exponent"]?.bytes ?? [])))
        }
        let revoked = (json["revoked"]?.list ?? []).map {
            Revocation(
                rid: $0["rid"]?.bytes ?? [], index: $0["index"]?.bytes?.first ?? 0, serial: $0["serial"]?.bytes ?? [])
        }
        let exceptions = (json["exceptions"]?.list ?? []).map {
            ExceptionEntry(pan: $0["pan"]?.text ?? "", sequence: $0["sequence"]?.bytes?.first)
        }
        let taps = Int(protection?["maxTaps"]?.integer ?? 0)
        let records = Int(protection?["maxRecords"]?.integer ?? 0)
        return (
            Configuration(
                terminal: dataObjects(json["terminal"]), combinations: rows, keys: keys, revoked: revoked,
                exceptions: exceptions, maxTaps: taps == 0 ? 3 : taps, maxRecords: records == 0 ? 64 : records), ""
        )
    }
}

func dataObjects(_ json: JSON?) -> [UInt32: Bytes] {
    var out: [UInt32: Bytes] = [:]
    for (name, value) in json?.members ?? [] {
        let tag = (unhex(name) ?? []).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        out[tag] = value.bytes ?? []
    }
    return out
}

struct Transaction {
    var type: UInt8
    var amount: UInt64
    var amountOther: UInt64
    var currency: Bytes
    var exponent: Int
    var date: Bytes
    var time: Bytes
    var counter: UInt64
    var random: Bytes
    var data: [UInt32: Bytes]

    init?(_ json: JSON) {
        guard let amount = json["amount"]?.integer, let currency = json["currency"]?.bytes,
            let date = json["date"]?.text
        else { return nil }
        self.type = json["type"]?.bytes?.first ?? 0
        self.amount = amount
        self.amountOther = json["amountOther"]?.integer ?? 0
        self.currency = currency
        let noDecimals = currency == [0x03, 0x92] || currency == [0x04, 0x10]
        self.exponent = json["exponent"]?.integer.map { Int($0) } ?? (noDecimals ? 0 : 2)
        self.date = unhex(date.dropFirst(2).filter { $0 != "-" }) ?? []
        self.time = unhex((json["time"]?.text ?? "00:00:00").filter { $0 != ":" }) ?? []
        self.counter = json["counter"]?.integer ?? 1
        self.random = json["random"]?.bytes ?? []
        self.data = dataObjects(json["data"])
    }
}
