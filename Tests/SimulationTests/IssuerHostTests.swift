// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Every simulated card with reader, kernel, data extraction and issuer.
enum IssuerTap {
    /// A POS's data for Kernel 2: both modes, CDA, relay resistance, on-device verification.
    private static let mastercardReader: DataObjects = [
        0xDF8117: [0x60], 0xDF8118: [0x60], 0xDF8119: [0x08], 0xDF811B: [0x30], 0xDF811F: [0x08], 0xDF811E: [0x20],
        0xDF812C: [0x00], 0xDF811D: [0x02], 0xDF810D: [0x02], 0xDF8120: [0xF4, 0x50, 0x84, 0x80, 0x0C],
        0xDF8121: [0x04, 0x00, 0x00, 0x00, 0x0C], 0xDF8122: [0xF4, 0x50, 0x84, 0x80, 0x0C],
    ]

    static func configuration(ttq: Bytes = [0x36, 0x00, 0x40, 0x00]) -> Configuration {
        let limits = Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000)
        var protection = Protection()
        protection.profile = .book
        var configuration = Configuration.simulator(limits: limits, ttq: ttq, protection: protection)
        configuration.combinations.removeAll { $0.kernel.id == 2 }
        configuration.combinations.append(
            Combination(
                aid: [0xA0, 0, 0, 0, 0x04, 0x10, 0x10], kernel: 2, name: "Mastercard",
                transactionTypes: [.purchase, .cash, .cashBack, .refund], limits: limits, data: mastercardReader))
        return configuration
    }

    /// The sale as a session's transaction.
    static func transaction(_ random: RandomSource = .system) -> Transaction {
        Transaction(
            amount: 12_50, currency: 978, date: TapThroughTests.moment.date, time: TapThroughTests.moment.time,
            random: random)
    }

    /// The read, whatever its decision, or nil if the card returned no data.
    static func read(
        _ presentation: any CardPresentation, configuration: Configuration = configuration(), amount: UInt64 = 12_50,
        random: RandomSource = .system
    ) async throws -> CardRead? {
        let reader = TapReader(
            SimulatedReader(presentation), configuration: configuration, options: .init(random: random))
        let session = try await reader.prepare()
        let request = PaymentRequest(amount: Money(minorUnits: amount, currency: .eur), moment: TapThroughTests.moment)
        switch await session.read(request) {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): return read
        default: return nil
        }
    }
}

@Suite struct IssuerHostTests {
    private static let names = CardProfile.profiles.keys.sorted()

    /// Cards that never give an ordinary POS a cryptogram, or never a verifiable one, with the reason.
    private static func isUncheckable(_ profile: CardProfile) -> Bool {
        let flaws = profile.application.flaws
        return !flaws.isDisjoint(with: [.missingCryptogram, .missingIssuerData, .missingCounter])
    }

    /// The message alone convinces the issuer: its card, its keys, its transaction.
    @Test(arguments: names)
    func everyTapIsAcceptedFromItsMessageAlone(name: String) async throws {
        let profile = CardProfile.named(name)!
        guard let read = try await IssuerTap.read(VirtualCard(profile)), let message = Self.message(read) else {
            return
        }
        #expect(!Self.isUncheckable(profile))
        var host = IssuerHost(cards: profile.applications)
        do throws(IssuerHost.Refusal) {
            try host.accept(message)
        } catch {
            Issue.record("\(name): \(error)")
        }
        #expect(throws: IssuerHost.Refusal.replayed, "\(name)") { try host.accept(message) }
    }

    /// A declined card whose signature failed shows the failure in its TVR, which the card never saw: the issuer is not
    /// asked in that case.
    private static func message(_ read: CardRead) -> IssuerMessage? {
        let chip = ChipData(read)
        guard chip.mode != nil, let message = try? IssuerMessage(chip) else { return nil }
        // Book C-5, 3.7.1.6: declined without GENERATE AC, so there is no cryptogram and the issuer is not asked.
        if chip.mode == .emv, message.chip == nil { return nil }
        // Book C-6 goes online without a cryptogram if the signature that contains it failed and the card prefers that.
        if read.dataRecord[0x9F10] != nil, read.dataRecord[0x9F26] == nil { return nil }
        // Without the card's code there is nothing to verify.
        if chip.mode == .magneticStripe { return read.authorization == .onlineRequired ? message : nil }
        let failedAfterwards = message.chip?[0x95].map { $0[0] & 0x04 != 0 } ?? false
        return read.authorization == .declined && failedAfterwards ? nil : message
    }

    @Test func nearlyEveryProfileReachesItsIssuer() async throws {
        var reached = 0
        for name in Self.names {
            if let read = try await IssuerTap.read(VirtualCard(CardProfile.named(name)!)), Self.message(read) != nil {
                reached += 1
            }
        }
        #expect(reached >= 100, "\(reached) of \(Self.names.count)")
    }

    /// One card of every cryptogram version and mode.
    private static let versions = [
        "online", "fddaShortPDOL", "onlineCVN18", "onlineCVN22", "mcOnline", "mcCounters", "mcCommonKey",
        "mcCommonKeyCounters",
        "mcCommonCore", "mcCommonCoreAES", "longPAN", "mcLongPAN", "dpasOnline", "dpasOnlineResults", "upOnline",
        "k5-online",
        "amexOnline",
    ]

    /// No covered bit can be changed on the way, and no bit of the account for which the cryptogram was computed.
    @Test(arguments: versions)
    func everyFlippedBitIsRefused(name: String) async throws {
        let profile = CardProfile.named(name)!
        let read = try #require(try await IssuerTap.read(VirtualCard(profile)))
        let message = try IssuerMessage(ChipData(read))
        let host = IssuerHost(cards: profile.applications)
        let chip = try #require(message.chip)
        let pan = try #require(message.fields.accountNumber)
        let sequence = message.fields.sequenceNumber.flatMap { UInt8($0) }
        func isAccepted(_ chip: DataObjects, pan: String) -> Bool {
            var copy = host
            return (try? copy.accept(pan: pan, sequence: sequence, chip: chip)) != nil
        }
        #expect(isAccepted(chip, pan: pan))

        let rule = try #require(
            CryptogramRule(issuerData: chip[0x9F10] ?? [], scheme: profile.application.issuerScheme))
        var places = rule.coveredTags.flatMap { entry in (0..<entry.length).map { (entry.tag, $0) } }
        places +=
            (0..<8).map { (0x9F26 as EMVKit.Tag, $0) }
            + rule.issuerData.flatMap { $0.map { (0x9F10 as EMVKit.Tag, $0) } }
        if rule.sessionKey == .mastercard { #expect(places.contains { $0.0 == 0x9F37 }) }
        for (tag, byte) in places {
            for bit in 0..<8 {
                var altered = chip
                altered[tag] = altered[tag] ?? [0, 0, 0, 0, 0, 0]
                altered[tag]?[byte] ^= 1 << UInt8(bit)
                #expect(!isAccepted(altered, pan: pan), "\(name): \(tag) byte \(byte + 1) bit \(bit + 1)")
            }
        }
        for place in 0..<pan.utf8.count {
            for bit in 0..<4 {
                var digits = Array(pan.utf8)
                digits[place] ^= 1 << UInt8(bit)
                #expect(!isAccepted(chip, pan: String(decoding: digits, as: UTF8.self)))
            }
        }
    }

    /// A second card of the issuer with an equal account number but another sequence number has other keys.
    @Test func theSequenceNumberIsPartOfTheAccount() async throws {
        let profile = CardProfile.named("online")!
        let read = try #require(try await IssuerTap.read(VirtualCard(profile)))
        let message = try IssuerMessage(ChipData(read))
        var other = profile.application
        other.sequence = 2
        var host = IssuerHost(cards: [profile.application, other])
        #expect(throws: IssuerHost.Refusal.wrongCryptogram) {
            try host.accept(pan: profile.application.pan, sequence: 2, chip: message.chip!)
        }
        #expect(throws: IssuerHost.Refusal.unknownAccount) {
            try host.accept(pan: profile.application.pan, sequence: 3, chip: message.chip!)
        }
        #expect(throws: Never.self) { try host.accept(message) }
    }

    /// The unpredictable number is fixed, because a three-digit code also fits one in a thousand other numbers.
    @Test(arguments: ["mcStripe", "mcStripeTrack2", "mcStripeWide", "mcStripeShort"])
    func everyFlippedBitOfATrackIsRefused(name: String) async throws {
        let profile = CardProfile.named(name)!
        let random = RandomSource.fixed(Bytes((0..<64).map { UInt8($0 * 37 & 0xFF) }))
        let read = try #require(try await IssuerTap.read(VirtualCard(profile), random: random))
        let message = try IssuerMessage(ChipData(read))
        let track = try #require(message.fields.track2)
        let host = IssuerHost(cards: profile.applications)
        func isAccepted(_ track: String) -> Bool {
            var copy = host
            return (try? copy.accept(track2: track, counter: 0x0015)) != nil
        }
        #expect(isAccepted(track))
        for place in 0..<track.utf8.count {
            for bit in 0..<4 {
                var characters = Array(track.utf8)
                characters[place] ^= 1 << UInt8(bit)
                #expect(!isAccepted(String(decoding: characters, as: UTF8.self)), "\(place), bit \(bit)")
            }
        }
    }

    // MARK: The counter

    /// Messages of one card with these counters, in this order.
    private static func messages(_ counters: [UInt16]) async throws -> [IssuerMessage] {
        var messages: [IssuerMessage] = []
        for counter in counters {
            let card = VirtualCard(CardProfile.named("online")!, transactionCounter: counter - 1)
            let read = try #require(try await IssuerTap.read(card))
            messages.append(try IssuerMessage(ChipData(read)))
        }
        return messages
    }

    @Test func theCounterWindowTakesLateTransactionsOnce() async throws {
        let messages = try await Self.messages([100, 50, 50, 99, 39, 1101, 2102])
        var host = IssuerHost(
            cards: [CardProfile.named("online")!.application], window: CounterWindow(ahead: 1000, behind: 60))
        #expect(throws: Never.self) { try host.accept(messages[0]) }
        #expect(throws: Never.self) { try host.accept(messages[1]) }
        #expect(throws: IssuerHost.Refusal.replayed) { try host.accept(messages[2]) }
        #expect(throws: Never.self) { try host.accept(messages[3]) }
        #expect(throws: IssuerHost.Refusal.counterOutsideWindow(highest: 100)) { try host.accept(messages[4]) }
        #expect(throws: IssuerHost.Refusal.counterOutsideWindow(highest: 100)) { try host.accept(messages[5]) }
        #expect(throws: IssuerHost.Refusal.counterOutsideWindow(highest: 100)) { try host.accept(messages[6]) }
    }

    /// A forged message with a high counter doesn't lock the real card out.
    @Test func aWrongCryptogramSpendsNoCounter() async throws {
        let message = try await Self.messages([100])[0]
        var host = IssuerHost(cards: [CardProfile.named("online")!.application])
        var forged = message
        forged.chip?[0x9F36] = [0xFF, 0x00]
        #expect(throws: IssuerHost.Refusal.wrongCryptogram) { try host.accept(forged) }
        #expect(throws: Never.self) { try host.accept(message) }
    }

    @Test func whatIsMissingIsNamed() async throws {
        let message = try await Self.messages([100])[0]
        let host = IssuerHost(cards: [CardProfile.named("online")!.application])
        for tag in [0x9F26, 0x9F36, 0x9F37, 0x9F02, 0x95, 0x82, 0x9F10] as [EMVKit.Tag] {
            var host = host
            var without = message
            without.chip?[tag] = nil
            #expect(throws: IssuerHost.Refusal.missing(tag)) { try host.accept(without) }
        }
        var host2 = host
        var unknown = message
        unknown.chip?[0x9F10] = [0x06, 0x01, 0x7F, 0x03, 0xA0, 0x00, 0x00]
        #expect(throws: IssuerHost.Refusal.unknownVersion) { try host2.accept(unknown) }
    }
}

/// The issuer's answer reaches the card, and a forged answer does not.
@Suite struct IssuerScriptTests {
    private static let identifier: [UInt8] = [0x12, 0x34, 0x56, 0x78]

    /// Tap, answer, second tap: returns the script results (9F5B) for the acquirer, and the card's state afterwards.
    private static func update(
        _ name: String, change: (inout DataObjects) -> Void = { _ in }, answer: (AcceptedRequest) -> DataObjects
    ) throws -> (results: Bytes?, card: VirtualCard) {
        let profile = CardProfile.named(name)!
        var card = VirtualCard(profile)
        let configuration = try CheckedConfiguration(IssuerTap.configuration(ttq: [0x36, 0x00, 0xC0, 0x00]))
        var session = try KernelSession(configuration, IssuerTap.transaction())
        drive(&session, &card)
        #expect(session.kind == .parked)
        var host = IssuerHost(cards: profile.applications)
        let accepted = try #require(try host.accept(IssuerMessage(ChipData(session.outcome))))
        var data = answer(accepted)
        change(&data)
        session.advance(.online(data, removalTimedOut: false))
        drive(&session, &card)
        #expect(session.kind == .done)
        return (session.outcome.discretionary?[0x9F5B], card)
    }

    private static func drive(_ session: inout KernelSession, _ card: inout VirtualCard) {
        for _ in 0..<100 {
            switch session.kind {
            case .poll:
                card.reset()
                for before in [Reply.removed, .collisionCleared] where session.takes(before) { session.advance(before) }
                session.advance(.card)
            case .send: session.advance(.response(card.respond(to: session.command), elapsed: .milliseconds(8)))
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked, .done: return
            }
        }
    }

    @Test(arguments: ["issuerUpdate", "issuerUpdateCVN22"])
    func aScriptOfTheIssuerIsPerformed(name: String) throws {
        let script = IssuerScript(
            [.changePIN("1234"), .put(tag: 0x9F58, value: [0x07]), .unblockPIN, .blockApplication],
            identifier: Self.identifier)
        let (results, card) = try Self.update(name) { $0.answer(after: script) }
        #expect(results?.first == 0x20)
        #expect(results?.dropFirst() == Self.identifier[...])
        #expect(card.updates.pin == "1234")
        #expect(card.updates.pinUnblocks == 1)
        #expect(card.updates.data[0x9F58] == [0x07])
        #expect(card.updates.blockedApplications.count == 1)
    }

    @Test func aBlockedCardCannotBeSelected() throws {
        var (_, card) = try Self.update("issuerUpdate") { $0.answer(before: IssuerScript([.blockCard])) }
        card.reset()
        let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x07, 0xA0, 0, 0, 0, 0x03, 0x10, 0x10, 0x00]
        #expect(card.respond(to: select) == StatusWord.functionNotSupported.bytes)
    }

    /// A changed bit anywhere in a protected command stops the script there, and the command has no effect.
    @Test(arguments: 0..<4)
    func aForgedCommandIsNotPerformed(at place: Int) throws {
        let script = IssuerScript([.changePIN("1234")], identifier: Self.identifier)
        let (results, card) = try Self.update(
            "issuerUpdate",
            change: { data in
                guard var value = data[0x72] else { return }
                // 9F18 has 7 bytes, 86 and its length have 2; then CLA INS P1 P2 Lc, 16 bytes of PIN, 8 of MAC.
                value[[9 + 5, 9 + 20, 9 + 21, 9 + 28][place]] ^= 0x01
                data[0x72] = value
            }, answer: { $0.answer(after: script) })
        #expect(results?.first == 0x11)
        #expect(card.updates.pin == nil)
    }

    @Test func aScriptBehindAWrongAuthenticationIsNotPerformed() throws {
        let script = IssuerScript([.blockApplication], identifier: Self.identifier)
        let (_, card) = try Self.update(
            "issuerUpdate", change: { $0[0x91]?[0] ^= 0x01 }, answer: { $0.answer(after: script) })
        #expect(card.updates.blockedApplications.isEmpty)
    }

    /// A script made for one transaction has no effect in another.
    @Test func aRecordedScriptIsWorthless() throws {
        let script = IssuerScript([.put(tag: 0x9F58, value: [0x63])], identifier: Self.identifier)
        let keys = CardProfile.named("issuerUpdate")!.application.cardKeys
        let old = SecureChannelRecord.command(keys, counter: 0x0014, cryptogram: [1, 2, 3, 4, 5, 6, 7, 8])
        let (results, card) = try Self.update(
            "issuerUpdate", change: { $0[0x72] = [0x86, UInt8(old.count)] + old }, answer: { $0.answer(after: script) })
        #expect(results?.first == 0x11)
        #expect(card.updates.data.isEmpty)
    }

    // MARK: The channel itself

    /// Every format, both ends, several commands in sequence; every bit of every command matters.
    @Test(arguments: SecureMessaging.allCases)
    func bothEndsOfTheChannelAgree(messaging: SecureMessaging) throws {
        for algorithm in messaging == .commonCore ? KeyAlgorithm.allCases : [.tripleDES] {
            let make = { (byte: UInt8) in CardKey(algorithm, (0..<16).map { $0 &* 7 ^ byte })! }
            let keys = IssuerKeys(cryptogram: make(1), integrity: make(2), confidentiality: make(3))
            var issuer = SecureChannel(keys, messaging, counter: 0x0102, cryptogram: [9, 8, 7, 6, 5, 4, 3, 2])
            var card = issuer
            for (data, enciphered) in [([], false), ([1, 2, 3, 4, 5, 6], false), ([8, 7, 6, 5, 4, 3, 2, 1], true)]
                as [([UInt8], Bool)]
            {
                let bytes = issuer.protect([0xDA, 0x9F, 0x79], data: data, enciphered: enciphered)
                let length = enciphered ? messaging.pinDataLength(blockSize: 8) : data.count
                for bit in 0..<8 * bytes.count where bit / 8 != 4 {
                    var altered = bytes
                    altered[bit / 8] ^= 1 << UInt8(bit % 8)
                    guard let command = CommandAPDU(altered) else { continue }
                    var copy = card
                    #expect(copy.open(command, length: length, enciphered: enciphered) == nil, "bit \(bit)")
                }
                let command = try #require(CommandAPDU(bytes))
                #expect(card.open(command, length: length, enciphered: enciphered) == data)
            }
        }
    }

    /// The Common Core Definitions chain MACs: after an omitted command the next one fails.
    @Test func aCommandLeftOutBreaksTheChain() throws {
        let make = { (byte: UInt8) in CardKey(.aes, (0..<16).map { $0 ^ byte })! }
        let keys = IssuerKeys(cryptogram: make(1), integrity: make(2), confidentiality: make(3), derivation: .optionC)
        var issuer = SecureChannel(keys, .commonCore, counter: 1, cryptogram: [0, 1, 2, 3, 4, 5, 6, 7])
        var card = issuer
        _ = issuer.protect([0x1E, 0, 0], data: [], enciphered: false)
        let second = try #require(CommandAPDU(issuer.protect([0x18, 0, 0], data: [], enciphered: false)))
        #expect(card.open(second, length: 0, enciphered: false) == nil)
    }

    @Test func aNewPINMayBeBoundToTheCurrentOne() throws {
        let card = CardKey(tripleDES: [UInt8](hex: "154F349D8585CB7F6B0798E9839B10C1"))
        for (new, current) in [("9999", nil), ("999999999999", "8888"), ("1234", "888888888888")] as [(String, String?)]
        {
            let block = try #require(card.visaPINChange(new, current: current))
            #expect(card.visaPIN(in: block, current: current) == new)
            #expect(card.visaPIN(in: block, current: "777777") != new)
        }
    }
}

/// A command from another transaction.
private enum SecureChannelRecord {
    static func command(_ keys: IssuerKeys, counter: UInt16, cryptogram: [UInt8]) -> [UInt8] {
        var channel = SecureChannel(keys, .visa, counter: counter, cryptogram: cryptogram)
        return channel.protect([0xDA, 0x9F, 0x58], data: [0x63], enciphered: false)
    }
}
