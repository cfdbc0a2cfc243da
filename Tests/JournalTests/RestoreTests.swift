// SPDX-License-Identifier: Apache-2.0
#if Journal
@testable import EMVJournal
import EMVKit
import EMVSimulator
import Foundation
import TestData
import Testing

/// Journals whose whole directory was restored from a backup, the owner's record included, and similar cases.
@Suite(.timeLimit(.minutes(10))) struct RestoreTests {
    /// A host that runs a closure before it answers.
    private struct Watched: Authorizer {
        let host: SimulatedHost
        let before: @Sendable () throws -> Void
        var acceptsSimulatedReads: Bool { true }

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
            try before()
            return try await host.authorize(request)
        }

        func reverse(_ reversal: Reversal) async throws { try await host.reverse(reversal) }
        func status(of key: ReconciliationKey) async throws -> HostStatus { try await host.status(of: key) }
    }

    private struct NotRead: Error {}

    private func settlement(_ journal: SQLiteJournal, _ host: any DeliveringAuthorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
    }

    private func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
    }

    /// The journal's files only, with all attributes that a backup can keep.
    private func copy(_ from: URL, to place: URL) throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try run("cp", "-a", from.path + "/.", place.path)
    }

    /// A payment that is paid, acknowledged and closed, and a backup from the moment when its host was asked.
    private func paid(_ place: Place, _ host: SimulatedHost) async throws -> (ReconciliationKey, backup: Place) {
        let backup = try Place(), journal = try await place.open()
        var options = TapReader.Options(cardTimeout: .seconds(1))
        options.journal = journal
        options.sealer = SimulatedSealer()
        let session = try await TapReader(SimulatedReader(.online), configuration: .simulator(), options: options)
            .prepare()
        let outcome = await session.read(PaymentRequest(amount: Payments.euro(SimulatedTap.online.amount)))
        guard case .success(let read) = outcome, let key = read.key else { throw NotRead() }
        let watched = Watched(host: host) { try copy(place.directory, to: backup.directory) }
        let result = await session.authorize(read, with: watched)
        #expect(result.name == .approved)
        let settlement = settlement(journal, host)
        try await settlement.acknowledge(key)
        #expect(try await journal.tap(key)?.state == .closed)
        await journal.close()
        return (key, backup)
    }

    private enum Way: CaseIterable { case instead, over, elsewhere, withoutMark }

    @Test("P9: a paid sale is not reversed after its journal's directory was restored", arguments: [true, false])
    func restoredDirectoriesAreNoticed(_ offersStatus: Bool) async throws {
        for way in Way.allCases {
            var place = try Place()
            let host = SimulatedHost(offersStatus: offersStatus), (key, backup) = try await paid(place, host)
            // Another day.
            let next = try await place.open()
            try await Payments.approve(1, next)
            await next.close()
            switch way {
            case .instead, .withoutMark:
                try FileManager.default.removeItem(at: place.directory)
                try copy(backup.directory, to: place.directory)
                if way == .withoutMark { try FileManager.default.removeItem(atPath: place.path("journal.sqlite.mark")) }
            case .over: try copy(backup.directory, to: place.directory)
            case .elsewhere: place = backup
            }
            for start in 0..<3 {
                let journal = try await place.open(), settlement = settlement(journal, host)
                let label: Comment = "\(way), start \(start)"
                #expect(try await journal.tap(key)?.isRestored == true, label)
                #expect(try await journal.standing().restored.count == (offersStatus && start > 0 ? 0 : 1), label)
                let told = try await settlement.recover()
                for _ in 0..<3 { _ = await settlement.forwardNow() }
                #expect(told.map(\.ending.effect) == [offersStatus ? .booked : .mayBeBooked], label)
                #expect(await host.reversals.isEmpty, label)
                #expect(await host.booked.keys.contains(key), label)
                try await journal.verify()
                await journal.close()
            }
            let journal = try await place.open(), settlement = settlement(journal, host)
            if !offersStatus {
                try await settlement.withdraw(key)
                #expect(await host.reversals.map(\.key) == [key])
                #expect(try await settlement.settled(key)?.ending == .notCompleted)
            }
            try await settlement.acknowledge(key)
            #expect(try await journal.standing().isSettled)
            await journal.close()
        }
    }

    @Test("P9: an approval that the restored record does not have yet is not reversed as one that was never promised")
    func mixedBackupsAreNoticed() async throws {
        let place = try Place(), backup = try Place(), journal = try await place.open()
        let key = Payments.key(1)
        try await journal.append([Payments.began(1)], to: key)
        try await journal.append([.read(Payments.read(1)), .asking(attempt: 1, deadline: .seconds(30))], to: key)
        try run("cp", "-a", place.path("journal.sqlite.owner"), backup.path("journal.sqlite.owner"))
        try run("cp", "-a", place.path("journal.sqlite.mark"), backup.path("journal.sqlite.mark"))
        try await journal.append([.answered(.approved(Approval(code: "1")))], to: key)
        for ending in ["", "-wal"] { try run("cp", "-a", place.journal + ending, backup.journal + ending) }
        let restored = try await backup.open()
        #expect(try await restored.tap(key)?.state == .approved)
        #expect(try await restored.totals() == journal.totals())
    }

    @Test("P9: a person who restored the machine says so, for one start; what is open then is held from then on")
    func restoredIsSaid() async throws {
        let place = try Place(), journal = try await place.open()
        try await ask(1, journal)
        let estimate = Payments.key(2)
        let intent = with(TapIntent(amount: Payments.euro(5), counter: 2, moment: Payments.moment)) {
            $0.isEstimated = true
        }
        try await journal.append([.began(intent)], to: estimate)
        try await journal.append([.read(Payments.read(2)), .asking(attempt: 1, deadline: .seconds(30))], to: estimate)
        try await journal.append([.answered(.approved(Approval(code: "1")))], to: estimate)
        try await Payments.approve(3, journal)
        try await journal.append([Payments.began(4)], to: Payments.key(4))
        await journal.close()
        for start in 0..<3 {
            let next = try await place.open { $0.takesRestored = start == 0 }
            // The other payments are not reversed.
            for (number, isRestored) in [(1, true), (2, true), (3, false), (4, false)] {
                #expect(try await next.tap(Payments.key(number))?.isRestored == isRestored, "\(number)")
            }
            #expect(try await next.entries().count == 14)
            await next.close()
        }
    }

    /// A payment that the next start reverses.
    private func ask(_ number: Int, _ journal: SQLiteJournal) async throws {
        try await journal.append([Payments.began(number)], to: Payments.key(number))
        try await journal.append(
            [.read(Payments.read(number)), .asking(attempt: 1, deadline: .seconds(30))], to: Payments.key(number))
    }

    private static let harmless: [(String, @Sendable (RestoreTests, Place) throws -> Place)] = [
        ("nothing", { _, place in place }),
        (
            "read by a backup",
            { test, place in
                let copy = try Place()
                try test.copy(place.directory, to: copy.directory)
                return place
            }
        ),
        (
            "linked by a backup",
            { test, place in
                let copy = try Place()
                try test.run("cp", "-al", place.directory.path + "/.", copy.directory.path)
                return place
            }
        ),
        (
            "touched",
            { test, place in
                for name in try FileManager.default.contentsOfDirectory(atPath: place.directory.path) {
                    try test.run("touch", place.path(name))
                    try test.run("chmod", "640", place.path(name))
                }
                return place
            }
        ),
        (
            "moved with its app",
            { test, place in
                let other = try Place()
                try FileManager.default.removeItem(at: other.directory)
                try test.run("mv", place.directory.path, other.directory.path)
                return other
            }
        ),
    ]

    @Test("P9: a crash, a restart of the machine, a move and a backup being made restore nothing", arguments: 0..<5)
    func whatIsNoRestore(_ number: Int) async throws {
        let (name, act) = RestoreTests.harmless[number]
        for boot in ["one", "two"] {
            let place = try Place(), host = SimulatedHost()
            // Killed when the request was about to be sent.
            let pair = try #require(SimulatedTap.allCases.firstIndex(of: .online)) * 6
            let end = try POSProcess.run(["pair", "\(pair)", place.directory.path], ["JOURNAL_KILL": "after 2"])
            #expect(end.signal == SIGKILL, "\(end)")
            let now = try act(self, place)
            for start in 0..<2 {
                let label: Comment = "\(name), \(boot), start \(start)"
                // After a crash, and after an orderly end.
                let system = JournalClock.system
                let journal = try await now.open {
                    $0.clock = JournalClock {
                        var reading = system.now()
                        if boot == "two" {
                            reading.boot += " later"
                            reading.uptime = Int64(start + 1)
                        }
                        return reading
                    }
                }
                if start == 0 {
                    let open = try await journal.open()
                    #expect(open.map(\.state) == [.asking] && open.allSatisfy { !$0.isRestored }, label)
                    let told = try await settlement(journal, host).recover()
                    #expect(told.map(\.ending) == [.notCompleted], label)
                    try await ask(1, journal)
                } else {
                    #expect(try await journal.tap(Payments.key(1))?.isRestored == false, label)
                }
                #expect(try await journal.entries().allSatisfy { $0.event.name != .restored }, label)
                #expect(try await journal.standing().restored.count == 0, label)
                await journal.close()
            }
        }
    }

    @Test("P9: a copy in which nothing could be reversed, and what another device takes over, is not held")
    func copiesWithoutDoubt() async throws {
        let place = try Place(), copy = try Place(), journal = try await place.open()
        try await Payments.approve(1, journal)
        try await Payments.queue(2, journal)
        await journal.close()
        try self.copy(place.directory, to: copy.directory)
        let moved = try await copy.open()
        #expect(try await moved.open().map(\.isRestored) == [false, false])
        #expect(try await moved.entries() == place.open().entries())
        // A payment for the transfer to another device.
        try await ask(3, moved)
        let host = SimulatedHost(), other = try Place(), there = try await other.open()
        try await moved.append([.reversing(.timedOut)], to: Payments.key(3))
        let taken = try await settlement(there, host).takeOver(settlement(moved, host).handOver())
        #expect(taken.taken == [Payments.key(2), Payments.key(3)])
        #expect(try await there.open().allSatisfy { !$0.isRestored })
        _ = try await settlement(there, host).recover()
        #expect(await host.reversals.map(\.key) == [Payments.key(3)])
    }
}
#endif
