// SPDX-License-Identifier: Apache-2.0
#if Loyalty
import Crypto
import CryptoExtras
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@testable import EMVLoyalty

func keys(_ programmes: LoyaltyProgramme..., key: Bytes = VASVectors.privateKey) throws -> LoyaltyKeys {
    var keys = LoyaltyKeys()
    for programme in programmes { try keys.add(SecretBytes(key), for: programme) }
    return keys
}

@Suite struct PassCipherTests {
    private let club = programme("club")

    private func context(
        _ keys: LoyaltyKeys?, freshness: Freshness = .unsafeUnlimited, now: Int64 = 0
    )
        -> LoyaltyContext
    {
        LoyaltyContext(passKeys: keys, freshness: freshness, now: { now })
    }

    private func sealed(
        _ cryptogram: Bytes = VASVectors.cryptogram, _ passType: Bytes = VASVectors.passTypeHash
    )
        -> SealedPass
    {
        SealedPass(passType: passType, cryptogram: cryptogram)!
    }

    @Test func thePublishedCryptogramOpens() async throws {
        let keys = try keys(club)
        let secret = try await keys.agree(with: sealed().x, keyIdentifier: VASVectors.keyIdentifier, of: "club")
        #expect((0..<secret.count).map { secret[$0] } == VASVectors.secret)
        guard case .read(let value) = await context(keys).open(sealed(), of: "club") else {
            Issue.record("not read"); return
        }
        #expect(value.text == VASVectors.message && value.bytes == Bytes(VASVectors.message.utf8))
        #expect(value.made == VASVectors.made && value.kind == nil)
    }

    /// Each step of the derivation, checked against the paper's values, which were computed with another library.
    @Test func theKeyIsTheDerivedOne() throws {
        let key = PassCipher.key(SecretBytes(VASVectors.secret), VASVectors.passTypeHash)
        #expect(key.withUnsafeBytes { Bytes($0) } == VASVectors.key)
    }

    /// The second published cryptogram has the identifier of another key: no key is found by it, but the right key
    /// opens it.
    @Test func aBlankedIdentifierFindsNoKeyAndTheKeyOpensItAllTheSame() async throws {
        let blanked = sealed(VASVectors.blanked)
        let keys = try keys(club)
        #expect(await context(keys).open(blanked, of: "club") == .sealed(blanked))
        let secret = try await keys.agree(with: blanked.x, keyIdentifier: VASVectors.keyIdentifier, of: "club")
        let value = try PassCipher.open(blanked, secret)
        #expect(value.text == VASVectors.message && value.made == VASVectors.blankedMade)
    }

    /// Row Y11.
    @Test func withoutAKeyAPassStaysSealedForAService() async throws {
        #expect(await context(nil).open(sealed(), of: "club") == .sealed(sealed()))
        #expect(await context(LoyaltyKeys()).open(sealed(), of: "club") == .sealed(sealed()))
        #expect(await context(try keys(programme("other"))).open(sealed(), of: "club") == .sealed(sealed()))
        let other = P256.KeyAgreement.PrivateKey()
        #expect(
            await context(try keys(club, key: Bytes(other.rawRepresentation))).open(sealed(), of: "club")
                == .sealed(sealed()))
    }

    @Test func keysAreRotatedAndChosenByTheirIdentifier() async throws {
        var keys = LoyaltyKeys()
        for _ in 0..<3 {
            try keys.add(SecretBytes(P256.KeyAgreement.PrivateKey().rawRepresentation), for: club)
        }
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        #expect(await context(keys).open(sealed(), of: "club").name == .read)
        keys.remove(club)
        #expect(await context(keys).open(sealed(), of: "club").name == .sealed)
    }

    /// A change of any byte of a cryptogram, or of the pass type, prevents it from being opened.
    @Test func whatWasChangedIsNeverRead() async throws {
        let context = context(try keys(club))
        for place in VASVectors.cryptogram.indices {
            for bit: UInt8 in [0x01, 0x80] {
                var bytes = VASVectors.cryptogram
                bytes[place] ^= bit
                let outcome = await context.open(sealed(bytes), of: "club")
                #expect(outcome == (place < 4 ? .sealed(sealed(bytes)) : .unreadable(.notAuthentic)), "\(place)")
            }
        }
        for place in VASVectors.passTypeHash.indices {
            var hash = VASVectors.passTypeHash
            hash[place] ^= 1
            #expect(
                await context.open(sealed(VASVectors.cryptogram, hash), of: "club") == .unreadable(.notAuthentic))
        }
        let truncated = sealed(Bytes(VASVectors.cryptogram.dropLast()))
        #expect(await context.open(truncated, of: "club") == .unreadable(.notAuthentic))
    }

    /// Row Y12: the first two are not points of the curve; zero is a point, and opens nothing.
    @Test func aPointOffTheCurveIsNotAuthentic() async throws {
        let context = context(try keys(club))
        for x in [
            Bytes(repeating: 0xFF, count: 32), Bytes(repeating: 0, count: 31) + [1], Bytes(repeating: 0, count: 32),
        ] {
            var bytes = VASVectors.cryptogram
            bytes.replaceSubrange(4..<36, with: x)
            #expect(await context.open(sealed(bytes), of: "club") == .unreadable(.notAuthentic))
        }
    }

    /// A key service that fails or returns invalid data.
    @Test func aServiceThatFailsReadsNothing() async throws {
        struct Service: PassKeys {
            let fault: LoyaltyFault?
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes {
                if let fault { throw fault }
                return SecretBytes(Bytes(repeating: 7, count: 32))
            }
        }
        for (fault, expected) in [
            (LoyaltyFault.keyFailed, PassOutcome.unreadable(.keyFailed)), (.noKey, .sealed(sealed())),
            (nil, .unreadable(.notAuthentic)),
        ] as [(LoyaltyFault?, PassOutcome)] {
            let context = LoyaltyContext(passKeys: Service(fault: fault), freshness: .unsafeUnlimited)
            #expect(await context.open(sealed(), of: "club") == expected)
        }
    }

    // MARK: - Freshness (row Y10)

    @Test func aPassIsTakenForTenMinutesBeforeAndAfter() async throws {
        let keys = try keys(club)
        let cases: [(Int64, PassOutcomeName, LoyaltyFault?)] = [
            (0, .read, nil), (600, .read, nil), (601, .unreadable, .fromPast), (3_600, .unreadable, .fromPast),
            (-600, .read, nil), (-601, .unreadable, .fromFuture), (-3_600, .unreadable, .fromFuture),
        ]
        for (offset, name, fault) in cases {
            let context = context(keys, freshness: .standard, now: VASVectors.made + offset)
            let outcome = await context.open(sealed(), of: "club")
            #expect(outcome.name == name, "\(offset)")
            if let fault { #expect(outcome == .unreadable(fault), "\(offset)") }
        }
        for now in [Int64.min, .max] {
            #expect(await context(keys, freshness: .standard, now: now).open(sealed(), of: "club").name == .unreadable)
            #expect(await context(keys, now: now).open(sealed(), of: "club").name == .read)
        }
        let hour = context(keys, freshness: .within(.seconds(3_600)), now: VASVectors.made + 3_600)
        #expect(await hour.open(sealed(), of: "club").name == .read)
    }

    @Test func theSameCryptogramIsTakenOnce() async throws {
        let context = context(try keys(club), freshness: .standard, now: VASVectors.made)
        #expect(await context.open(sealed(), of: "club").name == .read)
        for _ in 0..<3 { #expect(await context.open(sealed(), of: "club") == .unreadable(.repeated)) }
        let free = self.context(try keys(club))
        for _ in 0..<3 { #expect(await free.open(sealed(), of: "club").name == .read) }
    }

    /// The key's identifier is not authenticated: a cryptogram with another identifier counts as the same cryptogram.
    @Test func aCryptogramWithAnotherKeyIdentifierIsTheSame() async throws {
        struct AnyKey: PassKeys {
            let keys: LoyaltyKeys
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes {
                try await keys.agree(with: x, keyIdentifier: VASVectors.keyIdentifier, of: programme)
            }
        }
        let context = LoyaltyContext(passKeys: AnyKey(keys: try keys(club)), now: { VASVectors.made })
        #expect(await context.open(sealed(), of: "club").name == .read)
        for place in 0..<4 {
            var bytes = VASVectors.cryptogram
            bytes[place] ^= 0xFF
            #expect(await context.open(sealed(bytes), of: "club") == .unreadable(.repeated))
        }
    }

    /// Every window is accepted, and no computation overflows.
    @Test func theLongestWindowRemembersAndTheLeastTakesNow() async throws {
        let longest = context(
            try keys(club), freshness: .within(.seconds(Int64.max)), now: VASVectors.made + 1_000_000)
        #expect(await longest.open(sealed(), of: "club").name == .read)
        #expect(await longest.open(sealed(), of: "club") == .unreadable(.repeated))
        for window in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
            let least = context(try keys(club), freshness: .within(window), now: VASVectors.made)
            #expect(await least.open(sealed(), of: "club").name == .read)
            let later = context(try keys(club), freshness: .within(window), now: VASVectors.made + 1)
            #expect(await later.open(sealed(), of: "club") == .unreadable(.fromPast))
        }
    }

    @Test func whatCannotBeTakenAgainIsForgotten() async {
        let seen = SeenPasses(), window = Duration.seconds(600)
        #expect(await seen.insert([1], made: 1_000, now: 1_000, window: window))
        #expect(await !seen.insert([1], made: 1_000, now: 1_600, window: window))
        // By now it is too old for every window.
        #expect(await seen.insert([2], made: 1_601, now: 1_601, window: window))
        #expect(await seen.insert([1], made: 1_000, now: 1_601, window: window))
        for number in 0..<(2 * SeenPasses.maximumCount) {
            _ = await seen.insert(
                [UInt8(number >> 8), UInt8(number & 0xFF), 9], made: 2_000, now: 2_000, window: window)
        }
        #expect(await seen.count <= SeenPasses.maximumCount)
    }
}

@Suite struct SmartTapKeyTests {
    private typealias Vectors = SmartTapVectors

    private func key() throws -> SmartTapKey {
        SmartTapKey(
            key: try P256.KeyAgreement.PrivateKey(rawRepresentation: Vectors.terminalKey),
            session: Vectors.terminal.session, nonce: Vectors.nonce)
    }

    private func bundle(
        data: Bytes = Vectors.bundle, deviceKey: Bytes = Vectors.devicePublicKey,
        signature: Bytes = Vectors.signature, kinds: Set<PassKind> = [.loyalty]
    ) -> EncryptedBundle {
        EncryptedBundle(
            data: data, deviceKey: deviceKey,
            signed: SmartTapRecords.signed(
                Vectors.terminal, deviceNonce: Vectors.deviceNonce, collector: Vectors.collector),
            signature: signature, kinds: kinds)
    }

    @Test func theVectorOpens() throws {
        let key = try key()
        #expect(key.terminal == Vectors.terminal)
        guard case .read(let value) = key.open(bundle()) else { Issue.record("not read"); return }
        #expect(value.text == "1234567890" && value.kind == .loyalty && value.made == nil)
        #expect(key.open(bundle(kinds: [.offer])) == PassOutcome.none)
    }

    /// Each step of the derivation, checked against values that another library computed.
    @Test func theKeysAreTheDerivedOnes() throws {
        let terminal = try P256.KeyAgreement.PrivateKey(rawRepresentation: Vectors.terminalKey)
        let device = try P256.KeyAgreement.PublicKey(compressedRepresentation: Vectors.devicePublicKey)
        let secret = try terminal.sharedSecretFromKeyAgreement(with: device)
        #expect(secret.withUnsafeBytes { Bytes($0) } == Vectors.secret)
        let keys = try #require(try key().keys(bundle()))
        #expect(keys.withUnsafeBytes { Bytes($0) } == Vectors.keys)
    }

    /// Both the vector's signature and ours are valid under the collector's key.
    @Test func theSignatureIsTheCollectors() async throws {
        let signed = bundle().signed
        let theirs = try P256.Signing.PrivateKey(rawRepresentation: Vectors.longTermKey).publicKey
        let published = try P256.Signing.ECDSASignature(derRepresentation: Vectors.signature)
        #expect(theirs.isValidSignature(published, for: signed))
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(Vectors.longTermKey), for: collector("points"))
        #expect(keys.signs(collector: Vectors.collector, keyVersion: 1))
        #expect(!keys.signs(collector: Vectors.collector, keyVersion: 2) && !keys.signs(collector: 1, keyVersion: 1))
        for _ in 0..<50 {
            let ours = try await keys.sign(signed, collector: Vectors.collector, keyVersion: 1)
            let parsed = try P256.Signing.ECDSASignature(derRepresentation: ours)
            #expect(theirs.isValidSignature(parsed, for: signed))
            #expect((68...72).contains(ours.count))
        }
    }

    /// The HMAC is verified first: any changed byte is detected, and nothing else is processed.
    @Test func whatWasChangedIsNeverRead() throws {
        let key = try key()
        for place in Vectors.bundle.indices {
            var data = Vectors.bundle
            data[place] ^= 1
            #expect(key.open(bundle(data: data)) == .unreadable(.notAuthentic), "\(place)")
        }
        for place in Vectors.signature.indices {
            var signature = Vectors.signature
            signature[place] ^= 1
            #expect(key.open(bundle(signature: signature)) == .unreadable(.notAuthentic))
        }
        for count in 0..<EncryptedBundle.overhead {
            #expect(key.open(bundle(data: Bytes(repeating: 0, count: count))) == .unreadable(.notAuthentic))
        }
        for x in [Bytes(repeating: 0xFF, count: 32), Bytes(repeating: 0, count: 31) + [1]] {
            #expect(key.open(bundle(deviceKey: [0x02] + x)) == .unreadable(.notAuthentic))
        }
        #expect(SmartTapKey().open(bundle()) == .unreadable(.notAuthentic))
    }

    /// Row Y10: they are made for one tap.
    @Test func everyTapHasASessionANonceAndAKeyOfItsOwn() {
        let all = (0..<100).map { _ in SmartTapKey().terminal }
        #expect(Set(all.map(\.session)).count == 100 && Set(all.map(\.nonce)).count == 100)
        #expect(Set(all.map(\.key)).count == 100)
    }
}

/// A phone with Google's wallet. It uses the library directly, and none of EMVLoyalty's cryptography: it verifies the
/// collector's signature and encrypts its answers.
struct CollectorWallet: HandMadeWallet {
    var plain = SmartTapVectors.plain
    var status: Bytes = [0x90, 0x00]
    /// The number of bytes in a part.
    var partSize = 4_096
    private let deviceNonce = Bytes((0..<32).map { _ in UInt8.random(in: 0...255) })
    private let key = P256.KeyAgreement.PrivateKey()
    private var session = Bytes(), sequence: UInt8 = 0
    private var cipherKeys: (aes: SymmetricKey, mac: SymmetricKey)?
    private var rest = Bytes()
    private(set) var isTrusted = false

    /// The replacement for the answer to one command, by position.
    private let fault: CardReply?
    private let faultPlace: Int
    private var count = 0

    init(
        plain: Bytes = SmartTapVectors.plain, status: Bytes = [0x90, 0x00], partSize: Int = 4_096,
        fault: CardReply? = nil, at faultPlace: Int = 0
    ) {
        self.plain = plain
        self.status = status
        self.partSize = partSize
        self.fault = fault
        self.faultPlace = faultPlace
    }

    mutating func answer(_ command: Bytes) -> CardReply? {
        guard let reply = right(command) else { return nil }
        defer { count += 1 }
        return count == faultPlace ? fault ?? reply : reply
    }

    private mutating func right(_ command: Bytes) -> CardReply? {
        switch (command[0], command[1]) {
        case (0x00, 0xA4) where command == WalletSelection.command: return response(SmartTapVectors.selected)
        case (0x00, 0xA4) where command == SmartTapSelection.select:
            let nonce = hex("dc0321036d646e6d646e04") + deviceNonce
            return response(hex("00000001") + nonce + [0x90, 0x00])
        case (0x90, 0x53): return response(negotiate(Bytes(command.dropFirst(5).dropLast())))
        case (0x90, 0x50): return response(data())
        case (0x90, 0xC0): return response(part())
        default: return nil
        }
    }

    private mutating func negotiate(_ data: Bytes) -> Bytes {
        guard let request = try? NDEFReader.records(data).first("ngr"),
            let records = try? NDEFReader.records(request.payload.dropFirst(2)),
            let session = records.first("ses").map({ Bytes($0.payload) }), session.count == 10,
            let parameters = records.first("cpr").map({ Bytes($0.payload) }), parameters.count > 70,
            let inner = try? NDEFReader.records(parameters.dropFirst(70)),
            let signature = inner.first("sig").map({ Bytes($0.payload.dropFirst()) }),
            let number = inner.first("cld").map({ Bytes($0.payload.dropFirst()) }),
            let collector = try? P256.Signing.PrivateKey(rawRepresentation: SmartTapVectors.longTermKey).publicKey,
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature),
            let terminal = try? P256.KeyAgreement.PublicKey(compressedRepresentation: parameters[33..<66])
        else { return [0x94, 0x02] }
        let signed = Bytes(parameters[0..<32]) + deviceNonce + number + Bytes(parameters[33..<66])
        guard parameters[32] == 1, collector.isValidSignature(parsed, for: signed) else { return [0x95, 0x00] }
        isTrusted = true
        self.session = Bytes(session.prefix(8))
        sequence = session[8] &+ 1
        let public33 = Bytes(key.publicKey.compressedRepresentation)
        guard let secret = try? key.sharedSecretFromKeyAgreement(with: terminal) else { return [0x94, 0x03] }
        let both = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: public33, sharedInfo: signed + signature, outputByteCount: 48
        ).withUnsafeBytes { Bytes($0) }
        cipherKeys = (SymmetricKey(data: both[..<16]), SymmetricKey(data: both[16...]))
        return NDEFRecord.message([
            NDEFRecord("nrs", [NDEFRecord("ses", self.session + [sequence, 1]), NDEFRecord("dpk", public33)])
        ]) + [0x90, 0x00]
    }

    private mutating func data() -> Bytes {
        guard let (aes, mac) = cipherKeys else { return [0x95, 0x00] }
        let iv = Bytes((0..<12).map { _ in UInt8.random(in: 0...255) })
        let nonce = try! AES._CTR.Nonce(nonceBytes: iv + [0, 0, 0, 0])
        let covered = iv + Bytes(try! AES._CTR.encrypt(plain, using: aes, nonce: nonce))
        let code = Bytes(HMAC<SHA256>.authenticationCode(for: covered, using: mac))
        rest = NDEFRecord.message([
            NDEFRecord(
                "srs",
                [
                    NDEFRecord("ses", session + [sequence &+ 2, 1]),
                    NDEFRecord("reb", [0x01] + covered + code),
                ])
        ])
        return part()
    }

    private mutating func part() -> Bytes {
        let part = Bytes(rest.prefix(partSize))
        rest = Bytes(rest.dropFirst(partSize))
        return part + (rest.isEmpty ? status : [0x91, 0x00])
    }
}

/// A wallet like this one whose link breaks when the second part is requested.
private struct BrokenCollectorWallet: HandMadeWallet {
    private var wallet = CollectorWallet(partSize: 30, fault: .timeout, at: 4)
    mutating func answer(_ command: Bytes) -> CardReply? { wallet.answer(command) }
}

@Suite struct SmartTapTapTests {
    private let points = collector("points")

    private func context() throws -> LoyaltyContext {
        LoyaltyContext(signer: try keys(points, key: SmartTapVectors.longTermKey))
    }

    @Test func aPassIsReadWithAndWithoutAPayment() async throws {
        let request = try LoyaltyRequest([points])
        for partSize in [4_096, 100, 16] {
            let alone = TapRecorder(Phone(CollectorWallet(partSize: partSize)))
            guard case .read(let value)? = await reader(alone).read(request, with: try context()).result?["points"]
            else { Issue.record("not read"); return }
            #expect(value.text == "1234567890")
            #expect(await !alone.commands.contains { TapRecorder.isOfPayment($0) })
            let recorder = TapRecorder(Phone(CollectorWallet(partSize: partSize)))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: request, .andPayment, with: try context())
            #expect(outcome?.name == .success && result["points"] == .read(value))
        }
    }

    /// Rows Y3 and Y4: the payment does not change; 91xx asks for the card again; a pass may replace the payment.
    @Test func whatFollowsIsWhatThePhoneAndTheRuleSay() async throws {
        let plain = TapRecorder(Phone(NoWallet()))
        let expected = await paymentTrace(await reader(plain).read(payment()), plain)
        let request = try LoyaltyRequest([points])
        for (status, holds) in [([0x90, 0x00], false), ([0x90, 0x02], false), ([0x91, 0x01], true)] as [(Bytes, Bool)] {
            for rule in LoyaltyRule.allCases {
                let recorder = TapRecorder(Phone(CollectorWallet(status: status)))
                let (outcome, result) = await reader(recorder).read(
                    payment(), loyalty: request, rule, with: try context())
                #expect(result["points"]?.name == .read)
                guard rule == .andPayment else {
                    #expect(outcome == nil)
                    #expect(await recorder.paymentCommands.isEmpty)
                    continue
                }
                #expect(await paymentTrace(try #require(outcome), recorder) == expected)
                let log = await recorder.log
                #expect(log.contains("removal") == holds)
                #expect(log.filter { $0 == "poll" }.count == (holds ? 2 : 1))
                if holds { #expect(log[5...].starts(with: ["removal", "poll"])) }
            }
        }
    }

    /// Row Y4: after 91xx without a pass, or a link that breaks after a first part, the phone is removed before it
    /// pays, whatever the rule.
    @Test(arguments: LoyaltyRule.allCases)
    func aPhoneThatIsNotReadyIsTakenAwayWithoutAPassToo(_ rule: LoyaltyRule) async throws {
        let begin = [response(SmartTapVectors.selected), response(SmartTapVectors.selectedAgain)]
        for (replies, outcome) in [
            (begin + [response([0x91, 0x01])], PassOutcomeName.none),
            (begin + [response(SmartTapVectors.negotiated(status: [0x91, 0x02])), .timeout], .unreadable),
        ] {
            // The script's session differs from the tap's: the second one ends at its answer.
            let recorder = TapRecorder(Phone(ScriptedWallet(replies)))
            let (paid, result) = await reader(recorder).read(
                payment(), loyalty: try LoyaltyRequest([points]), rule, with: try context())
            #expect(paid?.name == .success && result["points"]?.name == outcome)
            #expect(await recorder.log[4...].starts(with: ["removal", "poll"]))
        }
        // The first part arrives, the next one does not.
        let broken = TapRecorder(Phone(BrokenCollectorWallet()))
        let (paid, result) = await reader(broken).read(
            payment(), loyalty: try LoyaltyRequest([points]), rule, with: try context())
        #expect(paid?.name == .success && result["points"] == .unreadable(.link(.timeout)))
        #expect(await broken.log[6...].starts(with: ["removal", "poll"]))
    }

    /// Row Y8 for this wallet: the payment comes at once, and the next tap is payment only.
    @Test(arguments: LoyaltyRule.allCases, [1, 2, 3])
    func afterABrokenLinkThePaymentComesFirst(_ rule: LoyaltyRule, _ place: Int) async throws {
        for fault in [CardReply.timeout, .transmissionError, .protocolError, .removed] {
            let pulled = FaultyCard(VirtualCard(.named("online")!), FaultPlan(at: 1, .remove))
            let wallet = CollectorWallet(fault: fault, at: place)
            let recorder = TapRecorder(Phone(wallet, pulled))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: try LoyaltyRequest([points]), rule, with: try context())
            #expect(outcome?.name == .success && result["points"]?.name == .unreadable)
            #expect(await recorder.walletCommands.count == place + 1)
            let log = await recorder.log
            #expect(log.prefix(place + 3).allSatisfy { !$0.hasPrefix("off") })
            #expect(TapRecorder.isOfPayment(Hex.bytes(log[place + 2])!))
            #expect(log.filter { $0 == "poll" }.count == 2)
        }
    }

    @Test func aWrongKeyIsNotTrustedAndThePaymentFollows() async throws {
        let wrong = LoyaltyContext(signer: try keys(points, key: SmartTapVectors.terminalKey))
        let recorder = TapRecorder(Phone(CollectorWallet()))
        let (outcome, result) = await reader(recorder).read(
            payment(), loyalty: try LoyaltyRequest([points]), .insteadOfPayment, with: wrong)
        #expect(outcome?.name == .success)
        #expect(result["points"] == .refused(WalletStatus(rawValue: 0x9500)))
        let none = TapRecorder(Phone(CollectorWallet()))
        let (paid, nothing) = await reader(none).read(
            payment(), loyalty: try LoyaltyRequest([points]), .andPayment, with: LoyaltyContext())
        #expect(paid?.name == .success && nothing["points"] == .notAsked(.noSigner))
        #expect(await none.walletCommands.isEmpty)
    }

    /// The reader waits for a signer only as long as the dialogue may last.
    @Test func aSlowSignerGivesWayToThePayment() async throws {
        actor Slow: CollectorSigner {
            private var waiters: [CheckedContinuation<Void, Never>] = []
            var count: Int { waiters.count }
            func sign(_ bytes: Bytes, collector: UInt32, keyVersion: UInt32) async throws(LoyaltyFault) -> Bytes {
                await withCheckedContinuation { waiters.append($0) }
                return SmartTapVectors.signature
            }
            func letGo() { for waiter in waiters { waiter.resume() } }
        }
        let signer = Slow(), clock = SimulatedClock()
        let recorder = TapRecorder(Phone(CollectorWallet()))
        let reader = reader(recorder) { $0.timer = clock }
        let request = try LoyaltyRequest([points])
        async let both = reader.read(payment(), loyalty: request, .andPayment, with: LoyaltyContext(signer: signer))
        try await waitUntil("the signer to be asked") { await signer.count > 0 }
        await clock.advance(by: .milliseconds(300))
        let (outcome, result) = await both
        #expect(outcome?.name == .success && result["points"] == .notAsked(.outOfTime))
        await signer.letGo()
    }

    /// Customer data and other kinds come with a pass: they do not count as a requested pass.
    @Test func onlyThePassThatWasAskedForIsRead() async throws {
        func service(_ name: String, _ text: String) -> NDEFRecord {
            NDEFRecord(
                "asv",
                [NDEFRecord("i", [4, 1, 0, 0, 0, 1]), NDEFRecord(name, [NDEFRecord("n", [2] + Bytes(text.utf8))])])
        }
        let customer = NDEFRecord("asv", [NDEFRecord("cus", [NDEFRecord("cid", [4] + Bytes(repeating: 9, count: 16))])])
        let plain = NDEFRecord.message([customer, service("of", "an offer"), service("ly", "a member")])
        let recorder = TapRecorder(Phone(CollectorWallet(plain: plain)))
        let result = await reader(recorder).read(try LoyaltyRequest([points]), with: try context()).result
        guard case .read(let value)? = result?["points"] else { Issue.record("not read"); return }
        #expect(value.text == "a member")
    }

    /// Both wallets are requested: the one present is asked, with the commands of its protocol only.
    @Test func aTapAsksForNoMoreThanTheProtocols() async throws {
        let request = try LoyaltyRequest([programme("club"), points])
        let google = TapRecorder(Phone(CollectorWallet()))
        let (_, first) = await reader(google).read(payment(), loyalty: request, .andPayment, with: try context())
        #expect(await google.walletCommands.map { $0[1] } == [0xA4, 0xA4, 0x53, 0x50])
        #expect(first.entries.map(\.outcome.name) == [.none, .read])
        let apple = TapRecorder(Phone(PassTypeWallet.withPass))
        let (_, second) = await reader(apple).read(payment(), loyalty: request, .andPayment, with: try context())
        #expect(await apple.walletCommands.map { $0[1] } == [0xA4, 0xCA])
        #expect(second.entries.map(\.outcome.name) == [.sealed, .none])
        let plain = TapRecorder(Phone(NoWallet()))
        _ = await reader(plain).read(payment(), loyalty: request, .andPayment, with: try context())
        #expect(await plain.walletCommands.count == 1)
    }
}

@Suite struct PassTypeTapTests {
    private let club = programme("club")

    private func context(_ now: Int64 = VASVectors.made) throws -> LoyaltyContext {
        LoyaltyContext(passKeys: try keys(club), now: { now })
    }

    @Test func aPassIsReadWithAndWithoutAPayment() async throws {
        let request = try LoyaltyRequest([club])
        let context = try context()
        let alone = TapRecorder(Phone(PassTypeWallet.withPass))
        guard case .read(let value)? = await reader(alone).read(request, with: context).result?["club"] else {
            Issue.record("not read"); return
        }
        #expect(value.text == VASVectors.message)
        // The cryptogram is repeated in a payment: it is not accepted twice, and the payment follows.
        for rule in LoyaltyRule.allCases {
            let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
            let (outcome, result) = await reader(recorder).read(payment(), loyalty: request, rule, with: context)
            #expect(outcome?.name == .success && result["club"] == .unreadable(.repeated))
        }
        for rule in LoyaltyRule.allCases {
            let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
            let (outcome, result) = await reader(recorder).read(
                payment(), loyalty: request, rule, with: try self.context())
            #expect(result["club"] == .read(value) && (outcome == nil) == (rule == .insteadOfPayment))
        }
    }

    /// An old pass does not replace the payment.
    @Test func anOldPassDoesNotStopAPayment() async throws {
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let (outcome, result) = await reader(recorder).read(
            payment(), loyalty: try LoyaltyRequest([club]), .insteadOfPayment,
            with: try context(VASVectors.made + 3_600))
        #expect(outcome?.name == .success && result["club"] == .unreadable(.fromPast))
    }

    /// The key service does not answer in time: the pass was read, so it replaces the payment.
    @Test func aSealedPassCountsAsRead() async throws {
        actor Slow: PassKeys {
            private var waiters: [CheckedContinuation<Void, Never>] = []
            var count: Int { waiters.count }
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes {
                await withCheckedContinuation { waiters.append($0) }
                throw .keyFailed
            }
            func letGo() {
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
        }
        let service = Slow(), clock = SimulatedClock()
        let recorder = TapRecorder(Phone(PassTypeWallet.withPass))
        let reader = reader(recorder) { $0.timer = clock }
        let request = try LoyaltyRequest([club]), context = LoyaltyContext(passKeys: service)
        async let both = reader.read(payment(), loyalty: request, .insteadOfPayment, with: context)
        try await waitUntil("the service to be asked") { await service.count > 0 }
        await clock.advance(by: .milliseconds(300))
        try await waitUntil("the field to go off") { await recorder.log.last == "off" }
        await service.letGo()
        let (outcome, result) = await both
        #expect(outcome == nil && result["club"] == .unreadable(.keyFailed))
        #expect(await recorder.paymentCommands.isEmpty)
    }
}

/// Row Y11: a key check that names the merchant whose key is wrong.
@Suite struct KeyCheckTests {
    private let club = programme("club"), points = collector("points")

    @Test func everyMerchantsKeyIsTried() async throws {
        let request = try LoyaltyRequest([club, points])
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: points)
        let pass = try P256.KeyAgreement.PrivateKey(rawRepresentation: VASVectors.privateKey).publicKey
        let collector = try P256.Signing.PrivateKey(rawRepresentation: SmartTapVectors.longTermKey).publicKey
        let other = P256.KeyAgreement.PrivateKey().publicKey
        func check(_ first: [Bytes], _ second: [Bytes]) async -> [LoyaltyKeyError] {
            await LoyaltyContext(passKeys: keys, signer: keys).check(
                request, against: ["club": first, "points": second])
        }
        for form in [Bytes(pass.compressedRepresentation), Bytes(pass.x963Representation)] {
            #expect(await check([form], [Bytes(collector.x963Representation)]) == [])
        }
        #expect(await check([], []) == [])
        let stranger = Bytes(other.compressedRepresentation)
        #expect(
            await check([Bytes(pass.compressedRepresentation), stranger], [stranger])
                == [LoyaltyKeyError("club", .missing), LoyaltyKeyError("points", .wrong)])
        #expect(
            await check([[1, 2, 3]], [[4]])
                == [LoyaltyKeyError("club", .notAPublicKey), LoyaltyKeyError("points", .notAPublicKey)])
        #expect(
            await LoyaltyContext().check(request)
                == [LoyaltyKeyError("club", .missing), LoyaltyKeyError("points", .missing)])
    }

    /// Without a public key the check still finds out whether there is a key at all; if several keys are given, each is
    /// tried.
    @Test func aProgrammeWithoutAKeyIsNamed() async throws {
        let request = try LoyaltyRequest([club, points])
        let empty = LoyaltyContext(passKeys: LoyaltyKeys(), signer: LoyaltyKeys())
        #expect(
            await empty.check(request) == [LoyaltyKeyError("club", .missing), LoyaltyKeyError("points", .missing)])
        var keys = LoyaltyKeys()
        try keys.add(SecretBytes(SmartTapVectors.longTermKey), for: points)
        try keys.add(SecretBytes(VASVectors.privateKey), for: programme("other"))
        let context = LoyaltyContext(passKeys: keys, signer: keys)
        #expect(await context.check(request) == [LoyaltyKeyError("club", .missing)])
        let right = try P256.Signing.PrivateKey(rawRepresentation: SmartTapVectors.longTermKey).publicKey
        let stranger = P256.Signing.PrivateKey().publicKey
        let several = [Bytes(right.x963Representation), Bytes(stranger.x963Representation), [4]]
        #expect(
            await context.check(try LoyaltyRequest([points]), against: ["points": several])
                == [LoyaltyKeyError("points", .wrong), LoyaltyKeyError("points", .notAPublicKey)])
        // A service that does not report whether it has a key is assumed to have one.
        struct Silent: PassKeys {
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes { throw .noKey }
        }
        #expect(await LoyaltyContext(passKeys: Silent()).check(try LoyaltyRequest([club])) == [])
    }

    /// A service with another key under this identifier.
    @Test func aServiceWithAnotherKeyIsFound() async throws {
        struct Wrong: PassKeys, CollectorSigner {
            func agree(
                with x: Bytes, keyIdentifier: Bytes, of programme: LoyaltyProgramme.ID
            ) async throws(LoyaltyFault) -> SecretBytes { SecretBytes(Bytes(repeating: 3, count: 32)) }
            func sign(_ bytes: Bytes, collector: UInt32, keyVersion: UInt32) async throws(LoyaltyFault) -> Bytes {
                throw .keyFailed
            }
        }
        let key = Bytes(P256.KeyAgreement.PrivateKey().publicKey.compressedRepresentation)
        let errors = await LoyaltyContext(passKeys: Wrong(), signer: Wrong()).check(
            try LoyaltyRequest([club, points]), against: ["club": [key], "points": [key]])
        #expect(errors == [LoyaltyKeyError("club", .wrong), LoyaltyKeyError("points", .failed)])
    }

    @Test func whatIsNoKeyIsNamedAndNeverShown() throws {
        var keys = LoyaltyKeys()
        for bytes in [Bytes(), Bytes(repeating: 0, count: 32), Bytes(repeating: 0xFF, count: 32), [1, 2, 3]] {
            #expect(throws: LoyaltyKeyError("club", .notAKey)) { try keys.add(SecretBytes(bytes), for: club) }
            #expect(throws: LoyaltyKeyError("points", .notAKey)) { try keys.add(SecretBytes(bytes), for: points) }
        }
        #expect(throws: LoyaltyKeyError("club", .notAKey)) { try keys.add(pem: "nonsense", for: club) }
        for programme in [club, points] {
            try keys.add(pem: P256.Signing.PrivateKey().pemRepresentation, for: programme)
        }
        try keys.add(SecretBytes(VASVectors.privateKey), for: club)
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped] {
            #expect(
                text.contains("(3)") || !text.contains("61, 21") && !text.uppercased().contains("3D1547"), "\(text)")
            #expect(!text.uppercased().contains("3D1547") && !text.contains("PrivateKey"))
        }
        for reason in LoyaltyKeyError.Reason.allCases {
            #expect("\(LoyaltyKeyError("club", reason))".contains("club"))
        }
    }
}
#endif
