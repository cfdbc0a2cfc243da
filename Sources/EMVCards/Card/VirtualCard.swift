// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// A card in memory: it answers every command, signs with its own keys and counts its transactions.
///
/// Deterministic: equal profiles, counters and commands give equal bytes. A value: copy it to try something.
public struct VirtualCard: SimulatedCard {
    public let profile: CardProfile
    private var memory: CardMemory
    /// One entry for each application of the profile.
    private var running: [ApplicationInField]
    /// Index of the selected application, until the field goes off.
    private var selected: Int?
    /// For each application the index of the case that applies.
    private var applying: [Int?]
    /// Number of presentments in which the card was addressed.
    private var presentments = 0
    private var isAddressed = false

    /// Application Transaction Counter of the last transaction, shared by all applications of the card.
    public var transactionCounter: UInt16 {
        get { memory.counter }
        set { memory.counter = newValue }
    }

    /// The changes that issuer scripts made to the card.
    public var updates: CardUpdates { memory.updates }

    public init(_ profile: CardProfile, transactionCounter: UInt16 = 0x0014) {
        self.profile = profile
        memory = CardMemory(counter: transactionCounter)
        running = profile.applications.map { $0.scheme.behaviour.run($0) }
        applying = profile.applications.map { _ in nil }
    }

    /// The field goes off. If the device asked its holder, the holder now unlocks it.
    public mutating func reset() {
        select(nil)
        isAddressed = false
        memory.fieldOff()
    }

    /// The cardholder unlocks the device for the next payment.
    public mutating func verifyCardholder() { memory.device = .unlocked }

    public mutating func respond(to command: [UInt8]) -> [UInt8] {
        if !isAddressed {
            isAddressed = true
            presentments += 1
        }
        guard let command = CommandAPDU(command) else { return StatusWord.wrongLength.bytes }
        switch (command.instructionClass, command.instruction) {
        case (0x00, 0xA4): return select(command)
        case (0x00, 0xB2): return readRecord(command)
        case (0x80, 0xCA) where (command.p1, command.p2) == (0x9F, 0x36): return counterObject
        default: break
        }
        applyCases(to: command)
        if let selected, let answer = running[selected].respond(to: command, &memory) { return answer }
        return refusal(of: command)
    }

    /// Returns the answer of `respond`, with the time that the profile defines for this command.
    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        var time = 0.0
        if let selected, let command = CommandAPDU(command) { time = running[selected].responseTime(of: command) }
        return .response(respond(to: command), milliseconds: time)
    }

    /// Lets the first case whose condition is met apply, from the command that carries the data of the condition.
    private mutating func applyCases(to command: CommandAPDU) {
        guard let selected, !profile.applications[selected].cases.isEmpty else { return }
        let application = profile.applications[selected]
        let list = application.scheme.behaviour.cryptogramList
        let stage: CardCase.Stage
        var told: TerminalData?
        switch (command.instructionClass, command.instruction) {
        case (0x80, 0xA8):
            stage = .options
            told = DataObject.parse(command.data)?.first.flatMap { TerminalData(application.pdol ?? [], $0.value) }
        case (0x80, 0xAE) where applying[selected] == nil:
            stage = .cryptogram
            told = TerminalData(list, Array(command.data.prefix(list.dataLength)))
        default: return
        }
        guard let told else { return }
        let found = application.cases.firstIndex { one in
            one.stage(in: application) == stage && one.condition.isMet(told, presentment: presentments)
        }
        guard found != applying[selected] else { return }
        applying[selected] = found
        running[selected].become(found.map { application.cases[$0].application } ?? application)
        if stage == .options { memory.forgetChain(of: application) }
    }

    /// Answers a command that no application supports.
    private func refusal(of command: CommandAPDU) -> [UInt8] {
        switch (command.instructionClass, command.instruction) {
        case (0x80, 0xCA) where selected != nil: StatusWord.referencedDataNotFound.bytes
        case (0x80, 0xA8), (0x80, 0xCA), (0x00, 0x82): StatusWord.conditionsNotSatisfied.bytes
        case (0x84, 0x16), (0x84, 0x18), (0x84, 0x1E), (0x84, 0x24), (0x84, 0xDA):
            StatusWord.conditionsNotSatisfied.bytes
        case (0x00, _), (0x80, _), (0x84, _): StatusWord.instructionNotSupported.bytes
        default: StatusWord.classNotSupported.bytes
        }
    }

    /// Selects an application, or none, and ends any transaction in progress.
    private mutating func select(_ index: Int?) {
        for application in running.indices { running[application].endTransaction() }
        memory.records = nil
        selected = index
    }

    // MARK: SELECT

    /// "2PAY.SYS.DDF01"
    static let directoryName = Array("2PAY.SYS.DDF01".utf8)

    private mutating func select(_ command: CommandAPDU) -> [UInt8] {
        guard command.p1 == 0x04, command.p2 == 0x00 || command.p2 == 0x02 else {
            return StatusWord.wrongParameters.bytes
        }
        if profile.directory == .cardBlocked || memory.updates.isCardBlocked {
            return StatusWord.functionNotSupported.bytes
        }
        if command.data == Self.directoryName {
            select(nil)
            return directory()
        }
        guard let found = find(command.data, next: command.p2 == 0x02) else { return StatusWord.fileNotFound.bytes }

        var application = profile.applications[found]
        if application.flaws.contains(.missingPDOLLater), memory.hasComeBack { application.pdol = nil }
        guard application.selection != .blocked else { return StatusWord.functionNotSupported.bytes }
        select(found)
        let isInvalidated =
            application.selection == .invalidated
            || memory.updates.blockedApplications.contains(application.selectionName)
        let status: StatusWord = isInvalidated ? .selectedFileInvalidated : .success
        return application.controlInformation.bytes + status.bytes
    }

    /// Returns the application with exactly this name, else the first whose name begins with it.
    private func find(_ name: [UInt8], next: Bool) -> Int? {
        let there = profile.applications.indices.filter { profile.applications[$0].selection != .notFound }
        let named = there.filter { profile.applications[$0].selectionName == name }
        if !next, let exact = named.first { return exact }
        guard !name.isEmpty else { return nil }
        let start = next ? (selected ?? -1) + 1 : 0
        return there.first { $0 >= start && profile.applications[$0].selectionName.starts(with: name) }
    }

    private func directory() -> [UInt8] {
        let entries = profile.directory == .empty ? [] : profile.applications.map { $0.directoryEntry }
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

    // MARK: Records and data

    private mutating func readRecord(_ command: CommandAPDU) -> [UInt8] {
        guard let records = memory.records else { return StatusWord.conditionsNotSatisfied.bytes }
        guard command.p2 & 0x07 == 0x04 else { return StatusWord.wrongParameters.bytes }
        let number = CardFile.RecordNumber(file: command.p2 >> 3, record: command.p1)
        guard let record = records[number] else {
            let hasFile = records.keys.contains { $0.file == number.file }
            return (hasFile ? StatusWord.recordNotFound : .fileNotFound).bytes
        }
        guard let selected else { return record + StatusWord.success.bytes }
        return running[selected].present(record, of: number.file) + StatusWord.success.bytes
    }

    private var counterObject: [UInt8] {
        guard selected != nil else { return StatusWord.conditionsNotSatisfied.bytes }
        return DataObject(0x9F36, memory.counter.bigEndianBytes).bytes + StatusWord.success.bytes
    }
}
