// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestData
import Testing

@testable import EMVCards
@testable import EMVSimulator

/// Tests/Independent/k8-vectors.json: known answers that an independent implementation computed, under the names of its
/// sheets and labels. Nothing here comes from this project's code.
enum Kernel8Vectors {
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Independent")

    struct Sheet: Sendable {
        let values: [String: String]

        /// Empty if the label does not exist, so that every comparison fails.
        func text(_ label: String) -> String { values[label] ?? "" }
        func bytes(_ label: String) -> [UInt8] { [UInt8](hex: text(label)) }
        func number(_ label: String) -> Number256 { Number256(bytes(label)) }

        /// The value of the only label with this beginning.
        func bytes(from beginning: String) throws -> [UInt8] {
            let found = values.filter { $0.key.hasPrefix(beginning) }
            try #require(found.count == 1, "\(beginning)")
            return [UInt8](hex: found.values.first ?? "")
        }
    }

    static let sheets: [String: Sheet] = {
        guard let data = try? Data(contentsOf: directory.appending(path: "k8-vectors.json")),
            let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let list = document["sheets"] as? [[String: Any]]
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: list.map { sheet in
                let values = sheet["values"] as? [String: Any] ?? [:]
                return (sheet["name"] as? String ?? "", Sheet(values: values.mapValues { "\($0)" }))
            })
    }()

    static func sheet(_ name: String) throws -> Sheet { try #require(sheets[name]) }

    static let transactions = ["plain", "relay", "version-1", "leading-zeros", "whole-blocks"]

    // MARK: Traces

    /// A dialogue with an independent card, and its results.
    struct Trace: Sendable {
        let name: String
        let random: [UInt8]
        /// Command and response, with status words.
        let exchanges: [(command: [UInt8], response: [UInt8])]
        /// Data record by tag.
        let data: [String: String]
        let authorities: [[String: String]]
    }

    private static let file = IndependentTraces.file("k8-traces")
    static let traces = file.names

    static func trace(_ name: String) throws -> Trace {
        let data = Data(file.json(name))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let transaction = document["transaction"] as? [String: Any] ?? [:]
        let configuration = document["configuration"] as? [String: Any] ?? [:]
        let expected = document["expect"] as? [String: Any] ?? [:]
        let exchanges = (document["exchanges"] as? [[String: Any]] ?? []).compactMap { item in
            (item["c"] as? String).flatMap { command in
                (item["r"] as? String).map { ([UInt8](hex: command), [UInt8](hex: $0)) }
            }
        }
        return Trace(
            name: name, random: [UInt8](hex: transaction["random"] as? String ?? ""), exchanges: exchanges,
            data: (expected["data"] as? [String: Any] ?? [:]).compactMapValues { $0 as? String },
            authorities: (configuration["caKeys"] as? [[String: Any]] ?? []).map {
                $0.compactMapValues { $0 as? String }
            })
    }
}
