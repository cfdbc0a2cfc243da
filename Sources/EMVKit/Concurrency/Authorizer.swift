// SPDX-License-Identifier: Apache-2.0
/// Asks the issuer: an acquirer's host, a payment provider, a simulator.
///
/// ``ReaderSession/authorize(_:with:pinPad:pin:accessibility:)`` calls it with a deadline. If a call misses the
/// deadline, throws or is cancelled, the request may have reached the host, so a reversal is requested. An authoriser
/// that knows that nothing was sent returns ``IssuerDecision/failed(_:)``. A waiting kernel sees all of these as
/// "unable to go online"; a decision without data objects is an answer.
public protocol Authorizer: Sendable {
    /// Whether it accepts reads of simulated cards (``CardTransport/isSimulated``), as a test host or a demonstration
    /// does. `false` by default: such a read fails with ``Problem/Code/simulatedRead`` before anything is sent.
    nonisolated var acceptsSimulatedReads: Bool { get }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision

    /// Reverses everything that may be booked under a key. If it returns, the host has the reversal: the payment is
    /// not, or no longer, approved. It may be called for a key that never arrived, and more than once; a request of
    /// that key that arrives later must be refused.
    func reverse(_ reversal: Reversal) async throws

    /// Returns the status of a key at the host. By default the host cannot be asked.
    func status(of key: ReconciliationKey) async throws -> HostStatus
}

/// An authoriser that also delivers records after the cardholder has left: payments accepted offline, captures, refunds
/// without a card, voids. ``Settlement`` requires one, and so does a charge at a reader that accepts payments offline
/// (``TapReader/Options/offline``).
public protocol DeliveringAuthorizer: Authorizer {
    /// Delivers a record to the host, as a notification or a request. It is called again with the same key until the
    /// host has the record, which the host must book once. A call that throws may have reached the host.
    func deliver(_ record: FinancialRecord) async throws -> Delivery
}

extension Authorizer {
    public nonisolated var acceptsSimulatedReads: Bool { false }
    public func status(of key: ReconciliationKey) async throws -> HostStatus { .unsupported }
}

/// The parts that an authorisation works with. A handle: equal to itself only.
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
