// SPDX-License-Identifier: Apache-2.0
// The certificates of a random card (EMV Book 2, 6.3 and 6.4), with the defects that a fuzzer needs.

struct Holder {
    /// Packed digits of the account, sixteen of them.
    var account: Bytes
}

/// 8F, 90, 9F32, 9F46, 92, 9F48 and 9F47; each `defect` from 2 to 17 damages one of them.
func issue(
    _ choices: Choices, _ defect: Int, _ big: Bool, _ card: PrivateKey, _ holder: Holder, _ covered: Bytes
) -> [(UInt32, Bytes)] {
    let authority = big ? TestKeys.authority1 : TestKeys.authority2
    let issuer = big ? TestKeys.issuer1 : TestKeys.issuer2
    let identifier = Array(holder.account.prefix(3)) + [0xFF]
    let space = authority.modulus.count - 36
    var part = Array((issuer.modulus + Bytes(repeating: 0xBB, count: space)).prefix(space))
    let issuerRemainder = Array(issuer.modulus.dropFirst(space))
    var head: Bytes = [0x02] + (defect == 2 ? [identifier[0] ^ 0x0C] + identifier[1...] : identifier)
    head +=
        defect == 3
        ? [0x10, 0x26] : choices.mostly([0x12, 0x30], [[0x11, 0x26], [0x12, 0x26], [0x12, 0x49]], 60)
    head += [0x00, 0x00, 0x01, defect == 4 ? 0x02 : 0x01, defect == 5 ? 0x02 : 0x01]
    head += [UInt8(issuer.modulus.count), UInt8(issuer.exponent.count)]
    if defect == 6 { part[0] ^= 0x01 }
    let body = head + part
    var hash = sha1(body + issuerRemainder + issuer.exponent)
    if defect == 7 { hash[0] ^= 0x01 }
    let issuerCertificate = authority.signOnce([0x6A] + body + hash + [defect == 8 ? 0xCC : 0xBC])

    let cardSpace = issuer.modulus.count - 42
    let cardPart = Array((card.modulus + Bytes(repeating: 0xBB, count: cardSpace)).prefix(cardSpace))
    let cardRemainder = Array(card.modulus.dropFirst(cardSpace))
    let account = holder.account.dropLast() + [holder.account.last! ^ (defect == 9 ? 0x01 : 0x00), 0xFF, 0xFF]
    var cardHead: Bytes = [0x04] + account + (defect == 10 ? [0x10, 0x26] : [0x12, 0x30])
    cardHead += [0x00, 0x00, 0x02, defect == 11 ? 0x03 : 0x01, 0x01, UInt8(card.modulus.count)]
    cardHead += [UInt8(card.exponent.count)]
    let covered = defect == 12 ? covered + [0x00] : covered
    let cardBody = cardHead + cardPart
    let cardHash = sha1(cardBody + cardRemainder + card.exponent + covered)
    let cardCertificate = issuer.signOnce([0x6A] + cardBody + cardHash + [0xBC])

    var keys: [(UInt32, Bytes)] = [
        (0x8F, [big ? 0xF1 : 0xF2]), (0x90, issuerCertificate), (0x9F32, issuer.exponent),
        (0x9F46, cardCertificate),
    ]
    if !issuerRemainder.isEmpty { keys.append((0x92, issuerRemainder)) }
    if !cardRemainder.isEmpty { keys.append((0x9F48, cardRemainder)) }
    keys.append((0x9F47, card.exponent))
    switch defect {
    case 13: keys[0].1 = [0xF3]
    case 14: keys.removeAll { $0.0 == choices.one([0x8F, 0x90, 0x9F32, 0x9F46, 0x92, 0x9F48, 0x9F47]) }
    case 15: keys[1].1.removeLast()
    case 16: keys[3].1[5] ^= 0x10
    case 17: keys[2].1 = choices.one([[0x02], [0x03, 0x00], [0x00, 0x00, 0x03]])
    default: break
    }
    return keys
}
