// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension CardApplication: CardFielded {
    /// The keys of an application that are common to all schemes. Its scheme's own keys are in an object with the
    /// scheme's name.
    static func visit(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try visitSelection(&fields, &value, base)
        try visitAfterSelection(&fields, &value, base)
        try fields("cases", &value.cases, base.cases, .cases(of: value))
    }

    /// The keys with an effect after SELECT.
    static func visitAfterSelection(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try visitAccount(&fields, &value, base)
        try fields("interchangeProfile", &value.interchangeProfile, base.interchangeProfile, .hex(2))
        try fields.orNull("refusal", &value.refusal, base.refusal, .status)
        try visitKeys(&fields, &value, base)
        try fields("processingOptionsFormat", &value.processingOptionsFormat, base.processingOptionsFormat, .choice)
        try fields("layout", &value.layout, base.layout, .choice)
        try fields.part("objects", &value.objects, base.objects)
        try visitDuringCryptogram(&fields, &value, base)
    }

    /// The keys that have an effect in GENERATE AC too.
    static func visitDuringCryptogram(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try fields("disposition", &value.disposition, base.disposition, .disposition)
        try fields("flaws", &value.flaws, base.flaws, .set())
        value.scheme = CardScheme(try value.scheme.behaviour.visited(&fields, base.scheme.behaviour))
    }

    /// The keys that have no effect after GET PROCESSING OPTIONS.
    static let keysOfOptions = [
        "refusal", "objects", "interchangeProfile", "keys", "pan", "sequence", "expires", "layout",
        "processingOptionsFormat",
    ]

    private static func visitSelection(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try fields("aid", &value.aid, base.aid, .hex(5...16))
        try fields("label", &value.label, base.label, .text(0...16))
        try fields.orNull("priority", &value.priority, base.priority, .number(0...255, "a priority"))
        try fields.orNull("kernelIdentifier", &value.kernelIdentifier, base.kernelIdentifier, .hex(0...8))
        try fields.orNull("extendedSelection", &value.extendedSelection, base.extendedSelection, .hex(0...16))
        try fields("selection", &value.selection, base.selection, .choice)
        try fields.orNull("pdol", &value.pdol, base.pdol, .list)
        try fields.orNull("languages", &value.languages, base.languages, .text(2...8))
        try fields.orNull("registeredData", &value.registeredData, base.registeredData, .hex(1...64))
        try fields.orNull("issuerNumber", &value.issuerNumber, base.issuerNumber, .digits(6...8))
    }

    private static func visitAccount(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try fields("pan", &value.pan, base.pan, .digits(1...19))
        try fields.orNull("sequence", &value.sequence, base.sequence, .number(0...99, "a PAN sequence number"))
        try fields("expires", &value.expires, base.expires, .date)
        try fields.orNull("effective", &value.effective, base.effective, .date)
        try fields("serviceCode", &value.serviceCode, base.serviceCode, .digits(3...3))
        try fields("discretionaryData", &value.discretionaryData, base.discretionaryData, .digits(0...20))
        try fields.orNull("issuerCountry", &value.issuerCountry, base.issuerCountry, .hex(2))
        try fields.orNull("usageControl", &value.usageControl, base.usageControl, .hex(2))
        try fields.orNull("accountReference", &value.accountReference, base.accountReference, .text(29...29))
        try fields.orNull("formFactor", &value.formFactor, base.formFactor, .hex(1...32))
        try fields.orNull("offlineBalance", &value.offlineBalance, base.offlineBalance, .amount)
    }

    private static func visitKeys(
        _ fields: inout CardFields, _ value: inout CardApplication, _ base: CardApplication
    ) throws(FormatError) {
        try fields.orNull("keys", &value.keys, base.keys, .choice)
        try fields("derivation", &value.derivation, base.derivation, .choice)
        try fields("masterKey", &value.masterKey, base.masterKey, .hex(16...32))
        try fields("integrityMasterKey", &value.integrityMasterKey, base.integrityMasterKey, .hex(16...32))
        try fields(
            "confidentialityMasterKey", &value.confidentialityMasterKey, base.confidentialityMasterKey, .hex(16...32))
        let sizes = value.derivation == .optionC ? [16, 24, 32] : [16]
        try fields.require(
            sizes.contains(value.masterKey.count), at: "masterKey",
            value.derivation == .optionC ? "a key of 16, 24 or 32 bytes" : "a key of 16 bytes, without optionC",
            found: "\(value.masterKey.count) bytes")
        for (name, key) in [
            ("integrityMasterKey", value.integrityMasterKey),
            ("confidentialityMasterKey", value.confidentialityMasterKey),
        ] {
            try fields.require(
                key.count == value.masterKey.count, at: name, "a key as long as masterKey",
                found: "\(key.count) instead of \(value.masterKey.count) bytes")
        }
        try fields("issuerSerial", &value.issuerSerial, base.issuerSerial, .hex(3))
        try fields(
            "issuerCertificateExpires", &value.issuerCertificateExpires, base.issuerCertificateExpires, .hex(2))
        try fields("cardCertificateExpires", &value.cardCertificateExpires, base.cardCertificateExpires, .hex(2))
    }
}

extension CardValue where Value == CardApplication.Disposition {
    /// A name, or the limit of an offline approval.
    fileprivate static var disposition: CardValue {
        let names: KeyValuePairs<String, Value> = [
            "online": .online, "decline": .decline, "offlineRegardless": .offlineRegardless,
        ]
        return CardValue(
            read: { node throws(FormatError) in
                guard case .object = node.json.value else {
                    guard case .string(let text) = node.json.value, let name = names.first(where: { $0.key == text })
                    else {
                        throw node.expected(
                            "\"online\", \"decline\", \"offlineRegardless\" or an object with \"offlineUpTo\"")
                    }
                    return name.value
                }
                let object = try node.object(["offlineUpTo"])
                return .offline(upTo: try CardValue<UInt64>.amount.read(object.required("offlineUpTo")))
            },
            write: { value in
                if case .offline(let limit) = value {
                    var object = ObjectWriter()
                    object.put("offlineUpTo", limit)
                    return object.json
                }
                return JSON(.string(names.first { $0.value == value }?.key ?? ""))
            })
    }
}

extension RelayResistance: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout RelayResistance, _ base: RelayResistance
    ) throws(FormatError) {
        let unit = "a time in units of 100 µs"
        try fields("minimumTime", &value.minimumTime, base.minimumTime, .number(0...65535, unit))
        try fields("maximumTime", &value.maximumTime, base.maximumTime, .number(0...65535, unit))
        try fields("transmissionTime", &value.transmissionTime, base.transmissionTime, .number(0...65535, unit))
        try fields("milliseconds", &value.milliseconds, base.milliseconds, CardValue<Double>.milliseconds.inArray)
    }
}
