// SPDX-License-Identifier: Apache-2.0
#if Kernel8
import CEMV
import Crypto
import CryptoExtras
import EMVBenchC
import EMVFormats
import EMVSecureChannel
import Foundation
import TestData
import Testing

@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The data that an operation leaves in memory, and the number of its allocations.
@Suite(.serialized) struct RemainsTests {
    private static let key = Hex.bytes("3A91C7E25B08D46F1D73AE60F59248BC")!
    private static let scalar = Hex.bytes("59C6B0187FD24EA3316A9DE8C47205BB8E31F7690DAC5423E87B1C96F04D3A25")!

    /// The memory of a thread's stack, after the thread has ended.
    private static func stack(after work: @escaping () -> Void) -> Bytes {
        let size = 1 << 20
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1 << 16)
        defer { unsafe memory.deallocate() }
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        final class Work { let run: () -> Void; init(_ run: @escaping () -> Void) { self.run = run } }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstack(&attributes, memory, size)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(Work(work)).toOpaque()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { context in
                unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context)
        #expect(status == 0)
        pthread_join(thread, nil)
        unsafe pthread_attr_destroy(&attributes)
        return unsafe Bytes(UnsafeRawBufferPointer(start: memory, count: size))
    }

    /// Nested frames that contain the key.
    @inline(never)
    private static func leaveKey(depth: Int) {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { frame in
            for index in 0..<16 { unsafe frame[index] = places.key[index] }
            if depth > 0 { leaveKey(depth: depth - 1) }
        }
    }

    /// Whether the memory contains half of the secret, in either byte order.
    private static func holds(_ memory: Bytes, _ secret: Bytes) -> Bool {
        let halves = [secret.prefix(secret.count / 2), secret.suffix(secret.count / 2)].map { Data($0) }
        let data = Data(memory)
        return halves.contains { data.range(of: $0) != nil || data.range(of: Data($0.reversed())) != nil }
    }

    private nonisolated(unsafe) static let places:
        (key: UnsafeMutablePointer<UInt8>, scalar: UnsafeMutablePointer<UInt8>) = {
            let places = (
                UnsafeMutablePointer<UInt8>.allocate(capacity: 16), UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
            )
            for index in 0..<16 { unsafe places.0[index] = key[index] }
            for index in 0..<32 { unsafe places.1[index] = scalar[index] }
            return unsafe places
        }()

    @Test func nothingOfAKeyOrScalarIsLeftOnTheStack() throws {
        let secret = unsafe Port.secret, places = unsafe RemainsTests.places
        // The test finds data that a function leaves in its frames.
        let left = RemainsTests.stack { RemainsTests.leaveKey(depth: 24) }
        let isFound = RemainsTests.holds(left, RemainsTests.key)
        #expect(isFound, "the search finds nothing where something is")

        let operations: [(String, () -> Void)] = [
            (
                "aesEncrypt",
                {
                    var blocks = Bytes(repeating: 7, count: 64);
                    unsafe secret.pointee.aes_encrypt(places.key, &blocks, 4)
                }
            ),
            (
                "aesDecrypt",
                {
                    var block = Bytes(repeating: 7, count: 16); unsafe secret.pointee.aes_decrypt(places.key, &block)
                }
            ),
            (
                "aesChain",
                {
                    var chain = Bytes(repeating: 7, count: 16)
                    unsafe secret.pointee.aes_chain(places.key, &chain, Bytes(repeating: 9, count: 48), 3)
                }
            ),
            (
                "p256Public",
                {
                    var point = Bytes(repeating: 0, count: 64); unsafe secret.pointee.p256_public(&point, places.scalar)
                }
            ),
            (
                "p256Multiply",
                {
                    var x = Bytes(repeating: 0, count: 32)
                    unsafe secret.pointee.p256_multiply(&x, places.scalar, Port.doubled)
                }
            ),
        ]
        for (name, operation) in operations {
            let left = RemainsTests.stack(after: operation)
            let isUsed = left.contains { $0 != 0 }
            let hasKey = RemainsTests.holds(left, RemainsTests.key)
            let hasScalar = RemainsTests.holds(left, RemainsTests.scalar)
            #expect(isUsed, "\(name) had another stack")
            #expect(!hasKey, "\(name) leaves the key")
            #expect(!hasScalar, "\(name) leaves the scalar")
        }
    }

    /// Calls to the allocator by one operation, and by all operations of a tap. `SwiftCrypto.swift` states the figures.
    @Test func allocationsAreFewAndCounted() throws {
        emv_bench_allocations_begin()
        guard emv_bench_allocations_end() >= 0 else { return }  // unknown C library, or a sanitizer
        let scalar = RemainsTests.scalar, point = Port.doubled
        _ = (Port.multiply(scalar, point), Port.publicKey(scalar))  // objects that the library prepares once
        func count(_ work: () -> Void) -> Int {
            emv_bench_allocations_begin()
            work()
            return Int(emv_bench_allocations_end())
        }
        let own = count { _ = Bytes(repeating: 0, count: 64) }
        print("allocations: p256Public \(count { _ = Port.publicKey(scalar) } - own)")
        print("allocations: p256Multiply \(count { _ = Port.multiply(scalar, point) } - own)")
        for name in ["k8-offline-rsa", "k8-read-data-relay", "k8-online-no-local"] {
            let trace = try Trace(json: IndependentTraces.all.json(name))
            Counted.total = (0, 0)
            #expect(try TraceReplay(trace, secrets: Counted.secrets).run().isMet)
            print("allocations: \(name) \(Counted.total)")
            #expect(Counted.total.calls > 10)
            #expect(Counted.total.allocations <= 200)
        }
    }
}

/// The adapter with a counter for the allocator's calls.
private enum Counted {
    nonisolated(unsafe) static var total = (calls: 0, allocations: 0)

    static func count(_ work: () -> Void) {
        emv_bench_allocations_begin()
        work()
        total.allocations += Int(emv_bench_allocations_end())
        total.calls += 1
    }

    static let secrets = unsafe SecretCrypto(
        p256Public: { point, scalar in Counted.count { unsafe Port.secret.pointee.p256_public(point, scalar) } },
        p256Multiply: { x, scalar, point in
            Counted.count { unsafe Port.secret.pointee.p256_multiply(x, scalar, point) }
        },
        aesEncrypt: { key, blocks, count in
            Counted.count { unsafe Port.secret.pointee.aes_encrypt(key, blocks, count) }
        },
        aesDecrypt: { key, block in Counted.count { unsafe Port.secret.pointee.aes_decrypt(key, block) } },
        aesChain: { key, chain, blocks, count in
            Counted.count { unsafe Port.secret.pointee.aes_chain(key, chain, blocks, count) }
        })
}

extension Port {
    /// A point that is not the base point.
    static let doubled = publicKey(Bytes(repeating: 0, count: 31) + [2])
}
#endif
