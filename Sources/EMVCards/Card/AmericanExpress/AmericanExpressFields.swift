// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension AmericanExpressBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout AmericanExpressBehaviour, _ base: AmericanExpressBehaviour
    ) throws(FormatError) {
        try fields("dataList", &value.dataList, base.dataList, .list)
        try fields("secondDataList", &value.secondDataList, base.secondDataList, .list)
        try fields("modes", &value.modes, base.modes, .choice)
        try fields.orNull("verificationList", &value.verificationList, base.verificationList, .hex(0...252))
        try fields("listIsUnsigned", &value.listIsUnsigned, base.listIsUnsigned, .flag)
        try fields("dataListIsUnsigned", &value.dataListIsUnsigned, base.dataListIsUnsigned, .flag)
        try fields.partOrNull("actionCodes", &value.actionCodes, base.actionCodes, else: ActionCodes())
        try fields("version", &value.version, base.version, .hex(2))
        try fields("currency", &value.currency, base.currency, .hex(2))
        try fields.orNull("capabilities", &value.capabilities, base.capabilities, .hex(2))
        try fields("cardholder", &value.cardholder, base.cardholder, .text(2...26))
        try fields.partOrNull("mobile", &value.mobile, base.mobile, else: Mobile())
        try fields.partOrNull(
            "membership", &value.membership, base.membership, else: Membership(product: "0", number: "0"))
        try fields("signsStatically", &value.signsStatically, base.signsStatically, .flag)
        try fields("cryptogramFormat", &value.cryptogramFormat, base.cryptogramFormat, .choice)
        try fields("flaws", &value.flaws, base.flaws, .set())
    }
}

extension AmericanExpressBehaviour.ActionCodes: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("default", &value.byDefault, base.byDefault, .hex(5))
        try fields("denial", &value.denial, base.denial, .hex(5))
        try fields("online", &value.online, base.online, .hex(5))
    }
}

extension AmericanExpressBehaviour.Mobile: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("verification", &value.verification, base.verification, .choice)
        try fields("refusesLocked", &value.refusesLocked, base.refusesLocked, .flag)
    }
}

extension AmericanExpressBehaviour.Membership: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("product", &value.product, base.product, .text(1...8))
        try fields("number", &value.number, base.number, .text(1...32))
    }
}
