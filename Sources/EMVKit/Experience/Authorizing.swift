// SPDX-License-Identifier: Apache-2.0
/// What an authorisation works with.
struct Means: Sendable {
    let authorizer: any Authorizer
    let pinPad: (any PINPad)?
    let accessibility: Bool
}

/// One payment on its way to the issuer and back, perhaps several times.
struct Conversation: Sendable {
    let key: ReconciliationKey
    let read: CardRead
    let means: Means
    /// Requests so far.
    var attempt = 0
    /// PINs wanted after a request so far, by the issuer or the kernel.
    var challenges = 0
    /// PINs asked for so far, by whomever.
    var entries = 0
    var pin: EncryptedPINBlock?
    /// The issuer's, which the next request answers.
    var challenge: PINChallenge?
    /// What the app was told where it is to bring the PIN.
    var handedOver: PINChallenge?
    /// The kernel asked for an online PIN; it does so once (Book A, Table 6-5).
    var kernelAskedForPIN = false

    /// Something may be open at the host.
    var hasLeft: Bool { attempt > 0 }
}

/// The result of the last authorisation.
struct Settled: Sendable {
    let key: ReconciliationKey
    let result: AuthorizationResult
    /// Of the read only its hash is kept: no account number stays behind.
    private let read: Int

    init(_ key: ReconciliationKey, _ read: CardRead, _ result: AuthorizationResult) {
        self.key = key
        self.result = result
        self.read = read.hashValue
    }

    func isFor(_ read: CardRead) -> Bool { self.read == read.hashValue }
}

/// How a conversation goes on after an answer of the issuer.
private enum Turn {
    case ended(AuthorizationResult)
    /// A PIN is wanted: by the issuer, or where there is no challenge by the kernel (Request Online PIN).
    case pinWanted(PINChallenge?)
}

extension TapReader {
    func authorize(_ read: CardRead, _ means: Means, pin: EncryptedPINBlock?) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard let key = read.key, read.tap?.request != nil else { return refuse(.authorizationNotPossible) }
        if let settled, settled.key == key {
            // Another read of this key is another payment, or a forged one.
            return settled.isFor(read) ? repeated(settled.result) : refuse(.authorizationNotPossible)
        }
        if let open = openChallenge, open.key == key, let challenge = open.handedOver {
            return open.read == read ? repeated(.pinRequested(challenge)) : refuse(.authorizationNotPossible)
        }
        switch read.authorization {
        case .approvedOffline:
            guard read.outcome.status == .approved else { return refuse(.authorizationNotPossible) }
            return settle(key, read, .approved(Approval(origin: .card, responseCode: "Y1")))
        case .declined:
            return settle(key, read, .declined(Decline(reason: read.declineReason)))
        case .onlineRequired: break
        }
        guard !Task.isCancelled else { return refuse(.cancelledByProgram) }
        let conversation = Conversation(key: key, read: read, means: means, pin: pin)
        return await occupy { await self.converse(conversation) }
    }

    func authorize(
        _ read: CardRead, answering challenge: PINChallenge, with pin: EncryptedPINBlock
    ) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard var conversation = openChallenge, conversation.read == read, conversation.handedOver == challenge else {
            return refuse(.nothingToComplete)
        }
        openChallenge = nil
        conversation.pin = pin
        return await occupy { [conversation] in await self.converse(conversation) }
    }

    func giveUp(_ read: CardRead) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard let conversation = openChallenge, conversation.read == read else { return refuse(.nothingToComplete) }
        openChallenge = nil
        return await occupy { await self.endWithoutPIN(conversation, [Problem(.pinCancelled)]) }
    }

    /// The answer to a call that changes nothing: no issuer is asked, and the display stays as it is.
    private func repeated(_ result: AuthorizationResult) -> AuthorizationResult {
        hub.publish(.authorized(result.name))
        return result
    }

    private func refuse(_ code: Problem.Code) -> AuthorizationResult {
        repeated(.failed([Problem(code)]))
    }

    /// Reverses a payment whose issuer still waits for a PIN that nobody will bring now.
    func giveUpOpenChallenge() async {
        guard let conversation = openChallenge else { return }
        openChallenge = nil
        let result = await reverse(conversation, .pinMissing, [Problem(.pinCancelled)])
        settled = Settled(conversation.key, conversation.read, result)
        if case .unknown(let key) = result { hub.publish(.unresolved(key)) }
    }

    // MARK: - Asking

    private func converse(_ start: Conversation) async -> AuthorizationResult {
        await giveUpOpenChallenge()
        var conversation = start
        if kernelWaitsForPIN(conversation) { conversation.kernelAskedForPIN = true }
        if let result = await collectForCard(&conversation) { return result }
        while true {
            conversation.attempt += 1
            hub.publish(.authorizing)
            let challenge: PINChallenge?
            switch await heed(await ask(conversation), conversation) {
            case .ended(let result): return result
            case .pinWanted(let wanted): challenge = wanted
            }
            if kernelWaitsForPIN(conversation) { conversation.kernelAskedForPIN = true }
            conversation.challenges += 1
            conversation.challenge = challenge
            conversation.pin = nil
            guard conversation.challenges <= options.maximumPINRequests else {
                return await endWithoutPIN(conversation, [Problem(.pinAttemptsExceeded)])
            }
            guard conversation.means.pinPad != nil else { return wait(conversation) }
            if let problems = await collect(challenge.map { .issuer($0) } ?? .card, &conversation) {
                if interruption != nil { return await conclude(conversation, interrupted(conversation)) }
                return await endWithoutPIN(conversation, problems)
            }
        }
    }

    /// `nil`: the authoriser failed, and what became of the request is not known.
    private func ask(_ conversation: Conversation) async -> Race<IssuerDecision?> {
        let request = AuthorizationRequest(
            key: conversation.key, attempt: conversation.attempt, read: conversation.read, pin: conversation.pin,
            challenge: conversation.challenge)
        let authorizer = conversation.means.authorizer
        return await race(options.authorizationDeadline, by: options.timer) { try? await authorizer.authorize(request) }
    }

    private func heed(_ answer: Race<IssuerDecision?>, _ conversation: Conversation) async -> Turn {
        switch answer {
        case .value(.approved(let approval)): return await accept(approval, conversation)
        case .value(.declined(let decline)): return await accept(decline, conversation)
        case .value(.pinRequested(let challenge)): return await accept(challenge, conversation)
        case .value(.failed(let problems)):
            // The first request left nothing at the host; a later one leaves open what the issuer wanted a PIN for.
            return .ended(await endWithoutAnswer(conversation, conversation.attempt > 1 ? .pinMissing : nil, problems))
        case .value(nil):
            return .ended(await endWithoutAnswer(conversation, .answerLost, [Problem(.authorizationAnswerLost)]))
        case .deadlinePassed:
            return .ended(await endWithoutAnswer(conversation, .timedOut, [Problem(.authorizationTimedOut)]))
        case .cancelled:
            return .ended(await conclude(conversation, interrupted(conversation)))
        }
    }

    /// The app is to bring the PIN.
    private func wait(_ start: Conversation) -> AuthorizationResult {
        var conversation = start
        let challenge = conversation.challenge ?? PINChallenge(id: "")
        conversation.handedOver = challenge
        openChallenge = conversation
        hub.publish(.prompt(prompt(UIRequest(message: .enterPIN, status: .idle), of: conversation.read)))
        hub.publish(.authorized(.pinRequested))
        hub.publish(.ready)
        return .pinRequested(challenge)
    }

    // MARK: - PIN

    /// The PIN that the card or the kernel wants before the issuer is asked; the result, if that is the end of it.
    private func collectForCard(_ conversation: inout Conversation) async -> AuthorizationResult? {
        guard !conversation.hasLeft, conversation.read.wantsPIN, conversation.pin == nil else { return nil }
        guard conversation.means.pinPad != nil else { return retryable(conversation, [Problem(.pinPadMissing)]) }
        guard let problems = await collect(.card, &conversation) else { return nil }
        if let reason = interruption { return retryable(conversation, [Problem(reason.code)]) }
        guard kernelWaitsForPIN(conversation) else { return retryable(conversation, problems) }
        _ = await tellKernel([:], conversation)
        return await conclude(conversation, .failed(problems))
    }

    private func collect(_ reason: PINRequest.Reason, _ conversation: inout Conversation) async -> [Problem]? {
        guard let pinPad = conversation.means.pinPad else { return [Problem(.pinPadMissing)] }
        var deadline = options.pinDeadline
        if case .issuer(let challenge) = reason, let own = challenge.deadline { deadline = own }
        conversation.entries += 1
        let request = PINRequest(
            reason: reason, amount: conversation.read.amount, attempt: conversation.entries,
            accessibility: conversation.means.accessibility && pinPad.supportsAccessibility, timeout: deadline,
            card: conversation.read.dataRecord)
        hub.publish(.prompt(prompt(UIRequest(message: .enterPIN, status: .idle), of: conversation.read)))
        hub.publish(.pinEntry)
        let entry = await race(deadline, by: options.timer) { await pinPad.collectPIN(request) }
        hub.publish(.pinEntryFinished)
        switch entry {
        case .value(.entered(let block)):
            conversation.pin = block
            return nil
        case .value(let other): return other.problems
        case .deadlinePassed: return PINEntry.timedOut.problems
        case .cancelled: return PINEntry.cancelled.problems
        }
    }

    /// The PIN that issuer or kernel wanted after a request does not come. A kernel that asked is told so, once
    /// (Book A 8.1.1.24; C-4 12.2.2.2).
    private func endWithoutPIN(_ start: Conversation, _ problems: [Problem]) async -> AuthorizationResult {
        var conversation = start
        conversation.pin = nil
        if kernelWaitsForPIN(conversation) { _ = await tellKernel([:], conversation) }
        return await conclude(conversation, reverse(conversation, .pinMissing, problems))
    }

    // MARK: - What the kernel makes of the answer

    /// What a kernel that went on ended with.
    private struct Verdict {
        /// `none`: it came to no outcome.
        let status: Outcome.Status
        let interface: Outcome.Interface
        /// For the host.
        let answer: CardData?
    }

    private func accept(_ approval: Approval, _ conversation: Conversation) async -> Turn {
        let verdict = await tellKernel(approval.issuerData, conversation)
        switch verdict?.status {
        case .requestOnlinePIN where !conversation.kernelAskedForPIN: return .pinWanted(nil)
        case .declined, .tryAnotherInterface: return .ended(await refused(conversation, verdict, approval.responseCode))
        default:
            var approval = approval
            approval.cardAnswer = verdict?.answer
            return .ended(await conclude(conversation, .approved(approval)))
        }
    }

    private func accept(_ decline: Decline, _ conversation: Conversation) async -> Turn {
        let verdict = await tellKernel(decline.issuerData, conversation)
        switch verdict?.status {
        case .requestOnlinePIN where !conversation.kernelAskedForPIN: return .pinWanted(nil)
        case .tryAnotherInterface:
            return .ended(await conclude(conversation, .failed([Problem(verdict?.interface), decline.problem])))
        default: return .ended(await conclude(conversation, .declined(decline)))
        }
    }

    /// A wish of the issuer concerns the kernel where it comes with data for it.
    private func accept(_ challenge: PINChallenge, _ conversation: Conversation) async -> Turn {
        guard !challenge.issuerData.isEmpty else { return .pinWanted(challenge) }
        let verdict = await tellKernel(challenge.issuerData, conversation)
        switch verdict?.status {
        case .declined, .tryAnotherInterface: return .ended(await refused(conversation, verdict, nil))
        default: return .pinWanted(challenge)
        }
    }

    /// The kernel overrules the issuer (Book A, Table 6-4): what stands at the host is reversed.
    private func refused(
        _ conversation: Conversation, _ verdict: Verdict?, _ code: String?
    ) async -> AuthorizationResult {
        if verdict?.status == .tryAnotherInterface {
            return await conclude(conversation, reverse(conversation, .cardRefused, [Problem(verdict?.interface)]))
        }
        let decline = Decline(reason: .issuerAnswerRefused, responseCode: code)
        let reversed = await reverse(conversation, .cardRefused, [decline.problem])
        if case .unknown = reversed { return await conclude(conversation, reversed) }
        return await conclude(conversation, .declined(decline))
    }

    /// No answer came: unable to go online. A kernel that wants to know may still decide (Book A 8.1.1.22); otherwise the same tap may be
    /// authorised again where nothing is open at the host.
    ///
    /// - Parameter reason: why a reversal is due; `nil`: nothing has left.
    private func endWithoutAnswer(
        _ conversation: Conversation, _ reason: Reversal.Reason?, _ problems: [Problem]
    ) async -> AuthorizationResult {
        let verdict = await tellKernel(nil, conversation)
        var result = AuthorizationResult.failed(problems)
        if let reason { result = await reverse(conversation, reason, problems) }
        if reason == nil, verdict == nil { return retryable(conversation, problems) }
        if case .failed = result {
            switch verdict?.status {
            case .approved:
                var approval = Approval(origin: .card, responseCode: "Y3")
                approval.cardAnswer = verdict?.answer
                result = .approved(approval)
            case .tryAnotherInterface: result = .failed([Problem(verdict?.interface)] + problems)
            default: break
            }
        }
        return await conclude(conversation, result)
    }

    /// Tells the kernel what came of the online request: the issuer's data, perhaps none, or `nil` where no answer came. `nil` where it does not
    /// go on with that (Book A 8.1.1.22, 8.1.1.24). Once the issuer has decided, a card that does not come back, or a cancellation, changes
    /// nothing.
    private func tellKernel(_ data: DataObjects?, _ conversation: Conversation) async -> Verdict? {
        tap.removalTimer?.cancel()
        guard isParked(conversation.key), let parked = session?.outcome, parked.goesOn(with: data) else { return nil }
        let isForPIN = parked.status == .requestOnlinePIN
        let reply: Reply =
            if let data, isForPIN {
                .pin(captured: conversation.pin != nil, data)
            } else {
                .online(data, removalTimedOut: tap.removalTimedOut)
            }
        tap.isParked = false
        tap.timeout = options.issuerUpdateTimeout
        session?.advance(reply)
        _ = await drive()
        await settleField()
        guard let kind = session?.kind, [.done, .parked].contains(kind), let outcome = session?.outcome,
            outcome.status != .onlineRequest
        else {
            return Verdict(status: .none, interface: .notApplicable, answer: nil)
        }
        let answer = outcome.status == .approved && data == nil ? outcome.dataRecord : outcome.discretionary
        return Verdict(status: outcome.status, interface: outcome.alternateInterface, answer: answer)
    }

    private func isParked(_ key: ReconciliationKey) -> Bool {
        tap.isParked && tap.record?.key == key
    }

    private func kernelWaitsForPIN(_ conversation: Conversation) -> Bool {
        isParked(conversation.key) && session?.outcome.status == .requestOnlinePIN
    }

    // MARK: - Ending

    private func interrupted(_ conversation: Conversation) async -> AuthorizationResult {
        let reason = interruption ?? .taskCancelled
        return await reverse(
            conversation, .interrupted, [Problem(.authorizationInterrupted, underlying: [Problem(reason.code)])])
    }

    /// Certainly not approved once the host has confirmed; unknown if it does not. Not ended by a cancellation.
    private func reverse(
        _ conversation: Conversation, _ reason: Reversal.Reason, _ problems: [Problem]
    ) async -> AuthorizationResult {
        let reversal = Reversal(key: conversation.key, reason: reason, read: conversation.read)
        let authorizer = conversation.means.authorizer
        let (attempts, deadline, timer) = (
            max(1, options.reversalAttempts), options.authorizationDeadline, options.timer
        )
        let isConfirmed = await Task {
            for _ in 0..<attempts {
                let answer = await race(deadline, by: timer) {
                    do {
                        try await authorizer.reverse(reversal)
                        return true
                    } catch {
                        return false
                    }
                }
                if case .value(true) = answer { return true }
            }
            return false
        }.value
        return isConfirmed ? .failed(problems) : .unknown(conversation.key)
    }

    /// Nothing is open at the host: the same tap may be authorised again.
    private func retryable(_ conversation: Conversation, _ problems: [Problem]) -> AuthorizationResult {
        tell(.failed(problems), of: conversation.read)
    }

    private func conclude(_ conversation: Conversation, _ result: AuthorizationResult) async -> AuthorizationResult {
        if tap.record?.key == conversation.key { await release() }
        return settle(conversation.key, conversation.read, result)
    }

    /// The result of this tap from now on, whoever asks again.
    private func settle(
        _ key: ReconciliationKey, _ read: CardRead, _ result: AuthorizationResult
    ) -> AuthorizationResult {
        settled = Settled(key, read, result)
        return tell(result, of: read)
    }

    private func tell(_ result: AuthorizationResult, of read: CardRead) -> AuthorizationResult {
        hub.publish(.prompt(prompt(result.message(for: read), of: read)))
        hub.publish(.authorized(result.name))
        hub.publish(generation == 0 ? .notReady : .ready)
        return result
    }

    // MARK: - Without an authoriser

    func complete(_ answer: IssuerAnswer, removalTimedOut: Bool, generation: Int) async -> TapOutcome {
        func refuse(_ failure: TapFailure) -> TapOutcome {
            hub.publish(.finished(.failed))
            return .failed(failure)
        }
        guard activity == nil else { return refuse(.busy) }
        guard generation == self.generation else { return refuse(.notPrepared) }
        guard tap.isParked else { return refuse(.nothingToComplete) }
        let reply: Reply =
            switch answer {
            case .response(let data) where session?.outcome.status == .requestOnlinePIN: .pin(captured: true, data)
            case .response(let data): .online(data, removalTimedOut: removalTimedOut || tap.removalTimedOut)
            case .unableToGoOnline: .online(nil, removalTimedOut: removalTimedOut || tap.removalTimedOut)
            case .pinNotCaptured: .pin(captured: false)
            }
        guard session?.takes(reply) == true else { return refuse(.nothingToComplete) }
        tap.removalTimer?.cancel()
        tap.isParked = false
        session?.advance(reply)
        return await occupy {
            let outcome = await self.drive()
            await self.finish(outcome)
            await self.announce(outcome)
            return outcome
        }
    }
}

extension CardRead {
    /// A PIN has to go with the request.
    fileprivate var wantsPIN: Bool { cvm == .onlinePIN || outcome.status == .requestOnlinePIN }
}

extension Outcome {
    /// A parked kernel goes on with such an answer; `nil`: no answer came (Book A 8.1.1.22, 8.1.1.24).
    fileprivate func goesOn(with data: DataObjects?) -> Bool {
        switch onlineResponse {
        case .any: true
        case .emvData: [Tag(integerLiteral: 0x91), 0x71, 0x72].contains { data?[$0] != nil }
        case .notApplicable: false
        }
    }
}

extension Problem {
    /// A kernel that wants another interface.
    fileprivate init(_ interface: Outcome.Interface?) {
        self = TapOutcome.tryAnotherInterface(interface ?? .notApplicable).problems[0]
    }
}

extension AuthorizationResult {
    /// What the display shows at the end. Never why an issuer refused.
    public func prompt(for read: CardRead, texts: TextCatalogue = TextCatalogue()) -> Prompt {
        Prompt(message(for: read).preferring(read.tap?.presented[0x5F2D]), texts: texts, payment: read.tap?.request)
    }

    func message(for read: CardRead) -> UIRequest {
        switch self {
        case .approved: UIRequest(message: read.cvm == .signature ? .approvedSign : .approved, status: .idle)
        case .declined: UIRequest(message: .notAuthorised, status: .idle)
        case .pinRequested: UIRequest(message: .enterPIN, status: .idle)
        case .failed, .unknown: UIRequest(message: .processingError, status: .idle)
        }
    }
}
