// SPDX-License-Identifier: Apache-2.0
// Keys out of certificates (EMV Book 2, 6.2 to 6.4), for the kernels of this implementation.

/// The public key of a card with these objects; `covered` is the further data that the card's certificate signs.
func recoverCardKey(
    card: [UInt32: Bytes], rid: Bytes, covered: Bytes, configuration: Configuration, today: Bytes
) -> PublicKey? {
    guard let index = card[0x8F]?.first,
        let authority = configuration.keys.first(where: { $0.rid == rid && $0.index == index }),
        let issuerCertificate = card[0x90], let issuerExponent = card[0x9F32],
        let cardCertificate = card[0x9F46], let cardExponent = card[0x9F47], let own = card[0x5A],
        let account = compressed(own)
    else { return nil }

    // 6.3, Table 6
    guard let issuer = authority.key.recover(issuerCertificate), issuer.count >= 36, issuer[0] == 0x6A,
        issuer[1] == 0x02, issuer.last == 0xBC
    else { return nil }
    guard hashHolds(issuer, card[0x92] ?? [], issuerExponent, []) else { return nil }
    var identifier = nibbles(Array(issuer[2..<6]))
    while identifier.last == 0x0F { identifier.removeLast() }
    if identifier.count < 3 || !account.starts(with: identifier) { return nil }
    if hasExpired(Array(issuer[6..<8]), today) { return nil }
    let serial = Array(issuer[8..<11])
    if configuration.revoked.contains(Revocation(rid: rid, index: index, serial: serial)) { return nil }
    if issuer[11] != 0x01 || issuer[12] != 0x01 { return nil }
    guard let issuerModulus = modulus(Array(issuer[15..<issuer.count - 21]), card[0x92] ?? [], Int(issuer[13])) else {
        return nil
    }
    let issuerKey = PublicKey(modulus: issuerModulus, exponent: issuerExponent)

    // 6.4, Table 14
    guard let icc = issuerKey.recover(cardCertificate), icc.count >= 42, icc[0] == 0x6A, icc[1] == 0x04,
        icc.last == 0xBC
    else { return nil }
    guard hashHolds(icc, card[0x9F48] ?? [], cardExponent, covered) else { return nil }
    if compressed(Array(icc[2..<12])) != account { return nil }
    if hasExpired(Array(icc[12..<14]), today) { return nil }
    if icc[17] != 0x01 || icc[18] != 0x01 { return nil }
    guard let iccModulus = modulus(Array(icc[21..<icc.count - 21]), card[0x9F48] ?? [], Int(icc[19])) else {
        return nil
    }
    return PublicKey(modulus: iccModulus, exponent: cardExponent)
}

/// Digits before the padding; `nil`: not compressed numeric.
func compressed(_ value: Bytes) -> [UInt8]? {
    var digits = nibbles(value)
    while digits.last == 0x0F { digits.removeLast() }
    return digits.contains { $0 > 9 } ? nil : digits
}

private func hashHolds(_ plain: Bytes, _ remainder: Bytes, _ exponent: Bytes, _ more: Bytes) -> Bool {
    let signed = Array(plain[1..<plain.count - 21]) + remainder + exponent + more
    return sha1(signed) == Array(plain[plain.count - 21..<plain.count - 1])
}

/// The part in the certificate, without its padding, followed by the remainder.
private func modulus(_ part: Bytes, _ remainder: Bytes, _ length: Int) -> Bytes? {
    if length <= part.count { return Array(part[0..<length]) }
    return length == part.count + remainder.count ? part + remainder : nil
}

/// MMYY, valid to the end of its month.
private func hasExpired(_ date: Bytes, _ now: Bytes) -> Bool {
    guard let last = Date3([date[1], date[0], 0x01]), let today = Date3(now) else { return true }
    return (last.year, last.month) < (today.year, today.month)
}
