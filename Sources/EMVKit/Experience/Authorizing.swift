/// What an authorisation works with.
struct Means: Sendable {
    let authorizer: any Authorizer
    let pinPad: (any PINPad)?
    let accessibility: Bool
}

/// One payment on its way to the issuer and back, perhaps several times.
struct Conversation: Sendable {
    let key: ReconciliationKey
    var read: CardRead
    let means: Means
    /// Requests so far.
    var attempt = 0
    /// PINs the issuer asked for so far.
    var challenges = 0
    /// PINs asked for so far, by whomever.
    var entries = 0
    var pin: EncryptedPINBlock?
    var challenge: PINChallenge?

    /// Something may be open at the host.
    var hasLeft: Bool { attempt > 0 }
}

extension TapReader {
    func authorize(_ read: CardRead, _ means: Means, pin: EncryptedPINBlock?) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard let key = read.key, read.tap?.request != nil else { return refuse(.authorizationNotPossible) }
        if let settled, settled.key == key { return repeated(settled.result) }
        if let open = openChallenge, open.key == key, let challenge = open.challenge { return repeated(.pinRequested(challenge)) }
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

    func authorize(_ read: CardRead, answering challenge: PINChallenge, with pin: EncryptedPINBlock) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard var conversation = openChallenge, conversation.key == read.key, conversation.challenge == challenge else {
            return refuse(.nothingToComplete)
        }
        openChallenge = nil
        conversation.pin = pin
        return await occupy { [conversation] in await self.converse(conversation) }
    }

    func giveUp(_ read: CardRead) async -> AuthorizationResult {
        guard activity == nil else { return refuse(.readerBusy) }
        guard let conversation = openChallenge, conversation.key == read.key else { return refuse(.nothingToComplete) }
        openChallenge = nil
        return await occupy { await self.conclude(conversation, self.reverse(conversation, .pinMissing, [Problem(.pinCancelled)])) }
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
        settled = (conversation.key, result)
        if case .unknown(let key) = result { hub.publish(.unresolved(key)) }
    }

    // MARK: - Asking

    private func converse(_ start: Conversation) async -> AuthorizationResult {
        await giveUpOpenChallenge()
        var conversation = start
        if let problems = await collectForCard(&conversation) { return retryable(conversation, problems) }
        while true {
            conversation.attempt += 1
            hub.publish(.authorizing)
            let challenge: PINChallenge
            switch await ask(conversation) {
            case .value(.pinRequested(let wanted)): challenge = wanted
            case .value(.approved(let approval)): return await conclude(conversation, accept(approval, conversation))
            case .value(.declined(let decline)):
                _ = await tellCard(decline.issuerData, conversation)
                return await conclude(conversation, .declined(decline))
            case .value(.failed(let problems)): return retryable(conversation, problems)
            case .value(nil):
                return await conclude(conversation, reverse(conversation, .answerLost, [Problem(.authorizationAnswerLost)]))
            case .deadlinePassed:
                return await conclude(conversation, reverse(conversation, .timedOut, [Problem(.authorizationTimedOut)]))
            case .cancelled:
                return await conclude(conversation, interrupted(conversation))
            }
            conversation.challenges += 1
            conversation.challenge = challenge
            conversation.pin = nil
            guard conversation.challenges <= options.maximumPINRequests else {
                return await conclude(conversation, reverse(conversation, .pinMissing, [Problem(.pinAttemptsExceeded)]))
            }
            guard conversation.means.pinPad != nil else { return wait(conversation, challenge) }
            if let problems = await collect(.issuer(challenge), &conversation) {
                if interruption != nil { return await conclude(conversation, interrupted(conversation)) }
                return await conclude(conversation, reverse(conversation, .pinMissing, problems))
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

    /// The app is to bring the PIN.
    private func wait(_ conversation: Conversation, _ challenge: PINChallenge) -> AuthorizationResult {
        openChallenge = conversation
        hub.publish(.prompt(prompt(UIRequest(message: .enterPIN, status: .idle), of: conversation.read)))
        hub.publish(.authorized(.pinRequested))
        hub.publish(.ready)
        return .pinRequested(challenge)
    }

    // MARK: - PIN

    /// The PIN that the card or the kernel wants before the issuer is asked; what stands in the way, if something does.
    private func collectForCard(_ conversation: inout Conversation) async -> [Problem]? {
        guard !conversation.hasLeft, conversation.read.wantsPIN else { return nil }
        if conversation.pin == nil {
            guard conversation.means.pinPad != nil else { return [Problem(.pinPadMissing)] }
            if let problems = await collect(.card, &conversation) {
                return interruption.map { [Problem($0.code)] } ?? problems
            }
        }
        guard conversation.read.outcome.status == .requestOnlinePIN, isParked(conversation.key),
            session?.takes(.pin(captured: true)) == true
        else {
            return nil
        }
        tap.isParked = false
        session?.advance(.pin(captured: true))
        guard case .success(let read) = await drive(), read.authorization == .onlineRequired else {
            await transport.fieldOff()
            return [Problem(.cardDeclined)]
        }
        conversation.read = read
        return nil
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

    // MARK: - What the card makes of the answer

    private func accept(_ approval: Approval, _ conversation: Conversation) async -> AuthorizationResult {
        let told = await tellCard(approval.issuerData, conversation)
        guard case .declined? = told.outcome else {
            var approval = approval
            approval.cardAnswer = told.answer
            return .approved(approval)
        }
        let decline = Decline(reason: .issuerAnswerRefused, responseCode: approval.responseCode)
        let reversed = await reverse(conversation, .cardRefused, [decline.problem])
        if case .unknown = reversed { return reversed }
        return .declined(decline)
    }

    /// Gives the issuer's data to a kernel that waits for them, and answers what came of it; `nil` where nothing waits. Once the issuer has
    /// decided, a card that does not come back, or a cancellation, changes nothing.
    private func tellCard(_ data: DataObjects, _ conversation: Conversation) async -> (outcome: TapOutcome?, answer: CardData?) {
        guard isParked(conversation.key), !data.isEmpty, session?.takes(.online(data)) == true else { return (nil, nil) }
        tap.isParked = false
        tap.timeout = options.issuerUpdateTimeout
        session?.advance(.online(data))
        let outcome = await drive()
        await transport.fieldOff()
        tap.keepsField = false
        return (outcome, session?.outcome.discretionary)
    }

    private func isParked(_ key: ReconciliationKey) -> Bool {
        tap.isParked && tap.record?.key == key
    }

    // MARK: - Ending

    private func interrupted(_ conversation: Conversation) async -> AuthorizationResult {
        let reason = interruption ?? .taskCancelled
        return await reverse(conversation, .interrupted, [Problem(.authorizationInterrupted, underlying: [Problem(reason.code)])])
    }

    /// Certainly not approved once the host has confirmed; unknown if it does not. Not ended by a cancellation.
    private func reverse(
        _ conversation: Conversation, _ reason: Reversal.Reason, _ problems: [Problem]
    ) async -> AuthorizationResult {
        let reversal = Reversal(key: conversation.key, reason: reason, read: conversation.read)
        let authorizer = conversation.means.authorizer
        let (attempts, deadline, timer) = (max(1, options.reversalAttempts), options.authorizationDeadline, options.timer)
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
    private func settle(_ key: ReconciliationKey, _ read: CardRead, _ result: AuthorizationResult) -> AuthorizationResult {
        settled = (key, result)
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
            case .response(let data): .online(data, removalTimedOut: removalTimedOut)
            case .unableToGoOnline: .online(nil, removalTimedOut: removalTimedOut)
            case .pinCaptured: .pin(captured: true)
            }
        guard session?.takes(reply) == true else { return refuse(.nothingToComplete) }
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
