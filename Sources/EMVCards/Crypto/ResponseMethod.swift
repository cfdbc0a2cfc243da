// SPDX-License-Identifier: Apache-2.0
/// The two methods by which an issuer answers a cryptogram (EMV Book 2, 8.2).
public enum ResponseMethod: Sendable, Hashable, CaseIterable {
    /// Authorisation response code, 8 bytes of cryptogram.
    case first
    /// Card status update, 4 bytes of cryptogram.
    case second

    /// 8.2.1: 8 bytes.
    ///
    /// - Parameters:
    ///   - key: the session key that made the cryptogram.
    ///   - code: 2 bytes.
    static func first(_ key: CardKey, _ cryptogram: [UInt8], code: [UInt8]) -> [UInt8] {
        let block = zip(cryptogram, code + [0, 0, 0, 0, 0, 0]).map { $0 ^ $1 }
        return Array(key.encrypt(block + [UInt8](repeating: 0, count: key.algorithm.blockSize - 8)).prefix(8))
    }

    /// 8.2.2: 4 bytes.
    ///
    /// - Parameters:
    ///   - update: 4 bytes.
    ///   - more: Proprietary Authentication Data, up to 8 bytes.
    static func second(_ key: CardKey, _ cryptogram: [UInt8], update: [UInt8], more: [UInt8] = []) -> [UInt8] {
        key.mac(cryptogram + update + more, length: 4)
    }
}
