// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension MastercardBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout MastercardBehaviour, _ base: MastercardBehaviour
    ) throws(FormatError) {
        try fields("dataList", &value.dataList, base.dataList, .list)
        try fields.orNull("recoveryList", &value.recoveryList, base.recoveryList, .list)
        try fields.orNull("verificationList", &value.verificationList, base.verificationList, .hex(0...252))
        try fields.partOrNull("actionCodes", &value.actionCodes, base.actionCodes, else: ActionCodes())
        try fields("version", &value.version, base.version, .hex(2))
        try fields("currency", &value.currency, base.currency, .hex(2))
        try fields.part("capabilities", &value.capabilities, base.capabilities)
        try fields("supportsEMV", &value.supportsEMV, base.supportsEMV, .flag)
        try fields.partOrNull("magneticStripe", &value.magneticStripe, base.magneticStripe, else: MagneticStripe())
        try fields.partOrNull("relayResistance", &value.relayResistance, base.relayResistance, else: RelayResistance())
        try fields.partOrNull("device", &value.device, base.device, else: Device())
        try fields.partOrNull("storage", &value.storage, base.storage, else: DataStorage())
        try fields(
            "cryptogram", &value.cryptogram, base.cryptogram,
            .choice([
                "mchip": .mchip, "mchipWithCounters": .mchipWithCounters, "common": .common,
                "commonWithCounters": .commonWithCounters,
            ]))
        try fields("isCommonCore", &value.isCommonCore, base.isCommonCore, .flag)
        try fields("cryptogramFormat", &value.cryptogramFormat, base.cryptogramFormat, .choice)
        try fields.require(
            value.supportsEMV || value.magneticStripe != nil, at: "supportsEMV",
            "true, or an object \"magneticStripe\", since a card has at least one mode", found: "neither")
    }
}

extension MastercardBehaviour.ActionCodes: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("default", &value.byDefault, base.byDefault, .hex(5))
        try fields("denial", &value.denial, base.denial, .hex(5))
        try fields("online", &value.online, base.online, .hex(5))
    }
}

extension MastercardBehaviour.Capabilities: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("readsBalance", &value.readsBalance, base.readsBalance, .flag)
        try fields("signsDeclines", &value.signsDeclines, base.signsDeclines, .flag)
        try fields("detectsFieldOff", &value.detectsFieldOff, base.detectsFieldOff, .flag)
        try fields("envelopes", &value.envelopes, base.envelopes, .number(0...255, "a scheme of envelopes"))
    }
}

extension MagneticStripe: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("hasTrack1", &value.hasTrack1, base.hasTrack1, .flag)
        try fields("codeMap1", &value.codeMap1, base.codeMap1, .hex(6))
        try fields("codeMap2", &value.codeMap2, base.codeMap2, .hex(2))
        try fields("numberMap1", &value.numberMap1, base.numberMap1, .hex(6))
        try fields("numberMap2", &value.numberMap2, base.numberMap2, .hex(2))
        try fields("counterDigits", &value.counterDigits, base.counterDigits, .number(0...8, "a number of digits"))
        try fields("discretionaryData1", &value.discretionaryData1, base.discretionaryData1, .digits(0...48))
        try fields("discretionaryData2", &value.discretionaryData2, base.discretionaryData2, .digits(0...16))
        try fields("cardholder", &value.cardholder, base.cardholder, .text(2...26))
        try fields.orNull("dataList", &value.dataList, base.dataList, .list)
        try fields("masterKey", &value.masterKey, base.masterKey, .hex(16))
    }
}

extension Device: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("verification", &value.verification, base.verification, .choice)
        try fields.orNull("interaction", &value.interaction, base.interaction, .hex(3))
    }
}

extension DataStorage: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("dataList", &value.dataList, base.dataList, .list)
        try fields.orNull("operatorID", &value.operatorID, base.operatorID, .hex(8))
        try fields("stored", &value.stored, base.stored, .hex(0...160))
        try fields("slotControl", &value.slotControl, base.slotControl, .byte)
        try fields("isReadOnly", &value.isReadOnly, base.isReadOnly, .flag)
    }
}
