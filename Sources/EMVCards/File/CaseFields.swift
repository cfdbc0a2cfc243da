// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKernel

extension CardValue where Value == [CardCase] {
    /// - Parameter ordinary: the application of which the cases are.
    static func cases(of ordinary: CardApplication) -> CardValue {
        var plain = ordinary
        plain.cases = []
        return CardValue(
            read: { node throws(FormatError) in
                var cases: [CardCase] = []
                for element in try node.elements() {
                    var row = CaseRow(condition: CardCase.Condition(), then: ThenApplication(application: plain))
                    try CardFields.read(element, &row)
                    cases.append(CardCase(row.condition, row.then.application))
                }
                return cases
            },
            write: { cases in
                let absent = CaseRow(condition: CardCase.Condition(), then: ThenApplication(application: plain))
                return JSON(
                    .array(
                        cases.map {
                            let row = CaseRow(
                                condition: $0.condition, then: ThenApplication(application: $0.application))
                            return CardFields.write(row, absent, complete: false)
                        }))
            })
    }
}

private struct CaseRow: CardFielded {
    var condition: CardCase.Condition
    var then: ThenApplication

    static func visit(_ fields: inout CardFields, _ value: inout CaseRow, _ base: CaseRow) throws(FormatError) {
        try fields.part("when", &value.condition, base.condition)
        let row = CardCase(value.condition, value.then.application)
        value.then.stage = row.stage(in: value.then.application)
        try fields.require(
            value.condition != CardCase.Condition(), at: "when",
            "an object with one or more of \"amountAbove\", \"presentment\", \"type\", \"currency\"", found: "none")
        for (tag, name) in [
            (CardCase.Condition.amountTag, "amount"), (CardCase.Condition.typeTag, "type"),
            (CardCase.Condition.currencyTag, "currency"),
        ] where row.condition.tags.contains(tag) && value.then.stage == nil {
            let lists = (row.application.pdol ?? []) + row.application.scheme.behaviour.cryptogramList
            try fields.require(
                lists.contains { $0.tag == tag }, at: "when",
                "a condition whose data the card asks for: the \(name), \(Hex.string(DataObject.tagBytes(tag))), in "
                    + "the PDOL or in CDOL1",
                found: "a card that asks for it in neither")
        }
        try fields.require(
            value.then.stage != nil, at: "when",
            "a condition whose data the card asks for in one list, the PDOL or CDOL1", found: "data of both lists")
        try fields.part("then", &value.then, base.then)
    }
}

extension CardCase.Condition: CardFielded {
    static func visit(_ fields: inout CardFields, _ value: inout Self, _ base: Self) throws(FormatError) {
        try fields.orNull("amountAbove", &value.amountAbove, base.amountAbove, .amount)
        try fields.orNull("presentment", &value.presentment, base.presentment, .number(1...9999, "a presentment"))
        try fields.orNull("type", &value.type, base.type, .byte)
        try fields.orNull("currency", &value.currency, base.currency, .currency)
    }
}

extension CardValue where Value == [UInt8] {
    /// Four digits of ISO 4217: `"0978"`.
    fileprivate static var currency: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let digits = try CardValue<String>.digits(4...4).read(node)
                return [UInt8](digits: digits, count: 2)
            }, write: { JSON(.string(Hex.string($0))) })
    }
}

/// The part of an application that a case may change. What SELECT returns was already sent, and with GENERATE AC the
/// records were already read.
private struct ThenApplication: CardFielded {
    var application: CardApplication
    var stage: CardCase.Stage?

    static func == (one: ThenApplication, other: ThenApplication) -> Bool { one.application == other.application }

    static func visit(
        _ fields: inout CardFields, _ value: inout ThenApplication, _ base: ThenApplication
    ) throws(FormatError) {
        if value.stage == .cryptogram {
            let scheme = value.application.scheme.behaviour.issuer.description
            for name in CardApplication.keysOfOptions {
                try fields.reject(
                    name,
                    expected: "a key that matters in GENERATE AC, with which the condition is known: \"disposition\", "
                        + "\"flaws\", \"\(scheme)\"; or the object of the condition in the PDOL")
            }
            try CardApplication.visitDuringCryptogram(&fields, &value.application, base.application)
        } else {
            try CardApplication.visitAfterSelection(&fields, &value.application, base.application)
        }
    }
}
