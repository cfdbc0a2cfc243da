// SPDX-License-Identifier: Apache-2.0
import EMVFormats

extension JCBBehaviour: CardFielded {
    static func visit(
        _ fields: inout CardFields, _ value: inout JCBBehaviour, _ base: JCBBehaviour
    ) throws(FormatError) {
        try fields("dataList", &value.dataList, base.dataList, .list)
        try fields.orNull("secondDataList", &value.secondDataList, base.secondDataList, .list)
        try fields("isLegacy", &value.isLegacy, base.isLegacy, .flag)
        try fields.orNull("verificationList", &value.verificationList, base.verificationList, .hex(0...252))
        try fields.partOrNull("actionCodes", &value.actionCodes, base.actionCodes, else: ActionCodes())
        try fields("version", &value.version, base.version, .hex(2))
        try fields.orNull("partnerData", &value.partnerData, base.partnerData, .hex(0...32))
        try fields("verification", &value.verification, base.verification, .jcbVerification)
        try fields("alwaysVerifies", &value.alwaysVerifies, base.alwaysVerifies, .flag)
        try fields.orNull("cryptogramRefusal", &value.cryptogramRefusal, base.cryptogramRefusal, .status)
        try fields("answersEcho", &value.answersEcho, base.answersEcho, .flag)
        try fields.orNull(
            "update", &value.update, base.update,
            .choice(["none": .none, "hold": .hold, "twoPresentments": .twoPresentments]))
        try fields("hasLongLengths", &value.hasLongLengths, base.hasLongLengths, .flag)
        try fields("hasUnsignedList", &value.hasUnsignedList, base.hasUnsignedList, .flag)
    }
}

extension JCBBehaviour.ActionCodes: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields("default", &value.byDefault, base.byDefault, .hex(5))
        try fields("denial", &value.denial, base.denial, .hex(5))
        try fields("online", &value.online, base.online, .hex(5))
    }
}

extension CardValue where Value == JCBBehaviour.Verification {
    /// An array of methods, or a status as one byte.
    fileprivate static var jcbVerification: CardValue {
        let methods = CardValue<CardVerification>.choice.inArray
        return CardValue(
            read: { node throws(FormatError) in
                if case .array = node.json.value { return .asked(try methods.read(node)) }
                guard case .string = node.json.value else {
                    throw node.expected("an array of verification methods, or a status as one byte in hex")
                }
                return .stated(try node.byte())
            },
            write: {
                switch $0 {
                case .asked(let asked): methods.write(asked)
                case .stated(let status): CardValue<UInt8>.byte.write(status)
                }
            })
    }
}
