// SPDX-License-Identifier: Apache-2.0
import BigInt
import Foundation

@testable import EMVCards
@testable import EMVSimulator

/// A terminal that requests everything, makes no decision and records the card's answers.
struct PlainTerminal {
    var qualifiers = "36004000"
    var amount: UInt64 = 1250
    var country = "0276"
    var number = "01020304"
    var type = "00"
    /// Additional data objects, in their own lengths.
    var more: [UInt32: [UInt8]] = [:]

    struct Conversation {
        /// Commands and complete responses, in order.
        var exchanges: [(command: [UInt8], response: [UInt8])] = []
        /// Primitive data objects of the answer to GET PROCESSING OPTIONS and of all records, in order.
        var objects: [DataObject] = []
        /// The record bytes that offline data authentication covers.
        var staticData: [UInt8] = []
        /// The status word that ended the conversation; 9000 if it was complete.
        var status: [UInt8] = [0x90, 0x00]

        subscript(_ tag: UInt32) -> [UInt8]? { objects.first { $0.tag == tag }?.value }

        var hasRepeatedObjects: Bool { Set(objects.map(\.tag)).count != objects.count }
    }

    /// Selects the first application of the directory, or `aid`, and reads everything it offers.
    func tap<Card: SimulatedCard>(_ card: inout Card, aid: [UInt8]? = nil) -> Conversation {
        var talk = Conversation()
        func send(_ command: [UInt8]) -> [UInt8]? {
            let response = card.respond(to: command)
            talk.exchanges.append((command, response))
            talk.status = Array(response.suffix(2))
            return talk.status == [0x90, 0x00] ? Array(response.dropLast(2)) : nil
        }
        guard let directory = send(Self.select(Array("2PAY.SYS.DDF01".utf8))) else { return talk }
        guard let name = aid ?? Self.firstName(directory) else { return talk }
        guard let control = send(Self.select(name)) else { return talk }
        let list = Self.find(0x9F38, in: control) ?? []
        let data = fill(list)
        let template = DataObject(0x83, data).bytes
        guard let answer = send([0x80, 0xA8, 0x00, 0x00, UInt8(template.count)] + template + [0x00]),
            let outer = DataObject.parse(answer)?.first
        else { return talk }
        let locator: [UInt8]
        if outer.tag == 0x80 {
            talk.objects.append(DataObject(0x82, Array(outer.value.prefix(2))))
            locator = Array(outer.value.dropFirst(2))
        } else {
            talk.objects += Self.primitives(outer.value)
            locator = talk[0x94] ?? []
        }
        for entry in stride(from: 0, to: locator.count / 4 * 4, by: 4) {
            let file = locator[entry] >> 3
            for record in locator[entry + 1]...max(locator[entry + 1], locator[entry + 2]) {
                guard let bytes = send([0x00, 0xB2, record, file << 3 | 0x04, 0x00]),
                    let template = DataObject.parse(bytes)?.first
                else { return talk }
                talk.objects += Self.primitives(template.value)
                if record - locator[entry + 1] < locator[entry + 3] {
                    talk.staticData += file <= 10 ? template.value : bytes
                }
            }
        }
        return talk
    }

    static func select(_ name: [UInt8]) -> [UInt8] { [0x00, 0xA4, 0x04, 0x00, UInt8(name.count)] + name + [0x00] }

    /// First data object of a tag at any depth.
    static func find(_ tag: UInt32, in bytes: [UInt8]) -> [UInt8]? {
        for object in DataObject.parse(bytes) ?? [] {
            if object.tag == tag { return object.value }
            if object.isTemplate, let found = find(tag, in: object.value) { return found }
        }
        return nil
    }

    private static func firstName(_ directory: [UInt8]) -> [UInt8]? {
        guard let entry = find(0x61, in: directory) else { return nil }
        return find(0x4F, in: entry).map { $0 + (find(0x9F29, in: entry) ?? []) }
    }

    private static func primitives(_ bytes: [UInt8]) -> [DataObject] {
        (DataObject.parse(bytes) ?? []).flatMap { $0.isTemplate ? primitives($0.value) : [$0] }
    }

    /// The terminal's data for a list, cut or padded according to EMV Book 3, 5.4.
    func fill(_ list: [UInt8]) -> [UInt8] {
        var data: [UInt8] = []
        var at = 0
        while at < list.count {
            var tag = UInt32(list[at])
            at += 1
            if tag & 0x1F == 0x1F {
                repeat {
                    tag = tag << 8 | UInt32(list[at])
                    at += 1
                } while list[at - 1] & 0x80 != 0
            }
            let count = Int(list[at])
            at += 1
            let value = self.value(tag)
            let isNumeric = [0x9F02, 0x9F03, 0x9F1A, 0x5F2A, 0x9A, 0x9C].contains(tag)
            let zeros = [UInt8](repeating: 0, count: max(0, count - value.count))
            data += isNumeric ? zeros + value.suffix(count) : value.prefix(count) + zeros
        }
        return data
    }

    func value(_ tag: UInt32) -> [UInt8] {
        switch tag {
        case 0x9F66: [UInt8](hex: qualifiers)
        case 0x9F02: [UInt8](hex: String(repeating: "0", count: 12 - String(amount).count) + String(amount))
        case 0x9F03: [0, 0, 0, 0, 0, 0]
        case 0x9F1A: [UInt8](hex: country)
        case 0x95: [0, 0, 0, 0, 0]
        case 0x5F2A: more[tag] ?? [0x09, 0x78]
        case 0x9A: [0x26, 0x11, 0x21]
        case 0x9C: [UInt8](hex: type)
        case 0x9F37: [UInt8](hex: number)
        case 0x9F35: more[tag] ?? [0xE2]
        case 0x9F6E: more[tag] ?? [0x9C, 0xE0, 0x00, 0x03]
        default: more[tag] ?? []
        }
    }
}

/// Offline data authentication from the books, on plain big integers. Only SHA-1 is shared with the simulator; known
/// answers verify it.
struct ChainCheck {
    enum Failure: Error, Hashable {
        case noAuthority, length, trailer, format, hash, identifier, pan, expired, revoked, version
        case missing(UInt32)
    }

    let conversation: PlainTerminal.Conversation
    let terminal: PlainTerminal
    var authorities: [CAKeyMaterial] = CardAuthority.publicKeys
    /// Issuer certificates that are revoked.
    var revokedSerials: Set<[UInt8]> = []
    /// Year and month of the check, as 100 × year + month.
    var month = 202611

    /// The card's key, after its chain has been verified.
    func cardKey() throws -> [UInt8] {
        let index = try need(0x8F)
        guard let authority = authorities.first(where: { [$0.index] == index }) else { throw Failure.noAuthority }
        let issuerKey = try recover(
            try need(0x90), modulus: authority.modulus, exponent: authority.exponent, format: 0x02, head: 14,
            remainder: conversation[0x92] ?? [], ownExponent: try need(0x9F32), trailing: [])
        let pan = (conversation[0x5A] ?? []).hex.prefix { $0 != "F" }
        guard pan.hasPrefix(issuerKey.identifier.hex.prefix { $0 != "F" }) else { throw Failure.identifier }

        guard conversation[0x9F4A] == [0x82] else { throw Failure.missing(0x9F4A) }
        let cardKey = try recover(
            try need(0x9F46), modulus: issuerKey.modulus, exponent: try need(0x9F32), format: 0x04, head: 20,
            remainder: conversation[0x9F48] ?? [], ownExponent: try need(0x9F47),
            trailing: conversation.staticData + (try need(0x82)))
        guard cardKey.identifier.hex.prefix(while: { $0 != "F" }) == pan else { throw Failure.pan }

        return cardKey.modulus
    }

    /// The Signed Data Format of fDDA, after everything else has been verified.
    func verify() throws -> UInt8 {
        let block = try open(try need(0x9F4B), modulus: try cardKey(), exponent: try need(0x9F47))
        let authentication = try need(0x9F69)
        guard authentication.first == 0x01 else { throw Failure.version }
        let data = terminal.value(0x9F37) + terminal.value(0x9F02) + terminal.value(0x5F2A) + authentication
        guard block[2] == 0x01, block[3] == 0x03, block[4] == 0x02 else { throw Failure.format }
        guard Array(block[5...6]) == (try need(0x9F36)) else { throw Failure.format }
        guard hash(of: block, and: data) else { throw Failure.hash }
        return block[1]
    }

    /// The contents of a combined signature.
    struct Combined: Hashable {
        var dynamicNumber: [UInt8]
        var type: UInt8
        var cryptogram: [UInt8]
        var dataHash: [UInt8]
        /// The data after the transaction data hash.
        var extra: [UInt8]
    }

    /// Combined dynamic data authentication (Book 2, 6.6.2).
    func combined(_ signature: [UInt8], number: [UInt8]) throws -> Combined {
        let block = try open(signature, modulus: try cardKey(), exponent: try need(0x9F47))
        guard block[1] == 0x05, block[2] == 0x01 else { throw Failure.format }
        guard hash(of: block, and: number) else { throw Failure.hash }
        let data = Array(block[4..<4 + Int(block[3])])
        guard block[(4 + data.count)..<(block.count - 21)].allSatisfy({ $0 == 0xBB }) else { throw Failure.format }
        let at = 1 + Int(data[0])
        guard data.count >= at + 29 else { throw Failure.length }
        return Combined(
            dynamicNumber: Array(data[1..<at]), type: data[at], cryptogram: Array(data[at + 1..<at + 9]),
            dataHash: Array(data[at + 9..<at + 29]), extra: Array(data[(at + 29)...]))
    }

    private func hash(of block: [UInt8], and data: [UInt8]) -> Bool {
        SHA1.hash(Array(block[1..<block.count - 21]) + data) == Array(block[(block.count - 21)...].dropLast())
    }

    private func recover(
        _ certificate: [UInt8], modulus: [UInt8], exponent: [UInt8], format: UInt8, head: Int, remainder: [UInt8],
        ownExponent: [UInt8], trailing: [UInt8]
    ) throws -> (modulus: [UInt8], identifier: [UInt8]) {
        let block = try open(certificate, modulus: modulus, exponent: exponent)
        guard block[1] == format else { throw Failure.format }
        let body = Array(block[1..<block.count - 21])
        let hash = Array(block[(block.count - 21)..<(block.count - 1)])
        guard SHA1.hash(body + remainder + ownExponent + trailing) == hash else { throw Failure.hash }
        let expiry = body[(head - 9)...(head - 8)].hex
        if format == 0x02, revokedSerials.contains(Array(body[head - 7...head - 5])) { throw Failure.revoked }
        guard 200_000 + Int(expiry.suffix(2))! * 100 + Int(expiry.prefix(2))! >= month else { throw Failure.expired }
        let count = Int(body[head - 2])
        guard Int(body[head - 1]) == ownExponent.count else { throw Failure.length }
        let field = Array(body[head...])
        let own = field.count >= count ? Array(field.prefix(count)) : field + remainder
        guard own.count == count else { throw Failure.length }
        if field.count > count { guard field[count...].allSatisfy({ $0 == 0xBB }) else { throw Failure.format } }
        return (own, Array(body[1..<head - 9]))
    }

    private func open(_ signed: [UInt8], modulus: [UInt8], exponent: [UInt8]) throws -> [UInt8] {
        guard signed.count == modulus.count else { throw Failure.length }
        let plain = number(signed).power(number(exponent), modulus: number(modulus))
        var bytes = [UInt8](plain.serialize())
        bytes = [UInt8](repeating: 0, count: modulus.count - bytes.count) + bytes
        guard bytes.first == 0x6A, bytes.last == 0xBC else { throw Failure.trailer }
        return bytes
    }

    private func need(_ tag: UInt32) throws -> [UInt8] {
        guard let value = conversation[tag] else { throw Failure.missing(tag) }
        return value
    }
}

func number(_ bytes: [UInt8]) -> BigUInt { BigUInt(Data(bytes)) }

extension ArraySlice<UInt8> {
    var hex: String { Array(self).hex }
}
