// SPDX-License-Identifier: Apache-2.0
// A tap in Embedded Swift on a Cortex-M4: no operating system, no heap, no Swift runtime, only CEMV and a board that
// prints. The session asks, the loop answers from a scripted Visa card: the sale of Examples/TapScripted, which ends
// with an online request.
//
// Scripts/footprint compiles it (swiftc -enable-experimental-feature Embedded -wmo -Osize -no-allocations, together
// with the C), links it with Footprint/start.c and runs it under emulation. In your own terminal, `answer` is the
// antenna, `show` the display, and the random bytes come from a random source; Board/board.h lists the functions of the
// board.
import Board
import CEMV

/// The accepted application: Visa credit and debit.
private let aid: InlineArray<7, UInt8> = [
    0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10,
]
/// The reader's Terminal Transaction Qualifiers (9F66).
private let ttq: InlineArray<4, UInt8> = [
    0x36, 0x00, 0x40, 0x00,
]
/// Country and type of the terminal.
private let terminal: InlineArray<9, UInt8> = [
    0x9F, 0x1A, 0x02, 0x02, 0x76, 0x9F, 0x35, 0x01, 0x22,
]
/// The card: its directory,
private let directory: InlineArray<36, UInt8> = [
    0x6F, 0x20, 0x84, 0x0E, 0x32, 0x50, 0x41, 0x59, 0x2E, 0x53, 0x59, 0x53, 0x2E, 0x44, 0x44, 0x46, 0x30, 0x31, 0xA5,
    0x0E,
    0xBF, 0x0C, 0x0B, 0x61, 0x09, 0x4F, 0x07, 0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10, 0x90, 0x00,
]
/// its application,
private let application: InlineArray<30, UInt8> = [
    0x6F, 0x1A, 0x84, 0x07, 0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10, 0xA5, 0x0F, 0x9F, 0x38, 0x0C, 0x9F, 0x66, 0x04,
    0x9F,
    0x02, 0x06, 0x5F, 0x2A, 0x02, 0x9F, 0x37, 0x04, 0x90, 0x00,
]
/// and its answer to GET PROCESSING OPTIONS.
private let cryptogram: InlineArray<62, UInt8> = [
    0x77, 0x3A, 0x82, 0x02, 0x20, 0x00, 0x9F, 0x27, 0x01, 0x80, 0x9F, 0x10, 0x07, 0x06, 0x01, 0x0A, 0x03, 0xA0, 0x00,
    0x00,
    0x57, 0x11, 0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19, 0xD3, 0x01, 0x22, 0x01, 0x00, 0x00, 0x01, 0x23, 0x45,
    0x9F,
    0x36, 0x02, 0x00, 0x15, 0x9F, 0x26, 0x08, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x9F, 0x6C, 0x02, 0x00,
    0x00,
    0x90, 0x00,
]

/// The caller's memory: CEMV allocates nothing. Sixteen bytes an element, as `CEMV_ALIGNMENT` asks.
private struct Memory {
    var session = InlineArray<512, SIMD2<UInt64>>(repeating: .zero)
    var checked = InlineArray<256, SIMD2<UInt64>>(repeating: .zero)
}
nonisolated(unsafe) private var memory = Memory()

/// The bytes of a value, lent to CEMV while `body` runs.
private func lending<Value, Result>(_ value: Value, _ body: (cemv_bytes) -> Result) -> Result {
    withUnsafeBytes(of: value) { bytes in
        body(cemv_bytes(data: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count))
    }
}

private func say(_ text: StaticString) {
    text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount + 1) { put_text($0) }
}

private func show(_ request: cemv_ui_request) {
    switch UInt32(request.message) {
    case CEMV_MESSAGE_PRESENT_CARD.rawValue: say("Present card\n")
    case CEMV_MESSAGE_AUTHORISING.rawValue: say("Authorising, please wait\n")
    default: break
    }
}

private func give(_ session: OpaquePointer, _ kind: cemv_reply_kind, _ bytes: cemv_bytes = cemv_bytes()) {
    var reply = cemv_reply()
    reply.kind = UInt8(kind.rawValue)
    reply.bytes = bytes
    _ = cemv_session_reply(session, &reply)
}

/// The card's response to command number `number`.
private func answer(_ session: OpaquePointer, _ number: Int) {
    switch number {
    case 0: lending(directory) { give(session, CEMV_REPLY_RESPONSE, $0) }
    case 1: lending(application) { give(session, CEMV_REPLY_RESPONSE, $0) }
    case 2: lending(cryptogram) { give(session, CEMV_REPLY_RESPONSE, $0) }
    default: give(session, CEMV_REPLY_TIMEOUT)
    }
}

/// From the first step to the outcome.
private func play(_ session: OpaquePointer) -> cemv_outcome {
    var sent = 0
    while true {
        for i in 0..<cemv_session_ui_count(session) { show(cemv_session_ui(session, i)) }
        switch cemv_session_step(session) {
        case CEMV_STEP_POLL: give(session, CEMV_REPLY_CARD)
        case CEMV_STEP_SEND:
            answer(session, sent)
            sent += 1
        case CEMV_STEP_WORK: give(session, CEMV_REPLY_CONTINUE)
        case CEMV_STEP_DONE: return cemv_session_outcome(session)
        default: give(session, CEMV_REPLY_ABANDON)
        }
    }
}

/// Checks a configuration of one combination and one kernel, begins a sale with it and plays it. Returns nil if one of
/// the two was rejected.
private func tap(
    _ combination: cemv_combination, _ kernel: cemv_kernel_row, terminal: cemv_bytes, random: cemv_bytes
) -> cemv_outcome? {
    var sale = cemv_transaction()
    sale.amount = 1250
    sale.currency = 0x0978
    sale.exponent = 2
    sale.date = (0x26, 0x11, 0x21)
    var error = cemv_config_error()
    var checked: OpaquePointer?
    var session: OpaquePointer?
    return withUnsafePointer(to: combination) { combinations in
        withUnsafePointer(to: kernel) { kernels in
            var configuration = cemv_configuration()
            configuration.terminal_data = terminal
            configuration.combinations = combinations
            configuration.combination_count = 1
            configuration.kernels = kernels
            configuration.kernel_count = 1
            let room = withUnsafeMutablePointer(to: &memory.checked) { UnsafeMutableRawPointer($0) }
            guard cemv_configuration_check(&configuration, room, 4096, &checked, &error) == CEMV_OK else { return nil }
            let place = withUnsafeMutablePointer(to: &memory.session) { UnsafeMutableRawPointer($0) }
            guard cemv_session_begin(place, 8192, checked, &sale, random, &session, &error) == CEMV_OK, let session
            else { return nil }
            return play(session)
        }
    }
}

@main
struct Tap {
    static func main() {
        var row = cemv_kernel_row()
        row.id.0 = 3
        row.id_size = 1
        let random: InlineArray<4, UInt8> = [0x12, 0x34, 0x56, 0x78]
        let outcome = withUnsafePointer(to: cemv_kernel_3) { functions in
            row.module = functions
            return lending(aid) { aid in
                lending(ttq) { ttq in
                    lending(terminal) { terminal in
                        lending(random) { random in
                            var visa = cemv_combination()
                            visa.aid = aid
                            visa.ttq = ttq
                            visa.kernel_id.0 = 3
                            visa.kernel_id_size = 1
                            return tap(visa, row, terminal: terminal, random: random)
                        }
                    }
                }
            }
        }
        if outcome.map({ UInt32($0.status) }) == CEMV_OUTCOME_ONLINE_REQUEST.rawValue {
            say("outcome: online request\n")
        } else {
            say("outcome: another one\n")
        }
    }
}
