// SPDX-License-Identifier: Apache-2.0
// Every Swift snippet of the documentation, compiled. DocumentationTests compares them with the articles line by line.
import EMVFormats
import EMVKit
import EMVSimulator
import Foundation

// README.md
func readmeSnippet() async {
    let card = CardProfile.named("online")!
    let reader = TapReader(
        SimulatedReader(card), configuration: .simulator(),
        // A card may take 90 seconds to come, and one that is left on the reader does not pay the next sale.
        options: .init(cardTimeout: .seconds(90), waitsForEmptyField: true, journal: MemoryJournal()))
    let amount = Money(minorUnits: 12_50, currency: .eur)
    // With its reference and a journal an order is paid once, however often somebody presses the button.
    let request = PaymentRequest(amount: amount, sale: SaleReference(rawValue: "order-1"))
    let result = await reader.charge(request, with: SimulatedAuthorizer())
    switch result.ending {
    case .approved(let approval, let read): print("Approved: \(approval.code), card \(read.maskedPAN?.lastFour ?? "?")")
    default: print("\(result.name), \(result.effect): \(result.problems.first?.description ?? "")")
    }
}

// EMVSimulator.md
func chargeVirtualCard(_ request: PaymentRequest) async -> ChargeResult {
    let reader = TapReader(SimulatedReader(.online), configuration: .simulator())
    return await reader.charge(request, with: SimulatedAuthorizer())
}

// FirstTap.md
func takePayment() async throws -> TapOutcome {
    let card = CardProfile.named("online")!
    let reader = TapReader(SimulatedReader(card), configuration: .simulator())
    let session = try await reader.prepare()
    return await session.read(PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur)))
}

func whatNext(_ outcome: TapOutcome) -> String {
    switch outcome {
    case .success(let read) where read.authorization == .approvedOffline: "paid"
    case .success, .onlinePINRequired: "ask the issuer"
    case .verified: "read without an amount, nothing paid"
    case .declined, .unreadable, .unsupportedNetwork, .limitExceeded, .onlinePINUnavailable, .tryAnotherInterface,
        .cancelled, .failed:
        "offer "
            + outcome.alternatives.compactMap { TextCatalogue().text($0.textKey)?.description }.joined(separator: ", ")
    }
}

// ChangingTheTotal.md
func sellWithFee(_ reader: TapReader, to acquirer: some Authorizer) async -> ChargeResult {
    let price = Money(minorUnits: 40_00, currency: .eur)
    var request = PaymentRequest(amount: price, key: ReconciliationKey())
    request.amountChange = AmountChange(upTo: Money(minorUnits: 40_60, currency: .eur)) { card in
        guard card.product == .commercial else { return nil }
        let lines = [LineItem("Order 1024", minorUnits: 40_00), LineItem(.charge, minorUnits: 60)]
        guard let bill = try? Bill(lines, currency: .eur) else { return nil }
        return AmountChange.Total(bill)
    }
    return await reader.charge(request, with: acquirer)
}

func sell(_ reader: TapReader, to acquirer: some Authorizer) async -> ChargeResult {
    let request = PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur), key: ReconciliationKey())
    return await reader.charge(request, with: acquirer)
}

func show(_ reader: TapReader, on display: (String) -> Void) async {
    for await charge in reader.charges() {
        switch charge.state {
        case .starting: display("getting ready")
        case .waitingForCard(let again): display(again ? "card once more" : "card, please")
        case .reading: display("reading")
        case .authorizing: display("asking the bank")
        case .enteringPIN: display("PIN")
        case .ended(let result): display(headline(result, of: charge.request))
        }
    }
}

func headline(_ result: ChargeResult, of request: PaymentRequest) -> String {
    let shown = Presentation(result, of: request)
    return TextCatalogue().text(shown.headline)?.description ?? result.name.rawValue
}

func askTheIssuer(_ reader: TapReader, _ acquirer: some Authorizer) async -> AuthorizationResult? {
    switch await reader.read(PaymentRequest(amount: Money(minorUnits: 12_50, currency: .eur))) {
    case .success(let read), .onlinePINRequired(let read): return await reader.authorize(read, with: acquirer)
    default: return nil
    }
}

func whatIsMissing(_ reader: TapReader) async -> [String] {
    let readiness = await reader.readiness(includingReader: true)
    let texts = TextCatalogue(language: .german)
    return (readiness.blocking + readiness.warnings).compactMap { texts.text($0.textKey)?.description }
}

// OwnTransport.md
/// What the reader's own library offers.
protocol Driver: Sendable {
    func connect() async -> Bool
    func poll(for milliseconds: Int) async -> Int?
    func send(_ command: [UInt8]) async -> [UInt8]?
    func field(on: Bool) async
}

actor DriverTransport: CardTransport {
    private let driver: any Driver

    init(_ driver: some Driver) { self.driver = driver }

    func open() async -> ReaderFault? {
        await driver.connect() ? nil : ReaderFault(.noReader, "No reader answers; check its cable")
    }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        if let hold = poll.fieldOff { await fieldOff(for: hold) } else if poll.removalFirst { await fieldOff() }
        if poll.removalFirst { return .removed }
        guard !Task.isCancelled else { return .nothing }
        await driver.field(on: true)
        let end = poll.timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            if let end, ContinuousClock.now >= end { return .nothing }
            guard let cards = await driver.poll(for: 50) else { return .readerGone }
            if cards == 1 { return .card }
            if cards > 1 { return .collision }
        }
        return .nothing
    }

    func transceive(_ command: Bytes) async -> Exchange {
        guard let response = await driver.send(command) else { return .fault(.timeout) }
        return .response(response, elapsed: nil)
    }

    func fieldOff() async { await driver.field(on: false) }
}

// TestingWithoutHardware.md
func everyOutcome() async throws -> [TapName] {
    var names: [TapName] = []
    var options = TapReader.Options(cardTimeout: .milliseconds(50))
    options.hasPINPad = true
    for tap in SimulatedTap.allCases {
        let reader = TapReader(SimulatedReader(tap), configuration: .simulator(), options: options)
        let money = Money(minorUnits: tap.amount, currency: .eur)
        names.append(await reader.read(PaymentRequest(amount: money)).name)
    }
    return names
}

func demonstration() -> (TapReader, SimulatedAuthorizer) {
    let reader = TapReader(SimulatedReader.byAmount(), configuration: .simulator())
    return (reader, SimulatedAuthorizer(.byAmount))
}

func aLostAnswerIsReversed() async throws -> Bool {
    let issuer = SimulatedAuthorizer(.loseAnswer)
    let reader = TapReader(SimulatedReader(.online), configuration: .simulator())
    let session = try await reader.prepare()
    let key = ReconciliationKey()
    guard
        case .success(let read) = await session.read(
            PaymentRequest(amount: Money(minorUnits: 500, currency: .eur), key: key)),
        case .reversed = await session.authorize(read, with: issuer).ending
    else { return false }
    return await issuer.ledger[key] == .reversed
}

// ShowingResults.md
func showPrompts(of reader: TapReader) async {
    for await prompt in reader.prompts() {
        guard let text = prompt.text else { continue }
        print(
            prompt.merchant ?? "", text, prompt.total?.text(in: prompt.language) ?? "", prompt.note?.description ?? "")
    }
}

func lines(_ outcome: TapOutcome, _ texts: TextCatalogue) -> [String] {
    let shown = Presentation(outcome)
    let keys = [shown.headline, shown.detail].compactMap { $0 } + outcome.alternatives.map(\.textKey)
    return keys.compactMap { texts.text($0)?.description }
}

func lines(_ result: ChargeResult, of request: PaymentRequest, _ texts: TextCatalogue) -> [String] {
    let shown = Presentation(result, of: request)
    let keys = [shown.headline, shown.detail].compactMap { $0 } + result.alternatives.map(\.textKey)
    return keys.compactMap { texts.text($0)?.description }
}

func ourReader(_ transport: some CardTransport, _ configuration: Configuration) -> TapReader {
    var options = TapReader.Options()
    options.payee = Merchant("Padaria Aurora")
    options.texts = TextCatalogue(language: .portuguese)
    return TapReader(transport, configuration: configuration, options: options)
}

func typedAmount(_ text: String) -> Money? { Money(typed: text, currency: .eur, language: .portuguese) }

func withTip(_ price: Money, _ choice: SuggestedAmounts.Choice) throws -> PaymentRequest {
    var lines = [LineItem("Subtotal", minorUnits: Int64(price.minorUnits))]
    if case .amount(let tip, _) = choice {
        lines.append(LineItem(.tip, minorUnits: Int64(tip.minorUnits)))
    }
    return PaymentRequest(try Bill(lines, currency: price.currency))
}

func refund(_ amount: Money, _ reader: TapReader, _ acquirer: some Authorizer) async -> ChargeResult {
    await reader.charge(PaymentRequest(amount: amount, kind: .refund), with: acquirer)
}

func receipt(_ result: ChargeResult) -> String? {
    Receipt(result, merchant: Merchant("Market hall"))?.text(.columns32, in: .portuguese, copy: .customer)
}

func printed(_ receipt: Receipt) -> [UInt8] {
    receipt.lines(.columns32, in: .german, codePage: .pc858).flatMap { CodePage.pc858.encoded($0) + [0x0A] }
}

func drawerOpen() throws -> Problem {
    Problem(
        own: "drawer.open", message: try PromptText("Cash drawer open"), remedy: try PromptText("Close the drawer"),
        actions: [.waitAndRetry])
}

func ownTexts() throws -> TextCatalogue {
    var texts = TextCatalogue(language: .french)
    texts[.message(.presentCard), .french] = try PromptText("Carte, téléphone ou montre ici")
    texts[TextKey("shop.closed"), .french] = try PromptText("Magasin fermé")
    return texts
}

func issuesOfOurTexts() throws -> [TextCatalogue.Issue] {
    let texts = try ownTexts()
    return Language.builtIn.flatMap { texts.issues(in: $0) }
}

func bill() throws -> PaymentRequest {
    let lines = [LineItem("Subtotal", minorUnits: 350), LineItem(.discount, minorUnits: -50)]
    let merchant = Merchant("Market hall", via: "Pay Desk", city: "Berlin")
    return PaymentRequest(try Bill(lines, currency: .eur), merchant: merchant)
}

func receipt(_ read: CardRead, _ result: AuthorizationResult) -> String? {
    let receipt = Receipt(read, result, merchant: Merchant("Market hall"))
    return receipt?.text(.columns32, in: .english, copy: .customer)
}

// PINAndSCA.md
struct OurPINPad: PINPad {
    let supportsAccessibility = true

    func collectPIN(_ request: PINRequest) async -> PINEntry {
        // The device shows the amount, takes the digits and encrypts them.
        guard let answer = await device.ask(request.amount, speaking: request.accessibility, for: request.timeout)
        else { return .cancelled }
        guard let block = EncryptedPINBlock(answer.block, format: .iso4, keySerialNumber: answer.key) else {
            return .failed([])
        }
        return .entered(block)
    }
}

func authorizeWithPIN(
    _ session: ReaderSession, _ read: CardRead, _ acquirer: some Authorizer, blind: Bool
) async -> AuthorizationResult {
    await session.authorize(read, with: acquirer, pinPad: OurPINPad(), accessibility: blind)
}

func authorizeByHand(
    _ session: ReaderSession, _ read: CardRead, _ acquirer: some Authorizer
) async -> AuthorizationResult {
    let first = await session.authorize(read, with: acquirer)
    guard case .pinRequested(let challenge) = first.ending else { return first }
    guard let block = await ourOwnPINEntry(challenge) else { return await session.giveUp(read) }
    return await session.authorize(read, answering: challenge, with: block)
}

func withoutPINPad(_ outcome: TapOutcome) -> String? {
    guard case .onlinePINUnavailable(let partial) = outcome else { return nil }
    return "payment link for \(partial.card.maskedPAN?.lastFour ?? "this card")"
}

func openTheShop(
    _ transport: some CardTransport, _ journal: some Journal, _ sealer: some PayloadSealer,
    _ acquirer: some DeliveringAuthorizer
) async throws -> (ReaderSession, Settlement) {
    let settlement = Settlement(journal, with: acquirer)
    for settled in try await settlement.recover() {
        store(settled)
        try await settlement.acknowledge(settled)
    }
    let options = TapReader.Options(journal: journal, sealer: sealer)
    let reader = TapReader(transport, configuration: .simulator(), options: options)
    return (try await reader.prepare(), settlement)
}

func sellOnce(_ session: ReaderSession, _ settlement: Settlement, _ acquirer: some Authorizer) async throws -> Bool {
    var request = PaymentRequest(amount: Money(minorUnits: 1250, currency: .eur))
    request.sale = SaleReference(rawValue: "order-4711")
    let result = await session.charge(request, with: acquirer)
    if let key = result.read?.key, let authorization = result.authorization {
        try await settlement.acknowledge(
            key, authorization, receipt: Receipt(result, merchant: Merchant("Our shop")))
    }
    return result.sale == .paid
}

func reprint(_ settled: Settled) -> String? {
    Receipt(settled, merchant: Merchant("Our shop"))?.text(.columns32, in: .english)
}

// Declarations that the snippets assume.
func store(_ settled: Settled) {}

struct Device: Sendable {
    func ask(_ amount: Money?, speaking: Bool, for time: Duration) async -> (block: Bytes, key: Bytes)? {
        guard let block = SimulatedPINPad.block() else { return nil }
        return (block.bytes, [1, 2, 3])
    }
}

let device = Device()

func ourOwnPINEntry(_ challenge: PINChallenge) async -> EncryptedPINBlock? { SimulatedPINPad.block() }

// FieldsForAHost

protocol AcquirerHost: Sendable {
    var isConnected: Bool { get }
    /// The host's answer: field 39, 38, an approved amount, and field 55 as `DataObjects(tlv:)` reads it.
    func send(_ message: [Int: [UInt8]], key: String, repeats: Int) async throws -> HostAnswer
    /// Returns field 39.
    func reverse(key: String, isRepeat: Bool) async throws -> String
    func advise(key: String) async throws -> Bool
}

actor AcquirerAdapter: DeliveringAuthorizer {
    /// A test host says `true`; a live one leaves this line out, and is never asked about a simulated card.
    nonisolated let acceptsSimulatedReads = true
    private let host: any AcquirerHost
    /// The acquirer's rows go before EMVKit's.
    private let codes: ResponseCodeTable

    init(_ host: any AcquirerHost, codes: ResponseCodeTable = ResponseCodeTable(takesPINOnSameTap: true)) {
        self.host = host
        self.codes = codes
    }

    func authorize(_ request: AuthorizationRequest) async throws -> IssuerDecision {
        guard host.isConnected else { return .failed([Problem(.hostUnreachable)]) }
        // From here on the request may have left: an error that is thrown asks for a reversal, and so does a response
        // code that decides nothing.
        let answer = try await host.send(try message(request), key: request.key.rawValue, repeats: request.attempt - 1)
        return try codes.decision(answer, to: request)
    }

    func reverse(_ reversal: Reversal) async throws {
        let code = try await host.reverse(key: reversal.key.rawValue, isRepeat: reversal.isRepeat)
        try codes.confirmReversal(code)
    }

    func deliver(_ record: FinancialRecord) async throws -> Delivery {
        try await host.advise(key: record.key.rawValue) ? .received : .retryLater(after: .seconds(60))
    }
}

let ourAcquirer = ResponseCodeTable(
    rows: [
        .init(["08"], .approved, "Signature, which our tills ask for"),
        .init(["Q9"], .declined(.suspectedFraud), networks: [.visa, .mastercard]),
    ],
    takesPINOnSameTap: true)

func message(_ request: AuthorizationRequest) throws -> [Int: [UInt8]] {
    let fields = try request.hostFields(pin: .capable)
    var message: [Int: [UInt8]] = [:]
    // Money that goes back has another processing code: an adapter without it charges whoever wants a refund.
    let codes: [PaymentRequest.Kind: String] = [.purchase: "000000", .cash: "010000", .refund: "200000"]
    let digits = "\(request.amount.minorUnits)"
    message[3] = Array((codes[request.kind] ?? "090000").utf8)
    message[4] = Array((String(repeating: "0", count: 12 - digits.count) + digits).utf8)
    message[22] = fields.message.entryMode.map { Array($0.utf8) }
    message[23] = fields.message.sequenceNumber.map { Array($0.utf8) }
    message[35] = fields.message.track2.map { Array($0.utf8) }
    message[45] = fields.message.track1.map { Array($0.utf8) }
    message[52] = fields.pinBlock?.bytes
    message[55] = fields.chip?.bytes
    return message
}

// FleetMetrics

actor FleetFigures {
    private(set) var statistics = TapStatistics()
    func add(_ metric: TapMetric) { statistics.add(metric) }
}

struct FleetSink: MetricsSink {
    let figures: FleetFigures
    func record(_ metric: TapMetric) { Task { await figures.add(metric) } }
}

func countedReader(_ transport: any CardTransport, _ figures: FleetFigures) -> TapReader {
    var options = TapReader.Options()
    options.metrics = FleetSink(figures: figures)
    return TapReader(transport, configuration: .simulator(), options: options)
}

// ConfiguringAReader

func acquirersConfiguration(_ keys: [CAKey]) throws -> Configuration {
    try Configuration.acquirer(
        country: Country(code: "DE")!, currency: .eur,
        networks: [
            .visa(limit: 100_000, verifiedFrom: 50_00), .mastercard(limit: 100_000, verifiedFrom: 50_00),
            .maestro(verifiedFrom: 50_00), .americanExpress(verifiedFrom: 50_00),
        ],
        caKeys: keys, merchantCategory: 5999)
}

func whatItDoes(_ configuration: Configuration) -> [String] {
    let review = configuration.review(on: CalendarDate(year: 2026, month: 11, day: 21))
    return review.networks.map { "\($0.name): offline \($0.offline)" } + review.remarks.map { "\($0)" }
}

func readAll(_ path: String) throws -> Bytes { Bytes(try Data(contentsOf: URL(fileURLWithPath: path))) }

func fromFile(_ path: String) throws -> Configuration {
    let reading = Configuration.reading(json: try readAll(path), file: path, leavingOutBadCAKeys: true)
    for key in reading.leftOut { print("left out: \(key)") }
    guard let configuration = reading.configuration else { throw reading.errors[0] }
    return configuration
}

// AccountDataInMemory

func sealAtOnce(_ outcome: TapOutcome, _ sealer: some PayloadSealer) async throws -> SealedPayload? {
    switch outcome {
    case .success(let read), .onlinePINRequired(let read): try await read.sealed(by: sealer).payload
    case .verified(let card): try await card.sealed(by: sealer).payload
    case .onlinePINUnavailable(let read): try await read.sealed(by: sealer).payload
    default: nil
    }
}

// ADayAtATill.md
struct MarketTill {
    let reader: TapReader
    let settlement: Settlement
    let journal: MemoryJournal
    let acquirer: any DeliveringAuthorizer
    let shop = Merchant("Market hall")
    let euro = Currency.eur

    init(_ transport: some CardTransport, _ acquirer: some DeliveringAuthorizer, _ offline: OfflinePolicy? = nil) {
        // A tip of up to 5.00 may be added when a tab is captured.
        journal = MemoryJournal(allowedTip: 5_00)
        settlement = Settlement(journal, with: acquirer)
        self.acquirer = acquirer
        let vault = SimulatedSealer()
        var options = TapReader.Options(journal: journal, sealer: vault, fingerprints: vault, offline: offline)
        options.payee = shop
        reader = TapReader(transport, configuration: .simulator(), options: options)
    }
}

extension MarketTill {
    func open() async throws -> [Receipt] {
        var receipts: [Receipt] = []
        for settled in try await settlement.recover() {
            if let receipt = Receipt(settled, merchant: shop) { receipts.append(receipt) }
            if settled.ending != .unknown { try await settlement.acknowledge(settled) }
        }
        _ = try await reader.prepare()
        return receipts
    }
}

extension MarketTill {
    func sell(_ price: UInt64, order: String) async throws -> ChargeResult {
        var request = PaymentRequest(amount: Money(minorUnits: price, currency: euro), key: ReconciliationKey())
        request.sale = SaleReference(rawValue: order)
        request.acceptsPartialApproval = true
        let result = await reader.charge(request, with: acquirer)
        if let key = request.key, let authorization = result.authorization, authorization.effect != .mayBeBooked {
            try await settlement.acknowledge(key, authorization, receipt: Receipt(result, merchant: shop))
        }
        return result
    }
}

func whatTheCashierDoes(_ result: ChargeResult) -> String {
    switch result.ending {
    case .approved: result.sale == .paid ? "hand over the goods" : "take the rest by another means"
    case .accepted: "hand over the goods; the host decides later, at your risk"
    case .declined: "offer another card or cash"
    case .pinRequested: "connect the PIN pad, or offer another way to pay"
    case .notRead(let outcome):
        outcome.alternatives.contains(.retry) ? "have the card presented again" : "offer another card or cash"
    case .failed: "nothing was charged: follow the shown step"
    case .reversed: "nothing is charged: take the payment again"
    case .unknown: "take nothing else for this order, and wait for the look-up"
    case .keyUsed(_, let earlier): earlier == nil ? "wait for the payment in progress" : "act on the earlier result"
    case .saleSettled: "hand over the goods: the order is already paid"
    case .saleOpen: "wait for the earlier payment of this order"
    case .running: "wait: the charge continues"
    }
}

extension MarketTill {
    func lookUp(_ key: ReconciliationKey) async throws -> Settled? {
        _ = await settlement.forwardNow()
        let settled = try await settlement.settled(key)
        if let settled, settled.ending != .unknown { try await settlement.acknowledge(settled) }
        return settled
    }
}

extension MarketTill {
    func refund(_ amount: UInt64, of payment: ReconciliationKey) async throws -> String? {
        try await followUp(.refund(Money(minorUnits: amount, currency: euro)), of: payment)
    }

    func void(_ payment: ReconciliationKey) async throws -> String? { try await followUp(.void, of: payment) }

    private func followUp(_ action: FollowUp.Action, of payment: ReconciliationKey) async throws -> String? {
        let followUp = FollowUp(action, of: payment)
        try await settlement.submit(followUp)
        _ = await settlement.forwardNow()
        guard let settled = try await settlement.settled(followUp.key) else { return nil }
        return Receipt(settled, merchant: shop)?.html(in: .english)
    }
}

extension MarketTill {
    func openTab(_ amount: UInt64) async throws -> ReconciliationKey? {
        let estimate = Money(minorUnits: amount, currency: euro)
        let key = ReconciliationKey()
        let result = await reader.charge(PaymentRequest(amount: estimate, terms: .estimated, key: key), with: acquirer)
        guard case .approved = result.ending else { return nil }
        try await settlement.acknowledge(key)
        return key
    }

    func closeTab(_ tab: ReconciliationKey, total: UInt64, tip: UInt64, rounds: UInt64 = 0) async throws -> String? {
        if rounds > 0 { _ = try await followUp(.increment(Money(minorUnits: rounds, currency: euro)), of: tab) }
        let tip = Money(minorUnits: tip, currency: euro)
        return try await followUp(.capture(Money(minorUnits: total, currency: euro), tip: tip), of: tab)
    }
}

func marketLimits() -> OfflinePolicy {
    let euro = OfflineLimits.Amounts(perTap: Money(minorUnits: 25_00, currency: .eur), perCard: 50_00, total: 500_00)
    return OfflinePolicy(limits: OfflineLimits(amounts: [euro], oldest: .seconds(12 * 3_600)))
}

extension MarketTill {
    func acceptDollars() async throws { try await reader.adopt(.simulator(currency: .usd)) }
}

extension MarketTill {
    func closeDay(
        after cut: UInt64, host: [ReconciliationKey: Money]
    ) async throws -> (net: Int64, next: UInt64, open: Int) {
        let standing = await settlement.forwardNow()
        let day = try await journal.totals(after: cut)
        for difference in try await journal.totals().differences(from: host) {
            print("the host and this till disagree on \(difference.key)")
        }
        return (day.net[euro] ?? 0, day.number, standing.unresolved.count)
    }
}
