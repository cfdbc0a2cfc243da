// SPDX-License-Identifier: Apache-2.0
#if Sealing
public import EMVKit

/// Seals with keys that were injected: DUKPT, a key of its own for each read. Nothing on the device opens what it
/// sealed.
///
/// The keys change with every read. To go on after a restart, store ``storedKeys()`` after each read where only this
/// device can read it, and begin with ``init(stored:)``: beginning anew with the initial key would use keys twice.
public actor DUKPTSealer: PayloadSealer {
    private var device: DUKPTDevice

    /// - Parameters:
    ///   - initialKey: of this device; 16, 24 or 32 bytes for AES, 16 for triple DES. Is wiped.
    ///   - identifier: the initial key's identifier, 8 bytes, for AES; the initial key serial number, 10 bytes, for
    ///     triple DES.
    public init(
        _ generation: DUKPTGeneration = .aes, initialKey: consuming SecretBytes, identifier: Bytes
    ) throws(SealingError) {
        device = try DUKPTDevice(generation, initialKey: initialKey, device: identifier)
    }

    /// Goes on with what ``storedKeys()`` gave.
    public init(stored: consuming SecretBytes) throws(SealingError) {
        device = try DUKPTDevice(stored: stored)
    }

    /// Everything to keep between runs. It is as secret as the keys in it.
    public func storedKeys() -> SecretBytes { device.stored }

    public func seal(_ payload: consuming SensitivePayload, context: Bytes) async throws(SealingError) -> SealedPayload
    {
        let transaction = try device.advance()
        return try DUKPTCipher.seal(payload, context: context, generation: device.generation, transaction)
    }
}

/// The payment service's side of ``DUKPTSealer``. Belongs on a server, never on a POS.
public final class DUKPTOpener: Sendable {
    private let generation: DUKPTGeneration
    private let base: SecretBytes

    /// - Parameter baseKey: from which the initial keys of all devices follow; 16, 24 or 32 bytes for AES, 16 for
    ///   triple DES.
    public init(_ generation: DUKPTGeneration = .aes, baseKey: consuming SecretBytes) throws(SealingError) {
        guard generation.isKey(size: baseKey.count) else {
            throw .badKey("a base key of \(baseKey.count) bytes for DUKPT over \(generation)")
        }
        self.generation = generation
        base = baseKey
    }

    /// What a device is given: its initial key.
    ///
    /// - Parameter identifier: as ``DUKPTSealer`` takes it.
    public func initialKey(identifier: Bytes) throws(SealingError) -> SecretBytes {
        switch generation {
        case .aes:
            guard identifier.count == 8, let type = AESKeyType(size: base.count) else {
                throw .badKey("expected an identifier of 8 bytes, got \(identifier.count)")
            }
            return AESDerivation.derive(base, .initialKey, type, identifier: identifier)
        case .tripleDES:
            guard identifier.count == 10 else {
                throw .badKey("expected an identifier of 10 bytes, got \(identifier.count)")
            }
            return TripleDESDerivation.initialKey(base: base, serialNumber: identifier)
        }
    }

    /// The key of one transaction of one device.
    func transactionKey(serialNumber: Bytes) throws(SealingError) -> SecretBytes {
        guard let counter = generation.counter(in: serialNumber) else {
            throw .badKey(
                "expected a key serial number of \(generation.serialNumberSize) bytes, got \(serialNumber.count)")
        }
        let device = generation == .aes ? Bytes(serialNumber.prefix(8)) : serialNumber
        var key = try initialKey(identifier: device)
        var reached: UInt32 = 0
        for bit in (0..<generation.counterBits).reversed() where counter >> UInt32(bit) & 1 == 1 {
            reached |= 1 << UInt32(bit)
            key = generation.next(key, device: device, counter: reached)
        }
        return key
    }

    /// - Parameter context: what was sealed with it.
    public func open(_ sealed: SealedPayload, context: Bytes) throws(SealingError) -> SensitivePayload {
        guard sealed.scheme == DUKPTCipher.scheme(generation, keySize: base.count) else {
            throw .unknownScheme(sealed.scheme)
        }
        guard let counter = generation.counter(in: sealed.keyIdentifier), counter != 0,
            counter <= generation.lastCounter,
            counter.nonzeroBitCount <= generation.mostOnes
        else { throw .notAuthentic }
        let key = try transactionKey(serialNumber: sealed.keyIdentifier)
        let transaction = TransactionKey(key: key, serialNumber: sealed.keyIdentifier)
        return try DUKPTCipher.open(sealed.ciphertext, context: context, generation: generation, transaction)
    }
}
#else
@available(*, unavailable, message: "enable the trait Sealing: .package(…, traits: [\"Sealing\"])")
public struct DUKPTSealer {}

@available(*, unavailable, message: "enable the trait Sealing: .package(…, traits: [\"Sealing\"])")
public struct DUKPTOpener {}
#endif
