// SPDX-License-Identifier: Apache-2.0
#if Loyalty
public import EMVKit

import Crypto
import Foundation

/// Private keys on the POS: any number for a pass type, selected by the identifier that a phone sends, and one for each
/// version of a collector's key. The app generates, stores and rotates them. They are overwritten when they are
/// released, and no description or mirror shows them.
public struct LoyaltyKeys: PassKeys, CollectorSigner {
    private struct PassKey: Sendable {
        let identifier: Bytes
        let key: P256.KeyAgreement.PrivateKey
    }

    private struct Collector: Sendable, Hashable {
        let number: UInt32
        let version: UInt32
    }

    private var passKeys: [LoyaltyProgramme.ID: [PassKey]] = [:]
    private var collectors: [Collector: P256.Signing.PrivateKey] = [:]

    public init() {}

    /// Adds a key: one more for a pass type, or the key of a collector's version.
    ///
    /// - Parameters:
    ///   - privateKey: P-256, 32 bytes.
    ///   - programme: names the pass type, or the collector and the version of its key.
    public mutating func add(
        _ privateKey: borrowing SecretBytes, for programme: LoyaltyProgramme
    ) throws(LoyaltyKeyError) {
        do {
            switch programme.wallet {
            case .passType:
                add(
                    try unsafe privateKey.withUnsafeBytes {
                        try unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: $0)
                    }, programme.id)
            case .collector(let number, let version, _):
                collectors[Collector(number: number, version: version)] = try unsafe privateKey.withUnsafeBytes {
                    try unsafe P256.Signing.PrivateKey(rawRepresentation: $0)
                }
            }
        } catch {
            throw LoyaltyKeyError(programme.id, .notAKey)
        }
    }

    /// Adds a key from a PEM file: `EC PRIVATE KEY` or `PRIVATE KEY`. The caller remains responsible for wiping the
    /// text.
    public mutating func add(pem: String, for programme: LoyaltyProgramme) throws(LoyaltyKeyError) {
        do {
            switch programme.wallet {
            case .passType: add(try P256.KeyAgreement.PrivateKey(pemRepresentation: pem), programme.id)
            case .collector(let number, let version, _):
                collectors[Collector(number: number, version: version)] = try P256.Signing.PrivateKey(
                    pemRepresentation: pem)
            }
        } catch {
            throw LoyaltyKeyError(programme.id, .notAKey)
        }
    }

    private mutating func add(_ key: P256.KeyAgreement.PrivateKey, _ programme: LoyaltyProgramme.ID) {
        let identifier = PassKeyIdentifier.of(x: Bytes(key.publicKey.rawRepresentation.prefix(32)))
        passKeys[programme, default: []].append(PassKey(identifier: identifier, key: key))
    }

    /// Removes every key of a programme.
    public mutating func remove(_ programme: LoyaltyProgramme) {
        switch programme.wallet {
        case .passType: passKeys[programme.id] = nil
        case .collector(let number, let version, _): collectors[Collector(number: number, version: version)] = nil
        }
    }

    public func agree(
        with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
    ) async throws(LoyaltyFault) -> SecretBytes {
        guard let key = passKeys[programme]?.first(where: { $0.identifier == keyIdentifier })?.key else {
            throw .noKey
        }
        guard let share = try? P256.KeyAgreement.PublicKey(compactRepresentation: x),
            let secret = try? key.sharedSecretFromKeyAgreement(with: share)
        else { throw .notAuthentic }
        var result = SecretBytes(count: 32)
        unsafe secret.withUnsafeBytes { source in
            unsafe result.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
        }
        return result
    }

    public func hasKey(for programme: LoyaltyProgramme.ID) -> Bool { passKeys[programme]?.isEmpty == false }

    public func signs(collector: UInt32, keyVersion: UInt32) -> Bool {
        collectors[Collector(number: collector, version: keyVersion)] != nil
    }

    public func sign(_ bytes: Bytes, collector: UInt32, keyVersion: UInt32) async throws(LoyaltyFault) -> Bytes {
        guard let key = collectors[Collector(number: collector, version: keyVersion)] else { throw .noKey }
        guard let signature = try? key.signature(for: bytes) else { throw .keyFailed }
        return Bytes(signature.derRepresentation)
    }
}

extension LoyaltyKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of keys.
    public var description: String {
        "keys of passes (\(passKeys.values.reduce(0) { $0 + $1.count } + collectors.count))"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The identifier by which a phone names the key of a pass type.
public enum PassKeyIdentifier {
    /// Returns the first 4 bytes of the SHA-256 of the x coordinate.
    public static func of(x: Bytes) -> Bytes { Bytes(Digest.sha256(x).prefix(4)) }
}

/// An error in a merchant's key. It never shows the key.
public struct LoyaltyKeyError: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Not a private key of P-256.
        case notAKey
        /// The public key to compare with is not a P-256 key.
        case notAPublicKey
        /// There is no key for this programme.
        case missing
        /// The key does not belong to the public key that the wallet provider holds.
        case wrong
        /// The security module or the service with the key failed.
        case failed
    }

    public let programme: LoyaltyProgramme.ID
    public let reason: Reason

    init(_ programme: LoyaltyProgramme.ID, _ reason: Reason) {
        self.programme = programme
        self.reason = reason
    }
}

extension LoyaltyKeyError: CustomStringConvertible {
    public var description: String {
        let text =
            switch reason {
            case .notAKey: "expected a private key of P-256"
            case .notAPublicKey: "expected a public key of P-256 to compare with"
            case .missing: "no key"
            case .wrong: "the private key does not belong to the public key"
            case .failed: "the key could not be used"
            }
        return "programme \(programme): \(text)"
    }
}

extension LoyaltyContext {
    /// Tests every key before a phone comes: agrees on a secret, or signs, and compares with the merchant's public key
    /// that the wallet provider holds. It also works for keys that never leave a security module or a service.
    ///
    /// - Parameters:
    ///   - request: lists the programmes to check.
    ///   - publicKeys: for each programme, the public keys that its passes name: 33 bytes compressed, or 65. A
    ///     collector has one for each version of its key. For a programme without one, the check is only whether there
    ///     is a key.
    /// - Returns: the errors, in the order of the request and of the public keys; empty if all keys are correct.
    public func check(
        _ request: LoyaltyRequest, against publicKeys: [LoyaltyProgramme.ID: [Bytes]] = [:]
    ) async -> [LoyaltyKeyError] {
        var errors: [LoyaltyKeyError] = []
        for programme in request.programmes {
            let keys = publicKeys[programme.id] ?? []
            var reasons: [LoyaltyKeyError.Reason] = []
            switch programme.wallet {
            case .passType:
                guard passKeys?.hasKey(for: programme.id) == true else {
                    reasons = [.missing]
                    break
                }
                for key in keys {
                    if let reason = await check(programme.id, key) { reasons.append(reason) }
                }
            case .collector(let number, let version, _): reasons = await check(number, version, keys)
            }
            errors += reasons.map { LoyaltyKeyError(programme.id, $0) }
        }
        return errors
    }

    /// Compares the secrets of both sides of a key agreement: if they differ, the key belongs to another public key.
    private func check(_ programme: LoyaltyProgramme.ID, _ publicKey: Bytes) async -> LoyaltyKeyError.Reason? {
        guard let theirs = P256.KeyAgreement.PublicKey(anyForm: publicKey) else { return .notAPublicKey }
        let mine = P256.KeyAgreement.PrivateKey()
        let identifier = PassKeyIdentifier.of(x: Bytes(theirs.rawRepresentation.prefix(32)))
        guard let passKeys, let expected = try? mine.sharedSecretFromKeyAgreement(with: theirs) else { return .failed }
        do throws(LoyaltyFault) {
            let secret = try await passKeys.agree(
                with: Bytes(mine.publicKey.rawRepresentation.prefix(32)), keyIdentifier: identifier, of: programme)
            let isSame = unsafe secret.withUnsafeBytes { one in
                unsafe expected.withUnsafeBytes { unsafe one.elementsEqual($0) }
            }
            return isSame ? nil : .wrong
        } catch {
            return error == .noKey ? .missing : .failed
        }
    }

    private func check(_ number: UInt32, _ version: UInt32, _ publicKeys: [Bytes]) async -> [LoyaltyKeyError.Reason] {
        guard let signer, signer.signs(collector: number, keyVersion: version) else { return [.missing] }
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in generator.next() as UInt8 }
        do throws(LoyaltyFault) {
            let signature = try await signer.sign(bytes, collector: number, keyVersion: version)
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            return publicKeys.compactMap { publicKey in
                guard let key = P256.Signing.PublicKey(anyForm: publicKey) else { return .notAPublicKey }
                guard let parsed else { return .failed }
                return key.isValidSignature(parsed, for: bytes) ? nil : .wrong
            }
        } catch {
            return [error == .noKey ? .missing : .failed]
        }
    }
}

extension P256.KeyAgreement.PublicKey {
    fileprivate init?(anyForm bytes: Bytes) {
        guard
            let key = bytes.count == 33
                ? try? Self(compressedRepresentation: bytes) : try? Self(x963Representation: bytes)
        else { return nil }
        self = key
    }
}

extension P256.Signing.PublicKey {
    fileprivate init?(anyForm bytes: Bytes) {
        guard
            let key = bytes.count == 33
                ? try? Self(compressedRepresentation: bytes) : try? Self(x963Representation: bytes)
        else { return nil }
        self = key
    }
}
#else
@available(*, unavailable, message: "enable the trait Loyalty: .package(…, traits: [\"Loyalty\"])")
public struct LoyaltyKeys {}
#endif
