// SPDX-License-Identifier: Apache-2.0
// What differs between schemes, and the one list of them. All of a scheme stands in its directory, Card/<Scheme>:
// its cards, their profiles, its issuer's rules and what a simulated reader configures for it. What no scheme differs
// in (records, certificates, signatures, counters, scripts, relay resistance) stands once, beside those directories and
// in Certificates/, Crypto/, Issuer/ and Reader/, and names no scheme.
import EMVKernel

/// Every scheme of the simulator. To add one: its directory, and its line here.
enum Schemes {
    /// Those with simulated cards.
    static let cards = [
        SchemeType(VisaBehaviour.self), SchemeType(MastercardBehaviour.self), SchemeType(DiscoverBehaviour.self),
        SchemeType(UnionPayBehaviour.self), SchemeType(JCBBehaviour.self), SchemeType(AmericanExpressBehaviour.self),
        SchemeType(Kernel8Behaviour.self),
    ]

    /// Those whose issuer knows their cryptograms, with cards of ours or without.
    static let issuers: [IssuerScheme] = cards.map { $0.issuer } + [.interac]
}

/// Whose rules an application follows, and what they add to it. Each scheme has a function that makes one:
/// ``visa(_:)``, ``mastercard(_:)``, ``discover(_:)``, ``unionPay(_:)``,
/// ``jcb(_:)``, ``americanExpress(_:)``, ``kernel8(_:)``.
public struct CardScheme: Sendable, Hashable {
    let behaviour: any AnyBehaviour

    init(_ behaviour: some SchemeBehaviour) { self.behaviour = BehaviourBox(behaviour) }

    /// The behaviour, if it is of this type.
    func behaviour<Behaviour: SchemeBehaviour>(as type: Behaviour.Type) -> Behaviour? {
        (behaviour as? BehaviourBox<Behaviour>)?.value
    }

    public static func == (one: CardScheme, other: CardScheme) -> Bool { one.behaviour.isEqual(to: other.behaviour) }

    public func hash(into hasher: inout Hasher) { behaviour.hash(into: &hasher) }
}

/// One scheme: as a type what all its cards share, as a value what it adds to one application.
protocol SchemeBehaviour: Sendable, Hashable {

    // MARK: The scheme

    /// Registered Application Provider Identifier, 5 bytes: whose authorities certify the cards.
    static var rid: [UInt8] { get }
    /// In the order of `CardAuthority.Number`.
    static var authorities: [CardAuthority] { get }
    /// The named cards. Names are unique over all schemes.
    static var profiles: [CardProfile] { get }
    static var issuer: IssuerScheme { get }
    /// What `Configuration.simulator` accepts of this scheme.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination]
    /// Certificates of this key set that many of the scheme's cards share, to be issued once in the program's life.
    /// Nil has them issued for each card.
    static func sharedChain(_ keys: KeySet) -> CardChain.Shared?

    // MARK: One application

    associatedtype Running: RunningApplication

    /// The application on a card in the field.
    func run(_ application: CardApplication) -> Running
    /// Application Interchange Profile with what this scheme takes from it and adds, before keys and flaws.
    func interchangeProfile(_ application: CardApplication) -> [UInt8]
    /// What the answer to SELECT holds in its FCI Issuer Discretionary Data (BF0C); the template is left out where
    /// there is nothing.
    func discretionaryObjects(_ application: CardApplication) -> [DataObject]
    /// What the card's certificate covers beside its own key.
    func certifiedData(_ application: CardApplication) -> [UInt8]

    // MARK: Its issuer

    /// Issuer Authentication Data (91).
    ///
    /// - Parameters:
    ///   - cryptogram: 9F26, 8 bytes.
    ///   - responseCode: two characters; "00" approves.
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8]
    /// How tracks of mag-stripe mode are checked; nil for a card without that mode.
    var trackVerifier: TrackCheck? { get }
}

/// What an issuer needs to check a track that a terminal has filled in.
protocol TrackVerifier: Sendable {
    /// Whether this track is this card's, with its code for this counter.
    func accepts(_ track: [UInt8], counter: UInt16, of application: CardApplication) -> Bool

    /// Every counter whose last digits a filled Track 2 shows, in ascending order; none where it can't be this card's.
    func counters(shownBy track: [UInt8]) -> [UInt16]
}

extension SchemeBehaviour {
    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { nil }

    func interchangeProfile(_ application: CardApplication) -> [UInt8] { application.interchangeProfile }

    func discretionaryObjects(_ application: CardApplication) -> [DataObject] { [] }

    /// Response method 1 with the card's own key (EMV Book 2, 8.2.1).
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let code = Array(responseCode.utf8.prefix(2))
        return ResponseMethod.first(application.cardKeys.cryptogram, cryptogram, code: code) + code
    }

    var trackVerifier: TrackCheck? { nil }
}
