// SPDX-License-Identifier: Apache-2.0
#if Sealing
public import EMVKit

import Crypto
import Foundation

/// Seals to a public key of the payment service: HPKE (RFC 9180, base mode) with P-256, HKDF-SHA256 and AES-256-GCM.
///
/// Every read has a separate encapsulated key: there is no state, nothing to synchronise, and nothing on the device can
/// open the payload again.
public struct HPKESealer: PayloadSealer {
    public static let scheme = "hpke-p256-sha256-aes256gcm"

    private let publicKey: P256.KeyAgreement.PublicKey
    private let keyIdentifier: Bytes

    /// - Parameters:
    ///   - publicKey: 65 bytes, uncompressed (X9.63), or 33 compressed.
    ///   - keyIdentifier: sent with every payload, so that the service finds its private key.
    public init(publicKey: Bytes, keyIdentifier: Bytes = []) throws(SealingError) {
        do {
            self.publicKey =
                publicKey.count == 33
                ? try P256.KeyAgreement.PublicKey(compressedRepresentation: publicKey)
                : try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        } catch {
            throw .badKey("expected a P-256 public key of 65 or 33 bytes, got \(publicKey.count)")
        }
        self.keyIdentifier = keyIdentifier
    }

    public func seal(_ payload: consuming SensitivePayload, context: Bytes) async throws(SealingError) -> SealedPayload
    {
        do {
            var sender = try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: .P256_SHA256_AES_GCM_256, info: Self.info(keyIdentifier))
            let sealed = try unsafe payload.withUnsafeBytes { try unsafe sender.seal($0, authenticating: context) }
            return SealedPayload(
                scheme: Self.scheme, keyIdentifier: keyIdentifier, encapsulatedKey: Bytes(sender.encapsulatedKey),
                ciphertext: Bytes(sealed))
        } catch {
            throw .failed
        }
    }

    /// Binds a payload to this use of the key and to the key's identifier.
    static func info(_ keyIdentifier: Bytes) -> Data { Data("EMVSealing 1 ".utf8) + keyIdentifier }
}

/// The payment service's counterpart of ``HPKESealer``. It belongs on a server, never on a POS.
public struct HPKEOpener: Sendable {
    private let privateKey: P256.KeyAgreement.PrivateKey

    /// - Parameter privateKey: 32 bytes.
    public init(privateKey: Bytes) throws(SealingError) {
        do {
            self.privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        } catch {
            throw .badKey("expected a P-256 private key of 32 bytes, got \(privateKey.count)")
        }
    }

    /// Creates an opener with a new key.
    public init() { privateKey = P256.KeyAgreement.PrivateKey() }

    /// The key for the POS: 65 bytes, uncompressed.
    public var publicKey: Bytes { Bytes(privateKey.publicKey.x963Representation) }

    /// - Parameters:
    ///   - sealed: the payload that an ``HPKESealer`` sealed.
    ///   - context: the context with which the payload was sealed.
    public func open(_ sealed: SealedPayload, context: Bytes) throws(SealingError) -> SensitivePayload {
        guard sealed.scheme == HPKESealer.scheme else { throw .unknownScheme(sealed.scheme) }
        var plain: Data
        do {
            var recipient = try HPKE.Recipient(
                privateKey: privateKey, ciphersuite: .P256_SHA256_AES_GCM_256,
                info: HPKESealer.info(sealed.keyIdentifier),
                encapsulatedKey: Data(sealed.encapsulatedKey))
            plain = try recipient.open(sealed.ciphertext, authenticating: context)
        } catch {
            throw .notAuthentic
        }
        let secret = SecretBytes(plain)
        plain.resetBytes(in: plain.indices)
        return SensitivePayload(tlv: secret)
    }
}
#else
@available(*, unavailable, message: "enable the trait Sealing: .package(…, traits: [\"Sealing\"])")
public struct HPKESealer {}

@available(*, unavailable, message: "enable the trait Sealing: .package(…, traits: [\"Sealing\"])")
public struct HPKEOpener {}
#endif
