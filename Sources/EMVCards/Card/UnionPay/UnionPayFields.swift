// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension UnionPayBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout UnionPayBehaviour, _ base: UnionPayBehaviour
    ) throws(FormatError) {
        try fields("verification", &value.verification, base.verification, CardValue.choice.inArray)
        try fields("alwaysVerifies", &value.alwaysVerifies, base.alwaysVerifies, .flag)
        try fields(
            "withoutCommonVerification", &value.withoutCommonVerification, base.withoutCommonVerification, .choice)
        try fields.orNull("qualifiers", &value.qualifiers, base.qualifiers, .hex(2))
        try fields("signing", &value.signing, base.signing, .choice)
        try fields("recordsOnline", &value.recordsOnline, base.recordsOnline, .flag)
        try fields(
            "returnsCryptogramInformation", &value.returnsCryptogramInformation, base.returnsCryptogramInformation,
            .flag)
        try fields("expiresFirst", &value.expiresFirst, base.expiresFirst, .flag)
        try fields.orNull("transit", &value.transit, base.transit, .byte)
        try fields.partOrNull(
            "token", &value.token, base.token,
            else: Token(
                accountReference: String(repeating: "0", count: 29), lastDigits: "0000", requestor: "00000000000"))
    }
}

extension UnionPayBehaviour.Token: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("accountReference", &value.accountReference, base.accountReference, .text(29...29))
        try fields("lastDigits", &value.lastDigits, base.lastDigits, .digits(4...4))
        try fields("requestor", &value.requestor, base.requestor, .digits(11...11))
    }
}
