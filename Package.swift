// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CEMV",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "CEMV", targets: ["CEMV"]),
    ],
    dependencies: [
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.0"),
    ],
    targets: [
        .target(name: "CEMV"),
        .target(name: "CEMVInternals", dependencies: ["CEMV"], path: "Tests/CEMVInternals"),
        .testTarget(
            name: "CEMVTests",
            dependencies: ["CEMV", "CEMVInternals", .product(name: "BigInt", package: "BigInt")]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
