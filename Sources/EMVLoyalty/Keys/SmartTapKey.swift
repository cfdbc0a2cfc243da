// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import EMVKit

import CStackWipe
import Crypto
import CryptoExtras
import Foundation

/// The reader's key for one Smart Tap: made before the phone is presented, used once, released with the tap.
package struct SmartTapKey: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    package let terminal: SmartTapTerminal

    /// Creates session, nonce and key with the system's generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.init(
            key: P256.KeyAgreement.PrivateKey(), session: SmartTapKey.random(8, &generator),
            nonce: SmartTapKey.random(32, &generator))
    }

    init(key: P256.KeyAgreement.PrivateKey, session: Bytes, nonce: Bytes) {
        self.key = key
        terminal = SmartTapTerminal(
            session: session, nonce: nonce, key: Bytes(key.publicKey.compressedRepresentation))
    }

    private static func random(_ count: Int, _ generator: inout SystemRandomNumberGenerator) -> Bytes {
        (0..<count).map { _ in generator.next() }
    }

    /// Decrypts a bundle and returns the requested pass, or an outcome without one.
    package func open(_ bundle: EncryptedBundle) -> PassOutcome {
        do throws(LoyaltyFault) {
            let plain = decrypt(bundle)
            wipe_stack()
            guard var plain else { throw .notAuthentic }
            defer { plain.resetBytes(in: plain.indices) }
            guard let value = try PassBundle.value(Bytes(plain), kinds: bundle.kinds) else { return .none }
            return .read(value)
        } catch {
            return .unreadable(error)
        }
    }

    /// The cipher's key (16 bytes), then the HMAC's (32).
    func keys(_ bundle: EncryptedBundle) -> SymmetricKey? {
        guard let deviceKey = try? P256.KeyAgreement.PublicKey(compressedRepresentation: bundle.deviceKey),
            let secret = try? key.sharedSecretFromKeyAgreement(with: deviceKey)
        else { return nil }
        return secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: bundle.deviceKey, sharedInfo: bundle.signed + bundle.signature,
            outputByteCount: 48)
    }

    /// Checks the HMAC first, in constant time; only authentic data is decrypted.
    @inline(never)
    private func decrypt(_ bundle: EncryptedBundle) -> Data? {
        guard bundle.data.count >= EncryptedBundle.overhead, let both = keys(bundle) else { return nil }
        let (cipherKey, macKey) = unsafe both.withUnsafeBytes { bytes in
            unsafe (
                SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[..<16])),
                SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[16...]))
            )
        }
        let covered = bundle.data.dropLast(32), mac = bundle.data.suffix(32)
        guard HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: covered, using: macKey) else { return nil }
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: covered.prefix(12) + [0, 0, 0, 0]) else { return nil }
        return try? AES._CTR.decrypt(covered.dropFirst(12), using: cipherKey, nonce: nonce)
    }
}
#endif
