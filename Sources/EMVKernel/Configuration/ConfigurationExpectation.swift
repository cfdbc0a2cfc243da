// SPDX-License-Identifier: Apache-2.0

/// The expected and the found value of a check, both as nouns: `4 bytes`, `3 bytes`. The C core reports only section,
/// row, field, tag and status. The details (which limit, which length, which bit) are derived here from the rows that
/// were checked. A value that may belong to an account or a key is never shown, only its length.
struct Expectation {
    let expected: String
    let found: String

    init(_ expected: String, found: String) {
        self.expected = expected
        self.found = found
    }
}

/// The place where a check failed, and the rows that were checked.
struct CheckFault {
    var section: ConfigurationError.Section
    var row: Int
    var field: ConfigurationError.Field
    var tag: Tag?
    var reason: ConfigurationError.Reason
    /// The kernel's own option, numbered as in its header.
    var option: UInt32 = 0
    var configuration = Configuration()
    var kernels: [Kernel] = []
    var transaction: Transaction?

    /// Never empty: each field has texts for the reasons that the checks report, and each reason has a text for any
    /// field, because a third-party kernel may combine them freely.
    var expectation: Expectation {
        let own: Expectation? =
            switch section {
            case .terminal: ofTerminal
            case .combination: ofCombination
            case .caKey: ofKey
            case .exception: ofException
            case .kernel: ofKernel
            case .protection: ofProtection(configuration.protection)
            case .transaction: ofTransaction
            case .revocation, .other: nil
            }
        return own ?? ofAnyField
    }

    private var ofAnyField: Expectation {
        return switch reason {
        case .noMemory: Expectation("as much memory as the check needs", found: "less")
        case .missing: Expectation("a value, which \(whose) requires", found: "none")
        case .badLength: Expectation("the length that \(whose) defines", found: "another one")
        case .badValue: Expectation("a value that \(whose) defines", found: "another one")
        case .badTLV: Expectation("whole data objects of tag, length and value", found: "other bytes")
        case .unknownTag: Expectation("a data object that \(whose) knows", found: "another one")
        case .notConfigurable: Expectation("no value, since \(whose) accepts none here", found: "one")
        case .duplicate: Expectation("each value once", found: "one again")
        case .unknownKernel: Expectation("a kernel that the reader has: \(kernelNames)", found: "another one")
        case .badChecksum: Expectation("the hash of the key", found: "another one")
        case .tooMany: Expectation("no more than \(whose) allows", found: "more")
        case .noRandom: Expectation("at least 4 random bytes, one unpredictable number", found: "fewer")
        case .weakKey: Expectation("a key as long as the protection demands", found: "a shorter one")
        case .conflict: Expectation("one of two settings that exclude each other", found: "both")
        case .other: Expectation("what \(whose) accepts", found: "a fault that this version has no words for")
        }
    }

    private var combination: Combination? {
        section == .combination && configuration.combinations.indices.contains(row)
            ? configuration.combinations[row] : nil
    }

    /// The name of the kernel that rejects the value.
    private var whose: String { combination.map { $0.kernel.id.shown } ?? "the check" }

    /// The name of the kernel's option in the configuration format.
    private var optionName: String? { combination?.kernel.option(option) }

    private var kernelNames: String {
        kernels.isEmpty ? "none" : kernels.map { "\($0.id)" }.joined(separator: ", ")
    }
}

// MARK: - Words

/// `1 byte`, `3 bytes`.
func byteCount(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

func byteCount(_ range: ClosedRange<Int>) -> String {
    range.lowerBound == range.upperBound
        ? byteCount(range.lowerBound) : "\(range.lowerBound) to \(range.upperBound) bytes"
}

/// A number for messages, if it cannot be part of an account number.
func shownNumber(_ number: some BinaryInteger) -> String {
    let digits = "\(number.magnitude)".utf8.count
    return digits < 5 ? "\(number)" : "a \(number < 0 ? "negative " : "")number of \(digits) digits"
}

extension KernelID {
    /// For messages: an identifier of several bytes may be an account number that was typed in the wrong place.
    package var shown: String { number.map { "Kernel \($0)" } ?? "a kernel with an identifier of \(byteCount(size))" }
}

extension Limits {
    /// The highest amount of twelve digits.
    static var highest: UInt64 { 999_999_999_999 }

    /// Returns the first limit of more than twelve digits. `place`: the place of these limits, `limits`.
    func fault(_ place: String) -> Expectation? {
        let all = [
            ("transaction", transaction), ("floor", floor), ("terminalFloor", terminalFloor),
            ("cvmRequired", cvmRequired), ("cdcvmTransaction", cdcvmTransaction),
        ]
        for (name, limit) in all {
            guard let limit, limit > Limits.highest else { continue }
            return Expectation("\(place).\(name) in minor units from 0 to \(Limits.highest)", found: shownNumber(limit))
        }
        return nil
    }
}

/// A bit that must have a certain value, with its meaning; bytes count from 1, bits from 8 down to 1.
private struct RequiredBit {
    var byte: Int
    var bit: Int
    var meaning: String
    var value: UInt8

    init(_ byte: Int, _ bit: Int, _ meaning: String, _ value: UInt8) {
        self.byte = byte
        self.bit = bit
        self.meaning = meaning
        self.value = value
    }

    func holds(in bytes: Bytes) -> Bool {
        bytes.indices.contains(byte - 1) && bytes[byte - 1] >> UInt8(bit - 1) & 1 == value
    }

    /// Returns the first of these bits that has another value. `why`: the condition under which the kernel requires it.
    static func fault(_ bits: [RequiredBit], in bytes: Bytes, _ why: String = "") -> Expectation? {
        guard let wrong = bits.first(where: { !$0.holds(in: bytes) }) else { return nil }
        return Expectation(
            "\(wrong.value) in byte \(wrong.byte) bit \(wrong.bit) (\(wrong.meaning))\(why)",
            found: bytes.count < wrong.byte ? byteCount(bytes.count) : "\(1 - wrong.value)")
    }

    /// All bits of a byte from `high` to `low`.
    static func all(_ byte: Int, _ high: Int, _ low: Int, _ meaning: String, _ value: UInt8) -> [RequiredBit] {
        (low...high).reversed().map { RequiredBit(byte, $0, meaning, value) }
    }
}

// MARK: - Data objects

extension CheckFault {
    /// Returns the expectation for an object of `data`; the terminal's objects are used if `data` lacks it.
    private func ofData(_ data: DataObjects) -> Expectation? {
        guard let tag else {
            return reason == .badTLV ? ofAnyField : nil
        }
        let value = data[tag] ?? configuration.terminal[tag] ?? []
        switch reason {
        case .missing:
            return Expectation("\(tag) (\(name(of: tag))) in \"data\" or \"terminal\"", found: "none")
        case .unknownTag:
            return Expectation(
                "a data object that EMV Book 3 or a kernel of the reader (\(kernelNames)) defines",
                found: "an unknown tag")
        case .notConfigurable:
            return Expectation(supplier(of: tag), found: byteCount(value.count))
        case .badTLV:
            return Expectation("a list of whole data objects: tag, length, value", found: byteCount(value.count))
        case .badLength:
            var lengths: [String] = []
            for form in forms(of: tag) {
                let length = byteCount(form.lengths)
                if !lengths.contains(length) { lengths.append(length) }
            }
            return lengths.isEmpty
                ? nil : Expectation(lengths.joined(separator: " or "), found: byteCount(value.count))
        case .badValue:
            return forms(of: tag).compactMap({ $0.characters }).first.map {
                Expectation($0, found: "other characters in \(byteCount(value.count))")
            }
        case .duplicate:
            return Expectation("each tag once", found: "it again")
        default:
            return nil
        }
    }

    /// Returns the name of an object that a kernel requires.
    private func name(of tag: Tag) -> String {
        switch tag {
        case 0x9F09: "Application Version Number, 2 bytes"
        case 0x9F1A: "Terminal Country Code, 2 bytes"
        case 0x9F1E: "IFD Serial Number, 8 bytes"
        case 0x9F33: "Terminal Capabilities, 3 bytes"
        case 0x9F35: "Terminal Type, 1 byte"
        default: "which the kernel requires"
        }
    }

    private func supplier(of tag: Tag) -> String {
        let supplier =
            switch tag {
            case 0x8B: "only the terminal's data may have it"
            case 0x9F02: "\"amount\" of the transaction supplies it"
            case 0x9F03: "\"amountOther\" of the transaction supplies it"
            case 0x9A: "\"date\" of the transaction supplies it"
            case 0x9F21: "\"time\" of the transaction supplies it"
            case 0x9C: "\"type\" of the transaction supplies it"
            case 0x5F2A: "\"currency\" of the transaction supplies it"
            case 0x5F36: "\"exponent\" of the transaction supplies it"
            case 0x9F41: "\"counter\" of the transaction supplies it"
            case 0x9F1B: "\"limits.terminalFloor\" supplies it"
            case 0x9F66: "\"ttq\" supplies it"
            case 0x95, 0x9B, 0x9F34, 0x9F37: "the kernel computes it"
            default: tag.isConstructed ? "a template holds other objects" : "the card supplies it"
            }
        return "no \(tag) here: \(supplier)"
    }
}

// MARK: - Terminal, kernels, protection

extension CheckFault {
    private var ofTerminal: Expectation? {
        if field == .memory { return ofAnyField }
        if tag == 0x8B, let poi = ofPOIInformation { return poi }
        return ofData(configuration.terminal)
    }

    private var ofPOIInformation: Expectation? {
        let value = configuration.terminal[0x8B] ?? configuration.poiInformation
        switch reason {
        case .conflict:
            return Expectation("one value, as 8B or as POI information", found: "two that differ")
        case .badLength where configuration.terminal[0x8B] == nil:
            return Expectation("at most 64 bytes of POI information", found: byteCount(value.count))
        case .badValue:
            return Expectation("fields of identifier (2 bytes), length (1 byte) and value", found: "other bytes")
        default:
            return nil
        }
    }

    private var ofKernel: Expectation? {
        if field == .none, reason == .tooMany {
            return Expectation("at most \(CoreLimit.kernels) kernels", found: "\(kernels.count)")
        }
        guard kernels.indices.contains(row) else { return nil }
        switch (field, reason) {
        case (.kernelID, .badLength): return Expectation("an identifier of 1 to 8 bytes", found: "another one")
        case (.kernelID, .duplicate): return Expectation("each kernel once", found: "\(kernels[row].id.shown) again")
        case (.module, .missing): return Expectation("a module with start and reply", found: "one without")
        case (.module, .tooMany):
            return Expectation(
                "a module that needs at most \(CoreLimit.kernelMemory) bytes of memory",
                found: "one that needs \(kernels[row].memorySize)")
        case (.tags, .tooMany):
            return Expectation("at most \(CoreLimit.kernelTags) tags", found: "\(kernels[row].tagCount)")
        case (.tags, .badLength):
            return Expectation("a shortest length from 1 byte to the longest", found: "another one")
        case (.tags, .badValue): return Expectation("a format of enum cemv_format", found: "another one")
        case (.tags, .conflict): return Expectation("tags in ascending order", found: "a lower one")
        case (.tags, .duplicate):
            return Expectation("a tag that the base table does not have", found: "one of its tags")
        default: return nil
        }
    }

    /// Values of protection that the Swift or C type can hold but that are out of range.
    private func ofProtection(_ protection: Protection) -> Expectation? {
        guard reason == .badValue else { return nil }
        if let records = protection.maxRecords, Int(records) > CoreLimit.records {
            return Expectation("maxRecords from 1 to \(CoreLimit.records) records", found: "\(records)")
        }
        if let digits = protection.minUNDigits, digits > 8 {
            return Expectation("minUnDigits from 1 to 8 digits", found: "\(digits)")
        }
        return nil
    }
}

// MARK: - Combinations

extension CheckFault {
    private var ofCombination: Expectation? {
        if field == .none, reason == .missing {
            return Expectation("1 to \(CoreLimit.combinations) combinations", found: "none")
        }
        if field == .none, reason == .tooMany {
            return Expectation(
                "at most \(CoreLimit.combinations) combinations", found: "\(configuration.combinations.count)")
        }
        guard let combination else { return nil }
        switch field {
        case .aid: return Expectation("5 to 16 bytes", found: byteCount(combination.aid.count))
        case .kernelID where reason == .unknownKernel:
            return Expectation("a kernel that the reader has: \(kernelNames)", found: combination.kernel.id.shown)
        case .transactionTypes where reason == .badValue:
            return Expectation("transaction types of two decimal digits, 00 to 99", found: "a digit A to F")
        case .transactionTypes: return ofTypes(combination)
        case .limits: return combination.limits.fault("limits") ?? ofLimits(combination)
        case .ttq: return ofTTQ(combination)
        case .zeroAmount: return Expectation("online, notAllowed or offlineAllowed", found: "another value")
        case .protection: return ofProtection(combination.protection ?? Protection())
        case .data: return ofKernelsData(combination) ?? ofData(combination.data)
        case .dynamicLimits: return ofDynamicLimits(combination)
        case .options: return ofOptions(combination)
        case .secretCrypto:
            return Expectation("a SecretCrypto, which \(combination.kernel.id.shown) requires", found: "none")
        default: return nil
        }
    }

    private func ofTypes(_ combination: Combination) -> Expectation? {
        func types(_ row: Combination) -> [TransactionType] {
            row.transactionTypes.isEmpty ? [.purchase] : row.transactionTypes
        }
        let earlier = configuration.combinations.prefix(row).firstIndex {
            $0.aid == combination.aid && $0.kernel.id == combination.kernel.id
                && types($0).contains(where: types(combination).contains)
        }
        return Expectation(
            "each AID and kernel once for a transaction type",
            found: earlier.map { "those of combinations[\($0)] again" } ?? "one again")
    }

    private func ofLimits(_ combination: Combination) -> Expectation? {
        if combination.kernel.id == 5 {
            return Expectation("no limits.terminalFloor with \(combination.kernel.id.shown)", found: "one")
        }
        guard combination.kernel.id == 8 else { return nil }
        let has = combination.limits.terminalFloor == nil ? "cdcvmTransaction" : "terminalFloor"
        return Expectation(
            "only the limits transaction, floor and cvmRequired with \(combination.kernel.id.shown)", found: has)
    }

    private func ofTTQ(_ combination: Combination) -> Expectation? {
        let name = "Terminal Transaction Qualifiers (9F66)"
        let kernel = combination.kernel.id.shown
        let ttq = combination.ttq ?? []
        switch (reason, combination.kernel.id) {
        case (.badLength, _): return Expectation("4 bytes", found: byteCount(ttq.count))
        case (.missing, _): return Expectation("\(name) of 4 bytes, which \(kernel) requires", found: "none")
        case (.conflict, 4), (.notConfigurable, 8):
            return Expectation("no \(name) with \(kernel)", found: byteCount(ttq.count))
        case (.conflict, 6):
            return Expectation("1 in byte 1 bit 8 (mag-stripe mode) or bit 6 (EMV mode)", found: "0 in both")
        case (.conflict, 7):
            return Expectation(
                "0 in byte 1 bit 1 (offline data authentication for online), or true in kernel7.odaForOnline",
                found: "1 and false")
        case (.badValue, 3): return RequiredBit.fault([RequiredBit(1, 8, "mag-stripe mode", 0)], in: ttq)
        case (.badValue, 6):
            return RequiredBit.fault(
                [
                    RequiredBit(1, 7, "full contactless flow", 0),
                    RequiredBit(1, 1, "offline data authentication for online", 0),
                ], in: ttq)
        case (.badValue, 7):
            return RequiredBit.fault(
                [RequiredBit(1, 8, "reserved", 0)] + RequiredBit.all(2, 6, 1, "reserved", 0)
                    + RequiredBit.all(4, 7, 1, "reserved", 0)
                    + [
                        RequiredBit(1, 7, "full contactless flow", 0), RequiredBit(1, 6, "EMV mode", 1),
                        RequiredBit(3, 7, "verification on the consumer's device", 1),
                    ], in: ttq)
        default: return nil
        }
    }

    /// Requirements of a kernel on an object beyond its format.
    private func ofKernelsData(_ combination: Combination) -> Expectation? {
        if combination.kernel.id == 8, tag == nil, reason == .tooMany {
            return Expectation(
                "at most \(CoreLimit.proprietaryObjects) data objects that \(whose) does not list",
                found: "more")
        }
        guard let tag, [.badValue, .tooMany, .conflict].contains(reason) else { return nil }
        let value = combination.data[tag] ?? configuration.terminal[tag] ?? []
        switch combination.kernel.id {
        case 2: return ofKernel2(tag, value)
        case 5 where tag == 0x9F53 && reason == .conflict:
            return Expectation(
                "no 9F53 here: kernel5.terminalInterchangeProfile supplies it", found: byteCount(value.count))
        case 8: return ofKernel8(tag, value)
        default: return nil
        }
    }

    private func ofKernel2(_ tag: Tag, _ value: Bytes) -> Expectation? {
        let first = value.first ?? 0
        switch tag {
        case 0xDF811B where reason == .conflict:
            return Expectation("0 in byte 1 bit 8 (no mag-stripe mode) or bit 7 (no EMV mode)", found: "1 in both")
        case 0xDF811A:
            return Expectation(
                "9F6A04, the unpredictable number alone", found: "another list of \(byteCount(value.count))")
        case 0xDF811D where reason == .tooMany:
            return Expectation("0 to \(CoreLimit.tornTransactions) torn transactions", found: "\(first)")
        case 0xDF8118, 0xDF8119:
            return RequiredBit.fault(
                [
                    RequiredBit(1, 8, "plaintext offline PIN", 0), RequiredBit(1, 5, "enciphered offline PIN", 0),
                ], in: value)
        case 0xDF811E, 0xDF812C:
            return Expectation(
                "in bits 8 to 5 one of 0 (no method), 1 (signature), 2 (online PIN) and F (not applicable)",
                found: String(Hex.string(CollectionOfOne(first)).prefix(1)))
        case 0xDF8131:
            return Expectation(
                "rows of 8 bytes, the last of which begins with 6 bytes 00",
                found: value.isEmpty || value.count % 8 != 0 ? byteCount(value.count) : "another last row")
        case 0xDF8121:
            return RequiredBit.fault([RequiredBit(1, 3, "CDA failed", 1)], in: value, " in profile strict")
        default: return nil
        }
    }

    /// These bits are bits of the Terminal Verification Results.
    private func ofKernel8(_ tag: Tag, _ value: Bytes) -> Expectation? {
        let notBook = " outside profile book"
        let performed = RequiredBit(1, 8, "offline data authentication not performed", 1)
        let authenticated = RequiredBit(1, 3, "local authentication failed", 1)
        switch tag {
        case 0x9F820B: return RequiredBit.fault([performed, authenticated], in: value, notBook)
        case 0x9F821A:
            let mask = "of the mask 84000080CF"
            return RequiredBit.fault(
                [performed, authenticated, RequiredBit(4, 8, mask, 1)] + RequiredBit.all(5, 8, 7, mask, 1)
                    + RequiredBit.all(5, 4, 1, mask, 1), in: value, notBook)
        case 0x9F821F: return Expectation("a list of whole tags", found: "other bytes")
        case 0x9F8221: return Expectation("pairs of whole tags", found: "other bytes")
        default: return nil
        }
    }

    private func ofDynamicLimits(_ combination: Combination) -> Expectation? {
        let sets = combination.kernel.visa?.dynamicLimits ?? []
        switch reason {
        case .tooMany: return Expectation("at most \(CoreLimit.dynamicLimits) sets", found: "\(sets.count)")
        case .badLength:
            guard let row = sets.firstIndex(where: { !(1...16).contains($0.program.count) }) else { return nil }
            return Expectation(
                "dynamicLimits[\(row)].program of 1 to 16 bytes", found: byteCount(sets[row].program.count))
        case .badValue:
            for (row, set) in sets.enumerated() {
                if let fault = set.limits.fault("dynamicLimits[\(row)].limits") { return fault }
            }
            return nil
        default: return nil
        }
    }

    // MARK: Options of kernels

    private func ofOptions(_ combination: Combination) -> Expectation? {
        switch combination.kernel.options {
        case .americanExpress(let options): ofOptions(options)
        case .jcb(let options): ofOptions(options, combination.limits)
        case .discover(let options): ofOptions(options)
        case .unionPay: Expectation("contact, magstripe, both or none", found: "another value")
        case .none, .visa, .kernel8, .other: nil
        }
    }

    private func ofOptions(_ options: CombinationKernel.AmericanExpressOptions) -> Expectation? {
        switch optionName {
        case "unpredictableNumberRange":
            return Expectation("60 to 65535 numbers", found: shownNumber(options.unpredictableNumberRange))
        case "discretionaryDataObjectList":
            let size = options.discretionaryDataObjectList.count
            return Expectation(
                "at most 252 bytes of tags, each with a length of 1 byte",
                found: size > 252 ? byteCount(size) : "other bytes")
        case "dynamicLimits":
            guard let sets = options.dynamicLimits else { return nil }
            if let fault = sets.standard.fault("default") { return fault }
            for number in sets.numbered.keys.sorted() {
                if let fault = sets.numbered[number]?.fault("sets.\(number)") { return fault }
            }
            return nil
        default: return nil
        }
    }

    private func ofOptions(_ options: CombinationKernel.JCBOptions, _ limits: Limits) -> Expectation? {
        let given = options.combinationOptions.allSatisfy { $0 == 0 } ? [0x22, 0] : options.combinationOptions
        switch optionName {
        case "combinationOptions":
            return RequiredBit.fault(
                [RequiredBit(1, 2, "EMV mode", 1), RequiredBit(1, 3, "mag-stripe mode", 0)], in: given)
        case "terminalInterchangeProfile":
            return RequiredBit.fault(
                [RequiredBit(1, 8, "cardholder verification required", 0)], in: options.terminalInterchangeProfile)
        case "randomSelection": return ofSelection(options.randomSelection, limits.floor)
        case "removalTimeout":
            return Expectation("0 to 9999 units of 100 ms", found: shownNumber(options.removalTimeout))
        default: return nil
        }
    }

    private func ofSelection(
        _ selection: CombinationKernel.JCBOptions.RandomSelection?, _ floor: UInt64?
    ) -> Expectation {
        let asked = "byte 1 bit 4 of combinationOptions (random selection)"
        guard let selection else { return Expectation("a random selection, since \(asked) is 1", found: "none") }
        let (target, most) = (selection.target, selection.maximumTarget)
        guard (0...99).contains(most), (0...most).contains(target) else {
            return Expectation(
                "a target and a maximumTarget from 0 to 99 percent, the target not above the other",
                found: "\(shownNumber(target)) and \(shownNumber(most))")
        }
        guard let floor else {
            return Expectation("limits.floor in minor units, since \(asked) is 1", found: "none")
        }
        return Expectation(
            "a threshold below limits.floor, \(shownNumber(floor)) minor units",
            found: shownNumber(selection.threshold))
    }

    private func ofOptions(_ options: CombinationKernel.DiscoverOptions) -> Expectation? {
        switch optionName {
        case "mode": Expectation("auto, emv, ms or legacy", found: "another value")
        case "otherInterfaces": Expectation("contact, magstripe, both or none", found: "another value")
        case "cvrOffset":
            Expectation("a position in 9F10 from 0 to 24, in bytes", found: shownNumber(options.cvrOffset))
        case "track1Tag":
            Expectation(
                "56 or a primitive tag that neither EMV Book 3 nor \(whose) defines", found: "\(options.track1)")
        default: nil
        }
    }
}

// MARK: - Keys and cards

extension CheckFault {
    private var ofKey: Expectation? {
        if field == .none, reason == .tooMany {
            return Expectation(
                "at most \(CoreLimit.caKeys) CA keys of RSA",
                found: "\(configuration.caKeys.filter { $0.curve == nil }.count)")
        }
        guard configuration.caKeys.indices.contains(row) else { return nil }
        let key = configuration.caKeys[row]
        switch (field, reason) {
        case (.exponent, _): return Expectation("3 or 65537", found: shownNumber(key.exponent))
        case (.modulus, .badLength): return Expectation("64 to 248 bytes", found: byteCount(key.modulus.count))
        case (.modulus, .weakKey):
            return Expectation(
                "at least \(configuration.protection.minCABits ?? 1152) bits, protection.minCaBits",
                found: "\(key.modulusBits)")
        case (.modulus, _):
            let isOdd = key.modulus.last.map { $0 % 2 == 1 } ?? false
            return Expectation(
                "an odd number that does not begin with a byte 00",
                found: key.modulus.first == 0 ? "one that does" : isOdd ? "one that RSA cannot use" : "an even one")
        case (.checksum, .badLength): return Expectation("20 bytes", found: byteCount(key.sha1?.count ?? 0))
        case (.checksum, _):
            return Expectation("the SHA-1 of RID, index, modulus and exponent", found: "another one")
        case (.checksum256, .badLength):
            return Expectation("32 bytes", found: byteCount(key.curve?.sha256?.count ?? 0))
        case (.checksum256, _):
            return Expectation("the SHA-256 of RID, index, suite, x and y", found: "another one")
        case (.point, .badLength):
            return Expectation(
                "x and y of 32 bytes each",
                found: "\(key.curve?.x.count ?? 0) and \(byteCount(key.curve?.y.count ?? 0))")
        case (.point, _): return Expectation("a point of the curve P-256", found: "x and y of none")
        case (.expiry, _): return Expectation("a date of the calendar", found: "another one")
        case (.index, .conflict):
            return Expectation(
                "only test keys, only live keys, or true in protection.allowTestKeys", found: "both kinds")
        case (.index, .duplicate):
            let earlier = configuration.caKeys.firstIndex { $0.rid == key.rid && $0.index == key.index }
            return Expectation("each RID and index once", found: "those of caKeys[\(earlier ?? 0)] again")
        default: return nil
        }
    }

    private var ofException: Expectation? {
        guard configuration.exceptions.indices.contains(row) else { return nil }
        switch field {
        case .pan:
            let pan = configuration.exceptions[row].pan
            let nibbles = pan.flatMap { [$0 >> 4, $0 & 0x0F] }
            let digits = nibbles.prefix { $0 < 10 }.count
            let isWhole = nibbles.dropFirst(digits).allSatisfy { $0 == 0x0F }
            return Expectation(
                "8 to 19 digits, and F only to fill the last byte",
                found: !isWhole ? "other digits than 0 to 9 in it" : "\(digits) digits in \(byteCount(pan.count))")
        case .sequence: return Expectation("two decimal digits, 00 to 99", found: "a digit A to F")
        default: return nil
        }
    }
}

extension CAKey {
    fileprivate var modulusBits: Int {
        modulus.first.map { 8 * modulus.count - $0.leadingZeroBitCount } ?? 0
    }
}

// MARK: - Transactions

extension CheckFault {
    private var ofTransaction: Expectation? {
        guard let transaction else { return nil }
        switch field {
        case .amount:
            let isOther = transaction.amount <= Limits.highest
            return Expectation(
                "\(isOther ? "amountOther" : "amount") in minor units from 0 to \(Limits.highest)",
                found: shownNumber(isOther ? transaction.amountOther : transaction.amount))
        case .type: return Expectation("two decimal digits, 00 to 99", found: "a digit A to F")
        case .currency: return Expectation("an ISO 4217 number from 0 to 999", found: "\(transaction.currency)")
        case .currencyExponent: return Expectation("0 to 4 decimals", found: "\(transaction.exponent)")
        case .date: return Expectation("a date of the calendar", found: "another one")
        case .time:
            return Expectation(
                "a time from 00:00:00 to 23:59:59, ahead of UTC by -840 to 840 minutes",
                found: "\(shownNumber(transaction.utcOffset)) minutes")
        case .counter: return Expectation("0 to 99999999", found: shownNumber(transaction.counter))
        case .aid:
            let wrong = transaction.preferredApplications.first { !(5...16).contains($0.count) }
            return Expectation("preferred AIDs of 5 to 16 bytes", found: byteCount(wrong?.count ?? 0))
        case .data: return ofData(transaction.data)
        case .memory: return Expectation("as much memory as cemv_session_size() asks for", found: "less")
        case .random:
            guard case .fixed(let bytes) = transaction.random else { return nil }
            return Expectation("at least 4 random bytes, one unpredictable number", found: byteCount(bytes.count))
        case .readerMemory: return Expectation("the memory of a reader, as a session left it", found: "other contents")
        default: return nil
        }
    }
}
