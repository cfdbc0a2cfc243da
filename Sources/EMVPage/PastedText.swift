// SPDX-License-Identifier: Apache-2.0
import EMVDecoder
import EMVFormats
import EMVPOS

/// Pasted text: data objects in hex, a trace, or a log of APDUs. The page and `emv-bench decode` share this code.
package enum PastedText {
    /// Masked digits were read as 0.
    case data(Bytes, isMasked: Bool)
    case trace(name: String)
    case configuration
    case log(LogAnswer)
    case unusable(String)

    package init(_ pasted: String) {
        let text = PastedText.cleaned(pasted)
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        if let (bytes, isMasked) = HexText.labelled(text, isStrict: true) {
            self = .data(bytes, isMasked: isMasked)
            return
        }
        let hex = PastedText.hex(text)
        if hex == nil, first == UInt8(ascii: "{") {
            self = PastedText.document(text)
            return
        }
        if let hex {
            let lines = text.utf8.split(separator: 0x0A).compactMap {
                PastedText.hex(String(decoding: Array($0), as: UTF8.self))?.bytes
            }
            guard CommandLog.isDialogue(lines) || CommandLog.isKnownCommand(hex.bytes) else {
                // Tags with their values, without lengths.
                if DataObjectDecoder().decode(hex.bytes).fault != nil,
                    let (bytes, isMasked) = HexText.labelled(text, isStrict: true, bySpace: true)
                {
                    self = .data(bytes, isMasked: isMasked)
                    return
                }
                self = .data(hex.bytes, isMasked: hex.isMasked)
                return
            }
        }
        do throws(CommandLog.Fault) {
            self = .log(LogAnswer(log: try CommandLog(text)))
        } catch {
            self =
                HexText.labelled(text).map { .data($0.bytes, isMasked: $0.isMasked) }
                ?? .unusable(PastedText.fault(ofHex: text) ?? error.description)
        }
    }

    /// The tree of pasted data.
    package static func tree(_ bytes: Bytes, isMasked: Bool, showsPAN: Bool) -> DecodedData {
        var decoder = DataObjectDecoder(showsPAN: showsPAN)
        decoder.isOfMaskedLog = isMasked
        // Only a status word.
        let isStatus = bytes.count == 2 && ((0x61...0x6F).contains(bytes[0]) || (0x90...0x94).contains(bytes[0]))
        var decoded = decoder.decode(isStatus ? [] : bytes)
        if isStatus { decoded.statusWord = bytes }
        return showsPAN ? decoded : decoded.masked(AccountMask(data: bytes))
    }

    /// Removes a byte order mark, and the zeros that UTF-16 has between letters.
    private static func cleaned(_ text: String) -> String {
        var bytes = text.utf8.filter { $0 != 0 }
        while [[0xEF, 0xBB, 0xBF], [0xEF, 0xBF, 0xBD]].contains(Bytes(bytes.prefix(3))) { bytes.removeFirst(3) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ text: String) -> HexText.Read? {
        do throws(HexText.Fault) { return try HexText.data(text) } catch { return nil }
    }

    /// The place of the error in the hex of one line; `nil`: less than half of it is hex.
    private static func fault(ofHex text: String) -> String? {
        let digits = text.utf8.filter { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }.count
        guard digits * 2 > text.utf8.count, !text.utf8.dropLast().contains(0x0A) else { return nil }
        do throws(HexText.Fault) {
            _ = try HexText.bytes(text)
            return nil
        } catch {
            return error.description
        }
    }

    /// Returns a trace or a configuration by its format; other JSON, and text that only begins like JSON, is a log.
    private static func document(_ text: String) -> PastedText {
        var refusal = "expected \"format\": \"\(Trace.formatName)\", or commands and answers in hex"
        var texts: [String: String] = [:]
        do throws(FormatError) {
            let members = try Document(Array(text.utf8), file: "").node().members()
            for member in members where member.name == "format" || member.name == "name" {
                texts[member.name] = try member.node.string()
            }
        } catch {
            refusal = ReplayJSON.withoutFile(error)
        }
        switch texts["format"] {
        case Trace.formatName?: return .trace(name: texts["name"] ?? "")
        case Configuration.formatName?: return .configuration
        default: break
        }
        // An incomplete trace is not read as a log.
        let wanted = Array(Trace.formatName.utf8), bytes = Array(text.utf8)
        let isTrace = bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
        guard !isTrace else { return .unusable(refusal) }
        do throws(CommandLog.Fault) {
            return .log(LogAnswer(log: try CommandLog(text)))
        } catch {
            return .unusable(refusal)
        }
    }
}

/// A log of APDUs for the page and for `emv-bench decode`: commands and answers as trees.
package struct LogAnswer {
    let log: CommandLog

    /// One exchange, or a line that cannot be read, with the state at its start.
    private struct Row {
        let exchange: CommandLog.Exchange
        let nodes: NodeJSON
        let reading: CommandReading
        /// The values of a record of the transaction log.
        let record: DataObjects?
        /// The data of earlier answers that GET RESPONSE continues, and whether the next answer continues too.
        var before = Bytes()
        var isContinued = false

        /// The answer is a random number, not data objects (Book 3, 6.5.6).
        var isNumber: Bool { exchange.command.map { $0.count > 1 && $0[1] == 0x84 } ?? false }
        var isPlain: Bool { isContinued || isNumber }
    }

    private func rows(showsPAN: Bool) -> [Row] {
        var mask = AccountMask()
        var lists = DataLists()
        for (at, exchange) in log.exchanges.enumerated() {
            let command = exchange.command ?? []
            let answer = exchange.answer.map { log.dataBefore(at) + $0 }
            if log.continues(at) || command.count > 1 && command[1] == 0x84 {
                mask.learn(command: command)
            } else {
                mask.learn(answer ?? [], to: command)
            }
            // A command holds the account number if a list requests it; it may if the list is not known.
            let reading = lists.reading(of: command)
            mask.learn(reading.encoded)
            let values = reading.objects.reduce(reading.start) { $0 + $1.value.count }
            if command.count > values, command[1] != 0xA4 { mask.learn(digitsIn: command[values...]) }
            lists.learn(command, answer)
        }
        lists = DataLists()
        var nodes = NodeJSON(showsPAN ? nil : mask, isOfMaskedLog: log.isMasked)
        let format = log.exchanges.lazy.compactMap { $0.response.flatMap { DataLists.logFormat($0) } }.first
        var unread = log.unread[...]
        var rows: [Row] = []
        func passUnread(before line: Int) {
            while let fault = unread.first, fault.line < line {
                let exchange = CommandLog.Exchange(line: fault.line, remarks: [fault.message])
                rows.append(Row(exchange: exchange, nodes: nodes, reading: CommandReading(), record: nil))
                unread.removeFirst()
            }
        }
        for (at, exchange) in log.exchanges.enumerated() {
            passUnread(before: exchange.line)
            let command = exchange.command ?? []
            if command.count > 5, command[1] == 0xA4 {
                var name = Bytes(command.dropFirst(5).prefix(Int(command[4])))
                // In some logs the command has another name than the card's answer.
                if PaymentScheme(aid: name) == nil, let answer = exchange.answer,
                    let own = LogAnswer.dedicatedFile(answer), PaymentScheme(aid: own) != nil
                {
                    name = own
                }
                nodes = NodeJSON(showsPAN ? nil : mask, applicationName: name, isOfMaskedLog: log.isMasked)
            }
            let record = exchange.response.flatMap { lists.logRecord(command, $0, format: format) }
            let before = log.dataBefore(at)
            rows.append(
                Row(
                    exchange: exchange, nodes: nodes, reading: lists.reading(of: command), record: record,
                    before: before, isContinued: log.continues(at)))
            lists.learn(command, exchange.answer.map { before + $0 })
        }
        passUnread(before: .max)
        return rows
    }

    /// The DF Name of an FCI.
    private static func dedicatedFile(_ answer: Bytes) -> Bytes? {
        var tree = TLVTree(Bytes(answer.dropLast(2)))
        while let (object, _) = tree.next() {
            if object.tag == 0x84 { return Bytes(object.value) }
        }
        return nil
    }

    func json(showsPAN: Bool) -> OutputJSON {
        let rows = rows(showsPAN: showsPAN).map { row -> OutputJSON in
            let exchange = row.exchange
            return .object([
                ("command", exchange.command.map { row.nodes.command($0, row.reading) } ?? .null),
                (
                    "response",
                    exchange.response.map {
                        row.nodes.response(
                            $0, record: row.record, lacksStatus: exchange.lacksStatus, before: row.before,
                            isPlain: row.isPlain, isNumber: row.isNumber)
                    } ?? .null
                ),
                ("ms", exchange.milliseconds.map { .raw(LogAnswer.text($0)) } ?? .null),
                ("line", .integer(exchange.line)), ("remarks", .strings(exchange.remarks)),
            ])
        }
        return .object([
            ("kind", .string("log")), ("shape", .string(log.shape)), ("exchanges", .array(rows)),
            ("skipped", .integer(log.skipped)), ("masked", .bool(log.isMasked)),
        ])
    }

    /// The log for a terminal: for each command its name, bytes and objects, then its answer.
    package func lines(showsPAN: Bool) -> [String] {
        var lines = [log.shape]
        for (row, number) in zip(rows(showsPAN: showsPAN), 1...) {
            let exchange = row.exchange
            let name =
                exchange.command.map { CommandName.text($0) }
                ?? (exchange.response == nil ? "line not read" : "answer without a command")
            lines.append("\(number). line \(exchange.line): \(name)")
            lines += exchange.remarks.map { "  ! " + $0 }
            if let command = exchange.command {
                lines += row.nodes.lines(row.reading.encoded, hex: row.nodes.hex(ofCommand: command, row.reading), ">")
            }
            if let response = exchange.response {
                let body = Bytes(exchange.lacksStatus ? response[...] : response.dropLast(2))
                let status = Bytes(exchange.lacksStatus ? [] : response.suffix(2))
                let shown =
                    row.isPlain || status.isEmpty ? Hex.string(status) : row.nodes.status(of: row.before + response)
                let objects = row.record.map { Bytes($0.encoded) } ?? row.before + body
                let hex = row.isNumber ? row.nodes.hex(body) : row.nodes.objects(body, before: row.before)
                lines += row.nodes.lines(row.isNumber ? [] : objects, hex: hex + shown, "<")
                if status.count == 2, status != [0x90, 0x00], shown == Hex.string(status) {
                    let word = UInt16(status[0]) << 8 | UInt16(status[1])
                    lines.append("      status word \(shown): " + StatusWords.meaning(word))
                }
            } else if exchange.command != nil {
                lines.append("  < no answer")
            }
        }
        if log.skipped > 0 { lines.append("lines without a command or an answer: \(log.skipped)") }
        if log.isMasked { lines.append("masked digits of the log are read as 0") }
        return lines
    }

    /// Formats a time with at most three decimals.
    private static func text(_ milliseconds: Double) -> String {
        guard (0..<1e12).contains(milliseconds) else { return "0" }
        return ReplayAnswer.milliseconds(.microseconds(Int64((milliseconds * 1000).rounded())))
    }
}
