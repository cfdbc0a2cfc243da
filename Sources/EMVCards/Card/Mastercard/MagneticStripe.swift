// SPDX-License-Identifier: Apache-2.0
extension MagneticStripe: TrackVerifier {
    /// The record of mag-stripe mode.
    func objects(of application: CardApplication) -> [DataObject] {
        var objects = [DataObject(0x9F6C, [0x00, 0x01])]
        if hasTrack1 {
            objects += [
                DataObject(0x9F62, codeMap1), DataObject(0x9F63, numberMap1), DataObject(0x56, track1(of: application)),
                DataObject(0x9F64, [counterDigits]),
            ]
        }
        objects += [
            DataObject(0x9F65, codeMap2), DataObject(0x9F66, numberMap2), DataObject(0x9F6B, track2(of: application)),
            DataObject(0x9F67, [counterDigits]),
        ]
        if let dataList { objects.append(DataObject(0x9F69, dataList.bytes)) }
        return objects
    }

    /// Track 1 Data (56), structure B.
    func track1(of application: CardApplication) -> [UInt8] {
        let date = application.expires.prefix(4)
        return Array(
            "B\(application.pan)^\(cardholder)^\(date)\(application.serviceCode)\(discretionaryData1)".utf8)
    }

    /// Track 2 Data (9F6B).
    func track2(of application: CardApplication) -> [UInt8] {
        let tail = application.expires.prefix(4) + application.serviceCode + discretionaryData2
        return [UInt8](nibbles: application.pan.utf8.map { $0 & 0xF } + [0xD] + tail.utf8.map { $0 & 0xF })
    }

    /// The codes (9F60 and 9F61) for a terminal's number.
    func codes(
        of application: CardApplication, number: [UInt8], counter: UInt16
    ) -> (track1: UInt16?, track2: UInt16) {
        let maker = DynamicCode(masterKey: masterKey, pan: application.pan, sequence: application.sequenceByte)
        let first =
            hasTrack1
            ? maker.code(track: track1(of: application), number: number, counter: counter) : nil
        return (first, maker.code(track: track2(of: application), number: number, counter: counter))
    }

    // MARK: The issuer's side

    /// Checks a filled track: extracts the terminal's number, computes the code for it and compares all digits of the
    /// code in the track.
    ///
    /// The last digit is the number of digits in the terminal's number, plus 5 (modulo 10) if a device verified its
    /// holder. It overwrites a digit of the discretionary data, so that digit is not compared.
    func accepts(_ track: [UInt8], counter: UInt16, of application: CardApplication) -> Bool {
        let isFirst = track.first == 0x42
        let plain = isFirst ? track1(of: application) : track2(of: application)
        let width = (isFirst ? discretionaryData1 : discretionaryData2).utf8.count
        guard let shown = Self.digits(track, width, isFirst), let own = Self.digits(plain, width, isFirst),
            Self.symbols(track, isFirst).dropLast(width) == Self.symbols(plain, isFirst).dropLast(width)
        else { return false }
        let codeAt = Self.positions(isFirst ? codeMap1 : codeMap2)
        let numberAt = Self.positions(isFirst ? numberMap1 : numberMap2)
        let numberDigits = numberAt.count - Int(counterDigits)
        guard numberDigits >= 0, (codeAt + numberAt).allSatisfy({ $0 < width }) else { return false }
        guard [numberDigits, (numberDigits + 5) % 10].contains(Int(shown[0])) else { return false }

        let number = numberAt.prefix(numberDigits).reversed().reduce(UInt32(0)) { $0 << 4 | UInt32(shown[$1]) }
        let codes = codes(
            of: application, number: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) },
            counter: counter)
        var expected = own
        Self.write(UInt32(isFirst ? codes.track1 ?? 0 : codes.track2), at: codeAt, into: &expected)
        for at in numberAt.prefix(numberDigits) { expected[at] = shown[at] }
        Self.write(UInt32(counter), at: Array(numberAt.dropFirst(numberDigits)), into: &expected)
        return expected.dropFirst() == shown.dropFirst()
    }

    func counters(shownBy track: [UInt8]) -> [UInt16] {
        guard let shown = Self.digits(track, discretionaryData2.utf8.count, false) else { return [] }
        let places = Self.positions(numberMap2).suffix(Int(counterDigits))
        guard places.allSatisfy({ $0 < shown.count }) else { return [] }
        let last = places.reversed().reduce(0) { $0 * 10 + Int(shown[$1]) }
        let step = places.reduce(1) { power, _ in power * 10 }
        return stride(from: last, through: Int(UInt16.max), by: step).map { UInt16($0) }
    }

    /// Returns the characters of Track 1, or the digits and separator of Track 2 without padding.
    private static func symbols(_ track: [UInt8], _ isFirst: Bool) -> [UInt8] {
        let symbols = isFirst ? track : track.flatMap { [$0 >> 4, $0 & 0xF] }
        return !isFirst && symbols.last == 0xF ? Array(symbols.dropLast()) : symbols
    }

    /// Returns the discretionary data, rightmost digit first, or nil if they contain anything but digits.
    private static func digits(_ track: [UInt8], _ width: Int, _ isFirst: Bool) -> [UInt8]? {
        let symbols = symbols(track, isFirst)
        guard symbols.count >= width else { return nil }
        let data = symbols.suffix(width).reversed().map { isFirst ? $0 &- 0x30 : $0 }
        return data.isEmpty || data.contains { $0 > 9 } ? nil : data
    }

    /// Returns the positions of the ones in a bitmap, counted from 0 at the right.
    private static func positions(_ bitmap: [UInt8]) -> [Int] {
        bitmap.reversed().enumerated().flatMap { byte, bits in
            (0..<8).filter { bits >> UInt8($0) & 1 == 1 }.map { 8 * byte + $0 }
        }
    }

    /// Writes decimal digits, the last one to the first position.
    private static func write(_ value: UInt32, at positions: [Int], into digits: inout [UInt8]) {
        var rest = value
        for at in positions {
            digits[at] = UInt8(rest % 10)
            rest /= 10
        }
    }
}
