// SPDX-License-Identifier: Apache-2.0
/// The certification authority, issuer and card keys of a simulated card. All are test keys.
public enum KeySet: String, Sendable, Hashable, CaseIterable {
    /// Authority 1408, issuer 1152, card 896 bits, exponents 3: both certificates leave a remainder.
    case standard
    /// Authority 1984, issuer 1976, card 1640 bits, exponents 3: the largest that fit a record of 254 bytes
    /// (EMV Book 3, 7.1; Book 2, D1.2).
    case largest
    /// As `largest`, exponents 65537.
    case largestF4
    /// Authority 1152, issuer 1152, card 896 bits, exponents 65537.
    case smallF4
    /// Authority 1984, issuer 1408, card 896 bits: both certificates are padded and leave no remainder.
    case withoutRemainders
    /// Authority 1408 and card 1152 bits with exponent 3, issuer 1408 bits with exponent 65537.
    case mixedExponents

    /// A scheme's authority key, for the configuration of a terminal.
    public func authorityKey(rid: [UInt8]) -> CAKeyMaterial { authority(rid: rid).publicKey }

    func authority(rid: [UInt8]) -> CardAuthority { .authority(authorityNumber, rid: rid) }

    private var authorityNumber: CardAuthority.Number {
        switch self {
        case .standard, .mixedExponents: .e3Of1408
        case .largest: .e3Of1984
        case .largestF4, .withoutRemainders: .f4Of1984
        case .smallF4: .f4Of1152
        }
    }

    var issuer: RSAPrivateKey {
        switch self {
        case .standard: TestKeys.issuer1152e3
        case .largest: TestKeys.issuer1976e3
        case .largestF4: TestKeys.issuer1976f4
        case .smallF4: TestKeys.issuer1152f4
        case .withoutRemainders: TestKeys.issuer1408e3
        case .mixedExponents: TestKeys.issuer1408f4
        }
    }

    var card: RSAPrivateKey {
        switch self {
        case .standard: TestKeys.card896e3
        case .largest: TestKeys.card1640e3
        case .largestF4: TestKeys.card1640f4
        case .smallF4: TestKeys.card896f4
        case .withoutRemainders: TestKeys.card896e3
        case .mixedExponents: TestKeys.card1152e3
        }
    }
}
