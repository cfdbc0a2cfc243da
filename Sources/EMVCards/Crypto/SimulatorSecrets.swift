// SPDX-License-Identifier: Apache-2.0
// A reader's part of Kernel 8's cryptography for simulated cards and traces. It needs no library and does not protect
// its keys.
import EMVKernel

extension SecretCrypto {
    /// Kernel 8's cryptography for virtual cards, traces, examples and benches.
    ///
    /// Do not use it in a reader for real cards: its time depends on keys and scalars, and it leaves copies of them in
    /// memory. For real cards use `SecretCrypto.swiftCrypto` of EMVSecureChannel.
    ///
    ///     let secrets = SecretCrypto.simulatorVariableTime
    ///     TapReader(SimulatedReader(card), configuration: .simulator(secrets: secrets), secrets: secrets)
    public static let simulatorVariableTime = unsafe SecretCrypto(
        p256Public: { point, scalar in unsafe SimulatorSecrets.publicKey(point!, scalar!) },
        p256Multiply: { x, scalar, point in unsafe SimulatorSecrets.multiply(x!, scalar!, point!) },
        aesEncrypt: { key, blocks, count in unsafe SimulatorSecrets.encrypt(key!, blocks, count) },
        aesDecrypt: { key, block in unsafe SimulatorSecrets.decrypt(key!, block!) },
        aesChain: { key, chain, blocks, count in unsafe SimulatorSecrets.chain(key!, chain!, blocks, count) })
}

/// The functions behind ``EMVKit/SecretCrypto/simulatorVariableTime``.
private enum SimulatorSecrets {
    private static let block = 16

    static func publicKey(_ point: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>) {
        let result = P256.generator.multiplied(by: Number256(unsafe bytes(scalar, 32)))
        unsafe put(result?.bytes ?? [UInt8](repeating: 0, count: 64), point)
    }

    static func multiply(
        _ x: UnsafeMutablePointer<UInt8>, _ scalar: UnsafePointer<UInt8>, _ point: UnsafePointer<UInt8>
    ) {
        let result = P256.Point(unsafe bytes(point, 64))?.multiplied(by: Number256(unsafe bytes(scalar, 32)))
        unsafe put(result?.x.bytes ?? [UInt8](repeating: 0, count: 32), x)
    }

    static func encrypt(_ key: UnsafePointer<UInt8>, _ blocks: UnsafeMutablePointer<UInt8>?, _ count: Int) {
        guard let blocks = unsafe blocks else { return }
        let cipher = AES(key: unsafe bytes(key, block))
        for number in 0..<count {
            let place = unsafe blocks + number * block
            unsafe put(cipher.encrypt(bytes(place, block)), place)
        }
    }

    static func decrypt(_ key: UnsafePointer<UInt8>, _ place: UnsafeMutablePointer<UInt8>) {
        unsafe put(AES(key: bytes(key, block)).decrypt(bytes(place, block)), place)
    }

    static func chain(
        _ key: UnsafePointer<UInt8>, _ chain: UnsafeMutablePointer<UInt8>, _ blocks: UnsafePointer<UInt8>?, _ count: Int
    ) {
        guard let blocks = unsafe blocks else { return }
        let cipher = AES(key: unsafe bytes(key, block))
        var value = unsafe bytes(chain, block)
        for number in 0..<count {
            let next = unsafe bytes(blocks + number * block, block)
            value = cipher.encrypt(zip(value, next).map { $0 ^ $1 })
        }
        unsafe put(value, chain)
    }

    private static func bytes(_ place: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: place, count: count))
    }

    private static func put(_ bytes: [UInt8], _ place: UnsafeMutablePointer<UInt8>) {
        for (index, byte) in bytes.enumerated() { unsafe place[index] = byte }
    }
}
