// SPDX-License-Identifier: Apache-2.0
/// Bytes in separately allocated memory that is overwritten when it is freed: keys, account numbers, tracks. They have
/// one owner and cannot be copied.
@safe
public struct SecretBytes: ~Copyable, Sendable {
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer
    public let count: Int

    /// Creates `count` zeros.
    public init(count: Int) {
        precondition(count >= 0, "a negative number of bytes")
        self.count = count
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1))
    }

    /// Copies the caller's bytes; the caller remains responsible for its own copy.
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

    /// Overwrites the bytes now.
    public mutating func wipe() {
        unsafe base.wipe(max(count, 1))
    }

    /// Lends the bytes for the call.
    public borrowing func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes for the call, for writing.
    public mutating func withUnsafeMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }
}
