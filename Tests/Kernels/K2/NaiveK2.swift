// SPDX-License-Identifier: Apache-2.0
// The decisions of Kernel 2 a second time, written down step by step as its state charts tell them, slow and plain.

/// Processing restrictions, as a list of questions.
struct NaiveK2Restrictions {
    var cardVersion: [UInt8]?, readerVersion: [UInt8] = [0x00, 0x02]
    /// YYMMDD as numbers.
    var today = 261121, effective: Int?, expiry = 491231
    var usage: [UInt8]?
    var terminalType: UInt8 = 0x22
    var cashMachine = false
    var issuerCountry: [UInt8]?, country: [UInt8] = [0x02, 0x76]
    var type: UInt8 = 0x00
    var other = 0

    /// A year below 50 is of this century.
    private static func full(_ date: Int) -> Int { date + (date / 10000 < 50 ? 20_000_000 : 19_000_000) }

    /// Byte 2 of the Terminal Verification Results.
    var verification: UInt8 {
        var byte: UInt8 = 0
        if let cardVersion, cardVersion != readerVersion { byte |= 0x80 }
        if let effective, Self.full(today) < Self.full(effective) { byte |= 0x20 }
        if Self.full(today) > Self.full(expiry) { byte |= 0x40 }
        guard let usage else { return byte }
        let isATM = [0x14, 0x15, 0x16].contains(terminalType) && cashMachine
        if isATM, usage[0] & 0x02 == 0 { return byte | 0x10 }
        if !isATM, usage[0] & 0x01 == 0 { return byte | 0x10 }
        guard let issuerCountry else { return byte }
        let home = issuerCountry == country
        if type == 0x01 || type == 0x17, usage[0] & (home ? 0x80 : 0x40) == 0 { byte |= 0x10 }
        if type == 0x00 || type == 0x09 {
            let goods = usage[0] & (home ? 0x20 : 0x10) != 0
            let services = usage[0] & (home ? 0x08 : 0x04) != 0
            if !goods && !services { byte |= 0x10 }
        }
        if other != 0, usage[1] & (home ? 0x80 : 0x40) == 0 { byte |= 0x10 }
        return byte
    }
}

/// The choice before GENERATE AC: Reference Control Parameter, whether storage data go along, or an error.
struct NaiveK2GenerateAC {
    enum Choice: Equatable {
        case send(UInt8)
        case write(UInt8)
        case dataError, noMatch
    }
    var idsRead = false, odaCDA = false, cdaFailed = false, onDevice = false
    var odsInfo = false, dsdol = false
    var dsType: UInt8?, odsInfoForReader: UInt8?
    var type: UInt8 = 0x40
    var cdaOverAAC = false

    var choice: Choice {
        if idsRead {
            if cdaFailed { return step22 }
            guard odsInfo && dsdol else { return .send(type | 0x10) }
            guard let dsType, let reader = odsInfoForReader else { return .dataError }
            let wanted = dsType & 0xC0
            if wanted == 0x00 || wanted == type || (wanted == 0x80 && type == 0x40) { return .write(wanted | 0x10) }
            if (type == 0x00 && reader & 0x20 != 0) || (type == 0x80 && reader & 0x40 != 0) {
                return .write(type | 0x10)
            }
            if reader & 0x04 != 0 { return .noMatch }
            return .send(type | 0x10)
        }
        guard odaCDA else { return .send(type) }
        if cdaFailed { return step22 }
        if type == 0x00 { return .send(cdaOverAAC ? 0x10 : 0x00) }
        return .send(type | 0x10)
    }

    private var step22: Choice { .send(onDevice ? 0x00 : type) }
}

/// A track of mag-stripe mode as a row of digits, filled in the words of the rule.
struct NaiveK2Track {
    /// Discretionary data, from the left.
    var digits: [UInt8]
    /// Positions from the right, from 1, lowest first.
    var codePositions: [Int], numberPositions: [Int]
    var counterDigits: Int
    var code: Int, counter: Int, number: Int
    var shown: Int

    /// How many digits the number has; nil where the card contradicts itself.
    static func numberDigits(_ positions: Int, counterDigits: Int) -> Int? {
        let count = positions - counterDigits
        return (0...8).contains(count) ? count : nil
    }

    var filled: [UInt8] {
        var out = digits
        func write(_ value: Int, at positions: [Int]) {
            var left = value
            for position in positions {
                out[out.count - position] = UInt8(left % 10)
                left /= 10
            }
        }
        let own = numberPositions.count - counterDigits
        write(code, at: codePositions)
        write(number, at: Array(numberPositions.prefix(own)))
        if counterDigits != 0 { write(counter, at: Array(numberPositions.suffix(counterDigits))) }
        out[out.count - 1] = UInt8(shown)
        return out
    }
}

/// Track 2 after relay resistance without a signature, digit by digit.
func naiveK2RelayTrack(_ track: String, index: Int?, retries: Int, entropy: [UInt8], measured: Int) -> String? {
    let parts = track.split(separator: "D", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].count <= 19, parts[1].count >= 7 else { return nil }
    func digits(_ number: Int, _ count: Int) -> String {
        String(String(repeating: "0", count: count) + String(number)).suffix(count).description
    }
    var data =
        digits(index.map { $0 < 10 ? $0 : 0 } ?? 0, 1) + digits(retries, 1)
        + digits(Int(entropy[2]) * 256 + Int(entropy[3]), 5)
    if parts[0].count <= 16 { data += digits(Int(entropy[1]), 3) }
    data += digits(min(999, measured / 10), 3)
    let text = parts[0] + "D" + String(parts[1].prefix(7)) + data
    return text.count % 2 == 0 ? text : text + "F"
}
