// SPDX-License-Identifier: Apache-2.0
#if Journal
import EMVJournal
import EMVKit
import EMVSimulator
import Foundation
import Testing

/// Payments transferred from one device to another, and a long queue.
@Suite(.timeLimit(.minutes(30))) struct ExportTests {
    private func settlement(_ journal: SQLiteJournal, _ host: any DeliveringAuthorizer) -> Settlement {
        Settlement(journal, with: host, policy: SettlementPolicy(jitter: 0), timer: StillClock())
    }

    private func open(_ file: Bytes) throws -> [[JournalEntry]] {
        try JournalExport(file: file).open(SimulatedSigner()) { SimulatedSealer().open($0, context: $1) }
    }

    @Test("L17: exported, imported twice, settled once")
    func exportedPaymentsAreSettledOnce() async throws {
        let here = try Place(), there = try Place(), host = SimulatedHost()
        let journal = try await here.open(), ours = settlement(journal, host)
        for number in 0..<3 { try await Payments.queue(number, journal) }
        // One payment whose answer was lost, one that is being reversed, one that is closed.
        for number in 3..<6 { try await Payments.approve(number, journal) }
        try await journal.append([.reversing(.answerLost)], to: Payments.key(3))
        try await journal.append([.reversing(.timedOut)], to: Payments.key(4))
        let payments = try await ours.handOver()
        #expect(payments.map { $0[0].key } == (0..<5).map { Payments.key($0) })
        #expect(try await journal.open().count == 6, "nothing is deleted by an export")
        #expect(try await journal.tap(Payments.key(0))?.state == .forwarding, "may have reached the host from now on")
        let file = try await JournalExport.seal(payments, by: SimulatedSealer(), SimulatedSigner()).file()
        let text = String(decoding: file, as: UTF8.self)
        #expect(!text.contains("payment-0") && !text.contains("card-"), "nothing is in the clear")

        let other = try await there.open(), theirs = settlement(other, host)
        let taken = try await theirs.takeOver(open(file))
        #expect(taken.taken == (0..<5).map { Payments.key($0) } && taken.known.isEmpty && taken.refused.isEmpty)
        let again = try await theirs.takeOver(open(file))
        #expect(again.taken.isEmpty && again.known == taken.taken)
        _ = try await theirs.recover()
        _ = await theirs.forwardNow()
        let booked = await host.booked
        #expect(Set(booked.keys) == Set((0..<3).map { Payments.key($0) }))
        #expect(try await other.totals().differences(from: booked) == [])

        // The first device settles them, too: nothing is booked again.
        _ = try await ours.recover()
        _ = await ours.forwardNow()
        #expect(await host.booked == booked)
        #expect(await host.records.filter { $0.isRepeat }.count == 6, "each of them repeats")
        let standing = try await journal.standing()
        #expect(standing.deferred.count == 0 && standing.unresolved.count == 0)
        #expect(try await journal.tap(Payments.key(0))?.state == .approved)
        try await journal.verify()
        try await other.verify()
    }

    @Test("L17: a file that was changed, or is for somebody else, is taken over by nobody")
    func changedExportsAreRefused() async throws {
        let place = try Place(), journal = try await place.open()
        try await Payments.queue(1, journal)
        let payments = try await settlement(journal, SimulatedHost()).handOver()
        let export = try await JournalExport.seal(payments, by: SimulatedSealer(name: "other"), SimulatedSigner())
        let file = try export.file()
        #expect(throws: JournalExportError.notOpened) { _ = try open(file) }
        #expect(throws: JournalExportError.notGenuine) {
            _ = try JournalExport(file: file).open(SimulatedSigner(name: "other")) { _, _ in nil }
        }
        let good = try await JournalExport.seal(payments, by: SimulatedSealer(), SimulatedSigner()).file()
        var refused = 0
        for place in stride(from: 0, to: good.count, by: 7) {
            var bytes = good
            bytes[place] ^= 1
            // In a name of the format, or in the signed part.
            do {
                #expect(try open(bytes) == payments, "byte \(place)")
            } catch is JournalExportError {
                refused += 1
            }
        }
        #expect(refused > good.count / 14)
        #expect(throws: JournalExportError.newerFormat("emv-ledger/2")) {
            _ = try JournalExport(file: Bytes(#"{"format":"emv-ledger/2"}"#.utf8))
        }
        #expect(throws: JournalExportError.self) { _ = try JournalExport(file: [1, 2, 3]) }
    }

    @Test("L17: what no host settles is written off by a person, with role and reason")
    func writtenOffSaysWho() async throws {
        let place = try Place(), journal = try await place.open()
        try await Payments.queue(1, journal)
        let settlement = settlement(journal, SimulatedHost())
        try await settlement.writeOff(Payments.key(1), by: Operator(id: "7", role: .administrator), reason: "closed")
        #expect(
            try await journal.entries().last?.event == .writtenOff(by: "administrator 7", reason: "closed"))
        #expect(try await settlement.handOver().isEmpty)
    }

    /// A host that is slow with each record: `EMV_QUEUE_PAUSE` milliseconds, by default no pause.
    private actor SlowHost: DeliveringAuthorizer {
        nonisolated var acceptsSimulatedReads: Bool { true }
        static let pause = ProcessInfo.processInfo.environment["EMV_QUEUE_PAUSE"].flatMap { Int($0) }
            .map { Duration.milliseconds($0) }
        private(set) var busy = Duration.zero
        private(set) var count = 0

        func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision { .failed([]) }
        func reverse(_ reversal: Reversal) async throws {}

        func deliver(_ record: FinancialRecord) async throws -> Delivery {
            let clock = ContinuousClock(), start = clock.now
            if let pause = SlowHost.pause { try await clock.sleep(for: pause) }
            busy += clock.now - start
            count += 1
            return .accepted(Approval(code: "1"))
        }
    }

    /// Rate and memory are only meaningful for an otherwise idle process: with `EMV_QUEUE_PAUSE` the test runs alone,
    /// prints them (TESTING.md) and checks the memory.
    @Test("L43: 1,000 deferred payments are drained in one run, each once")
    func queueIsDrained() async throws {
        let place = try Place(), journal = try await place.open(), host = SlowHost()
        for number in 0..<1_000 { try await Payments.queue(number, journal) }
        let settlement = settlement(journal, host), before = residentPages()
        let clock = ContinuousClock(), start = clock.now
        let standing = await settlement.forwardNow()
        let passed = clock.now - start, busy = await host.busy
        #expect(standing.deferred.count == 0)
        #expect(await host.count == 1_000)
        if SlowHost.pause != nil, let before, let after = residentPages() {
            print("queue: 1,000 drained in \(passed), the host took \(busy): \(busy / passed)")
            #expect((after - before) * 4096 < 32 * 1024 * 1024)
        }
    }

    private func residentPages() -> Int? {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
#endif
