// SPDX-License-Identifier: Apache-2.0
/// A card with a plan of faults.
public struct FaultyCard<Card: CardPresentation>: CardPresentation {
    public private(set) var card: Card
    public let plan: FaultPlan
    /// Exchanges so far, over all presentments.
    public private(set) var exchanges = 0
    private var polls = 0
    private var isAway = false

    public init(_ card: Card, _ plan: FaultPlan) {
        self.card = card
        self.plan = plan
    }

    public mutating func poll() -> CardPresence {
        polls += 1
        if plan.collisions.contains(polls) { return .collision }
        isAway = false
        return card.poll()
    }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        guard !isAway else { return .removed }
        exchanges += 1
        let faults = plan.faults[exchanges] ?? []
        for fault in faults {
            switch fault {
            case .drop: return .timeout
            case .remove: return leave()
            default: continue
            }
        }
        var reply = card.exchange(command)
        for fault in faults {
            reply = damage(reply, fault)
            if fault == .removeAfter { return leave() }
        }
        return reply
    }

    /// A card that was removed has already lost its power; the next poll presents it again.
    public mutating func reset() { card.reset() }

    private mutating func leave() -> CardReply {
        isAway = true
        card.reset()
        return .removed
    }

    private func damage(_ reply: CardReply, _ fault: FaultPlan.Fault) -> CardReply {
        guard case .response(var bytes, let milliseconds) = reply else { return reply }
        switch fault {
        case .drop, .remove, .removeAfter: return reply
        case .loseResponse: return .timeout
        case .transmissionError: return .transmissionError
        case .protocolError: return .protocolError
        case .truncate(let count): bytes = Array(bytes.prefix(max(0, count)))
        case .flip(let byte, let bit):
            if !bytes.isEmpty, byte >= 0 { bytes[byte % bytes.count] ^= 1 << UInt8((bit - 1) & 7) }
        case .replace(let other): bytes = other
        case .delay(let more): return .response(bytes, milliseconds: milliseconds + more)
        }
        return .response(bytes, milliseconds: milliseconds)
    }
}
