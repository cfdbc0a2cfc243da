// SPDX-License-Identifier: Apache-2.0
// What the tests of the module crypto/ share: bytes lent to C, vectors, fixed randomness, and keys that sign.
import BigInt
import CEMV
import CEMVInternals
import Foundation
import TestKeys

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

func cryptoSHA256(_ pieces: [CryptoBytes]) -> CryptoBytes {
    cryptoLending { lender in
        var digest = CryptoBytes(repeating: 0, count: 32)
        cemv_crypto_builtin.sha256(&digest, lender.array(pieces.map { lender.bytes($0) }), pieces.count)
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

func cryptoRSAPrepared(_ input: CryptoBytes, modulus: CryptoBytes, exponent: UInt32) -> CryptoBytes? {
    cryptoLending { lender in
        var key = cemv_rsa_key()
        guard cemv_rsa_prepare(&key, lender.bytes(modulus), exponent) else { return nil }
        let copy = key
        var out = input  // in place
        let refused = withUnsafePointer(to: copy) { key in
            out.withUnsafeMutableBufferPointer { buffer in
                !cemv_rsa_public_prepared(
                    buffer.baseAddress, cemv_bytes(data: buffer.baseAddress, size: buffer.count), key)
            }
        }
        return refused ? nil : out
    }
}

func cryptoNumber(_ bytes: CryptoBytes) -> BigUInt {
    BigUInt(Data(bytes))
}

func cryptoFixed(_ number: BigUInt, size: Int) -> CryptoBytes {
    let bytes = CryptoBytes(number.serialize())
    return CryptoBytes(repeating: 0, count: size - bytes.count) + bytes
}

/// Both 3 and 65537 suit their primes.
extension SigningKey {
    static let authority = SigningKey(
        "F7BD891FF7B103DF23231E1EE201552240CBACD0249A45845DBE3023A906922FA4B9A9C4B753A1EEF08360852789D059",
        "EEBA35E07432F79D1FCC9634A43BE3682E771BD6ADFA09B03A85EED0DA39C4EA9571623CB33858A1A445F305C628087D")
    static let issuer = SigningKey(
        "E6D1EE174F2B304BA5B5DEEAC6A7642608191ECBC36830317A416FFAB6202B3AD03E86E5420134F79E618F36BDB79E57",
        "F39DD91E186155BC7735B41819D21CCA8427C6EF34F7E560B71ED3BFEAF8BF48C70D3BB725518B0E28B1484FD69B05B5")
    static let smallIssuer = SigningKey(
        "DC8B537612CD8D4E03B8B7A08922398D11211EC7BAC6F344105E7421",
        "EE0EAD42E80996DC29EE6FF72A0BE884561A85C942A1833B80099491")
    static let card = SigningKey(
        "D452848EB5871EA595592610B431E465821F4A81874466FB358B2247267F97A7",
        "CD96F458FFAB9E2EF97184ED7E5B3A27987E0398EF62C68C9462F2B431FBAD05")
    static let smallCard = SigningKey(
        "E3F5369963DB4BCEFCBE10F27CCFBE3F62CD0B63A9FEA263", "F1E404DA1136BF925AF2319A8A8F990041EFEF4FD11CCFBD")
}
