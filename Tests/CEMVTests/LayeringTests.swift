// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The house's dependency direction, read from the `#include` and `import` lines themselves (DESIGN.md, 2).
@Suite struct LayeringTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What each room of CEMV may include, besides the public headers and itself.
    static let below: [String: Set<String>] = [
        "wire": [],
        "data": ["wire"],
        "crypto": ["wire", "data"],
        "outcome": ["wire", "data"],
        "cryptogram": ["wire", "data"],
        "kernels": ["wire", "data", "crypto", "outcome", "cryptogram"],
        "entry": ["wire", "data", "outcome"],
        "session": ["wire", "data", "crypto", "outcome", "cryptogram", "kernels", "entry"],
        "debug": ["wire", "data", "outcome", "kernels", "entry"],
    ]

    static let modules: [String: Set<String>] = [
        "EMVKit": ["CEMV", "Darwin", "Glibc", "Musl"],
        "EMVFormats": ["EMVKit", "Foundation", "FoundationEssentials"],
        "EMVSimulator": ["EMVKit", "EMVTripleDES", "Darwin", "Glibc", "Musl"],
    ]

    static func files(below folder: String, ending: [String]) -> [URL] {
        let walker = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (walker?.compactMap { $0 as? URL } ?? []).filter { ending.contains($0.pathExtension) }
    }

    static func lines(_ file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: below.keys.sorted())
    func roomsIncludeOnlyRoomsBelow(room: String) throws {
        let files = Self.files(below: "Sources/CEMV/\(room)", ending: ["c", "h"])
        #expect(!files.isEmpty)
        for file in files {
            for line in try Self.lines(file) where line.hasPrefix("#include \"") {
                let path = line.dropFirst("#include \"".count).prefix { $0 != "\"" }
                let folder = path.hasPrefix("../") ? String(path.dropFirst(3).prefix { $0 != "/" }) : nil
                guard let folder, folder != "include" else { continue }
                #expect(Self.below[room]!.contains(folder), "\(file.lastPathComponent) includes \(path)")
            }
        }
    }

    @Test func coreIncludesNoSystemHeaderButTheFreestandingOnes() throws {
        let allowed = ["<stdint.h>", "<stddef.h>", "<stdbool.h>"]
        for file in Self.files(below: "Sources/CEMV", ending: ["c", "h"]) {
            for line in try Self.lines(file) where line.hasPrefix("#include <") {
                #expect(allowed.contains { line.contains($0) }, "\(file.lastPathComponent): \(line)")
            }
        }
    }

    @Test func privateHeadersStayShort() throws {
        for file in Self.files(below: "Sources/CEMV", ending: ["h"]) where !file.path.contains("/include/") {
            #expect(try Self.lines(file).count <= 220, "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: modules.keys.sorted())
    func swiftModulesImportOnlyWhatTheyMay(module: String) throws {
        for file in Self.files(below: "Sources/\(module)", ending: ["swift"]) {
            for line in try Self.lines(file) {
                let words = line.split(separator: " ").filter {
                    !["public", "internal", "@_exported", "private", "package"].contains($0)
                }
                guard words.count >= 2, words[0] == "import" else { continue }
                #expect(Self.modules[module]!.contains(String(words[1])), "\(file.lastPathComponent): \(line)")
            }
        }
    }

    @Test func theCoreIsImportedInAtMostFourSwiftFiles() throws {
        let importers = try Self.files(below: "Sources", ending: ["swift"]).filter { file in
            try Self.lines(file).contains { $0.hasSuffix("import CEMV") }
        }
        #expect((1...4).contains(importers.count), "\(importers.map(\.lastPathComponent))")
    }

    @Test func kernelsEntryAndSessionSwitchExhaustively() throws {
        for room in ["kernels", "entry", "session"] {
            for file in Self.files(below: "Sources/CEMV/\(room)", ending: ["c"]) {
                for (number, line) in try Self.lines(file).enumerated() {
                    let text = line.drop { $0 == " " }
                    #expect(!text.hasPrefix("default:"), "\(file.lastPathComponent):\(number + 1)")
                }
            }
        }
    }
}
