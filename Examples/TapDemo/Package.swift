// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "TapDemo",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "CEMV", path: "../..", traits: ["Journal"])],
    targets: [
        .executableTarget(
            name: "TapDemo",
            dependencies: [
                .product(name: "EMVKit", package: "CEMV"), .product(name: "EMVSimulator", package: "CEMV"),
                .product(name: "EMVPCSC", package: "CEMV"), .product(name: "EMVJournal", package: "CEMV"),
            ]),
        .testTarget(name: "TapDemoTests", dependencies: ["TapDemo"]),
    ],
    swiftLanguageModes: [.v6]
)
