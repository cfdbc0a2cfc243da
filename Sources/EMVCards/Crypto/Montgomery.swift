// SPDX-License-Identifier: Apache-2.0
/// Arithmetic modulo one odd number in Montgomery form, limited to the needs of an RSA private operation. Variable
/// time: for test keys only. Numbers are 64-bit limbs, least significant first.
struct Montgomery: Sendable, Hashable {
    let modulus: [UInt64]
    /// -1/modulus modulo 2^64.
    private let inverse: UInt64
    /// R squared and R cubed modulo the modulus, where R is 2 to the power of its bits.
    private let squared: [UInt64]
    private let cubed: [UInt64]

    /// - Precondition: `modulus` is odd and its highest limb is not zero.
    init(modulus: [UInt64]) {
        precondition(modulus.first.map { $0 & 1 == 1 } ?? false, "a Montgomery modulus is odd")
        self.modulus = modulus
        var guess: UInt64 = 1
        for _ in 0..<6 { guess = guess &* (2 &- modulus[0] &* guess) }
        let inverse = 0 &- guess
        var power = [UInt64](repeating: 0, count: modulus.count)
        power[0] = 1
        for _ in 0..<128 * modulus.count { power = Self.double(power, modulus) }
        self.inverse = inverse
        squared = power
        cubed = Self.multiply(power, power, modulus, inverse)
    }

    /// `value` to the power of `exponent`, modulo the modulus.
    ///
    /// - Precondition: `value` is less than R times the modulus, and at most twice as long.
    func power(_ value: [UInt64], _ exponent: [UInt64]) -> [UInt64] {
        let base = multiply(reduce(value), cubed)
        var powers = [multiply(one, squared), base]
        for _ in 2..<16 { powers.append(multiply(powers[powers.count - 1], base)) }

        var result = powers[0]
        for limb in exponent.reversed() {
            for shift in stride(from: 60, through: 0, by: -4) {
                for _ in 0..<4 { result = multiply(result, result) }
                let digit = Int(limb >> UInt64(shift) & 0xF)
                if digit != 0 { result = multiply(result, powers[digit]) }
            }
        }
        return multiply(result, one)
    }

    /// The product of two reduced numbers that are not in Montgomery form, modulo the modulus.
    func product(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] { multiply(multiply(a, b), squared) }

    /// Returns `a - b` modulo the modulus; `b` may be any number of the same length.
    func difference(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
        var b = b
        while !Self.isLess(b, modulus) { _ = Self.subtract(modulus, from: &b) }
        var result = a
        if Self.subtract(b, from: &result) { Self.add(modulus, to: &result) }
        return result
    }

    private var one: [UInt64] { [1] + [UInt64](repeating: 0, count: modulus.count - 1) }

    private func multiply(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] { Self.multiply(a, b, modulus, inverse) }

    /// `value`/R modulo the modulus.
    private func reduce(_ value: [UInt64]) -> [UInt64] {
        let count = modulus.count
        var high = [UInt64](repeating: 0, count: count)
        var low = high
        for index in value.indices {
            if index < count { low[index] = value[index] } else { high[index - count] = value[index] }
        }
        var result = multiply(low, one)
        while !Self.isLess(high, modulus) { _ = Self.subtract(modulus, from: &high) }
        if Self.addReportingOverflow(high, to: &result) || !Self.isLess(result, modulus) {
            _ = Self.subtract(modulus, from: &result)
        }
        return result
    }

    /// a·b/R modulo the modulus, one limb of `a` at a time.
    private static func multiply(
        _ a: [UInt64], _ b: [UInt64], _ modulus: [UInt64], _ inverse: UInt64
    ) -> [UInt64] {
        let count = modulus.count
        var sum = [UInt64](repeating: 0, count: count)
        var top: UInt64 = 0
        for limb in a {
            let first = limb.multipliedFullWidth(by: b[0])
            let (low, carry) = first.low.addingReportingOverflow(sum[0])
            let factor = low &* inverse
            let cancel = factor.multipliedFullWidth(by: modulus[0])
            var carryA = first.high &+ (carry ? 1 : 0)
            var carryB = cancel.high &+ (low.addingReportingOverflow(cancel.low).overflow ? 1 : 0)
            var index = 1
            while index < count {
                let product = limb.multipliedFullWidth(by: b[index])
                let (x1, c1) = product.low.addingReportingOverflow(carryA)
                let (x2, c2) = x1.addingReportingOverflow(sum[index])
                carryA = product.high &+ (c1 ? 1 : 0) &+ (c2 ? 1 : 0)
                let reduction = factor.multipliedFullWidth(by: modulus[index])
                let (y1, d1) = reduction.low.addingReportingOverflow(carryB)
                let (y2, d2) = y1.addingReportingOverflow(x2)
                carryB = reduction.high &+ (d1 ? 1 : 0) &+ (d2 ? 1 : 0)
                sum[index - 1] = y2
                index += 1
            }
            let (t1, e1) = carryA.addingReportingOverflow(carryB)
            let (t2, e2) = t1.addingReportingOverflow(top)
            sum[count - 1] = t2
            top = (e1 ? 1 : 0) &+ (e2 ? 1 : 0)
        }
        if top != 0 || !isLess(sum, modulus) { _ = subtract(modulus, from: &sum) }
        return sum
    }

    private static func double(_ value: [UInt64], _ modulus: [UInt64]) -> [UInt64] {
        var result = value
        if addReportingOverflow(value, to: &result) || !isLess(result, modulus) {
            _ = subtract(modulus, from: &result)
        }
        return result
    }

    private static func isLess(_ a: [UInt64], _ b: [UInt64]) -> Bool {
        for index in a.indices.reversed() where a[index] != b[index] { return a[index] < b[index] }
        return false
    }

    private static func add(_ a: [UInt64], to b: inout [UInt64]) { _ = addReportingOverflow(a, to: &b) }

    private static func addReportingOverflow(_ a: [UInt64], to b: inout [UInt64]) -> Bool {
        var carry = false
        for index in b.indices {
            let (x, first) = b[index].addingReportingOverflow(a[index])
            let (y, second) = x.addingReportingOverflow(carry ? 1 : 0)
            b[index] = y
            carry = first || second
        }
        return carry
    }

    /// Subtracts in place. Returns whether it borrowed.
    private static func subtract(_ a: [UInt64], from b: inout [UInt64]) -> Bool {
        var borrow = false
        for index in b.indices {
            let (x, first) = b[index].subtractingReportingOverflow(a[index])
            let (y, second) = x.subtractingReportingOverflow(borrow ? 1 : 0)
            b[index] = y
            borrow = first || second
        }
        return borrow
    }
}
