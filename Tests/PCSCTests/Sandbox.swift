// SPDX-License-Identifier: Apache-2.0
import EMVKit
import EMVPCSC
import EMVSimulator
import Foundation
import Testing

/// The pcscd that Scripts/pcsc started for these tests. Without it they are skipped.
enum Sandbox {
    static let script = ProcessInfo.processInfo.environment["PCSC_SANDBOX"]
    static let isThere = script != nil
    static let missing: Comment = "no sandboxed pcscd here: run Scripts/pcsc"
    static let reader = "Virtual PCD 00 00"

    /// start, stop or kill.
    static func daemon(_ verb: String) throws {
        #expect(try run("/bin/bash", [#require(script), verb]) == 0)
    }

    /// Calls `body` with other readers at the daemon; restores the virtual reader afterwards.
    static func withReaders<Result: Sendable>(
        _ readers: String, _ body: () async throws -> Result
    ) async throws -> Result {
        func restart(_ readers: String) throws {
            try daemon("stop")
            #expect(try run("/bin/bash", [#require(script), "start", readers]) == 0)
        }
        try restart(readers)
        do {
            let result = try await body()
            try restart("virtual")
            return result
        } catch {
            try restart("virtual")
            throw error
        }
    }

    @discardableResult static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Calls `body` while the card is served; removes the card afterwards.
    static func with<Card: CardPresentation, Result: Sendable>(
        _ card: Card, _ server: CardServer = CardServer(), _ body: () async throws -> Result
    ) async throws -> (result: Result, visit: CardServer.Visit<Card>) {
        let serving = Task { try await server.serve(card) }
        do {
            let result = try await body()
            serving.cancel()
            return (result, try await serving.value)
        } catch {
            serving.cancel()
            _ = try? await serving.value
            throw error
        }
    }

    /// emv-bench, from the directory of the tests.
    static func bench() throws -> URL {
        var places = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map {
            $0.bundleURL.deletingLastPathComponent()
        }
        places += [Bundle.main.executableURL, URL(fileURLWithPath: CommandLine.arguments[0])].compactMap {
            $0?.deletingLastPathComponent()
        }
        places.append(Bundle.main.bundleURL)
        let place = places.map { $0.appendingPathComponent("emv-bench") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(place, "emv-bench stands beside the tests")
    }

    static func transport(_ options: PCSCTransport.Options = .init()) async throws -> PCSCTransport {
        let transport = PCSCTransport(.named(reader), options: options)
        if let fault = await transport.open() { throw fault }
        return transport
    }

    /// A transport with the card connected.
    static func connected(_ options: PCSCTransport.Options = .init()) async throws -> PCSCTransport {
        let transport = try await transport(options)
        #expect(await transport.waitForCard(Poll(timeout: .seconds(10))) == .card)
        return transport
    }

    /// Waits until no card is in the reader: the driver detects a removal only a moment later.
    static func settle() async throws {
        let transport = try await transport()
        #expect(await transport.waitForCard(Poll(removalFirst: true, timeout: .seconds(10))) == .removed)
        await transport.close()
    }
}

extension TapReader.Options {
    /// The card is on the reader before the tap begins.
    static var cardIsThere: TapReader.Options { TapReader.Options(waitsForEmptyField: false) }
}

extension Exchange {
    var bytes: Bytes? {
        if case .response(let bytes, _) = self { bytes } else { nil }
    }
}

/// Answers each command with the result of a function.
struct FunctionCard: SimulatedCard {
    let answer: @Sendable (Bytes) -> Bytes
    func respond(to command: Bytes) -> Bytes { answer(command) }
    mutating func reset() {}
}

/// Returns the number of bytes stated in P1 P2, status word included.
let lengthCard = FunctionCard { command in
    guard command.count >= 4 else { return [0x67, 0x00] }
    let count = Int(command[2]) << 8 | Int(command[3])
    return (0..<max(0, count - 2)).map { UInt8(truncatingIfNeeded: $0) } + [0x90, 0x00].suffix(count)
}

func ask(_ length: Int) -> Bytes { [0x00, 0xB0, UInt8(length >> 8), UInt8(length & 0xFF), 0x00] }

/// A number for the calling thread.
func threadNumber() -> UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}

/// Threads seen from a closure of any thread.
@safe final class Seen: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var numbers: Set<UInt> = []

    var threads: Set<UInt> { lock.withLock { unsafe numbers } }
    func note(_ number: UInt) { lock.withLock { _ = unsafe numbers.insert(number) } }
}
