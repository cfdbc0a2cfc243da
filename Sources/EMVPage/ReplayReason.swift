// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS

extension Reason {
    /// Explains why the last transaction of a replay ended as it did.
    package init(_ trace: Trace, _ steps: [ReplayStep], _ report: ReplayReport) {
        var transactions = trace.items.compactMap { item in
            if case .sale(let transaction) = item { transaction } else { nil }
        }
        var ending = Ending(trace.transaction, trace.configuration)
        for (index, step) in steps.enumerated() {
            if step.reply == nil, index > 0, !transactions.isEmpty {
                ending = Ending(transactions.removeFirst(), trace.configuration)
            }
            ending.note(
                step.wait?.state, step.wait?.command ?? [], step.reply, step.decisions, step.ends)
        }
        ending.outcome = report.outcome
        self.init(ending)
        if trace.isRedacted, trace.recorded.map({ $0.tap != report.tap }) ?? false || isOfMaskedData(ending, report) {
            sentence =
                "This trace is masked: what decided here are zeros in place of account data or of the card's "
                + "certificate, so this ending says nothing of the card."
                + (trace.recorded.map { " Before it was masked it ended as \($0.tap.rawValue)." } ?? "")
            (object, bits, clause, change) = (nil, "", "", "A trace that is not masked.")
        }
        // A hostile card may write an account number into an object that no mask knows: a name, or a list of tags.
        let mask = AccountMask(trace)
        sentence = mask.text(sentence)
        change = mask.text(change)
    }

    /// Returns true if the card's signature did not verify, or if an omitted finding decided.
    private func isOfMaskedData(_ ending: Ending, _ report: ReplayReport) -> Bool {
        if object == 0x9F4B || object == 0x9F46 { return true }
        if report.leftOut.isEmpty { return false }
        var whole = ending
        whole.outcome.findings.formUnion(report.leftOut)
        return Reason(whole) != self
    }
}
