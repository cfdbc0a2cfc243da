// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// A Kernel 8 application in operation (Book C-8, as the card sees it). GET PROCESSING OPTIONS opens the channel, which
/// protects records and envelopes. GENERATE AC ends the transaction, except that envelopes may be written after it.
struct Kernel8Application: RunningApplication {
    private var application: CardApplication
    private var behaviour: Kernel8Behaviour
    /// Issued in the first transaction.
    private var chain: Kernel8Chain?
    /// Number of transactions that ended with a Restart Indicator.
    private var restarts = 0
    private var envelopes: [UInt8: [UInt8]]

    private var stage = Stage.selected
    private var relayAttempts = 0

    private enum Stage: Sendable {
        case selected
        /// GET PROCESSING OPTIONS was answered.
        case open(Kernel8Transaction)
        /// The cryptogram was returned, and the terminal may write envelopes.
        case writing(Kernel8Transaction)
        case over
    }

    init(_ application: CardApplication) {
        self.application = application
        behaviour = application.kernel8
        envelopes = behaviour.envelopes
    }

    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.kernel8
        chain = nil
        guard case .open(var transaction) = stage else { return }
        transaction.application = other
        stage = .open(transaction)
    }

    mutating func endTransaction() {
        stage = .selected
        relayAttempts = 0
    }

    func responseTime(of command: CommandAPDU) -> Double {
        guard (command.instructionClass, command.instruction) == (0x80, 0xEA), let relay = behaviour.relay else {
            return 0
        }
        return relay.responseTime(afterAttempts: relayAttempts)
    }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        do {
            return switch (command.instructionClass, command.instruction) {
            case (0x80, 0xA8): try processOptions(command, &memory)
            case (0x80, 0xEA) where behaviour.relay != nil: try exchangeRelayData(command)
            case (0x84, 0x32): try readData(command)
            case (0x80, 0xAE): try generateCryptogram(command, &memory)
            case (0x84, 0x34): try writeData(command)
            default: nil
            }
        } catch {
            return error.status.bytes
        }
    }

    /// Returns the record enciphered in template DA. Each one increments the channel's counter.
    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8] {
        guard case .open(var transaction) = stage, hides(file) else { return record }
        defer { stage = .open(transaction) }
        guard let template = DataObject.parse(record)?.first, template.tag == 0x70 else { return record }
        var hidden = DataObject(0xDA, transaction.encrypt(template.value)).bytes
        if behaviour.defects.contains(.damagedRecord) { hidden.removeLast() }
        return hidden
    }

    private func hides(_ file: UInt8) -> Bool {
        switch behaviour.encryption {
        case .records: true
        case .identifying: file != Kernel8Data.issuerFile
        case .nothing: false
        }
    }

    // MARK: GET PROCESSING OPTIONS

    private mutating func processOptions(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        let told = try application.terminalData(of: command, memory).get()
        if let refusal = application.refusal { throw CardRefusal(refusal) }
        guard let kernel = P256.Point(told.raw(0x9E)) else { throw CardRefusal(.wrongData) }
        let chain = chain ?? Kernel8Chain(application, &memory)
        self.chain = chain
        memory.counter += 1
        let opened = Kernel8Transaction(
            application: application, options: told, counter: memory.counter, card: chain.card, kernel: kernel)
        guard let transaction = opened else { throw CardRefusal(.wrongData) }
        let file = Kernel8Data(application).file(chain)
        memory.records = file.records
        stage = .open(transaction)
        relayAttempts = 0
        let objects = application.optionHead(file) + transaction.optionObjects
        var options = DataObject(0x77, objects.changed(application.objects.options)).bytes
        if application.flaws.contains(.truncatedOptions) { options.removeLast() }
        return options + StatusWord.success.bytes
    }

    // MARK: EXCHANGE RELAY RESISTANCE DATA

    private mutating func exchangeRelayData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        guard command.p1 == 0, command.p2 == 0 else { throw CardRefusal(.wrongParameters) }
        guard case .open(var transaction) = stage, let relay = behaviour.relay else {
            throw CardRefusal(.conditionsNotSatisfied)
        }
        guard command.data.count == 4 else { throw CardRefusal(.wrongLength) }
        relayAttempts += 1
        let exchange = RelayExchange(
            relay, terminalEntropy: command.data, attempt: relayAttempts, seed: transaction.seed)
        transaction.relay = exchange.terminalEntropy + exchange.cardData
        stage = .open(transaction)
        return DataObject(0x80, exchange.cardData).bytes + StatusWord.success.bytes
    }

    // MARK: READ DATA and WRITE DATA

    private mutating func readData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        guard command.p1 == 0, command.p2 == 0 else { throw CardRefusal(.wrongParameters) }
        guard case .open(var transaction) = stage else { throw CardRefusal(.conditionsNotSatisfied) }
        guard let name = Self.envelopeName(command.data), let content = envelopes[name] else {
            throw CardRefusal(.referencedDataNotFound)
        }
        var answer = transaction.channel.envelope(Self.envelope(name, content).bytes)
        stage = .open(transaction)
        if behaviour.defects.contains(.wrongEnvelopeMAC) { answer[answer.count - 1] ^= 0x01 }
        return answer + StatusWord.success.bytes
    }

    private mutating func writeData(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        guard command.p1 == 0, command.p2 & 0x7F == 0 else { throw CardRefusal(.wrongParameters) }
        guard case .writing(var transaction) = stage else { throw CardRefusal(.conditionsNotSatisfied) }
        let opened = transaction.channel.open(command.data)
        guard let parsed = DataObject.parse(opened.object), parsed.count == 1,
            let name = Self.envelopeName(DataObject.tagBytes(parsed[0].tag)), envelopes[name] != nil
        else {
            stage = .over
            throw CardRefusal(.referencedDataNotFound)
        }
        envelopes[name] = parsed[0].value
        stage = command.p2 & 0x80 == 0 ? .over : .writing(transaction)
        var mac = opened.mac
        if behaviour.defects.contains(.wrongWriteMAC) { mac[0] ^= 0x80 }
        return mac + StatusWord.success.bytes
    }

    /// Returns the last byte of a tag 9F8111 to 9F811A.
    private static func envelopeName(_ tag: [UInt8]) -> UInt8? {
        guard tag.count == 3, tag.prefix(2) == [0x9F, 0x81], (0x11...0x1A).contains(tag[2]) else { return nil }
        return tag[2]
    }

    private static func envelope(_ name: UInt8, _ content: [UInt8]) -> DataObject {
        DataObject(0x9F8100 | UInt32(name), content)
    }

    // MARK: GENERATE AC

    private mutating func generateCryptogram(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        guard command.p2 & 0x7F == 0, let request = CryptogramRequest(command.p1), !request.wantsSignature else {
            throw CardRefusal(.wrongParameters)
        }
        guard case .open(var transaction) = stage else { throw CardRefusal(.conditionsNotSatisfied) }
        guard let told = TerminalData(.kernel8Cryptogram, command.data) else { throw CardRefusal(.wrongLength) }
        stage = .over
        if let refusal = behaviour.cryptogramRefusal { throw CardRefusal(refusal) }
        let asksAgain = restarts < behaviour.restarts
        transaction.decide(
            request.type, told, isUnlocked: memory.device == .unlocked, restart: asksAgain ? behaviour.restart : nil)
        if transaction.restart != nil {
            restarts += 1
            if transaction.asksHolder { memory.device = .asking }
        } else if transaction.usesDevice {
            memory.device = .locked
        }
        let answer = transaction.answer()
        if command.p2 & 0x80 != 0 { stage = .writing(transaction) }
        return answer + StatusWord.success.bytes
    }
}
