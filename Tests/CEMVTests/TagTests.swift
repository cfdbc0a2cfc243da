// SPDX-License-Identifier: Apache-2.0
import CEMV
import CEMVInternals
import Foundation
import TestData
import Testing

@Suite struct TagTests {
    private static let base = (0..<UInt16(CEMV_SLOT_COUNT.rawValue)).map { cemv_tag_row_at(tags_of(2), $0).pointee }

    private static func own(_ kernel: UInt32) -> [cemv_tag_row] {
        let tags = tags_of(kernel)!
        return (0..<tags.pointee.count).map { cemv_tag_row_at(tags, UInt16(CEMV_SLOT_COUNT.rawValue) + $0).pointee }
    }

    private static var all: [cemv_tag_row] { base + own(2) + own(3) }

    private static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// The numbers of all tag lists, including those of kernels that are not built.
    private static func listed() throws -> [String: [UInt32]] {
        var lists: [String: [UInt32]] = [:]
        let sources = root.appending(path: "Sources/CEMV")
        for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)!
        where file.pathExtension == "inc" {
            let text = try String(contentsOf: file, encoding: .utf8)
            lists[file.lastPathComponent] = try text.matches(of: #/(?m)^TAG(1|5F|9F|)\(([0-9A-F]+), /#).map {
                let prefix = $0.1 == "1" ? "" : $0.1
                return try #require(UInt32(prefix + $0.2, radix: 16))
            }
        }
        return lists
    }

    @Test func listsAreStrictlySortedAndOverlapTheBaseTableNowhere() throws {
        let lists = try Self.listed()
        #expect(lists.count == 9)
        let base = Set(try #require(lists["tags.inc"]))
        #expect(base.count == Self.base.count)
        for (name, tags) in lists {
            for tag in tags { #expect(cemv_tag_is_valid(tag), "\(name): \(hex(tag))") }
            if name == "tags.inc" { continue }
            #expect(tags.count <= Int(CEMV_KERNEL_TAGS_MAX), "\(name)")
            for (a, b) in zip(tags, tags.dropFirst()) { #expect(a < b, "\(name): \(hex(a)) before \(hex(b))") }
            #expect(base.isDisjoint(with: tags), "\(name)")
        }
    }

    @Test func everyRowIsSound() {
        for row in Self.all {
            #expect(row.min >= 1 && row.min <= row.max, "\(hex(row.number))")
            #expect(row.kind <= CEMV_FORMAT_VAR.rawValue, "\(hex(row.number))")
            #expect(row.source != 0 && row.source < 128, "\(hex(row.number))")
            #expect(row.templates < 64, "\(hex(row.number))")
            if row.templates & ~UInt8(CEMV_TEMPLATE_SCRIPT.rawValue) != 0 {
                #expect(
                    row.source & UInt8(CEMV_SOURCE_CARD.rawValue) != 0,
                    "\(hex(row.number)) is in a template of the card")
            }
            if cemv_tag_is_constructed(row.number) {
                let formats = [CEMV_FORMAT_VAR.rawValue, CEMV_FORMAT_B.rawValue]
                #expect(formats.contains(UInt32(row.kind)), "\(hex(row.number))")
            }
        }
    }

    /// The public header has one or more names for every tag of the lists, and no others; each name has its tag's
    /// number.
    @Test func everyTagHasAPublicName() throws {
        let header = try String(
            contentsOf: Self.root.appending(path: "Sources/CEMV/include/cemv_tags.h"), encoding: .utf8)
        var named: Set<UInt32> = []
        for match in header.matches(of: /CEMV_TAG_([0-9A-F]+)_[A-Z0-9_]+ += 0x([0-9A-F]+),/) {
            #expect(match.1 == match.2, "\(match.0)")
            named.insert(try #require(UInt32(match.2, radix: 16)))
        }
        #expect(named == Set(try Self.listed().values.joined()))
    }

    @Test func namesAreTotal() throws {
        for tag in try Self.listed().values.joined() {
            let name = String(cString: cemv_name_of_tag(tag, 0))
            #expect(!name.isEmpty && name != "Unknown", "\(hex(tag))")
        }
        #expect(String(cString: cemv_name_of_tag(0x9F02, 0)) == "Amount, Authorised (Numeric)")
        #expect(String(cString: cemv_name_of_tag(0x9F6E, 2)) == "Third Party Data")
        #expect(String(cString: cemv_name_of_tag(0x9F6E, 4)) == "Enhanced Contactless Reader Capabilities")
        #expect(String(cString: cemv_name_of_tag(0xDF8115, 3)) == "Error Indication", "the first kernel that knows it")
        #expect(String(cString: cemv_name_of_tag(0, 0)) == "Unknown")
        #expect(String(cString: cemv_name_of_tag(.max, 9)) == "Unknown")
        var names = [UnsafePointer<CChar>?](repeating: nil, count: 8)
        #expect(cemv_names_of_tag(0x9F66, &names, 8) == 2, "three kernels have it for the same")
        #expect(cemv_names_of_tag(0x9F66, &names, 1) == 1)
        #expect(cemv_names_of_tag(0x9F7B, &names, 8) == 0)
        for id in UInt8.min...UInt8.max {
            #expect(cemv_name_of_message(id)[0] != 0)
        }
        #expect(String(cString: cemv_name_of_message(0x1B)) == "Authorising, please wait")
        for error in 0...64 as ClosedRange<UInt32> {
            #expect(cemv_name_of_wire_error(cemv_wire_error(rawValue: error))[0] != 0)
        }
    }

    // MARK: Agreement with the third-party digest

    @Test(.enabled(if: Digest.isPresent, "no third-party vectors"))
    func digestKnowsNothingMore() throws {
        let digest = try Digest()
        let listed = Set(try Self.listed().values.joined())
        let excluded = Dictionary(
            uniqueKeysWithValues: Self.exclusions.flatMap { reason, tags in
                tags.split(separator: " ").map { (String($0), reason) }
            })
        for entry in digest.tags {
            let isKnown = UInt32(entry.tag, radix: 16).map(listed.contains) ?? false
            #expect(isKnown == (excluded[entry.tag] == nil), "\(entry.tag)")
        }
        #expect(Set(excluded.keys).isSubset(of: Set(digest.tags.map(\.tag))))
    }

    @Test(.enabled(if: Digest.isPresent, "no third-party vectors"))
    func digestAgreesOnLengthsAndFormats() throws {
        let settled = Set(Self.differences.flatMap { $0.value.split(separator: " ").map(String.init) })
        var differing: Set<String> = []
        for entry in try Digest().tags {
            guard let number = UInt32(entry.tag, radix: 16) else { continue }
            let rows = Self.all.filter { $0.number == number }
            for opinion in entry.entries where !rows.isEmpty && rows.allSatisfy(opinion.differs) {
                differing.insert(entry.tag)
            }
        }
        #expect(differing.subtracting(settled).isEmpty, "not settled: \(differing.subtracting(settled).sorted())")
        #expect(
            settled.subtracting(differing).isEmpty, "settled without need: \(settled.subtracting(differing).sorted())")
    }

    private static let exclusions: [String: String] = [
        "no data object of EMV: ASN.1, ISO/IEC 7816-4 or a tool's own word": "00 02 06 20 21 41 51 52 53 96",
        "payment-system data inside the card, read by issuers' tools only; in none of the books":
            "9F55 9F56 9F57 9F58 9F59 9F68 DF20 DF3E",
        "one acquirer's or scheme's host interface": """
        DF2E DF3A DF4F DF56 DF57 DF58 DF5A DF5B DF5C DF5D DF5F DF8172 DF8173 DF8174 DF8175 DF8178 \
        DF9007 DF9008 DF9009 E0 E5 EF FB
        """.trimmingCharacters(in: .newlines),
        "one library's configuration":
            "DF83E371 DF85E371 DF86E371 DF87E371 DF88E371 DF89E371 DF8AE371 DF8BE371 DF8CE371 DF8DE371 DF8EE371 "
            + "FF81E371 FF82E371 FF84E371",
        "slips of the pen: DF811A and FF8102": "DF8111A FF8120",
    ]

    /// Key: the clause that decides. Value: tags for which at least one source of the digest differs.
    private static let differences: [String: String] = [
        "Book 3 A1: format var. of templates and of AFL": "61 6F 70 71 72 77 80 83 94 A5 BF0C",
        "Book 3 A1: format n, not cn": "5F34 9C 9F02 9F03 9F11 9F35 9F44",
        "Book 3 A1: format ans": "5F20",
        "Book 3 A1: length": "5F30 88 8C 8E 9F01 9F1D",
        "Book 3 A1: no bound; the source gives its own": "9F38 9F4E",
        "Book 2 5.1, 6.1: at most 248": "90 92 93 9F46 9F48 9F4B",
        "Book B annex A: 9F29 and 4F together at most 16": "9F29",
        "Book B annex A: format b": "9F0A",
        "C-3 A.2: 9F5A 1 to 16; the widest of the kernels' objects of that number":
            "9F53 9F5A 9F5B 9F6D",
        "C-3 A.2, C-8 A.1 and the digest of Kernel 2: templates":
            "BF60 FF8101 FF8103 FF8104 FF8105 FF8106",
        """
        the digest of Kernel 2, 1.3: ans; 9F1F up to 56; 9F20 16 bytes, not digits; DF812B 11 bytes; \
        9F5E 8 to 11 bytes
        """:
            "56 9F1F 9F20 DF812B 9F5E",
        "the digest of Kernel 2, 1.3 and 2.1: var.; rows of eight bytes": "DF8107 DF8131",
    ]

}

private func hex(_ tag: UInt32) -> String { String(tag, radix: 16, uppercase: true) }

/// The merged tag lists of seven public projects.
private struct Digest {
    struct Tag: Decodable {
        var tag: String
        var entries: [Opinion]
    }

    struct Opinion: Decodable {
        var source: String
        var format: String?
        var min: Count?
        var max: Count?
        var length: String?  // "2,true", "0,16,true", "0,0xFFFF,false": bytes, then another field

        /// The format, if the source uses one of the books' formats; and bounds in bytes that the source states.
        func differs(from row: cemv_tag_row) -> Bool {
            if let format, let expected = Self.formats[format], expected.rawValue != UInt32(row.kind) { return true }
            let (low, high) = bounds
            return low.map { Swift.max($0, 1) != Int(row.min) } ?? false
                || high.map { Swift.min($0, 255) != Int(row.max) } ?? false
        }

        private var bounds: (Int?, Int?) {
            if let length {
                let numbers = length.split(separator: ",").dropLast().map {
                    $0.hasPrefix("0x") ? Int($0.dropFirst(2), radix: 16)! : Int($0)!
                }
                return (numbers.first, numbers.last)
            }
            // One source counts digits of n and cn.
            let isInDigits = source.hasSuffix("emv.h") && (format == "N" || format == "CN")
            return isInDigits
                ? (min?.value.map { ($0 + 1) / 2 }, max?.value.map { ($0 + 1) / 2 }) : (min?.value, max?.value)
        }

        private static let formats: [String: cemv_format] = [
            "b": CEMV_FORMAT_B, "B": CEMV_FORMAT_B, "Binary": CEMV_FORMAT_B, "DataObjectList": CEMV_FORMAT_B,
            "n": CEMV_FORMAT_N, "N": CEMV_FORMAT_N,
            "CN": CEMV_FORMAT_CN, "CompressedNumeric": CEMV_FORMAT_CN, "AN": CEMV_FORMAT_AN,
            "Alphanumeric": CEMV_FORMAT_AN, "ans": CEMV_FORMAT_ANS,
            "ANS": CEMV_FORMAT_ANS, "AlphanumericSpecial": CEMV_FORMAT_ANS, "VAR": CEMV_FORMAT_VAR,
        ]
    }

    /// A number, or its digits in a string, or an empty string.
    struct Count: Decodable {
        var value: Int?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Int.self)) ?? Int(container.decode(String.self))
        }
    }

    private struct File: Decodable { var tags: [Tag] }

    static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/vectors/tags.json")
    static var isPresent: Bool { FileManager.default.fileExists(atPath: url.path) }

    var tags: [Tag]

    init() throws {
        tags = try JSONDecoder().decode(File.self, from: Data(contentsOf: Self.url)).tags
    }
}
