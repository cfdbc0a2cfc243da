// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// All results of a tap, to try an app with and without hardware: present one to a ``SimulatedReader``, or enter its
/// amount at a reader made with ``SimulatedReader/byAmount(pace:)``.
public enum SimulatedTap: String, Sendable, Hashable, CaseIterable {
    /// The card approves offline.
    case approve
    /// The card requests an authorisation.
    case online
    /// The card declines.
    case decline
    /// Never answers a command.
    case unreadable
    /// The card can be read when it is presented for the second time.
    case readAtSecondTap
    /// The card belongs to an unknown network.
    case unsupportedNetwork
    /// A working card, but the amount is above the limit.
    case overLimit
    /// A PIN is requested before the authorisation.
    case onlinePIN
    /// The issuer requests a PIN during the authorisation, with ``SimulatedAuthorizer/Answer/byAmount``.
    case issuerPIN
    /// A phone that is unlocked when it is presented for the second time.
    case seePhone
    /// A phone that is never unlocked.
    case phoneStaysLocked
    /// Two cards, of which one is then removed.
    case collision
    /// Two cards that stay in the field.
    case collisionStays
    /// The card is removed during every read.
    case removeEarly
    case otherInterface
    /// The card's answer is malformed.
    case wrongTLV
    /// No card is presented.
    case noCard
    /// The reader is unplugged when the field goes on.
    case readerLost

    /// The amount that selects this tap, in minor units: 40.01, 40.02 and so on, in a currency with two decimals. All
    /// are below the CVM limit of `Configuration.simulator()`, in any currency, except ``overLimit``: 900.00.
    public var amount: UInt64 {
        if self == .overLimit { return 90_000 }
        return 4_001 + UInt64(SimulatedTap.allCases.firstIndex(of: self) ?? 0)
    }

    /// The tap that an amount selects; `nil` for any other amount.
    public init?(amount: UInt64) {
        guard let tap = SimulatedTap.allCases.first(where: { $0.amount == amount }) else { return nil }
        self = tap
    }

    /// The result of the tap at a reader with `Configuration.simulator()`, a PIN pad and a time-out.
    public var expected: TapName {
        switch self {
        case .approve, .online, .issuerPIN, .readAtSecondTap, .seePhone, .collision: .success
        case .decline: .declined
        case .unreadable, .phoneStaysLocked, .collisionStays, .removeEarly, .wrongTLV: .unreadable
        case .unsupportedNetwork: .unsupportedNetwork
        case .overLimit: .limitExceeded
        case .onlinePIN: .onlinePINRequired
        case .otherInterface: .tryAnotherInterface
        case .noCard, .readerLost: .cancelled
        }
    }

    /// The card of this tap, from `CardProfile.profiles`.
    public var profile: CardProfile {
        let name =
            switch self {
            case .approve: "fdda"
            case .decline: "decline"
            case .unsupportedNetwork: "unknownScheme"
            case .onlinePIN: "onlinePIN"
            case .seePhone: "phoneLocked"
            case .phoneStaysLocked: "seePhoneForever"
            case .otherInterface: "tryAnotherInterface"
            case .wrongTLV: "truncatedOptions"
            default: "online"
            }
        return CardProfile.profiles[name] ?? CardProfile(name: name, summary: "", applications: [CardApplication()])
    }

    /// The objects in the reader's field.
    public var presentation: any CardPresentation {
        let card = VirtualCard(profile)
        let always = 1...64
        switch self {
        case .unreadable:
            return FaultyCard(card, FaultPlan(Dictionary(uniqueKeysWithValues: always.map { ($0, [.drop]) })))
        case .readAtSecondTap: return FaultyCard(card, FaultPlan(at: 1, .transmissionError))
        case .removeEarly:
            return FaultyCard(card, FaultPlan(Dictionary(uniqueKeysWithValues: always.map { ($0, [.remove]) })))
        case .collision: return TwoCards(card, card, collidingPolls: 1)
        case .collisionStays: return RestlessCards()
        case .noCard: return EmptyField()
        default: return card
        }
    }
}

/// An empty field.
public struct EmptyField: CardPresentation {
    public init() {}
    public mutating func poll() -> CardPresence { .none }
    public mutating func exchange(_ command: [UInt8]) -> CardReply { .timeout }
    public mutating func reset() {}
}

/// Two cards that are removed together and presented together again.
public struct RestlessCards: CardPresentation {
    private var areThere = false
    public init() {}
    public mutating func poll() -> CardPresence {
        areThere.toggle()
        return areThere ? .collision : .none
    }
    public mutating func exchange(_ command: [UInt8]) -> CardReply { .transmissionError }
    public mutating func reset() {}
}
