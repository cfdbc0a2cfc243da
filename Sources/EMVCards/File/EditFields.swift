// SPDX-License-Identifier: Apache-2.0
import EMVFormats
import EMVKernel

extension CardValue where Value == CardEdit {
    /// `{ "at": "options", "response": { "setBits": { "9F6C": "0080" } } }`
    static var edit: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                let (name, action) = try node.action(besides: "at", CardEdit.Action.names)
                let moment = try CardValue<CardExchange>.moment.read(try node.place("at"))
                switch name {
                case "command": return CardEdit(moment, .command(try action.commandChange()))
                case "response": return CardEdit(moment, .response(try action.responseChange()))
                case "answer": return CardEdit(moment, .answer(try action.hex(2...258)))
                case "delay": return CardEdit(moment, .delay(milliseconds: try action.milliseconds()))
                default:
                    try action.isTrue()
                    return CardEdit(moment, .drop)
                }
            },
            write: { edit in
                var object = ObjectWriter()
                object.put("at", CardValue<CardExchange>.moment.write(edit.moment))
                switch edit.action {
                case .command(let change): object.put("command", change.json)
                case .response(let change): object.put("response", change.json)
                case .answer(let bytes): object.put("answer", hex: bytes)
                case .delay(let time): object.put("delay", CardValue<Double>.milliseconds.write(time))
                case .drop: object.put("drop", JSON(.bool(true)))
                }
                return object.json
            })
    }
}

extension CardEdit.Action {
    fileprivate static let names = ["command", "response", "answer", "drop", "delay"]
}

extension CardValue where Value == CardExchange {
    /// A name, `"record 2"` (of a presentment) or `"command 5"` (of all presentments).
    fileprivate static var moment: CardValue {
        let names: KeyValuePairs<String, CardExchange> = [
            "directory": .directory, "selection": .selection, "options": .options, "cryptogram": .cryptogram,
            "relayResistance": .relayResistance, "other": .other, "every": .every,
        ]
        return CardValue(
            read: { node throws(FormatError) in
                let text = try node.string()
                if let name = names.first(where: { $0.key == text }) { return name.value }
                let parts = text.split(separator: " ", omittingEmptySubsequences: false)
                if parts.count == 2, let number = Int(parts[1]), (1...9999).contains(number),
                    text == "\(parts[0]) \(number)"
                {
                    if parts[0] == "record" { return .record(number) }
                    if parts[0] == "command" { return .number(number) }
                }
                throw node.expected(
                    "one of " + names.map { "\"\($0.key)\"" }.joined(separator: ", ")
                        + ", or \"record\" or \"command\" with a number from 1")
            },
            write: { moment in
                switch moment {
                case .record(let number): JSON(.string("record \(number)"))
                case .number(let number): JSON(.string("command \(number)"))
                default: JSON(.string(names.first { $0.value == moment }?.key ?? ""))
                }
            })
    }
}

extension Node {
    /// Reads an object with one action, and `place` if it is not empty.
    fileprivate func action(besides place: String, _ names: [String]) throws(FormatError) -> (String, Node) {
        let object = try object((place.isEmpty ? [] : [place]) + names)
        let present = names.filter { object[$0] != nil }
        guard present.count == 1, let action = object[present[0]] else {
            throw expected(
                "exactly one of " + names.map { "\"\($0)\"" }.joined(separator: ", "),
                found: present.isEmpty ? "none" : "\(present.count) of them")
        }
        return (present[0], action)
    }

    /// A key that ``action(besides:_:)`` permits.
    fileprivate func place(_ name: String) throws(FormatError) -> Node {
        guard let node = try members().first(where: { $0.name == name })?.node else { throw missing("\"\(name)\"") }
        return node
    }

    fileprivate func milliseconds() throws(FormatError) -> Double { try CardValue<Double>.milliseconds.read(self) }

    fileprivate func isTrue() throws(FormatError) {
        guard try bool() else { throw expected("true") }
    }

    /// One tag with its value.
    fileprivate func object() throws(FormatError) -> (tag: UInt32, value: [UInt8]) {
        let members = try members()
        guard members.count == 1, let member = members.first else {
            throw expected("one tag with its value", found: "\(members.count) of them")
        }
        return (try member.node.tag(member.name) { _ in true }.rawValue, try member.node.hex(0...252))
    }

    /// A byte by its position, and its bits.
    fileprivate func flip() throws(FormatError) -> (byte: Int, mask: UInt8) {
        let object = try object(["byte", "mask"])
        return (
            Int(try object.required("byte").integer(0...65535, "the position of a byte")),
            try object.required("mask").byte()
        )
    }

    fileprivate func commandChange() throws(FormatError) -> CardEdit.CommandChange {
        let (name, change) = try action(besides: "", ["setBits", "clearBits", "replace", "raw", "flip"])
        switch name {
        case "setBits":
            let (tag, value) = try change.object()
            return .setBits(tag, value)
        case "clearBits":
            let (tag, value) = try change.object()
            return .clearBits(tag, value)
        case "replace":
            let (tag, value) = try change.object()
            return .replace(tag, value)
        case "raw": return .raw(try change.hex(4...261))
        default:
            let (byte, mask) = try change.flip()
            return .flip(byte: byte, mask: mask)
        }
    }

    fileprivate func responseChange() throws(FormatError) -> CardEdit.ResponseChange {
        let (name, change) = try action(
            besides: "",
            ["setBits", "clearBits", "replace", "remove", "insert", "duplicate", "raw", "statusWord", "flip"])
        switch name {
        case "setBits":
            let (tag, value) = try change.object()
            return .setBits(tag, value)
        case "clearBits":
            let (tag, value) = try change.object()
            return .clearBits(tag, value)
        case "replace":
            let (tag, value) = try change.object()
            return .replace(tag, value)
        case "insert":
            let (tag, value) = try change.object()
            return .insert(tag, value)
        case "remove": return .remove(try CardValue<UInt32>.tag.read(change))
        case "duplicate": return .duplicate(try CardValue<UInt32>.tag.read(change))
        case "raw": return .raw(try change.hex(0...258))
        case "statusWord": return .statusWord(try CardValue<StatusWord>.status.read(change))
        default:
            let (byte, mask) = try change.flip()
            return .flip(byte: byte, mask: mask)
        }
    }
}

extension ObjectWriter {
    fileprivate static func one(_ name: String, _ value: JSON) -> JSON {
        var object = ObjectWriter()
        object.put(name, value)
        return object.json
    }

    fileprivate static func one(_ name: String, _ tag: UInt32, _ value: [UInt8]) -> JSON {
        one(name, one(Hex.string(DataObject.tagBytes(tag)), JSON(.string(Hex.string(value)))))
    }

    fileprivate static func flip(_ byte: Int, mask: UInt8) -> JSON {
        var object = ObjectWriter()
        object.put("byte", UInt64(max(0, byte)))
        object.put("mask", hex: [mask])
        return one("flip", object.json)
    }
}

extension CardEdit.CommandChange {
    fileprivate var json: JSON {
        switch self {
        case .setBits(let tag, let value): ObjectWriter.one("setBits", tag, value)
        case .clearBits(let tag, let value): ObjectWriter.one("clearBits", tag, value)
        case .replace(let tag, let value): ObjectWriter.one("replace", tag, value)
        case .raw(let bytes): ObjectWriter.one("raw", JSON(.string(Hex.string(bytes))))
        case .flip(let byte, let mask): ObjectWriter.flip(byte, mask: mask)
        }
    }
}

extension CardEdit.ResponseChange {
    fileprivate var json: JSON {
        switch self {
        case .setBits(let tag, let value): ObjectWriter.one("setBits", tag, value)
        case .clearBits(let tag, let value): ObjectWriter.one("clearBits", tag, value)
        case .replace(let tag, let value): ObjectWriter.one("replace", tag, value)
        case .insert(let tag, let value): ObjectWriter.one("insert", tag, value)
        case .remove(let tag): ObjectWriter.one("remove", CardValue<UInt32>.tag.write(tag))
        case .duplicate(let tag): ObjectWriter.one("duplicate", CardValue<UInt32>.tag.write(tag))
        case .raw(let bytes): ObjectWriter.one("raw", JSON(.string(Hex.string(bytes))))
        case .statusWord(let status): ObjectWriter.one("statusWord", CardValue<StatusWord>.status.write(status))
        case .flip(let byte, let mask): ObjectWriter.flip(byte, mask: mask)
        }
    }
}

// MARK: Faults

extension CardValue where Value == [Int: [FaultPlan.Fault]] {
    /// `[ { "at": 3, "loseResponse": true } ]`: `at` counts exchanges from 1 over all presentments.
    static var faults: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                var faults: Value = [:]
                for element in try node.elements() {
                    let (name, value) = try element.action(besides: "at", FaultPlan.Fault.names)
                    let exchange = try element.place("at").integer(1...9999, "the number of an exchange")
                    faults[Int(exchange), default: []].append(try FaultPlan.Fault(name, value))
                }
                return faults
            },
            write: { faults in
                let rows = faults.sorted { $0.key < $1.key }.flatMap { exchange, list in
                    list.map { fault -> JSON in
                        var object = ObjectWriter()
                        object.put("at", UInt64(exchange))
                        let (name, value) = fault.json
                        object.put(name, value)
                        return object.json
                    }
                }
                return JSON(.array(rows))
            })
    }
}

extension FaultPlan.Fault {
    fileprivate static let names = [
        "drop", "loseResponse", "truncate", "flip", "replace", "delay", "transmissionError", "protocolError", "remove",
        "removeAfter",
    ]

    fileprivate init(_ name: String, _ node: Node) throws(FormatError) {
        switch name {
        case "truncate": self = .truncate(Int(try node.integer(0...65535, "a number of bytes")))
        case "replace": self = .replace(try node.hex(0...258))
        case "delay": self = .delay(milliseconds: try node.milliseconds())
        case "flip":
            let object = try node.object(["byte", "bit"])
            self = .flip(
                byte: Int(try object.required("byte").integer(0...65535, "the position of a byte")),
                bit: Int(try object.required("bit").integer(1...8, "a bit")))
        default:
            try node.isTrue()
            let plain: [String: FaultPlan.Fault] = [
                "drop": .drop, "loseResponse": .loseResponse, "transmissionError": .transmissionError,
                "protocolError": .protocolError, "remove": .remove, "removeAfter": .removeAfter,
            ]
            self = plain[name] ?? .drop
        }
    }

    fileprivate var json: (String, JSON) {
        switch self {
        case .drop: return ("drop", JSON(.bool(true)))
        case .loseResponse: return ("loseResponse", JSON(.bool(true)))
        case .transmissionError: return ("transmissionError", JSON(.bool(true)))
        case .protocolError: return ("protocolError", JSON(.bool(true)))
        case .remove: return ("remove", JSON(.bool(true)))
        case .removeAfter: return ("removeAfter", JSON(.bool(true)))
        case .truncate(let count): return ("truncate", JSON(.number("\(max(0, count))")))
        case .replace(let bytes): return ("replace", JSON(.string(Hex.string(bytes))))
        case .delay(let time): return ("delay", CardValue<Double>.milliseconds.write(time))
        case .flip(let byte, let bit):
            var object = ObjectWriter()
            object.put("byte", UInt64(max(0, byte)))
            object.put("bit", UInt64(max(1, bit)))
            return ("flip", object.json)
        }
    }
}

extension CardValue where Value == Set<Int> {
    /// Polling loops, from 1, that find two cards.
    static var collisions: CardValue {
        CardValue(
            read: { node throws(FormatError) in
                var polls: Set<Int> = []
                for element in try node.elements() {
                    polls.insert(Int(try element.integer(1...9999, "the number of a polling loop")))
                }
                return polls
            }, write: { JSON(.array($0.sorted().map { JSON(.number("\($0)")) })) })
    }
}
