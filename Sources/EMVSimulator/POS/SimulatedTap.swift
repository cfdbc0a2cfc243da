// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Every way a tap can go, to try an app with and without hardware: put one on a ``SimulatedReader``, or enter its
/// amount at a reader made with ``SimulatedReader/byAmount(pace:)``.
public enum SimulatedTap: String, Sendable, Hashable, CaseIterable {
    /// The card approves by itself.
    case approve
    /// The issuer is to be asked.
    case online
    /// The card says no.
    case decline
    /// Never answers a command.
    case unreadable
    /// Is read when it is presented for the second time.
    case readAtSecondTap
    /// Of an unknown network.
    case unsupportedNetwork
    /// A good card; its amount is above the limit.
    case overLimit
    /// Asks for a PIN before the issuer is asked.
    case onlinePIN
    /// The issuer is asked and wants a PIN: with ``SimulatedAuthorizer/Answer/byAmount``.
    case issuerPIN
    /// A phone that is unlocked when it is presented for the second time.
    case seePhone
    /// A phone that is never unlocked.
    case phoneStaysLocked
    /// Two cards; one is taken away.
    case collision
    /// Two cards that stay.
    case collisionStays
    /// Is removed while it is read, each time.
    case removeEarly
    case otherInterface
    /// Its answer is not well-formed.
    case wrongTLV
    /// No card is presented.
    case noCard
    /// The reader is unplugged when the field goes on.
    case readerLost

    /// Its amount, in minor units: 40.01 of a currency with two decimals, 40.02 and so on. Below the CVM limit of
    /// `Configuration.simulator()`, in any currency, but for ``overLimit``: 900.00.
    public var amount: UInt64 {
        if self == .overLimit { return 90_000 }
        return 4_001 + UInt64(SimulatedTap.allCases.firstIndex(of: self) ?? 0)
    }

    /// The tap of an amount; `nil` for an amount of none.
    public init?(amount: UInt64) {
        guard let tap = SimulatedTap.allCases.first(where: { $0.amount == amount }) else { return nil }
        self = tap
    }

    /// How the tap ends at a reader with `Configuration.simulator()`, a PIN pad and a time-out.
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

    /// The card of this tap by its name in `CardProfile.profiles`.
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

    /// What stands before the reader.
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

/// Nothing in the field.
public struct EmptyField: CardPresentation {
    public init() {}
    public mutating func poll() -> CardPresence { .none }
    public mutating func exchange(_ command: [UInt8]) -> CardReply { .timeout }
    public mutating func reset() {}
}

/// Two cards that are taken away together and come back together.
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
