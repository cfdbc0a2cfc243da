// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// The keys that open passes, and how fresh a pass has to be. Use one for a reader, or for all readers of a POS: it
/// remembers the cryptograms of the last minutes, so that none is accepted twice.
public final class LoyaltyContext: Sendable {
    let passKeys: (any PassKeys)?
    let signer: (any CollectorSigner)?
    let freshness: Freshness
    let openingDeadline: Duration
    let now: @Sendable () -> Int64
    let seen = SeenPasses()

    /// - Parameters:
    ///   - passKeys: opens passes of pass types; with `nil` they stay sealed.
    ///   - signer: signs for collectors; with `nil` Smart Tap is not asked for.
    ///   - freshness: how far a pass's time may differ from `now`.
    ///   - openingDeadline: the time that `passKeys` have for the passes of a tap, from the end of the dialogue with
    ///     the phone, measured by the timer of the reader's options; after it the passes stay sealed. A payment
    ///     continues meanwhile.
    ///   - now: returns seconds since 1970 UTC; by default the machine's clock.
    public init(
        passKeys: (any PassKeys)? = nil, signer: (any CollectorSigner)? = nil, freshness: Freshness = .standard,
        openingDeadline: Duration = .seconds(2),
        now: @escaping @Sendable () -> Int64 = { JournalClock.system.now().wall }
    ) {
        self.passKeys = passKeys
        self.signer = signer
        self.freshness = freshness
        self.openingDeadline = openingDeadline
        self.now = now
    }

    /// Opens a pass that was left sealed, as a tap does. Returns ``PassOutcome/sealed(_:)`` if no key fits, or if the
    /// task was cancelled before the key had answered.
    public func open(_ pass: SealedPass, of programme: LoyaltyProgramme.ID) async -> PassOutcome {
        #if Loyalty
        guard let passKeys else { return .sealed(pass) }
        do throws(LoyaltyFault) {
            let secret = try await passKeys.agree(with: pass.x, keyIdentifier: pass.keyIdentifier, of: programme)
            // The caller has continued without the pass, and may open it later.
            if Task.isCancelled { return .sealed(pass) }
            let value = try PassCipher.open(pass, secret)
            return await checked(value, pass)
        } catch {
            return error == .noKey ? .sealed(pass) : .unreadable(error)
        }
        #else
        return .sealed(pass)
        #endif
    }

    /// Checks that an authentic pass is fresh and has not been seen before.
    func checked(_ value: PassValue, _ pass: SealedPass) async -> PassOutcome {
        guard case .within(let window) = freshness, let made = value.made else { return .read(value) }
        let now = pass.received ?? now()
        if let fault = freshness.fault(made: made, now: now) { return .unreadable(fault) }
        let isNew = await seen.insert(pass.digest, made: made, now: now, window: window)
        return isNew ? .read(value) : .unreadable(.repeated)
    }
}

extension LoyaltyContext: CustomStringConvertible, CustomReflectable {
    public var description: String { "context of passes" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
