// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// Commands, and the lists by which the card requests their data. A kernel reads these lists in C (wire/dol.c). Here
// they are read for people: a faulty list or command is read as far as possible and the fault is described in words.

/// A Data Object List: tags, each with the length of its value (Book 3, 5.4).
struct DataObjectList {
    /// The entries before the fault.
    private(set) var entries: [(tag: Tag, length: Int)] = []
    /// Why the list cannot be read to its end; `nil`: it has no fault.
    private(set) var fault: String?

    init(_ list: Bytes) {
        var rest = list[...]
        while let first = rest.popFirst() {
            var number = UInt32(first)
            var isLast = first & 0x1F != 0x1F
            while !isLast {
                guard number <= 0xFF_FFFF else {
                    fault = "has a tag of more than four bytes"
                    return
                }
                guard let next = rest.popFirst() else {
                    fault = "breaks off in a tag"
                    return
                }
                number = number << 8 | UInt32(next)
                isLast = next & 0x80 == 0
            }
            guard let tag = Tag(rawValue: number) else {
                fault = "has bytes that are no tag"
                return
            }
            guard let length = rest.popFirst() else {
                fault = "breaks off before a length"
                return
            }
            entries.append((tag, Int(length)))
        }
    }

    /// Number of bytes that the list requests.
    var total: Int { entries.reduce(0) { $0 + $1.length } }

    /// The complete values, in the order of the list.
    func objects(_ values: some Collection<UInt8>) -> [DataObjects.Element] {
        var rest = Bytes(values)[...], objects: [DataObjects.Element] = []
        for (tag, length) in entries {
            guard length <= rest.count else { return objects }
            objects.append(DataObjects.Element(tag, Bytes(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return objects
    }
}

/// A command's data read by the card's list, and the errors of the command.
package struct CommandReading {
    /// The values follow each other in the command.
    package fileprivate(set) var objects: [DataObjects.Element] = []
    /// Place of the first value in the command.
    package fileprivate(set) var start = 5
    /// One sentence each. They show no byte of a value.
    package fileprivate(set) var remarks: [String] = []

    /// The length of the name in a SELECT that is cut off.
    fileprivate var cutLength: UInt8?

    package init() {}

    /// The objects as TLV; a name that is cut off keeps its stated length.
    package var encoded: Bytes {
        if let cutLength, let name = objects.first { return name.tag.bytes + [cutLength] + name.value }
        return objects.flatMap { ([$0.tag: $0.value] as DataObjects).encoded }
    }
}

/// The lists that a card returned in one dialogue, by which the commands are read.
package struct DataLists {
    private var lists = DataObjects()
    /// Number of GENERATE AC commands that the card has answered with data.
    private var cryptograms = 0
    /// The log has no answer to the last GENERATE AC.
    private var isOpen = false
    /// The answer to SELECT is known in full.
    private var isSelected = false
    /// The card returns data by GET RESPONSE, so its commands have no Le (ISO/IEC 7816-3, T=0).
    private var usesGetResponse = false

    private static let tags: Set<Tag> = [0x9F38, 0x8C, 0x8D, 0x9F49, 0x9F51, 0x9F5B, 0x9F69, 0x50, 0x9F4D, 0x9F4F]

    package init() {}

    /// The lists among a card's objects.
    init(_ card: DataObjects, cryptograms: Int) {
        lists = card
        self.cryptograms = cryptograms
    }

    /// The application label of the card.
    package var label: Bytes? { lists[0x50] }

    /// Learns the lists in an answer. A SELECT clears those of the previous application.
    ///
    /// - Parameter response: with two bytes of a status word; `nil`: not known.
    package mutating func learn(_ command: Bytes, _ response: Bytes?) {
        let instruction = command.count > 1 ? command[1] : 0
        if instruction == 0xA4 {
            let isT0 = usesGetResponse
            self = DataLists()
            usesGetResponse = isT0
        }
        guard let response else {
            if instruction == 0xAE { isOpen = true }
            return
        }
        let isContinued = response.count > 1 && response[response.count - 2] == 0x61
        if isContinued || instruction == 0xC0 { usesGetResponse = true }
        if instruction == 0xAE, response.count > 2 || isContinued { (cryptograms, isOpen) = (cryptograms + 1, false) }
        var tree = TLVTree(Bytes(response.dropLast(2)))
        var isFCI = false
        while let (object, _) = tree.next() {
            if object.tag == 0xA5 { isFCI = true }
            if DataLists.tags.contains(object.tag) { lists[object.tag] = Bytes(object.value) }
        }
        if isFCI, tree.error == nil, instruction == 0xA4 || instruction == 0xC0 { isSelected = true }
    }

    // MARK: The transaction log

    /// The values of a record of the transaction log, which holds them in sequence without tags (Book 3, annex D);
    /// `nil` for any other answer. Empty if the format is not known or does not fit.
    ///
    /// - Parameter format: the card's Log Format, if another answer of the dialogue contains it.
    package func logRecord(_ command: Bytes, _ response: Bytes, format: Bytes?) -> DataObjects? {
        guard command.count > 3, command[1] == 0xB2, response.count > 2, response[0] != 0x70,
            let entry = lists[0x9F4D], entry.count == 2, command[3] >> 3 == entry[0]
        else { return nil }
        let list = DataObjectList(lists[0x9F4F] ?? format ?? []), values = response.dropLast(2)
        var record = DataObjects()
        guard list.fault == nil, list.total == values.count else { return record }
        for object in list.objects(values) { record[object.tag] = object.value }
        return record
    }

    /// The Log Format in an answer of GET DATA.
    package static func logFormat(_ response: Bytes) -> Bytes? {
        var reader = TLVReader(Bytes(response.dropLast(2)))
        guard let object = reader.next(), object.tag == 0x9F4F else { return nil }
        return Bytes(object.value)
    }

    // MARK: Commands

    /// A list and its common name.
    private typealias NamedList = (name: String, list: DataObjectList)

    private func named(_ name: String, _ tag: Tag) -> NamedList? {
        guard let list = lists[tag], !list.isEmpty else { return nil }
        return (name, DataObjectList(list))
    }

    /// The list of a command's data, and the one that is easily confused with it; `nil`: not known.
    private func list(for instruction: UInt8) -> (own: NamedList?, other: NamedList?) {
        switch instruction {
        case 0xA8:
            // Without a PDOL the template is empty (Book 3, 10.1).
            let isEmpty = isSelected || lists[0x9F38] != nil
            return (named("PDOL", 0x9F38) ?? (isEmpty ? ("PDOL", DataObjectList([])) : nil), nil)
        case 0xAE:
            let (first, second) = (named("CDOL1", 0x8C), named("CDOL2", 0x8D))
            return cryptograms > 0 ? (second, first) : (first, second)
        case 0x2A: return (named("UDOL", 0x9F69), nil)
        case 0x88: return (named("DDOL", 0x9F49), nil)
        case 0xD0: return (named("DRDOL", 0x9F51), nil)
        default: return (nil, nil)
        }
    }

    /// Reads a command's data by the card's list and reports each contradiction: between the command and its own
    /// lengths, and between the command and the list. A list that is not known contradicts nothing.
    ///
    /// - Parameter answer: a missing or wrong Le is not reported if the card answered the command with data.
    package func reading(of command: Bytes, answer: Bytes? = nil) -> CommandReading {
        var reading = CommandReading()
        guard command.count >= 4 else { return reading }
        let instruction = command[1]
        let isKnown = CommandLog.isKnownCommand(Bytes(command[..<4]))
        var form = CommandForm(command, isKnown: isKnown)
        // Data under secure messaging (CLA bits 4 and 3) are not values of a list.
        let isPlain = isKnown && command[0] & 0x0C == 0
        let (own, other) = isPlain ? list(for: instruction) : (nil, nil)
        func fits(_ end: Int) -> Bool {
            guard end > form.data.lowerBound else { return false }
            let data = command[form.data.lowerBound..<end]
            guard instruction == 0xA8 else { return own.map { $0.list.total == data.count } ?? false }
            let template = Template83(data)
            return template.remark == nil && own.map { $0.list.total == template.values.count } ?? true
        }
        if isPlain, !fits(form.data.upperBound), let end = form.otherEnds.first(where: fits) {
            form.end(at: end, of: command)
        }
        reading.start = form.data.lowerBound
        if let remark = form.remark { reading.remarks.append(remark) }
        if isPlain {
            let data = command[form.data]
            switch instruction {
            case 0xEA: if data.count == 4 { reading.objects = [DataObjects.Element(0xDF8301, Bytes(data))] }
            case 0xA4:
                if !data.isEmpty { reading.objects = [DataObjects.Element(0x84, Bytes(data))] }
                let length = command.count > 5 ? command[4] : 0
                if length < 0x80, !data.isEmpty, data.count < Int(length) { reading.cutLength = length }
            case 0xA8:
                let template = Template83(data)
                // A wrong Lc also makes the template's length wrong.
                if let remark = template.remark, form.remark == nil, !data.isEmpty || own == nil {
                    reading.remarks.append(remark)
                }
                compare(template.values, own, nil, &reading)
            case 0xAE, 0x2A, 0x88, 0xD0: compare(data, own ?? standard(instruction, data), other, &reading)
            default: break
            }
        }
        if isKnown, !usesGetResponse, let remark = form.remarkOnLe(command, answer) { reading.remarks.append(remark) }
        return reading
    }

    /// The usual list of terminals for a card without one, if the data fit it (Book 2, 6.5.1; Book C-2, DF811A).
    private func standard(_ instruction: UInt8, _ data: ArraySlice<UInt8>) -> NamedList? {
        guard data.count == 4 else { return nil }
        switch instruction {
        case 0x2A: return ("default UDOL", DataObjectList([0x9F, 0x6A, 0x04]))
        case 0x88: return ("default DDOL", DataObjectList([0x9F, 0x37, 0x04]))
        default: return nil
        }
    }

    private func compare(
        _ data: ArraySlice<UInt8>, _ own: NamedList?, _ other: NamedList?, _ reading: inout CommandReading
    ) {
        reading.start = data.startIndex
        guard let own else {
            // The log has no answer to the first GENERATE AC, so this one may be the second.
            if isOpen, let other, other.list.total == data.count { reading.objects = other.list.objects(data) }
            return
        }
        let list = own.list, wanted = list.total, given = data.count
        if let fault = list.fault {
            reading.objects = list.objects(data)
            reading.remarks.append("\(own.name) \(fault)")
            return
        }
        guard given != wanted else {
            reading.objects = list.objects(data)
            return
        }
        let fitsOther = other.map { $0.list.fault == nil && $0.list.total == given } ?? false
        if isOpen, fitsOther, let other {
            reading.objects = other.list.objects(data)
            return
        }
        if let storage = storage(behind: own, data) {
            reading.objects = list.objects(data) + storage
            return
        }
        let asks = wanted == 0 ? "nothing" : DataLists.bytes(wanted)
        let isAbsent = own.name == "PDOL" && (lists[0x9F38] ?? []).isEmpty
        let brings = given == 0 ? "none" : wanted == 0 ? DataLists.bytes(given) : "\(given)"
        var remark =
            (isAbsent ? "the card has no PDOL" : "\(own.name) asks for \(asks)") + ", the command brings \(brings)"
        let template = Template83(data)
        if fitsOther, let other {
            reading.objects = other.list.objects(data)
            remark += ", as many as \(other.name) asks for"
        } else if own.name != "PDOL", template.remark == nil, template.values.count == wanted {
            reading.start = template.values.startIndex
            reading.objects = list.objects(template.values)
            remark += ": only GET PROCESSING OPTIONS has its data in tag 83"
        } else if let decimal = decimal(list, data) {
            reading.objects = decimal.list.objects(data)
            reading.remarks.append(remark)
            reading.remarks += decimal.remarks
            return
        } else if let missing = missing(list, data) {
            reading.objects = missing.list.objects(data)
            remark += ", as if \(missing.tags.map { "\($0)" }.joined(separator: " or ")) were left out"
        } else {
            reading.objects = list.objects(data)
            if given > 0, given < wanted, reading.objects.count < list.entries.count {
                let (tag, length) = list.entries[reading.objects.count]
                let rest = given - reading.objects.reduce(0) { $0 + $1.value.count }
                remark +=
                    rest == 0
                    ? ": the data end before \(tag)" : ": the data end in \(tag), after \(rest) of its \(length) bytes"
            }
        }
        reading.remarks.append(remark)
    }

    /// The data of Kernel 2 after those of CDOL1: values by DSDOL, whose last one may be shorter (Book C-2, GAC.46).
    private func storage(behind own: NamedList, _ data: ArraySlice<UInt8>) -> [DataObjects.Element]? {
        guard own.name == "CDOL1", let storage = named("DSDOL", 0x9F5B), let last = storage.list.entries.last else {
            return nil
        }
        let rest = data.dropFirst(own.list.total), missing = storage.list.total - rest.count
        guard data.count > own.list.total, (0...last.length).contains(missing) else { return nil }
        let objects = storage.list.objects(rest)
        guard missing > 0 else { return objects }
        return objects + [DataObjects.Element(last.tag, Bytes(rest.suffix(last.length - missing)))]
    }

    /// The list if its lengths, which are hexadecimal, were read as decimal; `nil`: the data do not show this.
    private func decimal(
        _ list: DataObjectList, _ data: ArraySlice<UInt8>
    ) -> (list: DataObjectList, remarks: [String])? {
        func decimal(_ length: Int) -> Int? {
            length >= 0x10 && length <= 0x99 && length & 0x0F < 10 ? (length >> 4) * 10 + (length & 0x0F) : nil
        }
        let candidates = list.entries.indices.filter { decimal(list.entries[$0].length) != nil }
        for places in [candidates] + candidates.map({ [$0] }) {
            var changed = list
            var remarks: [String] = []
            for place in places {
                let (tag, length) = list.entries[place]
                guard let shorter = decimal(length) else { continue }
                changed.setLength(shorter, at: place)
                remarks.append("\(tag) is \(DataLists.hex(length)), \(shorter) were given")
            }
            guard !remarks.isEmpty, changed.total == data.count else { continue }
            if DataLists.isPlausible(changed.objects(data)) { return (changed, remarks) }
        }
        return nil
    }

    /// The list without the one object that the data lack, the last such object if there are several; `nil`: the data
    /// only break off, or show no such object.
    private func missing(_ list: DataObjectList, _ data: ArraySlice<UInt8>) -> (list: DataObjectList, tags: [Tag])? {
        guard !DataLists.isPlausible(list.objects(data)) else { return nil }
        var shorter = list
        var tags: [Tag] = []
        for place in list.entries.indices where list.total - list.entries[place].length == data.count {
            var changed = list
            changed.remove(at: place)
            guard DataLists.isPlausible(changed.objects(data)) else { continue }
            shorter = changed
            tags.append(list.entries[place].tag)
        }
        return tags.isEmpty || tags.count > 3 ? nil : (shorter, tags)
    }

    /// Returns true if amounts, codes, dates and times have possible digits (Book 3, annex A). Zeros are valid for all
    /// of them.
    private static func isPlausible(_ objects: [DataObjects.Element]) -> Bool {
        objects.allSatisfy { object in
            let value = object.value
            switch object.tag {
            case 0x9F02, 0x9F03, 0x9F1A, 0x5F2A, 0x9A, 0x9C, 0x9F21:
                guard value.allSatisfy({ $0 >> 4 < 10 && $0 & 0x0F < 10 }) else { return false }
            default: return true
            }
            guard value.contains(where: { $0 != 0 }) else { return true }
            switch (object.tag, value.count) {
            case (0x9A, 3): return (0x01...0x12).contains(value[1]) && (0x01...0x31).contains(value[2])
            case (0x9F1A, 2), (0x5F2A, 2): return value[0] < 0x10
            // Real amounts are not that high.
            case (0x9F02, 6), (0x9F03, 6): return value[0] == 0
            default: return true
            }
        }
    }

    fileprivate static func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

    /// Lengths in a command and in a list are hexadecimal.
    fileprivate static func hex(_ count: Int) -> String {
        count > 9 && count < 256 ? "\(count) bytes (hex \(Hex.string([UInt8(count)])))" : bytes(count)
    }
}

extension DataObjectList {
    fileprivate mutating func setLength(_ length: Int, at place: Int) { entries[place].length = length }
    fileprivate mutating func remove(at place: Int) { entries.remove(at: place) }
}

/// Template 83 of GET PROCESSING OPTIONS (Book 3, 6.5.8.3).
private struct Template83 {
    /// The values, even if the template is missing or its length is wrong.
    private(set) var values: ArraySlice<UInt8>
    private(set) var remark: String?

    init(_ data: ArraySlice<UInt8>) {
        values = data
        guard data.first == 0x83 else {
            remark = data.isEmpty ? "the command has no data, not even an empty tag 83" : "the data lack tag 83"
            return
        }
        let rest = data.dropFirst()
        guard let first = rest.first else {
            values = rest
            remark = "tag 83 has no length"
            return
        }
        values = rest.dropFirst()
        // From 128 on, a length is preceded by a byte that counts its bytes (Book 3, annex B2).
        let isLong = first == 0x81 && (values.first.map { Int($0) == values.count - 1 } ?? false)
        if isLong { values = values.dropFirst() }
        guard !isLong, Int(first) != values.count || first >= 0x80 else { return }
        if Int(first) == values.count {
            let hex = Hex.string([first])
            remark = "tag 83 has the length hex \(hex) in one byte; from hex 80 on a length has two, 81 \(hex)"
        } else {
            var length = first
            if first == 0x81, let second = values.popFirst() { length = second }
            let follow = values.count == 1 ? "follows" : "follow"
            remark = "tag 83 has the length hex \(Hex.string([length])), but \(DataLists.hex(values.count)) \(follow)"
        }
    }
}

/// The parts of a command: Lc, data, Le (ISO/IEC 7816-4, 5.2; Book 3, 6.3.2).
private struct CommandForm {
    /// The places of the data.
    private(set) var data: Range<Int>
    /// Possible ends of the data if Lc is wrong.
    private(set) var otherEnds: [Int] = []
    private(set) var remark: String?
    private var le = Le.unknown

    private enum Le {
        case unknown
        case missing
        case byte(UInt8)
    }

    init(_ command: Bytes, isKnown: Bool) {
        let count = command.count
        data = min(5, count)..<min(5, count)
        guard count > 4 else {
            le = .missing
            return
        }
        let size = Int(command[4])
        if count == 5 || isKnown && CommandForm.hasNoData(command) || count == 6 && size == 0 {
            le = .byte(command[4])
            guard count > 5 else { return }
            remark =
                (count == 6 ? "a sixth byte follows" : "\(count - 5) bytes follow")
                + " Le (the fifth byte); the command has no data"
            return
        }
        if isKnown, size == 0, count > 7 {
            let long = Int(command[5]) << 8 | Int(command[6])
            if count == 7 + long || count == 9 + long {
                data = 7..<7 + long
                le = count == 7 + long ? .missing : .byte(command[count - 1])
                remark = "Lc has three bytes (extended length); EMV's commands have one"
                return
            }
        }
        // Readers and other cards have commands of other forms.
        if size == 0, count > 6, CommandLog.isCommand(command) { return }
        data = 5..<min(5 + size, count)
        otherEnds = [5 + size, count, count - 1].filter { $0 > 5 && $0 <= count && $0 != data.upperBound }
        if count == 5 + size {
            le = .missing
        } else if count == 6 + size {
            le = .byte(command[count - 1])
            // 00 is Le, and the data are one byte short, unless the template determines their end.
            if command[count - 1] == 0, command[1] != 0xA8 { otherEnds = [] }
        } else if count > 6 + size, size > 0, command[(5 + size)...].allSatisfy({ $0 == 0 }) {
            le = .byte(0)
            remark = count == 7 + size ? "1 byte follows Le" : "\(count - 6 - size) bytes follow Le"
        } else {
            let found = count == 6 ? "1 byte follows" : "\(count - 5) bytes follow"
            remark = "Lc (the fifth byte) says \(size) \(size == 1 ? "byte" : "bytes") of data; \(found) it"
        }
    }

    /// Called if the data fit the list or their template when they end here.
    mutating func end(at end: Int, of command: Bytes) {
        data = data.lowerBound..<end
        le = end == command.count ? .missing : .byte(command[end])
        let count = data.count
        if remark == nil || count != Int(command[4]) {
            remark = "Lc (the fifth byte) is hex \(Hex.string([command[4]])), but the data are \(DataLists.hex(count))"
        }
    }

    /// GET CHALLENGE, READ BINARY, READ RECORD, GET RESPONSE; GET DATA without a list of tags.
    private static func hasNoData(_ command: Bytes) -> Bool {
        guard command[0] & 0x0C == 0 else { return false }
        let size = Int(command[4])
        switch command[1] {
        case 0x84, 0xB0, 0xB2, 0xC0: return true
        case 0xCA: return size == 0 || command.count != 5 + size && command.count != 6 + size
        default: return false
        }
    }

    /// A command that requests data has Le, 00 (Book 3, 6.3.2, 6.5). If the card answered, only a possible wrong length
    /// of the answer leads to a remark.
    func remarkOnLe(_ command: Bytes, _ answer: Bytes?) -> String? {
        if let answer, answer.count > 2 || answer.first == 0x61 || answer.elementsEqual([0x6A, 0x82]) { return nil }
        switch command[1] {
        // The answer has no FCI.
        case 0xA4 where command[3] & 0x0C == 0x0C: return nil
        case 0x2A, 0x84, 0x88, 0xA4, 0xA8, 0xAE, 0xB2, 0xC0, 0xCA, 0xD0, 0xEA: break
        default: return nil
        }
        switch le {
        case .missing: return "Le is missing (00 as the last byte)"
        case .byte(let le) where le != 0 && answer?.first == 0x67 && command[1] != 0x84 && command[1] != 0xC0:
            return "Le (the last byte) is \(Hex.string([le])); EMV's commands have 00"
        default: return nil
        }
    }
}
