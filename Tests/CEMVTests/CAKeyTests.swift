// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing

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

/// CA public keys from public sources: each is accepted, or refused for its own reason.
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
