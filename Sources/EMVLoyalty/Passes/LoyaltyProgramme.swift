// SPDX-License-Identifier: Apache-2.0
/// One loyalty programme of a merchant: its passes, and the wallet that holds them.
public struct LoyaltyProgramme: Sendable, Hashable, Identifiable {
    /// The app's name for the programme, in results and files; it is never shown or sent.
    public struct ID: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public var id: ID
    /// The name for the merchant's own screens.
    public var name: String
    public var wallet: Wallet
    /// The URL offered to a phone without the pass; only pass types have one.
    public var signUp: SignUpURL?
    /// Sends only the URL: no pass is read.
    public var signUpOnly: Bool

    public init(
        id: ID, name: String, wallet: Wallet, signUp: SignUpURL? = nil, signUpOnly: Bool = false
    ) {
        self.id = id
        self.name = name
        self.wallet = wallet
        self.signUp = signUp
        self.signUpOnly = signUpOnly
    }
}

extension LoyaltyProgramme.ID: CustomStringConvertible, ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }
}

/// The wallet that holds the passes of a programme.
public enum Wallet: Sendable, Hashable {
    /// Apple's VAS protocol: a pass type identifier such as `pass.com.example.club`.
    case passType(String)
    /// Google's Smart Tap: a collector, the version of its key, and the kinds of passes to ask for: at least one, since
    /// an empty set does not mean all.
    case collector(UInt32, keyVersion: UInt32, kinds: Set<PassKind>)
}

/// The kind of a pass. The raw values are those of the file format.
public enum PassKind: String, Sendable, Hashable, CaseIterable {
    case loyalty, offer, giftCard, privateLabel, event, flight, transit, generic

    /// The service type byte of Smart Tap.
    var service: UInt8 {
        switch self {
        case .loyalty: 0x03
        case .offer: 0x04
        case .giftCard: 0x05
        case .privateLabel: 0x06
        case .event: 0x07
        case .flight: 0x08
        case .transit: 0x09
        case .generic: 0x12
        }
    }

    /// The kind of the object in a record; `nil` if it is not a pass that can be asked for.
    init?(record name: String) {
        switch name {
        case "ly": self = .loyalty
        case "of": self = .offer
        case "gc": self = .giftCard
        case "pl": self = .privateLabel
        case "et": self = .event
        case "fl": self = .flight
        case "tr", "tr1", "tr2": self = .transit
        case "gr": self = .generic
        default: return nil
        }
    }
}

/// The address of a programme's sign-up data: `https`, ASCII, at most 64 characters.
public struct SignUpURL: Sendable, Hashable, CustomStringConvertible {
    public static let maximumLength = 64

    public let description: String

    /// Returns `nil` for anything else, including a URL without a host, or with spaces or control characters.
    public init?(_ text: String) {
        let scheme = "https://"
        guard text.utf8.count <= SignUpURL.maximumLength, text.hasPrefix(scheme),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty else { return nil }
        description = text
    }
}
