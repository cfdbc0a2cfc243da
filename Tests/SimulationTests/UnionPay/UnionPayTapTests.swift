// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// UnionPay cards with reader and Kernel 7. The expected results follow from Book C-7 and from the card, not from the
/// kernel's behaviour.
@Suite struct UnionPayTapTests {
    /// 12.50 at an ordinary reader, by the book.
    static let plain: [String: [String]] = [
        "approved notApplicable": [
            "upOffline", "upOfflineF4", "upOfflineMax", "upOfflineSpread", "upRegardless",
        ],
        "onlineRequest notApplicable": [
            "upDebit", "upExpiredOnline", "upNoCVM", "upNoQualifiers", "upNoType", "upOfflineLimit", "upOnline",
            "upOnlineODA", "upOnlineRecords", "upPhone", "upQuasiCredit", "upToken", "upTransit",
            "upWrongSignatureOnline",
        ],
        "onlineRequest onlinePIN": ["upOnlinePIN"],
        "onlineRequest signature": ["upSignature"],
        "onlineRequest cdcvm": ["upCDCVM", "upCDCVMSigned"],
        "declined notApplicable": [
            "upCDCVMDiffers", "upDecline", "upExpired", "upUndefinedType", "upUnknownCA", "upUnsigned",
            "upWrongSignature",
        ],
        "tryAnotherInterface notApplicable": ["upOtherInterface", "upWrongSignatureContact"],
        "tryAgain notApplicable": ["upPhoneForever"],
        // Select Next without a further application; Track 2 twice.
        "endApplication notApplicable": ["upNoPDOL", "upRepeated"],
    ]

    static func configuration(
        _ profile: Protection.Profile = .book, ttq: Bytes = [0x36, 0x00, 0x40, 0x00]
    ) -> Configuration {
        var protection = Protection()
        protection.profile = profile
        var configuration = Configuration.simulator(ttq: ttq, protection: protection)
        configuration.combinations.removeAll { $0.kernel.id != 7 }
        return configuration
    }

    private func lead(
        _ name: String, _ configuration: Configuration, amount: UInt64 = 1250, taps: Int = 1
    ) throws -> String {
        DiscoverTapTests.words(try DiscoverTapTests.lead(name, configuration, amount: amount, taps: taps))
    }

    @Test(arguments: UnionPayBehaviour.profiles.map(\.name))
    func profilesLeadWhereTheTableSays(name: String) throws {
        #expect(try lead(name, Self.configuration()) == Self.plain.first { $0.value.contains(name) }?.key)
    }

    @Test(arguments: [
        ("upOnline", "onlineRequest onlinePIN"), ("upOffline", "onlineRequest onlinePIN"),
        ("upSignature", "onlineRequest signature"), ("upCDCVM", "onlineRequest cdcvm"),
        ("upNoCVM", "declined notApplicable"), ("upNoQualifiers", "onlineRequest signature"),
        ("upPhone", "tryAgain notApplicable"), ("upDecline", "declined notApplicable"),
    ])
    func verificationRequiredLeadsElsewhere(name: String, expected: String) throws {
        #expect(try lead(name, Self.configuration(), amount: 6000) == expected)
    }

    @Test func anUnlockedPhonePaysInItsSecondTap() throws {
        #expect(try lead("upPhone", Self.configuration(), amount: 6000, taps: 2) == "onlineRequest cdcvm")
    }

    /// A TC although an online cryptogram was requested: the book profile approves it, the guarded profile never does.
    @Test func guardedNeverApprovesWhatMustGoOnline() throws {
        for (profile, expected) in [(.book, "approved"), (.guarded, "declined")] as [(Protection.Profile, String)] {
            var configuration = Self.configuration(profile)
            for place in configuration.combinations.indices { configuration.combinations[place].limits.floor = 1000 }
            #expect(try lead("upRegardless", configuration) == "\(expected) notApplicable")
        }
    }

    /// The first record has the date: no other record of an expired card is read.
    @Test func anExpiredCardIsReadUpToItsDate() async throws {
        let reader = SimulatedReader(VirtualCard(CardProfile.named("upExpired")!))
        let session = try await TapReader(reader, configuration: Self.configuration(), options: .ofTools).prepare()
        _ = await session.read(
            PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur), moment: TapThroughTests.moment))
        // PPSE, SELECT, GET PROCESSING OPTIONS, one record.
        #expect(await reader.commandCount == 4)
    }

    /// A transit reader clears bit 7 of byte 1 and requests the signature if the card permits it.
    @Test func aTransitReaderAsksForASignatureOnline() throws {
        let transit = Self.configuration(ttq: [0x37, 0x00, 0x40, 0x00])
        #expect(try lead("upTransit", transit) == "onlineRequest notApplicable")
        #expect(try lead("upOnline", transit) == "endApplication notApplicable")
    }

    @Test func tokenAndBalanceReachTheirPlaces() throws {
        let token = try DiscoverTapTests.lead("upToken", Self.configuration())
        let record = try #require(token.dataRecord)
        #expect(record[0x9F24] == Array("V0010013019125912345678901234".utf8))
        #expect(record[0x9F25] == [0x00, 0x05])
        #expect(record[0x9F19] == [0x04, 0x00, 0x10, 0x03, 0x02, 0x73])
    }
}
