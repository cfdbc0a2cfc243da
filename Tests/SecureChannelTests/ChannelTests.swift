// SPDX-License-Identifier: Apache-2.0
import Testing

#if Kernel8
import CEMV
import CEMVInternals
import EMVSecureChannel
import Foundation

@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// Every value of k8-vectors.json that uses the `secret` part of the crypto port, computed by the kernel's own channel
/// (`k8_channel.c`) with swift-crypto.
@Suite struct ChannelTests {
    /// A sheet: values by label, in hex or as a truth value.
    struct Sheet {
        let name: String
        private let values: [String: Any]

        init(_ json: [String: Any]) throws {
            name = try #require(json["name"] as? String)
            values = try #require(json["values"] as? [String: Any])
        }

        var labels: [String] { Array(values.keys) }

        /// The value of this label, or of its only continuation in brackets: `record1.encrypted (counter 8001)`.
        func label(_ start: String) throws -> String {
            if values[start] != nil { return start }
            let found = labels.filter { $0.hasPrefix(start + " (") }
            #expect(found.count == 1, "\(start): \(found)")
            return try #require(found.first)
        }

        func bytes(_ start: String) throws -> Bytes {
            try #require((values[try label(start)] as? String).flatMap(Hex.bytes), "\(name): \(start)")
        }

        func truth(_ label: String) throws -> Bool { try #require(values[label] as? Bool, "\(name): \(label)") }

        func counter(_ start: String) throws -> UInt16 {
            let digits = try label(start).components(separatedBy: "counter ").last?.prefix(4)
            return try #require(digits.flatMap { UInt16($0, radix: 16) }, "\(name): \(start)")
        }
    }

    nonisolated(unsafe) static let sheets: [Sheet] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Independent/k8-vectors.json")
        guard let data = try? Data(contentsOf: file), let json = try? JSONSerialization.jsonObject(with: data),
            let list = (json as? [String: Any])?["sheets"] as? [[String: Any]]
        else { return [] }
        return list.compactMap { try? Sheet($0) }
    }()

    nonisolated(unsafe) static let transactions = sheets.filter {
        !["ecsdsa-P-256", "ecsdsa-P-521", "edges"].contains($0.name)
    }

    @Test func theSheetsAreThere() {
        #expect(
            ChannelTests.transactions.map(\.name)
                == ["plain", "relay", "version-1", "leading-zeros", "whole-blocks"])
        #expect(ChannelTests.sheets.count == 8)
    }

    @Test(arguments: ["ca", "issuer", "icc", "kernel"]) func publicKeysAreThoseOfTheirScalars(owner: String) throws {
        for sheet in ChannelTests.transactions {
            let point = Port.publicKey(try sheet.bytes("\(owner).private"))
            let known = try sheet.bytes("\(owner).public")
            // The sheets have the smaller y of long-term keys: only x counts.
            #expect(point.prefix(32) == known.prefix(32) && Port.isPoint(point), "\(sheet.name)")
            if owner == "kernel" { #expect(point == known, "\(sheet.name)") }
        }
    }

    @Test func sharedSecretAndSessionKeysAreThoseOfTheSheets() throws {
        for sheet in ChannelTests.transactions {
            let own = try sheet.bytes("kernel.private"), blinded = try sheet.bytes("blindedPublic.x")
            let shared = Port.multiply(own, Port.recover(blinded))
            #expect(try shared == sheet.bytes("Z") && shared == sheet.bytes("Z by the card"), "\(sheet.name)")
            #expect(try Port.mac(Bytes(repeating: 0, count: 16), shared) == sheet.bytes("KDK"), "\(sheet.name)")
            let channel = try #require(Port.open(own, try sheet.bytes("cardKeyData")), "\(sheet.name)")
            #expect(try channel.confidentiality == sheet.bytes("SKc"), "\(sheet.name)")
            #expect(try channel.integrity == sheet.bytes("SKi"), "\(sheet.name)")
            #expect(try channel.factor == sheet.bytes("blindingFactor"), "\(sheet.name)")
        }
    }

    @Test func theBlindingFactorLeadsFromTheCardsKeyToTheBlindedOne() throws {
        for sheet in ChannelTests.transactions {
            let factor = try sheet.bytes("blindingFactor"), blinded = try sheet.bytes("blindedPublic.x")
            #expect(try Port.multiply(factor, sheet.bytes("icc.public")) == blinded, "\(sheet.name)")
            let holds = try Port.blindingHolds(factor, sheet.bytes("icc.recovered"), blinded)
            #expect(try holds == sheet.truth("blindingFactor.valid"), "\(sheet.name)")
            let key = try sheet.bytes("SKc"), counter = try sheet.counter("encryptedBlindingFactor")
            #expect(
                try Port.counterMode(key, counter, factor) == sheet.bytes("encryptedBlindingFactor"), "\(sheet.name)")
        }
    }

    @Test func recordsAndEnvelopesAreDeciphered() throws {
        for sheet in ChannelTests.transactions {
            let key = try sheet.bytes("SKc"), integrity = try sheet.bytes("SKi")
            var records: Bytes = []
            for record in ["record1", "record2"] {
                let start = "\(record).encrypted"
                guard sheet.labels.contains(where: { $0.hasPrefix(start) }) else { continue }
                records += Port.counterMode(key, try sheet.counter(start), try sheet.bytes(start))
            }
            #expect(try records == sheet.bytes("signedRecords"), "\(sheet.name)")

            let answer = try sheet.bytes("readData.response"), counter = try sheet.counter("readData.response")
            let enciphered = Bytes(answer.dropLast(8))
            #expect(Port.macHolds(integrity, counter, [enciphered], Bytes(answer.suffix(8))), "\(sheet.name)")
            #expect(
                try Port.counterMode(key, counter, enciphered) == sheet.bytes("readData.decrypted"), "\(sheet.name)")
            for number in 1...2 {
                let command = "writeData\(number).command", response = "writeData\(number).response"
                let plain = try Port.counterMode(key, sheet.counter(command), sheet.bytes(command))
                #expect(plain.starts(with: [0x9F, 0x81]), "\(sheet.name)")
                let holds = try Port.macHolds(integrity, sheet.counter(response), [plain], sheet.bytes(response))
                #expect(holds, "\(sheet.name)")
            }
        }
    }

    @Test func macsAreThoseOfTheSheets() throws {
        for sheet in ChannelTests.transactions {
            let key = try sheet.bytes("SKi"), message = try sheet.bytes("iadMac.message")
            #expect(try Port.mac(key, message) == sheet.bytes("iadMac.Hn"), "\(sheet.name)")
            #expect(try Port.mac(key, message, isPlus: true) == sheet.bytes("iadMac.cmacPlus"), "\(sheet.name)")
            #expect(try Port.mac(key, message, isPlus: true).prefix(8) == sheet.bytes("iadMac")[...], "\(sheet.name)")
            let bound = try sheet.bytes(sheet.name == "version-1" ? "iad.withMac" : "iadMac")
            let pieces = [try sheet.bytes("applicationCryptogram"), bound], mac = try sheet.bytes("edaMac")
            #expect(Port.macHolds(key, 0, pieces, mac), "\(sheet.name)")
            for bit in 0..<64 {
                var spoilt = mac
                spoilt[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                #expect(!Port.macHolds(key, 0, pieces, spoilt), "\(sheet.name)")
            }
            let cryptogram = Port.mac(try sheet.bytes("acSessionKey"), try sheet.bytes("ac.message"))
            #expect(try cryptogram.prefix(8) == sheet.bytes("applicationCryptogram")[...], "\(sheet.name)")
        }
    }

    @Test func edgesAreThoseOfTheSheet() throws {
        let sheet = try #require(ChannelTests.sheets.last { $0.name == "edges" })
        let card = try sheet.bytes("icc.x"), blinded = try sheet.bytes("blinded.x"), key = try sheet.bytes("key")
        var factor = try sheet.bytes("r")
        #expect(Port.blindingHolds(factor, card, blinded))
        #expect(try Port.blindingHolds(Port.negated(factor), card, blinded) == sheet.truth("n - r: valid (same x)"))
        #expect(
            try Port.blindingHolds(Bytes(repeating: 0, count: 32), card, blinded) == sheet.truth("r = 0: valid"))
        factor[31] += 1
        #expect(try Port.blindingHolds(factor, card, blinded) == sheet.truth("r + 1: valid"))
        for label in ["x without a point", "x not below p"] {
            let x = try sheet.bytes(label)
            #expect(Port.open(factor, x + Bytes(repeating: 0, count: 32)) == nil, "\(label)")
        }
        var compared = 0
        for label in sheet.labels {
            let words = label.split(whereSeparator: { " ,(+".contains($0) })
            if label.hasPrefix("cmac"), let count = Int(words[words.count - 2]) {
                let text = (0..<count).map { UInt8($0) }
                let found = Port.mac(key, text, isPlus: label.hasPrefix("cmac+"))
                #expect(try found == sheet.bytes(label), "\(label)")
                compared += 1
            } else if label.hasPrefix("ctr"), let counter = UInt16(words[3], radix: 16), let count = Int(words[4]) {
                let found = Port.counterMode(key, counter, Bytes(repeating: 0, count: count))
                #expect(try found == sheet.bytes(label), "\(label)")
                compared += 1
            }
        }
        #expect(compared == 20)
    }

    /// Inputs that the contract excludes give unpredictable bytes, and no crash.
    @Test func whatTheLibraryRefusesIsNotForeseeable() {
        let zero = Bytes(repeating: 0, count: 32), base = Port.publicKey(Bytes(repeating: 0, count: 31) + [1])
        #expect(Port.publicKey(zero) != Port.publicKey(zero))
        #expect(Port.multiply(zero, base) != Port.multiply(zero, base))
        var offCurve = base
        offCurve[63] ^= 1
        let two = Bytes(repeating: 0, count: 31) + [2]
        #expect(Port.multiply(two, offCurve) != Port.multiply(two, offCurve))
        #expect(Port.multiply(two, base) == Bytes(Port.publicKey(two).prefix(32)))
    }
}

/// The adapter, and the kernel's channel that uses it.
enum Port {
    nonisolated(unsafe) static let secret = unsafe UnsafePointer<cemv_crypto_secret>(
        allocated(SecretCrypto.swiftCrypto.part))
    nonisolated(unsafe) static let crypto = unsafe UnsafePointer<cemv_crypto>(
        allocated(
            {
                var crypto = unsafe cemv_crypto_builtin
                unsafe crypto.secret = secret
                return unsafe crypto
            }()))

    /// Allocated for the lifetime of the process.
    private static func allocated<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe place.initialize(to: value)
        return unsafe place
    }

    static func publicKey(_ scalar: Bytes) -> Bytes {
        var point = Bytes(repeating: 0, count: 64)
        unsafe secret.pointee.p256_public(&point, scalar)
        return point
    }

    static func multiply(_ scalar: Bytes, _ point: Bytes) -> Bytes {
        var x = Bytes(repeating: 0, count: 32)
        unsafe secret.pointee.p256_multiply(&x, scalar, point)
        return x
    }

    static func isPoint(_ point: Bytes) -> Bool { unsafe cemv_p256_is_point(point) }

    static func recover(_ x: Bytes) -> Bytes {
        var point = Bytes(repeating: 0, count: 64)
        return unsafe cemv_p256_recover(&point, x) ? point : []
    }

    /// n - scalar.
    static func negated(_ scalar: Bytes) -> Bytes {
        let order = Hex.bytes("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")!
        var borrow = 0
        return Bytes(
            zip(order, scalar).reversed().map { own, other in
                let rest = Int(own) - Int(other) - borrow
                borrow = rest < 0 ? 1 : 0
                return UInt8(rest & 0xFF)
            }.reversed())
    }

    static func open(_ own: Bytes, _ data: Bytes) -> (confidentiality: Bytes, integrity: Bytes, factor: Bytes)? {
        var channel = k8_channel()
        var factor = Bytes(repeating: 0, count: 32)
        let opened = unsafe data.withUnsafeBufferPointer { data in
            unsafe k8_channel_open(
                &channel, crypto, own, cemv_bytes(data: data.baseAddress, size: data.count), &factor)
        }
        guard opened else { return nil }
        return unsafe (
            withUnsafeBytes(of: channel.confidentiality) { unsafe Bytes($0) },
            withUnsafeBytes(of: channel.integrity) { unsafe Bytes($0) }, factor
        )
    }

    static func counterMode(_ key: Bytes, _ counter: UInt16, _ text: Bytes) -> Bytes {
        var text = text
        unsafe k8_counter_mode(secret, key, counter, &text, text.count)
        return text
    }

    /// The text is given in two pieces, so that both a run of whole blocks and single blocks occur.
    static func mac(_ key: Bytes, _ text: Bytes, isPlus: Bool = false) -> Bytes {
        var out = Bytes(repeating: 0, count: 16)
        unsafe key.withUnsafeBufferPointer { key in
            var mac = unsafe k8_mac_open(secret, key.baseAddress)
            for piece in [text.prefix(text.count / 3), text.dropFirst(text.count / 3)] {
                unsafe piece.withUnsafeBufferPointer { piece in
                    unsafe k8_mac_add(&mac, cemv_bytes(data: piece.baseAddress, size: piece.count))
                }
            }
            if isPlus { unsafe k8_mac_close_plus(&mac, &out) } else { unsafe k8_mac_close(&mac, &out) }
        }
        return out
    }

    static func macHolds(_ key: Bytes, _ counter: UInt16, _ pieces: [Bytes], _ mac: Bytes) -> Bool {
        let text = pieces.flatMap { $0 }
        return unsafe text.withUnsafeBufferPointer { text in
            var piece = unsafe cemv_bytes(data: text.baseAddress, size: text.count)
            return unsafe k8_mac_holds(secret, key, counter, &piece, 1, mac)
        }
    }

    static func blindingHolds(_ factor: Bytes, _ key: Bytes, _ blinded: Bytes) -> Bool {
        unsafe k8_blinding_holds(crypto, factor, key, blinded)
    }
}
#else
@Suite struct ChannelTests {
    @Test(.disabled("needs the trait Kernel8 (Scripts/test --all)")) func theSecureChannelOverSwiftCrypto() {}
}
#endif
