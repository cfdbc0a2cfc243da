// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit
import EMVTripleDES

/// Key derivation of triple-DES DUKPT (ANSI X9.24-1:2009, annex A).
enum TripleDESDerivation {
    /// The purpose of a key variant: the constants of X9.24-1, A.4.1.
    enum Variant: UInt64, CaseIterable {
        case pin = 0x0000_0000_0000_00FF
        case macRequest = 0x0000_0000_0000_FF00
        case macResponse = 0x0000_0000_FF00_0000
        case dataRequest = 0x0000_0000_00FF_0000
    }

    private static let mask: UInt64 = 0xC0C0_C0C0_0000_0000

    /// Derives the initial key of a device from the base key.
    ///
    /// - Parameter serialNumber: 10 bytes; its counter is ignored.
    static func initialKey(base: borrowing SecretBytes, serialNumber: [UInt8]) -> SecretBytes {
        let device = UInt64(bigEndian: serialNumber.prefix(7) + [serialNumber[7] & 0xE0])
        let (left, right) = halves(base)
        let first = encrypt(device, left, right)
        return join(first, encrypt(device, left ^ mask, right ^ mask))
    }

    /// Derives the key of a counter with one more bit set, from the key without it.
    ///
    /// - Parameter register: the serial number's last 8 bytes with that counter.
    static func next(_ key: borrowing SecretBytes, register: UInt64) -> SecretBytes {
        let (left, right) = halves(key)
        let second = half(register, left, right)
        return join(half(register, left ^ mask, right ^ mask), second)
    }

    private static func half(_ register: UInt64, _ left: UInt64, _ right: UInt64) -> UInt64 {
        var engine = DES(key: left)
        defer { engine.wipe() }
        return engine.encrypt(register ^ right) ^ right
    }

    /// Derives a working key. Data keys are enciphered once more, so that they reveal nothing about the others.
    static func variant(_ key: borrowing SecretBytes, _ variant: Variant) -> SecretBytes {
        let (left, right) = halves(key)
        let (one, other) = (left ^ variant.rawValue, right ^ variant.rawValue)
        guard variant == .dataRequest else { return join(one, other) }
        return join(encrypt(one, one, other), encrypt(other, one, other))
    }

    /// Runs `body` with triple DES under these two keys.
    static func withCipher<Result>(_ key: borrowing SecretBytes, _ body: (TripleDES) -> Result) -> Result {
        let (left, right) = halves(key)
        var engine = TripleDES(left: left, right: right)
        defer { engine.wipe() }
        return body(engine)
    }

    private static func encrypt(_ block: UInt64, _ left: UInt64, _ right: UInt64) -> UInt64 {
        var engine = TripleDES(left: left, right: right)
        defer { engine.wipe() }
        return engine.encrypt(block)
    }

    private static func halves(_ key: borrowing SecretBytes) -> (UInt64, UInt64) {
        var halves: (UInt64, UInt64) = (0, 0)
        for index in 0..<8 {
            halves.0 = halves.0 << 8 | UInt64(key[index])
            halves.1 = halves.1 << 8 | UInt64(key[8 + index])
        }
        return halves
    }

    private static func join(_ left: UInt64, _ right: UInt64) -> SecretBytes {
        var key = SecretBytes(count: 16)
        for index in 0..<8 {
            key[index] = UInt8(truncatingIfNeeded: left >> UInt64(56 - 8 * index))
            key[8 + index] = UInt8(truncatingIfNeeded: right >> UInt64(56 - 8 * index))
        }
        return key
    }
}
#endif
