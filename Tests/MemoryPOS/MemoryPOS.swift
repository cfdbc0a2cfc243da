// SPDX-License-Identifier: Apache-2.0
// A POS in a separate process whose memory a test searches from outside. The cards, the PIN and the sealer's key are at
// the other end of standard input and output, so this process contains only data from them that a tap transferred.
//
//   memory-pos hold|release|ask COUNT DIRECTORY
//
// hold      keeps every result, and reports where its arrays are
// release   drops the results
// ask       reads the values of every result, like a host's adapter, and then drops the results
//
// A frame is a letter, a length of two bytes and that number of bytes. Requests: B a tap begins, P is a card present, C
// a command, N a PIN block, K the sealer's key. Reports: W the word of a result, H address and length of an array that
// is kept, S the end. Any input after S ends the process: `a` by abort(), with a core dump if the system writes one.
import EMVJournal
import EMVKit
import EMVSealing
import EMVSimulator
import Foundation

@main struct MemoryPOS {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4, let way = Way(rawValue: words[1]), let count = Int(words[2]) else { exit(64) }
        let held = try await sell(way, count, words[3])
        withExtendedLifetime(held) {
            for array in held.flatMap(\.arrays) {
                array.withUnsafeBytes {
                    Line.say("H", Bytes("\(UInt(bitPattern: $0.baseAddress)) \($0.count)".utf8))
                }
            }
            if Line.ask("S", []).kind == UInt8(ascii: "a") {
                allowDump()
                abort()
            }
        }
    }

    /// The readers are released when it returns, and so are their torn transactions. Each tap runs in a separate task,
    /// so the data in a task's frames are released with it.
    private static func sell(_ way: Way, _ count: Int, _ directory: String) async throws -> [Held] {
        let pos = try POS(way, directory: directory)
        for number in 0..<count { try await Task { try await pos.take(number) }.value }
        return await pos.finish()
    }

    /// As large as the system allows.
    private static func allowDump() {
        #if os(Linux)
        let core = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        #else
        let core = RLIMIT_CORE
        #endif
        var size = rlimit()
        getrlimit(core, &size)
        size.rlim_cur = size.rlim_max
        setrlimit(core, &size)
    }
}

enum Way: String { case hold, release, ask }

/// The data that an app keeps from a tap.
enum Held {
    case tap(TapOutcome), charge(ChargeResult)

    var read: CardRead? {
        switch self {
        case .tap(.success(let read)), .tap(.declined(let read)), .tap(.onlinePINRequired(let read)): read
        case .charge(let charge): [.approved, .declined].contains(charge.name) ? charge.read : nil
        default: nil
        }
    }

    /// All arrays in it that contain account data.
    var arrays: [Bytes] {
        switch self {
        case .tap(.verified(let card)): [card.dataRecord.bytes, card.discretionary.bytes]
        case .tap(.onlinePINUnavailable(let card)): [card.partialData.bytes]
        default: read.map { [$0.dataRecord.bytes, $0.discretionary.bytes] } ?? []
        }
    }
}

/// The connection to the cards. Its buffer is overwritten; the array of an answer belongs to the reader.
enum Line {
    struct Frame {
        let kind: UInt8
        let bytes: Bytes
    }

    static func say(_ kind: Unicode.Scalar, _ bytes: Bytes) {
        let frame = [UInt8(ascii: kind), UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
        var sent = 0
        while sent < frame.count {
            let size = frame[sent...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            guard size > 0 else { exit(65) }
            sent += size
        }
    }

    static func ask(_ kind: Unicode.Scalar, _ bytes: Bytes) -> Frame {
        say(kind, bytes)
        let head = take(3)
        return Frame(kind: head[0], bytes: take(Int(head[1]) << 8 | Int(head[2])))
    }

    private static func take(_ count: Int) -> Bytes {
        Bytes(unsafeUninitializedCapacity: count) { room, taken in
            while taken < count {
                let size = read(0, room.baseAddress! + taken, count - taken)
                guard size > 0 else { exit(66) }
                taken += size
            }
        }
    }
}

/// One card at a time, in the order of the taps.
struct FarReader: CardTransport {
    func begin(_ tap: TapRecord) async { _ = Line.ask("B", []) }
    func waitForCard(_ poll: Poll) async -> CardEvent {
        if poll.removalFirst { return .removed }
        return Line.ask("P", []).kind == UInt8(ascii: "c") ? .card : .nothing
    }
    func transceive(_ command: Bytes) async -> Exchange {
        .response(Line.ask("C", command).bytes, elapsed: .milliseconds(8))
    }
    func fieldOff() async {}
    func fieldOff(for hold: Duration) async {}
}

struct FarPINPad: PINPad {
    let supportsAccessibility = true
    func collectPIN(_ request: PINRequest) async -> PINEntry {
        EncryptedPINBlock(Line.ask("N", []).bytes, format: .iso4).map { .entered($0) } ?? .cancelled
    }
}

/// Answers by the number of the request, and stores nothing.
actor Host: Authorizer {
    private let asks: Bool
    private var count = 0
    init(asks: Bool) { self.asks = asks }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        count += 1
        if asks { _ = (request.hostFields, ChipData(request.read).messageFields()) }
        if count % 7 == 3, request.challenge == nil { return .pinRequested(PINChallenge(id: "\(count)")) }
        return count % 5 == 4
            ? .declined(Decline(reason: .insufficientFunds, responseCode: "51")) : .approved(Approval(code: "\(count)"))
    }
    func reverse(_ reversal: Reversal) async throws {}
}

actor POS {
    private let way: Way
    private let reader: TapReader
    private let withoutPINPad: TapReader
    private let host: Host
    private let sealer: (any PayloadSealer)?
    private let listeners: [Task<Void, Never>]
    private var held: [Held] = []

    init(_ way: Way, directory: String) throws {
        self.way = way
        host = Host(asks: way == .ask)
        let key = Line.ask("K", [])
        #if Sealing
        sealer = try DUKPTSealer(initialKey: SecretBytes(key.bytes), identifier: [1, 2, 3, 4, 5, 6, 7, 8])
        var copy = key.bytes
        _ = consume key
        copy.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) }
        #else
        sealer = nil
        _ = key
        #endif
        #if Journal
        let journal: any Journal = SQLiteJournal(path: directory + "/journal.sqlite")
        #else
        let journal: any Journal = MemoryJournal()
        #endif
        let configuration = Configuration.simulator()
        var options = TapReader.Options(journal: journal, sealer: sealer)
        options.payee = Merchant("Market hall")
        reader = TapReader(FarReader(), configuration: configuration, options: options)
        withoutPINPad = TapReader(FarReader(), configuration: configuration)
        let events = reader.events(), prompts = reader.prompts(), charges = reader.charges()
        listeners = [
            Task { for await event in events { _ = "\(event)" } },
            Task { for await prompt in prompts { _ = prompt.spoken } },
            Task { for await charge in charges { _ = "\(charge)" } },
        ]
    }

    func take(_ number: Int) async throws {
        let request = PaymentRequest(amount: Money(minorUnits: 12_50 + UInt64(number), currency: .eur))
        let result: Held
        switch number % 4 {
        case 0, 1: result = .charge(await reader.charge(request, with: host, pinPad: FarPINPad()))
        case 2: result = .tap(await withoutPINPad.read(request))
        default: result = .tap(await withoutPINPad.read(VerificationRequest(reason: .verify, currency: .eur)))
        }
        switch result {
        case .tap(let outcome): Line.say("W", Bytes("\(outcome.name) \(Presentation(outcome).headline)".utf8))
        case .charge(let charge): Line.say("W", Bytes("\(charge.name)".utf8))
        }
        try await use(result)
        if way == .hold { held.append(result) }
    }

    /// Makes receipts and seals; in mode `ask` it also reads the values.
    private func use(_ result: Held) async throws {
        if case .charge(let charge) = result, let receipt = Receipt(charge) {
            _ = (receipt.text(.columns32, in: .english, copy: .merchant), receipt.message(in: .german))
        }
        if case .tap(let outcome) = result, let sealer {
            switch outcome {
            case .success(let read), .onlinePINRequired(let read): _ = try await read.sealed(by: sealer)
            case .verified(let card): _ = try await card.sealed(by: sealer)
            case .onlinePINUnavailable(let read): _ = try await read.sealed(by: sealer)
            default: break
            }
        }
        _ = "\(result)"
        guard way == .ask, let read = result.read else { return }
        _ = (read.dataRecord[0x57], read.dataRecord[0x5A], ChipData(read).track2?.accountNumber)
    }

    /// Nothing is in progress, and no task listens.
    func finish() async -> [Held] {
        await reader.cancel()
        await withoutPINPad.cancel()
        for listener in listeners { listener.cancel() }
        for listener in listeners { await listener.value }
        defer { held = [] }
        return held
    }
}
