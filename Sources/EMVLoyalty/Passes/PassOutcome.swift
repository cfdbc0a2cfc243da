// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// The outcome of one programme in a tap.
public enum PassOutcome: Sendable, Hashable {
    case read(PassValue)
    /// A pass was read, but no key here opens it: it is for a service that has the key. It counts as read.
    case sealed(SealedPass)
    /// The phone has no such pass, or no known wallet.
    case none
    /// The phone or the pass has to be unlocked first.
    case locked
    /// The owner has to choose or confirm on the phone, and may present it again for the pass.
    case chooseOnDevice
    /// There was no such pass, and the phone was given the sign-up URL.
    case signUpOffered
    case refused(WalletStatus)
    /// The wallet answered, but the answer contained no usable pass.
    case unreadable(LoyaltyFault)
    /// The programme was not asked for; the value is the reason.
    case notAsked(NotAsked)
}

/// The name of an outcome in files and logs.
public enum PassOutcomeName: String, Sendable, Hashable, CaseIterable, Codable {
    case read, sealed, none, locked, chooseOnDevice, signUpOffered, refused, unreadable, notAsked
}

extension PassOutcome {
    public var name: PassOutcomeName {
        switch self {
        case .read: .read
        case .sealed: .sealed
        case .none: .none
        case .locked: .locked
        case .chooseOnDevice: .chooseOnDevice
        case .signUpOffered: .signUpOffered
        case .refused: .refused
        case .unreadable: .unreadable
        case .notAsked: .notAsked
        }
    }

    /// Whether a pass was received: read, or sealed.
    public var isPass: Bool {
        switch self {
        case .read, .sealed: true
        case .none, .locked, .chooseOnDevice, .signUpOffered, .refused, .unreadable, .notAsked: false
        }
    }
}

/// The status word of a wallet. In Smart Tap the first byte decides, and an unknown second byte is allowed.
public struct WalletStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Four hex digits.
    public var description: String { Hex.string([UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)]) }
}

/// Why a programme was not asked for.
public enum NotAsked: String, Sendable, Hashable, CaseIterable {
    /// The trait Loyalty is off: this build cannot sign and decrypt for Smart Tap.
    case noCryptography
    /// No signer signs for this collector.
    case noSigner
    /// The dialogue exceeded its time limit, or the tap was cancelled.
    case outOfTime
    /// The link to the phone had broken.
    case linkBroken
    /// A dialogue serves one collector, and the first one was asked for.
    case anotherCollector
    /// Without a payment a wallet gives one pass: the first one was asked for.
    case oneAlone
    /// No phone was presented.
    case noPhone
}

/// Why an answer does not contain a usable pass. It never includes the answer.
public enum LoyaltyFault: Error, Sendable, Hashable {
    /// The part that could not be parsed.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case selection, passAnswer, session, records, pass
    }

    case link(LinkFault)
    case malformed(Part)
    /// The answer exceeds the limit for a wallet: 4 KiB, or 16 further commands.
    case tooLong
    /// The wallet and the reader support no common version.
    case unsupportedVersion
    /// The data is in the clear although a key was agreed.
    case notEncrypted
    /// The data is compressed although the reader does not accept that.
    case compressed
    /// The session is not the reader's, or the wallet reports an error in it.
    case session(UInt8)
    /// The key does not open it: it was changed, is for another key, or its point is not on the curve.
    case notAuthentic
    /// The pass was made longer ago than the freshness allows.
    case fromPast
    /// The pass is dated further in the future than the freshness allows.
    case fromFuture
    /// This cryptogram was already used.
    case repeated
    /// The programme has no key with this identifier.
    case noKey
    /// A key, a signer, or the service with the key failed.
    case keyFailed
    /// A defect in this library.
    case `internal`
}

extension LoyaltyFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .link(let fault): "the link failed (\(fault.rawValue))"
        case .malformed(let part): "the \(part.rawValue) could not be parsed"
        case .tooLong: "more data than a wallet may send"
        case .unsupportedVersion: "a version that is not supported"
        case .notEncrypted: "data in the clear where a key was agreed"
        case .compressed: "compressed data, which were not asked for"
        case .session(let status): "the session failed (\(Hex.string([status])))"
        case .notAuthentic: "not authentic, or for another key"
        case .fromPast: "made too long ago"
        case .fromFuture: "made in the future"
        case .repeated: "the same cryptogram as before"
        case .noKey: "no key has this identifier"
        case .keyFailed: "the key could not be used"
        case .internal: "a defect"
        }
    }
}

/// The result of a request: one entry for each programme, in the request's order.
public struct LoyaltyResult: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public let programme: LoyaltyProgramme.ID
        public let outcome: PassOutcome

        public init(_ programme: LoyaltyProgramme.ID, _ outcome: PassOutcome) {
            self.programme = programme
            self.outcome = outcome
        }
    }

    public let entries: [Entry]

    public init(_ entries: [Entry]) { self.entries = entries }

    /// `nil` for a programme that was not in the request.
    public subscript(programme: LoyaltyProgramme.ID) -> PassOutcome? {
        entries.first { $0.programme == programme }?.outcome
    }

    /// Whether any programme has a pass.
    public var hasPass: Bool { entries.contains { $0.outcome.isPass } }
}
