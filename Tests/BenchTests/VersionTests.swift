// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import Testing

@testable import emv_bench

/// All places that state a version agree.
@Suite struct VersionTests {
    @Test func theVersionIsTheOneOfTheChangelog() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let heading = try #require(text.split(separator: "\n").first { $0.hasPrefix("## ") })
        let version = try #require(heading.dropFirst(3).split(whereSeparator: { $0 == "," || $0 == " " }).first)
        #expect(SupportReport.libraryVersion == "EMVKit \(version)")
    }

    #if Tools
    @Test func theToolSaysIt() { #expect(EMVBench.configuration.version == SupportReport.libraryVersion) }
    #endif
}
