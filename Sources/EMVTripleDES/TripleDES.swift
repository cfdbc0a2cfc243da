// SPDX-License-Identifier: Apache-2.0
/// Two-key triple DES (ISO/IEC 18033-3), used by simulated cards, their issuers and the older DUKPT.
package struct TripleDES: Sendable, Hashable {
    private var left: DES
    private var right: DES

    /// The padding of a message to whole blocks before a MAC.
    package enum Padding: Sendable {
        /// Zeros, only if the message is not whole blocks (ISO/IEC 9797-1 method 1).
        case zeros
        /// One 80, then zeros (ISO/IEC 9797-1 method 2).
        case marked
    }

    /// - Precondition: `key` has 16 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == 16, "a triple-DES key has 16 bytes")
        left = DES(key: UInt64(bigEndian: key[0..<8]))
        right = DES(key: UInt64(bigEndian: key[8..<16]))
    }

    package init(left: UInt64, right: UInt64) {
        self.left = DES(key: left)
        self.right = DES(key: right)
    }

    /// Overwrites the round keys. The key must not be used afterwards.
    package mutating func wipe() {
        left.wipe()
        right.wipe()
    }

    package func encrypt(_ block: UInt64) -> UInt64 { left.encrypt(right.decrypt(left.encrypt(block))) }

    package func decrypt(_ block: UInt64) -> UInt64 { left.decrypt(right.encrypt(left.decrypt(block))) }

    /// Encrypts each block separately (ECB).
    ///
    /// - Precondition: `bytes` is whole blocks.
    package func encrypt(_ bytes: [UInt8]) -> [UInt8] { Self.blocks(bytes).flatMap { encrypt($0).bigEndianBytes } }

    /// Decrypts each block separately (ECB).
    ///
    /// - Precondition: `bytes` is whole blocks.
    package func decrypt(_ bytes: [UInt8]) -> [UInt8] { Self.blocks(bytes).flatMap { decrypt($0).bigEndianBytes } }

    /// Encrypts with cipher block chaining; the initialisation vector is zero.
    ///
    /// - Precondition: `bytes` is whole blocks.
    package func encryptChained(_ bytes: [UInt8]) -> [UInt8] {
        var chain: UInt64 = 0
        return Self.blocks(bytes).flatMap { block in
            chain = encrypt(chain ^ block)
            return chain.bigEndianBytes
        }
    }

    /// Reverses `encryptChained`.
    ///
    /// - Precondition: `bytes` is whole blocks.
    package func decryptChained(_ bytes: [UInt8]) -> [UInt8] {
        var chain: UInt64 = 0
        return Self.blocks(bytes).flatMap { block in
            defer { chain = block }
            return (decrypt(block) ^ chain).bigEndianBytes
        }
    }

    /// The retail MAC: single DES for all blocks, triple DES for the last one (ISO/IEC 9797-1 algorithm 3).
    package func mac(_ message: [UInt8], padding: Padding) -> [UInt8] {
        var padded = message
        if padding == .marked { padded.append(0x80) }
        while !padded.count.isMultiple(of: 8) || padded.isEmpty { padded.append(0) }
        let chain = Self.blocks(padded).reduce(UInt64(0)) { left.encrypt($0 ^ $1) }
        return left.encrypt(right.decrypt(chain)).bigEndianBytes
    }

    /// CMAC (ISO/IEC 9797-1 algorithm 5), 8 bytes.
    package func cipherMAC(_ message: [UInt8]) -> [UInt8] {
        let whole = !message.isEmpty && message.count.isMultiple(of: 8)
        var padded = message
        if !whole { padded.append(0x80) }
        while !padded.count.isMultiple(of: 8) { padded.append(0) }
        var mask = Self.doubled(encrypt(0))
        if !whole { mask = Self.doubled(mask) }
        let blocks = Self.blocks(padded)
        let chain = blocks.dropLast().reduce(UInt64(0)) { encrypt($0 ^ $1) }
        return encrypt(chain ^ blocks[blocks.count - 1] ^ mask).bigEndianBytes
    }

    /// Multiplication by x in the field of CMAC's subkeys.
    private static func doubled(_ value: UInt64) -> UInt64 { value << 1 ^ (0 &- (value >> 63)) & 0x1B }

    private static func blocks(_ bytes: [UInt8]) -> [UInt64] {
        precondition(bytes.count.isMultiple(of: 8), "triple DES takes whole blocks of 8 bytes")
        return stride(from: 0, to: bytes.count, by: 8).map { UInt64(bigEndian: bytes[$0..<$0 + 8]) }
    }
}

extension UInt64 {
    /// Up to eight bytes, most significant first.
    package init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}

extension UInt16 {
    package var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}
