// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit

/// The two generations of DUKPT.
public enum DUKPTGeneration: Sendable, Hashable, CaseIterable {
    /// ANSI X9.24-3: keys of 16, 24 or 32 bytes, key serial numbers of 12 bytes.
    case aes
    /// ANSI X9.24-1: keys of 16 bytes, key serial numbers of 10 bytes. For payment services that support only this one.
    case tripleDES

    /// The number of bits of the transaction counter.
    var counterBits: Int { self == .aes ? 32 : 21 }
    /// The most one bits that a counter may have: this limits the derivation steps of a host.
    var mostOnes: Int { self == .aes ? 16 : 10 }
    var lastCounter: UInt32 { self == .aes ? 0xFFFF_0000 : 0x1F_F800 }
    /// The number of bytes of a key serial number.
    var serialNumberSize: Int { self == .aes ? 12 : 10 }

    func isKey(size: Int) -> Bool { (self == .aes ? [16, 24, 32] : [16]).contains(size) }

    /// Returns a device's key serial number with this counter.
    func serialNumber(_ device: Bytes, counter: UInt32) -> Bytes {
        switch self {
        case .aes: return device + (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
        case .tripleDES:
            var number = Bytes(device.prefix(10))
            number[7] = number[7] & 0xE0 | UInt8(truncatingIfNeeded: counter >> 16)
            number[8] = UInt8(truncatingIfNeeded: counter >> 8)
            number[9] = UInt8(truncatingIfNeeded: counter)
            return number
        }
    }

    /// Returns the counter of a key serial number; nil for another length.
    func counter(in serialNumber: Bytes) -> UInt32? {
        guard serialNumber.count == serialNumberSize else { return nil }
        let number = serialNumber.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return self == .aes ? number : number & 0x1F_FFFF
    }

    /// Derives the key of a counter from the key of that counter without its lowest one bit.
    func next(_ key: borrowing SecretBytes, device: Bytes, counter: UInt32) -> SecretBytes {
        switch self {
        case .aes:
            guard let type = AESKeyType(size: key.count) else { preconditionFailure("an AES key's length was checked") }
            return AESDerivation.derive(key, .keyDerivation, type, identifier: device, counter: counter)
        case .tripleDES:
            let register = serialNumber(device, counter: counter).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return TripleDESDerivation.next(key, register: register)
        }
    }
}

/// The key of one transaction, from which its working keys are derived, and its serial number.
struct TransactionKey: ~Copyable {
    let key: SecretBytes
    let serialNumber: Bytes
}

/// A device's future keys: each transaction has a unique key, and no earlier key can be recovered from the device.
struct DUKPTDevice: ~Copyable {
    let generation: DUKPTGeneration
    /// The initial key's identifier (8 bytes), or the initial key serial number (10 bytes).
    let device: Bytes
    /// The counter of the next transaction.
    private(set) var counter: UInt32
    private let keySize: Int
    /// One slot for each bit of the counter, the lowest bit first; zeros if a slot has no key.
    private var keys: SecretBytes
    private var isThere: [Bool]

    init(_ generation: DUKPTGeneration, initialKey: borrowing SecretBytes, device: Bytes) throws(SealingError) {
        guard generation.isKey(size: initialKey.count) else {
            throw .badKey("an initial key of \(initialKey.count) bytes for DUKPT over \(generation)")
        }
        let size = generation == .aes ? 8 : 10
        guard device.count == size else {
            throw .badKey("expected an identifier of \(size) bytes, got \(device.count)")
        }
        self.generation = generation
        self.device = device
        keySize = initialKey.count
        keys = SecretBytes(count: generation.counterBits * initialKey.count)
        isThere = [Bool](repeating: false, count: generation.counterBits)
        counter = 0
        fill(from: initialKey, below: generation.counterBits)
        counter = 1
    }

    /// Returns the next transaction's key and key serial number. Before it returns, it derives the key's successors and
    /// erases the key.
    mutating func advance() throws(SealingError) -> TransactionKey {
        while isUsable, !isThere[counter.trailingZeroBitCount] { counter &+= counter & (0 &- counter) }
        guard isUsable else { throw .exhausted }
        let place = counter.trailingZeroBitCount
        let key = key(at: place)
        let number = generation.serialNumber(device, counter: counter)
        if counter.nonzeroBitCount < generation.mostOnes {
            fill(from: key, below: place)
            erase(place)
            counter += 1
        } else {
            erase(place)
            counter &+= counter & (0 &- counter)
        }
        return TransactionKey(key: key, serialNumber: number)
    }

    /// Whether a counter is left. It wraps to zero after its last value.
    private var isUsable: Bool { counter != 0 && counter <= generation.lastCounter }

    /// Derives the keys below a key: for each lower bit, the key of the counter with that bit set as well.
    private mutating func fill(from key: borrowing SecretBytes, below place: Int) {
        for bit in (0..<place).reversed() {
            let derived = generation.next(key, device: device, counter: counter | 1 << UInt32(bit))
            for index in 0..<keySize { keys[bit * keySize + index] = derived[index] }
            isThere[bit] = true
        }
    }

    private func key(at place: Int) -> SecretBytes {
        var key = SecretBytes(count: keySize)
        for index in 0..<keySize { key[index] = keys[place * keySize + index] }
        return key
    }

    private mutating func erase(_ place: Int) {
        for index in 0..<keySize { keys[place * keySize + index] = 0 }
        isThere[place] = false
    }
}

// MARK: - Storing

extension DUKPTDevice {
    /// The device's complete state: generation, counter, identifier, the set of keys, and the keys. It is as secret as
    /// they are.
    var stored: SecretBytes {
        let head =
            [generation == .aes ? 3 : 1, UInt8(keySize)]
            + (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(24 - 8 * $0)) }
            + device + isThere.map { $0 ? 1 : 0 }
        var bytes = SecretBytes(count: head.count + keys.count)
        for (index, byte) in head.enumerated() { bytes[index] = byte }
        for index in 0..<keys.count { bytes[head.count + index] = keys[index] }
        return bytes
    }

    init(stored: borrowing SecretBytes) throws(SealingError) {
        guard stored.count > 6, let generation: DUKPTGeneration = [3: .aes, 1: .tripleDES][stored[0]] else {
            throw .badKey("stored DUKPT keys of an unknown form")
        }
        let size = Int(stored[1])
        let deviceSize = generation == .aes ? 8 : 10
        let bits = generation.counterBits
        guard generation.isKey(size: size), stored.count == 6 + deviceSize + bits + bits * size else {
            throw .badKey("stored DUKPT keys of \(stored.count) bytes")
        }
        self.generation = generation
        keySize = size
        counter = (2..<6).reduce(0) { $0 << 8 | UInt32(stored[$1]) }
        device = (6..<6 + deviceSize).map { stored[$0] }
        isThere = (0..<bits).map { stored[6 + deviceSize + $0] == 1 }
        keys = SecretBytes(count: bits * size)
        for index in 0..<bits * size { keys[index] = stored[6 + deviceSize + bits + index] }
    }
}
#endif
