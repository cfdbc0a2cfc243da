// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator
import Foundation
import TestData

@testable import EMVLoyalty

/// The wallet protocol of a phone, implemented by hand instead of with the simulator's wallets.
protocol HandMadeWallet: Sendable {
    /// `nil`: the command is not for the wallet and goes to the payment card.
    mutating func answer(_ command: Bytes) -> CardReply?
    mutating func reset()
}

extension HandMadeWallet {
    mutating func reset() {}
}

func response(_ bytes: Bytes, milliseconds: Double = 1) -> CardReply { .response(bytes, milliseconds: milliseconds) }

/// A card without a wallet; placed before a fault plan, it keeps the faults to the payment's commands.
struct NoWallet: HandMadeWallet {
    mutating func answer(_ command: Bytes) -> CardReply? {
        command == WalletSelection.command ? response([0x6A, 0x82]) : nil
    }
}

/// A wallet whose pass types answer one after another.
struct PassTypeWallet: HandMadeWallet {
    var replies: [CardReply]
    var selection = response(VASVectors.selected)
    private var position = 0

    init(_ replies: [CardReply], selection: CardReply = response(VASVectors.selected)) {
        self.replies = replies
        self.selection = selection
    }

    /// A wallet that answers with a status word only.
    init(_ status: UInt16) {
        self.init([response([UInt8(status >> 8), UInt8(truncatingIfNeeded: status)])])
    }

    /// A wallet with the published pass.
    static let withPass = PassTypeWallet([response(VASVectors.answer(VASVectors.cryptogram))])

    mutating func answer(_ command: Bytes) -> CardReply? {
        if command == WalletSelection.command { return selection }
        guard command.prefix(3) == [0x80, 0xCA, 0x01], command.count > 5 else { return nil }
        defer { position += 1 }
        return replies[min(position, replies.count - 1)]
    }
}

/// A wallet whose answers all come from a script, which may belong to another session: nothing in it can be opened.
struct ScriptedWallet: HandMadeWallet {
    var replies: [CardReply]
    private var position = 0

    init(_ replies: [CardReply]) { self.replies = replies }

    mutating func answer(_ command: Bytes) -> CardReply? {
        let isOwn =
            command == WalletSelection.command || command == SmartTapSelection.select || command.first == 0x90
            || command.prefix(3) == [0x80, 0xCA, 0x01] && command.count > 5
        guard isOwn else { return nil }
        defer { position += 1 }
        return position < replies.count ? replies[position] : response([0x6F, 0x00])
    }
}

/// A wallet with a payment card.
struct Phone: CardPresentation {
    var wallet: any HandMadeWallet
    var card: any CardPresentation

    init(_ wallet: any HandMadeWallet, _ card: any CardPresentation = VirtualCard(.named("online")!)) {
        self.wallet = wallet
        self.card = card
    }

    mutating func poll() -> CardPresence { card.poll() }
    mutating func exchange(_ command: [UInt8]) -> CardReply { wallet.answer(command) ?? card.exchange(command) }
    mutating func reset() {
        wallet.reset()
        card.reset()
    }
}

/// Records commands, answers and field changes in order.
actor TapRecorder: CardTransport {
    private let reader: SimulatedReader
    private(set) var log: [String] = []
    private(set) var commands: [Bytes] = []
    private(set) var responses: [Bytes] = []

    init(_ presentation: any CardPresentation) { reader = SimulatedReader(presentation) }
    init(_ tap: SimulatedTap) { reader = SimulatedReader(tap) }
    init(_ reader: SimulatedReader) { self.reader = reader }

    func present(_ presentation: any CardPresentation) async { await reader.present(presentation) }
    func open() async -> ReaderFault? { await reader.open() }
    func waitForCard(_ poll: Poll) async -> CardEvent {
        if let hold = poll.fieldOff { log.append("off \(hold)") }
        log.append(poll.removalFirst ? "removal" : "poll")
        return await reader.waitForCard(poll)
    }
    func transceive(_ command: Bytes) async -> Exchange {
        commands.append(command)
        log.append(Hex.string(command))
        let exchange = await reader.transceive(command)
        if case .response(let bytes, _) = exchange { responses.append(bytes) } else { responses.append([]) }
        return exchange
    }
    func fieldOff() async { log.append("off") }
    func fieldOff(for hold: Duration) async {
        log.append("off")
        await reader.fieldOff(for: hold)
    }

    /// The commands that are not for a wallet.
    var paymentCommands: [Bytes] { commands.filter { !TapRecorder.isOfWallet($0) } }
    var walletCommands: [Bytes] { commands.filter(TapRecorder.isOfWallet) }

    static func isOfWallet(_ command: Bytes) -> Bool {
        command == WalletSelection.command || command == SmartTapSelection.select || command.first == 0x90
            || command.prefix(3) == [0x80, 0xCA, 0x01] && command.count > 5
    }

    static func isOfPayment(_ command: Bytes) -> Bool {
        command.prefix(2) == [0x80, 0xA8] || command.dropFirst(5).starts(with: Bytes("2PAY".utf8))
    }
}

let day = CalendarDate("2026-11-21")!
let noon = LocalTime(date: day, time: TimeOfDay(hour: 12, minute: 0, second: 0)!)
let random = RandomSource.fixed((0..<200).map { UInt8(truncatingIfNeeded: 0x51 &+ 0x25 &* $0) })

/// A reader for which only the time that cards report passes.
func reader(
    _ transport: any CardTransport, _ change: (inout TapReader.Options) -> Void = { _ in }
) -> TapReader {
    // Some tests use clocks on which time passes at once.
    var options = with(
        TapReader.Options(
            cardTimeout: .milliseconds(20), waitsForEmptyField: false, random: random, timer: SimulatedClock())
    ) {
        $0.clock = { noon }
        $0.openDeadline = nil
    }
    change(&options)
    return TapReader(transport, configuration: .simulator(), options: options)
}

func payment(_ amount: UInt64 = 1250) -> PaymentRequest {
    PaymentRequest(
        amount: Money(minorUnits: amount, currency: .eur), key: ReconciliationKey(rawValue: "key-\(amount)"))
}

/// The result of a payment, and its commands and answers.
struct PaymentTrace: Hashable, Sendable {
    let outcome: TapOutcome
    let commands: [Bytes]
    let responses: [Bytes]
}

func paymentTrace(_ outcome: TapOutcome, _ recorder: TapRecorder) async -> PaymentTrace {
    let commands = await recorder.commands, responses = await recorder.responses
    let places = commands.indices.filter { !TapRecorder.isOfWallet(commands[$0]) }
    return PaymentTrace(
        outcome: outcome, commands: places.map { commands[$0] }, responses: places.map { responses[$0] })
}

/// Freshness is not checked, because the published passes are from 2023.
func anyTime(_ keys: (any PassKeys)? = nil, _ signer: (any CollectorSigner)? = nil) -> LoyaltyContext {
    LoyaltyContext(passKeys: keys, signer: signer, freshness: .unsafeUnlimited)
}

/// Every sleep ends at once, except sleeps of one length, which never end.
struct PassingClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let endless: Duration

    init(but endless: Duration) { self.endless = endless }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while deadline.offset == endless { try await Task.sleep(for: .seconds(3600)) }
        try Task.checkCancellation()
    }
}
