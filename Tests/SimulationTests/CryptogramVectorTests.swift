// SPDX-License-Identifier: Apache-2.0
import EMVTripleDES
import Foundation
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Vectors collected from other projects. They are in a directory next to the package and not part of it.
enum CryptogramVectors {
    static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/vectors/cryptogram.json")

    static var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// A call of another project's function, with its result.
    struct Call: Sendable {
        let function: String
        let inputs: [String: String]
        let expected: String

        func bytes(_ name: String) -> [UInt8] { [UInt8](hex: inputs[name] ?? "") }

        /// Decimal digits; some vectors give them as hexadecimal text.
        func digits(_ name: String, upTo limit: Int) -> String? {
            guard let value = inputs[name] else { return nil }
            return value.count > limit ? String(decoding: [UInt8](hex: value), as: UTF8.self) : value
        }
    }

    static func calls() throws -> [Call] {
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let list = try #require(document?["function_vectors"] as? [[String: Any]])
        return list.map { entry in
            let inputs = (entry["inputs"] as? [String: Any] ?? [:]).compactMapValues { value -> String? in
                value is NSNull ? nil : "\(value)"
            }
            let function = (entry["function"] as? String ?? "").split(separator: ".").last.map(String.init) ?? ""
            return Call(function: function, inputs: inputs, expected: entry["expected"] as? String ?? "")
        }
    }
}

@Suite("Cryptogram vectors of other projects", .enabled(if: CryptogramVectors.isThere, "no third-party vectors"))
struct CryptogramVectorTests {
    /// PIN verification and card verification values: computed by the issuer without card data.
    private static let outside: Set<String> = [
        "generate_ibm3624_pin", "generate_ibm3624_offset", "generate_visa_pvv", "generate_cvv",
    ]

    @Test func everyFunctionAgrees() throws {
        var counts: [String: Int] = [:]
        for call in try CryptogramVectors.calls() where !Self.outside.contains(call.function) {
            counts[call.function, default: 0] += 1
            let answer = Self.keyAnswer(call) ?? Self.macAnswer(call) ?? Self.scriptAnswer(call) ?? Self.pinAnswer(call)
            #expect(answer == call.expected, "\(call.function) \(call.inputs)")
        }
        #expect(counts.count == 25)
        #expect(counts.values.reduce(0, +) == 198)
    }

    private static func key(_ call: CryptogramVectors.Call, _ name: String) -> CardKey {
        CardKey(tripleDES: call.bytes(name))
    }

    private static func keyAnswer(_ call: CryptogramVectors.Call) -> String? {
        let counter = UInt16(truncatingIfNeeded: UInt64(bigEndian: call.bytes("atc")))
        switch call.function {
        case "derive_icc_mk_a", "derive_icc_mk_b":
            let sequence = call.digits("psn", upTo: 2).map { [UInt8](hex: $0)[0] } ?? 0
            let derivation: KeyDerivation = call.function.hasSuffix("a") ? .optionA : .optionB
            return derivation.cardKey(
                master: key(call, "iss_mk"), pan: call.digits("pan", upTo: 19) ?? "", sequence: sequence)?.bytes.hex
        case "derive_common_sk":
            return key(call, "icc_mk").sessionKey(diversifiedBy: call.bytes("r")).bytes.hex
        case "derive_visa_sm_sk":
            return key(call, "icc_mk").visaScriptKey(counter: counter).bytes.hex
        case "derive_emv2000_tree_sk":
            return key(call, "icc_mk").treeSessionKey(
                counter: counter, height: Int(call.inputs["height"]!)!, branches: Int(call.inputs["branch_factor"]!)!,
                start: call.bytes("iv")
            ).bytes.hex
        default: return nil
        }
    }

    private static func macAnswer(_ call: CryptogramVectors.Call) -> String? {
        switch call.function {
        case "generate_ac":
            let visa = call.inputs["padding_type"]?.contains("VISA") == true
            return key(call, "sk_ac").mac(call.bytes("data"), padding: visa ? .zeros : .marked).hex
        case "generate_arpc_1":
            return ResponseMethod.first(key(call, "sk_ac"), call.bytes("arqc"), code: call.bytes("arpc_rc")).hex
        case "generate_arpc_2":
            return ResponseMethod.second(
                key(call, "sk_ac"), call.bytes("arqc"), update: call.bytes("csu"), more: call.bytes("prop_auth_data")
            ).hex
        case "mac_iso9797_3":
            let key = CardKey(tripleDES: call.bytes("key1") + call.bytes("key2"))
            return key.mac(call.bytes("data"), padding: call.inputs["padding"] == "1" ? .zeros : .marked).hex
        case "generate_command_mac":
            return key(call, "sk_smi").mac(call.bytes("command")).hex
        case "generate_cvc3":
            let code = DynamicCode(key: call.bytes("icc_cvc3")).code(
                track: call.bytes("track_template"), number: call.bytes("un"),
                counter: UInt16(truncatingIfNeeded: UInt64(bigEndian: call.bytes("atc"))))
            return "\(code)"
        default: return nil
        }
    }

    private static func scriptAnswer(_ call: CryptogramVectors.Call) -> String? {
        switch call.function {
        case "format_vis_pin_block":
            return key(call, "icc_mk_ac").visaPINChange(
                call.digits("pin", upTo: textLimit(call, "pin")) ?? "",
                current: call.digits("current_pin", upTo: textLimit(call, "current_pin")))?.hex
        case "format_iso9564_2_pin_block":
            return PINBlock.format2.block(pin: call.digits("pin", upTo: textLimit(call, "pin")) ?? "")?.hex
        case "encrypt_command_data":
            let format: SecureMessaging = call.inputs["encryption_type"]!.contains("VISA") ? .visa : .mastercard
            return format.encipher(call.bytes("command_data"), with: key(call, "sk_smc")).hex
        default: return nil
        }
    }

    /// The bytes of a PIN as hexadecimal text are all 3x; no vector's decimal digits are.
    private static func textLimit(_ call: CryptogramVectors.Call, _ name: String) -> Int {
        let value = call.inputs[name] ?? ""
        let isText =
            value.count.isMultiple(of: 2)
            && stride(from: 0, to: value.count, by: 2).allSatisfy {
                Array(value)[$0] == "3"
            }
        return isText ? 0 : 12
    }

    /// The filling of a format 3 block, found by comparison with the format 0 block, whose filling is F.
    private static func filling(_ block: [UInt8], as other: [UInt8]) -> [UInt8] {
        var nibbles: [UInt8] = []
        for (one, two) in zip(block, other) {
            let both: UInt8 = one ^ two ^ 0xFF
            nibbles.append(both >> 4)
            nibbles.append(both & 0x0F)
        }
        return nibbles
    }

    /// Blocks with random filling are rebuilt with the vector's filling.
    private static func pinAnswer(_ call: CryptogramVectors.Call) -> String? {
        let pin = call.inputs["pin"] ?? ""
        let pan = call.inputs["pan"] ?? ""
        let expected = call.function.hasPrefix("enc") ? [UInt8](hex: call.expected) : []
        switch call.function {
        case "encode_pinblock_iso_0": return PINBlock.format0.block(pin: pin, pan: pan)?.hex
        case "encode_pinblock_iso_2": return PINBlock.format2.block(pin: pin)?.hex
        case "encode_pinblock_iso_3":
            let filling = Self.filling(expected, as: PINBlock.format0.block(pin: pin, pan: pan) ?? [])
            let fill = filling.dropFirst(2 + pin.count).map { $0 &- 0xA }
            return PINBlock.format3.block(pin: pin, pan: pan, fill: fill)?.hex
        case "encode_pin_field_iso_4": return PINBlock.format4.block(pin: pin, fill: Array(expected.suffix(8)))?.hex
        case "encode_pan_field_iso_4": return PINBlock.accountField(pan)?.hex
        case "encipher_pinblock_iso_4":
            let key = CardKey(aes: call.bytes("key"))
            guard PINBlock.pin(inEnciphered: expected, pan: pan, key: key) == pin else { return nil }
            let inner = zip(key.decryptChained(expected), PINBlock.accountField(pan)!).map { $0 ^ $1 }
            let fill = Array(key.decryptChained(inner).suffix(8))
            return PINBlock.encipher(PINBlock.format4.block(pin: pin, fill: fill)!, pan: pan, key: key)?.hex
        case "decode_pin_field_iso_4": return PINBlock.format4.pin(in: call.bytes("pin_field"))
        case "decipher_pinblock_iso_4":
            return PINBlock.pin(inEnciphered: call.bytes("pin_block"), pan: pan, key: CardKey(aes: call.bytes("key")))
        case "decode_pinblock_iso_0": return PINBlock.format0.pin(in: call.bytes("pinblock"), pan: pan)
        case "decode_pinblock_iso_2": return PINBlock.format2.pin(in: call.bytes("pinblock"))
        case "decode_pinblock_iso_3": return PINBlock.format3.pin(in: call.bytes("pinblock"), pan: pan)
        default: return nil
        }
    }
}
