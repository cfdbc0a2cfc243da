// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// Computes with the secrets of Kernel 8: its private key, the shared secret, session keys, the card's blinding factor
/// (Book C-8, chapter 8). EMVKit contains no implementation. EMVSecureChannel provides one over swift-crypto
/// (`SecretCrypto.swiftCrypto`), or supply your own over a library or a secure element.
///
///     TapReader(transport, configuration: configuration, secrets: .swiftCrypto)
@safe
public struct SecretCrypto: Sendable {
    let part: cemv_crypto_secret

    /// Writes x and y of a point, 64 bytes; reads a scalar, 32 bytes.
    public typealias Public = @convention(c) (UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?) -> Void
    /// Writes x, 32 bytes; reads a scalar of 32 bytes and a point of 64.
    public typealias Multiply =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
        ) -> Void
    /// Reads a key of 16 bytes; encrypts blocks of 16 bytes in place; the last argument is their number.
    public typealias Encrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int) -> Void
    /// Reads a key of 16 bytes; decrypts a block of 16 bytes in place.
    public typealias Decrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Void
    /// Reads a key of 16 bytes; updates a chaining value of 16 bytes in place with blocks of 16 bytes; the last
    /// argument is their number.
    public typealias Chain =
        @convention(c) (
            UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, Int
        ) -> Void

    /// Creates a value from functions that keep the contract of `struct cemv_crypto_secret` (`cemv_crypto.h`): their
    /// running time does not depend on scalars, keys and blocks, they leave no copies of these behind, and they do not
    /// fail. No pointer is `nil`.
    ///
    /// - Parameters:
    ///   - p256Public: scalar * G on P-256, 0 < scalar < n.
    ///   - p256Multiply: x of scalar * point, 0 < scalar < n, a point of the curve.
    ///   - aesEncrypt: AES-128 of each block by itself.
    ///   - aesDecrypt: the inverse, of one block.
    ///   - aesChain: for each block, chain = AES(chain xor block).
    @unsafe
    public init(
        p256Public: Public, p256Multiply: Multiply, aesEncrypt: Encrypt, aesDecrypt: Decrypt, aesChain: Chain
    ) {
        unsafe part = cemv_crypto_secret(
            p256_public: p256Public, p256_multiply: p256Multiply, aes_encrypt: aesEncrypt, aes_decrypt: aesDecrypt,
            aes_chain: aesChain)
    }

    /// Creates a value from C: `table` points to a `struct cemv_crypto_secret`, which is copied. Its functions must
    /// live as long as the program does, and no pointer is `NULL`.
    @unsafe
    public init(table: UnsafeRawPointer) {
        unsafe part = table.load(as: cemv_crypto_secret.self)
    }
}
