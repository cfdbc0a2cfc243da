// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The part of CryptoTokenKit that ``CryptoTokenKitTransport`` needs; tests implement it with simulated slots.
protocol SmartCardSlots: Sendable {
    /// The names of all slots; `nil` if the app may not use them.
    var names: [String]? { get }
    func state(of name: String) async -> SmartCardSlotState
    /// Opens an exclusive session with the card in this slot; `nil` if that is impossible.
    func beginSession(in name: String) async -> (any SmartCardSession)?
}

/// The states of CryptoTokenKit.
enum SmartCardSlotState: Sendable, Hashable {
    case missing, empty, probing, mute
    /// A card is present; the value is its answer to reset.
    case valid(Bytes)
}

/// Exclusive access to a card until the session ends.
protocol SmartCardSession: Sendable {
    func transmit(_ command: Bytes) async -> Result<Bytes, LinkFault>
    /// Ends the session; the card is reset.
    func end()
}

#if canImport(CryptoTokenKit)
import CryptoTokenKit
import Foundation

/// The slots of CryptoTokenKit. Written from its documentation, never run.
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
        // Makes the system reset the card when the session ends.
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
