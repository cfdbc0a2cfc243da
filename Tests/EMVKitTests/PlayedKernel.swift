// SPDX-License-Identifier: Apache-2.0
import CEMV
import EMVSimulator
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// A kernel played by a test. The built-in ones never restart at D, on any answer, or with a removal time-out. At every
/// activation it sends its input as a command, and the response selects its outcome, so the card sees both.
enum PlayedKernel {
    static let number: UInt8 = 0x21
    static let aid: Bytes = [0xF0, 0x12, 0x34, 0x56, 0x78]

    /// The kernel's input as a command: `90 01 flags start`, with the size of the issuer's data and as many of them as
    /// fit a command of ``Activation/most`` bytes.
    struct Activation: Equatable {
        var start = Outcome.Start.a
        var isAnswered = false
        var unableToGoOnline = false
        var removalTimedOut = false
        var pinNotCaptured = false
        var data: Bytes = []
        static let most = 200

        init(
            start: Outcome.Start = .a, isAnswered: Bool = false, unableToGoOnline: Bool = false,
            removalTimedOut: Bool = false,
            pinNotCaptured: Bool = false, data: DataObjects = [:]
        ) {
            self.start = start
            self.isAnswered = isAnswered
            self.unableToGoOnline = unableToGoOnline
            self.removalTimedOut = removalTimedOut
            self.pinNotCaptured = pinNotCaptured
            self.data = Self.told(data.encoded)
        }

        init?(command: Bytes) {
            guard command.starts(with: [0x90, 0x01]) else { return nil }
            isAnswered = command[2] & 1 != 0
            unableToGoOnline = command[2] & 2 != 0
            removalTimedOut = command[2] & 4 != 0
            pinNotCaptured = command[2] & 8 != 0
            start = [0x00: .a, 0x10: .b, 0x20: .c, 0x30: .d][command[3]] ?? .notApplicable
            data = Bytes(command.dropFirst(5))
        }

        static func told(_ data: Bytes) -> Bytes {
            data.isEmpty ? [] : [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data.prefix(most)
        }
    }

    /// The response that makes the kernel end with this outcome.
    static func ending(
        _ status: cemv_outcome_status, start: cemv_start = CEMV_START_NA,
        on condition: cemv_online_response = CEMV_ONLINE_RESPONSE_NA,
        fieldOff: UInt8? = nil, removalTimeout: UInt8 = 0, cvm: cemv_cvm = CEMV_CVM_NONE
    ) -> Bytes {
        [
            UInt8(status.rawValue), UInt8(start.rawValue), UInt8(condition.rawValue), fieldOff ?? 0xFF, removalTimeout,
            UInt8(cvm.rawValue),
            0x90, 0x00,
        ]
    }

    static var module: cemv_kernel_module {
        var module = cemv_kernel_module()
        module.start = start
        module.reply = reply
        return module
    }

    private static let start: @convention(c) (OpaquePointer?) -> cemv_step = { kernel in
        let given = cemv_kernel_activation(kernel)
        let flags: [Bool] = [
            given.online_response_present, given.unable_to_go_online, given.removal_timed_out,
            given.pin_entry == UInt8(CEMV_PIN_ENTRY_NOT_CAPTURED.rawValue),
        ]
        let bits = flags.enumerated().reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
        let answer = Activation.told(
            Bytes(UnsafeBufferPointer(start: given.online_response.data, count: given.online_response.size)))
        return answer.withUnsafeBufferPointer { bytes in
            let data = cemv_bytes(data: bytes.baseAddress, size: bytes.count)
            var command = cemv_command(cla: 0x90, ins: 0x01, p1: bits, p2: given.start, data: data, le: 0)
            return cemv_kernel_send(kernel, 1, &command)
        }
    }

    private static let reply: @convention(c) (OpaquePointer?, UnsafePointer<cemv_reply>?) -> cemv_step = {
        kernel, reply in
        let nothing = cemv_bytes(data: nil, size: 0)
        guard let reply = reply?.pointee, UInt32(reply.kind) == CEMV_REPLY_RESPONSE.rawValue, reply.bytes.size == 8
        else {
            var outcome = cemv_outcome_of(
                UInt8(CEMV_OUTCOME_END_APPLICATION.rawValue), UInt8(CEMV_REASON_LINK.rawValue))
            return cemv_kernel_finish(kernel, &outcome, nothing, nothing)
        }
        let wanted = UnsafeBufferPointer(start: reply.bytes.data, count: reply.bytes.size)
        var outcome = cemv_outcome_of(wanted[0], UInt8(CEMV_REASON_KERNEL.rawValue))
        outcome.start = wanted[1]
        outcome.online_response = wanted[2]
        if wanted[3] != 0xFF { outcome.field_off_100ms = UInt16(wanted[3]) }
        outcome.removal_timeout_100ms = UInt16(wanted[4])
        outcome.cvm = wanted[5]
        return record.withUnsafeBufferPointer { bytes in
            cemv_kernel_finish(kernel, &outcome, cemv_bytes(data: bytes.baseAddress, size: bytes.count), nothing)
        }
    }

    /// The record of a test card.
    private static let record: Bytes = [0x5A, 0x08, 0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x01, 0x19]

    static func configuration(autorun: Autorun? = nil) throws -> CheckedConfiguration {
        let row = Combination(
            aid: aid, kernel: CombinationKernel(id: KernelID(number: number)), name: "played",
            transactionTypes: [.purchase, .refund],
            limits: Limits())
        let configuration = Configuration(
            terminal: [0x9F1A: [0x02, 0x76]], combinations: [row], caKeys: [], autorun: autorun)
        return try CheckedConfiguration(configuration, kernels: [Kernel(id: KernelID(number: number), module: module)])
    }
}

/// Lists the played kernel's application and answers each of its commands with the next ending, then repeats the last
/// one.
struct PlayedCard: CardPresentation {
    private var endings: [Bytes]

    init(_ endings: Bytes...) { self.endings = endings }

    mutating func poll() -> CardPresence { .one }
    mutating func reset() {}

    mutating func exchange(_ command: [UInt8]) -> CardReply {
        func answer(_ bytes: Bytes) -> CardReply { .response(bytes, milliseconds: 1) }
        guard command[1] == 0xA4 else { return answer(endings.count > 1 ? endings.removeFirst() : endings[0]) }
        let name = Bytes(command.dropFirst(5).dropLast())
        if name.starts(with: PlayedKernel.aid) {
            let label: DataObjects = [0x50: Array("PLAYED".utf8)]
            let file: DataObjects = [0x84: PlayedKernel.aid, 0xA5: label.encoded]
            return answer(([0x6F: file.encoded] as DataObjects).encoded + [0x90, 0x00])
        }
        let entry: DataObjects = [0x4F: PlayedKernel.aid, 0x87: [0x01]]
        let list: DataObjects = [0x61: entry.encoded]
        let directory: DataObjects = [0xBF0C: list.encoded]
        let file: DataObjects = [0x84: Array("2PAY.SYS.DDF01".utf8), 0xA5: directory.encoded]
        return answer(([0x6F: file.encoded] as DataObjects).encoded + [0x90, 0x00])
    }
}
