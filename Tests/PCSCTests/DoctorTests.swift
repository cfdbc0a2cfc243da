// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

@testable import EMVPCSC

/// Each situation that a sandbox can create: the finding of `emv-bench readers`, and a check that the printed remedy,
/// run as printed, fixes it. Readers.md has the table.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct DoctorTests {
    private struct Finding: Decodable {
        let code: String
        let text: String
        let remedy: String
    }

    private struct Report: Decodable {
        let findings: [Finding]
    }

    /// The findings of `emv-bench readers --json`, except for this machine's devices. `user`: as the user with this
    /// number.
    private func findings(as user: Int? = nil) throws -> [Finding] {
        let bench = try Sandbox.bench().path
        let call =
            user.map { "setpriv --reuid=\($0) --regid=\($0) --clear-groups \(bench) readers --json" }
            ?? "\(bench) readers --json"
        let report = try JSONDecoder().decode(Report.self, from: Data(try shell(call).utf8))
        return report.findings.filter {
            !["kernelModule", "noDriver", "readerNotListed", "keyboardMode"].contains($0.code)
        }
    }

    /// Runs a command with a `sudo` that simply runs its arguments; returns the output.
    @discardableResult private func shell(_ command: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString).txt")
        try #require(FileManager.default.createFile(atPath: file.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        // Closes this process's files: a daemon would keep them open, and this process would wait.
        let close = "for f in /proc/self/fd/*; do f=${f##*/}; [ $f -gt 2 ] && eval \"exec $f>&-\"; done; "
        process.arguments = ["-c", "PATH=/run/pcscd/bin:/usr/sbin:$PATH; ( \(close)\(command) )"]
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// A daemon started by a remedy is not a child of the sandbox's script.
    private func endAnyDaemon() throws {
        try Sandbox.daemon("kill")
        try shell("kill -KILL $(cat /run/pcscd/pcscd.pid)")
    }

    private func again(_ readers: String = "virtual") throws {
        try endAnyDaemon()
        #expect(try Sandbox.run("/bin/bash", [#require(Sandbox.script), "start", readers]) == 0)
    }

    // MARK: The service

    @Test func aStoppedServiceIsStarted() throws {
        try Sandbox.daemon("stop")
        let found = try #require(try findings().first)
        #expect(found.code == "serviceStopped")
        try shell(found.remedy)
        #expect(try !findings().contains { $0.code == "serviceStopped" })
        try again()
    }

    @Test func aServiceThatHangsIsReplaced() throws {
        try Sandbox.daemon("freeze")
        let found = try findings()
        #expect(found.map(\.code) == ["serviceHangs"])
        try shell(try #require(found.first).remedy)
        #expect(try !findings().contains { $0.code.hasPrefix("service") })
        try again()
    }

    /// A transport that waits while the service hangs can be cancelled, and reports the problem when it is opened.
    @Test func aTapAtAServiceThatHangsEnds() async throws {
        try await Sandbox.settle()
        let reader = TapReader(
            try await Sandbox.transport(.init(serviceLimit: .milliseconds(200))), configuration: .simulator(),
            options: .cardIsThere)
        let session = try await reader.prepare()
        let tap = Task { await session.read(StackTests.request()) }
        try Sandbox.daemon("freeze")
        await reader.cancel()
        #expect(await tap.value == .cancelled(.requested))
        let other = PCSCTransport(.named(Sandbox.reader), options: .init(serviceLimit: .milliseconds(200)))
        #expect(await other.open()?.code == .failed)
        try Sandbox.daemon("thaw")
        while await other.open() != nil { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test(arguments: ["chmod 600 /run/pcscd/pcscd.comm", "chmod 700 /run/pcscd"])
    func aForbiddenSocketIsOpened(trouble: String) throws {
        let bench = try Sandbox.bench().path
        guard try shell("setpriv --reuid=65534 --regid=65534 --clear-groups \(bench) readers --json") != "" else {
            print("skipped: another user cannot run \(bench)")
            return
        }
        try shell(trouble)
        let found = try #require(try findings(as: 65534).first)
        #expect(found.code == "noPermission" && found.text.contains("nobody"))
        try shell(found.remedy)
        #expect(try !findings(as: 65534).contains { $0.code == "noPermission" })
    }

    /// Debian's pcscd does not use polkit; other distributions' do. The rule contains the user's name, not a variable.
    @Test func aRuleForPolkitIsWritten() throws {
        guard !FileManager.default.fileExists(atPath: "/run/pcscd/etc/missing") else {
            print("skipped: /etc cannot be copied here")
            return
        }
        let finding = ReaderDiagnosis.service(PCSCError(code: 0x8010_006A), SystemView())
        #expect(finding.code == .noPermission)
        try shell("mkdir -p /etc/polkit-1/rules.d; " + finding.remedy)
        let rule = try String(contentsOfFile: "/etc/polkit-1/rules.d/50-pcsc.rules", encoding: .utf8)
        #expect(rule.hasPrefix("polkit.addRule(function(action, subject) {") && rule.hasSuffix("});\n"))
        #expect(rule.contains("subject.user == \"\(NSUserName())\") return polkit.Result.YES;"))
        #expect(rule.filter { "({".contains($0) }.count == rule.filter { ")}".contains($0) }.count)
    }

    // MARK: Readers

    @Test func aReaderThatIsListedAndUnavailableIsNamed() async throws {
        try await Sandbox.withReaders("scripted") {
            try ReaderTests.Script.reset()
            try ReaderTests.Script.set("gone")
            for await list in ReaderDiscovery() where list.readers.contains(where: \.isUnavailable) { break }
            let found = try #require(try findings().first)
            #expect(found.code == "readerUnavailable" && found.text.contains(ReaderTests.name))
            ReaderTests.Script.clear("gone")
            for await list in ReaderDiscovery() where list.readers.contains(where: { !$0.isUnavailable }) { break }
            #expect(try !findings().contains { $0.code == "readerUnavailable" })
        }
    }

    @Test func escapesAreAllowed() async throws {
        guard !FileManager.default.fileExists(atPath: "/run/pcscd/etc/missing"),
            FileManager.default.fileExists(atPath: SystemView.driverOptions)
        else {
            print("skipped: no copy of libccid's Info.plist here")
            return
        }
        try await Sandbox.withReaders("scripted") {
            try ReaderTests.Script.reset()
            #expect(try findings().isEmpty)
            try ReaderTests.Script.set("refuse")
            let found = try findings()
            #expect(found.map(\.code) == ["escapesRefused"])
            #expect(!SystemView().options.allowsEscapes)
            try shell(try #require(found.first).remedy)
            #expect(SystemView().options.allowsEscapes)
            ReaderTests.Script.clear("refuse")
            try endAnyDaemon()
        }
    }

    // MARK: Cards

    /// The way in which another program holds the card, by name.
    @Test(arguments: ["exclusive", "transaction", "shared"]) func whoHoldsACardIsTold(how: String) async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let service = Service.self
            let holder = try await Holder(service, how)
            let code = ["exclusive": "cardInUse", "transaction": "cardInTransaction", "shared": "cardShared"][how]
            let found = try findings()
            #expect(found.map(\.code) == [code])
            // This process is one of those that have loaded PC/SC.
            #expect(found.first?.text.contains("(\(ProcessInfo.processInfo.processIdentifier))") == true)
            await holder.end()
            #expect(try findings().isEmpty)
        }
    }

    @Test("P12: a tap says who has the card, and ends so where that does not change")
    func aTapSaysWhoHasTheCard() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let holder = try await Holder(Service.self, "exclusive")
            let me = "(\(ProcessInfo.processInfo.processIdentifier))"
            let bench = try Sandbox.bench().path
            let said = try shell("\(bench) tap --amount 12.50 --reader '\(Sandbox.reader)' --timeout 7")
            #expect(said.components(separatedBy: me).count >= 3, "\(said)")
            #expect(said.contains("Outcome: failed") && !said.contains("timedOut"))
            await holder.end()
        }
    }

    /// P12: a daemon with another protocol version answers the first message with 8010001E.
    @Test func aDaemonOfAnotherVersionIsNamed() async throws {
        let path = "/run/pcscd/other.comm"
        let daemon = """
            import os, socket, struct
            server = socket.socket(socket.AF_UNIX); server.bind("\(path)"); os.chmod("\(path)", 0o777); server.listen()
            while True:
                client, _ = server.accept()
                try:
                    header = client.recv(8)
                    body = client.recv(12)
                    client.sendall(struct.pack("<iiI", 9, 9, 0x8010001E))
                except OSError:
                    pass
                client.close()
            """
        guard try Sandbox.run("/usr/bin/env", ["python3", "-c", ""]) == 0 else {
            print("skipped: no python3 here")
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", daemon]
        try process.run()
        defer {
            process.terminate()
            try? FileManager.default.removeItem(atPath: path)
        }
        while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(5)) }
        let report = try shell("PCSCLITE_CSOCK_NAME=\(path) \(Sandbox.bench().path) readers --json")
        let found = try JSONDecoder().decode(Report.self, from: Data(report.utf8)).findings
        #expect(found.first?.code == "versionMismatch", "\(report)")
    }

    /// Another connection to the card, held as specified by `how`.
    private actor Holder {
        private let thread = ReaderThread()
        private var card: CardConnection?

        init(_ service: Service.Type, _ how: String) async throws {
            let service = try await service.open(on: thread, .system, PCSCLimits())
            let share = how == "exclusive" ? CardConnection.exclusive : CardConnection.shared
            // The driver sees a card only a moment after its arrival.
            var connected: CardConnection?
            while connected == nil {
                connected = try? await service.connect(Sandbox.reader, share: share, protocols: CardConnection.t1)
                if connected == nil { try await Task.sleep(for: .milliseconds(5)) }
            }
            if how == "transaction" { try await connected?.beginTransaction() }
            card = connected
        }

        func end() async {
            await card?.end(.leave)
            card = nil
        }
    }
}
