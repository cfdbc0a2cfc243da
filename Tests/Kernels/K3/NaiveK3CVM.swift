// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain reading of Book C-3 v2.10, 5.7.1.
// Written from the book alone.

/// The CVM parameter of an outcome (Book A Table 6-2).
enum NaiveCVM: Equatable, Hashable, Sendable {
    case none
    case signature
    case onlinePIN
    /// Confirmation Code Verified.
    case cdcvm
    case notApplicable
}

struct NaiveCVMResult: Equatable, Sendable {
    var cvm: NaiveCVM
    var marks: NaiveMarks
}

/// Whether pre-processing makes the reader require a CVM (Book B 3.1.1.8, 3.1.1.12).
func naiveCVMRequired(amount: UInt64, limit: UInt64?) -> Bool {
    guard let limit = limit else { return false }
    return amount >= limit
}

/// C-3 5.7.1. `ttq` is the copy of the transaction; `cardAuthentication` is 9F69 (`nil` absent);
/// `cryptogram` is what the card returned, not where the indicators send the transaction.
func naiveCVM(
    ttq: NaiveTTQ, ctq: NaiveCTQ?, cardAuthentication: [UInt8]?, cryptogram: NaiveCryptogram,
    marks before: NaiveMarks
) -> NaiveCVMResult {
    var marks = before

    // 5.7.1: only if no decline is required
    if marks.decline {
        return NaiveCVMResult(cvm: .none, marks: marks)
    }

    var cvm = NaiveCVM.none

    if let ctq = ctq {
        // 5.7.1.2
        if ctq.onlinePINRequired && ttq.onlinePINSupported {
            cvm = .onlinePIN
            marks.online = true
        } else if ctq.cdcvmPerformed {
            if let data = cardAuthentication {
                if data.count >= 7 && data[5] == ctq.byte1 && data[6] == ctq.byte2 {
                    cvm = .cdcvm
                } else {
                    marks.decline = true
                }
            } else if cryptogram == .arqc {
                cvm = .cdcvm
            } else {
                marks.decline = true
            }
        } else if ctq.signatureRequired && ttq.signatureSupported {
            cvm = .signature
        } else {
            cvm = .none
        }
    } else if ttq.cvmRequired {
        // 5.7.1.1
        if ttq.signatureSupported {
            cvm = .signature
        } else if ttq.onlinePINSupported {
            cvm = .onlinePIN
            marks.online = true
        } else {
            marks.decline = true
        }
    }

    // 5.7.1.3
    if ttq.cvmRequired && cvm == .none {
        marks.decline = true
    }

    return NaiveCVMResult(cvm: cvm, marks: marks)
}
