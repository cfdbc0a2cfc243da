// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// One transaction of an application that completes it in GET PROCESSING OPTIONS: from the terminal's data to the
/// answer and the records.
struct QualifiedTransaction<Behaviour: QualifiedBehaviour>: Sendable {
    let application: CardApplication
    let behaviour: Behaviour
    let terminal: TerminalData
    let counter: UInt16
    let type: CryptogramType
    /// Card Transaction Qualifiers (9F6C); nil if the card returns none.
    let qualifiers: [UInt8]?

    /// Whether the card returns a dynamic signature, and so its certificates.
    var signs: Bool {
        guard application.keys != nil else { return false }
        switch (type, behaviour.signing) {
        case (.offline, _): return true
        case (.online, .always): return true
        case (.online, .onlineWhenAsked): return terminal.qualifiers.wantsSignatureOnline
        default: return false
        }
    }

    /// The file with the records that the card's certificate covers.
    static var certifiedFile: UInt8 { 3 }

    /// The records that are the same in every tap.
    private var staticFile: CardFile {
        var file = CardFile(of: application)
        guard signs || behaviour.recordsOnline else { return file }
        file.append(
            certified: behaviour.certifiedRecords(application), file: Self.certifiedFile, isSigned: signs,
            of: application)
        return file
    }

    // MARK: The cryptogram

    private var issuerData: [UInt8] {
        behaviour.issuerData(application.flaws.contains(.contradictingCryptogramType) ? .offline : type)
    }

    var cryptogram: [UInt8] {
        behaviour.cryptogram(of: application, counter: counter) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counterBytes
            case 0x9F10: issuerData
            default: terminal.bytes(tag, count)
            }
        }
    }

    private var counterBytes: [UInt8] { counter.bigEndianBytes }

    // MARK: The signature

    /// Card Authentication Related Data (9F69): version, the card's number, qualifiers.
    var authenticationData: [UInt8] {
        let flaws = application.flaws
        let number = application.dynamicNumber(counter, terminal.bytes(0x9F37, 4)).prefix(4)
        var shown = qualifiers ?? [0x00, 0x00]
        if flaws.contains(.differingQualifiers) { shown[1] ^= 0x80 }
        let version: UInt8 = flaws.contains(.unknownAuthenticationVersion) ? 0x02 : 0x01
        return [version] + number
            + (flaws.contains(.shortAuthenticationData) ? [] : shown + behaviour.authenticationDataEnd)
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

    /// Computes the signature, if any, and puts the records into the card's memory.
    ///
    /// - Returns: the answer with its status word.
    func perform(_ memory: inout CardMemory) -> [UInt8] {
        var chain: CardChain?
        var signature: [UInt8]?
        if signs, let keys = application.keys {
            chain = memory.chain(of: application)
            let block = signatureBlock(length: keys.card.modulus.count)
            signature = memory.sign(block, for: application, with: keys.card)
        }
        let answer = answer(chain: chain, signature: signature)
        memory.records = answer.records
        return answer.options + StatusWord.success.bytes
    }

    /// - Parameters:
    ///   - chain: nil if the card does not sign.
    ///   - signature: nil if the card does not sign.
    private func answer(chain: CardChain?, signature: [UInt8]?) -> OptionsAnswer {
        var file = staticFile
        var signed: [DataObject] = []
        if let signature, !application.flaws.contains(.missingSignature) {
            signed.append(DataObject(0x9F4B, signature))
        }
        let certificates = chain.map { application.issuerGroups($0) + application.cardGroups($0) } ?? []
        var last = chain == nil ? [] : lastRecord

        // The locator's length decides whether the signature still fits into the answer: 4 bytes per entry.
        var objects = optionObjects(records: signs || behaviour.recordsOnline)
        if application.processingOptionsFormat == .format1 {
            let groups = CardFile.pack(objects + signed, spread: false)
            appendKeys(certificates, last, to: &file)
            file.append(groups, file: 4)
            file.damage(as: application)
            return OptionsAnswer(
                options: DataObject(0x80, application.profileBytes + file.locator).bytes, records: file.records)
        }
        let space = CardFile.longestRecord - 2 - 3 * 4 - 8
        if DataObject(0x77, objects + signed).bytes.count <= space {
            objects += signed
        } else {
            last = signed + last
        }
        appendKeys(certificates, last, to: &file)
        file.damage(as: application)
        let head = application.optionHead(file)
        var options = DataObject(0x77, (head + objects).changed(application.objects.options)).bytes
        if application.flaws.contains(.truncatedOptions) { options.removeLast() }
        return OptionsAnswer(options: options, records: file.records)
    }

    /// All objects except interchange profile, locator and signature.
    private func optionObjects(records: Bool) -> [DataObject] {
        let flaws = application.flaws
        var objects: [DataObject] = []
        if !flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        if !records, let sequence = application.sequenceObject { objects.append(sequence) }
        if !flaws.contains(.missingIssuerData) { objects.append(DataObject(0x9F10, issuerData)) }
        if !flaws.contains(.missingCryptogram) { objects.append(DataObject(0x9F26, cryptogram)) }
        if flaws.contains(.undefinedCryptogramType) {
            objects.append(DataObject(0x9F27, [0xC0]))
        } else if behaviour.returnsCryptogramInformation {
            objects.append(DataObject(0x9F27, [type.rawValue]))
        }
        if !flaws.contains(.missingCounter) { objects.append(DataObject(0x9F36, counterBytes)) }
        if let qualifiers { objects.append(DataObject(0x9F6C, qualifiers)) }
        if let balance = application.offlineBalance {
            objects.append(DataObject(0x9F5D, [UInt8](amount: balance)))
        }
        objects += behaviour.optionObjects(application)
        if flaws.contains(.unknownObjects) {
            objects.append(DataObject(0xDF7E, [0x01, 0x02, 0x03]))
            objects.append(DataObject(0xFF7D, [DataObject(0xDF7C, [0x04])]))
        }
        return objects
    }

    /// The record that is written again in every transaction.
    private var lastRecord: [DataObject] {
        application.flaws.contains(.missingAuthenticationData) ? [] : [DataObject(0x9F69, authenticationData)]
    }

    private func appendKeys(_ certificates: [[DataObject]], _ last: [DataObject], to file: inout CardFile) {
        var groups = certificates
        if !last.isEmpty { groups.append(last) }
        file.append(groups, file: 2)
    }
}
