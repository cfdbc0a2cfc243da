// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The variants of M/Chip's cryptogram, by the version in Issuer Application Data. The session key is either M/Chip's,
/// which depends on the terminal's number, or EMV's common one; the cryptogram covers the card's offline counters or
/// not.
public enum MChipCryptogramVersion: UInt8, Sendable, Hashable, CaseIterable {
    /// M/Chip's session key over counter and unpredictable number.
    case mchip = 0x10
    /// As `mchip`, and the cryptogram covers the offline counters.
    case mchipWithCounters = 0x11
    /// EMV common session key over the counter (Book 2, A1.3).
    case common = 0x14
    /// As `common`, and the cryptogram covers the offline counters.
    case commonWithCounters = 0x15

    var coversCounters: Bool { rawValue & 0x01 != 0 }
    var usesNumber: Bool { rawValue & 0x04 == 0 }
}

/// Issuer Application Data of M/Chip, 18 bytes.
struct MChipIssuerData: Sendable, Hashable {
    /// Key derivation index, version, results (6), ICC dynamic data (2), counters (8).
    let bytes: [UInt8]

    /// Nil if the length is wrong or the version unknown.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 18, MChipCryptogramVersion(rawValue: bytes[1]) != nil else { return nil }
        self.bytes = bytes
    }

    init(_ version: MChipCryptogramVersion, results: [UInt8], dynamicNumber: [UInt8], offlineAmount: UInt64) {
        let counters = [UInt8](amount: offlineAmount) + [0x00, 0xFF]
        bytes = [0x01, version.rawValue] + results + dynamicNumber.prefix(2) + counters
    }

    /// Returns the part that a cryptogram of this version covers.
    func covered(_ version: MChipCryptogramVersion) -> [UInt8] {
        Array(bytes[2..<8]) + (version.coversCounters ? Array(bytes[10..<18]) : [])
    }
}

extension ApplicationCryptogram {
    /// Returns the input of an M/Chip cryptogram. `value` returns a data object in the given number of bytes.
    static func input(
        _ version: MChipCryptogramVersion, _ issuerData: MChipIssuerData, value: (UInt32, Int) -> [UInt8]
    ) -> [UInt8] {
        recommendedInput(value: value) + issuerData.covered(version)
    }

    func sessionKey(_ version: MChipCryptogramVersion, counter: UInt16, number: [UInt8]) -> [UInt8] {
        let seed = counter.bigEndianBytes + (version.usesNumber ? [0x00, 0x00] + number : [])
        return Self.commonSessionKey(cardKey, seed: seed)
    }

    func cryptogram(
        _ version: MChipCryptogramVersion, counter: UInt16, number: [UInt8], data: [UInt8]
    ) -> [UInt8] {
        TripleDES(key: sessionKey(version, counter: counter, number: number)).mac(data, padding: .marked)
    }
}
