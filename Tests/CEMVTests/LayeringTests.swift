// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The project's dependency direction, read from the `#include` and `import` lines themselves (DESIGN.md, 2).
@Suite struct LayeringTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What each module of CEMV may include, besides the public headers and itself.
    static let below: [String: Set<String>] = [
        "wire": [],
        "account": ["wire"],
        "data": ["wire"],
        "crypto": [],
        "oda": ["wire", "data", "crypto"],
        "outcome": ["wire", "data"],
        "cryptogram": ["wire", "data", "account"],
        "rules": ["wire"],
        "exchange": ["wire", "data", "rules"],
        "kernels": ["wire", "data", "account", "crypto", "oda", "outcome", "rules", "exchange"],
        "entry": ["wire", "data", "outcome"],
        "session": ["wire", "data", "account", "crypto", "oda", "outcome", "rules", "exchange", "kernels", "entry"],
        "debug": ["data", "entry"],
    ]

    /// Directories of CEMV with sources of their own; each kernel's is a module.
    static let directories: [String] = Set(
        files(below: "Sources/CEMV", ending: ["c", "h"]).map { module(of: $0) }.filter { $0 != "include" }
    ).sorted()

    /// The path of a file's directory below Sources/CEMV.
    static func module(of file: URL) -> String {
        let folder = file.standardizedFileURL.deletingLastPathComponent().pathComponents
        return folder[folder.lastIndex(of: "CEMV")!...].dropFirst().joined(separator: "/")
    }

    /// A kernel may include what all kernels share, and no other kernel.
    static func mayInclude(_ module: String) -> Set<String>? {
        module.hasPrefix("kernels/") ? below["kernels"]!.union(["kernels"]) : below[module]
    }

    static let modules: [String: Set<String>] = [
        "EMVKit": ["CEMV", "Darwin", "Glibc", "Musl"],
        "EMVFormats": ["EMVKit", "Foundation", "FoundationEssentials"],
        "EMVDecoder": ["CEMV", "EMVKit"],
        "EMVPage": ["EMVDecoder", "EMVFormats", "EMVKit", "EMVSimulator"],
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

    @Test(arguments: directories)
    func modulesIncludeOnlyModulesBelow(module: String) throws {
        let allowed = try #require(Self.mayInclude(module), "Sources/CEMV/\(module) is not in the table")
        for file in Self.files(below: "Sources/CEMV/\(module)", ending: ["c", "h"])
        where Self.module(of: file) == module {
            for line in try Self.lines(file) where line.hasPrefix("#include \"") {
                let path = String(line.dropFirst("#include \"".count).prefix { $0 != "\"" })
                guard path.contains("/") else { continue }
                let included = Self.module(of: file.deletingLastPathComponent().appendingPathComponent(path))
                guard included != "include", included != module else { continue }
                #expect(allowed.contains(included), "\(file.lastPathComponent) includes \(path)")
            }
        }
    }

    @Test func everyModuleOfTheTableIsThere() {
        #expect(Set(Self.below.keys).isSubset(of: Self.directories))
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
            #expect(try Self.lines(file).count <= 250, "\(file.lastPathComponent)")
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

    /// Four of EMVKit; of EMVDecoder the one with the core's names, of EMVLoyalty the one that hashes.
    @Test func theCoreIsImportedInAtMostSixSwiftFiles() throws {
        let importers = try Self.files(below: "Sources", ending: ["swift"]).filter { file in
            try Self.lines(file).contains { $0.hasSuffix("import CEMV") }
        }
        #expect((1...6).contains(importers.count), "\(importers.map(\.lastPathComponent))")
    }

    @Test func kernelsEntryAndSessionSwitchExhaustively() throws {
        for module in ["kernels", "entry", "session"] {
            for file in Self.files(below: "Sources/CEMV/\(module)", ending: ["c"]) {
                for (number, line) in try Self.lines(file).enumerated() {
                    let text = line.drop { $0 == " " }
                    #expect(!text.hasPrefix("default:"), "\(file.lastPathComponent):\(number + 1)")
                }
            }
        }
    }
}
