// SPDX-License-Identifier: Apache-2.0
// The differences between schemes, and the list of all schemes. Each scheme has its own directory, Card/<Scheme>: its
// cards, their profiles, its issuer's rules and the configuration of a simulated reader for it. Code that all schemes
// share (records, certificates, signatures, counters, scripts, relay resistance) is next to those directories and in
// Certificates/, Crypto/, Issuer/ and Reader/. It mentions no scheme.
import EMVKernel

/// Every scheme of the simulator. To add a scheme, add its directory and its line here.
enum Schemes {
    /// Schemes with simulated cards.
    static let cards = [
        SchemeType(VisaBehaviour.self), SchemeType(MastercardBehaviour.self), SchemeType(DiscoverBehaviour.self),
        SchemeType(UnionPayBehaviour.self), SchemeType(JCBBehaviour.self), SchemeType(AmericanExpressBehaviour.self),
        SchemeType(Kernel8Behaviour.self),
    ]

    /// Schemes whose cryptograms the simulated issuer can check, with or without simulated cards.
    static let issuers: [IssuerScheme] = cards.map { $0.issuer } + [.interac]
}

/// The scheme whose rules an application follows, with the data that these rules add to it. Each scheme has a function
/// that makes one: ``visa(_:)``, ``mastercard(_:)``, ``discover(_:)``, ``unionPay(_:)``, ``jcb(_:)``,
/// ``americanExpress(_:)``, ``kernel8(_:)``.
public struct CardScheme: Sendable, Hashable {
    let behaviour: any AnyBehaviour

    init(_ behaviour: any AnyBehaviour) { self.behaviour = behaviour }

    init(_ behaviour: some SchemeBehaviour) { self.behaviour = BehaviourBox(behaviour) }

    /// Returns the behaviour if it has this type, else nil.
    func behaviour<Behaviour: SchemeBehaviour>(as type: Behaviour.Type) -> Behaviour? {
        (behaviour as? BehaviourBox<Behaviour>)?.value
    }

    public static func == (one: CardScheme, other: CardScheme) -> Bool { one.behaviour.isEqual(to: other.behaviour) }

    public func hash(into hasher: inout Hasher) { behaviour.hash(into: &hasher) }
}

/// One scheme. The type holds the data that all its cards share; a value holds the data that it adds to one
/// application.
protocol SchemeBehaviour: Sendable, Hashable, CardFielded {

    // MARK: The scheme

    /// Registered Application Provider Identifier, 5 bytes, of the authorities that certify the cards.
    static var rid: [UInt8] { get }
    /// The authorities, in the order of `CardAuthority.Number`.
    static var authorities: [CardAuthority] { get }
    /// The named cards. Names are unique over all schemes.
    static var profiles: [CardProfile] { get }
    static var issuer: IssuerScheme { get }
    /// The combinations of this scheme that `Configuration.simulator` accepts.
    static func combinations(at terminal: SimulatedTerminal) -> [Combination]
    /// Certificates of this key set that many of the scheme's cards share, to be issued once per process. If nil, they
    /// are issued for each card.
    static func sharedChain(_ keys: KeySet) -> CardChain.Shared?

    // MARK: One application

    associatedtype Running: RunningApplication

    /// Returns the application as it runs on a card in the field.
    func run(_ application: CardApplication) -> Running
    /// Application Interchange Profile after this scheme's changes, before those for keys and flaws.
    func interchangeProfile(_ application: CardApplication) -> [UInt8]
    /// Objects of the FCI Issuer Discretionary Data (BF0C) in the answer to SELECT. If there are no objects, the
    /// template is left out.
    func discretionaryObjects(_ application: CardApplication) -> [DataObject]
    /// CDOL1; empty for cards that decide in GET PROCESSING OPTIONS.
    var cryptogramList: [DataRequest] { get }
    /// The data that the card's certificate covers in addition to the card's own key.
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
    /// The check of mag-stripe mode tracks; nil for a card without that mode.
    var trackVerifier: TrackCheck? { get }
}

/// Lets an issuer check a track that a terminal has filled in.
protocol TrackVerifier: Sendable {
    /// Returns whether this track belongs to this card and has the right code for this counter.
    func accepts(_ track: [UInt8], counter: UInt16, of application: CardApplication) -> Bool

    /// Every counter whose last digits match those in a filled Track 2, in ascending order; empty if the track cannot
    /// belong to this card.
    func counters(shownBy track: [UInt8]) -> [UInt16]
}

extension SchemeBehaviour {
    static func sharedChain(_ keys: KeySet) -> CardChain.Shared? { nil }

    func interchangeProfile(_ application: CardApplication) -> [UInt8] { application.interchangeProfile }

    func discretionaryObjects(_ application: CardApplication) -> [DataObject] { [] }

    var cryptogramList: [DataRequest] { [] }

    /// Response method 1 with the card's own key (EMV Book 2, 8.2.1).
    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        let code = Array(responseCode.utf8.prefix(2))
        return ResponseMethod.first(application.cardKeys.cryptogram, cryptogram, code: code) + code
    }

    var trackVerifier: TrackCheck? { nil }
}
