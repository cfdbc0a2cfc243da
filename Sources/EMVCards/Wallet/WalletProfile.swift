// SPDX-License-Identifier: Apache-2.0
// Phones by name, for tests, benches and the command line. Their names begin with "wallet".
import EMVKernel

/// A named phone with a wallet and a card.
public struct WalletProfile: Sendable, Hashable {
    public var name: String
    /// One-line description of the phone's behaviour.
    public var summary: String
    public var wallet: SimulatedWallet
    public var card: CardProfile

    public init(name: String, summary: String, wallet: SimulatedWallet, card: CardProfile) {
        self.name = name
        self.summary = summary
        self.wallet = wallet
        self.card = card
    }

    public var phone: WalletPhone<VirtualCard> { WalletPhone(wallet, card: VirtualCard(card)) }

    /// Pass type identifier of the named phones' VAS passes; ``clubKey`` decrypts them.
    public static let passType = "pass.com.example.club"
    /// Pass type identifier of a second pass with another key.
    public static let secondPassType = "pass.com.example.coffee"
    /// Collector of the named phones' Smart Tap passes; ``collectorKey``, version 1, signs for it.
    public static let collector: UInt32 = 20_180_608
    public static let clubKey = SimulatedPassKey(name: "club")
    public static let coffeeKey = SimulatedPassKey(name: "coffee")
    public static let collectorKey = SimulatedPassKey(name: "collector")

    /// The message in the passes of the named phones.
    public static let passMessage = "CLUB-0012345"

    public static let profiles: [String: WalletProfile] = Dictionary(
        uniqueKeysWithValues: (vas + smartTap + others).map { ($0.name, $0) })

    /// Returns the phone with this name, or nil; `profiles.keys` lists the names.
    public static func named(_ name: String) -> WalletProfile? { profiles[name] }

    /// Returns the phone with another clock, if its passes contain the time.
    public func with(clock: PassClock) -> WalletProfile {
        var profile = self
        if case .vas(var vas) = wallet {
            vas.clock = clock
            profile.wallet = .vas(vas)
        }
        return profile
    }

    private static func card(_ name: String) -> CardProfile {
        CardProfile.named(name) ?? CardProfile(name: name, summary: "", applications: [CardApplication()])
    }

    // MARK: VAS

    private static func vasPhone(
        _ name: String, _ summary: String, card: String = "online", _ change: (inout VASWallet) -> Void = { _ in }
    ) -> WalletProfile {
        var wallet = VASWallet([.init(passType, passMessage, for: clubKey)])
        change(&wallet)
        return WalletProfile(name: name, summary: summary, wallet: .vas(wallet), card: Self.card(card))
    }

    private static let vas: [WalletProfile] = [
        vasPhone("walletVAS", "a VAS pass, and a payment that goes online"),
        vasPhone("walletVASSeveral", "two VAS passes for two keys") {
            $0.passes.append(.init(secondPassType, "COFFEE-7", for: coffeeKey))
        },
        vasPhone("walletVASOldKey", "a VAS pass that was made for an earlier key") {
            $0.passes[0].publicKey = SimulatedPassKey(name: "club, last year").publicKey
        },
        vasPhone("walletVASEmpty", "no pass of ours") { $0.passes = [] },
        vasPhone("walletVASLocked", "a locked phone with a VAS pass, unlocked when it comes back") {
            $0.isLocked = true
            $0.unlocksBetweenTaps = true
        },
        vasPhone("walletVASAsking", "a VAS pass whose owner has something to do first") {
            $0.passes[0].state = .needsOwner
        },
        vasPhone("walletVASMagStripe", "a VAS pass, and a payment in mag-stripe mode", card: "mcStripe"),
        vasPhone("walletVASNoCard", "a VAS pass, no card authenticated") { $0.isCardAuthenticated = false },
        vasPhone("walletVASDrops", "locked, and silent after its first refusal") {
            $0.isLocked = true
            $0.errorBudget = 1
        },
    ]

    // MARK: Smart Tap

    private static func smartTapPhone(
        _ name: String, _ summary: String, card: String = "online", _ change: (inout SmartTapWallet) -> Void = { _ in }
    ) -> WalletProfile {
        var wallet = SmartTapWallet([.init(of: collector, passMessage)], [.init(collector, collectorKey)])
        change(&wallet)
        return WalletProfile(name: name, summary: summary, wallet: .smartTap(wallet), card: Self.card(card))
    }

    private static let smartTap: [WalletProfile] = [
        smartTapPhone("walletSmartTap", "a Smart Tap pass, and a payment that goes online"),
        smartTapPhone("walletSmartTapSkip", "as walletSmartTap, without a second SELECT") {
            $0.directory.nonce = .long
            $0.directory.allowsSkipping = true
        },
        smartTapPhone("walletSmartTapParts", "a Smart Tap pass of 1,100 bytes, in parts") {
            $0.passes[0].value = (0..<1100).map { UInt8(0x30 + $0 % 10) }
        },
        smartTapPhone("walletSmartTapEmpty", "no pass of ours, though of its customer") {
            $0.passes = []
            $0.sendsCustomer = true
        },
        smartTapPhone("walletSmartTapChoose", "two Smart Tap passes, chosen when the phone comes back") {
            $0.passes.append(.init(of: collector, "CLUB-2"))
            $0.settlesBetweenTaps = true
        },
        smartTapPhone("walletSmartTapLocked", "a locked phone with a Smart Tap pass, unlocked when it comes back") {
            $0.isLocked = true
            $0.settlesBetweenTaps = true
        },
        smartTapPhone("walletSmartTapNotReady", "a Smart Tap pass, not ready to pay") { $0.isReadyToPay = false },
        smartTapPhone("walletSmartTapAgain", "has to be asked twice") { $0.transientFailures = 1 },
        smartTapPhone("walletSmartTapStranger", "does not know the merchant") { $0.merchants = [] },
        smartTapPhone(
            "walletSmartTapMagStripe", "a Smart Tap pass, and a payment in mag-stripe mode", card: "mcStripe"),
    ]

    private static let others: [WalletProfile] = [
        WalletProfile(
            name: "walletOther", summary: "a wallet that nobody knows", wallet: .other(label: "SamplePay"),
            card: card("online")),
        WalletProfile(name: "walletNone", summary: "a phone without a wallet", wallet: .none, card: card("online")),
    ]
}
