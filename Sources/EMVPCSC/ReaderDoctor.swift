// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC
import Foundation

/// Why a reader or a card cannot be used, and the command that fixes it.
public struct ReaderDiagnosis: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case libraryMissing, serviceMissing, serviceStopped, serviceHangs, noPermission, serviceFailed
        /// Library and service use different versions of their protocol.
        case versionMismatch
        /// The container has neither a service nor access to the socket of its host's service.
        case noServiceInContainer
        /// `readerNotListed`: the reader is on USB, its driver is installed, but the service does not list it.
        case kernelModule, noDriver, noReader, readerNotListed, keyboardMode, readerUnavailable
        case cardMute, cardInUse, cardInTransaction, cardShared, protocolMismatch, cardFailed
        /// Taps work, but lights, buzzer and antenna control do not.
        case escapesRefused
    }

    public struct Finding: Sendable, Hashable {
        public var code: Code
        /// A description for people.
        public var text: String
        /// A command to type, or a manual step.
        public var remedy: String
    }

    public var readers: [ReaderDescription]
    /// The problems found; empty if there are none.
    public var findings: [Finding]

    /// Checks service, devices, drivers and cards. Connects to each card for a moment.
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
        var listed: [ListedReader] = []
        for reader in list.readers {
            listed.append(ListedReader(name: reader.name, address: await monitor.usbAddress(reader.name)))
        }
        findings += devices(system, listed, isServed: list.error == nil)
        if list.error == nil, list.readers.isEmpty, findings.isEmpty {
            findings.append(
                Finding(
                    code: .noReader, text: "pcscd runs and sees no reader",
                    remedy: "Plug a reader in; lsusb lists it when the system sees it"))
        }
        for reader in list.readers {
            findings += await examine(reader, monitor, system)
        }
        if system.runsAsRootWithoutSudo {
            for index in findings.indices { findings[index].remedy.replace("sudo ", with: "") }
        }
        var readers = list.readers
        for index in readers.indices { readers[index].port = system.port(of: listed[index].address) }
        return ReaderDiagnosis(readers: readers, findings: findings)
    }

    private static func examine(
        _ reader: ReaderDescription, _ monitor: ReaderMonitor, _ system: SystemView
    ) async -> [Finding] {
        if reader.isUnavailable {
            return [
                Finding(
                    code: .readerUnavailable,
                    text: "\(reader.name): pcscd lists the reader and cannot talk to it",
                    remedy: "Unplug the reader and plug it in again")
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

    /// The command, as root, that restarts the service from any state.
    private static func restart(_ system: SystemView) -> String {
        system.hasSystemd
            ? "sudo systemctl kill -s KILL pcscd; sudo systemctl restart pcscd.socket"
            : "sudo sh -c 'kill -KILL $(cat /run/pcscd/pcscd.pid); rm -f /run/pcscd/pcscd.*; pcscd'"
    }

    // MARK: - Service

    static func service(_ error: PCSCError, _ system: SystemView) -> Finding {
        #if os(macOS)
        // Taken from the makers' documents; never run here (Readers.md).
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
        // A running daemon answers a new connection with this code; without a daemon the code is 8010001D.
        if error.code == PCSCError.serviceStopped {
            return Finding(
                code: .versionMismatch,
                text: "pcscd answers, and its protocol has another version than libpcsclite's here",
                remedy: system.isContainer
                    ? "Install in the container the version of pcsc-lite that the host has: pcscd --version, and in "
                        + "the container apt-cache policy libpcsclite1"
                    : "sudo apt install --only-upgrade pcscd libpcsclite1 && \(restart(system))")
        }
        guard error.isServiceLoss else {
            return Finding(code: .serviceFailed, text: error.explanation, remedy: restart(system))
        }
        guard system.hasDaemon else {
            if system.isContainer {
                return Finding(
                    code: .noServiceInContainer,
                    text: "This container has neither a pcscd nor the socket of its host's",
                    remedy:
                        "Start the container with the host's socket: docker run -v /run/pcscd:/run/pcscd … (host and "
                        + "container need the same version of pcsc-lite)")
            }
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

    /// A reader in PC/SC's list.
    struct ListedReader: Sendable, Hashable {
        let name: String
        /// `nil` if it is not known.
        let address: USBAddress?

        /// Compares the positions on USB; if the position is unknown, compares a word of the product name.
        func isAt(_ device: SystemView.Device) -> Bool {
            if let address { return address == device.address }
            func words(_ text: String) -> Set<Substring> {
                Set(text.uppercased().split { !$0.isLetter && !$0.isNumber })
            }
            let known = words(name).subtracting(["READER", "SMART", "CARD", "SMARTCARD", "USB", "INTERFACE", "CCID"])
            let maker = words(device.maker ?? "")
            return !known.subtracting(maker).filter { $0.count > 2 }.isDisjoint(with: words(device.name))
        }
    }

    /// - Parameter isServed: whether the service has answered, so that its list of readers is valid.
    static func devices(_ system: SystemView, _ listed: [ListedReader], isServed: Bool) -> [Finding] {
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
                            + "| sudo tee /etc/modprobe.d/blacklist-nfc.conf, then unplug and plug in the reader"
                    ))
            } else if device.isKeyboardReader {
                // Taken from the maker's manual; never run here.
                findings.append(
                    Finding(
                        code: .keyboardMode,
                        text: "\(device.name) types what it reads, as a keyboard, and is no reader for PC/SC",
                        remedy:
                            "Switch it to CCID in its web page, http://192.168.63.99, then unplug it and plug it in "
                            + "again"))
            } else if device.isSmartCardReader, system.hasDaemon, !listed.contains(where: { $0.isAt(device) }) {
                let isACS = device.vendor == "072f"
                let (package, bundle) =
                    isACS ? ("libacsccid1", "ifd-acsccid.bundle") : ("libccid", "ifd-ccid.bundle")
                if !system.hasDriver(bundle) {
                    findings.append(
                        Finding(
                            code: .noDriver, text: "\(device.name) is plugged in and no driver of pcscd takes it",
                            remedy: "sudo apt install \(package) && \(restart(system))"))
                } else if isServed {
                    findings.append(
                        Finding(
                            code: .readerNotListed,
                            text:
                                "\(device.name) is plugged in, its driver \(package) is installed, and pcscd does not "
                                + "list it",
                            remedy: restart(system)))
                }
            }
        }
        return findings
    }

    // MARK: - Cards

    private static func held(_ hold: ReaderMonitor.Hold, _ reader: ReaderDescription, _ system: SystemView) -> Finding {
        let (who, remedy) = holder(system)
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

    /// The program that may hold the card, and how to release it.
    static func holder(_ system: SystemView) -> (who: String, remedy: String) {
        let programs = system.clients
        let names = programs.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
        return switch programs.count {
        case 0: ("another program", "Close the other program that uses the card")
        case 1: ("another program, \(names)", "kill \(programs[0].id)")
        default:
            (
                "another program, one of: \(names)",
                "Close the one that uses the card: "
                    + programs.map { "kill \($0.id) (\($0.name))" }.joined(separator: ", ")
            )
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

/// The USB address of a device, valid until it is plugged in again.
struct USBAddress: Sendable, Hashable {
    var bus: UInt8
    var device: UInt8
}

/// The parts of the system that the doctor checks in addition to PC/SC. `root` is put before every path, for tests.
struct SystemView: Sendable {
    var root = ""
    var hasLibrary = cpcsc_available() != 0

    /// Kernel modules that claim an NFC reader, in the order in which they can be removed.
    static let nfcModules = ["pn533_usb", "pn533", "port100", "nfc"]

    struct Device: Sendable, Hashable {
        var name: String
        var maker: String?
        var vendor: String
        /// The port in the kernel's notation: `1-2.4`. It does not change while the reader stays plugged in there.
        var port = ""
        var address: USBAddress?
        var isSmartCardReader: Bool
        /// Whether the device has the vendor of a smart card reader but is a keyboard now.
        var isKeyboardReader = false
        var drivers: [String]
    }

    var hasDaemon: Bool {
        ["/usr/sbin/pcscd", "/usr/local/sbin/pcscd", "/usr/bin/pcscd"].contains {
            FileManager.default.fileExists(atPath: root + $0)
        }
    }

    var hasSystemd: Bool { FileManager.default.fileExists(atPath: root + "/run/systemd/system") }

    /// Whether this is Docker, Podman, LXC or Kubernetes.
    var isContainer: Bool {
        let files = FileManager.default
        if ["/.dockerenv", "/run/.containerenv"].contains(where: { files.fileExists(atPath: root + $0) }) {
            return true
        }
        if SystemView.read(root + "/run/systemd/container") != nil { return true }
        let groups = SystemView.read(root + "/proc/1/cgroup") ?? ""
        return ["docker", "kubepods", "/lxc/", "libpod"].contains(where: groups.contains)
    }

    /// Whether remedies omit `sudo`.
    var runsAsRootWithoutSudo: Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return geteuid() == 0
            && !path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/sudo") }
    }

    /// Whether pcscd has this driver bundle.
    func hasDriver(_ bundle: String) -> Bool {
        let files = FileManager.default
        let libraries = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        let places =
            libraries
            + ((try? files.contentsOfDirectory(atPath: root + "/usr/lib")) ?? []).filter { $0.contains("-linux-") }
            .map { "/usr/lib/" + $0 }
        return places.contains { files.fileExists(atPath: root + $0 + "/pcsc/drivers/" + bundle) }
    }

    /// Whether the socket exists but this user has no access to it or to its folder.
    var socketIsForbidden: Bool {
        let folder = root + "/run/pcscd"
        let files = FileManager.default
        if files.fileExists(atPath: folder), !files.isExecutableFile(atPath: folder) { return true }
        let path = folder + "/pcscd.comm"
        return files.fileExists(atPath: path) && !files.isWritableFile(atPath: path)
    }

    /// The file with the options of Debian's libccid.
    static let driverOptions = "/etc/libccid_Info.plist"

    struct DriverOptions {
        var allowsEscapes: Bool
    }

    /// Bit 0 of libccid's `ifdDriverOptions`. Without the file, the option is unknown and cannot be set there.
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

    /// Other programs that have loaded PC/SC, as far as this user can see them.
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

    /// Reads a whole file of the kernel, which reports a size of 0.
    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// The user's name, for an access rule.
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
            let maker = line(folder + "/" + entry + "/manufacturer")
            let names = [maker, line(folder + "/" + entry + "/product")].compactMap(\.self)
            let bus = line(folder + "/" + entry + "/busnum").flatMap { UInt8($0) }
            let number = line(folder + "/" + entry + "/devnum").flatMap { UInt8($0) }
            let isReader = interfaces.contains { line($0 + "/bInterfaceClass")?.lowercased() == "0b" }
            let isKeyboard = interfaces.contains { line($0 + "/bInterfaceClass")?.lowercased() == "03" }
            return Device(
                name: names.isEmpty ? "USB device \(entry)" : names.joined(separator: " "), maker: maker,
                vendor: vendor.lowercased(), port: entry,
                address: bus.flatMap { bus in number.map { USBAddress(bus: bus, device: $0) } },
                isSmartCardReader: isReader,
                isKeyboardReader: !isReader && isKeyboard && vendor.lowercased() == "076b", drivers: drivers)
        }
    }

    /// The port of the device with this address, as `usb:1-2.4`.
    func port(of address: USBAddress?) -> String? {
        guard let address else { return nil }
        return usbDevices.first { $0.address == address }.map { SystemView.portPrefix + $0.port }
    }

    static let portPrefix = "usb:"

    private func line(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
