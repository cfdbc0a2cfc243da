// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation
import TestData
import Testing

private struct IssuerVectors: Decodable {
    struct Group: Decodable {
        let scheme: String?
        let tests: [Case]
    }
    struct Case: Decodable {
        let comment, iad, result: String
        let problem, format, keyIndex, version, verificationResults, sessionKey, first, second: String?
        let flags: [String]?
        let numbers: [String: UInt8]?
        let parts: Parts?
        let assumed: Bool?
    }
    struct Parts: Decodable {
        let dynamicNumber, counters, lastOnlineCounter, discretionary, rest, algorithm: String?
        let offline: [[UInt64]]?
        let aes: Bool?
    }
    let groups: [Group]

    static func read() throws -> IssuerVectors {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Vectors/issuer-application-data.json").standardizedFileURL
        return try JSONDecoder().decode(IssuerVectors.self, from: Data(contentsOf: file))
    }
}

@Suite struct IssuerDataTests {
    private static func name(_ type: ChipData.CryptogramType?) -> String? { type.map { "\($0)" } }

    private static func check(_ test: IssuerVectors.Case, _ data: IssuerApplicationData) throws {
        #expect(data.problem.map { "\($0)" } == test.problem, "\(test.comment)")
        guard test.result != "invalid" else {
            #expect(
                data.format == nil && data.fields.isEmpty && data.verificationResults.isEmpty && data.rest.isEmpty,
                "\(test.comment)")
            return
        }
        #expect(data.format.map { "\($0)" } == test.format, "\(test.comment)")
        #expect(
            Hex.string([data.keyIndex]) == test.keyIndex && Hex.string([data.version]) == test.version,
            "\(test.comment)")
        #expect(Hex.string(data.verificationResults) == test.verificationResults, "\(test.comment)")
        #expect("\(data.sessionKey)" == test.sessionKey && data.isAssumed == (test.assumed ?? false), "\(test.comment)")
        #expect(
            Set(data.setFlags.filter { $0 != .reserved && $0 != .length }.map { "\($0)" }) == Set(test.flags ?? []),
            "\(test.comment)")
        for (name, value) in test.numbers ?? [:] {
            let meaning = try #require(BitMeaning.allCases.first { "\($0)" == name })
            #expect(data.value(meaning) == value, "\(test.comment): \(name)")
        }
        #expect(name(data.firstCryptogram) == test.first, "\(test.comment)")
        let second = data.value(.secondAC).map { ["aac", "tc", "none", "reserved"][Int($0)] }
        #expect(second == test.second, "\(test.comment)")
        let parts = test.parts
        #expect(Hex.string(data.dynamicNumber) == parts?.dynamicNumber ?? "", "\(test.comment)")
        #expect(Hex.string(data.counters) == parts?.counters ?? "", "\(test.comment)")
        #expect(Hex.string(data.lastOnlineCounter) == parts?.lastOnlineCounter ?? "", "\(test.comment)")
        #expect(Hex.string(data.discretionary) == parts?.discretionary ?? "", "\(test.comment)")
        #expect(Hex.string(data.rest) == parts?.rest ?? "", "\(test.comment)")
        #expect(data.algorithm.map { Hex.string([$0]) } == parts?.algorithm, "\(test.comment)")
        #expect(data.usesAES == (parts?.aes ?? false), "\(test.comment)")
        if let offline = parts?.offline {
            #expect(data.offlineCounters.map { [$0.amount, UInt64($0.number)] } == offline, "\(test.comment)")
        }
    }

    @Test func publishedDataReadAsTheirSourcesSay() throws {
        let vectors = try IssuerVectors.read()
        for group in vectors.groups {
            let scheme = try group.scheme.map { try #require(PaymentScheme(rawValue: $0)) }
            for test in group.tests {
                try Self.check(test, IssuerApplicationData(try #require(Hex.bytes(test.iad)), scheme: scheme))
            }
        }
        #expect(vectors.groups.reduce(0) { $0 + $1.tests.count } >= 40)
    }

    private static func agrees(_ bytes: Bytes, _ scheme: PaymentScheme?) -> Bool {
        let read = IssuerApplicationData(bytes, scheme: scheme)
        let naive = NaiveIssuerData(bytes, scheme)
        return (read.format.map { "\($0)" } ?? "unknown") == naive.format
            && (read.format == nil) == (naive.format == "unknown")
            && read.keyIndex == naive.key && read.version == naive.version
            && Bytes(read.verificationResults) == naive.results
            && Bytes(read.dynamicNumber) == naive.dac && Bytes(read.counters) == naive.counters
            && Bytes(read.lastOnlineCounter) == naive.lastOnline && Bytes(read.discretionary) == naive.discretionary
            && Bytes(read.rest) == naive.rest
    }

    private static let schemes: [PaymentScheme?] = PaymentScheme.allCases + [nil]

    /// Every size, with all interesting values of each byte that determines the format.
    @Test(arguments: schemes)
    func theFormatIsThatOfTheNaiveReading(scheme: PaymentScheme?) {
        let versions: [UInt8] = [
            0x00, 0x05, 0x06, 0x0A, 0x0F, 0x10, 0x13, 0x15, 0x16, 0x18, 0x22, 0x30, 0x42, 0x50, 0x90, 0xA4, 0xA5, 0xA6,
            0xB5,
        ]
        var random = SeededRandom(seed: 1)
        var differences = 0
        for size in 0...33 {
            for first in [0x05, 0x06, 0x07, 0x0F, 0x1F, 0x20] as [UInt8] {
                for version in versions {
                    for length in [2, 3, 4, 0x0F] as [UInt8] {
                        var bytes = random.bytes(size)
                        for (place, value) in [(0, first), (1, version), (2, version), (3, length), (16, 0x0F)]
                        where place < size {
                            bytes[place] = value
                        }
                        if size > 8 { bytes[size % 2 == 0 ? 7 : 8] = UInt8(size / 2) }
                        if !Self.agrees(bytes, scheme) { differences += 1 }
                    }
                }
            }
        }
        #expect(differences == 0)
    }

    @Test(arguments: schemes)
    func randomBytesReadAsTheNaiveReadingSays(scheme: PaymentScheme?) {
        var random = SeededRandom(seed: 2)
        #expect(
            (0..<4000).allSatisfy { _ in Self.agrees(random.bytes(Int.random(in: 0...40, using: &random)), scheme) })
    }

    /// Each bit of an example of every format is either a flag of the independent table or part of a number.
    @Test func everyBitMeansWhatTheNaiveTableSays() throws {
        var formats: Set<String> = []
        for group in try IssuerVectors.read().groups {
            for test in group.tests where test.result == "valid" {
                let bytes = try #require(Hex.bytes(test.iad))
                let scheme = group.scheme.flatMap { PaymentScheme(rawValue: $0) }
                let data = IssuerApplicationData(bytes, scheme: scheme)
                let format = try #require(data.format)
                let table = NaiveIssuerData.flags(format, version: data.version)
                let start = data.verificationResults.startIndex
                let hasLength = [.visa0, .visa1, .visa3, .amex, .unionPay, .jcb].contains(format)
                #expect(table.count == data.verificationResults.count)
                for place in (hasLength ? 1 : 0)..<table.count {
                    for bit in 0..<8 {
                        var changed = bytes
                        for other in (hasLength ? 1 : 0)..<table.count { changed[start + other] = 0 }
                        changed[start + place] = 0x80 >> UInt8(bit)
                        let flags = IssuerApplicationData(changed, scheme: scheme).setFlags.filter { $0 != .reserved }
                        #expect(
                            flags == [table[place][bit]].compactMap { $0 },
                            "\(format), byte \(place + 1) bit \(8 - bit)")
                    }
                }
                formats.insert("\(format)")
            }
        }
        #expect(formats.count >= 11)
    }

    @Test func nothingOfTheIssuerShowsInADescription() throws {
        let data = IssuerApplicationData(
            try #require(Hex.bytes("06010A03A4B8000F112233445566778899AABBCCDDEEFF")), scheme: .visa)
        #expect(data.description == "visa0, version 0A, 23 bytes")
        #expect(!"\(data)".contains("112233") && Mirror(reflecting: data).children.isEmpty)
        #expect(IssuerApplicationData([], scheme: .visa).description == "unknown (empty), version 00, 0 bytes")
    }
}
