// SPDX-License-Identifier: Apache-2.0
#if Journal && os(Linux)
@testable import EMVJournal
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

/// A process that is really killed, at every write: checks the disk afterwards, and the host's bookings.
@Suite(.timeLimit(.minutes(60))) struct CrashTests {
    private static let payments = 0..<13

    /// Settles everything that is open, and checks that journal and host agree.
    private static func settle(_ place: Place, _ label: Comment) async throws {
        let journal = try await place.open(), host = try SimulatedHost(path: place.host)
        try await journal.verify()
        let settlement = Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
        let told = try await settlement.recover()
        await host.deliverLate()
        let standing = await settlement.forwardNow()
        #expect(
            standing.unresolved.count == 0 && standing.deferred.count == 0 && standing.unreported.count == 0, label)
        let booked = await host.booked
        #expect(try await journal.totals().differences(from: booked) == [], label)
        for settled in told where settled.ending.name == .approved { #expect(booked[settled.key] != nil, label) }
        // Everything that was shown is in the journal, and paid.
        for (key, word) in place.told() {
            let tap = try await journal.tap(key)
            #expect(tap != nil, label)
            if word == "approved" { #expect(booked[key] != nil, label) }
            if word == "accepted" { #expect(tap?.decided != nil, label) }
        }
        for key in booked.keys { #expect(try await journal.tap(key) != nil, label) }
        for tap in try await journal.open() where tap.isToTell { try await settlement.acknowledge(tap.key) }
        #expect(try await journal.standing().isSettled, label)
        try await journal.maintain()
        try await journal.verify()
        await journal.close()
    }

    // swift-format-ignore
    /// Before each call that changes a file of the journal, and in the middle of each write. By default every eleventh
    /// place, for the first payment every second; `EMV_KILL_STEP=1`: all of them.
    @Test("L39: killed at every write and sync, then recovered: host and journal agree", arguments: payments)
    func killedAtEveryWrite(_ payment: Int) async throws {
        let whole = try Place()
        let end = try POSProcess.run(["pay", "\(payment)", whole.directory.path])
        let calls = try #require(end.number("calls"), "\(end)")
        #expect(calls > 100)
        try await CrashTests.settle(whole, "payment \(payment)")
        let step = setting("EMV_KILL_STEP") ?? (payment == 0 ? 2 : 11)
        for call in stride(from: 1 + payment % step, through: calls, by: step) {
            for kind in ["kill", "torn"] {
                let place = try Place()
                let end = try POSProcess.run(
                    ["pay", "\(payment)", place.directory.path], ["JOURNAL_FAULT": "\(kind) \(call)"])
                #expect(end.signal == SIGKILL, "payment \(payment) \(kind) \(call): \(end)")
                try await CrashTests.settle(place, "payment \(payment) \(kind) \(call)")
            }
        }
    }

    /// A tap that asks no host does not depend on the answer, so it is killed with the first answer only. By default
    /// every third place, other places for each tap and answer; `EMV_KILL_STEP=1`: all of them.
    @Test(
        "L39: killed before and after every append and every sync, with every tap and every answer",
        arguments: 0..<SimulatedTap.allCases.count)
    func killedAroundEveryAppend(_ tap: Int) async throws {
        let made = try Place(), step = setting("EMV_KILL_STEP") ?? 3
        #expect(try POSProcess.run(["write", "0", made.directory.path]).status == 0)
        func place() throws -> Place {
            let place = try Place()
            for ending in ["", ".owner"] {
                try FileManager.default.copyItem(atPath: made.journal + ending, toPath: place.journal + ending)
            }
            return place
        }
        for answer in 0..<6 {
            let whole = try place(), pair = "\(tap * 6 + answer)"
            let end = try POSProcess.run(["pair", pair, whole.directory.path])
            let appends = try #require(end.number("appends"), "\(end)"), syncs = try #require(end.number("syncs"))
            #expect(appends >= 1 && syncs >= 2, "\(end)")
            // L43: no write and no sync during the dialogue with a card.
            #expect(end.number("field") == 0, "\(end)")
            try await CrashTests.settle(whole, "pair \(pair)")
            let kills = (1...appends).flatMap { [("JOURNAL_KILL", "before \($0)"), ("JOURNAL_KILL", "after \($0)")] }
            let faults = (1...syncs).flatMap { [("JOURNAL_FAULT", "sync \($0)"), ("JOURNAL_FAULT", "synced \($0)")] }
            for (number, (name, value)) in (kills + faults).enumerated() where (number + answer + tap) % step == 0 {
                let place = try place(), end = try POSProcess.run(["pair", pair, place.directory.path], [name: value])
                #expect(end.signal == SIGKILL, "pair \(pair) \(value): \(end)")
                try await CrashTests.settle(place, "pair \(pair) \(value)")
            }
            if end.number("asked") == 0 { break }
        }
    }

    // swift-format-ignore
    /// By default every seventh call; `EMV_KILL_STEP=1`: all of them.
    @Test(
        "L39: killed while closed payments move, an account is erased or the log is emptied: nothing is lost or doubled"
    )
    func killedWhileMoving() async throws {
        let whole = try Place(), recent = ["JOURNAL_RECENT": "8"]
        let end = try POSProcess.run(["write", "24", whole.directory.path], recent)
        let calls = try #require(end.number("calls"), "\(end)")
        let journal = try await whole.open(), written = try await journal.entries()
        #expect(try await journal.numbers("SELECT COUNT(*) FROM taps")[0] > 15, "they moved")
        await journal.close()
        var partly = 0
        for call in stride(from: 1, through: calls, by: setting("EMV_KILL_STEP") ?? 7) {
            for kind in ["kill", "torn"] {
                let place = try Place(), label: Comment = "\(kind) \(call)"
                let end = try POSProcess.run(
                    ["write", "24", place.directory.path], recent.merging(["JOURNAL_FAULT": "\(kind) \(call)"]) { $1 })
                #expect(end.signal == SIGKILL, "\(kind) \(call): \(end)")
                let journal = try await place.open()
                var entries = try await journal.entries()
                #expect(try await journal.verify() == entries.count, label)
                // An approval that was written but not shown is reversed.
                if entries.last?.event.name == .reversing { entries.removeLast() }
                #expect(entries.map(\.key) == written.prefix(entries.count).map(\.key), label)
                #expect(entries.map(\.event.name) == written.prefix(entries.count).map(\.event.name), label)
                if try await journal.numbers("SELECT COUNT(*) FROM taps") != [0] { partly += 1 }
                await journal.close()
            }
        }
        #expect(partly > 20)
    }

    // swift-format-ignore
    /// Every call fails in turn. By default each payment is tested with two of the four ways of failing, one for each
    /// error; `EMV_KILL_STEP=1`: all of them.
    @Test(
        "L14: where a write or a sync fails, once or from then on, nothing is approved that is not remembered",
        arguments: [Int(ENOSPC), Int(EIO)], ["fail", "failFrom"])
    func failedWrites(_ error: Int, _ kind: String) throws {
        let step = min(setting("EMV_KILL_STEP") ?? 2, 2)
        let first = (error == Int(EIO)) == (kind == "failFrom") ? 0 : 1
        for payment in CrashTests.payments where (payment + first) % step == 0 {
            let place = try Place()
            let end = try POSProcess.run(
                ["sweep", "\(payment)", place.directory.path], ["JOURNAL_FAULT": "\(kind) 0 \(error)"])
            let wrong = end.output.split(separator: "\n").filter { $0.hasPrefix("wrong") }
            #expect(end.status == 0 && end.signal == 0 && wrong.isEmpty, "\(kind) \(error): \(end)")
            #expect((end.number("met") ?? 0) > 12, "\(end)")
        }
    }

    /// Its last commit is in the file, although it was never acknowledged.
    @Test("L17: killed while a payment is taken over, the journal opens, with all of the payment or nothing of it")
    func killedWhileTakingOver() async throws {
        let start: [JournalEvent] = [
            Payments.began(1), .read(Payments.read(1)), .asking(attempt: 1, deadline: .seconds(30)),
            .answered(.approved(Approval(code: "1"))),
        ]
        for (rest, state) in [
            ([.reversing(.answerLost)], nil), ([.erased(.account), .reversing(.answerLost)], .reversing),
            ([.reversing(.timedOut), .reversed, .queued(.offlineApproval)], nil), ([], .reversing),
        ] as [([JournalEvent], JournaledTap.State?)] {
            let place = try Place(), journal = try await place.open()
            try await Payments.approve(7, journal)
            let owner = URL(fileURLWithPath: place.journal + ".owner"), stamp = try Data(contentsOf: owner)
            try await journal.append(start + rest, to: Payments.key(1))
            await journal.close()
            try stamp.write(to: owner)
            for _ in 0..<2 {
                let later = try await place.open()
                #expect(try await later.tap(Payments.key(1))?.state == state, "\(rest.map(\.name))")
                #expect(try await later.tap(Payments.key(7))?.state == .approved)
                try await later.verify()
                await later.close()
            }
        }
    }

    // MARK: - L9

    /// The disk after a power cut: all synced bytes, and any sectors of the others.
    private struct Disk {
        private var synced: [Int: Data] = [:]
        private var pending: [Int: [Change]] = [:]
        private var names: [Int: String] = [:]

        private enum Change {
            case write(Int, Data)
            case truncate(Int)
        }

        mutating func take(_ call: Record.Call) {
            switch call.kind {
            case "n": names[call.file] = String(decoding: call.bytes, as: UTF8.self)
            case "c": synced[call.file] = synced[call.file] ?? Data()
            case "w": pending[call.file, default: []].append(.write(call.offset, call.bytes))
            case "t": pending[call.file, default: []].append(.truncate(call.offset))
            case "s":
                for change in pending.removeValue(forKey: call.file) ?? [] {
                    Self.apply(change, to: &synced[call.file, default: Data()])
                }
            case "u":
                synced[call.file] = nil
                pending[call.file] = nil
            default: break
            }
        }

        private static func apply(_ change: Change, to file: inout Data) {
            switch change {
            case .write(let offset, let bytes):
                if file.count < offset + bytes.count { file.append(Data(count: offset + bytes.count - file.count)) }
                file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            case .truncate(let size):
                file = size < file.count ? Data(file.prefix(size)) : file + Data(count: size - file.count)
            }
        }

        func cut(_ directory: URL, _ random: inout SeededRandom) throws {
            for (file, data) in synced {
                guard let name = names[file] else { continue }
                var left = data
                for change in pending[file] ?? [] {
                    switch change {
                    case .truncate: if Bool.random(using: &random) { Self.apply(change, to: &left) }
                    case .write(let offset, let bytes):
                        var start = 0
                        while start < bytes.count {
                            let end = min(bytes.count, start + 512 - (offset + start) % 512)
                            if Bool.random(using: &random) {
                                Self.apply(.write(offset + start, bytes.subdata(in: start..<end)), to: &left)
                            }
                            start = end
                        }
                    }
                }
                try left.write(to: directory.appendingPathComponent((name as NSString).lastPathComponent))
            }
        }
    }

    private struct Record {
        struct Call {
            let kind: Character
            let file: Int
            let offset: Int
            let bytes: Data
        }

        var calls: [Call] = []

        init(_ path: String) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            var place = 0
            func number(_ at: Int) -> Int { (0..<8).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
            while place + 18 <= data.count {
                let kind = Character(UnicodeScalar(data[place])), length = number(place + 10)
                let bytes = length > 0 ? data.subdata(in: (place + 18)..<(place + 18 + length)) : Data()
                calls.append(Call(kind: kind, file: Int(data[place + 1]), offset: number(place + 2), bytes: bytes))
                place += 18 + length
            }
        }
    }

    private struct Loss {
        var cuts = 0, lost = 0, most = 0
    }

    /// Cuts the power after system calls of a writer, and opens the remaining files.
    private static func cutPower(_ cuts: Int, isCanary: Bool, seed: UInt64) async throws -> Loss {
        let source = try Place(), payments = 24
        let end = try POSProcess.run(
            ["write", "\(payments)", source.directory.path],
            [
                "JOURNAL_RECORD": source.path("record"), "JOURNAL_CANARY": isCanary ? "1" : "0", "JOURNAL_RECENT": "8",
            ])
        #expect(end.status == 0, "\(end)")
        let record = try Record(source.path("record"))
        let opened = try await source.open()
        let written = try await opened.entries()
        #expect(try await opened.numbers("SELECT COUNT(*) FROM taps")[0] > 15, "most have moved")
        await opened.close()
        #expect(written.count == payments * 7)
        var random = SeededRandom(seed: seed), loss = Loss(), disk = Disk(), promised = 0
        // Some cuts hit a journal that was never opened.
        let first = record.calls.firstIndex { $0.kind == "m" } ?? 0
        let places = record.calls.indices.filter { $0 >= first || $0 % 4 == 0 }
        var left = places.count
        for (number, call) in record.calls.enumerated() {
            disk.take(call)
            if call.kind == "m" { promised = call.offset }
            guard number >= first || number % 4 == 0 else { continue }
            // The requested number of cuts, spread over all places.
            let due = (cuts * (places.count - left + 1)) / places.count
            left -= 1
            while loss.cuts < due {
                let place = try Place()
                try disk.cut(place.directory, &random)
                loss.cuts += 1
                let label: Comment = "seed \(seed), call \(number), promised \(promised)"
                do throws(JournalError) {
                    // After a power cut the machine is started again.
                    let clock = JournalClock { JournalClock.Reading(wall: 1_900_000_000, boot: "next", uptime: 1) }
                    let journal = SQLiteJournal(
                        path: place.journal, options: SQLiteJournal.Options(ballast: 0, clock: clock))
                    _ = try await journal.open()
                    try await journal.verify()
                    // The files are created again here, as by a backup, which the journal records.
                    let entries = try await journal.entries().filter { $0.event.name != .restored }
                    // The remaining events are whole commits of the written ones; data erased later may still be there.
                    #expect(entries.map(\.event.name) == written.prefix(entries.count).map(\.event.name), label)
                    #expect(entries.map(\.key) == written.prefix(entries.count).map(\.key), label)
                    #expect([0, 1, 3, 4].contains(entries.count % 7), label)
                    if entries.count < promised {
                        loss.lost += 1
                        loss.most = max(loss.most, promised - entries.count)
                    }
                    await journal.close()
                } catch {
                    // The stamp was ahead: this happens only with a journal whose commits were not synced.
                    loss.lost += 1
                    if !isCanary { Issue.record("\(error), \(label)") }
                }
            }
        }
        return loss
    }

    // swift-format-ignore
    /// `EMV_CUTS` cuts, 600 by default.
    @Test("L9: after a power cut at any moment no acknowledged event is lost, and none is there in half")
    func powerCuts() async throws {
        let loss = try await CrashTests.cutPower(setting("EMV_CUTS") ?? 600, isCanary: false, seed: 1)
        print("power cuts: \(loss.cuts), lost in \(loss.lost)")
        #expect(loss.lost == 0 && loss.cuts == setting("EMV_CUTS") ?? 600)
    }

    @Test("L9: the same finds what is lost where GRDB was asked for FULL too early")
    func powerCutsFindTheTrap() async throws {
        let loss = try await CrashTests.cutPower(300, isCanary: true, seed: 2)
        print("canary: \(loss.cuts) cuts, lost in \(loss.lost), up to \(loss.most) events at once")
        #expect(loss.lost > loss.cuts / 10, "the canary did not fail")
    }

    // MARK: - L40, L41

    // swift-format-ignore
    /// `EMV_LIVES` random histories over files with real kills, 200 by default, starting with seed `EMV_MODEL_SEED`.
    @Test("L41: after any life with real kills, host and journal agree, per key and in total")
    func livesWithKills() async throws {
        let first = setting("EMV_MODEL_SEED") ?? 1
        var kills = 0
        for seed in first..<(first + (setting("EMV_LIVES") ?? 200)) {
            var random = SeededRandom(seed: UInt64(seed) &* 7919)
            let place = try Place()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                var environment: [String: String] = [:]
                if Int.random(in: 0..<4, using: &random) > 0 {
                    let kind = ["kill", "torn", "kill", "fail"].randomElement(using: &random)!
                    environment["JOURNAL_FAULT"] = "\(kind) \(Int.random(in: 1...420, using: &random))"
                }
                let end = try POSProcess.run(
                    ["live", "\(random.next() >> 1)", place.directory.path], environment)
                if end.signal == SIGKILL { kills += 1 }
                let isFaulty = environment["JOURNAL_FAULT"] != nil
                #expect(end.signal == SIGKILL || isFaulty || end.status == 0, "seed \(seed): \(end)")
            }
            let host = try SimulatedHost(path: place.host)
            await host.deliverLate()
            try await CrashTests.settle(place, "seed \(seed)")
            // One order, one payment.
            let journal = try await place.open(), booked = try await SimulatedHost(path: place.host).booked
            var paid: [SaleReference: Int] = [:]
            for key in booked.keys { if let sale = try await journal.tap(key)?.sale { paid[sale, default: 0] += 1 } }
            #expect(paid.values.allSatisfy { $0 == 1 }, "seed \(seed)")
            await journal.close()
        }
        #expect(kills > 5)
    }

    // MARK: - Sales

    @Test("P2, P3: killed between operations on sales, the journal agrees with a second account", arguments: 0..<3)
    func killedBetweenOperations(_ seed: Int) async throws {
        let place = try Place()
        var kills = 0, end: POSProcess.End
        repeat {
            end = try POSProcess.run(["sales", "\(seed)", place.directory.path])
            #expect(!end.output.contains("wrong"), "\(end)")
            if end.signal == SIGKILL { kills += 1 }
        } while end.signal == SIGKILL && kills < 100
        #expect(end.number("operations") == 36 && kills >= 8, "\(end), \(kills) kills")
        let journal = try await place.open()
        try await journal.verify()
        #expect(try await journal.entries().allSatisfy { $0.event.name != .restored })
    }

    // MARK: - L43

    @Test("L43: syncs of a tap are counted, not timed", arguments: zip([0, 1, 2, 3], [4, 3, 3, 2]))
    func syncsAreCounted(_ payment: Int, _ most: Int) async throws {
        // The first process creates the file; the second one's syncs, except those of opening and closing, belong to
        // the tap.
        let place = try Place()
        _ = try POSProcess.run(["pay", "\(payment)", place.directory.path])
        let idle = try Place()
        _ = try POSProcess.run(["write", "1", idle.directory.path])
        let opening = try #require(POSProcess.run(["write", "0", idle.directory.path]).number("syncs"))
        let tap = try #require(POSProcess.run(["pay", "\(payment)", place.directory.path]).number("syncs"))
        #expect(tap - opening <= most && tap - opening >= 2, "payment \(payment): \(tap) - \(opening)")
    }
}
#endif
