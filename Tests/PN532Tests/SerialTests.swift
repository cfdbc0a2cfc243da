// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@testable import EMVPN532

/// Taps over a pseudo-terminal, with an emulated chip at its other end.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SerialTests {
    private func chip(
        _ profiles: String..., faults: [(code: UInt8, at: Int, fault: EmulatedChip.Fault)] = []
    ) throws
        -> EmulatedChip
    {
        var chip = EmulatedChip()
        chip.slots = try profiles.map { name in
            .init(kind: .a, card: VirtualCard(try #require(CardProfile.named(name))))
        }
        chip.faults = faults
        return chip
    }

    private func tap(_ transport: any CardTransport) async throws -> TapOutcome {
        try await TapReader(transport, configuration: .simulator(), options: .fixed).prepare().read(.test)
    }

    @Test(arguments: ["online", "onlineRecords", "fdda", "fddaMax", "decline", "mcOnline", "unknownScheme"])
    func tapsLikeACardInMemory(profile: String) async throws {
        let line = try #require(PseudoTerminal(chip(profile)))
        defer { line.unplug() }
        let card = VirtualCard(try #require(CardProfile.named(profile)))
        let expected = try await tap(Unmarked(card))
        let found = try await tap(PN532Transport(port: line.path))
        #expect(found == expected)
        #expect(line.change { !$0.isFieldOn })
    }

    @Test(
        arguments: [
            .lostAcknowledgement, .garbage([0xFF, 0x00, 0x00, 0xFF]), .damagedAnswer(times: 2),
            .slow(milliseconds: 300),
        ] as [EmulatedChip.Fault])
    func aBadLineIsNoFailedTap(fault: EmulatedChip.Fault) async throws {
        for splits in [false, true] {
            let chip = try chip("onlineRecords", faults: [(0x40, 1, fault), (0x4A, 1, fault)])
            let line = try #require(PseudoTerminal(chip, splitsBytes: splits))
            defer { line.unplug() }
            #expect(try await tap(PN532Transport(port: line.path)).name == .success)
        }
    }

    @Test func twoCardsThenOne() async throws {
        var two = try chip("online", "fdda")
        two.secondLeavesAfter = 6
        let line = try #require(PseudoTerminal(two))
        defer { line.unplug() }
        let transport = PN532Transport(port: line.path)
        let reader = TapReader(transport, configuration: .simulator(), options: .fixed)
        let events = reader.events()
        let session = try await reader.prepare()
        let messages = Task {
            var messages: [String] = []
            for await event in events {
                if case .prompt(let prompt) = event { messages.append("\(prompt.message)") }
                if case .finished = event { break }
            }
            return messages
        }
        #expect(await session.read(.test).name == .success)
        // "Present one card only" (Book A, message 19).
        #expect(await messages.value.contains("19"))
    }

    @Test func aChipThatIsUnpluggedEndsTheTap() async throws {
        let line = try #require(PseudoTerminal(chip("onlineRecords", faults: [(0x40, 2, .unplugged)])))
        let transport = PN532Transport(port: line.path, options: .init(patience: .milliseconds(100)))
        #expect(try await tap(transport) == .cancelled(.readerDetached))
    }

    /// A wait, and an exchange with a card that does not answer.
    @Test func cancellingEndsWhatIsUnderWay() async throws {
        let line = try #require(PseudoTerminal(chip("online", faults: [(0x40, 0, .lostAnswer)])))
        defer { line.unplug() }
        line.change { $0.slots[0].isThere = false }
        let transport = PN532Transport(port: line.path, options: .init(exchangeLimit: .seconds(600)))
        #expect(await transport.open() == nil)
        let waiting = Task { await transport.waitForCard(Poll()) }
        try await waitUntil("twelve commands") { line.change { $0.commands.count } >= 12 }
        waiting.cancel()
        #expect(await waiting.value == .nothing)
        line.change { $0.slots[0].isThere = true }
        #expect(await transport.waitForCard(Poll()) == .card)
        let exchange = Task { await transport.transceive([0x00, 0xA4, 0x04, 0x00]) }
        try await waitUntil("the exchange") { line.change { $0.commands.contains { $0[0] == 0x40 } } }
        exchange.cancel()
        #expect(await exchange.value.bytes == nil)
        // The chip has received the abort, and continues to work.
        try await waitUntil("the abort") { line.change { $0.aborts } > 0 }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(30))) == .card)
    }

    @Test func aLineInUseIsNamed() async throws {
        let line = try #require(PseudoTerminal(chip("online")))
        defer { line.unplug() }
        let first = PN532Transport(port: line.path)
        #expect(await first.open() == nil)
        let fault = await PN532Transport(port: line.path).open()
        #expect(fault?.code == .inUse && fault?.explanation.contains("fuser") == true)
        // The first port may open it again.
        #expect(await first.open() == nil)
    }

    /// A program that is being started holds a copy of every descriptor until exec: the line is free nevertheless.
    @Test func aClosedLineIsFreeWhoeverHoldsACopy() async throws {
        let line = try #require(PseudoTerminal(chip("online")))
        defer { line.unplug() }
        let (first, second) = (SerialPort(line.path), SerialPort(line.path))
        #expect(await first.open() == nil)
        let copies = line.copyOpenDescriptors()
        defer { for copy in copies { close(copy) } }
        // The pseudo-terminal's own, and the port's.
        #expect(copies.count == 2)
        #expect(await second.open()?.code == .inUse)
        #expect(await first.open() == nil)
        await first.close()
        #expect(await second.open() == nil)
    }

    /// A port that is released without being closed frees the line, too.
    @Test func aPortThatIsGoneHoldsNoLine() async throws {
        let line = try #require(PseudoTerminal(chip("online")))
        defer { line.unplug() }
        var port: SerialPort? = SerialPort(line.path)
        #expect(await port?.open() == nil)
        let copies = line.copyOpenDescriptors()
        defer { for copy in copies { close(copy) } }
        port = nil
        #expect(await SerialPort(line.path).open() == nil)
    }

    @Test func whatIsNoLineIsNamed() async {
        #expect(await PN532Transport(port: "/dev/ttyNONE").open()?.code == .noReader)
        #expect(await PN532Transport(port: "/dev/null").open()?.code == .noReader)
        #expect(await SerialPort("/dev/null", speed: 1234).open()?.code == .unsupported)
    }

    @Test func closingEndsARead() async throws {
        let line = try #require(PseudoTerminal(EmulatedChip()))
        defer { line.unplug() }
        let port = SerialPort(line.path)
        #expect(await port.open() == nil)
        let reading = Task { await port.read(until: .now.advanced(by: .seconds(600))) }
        await port.close()
        #expect(await reading.value ?? [] == [])
        #expect(await port.read(until: .now) == nil)
        #expect(await port.write([1], until: .now) == false)
    }

    // MARK: The tool

    /// `emv-bench tap --pn532` from the command line.
    private func tool(
        _ arguments: [String], command: [String] = ["tap", "--amount", "12.50", "--timeout", "20"]
    ) async throws -> (status: Int32, text: String) {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let places = bundles + [URL(fileURLWithPath: CommandLine.arguments[0]), Bundle.main.bundleURL]
        let program = places.map { $0.deletingLastPathComponent().appendingPathComponent("emv-bench") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        let process = Process()
        let bench: URL = try #require(program, "emv-bench stands beside the tests")
        process.executableURL = bench
        process.arguments = command + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test func theToolTakesACardOnASerialLine() async throws {
        let line = try #require(PseudoTerminal(chip("onlineRecords")))
        defer { line.unplug() }
        let (status, text) = try await tool(["--pn532", line.path])
        #expect(status == 0)
        for part in ["Reader: PN532 on \(line.path) (firmware 1.6)", "Outcome: success", "SELECT directory"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    /// An unsuccessful tap reports the card's status words, for people and for programs.
    @Test func theToolTellsStatusWords() async throws {
        let line = try #require(PseudoTerminal(chip("unknownScheme")))
        defer { line.unplug() }
        line.change { chip in
            // A card without a directory.
            chip.slots[0].card = FunctionCard { _ in [0x6A, 0x82] }
        }
        let (_, text) = try await tool(["--pn532", line.path])
        #expect(text.contains("The card answered: 6A82 to SELECT directory"))
        let (_, json) = try await tool(["--pn532", line.path, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.drop { $0 != "{" }.utf8)) as? [String: Any]
        let tap = try #require(object?["tap"] as? [String: Any])
        let words = try #require(tap["statusWords"] as? [[String: String]])
        #expect(words.first == ["command": "SELECT directory", "status": "6A82"])
    }

    @Test func theToolLooksForAChip() async throws {
        let line = try #require(PseudoTerminal(chip("online")))
        defer { line.unplug() }
        let (status, text) = try await tool(["--pn532", line.path], command: ["readers"])
        #expect(status == 0 && text == "PN532 on \(line.path) (contactless, firmware 1.6)\n")
        let silent = try #require(PseudoTerminal(chip("online", faults: (0..<3).map { (0x14, $0, .lostCommand) })))
        defer { silent.unplug() }
        let (failed, remedy) = try await tool(["--pn532", silent.path], command: ["readers"])
        #expect(failed == 1 && remedy.contains("The PN532 does not answer. Set the board's switches to HSU"))
        let (_, json) = try await tool(["--pn532", "/dev/ttyNONE", "--json"], command: ["readers"])
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect((object?["findings"] as? [[String: String]])?.first?["code"] == "noReader")
    }

    @Test func theToolNamesWhatIsWrongWithTheLine() async throws {
        let (status, text) = try await tool(["--pn532", "/dev/ttyNONE"])
        #expect(status == 2 && text.contains("There is no /dev/ttyNONE. Plug the adapter in"))
        let both = try await tool(["--pn532", "/dev/ttyNONE", "--reader", "x"])
        #expect(both.status == 2 && both.text.contains("without --pn532"))
    }
}
