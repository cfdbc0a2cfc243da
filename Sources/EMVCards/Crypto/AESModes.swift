// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

// The AES modes that Book C-8 uses in addition to CMAC, which is in AES.swift: counter mode (8.5) and the MAC over both
// sides' data ("CMAC+", C.71 to C.78).

extension AES {
    /// Enciphers and deciphers. The counter is in the first two bytes of a block, which is incremented by one.
    func counterMode(_ bytes: [UInt8], counter: UInt16) -> [UInt8] {
        var block = counter.bigEndianBytes + [UInt8](repeating: 0, count: 14)
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 16) {
            result += zip(bytes[start..<min(start + 16, bytes.count)], encrypt(block)).map { $0 ^ $1 }
            for index in block.indices.reversed() {
                block[index] &+= 1
                if block[index] != 0 { break }
            }
        }
        return result
    }

    /// Returns the XOR of the CMAC and its decipherment, 16 bytes.
    func cipherMACPlus(_ message: [UInt8]) -> [UInt8] {
        let mac = cipherMAC(message)
        return zip(decrypt(mac), mac).map { $0 ^ $1 }
    }
}
