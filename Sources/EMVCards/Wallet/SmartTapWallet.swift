// SPDX-License-Identifier: Apache-2.0
// A wallet that answers Smart Tap 2.1: it checks who asks, encrypts its passes, and answers in parts. Written from the
// facts of the protocol alone; it shares no code with the reader in EMVLoyalty, and computes with the simulator's own
// P-256, SHA-256 and AES. Its dialogue stands in SmartTapSession.swift.
internal import EMVTripleDES

/// A phone's wallet that speaks Google's Smart Tap, with several passes of several merchants.
public struct SmartTapWallet: Sendable, Hashable {
    public var passes: [Pass]
    public var merchants: [Merchant]
    /// 9300 to everything.
    public var isLocked = false
    /// The owner unlocks the phone, and chooses the first of several passes, once it has left the field.
    public var settlesBetweenTaps = false
    /// Which pass the owner has chosen, by its place in `passes`; nil has several that fit end in 9302.
    public var choice: Int?
    /// 91xx after the pass: the owner is not ready to pay.
    public var isReadyToPay = true
    /// GET DATA answers 9203 so often first.
    public var transientFailures = 0
    /// Whether its application answers SELECT with a nonce of its own; else 6985, and the directory's counts.
    public var answersSecondSelect = true
    /// Answers a GET DATA that no NEGOTIATE came before, in the clear; else 9500.
    public var answersStrangers = false
    /// Bytes of one answer; the rest is for GET MORE.
    public var partSize = 250
    /// An object of its customer stands beside the pass, and alone where there is no pass.
    public var sendsCustomer = false
    public var directory = Directory()
    /// Versions of the protocol from and to.
    public var versions: ClosedRange<UInt16> = 0x0000...0x0001
    /// Where its nonces and device keys come from: the same seed and count of sessions give the same.
    public var seed: [UInt8] = Array("wallet".utf8)
    public var flaws: Set<SmartTapFlaw> = []
    /// Refused requests in one presentment after which it answers nothing more; nil answers always.
    public var errorBudget: Int?
    /// Answers this to NEGOTIATE and GET DATA instead of what it would.
    public var refusal: StatusWord?

    /// What readers did that the protocol does not allow, in order.
    public internal(set) var complaints: [String] = []
    /// Presentments so far in which it was selected.
    public internal(set) var sessionCount: UInt64 = 0

    var session = SmartTapSession()

    /// What the answer to OSE.VAS.01 has. All but the name may be missing.
    public struct Directory: Sendable, Hashable {
        public var nonce = NoncePlace.none
        /// Of the nonce in the directory: the second SELECT may be skipped.
        public var allowsSkipping = false
        /// Version, transaction mode, priority, versions and capabilities of the entry.
        public var hasDetails = true
        public var entry = EntryPlace.proprietary

        public enum NoncePlace: Sendable, Hashable {
            case none
            /// C2.
            case short
            /// DF6E.
            case long
            /// Two nonces: the one in DF6E is the wallet's.
            case both
        }

        public enum EntryPlace: Sendable, Hashable {
            /// A5, in it BF0C.
            case proprietary
            /// Right in 6F.
            case outer
            case missing
        }

        public init() {}
    }

    /// One pass. An object of its issuer goes with it.
    public struct Pass: Sendable, Hashable {
        public var collector: UInt32
        public var kind: Kind
        public var value: [UInt8]
        public var writing = Writing.text

        /// How the value stands in the answer.
        public enum Writing: Sendable, Hashable {
            /// As a text record in no language.
            case text
            /// As a text record in a language.
            case textIn(String)
            /// Behind a byte of format: 0 unspecified, 1 ASCII, 2 UTF-8, 3 UTF-16, 4 binary, 5 BCD.
            case format(UInt8)
        }

        /// As a reader names it, and by the type of its object.
        public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
            case loyalty = 0x03
            case offer = 0x04
            case giftCard = 0x05
            case privateLabel = 0x06
            case event = 0x07
            case flight = 0x08
            case transit = 0x09
            case generic = 0x12

            var object: String {
                switch self {
                case .loyalty: "ly"
                case .offer: "of"
                case .giftCard: "gc"
                case .privateLabel: "pl"
                case .event: "et"
                case .flight: "fl"
                case .transit: "tr"
                case .generic: "gr"
                }
            }
        }

        public init(of collector: UInt32, _ value: String, kind: Kind = .loyalty) {
            self.collector = collector
            self.kind = kind
            self.value = Array(value.utf8)
        }
    }

    /// Whose signature is known.
    public struct Merchant: Sendable, Hashable {
        public var collector: UInt32
        public var keyVersion: UInt32
        /// 33 bytes.
        public var publicKey: [UInt8]

        public init(_ collector: UInt32, keyVersion: UInt32 = 1, _ key: SimulatedPassKey) {
            self.collector = collector
            self.keyVersion = keyVersion
            publicKey = key.publicKey
        }
    }

    public init(_ passes: [Pass], _ merchants: [Merchant]) {
        self.passes = passes
        self.merchants = merchants
    }

    static let applicationName: [UInt8] = [0xA0, 0x00, 0x00, 0x04, 0x76, 0xD0, 0x00, 0x01, 0x11]

    mutating func fieldOff() {
        if settlesBetweenTaps {
            if session.askedToUnlock { isLocked = false }
            if session.askedToChoose { choice = session.firstFitting }
        }
        session = SmartTapSession()
    }

    // MARK: SELECT

    mutating func selectDirectory() -> [UInt8] {
        begin()
        var objects = [DataObject(0x50, Array("AndroidPay".utf8))]
        if directory.hasDetails { objects += [DataObject(0xC0, [0x00, 0x01]), DataObject(0xC1, [0xCC])] }
        switch directory.nonce {
        case .none: break
        case .short: objects.append(DataObject(0xC2, nonce(0)))
        case .long: objects.append(DataObject(0xDF6E, nonce(0)))
        case .both: objects += [DataObject(0xC2, nonce(2)), DataObject(0xDF6E, nonce(0))]
        }
        if directory.nonce != .none { session.nonce = nonce(0) }
        switch directory.entry {
        case .proprietary: objects.append(DataObject(0xA5, [DataObject(0xBF0C, [entry])]))
        case .outer: objects.append(entry)
        case .missing: break
        }
        return DataObject(0x6F, objects).bytes + StatusWord.success.bytes
    }

    private var entry: DataObject {
        var objects = [DataObject(0x4F, Self.applicationName)]
        if directory.hasDetails {
            let skipping: UInt8 = directory.allowsSkipping ? 0x01 : 0x00
            objects.append(DataObject(0x87, [0x01]))
            objects.append(
                DataObject(
                    0x73,
                    [
                        DataObject(0xDF6D, bytes(versions.lowerBound)), DataObject(0xDF4D, bytes(versions.upperBound)),
                        DataObject(0xDF62, [0x02 | skipping]),
                    ]))
        }
        return DataObject(0x61, objects)
    }

    mutating func selectApplication() -> [UInt8] {
        begin()
        guard answersSecondSelect else { return StatusWord.conditionsNotSatisfied.bytes }
        session.isSelected = true
        session.nonce = nonce(1)
        var range = bytes(versions.lowerBound) + bytes(versions.upperBound)
        if flaws.contains(.otherVersions) { range = [0x00, 0x02, 0x00, 0x03] }
        var record = WalletRecord("mdn", [0x04] + nonce(1))
        record.identifier = record.type
        if flaws.contains(.shortNonce) { record.payload.removeLast() }
        return range + WalletRecord.message([record]) + StatusWord.success.bytes
    }

    private func bytes(_ version: UInt16) -> [UInt8] { [UInt8(version >> 8), UInt8(truncatingIfNeeded: version)] }

    private mutating func begin() {
        if session.hasBegun { return }
        sessionCount += 1
        session.hasBegun = true
    }

    private func nonce(_ number: UInt8) -> [UInt8] {
        SHA256.hash(seed + [0x6E, number] + sessionCount.bigEndianBytes)
    }

    /// The device's ephemeral key of this presentment.
    var deviceKey: P256PrivateKey { P256PrivateKey(P256.scalar(from: seed + [0x6B] + sessionCount.bigEndianBytes)) }

    /// Twelve bytes, never twice the same for one key.
    var vector: [UInt8] {
        Array(SHA256.hash(seed + [0x76] + sessionCount.bigEndianBytes + [session.cipherCount]).prefix(12))
    }
}

/// Something that no honest wallet answers.
public enum SmartTapFlaw: String, Sendable, Hashable, CaseIterable {
    /// Versions 2 to 3 alone, in the second SELECT.
    case otherVersions
    /// 31 bytes in the second SELECT.
    case shortNonce
    /// The device key is no point.
    case offCurve
    /// The device key is 33 zeros.
    case infinity
    case missingDeviceKey
    /// Two device keys.
    case duplicateDeviceKey
    case otherSession
    case otherSequence
    /// A session status of 08: send it again.
    case sessionStatus
    /// The last bit of the authentication code.
    case changedCode
    case changedCipher
    case changedVector
    /// The flag of compression, over data that is not compressed.
    case compressed
    /// Data in the clear though keys were agreed.
    case plain
    /// Fewer bytes than vector and code have.
    case shortBundle
    case missingBundle
    /// 9100 for ever, a part each time.
    case endless
    /// More bytes than any pass has.
    case huge
    /// The answer's record claims more than there is.
    case lyingLength
    /// The pass lies six messages deep.
    case nested
    /// The pass is in chunked records.
    case chunked
    /// A pass of a kind that was not asked for.
    case otherKind
    /// The value is behind a format that nobody knows.
    case unknownFormat
    /// A value of no bytes.
    case emptyValue
    /// Two passes, though one is chosen.
    case twoPasses
}
