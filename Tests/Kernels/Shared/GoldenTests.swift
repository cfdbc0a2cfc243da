// SPDX-License-Identifier: Apache-2.0
import CEMVInternals
import EMVKit
import Foundation
import TestSecrets
import Testing

/// The committed golden taps against the kernel, and against the virtual cards they come from.
@Suite struct GoldenTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Golden").standardizedFileURL

    /// The committed files by their name, without ".txt".
    static func committed() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "txt" }
        return try Dictionary(
            uniqueKeysWithValues: files.map {
                ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
            })
    }

    /// All of them, one behind the other.
    static func all() throws -> Data {
        Data(try committed().sorted { $0.key < $1.key }.map(\.value).joined().utf8)
    }

    /// A golden file in memory of its own.
    final class File {
        private let text: UnsafeMutableBufferPointer<UInt8>
        private let arena: UnsafeMutableRawPointer
        let filePointer = UnsafeMutablePointer<golden_file>.allocate(capacity: 1)
        var file: golden_file { filePointer.pointee }
        let bench = UnsafeMutablePointer<golden_bench>.allocate(capacity: 1)

        init(_ data: Data) throws {
            GoldenTests.useSecrets
            text = .allocate(capacity: max(data.count, 1))
            _ = text.initialize(from: data)
            let size = data.count * 4 + 8_000_000
            arena = .allocate(byteCount: size, alignment: 16)
            let opened = golden_open(filePointer, cemv_bytes(data: text.baseAddress, size: data.count), arena, size)
            try #require(opened, "line \(file.line) is not understood")
        }

        deinit {
            text.deallocate()
            arena.deallocate()
            bench.deallocate()
            filePointer.deallocate()
        }

        static func string(_ bytes: cemv_bytes) -> String {
            String(decoding: UnsafeBufferPointer(start: bytes.data, count: bytes.size), as: UTF8.self)
        }

        /// The end that the kernel gives each tap, in order, and how it went.
        func play() -> [(name: String, verdict: golden_verdict, end: String, expected: String, at: Int)] {
            (0..<file.tap_count).map { index in
                let tap = file.taps + index
                let verdict = golden_play(tap, bench)
                let end = Self.string(golden_line(bench))
                return (Self.string(tap.pointee.name), verdict, end, Self.string(tap.pointee.end), bench.pointee.at)
            }
        }
    }

    @Test func goldenTapsEndAsTheyDid() throws {
        let taps = try File(Self.all()).play()
        #expect(taps.count > 500)
        for tap in taps where tap.verdict != GOLDEN_SAME {
            Issue.record(
                """
                \(tap.name), reply \(tap.at): verdict \(tap.verdict.rawValue)
                  found    \(tap.end)
                  expected \(tap.expected)
                """
            )
        }
    }

    /// Kernel 8's readers compute over the test adapter in C.
    private static let secrets = withUnsafePointer(to: test_secrets) { SecretCrypto(table: UnsafeRawPointer($0)) }

    /// Once, for every file.
    static let useSecrets: Void = golden_secrets(test_golden_crypto(), test_kernel_8())

    private static func opens(_ text: String) -> Bool {
        useSecrets
        let bytes = Array(text.utf8)
        let size = bytes.count * 4 + 8_000_000
        let arena = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { arena.deallocate() }
        var file = golden_file()
        return bytes.withUnsafeBufferPointer {
            golden_open(&file, cemv_bytes(data: $0.baseAddress, size: $0.count), arena, size)
        }
    }

    /// A kernel alone plays its file, and what a file names ends with it.
    @Test func aFileNeedsNoOther() throws {
        for (name, text) in try Self.committed() {
            #expect(Self.opens(text), "\(name)")
            let lines = text.split(separator: "\n")
            let reader = try #require(lines.first { $0.hasPrefix("reader ") }?.split(separator: " ").dropFirst().first)
            let tap = "tap other \(reader) 0 00 1250 0 0978 2 261121 120000 1 00 -\nend -\n"
            #expect(Self.opens(text + tap), "\(name): its reader, before it ends")
            #expect(!Self.opens(text + "file other\n" + tap), "\(name): its reader, after it")
            #expect(Self.opens(text + "r 5 $0\n") && !Self.opens(text + "file other\nr 5 $0\n"), "\(name): its bytes")
        }
    }

    /// What the virtual cards say today is what the file holds. `CEMV_WRITE_GOLDEN=1` (Scripts/golden) writes it anew.
    @Test func goldenTapsAreWhatTheVirtualCardsSay() throws {
        var found: [String: String] = [:]
        for set in GoldenSet.all {
            found.merge(try Self.record(set)) { _, _ in preconditionFailure("a file has one set of scenes") }
        }
        if ProcessInfo.processInfo.environment["CEMV_WRITE_GOLDEN"] != nil {
            for (name, text) in found {
                try text.write(to: Self.folder.appending(path: "\(name).txt"), atomically: true, encoding: .utf8)
            }
        }
        let committed = try Self.committed()
        #expect(found.keys.sorted() == committed.keys.sorted())
        for (name, found) in found where found != committed[name] {
            let lines = zip(found.split(separator: "\n"), (committed[name] ?? "").split(separator: "\n"))
            Issue.record(
                """
                the cards say something else: run Scripts/golden and read the difference. \(name).txt, first line:
                  \(lines.first { $0 != $1 }.map { "\($0.0)" } ?? "")
                """
            )
        }
    }
    /// The files of one set, by their names.
    private static func record(_ set: GoldenSet) throws -> [String: String] {
        var text = GoldenText()
        var configurations: [String: CheckedConfiguration] = [:]
        for reader in set.readers {
            text.add(reader: reader.name, reader.configuration)
            configurations[reader.name] = try CheckedConfiguration(reader.configuration, secrets: Self.secrets)
        }
        var memory = ReaderMemory()
        for var scene in set.scenes {
            if !scene.keepsMemory { memory = ReaderMemory() }
            let replies = try GoldenRecorder.play(&scene, configurations[scene.reader]!, memory: memory)
            text.add(scene, replies)
        }
        let all = try File(Data(text.text.utf8)).play()
        text.prune { all[$0].end }
        let ends = try File(Data(text.text.utf8)).play()
        return text.files(set.file) { ends[$0].end }
    }
}
