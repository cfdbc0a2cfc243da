// SPDX-License-Identifier: Apache-2.0
// Key derivation of simulated wallets with SHA-256: HMAC (FIPS 198-1), HKDF (RFC 5869) and the key derivation function
// of ANSI X9.63 (SEC 1, 3.6.1). Test keys only.

/// The keyed hash over SHA-256.
enum HMAC {
    static func mac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? SHA256.hash(key) : key
        let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
        let inner = SHA256.hash(padded.map { $0 ^ 0x36 } + message)
        return SHA256.hash(padded.map { $0 ^ 0x5C } + inner)
    }
}

enum HashedKeys {
    /// HKDF: extract, then expand.
    static func expanded(_ secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        let extracted = HMAC.mac(secret, key: salt)
        var result: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 1
        while result.count < count {
            block = HMAC.mac(block + info + [number], key: extracted)
            result += block
            number += 1
        }
        return Array(result.prefix(count))
    }

    /// X9.63: hashes the secret, a counter from 1 and the data that both sides know.
    static func concatenated(_ secret: [UInt8], shared: [UInt8], count: Int) -> [UInt8] {
        var result: [UInt8] = []
        var number: UInt8 = 1
        while result.count < count {
            result += SHA256.hash(secret + [0, 0, 0, number] + shared)
            number += 1
        }
        return Array(result.prefix(count))
    }
}
