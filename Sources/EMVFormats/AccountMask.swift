// SPDX-License-Identifier: Apache-2.0
import EMVKernel

// Finds account numbers in card data: in text for people (`AccountMask`), and in traces (Redacting.swift). Data that
// break off, are nested too deep, or are in an object that should contain none hide more, never less.

/// Masks account numbers and track data in text that shows data objects in hex: the first six and the last four digits
/// of an account number may stay visible, or only the last four if it has fewer than 14 digits.
public struct AccountMask: Sendable {
    /// The digits of account numbers that are already known, the longest first.
    private(set) var accounts: [String] = []
    /// Status words of answers that break off: they may be the last digits of a value.
    private var brokenStatusWords: Set<Bytes> = []

    /// Minimum number of digits of an account number.
    static let fewest = 8

    /// The kind of a value: the one rule by which its account numbers are learnt, shown and redacted.
    enum Kind {
        /// The digits of an account number, and the rest of track 2.
        case digits
        /// Track 1, or the digits of an account number as text.
        case track1
        /// A name, discretionary data, the card's certificate.
        case hidden
        /// Data objects of a template, or of a template whose tag was damaged in transfer.
        case objects
        case errorIndication
        case other
    }

    static func kind(_ tag: Tag, _ value: ArraySlice<UInt8>) -> Kind {
        switch tag {
        case 0x57, 0x5A, 0x9F6B: .digits
        // Kernel 2's DS ID: the account number and its sequence number. Other kernels have a short number there.
        case 0x9F5E where value.count >= 8 && beginsWithDigits(value): .digits
        case 0x56: .track1
        case 0x5F20, 0x9F0B, 0x9F1F, 0x9F20, 0x9F46: .hidden
        case 0xDF8115, 0x9F8204: .errorIndication
        default:
            tag.isConstructed || isDisguised(value, depth: 1)
                ? .objects
                : account(value, isWhole: true) != nil
                    ? .digits : isTrack1(value, atLeast: 12) || isAccountText(value) ? .track1 : .other
        }
    }

    /// Returns true if the value of an object that should contain no objects is a list of data objects, and one of them
    /// is masked. The list may break off inside an account number or after it.
    private static func isDisguised(_ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard value.count > 3 else { return false }
        guard depth <= TLVReader.maximumDepth else { return true }
        var reader = TLVReader(value)
        var (isMasked, holdsAccount) = (false, false)
        var end = value.startIndex
        while let object = reader.next() {
            end = object.value.endIndex
            guard !object.value.isEmpty else { continue }
            switch object.tag {
            case 0x57, 0x5A, 0x9F5E, 0x9F6B:
                (isMasked, holdsAccount) = (true, holdsAccount || beginsWithDigits(object.value))
            case 0x56: (isMasked, holdsAccount) = (true, holdsAccount || isTrack1(object.value, atLeast: fewest))
            case 0x5F20, 0x9F0B, 0x9F1F, 0x9F20, 0x9F46: isMasked = true
            default: if isDisguised(object.value, depth: depth + 1) { (isMasked, holdsAccount) = (true, true) }
            }
        }
        guard reader.error != nil else { return isMasked }
        if holdsAccount { return true }
        let rest = value[end...].drop { $0 == 0x00 || $0 == 0xFF }
        let head = rest.first == 0x9F ? rest.dropFirst() : rest
        guard let tag = head.first else { return false }
        let length = head.dropFirst().first ?? 0
        let cut = head.dropFirst(length < 0x80 ? 2 : length == 0x81 ? 3 : 4)
        return [0x57, 0x5A, 0x5E, 0x6B].contains(tag) && beginsWithDigits(cut)
            || tag == 0x56 && isTrack1(cut, atLeast: fewest)
    }

    private static func beginsWithDigits(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= fewest / 2 && value.prefix(fewest / 2).allSatisfy { $0 >> 4 < 10 && $0 & 0x0F < 10 }
    }

    /// Returns the digits of an account number with padding, or of track 2 with a possible date, for any tag.
    ///
    /// - Parameters:
    ///   - isWhole: only padding may follow the account number.
    ///   - isChecked: the check digit must be right.
    private static func account(
        _ value: ArraySlice<UInt8>, isWhole: Bool, isChecked: Bool = true
    ) -> ArraySlice<UInt8>? {
        guard value.count >= 7 else { return nil }
        let nibbles = value.prefix(24).flatMap { [$0 >> 4, $0 & 0x0F] }
        let number = nibbles.prefix { $0 < 10 }
        let rest = nibbles[number.count...]
        guard (13...19).contains(number.count), number.first != 0,
            // In Kernel 2's DS ID two digits follow the check digit.
            !isChecked || hasCheckDigit(number) || isWhole && rest.isEmpty && hasCheckDigit(number.dropLast(2))
        else { return nil }
        if isWhole, rest.allSatisfy({ $0 == 0x0F }) { return number }
        let date = rest.dropFirst().prefix(4)
        let isTrack =
            rest.first == 0x0D && date.count == 4 && date.allSatisfy { $0 < 10 }
            && (1...12).contains(date[date.startIndex + 2] * 10 + date[date.startIndex + 3])
        return isTrack ? number : nil
    }

    /// B, then digits.
    private static func isTrack1(_ value: ArraySlice<UInt8>, atLeast count: Int) -> Bool {
        value.first == 0x42 && value.count > count
            && value.dropFirst().prefix(count).allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The digits of an account number as text, with or without padding after them.
    private static func isAccountText(_ value: ArraySlice<UInt8>) -> Bool {
        let digits = value.prefix { (0x30...0x39).contains($0) }
        return value[digits.endIndex...].allSatisfy { [0x00, 0x20, 0xFF].contains($0) }
            && isIssued(digits.map { $0 - 0x30 }[...])
    }

    /// Whether a network issues account numbers of this length that begin like this, and the check digit is right
    /// (ISO/IEC 7812-1).
    private static func isIssued(_ number: ArraySlice<UInt8>) -> Bool {
        guard (13...19).contains(number.count) else { return false }
        let isOfLength =
            switch number.prefix(4).reduce(0, { $0 * 10 + Int($1) }) {
            case 2200...2204, 3528...3589: number.count >= 16
            case 2221...2720, 5100...5599, 8100...8299: number.count == 16
            case 3400...3499, 3700...3799: number.count == 15
            // TTQ 36004000 and an amount begin like this too.
            case 3000...3059, 3600...3699, 3800...3999:
                (number.count == 14 || number.count == 16) && number.suffix(8).filter { $0 != 0 }.count > 1
            case 4000...5099, 5600...6999: true
            default: false
            }
        return isOfLength && hasCheckDigit(number)
    }

    /// Returns true if the data before a status word break off, so that these two bytes may not be a status word.
    static func isBroken(_ answer: Bytes) -> Bool {
        guard answer.count > 2, !answer.suffix(2).elementsEqual([0x90, 0x00]) else { return false }
        var tree = TLVTree(answer.dropLast(2))
        while tree.next() != nil {}
        return tree.error != nil
    }

    package init() {}

    /// Learns the account numbers of data objects, with or without a status word after them.
    package init(data bytes: Bytes) {
        let isResponse = bytes.count > 2 && [0x60, 0x90].contains(bytes[bytes.count - 2] & 0xF0)
        if !(isResponse && learn(siblings: bytes.dropLast(2), depth: 1)) { learn(bytes) }
    }

    /// Learns the account numbers of data objects, nested ones included. If the data have a fault, everything that may
    /// be an account number counts.
    package mutating func learn(_ objects: some Sequence<UInt8>) {
        let bytes = Bytes(objects)
        if !learn(siblings: bytes[...], depth: 1) { learnBeyondFault(bytes) }
    }

    /// Returns false if the data have a fault; objects after a faulty template are still read.
    private mutating func learn(siblings: ArraySlice<UInt8>, depth: Int) -> Bool {
        var reader = TLVReader(siblings)
        var isSound = true
        while let object = reader.next() {
            if !object.isConstructed {
                learn(object.tag, object.value)
            } else if !object.value.isEmpty {
                let goesDeeper = depth < TLVReader.maximumDepth
                if !(goesDeeper && learn(siblings: object.value, depth: depth + 1)) { isSound = false }
            }
        }
        return isSound && reader.error == nil
    }

    /// Learns the account numbers of a command and its answer with its status word. A record that is not a template 70
    /// is treated as faulty.
    package mutating func learn(_ answer: Bytes, to command: Bytes) {
        learn(command: command)
        let body = Bytes(answer.dropLast(2))
        learn(body)
        if AccountMask.isBroken(answer) { brokenStatusWords.insert(Bytes(answer.suffix(2))) }
        if command.count > 1, command[1] == 0xB2, let first = body.first, first != 0x70 { learnBeyondFault(body) }
    }

    /// Learns the account numbers in the data of a command, if they are data objects or text.
    package mutating func learn(command: Bytes) {
        learnText(command.dropFirst(5))
        guard let data = AccountMask.objects(ofCommand: command) else { return }
        learn(command[data])
    }

    /// Learns possible account numbers in the data of a command whose list is not known: digits starting at any byte.
    package mutating func learn(digitsIn data: some Collection<UInt8>) {
        let nibbles = data.flatMap { [$0 >> 4, $0 & 0x0F] }
        for start in stride(from: 0, to: nibbles.count, by: 2) {
            addIssued(nibbles[start...].prefix(19).prefix { $0 < 10 })
        }
    }

    /// Learns account numbers written as text, if they start a run of digits.
    private mutating func learnText(_ bytes: ArraySlice<UInt8>) {
        var digits: [UInt8] = []
        for byte in bytes {
            if (0x30...0x39).contains(byte) {
                digits.append(byte - 0x30)
            } else {
                addIssued(digits.prefix(19))
                digits = []
            }
        }
        addIssued(digits.prefix(19))
    }

    /// Adds each prefix of these digits that a network may have issued.
    private mutating func addIssued(_ digits: ArraySlice<UInt8>) {
        guard digits.count >= 13 else { return }
        for count in 13...digits.count where AccountMask.isIssued(digits.prefix(count)) { add(digits.prefix(count)) }
    }

    /// Returns the range of a command's data, if they are exactly a list of sound data objects.
    static func objects(ofCommand command: Bytes) -> Range<Int>? {
        guard command.count > 5 else { return nil }
        var (start, count) = (5, Int(command[4]))
        if count == 0, command.count > 7 { (start, count) = (7, Int(command[5]) << 8 | Int(command[6])) }
        guard count > 0, count <= command.count - start else { return nil }
        var tree = TLVTree(command[start..<start + count])
        while tree.next() != nil {}
        return tree.error == nil ? start..<start + count : nil
    }

    mutating func learn(_ tag: Tag, _ value: ArraySlice<UInt8>) {
        switch AccountMask.kind(tag, value) {
        case .digits: add(String(Hex.string(value).prefix { $0.isNumber }))
        case .track1:
            // The account number as text; on the track with B before it and a separator after it.
            let text = String(decoding: value, as: UTF8.self)
            add(String(text.drop { !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }))
        case .objects: learn(value)
        case .other:
            learnTagged(value, isChecked: true)
            learnText(value)
        case .hidden, .errorIndication: break
        }
    }

    /// Learns the account numbers in bytes that are not data objects: after a tag and a length that fit them.
    private mutating func learnTagged(_ bytes: ArraySlice<UInt8>, isChecked: Bool) {
        for place in bytes.indices.dropLast(8) where [0x57, 0x5A, 0x5E, 0x6B].contains(bytes[place]) {
            let length = Int(bytes[place + 1])
            guard (7...19).contains(length) else { continue }
            let value = bytes[(place + 2)...].prefix(length)
            if let number = AccountMask.account(value, isWhole: true, isChecked: isChecked) { add(number) }
        }
    }

    /// Searches bytes that are not a sound tree: digits with a right check digit, after the tag of an account number or
    /// a track and up to three length bytes of any value; and track 2 after any tag.
    private mutating func learnBeyondFault(_ bytes: Bytes) {
        learnTagged(bytes[...], isChecked: false)
        learnText(bytes[...])
        for place in bytes.indices {
            switch bytes[place] {
            case 0x57, 0x5A, 0x6B:
                for skipped in 2...4 {
                    let digits = bytes.dropFirst(place + skipped).prefix(10).flatMap { [$0 >> 4, $0 & 0x0F] }
                    addChecked(digits.prefix { $0 < 10 })
                }
            case 0x42:
                let digits = bytes[(place + 1)...].prefix(19).prefix { (0x30...0x39).contains($0) }
                addChecked(digits.map { $0 - 0x30 }[...])
            default: break
            }
            if let number = AccountMask.account(bytes[place...], isWhole: false) { add(number) }
        }
    }

    /// Adds every prefix of at least twelve digits whose check digit makes it an account number.
    private mutating func addChecked(_ digits: ArraySlice<UInt8>) {
        for count in 12...19 where count <= digits.count {
            let number = digits.prefix(count)
            if AccountMask.hasCheckDigit(number), number.contains(where: { $0 != 0 }) { add(number) }
        }
    }

    private mutating func add(_ digits: ArraySlice<UInt8>) { add(digits.map { "\($0)" }.joined()) }

    private static func hasCheckDigit(_ number: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (place, digit) in number.reversed().enumerated() {
            let doubled = place % 2 == 1 ? Int(digit) * 2 : Int(digit)
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return sum % 10 == 0
    }

    private mutating func add(_ digits: String) {
        guard digits.utf8.count >= AccountMask.fewest, !accounts.contains(digits) else { return }
        accounts.append(digits)
        accounts.sort { $0.utf8.count > $1.utf8.count }
    }

    // MARK: Text

    /// Masks the value of a tag in hex, or any other text.
    package func shown(_ tag: Tag?, _ text: String) -> String {
        guard let tag, let value = Hex.bytes(text), !value.isEmpty else { return everywhere(text) }
        return AccountMask.both(everywhere(text), shown(tag, value[...], depth: 1))
    }

    /// Hides every character that either of two masks of one text hides.
    private static func both(_ one: String, _ other: String) -> String {
        let star = UInt8(ascii: "*")
        return String(
            decoding: zip(one.utf8, other.utf8).map { $0 == star || $1 == star ? star : $1 }, as: UTF8.self)
    }

    /// Masks a value by its tag; the objects in a template are masked one by one.
    private func shown(_ tag: Tag, _ value: ArraySlice<UInt8>, depth: Int) -> String {
        switch AccountMask.kind(tag, value) {
        case .digits: return AccountMask.digits(Hex.string(value))
        case .track1, .hidden: return AccountMask.stars(value)
        case .errorIndication: return errorIndication(Bytes(value))
        case .other: return Hex.string(value)
        case .objects:
            guard depth <= TLVReader.maximumDepth else { return AccountMask.stars(value) }
            var text = ""
            var reader = TLVReader(value)
            var end = value.startIndex
            while let object = reader.next() {
                text += Hex.string(value[end..<object.value.startIndex])
                text += shown(object.tag, object.value, depth: depth + 1)
                end = object.value.endIndex
            }
            // A value that is not a list of data objects is shown only as far as it is one.
            let rest = value[end...]
            return text + (reader.error == nil ? Hex.string(rest) : AccountMask.stars(rest))
        }
    }

    private static func stars(_ bytes: ArraySlice<UInt8>) -> String { String(repeating: "*", count: bytes.count * 2) }

    /// Shows the digits up to the separator as an account number; of the rest only separator and filler.
    private static func digits(_ text: String) -> String {
        let number = String(text.prefix { $0.isNumber })
        return account(number)
            + text.dropFirst(number.utf8.count).map { $0 == "D" || $0 == "F" ? String($0) : "*" }.joined()
    }

    private static func account(_ number: String) -> String {
        let hidden = hiddenDigits(of: number.utf8.count)
        return String(number.prefix(hidden.lowerBound)) + String(repeating: "*", count: hidden.count)
            + String(number.suffix(number.utf8.count - hidden.upperBound))
    }

    /// Returns the positions of the hidden digits of an account number.
    static func hiddenDigits(of count: Int) -> Range<Int> {
        let first = count >= 14 ? 6 : 0
        return first..<max(first, count - 4)
    }

    /// Masks known account numbers, packed from any digit on, or as one character per byte.
    private func everywhere(_ text: String) -> String {
        guard !accounts.isEmpty else { return text }
        let characters = Array(text.utf8)
        let places = hidden(in: characters)
        return String(
            decoding: characters.indices.map { places[$0] == nil ? characters[$0] : UInt8(ascii: "*") }, as: UTF8.self)
    }

    // MARK: Places

    /// For each digit of a hex text, the digit that replaces it: 0, or 3 for the first of two digits of a character;
    /// `nil`: not hidden.
    private func hidden(in text: [UInt8]) -> [UInt8?] {
        var places = [UInt8?](repeating: nil, count: text.count)
        let beginsWhole = accounts.contains { text.starts(with: $0.utf8) }
        let endsWhole = accounts.contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
        for account in accounts {
            let number = Array(account.utf8)
            for start in AccountMask.places(of: number, in: text) {
                for place in AccountMask.hiddenDigits(of: number.count) { places[start + place] = 0x30 }
            }
            // A wrong length may split the number: its end starts a value, or its start ends one.
            for count in 5..<number.count {
                if !beginsWhole, text.starts(with: number.suffix(count)) {
                    for place in 0..<count - 4 { places[place] = 0x30 }
                }
                if !endsWhole, count > 6, text.suffix(count).elementsEqual(number.prefix(count)) {
                    for place in text.count - count + 6..<text.count { places[place] = 0x30 }
                }
            }
            let spread: [UInt8] = number.flatMap { digit -> [UInt8] in [0x33, digit] }
            for start in AccountMask.places(of: spread, in: text) {
                for place in spread.indices { places[start + place] = place % 2 == 0 ? 0x33 : 0x30 }
            }
        }
        return places
    }

    private static func places(of wanted: [UInt8], in text: [UInt8]) -> [Int] {
        guard wanted.count <= text.count else { return [] }
        return (0...(text.count - wanted.count)).filter { text[$0] == wanted[0] && text[$0...].starts(with: wanted) }
    }

    /// Returns `masked`, a copy of the bytes in which more may already be hidden, with zeros for the digits of known
    /// account numbers: packed from any digit on, or as characters.
    func zeroed(_ bytes: Bytes, over masked: Bytes) -> Bytes {
        guard !accounts.isEmpty else { return masked }
        let places = hidden(in: Array(Hex.string(bytes).utf8))
        return masked.indices.map { at in
            let (high, low) = (places[2 * at].map { $0 & 0x0F }, places[2 * at + 1].map { $0 & 0x0F })
            return (high ?? masked[at] >> 4) << 4 | (low ?? masked[at] & 0x0F)
        }
    }
}

extension AccountMask {
    /// Learns the account numbers of a trace.
    public init(_ trace: Trace) {
        for item in trace.items {
            switch item {
            case .exchange(let command, let response, _): learn(response, to: command)
            case .fault(let command, _): learn(command: command)
            case .online(let data?), .dataExchange(let data), .terminalData(let data): learn(data.encoded)
            default: break
            }
        }
        for datum in trace.expectation.data + trace.expectation.discretionary {
            if let value = datum.value { learn(datum.tag, value[...]) }
        }
    }

    /// Learns the account numbers of a trace and of the outcome of its replay.
    init(_ trace: Trace, _ outcome: Outcome) {
        self.init(trace)
        for data in [outcome.dataRecord, outcome.discretionary] {
            if let data { learn(data.bytes) }
        }
    }

    /// Masks a response without its status word, or data objects, in hex.
    public func objects(_ bytes: some Collection<UInt8>) -> String { shown(0x70, Hex.string(bytes)) }

    /// Masks an answer with its status word, which is hidden if the data before it break off.
    package func answer(_ answer: Bytes) -> String { objects(answer.dropLast(2)) + status(of: answer) }

    /// Returns the status word of an answer, hidden if the data before it break off.
    package func status(of answer: Bytes) -> String {
        AccountMask.isBroken(answer) ? "****" : Hex.string(answer.suffix(2))
    }

    /// Masks an Error Indication, whose bytes 4 and 5 are the card's last status word.
    package func errorIndication(_ bytes: Bytes) -> String {
        guard bytes.count == 6, brokenStatusWords.contains(Bytes(bytes[3...4])) else { return Hex.string(bytes) }
        return Hex.string(bytes[..<3]) + "****" + Hex.string(bytes[5...])
    }

    /// Like ``errorIndication(_:)``, but with zeros.
    func zeroed(errorIndication bytes: Bytes) -> Bytes {
        guard bytes.count == 6, brokenStatusWords.contains(Bytes(bytes[3...4])) else { return bytes }
        return bytes[..<3] + [0, 0] + bytes[5...]
    }

    /// Masks a command in hex, or any other text.
    public func text(_ text: String) -> String { shown(nil, text) }

    /// Masks a command in hex; data that are sound objects are masked as in an answer, and a PIN is never shown.
    package func command(_ command: Bytes) -> String {
        if AccountMask.bringsPIN(command) { return AccountMask.withoutPIN(command) }
        let shown = withoutTracks(text(Hex.string(command)), Hex.string(command))
        guard let data = AccountMask.objects(ofCommand: command) else { return shown }
        let byTag =
            Hex.string(command[..<data.lowerBound]) + objects(command[data]) + Hex.string(command[data.upperBound...])
        return AccountMask.both(shown, byTag)
    }

    /// Returns true if a command carries a PIN or its replacement: VERIFY, CHANGE REFERENCE DATA, ENABLE and DISABLE
    /// VERIFICATION REQUIREMENT, RESET RETRY COUNTER (ISO/IEC 7816-4), PIN CHANGE/UNBLOCK (Book 3, 6.5.10).
    package static func bringsPIN(_ command: Bytes) -> Bool {
        command.count > 5 && [0x20, 0x21, 0x24, 0x26, 0x28, 0x2C].contains(command[1])
    }

    /// Number of bytes before the PIN of a command: the header, and Lc if it is present.
    static func placeOfPIN(_ command: Bytes) -> Int {
        let end = 5 + Int(command[4])
        return command.count == end || command.count == end + 1 ? 5 : 4
    }

    /// A command in hex; if it carries a PIN, only the header and Lc.
    package static func withoutPIN(_ command: Bytes) -> String {
        guard bringsPIN(command) else { return Hex.string(command) }
        let count = placeOfPIN(command)
        return Hex.string(command.prefix(count)) + stars(command.dropFirst(count))
    }

    /// Also hides the characters that follow a known account number and a separator on track 2.
    private func withoutTracks(_ shown: String, _ hex: String) -> String {
        let digits = Array(hex.utf8)
        var text = Array(shown.utf8)
        for account in accounts {
            for start in AccountMask.places(of: Array((account + "D").utf8), in: digits) {
                let rest = digits[(start + account.utf8.count + 1)...].prefix { (0x30...0x39).contains($0) }
                for place in rest.indices.prefix(20) { text[place] = UInt8(ascii: "*") }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Sets the masked texts of a difference.
    func difference(_ difference: ReplayReport.Difference) -> ReplayReport.Difference {
        let tag = difference.place.split(separator: ".").last.flatMap { Tag($0) }
        var masked = difference
        func shown(_ text: String) -> String {
            self.shown(difference.place.hasSuffix("errorIndication") ? 0xDF8115 : tag, text)
        }
        masked.maskedExpected = shown(difference.expected)
        masked.maskedFound = shown(difference.found)
        return masked
    }
}
