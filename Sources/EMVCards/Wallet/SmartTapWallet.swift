// SPDX-License-Identifier: Apache-2.0
// A wallet that answers Smart Tap 2.1: it authenticates the reader, encrypts its passes, and answers in parts. It was
// written from the facts of the protocol alone: it shares no code with the reader in EMVLoyalty, and computes with the
// simulator's own P-256, SHA-256 and AES. SmartTapSession.swift implements the dialogue.
internal import EMVTripleDES

/// A phone's wallet for Google's Smart Tap, with several passes of several merchants.
public struct SmartTapWallet: Sendable, Hashable {
    public var passes: [Pass]
    public var merchants: [Merchant]
    /// NEGOTIATE and GET DATA are answered with 9300.
    public var isLocked = false
    /// After the phone has left the field, its owner unlocks it and chooses the first of several passes, if either was
    /// requested.
    public var settlesBetweenTaps = false
    /// Index in `passes` of the pass that the owner has chosen. If nil and several passes match, the answer is 9302.
    public var choice: Int?
    /// If false, a request that also asks for payment is answered with 9101 after the pass: the owner is not ready to
    /// pay.
    public var isReadyToPay = true
    /// Number of GET DATA commands that are first answered with 9203.
    public var transientFailures = 0
    /// Whether the application's SELECT is answered with a separate nonce. If not, the answer is 6985, and the
    /// directory's nonce is used.
    public var answersSecondSelect = true
    /// If true, GET DATA without a preceding NEGOTIATE is answered unencrypted, else with 9500.
    public var answersStrangers = false
    /// Bytes per answer; the rest is sent in response to GET MORE.
    public var partSize = 250
    /// Sends an object of its customer in addition to the pass, or alone if there is no pass.
    public var sendsCustomer = false
    public var directory = Directory()
    /// Lowest and highest supported version of the protocol.
    public var versions: ClosedRange<UInt16> = 0x0000...0x0001
    /// Seed of nonces and device keys: equal seeds and session counts give equal values.
    public var seed: [UInt8] = Array("wallet".utf8)
    public var flaws: Set<SmartTapFlaw> = []
    /// Number of refused requests in one presentment after which it stops answering; nil for no limit.
    public var errorBudget: Int?
    /// Status word that replaces every answer to NEGOTIATE and GET DATA.
    public var refusal: StatusWord?

    /// The readers' violations of the protocol, in order.
    public internal(set) var complaints: [String] = []
    /// Number of presentments so far in which it was selected.
    public internal(set) var sessionCount: UInt64 = 0

    var session = SmartTapSession()

    /// The content of the answer to OSE.VAS.01. Everything except the name may be missing.
    public struct Directory: Sendable, Hashable {
        public var nonce = NoncePlace.none
        /// Whether the directory's nonce may be used without the second SELECT.
        public var allowsSkipping = false
        /// Includes version, transaction mode, priority, versions and capabilities of the entry.
        public var hasDetails = true
        public var entry = EntryPlace.proprietary

        public enum NoncePlace: Sendable, Hashable {
            case none
            /// C2.
            case short
            /// DF6E.
            case long
            /// Two nonces; the one in DF6E is valid.
            case both
        }

        public enum EntryPlace: Sendable, Hashable {
            /// In BF0C inside A5.
            case proprietary
            /// Directly in 6F.
            case outer
            case missing
        }

        public init() {}
    }

    /// One pass. The answer also contains an object of its issuer.
    public struct Pass: Sendable, Hashable {
        public var collector: UInt32
        public var kind: Kind
        public var value: [UInt8]
        public var writing = Writing.text

        /// How the value is coded in the answer.
        public enum Writing: Sendable, Hashable {
            /// As a text record without language.
            case text
            /// As a text record with a language.
            case textIn(String)
            /// After a format byte: 0 unspecified, 1 ASCII, 2 UTF-8, 3 UTF-16, 4 binary, 5 BCD.
            case format(UInt8)
        }

        /// The type in a reader's request; `object` is the type of the pass's record.
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

    /// A merchant whose signature the wallet can verify.
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

    /// The device's ephemeral key in this presentment.
    var deviceKey: P256PrivateKey { P256PrivateKey(P256.scalar(from: seed + [0x6B] + sessionCount.bigEndianBytes)) }

    /// Twelve bytes, never repeated for a key.
    var vector: [UInt8] {
        Array(SHA256.hash(seed + [0x76] + sessionCount.bigEndianBytes + [session.cipherCount]).prefix(12))
    }
}

/// Behaviour that no honest wallet shows.
public enum SmartTapFlaw: String, Sendable, Hashable, CaseIterable {
    /// The second SELECT reports only versions 2 to 3.
    case otherVersions
    /// The second SELECT returns a nonce of 31 bytes.
    case shortNonce
    /// The device key is not on the curve.
    case offCurve
    /// The device key is 33 zeros.
    case infinity
    case missingDeviceKey
    /// Two device keys.
    case duplicateDeviceKey
    case otherSession
    case otherSequence
    /// A session status of 08: the reader should send its request again.
    case sessionStatus
    /// The last bit of the authentication code is wrong.
    case changedCode
    case changedCipher
    case changedVector
    /// The compression flag is set, although the data are not compressed.
    case compressed
    /// Data are sent unencrypted although keys were agreed.
    case plain
    /// Fewer bytes than initialisation vector and authentication code.
    case shortBundle
    case missingBundle
    /// Endless parts with status 9100.
    case endless
    /// More bytes than in any pass.
    case huge
    /// The answer's record claims more bytes than it has.
    case lyingLength
    /// The pass is nested six messages deep.
    case nested
    /// The pass is in chunked records.
    case chunked
    /// A pass of a kind that was not requested.
    case otherKind
    /// The value has an unknown format.
    case unknownFormat
    /// A value of no bytes.
    case emptyValue
    /// Two passes, although one is chosen.
    case twoPasses
}
