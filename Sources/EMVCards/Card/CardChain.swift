// SPDX-License-Identifier: Apache-2.0
/// The certificates of one application. They are issued once in a card's life.
struct CardChain: Sendable {
    let issuer: Certificate.Signed
    let card: Certificate.Signed

    /// Everything that goes into a certificate.
    struct Request: Sendable, Hashable {
        var subject: Certificate.Subject
        var key: RSAPrivateKey
        var signer: RSAPrivateKey
        var serial: [UInt8]
        var expires: [UInt8]
        var damagesHash: Bool

        func issue() -> Certificate.Signed {
            Certificate.issue(
                subject, key: key, expiry: expires, serial: serial, signedBy: signer, damagesHash: damagesHash)
        }
    }

    /// Issues certificates for an application. Certificates that many cards share are issued once per process.
    static func issue(_ application: CardApplication, keys: KeySet) -> CardChain {
        let shared = application.scheme.behaviour.sharedChain(keys)
        let issuer = Request(issuerOf: application, keys: keys)
        let card = Request(cardOf: application, keys: keys)
        return CardChain(
            issuer: shared?.certificate(for: issuer) ?? issuer.issue(),
            card: shared?.certificate(for: card) ?? card.issue())
    }

    /// The chain of an application that changes only its keys.
    struct Shared: Sendable {
        private let issuer: Request
        private let card: Request
        private let chain: CardChain

        @inline(never)
        init(_ application: CardApplication, _ keys: KeySet) {
            var application = application
            application.keys = keys
            issuer = Request(issuerOf: application, keys: keys)
            card = Request(cardOf: application, keys: keys)
            chain = CardChain(issuer: issuer.issue(), card: card.issue())
        }

        fileprivate func certificate(for request: Request) -> Certificate.Signed? {
            request == issuer ? chain.issuer : request == card ? chain.card : nil
        }
    }
}

extension CardChain.Request {
    init(issuerOf application: CardApplication, keys: KeySet) {
        var identifier = [UInt8](digits: String(application.pan.prefix(8)), count: 4)
        if application.flaws.contains(.wrongIssuerIdentifier) { identifier[0] ^= 0x10 }
        self.init(
            subject: .issuer(identifier: identifier), key: keys.issuer,
            signer: keys.authority(rid: application.authorityRID).key, serial: application.issuerSerial,
            expires: application.issuerCertificateExpires,
            damagesHash: application.flaws.contains(.wrongIssuerHash))
    }

    init(cardOf application: CardApplication, keys: KeySet) {
        var pan = [UInt8](digits: application.pan, count: 10)
        if application.flaws.contains(.wrongCertifiedPAN) { pan[5] ^= 0x01 }
        let certified = application.scheme.behaviour.certifiedData(application)
        self.init(
            subject: .card(pan: pan, staticData: certified), key: keys.card, signer: keys.issuer,
            serial: [0x00, 0x00, 0x07], expires: application.cardCertificateExpires,
            damagesHash: application.flaws.contains(.wrongCardHash))
    }
}

extension [UInt8] {
    /// Packs decimal digits, two per byte, padded with F and cut to `count` bytes.
    init(digits: String, count: Int) {
        var nibbles = Array(digits.utf8.prefix(2 * count).map { $0 & 0xF })
        nibbles += [UInt8](repeating: 0xF, count: 2 * count - nibbles.count)
        self.init(nibbles: nibbles)
    }

    /// Packs two nibbles per byte; an odd number of nibbles is padded with F.
    init(nibbles: [UInt8]) {
        self = stride(from: 0, to: nibbles.count, by: 2).map { at in
            nibbles[at] << 4 | (at + 1 < nibbles.count ? nibbles[at + 1] : 0xF)
        }
    }
}
