// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

/// The tracks of Discover's MS modes. The terminal inserts the dynamic code and two digits of its number at the
/// positions of Book C-6, Annex E. The algorithm of the code is not public, nor is it known whether tracks contain the
/// counter. In the simulator the code is three digits of a MAC over track, counter and number, and the digits between
/// code and number are the counter's last three. A terminal cannot detect the difference.
public struct DPASMagneticStripe: Sendable, Hashable {
    /// Returns DCVV (9F7E). Without it the terminal sends the tracks as stored on the card: only the counter changes.
    public var hasCode = true
    /// Returns Track 1 (56) as well.
    public var hasTrack1 = true
    /// Name on track 1, surname first, up to 26 characters.
    public var cardholder = "CARDHOLDER/DISCOVER"

    public init() {}
}

extension DPASMagneticStripe: TrackVerifier {
    /// Positions in a track, counted from 0 without the start sentinel. Book C-6 counts from 1 and includes it.
    private struct Places {
        let code: Int
        let counter: Int
        let number: Int
        /// Length of the track.
        let count: Int

        static let track1 = Places(code: 57, counter: 60, number: 63, count: 65)
        static let track2 = Places(code: 29, counter: 32, number: 35, count: 37)
    }

    /// Returns the record of a transaction.
    ///
    /// - Parameter number: Unpredictable Number as the terminal sent it, digits.
    func objects(of application: CardApplication, number: [UInt8], counter: UInt16) -> [DataObject] {
        var objects: [DataObject] = []
        if hasTrack1 { objects.append(DataObject(0x56, track1(of: application, counter: counter))) }
        let track2 = track2(of: application, counter: counter)
        if !application.flaws.contains(.missingTrack2) { objects.append(DataObject(0x57, [UInt8](nibbles: track2))) }
        if hasCode {
            let last = number.last ?? 0
            let code = code(of: application, counter: counter, number: [last >> 4, last & 0x0F])
            objects.append(DataObject(0x9F7E, [code[0], code[1] << 4 | code[2]]))
        }
        return objects
    }

    private static func counterDigits(_ counter: UInt16) -> [UInt8] {
        [UInt8(counter / 100 % 10), UInt8(counter / 10 % 10), UInt8(counter % 10)]
    }

    /// Nibbles of Track 2: account, separator, date, service code, the issuer's digits, with zeros for code and number.
    private func track2(of application: CardApplication, counter: UInt16) -> [UInt8] {
        let places = Places.track2
        let head =
            application.pan.utf8.map { $0 & 0x0F } + [0x0D]
            + (application.expires.prefix(4) + application.serviceCode).utf8.map { $0 & 0x0F }
        let own = application.discretionaryData.utf8.map { $0 & 0x0F } + [UInt8](repeating: 0, count: places.code)
        return Array((head + own).prefix(places.code)) + [0, 0, 0] + Self.counterDigits(counter) + [0, 0]
    }

    private func track1(of application: CardApplication, counter: UInt16) -> [UInt8] {
        let places = Places.track1
        let name = cardholder.prefix(26).padding(to: 26)
        let head = Array(
            "B\(application.pan)^\(name)^\(application.expires.prefix(4))\(application.serviceCode)".utf8)
        let own = Array(application.discretionaryData.utf8) + [UInt8](repeating: 0x30, count: places.code)
        return Array((head + own).prefix(places.code)) + [0x30, 0x30, 0x30]
            + Self.counterDigits(counter).map { 0x30 + $0 } + [0x30, 0x30]
    }

    /// Returns the code, three digits.
    private func code(of application: CardApplication, counter: UInt16, number: [UInt8]) -> [UInt8] {
        let track = track2(of: application, counter: 0)
        let key = application.cardKeys.cryptogram
        let mac = key.mac([UInt8](nibbles: track) + counter.bigEndianBytes + [number[0] << 4 | number[1]])
        let value = UInt16(mac[0]) << 8 | UInt16(mac[1])
        return Self.counterDigits(value)
    }

    // MARK: The issuer's side

    func accepts(_ track: [UInt8], counter: UInt16, of application: CardApplication) -> Bool {
        let isFirst = track.first == 0x42
        let places = isFirst ? Places.track1 : Places.track2
        guard let shown = Self.symbols(track, places, isFirst) else { return false }
        let plain =
            isFirst
            ? track1(of: application, counter: counter).map { $0 & 0x0F } : track2(of: application, counter: counter)
        let text = isFirst ? Array(track.prefix(places.code)) : []
        guard !isFirst || text == Array(track1(of: application, counter: counter).prefix(places.code)) else {
            return false
        }
        let number = Array(shown[places.number..<places.number + 2])
        var expected = plain
        if hasCode {
            let code = code(of: application, counter: counter, number: number)
            expected.replaceSubrange(places.code..<places.code + 3, with: code)
            expected.replaceSubrange(places.number..<places.number + 2, with: number)
        }
        return expected == shown
    }

    func counters(shownBy track: [UInt8]) -> [UInt16] {
        guard let shown = Self.symbols(track, .track2, false) else { return [] }
        let digits = shown[Places.track2.counter..<Places.track2.counter + 3]
        guard digits.allSatisfy({ $0 < 10 }) else { return [] }
        let last = digits.reduce(0) { $0 * 10 + Int($1) }
        return stride(from: last, through: Int(UInt16.max), by: 1000).map { UInt16($0) }
    }

    /// Returns the digits and the separator of Track 2, or the low nibbles of Track 1's characters. Nil if the length
    /// is wrong or a symbol from the code's position on is not a digit.
    private static func symbols(_ track: [UInt8], _ places: Places, _ isFirst: Bool) -> [UInt8]? {
        let all = isFirst ? track : track.flatMap { [$0 >> 4, $0 & 0x0F] }
        let symbols = !isFirst && all.last == 0x0F ? Array(all.dropLast()) : all
        guard symbols.count == places.count else { return nil }
        guard symbols[places.code...].allSatisfy({ isFirst ? (0x30...0x39).contains($0) : $0 < 10 }) else { return nil }
        return isFirst ? symbols.map { $0 & 0x0F } : symbols
    }
}

extension Substring {
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - utf8.count))
    }
}
