// SPDX-License-Identifier: Apache-2.0
import EMVKit
internal import CPCSC

/// One connection to the PC/SC service. Released with its last reference. Used by one thread; only `cancel` by any.
final class Service {
    let handle: Int64

    init() throws(PCSCError) {
        var handle: Int64 = 0
        let code = unsafe cpcsc_establish(&handle)
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        self.handle = handle
    }

    deinit {
        _ = cpcsc_release(handle)
    }

    static func cancel(_ handle: Int64) {
        _ = cpcsc_cancel(handle)
    }

    /// Names of all readers; none is no error.
    func readers() throws(PCSCError) -> [String] {
        var room = 2048
        while true {
            var names = [CChar](repeating: 0, count: room)
            var length = room
            let code = unsafe names.withUnsafeMutableBufferPointer { buffer in
                unsafe cpcsc_list_readers(handle, buffer.baseAddress, &length)
            }
            switch code {
            case PCSCError.success:
                return names.prefix(length).split(separator: 0).map { name in
                    String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
            case PCSCError.noReaders: return []
            case PCSCError.insufficientBuffer where room < 65536: room *= 2
            default: throw PCSCError(code: code)
            }
        }
    }

    /// Waits until a reader's state differs from what is known of it; the code is the first of the pair.
    func statusChange(_ known: [ReaderState], milliseconds: UInt32) -> (code: UInt32, states: [ReaderState]) {
        var states = known
        let names = known.prefix(Int(CPCSC_MAX_STATES)).map { Array($0.name.utf8CString) }
        let code = unsafe Service.withPointers(names[...], []) { pointers in
            var native = unsafe pointers.indices.map { index in
                unsafe cpcsc_state(
                    reader: pointers[index], known: known[index].rawValue, current: 0, atr_length: 0, atr: Service.noATR
                )
            }
            let code = unsafe cpcsc_get_status_change(handle, milliseconds, &native, native.count)
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

    /// T=1 with a contactless card, though its made-up answer to reset names T=0 too; else what the card offers.
    func connect(_ reader: String, share: UInt32, atr: Bytes) throws(PCSCError) -> CardConnection {
        if ReaderState(name: reader, atr: atr).isContactless {
            do throws(PCSCError) {
                return try connect(reader, share: share, protocols: CardConnection.t1)
            } catch {
                guard error.code == PCSCError.protocolMismatch else { throw error }
            }
        }
        return try connect(reader, share: share, protocols: CardConnection.t0 | CardConnection.t1)
    }

    func connect(_ reader: String, share: UInt32, protocols: UInt32) throws(PCSCError) -> CardConnection {
        var card: Int64 = 0
        var active: UInt32 = 0
        let code = unsafe cpcsc_connect(handle, reader, share, protocols, &card, &active)
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        return CardConnection(service: self, handle: card, protocol: active)
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

/// What PC/SC says of one reader.
struct ReaderState: Sendable, Hashable {
    static let changed: UInt32 = 0x0002
    static let unknown: UInt32 = 0x0004
    static let unavailable: UInt32 = 0x0008
    static let empty: UInt32 = 0x0010
    static let present: UInt32 = 0x0020
    static let exclusive: UInt32 = 0x0080
    static let inUse: UInt32 = 0x0100
    static let mute: UInt32 = 0x0200

    var name: String
    /// The state bits, with the count of events above them; 0: nothing is known.
    var rawValue: UInt32 = 0
    var atr: Bytes = []

    /// The answer to reset is one that a contactless reader makes up (PC/SC part 3, 3.1.3.2.3).
    var isContactless: Bool {
        atr.count >= 4 && atr[0] == 0x3B && atr[1] & 0xF0 == 0x80 && atr[2] == 0x80 && atr[3] == 0x01
    }

    func has(_ bits: UInt32) -> Bool { rawValue & bits != 0 }
}

/// One connection to a card, or to a reader alone. Left as it is if it was not ended.
final class CardConnection {
    static let exclusive: UInt32 = 1
    static let shared: UInt32 = 2
    static let direct: UInt32 = 3
    static let t0: UInt32 = 1
    static let t1: UInt32 = 2

    enum Disposition: UInt32 {
        case leave = 0
        case reset = 1
        case unpower = 2
    }

    /// Keeps the service until the card is let go.
    private let service: Service
    private let handle: Int64
    let `protocol`: UInt32
    private var isOpen = true
    private var inTransaction = false

    init(service: Service, handle: Int64, protocol: UInt32) {
        self.service = service
        self.handle = handle
        self.protocol = `protocol`
    }

    deinit {
        end(.leave)
    }

    func end(_ disposition: Disposition) {
        guard isOpen else { return }
        isOpen = false
        if inTransaction { _ = cpcsc_end_transaction(handle, Disposition.leave.rawValue) }
        _ = cpcsc_disconnect(handle, disposition.rawValue)
    }

    func beginTransaction() throws(PCSCError) {
        let code = cpcsc_begin_transaction(handle)
        guard code == PCSCError.success else { throw PCSCError(code: code) }
        inTransaction = true
    }

    /// One exchange as the reader makes it. `buffer` takes the response.
    func transmit(_ command: Bytes, into buffer: inout Bytes) -> (code: UInt32, length: Int, nanoseconds: UInt64) {
        var length = buffer.count
        var elapsed: UInt64 = 0
        let code = unsafe command.withUnsafeBufferPointer { command in
            unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                unsafe cpcsc_transmit(
                    handle, `protocol`, command.baseAddress, command.count, buffer.baseAddress, &length, &elapsed)
            }
        }
        return (code, code == PCSCError.success ? min(length, buffer.count) : 0, elapsed)
    }

    func control(_ code: UInt32, _ command: Bytes) throws(PCSCError) -> Bytes {
        var response = Bytes(repeating: 0, count: 512)
        var length = response.count
        let result = unsafe command.withUnsafeBufferPointer { command in
            unsafe response.withUnsafeMutableBufferPointer { response in
                unsafe cpcsc_control(handle, code, command.baseAddress, command.count, response.baseAddress, &length)
            }
        }
        guard result == PCSCError.success else { throw PCSCError(code: result) }
        return Bytes(response.prefix(length))
    }

    /// The control code that passes a command to the reader itself (PC/SC part 10, feature 13).
    var escapeCode: UInt32 {
        let features = (try? control(cpcsc_control_code(3400), [])) ?? []
        var at = 0
        while at + 6 <= features.count {
            if features[at] == 0x13, features[at + 1] == 4 {
                return features[(at + 2)..<(at + 6)].reduce(0) { $0 << 8 | UInt32($1) }
            }
            at += 2 + Int(features[at + 1])
        }
        return cpcsc_control_code(1)
    }
}
