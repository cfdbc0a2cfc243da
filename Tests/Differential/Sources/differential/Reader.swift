// SPDX-License-Identifier: Apache-2.0
// Random readers and transactions: the configurations for both implementations. Biased so that most taps reach the
// kernel's decisions; limits are close to the amount.

struct Reader {
    var configuration: JSON
    var transaction: JSON
    /// The AIDs that the cards must match.
    var aids: [Bytes] = []
    /// Kernel 2's AIDs.
    var aids2: [Bytes] = []
    var date: Bytes
    var type: UInt8
    var emphasis = Emphasis.none
    /// Kernel 2: the reader stores data on cards.
    var stores = false

    /// The goal of a tap of Kernel 2 that random choices alone would seldom reach: data storage, a torn transaction.
    enum Emphasis {
        case none, storage, torn
    }

    static let names: [Bytes] = [
        "A0000000031010", "A0000000032010", "A000000003", "F000000001", "A00000006510", "A0000000033010",
    ].map { unhex($0)! }
    static let account = "4761739001010119"

    init(_ choices: Choices, _ subject: Subject) {
        if subject == .kernel2 {
            emphasis = [.none, .storage, .torn][choices.pick([6, 1, 1])]
            let parts = Reader.parts2(choices, emphasis)
            (configuration, transaction, aids2) = (parts.configuration, parts.transaction, parts.aids)
            (date, type) = (parts.date, parts.type)
            stores = parts.transaction["data"]?["9F5C"] != nil
            return
        }
        let amount = choices.one([1250, 1, 100, 0, 5000, 999_999_999_999, 10000] as [UInt64])
        var rows: [JSON] = []
        for _ in 0...choices.pick([12, 5, 2, 1]) {
            let aid = choices.mostly(Reader.names[0], Reader.names, 400)
            if aids.contains(aid) { continue }
            aids.append(aid)
            rows.append(Reader.row(choices, aid, amount))
        }
        if subject == .entry {
            for _ in 0..<choices.pick([1, 3, 1]) {
                let aid = choices.one(Reader.names2)
                if aids2.contains(aid) { continue }
                aids2.append(aid)
                rows.insert(Reader.row2(choices, aid, amount), at: choices.below(rows.count + 1))
            }
        }
        type = choices.mostly(0x00, [0x20, 0x01, 0x09, 0x30], 250)
        var members: [(String, JSON)] = [
            ("format", .string("emv-configuration/1")), ("terminal", Reader.terminal(choices)),
            ("combinations", .array(rows)), ("caKeys", .array(subject == .entry ? [] : Reader.keys(choices))),
        ]
        if choices.rarely(30) {
            members.append(
                (
                    "revoked",
                    .array([
                        .object([
                            ("rid", .string("A000000003")), ("index", .string(choices.one(["F1", "F2"]))),
                            ("serial", .string(choices.one(["000001", "000002"]))),
                        ])
                    ])
                ))
        }
        if choices.rarely(30) {
            var entry: [(String, JSON)] = [
                ("pan", .string(choices.one([Reader.account, "4761739001010127", "47617390010101190"])))
            ]
            if choices.rarely(500) { entry.append(("sequence", .string(choices.one(["01", "02"])))) }
            members.append(("exceptions", .array([.object(entry)])))
        }
        var protection: [(String, JSON)] = [("profile", .string("book"))]
        if choices.rarely(subject == .entry ? 300 : 60) {
            protection.append(("maxTaps", .number(String(choices.below(5) + 1))))
        }
        if choices.rarely(20) { protection.append(("maxRecords", .number(String(choices.below(4) + 1)))) }
        members.append(("protection", .object(protection)))
        configuration = .object(members)

        let day = choices.mostly(
            "2026-11-21", ["2026-11-30", "2026-12-01", "2027-01-01", "2049-12-31", "2028-02-29"], 120)
        date = unhex(day.dropFirst(2).filter { $0 != "-" })!
        var values: [(String, JSON)] = [
            ("type", hexText([type])), ("amount", .number(String(amount))),
            ("amountOther", .number(String(choices.mostly(0, [1, 250, 999_999_999_999] as [UInt64], 150)))),
            ("currency", .string(choices.mostly("0978", ["0840", "0392", "0048"], 200))),
        ]
        if choices.rarely(300) { values.append(("exponent", .number(String(choices.below(5))))) }
        values.append(("date", .string(day)))
        values.append(("time", .string(choices.mostly("12:00:00", ["00:00:00", "23:59:59"], 100))))
        values.append(("counter", .number(choices.mostly("1", ["99999999", "0"], 100))))
        values.append(("random", hexText(choices.bytes(32))))
        transaction = .object(values)
    }

    private static func row(_ choices: Choices, _ aid: Bytes, _ amount: UInt64) -> JSON {
        var members: [(String, JSON)] = [("aid", hexText(aid)), ("kernel", .number("3"))]
        switch choices.pick([30, 10, 1]) {
        case 0: members.append(("transactionTypes", .array(["00", "01", "09", "20"].map { .string($0) })))
        case 1: break
        default: members.append(("transactionTypes", .array([.string(choices.one(["00", "20", "01"]))])))
        }
        var limits: [(String, JSON)] = []
        func limit(_ name: String, _ permille: Int) {
            if !choices.rarely(permille) { return }
            let near = [amount + 1, amount, amount == 0 ? 0 : amount - 1, 0, 30000, 999_999_999_999]
            limits.append((name, .number(String(min(choices.one(near), 999_999_999_999)))))
        }
        if choices.rarely(100) { limit("transaction", 1000) }
        limit("floor", 450)
        limit("terminalFloor", 200)
        limit("cvmRequired", 400)
        if !limits.isEmpty { members.append(("limits", .object(limits))) }
        members.append(("ttq", hexText(qualifiers(choices))))
        if choices.rarely(150) { members.append(("statusCheck", .bool(true))) }
        switch choices.pick([8, 2, 1]) {
        case 1: members.append(("zeroAmount", .string("offlineAllowed")))
        case 2: members.append(("zeroAmount", .string("notAllowed")))
        default: break
        }
        if choices.rarely(300) { members.append(("extendedSelection", .bool(true))) }
        if choices.rarely(250) { members.append(("usageControl", .bool(choices.rarely(300)))) }
        if choices.rarely(100) {
            members.append(("data", .object([choices.one([("9F1A", .string("0840")), ("9F15", .string("4112"))])])))
        }
        return .object(members)
    }

    private static func qualifiers(_ choices: Choices) -> Bytes {
        var first: UInt8 = 0x20
        if !choices.rarely(200) { first |= 0x10 }
        if choices.rarely(120) { first |= 0x08 }
        if !choices.rarely(300) { first |= 0x04 }
        if !choices.rarely(300) { first |= 0x02 }
        if choices.rarely(150) { first |= 0x01 }
        let second = choices.mostly(0x00, [0x80, 0x40, 0xC0, 0x20] as [UInt8], 200)
        return [first, second, choices.one([0xC0, 0x40, 0x80, 0x00]), choices.mostly(0x00, [0x80], 20)]
    }

    private static func terminal(_ choices: Choices) -> JSON {
        var values: [(String, JSON)] = [
            ("9F1A", .string(choices.mostly("0276", ["0840"], 100))), ("9F35", .string("22")),
            ("9F33", .string("E0B8C8")), ("9F40", .string("6000B0A001")), ("9F15", .string("5999")),
            ("9F4E", .string("4F52414E47452053484F50")),
        ]
        if choices.rarely(80) {
            values.append(("8B", .string(choices.one(["0001020001", "0001020002", "0002010A0001020001"]))))
        }
        if choices.rarely(60) { values.append(("9F1C", .string("3132333435363738"))) }
        if choices.rarely(60) { values.append(("9F1E", .string("3837363534333231"))) }
        if choices.rarely(60) { values.append(("9F16", .string("303132333435363738394142434445"))) }
        if choices.rarely(60) { values.append(("9F01", .string("000000123456"))) }
        return .object(values)
    }

    private static func keys(_ choices: Choices) -> [JSON] {
        var list: [JSON] = []
        for rid in ["A000000003", "F000000001"] {
            for (index, key) in [("F1", TestKeys.authority1), ("F2", TestKeys.authority2)] {
                if choices.rarely(25) { continue }
                let all = unhex(rid)! + unhex(index)! + key.modulus + key.exponent
                var members: [(String, JSON)] = [
                    ("rid", .string(rid)), ("index", .string(index)), ("exponent", hexText(key.exponent)),
                    ("modulus", hexText(key.modulus)), ("sha1", hexText(sha1(all))),
                ]
                if choices.rarely(30) { members.append(("expires", .string("2026-01-31"))) }
                list.append(.object(members))
            }
        }
        return list
    }
}
