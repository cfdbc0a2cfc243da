// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension Trace {
    /// A copy without account number, track data and cardholder name. It can only be replayed for its shape, because
    /// signatures do not verify. Data of passes stay: a log may hold only the output of ``withoutPasses()``.
    ///
    /// Digits between the first six and the last four of the account number become 0, wherever the number occurs;
    /// discretionary track data, names and the card's certificate (which holds the account number) become zeros. Data
    /// that break off or are nested too deep become zeros from there on too.
    public func redacted() -> Trace {
        let mask = AccountMask(self)
        var trace = self
        trace.isRedacted = true
        trace.configuration.exceptions = []
        trace.items = items.map { item in
            switch item {
            // `withoutPasses()` masks which passes a phone has.
            case .prelude(let items): .prelude(items.map { Redaction.everywhere($0, mask) })
            case .exchange(let command, let response, let elapsed):
                .exchange(
                    command: Redaction.command(command, mask), response: Redaction.response(response, mask),
                    elapsed: elapsed)
            case .fault(let command, let fault): .fault(command: Redaction.command(command, mask), fault)
            case .online(let data): .online(data.map { Redaction.objects($0, mask) })
            case .terminalData(let data): .terminalData(Redaction.objects(data, mask))
            case .dataExchange(let data): .dataExchange(Redaction.objects(data, mask))
            case .tap, .collision, .pin, .stop, .deadline, .removed, .sale: item
            }
        }
        trace.expectation.errorIndication = expectation.errorIndication.map { mask.zeroed(errorIndication: $0) }
        trace.expectation.data = expectation.data.map { Redaction.datum($0, mask) }
        trace.expectation.discretionary = expectation.discretionary.map { Redaction.datum($0, mask) }
        trace.recorded?.differences = recorded?.differences.map { mask.difference($0).asMasked } ?? []
        return trace
    }

    /// Like ``redacted()``, with the result of this trace's replay. A trace that is already masked keeps its recorded
    /// result.
    public func redacted(after report: ReplayReport) -> Trace {
        var trace = redacted()
        if !isRedacted { trace.recorded = Recorded(report) }
        return trace
    }

    /// Like ``redacted()``, also without the data of passes, sealed or not: cryptograms, tokens and bundles in preludes
    /// become zeros of equal length, and so do data that cannot be read. It can only be replayed for its shape.
    public func withoutPasses() -> Trace {
        var trace = self
        trace.items = items.map { item in
            guard case .prelude(let exchanges) = item else { return item }
            return .prelude(PassRedaction.exchanges(exchanges))
        }
        if trace.items != items { trace.isRedacted = true }
        return trace
    }
}

/// Replaces data objects that must not stay by zeros; lengths stay.
private enum Redaction {
    static func response(_ response: Bytes, _ mask: AccountMask) -> Bytes {
        let status = AccountMask.isBroken(response) ? [0, 0] : response.suffix(2)
        let masked = Bytes(objects(response.dropLast(2), mask) + status)
        return mask.zeroed(response, over: masked)
    }

    /// Redacts a command by the tags of its data, if these are data objects. A PIN is never kept.
    static func command(_ command: Bytes, _ mask: AccountMask) -> Bytes {
        if AccountMask.bringsPIN(command) {
            let count = AccountMask.placeOfPIN(command)
            return command.prefix(count) + Bytes(repeating: 0, count: command.count - count)
        }
        var masked = command
        if let data = AccountMask.objects(ofCommand: command) {
            masked.replaceSubrange(data, with: objects(command[data], mask))
        }
        return mask.zeroed(command, over: masked)
    }

    static func everywhere(_ item: Trace.Item, _ mask: AccountMask) -> Trace.Item {
        switch item {
        case .exchange(let command, let response, let elapsed):
            .exchange(
                command: mask.zeroed(command, over: command), response: mask.zeroed(response, over: response),
                elapsed: elapsed)
        case .fault(let command, let fault): .fault(command: mask.zeroed(command, over: command), fault)
        default: item
        }
    }

    static func objects(_ data: DataObjects, _ mask: AccountMask) -> DataObjects {
        var masked = DataObjects()
        for element in data.elements {
            masked.put(element.tag, bytes(element.tag, element.value, mask))
        }
        return masked
    }

    static func datum(_ datum: Trace.Datum, _ mask: AccountMask) -> Trace.Datum {
        Trace.Datum(tag: datum.tag, value: datum.value.map { bytes(datum.tag, $0, mask) })
    }

    private static func bytes(_ tag: Tag, _ bytes: Bytes, _ mask: AccountMask) -> Bytes {
        mask.zeroed(bytes, over: value(tag, bytes[...], mask))
    }

    private static func objects(_ bytes: ArraySlice<UInt8>, _ mask: AccountMask) -> Bytes {
        inside(bytes) { value($0, $1, mask) }
    }

    /// Redacts data objects, including those in templates. Of data that are not objects or are nested too deep, tag and
    /// length stay, so that the fault stays too.
    ///
    /// - Parameter value: returns the redacted value of a primitive object.
    static func inside(
        _ objects: ArraySlice<UInt8>, depth: Int = 1, _ value: (Tag, ArraySlice<UInt8>) -> Bytes
    ) -> Bytes {
        var masked = Bytes()
        var reader = TLVReader(objects)
        var end = objects.startIndex
        while let object = reader.next() {
            masked += objects[end..<object.value.startIndex]
            if !object.isConstructed {
                masked += value(object.tag, object.value)
            } else if depth < TLVReader.maximumDepth {
                masked += inside(object.value, depth: depth + 1, value)
            } else {
                masked += Bytes(repeating: 0, count: object.value.count)
            }
            end = object.value.endIndex
        }
        guard let error = reader.error else { return masked + objects[end...] }
        return masked + objects[end..<reader.position] + fault(error, objects[reader.position...])
    }

    /// Redacts the bytes from a fault on, keeping as many as are needed to cause this fault again.
    private static func fault(_ error: TLVError, _ rest: ArraySlice<UInt8>) -> Bytes {
        let kept =
            switch error {
            case .truncatedTag, .longTag: min(4, rest.count)
            case .truncatedLength, .indefiniteLength, .longLength: min(1, rest.count)
            case .truncatedValue, .tooDeep: 0
            }
        return rest.prefix(kept) + Bytes(repeating: 0, count: rest.count - kept)
    }

    private static func value(_ tag: Tag, _ value: ArraySlice<UInt8>, _ mask: AccountMask) -> Bytes {
        switch AccountMask.kind(tag, value) {
        case .digits: digits(value)
        case .hidden where tag == 0x9F20 || tag == 0x9F46: Bytes(repeating: 0, count: value.count)
        case .track1, .hidden: Bytes(repeating: 0x30, count: value.count)
        case .errorIndication: mask.zeroed(errorIndication: Bytes(value))
        case .objects: objects(value, mask)
        case .other: Bytes(value)
        }
    }

    /// Digits after the sixth and before the last four become 0, and so do those after separator, expiry date and
    /// service code.
    private static func digits(_ bytes: ArraySlice<UInt8>) -> Bytes {
        var nibbles = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        let count = nibbles.prefix { $0 < 10 }.count
        // Fewer digits are not an account number, and the digits after them may belong to one.
        let hidden = count < AccountMask.fewest ? nibbles.indices : AccountMask.hiddenDigits(of: count)
        let last = count < nibbles.count && nibbles[count] == 0x0D ? count + 7 : count
        for place in nibbles.indices where nibbles[place] < 10 {
            if hidden.contains(place) || place > last { nibbles[place] = 0 }
        }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}

/// Replaces the data of passes in the dialogue with a phone by zeros.
private enum PassRedaction {
    static func exchanges(_ items: [Trace.Item]) -> [Trace.Item] {
        var masked = items
        // A message of Smart Tap may come in parts: the items that hold a part, and the bytes read so far.
        var parts: [Int] = []
        var message = Bytes()
        func finish() {
            var rest = smartTap(message)[...]
            for place in parts {
                guard case .exchange(let command, let response, let elapsed) = items[place] else { continue }
                let body = rest.prefix(response.count - 2)
                rest = rest.dropFirst(body.count)
                masked[place] = .exchange(command: command, response: body + response.suffix(2), elapsed: elapsed)
            }
            (parts, message) = ([], [])
        }
        for (place, item) in items.enumerated() {
            guard case .exchange(let command, let response, let elapsed) = item, command.count >= 2,
                response.count >= 2
            else { continue }
            switch (command[0], command[1]) {
            case (0x80, 0xCA):
                let body = Redaction.inside(response.dropLast(2)) { tag, value in
                    tag == 0x9F27 || tag == 0x9F2A ? Bytes(repeating: 0, count: value.count) : Bytes(value)
                }
                masked[place] = .exchange(command: command, response: body + response.suffix(2), elapsed: elapsed)
            case (0x90, let instruction) where instruction == 0x50 || instruction == 0xC0:
                if instruction == 0x50 { finish() }
                parts.append(place)
                message += response.dropLast(2)
            default: continue
            }
        }
        finish()
        return masked
    }

    /// A service response: its session stays, and the flags of a bundle. Everything else in it becomes zeros, and so
    /// does a message that cannot be read.
    private static func smartTap(_ message: Bytes) -> Bytes {
        var masked = Bytes(repeating: 0, count: message.count)
        guard let outer = NDEFHead(message, at: 0), outer.isNamed("srs") else { return masked }
        masked.replaceSubrange(0..<outer.payload, with: message[0..<outer.payload])
        var at = outer.payload
        while let record = NDEFHead(message, at: at) {
            let size = record.end - record.payload
            var kept = at
            if at == outer.payload, record.isNamed("ses"), size <= 10 { kept = record.end }
            if record.isNamed("reb") { kept = record.payload + min(1, size) }
            masked.replaceSubrange(at..<kept, with: message[at..<kept])
            at = record.end
        }
        return masked
    }
}

/// The places of the parts of an NDEF record.
private struct NDEFHead {
    private let type: Bytes
    private let hasName: Bool
    let payload: Int
    /// End of the payload, or of the bytes if it is cut.
    let end: Int

    /// `nil`: there is no record that is complete up to its payload.
    init?(_ bytes: Bytes, at start: Int) {
        guard start + 2 < bytes.count else { return nil }
        let head = bytes[start]
        let isShort = head & 0x10 != 0
        hasName = head & 0x08 != 0
        let length = start + 2, afterLength = length + (isShort ? 1 : 4)
        let afterHead = afterLength + (hasName ? 1 : 0)
        guard afterHead <= bytes.count else { return nil }
        let typeCount = Int(bytes[start + 1]), nameCount = hasName ? Int(bytes[afterLength]) : 0
        guard typeCount > 0, typeCount + nameCount <= bytes.count - afterHead else { return nil }
        type = Bytes(bytes[afterHead..<afterHead + typeCount])
        payload = afterHead + typeCount + nameCount
        let count = bytes[length..<afterLength].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        end = payload + Int(min(count, UInt32(bytes.count - payload)))
    }

    /// Returns true if the record has this type and no name.
    func isNamed(_ name: String) -> Bool { !hasName && type.elementsEqual(name.utf8) }
}
