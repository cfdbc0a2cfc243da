// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// One transaction of an American Express application: the terminal's data so far, and the answers computed from them.
struct AmericanExpressTransaction: Sendable {
    private(set) var application: CardApplication
    private(set) var behaviour: AmericanExpressBehaviour
    let counter: UInt16
    let usesEMV: Bool
    let reader: AmericanExpressReader
    /// The device confirms its holder's verification in this transaction.
    let isVerified: Bool
    /// Values of the PDOL as received: the signature covers them.
    private let optionsData: [UInt8]
    private var cryptogramData: [UInt8] = []
    private(set) var terminal: TerminalData
    /// Cryptogram type of the last GENERATE AC; nil before the first.
    private(set) var given: CryptogramType?
    /// The online cryptogram that the issuer will answer.
    private(set) var online: OnlineCryptogram?

    /// Decides as another description of the application.
    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.americanExpress
    }

    init(application: CardApplication, counter: UInt16, options: TerminalData, usesEMV: Bool, isVerified: Bool) {
        self.application = application
        behaviour = application.americanExpress
        self.counter = counter
        self.usesEMV = usesEMV
        self.isVerified = isVerified
        reader = AmericanExpressReader(options)
        optionsData = options.raw
        terminal = options
    }

    private var data: AmericanExpressData { AmericanExpressData(application, usesEMV: usesEMV) }

    // MARK: GET PROCESSING OPTIONS

    /// Answer to GET PROCESSING OPTIONS, without the status word.
    func options(_ file: CardFile) -> [UInt8] {
        let profile = data.profile
        if application.processingOptionsFormat == .format1 {
            return DataObject(0x80, profile + file.locator).bytes
        }
        var objects = application.optionHead(file)
        for at in objects.indices where objects[at].tag == 0x82 { objects[at].value = profile }
        if let results = mobileResults { objects.append(DataObject(0x9F71, results)) }
        let bytes = DataObject(0x77, objects.changed(application.objects.options)).bytes
        return application.flaws.contains(.truncatedOptions) ? bytes.dropLast() : bytes
    }

    /// Mobile CVM Results (9F71): performed or not, condition, result (Table 4-6).
    private var mobileResults: [UInt8]? {
        switch behaviour.mobile?.verification {
        case .whenAsked: isVerified ? [0x01, 0x03, 0x02] : [0x3F, 0x03, 0x00]
        case .claimed: [0x01, 0x03, 0x02]
        case .failed: [0x01, 0x03, 0x01]
        case .blocked: [0x01, 0x03, 0x03]
        case nil: nil
        }
    }

    // MARK: GENERATE AC

    /// Answers the first GENERATE AC: never with more than the terminal requests, unless the card is dishonest.
    ///
    /// - Returns: nil if the data's length differs from CDOL1's.
    mutating func generate(
        _ request: CryptogramRequest, _ bytes: [UInt8], _ memory: inout CardMemory
    ) -> [UInt8]? {
        guard let told = TerminalData(data.dataList, bytes) else { return nil }
        cryptogramData = bytes
        terminal = terminal.overridden(by: told)
        let type = type(for: request)
        let cryptogram = cryptogram(
            type, version: usesEMV ? .emv : .magneticStripe, number: terminal.bytes(0x9F37, 4))
        given = type
        if type == .online { online = OnlineCryptogram(counter: counter, value: cryptogram) }
        return answer(type, cryptogram, signs: request.wantsSignature, &memory)
    }

    /// Answers the second GENERATE AC. An approval requires the issuer's approval (91), by response method 1.
    ///
    /// - Returns: nil if the data's length differs from CDOL2's.
    mutating func generateSecond(
        _ request: CryptogramRequest, _ bytes: [UInt8], _ memory: inout CardMemory
    ) -> [UInt8]? {
        guard let online, let told = TerminalData(behaviour.secondDataList, bytes) else { return nil }
        cryptogramData = bytes
        terminal = terminal.overridden(by: told)
        let authentication = told.bytes(0x91, 10)
        let expected = AmericanExpressBehaviour.response(
            of: application, cryptogram: online.value, counter: counter, code: Array(authentication.suffix(2)))
        let isApproved = authentication == expected && authentication.suffix(2).elementsEqual("00".utf8)
        let type = isApproved && request.type == .offline ? CryptogramType.offline : .decline
        given = type
        let cryptogram = cryptogram(type, version: .emv, number: terminal.bytes(0x9F37, 4))
        return answer(type, cryptogram, signs: request.wantsSignature, &memory)
    }

    private func type(for request: CryptogramRequest) -> CryptogramType {
        if application.disposition == .offlineRegardless { return .offline }
        if request.type == .decline || application.disposition == .decline { return .decline }
        if request.type == .offline, usesEMV, case .offline(let limit) = application.disposition,
            terminal.amount <= limit
        {
            return .offline
        }
        return reader.isOfflineOnly ? .decline : .online
    }

    /// Issuer Application Data: length, key index, version, Card Verification Results of three bytes (Book C-4, 2.1.2).
    private func issuerData(_ type: CryptogramType, version: ExpresspayCryptogramVersion) -> [UInt8] {
        let shown = application.flaws.contains(.contradictingCryptogramType) ? CryptogramType.offline : type
        return [0x06, 0x01, version.rawValue, 0x03, 0x80 | shown.resultBits | (isVerified ? 0x04 : 0x00), 0x00, 0x00]
    }

    func cryptogram(_ type: CryptogramType, version: ExpresspayCryptogramVersion, number: [UInt8]) -> [UInt8] {
        let profile = data.profile
        return ApplicationCryptogram(application).expresspayCryptogram(
            version, counter: counter, results: Array(issuerData(type, version: version)[3...])
        ) { tag, count in
            switch tag {
            case 0x82: profile
            case 0x9F36: counter.bigEndianBytes
            case 0x9F37: number
            default: terminal.bytes(tag, count)
            }
        }
    }

    // MARK: The answer

    private func answer(
        _ type: CryptogramType, _ cryptogram: [UInt8], signs: Bool, _ memory: inout CardMemory
    ) -> [UInt8] {
        let flaws = application.flaws
        let issuer = issuerData(type, version: usesEMV ? .emv : .magneticStripe)
        let shown = flaws.contains(.undefinedCryptogramType) ? 0xC0 : type.rawValue
        var counted = counter
        if behaviour.flaws.contains(.differingCounter) { counted &+= 1 }
        let isSigned = signs && type != .decline && data.isSigned && !behaviour.signsStatically
        if !isSigned, behaviour.cryptogramFormat == .format1 {
            return DataObject(0x80, [shown] + counted.bigEndianBytes + cryptogram + issuer).bytes
        }
        var before = [DataObject(0x9F27, [shown])]
        if !flaws.contains(.missingCounter) { before.append(DataObject(0x9F36, counted.bigEndianBytes)) }
        let after = flaws.contains(.missingIssuerData) ? [] : [DataObject(0x9F10, issuer)]
        var middle: [DataObject] = []
        if isSigned, let keys = application.keys {
            let block = application.combinedBlock(
                type, cryptogram, counter: counter, terminalNumber: terminal.bytes(0x9F37, 4),
                over: optionsData + cryptogramData + (before + after).flatMap { $0.bytes },
                length: keys.card.modulus.count)
            let signature = memory.sign(block, for: application, with: keys.card)
            if !flaws.contains(.missingSignature) { middle.append(DataObject(0x9F4B, signature)) }
        } else if !flaws.contains(.missingCryptogram) {
            middle.append(DataObject(0x9F26, cryptogram))
        }
        return DataObject(behaviour.flaws.contains(.answerWithoutTemplate) ? 0x70 : 0x77, before + middle + after).bytes
    }
}
