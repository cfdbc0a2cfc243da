// SPDX-License-Identifier: Apache-2.0
#if Sealing
import Crypto
import EMVKit
import EMVTripleDES
import Foundation

/// Authenticated encipherment with the working keys of one DUKPT transaction.
enum DUKPTCipher {
    static func scheme(_ generation: DUKPTGeneration, keySize: Int) -> String {
        generation == .aes ? "dukpt-aes\(keySize * 8)-gcm" : "dukpt-tdes-cbc-cmac"
    }

    static func seal(
        _ payload: borrowing SensitivePayload, context: Bytes, generation: DUKPTGeneration,
        _ transaction: borrowing TransactionKey
    ) throws(SealingError) -> SealedPayload {
        let ciphertext =
            switch generation {
            case .aes: try sealAES(payload, context: context, transaction)
            case .tripleDES: sealTripleDES(payload, context: context, transaction)
            }
        return SealedPayload(
            scheme: scheme(generation, keySize: transaction.key.count), keyIdentifier: transaction.serialNumber,
            ciphertext: ciphertext)
    }

    static func open(
        _ ciphertext: Bytes, context: Bytes, generation: DUKPTGeneration, _ transaction: borrowing TransactionKey
    ) throws(SealingError) -> SensitivePayload {
        switch generation {
        case .aes: try openAES(ciphertext, context: context, transaction)
        case .tripleDES: try openTripleDES(ciphertext, context: context, transaction)
        }
    }

    // MARK: AES: GCM with the data encryption key, which enciphers one payload and no other, so its nonce may be fixed

    private static func sealAES(
        _ payload: borrowing SensitivePayload, context: Bytes, _ transaction: borrowing TransactionKey
    ) throws(SealingError) -> Bytes {
        let key = try dataKey(transaction)
        do {
            let box = try unsafe payload.withUnsafeBytes {
                try unsafe AES.GCM.seal(
                    $0, using: key, nonce: nonce(), authenticating: transaction.serialNumber + context)
            }
            return Bytes(box.ciphertext) + Bytes(box.tag)
        } catch {
            throw .failed
        }
    }

    private static func openAES(
        _ ciphertext: Bytes, context: Bytes, _ transaction: borrowing TransactionKey
    ) throws(SealingError) -> SensitivePayload {
        guard ciphertext.count >= 16 else { throw .notAuthentic }
        let key = try dataKey(transaction)
        var plain: Data
        do {
            let box = try AES.GCM.SealedBox(
                nonce: nonce(), ciphertext: ciphertext.dropLast(16), tag: ciphertext.suffix(16))
            plain = try AES.GCM.open(box, using: key, authenticating: transaction.serialNumber + context)
        } catch {
            throw .notAuthentic
        }
        let secret = SecretBytes(plain)
        plain.resetBytes(in: plain.indices)
        return SensitivePayload(tlv: secret)
    }

    private static func nonce() throws -> AES.GCM.Nonce { try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12)) }

    private static func dataKey(_ transaction: borrowing TransactionKey) throws(SealingError) -> SymmetricKey {
        guard let type = AESKeyType(size: transaction.key.count),
            let counter = DUKPTGeneration.aes.counter(in: transaction.serialNumber)
        else { throw .badKey("an AES key of \(transaction.key.count) bytes") }
        let key = AESDerivation.derive(
            transaction.key, .dataEncryption, type, identifier: Bytes(transaction.serialNumber.prefix(8)),
            counter: counter)
        return unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }

    // MARK: Triple DES: chained blocks with the data key, then CMAC with the key for requests

    private static func sealTripleDES(
        _ payload: borrowing SensitivePayload, context: Bytes, _ transaction: borrowing TransactionKey
    ) -> Bytes {
        let count = payload.count
        var padded = SecretBytes(count: count / 8 * 8 + 8)
        unsafe payload.withUnsafeBytes { bytes in
            for index in 0..<count { padded[index] = unsafe bytes[index] }
        }
        padded[count] = 0x80
        var ciphertext = Bytes()
        let key = TripleDESDerivation.variant(transaction.key, .dataRequest)
        TripleDESDerivation.withCipher(key) { engine in
            var chain: UInt64 = 0
            for start in stride(from: 0, to: padded.count, by: 8) {
                chain = engine.encrypt(chain ^ block(padded, start))
                ciphertext += chain.bigEndianBytes
            }
        }
        return ciphertext + mac(ciphertext, context: context, transaction)
    }

    private static func openTripleDES(
        _ sealed: Bytes, context: Bytes, _ transaction: borrowing TransactionKey
    ) throws(SealingError) -> SensitivePayload {
        guard sealed.count >= 16, sealed.count.isMultiple(of: 8) else { throw .notAuthentic }
        let ciphertext = Bytes(sealed.dropLast(8))
        // Every byte is compared, so that the time does not reveal how many match.
        let difference = zip(mac(ciphertext, context: context, transaction), sealed.suffix(8)).reduce(0) {
            $0 | ($1.0 ^ $1.1)
        }
        guard difference == 0 else { throw .notAuthentic }
        var padded = SecretBytes(count: ciphertext.count)
        let key = TripleDESDerivation.variant(transaction.key, .dataRequest)
        TripleDESDerivation.withCipher(key) { engine in
            var chain: UInt64 = 0
            for start in stride(from: 0, to: ciphertext.count, by: 8) {
                let next = UInt64(bigEndian: ciphertext[start..<start + 8])
                for (index, byte) in (engine.decrypt(next) ^ chain).bigEndianBytes.enumerated() {
                    padded[start + index] = byte
                }
                chain = next
            }
        }
        var end = padded.count - 1
        while end > 0, padded[end] == 0 { end -= 1 }
        guard padded[end] == 0x80 else { throw .notAuthentic }
        var plain = SecretBytes(count: end)
        for index in 0..<end { plain[index] = padded[index] }
        return SensitivePayload(tlv: plain)
    }

    private static func mac(_ ciphertext: Bytes, context: Bytes, _ transaction: borrowing TransactionKey) -> Bytes {
        let size = (0..<4).map { UInt8(truncatingIfNeeded: context.count >> (24 - 8 * $0)) }
        let message = transaction.serialNumber + size + context + ciphertext
        return TripleDESDerivation.withCipher(TripleDESDerivation.variant(transaction.key, .macRequest)) {
            $0.cipherMAC(message)
        }
    }

    private static func block(_ bytes: borrowing SecretBytes, _ start: Int) -> UInt64 {
        (start..<start + 8).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
}
#endif
