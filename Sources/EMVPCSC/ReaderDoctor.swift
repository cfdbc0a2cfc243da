// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC
import Foundation

/// Why a reader or a card cannot be used, and the command that fixes it.
public struct ReaderDiagnosis: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case libraryMissing, serviceMissing, serviceStopped, noPermission, serviceFailed
        case kernelModule, noDriver, noReader
        case cardMute, cardInUse, protocolMismatch, cardFailed
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
        for reader in list.readers where reader.card != .none {
            // To a card that others share a connection might wait for their transaction, however long that lasts.
            if reader.isInUse {
                if reader.isExclusive { findings.append(card(PCSCError(code: PCSCError.sharingViolation), reader)) }
            } else if let error = await monitor.difficulty(reader.name) {
                findings.append(card(error, reader))
            }
        }
        return ReaderDiagnosis(readers: list.readers, findings: findings)
    }

    // MARK: - Service

    static func service(_ error: PCSCError, _ system: SystemView) -> Finding {
        #if os(macOS)
        return Finding(
            code: .serviceFailed, text: error.explanation,
            remedy: "Restart the Mac's PC/SC: sudo killall com.apple.ctkpcscd")
        #else
        guard system.hasLibrary else {
            return Finding(
                code: .libraryMissing, text: "libpcsclite is not installed",
                remedy: "sudo apt install pcscd libpcsclite1 libccid")
        }
        if error.code == 0x8010_006A || system.socketIsForbidden {
            return Finding(code: .noPermission, text: "This user may not use pcscd", remedy: polkitRule)
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

    private static let polkitRule = """
        printf '%s\\n' 'polkit.addRule(function(a, s) { \
        if (a.id.indexOf("org.debian.pcsc-lite.") == 0 && s.user == "'"$USER"'") return "yes"; });' \
        | sudo tee /etc/polkit-1/rules.d/50-pcsc.rules
        """

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

    private static func card(_ error: PCSCError, _ reader: ReaderDescription) -> Finding {
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
        var drivers: [String]
    }

    var hasDaemon: Bool {
        ["/usr/sbin/pcscd", "/usr/local/sbin/pcscd", "/usr/bin/pcscd"].contains {
            FileManager.default.fileExists(atPath: root + $0)
        }
    }

    var hasSystemd: Bool { FileManager.default.fileExists(atPath: root + "/run/systemd/system") }

    /// The socket is there, but not for this user.
    var socketIsForbidden: Bool {
        let path = root + "/run/pcscd/pcscd.comm"
        return FileManager.default.fileExists(atPath: path) && !FileManager.default.isWritableFile(atPath: path)
    }

    var modules: Set<String> {
        let text = (try? String(contentsOfFile: root + "/proc/modules", encoding: .utf8)) ?? ""
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
            return Device(
                name: names.isEmpty ? "USB device \(entry)" : names.joined(separator: " "), vendor: vendor.lowercased(),
                isSmartCardReader: isReader, drivers: drivers)
        }
    }

    private func line(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
