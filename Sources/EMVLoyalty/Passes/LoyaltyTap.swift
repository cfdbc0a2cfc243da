// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The passes of one tap: holds the dialogue with the wallet when a phone is there, opens what it gave, and keeps what
/// was found.
///
/// Passes of pass types are opened from the end of the dialogue on, while the payment goes on; what is not open at
/// ``LoyaltyContext``'s deadline stays sealed. What follows the dialogue is decided once, when the reader asks.
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
    /// `nil`: no collector is asked for.
    private let key: SmartTapKey?
    #endif

    private var hasPhone = false
    /// A command is out, or its answer on the way here.
    private var isAsking = false
    /// Commands whose answers have come here.
    private var answered = 0
    /// What follows: nothing that is late changes it.
    private var decision: PreludeEnd?
    /// What the app makes of the payment's total.
    private var total: AmountChange.Total?
    /// When the sealed passes came.
    private var received: [Int: Int64] = [:]
    /// Programmes that are opened by now.
    private var opened: [Int: PassOutcome] = [:]
    private var opening: Task<Void, Never>?
    /// What the caller was told.
    private var told: LoyaltyResult?

    /// - Parameters:
    ///   - timer: what the deadline for the keys is measured by.
    ///   - price: asked before a payment.
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

    /// Why Smart Tap is not asked for; `nil`: it is, if there is a collector.
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
                // The reader has brought the answer before.
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

    /// In the time of the dialogue: the reader leaves it when that is over.
    private func askPrice() async {
        guard let price, purpose == .andPayment else { return }
        await opening?.value
        let passes = current
        guard decision == nil, passes.hasPass else { return }
        let total = await price(passes)
        if decision == nil { self.total = total }
    }

    // MARK: - What follows

    /// A pass that was read, or is still sealed, may take the payment's place; a phone that is not ready to pay is
    /// presented once more.
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

    /// The payment was left out for a pass.
    var hasStopped: Bool { decision?.next == .stop }

    // MARK: - What it came to

    /// Waits for the keys, but no longer than they may take, nor than the caller does.
    func result() async -> LoyaltyResult {
        open()
        if let opening { _ = await race(nil, by: timer) { await opening.value } }
        if let told { return told }
        let result = current
        told = result
        return result
    }

    /// As it stands, also while the tap goes on.
    var current: LoyaltyResult {
        LoyaltyResult(
            request.programmes.enumerated().map { index, programme in
                LoyaltyResult.Entry(programme.id, outcome(index))
            })
    }

    /// A sealed pass that is not opened yet is sealed.
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

    /// Bundles at once. Passes in a task of its own, once, whoever asks for it: a cryptogram that is opened twice would
    /// be a repeated one.
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
        // The caller has it sealed, and may open it later.
        if case .read = outcome { await context.seen.remove(pass.digest) }
    }
}

extension PassOutcome {
    /// What a display says of it.
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
    /// What a display says of it: of the programme that asks most of the owner. `nil` where nothing was asked for.
    ///
    /// In a payment the reader does not show it: its display belongs to the payment, and a phone that is to be unlocked
    /// or to choose a pass delays none. Show it with the payment's result.
    public var textKey: TextKey? { LoyaltyResult.textKey(entries.map(\.outcome)) }

    static func textKey(_ outcomes: [PassOutcome]) -> TextKey? {
        let order: [PassOutcomeName] = [.chooseOnDevice, .locked, .read, .sealed, .signUpOffered, .none]
        let found = order.compactMap { name in outcomes.first { $0.name == name } }.first
        return (found ?? outcomes.first)?.textKey
    }
}
