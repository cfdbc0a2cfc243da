// SPDX-License-Identifier: Apache-2.0
#if Sealing
public import EMVKit

import Crypto

/// Recognises payments of one account by HMAC-SHA-256 (FIPS 198-1) under a key of this device, which is kept outside
/// the journal. From a fingerprint without a key, the account number could be guessed.
public struct KeyedFingerprint: AccountFingerprint {
    private let key: SymmetricKey

    /// - Parameter key: 32 random bytes or more, which stay unchanged across restarts.
    public init(key: consuming SecretBytes) throws(SealingError) {
        guard key.count >= 32 else { throw .badKey("a fingerprint's key has 32 bytes or more, got \(key.count)") }
        self.key = unsafe key.withUnsafeBytes { bytes in unsafe SymmetricKey(data: bytes) }
    }

    public func fingerprint(of account: consuming SecretBytes) async throws(SealingError) -> Bytes {
        unsafe account.withUnsafeBytes { bytes in
            var code = HMAC<Crypto.SHA256>(key: key)
            unsafe code.update(data: bytes)
            return Bytes(code.finalize())
        }
    }
}
#else
@available(*, unavailable, message: "enable the trait Sealing: .package(…, traits: [\"Sealing\"])")
public struct KeyedFingerprint {}
#endif
