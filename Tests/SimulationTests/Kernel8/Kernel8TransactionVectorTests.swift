// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The card's channel, certificates and cryptogram against complete transactions of an independent implementation (Book
/// C-8, chapter 8 and Annex B).
@Suite struct Kernel8TransactionVectorTests {
    private typealias Vectors = Kernel8Vectors

    private static func channel(_ sheet: Kernel8Vectors.Sheet) throws -> Kernel8Channel {
        let kernel = try #require(P256.Point(sheet.bytes("kernel.public (9E)")))
        return try #require(
            Kernel8Channel(
                card: P256PrivateKey(sheet.number("icc.private")), factor: sheet.number("blindingFactor"),
                kernel: kernel))
    }

    @Test(arguments: Kernel8Vectors.transactions)
    func bothSidesAgreeOnTheSessionKeys(name: String) throws {
        let sheet = try Vectors.sheet(name)
        let channel = try Self.channel(sheet)
        #expect(channel.cardKeyData == sheet.bytes("cardKeyData (9F8103)"))
        #expect(Array(channel.cardKeyData.prefix(32)) == sheet.bytes("blindedPublic.x"))
        #expect(channel.keys.confidentiality == AES(key: sheet.bytes("SKc")))
        #expect(channel.keys.integrity == AES(key: sheet.bytes("SKi")))
        let kernel = P256PrivateKey(sheet.number("kernel.private"))
        #expect(kernel.point.bytes == sheet.bytes("kernel.public (9E)"))
        let blinded = try #require(P256.Point(x: sheet.bytes("blindedPublic.x")))
        #expect(blinded.multiplied(by: kernel.scalar)?.x.bytes == sheet.bytes("Z"))
        #expect(Kernel8SessionKeys(shared: sheet.bytes("Z")) == channel.keys)
    }

    @Test(arguments: Kernel8Vectors.transactions)
    func recordsAndEnvelopesGoThroughTheChannel(name: String) throws {
        let sheet = try Vectors.sheet(name)
        var channel = try Self.channel(sheet)
        var rest = sheet.bytes("signedRecords")
        for number in 1...2 where sheet.values["record\(number)"] != nil {
            let record = try #require(DataObject.parse(sheet.bytes("record\(number)"))?.first)
            #expect(record.tag == 0xDA)
            #expect(channel.encrypt(Array(rest.prefix(record.value.count))) == record.value)
            rest.removeFirst(min(rest.count, record.value.count))
        }
        if sheet.values.keys.contains(where: { $0.hasPrefix("record2.encrypted") }) {
            let hidden = try sheet.bytes(from: "record2.encrypted")
            #expect(channel.encrypt(Array(rest.prefix(hidden.count))) == hidden)
            rest.removeFirst(min(rest.count, hidden.count))
        }
        #expect(rest.isEmpty)
        #expect(channel.envelope(sheet.bytes("envelope")) == (try sheet.bytes(from: "readData.response")))
        for number in 1...2 {
            let opened = channel.open(try sheet.bytes(from: "writeData\(number).command"))
            #expect(opened.mac == (try sheet.bytes(from: "writeData\(number).response")))
            #expect(DataObject.parse(opened.object)?.count == 1)
        }
    }

    @Test(arguments: Kernel8Vectors.transactions)
    func macsBindBothSides(name: String) throws {
        let sheet = try Vectors.sheet(name)
        let channel = try Self.channel(sheet)
        let staticData = sheet.bytes("signedRecords") + sheet.bytes("extendedSdaData") + sheet.bytes("aip")
        #expect(staticData == sheet.bytes("staticData"))
        #expect(SHA256.hash(staticData) == sheet.bytes("sdaHash"))
        let input = Kernel8MACInput(
            pdolValues: sheet.bytes("pdolValues"), cdolData: sheet.bytes("cdol1RelatedData"),
            relay: sheet.bytes("terminalRelayResistanceEntropy") + sheet.bytes("lastErrdResponse"),
            objects: try sheet.bytes(from: "generateAcObjects"), dataHash: sheet.bytes("sdaHash"))
        #expect(input.bytes == sheet.bytes("iadMac.message"))
        #expect(channel.keys.issuerDataMAC(of: input) == sheet.bytes("iadMac"))
        let bound = try name == "version-1" ? sheet.bytes(from: "iad.withMac") : sheet.bytes("iadMac")
        #expect(
            channel.keys.authenticationMAC(cryptogram: sheet.bytes("applicationCryptogram"), bound: bound)
                == (try sheet.bytes(from: "edaMac")))
    }

    @Test(arguments: Kernel8Vectors.transactions)
    func theIssuerComputesTheCryptogramWithTheMACInPlace(name: String) throws {
        let sheet = try Vectors.sheet(name)
        let objects = try #require(DataObject.parse(sheet.bytes("signedRecords")))
        let account = try #require(objects.first { $0.tag == 0x5A }).value
        let pan = account.hex.filter { $0 != "F" }
        let sequence = objects.first { $0.tag == 0x5F34 }?.value.first ?? 0
        let master = CardKey(aes: sheet.bytes("issuerMasterKey"))
        var card = try #require(KeyDerivation.optionC.cardKey(master: master, pan: pan, sequence: sequence))
        if !pan.count.isMultiple(of: 2) {
            // Book 2, A1.4.3 omits the F after an odd number of digits, the sheet's derivation keeps it: the key
            // derivation of a Kernel 8 card is not public.
            let block = [UInt8](repeating: 0, count: 15 - account.count) + account + [sequence]
            #expect(card.bytes != sheet.bytes("iccMasterKey"))
            card = CardKey(aes: master.encrypt(block))
        }
        #expect(card.bytes == sheet.bytes("iccMasterKey"))

        let data = try sheet.bytes(from: "iad.withMac")
        let rule = try #require(CryptogramRule(issuerData: data, scheme: .kernel8))
        // The first eight objects of CDOL1; the cryptogram does not cover the later ones.
        let covered = Array([DataRequest].kernel8Cryptogram.prefix(8))
        let sent = TerminalData(covered, Array(sheet.bytes("cdol1RelatedData").prefix(29)))
        let answer = try #require(DataObject.parse(try sheet.bytes(from: "generateAcObjects")))
        let counter = try #require(answer.first { $0.tag == 0x9F36 }).value
        let told = try #require(sent)
        let message = try #require(
            rule.message { tag in
                switch tag {
                case 0x9F10: data
                case 0x82: sheet.bytes("aip")
                case 0x9F36: counter
                default: told.raw(tag.rawValue)
                }
            })
        #expect(message == sheet.bytes("ac.message"))
        let key = rule.key(card, counter: UInt16(counter[0]) << 8 | UInt16(counter[1]), number: [])
        #expect(key.bytes == sheet.bytes("acSessionKey"))
        #expect(rule.cryptogram(key, message: message) == sheet.bytes("applicationCryptogram"))
    }

    // MARK: Certificates

    @Test(arguments: Kernel8Vectors.transactions)
    func certificatesAreLaidOutAndSignedAsTheBookSays(name: String) throws {
        let sheet = try Vectors.sheet(name)
        let signed = sheet.bytes("issuerCertificate.signed")
        let issuer = Kernel8Certificate.Issuer(
            identifier: Array(signed[2..<7]).hex.filter { $0 != "F" }, expires: Array(signed[8..<12]).hex,
            serial: Array(signed[12..<15]), rid: Array(signed[15..<20]), authorityIndex: signed[20],
            key: Array(sheet.bytes("issuer.public").prefix(32)))
        #expect(issuer.message == signed)
        try check(sheet, "issuerCertificate", signer: "ca", length: 53)

        let second = sheet.bytes("iccCertificate.signed")
        let card = Kernel8Certificate.Card(
            expires: Array(second[3..<7]).hex, expiryTime: Array(second[7..<9]).hex, serial: Array(second[9..<15]),
            dataHash: sheet.bytes("sdaHash"), key: Array(sheet.bytes("icc.public").prefix(32)))
        #expect(card.message == second)
        try check(sheet, "iccCertificate", signer: "issuer", length: 81)
    }

    private func check(_ sheet: Kernel8Vectors.Sheet, _ label: String, signer: String, length: Int) throws {
        let key = P256PrivateKey(sheet.number("\(signer).private"))
        let message = sheet.bytes("\(label).signed")
        #expect(message.count == length)
        let signature = SchnorrSignature.sign(message, with: key, nonce: sheet.number("\(label).k"))
        #expect(signature == sheet.bytes("\(label).signature"))
        let certificate = sheet.bytes(label)
        #expect(message + signature == certificate)
        #expect(Kernel8Certificate.verify(certificate, length: length, by: key.point))
        for byte in [0, length - 1, length, certificate.count - 1] {
            var wrong = certificate
            wrong[byte] ^= 0x10
            #expect(!Kernel8Certificate.verify(wrong, length: length, by: key.point))
        }
        #expect(!Kernel8Certificate.verify(certificate + [0], length: length, by: key.point))
    }
}
