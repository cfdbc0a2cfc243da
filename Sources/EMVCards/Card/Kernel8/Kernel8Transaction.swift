// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// One transaction of a Kernel 8 application: its channel, the terminal's data, the card's decisions, the answer to
/// GENERATE AC with all its MACs.
struct Kernel8Transaction: Sendable {
    var application: CardApplication
    let counter: UInt16
    private let options: TerminalData
    var channel: Kernel8Channel
    /// The seed of all random numbers of this transaction.
    let seed: [UInt8]
    /// Entropy of the last attempt and the card's answer, 14 bytes.
    var relay: [UInt8] = []

    private var told = TerminalData.none
    private var type = CryptogramType.decline
    private var decision = Decision.notApplicable
    private(set) var restart: [UInt8]?
    private(set) var asksHolder = false
    private var encrypted = 0

    private var behaviour: Kernel8Behaviour { application.kernel8 }

    /// Cardholder Verification Decision (9F8102).
    enum Decision: UInt8, Sendable {
        case none = 0x00
        case signature = 0x01
        case onlinePIN = 0x02
        case consumerDevice = 0x03
        case notApplicable = 0x0F
        case failed = 0xFF
    }

    var usesDevice: Bool { decision == .consumerDevice }

    /// Nil if the channel cannot be opened.
    ///
    /// - Parameters:
    ///   - card: the card's own key.
    ///   - kernel: Kernel Key Data.
    init?(
        application: CardApplication, options: TerminalData, counter: UInt16, card: P256PrivateKey,
        kernel: P256.Point
    ) {
        let defects = application.kernel8.defects
        seed = card.scalar.bytes + counter.bigEndianBytes + options.raw
        let repeats = defects.contains(.repeatedBlindingFactor)
        let factor =
            defects.contains(.blindingFactorOne) ? .one : P256.scalar(from: repeats ? card.scalar.bytes : seed)
        guard let channel = Kernel8Channel(card: card, factor: factor, kernel: kernel) else { return nil }
        self.application = application
        self.options = options
        self.counter = counter
        self.channel = channel
        if defects.contains(.foreignBlindingFactor) { claim(P256.scalar(from: seed + [0xFF]), card, factor, kernel) }
    }

    /// Sends a blinding factor that does not belong to the blinded key.
    private mutating func claim(
        _ other: Number256, _ card: P256PrivateKey, _ factor: Number256, _ kernel: P256.Point
    ) {
        let blinded = P256.product(factor, card.scalar)
        guard let shared = kernel.multiplied(by: blinded) else { return }
        channel = Kernel8Channel(
            blinded: Array(channel.cardKeyData.prefix(32)), factor: other.bytes, shared: shared.x.bytes)
    }

    // MARK: GET PROCESSING OPTIONS

    /// The objects after interchange profile and locator.
    var optionObjects: [DataObject] {
        var keyData = channel.cardKeyData
        // 1 is not the x of a point (1 - 3 + b has no root).
        if behaviour.defects.contains(.blindedKeyOffCurve) {
            keyData.replaceSubrange(0..<32, with: Number256.one.bytes)
        }
        if behaviour.defects.contains(.shortCardKeyData) { keyData.removeLast() }
        return [
            DataObject(0x9F8103, keyData), DataObject(0x8C, [DataRequest].kernel8Cryptogram.bytes),
            DataObject(0x9F36, counter.bigEndianBytes),
        ]
    }

    /// Enciphers a record's value.
    mutating func encrypt(_ value: [UInt8]) -> [UInt8] {
        encrypted += 1
        if encrypted == 2, behaviour.defects.contains(.repeatedCounter) { channel.loseCount() }
        return channel.encrypt(value)
    }

    // MARK: Decisions

    /// - Parameters:
    ///   - asked: the type that the terminal requests.
    ///   - data: CDOL1 Related Data.
    ///   - isUnlocked: whether the device's holder has confirmed.
    ///   - restart: Restart Indicator that ends this transaction.
    mutating func decide(_ asked: CryptogramType, _ data: TerminalData, isUnlocked: Bool, restart: [UInt8]?) {
        told = data
        decision = verification(isUnlocked)
        self.restart = restart
        if decision == .consumerDevice, behaviour.verification.contains(.consumerDevice), !isUnlocked {
            // "See phone", no other interface.
            self.restart = [0x2F, 0x20]
            asksHolder = true
        }
        type = self.restart == nil ? decidedType(asked) : .decline
        if self.restart != nil { decision = .notApplicable }
    }

    private func decidedType(_ asked: CryptogramType) -> CryptogramType {
        if behaviour.defects.contains(.approvesRegardless) { return .offline }
        switch (application.disposition, asked) {
        case (.offlineRegardless, _): return .offline
        case (.decline, _), (_, .decline): return .decline
        case (.offline(let limit), .offline): return told.amount <= limit ? .offline : .online
        case (_, .offline), (_, .online): return .online
        }
    }

    /// Returns the decision from the methods that Terminal Risk Management Data offer in byte 1: no verification b4,
    /// signature b6, online PIN b7, on the device b3 (Book C-8, Table A.29).
    private func verification(_ isUnlocked: Bool) -> Decision {
        if let fixed = behaviour.decision { return Decision(rawValue: fixed) ?? .failed }
        let offer = told.bytes(0x9F1D, 8)[0]
        if offer & 0x08 != 0, !behaviour.alwaysVerifies { return .none }
        for way in behaviour.verification {
            switch way {
            case .signature where offer & 0x20 != 0: return .signature
            case .onlinePIN where offer & 0x40 != 0: return .onlinePIN
            case .consumerDevice where offer & 0x04 != 0: return .consumerDevice
            case .consumerDeviceClaimed where offer & 0x04 != 0: return .consumerDevice
            default: continue
            }
        }
        return .failed
    }

    /// Terminal Verification Results as the cryptogram covers them: the terminal's bits, those that the kernel adds for
    /// the card's decision (Book C-8, 29.26, 29.32), and the behaviour's `results`.
    private var results: [UInt8] {
        var bytes = told.bytes(0x95, 5)
        if decision == .failed { bytes[2] |= 0x80 }
        if decision == .onlinePIN { bytes[2] |= 0x04 }
        return zip(bytes, behaviour.results).map { $0 | $1 }
    }

    // MARK: GENERATE AC

    /// Key index, version, results, then zeros. Book C-8 does not define their order; a terminal does not interpret
    /// them.
    private var issuerData: [UInt8] {
        [0x06, 0x01, 0x12, 0x03, 0xA0, 0xB8, 0x00, type.rawValue] + [UInt8](repeating: 0, count: 24)
    }

    /// The answer without its status word.
    func answer() -> [UInt8] {
        let (flaws, defects) = (application.flaws, behaviour.defects)
        let shown: UInt8 = flaws.contains(.undefinedCryptogramType) ? 0xC0 : type.rawValue
        var objects: [DataObject] = [DataObject(0x9F27, [shown])]
        if !flaws.contains(.missingCounter) { objects.append(DataObject(0x9F36, counter.bigEndianBytes)) }
        if !defects.contains(.missingDecision) {
            objects.append(DataObject(0x9F8102, [behaviour.decision ?? decision.rawValue]))
        }
        objects += Kernel8Data(application).authenticatedObjects
        if results != told.bytes(0x95, 5) { objects.append(DataObject(0x9F8104, results)) }
        if let restart { objects.append(DataObject(0x9F8108, restart)) }
        if behaviour.issuerDataMAC == .cardOffset {
            let offset = defects.contains(.wrongMACOffset) ? issuerData.count - 7 : behaviour.macOffset
            objects.append(DataObject(0x9F8107, [UInt8(offset)]))
        }
        if defects.contains(.terminalObject) { objects.append(DataObject(0x9F37, [0, 0, 0, 0])) }
        let issuerObject = flaws.contains(.missingIssuerData) ? [] : [DataObject(0x9F10, issuerData)]

        let mac = issuerDataMAC(over: objects + (behaviour.version == 1 ? [] : issuerObject))
        let cryptogram = cryptogram(mac)
        let bound = behaviour.version == 1 ? placed(mac) : mac
        var authentication = channel.keys.authenticationMAC(cryptogram: cryptogram, bound: bound)
        if defects.contains(.wrongAuthenticationMAC) { authentication[0] ^= 0x01 }

        objects += issuerObject
        if !flaws.contains(.missingCryptogram) { objects.append(DataObject(0x9F26, cryptogram)) }
        if !defects.contains(.missingAuthenticationMAC) { objects.append(DataObject(0x9F8105, authentication)) }
        return DataObject(0x77, objects).bytes
    }

    private func issuerDataMAC(over objects: [DataObject]) -> [UInt8] {
        var hash = SHA256.hash(Kernel8Data(application).staticData)
        if behaviour.defects.contains(.foreignIssuerDataMAC) { hash[0] ^= 0x01 }
        return channel.keys.issuerDataMAC(
            of: Kernel8MACInput(
                pdolValues: options.raw, cdolData: told.raw, relay: relay, objects: objects.flatMap { $0.bytes },
                dataHash: hash))
    }

    /// Returns Issuer Application Data as they reach the issuer.
    private func placed(_ mac: [UInt8]) -> [UInt8] {
        var data = issuerData
        if behaviour.issuerDataMAC != .apart {
            data.replaceSubrange(behaviour.macOffset..<behaviour.macOffset + 8, with: mac)
        }
        return data
    }

    private func cryptogram(_ mac: [UInt8]) -> [UInt8] {
        Kernel8Cryptogram.make(application, counter: counter, issuerData: placed(mac)) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counter.bigEndianBytes
            case 0x95: results
            default: told.bytes(tag, count)
            }
        }
    }
}
