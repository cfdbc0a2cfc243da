// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestData
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

@Suite struct SupportReportTests {
    private static let kernel = with(Outcome(status: .onlineRequest)) {
        $0.errorIndication = ErrorIndication(l1: 0x01, l2: 0x02, l3: 0x03, statusWord: 0x6985, messageOnError: 0x1C)
        $0.findings = [.brandMismatch, .panMismatch]
    }

    private static func read(_ authorization: CardRead.Authorization = .onlineRequired) -> CardRead {
        CardRead(authorization: authorization, outcome: kernel)
    }

    @Test("C16, H5: a report for support has every cause in order, and nothing of the card")
    func reportsHaveCausesAndNoCard() throws {
        let record = CardData(
            DataObjects(dictionaryLiteral: (0x57, Hex.bytes("4761739001010119D30122011438825820000F")!)).encoded)
        let tap = TapRecord(
            key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1250))), moment: noon)
        let read = CardRead(
            authorization: .onlineRequired, outcome: Outcome(status: .onlineRequest, dataRecord: record), tap: tap)
        let result = AuthorizationResult.failed([
            Problem(.authorizationInterrupted, underlying: [Problem(.cancelledByPerson)]),
            Problem(.hostRejected, detail: "E42"),
        ])
        let report = SupportReport(.success(read), authorization: result)
        #expect(report.problems.map(\.code) == [.authorizationInterrupted, .cancelledByPerson, .hostRejected])
        #expect(report.problems.map(\.name) == [nil, nil, nil])
        #expect(report.problems.map(\.helpAnchor) == result.problems.flatMap(\.allAnchors))
        #expect(report.authorization == .failed && report.settlement == nil)
        #expect(report.key == tap.key)
        #expect(report.moment == "2026-11-21T12:00:00")
        let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(text.contains("E42") && !text.contains("4761") && !text.contains("0119"))
        #expect(try JSONDecoder().decode(SupportReport.self, from: Data(text.utf8)) == report)
    }

    @Test func anAppsOwnCauseIsNamed() throws {
        let own = Problem(own: "tillLocked", message: try PromptText("Till locked"))
        let report = SupportReport(.success(Self.read()), authorization: .failed([own]))
        #expect(report.problems.map(\.name) == ["tillLocked"] && report.problems.map(\.code) == [.own])
    }

    /// A kernel's findings appear in the report of each ending that the kernel determined, and in no other report.
    @Test func theKernelsWordsAreThoseOfTheOutcome() {
        let failure = ReadFailure(
            reason: .cardData, errorIndication: Self.kernel.errorIndication, findings: Self.kernel.findings)
        let spoken: [TapOutcome] = [
            .success(Self.read()), .declined(Self.read(.declined)), .onlinePINRequired(Self.read()),
            .unreadable(failure),
        ]
        for outcome in spoken {
            let report = SupportReport(outcome)
            #expect(report.tap == outcome.name)
            #expect(report.errorIndication == "01020369851C", "\(outcome.name)")
            #expect(report.findings == ["BRAND_MISMATCH", "PAN_MISMATCH"], "\(outcome.name)")
            #expect(report.versions == [SupportReport.libraryVersion] && report.reader == nil)
            #expect(report.key == nil && report.moment == nil && report.configuration == nil)
        }
        let silent: [TapOutcome] = [
            .onlinePINUnavailable(PINFallbackRead(Self.read())), .unsupportedNetwork(NetworkMismatch()),
            .limitExceeded(.transactionLimit(nil)), .tryAnotherInterface(.notApplicable), .cancelled(.requested),
            .failed(.internal),
        ]
        for outcome in silent {
            let report = SupportReport(outcome)
            #expect(report.tap == outcome.name && report.errorIndication == nil && report.findings == [])
        }
    }

    /// If an outcome has no tap, the report uses the caller's.
    @Test func theTapOfTheCallerStandsIn() {
        let record = TapRecord(
            key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1250))), moment: noon)
        #expect(record.counter == 1)
        let outcomes: [TapOutcome] = [
            .success(Self.read()), .declined(Self.read(.declined)), .onlinePINRequired(Self.read()),
            .onlinePINUnavailable(PINFallbackRead(Self.read())), .cancelled(.requested),
        ]
        for outcome in outcomes {
            let report = SupportReport(outcome, tap: record)
            #expect(report.key == record.key && report.moment == "2026-11-21T12:00:00", "\(outcome.name)")
        }
    }

    /// If an outcome has a tap, the report prefers it to the caller's.
    @Test func theTapOfTheReadGoesFirst() {
        func record() -> TapRecord {
            TapRecord(
                key: ReconciliationKey(), purpose: .payment(PaymentRequest(amount: eur(1250))), moment: noon)
        }
        let own = record(), other = record()
        let read = CardRead(authorization: .onlineRequired, outcome: Self.kernel, tap: own)
        let outcomes: [TapOutcome] = [
            .success(read), .declined(read), .onlinePINRequired(read), .onlinePINUnavailable(PINFallbackRead(read)),
        ]
        for outcome in outcomes { #expect(SupportReport(outcome, tap: other).key == own.key, "\(outcome.name)") }
    }

    /// A declined charge is reported under the name of the one that declined: the card, or the issuer after a
    /// successful read.
    @Test func aChargesReportIsThatOfItsRead() {
        let key = ReconciliationKey()
        let read = Self.read()
        let card = Self.read(.declined)
        let deferred = Deferred(key: key, amount: eur(1250), moment: noon)
        let rows: [(ChargeResult.Ending, TapName, AuthorizationName?)] = [
            (.approved(Approval(), read), .success, .approved), (.accepted(deferred, read), .success, .accepted),
            (.declined(Decline(reason: .issuer), read), .success, .declined),
            (.declined(Decline(reason: .card), card), .declined, .declined),
            (.pinRequested(PINChallenge(id: "1"), read), .success, .pinRequested),
            (.failed([Problem(.hostRejected)], read), .success, .failed), (.unknown(key, read), .success, .unknown),
            (.reversed([Problem(.authorizationTimedOut)], read), .success, .reversed),
            (.notRead(.cancelled(.requested)), .cancelled, nil), (.keyUsed(key, nil), .failed, nil),
            (.running(key), .failed, nil),
        ]
        for (result, tap, authorization) in rows {
            let report = SupportReport(ChargeResult(result))
            #expect(report.tap == tap, "\(result.name)")
            #expect(report.authorization == authorization, "\(result.name)")
            #expect((report.errorIndication != nil) == (result.read != nil), "\(result.name)")
        }
        #expect(SupportReport(ChargeResult.keyUsed(key)).problems.map(\.code) == [.keyUsed])
    }
}

extension Problem {
    fileprivate var allAnchors: [String] { [helpAnchor] + underlying.flatMap(\.allAnchors) }
}
