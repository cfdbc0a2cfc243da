// SPDX-License-Identifier: Apache-2.0
// Certificates of Kernel 8 over P-256 (Book C-8, Annex B): an authority certifies the issuer's key, the issuer the
// card's with the hash of its static data. RSA certificates (Book 2), which hash other data, are in Certificates/.

/// Issues and verifies elliptic-curve certificates.
enum Kernel8Certificate {
    /// Issuer Public Key Certificate (90), 117 bytes (Table B.1).
    struct Issuer: Sendable, Hashable {
        /// 3 to 10 leftmost digits of the PAN.
        var identifier: String
        /// YYYYMMDD, UTC.
        var expires: String
        /// 3 bytes.
        var serial: [UInt8]
        /// 5 bytes.
        var rid: [UInt8]
        var authorityIndex: UInt8
        /// x of the issuer's key, 32 bytes.
        var key: [UInt8]

        var message: [UInt8] {
            [0x12, 0x00] + [UInt8](digits: identifier, count: 5) + [0x10] + [UInt8](digits: expires, count: 4)
                + serial + rid + [authorityIndex] + key
        }
    }

    /// ICC Public Key Certificate (9F46), 145 bytes (Table B.2).
    struct Card: Sendable, Hashable {
        /// YYYYMMDD and HHMM, UTC.
        var expires: String
        var expiryTime: String
        /// 6 bytes.
        var serial: [UInt8]
        /// SHA-256 over Signed Records, Extended SDA Tag List Related Data and AIP.
        var dataHash: [UInt8]
        /// x of the card's key, 32 bytes.
        var key: [UInt8]

        var message: [UInt8] {
            [0x14, 0x00, 0x00] + [UInt8](digits: expires, count: 4) + [UInt8](digits: expiryTime, count: 2) + serial
                + [0x01, 0x02] + dataHash + key
        }
    }

    /// Returns the message followed by its signature.
    static func issue(_ message: [UInt8], by key: P256PrivateKey) -> [UInt8] {
        message + SchnorrSignature.sign(message, with: key)
    }

    /// Returns whether the certificate is complete and was signed by this key.
    ///
    /// - Parameter length: of the signed message.
    static func verify(_ certificate: [UInt8], length: Int, by key: P256.Point) -> Bool {
        certificate.count == length + 64
            && SchnorrSignature.verify(
                Array(certificate.suffix(64)), Array(certificate.prefix(length)), by: key)
    }
}

/// A certification authority's elliptic-curve key, for the configuration of a terminal. It certifies simulated cards
/// only, and its private half is public.
public struct EllipticCAKeyMaterial: Sendable, Hashable {
    /// Registered Application Provider Identifier, 5 bytes.
    public let rid: [UInt8]
    public let index: UInt8
    /// Algorithm suite: 10, EC-SDSA over P-256 with SHA-256.
    public let suite: UInt8
    /// 32 bytes each.
    public let x: [UInt8]
    public let y: [UInt8]
    /// SHA-256 over RID, index, suite, x and y.
    public let sha256: [UInt8]
    /// The last day, as "YYYY-MM-DD".
    public let expires: String
}

/// The authority of Kernel 8's certificates: one key that every scheme uses with the same index.
struct Kernel8Authority: Sendable, Hashable {
    static let index: UInt8 = 0xEC
    static let key = P256PrivateKey(name: "Kernel 8: certification authority")
    /// The issuer key of every simulated card.
    static let issuer = P256PrivateKey(name: "Kernel 8: issuer")

    static func publicKey(rid: [UInt8]) -> EllipticCAKeyMaterial {
        let (x, y) = (key.point.x.bytes, key.point.y.bytes)
        return EllipticCAKeyMaterial(
            rid: rid, index: index, suite: 0x10, x: x, y: y, sha256: SHA256.hash(rid + [index, 0x10] + x + y),
            expires: "2049-12-31")
    }
}
