// SPDX-License-Identifier: Apache-2.0
// Cards of Books C-3 and C-7. They complete a transaction in GET PROCESSING OPTIONS and state their requirements to the
// terminal in Card Transaction Qualifiers (9F6C). Their dynamic signature covers unpredictable number, amount, currency
// and Card Authentication Related Data (9F69). The code that these schemes share is in this file,
// QualifiedDecision.swift and QualifiedTransaction.swift.

/// A way to verify the cardholder.
public enum CardVerification: String, Sendable, Hashable, CaseIterable {
    case onlinePIN
    case signature
    /// The cardholder unlocks the device. Until then the card answers 6986.
    case consumerDevice
    /// The device reports verification without asking the holder.
    case consumerDeviceClaimed
}

/// The answer of a card that has no verification method in common with the reader.
public enum NoCommonVerification: String, Sendable, Hashable, CaseIterable {
    /// Answers as if no verification was required.
    case goOn
    /// 6984, or an AAC if the reader has no contact interface.
    case useContact
    /// An AAC.
    case decline
}

/// When a card returns Signed Dynamic Application Data.
public enum CardSigning: String, Sendable, Hashable, CaseIterable {
    /// With a TC (format 05).
    case offline
    /// With a TC, and with an ARQC (format 95) if the reader requests it in TTQ byte 1 bit 1.
    case onlineWhenAsked
    /// With a TC, and with every ARQC (format 95).
    case always
}

/// The properties of one application of such a scheme.
protocol QualifiedBehaviour: SchemeBehaviour {
    /// Verification methods in order of preference. The card uses the first one that the reader offers.
    var verification: [CardVerification] { get }
    /// Requests verification even if the reader does not.
    var alwaysVerifies: Bool { get }
    var withoutCommonVerification: NoCommonVerification { get }
    /// Card Transaction Qualifiers without the bits of cardholder verification; nil leaves 9F6C out.
    var qualifiers: [UInt8]? { get }
    var signing: CardSigning { get }
    /// Returns records (and an AFL) for an online transaction too.
    var recordsOnline: Bool { get }
    /// Returns Cryptogram Information Data (9F27).
    var returnsCryptogramInformation: Bool { get }

    /// Issuer Application Data that state this cryptogram type.
    func issuerData(_ type: CryptogramType) -> [UInt8]
    /// Computes the cryptogram. `value` returns a data object in the given number of bytes.
    func cryptogram(
        of application: CardApplication, counter: UInt16, value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8]
    /// The bytes after the qualifiers in Card Authentication Related Data.
    var authenticationDataEnd: [UInt8] { get }
    /// The scheme's own data objects in the answer to GET PROCESSING OPTIONS.
    func optionObjects(_ application: CardApplication) -> [DataObject]
    /// The records that the card's certificate covers, in order.
    func certifiedRecords(_ application: CardApplication) -> [[DataObject]]
}

extension QualifiedBehaviour {
    var authenticationDataEnd: [UInt8] { [] }

    func optionObjects(_ application: CardApplication) -> [DataObject] { [] }

    func certifiedRecords(_ application: CardApplication) -> [[DataObject]] {
        application.records(application.certifiedObjects)
    }

    func certifiedData(_ application: CardApplication) -> [UInt8] {
        application.certifiedData(certifiedRecords(application), file: QualifiedTransaction<Self>.certifiedFile)
    }

    /// Processes GET PROCESSING OPTIONS.
    ///
    /// - Returns: the answer with its status word, and the completed transaction, nil if the card refused.
    func processOptions(
        _ command: CommandAPDU, for application: CardApplication, _ memory: inout CardMemory
    ) -> (answer: [UInt8], transaction: QualifiedTransaction<Self>?) {
        let terminal: TerminalData
        switch application.terminalData(of: command, memory) {
        case .failure(let refusal): return (refusal.status.bytes, nil)
        case .success(let told): terminal = told
        }
        switch decide(terminal, for: application, verified: memory.device == .unlocked) {
        case .refuse(let status):
            return (status.bytes, nil)
        case .askCardholder:
            memory.device = .asking
            return (StatusWord.seePhone.bytes, nil)
        case .answer(let type, let qualifiers, let usesDevice):
            memory.counter += 1
            if usesDevice { memory.device = .locked }
            let transaction = QualifiedTransaction(
                application: application, behaviour: self, terminal: terminal, counter: memory.counter, type: type,
                qualifiers: qualifiers)
            return (transaction.perform(&memory), transaction)
        }
    }
}
