// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "FirstTap",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "CEMV", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "FirstTap",
            dependencies: [.product(name: "EMVKit", package: "CEMV"), .product(name: "EMVSimulator", package: "CEMV")])
    ],
    swiftLanguageModes: [.v6]
)
