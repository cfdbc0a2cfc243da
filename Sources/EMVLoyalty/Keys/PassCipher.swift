// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import EMVKit

import CStackWipe
import Crypto
import Foundation

/// Opens the cryptograms of pass types: X9.63-KDF with SHA-256, then AES-256-GCM. One public source describes this in
/// full (proxmark3); two published cryptograms open with it.
///
/// The library wipes its keys when they are freed; the stack that digests and ciphers have used is overwritten
/// (CStackWipe).
enum PassCipher {
    /// Seconds from 1970 to 2001, the start of the phone's time scale.
    static let epoch: Int64 = 978_307_200

    /// - Parameter secret: the secret agreed with the phone's key.
    static func open(_ pass: SealedPass, _ secret: borrowing SecretBytes) throws(LoyaltyFault) -> PassValue {
        let plain = decrypt(pass, secret)
        wipe_stack()
        guard var plain else { throw .notAuthentic }
        defer { plain.resetBytes(in: plain.indices) }
        guard plain.count >= 4 else { throw .malformed(.pass) }
        let seconds = plain.prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let message = Bytes(plain.dropFirst(4))
        return PassValue(
            bytes: message, text: String(validating: message, as: UTF8.self), made: epoch + seconds)
    }

    @inline(never)
    private static func decrypt(_ pass: SealedPass, _ secret: borrowing SecretBytes) -> Data? {
        let key = key(secret, pass.passType)
        // Sixteen zero bytes: not the usual nonce size.
        guard let nonce = try? AES.GCM.Nonce(data: Bytes(repeating: 0, count: 16)),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: pass.ciphertext, tag: pass.tag)
        else { return nil }
        return try? AES.GCM.open(box, using: key)
    }

    /// One block of X9.63-KDF: SHA-256 over the secret, the counter and the purpose of the key.
    static func key(_ secret: borrowing SecretBytes, _ passType: Bytes) -> SymmetricKey {
        var hash = SHA256()
        unsafe secret.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        hash.update(data: [0x00, 0x00, 0x00, 0x01] as Bytes)
        hash.update(data: [0x0D] + Bytes("id-aes256-GCM".utf8) + Bytes("ApplePay encrypted VAS data".utf8) + passType)
        return SymmetricKey(data: hash.finalize())
    }
}
#endif
