/// A card in memory: it answers every command, signs with its own keys and counts its transactions.
///
/// Deterministic: the same profile, counter and commands give the same bytes. A value: copy it to try something.
public struct VirtualCard: SimulatedCard {
    public let profile: CardProfile
    /// Application Transaction Counter of the last transaction, shared by all applications of the card.
    public var transactionCounter: UInt16

    // What outlives the field.
    private var device = Device.locked
    private var lastOnline: OnlineCryptogram?
    private var chains: [Int: CardChain] = [:]
    private var signatures: [[UInt8]: [UInt8]] = [:]

    // What the field keeps alive.
    private var selected: Int?
    private var records: [CardFile.RecordNumber: [UInt8]]?
    private var isAuthenticated = false

    private enum Device: Sendable, Hashable {
        case locked
        /// Asked its cardholder, who unlocks it once the card has left the field.
        case asking
        case unlocked
    }

    private struct OnlineCryptogram: Sendable, Hashable {
        let application: Int
        let counter: UInt16
        let value: [UInt8]
    }

    /// Signatures that are remembered; then all are forgotten.
    private static let signatureLimit = 4096

    public init(_ profile: CardProfile, transactionCounter: UInt16 = 0x0014) {
        self.profile = profile
        self.transactionCounter = transactionCounter
    }

    /// The field goes off. A cardholder who was asked looks at the device now, and unlocks it.
    public mutating func reset() {
        selected = nil
        records = nil
        isAuthenticated = false
        if device == .asking { device = .unlocked }
    }

    /// The cardholder unlocks the device for the next payment.
    public mutating func verifyCardholder() { device = .unlocked }

    public mutating func respond(to command: [UInt8]) -> [UInt8] {
        guard let command = CommandAPDU(command) else { return StatusWord.wrongLength.bytes }
        switch (command.instructionClass, command.instruction) {
        case (0x00, 0xA4): return select(command)
        case (0x80, 0xA8): return processOptions(command)
        case (0x00, 0xB2): return readRecord(command)
        case (0x80, 0xCA): return getData(command)
        case (0x00, 0x82): return authenticateIssuer(command)
        case (0x84, 0x16), (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA):
            return (isAuthenticated ? StatusWord.success : .conditionsNotSatisfied).bytes
        case (0x00, _), (0x80, _), (0x84, _): return StatusWord.instructionNotSupported.bytes
        default: return StatusWord.classNotSupported.bytes
        }
    }

    // MARK: SELECT

    /// "2PAY.SYS.DDF01"
    static let directoryName = Array("2PAY.SYS.DDF01".utf8)

    private mutating func select(_ command: CommandAPDU) -> [UInt8] {
        guard command.p1 == 0x04, command.p2 == 0x00 || command.p2 == 0x02 else {
            return StatusWord.wrongParameters.bytes
        }
        if profile.directory == .cardBlocked { return StatusWord.functionNotSupported.bytes }
        if command.data == Self.directoryName {
            selected = nil
            records = nil
            return directory()
        }
        guard let found = find(command.data, next: command.p2 == 0x02) else { return StatusWord.fileNotFound.bytes }

        let application = profile.applications[found]
        guard application.selection != .blocked else { return StatusWord.functionNotSupported.bytes }
        selected = found
        records = nil
        isAuthenticated = false
        let status: StatusWord = application.selection == .invalidated ? .selectedFileInvalidated : .success
        return application.controlInformation.bytes + status.bytes
    }

    /// The application of this very name, else the first whose name begins with it.
    private func find(_ name: [UInt8], next: Bool) -> Int? {
        let there = profile.applications.indices.filter { profile.applications[$0].selection != .notFound }
        let named = there.filter { profile.applications[$0].selectionName == name }
        if !next, let exact = named.first { return exact }
        guard !name.isEmpty else { return nil }
        let start = next ? (selected ?? -1) + 1 : 0
        return there.first { $0 >= start && profile.applications[$0].selectionName.starts(with: name) }
    }

    private func directory() -> [UInt8] {
        let entries = profile.directory == .empty ? [] : profile.applications.map(\.directoryEntry)
        let control = DataObject(
            0x6F,
            [DataObject(0x84, Self.directoryName), DataObject(0xA5, [DataObject(0xBF0C, entries)])])
        switch profile.directory {
        case .absent: return StatusWord.fileNotFound.bytes
        case .cardBlocked: return StatusWord.functionNotSupported.bytes
        case .present, .empty: return control.bytes + StatusWord.success.bytes
        case .invalidated: return control.bytes + StatusWord.selectedFileInvalidated.bytes
        case .malformed: return control.bytes.dropLast() + StatusWord.success.bytes
        }
    }

    // MARK: GET PROCESSING OPTIONS

    private mutating func processOptions(_ command: CommandAPDU) -> [UInt8] {
        guard command.p1 == 0, command.p2 == 0 else { return StatusWord.wrongParameters.bytes }
        guard let selected, records == nil, transactionCounter < .max else {
            return StatusWord.conditionsNotSatisfied.bytes
        }
        let application = profile.applications[selected]
        guard let template = DataObject.parse(command.data), template.count == 1, template[0].tag == 0x83,
            let terminal = TerminalData(application.pdol ?? [], template[0].value)
        else { return StatusWord.wrongData.bytes }

        switch application.decide(terminal, verified: device == .unlocked) {
        case .refuse(let status):
            return status.bytes
        case .askCardholder:
            device = .asking
            return StatusWord.seePhone.bytes
        case .answer(let type, let qualifiers, let usesDevice):
            transactionCounter += 1
            if usesDevice { device = .locked }
            let transaction = CardTransaction(
                application: application, terminal: terminal, counter: transactionCounter, type: type,
                qualifiers: qualifiers)
            return perform(transaction, selected)
        }
    }

    private mutating func perform(_ transaction: CardTransaction, _ index: Int) -> [UInt8] {
        var chain: CardChain?
        var signature: [UInt8]?
        if transaction.signs, let keys = transaction.application.keys {
            chain = chains[index] ?? CardChain.issue(transaction.application, keys: keys)
            chains[index] = chain
            signature = sign(transaction, with: keys.card)
        }
        if transaction.type == .online {
            lastOnline = OnlineCryptogram(
                application: index, counter: transactionCounter, value: transaction.cryptogram)
        } else {
            lastOnline = nil
        }
        let answer = transaction.answer(chain: chain, signature: signature)
        records = answer.records
        return answer.options + StatusWord.success.bytes
    }

    private mutating func sign(_ transaction: CardTransaction, with key: RSAPrivateKey) -> [UInt8] {
        let block = transaction.signatureBlock(length: key.modulus.count)
        var signature: [UInt8]
        if let known = signatures[block] {
            signature = known
        } else {
            if signatures.count >= Self.signatureLimit { signatures.removeAll() }
            signature = key.sign(block)
            signatures[block] = signature
        }
        if transaction.application.flaws.contains(.corruptSignature) { signature[signature.count / 2] ^= 0x10 }
        return signature
    }

    // MARK: Records and data

    private func readRecord(_ command: CommandAPDU) -> [UInt8] {
        guard let records else { return StatusWord.conditionsNotSatisfied.bytes }
        guard command.p2 & 0x07 == 0x04 else { return StatusWord.wrongParameters.bytes }
        let number = CardFile.RecordNumber(file: command.p2 >> 3, record: command.p1)
        guard let record = records[number] else {
            let hasFile = records.keys.contains { $0.file == number.file }
            return (hasFile ? StatusWord.recordNotFound : .fileNotFound).bytes
        }
        return record + StatusWord.success.bytes
    }

    private func getData(_ command: CommandAPDU) -> [UInt8] {
        guard selected != nil else { return StatusWord.conditionsNotSatisfied.bytes }
        guard (command.p1, command.p2) == (0x9F, 0x36) else { return StatusWord.referencedDataNotFound.bytes }
        let counter = [UInt8(transactionCounter >> 8), UInt8(truncatingIfNeeded: transactionCounter)]
        return DataObject(0x9F36, counter).bytes + StatusWord.success.bytes
    }

    // MARK: The issuer's answer

    /// EXTERNAL AUTHENTICATE: one try for the last online cryptogram, whether or not the field was off meanwhile.
    private mutating func authenticateIssuer(_ command: CommandAPDU) -> [UInt8] {
        guard let selected, let last = lastOnline, last.application == selected else {
            return StatusWord.conditionsNotSatisfied.bytes
        }
        guard command.data.count == 8 || command.data.count == 10 else { return StatusWord.wrongLength.bytes }
        lastOnline = nil
        let issuer = SimulatedIssuer(profile.applications[selected])
        isAuthenticated = issuer.isOwn(command.data, cryptogram: last.value, counter: last.counter)
        return (isAuthenticated ? StatusWord.success : .authenticationFailed).bytes
    }
}
