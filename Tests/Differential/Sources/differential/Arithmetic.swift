// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4) and natural numbers for RSA, both in the plainest form. Not constant in time: it only ever sees
// test keys.

func sha1(_ message: Bytes) -> Bytes {
    var h: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) { padded.append(UInt8(bits >> UInt64(shift) & 0xFF)) }
    func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { x << n | x >> (32 - n) }
    for block in stride(from: 0, to: padded.count, by: 64) {
        var w: [UInt32] = []
        for i in 0..<16 {
            let j = block + 4 * i
            let high = UInt32(padded[j]) << 24 | UInt32(padded[j + 1]) << 16
            w.append(high | UInt32(padded[j + 2]) << 8 | UInt32(padded[j + 3]))
        }
        for i in 16..<80 { w.append(rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1)) }
        var (a, b, c, d, e) = (h[0], h[1], h[2], h[3], h[4])
        for i in 0..<80 {
            let f: UInt32
            let k: UInt32
            if i < 20 {
                f = b & c | ~b & d
                k = 0x5A82_7999
            } else if i < 40 {
                f = b ^ c ^ d
                k = 0x6ED9_EBA1
            } else if i < 60 {
                f = b & c | b & d | c & d
                k = 0x8F1B_BCDC
            } else {
                f = b ^ c ^ d
                k = 0xCA62_C1D6
            }
            let next = rotate(a, 5) &+ f &+ e &+ k &+ w[i]
            (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
        }
        h = [h[0] &+ a, h[1] &+ b, h[2] &+ c, h[3] &+ d, h[4] &+ e]
    }
    var out: Bytes = []
    for word in h {
        for shift in [24, 16, 8, 0] { out.append(UInt8(word >> UInt32(shift) & 0xFF)) }
    }
    return out
}

/// A natural number: limbs of 32 bits, the lowest first, no zeros on top.
struct Natural: Equatable {
    var limbs: [UInt32] = []

    init(_ value: UInt32) { limbs = value == 0 ? [] : [value] }

    init(_ bytes: Bytes) {
        var end = bytes.count
        while end > 0 {
            var limb: UInt32 = 0
            for i in max(0, end - 4)..<end { limb = limb << 8 | UInt32(bytes[i]) }
            limbs.append(limb)
            end -= 4
        }
        trim()
    }

    mutating func trim() {
        while limbs.last == 0 { limbs.removeLast() }
    }

    /// `count` bytes, the highest first.
    func bytes(_ count: Int) -> Bytes {
        var out = Bytes(repeating: 0, count: count)
        for i in 0..<count {
            let limb = i / 4
            if limb < limbs.count { out[count - 1 - i] = UInt8(limbs[limb] >> UInt32(8 * (i % 4)) & 0xFF) }
        }
        return out
    }

    static func < (a: Natural, b: Natural) -> Bool {
        if a.limbs.count != b.limbs.count { return a.limbs.count < b.limbs.count }
        for i in stride(from: a.limbs.count - 1, through: 0, by: -1) where a.limbs[i] != b.limbs[i] {
            return a.limbs[i] < b.limbs[i]
        }
        return false
    }

    static func + (a: Natural, b: Natural) -> Natural {
        var out = Natural(0)
        var carry: UInt64 = 0
        for i in 0..<max(a.limbs.count, b.limbs.count) {
            carry += UInt64(i < a.limbs.count ? a.limbs[i] : 0) + UInt64(i < b.limbs.count ? b.limbs[i] : 0)
            out.limbs.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        if carry > 0 { out.limbs.append(UInt32(carry)) }
        return out
    }

    /// `a` is not below `b`.
    static func - (a: Natural, b: Natural) -> Natural {
        var out = a
        var borrow: Int64 = 0
        for i in 0..<a.limbs.count {
            var value = Int64(a.limbs[i]) - borrow - Int64(i < b.limbs.count ? b.limbs[i] : 0)
            borrow = value < 0 ? 1 : 0
            if value < 0 { value += 1 << 32 }
            out.limbs[i] = UInt32(value)
        }
        out.trim()
        return out
    }

    static func * (a: Natural, b: Natural) -> Natural {
        if a.limbs.isEmpty || b.limbs.isEmpty { return Natural(0) }
        var out = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
        for i in 0..<a.limbs.count {
            var carry: UInt64 = 0
            let x = UInt64(a.limbs[i])
            for j in 0..<b.limbs.count {
                let value = x * UInt64(b.limbs[j]) + UInt64(out[i + j]) + carry
                out[i + j] = UInt32(truncatingIfNeeded: value)
                carry = value >> 32
            }
            out[i + b.limbs.count] = UInt32(carry)
        }
        var result = Natural(0)
        result.limbs = out
        result.trim()
        return result
    }

    /// Long division, limb by limb (Knuth, volume 2, 4.3.1, algorithm D).
    static func % (a: Natural, b: Natural) -> Natural {
        precondition(!b.limbs.isEmpty)
        if a < b { return a }
        if b.limbs.count == 1 {
            var rest: UInt64 = 0
            for limb in a.limbs.reversed() { rest = (rest << 32 | UInt64(limb)) % UInt64(b.limbs[0]) }
            return Natural(UInt32(rest))
        }
        let shift = UInt32(b.limbs.last!.leadingZeroBitCount)
        let v = shifted(b.limbs, shift)
        var u = shifted(a.limbs + [0], shift)
        if u.count == a.limbs.count { u.append(0) }
        let n = b.limbs.count
        for j in stride(from: a.limbs.count - n, through: 0, by: -1) {
            let top = UInt64(u[j + n]) << 32 | UInt64(u[j + n - 1])
            var guess = top / UInt64(v[n - 1])
            var rest = top % UInt64(v[n - 1])
            while guess >> 32 != 0 || guess * UInt64(v[n - 2]) > (rest << 32 | UInt64(u[j + n - 2])) {
                guess -= 1
                rest += UInt64(v[n - 1])
                if rest >> 32 != 0 { break }
            }
            var borrow: Int64 = 0
            var carry: UInt64 = 0
            for i in 0..<n {
                carry += guess * UInt64(v[i])
                let value = Int64(u[i + j]) - borrow - Int64(carry & 0xFFFF_FFFF)
                u[i + j] = UInt32(truncatingIfNeeded: value)
                borrow = value < 0 ? 1 : 0
                carry >>= 32
            }
            let last = Int64(u[j + n]) - borrow - Int64(carry)
            u[j + n] = UInt32(truncatingIfNeeded: last)
            if last < 0 {
                var add: UInt64 = 0
                for i in 0..<n {
                    add += UInt64(u[i + j]) + UInt64(v[i])
                    u[i + j] = UInt32(truncatingIfNeeded: add)
                    add >>= 32
                }
                u[j + n] = u[j + n] &+ UInt32(add)
            }
        }
        var out = Natural(0)
        out.limbs = Array(u[0..<n])
        if shift > 0 {
            for i in 0..<n {
                out.limbs[i] = u[i] >> shift | (i + 1 < n ? u[i + 1] << (32 - shift) : 0)
            }
        }
        out.trim()
        return out
    }

    private static func shifted(_ limbs: [UInt32], _ shift: UInt32) -> [UInt32] {
        if shift == 0 { return limbs }
        var out = limbs
        for i in stride(from: limbs.count - 1, through: 0, by: -1) {
            out[i] = limbs[i] << shift | (i > 0 ? limbs[i - 1] >> (32 - shift) : 0)
        }
        return out
    }

    /// Square and multiply, from the highest bit down.
    func power(_ exponent: Natural, modulo modulus: Natural) -> Natural {
        var result = Natural(1)
        for limb in exponent.limbs.reversed() {
            for bit in stride(from: UInt32(31), through: 0, by: -1) {
                result = result * result % modulus
                if limb >> bit & 1 == 1 { result = result * self % modulus }
            }
        }
        return result
    }
}

/// A public key, as far as it was recovered.
struct PublicKey {
    var modulus: Bytes
    var exponent: Bytes

    /// The recovery function of Book 2, A2.1.
    func recover(_ signature: Bytes) -> Bytes? {
        if signature.count != modulus.count { return nil }
        let n = Natural(modulus)
        if n.limbs.isEmpty { return nil }
        let s = Natural(signature)
        return s.power(Natural(exponent), modulo: n).bytes(modulus.count)
    }
}
