// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVKit

extension Reason {
    /// Why the last transaction of a replay ended as it did.
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
        // A hostile card may write an account number where no mask knows the object: into a name, a list of tags.
        let mask = AccountMask(trace)
        sentence = mask.text(sentence)
        change = mask.text(change)

    }
}
