// SPDX-License-Identifier: Apache-2.0
/// Bytes in memory of their own, overwritten when they go: keys, account numbers, tracks. There is one owner and no
/// copy.
@safe
public struct SecretBytes: ~Copyable, Sendable {
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    public let count: Int

    /// Zeros.
    public init(count: Int) {
        precondition(count >= 0, "a negative number of bytes")
        self.count = count
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1))
    }

    /// Copies what the caller has; the caller's own copy stays the caller's affair.
    public init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count)
        for (index, byte) in bytes.enumerated() { self[index] = byte }
    }

    deinit {
        unsafe base.wipe(max(count, 1))
        unsafe base.deallocate()
    }

    public subscript(index: Int) -> UInt8 {
        get {
            precondition(index >= 0 && index < count, "an index outside the bytes")
            return unsafe base.load(fromByteOffset: index, as: UInt8.self)
        }
        set {
            precondition(index >= 0 && index < count, "an index outside the bytes")
            unsafe base.storeBytes(of: newValue, toByteOffset: index, as: UInt8.self)
        }
    }

    /// Overwrites them now.
    public mutating func wipe() {
        unsafe base.wipe(max(count, 1))
    }

    /// Lends the bytes for the call.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes for the call, to be written.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }
}
