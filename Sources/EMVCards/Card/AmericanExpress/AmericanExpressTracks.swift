// SPDX-License-Identifier: Apache-2.0
/// Checks the tracks of mag-stripe mode for the issuer (Book C-4, 12.2.1.3, Tables 12-2 and 12-3): account, expiry,
/// service code, four digits of the reader's number, five of the cryptogram, five of the counter.
struct AmericanExpressTracks: TrackVerifier {
    /// The fields that both tracks contain.
    private struct Shown {
        let account: [UInt8]
        let expiryAndService: [UInt8]
        let number: [UInt8]
        let cryptogram: [UInt8]
        let counter: [UInt8]
    }

    func accepts(_ track: [UInt8], counter: UInt16, of application: CardApplication) -> Bool {
        guard let shown = Self.shown(track) else { return false }
        let own = application.pan.utf8.map { $0 & 0xF }
        let static_ = (application.expires.prefix(4) + application.serviceCode).utf8.map { $0 & 0xF }
        guard shown.account == own, shown.expiryAndService == static_, Self.value(shown.counter) == Int(counter) else {
            return false
        }
        let number = [0, 0] + [UInt8](nibbles: shown.number)
        // The cryptogram covers whether the device verified its holder, but the track does not show it: both values are
        // tried.
        return [false, true].contains { isVerified in
            let transaction = AmericanExpressTransaction(
                application: application, counter: counter, options: .none, usesEMV: false, isVerified: isVerified)
            let cryptogram = transaction.cryptogram(.online, version: .magneticStripe, number: number)
            let last = cryptogram.suffix(3).reduce(0) { $0 << 8 | Int($1) }
            return Self.value(shown.cryptogram) == last % 100_000
        }
    }

    func counters(shownBy track: [UInt8]) -> [UInt16] {
        guard let shown = Self.shown(track), let counter = UInt16(exactly: Self.value(shown.counter)) else { return [] }
        return [counter]
    }

    private static func value(_ digits: [UInt8]) -> Int { digits.reduce(0) { $0 * 10 + Int($1) } }

    /// Parses Track 1 or 2 of the data record, in characters with sentinels, or Track 2 packed in digits.
    private static func shown(_ track: [UInt8]) -> Shown? {
        switch track.first {
        case 0x25: track1(track)
        case 0x3B: track.last == 0x3F ? track2(track.dropFirst().dropLast().map(digit)) : nil
        default: track2(unpacked(track))
        }
    }

    /// `=` counts as the separator D.
    private static func digit(_ character: UInt8) -> UInt8 { character == 0x3D ? 0xD : character &- 0x30 }

    private static func unpacked(_ track: [UInt8]) -> [UInt8] {
        let digits = track.flatMap { [$0 >> 4, $0 & 0xF] }
        return digits.last == 0xF ? digits.dropLast() : digits
    }

    private static func track2(_ symbols: [UInt8]) -> Shown? {
        guard symbols.count == 37, symbols[15] == 0xD else { return nil }
        return shown(account: symbols[..<15], rest: symbols[16..<32], counter: symbols[32...])
    }

    /// The counter is after the name, before the second separator.
    private static func track1(_ track: [UInt8]) -> Shown? {
        guard track.count == 62, track[1] == 0x42, track[17] == 0x5E, track[44] == 0x5E, track[61] == 0x3F else {
            return nil
        }
        return shown(
            account: track[2..<17].map(digit)[...], rest: track[45..<61].map(digit)[...],
            counter: track[39..<44].map(digit)[...])
    }

    private static func shown(
        account: ArraySlice<UInt8>, rest: ArraySlice<UInt8>, counter: ArraySlice<UInt8>
    ) -> Shown? {
        let rest = Array(rest)
        guard (Array(account) + rest + Array(counter)).allSatisfy({ $0 <= 9 }) else { return nil }
        return Shown(
            account: Array(account), expiryAndService: Array(rest[..<7]), number: Array(rest[7..<11]),
            cryptogram: Array(rest[11...]), counter: Array(counter))
    }
}
