// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Reads bytes as a tree of data objects: names, bit meanings, fields of the issuer application data, entries of lists,
/// and the fields of the issuer's message that follow from them.
///
/// It only explains: no kernel uses it. Account numbers, track data, names and the card's certificate, which holds the
/// account number, are masked unless ``showsPAN`` is set; other certificates and cryptograms are shown as they are.
public struct DataObjectDecoder: Sendable {
    /// True if account numbers, track data and names are shown.
    public var showsPAN: Bool
    /// The scheme of the objects if they do not identify it; `nil`: not known.
    public var scheme: PaymentScheme?

    /// The application that a command selected, if the objects name none; `nil`: not known.
    package var applicationName: Bytes?
    /// The built-in kernel that read the card, 2 to 8; `nil`: the network's kernel. It decides the meaning of numbers
    /// that kernels interpret differently.
    package var kernel: UInt8?
    /// The bytes come from a log with masked digits, which were read as 0: a date, a code or a track with a byte 00
    /// gets no remark.
    package var isOfMaskedLog = false

    public init(showsPAN: Bool = false, scheme: PaymentScheme? = nil) {
        self.showsPAN = showsPAN
        self.scheme = scheme
    }

    /// Returns the tree of one or more objects, or of a response with its status word. Objects after a fault are read
    /// as far as possible.
    public func decode(_ bytes: Bytes) -> DecodedData {
        var decoded = DecodedData(objects: [])
        if let records = PassRecords(showsPass: showsPAN).decode(bytes) {
            decoded.records = records
            return decoded
        }
        let tree = TolerantTree(DataObjectDecoder.passRequest(in: bytes) ?? bytes)
        let data = tree.primitives
        let view = IssuerView(scheme: DataObjectDecoder.scheme(of: data) ?? scheme, showsPAN: showsPAN)
        let reading = kernel ?? (tree.hasKernel8Objects ? 8 : nil)
        let owner =
            reading.map { .kernel($0) } ?? TagNames.owner { data[$0] }
            ?? applicationName.flatMap { TagNames.owner(ofAID: $0) }
            ?? scheme.map { .kernel(TagNames.kernel(of: $0)) } ?? .unknown
        let place = Place(
            view: view,
            names: TagNames(
                owner: owner == .unknown && tree.isOfSecurityDomain ? .globalPlatform : owner,
                looksLikeKernel2: tree.hasKernel2Outcome, isOfOneKernel: reading != nil),
            isWallet: PassNames.isWallet(data), isFaulty: !tree.faults.isEmpty)
        decoded.objects = describe(tree.nodes, place)
        decoded.statusWord = tree.statusWord
        decoded.faults = tree.faults
        let isRecord = tree.nodes.count == 1 && tree.nodes.allSatisfy { $0.tag == 0x70 }
        if tree.faults.isEmpty { decoded.issuer = view.message(of: data, isRecord: isRecord) }
        return decoded
    }

    /// The objects of one template with everything inside them.
    private func describe(_ siblings: [TolerantTree.Node], _ around: Place) -> [DecodedObject] {
        var place = around
        let ofTemplate = TagNames.owner { tag in siblings.first { $0.tag == tag }.map { Bytes($0.value) } }
        if let ofTemplate, !place.names.isOfOneKernel { place.names.owner = ofTemplate }
        let inside = place
        if TagNames.isMagStripeRecord(siblings.map { $0.tag }) { place.names.looksLikeKernel2 = true }
        return siblings.map { node in
            let value = Bytes(node.value)
            var around = place
            around.isCut = value.count < node.length
            var object = describe(node.tag, value, isConstructed: node.isConstructed, around)
            object.length = node.length
            object.available = node.value.count
            if node.tag == 0x80 {
                var values = inside
                values.isWallet = false
                object.children = FormatOne.objects(value).map {
                    describe($0.tag, $0.value, isConstructed: false, values)
                }
            } else {
                object.children = describe(node.children, inside)
            }
            // Bytes in a template that are not an object.
            if node.isConstructed, node.children.isEmpty, value.contains(where: { $0 != 0x00 && $0 != 0xFF }) {
                object.isMasked = !showsPAN && DataObjectDecoder.hasDigits(value)
                object.value = object.isMasked ? "(masked)" : Hex.string(value)
            }
            return object
        }
    }

    private static func scheme(of objects: DataObjects) -> PaymentScheme? {
        for tag: Tag in [0x84, 0x4F, 0x9F06] {
            if let name = objects[tag], let scheme = PaymentScheme(aid: name) { return scheme }
        }
        return nil
    }

    /// The context of an object.
    private struct Place {
        let view: IssuerView
        var names: TagNames
        /// True for the data of a wallet for passes, in which most numbers have another meaning.
        var isWallet: Bool
        /// True if a length is wrong somewhere, so that any object may contain digits of an account number.
        let isFaulty: Bool
        /// True if the object's length exceeds the bytes present.
        var isCut = false
    }

    /// The data objects of GET VAS DATA, which a reader sends to a wallet.
    private static func passRequest(in bytes: Bytes) -> Bytes? {
        guard bytes.count > 6, bytes[0..<3] == [0x80, 0xCA, 0x01], bytes[3] <= 0x01,
            (5...6).contains(bytes.count - Int(bytes[4]))
        else { return nil }
        return Bytes(bytes[5..<5 + Int(bytes[4])])
    }

    private func describe(_ tag: Tag, _ value: Bytes, isConstructed: Bool, _ place: Place) -> DecodedObject {
        let names = place.names
        let ofWallet = place.isWallet ? PassNames.name(of: tag) : nil
        var object = DecodedObject(
            tag: tag, name: ofWallet ?? names.name(of: tag, count: value.count),
            length: value.count, isConstructed: isConstructed)
        guard !isConstructed else { return object }
        if ofWallet != nil {
            // The token identifies the phone's owner; the cryptogram is enciphered.
            object.isMasked = tag == 0x9F2A && !showsPAN && !value.isEmpty
            object.value = object.isMasked ? "(masked)" : Hex.string(value)
            if tag == 0x9F29, value.allSatisfy({ (0x20...0x7E).contains($0) }) {
                object.text = String(decoding: value, as: UTF8.self)
            }
            object.meanings = PassNames.meanings(of: tag, value)
            return object
        }
        var masked = showsPAN || value.isEmpty ? nil : masked(tag, value, place)
        // The log masks the digits, so nothing can be shown.
        if masked != nil, isOfMaskedLog, value.starts(with: [0, 0, 0]) { masked = "(masked)" }
        if !showsPAN, masked == nil, place.isFaulty, object.name == "Unknown", DataObjectDecoder.hasDigits(value) {
            masked = "(masked)"
        }
        object.value = masked ?? Hex.string(value)
        object.isMasked = masked != nil
        if masked == nil, DataObjectDecoder.texts.contains(tag.rawValue), !value.isEmpty,
            value.allSatisfy({ (0x20...0x7E).contains($0) })
        {
            object.text = String(decoding: value, as: UTF8.self)
        }
        let kernel = names.kernel(for: tag, count: value.count)
        // Objects of another network are not known.
        if names.owner == .globalPlatform || object.name == "Unknown" { return object }
        object.meanings = BitMeanings.meanings(of: tag, value, kernel: kernel)
        let mayBeMasked = isOfMaskedLog && value.contains(0x00)
        if !mayBeMasked { object.meanings += CodeNames.meanings(of: tag, value, kernel: kernel) }
        if !mayBeMasked || ![0x56, 0x57, 0x9F6B].contains(tag) {
            object.meanings += place.view.meanings(of: tag, value)
        }
        object.meanings += list(tag, value, names, kernel)
        return object
    }

    // MARK: Values

    private static let texts: Set<UInt32> = [
        0x50, 0x84, 0x5F20, 0x5F2D, 0x5F50, 0x8A, 0x89, 0x9F0B, 0x9F12, 0x9F16, 0x9F1C, 0x9F1E, 0x9F4E,
    ]

    /// The visible part of an object that holds an account number, a name or other track data; `nil` for all other
    /// objects.
    public func masked(_ tag: Tag, _ value: Bytes) -> String? { masked(tag, value, nil) }

    /// If a length is wrong, the last four digits present may be other digits of the account number, and so may the
    /// first six of an object that is cut.
    private func masked(_ tag: Tag, _ value: Bytes, _ place: Place?) -> String? {
        func mask() -> String {
            let isFaulty = place?.isFaulty ?? false
            return DataObjectDecoder.mask(digits: value, first: place?.isCut ?? false ? 0 : 6, last: isFaulty ? 0 : 4)
        }
        return switch tag.rawValue {
        case 0x5A, 0x57, 0x9F6B: mask()
        // Kernel 2's DS ID: the account number and its sequence number.
        case 0x9F5E where value.count >= 8 && DataObjectDecoder.hasDigits(value): mask()
        case 0x56, 0x5F20, 0x9F0B, 0x9F1F, 0x9F20, 0x9F46: "(masked)"
        default: nil
        }
    }

    /// Returns true if the value may hold an account number: only decimal digits, or a run of at least as many
    /// as an account number has.
    private static func hasDigits(_ value: Bytes) -> Bool {
        if value.allSatisfy({ $0 >> 4 < 10 && $0 & 0x0F < 10 }) { return true }
        var run = 0
        for byte in value {
            for nibble in [byte >> 4, byte & 0x0F] {
                run = nibble < 10 ? run + 1 : 0
                if run == 8 { return true }
            }
        }
        return false
    }

    /// Shows the first six and the last four digits of the account number; everything after a separator is removed.
    private static func mask(digits value: Bytes, first: Int, last: Int) -> String {
        let nibbles = value.flatMap { [$0 >> 4, $0 & 0x0F] }
        let number = nibbles.prefix { $0 < 10 }
        let shown = number.count >= 14
        var text = ""
        for (place, digit) in number.enumerated() {
            text += shown && (place < first || place >= number.count - last) ? "\(digit)" : "*"
        }
        for nibble in nibbles.dropFirst(number.count) {
            text += nibble == 0x0D ? "D" : nibble == 0x0F ? "F" : "*"
        }
        return text
    }

    /// The entries of a data object list.
    private func list(_ tag: Tag, _ value: Bytes, _ names: TagNames, _ kernel: UInt8) -> [String] {
        let always: Set<UInt32> = [0x9F38, 0x8C, 0x8D, 0x97, 0x9F49, 0x9F4F]
        // DRDOL, DSDOL and UDOL.
        let ofKernel2: Set<UInt32> = [0x9F51, 0x9F5B, 0x9F69]
        guard always.contains(tag.rawValue) || kernel == 2 && ofKernel2.contains(tag.rawValue) else { return [] }
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
            let name = names.name(of: asked, count: Int(value[at]))
            lines.append("\(asked) \(name) [\(value[at])]")
            at += 1
        }
        return lines
    }
}
