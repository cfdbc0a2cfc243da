// SPDX-License-Identifier: Apache-2.0
// Random readers and transactions for Kernel 2. Like those of Kernel 3: biased so that most taps reach the kernel's
// decisions, limits close to the amount, 0 the ordinary case.

extension Reader {
    static let names2: [Bytes] = ["A0000000041010", "A0000000043060", "A0000000042203"].map { unhex($0)! }
    static let account2 = "5413330089020029"

    /// The properties of a reader for Kernel 2, besides those in its JSON.
    struct Parts2 {
        var configuration: JSON
        var transaction: JSON
        var aids: [Bytes]
        var date: Bytes
        var type: UInt8
    }

    static func parts2(_ choices: Choices, _ emphasis: Emphasis) -> Parts2 {
        let amount = choices.one([1250, 1, 100, 0, 5000, 999_999_999_999, 10000] as [UInt64])
        let type = choices.mostly(UInt8(0x00), [0x20, 0x01, 0x09, 0x17, 0x30], 250)
        var aids: [Bytes] = []
        var rows: [JSON] = []
        for _ in 0...choices.pick([14, 4, 1]) {
            let aid = choices.mostly(names2[0], names2, 300)
            if aids.contains(aid) { continue }
            aids.append(aid)
            rows.append(row2(choices, aid, amount, emphasis))
        }
        var members: [(String, JSON)] = [
            ("format", .string("emv-configuration/1")), ("terminal", terminal2(choices)),
            ("combinations", .array(rows)),
            ("caKeys", .array(keys2(choices))),
        ]
        if choices.rarely(30) {
            members.append(
                (
                    "revoked",
                    .array([
                        .object([
                            ("rid", .string("A000000004")), ("index", .string(choices.one(["F1", "F2"]))),
                            ("serial", .string(choices.one(["000001", "000002"]))),
                        ])
                    ])
                ))
        }
        members.append(("protection", .object([("profile", .string("book"))])))
        let day = choices.mostly(
            "2026-11-21", ["2026-11-30", "2026-12-01", "2027-01-01", "2049-12-31", "2028-02-29"], 120)
        var values: [(String, JSON)] = [
            ("type", hexText([type])), ("amount", .number(String(amount))),
            ("amountOther", .number(String(choices.mostly(0, [1, 250, 999_999_999_999] as [UInt64], 150)))),
            ("currency", .string(choices.mostly("0978", ["0840", "0392"], 200))), ("date", .string(day)),
            ("time", .string(choices.mostly("12:00:00", ["00:00:00", "23:59:59"], 100))),
            ("counter", .number("1")), ("random", hexText(choices.bytes(32))),
        ]
        let data = transactionData2(choices, emphasis)
        if !data.isEmpty { values.append(("data", .object(data))) }
        return Parts2(
            configuration: .object(members), transaction: .object(values), aids: aids,
            date: unhex(day.dropFirst(2).filter { $0 != "-" })!, type: type)
    }

    static func row2(_ choices: Choices, _ aid: Bytes, _ amount: UInt64, _ emphasis: Emphasis = .none) -> JSON {
        var members: [(String, JSON)] = [
            ("aid", hexText(aid)), ("kernel", .number("2")),
            ("transactionTypes", .array(["00", "01", "09", "17", "20", "30"].map { .string($0) })),
        ]
        var data: [(String, JSON)] = []
        func put(_ tag: String, _ ordinary: String, _ others: [String], _ permille: Int) {
            let value = choices.mostly(ordinary, others, permille)
            if value != "-" { data.append((tag, .string(value))) }
        }
        let near = [amount == 0 ? 0 : amount - 1, amount, amount + 1, 0, 999_999_999_999]
            .map { min($0, 999_999_999_999) }
        var limits: [(String, JSON)] = []
        func limit(_ name: String, _ tag: String, _ ordinary: Int) {
            switch choices.pick([4, 3, 3]) {
            case 0: limits.append((name, .number(String(near[ordinary]))))
            case 1: limits.append((name, .number(String(choices.one(near)))))
            default: data.append((tag, hexText(decimal(choices.one(near), 6))))
            }
        }
        if !choices.rarely(700) { limit("transaction", "DF8124", 2) }
        if !choices.rarely(800) { limit("cdcvmTransaction", "DF8125", 2) }
        if !choices.rarely(400) { limit("floor", "DF8123", 0) }
        if !choices.rarely(400) { limit("cvmRequired", "DF8126", 2) }
        if !limits.isEmpty { members.append(("limits", .object(limits))) }
        put("9F09", "0002", ["-", "0001"], 150)
        put("9F6D", "0001", ["-"], 50)
        put("DF8117", "00", ["20", "E0", "-"], 400)
        put("DF8118", "60", ["20", "40", "28", "00", "68", "-"], 400)
        put("DF8119", "08", ["00", "28", "48", "68", "-"], 400)
        put("DF811A", "9F6A04", ["-"], 100)
        put("DF811B", "30", ["20", "10", "00", "34", "24", "B0", "70", "-", "A4"], emphasis == .none ? 350 : 100)
        put("DF811D", "00", ["01", "02", "-"], emphasis == .none ? 400 : 950)
        put("DF811E", "20", ["10", "00", "F0", "-"], 300)
        put("DF812C", "00", ["10", "20", "F0", "-"], 300)
        put("DF811F", "08", ["00", "C8", "-"], 120)
        let codes = ["0000000000", "840000000C", "-", "FFFFFFFFFF", "0000008001", "0480000001", "2000000000"]
        put("DF8120", "F45084800C", codes, 300)
        put("DF8121", "0000000000", codes, 300)
        put("DF8122", "F45084800C", codes, 300)
        if choices.rarely(100) { put("DF812D", "000013", ["000000", "000025"], 500) }
        if choices.rarely(100) { put("DF8130", "0D", ["00", "FF", "20"], 500) }
        if choices.rarely(60) { put("DF8131", "0001000001002000" + "0000000000000700", ["00000000000020" + "00"], 500) }
        if choices.rarely(200) {
            put("DF8132", "0014", ["0000", "0032"], 300)
            put("DF8133", "0032", ["0000", "0014"], 300)
            put("DF8134", "0012", ["0000"], 300)
            put("DF8135", "0018", ["0000", "0040"], 300)
            put("DF8136", "012C", ["0010", "0000"], 300)
            put("DF8137", "32", ["00", "64"], 300)
        }
        if choices.rarely(emphasis == .storage ? 950 : 150) { put("DF810D", "02", ["01"], 100) }
        if choices.rarely(40) { put("9F1A", "0840", ["0978"], 300) }
        members.append(("data", .object(data)))
        return .object(members)
    }

    private static func terminal2(_ choices: Choices) -> JSON {
        var values: [(String, JSON)] = [
            ("9F1A", .string(choices.mostly("0276", ["0840"], 100))),
            (
                "9F35",
                .string(
                    choices.mostly(
                        "22", ["11", "12", "13", "14", "15", "16", "21", "23", "24", "25", "26", "34", "35", "36"], 350)
                )
            ),
            ("9F40", .string(choices.mostly("6000B0A001", ["F000B0A001", "8000000000"], 250))),
            ("9F15", .string("5999")), ("9F4E", .string("4F52414E47452053484F50")),
        ]
        if choices.rarely(500) { values.append(("9F1E", .string("3837363534333231"))) }
        if choices.rarely(60) { values.append(("9F1C", .string("3132333435363738"))) }
        if choices.rarely(60) { values.append(("9F16", .string("303132333435363738394142434445"))) }
        if choices.rarely(60) { values.append(("9F01", .string("000000123456"))) }
        if choices.rarely(60) { values.append(("9F1D", .string("2C00800000000000"))) }
        return .object(values)
    }

    private static func keys2(_ choices: Choices) -> [JSON] {
        var list: [JSON] = []
        for (index, key) in [("F1", TestKeys.authority1), ("F2", TestKeys.authority2)] {
            if choices.rarely(25) { continue }
            let all = unhex("A000000004")! + unhex(index)! + key.modulus + key.exponent
            list.append(
                .object([
                    ("rid", .string("A000000004")), ("index", .string(index)), ("exponent", hexText(key.exponent)),
                    ("modulus", hexText(key.modulus)), ("sha1", hexText(sha1(all))),
                ]))
        }
        return list
    }

    /// The terminal's data for data exchange and data storage; requested again, or pushed, while the card is busy.
    private static func transactionData2(_ choices: Choices, _ emphasis: Emphasis) -> [(String, JSON)] {
        var data: [(String, JSON)] = []
        func put(_ tag: String, _ permille: Int, _ values: [String]) {
            if choices.rarely(permille) { data.append((tag, .string(choices.one(values)))) }
        }
        put("DF8104", 150, ["", "", "000000000100"])
        put("DF8105", 150, ["", "", "000000000100"])
        put("9F53", 80, ["52", ""])
        put("9F7C", 60, [hex(Bytes(repeating: 0x31, count: 20)), ""])
        if emphasis == .storage {
            put("9F5C", 950, ["0102030405060708"])
            for (tag, value) in storage { put(tag, 850, value) }
            return data
        }
        if !choices.rarely(250) { return data }
        put("DF8112", 500, ["9F755A9F70", "", "9F5082959F36", "5A579F028E", "9F7995", "5F2D9F279F36", "9F5D"])
        put("DF8110", 400, ["", "00", "01"])
        put("FF8102", 300, ["9F7503AAAAAA", "9F7501019F76020202", ""])
        put("FF8103", 300, ["9F7903BBBBBB", "9F7701019F78020202", ""])
        put("9F02", 60, [""])
        if choices.rarely(500) {
            put("9F5C", 950, ["0102030405060708", ""])
            for (tag, value) in storage { put(tag, 500, value) }
        }
        return data
    }

    /// DS Input, ODS and their indicators.
    static let storage: [(String, [String])] = [
        ("DF60", ["1112131415161718"]), ("DF62", ["80", "40", "C8", "00"]),
        ("DF63", ["A1A2A3", "A1A2A3A4A5A6A7A8", ""]),
        ("DF8108", ["80", "40", "00"]), ("DF8109", ["1122334455667788"]),
        ("DF810A", ["E0", "00", "04", "02", "46", "A6"]),
    ]

    /// Data objects of the terminal, while the card is busy or as an answer: the needed ones first.
    static func terminalData2(_ choices: Choices, _ needed: [UInt32]) -> Bytes {
        var out: Bytes = []
        for tag in needed where !choices.rarely(150) {
            switch tag {
            case 0xDF8110: out += tlv(tag, [0x01])
            case 0x9F02: out += tlv(tag, decimal(choices.one([1250, 100, 0, 5000]), 6))
            case 0x9A: out += tlv(tag, unhex("261121")!)
            case 0x9F53: out += tlv(tag, [0x52])
            case 0x9F7C: out += tlv(tag, Bytes(repeating: 0x32, count: 20))
            case 0x9F5C: out += tlv(tag, unhex("0102030405060708")!)
            case 0xDF8112: out += tlv(tag, unhex(choices.one(["9F755A", "9F79", "82"]))!)
            case 0xFF8102, 0xFF8103: out += tlv(tag, unhex(choices.one(["9F7501EE", "9F7601DD9F7701CC"]))!)
            default:
                for (name, values) in storage where unhex(name)! == tagBytes(tag) { out += tlv(tag, unhex(values[0])!) }
            }
        }
        for _ in 0..<choices.pick([4, 3, 1]) {
            switch choices.below(8) {
            case 0: out += tlv(0xDF8110, [UInt8(choices.below(2))])
            case 1: out += tlv(0xDF8112, unhex(choices.one(["9F755A", "9F79", "82", "9F7995"]))!)
            case 2: out += tlv(0xFF8102, unhex("9F7801AB")!)
            case 3: out += tlv(0xFF8103, unhex("9F7901AB")!)
            case 4: out += tlv(0x9F02, decimal(choices.one([1250, 100, 5000]), 6))
            case 5: out += tlv(0x9F35, [0x36]) + tlv(0xDF01, [0x01])
            case 6: out += tlv(0x9F53, [0x41])
            default:
                let (name, values) = choices.one(storage)
                out += unhex(name)! + lengthBytes(unhex(values[0])!.count) + unhex(values[0])!
            }
        }
        return out
    }
}
