// SPDX-License-Identifier: Apache-2.0
#if Journal
@testable import EMVJournal
import EMVKit
import EMVSimulator
import TestData
import Testing

/// Every event with all its members is read as it was written.
@Suite(.timeLimit(.minutes(10))) struct RoundTripTests {
    private static let key = ReconciliationKey(rawValue: "original")!
    private static let issuerData: DataObjects = [0x8A: [0x30, 0x30], 0x91: [1, 2, 3]]

    private static let read = StoredRead(
        authorization: .onlineRequired, cvm: .cdcvm, maskedPAN: MaskedPAN("411111******1111"),
        clearRecord: CardData([0x9F, 0x26, 0x02, 0x12, 0x34]),
        application: StoredRead.Application(identifier: [0xA1, 0x23, 0x45], label: "Label", kernel: 3),
        payload: SealedPayload(scheme: "test", keyIdentifier: [1], encapsulatedKey: [2, 3], ciphertext: [4, 5, 6]),
        fingerprint: Fingerprint(rawValue: "card"), isSimulated: true)

    private static func intent(_ followUp: FollowUp.Action) -> TapIntent {
        with(
            TapIntent(
                sale: SaleReference(rawValue: "order"), kind: .refund, amount: Payments.euro(5),
                cashBack: Payments.euro(2), due: Payments.euro(9), counter: 77, moment: Payments.moment,
                followUp: FollowUp(followUp, of: key))
        ) {
            $0.ceiling = Payments.euro(7)
            $0.isEstimated = true
        }
    }

    private static var approval: Approval {
        var approval = Approval(
            origin: .card, code: "123456", responseCode: "Y1", issuerData: issuerData,
            approvedAmount: Payments.euro(4), balance: Payments.euro(8))
        approval.cardAnswer = CardData([0x9F, 0x5B, 0x01, 0x07])
        approval.isPINVerified = true
        return approval
    }

    private static let decline = Decline(reason: .insufficientFunds, responseCode: "51", issuerData: issuerData)

    private struct Unread: Error {}

    private static func receipt() async throws -> Receipt {
        let reader = TapReader(SimulatedReader(.online), configuration: .simulator())
        let outcome = await reader.read(PaymentRequest(amount: Payments.euro(SimulatedTap.online.amount)))
        guard case .success(let read) = outcome else { throw Unread() }
        var receipt = Receipt(
            read, kind: .refund, result: .approvedLater, total: Payments.euro(5),
            merchant: Merchant("Shop", via: "Pay", city: "Bern", latinName: "Shop", identifier: "7"),
            moment: Payments.moment)
        receipt.approvedAmount = Payments.euro(4)
        receipt.balance = Payments.euro(8)
        receipt.cashBack = Payments.euro(1)
        receipt.lines = [LineItem(.tip, minorUnits: 5, isEstimate: true)]
        receipt.original = "original"
        receipt.later = DueLater(Payments.euro(3), on: Payments.moment.date)
        receipt.note = TextKey("note")
        receipt.terminal = "T1"
        receipt.counter = 7
        receipt.reference = "reference"
        receipt.cardSequence = "01"
        receipt.setApplicationLabel("Label")
        receipt.transactionCounter = 9
        receipt.verificationResults = "0000008000"
        receipt.statusInformation = "E800"
        receipt.verification = .signature
        receipt.authorizationCode = "123456"
        receipt.responseCode = "00"
        receipt.configuration = Configuration.Identity(version: "1", fingerprint: "ab")
        return receipt
    }

    /// Payments that contain every event.
    private static func lives() async throws -> [[JournalEvent]] {
        [
            [
                .began(intent(.capture(Payments.euro(5), tip: Payments.euro(1)))), .queued(.capture),
                .forwarding(attempt: 1), .setAside("unreadable"), .acknowledged, .forwarding(attempt: 2),
                .forwarded(.declined(decline)), .receipted(try await receipt()), .closed, .clockJumped(seconds: 400),
            ],
            [
                .began(intent(.increment(Payments.euro(5)))), .changed(Payments.euro(6)), .read(read),
                .asking(attempt: 1, deadline: .milliseconds(1_500)), .unsent,
                .asking(attempt: 2, deadline: .seconds(30)), .restored, .challenged,
                .asking(attempt: 3, deadline: .seconds(30)),
                .answered(.approved(approval)), .reversing(.cardRefused), .answeredLate(.approved(approval)), .reversed,
                .closed,
            ],
            [
                .began(intent(.refund(Payments.euro(5)))), .read(read), .asking(attempt: 1, deadline: .seconds(30)),
                .queued(.deferredAuthorization), .withdrawn, .erased(.fingerprint), .closed, .erased(.account),
            ],
            [.began(intent(.void)), .queued(.void), .writtenOff(by: "administrator 7", reason: "closed"), .closed],
        ]
    }

    private static func entries() async throws -> [[JournalEntry]] {
        var number: UInt64 = 0
        return try await lives().enumerated().map { life, events in
            events.map { event in
                number += 1
                return JournalEntry(
                    number: number, key: Payments.key(life),
                    moment: JournalMoment(
                        wall: 1_700_000_000 + Int64(number), boot: "one", uptime: Int64(10 * number),
                        elapsed: Int64(number), run: "run-\(life)"), event: event)
            }
        }
    }

    /// Members with default values, at any depth.
    private static func unset(_ value: Any, _ path: String = "") -> [String] {
        switch value {
        case is Duration, is LocalTime, is Currency, is DataObjects, is CardData, is ReconciliationKey: return []
        case let text as String: return text.isEmpty ? [path] : []
        case let truth as Bool: return truth ? [] : [path]
        case let number as any BinaryInteger: return Int64(number) == 0 ? [path] : []
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection: if mirror.children.isEmpty { return [path] }
        case .enum where mirror.children.isEmpty: return isFirst(value) ? [path] : []
        default: if mirror.children.isEmpty { return ["\(path): nothing to look at in \(type(of: value))"] }
        }
        return mirror.children.flatMap { unset($0.value, "\(path).\($0.label ?? "-")") }
    }

    private static func isFirst(_ value: Any) -> Bool {
        guard let value = value as? any CaseIterable else { return false }
        return "\(value)" == first(of: value).map { "\($0)" }
    }

    private static func first<Value: CaseIterable>(of value: Value) -> Value? { Value.allCases.first }

    /// A new member must be set here, so that the test checks whether it is kept.
    @Test("The events that are kept here have every member set, and none is missing")
    func everythingIsSet() async throws {
        let lives = try await RoundTripTests.lives()
        #expect(Set(lives.joined().map(\.name)) == Set(JournalEvent.Name.allCases))
        for name in JournalEvent.Name.allCases {
            let unset = lives.joined().filter { $0.name == name }.map { RoundTripTests.unset($0, name.rawValue) }
            #expect(unset.contains([]), "\(unset)")
        }
        let bare = StoredRead(authorization: .declined, cvm: .none, maskedPAN: nil, clearRecord: CardData([]))
        #expect(RoundTripTests.unset(bare).count == 6, "what is looked for is found: \(RoundTripTests.unset(bare))")
    }

    @Test("L16: every event is read as it was written: recent, old, after a restart, in a look and in an export")
    func everyEventIsKept() async throws {
        let place = try Place(), written = try await RoundTripTests.entries()
        let kept = written.joined().map { entry in
            // A later event of its payment erased it.
            guard case .read(let read) = entry.event, entry.key == Payments.key(2) else { return entry }
            return JournalEntry(
                number: entry.number, key: entry.key, moment: entry.moment, event: .read(read.with(nil, nil)))
        }
        func agrees(_ journal: SQLiteJournal, _ label: Comment) async throws {
            for (found, entry) in zip(try await journal.entries(), kept) { #expect(found == entry, label) }
            #expect(try await journal.entries().count == kept.count, label)
            let tap = try #require(try await journal.tap(Payments.key(1)))
            #expect(tap.read == RoundTripTests.read && tap.read?.isSimulated == true, label)
        }
        @Sendable func options(_ options: inout SQLiteJournal.Options) {
            options.clock = JournalClock {
                JournalClock.Reading(wall: 1_700_000_100, boot: "one", uptime: 1_000)
            }
        }
        let journal = try await place.open(knobs: SQLiteJournal.Knobs(recent: 1), options)
        try await journal.load(Array(written.joined()))
        try await agrees(journal, "recent")
        await journal.close()
        let again = try await place.open(knobs: SQLiteJournal.Knobs(recent: 1), options)
        try await agrees(again, "opened again")
        try await again.maintain()
        #expect(try await again.numbers("SELECT COUNT(*) FROM taps") == [3])
        try await agrees(again, "moved")
        let look = try await place.open { $0.isReadOnly = true }
        try await agrees(look, "looked at")
        let file = try await JournalExport.seal(written, by: SimulatedSealer(), SimulatedSigner()).file()
        let opened = try JournalExport(file: file).open(SimulatedSigner()) { SimulatedSealer().open($0, context: $1) }
        #expect(opened == written)
    }
}
#endif
