// SPDX-License-Identifier: Apache-2.0
// Card data that remain in the memory of a POS. The POS is a separate process (`memory-pos`). The cards, the PIN, the
// sealer's key and the search are in this process, so anything found there came through a tap.
#if os(Linux)
import Foundation
import Testing

@testable import EMVCards
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS
@testable import EMVSimulator

/// Cards that no other test uses, with an account for each scheme, and the forms in which the accounts could be in
/// memory.
enum FarCard {
    /// Leading digits of the scheme: an account of another brand ends the tap.
    private static let accounts = [
        "4929135792468013": ["online", "fdda", "decline", "onlinePIN", "issuerUpdate"],
        "5413579246801357": ["mcOnline", "mcOffline", "mcDecline", "mcStripe", "mcTorn"],
        "377935792468013": ["amexOnline", "amexOffline"],
        "3530579246801357": ["k5-online", "k5-offline"],
        "6011579246801353": ["dpasOnline", "dpasOffline"],
        "6222579246801357": ["upOnline", "upOffline"],
    ]
    private static let discretionary = "0098765432"

    /// Every kernel but 8; online, approved offline, declined, PIN, mag-stripe, update by the issuer, torn.
    static let all: [CardProfile] = accounts.sorted { $0.key < $1.key }.flatMap { account, names in
        names.compactMap { name in
            var profile = CardProfile.named(name)
            profile?.application.pan = account
            profile?.application.discretionaryData = discretionary
            return profile
        }
    }
    static let count = accounts.values.reduce(0) { $0 + $1.count }

    /// Packed digits in both alignments, one byte per digit, and text with one and with two bytes per character. Each
    /// has digits that no mask shows, and at least five bytes, because shorter ones would occur by chance.
    static let needles: [Bytes] = {
        let runs: [String] = accounts.keys.sorted().map { String($0.dropFirst(3).prefix(11)) } + [discretionary]
        var needles: [Bytes] = []
        for run in runs {
            let digits: Bytes = run.utf8.map { $0 & 0xF }
            let text = Bytes(run.utf8)
            for bytes in [FarCard.packed(digits), FarCard.packed(digits, from: 1)] where bytes.count >= 5 {
                needles.append(bytes)
            }
            needles.append(digits)
            needles.append(text)
            needles.append(text.flatMap { [$0, 0] as Bytes })
        }
        return needles
    }()

    /// Two digits per byte.
    static func packed(_ digits: Bytes, from start: Int = 0) -> Bytes {
        stride(from: start, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The initial key of the sealer's device.
    static let key: Bytes = [
        0xA7, 0x31, 0x5C, 0xE2, 0x90, 0x4D, 0xB8, 0x16, 0x6F, 0xD3, 0x2A, 0x85, 0xF9, 0x0E, 0x74, 0xCB,
    ]
    static let pin: Bytes = [
        0x4B, 0x92, 0xD1, 0x0F, 0xE8, 0x37, 0xA6, 0x5D, 0x13, 0xC9, 0x7E, 0x80, 0x2D, 0xF4, 0x61, 0xBA,
    ]
}

/// Finds any of several byte strings in one pass.
struct Needles {
    struct Hit: Hashable, CustomStringConvertible {
        /// The address of the first byte found.
        let address: UInt
        let needle: Int
        let count: Int
        /// The kind of mapping.
        var place = ""
        var description: String { "\(needle) at \(String(address, radix: 16)) \(place)" }
    }

    private let needles: [Bytes]
    /// Indices by the first two bytes.
    private var starts: [UInt16: [Int]] = [:]
    private var isStart = [Bool](repeating: false, count: 65_536)

    init(_ needles: [Bytes]) {
        self.needles = needles
        for (number, needle) in needles.enumerated() {
            let start = UInt16(needle[0]) << 8 | UInt16(needle[1])
            starts[start, default: []].append(number)
            isStart[Int(start)] = true
        }
    }

    func hits(in bytes: UnsafeRawBufferPointer, at address: UInt) -> [Hit] {
        guard bytes.count >= 2, let base = bytes.baseAddress else { return [] }
        var hits: [Hit] = []
        isStart.withUnsafeBufferPointer { isStart in
            var at = 0
            while at < bytes.count - 1 {
                // Most of a process's memory is zero.
                if at % 8 == 0, at + 9 <= bytes.count, base.load(fromByteOffset: at, as: UInt64.self) == 0 {
                    at += 8
                    continue
                }
                let start = UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
                if isStart[Int(start)] {
                    for number in starts[start] ?? [] where bytes.count - at >= needles[number].count {
                        if needles[number].indices.allSatisfy({ bytes[at + $0] == needles[number][$0] }) {
                            hits.append(
                                Hit(address: address + UInt(at), needle: number, count: needles[number].count))
                        }
                    }
                }
                at += 1
            }
        }
        return hits
    }
}

/// The program `memory-pos`, and the cards presented to it.
final class FarPOS {
    /// In the build directory of the tests.
    static let program: URL? = {
        var places = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        places += [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap { $0 }
        return places.map { $0.deletingLastPathComponent().appendingPathComponent("memory-pos") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    static let kinds = 4
    static let taps = kinds * FarCard.count

    let directory: URL
    private let process = Process(), toPOS = Pipe(), fromPOS = Pipe()
    private(set) var words: [String] = []
    /// The address ranges of the arrays that the program holds.
    private(set) var held: [Range<UInt>] = []
    private(set) var pins = 0

    init(_ way: String, _ environment: [String: String] = [:]) throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("memory-\(ReconciliationKey().rawValue)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // Each card is used in each kind of tap.
        let program: URL = try #require(FarPOS.program, "memory-pos was not built")
        process.executableURL = program
        process.arguments = [way, "\(FarPOS.taps)", directory.path]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = directory
        process.standardInput = toPOS
        process.standardOutput = fromPOS
        process.standardError = FileHandle.nullDevice
        try process.run()
        try serve()
    }

    deinit {
        // SIGKILL, because the child may ignore other signals.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    private func take(_ count: Int) throws -> Bytes {
        var taken = Bytes()
        while taken.count < count {
            let part = try #require(
                try fromPOS.fileHandleForReading.read(upToCount: count - taken.count), "memory-pos ended: \(words)")
            try #require(!part.isEmpty, "memory-pos ended: \(words)")
            taken += part
        }
        return taken
    }

    private func answer(_ kind: Unicode.Scalar, _ bytes: Bytes = []) throws {
        let head = [UInt8(ascii: kind), UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        try toPOS.fileHandleForWriting.write(contentsOf: Data(head + bytes))
    }

    /// Serves the program until it is done.
    private func serve() throws {
        var tap = -1, card: VirtualCard?
        while true {
            let head = try take(3)
            let bytes = try take(Int(head[1]) << 8 | Int(head[2]))
            switch Unicode.Scalar(head[0]) {
            case "B":
                tap += 1
                card = VirtualCard(FarCard.all[tap / FarPOS.kinds % FarCard.all.count])
                try answer("o")
            case "P":
                card?.reset()
                try answer("c")
            case "C": try answer("r", card?.respond(to: bytes) ?? [0x6F, 0x00])
            case "N":
                pins += 1
                try answer("n", FarCard.pin)
            case "K": try answer("k", FarCard.key)
            case "W": words.append(String(decoding: bytes, as: UTF8.self))
            case "H":
                let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { UInt($0) }
                held.append(numbers[0]..<numbers[0] + numbers[1])
            case "S": return
            default: Issue.record("memory-pos says \(head)")
            }
        }
    }

    /// Searches the writable memory: heap, stacks, anonymous mappings and the data of its files.
    func search(_ needles: [Bytes]) throws -> (hits: [Needles.Hit], size: Int) {
        let search = Needles(needles)
        let memory = open("/proc/\(process.processIdentifier)/mem", O_RDONLY)
        try #require(memory >= 0, "no access to the memory of a child")
        defer { close(memory) }
        let maps = try String(contentsOfFile: "/proc/\(process.processIdentifier)/maps", encoding: .utf8)
        var hits: [Needles.Hit] = [], size = 0
        let step = 1 << 20, overlap = 64
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: step + overlap, alignment: 16)
        defer { room.deallocate() }
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), range.count == 2 else { continue }
            var at = range[0]
            while at < range[1] {
                let wanted = min(step + overlap, Int(range[1] - at))
                let count = pread(memory, room.baseAddress, wanted, off_t(at))
                guard count > 0 else { break }
                size += min(count, step)
                let name = fields.count > 5 ? String(fields[5]) : "anonymous"
                hits += search.hits(in: UnsafeRawBufferPointer(rebasing: room[..<count]), at: at).map {
                    var hit = $0
                    hit.place = "\(name), \(line.prefix(26))"
                    return hit
                }
                at += UInt(step)
            }
        }
        return (Array(Set(hits)).sorted { $0.address < $1.address }, size)
    }

    /// Makes the program abort, and returns the core dump that the system writes.
    func dump() throws -> Data {
        try answer("a")
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGABRT)
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        let core = try #require(files.first { $0.lastPathComponent.hasPrefix("core") }, "no core dump: \(files)")
        return try Data(contentsOf: core)
    }

    /// Whether the system writes core dumps where this process can find them.
    static let writesDumps: Bool = {
        var size = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &size)
        let pattern = (try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)) ?? "|"
        return size.rlim_max == rlim_t.max && pattern.hasPrefix("core")
    }()
}

@Suite struct ProcessMemoryTests {
    @Test func theSearchFindsEveryForm() {
        for profile in FarCard.all {
            let account = profile.application.pan, track = profile.application.track2Object.value
            let digits: Bytes = account.utf8.map { $0 & 0xF }
            let wide: Bytes = account.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as Bytes }
            let forms: [Bytes] = [
                track, [0x70] + track, Bytes(account.utf8), digits, wide,
                FarCard.packed([0] + digits),
            ]
            for (number, form) in forms.enumerated() {
                let hits = form.withUnsafeBytes { Needles(FarCard.needles).hits(in: $0, at: 0) }
                #expect(!hits.isEmpty, "\(profile.name) \(number)")
            }
        }
        let masked = Bytes("541357******1357 9801".utf8)
        #expect(masked.withUnsafeBytes { Needles(FarCard.needles).hits(in: $0, at: 0) }.isEmpty)
    }

    /// Account data that an app holds are only in the arrays that it holds.
    @Test func whatIsHeldIsInItsArraysAlone() throws {
        let pos = try FarPOS("hold")
        #expect(FarCard.all.count == FarCard.count && pos.words.count == FarPOS.taps && pos.pins > 0)
        let found = try pos.search(FarCard.needles)
        #expect(!found.hits.isEmpty)
        let elsewhere = found.hits.filter { hit in !pos.held.contains { $0.contains(hit.address) } }
        #expect(elsewhere.isEmpty, "\(elsewhere.count) of \(found.hits.count)")
    }

    /// After every result has been dropped, no account is anywhere in memory, as the allocator leaves it.
    @Test func whatIsReleasedIsGone() throws {
        let pos = try FarPOS("release")
        let found = try pos.search(FarCard.needles + [FarCard.key])
        #expect(found.hits.isEmpty, "\(found.hits.count) in \(found.size) bytes")
    }

    /// Values that an app requested belong to the app; the allocator overwrites them if configured to do so.
    @Test func whatAnAppAskedForIsGoneWhereFreedMemoryIsOverwritten() throws {
        let pos = try FarPOS("ask", ["GLIBC_TUNABLES": "glibc.malloc.perturb=85:glibc.malloc.tcache_count=0"])
        let found = try pos.search(FarCard.needles + [FarCard.key])
        #expect(found.hits.isEmpty, "\(found.hits.count) in \(found.size) bytes")
    }

    @Test(
        .enabled(if: FarPOS.writesDumps, "core dumps go elsewhere, or are forbidden"), arguments: ["hold", "release"])
    func aCoreDumpHasWhatIsHeldAlone(way: String) throws {
        let dump = try FarPOS(way).dump()
        let hits = dump.withUnsafeBytes { Needles(FarCard.needles + [FarCard.key]).hits(in: $0, at: 0) }
        #expect(hits.isEmpty == (way == "release"), "\(hits.count) in \(dump.count) bytes")
    }
}
#endif
