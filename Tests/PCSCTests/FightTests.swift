// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import Testing

/// Many programs at once, and a pcscd that is killed at every possible point.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct FightTests {
    private static let second = "Identiv uTrust 3700 F CL Reader 00 00"

    // MARK: Two readers

    @Test(arguments: [0, 1]) func theReaderWithTheCardIsTaken(index: Int) async throws {
        try ReaderTests.Script.reset()
        try await Sandbox.withReaders("pair") {
            let transport = PCSCTransport()
            #expect(await transport.open() == nil)
            #expect(await transport.candidates.map(\.name) == [ReaderTests.name, FightTests.second])
            let waiting = Task { await transport.waitForCard(Poll(timeout: .seconds(20))) }
            try ReaderTests.Script.set("atr", CardServer.contactless, reader: index)
            #expect(await waiting.value == .card)
            #expect(await transport.readerName == [ReaderTests.name, FightTests.second][index])
            #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
            await transport.close()
        }
    }

    /// Cards on both readers: one card is used, and the tap has one outcome.
    @Test func aTapOnTwoReadersAtOnceHasOneOutcome() async throws {
        try ReaderTests.Script.reset()
        try await Sandbox.withReaders("pair") {
            let transport = PCSCTransport()
            let session = try await TapReader(transport, configuration: .simulator(), options: .cardIsThere).prepare()
            for index in 0...1 { try ReaderTests.Script.set("atr", CardServer.contactless, reader: index) }
            let outcome = await session.read(StackTests.request())
            #expect(outcome.name != .cancelled && outcome.name != .failed)
            // Two taps with two transports of one process use one reader each.
            let other = PCSCTransport(.named("uTrust"))
            let first = PCSCTransport(.named("ACR122"))
            for transport in [first, other] {
                #expect(await transport.open() == nil)
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            }
            for transport in [first, other] {
                #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
                await transport.close()
            }
            await transport.close()
        }
        try ReaderTests.Script.reset()
    }

    /// The real driver delays the exchange: the link times out, and the reader is usable after the card has answered.
    @Test func aCardThatDoesNotAnswerTimesOut() async throws {
        try ReaderTests.Script.reset()
        try await Sandbox.withReaders("scripted") {
            try ReaderTests.Script.set("atr", CardServer.contactless)
            let transport = PCSCTransport(options: .init(exchangeLimit: .milliseconds(300)))
            #expect(await transport.open() == nil)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            try ReaderTests.Script.set("hang")
            #expect(await transport.transceive([0, 0xA4, 4, 0]) == .fault(.timeout))
            #expect(await transport.open()?.code == .failed)
            ReaderTests.Script.clear("hang")
            while await transport.open() != nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
            await transport.close()
        }
        try ReaderTests.Script.reset()
    }

    // MARK: Ten programs

    @Test func tenProgramsTakeTurns() async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("online")))
        let bench = try Sandbox.bench()
        let (statuses, visit) = try await Sandbox.with(card, CardServer(delay: .milliseconds(5))) {
            let programs = try (0..<10).map { _ in
                let process = Process()
                process.executableURL = bench
                process.arguments = ["tap", "--amount", "12.50", "--reader", Sandbox.reader, "--timeout", "120"]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                return process
            }
            for program in programs {
                while program.isRunning { try await Task.sleep(for: .milliseconds(5)) }
            }
            return programs.map(\.terminationStatus)
        }
        #expect(statuses == Array(repeating: 0, count: 10))
        // No command came between those of another program: all ten programs sent equal commands.
        #expect(visit.commands % 10 == 0)
    }

    // MARK: pcscd killed

    /// Kills the daemon when it receives a command.
    private struct KillingCard: SimulatedCard {
        var card: VirtualCard
        let at: Int
        var commands = 0

        mutating func respond(to command: [UInt8]) -> [UInt8] {
            commands += 1
            if commands == at { try? Sandbox.daemon("kill") }
            return card.respond(to: command)
        }

        mutating func reset() { card.reset() }
    }

    @Test(arguments: 1...6) func pcscdKilledAtACommandDetachesTheReader(at command: Int) async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("fdda")))
        let reader = TapReader(
            try await Sandbox.transport(.init(patience: .milliseconds(300))), configuration: .simulator(),
            options: .cardIsThere)
        let session = try await reader.prepare()
        let (outcome, visit) = try await Sandbox.with(KillingCard(card: card, at: command)) {
            await session.read(StackTests.request())
        }
        if visit.commands < command {
            // The tap sends fewer commands.
            #expect(outcome.name == .success)
        } else {
            #expect(outcome == .cancelled(.readerDetached))
            try Sandbox.daemon("start")
        }
        try await expectUsable(reader)
    }

    /// Between any two steps of the app.
    @Test(arguments: ["prepare", "read", "wait", "cancel", "finish"]) func pcscdKilledBetweenSteps(
        step: String
    ) async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("online")))
        let reader = TapReader(
            PCSCTransport(.named(Sandbox.reader), options: .init(patience: .milliseconds(300))),
            configuration: .simulator(), options: .cardIsThere)
        func kill(_ now: String) throws { if step == now { try Sandbox.daemon("kill") } }
        try kill("prepare")
        if step == "prepare" {
            await #expect(throws: PrepareError.self) { _ = try await reader.prepare() }
        } else {
            let session = try await reader.prepare()
            try kill("read")
            let events = reader.events()
            let tap = Task { await session.read(StackTests.request()) }
            if step == "wait" || step == "cancel" {
                for await event in events { if case .prompt = event { break } }
                try kill("wait")
                try kill("cancel")
                if step == "cancel" { await reader.cancel() }
                #expect(await tap.value.name == .cancelled)
            } else if step == "finish" {
                _ = try await Sandbox.with(card) { #expect(await tap.value.name == .success) }
                try kill("finish")
            } else {
                #expect(await tap.value == .cancelled(.readerDetached))
            }
        }
        try Sandbox.daemon("start")
        try await expectUsable(reader)
    }

    private func expectUsable(_ reader: TapReader) async throws {
        let card = VirtualCard(try #require(CardProfile.named("online")))
        _ = try await Sandbox.with(card) {
            let session = try await reader.prepare()
            #expect(await session.read(StackTests.request()).name == .success)
        }
    }
}
