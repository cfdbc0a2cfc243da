// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The passes of one tap. Holds the dialogue with the wallet when a phone is present, opens the passes that the wallet
/// sent, and keeps the results.
///
/// Passes of pass types are opened from the end of the dialogue on, while the payment continues; a pass that is not
/// open at ``LoyaltyContext``'s deadline stays sealed. The step after the dialogue is decided once, when the reader
/// asks.
actor LoyaltyTap: Prelude {
    nonisolated let annotation: Bytes?
    nonisolated let limit: Duration
    nonisolated let invitation: TextKey? = TextKey("loyalty.present")

    nonisolated let request: LoyaltyRequest
    private let purpose: LoyaltyPurpose
    private let context: LoyaltyContext
    private let timer: any Clock<Duration>
    private let price: LoyaltyPrice?
    private var dialogue: WalletDialogue
    #if Loyalty
    /// `nil` if no collector is asked for.
    private let key: SmartTapKey?
    #endif

    private var hasPhone = false
    /// Whether a command was sent whose answer has not arrived here.
    private var isAsking = false
    /// The number of commands whose answers have arrived here.
    private var answered = 0
    /// The decided next step: a late answer does not change it.
    private var decision: PreludeEnd?
    /// The app's new total for the payment.
    private var total: AmountChange.Total?
    /// The times at which the sealed passes arrived.
    private var received: [Int: Int64] = [:]
    /// The outcomes of programmes whose pass is already open.
    private var opened: [Int: PassOutcome] = [:]
    private var opening: Task<Void, Never>?
    /// The result that the caller received.
    private var told: LoyaltyResult?

    /// - Parameters:
    ///   - timer: measures the deadline for the keys.
    ///   - price: called before a payment.
    init(
        _ request: LoyaltyRequest, _ purpose: LoyaltyPurpose, _ context: LoyaltyContext, timer: any Clock<Duration>,
        price: LoyaltyPrice? = nil
    ) {
        self.request = request
        self.purpose = purpose
        self.context = context
        self.timer = timer
        self.price = price
        annotation = PollingFrame.bytes(purpose)
        limit = request.limit(purpose)
        let reason = LoyaltyTap.reason(request, context)
        #if Loyalty
        key = reason == nil ? SmartTapKey() : nil
        dialogue = WalletDialogue(request, purpose, terminal: key?.terminal, without: reason ?? .noSigner)
        #else
        dialogue = WalletDialogue(request, purpose, terminal: nil, without: reason ?? .noCryptography)
        #endif
    }

    /// Why Smart Tap is not asked for; `nil` if it is, provided there is a collector.
    private static func reason(_ request: LoyaltyRequest, _ context: LoyaltyContext) -> NotAsked? {
        #if Loyalty
        for programme in request.programmes {
            guard case .collector(let number, let version, _) = programme.wallet else { continue }
            return context.signer?.signs(collector: number, keyVersion: version) == true ? nil : .noSigner
        }
        return .noSigner
        #else
        return .noCryptography
        #endif
    }

    // MARK: - With the phone

    func hold(_ card: PreludeCard) async {
        hasPhone = true
        var step = dialogue.next(nil)
        while decision == nil {
            switch step {
            case .send(let command):
                isAsking = true
                let answer = await card.send(command)
                // The reader has already delivered the answer through `end(after:)`.
                guard isAsking else { return }
                step = take(answer)
            case .sign(let bytes):
                let signature = await sign(bytes)
                guard decision == nil else { return }
                step = dialogue.next(.signature(signature))
            case .finished:
                open()
                if purpose == .insteadOfPayment { await opening?.value }
                await askPrice()
                return
            }
        }
    }

    private func take(_ answer: PreludeAnswer) -> DialogueStep {
        isAsking = false
        answered += 1
        let step =
            switch answer {
            case .response(let bytes): dialogue.next(.response(bytes))
            case .fault(let fault): dialogue.next(.fault(fault))
            case .over: dialogue.next(.over)
            }
        for (index, finding) in dialogue.findings.enumerated() where received[index] == nil {
            if case .outcome(.sealed) = finding { received[index] = context.now() }
        }
        return step
    }

    private func sign(_ bytes: Bytes) async -> Bytes? {
        guard let signer = context.signer, let collector = dialogue.collectorProgramme,
            case .collector(let number, let version, _) = collector.wallet
        else { return nil }
        do throws(LoyaltyFault) {
            return try await signer.sign(bytes, collector: number, keyVersion: version)
        } catch {
            return nil
        }
    }

    /// Asks the app within the dialogue's time limit: the reader does not wait any longer.
    private func askPrice() async {
        guard let price, purpose == .andPayment else { return }
        await opening?.value
        let passes = current
        guard decision == nil, passes.hasPass else { return }
        let total = await price(passes)
        if decision == nil { self.total = total }
    }

    // MARK: - The next step

    /// A pass that was read, or is still sealed, may replace the payment; a phone that is not ready to pay has to be
    /// presented again.
    func end(after answers: [PreludeAnswer]) -> PreludeEnd {
        if let decision { return decision }
        if isAsking, answers.count > answered, take(answers[answered]) != .finished { _ = dialogue.next(.over) }
        isAsking = false
        open()
        let end = whatFollows
        decision = end
        return end
    }

    private var whatFollows: PreludeEnd {
        let outcomes = dialogue.findings.indices.map(outcome)
        switch purpose {
        case .passOnly: return PreludeEnd(.payment, text: LoyaltyResult.textKey(outcomes))
        case .insteadOfPayment where outcomes.contains(where: \.isPass):
            return PreludeEnd(.stop, text: TextKey("loyalty.read"))
        case .insteadOfPayment, .andPayment, .paymentOnly:
            guard dialogue.holdsPayment else { return PreludeEnd(.payment, total: total) }
            return PreludeEnd(.presentAgain, text: TextKey("loyalty.again"), total: total)
        }
    }

    /// Whether the payment was left out because of a pass.
    var hasStopped: Bool { decision?.next == .stop }

    // MARK: - The result

    /// Waits for the keys, up to their deadline and only while the caller waits.
    func result() async -> LoyaltyResult {
        open()
        if let opening { _ = await race(nil, by: timer) { await opening.value } }
        if let told { return told }
        let result = current
        told = result
        return result
    }

    /// The present result, also while the tap continues.
    var current: LoyaltyResult {
        LoyaltyResult(
            request.programmes.enumerated().map { index, programme in
                LoyaltyResult.Entry(programme.id, outcome(index))
            })
    }

    /// The outcome of one programme. A pass that is not opened yet counts as sealed.
    private func outcome(_ index: Int) -> PassOutcome {
        if let outcome = opened[index] { return outcome }
        switch dialogue.findings[index] {
        case .outcome(.notAsked(.outOfTime)) where !hasPhone: return .notAsked(.noPhone)
        case .outcome(.sealed(var pass)):
            pass.received = received[index]
            return .sealed(pass)
        case .outcome(let outcome): return outcome
        case .bundle: return .unreadable(.internal)
        }
    }

    // MARK: - Opening

    /// Opens bundles immediately. Passes are opened in a separate task and only once, however many callers ask: a
    /// cryptogram that is opened twice would count as repeated.
    private func open() {
        #if Loyalty
        for (index, finding) in dialogue.findings.enumerated() where opened[index] == nil {
            if case .bundle(let bundle) = finding { opened[index] = key?.open(bundle) ?? .unreadable(.internal) }
        }
        #endif
        guard opening == nil, context.passKeys != nil else { return }
        let sealed = dialogue.findings.indices.compactMap { index in
            if case .sealed(let pass) = outcome(index) { (index, pass) } else { nil }
        }
        guard !sealed.isEmpty else { return }
        let deadline = context.openingDeadline, timer = timer
        opening = Task {
            _ = await race(deadline, by: timer) {
                await withTaskGroup(of: Void.self) { group in
                    for (index, pass) in sealed { group.addTask { await self.open(pass, index) } }
                }
            }
        }
    }

    private func open(_ pass: SealedPass, _ index: Int) async {
        let outcome = await context.open(pass, of: request.programmes[index].id)
        guard told != nil else {
            opened[index] = outcome
            return
        }
        // The caller has the sealed pass, and may open it later.
        if case .read = outcome { await context.seen.remove(pass.digest) }
    }
}

extension PassOutcome {
    /// The display text for this outcome.
    public var textKey: TextKey {
        switch self {
        case .read, .sealed: TextKey("loyalty.read")
        case .none: TextKey("loyalty.none")
        case .locked: TextKey("loyalty.unlock")
        case .chooseOnDevice: TextKey("loyalty.choose")
        case .signUpOffered: TextKey("loyalty.signUp")
        case .refused, .unreadable, .notAsked: TextKey("loyalty.failed")
        }
    }
}

extension LoyaltyResult {
    /// The display text for the result: the one for the programme that needs most from the phone's owner. `nil` if no
    /// pass was asked for.
    ///
    /// In a payment the reader does not show it: the display belongs to the payment, and a phone that has to be
    /// unlocked, or on which a pass has to be chosen, must not delay a payment. Show it with the payment's result.
    public var textKey: TextKey? { LoyaltyResult.textKey(entries.map(\.outcome)) }

    static func textKey(_ outcomes: [PassOutcome]) -> TextKey? {
        let order: [PassOutcomeName] = [.chooseOnDevice, .locked, .read, .sealed, .signUpOffered, .none]
        let found = order.compactMap { name in outcomes.first { $0.name == name } }.first
        return (found ?? outcomes.first)?.textKey
    }
}
