// SPDX-License-Identifier: Apache-2.0
/// What belongs to the tap under way, or to the parked one.
struct TapState {
    var record: TapRecord?
    var transaction: Transaction?
    var timeout: Duration?
    var isParked = false
    /// The card may stay in the field until the issuer has answered.
    var keepsField = false
    /// What the card said to everybody.
    var presented = DataObjects()
    /// Application identifiers of the directory, should none be in common.
    var offered: [Bytes] = []
    /// No response yet in this presentment: the next one is the directory's.
    var awaitsDirectory = true
    var lastFault: LinkFault?
    var sentToPhone = false
    /// The presentment before this one.
    var wasSentToPhone = false
    var hold = Duration.zero
    /// Presentments after which another one was asked for.
    var announcedTaps = 0
    /// Runs while the issuer is asked (Book A 8.1.1.21).
    var removalTimer: Task<Void, Never>?
    var removalTimedOut = false
}

/// The keys of the last taps: a key is one tap.
struct UsedKeys: Sendable {
    static let limit = 10_000

    private var keys: Set<ReconciliationKey> = []
    private var ring: [ReconciliationKey] = []
    private var oldest = 0

    func contains(_ key: ReconciliationKey) -> Bool { keys.contains(key) }

    mutating func insert(_ key: ReconciliationKey) {
        guard keys.insert(key).inserted else { return }
        guard ring.count == UsedKeys.limit else { return ring.append(key) }
        keys.remove(ring[oldest])
        ring[oldest] = key
        oldest = (oldest + 1) % UsedKeys.limit
    }
}

extension TapReader {
    /// - Parameter generation: of the session that asks; `nil`: prepare where that is needed.
    func perform(_ purpose: TapRecord.Purpose, generation: Int?, superseding: Bool = false) async -> TapOutcome {
        if superseding { while activity != nil { await end(.superseded) } }
        guard activity == nil else {
            // The tap under way goes on: how the reader stands does not change.
            hub.publish(.finished(.failed))
            return .failed(.busy)
        }
        let record = TapRecord(purpose, counter: counter, moment: options.clock).paid(to: options.payee)
        if let refused = refusal(of: record, generation) {
            announce(refused)
            return refused
        }
        return await occupy {
            let outcome = await self.wholeTap(record)
            await self.announce(outcome)
            return outcome
        }
    }

    /// Why a read ends before it begins; `nil`: it may begin.
    private func refusal(of record: TapRecord, _ generation: Int?) -> TapOutcome? {
        guard generation == nil || generation == self.generation else { return .failed(.notPrepared) }
        guard !Task.isCancelled else { return .cancelled(.taskCancelled) }
        let problems = record.requestProblems
        guard problems.isEmpty else { return .failed(.invalid(problems)) }
        // The host takes two requests of one key for one: this payment would get the answer of another.
        guard !usedKeys.contains(record.key) else {
            return .failed(
                .invalid([Problem(.requestInvalid, detail: "the key of an earlier tap; every tap takes a new one")]))
        }
        return expired.map { .failed(.preparation($0)) }
    }

    /// The last that is said of a read or a completion: how it ended, then how the reader stands.
    func announce(_ outcome: TapOutcome) {
        hub.publish(.finished(outcome.name))
        hub.publish(outcome == .cancelled(.readerDetached) ? .readerDetached : generation == 0 ? .notReady : .ready)
    }

    /// From a request to an idle reader.
    private func wholeTap(_ record: TapRecord) async -> TapOutcome {
        await giveUpOpenChallenge()
        if let reason = interruption { return .cancelled(reason) }
        do throws(PrepareError) {
            _ = try await prepare()
        } catch {
            if let reason = interruption { return .cancelled(reason) }
            return .failed(.preparation(error))
        }
        guard let checked else { return .failed(.internal) }
        await release()
        do throws(ConfigurationError) {
            let transaction = record.transaction(random: options.random, autorun: checked.configuration.autorun)
            session = try KernelSession(checked, transaction, memory: memory, reader: remembered)
            tap.transaction = transaction
        } catch {
            return .failed(.invalidRequest(error))
        }
        counter = counter >= 99_999_999 ? 1 : counter + 1
        tap.record = record
        tap.timeout = record.timeout ?? options.cardTimeout
        usedKeys.insert(record.key)
        hub.publish(.started(record.key))
        await transport.begin(record)
        let outcome = await drive()
        await finish(outcome)
        return outcome
    }

    /// The reader is idle afterwards, and the last message was shown for its time or will be.
    func finish(_ outcome: TapOutcome) async {
        if case .success = outcome {} else if case .onlinePINRequired = outcome {} else { tap.isParked = false }
        if outcome != .cancelled(.readerDetached) { await settleField() }
        await showOut()
        if !tap.isParked { abandon() }
    }

    /// After an outcome: the field stays on for a kernel that starts again at D (Book A, Table 6-2). Otherwise it goes off, for so long as the
    /// kernel asked for (Book B 3.5.1.2).
    func settleField() async {
        let isEnding = [.parked, .done].contains(session?.kind), request = isEnding ? session?.fieldOff : nil
        tap.keepsField = tap.isParked && session?.outcome.start == .d && request == nil
        if !tap.keepsField { await transport.fieldOff(for: request ?? .zero) }
        startRemovalTimer()
    }

    /// Book A 8.1.1.21: from a parked outcome until the answer is there.
    private func startRemovalTimer() {
        guard tap.isParked, let timeout = session?.outcome.removalTimeout, let key = tap.record?.key else { return }
        tap.removalTimedOut = false
        let timer = options.timer
        tap.removalTimer = Task { [weak self] in
            do { try await timer.sleep(for: timeout) } catch { return }
            await self?.removalTimePassed(key)
        }
    }

    private func removalTimePassed(_ key: ReconciliationKey) {
        guard !Task.isCancelled, tap.isParked, tap.record?.key == key else { return }
        tap.removalTimedOut = true
        hub.publish(.prompt(prompt(UIRequest(message: .cardReadOK, status: .cardRead))))
        hub.publish(.cardRead)
    }

    private func showOut() async {
        tapNumber += 1
        let hold = tap.hold, number = tapNumber
        tap.hold = .zero
        guard hold > .zero else {
            hub.publish(.promptFinished)
            return
        }
        guard options.returnReadResultImmediately else {
            if !Task.isCancelled { try? await options.timer.sleep(for: hold) }
            hub.publish(.promptFinished)
            return
        }
        let timer = options.timer
        Task { [weak self] in
            try? await timer.sleep(for: hold)
            await self?.promptFinished(number)
        }
    }

    private func promptFinished(_ number: Int) {
        if number == tapNumber, activity == nil || session == nil { hub.publish(.promptFinished) }
    }

    /// From wherever the session stands to an outcome. A finished one counts even if the tap was cancelled meanwhile.
    func drive() async -> TapOutcome {
        while let kind = session?.kind {
            show()
            switch kind {
            case .parked:
                tap.isParked = true
                return result()
            case .done:
                return result()
            default: break
            }
            if let reason = interruption {
                // A request that came with this poll counts also if nobody polls any more.
                if kind == .poll, let hold = session?.fieldOff { await transport.fieldOff(for: hold) }
                return .cancelled(reason)
            }
            switch kind {
            case .poll:
                if let ended = await poll() { return ended }
            case .send:
                if let ended = await send() { return ended }
            case .ask:
                if let ended = await answer() { return ended }
            case .work:
                give(.carryOn)
            case .parked, .done: break
            }
        }
        return .failed(.internal)
    }

    private func poll() async -> TapOutcome? {
        guard var poll = session?.poll else { return .failed(.internal) }
        poll.timeout = tap.timeout
        tap.awaitsDirectory = true
        if let taps = session?.taps, taps > tap.announcedTaps {
            tap.announcedTaps = taps
            hub.publish(.presentAgain)
        }
        if !poll.removalFirst { hub.publish(.waitingForCard) }
        let event = await transport.waitForCard(poll)
        if event == .readerGone { return detached() }
        if let reason = interruption { return .cancelled(reason) }
        switch event {
        case .card:
            hub.publish(.cardDetected)
            (tap.wasSentToPhone, tap.sentToPhone) = (tap.sentToPhone, false)
            for before in [Reply.removed, .collisionCleared] where session?.takes(before) == true { give(before) }
            give(.card)
        case .collision:
            hub.publish(.severalCards)
            give(.collision)
        case .collisionCleared:
            if session?.takes(.collisionCleared) == true { give(.collisionCleared) }
        case .removed:
            if session?.takes(.removed) == true { give(.removed) }
        case .fault(let fault):
            tap.lastFault = fault
            give(.fault(fault))
        case .nothing: return .cancelled(.timedOut)
        case .readerGone: break
        }
        return nil
    }

    private func send() async -> TapOutcome? {
        guard let command = session?.command else { return .failed(.internal) }
        let exchange = await exchangeAndWork(command)
        switch exchange {
        case .response(let bytes, let elapsed):
            tap.lastFault = nil
            notice(bytes, to: command)
            give(.response(bytes, elapsed: elapsed))
            return refusedCountry()
        case .fault(let fault):
            if let reason = interruption { return .cancelled(reason) }
            tap.lastFault = fault
            give(.fault(fault))
        case .readerGone:
            return detached()
        }
        return nil
    }

    /// Certificates are worked on while the card is. On an executor that blocks while it exchanges, the work comes first.
    private func exchangeAndWork(_ command: Bytes) async -> Exchange {
        guard session?.hasWork() == true else { return await transport.transceive(command) }
        async let exchange = transport.transceive(command)
        while session?.work() == true {}
        return await exchange
    }

    /// A question of the kernel. Where nothing is asked it is a time to wait for (Kernel 2, after a failed checksum); a question that nobody here
    /// can answer is not waited for.
    private func answer() async -> TapOutcome? {
        guard let question = session?.question, question.kind == .kernel else { return .failed(.noRandom) }
        if question.bytes.isEmpty, let deadline = question.deadline { try? await options.timer.sleep(for: deadline) }
        if let reason = interruption { return .cancelled(reason) }
        give(.deadlinePassed)
        return nil
    }

    /// A reply that the step does not take would leave the session where it is for ever: it is abandoned instead.
    func give(_ reply: Reply) {
        let taken = session?.takes(reply) == true
        session?.advance(taken ? reply : .abandon)
    }

    private func show() {
        guard let messages = session?.messages else { return }
        for request in messages {
            tap.hold = request.hold
            if request.message == .seePhone { tap.sentToPhone = true }
            hub.publish(.prompt(prompt(request)))
            if request.status == .cardRead { hub.publish(.cardRead) }
        }
    }

    /// A message as it is shown: in the card's language once that is known, with what is paid and to whom.
    func prompt(_ request: UIRequest, of read: CardRead? = nil) -> Prompt {
        let presented = read?.tap?.presented ?? tap.presented
        let payment = (read?.tap ?? tap.record)?.request
        return Prompt(request.preferring(presented[0x5F2D]), texts: options.texts, payment: payment)
    }

    private func detached() -> TapOutcome {
        generation = 0
        return .cancelled(.readerDetached)
    }

    /// Leaves a parked tap: the field goes off where it was left on.
    func release() async {
        if tap.keepsField {
            tap.keepsField = false
            await transport.fieldOff(for: .zero)
        }
        abandon()
    }

    /// Wipes the session, if there is one.
    func abandon() {
        tap.removalTimer?.cancel()
        session = nil
        tap = TapState()
    }
}

// MARK: - What the card said, and what it means

extension TapReader {
    /// Keeps what a card says to everybody: of the directory and the application always, of records only where the issuer's country counts.
    private func notice(_ response: Bytes, to command: Bytes) {
        guard response.count > 2, response.suffix(2) == [0x90, 0x00] else {
            tap.awaitsDirectory = false
            return
        }
        let body = response.dropLast(2)
        let isSelect = command.count > 1 && command[1] == 0xA4
        if tap.awaitsDirectory {
            tap.awaitsDirectory = false
            tap.presented = [:]
            tap.offered = TLVTree(body).filter { $0.object.tag == 0x4F }.map { Bytes($0.object.value) }
            return
        }
        guard isSelect || tap.record?.supportedIssuerCountries != nil else { return }
        if isSelect { tap.presented = [:] }
        for node in TLVTree(body)
        where CardSummary.tags.contains(node.object.tag) && tap.presented[node.object.tag] == nil {
            tap.presented[node.object.tag] = Bytes(node.object.value)
        }
    }

    /// A card of a country that is not taken is left as soon as it says so.
    private func refusedCountry() -> TapOutcome? {
        guard let supported = tap.record?.supportedIssuerCountries, let country = Country(ofIssuer: tap.presented),
            !supported.countries.contains(country)
        else { return nil }
        return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: tap.offered))
    }

    private func result() -> TapOutcome {
        guard let outcome = session?.outcome, let record = tap.record?.presenting(tap.presented) else {
            return .failed(.internal)
        }
        tap.record = record
        var rule = LimitRule.other
        if outcome.reason == .notAllowed, let transaction = tap.transaction, let checked {
            rule = checked.limitRule(for: transaction)
        }
        var ended: TapOutcome
        switch record.purpose {
        case .payment:
            ended = TapOutcome(outcome: outcome, hasPINPad: options.hasPINPad, limit: rule, tap: record)
        case .verification(let request):
            ended = TapOutcome(verifying: outcome, request.reason, limit: rule, tap: record)
        }
        switch ended {
        case .success, .verified, .onlinePINRequired, .onlinePINUnavailable:
            ended = refusal(of: CardSummary(outcome, record.presented).issuerCountry, record) ?? ended
        case .unsupportedNetwork:
            // A network that is taken here, only not for this amount, is told apart from one that is not taken at all.
            let limit = tap.transaction.flatMap { checked?.limitRule(for: $0, offered: tap.offered) }
            ended = limit.map { .limitExceeded($0) } ?? .unsupportedNetwork(NetworkMismatch(offered: tap.offered))
        case .unreadable(var failure):
            failure.linkFault = tap.lastFault
            // The phone was shown the last time, too, and there are no more presentments to ask for.
            failure.deviceLocked =
                tap.sentToPhone || (tap.wasSentToPhone && failure.reason == .tooManyTaps && tap.lastFault == nil)
            ended = .unreadable(failure)
        default: break
        }
        return ended
    }

    private func refusal(of country: Country?, _ record: TapRecord) -> TapOutcome? {
        guard let supported = record.supportedIssuerCountries else { return nil }
        switch country {
        case let country? where !supported.countries.contains(country):
            return .unsupportedNetwork(NetworkMismatch(.issuerCountry(country), offered: tap.offered))
        case nil where supported.unknown == .refuse:
            return .unsupportedNetwork(NetworkMismatch(.issuerCountryUnknown, offered: tap.offered))
        default: return nil
        }
    }
}
