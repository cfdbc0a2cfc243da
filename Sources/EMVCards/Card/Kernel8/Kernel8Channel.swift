// SPDX-License-Identifier: Apache-2.0
// The card's end of Kernel 8's secure channel (Book C-8, 3.7 and chapter 8): key agreement with a blinded key, the
// session keys, both message counters, and every MAC. It knows no command and no data object.
//
// It was written from the book's clauses without reading the kernel's code, so that the two check each other.
internal import EMVTripleDES

/// The session keys of one transaction (Book C-8, 8.3).
struct Kernel8SessionKeys: Sendable, Hashable {
    /// SKc, for enciphering.
    let confidentiality: AES
    /// SKi, for MACs.
    let integrity: AES

    /// - Parameter shared: Z, the x coordinate that both sides computed, 32 bytes.
    init(shared: [UInt8]) {
        let derivation = AES(key: AES(key: [UInt8](repeating: 0, count: 16)).cipherMAC(shared))
        let tail: [UInt8] = [
            0x01, 0x00, 0x54, 0x33, 0x4A, 0x32, 0x59, 0x57, 0x77, 0x3D, 0xA5, 0xA5, 0xA5, 0x01, 0x80,
        ]
        confidentiality = AES(key: derivation.encrypt([0x01] + tail))
        integrity = AES(key: derivation.encrypt([0x02] + tail))
    }

    /// Enhanced Data Authentication MAC, 8 bytes.
    ///
    /// - Parameter bound: the IAD-MAC; for a card of version 1 the Issuer Application Data with the IAD-MAC in place.
    func authenticationMAC(cryptogram: [UInt8], bound: [UInt8]) -> [UInt8] {
        Array(integrity.cipherMAC([0x00, 0x00] + cryptogram + bound).prefix(8))
    }

    /// The IAD-MAC, 8 bytes (Book C-8, 2627.11 and .12).
    func issuerDataMAC(of message: Kernel8MACInput) -> [UInt8] {
        Array(integrity.cipherMACPlus(message.bytes).prefix(8))
    }
}

/// The input of the IAD-MAC: all data that both sides sent.
struct Kernel8MACInput: Sendable, Hashable {
    /// PDOL Values and CDOL1 Related Data, as in the commands.
    var pdolValues: [UInt8]
    var cdolData: [UInt8]
    /// Entropy of the last attempt and the card's 10 bytes; empty if relay resistance was not performed.
    var relay: [UInt8] = []
    /// Objects of the GENERATE AC answer except 9F26 and 9F8105, and for a card of version 1 except 9F10.
    var objects: [UInt8]
    /// SHA-256 of the static data, 32 bytes.
    var dataHash: [UInt8]

    var bytes: [UInt8] { [0x00, 0x00] + pdolValues + cdolData + relay + objects + dataHash }
}

/// A card's channel from GET PROCESSING OPTIONS to the end of the transaction.
struct Kernel8Channel: Sendable {
    let keys: Kernel8SessionKeys
    /// Card Key Data (9F8103): x of the blinded key, and the enciphered blinding factor.
    let cardKeyData: [UInt8]
    /// Counts the messages that the card enciphers or answers with a MAC; 8000 was used for the blinding factor.
    private(set) var cardCounter: UInt16 = 0x8001
    /// Counts the messages that the terminal enciphers.
    private(set) var kernelCounter: UInt16 = 0x0000

    /// - Parameters:
    ///   - card: the card's own key.
    ///   - factor: r, between 0 and the order.
    ///   - kernel: Kernel Key Data.
    init?(card: P256PrivateKey, factor: Number256, kernel: P256.Point) {
        let blinded = P256.product(factor, card.scalar)
        guard let point = P256.generator.multiplied(by: blinded), let shared = kernel.multiplied(by: blinded) else {
            return nil
        }
        self.init(blinded: point.x.bytes, factor: factor.bytes, shared: shared.x.bytes)
    }

    /// - Parameters:
    ///   - blinded: x of the blinded key as sent.
    ///   - factor: r as sent, 32 bytes.
    ///   - shared: Z.
    init(blinded: [UInt8], factor: [UInt8], shared: [UInt8]) {
        keys = Kernel8SessionKeys(shared: shared)
        cardKeyData = blinded + keys.confidentiality.counterMode(factor, counter: 0x8000)
    }

    /// Returns the value of an encrypted record (template DA).
    mutating func encrypt(_ plain: [UInt8]) -> [UInt8] {
        defer { cardCounter &+= 1 }
        return keys.confidentiality.counterMode(plain, counter: cardCounter)
    }

    /// Returns the answer to READ DATA: the enciphered object and 8 bytes of MAC over it.
    mutating func envelope(_ object: [UInt8]) -> [UInt8] {
        let counter = cardCounter.bigEndianBytes
        let hidden = encrypt(object)
        return hidden + keys.integrity.cipherMAC(counter + hidden).prefix(8)
    }

    /// Deciphers the data of WRITE DATA: returns the object, and the MAC for the answer.
    mutating func open(_ hidden: [UInt8]) -> (object: [UInt8], mac: [UInt8]) {
        let object = keys.confidentiality.counterMode(hidden, counter: kernelCounter)
        let mac = Array(keys.integrity.cipherMAC(cardCounter.bigEndianBytes + object).prefix(8))
        kernelCounter &+= 1
        cardCounter &+= 1
        return (object, mac)
    }

    /// Repeats a counter value: the defect of a card.
    mutating func loseCount() { cardCounter &-= 1 }
}
