// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC

/// The PC/SC functions that this module calls, each of which may block, and the clock. Tests replace them.
struct PCSCFunctions: Sendable {
    var establish: @Sendable () -> (code: UInt32, context: Int64)
    var release: @Sendable (_ context: Int64) -> Void
    var cancel: @Sendable (_ context: Int64) -> Void
    /// Returns the names of all readers; an empty list is not an error.
    var listReaders: @Sendable (_ context: Int64) -> (code: UInt32, names: [String])
    var statusChange:
        @Sendable (_ context: Int64, _ known: [ReaderState], _ milliseconds: UInt32) -> (
            code: UInt32, states: [ReaderState]
        )
    var connect:
        @Sendable (_ context: Int64, _ reader: String, _ share: UInt32, _ protocols: UInt32) -> (
            code: UInt32, card: Int64, protocol: UInt32
        )
    var disconnect: @Sendable (_ card: Int64, _ disposition: UInt32) -> Void
    var beginTransaction: @Sendable (_ card: Int64) -> UInt32
    var endTransaction: @Sendable (_ card: Int64) -> Void
    /// Makes one exchange as the reader does; the response is left in the buffer.
    var transmit:
        @Sendable (_ card: Int64, _ protocol: UInt32, _ command: Bytes, _ room: ReaderThread.Room) -> (
            code: UInt32, length: Int, nanoseconds: UInt64
        )
    var control: @Sendable (_ card: Int64, _ code: UInt32, _ command: Bytes) -> (code: UInt32, response: Bytes)
    /// Returns a property of the reader (PC/SC part 3, 3.1.3.1).
    var attribute: @Sendable (_ card: Int64, _ number: UInt32) -> (code: UInt32, value: Bytes) = { _, _ in
        (PCSCError.unsupportedFeature, [])
    }
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Sleeps. It stays on its caller's executor except while it waits.
    var sleep: nonisolated(nonsending) @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
}

/// The time limits for PC/SC.
struct PCSCLimits: Sendable, Hashable {
    /// For calls that the service answers without a card or reader.
    var service: Duration = .seconds(2)
    /// For calls that a card or reader answers.
    var exchange: Duration = .seconds(5)
}

extension PCSCFunctions {
    /// The functions of libpcsclite or PCSC.framework.
    static let system = PCSCFunctions(
        establish: {
            var context: Int64 = 0
            let code = unsafe cpcsc_establish(&context)
            return (code, context)
        },
        release: { _ = cpcsc_release($0) },
        cancel: { _ = cpcsc_cancel($0) },
        listReaders: names,
        statusChange: change,
        connect: { context, reader, share, protocols in
            var card: Int64 = 0
            var active: UInt32 = 0
            let code = unsafe cpcsc_connect(context, reader, share, protocols, &card, &active)
            return (code, card, active)
        },
        disconnect: { _ = cpcsc_disconnect($0, $1) },
        beginTransaction: { cpcsc_begin_transaction($0) },
        endTransaction: { _ = cpcsc_end_transaction($0, CardConnection.Disposition.leave.rawValue) },
        transmit: { card, `protocol`, command, room in
            var length = unsafe room.bytes.count
            var elapsed: UInt64 = 0
            let code = unsafe command.withUnsafeBufferPointer { command in
                unsafe cpcsc_transmit(
                    card, `protocol`, command.baseAddress, command.count, room.bytes.baseAddress, &length, &elapsed)
            }
            return (code, code == PCSCError.success ? min(length, unsafe room.bytes.count) : 0, elapsed)
        },
        control: { card, code, command in
            var response = Bytes(repeating: 0, count: 512)
            var length = response.count
            let result = unsafe command.withUnsafeBufferPointer { command in
                unsafe response.withUnsafeMutableBufferPointer { response in
                    unsafe cpcsc_control(card, code, command.baseAddress, command.count, response.baseAddress, &length)
                }
            }
            return (result, Bytes(response.prefix(length)))
        },
        attribute: { card, number in
            var value = Bytes(repeating: 0, count: 264)
            var length = value.count
            let code = unsafe value.withUnsafeMutableBufferPointer { value in
                unsafe cpcsc_get_attribute(card, number, value.baseAddress, &length)
            }
            return (code, code == PCSCError.success ? Bytes(value.prefix(length)) : [])
        })

    @Sendable private static func names(_ context: Int64) -> (code: UInt32, names: [String]) {
        var room = 2048
        while true {
            var names = [CChar](repeating: 0, count: room)
            var length = room
            let code = unsafe names.withUnsafeMutableBufferPointer { buffer in
                unsafe cpcsc_list_readers(context, buffer.baseAddress, &length)
            }
            switch code {
            case PCSCError.success:
                let list = names.prefix(length).split(separator: 0).map { name in
                    String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
                return (code, list)
            case PCSCError.noReaders: return (PCSCError.success, [])
            case PCSCError.insufficientBuffer where room < 65536: room *= 2
            default: return (code, [])
            }
        }
    }

    @Sendable private static func change(
        _ context: Int64, _ known: [ReaderState], _ milliseconds: UInt32
    ) -> (code: UInt32, states: [ReaderState]) {
        var states = known
        let names = known.prefix(Int(CPCSC_MAX_STATES)).map { Array($0.name.utf8CString) }
        let code = unsafe withPointers(names[...], []) { pointers in
            var native = unsafe pointers.indices.map { index in
                unsafe cpcsc_state(
                    reader: pointers[index], known: known[index].rawValue, current: 0, atr_length: 0, atr: noATR)
            }
            let code = unsafe cpcsc_get_status_change(context, milliseconds, &native, native.count)
            for index in unsafe native.indices {
                let state = unsafe native[index]
                states[index].rawValue = unsafe state.current & ~ReaderState.changed
                let length = Int(unsafe state.atr_length)
                states[index].atr = unsafe withUnsafeBytes(of: state.atr) { unsafe Bytes($0.prefix(length)) }
            }
            return code
        }
        return (code, states)
    }

    /// Calls `body` with pointers to all names at once.
    private static func withPointers<Result>(
        _ names: ArraySlice<[CChar]>, _ pointers: [UnsafePointer<CChar>], _ body: ([UnsafePointer<CChar>]) -> Result
    ) -> Result {
        guard let first = names.first else { return unsafe body(pointers) }
        return unsafe first.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return unsafe body(pointers) }
            return unsafe withPointers(names.dropFirst(), pointers + [base], body)
        }
    }

    private static let noATR = unsafe cpcsc_state().atr
}
