// SPDX-License-Identifier: Apache-2.0
// Everything around a kernel in a random tap: cardholder, card, link, issuer and POS. It answers the independent
// implementation and records the messages; CEMV is then given the same answers.

/// The subject of a random tap: one of the two kernels, or Entry Point with a reader and cards of both.
enum Subject: String {
    case kernel2 = "2"
    case kernel3 = "3"
    case entry
}

final class World: Terminal {
    let choices: Choices
    let reader: Reader
    private(set) var passed: [(turn: Turn, reply: Reply)] = []
    let subject: Subject
    /// The clauses that the tap went through, as Entry Point and kernels noted them.
    private(set) var clauses: [String] = []
    private var card: Card?
    private var second: Card2?
    /// The objects that the kernel requested from the terminal.
    private var needed: [UInt32] = []
    private var selected: Int?
    /// The selected application belongs to Kernel 2.
    private var selectedSecond: Bool
    /// Several cards at every poll.
    private var collides = false
    private var collided = false
    private var answered = false

    init(_ choices: Choices, _ subject: Subject) {
        self.choices = choices
        self.subject = subject
        selectedSecond = subject == .kernel2
        reader = Reader(choices, subject)
        if subject == .entry { collides = choices.rarely(10) }
    }

    /// Plays the tap; returns why the independent implementation cannot, or nil.
    func play() -> String? {
        let (configuration, reason) = Configuration.read(reader.configuration)
        guard let configuration, let transaction = Transaction(reader.transaction) else { return reason }
        let entryPoint = EntryPoint(configuration, transaction, self)
        try? entryPoint.run()
        clauses = entryPoint.clauses
        return nil
    }

    /// The defect in the certificates and signatures of the selected application; 0: no defect.
    var defect: Int {
        if selectedSecond { return second?.defect ?? 0 }
        return selected.flatMap { card?.applications[$0].signing?.defect } ?? 0
    }

    func answer(_ turn: Turn) -> Reply {
        if let objects = parseObjects(turn.allSent, filler: false), let tags = find(0xDF8106, in: objects) {
            needed = Self.tags(tags)
        }
        let reply = passed.count > 2000 ? .end : choose(turn.step)
        passed.append((turn, reply))
        return reply
    }

    private func choose(_ step: Step) -> Reply {
        switch step {
        case .poll:
            if (!collided && choices.rarely(subject == .entry ? 60 : 15)) || collides {
                collided = true
                return .collision
            }
            collided = false
            if choices.rarely(8) { return .fault(choices.one(["timeout", "transmission", "protocol"])) }
            if (card == nil && second == nil) || choices.rarely(reader.emphasis == .torn ? 20 : 80) { present() }
            selected = nil
            return .card
        case .pollClear: return .cleared
        case .pollRemoval: return .removed
        case .wait: return .deadline
        case .askData:
            switch choices.pick([20, 1, 1]) {
            case 0:
                defer { needed = [] }
                return .data(Reader.terminalData2(choices, needed))
            case 1: return .deadline
            default: return .stop
            }
        case .send(let command):
            // Faults are more likely where a lost answer has an effect: cryptograms, and data read or written around
            // them.
            let often =
                subject == .kernel2 && command[0] == 0x80 && command[1] != 0xA8
                || subject == .entry && [0xA4, 0x1A].contains(command[1])
            let torn =
                reader.emphasis != .none && command[1] == 0xAE && choices.rarely(reader.emphasis == .torn ? 500 : 150)
            if torn && choices.rarely(700), let second { _ = second.respond(command) }  // the answer is lost
            if torn || choices.rarely(often ? 60 : 10) {
                return .fault(choices.one(["timeout", "transmission", "protocol", "removed"]))
            }
            if subject == .entry && command[1] == 0xA4 {
                selectedSecond = second?.has(command) ?? false
            }
            if selectedSecond, let second {
                if command[1] != 0xA4 {
                    if choices.rarely(8) { return .data(Reader.terminalData2(choices, needed)) }
                    if choices.rarely(3) { return .stop }
                }
                if choices.rarely(2) { return .response(choices.one([[], [0x90], [0x90, 0x00], [0x6F, 0x00]])) }
                return second.respond(command)
            }
            return .response(response(command))
        case .askRandom: return .random(choices.bytes(32))
        case .parked: return issuer()
        case .done, .refused: return .end
        }
    }

    static func tags(_ list: Bytes) -> [UInt32] {
        var out: [UInt32] = []
        var at = 0
        while let (tag, end) = parseTag(list, at: at) {
            out.append(tag)
            at = end
        }
        return out
    }

    private func present() {
        if subject != .kernel3 && !reader.aids2.isEmpty { second = Card2(choices, reader) }
        if subject != .kernel2 { card = Card(choices, reader, beside: second?.entries ?? []) }
    }

    private func response(_ command: Bytes) -> Bytes {
        guard let card, command.count >= 4 else { return [0x6F, 0x00] }
        if choices.rarely(2) { return choices.one([[], [0x90], [0x90, 0x00], [0x6F, 0x00]]) }
        switch (command[0], command[1]) {
        case (0x00, 0xA4):
            let name = Array(command.dropFirst(5).prefix(Int(command[4])))
            if name == Bytes("2PAY.SYS.DDF01".utf8) { return card.directory }
            // Like real cards: the first application whose name begins like this, extended selection or not.
            selected = card.applications.firstIndex { name.starts(with: $0.name) }
            return selected.map { card.applications[$0].selection } ?? [0x6A, 0x82]
        case (0x80, 0x1A): return card.secondDirectory ?? [0x6D, 0x00]
        case (0x80, 0xA8):
            guard let selected else { return [0x69, 0x85] }
            return card.processingOptions(card.applications[selected], command)
        case (0x00, 0xB2):
            guard let selected else { return [0x69, 0x85] }
            return card.applications[selected].records[[command[3], command[2]]] ?? [0x6A, 0x83]
        default:
            return choices.mostly(
                [0x90, 0x00], [[0x63, 0x00], [0x62, 0x83], [0x69, 0x85], [0x6A, 0x80], [0x63, 0xC2]], 250)
        }
    }

    private func issuer() -> Reply {
        if answered || choices.rarely(60) { return .online(nil) }
        answered = true
        var data = choices.rarely(300) ? [] : tlv(0x8A, Bytes("00".utf8))
        if !choices.rarely(250) { data += tlv(0x91, choices.bytes(choices.mostly(10, [8, 16, 7, 17, 0], 150))) }
        for _ in 0..<choices.pick([3, 6, 2, 1]) { data += script() }
        if choices.rarely(40) { data += choices.one([[0x72], [0x00], tlv(0x89, Bytes("123456".utf8)), tlv(0x72, [])]) }
        return .online(data)
    }

    private func script() -> Bytes {
        var body: Bytes = []
        if choices.rarely(500) { body += tlv(0x9F18, choices.mostly([0x01, 0x02, 0x03, 0x04], [[0x01], []], 60)) }
        for _ in 0..<choices.pick([1, 8, 4, 1]) {
            body += tlv(
                0x86,
                choices.mostly(
                    [0x84, 0x24, 0x00, 0x00, 0x02, 0xAA, 0xBB], [[0x84, 0x24, 0x00], [], [0x84, 0x1E, 0x00, 0x00]], 60))
        }
        if choices.rarely(15) { for _ in 0..<16 { body += tlv(0x86, [0x84, 0x1E, 0x00, 0x00]) } }
        if choices.rarely(40) { body += choices.one([[0x9F], [0x00], tlv(0xDF01, [0x01]), [0x86, 0x05, 0x01]]) }
        return tlv(choices.one([0x71, 0x72]), body)
    }
}
