// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVSimulator

/// Amount, tap, authorisation, result, alternatives, receipt: the whole of a sale.
struct PointOfSale {
    let reader: TapReader
    let configuration: Configuration
    /// Accepts the cards that are typed; `nil` with a real reader.
    let simulator: SimulatedReader?
    let texts: TextCatalogue
    let merchant: Merchant
    let width: Receipt.Width
    let keyboard = Keyboard()
    let screen = Screen()
    let bank = DemoBank()
    let pinPad: DemoPINPad
    /// Settles the open payments of a journal; `nil` without a journal.
    let settlement: Settlement?
    private let journal: (any Journal)?

    init(
        _ transport: any CardTransport, _ configuration: Configuration, options: TapReader.Options, merchant: Merchant,
        width: Receipt.Width, journal: (any Journal)? = nil
    ) {
        reader = TapReader(transport, configuration: configuration, options: options)
        self.configuration = configuration
        simulator = transport as? SimulatedReader
        texts = options.texts
        self.merchant = merchant
        self.width = width
        pinPad = DemoPINPad(keyboard: keyboard, screen: screen, bank: bank)
        self.journal = journal
        settlement = journal.map { [bank] in Settlement($0, with: bank) }
    }

    func open() async {
        await screen.line(merchant.displayName)
        await screen.line(simulator == nil ? "Card reader (PC/SC)" : "Simulated reader: no money moves")
        guard await settle() else { return }
        // Runs until the POS closes: delivers reversals, and the records that the host has not received.
        let settling = Task { await settlement?.run() }
        defer { settling.cancel() }
        // Prepares before any customer is there. If it fails, the first read reports why, and tries again.
        let preparing = Task { try? await reader.prepare() }
        while let amount = await askAmount() { await sell(amount) }
        preparing.cancel()
        await reader.cancel()
    }

    // MARK: - What an earlier run left

    /// Before the first sale: open payments are settled by their keys alone. An app stores each result, then
    /// acknowledges.
    ///
    /// - Returns: whether payments can be journalled.
    private func settle() async -> Bool {
        guard let settlement, let journal else { return true }
        do throws(JournalError) {
            for settled in try await settlement.recover() {
                await screen.line("  Left open: \(settled.amount) \(settled.ending.name.rawValue)")
                try await settlement.acknowledge(settled)
            }
            let standing = try await journal.standing()
            let waiting = standing.deferred.count + standing.unreported.count + standing.unresolved.count
            if waiting > 0 { await screen.line("  Waiting for the host: \(waiting)") }
            return true
        } catch {
            await screen.line("  \(text(error.problem.textKey))")
            return false
        }
    }

    // MARK: - The sale

    private func askAmount() async -> Money? {
        while true {
            guard let typed = await ask("Amount in EUR (q quits):"), typed != "q" else { return nil }
            guard let amount = Money(typed: typed, currency: .eur, language: texts.language) else {
                await screen.line("  12.50, for example")
                continue
            }
            let problems = PaymentRequest(amount: amount).validate()
            if problems.isEmpty { return amount }
            for problem in problems { await screen.line("  \(text(problem.textKey))") }
        }
    }

    private func sell(_ amount: Money) async {
        while true {
            // The key exists before the tap: an app stores it here, so that it can look the payment up later.
            let request = PaymentRequest(amount: amount, key: ReconciliationKey())
            let alternatives = await attempt(request)
            guard !alternatives.isEmpty else { return }
            switch await choose(alternatives) {
            case .retry, .startAgain, .anotherCard, .waitAndRetry, .checkReader, .enterPIN: continue
            case .cash:
                await screen.line("  \(text("alternative.cash")): \(amount.text(in: texts.language))")
                return
            case .some(let other):
                await screen.line("  \(text(other.textKey)): outside this demonstration")
                return
            case nil: return
            }
        }
    }

    /// One tap, the authorisation and the receipt. Returns the alternatives; empty if the sale is over.
    private func attempt(_ request: PaymentRequest) async -> [Alternative] {
        let outcome = await withCards { await following { await reader.read(request) } }
        switch outcome {
        case .success(let read), .onlinePINRequired(let read): return await authorize(read)
        case .declined(let read):
            await show(Presentation(outcome), outcome.problems)
            await printReceipt(Receipt(read, merchant: merchant, label: label(read)))
        default: await show(Presentation(outcome), outcome.problems)
        }
        return outcome.alternatives
    }

    private func authorize(_ read: CardRead) async -> [Alternative] {
        await screen.line("  \(label(read)) \(read.card.maskedPAN?.lastFourOnly.description ?? "")")
        // An app that does nothing between tap and authorisation calls `reader.charge` instead.
        let result = await following { await reader.authorize(read, with: bank, pinPad: pinPad) }
        await show(Presentation(result, of: read), result.problems)
        let receipt = Receipt(read, result, merchant: merchant, label: label(read))
        await printReceipt(receipt)
        // The customer and the POS have the result. Without this, a restart would report it again.
        if let key = read.key { try? await settlement?.acknowledge(key, result, receipt: receipt) }
        return result.alternatives
    }

    // MARK: - What people see

    /// The reader's events while something happens.
    private func following<Result: Sendable>(_ work: () async -> Result) async -> Result {
        let events = reader.events()
        let listener = Task {
            for await event in events {
                switch event {
                case .prompt(let prompt):
                    // The request to the issuer shows as progress.
                    guard let text = prompt.text, prompt.message != .authorising else { continue }
                    await screen.prompt(
                        text.description, total: prompt.total?.text(in: prompt.language), note: prompt.note?.description
                    )
                case .authorizing: await screen.startProgress(text("progress.authorizing"))
                case .pinEntry, .pinEntryFinished: await screen.stopProgress()
                case .cardInUse(let fault): await screen.line("  \(fault.explanation)")
                default: continue
                }
            }
        }
        let result = await work()
        // Events published before the end are shown before the next output.
        try? await Task.sleep(for: .milliseconds(50))
        listener.cancel()
        await listener.value
        await screen.stopProgress()
        return result
    }

    private func show(_ presentation: Presentation, _ problems: [Problem]) async {
        await screen.headline(text(presentation.headline), mark: presentation.mark)
        // The part of the reason that the customer may read; the codes are for the log.
        if let detail = presentation.detail { await screen.line("  \(text(detail))") }
        if let problem = problems.first, presentation.detail != nil {
            await screen.line("  \(text(problem.remedyKey))")
        }
        if presentation.alert { await screen.line("  !") }
    }

    private func choose(_ alternatives: [Alternative]) async -> Alternative? {
        for (number, alternative) in alternatives.enumerated() {
            await screen.line("  \(number + 1) \(text(alternative.textKey))")
        }
        guard let choice = await ask("Choice (Enter: new sale):").flatMap({ Int($0) }),
            alternatives.indices.contains(choice - 1)
        else { return nil }
        return alternatives[choice - 1]
    }

    private func printReceipt(_ receipt: Receipt?) async {
        guard let receipt else { return }
        await screen.line("")
        for line in receipt.lines(width, in: texts.language, texts: texts) { await screen.line(line) }
        await screen.line("")
    }

    private func ask(_ question: String) async -> String? {
        await screen.ask(question)
        let line = await keyboard.line()
        await screen.answered(byHand: line != nil)
        return line
    }

    private func text(_ key: TextKey) -> String { texts.text(key)?.description ?? key.rawValue }
    private func text(_ key: String) -> String { text(TextKey(key)) }

    private func label(_ read: CardRead) -> String {
        if !read.card.label.isEmpty { return read.card.label }
        return configuration.combinations.first { read.card.application.starts(with: $0.aid) }?.name ?? "-"
    }

    // MARK: - Cards

    /// On the simulator a card is put on the reader by its name; anywhere, `c` cancels.
    private func withCards(_ tap: () async -> TapOutcome) async -> TapOutcome {
        let hand = Task {
            while !Task.isCancelled {
                guard let word = await ask(simulator == nil ? "c cancels:" : "Card (? lists them, c cancels):") else {
                    return
                }
                if word == "c" { return await reader.cancel() }
                guard let simulator else { continue }
                guard let card = DemoCard(rawValue: word.isEmpty ? "card" : word) else {
                    for card in DemoCard.allCases {
                        await screen.line("  \(card.rawValue.padded(to: 12))\(card.summary)")
                    }
                    continue
                }
                await bank.expect(card.behaviour)
                await simulator.present(card.presentation)
                return
            }
        }
        let outcome = await tap()
        hand.cancel()
        await hand.value
        await simulator?.present(EmptyField())
        return outcome
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(1, count - self.count))
    }
}
