// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// The simulator's cryptography of Kernel 8 against known answers of an independent implementation (Book C-8, chapter 8
/// and Annex B).
@Suite struct Kernel8VectorTests {
    private typealias Vectors = Kernel8Vectors

    @Test func everySheetIsThere() {
        #expect(
            Set(Vectors.sheets.keys) == Set(Vectors.transactions + ["ecsdsa-P-256", "ecsdsa-P-521", "edges"]))
    }

    // MARK: The curve

    @Test(arguments: Kernel8Vectors.transactions)
    func keysFollowFromTheirPrivateHalves(name: String) throws {
        let sheet = try Vectors.sheet(name)
        for who in ["ca", "issuer", "icc"] {
            let key = P256PrivateKey(sheet.number("\(who).private"))
            #expect(key.point.bytes == sheet.bytes("\(who).public"), "\(who)")
            #expect(P256.Point(x: key.point.x.bytes)?.bytes == sheet.bytes("\(who).recovered"), "\(who)")
            #expect(P256.Point(key.point.bytes) == key.point)
        }
    }

    /// If a certificate contains only a key's x, the smaller y is recovered.
    @Test func namedKeysHaveTheSmallerRoot() {
        for number in 0..<6 {
            let key = P256PrivateKey(name: "key \(number)")
            #expect(P256.Point(x: key.point.x.bytes) == key.point)
        }
    }

    @Test func signaturesAreThoseOfTheirNonces() throws {
        let sheet = try Vectors.sheet("ecsdsa-P-256")
        let key = P256PrivateKey(sheet.number("private"))
        #expect(key.point.bytes == sheet.bytes("public"))
        for number in 0..<3 {
            let message = sheet.bytes("\(number).message")
            let signature = SchnorrSignature.sign(message, with: key, nonce: sheet.number("\(number).k"))
            #expect(signature == sheet.bytes("\(number).signature"))
            #expect(SchnorrSignature.verify(signature, message, by: key.point))
            // The simulator's own nonce also gives a valid signature: it is deterministic, and the signature fits no
            // other message.
            let own = SchnorrSignature.sign(message, with: key)
            #expect(own == SchnorrSignature.sign(message, with: key) && own != signature)
            #expect(SchnorrSignature.verify(own, message, by: key.point))
            #expect(!SchnorrSignature.verify(own, message + [0], by: key.point))
        }
    }

    @Test(arguments: ["S = 0", "S = n", "R = 0", "R flipped", "S flipped", "short", "long", "negated key"])
    func whatIsNoSignatureIsRefused(why: String) throws {
        let sheet = try Vectors.sheet("ecsdsa-P-256")
        let key = P256PrivateKey(sheet.number("private")).point
        let signature = sheet.bytes("refuse: \(why)")
        #expect(!sheet.text("refuse: \(why): genuine").isEmpty && !signature.isEmpty)
        #expect(!SchnorrSignature.verify(signature, sheet.bytes("2.message"), by: key))
    }

    @Test func pointsOffTheCurveAreRefused() throws {
        let sheet = try Vectors.sheet("edges")
        for label in ["x without a point", "x not below p (its residue has a point)"] {
            #expect(sheet.bytes(label).count == 32)
            #expect(P256.Point(x: sheet.bytes(label)) == nil)
        }
        var off = P256.generator.bytes
        off[63] ^= 1
        #expect(P256.Point(off) == nil && P256.Point(Array(off.dropLast())) == nil)
    }

    @Test func blindingIsMultiplicationModuloTheOrder() throws {
        let sheet = try Vectors.sheet("edges")
        let card = try #require(P256.Point(x: sheet.bytes("icc.x")))
        let factor = sheet.number("r")
        let blinded = sheet.bytes("blinded.x")
        #expect(card.multiplied(by: factor)?.x.bytes == blinded)
        #expect(card.multiplied(by: P256.order.subtracting(factor).difference)?.x.bytes == blinded)
        #expect(card.multiplied(by: factor.adding(.one).sum)?.x.bytes != blinded)
        #expect(card.multiplied(by: .zero) == nil && card.multiplied(by: P256.order) == nil)
        // r is reduced if it is not below the order.
        #expect(card.multiplied(by: P256.order.adding(.one).sum) == card)
    }

    // MARK: MACs and counter mode

    @Test(arguments: [0, 1, 15, 16, 17, 32, 47, 48])
    func macsOfEveryLength(count: Int) throws {
        let sheet = try Vectors.sheet("edges")
        let key = AES(key: sheet.bytes("key"))
        let message = (0..<count).map { UInt8($0) }
        #expect(key.cipherMAC(message) == (try sheet.bytes(from: "cmac of", ending: "(\(count) bytes)")))
        #expect(key.cipherMACPlus(message) == (try sheet.bytes(from: "cmac+ of", ending: "(\(count) bytes)")))
    }

    @Test(arguments: [0x0000, 0x7FFE, 0x8000, 0xFFFE] as [UInt16])
    func keystreamOfEveryCounter(counter: UInt16) throws {
        let sheet = try Vectors.sheet("edges")
        let stream = AES(key: sheet.bytes("key")).counterMode([UInt8](repeating: 0, count: 40), counter: counter)
        #expect(stream == sheet.bytes("ctr keystream, counter \(counter.bigEndianBytes.hex), 40 bytes"))
    }
}

extension Kernel8Vectors.Sheet {
    fileprivate func bytes(from beginning: String, ending: String) throws -> [UInt8] {
        let found = values.filter { $0.key.hasPrefix(beginning) && $0.key.hasSuffix(ending) }
        try #require(found.count == 1, "\(beginning) \(ending)")
        return [UInt8](hex: found.values.first ?? "")
    }
}
