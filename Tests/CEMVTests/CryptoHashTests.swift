// SPDX-License-Identifier: Apache-2.0
import BigInt
import CEMV
import TestData
import Testing

/// SHA-1 and SHA-256 against published answers, and against a plain second implementation.
struct CryptoHashTests {
    static let messages: [(message: String, sha1: String, sha256: String)] = [
        (
            "", "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
            "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
        ),
        (
            "abc", "A9993E364706816ABA3E25717850C26C9CD0D89D",
            "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983E441C3BD26EBAAE4AA1F95129E5E54670F1",
            "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "A49B2446A02C645BF419F995B67091253A04A259",
            "CF5B16A778AF8380036CE59E7B0492370B249B11E8F07A51AFAC45037AFEE9D1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "34AA973CD4C4DAA4F61EEB2BDBAD27316534016F",
            "CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0"
        ),
    ]

    @Test(arguments: messages.indices)
    func knownMessagesHaveTheirPublishedDigests(_ index: Int) {
        let known = Self.messages[index]
        #expect(hexText(cryptoSHA1([Array(known.message.utf8)])) == known.sha1)
        #expect(hexText(cryptoSHA256([Array(known.message.utf8)])) == known.sha256)
    }

    @Test func everyLengthAgreesWithThePlainImplementation() {
        var random = SeededRandom(seed: 1)
        for length in 0...130 {
            let message = random.bytes(length)
            #expect(cryptoSHA1([message]) == PlainHash.sha1(message), "length \(length)")
            #expect(cryptoSHA256([message]) == PlainHash.sha256(message), "length \(length)")
        }
    }

    @Test func thePiecesDoNotMatter() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<300 {
            let message = random.bytes(Int.random(in: 0...400, using: &random))
            var pieces: [CryptoBytes] = []
            var rest = message[...]
            while !rest.isEmpty {
                let size = Int.random(in: 0...min(rest.count, 130), using: &random)
                pieces.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(cryptoSHA1(pieces) == cryptoSHA1([message]))
            #expect(cryptoSHA256(pieces) == cryptoSHA256([message]))
        }
    }

    @Test func emptyPiecesMayHaveNoAddress() {
        var digest = CryptoBytes(repeating: 0, count: 20)
        var none = cemv_bytes()
        cemv_crypto_builtin.sha1(&digest, &none, 1)
        #expect(hexText(digest) == Self.messages[0].sha1)
    }
}

/// Written straight from FIPS 180-4, one word at a time.
private enum PlainHash {
    static func padded(_ message: CryptoBytes) -> [[UInt32]] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: (UInt64(message.count) * 8) >> (56 - 8 * UInt64($0))) }
        let words = stride(from: 0, to: bytes.count, by: 4).map { at in
            bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        return stride(from: 0, to: words.count, by: 16).map { Array(words[$0..<$0 + 16]) }
    }

    static func left(_ x: UInt32, _ n: UInt32) -> UInt32 { x << n | x >> (32 - n) }
    static func right(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }
    static func bytes(_ words: [UInt32]) -> CryptoBytes {
        words.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> $0 & 255) } }
    }

    static func sha1(_ message: CryptoBytes) -> CryptoBytes {
        var h: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in padded(message) {
            var w = block
            for t in 16..<80 { w.append(left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)) }
            var v = h
            for t in 0..<80 {
                let (b, c, d) = (v[1], v[2], v[3])
                let (f, k): (UInt32, UInt32) =
                    switch t / 20 {
                    case 0: (b & c | ~b & d, 0x5A82_7999)
                    case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                    case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                v = [left(v[0], 5) &+ f &+ v[4] &+ k &+ w[t], v[0], left(b, 30), c, d]
            }
            h = zip(h, v).map { $0 &+ $1 }
        }
        return bytes(h)
    }

    /// The first 32 bits of the fractional part of a prime's root.
    static let primes = (2...311).filter { n in n < 4 || !(2...Int(Double(n).squareRoot())).contains { n % $0 == 0 } }
    static let k = primes.prefix(64).map { fraction(ofRoot: 3, $0) }
    static let start = primes.prefix(8).map { fraction(ofRoot: 2, $0) }

    static func fraction(ofRoot degree: Int, _ n: Int) -> UInt32 {
        let target = BigUInt(n) << (32 * degree)
        var low = BigUInt(0), high = BigUInt(n) << 32
        while high - low > 1 {
            let middle = (low + high) / 2
            if middle.power(degree) > target { high = middle } else { low = middle }
        }
        return UInt32(low & 0xFFFF_FFFF)
    }

    static func sha256(_ message: CryptoBytes) -> CryptoBytes {
        var h = start
        for block in padded(message) {
            var w = block
            for t in 16..<64 {
                let s0 = right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3
                let s1 = right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10
                w.append(w[t - 16] &+ s0 &+ w[t - 7] &+ s1)
            }
            var v = h
            for t in 0..<64 {
                let (a, b, c, e, f, g) = (v[0], v[1], v[2], v[4], v[5], v[6])
                let big1 = right(e, 6) ^ right(e, 11) ^ right(e, 25)
                let t1 = v[7] &+ big1 &+ (e & f ^ ~e & g) &+ k[t] &+ w[t]
                let big0 = right(a, 2) ^ right(a, 13) ^ right(a, 22)
                let t2 = big0 &+ (a & b ^ a & c ^ b & c)
                v = [t1 &+ t2, a, b, c, v[3] &+ t1, e, f, g]
            }
            h = zip(h, v).map { $0 &+ $1 }
        }
        return bytes(h)
    }
}
