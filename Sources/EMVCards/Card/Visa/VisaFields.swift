// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension VisaBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout VisaBehaviour, _ base: VisaBehaviour
    ) throws(FormatError) {
        try fields("verification", &value.verification, base.verification, CardValue.choice.inArray)
        try fields("alwaysVerifies", &value.alwaysVerifies, base.alwaysVerifies, .flag)
        try fields(
            "withoutCommonVerification", &value.withoutCommonVerification, base.withoutCommonVerification, .choice)
        try fields.orNull("qualifiers", &value.qualifiers, base.qualifiers, .hex(2))
        try fields("signing", &value.signing, base.signing, .choice)
        try fields(
            "cryptogram", &value.cryptogram, base.cryptogram,
            .choice(["cvn10": .cvn10, "cvn17": .cvn17, "cvn18": .cvn18, "cvn22": .cvn22]))
        try fields("recordsOnline", &value.recordsOnline, base.recordsOnline, .flag)
        try fields(
            "returnsCryptogramInformation", &value.returnsCryptogramInformation, base.returnsCryptogramInformation,
            .flag)
    }
}
