// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Plays acquirer and issuer: answers after a delay, with the result that the card on the reader is to show.
actor DemoBank: DeliveringAuthorizer {
    nonisolated var acceptsSimulatedReads: Bool { true }

    enum Behaviour: Sendable {
        case approve, decline, wantPIN, loseAnswer
    }

    private struct ConnectionLost: Error {}

    private var behaviour = Behaviour.approve
    private var pads: [Bytes: Bytes] = [:]
    /// Reversed keys: they are never approved again.
    private var reversed: Set<ReconciliationKey> = []

    func expect(_ behaviour: Behaviour) { self.behaviour = behaviour }

    /// A one-time pad for one PIN block, and the serial number it is known by.
    func newPad() -> (serial: Bytes, pad: Bytes) {
        let serial = Bytes((0..<10).map { _ in UInt8.random(in: 0...255) })
        let pad = Bytes((0..<8).map { _ in UInt8.random(in: 0...255) })
        pads[serial] = pad
        return (serial, pad)
    }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        try await Task.sleep(for: .milliseconds(1200))
        guard !reversed.contains(request.key) else { return .declined(Decline(reason: .issuer, responseCode: "12")) }
        if let pin = request.pin {
            guard isRight(pin) else { return .pinRequested(PINChallenge(id: "\(request.attempt)", isRepeated: true)) }
            return .approved(Approval(code: "834201"))
        }
        switch behaviour {
        case .approve: return .approved(Approval(code: "729114"))
        case .decline: return .declined(Decline(reason: .insufficientFunds, responseCode: "51"))
        case .wantPIN: return .pinRequested(PINChallenge(id: "1"))
        case .loseAnswer: throw ConnectionLost()
        }
    }

    func reverse(_ reversal: Reversal) async throws {
        reversed.insert(reversal.key)
    }

    /// Receives offline approvals and records that follow a payment. Nothing is deferred here.
    func deliver(_ record: FinancialRecord) async throws -> Delivery { .received }

    /// ISO 9564 format 1, not enciphered: 1, the number of digits, the digits.
    private func isRight(_ pin: EncryptedPINBlock) -> Bool {
        guard let pad = pads.removeValue(forKey: pin.keySerialNumber) else { return false }
        return zip(pin.bytes, pad).map { $0 ^ $1 }.prefix(3) == [0x14, 0x12, 0x34]
    }
}

/// Plays the secure device with the keys: its output is a block that only the bank can open. A real one encrypts inside
/// its own housing, and no program sees a digit; a POS must never ask for a PIN on its own keyboard as this one does.
struct DemoPINPad: PINPad {
    let keyboard: Keyboard
    let screen: Screen
    let bank: DemoBank

    func collectPIN(_ request: PINRequest) async -> PINEntry {
        await screen.stopProgress()
        await keyboard.hide(true)
        // The amount may be shown; nothing from which the cardholder could be recognised.
        await screen.ask("\(request.amount?.description ?? "") PIN (Enter: cancel):")
        let typed = await keyboard.line()
        await keyboard.hide(false)
        await screen.answered(byHand: false)
        guard let digits = typed?.utf8.map({ $0 &- 0x30 }), (4...12).contains(digits.count),
            digits.allSatisfy({ $0 < 10 })
        else {
            return .cancelled
        }
        let (serial, pad) = await bank.newPad()
        var nibbles = [1, UInt8(digits.count)] + digits
        while nibbles.count < 16 { nibbles.append(UInt8.random(in: 0...15)) }
        let clear = stride(from: 0, to: 16, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
        let block = EncryptedPINBlock(zip(clear, pad).map { $0 ^ $1 }, format: .iso1, keySerialNumber: serial)
        return block.map { .entered($0) } ?? .cancelled
    }
}
