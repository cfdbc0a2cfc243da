// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let swiftSettings: [SwiftSetting] = [.strictMemorySafety()]

// Virtual cards really sign, which is most of the tests' computation, so Scripts/test compiles them with optimisation.
// A package that depends on this one never sees the flag.
let cardSettings =
    swiftSettings + (Context.environment["EMV_OPTIMIZED_CARDS"] == nil ? [] : [.unsafeFlags(["-O"])])

let package = Package(
    name: "CEMV",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "CEMV", targets: ["CEMV"]),
        .library(name: "EMVKernel", targets: ["EMVKernel"]),
        .library(name: "EMVKit", targets: ["EMVKit"]),
        .library(name: "EMVFormats", targets: ["EMVFormats"]),
        .library(name: "EMVDecoder", targets: ["EMVDecoder"]),
        .library(name: "EMVSimulator", targets: ["EMVSimulator"]),
        .library(name: "EMVPCSC", targets: ["EMVPCSC"]),
        .library(name: "EMVPN532", targets: ["EMVPN532"]),
        .library(name: "EMVSealing", targets: ["EMVSealing"]),
        .library(name: "EMVJournal", targets: ["EMVJournal"]),
        .library(name: "EMVSecureChannel", targets: ["EMVSecureChannel"]),
        .library(name: "EMVLoyalty", targets: ["EMVLoyalty"]),
        .executable(name: "emv-bench", targets: ["emv-bench"]),
    ],
    traits: [
        .trait(name: "Tools", description: "emv-bench: argument parsing and histograms"),
        .trait(name: "Sealing", description: "EMVSealing: account data sealed with HPKE or DUKPT, over swift-crypto"),
        .trait(
            name: "Journal", description: "EMVJournal: a ledger of payments that survives crashes, over GRDB and SQLite"
        ),
        .trait(
            name: "Loyalty", description: "EMVLoyalty opens passes and speaks Smart Tap: cryptography over swift-crypto"
        ),
        .trait(name: "Kernel8", description: "EMVSecureChannel: Kernel 8's secret cryptography, over swift-crypto"),
        .default(enabledTraits: ["Tools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(name: "CEMV"),
        // Dependencies go in one direction: the kernel, the data of a point of sale, the running parts. EMVKit
        // re-exports both.
        .target(name: "EMVKernel", dependencies: ["CEMV"], swiftSettings: swiftSettings),
        .target(name: "EMVPOS", dependencies: ["EMVKernel"], swiftSettings: swiftSettings),
        .target(name: "EMVKit", dependencies: ["EMVKernel", "EMVPOS"], swiftSettings: swiftSettings),
        .target(name: "EMVFormats", dependencies: ["EMVKernel", "EMVKit"], swiftSettings: swiftSettings),
        .target(name: "EMVDecoder", dependencies: ["CEMV", "EMVKernel"], swiftSettings: swiftSettings),
        // Shared by the simulator and the sealer; not a product.
        .target(name: "EMVTripleDES", swiftSettings: cardSettings),
        // Virtual cards alone, with their files; the simulator re-exports them.
        .target(
            name: "EMVCards", dependencies: ["EMVFormats", "EMVKernel", "EMVTripleDES"], swiftSettings: cardSettings),
        .target(
            name: "EMVSimulator", dependencies: ["EMVCards", "EMVKit", "EMVTripleDES"], swiftSettings: cardSettings),
        // PC/SC is found at run time: nothing has to be installed to build.
        .target(name: "CPCSC"),
        .target(name: "EMVPCSC", dependencies: ["CPCSC", "EMVKit"], swiftSettings: swiftSettings),
        // A chip on a serial line: needs no system library.
        .target(name: "EMVPN532", dependencies: ["EMVKit"], swiftSettings: swiftSettings),
        // Empty without the trait Sealing; only the trait adds swift-crypto.
        .target(
            name: "EMVSealing",
            dependencies: [
                "EMVKit", "EMVTripleDES",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Sealing"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Sealing"])),
            ],
            swiftSettings: swiftSettings),
        // Empty without the trait Journal; only the trait adds GRDB and the system's SQLite.
        .target(
            name: "EMVJournal",
            dependencies: [
                "EMVKit",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Journal"])),
            ],
            swiftSettings: swiftSettings),
        .target(name: "CStackWipe"),
        // Empty without the trait Kernel8, which adds swift-crypto.
        .target(
            name: "EMVSecureChannel",
            dependencies: [
                "CStackWipe", "EMVKit",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Kernel8"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Kernel8"])),
            ],
            swiftSettings: swiftSettings),
        // Without the trait Loyalty, passes stay sealed; only the trait adds swift-crypto.
        .target(
            name: "EMVLoyalty",
            dependencies: [
                "CEMV", "EMVKit", "EMVFormats", "CStackWipe",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Loyalty"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Loyalty"])),
            ],
            swiftSettings: swiftSettings),
        // The answers for the page in Web/, shared with emv-bench; not a product.
        .target(
            name: "EMVPage", dependencies: ["EMVPOS", "EMVFormats", "EMVDecoder", "EMVCards"],
            swiftSettings: swiftSettings),
        .target(name: "EMVBenchC", dependencies: ["CEMV"]),
        .executableTarget(
            name: "emv-bench",
            dependencies: [
                "EMVBenchC", "EMVKit", "EMVFormats", "EMVDecoder", "EMVSimulator", "EMVPage", "EMVPCSC", "EMVPN532",
                "EMVJournal", "EMVLoyalty",
                .target(name: "EMVSecureChannel", condition: .when(traits: ["Kernel8"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
                .product(name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Tools"])),
            ],
            swiftSettings: swiftSettings),

        // The engine of Web/ as a native program, for comparison with the module.
        .executableTarget(name: "page-engine", dependencies: ["EMVPage"], path: "Tests/PageEngine"),
        // A POS whose memory a test searches from outside.
        .executableTarget(
            name: "memory-pos", dependencies: ["EMVKit", "EMVJournal", "EMVSealing", "EMVSimulator"],
            path: "Tests/MemoryPOS"),
        // How tests wait for another task.
        .target(name: "TestWaiting", path: "Tests/Waiting"),
        // Test helpers: byte notation, numbers from a seed, independent traces, and a second account of sales.
        .target(name: "TestData", dependencies: ["EMVKit", "EMVSimulator"], path: "Tests/Data"),
        .target(name: "CEMVInternals", dependencies: ["CEMV"], path: "Tests/CEMVInternals"),
        // Computes with Kernel 8's secrets in tests without a library.
        .target(name: "TestSecrets", dependencies: ["CEMV"], path: "Tests/Secrets", publicHeadersPath: "."),
        .testTarget(name: "CEMVTests", dependencies: ["CEMV", "CEMVInternals", "TestData"]),
        .testTarget(
            name: "EMVKitTests",
            dependencies: [
                "CEMV", "EMVKit", "EMVFormats", "EMVDecoder", "EMVSimulator", "EMVJournal", "TestData",
                "TestSecrets", "TestWaiting",
            ]),
        .testTarget(
            name: "PCSCTests",
            dependencies: ["CPCSC", "EMVPCSC", "EMVKit", "EMVSimulator", "TestData", "TestWaiting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PN532Tests", dependencies: ["EMVPN532", "EMVKit", "EMVSimulator", "TestData", "TestWaiting"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "emv-bench", "EMVKit", "EMVDecoder", "EMVFormats", "EMVLoyalty", "EMVPage", "EMVSimulator", "TestData",
                "TestWaiting",
            ]),
        // A POS whose process is killed, and the system calls that it is killed at. No test links them: only this
        // program has functions with the names of the C library's.
        .target(name: "JournalFaults", path: "Tests/JournalFaults"),
        .executableTarget(
            name: "journal-pos",
            dependencies: [
                "EMVKit", "EMVSimulator", "EMVJournal", "TestData",
                .target(name: "JournalFaults", condition: .when(traits: ["Journal"])),
            ],
            path: "Tests/JournalPOS"),
        .testTarget(
            name: "JournalTests", dependencies: ["EMVKit", "EMVJournal", "EMVSimulator", "TestData"]),
        .testTarget(
            name: "SecureChannelTests",
            dependencies: [
                "CEMV", "CEMVInternals", "EMVBenchC", "EMVFormats", "EMVKit", "EMVSecureChannel", "EMVSimulator",
                "TestData",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Kernel8"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Kernel8"])),
            ]),
        .testTarget(
            name: "LoyaltyTests",
            dependencies: [
                "EMVKit", "EMVFormats", "EMVLoyalty", "EMVSimulator", "TestData", "TestWaiting",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Loyalty"])),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(traits: ["Loyalty"])),
            ]),
        .testTarget(name: "SealingTests", dependencies: ["EMVKit", "EMVSealing", "EMVSimulator", "EMVTripleDES"]),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "EMVKit", "EMVFormats", "EMVSimulator", "EMVTripleDES", "TestData", "TestSecrets",
                .product(name: "BigInt", package: "BigInt"),
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
