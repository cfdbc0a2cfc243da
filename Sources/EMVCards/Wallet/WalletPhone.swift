// SPDX-License-Identifier: Apache-2.0
// A phone with a wallet for passes and a payment card. Commands to the wallet go to the wallet, all others to the card.

/// The pass wallet of a phone.
public enum SimulatedWallet: Sendable, Hashable {
    case vas(VASWallet)
    case smartTap(SmartTapWallet)
    /// Answers OSE.VAS.01 with an unknown label.
    case other(label: String)
    /// Does not find OSE.VAS.01, as a plain card.
    case none

    /// The readers' violations of the wallet's protocol, in order.
    public var complaints: [String] {
        switch self {
        case .vas(let wallet): wallet.complaints
        case .smartTap(let wallet): wallet.complaints
        case .other, .none: []
        }
    }
}

/// A phone in the field: a wallet with passes, and a card that pays.
///
/// ```swift
/// let key = SimulatedPassKey(name: "club")
/// let wallet = VASWallet([.init("pass.com.example.club", "member 12345", for: key)])
/// let reader = SimulatedReader(WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!)))
/// ```
public struct WalletPhone<Card: CardPresentation>: CardPresentation {
    public var wallet: SimulatedWallet
    public private(set) var card: Card
    /// Response time of the wallet.
    public var milliseconds: Double
    /// Commands that the wallet received, in order.
    public private(set) var walletCommands: [[UInt8]] = []
    /// Commands that the card received, in order.
    public private(set) var cardCommands: [[UInt8]] = []

    private var isWalletSelected = false

    public init(_ wallet: SimulatedWallet, card: Card, milliseconds: Double = 0) {
        self.wallet = wallet
        self.card = card
        self.milliseconds = milliseconds
    }

    public mutating func poll() -> CardPresence { card.poll() }

    public mutating func reset() {
        isWalletSelected = false
        switch wallet {
        case .vas(var vas):
            vas.fieldOff()
            wallet = .vas(vas)
        case .smartTap(var smartTap):
            smartTap.fieldOff()
            wallet = .smartTap(smartTap)
        case .other, .none: break
        }
        card.reset()
    }

    public mutating func exchange(_ command: [UInt8]) -> CardReply {
        if let name = Self.selectedName(command) {
            isWalletSelected = isWalletName(name)
            guard isWalletSelected else { return forward(command) }
            walletCommands.append(command)
            let reply = select(name)
            // After "not found" nothing is selected.
            if case .response([0x6A, 0x82], _) = reply { isWalletSelected = false }
            return reply
        }
        guard isWalletSelected else { return forward(command) }
        walletCommands.append(command)
        return answer(to: command)
    }

    private mutating func forward(_ command: [UInt8]) -> CardReply {
        cardCommands.append(command)
        return card.exchange(command)
    }

    private static func selectedName(_ command: [UInt8]) -> [UInt8]? {
        guard command.prefix(3) == [0x00, 0xA4, 0x04], let command = CommandAPDU(command) else { return nil }
        return command.data
    }

    /// Smart Tap's application name belongs to its wallet only; the directory belongs to the wallet of every phone.
    private func isWalletName(_ name: [UInt8]) -> Bool {
        if name == VASWallet.directoryName { return true }
        if case .smartTap = wallet { return name == SmartTapWallet.applicationName }
        return false
    }

    private mutating func select(_ name: [UInt8]) -> CardReply {
        switch wallet {
        case .vas(var vas):
            defer { wallet = .vas(vas) }
            return reply(vas.selectDirectory())
        case .smartTap(var smartTap):
            defer { wallet = .smartTap(smartTap) }
            if smartTap.isExhausted { return .timeout }
            return reply(
                name == VASWallet.directoryName ? smartTap.selectDirectory() : smartTap.selectApplication())
        case .other(let label):
            let control = DataObject(0x6F, [DataObject(0x50, Array(label.utf8))])
            return reply(control.bytes + StatusWord.success.bytes)
        case .none: return reply(StatusWord.fileNotFound.bytes)
        }
    }

    private mutating func answer(to command: [UInt8]) -> CardReply {
        switch wallet {
        case .vas(var vas):
            defer { wallet = .vas(vas) }
            return reply(vas.respond(to: command))
        case .smartTap(var smartTap):
            defer { wallet = .smartTap(smartTap) }
            return reply(smartTap.respond(to: command))
        case .other, .none: return reply(StatusWord.instructionNotSupported.bytes)
        }
    }

    private func reply(_ bytes: [UInt8]?) -> CardReply {
        bytes.map { .response($0, milliseconds: milliseconds) } ?? .timeout
    }
}
