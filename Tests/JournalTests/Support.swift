// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVJournal
import EMVKit
import EMVSimulator
import Foundation
import Testing

// EMVJournal.md
func readerWithJournal(_ transport: some CardTransport, _ configuration: Configuration, file: String) -> TapReader {
    let journal = SQLiteJournal(path: file)
    return TapReader(transport, configuration: configuration, options: .init(journal: journal))
}

/// A directory that is removed with its last reference; in memory if that is sufficient.
final class Place: Sendable {
    let directory: URL
    var journal: String { directory.appendingPathComponent("journal.sqlite").path }
    var host: String { directory.appendingPathComponent("host").path }

    init(onDisk: Bool = false) throws {
        let memory = "/dev/shm"
        let root =
            !onDisk && FileManager.default.isWritableFile(atPath: memory)
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        directory = root.appendingPathComponent("journal-\(ReconciliationKey().rawValue)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    func open(
        knobs: SQLiteJournal.Knobs = SQLiteJournal.Knobs(),
        _ change: (inout SQLiteJournal.Options) -> Void = { _ in }
    ) async throws -> SQLiteJournal {
        var options = SQLiteJournal.Options(ballast: 0)
        change(&options)
        let journal = SQLiteJournal(path: self.journal, options: options, knobs: knobs)
        _ = try await journal.open()
        return journal
    }

    /// Keys and results as reported to the app.
    func told() -> [(key: ReconciliationKey, word: String)] {
        let text = (try? String(contentsOfFile: path("told"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map { String($0) }
            return ReconciliationKey(rawValue: words[0]).map { ($0, words[1]) }
        }
    }
}

/// The program `journal-pos`.
struct POSProcess {
    /// In the directory of the tests; `nil` if it was not built.
    static let program: URL? = {
        var places = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        places += [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap { $0 }
        return places.map { $0.deletingLastPathComponent().appendingPathComponent("journal-pos") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    struct End {
        /// 0 if a signal ended it.
        let status: Int32
        let signal: Int32
        let output: String

        /// The number after a word.
        func number(_ word: String) -> Int? {
            let words = output.split(whereSeparator: \.isWhitespace)
            return words.firstIndex(of: word[...]).flatMap { words.indices.contains($0 + 1) ? Int(words[$0 + 1]) : nil }
        }
    }

    static func run(
        _ words: [String], _ environment: [String: String] = [:], through wrapper: [String] = []
    ) throws -> End {
        let process = Process(), output = Pipe()
        let program = try #require(program, "journal-pos was not built").path
        let all = wrapper + [program] + words
        process.executableURL = URL(fileURLWithPath: all[0])
        process.arguments = Array(all.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return End(
            status: isSignal ? 0 : process.terminationStatus, signal: isSignal ? process.terminationStatus : 0,
            output: text)
    }
}

enum Payments {
    static let moment = LocalTime.now()
    static func euro(_ units: UInt64) -> Money { Money(minorUnits: units, currency: .eur) }
    static func key(_ number: Int) -> ReconciliationKey { ReconciliationKey(rawValue: "payment-\(number)")! }

    static func began(_ number: Int = 0, sale: String? = nil) -> JournalEvent {
        .began(
            TapIntent(
                sale: sale.flatMap { SaleReference(rawValue: $0) }, amount: euro(UInt64(100 + number)),
                counter: UInt32(number + 1), moment: moment))
    }

    static func read(_ number: Int = 0, secret: String = "sealed") -> StoredRead {
        StoredRead(
            authorization: .onlineRequired, cvm: .none, maskedPAN: nil,
            clearRecord: CardData([
                0x9F, 0x26, 0x02, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
            ]),
            payload: SealedPayload(
                scheme: secret, keyIdentifier: [1],
                ciphertext: Bytes(repeating: UInt8(truncatingIfNeeded: number), count: 40)),
            fingerprint: Fingerprint(rawValue: "card-\(secret)-\(number)"))
    }

    /// The events up to the approval.
    static func approve(_ number: Int, _ journal: SQLiteJournal, sale: String? = nil) async throws {
        let key = key(number)
        try await journal.append([began(number, sale: sale)], to: key)
        try await journal.append([.read(read(number)), .asking(attempt: 1, deadline: .seconds(30))], to: key)
        try await journal.append([.answered(.approved(Approval(code: "\(number)")))], to: key)
    }

    static func close(_ number: Int, _ journal: SQLiteJournal) async throws {
        try await journal.append([.acknowledged, .closed, .erased(.account)], to: key(number))
    }

    static func queue(_ number: Int, _ journal: SQLiteJournal) async throws {
        let key = key(number)
        try await journal.append([began(number)], to: key)
        try await journal.append([.read(read(number)), .asking(attempt: 1, deadline: .seconds(30))], to: key)
        try await journal.append([.queued(.deferredAuthorization)], to: key)
    }
}

/// A clock that never advances.
struct StillClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
#endif
