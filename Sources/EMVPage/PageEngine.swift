// SPDX-License-Identifier: Apache-2.0
// The interface of the page in Web/: a request in JSON, one answer in JSON. It keeps no state between requests and
// reads no file, clock or network. An error gives the place, the problem and the expected value, never card data. The
// requests: EMVDecoder's article OwnPage.
import EMVDecoder
import EMVFormats
import EMVPOS
import EMVCards

package enum PageEngine {
    /// Version of requests and answers.
    package static let version = "1"

    /// The answer to a request, both one JSON object in UTF-8.
    package static func answer(_ request: Bytes) -> String {
        do throws(FormatError) {
            return try answer(try Document(request, file: "request").node()).text
        } catch {
            return refusal((error.path.isEmpty ? "request" : error.path) + ": " + error.message).text
        }
    }

    private static func answer(_ node: Node) throws(FormatError) -> OutputJSON {
        guard let call = try node.members().first(where: { $0.name == "call" }) else {
            throw node.missing("\"call\"")
        }
        switch try call.node.string() {
        case "catalog":
            _ = try node.object(["call"])
            return Catalog.json
        case "decode": return try decode(node.object(["call", "text", "showsPAN"]))
        case "read": return try read(node.object(["call", "text", "showsPAN"]))
        case "compare": return try compare(node.object(["call", "a", "b"]))
        default:
            if let told = try told(node) { return told.json }
            throw call.node.expected(
                "one of \"catalog\", \"decode\", \"read\", \"replay\", \"tap\", \"scenario\", \"compare\"")
        }
    }

    /// The answer to a request for a tap; `nil`: another request.
    private static func told(_ node: Node) throws(FormatError) -> ReplayAnswer.Told? {
        switch try node.members().first(where: { $0.name == "call" })?.node.string() {
        case "replay"?: try replay(node.object(["call", "trace", "file", "language", "showsPAN"]))
        case "tap"?: try VirtualTap(node).answer()
        case "scenario"?: try scenario(node.object(["call", "name", "language", "showsPAN"]))
        default: nil
        }
    }

    /// Two taps with their differences; both answers mask all digits that either masks.
    private static func compare(_ object: ObjectNode) throws(FormatError) -> OutputJSON {
        let nodes = (a: try object.required("a"), b: try object.required("b"))
        guard let a = try told(nodes.a) else { throw nodes.a.expected("a request for a tap", found: "another request") }
        guard let b = try told(nodes.b) else { throw nodes.b.expected("a request for a tap", found: "another request") }
        return .object([("a", a.json), ("b", b.json), ("steps", StepDifference.json(a.steps, b.steps))])
    }

    static func refusal(_ message: String) -> OutputJSON { .object([("error", .string(message))]) }

    static func showsPAN(_ object: ObjectNode) throws(FormatError) -> Bool {
        try object.value("showsPAN", or: false) { node throws(FormatError) in try node.bool() }
    }

    static func language(_ object: ObjectNode) throws(FormatError) -> Language? {
        try object.optional("language") { node throws(FormatError) -> Language in
            let language = Language(rawValue: try node.string())
            guard Language.builtIn.contains(language) else {
                throw node.expected(
                    "one of " + Language.builtIn.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))
            }
            return language
        }
    }

    // MARK: Data objects

    private static func decode(_ object: ObjectNode) throws(FormatError) -> OutputJSON {
        let text = try object.required("text").string()
        let showsPAN = try showsPAN(object)
        do throws(HexText.Fault) {
            let read = try HexText.data(text)
            return .object(pairs(read.bytes, isMasked: read.isMasked, showsPAN: showsPAN))
        } catch {
            return refusal(error.description)
        }
    }

    private static func pairs(_ bytes: Bytes, isMasked: Bool, showsPAN: Bool) -> [(String, OutputJSON)] {
        let decoded = PastedText.tree(bytes, isMasked: isMasked, showsPAN: showsPAN)
        return [
            ("objects", .array(decoded.objects.map { NodeJSON.json($0) })),
            ("records", .array(decoded.records.map { NodeJSON.json($0) })),
            ("statusWord", .optional(decoded.statusWord.map { Hex.string($0) })),
            ("issuer", .strings(decoded.issuer)), ("fault", NodeJSON.fault(decoded.fault)),
            ("faults", .array(decoded.faults.map { NodeJSON.fault($0) })),
            ("lines", .strings(decoded.lines)),
        ]
    }

    // MARK: Any pasted text

    private static func read(_ object: ObjectNode) throws(FormatError) -> OutputJSON {
        let text = try object.required("text").string()
        let showsPAN = try showsPAN(object)
        switch PastedText(text) {
        case .data(let bytes, let isMasked):
            return .object(
                [("kind", OutputJSON.string("data"))] + pairs(bytes, isMasked: isMasked, showsPAN: showsPAN))
        case .trace(let name): return .object([("kind", .string("trace")), ("name", .string(name))])
        case .configuration: return .object([("kind", .string("configuration"))])
        case .log(let log): return log.json(showsPAN: showsPAN)
        case .unusable(let why): return refusal(why)
        }
    }

    // MARK: Traces

    private static func replay(_ object: ObjectNode) throws(FormatError) -> ReplayAnswer.Told {
        let file = try object.value("file", or: "") { node throws(FormatError) in try node.string() }
        let text = try object.required("trace").string()
        let (language, showsPAN) = (try language(object), try showsPAN(object))
        let trace: Trace
        do throws(FormatError) {
            trace = try Trace(json: Array(text.utf8), file: file)
        } catch {
            return ReplayAnswer.unusable(file, ReplayJSON.withoutFile(error))
        }
        return ReplayAnswer(
            trace: trace, file: file, language: language, showsPAN: showsPAN, savesAccount: showsPAN
        ).told()
    }

    private static func scenario(_ object: ObjectNode) throws(FormatError) -> ReplayAnswer.Told {
        let name = try object.required("name")
        let wanted = try name.string()
        guard let scenario = Scenario.all.first(where: { $0.name == wanted }) else {
            throw name.expected("the name of a scenario of the catalog", found: "another name")
        }
        guard let profile = CardProfile.named(scenario.profile) else {
            throw name.expected("a scenario whose card is in the catalog", found: "one without")
        }
        let losing = LosingCard(card: VirtualCard(profile), loses: scenario.loses)
        var trace = Trace(
            name: scenario.name, source: "emv-bench", configuration: scenario.configuration,
            transaction: scenario.transaction)
        trace.expectation = Trace.Expectation(
            tap: scenario.expected.tap, outcome: scenario.expected.outcome, cvm: scenario.expected.cvm)
        do throws(ReplayError) {
            try SimulatedSession(trace, presentments: 8).record(losing, into: &trace)
        } catch {
            return ReplayAnswer.unusable(scenario.name, error.description)
        }
        return ReplayAnswer(
            trace: trace, file: scenario.name, language: try language(object), showsPAN: try showsPAN(object),
            savesAccount: true
        ).told(completing: true)
    }
}

/// A card whose first answer to one instruction is lost, as in the scenarios.
private struct LosingCard: CardPresentation {
    var card: VirtualCard
    var loses: UInt8?

    mutating func poll() -> CardPresence { card.poll() }
    mutating func reset() { card.reset() }
    mutating func exchange(_ command: [UInt8]) -> CardReply {
        let reply = card.exchange(command)
        guard let lost = loses, command.count > 1, command[1] == lost else { return reply }
        loses = nil
        return .timeout
    }
}
