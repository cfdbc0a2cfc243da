// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// The package that Scripts/mutate-swift builds: EMVKit with its mutants, what its tests need, and nothing from outside.
import PackageDescription

// What is not mutated runs optimised.
let quick: [SwiftSetting] = [.unsafeFlags(["-O", "-enable-testing"])]

let package = Package(
    name: "CEMV",
    platforms: [.macOS(.v14)],
    targets: [
        .target(name: "CEMV"),
        .target(name: "MutantSwitch"),
        .target(name: "EMVKit", dependencies: ["CEMV", "MutantSwitch"]),
        .target(name: "EMVFormats", dependencies: ["EMVKit"]),
        .target(name: "EMVDecoder", dependencies: ["CEMV", "EMVKit"]),
        .target(name: "EMVTripleDES", swiftSettings: quick),
        .target(name: "EMVSimulator", dependencies: ["EMVKit", "EMVTripleDES"], swiftSettings: quick),
        .target(name: "EMVJournal", dependencies: ["EMVKit"]),
        .target(name: "TestSecrets", dependencies: ["CEMV"], path: "Tests/Secrets", publicHeadersPath: "."),
        .target(name: "TestData", dependencies: ["EMVSimulator"], path: "Tests/Data"),
        .target(name: "TestWaiting", path: "Tests/Waiting"),
        .testTarget(
            name: "EMVKitTests",
            dependencies: [
                "CEMV", "EMVKit", "EMVFormats", "EMVDecoder", "EMVSimulator", "EMVJournal", "TestData",
                "TestSecrets", "TestWaiting",
            ]),
        .testTarget(
            name: "ReaderTests", dependencies: ["EMVKit", "EMVFormats", "EMVSimulator", "EMVTripleDES", "TestSecrets"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
