/// Two-key triple DES, for simulated cards and their issuer only.
struct TripleDES: Sendable, Hashable {
    private let left: DES
    private let right: DES

    /// How a message is filled up to whole blocks before a MAC.
    enum Padding: Sendable {
        /// Zeros, and none when the message is whole blocks (ISO/IEC 9797-1 method 1).
        case zeros
        /// One 80, then zeros (ISO/IEC 9797-1 method 2).
        case marked
    }

    /// - Precondition: `key` has 16 bytes.
    init(key: [UInt8]) {
        precondition(key.count == 16, "a triple-DES key has 16 bytes")
        left = DES(key: UInt64(bigEndian: key[0..<8]))
        right = DES(key: UInt64(bigEndian: key[8..<16]))
    }

    func encrypt(_ block: UInt64) -> UInt64 { left.encrypt(right.decrypt(left.encrypt(block))) }

    func decrypt(_ block: UInt64) -> UInt64 { left.decrypt(right.encrypt(left.decrypt(block))) }

    /// Each block for itself (ECB). A last, shorter block is dropped.
    func encrypt(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count / 8 * 8, by: 8).flatMap { start in
            encrypt(UInt64(bigEndian: bytes[start..<start + 8])).bigEndianBytes
        }
    }

    /// The retail MAC: single DES through the chain, triple DES on the last block (ISO/IEC 9797-1 algorithm 3).
    func mac(_ message: [UInt8], padding: Padding) -> [UInt8] {
        var padded = message
        if padding == .marked { padded.append(0x80) }
        while !padded.count.isMultiple(of: 8) || padded.isEmpty { padded.append(0) }

        var chain: UInt64 = 0
        for start in stride(from: 0, to: padded.count, by: 8) {
            chain = left.encrypt(chain ^ UInt64(bigEndian: padded[start..<start + 8]))
        }
        return left.encrypt(right.decrypt(chain)).bigEndianBytes
    }
}

extension UInt64 {
    /// Up to eight bytes, most significant first.
    init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}

extension UInt16 {
    var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}
