// SPDX-License-Identifier: Apache-2.0
// Writes a played tap as an `emv-trace/1`: the configuration, the events in order of time, and the independent
// implementation's result, which the trace expects.

/// Returns `nil` if the format cannot express the tap: a fault of the link while the card is activated, an issuer's
/// answer that does not parse or mixes the kinds of scripts, terminal data with the same tag twice, or a request for
/// several data objects, whose order is not prescribed.
func trace(_ world: World, name: String, source: String) -> JSON? {
    let possible = exported(world.subject)
    var items: [JSON] = []
    var random = world.reader.transaction["random"]?.bytes ?? []
    var presentments = 0
    var commands = 0
    var messages: [JSON] = []
    var expect: [(String, JSON)] = []
    func item(_ key: String, _ value: JSON) { items.append(.object([(key, value)])) }

    /// The messages and data of the command that is being sent: compared once the command has been answered.
    var withCommand: [JSON] = []
    for (turn, reply) in world.passed {
        messages += turn.messages.map { hexText([$0]) }
        guard let before = dataExchanges(turn.sentBefore), let exchanges = dataExchanges(turn.sent) else { return nil }
        for exchange in before { item("dek", exchange) }
        if case .send = turn.step {
            withCommand += exchanges
        } else {
            for exchange in exchanges { item("dek", exchange) }
        }
        switch (turn.step, reply) {
        case (.poll, .fault): return nil
        case (.poll, .collision): item("collision", .bool(true))
        case (.poll, .card):
            presentments += 1
            if presentments > 1 { item("tap", .number(String(presentments))) }
        case (.pollRemoval, .removed): item("removed", .bool(true))
        case (.send(let command), .response(let bytes)):
            items.append(.object([("c", hexText(command)), ("r", hexText(bytes))]))
        case (.send(let command), .timed(let bytes, let micros)):
            items.append(.object([("c", hexText(command)), ("r", hexText(bytes)), ("ms", milliseconds(micros))]))
        case (.send(let command), .fault(let kind)):
            items.append(.object([("c", hexText(command)), ("fault", .string(kind))]))
        case (_, .data(let bytes)):
            guard let objects = parseObjects(bytes, filler: false), let values = members(objects) else { return nil }
            item("det", values)
        case (_, .stop): item("stop", .bool(true))
        case (_, .deadline): item("deadline", .bool(true))
        case (.askRandom, .random(let bytes)): random += bytes
        case (.parked, .online(nil)): item("online", .null)
        case (.parked, .online(let bytes?)):
            guard let objects = parseObjects(bytes), let values = grouped(objects) else { return nil }
            item("online", values)
        case (.done(let parameters), _): expect = expectation(parameters, possible)
        default: break
        }
        switch (turn.step, reply) {
        case (.send, .response), (.send, .timed), (.send, .fault):
            commands += 1
            for exchange in withCommand { item("dek", exchange) }
            withCommand = []
        default: break
        }
    }
    expect += [("messages", .array(messages)), ("apdus", .number(String(commands)))]
    let transaction = world.reader.transaction.members.map { $0.0 == "random" ? ($0.0, hexText(random)) : $0 }
    return .object([
        ("format", .string("emv-trace/1")), ("name", .string(name)), ("source", .string(source)),
        ("configuration", world.reader.configuration), ("transaction", .object(transaction)),
        ("match", .string("exact")), ("exchanges", .array(items)), ("expect", .object(expect)),
    ])
}

private func milliseconds(_ micros: Int) -> JSON {
    let rest = String(micros % 1000)
    return .number("\(micros / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest)
}

/// The objects by tag; `nil` if a tag comes twice.
private func members(_ objects: [Object]) -> JSON? {
    if Set(objects.map(\.tag)).count != objects.count { return nil }
    return .object(objects.map { (hex(tagBytes($0.tag)), hexText($0.value)) })
}

/// The objects by tag, with an array of values for a tag that comes several times; `nil` if others come between them.
private func grouped(_ objects: [Object]) -> JSON? {
    for (index, object) in objects.enumerated().dropFirst() where object.tag != objects[index - 1].tag {
        if objects[..<index].contains(where: { $0.tag == object.tag }) { return nil }
    }
    var values: [(String, JSON)] = []
    for object in objects where !values.contains(where: { $0.0 == hex(tagBytes(object.tag)) }) {
        let all = objects.filter { $0.tag == object.tag }.map { hexText($0.value) }
        values.append((hex(tagBytes(object.tag)), all.count == 1 ? all[0] : .array(all)))
    }
    return .object(values)
}

/// Each data exchange: the objects of Data To Send (FF8104), and Data Needed (DF8106) where something is needed.
private func dataExchanges(_ sent: Bytes) -> [JSON]? {
    var out: [JSON] = []
    for object in parseObjects(sent, filler: false) ?? [] {
        if object.tag == 0xFF8104 {
            let objects = parseObjects(object.value, filler: false) ?? []
            out.append(.object(objects.map { (hex(tagBytes($0.tag)), hexText($0.value)) }))
        } else if World.tags(object.value).count > 1 {
            return nil
        } else if !object.value.isEmpty, case .object(let before)? = out.popLast() {
            out.append(.object(before + [(hex(tagBytes(object.tag)), hexText(object.value))]))
        }
    }
    return out
}

/// Tags of data record and discretionary data: the trace expects each of them to be absent if the outcome does not have
/// it.
private func exported(_ subject: Subject) -> (data: [UInt32], discretionary: [UInt32]) {
    switch subject {
    case .kernel2:
        (Objects2.record + Objects2.stripeRecord, Objects2.discretionary + Objects2.stripeDiscretionary)
    case .kernel3: (Kernel3.record, Kernel3.discretionary)
    case .entry: ([], [])
    }
}

private func expectation(
    _ parameters: [Parameter], _ possible: (data: [UInt32], discretionary: [UInt32])
) -> [(String, JSON)] {
    parameters.compactMap { parameter in
        let value: JSON
        switch parameter.key {
        case "data": value = list(parameter.value, possible.data)
        case "discretionary": value = list(parameter.value, possible.discretionary)
        case "message" where parameter.value == "null": return nil
        case _ where parameter.value == "null": value = .null
        case "holdMs", "fieldOffMs", "value", "removalTimeout": value = .number(parameter.value)
        case "receipt": value = .bool(parameter.value == "true")
        default: value = .string(parameter.value)
        }
        return (parameter.key, value)
    }
}

private func list(_ text: String, _ possible: [UInt32]) -> JSON {
    let objects = parseObjects(unhex(text) ?? [], filler: false) ?? []
    // The order of objects in a torn record is not prescribed.
    let torn = objects.contains { $0.tag == 0xFF8101 }
    var found = Dictionary(uniqueKeysWithValues: objects.map { ($0.tag, hexText($0.value)) })
    if torn {
        for tag in Objects2.torn + [0xFF8101] { found[tag] = nil }
    } else {
        for tag in possible where found[tag] == nil { found[tag] = .null }
    }
    return .object(found.sorted { $0.key < $1.key }.map { (hex(tagBytes($0.key)), $0.value) })
}
