// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit

import Crypto
import CryptoExtras

/// The usage indicator of a derived key (ANSI X9.24-3, 6.3.1).
enum AESKeyUsage: UInt16, Sendable, CaseIterable {
    case keyEncryption = 0x0002
    case pinEncryption = 0x1000
    case macGeneration = 0x2000
    case dataEncryption = 0x3000
    case keyDerivation = 0x8000
    case initialKey = 0x8001
}

/// The algorithm of a derived key, as encoded in derivation data.
enum AESKeyType: Sendable, CaseIterable {
    case tripleDES2, tripleDES3, aes128, aes192, aes256

    var indicator: UInt8 {
        switch self {
        case .tripleDES2: 0x00
        case .tripleDES3: 0x01
        case .aes128: 0x02
        case .aes192: 0x03
        case .aes256: 0x04
        }
    }

    var size: Int {
        switch self {
        case .tripleDES2, .aes128: 16
        case .tripleDES3, .aes192: 24
        case .aes256: 32
        }
    }

    init?(size: Int) {
        switch size {
        case 16: self = .aes128
        case 24: self = .aes192
        case 32: self = .aes256
        default: return nil
        }
    }
}

/// Key derivation of AES DUKPT (ANSI X9.24-3, 6.3).
enum AESDerivation {
    /// - Parameters:
    ///   - key: an AES key.
    ///   - identifier: the initial key's identifier, 8 bytes.
    ///   - counter: the transaction's counter; not used for the initial key itself.
    static func derive(
        _ key: borrowing SecretBytes, _ usage: AESKeyUsage, _ type: AESKeyType, identifier: Bytes, counter: UInt32 = 0
    ) -> SecretBytes {
        var derived = SecretBytes(count: type.size)
        let symmetric = unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
        for block in 0..<(type.size + 15) / 16 {
            var bits = SecretBytes(count: 16)
            bits[0] = 0x01
            bits[1] = UInt8(block + 1)
            bits[2] = UInt8(usage.rawValue >> 8)
            bits[3] = UInt8(truncatingIfNeeded: usage.rawValue)
            bits[5] = type.indicator
            bits[6] = UInt8((type.size * 8) >> 8)  // a shift binds tighter than a product here
            bits[7] = UInt8(truncatingIfNeeded: type.size * 8)
            for index in 0..<4 {
                bits[8 + index] = identifier[usage == .initialKey ? index : 4 + index]
                bits[12 + index] =
                    usage == .initialKey
                    ? identifier[4 + index] : UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * index))
            }
            permute(&bits, symmetric)
            for index in 0..<min(16, type.size - 16 * block) { derived[16 * block + index] = bits[index] }
        }
        return derived
    }

    /// The key that protects new keys on their way to a device (X9.24-3, 6.5.4). It belongs to the transaction whose
    /// counter is all ones, which no sale uses.
    /// - Precondition: `initial` is an AES key: its length was checked when it was accepted.
    static func updateKey(_ initial: borrowing SecretBytes, _ type: AESKeyType, identifier: Bytes) -> SecretBytes {
        guard let own = AESKeyType(size: initial.count) else { preconditionFailure("an AES key's length was checked") }
        var reached: UInt32 = 1 << 31
        var key = derive(initial, .keyDerivation, own, identifier: identifier, counter: reached)
        for bit in (0..<UInt32(31)).reversed() {
            reached |= 1 << bit
            key = derive(key, .keyDerivation, own, identifier: identifier, counter: reached)
        }
        return derive(key, .keyEncryption, type, identifier: identifier, counter: reached)
    }

    /// - Precondition: the key is an AES key: its length was checked when it was accepted.
    private static func permute(_ block: inout SecretBytes, _ key: SymmetricKey) {
        unsafe block.withUnsafeMutableBytes { bytes in
            var bytes = unsafe bytes
            guard (try? unsafe AES.permute(&bytes, key: key)) != nil else {
                preconditionFailure("an AES key of a length that was checked")
            }
        }
    }
}
#endif
