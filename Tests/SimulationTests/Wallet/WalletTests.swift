// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVTripleDES
import Testing

@testable import EMVCards
@testable import EMVSimulator

private func status(_ reply: CardReply) -> String {
    guard case .response(let bytes, _) = reply else { return "\(reply)" }
    return Array(bytes.suffix(2)).hex
}

private func bytes(_ reply: CardReply) -> [UInt8] {
    guard case .response(let bytes, _) = reply else { return [] }
    return bytes
}

@Suite struct VASWalletTests {
    private func phone(_ name: String) -> WalletPhone<VirtualCard> { WalletProfile.named(name)!.phone }

    private func cryptogram(_ answer: [UInt8]) -> [UInt8]? {
        guard let template = DataObject.parse(Array(answer.dropLast(2)))?.first, template.tag == 0x70 else {
            return nil
        }
        return DataObject.parse(template.value)?.first { $0.tag == 0x9F27 }?.value
    }

    private let club = PlainVASRequest(passType: WalletProfile.passType)

    @Test func answersItsDirectoryAsThePublishedPhoneDid() {
        let published = "6F1D50084170706C655061799F210201009F2404E9CAEDE39F23040000003E9000"
        var phone = phone("walletVAS")
        let answer = bytes(phone.exchange(PlainVASRequest.selection))
        // Compares everything except the nonce.
        #expect(answer.hex.prefix(38) == published.prefix(38) && answer.hex.suffix(18) == published.suffix(18))
        var lying = self.phone("walletVASNoCard")
        #expect(bytes(lying.exchange(PlainVASRequest.selection)).hex.hasSuffix("0000001E9000"))
    }

    @Test func acceptsThePublishedCommand() {
        let command = [UInt8](
            hex:
                "80CA01014B9F220201009F252003B57CDB3ECA0984BA9ABDC2FB45D86626D87B39D33C5C6DBBC313A6347A31469F2604008000"
                + "029F2B0501000000009F291168747470733A2F2F6170706C652E636F6D00")
        let key = SimulatedPassKey(name: "club")
        let wallet = VASWallet([.init("pass.com.passkit.pksamples.nfcdemo", "member", for: key)])
        var phone = WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!))
        _ = phone.exchange(PlainVASRequest.selection)
        let answer = bytes(phone.exchange(command))
        let plain = cryptogram(answer).flatMap {
            PlainVASRequest.open($0, key, "pass.com.passkit.pksamples.nfcdemo")
        }
        #expect(plain == UInt32(816_955_200).bigEndianBytes + Array("member".utf8))
        #expect(phone.wallet.complaints.isEmpty)
        guard case .vas(let after) = phone.wallet else { return }
        #expect(after.signUps == ["https://apple.com"])
    }

    @Test func severalPassesHaveTheirOwnKeys() {
        var phone = phone("walletVASSeveral")
        _ = phone.exchange(PlainVASRequest.selection)
        var first = club
        (first.isFollowed, first.mode) = (true, 0x01)
        var second = PlainVASRequest(passType: WalletProfile.secondPassType)
        second.mode = 0x01
        let one = cryptogram(bytes(phone.exchange(first.command)))!
        let two = cryptogram(bytes(phone.exchange(second.command)))!
        #expect(
            PlainVASRequest.open(one, WalletProfile.clubKey, WalletProfile.passType)?.dropFirst(4).map { $0 }
                == Array(WalletProfile.passMessage.utf8))
        #expect(PlainVASRequest.open(two, WalletProfile.coffeeKey, WalletProfile.secondPassType) != nil)
        #expect(PlainVASRequest.open(one, WalletProfile.coffeeKey, WalletProfile.passType) == nil)
        #expect(one[4..<36] != two[4..<36], "each cryptogram has a device key of its own")
        #expect(phone.wallet.complaints.isEmpty)
    }

    @Test func lockedPhoneFindsNothingUntilTheLastRequest() {
        var phone = phone("walletVASLocked")
        _ = phone.exchange(PlainVASRequest.selection)
        var followed = club
        (followed.isFollowed, followed.mode) = (true, 0x01)
        var last = club
        last.mode = 0x01
        #expect(status(phone.exchange(followed.command)) == "6A83")
        #expect(status(phone.exchange(followed.command)) == "6A83")
        #expect(status(phone.exchange(last.command)) == "6287")
        phone.reset()
        _ = phone.exchange(PlainVASRequest.selection)
        #expect(status(phone.exchange(last.command)) == "9000")
    }

    @Test func refusesWhatIsMalformedAndSaysWhy() {
        let cases: [(String, (inout [UInt8]) -> Void)] = [
            ("6B00", { $0[3] = 0x02 }), ("6B00", { $0[2] = 0x02 }), ("6700", { $0.removeLast() }),
            ("6340", { $0[8] = 0x02 }), ("6A80", { $0[11] = 0x21 }), ("6700", { $0[4] += 1 }),
        ]
        for (word, change) in cases {
            var phone = phone("walletVAS")
            _ = phone.exchange(PlainVASRequest.selection)
            var command = club.command
            change(&command)
            #expect(status(phone.exchange(command)) == word)
            #expect(phone.wallet.complaints.count == 1)
        }
        var phone = phone("walletVASEmpty")
        _ = phone.exchange(PlainVASRequest.selection)
        #expect(status(phone.exchange(club.command)) == "6A83")
        #expect(phone.wallet.complaints.isEmpty)
    }

    @Test func complainsOfReadersThatAskOutOfOrder() {
        var phone = phone("walletVAS")
        _ = phone.exchange(PlainVASRequest.selection)
        _ = phone.exchange(club.command)
        _ = phone.exchange(club.command)
        #expect(
            phone.wallet.complaints == ["a request after the last", "several requests in the mode of a pass alone"])
    }

    @Test func wordsOfItsOwnerAndItsBudget() {
        var asking = phone("walletVASAsking")
        _ = asking.exchange(PlainVASRequest.selection)
        #expect(status(asking.exchange(club.command)) == "6984")
        var dropping = phone("walletVASDrops")
        _ = dropping.exchange(PlainVASRequest.selection)
        #expect(status(dropping.exchange(club.command)) == "6287")
        #expect(dropping.exchange(club.command) == .timeout)
        dropping.reset()
        #expect(status(dropping.exchange(PlainVASRequest.selection)) == "9000")
    }

    @Test func fieldThatGoesOffAfterAFailureEndsItsPasses() {
        var wallet = VASWallet([.init(WalletProfile.passType, "x", for: WalletProfile.clubKey)])
        wallet.isLocked = true
        wallet.endsWithFieldAfterFailure = true
        var phone = WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!))
        _ = phone.exchange(PlainVASRequest.selection)
        _ = phone.exchange(club.command)
        phone.reset()
        #expect(status(phone.exchange(PlainVASRequest.selection)) == "6A82")
    }

    @Test func cardBehindItIsThere() {
        for name in WalletProfile.profiles.keys.sorted() {
            var phone = phone(name)
            _ = phone.exchange(PlainVASRequest.selection)
            let directory: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x0E] + VirtualCard.directoryName + [0x00]
            var alone = VirtualCard(WalletProfile.named(name)!.card)
            #expect(phone.exchange(directory) == alone.exchange(directory), "\(name)")
            #expect(phone.cardCommands == [directory] && phone.walletCommands.count == 1)
        }
    }

    @Test(arguments: VASFlaw.allCases) func eachFlawChangesTheAnswer(_ flaw: VASFlaw) {
        var wallet = VASWallet([.init(WalletProfile.passType, "member", for: WalletProfile.clubKey)])
        var honest = WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!))
        wallet.flaws = [flaw]
        var flawed = WalletPhone(.vas(wallet), card: VirtualCard(.named("online")!))
        // The replayed cryptogram appears at the second request.
        let commands = [PlainVASRequest.selection, club.command, club.command]
        #expect(commands.map { honest.exchange($0) } != commands.map { flawed.exchange($0) })
    }
}

@Suite struct SmartTapWalletTests {
    private struct Dialogue {
        var phone: WalletPhone<VirtualCard>
        var reader = PlainSmartTapReader()

        init(_ name: String) { phone = WalletProfile.named(name)!.phone }

        init(_ change: (inout SmartTapWallet) -> Void) {
            let key = WalletProfile.collectorKey
            var wallet = SmartTapWallet(
                [.init(of: WalletProfile.collector, "CLUB")], [.init(WalletProfile.collector, key)])
            change(&wallet)
            phone = WalletPhone(.smartTap(wallet), card: VirtualCard(.named("online")!))
        }

        /// Sends both SELECTs and NEGOTIATE; returns the status word of the latter.
        mutating func negotiate() -> String {
            _ = phone.exchange(PlainVASRequest.selection)
            guard reader.readNonce(bytes(phone.exchange(PlainSmartTapReader.selection))) else { return "no nonce" }
            let answer = phone.exchange(reader.negotiation())
            _ = reader.readKey(bytes(answer))
            return status(answer)
        }

        /// Returns the status word, the records from GET DATA, and the number of parts.
        mutating func get() -> (String, [WalletRecord]?, parts: Int) {
            var joined: [UInt8] = []
            var command = reader.request()
            for count in 1...32 {
                let answer = bytes(phone.exchange(command))
                joined += answer.dropLast(2)
                let word = Array(answer.suffix(2)).hex
                if word != "9100" { return (word, reader.open(joined), count) }
                command = [0x90, 0xC0, 0x00, 0x00, 0x00]
            }
            return ("endless", nil, 32)
        }

        /// The value of the only pass in a message.
        static func value(_ records: [WalletRecord]?) -> [UInt8]? {
            let objects = records?.first(named: "asv").flatMap { WalletRecord.parse($0.payload) }
            let inner = objects?.first(named: "ly").flatMap { WalletRecord.parse($0.payload) }
            return inner?.first(named: "n").map { Array($0.payload.dropFirst()) }
        }
    }

    @Test func readsAPassOfAMerchantWhoSigns() {
        var dialogue = Dialogue("walletSmartTap")
        #expect(dialogue.negotiate() == "9000")
        let (word, records, parts) = dialogue.get()
        #expect(word == "9000" && parts == 1)
        #expect(Dialogue.value(records) == Array(WalletProfile.passMessage.utf8))
        #expect(dialogue.phone.wallet.complaints.isEmpty)
    }

    @Test func signatureOfRFC6979IsThePublishedOne() {
        let key = SimulatedPassKey(
            privateKey: [UInt8](hex: "826D17E50767B165B0E4D9E332F8D1D1E20224284FB4DAF1E50A03246E70797D"))!
        let terminal = SimulatedPassKey(
            privateKey: [UInt8](hex: "4E686AF7BDCC5AE005A247624FD8C7283257C2514F6B3AD2FF5D4CB6D95196E6"))!
        let signed =
            (0...0x1F).map { UInt8($0) } + (0x80...0x9F).map { UInt8($0) } + [0x01, 0x33, 0xEE, 0x80]
            + terminal.publicKey
        #expect(ECDSA.sign(signed, with: key.key).hex.hasPrefix("30460221009BE95ADC4605E96D"))
    }

    @Test func refusesWhoeverDoesNotSign() {
        let changes: [(inout PlainSmartTapReader) -> Void] = [
            { $0.longTerm = SimulatedPassKey(name: "somebody") }, { $0.collector = 7 }, { $0.keyVersion = 2 },
        ]
        for change in changes {
            var dialogue = Dialogue("walletSmartTap")
            change(&dialogue.reader)
            #expect(dialogue.negotiate() == "9500")
            #expect(dialogue.get().0 == "9402" || dialogue.get().0 == "9500")
        }
        // A nonce of another presentment.
        var dialogue = Dialogue("walletSmartTap")
        _ = dialogue.negotiate()
        let stale = dialogue.reader.deviceNonce
        dialogue.phone.reset()
        _ = dialogue.phone.exchange(PlainVASRequest.selection)
        _ = dialogue.phone.exchange(PlainSmartTapReader.selection)
        dialogue.reader.deviceNonce = stale
        dialogue.reader.sequence = 1
        #expect(status(dialogue.phone.exchange(dialogue.reader.negotiation())) == "9500")
    }

    @Test func nonceStandsWhereTheDirectorySaysAndSkippingNeedsIt() {
        for place in [SmartTapWallet.Directory.NoncePlace.short, .long, .both] {
            var dialogue = Dialogue {
                $0.directory.nonce = place
                $0.directory.allowsSkipping = true
            }
            let answer = bytes(dialogue.phone.exchange(PlainVASRequest.selection))
            let objects = DataObject.parse(DataObject.parse(Array(answer.dropLast(2)))![0].value)!
            let tag: UInt32 = place == .short ? 0xC2 : 0xDF6E
            dialogue.reader.deviceNonce = objects.first { $0.tag == tag }!.value
            let negotiated = dialogue.phone.exchange(dialogue.reader.negotiation())
            #expect(status(negotiated) == "9000" && dialogue.reader.readKey(bytes(negotiated)))
            #expect(dialogue.get().0 == "9000")
        }
        var strict = Dialogue("walletSmartTap")
        _ = strict.phone.exchange(PlainVASRequest.selection)
        #expect(status(strict.phone.exchange(strict.reader.negotiation())) == "6985")
    }

    @Test func longPassComesInParts() {
        var dialogue = Dialogue("walletSmartTapParts")
        _ = dialogue.negotiate()
        let (word, records, parts) = dialogue.get()
        #expect(word == "9000" && parts == 5)
        #expect(Dialogue.value(records)?.count == 1100)
    }

    @Test func wordsOfItsOwner() {
        var locked = Dialogue("walletSmartTapLocked")
        #expect(locked.negotiate() == "9300")
        locked.phone.reset()
        #expect(locked.negotiate() == "9000")

        var choosing = Dialogue("walletSmartTapChoose")
        _ = choosing.negotiate()
        #expect(choosing.get().0 == "9302")
        choosing.phone.reset()
        choosing.reader = PlainSmartTapReader()
        _ = choosing.negotiate()
        let (word, records, _) = choosing.get()
        #expect(word == "9000" && Dialogue.value(records) == Array(WalletProfile.passMessage.utf8))

        var notReady = Dialogue("walletSmartTapNotReady")
        _ = notReady.negotiate()
        #expect(notReady.get().0 == "9101")
        var passAlone = Dialogue("walletSmartTapNotReady")
        passAlone.reader.mode = 0x01
        _ = passAlone.negotiate()
        #expect(passAlone.get().0 == "9000")

        var again = Dialogue("walletSmartTapAgain")
        _ = again.negotiate()
        #expect(again.get().0 == "9203")
        again.reader.sequence += 2
        #expect(again.get().0 == "9000")

        var empty = Dialogue("walletSmartTapEmpty")
        _ = empty.negotiate()
        let nothing = empty.get()
        #expect(nothing.0 == "9001" && nothing.1?.first(named: "asv") != nil && Dialogue.value(nothing.1) == nil)
    }

    @Test func onlyPassesOfTheKindAskedForAreGiven() {
        var dialogue = Dialogue { $0.passes.append(.init(of: WalletProfile.collector, "OFFER", kind: .offer)) }
        _ = dialogue.negotiate()
        #expect(Dialogue.value(dialogue.get().1) == Array("CLUB".utf8))
        var other = Dialogue { $0.passes = [.init(of: 5, "OF ANOTHER MERCHANT")] }
        _ = other.negotiate()
        #expect(other.get().0 == "9001")
    }

    @Test func complainsOfReadersThatAskForEverything() {
        var dialogue = Dialogue("walletSmartTap")
        dialogue.reader.kinds = [0x00]
        _ = dialogue.negotiate()
        #expect(dialogue.get().0 == "9000")
        #expect(dialogue.phone.wallet.complaints == ["asked for everything"])
    }

    @Test(arguments: SmartTapFlaw.allCases) func eachFlawChangesTheAnswer(_ flaw: SmartTapFlaw) {
        func run(_ flaws: Set<SmartTapFlaw>) -> [[UInt8]] {
            var dialogue = Dialogue { $0.flaws = flaws }
            var answers: [[UInt8]] = []
            _ = dialogue.phone.exchange(PlainVASRequest.selection)
            answers.append(bytes(dialogue.phone.exchange(PlainSmartTapReader.selection)))
            dialogue.reader.deviceNonce = Array(answers[0].dropLast(2).suffix(32))
            answers.append(bytes(dialogue.phone.exchange(dialogue.reader.negotiation())))
            dialogue.reader.sequence = 3
            var command = dialogue.reader.request()
            for _ in 0..<40 {
                answers.append(bytes(dialogue.phone.exchange(command)))
                command = [0x90, 0xC0, 0x00, 0x00, 0x00]
                if answers.last?.suffix(2) != [0x91, 0x00] { break }
            }
            return answers
        }
        #expect(run([]) != run([flaw]))
    }
}
