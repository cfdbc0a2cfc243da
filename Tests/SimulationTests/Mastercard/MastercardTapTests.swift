// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Kernel 2 with every named Mastercard, in `KernelSession` and in `TapReader`.
@Suite struct MastercardTapTests {
    /// The result of every card at the simulated POS for 12.50: below the CVM limit of 50.00 and the floor limit of
    /// 100.00.
    static let below: [String: [String]] = [
        "approved none": [
            "mcOffline", "mcOfflineMax", "mcOfflineSmallF4", "mcBalance", "mcBothModes", "mcRelay", "mcRelaySlowOnce",
            "mcTorn", "mcTornRelay",
            "mcTornBalance", "mcPhoneOffline", "mcStorage", "mcStorageUsed", "mcStorageReadOnly", "mcStorageRelay",
            "mcStorageTorn",
            "mcStorageDiffering", "mcPDOL", "mcSpread", "mcProprietaryFile", "mcLongPAN", "mcUnknownObjects",
            "mcDuplicateData", "mcStubbornOffline",
        ],
        "onlineRequest none": [
            "mcOnline", "mcOnlineMax", "mcNoCDA", "mcWithoutCDA", "mcNoCDAOffline", "mcLimit", "mcFieldOff",
            "mcMaestro", "mcStripe",
            "mcStripeTrack2", "mcStripeDefaultUDOL", "mcStripeWide", "mcStripePhone", "mcRelayNoCDA", "mcRelayOnline",
            "mcTornOnline",
            "mcTornNoCDA", "mcPhone", "mcPhoneAlways", "mcWatch", "mcEnvelopes", "mcNoCVM", "mcNoCVMList",
            "mcNoVerification", "mcFormat1",
            "mcCounters", "mcCommonKey", "mcCommonKeyCounters", "mcCommonCore", "mcCommonCoreAES", "mcExpired",
            "mcNotYetEffective", "mcAndVisa",
            "mcUnknownCA", "mcMissingCertificate",
        ],
        "onlineRequest cdcvm": ["mcStripeWatch"],
        "declined": ["mcDeclineDevice", "mcStripeDecline", "mcPhoneConflict", "mcPhonePIN"],
        "tryAnotherInterface": [
            "mcDecline", "mcDeclineSigned", "mcStripeNoNumber", "mcStripeShort", "mcRelaySlow", "mcRelayLate",
            "mcRelayMismatch", "mcOnlinePIN",
            "mcSignature", "mcFailCVM", "mcDomestic",
        ],
        "unreadable": [
            "mcStripeMismatch", "mcRelayFast", "mcPhoneAcknowledge", "mcPhoneWallet", "mcSelectNext", "mcWrongHash",
            "mcWrongCardHash",
            "mcWrongStaticData", "mcWrongTagList", "mcWrongSignature", "mcReplayedSignature", "mcWrongSignatureFormat",
            "mcMissingSignature",
            "mcDifferingData", "mcDifferingType", "mcMissingCounter", "mcUndefinedCryptogram", "mcEmptyAFL",
            "mcUnevenAFL", "mcAbsentRecord",
            "mcRecordWithoutTemplate", "mcTruncatedOptions", "mcDifferingRelay", "mcMissingCryptogram",
        ],
    ]

    /// The differences for 60.00: above the CVM limit, below the floor limit.
    static let above: [String: [String]] = [
        "onlineRequest cdcvm": ["mcPhone", "mcPhoneAlways", "mcWatch", "mcStripePhone", "mcStripeWatch"],
        "approved cdcvm": ["mcPhoneOffline"],
        "onlineRequest signature": ["mcSignature"],
        "onlineRequest none": ["mcNoCVMList", "mcNoVerification"],
        "tryAnotherInterface": ["mcNoCVM"],
        "onlineRequest onlinePIN": ["mcOnlinePIN"],
        "unreadable": ["mcStubbornOffline"],
    ]

    private static func table(_ amount: UInt64) -> [String: String] {
        var table: [String: String] = [:]
        for (result, names) in below { for name in names { table[name] = result } }
        guard amount >= 50_00 else { return table }
        // Every other readable card requires its online PIN, which sends it online.
        for (name, result) in table where result.hasPrefix("approved") || result.hasPrefix("onlineRequest") {
            table[name] = "onlineRequest onlinePIN"
        }
        for (result, names) in above { for name in names { table[name] = result } }
        return table
    }

    @Test func everyCardHasItsRow() {
        #expect(Set(Self.table(12_50).keys) == Set(MastercardPOS.names))
        #expect(MastercardPOS.names.count == 99)
    }

    @Test(arguments: [12_50, 60_00] as [UInt64])
    func everyCardLeadsWhereTheTableSays(amount: UInt64) throws {
        let table = Self.table(amount)
        for name in MastercardPOS.names {
            var pos = MastercardPOS()
            pos.transaction = MastercardPOS.sale(amount)
            var card = MastercardPOS.card(name)
            let tap = try pos.tap(&card, ReaderMemory())
            #expect(
                tap.summary == table[name],
                "\(name) for \(amount): \(tap.outcome.reason) \(tap.outcome.errorIndication)")
        }
    }

    @Test(arguments: [12_50, 60_00] as [UInt64])
    func theReaderEndsWhereTheSessionEnds(amount: UInt64) async throws {
        let names: [String: TapName] = [
            "declined": .declined, "tryAnotherInterface": .tryAnotherInterface, "unreadable": .unreadable,
            "onlineRequest onlinePIN": .onlinePINRequired,
        ]
        for (name, result) in Self.table(amount) {
            let reader = TapReader(
                SimulatedReader(CardProfile.named(name)!), configuration: .simulator(), options: .ofTools)
            let session = try await reader.prepare()
            let outcome = await session.read(
                PaymentRequest(amount: Money(minorUnits: amount, currency: .eur), moment: TapThroughTests.moment))
            #expect(outcome.name == names[result] ?? .success, "\(name) for \(amount)")
            guard case .success(let read) = outcome else { continue }
            #expect("\(read.outcome.status.rawValue) \(read.cvm.rawValue)" == result, "\(name) for \(amount)")
        }
    }

    /// The issuer accepts the kernel's data record, signed cryptograms included.
    @Test func theIssuerAcceptsTheDataRecord() throws {
        var accepted = 0
        for amount in [12_50, 60_00] as [UInt64] {
            for (name, result) in Self.table(amount)
            where result.hasPrefix("approved") || result.hasPrefix("onlineRequest") {
                guard !name.hasPrefix("mcStripe") else { continue }
                var pos = MastercardPOS()
                pos.transaction = MastercardPOS.sale(amount)
                let tap = try pos.tap(name)
                let data = try #require(tap.outcome.dataRecord)
                var record = Dictionary(uniqueKeysWithValues: data.tags.map { ($0.rawValue, data[$0]!) })
                let issuer = SimulatedIssuer(CardProfile.named(name)!.application)
                #expect(issuer.accepts(record), "\(name) for \(amount)")
                record[0x9F37]?[0] ^= 1
                #expect(!issuer.accepts(record), "\(name) for \(amount)")
                accepted += 1
            }
        }
        #expect(accepted > 80)
    }

    @Test func anAmountAboveTheKernelsLimitIsToldAsSuch() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(300_01)
        let tap = try pos.tap("mcOnline")
        #expect(tap.outcome.reason == .kernelLimit)
        #expect(tap.summary == "limitExceeded")
        pos.transaction = MastercardPOS.sale(300_00)
        #expect(
            try pos.tap("mcOnline").summary == "onlineRequest onlinePIN", "an amount equal to the limit is below it")
    }

    /// The limit for verified devices applies only to them.
    @Test func devicesHaveTheirOwnLimit() throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(
            limits: Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000, cdcvmTransaction: 50_000))
        pos.transaction = MastercardPOS.sale(400_00)
        #expect(try pos.tap("mcWatch").summary == "onlineRequest cdcvm")
        #expect(try pos.tap("mcOnline").summary == "limitExceeded")
    }

    @Test func refundsEndWithoutADecline() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(type: .refund)
        let tap = try pos.tap("mcDecline")
        #expect(tap.outcome.status == .endApplication)
        #expect(tap.messages.last == .clearDisplay)
        #expect(tap[0x9F26] != nil, "the data record goes out")
    }

    @Test func aReaderWithoutAContactSlotDeclines() throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(mastercard: [0xDF8117: [0x40]])
        #expect(try pos.tap("mcDecline").summary == "declined")
    }

    /// Field-off request: 13 units of 100 ms if the card detects it, otherwise none.
    @Test func fieldIsHeldOffForCardsThatDetectIt() throws {
        #expect(try MastercardPOS().tap("mcFieldOff").outcome.fieldOff == .milliseconds(1300))
        #expect(try MastercardPOS().tap("mcOnline").outcome.fieldOff == nil)
    }

    @Test func balanceIsReadBeforeAndAfterAndShownWithTheApproval() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(12_50, [0xDF8104: [], 0xDF8105: []])
        let tap = try pos.tap("mcBalance")
        #expect(tap.outcome.status == .approved)
        #expect(tap.outcome.discretionary?[0xDF8104] == [0, 0, 0, 1, 0x23, 0x45])
        #expect(tap.outcome.discretionary?[0xDF8105] == [0, 0, 0, 1, 0x10, 0x95])
        #expect(tap.outcome.uiOnOutcome?.value == UIRequest.Value(qualifier: .balance, amount: 110_95, currency: 978))
        #expect(tap.count(0xCA) == 2)
        #expect(try MastercardPOS().tap("mcBalance").count(0xCA) == 0, "who does not ask is told nothing")
    }

    @Test func envelopesAreReadAndWrittenAroundTheCryptogram() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(
            12_50,
            [
                0xDF8112: [0x9F, 0x75, 0x9F, 0x36], 0xFF8102: [0x9F, 0x75, 0x02, 0xCA, 0xFE],
                0xFF8103: [0x9F, 0x76, 0x01, 0xAA, 0x9F, 0x77, 0x01, 0xBB],
            ])
        var card = MastercardPOS.card("mcEnvelopes")
        var tap = try pos.tap(&card)
        #expect(tap.outcome.discretionary?[0xDF810F] == [0x80])
        #expect(tap.outcome.discretionary?[0xDF810E] == [0x80])
        let instructions = tap.instructions
        #expect(instructions.suffix(4) == [0xDA, 0xAE, 0xDA, 0xDA])
        tap = try pos.tap(&card)
        #expect(tap.exchanges.contains { $0.count > 8 && Array($0).containsSequence([0x9F, 0x75, 0x02, 0xCA, 0xFE]) })
        // An object that requires secure messaging is refused, writing stops, and the sale continues.
        pos.transaction.data[0xFF8102] = [0x9F, 0x70, 0x01, 0x00]
        tap = try pos.tap(&card)
        #expect(tap.outcome.discretionary?[0xDF810F] == [0x00])
        #expect(tap.outcome.status == .onlineRequest)
    }

    /// A kernel that has to wait before the first write asks once, and continues when permitted.
    @Test func theFirstWriteWaitsForTheTerminal() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(12_50, [0xDF8110: []])
        pos.answers = [[0xDF8110: [0x00]], [0xDF8110: [0x01]]]
        let tap = try pos.tap("mcOnline")
        #expect(tap.questions.count == 2)
        #expect(tap.questions.first?.bytes == [0xDF, 0x81, 0x10])
        #expect(tap.questions.first?.deadline == .milliseconds(500))
        #expect(tap.outcome.status == .onlineRequest)
        pos.answers = []
        let late = try pos.tap("mcOnline")
        #expect(late.outcome.errorIndication.l3 == 1, "time-out")
        #expect(late.outcome.status == .endApplication)
    }

    /// Without CDA the kernel stops reading after the last object it needs, unless it is configured to read all
    /// records.
    @Test func readingEndsWhereNothingNeededCanFollow() throws {
        let early = try MastercardPOS().tap("mcWithoutCDA")
        var pos = MastercardPOS()
        pos.configuration = .simulator(mastercard: [0xDF811B: [0x34]])
        let all = try pos.tap("mcWithoutCDA")
        #expect(early.count(0xB2) < all.count(0xB2))
        #expect(early.summary == all.summary)
        #expect(
            try MastercardPOS().tap("mcOnline").count(0xB2) == pos.tap("mcOnline").count(0xB2),
            "CDA needs its certificates")
    }

    @Test func aboveTheFloorLimitTheActionCodesDecide() throws {
        var pos = MastercardPOS()
        pos.configuration = .simulator(limits: Limits(floor: 12_49))
        var tap = try pos.tap("mcOffline")
        #expect(tap.outcome.status == .onlineRequest)
        #expect(tap.terminalVerification?[3] == 0x80)
        pos.configuration = .simulator(limits: Limits(floor: 12_50))
        tap = try pos.tap("mcOffline")
        #expect(tap.outcome.status == .approved, "an amount equal to the limit is below it")
        #expect(tap.terminalVerification?[3] == 0x00)
    }

    /// Book 3, 10.6.1 in everyday terms: an amount that exceeds the limit is above it. All amounts around all limits.
    @Test func theFloorLimitIsComparedAsANumber() throws {
        let edges: [UInt64] = [
            0, 1, 99, 100, 101, 255, 256, 9_999, 10_000, 65_535, 65_536, 99_999_999, 100_000_000, 4_294_967_296,
            999_999_999_999,
        ]
        var pos = MastercardPOS()
        for limit in edges {
            pos.configuration = .simulator(
                limits: Limits(floor: limit))
            for amount in edges {
                pos.transaction = MastercardPOS.sale(amount)
                let tap = try pos.tap("mcOnline")
                let told = try #require(tap.terminalVerification, "limit \(limit), amount \(amount): \(tap.summary)")
                #expect(
                    (told[3] & 0x80 != 0)
                        == (String(amount).count == String(limit).count
                            ? String(amount) > String(limit) : String(amount).count > String(limit).count),
                    "limit \(limit), amount \(amount)")
            }
        }
    }

    /// A card that refuses its codes cannot be used as an oracle: each try doubles the waiting time, until one
    /// succeeds.
    @Test func aFailedChecksumCostsTime() throws {
        let reader = ReaderMemory()
        func waits(_ name: String) throws -> [Duration?] {
            var card = MastercardPOS.card(name)
            return try MastercardPOS().tap(&card, reader).questions.map(\.deadline)
        }
        for expected in [300, 600, 1200, 2400, 4800, 9600, 9600] {
            #expect(try waits("mcStripeDecline") == [.milliseconds(expected)])
        }
        #expect(try waits("mcStripe").isEmpty)
        #expect(try waits("mcStripeDecline") == [.milliseconds(300)])
    }

    /// The tracks of the data record, digit for digit as the rule builds them from the card's codes.
    @Test(arguments: [
        ("mcStripe", false), ("mcStripeTrack2", false), ("mcStripeDefaultUDOL", false), ("mcStripeWide", false),
        ("mcStripeWatch", true),
    ])
    func filledTracksAreTheIssuers(name: String, verified: Bool) throws {
        var card = MastercardPOS.card(name)
        var copy = card
        let tap = try MastercardPOS().tap(&card)
        var answer: [UInt8] = []
        for command in tap.commands { answer = copy.respond(to: command) }
        let objects = PlainTerminal.find(0x77, in: answer.dropLast(2)).flatMap(DataObject.parse) ?? []
        func value(_ tag: UInt32) -> [UInt8] { objects.first { $0.tag == tag }?.value ?? [] }
        let stripe = CardProfile.named(name)!.application.mastercard.magneticStripe!
        let checksum = try #require(tap.commands.last)
        #expect(checksum.prefix(4) == [0x80, 0x2A, 0x8E, 0x80])
        let number = Array(checksum[5..<9])

        let digits = try #require(tap[0x9F6B]).flatMap { [$0 >> 4, $0 & 15] }.filter { $0 != 15 }
        let separator = try #require(digits.firstIndex(of: 0x0D))
        let second = digits[(separator + 8)...].map(String.init).joined()
        #expect(
            second
                == PlainKernel2.filled(
                    stripe.discretionaryData2, code: value(0x9F61), number: number, counter: value(0x9F36),
                    codeMap: stripe.codeMap2,
                    numberMap: stripe.numberMap2, counterDigits: stripe.counterDigits, verified: verified))
        #expect((tap[0x56] != nil) == stripe.hasTrack1)
        guard let track = tap[0x56] else { return }
        let first = String(decoding: track, as: UTF8.self).split(separator: "^")[2].dropFirst(7)
        #expect(
            String(first)
                == PlainKernel2.filled(
                    stripe.discretionaryData1, code: value(0x9F60), number: number, counter: value(0x9F36),
                    codeMap: stripe.codeMap1,
                    numberMap: stripe.numberMap1, counterDigits: stripe.counterDigits, verified: verified))
    }

    /// The PDOL requests announced data: the amount is filled in with the answer.
    @Test func dataAnnouncedForThePDOLAreAskedFor() throws {
        var pos = MastercardPOS()
        pos.transaction = MastercardPOS.sale(12_50, [0x9F5C: []])
        pos.answers = [[0x9F5C: [1, 2, 3, 4, 5, 6, 7, 8]]]
        let tap = try pos.tap("mcStorage")
        #expect(tap.questions.count == 1)
        #expect(tap.questions.first?.bytes == [0x9F, 0x5C])
        let options = try #require(tap.commands.first { $0[1] == 0xA8 })
        #expect(options[7..<15] == [1, 2, 3, 4, 5, 6, 7, 8])
    }
}

extension [UInt8] {
    func containsSequence(_ other: [UInt8]) -> Bool {
        guard other.count <= count else { return false }
        return (0...(count - other.count)).contains { Array(self[$0..<($0 + other.count)]) == other }
    }
}
