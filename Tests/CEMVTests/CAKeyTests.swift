// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing
import TestKeys

private struct CAKeyFile: Decodable {
    struct Key: Decodable {
        let rid, index, modulus, exponent, computed_sha1, sha1_status: String
        let modulus_bits: Int
        let published_sha1: [String]
    }
    let keys: [Key]
}

private func check(
    rid: CryptoBytes, index: UInt8, modulus: CryptoBytes, exponent: UInt32, checksum: CryptoBytes, minBits: UInt32 = 0
) -> cemv_ca_key_result {
    cryptoLending { lender in
        var key = cemv_ca_key()
        key.rid = (rid[0], rid[1], rid[2], rid[3], rid[4])
        key.index = index
        key.modulus = lender.bytes(modulus)
        key.exponent = exponent
        key.sha1 = lender.bytes(checksum)
        return cemv_ca_key_check(cryptoPort(lender), &key, minBits)
    }
}

/// CA public keys from public sources: accepted, or refused for the reason that is theirs.
@Suite(.enabled(if: CryptoVectors.exists("capk.json"), "no third-party vectors"))
struct PublishedCAKeyTests {
    private let keys: [CAKeyFile.Key]

    init() throws {
        keys = try CryptoVectors.load("capk.json", as: CAKeyFile.self).keys
    }

    private func input(_ key: CAKeyFile.Key) -> [CryptoBytes] {
        [hex(key.rid), hex(key.index), hex(key.modulus), hex(key.exponent)]
    }

    private func expected(_ key: CAKeyFile.Key, minBits: Int) -> cemv_ca_key_result {
        if key.exponent != "03" && key.exponent != "010001" { return CEMV_CA_KEY_EXPONENT }
        if key.modulus_bits > 1984 { return CEMV_CA_KEY_TOO_LONG }
        if key.modulus_bits < minBits { return CEMV_CA_KEY_TOO_SHORT }
        if hex(key.modulus).last! % 2 == 0 { return CEMV_CA_KEY_EVEN }
        return key.sha1_status == "mismatch" ? CEMV_CA_KEY_CHECKSUM : CEMV_CA_KEY_OK
    }

    @Test(arguments: [0, 1152])
    func everyKeyIsAcceptedOrRefusedForTheRightReason(_ minBits: Int) {
        var seen: Set<UInt32> = []
        for key in keys {
            let exponent = UInt32(key.exponent, radix: 16)!
            let checksum = hex(key.published_sha1.first ?? key.computed_sha1)
            let result = check(
                rid: hex(key.rid), index: hex(key.index)[0], modulus: hex(key.modulus),
                exponent: exponent,
                checksum: checksum, minBits: UInt32(minBits))
            #expect(result == expected(key, minBits: minBits), "\(key.rid) \(key.index)")
            seen.insert(result.rawValue)
        }
        #expect(
            seen.isSuperset(
                of: [CEMV_CA_KEY_OK, CEMV_CA_KEY_EXPONENT, CEMV_CA_KEY_TOO_LONG, CEMV_CA_KEY_CHECKSUM].map(\.rawValue)))
    }

    @Test func fifteenPublishedChecksumsDoNotMatch() {
        let checked = keys.filter { !$0.published_sha1.isEmpty }
        let wrong = checked.filter { key in !key.published_sha1.map(hex).contains(cryptoSHA1(input(key))) }
        #expect(checked.count == 130)
        #expect(wrong.count == 15)
        #expect(
            Set(wrong.map { $0.rid + $0.index })
                == Set(keys.filter { $0.sha1_status == "mismatch" }.map { $0.rid + $0.index }))
    }

    @Test func theChecksumIsSHA1OfAllFourParts() {
        for key in keys { #expect(hexText(cryptoSHA1(input(key))) == key.computed_sha1) }
    }
}

struct CAKeyTests {
    let rid = hex("A000000003")
    let modulus = SigningKey.authority.modulus

    func checksum(_ modulus: CryptoBytes, _ exponent: CryptoBytes = [3]) -> CryptoBytes {
        cryptoSHA1([rid, [0x92], modulus, exponent])
    }

    func result(
        _ modulus: CryptoBytes, exponent: UInt32 = 3, checksum: CryptoBytes? = nil, minBits: UInt32 = 0
    ) -> cemv_ca_key_result {
        let bytes: CryptoBytes = exponent == 3 ? [3] : [1, 0, 1]
        return check(
            rid: rid, index: 0x92, modulus: modulus, exponent: exponent,
            checksum: checksum ?? self.checksum(modulus, bytes), minBits: minBits)
    }

    @Test func aGoodKeyIsAcceptedWithBothExponents() {
        #expect(result(modulus) == CEMV_CA_KEY_OK)
        #expect(result(modulus, exponent: 65537) == CEMV_CA_KEY_OK)
    }

    @Test(arguments: [0, 1, 2, 5, 65536] as [UInt32])
    func otherExponentsAreRefused(_ exponent: UInt32) {
        #expect(result(modulus, exponent: exponent) == CEMV_CA_KEY_EXPONENT)
    }

    @Test func sizesAreBounded() {
        #expect(result([]) == CEMV_CA_KEY_TOO_SHORT)
        #expect(result(modulus, minBits: 768) == CEMV_CA_KEY_OK)
        #expect(result(modulus, minBits: 769) == CEMV_CA_KEY_TOO_SHORT)
        #expect(result([0x7F] + modulus.dropFirst(), minBits: 768) == CEMV_CA_KEY_TOO_SHORT)
        #expect(result(CryptoBytes(repeating: 0xFF, count: 248)) == CEMV_CA_KEY_OK)
        #expect(result(CryptoBytes(repeating: 0xFF, count: 249)) == CEMV_CA_KEY_TOO_LONG)
    }

    @Test func evenAndZeroPaddedModuliAreRefused() {
        #expect(result(modulus.dropLast() + [0x10]) == CEMV_CA_KEY_EVEN)
        #expect(result([0] + modulus) == CEMV_CA_KEY_TOP_ZERO)
    }

    @Test func everyBitOfTheChecksumCounts() {
        let good = checksum(modulus)
        for bit in 0..<160 {
            var wrong = good
            wrong[bit / 8] ^= 1 << (bit % 8)
            #expect(result(modulus, checksum: wrong) == CEMV_CA_KEY_CHECKSUM)
        }
        #expect(result(modulus, checksum: []) == CEMV_CA_KEY_CHECKSUM)
        #expect(result(modulus, checksum: good + [0]) == CEMV_CA_KEY_CHECKSUM)
    }

    @Test func aKeyIsFoundByRIDAndIndexTogether() {
        cryptoLending { lender in
            var keys = [cemv_ca_key(), cemv_ca_key(), cemv_ca_key()]
            keys[0].rid = (0xA0, 0, 0, 0, 4)
            keys[0].index = 0x92
            keys[1].rid = (0xA0, 0, 0, 0, 3)
            keys[1].index = 0x91
            keys[2].rid = (0xA0, 0, 0, 0, 3)
            keys[2].index = 0x92
            let list = lender.array(keys)
            #expect(cemv_ca_key_find(list, 3, rid, 0x92) == list + 2)
            #expect(cemv_ca_key_find(list, 3, rid, 0x93) == nil)
            #expect(cemv_ca_key_find(list, 2, rid, 0x92) == nil)
            #expect(cemv_ca_key_find(nil, 0, rid, 0x92) == nil)
        }
    }
}
