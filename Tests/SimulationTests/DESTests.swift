// SPDX-License-Identifier: Apache-2.0
import EMVTripleDES
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct DESTests {
    @Test func encryptsPublishedBlocks() {
        // FIPS 46-3's worked example; variable plaintext and variable key cases of NIST SP 800-17.
        #expect(DES(key: 0x1334_5779_9BBC_DFF1).encrypt(0x0123_4567_89AB_CDEF) == 0x85E8_1354_0F0A_B405)
        #expect(DES(key: 0x0101_0101_0101_0101).encrypt(0x8000_0000_0000_0000) == 0x95F8_A5E5_DD31_D900)
        #expect(DES(key: 0x8001_0101_0101_0101).encrypt(0) == 0x95A8_D728_13DA_A94D)
    }

    @Test func everySubstitutionBoxEntryIsReached() {
        // NIST SP 800-17, table 4: known answers that exercise all boxes.
        let answers: [(key: UInt64, plain: UInt64, cipher: UInt64)] = [
            (0x7CA1_1045_4A1A_6E57, 0x01A1_D6D0_3977_6742, 0x690F_5B0D_9A26_939B),
            (0x0131_D961_9DC1_376E, 0x5CD5_4CA8_3DEF_57DA, 0x7A38_9D10_354B_D271),
            (0x07A1_133E_4A0B_2686, 0x0248_D438_06F6_7172, 0x868E_BB51_CAB4_599A),
            (0x3849_674C_2602_319E, 0x5145_4B58_2DDF_440A, 0x7178_876E_01F1_9B2A),
            (0x04B9_15BA_43FE_B5B6, 0x42FD_4430_5957_7FA2, 0xAF37_FB42_1F8C_4095),
            (0x0113_B970_FD34_F2CE, 0x059B_5E08_51CF_143A, 0x86A5_60F1_0EC6_D85B),
            (0x0170_F175_468F_B5E6, 0x0756_D8E0_7747_61D2, 0x0CD3_DA02_0021_DC09),
            (0x4329_7FAD_38E3_73FE, 0x7625_14B8_29BF_486A, 0xEA67_6B2C_B7DB_2B7A),
        ]
        for answer in answers {
            #expect(DES(key: answer.key).encrypt(answer.plain) == answer.cipher)
        }
    }

    @Test func decryptUndoesEncrypt() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<50 {
            let block = random.next()
            let single = DES(key: random.next())
            #expect(single.decrypt(single.encrypt(block)) == block)
            let triple = TripleDES(key: random.next().bigEndianBytes + random.next().bigEndianBytes)
            #expect(triple.decrypt(triple.encrypt(block)) == block)
        }
    }

    @Test func tripleDESWithEqualHalvesIsDES() {
        let half: UInt64 = 0x1334_5779_9BBC_DFF1
        let triple = TripleDES(key: half.bigEndianBytes + half.bigEndianBytes)
        #expect(triple.encrypt(0x0123_4567_89AB_CDEF) == DES(key: half).encrypt(0x0123_4567_89AB_CDEF))
    }

    @Test func macsAgreeWithKnownAnswers() {
        // From knovichikhin/pyemv, tests/test_cvn_hsm.py and test_ac_hsm.py: made with a payment HSM.
        let command = TripleDES(key: [UInt8](hex: "94F867167C64EF23EAB0CB627A7ACB62"))
        #expect(command.mac([UInt8](hex: "8418000008001C29CCA15AE665FA2E"), padding: .marked).hex == "DB56BA60087CEFD3")
        let session = TripleDES(key: [UInt8](hex: "3E736BF8D37664348A04E3ABE00DEFC1"))
        let blocks = [UInt8](hex: "0123456789ABCDEF0123456789ABCDEF")
        #expect(session.mac(blocks + [0x01], padding: .zeros).hex == "2E141C6BC4A20DA8")
        #expect(session.mac(blocks, padding: .zeros).hex == "922F3E83125EB46B")
        #expect(session.mac(blocks, padding: .marked).hex == "4B46013359B7A58B")
    }
}

@Suite struct SHA1Tests {
    @Test func hashesPublishedMessages() {
        // FIPS 180 examples.
        #expect(SHA1.hash([]).hex == "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709")
        #expect(SHA1.hash(Array("abc".utf8)).hex == "A9993E364706816ABA3E25717850C26C9CD0D89D")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(SHA1.hash(Array(long.utf8)).hex == "84983E441C3BD26EBAAE4AA1F95129E5E54670F1")
    }

    @Test func everyLengthAroundTheBlockEndPads() {
        // One hash over the hashes of 0 to 130 letters a; computed with another implementation.
        let all = (0...130).flatMap { SHA1.hash([UInt8](repeating: 0x61, count: $0)) }
        #expect(SHA1.hash(all).hex == "60AFA284C7B19B978FD27334FD33AA6E654CF3FF")
    }
}

@Suite struct CryptogramTests {
    // Keys, inputs and answers from knovichikhin/pyemv, tests/test_cvn_hsm.py: made with a payment HSM.
    private let keys = ApplicationCryptogram(
        masterKey: [UInt8](hex: "0123456789ABCDEFFEDCBA9876543210"), pan: "1234567890123456", sequence: 0)

    private func input(_ version: CryptogramVersion, issuerData: String) -> [UInt8] {
        let values: [UInt32: String] = [
            0x9F02: "000000004000", 0x9F03: "000000000000", 0x9F1A: "0124", 0x95: "8000048000", 0x5F2A: "0124",
            0x9A: "191105", 0x9C: "01", 0x9F37: "52BF4585", 0x82: "1800", 0x9F36: "001C", 0x9F10: issuerData,
        ]
        return ApplicationCryptogram.input(version) { tag, _ in [UInt8](hex: values[tag] ?? "") }
    }

    @Test func cardKeyIsDerivedByOptionA() {
        #expect(keys.cardKey.hex == "154F349D8585CB7F6B0798E9839B10C1")
    }

    @Test func version10AgreesWithKnownAnswer() {
        let data = input(.cvn10, issuerData: "06010A03A06010")
        let cryptogram = keys.cryptogram(.cvn10, counter: 0x1C, data: data)
        #expect(cryptogram.hex == "29CCA15AE665FA2E")
        let answer = keys.responseCryptogram(
            .cvn10, counter: 0x1C, cryptogram: cryptogram, responseCode: [0x30, 0x30])
        #expect(answer.hex == "28993816AFAE4AEB")
    }

    @Test func version18AgreesWithKnownAnswer() {
        #expect(keys.sessionKey(.cvn18, counter: 0x1C).hex == "436B942AD637E08564B532B0EC97CB26")
        let data = input(.cvn18, issuerData: "06011203A0B800")
        let cryptogram = keys.cryptogram(.cvn18, counter: 0x1C, data: data)
        #expect(cryptogram.hex == "7A788EA6B8A3E733")
        let answer = keys.responseCryptogram(
            .cvn18, counter: 0x1C, cryptogram: cryptogram, statusUpdate: [0, 0, 0, 0])
        #expect(answer.hex == "9AF514C1")
    }

    @Test func version17CoversAmountNumberCounterAndOneByte() {
        #expect(input(.cvn17, issuerData: "06011103A00000").hex == "00000000400052BF4585001CA0")
    }
}
