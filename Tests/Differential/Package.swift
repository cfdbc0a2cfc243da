// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
// The independent Kernels 2 and 3 with their Entry Point, and the differential fuzzer that compares them with CEMV. It
// is a separate package: it links nothing of CEMV, and builds in seconds while the main package needs minutes.
import PackageDescription

let package = Package(
    name: "differential",
    targets: [
        .executableTarget(name: "differential", swiftSettings: [.swiftLanguageMode(.v5)])
    ]
)
