// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS
import EMVCards

/// A replayed trace for the page: the document of `emv-bench replay --json --steps`, and in addition the page's view of
/// each step, of the outcome, and of the issuer's data.
struct ReplayAnswer {
    let trace: Trace
    let file: String
    /// `nil`: the card's preferred language, or English.
    let language: Language?
    let showsPAN: Bool
    /// True if the saved trace keeps the account number.
    let savesAccount: Bool

    /// An answer, and its steps unmasked; the steps never leave the engine.
    struct Told {
        let json: OutputJSON
        var steps: [ReplayStep] = []
    }

    static func unusable(_ file: String, _ why: String) -> Told {
        Told(
            json: .object([("report", ReplayJSON.document([ReplayJSON.unusable(file, why)])), ("error", .string(why))]))
    }

    /// - Parameter completing: the trace has no expectation yet and gets the result as its expectation.
    func told(completing: Bool = false) -> Told {
        var steps: [ReplayStep] = []
        let report: ReplayReport
        do throws(ConfigurationError) {
            let replay = try TraceReplay(trace, secrets: .simulatorVariableTime)
            do throws(ReplayError) {
                report = try replay.run(observer: { steps.append($0) })
            } catch {
                return ReplayAnswer.unusable(file, error.description)
            }
        } catch {
            return ReplayAnswer.unusable(file, error.description)
        }
        let story = ReplayStory(steps, AccountMask(trace))
        let outcome = report.outcome
        let scheme = PaymentScheme(aid: outcome.applicationName) ?? outcome.kernel.flatMap { PaymentScheme(kernel: $0) }
        let nodes = NodeJSON(showsPAN ? nil : AccountMask(trace), scheme: scheme, kernel: outcome.kernel)
        var lists = DataLists()
        let told = steps.map { step(StepPlace(step: $0, nodes: nodes), &lists) }
        let json = OutputJSON.object([
            (
                "report",
                ReplayJSON.document([ReplayJSON.replayed(file, trace.name, report, Reason(trace, steps, report), story)]
                )
            ),
            ("name", .string(trace.name)), ("source", .string(trace.source)), ("redacted", .bool(trace.isRedacted)),
            ("transaction", transaction), ("steps", .array(told)), ("outcome", self.outcome(outcome, lists, nodes)),
            ("dataRecord", nodes.tree(outcome.dataRecord?.bytes ?? [])),
            ("discretionary", nodes.tree(outcome.discretionary?.bytes ?? [])),
            ("issuer", issuer(outcome, nodes)), ("cryptogram", cryptogram(outcome, nodes)),
            ("recorded", recorded), ("trace", .string(saved(report, completing: completing))),
        ])
        return Told(json: json, steps: steps)
    }

    /// The result of a masked trace before it was masked, if the trace states it.
    private var recorded: OutputJSON {
        guard let recorded = trace.recorded else { return .null }
        return .object([
            ("tap", .string(recorded.tap.rawValue)), ("outcome", .optional(recorded.outcome?.rawValue)),
            ("cvm", .optional(recorded.cvm?.rawValue)),
            ("differences", .array(recorded.differences.map { ReplayJSON.difference($0) })),
        ])
    }

    /// No saved trace holds the data of a phone's passes: the page has no way to request them.
    private func saved(_ report: ReplayReport, completing: Bool) -> String {
        var saved = (savesAccount ? trace : trace.redacted(after: report)).withoutPasses()
        if completing {
            saved.expectation = Trace.Expectation(
                tap: report.tap, outcome: report.outcome.status == .none ? nil : report.outcome.status,
                cvm: report.outcome.cvm, messages: report.messages, apdus: report.commands)
        }
        return saved.json
    }

    private var transaction: OutputJSON {
        let transaction = trace.transaction
        let types: KeyValuePairs<String, TransactionType> = [
            "purchase": .purchase, "cash": .cash, "cashBack": .cashBack, "refund": .refund,
        ]
        let currency =
            Currency(numeric: transaction.currency)
            ?? Currency(code: "", numeric: transaction.currency, exponent: transaction.exponent)
        let type = types.first { $0.value == transaction.type }?.key ?? transaction.type.description
        return .object([
            ("type", .string(type)), ("amount", .raw("\(transaction.amount)")),
            ("amountText", .string(Money(minorUnits: transaction.amount, currency: currency).description)),
            ("currency", .string(currency.code)), ("exponent", .integer(Int(transaction.exponent))),
            ("date", .string(transaction.date.description)), ("time", .string(transaction.time.description)),
        ])
    }

    // MARK: Steps

    private struct StepPlace {
        let step: ReplayStep
        let nodes: NodeJSON
    }

    private func step(_ place: StepPlace, _ lists: inout DataLists) -> OutputJSON {
        let (step, nodes) = (place.step, place.nodes)
        let state = step.wait.map { EngineNames.kernel($0.state.kernel) + ": " + EngineNames.state($0.state) }
        let command = step.wait?.command ?? []
        let commandJSON = command.isEmpty ? OutputJSON.null : nodes.command(command, lists.reading(of: command))
        var response = OutputJSON.null, milliseconds = OutputJSON.null
        if case .response(let bytes, let elapsed)? = step.reply {
            response = nodes.response(bytes)
            if let elapsed { milliseconds = .raw(ReplayAnswer.milliseconds(elapsed)) }
            lists.learn(command, bytes)
        }
        return .object([
            ("state", .optional(state)), ("kind", .string(ReplayAnswer.kind(step.reply))), ("command", commandJSON),
            ("response", response), ("given", given(step.reply, nodes)), ("ms", milliseconds),
            ("prompts", .array(step.messages.compactMap { prompt($0) })),
            ("exchange", nodes.tree(step.exchange)),
        ])
    }

    /// Data from sources other than the card: terminal data, the issuer's answer.
    private func given(_ reply: Reply?, _ nodes: NodeJSON) -> OutputJSON {
        let bytes: Bytes
        switch reply {
        case .data(let data)?: bytes = data
        case .online(let data?, _)?: bytes = data.encoded
        case .pin(_, let data)?: bytes = data.encoded
        default: return .null
        }
        return .object([("hex", .string(nodes.objects(bytes))), ("tree", nodes.tree(bytes))])
    }

    /// Formats a time with at most three decimals.
    static func milliseconds(_ duration: Duration) -> String {
        let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        let (whole, part) = (microseconds / 1000, microseconds % 1000)
        guard part != 0 else { return "\(whole)" }
        let digits = "\(part)"
        return "\(whole)." + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    private static func kind(_ reply: Reply?) -> String {
        switch reply {
        case nil: "begin"
        case .response?: "response"
        case .fault?: "fault"
        case .card?: "card"
        case .collision?: "collision"
        case .collisionCleared?: "collisionCleared"
        case .removed?: "removed"
        case .data?: "data"
        case .deadlinePassed?: "deadline"
        case .stop?: "stop"
        case .carryOn?: "carryOn"
        case .online?: "online"
        case .pin?: "pin"
        case .abandon?: "abandon"
        }
    }

    /// `nil`: the message does not change.
    private func prompt(_ request: UIRequest) -> OutputJSON? {
        guard request.message != .unchanged else { return nil }
        var request = request
        if language != nil { request.language = "" }
        let prompt = Prompt(request, texts: TextCatalogue(language: language ?? .english))
        let tone =
            switch prompt.cue {
            case .none: "none"
            case .steady: "steady"
            case .ready: "ready"
            case .cardRead: "cardRead"
            case .alert: "alert"
            }
        return .object([
            ("message", .string(request.message.description)), ("text", .optional(prompt.text?.description)),
            ("language", .string(prompt.language.rawValue)),
            ("spoken", .optional(prompt.spokenText?.description)), ("tone", .string(tone)),
            ("holdMs", .raw(ReplayAnswer.milliseconds(prompt.hold))),
        ])
    }

    // MARK: Outcome

    private func outcome(_ outcome: Outcome, _ lists: DataLists, _ nodes: NodeJSON) -> OutputJSON {
        let error = outcome.errorIndication.bytes
        let account = ChipData(outcome).accountNumber.map { showsPAN ? $0.digits : $0.masked }
        let start =
            switch outcome.start {
            case .a: "A"
            case .b: "B"
            case .c: "C"
            case .d: "D"
            case .notApplicable: "none"
            }
        return .object([
            ("status", .string(outcome.status.rawValue)), ("cvm", .string(outcome.cvm.rawValue)),
            ("kernel", .string(EngineNames.kernel(outcome.kernel))), ("start", .string(start)),
            ("reason", .string(outcome.reason.rawValue)), ("receipt", .bool(outcome.receipt)),
            ("fieldOffMs", outcome.fieldOff.map { .raw(ReplayAnswer.milliseconds($0)) } ?? .null),
            ("alternateInterface", .string(outcome.alternateInterface.rawValue)),
            ("application", .string(nodes.hex(outcome.applicationName))), ("label", .optional(nodes.label(lists))),
            ("pan", .optional(account)), ("error", .string(nodes.mask?.errorIndication(error) ?? Hex.string(error))),
        ])
    }

    // MARK: Data for the issuer

    private func issuer(_ outcome: Outcome, _ nodes: NodeJSON) -> OutputJSON {
        let lines = outcome.dataRecord.map { nodes.masked(nodes.decoder.decode($0.bytes)).issuer } ?? []
        var field = OutputJSON.null
        var problem: String?
        let chip = ChipData(outcome)
        if chip.mode == .emv {
            do throws(IssuerDataSetError) {
                let bytes = try chip.dataSet().bytes
                field = .object([
                    ("length", .integer(bytes.count)), ("hex", .string(nodes.objects(bytes))),
                    ("tree", nodes.tree(bytes)),
                ])
            } catch {
                problem = ReplayAnswer.text(error)
            }
        }
        return .object([("lines", .strings(lines)), ("field55", field), ("problem", .optional(problem))])
    }

    private static func text(_ error: IssuerDataSetError) -> String {
        switch error {
        case .missing(let tag): "\(tag) is missing"
        case .tooLong(let needed): "\(needed) bytes are too many"
        case .duplicate(let tag): "\(tag) stands twice"
        case .tooManyEntries(let count): "\(count) entries are too many"
        case .noDefault: "the scheme is not known"
        }
    }

    /// The data that the cryptogram covers, as far as the card's version is known.
    private func cryptogram(_ outcome: Outcome, _ nodes: NodeJSON) -> OutputJSON {
        let chip = ChipData(outcome)
        guard let value = chip.cryptogram else { return .null }
        let type: String? =
            switch chip.cryptogramType {
            case .aac?: "AAC"
            case .tc?: "TC"
            case .arqc?: "ARQC"
            case nil: nil
            }
        var rule: CryptogramRule?
        if let scheme = issuerScheme(outcome, chip.scheme), let data = chip[0x9F10] {
            rule = CryptogramRule(issuerData: [UInt8](data), scheme: scheme)
        }
        var inputs = DataObjects()
        // Data that a record omits were zero for card and issuer alike, like Amount, Other without cash back.
        for (tag, length) in rule?.coveredTags ?? [] {
            inputs[tag] = chip[tag].map { Bytes($0) } ?? Bytes(repeating: 0, count: length)
        }
        if rule != nil { inputs[0x9F10] = chip[0x9F10].map { Bytes($0) } }
        let message = rule?.message { tag in inputs[tag] }
        let problem =
            rule == nil
            ? "the cryptogram version is not known" : message == nil ? "the data record lacks what it covers" : nil
        return .object([
            ("type", .optional(type)), ("value", .string(nodes.hex(value))),
            ("counter", .optional(chip.transactionCounter.map { Int($0) })),
            ("rule", .optional(rule.map { ReplayAnswer.text($0) })), ("inputs", nodes.tree(inputs.encoded)),
            ("message", .optional(message.map { nodes.hex($0) })), ("problem", .optional(problem)),
        ])
    }

    private func issuerScheme(_ outcome: Outcome, _ scheme: PaymentScheme?) -> IssuerScheme? {
        let name: String
        switch scheme {
        case _ where outcome.kernel == KernelID(number: 8): name = "kernel8"
        case .amex?: name = "americanExpress"
        case let scheme?: name = scheme.rawValue
        case nil: return nil
        }
        return IssuerScheme.allCases.first { $0.description == name }
    }

    private static func text(_ rule: CryptogramRule) -> String {
        let key =
            switch rule.sessionKey {
            case .card: "the card's own key"
            case .common: "the common session key over the counter"
            case .mastercard: "a session key over counter and unpredictable number"
            case .tree: "the tree of EMV 2000"
            case .unionPay: "counter and its complement under the card's key"
            }
        let parts = rule.issuerData.map { "\($0.lowerBound + 1) to \($0.upperBound)" }.joined(separator: ", ")
        return (rule.algorithm == .aes ? "AES" : "triple DES") + "; " + key
            + (parts.isEmpty ? "" : "; of 9F10 bytes " + parts)
    }
}
