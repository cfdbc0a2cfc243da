// SPDX-License-Identifier: Apache-2.0
import BigInt

@testable import EMVCards
@testable import EMVSimulator

/// The Mastercard commands one by one, with the data that a terminal needs to verify the responses. It makes no
/// decision.
struct PlainKernel2 {
    var terminal = PlainTerminal(more: [0x9F35: [0x22], 0x9F34: [0x1F, 0x03, 0x02]])
    /// Data objects sent in DSDOL.
    var storage: [UInt32: [UInt8]] = [:]

    /// The progress of a presentment.
    struct Tap {
        var talk: PlainTerminal.Conversation
        /// The response to GENERATE AC, RECOVER AC or COMPUTE CRYPTOGRAPHIC CHECKSUM, with its status word.
        var response: [UInt8] = []
        var optionsData: [UInt8] = []
        var cryptogramData: [UInt8] = []
        var relayData: [UInt8] = []

        var status: [UInt8] { Array(response.suffix(2)) }
        var objects: [DataObject] { PlainTerminal.find(0x77, in: response.dropLast(2)).flatMap(DataObject.parse) ?? [] }
        subscript(_ tag: UInt32) -> [UInt8]? { objects.first { $0.tag == tag }?.value }
    }

    /// SELECT, GET PROCESSING OPTIONS, records.
    func open<Card: SimulatedCard>(_ card: inout Card) -> Tap {
        var tap = Tap(talk: terminal.tap(&card))
        let control = tap.talk.exchanges.count > 1 ? tap.talk.exchanges[1].response.dropLast(2) : []
        tap.optionsData = terminal.fill(PlainTerminal.find(0x9F38, in: Array(control)) ?? [])
        return tap
    }

    /// A complete EMV mode tap.
    func tap<Card: SimulatedCard>(_ card: inout Card, request: UInt8) -> Tap {
        var tap = open(&card)
        if let profile = tap.talk[0x82], profile[1] & 0x01 != 0 { exchangeRelay(&card, &tap) }
        generate(&card, &tap, request)
        return tap
    }

    func exchangeRelay<Card: SimulatedCard>(_ card: inout Card, _ tap: inout Tap) {
        let entropy = terminal.value(0x9F37)
        let answer = card.respond(to: [0x80, 0xEA, 0x00, 0x00, 0x04] + entropy + [0x00])
        tap.relayData = entropy + answer.dropFirst(2).dropLast(2)
    }

    func generate<Card: SimulatedCard>(_ card: inout Card, _ tap: inout Tap, _ request: UInt8) {
        tap.cryptogramData = terminal.fill(tap.talk[0x8C] ?? [])
        var own = terminal
        own.more = storage
        let more = storage.isEmpty ? [] : own.fill(tap.talk[0x9F5B] ?? [])
        let data = tap.cryptogramData + more
        tap.response = card.respond(to: [0x80, 0xAE, request, 0x00, UInt8(data.count)] + data + [0x00])
    }

    func recover<Card: SimulatedCard>(_ card: inout Card, _ tap: inout Tap) {
        let data = terminal.fill(tap.talk[0x9F51] ?? [])
        tap.response = card.respond(to: [0x80, 0xD0, 0x00, 0x00, UInt8(data.count)] + data + [0x00])
    }

    /// COMPUTE CRYPTOGRAPHIC CHECKSUM.
    func checksum<Card: SimulatedCard>(_ card: inout Card, _ tap: inout Tap) {
        let data = terminal.fill(tap.talk[0x9F69] ?? [0x9F, 0x6A, 0x04])
        tap.response = card.respond(to: [0x80, 0x2A, 0x8E, 0x80, UInt8(data.count)] + data + [0x00])
    }

    /// The combined signature, after chain, signature and transaction data hash have been verified.
    func combined(_ tap: Tap) throws -> ChainCheck.Combined {
        guard let signature = tap[0x9F4B] else { throw ChainCheck.Failure.missing(0x9F4B) }
        let check = ChainCheck(conversation: tap.talk, terminal: terminal)
        let combined = try check.combined(signature, number: terminal.value(0x9F37))
        let rest = tap.objects.filter { $0.tag != 0x9F4B }.flatMap(\.bytes)
        guard SHA1.hash(tap.optionsData + tap.cryptogramData + rest) == combined.dataHash else {
            throw ChainCheck.Failure.hash
        }
        guard [combined.type] == tap[0x9F27] else { throw ChainCheck.Failure.format }
        return combined
    }

    /// The part of the data record that the issuer needs.
    func record(_ tap: Tap, cryptogram: [UInt8]) -> [UInt32: [UInt8]] {
        var record: [UInt32: [UInt8]] = [0x9F26: cryptogram]
        for tag in [0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37] as [UInt32] {
            record[tag] = terminal.value(tag)
        }
        record[0x82] = tap.talk[0x82]
        for tag in [0x9F10, 0x9F36] as [UInt32] { record[tag] = tap[tag] }
        return record
    }

    // MARK: Mag-stripe mode, directly from its rules

    /// Digits by their position from the right, from 1.
    static func positions(_ bitmap: [UInt8]) -> [Int] {
        let bits = bitmap.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        return Array(bits.reversed().enumerated().filter { $0.element == 1 }.map { $0.offset + 1 })
    }

    /// A track with code, number and counter filled in.
    ///
    /// - Parameter verified: whether a device verified its holder.
    static func filled(
        _ track: String, code: [UInt8], number: [UInt8], counter: [UInt8], codeMap: [UInt8], numberMap: [UInt8],
        counterDigits: UInt8, verified: Bool = false
    ) -> String {
        var digits = Array(track)
        func put(_ decimal: String, _ places: [Int]) {
            let padded = Array(String(repeating: "0", count: 20) + decimal)
            for (index, place) in places.enumerated() {
                digits[digits.count - place] = padded[padded.count - 1 - index]
            }
        }
        let places = positions(numberMap)
        let own = places.count - Int(counterDigits)
        put(String(code.reduce(0) { $0 * 256 + Int($1) }), positions(codeMap))
        put(number.hex, Array(places.prefix(own)))
        put(String(counter.reduce(0) { $0 * 256 + Int($1) }), Array(places.dropFirst(own)))
        put(String((own + (verified ? 5 : 0)) % 10), [1])
        return String(digits)
    }
}
