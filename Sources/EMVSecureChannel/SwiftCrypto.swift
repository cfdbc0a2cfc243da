// SPDX-License-Identifier: Apache-2.0
/// The operations with the secrets of Kernel 8 (Book C-8, chapter 8), implemented with swift-crypto:
/// `SecretCrypto.swiftCrypto`. This file knows no kernel, no card and no stored key. Its contract is that of
/// `struct cemv_crypto_secret` (`cemv_crypto.h`). The file is empty without the trait Kernel8.
///
/// | function of the port | operation of the library |
/// |---|---|
/// | `p256_public` | `P256.KeyAgreement.PrivateKey(rawRepresentation:)` and its `publicKey.rawRepresentation` |
/// | `p256_multiply` | `sharedSecretFromKeyAgreement(with:)`: the x coordinate of scalar * point |
/// | `aes_encrypt` | `AES.permute` for each block |
/// | `aes_decrypt` | `AES.inversePermute` |
/// | `aes_chain` | composed: exclusive or, then `AES.permute`, for each block |
///
/// The library does not offer the following; the replacements are:
///
/// - Multiplication of any point by any scalar. Key agreement is that multiplication for 0 < scalar < n, which the
///   port's contract guarantees. It returns only the x coordinate, and Kernel 8 uses only that: a point and its
///   negative have equal x coordinates, so neither the sign of the shared secret nor that of the blinded card key (Book
///   C-8, 8.3, C.51) has to be recovered. The library checks that the point is on the curve, and also computes
///   scalar * G, which is not used.
/// - The kernel's CMAC, CMAC+ and counter mode. The library's `AES.CMAC` accepts a message only as a whole and does not
///   expose the chaining value, of which CMAC+ needs the last one; `AES._CTR` has a different interface for the
///   counter. The kernel builds all three from single blocks (`k8_channel.c`), so the library supplies only the block
///   cipher.
/// - Wiping of the stack. The library wipes its memory on the heap when it is freed (`SymmetricKey`, `SharedSecret`,
///   BoringSSL's numbers and keys), but leaves the round keys of AES and parts of scalars on the stack. After each
///   operation the stack below the caller is overwritten (`CStackWipe`).
///
/// Constant time. Exclusive or, copying and wiping here have no branch or index that depends on a secret. BoringSSL's
/// AES uses the processor's instructions, vector permutations or bit slicing: no tables indexed by secrets. Its P-256
/// is constant time for secret scalars, and so is CryptoKit's, which implements `P256` on Apple's systems.
///
/// Allocations. CEMV allocates nothing; the library does. Taps of the example traces make 24 to 33 calls of the port,
/// and the library allocates memory 133 to 161 times in them (Linux); `RemainsTests` counts and limits that.
#if Kernel8
public import EMVKit

import CStackWipe
import Crypto
import CryptoExtras
import Foundation

extension SecretCrypto {
    /// Uses swift-crypto (on Apple's systems CryptoKit for P-256). Any number of readers and threads may use it.
    public static var swiftCrypto: SecretCrypto {
        unsafe SecretCrypto(
            p256Public: { point, scalar in unsafe SwiftCrypto.publicKey(point!, scalar!) },
            p256Multiply: { x, scalar, point in unsafe SwiftCrypto.multiply(x!, scalar!, point!) },
            aesEncrypt: { key, blocks, count in unsafe SwiftCrypto.encrypt(key!, blocks, count) },
            aesDecrypt: { key, block in unsafe SwiftCrypto.decrypt(key!, block!) },
            aesChain: { key, chain, blocks, count in unsafe SwiftCrypto.chain(key!, chain!, blocks, count) })
    }
}

/// The functions behind ``SecretCrypto/swiftCrypto``. None of them fails for inputs that the contract allows. If the
/// library fails (no memory, a scalar or point outside the contract), the result is random bytes, which no card can
/// predict: the session ends with its first MAC.
private enum SwiftCrypto {
    static let coordinate = 32
    static let block = 16

    static func publicKey(_ point: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>) {
        let done = unsafe computePublicKey(point, scalar)
        wipe_stack()
        if !done { unsafe invent(point, 2 * coordinate) }
    }

    @inline(never)
    private static func computePublicKey(
        _ point: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>
    ) -> Bool {
        let bytes = unsafe UnsafeRawBufferPointer(start: scalar, count: coordinate)
        guard let key = try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { return false }
        let result = key.publicKey.rawRepresentation
        unsafe result.copyBytes(to: point, count: 2 * coordinate)
        return true
    }

    static func multiply(
        _ x: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>, _ point: UnsafePointer<UInt8>
    ) {
        let done = unsafe computeX(x, scalar, point)
        wipe_stack()
        if !done { unsafe invent(x, coordinate) }
    }

    @inline(never)
    private static func computeX(
        _ x: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>, _ point: UnsafePointer<UInt8>
    ) -> Bool {
        let own = unsafe UnsafeRawBufferPointer(start: scalar, count: coordinate)
        let other = unsafe UnsafeRawBufferPointer(start: point, count: 2 * coordinate)
        guard let key = try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: own),
            let share = try? unsafe P256.KeyAgreement.PublicKey(rawRepresentation: other),
            let secret = try? key.sharedSecretFromKeyAgreement(with: share)
        else { return false }
        return unsafe secret.withUnsafeBytes { bytes in
            guard bytes.count == coordinate else { return false }
            unsafe UnsafeMutableRawBufferPointer(start: x, count: coordinate).copyMemory(from: bytes)
            return true
        }
    }

    static func encrypt(_ key: UnsafePointer<UInt8>, _ blocks: UnsafeMutablePointer<UInt8>?, _ count: Int) {
        guard let blocks = unsafe blocks else { return }
        unsafe permute(key, blocks, nil, count)
        wipe_stack()
    }

    static func chain(
        _ key: UnsafePointer<UInt8>, _ chain: UnsafeMutablePointer<UInt8>, _ blocks: UnsafePointer<UInt8>?, _ count: Int
    ) {
        guard let blocks = unsafe blocks else { return }
        unsafe permute(key, chain, blocks, count)
        wipe_stack()
    }

    /// Encrypts each of `count` blocks separately or, with `input`, one block into which the blocks of `input` are
    /// chained.
    @inline(never)
    private static func permute(
        _ key: UnsafePointer<UInt8>, _ blocks: UnsafeMutablePointer<UInt8>, _ input: UnsafePointer<UInt8>?, _ count: Int
    ) {
        let symmetric = unsafe SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: block))
        for number in 0..<count {
            let offset = number * block
            var place = unsafe UnsafeMutableBufferPointer(
                start: input == nil ? blocks + offset : blocks, count: block)
            if let input = unsafe input {
                for index in 0..<block { unsafe place[index] ^= input[offset + index] }
            }
            // The sizes of key and block are right, and the library rejects nothing else.
            guard (try? unsafe AES.permute(&place, key: symmetric)) != nil else {
                unsafe invent(place.baseAddress!, block); return
            }
        }
    }

    static func decrypt(_ key: UnsafePointer<UInt8>, _ place: UnsafeMutablePointer<UInt8>) {
        unsafe inverse(key, place)
        wipe_stack()
    }

    @inline(never)
    private static func inverse(_ key: UnsafePointer<UInt8>, _ place: UnsafeMutablePointer<UInt8>) {
        let symmetric = unsafe SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: block))
        var payload = unsafe UnsafeMutableBufferPointer(start: place, count: block)
        if (try? unsafe AES.inversePermute(&payload, key: symmetric)) == nil { unsafe invent(place, block) }
    }

    private static func invent(_ place: UnsafeMutablePointer<UInt8>, _ count: Int) {
        var generator = SystemRandomNumberGenerator()
        for index in 0..<count { unsafe place[index] = generator.next() }
    }
}
#else
public import EMVKit

extension SecretCrypto {
    @available(*, unavailable, message: "enable the trait Kernel8: .package(…, traits: [\"Kernel8\"])")
    public static var swiftCrypto: SecretCrypto { fatalError() }
}
#endif
