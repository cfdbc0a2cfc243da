// SPDX-License-Identifier: Apache-2.0
/// The signed blocks of EMV Book 2: a public key certificate (5.3, 6.1) and signed dynamic data (6.5).
enum Certificate {
    /// A certificate with the part of the key that did not fit into it.
    struct Signed: Sendable, Hashable {
        let certificate: [UInt8]
        /// Empty if the whole modulus fitted.
        let remainder: [UInt8]
    }

    /// The subject of a certificate. It is a struct, not an enum with payloads: certificates that many cards share
    /// exist until the process ends, and a leak checker cannot see an array whose address also contains an enum's tag.
    struct Subject: Sendable, Hashable {
        /// The byte that identifies the certificate's format.
        let format: UInt8
        let identifier: [UInt8]
        /// The data that the hash covers after the key.
        let trailingData: [UInt8]

        /// Leading digits of the PAN, 4 bytes padded with F (Book 2, Table 1).
        static func issuer(identifier: [UInt8]) -> Subject {
            Subject(format: 0x02, identifier: identifier, trailingData: [])
        }

        /// PAN, 10 bytes padded with F (Book 2, Table 7), and the static data the card's certificate covers.
        static func card(pan: [UInt8], staticData: [UInt8]) -> Subject {
            Subject(format: 0x04, identifier: pan, trailingData: staticData)
        }
    }

    /// - Parameters:
    ///   - expiry: month and year, 2 bytes MMYY.
    ///   - serial: 3 bytes.
    ///   - damagesHash: changes the hash before signing, so that the block recovers but does not verify.
    static func issue(
        _ subject: Subject, key: RSAPrivateKey, expiry: [UInt8], serial: [UInt8], signedBy signer: RSAPrivateKey,
        damagesHash: Bool = false
    ) -> Signed {
        let head =
            [subject.format] + subject.identifier + expiry + serial
            + [0x01, 0x01, UInt8(key.modulus.count), UInt8(key.exponentBytes.count)]
        let room = signer.modulus.count - head.count - 22
        let leftmost = Array(key.modulus.prefix(room))
        let remainder = Array(key.modulus.dropFirst(room))
        let padding = [UInt8](repeating: 0xBB, count: room - leftmost.count)
        let body = head + leftmost + padding

        var hash = SHA1.hash(body + remainder + key.exponentBytes + subject.trailingData)
        if damagesHash { hash[0] ^= 0x01 }
        return Signed(certificate: signer.sign([0x6A] + body + hash + [0xBC]), remainder: remainder)
    }

    /// The block of static data authentication (Book 2, 5.4), for the issuer's key.
    ///
    /// - Parameters:
    ///   - code: Data Authentication Code, 2 bytes.
    ///   - data: the static data to be authenticated.
    ///   - length: of the issuer's key.
    static func staticBlock(code: [UInt8], data: [UInt8], length: Int) -> [UInt8] {
        let head = [0x03, 0x01] + code
        let body = head + [UInt8](repeating: 0xBB, count: length - head.count - 22)
        return [0x6A] + body + SHA1.hash(body + data) + [0xBC]
    }

    /// The block a card signs: format and dynamic data, padded, with the hash that also covers the terminal's data.
    static func dynamicBlock(
        format: UInt8, cardData: [UInt8], terminalData: [UInt8], length: Int
    ) -> [UInt8] {
        let head = [format, 0x01, UInt8(cardData.count)] + cardData
        let body = head + [UInt8](repeating: 0xBB, count: length - head.count - 22)
        return [0x6A] + body + SHA1.hash(body + terminalData) + [0xBC]
    }
}
