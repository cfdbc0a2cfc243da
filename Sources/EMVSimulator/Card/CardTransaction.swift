/// One transaction of one application: from the terminal's data to the answer and the records.
struct CardTransaction: Sendable {
    let application: CardApplication
    let terminal: TerminalData
    let counter: UInt16
    let type: CryptogramType
    /// Card Transaction Qualifiers (9F6C); nil where the card returns none.
    let qualifiers: [UInt8]?

    /// Whether the card returns a dynamic signature, and so its certificates.
    var signs: Bool {
        guard application.keys != nil else { return false }
        switch (type, application.signing) {
        case (.offline, _): return true
        case (.online, .always): return true
        case (.online, .onlineWhenAsked): return terminal.qualifiers.wantsSignatureOnline
        default: return false
        }
    }

    /// The AFL and record contents that stay the same in every tap: what the certificates are issued over.
    var staticFile: CardFile {
        var file = CardFile()
        guard signs || application.recordsOnline else { return file }
        let signed = signs ? 1 : 0
        let number: UInt8 = application.layout == .proprietaryFile ? 12 : 3
        let spread = application.layout == .spread
        let groups = CardFile.pack(application.staticObjects, spread: spread)
        file.append(groups, file: number, signed: signed * groups.count)
        return file
    }

    /// What the card's certificate covers: signed records, then the interchange profile that 9F4A names.
    static func staticData(_ application: CardApplication) -> [UInt8] {
        var covered = application
        covered.recordsOnline = true
        let file = CardTransaction(
            application: covered, terminal: .none, counter: 0, type: .offline, qualifiers: nil
        ).staticFile
        return file.staticData + application.profileBytes
    }

    // MARK: The cryptogram

    /// Visa's issuer application data: key index, version, card verification results.
    var issuerData: [UInt8] {
        let shown = application.flaws.contains(.contradictingCryptogramType) ? CryptogramType.offline : type
        return [0x06, 0x01, application.cryptogram.rawValue, 0x03, 0x80 | shown.resultBits, 0x00, 0x00]
    }

    var cryptogram: [UInt8] {
        let keys = ApplicationCryptogram(
            masterKey: application.masterKey, pan: application.pan, sequence: application.sequenceByte)
        let data = ApplicationCryptogram.input(application.cryptogram) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counterBytes
            case 0x9F10: issuerData
            default: terminal.bytes(tag, count)
            }
        }
        return keys.cryptogram(application.cryptogram, counter: counter, data: data)
    }

    private var counterBytes: [UInt8] { [UInt8(counter >> 8), UInt8(truncatingIfNeeded: counter)] }

    // MARK: The signature

    /// Card Authentication Related Data (9F69): version, the card's number, qualifiers.
    var authenticationData: [UInt8] {
        let flaws = application.flaws
        let seed = Array(application.pan.utf8) + counterBytes + terminal.bytes(0x9F37, 4)
        let number = SHA1.hash(seed).prefix(4)
        var shown = qualifiers ?? [0x00, 0x00]
        if flaws.contains(.differingQualifiers) { shown[1] ^= 0x80 }
        let version: UInt8 = flaws.contains(.unknownAuthenticationVersion) ? 0x02 : 0x01
        return [version] + number + (flaws.contains(.shortAuthenticationData) ? [] : shown)
    }

    /// The block to sign, as long as the card's key.
    func signatureBlock(length: Int) -> [UInt8] {
        let flaws = application.flaws
        let offline = (type == .offline) != flaws.contains(.swappedSignatureFormat)
        var number = terminal.bytes(0x9F37, 4)
        if flaws.contains(.signatureOverOtherNumber) { number[3] ^= 0x01 }
        return Certificate.dynamicBlock(
            format: offline ? 0x05 : 0x95,
            cardData: [0x02] + counterBytes,
            terminalData: number + terminal.bytes(0x9F02, 6) + terminal.bytes(0x5F2A, 2) + authenticationData,
            length: length)
    }

    // MARK: The answer

    struct Answer: Sendable {
        /// To GET PROCESSING OPTIONS, without the status word.
        var options: [UInt8]
        var records: [CardFile.RecordNumber: [UInt8]]
    }

    /// - Parameters:
    ///   - chain: where the card signs.
    ///   - signature: likewise.
    func answer(chain: CardChain?, signature: [UInt8]?) -> Answer {
        var file = staticFile
        var signed: [DataObject] = []
        if let signature, !application.flaws.contains(.missingSignature) {
            signed.append(DataObject(0x9F4B, signature))
        }
        let certificates = chain.map(certificateGroups) ?? []
        var last = chain == nil ? [] : lastRecord

        // The locator's length decides whether the signature still fits into the answer: 4 bytes an entry.
        var objects = optionObjects(records: signs || application.recordsOnline)
        if application.processingOptionsFormat == .format1 {
            let groups = CardFile.pack(objects + signed, spread: false)
            appendKeys(certificates, last, to: &file)
            file.append(groups, file: 4)
            damage(&file)
            return Answer(
                options: DataObject(0x80, application.profileBytes + file.locator).bytes, records: file.records)
        }
        let room = CardFile.longestRecord - 2 - 3 * 4 - 8
        if DataObject(0x77, objects + signed).bytes.count <= room {
            objects += signed
        } else {
            last = signed + last
        }
        appendKeys(certificates, last, to: &file)
        damage(&file)
        let head = optionHead(file)
        var options = DataObject(0x77, head + objects).bytes
        if application.flaws.contains(.truncatedOptions) { options.removeLast() }
        return Answer(options: options, records: file.records)
    }

    private func optionHead(_ file: CardFile) -> [DataObject] {
        var head: [DataObject] = []
        if !application.flaws.contains(.missingInterchangeProfile) {
            head.append(DataObject(0x82, application.profileBytes))
        }
        if !file.locator.isEmpty || application.flaws.contains(.emptyFileLocator) {
            head.append(DataObject(0x94, file.locator))
        }
        return head
    }

    /// Everything but interchange profile, locator and signature.
    private func optionObjects(records: Bool) -> [DataObject] {
        let flaws = application.flaws
        var objects: [DataObject] = []
        if !flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        if !records, let sequence = application.sequenceObject { objects.append(sequence) }
        if !flaws.contains(.missingIssuerData) { objects.append(DataObject(0x9F10, issuerData)) }
        if !flaws.contains(.missingCryptogram) { objects.append(DataObject(0x9F26, cryptogram)) }
        if flaws.contains(.undefinedCryptogramType) {
            objects.append(DataObject(0x9F27, [0xC0]))
        } else if application.returnsCryptogramInformation {
            objects.append(DataObject(0x9F27, [type.rawValue]))
        }
        if !flaws.contains(.missingCounter) { objects.append(DataObject(0x9F36, counterBytes)) }
        if let qualifiers { objects.append(DataObject(0x9F6C, qualifiers)) }
        if let balance = application.offlineBalance {
            objects.append(DataObject(0x9F5D, Self.amountBytes(balance)))
        }
        if let formFactor = application.formFactor { objects.append(DataObject(0x9F6E, formFactor)) }
        if flaws.contains(.unknownObjects) {
            objects.append(DataObject(0xDF7E, [0x01, 0x02, 0x03]))
            objects.append(DataObject(0xFF7D, [DataObject(0xDF7C, [0x04])]))
        }
        return objects
    }

    private func certificateGroups(_ chain: CardChain) -> [[DataObject]] {
        guard let keys = application.keys else { return [] }
        let flaws = application.flaws
        let spread = application.layout == .spread
        let index = flaws.contains(.unknownAuthority) ? 0xEE : keys.authority.publicKey.index

        var issuer = [DataObject(0x8F, [index])]
        if !flaws.contains(.missingIssuerExponent) { issuer.append(DataObject(0x9F32, keys.issuer.exponentBytes)) }
        if !chain.issuer.remainder.isEmpty { issuer.append(DataObject(0x92, chain.issuer.remainder)) }
        if !flaws.contains(.missingIssuerCertificate) { issuer.append(DataObject(0x90, chain.issuer.certificate)) }

        var card = [DataObject(0x9F47, keys.card.exponentBytes)]
        if !chain.card.remainder.isEmpty, !flaws.contains(.missingCardRemainder) {
            card.append(DataObject(0x9F48, chain.card.remainder))
        }
        if !flaws.contains(.missingCardCertificate) { card.append(DataObject(0x9F46, chain.card.certificate)) }
        return CardFile.pack(issuer, spread: spread) + CardFile.pack(card, spread: spread)
    }

    /// The record that every transaction writes anew.
    private var lastRecord: [DataObject] {
        application.flaws.contains(.missingAuthenticationData) ? [] : [DataObject(0x9F69, authenticationData)]
    }

    private func appendKeys(_ certificates: [[DataObject]], _ last: [DataObject], to file: inout CardFile) {
        var groups = certificates
        if !last.isEmpty { groups.append(last) }
        file.append(groups, file: 2)
    }

    /// The flaws that lie in the records and their locator.
    private func damage(_ file: inout CardFile) {
        let flaws = application.flaws
        if flaws.contains(.changedStaticData) {
            for (number, record) in file.records where number.file != 2 {
                file.replace(number, with: Self.changingExpiry(record))
            }
        }
        if flaws.contains(.repeatedTrack2) { file.append([[application.track2Object]], file: 5) }
        if flaws.contains(.recordWithoutTemplate) {
            for (number, record) in file.records {
                file.replace(number, with: [0x71] + record.dropFirst())
            }
        }
        if flaws.contains(.absentRecord) { file.overrideLocator(file.locator + [0x30, 0x01, 0x01, 0x00]) }
        if flaws.contains(.unevenFileLocator) { file.overrideLocator(file.locator + [0x30]) }
        if flaws.contains(.emptyFileLocator) { file.overrideLocator([]) }
    }

    /// The same record, the expiry a day earlier.
    private static func changingExpiry(_ record: [UInt8]) -> [UInt8] {
        guard let template = DataObject.parse(record)?.first, var objects = DataObject.parse(template.value) else {
            return record
        }
        for index in objects.indices where objects[index].tag == 0x5F24 { objects[index].value[2] ^= 0x01 }
        return DataObject(0x70, objects).bytes
    }

    private static func amountBytes(_ amount: UInt64) -> [UInt8] {
        var rest = amount
        var bytes: [UInt8] = []
        for _ in 0..<6 {
            bytes.insert(UInt8(rest / 10 % 10) << 4 | UInt8(rest % 10), at: 0)
            rest /= 100
        }
        return bytes
    }
}

extension CardApplication {
    /// The sequence number as keys are derived from it: 00 where there is none.
    var sequenceByte: UInt8 { sequenceObject?.value[0] ?? 0 }
}
