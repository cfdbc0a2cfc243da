// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// An issuer with its connection, in memory. It keeps a ledger like a host, so that a test can compare the POS's state
/// with the bookings.
public actor SimulatedAuthorizer: Authorizer {
    /// Simulated reads are accepted because this authoriser is simulated too.
    public nonisolated var acceptsSimulatedReads: Bool { true }

    public enum Answer: Sendable, Hashable {
        case approve
        /// Declines with an authorisation response code, for example `51`.
        case decline(String)
        /// Requests a PIN this number of times, then approves.
        case requestPIN(times: Int)
        /// The host cannot be reached: nothing is sent.
        case unreachable
        /// Books an approval and never answers.
        case timeOut
        /// Books an approval, but the connection breaks before the answer.
        case loseAnswer
        /// Answers with this decision and books it.
        case decision(IssuerDecision)
        /// Uses one answer per request, in order; the last one is repeated.
        indirect case inTurn([Answer])
        /// Uses the answer that the amount selects: see ``SimulatedAuthorizer/answer(to:)``.
        case byAmount
    }

    public enum Booking: String, Sendable, Hashable, CaseIterable {
        case approved, declined, reversed
        /// The issuer waits for a PIN.
        case open
    }

    public struct ConnectionLost: Error, Sendable, Hashable {}

    private let answer: Answer
    private let confirmsReversals: Bool
    private let card: CardProfile?

    /// In order of arrival.
    public private(set) var requests: [AuthorizationRequest] = []
    public private(set) var reversals: [Reversal] = []
    /// The booking under each key.
    public private(set) var ledger: [ReconciliationKey: Booking] = [:]

    /// - Parameters:
    ///   - answer: the answer to each request.
    ///   - confirmsReversals: if false, the host does not answer reversals, and results stay unknown.
    ///   - card: its issuer checks the cryptogram and answers with Issuer Authentication Data (91).
    public init(_ answer: Answer = .approve, confirmsReversals: Bool = true, card: CardProfile? = nil) {
        self.answer = answer
        self.confirmsReversals = confirmsReversals
        self.card = card
    }

    public func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        requests.append(request)
        if ledger[request.key] == .reversed { return .failed([Problem(.hostRejected)]) }
        var answer = answer
        if case .inTurn(let answers) = answer {
            guard let last = answers.indices.last else { return .failed([Problem(.hostUnreachable)]) }
            answer = answers[min(requests.count - 1, last)]
        }
        if answer == .byAmount { answer = SimulatedAuthorizer.answer(to: request.amount) }
        switch answer {
        case .unreachable:
            return .failed([Problem(.hostUnreachable)])
        case .decline(let code):
            ledger[request.key] = .declined
            return .declined(Decline(simulated: code))
        case .decision(let decision):
            switch decision {
            case .approved: ledger[request.key] = .approved
            case .declined, .chipRequested: ledger[request.key] = .declined
            case .pinRequested: ledger[request.key] = .open
            case .failed: break
            }
            return decision
        case .requestPIN(let times) where request.attempt <= times:
            ledger[request.key] = .open
            return .pinRequested(PINChallenge(id: "\(request.key)-\(request.attempt)", isRepeated: request.attempt > 1))
        case .requestPIN where request.pin == nil:
            ledger[request.key] = .declined
            return .declined(Decline(simulated: "55"))
        case .approve, .requestPIN, .byAmount, .inTurn:
            return decide(request)
        case .timeOut:
            ledger[request.key] = .approved
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
            throw CancellationError()
        case .loseAnswer:
            ledger[request.key] = .approved
            throw ConnectionLost()
        }
    }

    public func reverse(_ reversal: Reversal) async throws {
        reversals.append(reversal)
        guard confirmsReversals else { throw ConnectionLost() }
        ledger[reversal.key] = .reversed
    }

    private func decide(_ request: AuthorizationRequest) -> IssuerDecision {
        guard let card else { return approve(request, [0x8A: Array("00".utf8)]) }
        let issuer = SimulatedIssuer(card.application)
        let record = request.read.dataRecord
        let objects = Dictionary(
            record.tags.map { ($0.rawValue, record[$0] ?? []) }, uniquingKeysWith: { first, _ in first })
        guard issuer.accepts(objects), let cryptogram = record[0x9F26], let counter = record[0x9F36], counter.count == 2
        else {
            ledger[request.key] = .declined
            return .declined(Decline(simulated: "05"))
        }
        let data = issuer.authenticationData(
            cryptogram: cryptogram, counter: UInt16(counter[0]) << 8 | UInt16(counter[1]))
        return approve(request, [0x8A: Array("00".utf8), 0x91: data])
    }

    private func approve(_ request: AuthorizationRequest, _ data: DataObjects) -> IssuerDecision {
        ledger[request.key] = .approved
        return .approved(Approval(code: "\(100_000 + requests.count)", issuerData: data))
    }

    /// Returns the answer for an amount in a currency with two decimals: 41.01 to 41.99 are declined with the decimals
    /// as response code (41.51 with 51); 42.00 cannot reach the host, 43.00 times out, 44.00 loses the answer;
    /// ``SimulatedTap/issuerPIN`` requests a PIN once; any other amount is approved.
    public static func answer(to amount: Money?) -> Answer {
        guard let units = amount?.minorUnits else { return .approve }
        switch units {
        case SimulatedTap.issuerPIN.amount: return .requestPIN(times: 1)
        case 4_101...4_199: return .decline(units % 100 < 10 ? "0\(units % 100)" : "\(units % 100)")
        case 4_200: return .unreachable
        case 4_300: return .timeOut
        case 4_400: return .loseAnswer
        default: return .approve
        }
    }
}

extension Decline {
    /// The decline of a simulated host: with the reason in the table of response codes, or `issuer` for a code that is
    /// not a decline there.
    init(simulated code: String) {
        self = Decline(responseCode: code) ?? Decline(reason: .issuer, responseCode: code)
    }
}
