// SPDX-License-Identifier: Apache-2.0
// Tries every edit of one object in every response of a card, and checks whether the attacker gains by it. It does not
// decide what is acceptable: the exceptions are in SweepTests. It is independent of the scheme, except for the tags of
// lists.
import EMVKit

@testable import EMVCards
@testable import EMVSimulator

/// A virtual card that stores each of its responses. It computes a new one only if the command, or the commands before
/// it, are new.
final class AnsweredCard {
    private let card: VirtualCard
    private var answers: [Bytes: (reply: CardReply, after: AnsweredCard)] = [:]

    init(_ card: VirtualCard) { self.card = card }

    func exchange(_ command: Bytes) -> (reply: CardReply, after: AnsweredCard) {
        if let known = answers[command] { return known }
        var asked = card
        let reply = asked.exchange(command)
        let answer = (reply, AnsweredCard(asked))
        answers[command] = answer
        return answer
    }

    /// The card after the field was off. Its key is the empty command, which does not occur.
    func reset() -> AnsweredCard {
        if let known = answers[[]] { return known.after }
        var dark = card
        dark.reset()
        let after = AnsweredCard(dark)
        answers[[]] = (.removed, after)
        return after
    }
}

/// A named card, or one made from it.
struct SweepCard: Sendable {
    let name: String
    let profile: CardProfile

    init(_ name: String) { self.init(name, "") { _ in } }

    /// - Parameter note: the difference from the named card.
    init(_ name: String, _ note: String, _ change: (inout CardApplication) -> Void) {
        var profile = CardProfile.named(name)!
        change(&profile.application)
        self.name = note.isEmpty ? name : "\(name) \(note)"
        self.profile = profile
    }
}

/// One change of one response.
struct SweepEdit {
    /// Tags from the outside in, such as "77.9F10"; "SW" and "answer" for changes of the status word and of the whole
    /// response.
    let object: String
    let change: String
    let answer: Bytes

    /// The changed tag.
    var tag: String { object.split(separator: ".").last.map(String.init) ?? object }
}

/// One edit by which the attacker gained.
struct SweepGain: CustomStringConvertible {
    enum Kind: String {
        /// Approved, although the honest tap was not.
        case approval
        /// An online request, although the honest tap was refused.
        case online
        /// Cardholder verification is weaker than in the honest tap.
        case verification
        /// Approved, although the issuer refuses the cryptogram.
        case unpaid
        /// Approved, although the card received another amount.
        case amount
    }
    let kind: Kind
    let lane: Sweep.Lane
    /// Commands are counted from 1.
    let exchange: Int
    let command: Bytes
    let edit: SweepEdit
    let honest: Outcome
    let edited: Outcome

    /// The findings that the edit caused, and earlier findings that report something as not proven.
    var findings: Findings { edited.findings.subtracting(honest.findings.subtracting(Self.unproven)) }
    private static let unproven: Findings = [
        .cdcvmUnauthenticated, .cvmFromPlainData, .acBindingNotSent, .listUnsigned,
    ]

    /// A finding excuses a gain, with two exceptions: beyond the book, an approval that the card did not give; in
    /// strict, a weaker verification above the CVM limit.
    var isExcused: Bool {
        switch kind {
        case .unpaid, .amount: lane.profile == .book && !findings.isEmpty
        case .verification: !(lane.profile == .strict && lane.isAboveLimit) && !findings.isEmpty
        case .approval, .online: !findings.isEmpty
        }
    }

    var description: String {
        """
        \(kind): \(lane), exchange \(exchange), \(edit.object) \(edit.change): \(Self.words(honest)) \
        became \(Self.words(edited)) \(findings); command \(command.hexadecimal), answer \(edit.answer.hexadecimal)
        """
    }

    static func words(_ outcome: Outcome) -> String {
        "\(outcome.kernel.map { "K\($0)" } ?? "-") \(outcome.status) \(outcome.cvm)"
    }
}

extension Bytes {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

/// All edits of one card.
struct Sweep {
    struct Lane: CustomStringConvertible {
        let card: String
        let profile: Protection.Profile
        let amount: UInt64
        var isAboveLimit: Bool { amount > 50_00 }
        var description: String { "\(card), \(profile), \(amount)" }
    }

    /// Plays every `step`-th edit.
    let step: Int
    /// The number of edits so far, played or not.
    private var count: Int
    private(set) var played = 0
    private(set) var gains: [SweepGain] = []

    /// - Parameter seed: selects the edits.
    init(step: Int = 1, seed: Int = 0) {
        self.step = step
        count = seed
    }

    /// All schemes, the CVM limit at 50.00; offline approvals up to 100.00 in every profile.
    private static let configurations: [Protection.Profile: CheckedConfiguration] = Dictionary(
        uniqueKeysWithValues: Protection.Profile.allCases.map { profile in
            var configuration = Configuration.simulator(
                protection: Protection(profile: profile, offline: .enforce), secrets: Kernel8POS.secrets)
            // A finding about every key would hide the others.
            for key in configuration.caKeys.indices { configuration.caKeys[key].isTest = false }
            return (profile, try! CheckedConfiguration(configuration, secrets: Kernel8POS.secrets))
        })

    /// Below and above the CVM limit.
    static let amounts: [UInt64] = [12_50, 60_00]

    /// Plays the edits of a card at each amount in each profile.
    mutating func play(_ card: SweepCard) throws {
        let answered = AnsweredCard(VirtualCard(card.profile))
        for amount in Self.amounts {
            for profile in Protection.Profile.allCases {
                try play(Lane(card: card.name, profile: profile, amount: amount), answered, card.profile)
            }
        }
    }

    private static func tap(_ profile: Protection.Profile, _ amount: UInt64, _ card: AnsweredCard) throws -> Tap {
        let random = (0..<16).flatMap { SHA256.hash([UInt8($0)]) }
        let transaction = Transaction(
            type: .purchase, amount: amount, currency: 978, date: CalendarDate(year: 2026, month: 11, day: 21)!,
            time: TimeOfDay(hour: 12, minute: 0, second: 0)!, random: .fixed(random))
        return Tap(session: try KernelSession(configurations[profile]!, transaction), card: card)
    }

    /// The outcome of an unedited tap.
    static func outcome(_ profile: Protection.Profile, _ amount: UInt64, _ card: AnsweredCard) throws -> Outcome {
        try tap(profile, amount, card).end().0
    }

    /// Approved, or an online request.
    static func accepts(_ outcome: Outcome) -> Bool { rank(outcome.status) > 0 }

    private mutating func play(_ lane: Lane, _ card: AnsweredCard, _ profile: CardProfile) throws {
        var tap = try Self.tap(lane.profile, lane.amount, card)
        let (honest, view) = tap.fork().end()
        let issuer = IssuerHost(cards: profile.applications)
        // The cards here are honest: if an honest approval failed these checks, the sweep would prove nothing.
        precondition(honest.status != .approved || issuer.pays(honest) && view.approves(lane.amount), "\(lane)")
        var exchange = 0
        var earlier: [Bytes] = []
        while tap.reachCommand() {
            exchange += 1
            let (command, reply) = tap.ask()
            guard case .response(let answer, _) = reply else { break }
            var edits = SweepEdits(step: step, count: count)
            edits.collect(answer, earlier)
            count = edits.count
            played += edits.all.count
            for edit in edits.all {
                var fork = tap.fork()
                fork.give(edit.answer, reply)
                let (edited, seen) = fork.end((answer, edit.answer))
                let isWrong = edited.status == .approved && !seen.approves(lane.amount)
                let isUnpaid = edited.status == .approved && !isWrong && !issuer.pays(edited)
                guard let kind = isWrong ? .amount : isUnpaid ? .unpaid : Self.gain(honest, edited) else { continue }
                gains.append(
                    SweepGain(
                        kind: kind, lane: lane, exchange: exchange, command: command, edit: edit, honest: honest,
                        edited: edited))
            }
            earlier.append(answer)
            tap.give(answer, reply)
        }
    }

    private static func gain(_ honest: Outcome, _ edited: Outcome) -> SweepGain.Kind? {
        let (before, after) = (rank(honest.status), rank(edited.status))
        if after > before { return after == 2 ? .approval : .online }
        guard before > 0, after > 0 else { return nil }
        // A device that the honest tap did not use has not verified its holder.
        let claimed = edited.cvm == .cdcvm && honest.cvm != .cdcvm ? 0 : strength(edited.cvm)
        return claimed < strength(honest.cvm) ? .verification : nil
    }

    private static func rank(_ status: Outcome.Status) -> Int {
        switch status {
        case .approved: 2
        case .onlineRequest, .requestOnlinePIN: 1
        default: 0
        }
    }

    private static func strength(_ cvm: Outcome.CVM) -> Int {
        switch cvm {
        case .onlinePIN: 3
        case .cdcvm: 2
        case .signature: 1
        case .none, .notApplicable: 0
        }
    }
}

extension IssuerHost {
    /// Whether the cryptogram of the data record is the card's, over the amount and all other data of the record.
    fileprivate func pays(_ outcome: Outcome) -> Bool {
        var host = self
        return (try? host.accept(IssuerMessage(ChipData(outcome)))) != nil
    }
}

/// The commands as the card understands them: by its own lists, not by those that the kernel received.
private struct CardView {
    private var lists: [UInt32: Bytes] = [:]
    private var amount: UInt64?

    func approves(_ amount: UInt64) -> Bool { self.amount == nil || self.amount == amount }

    /// - Parameter answer: the card's own response.
    mutating func hear(_ command: Bytes, _ answer: Bytes) {
        let sent = CommandAPDU(command)?.data ?? []
        switch command[1] {
        case 0xA8:
            amount = nil
            read(0x9F38, Bytes(sent.dropFirst(sent.dropFirst().first == 0x81 ? 3 : 2)))
        case 0xAE: read(0x8C, sent)
        default: break
        }
        for object in DataObject.parse(answer.dropLast(2)) ?? [] { find(object) }
    }

    private mutating func find(_ object: DataObject) {
        if object.tag == 0x9F38 || object.tag == 0x8C { lists[object.tag] = object.value }
        guard object.isTemplate else { return }
        for inner in DataObject.parse(object.value) ?? [] { find(inner) }
    }

    private mutating func read(_ list: UInt32, _ values: Bytes) {
        var start = 0
        for entry in SweepEdits.entries(of: lists[list] ?? []) {
            let end = start + Int(entry.last ?? 0)
            if entry.dropLast() == [0x9F, 0x02], end <= values.count {
                amount = TerminalData.minorUnits(Bytes(values[start..<end]))
            }
            start = end
        }
    }
}

/// A kernel session with a card.
private struct Tap: ~Copyable {
    var session: KernelSession
    var card: AnsweredCard
    var view = CardView()
    var presentments = 0

    borrowing func fork() -> Tap {
        Tap(session: session.fork(), card: card, view: view, presentments: presentments)
    }

    /// Presents the card, and lets time pass, until the kernel sends a command; false if it sends no further command.
    mutating func reachCommand() -> Bool {
        for _ in 0..<200 {
            switch session.kind {
            case .send: return true
            case .poll:
                if session.takes(.removed) {
                    session.advance(.removed)
                    continue
                }
                guard presentments < 4 else { return false }
                presentments += 1
                card = card.reset()
                session.advance(.card)
            case .ask: session.advance(.deadlinePassed)
            case .work: session.advance(.carryOn)
            case .parked, .done: return false
            }
        }
        return false
    }

    /// The card receives the command; the kernel has no response yet.
    mutating func ask() -> (command: Bytes, reply: CardReply) {
        let command = session.command
        let answer = card.exchange(command)
        card = answer.after
        if case .response(let bytes, _) = answer.reply { view.hear(command, bytes) }
        return (command, answer.reply)
    }

    /// - Parameter reply: the card's own reply, for its time.
    mutating func give(_ answer: Bytes, _ reply: CardReply) {
        guard case .response(_, let milliseconds) = reply else { return }
        session.advance(.response(answer, elapsed: .microseconds(Int64(milliseconds * 1000))))
    }

    /// - Parameter edit: a response that the relay replaces whenever the card gives it.
    consuming func end(_ edit: (from: Bytes, to: Bytes)? = nil) -> (Outcome, CardView) {
        while reachCommand() {
            let reply = ask().reply
            guard case .response(let answer, _) = reply else { break }
            give(edit.map { $0.from == answer ? $0.to : answer } ?? answer, reply)
        }
        return (session.outcome, view)
    }
}

/// Every edit of one response.
private struct SweepEdits {
    let step: Int
    private(set) var count: Int
    private(set) var all: [SweepEdit] = []

    init(step: Int, count: Int) {
        self.step = step
        self.count = count
    }

    /// - Parameter earlier: earlier responses, one of which the relay may repeat.
    mutating func collect(_ answer: Bytes, _ earlier: [Bytes]) {
        let (body, status) = (Bytes(answer.dropLast(2)), Bytes(answer.suffix(2)))
        for word in Self.statusWords where word != status {
            add("SW", "\(word.hexadecimal)", body + word)
            if !body.isEmpty { add("SW", "\(word.hexadecimal) alone", word) }
        }
        for (place, other) in earlier.enumerated() where other != answer {
            add("answer", "is that of exchange \(place + 1)", other)
        }
        guard let objects = DataObject.parse(body) else { return }
        visit(objects, "") { $0.flatMap { $0.bytes } + status }
    }

    /// In a short run most edits are only counted.
    private mutating func add(
        _ object: String, _ change: @autoclosure () -> String, _ answer: @autoclosure () -> Bytes
    ) {
        count += 1
        if count % step == 0 { all.append(SweepEdit(object: object, change: change(), answer: answer())) }
    }

    private mutating func visit(_ objects: [DataObject], _ path: String, _ whole: ([DataObject]) -> Bytes) {
        for (place, object) in objects.enumerated() {
            let name = path + DataObject.tagBytes(object.tag).hexadecimal
            func put(_ changed: [DataObject]) -> Bytes {
                whole(Array(objects[..<place]) + changed + Array(objects[(place + 1)...]))
            }
            func put(_ value: Bytes) -> Bytes { put([DataObject(object.tag, value)]) }
            let (value, count) = (object.value, object.value.count)
            add(name, "removed", put([DataObject]()))
            add(name, "twice", put([object, object]))
            add(name, "renamed", put([DataObject(0xDF7F, value)]))
            if count > 0 { add(name, "empty", put(Bytes())) }
            let zeros = Bytes(repeating: 0, count: count), ones = Bytes(repeating: 0xFF, count: count)
            if value != zeros { add(name, "zero", put(zeros)) }
            if value != ones { add(name, "FF", put(ones)) }
            if object.isTemplate, let inner = DataObject.parse(value) {
                visit(inner, name + ".") { put($0.flatMap { $0.bytes }) }
                for (tag, foreign) in Self.foreign {
                    func added() -> Bytes { DataObject(tag, foreign).bytes }
                    add(name, "with \(added().hexadecimal)", put(value + added()))
                    add(name, "with \(added().hexadecimal) first", put(added() + value))
                }
                continue
            }
            for bit in 0..<(count * 8) where count <= 8 || Self.lists.contains(object.tag) || bit % 9 == 0 {
                func changed() -> Bytes {
                    var value = value
                    value[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                    return value
                }
                add(name, "bit \(8 - bit % 8) of byte \(bit / 8 + 1)", put(changed()))
            }
            visitList(object, name) { put($0) }
        }
    }

    // MARK: Lists

    private static let dataLists: Set<UInt32> = [0x9F38, 0x8C, 0x8D, 0x9F49]
    private static let lists = dataLists.union([0x94, 0x8E])

    private mutating func visitList(_ object: DataObject, _ name: String, _ whole: (Bytes) -> Bytes) {
        guard let (head, entries) = Self.split(object) else { return }
        for (place, entry) in entries.enumerated() {
            func put(_ changed: [Bytes]) -> Bytes {
                whole(head + (entries[..<place] + changed + entries[(place + 1)...]).joined())
            }
            func exchanged(_ other: Int) -> Bytes {
                var entries = entries
                entries.swapAt(place, other)
                return whole(head + entries.joined())
            }
            add(name, "without entry \(place + 1)", put([]))
            add(name, "entry \(place + 1) twice", put([entry, entry]))
            for other in entries.indices where other > place {
                add(name, "entries \(place + 1) and \(other + 1) exchanged", exchanged(other))
            }
            guard Self.dataLists.contains(object.tag), let length = entry.last else { continue }
            for (tag, natural) in Self.labels {
                func label() -> Bytes { DataObject.tagBytes(tag) }
                add(name, "entry \(place + 1) as \(label().hexadecimal)", put([label() + [length]]))
                guard natural > 0, natural < length else { continue }
                add(
                    name, "entry \(place + 1) as \(label().hexadecimal) and filling",
                    put([label() + [natural], [0xDF, 0x7F, length - natural]]))
            }
        }
    }

    private static func split(_ object: DataObject) -> (head: Bytes, entries: [Bytes])? {
        let value = object.value
        switch object.tag {
        case 0x94: return (value.count % 4 == 0) ? ([], slices(value, 4)) : nil
        case 0x8E: return value.count >= 8 ? (Bytes(value.prefix(8)), slices(Bytes(value.dropFirst(8)), 2)) : nil
        case let tag: return dataLists.contains(tag) ? ([], entries(of: value)) : nil
        }
    }

    /// The entries of a data object list: tags, each followed by its length.
    static func entries(of list: Bytes) -> [Bytes] {
        var entries: [Bytes] = []
        var entry: Bytes = []
        var isInTag = true
        for byte in list {
            entry.append(byte)
            if !isInTag {
                entries.append(entry)
                entry = []
                isInTag = true
            } else if entry.count == 1 ? byte & 0x1F != 0x1F : byte & 0x80 == 0 {
                isInTag = false
            }
        }
        return entries
    }

    private static func slices(_ bytes: Bytes, _ size: Int) -> [Bytes] {
        stride(from: 0, to: bytes.count, by: size).map { Bytes(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    // MARK: Objects added by a relay

    private static let statusWords: [Bytes] = [
        [0x90, 0x00], [0x62, 0x83], [0x63, 0x00], [0x67, 0x00], [0x69, 0x84], [0x69, 0x85], [0x69, 0x86],
        [0x6A, 0x81], [0x6A, 0x82], [0x6A, 0x83], [0x6D, 0x00], [0x91, 0x00],
    ]

    /// Replacements for a list entry, with the length of the object; 0: an unknown object.
    private static let labels: [(UInt32, UInt8)] = [
        (0x9A, 3), (0x9C, 1), (0x95, 5), (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x5F2A, 2), (0x9F1D, 8), (0x9F33, 3),
        (0x9F34, 3), (0x9F35, 1), (0x9F37, 4), (0x9F53, 3), (0x9F66, 4), (0x9F6E, 4), (0xDF7F, 0),
    ]

    /// Objects of cards and of readers with values that would help an attacker: claims of a verified holder, no
    /// verification, an approval, no action codes, no signature, another kernel, the reader's own data.
    private static let foreign: [(UInt32, Bytes)] = [
        (0x9F6C, [0x00, 0x80]), (0x9F6C, [0x00, 0x00]), (0x9F71, [0x01, 0x03, 0x02]),
        (0x9F71, [0x00, 0x10, 0x00, 0x00]),
        (0x9F50, [0x00]), (0x9F50, [0x30]), (0x9F50, [0x31]), (0x9F8102, [0x00]), (0x9F8102, [0x03]),
        (0x8E, [0, 0, 0, 0, 0, 0, 0, 0, 0x1F, 0x00]), (0x8E, [0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x03, 0x1F, 0x03]),
        (0x9F27, [0x40]), (0x9F27, [0x80]), (0x82, [0x00, 0x00]), (0x82, [0x19, 0x80]), (0x82, [0x39, 0xC0]),
        (0x94, [0x08, 0x01, 0x01, 0x00]), (0x9F69, [0x01, 0, 0, 0, 0, 0x00, 0x80]),
        (0x9F0D, [0, 0, 0, 0, 0]), (0x9F0E, [0, 0, 0, 0, 0]), (0x9F0F, [0, 0, 0, 0, 0]), (0x9F07, [0xFF, 0xC0]),
        (0x5F24, [0x49, 0x12, 0x31]), (0x5F25, [0x20, 0x01, 0x01]), (0x5F28, [0x02, 0x76]), (0x9F4A, [0x82]),
        (0x8F, [0xEE]), (0x9F2A, [0x02]), (0x9F2A, [0x03]), (0x87, [0x00]),
        (0x9F6E, [0x02, 0x76, 0, 0, 0x30, 0x30, 0]),
        (0x9F10, [0x06, 0x01, 0x0A, 0x03, 0x90, 0x00, 0x00]), (0x9F26, [1, 2, 3, 4, 5, 6, 7, 8]),
        (0x9F36, [0x00, 0x15]),
        (0x8C, [0x9F, 0x37, 0x04]), (0x9F38, [0x9F, 0x37, 0x04]), (0x9F5D, [0, 0, 0, 0x99, 0x99, 0x99]),
        (0x9F02, [0, 0, 0, 0, 0, 1]), (0x9F37, [0, 0, 0, 0]), (0x95, [0, 0, 0, 0, 0]), (0x9F34, [0x1F, 0x00, 0x02]),
        (0x9F1D, [0x08, 0, 0, 0, 0, 0, 0, 0]), (0x9F33, [0, 0, 0]), (0x9F66, [0x20, 0, 0, 0]),
        (0x9F1B, [0, 0, 0x99, 0x99]),
        (0xDF8123, [0, 0, 0, 0x99, 0x99, 0x99]), (0xDF8126, [0, 0, 0, 0x99, 0x99, 0x99]), (0xDF811B, [0x00]),
        (0x9F53, [0, 0, 0]), (0x9F7E, [0x01]), (0x9F2C, [0x00]), (0x9F810A, [0x82]), (0x9F8104, [0, 0, 0, 0, 0]),
    ]
}
