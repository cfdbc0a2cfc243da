// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// An issuer: recomputes each cryptogram from what the authorisation message brings, and answers it.
///
/// ```swift
/// var host = IssuerHost(cards: [profile.application])
/// let request = try host.accept(IssuerMessage(ChipData(read)))
/// let answer = request?.answer()       // 8A, 91, 71, 72: for ReaderSession.complete(.response(answer))
/// ```
///
/// A value: copy it to try something.
public struct IssuerHost: Sendable {
    /// One card as its issuer knows it.
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

    /// An issuer of these cards. Of two with equal PAN and PAN Sequence Number the last counts.
    public init(cards: [CardApplication], window: CounterWindow = CounterWindow()) {
        for card in cards {
            accounts[AccountName(pan: card.pan, sequence: card.sequenceByte)] = Account(
                keys: card.cardKeys, scheme: card.issuerScheme, application: card, window: window)
        }
    }

    /// Issues a card that exists elsewhere.
    ///
    /// - Parameters:
    ///   - sequence: PAN Sequence Number, 0 to 99; nil where the card has none.
    ///   - keys: the issuer's master keys.
    /// - Returns: false where derivation and cipher don't fit, or for a PAN of other than 1 to 19 digits.
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

    /// Why the issuer refuses a message. Nothing of it is cardholder data.
    public enum Refusal: Error, Sendable, Hashable {
        case unknownAccount
        /// A data object that the cryptogram covers is absent, or has another length than it should.
        case missing(Tag)
        /// Issuer Application Data of no known version.
        case unknownVersion
        case wrongCryptogram
        /// This transaction was here before.
        case replayed
        /// The counter is too far from the highest one.
        case counterOutsideWindow(highest: UInt16)
    }

    /// Checks a chip transaction: online request, offline approval or decline.
    ///
    /// - Parameters:
    ///   - pan: digits.
    ///   - sequence: PAN Sequence Number, 0 to 99; nil where the card gave none.
    ///   - chip: the chip data of the message, as in field 55.
    public mutating func accept(pan: String, sequence: UInt8?, chip: DataObjects) throws(Refusal) -> AcceptedRequest {
        let name = AccountName(pan: pan, sequence: Self.packed(sequence))
        guard let account = accounts[name] else { throw .unknownAccount }
        guard let issuerData = chip[0x9F10] else { throw .missing(0x9F10) }
        guard let rule = CryptogramRule(issuerData: issuerData, scheme: account.scheme),
            rule.algorithm == account.keys.cryptogram.algorithm
        else { throw .unknownVersion }
        var covered = chip
        // A terminal without cash back may leave its amount out: the card was told zeros.
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

    /// Only after the cryptogram was right: a forged message spends no counter.
    private mutating func take(_ counter: UInt16, of name: AccountName) throws(Refusal) {
        guard let window = accounts[name]?.window else { throw .unknownAccount }
        switch window.judge(counter) {
        case .new: accounts[name]?.window.take(counter)
        case .seen: throw .replayed
        case .outside: throw .counterOutsideWindow(highest: window.highest ?? 0)
        }
    }

    /// Checks a mag-stripe mode transaction. Where the terminal sends none, its counter follows from the digits that
    /// the track shows of it: the only one within the window.
    ///
    /// - Parameters:
    ///   - track2: as field 35 has it: digits with the separator = or D.
    ///   - counter: 9F36, where the message has it.
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

    /// Checks whatever a message carries.
    ///
    /// - Returns: what to answer; nil for mag-stripe mode, which has no answer to the card.
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

/// What an authorisation message says of a card: field 55 and the other fields that come from it.
public struct IssuerMessage: Sendable, Hashable {
    /// Nil in mag-stripe mode, and where the card gave no cryptogram.
    public var chip: DataObjects?
    public var fields: MessageFields

    /// The message that a terminal makes of a read.
    ///
    /// - Parameter set: of field 55; without it that of the kernel.
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
    ///   - before: commands that precede the second cryptogram where there is one (71).
    ///   - after: commands that follow it (72).
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
