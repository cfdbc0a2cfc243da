// SPDX-License-Identifier: Apache-2.0
// Helpers for the tests of the directory crypto/: bytes lent to C, and vectors.
import CEMV
import CEMVInternals
import Foundation

typealias CryptoBytes = [UInt8]

/// The elements of a C array, which Swift sees as a tuple.
func cryptoArray<Tuple>(_ tuple: Tuple, count: Int? = nil) -> CryptoBytes {
    withUnsafeBytes(of: tuple) { CryptoBytes($0.prefix(count ?? $0.count)) }
}

/// Memory that C may borrow until the closure given to `cryptoLending` returns. Every value is its own allocation.
final class CryptoLender {
    private var blocks: [UnsafeMutableRawPointer] = []

    func bytes(_ bytes: CryptoBytes) -> cemv_bytes {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        block.initialize(from: bytes, count: bytes.count)
        blocks.append(UnsafeMutableRawPointer(block))
        return cemv_bytes(data: block, size: bytes.count)
    }

    func bytes(_ bytes: CryptoBytes?) -> cemv_bytes {
        guard let bytes else { return cemv_bytes() }
        return self.bytes(bytes)
    }

    func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
        let block = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        block.initialize(from: elements, count: elements.count)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    deinit {
        for block in blocks { block.deallocate() }
    }
}

func cryptoLending<Result>(_ body: (CryptoLender) throws -> Result) rethrows -> Result {
    let lender = CryptoLender()
    return try withExtendedLifetime(lender) { try body(lender) }
}

/// A pointer to the built-in port.
func cryptoPort(_ lender: CryptoLender) -> UnsafePointer<cemv_crypto> {
    lender.array([cemv_crypto_builtin])
}

enum CryptoVectors {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/vectors").standardizedFileURL

    static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: name).path)
    }

    static func load<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: Data(contentsOf: directory.appending(path: name)))
    }
}

func cryptoSHA1(_ pieces: [CryptoBytes]) -> CryptoBytes {
    cryptoLending { lender in
        var digest = CryptoBytes(repeating: 0, count: 20)
        cemv_crypto_builtin.sha1(&digest, lender.array(pieces.map { lender.bytes($0) }), pieces.count)
        return digest
    }
}

/// The public operation, or nil where it is refused. A refusal that writes is a precondition failure.
func cryptoRSA(_ input: CryptoBytes, modulus: CryptoBytes, exponent: UInt32) -> CryptoBytes? {
    cryptoLending { lender in
        let marker = CryptoBytes(repeating: 0xA5, count: max(modulus.count, input.count, 1))
        var out = marker
        guard cemv_rsa_public(&out, lender.bytes(input), lender.bytes(modulus), exponent) else {
            precondition(out == marker, "a refused operation wrote")
            return nil
        }
        return CryptoBytes(out.prefix(modulus.count))
    }
}
