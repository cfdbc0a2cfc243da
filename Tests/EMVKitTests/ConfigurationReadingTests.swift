// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// Files with several errors, and configurations that can hardly be meant.
@Suite struct ConfigurationReadingTests {
    private static let key = """
        { "rid": "A000000003", "index": "\(index)", "exponent": "03", "modulus": "\(modulus)" }
        """
    private static let index = "92"
    private static let modulus = String(repeating: "C1", count: 176)

    /// A file with these members of its combination and these keys.
    private static func file(_ members: String = "", keys: String = "", terminal: String = "") -> Bytes {
        Bytes(
            """
            { "format": "emv-configuration/1",
              "terminal": { "9F1A": "0276", "9F35": "22", "9F33": "E0B8C8", "9F40": "6000B0A001"\(terminal) },
              "combinations": [
                { "aid": "A0000000031010", "kernel": 3, "name": "Visa", "ttq": "36004000"\(members) } ],
              "caKeys": [ \(keys) ] }
            """.utf8)
    }

    @Test func aRightFileIsReadAsBefore() throws {
        let bytes = Self.file(#", "limits": { "floor": 0 }"#, keys: Self.key)
        let reading = Configuration.reading(json: bytes, file: "a.json")
        #expect(reading.errors.isEmpty)
        #expect(reading.configuration == (try Configuration(json: bytes)))
        #expect(reading.configuration?.caKeys.count == 1)
    }

    @Test func everyErrorIsToldInTheOrderOfTheFile() {
        let reading = Configuration.reading(
            json: Self.file(
                #", "limits": { "floor": -1, "ceiling": 2 }, "statusCheck": 1, "data": { "9F53": "0", "XX": "00" }"#,
                keys: Self.key + #", { "rid": "A0", "index": "93", "exponent": "03", "modulus": "00" }"#,
                terminal: #", "9F1A00": "0276""#),
            file: "shop.json")
        #expect(reading.configuration == nil)
        let paths = reading.errors.map(\.path)
        #expect(
            paths == [
                "terminal.(key of 6 bytes)", "combinations[0].limits.floor", "combinations[0].limits.ceiling",
                "combinations[0].statusCheck", "combinations[0].data.9F53", "combinations[0].data.XX",
                "caKeys[1].rid",
            ], "\(reading.errors)")
        #expect(reading.errors.allSatisfy { $0.file == "shop.json" && $0.line > 1 })
    }

    /// A name is shown to people: nothing in it may turn the line around, or write into a terminal.
    @Test(arguments: ["\u{202E}", "\u{2066}", "\u{1B}[2J", "\u{85}", "\u{2028}"])
    func aNameIsOneLineOfText(mark: String) throws {
        let escaped = mark.unicodeScalars.first == "\u{1B}" ? #"\u001B[2J"# : mark
        for (member, place) in [("Visa", "combinations[0].name"), ("5.1", "version")] {
            let text = String(decoding: Self.file(), as: UTF8.self)
                .replacingOccurrences(of: "\"Visa\"", with: "\"Vi\(member == "Visa" ? escaped : "")sa\"")
                .replacingOccurrences(
                    of: "\"terminal\"", with: "\"version\": \"5.1\(member == "Visa" ? "" : escaped)\", \"terminal\"")
            let error = try #require(Configuration.reading(json: Bytes(text.utf8)).errors.first)
            #expect(error.path == place)
            #expect(error.message.contains("U+"), "\(error)")
        }
        let key = String(decoding: Self.file(#", "a\#(escaped)b": 1"#), as: UTF8.self)
        for error in Configuration.reading(json: Bytes(key.utf8)).errors {
            #expect(!"\(error)".unicodeScalars.contains { $0 == mark.unicodeScalars.first }, "\(error)")
        }
        let row = Combination(aid: [0xA0, 0, 0, 0, 0x03, 0x10, 0x10], kernel: 3, name: "Vi\(mark)sa", ttq: [0x36])
        let refused = #expect(throws: ConfigurationError.self) {
            try CheckedConfiguration(Configuration(combinations: [row]))
        }
        #expect(refused?.description.contains("U+") == true)
    }

    @Test func whatOnlyFollowsIsNotTold() {
        // The AID is wrong; that the combination then has none is no second error.
        let text = String(decoding: Self.file(), as: UTF8.self)
            .replacingOccurrences(of: #""aid": "A0000000031010""#, with: #""aid": "A0""#)
        let reading = Configuration.reading(json: Bytes(text.utf8))
        #expect(reading.errors.map(\.path) == ["combinations[0].aid"])
    }

    @Test func whatTheKernelRefusesHasItsPlaceInTheFile() throws {
        let reading = Configuration.reading(
            json: Self.file(#", "data": { "9F26": "0000000000000000", "95": "0000000000" }"#))
        #expect(reading.errors.map(\.path) == ["combinations[0].data.9F26", "combinations[0].data.95"])
        #expect(reading.errors.first?.message == "expected no 9F26 here: the card supplies it, found 8 bytes")
        #expect(reading.errors.first?.line == 4)
    }

    @Test func rowsAreCountedAsInTheFile() {
        // The first row is passed over for its shape; the kernel then refuses what it sees as row 0.
        let short = #"{ "rid": "A0", "index": "90" }"#
        let wrong = """
            { "rid": "A000000003", "index": "94", "exponent": "03", "modulus": "\(Self.modulus)",
              "sha1": "0000000000000000000000000000000000000000" }
            """
        let reading = Configuration.reading(json: Self.file(keys: [short, wrong, Self.key].joined(separator: ", ")))
        #expect(reading.errors.map(\.path) == ["caKeys[0].rid", "caKeys[1].sha1"])
        let lenient = Configuration.reading(
            json: Self.file(keys: [short, wrong, Self.key].joined(separator: ", ")), leavingOutBadCAKeys: true)
        #expect(lenient.errors.isEmpty)
        #expect(lenient.leftOut.map(\.name) == ["caKeys[0]", "A000000003 94"])
        #expect(lenient.configuration?.caKeys.map(\.index) == [0x92])
    }

    @Test func onlyKeysMayBeLeftOut() {
        let reading = Configuration.reading(
            json: Self.file(#", "statusCheck": 1"#, keys: #"{ "rid": "A0" }"#), leavingOutBadCAKeys: true)
        #expect(reading.configuration == nil)
        #expect(reading.errors.map(\.path) == ["combinations[0].statusCheck"])
        #expect(reading.leftOut.map(\.name) == ["caKeys[0]"])
    }

    @Test(arguments: ["", "[]", "{}", "{", #"{"format":"emv-configuration/2"}"#, #"{"format":"emv-configuration/1"}"#])
    func whatIsNoConfigurationEnds(_ text: String) {
        let reading = Configuration.reading(json: Bytes(text.utf8))
        #expect((reading.configuration == nil) == !reading.errors.isEmpty)
    }

    /// One byte of a file is another: reading ends, and finds an error wherever the ordinary reader does.
    @Test func damagedFilesEnd() {
        let bytes = Self.file(#", "limits": { "floor": 0 }, "data": { "9F53": "00" }"#, keys: Self.key)
        for index in bytes.indices {
            for byte in [UInt8(ascii: "0"), UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "x")] {
                var damaged = bytes
                damaged[index] = byte
                let reading = Configuration.reading(json: damaged)
                #expect((reading.configuration == nil) == !reading.errors.isEmpty)
                if (try? Configuration(json: damaged)) == nil { #expect(!reading.errors.isEmpty, "byte \(index)") }
            }
        }
    }

    // MARK: Review

    private static func codes(_ change: (inout Configuration) -> Void) -> Set<ConfigurationReview.Remark.Code> {
        var configuration = workingConfiguration()
        configuration.combinations[0].currency = 978
        configuration.caKeys = [
            CAKey(rid: [0xA0, 0, 0, 0, 3], index: 0x92, exponent: 3, modulus: Bytes(repeating: 0xC1, count: 176))
        ]
        change(&configuration)
        return Set(configuration.review(on: testDay).remarks.map(\.code))
    }

    @Test func aUsualConfigurationHasNoRemark() {
        #expect(Self.codes { _ in } == [])
    }

    @Test func whatCanHardlyBeMeantIsRemarked() {
        #expect(Self.codes { $0.combinations[0].limits.transaction = 0 } == [.noAmountAllowed])
        // Offline only, and above the floor limit of zero nothing is approved offline.
        #expect(Self.codes { $0.terminal[0x9F35] = [0x23] } == [.neverGoesOnline, .neverApproves])
        let offlineOnly: [(inout Configuration) -> Void] = [
            { $0.terminal[0x9F35] = [0x23] }, { $0.combinations[0].data[0x9F35] = [0x26] },
            { $0.combinations[0].ttq = [0x3E, 0, 0x40, 0] },
        ]
        for change in offlineOnly {
            let codes = Self.codes {
                $0.combinations[0].limits.floor = 100
                change(&$0)
            }
            #expect(codes == [.neverGoesOnline, .approvalsNeedAJournal])
        }
        #expect(
            Self.codes {
                $0.terminal[0x9F35] = [0x23]
                $0.combinations[0].limits.floor = 100
                $0.caKeys = []
            } == [.neverGoesOnline, .neverApproves])
        #expect(Self.codes { $0.combinations[0].limits.floor = 100 } == [.approvalsNeedAJournal])
        #expect(Self.codes { $0.combinations[0].limits.floor = nil } == [])
        #expect(
            Self.codes {
                $0.combinations[0].limits.floor = nil
                $0.protection.profile = .book
            } == [.approvalsNeedAJournal])
        #expect(
            Self.codes {
                $0.combinations[0].limits.floor = 100
                $0.caKeys = []
            } == [.noUsableKey])
        #expect(
            Self.codes { $0.combinations[0].limits.floor = 30_000 } == [.approvalsNeedAJournal, .floorAboveTransaction])
        #expect(Self.codes { $0.combinations[0].ttq = [0x30, 0, 0, 0] } == [.noVerificationMethod])
        #expect(Self.codes { $0.caKeys[0].isTest = true } == [.testKey])
        #expect(Self.codes { $0.caKeys[0].expires = CalendarDate(year: 2026, month: 11, day: 20) } == [.expiredKey])
        #expect(Self.codes { $0.caKeys[0].expires = testDay } == [])
        #expect(Self.codes { $0.caKeys[0].rid[4] = 4 } == [.keyWithoutNetwork])
        #expect(Self.codes { $0.validFrom = CalendarDate(year: 2026, month: 11, day: 22) } == [.notYetValid])
        #expect(Self.codes { $0.validFrom = testDay } == [])
        #expect(
            Self.codes {
                $0.combinations[0].kernel = 8
                $0.combinations[0].ttq = nil
            } == [.secretsNeeded])
        #expect(Self.codes { $0.combinations[0].currency = nil } == [.currencyNotStated])
    }

    @Test func networksAreReviewedAsTheirKernelsTakeThem() {
        func offline(_ change: (inout Configuration) -> Void) -> ConfigurationReview.OfflineAmounts? {
            var configuration = workingConfiguration()
            change(&configuration)
            return configuration.review().networks.first?.offline
        }
        #expect(offline { _ in } == ConfigurationReview.OfflineAmounts.none)
        #expect(offline { $0.combinations[0].limits.floor = 500 } == .upTo(500))
        #expect(offline { $0.combinations[0].limits.floor = nil } == ConfigurationReview.OfflineAmounts.none)
        #expect(
            offline {
                $0.combinations[0].limits.floor = nil
                $0.combinations[0].protection = Protection(profile: .book)
            } == .all)
        for rule in [Protection(profile: .strict), Protection(offline: .off)] {
            #expect(
                offline {
                    $0.combinations[0].limits.floor = 500
                    $0.protection = rule
                } == ConfigurationReview.OfflineAmounts.none)
        }
        #expect(
            offline {
                $0.combinations[0].limits.floor = 500
                $0.terminal[0x9F35] = [0x21]
            } == ConfigurationReview.OfflineAmounts.none)
        // Kernel 5 takes an amount equal to the limit for one above it (Book C-5, 3.4.1); Kernel 2 has its limit as a
        // data object, too.
        #expect(
            offline {
                $0.combinations[0].kernel = 5
                $0.combinations[0].limits.floor = 500
            } == .upTo(499))
        #expect(
            offline {
                $0.combinations[0].kernel = 2
                $0.combinations[0].limits.floor = nil
                $0.combinations[0].data[0xDF8123] = [0, 0, 0, 0, 0x12, 0x34]
            } == .upTo(1234))
    }

    /// What the review says of approvals without an issuer is what the kernel does.
    @Test(arguments: [UInt64?.none, 0, 1_250, 1_249])
    func theReviewAgreesWithTheReader(_ floor: UInt64?) async throws {
        var configuration = Configuration.simulator(limits: Limits(transaction: 30_000, floor: floor))
        configuration.combinations.removeAll { $0.kernel.id != 3 }
        let review = configuration.review()
        let session = try await TapReader(
            SimulatedReader(try #require(CardProfile.named("fdda"))), configuration: configuration, options: .ofTools
        ).prepare()
        let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 1_250, currency: .eur)))
        guard case .success(let read) = outcome else {
            Issue.record("\(outcome.name)")
            return
        }
        let allowed =
            switch try #require(review.networks.first).offline {
            case .none: false
            case .all: true
            case .upTo(let most): most >= 1_250
            }
        #expect((read.authorization == .approvedOffline) == allowed)
    }
}
