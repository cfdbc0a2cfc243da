// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Google's Smart Tap 2.1 for one collector, from the second SELECT on. It is a value without I/O: it returns the next
/// step and receives the answer. Specification: developers.google.com/wallet/smart-tap; where that leaves something
/// open, it follows Google's sample.
package struct SmartTapDialogue: Sendable, Hashable {
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// The dialogue has not begun.
        case idle
        /// SELECT of the application was sent.
        case selecting
        /// The collector's key is signing.
        case signing
        case negotiating
        case gettingData
        case gettingMore
        case ended
    }

    /// The phases that may follow each phase. None follows `ended`.
    package static let edges: [Phase: Set<Phase>] = [
        .idle: [.selecting, .ended], .selecting: [.signing, .ended], .signing: [.negotiating, .ended],
        .negotiating: [.negotiating, .gettingData, .ended], .gettingData: [.gettingData, .gettingMore, .ended],
        .gettingMore: [.gettingMore, .ended], .ended: [],
    ]

    /// The most GET MORE DATA commands in one dialogue.
    package static let maximumParts = 16
    /// The most bytes of all parts together.
    package static let maximumSize = 4096
    /// A signature has 70 to 72 bytes, and never more than two integers of full length.
    private static let maximumSignature = 80

    package private(set) var phase = Phase.idle
    package private(set) var finding = Finding.outcome(.notAsked(.outOfTime))
    package private(set) var isLinkBroken = false
    /// Whether the last answer forbids an immediate payment.
    package private(set) var holdsPayment = false

    private let collector: UInt32
    private let keyVersion: UInt32
    private let kinds: Set<PassKind>
    private let purpose: LoyaltyPurpose
    private let terminal: SmartTapTerminal
    private let selection: SmartTapSelection

    private var sequence: UInt8 = 1
    private var signed = Bytes()
    private var signature = Bytes()
    private var deviceKey = Bytes()
    private var parts = Bytes()
    private var partCount = 0
    private var hasRetried = false

    init(
        collector: UInt32, keyVersion: UInt32, kinds: Set<PassKind>, purpose: LoyaltyPurpose,
        terminal: SmartTapTerminal, selection: SmartTapSelection
    ) {
        self.collector = collector
        self.keyVersion = keyVersion
        self.kinds = kinds
        self.purpose = purpose
        self.terminal = terminal
        self.selection = selection
    }

    /// - Parameter answer: `nil` for the first call.
    package mutating func next(_ answer: DialogueAnswer?) -> DialogueStep {
        guard phase != .ended else { return .finished }
        guard let answer else { return begin() }
        switch answer {
        case .fault(let fault):
            isLinkBroken = true
            return end(.unreadable(.link(fault)))
        case .over: return end(.notAsked(.outOfTime))
        case .signature(let bytes):
            guard phase == .signing else { return end(.unreadable(.internal)) }
            return gotSignature(bytes)
        case .response(let bytes):
            guard let response = WalletResponse(bytes) else { return end(.unreadable(.malformed(.records))) }
            return got(response)
        }
    }

    private mutating func begin() -> DialogueStep {
        guard phase == .idle else { return end(.unreadable(.internal)) }
        if selection.isAbsent { return end(.none) }
        if selection.isOtherVersion { return end(.unreadable(.unsupportedVersion)) }
        phase = .selecting
        return .send(SmartTapSelection.select)
    }

    private mutating func got(_ response: WalletResponse) -> DialogueStep {
        let status = SmartTapStatus(response.status)
        holdsPayment = status.holdsPayment
        switch phase {
        case .selecting: return gotSelection(response)
        case .negotiating: return gotKey(response, status)
        case .gettingData, .gettingMore: return gotData(response, status)
        case .idle, .signing, .ended: return end(.unreadable(.internal))
        }
    }

    // MARK: - The phone's nonce

    /// The nonce in the answer to the second SELECT takes precedence over those in the first.
    private mutating func gotSelection(_ response: WalletResponse) -> DialogueStep {
        var nonce = selection.nonce
        if response.status.rawValue == 0x9000 {
            do throws(LoyaltyFault) {
                nonce = try SmartTapSelection.nonce(selected: response.body)
            } catch {
                return end(.unreadable(error))
            }
        }
        guard let nonce else { return end(.refused(response.status)) }
        signed = SmartTapRecords.signed(terminal, deviceNonce: nonce, collector: collector)
        phase = .signing
        return .sign(signed)
    }

    private mutating func gotSignature(_ bytes: Bytes?) -> DialogueStep {
        guard let bytes, (8...SmartTapDialogue.maximumSignature).contains(bytes.count) else {
            return end(.unreadable(.keyFailed))
        }
        signature = bytes
        return negotiate()
    }

    private mutating func negotiate() -> DialogueStep {
        phase = .negotiating
        return .send(
            SmartTapRecords.negotiate(
                terminal, sequence: sequence, collector: collector, keyVersion: keyVersion, signature: signature))
    }

    // MARK: - The session

    private mutating func gotKey(_ response: WalletResponse, _ status: SmartTapStatus) -> DialogueStep {
        switch status {
        // The phone is not ready and sent no data.
        case .more where response.body.isEmpty, .held where response.body.isEmpty: return end(.none)
        case .done, .noPass, .more, .held:
            do throws(LoyaltyFault) {
                let answer = try SmartTapRecords.negotiated(response.body, terminal)
                deviceKey = answer.key
                sequence = answer.sequence &+ 1
            } catch {
                return end(.unreadable(error))
            }
            return getData()
        case .passing:
            guard retries() else { return end(.refused(response.status)) }
            return negotiate()
        case .locked: return end(.locked)
        case .choose: return end(.chooseOnDevice)
        case .refused: return end(.refused(response.status))
        }
    }

    private mutating func getData() -> DialogueStep {
        phase = .gettingData
        return .send(
            SmartTapRecords.getData(
                terminal, sequence: sequence, collector: collector, kinds: kinds, purpose: purpose))
    }

    /// Whether to repeat the command: once in a dialogue, with the sequence number after the one that the phone's
    /// answer would have had.
    private mutating func retries() -> Bool {
        guard !hasRetried else { return false }
        hasRetried = true
        sequence = sequence &+ 2
        return true
    }

    // MARK: - The pass

    private mutating func gotData(_ response: WalletResponse, _ status: SmartTapStatus) -> DialogueStep {
        switch status {
        case .noPass: return end(.none)
        case .held where response.body.isEmpty && parts.isEmpty: return end(.none)
        case .done, .held:
            guard append(response.body) else { return end(.unreadable(.tooLong)) }
            return endWithBundle()
        case .more:
            guard append(response.body), partCount < SmartTapDialogue.maximumParts else {
                return end(.unreadable(.tooLong))
            }
            partCount += 1
            phase = .gettingMore
            return .send(SmartTapRecords.getMore)
        case .passing:
            guard phase == .gettingData, retries() else { return end(.refused(response.status)) }
            return getData()
        case .locked: return end(.locked)
        case .choose: return end(.chooseOnDevice)
        case .refused: return end(.refused(response.status))
        }
    }

    private mutating func append(_ part: ArraySlice<UInt8>) -> Bool {
        guard part.count <= SmartTapDialogue.maximumSize - parts.count else { return false }
        if phase == .gettingMore { parts.reserveCapacity(SmartTapDialogue.maximumSize) }
        parts += part
        return true
    }

    private mutating func endWithBundle() -> DialogueStep {
        do throws(LoyaltyFault) {
            guard let data = try SmartTapRecords.bundle(parts[...], terminal) else { return end(.none) }
            finding = .bundle(
                EncryptedBundle(
                    data: data, deviceKey: deviceKey, signed: signed, signature: signature, kinds: kinds))
            return finish()
        } catch {
            return end(.unreadable(error))
        }
    }

    private mutating func end(_ outcome: PassOutcome) -> DialogueStep {
        finding = .outcome(outcome)
        return finish()
    }

    private mutating func finish() -> DialogueStep {
        phase = .ended
        parts = []
        return .finished
    }
}
