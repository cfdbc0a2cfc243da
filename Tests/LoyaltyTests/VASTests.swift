// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVLoyalty

func programme(
    _ id: String, _ passType: String = VASVectors.passType, signUp: String? = nil, only: Bool = false
)
    -> LoyaltyProgramme
{
    LoyaltyProgramme(
        id: LoyaltyProgramme.ID(id), name: id, wallet: .passType(passType),
        signUp: signUp.flatMap { SignUpURL($0) }, signUpOnly: only)
}

func collector(
    _ id: String, _ number: UInt32 = SmartTapVectors.collector, kinds: Set<PassKind> = [.loyalty]
) -> LoyaltyProgramme {
    LoyaltyProgramme(
        id: LoyaltyProgramme.ID(id), name: id, wallet: .collector(number, keyVersion: 1, kinds: kinds))
}

/// Answers a dialogue by hand; returns its commands and its findings.
func hold(
    _ dialogue: WalletDialogue, _ answers: [DialogueAnswer]
) -> (commands: [Bytes], signed: [Bytes], dialogue: WalletDialogue) {
    var dialogue = dialogue, commands: [Bytes] = [], signed: [Bytes] = [], left = answers[...]
    var step = dialogue.next(nil)
    while true {
        switch step {
        case .finished: return (commands, signed, dialogue)
        case .send(let command): commands.append(command)
        case .sign(let bytes): signed.append(bytes)
        }
        step = dialogue.next(left.popFirst() ?? .over)
    }
}

extension WalletDialogue {
    /// Outcomes, if nothing remains to be opened.
    var outcomes: [PassOutcome?] {
        findings.map { if case .outcome(let outcome) = $0 { outcome } else { nil } }
    }
}

@Suite struct VASTests {
    private let selection: DialogueAnswer = .response(VASVectors.selected)

    private func dialogue(
        _ programmes: [LoyaltyProgramme], _ purpose: LoyaltyPurpose = .andPayment
    ) throws -> WalletDialogue {
        WalletDialogue(try LoyaltyRequest(programmes), purpose, terminal: nil)
    }

    private func status(_ number: UInt16) -> DialogueAnswer {
        .response([UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    /// The published exchange, without the filter because of which some phones refuse.
    @Test func theCommandIsThePublishedOneWithoutItsFilter() throws {
        let url = "https://apple.com"
        let run = hold(
            try dialogue([programme("club", signUp: url)], .passOnly),
            [selection, .response(VASVectors.answer(VASVectors.cryptogram))])
        #expect(
            run.commands == [
                hex("00A404000A4F53452E5641532E303100"),
                hex("80CA010143 9f22020100 9f2520") + VASVectors.passTypeHash + hex("9f260400800002 9f2911")
                    + Bytes(url.utf8) + [0x00],
            ])
        let sealed = SealedPass(passType: VASVectors.passTypeHash, cryptogram: VASVectors.cryptogram)
        #expect(run.dialogue.outcomes == [.sealed(try #require(sealed))])
        #expect(sealed?.keyIdentifier == VASVectors.keyIdentifier)
    }

    /// The second hash is that of ID TECH's guide.
    @Test func aPassTypeIsNamedByItsHash() {
        #expect(Digest.sha256(VASVectors.passType.utf8) == VASVectors.passTypeHash)
        #expect(
            Digest.sha256("pass.com.apple.wallet.vas.prodtest".utf8)
                == hex("3cc70ed89a9d4354be9830ab58d89c6fe7e62baca939d2a6851dfc602ea798f7"))
    }

    @Test func everyStatusWordHasItsOutcome() throws {
        let table: [(UInt16, PassOutcome, PassOutcome)] = [
            (0x6A83, .none, .signUpOffered), (0x6287, .locked, .locked), (0x6984, .chooseOnDevice, .chooseOnDevice),
        ]
        let refused: [UInt16] = [0x6340, 0x6A80, 0x6B00, 0x6700, 0x6D00, 0x9001, 0x0000, 0xFFFF]
        for (number, plain, offering) in table
            + refused.map({
                ($0, .refused(WalletStatus(rawValue: $0)), .refused(WalletStatus(rawValue: $0)))
            })
        {
            let one = hold(try dialogue([programme("a")]), [selection, status(number)])
            #expect(one.dialogue.outcomes == [plain], "\(number)")
            let other = hold(try dialogue([programme("a", signUp: "https://a.example")]), [selection, status(number)])
            #expect(other.dialogue.outcomes == [offering], "\(number)")
        }
    }

    /// Row Y6: a URL alone never leads to a read.
    @Test func aURLAloneIsOfferedAndNeverRead() throws {
        let only = try dialogue([programme("a", signUp: "https://a.example", only: true)])
        let run = hold(only, [selection, .response(VASVectors.answer(VASVectors.cryptogram))])
        #expect(run.dialogue.outcomes == [.signUpOffered])
        #expect(run.commands.last?.prefix(4) == [0x80, 0xCA, 0x01, 0x00])
        #expect(hold(only, [selection, status(0x6A83)]).dialogue.outcomes == [PassOutcome.none])
    }

    @Test func aSignUpURLHas64CharactersAtMost() throws {
        let start = "https://a.example/"
        let longest = start + String(repeating: "x", count: 64 - start.count)
        #expect(SignUpURL(longest)?.description == longest)
        for text in [
            longest + "x", "http://a.example", "https://", "https:///x", "https://?x", "HTTPS://a.example",
            "https://a.example/ü", "https://a b", "https://a\n", "",
        ] {
            #expect(SignUpURL(text) == nil, "\(text)")
        }
        let run = hold(try dialogue([programme("a", signUp: longest)]), [selection])
        #expect(run.commands[1].count == 5 + 5 + 35 + 7 + (3 + 64) + 1)
    }

    @Test func lengthsAbove127TakeTwoBytes() {
        #expect(VASCommand.object([0x9F, 0x29], Bytes(repeating: 1, count: 127)).prefix(3) == [0x9F, 0x29, 0x7F])
        #expect(
            VASCommand.object([0x9F, 0x29], Bytes(repeating: 1, count: 128)).prefix(4) == [0x9F, 0x29, 0x81, 0x80])
        #expect(VASCommand.object([0x9F, 0x29], Bytes(repeating: 1, count: 255)).count == 4 + 255)
    }

    /// Row Y5: the capabilities of every command.
    @Test func passTypesAreAskedForInOrderAndMoreAreAnnounced() throws {
        for purpose in [LoyaltyPurpose.andPayment, .insteadOfPayment, .passOnly] {
            for count in 1...6 {
                let all = (0..<count).map { programme("p\($0)", "pass.example.p\($0)") }
                let run = hold(
                    try dialogue(all, purpose), [selection] + all.map { _ in status(0x6A83) })
                let asked = purpose == .passOnly ? 1 : count
                #expect(run.commands.count == 1 + asked)
                for (index, command) in run.commands.dropFirst().enumerated() {
                    let hash = Digest.sha256("pass.example.p\(index)".utf8)
                    #expect(Bytes(command[13..<45]) == hash)
                    let mode: UInt8 = purpose == .andPayment ? 1 : purpose == .passOnly ? 2 : 0
                    #expect(Bytes(command[48..<52]) == [0, 0x80, 0, mode | (index < asked - 1 ? 0x80 : 0)])
                }
                for (index, outcome) in run.dialogue.outcomes.enumerated() {
                    #expect(outcome == (index < asked ? PassOutcome.none : .notAsked(.oneAlone)))
                }
            }
        }
    }

    @Test func noProgrammeAsksForNothingAndSevenAreRefused() throws {
        #expect(hold(try dialogue([]), []).commands == [])
        #expect(hold(try dialogue([programme("a")], .paymentOnly), []).commands == [])
        let seven = (0..<7).map { programme("p\($0)") }
        #expect(throws: LoyaltyRequestError(.tooManyProgrammes(7))) { try LoyaltyRequest(seven) }
        #expect(try LoyaltyRequest(Array(seven.dropLast())).programmes.count == 6)
    }

    /// The answer of an idle phone to a request for three passes (kormax/apple-vas).
    @Test func aLockedPhoneIsToldByItsLastAnswer() throws {
        let all = (0..<3).map { programme("p\($0)", signUp: $0 == 1 ? "https://a.example" : nil) }
        let run = hold(try dialogue(all), [selection, status(0x6A83), status(0x6A83), status(0x6287)])
        #expect(run.dialogue.outcomes == [.locked, .locked, .locked])
        let other = hold(try dialogue(all), [selection, status(0x6287), status(0x6A83), status(0x6A83)])
        #expect(other.dialogue.outcomes == [.locked, .signUpOffered, PassOutcome.none])
        // A phone that returned a pass is not locked, and a phone that was not asked for all passes has not reported
        // it.
        let sealed = VASVectors.answer(VASVectors.cryptogram)
        let some = hold(try dialogue(all), [selection, .response(sealed), status(0x6A83), status(0x6287)])
        #expect(some.dialogue.outcomes.map { $0?.name } == [.sealed, .signUpOffered, .locked])
        let late = hold(try dialogue(all), [selection, status(0x6A83), status(0x6287), .over])
        #expect(late.dialogue.outcomes == [PassOutcome.none, .locked, .notAsked(.outOfTime)])
        // Only "not found" may mean that it is locked; an accepted URL was accepted.
        let urls = [programme("p0", signUp: "https://a.example", only: true), programme("p1"), programme("p2")]
        let taken = hold(try dialogue(urls), [selection, status(0x9000), status(0x6A83), status(0x6287)])
        #expect(taken.dialogue.outcomes == [.signUpOffered, .locked, .locked])
    }

    /// Row Y12.
    @Test(arguments: [
        ("", "no status word"), ("90", "one byte"), ("9000", "no template"), ("9f2700 9000", "70 missing"),
        ("7000 9000", "empty template"), ("50029f2a 9000", "another template"), ("7003 9f2a00 9000", "no cryptogram"),
        ("7003 9f2700 9000", "empty cryptogram"), ("70049f2700 9000", "a length that lies"),
        ("7080 9f2700 9000", "indefinite length"),
    ])
    func anAnswerThatIsNoneIsMalformed(_ bytes: String, _ what: String) throws {
        let run = hold(try dialogue([programme("a")]), [selection, .response(hex(bytes))])
        #expect(run.dialogue.outcomes == [.unreadable(.malformed(.passAnswer))], "\(what)")
    }

    @Test func cryptogramsOf56To120BytesAreTakenAndRepeatedTagsAreNot() throws {
        for count in [0, 4, 55, 56, 120, 121, 300] {
            let bytes = Bytes(repeating: 7, count: count)
            guard count < 256 else { continue }
            let run = hold(try dialogue([programme("a")]), [selection, .response(VASVectors.answer(bytes))])
            #expect(run.dialogue.outcomes[0]?.name == ((56...120).contains(count) ? .sealed : .unreadable), "\(count)")
        }
        let one = VASCommand.object([0x9F, 0x27], VASVectors.cryptogram)
        let twice = VASCommand.object([0x70], one + one) + [0x90, 0x00]
        let run = hold(try dialogue([programme("a")]), [selection, .response(twice)])
        #expect(run.dialogue.outcomes == [.unreadable(.malformed(.passAnswer))])
    }

    @Test(arguments: LinkFault.allCases)
    func aBrokenLinkEndsTheDialogue(_ fault: LinkFault) throws {
        let all = (0..<3).map { programme("p\($0)") }
        let first = hold(try dialogue(all), [.fault(fault)])
        #expect(first.dialogue.outcomes == all.map { _ in .unreadable(.link(fault)) } && first.dialogue.isLinkBroken)
        let later = hold(try dialogue(all), [selection, status(0x6A83), .fault(fault)])
        #expect(
            later.dialogue.outcomes
                == [PassOutcome.none, .unreadable(.link(fault)), .notAsked(.linkBroken)])
        #expect(later.dialogue.isLinkBroken && later.commands.count == 3)
    }

    @Test func whatIsOverTimeWasNotAsked() throws {
        let all = (0..<3).map { programme("p\($0)") }
        #expect(hold(try dialogue(all), [.over]).dialogue.outcomes == all.map { _ in .notAsked(.outOfTime) })
        let later = hold(try dialogue(all), [selection, status(0x6A83), .over])
        #expect(later.dialogue.outcomes == [PassOutcome.none, .notAsked(.outOfTime), .notAsked(.outOfTime)])
        #expect(!later.dialogue.isLinkBroken)
    }
}

@Suite struct WalletSelectionTests {
    private func outcome(_ bytes: Bytes, _ programmes: [LoyaltyProgramme]? = nil) throws -> [PassOutcome?] {
        let request = try LoyaltyRequest(programmes ?? [programme("a"), collector("g")])
        return hold(
            WalletDialogue(request, .andPayment, terminal: SmartTapVectors.terminal), [.response(bytes)]
        ).dialogue.outcomes
    }

    @Test func anythingButTheTwoWalletsIsNone() throws {
        for text in [
            "6A82", "6999", "6F00", "6F07500553616d73679000", "6F00 9000", "6F09 5007 4170706c655061 9000", "0000",
        ] {
            #expect(try outcome(hex(text)) == [PassOutcome.none, PassOutcome.none], "\(text)")
        }
    }

    @Test func whatCannotBeParsedIsSaid() throws {
        for text in [
            "9000", "6F 9000", "6F80 9000", "6F05500441 9000", "500141 9000",
            "6F145008 4170706c65506179 5008 4170706c65506179 9000", "6F11500A416e64726f6964506179A5036101 9000", "90",
        ] {
            let malformed = PassOutcome.unreadable(.malformed(.selection))
            #expect(try outcome(hex(text)) == [malformed, malformed], "\(text)")
        }
    }

    @Test func anotherVersionOfVASIsRefused() throws {
        let other = hex("6f0f 5008 4170706c65506179 9f21020200 9000")
        #expect(try outcome(other).first == .unreadable(.unsupportedVersion))
        #expect(try outcome(hex("6f0a 5008 4170706c65506179 9000")).first == .unreadable(.unsupportedVersion))
    }

    /// Neither wallet has a pass of the other's programmes.
    @Test func theOtherWalletsProgrammesAreNone() throws {
        let request = try LoyaltyRequest([programme("a"), collector("g"), collector("h")])
        let apple = hold(
            WalletDialogue(request, .andPayment, terminal: SmartTapVectors.terminal),
            [.response(VASVectors.selected), .response([0x6A, 0x83])])
        #expect(apple.dialogue.outcomes == [PassOutcome.none, PassOutcome.none, .notAsked(.anotherCollector)])
        #expect(apple.commands.count == 2)
        let google = hold(
            WalletDialogue(request, .andPayment, terminal: SmartTapVectors.terminal),
            [.response(SmartTapVectors.selected), .response([0x93, 0x02]), .signature(nil)])
        #expect(google.dialogue.outcomes[0] == PassOutcome.none)
    }

    /// Without cryptography a collector alone sends no command.
    @Test(arguments: [NotAsked.noCryptography, .noSigner])
    func withoutCryptographySmartTapIsNotAskedForAndTheReasonIsNamed(_ reason: NotAsked) throws {
        let request = try LoyaltyRequest([collector("g")])
        let run = hold(WalletDialogue(request, .andPayment, terminal: nil, without: reason), [])
        #expect(run.commands == [] && run.dialogue.outcomes == [.notAsked(reason)])
        let both = hold(
            WalletDialogue(
                try LoyaltyRequest([collector("g"), programme("a")]), .andPayment, terminal: nil, without: reason),
            [.response(SmartTapVectors.selected)])
        #expect(both.commands.count == 1 && both.dialogue.outcomes == [.notAsked(reason), PassOutcome.none])
    }
}

@Suite struct LoyaltyRequestTests {
    @Test func aRequestSaysWhatIsWrongWithWhichProgramme() {
        let cases: [([LoyaltyProgramme], LoyaltyRequestError)] = [
            ([programme("a"), programme("a")], .init(.repeatedID, "a")),
            ([programme("")], .init(.emptyID)),
            ([programme("a", "club")], .init(.passType, "a")), ([programme("a", "pass.")], .init(.passType, "a")),
            ([programme("a", "pass.ü")], .init(.passType, "a")),
            ([programme("a", "pass." + String(repeating: "x", count: 251))], .init(.passType, "a")),
            ([collector("g", 0)], .init(.collector, "g")), ([collector("g", kinds: [])], .init(.noKinds, "g")),
            ([programme("a", only: true)], .init(.signUpWithoutURL, "a")),
        ]
        for (programmes, error) in cases {
            #expect(throws: error) { try LoyaltyRequest(programmes) }
            #expect(!error.description.isEmpty)
        }
        var wrong = collector("g")
        wrong.signUp = SignUpURL("https://a.example")
        #expect(throws: LoyaltyRequestError(.signUpOfCollector, "g")) { try LoyaltyRequest([wrong]) }
        for timeout in [Duration.milliseconds(9), .seconds(11), .zero] {
            #expect(throws: LoyaltyRequestError(.timeout)) { try LoyaltyRequest([], timeout: timeout) }
        }
        #expect((try? LoyaltyRequest([programme("a", "pass." + String(repeating: "x", count: 250))])) != nil)
    }

    @Test func theDialogueMayTake300MillisecondsBeforeAPaymentAnd2SecondsAlone() throws {
        let request = try LoyaltyRequest([])
        #expect(request.limit(.andPayment) == .milliseconds(300) && request.limit(.passOnly) == .seconds(2))
        #expect(try LoyaltyRequest([], timeout: .milliseconds(50)).limit(.passOnly) == .milliseconds(50))
    }
}
