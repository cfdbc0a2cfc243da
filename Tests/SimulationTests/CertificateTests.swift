// SPDX-License-Identifier: Apache-2.0
import BigInt
import Testing

@testable import EMVCards
@testable import EMVSimulator

@Suite struct RSAPrivateKeyTests {
    @Test(arguments: KeySet.allCases)
    func publicOperationUndoesPrivateOperation(keys: KeySet) {
        var random = SeededRandom(seed: 7)
        for key in [keys.authority(rid: CardAuthority.visaRID).key, keys.issuer, keys.card] {
            let modulus = number(key.modulus)
            var block = key.modulus.map { _ in UInt8.random(in: 0...255, using: &random) }
            block[0] &= 0x7F
            let signature = key.sign(block)
            #expect(signature.count == key.modulus.count)
            #expect(number(signature).power(BigUInt(key.exponent), modulus: modulus) == number(block))
        }
    }

    @Test func edgeBlocksSign() {
        let key = KeySet.standard.card
        let zero = [UInt8](repeating: 0, count: key.modulus.count)
        #expect(key.sign(zero) == zero)
        var one = zero
        one[one.count - 1] = 1
        #expect(key.sign(one) == one)
        var last = key.modulus
        last[last.count - 1] -= 1
        #expect(key.sign(last) == last)
    }

    @Test func montgomeryAgreesWithBigIntegers() {
        var random = SeededRandom(seed: 3)
        for limbs in 1...5 {
            for _ in 0..<4 {
                var modulus = (0..<limbs).map { _ in random.next() }
                modulus[0] |= 1
                modulus[limbs - 1] |= 1 << 63
                let base = (0..<2 * limbs).map { $0 == 2 * limbs - 1 ? 0 : random.next() }
                let exponent = (0..<limbs).map { _ in random.next() }
                let got = Montgomery(modulus: modulus).power(base, exponent)
                let expected = big(base).power(big(exponent), modulus: big(modulus))
                #expect(big(got) == expected)
            }
        }
    }

    private func big(_ limbs: [UInt64]) -> BigUInt { limbs.reversed().reduce(BigUInt(0)) { $0 << 64 | BigUInt($1) } }
}

@Suite struct CardAuthorityTests {
    @Test func indexesAreUnique() {
        #expect(Set(CardAuthority.publicKeys.map(\.index)).count == CardAuthority.all.count)
    }

    @Test func everySchemeKnowsEveryKey() {
        for keys in KeySet.allCases {
            let visa = keys.authorityKey(rid: CardAuthority.visaRID)
            let mastercard = keys.authorityKey(rid: CardAuthority.mastercardRID)
            #expect(visa == keys.authorityKey)
            #expect(visa.modulus == mastercard.modulus)
            #expect(visa.index != mastercard.index)
            #expect([visa.rid, mastercard.rid] == [CardAuthority.visaRID, CardAuthority.mastercardRID])
        }
    }

    @Test func checksumCoversIdentifierIndexModulusExponent() {
        for key in CardAuthority.publicKeys {
            #expect(key.sha1 == SHA1.hash(key.rid + [key.index] + key.modulus + key.exponent))
        }
    }

    @Test func sizesAreThePublishedOnes() {
        #expect(Set(CardAuthority.publicKeys.map { $0.modulus.count * 8 }) == [1152, 1408, 1984])
        #expect(KeySet.largest.issuer.modulus.count * 8 == 1976)
        #expect(KeySet.largest.card.modulus.count * 8 == 1640)
        let standard = KeySet.standard
        #expect(
            [standard.authorityKey.modulus, standard.issuer.modulus, standard.card.modulus].map { $0.count * 8 }
                == [1408, 1152, 896])
    }
}

@Suite struct CertificateTests {
    @Test(arguments: KeySet.allCases)
    func chainVerifiesWithBigIntegers(keys: KeySet) throws {
        var profile = CardProfile.named("fdda")!
        profile.application.keys = keys
        var card = VirtualCard(profile)
        let terminal = PlainTerminal()
        let talk = terminal.tap(&card)
        #expect(try ChainCheck(conversation: talk, terminal: terminal).verify() == 0x05)
    }

    @Test func keysWithoutRemainderLeaveNone() throws {
        for (name, leaves) in [("fdda", true), ("fddaNoRemainder", false)] {
            var card = VirtualCard(CardProfile.named(name)!)
            let talk = PlainTerminal().tap(&card)
            #expect((talk[0x92] != nil) == leaves)
            #expect((talk[0x9F48] != nil) == leaves)
        }
    }

    @Test func onlineSignatureHasFormat95() throws {
        var card = VirtualCard(CardProfile.named("onlineODA")!)
        let terminal = PlainTerminal(qualifiers: "37004000")
        #expect(try ChainCheck(conversation: terminal.tap(&card), terminal: terminal).verify() == 0x95)
    }

    @Test func proprietaryFileIsSignedWithItsTemplate() throws {
        var card = VirtualCard(CardProfile.named("proprietaryFile")!)
        let terminal = PlainTerminal()
        let talk = terminal.tap(&card)
        #expect(talk.staticData.first == 0x70)
        #expect(try ChainCheck(conversation: talk, terminal: terminal).verify() == 0x05)
    }

    @Test(arguments: [
        ("unknownCA", ChainCheck.Failure.noAuthority), ("wrongHash", .hash), ("wrongCardHash", .hash),
        ("wrongIssuerIdentifier", .identifier), ("wrongCertifiedPAN", .pan), ("wrongStaticData", .hash),
        ("wrongTagList", .missing(0x9F4A)), ("wrongSignature", .trailer), ("replayedSignature", .hash),
        ("missingSignature", .missing(0x9F4B)), ("missingCertificate", .missing(0x9F46)),
        ("missingIssuerCertificate", .missing(0x90)), ("missingIssuerExponent", .missing(0x9F32)),
        ("missingRemainder", .hash), ("missingAuthenticationData", .missing(0x9F69)), ("fddaVersion2", .version),
        ("expiredIssuer", .expired), ("expiredCertificate", .expired),
    ])
    func flawsBreakTheChainWhereTheySay(name: String, failure: ChainCheck.Failure) {
        var card = VirtualCard(CardProfile.named(name)!)
        let terminal = PlainTerminal()
        let talk = terminal.tap(&card)
        #expect(talk.status == [0x90, 0x00])
        #expect(throws: failure) { try ChainCheck(conversation: talk, terminal: terminal).verify() }
    }
}
