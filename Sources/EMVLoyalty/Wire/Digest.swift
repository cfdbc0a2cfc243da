// SPDX-License-Identifier: Apache-2.0
internal import CEMV
import EMVKit

/// The kernel's SHA-256, for public data: names of passes and of keys.
enum Digest {
    static func sha256(_ bytes: some Collection<UInt8>) -> Bytes {
        var hash = cemv_sha256()
        var digest = Bytes(repeating: 0, count: Int(CEMV_SHA256_SIZE))
        unsafe cemv_sha256_init(&hash)
        unsafe Bytes(bytes).withUnsafeBufferPointer {
            unsafe cemv_sha256_update(&hash, cemv_bytes(data: $0.baseAddress, size: $0.count))
        }
        unsafe cemv_sha256_final(&hash, &digest)
        return digest
    }
}
