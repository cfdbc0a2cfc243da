// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// One transaction of a Mastercard application: the terminal's data so far, and the answers computed from them.
struct MastercardTransaction: Sendable {
    private(set) var application: CardApplication
    private(set) var behaviour: MastercardBehaviour
    let counter: UInt16
    /// Values of the PDOL as received: the signature covers them.
    private let optionsData: [UInt8]
    /// Values of CDOL1 as received.
    private var cryptogramData: [UInt8] = []
    private(set) var terminal: TerminalData
    private let slot: StorageSlot

    var relay: RelayExchange?
    /// Whether the transaction's one cryptogram was returned.
    var isComplete = false

    /// Decides as another description of the application.
    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.mastercard
    }

    init(application: CardApplication, counter: UInt16, options: TerminalData, slot: StorageSlot) {
        self.application = application
        behaviour = application.mastercard
        self.counter = counter
        optionsData = options.raw
        terminal = options
        self.slot = slot
    }

    // MARK: GET PROCESSING OPTIONS

    /// Answer to GET PROCESSING OPTIONS, without the status word.
    func answer(_ file: CardFile) -> [UInt8] {
        let storage = storageObjects
        if application.processingOptionsFormat == .format1, storage.isEmpty {
            return DataObject(0x80, application.profileBytes + file.locator).bytes
        }
        var objects = application.optionHead(file) + storage
        if application.flaws.contains(.unknownObjects) { objects += Self.unknownObjects }
        let options = DataObject(0x77, objects.changed(application.objects.options)).bytes
        return application.flaws.contains(.truncatedOptions) ? options.dropLast() : options
    }

    /// No tag begins with FF, which terminals treat as padding: the signature's input would be ambiguous.
    private static let unknownObjects = [
        DataObject(0xDF7E, [0x01, 0x02, 0x03]), DataObject(0xEA, [DataObject(0xDF7C, [0x04])]),
    ]

    // MARK: Integrated data storage

    /// DS Requested Operator ID; zeros if the terminal stores nothing.
    var storageOperator: [UInt8] { terminal.bytes(0x9F5C, 8) }

    /// DS Summary before this transaction; nil if the terminal stores nothing.
    var storageSummary: [UInt8]? {
        guard behaviour.storage != nil, storageOperator.contains(where: { $0 != 0 }) else { return nil }
        return slot.summary(of: application)
    }

    private var storageObjects: [DataObject] {
        guard let storage = behaviour.storage, let summary = storageSummary else { return [] }
        let control = DataObject(0x9F6F, [storage.slotControl])
        if slot.operatorID == storageOperator {
            return [DataObject(0x9F7D, summary), DataObject(0x9F54, slot.data), control]
        }
        let number = Array(SHA1.hash(seed + [0x9F, 0x7F]).prefix(4))
        return [
            DataObject(0x9F5F, [slot.operatorID == nil ? 0x80 : 0x00]), control, DataObject(0x9F7D, summary),
            DataObject(0x9F7F, number),
        ]
    }

    // MARK: GENERATE AC

    /// Splits the command's data into its two parts; nil if the lengths are wrong. The last object of the second list
    /// may be shorter than requested.
    func split(_ data: [UInt8]) -> (cryptogram: [UInt8], storage: TerminalData?)? {
        let length = behaviour.dataList.dataLength
        if data.count == length { return (data, nil) }
        guard data.count > length, storageSummary != nil, var list = behaviour.storage?.dataList,
            let last = list.popLast()
        else { return nil }
        let left = data.count - length - list.dataLength
        guard left >= 0, left <= Int(last.length) else { return nil }
        list.append(DataRequest(last.tag, UInt8(left)))
        return TerminalData(list, Array(data.dropFirst(length))).map { (Array(data.prefix(length)), $0) }
    }

    /// Stores the values of CDOL1.
    mutating func told(_ data: [UInt8], list: [DataRequest]) {
        guard let later = TerminalData(list, data) else { return }
        cryptogramData = data
        terminal = terminal.overridden(by: later)
    }

    /// Whether the terminal lets the device verify its holder (CVM Results).
    var asksDevice: Bool { terminal.bytes(0x9F34, 3)[0] & 0x3F == 0x01 }

    /// Decides the cryptogram type: never more than the terminal requests, unless the card is dishonest.
    ///
    /// - Parameter balance: the amount still available offline, if limited.
    func type(for request: CryptogramRequest, balance: UInt64?) -> CryptogramType {
        if application.disposition == .offlineRegardless { return .offline }
        if request.type == .decline || application.disposition == .decline { return .decline }
        if request.type == .offline, case .offline(let limit) = application.disposition,
            terminal.amount <= min(limit, balance ?? limit)
        {
            return .offline
        }
        // Second digit of the Terminal Type: 3 and 6 are offline only (Book 4, A1).
        return [0x03, 0x06].contains(terminal.bytes(0x9F35, 1)[0] & 0x0F) ? .decline : .online
    }

    /// Builds the answer to GENERATE AC.
    ///
    /// - Parameters:
    ///   - signs: whether the terminal requests a signature.
    ///   - interaction: POS Cardholder Interaction Information.
    ///   - spent: in minor units, all that was approved offline.
    ///   - summaries: DS Summary 2 and 3, if data storage is performed.
    func cryptogramAnswer(
        _ type: CryptogramType, signs: Bool, interaction: [UInt8]?, spent: UInt64,
        summaries: (before: [UInt8], after: [UInt8])?
    ) -> CryptogramAnswer {
        let flaws = application.flaws
        let mayDecline = behaviour.capabilities.signsDeclines || summaries != nil
        let isSigned = signs && application.keys != nil && (type != .decline || mayDecline)
        let terminalNumber = terminal.bytes(0x9F37, 4)
        let number = isSigned ? application.dynamicNumber(counter, terminalNumber) : [0, 0]
        let issuerData = issuerData(type, dynamicNumber: number, spent: spent)

        var after: [DataObject] = []
        if !flaws.contains(.missingIssuerData) { after.append(DataObject(0x9F10, issuerData)) }
        if let interaction { after.append(DataObject(0xDF4B, interaction)) }
        if flaws.contains(.unknownObjects) { after += Self.unknownObjects }
        var before = [DataObject(0x9F27, [flaws.contains(.undefinedCryptogramType) ? 0xC0 : type.rawValue])]
        if !flaws.contains(.missingCounter) { before.append(DataObject(0x9F36, counter.bigEndianBytes)) }
        return CryptogramAnswer(
            application: application, before: before, after: after, type: type,
            cryptogram: cryptogram(issuerData), isSigned: isSigned,
            terminalNumber: terminalNumber, terminalData: optionsData + cryptogramData, extra: extra(summaries),
            counter: counter, issuerData: issuerData)
    }

    private func issuerData(_ type: CryptogramType, dynamicNumber: [UInt8], spent: UInt64) -> [UInt8] {
        guard behaviour.isCommonCore else {
            return MChipIssuerData(
                behaviour.cryptogram, results: [0x80 | type.resultBits, 0, 0, 0, 0, 0], dynamicNumber: dynamicNumber,
                offlineAmount: spent
            ).bytes
        }
        // Book 3, C9: format A, key index 1, results of 5 bytes, counters, the issuer's own data.
        let version: UInt8 = application.derivation == .optionC ? 0xA6 : 0xA5
        let counters = [UInt8](amount: spent) + [0x00, 0x00]
        return [0x0F, version, 0x01, 0x80 | type.resultBits, 0, 0, 0, 0] + counters + [0x0F]
            + [UInt8](repeating: 0, count: 15)
    }

    private func cryptogram(_ issuerData: [UInt8]) -> [UInt8] {
        let value = { (tag: UInt32, count: Int) in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counter.bigEndianBytes
            default: terminal.bytes(tag, count)
            }
        }
        if behaviour.isCommonCore {
            // Book 2, CCD 8.1: the ten objects and the issuer's data under the common session key.
            let key = application.cardKeys.cryptogram.sessionKey(diversifiedBy: counter.bigEndianBytes)
            return key.mac(ApplicationCryptogram.recommendedInput(value: value) + issuerData)
        }
        guard let issuerData = MChipIssuerData(issuerData) else { preconditionFailure("M/Chip's own issuer data") }
        let keys = ApplicationCryptogram(application)
        let data = ApplicationCryptogram.input(behaviour.cryptogram, issuerData, value: value)
        return keys.cryptogram(behaviour.cryptogram, counter: counter, number: terminal.bytes(0x9F37, 4), data: data)
    }

    /// Returns the data that the signature covers in addition to the transaction data hash.
    private func extra(_ summaries: (before: [UInt8], after: [UInt8])?) -> [UInt8] {
        var bytes: [UInt8] = []
        if let summaries {
            var before = summaries.before
            if application.flaws.contains(.differingStorageSummary) { before[0] ^= 0x01 }
            bytes += before + summaries.after
        }
        if let relay {
            var data = relay.terminalEntropy + relay.cardData
            if application.flaws.contains(.differingRelayData) { data[data.count - 3] ^= 0x01 }
            bytes += data
        }
        return bytes
    }

    /// The seed of all random numbers of this transaction.
    var seed: [UInt8] { Array(application.pan.utf8) + counter.bigEndianBytes }
}

extension MastercardTransaction {
    /// The answer to GENERATE AC, with or without a signature.
    struct CryptogramAnswer: Sendable {
        let application: CardApplication
        /// Data objects before and after cryptogram or signature.
        let before: [DataObject]
        let after: [DataObject]
        let type: CryptogramType
        let cryptogram: [UInt8]
        let isSigned: Bool
        let terminalNumber: [UInt8]
        let terminalData: [UInt8]
        let extra: [UInt8]
        let counter: UInt16
        let issuerData: [UInt8]

        var plain: [UInt8] {
            if application.mastercard.cryptogramFormat == .format1 {
                let value = [type.rawValue] + counter.bigEndianBytes + cryptogram + issuerData
                return DataObject(0x80, value).bytes
            }
            let shows = !application.flaws.contains(.missingCryptogram)
            return DataObject(0x77, before + (shows ? [DataObject(0x9F26, cryptogram)] : []) + after).bytes
        }

        func signed(_ signature: [UInt8]) -> [UInt8] {
            let shows = !application.flaws.contains(.missingSignature)
            return DataObject(0x77, before + (shows ? [DataObject(0x9F4B, signature)] : []) + after).bytes
        }

        /// The block to sign, as long as the card's key.
        func signatureBlock(length: Int) -> [UInt8] {
            application.combinedBlock(
                type, cryptogram, counter: counter, terminalNumber: terminalNumber,
                over: terminalData + (before + after).flatMap { $0.bytes }, extra: extra, length: length)
        }
    }
}
