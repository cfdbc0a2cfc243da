// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain reading of Book C-3 v2.10, 5.2.2.2, 5.4.3, 5.6, 5.8 and 5.9.
// Written from the book alone.

enum NaiveOutcomeKind: Equatable, Hashable, Sendable {
    case approved
    case declined
    case onlineRequest
    case tryAnotherInterface
    case tryAgain
    case selectNext
    case endApplication
}

enum NaiveStart: Equatable, Sendable {
    case b
    case c
    case notApplicable
}

enum NaiveStatus: Equatable, Sendable {
    case readyToRead
    case processingError
    case cardReadSuccessfully
    /// The book names no status at this place.
    case unspecified
}

/// A user interface request. `message` is `nil` where only the status changes.
struct NaiveUI: Equatable, Sendable {
    var message: UInt8?
    var status: NaiveStatus
    /// In units of 100 ms.
    var hold = 0
}

/// An outcome with its parameters (Book A Table 6-2). Receipt is N/A and Removal Timeout is
/// zero in every outcome of Kernel 3, so they have no field here.
struct NaiveOutcome: Equatable, Sendable {
    var kind: NaiveOutcomeKind
    var start = NaiveStart.notApplicable
    /// Online Response Data is "EMV Data"; otherwise N/A.
    var emvDataWanted = false
    var cvm = NaiveCVM.notApplicable
    var ui: NaiveUI? = nil
    var restartUI: NaiveUI? = nil
    var dataRecord = false
    /// 4.3.1.1 applies where the card gave 9F5D.
    var mayCarryBalance = false
    var prefersContactChip = false
    /// In units of 100 ms; `nil` is N/A.
    var fieldOff: Int? = nil
}

/// 4.2.1.1.
let naiveEndApplication = NaiveOutcome(
    kind: .endApplication, ui: NaiveUI(message: 0x1C, status: .processingError))

/// 4.1.1.2: transmission, protocol or time-out.
let naiveLinkFault = NaiveOutcome(kind: .tryAgain, start: .b)

/// 6.2.1.3.
let naiveIssuerUpdateDone = NaiveOutcome(kind: .endApplication)

/// 5.2.2.2, and 5.5.1.3 and 5.5.1.4 alike.
let naiveTryAnotherInterface = NaiveOutcome(
    kind: .tryAnotherInterface, ui: NaiveUI(message: 0x18, status: .processingError))

/// 5.2.2.2: `nil` means go on.
func naiveAfterGPO(statusWord: UInt16) -> NaiveOutcome? {
    if statusWord == 0x9000 {
        return nil
    }
    if statusWord == 0x6984 {
        return naiveTryAnotherInterface
    }
    if statusWord == 0x6985 {
        return NaiveOutcome(kind: .selectNext, start: .c)
    }
    if statusWord == 0x6986 {
        return NaiveOutcome(
            kind: .tryAgain, start: .b,
            ui: NaiveUI(message: 0x20, status: .processingError, hold: 13),
            restartUI: NaiveUI(message: nil, status: .readyToRead), fieldOff: 13)
    }
    return naiveEndApplication
}

/// 5.4.3.1: the card's 9F27, or one built from the issuer application data. `nil` where neither
/// can say anything.
func naiveCID(cryptogramInformation: UInt8?, issuerApplicationData: [UInt8]) -> UInt8? {
    if let given = cryptogramInformation {
        return given
    }
    if issuerApplicationData.count < 5 {
        return nil
    }
    let bits = (issuerApplicationData[4] >> 4) & 0x03
    return bits << 6
}

/// A.2, 9F27.
func naiveCryptogram(cid: UInt8?) -> NaiveCryptogram {
    guard let cid = cid else { return .unidentifiable }
    let bits = cid >> 6
    if bits == 0 { return .aac }
    if bits == 1 { return .tc }
    if bits == 2 { return .arqc }
    return .unidentifiable
}

/// 5.4.3.2, and 3.4.1.3: an AAC on a refund ends the card's work and is no refusal, so the host is
/// asked.
func naiveDisposition(
    _ cryptogram: NaiveCryptogram, ttq: NaiveTTQ, transactionType: UInt8 = 0x00
)
    -> NaiveMarks
{
    var marks = NaiveMarks()
    if cryptogram == .aac {
        if transactionType == 0x20 {
            marks.online = true
        } else {
            marks.decline = true
        }
    }
    if cryptogram == .arqc || ttq.onlineCryptogramRequired {
        marks.online = true
    }
    if cryptogram == .unidentifiable {
        marks.decline = true
    }
    return marks
}

/// Which signature check is due, and which Signed Data Format it wants (5.6.1, 5.6.2.1, C.1).
enum NaiveODAKind: Equatable, Sendable {
    case none
    /// Format 05; the result decides.
    case offline
    /// Format 95; the result changes no outcome of the kernel by itself.
    case forOnline
}

func naiveODAKind(
    marks: NaiveMarks, cryptogram: NaiveCryptogram, signaturePresent: Bool, fddaForOnline: Bool
) -> NaiveODAKind {
    // 5.6.1
    if !marks.online && !marks.decline {
        return .offline
    }
    // 5.6.2.1
    if marks.online && !marks.decline {
        if fddaForOnline && signaturePresent && cryptogram == .arqc {
            return .forOnline
        }
    }
    return .none
}

/// What Annex C looks at before and after the recovery of the signature.
struct NaiveFDDAFacts: Equatable, Sendable {
    /// Every element that the check needs was there.
    var dataComplete = true
    /// AIP byte 1.
    var aipByte1: UInt8 = 0x20
    /// Byte 1 of 9F69.
    var version: UInt8 = 0x01
    /// The chain, the trailer and the hash over the recovered format were right.
    var signatureRight = true
    var signedDataFormat: UInt8 = 0x05
}

/// C.1.
func naiveFDDAPassed(_ facts: NaiveFDDAFacts, kind: NaiveODAKind) -> Bool {
    if kind == .none { return false }
    if !facts.dataComplete { return false }
    if facts.aipByte1 & 0x20 == 0 { return false }
    if facts.version != 0x01 { return false }
    if !facts.signatureRight { return false }
    if kind == .offline && facts.signedDataFormat != 0x05 { return false }
    if kind == .forOnline && facts.signedDataFormat != 0x95 { return false }
    return true
}

enum NaiveODAResult: Equatable, Sendable {
    case goOn(NaiveMarks)
    /// Message 1D, processing error, contact chip preferred.
    case insertCard
}

/// 5.6.1.2.
func naiveAfterODA(
    passed: Bool, ctq: NaiveCTQ?, ttq: NaiveTTQ, marks before: NaiveMarks
)
    -> NaiveODAResult
{
    var marks = before
    if passed {
        return .goOn(marks)
    }
    if let ctq = ctq {
        if ctq.goOnlineIfODAFails && !ttq.offlineOnly {
            marks.online = true
            return .goOn(marks)
        }
        if ctq.switchInterfaceIfODAFails && ttq.contactChipSupported {
            return .insertCard
        }
    }
    marks.decline = true
    return .goOn(marks)
}

/// 5.8.1.1, 5.8.1.2, 5.9.1.1, 5.9.1.2. `showsAuthorising` is the choice 5.8.1.1 leaves open
/// between message 1B and none.
func naiveFinalOutcome(
    marks: NaiveMarks, cvm: NaiveCVM, ttq: NaiveTTQ, ctq: NaiveCTQ?, showsAuthorising: Bool = true
) -> NaiveOutcome {
    // 5.9.1.2
    if marks.decline || (marks.online && ttq.offlineOnly) {
        return NaiveOutcome(
            kind: .declined, cvm: .none, ui: NaiveUI(message: 0x07, status: .unspecified),
            dataRecord: true, mayCarryBalance: true)
    }
    // 5.8.1.1
    if marks.online {
        var outcome = NaiveOutcome(
            kind: .onlineRequest, cvm: cvm,
            ui: NaiveUI(message: showsAuthorising ? 0x1B : nil, status: .unspecified),
            dataRecord: true, mayCarryBalance: true)
        // 5.8.1.2
        if let ctq = ctq {
            if ttq.issuerUpdateSupported && ctq.issuerUpdateSupported {
                outcome.start = .b
                outcome.emvDataWanted = true
                outcome.restartUI = NaiveUI(message: 0x21, status: .unspecified)
                outcome.fieldOff = 0
            }
        }
        return outcome
    }
    // 5.9.1.1
    return NaiveOutcome(
        kind: .approved, cvm: cvm, ui: NaiveUI(message: 0x03, status: .unspecified),
        dataRecord: true, mayCarryBalance: true)
}

/// Everything after Card Read Complete in one piece.
struct NaiveK3Input: Equatable, Sendable {
    /// The copy of the transaction.
    var ttq: NaiveTTQ
    var cryptogramInformation: UInt8?
    var issuerApplicationData: [UInt8]
    /// 9F69.
    var cardAuthentication: [UInt8]?
    /// 9F4B is there.
    var signaturePresent = false
    var fddaForOnline = false
    var fdda = NaiveFDDAFacts()
    /// `cryptogram` is filled in from the data above.
    var restrictions: NaiveRestrictionInput
}

struct NaiveK3Result: Equatable, Sendable {
    var outcome: NaiveOutcome
    var cryptogram: NaiveCryptogram
    var oda: NaiveODAKind
    var odaPassed: Bool
    /// 3.4.1.3: an AAC on a refund ends the card's work; the POS must not take it for a refusal.
    var refundCompleted: Bool
}

/// C-3 5.4.3, 5.5, 5.6, 5.7, 5.8, 5.9 in the order of the book.
func naiveK3(_ input: NaiveK3Input, showsAuthorising: Bool = true) -> NaiveK3Result {
    let ctq = input.restrictions.ctq

    // 5.4.3
    let cid = naiveCID(
        cryptogramInformation: input.cryptogramInformation,
        issuerApplicationData: input.issuerApplicationData)
    let cryptogram = naiveCryptogram(cid: cid)
    var marks = naiveDisposition(
        cryptogram, ttq: input.ttq, transactionType: input.restrictions.transactionType)
    var result = NaiveK3Result(
        outcome: naiveEndApplication, cryptogram: cryptogram, oda: .none, odaPassed: false,
        refundCompleted: false)
    if input.restrictions.transactionType == 0x20 && cryptogram == .aac {
        result.refundCompleted = true
    }

    // 5.5
    var restrictions = input.restrictions
    restrictions.cryptogram = cryptogram
    switch naiveRestrictions(restrictions, marks: marks) {
    case .tryAnotherInterface:
        result.outcome = naiveTryAnotherInterface
        return result
    case .goOn(let after):
        marks = after
    }

    // 5.6
    result.oda = naiveODAKind(
        marks: marks, cryptogram: cryptogram, signaturePresent: input.signaturePresent,
        fddaForOnline: input.fddaForOnline)
    if result.oda != .none {
        result.odaPassed = naiveFDDAPassed(input.fdda, kind: result.oda)
    }
    if result.oda == .offline {
        switch naiveAfterODA(passed: result.odaPassed, ctq: ctq, ttq: input.ttq, marks: marks) {
        case .insertCard:
            result.outcome = NaiveOutcome(
                kind: .tryAnotherInterface, ui: NaiveUI(message: 0x1D, status: .processingError),
                prefersContactChip: true)
            return result
        case .goOn(let after):
            marks = after
        }
    }

    // 5.7; a refund asks the cardholder for nothing
    var cvm = NaiveCVM.none
    if input.restrictions.transactionType != 0x20 {
        let verification = naiveCVM(
            ttq: input.ttq, ctq: ctq, cardAuthentication: input.cardAuthentication,
            cryptogram: cryptogram, marks: marks)
        marks = verification.marks
        cvm = verification.cvm
    }

    // 5.8, 5.9; a refund that the card completed is for the host, whatever the reader
    var reader = input.ttq
    if result.refundCompleted {
        reader = NaiveTTQ(reader.byte1 & ~0x08, reader.byte2, reader.byte3, reader.byte4)
    }
    result.outcome = naiveFinalOutcome(
        marks: marks, cvm: cvm, ttq: reader, ctq: ctq, showsAuthorising: showsAuthorising)
    return result
}
