// SPDX-License-Identifier: Apache-2.0
/// A Visa application in operation: GET PROCESSING OPTIONS as in all schemes with qualifiers, and the issuer's answer.
struct VisaApplication: RunningApplication {
    private var application: CardApplication
    private var lastOnline: OnlineCryptogram?
    /// Set from the issuer's authentication until the field goes off.
    private var scripts: ScriptReceiver?

    /// Tags that PUT DATA may write, with their lengths in bytes: lower and upper consecutive offline limit, available
    /// funds.
    static let writable: [UInt32: Int] = [0x9F58: 1, 0x9F59: 1, 0x9F79: 6]

    init(_ application: CardApplication) { self.application = application }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        switch (command.instructionClass, command.instruction) {
        case (0x80, 0xA8): processOptions(command, &memory)
        case (0x00, 0x82): authenticateIssuer(command, memory)
        case (0x84, 0x16), (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA): perform(command, &memory).bytes
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
        let (answer, transaction) = application.visa.processOptions(command, for: application, &memory)
        guard let transaction else { return answer }
        lastOnline =
            transaction.type == .online
            ? OnlineCryptogram(counter: memory.counter, value: transaction.cryptogram) : nil
        return answer
    }

    /// EXTERNAL AUTHENTICATE: one attempt for the card's last cryptogram, even if the field was off in between.
    private mutating func authenticateIssuer(_ command: CommandAPDU, _ memory: CardMemory) -> [UInt8] {
        guard let last = lastOnline, last.counter == memory.counter else {
            return StatusWord.conditionsNotSatisfied.bytes
        }
        guard (8...16).contains(command.data.count) else { return StatusWord.wrongLength.bytes }
        lastOnline = nil
        let isOwn = application.visa.isIssuers(
            command.data, for: application, cryptogram: last.value, counter: last.counter)
        guard isOwn else { return StatusWord.authenticationFailed.bytes }
        let messaging: SecureMessaging = application.visa.cryptogram == .cvn22 ? .visaCommon : .visa
        scripts = ScriptReceiver(
            application, messaging, writable: Self.writable, counter: last.counter, cryptogram: last.value)
        return StatusWord.success.bytes
    }

    /// Performs a command of an issuer's script. It requires a preceding issuer authentication and the issuer's MAC.
    private mutating func perform(_ command: CommandAPDU, _ memory: inout CardMemory) -> StatusWord {
        guard let status = scripts?.perform(command, &memory.updates) else { return .conditionsNotSatisfied }
        if let funds = memory.updates.data[0x9F79], application.offlineBalance != nil {
            application.offlineBalance = TerminalData.minorUnits(funds)
        }
        return status
    }
}
