// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import Testing

/// Readers that come and go, answer their own commands, and cause trouble: the scripted reader of
/// Tests/PCSCDriver/driver.c.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct ReaderTests {
    static let name = "ACS ACR122U PICC Interface 00 00"

    /// The instructions for the reader's driver.
    enum Script {
        static let folder = "/run/pcscd/script/"

        /// - Parameter reader: 1 for the second reader of "pair".
        static func set(_ file: String, _ bytes: Bytes = [], reader: Int = 0) throws {
            let folder = reader == 0 ? folder : "/run/pcscd/script2/"
            try #require(FileManager.default.createFile(atPath: folder + file, contents: Data(bytes)))
        }

        /// Clears both readers.
        static func reset() throws {
            for folder in [folder, "/run/pcscd/script2/"] {
                for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    try FileManager.default.removeItem(atPath: folder + file)
                }
            }
        }

        static func clear(_ file: String) { try? FileManager.default.removeItem(atPath: folder + file) }

        /// The escape commands since the last call.
        static func escapes() -> [Bytes] {
            defer { clear("escapes") }
            let text = (try? String(contentsOfFile: folder + "escapes", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { Hex.bytes(String($0)) }
        }
    }

    private func withScript(_ body: () async throws -> Void) async throws {
        for file in ["atr", "gone", "refuse", "answer", "escapes"] { Script.clear(file) }
        try await Sandbox.withReaders("scripted", body)
    }

    private func opened(_ options: PCSCTransport.Options = .init()) async throws -> PCSCTransport {
        let transport = PCSCTransport(.contactless, options: options)
        if let fault = await transport.open() { throw fault }
        #expect(await transport.readerName == ReaderTests.name)
        return transport
    }

    // MARK: Escape commands

    @Test func lightsAndBuzzerReachTheReader() async throws {
        try await withScript {
            let transport = try await opened()
            let model = try #require(await transport.model)
            for light in ReaderModel.Light.allCases {
                #expect(await transport.show(light))
                #expect(Script.escapes() == [try #require(model.command(for: light))])
            }
            #expect(await transport.buzz(for: .milliseconds(300)))
            #expect(Script.escapes() == [model.buzz(for: .milliseconds(300))])
            #expect(try await transport.escape([0xFF, 0x00, 0x48, 0x00, 0x00]) == [0x90, 0x00])
            #expect(Script.escapes() == [[0xFF, 0x00, 0x48, 0x00, 0x00]])
            // The connection to a card also passes them on.
            try Script.set("atr", CardServer.contactless)
            #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
            #expect(await transport.show(.green))
            #expect(Script.escapes() == [try #require(model.command(for: .green))])
            #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
            await transport.close()
        }
    }

    @Test func theAntennaGoesOffAfterATapAndOnBeforeOne() async throws {
        try await withScript {
            try Script.set("atr", CardServer.contactless)
            let transport = try await opened(.init(switchesAntenna: true))
            let model = try #require(await transport.model)
            for round in 0..<2 {
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
                #expect(Script.escapes() == (round == 0 ? [] : [model.antennaOn]))
                await transport.fieldOff()
                #expect(Script.escapes() == [model.antennaOff])
            }
            // The field that had to be off first is off already.
            #expect(await transport.waitForCard(Poll(fieldOff: .milliseconds(10), timeout: .seconds(10))) == .card)
            #expect(Script.escapes().last == model.antennaOn)
            await transport.close()
            // Without the option no command is sent.
            let plain = try await opened()
            #expect(await plain.waitForCard(Poll(timeout: .seconds(10))) == .card)
            await plain.fieldOff()
            #expect(Script.escapes() == [])
            await plain.close()
        }
    }

    /// Refused as by libccid, unless its Info.plist allows them.
    @Test func refusedEscapesDisturbNoTap() async throws {
        try await withScript {
            try Script.set("refuse")
            try Script.set("atr", CardServer.contactless)
            let transport = try await opened(.init(switchesAntenna: true))
            #expect(await transport.show(.red) == false)
            #expect(await transport.buzz() == false)
            await #expect(throws: PCSCError.self) { try await transport.escape([0xFF, 0x00, 0x48, 0x00, 0x00]) }
            for _ in 0..<2 {
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
                #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
                await transport.fieldOff()
            }
            await transport.close()
        }
        // The virtual reader has no escape commands.
        let transport = try await Sandbox.transport()
        #expect(await transport.model == nil)
        #expect(await transport.show(.green) == false)
        #expect(await transport.buzz() == false)
        await #expect(throws: PCSCError.self) { try await transport.escape([0xFF, 0x00, 0x48, 0x00, 0x00]) }
        await transport.close()
    }

    // MARK: Plugging

    @Test func waitsForAReaderThatIsPluggedInAgain() async throws {
        try await withScript {
            let transport = try await opened(.init(patience: .seconds(30)))
            let waiting = Task { await transport.waitForCard(Poll(timeout: .seconds(30))) }
            try await Task.sleep(for: .milliseconds(100))
            try Script.set("gone")
            try await Task.sleep(for: .seconds(1))
            Script.clear("gone")
            try Script.set("atr", CardServer.contactless)
            #expect(await waiting.value == .card)
            #expect(await transport.transceive([0, 0xA4, 4, 0]).bytes == [0x90, 0x00])
            await transport.close()
        }
    }

    @Test func aReaderThatStaysAwayIsDetached() async throws {
        try await withScript {
            let reader = TapReader(
                PCSCTransport(options: .init(patience: .seconds(2))), configuration: .simulator(), options: .cardIsThere
            )
            let session = try await reader.prepare()
            let tap = Task { await session.read(StackTests.request()) }
            try await Task.sleep(for: .milliseconds(100))
            try Script.set("gone")
            #expect(await tap.value == .cancelled(.readerDetached))
            #expect(await session.read(StackTests.request()) == .failed(.notPrepared))
            Script.clear("gone")
            try Script.set("atr", CardServer.contactless)
            let again = try await reader.prepare()
            // The card answers every command with 9000 only.
            let outcome = await again.read(StackTests.request())
            #expect(outcome.name != .cancelled && outcome.name != .failed)
        }
    }

    /// The other way of losing a reader: the daemon runs and has no reader.
    @Test func theReaderComesBackWithAnotherDaemon() async throws {
        try await Sandbox.settle()
        let transport = try await Sandbox.transport(.init(patience: .seconds(30)))
        let waiting = Task { await transport.waitForCard(Poll(timeout: .seconds(30))) }
        try await Sandbox.withReaders("none") {
            #expect(await PCSCTransport().open()?.code == .noReader)
            let diagnosis = await ReaderDiagnosis.examine()
            #expect(diagnosis.readers.isEmpty)
            #expect(
                diagnosis.findings.contains { $0.code == .noReader }
                    || diagnosis.findings.contains { [.kernelModule, .noDriver, .readerNotListed].contains($0.code) })
            try await Task.sleep(for: .milliseconds(300))
        }
        _ = try await Sandbox.with(lengthCard) {
            #expect(await waiting.value == .card)
            #expect(await transport.transceive(ask(5)).bytes?.count == 5)
            await transport.close()
        }
    }

    // MARK: Doctor

    /// A card that does not answer a reset, and one that answers it with an unsupported protocol: the doctor's finding,
    /// and the kernel's input.
    @Test(
        arguments: [
            ([], .cardMute, .transmission), ([0x3B, 0x80, 0x0E, 0x8E], .protocolMismatch, .protocol),
        ] as [(Bytes, ReaderDiagnosis.Code, LinkFault)])
    func theTroubleOfACardHasAName(atr: Bytes, code: ReaderDiagnosis.Code, fault: LinkFault) async throws {
        func cards() async -> [ReaderDiagnosis.Finding] {
            await ReaderDiagnosis.examine().findings.filter {
                ![.kernelModule, .noDriver, .readerNotListed].contains($0.code)
            }
        }
        try await withScript {
            #expect(await cards() == [])
            try Script.set("atr", atr)
            for await list in ReaderDiscovery() where list.readers.contains(where: { $0.card != .none }) { break }
            let findings = await cards()
            #expect(findings.map(\.code) == [code])
            #expect(findings.allSatisfy { $0.text.contains(ReaderTests.name) && !$0.remedy.isEmpty })
            let transport = try await opened()
            #expect(await transport.waitForCard(Poll(timeout: .seconds(20))) == .fault(fault))
            await transport.close()
        }
    }
}
