// SPDX-License-Identifier: Apache-2.0
/// One application of a card in the field: what it does beyond being selected and read.
///
/// It keeps what is the application's own; what the whole card shares stands in ``CardMemory``.
protocol RunningApplication: Sendable {
    /// The answer with its status word, or nil for a command that this scheme doesn't know.
    ///
    /// Called only while the application is selected.
    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]?

    /// A record of this file as it goes out to READ RECORD.
    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8]

    /// The application was selected anew, or another was, or the field went off: the transaction is over.
    mutating func endTransaction()

    /// How long the answer to this command takes, in milliseconds. Asked before `respond`.
    func responseTime(of command: CommandAPDU) -> Double
}

extension RunningApplication {
    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8] { record }

    func responseTime(of command: CommandAPDU) -> Double { 0 }
}

extension CardApplication {
    /// What GET PROCESSING OPTIONS told the card, or the status word that refuses it.
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

/// A command that comes to nothing but a status word.
struct CardRefusal: Error, Hashable {
    let status: StatusWord
    init(_ status: StatusWord) { self.status = status }
}
