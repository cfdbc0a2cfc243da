// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Testing

@testable import EMVLoyalty

@Suite struct SmartTapTests {
    private typealias Vectors = SmartTapVectors

    private func dialogue(
        _ purpose: LoyaltyPurpose = .andPayment, kinds: Set<PassKind> = [.loyalty]
    ) throws -> WalletDialogue {
        WalletDialogue(
            try LoyaltyRequest([collector("points", kinds: kinds)]), purpose, terminal: Vectors.terminal)
    }

    private let begin: [DialogueAnswer] = [
        .response(Vectors.selected), .response(Vectors.selectedAgain), .signature(Vectors.signature),
    ]

    private func outcome(_ answers: [DialogueAnswer]) throws -> PassOutcome? {
        hold(try dialogue(), answers).dialogue.outcomes[0]
    }

    private func status(_ number: UInt16) -> Bytes { [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)] }

    // MARK: - Commands

    @Test func theDialogueIsThatOfGooglesSample() throws {
        let run = hold(
            try dialogue(),
            begin + [.response(Vectors.negotiated()), .response(Vectors.data() + [0x90, 0x00])])
        #expect(run.commands.count == 4)
        #expect(run.commands[1] == hex("00A4040009A000000476D000011100"))
        #expect(
            run.signed == [
                Vectors.nonce + Vectors.deviceNonce + hex("0133ee80") + Vectors.terminalPublicKey
            ])
        let signature = hex("94 03 49 736967 04") + Vectors.signature + hex("54 03 05 636c64 04 0133ee80")
        let parameters =
            hex("54 03 a0 637072") + Vectors.nonce + [0x01] + Vectors.terminalPublicKey + hex("00000001") + signature
        let negotiate = hex("d4 03 b8 6e6772 0001 94 03 0a 736573 0102030405060708 01 01") + parameters
        #expect(run.commands[2] == hex("90530000") + [UInt8(negotiate.count)] + negotiate + [0x00])
        #expect(
            run.commands[3]
                == hex(
                    """
                    90500000 41 d4033b737271 0001 94030a736573 0102030405060708 03 01
                    14030b6d6572 d40305636c64 040133ee80
                    140307736c72 d40301737472 03 540305706372 01 00 00 00 04 00
                    """))
        guard case .bundle(let bundle) = run.dialogue.findings[0] else { Issue.record("no bundle"); return }
        #expect(bundle.data == Vectors.bundle && bundle.deviceKey == Vectors.devicePublicKey)
        #expect(bundle.signed == run.signed[0] && bundle.signature == Vectors.signature)
        #expect(!run.dialogue.holdsPayment)
    }

    /// The collector's kinds are requested individually, and never as "all" (0, 1, 2).
    @Test func onlyTheKindsOfTheRequestAreAskedFor() throws {
        let expected: [PassKind: UInt8] = [
            .loyalty: 3, .offer: 4, .giftCard: 5, .privateLabel: 6, .event: 7, .flight: 8, .transit: 9, .generic: 0x12,
        ]
        for kinds in PassKind.allCases.map({ Set([$0]) }) + [Set(PassKind.allCases), [.offer, .loyalty]] {
            for purpose in [LoyaltyPurpose.andPayment, .insteadOfPayment, .passOnly] {
                let run = hold(try dialogue(purpose, kinds: kinds), begin + [.response(Vectors.negotiated())])
                let request = try NDEFReader.records(Bytes(run.commands[3].dropFirst(5).dropLast()))
                let records = try NDEFReader.records(request[0].payload.dropFirst(2))
                let services = try NDEFReader.records(try #require(records.first("slr")).payload)
                #expect(services.map(\.payload) == PassKind.allCases.filter(kinds.contains).map { [expected[$0]!] })
                let mode: [LoyaltyPurpose: UInt8] = [.andPayment: 4, .insteadOfPayment: 8, .passOnly: 1]
                #expect(records.first("pcr")?.payload == [1, 0, 0, 0, mode[purpose]!])
            }
        }
    }

    /// The phone's number plus one, whatever the number.
    @Test func theSequenceGoesOnFromThePhones() throws {
        for number: UInt8 in [0, 1, 2, 254, 255] {
            let run = hold(try dialogue(), begin + [.response(Vectors.negotiated(number))])
            #expect(run.commands[3][27] == number &+ 1)
        }
    }

    // MARK: - Nonces and versions

    @Test func theNonceOfTheSecondSelectGoesBeforeTheOthers() throws {
        func signed(_ selected: Bytes, _ again: Bytes) throws -> Bytes? {
            let run = hold(try dialogue(), [.response(selected), .response(again)])
            return run.signed.first.map { Bytes($0[32..<64]) }
        }
        let fciNonce = hex("56d2ec8f857f0049aa54f1ca1de2791b5693a7014e6e4565d5644b1c2a305136")
        #expect(try signed(Vectors.selected, Vectors.selectedAgain) == Vectors.deviceNonce)
        #expect(try signed(Vectors.selected, [0x6A, 0x82]) == fciNonce)
        let other = Bytes(repeating: 0x44, count: 32)
        let entry = VASCommand.object([0xDF, 0x6E], other)
        let inEntry = selection(
            entry: hex("4f09a000000476d0000111") + VASCommand.object([0x73], entry), nonce: fciNonce)
        #expect(try signed(inEntry, [0x6A, 0x82]) == other)
        #expect(try signed(inEntry, Vectors.selectedAgain) == Vectors.deviceNonce)
        #expect(try signed(selection(entry: nil, nonce: nil), Vectors.selectedAgain) == Vectors.deviceNonce)
        #expect(
            try outcome([.response(selection(entry: nil, nonce: nil)), .response([0x6A, 0x82])])
                == .refused(WalletStatus(rawValue: 0x6A82)))
    }

    private func selection(entry: Bytes?, nonce: Bytes?) -> Bytes {
        var fci = hex("500a416e64726f6964506179")
        if let nonce { fci += VASCommand.object([0xC2], nonce) }
        if let entry {
            fci += VASCommand.object([0xA5], VASCommand.object([0xBF, 0x0C], VASCommand.object([0x61], entry)))
        }
        return VASCommand.object([0x6F], fci) + [0x90, 0x00]
    }

    @Test func aPhoneWithoutTheApplicationHasNoPassAndAnotherVersionIsRefused() throws {
        let other = selection(entry: hex("4f07a0000000031010"), nonce: nil)
        #expect(try outcome([.response(other)]) == PassOutcome.none)
        let name = hex("4f09a000000476d0000111")
        let newer = selection(entry: name + hex("730adf6d020002df4d020003"), nonce: nil)
        #expect(try outcome([.response(newer)]) == .unreadable(.unsupportedVersion))
        for (lowest, highest, isTaken) in [(0, 0, false), (0, 1, true), (1, 1, true), (1, 9, true), (2, 3, false)] {
            var again = Vectors.selectedAgain
            again[1] = UInt8(lowest)
            again[3] = UInt8(highest)
            let found = try outcome([begin[0], .response(again)])
            #expect(found == (isTaken ? .notAsked(.outOfTime) : .unreadable(.unsupportedVersion)))
        }
        for bytes in ["9000", "0000 9000", "00000001 9000", "00000001 d4030221 9000"] {
            let found = try outcome([begin[0], .response(hex(bytes))])
            #expect(found == .unreadable(.malformed(.selection)) || found == .unreadable(.malformed(.records)))
        }
    }

    // MARK: - Status words

    /// The first byte decides, even if the second one is unknown.
    @Test func everyStatusWordHasItsOutcome() throws {
        let negotiated: [DialogueAnswer] = begin + [.response(Vectors.negotiated())]
        for low in UInt16(0)...0xFF {
            let refused: [UInt16] = [0x6A00, 0x6F00, 0x9400, 0x9500, 0x9600, 0x0000, 0xFF00, 0x8F00]
            for high in refused {
                let word = WalletStatus(rawValue: high | low)
                #expect(try outcome(begin + [.response(status(word.rawValue))]) == .refused(word))
                #expect(try outcome(negotiated + [.response(status(word.rawValue))]) == .refused(word))
            }
            for answers in [begin, negotiated] {
                #expect(
                    try outcome(answers + [.response(status(0x9300 | low))]) == (low == 0 ? .locked : .chooseOnDevice))
            }
            let done = hold(try dialogue(), negotiated + [.response(Vectors.data() + status(0x9000 | low))])
            #expect(done.dialogue.outcomes == (low == 1 ? [PassOutcome.none] : [nil]), "\(low)")
            #expect(!done.dialogue.holdsPayment)
            guard low != 0 else { continue }
            let held = hold(try dialogue(), negotiated + [.response(Vectors.data() + status(0x9100 | low))])
            #expect(held.dialogue.outcomes == [nil] && held.dialogue.holdsPayment)
        }
        #expect(try outcome(negotiated + [.response(Vectors.data() + [0x90, 0x01])]) == PassOutcome.none)
        // A signature made in advance authorises it.
        let early = hold(try dialogue(), begin + [.response(Vectors.negotiated(status: [0x90, 0x02]))])
        #expect(early.commands.count == 4)
    }

    /// A phone that is not ready may add nothing else: then there is no pass, and no payment at once.
    @Test(arguments: [UInt16(0x9101), 0x9102, 0x91FF])
    func aPhoneThatIsNotReadyMayHaveNoBody(_ word: UInt16) throws {
        let negotiated = begin + [.response(Vectors.negotiated())]
        for answers in [begin, negotiated] {
            let run = hold(try dialogue(), answers + [.response(status(word))])
            #expect(run.dialogue.outcomes == [PassOutcome.none] && run.dialogue.holdsPayment)
            #expect(run.commands.count == (answers.count == begin.count ? 3 : 4))
        }
        // After a first part an invalid one follows.
        let parts = hold(
            try dialogue(), negotiated + [.response([0x01, 0x91, 0x00]), .response(status(word))])
        #expect(parts.dialogue.outcomes == [.unreadable(.malformed(.records))] && parts.dialogue.holdsPayment)
    }

    @Test func whatMayPassIsTriedOnceMoreWithAHigherNumber() throws {
        let passing = DialogueAnswer.response(status(0x9201))
        let atNegotiate = hold(try dialogue(), begin + [passing, .response(Vectors.negotiated(4)), passing])
        #expect(atNegotiate.commands.map { $0[1] } == [0xA4, 0xA4, 0x53, 0x53, 0x50])
        #expect(atNegotiate.commands[2][27] == 1 && atNegotiate.commands[3][27] == 3)
        #expect(atNegotiate.dialogue.outcomes == [.refused(WalletStatus(rawValue: 0x9201))])
        let atData = hold(
            try dialogue(),
            begin + [.response(Vectors.negotiated()), passing, .response(Vectors.data() + [0x90, 0x00])])
        #expect(atData.commands.map { $0[1] } == [0xA4, 0xA4, 0x53, 0x50, 0x50])
        #expect(atData.commands[3][27] == 3 && atData.commands[4][27] == 5)
        #expect(atData.dialogue.outcomes == [nil])
    }

    // MARK: - Parts and limits

    @Test func partsAreJoinedBeforeTheyAreParsed() throws {
        let whole = Vectors.data()
        for size in [1, 7, 64, whole.count - 1, whole.count] {
            var parts = stride(from: 0, to: whole.count, by: size).map {
                Bytes(whole[$0..<min($0 + size, whole.count)]) + [0x91, 0x00]
            }
            guard parts.count <= SmartTapDialogue.maximumParts + 1 else { continue }
            parts[parts.count - 1].replaceSubrange(
                parts[parts.count - 1].count - 2..<parts[parts.count - 1].count, with: [0x90, 0x00])
            let run = hold(
                try dialogue(), begin + [.response(Vectors.negotiated())] + parts.map { .response($0) })
            guard case .bundle(let bundle) = run.dialogue.findings[0] else { Issue.record("\(size)"); continue }
            #expect(bundle.data == Vectors.bundle)
            #expect(run.commands.dropFirst(4).allSatisfy { $0 == hex("90C0000000") })
        }
    }

    /// Row Y7: sixteen further commands, four kilobytes.
    @Test func endlessPartsAndLongOnesEnd() throws {
        let endless = hold(
            try dialogue(),
            begin + [.response(Vectors.negotiated())] + (0..<99).map { _ in .response([0x91, 0x00]) })
        #expect(endless.commands.count == 4 + SmartTapDialogue.maximumParts)
        #expect(endless.dialogue.outcomes == [.unreadable(.tooLong)] && endless.dialogue.holdsPayment)
        for (size, isTaken) in [(4096, true), (4097, false)] {
            let body = Bytes(repeating: 0, count: size)
            let found = try outcome(begin + [.response(Vectors.negotiated()), .response(body + [0x90, 0x00])])
            #expect(found == .unreadable(isTaken ? .malformed(.records) : .tooLong))
        }
        let halves = DialogueAnswer.response(Bytes(repeating: 0, count: 2049) + [0x91, 0x00])
        #expect(
            try outcome(begin + [.response(Vectors.negotiated()), halves, halves]) == .unreadable(.tooLong))
    }

    /// Row Y12.
    @Test func answersThatAreNoneAreSaid() throws {
        let negotiated: [DialogueAnswer] = begin + [.response(Vectors.negotiated())]
        func data(_ records: [NDEFRecord]) -> DialogueAnswer {
            .response(NDEFRecord.message([NDEFRecord("srs", records)]) + [0x90, 0x00])
        }
        let bundle = NDEFRecord("reb", [0x01] + Vectors.bundle), session = Vectors.session(4)
        let payload = Bytes(session.payload), stranger = NDEFRecord("ses", [payload[0] ^ 1] + payload.dropFirst())
        let cases: [([DialogueAnswer], LoyaltyFault)] = [
            ([data([session, NDEFRecord("reb", [0x03] + Vectors.bundle)])], .compressed),
            ([data([session, NDEFRecord("reb", [0x02] + Vectors.bundle)])], .compressed),
            ([data([session, NDEFRecord("reb", [0x00] + Vectors.plain)])], .notEncrypted),
            ([data([session, NDEFRecord("reb", [])])], .malformed(.records)),
            ([data([session, NDEFRecord("reb", [0x01] + Bytes(repeating: 0, count: 43))])], .malformed(.records)),
            ([data([bundle])], .malformed(.session)), ([data([stranger, bundle])], .malformed(.session)),
            ([data([Vectors.session(4, status: 0x05), bundle])], .session(0x05)),
            (
                [.response(NDEFRecord.message([NDEFRecord("nrs", [session, bundle])]) + [0x90, 0x00])],
                .malformed(.records)
            ),
            ([.response([0x90, 0x00])], .malformed(.records)), ([.response([0x90])], .malformed(.records)),
            // Records repeated although a message has one of each.
            ([data([session, bundle, bundle])], .malformed(.records)),
            ([data([session, session, bundle])], .malformed(.records)),
            (
                [
                    .response(
                        NDEFRecord.message([NDEFRecord("srs", [session, bundle]), NDEFRecord("srs", [session])])
                            + [0x90, 0x00])
                ], .malformed(.records)
            ),
        ]
        for (answers, fault) in cases {
            #expect(try outcome(negotiated + answers) == .unreadable(fault), "\(fault)")
        }
        #expect(try outcome(negotiated + [data([session])]) == PassOutcome.none)
        for key in ["", "04" + String(repeating: "00", count: 32), "00", "02"] {
            let answer = NDEFRecord.message([
                NDEFRecord("nrs", [Vectors.session(2), NDEFRecord("dpk", hex(key))])
            ])
            #expect(
                try outcome(begin + [.response(answer + [0x90, 0x00])]) == .unreadable(.malformed(.session)))
        }
    }

    @Test func aSignatureThatIsNoneEndsTheDialogue() throws {
        for signature: Bytes? in [nil, [], Bytes(repeating: 0, count: 7), Bytes(repeating: 0, count: 81)] {
            #expect(try outcome(Array(begin.prefix(2)) + [.signature(signature)]) == .unreadable(.keyFailed))
        }
        for count in 70...72 {
            let run = hold(
                try dialogue(), Array(begin.prefix(2)) + [.signature(Bytes(repeating: 0, count: count))])
            #expect(run.commands.count == 3)
        }
    }

    @Test(arguments: LinkFault.allCases)
    func aBrokenLinkEndsTheDialogue(_ fault: LinkFault) throws {
        let all: [DialogueAnswer] = begin + [.response(Vectors.negotiated()), .response([0x91, 0x00])]
        for count in 0...all.count where count != 2 {
            let run = hold(try dialogue(), Array(all.prefix(count)) + [.fault(fault)])
            #expect(run.dialogue.outcomes == [.unreadable(.link(fault))] && run.dialogue.isLinkBroken)
        }
    }
}

@Suite struct PassBundleTests {
    private func value(_ records: [NDEFRecord], _ kinds: Set<PassKind> = [.loyalty]) throws -> PassValue? {
        try PassBundle.value(NDEFRecord.message(records), kinds: kinds)
    }

    private func service(_ name: String, _ records: [NDEFRecord]) -> NDEFRecord {
        NDEFRecord("asv", [NDEFRecord("i", [0x04, 1, 0, 0, 0, 1]), NDEFRecord(name, records)])
    }

    @Test func theVectorsPassIsRead() throws {
        let value = try PassBundle.value(SmartTapVectors.plain, kinds: [.loyalty])
        #expect(value?.text == "1234567890" && value?.bytes == Bytes("1234567890".utf8) && value?.kind == .loyalty)
        #expect(try PassBundle.value(SmartTapVectors.plain, kinds: [.offer]) == nil)
    }

    @Test func everyFormatOfAValueIsRead() throws {
        func text(_ format: UInt8, _ bytes: Bytes) throws -> String? {
            try value([service("ly", [NDEFRecord("oid", [4, 1]), NDEFRecord("n", [format] + bytes)])])?.text
        }
        #expect(try text(0, Bytes("Ü".utf8)) == "Ü")
        #expect(try text(1, Bytes("A1".utf8)) == "A1")
        #expect(try text(1, [0xC3, 0x9C]) == nil)
        #expect(try text(2, Bytes("Ü".utf8)) == "Ü")
        #expect(try text(2, [0xFF]) == nil)
        #expect(try text(3, [0x00, 0xDC]) == "Ü")
        #expect(try text(3, [0xFF, 0xFE, 0xDC, 0x00]) == "Ü")
        #expect(try text(3, [0xFE, 0xFF, 0x00, 0xDC]) == "Ü")
        #expect(try text(3, [0x00]) == nil)
        #expect(try text(3, [0xD8, 0x00]) == nil)
        #expect(try text(4, [1, 2]) == nil)
        #expect(try text(5, [0x12, 0x34]) == "1234")
        #expect(try text(5, [0x12, 0x34, 0x5F]) == "12345")
        #expect(try text(5, [0x12, 0xF4]) == nil)
        #expect(try text(5, [0x1A, 0x34]) == nil)
        #expect(try value([service("ly", [NDEFRecord("n", [4, 1, 2])])])?.bytes == [1, 2])
        func note(_ payload: Bytes) throws -> PassValue? {
            try value([
                service(
                    "ly",
                    [NDEFRecord(format: 1, type: Bytes("T".utf8), identifier: Bytes("n".utf8), payload: payload)])
            ])
        }
        #expect(try note([0x02] + Bytes("enABC".utf8))?.text == "ABC")
        #expect(try note([0x80, 0x00, 0x41])?.text == "A")
        #expect(throws: LoyaltyFault.malformed(.pass)) { try note([]) }
        #expect(throws: LoyaltyFault.malformed(.pass)) { try note([0x05] + Bytes("en".utf8)) }
    }

    /// Row Y12: a second record with a name is refused, like a second tag, in either order.
    @Test func aRepeatedRecordIsNoPass() throws {
        let numbers = ["one", "two"].map { NDEFRecord("n", [2] + Bytes($0.utf8)) }
        #expect(throws: LoyaltyFault.malformed(.pass)) { try value([service("ly", numbers)]) }
        #expect(try value([service("ly", [numbers[1], NDEFRecord("oid", [4, 1])])])?.text == "two")
    }

    /// A wallet may also send customer data and other kinds: they do not count as a requested pass.
    @Test func whatWasNotAskedForIsPassedOver() throws {
        let customer = NDEFRecord("asv", [NDEFRecord("cus", [NDEFRecord("cid", [4] + Bytes(repeating: 9, count: 16))])])
        let offer = service("of", [NDEFRecord("n", [2] + Bytes("offer".utf8))])
        let loyalty = service("ly", [NDEFRecord("n", [2] + Bytes("club".utf8))])
        let unknown = service("gp", [NDEFRecord("n", [2] + Bytes("group".utf8))])
        #expect(try value([customer]) == nil)
        #expect(try value([customer, unknown, offer, loyalty, customer])?.text == "club")
        #expect(try value([loyalty, offer], [.offer])?.text == "offer")
        #expect(try value([NDEFRecord("xyz", [1])]) == nil)
        for name in ["tr", "tr1", "tr2"] {
            #expect(try value([service(name, [NDEFRecord("n", [2, 0x41])])], [.transit])?.text == "A")
        }
    }

    @Test func aPassWithoutAValueOrTooDeepIsMalformed() throws {
        #expect(throws: LoyaltyFault.malformed(.pass)) { try value([service("ly", [NDEFRecord("oid", [4, 1])])]) }
        #expect(throws: LoyaltyFault.malformed(.pass)) { try value([service("ly", [NDEFRecord("n", [])])]) }
        #expect(throws: LoyaltyFault.malformed(.pass)) { try PassBundle.value([], kinds: [.loyalty]) }
        #expect(throws: LoyaltyFault.malformed(.pass)) { try value([NDEFRecord("asv", [1, 2, 3])]) }
        // Nested services are not read, at any depth.
        var nested = service("ly", [NDEFRecord("n", [2, 0x41])])
        for _ in 0..<20 { nested = NDEFRecord("asv", [nested]) }
        #expect(try value([nested]) == nil)
    }
}
