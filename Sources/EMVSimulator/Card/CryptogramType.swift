// SPDX-License-Identifier: Apache-2.0
/// Cryptogram Information Data, bits 8 and 7.
enum CryptogramType: UInt8, Sendable, Hashable {
    case decline = 0x00
    case offline = 0x40
    case online = 0x80

    /// Bits 6 and 5 of the fifth byte of Visa's issuer application data.
    var resultBits: UInt8 { rawValue >> 2 }
}
