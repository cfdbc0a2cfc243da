// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import TestData
import Testing
import TestKeys

/// What a signer puts into a certificate, every field open to a lie. The hash and the signature are right for the lie.
private struct CertificateFields {
    var header: UInt8 = 0x6A
    var format: UInt8
    var subject: CryptoBytes
    var expiry: CryptoBytes = [0x12, 0x30]
    var serial: CryptoBytes = [0x01, 0x02, 0x03]
    var hashAlgorithm: UInt8 = 1
    var keyAlgorithm: UInt8 = 1
    var keyLength: UInt8
    var exponentLength: UInt8 = 1
    var key: CryptoBytes
    var padding: UInt8 = 0xBB
    var trailer: UInt8 = 0xBC
    var hashFlip: UInt8 = 0
    var exponent: CryptoBytes = [3]
    var staticData: CryptoBytes = []
    /// Given instead of the remainder that belongs.
    var otherRemainder: CryptoBytes?

    init(format: UInt8, subject: CryptoBytes, key: CryptoBytes) {
        self.format = format
        self.subject = subject
        self.key = key
        keyLength = UInt8(key.count)
    }

    func signed(
        by signer: SigningKey, exponent signerExponent: UInt32
    ) -> (certificate: CryptoBytes, remainder: CryptoBytes) {
        let fixed = [format] + subject + expiry + serial + [hashAlgorithm, keyAlgorithm, keyLength, exponentLength]
        let room = signer.size - 22 - fixed.count
        let inside = key.prefix(room) + CryptoBytes(repeating: padding, count: max(0, room - key.count))
        let remainder = otherRemainder ?? CryptoBytes(key.dropFirst(room))
        var hash = cryptoSHA1([fixed + inside, remainder, exponent, staticData])
        hash[19] ^= hashFlip
        return (signer.sign([header] + fixed + inside + hash + [trailer], exponent: signerExponent), remainder)
    }
}

private func publicKey(_ modulus: CryptoBytes, _ exponent: UInt32 = 3) -> cemv_public_key {
    var key = cemv_public_key()
    withUnsafeMutableBytes(of: &key.modulus) { $0.copyBytes(from: modulus) }
    key.size = UInt32(modulus.count)
    key.exponent = exponent
    return key
}

private struct IssuerCase {
    var signer = SigningKey.authority
    var fields: CertificateFields
    var caKnown = true
    var caModulus: CryptoBytes?
    var caExponent: UInt32 = 3
    var certificate: CryptoBytes?
    var exponentGiven: CryptoBytes?
    var pan = hex("4761739001010010")
    var date: (UInt8, UInt8, UInt8) = (0x26, 0x11, 0x21)
    var revoked: [cemv_revocation] = []
    var out = cemv_certificate()

    init(key: SigningKey = .issuer) {
        fields = CertificateFields(format: 2, subject: hex("476173FF"), key: key.modulus)
    }

    mutating func run() -> cemv_oda_result {
        cryptoLending { lender in
            let signed = fields.signed(by: signer, exponent: caExponent == 65537 ? 65537 : 3)
            var ca = cemv_ca_key()
            ca.rid = (0xA0, 0, 0, 0, 3)
            ca.index = 0x92
            ca.modulus = lender.bytes(caModulus ?? signer.modulus)
            ca.exponent = caExponent
            var input = cemv_issuer_input()
            input.ca = caKnown ? lender.array([ca]) : nil
            input.certificate = lender.bytes(certificate ?? signed.certificate)
            input.remainder = lender.bytes(signed.remainder)
            input.exponent = lender.bytes(exponentGiven ?? fields.exponent)
            input.pan = lender.bytes(pan)
            input.date = date
            input.revoked = lender.array(revoked)
            input.revoked_count = revoked.count
            return cemv_issuer_recover(cryptoPort(lender), &input, &out)
        }
    }
}

private struct ICCCase {
    var signer = SigningKey.issuer
    var fields: CertificateFields
    var issuer: cemv_public_key?
    var certificate: CryptoBytes?
    var pan = hex("4761739001010010")
    var date: (UInt8, UInt8, UInt8) = (0x26, 0x11, 0x21)
    var pieces: [CryptoBytes] = [[0x5A, 0x02, 0x47, 0x61], [0x5F, 0x34, 0x01, 0x01]]
    var tagList: CryptoBytes?
    var aip: CryptoBytes = []
    var out = cemv_certificate()

    init(key: SigningKey = .card) {
        fields = CertificateFields(format: 4, subject: hex("4761739001010010FFFF"), key: key.modulus)
        fields.staticData = pieces.flatMap { $0 }
    }

    mutating func run() -> cemv_oda_result {
        cryptoLending { lender in
            let signed = fields.signed(by: signer, exponent: 3)
            var input = cemv_icc_input()
            input.issuer = lender.array([issuer ?? publicKey(signer.modulus)])
            input.certificate = lender.bytes(certificate ?? signed.certificate)
            input.remainder = lender.bytes(signed.remainder)
            input.exponent = lender.bytes(fields.exponent)
            input.pan = lender.bytes(pan)
            input.date = date
            input.static_data.pieces = lender.array(pieces.map { lender.bytes($0) })
            input.static_data.count = pieces.count
            input.static_data.tag_list = lender.bytes(tagList)
            input.static_data.aip = lender.bytes(aip)
            return cemv_icc_recover(cryptoPort(lender), &input, &out)
        }
    }
}

/// Signed static or dynamic data: the block is head, body, padding, hash, trailer.
private struct SignatureCase {
    enum Kind { case ssad, dda, fdda, cda }

    var kind: Kind
    var signer = SigningKey.card
    var key: cemv_public_key?
    var header: UInt8 = 0x6A
    var format: UInt8
    var hashAlgorithm: UInt8 = 1
    var dynamicLength: UInt8?
    var body: CryptoBytes
    var padding: UInt8 = 0xBB
    var trailer: UInt8 = 0xBC
    var hashFlip: UInt8 = 0
    var signature: CryptoBytes?
    var formatWanted: UInt8 = 5
    var number: CryptoBytes = [0xAB, 0xAB, 0xAB, 0xAB]
    var amount: CryptoBytes = [0, 0, 0, 0, 0x20, 0]
    var currency: CryptoBytes = [0x08, 0x40]
    var cardData: CryptoBytes = [1, 0x69, 0xC1, 0x6C, 0x99, 0x90, 0x00]
    var cid: UInt8 = 0x40
    var transaction: [CryptoBytes] = [[1, 2, 3], [0x9F, 0x27, 0x01, 0x40]]
    var transactionGiven: [CryptoBytes]?
    var pieces: [CryptoBytes]?
    var tagList: CryptoBytes?
    var aip: CryptoBytes = []
    var code: CryptoBytes = [0, 0]
    var dynamic = cemv_dynamic_data()
    var combined = cemv_cda_data()

    init(_ kind: Kind) {
        self.kind = kind
        format = kind == .ssad ? 3 : 5
        body =
            switch kind {
            case .ssad: [0xDA, 0xC0]
            case .dda, .fdda: [0x02, 0x00, 0x15]
            case .cda:
                [0x08, 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 11, 12, 13, 14, 15, 16, 17, 18]
                    + cryptoSHA1([[1, 2, 3], [0x9F, 0x27, 0x01, 0x40]])
            }
    }

    var signedPieces: [CryptoBytes] {
        if let pieces { return pieces }
        return switch kind {
        case .ssad: [[0x5A, 0x02, 0x47, 0x61]]
        case .dda, .cda: [number]
        case .fdda: [number, amount, currency, cardData]
        }
    }

    func signed() -> CryptoBytes {
        let length = kind == .ssad ? [] : [dynamicLength ?? UInt8(body.count)]
        let head = [format, hashAlgorithm] + length + body
        let message = head + CryptoBytes(repeating: padding, count: signer.size - 22 - head.count)
        var hash = cryptoSHA1([message] + signedPieces + [kind == .ssad && tagList != nil ? aip : []])
        hash[0] ^= hashFlip
        return signer.sign([header] + message + hash + [trailer], exponent: 3)
    }

    mutating func run() -> cemv_oda_result {
        cryptoLending { lender in
            let port = cryptoPort(lender)
            var key = self.key ?? publicKey(signer.modulus)
            let bytes = lender.bytes(signature ?? signed())
            let list = lender.array(signedPieces.map { lender.bytes($0) })
            switch kind {
            case .ssad:
                var data = cemv_static_data(
                    pieces: list, count: signedPieces.count, tag_list: lender.bytes(tagList), aip: lender.bytes(aip))
                return cemv_ssad_verify(port, &key, bytes, &data, &code)
            case .dda:
                return cemv_dda_verify(port, &key, bytes, formatWanted, list, signedPieces.count, &dynamic)
            case .fdda:
                var input = cemv_fdda_input(
                    sdad: bytes, format: formatWanted, unpredictable_number: lender.bytes(number),
                    amount: lender.bytes(amount),
                    currency: lender.bytes(currency), card_data: lender.bytes(cardData))
                return cemv_fdda_verify(port, &key, &input, &dynamic)
            case .cda:
                let given = transactionGiven ?? transaction
                var input = cemv_cda_input(
                    sdad: bytes, unpredictable_number: lender.bytes(number), cid: cid,
                    transaction_hash: lender.bytes(cryptoSHA1(given)))
                return cemv_cda_verify(port, &key, &input, &combined)
            }
        }
    }
}

/// One lie and the check that must find it.
struct FieldLie: CustomTestStringConvertible, Sendable {
    let name: String
    let found: cemv_oda_result
    let result: @Sendable () -> cemv_oda_result

    var testDescription: String { name }
}

private func issuer(
    _ name: String, _ found: cemv_oda_result, key: SigningKey = .issuer,
    _ lie: @escaping @Sendable (inout IssuerCase) -> Void
) -> FieldLie {
    FieldLie(name: "issuer " + name, found: found) {
        var test = IssuerCase(key: key)
        lie(&test)
        return test.run()
    }
}

private func icc(
    _ name: String, _ found: cemv_oda_result, key: SigningKey = .card,
    _ lie: @escaping @Sendable (inout ICCCase) -> Void
) -> FieldLie {
    FieldLie(name: "ICC " + name, found: found) {
        var test = ICCCase(key: key)
        lie(&test)
        return test.run()
    }
}

private func signature(
    _ kind: SignatureCase.Kind, _ name: String, _ found: cemv_oda_result,
    _ lie: @escaping @Sendable (inout SignatureCase) -> Void
) -> FieldLie {
    FieldLie(name: "\(kind) " + name, found: found) {
        var test = SignatureCase(kind)
        lie(&test)
        return test.run()
    }
}

private let issuerLies: [FieldLie] = [
    issuer("none", CEMV_ODA_OK) { _ in },
    issuer("none, key inside the certificate", CEMV_ODA_OK, key: .smallIssuer) { _ in },
    issuer("none, exponents 65537", CEMV_ODA_OK) {
        $0.caExponent = 65537
        $0.fields.exponent = [1, 0, 1]
        $0.fields.exponentLength = 3
    },
    issuer("no CA key", CEMV_ODA_CA_KEY_MISSING) { $0.caKnown = false },
    issuer("CA exponent 1", CEMV_ODA_CA_KEY_UNUSABLE) { $0.caExponent = 1 },
    issuer("CA exponent 2", CEMV_ODA_CA_KEY_UNUSABLE) { $0.caExponent = 2 },
    issuer("CA modulus even", CEMV_ODA_CA_KEY_UNUSABLE) { $0.caModulus = $0.signer.modulus.dropLast() + [0] },
    issuer("CA modulus with a zero on top", CEMV_ODA_CA_KEY_UNUSABLE) {
        $0.caModulus = [0] + $0.signer.modulus.dropFirst()
    },
    issuer("CA modulus of 36 bytes", CEMV_ODA_CA_KEY_UNUSABLE) {
        $0.caModulus = CryptoBytes(repeating: 0xFF, count: 36)
        $0.certificate = CryptoBytes(repeating: 1, count: 36)
    },
    issuer("CA modulus of 249 bytes", CEMV_ODA_CA_KEY_UNUSABLE) {
        $0.caModulus = CryptoBytes(repeating: 0xFF, count: 249)
        $0.certificate = CryptoBytes(repeating: 1, count: 249)
    },
    issuer("no certificate", CEMV_ODA_DATA_MISSING) { $0.certificate = [] },
    issuer("no exponent", CEMV_ODA_DATA_MISSING) { $0.exponentGiven = [] },
    issuer("no PAN", CEMV_ODA_DATA_MISSING) { $0.pan = [] },
    issuer("no remainder", CEMV_ODA_DATA_MISSING) { $0.fields.otherRemainder = [] },
    issuer("month 13 today", CEMV_ODA_DATE_MALFORMED) { $0.date = (0x26, 0x13, 0x01) },
    issuer("day 00 today", CEMV_ODA_DATE_MALFORMED) { $0.date = (0x26, 0x11, 0x00) },
    issuer("certificate one byte short", CEMV_ODA_LENGTH) { $0.certificate = CryptoBytes(repeating: 1, count: 95) },
    issuer("certificate one byte long", CEMV_ODA_LENGTH) { $0.certificate = CryptoBytes(repeating: 1, count: 97) },
    issuer("certificate equal to the modulus", CEMV_ODA_RECOVERY) { $0.certificate = $0.signer.modulus },
    issuer("certificate of ones", CEMV_ODA_RECOVERY) { $0.certificate = CryptoBytes(repeating: 0xFF, count: 96) },
    issuer("trailer", CEMV_ODA_TRAILER) { $0.fields.trailer = 0xCC },
    issuer("header", CEMV_ODA_HEADER) { $0.fields.header = 0x4A },
    issuer("format 04", CEMV_ODA_FORMAT) { $0.fields.format = 4 },
    issuer("hash algorithm 00", CEMV_ODA_HASH_ALGORITHM) { $0.fields.hashAlgorithm = 0 },
    issuer("hash algorithm 02", CEMV_ODA_HASH_ALGORITHM) { $0.fields.hashAlgorithm = 2 },
    issuer("last bit of the hash", CEMV_ODA_HASH) { $0.fields.hashFlip = 1 },
    issuer("another exponent given", CEMV_ODA_HASH) { $0.exponentGiven = [5] },
    issuer("key length 0", CEMV_ODA_KEY_LENGTH, key: .smallIssuer) { $0.fields.keyLength = 0 },
    issuer("key longer than the CA's", CEMV_ODA_KEY_LENGTH) { $0.fields.keyLength = 97 },
    issuer("key length 255", CEMV_ODA_KEY_LENGTH) { $0.fields.keyLength = 255 },
    issuer("remainder where none belongs", CEMV_ODA_REMAINDER_UNEXPECTED, key: .smallIssuer) {
        $0.fields.otherRemainder = [0xBB]
    },
    issuer("key length says it fits", CEMV_ODA_REMAINDER_UNEXPECTED) { $0.fields.keyLength = 60 },
    issuer("remainder one byte short", CEMV_ODA_REMAINDER_LENGTH) {
        $0.fields.keyLength = 95; $0.fields.otherRemainder = CryptoBytes(repeating: 1, count: 34)
    },
    issuer("remainder one byte long", CEMV_ODA_REMAINDER_LENGTH) {
        $0.fields.otherRemainder = CryptoBytes(repeating: 1, count: 37)
    },
    issuer("padding", CEMV_ODA_PADDING, key: .smallIssuer) { $0.fields.padding = 0xFF },
    issuer("identifier of 2 digits", CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED) {
        $0.fields.subject = hex("47FFFFFF")
    },
    issuer("identifier empty", CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED) { $0.fields.subject = hex("FFFFFFFF") },
    issuer("identifier padded in the middle", CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED) {
        $0.fields.subject = hex("4761F3FF")
    },
    issuer("identifier with a letter", CEMV_ODA_ISSUER_IDENTIFIER_MALFORMED) {
        $0.fields.subject = hex("47617AFF")
    },
    issuer("identifier of 3 digits", CEMV_ODA_OK) { $0.fields.subject = hex("476FFFFF") },
    issuer("identifier of 8 digits", CEMV_ODA_OK) { $0.fields.subject = hex("47617390") },
    issuer("identifier of another issuer", CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH) {
        $0.fields.subject = hex("476174FF")
    },
    issuer("identifier wrong in the eighth digit", CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH) {
        $0.fields.subject = hex("47617391")
    },
    issuer("identifier longer than the PAN", CEMV_ODA_ISSUER_IDENTIFIER_MISMATCH) { $0.pan = hex("47617F") },
    issuer("expiry month 00", CEMV_ODA_EXPIRY_MALFORMED) { $0.fields.expiry = [0x00, 0x30] },
    issuer("expiry month 13", CEMV_ODA_EXPIRY_MALFORMED) { $0.fields.expiry = [0x13, 0x30] },
    issuer("expiry month 1A", CEMV_ODA_EXPIRY_MALFORMED) { $0.fields.expiry = [0x1A, 0x30] },
    issuer("expiry year A0", CEMV_ODA_EXPIRY_MALFORMED) { $0.fields.expiry = [0x12, 0xA0] },
    issuer("expired last month", CEMV_ODA_CERTIFICATE_EXPIRED) { $0.fields.expiry = [0x10, 0x26] },
    issuer("expired in 1999", CEMV_ODA_CERTIFICATE_EXPIRED) { $0.fields.expiry = [0x12, 0x99] },
    issuer("expires this month", CEMV_ODA_OK) {
        $0.fields.expiry = [0x11, 0x26]; $0.date = (0x26, 0x11, 0x30)
    },
    issuer("expires on the last day of a month of 31", CEMV_ODA_OK) {
        $0.fields.expiry = [0x12, 0x26]; $0.date = (0x26, 0x12, 0x31)
    },
    issuer("expires in 2049", CEMV_ODA_OK) { $0.fields.expiry = [0x12, 0x49] },
    issuer("revoked", CEMV_ODA_CERTIFICATE_REVOKED) {
        $0.revoked = [cemv_revocation(), cemv_revocation(rid: (0xA0, 0, 0, 0, 3), index: 0x92, serial: (1, 2, 3))]
    },
    issuer("others revoked", CEMV_ODA_OK) {
        $0.revoked = [
            cemv_revocation(rid: (0xA0, 0, 0, 0, 4), index: 0x92, serial: (1, 2, 3)),
            cemv_revocation(rid: (0xA0, 0, 0, 0, 3), index: 0x91, serial: (1, 2, 3)),
            cemv_revocation(rid: (0xA0, 0, 0, 0, 3), index: 0x92, serial: (1, 2, 4)),
        ]
    },
    issuer("key algorithm 02", CEMV_ODA_KEY_ALGORITHM) { $0.fields.keyAlgorithm = 2 },
    issuer("exponent length 3 for one byte", CEMV_ODA_EXPONENT_LENGTH) { $0.fields.exponentLength = 3 },
    issuer("exponent of two bytes", CEMV_ODA_EXPONENT_LENGTH) {
        $0.fields.exponent = [0, 3]; $0.fields.exponentLength = 2
    },
    issuer("exponent of four bytes", CEMV_ODA_EXPONENT_LENGTH) {
        $0.fields.exponent = [0, 1, 0, 1]; $0.fields.exponentLength = 4
    },
    issuer("exponent 0", CEMV_ODA_EXPONENT) { $0.fields.exponent = [0] },
    issuer("exponent 1", CEMV_ODA_EXPONENT) { $0.fields.exponent = [1] },
    issuer("exponent 2", CEMV_ODA_EXPONENT) { $0.fields.exponent = [2] },
    issuer("exponent 65539", CEMV_ODA_EXPONENT) {
        $0.fields.exponent = [1, 0, 3]; $0.fields.exponentLength = 3
    },
    issuer("key even", CEMV_ODA_MODULUS) { $0.fields.key[95] &= 0xFE },
    issuer("key even, inside the certificate", CEMV_ODA_MODULUS, key: .smallIssuer) { $0.fields.key[55] &= 0xFE },
    issuer("key with a zero on top", CEMV_ODA_MODULUS) { $0.fields.key[0] = 0 },
]

private let iccLies: [FieldLie] = [
    icc("none", CEMV_ODA_OK) { _ in },
    icc("none, key inside the certificate", CEMV_ODA_OK, key: .smallCard) { _ in },
    icc("none, profile by tag list", CEMV_ODA_OK) {
        $0.tagList = [0x82]; $0.aip = [0x20, 0]; $0.fields.staticData += [0x20, 0]
    },
    icc("none, PAN without padding against padded", CEMV_ODA_OK) { $0.pan += [0xFF] },
    icc("no certificate", CEMV_ODA_DATA_MISSING) { $0.certificate = [] },
    icc("no PAN", CEMV_ODA_DATA_MISSING) { $0.pan = [] },
    icc("no profile", CEMV_ODA_DATA_MISSING) { $0.tagList = [0x82] },
    icc("no remainder", CEMV_ODA_DATA_MISSING) { $0.fields.otherRemainder = [] },
    icc("date", CEMV_ODA_DATE_MALFORMED) { $0.date = (0x2A, 0x11, 0x21) },
    icc("25 pieces", CEMV_ODA_TOO_MANY_PIECES) {
        $0.pieces = Array(repeating: [1], count: 25); $0.fields.staticData = CryptoBytes(repeating: 1, count: 25)
    },
    icc("24 pieces and a profile", CEMV_ODA_OK) {
        $0.pieces = Array(repeating: [1], count: 24)
        $0.tagList = [0x82]
        $0.aip = [0x20, 0]
        $0.fields.staticData = CryptoBytes(repeating: 1, count: 24) + [0x20, 0]
    },
    icc("tag list empty", CEMV_ODA_STATIC_TAG_LIST) { $0.tagList = [] },
    icc("tag list 84", CEMV_ODA_STATIC_TAG_LIST) {
        $0.tagList = [0x84]; $0.aip = [0x20, 0]
    },
    icc("tag list twice 82", CEMV_ODA_STATIC_TAG_LIST) {
        $0.tagList = [0x82, 0x82]; $0.aip = [0x20, 0]
    },
    icc("issuer key of 42 bytes", CEMV_ODA_SIGNER_TOO_SHORT) {
        $0.issuer = publicKey(CryptoBytes(repeating: 0xFF, count: 42))
        $0.certificate = CryptoBytes(repeating: 1, count: 42)
    },
    icc("issuer key of no bytes", CEMV_ODA_SIGNER_TOO_SHORT) { $0.issuer = cemv_public_key() },
    icc("issuer exponent 1", CEMV_ODA_EXPONENT) { $0.issuer = publicKey($0.signer.modulus, 1) },
    icc("issuer modulus even", CEMV_ODA_MODULUS) { $0.issuer = publicKey($0.signer.modulus.dropLast() + [0]) },
    icc("length", CEMV_ODA_LENGTH) { $0.certificate = CryptoBytes(repeating: 1, count: 95) },
    icc("certificate above the modulus", CEMV_ODA_RECOVERY) {
        $0.certificate = CryptoBytes(repeating: 0xFF, count: 96)
    },
    icc("trailer", CEMV_ODA_TRAILER) { $0.fields.trailer = 0 },
    icc("header", CEMV_ODA_HEADER) { $0.fields.header = 0x6B },
    icc("format 02", CEMV_ODA_FORMAT) { $0.fields.format = 2 },
    icc("hash algorithm", CEMV_ODA_HASH_ALGORITHM) { $0.fields.hashAlgorithm = 0 },
    icc("hash", CEMV_ODA_HASH) { $0.fields.hashFlip = 0x80 },
    icc("static data", CEMV_ODA_HASH) { $0.pieces[1][3] = 2 },
    icc("static data in another order", CEMV_ODA_HASH) { $0.pieces.swapAt(0, 1) },
    icc("key length 0", CEMV_ODA_KEY_LENGTH, key: .smallCard) { $0.fields.keyLength = 0 },
    icc("key longer than the issuer's", CEMV_ODA_KEY_LENGTH) { $0.fields.keyLength = 97 },
    icc("remainder where none belongs", CEMV_ODA_REMAINDER_UNEXPECTED, key: .smallCard) {
        $0.fields.otherRemainder = [1]
    },
    icc("remainder too long", CEMV_ODA_REMAINDER_LENGTH) {
        $0.fields.otherRemainder = CryptoBytes(repeating: 1, count: 11)
    },
    icc("padding", CEMV_ODA_PADDING, key: .smallCard) { $0.fields.padding = 0 },
    icc("PAN with a letter", CEMV_ODA_PAN_MALFORMED) { $0.fields.subject = hex("476173900101001AFFFF") },
    icc("PAN padded in the middle", CEMV_ODA_PAN_MALFORMED) { $0.fields.subject = hex("4761739001010010FF1F") },
    icc("PAN empty", CEMV_ODA_PAN_MALFORMED) { $0.fields.subject = CryptoBytes(repeating: 0xFF, count: 10) },
    icc("PAN of another card", CEMV_ODA_PAN_MISMATCH) { $0.pan = hex("4761739001010028") },
    icc("PAN that only begins alike", CEMV_ODA_PAN_MISMATCH) { $0.pan = hex("47617390010100100F") },
    icc("PAN that is a part", CEMV_ODA_PAN_MISMATCH) { $0.pan = hex("476173900101001F") },
    icc("PAN of the records malformed", CEMV_ODA_PAN_MISMATCH) { $0.pan = hex("4761739001010010F1") },
    icc("expiry month", CEMV_ODA_EXPIRY_MALFORMED) { $0.fields.expiry = [0x99, 0x30] },
    icc("expired", CEMV_ODA_CERTIFICATE_EXPIRED) { $0.fields.expiry = [0x10, 0x26] },
    icc("key algorithm", CEMV_ODA_KEY_ALGORITHM) { $0.fields.keyAlgorithm = 0 },
    icc("exponent length", CEMV_ODA_EXPONENT_LENGTH) { $0.fields.exponentLength = 0 },
    icc("exponent", CEMV_ODA_EXPONENT) { $0.fields.exponent = [17] },
    icc("key even", CEMV_ODA_MODULUS) { $0.fields.key[63] &= 0xFE },
    icc("key with a zero on top", CEMV_ODA_MODULUS) { $0.fields.key[0] = 0 },
]

private let signatureLies: [FieldLie] = [
    signature(.ssad, "none", CEMV_ODA_OK) { _ in },
    signature(.ssad, "none, profile by tag list", CEMV_ODA_OK) {
        $0.tagList = [0x82]; $0.aip = [0x40, 0]
    },
    signature(.ssad, "missing", CEMV_ODA_DATA_MISSING) { $0.signature = [] },
    signature(.ssad, "length", CEMV_ODA_LENGTH) { $0.signature = CryptoBytes(repeating: 1, count: 63) },
    signature(.ssad, "above the modulus", CEMV_ODA_RECOVERY) { $0.signature = CryptoBytes(repeating: 0xFF, count: 64) },
    signature(.ssad, "trailer", CEMV_ODA_TRAILER) { $0.trailer = 0xBD },
    signature(.ssad, "header", CEMV_ODA_HEADER) { $0.header = 0x2A },
    signature(.ssad, "format 05", CEMV_ODA_FORMAT) { $0.format = 5 },
    signature(.ssad, "hash algorithm", CEMV_ODA_HASH_ALGORITHM) { $0.hashAlgorithm = 3 },
    signature(.ssad, "hash", CEMV_ODA_HASH) { $0.hashFlip = 4 },
    signature(.ssad, "padding", CEMV_ODA_PADDING) { $0.padding = 0xAB },
    signature(.ssad, "tag list", CEMV_ODA_STATIC_TAG_LIST) { $0.tagList = [0x5A] },
    signature(.ssad, "25 pieces", CEMV_ODA_TOO_MANY_PIECES) { $0.pieces = Array(repeating: [1], count: 25) },
    signature(.ssad, "key of 26 bytes", CEMV_ODA_SIGNER_TOO_SHORT) {
        $0.key = publicKey(CryptoBytes(repeating: 0xFF, count: 26))
        $0.signature = CryptoBytes(repeating: 1, count: 26)
    },
    signature(.dda, "none", CEMV_ODA_OK) { _ in },
    signature(.dda, "none, format 95", CEMV_ODA_OK) {
        $0.format = 0x95; $0.formatWanted = 0x95
    },
    signature(.dda, "none, data up to the hash", CEMV_ODA_OK) { $0.body = [8] + CryptoBytes(1...38) },
    signature(.dda, "offline format where online is wanted", CEMV_ODA_FORMAT) { $0.formatWanted = 0x95 },
    signature(.dda, "online format where offline is wanted", CEMV_ODA_FORMAT) { $0.format = 0x95 },
    signature(.dda, "missing", CEMV_ODA_DATA_MISSING) { $0.signature = [] },
    signature(.dda, "length", CEMV_ODA_LENGTH) { $0.signature = CryptoBytes(repeating: 1, count: 65) },
    signature(.dda, "key of 25 bytes", CEMV_ODA_SIGNER_TOO_SHORT) {
        $0.key = publicKey(CryptoBytes(repeating: 0xFF, count: 25))
        $0.signature = CryptoBytes(repeating: 1, count: 25)
    },
    signature(.dda, "exponent 0", CEMV_ODA_EXPONENT) { $0.key = publicKey($0.signer.modulus, 0) },
    signature(.dda, "trailer", CEMV_ODA_TRAILER) { $0.trailer = 0xCC },
    signature(.dda, "header", CEMV_ODA_HEADER) { $0.header = 0 },
    signature(.dda, "hash algorithm", CEMV_ODA_HASH_ALGORITHM) { $0.hashAlgorithm = 0 },
    signature(.dda, "hash", CEMV_ODA_HASH) { $0.hashFlip = 1 },
    signature(.dda, "padding", CEMV_ODA_PADDING) { $0.padding = 0xBC },
    signature(.dda, "data length 0", CEMV_ODA_DYNAMIC_DATA_LENGTH) { $0.dynamicLength = 0 },
    signature(.dda, "data length above the room", CEMV_ODA_DYNAMIC_DATA_LENGTH) { $0.dynamicLength = 40 },
    signature(.dda, "data length 255", CEMV_ODA_DYNAMIC_DATA_LENGTH) { $0.dynamicLength = 255 },
    signature(.dda, "number cut by the data length", CEMV_ODA_DYNAMIC_DATA_LENGTH) {
        $0.body = [3, 0xBB, 0xBB]; $0.dynamicLength = 3
    },
    signature(.dda, "number of 1 byte", CEMV_ODA_DYNAMIC_NUMBER) { $0.body = [1, 0x15] },
    signature(.dda, "number of 9 bytes", CEMV_ODA_DYNAMIC_NUMBER) { $0.body = [9] + CryptoBytes(1...9) },
    signature(.dda, "25 pieces", CEMV_ODA_TOO_MANY_PIECES) { $0.pieces = Array(repeating: [1], count: 25) },
    signature(.fdda, "none", CEMV_ODA_OK) { _ in },
    signature(.fdda, "none, online", CEMV_ODA_OK) {
        $0.format = 0x95; $0.formatWanted = 0x95
    },
    signature(.fdda, "none, shortest 9F69", CEMV_ODA_OK) { $0.cardData = [1, 2, 3, 4, 5] },
    signature(.fdda, "none, longest 9F69", CEMV_ODA_OK) { $0.cardData = CryptoBytes(1...16) },
    signature(.fdda, "offline format where online is wanted", CEMV_ODA_FORMAT) { $0.formatWanted = 0x95 },
    signature(.fdda, "9F69 of 4 bytes", CEMV_ODA_CARD_DATA_LENGTH) { $0.cardData = [1, 2, 3, 4] },
    signature(.fdda, "9F69 of 17 bytes", CEMV_ODA_CARD_DATA_LENGTH) { $0.cardData = CryptoBytes(1...17) },
    signature(.fdda, "9F69 missing", CEMV_ODA_DATA_MISSING) { $0.cardData = [] },
    signature(.fdda, "number of 3 bytes", CEMV_ODA_DATA_MISSING) { $0.number = [1, 2, 3] },
    signature(.fdda, "amount of 5 bytes", CEMV_ODA_DATA_MISSING) { $0.amount = [0, 0, 0, 0, 1] },
    signature(.fdda, "currency missing", CEMV_ODA_DATA_MISSING) { $0.currency = [] },
    signature(.fdda, "version 00", CEMV_ODA_FDDA_VERSION) { $0.cardData[0] = 0 },
    signature(.fdda, "version 02", CEMV_ODA_FDDA_VERSION) { $0.cardData[0] = 2 },
    signature(.cda, "none", CEMV_ODA_OK) { _ in },
    signature(.cda, "format 95", CEMV_ODA_FORMAT) { $0.format = 0x95 },
    signature(.cda, "number of 5 bytes", CEMV_ODA_DATA_MISSING) { $0.number = [1, 2, 3, 4, 5] },
    signature(.cda, "CID in the clear", CEMV_ODA_CID_MISMATCH) { $0.cid = 0x80 },
    signature(.cda, "transaction data", CEMV_ODA_TRANSACTION_HASH) {
        $0.transactionGiven = [[1, 2, 4], [0x9F, 0x27, 0x01, 0x40]]
    },
    signature(.cda, "data one byte short of the transaction hash", CEMV_ODA_DYNAMIC_DATA_LENGTH) {
        $0.body.removeLast()
    },
    signature(.cda, "number of 2 bytes", CEMV_ODA_OK) { $0.body = [2] + $0.body[1...2] + $0.body[9...] },
]

/// Certificates and signatures that are right except for one field: every check finds its own lie.
struct CertificateFieldTests {
    static let lies = issuerLies + iccLies + signatureLies

    @Test(arguments: lies.indices)
    func aLieInOneFieldIsFoundByTheCheckOfThatField(_ index: Int) {
        let lie = Self.lies[index]
        #expect(lie.result() == lie.found, "\(lie.name)")
    }

    @Test func everyCheckIsReached() {
        // 2 names nothing: an expired authority key is looked at where the key is chosen.
        let all: Set<UInt32> = Set(CEMV_ODA_OK.rawValue...CEMV_ODA_FDDA_VERSION.rawValue).subtracting([2])
            .union(CEMV_ODA_SIGNER_TOO_SHORT.rawValue...CEMV_ODA_TRANSACTION_HASH.rawValue)
        #expect(Set(Self.lies.map { $0.found.rawValue }) == all)
    }

    @Test func tamperingIsToldFromWhatCannotBeVerified() {
        for code in CEMV_ODA_OK.rawValue...CEMV_ODA_FDDA_VERSION.rawValue {
            #expect(!cemv_oda_is_tamper(cemv_oda_result(code)))
        }
        for code in CEMV_ODA_SIGNER_TOO_SHORT.rawValue...CEMV_ODA_TRANSACTION_HASH.rawValue {
            #expect(cemv_oda_is_tamper(cemv_oda_result(code)))
        }
    }

    @Test func whatACertificateSaysIsHandedOut() {
        for key in [SigningKey.issuer, .smallIssuer] {
            var test = IssuerCase(key: key)
            #expect(test.run() == CEMV_ODA_OK)
            #expect(cryptoArray(test.out.key.modulus, count: Int(test.out.key.size)) == key.modulus)
            #expect(test.out.key.exponent == 3)
            #expect(cryptoArray(test.out.subject) == hex("476173FF000000000000"))
            #expect(cryptoArray(test.out.expiry) == [0x12, 0x30])
            #expect(cryptoArray(test.out.serial) == [1, 2, 3])
        }
        var test = ICCCase()
        #expect(test.run() == CEMV_ODA_OK)
        #expect(cryptoArray(test.out.subject) == hex("4761739001010010FFFF"))
    }

    /// Recovery works where the key will stand: nothing there may be taken for one.
    @Test func aRefusedCertificateGivesNoKey() {
        var test = IssuerCase()
        test.fields.key[95] &= 0xFE
        (test.out.key.size, test.out.key.exponent) = (77, 3)
        #expect(test.run() == CEMV_ODA_MODULUS)
        #expect(test.out.key.size == 0 && test.out.key.exponent == 0)
        var card = ICCCase()
        card.pan = []
        (card.out.key.size, card.out.key.exponent) = (77, 3)
        #expect(card.run() == CEMV_ODA_DATA_MISSING)
        #expect(card.out.key.size == 0 && card.out.key.exponent == 0)
    }

    @Test func whatASignatureSaysIsHandedOut() {
        var ssad = SignatureCase(.ssad)
        #expect(ssad.run() == CEMV_ODA_OK)
        #expect(ssad.code == [0xDA, 0xC0])
        var fdda = SignatureCase(.fdda)
        #expect(fdda.run() == CEMV_ODA_OK)
        #expect(cryptoArray(fdda.dynamic.number, count: Int(fdda.dynamic.number_size)) == [0x00, 0x15])
        var cda = SignatureCase(.cda)
        cda.body.append(0x77)  // more than the book asks for is kept
        #expect(cda.run() == CEMV_ODA_OK)
        #expect(cryptoArray(cda.combined.dynamic.data, count: Int(cda.combined.dynamic.size)) == cda.body)
        #expect(cda.combined.cid == 0x40)
        #expect(cryptoArray(cda.combined.cryptogram) == CryptoBytes(11...18))
        #expect(cryptoArray(cda.combined.transaction_hash) == cryptoSHA1(cda.transaction))
    }
}
