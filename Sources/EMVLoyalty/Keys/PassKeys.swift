// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// Agrees on secrets with phones, by the private keys of pass types: on the POS (`LoyaltyKeys`, with the trait
/// Loyalty), in a security module, or at a service.
public protocol PassKeys: Sendable {
    /// x of (private key · phone's key), 32 bytes.
    ///
    /// - Parameters:
    ///   - x: of the phone's key; which of its two points is meant makes no difference.
    ///   - keyIdentifier: first 4 bytes of the SHA-256 of the x coordinate of the programme's public key.
    /// - Throws: ``LoyaltyFault/noKey`` where the programme has no key of this identifier: the pass stays sealed;
    ///   ``LoyaltyFault/notAuthentic`` where `x` is no point of P-256; ``LoyaltyFault/keyFailed``.
    func agree(
        with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
    ) async throws(LoyaltyFault) -> SecretBytes

    /// Whether the programme has a key at all, for ``LoyaltyContext/check(_:against:)``; by default it is said to.
    func hasKey(for programme: LoyaltyProgramme.ID) -> Bool
}

extension PassKeys {
    public func hasKey(for programme: LoyaltyProgramme.ID) -> Bool { true }
}

/// Signs for collectors: on the POS (`LoyaltyKeys`, with the trait Loyalty), in a security module, or at a service. It
/// is asked during the tap, so it has to be quick.
public protocol CollectorSigner: Sendable {
    /// Whether it signs for this key at all: otherwise the programme is not asked for.
    func signs(collector: UInt32, keyVersion: UInt32) -> Bool

    /// ECDSA over P-256 and the SHA-256 of these bytes, in DER.
    func sign(_ bytes: Bytes, collector: UInt32, keyVersion: UInt32) async throws(LoyaltyFault) -> Bytes
}

extension CollectorSigner {
    public func signs(collector: UInt32, keyVersion: UInt32) -> Bool { true }
}

/// How far a pass's time may be from the POS's. The protocol of pass types binds a cryptogram to no session: whoever
/// had the phone may have made one beforehand, and its time is the only defence.
public enum Freshness: Sendable, Hashable {
    /// So long before or after now; and the same cryptogram is taken once in that time.
    case within(Duration)
    /// Takes passes that were made at any time, and any number of times.
    case unsafeUnlimited

    /// Ten minutes.
    public static let standard = Freshness.within(.seconds(600))

    /// Why a pass of this time is not taken.
    func fault(made: Int64, now: Int64) -> LoyaltyFault? {
        guard case .within(let window) = self else { return nil }
        let seconds = max(0, window.components.seconds)
        // Both come from clocks that may say anything.
        let (age, overflows) = now.subtractingReportingOverflow(made)
        guard !overflows else { return now > made ? .fromPast : .fromFuture }
        if age > seconds { return .fromPast }
        return age < -seconds ? .fromFuture : nil
    }
}

/// Cryptograms that were taken, by their digests, for as long as they could be taken again.
actor SeenPasses {
    /// Beyond these the oldest is forgotten.
    static let maximumCount = 4096

    private var digests: [Bytes: Int64] = [:]

    var count: Int { digests.count }

    /// - Returns: it was not there.
    func insert(_ digest: Bytes, made: Int64, now: Int64, window: Duration) -> Bool {
        let seconds = max(0, window.components.seconds)
        digests = digests.filter { _, made in
            let (last, overflows) = made.addingReportingOverflow(seconds)
            return overflows || last >= now
        }
        guard digests[digest] == nil else { return false }
        if digests.count >= SeenPasses.maximumCount, let oldest = digests.min(by: { $0.value < $1.value }) {
            digests[oldest.key] = nil
        }
        digests[digest] = made
        return true
    }

    /// It was not taken after all.
    func remove(_ digest: Bytes) { digests[digest] = nil }
}
