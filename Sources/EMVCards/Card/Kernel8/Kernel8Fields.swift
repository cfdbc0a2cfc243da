// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKernel

extension Kernel8Behaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout Kernel8Behaviour, _ base: Kernel8Behaviour
    ) throws(FormatError) {
        try fields("version", &value.version, base.version, .number(0...255, "a version"))
        try fields("channelSuites", &value.channelSuites, base.channelSuites, .hex(1...3))
        try fields("detectsFieldOff", &value.detectsFieldOff, base.detectsFieldOff, .flag)
        try fields("certificates", &value.certificates, base.certificates, .choice)
        try fields("encryption", &value.encryption, base.encryption, .choice)
        try fields("issuerDataMAC", &value.issuerDataMAC, base.issuerDataMAC, .choice)
        try fields("macOffset", &value.macOffset, base.macOffset, .number(0...24, "an offset in bytes"))
        try fields("verification", &value.verification, base.verification, CardValue.choice.inArray)
        try fields("alwaysVerifies", &value.alwaysVerifies, base.alwaysVerifies, .flag)
        try fields.orNull("decision", &value.decision, base.decision, .byte)
        try fields("results", &value.results, base.results, .hex(5))
        try fields.orNull("restart", &value.restart, base.restart, .hex(2))
        try fields("restarts", &value.restarts, base.restarts, .restarts)
        try fields.partOrNull("relay", &value.relay, base.relay, else: RelayResistance())
        try fields.orNull("authenticatedData", &value.authenticatedData, base.authenticatedData, .hex(0...128))
        try fields("extendedTags", &value.extendedTags, base.extendedTags, CardValue<UInt32>.tag.inArray)
        try fields("listIsSigned", &value.listIsSigned, base.listIsSigned, .flag)
        try fields("envelopes", &value.envelopes, base.envelopes, .envelopes)
        try fields.orNull("cryptogramRefusal", &value.cryptogramRefusal, base.cryptogramRefusal, .status)
        try fields("defects", &value.defects, base.defects, .set())
    }
}

extension CardValue where Value == Int {
    /// A number of transactions; null is all of them.
    fileprivate static var restarts: CardValue {
        let number = number(0...65535, "a number of transactions")
        return CardValue(
            read: { node throws(FormatError) in node.isNull ? .max : try number.read(node) },
            write: { $0 == .max ? JSON(.null) : number.write($0) })
    }
}

extension CardValue where Value == [UInt8: [UInt8]] {
    /// Values by tag, 9F8111 to 9F811A.
    fileprivate static var envelopes: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                var envelopes: [UInt8: [UInt8]] = [:]
                for (name, member) in try node.members() {
                    let tag = try member.tag(name) { envelopes[UInt8(truncatingIfNeeded: $0.rawValue)] == nil }
                    guard (0x9F8111...0x9F811A).contains(tag.rawValue) else {
                        throw member.expected("a tag from 9F8111 to 9F811A as the key", found: "\(tag)")
                    }
                    envelopes[UInt8(truncatingIfNeeded: tag.rawValue)] = try member.hex(0...192)
                }
                return envelopes
            },
            write: { envelopes in
                var object = ObjectWriter()
                for (tag, value) in envelopes.sorted(by: { $0.key < $1.key }) {
                    object.put(Hex.string([0x9F, 0x81, tag]), hex: value)
                }
                return object.json
            })
    }
}
