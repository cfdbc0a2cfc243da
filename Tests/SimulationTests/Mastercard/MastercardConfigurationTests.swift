// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKit
import TestData
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Configurations of Kernel 2 that make no sense are rejected with an error that names the field.
@Suite struct MastercardConfigurationTests {
    private func error(_ data: DataObjects, _ profile: Protection.Profile = .guarded) -> ConfigurationError? {
        do throws(ConfigurationError) {
            _ = try CheckedConfiguration(.simulator(mastercard: data, protection: Protection(profile: profile)))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (0xDF811B, [0xC0], .conflict), (0xDF811B, [0xF8], .conflict), (0xDF811A, [0x9F, 0x6A, 0x08], .badValue),
            (0xDF811A, [0x9F, 0x37, 0x04], .badValue),
            (0xDF811D, [0x05], .tooMany), (0xDF811D, [0xFF], .tooMany), (0xDF8118, [0xE0], .badValue),
            (0xDF8118, [0x70], .badValue),
            (0xDF8119, [0x88], .badValue), (0xDF8119, [0x18], .badValue), (0xDF811E, [0x30], .badValue),
            (0xDF812C, [0xE0], .badValue),
            (0xDF8131, [0, 8, 0, 0, 8, 0, 0x20, 0], .badValue),
            (0xDF8131, [0, 0, 0, 0, 0, 0, 0x20, 0, 0x07], .badValue),
            (0xDF8121, [0, 0, 0, 0], .badLength), (0xDF8120, [0, 0, 0, 0, 0, 0], .badLength),
            (0xDF8132, [0x14], .badLength),
            (0xDF812D, [0, 0, 0x1A], .badValue),
        ] as [(EMVKit.Tag, Bytes, ConfigurationError.Reason)])
    func refusesByName(tag: EMVKit.Tag, value: Bytes, reason: ConfigurationError.Reason) throws {
        let refused = try #require(error([tag: value]))
        #expect(refused.section == .combination)
        #expect(refused.row == 1)
        #expect(refused.field == .data)
        #expect(refused.tag == tag)
        #expect(refused.reason == reason)
        #expect(refused.description.contains("Mastercard"))
    }

    @Test(
        arguments: [
            (0xDF811B, [0x80]), (0xDF811B, [0x00]), (0xDF811A, [0x9F, 0x6A, 0x04]), (0xDF811D, [0x04]),
            (0xDF811D, [0x00]), (0xDF8118, [0x68]),
            (0xDF811E, [0x00]), (0xDF811E, [0x10]), (0xDF812C, [0xF0]), (0xDF8131, [0, 0, 0, 0, 0, 0, 0x20, 0]),
            (0xDF8131, [0, 8, 0, 0, 8, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0x07, 0]), (0xDF8121, [0, 0, 0, 0, 0]),
        ] as [(EMVKit.Tag, Bytes)])
    func takesWhatAReaderCanMean(tag: EMVKit.Tag, value: Bytes) {
        #expect(error([tag: value]) == nil)
    }

    /// attacks.md, A04: a reader with CDA that lets a failed CDA pass.
    @Test func strictWantsAFailedCDADenied() {
        for profile in Protection.Profile.allCases {
            let refused = error([0xDF8121: [0x80, 0xFF, 0xFF, 0xFF, 0xFF]], profile)
            #expect((refused?.tag == 0xDF8121) == (profile == .strict))
            #expect(
                error([0xDF8121: [0x80, 0, 0, 0, 0], 0xDF811F: [0x00]], profile) == nil, "no CDA, nothing to fail")
            #expect(error([0xDF8121: [0x04, 0, 0, 0, 0]], profile) == nil)
        }
    }

    /// The terminal's object applies if the combination does not have that object.
    @Test func theTerminalsObjectsAreCheckedToo() {
        var configuration = Configuration.simulator()
        configuration.combinations[1].data[0xDF811D] = nil
        configuration.terminal[0xDF811D] = [0x09]
        #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
    }

    @Test func theSameLimitTwiceIsAConflict() {
        var configuration = Configuration.simulator()
        configuration.combinations[1].data[0xDF8126] = [0, 0, 0, 0, 0, 1]
        #expect(throws: ConfigurationError.self) { try CheckedConfiguration(configuration) }
    }

    /// Kernel 2's requirements do not apply to a kernel with another number.
    @Test func otherKernelsAreNotBoundByIt() throws {
        var configuration = Configuration.simulator()
        configuration.combinations[0].data[0xDF811D] = [0x09]
        _ = try CheckedConfiguration(configuration)
    }

    @Test func theKnobsOfKernel2AreReadAndWritten() throws {
        let text = """
            { "format": "emv-configuration/1", "combinations": [ { "aid": "A0000000041010", "kernel": 2 } ],
              "protection": { "profile": "strict", "magStripeMode": "off", "minUnDigits": 6, "torn": "sameAmount", \
            "tornLifetime_s": 90,
                "relay": "requireRrp", "relay.maxCardTime_ms": 25, "relay.latency_us": 4200 } }
            """
        let configuration = try Configuration(json: Array(text.utf8))
        #expect(
            configuration.protection
                == with(
                    Protection(
                        profile: .strict, minUNDigits: 6, torn: .sameSale, tornLifetime: 90, relay: .required,
                        relayMaxCardTime: 25, relayLatency: 4200)
                ) { $0.magStripeMode = .off })
        #expect(try Configuration(json: Array(configuration.json.utf8)) == configuration)
        _ = try CheckedConfiguration(configuration)
        for (knob, value) in [
            ("minUnDigits", "9"), ("torn", "\"always\""), ("relay", "\"on\""), ("relay.maxCardTime_ms", "0"),
        ] {
            let bad = "{ \"format\": \"emv-configuration/1\", \"protection\": { \"\(knob)\": \(value) } }"
            #expect(throws: FormatError.self) { try Configuration(json: Array(bad.utf8)) }
        }
    }
}
