// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A third-party kernel in C, and a tap with it. CEMV is not changed.
let package = Package(
    name: "OwnKernel",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "CEMV", path: "../..", traits: [])],
    targets: [
        .target(name: "Kernel9", dependencies: [.product(name: "CEMV", package: "CEMV")]),
        .executableTarget(
            name: "OwnKernel",
            dependencies: [
                "Kernel9", .product(name: "EMVKit", package: "CEMV"), .product(name: "EMVSimulator", package: "CEMV"),
            ]),
        .testTarget(name: "OwnKernelTests", dependencies: ["OwnKernel"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
