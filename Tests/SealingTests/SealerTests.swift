// SPDX-License-Identifier: Apache-2.0
#if Sealing
import EMVKit
import EMVSealing
import EMVSimulator
import Foundation
import Testing

// EMVSealing.md
func sealForTheService(_ read: CardRead, serviceKey: Bytes) async throws -> SealedRead {
    let sealer = try HPKESealer(publicKey: serviceKey, keyIdentifier: [0x01])
    return try await read.sealed(by: sealer)
}

/// A sealer with the service that opens its payloads.
private struct Pair: Sendable {
    let name: String
    let sealer: any PayloadSealer
    let open: @Sendable (SealedPayload, Bytes) throws(SealingError) -> SensitivePayload

    static func all() throws -> [Pair] {
        let service = HPKEOpener()
        let hpke = try HPKESealer(publicKey: service.publicKey, keyIdentifier: [0xCA, 0xFE])
        var pairs = [
            Pair(name: "HPKE", sealer: hpke) { sealed, context throws(SealingError) in
                try service.open(sealed, context: context)
            }
        ]
        for (generation, size) in [(DUKPTGeneration.aes, 16), (.aes, 24), (.aes, 32), (.tripleDES, 16)] {
            let opener = try DUKPTOpener(generation, baseKey: SecretBytes((0..<size).map { UInt8($0 * 7) }))
            let identifier: Bytes =
                generation == .aes ? [1, 2, 3, 4, 5, 6, 7, 8] : [0xFF, 0xFF, 1, 2, 3, 4, 5, 0xE0, 0, 0]
            let sealer = try DUKPTSealer(
                generation, initialKey: try opener.initialKey(identifier: identifier), identifier: identifier)
            pairs.append(
                Pair(name: "\(generation) \(size)", sealer: sealer) { sealed, context throws(SealingError) in
                    try opener.open(sealed, context: context)
                })
        }
        return pairs
    }
}

/// An account number that no other test uses.
private enum Marked {
    static let pan = "4929531086420975"
    static let middle = "310864"
    static let packed: [UInt8] = [0x31, 0x08, 0x64, 0x20]

    static func read(_ name: String = "online") async throws -> CardRead {
        var profile = CardProfile.named(name)!
        profile.application.pan = pan
        let reader = TapReader(SimulatedReader(profile), configuration: .simulator())
        let session = try await reader.prepare()
        let outcome = await session.read(PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur)))
        guard case .success(let read) = outcome else { throw CocoaError(.fileReadUnknown) }
        return read
    }
}

@Suite struct SealerTests {
    /// The service gets account number and track, and the POS's record contains neither.
    @Test func whatIsSealedIsOpenedByTheServiceAlone() async throws {
        let read = try await Marked.read()
        for pair in try Pair.all() {
            let sealed = try await read.sealed(by: pair.sealer)
            let opened = try pair.open(sealed.payload, sealed.context)
            #expect(opened.value(of: 0x57) == read.dataRecord[0x57], "\(pair.name)")
            #expect(Hex.string(opened.value(of: 0x57) ?? []).hasPrefix(Marked.pan))
            #expect(sealed.dataRecord[0x57] == nil && sealed.dataRecord[0x5A] == nil)
            #expect(sealed.dataRecord[0x9F26] == read.dataRecord[0x9F26] && sealed.dataRecord[0x9F26] != nil)
            #expect(sealed.maskedPAN == read.maskedPAN)
        }
    }

    /// Sealed data cannot be changed, moved to another transaction, or opened with another key.
    @Test func everyFlippedBitIsRefused() async throws {
        let read = try await Marked.read()
        for pair in try Pair.all() {
            let sealed = try await read.sealed(by: pair.sealer)
            func refuses(_ payload: SealedPayload, _ context: Bytes) -> Bool {
                do throws(SealingError) {
                    _ = try pair.open(payload, context)
                    return false
                } catch {
                    return true
                }
            }
            for bit in 0..<8 * sealed.payload.ciphertext.count {
                var altered = sealed.payload
                altered.ciphertext[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(refuses(altered, sealed.context), "\(pair.name), bit \(bit)")
            }
            for bit in 0..<8 * sealed.payload.keyIdentifier.count {
                var altered = sealed.payload
                altered.keyIdentifier[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(refuses(altered, sealed.context), "\(pair.name), key identifier, bit \(bit)")
            }
            for bit in stride(from: 0, to: 8 * sealed.payload.encapsulatedKey.count, by: 5) {
                var altered = sealed.payload
                altered.encapsulatedKey[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(refuses(altered, sealed.context), "\(pair.name), encapsulated key, bit \(bit)")
            }
            for bit in stride(from: 0, to: 8 * sealed.context.count, by: 11) {
                var context = sealed.context
                context[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(refuses(sealed.payload, context), "\(pair.name), context, bit \(bit)")
            }
            var other = sealed.payload
            other.scheme = "none"
            #expect(refuses(other, sealed.context))
        }
    }

    @Test func anotherServicesKeyOpensNothing() async throws {
        let read = try await Marked.read()
        let sealed = try await sealForTheService(read, serviceKey: HPKEOpener().publicKey)
        #expect(throws: SealingError.notAuthentic) {
            _ = try HPKEOpener().open(sealed.payload, context: sealed.context)
        }
        let keys = try DUKPTOpener(baseKey: SecretBytes(count: 16))
        let identifier: Bytes = [1, 2, 3, 4, 5, 6, 7, 8]
        let dukpt = try DUKPTSealer(initialKey: try keys.initialKey(identifier: identifier), identifier: identifier)
        let other = try DUKPTOpener(baseKey: SecretBytes([UInt8](repeating: 1, count: 16)))
        let second = try await read.sealed(by: dukpt)
        #expect(throws: SealingError.notAuthentic) { _ = try other.open(second.payload, context: second.context) }
        #expect(throws: SealingError.unknownScheme(HPKESealer.scheme)) {
            _ = try keys.open(sealed.payload, context: sealed.context)
        }
    }

    /// Equal reads have different payloads, so a payload does not identify a card.
    @Test func noTwoPayloadsAreEqual() async throws {
        let read = try await Marked.read()
        for pair in try Pair.all() {
            let one = try await read.sealed(by: pair.sealer)
            let two = try await read.sealed(by: pair.sealer)
            #expect(one.payload.ciphertext != two.payload.ciphertext, "\(pair.name)")
        }
    }

    @Test func payloadsSurviveTheirEncoding() async throws {
        let read = try await Marked.read()
        for pair in try Pair.all() {
            let sealed = try await read.sealed(by: pair.sealer)
            let data = try JSONEncoder().encode(sealed.payload)
            #expect(try JSONDecoder().decode(SealedPayload.self, from: data) == sealed.payload)
        }
        let bad = Data(#"{"scheme":"x","keyIdentifier":"0","encapsulatedKey":"","ciphertext":""}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SealedPayload.self, from: bad) }
    }

    /// A sealed read reveals nothing when it is printed, stored or sent, and errors reveal nothing, either.
    @Test func aSealedReadShowsNoAccountNumber() async throws {
        for name in ["online", "fdda", "onlineCVN22"] {
            let read = try await Marked.read(name)
            for pair in try Pair.all() {
                let sealed = try await read.sealed(by: pair.sealer)
                var text = "\(sealed) \(sealed.payload)" + String(reflecting: sealed)
                dump(sealed, to: &text)
                text += String(decoding: try JSONEncoder().encode(sealed), as: UTF8.self)
                text +=
                    String(decoding: try PropertyListEncoder().encode(sealed), as: UTF8.self)
                    + Hex.string(sealed.dataRecord.bytes)
                #expect(!text.contains(Marked.pan) && !text.contains(Marked.middle), "\(name), \(pair.name)")
                #expect(!text.contains(Marked.packed.map(String.init).joined(separator: ", ")))
                #expect(Hex.string(sealed.payload.ciphertext).contains("310864") == false)
            }
        }
        let errors: [SealingError] = [.badKey("x"), .exhausted, .failed, .notAuthentic, .unknownScheme("y")]
        for error in errors { #expect("\(error)".hasSuffix(".")) }
    }

    @Test func badKeysAreNamed() {
        #expect(throws: SealingError.self) { _ = try HPKESealer(publicKey: [4, 1, 2]) }
        #expect(throws: SealingError.self) { _ = try HPKEOpener(privateKey: [1]) }
    }

    /// A restored device seals with keys that the service still finds, and that were not used before.
    @Test func aSealerGoesOnAfterARestart() async throws {
        let read = try await Marked.read()
        let opener = try DUKPTOpener(baseKey: SecretBytes((0..<16).map { UInt8($0) }))
        let identifier: Bytes = [8, 7, 6, 5, 4, 3, 2, 1]
        let first = try DUKPTSealer(initialKey: try opener.initialKey(identifier: identifier), identifier: identifier)
        var numbers: Set<Bytes> = []
        for _ in 0..<5 { numbers.insert(try await read.sealed(by: first).payload.keyIdentifier) }
        let second = try DUKPTSealer(stored: await first.storedKeys())
        let sealed = try await read.sealed(by: second)
        #expect(!numbers.contains(sealed.payload.keyIdentifier))
        #expect(try opener.open(sealed.payload, context: sealed.context).value(of: 0x57) == read.dataRecord[0x57])
    }
}
#endif
