// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import TestData
import Testing

/// The overhead of transport and reader over SCardTransmit. Prints medians of alternating runs with and without the
/// transport.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(10)))
struct OverheadTests {
    private static let random: RandomSource = .fixed((0..<64).map { 0x51 &+ 0x25 &* $0 })
    private static let day = CalendarDate("2026-11-21")!
    private static let request = with(
        PaymentRequest(
            amount: Money(minorUnits: 1250, currency: .eur), timeout: .seconds(10),
            moment: LocalTime(date: day, time: .midnight))
    ) { $0.counter = 7 }

    @Test func addsLittleToABareExchange() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            let transport = try await Sandbox.connected()
            await transport.fieldOff()
            var bare = Overhead.Times()
            var near = Overhead.Times()
            var far = Overhead.Times()
            for _ in 0..<80 {
                bare = bare + (try Overhead.bare(reader: Sandbox.reader, exchanges: 50))
                #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
                near = near + (try await Overhead.transport(transport, exchanges: 50, near: true))
                far = far + (try await Overhead.transport(transport, exchanges: 50, near: false))
                await transport.fieldOff()
            }
            await transport.close()
            #expect(bare.whole.count == 4000 && near.whole.count == 4000 && far.whole.count == 4000)
            print("p50 per APDU, ns")
            OverheadTests.report("bare SCardTransmit", bare, against: bare)
            OverheadTests.report("transport, caller on its thread", near, against: bare)
            OverheadTests.report("transport, caller on another thread", far, against: bare)
        }
    }

    @Test func addsLittleToATap() async throws {
        try await Sandbox.settle()
        let checked = try CheckedConfiguration(.simulator())
        let transaction = Transaction(
            type: .purchase, amount: 1250, currency: 978, exponent: 2, date: OverheadTests.day, time: .midnight,
            counter: 7,
            random: OverheadTests.random)
        let card = VirtualCard(try #require(CardProfile.named("onlineRecords")))
        _ = try await Sandbox.with(card) {
            let probe = Probe(try await Sandbox.transport())
            let reader = TapReader(
                probe, checked: checked, options: .init(waitsForEmptyField: false, random: OverheadTests.random))
            let session = try await reader.prepare()
            var bare = Overhead.Times()
            var through = Overhead.Times()
            for _ in 0..<200 {
                through = through + (try await Overhead.tap(session, probe, OverheadTests.request))
                bare = bare + (try Overhead.bareTap(reader: Sandbox.reader, checked, transaction))
            }
            #expect(await probe.threads.count == 1)
            print("p50 per APDU of a tap, kernel included, ns")
            OverheadTests.report("KernelSession over SCardTransmit", bare, against: bare)
            OverheadTests.report("TapReader over the transport", through, against: bare)
        }
    }

    /// Kernel and reader work stays on the thread that transmits.
    @Test func aTapRunsOnTheThreadOfItsTransport() async throws {
        try await Sandbox.settle()
        let card = VirtualCard(try #require(CardProfile.named("onlineRecords")))
        _ = try await Sandbox.with(card) {
            let probe = Probe(try await Sandbox.transport())
            let seen = Seen()
            let options = with(TapReader.Options(waitsForEmptyField: false, random: OverheadTests.random)) {
                $0.clock = {
                    seen.note(threadNumber())
                    return LocalTime(date: OverheadTests.day, time: .midnight)
                }
            }
            var request = OverheadTests.request
            request.moment = nil
            let session = try await TapReader(probe, configuration: .simulator(), options: options).prepare()
            #expect(await session.read(request).name == .success)
            #expect(await probe.threads == seen.threads && seen.threads.count == 1)
        }
    }

    private static func report(_ name: String, _ times: Overhead.Times, against bare: Overhead.Times) {
        let (own, other) = (times.median, bare.median)
        let label = name.padding(toLength: 38, withPad: " ", startingAt: 0)
        print(
            "  \(label) \(own.whole), adds \(own.whole - other.whole); "
                + "outside SCardTransmit \(own.outside), adds \(own.outside - other.outside)"
        )
    }
}
