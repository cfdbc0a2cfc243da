// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// Secure messaging of one transaction, at the issuer's or the card's end. Commands must be processed in order, each
/// once.
struct SecureChannel: Sendable, Hashable {
    private let keys: IssuerKeys
    let messaging: SecureMessaging
    private let counter: UInt16
    /// Session keys of the next command.
    private var integrity: CardKey
    private var confidentiality: CardKey
    /// The data that precede the next command's data under the MAC.
    private var chain: [UInt8]

    /// Length of the MAC that the issuer sends: the length that every card accepts (Book 2, CCD 9.2.1.1), or the full
    /// MAC.
    private var macLength: Int { messaging == .commonCore ? 4 : 8 }

    /// - Parameters:
    ///   - keys: the card's own.
    ///   - cryptogram: the cryptogram that the issuer answers, 8 bytes.
    init(_ keys: IssuerKeys, _ messaging: SecureMessaging, counter: UInt16, cryptogram: [UInt8]) {
        self.keys = keys
        self.messaging = messaging
        self.counter = counter
        integrity = messaging.key(keys.integrity, counter: counter, cryptogram: cryptogram)
        confidentiality = messaging.key(keys.confidentiality, counter: counter, cryptogram: cryptogram)
        chain = cryptogram
    }

    /// For data bound to the card's key for cryptograms.
    var cryptogramKey: CardKey { keys.cryptogram }

    // MARK: The issuer's end

    /// - Parameters:
    ///   - header: INS, P1, P2.
    ///   - data: plaintext.
    /// - Returns: the command without Le.
    mutating func protect(_ header: [UInt8], data: [UInt8], enciphered: Bool) -> [UInt8] {
        let header = [messaging == .commonCore ? 0x8C : 0x84] + header
        var body = enciphered ? messaging.encipher(data, with: confidentiality) : data
        if messaging == .commonCore, !body.isEmpty {
            body = DataObject(enciphered ? 0x87 : 0x81, (enciphered ? [0x01] : []) + body).bytes
        }
        let mac = mac(header, body, length: macLength)
        advance(mac)
        let end =
            messaging == .commonCore
            ? DataObject(0x8E, Array(mac.prefix(macLength))).bytes : Array(mac.prefix(macLength))
        return header + [UInt8(truncatingIfNeeded: body.count + end.count)] + body + end
    }

    // MARK: The card's end

    /// Returns a command's data in plaintext, or nil if its MAC is wrong; then the channel's state does not change.
    ///
    /// - Parameter length: of the data as sent. Format 2 needs it because its commands do not contain the length.
    mutating func open(_ command: CommandAPDU, length: Int, enciphered: Bool) -> [UInt8]? {
        guard let (body, sent) = split(command.data, length: length), (4...8).contains(sent.count) else { return nil }
        let mac = mac(command.header, body, length: sent.count)
        guard Array(mac.prefix(sent.count)) == sent else { return nil }
        guard let data = plain(body, enciphered: enciphered) else { return nil }
        advance(mac)
        return data
    }

    private func split(_ data: [UInt8], length: Int) -> (body: [UInt8], mac: [UInt8])? {
        guard messaging == .commonCore else {
            return data.count < length ? nil : (Array(data.prefix(length)), Array(data.dropFirst(length)))
        }
        guard let objects = DataObject.parse(data), let last = objects.last, last.tag == 0x8E, objects.count <= 2 else {
            return nil
        }
        return (objects.dropLast().flatMap { $0.bytes }, last.value)
    }

    private func plain(_ body: [UInt8], enciphered: Bool) -> [UInt8]? {
        guard !body.isEmpty else { return enciphered ? nil : [] }
        guard messaging == .commonCore else {
            return enciphered ? messaging.decipher(body, with: confidentiality) : body
        }
        guard let object = DataObject.parse(body)?.first else { return nil }
        switch (object.tag, enciphered) {
        case (0x81, false): return object.value
        case (0x87, true) where object.value.first == 0x01:
            return messaging.decipher(Array(object.value.dropFirst()), with: confidentiality)
        default: return nil
        }
    }

    // MARK: Both ends

    private func mac(_ header: [UInt8], _ body: [UInt8], length: Int) -> [UInt8] {
        messaging.mac(header, data: body, macLength: length, counter: counter, chain: chain, key: integrity)
    }

    /// Updates the input of the next command's MAC and keys: the Common Core Definitions chain MACs (9.2.3.1), M/Chip
    /// increments the cryptogram, modulo 2^64.
    private mutating func advance(_ mac: [UInt8]) {
        switch messaging {
        case .visa, .visaCommon, .interac: break
        case .commonCore: chain = mac
        case .mastercard:
            chain = (UInt64(bigEndian: chain) &+ 1).bigEndianBytes
            integrity = messaging.key(keys.integrity, counter: counter, cryptogram: chain)
            confidentiality = messaging.key(keys.confidentiality, counter: counter, cryptogram: chain)
        }
    }
}
