// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of the C library: bytes, guard pages, seeded random numbers, third-party vectors.
import CEMV
import CEMVInternals
import Foundation

/// Lends the bytes of an array to C. They are valid inside `body` only.
func withBytes<Result>(_ bytes: [UInt8], _ body: (cemv_bytes) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { buffer in
        try body(cemv_bytes(data: buffer.isEmpty ? nil : buffer.baseAddress, size: buffer.count))
    }
}

/// Like `withBytes`, but the byte after the last one is on an inaccessible page: reading past the end ends the process.
func withGuardedBytes<Result>(_ bytes: [UInt8], _ body: (cemv_bytes) throws -> Result) rethrows -> Result {
    let page = Int(getpagesize())
    let readable = (bytes.count + page) / page * page
    guard let base = mmap(nil, readable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
        base != MAP_FAILED
    else {
        preconditionFailure("no memory for a guard page")
    }
    defer { munmap(base, readable + page) }
    precondition(mprotect(base + readable, page, PROT_NONE) == 0)

    let start = base + (readable - bytes.count)
    bytes.withUnsafeBytes { start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: $0.count) }
    return try body(cemv_bytes(data: start.assumingMemoryBound(to: UInt8.self), size: bytes.count))
}

extension [UInt8] {
    /// A copy of bytes lent by C.
    init(_ bytes: cemv_bytes) {
        self.init(UnsafeBufferPointer(start: bytes.data, count: bytes.size))
    }

    var hexText: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined()
    }
}

/// Vectors collected from other projects. They are in a directory next to the package and not part of it.
let vectorsURL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("shared/vectors", isDirectory: true)

func hasVectors(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: vectorsURL.appendingPathComponent(name).path)
}

func loadVectors<Vectors: Decodable>(_ name: String, as type: Vectors.Type = Vectors.self) throws -> Vectors {
    try JSONDecoder().decode(type, from: Data(contentsOf: vectorsURL.appendingPathComponent(name)))
}

extension cemv_tag_row {
    var number: UInt32 { row_tag(self) }
    /// enum cemv_format
    var kind: UInt32 { row_format(self) }
}
