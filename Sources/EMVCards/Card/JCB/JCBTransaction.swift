// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// One transaction of a JCB application: the terminal's data so far, and the answers computed from them.
struct JCBTransaction: Sendable {
    private(set) var application: CardApplication
    let counter: UInt16
    private var behaviour: JCBBehaviour
    /// Values of the PDOL as received: the signature covers them.
    private let optionsData: [UInt8]
    /// Values of the last CDOL as received.
    private var cryptogramData: [UInt8] = []
    private(set) var terminal: TerminalData
    private(set) var type = CryptogramType.decline
    /// The cryptogram that the issuer answers.
    private(set) var firstCryptogram: [UInt8] = []
    /// The second cryptogram was returned.
    private(set) var isAnswered = false

    /// Decides as another description of the application.
    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.jcb
    }

    init(application: CardApplication, counter: UInt16, options: TerminalData) {
        self.application = application
        self.counter = counter
        behaviour = application.jcb
        optionsData = options.raw
        terminal = options
    }

    /// Stores the values of CDOL1 or CDOL2. Returns false if their length differs from the list's.
    mutating func told(_ data: [UInt8], list: [DataRequest]) -> Bool {
        guard let later = TerminalData(list, data) else { return false }
        cryptogramData = data
        terminal = terminal.overridden(by: later)
        return true
    }

    // MARK: Cardholder verification

    private var profile: TerminalInterchangeProfile { TerminalInterchangeProfile(bytes: terminal.bytes(0x9F53, 3)) }

    /// The verification method, if the card chooses one.
    private var chosen: CardVerification? {
        guard case .asked(let methods) = behaviour.verification,
            profile.requiresVerification || behaviour.alwaysVerifies
        else { return nil }
        return methods.first { profile.offers($0) }
    }

    /// Whether the device asks its cardholder before it pays.
    var wantsHolder: Bool { chosen == .consumerDevice }

    /// Cardholder Verification Status (9F50; Book C-5, A.2).
    private var status: UInt8 {
        if case .stated(let status) = behaviour.verification { return status }
        return switch chosen {
        case nil: 0x00
        case .signature: 0x10
        case .onlinePIN: 0x20
        case .consumerDevice, .consumerDeviceClaimed: 0x31
        }
    }

    // MARK: The cryptogram

    /// Decides the cryptogram type: never more than the terminal requests, unless the card is dishonest. A card that
    /// uses an online PIN goes online.
    ///
    /// - Parameter balance: the amount still available offline, if limited.
    mutating func decide(_ request: CryptogramRequest, balance: UInt64?) {
        type = honest(request, balance: balance)
        if application.disposition == .offlineRegardless { type = .offline }
        firstCryptogram = cryptogram(issuerData)
    }

    private func honest(_ request: CryptogramRequest, balance: UInt64?) -> CryptogramType {
        if request.type == .decline || application.disposition == .decline { return .decline }
        let asksPIN = !behaviour.isLegacy && status == 0x20
        if request.type == .offline, !asksPIN, case .offline(let limit) = application.disposition,
            terminal.amount <= min(limit, balance ?? limit)
        {
            return .offline
        }
        // Second digit of the Terminal Type: 3 and 6 are offline only (Book 4, A1).
        return [0x03, 0x06].contains(terminal.bytes(0x9F35, 1)[0] & 0x0F) ? .decline : .online
    }

    /// Decides the second cryptogram type, after the issuer's answer.
    mutating func decideAgain(_ request: CryptogramRequest) {
        let code = String(decoding: terminal.bytes(0x8A, 2), as: UTF8.self)
        let expected = behaviour.authenticationData(
            for: application, cryptogram: firstCryptogram, counter: counter, responseCode: code)
        let isIssuer = terminal.raw(0x91) == expected
        type = request.type == .offline && isIssuer ? .offline : .decline
        isAnswered = true
    }

    /// Issuer Application Data: length, key index, version, Card Verification Results with the types of both
    /// cryptograms in their second byte.
    private var issuerData: [UInt8] {
        let shown = application.flaws.contains(.contradictingCryptogramType) ? CryptogramType.offline : type
        let types = isAnswered ? shown.rawValue | CryptogramType.online.resultBits : 0x80 | shown.resultBits
        return [0x07, 0x01, JCBIssuerData.version, 0x04, types, 0x00, 0x00, 0x00]
    }

    private func cryptogram(_ issuerData: [UInt8]) -> [UInt8] {
        ApplicationCryptogram(application).jcbCryptogram(counter: counter, issuerData: issuerData) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counter.bigEndianBytes
            default: terminal.bytes(tag, count)
            }
        }
    }

    // MARK: Answers

    /// Answer to the first GENERATE AC, without the status word.
    func answer(signs: Bool, balance: UInt64?, _ memory: inout CardMemory) -> [UInt8] {
        if behaviour.isLegacy {
            return DataObject(0x80, [type.rawValue] + counter.bigEndianBytes + firstCryptogram + issuerData).bytes
        }
        let plain = DataObject(0x9F26, firstCryptogram).bytes
        guard type != .decline else { return template([head, plain, issuerObject]) }
        let tail = [issuerObject, tailObjects(balance)]
        guard signs, let keys = application.keys else {
            let shows = !application.flaws.contains(.missingCryptogram)
            return template([head, shows ? plain : []] + tail)
        }
        let block = application.combinedBlock(
            type, firstCryptogram, counter: counter, terminalNumber: terminal.bytes(0x9F37, 4),
            over: optionsData + cryptogramData + ([head] + tail).flatMap { $0 }, length: keys.card.modulus.count)
        let signature = DataObject(0x9F4B, memory.sign(block, for: application, with: keys.card)).bytes
        return template([head, application.flaws.contains(.missingSignature) ? [] : signature] + tail)
    }

    /// Answer to the second GENERATE AC, which is never signed.
    func secondAnswer(balance: UInt64?) -> [UInt8] {
        var objects = [head, DataObject(0x9F26, cryptogram(issuerData)).bytes, issuerObject]
        if let balance { objects.append(DataObject(0x9F5F, [UInt8](amount: balance)).bytes) }
        return template(objects)
    }

    private func template(_ objects: [[UInt8]]) -> [UInt8] { DataObject(0x77, objects.flatMap { $0 }).bytes }

    private var head: [UInt8] {
        let flaws = application.flaws
        var bytes = DataObject(0x9F27, [flaws.contains(.undefinedCryptogramType) ? 0xC0 : type.rawValue]).bytes
        if !flaws.contains(.missingCounter) { bytes += DataObject(0x9F36, counter.bigEndianBytes).bytes }
        return bytes
    }

    private var issuerObject: [UInt8] {
        if application.flaws.contains(.missingIssuerData) { return [] }
        let value = issuerData
        guard behaviour.hasLongLengths else { return DataObject(0x9F10, value).bytes }
        return DataObject.tagBytes(0x9F10) + [0x81, UInt8(value.count)] + value
    }

    private func tailObjects(_ balance: UInt64?) -> [UInt8] {
        var objects = [DataObject(0x9F50, [status])]
        if let balance { objects.append(DataObject(0x9F5F, [UInt8](amount: balance))) }
        if let update = behaviour.update { objects.append(DataObject(0x9F60, [update.rawValue])) }
        if application.flaws.contains(.unknownObjects) { objects.append(DataObject(0xDF7E, [0x01, 0x02, 0x03])) }
        return objects.flatMap { $0.bytes }
    }
}

/// Terminal Interchange Profile (9F53; Book C-5, A.9), as a card reads it.
struct TerminalInterchangeProfile: Sendable {
    let bytes: [UInt8]

    var requiresVerification: Bool { bytes[0] & 0x80 != 0 }

    func offers(_ method: CardVerification) -> Bool {
        switch method {
        case .signature: bytes[0] & 0x40 != 0
        case .onlinePIN: bytes[0] & 0x20 != 0
        case .consumerDevice, .consumerDeviceClaimed: bytes[0] & 0x10 != 0
        }
    }
}

/// The data objects of a JCB application that are constant over transactions, and their records.
struct JCBData: Sendable {
    private let application: CardApplication
    private let behaviour: JCBBehaviour

    init(_ application: CardApplication) {
        self.application = application
        behaviour = application.jcb
    }

    /// Answer to GET PROCESSING OPTIONS, without the status word. Kernel 5 accepts only profile and locator in it.
    func options(_ file: CardFile) -> [UInt8] {
        if application.processingOptionsFormat == .format1 {
            return DataObject(0x80, application.profileBytes + file.locator).bytes
        }
        let objects = application.optionHead(file).changed(application.objects.options)
        let options = DataObject(0x77, objects).bytes
        return application.flaws.contains(.truncatedOptions) ? options.dropLast() : options
    }

    func file(chain: CardChain?) -> CardFile {
        var file = CardFile(of: application)
        file.append(
            certified: certifiedRecords, file: Self.certifiedFile, isSigned: application.keys != nil, of: application)
        if behaviour.hasUnsignedList { file.append([[list]], file: 4) }
        if let chain {
            file.append(application.issuerGroups(chain), file: 2)
            file.append(application.cardGroups(chain), file: 3)
        }
        file.damage(as: application)
        return file
    }

    var certifiedData: [UInt8] { application.certifiedData(certifiedRecords, file: Self.certifiedFile) }

    private static let certifiedFile: UInt8 = 1

    private var certifiedRecords: [[DataObject]] { application.records(certifiedObjects) }

    private var list: DataObject { DataObject(0x8C, behaviour.dataList.bytes) }

    private var certifiedObjects: [DataObject] {
        var objects = application.certifiedObjects
        if !application.flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        if !behaviour.hasUnsignedList { objects.append(list) }
        if let list = behaviour.secondDataList { objects.append(DataObject(0x8D, list.bytes)) }
        if let list = behaviour.verificationList { objects.append(DataObject(0x8E, list)) }
        objects.append(DataObject(0x9F08, behaviour.version))
        if let codes = behaviour.actionCodes {
            objects.append(DataObject(0x9F0D, codes.byDefault))
            objects.append(DataObject(0x9F0E, codes.denial))
            objects.append(DataObject(0x9F0F, codes.online))
        }
        if let formFactor = application.formFactor { objects.append(DataObject(0x9F6E, formFactor)) }
        if let partnerData = behaviour.partnerData { objects.append(DataObject(0x9F7C, partnerData)) }
        return objects
    }
}
