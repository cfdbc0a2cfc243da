// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// Agrees on secrets with phones, using the private keys of pass types. These are on the POS (`LoyaltyKeys`, with the
/// trait Loyalty), in a security module, or at a service.
public protocol PassKeys: Sendable {
    /// Returns the x coordinate of (private key · phone's key), 32 bytes.
    ///
    /// - Parameters:
    ///   - x: the x coordinate of the phone's key; either of its two points gives the same result.
    ///   - keyIdentifier: first 4 bytes of the SHA-256 of the x coordinate of the programme's public key.
    ///   - programme: the programme of the pass.
    /// - Throws: ``LoyaltyFault/noKey`` if the programme has no key with this identifier: the pass stays sealed;
    ///   ``LoyaltyFault/notAuthentic`` if `x` is not on the curve P-256; ``LoyaltyFault/keyFailed``.
    func agree(
        with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
    ) async throws(LoyaltyFault) -> SecretBytes

    /// Whether the programme has a key at all, for ``LoyaltyContext/check(_:against:)``; `true` by default.
    func hasKey(for programme: LoyaltyProgramme.ID) -> Bool
}

extension PassKeys {
    public func hasKey(for programme: LoyaltyProgramme.ID) -> Bool { true }
}

/// Signs for collectors: on the POS (`LoyaltyKeys`, with the trait Loyalty), in a security module, or at a service. It
/// is called during the tap, so it has to be fast.
public protocol CollectorSigner: Sendable {
    /// Whether it signs with this key; if not, the programme is not asked for.
    func signs(collector: UInt32, keyVersion: UInt32) -> Bool

    /// Returns the ECDSA signature over P-256 and the SHA-256 of these bytes, in DER.
    func sign(_ bytes: Bytes, collector: UInt32, keyVersion: UInt32) async throws(LoyaltyFault) -> Bytes
}

extension CollectorSigner {
    public func signs(collector: UInt32, keyVersion: UInt32) -> Bool { true }
}

/// How far a pass's time may differ from the POS's. The protocol of pass types binds a cryptogram to no session: anyone
/// who had the phone may have made one beforehand, and its time is the only defence.
public enum Freshness: Sendable, Hashable {
    /// At most this long before or after now; within that time each cryptogram is accepted once.
    case within(Duration)
    /// Accepts passes of any age, any number of times.
    case unsafeUnlimited

    /// Ten minutes.
    public static let standard = Freshness.within(.seconds(600))

    /// Why a pass made at this time is rejected; `nil` if it is accepted.
    func fault(made: Int64, now: Int64) -> LoyaltyFault? {
        guard case .within(let window) = self else { return nil }
        let seconds = max(0, window.components.seconds)
        // Both times come from clocks that can be wrong by any amount.
        let (age, overflows) = now.subtractingReportingOverflow(made)
        guard !overflows else { return now > made ? .fromPast : .fromFuture }
        if age > seconds { return .fromPast }
        return age < -seconds ? .fromFuture : nil
    }
}

/// The digests of accepted cryptograms, kept for as long as the cryptograms could be accepted again.
actor SeenPasses {
    /// The limit above which the oldest digest is dropped.
    static let maximumCount = 4096

    private var digests: [Bytes: Int64] = [:]

    var count: Int { digests.count }

    /// - Returns: whether the digest is new.
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

    /// Removes the digest of a cryptogram that was not used after all.
    func remove(_ digest: Bytes) { digests[digest] = nil }
}
