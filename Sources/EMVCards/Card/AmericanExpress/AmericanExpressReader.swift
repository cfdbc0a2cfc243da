// SPDX-License-Identifier: Apache-2.0
/// The reader's capabilities, from the object that the card's PDOL requests: Terminal Type modified by Contactless
/// Reader Capabilities (Book C-4, 4.3.3), or Enhanced Contactless Reader Capabilities (4.3.4, 4.3.5). A card without a
/// PDOL knows nothing about its reader.
struct AmericanExpressReader: Sendable, Hashable {
    let isKnown: Bool
    let supportsEMV: Bool
    let supportsMagneticStripe: Bool
    let requiresVerification: Bool
    let isOfflineOnly: Bool

    init(_ terminal: TerminalData) {
        let enhanced = terminal.raw(0x9F6E), type = terminal.raw(0x9F35).first
        // Second digit of the Terminal Type without the "CVM required" bit: 3 and 6 are offline only (Book 4, A1).
        let hasOfflineType = type.map { [0x03, 0x06].contains($0 & 0x07) } ?? false
        if enhanced.count == 4 {
            isKnown = true
            supportsEMV = enhanced[0] & 0x10 != 0
            supportsMagneticStripe = enhanced[0] & 0x40 != 0
            requiresVerification = enhanced[2] & 0x40 != 0
            isOfflineOnly = enhanced[2] & 0x80 != 0 || hasOfflineType
        } else if let type {
            isKnown = true
            supportsEMV = type & 0xC0 == 0xC0
            supportsMagneticStripe = type & 0x40 != 0
            requiresVerification = type & 0x08 != 0
            isOfflineOnly = hasOfflineType
        } else {
            isKnown = false
            supportsEMV = false
            supportsMagneticStripe = false
            requiresVerification = false
            isOfflineOnly = false
        }
    }
}

extension AmericanExpressBehaviour {
    /// Returns whether a transaction uses EMV mode; nil if card and reader have no mode in common. A card without
    /// knowledge of the reader, or with mag-stripe mode only, uses the mode it has.
    func usesEMV(at reader: AmericanExpressReader) -> Bool? {
        switch modes {
        case .emv: reader.supportsEMV || !reader.isKnown ? true : nil
        case .magneticStripe: reader.supportsEMV || reader.supportsMagneticStripe || !reader.isKnown ? false : nil
        case .both: reader.supportsEMV ? true : reader.supportsMagneticStripe || !reader.isKnown ? false : nil
        }
    }
}
