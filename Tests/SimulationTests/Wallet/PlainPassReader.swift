// SPDX-License-Identifier: Apache-2.0
// A reader of passes for the wallets' own tests: straight-line, with the simulator's arithmetic, no part of EMVLoyalty.
@testable import EMVCards
@testable import EMVSimulator

/// GET VAS DATA as a reader sends it.
struct PlainVASRequest {
    var passType: String
    var url: String?
    var isFull = true
    var isFollowed = false
    var mode: UInt8 = 0x02
    var version: [UInt8] = [0x01, 0x00]

    var command: [UInt8] {
        var objects = [DataObject(0x9F22, version), DataObject(0x9F25, SHA256.hash(Array(passType.utf8)))]
        objects.append(DataObject(0x9F26, [0x00, 0x80, 0x00, mode | (isFollowed ? 0x80 : 0)]))
        if let url { objects.append(DataObject(0x9F29, Array(url.utf8))) }
        let data = objects.flatMap { $0.bytes }
        return [0x80, 0xCA, 0x01, isFull ? 0x01 : 0x00, UInt8(data.count)] + data + [0x00]
    }

    static let selection: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x0A] + Array("OSE.VAS.01".utf8) + [0x00]

    /// Time and message; nil if the cryptogram is not for this key.
    static func open(_ cryptogram: [UInt8], _ key: SimulatedPassKey, _ passType: String) -> [UInt8]? {
        guard cryptogram.count > 52, Array(cryptogram.prefix(4)) == key.identifier,
            let secret = P256.Point(x: Array(cryptogram[4..<36]))?.multiplied(by: key.key.scalar)?.x.bytes
        else { return nil }
        let aes = AES(key: VASWallet.key(secret: secret, SHA256.hash(Array(passType.utf8))))
        return aes.galoisOpen(Array(cryptogram[36...]), nonce: [UInt8](repeating: 0, count: 16))
    }
}

/// A dialogue of Smart Tap, step by step.
struct PlainSmartTapReader {
    var collector: UInt32 = WalletProfile.collector
    var keyVersion: UInt32 = 1
    var longTerm = WalletProfile.collectorKey
    var terminal = SimulatedPassKey(name: "terminal")
    var nonce = [UInt8](repeating: 0x5A, count: 32)
    var deviceNonce: [UInt8] = []
    var kinds: [UInt8] = [0x03]
    var mode: UInt8 = 0x04
    var sequence: UInt8 = 1
    var keys: SmartTapKeys?

    static let selection: [UInt8] =
        [0x00, 0xA4, 0x04, 0x00, 0x09] + SmartTapWallet.applicationName + [0x00]

    private var session: WalletRecord { WalletRecord("ses", [1, 2, 3, 4, 5, 6, 7, 8, sequence, 0x01]) }
    private var collectorRecord: WalletRecord { WalletRecord("cld", [0x04] + collector.bigEndianBytes) }
    private var signed: [UInt8] { nonce + deviceNonce + collector.bigEndianBytes + terminal.publicKey }

    private static func command(_ instruction: UInt8, _ record: WalletRecord) -> [UInt8] {
        let data = WalletRecord.message([record])
        return [0x90, instruction, 0x00, 0x00, UInt8(data.count)] + data + [0x00]
    }

    /// The nonce of the second SELECT's answer.
    mutating func readNonce(_ answer: [UInt8]) -> Bool {
        guard let record = WalletRecord.parse(Array(answer.dropFirst(4).dropLast(2)))?.first, record.name == "mdn",
            record.payload.count == 33
        else { return false }
        deviceNonce = Array(record.payload.dropFirst())
        return true
    }

    func negotiation() -> [UInt8] {
        let signature = WalletRecord("sig", [0x04] + ECDSA.sign(signed, with: longTerm.key))
        let proof = WalletRecord(
            "cpr", prefix: nonce + [0x01] + terminal.publicKey + keyVersion.bigEndianBytes,
            [signature, collectorRecord])
        return Self.command(0x53, WalletRecord("ngr", prefix: [0x00, 0x01], [session, proof]))
    }

    mutating func readKey(_ answer: [UInt8]) -> Bool {
        guard let outer = WalletRecord.parse(Array(answer.dropLast(2)))?.first,
            let key = WalletRecord.parse(outer.payload)?.first(named: "dpk")?.payload,
            let secret = P256.Point(compressed: key)?.multiplied(by: terminal.key.scalar)?.x.bytes
        else { return false }
        keys = SmartTapKeys(
            secret: secret, deviceKey: key, signed: signed, signature: ECDSA.sign(signed, with: longTerm.key))
        sequence += 2
        return true
    }

    func request() -> [UInt8] {
        let services = WalletRecord("slr", kinds.map { WalletRecord("str", [$0]) })
        let records = [
            session, WalletRecord("mer", [collectorRecord]), services,
            WalletRecord("pcr", [0x08, 0x00, 0x00, 0x00, mode]),
        ]
        return Self.command(0x50, WalletRecord("srq", prefix: [0x00, 0x01], records))
    }

    /// The unprotected message, joined from all parts.
    func open(_ answer: [UInt8]) -> [WalletRecord]? {
        guard let outer = WalletRecord.parse(answer)?.first,
            let bundle = WalletRecord.parse(outer.payload)?.first(named: "reb")?.payload, bundle.first == 0x01,
            let keys, bundle.count > 45
        else { return nil }
        let sealed = Array(bundle.dropFirst())
        let hidden = Array(sealed.dropLast(32))
        guard HMAC.mac(hidden, key: keys.code) == Array(sealed.suffix(32)) else { return nil }
        let vector = Array(hidden.prefix(12)) + [0, 0, 0, 0]
        return WalletRecord.parse(AES(key: keys.cipher).counterMode(Array(hidden.dropFirst(12)), from: vector))
    }
}

extension ECDSA {
    /// A signature in DER, with the nonce of RFC 6979, 3.2.
    static func sign(_ message: [UInt8], with key: P256PrivateKey) -> [UInt8] {
        let hash = P256.scalars.reduce(Number256(SHA256.hash(message)))
        var value = [UInt8](repeating: 0x01, count: 32)
        var chain = [UInt8](repeating: 0x00, count: 32)
        for byte in [UInt8(0), 1] {
            chain = HMAC.mac(value + [byte] + key.scalar.bytes + hash.bytes, key: chain)
            value = HMAC.mac(value, key: chain)
        }
        value = HMAC.mac(value, key: chain)
        let nonce = Number256(value)
        precondition(!nonce.isZero && nonce < P256.order, "this key and message need another round")
        let r = P256.scalars.reduce(P256.generator.multiplied(by: nonce)!.x)
        let inverse = P256.scalars.decode(P256.scalars.invert(P256.scalars.encode(nonce)))
        let s = P256.product(inverse, P256.scalars.add(hash, P256.product(r, key.scalar)))
        let numbers = [r, s].flatMap { number -> [UInt8] in
            var digits = Array(number.bytes.drop { $0 == 0 })
            if digits[0] >= 0x80 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        return [0x30, UInt8(numbers.count)] + numbers
    }
}
