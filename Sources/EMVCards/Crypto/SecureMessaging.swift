// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The protection of an issuer's script commands (EMV Book 2, chapter 9).
public enum SecureMessaging: Sendable, Hashable, CaseIterable {
    /// Visa's format 2: the length precedes the data, each block is enciphered separately; keys of the older cryptogram
    /// versions.
    case visa
    /// As `visa`, with the common session key over the cryptogram.
    case visaCommon
    /// M/Chip's format 2: padding only if needed, chained blocks. For each further command of a transaction the
    /// cryptogram is incremented by one, in the session keys' derivation and under the MAC.
    case mastercard
    /// As `mastercard`, but with one session key for all commands, and MACs over the command alone.
    case interac
    /// Format 1 with MAC chaining (Common Core Definitions).
    case commonCore

    /// Derives the session key of one transaction (9.2.2, 9.3.2).
    ///
    /// - Parameters:
    ///   - card: the card's own key for MACs or for encipherment.
    ///   - cryptogram: the cryptogram that the issuer answers, 8 bytes.
    func key(_ card: CardKey, counter: UInt16, cryptogram: [UInt8]) -> CardKey {
        self == .visa ? card.visaScriptKey(counter: counter) : card.sessionKey(diversifiedBy: cryptogram)
    }

    /// Enciphers command data (9.3).
    func encipher(_ data: [UInt8], with key: CardKey) -> [UInt8] {
        let size = key.algorithm.blockSize
        switch self {
        case .visa, .visaCommon:
            return key.encrypt(Self.padded([UInt8(truncatingIfNeeded: data.count)] + data, size, always: false))
        case .mastercard, .interac: return key.encryptChained(Self.padded(data, size, always: false))
        case .commonCore: return key.encryptChained(Self.padded(data, size, always: true))
        }
    }

    /// Reverses `encipher`; returns nil for data that it cannot have produced. M/Chip's data keep their padding: the
    /// card knows their length.
    func decipher(_ data: [UInt8], with key: CardKey) -> [UInt8]? {
        guard !data.isEmpty, data.count.isMultiple(of: key.algorithm.blockSize) else { return nil }
        switch self {
        case .visa, .visaCommon:
            let plain = key.algorithm == .tripleDES ? TripleDES(key: key.bytes).decrypt(data) : []
            guard let count = plain.first.map(Int.init), count < plain.count else { return nil }
            return Array(plain[1...count])
        case .mastercard, .interac: return key.decryptChained(data)
        case .commonCore:
            let plain = key.decryptChained(data)
            guard let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 0x80 else { return nil }
            return Array(plain[..<end])
        }
    }

    /// Whether PIN CHANGE contains Visa's block, which is bound to the card's key, instead of an ISO 9564-1 block of
    /// format 2.
    func hasVisaPINBlock(withCurrentPIN: Bool) -> Bool {
        switch self {
        case .visa: true
        case .visaCommon: withCurrentPIN
        case .mastercard, .interac, .commonCore: false
        }
    }

    /// Length in bytes of the enciphered PIN block in PIN CHANGE. Format 2 needs it because its commands do not contain
    /// the length.
    func pinDataLength(blockSize: Int) -> Int {
        switch self {
        case .visa, .visaCommon: 2 * blockSize
        case .mastercard, .interac, .commonCore: blockSize
        }
    }

    /// Adds 80 and zeros up to a whole block: always, or only if the data are not whole blocks.
    static func padded(_ data: [UInt8], _ size: Int, always: Bool) -> [UInt8] {
        guard always || !data.count.isMultiple(of: size) else { return data }
        return data + [0x80] + [UInt8](repeating: 0, count: (size - (data.count + 1) % size) % size)
    }

    /// Computes the MAC of a command (9.2.3).
    ///
    /// - Parameters:
    ///   - header: CLA, INS, P1, P2.
    ///   - data: as sent, enciphered or not, without the MAC.
    ///   - chain: format 1: the full MAC of the previous command, or the cryptogram; format 2: the cryptogram,
    ///     incremented for M/Chip.
    /// - Returns: the full MAC, of which the command contains the first 4 to 8 bytes.
    func mac(
        _ header: [UInt8], data: [UInt8], macLength: Int, counter: UInt16, chain: [UInt8], key: CardKey
    ) -> [UInt8] {
        let size = key.algorithm.blockSize
        switch self {
        case .visa, .visaCommon, .mastercard:
            let length = UInt8(truncatingIfNeeded: data.count + macLength)
            return key.mac(header + [length] + counter.bigEndianBytes + chain + data)
        case .interac:
            return key.mac(header + [UInt8(truncatingIfNeeded: data.count + macLength)] + data)
        case .commonCore:
            let start = chain + [UInt8](repeating: 0, count: size - chain.count)
            let message =
                start + Self.padded(header, size, always: true)
                + (data.isEmpty ? [] : Self.padded(data, size, always: true))
            return key.mac(message, padding: .zeros, length: size)
        }
    }
}

extension CardKey {
    /// Returns the data of Visa's PIN CHANGE: the new PIN bound to the card's own cryptogram key and, if given, to the
    /// current PIN.
    ///
    /// - Parameters:
    ///   - pin: 4 to 12 digits.
    ///   - current: 4 to 12 digits.
    /// - Returns: 8 bytes, nil for characters other than digits.
    public func visaPINChange(_ pin: String, current: String? = nil) -> [UInt8]? {
        let digits = pin.utf8.map { $0 &- 0x30 }
        guard algorithm == .tripleDES, (4...12).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else {
            return nil
        }
        let filling = [UInt8](repeating: 0xF, count: 14 - digits.count)
        let plain = [UInt8](nibbles: [0, UInt8(digits.count)] + digits + filling)
        var old = [UInt8](repeating: 0, count: 8)
        if let current {
            let digits = current.utf8.map { $0 &- 0x30 }
            guard (4...12).contains(digits.count), digits.allSatisfy({ $0 < 10 }) else { return nil }
            old = [UInt8](nibbles: digits + [UInt8](repeating: 0, count: 16 - digits.count))
        }
        let own: [UInt8] = [0, 0, 0, 0] + bytes[4..<8]
        return (0..<8).map { plain[$0] ^ own[$0] ^ old[$0] }
    }
}
