// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestWaiting
import Testing

@testable import EMVPCSC

/// The transport for CryptoTokenKit without the framework itself, which exists on Apple's systems only.
@Suite(.timeLimit(.minutes(30))) struct CryptoTokenKitTests {
    private static let reader = "ACS ACR1252 Dual Reader PICC"

    /// Slots, cards and a clock controlled by the test.
    @safe final class FakeSlots: SmartCardSlots {
        struct State {
            var names: [String]? = [CryptoTokenKitTests.reader]
            var states: [String: SmartCardSlotState] = [CryptoTokenKitTests.reader: .valid(CardServer.contactless)]
            var card: any CardPresentation = VirtualCard(CardProfile.profiles["online"]!)
            var isBusy = false
            var hangs = false
            /// The service's state of a slot never arrives.
            var stateHangs = false
            /// A session never arrives.
            var sessionHangs = false
            /// The number of requests for a state.
            var looks = 0
            var now = ContinuousClock.Instant.now
            var began = 0
            var ended = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let lock = NSLock()
        nonisolated(unsafe) private var state = State()

        @discardableResult func change<Result>(_ body: (inout State) -> Result) -> Result {
            lock.withLock { unsafe body(&state) }
        }

        var names: [String]? { change { $0.names } }
        func state(of name: String) async -> SmartCardSlotState {
            change { $0.looks += 1 }
            if change({ $0.stateHangs }) { await hang() }
            return change { $0.states[name] ?? .missing }
        }

        private func hang(_ also: KeyPath<State, Bool> = \.hangs) async {
            guard change({ $0.hangs || $0[keyPath: also] }) else { return }
            await withCheckedContinuation { waiting in change { $0.waiting.append(waiting) } }
        }

        /// Lets blocked calls continue.
        func release() {
            let all = change { state in
                (state.hangs, state.sessionHangs) = (false, false)
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiting in all { waiting.resume() }
        }

        func beginSession(in name: String) async -> (any SmartCardSession)? {
            await hang(\.sessionHangs)
            return change { state in
                guard !state.isBusy else { return nil }
                state.began += 1
                return Session(slots: self)
            }
        }

        struct Session: SmartCardSession {
            let slots: FakeSlots
            func end() {
                slots.change {
                    $0.ended += 1
                    $0.card.reset()
                }
            }
            func transmit(_ command: Bytes) async -> Result<Bytes, LinkFault> {
                await slots.hang()
                return slots.change { state in
                    guard case .valid = state.states[CryptoTokenKitTests.reader] else { return .failure(.removed) }
                    switch state.card.exchange(command) {
                    case .response(let bytes, _): return .success(bytes)
                    case .removed: return .failure(.removed)
                    default: return .failure(.transmission)
                    }
                }
            }
        }

        func transport(_ choice: PCSCTransport.Choice = .contactless) -> CryptoTokenKitTransport {
            CryptoTokenKitTransport(
                choice, options: .init(), slots: self, now: { self.change { $0.now } },
                sleep: { duration in
                    // A limit expires only if a call hangs.
                    if duration > .seconds(1) {
                        while !self.change({ $0.hangs || $0.sessionHangs && !$0.waiting.isEmpty }) {
                            guard !Task.isCancelled else { return }
                            await Task.yield()
                        }
                    }
                    self.change { $0.now = $0.now.advanced(by: duration) }
                })
        }
    }

    private static let poll = Poll(timeout: .seconds(10))

    @Test(arguments: ["online", "fdda", "mcOnline", "decline"]) func tapsLikeACardInMemory(profile: String) async throws
    {
        let card = VirtualCard(try #require(CardProfile.named(profile)))
        func tap(_ transport: any CardTransport) async throws -> TapOutcome {
            let options = TapReader.Options(
                waitsForEmptyField: false, random: .fixed((0..<64).map { 0x51 &+ 0x25 &* $0 }))
            let reader = TapReader(transport, configuration: .simulator(), options: options)
            return try await reader.prepare().read(StackTests.request(key: ReconciliationKey(rawValue: "ctk")))
        }
        let slots = FakeSlots()
        slots.change { $0.card = card }
        #expect(try await tap(slots.transport()) == tap(Unmarked(card)))
        #expect(slots.change { $0.began == $0.ended && $0.began > 0 })
    }

    @Test func theEntitlementIsNamed() async {
        let slots = FakeSlots()
        slots.change { $0.names = nil }
        let fault = await slots.transport().open()
        #expect(fault?.code == .unsupported && fault?.explanation.contains("com.apple.security.smartcard") == true)
    }

    @Test func readersAreChosenAsWithPCSC() async {
        let slots = FakeSlots()
        slots.change { $0.names = ["Yubico YubiKey OTP+FIDO+CCID", "Gemalto PC Twin Reader"] }
        #expect(await slots.transport().open()?.code == .noReader)
        #expect(await slots.transport(.named("gemalto")).open() == nil)
        // The name of this reader suggests that it may be a contact reader: a contact card is not accepted.
        let unknown = "Virtual PCD"
        slots.change { state in
            state.names = [unknown]
            state.states = [unknown: .valid([0x3B, 0x65, 0, 0, 1, 2, 3, 4, 5])]
        }
        let transport = slots.transport()
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing)
        slots.change { $0.states = [unknown: .valid(CardServer.contactless)] }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
    }

    @Test(arguments: [SmartCardSlotState.missing, .empty, .probing, .mute])
    func withoutACardTheWaitGoesOn(state: SmartCardSlotState) async {
        let slots = FakeSlots()
        slots.change { $0.states = [CryptoTokenKitTests.reader: state] }
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing)
        // A slot that checks its card again, as after a reset, still has it.
        let isGone = state == .empty || state == .missing
        #expect(
            await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(1)))
                == (isGone ? .removed : .nothing))
        slots.change { $0.states = [CryptoTokenKitTests.reader: .valid(CardServer.contactless)] }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        #expect(await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(1))) == .nothing)
    }

    @Test func aCardOfAnotherProgramIsWaitedFor() async {
        let slots = FakeSlots()
        slots.change { $0.isBusy = true }
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing)
        slots.change { $0.isBusy = false }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
    }

    /// A card and then a service that does not answer; a late session is ended.
    @Test func everythingHasALimit() async throws {
        let slots = FakeSlots()
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        slots.change { $0.hangs = true }
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .fault(.timeout))
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .fault(.removed))
        // The limit may expire before the state arrives; then there is no session that could hang.
        repeat {
            #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing)
        } while slots.change { $0.waiting.count } < 2
        slots.release()
        try await waitUntil("both sessions to end") { slots.change { $0.began == $0.ended && $0.began >= 2 } }
        try await waitUntil("the last call to be answered") { await transport.unanswered == 0 }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
    }

    /// The state of a slot has a limit, too; a silent service does not mean that the card left.
    @Test func aSilentServiceEndsNoWaitEarly() async throws {
        let slots = FakeSlots()
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        slots.change { ($0.hangs, $0.stateHangs) = (true, true) }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing)
        #expect(await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(10))) == .nothing)
        slots.change { $0.stateHangs = false }
        slots.release()
        try await waitUntil("the last call to be answered") { await transport.unanswered == 0 }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
    }

    /// However long the wait: one task waits for a slot whose state does not arrive, one more for each new opening, and
    /// in the end no task remains.
    @Test func aSilentServiceIsAskedOnce() async throws {
        let slots = FakeSlots()
        slots.change { ($0.hangs, $0.stateHangs) = (true, true) }
        let transport = slots.transport()
        for opening in 1...CryptoTokenKitTransport.mostUnanswered {
            #expect(await transport.open() == nil)
            for _ in 0..<3 { #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing) }
            #expect(await transport.unanswered == opening)
        }
        let fault = await transport.open()
        #expect(fault?.code == .failed && fault?.explanation.contains("does not answer") == true)
        try await waitUntil("every look to wait") {
            slots.change { $0.waiting.count } >= CryptoTokenKitTransport.mostUnanswered
        }
        #expect(slots.change { $0.looks } == CryptoTokenKitTransport.mostUnanswered)
        slots.change { $0.stateHangs = false }
        slots.release()
        try await waitUntil("the last call to be answered") { await transport.unanswered == 0 }
        #expect(await transport.open() == nil)
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
    }

    /// This also holds if the state arrives and the session does not.
    @Test func aSessionIsAskedForOnce() async throws {
        let slots = FakeSlots()
        slots.change { $0.sessionHangs = true }
        let transport = slots.transport()
        for _ in 0..<3 { #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .nothing) }
        #expect(await transport.unanswered == 1)
        #expect(slots.change { $0.waiting.count } == 1 && slots.change { $0.looks } == 1)
        slots.release()
        try await waitUntil("the last call to be answered") { await transport.unanswered == 0 }
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        try await waitUntil("one open session") { slots.change { $0.began - $0.ended } == 1 }
    }

    @Test func aCancelledExchangeReturns() async {
        let slots = FakeSlots()
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        slots.change { $0.hangs = true }
        let exchange = Task { await transport.transceive([0, 0xA4, 4, 0]) }
        exchange.cancel()
        #expect(await exchange.value == .fault(.timeout))
        slots.release()
    }

    @Test func removalAndDepartureAreTold() async {
        let slots = FakeSlots()
        let transport = slots.transport()
        #expect(await transport.waitForCard(CryptoTokenKitTests.poll) == .card)
        slots.change { $0.states = [:] }
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .fault(.removed))
        slots.change { $0.names = [] }
        #expect(await transport.waitForCard(Poll(timeout: .seconds(60))) == .readerGone)
        #expect(await transport.transceive([0, 0xA4, 4, 0]) == .readerGone)
    }
}
