// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Apple's VAS after its selection: one command for each pass type, in the order of the request. It is a value without
/// I/O: it returns the next step and receives the answer. There is no public specification; the article Passes names
/// the facts and their sources.
package struct VASDialogue: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// A command was sent.
        case asking
        case ended
    }

    /// The phases that may follow each phase. None follows `ended`.
    package static let edges: [Phase: Set<Phase>] = [.asking: [.asking, .ended], .ended: []]

    package private(set) var phase = Phase.asking
    /// One outcome for each command, in their order; for a command that was not sent, the reason.
    package private(set) var outcomes: [PassOutcome]
    package private(set) var isLinkBroken = false

    private let commands: [VASCommand]
    private var position = 0
    /// Positions of the answers "not found". A phone without the pass sends it, and so does a locked phone before it
    /// reports that it is locked.
    private var notFound: [Int] = []

    /// - Parameter commands: at least one.
    init(_ commands: [VASCommand]) {
        precondition(!commands.isEmpty, "a dialogue about nothing")
        self.commands = commands
        outcomes = commands.map { _ in .notAsked(.outOfTime) }
    }

    /// - Parameter answer: `nil` for the first call.
    package mutating func next(_ answer: DialogueAnswer?) -> DialogueStep {
        guard phase != .ended else { return .finished }
        guard let answer else { return .send(commands[position].bytes) }
        switch answer {
        case .response(let bytes):
            outcomes[position] = VASDialogue.outcome(bytes, commands[position])
            if bytes == VASDialogue.notFound { notFound.append(position) }
            position += 1
            guard position < commands.count else { return end() }
            return .send(commands[position].bytes)
        case .fault(let fault):
            outcomes[position] = .unreadable(.link(fault))
            for index in (position + 1)..<max(position + 1, commands.count) { outcomes[index] = .notAsked(.linkBroken) }
            isLinkBroken = true
            return end()
        case .over: return end()
        case .signature:
            outcomes[position] = .unreadable(.internal)
            return end()
        }
    }

    private static let notFound: Bytes = [0x6A, 0x83]

    private mutating func end() -> DialogueStep {
        phase = .ended
        // A locked phone answers "not found" for the first passes and reports only for the last one that it is locked.
        // A phone that sent a pass is not locked.
        let isWhole = position == commands.count
        if isWhole, outcomes.last == .locked, !outcomes.contains(where: \.isPass) {
            for index in notFound { outcomes[index] = .locked }
        }
        return .finished
    }

    private static func outcome(_ bytes: Bytes, _ command: VASCommand) -> PassOutcome {
        guard let response = WalletResponse(bytes) else { return .unreadable(.malformed(.passAnswer)) }
        switch response.status.rawValue {
        case 0x9000:
            if command.isURLOnly { return .signUpOffered }
            do throws(LoyaltyFault) {
                return .sealed(try sealed(response.body, command))
            } catch {
                return .unreadable(error)
            }
        case 0x6A83: return command.signUp != nil && !command.isURLOnly ? .signUpOffered : .none
        case 0x6287: return .locked
        case 0x6984: return .chooseOnDevice
        default: return .refused(response.status)
        }
    }

    private static func sealed(_ body: ArraySlice<UInt8>, _ command: VASCommand) throws(LoyaltyFault) -> SealedPass {
        let answer = try ObjectList(body, of: .passAnswer)
        guard let data = try answer.list(0x70), let cryptogram = data.value(0x9F27),
            let pass = SealedPass(passType: command.passType, cryptogram: Bytes(cryptogram))
        else { throw .malformed(.passAnswer) }
        return pass
    }
}
