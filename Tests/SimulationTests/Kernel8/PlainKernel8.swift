// SPDX-License-Identifier: Apache-2.0
@testable import EMVCards
@testable import EMVSimulator

/// Sends a Kernel 8 card the commands of a terminal and records the answers. It makes no decision: its requests are
/// parameters.
struct PlainKernel8 {
    /// Reference Control Parameter.
    var asks: UInt8 = 0x80
    var amount: UInt64 = 1250
    /// Terminal Risk Management Data byte 1: no verification, signature, online PIN, CDCVM.
    var offers: UInt8 = 0x6C
    var results: [UInt8] = [0x00, 0x00, 0x00, 0x00, 0x81]
    /// Seed of its key and of its unpredictable number.
    var seed: UInt8 = 1
    var reads: [UInt8] = []
    var writes: [DataObject] = []
    var relayAttempts = 1
    /// Replaces its own Kernel Key Data.
    var keyData: [UInt8]?
    var aid: [UInt8]?

    struct Talk {
        var exchanges: [(command: [UInt8], response: [UInt8])] = []
        var listener: Kernel8Listener
        /// The contents of the envelopes read, in order.
        var envelopes: [[UInt8]] = []

        var objects: [UInt32: [UInt8]] { listener.objects }
        var findings: Set<Kernel8Listener.Finding> { listener.findings }
        var status: [UInt8] { exchanges.last.map { Array($0.response.suffix(2)) } ?? [] }

        /// The data record as the issuer receives it, with the IAD-MAC in place.
        func record(_ plain: PlainKernel8) -> [UInt32: [UInt8]] {
            var record: [UInt32: [UInt8]] = [:]
            for tag: UInt32 in [0x82, 0x9F26, 0x9F36] { record[tag] = objects[tag] }
            for request in listener.cdol { record[request.tag] = plain.value(request.tag, Int(request.length)) }
            if let results = objects[0x9F8104] { record[0x95] = results }
            record[0x9F10] = listener.issuerData
            return record
        }
    }

    func value(_ tag: UInt32, _ count: Int) -> [UInt8] {
        let key = P256PrivateKey(name: "terminal \(seed)")
        let known: [UInt32: [UInt8]] = [
            0x9E: keyData ?? key.point.bytes, 0x9F2B: [0x02, 0x80, 0x00, 0x10, 0xFF, 0xFF, 0x00, 0x00],
            0x9F02: [UInt8](amount: amount), 0x9F1A: [0x02, 0x76], 0x95: results, 0x5F2A: [0x09, 0x78],
            0x9A: [0x26, 0x11, 0x22], 0x9F37: [0xA1, 0xB2, 0xC3, seed], 0x9F35: [0x22],
            0x9F1D: [offers, 0, 0, 0, 0, 0, 0, 0], 0x9F33: [0x60, offers, 0x10],
        ]
        return known[tag] ?? [UInt8](repeating: 0, count: count)
    }

    func tap(_ card: inout VirtualCard) -> Talk {
        let scalar = P256PrivateKey(name: "terminal \(seed)").scalar
        var talk = Talk(listener: Kernel8Listener(scalar: scalar, authority: Kernel8Authority.key.point))
        card.reset()
        let aid = aid ?? card.profile.application.aid
        send([0x00, 0xA4, 0x04, 0x00, UInt8(aid.count)] + aid + [0x00], &card, &talk)
        let values = talk.listener.pdol.flatMap { value($0.tag, Int($0.length)) }
        let template = DataObject(0x83, values).bytes
        guard send([0x80, 0xA8, 0x00, 0x00, UInt8(template.count)] + template + [0x00], &card, &talk) else {
            return talk
        }
        if talk.objects[0x82]?.last.map({ $0 & 1 == 1 }) ?? false {
            for attempt in 0..<UInt8(relayAttempts) {
                send([0x80, 0xEA, 0x00, 0x00, 0x04, 0x0E, 0x0E, attempt, seed, 0x00], &card, &talk)
            }
        }
        for name in reads {
            let plain = hear([0x84, 0x32, 0x00, 0x00, 0x03, 0x9F, 0x81, name, 0x00], &card, &talk)
            talk.envelopes.append(plain)
        }
        let locator = talk.objects[0x94] ?? []
        for entry in stride(from: 0, to: locator.count - 3, by: 4) {
            for record in locator[entry + 1]...locator[entry + 2] {
                guard send([0x00, 0xB2, record, locator[entry] | 0x04, 0x00], &card, &talk) else { return talk }
            }
        }
        let data = talk.listener.cdol.flatMap { value($0.tag, Int($0.length)) }
        let more: UInt8 = writes.isEmpty ? 0x00 : 0x80
        guard send([0x80, 0xAE, asks, more, UInt8(data.count)] + data + [0x00], &card, &talk) else { return talk }
        for (index, object) in writes.enumerated() {
            let hidden = talk.listener.hidden(object)
            let last: UInt8 = index == writes.count - 1 ? 0x00 : 0x80
            send([0x84, 0x34, 0x00, last, UInt8(hidden.count)] + hidden + [0x00], &card, &talk)
        }
        return talk
    }

    @discardableResult
    private func send(_ command: [UInt8], _ card: inout VirtualCard, _ talk: inout Talk) -> Bool {
        _ = hear(command, &card, &talk)
        return talk.status == [0x90, 0x00]
    }

    private func hear(_ command: [UInt8], _ card: inout VirtualCard, _ talk: inout Talk) -> [UInt8] {
        let response = card.respond(to: command)
        talk.exchanges.append((command, response))
        return talk.listener.hear(command, response)
    }
}
