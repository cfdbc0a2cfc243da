import CPCSC
import EMVKit
import EMVPCSC
import EMVSimulator
import Testing

/// What the transport adds to SCardTransmit, exchange by exchange in turns, on the same card. Prints both medians.
@Suite(.serialized, .enabled(if: Sandbox.isThere, Sandbox.missing), .timeLimit(.minutes(2)))
struct OverheadTests {
    @Test func addsLittleToABareExchange() async throws {
        try await Sandbox.settle()
        _ = try await Sandbox.with(lengthCard) {
            await (try Sandbox.connected()).close()
            var bare: [UInt64] = []
            var near: [UInt64] = []
            var far: [UInt64] = []
            for _ in 0..<4 {
                bare += try OverheadTests.bare(exchanges: 1000)
                near += try await Neighbour(try await Sandbox.connected()).exchange(1000)
                far += try await OverheadTests.transport(exchanges: 1000)
            }
            let median = OverheadTests.median(bare)
            print("p50 per APDU: SCardTransmit \(median) ns")
            for (name, times) in [("from an actor on the reader's thread", near), ("from any other task", far)] {
                let whole = OverheadTests.median(times)
                print("  transport \(name) \(whole) ns, adds \(Int(whole) - Int(median)) ns")
            }
        }
    }

    private static func median(_ times: [UInt64]) -> UInt64 { times.sorted()[times.count / 2] }

    private static func bare(exchanges: Int) throws -> [UInt64] {
        var context: Int64 = 0
        var card: Int64 = 0
        var active: UInt32 = 0
        unsafe #expect(cpcsc_establish(&context) == 0)
        unsafe #expect(cpcsc_connect(context, Sandbox.reader, 1, 2, &card, &active) == 0)
        defer {
            _ = cpcsc_disconnect(card, 0)
            _ = cpcsc_release(context)
        }
        let command = ask(40)
        var response = Bytes(repeating: 0, count: 300)
        return (0..<exchanges).map { _ in
            var length = response.count
            var elapsed: UInt64 = 0
            let begin = cpcsc_now()
            unsafe _ = cpcsc_transmit(card, active, command, command.count, &response, &length, &elapsed)
            return cpcsc_now() - begin
        }
    }

    private static func transport(exchanges: Int) async throws -> [UInt64] {
        let transport = try await Sandbox.connected()
        let command = ask(40)
        var times: [UInt64] = []
        for _ in 0..<exchanges {
            let begin = cpcsc_now()
            let exchange = await transport.transceive(command)
            times.append(cpcsc_now() - begin)
            guard exchange.bytes?.count == 40 else { break }
        }
        await transport.close()
        return times
    }
}

/// A caller that shares the reader's thread, as any actor may: no change of threads.
private actor Neighbour {
    private nonisolated let transport: PCSCTransport
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe transport.unownedExecutor }

    init(_ transport: PCSCTransport) { self.transport = transport }

    func exchange(_ count: Int) async throws -> [UInt64] {
        let command = ask(40)
        var times: [UInt64] = []
        for _ in 0..<count {
            let begin = cpcsc_now()
            let exchange = await transport.transceive(command)
            times.append(cpcsc_now() - begin)
            #expect(exchange.bytes?.count == 40)
        }
        await transport.close()
        return times
    }
}
