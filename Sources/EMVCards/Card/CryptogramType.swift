// SPDX-License-Identifier: Apache-2.0
/// Cryptogram Information Data, bits 8 and 7.
enum CryptogramType: UInt8, Sendable, Hashable {
    case decline = 0x00
    case offline = 0x40
    case online = 0x80

    /// The type in bits 6 and 5, as in Card Verification Results.
    var resultBits: UInt8 { rawValue >> 2 }
}

/// The cryptogram that GENERATE AC requests (P1, Reference Control Parameter).
struct CryptogramRequest: Sendable, Hashable {
    let type: CryptogramType
    let wantsSignature: Bool

    init?(_ parameter: UInt8) {
        guard parameter & 0x2F == 0, let type = CryptogramType(rawValue: parameter & 0xC0) else { return nil }
        self.type = type
        wantsSignature = parameter & 0x10 != 0
    }
}
