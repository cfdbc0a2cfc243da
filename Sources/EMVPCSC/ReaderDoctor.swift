// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC
import Foundation

/// Why a reader or a card cannot be used, and the command that fixes it.
public struct ReaderDiagnosis: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case libraryMissing, serviceMissing, serviceStopped, serviceHangs, noPermission, serviceFailed
        case kernelModule, noDriver, noReader, keyboardMode, readerUnavailable
        case cardMute, cardInUse, cardInTransaction, cardShared, protocolMismatch, cardFailed
        /// Taps work; lights, buzzer and antenna don't.
        case escapesRefused
    }

    public struct Finding: Sendable, Hashable {
        public var code: Code
        /// For a person.
        public var text: String
        /// A command to type, or what to do by hand.
        public var remedy: String
    }

    public var readers: [ReaderDescription]
    /// Empty where nothing is wrong.
    public var findings: [Finding]

    /// Looks at service, devices, drivers and cards. Connects to each card for a moment.
    public static func examine() async -> ReaderDiagnosis {
        await examine(SystemView())
    }

    static func examine(_ system: SystemView) async -> ReaderDiagnosis {
        let monitor = ReaderMonitor()
        let list = await monitor.list()
        var findings: [Finding] = []
        if let error = list.error {
            findings.append(service(error, system))
        }
        findings += devices(system, hasReaders: !list.readers.isEmpty)
        if list.error == nil, list.readers.isEmpty, findings.isEmpty {
            findings.append(
                Finding(
                    code: .noReader, text: "pcscd runs and sees no reader",
                    remedy: "Plug a reader in; lsusb lists it when the system sees it"))
        }
        for reader in list.readers {
            findings += await examine(reader, monitor, system)
        }
        return ReaderDiagnosis(readers: list.readers, findings: findings)
    }

    private static func examine(
        _ reader: ReaderDescription, _ monitor: ReaderMonitor, _ system: SystemView
    ) async -> [Finding] {
        if reader.isUnavailable {
            return [
                Finding(
                    code: .readerUnavailable,
                    text: "\(reader.name): pcscd lists the reader and cannot talk to it",
                    remedy: "Plug the reader out and in again")
            ]
        }
        var findings: [Finding] = []
        if reader.card != .none {
            if reader.isInUse {
                if let hold = await monitor.hold(reader.name) { findings.append(held(hold, reader, system)) }
                return findings
            }
            if let error = await monitor.difficulty(reader.name) { findings.append(card(error, reader)) }
        }
        if let model = ReaderModel(readerName: reader.name), !system.options.allowsEscapes,
            await !monitor.takesEscapes(reader.name, model.version)
        {
            findings.append(
                Finding(
                    code: .escapesRefused,
                    text: "\(reader.name): the driver passes no commands to the reader: no lights, buzzer and antenna",
                    remedy: "sudo sed -i '/<key>ifdDriverOptions/{n;s/0x0000/0x0001/}' \(SystemView.driverOptions) && "
                        + restart(system)))
        }
        return findings
    }

    /// As root, whatever state it is in.
    private static func restart(_ system: SystemView) -> String {
        system.hasSystemd
            ? "sudo systemctl kill -s KILL pcscd; sudo systemctl restart pcscd.socket"
            : "sudo sh -c 'kill -KILL $(cat /run/pcscd/pcscd.pid); rm -f /run/pcscd/pcscd.*; pcscd'"
    }

    // MARK: - Service

    static func service(_ error: PCSCError, _ system: SystemView) -> Finding {
        #if os(macOS)
        // From the makers' texts; never run here (Readers.md).
        if error.code == PCSCError.waitedTooLong {
            return Finding(
                code: .serviceHangs, text: "PC/SC does not answer", remedy: "sudo killall -KILL com.apple.ctkpcscd")
        }
        return Finding(
            code: .serviceFailed,
            text: error.explanation + "; a sandboxed app needs the entitlement com.apple.security.smartcard",
            remedy: "sudo killall com.apple.ctkpcscd")
        #else
        guard system.hasLibrary else {
            return Finding(
                code: .libraryMissing, text: "libpcsclite is not installed",
                remedy: "sudo apt install pcscd libpcsclite1 libccid")
        }
        if error.code == PCSCError.waitedTooLong {
            return Finding(
                code: .serviceHangs, text: "pcscd runs and does not answer", remedy: restart(system))
        }
        if error.code == 0x8010_006A {
            return Finding(
                code: .noPermission,
                text: "pcscd asks polkit, which does not let \(system.user) use it: a service account, or a session "
                    + "without a seat",
                remedy: polkitRule(system.user))
        }
        if system.socketIsForbidden {
            return Finding(
                code: .noPermission, text: "\(system.user) may not write to the socket of pcscd",
                remedy: system.hasSystemd
                    ? "sudo sh -c 'mkdir -p /etc/systemd/system/pcscd.socket.d && "
                        + "printf \"[Socket]\\nSocketMode=0666\\n\" > /etc/systemd/system/pcscd.socket.d/mode.conf && "
                        + "systemctl daemon-reload && systemctl restart pcscd.socket'"
                    : "sudo chmod a+rx /run/pcscd && sudo chmod a+rw /run/pcscd/pcscd.comm")
        }
        guard error.isServiceLoss else {
            return Finding(
                code: .serviceFailed, text: error.explanation, remedy: "sudo systemctl restart pcscd.socket pcscd")
        }
        guard system.hasDaemon else {
            return Finding(
                code: .serviceMissing, text: "pcscd is not installed", remedy: "sudo apt install pcscd libccid")
        }
        return Finding(
            code: .serviceStopped, text: "pcscd is installed and not running",
            remedy: system.hasSystemd ? "sudo systemctl enable --now pcscd.socket" : "sudo pcscd")
        #endif
    }

    private static func polkitRule(_ user: String) -> String {
        """
        printf '%s\\n' 'polkit.addRule(function(action, subject) { \
        if (action.id.indexOf("org.debian.pcsc-lite.") == 0 && subject.user == "\(user)") \
        return polkit.Result.YES; });' | sudo tee /etc/polkit-1/rules.d/50-pcsc.rules
        """
    }

    // MARK: - Devices

    private static func devices(_ system: SystemView, hasReaders: Bool) -> [Finding] {
        var findings: [Finding] = []
        for device in system.usbDevices {
            if let module = device.drivers.first(where: SystemView.nfcModules.contains) {
                let all = SystemView.nfcModules.filter { system.modules.contains($0) || $0 == module }
                let names = all.joined(separator: " ")
                let lines = all.map { "'blacklist \($0)'" }.joined(separator: " ")
                findings.append(
                    Finding(
                        code: .kernelModule, text: "The kernel module \(module) holds \(device.name)",
                        remedy:
                            "sudo modprobe -r \(names) && printf '%s\\n' \(lines) "
                            + "| sudo tee /etc/modprobe.d/blacklist-nfc.conf, then plug the reader out and in"
                    ))
            } else if device.isKeyboardReader {
                // From the maker's manual; never run here.
                findings.append(
                    Finding(
                        code: .keyboardMode,
                        text: "\(device.name) types what it reads, as a keyboard, and is no reader for PC/SC",
                        remedy: "Switch it to CCID in its web page, http://192.168.63.99, then plug it out and in"))
            } else if device.isSmartCardReader, !hasReaders, system.hasDaemon {
                let package = device.vendor == "072f" ? "libacsccid1" : "libccid"
                findings.append(
                    Finding(
                        code: .noDriver, text: "\(device.name) is plugged in and no driver of pcscd takes it",
                        remedy: "sudo apt install \(package) && sudo systemctl restart pcscd"))
            }
        }
        return findings
    }

    // MARK: - Cards

    private static func held(_ hold: ReaderMonitor.Hold, _ reader: ReaderDescription, _ system: SystemView) -> Finding {
        let programs = system.clients
        let names = programs.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        let who = programs.isEmpty ? "another program" : "another program, one of: \(names)"
        let remedy =
            switch programs.count {
            case 0: "Close the other program that uses the card"
            case 1: "kill \(programs[0].id)"
            default:
                "Close the one that uses the card: "
                    + programs.map { "kill \($0.id) (\($0.name))" }.joined(separator: ", ")
            }
        return switch hold {
        case .exclusive:
            Finding(code: .cardInUse, text: "\(reader.name): \(who), has the card for itself", remedy: remedy)
        case .transaction:
            Finding(
                code: .cardInTransaction, text: "\(reader.name): \(who), does not end its transaction with the card",
                remedy: remedy)
        case .shared:
            Finding(
                code: .cardShared,
                text: "\(reader.name): \(who), is connected to the card, which a tap wants for itself", remedy: remedy)
        }
    }

    static func card(_ error: PCSCError, _ reader: ReaderDescription) -> Finding {
        let code: Code =
            switch error.code {
            case PCSCError.sharingViolation: .cardInUse
            case 0x8010_000F: .protocolMismatch
            case 0x8010_0066, 0x8010_0067, 0x8010_0065: .cardMute
            default: .cardFailed
            }
        return Finding(
            code: code, text: "\(reader.name): \(error.explanation)",
            remedy: error.remedy ?? "Take the card away and present it again")
    }
}

/// What the doctor looks at besides PC/SC. `root` stands before every path, for tests.
struct SystemView: Sendable {
    var root = ""
    var hasLibrary = cpcsc_available() != 0

    /// Modules of the kernel that take an NFC reader for themselves, in the order in which they can be removed.
    static let nfcModules = ["pn533_usb", "pn533", "port100", "nfc"]

    struct Device: Sendable, Hashable {
        var name: String
        var vendor: String
        var isSmartCardReader: Bool
        /// A smart card reader by its maker that is a keyboard now.
        var isKeyboardReader = false
        var drivers: [String]
    }

    var hasDaemon: Bool {
        ["/usr/sbin/pcscd", "/usr/local/sbin/pcscd", "/usr/bin/pcscd"].contains {
            FileManager.default.fileExists(atPath: root + $0)
        }
    }

    var hasSystemd: Bool { FileManager.default.fileExists(atPath: root + "/run/systemd/system") }

    /// The socket is there, but not for this user; or its folder is not.
    var socketIsForbidden: Bool {
        let folder = root + "/run/pcscd"
        let files = FileManager.default
        if files.fileExists(atPath: folder), !files.isExecutableFile(atPath: folder) { return true }
        let path = folder + "/pcscd.comm"
        return files.fileExists(atPath: path) && !files.isWritableFile(atPath: path)
    }

    /// Where Debian's libccid has its options.
    static let driverOptions = "/etc/libccid_Info.plist"

    struct DriverOptions {
        var allowsEscapes: Bool
    }

    /// Bit 0 of libccid's `ifdDriverOptions`; no such file: nothing is known, and nothing can be set there.
    var options: DriverOptions {
        guard let text = try? String(contentsOfFile: root + SystemView.driverOptions, encoding: .utf8),
            let key = text.firstRange(of: "<key>ifdDriverOptions</key>"),
            let open = text[key.upperBound...].firstRange(of: "<string>0x"),
            let close = text[open.upperBound...].firstRange(of: "</string>"),
            let number = UInt32(text[open.upperBound..<close.lowerBound], radix: 16)
        else { return DriverOptions(allowsEscapes: true) }
        return DriverOptions(allowsEscapes: number & 1 != 0)
    }

    struct Program: Sendable, Hashable {
        var id: Int32
        var name: String
    }

    /// Other programs that have loaded PC/SC, as far as this user may look.
    var clients: [Program] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: root + "/proc")) ?? []
        return entries.compactMap { Int32($0) }.sorted().compactMap { id in
            let folder = root + "/proc/\(id)"
            guard id != getpid(), let maps = SystemView.read(folder + "/maps"), maps.contains("/libpcsclite.so"),
                let name = SystemView.read(folder + "/comm")?.split(separator: "\n").first.map(String.init)
            else { return nil }
            return Program(id: id, name: name)
        }
    }

    /// All of a file of the kernel, which says that it is empty.
    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The user's name, for a rule.
    var user: String { NSUserName() }

    var modules: Set<String> {
        let text = SystemView.read(root + "/proc/modules") ?? ""
        return Set(text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    var usbDevices: [Device] {
        let folder = root + "/sys/bus/usb/devices"
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return entries.filter { !$0.contains(":") }.sorted().compactMap { entry in
            guard let vendor = line(folder + "/" + entry + "/idVendor") else { return nil }
            let interfaces = entries.filter { $0.hasPrefix(entry + ":") }.map { folder + "/" + $0 }
            let drivers = interfaces.compactMap { interface in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: interface + "/driver"))?
                    .split(separator: "/").last.map(String.init)
            }
            let names = ["manufacturer", "product"].compactMap { line(folder + "/" + entry + "/" + $0) }
            let isReader = interfaces.contains { line($0 + "/bInterfaceClass")?.lowercased() == "0b" }
            let isKeyboard = interfaces.contains { line($0 + "/bInterfaceClass")?.lowercased() == "03" }
            return Device(
                name: names.isEmpty ? "USB device \(entry)" : names.joined(separator: " "), vendor: vendor.lowercased(),
                isSmartCardReader: isReader,
                isKeyboardReader: !isReader && isKeyboard && vendor.lowercased() == "076b", drivers: drivers)
        }
    }

    private func line(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
