// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// What computes with the secrets of Kernel 8: its private key, the shared secret, session keys, the card's blinding
/// factor (Book C-8, chapter 8). EMVKit has none of its own: EMVSecureChannel brings one over swift-crypto
/// (`SecretCrypto.swiftCrypto`), or a library or secure element stands behind one of yours.
///
///     TapReader(transport, configuration: configuration, secrets: .swiftCrypto)
@safe
public struct SecretCrypto: Sendable {
    let part: cemv_crypto_secret

    /// 64 bytes x and y of a point out, 32 bytes of a scalar in.
    public typealias Public = @convention(c) (UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?) -> Void
    /// 32 bytes x out; 32 bytes of a scalar and 64 of a point in.
    public typealias Multiply =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
        ) -> Void
    /// A key of 16 bytes, blocks of 16 bytes in place, and their number.
    public typealias Encrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int) -> Void
    /// A key of 16 bytes, a block of 16 bytes in place.
    public typealias Decrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Void
    /// A key of 16 bytes, a chaining value of 16 bytes in place, blocks of 16 bytes, and their number.
    public typealias Chain =
        @convention(c) (
            UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, Int
        ) -> Void

    /// From functions that keep the contract of `struct cemv_crypto_secret` (`cemv_crypto.h`): they take a time that
    /// does not depend on scalars, keys and blocks, leave no copy of them behind and do not fail. No pointer is `nil`.
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

    /// From C: `table` points to a `struct cemv_crypto_secret`, which is copied. Its functions must live as long as the
    /// program does, and none is `NULL`.
    @unsafe
    public init(table: UnsafeRawPointer) {
        unsafe part = table.load(as: cemv_crypto_secret.self)
    }
}
