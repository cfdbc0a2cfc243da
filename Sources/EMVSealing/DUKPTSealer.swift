// SPDX-License-Identifier: Apache-2.0
#if Sealing
public import EMVKit

/// Seals with injected keys: DUKPT, with a separate key for each read. The device cannot open its own sealed payloads.
///
/// The keys change with every read. To continue after a restart, store ``storedKeys()`` after each read where only this
/// device can read it, and start with ``init(stored:)``: starting with the initial key again would use keys twice.
public actor DUKPTSealer: PayloadSealer {
    private var device: DUKPTDevice

    /// - Parameters:
    ///   - generation: DUKPT over AES or over triple DES.
    ///   - initialKey: the initial key of this device; 16, 24 or 32 bytes for AES, 16 for triple DES. It is wiped.
    ///   - identifier: the initial key's identifier, 8 bytes, for AES; the initial key serial number, 10 bytes, for
    ///     triple DES.
    public init(
        _ generation: DUKPTGeneration = .aes, initialKey: consuming SecretBytes, identifier: Bytes
    ) throws(SealingError) {
        device = try DUKPTDevice(generation, initialKey: initialKey, device: identifier)
    }

    /// Continues with the state that ``storedKeys()`` returned.
    public init(stored: consuming SecretBytes) throws(SealingError) {
        device = try DUKPTDevice(stored: stored)
    }

    /// Returns the state to keep between runs. It is as secret as the keys in it.
    public func storedKeys() -> SecretBytes { device.stored }

    public func seal(_ payload: consuming SensitivePayload, context: Bytes) async throws(SealingError) -> SealedPayload
    {
        let transaction = try device.advance()
        return try DUKPTCipher.seal(payload, context: context, generation: device.generation, transaction)
    }
}

/// The payment service's counterpart of ``DUKPTSealer``. It belongs on a server, never on a POS.
public final class DUKPTOpener: Sendable {
    private let generation: DUKPTGeneration
    private let base: SecretBytes

    /// - Parameters:
    ///   - generation: of the devices: DUKPT over AES or over triple DES.
    ///   - baseKey: the key from which the initial keys of all devices are derived; 16, 24 or 32 bytes for AES, 16 for
    ///     triple DES.
    public init(_ generation: DUKPTGeneration = .aes, baseKey: consuming SecretBytes) throws(SealingError) {
        guard generation.isKey(size: baseKey.count) else {
            throw .badKey("a base key of \(baseKey.count) bytes for DUKPT over \(generation)")
        }
        self.generation = generation
        base = baseKey
    }

    /// Returns the initial key to inject into a device.
    ///
    /// - Parameter identifier: as for ``DUKPTSealer``.
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

    /// Derives the key of one transaction of one device.
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

    /// - Parameters:
    ///   - sealed: the payload that a ``DUKPTSealer`` sealed.
    ///   - context: the context with which the payload was sealed.
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
