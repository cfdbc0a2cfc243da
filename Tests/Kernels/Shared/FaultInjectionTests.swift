// SPDX-License-Identifier: Apache-2.0
import CEMVInternals
import Foundation
import Testing

/// Fault injection and kept fuzzing finds, as ordinary tests. `Scripts/taps` and `Scripts/fuzz` run longer.
@Suite struct FaultInjectionTests {
    /// Exactly one outcome, nothing forged approved, terminal data untouched, memory wiped: whatever happens to what
    /// the card says.
    @Test func everyFaultEndsInOneSafeOutcome() throws {
        let golden = try GoldenTests.File(GoldenTests.all())
        let run = UnsafeMutablePointer<fault_run>.allocate(capacity: 1)
        defer { run.deallocate() }
        faults_open(run, golden.filePointer, golden.bench)
        var random: UInt64 = 2026
        var ends: [UInt8: Int] = [:]
        for _ in 0..<20_000 {
            var given = fault_case_random(golden.filePointer, &random)
            let verdict = faults_run(run, &given)
            ends[run.pointee.status, default: 0] += 1
            if verdict != FAULT_HELD {
                Issue.record(
                    "\(String(cString: fault_verdict_name(verdict))): tap \(given.tap), fault \(given.fault.0)")
            }
        }
        #expect(ends.count >= 4)
    }

    /// A kernel that approves unsigned data would be detected: the properties are not empty.
    @Test func aForgedByteIsNoticed() throws {
        let golden = try GoldenTests.File(GoldenTests.all())
        let run = UnsafeMutablePointer<fault_run>.allocate(capacity: 1)
        defer { run.deallocate() }
        faults_open(run, golden.filePointer, golden.bench)
        let index = try #require(
            (0..<golden.file.tap_count).first {
                GoldenTests.File.string(golden.file.taps[$0].name) == "plain/fddaMax/guarded"
            })
        var plain = fault_case()
        plain.tap = index
        #expect(faults_run(run, &plain) == FAULT_HELD)
        #expect(run.pointee.status == 0x10)
        var approved = 0
        for number in stride(from: 0, to: faults_count(golden.filePointer, index), by: 101) {
            var given = fault_case_at(golden.filePointer, index, number)
            #expect(faults_run(run, &given) == FAULT_HELD)
            approved += run.pointee.status == 0x10 ? 1 : 0
        }
        #expect(approved > 0)
    }
}

@Suite struct FuzzKeptTests {
    private static let folder = GoldenTests.folder.deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fuzz/Kept")

    static func kept(_ target: String) -> [Data] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: folder.appending(path: target), includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { try? Data(contentsOf: $0) }
    }

    private static func run(_ data: Data, _ target: (cemv_bytes) -> UnsafePointer<CChar>?) -> String? {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(data.count, 1))
        defer { bytes.deallocate() }
        _ = bytes.initialize(from: data)
        return target(cemv_bytes(data: bytes.baseAddress, size: data.count)).map { String(cString: $0) }
    }

    @Test func whatOnceCrashedNoLongerDoes() throws {
        let targets: [(String, @convention(c) (cemv_bytes) -> UnsafePointer<CChar>?)] = [
            ("tlv", fuzz_tlv), ("dol", fuzz_dol), ("apdu", fuzz_apdu), ("directory", fuzz_directory),
            ("store", fuzz_store),
            ("certificate", fuzz_certificate), ("host", fuzz_host),
        ]
        for (name, target) in targets {
            for data in Self.kept(name) + [Data(), Data([0x6F, 0x00]), Data(repeating: 0x9F, count: 40)] {
                #expect(Self.run(data, target) == nil, "\(name)")
            }
        }
        let golden = try GoldenTests.File(GoldenTests.all())
        for data in Self.kept("session") {
            #expect(Self.run(data) { fuzz_session(golden.filePointer, golden.bench, $0) } == nil, "session")
        }
        for data in Self.kept("terminal") {
            #expect(Self.run(data) { fuzz_terminal(golden.filePointer, golden.bench, $0) } == nil, "terminal")
        }
        for data in Self.kept("reader") {
            #expect(Self.run(data) { fuzz_reader(golden.filePointer, golden.bench, $0) } == nil, "reader")
        }
        for data in Self.kept("kernel8") {
            #expect(Self.run(data) { fuzz_kernel_8(golden.filePointer, golden.bench, $0) } == nil, "kernel8")
        }
    }

    /// Seeds, and what structure-aware mutation makes of them.
    @Test func mutatedSessionsEnd() throws {
        let golden = try GoldenTests.File(GoldenTests.all())
        let room = 1 << 16
        let input = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        defer { input.deallocate() }
        for tap in stride(from: 0, to: golden.file.tap_count, by: 7) {
            var size = fuzz_session_seed(golden.filePointer, tap, input, room)
            #expect(size > 2)
            for round in 0..<8 {
                #expect(
                    fuzz_session(golden.filePointer, golden.bench, cemv_bytes(data: input, size: size)) == nil,
                    "tap \(tap), round \(round)")
                size = fuzz_session_mutate(golden.filePointer, input, size, room, UInt64(tap * 8 + round))
            }
        }
    }
}
