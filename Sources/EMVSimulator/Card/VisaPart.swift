// SPDX-License-Identifier: Apache-2.0
/// A Visa application at work: everything happens in GET PROCESSING OPTIONS.
struct VisaPart: CardPart {
    private var application: CardApplication
    private var lastOnline: OnlineCryptogram?
    /// From the issuer's authentication to the end of the field.
    private var scripts: ScriptReceiver?

    private struct OnlineCryptogram: Sendable, Hashable {
        let counter: UInt16
        let value: [UInt8]
    }

    init(_ application: CardApplication) { self.application = application }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        switch (command.instructionClass, command.instruction) {
        case (0x80, 0xA8): processOptions(command, &memory)
        case (0x00, 0x82): authenticateIssuer(command, memory)
        case (0x84, 0x16), (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA): perform(command, &memory).bytes
        default: nil
        }
    }

    mutating func endTransaction() { scripts = nil }

    private mutating func processOptions(_ command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8] {
        let terminal: TerminalData
        switch application.terminalData(of: command, memory) {
        case .failure(let refusal): return refusal.status.bytes
        case .success(let told): terminal = told
        }
        switch application.decide(terminal, verified: memory.device == .unlocked) {
        case .refuse(let status):
            return status.bytes
        case .askCardholder:
            memory.device = .asking
            return StatusWord.seePhone.bytes
        case .answer(let type, let qualifiers, let usesDevice):
            memory.counter += 1
            if usesDevice { memory.device = .locked }
            let transaction = VisaTransaction(
                application: application, terminal: terminal, counter: memory.counter, type: type,
                qualifiers: qualifiers)
            return perform(transaction, &memory)
        }
    }

    private mutating func perform(_ transaction: VisaTransaction, _ memory: inout CardMemory) -> [UInt8] {
        var chain: CardChain?
        var signature: [UInt8]?
        if transaction.signs, let keys = application.keys {
            chain = memory.chain(of: application)
            let block = transaction.signatureBlock(length: keys.card.modulus.count)
            signature = memory.sign(block, for: application, with: keys.card)
        }
        lastOnline =
            transaction.type == .online
            ? OnlineCryptogram(counter: memory.counter, value: transaction.cryptogram) : nil
        let answer = transaction.answer(chain: chain, signature: signature)
        memory.records = answer.records
        return answer.options + StatusWord.success.bytes
    }

    /// EXTERNAL AUTHENTICATE: one try for the card's last cryptogram, whether or not the field was off meanwhile.
    private mutating func authenticateIssuer(_ command: CommandAPDU, _ memory: CardMemory) -> [UInt8] {
        guard let last = lastOnline, last.counter == memory.counter else {
            return StatusWord.conditionsNotSatisfied.bytes
        }
        guard (8...16).contains(command.data.count) else { return StatusWord.wrongLength.bytes }
        lastOnline = nil
        let isOwn = SimulatedIssuer(application).isOwn(command.data, cryptogram: last.value, counter: last.counter)
        guard isOwn else { return StatusWord.authenticationFailed.bytes }
        let messaging: SecureMessaging = application.visa.cryptogram == .cvn22 ? .visaCommon : .visa
        scripts = ScriptReceiver(application, messaging, counter: last.counter, cryptogram: last.value)
        return StatusWord.success.bytes
    }

    /// A command of an issuer's script: only after the issuer was authenticated, and only with its MAC.
    private mutating func perform(_ command: CommandAPDU, _ memory: inout CardMemory) -> StatusWord {
        guard let status = scripts?.perform(command, &memory.updates) else { return .conditionsNotSatisfied }
        if let funds = memory.updates.data[0x9F79], application.offlineBalance != nil {
            application.offlineBalance = TerminalData.minorUnits(funds)
        }
        return status
    }
}
