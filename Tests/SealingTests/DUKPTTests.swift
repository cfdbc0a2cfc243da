// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit
import EMVTripleDES
import Foundation
import Testing

@testable import EMVSealing

/// Vectors collected from other projects. They are in a directory next to the package and not part of it.
enum DUKPTVectors {
    static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/vectors/cryptogram.json")

    static var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// The values of one file of vectors by name.
    struct Values {
        let all: [String: Any]
        func bytes(_ name: String) -> Bytes { Hex.bytes(all[name] as? String ?? "") ?? [] }
        func list(_ name: String) -> [Bytes] { (all[name] as? [String] ?? []).map { Hex.bytes($0) ?? [] } }
        func secret(_ name: String) -> SecretBytes { SecretBytes(bytes(name)) }
    }

    static func values(_ file: String) throws -> Values {
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let entries = try #require(document?["dukpt"] as? [[String: Any]])
        let entry = try #require(entries.first { $0["file"] as? String == file })
        return Values(all: try #require(entry["vectors"] as? [String: Any]))
    }

    static func opener(_ generation: DUKPTGeneration, _ values: Values) throws -> DUKPTOpener {
        try DUKPTOpener(generation, baseKey: values.secret("bdk"))
    }
}

func hex(_ bytes: borrowing SecretBytes) -> String { Hex.string((0..<bytes.count).map { bytes[$0] }) }

@Suite("DUKPT vectors of other projects", .enabled(if: DUKPTVectors.isThere, "no third-party vectors"))
struct DUKPTVectorTests {
    private static let aesFiles = [128, 256]

    @Test(arguments: aesFiles)
    func aesInitialKeysAreKnown(bits: Int) throws {
        for file in ["dukpt_aes\(bits)_state_test.c", "dukpt_aes\(bits)_test.c"] {
            let values = try DUKPTVectors.values(file)
            let key = try DUKPTVectors.opener(.aes, values).initialKey(identifier: values.bytes("ikid"))
            #expect(hex(key) == values.all["ik_verify"] as? String)
        }
    }

    /// The host's derivation at the start, around a carry, and at the end of the counter.
    @Test(arguments: aesFiles)
    func aesTransactionKeysAreKnown(bits: Int) throws {
        let values = try DUKPTVectors.values("dukpt_aes\(bits)_test.c")
        let opener = try DUKPTVectors.opener(.aes, values)
        for suffix in ["", "2", "3"] {
            let answers = values.list("txn_key_verify" + suffix)
            for (number, answer) in zip(values.list("ksn_verify" + suffix), answers) {
                #expect(hex(try opener.transactionKey(serialNumber: number)) == Hex.string(answer))
            }
            #expect(!answers.isEmpty)
        }
    }

    /// The device returns the vectors' keys with their serial numbers, in order.
    @Test(arguments: aesFiles)
    func aesDeviceGivesTheKnownKeys(bits: Int) throws {
        let values = try DUKPTVectors.values("dukpt_aes\(bits)_test.c")
        let initial = values.secret("ik_verify")
        var device = try DUKPTDevice(.aes, initialKey: initial, device: values.bytes("ikid"))
        for (number, answer) in zip(values.list("ksn_verify"), values.list("txn_key_verify")) {
            let transaction = try device.advance()
            #expect(transaction.serialNumber == number)
            #expect(hex(transaction.key) == Hex.string(answer))
        }
    }

    @Test(arguments: aesFiles)
    func aesWorkingKeysAreKnown(bits: Int) throws {
        let values = try DUKPTVectors.values("dukpt_aes\(bits)_test.c")
        let opener = try DUKPTVectors.opener(.aes, values)
        let usages: [(String, AESKeyUsage)] = [
            ("pin_key_aes", .pinEncryption), ("cmac_aes", .macGeneration), ("data_aes", .dataEncryption),
        ]
        var count = 0
        for (name, usage) in usages {
            for (size, type) in [(128, AESKeyType.aes128), (256, .aes256)] {
                for (number, answer) in zip(
                    values.list("ksn_verify"),
                    values.list(name + "\(size)" + (usage == .pinEncryption ? "_verify" : "_key_verify")))
                {
                    let key = try opener.transactionKey(serialNumber: number)
                    let working = AESDerivation.derive(
                        key, usage, type, identifier: Bytes(number.prefix(8)),
                        counter: DUKPTGeneration.aes.counter(in: number)!)
                    #expect(hex(working) == Hex.string(answer))
                    count += 1
                }
            }
        }
        #expect(count == (bits == 128 ? 24 : 48))
    }

    /// Keys that are sent to a device to replace its own (X9.24-3, 6.5.4).
    @Test(arguments: aesFiles)
    func aesUpdateKeysAreKnown(bits: Int) throws {
        let values = try DUKPTVectors.values("dukpt_aes\(bits)_update_key_test.c")
        let types: [(String, AESKeyType)] = [
            ("aes128", .aes128), ("aes256", .aes256), ("tdes2", .tripleDES2), ("tdes3", .tripleDES3),
        ]
        for (name, type) in types {
            guard let answer = values.all["update_key_\(name)_verify"] as? String else { continue }
            let key = AESDerivation.updateKey(values.secret("ik"), type, identifier: values.bytes("ikid"))
            #expect(hex(key) == answer, "\(name)")
        }
    }

    @Test func tripleDESInitialKeysAreKnown() throws {
        for file in ["dukpt_tdes_state_test.c", "dukpt_tdes_test.c"] {
            let values = try DUKPTVectors.values(file)
            let key = try DUKPTVectors.opener(.tripleDES, values).initialKey(identifier: values.bytes("iksn"))
            #expect(hex(key) == values.all["ik_verify"] as? String)
        }
    }

    @Test func tripleDESKeysAndWhatTheyMakeAreKnown() throws {
        let values = try DUKPTVectors.values("dukpt_tdes_test.c")
        let opener = try DUKPTVectors.opener(.tripleDES, values)
        let block = UInt64(bigEndian: values.bytes("pinblock"))
        let data = Array((values.all["txn_data"] as? String ?? "").utf8)
        var count = 0
        for suffix in ["", "2"] {
            let answers = [
                "txn_key", "encrypted_pinblock", "mac_request", "mac_response", "cmac_request", "cmac_response",
            ]
            .map { values.list("\($0)_verify\(suffix)").map { Hex.string($0) } }
            for (index, number) in values.list("ksn_verify" + suffix).enumerated() {
                let key = try opener.transactionKey(serialNumber: number)
                #expect(hex(key) == answers[0][index])
                let pin = TripleDESDerivation.withCipher(TripleDESDerivation.variant(key, .pin)) { $0.encrypt(block) }
                #expect(Hex.string(pin.bigEndianBytes) == answers[1][index])
                for (place, variant) in [(2, TripleDESDerivation.Variant.macRequest), (3, .macResponse)] {
                    let macs = TripleDESDerivation.withCipher(TripleDESDerivation.variant(key, variant)) {
                        ($0.mac(data, padding: .zeros).prefix(4), $0.cipherMAC(data))
                    }
                    #expect(Hex.string(macs.0) == answers[place][index])
                    #expect(Hex.string(macs.1) == answers[place + 2][index])
                }
                count += 1
            }
        }
        #expect(count == 34)
    }

    @Test func tripleDESDeviceGivesTheKnownKeys() throws {
        let values = try DUKPTVectors.values("dukpt_tdes_test.c")
        let initial = values.secret("ik_verify")
        var device = try DUKPTDevice(.tripleDES, initialKey: initial, device: values.bytes("iksn"))
        for (number, answer) in zip(values.list("ksn_verify"), values.list("txn_key_verify")) {
            let transaction = try device.advance()
            #expect(transaction.serialNumber == number)
            #expect(hex(transaction.key) == Hex.string(answer))
        }
    }
}

@Suite struct DUKPTDeviceTests {
    private static func pair(_ generation: DUKPTGeneration) throws -> (DUKPTOpener, Bytes) {
        let opener = try DUKPTOpener(generation, baseKey: SecretBytes((0..<16).map { UInt8($0 * 11) }))
        return (opener, generation == .aes ? [1, 2, 3, 4, 5, 6, 7, 8] : [0xFF, 0xFF, 1, 2, 3, 4, 5, 0xE0, 0, 0])
    }

    /// Device and host agree on each of thousands of keys; no key is repeated; no counter has more one bits than a host
    /// supports.
    @Test(arguments: DUKPTGeneration.allCases)
    func deviceAndHostAgreeForThousandsOfReads(generation: DUKPTGeneration) throws {
        let (opener, identifier) = try Self.pair(generation)
        var device = try DUKPTDevice(
            generation, initialKey: try opener.initialKey(identifier: identifier), device: identifier)
        var seen: Set<String> = []
        for _ in 0..<3000 {
            let transaction = try device.advance()
            let key = hex(transaction.key)
            let host = hex(try opener.transactionKey(serialNumber: transaction.serialNumber))
            if key != host { Issue.record("\(Hex.string(transaction.serialNumber))") }
            #expect(seen.insert(key).inserted)
            #expect(generation.counter(in: transaction.serialNumber)!.nonzeroBitCount <= generation.mostOnes)
        }
    }

    /// A device that was stored and restored continues at its last state.
    @Test(arguments: DUKPTGeneration.allCases)
    func aStoredDeviceGoesOn(generation: DUKPTGeneration) throws {
        let (opener, identifier) = try Self.pair(generation)
        var device = try DUKPTDevice(
            generation, initialKey: try opener.initialKey(identifier: identifier), device: identifier)
        for _ in 0..<37 { _ = try device.advance() }
        var other = try DUKPTDevice(stored: device.stored)
        for _ in 0..<50 {
            let one = try device.advance()
            let two = try other.advance()
            #expect(one.serialNumber == two.serialNumber && hex(one.key) == hex(two.key))
        }
        #expect(throws: SealingError.self) { _ = try DUKPTDevice(stored: SecretBytes([9, 16, 0, 0, 0, 0, 0])) }
        #expect(throws: SealingError.self) { _ = try DUKPTDevice(stored: SecretBytes(count: 3)) }
    }

    /// A device's memory contains neither a used key nor the initial key.
    @Test(arguments: DUKPTGeneration.allCases)
    func usedKeysAreGone(generation: DUKPTGeneration) throws {
        let (opener, identifier) = try Self.pair(generation)
        let initial = hex(try opener.initialKey(identifier: identifier))
        var device = try DUKPTDevice(
            generation, initialKey: try opener.initialKey(identifier: identifier), device: identifier)
        for _ in 0..<40 {
            let used = hex(try device.advance().key)
            let state = hex(device.stored)
            #expect(!state.contains(used) && !state.contains(initial))
        }
    }

    /// The last counter is used, then the device is exhausted, and stays so.
    @Test(arguments: DUKPTGeneration.allCases)
    func anExhaustedDeviceSaysSo(generation: DUKPTGeneration) throws {
        let (opener, identifier) = try Self.pair(generation)
        let full = try DUKPTDevice(
            generation, initialKey: try opener.initialKey(identifier: identifier), device: identifier)
        // A state just before the end: the highest counter, its key in place.
        let place = generation.lastCounter.trailingZeroBitCount
        let key = try opener.transactionKey(
            serialNumber: generation.serialNumber(identifier, counter: generation.lastCounter))
        var stored = full.stored
        for index in 0..<4 {
            stored[2 + index] = UInt8(truncatingIfNeeded: generation.lastCounter >> UInt32(24 - 8 * index))
        }
        let flags = 6 + identifier.count
        for bit in 0..<generation.counterBits { stored[flags + bit] = bit == place ? 1 : 0 }
        for index in 0..<16 { stored[flags + generation.counterBits + 16 * place + index] = key[index] }
        var device = try DUKPTDevice(stored: stored)
        #expect(hex(try device.advance().key) == hex(key))
        for _ in 0..<2 {
            #expect(throws: SealingError.exhausted) { _ = try device.advance() }
        }
    }

    @Test func keysOfOtherLengthsAreNamed() {
        #expect(throws: SealingError.self) { _ = try DUKPTOpener(.aes, baseKey: SecretBytes(count: 15)) }
        #expect(throws: SealingError.self) { _ = try DUKPTOpener(.tripleDES, baseKey: SecretBytes(count: 24)) }
        #expect(throws: SealingError.self) {
            _ = try DUKPTDevice(.aes, initialKey: SecretBytes(count: 16), device: [1, 2, 3])
        }
        #expect(throws: SealingError.self) {
            _ = try DUKPTDevice(.aes, initialKey: SecretBytes(count: 17), device: [1, 2, 3, 4, 5, 6, 7, 8])
        }
    }
}
#endif
