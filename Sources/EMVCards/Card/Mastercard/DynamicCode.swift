// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// CVC3: the code that a mag-stripe mode card computes for each transaction.
struct DynamicCode: Sendable {
    private let key: [UInt8]

    /// - Parameter key: the card's own, 16 bytes.
    init(key: [UInt8]) { self.key = key }

    init(masterKey: [UInt8], pan: String, sequence: UInt8) {
        key = ApplicationCryptogram(masterKey: masterKey, pan: pan, sequence: sequence).cardKey
    }

    /// Computes the code for a track, as the card returns it.
    ///
    /// - Parameters:
    ///   - track: Track 1 or Track 2 Data as in the record.
    ///   - number: the terminal's, 4 bytes.
    func code(track: [UInt8], number: [UInt8], counter: UInt16) -> UInt16 {
        let engine = TripleDES(key: key)
        let start = engine.mac(track, padding: .marked).suffix(2)
        let block = UInt64(bigEndian: start + number.prefix(4) + counter.bigEndianBytes)
        return UInt16(truncatingIfNeeded: engine.encrypt(block))
    }
}
