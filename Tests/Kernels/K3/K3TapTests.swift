// SPDX-License-Identifier: Apache-2.0
// Kernel 3 by clause of Book C-3 v2.10, in profile `book`: whole taps over the C session.
import CEMV
import CEMVInternals
import Foundation
import TestData
import Testing

private let showCardRead = K3UI(message: 0x17, status: UInt8(CEMV_UI_CARD_READ.rawValue))
private let present = K3UI(message: 0x15, status: UInt8(CEMV_UI_READY_TO_READ.rawValue))

/// The book names no status for the messages of 5.8 and 5.9.
private func decided(_ message: UInt8) -> K3UI { K3UI(message: message, status: UInt8(CEMV_UI_STATUS_NA.rawValue)) }
private func error(_ message: UInt8) -> K3UI {
    K3UI(message: message, status: UInt8(CEMV_UI_PROCESSING_ERROR.rawValue))
}

/// Everything an outcome may carry is at "none" but for what the test names.
private func expectQuiet(
    _ result: K3Result, start: cemv_start = CEMV_START_NA, cvm: cemv_cvm = CEMV_CVM_NA,
    interface: cemv_interface = CEMV_INTERFACE_NA,
    record: Bool = false, discretionary: Bool = false, fieldOff: UInt16 = 0xFFFF,
    location: SourceLocation = #_sourceLocation
) {
    let outcome = result.outcome
    #expect(outcome.start == UInt8(start.rawValue), sourceLocation: location)
    #expect(outcome.cvm == UInt8(cvm.rawValue), sourceLocation: location)
    #expect(outcome.alternate_interface == UInt8(interface.rawValue), sourceLocation: location)
    #expect(outcome.data_record_present == record && result.record.isEmpty != record, sourceLocation: location)
    #expect(
        outcome.discretionary_present == discretionary && result.discretionary.isEmpty != discretionary,
        sourceLocation: location)
    #expect(!outcome.receipt && outcome.removal_timeout_100ms == 0, sourceLocation: location)
    #expect(outcome.field_off_100ms == fieldOff, sourceLocation: location)
    #expect(!result.leaks, sourceLocation: location)
    if start == CEMV_START_NA {
        #expect(
            outcome.online_response == UInt8(CEMV_ONLINE_RESPONSE_NA.rawValue) && !outcome.ui_on_restart_present,
            sourceLocation: location)
    }
}

/// 4.2.1.1, after `read`: the card read message was shown or not.
private func expectEndApplication(
    _ result: K3Result, read: Bool, l2: UInt8? = nil, location: SourceLocation = #_sourceLocation
) {
    #expect(result.status == CEMV_OUTCOME_END_APPLICATION, sourceLocation: location)
    #expect(result.messages == [present] + (read ? [showCardRead] : []) + [error(0x1C)], sourceLocation: location)
    expectQuiet(result, location: location)
    if let l2 { #expect(result.l2 == l2, sourceLocation: location) }
}

// MARK: 5.2

@Suite struct K3InitiateTests {
    @Test func commandFollowsTheProcessingOptionsList() {
        var card = K3Card.online
        card.fci[0x9F38] = hex("9F66049F02069F03069F1A0295055F2A029A039C019F37049F4E0C9F5C029F0604")
        let command = k3Tap(card).gpoCommand
        let values = [
            "36004000", "000000001250", "000000000000", "0276", "0000000000", "0978", "261121", "00", "01234567",
            "546573742053746F72650000", "0000", "A0000000",
        ]
        let size = values.joined().count / 2
        #expect(
            command.map(hexText) == "80A80000" + hexText([UInt8(size + 2), 0x83, UInt8(size)]) + values.joined() + "00")
    }

    /// B 3.3.3.6: a Visa card that does not ask for the qualifiers is not for this kernel.
    @Test func cardThatAsksForNoQualifiersIsPassedOver() {
        var card = K3Card.online
        card.fci[0x9F38] = nil
        #expect(k3Tap(card).instructions == [0xA4, 0xA4])
    }

    @Test func malformedListEndsTheApplication() {
        var card = K3Card.online
        card.fci[0x9F38] = hex("9F66049F0206FFFF")
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.gpoCommand == nil)
    }

    @Test func listTooLongForACommandEndsTheApplication() {
        var card = K3Card.online
        card.fci[0x9F38] = hex("9F6604 9F4E80 9F4E7A")  // 254 bytes of data
        #expect(k3Tap(card).status == CEMV_OUTCOME_END_APPLICATION)
        card.fci[0x9F38] = hex("9F6604 9F4E80 9F4E78")  // 252
        #expect(k3Tap(card).gpoCommand?.count == 261)
    }

    @Test func unavailableInterfaceWordAsksForAnother() {
        var card = K3Card.online
        card.gpoStatus = 0x6984
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE)
        #expect(result.messages == [present, error(0x18)])
        #expect(result.reason == CEMV_REASON_CARD_STATUS)
        expectQuiet(result)
        #expect(k3Error(result) == [0, 3, 0, 0x69, 0x84, 0x18])
    }

    /// The last candidate falls away: Entry Point ends.
    @Test func conditionsNotSatisfiedWordSelectsTheNextSilently() {
        var card = K3Card.online
        card.gpoStatus = 0x6985
        let result = k3Tap(card)
        #expect(result.instructions == [0xA4, 0xA4, 0xA8])
        #expect(result.reason == CEMV_REASON_SELECTION_EXHAUSTED)
        #expect(result.messages.first == present && result.messages.count == 2)
    }

    @Test func seePhoneWordWaitsForTheCardAgain() {
        var card = K3Card.online
        card.gpoStatus = 0x6986
        var answers = 0
        let reader = K3Reader(K3Sale())
        let result = reader.run { _, command in
            if command[1] == 0xA8 {
                answers += 1
                if answers == 2 { card.gpoStatus = 0x9000 }
            }
            return .response(card.answer(command))
        }
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(
            result.messages == [
                present, error(0x20), K3UI(message: 0x20, status: UInt8(CEMV_UI_READY_TO_READ.rawValue)), showCardRead,
                decided(0x1B),
            ])
        #expect(result.polls.count == 2)
        #expect(result.polls[1].field_off_ms == 1300)
        #expect(result.instructions == [0xA4, 0xA4, 0xA8, 0xA4, 0xA4, 0xA8])
        #expect(result.value(0x9F37) == K3Sale.numbers[1])
    }

    @Test func seePhoneForeverEndsAfterTheLimitOfTaps() {
        var card = K3Card.online
        card.gpoStatus = 0x6986
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.reason == CEMV_REASON_TOO_MANY_TAPS)
        #expect(result.polls.count == 3)
    }

    @Test(
        arguments: [
            0x6283, 0x6300, 0x63C0, 0x6400, 0x6700, 0x6983, 0x6987, 0x6A82, 0x6D00, 0x6F00, 0x9001, 0x6110, 0x6C10,
            0x0000,
        ] as [UInt16])
    func otherStatusWordsEndTheApplication(word: UInt16) {
        var card = K3Card.online
        card.gpoStatus = word
        let result = k3Tap(card)
        expectEndApplication(result, read: false, l2: 3)
        #expect(k3Error(result)[3...4] == [UInt8(word >> 8), UInt8(word & 0xFF)])
    }

    @Test func statusWordDecidesEvenWithData() {
        let reader = K3Reader(K3Sale())
        var card = K3Card.online
        let result = reader.run { _, command in
            var answer = card.answer(command)
            if command[1] == 0xA8 { answer.replaceSubrange(answer.count - 2..<answer.count, with: [0x62, 0x83]) }
            return .response(answer)
        }
        expectEndApplication(result, read: false, l2: 3)
    }

    @Test func answerInAnotherTemplateEndsTheApplication() {
        let data = K3Card.online.gpo.encoded
        for raw in [
            dataObject(0x70, data), data, [], dataObject(0x77, data) + dataObject(0x77, data),
            dataObject(0x77, data) + [0x9F],
            Array(dataObject(0x77, data).dropLast()),
        ] {
            var card = K3Card.online
            card.gpoRaw = raw
            expectEndApplication(k3Tap(card), read: false, l2: 4)
        }
    }

    @Test func unknownObjectsAreIgnored() {
        var card = K3Card.online
        card.gpo.objects.insert((0xDF7F, [1, 2, 3]), at: 0)
        card.gpo.objects.append((0x9F7B, []))
        card.gpo.objects.append((0xDF8115, [1]))  // Kernel 2's
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(!result.found(CEMV_FINDING_TERMINAL_TAG_FROM_CARD))
    }

    private var format1Card: K3Card {
        var card = K3Card.online
        card.gpoRaw = dataObject(0x80, hex("2000 10010100"))
        card.records = [K3Record(data: card.gpo)]
        card.records[0].data[0x82] = nil
        return card
    }

    @Test func positionalAnswerIsRefusedUnlessConfigured() {
        expectEndApplication(k3Tap(format1Card), read: false, l2: 4)
        var sale = K3Sale()
        sale.format1 = true
        let result = k3Tap(format1Card, sale)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.value(0x82) == [0x20, 0x00])
        #expect(k3Tap(.online, sale).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test(arguments: ["", "20", "2000", "2000100101", "200010010100FF"])
    func positionalAnswerOfAnotherLengthEnds(value: String) {
        var sale = K3Sale()
        sale.format1 = true
        var card = format1Card
        card.gpoRaw = dataObject(0x80, hex(value))
        #expect(k3Tap(card, sale).status == CEMV_OUTCOME_END_APPLICATION)
    }

    private func withProgram(_ program: String) -> K3Card {
        var card = K3Card.online
        card.fci.objects.append((0xBF0C, dataObject(0x9F5A, hex(program))))
        return card
    }

    @Test func programsLimitsReplaceThoseOfTheCombination() {
        var sale = K3Sale()
        sale.limits[CEMV_LIMIT_FLOOR] = 1000
        sale.dynamicLimits = [
            ("310840", [CEMV_LIMIT_CVM_REQUIRED: 1000], CEMV_ZERO_AMOUNT_ONLINE, false),
            ("31", [CEMV_LIMIT_TRANSACTION: 1250], CEMV_ZERO_AMOUNT_ONLINE, false),
        ]
        func ttq(_ card: K3Card) -> String? { k3Tap(card, sale).gpoCommand.map { hexText($0[7..<11]) } }
        #expect(ttq(.online) == "36804000")  // no program: the combination's floor limit
        #expect(ttq(withProgram("3108400840")) == "36404000")  // the first set that fits: CVM, no floor
        #expect(ttq(withProgram("3208")) == "36804000")  // a program nobody configured
        let refused = k3Tap(withProgram("3109"), sale)  // the second set: amount >= its limit
        #expect(refused.gpoCommand == nil)
        #expect(refused.reason == CEMV_REASON_KERNEL_LIMIT)
    }

    @Test func withoutConfiguredSetsTheProgramIsIgnored() {
        #expect(k3Tap(withProgram("3108400840")).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test func programsZeroAmountAndStatusCheckHold() {
        var sale = K3Sale()
        sale.amount = 0
        sale.dynamicLimits = [
            ("31", [:], CEMV_ZERO_AMOUNT_NOT_ALLOWED, false), ("32", [:], CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED, false),
        ]
        #expect(k3Tap(withProgram("31"), sale).reason == CEMV_REASON_KERNEL_LIMIT)
        #expect(k3Tap(withProgram("32"), sale).gpoCommand.map { hexText($0[7..<11]) } == "36004000")
        sale.amount = 100
        sale.dynamicLimits = [("31", [:], CEMV_ZERO_AMOUNT_ONLINE, true)]
        #expect(k3Tap(withProgram("31"), sale).gpoCommand.map { hexText($0[7..<11]) } == "36804000")
    }
}

func k3Error(_ result: K3Result) -> K3Bytes {
    withUnsafeBytes(of: result.outcome.error_indication) { K3Bytes($0) }
}

// MARK: 5.3 and 5.4

@Suite struct K3ReadTests {
    @Test func withoutLocatorNothingIsRead() {
        #expect(k3Tap(.online).instructions == [0xA4, 0xA4, 0xA8])
    }

    @Test func recordsAreReadInTheOrderOfTheLocator() {
        var card = K3Card.online
        card.locator = hex("18010200 08020200 F0010100")
        card.records = [(3, 1), (3, 2), (1, 2), (30, 1)].map { K3Record(sfi: $0.0, number: $0.1) }
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.commands.dropFirst(3).map(hexText) == ["00B2011C00", "00B2021C00", "00B2020C00", "00B201F400"])
    }

    /// Book 3, 7.5. An object 94 without value is a locator without entries.
    @Test(arguments: ["", "10", "100101", "1001010010", "00010100", "F8010100", "10000100", "10020100", "10010102"])
    func malformedLocatorEndsTheApplication(locator: String) {
        var card = K3Card.online
        card.locator = hex(locator)
        card.records = [K3Record()]
        let result = k3Tap(card)
        expectEndApplication(result, read: false)
        #expect(!result.instructions.contains(0xB2))
    }

    @Test(arguments: [0x6A83, 0x6985, 0x6984, 0x6986, 0x6283, 0x6F00] as [UInt16])
    func recordThatIsRefusedEndsTheApplication(word: UInt16) {
        var card = K3Card.unsignedOffline
        card.records[0].status = word
        expectEndApplication(k3Tap(card), read: false, l2: 3)
    }

    @Test(arguments: ["", "77035A0147", "5A0147", "7003", "70009F", "70035A014770035A0147", "70809000"])
    func recordThatIsNoTemplateEndsTheApplication(raw: String) {
        var card = K3Card.unsignedOffline
        card.records[0].raw = hex(raw)
        expectEndApplication(k3Tap(card), read: false, l2: 4)
    }

    @Test(arguments: [UInt32(0x9F26), 0x82, 0x9F36, 0x9F10, 0x57])
    func missingMandatoryObjectEndsAfterTheCardWasRead(tag: UInt32) {
        for records in [[], [K3Record(data: K3Data([(0x5F24, "301231")]))]] {
            var card = K3Card.online
            card.records = records
            card.gpo[tag] = nil
            expectEndApplication(k3Tap(card), read: true, l2: 1)
            card.gpo[tag] = []
            expectEndApplication(k3Tap(card), read: true, l2: 1)
        }
    }

    @Test(arguments: [UInt32(0x9F26), 0x82, 0x9F36, 0x9F10, 0x57, 0x9F27, 0x9F6C, 0x5F34])
    func objectsMayComeFromARecord(tag: UInt32) {
        var card = K3Card.online
        let value = card.gpo[tag]!
        card.gpo[tag] = nil
        card.records = [K3Record(data: K3Data([(tag, hexText(value))]))]
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.record.map(\.tag) == k3Tap(.online).record.map(\.tag))
    }

    @Test(arguments: [UInt32(0x9F27), 0x9F6C, 0x5F34, 0x9F69, 0x9F4B, 0x5A, 0x5F24])
    func otherObjectsMayBeMissing(tag: UInt32) {
        var card = K3Card.online
        card.gpo[tag] = nil
        #expect(k3Tap(card).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test func repeatedObjectEndsAfterAllWasRead() {
        let again = K3Data([(0x5F34, "01")])
        var inAnswer = K3Card.online
        inAnswer.gpo.objects.append((0x5F34, [1]))
        inAnswer.records = [K3Record(data: K3Data([(0x5F24, "301231")]))]
        var inRecord = K3Card.online
        inRecord.records = [K3Record(data: again), K3Record(number: 2, data: K3Data([(0x5F24, "301231")]))]
        var inOne = K3Card.online
        inOne.records = [K3Record(data: K3Data([(0x5F24, "301231"), (0x5F24, "301231")])), K3Record(number: 2)]
        var otherValue = K3Card.online
        otherValue.records = [K3Record(data: K3Data([(0x5F34, "02")]))]
        for card in [inAnswer, inRecord, inOne, otherValue] {
            let result = k3Tap(card)
            expectEndApplication(result, read: true, l2: 6)
            #expect(result.instructions.filter { $0 == 0xB2 }.count == card.records.count)
        }
    }

    @Test func objectOfAnotherLengthEndsTheApplication() {
        for (tag, value) in [
            (0x9F36, "00"), (0x9F26, "B2EC180414DFA5"), (0x82, "20"), (0x9F27, "8080"), (0x9F6C, "00"),
            (0x5F34, "0101"),
        ] as [(UInt32, String)] {
            var card = K3Card.online
            card.gpo[tag] = hex(value)
            expectEndApplication(k3Tap(card), read: false)
        }
    }

    @Test func accountNumberUnlikeThatOfTrack2Ends() {
        var card = K3Card.online
        card.records = [K3Record(data: K3Data([(0x5A, "4761739001010127")]))]
        let result = k3Tap(card)
        expectEndApplication(result, read: true, l2: 6)
        #expect(result.found(CEMV_FINDING_PAN_MISMATCH))
        card.records = [K3Record(data: K3Data([(0x5A, "4761739001010119FFFF")]))]
        #expect(k3Tap(card).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test(arguments: ["476173900101011930122010", "D30122010000012345", "AAAA739001010119D3012201"])
    func track2WithoutAccountNumberEnds(track: String) {
        var card = K3Card.online
        card.gpo[0x57] = hex(track)
        expectEndApplication(k3Tap(card), read: true, l2: 6)
    }

    /// 5.4.1.1 stands before 5.6: the cardholder may leave while certificates are checked.
    @Test func cardReadIsShownBeforeSignaturesAreChecked() {
        let reader = K3Reader(K3Sale())
        #expect(reader.tap(.signedOffline).messages.map(\.message) == [0x15, 0x17, 0x03])
    }
}

// MARK: 5.4.3 and 5.5

@Suite struct K3CryptogramTests {
    @Test(arguments: [
        ("00", CEMV_OUTCOME_DECLINED), ("3F", CEMV_OUTCOME_DECLINED), ("80", CEMV_OUTCOME_ONLINE_REQUEST),
        ("BF", CEMV_OUTCOME_ONLINE_REQUEST),
        ("C0", CEMV_OUTCOME_DECLINED), ("40", CEMV_OUTCOME_DECLINED),
    ])
    func typeComesFromTheInformationData(cid: String, expected: cemv_outcome_status) {
        var card = K3Card.online
        card.gpo[0x9F27] = hex(cid)
        #expect(k3Tap(card).status == expected)
    }

    @Test(arguments: [
        ("06010A03A0", CEMV_OUTCOME_ONLINE_REQUEST), ("06010A0380", CEMV_OUTCOME_DECLINED),
        ("06010A03B0", CEMV_OUTCOME_DECLINED),
        ("06010A03", CEMV_OUTCOME_DECLINED), ("06", CEMV_OUTCOME_DECLINED),
        ("06010A03AF00000000", CEMV_OUTCOME_ONLINE_REQUEST),
    ])
    func withoutItTheTypeComesFromIssuerData(iad: String, expected: cemv_outcome_status) {
        var card = K3Card.online
        card.gpo[0x9F27] = nil
        card.gpo[0x9F10] = hex(iad)
        #expect(k3Tap(card).status == expected)
    }

    @Test func approvalNeedsNoInformationDataEither() {
        var card = K3Card.signedOffline
        card.gpo[0x9F27] = nil
        #expect(k3Tap(card).status == CEMV_OUTCOME_APPROVED)
    }

    @Test func approvalGoesOnlineWhereTheReaderAskedForIt() {
        var sale = K3Sale()
        sale.limits[CEMV_LIMIT_FLOOR] = 0
        let result = k3Tap(.signedOffline, sale)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.gpoCommand.map { $0[8] } == 0x80)
    }

    @Test func onlineRequestAtAnOfflineReaderIsDeclined() {
        var sale = K3Sale()
        sale.ttq = hex("3E004000")
        let result = k3Tap(.online, sale)
        #expect(result.status == CEMV_OUTCOME_DECLINED)
        expectQuiet(result, cvm: CEMV_CVM_NONE, record: true)
        #expect(k3Tap(.signedOffline, sale).status == CEMV_OUTCOME_APPROVED)
    }

    /// 3.4.1.3: the card has finished; the host decides.
    @Test func refusalOfARefundIsNoDecline() {
        var sale = K3Sale()
        sale.type = 0x20
        let result = k3Tap(.refusing, sale)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.value(0x9C) == [0x20])
        #expect(k3Tap(.refusing).status == CEMV_OUTCOME_DECLINED)
    }

    /// A refund asks for no CVM: whatever the qualifiers, the amount and the reader, a completed one is for the host.
    @Test(arguments: [nil, "0000", "0080", "4000", "8000"], ["36004000", "3E004000", "30004000"])
    func refundAsksForNoCVM(ctq: String?, ttq: String) {
        var sale = K3Sale.aboveCVMLimit()
        sale.type = 0x20
        sale.ttq = hex(ttq)
        let result = k3Tap(K3Card.refusing.with(0x9F6C, ctq.map(hex)), sale)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST && result.cvm == CEMV_CVM_NONE)
        let asking = k3Tap(K3Card.online.with(0x9F6C, ctq.map(hex)), sale)
        #expect(asking.cvm == CEMV_CVM_NONE)
        #expect(asking.status == (ttq == "3E004000" ? CEMV_OUTCOME_DECLINED : CEMV_OUTCOME_ONLINE_REQUEST))
    }
}

@Suite struct K3RestrictionTests {
    private func offline(expiry: String? = "301231", ctq: String? = "0000") -> K3Card {
        var card = K3Card.unsignedOffline
        card.gpo[0x9F6C] = ctq.map(hex)
        card.records[0].data[0x5F24] = expiry.map(hex)
        card.records[0].signed = true
        return card.signed()
    }

    @Test func lastDayIsStillValid() {
        #expect(k3Tap(offline(expiry: "261121")).status == CEMV_OUTCOME_APPROVED)
        #expect(k3Tap(offline(expiry: "261120")).status == CEMV_OUTCOME_DECLINED)
    }

    /// Years 50 to 99 are of the last century (Book 4, 6.7.3).
    @Test func centuryFollowsTheYear() {
        #expect(k3Tap(offline(expiry: "491231")).status == CEMV_OUTCOME_APPROVED)
        #expect(k3Tap(offline(expiry: "500101")).status == CEMV_OUTCOME_DECLINED)
    }

    @Test(
        arguments: [("261120", "0800"), (nil, "0800"), (nil, "0000"), (nil, nil), ("261120", nil)]
            as [(String?, String?)])
    func expiredCardGoesOnlineIfItSaysSo(expiry: String?, ctq: String?) {
        let result = k3Tap(offline(expiry: expiry, ctq: ctq))
        #expect(result.status == (ctq == "0800" ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_DECLINED))
    }

    @Test func expiryOfAnOnlineRequestIsTheHostsAffair() {
        var card = K3Card.online
        card.records = [K3Record(data: K3Data([(0x5F24, "200101")]))]
        #expect(k3Tap(card).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test(arguments: ["261301", "260230", "2A1231", "260100"])
    func dateThatIsNoneEndsAnOfflineApproval(expiry: String) {
        #expect(k3Tap(offline(expiry: expiry)).status == CEMV_OUTCOME_END_APPLICATION)
    }

    @Test func exceptionFileDeclinesOfflineApprovals() {
        var sale = K3Sale()
        sale.exceptions = [("4761739001010119", nil)]
        #expect(k3Tap(.signedOffline, sale).status == CEMV_OUTCOME_DECLINED)
        #expect(k3Tap(.online, sale).status == CEMV_OUTCOME_ONLINE_REQUEST)
        sale.exceptions = [("4761739001010119FF", 0x01)]
        #expect(k3Tap(.signedOffline, sale).status == CEMV_OUTCOME_DECLINED)
        sale.exceptions = [("4761739001010119", 0x02), ("4761739001010127", nil)]
        #expect(k3Tap(.signedOffline, sale).status == CEMV_OUTCOME_APPROVED)
    }

    private struct Usage: CustomTestStringConvertible {
        let type: UInt8, other: UInt64, control: String?, country: String?, ctq: String?, expected: cemv_outcome_status
        var testDescription: String { "\(type) \(other) \(control ?? "-") \(country ?? "-") \(ctq ?? "-")" }
    }
    private static let usages: [Usage] = [(UInt8(1), UInt64(0), 0, "04"), (0, 500, 2, "02"), (9, 500, 2, "02")].flatMap
    { type, other, shift, bit in
        let home = shift == 0 ? "8000" : "0080", abroad = shift == 0 ? "4000" : "0040",
            wrong = shift == 0 ? "00C0" : "C000"
        let allowed = CEMV_OUTCOME_ONLINE_REQUEST, refused = CEMV_OUTCOME_DECLINED,
            elsewhere = CEMV_OUTCOME_TRY_ANOTHER_INTERFACE
        return [
            Usage(type: type, other: other, control: home, country: "0276", ctq: "0000", expected: allowed),
            Usage(type: type, other: other, control: home, country: "0840", ctq: "0000", expected: refused),
            Usage(type: type, other: other, control: abroad, country: "0840", ctq: "0000", expected: allowed),
            Usage(type: type, other: other, control: abroad, country: "0276", ctq: "0000", expected: refused),
            Usage(type: type, other: other, control: wrong, country: "0276", ctq: "0000", expected: refused),
            Usage(type: type, other: other, control: wrong, country: "0276", ctq: bit + "00", expected: elsewhere),
            Usage(type: type, other: other, control: nil, country: "0276", ctq: bit + "00", expected: elsewhere),
            Usage(type: type, other: other, control: home, country: nil, ctq: bit + "00", expected: elsewhere),
            Usage(type: type, other: other, control: nil, country: nil, ctq: nil, expected: refused),
            Usage(
                type: type, other: other, control: nil, country: "0276", ctq: bit == "04" ? "0200" : "0400",
                expected: refused),
        ]
    }

    @Test(arguments: usages)
    private func usageControlHoldsForCashAndCashback(usage: Usage) {
        var sale = K3Sale()
        sale.type = usage.type
        sale.amountOther = usage.other
        var card = K3Card.online
        card.gpo[0x9F6C] = usage.ctq.map(hex)
        card.gpo[0x9F07] = usage.control.map(hex)
        card.gpo[0x5F28] = usage.country.map(hex)
        let result = k3Tap(card, sale)
        #expect(result.status == usage.expected)
        if usage.expected == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE {
            #expect(result.messages == [present, showCardRead, error(0x18)])
            expectQuiet(result)
        }
        sale.usageControlOff = true
        #expect(k3Tap(card, sale).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    @Test func plainPurchaseAsksForNoUsageControl() {
        #expect(k3Tap(.online).status == CEMV_OUTCOME_ONLINE_REQUEST)
    }

    /// 5.5 ends there, whatever the cryptogram said.
    @Test func otherInterfaceComesBeforeTheDecline() {
        var sale = K3Sale()
        sale.type = 0x01
        var card = K3Card.refusing
        card.gpo[0x9F6C] = [0x04, 0x00]
        #expect(k3Tap(card, sale).status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE)
    }
}

// MARK: 5.6 and annex C

@Suite struct K3SignatureTests {
    @Test func validSignatureApproves() {
        let result = k3Tap(.signedOffline)
        #expect(result.status == CEMV_OUTCOME_APPROVED)
        #expect(result.messages == [present, showCardRead, decided(0x03)])
        #expect(result.outcome.findings == 0)
        expectQuiet(result, cvm: CEMV_CVM_NONE, record: true)
    }

    /// Each way in which annex C.1 lets the signature fail, with what the card then gets.
    private static let failures: [(String, @Sendable (inout K3Card) -> Void)] = [
        (
            "format 95",
            {
                $0 = K3Card.unsignedOffline; $0.records[0].signed = true; $0 = $0.signed(format: 0x95)
            }
        ),
        ("no signature", { $0.gpo[0x9F4B] = nil }),
        ("no DDA in the profile", { $0.gpo[0x82] = [0x40, 0x00] }),
        ("version 02", { $0.records[3].data[0x9F69]![0] = 2 }),
        ("version 00", { $0.records[3].data[0x9F69]![0] = 0 }),
        ("another 9F69", { $0.records[3].data[0x9F69]![1] ^= 1 }),
        ("no 9F69", { $0.records[3].data[0x9F69] = nil }),
        ("no CA index", { $0.records[1].data[0x8F] = nil }),
        ("another CA index", { $0.records[1].data[0x8F] = [0xEE] }),
        ("no issuer certificate", { $0.records[1].data[0x90] = nil }),
        ("no issuer remainder", { $0.records[1].data[0x92] = nil }),
        ("no issuer exponent", { $0.records[1].data[0x9F32] = nil }),
        ("no card certificate", { $0.records[2].data[0x9F46] = nil }),
        ("no card exponent", { $0.records[2].data[0x9F47] = nil }),
        ("no card remainder", { $0.records[2].data[0x9F48] = nil }),
        ("no PAN", { $0.records[0].data[0x5A] = nil }),
        ("wrong signature", { $0.gpo[0x9F4B]![20] ^= 1 }),
        ("wrong issuer certificate", { $0.records[1].data[0x90]![20] ^= 1 }),
        ("wrong card certificate", { $0.records[2].data[0x9F46]![20] ^= 1 }),
        ("signed record changed", { $0.records[0].data[0x5F28] = [0x08, 0x40] }),
        ("signed record not marked", { $0.records[0].signed = false }),
        ("unsigned record marked", { $0.records[3].signed = true }),
        ("tag list with another tag", { $0.records[3].data[0x9F4A] = [0x5A] }),
        (
            "another number",
            {
                $0 = K3Card.unsignedOffline; $0.records[0].signed = true; $0 = $0.signed(number: [9, 9, 9, 9])
            }
        ),
        (
            "another amount",
            {
                $0 = K3Card.unsignedOffline; $0.records[0].signed = true; $0 = $0.signed(amount: 1251)
            }
        ),
    ]

    @Test(arguments: failures.indices)
    func failedSignatureGoesWhereTheQualifiersSay(row: Int) {
        var card = K3Card.signedOffline
        Self.failures[row].1(&card)
        func tap(_ ctq: String?, ttq: String = "36004000") -> K3Result {
            var sale = K3Sale()
            sale.ttq = hex(ttq)
            var given = card
            given.gpo[0x9F6C] = ctq.map(hex)
            return k3Tap(given, sale)
        }
        #expect(tap("0000").status == CEMV_OUTCOME_DECLINED, "\(Self.failures[row].0)")
        #expect(tap(nil).status == CEMV_OUTCOME_DECLINED)
        #expect(tap("2000").status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(tap("3000").status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(tap("2000", ttq: "3E004000").status == CEMV_OUTCOME_DECLINED)
        #expect(tap("1000", ttq: "26004000").status == CEMV_OUTCOME_DECLINED)
        for (ctq, ttq) in [("1000", "36004000"), ("3000", "3E004000")] {
            let result = tap(ctq, ttq: ttq)
            #expect(result.status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE)
            #expect(result.messages == [present, showCardRead, error(0x1D)])
            expectQuiet(result, interface: CEMV_INTERFACE_CONTACT_CHIP)
        }
    }

    @Test(arguments: [5, 6, 7, 8, 15, 16])
    func wholeRelatedDataIsSigned(size: Int) {
        var card = K3Card.unsignedOffline
        card.records[0].signed = true
        card = card.signed(related: [1] + K3Bytes(repeating: 0x5C, count: size - 1))
        #expect(k3Tap(card).status == CEMV_OUTCOME_APPROVED)
    }

    @Test(arguments: [4, 17])
    func relatedDataOfAnotherLengthEnds(size: Int) {
        var card = K3Card.signedOffline
        card.records[3].data[0x9F69] = [1] + K3Bytes(repeating: 0x5C, count: size - 1)
        #expect(k3Tap(card).status == CEMV_OUTCOME_END_APPLICATION)
    }

    @Test func profileIsSignedWhereTheTagListSaysSo() {
        var card = K3Card.unsignedOffline
        card.records[0].signed = true
        card.records.append(K3Record(sfi: 1, number: 1, signed: true, data: K3Data([(0x9F4A, "82")])))
        card = card.signed()
        #expect(k3Tap(card).status == CEMV_OUTCOME_APPROVED)
        card.gpo[0x82] = [0x20, 0x80]
        #expect(k3Tap(card).status == CEMV_OUTCOME_DECLINED)
    }

    @Test func recordsAboveTheTenthFileAreSignedWithTheirTemplate() {
        var card = K3Card.unsignedOffline
        card.records[0].signed = true
        card.records[0].sfi = 11
        #expect(k3Tap(card.signed()).status == CEMV_OUTCOME_APPROVED)
    }

    @Test func keysExpireAndCertificatesAreRevoked() {
        // Book 2, 11.2.4: profile book only reports a key's last day.
        for (profile, status) in [
            (CEMV_PROFILE_BOOK, CEMV_OUTCOME_APPROVED), (CEMV_PROFILE_GUARDED, CEMV_OUTCOME_DECLINED),
        ] {
            var expired = K3Sale(profile)
            expired.keyExpires = [0x26, 0x11, 0x20]
            let result = k3Tap(.signedOffline, expired)
            #expect(result.status == status && result.outcome.findings == 1 << CEMV_FINDING_CA_KEY_EXPIRED.rawValue)
            expired.keyExpires = [0x26, 0x11, 0x21]
            #expect(k3Tap(.signedOffline, expired).status == CEMV_OUTCOME_APPROVED)
        }
        var revoked = K3Sale()
        revoked.revokedSerial = [0, 0, 1]
        let refused = k3Tap(.signedOffline, revoked)
        #expect(refused.status == CEMV_OUTCOME_DECLINED && refused.found(CEMV_FINDING_CERTIFICATE_REVOKED))
        revoked.revokedSerial = [0, 0, 2]
        #expect(k3Tap(.signedOffline, revoked).status == CEMV_OUTCOME_APPROVED)
        var keyless = K3Sale()
        keyless.hasKey = false
        #expect(k3Tap(.signedOffline, keyless).status == CEMV_OUTCOME_DECLINED)
    }

    /// 5.6.2.1: nothing the kernel decides hangs on the result.
    @Test func signatureOfAnOnlineRequestChangesNoOutcome() {
        var special = K3Sale()
        special.ttq = hex("37004000")
        var stale = K3Card.signedOnline
        stale.gpo[0x9F4B]![9] ^= 1
        let format05 = { () -> K3Card in
            var card = K3Card.online
            card.records = K3Card.signedOnline.records.prefix(1).map { $0 }
            return card.signed(format: 0x05)
        }()
        let good = k3Tap(.signedOnline, special), bad = k3Tap(stale, special), wrongFormat = k3Tap(format05, special)
        for result in [good, bad, wrongFormat] {
            #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
            #expect(result.cvm == CEMV_CVM_NONE)
        }
        #expect(!good.found(CEMV_FINDING_ODA_TAMPER))
        #expect(bad.found(CEMV_FINDING_ODA_TAMPER) && wrongFormat.found(CEMV_FINDING_ODA_TAMPER))
        #expect(!k3Tap(stale).found(CEMV_FINDING_ODA_TAMPER))  // an ordinary reader does not look
    }

    @Test(.enabled(if: K3Traces.exist, "no third-party vectors"))
    func publishedTracesReplay() throws {
        for name in K3Traces.names { try K3Traces.replay(name) }
    }
}

// MARK: 5.7

@Suite struct K3VerificationTests {
    private func tap(_ ctq: String?, ttq: String = "36004000", card given: K3Card = .online) -> K3Result {
        var sale = K3Sale.aboveCVMLimit()
        sale.ttq = hex(ttq)
        var card = given
        card.gpo[0x9F6C] = ctq.map(hex)
        return k3Tap(card, sale)
    }

    @Test(arguments: [
        ("36004000", CEMV_CVM_SIGNATURE), ("32004000", CEMV_CVM_SIGNATURE), ("34004000", CEMV_CVM_ONLINE_PIN),
    ])
    func withoutQualifiersTheReaderChooses(ttq: String, expected: cemv_cvm) {
        let result = tap(nil, ttq: ttq)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.cvm == expected)
    }

    @Test func withoutQualifiersAndMethodItIsDeclined() {
        #expect(tap(nil, ttq: "30004000").status == CEMV_OUTCOME_DECLINED)
    }

    @Test(arguments: [
        ("8000", "36004000", CEMV_CVM_ONLINE_PIN), ("C080", "36004000", CEMV_CVM_ONLINE_PIN),
        ("C000", "32004000", CEMV_CVM_SIGNATURE),
        ("0080", "36004000", CEMV_CVM_CDCVM), ("8080", "32004000", CEMV_CVM_CDCVM),
        ("4080", "36004000", CEMV_CVM_CDCVM),
        ("4000", "36004000", CEMV_CVM_SIGNATURE),
    ])
    func qualifiersChooseInTheBooksOrder(ctq: String, ttq: String, expected: cemv_cvm) {
        let result = tap(ctq, ttq: ttq)
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.cvm == expected)
    }

    @Test(arguments: [("0000", "36004000"), ("8000", "32004000"), ("4000", "34004000"), ("8000", "30004000")])
    func requiredButNotPerformedIsDeclined(ctq: String, ttq: String) {
        let result = tap(ctq, ttq: ttq)
        #expect(result.status == CEMV_OUTCOME_DECLINED)
        #expect(result.cvm == CEMV_CVM_NONE)
    }

    @Test(arguments: [
        ("01AABBCCDD0080", true), ("01AABBCCDD0000", false), ("01AABBCCDD8080", false), ("01AABBCCDD00", false),
        ("01AABBCCDD008099", true),
    ])
    func deviceVerificationMustMatchTheRelatedData(related: String, accepted: Bool) {
        var card = K3Card.online
        card.records = [K3Record(data: K3Data([(0x9F69, related)]))]
        let result = tap("0080", card: card)
        #expect(result.status == (accepted ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_DECLINED))
        #expect(result.cvm == (accepted ? CEMV_CVM_CDCVM : CEMV_CVM_NONE))
    }

    /// The card's own type counts, not where the reader sends it.
    @Test func deviceVerificationOfAnApprovalNeedsRelatedData() {
        var sale = K3Sale.aboveCVMLimit()
        sale.limits[CEMV_LIMIT_FLOOR] = 0
        var card = K3Card.unsignedOffline
        card.gpo[0x9F6C] = [0x00, 0x80]
        #expect(k3Tap(card, sale).status == CEMV_OUTCOME_DECLINED)
    }

    @Test func signedDeviceVerificationApprovesOffline() {
        var card = K3Card.unsignedOffline
        card.gpo[0x9F6C] = [0x00, 0x80]
        card.records[0].signed = true
        let result = k3Tap(card.signed(amount: 25000), K3Sale.aboveCVMLimit())
        #expect(result.status == CEMV_OUTCOME_APPROVED)
        #expect(result.cvm == CEMV_CVM_CDCVM)
        #expect(!result.found(CEMV_FINDING_CDCVM_UNAUTHENTICATED))
    }

    @Test func approvalWithSignatureShowsApproved() {
        var card = K3Card.unsignedOffline
        card.gpo[0x9F6C] = [0x40, 0x00]
        card.records[0].signed = true
        let result = k3Tap(card.signed(amount: 25000), K3Sale.aboveCVMLimit())
        #expect(result.status == CEMV_OUTCOME_APPROVED)
        #expect(result.cvm == CEMV_CVM_SIGNATURE)
        #expect(result.messages.last?.message == 0x03)
    }

    @Test func onlinePINTakesAnApprovalOnlineBelowTheLimitToo() {
        var card = K3Card.unsignedOffline
        card.gpo[0x9F6C] = [0x80, 0x00]
        card.records[0].signed = true
        let result = k3Tap(card.signed())
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.cvm == CEMV_CVM_ONLINE_PIN)
    }

    @Test func declinedTransactionHasNoVerification() {
        let result = tap("4000", card: .refusing)
        #expect(result.status == CEMV_OUTCOME_DECLINED)
        #expect(result.cvm == CEMV_CVM_NONE)
    }
}

// MARK: 5.8, 5.9 and annex B

@Suite struct K3OutcomeTests {
    @Test func onlineRequestHasItsParameters() {
        let result = k3Tap(.online)
        #expect(result.messages == [present, showCardRead, decided(0x1B)])
        #expect(result.reason == CEMV_REASON_KERNEL)
        #expect(result.outcome.kernel_id_size == 1 && result.outcome.kernel_id.0 == 3)
        expectQuiet(result, cvm: CEMV_CVM_NONE, record: true)
    }

    @Test func declineHasItsParameters() {
        let result = k3Tap(.refusing)
        #expect(result.messages == [present, showCardRead, decided(0x07)])
        expectQuiet(result, cvm: CEMV_CVM_NONE, record: true)
    }

    private static let order: [UInt32] = [
        0x9F02, 0x9F03, 0x9F26, 0x82, 0x9F36, 0x5F34, 0x9F7C, 0x9F6E, 0x9F10, 0x9F1A, 0x95, 0x57, 0x5F2A, 0x9A, 0x9C,
        0x9F37,
    ]
    private var everything: K3Card {
        var card = K3Card.online
        card.gpo[0x9F7C] = [1, 2, 3]
        card.gpo[0x9F6E] = hex("2070ABCF")
        card.gpo[0x9F07] = [0xFF, 0xFF]
        card.gpo[0x5F28] = [0x02, 0x76]
        return card
    }

    @Test func dataRecordHasTheOrderOfTheTable() {
        var sale = K3Sale()
        sale.amountOther = 500
        let result = k3Tap(everything, sale)
        #expect(result.record.map(\.tag) == Self.order)
        #expect(result.value(0x9F02) == hex("000000001250"))
        #expect(result.value(0x9F03) == hex("000000000500"))
        #expect(result.value(0x95) == [0, 0, 0, 0, 0])
        #expect(result.value(0x57) == K3Card.online.gpo[0x57])
        #expect(result.value(0x9F37) == K3Sale.numbers[0])
        #expect(result.value(0x9A) == [0x26, 0x11, 0x21])
        #expect(result.value(0x5F2A) == [0x09, 0x78])
        #expect(result.value(0x9F1A) == [0x02, 0x76])
    }

    @Test func conditionalObjectsStandThereOnlyIfGiven() {
        let conditional: Set<UInt32> = [0x9F03, 0x5F34, 0x9F7C, 0x9F6E]
        var bare = everything
        for tag in conditional { bare.gpo[tag] = nil }
        #expect(k3Tap(bare).record.map(\.tag) == Self.order.filter { !conditional.contains($0) })
        #expect(k3Tap(everything).record.map(\.tag) == Self.order.filter { $0 != 0x9F03 })
    }

    /// One of another length ends the tap (Table A-1, 4.1.1.4): k3-clause-ffi-5 and k3-clause-ffi-32.
    @Test(arguments: [("2070ABCF", "2070ABC0"), ("2070AB00", "2070AB00")])
    func formFactorNamesTheContactlessInterface(given: String, exported: String) {
        var card = K3Card.online
        card.gpo[0x9F6E] = hex(given)
        #expect(k3Tap(card).value(0x9F6E).map(hexText) == exported)
    }

    /// Tags that are the card's here and the terminal's elsewhere are exported for the card only.
    @Test func terminalsOwnDataAreNotExportedAsTheCards() {
        var sale = K3Sale()
        sale.terminal += "9F6E04D8B0E000 9F7C021122"
        #expect(k3Tap(.online, sale).value(0x9F6E) == nil)
        var card = K3Card.online
        card.gpo[0x9F6E] = hex("20700000")
        card.gpo[0x9F7C] = hex("C0FFEE")
        #expect(k3Tap(card, sale).value(0x9F6E) == hex("20700000"))
        #expect(k3Tap(card, sale).value(0x9F7C) == hex("C0FFEE"))
    }

    @Test(arguments: [0, 1, 2])
    func balanceIsShownAndExported(kind: Int) {
        var card = [K3Card.online, .refusing, .signedOffline][kind]
        card.gpo[0x9F5D] = hex("000000012345")
        let result = k3Tap(card)
        let request = result.outcome.ui_on_outcome
        #expect(request.value_qualifier == UInt8(CEMV_VALUE_BALANCE.rawValue))
        #expect(request.value == 12345 && request.currency == 0x0978)
        #expect(result.discretionary.map(\.tag) == [0x9F5D])
        expectQuiet(result, cvm: CEMV_CVM_NONE, record: true, discretionary: true)
    }

    @Test(arguments: ["010203", "00000001234A"])
    func whatIsNoBalanceIsNotShown(value: String) {
        var card = K3Card.online
        card.gpo[0x9F5D] = hex(value)
        let result = k3Tap(card)
        #expect(result.outcome.ui_on_outcome.value_qualifier == UInt8(CEMV_VALUE_NONE.rawValue))
        #expect(result.discretionary.isEmpty)
    }

    @Test func accountReferenceIsExportedApart() {
        var card = K3Card.online
        card.gpo[0x9F24] = K3Bytes("V0010013018036893949128312345".utf8)
        #expect(k3Tap(card).discretionary.map(\.tag) == [0x9F24])
    }

    @Test func languageOfTheCardSteersTheDisplayOnlyIfWellFormed() {
        for (given, expected) in [("6465656E", 4), ("6445", 0), ("64", 0), ("1B5B", 0)] {
            var card = K3Card.online
            card.fci[0x5F2D] = hex(given)
            #expect(k3Tap(card).outcome.ui_on_outcome.language_size == expected)
        }
    }

    /// Seeded cards and readers: the whole of 5.4.3 to 5.9 against the second implementation.
    @Test(arguments: 0..<4)
    func outcomeAgreesWithTheSecondImplementation(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) &* 0x1234_5678_9ABC_DEF1 &+ 7)
        for _ in 0..<60 {
            let (sale, card, input) = K3Comparison.scene(&random)
            let expected = naiveK3(input).outcome
            let result = k3Tap(card, sale)
            #expect(result.status == K3Comparison.status(expected.kind), "\(input)")
            if expected.cvm != .notApplicable { #expect(result.cvm == K3Comparison.method(expected.cvm), "\(input)") }
            #expect(result.messages.last?.message == expected.ui?.message)
            #expect(result.record.isEmpty == !expected.dataRecord)
            #expect(
                (result.outcome.alternate_interface == UInt8(CEMV_INTERFACE_CONTACT_CHIP.rawValue))
                    == expected.prefersContactChip)
        }
    }
}

/// The second implementation against the kernel: what both are given, and the answers in one kind of words.
enum K3Comparison {
    static func status(_ kind: NaiveOutcomeKind) -> cemv_outcome_status {
        switch kind {
        case .approved: CEMV_OUTCOME_APPROVED
        case .declined: CEMV_OUTCOME_DECLINED
        case .onlineRequest: CEMV_OUTCOME_ONLINE_REQUEST
        case .tryAnotherInterface: CEMV_OUTCOME_TRY_ANOTHER_INTERFACE
        case .tryAgain: CEMV_OUTCOME_TRY_AGAIN
        case .selectNext: CEMV_OUTCOME_SELECT_NEXT
        case .endApplication: CEMV_OUTCOME_END_APPLICATION
        }
    }

    static func method(_ cvm: NaiveCVM) -> cemv_cvm {
        switch cvm {
        case .none: CEMV_CVM_NONE
        case .signature: CEMV_CVM_SIGNATURE
        case .onlinePIN: CEMV_CVM_ONLINE_PIN
        case .cdcvm: CEMV_CVM_CDCVM
        case .notApplicable: CEMV_CVM_NA
        }
    }

    /// A reader, a card and the same in the terms of the second implementation.
    static func scene(_ random: inout SeededRandom) -> (K3Sale, K3Card, NaiveK3Input) {
        func flip(_ r: inout SeededRandom, _ chance: Int = 2) -> Bool { Int.random(in: 0..<chance, using: &r) == 0 }
        var sale = K3Sale()
        sale.type = [0x00, 0x00, 0x01, 0x09, 0x20].randomElement(using: &random)!
        sale.amountOther = sale.type != 0x01 && flip(&random, 3) ? 100 : 0
        sale.ttq = [0x20 | UInt8.random(in: 0..<32, using: &random), 0, 0x40, 0]
        if flip(&random) { sale.limits[CEMV_LIMIT_CVM_REQUIRED] = 1000 }
        if flip(&random, 4) { sale.limits[CEMV_LIMIT_FLOOR] = 1000 }
        sale.exceptions = flip(&random, 8) ? [("4761739001010119", nil)] : []

        var card = K3Card.unsignedOffline
        let type = [0x00, 0x40, 0x40, 0x40, 0x80, 0x80, 0xC0].randomElement(using: &random)! as UInt8
        card.gpo[0x9F10] = [6, 1, 0x0A, 3, type >> 2 | 0x80]
        card.gpo[0x9F27] = flip(&random, 3) ? nil : [type]
        let ctq =
            flip(&random, 5)
            ? nil
            : NaiveCTQ(
                UInt8.random(in: 0...255, using: &random) & UInt8.random(in: 0...255, using: &random),
                [0, 0x80].randomElement(using: &random)!)
        card.gpo[0x9F6C] = ctq.map { [$0.byte1, $0.byte2] }
        let control: K3Bytes? =
            flip(&random, 4)
            ? nil : [UInt8.random(in: 0...3, using: &random) << 6, UInt8.random(in: 0...3, using: &random) << 6]
        card.gpo[0x9F07] = control
        let country: K3Bytes? = flip(&random, 5) ? nil : flip(&random) ? [0x02, 0x76] : [0x08, 0x40]
        card.records[0].data[0x5F28] = country
        let expiry: K3Bytes? = flip(&random, 8) ? nil : flip(&random, 5) ? [0x26, 0x11, 0x20] : [0x30, 0x12, 0x31]
        card.records[0].data[0x5F24] = expiry
        card.records[0].signed = true

        var fdda = NaiveFDDAFacts(signedDataFormat: type == 0x80 || flip(&random, 6) ? 0x95 : 0x05)
        var related: K3Bytes? = [1, 2, 3, 4, 5] + (flip(&random, 6) ? [9, 9] : [ctq?.byte1 ?? 0, ctq?.byte2 ?? 0])
        card = card.signed(format: fdda.signedDataFormat, related: related)
        var signature = true
        if flip(&random, 6) {
            signature = false
            card.gpo[0x9F4B] = nil
            fdda.dataComplete = false
        } else if flip(&random, 6) {
            card.gpo[0x9F4B]![30] ^= 0x10
            fdda.signatureRight = false
        }
        if flip(&random, 6) {
            related = nil
            card.records[3].data[0x9F69] = nil
            fdda.dataComplete = false
        }
        let given = cemvTTQ(sale)
        let restrictions = NaiveRestrictionInput(
            cryptogram: .tc, ctq: ctq, transactionDate: NaiveDate(0x26, 0x11, 0x21),
            expirationDate: expiry.map { NaiveDate($0[0], $0[1], $0[2]) },
            panOnExceptionFile: !sale.exceptions.isEmpty, transactionType: sale.type, amountOther: sale.amountOther,
            usageControl: control,
            issuerCountry: country)
        let input = NaiveK3Input(
            ttq: NaiveTTQ(given[0], given[1], given[2], given[3]), cryptogramInformation: card.gpo[0x9F27]?[0],
            issuerApplicationData: card.gpo[0x9F10]!, cardAuthentication: related, signaturePresent: signature,
            fddaForOnline: given[0] & 1 != 0, fdda: fdda, restrictions: restrictions)
        return (sale, card, input)
    }

    private static func cemvTTQ(_ sale: K3Sale) -> K3Bytes {
        var ttq = sale.ttq
        if sale.amount > sale.limits[CEMV_LIMIT_FLOOR]! { ttq[1] |= 0x80 }
        if sale.amount >= sale.limits[CEMV_LIMIT_CVM_REQUIRED]! { ttq[1] |= 0x40 }
        return ttq
    }
}

// MARK: 4.1.1.2

@Suite struct K3LinkTests {
    private static let kinds = [CEMV_REPLY_TIMEOUT, CEMV_REPLY_TRANSMISSION, CEMV_REPLY_PROTOCOL, CEMV_REPLY_REMOVED]

    /// At each exchange of the kernel: once, and the second tap succeeds with another number.
    @Test(arguments: 2..<7, 0..<4)
    func faultDropsTheTapAndTheNextOneStartsAnew(at: Int, kind: Int) {
        let reader = K3Reader(K3Sale())
        let result = reader.tap(K3Card.signedOffline.signedAgain(number: K3Sale.numbers[1])) { index, _ in
            index == at ? Self.kinds[kind] : nil
        }
        #expect(result.status == CEMV_OUTCOME_APPROVED)
        #expect(result.value(0x9F37) == K3Sale.numbers[1])
        #expect(result.commands.count == at + 1 + 7)
        #expect(result.polls.count == 2)
        #expect(result.messages.map(\.message) == [0x15, 0x15, 0x17, 0x03])
    }

    @Test(arguments: 2..<7, 0..<4)
    func faultAtEachTapEnds(at: Int, kind: Int) {
        let reader = K3Reader(K3Sale())
        let result = reader.tap(.signedOffline) { index, _ in index % (at + 1) == at ? Self.kinds[kind] : nil }
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.reason == CEMV_REASON_TOO_MANY_TAPS)
        #expect(result.polls.count == 3)
        #expect(result.record.isEmpty && !result.leaks)
    }

    @Test(arguments: [[], [0x90], K3Bytes(repeating: 0, count: 259), K3Bytes(repeating: 0, count: 70000)] as [K3Bytes])
    func answerOfImpossibleLengthIsALinkFault(answer: K3Bytes) {
        var card = K3Card.online
        let result = K3Reader(K3Sale()).run { index, command in .response(index == 2 ? answer : card.answer(command)) }
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.polls.count == 2)
    }

    @Test func nothingOfTheFirstCardSurvives() {
        var first = K3Card.signedOffline
        var second = K3Card.online
        second.gpo[0x5F34] = nil
        let result = K3Reader(K3Sale()).run { index, command in
            if index == 5 { return .fault(CEMV_REPLY_TRANSMISSION) }
            return .response(index < 5 ? first.answer(command) : second.answer(command))
        }
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.value(0x5F34) == nil)
    }
}

extension K3Card {
    /// The same card signing for another presentment.
    func signedAgain(number: K3Bytes) -> K3Card {
        var card = self
        card.records.removeLast(3)
        return card.signed(number: number)
    }
}

// MARK: Chapter 6

@Suite struct K3IssuerUpdateTests {
    private static let authentication = "910A0102030405060708 3030"
    private static func script(_ tag: String, _ commands: [String], id: String? = nil) -> String {
        let inner =
            (id.map { "9F1804" + $0 } ?? "") + commands.map { "86" + hexText([UInt8($0.count / 2)]) + $0 }.joined()
        return tag + hexText([UInt8(inner.count / 2)]) + inner
    }
    private static let one = "8416000002AABB", two = "8418000002CCDD", three = "80DA9F580103"

    private var sale: K3Sale {
        var sale = K3Sale()
        sale.ttq = hex("3600C000")
        return sale
    }
    private var card: K3Card {
        var card = K3Card.online
        card.gpo[0x9F6C] = [0x00, 0x40]
        return card
    }

    private func update(_ answer: String, _ change: (inout K3Card) -> Void = { _ in }) -> K3Result {
        var card = card
        change(&card)
        return K3Reader(sale).tap(card, online: hex(answer))
    }

    @Test func updateIsOfferedWhereBothSupportIt() {
        let result = k3Tap(card, sale)
        #expect(result.parked)
        let outcome = result.outcome
        #expect(outcome.start == UInt8(CEMV_START_B.rawValue))
        #expect(outcome.online_response == UInt8(CEMV_ONLINE_RESPONSE_EMV_DATA.rawValue))
        #expect(outcome.field_off_100ms == 0)
        #expect(outcome.ui_on_restart_present && outcome.ui_on_restart.message == 0x21)
        #expect(!k3Tap(.online, sale).parked)
        #expect(!k3Tap(card).parked)
        var without = card
        without.gpo[0x9F6C] = nil
        #expect(!k3Tap(without, sale).parked)
        var refusing = K3Card.refusing
        refusing.gpo[0x9F6C] = [0x00, 0x40]
        #expect(!k3Tap(refusing, sale).parked)
    }

    @Test func issuerDataAreDeliveredInOrder() {
        let result = update(
            "8A023030" + Self.authentication + Self.script("71", [Self.one, Self.two], id: "A1B2C3D4")
                + Self.script("72", [Self.three]))
        #expect(
            result.commands.dropFirst(3).map(hexText) == [
                "00A4040007A000000003101000", "008200000A01020304050607083030", Self.one, Self.two, Self.three,
            ])
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.discretionary.map(\.tag) == [0x9F5B])
        #expect(result.discretionary.first.map { hexText($0.value) } == "20A1B2C3D4" + "2000000000")
        #expect(result.messages.map(\.message) == [0x15, 0x17, 0x1B, 0x21])
        #expect(!result.outcome.ui_on_outcome_present)
        expectQuiet(result, discretionary: true)
    }

    @Test func authenticationAloneLeavesNoResults() {
        let result = update(Self.authentication)
        #expect(result.instructions.suffix(2) == [0xA4, 0x82])
        expectQuiet(result)
    }

    @Test(arguments: [0x6300, 0x6985, 0x6984, 0x6986, 0x6F00] as [UInt16])
    func scriptsFollowWhateverAuthenticationSays(word: UInt16) {
        let result = update(Self.authentication + Self.script("72", [Self.one])) { $0.authenticateStatus = word }
        #expect(result.commands.last.map(hexText) == Self.one)
        #expect(result.discretionary.first?.value.first == 0x20)
    }

    @Test(
        arguments: [
            ([0x9000, 0x9000, 0x9000], 3, "2000000000" + "2000000000"),
            ([0x6283, 0x63C1, 0x9000], 3, "2000000000" + "2000000000"),
            ([0x9000, 0x6985, 0x9000], 2, "1200000000"), ([0x6400, 0x9000, 0x9000], 1, "1100000000"),
            ([0x9000, 0x9000, 0x6110], 3, "2000000000" + "1100000000"),
        ]
            as [([UInt16], Int, String)])
    func firstRefusedCommandStopsAll(words: [UInt16], sent: Int, results: String) {
        let result = update(Self.script("71", [Self.one, Self.two]) + Self.script("72", [Self.three])) {
            $0.scriptStatus = words
        }
        #expect(result.commands.count == 4 + sent)
        #expect(result.discretionary.first.map { hexText($0.value) } == results)
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
    }

    @Test(arguments: ["9107 01020304050607", "9111 0102030405060708090A0B0C0D0E0F1011"])
    func authenticationDataOfAnotherLengthAreNotSent(answer: String) {
        #expect(!update(answer + Self.script("72", [Self.one])).instructions.contains(0x82))
    }

    /// A command without a whole header, one whose length byte promises more, and a template that breaks off.
    @Test(
        arguments: [
            ("7205 8603 841600", "0000000000"), ("7208 8606 84DA00000500", "0000000000"),
            ("7206 8604 84160000 710A8608", nil),
        ]
            as [(String, String?)])
    func scriptThatCannotBeReadIsNotSent(script: String, results: String?) {
        let result = update(script)
        #expect(result.discretionary.first.map { hexText($0.value) } == results)
        #expect(result.commands.count <= 4)
        #expect(result.status == (results == nil ? CEMV_OUTCOME_ONLINE_REQUEST : CEMV_OUTCOME_END_APPLICATION))
    }

    /// A script that breaks off inside takes the authentication data before it nowhere: they are sent.
    @Test func authenticationDataAreSentWhateverTheScriptIsLike() {
        #expect(update("910A 01020304050607083030 7204 8606 8416").instructions.contains(0x82))
    }

    /// Only an authorisation response code: there is nothing to deliver, so the request stays final.
    @Test func answerWithoutUpdateDataAsksForNoCard() {
        let result = update("8A023030")
        #expect(result.status == CEMV_OUTCOME_ONLINE_REQUEST)
        #expect(result.polls.count == 1)
    }

    @Test func commandNumberOfALateFailureIsFifteen() {
        let many = Self.script("72", Array(repeating: "84160000", count: 17))
        let result = update(many) { $0.scriptStatus = Array(repeating: 0x9000, count: 16) + [0x6985] }
        #expect(result.discretionary.first?.value.first == 0x1F)
        #expect(result.commands.count == 4 + 17)
    }

    @Test(arguments: 4..<7)
    func linkFaultBringsTheSameDataAgain(at: Int) {
        let answer = Self.authentication + Self.script("71", [Self.one, Self.two])
        let result = K3Reader(sale).tap(card, online: hex(answer)) { index, _ in
            index == at ? CEMV_REPLY_TRANSMISSION : nil
        }
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.reason == CEMV_REASON_KERNEL)
        #expect(result.instructions.suffix(4) == [0xA4, 0x82, 0x16, 0x18])
        #expect(result.instructions.filter { $0 == 0xA8 }.count == 1)
    }

    @Test func faultsForeverAreBounded() {
        let answer = Self.authentication + Self.script("71", [Self.one])
        let result = K3Reader(sale).tap(card, online: hex(answer)) { _, command in
            command[1] == 0x82 ? CEMV_REPLY_TIMEOUT : nil
        }
        #expect(result.polls.count <= 6)
        #expect(result.instructions.filter { $0 == 0xA8 }.count == 1)
        #expect(!result.leaks)
    }
}

// MARK: Traces of other projects, where they lie beside the package

enum K3Traces {
    private struct Trace: Decodable {
        struct Configuration: Decodable {
            struct Combination: Decodable { let limits: [String: UInt64]; let ttq: String }
            struct Key: Decodable { let rid, index, exponent, modulus, expires: String }
            let combinations: [Combination]
            let caKeys: [Key]
        }
        struct Transaction: Decodable { let amount: UInt64; let random: String }
        struct Exchange: Decodable { let c, r: String? }
        struct Expectation: Decodable { let outcome, cvm: String?; let data: [String: String?]?; let apdus: Int? }
        let configuration: Configuration
        let transaction: Transaction
        let exchanges: [Exchange]
        let expect: Expectation
    }

    static let names = [
        "k3-approved-fdda-1408-f4", "k3-gpo-6986-see-phone-cdcvm", "k3-oda-unknown-ca", "k3-online-no-afl",
    ]
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/vectors/traces").standardizedFileURL
    static var exist: Bool {
        FileManager.default.fileExists(atPath: directory.appendingPathComponent(names[0] + ".json").path)
    }

    static func replay(_ name: String) throws {
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(contentsOf: directory.appendingPathComponent(name + ".json")))
        var sale = K3Sale()
        sale.amount = trace.transaction.amount
        let limits = trace.configuration.combinations[0].limits
        sale.limits = [:]
        for (limit, key) in [
            (CEMV_LIMIT_TRANSACTION, "transaction"), (CEMV_LIMIT_FLOOR, "floor"),
            (CEMV_LIMIT_CVM_REQUIRED, "cvmRequired"),
        ] {
            sale.limits[limit] = limits[key]
        }
        sale.ttq = hex(trace.configuration.combinations[0].ttq)
        sale.otherKeys = trace.configuration.caKeys.map {
            (index: hex($0.index)[0], exponent: UInt32($0.exponent, radix: 16)!, modulus: hex($0.modulus))
        }
        sale.random = hex(trace.transaction.random)
        let exchanges = trace.exchanges.filter { $0.c != nil }
        let result = K3Reader(sale).run { index, command in
            guard index < exchanges.count else {
                Issue.record("\(name): a command too many")
                return .fault(CEMV_REPLY_TIMEOUT)
            }
            #expect(hexText(command) == exchanges[index].c, "\(name)")
            return .response(hex(exchanges[index].r!))
        }
        #expect(result.commands.count == trace.expect.apdus ?? exchanges.count)
        let outcomes = [
            "approved": CEMV_OUTCOME_APPROVED, "declined": CEMV_OUTCOME_DECLINED,
            "onlineRequest": CEMV_OUTCOME_ONLINE_REQUEST,
        ]
        #expect(result.status == outcomes[trace.expect.outcome!], "\(name)")
        let methods = ["none": CEMV_CVM_NONE, "cdcvm": CEMV_CVM_CDCVM]
        #expect(result.cvm == methods[trace.expect.cvm!], "\(name)")
        for (tag, value) in trace.expect.data ?? [:] {
            #expect(result.value(UInt32(tag, radix: 16)!).map(hexText) == value, "\(name): \(tag)")
        }
    }
}
