// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting

func eur(_ minorUnits: UInt64) -> Money { Money(minorUnits: minorUnits, currency: .eur) }

let noon = LocalTime(date: testDay, time: TimeOfDay(hour: 12, minute: 0, second: 0)!)

func settings(_ change: (inout TapReader.Options) -> Void = { _ in }) -> TapReader.Options {
    // Some tests use clocks on which time passes at once; recorded polls then describe an arriving card
    // (EmptyFieldTests records other polls).
    var options = TapReader.Options.ofTools
    options.clock = { noon }
    options.openDeadline = nil
    options.enrollmentDeadline = nil
    change(&options)
    return options
}

func tapReader(
    _ transport: any CardTransport, configuration: Configuration = .simulator(),
    _ change: (inout TapReader.Options) -> Void = { _ in }
) -> TapReader {
    TapReader(transport, configuration: configuration, options: settings(change))
}

/// Waits until a deadline is running: time that passes earlier does not count.
func waitUntilSomeoneSleeps(_ clock: SimulatedClock) async throws {
    try await waitUntil("somebody to sleep") { await clock.sleeperCount > 0 }
}

/// Every event from now on until `last`; start listening before the events can occur.
func collect(
    _ events: AsyncStream<TapEvent>, until last: @escaping @Sendable (TapEvent) -> Bool
) -> Task<[TapEvent], Never> {
    Task {
        var all: [TapEvent] = []
        for await event in events {
            all.append(event)
            if last(event) { break }
        }
        return all
    }
}

func isFinished(_ event: TapEvent) -> Bool { if case .finished = event { true } else { false } }
func isAuthorized(_ event: TapEvent) -> Bool { if case .authorized = event { true } else { false } }

extension TapOutcome {
    var read: CardRead? {
        switch self {
        case .success(let read), .declined(let read), .onlinePINRequired(let read): read
        default: nil
        }
    }
}

/// A transport whose opening waits until the test releases it, and that counts openings.
actor Gate: CardTransport {
    private let reader: SimulatedReader
    private var isOpen: Bool
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var openings = 0

    init(_ tap: SimulatedTap, isOpen: Bool = false) {
        reader = SimulatedReader(tap)
        self.isOpen = isOpen
    }

    func letGo() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func open() async -> ReaderFault? {
        openings += 1
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        return await reader.open()
    }

    func waitForCard(_ poll: Poll) async -> CardEvent { await reader.waitForCard(poll) }
    func transceive(_ command: Bytes) async -> Exchange { await reader.transceive(command) }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}

/// Passes every command on and records it.
actor Recorder: CardTransport {
    private let reader: SimulatedReader
    private(set) var commands: [Bytes] = []
    private(set) var polls: [Poll] = []

    init(_ reader: SimulatedReader) { self.reader = reader }

    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent {
        polls.append(poll)
        return await reader.waitForCard(poll)
    }
    func transceive(_ command: Bytes) async -> Exchange {
        commands.append(command)
        return await reader.transceive(command)
    }
    func fieldOff() async { await reader.fieldOff() }
    func fieldOff(for hold: Duration) async { await reader.fieldOff(for: hold) }
}

/// The seeds of a random test: `EMV_MODEL_RUNS` of them, 1,000 by default, starting at `EMV_MODEL_SEED`, 1 by default.
/// `Scripts/nightly` uses 10,000 from a new seed.
enum ModelSeeds {
    /// - Parameter divisor: for tests that take that many times longer.
    static func all(dividedBy divisor: UInt64 = 1) -> Range<UInt64> {
        func setting(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }
        let first = setting("EMV_MODEL_SEED") ?? 1
        return first..<(first + (setting("EMV_MODEL_RUNS") ?? 1_000) / divisor)
    }
}

/// Results of payments without a sale.
extension AuthorizationResult {
    static func approved(_ approval: Approval) -> Self { Self(.approved(approval)) }
    static func declined(_ decline: Decline) -> Self { Self(.declined(decline)) }
    static func accepted(_ deferred: Deferred) -> Self { Self(.accepted(deferred)) }
    static func pinRequested(_ challenge: PINChallenge) -> Self { Self(.pinRequested(challenge)) }
    static func failed(_ problems: [Problem]) -> Self { Self(.failed(problems)) }
    static func reversed(_ problems: [Problem]) -> Self { Self(.reversed(problems)) }
    static func unknown(_ key: ReconciliationKey) -> Self { Self(.unknown(key)) }
}

extension ChargeResult {
    static func notRead(_ outcome: TapOutcome) -> Self { Self(.notRead(outcome)) }
    static func keyUsed(_ key: ReconciliationKey, _ settled: Settled? = nil) -> Self { Self(.keyUsed(key, settled)) }
    static func running(_ key: ReconciliationKey) -> Self { Self(.running(key)) }
}
