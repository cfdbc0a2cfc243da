// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import TestData
import Testing

@testable import EMVPN532

/// Link and transport with an emulated chip, which has its own time.
@Suite struct TransportTests {
    /// Answers with the command's bytes.
    private static let echo = FunctionCard { $0 + [0x90, 0x00] }

    private func chip(_ cards: EmulatedChip.Slot...) -> EmulatedChip {
        var chip = EmulatedChip()
        chip.slots = cards
        return chip
    }

    private func transport(
        _ stream: FakeStream, _ options: PN532Transport.Options = .init()
    ) async throws -> PN532Transport {
        let transport = PN532Transport(stream, options: options, clock: stream.clock)
        if let fault = await transport.open() { throw fault }
        return transport
    }

    /// A transport with a card in the field.
    private func connected(
        _ stream: FakeStream, _ options: PN532Transport.Options = .init()
    ) async throws -> PN532Transport {
        let transport = try await transport(stream, options)
        try #require(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
        return transport
    }

    // MARK: Chip

    @Test func theChipIsSetUpWithItsFieldOff() async throws {
        let stream = FakeStream(chip())
        let transport = try await transport(stream)
        #expect(await transport.firmware == "1.6" && transport.name == "PN532 on fake")
        #expect(stream.change { $0.commands.map(\.first) } == [0x14, 0x02, 0x32, 0x12, 0x32, 0x32])
        #expect(stream.change { !$0.isFieldOn })
    }

    @Test(arguments: [[0x33, 1, 6, 7], [0x32, 1, 6, 4], [0x32, 1, 6], []] as [Bytes])
    func anotherChipIsNamed(version: Bytes) async {
        var chip = chip()
        chip.faults = [(0x02, 0, .answer(version))]
        let stream = FakeStream(chip)
        let fault = await PN532Transport(stream, options: .init(), clock: stream.clock).open()
        #expect(fault?.code == .unsupported && fault?.explanation.contains("PN532") == true)
    }

    @Test func aSilentChipIsToldWithItsRemedy() async {
        var chip = chip()
        chip.faults = (0..<3).map { (0x14, $0, .lostCommand) }
        let stream = FakeStream(chip)
        let fault = await PN532Transport(stream, options: .init(), clock: stream.clock).open()
        #expect(fault?.code == .failed && fault?.explanation.contains("switches to HSU") == true)
        #expect(stream.change { $0.commands.count } == 3)
    }

    // MARK: Lost and damaged frames

    /// A command that never reached a card may be sent again.
    @Test(
        arguments: [
            .lostCommand, .lostAcknowledgement, .damagedAnswer(times: 1), .damagedAnswer(times: 3),
            .cutAnswer(times: 2),
            .garbage([0x00, 0xFF, 0x13]), .garbage([0, 0, 0xFF, 0xFF, 0xFF]), .errorFrame, .otherAnswer,
            .slow(milliseconds: 900),
        ] as [EmulatedChip.Fault])
    func theChipIsHeardAllTheSame(fault: EmulatedChip.Fault) async throws {
        var chip = chip(.init(kind: .a, card: TransportTests.echo))
        chip.faults = [(0x02, 0, fault), (0x4A, 1, fault)]
        let transport = try await connected(FakeStream(chip))
        #expect(await transport.transceive([1, 2, 3]).bytes == [1, 2, 3, 0x90, 0x00])
    }

    /// A card receives a command once, whatever happens to the frames.
    @Test(
        arguments: [
            (.lostAcknowledgement, true), (.damagedAnswer(times: 1), true), (.damagedAnswer(times: 3), true),
            (.cutAnswer(times: 1), true), (.garbage([0xFF, 0x00, 0x00]), true), (.otherAnswer, true),
            (.slow(milliseconds: 4_500), true), (.damagedAnswer(times: 9), false), (.lostCommand, false),
            (.lostAnswer, false), (.errorFrame, false), (.slow(milliseconds: 6_000), false),
        ] as [(EmulatedChip.Fault, Bool)])
    func noCardHearsACommandTwice(fault: EmulatedChip.Fault, succeeds: Bool) async throws {
        var chip = chip(.init(kind: .a, card: TransportTests.echo))
        chip.faults = [(0x40, 1, fault)]
        let stream = FakeStream(chip)
        let transport = try await connected(stream)
        #expect(await transport.transceive([0xAA]).bytes == [0xAA, 0x90, 0x00])
        let began = stream.elapsedSinceStart
        let answer = await transport.transceive([0xBB])
        #expect(answer.bytes == (succeeds ? [0xBB, 0x90, 0x00] : nil))
        #expect(began.duration(to: stream.elapsedSinceStart) <= .seconds(6))
        #expect(stream.change { $0.commands.filter { $0.starts(with: [0x40]) && $0.last == 0xBB }.count } == 1)
        // A late answer is discarded.
        if case .slow = fault, !succeeds { #expect(await transport.transceive([0xCC]).bytes == [0xCC, 0x90, 0x00]) }
    }

    /// The abandoned answer arrives, and the acknowledgement of the next command is lost.
    @Test func aLateAnswerIsNotTheNextOne() async throws {
        var chip = chip(.init(kind: .a, card: TransportTests.echo))
        chip.faults = [(0x40, 0, .slow(milliseconds: 5_100)), (0x40, 1, .lostAcknowledgement)]
        let transport = try await connected(FakeStream(chip))
        #expect(await transport.transceive([0xAA]) == .fault(.timeout))
        #expect(await transport.transceive([0xBB]).bytes == nil)
        #expect(await transport.transceive([0xCC]).bytes == [0xCC, 0x90, 0x00])
    }

    @Test(
        arguments: [
            (.status(0x01), .fault(.timeout)), (.status(0x02), .fault(.transmission)),
            (.status(0x0B), .fault(.protocol)),
            (.status(0x2B), .fault(.removed)), (.status(0x0D), .readerGone), (.status(0x3F), .fault(.protocol)),
            (.status(0x80), .fault(.protocol)), (.empty, .fault(.protocol)),
            (.answer([0x00, 0x90]), .fault(.transmission)),
            (.answer([0x00]), .fault(.transmission)), (.endless([]), .fault(.protocol)),
            (.endless([UInt8](repeating: 1, count: 262)), .fault(.protocol)), (.unplugged, .readerGone),
            (.lostAnswer, .fault(.timeout)),
        ] as [(EmulatedChip.Fault, Exchange)])
    func everyFailureIsAValue(fault: EmulatedChip.Fault, expected: Exchange) async throws {
        var chip = chip(.init(kind: .a, card: TransportTests.echo))
        chip.faults = [(0x40, 0, fault)]
        let transport = try await connected(FakeStream(chip))
        #expect(await transport.transceive([0x00, 0xA4]) == expected)
    }

    // MARK: Lengths

    @Test(arguments: [1, 5, 254, 255, 256, 261, 262, 263, 524, 525, 2000])
    func everyLengthPassesBothWays(length: Int) async throws {
        let command = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        for piece in [1, 7, Int.max] {
            let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo)), piece: piece)
            let transport = try await connected(stream)
            #expect(await transport.transceive(command).bytes == command + [0x90, 0x00])
        }
    }

    // MARK: Cards

    @Test(arguments: [EmulatedChip.Kind.a, .b]) func bothTypesAreFound(kind: EmulatedChip.Kind) async throws {
        let stream = FakeStream(chip(.init(kind: kind, card: TransportTests.echo)))
        let transport = try await connected(stream)
        #expect(await transport.transceive([1]).bytes == [1, 0x90, 0x00])
        await transport.fieldOff()
        #expect(stream.change { !$0.isFieldOn })
        #expect(await transport.transceive([1]) == .fault(.removed))
        // And found again, without being removed.
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
    }

    @Test(arguments: [
        (EmulatedChip.Kind.a, EmulatedChip.Kind.a), (.b, .b), (.a, .b), (.b, .a),
    ])
    func twoCardsAreReportedUntilOneGoes(kinds: (EmulatedChip.Kind, EmulatedChip.Kind)) async throws {
        let stream = FakeStream(
            chip(
                .init(kind: kinds.0, card: TransportTests.echo), .init(kind: kinds.1, card: TransportTests.echo)))
        let transport = try await transport(stream)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .collision)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .nothing)
        stream.change { $0.slots[1].isThere = false }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .collisionCleared)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
        #expect(await transport.transceive([7]).bytes == [7, 0x90, 0x00])
    }

    @Test func aCardWithoutISODEPIsAFault() async throws {
        let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo, isISODEP: false)))
        let transport = try await transport(stream)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .fault(.protocol))
    }

    @Test func removalIsSeen() async throws {
        let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo)))
        let transport = try await connected(stream)
        #expect(await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(2))) == .nothing)
        stream.change { $0.slots[0].isThere = false }
        #expect(await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(2))) == .removed)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(2))) == .nothing)
    }

    @Test func theFieldStaysOffForAsLongAsAsked() async throws {
        let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo)))
        let transport = try await connected(stream)
        let began = stream.elapsedSinceStart
        await transport.fieldOff(for: .milliseconds(1300))
        #expect(stream.change { !$0.isFieldOn })
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
        #expect(began.duration(to: stream.elapsedSinceStart) >= .milliseconds(1300))
    }

    @Test func pollingFramesGoOutBeforeEachLook() async throws {
        let stream = FakeStream(chip())
        let frame: Bytes = [0x6A, 0x02, 0x00, 0x01]
        let transport = try await transport(stream, .init(pollingFrames: [frame]))
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .nothing)
        let commands = stream.change { $0.commands }
        let sent = [0x42] + frame
        let looks = commands.filter { $0[0] == 0x4A }
        #expect(commands.filter { $0 == sent }.count == looks.count / 2)
    }

    @Test(
        arguments: [
            [3], [1], [1, 1, 0, 4, 0x20, 4], [2, 1, 0x50], [1, 3, 0, 4, 8, 4, 1, 2, 3, 4], [],
        ] as [Bytes]) func malformedTargetsNeverBecomeACard(answer: Bytes) async throws
    {
        var chip = chip(.init(kind: .a, card: TransportTests.echo))
        chip.faults = [(0x4A, 0, .answer(answer)), (0x4A, 1, .answer(answer))]
        let transport = try await transport(FakeStream(chip))
        // The chip is initialised again, and then reports the truth.
        #expect(await transport.waitForCard(Poll(timeout: .seconds(5))) == .card)
    }

    // MARK: A chip that disconnects

    @Test func aChipThatComesBackInTimeIsUsed() async throws {
        let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo)))
        let transport = try await connected(stream)
        stream.end()
        #expect(await transport.transceive([1]) == .readerGone)
        stream.refuse(20)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        #expect(await transport.transceive([1]).bytes == [1, 0x90, 0x00])
    }

    @Test func aChipThatStaysAwayEndsTheWait() async throws {
        let stream = FakeStream(chip())
        let transport = try await transport(stream)
        stream.end()
        stream.refuse(.max)
        let began = stream.elapsedSinceStart
        #expect(await transport.waitForCard(Poll(timeout: .seconds(60))) == .readerGone)
        #expect(began.duration(to: stream.elapsedSinceStart) < .seconds(5))
        stream.refuse(0)
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(1))) == .nothing)
    }

    /// An hour of waiting: at most twenty polls a second, with two commands each.
    @Test func waitingIsNoBusyLoop() async throws {
        let stream = FakeStream(chip())
        let transport = try await transport(stream)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(3600))) == .nothing)
        #expect(stream.change { $0.commands.count } <= 3600 * 20 * 2 + 10)
    }

    @Test func closingSwitchesTheFieldOff() async throws {
        let stream = FakeStream(chip(.init(kind: .a, card: TransportTests.echo)))
        let transport = try await connected(stream)
        await transport.close()
        #expect(stream.change { !$0.isFieldOn })
        #expect(await transport.transceive([1]) == .readerGone)
    }

    // MARK: Taps

    /// Random faults of the line at every place: every tap ends, and a successful tap has read the card's own bytes.
    @Test(arguments: 1...60 as ClosedRange<UInt64>) func everyTapEndsWhateverTheLineDoes(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let card = VirtualCard(try #require(CardProfile.named("fdda")))
        var chip = chip(.init(kind: Bool.random(using: &random) ? .a : .b, card: card))
        let kinds: [EmulatedChip.Fault] = [
            .lostCommand, .lostAcknowledgement, .lostAnswer, .damagedAnswer(times: 2), .cutAnswer(times: 1),
            .garbage([0, 0, 0xFF, 7, 0xF9, 0xD5]), .errorFrame, .otherAnswer, .empty, .status(0x02), .status(0x27),
            .slow(milliseconds: 700), .unplugged,
        ]
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let codes: [UInt8] = [0x40, 0x40, 0x4A, 0x32]
            let code = try #require(codes.randomElement(using: &random))
            chip.faults.append(
                (code, Int.random(in: 4...14, using: &random), kinds.randomElement(using: &random) ?? .empty))
        }
        let stream = FakeStream(chip, piece: Int.random(in: 1...40, using: &random))
        let transport = PN532Transport(stream, options: .init(), clock: stream.clock)
        let session = try await TapReader(transport, configuration: .simulator(), options: .fixed).prepare()
        let found = await session.read(.test)
        let clean = try await TapReader(
            Unmarked(card), configuration: .simulator(), options: .fixed
        ).prepare().read(.test)
        // A card that was tapped again has counted.
        if found.name == .success,
            stream.change({ $0.commands.filter { $0.starts(with: [0x40, 1, 0x80, 0xA8]) } }).count == 1
        {
            #expect(found == clean)
        }
        #expect(stream.change { $0.commands.count } < 2_000)
    }
}

extension TapReader.Options {
    /// Opening waits as long as needed: the chip has its own time, and a busy machine is never late.
    static var fixed: Self {
        with(Self(waitsForEmptyField: false, random: .fixed((0..<64).map { 0x51 &+ 0x25 &* $0 }))) {
            $0.openDeadline = nil
        }
    }
}

extension PaymentRequest {
    static var test: PaymentRequest {
        with(
            PaymentRequest(
                amount: Money(minorUnits: 1250, currency: .eur), key: ReconciliationKey(rawValue: "pn532"),
                timeout: .seconds(10), moment: CalendarDate("2026-11-21").map { LocalTime(date: $0, time: .midnight) })
        ) { $0.counter = 7 }
    }
}

extension Exchange {
    var bytes: Bytes? {
        if case .response(let bytes, _) = self { bytes } else { nil }
    }
}

/// A card in memory that is not marked as simulated, for comparing its taps with those of other readers.
struct Unmarked: CardTransport {
    private let reader: SimulatedReader

    init(_ card: VirtualCard) { reader = SimulatedReader(card) }

    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
    func transceive(_ command: Bytes) async -> Exchange { await reader.transceive(command) }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}
