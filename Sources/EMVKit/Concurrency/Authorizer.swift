// SPDX-License-Identifier: Apache-2.0
/// Who asks the issuer: an acquirer's host, a payment provider, a simulator.
///
/// ``ReaderSession/authorize(_:with:pinPad:)`` calls it with a deadline. A call that has not answered by then, that
/// throws or is cancelled is taken for one that may have reached the host, and a reversal is asked for. An authoriser
/// that knows that nothing was sent answers ``IssuerDecision/failed(_:)``. All of these are "unable to go online" to a
/// kernel that waits; a decision without data objects is an answer.
public protocol Authorizer: Sendable {
    /// It takes reads of simulated cards (``CardTransport/isSimulated``): a test host, a demonstration. `false`, as by
    /// default: such a read fails with ``Problem/Code/simulatedRead`` before anything is sent.
    nonisolated var acceptsSimulatedReads: Bool { get }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision

    /// Takes back whatever became of a key. Returning says that the host has it: the payment is not, or no longer,
    /// approved. It may be asked for a key that never arrived, and more than once; a request of that key that arrives
    /// later must be refused.
    func reverse(_ reversal: Reversal) async throws

    /// What the host knows of a key. By default it cannot be asked.
    func status(of key: ReconciliationKey) async throws -> HostStatus
}

/// An authoriser that also delivers records after the cardholder has left: payments accepted offline, captures, refunds
/// without a card, voids. ``Settlement`` requires one, and so does a charge at a reader that accepts payments offline
/// (``TapReader/Options/offline``).
public protocol DeliveringAuthorizer: Authorizer {
    /// Tells the host, or asks it. Called again with the same key until the host has the record, which it must book
    /// once. A call that throws may have reached the host.
    func deliver(_ record: FinancialRecord) async throws -> Delivery
}

extension Authorizer {
    public nonisolated var acceptsSimulatedReads: Bool { false }
    public func status(of key: ReconciliationKey) async throws -> HostStatus { .unsupported }
}

/// What an authorisation works with. A handle: equal to itself only.
final class Means: Sendable, Equatable {
    let authorizer: any Authorizer
    let pinPad: (any PINPad)?
    /// The PIN pad guides people who do not see the keys, if it can.
    let accessibility: Bool

    init(authorizer: any Authorizer, pinPad: (any PINPad)?, accessibility: Bool) {
        self.authorizer = authorizer
        self.pinPad = pinPad
        self.accessibility = accessibility
    }

    static func == (one: Means, other: Means) -> Bool { one === other }
}
