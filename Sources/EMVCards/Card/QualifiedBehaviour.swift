// SPDX-License-Identifier: Apache-2.0
// Cards that do all in GET PROCESSING OPTIONS and say in Card Transaction Qualifiers (9F6C) what they want of the
// terminal, with a dynamic signature over unpredictable number, amount, currency and Card Authentication Related Data
// (9F69): Books C-3 and C-7. What such schemes share stands here, in QualifiedDecision.swift and in
// QualifiedTransaction.swift.

/// A way to verify the cardholder.
public enum CardVerification: Sendable, Hashable {
    case onlinePIN
    case signature
    /// The cardholder unlocks the device. Until then the card answers 6986.
    case consumerDevice
    /// The device claims verification without asking anybody.
    case consumerDeviceClaimed
}

/// What a card does when the reader wants a verification that the card doesn't have.
public enum NoCommonVerification: Sendable, Hashable {
    /// Answers as if nothing had been asked.
    case goOn
    /// 6984, or an AAC where the reader has no contact interface.
    case useContact
    /// An AAC.
    case decline
}

/// When a card returns Signed Dynamic Application Data.
public enum CardSigning: Sendable, Hashable {
    /// With a TC (format 05).
    case offline
    /// With a TC, and with an ARQC (format 95) where the reader asks for it in TTQ byte 1 bit 1.
    case onlineWhenAsked
    /// With a TC, and with every ARQC (format 95).
    case always
}

/// What one application of such a scheme is.
protocol QualifiedBehaviour: SchemeBehaviour {
    /// The ways to verify the cardholder, best first. The first that the reader offers is taken.
    var verification: [CardVerification] { get }
    /// Asks for verification even where the reader does not.
    var alwaysVerifies: Bool { get }
    var withoutCommonVerification: NoCommonVerification { get }
    /// Card Transaction Qualifiers without the bits of cardholder verification; nil leaves 9F6C out.
    var qualifiers: [UInt8]? { get }
    var signing: CardSigning { get }
    /// Returns records (and an AFL) for an online transaction too.
    var recordsOnline: Bool { get }
    /// Returns Cryptogram Information Data (9F27).
    var returnsCryptogramInformation: Bool { get }

    /// Issuer Application Data that say this type of cryptogram.
    func issuerData(_ type: CryptogramType) -> [UInt8]
    /// The cryptogram. `value` gives a data object in that many bytes.
    func cryptogram(
        of application: CardApplication, counter: UInt16, value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8]
    /// What follows the qualifiers in Card Authentication Related Data.
    var authenticationDataEnd: [UInt8] { get }
    /// Data objects of its own in the answer to GET PROCESSING OPTIONS.
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

    /// GET PROCESSING OPTIONS.
    ///
    /// - Returns: the answer with its status word; what was done, nil where the card refused.
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
