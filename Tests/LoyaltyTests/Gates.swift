// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import TestWaiting

@testable import EMVLoyalty

/// Sends a command at once, and holds back its answer at a gate.
actor GatedReader: CardTransport {
    let recorder: TapRecorder
    private let gate: Latch
    private let isHeld: @Sendable (Bytes) -> Bool

    init(_ recorder: TapRecorder, _ gate: Latch, where isHeld: @escaping @Sendable (Bytes) -> Bool) {
        self.recorder = recorder
        self.gate = gate
        self.isHeld = isHeld
    }

    func open() async -> ReaderFault? { await recorder.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent { await recorder.waitForCard(poll) }
    func transceive(_ command: Bytes) async -> Exchange {
        let exchange = await recorder.transceive(command)
        if isHeld(command) { await gate.pass() }
        return exchange
    }
    func fieldOff() async { await recorder.fieldOff() }
    func fieldOff(for hold: Duration) async { await recorder.fieldOff(for: hold) }
}

/// A key service that answers when its gate is open.
struct GatedKeys: PassKeys {
    let keys: any PassKeys
    let gate: Latch

    func agree(
        with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
    ) async throws(LoyaltyFault) -> SecretBytes {
        await gate.pass()
        return try await keys.agree(with: x, keyIdentifier: keyIdentifier, of: programme)
    }
}

/// A key service that fails.
struct NoKeys: PassKeys {
    func agree(
        with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
    ) async throws(LoyaltyFault) -> SecretBytes { throw .keyFailed }
}

/// An acquirer that answers when its gate is open.
struct GatedAuthorizer: Authorizer {
    let authorizer = SimulatedAuthorizer()
    let gate: Latch

    var acceptsSimulatedReads: Bool { true }
    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        await gate.pass()
        return try await authorizer.authorize(request)
    }
    func reverse(_ reversal: Reversal) async throws { try await authorizer.reverse(reversal) }
}
