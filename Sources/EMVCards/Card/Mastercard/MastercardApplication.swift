// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// A Mastercard application in operation. GET PROCESSING OPTIONS begins a transaction; GENERATE AC, RECOVER AC or
/// COMPUTE CRYPTOGRAPHIC CHECKSUM ends it.
struct MastercardApplication: RunningApplication {
    private var application: CardApplication
    private var behaviour: MastercardBehaviour

    // State that is kept without power.
    private var torn: TornTransaction?
    private var balance: UInt64?
    private var spent: UInt64 = 0
    private var slot: StorageSlot
    private var envelopes: [UInt32: [UInt8]] = [:]

    // State that is lost when the field goes off.
    private var transaction: MastercardTransaction?

    /// The last cryptogram, kept until the next one: the card cannot know whether the terminal received it.
    private struct TornTransaction: Sendable, Hashable {
        /// The data that the terminal must send to recover it.
        let recoveryData: [UInt8]
        let response: [UInt8]
    }

    /// Maximum number of relay resistance attempts in a transaction.
    private static let relayAttempts = 3

    init(_ application: CardApplication, _ behaviour: MastercardBehaviour) {
        self.application = application
        self.behaviour = behaviour
        balance = application.offlineBalance
        slot = StorageSlot(behaviour.storage, of: application)
    }

    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.mastercard
        transaction?.become(other)
    }

    mutating func endTransaction() { transaction = nil }

    func responseTime(of command: CommandAPDU) -> Double {
        guard command.instructionClass == 0x80, command.instruction == 0xEA, let transaction,
            let own = behaviour.relayResistance
        else { return 0 }
        return own.responseTime(afterAttempts: transaction.relay?.attempt ?? 0)
    }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        do {
            return switch (command.instructionClass, command.instruction) {
            case (0x80, 0xA8): try processOptions(command, &memory)
            case (0x80, 0xEA) where behaviour.relayResistance != nil: try exchangeRelayResistanceData(command)
            case (0x80, 0xAE) where behaviour.supportsEMV: try generateCryptogram(command, &memory)
            case (0x80, 0xD0) where behaviour.recoveryList != nil: try recoverCryptogram(command)
            case (0x80, 0x2A) where behaviour.magneticStripe != nil: try computeChecksum(command, &memory)
            case (0x80, 0xCA): try getData(command)
            case (0x80, 0xDA) where behaviour.capabilities.envelopes != 0: try putData(command)
            default: nil
            }
        } catch {
            return error.status.bytes
        }
    }

    /// Returns the transaction in progress if it has no cryptogram yet.
    private func openTransaction(
        _ command: CommandAPDU, parameters: (UInt8, UInt8)? = (0, 0)
    ) throws(CardRefusal) -> MastercardTransaction {
        if let parameters, (command.p1, command.p2) != parameters { throw CardRefusal(.wrongParameters) }
        guard let transaction, !transaction.isComplete else { throw CardRefusal(.conditionsNotSatisfied) }
        return transaction
    }

    // MARK: GET PROCESSING OPTIONS

    private mutating func processOptions(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        let told = try application.terminalData(of: command, memory).get()
        if let refusal = application.refusal { throw CardRefusal(refusal) }
        memory.counter += 1
        let started = MastercardTransaction(
            application: application, counter: memory.counter, options: told, slot: slot)
        transaction = started
        let file = MastercardData(application).file(chain: memory.chain(of: application))
        memory.records = file.records
        return started.answer(file) + StatusWord.success.bytes
    }

    // MARK: EXCHANGE RELAY RESISTANCE DATA

    private mutating func exchangeRelayResistanceData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        var open = try openTransaction(command)
        guard command.data.count == 4 else { throw CardRefusal(.wrongLength) }
        let attempt = open.relay?.attempt ?? 0
        guard let own = behaviour.relayResistance, attempt < Self.relayAttempts else {
            throw CardRefusal(.conditionsNotSatisfied)
        }
        let exchange = RelayExchange(own, terminalEntropy: command.data, attempt: attempt + 1, seed: open.seed)
        open.relay = exchange
        transaction = open
        return DataObject(0x80, exchange.cardData).bytes + StatusWord.success.bytes
    }

    // MARK: GENERATE AC and RECOVER AC

    private mutating func generateCryptogram(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        var open = try openTransaction(command, parameters: nil)
        guard command.p2 == 0, let request = CryptogramRequest(command.p1) else {
            throw CardRefusal(.wrongParameters)
        }
        guard let data = open.split(command.data) else { throw CardRefusal(.wrongLength) }
        open.told(data.cryptogram, list: behaviour.dataList)

        let written = write(data.storage, of: open)
        var type = open.type(for: request, balance: balance)
        if written == .failedAndDecline { type = .decline }
        let interaction = interact(
            &memory, wantsHolder: type != .decline && open.asksDevice, isPaying: type != .decline)
        if interaction?.refuses == true { type = .decline }
        spend(open.terminal.amount, type)

        let answer = open.cryptogramAnswer(
            type, signs: request.wantsSignature, interaction: interaction?.bytes, spent: spent,
            summaries: open.storageSummary.map { ($0, slot.summary(of: application)) })
        let response = sign(answer, &memory) + StatusWord.success.bytes
        if let list = behaviour.recoveryList {
            torn = TornTransaction(
                recoveryData: list.flatMap { open.terminal.bytes($0.tag, Int($0.length)) }, response: response)
        }
        open.isComplete = true
        transaction = open
        return response
    }

    private func sign(_ answer: MastercardTransaction.CryptogramAnswer, _ memory: inout CardMemory) -> [UInt8] {
        guard let keys = application.keys, answer.isSigned else { return answer.plain }
        let block = answer.signatureBlock(length: keys.card.modulus.count)
        return answer.signed(memory.sign(block, for: application, with: keys.card))
    }

    private mutating func spend(_ amount: UInt64, _ type: CryptogramType) {
        guard type == .offline else { return }
        spent &+= amount
        if let left = balance { balance = left - min(left, amount) }
    }

    private mutating func recoverCryptogram(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        var open = try openTransaction(command)
        guard command.data.count == behaviour.recoveryList?.dataLength else { throw CardRefusal(.wrongLength) }
        guard let torn, torn.recoveryData == command.data else { throw CardRefusal(.referencedDataNotFound) }
        open.isComplete = true
        transaction = open
        return torn.response
    }

    // MARK: COMPUTE CRYPTOGRAPHIC CHECKSUM

    private mutating func computeChecksum(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        var open = try openTransaction(command, parameters: (0x8E, 0x80))
        guard let stripe = behaviour.magneticStripe,
            let told = TerminalData(stripe.dataList ?? [DataRequest(0x9F6A, 4)], command.data)
        else { throw CardRefusal(.wrongLength) }
        open.isComplete = true
        transaction = open

        let pays = application.disposition != .decline
        let asked = told.bytes(0x9F7E, 1)[0] & 0x02 != 0
        let interaction = interact(&memory, wantsHolder: asked && pays, isPaying: pays)
        var objects: [DataObject] = []
        if pays, interaction?.refuses != true, !application.flaws.contains(.missingCryptogram) {
            let codes = stripe.codes(of: application, number: told.bytes(0x9F6A, 4), counter: open.counter)
            objects.append(DataObject(0x9F61, codes.track2.bigEndianBytes))
            if let first = codes.track1 { objects.append(DataObject(0x9F60, first.bigEndianBytes)) }
        }
        if !application.flaws.contains(.missingCounter) {
            objects.append(DataObject(0x9F36, open.counter.bigEndianBytes))
        }
        if let bytes = interaction?.bytes ?? (pays ? nil : [0, 0, 0]) { objects.append(DataObject(0xDF4B, bytes)) }
        return DataObject(0x77, objects).bytes + StatusWord.success.bytes
    }

    // MARK: The device's holder

    /// Returns the POS Cardholder Interaction Information; nil if the card is not a device.
    private func interact(
        _ memory: inout CardMemory, wantsHolder: Bool, isPaying: Bool
    ) -> CardholderInteraction? {
        guard let device = behaviour.device else { return nil }
        if let bytes = device.interaction { return CardholderInteraction(bytes: bytes, refuses: true) }
        switch device.verification {
        case .claimed: return .verified
        case .whenAsked where !wantsHolder: return .nothing
        case .always where !isPaying: return .nothing
        case .whenAsked, .always: break
        }
        guard memory.device == .unlocked else {
            memory.device = .asking
            return .holderWanted
        }
        memory.device = .locked
        return .verified
    }

    // MARK: Data

    private func getData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        let tag = UInt32(command.p1) << 8 | UInt32(command.p2)
        var value: [UInt8]?
        switch tag {
        case 0x9F50: value = balance.map { [UInt8](amount: $0) }
        case 0x9F70...0x9F79: value = envelopes[tag]
        default: break
        }
        guard let value else { throw CardRefusal(.referencedDataNotFound) }
        return DataObject(tag, value).bytes + StatusWord.success.bytes
    }

    private mutating func putData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        guard transaction != nil else { throw CardRefusal(.conditionsNotSatisfied) }
        let tag = UInt32(command.p1) << 8 | UInt32(command.p2)
        switch tag {
        case 0x9F70...0x9F74: throw CardRefusal(.securityStatusNotSatisfied)
        case 0x9F75...0x9F79: break
        default: throw CardRefusal(.referencedDataNotFound)
        }
        guard command.data.count <= behaviour.capabilities.envelopeLength(tag) else { throw CardRefusal(.wrongLength) }
        envelopes[tag] = command.data
        return StatusWord.success.bytes
    }

    private enum StorageWriting { case none, done, failed, failedAndDecline }

    private mutating func write(_ data: TerminalData?, of open: MastercardTransaction) -> StorageWriting {
        guard let data, let storage = behaviour.storage else { return .none }
        if slot.write(data, for: open.storageOperator, storage, of: application) { return .done }
        return data.bytes(0xDF62, 1)[0] & 0x08 != 0 ? .failedAndDecline : .failed
    }
}

/// The holder's interaction with the device, as coded in DF4B.
struct CardholderInteraction: Sendable, Hashable {
    let bytes: [UInt8]
    /// Whether the device refuses to pay this time.
    let refuses: Bool

    static let nothing = CardholderInteraction(bytes: [0x00, 0x00, 0x00], refuses: false)
    static let verified = CardholderInteraction(bytes: [0x00, 0x10, 0x00], refuses: false)
    static let holderWanted = CardholderInteraction(bytes: [0x00, 0x01, 0x00], refuses: true)
}

extension MastercardBehaviour.Capabilities {
    /// Maximum length of an envelope in bytes.
    func envelopeLength(_ tag: UInt32) -> Int {
        switch envelopes {
        case 1...4: [32, 48, 64, 96][Int(envelopes) - 1]
        case 5...7: [128, 160, 192][Int(envelopes) - 5]
        case 8: tag == 0x9F78 ? 64 : 32
        default: 0
        }
    }
}
