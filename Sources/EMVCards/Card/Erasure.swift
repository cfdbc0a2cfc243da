// SPDX-License-Identifier: Apache-2.0
// Type-erased schemes, behaviours and running applications, so that a card may have applications of several schemes.
// Class instances replace existentials of values and metatypes, which Embedded Swift lacks (DESIGN.md, 2). The
// instances are immutable, so a card remains a value.
import EMVFormats
import EMVKernel

/// The static members of a scheme's type, as a value.
struct SchemeType: Sendable {
    let rid: [UInt8]
    private let behaviour: any AnyScheme

    init<Behaviour: SchemeBehaviour>(_: Behaviour.Type) {
        rid = Behaviour.rid
        behaviour = SchemeBox<Behaviour>()
    }

    var authorities: [CardAuthority] { behaviour.authorities }
    var profiles: [CardProfile] { behaviour.profiles }
    var issuer: IssuerScheme { behaviour.issuer }
    func combinations(at terminal: SimulatedTerminal) -> [Combination] { behaviour.combinations(at: terminal) }
}

private protocol AnyScheme: AnyObject, Sendable {
    var authorities: [CardAuthority] { get }
    var profiles: [CardProfile] { get }
    var issuer: IssuerScheme { get }
    func combinations(at terminal: SimulatedTerminal) -> [Combination]
}

private final class SchemeBox<Behaviour: SchemeBehaviour>: AnyScheme {
    var authorities: [CardAuthority] { Behaviour.authorities }
    var profiles: [CardProfile] { Behaviour.profiles }
    var issuer: IssuerScheme { Behaviour.issuer }
    func combinations(at terminal: SimulatedTerminal) -> [Combination] { Behaviour.combinations(at: terminal) }
}

/// The behaviour of an application of any scheme (``SchemeBehaviour``).
protocol AnyBehaviour: AnyObject, Sendable {
    var rid: [UInt8] { get }
    var issuer: IssuerScheme { get }
    var cryptogramList: [DataRequest] { get }
    func sharedChain(_ keys: KeySet) -> CardChain.Shared?

    func run(_ application: CardApplication) -> ApplicationInField
    func interchangeProfile(_ application: CardApplication) -> [UInt8]
    func discretionaryObjects(_ application: CardApplication) -> [DataObject]
    func certifiedData(_ application: CardApplication) -> [UInt8]

    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8]
    var trackVerifier: TrackCheck? { get }

    /// Reads, writes or lists the scheme's keys of an application. `base` has the values of absent keys.
    func visited(_ fields: inout CardFields, _ base: any AnyBehaviour) throws(FormatError) -> any AnyBehaviour

    func isEqual(to other: any AnyBehaviour) -> Bool
    func hash(into hasher: inout Hasher)
}

final class BehaviourBox<Behaviour: SchemeBehaviour>: AnyBehaviour {
    let value: Behaviour

    init(_ value: Behaviour) { self.value = value }

    var rid: [UInt8] { Behaviour.rid }
    var issuer: IssuerScheme { Behaviour.issuer }
    var cryptogramList: [DataRequest] { value.cryptogramList }
    func sharedChain(_ keys: KeySet) -> CardChain.Shared? { Behaviour.sharedChain(keys) }

    func run(_ application: CardApplication) -> ApplicationInField { ApplicationInField(value.run(application)) }
    func interchangeProfile(_ application: CardApplication) -> [UInt8] { value.interchangeProfile(application) }
    func discretionaryObjects(_ application: CardApplication) -> [DataObject] {
        value.discretionaryObjects(application)
    }
    func certifiedData(_ application: CardApplication) -> [UInt8] { value.certifiedData(application) }

    func authenticationData(
        for application: CardApplication, cryptogram: [UInt8], counter: UInt16, responseCode: String
    ) -> [UInt8] {
        value.authenticationData(
            for: application, cryptogram: cryptogram, counter: counter, responseCode: responseCode)
    }
    var trackVerifier: TrackCheck? { value.trackVerifier }

    func visited(_ fields: inout CardFields, _ base: any AnyBehaviour) throws(FormatError) -> any AnyBehaviour {
        let name = issuer.description
        for other in Schemes.cards where other.issuer != issuer {
            try fields.reject(other.issuer.description, expected: "\"\(name)\", the scheme of the base's application")
        }
        var changed = value
        try fields.part(name, &changed, (base as? BehaviourBox<Behaviour>)?.value ?? value)
        return BehaviourBox(changed)
    }

    func isEqual(to other: any AnyBehaviour) -> Bool { (other as? BehaviourBox<Behaviour>)?.value == value }
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

/// A running application of any scheme. A value: a copy is independent.
struct ApplicationInField: RunningApplication {
    private var application: any AnyApplication

    init(_ application: some RunningApplication) { self.application = ApplicationBox(application) }

    mutating func respond(to command: CommandAPDU, _ memory: inout CardMemory) -> [UInt8]? {
        let answer: [UInt8]?
        (application, answer) = application.responding(to: command, &memory)
        return answer
    }

    mutating func present(_ record: [UInt8], of file: UInt8) -> [UInt8] {
        let presented: [UInt8]
        (application, presented) = application.presenting(record, of: file)
        return presented
    }

    mutating func become(_ other: CardApplication) { application = application.becoming(other) }

    mutating func endTransaction() { application = application.endingTransaction() }

    func responseTime(of command: CommandAPDU) -> Double { application.responseTime(of: command) }
}

/// As ``RunningApplication``, but each call also returns the changed application.
private protocol AnyApplication: AnyObject, Sendable {
    func responding(to command: CommandAPDU, _ memory: inout CardMemory) -> (any AnyApplication, [UInt8]?)
    func presenting(_ record: [UInt8], of file: UInt8) -> (any AnyApplication, [UInt8])
    func becoming(_ other: CardApplication) -> any AnyApplication
    func endingTransaction() -> any AnyApplication
    func responseTime(of command: CommandAPDU) -> Double
}

private final class ApplicationBox<Application: RunningApplication>: AnyApplication {
    private let value: Application

    init(_ value: Application) { self.value = value }

    func responding(to command: CommandAPDU, _ memory: inout CardMemory) -> (any AnyApplication, [UInt8]?) {
        var next = value
        let answer = next.respond(to: command, &memory)
        return (ApplicationBox(next), answer)
    }

    func presenting(_ record: [UInt8], of file: UInt8) -> (any AnyApplication, [UInt8]) {
        var next = value
        let presented = next.present(record, of: file)
        return (ApplicationBox(next), presented)
    }

    func becoming(_ other: CardApplication) -> any AnyApplication {
        var next = value
        next.become(other)
        return ApplicationBox(next)
    }

    func endingTransaction() -> any AnyApplication {
        var next = value
        next.endTransaction()
        return ApplicationBox(next)
    }

    func responseTime(of command: CommandAPDU) -> Double { value.responseTime(of: command) }
}

/// The track check of any scheme (``TrackVerifier``).
struct TrackCheck: Sendable {
    let accepts: @Sendable (_ track: [UInt8], _ counter: UInt16, _ application: CardApplication) -> Bool
    let counters: @Sendable (_ track: [UInt8]) -> [UInt16]

    init(_ verifier: some TrackVerifier) {
        accepts = { verifier.accepts($0, counter: $1, of: $2) }
        counters = { verifier.counters(shownBy: $0) }
    }
}
