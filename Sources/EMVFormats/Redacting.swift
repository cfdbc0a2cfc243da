// SPDX-License-Identifier: Apache-2.0
import EMVKit

extension Trace {
    /// A copy without account number, track data and cardholder name: what a log may hold. It replays for shape only.
    ///
    /// Digits between the first six and the last four of the account number become 0, and the same digits wherever else
    /// they stand; discretionary track data, names and the card's certificate (which holds the account number) become
    /// zeros.
    public func redacted() -> Trace {
        var accounts: [Bytes] = []
        for item in items {
            if case .exchange(_, let response, _) = item { accounts += Mask.accounts(response.dropLast(2)) }
            if case .dataExchange(let data) = item { accounts += Mask.accounts(data.encoded[...]) }
        }
        for datum in expectation.data + expectation.discretionary {
            guard let value = datum.value else { continue }
            accounts += datum.tag.isConstructed ? Mask.accounts(value[...]) : Mask.account(datum.tag, value[...])
        }
        let mask = Mask(accounts: accounts)

        var trace = self
        trace.isRedacted = true
        trace.configuration.exceptions = []
        trace.items = items.map { item in
            switch item {
            // Which passes a phone has is masked by `withoutPasses()`.
            case .prelude: item
            case .exchange(let command, let response, let elapsed):
                .exchange(
                    command: mask.everywhere(command), response: mask.everywhere(Mask.objects(response)),
                    elapsed: elapsed)
            case .fault(let command, let fault): .fault(command: mask.everywhere(command), fault)
            case .online(let data): .online(data.map(mask.objects))
            case .terminalData(let data): .terminalData(mask.objects(data))
            case .dataExchange(let data): .dataExchange(mask.objects(data))
            case .tap, .collision, .pin, .stop, .deadline, .removed, .sale: item
            }
        }
        trace.expectation.data = expectation.data.map(mask.datum)
        trace.expectation.discretionary = expectation.discretionary.map(mask.datum)
        return trace
    }

    /// The same without what passes say, sealed or not: cryptograms, tokens and bundles in preludes become zeros of the
    /// same length. It replays for shape.
    public func withoutPasses() -> Trace {
        var trace = self
        trace.items = items.map { item in
            guard case .prelude(let exchanges) = item else { return item }
            var isInBundle = false
            return .prelude(exchanges.map { Mask.pass($0, &isInBundle) })
        }
        if trace.items != items { trace.isRedacted = true }
        return trace
    }
}

extension Mask {
    /// - Parameter isInBundle: an earlier part has begun a bundle, which goes on in the next.
    fileprivate static func pass(_ item: Trace.Item, _ isInBundle: inout Bool) -> Trace.Item {
        guard case .exchange(let command, let response, let elapsed) = item, command.count >= 4, response.count >= 2
        else { return item }
        var body = Bytes(response.dropLast(2))
        switch (command[0], command[1]) {
        case (0x80, 0xCA):
            for (object, _) in TLVTree(body[...]) where object.tag == 0x9F27 || object.tag == 0x9F2A {
                for at in object.value.indices { body[at] = 0 }
            }
        case (0x90, 0x50), (0x90, 0xC0):
            let start = isInBundle ? 0 : bundle(in: body)
            for at in (start ?? body.count)..<body.count { body[at] = 0 }
            isInBundle = start != nil
        default: return item
        }
        return .exchange(command: command, response: body + response.suffix(2), elapsed: elapsed)
    }

    /// Behind the type "reb" and its flags; `nil`: there is no bundle.
    private static func bundle(in body: Bytes) -> Int? {
        let type = Bytes("reb".utf8)
        let starts = body.indices.dropLast(3)
        return starts.first { body[$0..<$0 + 3].elementsEqual(type) }.map { min($0 + 4, body.count) }
    }
}

/// Masks account numbers wherever they stand.
private struct Mask {
    /// Digits of account numbers as compressed numeric, without an odd last digit.
    let accounts: [Bytes]

    static func accounts(_ body: ArraySlice<UInt8>) -> [Bytes] {
        TLVTree(body).flatMap { account($0.object.tag, $0.object.value) }
    }

    static func account(_ tag: Tag, _ value: ArraySlice<UInt8>) -> [Bytes] {
        guard [0x57, 0x5A, 0x9F6B].contains(tag) else { return [] }
        let digits = value.flatMap { [$0 >> 4, $0 & 0x0F] }.prefix { $0 < 10 }
        guard digits.count >= 12 else { return [] }
        let even = digits.count / 2 * 2
        return [stride(from: 0, to: even, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }]
    }

    /// The response with the values of sensitive objects masked in place; lengths stay.
    static func objects(_ response: Bytes) -> Bytes {
        Bytes(inside(response.dropLast(2)) + response.suffix(2))
    }

    /// Data objects, those in templates included.
    private static func inside(_ objects: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var masked = objects
        for (object, _) in TLVTree(objects) where !object.isConstructed {
            masked.replaceSubrange(object.value.indices, with: value(object.tag, object.value))
        }
        return masked
    }

    static func value(_ tag: Tag, _ value: ArraySlice<UInt8>) -> Bytes {
        switch tag {
        case 0x57, 0x9F6B: track2(Bytes(value))
        case 0x5A: pan(Bytes(value))
        case 0x56, 0x5F20, 0x9F0B, 0x9F1F: Bytes(repeating: 0x30, count: value.count)
        case 0x9F20, 0x9F46: Bytes(repeating: 0, count: value.count)
        default: tag.isConstructed ? Bytes(inside(value)) : Bytes(value)
        }
    }

    func objects(_ data: DataObjects) -> DataObjects {
        var masked = DataObjects()
        for element in data.elements {
            masked.put(element.tag, everywhere(Mask.value(element.tag, element.value[...])))
        }
        return masked
    }

    func datum(_ datum: Trace.Datum) -> Trace.Datum {
        Trace.Datum(tag: datum.tag, value: datum.value.map { everywhere(Mask.value(datum.tag, $0[...])) })
    }

    func everywhere(_ bytes: Bytes) -> Bytes {
        var masked = bytes
        for account in accounts where account.count <= masked.count {
            for start in 0...(masked.count - account.count)
            where masked[start..<(start + account.count)].elementsEqual(account) {
                masked.replaceSubrange(start..<(start + account.count), with: Mask.pan(account))
            }
        }
        return masked
    }

    /// Digits after the sixth and before the last four become 0; padding stays.
    private static func pan(_ bytes: Bytes) -> Bytes {
        masked(bytes, digits: bytes.flatMap { [$0 >> 4, $0 & 0x0F] }.prefix { $0 < 10 }.count, after: false)
    }

    /// As the account number; what follows separator, expiry date and service code becomes 0.
    private static func track2(_ bytes: Bytes) -> Bytes {
        masked(bytes, digits: bytes.flatMap { [$0 >> 4, $0 & 0x0F] }.prefix { $0 < 10 }.count, after: true)
    }

    private static func masked(_ bytes: Bytes, digits: Int, after: Bool) -> Bytes {
        var nibbles = bytes.flatMap { [$0 >> 4, $0 & 0x0F] }
        let first = digits >= 14 ? 6 : 0
        for place in nibbles.indices where nibbles[place] < 10 {
            let inside = place >= first && place < digits - 4
            let tail = after && place > digits + 7
            if inside || tail { nibbles[place] = 0 }
        }
        return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}
