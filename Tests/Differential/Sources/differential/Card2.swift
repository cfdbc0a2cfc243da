// SPDX-License-Identifier: Apache-2.0
// Random cards for Kernel 2: a directory, applications that sign with CDA, and defects in their answers. A card knows
// the objects of its lists, so its signature is right unless it is meant to be wrong.

final class Card2 {
    struct Application {
        var name: Bytes
        var entry: Bytes
        var selection: Bytes = []
        var options: Bytes = []
        var optionsStatus: Bytes = [0x90, 0x00]
        var records: [[UInt8]: Bytes] = [:]
        var cdol: [ListEntry] = []
        var key: PrivateKey?
        var defect = 0
        var phone: Bytes?
        var udol: [ListEntry] = []
        var drdol: [ListEntry] = []
        /// The ten bytes of EXCHANGE RELAY RESISTANCE DATA without the entropy.
        var relay: Bytes = []
        /// DS Summary 1; empty: a card without data storage.
        var summary: Bytes = []
    }

    let choices: Choices
    let reader: Reader
    private let disorder: Int
    private var applications: [Application] = []
    private var directory: Bytes = []
    private var selected: Int?
    /// Values of the PDOL as received.
    private var pdolValues: Bytes = []
    private var counter = 0x20

    init(_ choices: Choices, _ reader: Reader) {
        self.choices = choices
        self.reader = reader
        disorder = reader.emphasis == .none ? [0, 6, 25][choices.pick([7, 3, 2])] : 0
        for _ in 0...choices.pick([12, 3, 1]) { applications.append(application()) }
        directory =
            tlv(0x6F, tlv(0x84, Bytes("2PAY.SYS.DDF01".utf8)) + tlv(0xA5, tlv(0xBF0C, entries))) + [0x90, 0x00]
    }

    /// The card's entries in the directory.
    var entries: Bytes { applications.flatMap { $0.entry } }

    /// The defect in the signature of the selected application; 0: no defect.
    var defect: Int { selected.map { applications[$0].defect } ?? 0 }

    /// The application that SELECT names is on this card.
    func has(_ command: Bytes) -> Bool {
        let name = Array(command.dropFirst(5).prefix(Int(command[4])))
        return applications.contains { name.starts(with: $0.name) }
    }

    // MARK: answers

    func respond(_ command: Bytes) -> Reply {
        if command[1] == 0xA4 {
            let name = Array(command.dropFirst(5).prefix(Int(command[4])))
            if name == Bytes("2PAY.SYS.DDF01".utf8) { return .response(directory) }
            selected = applications.firstIndex { name.starts(with: $0.name) }
            return .response(selected.map { applications[$0].selection } ?? [0x6A, 0x82])
        }
        guard let selected else { return .response([0x69, 0x85]) }
        let application = applications[selected]
        switch (command[0], command[1]) {
        case (0x80, 0xA8):
            pdolValues = parseObjects(Array(command[5..<command.count - 1]))?.first?.value ?? []
            return .response(application.options + application.optionsStatus)
        case (0x00, 0xB2): return .response(application.records[[command[3], command[2]]] ?? [0x6A, 0x83])
        case (0x80, 0xAE):
            let answer = cryptogram(application, command)
            kept = (number(application.cdol, Array(command[5..<command.count - 1])), answer)
            return .response(answer)
        case (0x80, 0xD0): return .response(recover(application, command))
        case (0x80, 0xEA): return exchange(application, command)
        case (0x80, 0x2A): return .response(checksum(application))
        case (0x80, 0xCA): return .response(object(command))
        case (0x80, 0xDA): return .response(choices.mostly([0x90, 0x00], [[0x69, 0x82], [0x6A, 0x88]], 120))
        default: return .response([0x6D, 0x00])
        }
    }

    /// The unpredictable number and the answer of the last GENERATE AC, for RECOVER AC.
    private var kept: (Bytes, Bytes)?
    private var relayed: Bytes = []

    private func recover(_ application: Application, _ command: Bytes) -> Bytes {
        if choices.rarely(60) { return choices.one([[0x69, 0x85], [0x6A, 0x88], [0x77, 0x00, 0x90, 0x00]]) }
        let data = Array(command[5..<command.count - 1])
        guard let kept, data == kept.0 else { return [0x6A, 0x88] }
        return kept.1
    }

    private func exchange(_ application: Application, _ command: Bytes) -> Reply {
        if choices.rarely(30) { return .response(choices.one([[0x67, 0x00], [0x69, 0x85], [0x6A, 0x86]])) }
        let entropy = choices.bytes(4)
        var body = [0x80, 0x0A] + entropy + application.relay
        relayed = Array(command[5..<9]) + entropy + application.relay
        if choices.rarely(disorder) { body = damage(body) }
        let times = [8000, 6200, 4500, 12000, 19200, 19300, 21000, 40000, 50000, 3000, 99, 7_000_000]
        return .timed(body + [0x90, 0x00], choices.mostly(times[0], times, 500))
    }

    private func object(_ command: Bytes) -> Bytes {
        let tag = UInt32(command[2]) << 8 | UInt32(command[3])
        if choices.rarely(150) { return choices.one([[0x6A, 0x88], [0x6A, 0x81], [0x90, 0x00]]) }
        let value =
            tag == 0x9F50
            ? choices.mostly(unhex("000000004200")!, [unhex("000000000000")!, [0x01]], 150)
            : choices.bytes(choices.mostly(8, [0, 32, 192], 200))
        let body = tlv(choices.rarely(40) ? 0x9F51 : tag, value)
        return (choices.rarely(40) ? damage(body) : body) + [0x90, 0x00]
    }

    private func checksum(_ application: Application) -> Bytes {
        if choices.rarely(30) { return choices.one([[0x69, 0x85], [0x6A, 0x80]]) }
        counter += 1
        var objects: [(UInt32, Bytes)] = [(0x9F36, [choices.one([0x00, 0x03, 0xFF]), UInt8(counter & 0xFF)])]
        if !choices.rarely(200) {
            objects.append((0x9F61, choices.one([[0xA2, 0xC4], [0xFF, 0xFF], [0x00, 0x00], [0x01, 0xF5]])))
            if !choices.rarely(60) {
                objects.append((0x9F60, choices.one([[0xA2, 0xC4], [0xFF, 0xFF], [0x00, 0x07]])))
            }
        }
        if let phone = application.phone { objects.append((0xDF4B, phone)) }
        objects = disturb(objects)
        var body = tlv(choices.rarely(disorder) ? 0x80 : 0x77, objects.flatMap { tlv($0.0, $0.1) })
        if choices.rarely(disorder) { body = damage(body) }
        return body + [0x90, 0x00]
    }

    private func cryptogram(_ application: Application, _ command: Bytes) -> Bytes {
        if choices.rarely(15) { return choices.one([[0x69, 0x85], [0x6A, 0x80], [0x67, 0x00]]) }
        counter += 1
        let data = Array(command[5..<command.count - 1])
        let requested = command[2] & 0xC0
        let wanted = [0x00, 0x80, 0x40].filter { $0 == 0x00 || $0 == requested || requested == 0x40 } as [UInt8]
        let kind = choices.mostly(requested, wanted + [0x40, 0x80, 0xC0], 150)
        let information = kind | choices.mostly(0x00, [0x0F, 0x21], 30)
        var objects: [(UInt32, Bytes)] = [
            (0x9F27, [information]), (0x9F36, [UInt8(counter >> 8), UInt8(counter & 0xFF)]),
        ]
        if !choices.rarely(60) { objects.append((0x9F10, unhex("0114A810000000000000000000000000FFFF")!)) }
        if let phone = application.phone { objects.append((0xDF4B, phone)) }
        let own = choices.bytes(8)
        let signs = command[2] & 0x10 != 0 && !choices.rarely(kind == 0x00 ? 600 : 40)
        if !signs || choices.rarely(30) { objects.append((0x9F26, own)) }
        if !signs && choices.rarely(250) && objects.allSatisfy({ $0.0 != 0xDF4B }) {
            var issuer: Bytes = []
            for object in objects where object.0 == 0x9F10 { issuer = object.1 }
            let head: Bytes = [information, UInt8(counter >> 8), UInt8(counter & 0xFF)]
            return tlv(0x80, head + own + issuer) + [0x90, 0x00]
        }
        objects = disturb(objects)
        if choices.rarely(disorder) { objects.reverse() }
        var body = objects.flatMap { tlv($0.0, $0.1) }
        if signs, let key = application.key {
            let at = choices.below(objects.count + 1)
            let before = objects.prefix(at).flatMap { tlv($0.0, $0.1) }
            let after = objects.suffix(objects.count - at).flatMap { tlv($0.0, $0.1) }
            let signature = sign(application, key, data, information, own, before + after)
            body = before + tlv(0x9F4B, signature) + after
        }
        body = tlv(choices.rarely(disorder) ? 0x70 : 0x77, body)
        if choices.rarely(disorder) { body = damage(body) }
        return body.count > 256 ? [0x67, 0x00] : body + [0x90, 0x00]
    }

    private func number(_ list: [ListEntry], _ data: Bytes) -> Bytes {
        var at = 0
        for entry in list {
            if entry.tag == 0x9F37 { return Array(data.dropFirst(at).prefix(entry.length)) }
            at += entry.length
        }
        return []
    }

    private func sign(
        _ application: Application, _ key: PrivateKey, _ data: Bytes, _ information: UInt8, _ own: Bytes, _ rest: Bytes
    ) -> Bytes {
        let defect = application.defect
        let cdol = Array(data.prefix(application.cdol.reduce(0) { $0 + $1.length }))
        let size = key.modulus.count
        let length = choices.mostly(8, [2, 4, 7], 150)
        var dynamic: Bytes = [UInt8(length)] + Bytes(repeating: 0xA5, count: length)
        if defect == 25 { dynamic[0] = choices.one([1, 9, 0]) }
        dynamic += [defect == 26 ? information ^ 0x40 : information] + own
        dynamic += sha1(pdolValues + cdol + rest + (defect == 27 ? [0x00] : []))
        if !application.summary.isEmpty {
            let first =
                choices.rarely(40) ? Bytes(repeating: 0x5A, count: application.summary.count) : application.summary
            let changed = data.count > cdol.count ? Bytes(repeating: 0x77, count: first.count) : first
            let last = choices.rarely(100) ? first : changed
            dynamic += choices.rarely(40) ? (choices.rarely(500) ? first : []) : first + last
        }
        if !relayed.isEmpty { dynamic += choices.rarely(30) ? Array(relayed.dropLast()) + [0x77] : relayed }
        var head: Bytes = [defect == 28 ? 0x95 : 0x05, defect == 19 ? 0x02 : 0x01, UInt8(dynamic.count)] + dynamic
        if defect == 20 { head[2] = UInt8(choices.one([size - 24, 0, 37])) }
        if head.count > size - 22 { head = Array(head.prefix(size - 22)) }
        head += Bytes(repeating: 0xBB, count: size - 22 - head.count)
        var hash = sha1(head + number(application.cdol, data))
        if defect == 21 { hash[19] ^= 0x01 }
        var out = key.sign([0x6A] + head + hash + [0xBC])
        if defect == 22 { out.removeLast() }
        if defect == 23 { out[7] ^= 0x08 }
        if defect == 24 { out = key.sign([0x6B] + head + hash + [0xBC]) }
        return out
    }

    // MARK: disorder

    private func damage(_ bytes: Bytes) -> Bytes {
        if bytes.isEmpty { return bytes }
        var out = bytes
        switch choices.below(3) {
        case 0: out.removeLast()
        case 1: out.append(choices.one([0x01, 0x77, 0x9F, 0x00]))
        default: out[choices.below(out.count)] ^= UInt8(choices.one([0x01, 0x80, 0x20, 0xFF]))
        }
        return out
    }

    private static let foreign: [(UInt32, Bytes)] = [
        (0x9F02, [0, 0, 0, 0, 0, 1]), (0x9F37, []), (0x95, [0]), (0x9F4C, [1, 2]), (0xDF8115, [0]), (0xDF01, [1]),
        (0xC1, []), (0x9F7F, [1, 2, 3, 4]), (0xE2, [0x57, 0x13]), (0x93, [1]), (0x9F6D, [0, 1]), (0x9F1F, []),
        (0x5F50, Bytes("http://x".utf8)), (0x42, [0x54, 0x13, 0x33]), (0x9F17, [3]), (0xDF8104, [0, 0, 0, 0, 0, 9]),
        (0x9F6C, [0, 0]),
        (0x9F69, [0x9F, 0x6A, 0x04]), (0x9F14, [1]), (0x9F35, [0x11]), (0x8D, [0x9F]), (0x9F23, [1]),
    ]

    /// Objects that are missing, repeated, of another length, foreign, or in an unknown template.
    private func disturb(_ objects: [(UInt32, Bytes)]) -> [(UInt32, Bytes)] {
        var out: [(UInt32, Bytes)] = []
        for object in objects {
            switch choices.pick([1000, disorder / 2, disorder / 2, disorder / 2, disorder / 2, disorder / 2]) {
            case 1: continue
            case 2: out += [object, choices.rarely(500) ? (object.0, []) : object]
            case 3:
                var value = object.1
                switch choices.below(3) {
                case 0: value = []
                case 1: value.append(0x00)
                default: if !value.isEmpty { value.removeLast() }
                }
                out.append((object.0, value))
            case 4: out.append((0xE1, tlv(object.0, object.1)))
            case 5:
                out.append(object)
                out.append(choices.one(Card2.foreign))
            default: out.append(object)
            }
        }
        return out
    }

    // MARK: an application

    private func application() -> Application {
        var name = choices.mostly(choices.one(reader.aids2), Reader.names2, 60)
        if choices.rarely(60) { name += [0x01] }
        var parts = [tlv(0x4F, name), tlv(0x50, Bytes("MASTERCARD".utf8))]
        if !choices.rarely(200) { parts.append(tlv(0x87, [choices.one([0x01, 0x02, 0x00])])) }
        if choices.rarely(60) { parts.append(tlv(0x9F2A, choices.one([[0x02], [0x03], []]))) }
        var out = Application(name: name, entry: tlv(0x61, parts.flatMap { $0 }))
        select(&out)
        contents(&out)
        return out
    }

    private func select(_ application: inout Application) {
        var own: [(UInt32, Bytes)] = [(0x50, Bytes("MASTERCARD".utf8)), (0x87, [0x01])]
        if choices.rarely(400) { own.append((0x9F38, list(pdolTags, 6))) }
        if choices.rarely(150) { own.append((0x5F2D, Bytes(choices.one(["en", "deen", "fr"]).utf8))) }
        if choices.rarely(100) { own += [(0x9F11, [0x01]), (0x9F12, Bytes("Mastercard".utf8))] }
        var more: [(UInt32, Bytes)] = []
        if choices.rarely(500) { more.append((0x9F5D, capabilities())) }
        if choices.rarely(200) {
            more.append(
                (0x9F6E, unhex(choices.one(["02800000303000", "028000003031", "0280000030FF", "0280008030310000"]))!))
        }
        if choices.rarely(60) { more.append((0x9F4D, [0x0B, 0x0A])) }
        if reader.stores && !choices.rarely(100) {
            more.append(
                (
                    0x9F5E,
                    unhex(
                        choices.mostly(Reader.account2 + "01", [Reader.account2 + "00", "541333008902003001"], 60))!
                ))
            if !more.contains(where: { $0.0 == 0x9F5D }) { more.insert((0x9F5D, capabilities()), at: 0) }
            let version = more.first { $0.0 == 0x9F5D }!.1[0]
            if version != 0 || choices.rarely(100) {
                application.summary = Bytes(repeating: 0x33, count: version == 2 ? 16 : 8)
            }
        }
        var inside = disturb(own).flatMap { tlv($0.0, $0.1) }
        if !more.isEmpty { inside += tlv(0xBF0C, disturb(more).flatMap { tlv($0.0, $0.1) }) }
        var fci = tlv(
            0x6F,
            disturb([(0x84, application.name)]).flatMap { tlv($0.0, $0.1) } + tlv(0xA5, inside))
        if choices.rarely(disorder / 2) { fci = damage(fci) }
        application.selection = fci + choices.mostly([0x90, 0x00], [[0x6A, 0x82], [0x62, 0x83]], 10)
    }

    private func capabilities() -> Bytes {
        var second: UInt8 = 0
        if choices.rarely(500) { second |= 0x01 }
        if choices.rarely(300) { second |= 0x04 }
        if choices.rarely(500) { second |= 0x02 }
        return [reader.stores ? choices.one([0x01, 0x02, 0x01, 0x00]) : 0x00, second, 0x00]
    }

    private let pdolTags: [UInt32] = [
        0x9F02, 0x9F1A, 0x5F2A, 0x9C, 0x9F33, 0x9F40, 0x9F1D, 0x9F35, 0x9A, 0x9F21, 0x9F03, 0x9F53, 0x9F7C, 0x9F7E,
        0x9F15,
        0x9F16, 0x9F1C, 0x9F1E, 0x9F4E, 0x9F01, 0x9F09, 0x9F37, 0x95, 0x9F5C, 0x9F34, 0x57, 0x9F10, 0xDF01, 0xBF0C,
        0x9F06,
        0x5F36, 0x9F6D, 0xDF811B, 0xDF8124,
    ]

    /// A data object list out of these tags.
    private func list(_ tags: [UInt32], _ most: Int) -> Bytes {
        var out: Bytes = []
        for _ in 0..<choices.below(most) {
            let tag = choices.one(tags)
            out += tagBytes(tag) + [UInt8(choices.mostly(Card2.usual(tag), [1, 2, 3, 4, 6, 8, 0, 12], 200))]
        }
        return out
    }

    private static func usual(_ tag: UInt32) -> Int {
        switch tag {
        case 0x9F02, 0x9F03, 0x9F01: return 6
        case 0x9A, 0x9F33, 0x9F21, 0x9F34: return 3
        case 0x95, 0x9F40: return 5
        case 0x9F1D, 0x9F1E, 0x9F1C, 0x9F5C, 0x9F4C: return 8
        case 0x9F37, 0x9F6A: return 4
        case 0x9F35, 0x9C, 0x9F53, 0x9F7E, 0x5F36: return 1
        case 0x9F7C: return 20
        default: return 2
        }
    }

    /// Records of an application in EMV mode, and the objects that the answer to GET PROCESSING OPTIONS has in addition
    /// to AIP and AFL.
    private func contents(_ application: inout Application) {
        var profile: UInt8 = 0
        if !choices.rarely(120) { profile |= 0x01 }
        if !choices.rarely(150) { profile |= 0x10 }
        if choices.rarely(150) { profile |= 0x02 }
        let second: UInt8 = [0x80, 0x00, 0x81, 0x01][choices.pick([60, 20, 15, 1])]
        application.relay = choices.mostly(
            unhex("002800640018")!,
            [
                unhex("000000000000")!, unhex("002800640030")!, unhex("002800640031")!, unhex("00C801900008")!,
                unhex("0001FFFF000C")!,
            ],
            400)
        let interchange = [profile | choices.mostly(0x08, [0x48, 0x00], 100), second]
        if choices.rarely(150) {
            application.phone = unhex(
                choices.one(["000000", "001000", "000100", "000200", "000800", "000400", "000001"]))!
        }
        let account = unhex(Reader.account2)!
        let track = account + unhex("D30122010000012345")!
        var first: [(UInt32, Bytes)] = [
            (0x57, track), (0x5A, account),
            (
                0x5F24,
                choices.mostly(
                    unhex("301231")!,
                    [reader.date, unhex("261120")!, unhex("251231")!, unhex("491231")!, unhex("500101")!], 200)
            ),
        ]
        if !choices.rarely(200) {
            first.append((0x5F25, choices.mostly(unhex("200101")!, [reader.date, unhex("270101")!], 200)))
        }
        if !choices.rarely(150) { first.append((0x5F28, choices.mostly([0x02, 0x76], [[0x08, 0x40]], 300))) }
        if !choices.rarely(100) { first.append((0x5F34, [0x01])) }
        application.cdol = cdol()
        first.append((0x8C, application.cdol.flatMap { tagBytes($0.tag) + [UInt8($0.length)] }))
        if !choices.rarely(100) { first.append((0x8E, cvmList())) }
        if !choices.rarely(200) {
            first.append(
                (
                    0x9F07,
                    choices.one([
                        [0xFF, 0xFF], [0xFF, 0x00], [0x3D, 0x3F], [0xC2, 0x80], [0x81, 0x40], [0x29, 0x80],
                        [0x15, 0x40],
                    ])
                ))
        }
        if !choices.rarely(200) { first.append((0x9F08, choices.mostly([0x00, 0x02], [[0x00, 0x01]], 100))) }
        let codes = ["F850848000", "0000000000", "F45084800C", "FFFFFFFFFF", "0000008001", "0040000000"].map {
            unhex($0)!
        }
        if !choices.rarely(150) { first.append((0x9F0D, choices.mostly(codes[0], codes, 300))) }
        if !choices.rarely(150) { first.append((0x9F0E, choices.mostly(codes[1], codes, 150))) }
        if !choices.rarely(150) { first.append((0x9F0F, choices.mostly(codes[0], codes, 300))) }
        if !choices.rarely(300) { first.append((0x9F42, choices.mostly([0x09, 0x78], [[0x08, 0x40]], 200))) }
        if choices.rarely(80) { first.append((0x9F24, Bytes(repeating: 0x41, count: 29))) }
        if choices.rarely(80) { first.append((0x9F6E, unhex("02800000303000")!)) }
        if choices.rarely(80) { first.append((0x5F30, [0x02, 0x01])) }
        if choices.rarely(80) { first.append((0x5F20, Bytes("A/B".utf8))) }
        if choices.rarely(reader.emphasis == .none ? 400 : 900) {
            application.drdol = [ListEntry(tag: 0x9F37, length: 4)]
            if choices.rarely(100) { application.drdol.append(ListEntry(tag: 0x9F02, length: 6)) }
            first.append((0x9F51, application.drdol.flatMap { tagBytes($0.tag) + [UInt8($0.length)] }))
        }
        if !application.summary.isEmpty && !choices.rarely(150) { first.append((0x9F5B, storageList())) }
        if choices.rarely(disorder) { first.shuffleOnce(choices) }
        let tagList = choices.mostly(true, [false], profile & 0x01 == 0 ? 500 : 15)
        if tagList { first.append((0x9F4A, choices.mostly([0x82], [[0x82, 0x82], [0x9F, 0x36]], 15))) }
        var signedRecords: [(file: UInt8, objects: [(UInt32, Bytes)])] = [
            (choices.mostly(2, [1, 10, 11, 30], 150), first)
        ]
        if choices.rarely(100) { signedRecords.append((signedRecords[0].file, [(0x9F1F, Bytes("12".utf8))])) }
        let isSigned = !choices.rarely(30)
        var covered: Bytes = []
        if isSigned {
            for record in signedRecords {
                let value = record.objects.flatMap { tlv($0.0, $0.1) }
                covered += record.file > 10 ? tlv(0x70, value) : value
            }
        }
        covered += interchange
        var records = signedRecords.map { (file: $0.file, signed: isSigned, objects: $0.objects) }
        if profile & 0x01 != 0 || choices.rarely(300) {
            application.defect = choices.rarely(180) ? choices.below(28) + 1 : 0
            let big = choices.rarely(500)
            let key =
                application.summary.isEmpty
                ? [TestKeys.card1, TestKeys.card2, TestKeys.card3][choices.below(3)] : TestKeys.card1
            application.key = key
            let keys = issue(choices, application.defect, big, key, Holder(account: account), covered)
            let file = choices.mostly(3, [12], 100) as UInt8
            for object in keys where object.1.count > 60 { records.append((file, false, [object])) }
            records.append((file, false, keys.filter { $0.1.count <= 60 }))
        }
        if choices.rarely(200) { records.append((4, false, [(0x9F1F, Bytes("12".utf8))])) }
        layOut(&application, interchange, records, stripe())
    }

    /// The objects of the mag-stripe record.
    private func stripe() -> [(UInt32, Bytes)] {
        let account = unhex(Reader.account2)!
        let places = ["0E70", "0000", "1E70", "0FF0", "3FFE", "0001", "0E00"].map { unhex($0)! }
        let checks = ["000E", "0007", "E001", "001F", "0000", "1FFF"].map { unhex($0)! }
        let bitmap = choices.mostly(places[0], places, 400)
        let count = bitmap.reduce(0) { $0 + $1.nonzeroBitCount }
        let counter = choices.mostly(3, [0, 1, 2, 5, 6, 9], 300)
        var track = account + unhex("D30122019000990000000F")!
        if choices.rarely(60) {
            track =
                account + unhex(
                    choices.one([
                        "D3012201900F", "D3012201", "DD2019000990000000", "D3012D9000990000000F",
                        "30122019000990000000",
                    ]))!
        }
        var out: [(UInt32, Bytes)] = [
            (0x9F6B, track), (0x9F65, choices.mostly(checks[0], checks, 400)), (0x9F66, bitmap),
            (0x9F67, [UInt8(counter)]),
        ]
        if choices.rarely(600) {
            let own = max(0, count - counter)
            let counter1 = choices.mostly(counter, [0, 3, 5], 150)
            var bits: UInt64 = 0
            for i in 0..<min(40, own + counter1) { bits |= 1 << UInt64(i + 2) }
            let bitmap1 = (0..<6).map { UInt8(bits >> UInt64(40 - 8 * $0) & 0xFF) }
            var text = "B5413330089020029^A/B^3012201" + "12345678901234567890"
            if choices.rarely(60) {
                text = choices.one([
                    "B5413330089020029^A/B^3012201", "B541^A", "B5413330089020029^A/B^^2011234567",
                    "B5413330089020029^A/B^3012^1234567",
                ])
            }
            out += [
                (0x56, Bytes(text.utf8)),
                (0x9F62, choices.mostly([0, 0, 0, 0, 0, 0x38], [[0, 0, 0, 0, 0, 7], [0, 0, 0, 0x10, 0, 0]], 200)),
                (0x9F63, bitmap1), (0x9F64, [UInt8(counter1)]),
            ]
        }
        if choices.rarely(600) {
            var list: Bytes = [0x9F, 0x6A, 0x04]
            for (tag, size) in [(0x9F7E, 1), (0x9F02, 6), (0x5F2A, 2), (0x9F1A, 2), (0x9F6D, 2), (0x9F37, 4)]
                as [(UInt32, UInt8)]
            where !choices.rarely(300) { list += tagBytes(tag) + [size] }
            if choices.rarely(disorder) { list.removeLast() }
            out.append((0x9F69, choices.rarely(40) ? [] : list))
        }
        if choices.rarely(100) { out.append((0x9F24, Bytes(repeating: 0x42, count: 29))) }
        return out
    }

    private func cdol() -> [ListEntry] {
        var out: [(UInt32, Int)] = [
            (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4),
            (0x9F35, 1),
            (0x9F45, 2), (0x9F4C, 8), (0x9F34, 3),
        ]
        if choices.rarely(200) { out += [(0x9F21, 3), (0x9F7C, 20)] }
        for _ in 0..<choices.pick([6, 2, 1]) {
            let tag = choices.one(pdolTags)
            out.append((tag, choices.mostly(Card2.usual(tag), [1, 3, 6, 9, 0], 200)))
        }
        if choices.rarely(5) { out.removeAll { $0.0 == 0x9F37 } }
        return out.map { ListEntry(tag: $0.0, length: $0.1) }
    }

    private func storageList() -> Bytes {
        var out: Bytes = []
        let entries: [(UInt32, Int)] = [(0xDF60, 8), (0xDF61, 8), (0xDF62, 1), (0xDF63, 8), (0x9F5C, 8), (0x9F37, 4)]
        for (tag, size) in entries where !choices.rarely(250) {
            out += tagBytes(tag) + [UInt8(choices.mostly(size, [4, 16, 0, 160], 80))]
        }
        if choices.rarely(disorder) { out.removeLast() }
        return out
    }

    private func cvmList() -> Bytes {
        let amounts: [Bytes] = [[0, 0, 0, 0], [0, 0, 0x04, 0xE2], [0, 0, 0x13, 0x88], [0, 0, 0, 0x64]]
        var out = choices.mostly(amounts[0], amounts, 300) + choices.mostly(amounts[0], amounts, 200)
        let rules: [Bytes] = [[0x42, 0x03], [0x5E, 0x03], [0x1F, 0x03]]
        if choices.rarely(500) {
            for rule in rules { out += rule }
        } else {
            for _ in 0..<choices.pick([1, 3, 4, 3, 1]) {
                let code = choices.one([0x02, 0x1E, 0x1F, 0x00, 0x01, 0x03, 0x04, 0x05, 0x06, 0x20, 0x3F]) as UInt8
                out.append(code | choices.one([0x40, 0x00, 0x80, 0xC0]))
                out.append(choices.mostly(UInt8(choices.below(10)), [0x00, 0x03, 0x0A, 0x80], 300))
            }
        }
        if choices.rarely(disorder) { out.removeLast() }
        return out
    }

    private func layOut(
        _ application: inout Application, _ interchange: Bytes,
        _ records: [(file: UInt8, signed: Bool, objects: [(UInt32, Bytes)])], _ stripe: [(UInt32, Bytes)]
    ) {
        var locator: Bytes = []
        var counters: [UInt8: UInt8] = [:]
        if choices.rarely(interchange[1] & 0x80 == 0 ? 900 : 300) {
            locator += [0x08, 0x01, 0x01, 0x00]
            counters[1] = 1
            let objects = disturb(stripe)
            var body = tlv(0x70, objects.flatMap { tlv($0.0, $0.1) })
            if choices.rarely(disorder / 2) { body = damage(body) }
            application.records[[0x0C, 1]] = body + choices.mostly([0x90, 0x00], [[0x6A, 0x83]], disorder / 3)
        }
        for record in records {
            let number = (counters[record.file] ?? 0) + 1
            counters[record.file] = number
            let objects = record.signed && !choices.rarely(disorder) ? record.objects : disturb(record.objects)
            var body = tlv(0x70, objects.flatMap { tlv($0.0, $0.1) })
            if choices.rarely(disorder / 2) {
                switch choices.below(5) {
                case 0: body += [0x00]
                case 1: body = [0x00] + body
                case 2: body = tlv(0x71, Array(body.dropFirst(2)))
                case 3: body = damage(body)
                default: body = []
                }
            }
            let status: Bytes = choices.mostly([0x90, 0x00], [[0x6A, 0x83], [0x62, 0x81]], disorder / 4)
            application.records[[record.file << 3 | 4, number]] = body + status
            let signed: UInt8 = record.signed ? 1 : 0
            let last = locator.count - 4
            if last >= 0, locator[last] == record.file << 3, locator[last + 2] == number - 1, signed == 0 {
                locator[last + 2] = number
            } else {
                locator += [record.file << 3, number, number, signed]
            }
        }
        if choices.rarely(disorder) {
            switch choices.below(5) {
            case 0: locator[0] |= 0x01
            case 1: locator[3] = choices.one([0, 1, 2])
            case 2: locator[1] = 0
            case 3: locator[2] = choices.one([0, 2])
            default: locator = choices.one([[], Array(locator.dropLast()), locator + locator])
            }
        }
        if choices.rarely(150) && application.phone == nil && application.summary.isEmpty {
            application.options = tlv(0x80, interchange + locator)
        } else {
            var objects: [(UInt32, Bytes)] = [(0x82, interchange), (0x94, locator)]
            if !application.summary.isEmpty {
                objects.append((0x9F7D, application.summary))
                if !choices.rarely(200) { objects.append((0x9F5F, [choices.one([0xC0, 0x80, 0x40])])) }
                if !choices.rarely(200) {
                    objects.append((0x9F6F, [choices.mostly(0x80, [0x40, 0x10, 0x90, 0x00], 300)]))
                }
                if !choices.rarely(200) { objects.append((0x9F7F, [0xD1, 0xD2, 0xD3, 0xD4])) }
                if choices.rarely(500) {
                    objects.append((0x9F54, choices.one([[], [0xE1, 0xE2], Bytes(repeating: 0xE3, count: 40)])))
                }
            }
            objects = disturb(objects)
            application.options = tlv(choices.rarely(disorder / 2) ? 0x70 : 0x77, objects.flatMap { tlv($0.0, $0.1) })
        }
        if choices.rarely(disorder / 2) { application.options = damage(application.options) }
        application.optionsStatus = choices.mostly(
            [0x90, 0x00], [[0x69, 0x84], [0x69, 0x85], [0x69, 0x86], [0x6A, 0x80]], 20)
    }
}

extension Array {
    /// One swap of neighbours.
    fileprivate mutating func shuffleOnce(_ choices: Choices) {
        if count < 2 { return }
        swapAt(choices.below(count - 1), count - 1)
    }
}
