// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The name of a tag in its context: one name, or no name. Kernels give some numbers different meanings; the AID of the
/// template, the kernel of the data, the objects around it and the length decide which one applies. If none of them
/// decides, the name lists each meaning that the length allows.
struct TagNames {
    /// The owner of these objects.
    enum Owner: Equatable {
        case unknown
        /// A kernel, known by the AID or from the caller.
        case kernel(UInt8)
        /// An application of a network without a built-in kernel: it has only the common objects.
        case other
        /// A security domain of GlobalPlatform.
        case globalPlatform
    }

    var owner: Owner
    /// True if there are objects of Kernel 2's outcome or of a mag-stripe mode record here; used if the owner is
    /// unknown.
    var looksLikeKernel2 = false
    /// The kernel is known; the AID in a template does not change it.
    var isOfOneKernel = false

    /// The owner of the application that an AID or DF name selects; `nil` for the name of a payment directory.
    static func owner(ofAID name: Bytes) -> Owner? {
        let isDomain =
            name.starts(with: [0xA0, 0x00, 0x00, 0x01, 0x51]) || name == [0xA0, 0, 0, 0, 0x03, 0, 0, 0]
            || name == [0xA0, 0, 0, 0, 0x04, 0, 0, 0]
        if isDomain { return .globalPlatform }
        if let scheme = PaymentScheme(aid: name) { return .kernel(kernel(of: scheme)) }
        // A registered or national provider (ISO 7816-5).
        return name.count >= 5 && (name[0] >> 4 == 0xA || name[0] >> 4 == 0xD) ? .other : nil
    }

    static func kernel(of scheme: PaymentScheme) -> UInt8 {
        switch scheme {
        case .mastercard: 2
        case .visa: 3
        case .amex: 4
        case .jcb: 5
        case .discover: 6
        case .unionPay: 7
        }
    }

    /// The owner by the names of an application among these objects; `nil` if there are no names.
    static func owner(in value: (Tag) -> Bytes?) -> Owner? {
        for tag: Tag in [0x84, 0x4F, 0x9F06] {
            if let name = value(tag), let owner = owner(ofAID: name) { return owner }
        }
        return nil
    }

    /// Objects that only a mag-stripe mode record of Kernel 2 has (Book C-2, Annex A).
    private static let magStripeTags: Set<UInt32> = [0x9F62, 0x9F63, 0x9F64, 0x9F65]

    /// - Parameter siblings: the tags of one template.
    static func isMagStripeRecord(_ siblings: [Tag]) -> Bool {
        siblings.filter { magStripeTags.contains($0.rawValue) }.count >= 2
    }

    /// The kernel that decides a number with several meanings; 0: not known.
    var kernel: UInt8 {
        switch owner {
        case .kernel(let number): number
        case .unknown: looksLikeKernel2 ? 2 : 0
        case .other, .globalPlatform: 0
        }
    }

    /// The kernel to which this object belongs, also by its length; 0: not known.
    func kernel(for tag: Tag, count: Int) -> UInt8 {
        guard kernel == 0, owner == .unknown, Self.isOfOneNetwork(tag) else { return kernel }
        let known = (2...8).filter { Names.ownTag(tag, kernel: $0) != nil && Self.fits(tag, $0, count) }
        return known.count == 1 ? known[0] : 0
    }

    /// - Parameter count: bytes of the value.
    func name(of tag: Tag, count: Int) -> String {
        if owner == .globalPlatform, let name = Self.globalPlatform[tag.rawValue] { return name }
        // Entry Point's object (Book A, 5.7), for every kernel. PUNATC has two bytes.
        if tag == 0x9F66, owner != .globalPlatform {
            return count == 2 && kernel < 3 ? "PUNATC (Track2)" : "Terminal Transaction Qualifiers (TTQ)"
        }
        let own = kernel == 0 ? nil : Names.ownTag(tag, kernel: kernel) ?? Self.further[kernel]?[tag.rawValue]
        if let own, owner != .unknown || Self.fits(tag, kernel, count) { return own }
        guard Self.isOfOneNetwork(tag) else { return Names.tag(tag, kernel: kernel) }
        // Kernel 8 reads cards of any network.
        if tag.rawValue > 0xFFFF || owner == .unknown || owner == .kernel(8) { return meanings(of: tag, count) }
        return "Unknown"
    }

    /// The tag's meanings for the kernels that know it, if its length fits them.
    private func meanings(of tag: Tag, _ count: Int) -> String {
        var all: [String] = []
        for kernel: UInt8 in 2...8 {
            guard let name = Names.ownTag(tag, kernel: kernel), Self.fits(tag, kernel, count), !all.contains(name)
            else { continue }
            all.append(name)
        }
        for kernel: UInt8 in [2, 3] {
            guard let name = Self.further[kernel]?[tag.rawValue], owner == .unknown, !Self.ofChip.contains(tag.rawValue)
            else { continue }
            all.append(name)
        }
        return all.isEmpty ? "Unknown" : all.joined(separator: " / ")
    }

    /// Returns true if networks may use this number freely: the numbers of Book 3 and of the payment directory have one
    /// meaning.
    private static func isOfOneNetwork(_ tag: Tag) -> Bool {
        switch tag.rawValue {
        case 0x9F6B: false
        case 0x9F50...0x9F7F, 0xDF01...0xDF4F, 0xDF60...0xDF7F: true
        case 0x10000...: !Names.tags(tag).isEmpty
        default: false
        }
    }

    /// Lengths of those objects above whose number is ambiguous (annexes A of C-2 to C-7).
    private static let lengths: [UInt8: [UInt32: ClosedRange<Int>]] = [
        2: [
            0x9F50: 6...6, 0x9F53: 1...3, 0x9F5C: 8...8, 0x9F5D: 3...3, 0x9F5E: 8...11, 0x9F5F: 1...1, 0x9F60: 2...2,
            0x9F61: 2...2, 0x9F62: 6...6, 0x9F63: 6...6, 0x9F64: 1...1, 0x9F65: 2...2, 0x9F67: 1...1, 0x9F6A: 4...4,
            0x9F6D: 1...2, 0x9F6E: 5...32, 0x9F6F: 1...1, 0x9F7C: 20...20, 0x9F7D: 8...16, 0x9F7E: 1...1,
            0x9F7F: 4...4,
        ],
        3: [0x9F5A: 1...16, 0x9F5D: 6...6, 0x9F69: 5...16, 0x9F6C: 2...2, 0x9F6E: 4...4, 0x9F7C: 1...32],
        4: [
            0x9F50: 2...2, 0x9F5A: 1...8, 0x9F5B: 1...32, 0x9F67: 1...3, 0x9F6D: 1...1, 0x9F6E: 4...4, 0x9F70: 2...2,
            0x9F71: 3...3, 0x9F77: 1...6,
        ],
        5: [
            0x9F50: 1...1, 0x9F52: 1...1, 0x9F53: 3...3, 0x9F5F: 6...6, 0x9F60: 1...1, 0x9F6E: 4...4, 0x9F7C: 1...32,
        ],
        6: [0x9F71: 2...2, 0x9F7D: 2...2],
        7: [0x9F5D: 6...6, 0x9F69: 8...16, 0x9F6C: 2...2, 0x9F74: 6...6, 0x9F7A: 1...1, 0x9F7C: 1...32],
    ]

    private static func fits(_ tag: Tag, _ kernel: UInt8, _ count: Int) -> Bool {
        // An empty object, or its entry in a list, has no length that could decide.
        count == 0 || lengths[kernel]?[tag.rawValue]?.contains(count) ?? true
    }

    /// Names of Visa's chip application that the kernel does not use.
    private static let ofChip: Set<UInt32> = [
        0x9F51, 0x9F52, 0x9F53, 0x9F54, 0x9F55, 0x9F56, 0x9F57, 0x9F58, 0x9F59, 0x9F5C,
    ]

    /// Numbers that the core's lists lack.
    private static let further: [UInt8: [UInt32: String]] = [
        2: [0x9F68: "Mag-stripe CVM List", 0x9F6C: "Mag-stripe Application Version Number (Card)"],
        3: [
            0x9F68: "Card Additional Processes", 0x9F51: "Application Currency Code (card risk management)",
            0x9F52: "Application Default Action (ADA)", 0x9F53: "Consecutive Transaction Limit (International)",
            0x9F54: "Cumulative Total Transaction Amount Limit", 0x9F55: "Geographic Indicator",
            0x9F56: "Issuer Authentication Indicator", 0x9F57: "Issuer Country Code (card risk management)",
            0x9F58: "Lower Consecutive Offline Limit (card)", 0x9F59: "Upper Consecutive Offline Limit (card)",
            0x9F5C: "Cumulative Total Transaction Amount Upper Limit",
        ],
    ]

    /// GlobalPlatform Card Specification 2.3, 11.9 (SELECT), H.2 (card data), 11.4 (GET STATUS), 11.3 (GET DATA).
    private static let globalPlatform: [UInt32: String] = [
        0x73: "Security Domain Management Data", 0x9F65: "Maximum Length of Data in a Command",
        0x9F6E: "Application Production Life Cycle Data", 0x9F7F: "Card Production Life Cycle Data",
        0x9F70: "Life Cycle State", 0x06: "Object Identifier", 0x60: "Card Management Type and Version",
        0x63: "Card Identification Scheme", 0x64: "Secure Channel Protocol", 0x65: "Card Configuration Details",
        0x66: "Card Data", 0x67: "Card Capability Information", 0xE3: "GlobalPlatform Registry Data",
        0xC4: "Executable Load File AID", 0xC5: "Privileges", 0xCC: "Associated Security Domain AID",
        0xCE: "Executable Load File Version Number", 0xE0: "Key Information Template", 0xC0: "Key Information",
        0x45: "Card Image Number (CIN)",
    ]
}

/// The data objects of an answer in format 1 (80), which has values without tags.
enum FormatOne {
    /// Recognised by length and content: GET PROCESSING OPTIONS, GENERATE AC (Book 3, 6.5.8.4, 6.5.5.4), EXCHANGE RELAY
    /// RESISTANCE DATA (Book C-2), INTERNAL AUTHENTICATE (Book 3, 6.5.9.4). Empty for any other value.
    static func objects(_ value: Bytes) -> [(tag: Tag, value: Bytes)] {
        if value.count == 2 || isFileLocator(Array(value.dropFirst(2))) {
            return split(value, [(0x82, 2), (0x94, value.count - 2)])
        }
        switch value.count {
        case 10: return split(value, [(0xDF8302, 4), (0xDF8303, 2), (0xDF8304, 2), (0xDF8305, 2)])
        case 11...43: return split(value, [(0x9F27, 1), (0x9F36, 2), (0x9F26, 8), (0x9F10, value.count - 11)])
        case 44...: return [(0x9F4B, value)]
        default: return []
        }
    }

    /// Entries of four bytes: SFI in the upper five bits, first and last record, number of signed records (Book 3,
    /// 10.2).
    private static func isFileLocator(_ bytes: Bytes) -> Bool {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 4) else { return false }
        return stride(from: 0, to: bytes.count, by: 4).allSatisfy { at in
            let (sfi, first, last, signed) = (bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3])
            return sfi & 0x07 == 0 && (1...30).contains(sfi >> 3) && first >= 1 && first <= last
                && signed <= last - first + 1
        }
    }

    private static func split(_ value: Bytes, _ parts: [(Tag, Int)]) -> [(tag: Tag, value: Bytes)] {
        var at = 0
        return parts.filter { $0.1 > 0 }.map { part in
            defer { at += part.1 }
            return (part.0, Bytes(value[at..<at + part.1]))
        }
    }
}
