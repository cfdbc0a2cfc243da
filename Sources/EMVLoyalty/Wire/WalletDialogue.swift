// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The whole dialogue of a tap: the common SELECT, then the protocol of the wallet that answered. It is a value without
/// I/O.
package struct WalletDialogue: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        case idle
        /// The common SELECT was sent.
        case selecting
        case vas, smartTap
        case ended
    }

    /// The phases that may follow each phase. None follows `ended`.
    package static let edges: [Phase: Set<Phase>] = [
        .idle: [.selecting, .ended], .selecting: [.vas, .smartTap, .ended], .vas: [.vas, .ended],
        .smartTap: [.smartTap, .ended], .ended: [],
    ]

    package private(set) var phase = Phase.idle
    /// One finding for each programme of the request, in its order. It is valid at any time: a programme without an
    /// answer so far counts as not asked in time.
    package private(set) var findings: [Finding]
    package private(set) var isLinkBroken = false
    /// Whether the phone forbids an immediate payment.
    package private(set) var holdsPayment = false
    package private(set) var vas: VASDialogue?
    package private(set) var smartTap: SmartTapDialogue?

    private let programmes: [LoyaltyProgramme]
    private let purpose: LoyaltyPurpose
    /// Indices of the pass types to ask for; at most one collector is asked for.
    private let passTypes: [Int]
    private let collector: Int?
    private let terminal: SmartTapTerminal?

    /// - Parameters:
    ///   - terminal: `nil` if Smart Tap is not asked for; `reason` is the cause.
    package init(
        _ request: LoyaltyRequest, _ purpose: LoyaltyPurpose, terminal: SmartTapTerminal?,
        without reason: NotAsked = .noCryptography
    ) {
        programmes = request.programmes
        self.purpose = purpose
        self.terminal = terminal
        findings = programmes.map { _ in .outcome(.notAsked(.outOfTime)) }
        var passTypes: [Int] = [], collector: Int?
        for (index, programme) in programmes.enumerated() {
            switch programme.wallet {
            case .passType where purpose == .passOnly && !passTypes.isEmpty:
                findings[index] = .outcome(.notAsked(.oneAlone))
            case .passType: passTypes.append(index)
            case .collector where terminal == nil: findings[index] = .outcome(.notAsked(reason))
            case .collector where collector != nil: findings[index] = .outcome(.notAsked(.anotherCollector))
            case .collector: collector = index
            }
        }
        self.passTypes = passTypes
        self.collector = collector
    }

    /// - Parameter answer: `nil` for the first call.
    package mutating func next(_ answer: DialogueAnswer?) -> DialogueStep {
        switch phase {
        case .idle:
            guard answer == nil, purpose != .paymentOnly, !passTypes.isEmpty || collector != nil else { return end() }
            phase = .selecting
            return .send(WalletSelection.command)
        case .selecting: return gotSelection(answer)
        case .vas: return forwardToVAS(answer)
        case .smartTap: return forwardToSmartTap(answer)
        case .ended: return .finished
        }
    }

    private mutating func gotSelection(_ answer: DialogueAnswer?) -> DialogueStep {
        switch answer {
        case .response(let bytes):
            guard let response = WalletResponse(bytes) else { return end(all: .unreadable(.malformed(.selection))) }
            guard response.status.rawValue == 0x9000 else { return end(all: .none) }
            do throws(LoyaltyFault) {
                return enter(try WalletSelection(response.body))
            } catch {
                return end(all: .unreadable(error))
            }
        case .fault(let fault):
            isLinkBroken = true
            return end(all: .unreadable(.link(fault)))
        case .over: return end()
        case .signature, nil: return end(all: .unreadable(.internal))
        }
    }

    /// Starts the dialogue of the selected wallet. Programmes of the other wallet get no pass.
    private mutating func enter(_ selection: WalletSelection) -> DialogueStep {
        switch selection {
        case .unknown: return end(all: .none)
        case .apple:
            if let collector { findings[collector] = .outcome(.none) }
            guard !passTypes.isEmpty else { return end() }
            vas = VASDialogue(
                passTypes.enumerated().map { place, index in
                    command(programmes[index], isLast: place == passTypes.count - 1)
                })
            phase = .vas
            return forwardToVAS(nil)
        case .google(let selection):
            for index in passTypes { findings[index] = .outcome(.none) }
            guard let index = collector, let terminal,
                case .collector(let number, let version, let kinds) = programmes[index].wallet
            else { return end() }
            smartTap = SmartTapDialogue(
                collector: number, keyVersion: version, kinds: kinds, purpose: purpose, terminal: terminal,
                selection: selection)
            phase = .smartTap
            return forwardToSmartTap(nil)
        }
    }

    /// The programme that Smart Tap asks for.
    package var collectorProgramme: LoyaltyProgramme? { collector.map { programmes[$0] } }

    private func command(_ programme: LoyaltyProgramme, isLast: Bool) -> VASCommand {
        guard case .passType(let identifier) = programme.wallet else { preconditionFailure("not a pass type") }
        return VASCommand(
            passType: Digest.sha256(identifier.utf8), signUp: programme.signUp, isURLOnly: programme.signUpOnly,
            purpose: purpose, hasMore: !isLast)
    }

    private mutating func forwardToVAS(_ answer: DialogueAnswer?) -> DialogueStep {
        guard let step = vas?.next(answer), let vas else { return end(all: .unreadable(.internal)) }
        for (place, index) in passTypes.enumerated() { findings[index] = .outcome(vas.outcomes[place]) }
        isLinkBroken = vas.isLinkBroken
        return step == .finished ? end() : step
    }

    private mutating func forwardToSmartTap(_ answer: DialogueAnswer?) -> DialogueStep {
        guard let step = smartTap?.next(answer), let smartTap, let collector else {
            return end(all: .unreadable(.internal))
        }
        findings[collector] = smartTap.finding
        isLinkBroken = smartTap.isLinkBroken
        holdsPayment = smartTap.holdsPayment
        return step == .finished ? end() : step
    }

    /// - Parameter outcome: the outcome for every programme that was to be asked for.
    private mutating func end(all outcome: PassOutcome) -> DialogueStep {
        for index in passTypes { findings[index] = .outcome(outcome) }
        if let collector { findings[collector] = .outcome(outcome) }
        return end()
    }

    private mutating func end() -> DialogueStep {
        phase = .ended
        return .finished
    }
}
