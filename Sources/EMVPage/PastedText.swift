// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVKit

/// What somebody has pasted: data objects in hex, a trace, or a log of APDUs.
enum PastedText {
    case data(Bytes)
    case trace(name: String)
    case configuration
    case log(LogAnswer)
    case unusable(String)

    init(_ pasted: String) {
        let text = PastedText.cleaned(pasted)
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let hex = PastedText.hex(text)
        if hex == nil, first == UInt8(ascii: "{") {
            self = PastedText.document(text)
            return
        }
        if let hex {
            let lines = text.utf8.split(separator: 0x0A).compactMap {
                PastedText.hex(String(decoding: Array($0), as: UTF8.self))
            }
            guard CommandLog.isDialogue(lines) || CommandLog.isKnownCommand(hex) else {
                self = .data(hex)
                return
            }
        }
        do throws(CommandLog.Fault) {
            self = .log(LogAnswer(log: try CommandLog(text)))
        } catch {
            self = .unusable(error.description)
        }
    }

    /// Without a byte order mark, and what UTF-16 puts between letters.
    private static func cleaned(_ text: String) -> String {
        var bytes = text.utf8.filter { $0 != 0 }
        while [[0xEF, 0xBB, 0xBF], [0xEF, 0xBF, 0xBD]].contains(Bytes(bytes.prefix(3))) { bytes.removeFirst(3) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ text: String) -> Bytes? {
        do throws(HexText.Fault) { return try HexText.data(text) } catch { return nil }
    }

    private static func document(_ text: String) -> PastedText {
        do throws(FormatError) {
            let members = try Document(Array(text.utf8), file: "").node().members()
            var texts: [String: String] = [:]
            for member in members where member.name == "format" || member.name == "name" {
                texts[member.name] = try member.node.string()
            }
            switch texts["format"] {
            case Trace.formatName?: return .trace(name: texts["name"] ?? "")
            case Configuration.formatName?: return .configuration
            default: return .unusable("expected \"format\": \"\(Trace.formatName)\"")
            }
        } catch {
            return .unusable(ReplayJSON.withoutFile(error))
        }
    }
}

/// A log of APDUs for the page: commands and answers as trees.
struct LogAnswer {
    let log: CommandLog

    func json(showsPAN: Bool) -> OutputJSON {
        var mask = AccountMask()
        for exchange in log.exchanges { mask.learn(exchange.response ?? [], to: exchange.command ?? []) }
        var nodes = NodeJSON(showsPAN ? nil : mask)
        var lists = DataLists()
        var rows: [OutputJSON] = []
        let format = log.exchanges.lazy.compactMap { $0.response.flatMap { DataLists.logFormat($0) } }.first
        for exchange in log.exchanges {
            let command = exchange.command ?? []
            if command.count > 5, command[1] == 0xA4 {
                let name = Bytes(command.dropFirst(5).prefix(Int(command[4])))
                nodes = NodeJSON(showsPAN ? nil : mask, applicationName: name)
            }
            let response = exchange.response.map {
                nodes.response($0, record: lists.logRecord(command, $0, format: format))
            }
            rows.append(
                .object([
                    ("command", command.isEmpty ? .null : nodes.command(command, lists)),
                    ("response", response ?? .null),
                    ("ms", exchange.milliseconds.map { .raw(LogAnswer.text($0)) } ?? .null),
                    ("line", .integer(exchange.line)),
                ]))
            if let response = exchange.response { lists.learn(command, response) }
        }
        return .object([
            ("kind", .string("log")), ("shape", .string(log.shape)), ("exchanges", .array(rows)),
            ("skipped", .integer(log.skipped)), ("masked", .bool(log.isMasked)),
        ])
    }

    /// With at most three decimals.
    private static func text(_ milliseconds: Double) -> String {
        guard (0..<1e12).contains(milliseconds) else { return "0" }
        return ReplayAnswer.milliseconds(.microseconds(Int64((milliseconds * 1000).rounded())))
    }
}
