// SPDX-License-Identifier: Apache-2.0
/// What a reader said of itself, in whichever object the card's PDOL asks for: Terminal Type modified by Contactless
/// Reader Capabilities (Book C-4, 4.3.3), or Enhanced Contactless Reader Capabilities (4.3.4, 4.3.5). A card without a
/// PDOL knows nothing of its reader.
struct AmericanExpressReader: Sendable, Hashable {
    let isKnown: Bool
    let supportsEMV: Bool
    let supportsMagneticStripe: Bool
    let requiresVerification: Bool
    let isOfflineOnly: Bool

    init(_ terminal: TerminalData) {
        let enhanced = terminal.raw(0x9F6E), type = terminal.raw(0x9F35).first
        // Second digit of the Terminal Type without the bit that says CVM required: 3 and 6 are offline only (Book 4,
        // A1).
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
    /// The mode of a transaction; nil: the card has none that the reader has. A card that cannot know, and one of
    /// mag-stripe mode alone, shows what it is.
    func usesEMV(at reader: AmericanExpressReader) -> Bool? {
        switch modes {
        case .emv: reader.supportsEMV || !reader.isKnown ? true : nil
        case .magneticStripe: reader.supportsEMV || reader.supportsMagneticStripe || !reader.isKnown ? false : nil
        case .both: reader.supportsEMV ? true : reader.supportsMagneticStripe || !reader.isKnown ? false : nil
        }
    }
}
