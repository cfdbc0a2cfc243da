// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The time a card must stay in the field, in the five categories of Book A, 10.2, at one rate of the link. The first,
/// fourth and fifth belong to the reader: together at most 100 ms (10.2.1.1), of 500 ms for all (10.1).
struct Tariffs: Sendable {
    static let readerBudget = 100.0
    static let fieldBudget = 500.0

    /// 1: commands on the air.
    let commands: Double
    /// 2: the card without computing time: the shortest delay that the link allows.
    let card: Double
    /// 3: responses on the air.
    let responses: Double
    /// 4: the reader between two commands: this kernel and the shortest delay that the link allows.
    let reader: Double
    /// 5: the reader after the last response: this kernel to the end, although "card read OK" comes before certificates
    /// are checked.
    let afterLast: Double

    var readerSum: Double { commands + reader + afterLast }
    /// The total without the card's computing time.
    var sum: Double { commands + card + responses + reader + afterLast }

    /// The computing time left to the card, for all commands together, within Book A's half second. The times that
    /// cards need for each command are not published, and a simulator cannot show them, so no value is assumed and the
    /// remainder is reported instead.
    var leftToCard: Double { Tariffs.fieldBudget - sum }

    /// `phases` has nanoseconds by name; an empty list counts as zero.
    init(_ exchanges: [Dialogue.Exchange], periods: Double, phases: [(name: String, ns: Double)]) {
        let millisecond = AirTime.carrier / 1000
        func time(_ names: [String]) -> Double {
            phases.filter { names.contains($0.name) }.reduce(0) { $0 + $1.ns } / 1_000_000
        }
        commands = exchanges.reduce(0.0) { $0 + AirTime.message($1.command.count, periods) } / millisecond
        responses = exchanges.reduce(0.0) { $0 + AirTime.message($1.response.count, periods) } / millisecond
        card = Double(exchanges.count) * AirTime.readerToCard / millisecond
        reader = Double(exchanges.count) * AirTime.cardToReader / millisecond + time(["select", "options", "records"])
        afterLast = time(["authentication", "decision"])
    }

    var json: JSON {
        .object(
            [
                ("commands", commands), ("card", card), ("responses", responses), ("reader", reader),
                ("afterLast", afterLast), ("leftToCard", leftToCard),
            ]
            .map { ($0.0, .rounded($0.1, digits: 3)) })
    }
}

extension Dialogue {
    /// The tariffs of each presentment, to which Book A's limits apply; the kernel's time counts in the last one.
    func tariffs(periods: Double, phases: [(name: String, ns: Double)]) -> [Tariffs] {
        let presentments = presentments
        return presentments.enumerated().map {
            Tariffs($0.element, periods: periods, phases: $0.offset == presentments.count - 1 ? phases : [])
        }
    }

    /// The exchanges of each presentment of the card; one empty list if no command is sent.
    var presentments: [[Exchange]] {
        exchanges.reduce(into: [[]]) { presentments, exchange in
            if Dialogue.isDirectory(exchange.command), presentments != [[]] { presentments.append([]) }
            presentments[presentments.count - 1].append(exchange)
        }
    }

    /// The fewest commands with which the specifications allow this tap to end. In each presentment a command counts
    /// once; a record counts if the card's file locator lists it; a command sent before a GENERATE AC (a balance)
    /// counts once more after it. All commands above this number could have been avoided.
    var fewestExchanges: Int {
        var seen: Set<Bytes> = []
        var listed: Set<[UInt8]> = []
        var count = 0
        for exchange in exchanges {
            let command = exchange.command
            if Dialogue.isDirectory(command) { (seen, listed) = ([], []) }
            if command.count > 1, command[1] == 0xA8 { listed.formUnion(Dialogue.records(in: exchange.response)) }
            if command.count > 3, command[1] == 0xB2, !listed.contains([command[3] >> 3, command[2]]) { continue }
            if seen.insert(command).inserted { count += 1 }
            if command.count > 1, command[1] == 0xAE { seen = [] }
        }
        return count
    }

    /// Whether this is the SELECT of the directory, which begins a presentment.
    static func isDirectory(_ command: Bytes) -> Bool {
        command.count > 12 && command[1] == 0xA4 && command[5..<9].elementsEqual("2PAY".utf8)
    }

    /// File and number of every record of tag 94, in format 1 or 2.
    private static func records(in response: Bytes) -> [[UInt8]] {
        guard response.count > 2 else { return [] }
        var locator = Bytes()
        for node in TLVTree(response.dropLast(2)) {
            if node.object.tag == 0x94 { locator = Bytes(node.object.value) }
            if node.object.tag == 0x80 { locator = Bytes(node.object.value.dropFirst(2)) }
        }
        var records: [[UInt8]] = []
        var at = 0
        while at + 4 <= locator.count {
            let file = locator[at] >> 3
            let first = locator[at + 1]
            let last = locator[at + 2]
            if first <= last {
                for number in first...last { records.append([file, number]) }
            }
            at += 4
        }
        return records
    }
}
