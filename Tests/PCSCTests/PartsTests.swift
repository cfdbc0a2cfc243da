// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import Testing

@testable import EMVPCSC

/// Tests that need no pcscd.
@Suite struct PartsTests {
    /// Every PC/SC code with which a connection may fail: one of four findings, the reader's name, a remedy.
    @Test func aCardThatCannotBeConnectedSaysWhy() {
        let reader = ReaderDescription(ReaderState(name: "Reader 7", rawValue: ReaderState.present))
        let known: [UInt32: ReaderDiagnosis.Code] = [
            0x8010_000B: .cardInUse, 0x8010_000F: .protocolMismatch, 0x8010_0065: .cardMute, 0x8010_0066: .cardMute,
            0x8010_0067: .cardMute,
        ]
        for code in PCSCError.knownCodes + [0x8010_7777] {
            let error = PCSCError(code: code)
            let finding = ReaderDiagnosis.card(error, reader)
            #expect(finding.code == known[code] ?? .cardFailed, "\(error)")
            #expect(finding.text == "Reader 7: \(error.explanation)" && !finding.remedy.isEmpty)
        }
    }

    @Test func everyCodeOfTheHeadersHasAMeaning() {
        // SCARD_F_INTERNAL_ERROR … SCARD_E_SERVER_TOO_BUSY without 22, which is SCARD_E_UNEXPECTED on Windows only;
        // then the warnings.
        let expected = [UInt32](0x01...0x31).filter { $0 != 0x22 } + [UInt32](0x65...0x6F)
        #expect(PCSCError.knownCodes == expected.map { 0x8010_0000 | $0 })
        for code in PCSCError.knownCodes {
            let error = PCSCError(code: code)
            #expect(error.name.hasPrefix("SCARD_") && !error.explanation.isEmpty && !error.explanation.hasSuffix("."))
            if case .reader(let fault) = error.meaning { #expect(error.readerFault.code == fault) }
        }
        #expect(PCSCError(code: 0x8010_7777).meaning == .reader(.failed))
    }

    /// An answer of the card is overwritten after it has been passed on, even if the next one is shorter.
    @Test func anAnswerIsOverwritten() async throws {
        let service = FakeService([
            ReaderState(name: "ACS ACR1252 Dual Reader [PICC] 00 00", rawValue: 0x1_0020, atr: CardServer.contactless)
        ])
        let transport = PCSCTransport(.contactless, options: .init(), functions: service.functions)
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(20))) == .card)
        for length in [256, 40, 2] {
            let response = Bytes(repeating: 0x57, count: length - 2) + [0x90, 0x00]
            service.change { $0.response = response }
            #expect(await transport.transceive([0x00, 0xB2, 0x01, 0x0C, 0x00]).bytes == response)
        }
        #expect(service.count("transmit") == 3 && service.change { $0.leftOver } == 0)
    }

    @Test func choosesAReader() {
        let all = [
            "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 01 00", "Generic Card Slot 00 00",
            "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] 00 00",
        ]
        func names(_ choice: PCSCTransport.Choice, _ names: [String]) -> [String] {
            (try? ReaderCandidate.candidates(choice, from: names).get().map(\.name)) ?? []
        }
        func complaint(_ choice: PCSCTransport.Choice, _ names: [String]) -> String {
            if case .failure(let failure) = ReaderCandidate.candidates(choice, from: names) { failure.text } else { "" }
        }
        // The likely reader first, then the possible one; never the SAM.
        #expect(names(.contactless, all) == [all[2], all[1]])
        #expect(names(.contactless, [all[0]]) == [])
        #expect(complaint(.contactless, [all[0]]).contains(all[0]))
        #expect(names(.named("picc"), all) == [all[2]])
        #expect(names(.named(all[0]), all) == [all[0]])
        // If two or no readers match, the error lists the names.
        let ambiguous = complaint(.named("acr1252"), all)
        #expect(ambiguous.contains("2 readers") && ambiguous.contains(all[0]) && ambiguous.contains(all[2]))
        #expect(!ambiguous.contains(all[1]))
        let absent = complaint(.named("omnikey"), all)
        #expect(all.allSatisfy(absent.contains) && absent.contains("omnikey"))
        // The second slot of a contactless reader may be for a SAM: its card decides.
        let slots = try? ReaderCandidate.candidates(
            .contactless,
            from: ["Identiv uTrust 4711 F CL + SAM Reader 00 01", "Identiv uTrust 4711 F CL + SAM Reader 00 00"]
        ).get()
        #expect(slots?.map(\.reason) == [.contactless, .byCard])
        #expect(slots?.first?.name.hasSuffix("00 00") == true)
    }

    /// P13: two readers of one model swap their numbers after a restart; the port does not change.
    @Test func aPortTellsTwoReadersOfOneModelApart() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("ports-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (port, device) in [("1-1", 7), ("1-2.4", 8)] {
            let folder = root + "/sys/bus/usb/devices/" + port
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (file, text) in [("idVendor", "072f"), ("busnum", "1"), ("devnum", "\(device)")] {
                try text.write(toFile: folder + "/" + file, atomically: true, encoding: .utf8)
            }
        }
        let names = ["ACS ACR122U PICC Interface 00 00", "ACS ACR122U PICC Interface 01 00"]
        for isSwapped in [false, true] {
            var functions = FakeService(names.map { ReaderState(name: $0, rawValue: ReaderState.empty) }).functions
            functions.connect = { _, reader, _, _ in (0, reader == names[0] ? 70 : 71, 0) }
            functions.attribute = { card, number in
                number == 0x0002_0110 ? (0, [(card == 70) != isSwapped ? 7 : 8, 1, 0x20, 0]) : (1, [])
            }
            func transport(_ name: String) -> PCSCTransport {
                PCSCTransport(
                    .named(name), options: .init(), functions: functions, system: { SystemView(root: root) })
            }
            for (port, index) in [("usb:1-1", 0), ("usb:1-2.4", 1)] {
                let transport = transport(port)
                #expect(await transport.open() == nil)
                #expect(await transport.readerName == names[isSwapped ? 1 - index : index])
                #expect(await transport.candidate?.explanation.contains(port) == true)
            }
            let fault = await transport("usb:9-9").open()
            #expect(fault?.code == .noReader && fault?.explanation.contains("usb:1-2.4") == true)
            // A reader named by its number gives a warning.
            let named = transport(names[0])
            #expect(await named.open() == nil)
            #expect(await named.candidate?.explanation.contains("may swap") == true)
        }
        // Slots of one reader do not count as identical readers.
        let slots = ["ACS ACR1252 Reader [PICC] 00 00", "ACS ACR1252 Reader [SAM] 00 01"]
        let one = try ReaderCandidate.candidates(.named(slots[0]), from: slots).get()
        #expect(one.first?.hasTwin == false)
    }

    /// The runtime does not retain an executor: an actor may be released with its last job, while the thread that
    /// enqueued the job is still running.
    @Test func anActorMayEndWithItsLastJob() async {
        let service = FakeService()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask { _ = await ReaderMonitor(service.functions).list() }
            }
        }
        #expect(service.count("listReaders") == 1_000)
    }

    @Test func knowsModels() {
        #expect(
            ReaderModel(readerName: "ACS ACR122U PICC Interface 00 00")?.antennaOff == [
                0xFF, 0, 0, 0, 4, 0xD4, 0x32, 1, 0,
            ])
        #expect(
            ReaderModel(readerName: "ACS ACR1252 Dual Reader [PICC] 00 00")?.buzz(for: .milliseconds(200)) == [
                0xE0, 0, 0, 0x28, 1, 20,
            ])
        #expect(ReaderModel(readerName: "Virtual PCD 00 00") == nil)
        // Another model with other commands.
        #expect(ReaderModel(readerName: "ACS ACR1222 3S PICC Reader 00 00") == nil)
    }

    @Test func T0LinkEnds() {
        var link = T0Link([0x00, 0xA4, 0x04, 0x00], speaksT0: true)
        var rounds = 0
        while let command = link.next() {
            #expect(command.count == 5)
            link.received([0x61, 0x01])
            rounds += 1
        }
        #expect(rounds == 300 && link.response == nil)
        // If the card answers a corrected length with that length again, its answer is final.
        link = T0Link([0x00, 0xB2, 0x01, 0x0C, 0x07], speaksT0: true)
        _ = link.next()
        link.received([0x6C, 0x07])
        #expect(link.response == [0x6C, 0x07])
        // T=0 has no extended lengths.
        link = T0Link([0x00, 0xB0, 0x00, 0x00, 0x00, 0x10, 0x00], speaksT0: true)
        #expect(link.next() == nil && link.response == nil)
    }

    #if os(Linux)
    /// Codes of PC/SC and facts of the system, and the doctor's finding.
    @Test(
        arguments: [
            (0x8010_001D, "library", .libraryMissing, "apt install pcscd libpcsclite1"),
            (0x8010_001D, "", .serviceMissing, "apt install pcscd"),
            (0x8010_001D, "/usr/sbin/pcscd", .serviceStopped, "sudo pcscd"),
            (
                0x8010_001D, "/usr/sbin/pcscd /run/systemd/system", .serviceStopped,
                "systemctl enable --now pcscd.socket"
            ),
            (0x8010_0013, "/usr/sbin/pcscd", .serviceStopped, "sudo pcscd"),
            (0x8010_006A, "/usr/sbin/pcscd", .noPermission, "org.debian.pcsc-lite."),
            (0x8010_0006, "/usr/sbin/pcscd", .serviceFailed, "kill -KILL $(cat /run/pcscd/pcscd.pid)"),
            (0x8010_0006, "/usr/sbin/pcscd /run/systemd/system", .serviceFailed, "systemctl restart pcscd"),
            // P12: a daemon with another version answers; a container without a daemon.
            (0x8010_001E, "/usr/sbin/pcscd", .versionMismatch, "--only-upgrade pcscd libpcsclite1"),
            (0x8010_001E, "/.dockerenv", .versionMismatch, "Install in the container"),
            (0x8010_001D, "/.dockerenv", .noServiceInContainer, "-v /run/pcscd:/run/pcscd"),
            (0x8010_001D, "/run/.containerenv /usr/sbin/pcscd", .serviceStopped, "sudo pcscd"),
            (0x8010_0007, "/usr/sbin/pcscd", .serviceHangs, "kill -KILL $(cat /run/pcscd/pcscd.pid)"),
            (
                0x8010_0007, "/usr/sbin/pcscd /run/systemd/system", .serviceHangs,
                "systemctl kill -s KILL pcscd; sudo systemctl restart pcscd.socket"
            ),
        ] as [(UInt32, String, ReaderDiagnosis.Code, String)])
    func namesTheTroubleOfTheService(
        code: UInt32, present: String, expected: ReaderDiagnosis.Code, remedy: String
    ) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for path in present.split(separator: " ") where path.hasPrefix("/") {
            try FileManager.default.createDirectory(atPath: root + path, withIntermediateDirectories: true)
        }
        let finding = ReaderDiagnosis.service(
            PCSCError(code: code), SystemView(root: root, hasLibrary: present != "library"))
        #expect(finding.code == expected && !finding.text.isEmpty)
        #expect(finding.remedy.contains(remedy))
    }

    /// P12: a device that is at USB but not among the readers is named, whatever else is listed; an installed package
    /// is not suggested; without systemd no systemd command is suggested.
    @Test func aReaderThatIsNotListedIsNamed() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        func file(_ path: String, _ text: String) throws {
            let place = URL(fileURLWithPath: root + path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: place, atomically: true, encoding: .utf8)
        }
        func device(_ port: String, _ maker: String, _ product: String, _ address: Int) throws {
            let folder = "/sys/bus/usb/devices/\(port)"
            try file(folder + "/idVendor", maker == "ACS" ? "072f\n" : "04e6\n")
            try file(folder + "/manufacturer", maker)
            try file(folder + "/product", product)
            try file(folder + "/busnum", "1\n")
            try file(folder + "/devnum", "\(address)\n")
            try file(folder + ":1.0/bInterfaceClass", "0b\n")
        }
        try file("/usr/sbin/pcscd", "")
        try device("1-1", "ACS", "ACR122U PICC Interface", 7)
        try device("1-2.4", "Identiv", "uTrust 3700 F CL Reader", 8)
        let system = SystemView(root: root)
        let acs = ReaderDiagnosis.ListedReader(name: "ACS ACR122U PICC Interface 00 00", address: nil)
        let other = ReaderDiagnosis.ListedReader(
            name: "Identiv uTrust 3700 F CL Reader [CCID Interface] 00 00", address: USBAddress(bus: 1, device: 8))
        func found(_ listed: [ReaderDiagnosis.ListedReader], isServed: Bool = true) -> [ReaderDiagnosis.Finding] {
            ReaderDiagnosis.devices(system, listed, isServed: isServed)
        }
        #expect(found([acs, other]).isEmpty)
        #expect(found([acs]).map(\.code) == [.noDriver] && found([acs])[0].text.contains("uTrust 3700"))
        #expect(found([other]).map(\.code) == [.noDriver] && found([other])[0].remedy.contains("libacsccid1"))
        // A reader of this model at another place is another reader.
        let twin = ReaderDiagnosis.ListedReader(name: acs.name, address: USBAddress(bus: 1, device: 9))
        #expect(found([twin, other]).count == 1)
        try file("/usr/lib/x86_64-linux-gnu/pcsc/drivers/ifd-ccid.bundle/Contents/Info.plist", "")
        let unlisted = found([acs])
        #expect(unlisted.map(\.code) == [.readerNotListed])
        #expect(unlisted[0].remedy.contains("pcscd") && !unlisted[0].remedy.contains("apt"))
        #expect(!unlisted[0].remedy.contains("systemctl"))
        #expect(found([acs], isServed: false).isEmpty)
        #expect(system.port(of: USBAddress(bus: 1, device: 8)) == "usb:1-2.4")
        #expect(system.port(of: USBAddress(bus: 2, device: 8)) == nil && system.port(of: nil) == nil)
        try file("/run/systemd/system/x", "")
        #expect(found([acs])[0].remedy.contains("systemctl"))
    }

    @Test func findsTheModuleThatHoldsAReader() async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        func file(_ path: String, _ text: String) throws {
            let place = URL(fileURLWithPath: root + path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: place, atomically: true, encoding: .utf8)
        }
        try file("/usr/sbin/pcscd", "")
        try file("/proc/modules", "pn533_usb 20480 0 - Live\npn533 45056 1 pn533_usb, Live\nnfc 139264 1 pn533, Live\n")
        try file("/sys/bus/usb/devices/1-2/idVendor", "072f\n")
        try file("/sys/bus/usb/devices/1-2/product", "ACR122U PICC Interface\n")
        try file("/sys/bus/usb/devices/1-2:1.0/bInterfaceClass", "0b\n")
        let system = SystemView(root: root)
        #expect(system.usbDevices.map(\.isSmartCardReader) == [true])
        var findings = await ReaderDiagnosis.examine(system).findings
        #expect(findings.contains { $0.code == .noDriver && $0.remedy.contains("libacsccid1") } || Sandbox.isThere)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/sys/bus/usb/devices/1-2:1.0/driver",
            withDestinationPath: "../../../../bus/usb/drivers/pn533_usb")
        findings = await ReaderDiagnosis.examine(system).findings
        let held = try #require(findings.first { $0.code == .kernelModule })
        #expect(held.remedy.contains("modprobe -r pn533_usb pn533 nfc"))
    }
    #endif
}
