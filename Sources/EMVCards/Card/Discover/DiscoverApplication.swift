// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// A Discover application in operation. A transaction is complete with GET PROCESSING OPTIONS. Issuer scripts follow
/// when the card is presented again.
struct DiscoverApplication: RunningApplication {
    private var application: CardApplication
    private var lastOnline: OnlineCryptogram?
    /// Set from the first command of a script until the field goes off.
    private var scripts: ScriptReceiver?

    /// Tags that PUT DATA may write, with their lengths in bytes: offline balance and its limits, as the simulator's
    /// issuer uses them.
    static let writable: [UInt32: Int] = [0x9F58: 1, 0x9F59: 1, 0x9F79: 6]

    init(_ application: CardApplication) { self.application = application }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        switch (command.instructionClass, command.instruction) {
        case (0x80, 0xA8): processOptions(command, &memory)
        case (0x84, 0x18), (0x84, 0x1E), (0x84, 0xDA), (0x84, 0xDC): perform(command, &memory).bytes
        default: nil
        }
    }

    mutating func become(_ other: CardApplication) {
        let balance = application.offlineBalance
        application = other
        application.offlineBalance = balance
    }

    mutating func endTransaction() { scripts = nil }

    private mutating func processOptions(_ command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8] {
        let terminal: TerminalData
        switch application.terminalData(of: command, memory) {
        case .failure(let refusal): return refusal.status.bytes
        case .success(let told): terminal = told
        }
        if let refusal = application.refusal { return refusal.bytes }
        lastOnline = nil
        if let stripe = application.discover.stripe(for: terminal.qualifiers) {
            memory.counter += 1
            return answer(stripe, terminal, &memory)
        }
        return answer(terminal, &memory)
    }

    /// Answers in MS modes: interchange profile and locator, and the tracks in a record.
    private func answer(_ stripe: DPASMagneticStripe, _ terminal: TerminalData, _ memory: inout CardMemory) -> [UInt8] {
        var file = CardFile(of: application)
        let objects = stripe.objects(of: application, number: terminal.raw(0x9F37), counter: memory.counter)
        file.append(application.records(objects), file: 1)
        file.damage(as: application)
        memory.records = file.records
        let options = application.optionHead(file).changed(application.objects.options)
        return DataObject(0x77, options).bytes + StatusWord.success.bytes
    }

    private mutating func answer(_ terminal: TerminalData, _ memory: inout CardMemory) -> [UInt8] {
        let behaviour = application.discover
        let chosen = behaviour.verification(at: terminal.qualifiers)
        if chosen == .consumerDevice, memory.device != .unlocked {
            memory.device = .asking
            return StatusWord.seePhone.bytes
        }
        memory.counter += 1
        if chosen == .consumerDevice { memory.device = .locked }
        let transaction = DiscoverTransaction(
            application: application, terminal: terminal, counter: memory.counter,
            type: application.cryptogramType(terminal, asksOnlinePIN: chosen == .onlinePIN), verification: chosen)
        if transaction.type == .online {
            lastOnline = OnlineCryptogram(counter: memory.counter, value: transaction.cryptogram)
        }
        let answer = transaction.answer(&memory)
        memory.records = answer.records
        return answer.options + StatusWord.success.bytes
    }

    /// Performs a command of an issuer's script. It requires a preceding online cryptogram and the issuer's MAC.
    private mutating func perform(_ command: CommandAPDU, _ memory: inout CardMemory) -> StatusWord {
        guard application.discover.takesScripts, let last = lastOnline, last.counter == memory.counter else {
            return .conditionsNotSatisfied
        }
        if scripts == nil {
            scripts = ScriptReceiver(
                application, .mastercard, writable: Self.writable, counter: last.counter, cryptogram: last.value)
        }
        guard let status = scripts?.perform(command, &memory.updates) else { return .conditionsNotSatisfied }
        if let funds = memory.updates.data[0x9F79], application.offlineBalance != nil {
            application.offlineBalance = TerminalData.minorUnits(funds)
        }
        return status == .securityMessagingWrong ? .securityStatusNotSatisfied : status
    }
}

extension DiscoverBehaviour {
    /// The tracks of a transaction in an MS mode; nil in EMV mode. If the card supports both, the reader's qualifiers
    /// decide (Book C-6, F3-6.15 to 18).
    func stripe(for reader: TerminalQualifiers) -> DPASMagneticStripe? {
        isLegacy || reader.supportsMagneticStripe ? magneticStripe : nil
    }

    /// The verification method; nil for none.
    func verification(at reader: TerminalQualifiers) -> CardVerification? {
        guard reader.requiresVerification || alwaysVerifies else { return nil }
        return verification.first { reader.offers($0) }
    }
}

/// One transaction in EMV mode, from the terminal's data to the answer and the records.
struct DiscoverTransaction: Sendable {
    let application: CardApplication
    let terminal: TerminalData
    let counter: UInt16
    let type: CryptogramType
    let verification: CardVerification?

    private var behaviour: DiscoverBehaviour { application.discover }

    private var usesDevice: Bool { verification == .consumerDevice || verification == .consumerDeviceClaimed }

    /// Card Processing Requirements.
    private var requirements: [UInt8] {
        var bytes = behaviour.requirements
        switch verification {
        case .onlinePIN: bytes[0] |= 0x80
        case .signature: bytes[0] |= 0x40
        case .consumerDevice, .consumerDeviceClaimed: bytes[0] |= 0x10
        case nil: break
        }
        return bytes
    }

    /// Issuer Application Data: key index, version, the eight bytes of contactless results (Book C-6, D.4).
    private var issuerData: [UInt8] {
        let shown = application.flaws.contains(.contradictingCryptogramType) ? CryptogramType.offline : type
        var results: [UInt8] = [shown.resultBits, 0, 0, 0, 0, 0, 0, 0]
        if usesDevice { results[1] |= behaviour.confirmationCodeFails ? 0x03 : 0x02 }
        return [0x01, behaviour.cryptogram.rawValue] + results
    }

    var cryptogram: [UInt8] {
        ApplicationCryptogram(application).dpasCryptogram(
            behaviour.cryptogram, counter: counter, issuerData: issuerData
        ) { tag, count in
            switch tag {
            case 0x82: application.profileBytes
            case 0x9F36: counter.bigEndianBytes
            default: terminal.bytes(tag, count)
            }
        }
    }

    // MARK: The answer

    /// Returns the data that the card's certificate covers. These records contain the account, so an approval signs it.
    static func certifiedData(_ application: CardApplication) -> [UInt8] {
        application.certifiedData(certifiedRecords(application), file: certifiedFile)
    }

    private static let certifiedFile: UInt8 = 3

    private static func certifiedRecords(_ application: CardApplication) -> [[DataObject]] {
        var objects = application.certifiedObjects
        if !application.flaws.contains(.missingTrack2) { objects.append(application.track2Object) }
        objects.append(DataObject(0x9F08, [0x00, 0x01]))
        return application.records(objects)
    }

    func answer(_ memory: inout CardMemory) -> OptionsAnswer {
        let signs = type == .offline && application.keys != nil
        var file = CardFile(of: application)
        if signs || behaviour.recordsOnline || type == .offline {
            file.append(
                certified: Self.certifiedRecords(application), file: Self.certifiedFile, isSigned: signs,
                of: application)
        }
        var objects = plainObjects
        if file.locator.isEmpty { objects += accountObjects }
        if signs, let chain = memory.chain(of: application) {
            file.append(application.issuerGroups(chain) + application.cardGroups(chain), file: 2)
        }
        file.damage(as: application)
        // The signature covers the changed objects.
        objects = (application.optionHead(file) + objects).changed(application.objects.options)
        if signs, let keys = application.keys {
            let block = application.combinedBlock(
                type, cryptogram, counter: counter, terminalNumber: terminal.bytes(0x9F37, 4),
                over: terminal.raw + objects.flatMap { $0.bytes }, length: keys.card.modulus.count)
            let signature = memory.sign(block, for: application, with: keys.card)
            if !application.flaws.contains(.missingSignature) { objects.append(DataObject(0x9F4B, signature)) }
        } else if !application.flaws.contains(.missingCryptogram) {
            objects.append(DataObject(0x9F26, cryptogram))
        }
        var options = DataObject(0x77, objects.changed(application.objects.options)).bytes
        if application.flaws.contains(.truncatedOptions) { options.removeLast() }
        return OptionsAnswer(options: options, records: file.records)
    }

    private var plainObjects: [DataObject] {
        let flaws = application.flaws
        var objects = [
            DataObject(0x9F27, [flaws.contains(.undefinedCryptogramType) ? 0xC0 : type.rawValue]),
            DataObject(0x9F71, requirements),
        ]
        if !flaws.contains(.missingCounter) { objects.append(DataObject(0x9F36, counter.bigEndianBytes)) }
        if !flaws.contains(.missingIssuerData) { objects.append(DataObject(0x9F10, issuerData)) }
        if let balance = application.offlineBalance { objects.append(DataObject(0xD1, [UInt8](amount: balance))) }
        if flaws.contains(.unknownObjects) { objects.append(DataObject(0xDF7E, [0x01, 0x02, 0x03])) }
        return objects
    }

    /// Objects of an answer without records (Book C-6, Table 4-4).
    private var accountObjects: [DataObject] {
        var objects = application.flaws.contains(.missingTrack2) ? [] : [application.track2Object]
        objects.append(application.sequenceObject ?? DataObject(0x5F34, [0x00]))
        objects.append(DataObject(0x9F07, application.usageControl ?? [0xFF, 0xC0]))
        if let country = application.issuerCountry { objects.append(DataObject(0x5F28, country)) }
        objects.append(DataObject(0x5F25, [UInt8](digits: application.effective ?? "150101", count: 3)))
        objects.append(DataObject(0x9F08, [0x00, 0x01]))
        return objects
    }
}
