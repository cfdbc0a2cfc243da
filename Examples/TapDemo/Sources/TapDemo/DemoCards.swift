// SPDX-License-Identifier: Apache-2.0
import EMVSimulator

/// What can be put on the simulated reader, by the name that is typed.
enum DemoCard: String, CaseIterable {
    case card, decline, refuse, pin, sca, offline, phone, two, unreadable, foreign, lost

    var summary: String {
        switch self {
        case .card: "the bank approves"
        case .decline: "the bank declines"
        case .refuse: "the card itself declines"
        case .pin: "wants a PIN (it is 1234)"
        case .sca: "the bank wants a PIN after it was asked"
        case .offline: "approves without the bank"
        case .phone: "wants to be unlocked first"
        case .two: "two cards at once, then one"
        case .unreadable: "never answers"
        case .foreign: "of a network that is not accepted"
        case .lost: "the bank's answer gets lost, the payment is reversed"
        }
    }

    var behaviour: DemoBank.Behaviour {
        switch self {
        case .decline: .decline
        case .sca: .wantPIN
        case .lost: .loseAnswer
        default: .approve
        }
    }

    var presentation: any CardPresentation {
        switch self {
        case .card, .decline, .sca, .lost: VirtualCard(named("online"))
        case .refuse: VirtualCard(named("decline"))
        case .pin: VirtualCard(named("onlinePIN"))
        case .offline: VirtualCard(named("fdda"))
        case .phone: VirtualCard(named("cdcvmPhone"))
        case .two: TwoCards(VirtualCard(named("online")), VirtualCard(named("fdda")), collidingPolls: 3)
        case .unreadable:
            FaultyCard(
                VirtualCard(named("online")),
                FaultPlan(Dictionary(uniqueKeysWithValues: (1...60).map { ($0, [.drop]) })))
        case .foreign: VirtualCard(foreign)
        }
    }

    private func named(_ name: String) -> CardProfile {
        guard let profile = CardProfile.named(name) else { fatalError("the simulator has no card \(name)") }
        return profile
    }

    private var foreign: CardProfile {
        var profile = named("online")
        profile.applications[0].aid = [0xF0, 0x00, 0x00, 0x00, 0x01]
        return profile
    }
}
