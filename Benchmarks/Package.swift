// swift-tools-version: 6.1
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Of its own: whoever uses the kernel need not resolve a benchmark harness, whose traits stay off: they bring
// interposers of malloc and of the runtime.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "CEMV", path: "..", traits: []),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Kernel",
            dependencies: [
                .product(name: "EMVBenchC", package: "CEMV"),
                .product(name: "EMVKit", package: "CEMV"),
                .product(name: "EMVSimulator", package: "CEMV"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Kernel",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
