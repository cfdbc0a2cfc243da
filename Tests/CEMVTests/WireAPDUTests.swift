// SPDX-License-Identifier: Apache-2.0
import CEMV
import TestData
import Testing

private struct Command: Equatable {
    var header: [UInt8]
    var data: [UInt8]
    var le: UInt32
}

private func encode(_ command: Command, capacity: Int = 70000) -> [UInt8] {
    withGuardedBytes(command.data) { data in
        var raw = cemv_command(
            cla: command.header[0], ins: command.header[1], p1: command.header[2], p2: command.header[3], data: data,
            le: command.le)
        var out = [UInt8](repeating: 0xEE, count: capacity + 1)
        let encoded = out.withUnsafeMutableBytes { [UInt8](cemv_command_encode(&raw, $0.baseAddress, capacity)) }
        #expect(out[encoded.count] == 0xEE, "wrote past the command")
        return encoded
    }
}

private func decode(_ bytes: [UInt8]) -> Command? {
    withGuardedBytes(bytes) { lent in
        var raw = cemv_command()
        guard cemv_command_decode(lent, &raw) else { return nil }
        return Command(header: [raw.cla, raw.ins, raw.p1, raw.p2], data: [UInt8](raw.data), le: raw.le)
    }
}

private func filled(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ 1) }
}

@Suite("APDUs")
struct WireAPDUTests {
    private static let header = hex("00A40400")

    /// Every ISO case with its edges, and how the fields around the data are written.
    @Test(arguments: [
        (0, 0, "", ""), (0, 1, "", "01"), (0, 255, "", "FF"), (0, 256, "", "00"), (0, 257, "", "00 0101"),
        (0, 65535, "", "00 FFFF"), (0, 65536, "", "00 0000"), (1, 0, "01", ""), (255, 0, "FF", ""),
        (256, 0, "00 0100", ""),
        (65535, 0, "00 FFFF", ""), (1, 1, "01", "01"), (255, 256, "FF", "00"), (255, 257, "00 00FF", "0101"),
        (256, 1, "00 0100", "0001"), (256, 256, "00 0100", "0100"), (1, 65536, "00 0001", "0000"),
        (65535, 65536, "00 FFFF", "0000"),
    ])
    func encodesTheShortestFormAndDecodesItBack(size: Int, le: UInt32, before: String, after: String) {
        let command = Command(header: Self.header, data: filled(size), le: le)
        let bytes = Self.header + hex(before) + filled(size) + hex(after)
        #expect(encode(command) == bytes)
        #expect(encode(command, capacity: bytes.count) == bytes)
        #expect(encode(command, capacity: bytes.count - 1).isEmpty)
        #expect(decode(bytes) == command)
    }

    @Test func refusesWhatHasNoForm() {
        #expect(encode(Command(header: Self.header, data: filled(65536), le: 0)).isEmpty)
        #expect(encode(Command(header: Self.header, data: [], le: 65537)).isEmpty)
        #expect(encode(Command(header: Self.header, data: [], le: 0), capacity: 0).isEmpty)
    }

    /// Cards must take an extended command where a short one would do.
    @Test func decodesExtendedFormsLongerThanNeeded() {
        #expect(decode(hex("00B0 0000 00 0010")) == Command(header: hex("00B00000"), data: [], le: 16))
        #expect(decode(hex("00D6 0000 00 0002 AABB")) == Command(header: hex("00D60000"), data: hex("AABB"), le: 0))
        #expect(decode(hex("00D6 0000 00 0001 AA 0100")) == Command(header: hex("00D60000"), data: hex("AA"), le: 256))
    }

    @Test(arguments: [
        "", "00", "00A404", "00A40400 02 AA", "00A40400 01 AA 00 00", "00A40400 00 00", "00A40400 00 0000 AA",
        "00A40400 00 0002 AA", "00A40400 00 0001 AA 00", "00A40400 00 0001 AA 0000 00",
    ])
    func refusesWhatIsNoCase(bytes: String) {
        #expect(decode(hex(bytes)) == nil)
    }

    @Test func anyBytesAreOneCommandOrNone() {
        var random = SeededRandom(seed: 0x41504455)
        for _ in 0..<4000 {
            var bytes = random.bytes(Int.random(in: 0...24, using: &random))
            if bytes.count > 4, Bool.random(using: &random) { bytes[4] = UInt8.random(in: 0...20, using: &random) }
            if bytes.count > 6, bytes[4] == 0 { bytes[5] = 0; bytes[6] &= 0x0F }
            guard let command = decode(bytes) else { continue }
            let shortest = encode(command)
            #expect(shortest.count <= bytes.count)
            #expect(decode(shortest) == command)
        }
    }

    @Test func splitsAResponse() {
        func response(_ bytes: String) -> (body: [UInt8], status: UInt16)? {
            withGuardedBytes(hex(bytes)) { lent in
                var body = cemv_bytes()
                var status: UInt16 = 0
                return cemv_response_decode(lent, &body, &status) ? ([UInt8](body), status) : nil
            }
        }
        #expect(response("9000")! == ([], 0x9000))
        #expect(response("7000 6A82")! == (hex("7000"), 0x6A82))
        #expect(response("90") == nil)
        #expect(response("") == nil)
    }
}
