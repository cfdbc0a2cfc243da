// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Integrated data storage: terminals of one operator, and cards with a slot.
@Suite struct MastercardStorageTests {
    static let owner: Bytes = [1, 2, 3, 4, 5, 6, 7, 8]
    static let secret: Bytes = [9, 9, 9, 9, 9, 9, 9, 9]

    /// The terminal's answer after it has seen the slot: proof, next lock, slot, data, cryptogram types.
    static func order(
        type: UInt8 = 0x40, info: UInt8 = 0x80, reader: UInt8 = 0xE0, data: Bytes = [0xAA, 0xBB]
    ) -> DataObjects {
        [
            0xDF60: Bytes(repeating: 0, count: 8), 0xDF8109: secret, 0xDF62: [info], 0xDF63: data, 0xDF8108: [type],
            0xDF810A: [reader],
            0xDF8110: [0x01],
        ]
    }

    private func pos(_ order: DataObjects? = order(), profile: Protection.Profile = .guarded) -> MastercardPOS {
        var pos = MastercardPOS(profile)
        pos.configuration.protection.offline = .enforce
        pos.transaction = MastercardPOS.sale(
            12_50,
            [
                0x9F5C: Self.owner, 0xDF8110: [], 0xDF60: [], 0xDF8109: [], 0xDF62: [], 0xDF63: [], 0xDF8108: [],
                0xDF810A: [],
            ])
        if let order { pos.answers = [order] }
        return pos
    }

    @Test func aFreeSlotIsOfferedWrittenAndProven() throws {
        var card = MastercardPOS.card("mcStorage")
        var tap = try pos().tap(&card)
        #expect(tap.outcome.status == .approved)
        let sent = tap.exchanges.flatMap { $0 }
        #expect(sent.containsSequence([0x9F, 0x5F, 0x01, 0x80]) && sent.containsSequence([0x9F, 0x7F, 0x04]))
        #expect(tap.outcome.discretionary?[0xDF810B] == [0xC0], "read and written")
        #expect(tap.outcome.discretionary?[0xDF8102] != nil)
        let cryptogram = try #require(tap.commands.first { $0[1] == 0xAE })
        #expect(cryptogram[2] == 0x50)
        #expect(
            cryptogram.dropLast().suffix(2) == [0xAA, 0xBB], "the last value of the DSDOL comes as it is, not padded")
        #expect(
            cryptogram.containsSequence(
                StorageSlot.digest(Self.secret, identifier: storageIdentifier, owner: Self.owner)))

        // The owner finds its data.
        tap = try pos(nil).tap(&card)
        #expect(tap.exchanges.flatMap { $0 }.containsSequence([0x9F, 0x54, 0x02, 0xAA, 0xBB]))
    }

    private var storageIdentifier: Bytes { CardProfile.named("mcStorage")!.application.storageIdentifier }

    @Test func withoutAnOperatorNothingIsOffered() throws {
        var pos = pos()
        pos.transaction.data[0x9F5C] = nil
        pos.transaction.data[0xDF8110] = nil
        let tap = try pos.tap("mcStorage")
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.discretionary?[0xDF810B] == [0x00])
        #expect(tap.exchanges.isEmpty || !tap.exchanges.flatMap { $0 }.containsSequence([0x9F, 0x7D]))
    }

    @Test func aReaderWithoutStorageReadsNone() throws {
        var pos = pos()
        pos.configuration = .simulator(mastercard: [0xDF810D: [0x02], 0xDF811D: [0x00]])
        pos.configuration.combinations[1].data[0xDF810D] = nil
        #expect(try pos.tap("mcStorage").outcome.discretionary?[0xDF810B] == [0x00])
    }

    @Test func readingAloneIsProvenToo() throws {
        let tap = try pos([0xDF8110: [0x01]]).tap("mcStorageUsed")
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.discretionary?[0xDF810B] == [0x80], "read")
    }

    /// If a card's signed summary differs from the one it showed, the card is not trusted.
    @Test func aDifferingSummaryEndsWithAReadError() throws {
        for profile in Protection.Profile.allCases {
            let tap = try pos(profile: profile).tap("mcStorageDiffering")
            #expect(tap.outcome.status == .endApplication)
            #expect(tap.outcome.errorIndication.l2 == 0x0B)
            #expect(tap.outcome.dataRecord != nil, "the write may have happened")
        }
    }

    @Test(arguments: [(UInt8(0xE0), true), (0xE2, false)])
    func aWriteThatFailedEndsWhereTheTerminalWantsThat(reader: UInt8, passes: Bool) throws {
        let tap = try pos(Self.order(reader: reader)).tap("mcStorageReadOnly")
        #expect((tap.outcome.status == .approved) == passes)
        #expect(tap.outcome.errorIndication.l2 == (passes ? 0x00 : 0x0C))
        #expect(passes || tap.outcome.dataRecord == nil)
    }

    /// The cryptogram type that the terminal requests, and its behaviour without a match.
    @Test(arguments: [
        (UInt8(0x40), UInt8(0x00), "approved"), (0x80, 0x00, "onlineRequest"), (0x00, 0x00, "tryAnotherInterface"),
    ])
    func theTerminalChoosesTheCryptogram(type: UInt8, reader: UInt8, status: String) throws {
        let tap = try pos(Self.order(type: type, reader: reader)).tap("mcStorage")
        #expect(tap.outcome.status.rawValue == status)
        #expect(tap.commands.first { $0[1] == 0xAE }?[2] == type | 0x10)
        #expect(tap.outcome.discretionary?[0xDF810B] == [0xC0])
    }

    @Test(arguments: [(UInt8(0x04), UInt8(0x0E)), (0x00, 0x00)])
    func withoutAMatchTheReaderStopsOrOnlyReads(reader: UInt8, error: UInt8) throws {
        // Above the floor limit the cryptogram is online; the terminal wanted a TC, and cannot use an ARQC.
        var pos = pos(Self.order(type: 0x40, reader: reader))
        pos.configuration = .simulator(
            limits: Limits(floor: 0), mastercard: [0xDF8122: [0xF4, 0x50, 0x84, 0x80, 0x0C]])
        let tap = try pos.tap("mcStorage")
        #expect(tap.outcome.errorIndication.l2 == error)
        #expect(tap.count(0xAE) == (error == 0 ? 1 : 0))
        if error == 0 {
            #expect(tap.commands.last { $0[1] == 0xAE }?[2] == 0x90)
            #expect(tap.outcome.discretionary?[0xDF810B] == [0x80])
        }
    }

    @Test func anOrderWithoutATypeEndsWithADataError() throws {
        var order = Self.order()
        order[0xDF8108] = nil
        let tap = try pos(order).tap("mcStorage")
        #expect(tap.outcome.errorIndication.l2 == 0x0D)
        #expect(tap.count(0xAE) == 0)
    }

    /// DS ID is the account: the slot belongs to another card.
    @Test func aForeignIdentifierEnds() throws {
        let foreign: Bytes = [0x54, 0x13, 0x33, 0x90, 0x00, 0x00, 0x15, 0x13, 0x01]
        let tap = try pos().tap("mcStorage", [CardEdit(.selection, .response(.replace(0x9F5E, foreign)))])
        #expect(tap.outcome.errorIndication.l2 == 0x06)
        #expect(tap.count(0xAE) == 0)
    }

    @Test func storageAndRelayResistanceAreSignedTogether() throws {
        let tap = try pos().tap("mcStorageRelay")
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.discretionary?[0xDF810B] == [0xC0])
        #expect(tap.terminalVerification?.last == 0x02)
    }

    /// The tap is cut at every step: afterwards the slot was written once, and one cryptogram was approved.
    @Test func aCutWriteIsRecovered() throws {
        var whole = MastercardPOS.card("mcStorageTorn")
        let steps = try pos().tap(&whole).commands.count
        for step in 1...steps {
            for cut in MastercardTornTests.cuts {
                let place = "\(cut) at \(step)"
                var card = MastercardTornTests.Cut(
                    Witness(MastercardPOS.card("mcStorageTorn")), FaultPlan(at: step, cut))
                let reader = ReaderMemory()
                var pos = pos()
                pos.answers += pos.answers
                let tap = try pos.tap(&card, reader)
                #expect(tap.outcome.status == .approved, "\(place)")
                #expect(card.card.approvals.count == 1, "\(place)")
                #expect(reader.tornTransactions == 0, "\(place)")
                #expect(tap.outcome.discretionary?[0xDF810B] == [0xC0], "\(place)")
                var slot = card.card.card
                let next = try self.pos(nil).tap(&slot)
                #expect(next.exchanges.flatMap { $0 }.containsSequence([0x9F, 0x54, 0x02, 0xAA, 0xBB]), "\(place)")
            }
        }
    }

    /// Without torn recovery the lost response to a write ends the tap with the data record, because the slot may have
    /// changed.
    @Test func aLostWriteWithoutRecoveryEndsWithItsDataRecord() throws {
        var pos = pos()
        var whole = MastercardPOS.card("mcStorage")
        let steps = try pos.tap(&whole).commands.count
        pos.patience = 1
        var card = FaultyCard(MastercardPOS.card("mcStorage"), FaultPlan(at: steps, .loseResponse))
        let tap = try pos.tap(&card, ReaderMemory())
        #expect(!tap.gaveUp)
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.outcome.errorIndication.l1 == 1)
        #expect(tap.outcome.dataRecord != nil)
    }
}
