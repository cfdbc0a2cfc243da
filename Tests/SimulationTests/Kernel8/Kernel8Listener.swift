// SPDX-License-Identifier: Apache-2.0
@testable import EMVCards
@testable import EMVSimulator

/// The terminal's side of the secure channel, as in the book: it holds the private key, reads a dialogue and reports
/// its findings. It makes no decision.
struct Kernel8Listener {
    /// Errors of a card.
    enum Finding: String, Hashable {
        case cardKeyData, blindingFactor, recordFormat, envelopeMAC, writeMAC
        case issuerCertificate, cardCertificate, authorityIndex, staticDataHash
        case issuerDataMAC, authenticationMAC
    }

    let scalar: Number256
    let authority: P256.Point
    var findings: Set<Finding> = []

    private(set) var version: UInt8 = 2
    private(set) var aid: [UInt8] = []
    private(set) var objects: [UInt32: [UInt8]] = [:]
    private(set) var keys: Kernel8SessionKeys?
    private(set) var pdol: [DataRequest] = []
    private(set) var relay: [UInt8] = []
    private(set) var signedRecords: [UInt8] = []
    private(set) var pdolValues: [UInt8] = []
    private(set) var cdolData: [UInt8] = []
    private(set) var issuerDataMAC: [UInt8] = []
    /// Issuer Application Data with the IAD-MAC at the position that the interchange profile defines.
    private(set) var issuerData: [UInt8] = []
    private(set) var factor: Number256?
    private var counter: UInt16 = 0x8000
    private var kernelCounter: UInt16 = 0
    private var answer: [DataObject] = []

    /// The position of the IAD-MAC if the card leaves it to the terminal (9F821E).
    var terminalOffset = 24

    init(scalar: Number256, authority: P256.Point) {
        self.scalar = scalar
        self.authority = authority
    }

    /// The plain text of READ RECORD, READ DATA and WRITE DATA.
    @discardableResult
    mutating func hear(_ command: [UInt8], _ response: [UInt8]) -> [UInt8] {
        guard response.suffix(2) == [0x90, 0x00], let command = CommandAPDU(command) else { return [] }
        let body = Array(response.dropLast(2))
        switch command.instruction {
        case 0xA4: hearSelection(body)
        case 0xA8: hearOptions(command.data, body)
        case 0xEA: relay = command.data + body.dropFirst(2)
        case 0xB2: return hearRecord(command, body)
        case 0x32: return hearEnvelope(body)
        case 0x34: return hearWritten(command.data, body)
        case 0xAE: hearCryptogram(command.data, body)
        default: break
        }
        return []
    }

    private mutating func take(_ list: [DataObject]) {
        for object in list {
            if object.isTemplate { take(DataObject.parse(object.value) ?? []) }
            if !object.isTemplate { objects[object.tag] = object.value }
        }
    }

    private mutating func hearSelection(_ body: [UInt8]) {
        objects = [:]
        take(DataObject.parse(body) ?? [])
        if let qualifier = objects[0x9F2C] { version = qualifier[0] }
        aid = objects[0x84] ?? []
        pdol = Self.list(objects[0x9F38] ?? [])
    }

    private mutating func hearOptions(_ data: [UInt8], _ body: [UInt8]) {
        pdolValues = DataObject.parse(data)?.first?.value ?? []
        take(DataObject.parse(body) ?? [])
        guard let keyData = objects[0x9F8103], keyData.count == 64,
            let blinded = P256.Point(x: Array(keyData.prefix(32))),
            let shared = blinded.multiplied(by: scalar)
        else {
            findings.insert(.cardKeyData)
            return
        }
        let keys = Kernel8SessionKeys(shared: shared.x.bytes)
        self.keys = keys
        factor = Number256(keys.confidentiality.counterMode(Array(keyData.suffix(32)), counter: 0x8000))
        counter = 0x8001
    }

    private mutating func hearRecord(_ command: CommandAPDU, _ body: [UInt8]) -> [UInt8] {
        guard let template = DataObject.parse(body), template.count == 1, let keys else {
            findings.insert(.recordFormat)
            return []
        }
        var value = template[0].value
        if template[0].tag == 0xDA {
            value = keys.confidentiality.counterMode(value, counter: counter)
            counter += 1
        }
        guard let list = DataObject.parse(value), [0xDA, 0x70].contains(template[0].tag) else {
            findings.insert(.recordFormat)
            return []
        }
        take(list)
        let locator = objects[0x94] ?? []
        for entry in stride(from: 0, to: locator.count - 3, by: 4)
        where locator[entry] >> 3 == command.p2 >> 3 && command.p1 >= locator[entry + 1]
            && command.p1 < locator[entry + 1] + locator[entry + 3]
        {
            signedRecords += value
        }
        return value
    }

    private mutating func hearEnvelope(_ body: [UInt8]) -> [UInt8] {
        guard let keys, body.count >= 8 else { return [] }
        let hidden = Array(body.dropLast(8))
        let mac = keys.integrity.cipherMAC(counter.bigEndianBytes + hidden).prefix(8)
        if mac != body.suffix(8) { findings.insert(.envelopeMAC) }
        defer { counter += 1 }
        return keys.confidentiality.counterMode(hidden, counter: counter)
    }

    private mutating func hearWritten(_ data: [UInt8], _ body: [UInt8]) -> [UInt8] {
        guard let keys else { return [] }
        let plain = keys.confidentiality.counterMode(data, counter: kernelCounter)
        let mac = keys.integrity.cipherMAC(counter.bigEndianBytes + plain).prefix(8)
        if mac != body[...] { findings.insert(.writeMAC) }
        kernelCounter += 1
        counter += 1
        return plain
    }

    /// The enciphered data for the next WRITE DATA.
    func hidden(_ object: DataObject) -> [UInt8] {
        keys?.confidentiality.counterMode(object.bytes, counter: kernelCounter) ?? []
    }

    private mutating func hearCryptogram(_ data: [UInt8], _ body: [UInt8]) {
        cdolData = data
        answer = DataObject.parse(body).flatMap { $0.first }.flatMap { DataObject.parse($0.value) } ?? []
        take(answer)
        checkMACs()
        checkChain()
    }

    private static func list(_ bytes: [UInt8]) -> [DataRequest] {
        var rest = bytes[...]
        var list: [DataRequest] = []
        while let first = rest.popFirst() {
            var tag = UInt32(first)
            if first & 0x1F == 0x1F {
                repeat { tag = tag << 8 | UInt32(rest.first ?? 0) } while (rest.popFirst() ?? 0) & 0x80 != 0
            }
            list.append(DataRequest(tag, rest.popFirst() ?? 0))
        }
        return list
    }

    /// The entries of CDOL1.
    var cdol: [DataRequest] { Self.list(objects[0x8C] ?? []) }

    // MARK: Checks

    private var staticData: [UInt8] {
        let tags = Self.tags(objects[0x9F810A] ?? [])
        let extended = tags.flatMap { DataObject($0, objects[$0] ?? []).bytes }
        return signedRecords + extended + (objects[0x82] ?? [])
    }

    static func tags(_ bytes: [UInt8]) -> [UInt32] {
        var rest = bytes[...]
        var tags: [UInt32] = []
        while let first = rest.popFirst() {
            var tag = UInt32(first)
            if first & 0x1F == 0x1F {
                repeat { tag = tag << 8 | UInt32(rest.first ?? 0) } while (rest.popFirst() ?? 0) & 0x80 != 0
            }
            tags.append(tag)
        }
        return tags
    }

    private mutating func checkMACs() {
        guard let keys else { return }
        let left: Set<UInt32> = version == 1 ? [0x9F26, 0x9F8105, 0x9F10] : [0x9F26, 0x9F8105]
        issuerDataMAC = keys.issuerDataMAC(
            of: Kernel8MACInput(
                pdolValues: pdolValues, cdolData: cdolData, relay: relay,
                objects: answer.filter { !left.contains($0.tag) }.flatMap(\.bytes),
                dataHash: SHA256.hash(staticData)))
        issuerData = objects[0x9F10] ?? []
        let profile = objects[0x82] ?? [0, 0]
        let place = profile[1] >> 1 & 3
        let offset = place == 1 ? terminalOffset : place == 2 ? Int(objects[0x9F8107]?.first ?? 0xFF) : nil
        if let offset {
            guard offset + 8 <= issuerData.count else {
                findings.insert(.issuerDataMAC)
                return
            }
            issuerData.replaceSubrange(offset..<offset + 8, with: issuerDataMAC)
        }
        let expected = keys.authenticationMAC(
            cryptogram: objects[0x9F26] ?? [], bound: version == 1 ? issuerData : issuerDataMAC)
        if objects[0x9F8105] != expected { findings.insert(.authenticationMAC) }
    }

    private mutating func checkChain() {
        guard objects[0x82]?.first.map({ $0 & 1 == 1 }) ?? false else { return }
        guard objects[0x8F] != nil else {
            findings.insert(.authorityIndex)
            return
        }
        let card: P256.Point?
        if objects[0x9F47] == nil {
            card = ellipticKey()
        } else {
            // Certificate's tests check the RSA chain itself; its hash covers these data.
            let signed = DataObject.parse(signedRecords) ?? []
            card = signed.first { $0.tag == 0x9F810B }.flatMap { P256.Point(x: $0.value) }
        }
        guard let card, let factor, let blinded = objects[0x9F8103]?.prefix(32),
            card.multiplied(by: factor)?.x.bytes == Array(blinded)
        else {
            findings.insert(.blindingFactor)
            return
        }
    }

    private mutating func ellipticKey() -> P256.Point? {
        let pan = (objects[0x5A] ?? []).hex
        guard let issuer = objects[0x90], Kernel8Certificate.verify(issuer, length: 53, by: authority),
            pan.hasPrefix(Array(issuer[2..<7]).hex.filter { $0 != "F" }),
            Array(issuer[15..<20]) == Array(aid.prefix(5)), [issuer[20]] == objects[0x8F],
            let issuerKey = P256.Point(x: Array(issuer[21..<53]))
        else {
            findings.insert(.issuerCertificate)
            return nil
        }
        guard let card = objects[0x9F46], Kernel8Certificate.verify(card, length: 81, by: issuerKey) else {
            findings.insert(.cardCertificate)
            return nil
        }
        if Array(card[17..<49]) != SHA256.hash(staticData) { findings.insert(.staticDataHash) }
        return P256.Point(x: Array(card[49..<81]))
    }
}
