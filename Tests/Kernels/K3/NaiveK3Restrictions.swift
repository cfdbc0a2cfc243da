// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain reading of Book C-3 v2.10, 5.5.1.
// Written from the book alone.

/// What the card asked for (C-3 A.2, 9F27 bits 8-7).
enum NaiveCryptogram: Equatable, Hashable, Sendable, CaseIterable {
    case aac
    case tc
    case arqc
    case unidentifiable
}

/// Card Transaction Qualifiers, 9F6C (C-3 A.2).
struct NaiveCTQ: Equatable, Hashable, Sendable {
    var byte1: UInt8
    var byte2: UInt8

    init(_ byte1: UInt8, _ byte2: UInt8) {
        self.byte1 = byte1
        self.byte2 = byte2
    }

    var onlinePINRequired: Bool { byte1 & 0x80 != 0 }
    var signatureRequired: Bool { byte1 & 0x40 != 0 }
    var goOnlineIfODAFails: Bool { byte1 & 0x20 != 0 }
    var switchInterfaceIfODAFails: Bool { byte1 & 0x10 != 0 }
    var goOnlineIfExpired: Bool { byte1 & 0x08 != 0 }
    var switchInterfaceForCash: Bool { byte1 & 0x04 != 0 }
    var switchInterfaceForCashback: Bool { byte1 & 0x02 != 0 }
    var cdcvmPerformed: Bool { byte2 & 0x80 != 0 }
    var issuerUpdateSupported: Bool { byte2 & 0x40 != 0 }
}

/// The two internal indicators of C-3, both 0 at first.
struct NaiveMarks: Equatable, Hashable, Sendable {
    var online = false
    var decline = false
}

/// A date of three BCD bytes, with the century of EMV Book 4 6.7.3 (50 to 99 are 19xx).
struct NaiveDate: Equatable, Sendable {
    var year: Int
    var month: Int
    var day: Int

    init(_ yy: UInt8, _ mm: UInt8, _ dd: UInt8) {
        let short = Int(yy >> 4) * 10 + Int(yy & 0x0F)
        if short >= 50 {
            year = 1900 + short
        } else {
            year = 2000 + short
        }
        month = Int(mm >> 4) * 10 + Int(mm & 0x0F)
        day = Int(dd >> 4) * 10 + Int(dd & 0x0F)
    }

    func isAfter(_ other: NaiveDate) -> Bool {
        if year != other.year { return year > other.year }
        if month != other.month { return month > other.month }
        return day > other.day
    }
}

struct NaiveRestrictionInput: Equatable, Sendable {
    var cryptogram: NaiveCryptogram
    var ctq: NaiveCTQ? = nil
    var transactionDate: NaiveDate
    /// 5F24.
    var expirationDate: NaiveDate? = nil
    /// The reader supports offline transactions, so 5.5.1.1 is built in.
    var offlineSupported = true
    var exceptionCheckEnabled = true
    var panOnExceptionFile = false
    var transactionType: UInt8 = 0x00
    var amountOther: UInt64 = 0
    /// The optional checks 5.5.1.3 and 5.5.1.4.
    var usageControlEnabled = true
    /// 9F07.
    var usageControl: [UInt8]? = nil
    /// 5F28 and 9F1A.
    var issuerCountry: [UInt8]? = nil
    var terminalCountry: [UInt8] = [0x02, 0x76]
}

enum NaiveRestrictionResult: Equatable, Sendable {
    case goOn(NaiveMarks)
    /// Message 18, processing error, no preferred interface.
    case tryAnotherInterface
}

/// C-3 5.5.1.1 to 5.5.1.4, in this order. Marks that are set stay set.
func naiveRestrictions(
    _ input: NaiveRestrictionInput, marks before: NaiveMarks
)
    -> NaiveRestrictionResult
{
    var marks = before

    // 5.5.1.1
    if input.offlineSupported && input.cryptogram == .tc {
        var expired = false
        if let expiration = input.expirationDate {
            if input.transactionDate.isAfter(expiration) {
                expired = true
            }
        } else {
            expired = true
        }
        if expired {
            if let ctq = input.ctq, ctq.goOnlineIfExpired {
                marks.online = true
            } else {
                marks.decline = true
            }
        }
    }

    // 5.5.1.2
    if input.exceptionCheckEnabled && input.cryptogram == .tc {
        if input.panOnExceptionFile {
            marks.decline = true
        }
    }

    // 5.5.1.3: manual cash is type 01 (3.4.1.2)
    if input.usageControlEnabled && input.transactionType == 0x01 {
        if !naiveUsageAllowed(input, byte: 0) {
            if let ctq = input.ctq, ctq.switchInterfaceForCash {
                return .tryAnotherInterface
            }
            marks.decline = true
        }
    }

    // 5.5.1.4: a purchase with Amount, Other (3.4.1.1); type 09, which the book does not have, says
    // so by itself
    if input.usageControlEnabled {
        if input.transactionType == 0x09
            || (input.transactionType == 0x00 && input.amountOther > 0)
        {
            if !naiveUsageAllowed(input, byte: 1) {
                if let ctq = input.ctq, ctq.switchInterfaceForCashback {
                    return .tryAnotherInterface
                }
                marks.decline = true
            }
        }
    }

    return .goOn(marks)
}

/// Bit 8 of the byte allows it at home, bit 7 abroad (A.2, 9F07). Missing data allows nothing.
private func naiveUsageAllowed(_ input: NaiveRestrictionInput, byte: Int) -> Bool {
    guard let control = input.usageControl else { return false }
    guard let country = input.issuerCountry else { return false }
    if control.count <= byte { return false }
    if country == input.terminalCountry {
        return control[byte] & 0x80 != 0
    }
    return control[byte] & 0x40 != 0
}
