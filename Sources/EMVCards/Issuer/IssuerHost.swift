// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// An issuer: recomputes each cryptogram from the authorisation message and answers it.
///
/// ```swift
/// var host = IssuerHost(cards: [profile.application])
/// let request = try host.accept(IssuerMessage(ChipData(read)))
/// let answer = request?.answer()       // 8A, 91, 71, 72: for ReaderSession.complete(.response(answer))
/// ```
///
/// A value: copy it to try something.
public struct IssuerHost: Sendable {
    /// The issuer's data of one card.
    struct Account: Sendable {
        let keys: IssuerKeys
        let scheme: IssuerScheme
        /// For mag-stripe mode.
        let application: CardApplication?
        var window: CounterWindow
    }

    private struct AccountName: Sendable, Hashable {
        let pan: String
        let sequence: UInt8
    }

    private var accounts: [AccountName: Account] = [:]

    public init() {}

    /// An issuer of these cards. If two cards have the same PAN and PAN Sequence Number, the last one is used.
    public init(cards: [CardApplication], window: CounterWindow = CounterWindow()) {
        for card in cards {
            accounts[AccountName(pan: card.pan, sequence: card.sequenceByte)] = Account(
                keys: card.cardKeys, scheme: card.issuerScheme, application: card, window: window)
        }
    }

    /// Adds a card that exists elsewhere.
    ///
    /// - Parameters:
    ///   - sequence: PAN Sequence Number, 0 to 99; nil if the card has no sequence number.
    ///   - keys: the issuer's master keys.
    /// - Returns: false if derivation and cipher do not match, or if the PAN does not have 1 to 19 digits.
    @discardableResult
    public mutating func issue(
        pan: String, sequence: UInt8?, scheme: IssuerScheme, keys: IssuerKeys, window: CounterWindow = CounterWindow()
    ) -> Bool {
        guard let own = keys.card(pan: pan, sequence: Self.packed(sequence)) else { return false }
        accounts[AccountName(pan: pan, sequence: Self.packed(sequence))] = Account(
            keys: own, scheme: scheme, application: nil, window: window)
        return true
    }

    private static func packed(_ sequence: UInt8?) -> UInt8 { sequence.map { ($0 / 10) << 4 | $0 % 10 } ?? 0 }

    /// Why the issuer refuses a message. It contains no cardholder data.
    public enum Refusal: Error, Sendable, Hashable {
        case unknownAccount
        /// A data object that the cryptogram covers is absent or has the wrong length.
        case missing(Tag)
        /// The version in Issuer Application Data is unknown.
        case unknownVersion
        case wrongCryptogram
        /// This transaction was already received.
        case replayed
        /// The counter is too far from the highest one.
        case counterOutsideWindow(highest: UInt16)
    }

    /// Checks a chip transaction: online request, offline approval or decline.
    ///
    /// - Parameters:
    ///   - pan: digits.
    ///   - sequence: PAN Sequence Number, 0 to 99; nil if the card returned no sequence number.
    ///   - chip: the chip data of the message, as in field 55.
    public mutating func accept(pan: String, sequence: UInt8?, chip: DataObjects) throws(Refusal) -> AcceptedRequest {
        let name = AccountName(pan: pan, sequence: Self.packed(sequence))
        guard let account = accounts[name] else { throw .unknownAccount }
        guard let issuerData = chip[0x9F10] else { throw .missing(0x9F10) }
        guard let rule = CryptogramRule(issuerData: issuerData, scheme: account.scheme),
            rule.algorithm == account.keys.cryptogram.algorithm
        else { throw .unknownVersion }
        var covered = chip
        // A terminal without cash back may leave its amount out of the message: it sent zeros to the card.
        if chip[0x9F03] == nil { covered[0x9F03] = [0, 0, 0, 0, 0, 0] }
        for (tag, length) in rule.coveredTags + [(0x9F26, 8), (0x9F37, 4), (0x9F36, 2)] {
            guard covered[tag]?.count == length else { throw .missing(tag) }
        }
        guard let cryptogram = chip[0x9F26], let number = chip[0x9F37], let counterBytes = chip[0x9F36],
            let message = rule.message({ covered[$0] })
        else { throw .missing(0x9F10) }

        let counter = UInt16(counterBytes[0]) << 8 | UInt16(counterBytes[1])
        let key = rule.key(account.keys.cryptogram, counter: counter, number: number)
        guard rule.cryptogram(key, message: message) == cryptogram else { throw .wrongCryptogram }
        try take(counter, of: name)
        return AcceptedRequest(
            counter: counter, cryptogram: cryptogram, rule: rule, sessionKey: key, keys: account.keys)
    }

    /// Called only after the cryptogram was verified, so that a forged message does not use up a counter.
    private mutating func take(_ counter: UInt16, of name: AccountName) throws(Refusal) {
        guard let window = accounts[name]?.window else { throw .unknownAccount }
        switch window.judge(counter) {
        case .new: accounts[name]?.window.take(counter)
        case .seen: throw .replayed
        case .outside: throw .counterOutsideWindow(highest: window.highest ?? 0)
        }
    }

    /// Checks a mag-stripe mode transaction. If the message has no counter, the counter is the only one in the window
    /// that matches the digits in the track.
    ///
    /// - Parameters:
    ///   - track2: as in field 35: digits with the separator = or D.
    ///   - counter: 9F36, if the message contains it.
    public mutating func accept(track2: String, counter: UInt16? = nil) throws(Refusal) {
        let digits = track2.utf8.map { $0 == 0x3D || $0 == 0x44 ? 0xD : $0 &- 0x30 }
        guard digits.allSatisfy({ $0 < 0xE }) else { throw .wrongCryptogram }
        let pan = String(track2.prefix { $0 != "=" && $0 != "D" })
        let known = accounts.first { $0.key.pan == pan && $0.value.application?.scheme.behaviour.trackVerifier != nil }
        guard let known, let application = known.value.application,
            let verifier = application.scheme.behaviour.trackVerifier
        else { throw .unknownAccount }
        let track = [UInt8](nibbles: digits)
        let window = known.value.window
        let counters = counter.map { [$0] } ?? verifier.counters(track).filter { window.judge($0) != .outside }
        guard let found = counters.first(where: { verifier.accepts(track, $0, application) }) else {
            throw .wrongCryptogram
        }
        try take(found, of: known.key)
    }

    /// Checks a message, of a chip or a mag-stripe mode transaction.
    ///
    /// - Returns: the request to answer; nil for mag-stripe mode, in which the card gets no answer.
    @discardableResult
    public mutating func accept(_ message: IssuerMessage) throws(Refusal) -> AcceptedRequest? {
        if let chip = message.chip {
            guard let pan = message.fields.accountNumber else { throw .unknownAccount }
            let sequence = message.fields.sequenceNumber.flatMap { UInt8($0) }
            return try accept(pan: pan, sequence: sequence, chip: chip)
        }
        guard let track = message.fields.track2 else { throw .unknownAccount }
        try accept(track2: track)
        return nil
    }
}

/// The card's data in an authorisation message: field 55 and the other fields that depend on the card.
public struct IssuerMessage: Sendable, Hashable {
    /// Nil in mag-stripe mode, and if the card returned no cryptogram.
    public var chip: DataObjects?
    public var fields: MessageFields

    /// The message that a terminal sends for a read.
    ///
    /// - Parameter set: of field 55; if nil, the kernel's set.
    public init(_ data: ChipData, set: IssuerDataSet? = nil) throws(IssuerDataSetError) {
        fields = data.messageFields()
        guard data.mode == .emv, data.cryptogram != nil else { return }
        var objects = DataObjects()
        for object in TLVReader(try data.dataSet(set).bytes) { objects[object.tag] = Bytes(object.value) }
        chip = objects
    }
}

/// A transaction whose cryptogram was right.
public struct AcceptedRequest: Sendable, Hashable {
    /// Application Transaction Counter.
    public let counter: UInt16
    public let cryptogram: [UInt8]
    public let rule: CryptogramRule
    let sessionKey: CardKey
    let keys: IssuerKeys

    /// The issuer's answer: Authorisation Response Code (8A), Issuer Authentication Data (91) and scripts (71, 72).
    ///
    /// - Parameters:
    ///   - code: two characters; "00" approves.
    ///   - before: commands to perform before the second cryptogram, if there is one (71).
    ///   - after: commands to perform after it (72).
    ///   - more: Proprietary Authentication Data of response method 2, up to 8 bytes.
    public func answer(
        code: String = "00", before: IssuerScript? = nil, after: IssuerScript? = nil, more: [UInt8] = []
    ) -> DataObjects {
        var answer = DataObjects()
        answer[0x8A] = Array(code.utf8.prefix(2))
        answer[0x91] = authenticationData(code: code, more: more)
        var channel = SecureChannel(keys, rule.messaging, counter: counter, cryptogram: cryptogram)
        answer[0x71] = before?.value(&channel)
        answer[0x72] = after?.value(&channel)
        return answer
    }

    func authenticationData(code: String, more: [UInt8] = []) -> [UInt8] {
        let key = rule.answersWithCardKey ? keys.cryptogram : sessionKey
        switch rule.response {
        case .first:
            let approval: [UInt8] = [0x00, code == "00" ? 0x10 : 0x00]
            let bytes = rule.hasBinaryCode ? approval : Array(code.utf8.prefix(2))
            return ResponseMethod.first(key, cryptogram, code: bytes) + bytes
        case .second:
            // Card Status Update (Book 3, C10).
            let update: [UInt8] = [more.isEmpty ? 0x00 : 0x80, code == "00" ? 0x80 : 0x00, 0x00, 0x00]
            return ResponseMethod.second(key, cryptogram, update: update, more: more) + update + more
        }
    }
}
