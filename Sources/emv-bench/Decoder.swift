// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Data objects as a tree for people.
struct Decoder {
    var showsPAN = false

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Hex digits with white space anywhere between bytes; the position of a fault counts characters from 1.
    static func bytes(hex text: String) throws -> Bytes {
        var bytes = Bytes()
        var high: UInt8?
        var position = 0
        for character in text {
            position += 1
            if character.isWhitespace { continue }
            guard character.isASCII, let digit = character.hexDigitValue else {
                throw Failure(description: "character \(position), \"\(character)\": expected a hex digit")
            }
            if let upper = high {
                bytes.append(upper << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else {
            throw Failure(description: "character \(position): an odd number of hex digits, expected pairs")
        }
        guard !bytes.isEmpty else { throw Failure(description: "no hex digits given") }
        return bytes
    }

    /// Lines of the tree, and what is wrong where it breaks off.
    func decode(_ bytes: Bytes) -> (lines: [String], fault: String?) {
        let (objects, statusWord) = Decoder.splitStatusWord(bytes)
        let data = Decoder.primitives(objects)
        let view = IssuerView(scheme: Decoder.scheme(of: data), showsPAN: showsPAN)
        var lines: [String] = []
        var levels = [TLVReader(objects)]
        // Whether the template that a level walks is a record of Kernel 2's mag-stripe mode.
        var isMagStripe = [TagNames.isMagStripeRecord(Array(TLVReader(objects)))]
        while let depth = levels.indices.last {
            guard let object = levels[depth].next() else {
                if let error = levels[depth].error {
                    return (lines, "byte \(levels[depth].position + 1): \(Decoder.explain(error))")
                }
                levels.removeLast()
                isMagStripe.removeLast()
                continue
            }
            let indent = String(repeating: "  ", count: depth)
            let place = Place(view: view, isMagStripe: isMagStripe[depth], indent: indent)
            lines += describe(object.tag, Bytes(object.value), isConstructed: object.isConstructed, place)
            if object.tag == 0x80 {
                let inside = Place(view: view, isMagStripe: false, indent: indent + "  ")
                for (tag, value) in FormatOne.objects(Bytes(object.value)) {
                    lines += describe(tag, value, isConstructed: false, inside)
                }
            }
            if object.isConstructed, !object.value.isEmpty {
                guard levels.count < TLVReader.maximumDepth else {
                    return (lines, "byte \(object.value.startIndex + 1): \(Decoder.explain(.tooDeep))")
                }
                levels.append(object.children)
                isMagStripe.append(TagNames.isMagStripeRecord(Array(object.children)))
            }
        }
        if let statusWord { lines.append("status word \(Hex.string(statusWord))") }
        return (lines + view.message(of: data), nil)
    }

    /// Every primitive object of the tree, whatever template it stands in; of a repeated tag the last.
    private static func primitives(_ bytes: Bytes) -> DataObjects {
        var objects = DataObjects()
        var tree = TLVTree(bytes)
        while let (object, _) = tree.next() {
            if !object.isConstructed { objects[object.tag] = Bytes(object.value) }
            guard object.tag == 0x80 else { continue }
            for (tag, value) in FormatOne.objects(Bytes(object.value)) { objects[tag] = value }
        }
        return objects
    }

    private static func scheme(of objects: DataObjects) -> PaymentScheme? {
        for tag: Tag in [0x84, 0x4F, 0x9F06] {
            if let name = objects[tag], let scheme = PaymentScheme(aid: name) { return scheme }
        }
        return nil
    }

    /// One template with two bytes behind it is a response with its status word.
    private static func splitStatusWord(_ bytes: Bytes) -> (Bytes, Bytes?) {
        var reader = TLVReader(bytes)
        guard let first = reader.next(), first.isConstructed || first.tag == 0x80, reader.position == bytes.count - 2,
            bytes[reader.position] == 0x90 || bytes[reader.position] & 0xF0 == 0x60
        else { return (bytes, nil) }
        return (Bytes(bytes.dropLast(2)), Bytes(bytes.suffix(2)))
    }

    /// Where an object stands.
    private struct Place {
        let view: IssuerView
        let isMagStripe: Bool
        let indent: String
    }

    private func describe(_ tag: Tag, _ value: Bytes, isConstructed: Bool, _ place: Place) -> [String] {
        let names = TagNames(scheme: place.view.scheme)
        let name = names.name(of: tag, count: value.count, inMagStripeRecord: place.isMagStripe)
        let head = "\(place.indent)\(tag) \(name) [\(value.count)]"
        if isConstructed { return [head] }
        var line = head
        if !value.isEmpty { line += ": " + text(tag, value) }
        let inner = place.indent + "    "
        let isKernel2 = names.isKernel2(inMagStripeRecord: place.isMagStripe)
        let meanings = Bits.meanings(of: tag, value, isKernel2: isKernel2) + place.view.meanings(of: tag, value)
        return [line] + (meanings + list(tag, value, names, isKernel2: isKernel2)).map { inner + $0 }
    }

    // MARK: Values

    private func text(_ tag: Tag, _ value: Bytes) -> String {
        if !showsPAN, let masked = masked(tag, value) { return masked }
        let hex = Hex.string(value)
        if Decoder.texts.contains(tag.rawValue), value.allSatisfy({ (0x20...0x7E).contains($0) }) {
            return hex + " \"" + String(decoding: value, as: UTF8.self) + "\""
        }
        return hex
    }

    private static let texts: Set<UInt32> = [
        0x50, 0x84, 0x5F20, 0x5F2D, 0x5F50, 0x8A, 0x89, 0x9F0B, 0x9F12, 0x9F16, 0x9F1C, 0x9F1E, 0x9F4E,
    ]

    /// Objects that hold an account number or what stands beside it on a track; nil for all others.
    func masked(_ tag: Tag, _ value: Bytes) -> String? {
        switch tag.rawValue {
        case 0x5A, 0x57, 0x9F6B: Decoder.mask(digits: value)
        case 0x56, 0x9F1F, 0x9F20: "(masked)"
        default: nil
        }
    }

    /// The first six and the last four digits of the account number; everything behind a separator goes.
    private static func mask(digits value: Bytes) -> String {
        let nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
        let number = nibbles.prefix { $0 < 10 }
        let shown = number.count >= 14
        var text = ""
        for (place, digit) in number.enumerated() {
            text += shown && (place < 6 || place >= number.count - 4) ? "\(digit)" : "*"
        }
        for nibble in nibbles.dropFirst(number.count) {
            text += nibble == 0x0D ? "D" : nibble == 0x0F ? "F" : "*"
        }
        return text
    }

    /// What a data object list asks for.
    private func list(_ tag: Tag, _ value: Bytes, _ names: TagNames, isKernel2: Bool) -> [String] {
        let always: Set<UInt32> = [0x9F38, 0x8C, 0x8D, 0x97, 0x9F49, 0x9F4F]
        // DSDOL and UDOL.
        let ofKernel2: Set<UInt32> = [0x9F5B, 0x9F69]
        guard always.contains(tag.rawValue) || isKernel2 && ofKernel2.contains(tag.rawValue) else { return [] }
        var lines: [String] = []
        var at = 0
        while at < value.count {
            var number = UInt32(value[at])
            at += 1
            if number & 0x1F == 0x1F {
                repeat {
                    guard at < value.count, number <= 0xFF_FFFF else { return lines + ["the list is cut short"] }
                    number = number << 8 | UInt32(value[at])
                    at += 1
                } while value[at - 1] & 0x80 != 0
            }
            guard at < value.count, let asked = Tag(rawValue: number) else { return lines + ["the list is cut short"] }
            let name = names.name(of: asked, count: Int(value[at]), inMagStripeRecord: isKernel2)
            lines.append("\(asked) \(name) [\(value[at])]")
            at += 1
        }
        return lines
    }

    private static func explain(_ error: TLVError) -> String {
        switch error {
        case .truncatedTag: "the bytes end inside a tag"
        case .longTag: "a tag of more than four bytes"
        case .truncatedLength: "the bytes end before or inside a length"
        case .indefiniteLength: "an indefinite length, which EMV does not allow"
        case .longLength: "a length of more than four bytes"
        case .truncatedValue: "the value is longer than the bytes that are left"
        case .tooDeep: "nested too deep"
        }
    }
}
