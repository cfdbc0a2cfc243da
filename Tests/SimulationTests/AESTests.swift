// SPDX-License-Identifier: Apache-2.0
import EMVTripleDES
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct AESTests {
    @Test func encryptsPublishedBlocksOfEveryKeyLength() {
        // FIPS 197, appendix C.
        let plain = [UInt8](hex: "00112233445566778899AABBCCDDEEFF")
        let answers = [
            16: "69C4E0D86A7B0430D8CDB78070B4C55A", 24: "DDA97CA4864CDFE06EAF70A0EC0D7191",
            32: "8EA2B7CA516745BFEAFC49904B496089",
        ]
        for (length, answer) in answers {
            let engine = AES(key: (0..<length).map { UInt8($0) })
            #expect(engine.encrypt(plain).hex == answer)
            #expect(engine.decrypt(engine.encrypt(plain)) == plain)
        }
    }

    @Test func macsPublishedMessages() {
        // RFC 4493, chapter 4.
        let engine = AES(key: [UInt8](hex: "2B7E151628AED2A6ABF7158809CF4F3C"))
        let message = [UInt8](
            hex: "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E5130C81C46A35CE411E5FBC1191A0A52EF"
                + "F69F2445DF4F9B17AD2B417BE66C3710")
        let answers = [
            0: "BB1D6929E95937287FA37D129B756746", 16: "070A16B46B4D4144F79BDD9DD04A287C",
            40: "DFA66747DE9AE63030CA32611497C827", 64: "51F0BEBF7E3B9D92FC49741779363CFE",
        ]
        for (length, answer) in answers { #expect(engine.cipherMAC(Array(message.prefix(length))).hex == answer) }
    }

    @Test func chainingIsUndone() {
        let message = (0..<64).map { UInt8($0 * 3) }
        for key in [CardKey(aes: Array(message.prefix(16))), CardKey(tripleDES: Array(message.prefix(16)))] {
            let hidden = key.encryptChained(message)
            #expect(hidden != message && key.decryptChained(hidden) == message)
        }
    }
}

@Suite struct TripleDESMACTests {
    @Test func cipherMACsPublishedMessages() {
        // NIST SP 800-38B, D.5: two-key triple DES.
        let engine = TripleDES(key: [UInt8](hex: "4CF15134A2850DD58A3D10BA80570D38"))
        let message = [UInt8](hex: "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51")
        let answers = [0: "BD2EBF9A3BA00361", 8: "4FF2AB813C53CE83", 20: "62DD1B471902BD4E", 32: "31B1E431DABC4EB8"]
        for (length, answer) in answers { #expect(engine.cipherMAC(Array(message.prefix(length))).hex == answer) }
    }
}
