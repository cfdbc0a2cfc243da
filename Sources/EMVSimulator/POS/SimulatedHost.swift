// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A payment provider's host with a ledger. It books every key once, no matter how often and how late its messages
/// arrive, and refuses a request that arrives after its reversal. A test can compare the POS's state with the bookings.
public actor SimulatedHost: DeliveringAuthorizer {
    /// Simulated reads are accepted because this host is simulated too.
    public nonisolated var acceptsSimulatedReads: Bool { true }

    public enum Answer: Sendable, Hashable {
        case approve
        /// Approves this amount, a part of the requested one.
        case approvePart(Money)
        /// Declines with an authorisation response code.
        case decline(String)
        /// Requests a PIN first.
        case requestPIN
    }

    /// A fault in the delivery of a message or of its answer.
    public enum Fault: Sendable, Hashable, CaseIterable {
        case none
        /// The POS knows that nothing was sent.
        case unreachable
        /// It never arrives; the POS does not know.
        case loseRequest
        /// It arrives, and the answer is lost.
        case loseAnswer
        /// It arrives when ``SimulatedHost/deliverLate()`` is called; the POS does not know.
        case late
        /// It arrives twice.
        case twice
    }

    /// The booking under a key.
    public struct Booking: Sendable, Hashable, Codable {
        public enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case approved, declined, open
            /// Also stored for a key whose request has not arrived: a late request is refused.
            case reversed
        }

        public var state: State
        public var amount: Money
        /// `nil` for a request made while the card was present.
        public var kind: FinancialRecord.Kind?
        public var original: ReconciliationKey?
        /// The card's cryptogram.
        var cryptogram: Bytes?
        var approval: Approval?
        var decline: Decline?
    }

    public struct ConnectionLost: Error, Sendable, Hashable {}

    /// The part of a message that the ledger needs, and the whole message if it arrives in the process that sent it.
    enum Message: Sendable {
        case request(RequestBody, AuthorizationRequest?)
        case reversal(ReconciliationKey, Money, Reversal?)
        case record(RecordBody, FinancialRecord?)
    }

    struct RequestBody: Sendable {
        let key: ReconciliationKey
        let amount: Money
        let cryptogram: Bytes?
        let hasPIN: Bool
    }

    struct RecordBody: Sendable {
        let key: ReconciliationKey
        let kind: FinancialRecord.Kind
        let amount: Money
        let original: ReconciliationKey?
        let cryptogram: Bytes?
    }

    public private(set) var ledger: [ReconciliationKey: Booking]
    /// In order of arrival, including repeats.
    public private(set) var requests: [AuthorizationRequest] = []
    public private(set) var reversals: [Reversal] = []
    public private(set) var records: [FinancialRecord] = []
    private var late: [Message] = []
    private var faults: [Fault] = []
    private var answers: [Answer] = []
    private var offersStatus: Bool
    private var refuses: [ReconciliationKey: Delivery] = [:]
    /// The fault for all messages beyond those of ``meet(_:)``.
    private var usual = Fault.none
    private var approvals = 0
    private let file: HostLedgerFile?

    /// - Parameters:
    ///   - ledger: of a previous host, whose bookings outlive its process.
    ///   - offersStatus: whether the host answers status queries by key.
    public init(ledger: [ReconciliationKey: Booking] = [:], offersStatus: Bool = true) {
        self.ledger = ledger
        self.offersStatus = offersStatus
        file = nil
    }

    /// A host whose ledger and late messages outlive the process: every change is written to the file before it is
    /// answered.
    ///
    /// - Parameters:
    ///   - path: of the file, which is created if it does not exist.
    ///   - offersStatus: whether the host answers status queries by key.
    public init(path: String, offersStatus: Bool = true) throws(HostLedgerError) {
        let file = try HostLedgerFile(path)
        (ledger, late) = try file.read()
        approvals = ledger.count
        self.offersStatus = offersStatus
        self.file = file
    }

    /// Sets the faults for the next messages, one for each.
    public func meet(_ faults: [Fault]) { self.faults += faults }

    /// Sets the fault for all messages after those.
    public func meetAlways(_ fault: Fault) { usual = fault }

    /// Removes all faults and answers: every request is approved.
    public func calm() {
        faults = []
        answers = []
        usual = .none
    }

    /// Sets the answers to the next requests, one for each; further requests are approved.
    public func answer(_ answers: [Answer]) { self.answers += answers }

    /// Sets the answer to every record with this key.
    public func answer(_ delivery: Delivery, to key: ReconciliationKey) { refuses[key] = delivery }

    /// Delivers the messages that were late, in order. Their answers are discarded.
    public func deliverLate() {
        let messages = late
        late = []
        for message in messages { _ = arrive(message) }
        file?.write(delivered: messages.count)
    }

    public var lateCount: Int { late.count }

    // MARK: - Authorizer

    public func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        let fault = nextFault()
        if fault == .unreachable { return .failed([Problem(.hostUnreachable)]) }
        let body = RequestBody(
            key: request.key, amount: request.amount,
            cryptogram: request.read.dataRecord[0x9F26], hasPIN: request.pin != nil)
        guard case .decision(let decision) = try send(.request(body, request), fault) else { throw ConnectionLost() }
        return decision
    }

    public func reverse(_ reversal: Reversal) async throws {
        _ = try send(.reversal(reversal.key, reversal.amount, reversal), nextFault())
    }

    public func status(of key: ReconciliationKey) async throws -> HostStatus {
        guard offersStatus else { return .unsupported }
        let fault = nextFault()
        guard fault == .none || fault == .twice else { throw ConnectionLost() }
        guard let booking = ledger[key] else { return .neverSeen }
        switch booking.state {
        case .open: return .inProgress
        case .reversed: return .reversed
        case .approved: return .approved(booking.approval ?? Approval())
        case .declined: return .declined(booking.decline ?? Decline(reason: .issuer))
        }
    }

    public func deliver(_ record: FinancialRecord) async throws -> Delivery {
        let body = RecordBody(
            key: record.key, kind: record.kind, amount: record.amount, original: record.original,
            cryptogram: record.read?.cryptogram)
        guard case .delivery(let delivery) = try send(.record(body, record), nextFault()) else {
            throw ConnectionLost()
        }
        return delivery
    }

    // MARK: - The way there

    private enum Reply {
        case decision(IssuerDecision)
        case delivery(Delivery)
        case confirmed
    }

    private func nextFault() -> Fault { faults.isEmpty ? usual : faults.removeFirst() }

    private func send(_ message: Message, _ fault: Fault) throws(ConnectionLost) -> Reply {
        switch fault {
        case .none: return arrive(message)
        case .twice:
            _ = arrive(message)
            return arrive(message)
        case .loseAnswer:
            _ = arrive(message)
            throw ConnectionLost()
        case .late:
            late.append(message)
            file?.write(late: message)
            throw ConnectionLost()
        case .unreachable, .loseRequest: throw ConnectionLost()
        }
    }

    private func arrive(_ message: Message) -> Reply {
        switch message {
        case .request(let request, let whole):
            if let whole { requests.append(whole) }
            return .decision(decide(request))
        case .reversal(let key, let amount, let whole):
            if let whole { reversals.append(whole) }
            var booking = ledger[key] ?? Booking(state: .reversed, amount: amount)
            booking.state = .reversed
            keep(booking, key)
            return .confirmed
        case .record(let record, let whole):
            if let whole { records.append(whole) }
            return .delivery(book(record))
        }
    }

    private func keep(_ booking: Booking, _ key: ReconciliationKey) {
        ledger[key] = booking
        file?.write(booking, key)
    }

    // MARK: - Bookings

    private func decide(_ request: RequestBody) -> IssuerDecision {
        let amount = request.amount, cryptogram = request.cryptogram
        if let booking = ledger[request.key] {
            guard booking.amount == amount, booking.cryptogram == cryptogram else {
                return .failed([Problem(.hostRejected, detail: "key in use")])
            }
            switch booking.state {
            case .reversed: return .failed([Problem(.hostRejected, detail: "reversed")])
            case .approved: return .approved(booking.approval ?? Approval())
            case .declined: return .declined(booking.decline ?? Decline(reason: .issuer))
            case .open:
                guard request.hasPIN else { return .pinRequested(PINChallenge(id: "\(request.key)")) }
            }
        }
        var booking = Booking(state: .open, amount: amount, cryptogram: cryptogram)
        let decision = decision(nextAnswer(), request, &booking)
        keep(booking, request.key)
        return decision
    }

    private func nextAnswer() -> Answer { answers.isEmpty ? .approve : answers.removeFirst() }

    private func decision(
        _ answer: Answer, _ request: RequestBody, _ booking: inout Booking
    ) -> IssuerDecision {
        switch answer {
        case .requestPIN: return .pinRequested(PINChallenge(id: "\(request.key)"))
        case .approve: return .approved(approve(&booking, nil))
        case .approvePart(let part): return .approved(approve(&booking, part))
        case .decline(let code): return .declined(decline(&booking, code))
        }
    }

    private func approve(_ booking: inout Booking, _ part: Money?) -> Approval {
        approvals += 1
        let approval = Approval(
            code: "\(100_000 + approvals)", responseCode: part == nil ? "00" : "10", approvedAmount: part)
        booking.state = .approved
        booking.approval = approval
        return approval
    }

    private func decline(_ booking: inout Booking, _ code: String) -> Decline {
        let decline = Decline(simulated: code)
        booking.state = .declined
        booking.decline = decline
        return decline
    }

    private func book(_ record: RecordBody) -> Delivery {
        if let delivery = refuses[record.key] { return delivery }
        if let booking = ledger[record.key], booking.kind == record.kind || booking.state == .reversed {
            guard booking.amount == record.amount else { return .malformed("key in use") }
            switch booking.state {
            case .approved: return booking.approval.map { .accepted($0) } ?? .received
            case .declined: return .refused(booking.decline ?? Decline(reason: .issuer))
            case .open: return .retryLater(after: nil)
            case .reversed where record.kind != .offlineApproval: return .malformed("reversed")
            case .reversed: break
            }
        }
        var booking = Booking(
            state: .approved, amount: record.amount, kind: record.kind, original: record.original,
            cryptogram: record.cryptogram)
        defer { keep(booking, record.key) }
        guard record.kind == .deferredAuthorization else { return .received }
        switch nextAnswer() {
        case .approve, .requestPIN: return .accepted(approve(&booking, nil))
        case .approvePart(let part): return .accepted(approve(&booking, part))
        case .decline(let code): return .refused(decline(&booking, code))
        }
    }

    /// The merchant's claims under each key: amounts approved and not reversed.
    public var booked: [ReconciliationKey: Money] {
        var booked: [ReconciliationKey: Money] = [:]
        for (key, booking) in ledger where booking.state == .approved {
            booked[key] = booking.approval?.approvedAmount ?? booking.amount
        }
        return booked
    }
}

extension SimulatedHost: CustomReflectable {
    public nonisolated var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
