// SPDX-License-Identifier: Apache-2.0
/// An American Express application in operation. GET PROCESSING OPTIONS begins a transaction, GENERATE AC ends it.
/// After an online cryptogram the card accepts the issuer's scripts and a second GENERATE AC while it stays in the
/// field. Readers of Book C-4 send neither (2.1).
struct AmericanExpressApplication: RunningApplication {
    private var application: CardApplication
    private var behaviour: AmericanExpressBehaviour
    private var transaction: AmericanExpressTransaction?
    /// Set from the first command of a script until the field goes off.
    private var scripts: ScriptReceiver?

    /// Tags that PUT DATA may write, with their lengths in bytes: the limits of consecutive offline transactions, as
    /// the simulator's issuer uses them.
    static let writable: [UInt32: Int] = [0x9F58: 1, 0x9F59: 1]

    init(_ application: CardApplication) {
        self.application = application
        behaviour = application.americanExpress
    }

    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.americanExpress
        transaction?.become(other)
    }

    mutating func endTransaction() {
        transaction = nil
        scripts = nil
    }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        do {
            return switch (command.instructionClass, command.instruction) {
            case (0x80, 0xA8): try processOptions(command, &memory)
            case (0x80, 0xAE): try generateCryptogram(command, &memory)
            case (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA), (0x84, 0xDC):
                try perform(command, &memory).bytes
            default: nil
            }
        } catch {
            return error.status.bytes
        }
    }

    private mutating func processOptions(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        let told = try application.terminalData(of: command, memory).get()
        if let refusal = application.refusal { throw CardRefusal(refusal) }
        let reader = AmericanExpressReader(told)
        guard let usesEMV = behaviour.usesEMV(at: reader) else { throw CardRefusal(.conditionsNotSatisfied) }
        let isVerified = asksHolder(&memory, where: reader.requiresVerification)
        memory.counter += 1
        let started = AmericanExpressTransaction(
            application: application, counter: memory.counter, options: told, usesEMV: usesEMV, isVerified: isVerified)
        transaction = started
        let file = AmericanExpressData(application, usesEMV: usesEMV).file(&memory)
        memory.records = file.records
        return started.options(file) + StatusWord.success.bytes
    }

    /// Returns whether the device confirms its holder's verification. A locked device that is asked waits for its
    /// holder to unlock it.
    private func asksHolder(_ memory: inout CardMemory, where wanted: Bool) -> Bool {
        guard let mobile = behaviour.mobile, mobile.verification == .whenAsked else {
            return behaviour.mobile?.verification == .claimed
        }
        if memory.device != .unlocked, wanted { memory.device = .asking }
        return memory.device == .unlocked
    }

    private mutating func generateCryptogram(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        guard var open = transaction, open.given == nil || open.given == .online else {
            throw CardRefusal(.conditionsNotSatisfied)
        }
        guard command.p2 == 0, let request = CryptogramRequest(command.p1) else { throw CardRefusal(.wrongParameters) }
        let isFirst = open.given == nil
        if isFirst, behaviour.mobile?.refusesLocked == true, memory.device != .unlocked {
            memory.device = .asking
            throw CardRefusal(.useAnotherInterface)
        }
        let bytes =
            isFirst
            ? open.generate(request, command.data, &memory) : open.generateSecond(request, command.data, &memory)
        guard let bytes else { throw CardRefusal(.wrongLength) }
        if open.isVerified { memory.device = .locked }
        transaction = open
        return bytes + StatusWord.success.bytes
    }

    /// Performs a command of an issuer's script. It requires a preceding online cryptogram and the issuer's MAC.
    private mutating func perform(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> StatusWord {
        guard let online = transaction?.online else { throw CardRefusal(.conditionsNotSatisfied) }
        if scripts == nil {
            scripts = ScriptReceiver(
                application, .mastercard, writable: Self.writable, counter: online.counter, cryptogram: online.value)
        }
        guard let status = scripts?.perform(command, &memory.updates) else {
            throw CardRefusal(.conditionsNotSatisfied)
        }
        return status
    }
}
