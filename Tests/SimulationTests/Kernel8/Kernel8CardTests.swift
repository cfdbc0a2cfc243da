// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Virtual Kernel 8 cards against a terminal's side that agrees with independent dialogues (Kernel8TraceTests).
@Suite struct Kernel8CardTests {
    private static func tap(_ name: String, _ change: (inout PlainKernel8) -> Void = { _ in }) -> PlainKernel8.Talk {
        var card = VirtualCard(CardProfile.named(name)!)
        var plain = PlainKernel8()
        change(&plain)
        return plain.tap(&card)
    }

    /// Cards that end before or without a cryptogram.
    static let unfinished: Set = [
        "k8OffCurve", "k8ShortKeyData", "k8RepeatedCounter", "k8DamagedRecord", "k8Refuses", "k8RefusesCryptogram",
        "k8NoTemplate", "k8NoAIP", "k8UnevenAFL",
    ]

    /// The exact findings for each faulty card; every other card has no findings.
    static let wrong: [String: Set<Kernel8Listener.Finding>] = [
        "k8WrongEDAMAC": [.authenticationMAC], "k8WrongIADMAC": [.authenticationMAC],
        "k8NoEDAMAC": [.authenticationMAC], "k8WrongOffset": [.issuerDataMAC],
        "k8NoCryptogram": [.authenticationMAC], "k8NoIssuerData": [.issuerDataMAC],
        "k8UnknownCA": [], "k8OtherIssuer": [.issuerCertificate, .blindingFactor],
        "k8IssuerSignature": [.issuerCertificate, .blindingFactor],
        "k8CardSignature": [.cardCertificate, .blindingFactor], "k8CardHash": [.staticDataHash],
        "k8ForeignBlinding": [.blindingFactor], "k8UnsignedKey": [.blindingFactor],
        "k8NoIndex": [.authorityIndex], "k8NoIssuerCertificate": [.issuerCertificate, .blindingFactor],
        "k8NoCardCertificate": [.cardCertificate, .blindingFactor],
        "k8NoAccount": [.issuerCertificate, .blindingFactor],
    ]

    @Test(arguments: CardProfile.kernel8.map(\.name).filter { !unfinished.contains($0) })
    func theTerminalFindsWhatIsWrongAndNothingElse(name: String) throws {
        let talk = Self.tap(name) { $0.asks = 0x40 }
        #expect(talk.status == [0x90, 0x00])
        #expect(talk.exchanges.last?.command[1] == 0xAE)
        #expect(talk.findings == Self.wrong[name] ?? [])
    }

    @Test func cardsThatBreakBreakWhereTheySay() {
        #expect(Self.tap("k8OffCurve").findings.contains(.cardKeyData))
        #expect(Self.tap("k8ShortKeyData").findings.contains(.cardKeyData))
        for name in ["k8RepeatedCounter", "k8DamagedRecord", "k8NoTemplate"] {
            #expect(Self.tap(name).findings.contains(.recordFormat), "\(name)")
        }
        #expect(
            Self.tap("k8Refuses").status == [0x69, 0x85] && Self.tap("k8RefusesCryptogram").status == [0x69, 0x85])
        #expect(Self.tap("k8NoAIP").objects[0x82] == nil)
        #expect(Self.tap("k8UnevenAFL").objects[0x94].map { $0.count % 4 } == 1)
    }

    /// The issuer recomputes the cryptogram with the terminal's IAD-MAC: any change to either side's data changes that
    /// MAC.
    @Test(arguments: [
        "k8Online", "k8Version1", "k8Offline", "k8OfflineRSA", "k8Decline", "k8OffsetOfCard", "k8MACApart",
        "k8ExtendedData", "k8CardResults", "k8OnlinePIN", "k8CVMFailed", "k8Relay", "k8PlainRecords",
    ])
    func theIssuerAcceptsWhatTheTerminalMakesOfIt(name: String) throws {
        let application = try #require(CardProfile.named(name)).application
        let plain = PlainKernel8()
        let talk = Self.tap(name)
        let record = talk.record(plain)
        #expect(SimulatedIssuer(application).accepts(record))
        var host = IssuerHost(cards: [application])
        var chip = DataObjects()
        for (tag, value) in record { chip[try #require(Tag(rawValue: tag))] = value }
        let accepted = try host.accept(pan: application.pan, sequence: application.sequence, chip: chip)
        #expect(accepted.counter == 0x0015)
        for tag: UInt32 in [0x9F02, 0x95, 0x9F37, 0x82, 0x9F10] {
            var changed = record
            changed[tag] = record[tag].map { $0.dropLast() + [$0[$0.count - 1] ^ 0x01] }
            #expect(!SimulatedIssuer(application).accepts(changed), "\(tag)")
        }
    }

    @Test func theMACInPlaceIsWhatTheIssuerNeeds() throws {
        let talk = Self.tap("k8Online")
        var record = talk.record(PlainKernel8())
        #expect(record[0x9F10]?.suffix(8) == talk.listener.issuerDataMAC[...])
        record[0x9F10] = talk.objects[0x9F10]
        #expect(!SimulatedIssuer(try #require(CardProfile.named("k8Online")).application).accepts(record))
    }

    // MARK: Decisions

    @Test(
        arguments: [
            // Profile, requested type, amount, cryptogram.
            ("k8Online", 0x40, 1250, 0x80), ("k8Online", 0x80, 1250, 0x80), ("k8Online", 0x00, 1250, 0x00),
            ("k8Offline", 0x40, 1250, 0x40), ("k8Offline", 0x80, 1250, 0x80), ("k8Offline", 0x40, 100_001, 0x80),
            ("k8OfflineLimit", 0x40, 1000, 0x40), ("k8OfflineLimit", 0x40, 1001, 0x80),
            ("k8Decline", 0x40, 1250, 0x00), ("k8Regardless", 0x00, 1250, 0x40), ("k8UndefinedType", 0x80, 1250, 0xC0),
            ("k8RestartForever", 0x40, 1250, 0x00), ("k8OtherInterface", 0x80, 1250, 0x00),
        ] as [(String, UInt8, UInt64, UInt8)])
    func cryptogramFollowsFromDispositionAndRequest(
        name: String, asked: UInt8, amount: UInt64, expected: UInt8
    ) {
        let talk = Self.tap(name) {
            $0.asks = asked
            $0.amount = amount
        }
        #expect(talk.objects[0x9F27] == [expected])
    }

    @Test(
        arguments: [
            // Profile, offers of the terminal, decision, Card TVR byte 3 (nil: no Card TVR).
            ("k8Online", 0x6C, 0x00, nil), ("k8Online", 0x64, 0x02, 0x04), ("k8Online", 0x20, 0x01, nil),
            ("k8Online", 0x04, 0xFF, 0x80), ("k8OnlinePIN", 0x6C, 0x02, 0x04), ("k8Signature", 0x6C, 0x01, nil),
            ("k8Signature", 0x44, 0xFF, 0x80), ("k8CDCVM", 0x6C, 0x03, nil), ("k8CVMFailed", 0x6C, 0xFF, 0x80),
            ("k8CVMNotApplicable", 0x6C, 0x0F, nil), ("k8CVMUnknown", 0x6C, 0x42, 0x80),
        ] as [(String, UInt8, UInt8, UInt8?)])
    func theCardDecidesHowItsHolderIsVerified(name: String, offers: UInt8, decision: UInt8, results: UInt8?) {
        let talk = Self.tap(name) { $0.offers = offers }
        #expect(talk.objects[0x9F8102] == [decision])
        #expect(talk.objects[0x9F8104].map { $0[2] } == results)
    }

    @Test func aPhoneRestartsOnceAndVouchesThen() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Phone")))
        var plain = PlainKernel8()
        plain.offers = 0x64
        let first = plain.tap(&card)
        #expect(first.objects[0x9F8108] == [0x2F, 0x20] && first.objects[0x9F27] == [0x00])
        let second = plain.tap(&card)
        #expect(second.objects[0x9F8108] == nil && second.objects[0x9F8102] == [0x03])
        // The holder has to confirm each payment.
        #expect(plain.tap(&card).objects[0x9F8108] == [0x2F, 0x20])
        var once = VirtualCard(try #require(CardProfile.named("k8RestartOnce")))
        #expect(plain.tap(&once).objects[0x9F8108] == [0x2F, 0x00] && plain.tap(&once).objects[0x9F8108] == nil)
    }

    // MARK: Relay resistance

    @Test func theMACCoversTheLastAttempt() throws {
        for attempts in 1...3 {
            let talk = Self.tap("k8Relay") { $0.relayAttempts = attempts }
            #expect(talk.findings.isEmpty && talk.listener.relay.count == 14)
            #expect(talk.listener.relay[2] == UInt8(attempts - 1))
        }
        let none = Self.tap("k8Relay") { $0.relayAttempts = 0 }
        #expect(none.findings.isEmpty && none.listener.relay.isEmpty)
        var late = VirtualCard(try #require(CardProfile.named("k8RelayRetry")))
        _ = PlainKernel8().tap(&late)
        let refused = late.respond(to: [0x80, 0xEA, 0x00, 0x00, 0x04, 1, 2, 3, 4, 0x00])
        #expect(refused == [0x69, 0x85])
    }

    @Test func lateAnswersAreLateInTheirOrder() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8RelayRetry")))
        let plain = PlainKernel8()
        let aid = card.profile.application.aid
        _ = card.respond(to: [0x00, 0xA4, 0x04, 0x00, UInt8(aid.count)] + aid + [0x00])
        let template = DataObject(0x83, plain.value(0x9E, 64) + plain.value(0x9F2B, 8)).bytes
        _ = card.respond(to: [0x80, 0xA8, 0x00, 0x00, UInt8(template.count)] + template + [0x00])
        let times = (0..<3).map { _ -> Double in
            guard case .response(_, let time) = card.exchange([0x80, 0xEA, 0x00, 0x00, 0x04, 1, 2, 3, 4, 0x00]) else {
                return -1
            }
            return time
        }
        #expect(times == [40, 8, 8])
    }

    // MARK: Envelopes

    @Test func envelopesAreReadAndWritten() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Envelopes")))
        var plain = PlainKernel8()
        plain.reads = [0x11, 0x12, 0x1A]
        let written = [DataObject(0x9F8111, [9, 8, 7]), DataObject(0x9F811A, [UInt8](repeating: 3, count: 40))]
        plain.writes = written
        let talk = plain.tap(&card)
        #expect(talk.findings.isEmpty && talk.status == [0x90, 0x00])
        #expect(
            talk.envelopes == [
                DataObject(0x9F8111, [1, 2, 3, 4]).bytes, DataObject(0x9F8112, [UInt8]()).bytes,
                DataObject(0x9F811A, [UInt8](repeating: 0xA5, count: 100)).bytes,
            ])
        plain.writes = []
        plain.reads = [0x1A, 0x11]
        let again = plain.tap(&card)
        #expect(again.envelopes == [written[1].bytes, written[0].bytes] && again.findings.isEmpty)
    }

    @Test func envelopesThatAreNotThereAreRefused() {
        let unknown = Self.tap("k8Envelopes") { $0.reads = [0x13] }
        #expect(unknown.exchanges.contains { $0.command[1] == 0x32 && $0.response == [0x6A, 0x88] })
        #expect(unknown.findings.isEmpty)
        let refused = Self.tap("k8Envelopes") { $0.writes = [DataObject(0x9F8113, [1])] }
        #expect(refused.status == [0x6A, 0x88])
        #expect(Self.tap("k8EnvelopeMAC") { $0.reads = [0x11] }.findings == [.envelopeMAC])
        #expect(Self.tap("k8WriteMAC") { $0.writes = [DataObject(0x9F8111, [1])] }.findings == [.writeMAC])
    }

    // MARK: Protocol

    @Test func commandsOutOfOrderAreRefused() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Envelopes")))
        let plain = PlainKernel8()
        let talk = plain.tap(&card)
        let cryptogram = try #require(talk.exchanges.last?.command)
        let read: [UInt8] = [0x84, 0x32, 0x00, 0x00, 0x03, 0x9F, 0x81, 0x11, 0x00]
        // The transaction is over: a second cryptogram, an envelope, and writing unannounced data are refused.
        #expect(card.respond(to: cryptogram) == [0x69, 0x85] && card.respond(to: read) == [0x69, 0x85])
        #expect(card.respond(to: [0x84, 0x34, 0x00, 0x00, 0x04, 1, 2, 3, 4, 0x00]) == [0x69, 0x85])
        card.reset()
        _ = card.respond(to: talk.exchanges[0].command)
        #expect(card.respond(to: cryptogram) == [0x69, 0x85])
        _ = card.respond(to: talk.exchanges[1].command)
        let short = cryptogram[0..<4] + [cryptogram[4] - 1] + cryptogram[5...].dropLast(2) + [0x00]
        #expect(card.respond(to: Array(short)) == [0x67, 0x00])
        #expect(card.respond(to: [0x84, 0x32, 0x00, 0x01] + read.dropFirst(4)) == [0x6A, 0x86])
    }

    /// A kernel's key that is not a point opens no channel, and neither does a zero key left by another kernel.
    @Test func aKernelWithoutAKeyIsRefused() {
        for keyData in [[UInt8](repeating: 0, count: 64), [UInt8](repeating: 0x11, count: 64)] {
            let talk = Self.tap("k8Online") { $0.keyData = keyData }
            #expect(talk.status == [0x6A, 0x80] && talk.exchanges.count == 2)
        }
    }

    @Test func theQualifierSaysWhatTheCardIs() {
        #expect(Self.tap("k8Version1").objects[0x9F2C] == [0x01, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x00])
        #expect(Self.tap("k8FieldOff").objects[0x9F2C] == [0x02, 0x00, 0xFF, 0xFF, 0x80, 0x00, 0x00])
        #expect(Self.tap("k8NoSuite").objects[0x9F2C] == [0x02, 0x01, 0xFF, 0xFF, 0x00, 0x00, 0x00])
        // Local authentication, offline capability, the position of the IAD-MAC, relay resistance (Table A.1).
        for (name, profile) in [
            "k8Online": [0x00, 0x02], "k8OnlineLocal": [0x01, 0x02], "k8Offline": [0x01, 0x0A],
            "k8OffsetOfCard": [0x01, 0x0C], "k8MACApart": [0x01, 0x08], "k8Relay": [0x01, 0x0B],
        ] as [String: [UInt8]] {
            #expect(Self.tap(name).objects[0x82] == profile, "\(name)")
        }
    }

    @Test func theDirectoryNamesBothKernels() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8AndMastercard")))
        let name = Array("2PAY.SYS.DDF01".utf8)
        let answer = card.respond(to: [0x00, 0xA4, 0x04, 0x00, UInt8(name.count)] + name + [0x00])
        let control = try #require(DataObject.parse(Array(answer.dropLast(2)))?.first)
        let inner = try #require(DataObject.parse(control.value)?.last)
        let entries = try #require(DataObject.parse(inner.value)?.first).value
        let shown = (DataObject.parse(entries) ?? []).map { DataObject.parse($0.value) ?? [] }
        #expect(shown.map { $0.first { $0.tag == 0x9F2A }?.value } == [[0x08], nil])
        #expect(shown.map { $0.first { $0.tag == 0x87 }?.value } == [[0x01], [0x02]])
        // Each name selects its application; the longer one opens a channel.
        let talk = PlainKernel8().tap(&card)
        #expect(talk.findings.isEmpty && talk.objects[0x9F27] == [0x80])
        let older = PlainKernel8(aid: card.profile.applications[1].aid).tap(&card)
        #expect(older.objects[0x9F2C] == nil && older.objects[0x84] == card.profile.applications[1].aid)
    }

    // MARK: Privacy

    /// The eight-byte sequences that the card sends in records, in envelopes and in Card Key Data.
    private static func hidden(_ talk: PlainKernel8.Talk) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        for exchange in talk.exchanges where [0xB2, 0x32].contains(exchange.command[1]) {
            let body = Array(exchange.response.dropLast(2))
            for start in 4..<max(4, body.count - 7) { found.insert(Array(body[start..<start + 8])) }
        }
        let keyData = talk.objects[0x9F8103] ?? []
        for start in 0..<max(0, keyData.count - 7) { found.insert(Array(keyData[start..<start + 8])) }
        return found
    }

    @Test func tapsOfOneCardShareNothingThatIsHidden() throws {
        var card = VirtualCard(try #require(CardProfile.named("k8Envelopes")))
        var seen: Set<[UInt8]> = []
        for seed in 0..<12 {
            // The terminal repeats its key for two taps, so any difference comes from the card.
            let talk = PlainKernel8(seed: UInt8(seed / 2), reads: [0x11, 0x1A]).tap(&card)
            let hidden = Self.hidden(talk)
            #expect(hidden.count > 300 && seen.isDisjoint(with: hidden))
            seen.formUnion(hidden)
        }
    }

    /// The negative control of the test above.
    @Test(arguments: ["k8PlainRecords", "k8PlainIssuer", "k8BlindingOne", "k8BlindingRepeated"])
    func cardsThatHideLessAreLinked(name: String) throws {
        var card = VirtualCard(try #require(CardProfile.named(name)))
        let first = Self.hidden(PlainKernel8(seed: 1).tap(&card))
        let second = Self.hidden(PlainKernel8(seed: 2).tap(&card))
        #expect(!first.isDisjoint(with: second))
    }
}
