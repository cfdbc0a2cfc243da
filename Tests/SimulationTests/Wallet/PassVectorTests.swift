// SPDX-License-Identifier: Apache-2.0
// Published and cited values for the cryptography of the simulated wallets. LoyaltyTests open these values on the
// reader's side with another library.
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct PassVectorTests {
    @Test func galoisCounterModeGivesPublishedTags() {
        // The Galois/Counter Mode of Operation (GCM), appendix B: cases 13 and 14, and 6 with its nonce of 60 bytes.
        let zeros = AES(key: [UInt8](repeating: 0, count: 32))
        let nonce = [UInt8](repeating: 0, count: 12)
        #expect(zeros.galoisSeal([], nonce: nonce).hex == "530F8AFBC74536B9A963B4F1C4CB738B")
        let block = [UInt8](repeating: 0, count: 16)
        #expect(
            zeros.galoisSeal(block, nonce: nonce).hex
                == "CEA7403D4D606B6E074EC5D3BAF39D18D0D1C8A799996BF0265B98B5D48AB919")
        let engine = AES(key: [UInt8](hex: "FEFFE9928665731C6D6A8F9467308308"))
        let plain = [UInt8](
            hex: "D9313225F88406E5A55909C5AFF5269A86A7A9531534F7DA2E4C303D8A318A721C3C0C95956809532FCF0E2449A6B525"
                + "B16AEDF5AA0DE657BA637B39")
        let long = [UInt8](
            hex: "9313225DF88406E555909C5AFF5269AA6A7A9538534F7DA1E4C303D2A318A728C3C0C95156809539FCF0E2429A6B5254"
                + "16AEDBF5A0DE6A57A637B39B")
        let additional = [UInt8](hex: "FEEDFACEDEADBEEFFEEDFACEDEADBEEFABADDAD2")
        let sealed = engine.galoisSeal(plain, nonce: long, additional: additional)
        #expect(sealed.suffix(16).map { $0 } == [UInt8](hex: "619CC5AEFFFE0BFA462AF43C1699D050"))
        #expect(engine.galoisOpen(sealed, nonce: long, additional: additional) == plain)
        var changed = sealed
        changed[3] ^= 0x10
        #expect(engine.galoisOpen(changed, nonce: long, additional: additional) == nil)
    }

    @Test func keyedHashesGivePublishedValues() {
        // RFC 4231, 4.2 and 4.3; 4.7 has a key longer than a block.
        #expect(
            HMAC.mac(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20)).hex
                == "B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7")
        #expect(
            HMAC.mac(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)).hex
                == "5BDCC146BF60754E6A042426089575C75A003F089D2739839DEC58B964EC3843")
        #expect(
            HMAC.mac(
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                key: [UInt8](repeating: 0xAA, count: 131)
            ).hex == "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54")
        // RFC 5869, A.1.
        let expanded = HashedKeys.expanded(
            [UInt8](repeating: 0x0B, count: 22), salt: (0...12).map { UInt8($0) },
            info: (0xF0...0xF9).map { UInt8($0) },
            count: 42)
        #expect(
            expanded.hex
                == "3CB25F25FAACD57A90434F64D0362F2A2D2D0A90CF1A5A4C5DB02D56ECC4C5BF34007208D5B887185865")
    }

    /// The demonstration key of proxmark3's resources, and two cryptograms that phones made for it.
    private enum Published {
        static let key = SimulatedPassKey(
            privateKey: [UInt8](hex: "3D1547F23CD78AD052A58860F1219E8FB791EC4DFE33769F5B9BFA627A656CA1"))!
        static let identifier = SHA256.hash(Array("pass.com.passkit.pksamples.nfcdemo".utf8))
        static let cryptograms = [
            "C0B77375D3F37956D84A538F28AC2A04B38DDC1A67D3647A4DD30ABD736EA1CEA8038388692E89DB99E4746D872DE782"
                + "395640C536E79A75C47A9343DA0AF3937F06EECA7A865C4AD05A2C543AD2",
            "BEEF7375094AFA4824ADDB8ABF0A59F4C5B88F7B33CD803666CDF358DC8AA2ECEA863673B7E92B8F39BC744233DDA87E"
                + "53F2AE346EB43415E7B20A50AA41E02DE9F3D533F506E29B4ED31EAA9CFA",
        ]
        static let times: [[UInt8]] = [[0x2A, 0x5B, 0x19, 0x6E], [0x2A, 0x4E, 0xD8, 0x52]]
    }

    @Test func hashesOfPublishedIdentifiersAgree() {
        #expect(Published.identifier.hex == "03B57CDB3ECA0984BA9ABDC2FB45D86626D87B39D33C5C6DBBC313A6347A3146")
        #expect(
            SHA256.hash(Array("pass.com.apple.wallet.vas.prodtest".utf8)).hex
                == "3CC70ED89A9D4354BE9830AB58D89C6FE7E62BACA939D2A6851DFC602EA798F7")
        #expect(Published.key.identifier.hex == "C0B77375")
    }

    @Test(arguments: [0, 1]) func walletEncryptsAsThePublishedPhonesDid(_ number: Int) {
        let published = [UInt8](hex: Published.cryptograms[number])
        let device = P256.Point(x: Array(published[4..<36]))!
        let secret = device.multiplied(by: Published.key.key.scalar)!.x.bytes
        if number == 0 {
            #expect(secret.hex == "63813B5EFCC1D744B0888CA05D52DAD97B73731F4C3B3283655B6A3219263911")
        }
        let key = VASWallet.key(secret: secret, Published.identifier)
        if number == 0 {
            #expect(key.hex == "C5A7023FE339EA5A39F0B3FBA2DEFDACD37B639E96028DAF6DBD362C32B291BF")
        }
        let plain = Published.times[number] + Array("6d1UlFpnOc50iVKRaboDOK".utf8)
        let sealed = AES(key: key).galoisSeal(plain, nonce: [UInt8](repeating: 0, count: 16))
        #expect(sealed == Array(published[36...]))
    }

    /// Made with pyca/cryptography 48: collector and long-term key are the sample ones of Google's documentation.
    private enum Sample {
        static let longTerm = SimulatedPassKey(
            privateKey: [UInt8](hex: "826D17E50767B165B0E4D9E332F8D1D1E20224284FB4DAF1E50A03246E70797D"))!
        static let terminal = SimulatedPassKey(
            privateKey: [UInt8](hex: "4E686AF7BDCC5AE005A247624FD8C7283257C2514F6B3AD2FF5D4CB6D95196E6"))!
        static let device = SimulatedPassKey(
            privateKey: [UInt8](hex: "DD053C6CA66AD7C246B3F8B8E32C74588BC8E06CB50766295A000F2BCE75121F"))!
        static let signature = [UInt8](
            hex: "30460221009BE95ADC4605E96D5F72029439C71054B92E0180AEFE16FC83910BACB4DE7411022100A3E205E3B003A5A570"
                + "0D80FE4F85D01019DCBB1F766FEF1D27F07D260D50B77C")
        static let signed =
            (0...0x1F).map { UInt8($0) } + (0x80...0x9F).map { UInt8($0) } + [0x01, 0x33, 0xEE, 0x80]
            + terminal.publicKey
    }

    @Test func compressedKeysAndSecretAgree() {
        #expect(Sample.terminal.publicKey.hex == "03A1DF5B260B8FDAB015C095C5FFF5FAF088A3FDFC3FDD31A298631318CF470659")
        #expect(Sample.device.publicKey.hex == "02354B6BC8E320AA07DD044F760239F65F7FB55D17BA84E6A9BCE283A6CA3BF3C3")
        for key in [Sample.terminal, Sample.device, Sample.longTerm] {
            #expect(P256.Point(compressed: key.publicKey) == key.key.point)
        }
        let secret = Sample.terminal.key.point.multiplied(by: Sample.device.key.scalar)!.x.bytes
        #expect(secret.hex == "3CAE4EAB4A40F718774EADF81985F959C9139E9EB12AF8D97607E98E4DFA08B9")
    }

    @Test func signatureVerifiesAndNoChangedOneDoes() {
        let signer = Sample.longTerm.key.point
        #expect(ECDSA.verify(Sample.signature, Sample.signed, by: signer))
        for at in Sample.signature.indices {
            var changed = Sample.signature
            changed[at] ^= 0x01
            #expect(!ECDSA.verify(changed, Sample.signed, by: signer), "byte \(at)")
            #expect(!ECDSA.verify(Array(Sample.signature.prefix(at)), Sample.signed, by: signer))
        }
        for at in Sample.signed.indices {
            var changed = Sample.signed
            changed[at] ^= 0x80
            #expect(!ECDSA.verify(Sample.signature, changed, by: signer))
        }
        #expect(!ECDSA.verify(Sample.signature, Sample.signed, by: Sample.terminal.key.point))
        #expect(!ECDSA.verify(Sample.signature + [0x00], Sample.signed, by: signer))
    }

    @Test func smartTapKeysAndBundleAgree() {
        let secret = Sample.terminal.key.point.multiplied(by: Sample.device.key.scalar)!.x.bytes
        let keys = SmartTapKeys(
            secret: secret, deviceKey: Sample.device.publicKey, signed: Sample.signed, signature: Sample.signature)
        #expect(keys.cipher.hex == "26947C6653CB0D24A1103C364BA15314")
        #expect(keys.code.hex == "C378B4B9F3BC2DDCEE43FB8A649ACD9D4FEF3D68822AA81E0716BF088D7D9EB2")
        let number = WalletRecord(text: Array("1234567890".utf8), named: "n")
        let plain = WalletRecord.message([WalletRecord("asv", [WalletRecord("ly", [number])])])
        #expect(plain.hex == "D40316617376D402116C79D9010B01546E0031323334353637383930")
        let sealed = keys.seal(plain, vector: (0x40...0x4B).map { UInt8($0) })
        #expect(
            sealed.hex
                == "404142434445464748494A4B5F51215D316B1272A851F9E0F627770B256EFCEAE1822A253F92E7D7"
                + "F36C3928C2487EDE9A8FE3351F109D9802E5BF63CB80FE9D5768C1472F904806")
    }

    @Test func recordsAreReadAsTheyAreWritten() {
        let long = WalletRecord("asv", [UInt8](repeating: 0x30, count: 1000))
        let records = [WalletRecord("ses", [1, 2, 3]), long, WalletRecord(text: [0x41], named: "n")]
        let bytes = WalletRecord.message(records)
        #expect(WalletRecord.parse(bytes) == records)
        for count in bytes.indices { #expect(WalletRecord.parse(Array(bytes.prefix(count))) == nil) }
        #expect(WalletRecord.parse(bytes + bytes) == nil)
        var chunked = bytes
        chunked[0] |= 0x20
        #expect(WalletRecord.parse(chunked) == nil)
    }
}
