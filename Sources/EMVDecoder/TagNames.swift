// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// What a tag is called where it stands. Kernels give some numbers different meanings; the scheme of the card, or the
/// objects beside it, say which kernel's is meant. Without either the name gives each meaning.
struct TagNames {
    /// Nil where the data don't tell.
    var scheme: PaymentScheme?

    /// Objects that only a mag-stripe mode record of Kernel 2 has (Book C-2, Annex A).
    private static let magStripeTags: Set<UInt32> = [0x9F62, 0x9F63, 0x9F64, 0x9F65]

    /// - Parameter siblings: the tags of one template.
    static func isMagStripeRecord(_ siblings: [Tag]) -> Bool {
        siblings.filter { magStripeTags.contains($0.rawValue) }.count >= 2
    }

    /// Whether 9F66, 9F6C and 9F68 are those of a mag-stripe mode record.
    func isKernel2(inMagStripeRecord: Bool) -> Bool { scheme == .mastercard || scheme == nil && inMagStripeRecord }

    /// - Parameter count: bytes of the value.
    func name(of tag: Tag, count: Int, inMagStripeRecord: Bool = false) -> String {
        // Kernel 2 gets terminal qualifiers from no card, and PUNATC has two bytes.
        if tag == 0x9F66 { return count == 2 ? "PUNATC (Track2)" : "Terminal Transaction Qualifiers (TTQ)" }
        let kernel: UInt8 = isKernel2(inMagStripeRecord: inMagStripeRecord) ? 2 : scheme == .visa ? 3 : 0
        if let name = Self.further[kernel]?[tag.rawValue] { return name }
        if kernel != 0 { return Names.tag(tag, kernel: kernel) }
        return Self.meanings(of: tag).joined(separator: " / ")
    }

    /// What the kernels that know a tag make of it.
    private static func meanings(of tag: Tag) -> [String] {
        let all = Names.tags(tag) + [2, 3].compactMap { further[$0]?[tag.rawValue] }
        return all.isEmpty ? ["Unknown"] : all
    }

    /// Numbers that the core's lists do not have.
    private static let further: [UInt8: [UInt32: String]] = [
        2: [0x9F68: "Mag-stripe CVM List", 0x9F6C: "Mag-stripe Application Version Number (Card)"],
        3: [0x9F68: "Card Additional Processes"],
    ]
}

/// The data objects of an answer in format 1 (80), which has values without tags.
enum FormatOne {
    /// Told by length and content: GET PROCESSING OPTIONS, GENERATE AC (Book 3, 6.5.8.4, 6.5.5.4), EXCHANGE RELAY
    /// RESISTANCE DATA (Book C-2), INTERNAL AUTHENTICATE (Book 3, 6.5.9.4). Empty for anything else.
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

    /// Entries of four bytes: SFI in the upper five bits, first and last record, how many are signed (Book 3, 10.2).
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
