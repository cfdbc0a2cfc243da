// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Seals and opens payloads with a publicly known key: for tests and demonstrations only.
public struct SimulatedSealer: PayloadSealer, AccountFingerprint {
    public static let scheme = "simulated"
    private let key: [UInt8]

    /// - Parameter name: of the key; only a sealer with an equal name can open the payload.
    public init(name: String = "simulator") { key = Array(name.utf8) }

    public func seal(
        _ payload: consuming SensitivePayload, context: Bytes
    ) async throws(SealingError) -> SealedPayload {
        let nonce = (0..<8).map { _ in UInt8.random(in: 0...255) }
        let clear = unsafe payload.withUnsafeBytes { bytes in unsafe Bytes(bytes) }
        let hidden = crypt(clear, nonce)
        return SealedPayload(
            scheme: SimulatedSealer.scheme, keyIdentifier: key, encapsulatedKey: nonce,
            ciphertext: hidden + tag(hidden, context))
    }

    /// Returns the TLV of the payload; `nil` if key, context or content is wrong.
    public func open(_ sealed: SealedPayload, context: Bytes) -> Bytes? {
        let hidden = Bytes(sealed.ciphertext.dropLast(20))
        guard sealed.keyIdentifier == key, sealed.ciphertext.count >= 20,
            tag(hidden, context) == Bytes(sealed.ciphertext.suffix(20))
        else { return nil }
        return crypt(hidden, sealed.encapsulatedKey)
    }

    public func fingerprint(of account: consuming SecretBytes) async throws(SealingError) -> Bytes {
        let bytes = unsafe account.withUnsafeBytes { bytes in unsafe Bytes(bytes) }
        return SHA1.hash(key + [0] + SHA1.hash(key + [1] + bytes))
    }

    private func tag(_ hidden: Bytes, _ context: Bytes) -> Bytes {
        SHA1.hash(key + [2] + SHA1.hash(key + [3] + SHA1.hash(context) + hidden))
    }

    private func crypt(_ bytes: Bytes, _ nonce: Bytes) -> Bytes {
        var stream: Bytes = [], block: UInt8 = 0
        while stream.count < bytes.count {
            stream += SHA1.hash(key + nonce + [4, block])
            block &+= 1
        }
        return zip(bytes, stream).map { $0 ^ $1 }
    }
}
