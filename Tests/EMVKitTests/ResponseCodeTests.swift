// SPDX-License-Identifier: Apache-2.0
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

private typealias Network = ResponseCode.Network

/// A second statement of the response codes of ISO 8583, field 39: network, codes, decision. `*`: every other network,
/// and an unknown one.
private let rows: [(networks: String, codes: String, decision: ResponseCode.Decision)] = [
    ("*", "00 11 16", .approved), ("visa", "00 11 16", .approved), ("amex", "00 11 16 000 001", .approved),
    ("*", "10", .approvedInPart), ("amex", "10 002", .approvedInPart),
    ("*", "08", .approvedOnCondition), ("visa", "08", .open),
    ("*", "01 02 05 12 13 14 15 30 31 35 37 39 45 46 52 53 86", .declined(.issuer)),
    ("*", "70", .declined(.issuer)), ("visa mastercard", "70", .pinRequested),
    ("*", "03 58", .declined(.merchantNotPermitted)), ("*", "04 41 43", .declined(.cardLostOrStolen)),
    ("*", "07 34 59 63", .declined(.suspectedFraud)), ("*", "33 54", .declined(.cardExpired)),
    ("*", "36 57 62 93", .declined(.cardNotPermitted)), ("*", "38 75", .declined(.pinAttemptsExceeded)),
    ("*", "19 90 91 92", .declined(.issuerUnavailable)), ("*", "51", .declined(.insufficientFunds)),
    ("*", "55", .pinWrong), ("*", "61 65", .declined(.limitExceeded)),
    ("*", "06 09 20 21 22 25 26 28 50 68 76 85 94 96 97 98 99", .open),
    ("mastercard", "65", .authenticationRequested), ("amex", "1A", .authenticationRequested),
    ("visa unionPay", "1A", .chipRequested), ("unionPay", "45", .chipRequested),
    ("cartesBancaires", "80 81", .chipRequested), ("cartesBancaires", "38", .declined(.cardExpired)),
    ("girocard", "19", .chipRequested), ("girocard", "13", .declined(.insufficientFunds)),
    ("girocard", "85", .declined(.issuer)),
    ("visa", "82 Q1", .declined(.suspectedFraud)), ("visa", "64 5C 9G 78 R0 R1 R2 R3", .declined(.cardNotPermitted)),
    ("visa", "B1 B2 N3 N4 N8 N7 6P", .declined(.issuer)),
    ("mastercard", "79 82", .declined(.issuer)), ("mastercard", "83", .declined(.suspectedFraud)),
    ("amex", "100 107 110 111 115 122 125 181 183 187 189 200", .declined(.issuer)),
    ("amex", "101", .declined(.cardExpired)), ("amex", "106", .declined(.pinAttemptsExceeded)),
    ("amex", "109", .declined(.merchantNotPermitted)), ("amex", "117", .pinWrong),
    ("amex", "119", .declined(.cardNotPermitted)), ("amex", "909", .open),
    ("amex", "912", .declined(.issuerUnavailable)),
]

private func expected(_ code: String, _ network: Network?) -> ResponseCode.Decision {
    func last(_ name: String) -> ResponseCode.Decision? {
        rows.last {
            $0.networks.split(separator: " ").contains { $0 == name }
                && $0.codes.split(separator: " ").contains { $0 == code }
        }?
        .decision
    }
    return network.flatMap { last($0.rawValue) } ?? last("*") ?? .open
}

private let networks: [Network?] = [nil] + Network.allCases.map { $0 }
private let pairs: [String] = (0...99).map { $0 < 10 ? "0\($0)" : "\($0)" }
private let others: [String] = [
    "1A", "5C", "6P", "9G", "B1", "B2", "N3", "N4", "N7", "N8", "Q1", "R0", "R1", "R2", "R3", "Y1", "Z1", "", "0", "ZZ",
    "000", "001", "002", "003", "100", "101", "106", "107", "109", "110", "111", "115", "117", "119", "122", "125",
    "181", "183", "187", "189", "200", "400", "900", "909", "912", "999",
]
private let codes: [String] = pairs + others

@Suite struct ResponseCodeTests {
    @Test("P5: every code of every network decides what its row says, and one without a row decides nothing")
    func everyCodeHasItsDecision() {
        for network in networks {
            for code in codes {
                let decision = ResponseCode.decision(code, of: network)
                #expect(decision == expected(code, network), "\(network?.rawValue ?? "-") \(code)")
                let decline = Decline(responseCode: code, of: network)
                #expect(decline?.reason == decision.decline, "\(code)")
                #expect(decline == nil || decline?.responseCode == code)
                #expect(decision == .approved || !decision.next.isEmpty)
            }
        }
        #expect(ResponseCode.table.allSatisfy { !$0.meaning.isEmpty && !$0.codes.isEmpty })
    }

    @Test("P5: approvals, and codes that decide nothing, are no declines")
    func noApprovalIsADecline() {
        for code in ["00", "08", "10", "11", "16", "85", "94", "68", "96", "25", "26", "06", "ZZ", ""] {
            #expect(Decline(responseCode: code) == nil, "\(code)")
        }
    }

    @Test("A refund is approved by 85 of Visa and by no part; a reversal by what confirms it alone")
    func theMessageCounts() {
        for network in networks {
            #expect(
                ResponseCode.decision("85", of: network, to: .refund)
                    == (network == .visa ? .approved : expected("85", network)))
            #expect(ResponseCode.decision("10", of: network, to: .refund) == .open)
            for code in codes {
                let confirms =
                    code == "00" || code == "400" || code == "79" && network == .visa
                    || code == "900" && network == .amex
                #expect(
                    ResponseCode.decision(code, of: network, to: .reversal) == (confirms ? .approved : .open), "\(code)"
                )
            }
        }
        #expect(throws: Never.self) { try ResponseCodeTable().confirmReversal("00") }
        for code in ["21", "25", "12", "22", "94", "05"] {
            #expect(throws: UndecidedAnswer(responseCode: code, network: .unionPay)) {
                try ResponseCodeTable().confirmReversal(code, of: .unionPay)
            }
        }
    }

    @Test("The acquirer's rows go before EMVKit's, of their networks and messages alone")
    func theAcquirerGoesFirst() {
        let own: [ResponseCode.Row] = [
            .init(["94"], .approved, networks: [.visa]), .init(["05"], .open), .init(["Q9"], .declined(.issuer)),
        ]
        #expect(ResponseCode.decision("94", of: .visa, before: own) == .approved)
        #expect(ResponseCode.decision("94", of: .jcb, before: own) == .open)
        #expect(ResponseCode.decision("94", of: nil, before: own) == .open)
        #expect(ResponseCode.decision("05", of: .visa, before: own) == .open)
        #expect(ResponseCode.decision("Q9", of: nil, before: own) == .declined(.issuer))
        #expect(ResponseCode.decision("94", of: .visa, to: .reversal, before: own) == .open)
        #expect(ResponseCode.decision("51", of: .visa, before: own) == .declined(.insufficientFunds))
    }

    @Test func networksAreKnownByTheirProvider() {
        let names: [(String, Network?)] = [
            ("A0000000031010", .visa), ("A0000000041010", .mastercard), ("A00000002501", .amex),
            ("A0000000651010", .jcb), ("A0000001523010", .discover), ("A000000333010101", .unionPay),
            ("A0000000421010", .cartesBancaires), ("A0000003591010028001", .girocard), ("F012345678", nil), ("", nil),
        ]
        for (name, network) in names {
            #expect(Network(aid: Hex.bytes(name) ?? []) == network, "\(name)")
        }
    }
}

/// The adapter of the article FieldsForAHost, from a host's answer to the screen.
@Suite(.timeLimit(.minutes(30))) struct AcquirerAdapterTests {
    /// Returns the answers that the test prepared, and records the requests.
    actor Host: AcquirerHost {
        nonisolated let isConnected = true
        var answers: [HostAnswer]
        private(set) var reversals = 0
        private(set) var sent: [[Int: [UInt8]]] = []

        init(_ answers: [HostAnswer]) { self.answers = answers }

        func send(_ message: [Int: [UInt8]], key: String, repeats: Int) async throws -> HostAnswer {
            sent.append(message)
            return answers.count > 1 ? answers.removeFirst() : answers[0]
        }

        func reverse(key: String, isRepeat: Bool) async throws -> String {
            reversals += 1
            return "00"
        }

        func advise(key: String) async throws -> Bool { true }
    }

    private static let cards: [(Network, String)] = [
        (.visa, "online"), (.mastercard, "mcOnline"), (.amex, "amexOnline"), (.jcb, "k5-online"),
        (.discover, "dpasOnline"), (.unionPay, "upOnline"),
    ]

    private func read(_ card: String, _ change: (inout PaymentRequest) -> Void = { _ in }) async throws -> CardRead {
        let reader = tapReader(SimulatedReader(try #require(CardProfile.named(card))))
        var request = PaymentRequest(amount: eur(1_250))
        change(&request)
        return try #require(await reader.read(request).read, "\(card)")
    }

    @Test("P4, P5: the documented adapter maps every code of the table, and throws on those that decide nothing")
    func everyCodeIsMapped() async throws {
        for (network, card) in Self.cards {
            let request = try #require(AuthorizationRequest(try await read(card)))
            for code in codes {
                for singleTap in [true, false] {
                    let answer = HostAnswer(
                        responseCode: code, authorizationCode: "123456",
                        approvedAmount: code == "10" || code == "002" ? eur(800) : nil)
                    let adapter = AcquirerAdapter(
                        Host([answer]), codes: ResponseCodeTable(takesPINOnSameTap: singleTap))
                    let label: Comment = "\(network) \(code) \(singleTap)"
                    let decision: IssuerDecision
                    do { decision = try await adapter.authorize(request) } catch {
                        #expect(error as? UndecidedAnswer == UndecidedAnswer(responseCode: code, network: network))
                        #expect([.open, .approvedOnCondition].contains(expected(code, network)), label)
                        continue
                    }
                    switch (expected(code, network), decision) {
                    case (.approved, .approved(let approval)):
                        #expect(approval.approvedAmount == nil && approval.responseCode == code, label)
                        #expect(approval.code == "123456" && approval.issuerData.isEmpty, label)
                    case (.approvedInPart, .approved(let approval)):
                        #expect(approval.approvedAmount == eur(800) && approval.issuerData.isEmpty, label)
                    case (.declined(let reason), .declined(let decline)):
                        #expect(decline == Decline(reason: reason, responseCode: code), label)
                    case (.pinWrong, .declined(let decline)):
                        #expect(!singleTap && decline.reason == .incorrectPIN, label)
                    case (.pinRequested, .pinRequested), (.pinWrong, .pinRequested): #expect(singleTap, label)
                    case (.pinRequested, .chipRequested): #expect(!singleTap, label)
                    case (.chipRequested, .chipRequested), (.authenticationRequested, .chipRequested): break
                    default: Issue.record("\(network) \(code): \(decision)")
                    }
                }
            }
        }
    }

    @Test("P5: 65 and 1A ask for the PIN where the issuer says so and one may follow, for the chip otherwise")
    func authenticationIsByPINOrChip() async throws {
        let thirteen: DataObjects = [0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x31, 0x33]]
        let twelve: DataObjects = [0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x31, 0x32]]
        let cases: [(card: String, HostAnswer, singleTap: Bool, isPIN: Bool)] = [
            ("mcOnline", HostAnswer(responseCode: "65", requestsPIN: true), true, true),
            ("mcOnline", HostAnswer(responseCode: "65", requestsPIN: true), false, false),
            ("mcOnline", HostAnswer(responseCode: "65"), true, false),
            ("amexOnline", HostAnswer(responseCode: "1A", chip: thirteen), true, true),
            ("amexOnline", HostAnswer(responseCode: "1A", chip: thirteen), false, false),
            ("amexOnline", HostAnswer(responseCode: "1A", chip: twelve), true, false),
            ("online", HostAnswer(responseCode: "70"), true, true),
            ("online", HostAnswer(responseCode: "1A"), true, false),
        ]
        for (card, answer, singleTap, isPIN) in cases {
            let request = try #require(AuthorizationRequest(try await read(card)))
            for hasChipReader in [true, false] {
                let table = ResponseCodeTable(takesPINOnSameTap: singleTap, hasChipReader: hasChipReader)
                let decision = try table.decision(answer, to: request)
                switch decision {
                case .pinRequested(let challenge):
                    #expect(isPIN && challenge.issuerData == (card == "amexOnline" ? answer.chip : [:]), "\(card)")
                case .chipRequested(let code, let data):
                    #expect(!isPIN && hasChipReader && code == answer.responseCode && data == answer.chip, "\(card)")
                case .declined(let decline): #expect(!isPIN && !hasChipReader && decline.reason == .issuer, "\(card)")
                default: Issue.record("\(decision)")
                }
            }
            var phone = request.read.outcome
            phone.cvm = .cdcvm
            let ofPhone = try #require(
                AuthorizationRequest(CardRead(authorization: .onlineRequired, outcome: phone, tap: request.read.tap)))
            guard !isPIN, case .declined = try ResponseCodeTable().decision(answer, to: ofPhone) else {
                #expect(isPIN, "a phone is inserted")
                continue
            }
        }
    }

    @Test("P5: a code that decides nothing is reversed, and an answer to insert the card is shown so and holds nothing")
    func undecidedIsReversed() async throws {
        let read = try await read("online")
        for code in ["94", "68", "96", "25", "26", "06", "ZZ"] {
            let host = Host([HostAnswer(responseCode: code)]),
                reader = tapReader(SimulatedReader(CardProfile.named("online")!))
            let result = await reader.charge(PaymentRequest(amount: eur(1_250)), with: AcquirerAdapter(host))
            #expect(result.problems.map(\.code) == [.authorizationAnswerLost], "\(code)")
            #expect(await host.reversals == 1, "\(code)")
        }
        let host = Host([HostAnswer(responseCode: "1A")]),
            reader = tapReader(SimulatedReader(CardProfile.named("online")!))
        let result = await reader.charge(PaymentRequest(amount: eur(1_250)), with: AcquirerAdapter(host))
        guard case .declined(let decline, _) = result.ending else { Issue.record("\(result)"); return }
        #expect(decline == Decline(reason: .chipRequested, responseCode: "1A"))
        #expect(await host.reversals == 0)
        let shown = Presentation(.declined(decline), of: read)
        #expect(shown.headline == TextKey("alternative.otherInterface.chip") && shown.message == .insertCard)
        #expect(shown.options.first == .otherInterface(.chip) && shown.party == .customer && !shown.endsSession)
        #expect(shown.mark == .notCompleted && result.alternatives == shown.options)
    }

    @Test("P4: a part of 8.00 of 12.50 is approved in part where the request takes it, and reversed where not")
    func partsAreParts() async throws {
        for accepts in [true, false] {
            let host = Host([HostAnswer(responseCode: "10", approvedAmount: eur(800))])
            let reader = tapReader(SimulatedReader(CardProfile.named("online")!))
            var request = PaymentRequest(amount: eur(1_250))
            request.acceptsPartialApproval = accepts
            let result = await reader.charge(request, with: AcquirerAdapter(host))
            #expect(await host.reversals == (accepts ? 0 : 1))
            guard accepts else {
                #expect(result.problems.map(\.code) == [.approvedInPart])
                continue
            }
            guard case .approved(let approval, _) = result.ending else { Issue.record("\(result)"); continue }
            #expect(approval.approvedAmount == eur(800) && approval.responseCode == "10")
            let shown = Presentation(result, of: request)
            #expect(shown.headline == TextKey("headline.part") && shown.total == eur(800) && shown.rest == eur(450))
            #expect(shown.options == [.payRest] && result.alternatives == [.payRest])
            #expect(!shown.endsSession && shown.alert && shown.party == .merchant && shown.message == .approved)
        }
        // An approval of the whole amount is not a part approval; a part approval without an amount is not an approval.
        let request = try #require(AuthorizationRequest(try await read("online")))
        let whole = try ResponseCodeTable().decision(
            HostAnswer(responseCode: "00", approvedAmount: eur(1_250)), to: request)
        #expect(whole == .approved(Approval()))
        let prepaid = try ResponseCodeTable().decision(HostAnswer(responseCode: "00", balance: eur(300)), to: request)
        #expect(prepaid == .approved(Approval(balance: eur(300))))
        #expect(throws: UndecidedAnswer(responseCode: "10", network: .visa)) {
            try ResponseCodeTable().decision(HostAnswer(responseCode: "10"), to: request)
        }
    }

    @Test("P5: Kernel 4 follows the decision: a host's 12 is no other interface, its 13 no PIN, its approval stands")
    func kernel4FollowsTheDecision() async throws {
        for code in ["00", "000", "05", "12", "13", "51"] {
            let host = Host([HostAnswer(responseCode: code)]), pad = SimulatedPINPad()
            let reader = tapReader(SimulatedReader(CardProfile.named("amexOnline")!))
            let result = await reader.charge(
                PaymentRequest(amount: eur(1_250)), with: AcquirerAdapter(host), pinPad: pad)
            #expect(result.name == (code.hasPrefix("00") ? .approved : .declined), "\(code): \(result)")
            #expect(await host.reversals == 0, "\(code)")
            #expect(await pad.requests.isEmpty, "\(code)")
        }
        // The issuer's response code within the chip data counts: American Express sends it in 91.
        let thirteen: DataObjects = [0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x31, 0x33]]
        let host = Host([
            HostAnswer(responseCode: "1A", chip: thirteen), HostAnswer(responseCode: "00"),
        ])
        let pad = SimulatedPINPad(), reader = tapReader(SimulatedReader(CardProfile.named("amexOnline")!))
        let result = await reader.charge(PaymentRequest(amount: eur(1_250)), with: AcquirerAdapter(host), pinPad: pad)
        #expect(result.name == .approved, "\(result)")
        #expect(await pad.requests.count == 1)
        #expect(await host.sent.map { $0[52] != nil } == [false, true])
    }

    @Test("P5: 8A for a kernel is the issuer's, or made from the decision, and never 12 or 13 of a host")
    func theKernelsCodeIsMadeOfTheDecision() async throws {
        let visa = try await read("online"), amex = try await read("amexOnline")
        let code = { (text: String) in Array(text.utf8) }
        let twelve: DataObjects = [0x91: [1, 2, 3, 4, 5, 6, 7, 8, 0x31, 0x32]]
        let sent: DataObjects = [0x8A: code("08")]
        for read in [visa, amex] {
            #expect(DataObjects().forKernel(read, isApproved: true)[0x8A] == code("00"))
            #expect(DataObjects().forKernel(read, isApproved: false)[0x8A] == code("05"))
            #expect(DataObjects().forKernel(read, isApproved: nil).isEmpty)
            #expect(sent.forKernel(read, isApproved: false) == sent)
        }
        #expect(twelve.forKernel(visa, isApproved: false)[0x8A] == code("05"))
        #expect(twelve.forKernel(amex, isApproved: false)[0x8A] == code("12"))
        #expect(twelve.forKernel(visa, isApproved: nil) == twelve)
        let decline = OnlineResult.declined(Decline(reason: .issuer, responseCode: "13"))
        #expect(decline.data(for: amex)?[0x8A] == code("05"))
        #expect(OnlineResult.approved(Approval(responseCode: "10")).data(for: amex)?[0x8A] == code("00"))
        #expect(OnlineResult.noAnswer(reversal: nil, []).data(for: amex) == nil)
    }
}
