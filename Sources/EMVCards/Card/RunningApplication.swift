// SPDX-License-Identifier: Apache-2.0
/// One application of a card in the field. It answers all commands except SELECT and READ RECORD.
///
/// It holds the state of the application; state that the whole card shares is in ``CardMemory``.
protocol RunningApplication: Sendable {
    /// Returns the answer with its status word, or nil for a command that the scheme does not support.
    ///
    /// Called only while the application is selected.
    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]?

    /// Returns a record of this file as READ RECORD sends it.
    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8]

    /// Continues with another description of the application, whose state is kept: a case of the card applies, or no
    /// longer applies. Called before GET PROCESSING OPTIONS or GENERATE AC.
    mutating func become(_ application: CardApplication)

    /// Ends the transaction. Called when this or another application is selected and when the field goes off.
    mutating func endTransaction()

    /// Returns the time of the answer to this command, in milliseconds. Called before `respond`.
    func responseTime(of command: CommandAPDU) -> Double
}

extension RunningApplication {
    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8] { record }

    func responseTime(of command: CommandAPDU) -> Double { 0 }
}

extension CardApplication {
    /// Returns the terminal's data in GET PROCESSING OPTIONS, or the status word that rejects the command.
    func terminalData(of command: CommandAPDU, _ memory: CardMemory) -> Result<TerminalData, CardRefusal> {
        guard command.p1 == 0, command.p2 == 0 else { return .failure(CardRefusal(.wrongParameters)) }
        guard memory.records == nil, memory.counter < .max else {
            return .failure(CardRefusal(.conditionsNotSatisfied))
        }
        guard let template = DataObject.parse(command.data), template.count == 1, template[0].tag == 0x83,
            let terminal = TerminalData(pdol ?? [], template[0].value)
        else { return .failure(CardRefusal(.wrongData)) }
        return .success(terminal)
    }
}

/// The rejection of a command, answered with a status word alone.
struct CardRefusal: Error, Hashable {
    let status: StatusWord
    init(_ status: StatusWord) { self.status = status }
}
