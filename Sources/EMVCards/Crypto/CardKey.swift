// SPDX-License-Identifier: Apache-2.0
import EMVKernel
internal import EMVTripleDES

/// The block cipher of a key (EMV Book 2, annex B1).
public enum KeyAlgorithm: Sendable, Hashable, CaseIterable {
    /// Two keys, 16 bytes.
    case tripleDES
    /// 16, 24 or 32 bytes.
    case aes

    public var blockSize: Int { self == .tripleDES ? 8 : 16 }
}

/// A symmetric key of a card or its issuer, with EMV's computations (Book 2, annex A1).
///
/// For simulated cards and tests: the cipher is not protected against side channels.
public struct CardKey: Sendable, Hashable {
    public let algorithm: KeyAlgorithm
    let bytes: [UInt8]

    /// Nil if the algorithm has no keys of this length.
    public init?(_ algorithm: KeyAlgorithm, _ bytes: [UInt8]) {
        guard (algorithm == .tripleDES ? [16] : [16, 24, 32]).contains(bytes.count) else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// - Precondition: `bytes` has 16 bytes.
    init(tripleDES bytes: [UInt8]) {
        precondition(bytes.count == 16, "a triple-DES key has 16 bytes")
        algorithm = .tripleDES
        self.bytes = bytes
    }

    /// - Precondition: `bytes` has 16, 24 or 32 bytes.
    init(aes bytes: [UInt8]) {
        precondition([16, 24, 32].contains(bytes.count), "an AES key has 16, 24 or 32 bytes")
        algorithm = .aes
        self.bytes = bytes
    }

    /// Enciphers each block separately (ECB).
    ///
    /// - Precondition: `data` is whole blocks.
    func encrypt(_ data: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .tripleDES: return TripleDES(key: bytes).encrypt(data)
        case .aes:
            let engine = AES(key: bytes)
            return stride(from: 0, to: data.count, by: 16).flatMap { engine.encrypt(Array(data[$0..<$0 + 16])) }
        }
    }

    /// Enciphers with cipher block chaining; the initialisation vector is zero.
    ///
    /// - Precondition: `data` is whole blocks.
    func encryptChained(_ data: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .tripleDES: TripleDES(key: bytes).encryptChained(data)
        case .aes: AES(key: bytes).encryptChained(data)
        }
    }

    /// - Precondition: `data` is whole blocks.
    func decryptChained(_ data: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .tripleDES: TripleDES(key: bytes).decryptChained(data)
        case .aes: AES(key: bytes).decryptChained(data)
        }
    }

    /// Returns the leftmost `length` bytes of the MAC (A1.2): the retail MAC over triple DES, CMAC over AES.
    ///
    /// - Parameter padding: of the retail MAC; CMAC defines its own.
    func mac(_ message: [UInt8], padding: TripleDES.Padding = .marked, length: Int = 8) -> [UInt8] {
        switch algorithm {
        case .tripleDES: Array(TripleDES(key: bytes).mac(message, padding: padding).prefix(length))
        case .aes: Array(AES(key: bytes).cipherMAC(message).prefix(length))
        }
    }
}

extension CardKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Algorithm and length, without the key.
    public var description: String { "\(algorithm) key of \(bytes.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

// MARK: - Master keys

/// The derivation of a card's own key from its issuer's master key, PAN and PAN Sequence Number (Book 2, A1.4).
public enum KeyDerivation: String, Sendable, Hashable, CaseIterable {
    /// The last 16 digits, enciphered with triple DES.
    case optionA
    /// As `optionA`, but PANs of more than 16 digits are hashed first.
    case optionB
    /// All digits, enciphered with AES.
    case optionC

    /// - Parameters:
    ///   - master: the issuer's; AES for option C, triple DES for the others.
    ///   - pan: digits, at most 19.
    ///   - sequence: two digits in one byte; 00 if the card has no sequence number.
    /// - Returns: nil if the master key belongs to the other cipher, or `pan` is empty, too long or not all digits.
    public func cardKey(master: CardKey, pan: String, sequence: UInt8 = 0) -> CardKey? {
        let digits = pan.utf8.map { $0 &- 0x30 }
        guard !digits.isEmpty, digits.count <= 19, digits.allSatisfy({ $0 < 10 }),
            (master.algorithm == .aes) == (self == .optionC)
        else { return nil }
        let all = digits + [sequence >> 4, sequence & 0xF]
        switch self {
        case .optionA: return Self.tripleDES(master, Self.packed(all, 16))
        case .optionB: return Self.tripleDES(master, digits.count <= 16 ? Self.packed(all, 16) : Self.hashed(all))
        case .optionC:
            let block = Self.packed(all, 32)
            let key = master.encrypt(block + block.map { ~$0 })
            return CardKey(aes: Array(key.prefix(master.bytes.count)))
        }
    }

    private static func tripleDES(_ master: CardKey, _ block: [UInt8]) -> CardKey {
        CardKey(tripleDES: master.encrypt(block + block.map { ~$0 }).map { $0.withOddParity })
    }

    /// Returns the rightmost digits, padded with zeros on the left.
    private static func packed(_ digits: [UInt8], _ count: Int) -> [UInt8] {
        [UInt8](nibbles: [UInt8](repeating: 0, count: max(0, count - digits.count)) + digits.suffix(count))
    }

    /// A1.4.2: the first 16 decimal digits of a hash, then its other digits minus ten.
    private static func hashed(_ digits: [UInt8]) -> [UInt8] {
        let even = digits.count.isMultiple(of: 2) ? digits : [0] + digits
        let nibbles = SHA1.hash([UInt8](nibbles: even)).flatMap { [$0 >> 4, $0 & 0xF] }
        let found = nibbles.filter { $0 < 10 } + nibbles.filter { $0 > 9 }.map { $0 - 10 }
        return [UInt8](nibbles: Array(found.prefix(16)))
    }
}

extension UInt8 {
    /// The byte with its last bit set so that the number of ones is odd, as in DES keys.
    var withOddParity: UInt8 { nonzeroBitCount.isMultiple(of: 2) ? self ^ 1 : self }
}

// MARK: - Session keys

extension CardKey {
    /// Derives the common session key (A1.3.1). A diversification value shorter than a block is padded with zeros.
    func sessionKey(diversifiedBy value: [UInt8]) -> CardKey {
        let size = algorithm.blockSize
        var block = Array(value.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - value.count))
        if bytes.count == size { return CardKey(aes: encrypt(block)) }
        block[2] = 0xF0
        let first = encrypt(block)
        block[2] = 0x0F
        let key = Array((first + encrypt(block)).prefix(bytes.count))
        return algorithm == .aes ? CardKey(aes: key) : CardKey(tripleDES: key.map { $0.withOddParity })
    }

    /// Derives Visa's session key for scripts of the older cryptogram versions: the counter is XORed into the end of
    /// each half.
    ///
    /// - Precondition: a triple-DES key.
    func visaScriptKey(counter: UInt16) -> CardKey {
        let folded = counter.bigEndianBytes + (~counter).bigEndianBytes
        var key = bytes
        for index in 0..<2 {
            key[6 + index] ^= folded[index]
            key[14 + index] ^= folded[2 + index]
        }
        return CardKey(tripleDES: key.map { $0.withOddParity })
    }

    /// Derives a session key with the tree of EMV 2000 (Book 2 of version 4.0, A1.3.1): a node is derived from its
    /// parent and its grandparent.
    ///
    /// - Parameters:
    ///   - branches: of a node; to the power of `height` it must be at least 65,536.
    ///   - start: replaces the root's parent, 16 bytes.
    /// - Precondition: a triple-DES key.
    func treeSessionKey(counter: UInt16, height: Int, branches: Int, start: [UInt8]) -> CardKey {
        let divisors = (0..<height).reduce(into: [1]) { list, _ in list.append(list[list.count - 1] * branches) }
        var (grandparent, parent, node) = (start, start, bytes)
        for level in 1...height {
            let child = UInt64(Int(counter) / divisors[height - level] % branches)
            let engine = TripleDES(key: node)
            let left = engine.encrypt(UInt64(bigEndian: parent[0..<8]) ^ child)
            let right = engine.encrypt(UInt64(bigEndian: parent[8..<16]) ^ child ^ 0xF0)
            (grandparent, parent, node) = (parent, node, left.bigEndianBytes + right.bigEndianBytes)
        }
        return CardKey(tripleDES: zip(node, grandparent).map { ($0 ^ $1).withOddParity })
    }
}
