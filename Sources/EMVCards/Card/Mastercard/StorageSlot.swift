// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The slot of integrated data storage (version 1), which is kept without power.
struct StorageSlot: Sendable, Hashable {
    /// Nil while the slot is free.
    private(set) var operatorID: [UInt8]?
    /// DS Digest H of the last write: the next write must send data whose digest equals it.
    private(set) var lock: [UInt8] = []
    private(set) var data: [UInt8] = []

    /// A slot that has an owner from the start is unlocked by zeros.
    init(_ storage: DataStorage?, of application: CardApplication) {
        guard let storage, let owner = storage.operatorID else { return }
        operatorID = owner
        data = storage.stored
        lock = Self.digest([UInt8](repeating: 0, count: 8), identifier: application.storageIdentifier, owner: owner)
    }

    /// DS Summary, 8 bytes, which differs for each content.
    func summary(of application: CardApplication) -> [UInt8] {
        Array(SHA1.hash(Array(application.pan.utf8) + (operatorID ?? []) + lock + data).prefix(8))
    }

    /// Returns whether the slot accepted the terminal's data (DSDOL).
    mutating func write(
        _ sent: TerminalData, for owner: [UInt8], _ storage: DataStorage, of application: CardApplication
    ) -> Bool {
        guard !storage.isReadOnly else { return false }
        let isVolatile = sent.bytes(0xDF62, 1)[0] & 0x40 != 0
        if let operatorID {
            let shared = storage.slotControl & 0x80 != 0 && isVolatile
            let proof = Self.digest(
                sent.bytes(0xDF60, 8), identifier: application.storageIdentifier,
                owner: shared ? [UInt8](repeating: 0, count: 8) : owner)
            guard operatorID == owner, proof == lock else { return false }
        }
        operatorID = owner
        lock = sent.bytes(0xDF61, 8)
        data = sent.raw(0xDF63)
        return true
    }

    /// OWHF2. The terminal sends its result as DF61; the card computes it from DF60.
    ///
    /// - Parameters:
    ///   - identifier: DS ID, at least 8 bytes.
    ///   - owner: operator identifier, 8 bytes.
    static func digest(_ input: [UInt8], identifier: [UInt8], owner: [UInt8]) -> [UInt8] {
        let half = { (bytes: ArraySlice<UInt8>) in bytes.map { ($0 / 16 &* 10 &+ $0 % 16) &* 2 } }
        let left = half(identifier.prefix(6)) + owner[4..<6]
        let right = half(identifier.suffix(6)) + owner[6..<8]
        let block = UInt64(bigEndian: input)
        let mixed = TripleDES(key: left + right).encrypt(block ^ UInt64(bigEndian: owner))
        return (mixed ^ block).bigEndianBytes
    }
}
