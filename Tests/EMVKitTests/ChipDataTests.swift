// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

/// `Testing` has a `Tag`, too.
private typealias Tag = EMVKit.Tag

@Suite struct ChipDataTests {
    private static let pan = "4761739001010119"
    /// A Visa data record with everything that Book C-3, Table B-1 lists.
    private static let record: DataObjects = [
        0x9F02: [0, 0, 0, 0, 0x12, 0x50], 0x9F26: [1, 2, 3, 4, 5, 6, 7, 8], 0x82: [0x20, 0x00], 0x9F36: [0x02, 0xAB],
        0x5F34: [0x01],
        0x9F6E: [0x20, 0x70, 0x00, 0x00], 0x9F10: [0x06, 0x01, 0x0A, 0x03, 0xA0, 0x00, 0x00], 0x9F1A: [0x02, 0x76],
        0x95: [0x80, 0, 0, 0, 0x01], 0x57: Hex.bytes("4761739001010119D30122011438825820000F")!, 0x5F2A: [0x09, 0x78],
        0x9A: [0x26, 0x11, 0x21], 0x9C: [0x00], 0x9F37: [0xDE, 0xAD, 0xBE, 0xEF],
    ]
    private static let visaName: Bytes = [0xA0, 0, 0, 0, 0x03, 0x10, 0x10]

    private static func chip(
        _ change: (inout DataObjects) -> Void = { _ in }, discretionary: DataObjects = [:], terminal: DataObjects = [:],
        kernel: KernelID? = 3
    ) -> ChipData {
        var record = Self.record
        change(&record)
        return ChipData(
            record: CardData(record.encoded), discretionary: CardData(discretionary.encoded), terminal: terminal,
            applicationName: visaName, kernel: kernel)
    }

    // MARK: Extraction

    @Test func everyFieldIsRead() throws {
        let chip = Self.chip(
            discretionary: [0x9F24: Bytes("V0010013022298169667504231315".utf8)],
            terminal: [0x9F34: [0x1F, 0x00, 0x02]])
        #expect(
            chip.scheme == .visa && chip.mode == .emv && chip.cryptogramType == .arqc
                && chip.cryptogramInformation == 0x80)
        #expect(chip.cryptogram.map(Bytes.init) == [1, 2, 3, 4, 5, 6, 7, 8] && chip.transactionCounter == 0x02AB)
        #expect(chip.unpredictableNumber.map(Bytes.init) == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(chip.issuerApplicationData?.format == .visa0 && chip.issuerApplicationData?.version == 0x0A)
        #expect(chip.accountNumber?.digits == Self.pan && chip.accountNumber?.hasValidCheckDigit == true)
        #expect(chip.expiry == ExpiryMonth(yymm: "3012") && chip.serviceCode == "201" && chip.sequenceNumber == 1)
        #expect(chip.track2?.discretionary == "1438825820000" && chip.track2?.problem == nil)
        #expect(chip.cvmResults?.method == 0x1F && chip.cvmResults?.result == .successful)
        let tvr = try #require(chip.terminalVerificationResults)
        #expect(
            tvr.isSet(byte: 1, bit: 8) && tvr.isSet(byte: 5, bit: 1) && !tvr.isSet(byte: 2, bit: 8)
                && tvr.bytes == [0x80, 0, 0, 0, 1])
        #expect(!tvr.isSet(byte: 0, bit: 8) && !tvr.isSet(byte: 6, bit: 1) && !tvr.isSet(byte: 5, bit: 9))
        #expect(chip.paymentAccountReference == "V0010013022298169667504231315")
        #expect(
            chip.formFactor?.deviceCode == 0
                && chip.formFactor?.fields.contains { $0.meaning == .passcodeCapable } == true)
        #expect(chip[0x84].map(Bytes.init) == Self.visaName && chip[0x9F33] == nil)
    }

    @Test("What an outcome does not say is not there: no receipt, no data, nothing discretionary")
    func anOutcomeSaysNothingByItself() {
        let outcome = Outcome(status: .approved)
        #expect(!outcome.receipt && outcome.discretionary == nil && outcome.dataRecord == nil)
        let empty = CardRead(authorization: .onlineRequired, outcome: outcome)
        #expect(empty.discretionary == CardData([]) && empty.dataRecord == CardData([]) && !empty.receiptRequested)
        var told = outcome
        told.discretionary = CardData([0x9F, 0x24, 0x01, 0x41])
        told.dataRecord = CardData([0x9F, 0x36, 0x01, 0x01])
        let read = CardRead(authorization: .onlineRequired, outcome: told)
        #expect(read.discretionary == told.discretionary && read.dataRecord == told.dataRecord)
    }

    /// The order is: data record, discretionary data, terminal data.
    @Test func theFirstListThatHasATagWins() {
        let chip = Self.chip(
            discretionary: [0x9F36: [0, 1], 0x9F24: [1]], terminal: [0x9F36: [0, 2], 0x9F24: [2], 0x9F1E: [3]])
        #expect(chip.transactionCounter == 0x02AB)
        #expect(chip[0x9F24].map(Bytes.init) == [1] && chip[0x9F1E].map(Bytes.init) == [3])
    }

    /// Book C-3, 5.4.3.1 and C-7, 4.1.4.4: without 9F27 the cryptogram type is in byte 5 of 9F10. Other schemes always
    /// send 9F27.
    @Test(arguments: [(UInt8(0x80), ChipData.CryptogramType.aac), (0x90, .tc), (0xA0, .arqc)])
    func theTypeIsThatOfTheIssuerDataWhereNothingElseTellsIt(code: UInt8, type: ChipData.CryptogramType) {
        #expect(Self.chip({ $0[0x9F10]![4] = code }).cryptogramType == type)
        #expect(
            Self.chip({
                $0[0x9F10]![4] = code; $0[0x9F27] = [0x40]
            }).cryptogramType == .tc)
        let other = ChipData(record: CardData(Self.record.encoded), kernel: 2)
        #expect(other.scheme == .mastercard && other.cryptogramType == nil)
    }

    @Test func anUnknownApplicationKeepsItsDataRaw() {
        let chip = ChipData(record: CardData(Self.record.encoded), applicationName: [0xA0, 0, 0, 0, 0x99, 1])
        #expect(chip.scheme == nil && chip.mode == .emv && chip.formFactor == nil)
        #expect(chip.issuerApplicationData?.format == .visa0 && chip.issuerApplicationData?.isAssumed == true)
        #expect(throws: IssuerDataSetError.noDefault) { try chip.dataSet() }
    }

    @Test func malformedDataGiveWhatComesBeforeTheFault() {
        let bytes = Self.record.encoded
        for size in 0...bytes.count {
            let chip = ChipData(record: CardData(Bytes(bytes.prefix(size))), kernel: 3)
            #expect(chip.tags == Array(Self.record.elements.map(\.tag).prefix(chip.tags.count)))
            for tag in chip.tags { #expect(chip[tag].map(Bytes.init) == Self.record[tag]) }
        }
    }

    @Test func theSchemeIsThatOfTheNameBeforeThatOfTheKernel() {
        let record = CardData(Self.record.encoded)
        #expect(ChipData(record: record, applicationName: Self.visaName, kernel: 2).scheme == .visa)
        #expect(
            ChipData(record: record, applicationName: [0xA0, 0, 0, 2, 0x77, 0x10, 0x10], kernel: 3).scheme == .visa)
        #expect(ChipData(record: record, applicationName: Self.visaName, kernel: 3, scheme: .jcb).scheme == .jcb)
        #expect(ChipData(record: record, kernel: 8).scheme == nil)
    }

    // MARK: Field 55

    /// Objects that each book makes mandatory, from Book 4, 12.1.1 and the kernels' tables.
    private static let required: [KernelID: [Tag]] = [
        2: [0x9F02, 0x9F26, 0x82, 0x9F36, 0x9F27, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37],
        3: [0x9F02, 0x9F26, 0x82, 0x9F36, 0x9F10, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37],
        4: [0x9F02, 0x9F03, 0x9F26, 0x82, 0x5F34, 0x9F36, 0x9F27, 0x9F10, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37],
        5: [
            0x9F02, 0x9F03, 0x9F26, 0x82, 0x9F36, 0x9F34, 0x84, 0x9F27, 0x9F10, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9F21,
            0x9C, 0x9F37,
        ],
        6: [0x9F02, 0x9F26, 0x82, 0x9F36, 0x9F10, 0x9F33, 0x9F1A, 0x9F35, 0x95, 0x9A, 0x9C, 0x9F37],
        7: [0x9F02, 0x9F03, 0x9F26, 0x82, 0x9F36, 0x9F27, 0x9F10, 0x9F33, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37],
        8: [0x9F02, 0x9F26, 0x82, 0x9F36, 0x9F27, 0x9F10, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37],
    ]

    /// Chip data with every tag of the set; each object's value is its own tag.
    private static func everything(_ set: IssuerDataSet, without: Tag? = nil) -> ChipData {
        var objects = DataObjects()
        for entry in set.entries where entry.tag != without { objects[entry.tag] = entry.tag.bytes }
        return ChipData(record: CardData(objects.encoded))
    }

    @Test(arguments: [2, 3, 4, 5, 6, 7, 8] as [KernelID])
    func presenceIsWhatTheBookOfTheKernelSays(kernel: KernelID) throws {
        let set = try #require(IssuerDataSet(kernel: kernel))
        let always = try #require(Self.required[kernel])
        #expect(Set(set.entries.filter(\.isRequired).map(\.tag)) == Set(always))
        #expect(Set(set.entries.map(\.tag)).count == set.entries.count)
        for entry in set.entries {
            let chip = Self.everything(set, without: entry.tag)
            if always.contains(entry.tag) {
                #expect(throws: IssuerDataSetError.missing(entry.tag)) { try chip.dataSet(set) }
            } else {
                let tags = TLVReader(try chip.dataSet(set).bytes).map(\.tag)
                #expect(tags == set.entries.map(\.tag).filter { $0 != entry.tag })
            }
        }
        #expect(!set.entries.contains { [0x57, 0x5A, 0x5F24, 0x56, 0x9F6B].contains($0.tag) }, "fields of their own")
    }

    @Test func kernelsWithoutADefaultSayNothing() {
        #expect(IssuerDataSet(kernel: 1) == nil && IssuerDataSet(kernel: 9) == nil && IssuerDataSet(kernel: 0) == nil)
        for scheme in PaymentScheme.allCases { #expect(!IssuerDataSet(scheme: scheme).entries.isEmpty) }
    }

    /// Any set over any objects is written and read back with equal values in the requested order.
    @Test func whatIsWrittenReadsBack() throws {
        var random = SeededRandom(seed: 3)
        let tags: [Tag] = [
            0x82, 0x84, 0x95, 0x9F02, 0x9F10, 0x9F26, 0x9F36, 0x5F34, 0xDF8129, 0xC7, 0x9F8106, 0x9F5B, 0xDF10,
        ]
        for _ in 0..<600 {
            var objects = DataObjects()
            for tag in tags where Bool.random(using: &random) {
                objects[tag] = random.bytes(
                    [1, 2, 3, 4, 7, 8, 9, 31, 127, 128, 200, 255, 256, 300].randomElement(using: &random)!)
            }
            let chip = ChipData(record: CardData(objects.encoded))
            let order = tags.shuffled(using: &random).prefix(Int.random(in: 0...tags.count, using: &random))
            let set = IssuerDataSet(order.map { IssuerDataSet.Entry($0) }, limit: 9999, overflow: .fail)
            let field = try chip.dataSet(set)
            let read = try DataObjects(tlv: field.bytes)
            #expect(read.elements == order.compactMap { tag in objects[tag].map { DataObjects.Element(tag, $0) } })
            #expect(field.leftOut == 0 && field.bytes == read.encoded)
        }
    }

    /// Limits one below, at and one above the required size.
    @Test func limitsAreKeptToTheByte() throws {
        let entries: [IssuerDataSet.Entry] = [
            .init(0x82, required: true), .init(0x9F10), .init(0x9F26, required: true), .init(0x9F36), .init(0x9F37),
        ]
        let chip = Self.chip()
        let whole = try chip.dataSet(IssuerDataSet(entries, limit: 255))
        let needed = whole.bytes.count
        #expect(needed == 4 + 10 + 11 + 5 + 7 && whole.leftOut == 0)
        for overflow in [IssuerDataSet.Overflow.leaveOut, .fail] {
            #expect(try chip.dataSet(IssuerDataSet(entries, limit: needed, overflow: overflow)) == whole)
            #expect(try chip.dataSet(IssuerDataSet(entries, limit: needed + 1, overflow: overflow)) == whole)
        }
        #expect(throws: IssuerDataSetError.tooLong(needed: needed)) {
            try chip.dataSet(IssuerDataSet(entries, limit: needed - 1, overflow: .fail))
        }
        for (limit, tags) in [
            (needed - 1, [0x82, 0x9F10, 0x9F26, 0x9F36]), (needed - 8, [0x82, 0x9F10, 0x9F26]), (15, [0x82, 0x9F26]),
        ] as [(Int, [Tag])] {
            let field = try chip.dataSet(IssuerDataSet(entries, limit: limit))
            #expect(
                TLVReader(field.bytes).map(\.tag) == tags && field.leftOut == 5 - tags.count
                    && field.bytes.count <= limit)
        }
        #expect(throws: IssuerDataSetError.tooLong(needed: 15)) { try chip.dataSet(IssuerDataSet(entries, limit: 14)) }
        #expect(throws: IssuerDataSetError.tooLong(needed: 15)) { try chip.dataSet(IssuerDataSet(entries, limit: 0)) }
        #expect(try chip.dataSet(IssuerDataSet(entries, limit: .max)) == whole)
        #expect(try chip.dataSet(IssuerDataSet([], limit: 0)).bytes.isEmpty)
    }

    @Test func aSetThatIsNoneIsRefused() throws {
        let chip = Self.chip()
        #expect(throws: IssuerDataSetError.duplicate(0x9F26)) {
            try chip.dataSet(IssuerDataSet([.init(0x9F26), .init(0x82), .init(0x9F26)]))
        }
        let many = (0..<65).map { IssuerDataSet.Entry(Tag(rawValue: 0xDF00 + UInt32($0))!) }
        #expect(throws: IssuerDataSetError.tooManyEntries(65)) { try chip.dataSet(IssuerDataSet(many)) }
        #expect(try chip.dataSet(IssuerDataSet(Array(many.prefix(64)))).bytes.isEmpty)
    }

    // MARK: Other fields

    @Test func fieldsOfTheMessageAreThoseOfTheCard() {
        let fields = Self.chip().messageFields(pin: .capable)
        #expect(
            fields.accountNumber == Self.pan && fields.expiry == "3012" && fields.entryMode == "071"
                && fields.sequenceNumber == "001")
        #expect(fields.track2 == "4761739001010119=30122011438825820000" && fields.track1 == nil)
        #expect(Self.chip().messageFields(separator: "D").track2 == "4761739001010119D30122011438825820000")
        let without = Self.chip({
            $0[0x57] = nil; $0[0x5F34] = nil; $0[0x5A] = Hex.bytes("476173900101011F"); $0[0x5F24] = [0x28, 0x02, 0x29]
        })
        #expect(without.messageFields().accountNumber == "476173900101011" && without.messageFields().expiry == "2802")
        #expect(without.messageFields().track2 == nil && without.messageFields().sequenceNumber == nil)
    }

    /// Kernel 2 sends tracks with dynamic codes and no cryptogram.
    @Test func tracksWithoutACryptogramAreMagStripeMode() throws {
        let track1 = "B5413330089600010^SUPPLIED/NOT^14122010123456789012345"
        let record: DataObjects = [
            0x9F6B: Hex.bytes("5413330089600010D14122010123409172030F")!, 0x56: Bytes(track1.utf8),
            0x84: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10],
        ]
        let chip = ChipData(record: CardData(record.encoded), kernel: 2)
        #expect(chip.mode == .magneticStripe && chip.scheme == .mastercard && chip.cryptogramType == nil)
        let fields = chip.messageFields(pin: .notCapable)
        #expect(
            fields.entryMode == "912" && fields.track2 == "5413330089600010=14122010123409172030"
                && fields.track1 == track1)
        #expect(
            chip.track1?.name == "SUPPLIED/NOT" && chip.track1?.serviceCode == "201"
                && chip.track1?.accountNumber?.digits == "5413330089600010")
        #expect(throws: IssuerDataSetError.missing(0x5F2A)) { try chip.dataSet() }
        #expect(
            ChipData(record: CardData([])).mode == nil
                && ChipData(record: CardData([])).messageFields().entryMode == nil)
    }

    /// Kernel 6 goes online after a failed CDA, so 9F26, which the signature carries, is missing (C-6, 3.4.1). The
    /// record differs from a mag-stripe one by 82 and 95, and its tracks are in 57, not in 56 or 9F6B.
    @Test func aTapOfEMVModeWithoutACryptogramIsNoMagStripe() {
        let chip = Self.chip { $0[0x9F26] = nil }
        #expect(chip.mode == .emv && chip.cryptogram == nil)
        #expect(chip.messageFields(pin: .notCapable).entryMode == "072")
        #expect(throws: IssuerDataSetError.missing(0x9F26)) { try chip.dataSet() }
        for tag: Tag in [0x82, 0x95] {
            #expect(
                Self.chip {
                    $0[0x9F26] = nil; $0[tag] = nil
                }.mode == .magneticStripe)
            #expect(
                Self.chip {
                    $0[0x9F26] = nil; $0[tag] = [0, 0, 0]
                }.mode == .magneticStripe)
        }
        for tag: Tag in [0x56, 0x9F6B] {
            #expect(
                Self.chip {
                    $0[0x9F26] = nil; $0[tag] = $0[0x57]
                }.mode == .magneticStripe)
        }
    }

    @Test func formFactorsAreReadByTheirScheme() {
        let third = FormFactor(Hex.bytes("02760000303000")![...], scheme: .mastercard)
        #expect(
            third.isKnown && third.country == "0276" && third.identifier == 0 && third.deviceType == "00"
                && Bytes(third.proprietary) == [0])
        let without = FormFactor([0x08, 0x40, 0x80, 0x03, 0x11], scheme: .mastercard)
        #expect(
            without.isKnown && without.deviceType == nil && without.identifier == 0x8003
                && Bytes(without.proprietary) == [0x11])
        let phone = FormFactor([0x23, 0x8C, 0x00, 0x00], scheme: .visa)
        #expect(
            phone.deviceCode == 3
                && phone.fields.filter { $0.value == 1 && $0.mask.nonzeroBitCount == 1 }.map(\.meaning) == [
                    .passcodeCapable, .twoWayMessaging, .cloudCredentials,
                ])
        let watch = FormFactor([0x23, 0x06, 0x00, 0x00], scheme: .jcb)
        #expect(watch.deviceCode == 3 && watch.fields.first { $0.meaning == .secureElement }?.value == 6)
        #expect(FormFactor([0, 0, 1], scheme: .amex).isKnown && !FormFactor([0, 0, 1, 0], scheme: .amex).isKnown)
        for (bytes, scheme) in [
            ([1, 2, 3], .visa), ([1, 2, 3, 4, 5], .jcb), ([0, 0, 0, 0, 1, 2], .mastercard), ([0, 0, 0, 0], .discover),
        ] as [(Bytes, PaymentScheme)] {
            #expect(!FormFactor(bytes[...], scheme: scheme).isKnown)
        }
    }

    // MARK: A tap

    @Test(arguments: ["online", "fdda", "formFactor", "onlineCVN18"])
    func everyDataSetOfASimulatedTapIsComplete(card: String) async throws {
        let reader = TapReader(SimulatedReader(try #require(CardProfile.named(card))), configuration: .simulator())
        let moment = LocalTime(date: testDay, time: .midnight)
        let outcome = await (try await reader.prepare()).read(
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), moment: moment))
        guard case .success(let read) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let chip = ChipData(read, terminal: [0x9F33: [0xE0, 0xB8, 0xC8]])
        let objects = try DataObjects(tlv: try chip.dataSet().bytes)
        #expect(
            objects[0x9F02] == [0, 0, 0, 0, 0x12, 0x50] && objects[0x9F33] == [0xE0, 0xB8, 0xC8]
                && objects[0x84] == read.outcome.applicationName)
        #expect(objects[0x9F26].map { $0[...] } == chip.cryptogram && objects[0x57] == nil && objects[0x5A] == nil)
        #expect(chip.cryptogramType == (read.authorization == .approvedOffline ? .tc : .arqc))
        #expect(chip.issuerApplicationData?.format != nil && chip.messageFields().entryMode == "070")
    }

    // MARK: Redaction

    private func texts(_ value: some Sendable) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }.joined()
        return ["\(value)", String(describing: value), String(reflecting: value), dumped, children]
    }

    @Test func noTextHoldsTheAccountNumber() throws {
        let chip = Self.chip()
        let decimal = Hex.bytes(Self.pan)!.map { "\($0)" }.joined(separator: ", ")
        let values: [[String]] = [
            texts(chip), texts(chip.track2!), texts(chip.accountNumber!), texts(chip.messageFields()),
            texts(try chip.dataSet()),
            texts(chip.issuerApplicationData!), texts(Track1(Bytes("B4761739001010119^NAME/NO^3012201".utf8))),
            [String(decoding: try JSONEncoder().encode(chip), as: UTF8.self)],
            [String(decoding: try JSONEncoder().encode([chip.accountNumber!]), as: UTF8.self)],
        ]
        for text in values.joined() {
            #expect(
                !text.contains(Self.pan) && !text.contains(decimal) && !text.contains("1438825820000")
                    && !text.contains("NAME/NO"), "\(text.prefix(60))")
            #expect(!text.filter(\.isNumber).contains(Self.pan.dropFirst(6).dropLast(4)))
        }
        #expect("\(chip.accountNumber!)" == "476173******0119")
        #expect(chip.description.hasPrefix("visa, emv, [9F02: 6 bytes"))
    }
}
