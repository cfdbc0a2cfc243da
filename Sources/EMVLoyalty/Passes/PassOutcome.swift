// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// What came of one programme in a tap.
public enum PassOutcome: Sendable, Hashable {
    case read(PassValue)
    /// A pass was read that no key here opens: for a service that has the key. It counts as read.
    case sealed(SealedPass)
    /// The phone has no such pass, or there is no wallet that is known.
    case none
    /// The phone, or the pass, is to be unlocked first.
    case locked
    /// The owner has something to choose or to confirm on the phone, and may present it again for the pass.
    case chooseOnDevice
    /// There was no such pass, and the phone was given the sign-up URL.
    case signUpOffered
    case refused(WalletStatus)
    /// The wallet answered, and no pass came of it.
    case unreadable(LoyaltyFault)
    /// Why not.
    case notAsked(NotAsked)
}

/// The word for an outcome in files and logs.
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

    /// A pass came: read, or sealed.
    public var isPass: Bool {
        switch self {
        case .read, .sealed: true
        case .none, .locked, .chooseOnDevice, .signUpOffered, .refused, .unreadable, .notAsked: false
        }
    }
}

/// The status word of a wallet. Of Smart Tap's the first byte decides, and an unknown second byte is allowed.
public struct WalletStatus: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Four hex digits.
    public var description: String { Hex.string([UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)]) }
}

/// Why a programme was not asked for.
public enum NotAsked: String, Sendable, Hashable, CaseIterable {
    /// The trait Loyalty is off: nothing here can sign and decrypt for Smart Tap.
    case noCryptography
    /// Nobody signs for this collector.
    case noSigner
    /// The dialogue was over its time, or the tap was cancelled.
    case outOfTime
    /// The link to the phone had broken.
    case linkBroken
    /// A dialogue belongs to one collector, and the first one has it.
    case anotherCollector
    /// Without a payment a wallet gives one pass: the first one was asked for.
    case oneAlone
    /// No phone was presented.
    case noPhone
}

/// Why an answer is no pass. Never says what the answer was.
public enum LoyaltyFault: Error, Sendable, Hashable {
    /// What could not be parsed.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case selection, passAnswer, session, records, pass
    }

    case link(LinkFault)
    case malformed(Part)
    /// More than a wallet may answer: 4 KiB, or 16 further commands.
    case tooLong
    /// Neither side knows the other's version.
    case unsupportedVersion
    /// Data in the clear, where a key was agreed.
    case notEncrypted
    /// Data that were compressed although the reader does not take that.
    case compressed
    /// The session is not ours, or the wallet says what is wrong with it.
    case session(UInt8)
    /// The key does not open it: changed, for another key, or no point of the curve.
    case notAuthentic
    /// Made longer ago than the freshness allows.
    case fromPast
    /// Made later than now, by more than the freshness allows.
    case fromFuture
    /// The same cryptogram came before.
    case repeated
    /// No key of the programme has this identifier.
    case noKey
    /// A key, a signer or the service behind it failed.
    case keyFailed
    /// A defect here.
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

/// What came of a request: one entry for each programme, in its order.
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

    /// A pass came, of any programme.
    public var hasPass: Bool { entries.contains { $0.outcome.isPass } }
}
