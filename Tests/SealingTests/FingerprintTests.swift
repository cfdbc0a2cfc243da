// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit
import EMVSealing
import Testing

@Suite struct FingerprintTests {
    /// RFC 4231, test case 6.
    @Test("L27: a fingerprint is HMAC-SHA-256 under the device's key")
    func fingerprintsAreKeyed() async throws {
        let key = Bytes(repeating: 0xAA, count: 131)
        let maker = try KeyedFingerprint(key: SecretBytes(key))
        let text = Bytes("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        let code = try await maker.fingerprint(of: SecretBytes(text))
        #expect(Hex.string(code) == "60E431591EE0B67F0D8A26AACBF5B77F8E0BC6213728C5140546040F0EE37F54")
        let account = Bytes("4111111111111111=2612".utf8)
        let one = try await maker.fingerprint(of: SecretBytes(account))
        let same = try await maker.fingerprint(of: SecretBytes(account))
        let other = try await KeyedFingerprint(key: SecretBytes(Bytes(repeating: 1, count: 32)))
            .fingerprint(of: SecretBytes(account))
        #expect(one == same && one != other && one.count == 32)
        #expect(throws: SealingError.self) {
            _ = try KeyedFingerprint(key: SecretBytes(Bytes(repeating: 1, count: 31)))
        }
    }
}
#endif
