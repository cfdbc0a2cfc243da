// SPDX-License-Identifier: Apache-2.0
#if Tools
// Passes in `emv-bench tap` and `replay`: the request, the keys, and the results.
import EMVFormats
import EMVKit
import EMVLoyalty
import Foundation

/// A document of emv-loyalty/1 and its keys.
struct PassRequest: Sendable {
    let document: LoyaltyDocument
    let context: LoyaltyContext

    /// - Parameter keys: `ID=FILE`; the file is a private key in PEM.
    init(contentsOf path: String, keys: [String]) throws {
        do throws(FormatError) {
            document = try LoyaltyDocument(contentsOf: path)
        } catch {
            throw BenchFailure("\(error)")
        }
        #if Loyalty
        var loaded = LoyaltyKeys()
        for key in keys {
            let (programme, file) = try PassRequest.parts(of: key, document)
            guard let data = FileManager.default.contents(atPath: file) else {
                throw BenchFailure("--loyalty-key: \(file) cannot be read")
            }
            do throws(LoyaltyKeyError) {
                try loaded.add(pem: String(decoding: data, as: UTF8.self), for: programme)
            } catch {
                throw BenchFailure("--loyalty-key: \(file): \(error)")
            }
        }
        context = keys.isEmpty ? LoyaltyContext() : LoyaltyContext(passKeys: loaded, signer: loaded)
        #else
        guard keys.isEmpty else {
            throw BenchFailure(
                "--loyalty-key needs a build with its trait: swift run -c release --traits Tools,Loyalty emv-bench tap")
        }
        context = LoyaltyContext()
        #endif
    }

    private static func parts(of key: String, _ document: LoyaltyDocument) throws -> (LoyaltyProgramme, String) {
        let parts = key.split(separator: "=", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else { throw BenchFailure("--loyalty-key: expected ID=FILE") }
        guard let programme = document.request.programmes.first(where: { $0.id.rawValue == parts[0] }) else {
            let known = document.request.programmes.map(\.id.rawValue).joined(separator: ", ")
            throw BenchFailure("--loyalty-key: no programme \(parts[0]); expected one of: \(known)")
        }
        return (programme, parts[1])
    }
}

/// The results of the passes of one tap.
struct PassReport {
    let document: LoyaltyDocument
    private let outcomes: [(id: String, name: String, outcome: PassOutcome?)]
    private let includesPasses: Bool

    init(_ request: PassRequest, _ result: LoyaltyResult, includesPasses: Bool) {
        document = request.document
        self.includesPasses = includesPasses
        outcomes = document.request.programmes.map { programme in
            (programme.id.rawValue, programme.name, result[programme.id])
        }
    }

    /// The name of each outcome, by programme id; programmes without a presented phone are left out.
    var names: [String: String] {
        var names: [String: String] = [:]
        for (id, _, outcome) in outcomes { names[id] = outcome?.name.rawValue }
        return names
    }

    var text: String {
        var table = Table(["passes", "outcome", ""])
        for (id, name, outcome) in outcomes {
            let shown = printable(name.isEmpty ? id : name)
            table.add([shown, outcome?.name.rawValue ?? "no phone", detail(outcome) ?? value(outcome)?.text ?? ""])
        }
        return table.text
    }

    var json: JSON {
        .array(
            outcomes.map { id, _, outcome in
                var pairs: [(String, JSON)] = [
                    ("id", .string(id)), ("outcome", outcome.map { .string($0.name.rawValue) } ?? .null),
                ]
                if let detail = detail(outcome) { pairs.append(("reason", .string(detail))) }
                if let value = value(outcome) {
                    pairs.append(("value", .string(value.plain)))
                    pairs.append(("encoding", .string(value.encoding)))
                }
                return .object(pairs)
            })
    }

    private func detail(_ outcome: PassOutcome?) -> String? {
        switch outcome {
        case .refused(let status)?: "\(status)"
        case .unreadable(let fault)?: "\(fault)"
        case .notAsked(let reason)?: reason.rawValue
        default: nil
        }
    }

    /// The content of a pass.
    private enum Value {
        case text(String)
        /// The wallet marks the content as binary, or the pass is sealed.
        case bytes(Bytes)

        /// The content without escapes: JSON escapes control characters itself.
        var plain: String {
            switch self {
            case .text(let text): text
            case .bytes(let bytes): Hex.string(bytes)
            }
        }

        var encoding: String { if case .text = self { "text" } else { "hex" } }

        /// The content for people; the prefix distinguishes bytes from a text of equal digits.
        var text: String {
            switch self {
            case .text(let text): printable(text)
            case .bytes(let bytes): "hex " + Hex.string(bytes)
            }
        }
    }

    /// The content, only if it was requested.
    private func value(_ outcome: PassOutcome?) -> Value? {
        guard includesPasses else { return nil }
        switch outcome {
        case .read(let value)?: return value.text.map { .text($0) } ?? .bytes(value.bytes)
        case .sealed(let pass)?: return .bytes(pass.cryptogram)
        default: return nil
        }
    }

    /// The next step for a POS if no payment was made: the one for the programme that needs most from the phone's
    /// owner.
    var nextStep: String {
        let outcomes = outcomes.compactMap(\.outcome)
        let order: [PassOutcomeName] = [.chooseOnDevice, .locked, .read, .sealed, .signUpOffered, .none]
        let decisive = order.compactMap { name in outcomes.first { $0.name == name } }.first ?? outcomes.first
        return switch decisive {
        case .read: "nothing: the pass was read"
        case .sealed: "open the pass where its key is"
        case .chooseOnDevice: "choose the pass on the phone, then present it again"
        case .locked: "unlock the phone, then present it again"
        case .signUpOffered: "nothing: the phone was offered the sign-up"
        case PassOutcome.none?: "nothing: the phone has no such pass"
        case .refused, .unreadable: "present the phone again"
        case .notAsked, nil: "nothing: no pass was asked for"
        }
    }
}

/// Replays the preludes of a trace: compares the commands that this reader would send, and the outcomes of the answers.
/// A trace contains no key, so a pass that was read comes back sealed.
struct PassReplay {
    /// The differences; empty if the trace requests no passes.
    static func differences(_ trace: Trace) throws -> [ReplayReport.Difference] {
        guard let text = trace.loyalty else {
            let hasPrelude = trace.items.contains { if case .prelude = $0 { true } else { false } }
            guard !hasPrelude, trace.expectation.loyalty.isEmpty else {
                throw BenchFailure("loyalty: expected the document that its preludes ask by")
            }
            return []
        }
        let document: LoyaltyDocument
        do throws(FormatError) {
            document = try LoyaltyDocument(json: Array(text.utf8))
        } catch {
            throw BenchFailure("loyalty: \(error.path.isEmpty ? "" : error.path + ": ")\(error.message)")
        }
        var replay = PassReplay(trace: trace, document: document)
        return replay.run()
    }

    private let trace: Trace
    private let document: LoyaltyDocument
    private var found: [ReplayReport.Difference] = []

    private init(trace: Trace, document: LoyaltyDocument) {
        self.trace = trace
        self.document = document
    }

    private mutating func run() -> [ReplayReport.Difference] {
        let purpose = document.rule?.purpose ?? .passOnly
        // The expected outcomes belong to the last prelude, as the expected result belongs to the last transaction.
        for (index, item) in trace.items.enumerated() {
            guard case .prelude(let exchanges) = item else { continue }
            let dialogue = hold(exchanges, at: index, purpose)
            guard found.isEmpty else { return found }
            let isLast = !trace.items[(index + 1)...].contains { if case .prelude = $0 { true } else { false } }
            if isLast { compare(dialogue) }
        }
        return found
    }

    private mutating func hold(
        _ exchanges: [Trace.Item], at index: Int, _ purpose: LoyaltyPurpose
    ) -> WalletDialogue {
        let commands = exchanges.map(\.passCommand)
        var dialogue = WalletDialogue(
            document.request, purpose, terminal: asksCollector(commands) ? SmartTapTerminal(recorded: commands) : nil,
            without: .noSigner)
        var step = dialogue.next(nil)
        for (place, exchange) in exchanges.enumerated() {
            // The real signature is in the command that follows.
            if case .sign = step { step = dialogue.next(.signature(Bytes(repeating: 0x30, count: 70))) }
            guard case .send(let command) = step else {
                differ("exchanges[\(index)].prelude[\(place)]", "\(exchange)", "the end of the dialogue")
                return dialogue
            }
            guard PassReplay.agree(exchange.passCommand, command) else {
                differ(
                    "exchanges[\(index)].prelude[\(place)].c", Hex.string(exchange.passCommand), Hex.string(command))
                return dialogue
            }
            switch exchange {
            case .exchange(_, let response, _): step = dialogue.next(.response(response))
            case .fault(_, let fault): step = dialogue.next(.fault(fault))
            default: break
            }
        }
        switch step {
        case .finished: break
        // The signer failed, or the time was up.
        case .sign: _ = dialogue.next(expectsCollector == .unreadable ? .signature(nil) : .over)
        // The time limit or the end of the tap cut this command off.
        case .send: _ = dialogue.next(.over)
        }
        return dialogue
    }

    /// Whether the first collector's passes were requested. A command shows it, even if the time was up before a usable
    /// answer; otherwise the expected outcome shows it.
    private func asksCollector(_ commands: [Bytes]) -> Bool {
        if commands.contains(where: { $0 == SmartTapSelection.select || $0.first == 0x90 }) { return true }
        return expectsCollector.map { $0 != .notAsked } ?? false
    }

    /// The expected outcome of the first collector's passes.
    private var expectsCollector: PassOutcomeName? {
        let first = document.request.programmes.first { if case .collector = $0.wallet { true } else { false } }
        return first.flatMap { trace.expectation.loyalty[$0.id.rawValue] }.flatMap { PassOutcomeName(rawValue: $0) }
    }

    /// NEGOTIATE contains a signature, which differs each time, so only its header is compared.
    private static func agree(_ expected: Bytes, _ found: Bytes) -> Bool {
        guard expected.starts(with: [0x90, 0x53]) else { return expected == found }
        return found.starts(with: [0x90, 0x53])
    }

    private mutating func compare(_ dialogue: WalletDialogue) {
        for (programme, finding) in zip(document.request.programmes, dialogue.findings) {
            guard let expected = trace.expectation.loyalty[programme.id.rawValue] else { continue }
            let name: PassOutcomeName =
                switch finding {
                case .outcome(let outcome): outcome.name
                case .bundle: .sealed
                }
            // An outcome that depends on a key cannot be reproduced: it is enough that a pass was received.
            let opened: Set<String> = ["read", "unreadable", "none"]
            guard name.rawValue != expected, !(name == .sealed && opened.contains(expected)) else { continue }
            differ("expect.loyalty.\(programme.id)", expected, name.rawValue)
        }
    }

    private mutating func differ(_ place: String, _ expected: String, _ found: String) {
        self.found.append(ReplayReport.Difference(place: place, expected: expected, found: found))
    }
}

extension Trace.Item {
    fileprivate var passCommand: Bytes {
        switch self {
        case .exchange(let command, _, _), .fault(let command, _): command
        default: []
        }
    }
}

extension SmartTapTerminal {
    /// Takes session, nonce and key from the recorded NEGOTIATE; zeros if there is none.
    fileprivate init(recorded commands: [Bytes]) {
        var session = Bytes(repeating: 0, count: 8), nonce = Bytes(repeating: 0, count: 32)
        var key: Bytes = [0x02] + Bytes(repeating: 0, count: 32)
        if let command = commands.first(where: { $0.starts(with: [0x90, 0x53]) }), command.count > 6,
            let outer = try? NDEFReader.records(Bytes(command[5..<min(command.count, 5 + Int(command[4]))])).first,
            let inner = try? NDEFReader.records(outer.payload.dropFirst(2)),
            let ses = try? inner.only("ses")?.payload, ses.count == 10,
            let cpr = (try? inner.only("cpr")).map({ Bytes($0.payload) }), cpr.count > 70
        {
            session = Bytes(ses.prefix(8))
            nonce = Bytes(cpr[0..<32])
            key = Bytes(cpr[33..<66])
        }
        self.init(session: session, nonce: nonce, key: key)
    }
}
#endif
