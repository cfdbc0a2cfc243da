// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

// Numbers of 256 bits and arithmetic modulo one of them, for P256.swift: the field of the curve, and its order. The
// code is independent of the curve. Montgomery.swift does this for RSA moduli of any length, eight times slower.
// Variable time: for test keys only.

/// 256 bits in four limbs, the least significant first.
struct Number256: Sendable, Hashable {
    var w0: UInt64
    var w1: UInt64
    var w2: UInt64
    var w3: UInt64

    static let zero = Number256(0, 0, 0, 0)
    static let one = Number256(1, 0, 0, 0)

    init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
    }

    /// Most significant byte first.
    ///
    /// - Precondition: 32 bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32, "a number of 256 bits has 32 bytes")
        self.init(
            UInt64(bigEndian: bytes[24..<32]), UInt64(bigEndian: bytes[16..<24]), UInt64(bigEndian: bytes[8..<16]),
            UInt64(bigEndian: bytes[0..<8]))
    }

    /// Most significant byte first.
    init(hex: String) { self.init([UInt8](hex: hex)) }

    /// 32 bytes, most significant first.
    var bytes: [UInt8] { w3.bigEndianBytes + w2.bigEndianBytes + w1.bigEndianBytes + w0.bigEndianBytes }

    var isZero: Bool { w0 | w1 | w2 | w3 == 0 }

    /// Returns four bits; index 0 is the least significant.
    func digit(_ index: Int) -> Int {
        let limb = index < 16 ? w0 : index < 32 ? w1 : index < 48 ? w2 : w3
        return Int(limb >> UInt64(4 * (index % 16)) & 0xF)
    }

    static func < (a: Number256, b: Number256) -> Bool {
        a.w3 != b.w3 ? a.w3 < b.w3 : a.w2 != b.w2 ? a.w2 < b.w2 : a.w1 != b.w1 ? a.w1 < b.w1 : a.w0 < b.w0
    }

    /// Returns the sum modulo 2 to the power of 256, and whether there is a carry.
    func adding(_ other: Number256) -> (sum: Number256, carries: Bool) {
        let (s0, c0) = Self.add(w0, other.w0, 0)
        let (s1, c1) = Self.add(w1, other.w1, c0)
        let (s2, c2) = Self.add(w2, other.w2, c1)
        let (s3, c3) = Self.add(w3, other.w3, c2)
        return (Number256(s0, s1, s2, s3), c3 != 0)
    }

    /// Returns the difference modulo 2 to the power of 256, and whether it is negative.
    func subtracting(_ other: Number256) -> (difference: Number256, borrows: Bool) {
        let (d0, b0) = Self.subtract(w0, other.w0, 0)
        let (d1, b1) = Self.subtract(w1, other.w1, b0)
        let (d2, b2) = Self.subtract(w2, other.w2, b1)
        let (d3, b3) = Self.subtract(w3, other.w3, b2)
        return (Number256(d0, d1, d2, d3), b3 != 0)
    }

    private static func add(_ a: UInt64, _ b: UInt64, _ carry: UInt64) -> (UInt64, UInt64) {
        let (x, first) = a.addingReportingOverflow(b)
        let (y, second) = x.addingReportingOverflow(carry)
        return (y, first || second ? 1 : 0)
    }

    private static func subtract(_ a: UInt64, _ b: UInt64, _ borrow: UInt64) -> (UInt64, UInt64) {
        let (x, first) = a.subtractingReportingOverflow(b)
        let (y, second) = x.subtractingReportingOverflow(borrow)
        return (y, first || second ? 1 : 0)
    }
}

/// Arithmetic modulo one odd number above 2 to the power of 255. `multiply` expects numbers in Montgomery form.
struct Modulus256: Sendable {
    let modulus: Number256
    /// -1/modulus modulo 2 to the power of 64.
    private let inverseWord: UInt64
    /// 2 to the power of 512 modulo the modulus: converts a number to Montgomery form.
    private let squaredRadix: Number256
    /// One in Montgomery form.
    let unit: Number256

    /// - Precondition: odd, its highest bit set.
    init(_ modulus: Number256) {
        precondition(modulus.w0 & 1 == 1 && modulus.w3 >> 63 == 1, "an odd number of 256 bits")
        self.modulus = modulus
        var guess: UInt64 = 1
        for _ in 0..<6 { guess = guess &* (2 &- modulus.w0 &* guess) }
        inverseWord = 0 &- guess
        var power = Number256.one
        var unit = power
        for count in 1...512 {
            power = Self.sum(power, power, modulus)
            if count == 256 { unit = power }
        }
        self.unit = unit
        squaredRadix = power
    }

    /// Reduces any number.
    func reduce(_ value: Number256) -> Number256 { value < modulus ? value : value.subtracting(modulus).difference }

    /// To Montgomery form.
    ///
    /// - Precondition: `value` is less than the modulus.
    func encode(_ value: Number256) -> Number256 { multiply(value, squaredRadix) }

    /// From Montgomery form.
    func decode(_ value: Number256) -> Number256 { multiply(value, .one) }

    func add(_ a: Number256, _ b: Number256) -> Number256 { Self.sum(a, b, modulus) }

    func subtract(_ a: Number256, _ b: Number256) -> Number256 {
        let (difference, borrows) = a.subtracting(b)
        return borrows ? difference.adding(modulus).sum : difference
    }

    func square(_ a: Number256) -> Number256 { multiply(a, a) }

    /// Returns `a` to the power of `exponent`, which is not in Montgomery form.
    func power(_ a: Number256, _ exponent: Number256) -> Number256 {
        var result = unit
        for index in (0..<64).reversed() {
            for bit in (0..<4).reversed() {
                result = square(result)
                if exponent.digit(index) >> bit & 1 == 1 { result = multiply(result, a) }
            }
        }
        return result
    }

    /// 1/a, by Fermat's little theorem: the modulus is a prime.
    func invert(_ a: Number256) -> Number256 {
        power(a, modulus.subtracting(Number256(2, 0, 0, 0)).difference)
    }

    /// a·b/2^256 modulo the modulus: one limb of `a` at a time, and one limb of the sum cancelled with each.
    func multiply(_ a: Number256, _ b: Number256) -> Number256 {
        var sum = Number256.zero
        var top: UInt64 = 0
        step(a.w0, b, &sum, &top)
        step(a.w1, b, &sum, &top)
        step(a.w2, b, &sum, &top)
        step(a.w3, b, &sum, &top)
        if top != 0 || !(sum < modulus) { sum = sum.subtracting(modulus).difference }
        return sum
    }

    /// (sum + limb·b + factor·modulus) / 2^64, where factor makes the lowest limb zero.
    private func step(_ limb: UInt64, _ b: Number256, _ sum: inout Number256, _ top: inout UInt64) {
        let (t0, c0) = Self.multiplyAdd(limb, b.w0, sum.w0, 0)
        let (t1, c1) = Self.multiplyAdd(limb, b.w1, sum.w1, c0)
        let (t2, c2) = Self.multiplyAdd(limb, b.w2, sum.w2, c1)
        let (t3, c3) = Self.multiplyAdd(limb, b.w3, sum.w3, c2)
        let (t4, high) = c3.addingReportingOverflow(top)

        let factor = t0 &* inverseWord
        let (_, d0) = Self.multiplyAdd(factor, modulus.w0, t0, 0)
        let (r0, d1) = Self.multiplyAdd(factor, modulus.w1, t1, d0)
        let (r1, d2) = Self.multiplyAdd(factor, modulus.w2, t2, d1)
        let (r2, d3) = Self.multiplyAdd(factor, modulus.w3, t3, d2)
        let (r3, higher) = t4.addingReportingOverflow(d3)
        sum = Number256(r0, r1, r2, r3)
        top = (high ? 1 : 0) &+ (higher ? 1 : 0)
    }

    /// a·b + c + d, which two limbs hold.
    private static func multiplyAdd(
        _ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64
    ) -> (low: UInt64, high: UInt64) {
        let product = a.multipliedFullWidth(by: b)
        let (x, first) = product.low.addingReportingOverflow(c)
        let (y, second) = x.addingReportingOverflow(d)
        return (y, product.high &+ (first ? 1 : 0) &+ (second ? 1 : 0))
    }

    private static func sum(_ a: Number256, _ b: Number256, _ modulus: Number256) -> Number256 {
        let (sum, carries) = a.adding(b)
        return carries || !(sum < modulus) ? sum.subtracting(modulus).difference : sum
    }
}
