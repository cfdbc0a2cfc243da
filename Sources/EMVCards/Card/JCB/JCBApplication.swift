// SPDX-License-Identifier: Apache-2.0
/// A JCB application in operation (Book C-5, as the card sees it). GET PROCESSING OPTIONS begins a transaction,
/// GENERATE AC ends it. A card that requires its issuer's answer accepts scripts and a second GENERATE AC, either while
/// it stays in the field or when it is presented again. If its answer was lost, it repeats it once, in response to ECHO
/// in the next presentment.
struct JCBApplication: RunningApplication {
    private var application: CardApplication
    private var behaviour: JCBBehaviour

    // State that is kept without power.

    /// The answer to the last first GENERATE AC: the card cannot know whether the terminal received it.
    private var unheard: [UInt8]?
    /// The transaction whose online cryptogram the issuer will answer.
    private var asked: JCBTransaction?
    private var balance: UInt64?

    // State that is lost when the field goes off.

    private var stage = Stage.selected
    /// Set from the first command of a script.
    private var scripts: ScriptReceiver?

    private enum Stage: Sendable {
        case selected
        /// ECHO was answered; the next GET PROCESSING OPTIONS belongs to the torn transaction.
        case repeated
        /// GET PROCESSING OPTIONS was answered.
        case open(JCBTransaction)
        /// The first cryptogram was returned or repeated.
        case given
    }

    /// Tags that PUT DATA may write, with their lengths in bytes, as the simulator's issuer uses them: the offline
    /// balance.
    static let writable: [UInt32: Int] = [0x9F5F: 6]

    /// Status word of GET PROCESSING OPTIONS in a recovery (Book C-5, 3.13.4).
    static let recovered = StatusWord(0x6200)

    init(_ application: CardApplication, _ behaviour: JCBBehaviour) {
        self.application = application
        self.behaviour = behaviour
        balance = application.offlineBalance
    }

    mutating func become(_ other: CardApplication) {
        application = other
        behaviour = other.jcb
        guard case .open(var transaction) = stage else { return }
        transaction.become(other)
        stage = .open(transaction)
    }

    mutating func endTransaction() {
        // A card that should have been held but was removed no longer accepts its issuer's answer.
        if behaviour.update != .twoPresentments { asked = nil }
        stage = .selected
        scripts = nil
    }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        do {
            return switch (command.instructionClass, command.instruction) {
            case (0x80, 0xA8): try processOptions(command, &memory)
            case (0x80, 0xAE): try generateCryptogram(command, &memory)
            case (0x80, 0xDF) where behaviour.answersEcho: try echo(command)
            case (0x84, 0x16), (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA), (0x84, 0xDC):
                perform(command, &memory).bytes
            default: nil
            }
        } catch {
            return error.status.bytes
        }
    }

    // MARK: GET PROCESSING OPTIONS and ECHO

    private mutating func processOptions(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        let told = try application.terminalData(of: command, memory).get()
        if let refusal = application.refusal { throw CardRefusal(refusal) }
        let file = JCBData(application).file(chain: memory.chain(of: application))
        if case .repeated = stage {
            stage = .given
            memory.records = file.records
            return JCBData(application).options(file) + Self.recovered.bytes
        }
        // A new transaction: the previous one can no longer be answered.
        unheard = nil
        asked = nil
        scripts = nil
        memory.counter += 1
        memory.records = file.records
        stage = .open(JCBTransaction(application: application, counter: memory.counter, options: told))
        return JCBData(application).options(file) + StatusWord.success.bytes
    }

    /// Answers ECHO, once and only as the first command of a presentment.
    private mutating func echo(_ command: CommandAPDU) throws(CardRefusal) -> [UInt8] {
        guard command.p1 == 0, command.p2 == 0 else { throw CardRefusal(.wrongParameters) }
        guard case .selected = stage, let answer = unheard else { throw CardRefusal(.conditionsNotSatisfied) }
        unheard = nil
        stage = .repeated
        return answer
    }

    // MARK: GENERATE AC

    private mutating func generateCryptogram(
        _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        guard command.p2 == 0, let request = CryptogramRequest(command.p1) else {
            throw CardRefusal(.wrongParameters)
        }
        if case .open(let open) = stage { return try first(open, request, command, &memory) }
        return try second(request, command)
    }

    private mutating func first(
        _ open: JCBTransaction, _ request: CryptogramRequest, _ command: CommandAPDU, _ memory: inout CardMemory
    ) throws(CardRefusal) -> [UInt8] {
        var transaction = open
        guard transaction.told(command.data, list: behaviour.dataList) else { throw CardRefusal(.wrongLength) }
        stage = .given
        if let refusal = behaviour.cryptogramRefusal { throw CardRefusal(refusal) }
        if transaction.wantsHolder {
            guard memory.device == .unlocked else {
                memory.device = .asking
                throw CardRefusal(.seePhone)
            }
            memory.device = .locked
        }
        transaction.decide(request, balance: balance)
        spend(transaction.terminal.amount, transaction.type)
        let answer = transaction.answer(signs: request.wantsSignature, balance: balance, &memory)
        let response = answer + StatusWord.success.bytes
        if behaviour.answersEcho { unheard = response }
        let waits = behaviour.update == .hold || behaviour.update == .twoPresentments
        if transaction.type == .online, waits { asked = transaction }
        return response
    }

    /// Approves if the terminal requests it and the issuer was authenticated. Never signs (Book C-5, 3.10.3).
    private mutating func second(
        _ request: CryptogramRequest, _ command: CommandAPDU
    ) throws(CardRefusal) -> [UInt8] {
        guard var transaction = asked, !transaction.isAnswered, let list = behaviour.secondDataList else {
            throw CardRefusal(.conditionsNotSatisfied)
        }
        guard transaction.told(command.data, list: list) else { throw CardRefusal(.wrongLength) }
        transaction.decideAgain(request)
        spend(transaction.terminal.amount, transaction.type)
        asked = transaction
        return transaction.secondAnswer(balance: balance) + StatusWord.success.bytes
    }

    private mutating func spend(_ amount: UInt64, _ type: CryptogramType) {
        guard type == .offline, let left = balance else { return }
        balance = left - min(left, amount)
    }

    // MARK: Scripts

    /// Performs a command of an issuer's script. It requires a preceding online cryptogram and the issuer's MAC.
    private mutating func perform(_ command: CommandAPDU, _ memory: inout CardMemory) -> StatusWord {
        guard let asked else { return .conditionsNotSatisfied }
        if scripts == nil {
            scripts = ScriptReceiver(
                application, .mastercard, writable: Self.writable, counter: asked.counter,
                cryptogram: asked.firstCryptogram)
        }
        guard let status = scripts?.perform(command, &memory.updates) else { return .conditionsNotSatisfied }
        if status == .success, let funds = memory.updates.data[0x9F5F], balance != nil {
            balance = TerminalData.minorUnits(funds)
        }
        return status
    }
}
