// SPDX-License-Identifier: Apache-2.0
// Writes golden taps: plays scenes with virtual cards, and puts what was said into the text that golden.c reads.
import EMVKit

@testable import EMVSimulator

/// What a driver gave, and to which command.
struct GoldenReply {
    var kind: UInt8
    var elapsed: UInt32 = 0
    var command: Bytes?
    var bytes: Bytes = []
}

enum GoldenRecorder {
    /// At most so many replies: a card that asks for more is cut off there.
    static let limit = 60

    static func play(
        _ scene: inout GoldenScene, _ configuration: CheckedConfiguration, memory: ReaderMemory
    ) throws -> [GoldenReply] {
        var session = try KernelSession(configuration, scene.transaction, reader: memory)
        var replies: [GoldenReply] = []
        var presented = false, answered = 0
        while replies.count < limit {
            let reply: GoldenReply
            let given: Reply
            switch session.step {
            case .poll(let poll):
                (reply, given) = present(&scene, session, poll, &presented)
            case .send(let command):
                (reply, given) = exchange(&scene, command)
            case .ask(let question):
                guard question.kind == .kernel else { return replies }
                let answer = answered < scene.answers.count ? scene.answers[answered] : nil
                answered += 1
                (reply, given) =
                    answer.map { (GoldenReply(kind: 9, bytes: $0), .data($0)) } ?? (
                        GoldenReply(kind: 10), .deadlinePassed
                    )
            case .work: (reply, given) = (GoldenReply(kind: 12), .carryOn)
            case .parked:
                guard let answer = scene.online else { return replies }
                scene.online = nil
                (reply, given) = (GoldenReply(kind: 13, bytes: answer.encoded), .online(answer))
            case .done: return replies
            }
            replies.append(reply)
            session.advance(given)
        }
        return replies
    }

    private static func present(
        _ scene: inout GoldenScene, _ session: borrowing KernelSession, _ poll: Poll, _ presented: inout Bool
    ) -> (GoldenReply, Reply) {
        if poll.removalFirst, session.takes(.removed) {
            scene.card.reset()
            presented = false
            return (GoldenReply(kind: 8), .removed)
        }
        if presented { scene.card.reset() }
        presented = true
        let found = scene.card.poll()
        if found == .collision, session.takes(.collision) { return (GoldenReply(kind: 6), .collision) }
        if session.takes(.collisionCleared) { return (GoldenReply(kind: 7), .collisionCleared) }
        return (GoldenReply(kind: 5), .card)
    }

    private static func exchange(_ scene: inout GoldenScene, _ command: Bytes) -> (GoldenReply, Reply) {
        switch scene.card.exchange(command) {
        case .response(let bytes, let milliseconds):
            let elapsed = UInt32(milliseconds * 1000)
            return (
                GoldenReply(kind: 1, elapsed: elapsed, command: command, bytes: bytes),
                .response(bytes, elapsed: .microseconds(Int64(elapsed)))
            )
        case .timeout: return (GoldenReply(kind: 2, command: command), .fault(.timeout))
        case .transmissionError: return (GoldenReply(kind: 3, command: command), .fault(.transmission))
        case .protocolError: return (GoldenReply(kind: 4, command: command), .fault(.protocol))
        case .removed: return (GoldenReply(kind: 8, command: command), .fault(.removed))
        }
    }
}

/// The text. Bytes that stand more than once are named once.
struct GoldenText {
    private var readers: [(name: String, lines: [String])] = []
    private var taps: [Tap] = []
    /// Readers with Kernel 8.
    private var needSecrets: Set<String> = []

    private struct Tap {
        var head: String
        var reader: String
        var random: Bytes
        var data: Bytes
        var replies: [GoldenReply]
        var keepsMemory: Bool
    }

    static func hex(_ bytes: Bytes) -> String { bytes.isEmpty ? "-" : Hex.string(bytes) }

    /// A transaction as the tap's line has it.
    mutating func add(_ scene: GoldenScene, _ replies: [GoldenReply]) {
        guard case .fixed(let random) = scene.transaction.random else {
            preconditionFailure("a golden tap has fixed numbers")
        }
        let sale = scene.transaction
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: count - String(number).count) + String(number)
        }
        let date = digits(sale.date.year % 100, 2) + digits(sale.date.month, 2) + digits(sale.date.day, 2)
        let time = digits(sale.time.hour, 2) + digits(sale.time.minute, 2) + digits(sale.time.second, 2)
        let head =
            "tap \(scene.name) \(scene.reader) \(scene.keepsMemory ? 1 : 0) \(Hex.string([sale.type.rawValue])) "
            + "\(sale.amount) \(sale.amountOther) "
            + "\(digits(Int(sale.currency), 4)) \(sale.exponent) \(date) \(time) \(sale.counter) "
        taps.append(
            Tap(
                head: head, reader: scene.reader, random: random, data: sale.data.encoded, replies: replies,
                keepsMemory: scene.keepsMemory))
    }

    /// Drops taps that are as one before them: the same was said, and the same came of it. Two that belong together
    /// stay.
    mutating func prune(end: (Int) -> String) {
        var seen: Set<String> = []
        var kept: [Tap] = []
        for (index, tap) in taps.enumerated() {
            let belongs = tap.keepsMemory || (index + 1 < taps.count && taps[index + 1].keepsMemory)
            let said = tap.replies.map {
                "\($0.kind) \($0.elapsed) \(Self.hex($0.command ?? [])) \(Self.hex($0.bytes))"
            }.joined(separator: "\n")
            if seen.insert(said + end(index)).inserted || belongs { kept.append(tap) }
        }
        taps = kept
    }

    mutating func add(reader name: String, _ configuration: Configuration) {
        var lines = [
            "reader \(name) \(Self.hex(configuration.terminal.encoded)) \(Self.hex(configuration.poiInformation))"
        ]
        for row in configuration.combinations {
            if var options = row.kernel.americanExpress {
                options.onlineAvailable = true
                precondition(
                    options
                        == Configuration.americanExpressOptions(
                            Limits(transaction: 30_000, floor: 10_000, cvmRequired: 5_000)),
                    "of Kernel 4 only one set of options is written")
            }
            precondition(
                row.kernel.kernel8.map {
                    $0 == Kernel8Options() && row.limits == Limits(transaction: row.limits.transaction)
                }
                    ?? true, "of Kernel 8 no options are written, and its limits stand among its data")
            if row.kernel.id == 8 { needSecrets.insert(name) }
            let types = row.transactionTypes.map(\.rawValue)
            let limits = [
                row.limits.transaction, row.limits.floor, row.limits.terminalFloor, row.limits.cvmRequired,
                row.limits.cdcvmTransaction,
            ]
            let present = limits.enumerated().reduce(0) { $1.element == nil ? $0 : $0 | 1 << $1.offset }
            let flags =
                (row.statusCheck ? 1 : 0) | (row.extendedSelection ? 2 : 0)
                | (row.kernel.visa?.usageControl == false ? 4 : 0)
                | (row.kernel.visa?.acceptsFormat1 == true ? 8 : 0)
                | (row.kernel.unionPay?.odaForOnline == true ? 16 : 0)
                | (row.kernel.americanExpress.map { $0.onlineAvailable ? 32 : 64 } ?? 0)
            let zero = [ZeroAmount.online: 0, .notAllowed: 1, .offlineAllowed: 2][row.zeroAmount]!
            lines.append(
                "row \(Hex.string(row.aid)) \(Hex.string(row.kernel.id.bytes)) \(Self.hex(types)) "
                    + "\(Self.hex(row.ttq ?? [])) \(Self.hex(row.data.encoded)) \(zero) \(flags) \(present) "
                    + limits.map { "\($0 ?? 0)" }.joined(separator: " ") + Self.kernel5(row.kernel.jcb))
        }
        for key in configuration.caKeys {
            if let curve = key.curve {
                lines.append(
                    "curve \(Hex.string(key.rid)) \(Hex.string([key.index])) \(Hex.string([curve.suite])) "
                        + "\(Hex.string(curve.x)) \(Hex.string(curve.y)) \(Self.hex(curve.sha256 ?? [])) "
                        + "\(key.isTest ? 1 : 0)")
                continue
            }
            lines.append(
                "key \(Hex.string(key.rid)) \(Hex.string([key.index])) \(key.exponent) "
                    + "\(Hex.string(key.modulus)) \(Self.hex(key.sha1 ?? [])) 000000 \(key.isTest ? 1 : 0)"
            )
        }
        for row in configuration.revoked {
            lines.append("revoked \(Hex.string(row.rid)) \(Hex.string([row.index])) \(Hex.string(row.serial))")
        }
        let profile = [Protection.Profile.guarded: 0, .book: 1, .strict: 2][configuration.protection.profile]!
        precondition(
            configuration.protection == Protection(profile: configuration.protection.profile),
            "rules beside the profile are not written")
        readers.append((name, lines + ["protection \(profile) 0 0 0 0 0 0 0 0 0 0 0 0", "checked"]))
    }

    /// What golden.c reads behind a row of Kernel 5.
    private static func kernel5(_ options: JCBOptions?) -> String {
        guard let options else { return "" }
        precondition(
            options.tacDenial == nil && options.tacOnline == nil && options.tacDefault == nil
                && options.transitAgent == nil && options.transitData == nil, "these options are not written")
        let selection = options.randomSelection
        return " \(hex(options.combinationOptions)) \(hex(options.terminalInterchangeProfile)) "
            + "\(options.removalTimeout) \(selection?.threshold ?? 0) \(selection?.target ?? 0) "
            + "\(selection?.maximumTarget ?? 0)"
    }

    /// The files, by their names.
    ///
    /// - Parameters:
    ///   - file: of all taps; nil parts them by the kernel that a tap's outcome names, `entry` for taps that Entry
    ///     Point ended.
    ///   - end: a tap's line that describes its end.
    func files(_ file: String?, end: (Int) -> String) -> [String: String] {
        let ends = taps.indices.map(end)
        let parts = Dictionary(grouping: taps.indices) { index in
            if let file { return file }
            let kernel = ends[index].split(separator: " ").first { $0.hasPrefix("kernel=") }?.dropFirst("kernel=".count)
            return kernel.flatMap { UInt8($0, radix: 16) }.map { "k\($0)" } ?? "entry"
        }
        return Dictionary(
            uniqueKeysWithValues: parts.map { name, indices in (name, text(name, indices, ends)) })
    }

    /// All in one, their ends unknown.
    var text: String { text("all", Array(taps.indices), taps.map { _ in "-" }) }

    /// One file: names of bytes that it has more than once, the readers of its taps, the taps.
    private func text(_ name: String, _ indices: [Int], _ ends: [String]) -> String {
        var uses: [Bytes: Int] = [:]
        for tap in indices.map({ taps[$0] }) {
            for bytes in [tap.random] + tap.replies.flatMap({ [$0.command ?? [], $0.bytes] }) where bytes.count > 4 {
                uses[bytes, default: 0] += 1
            }
        }
        let named = uses.filter { $0.value > 1 }.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let names = Dictionary(uniqueKeysWithValues: named.enumerated().map { ($0.element, $0.offset) })
        let used = Set(indices.map { taps[$0].reader })
        var lines = [
            "# Golden taps, written by Scripts/golden from our virtual cards. Do not edit: see TESTING.md.",
            "file \(name)",
        ]
        if !used.isDisjoint(with: needSecrets) { lines.append("secrets") }
        lines += named.map { "bytes \(Hex.string($0))" }
        lines += readers.filter { used.contains($0.name) }.flatMap(\.lines)
        lines += zip(indices, [nil] + indices).flatMap { index, before in
            precondition(!taps[index].keepsMemory || before == index - 1, "taps that belong together have one file")
            return Self.lines(taps[index], names, end: ends[index])
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ tap: Tap, _ names: [Bytes: Int], end: String) -> [String] {
        func place(_ bytes: Bytes) -> String { names[bytes].map { "$\($0)" } ?? hex(bytes) }
        let replies = tap.replies.map { reply in
            reply.command.map { "x \(place($0)) \(reply.kind) \(reply.elapsed) \(place(reply.bytes))" }
                ?? "r \(reply.kind) \(place(reply.bytes))"
        }
        return [tap.head + "\(place(tap.random)) \(hex(tap.data))"] + replies + ["end \(end)"]
    }
}
