// SPDX-License-Identifier: Apache-2.0
// Random cards: a directory, applications that sign, and every kind of defect in their answers. A card knows the
// objects of its PDOL, so its dynamic signature is right unless it is meant to be wrong.

struct Application {
    var name: Bytes
    var entry: Bytes
    var selection: Bytes
    var list: [ListEntry]
    /// Objects of the answer to GET PROCESSING OPTIONS, the signature among them as 9F4B without a value.
    var objects: [(UInt32, Bytes)]
    var status: Bytes
    var records: [[UInt8]: Bytes]
    var signing: Signing?
    var answerForm: Int
}

struct Signing {
    var key: PrivateKey
    var related: Bytes
    var format: UInt8
    var defect: Int
    var place: Int
}

final class Card {
    let choices: Choices
    let reader: Reader
    var applications: [Application] = []
    /// How many of a thousand places have a defect.
    private let disorder: Int
    private(set) var directory: Bytes = []
    private(set) var secondDirectory: Bytes?

    /// `others`: directory entries of applications that this card does not have.
    init(_ choices: Choices, _ reader: Reader, beside others: Bytes = []) {
        self.choices = choices
        self.reader = reader
        disorder = [0, 8, 40][choices.pick([6, 3, 2])]
        var entries = others
        var extra: Bytes = []
        let count = choices.pick([30, 10, 4, 1]) + 1
        for _ in 0..<count { applications.append(Card.application(choices, reader, disorder)) }
        if choices.rarely(8) {
            for _ in 0..<choices.below(20) { entries += tlv(0x61, tlv(0x4F, reader.aids[0])) }
        }
        for application in applications { entries += filler() + application.entry }
        if choices.rarely(disorder * 2) { entries += tlv(0x73, choices.bytes(3)) }
        if choices.rarely(30) {
            extra += tlv(
                0x9F3F,
                choices.one([Bytes([0x9F, 0x02, 0x06, 0x5F, 0x2A, 0x02]), [0x8B, 0x05, 0x9F, 0x1A, 0x02], [], [0x9F]]))
        }
        if choices.rarely(60) { extra += tlv(0x9F3E, choices.one([[0x00, 0x01], [0x00, 0x03, 0x00, 0x02], [0x01]])) }
        var body = information(tlv(0xBF0C, entries + extra), name: Bytes("2PAY.SYS.DDF01".utf8))
        if choices.rarely(disorder) { body = damage(body) }
        directory = body + choices.mostly([0x90, 0x00], [[0x6A, 0x82], [0x62, 0x83], [0x6A, 0x81]], 10)
        if !extra.isEmpty {
            let some = choices.rarely(200) ? applications[0].entry : entries
            secondDirectory =
                information(tlv(0xBF0C, some + (choices.rarely(200) ? extra : [])), name: nil)
                + choices.mostly([0x90, 0x00], [[0x6A, 0x82]], 60)
        }
    }

    private func filler() -> Bytes {
        choices.rarely(disorder) ? choices.one([[0x00], [0x00, 0x00], [0xFF]]) : []
    }

    private func information(_ own: Bytes, name: Bytes?) -> Bytes {
        var fci: Bytes = []
        if let name, !choices.rarely(disorder) { fci += tlv(0x84, name) }
        return filler() + tlv(0x6F, fci + filler() + tlv(0xA5, filler() + own)) + filler()
    }

    /// A byte less, a byte more, a byte changed.
    private func damage(_ bytes: Bytes) -> Bytes { Card.damage(choices, bytes) }

    private static func damage(_ choices: Choices, _ bytes: Bytes) -> Bytes {
        if bytes.isEmpty { return bytes }
        var out = bytes
        switch choices.below(3) {
        case 0: out.removeLast()
        case 1: out.append(choices.one([0x01, 0x77, 0x9F, 0x00]))
        default: out[choices.below(out.count)] ^= UInt8(choices.one([0x01, 0x80, 0x20, 0xFF]))
        }
        return out
    }

    // MARK: an application

    private static func application(_ choices: Choices, _ reader: Reader, _ disorder: Int) -> Application {
        var name = choices.mostly(choices.one(reader.aids), Reader.names, 60)
        if name.count < 7 { name += [0x10, 0x01] }
        switch choices.pick([40, 5, 1, 1]) {
        case 1: name += [UInt8(choices.below(3) + 1)]
        case 2: name = Array(name.prefix(4))
        case 3: name = Array((name + Bytes(repeating: 0x11, count: 16)).prefix(choices.one([16, 17])))
        default: break
        }
        var parts: [Bytes] = [tlv(0x4F, name), tlv(0x50, Bytes("VISA".utf8))]
        if !choices.rarely(200) { parts.append(tlv(0x87, [choices.one([0x01, 0x02, 0x00, 0x0F, 0x81])])) }
        let isVisa = name.starts(with: [0xA0, 0x00, 0x00, 0x00, 0x03])
        if choices.rarely(150) || (name.starts(with: [0xA0, 0x00, 0x00, 0x00, 0x65]) && !choices.rarely(100)) {
            parts.append(
                tlv(
                    0x9F2A,
                    choices.mostly(
                        [0x03],
                        [[], [0x00], [0x02], [0x83, 0x00, 0x00], [0x43], [0x03, 0x01], [0x00, 0x01], [0x80, 0x03]]
                            + [[0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00], Bytes(repeating: 3, count: 9)],
                        600)))
        }
        if choices.rarely(150) {
            parts.append(tlv(0x9F29, choices.one([[0x01], [0x01, 0x02, 0x03], Bytes(repeating: 9, count: 10)])))
        }
        if choices.rarely(disorder) { parts.remove(at: choices.below(parts.count)) }
        if choices.rarely(disorder) { parts.append(tlv(0x73, choices.bytes(3))) }
        if choices.rarely(disorder) { parts.reverse() }
        if choices.rarely(disorder) { parts.append(tlv(0x9F02, [1, 2, 3])) }
        var entry = tlv(0x61, parts.flatMap { $0 })
        if choices.rarely(disorder / 2) { entry = damage(choices, entry) }

        var application = Application(
            name: name, entry: entry, selection: [], list: [], objects: [], status: [0x90, 0x00], records: [:],
            signing: nil, answerForm: 0)
        select(choices, &application, isVisa, disorder)
        contents(choices, reader, &application, disorder)
        return application
    }

    private static func select(_ choices: Choices, _ application: inout Application, _ isVisa: Bool, _ disorder: Int) {
        var list: [ListEntry] = [(0x9F66, 4), (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3)]
            .map { ListEntry(tag: $0.0, length: $0.1) }
        list += [ListEntry(tag: 0x9C, length: 1), ListEntry(tag: 0x9F37, length: 4)]
        if choices.rarely(300) {
            for _ in 0...choices.below(5) {
                let tag = choices.one(
                    [
                        0x9F35, 0x9F4E, 0x9F06, 0x9F1B, 0x9F21, 0x9F41, 0x9F33, 0x9F40, 0x9F15, 0x5F36, 0x9F1E, 0x9F1C,
                        0x9F16,
                    ]
                        + [0x9F01, 0x9F09, 0x9F7A, 0x9F58, 0x57, 0x9F10, 0x9F6C, 0x82, 0xDF01, 0x81, 0x9F39, 0x9F53]
                        + [0x9F66, 0x9F02, 0x9F37, 0x5F2A, 0x9F03, 0x9A, 0x9C, 0x9F1A] as [UInt32])
                list.append(ListEntry(tag: tag, length: choices.one([4, 1, 2, 3, 6, 8, 11, 15, 0, 20])))
            }
        }
        if choices.rarely(disorder) { list.remove(at: choices.below(list.count)) }
        if choices.rarely(disorder / 2) {
            list.append(ListEntry(tag: 0x9F4E, length: choices.one([120, 200, 228, 255])))
        }
        application.list = list
        var bytes = list.flatMap { tagBytes($0.tag) + [UInt8($0.length)] }
        if choices.rarely(disorder / 3) { bytes = damage(choices, bytes) }
        var own = tlv(0x50, Bytes("VISA".utf8))
        if !choices.rarely(disorder) { own += tlv(0x9F38, bytes) }
        if choices.rarely(disorder) { own += tlv(0x87, [0x01]) + tlv(0x73, choices.bytes(2)) }
        if choices.rarely(disorder) { own += tlv(0xBF0C, tlv(0x9F5A, [0x01, 0x02]) + tlv(0xDF62, [0x01])) }
        var name = application.name
        if choices.rarely(disorder) { name.append(0x00) }
        var fci = tlv(0x6F, (choices.rarely(disorder) ? [] : tlv(0x84, name)) + tlv(0xA5, own))
        if choices.rarely(disorder / 2) { fci = damage(choices, fci) }
        application.selection = fci + choices.mostly([0x90, 0x00], [[0x6A, 0x82], [0x62, 0x83], [0x6A, 0x81]], 20)
    }

    /// The application's answers to GET PROCESSING OPTIONS and READ RECORD.
    private static func contents(
        _ choices: Choices, _ reader: Reader, _ application: inout Application, _ disorder: Int
    ) {
        let type = choices.pick([9, 9, 3, 1])  // TC, ARQC, AAC, RFU
        let information: UInt8 = [0x40, 0x80, 0x00, 0xC0][type]
        var qualifiers: Bytes?
        if !choices.rarely(120) {
            var first: UInt8 = 0
            for bit in [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02] as [UInt8] where choices.rarely(220) { first |= bit }
            qualifiers = [first, choices.one([0x00, 0x40, 0x80, 0xC0])]
        }
        let account = unhex(Reader.account)!
        var inAnswer: [(UInt32, Bytes)] = [(0x82, choices.mostly([0x20, 0x00], [[0x00, 0x40], [0xFF, 0xFF]], 60))]
        if !choices.rarely(250) { inAnswer.append((0x9F27, [information | choices.mostly(0, [0x0F], 30)])) }
        let issuerByte = UInt8(information >> 2) | choices.mostly(0x03, [0xCF, 0x00], 50)
        inAnswer.append((0x9F10, [0x06, 0x01, 0x0A, 0x03, issuerByte, 0x00, 0x00]))
        inAnswer.append((0x57, account + unhex("D30122010000012345")!))
        inAnswer.append((0x9F36, [0x00, 0x15]))
        inAnswer.append((0x9F26, choices.bytes(8)))
        if !choices.rarely(200) { inAnswer.append((0x5F34, [0x01])) }
        if let qualifiers { inAnswer.append((0x9F6C, qualifiers)) }
        if choices.rarely(150) {
            inAnswer.append(
                (
                    0x9F5D,
                    choices.mostly(
                        decimal(4200, 6), [Bytes(repeating: 0xAA, count: 6), Bytes(repeating: 0, count: 6)], 200)
                ))
        }
        if choices.rarely(150) { inAnswer.append((0x9F6E, [0x20, 0x70, 0x00, choices.one([0x00, 0x03, 0xFF])])) }
        if choices.rarely(100) { inAnswer.append((0x9F7C, choices.bytes(choices.one([4, 1, 32])))) }
        if choices.rarely(50) { inAnswer.append((0x5F20, Bytes("A/B".utf8))) }

        var first: [(UInt32, Bytes)] = []
        if !choices.rarely(40) {
            first.append((0x5A, choices.mostly(account, [unhex("4761739001010127")!, account + [0xFF]], 25)))
        }
        if !choices.rarely(80) {
            first.append(
                (
                    0x5F24,
                    choices.mostly(
                        unhex("301231")!,
                        [
                            reader.date, unhex("261120")!, unhex("251231")!, unhex("261301")!, unhex("270229")!,
                            unhex("491231")!, unhex("500101")!,
                        ], 200)
                ))
        }
        if !choices.rarely(150) { first.append((0x5F28, choices.mostly([0x02, 0x76], [[0x08, 0x40]], 300))) }
        if !choices.rarely(200) {
            first.append((0x9F07, choices.one([[0xFF, 0xFF], [0x3F, 0x3F], [0x80, 0x80], [0x40, 0x40]])))
        }
        if choices.rarely(60) { first.append((0x9F24, Bytes(repeating: 0x41, count: 29))) }
        let noRecords = type == 1 ? 500 : 40
        var records: [(file: UInt8, signed: Bool, objects: [(UInt32, Bytes)])] = []
        if !choices.rarely(noRecords) {
            let isSigned = !choices.rarely(50)
            let staticFile = choices.mostly(3, [1, 10, 11, 30] as [UInt8], 200)
            var keys: [(UInt32, Bytes)] = []
            var related: [(UInt32, Bytes)] = []
            if choices.rarely(120) {
                first.append((0x9F4A, choices.mostly([0x82], [[0x82, 0x82], [0x9F, 0x36]], 150)))
            }
            records = [(staticFile, isSigned, first)]
            if !choices.rarely(type == 0 ? 30 : 500) {
                sign(choices, reader, &application, type == 1, qualifiers, records, inAnswer, &keys, &related)
                // A record has at most 254 bytes, so certificates have separate records.
                let file = choices.mostly(2, [3, 12] as [UInt8], 100)
                records += keys.map { (file, false, [$0]) }
                records.append((file, false, related))
                inAnswer.append((0x9F4B, []))
            }
        } else {
            inAnswer += first.filter { _ in choices.rarely(300) }
        }
        layOut(choices, &application, inAnswer, records, disorder)
    }

    /// The bytes of records, as the issuer signed them (Book 3, 10.3).
    private static func staticData(_ records: [(file: UInt8, signed: Bool, objects: [(UInt32, Bytes)])]) -> Bytes {
        var out: Bytes = []
        for record in records where record.signed {
            let value = record.objects.flatMap { tlv($0.0, $0.1) }
            out += record.file > 10 ? tlv(0x70, value) : value
        }
        return out
    }

    private static func sign(
        _ choices: Choices, _ reader: Reader, _ application: inout Application, _ forOnline: Bool, _ qualifiers: Bytes?,
        _ records: [(file: UInt8, signed: Bool, objects: [(UInt32, Bytes)])], _ answer: [(UInt32, Bytes)],
        _ keys: inout [(UInt32, Bytes)], _ related: inout [(UInt32, Bytes)]
    ) {
        let defect = choices.rarely(250) ? choices.below(24) + 1 : 0
        let big = choices.rarely(500)
        let card = [TestKeys.card3, TestKeys.card1, TestKeys.card2][big ? choices.below(3) : [0, 2][choices.below(2)]]

        var cardData = Bytes([0x01]) + choices.bytes(4) + (qualifiers ?? [0x00, 0x00])
        switch choices.pick([20, 1, 1, 1]) {
        case 1: cardData = Array(cardData.prefix(choices.one([5, 6])))
        case 2: cardData += choices.bytes(choices.one([1, 9]))
        case 3: cardData[6] ^= choices.one([0x80, 0x40])
        default: break
        }
        if defect == 1 { cardData[0] = 0x02 }

        var covered = staticData(records)
        if records.contains(where: { $0.objects.contains { $0.0 == 0x9F4A } }) {
            covered += answer.first { $0.0 == 0x82 }!.1
        }
        keys = issue(choices, defect, big, card, Holder(account: unhex(Reader.account)!), covered)
        if defect != 18 { related = [(0x9F69, cardData)] }
        application.signing = Signing(
            key: card, related: cardData,
            format: choices.mostly(forOnline ? 0x95 : 0x05, [0x05, 0x95, 0x03], 40), defect: defect, place: 0)
    }

    /// Places objects in the answer and in records, with defects.
    private static func layOut(
        _ choices: Choices, _ application: inout Application, _ answer: [(UInt32, Bytes)],
        _ records: [(file: UInt8, signed: Bool, objects: [(UInt32, Bytes)])], _ disorder: Int
    ) {
        var answer = answer
        var records = records
        if choices.rarely(disorder * 2) && !records.isEmpty && records.last!.signed == false {
            let index = choices.below(answer.count)
            records[records.count - 1].objects.append(answer.remove(at: index))
        }
        answer = disturb(choices, answer, disorder)
        var locator: Bytes = []
        var counters: [UInt8: UInt8] = [:]
        for record in records {
            let number = (counters[record.file] ?? 0) + 1
            counters[record.file] = number
            let objects =
                record.signed && !choices.rarely(disorder) ? record.objects : disturb(choices, record.objects, disorder)
            var body = tlv(0x70, objects.flatMap { tlv($0.0, $0.1) })
            if choices.rarely(disorder) {
                switch choices.below(5) {
                case 0: body += [0x00]
                case 1: body = [0x00] + body
                case 2: body = tlv(0x71, Array(body.dropFirst(2)))
                case 3: body = damage(choices, body)
                default: body = []
                }
            }
            let status: Bytes = choices.mostly([0x90, 0x00], [[0x6A, 0x83], [0x62, 0x81]], disorder / 3)
            application.records[[record.file << 3 | 4, number]] = body + status
            let signed: UInt8 = record.signed ? 1 : 0
            if locator.count >= 4, locator[locator.count - 4] == record.file << 3, signed == 0 {
                locator[locator.count - 2] = number
            } else {
                locator += [record.file << 3, number, number, signed]
            }
        }
        if !locator.isEmpty {
            if choices.rarely(disorder) {
                switch choices.below(5) {
                case 0: locator[0] |= 0x01
                case 1: locator[3] = choices.one([0, 1, 2])
                case 2: locator[1] = 0
                case 3: locator[2] = choices.one([0, 200, 2])
                default: locator = choices.one([[], Array(locator.dropLast()), locator + locator])
                }
            }
            answer.insert((0x94, locator), at: choices.below(answer.count + 1))
        }
        application.objects = answer
        application.status = choices.mostly(
            [0x90, 0x00], [[0x69, 0x84], [0x69, 0x85], [0x69, 0x86], [0x6A, 0x80], [0x62, 0x83], [0x63, 0x00]], 70)
        application.answerForm = choices.rarely(disorder) ? choices.below(7) + 1 : 0
    }

    /// Objects of the terminal, of the issuer, of other kernels, and odd ones of the card.
    private static let foreign: [(UInt32, Bytes)] = [
        (0x9F02, [0x11]), (0x9F37, [0, 0, 0, 0]), (0x9F66, [0xFF, 0xFF, 0xFF, 0xFF]), (0xDF01, [0x01]), (0x95, [0xFF]),
        (0xC1, []), (0x9F6B, unhex("4761739001010127D3012F")!), (0x8E, [0x01]), (0x9F50, [0x01]), (0x9F4D, [0x01]),
        (0x5F2D, [0x64]), (0xE2, [0x57, 0x13]), (0x8C, [0x9F]), (0x9F0B, [0x01]), (0x42, [0x01]), (0x9F1F, []),
        (0x9F38, [0x9F]), (0x8A, [0x30, 0x30]), (0x91, [0x01]), (0x5F25, [0x26, 0x13, 0x01]), (0x9F08, [0x01]),
    ]

    /// Objects that are missing, repeated, of another length, foreign, or in an unknown template.
    private static func disturb(_ choices: Choices, _ objects: [(UInt32, Bytes)], _ disorder: Int) -> [(UInt32, Bytes)]
    {
        var out: [(UInt32, Bytes)] = []
        for object in objects {
            switch choices.pick([10000, disorder, disorder, disorder, disorder, disorder]) {
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
                out.append(choices.one(foreign))
            default: out.append(object)
            }
        }
        if choices.rarely(disorder) { out.reverse() }
        return out
    }

    // MARK: answers

    func processingOptions(_ application: Application, _ command: Bytes) -> Bytes {
        if application.status != [0x90, 0x00] && !choices.rarely(200) { return application.status }
        var body: Bytes = []
        for (tag, value) in application.objects {
            if tag == 0x9F4B, value.isEmpty, let signing = application.signing {
                body += tlv(tag, signature(application, signing, command))
            } else {
                body += tlv(tag, value)
            }
        }
        switch application.answerForm {
        case 1: body = tlv(0x80, [0x20, 0x00, 0x08, 0x01, 0x01, 0x00])
        case 2: body = tlv(0x77, body) + [0x00]
        case 3: body = [0x00] + tlv(0x77, [0x00] + body + [0x00, 0x00])
        case 4: body = Array(tlv(0x77, body).dropLast())
        case 5: body = tlv(0x77, body) + tlv(0x77, [])
        case 6: body = []
        case 7: body = tlv(0x70, body)
        default: body = tlv(0x77, body)
        }
        return body.count > 256 ? application.status : body + application.status
    }

    private func signature(_ application: Application, _ signing: Signing, _ command: Bytes) -> Bytes {
        var values: [UInt32: Bytes] = [:]
        var at = 7
        if command.count > 6, command[6] == 0x81 { at += 1 }
        for entry in application.list where at + entry.length <= command.count {
            if values[entry.tag] == nil { values[entry.tag] = Array(command[at..<at + entry.length]) }
            at += entry.length
        }
        let terminal = (values[0x9F37] ?? []) + (values[0x9F02] ?? []) + (values[0x5F2A] ?? []) + signing.related
        let size = signing.key.modulus.count
        let dynamic: Bytes = [0x04, 0x01, 0x02, 0x03, 0x04]
        var head: Bytes = [signing.format, signing.defect == 19 ? 0x02 : 0x01, UInt8(dynamic.count)] + dynamic
        if signing.defect == 20 { head[2] = UInt8(size - 25 + 1) }
        head += Bytes(repeating: 0xBB, count: size - 22 - head.count)
        var hash = sha1(head + terminal)
        if signing.defect == 21 { hash[19] ^= 0x01 }
        var out = signing.key.sign([0x6A] + head + hash + [0xBC])
        if signing.defect == 22 { out.removeLast() }
        if signing.defect == 23 { out[7] ^= 0x08 }
        if signing.defect == 24 { out = signing.key.sign([0x6B] + head + hash + [0xBC]) }
        return out
    }
}
