// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
// The independent Kernels 2 and 3 with their Entry Point, and the differential fuzzer that plays them against CEMV. A
// package of its own: it links nothing of CEMV, and builds in seconds beside a main package that takes minutes.
import PackageDescription

let package = Package(
    name: "differential",
    targets: [
        .executableTarget(name: "differential", swiftSettings: [.swiftLanguageMode(.v5)])
    ]
)
