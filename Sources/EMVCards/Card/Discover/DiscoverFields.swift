// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension DiscoverBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout DiscoverBehaviour, _ base: DiscoverBehaviour
    ) throws(FormatError) {
        try fields("verification", &value.verification, base.verification, CardValue.choice.inArray)
        try fields("alwaysVerifies", &value.alwaysVerifies, base.alwaysVerifies, .flag)
        try fields("confirmationCodeFails", &value.confirmationCodeFails, base.confirmationCodeFails, .flag)
        try fields("requirements", &value.requirements, base.requirements, .hex(2))
        try fields(
            "cryptogram", &value.cryptogram, base.cryptogram,
            .choice(["whole": .whole, "resultsOnly": .resultsOnly]))
        try fields("recordsOnline", &value.recordsOnline, base.recordsOnline, .flag)
        try fields.partOrNull(
            "magneticStripe", &value.magneticStripe, base.magneticStripe, else: DPASMagneticStripe())
        try fields("isLegacy", &value.isLegacy, base.isLegacy, .flag)
        try fields("takesScripts", &value.takesScripts, base.takesScripts, .flag)
    }
}

extension DPASMagneticStripe: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("hasCode", &value.hasCode, base.hasCode, .flag)
        try fields("hasTrack1", &value.hasTrack1, base.hasTrack1, .flag)
        try fields("cardholder", &value.cardholder, base.cardholder, .text(2...26))
    }
}
