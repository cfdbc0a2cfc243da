// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `emv-bench configuration check`: its output for people and for programs, and its exit status.
@Suite struct ConfigurationCheckTests {
    private func check(_ text: String, _ arguments: String...) throws -> Program.Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID().uuidString).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Program.run(["configuration", "check", file.path, "--day", "2026-11-21"] + arguments)
    }

    private func document(_ limits: String = #""limits": { "transaction": 30000, "floor": 0 }"#) -> String {
        """
        { "format": "emv-configuration/1", "version": "shop 7",
          "terminal": { "9F1A": "0276", "9F35": "22", "9F33": "E0B8C8", "9F40": "6000B0A001" },
          "combinations": [ { "aid": "A0000000031010", "kernel": 3, "name": "Visa", "ttq": "36004000",
                              "currency": "0978", \(limits) } ] }
        """
    }

    private func object(_ result: Program.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func aUsualFileEndsWithZero() throws {
        let result = try check(document())
        #expect(result.status == 0 && result.output.contains("limits in EUR") && result.output.contains("Visa"))
        let json = try object(check(document(), "--json"))
        #expect(json["currency"] as? Int == 978 && json["version"] as? String == "shop 7")
        let network = try #require((json["networks"] as? [[String: Any]])?.first)
        #expect(network["offlineUpTo"] as? Int == 0 && network["transactionLimit"] as? Int == 30_000)
        #expect((json["errors"] as? [String])?.isEmpty == true && (json["remarks"] as? [Any])?.isEmpty == true)
    }

    @Test func remarksEndWithOne() throws {
        let text = document(#""limits": { "transaction": 0 }"#)
        let result = try check(text)
        #expect(result.status == 1 && result.output.contains("remark: combinations[0].limits"))
        let remarks = try #require(try object(check(text, "--json"))["remarks"] as? [[String: Any]])
        #expect(remarks.map { $0["code"] as? String } == ["noAmountAllowed"])
    }

    @Test func aRefusedFileEndsWithTwo() throws {
        let text = document(#""limits": { "floor": -1 }, "x": 1"#)
        let result = try check(text)
        #expect(result.status == 2 && result.output.contains("combinations[0].limits.floor"))
        let json = try check(text, "--json")
        #expect(json.status == 2)
        #expect((try object(json)["errors"] as? [String])?.count == 2)
    }
}
