// SPDX-License-Identifier: Apache-2.0
import EMVKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why the ledger of a ``SimulatedHost`` cannot be used.
public enum HostLedgerError: Error, Sendable, Hashable {
    case cannotOpen(String)
    /// The line with this number was not written by a host.
    case damaged(line: Int)
}

/// The ledger of a host as lines of text, each appended and synced. The last line with a key is valid.
///
///     b KEY STATE AMOUNT KIND ORIGINAL CRYPTOGRAM APPROVAL DECLINE
///     r KEY AMOUNT CRYPTOGRAM PIN          a request in transit; v: a reversal; f: a record
///     d COUNT                              the number of those that have arrived
final class HostLedgerFile: Sendable {
    private let file: Int32

    init(_ path: String) throws(HostLedgerError) {
        file = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotOpen(path) }
    }

    deinit { close(file) }

    // MARK: - Writing

    func write(_ booking: SimulatedHost.Booking, _ key: ReconciliationKey) {
        let approval = booking.approval.map {
            "\($0.origin.rawValue)/\(hex($0.code))/\(hex($0.responseCode))/\(amount($0.approvedAmount))"
        }
        let decline = booking.decline.map { "\($0.reason.rawValue)/\($0.responseCode.map { hex($0) } ?? "-")" }
        write([
            "b", key.rawValue, booking.state.rawValue, amount(booking.amount), booking.kind?.rawValue ?? "-",
            booking.original?.rawValue ?? "-", bytes(booking.cryptogram), approval ?? "-", decline ?? "-",
        ])
    }

    func write(late message: SimulatedHost.Message) {
        switch message {
        case .request(let body, _):
            write([
                "r", body.key.rawValue, amount(body.amount), bytes(body.cryptogram), body.hasPIN ? "pin" : "-",
            ])
        case .reversal(let key, let sum, _): write(["v", key.rawValue, amount(sum)])
        case .record(let body, _):
            write([
                "f", body.key.rawValue, body.kind.rawValue, amount(body.amount), body.original?.rawValue ?? "-",
                bytes(body.cryptogram),
            ])
        }
    }

    func write(delivered count: Int) { if count > 0 { write(["d", "\(count)"]) } }

    /// Writes with one system call: if the process ends, the line is complete or absent.
    private func write(_ words: [String]) {
        let line = Bytes((words.joined(separator: " ") + "\n").utf8)
        guard write(file, line, line.count) == line.count, fsync(file) == 0 else {
            fatalError("the ledger of the simulated host cannot be written")
        }
    }

    private func write(_ file: Int32, _ line: Bytes, _ count: Int) -> Int {
        #if canImport(Darwin)
        unsafe Darwin.write(file, line, count)
        #elseif canImport(Musl)
        unsafe Musl.write(file, line, count)
        #else
        unsafe Glibc.write(file, line, count)
        #endif
    }

    private func amount(_ money: Money?) -> String {
        money.map { "\($0.minorUnits):\($0.currency.code):\($0.currency.numeric):\($0.currency.exponent)" } ?? "-"
    }

    private func bytes(_ bytes: Bytes?) -> String { bytes.map { "x" + Hex.string($0) } ?? "-" }

    private func hex(_ text: String) -> String { "x" + Hex.string(Bytes(text.utf8)) }

    // MARK: - Reading

    func read() throws(HostLedgerError) -> (
        ledger: [ReconciliationKey: SimulatedHost.Booking], late: [SimulatedHost.Message]
    ) {
        var text: Bytes = [], offset = 0
        var block = Bytes(repeating: 0, count: 65_536)
        while true {
            let count = unsafe pread(file, &block, block.count, off_t(offset))
            if count <= 0 { break }
            text += block.prefix(count)
            offset += count
        }
        var ledger: [ReconciliationKey: SimulatedHost.Booking] = [:], late: [SimulatedHost.Message] = []
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        // A line without its end was never completed.
        lines.removeLast()
        for (number, line) in lines.enumerated() {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ").map { String($0) }
            guard take(words, &ledger, &late) else { throw .damaged(line: number + 1) }
        }
        return (ledger, late)
    }

    private func take(
        _ words: [String], _ ledger: inout [ReconciliationKey: SimulatedHost.Booking],
        _ late: inout [SimulatedHost.Message]
    ) -> Bool {
        guard words.count >= 2 else { return false }
        if words[0] == "d" {
            guard let count = Int(words[1]), count <= late.count else { return false }
            late.removeFirst(count)
            return true
        }
        guard let key = ReconciliationKey(rawValue: words[1]) else { return false }
        switch (words[0], words.count) {
        case ("b", 9):
            guard let state = SimulatedHost.Booking.State(rawValue: words[2]), let sum = money(words[3]) else {
                return false
            }
            var booking = SimulatedHost.Booking(state: state, amount: sum)
            booking.kind = FinancialRecord.Kind(rawValue: words[4])
            booking.original = ReconciliationKey(rawValue: words[5]).flatMap { words[5] == "-" ? nil : $0 }
            booking.cryptogram = bytes(words[6])
            booking.approval = approval(words[7])
            booking.decline = decline(words[8])
            ledger[key] = booking
        case ("r", 5):
            guard let sum = money(words[2]) else { return false }
            let body = SimulatedHost.RequestBody(
                key: key, amount: sum, cryptogram: bytes(words[3]), hasPIN: words[4] == "pin")
            late.append(.request(body, nil))
        case ("v", 3):
            guard let sum = money(words[2]) else { return false }
            late.append(.reversal(key, sum, nil))
        case ("f", 6):
            guard let kind = FinancialRecord.Kind(rawValue: words[2]), let sum = money(words[3]) else { return false }
            let body = SimulatedHost.RecordBody(
                key: key, kind: kind, amount: sum,
                original: words[4] == "-" ? nil : ReconciliationKey(rawValue: words[4]), cryptogram: bytes(words[5]))
            late.append(.record(body, nil))
        default: return false
        }
        return true
    }

    private func money(_ word: String) -> Money? {
        let parts = word.split(separator: ":").map { String($0) }
        guard parts.count == 4, let units = UInt64(parts[0]), let numeric = UInt16(parts[2]),
            let exponent = UInt8(parts[3])
        else { return nil }
        return Money(
            minorUnits: units, currency: Currency(code: parts[1], numeric: numeric, exponent: exponent))
    }

    private func bytes(_ word: String) -> Bytes? { word.hasPrefix("x") ? Hex.bytes(String(word.dropFirst())) : nil }

    private func text(_ word: String) -> String? { bytes(word).map { String(decoding: $0, as: UTF8.self) } }

    private func approval(_ word: String) -> Approval? {
        let parts = word.split(separator: "/").map { String($0) }
        guard parts.count == 4, let origin = Approval.Origin(rawValue: parts[0]) else { return nil }
        return Approval(
            origin: origin, code: text(parts[1]) ?? "", responseCode: text(parts[2]) ?? "00",
            approvedAmount: money(parts[3]))
    }

    private func decline(_ word: String) -> Decline? {
        let parts = word.split(separator: "/").map { String($0) }
        guard parts.count == 2, let reason = Decline.Reason(rawValue: parts[0]) else { return nil }
        return Decline(reason: reason, responseCode: text(parts[1]))
    }
}
