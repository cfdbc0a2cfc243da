// SPDX-License-Identifier: Apache-2.0
import CEMVInternals
import EMVKit
import Foundation
import Testing

/// The committed golden taps against the kernel, and against the virtual cards they come from.
@Suite struct GoldenTests {
    static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Golden/taps.txt")

    /// A golden file in memory of its own.
    final class File {
        private let text: UnsafeMutableBufferPointer<UInt8>
        private let arena: UnsafeMutableRawPointer
        let filePointer = UnsafeMutablePointer<golden_file>.allocate(capacity: 1)
        var file: golden_file { filePointer.pointee }
        let bench = UnsafeMutablePointer<golden_bench>.allocate(capacity: 1)

        init(_ data: Data) throws {
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
        let taps = try File(Data(contentsOf: Self.url)).play()
        #expect(taps.count > 500)
        for tap in taps where tap.verdict != GOLDEN_SAME {
            Issue.record(
                "\(tap.name), reply \(tap.at): verdict \(tap.verdict.rawValue)\n  found    \(tap.end)\n  expected \(tap.expected)"
            )
        }
    }

    /// What the virtual cards say today is what the file holds. `CEMV_WRITE_GOLDEN=1` (Scripts/golden) writes it anew.
    @Test func goldenTapsAreWhatTheVirtualCardsSay() throws {
        var text = GoldenText()
        var configurations: [String: CheckedConfiguration] = [:]
        for reader in GoldenScenes.readers {
            text.add(reader: reader.name, reader.configuration)
            configurations[reader.name] = try CheckedConfiguration(reader.configuration)
        }
        var memory = ReaderMemory()
        for var scene in GoldenScenes.all {
            if !scene.keepsMemory { memory = ReaderMemory() }
            let replies = try GoldenRecorder.play(&scene, configurations[scene.reader]!, memory: memory)
            text.add(scene, replies)
        }
        let all = try File(Data(text.text { _ in "-" }.utf8)).play()
        text.prune { all[$0].end }
        let ends = try File(Data(text.text { _ in "-" }.utf8)).play()
        let found = text.text { ends[$0].end }
        if ProcessInfo.processInfo.environment["CEMV_WRITE_GOLDEN"] != nil {
            try found.write(to: Self.url, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: Self.url, encoding: .utf8)
        if found != committed {
            let lines = zip(found.split(separator: "\n"), committed.split(separator: "\n")).first { $0 != $1 }
            Issue.record(
                "the cards say something else: run Scripts/golden and read the difference. First line:\n  \(lines.map { "\($0.0)" } ?? "")"
            )
        }
    }
}
