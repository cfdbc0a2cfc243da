// SPDX-License-Identifier: Apache-2.0
// What the tests of the C library share: bytes, guard pages, seeded randomness, third-party vectors.
import CEMV
import CEMVInternals
import Foundation

/// Bytes from hexadecimal digits; spaces are allowed between them.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.map { character -> UInt8 in
        guard let digit = character.hexDigitValue else { preconditionFailure("not hexadecimal: \(text)") }
        return UInt8(digit)
    }
    precondition(digits.count.isMultiple(of: 2), "half a byte: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Lends the bytes of an array to C. They are valid inside `body` only.
func withBytes<Result>(_ bytes: [UInt8], _ body: (cemv_bytes) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { buffer in
        try body(cemv_bytes(data: buffer.isEmpty ? nil : buffer.baseAddress, size: buffer.count))
    }
}

/// As `withBytes`, but the byte after the last one is on a page that may not be touched: reading past the end ends the
/// process.
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

/// SplitMix64: small, and the same everywhere for one seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// Vectors collected from other projects lie beside the package and are not part of it.
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
