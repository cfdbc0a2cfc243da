/// The certificates of one application. Issued once in a card's life.
struct CardChain: Sendable {
    let issuer: Certificate.Signed
    let card: Certificate.Signed

    /// Everything that goes into the certificates.
    struct Request: Sendable, Hashable {
        var keys: KeySet
        var issuer: Certificate.Subject
        var issuerSerial: [UInt8]
        var issuerExpires: [UInt8]
        var damagesIssuerHash: Bool
        var card: Certificate.Subject
        var cardExpires: [UInt8]
        var damagesCardHash: Bool
    }

    /// Certificates for an application; those that many cards share are issued once in the program's life.
    static func issue(_ application: CardApplication, keys: KeySet) -> CardChain {
        let request = Request(application, keys: keys)
        let shared = sharedChain(keys)
        if request == shared.request { return shared.chain }
        var withOrdinaryIssuer = shared.request
        withOrdinaryIssuer.card = request.card
        withOrdinaryIssuer.cardExpires = request.cardExpires
        withOrdinaryIssuer.damagesCardHash = request.damagesCardHash
        let issuer = request == withOrdinaryIssuer ? shared.chain.issuer : request.issueIssuer()
        return CardChain(issuer: issuer, card: request.issueCard())
    }

    private static func sharedChain(_ keys: KeySet) -> Shared {
        switch keys {
        case .standard: standard
        case .largest: largest
        case .largestF4: largestF4
        case .smallF4: smallF4
        case .withoutRemainders: withoutRemainders
        case .mixedExponents: mixedExponents
        }
    }

    private static let standard = Shared(.standard)
    private static let largest = Shared(.largest)
    private static let largestF4 = Shared(.largestF4)
    private static let smallF4 = Shared(.smallF4)
    private static let withoutRemainders = Shared(.withoutRemainders)
    private static let mixedExponents = Shared(.mixedExponents)

    /// The chain of an application that changes nothing but its keys.
    private struct Shared: Sendable {
        let request: Request
        let chain: CardChain

        init(_ keys: KeySet) {
            var ordinary = CardApplication()
            ordinary.keys = keys
            request = Request(ordinary, keys: keys)
            chain = CardChain(issuer: request.issueIssuer(), card: request.issueCard())
        }
    }
}

extension CardChain.Request {
    init(_ application: CardApplication, keys: KeySet) {
        let flaws = application.flaws
        var identifier = [UInt8](digits: String(application.pan.prefix(8)), count: 4)
        if flaws.contains(.wrongIssuerIdentifier) { identifier[0] ^= 0x10 }
        var pan = [UInt8](digits: application.pan, count: 10)
        if flaws.contains(.wrongCertifiedPAN) { pan[5] ^= 0x01 }

        self.init(
            keys: keys,
            issuer: .issuer(identifier: identifier),
            issuerSerial: application.issuerSerial,
            issuerExpires: application.issuerCertificateExpires,
            damagesIssuerHash: flaws.contains(.wrongIssuerHash),
            card: .card(pan: pan, staticData: CardTransaction.staticData(application)),
            cardExpires: application.cardCertificateExpires,
            damagesCardHash: flaws.contains(.wrongCardHash))
    }

    func issueIssuer() -> Certificate.Signed {
        Certificate.issue(
            issuer, key: keys.issuer, expiry: issuerExpires, serial: issuerSerial, signedBy: keys.authority.key,
            damagesHash: damagesIssuerHash)
    }

    func issueCard() -> Certificate.Signed {
        Certificate.issue(
            card, key: keys.card, expiry: cardExpires, serial: [0x00, 0x00, 0x07], signedBy: keys.issuer,
            damagesHash: damagesCardHash)
    }
}

extension [UInt8] {
    /// Decimal digits two a byte, filled up with F and cut to `count` bytes.
    init(digits: String, count: Int) {
        var nibbles = Array(digits.utf8.prefix(2 * count).map { $0 & 0xF })
        nibbles += [UInt8](repeating: 0xF, count: 2 * count - nibbles.count)
        self.init(nibbles: nibbles)
    }

    /// Two nibbles a byte; an odd one is filled up with F.
    init(nibbles: [UInt8]) {
        self = stride(from: 0, to: nibbles.count, by: 2).map { at in
            nibbles[at] << 4 | (at + 1 < nibbles.count ? nibbles[at + 1] : 0xF)
        }
    }
}
