// SPDX-License-Identifier: Apache-2.0
import BigInt
import CEMV
import TestData
import Testing
import TestKeys

/// The public operation against an independent big-number library.
struct CryptoRSATests {
    static let sizes = [
        40, 41, 48, 63, 64, 65, 100, 127, 128, 129, 192, 255, 256, 257, 320, 384, 512, 640, 768, 896, 1000, 1024, 1152,
        1153, 1279, 1408, 1536, 1600, 1792, 1977, 1984, 1985, 2047, 2048,
    ]

    /// An odd number of exactly `bits` bits.
    static func modulus(_ bits: Int, _ random: inout SeededRandom) -> CryptoBytes {
        let size = (bits + 7) / 8
        var bytes = random.bytes(size)
        let top = (bits - 1) % 8
        bytes[0] = bytes[0] & UInt8((1 << top) - 1) | UInt8(1 << top)
        bytes[size - 1] |= 1
        return bytes
    }

    static func expected(_ input: BigUInt, _ modulus: CryptoBytes, _ exponent: UInt32) -> CryptoBytes {
        cryptoFixed(input.power(BigUInt(exponent), modulus: cryptoNumber(modulus)), size: modulus.count)
    }

    static func check(_ input: BigUInt, _ modulus: CryptoBytes, _ exponent: UInt32) {
        let bytes = cryptoFixed(input, size: modulus.count)
        let answer = expected(input, modulus, exponent)
        #expect(
            cryptoRSA(bytes, modulus: modulus, exponent: exponent) == answer, "\(modulus.count) bytes, e = \(exponent)")
        #expect(
            cryptoRSAPrepared(bytes, modulus: modulus, exponent: exponent) == answer,
            "prepared, \(modulus.count) bytes, e = \(exponent)")
    }

    @Test(arguments: sizes)
    func agreesWithBigIntForRandomNumbers(_ bits: Int) {
        var random = SeededRandom(seed: UInt64(bits))
        for _ in 0..<3 {
            let modulus = Self.modulus(bits, &random)
            let input = cryptoNumber(random.bytes(modulus.count)) % cryptoNumber(modulus)
            Self.check(input, modulus, 3)
            Self.check(input, modulus, 65537)
        }
    }

    @Test(arguments: sizes)
    func agreesAtTheEdgesOfTheRange(_ bits: Int) {
        var random = SeededRandom(seed: UInt64(bits) + 10_000)
        let modulus = Self.modulus(bits, &random)
        let n = cryptoNumber(modulus)
        for input in [0, 1, 2, n / 2, n - 2, n - 1] as [BigUInt] { Self.check(input, modulus, 3) }
        Self.check(n - 1, modulus, 65537)
    }

    @Test func agreesForModuliWithLongRunsOfZerosAndOnes() {
        var random = SeededRandom(seed: 5)
        for size in [1, 2, 7, 8, 9, 16, 24, 31, 32, 96, 248, 256] {
            let ones = CryptoBytes(repeating: 0xFF, count: size)
            var sparse = CryptoBytes(repeating: 0, count: size)
            sparse[0] = 0x80
            sparse[size - 1] |= 1
            let half =
                CryptoBytes(repeating: 0xFF, count: size - size / 2)
                + CryptoBytes(repeating: 0, count: max(size / 2 - 1, 0)) + (size > 1 ? [1] : [])
            var small = sparse
            small[0] = 1
            for modulus in [ones, sparse, half, small] {
                let n = cryptoNumber(modulus)
                for input in [n - 1, n / 3, cryptoNumber(random.bytes(size)) % n] { Self.check(input, modulus, 3) }
                Self.check(n / 3, modulus, 65537)
            }
        }
    }

    @Test func theModulusOneHasOnlyZero() {
        #expect(cryptoRSA([0], modulus: [1], exponent: 3) == [0])
        #expect(cryptoRSA([1], modulus: [1], exponent: 3) == nil)
    }

    @Test func anInputNotBelowTheModulusIsRefused() {
        var random = SeededRandom(seed: 6)
        for bits in [64, 127, 1152, 1984] {
            let modulus = Self.modulus(bits, &random)
            var above = modulus
            above[above.count - 1] += above[above.count - 1] == 0xFF ? 0 : 1
            for input in [modulus, above, CryptoBytes(repeating: 0xFF, count: modulus.count)] {
                #expect(cryptoRSA(input, modulus: modulus, exponent: 3) == nil)
                #expect(cryptoRSAPrepared(input, modulus: modulus, exponent: 3) == nil)
            }
        }
    }

    @Test func anInputOfAnotherLengthIsRefused() {
        var random = SeededRandom(seed: 7)
        let modulus = Self.modulus(1024, &random)
        for size in [0, 1, 127, 129] {
            #expect(cryptoRSA(CryptoBytes(repeating: 0, count: size), modulus: modulus, exponent: 3) == nil)
        }
    }

    @Test func aModulusThatIsEvenEmptyTooLongOrHasAZeroTopByteIsRefused() {
        var random = SeededRandom(seed: 8)
        var even = Self.modulus(1024, &random)
        even[127] &= 0xFE
        let padded = [0] + Self.modulus(1024, &random)
        let long = Self.modulus(2056, &random)
        for modulus in [even, padded, long, [], [0], [2]] {
            let input = CryptoBytes(repeating: 0, count: modulus.count)
            #expect(cryptoRSA(input, modulus: modulus, exponent: 3) == nil)
            #expect(cryptoRSAPrepared(input, modulus: modulus, exponent: 3) == nil)
        }
    }

    @Test(arguments: [0, 1, 2, 4, 5, 17, 65535, 65536, 65539, 0xFFFF_FFFF] as [UInt32])
    func everyExponentBut3And65537IsRefused(_ exponent: UInt32) {
        var random = SeededRandom(seed: 9)
        let modulus = Self.modulus(1024, &random)
        let input = CryptoBytes(repeating: 1, count: 127)
        #expect(cryptoRSA([0] + input, modulus: modulus, exponent: exponent) == nil)
        #expect(cryptoRSAPrepared([0] + input, modulus: modulus, exponent: exponent) == nil)
    }

    @Test func aKeyThatCouldNotBePreparedIsRefused() {
        var key = cemv_rsa_key()
        var out: CryptoBytes = [0]
        cryptoLending { lender in
            #expect(!cemv_rsa_public_prepared(&out, lender.bytes([0] as CryptoBytes), &key))
            #expect(!cemv_rsa_prepare(&key, lender.bytes([8] as CryptoBytes), 3))
            #expect(!cemv_rsa_public_prepared(&out, lender.bytes([0] as CryptoBytes), &key))
        }
    }

    @Test func theTestKeysSignWhatTheyRecover() {
        var random = SeededRandom(seed: 10)
        for key in [SigningKey.authority, .issuer, .smallIssuer, .card, .smallCard] {
            for exponent in [3, 65537] as [UInt32] {
                let block = [0x6A] + random.bytes(key.size - 1)
                #expect(
                    cryptoRSA(key.sign(block, exponent: exponent), modulus: key.modulus, exponent: exponent) == block)
            }
        }
    }
}
