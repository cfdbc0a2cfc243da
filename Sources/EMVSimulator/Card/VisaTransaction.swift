// SPDX-License-Identifier: Apache-2.0
/// One transaction of a Visa application: from the terminal's data to the answer and the records.
struct VisaTransaction: Sendable {
    let application: CardApplication
    let terminal: TerminalData
    let counter: UInt16
    let type: CryptogramType
    /// Card Transaction Qualifiers (9F6C); nil where the card returns none.
    let qualifiers: [UInt8]?

    /// Whether the card returns a dynamic signature, and so its certificates.
    var signs: Bool {
        guard application.keys != nil else { return false }
        switch (type, application.visa.signing) {
        case (.offline, _): return true
        case (.online, .always): return true
        case (.online, .onlineWhenAsked): return terminal.qualifiers.wantsSignatureOnline
        default: return false
        }
    }

    /// The AFL and record contents that stay the same in every tap: what the certificates are issued over.
    var staticFile: CardFile {
        var file = CardFile()
        guard signs || application.visa.recordsOnline else { return file }
        let signed = signs ? 1 : 0
        let number: UInt8 = application.layout == .proprietaryFile ? 12 : 3
        let spread = application.layout == .spread
        let groups = CardFile.pack(application.certifiedObjects, spread: spread)
        file.append(groups, file: number, signed: signed * groups.count)
        return file
    }

    /// What the card's certificate covers: signed records, then the interchange profile that 9F4A names.
    static func staticData(_ application: CardApplication) -> [UInt8] {
        var covered = application
        covered.visa.recordsOnline = true
        let file = VisaTransaction(
            application: covered, terminal: .none, counter: 0, type: .offline, qualifiers: nil
        ).staticFile
        return file.staticData + application.profileBytes
    }

    // MARK: The cryptogram

    /// Visa's issuer application data: key index, version, card verification results.
    var issuerData: [UInt8] {
        let shown = application.flaws.contains(.contradictingCryptogramType) ? CryptogramType.offline : type
        let version = application.visa.cryptogram
        if version == .cvn22 {
            let results: [UInt8] = [0x00, 0x80 | shown.resultBits, 0x00, 0x00, 0x00]
            return [0x1F, version.rawValue, 0x01] + results + [UInt8](repeating: 0, count: 24)
        }
        return [0x06, 0x01, version.rawValue, 0x03, 0x80 | shown.resultBits, 0x00, 0x00]
    }

    var cryptogram: [UInt8] {
        let keys = ApplicationCryptogram(
            masterKey: application.masterKey, pan: application.pan, sequence: application.sequenceByte,
            derivation: application.derivation)
        let data = ApplicationCryptogram.input(application.visa.cryptogram) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counterBytes
            case 0x9F10: issuerData
            default: terminal.bytes(tag, count)
            }
        }
        return keys.cryptogram(application.visa.cryptogram, counter: counter, data: data)
    }

    private var counterBytes: [UInt8] { counter.bigEndianBytes }

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

    /// - Parameters:
    ///   - chain: where the card signs.
    ///   - signature: likewise.
    func answer(chain: CardChain?, signature: [UInt8]?) -> OptionsAnswer {
        var file = staticFile
        var signed: [DataObject] = []
        if let signature, !application.flaws.contains(.missingSignature) {
            signed.append(DataObject(0x9F4B, signature))
        }
        let certificates = chain.map { application.issuerGroups($0) + application.cardGroups($0) } ?? []
        var last = chain == nil ? [] : lastRecord

        // The locator's length decides whether the signature still fits into the answer: 4 bytes an entry.
        var objects = optionObjects(records: signs || application.visa.recordsOnline)
        if application.processingOptionsFormat == .format1 {
            let groups = CardFile.pack(objects + signed, spread: false)
            appendKeys(certificates, last, to: &file)
            file.append(groups, file: 4)
            file.damage(as: application)
            return OptionsAnswer(
                options: DataObject(0x80, application.profileBytes + file.locator).bytes, records: file.records)
        }
        let room = CardFile.longestRecord - 2 - 3 * 4 - 8
        if DataObject(0x77, objects + signed).bytes.count <= room {
            objects += signed
        } else {
            last = signed + last
        }
        appendKeys(certificates, last, to: &file)
        file.damage(as: application)
        let head = application.optionHead(file)
        var options = DataObject(0x77, head + objects).bytes
        if application.flaws.contains(.truncatedOptions) { options.removeLast() }
        return OptionsAnswer(options: options, records: file.records)
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
        } else if application.visa.returnsCryptogramInformation {
            objects.append(DataObject(0x9F27, [type.rawValue]))
        }
        if !flaws.contains(.missingCounter) { objects.append(DataObject(0x9F36, counterBytes)) }
        if let qualifiers { objects.append(DataObject(0x9F6C, qualifiers)) }
        if let balance = application.offlineBalance {
            objects.append(DataObject(0x9F5D, [UInt8](amount: balance)))
        }
        if let formFactor = application.formFactor { objects.append(DataObject(0x9F6E, formFactor)) }
        if flaws.contains(.unknownObjects) {
            objects.append(DataObject(0xDF7E, [0x01, 0x02, 0x03]))
            objects.append(DataObject(0xFF7D, [DataObject(0xDF7C, [0x04])]))
        }
        return objects
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
}
