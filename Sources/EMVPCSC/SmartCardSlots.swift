// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What ``CryptoTokenKitTransport`` needs of CryptoTokenKit; tests have slots of their own.
protocol SmartCardSlots: Sendable {
    /// All slots; `nil` where the app may not use them.
    var names: [String]? { get }
    func state(of name: String) async -> SmartCardSlotState
    /// A session with the card in this slot, which nobody else has then; `nil` where there is none to be had.
    func beginSession(in name: String) async -> (any SmartCardSession)?
}

/// As CryptoTokenKit has them.
enum SmartCardSlotState: Sendable, Hashable {
    case missing, empty, probing, mute
    /// A card, with its answer to reset.
    case valid(Bytes)
}

/// A card, for itself alone until the session ends.
protocol SmartCardSession: Sendable {
    func transmit(_ command: Bytes) async -> Result<Bytes, LinkFault>
    /// The card is reset.
    func end()
}

#if canImport(CryptoTokenKit)
import CryptoTokenKit
import Foundation

/// CryptoTokenKit itself. Written from its documentation, never run.
struct SystemSlots: SmartCardSlots {
    var names: [String]? { TKSmartCardSlotManager.default?.slotNames }

    func state(of name: String) async -> SmartCardSlotState {
        guard let manager = TKSmartCardSlotManager.default else { return .missing }
        return await withCheckedContinuation { waiting in
            manager.getSlot(withName: name) { slot in
                let state: SmartCardSlotState =
                    switch slot?.state {
                    case .empty: .empty
                    case .probing: .probing
                    case .muteCard: .mute
                    case .validCard: .valid(slot?.atr.map { Bytes($0.bytes) } ?? [])
                    default: .missing
                    }
                waiting.resume(returning: state)
            }
        }
    }

    func beginSession(in name: String) async -> (any SmartCardSession)? {
        guard let manager = TKSmartCardSlotManager.default else { return nil }
        return await withCheckedContinuation { (waiting: CheckedContinuation<(any SmartCardSession)?, Never>) in
            manager.getSlot(withName: name) { slot in
                guard let card = slot?.makeSmartCard() else { return waiting.resume(returning: nil) }
                let session = SystemSession(card)
                session.begin { waiting.resume(returning: $0 ? session : nil) }
            }
        }
    }
}

/// CryptoTokenKit allows its cards to be used on any thread.
@safe private final class SystemSession: SmartCardSession {
    nonisolated(unsafe) private let card: TKSmartCard

    init(_ card: TKSmartCard) {
        // The card is reset when the session ends.
        card.isSensitive = true
        unsafe self.card = card
    }

    func begin(_ done: @escaping @Sendable (Bool) -> Void) {
        unsafe card.beginSession { success, _ in done(success) }
    }

    func transmit(_ command: Bytes) async -> Result<Bytes, LinkFault> {
        await withCheckedContinuation { waiting in
            unsafe card.transmit(Data(command)) { response, error in
                if let response { return waiting.resume(returning: .success(Bytes(response))) }
                let code = (error as? TKError)?.code
                let fault: LinkFault = code == .objectNotFound || code == .tokenNotFound ? .removed : .transmission
                waiting.resume(returning: .failure(fault))
            }
        }
    }

    func end() { unsafe card.endSession() }
}
#endif
