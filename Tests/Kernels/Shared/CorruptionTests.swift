// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import EMVSimulator
import Foundation
import Testing

/// Every truncation and every single-byte corruption of every response of every simulated card ends in one defined
/// outcome.
@Suite struct CorruptionTests {
    /// One value of `n` for each byte; all 255 with `CEMV_CORRUPT_ALL=1`, as the sanitizer run does.
    static var stride: UInt32 { ProcessInfo.processInfo.environment["CEMV_CORRUPT_ALL"] == nil ? 37 : 1 }

    /// Cards that one changed byte makes whole again: the authority they name, a bit of their signature.
    static let oneByteFromHealth: Set = [
        "unknownCA", "wrongSignature", "odaFailBoth", "odaFailOnline", "odaFailSwitch",
    ]

    @Test(arguments: CardProfile.profiles.keys.sorted())
    func everyDamagedResponseEndsInOneOutcome(profile: String) throws {
        let reader = CorruptionReader()
        let responses = try reader.record(VirtualCard(try #require(CardProfile.named(profile))))
        let result = reader.corrupt(responses, stride: Self.stride)
        #expect(result.taps > 1 || responses.isEmpty)
        #expect(result.not_begun == 0)
        #expect(result.endless == 0)
        #expect(result.without_outcome == 0)
        #expect(result.internal_errors == 0)
        #expect(result.not_wiped == 0)
        #expect(result.approved_truncated == 0)
        #expect(
            result.approved_forged <= (Self.oneByteFromHealth.contains(profile) ? 1 : 0),
            "response \(result.forged.response), byte \(result.forged.offset) as \(result.forged.value)")
    }

    @Test func theUndamagedTapsAreWhatTheySay() throws {
        let reader = CorruptionReader()
        let expected: [(String, cemv_outcome_status)] = [
            ("online", CEMV_OUTCOME_ONLINE_REQUEST), ("fdda", CEMV_OUTCOME_APPROVED),
            ("fddaMax", CEMV_OUTCOME_APPROVED),
            ("decline", CEMV_OUTCOME_DECLINED), ("wrongSignature", CEMV_OUTCOME_DECLINED),
            ("noPPSE", CEMV_OUTCOME_END_APPLICATION),
        ]
        for (profile, outcome) in expected {
            let responses = try reader.record(VirtualCard(try #require(CardProfile.named(profile))))
            #expect(reader.corrupt(responses, stride: 255).plain_outcome == UInt8(outcome.rawValue), "\(profile)")
        }
    }
}

/// The reader of a Kernel 3 test with Visa's simulated authorities' keys, for simulated cards.
final class CorruptionReader {
    private let sale: K3Sale
    private let reader: K3Reader

    init() {
        var sale = K3Sale(CEMV_PROFILE_GUARDED)
        sale.otherKeys = CardAuthority.publicKeys.filter { $0.rid == CardAuthority.visaRID }.map { key in
            (index: key.index, exponent: key.exponent.reduce(0) { $0 << 8 | UInt32($1) }, modulus: key.modulus)
        }
        self.sale = sale
        reader = K3Reader(sale)
    }

    /// The responses of one tap, presented again as often as the reader asks.
    func record(_ card: VirtualCard) throws -> [K3Bytes] {
        var card = card
        var responses: [K3Bytes] = []
        _ = reader.run { _, command in
            if command.starts(with: [0x00, 0xA4, 0x04, 0x00, 0x0E]) { card.reset() }
            let response = card.respond(to: command)
            responses.append(response)
            return .response(response)
        }
        return responses
    }

    func corrupt(_ responses: [K3Bytes], stride: UInt32) -> corruption {
        let bytes = responses.map { response in
            let block = UnsafeMutablePointer<UInt8>.allocate(capacity: response.count)
            block.initialize(from: response, count: response.count)
            return cemv_bytes(data: block, size: response.count)
        }
        defer { for block in bytes { UnsafeMutablePointer(mutating: block.data)?.deallocate() } }
        var result = corruption()
        bytes.withUnsafeBufferPointer { bytes in
            sale.random.withUnsafeBufferPointer { random in
                var setup = corruption_setup()
                setup.checked = reader.checked
                setup.transaction.amount = sale.amount
                setup.transaction.currency = 0x0978
                setup.transaction.exponent = 2
                setup.transaction.date = (sale.date[0], sale.date[1], sale.date[2])
                setup.random = cemv_bytes(data: random.baseAddress, size: random.count)
                setup.responses = bytes.baseAddress
                setup.response_count = bytes.count
                setup.stride = stride
                corrupt_everything(&setup, &result)
            }
        }
        return result
    }
}
