// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The passes of one tap: holds the dialogue with the wallet when a phone is there, and keeps what it found.
actor LoyaltyTap: Prelude {
    nonisolated let annotation: Bytes?
    nonisolated let limit: Duration
    nonisolated let invitation: TextKey? = TextKey("loyalty.present")

    let request: LoyaltyRequest
    private let purpose: LoyaltyPurpose
    private let context: LoyaltyContext
    private var dialogue: WalletDialogue
    #if Loyalty
    /// `nil`: no collector is asked for.
    private let key: SmartTapKey?
    #endif

    private var hasPhone = false
    /// What it came to is asked for: nothing that is late changes it.
    private var isOver = false
    /// Programmes that are opened by now.
    private var opened: [Int: PassOutcome] = [:]
    private var opening: Task<Void, Never>?

    init(_ request: LoyaltyRequest, _ purpose: LoyaltyPurpose, _ context: LoyaltyContext) {
        self.request = request
        self.purpose = purpose
        self.context = context
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
        var answer: DialogueAnswer?
        while !isOver {
            let step = dialogue.next(answer)
            switch step {
            case .send(let command):
                answer =
                    switch await card.send(command) {
                    case .response(let bytes): .response(bytes)
                    case .fault(let fault): .fault(fault)
                    case .over: .over
                    }
            case .sign(let bytes): answer = .signature(await sign(bytes))
            case .finished:
                openBundle()
                if purpose == .insteadOfPayment { await openAll() }
                return
            }
        }
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

    /// What follows: a pass that was read, or is sealed, may take the payment's place; a phone that is not ready to pay
    /// is presented once more.
    var end: PreludeEnd {
        let hasPass = dialogue.findings.indices.contains { outcome($0).isPass }
        switch purpose {
        case .passOnly: return PreludeEnd(.payment, text: textKey)
        case .insteadOfPayment where hasPass: return PreludeEnd(.stop, text: TextKey("loyalty.read"))
        case .insteadOfPayment, .andPayment, .paymentOnly:
            guard dialogue.holdsPayment else { return PreludeEnd(.payment) }
            return PreludeEnd(.presentAgain, text: TextKey("loyalty.again"))
        }
    }

    /// Of the programme that asks most of the owner.
    private var textKey: TextKey {
        let outcomes = dialogue.findings.indices.map(outcome)
        let order: [PassOutcomeName] = [.chooseOnDevice, .locked, .read, .sealed, .signUpOffered, .none]
        let found = order.compactMap { name in outcomes.first { $0.name == name } }.first
        return (found ?? outcomes.first ?? .none).textKey
    }

    // MARK: - What it came to

    /// The payment was left out for a pass.
    var hasStopped: Bool { end.next == .stop }

    /// Opens what is left to be opened; no phone is needed for that.
    func result() async -> LoyaltyResult {
        isOver = true
        openBundle()
        await openAll()
        return LoyaltyResult(
            request.programmes.enumerated().map { index, programme in
                LoyaltyResult.Entry(programme.id, outcome(index))
            })
    }

    /// As it stands: a sealed pass that is not opened yet is sealed.
    private func outcome(_ index: Int) -> PassOutcome {
        if let outcome = opened[index] { return outcome }
        switch dialogue.findings[index] {
        case .outcome(.notAsked(.outOfTime)) where !hasPhone: return .notAsked(.noPhone)
        case .outcome(let outcome): return outcome
        case .bundle: return .unreadable(.internal)
        }
    }

    private func openBundle() {
        #if Loyalty
        for (index, finding) in dialogue.findings.enumerated() where opened[index] == nil {
            if case .bundle(let bundle) = finding { opened[index] = key?.open(bundle) ?? .unreadable(.internal) }
        }
        #endif
    }

    /// Once, whoever asks for it: a cryptogram that is opened twice would be a repeated one.
    private func openAll() async {
        if opening == nil { opening = Task { await openPasses() } }
        await opening?.value
    }

    private func openPasses() async {
        for (index, finding) in dialogue.findings.enumerated() {
            guard case .outcome(.sealed(let pass)) = finding else { continue }
            opened[index] = await context.open(pass, of: request.programmes[index].id)
        }
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
