// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// What passes are read with: keys, and how fresh a pass has to be. One for a reader, or for all of a POS: it remembers
/// the cryptograms of the last minutes, so that none is taken twice.
public final class LoyaltyContext: Sendable {
    let passKeys: (any PassKeys)?
    let signer: (any CollectorSigner)?
    let freshness: Freshness
    let openingDeadline: Duration
    let now: @Sendable () -> Int64
    let seen = SeenPasses()

    /// - Parameters:
    ///   - passKeys: open passes of pass types; `nil`: they stay sealed.
    ///   - signer: signs for collectors; `nil`: Smart Tap is not asked for.
    ///   - openingDeadline: how long `passKeys` may take for the passes of a tap, from the end of the dialogue with the
    ///     phone and by the timer of the reader's options; then they stay sealed. A payment goes on meanwhile.
    ///   - now: seconds since 1970 UTC; by default the clock of the machine.
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

    /// Opens a pass that was left sealed, as a tap does: ``PassOutcome/sealed(_:)`` where no key fits, or the task was
    /// cancelled before the key had answered.
    public func open(_ pass: SealedPass, of programme: LoyaltyProgramme.ID) async -> PassOutcome {
        #if Loyalty
        guard let passKeys else { return .sealed(pass) }
        do throws(LoyaltyFault) {
            let secret = try await passKeys.agree(with: pass.x, keyIdentifier: pass.keyIdentifier, of: programme)
            // Whoever asked has gone on without it, and may open it later.
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

    /// A pass that is authentic: whether it is fresh, and new.
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
