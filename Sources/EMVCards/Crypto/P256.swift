// SPDX-License-Identifier: Apache-2.0
/// The curve P-256 (FIPS 186-4, D.1.2.3; Book C-8, 8.2) for simulated cards, their authorities and their issuer: points
/// and scalars, no protocol. Variable time: for test keys only.
enum P256 {
    static let field = Modulus256(
        Number256(hex: "FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF"))
    /// Arithmetic modulo the number of points.
    static let scalars = Modulus256(
        Number256(hex: "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"))
    static var order: Number256 { scalars.modulus }

    /// b of y² = x³ - 3x + b, in Montgomery form.
    private static let coefficient = field.encode(
        Number256(hex: "5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B"))

    static let generator = Point(
        x: Number256(hex: "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"),
        y: Number256(hex: "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"))

    /// x³ - 3x + b; `x` and the result are in Montgomery form.
    private static func right(_ x: Number256) -> Number256 {
        let cube = field.multiply(field.square(x), x)
        return field.add(field.subtract(cube, field.add(field.add(x, x), x)), coefficient)
    }

    /// A point other than infinity.
    struct Point: Sendable, Hashable {
        let x: Number256
        let y: Number256

        fileprivate init(x: Number256, y: Number256) {
            self.x = x
            self.y = y
        }

        /// The point with these coordinates, 64 bytes; nil if it is not on the curve.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == 64 else { return nil }
            self.init(x: Number256(Array(bytes.prefix(32))), y: Number256(Array(bytes.suffix(32))))
            guard x < field.modulus, y < field.modulus,
                field.square(field.encode(y)) == right(field.encode(x))
            else { return nil }
        }

        /// The point with this x coordinate and the smaller y (Book C-8, 8.2); nil if there is no such point.
        ///
        /// - Parameter bytes: 32.
        init?(x bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            let x = Number256(bytes)
            guard x < field.modulus else { return nil }
            let square = right(field.encode(x))
            // The prime is 3 modulo 4: a root is the power (p + 1)/4.
            let quarter = Number256(hex: "3FFFFFFFC0000000400000000000000000000000400000000000000000000000")
            let root = field.power(square, quarter)
            guard field.square(root) == square else { return nil }
            let y = field.decode(root)
            let other = field.modulus.subtracting(y).difference
            self.init(x: x, y: other < y ? other : y)
        }

        /// x and y, 64 bytes.
        var bytes: [UInt8] { x.bytes + y.bytes }

        /// Returns the multiple by a scalar, which is reduced first; nil is infinity.
        func multiplied(by scalar: Number256) -> Point? {
            Jacobian(self).multiplied(by: scalars.reduce(scalar)).affine
        }

        /// Returns first·self + second·other; nil is infinity.
        func combined(_ first: Number256, _ second: Number256, _ other: Point) -> Point? {
            Jacobian(self).multiplied(by: scalars.reduce(first))
                .adding(Jacobian(other).multiplied(by: scalars.reduce(second))).affine
        }
    }

    /// x = X/Z², y = Y/Z³, all in Montgomery form; Z = 0 is infinity.
    private struct Jacobian {
        let x: Number256
        let y: Number256
        let z: Number256

        static let infinity = Jacobian(x: field.unit, y: field.unit, z: .zero)

        init(x: Number256, y: Number256, z: Number256) {
            self.x = x
            self.y = y
            self.z = z
        }

        init(_ point: Point) { self.init(x: field.encode(point.x), y: field.encode(point.y), z: field.unit) }

        var affine: Point? {
            guard !z.isZero else { return nil }
            let inverse = field.invert(z)
            let square = field.square(inverse)
            return Point(
                x: field.decode(field.multiply(x, square)),
                y: field.decode(field.multiply(y, field.multiply(square, inverse))))
        }

        func doubled() -> Jacobian {
            guard !z.isZero else { return self }
            let delta = field.square(z)
            let gamma = field.square(y)
            let beta = field.multiply(x, gamma)
            let product = field.multiply(field.subtract(x, delta), field.add(x, delta))
            let alpha = field.add(field.add(product, product), product)
            let beta2 = field.add(beta, beta)
            let beta4 = field.add(beta2, beta2)
            let newX = field.subtract(field.square(alpha), field.add(beta4, beta4))
            let sum = field.square(field.add(y, z))
            let newZ = field.subtract(field.subtract(sum, gamma), delta)
            let gamma2 = field.square(gamma)
            let gamma4 = field.add(field.add(gamma2, gamma2), field.add(gamma2, gamma2))
            let newY = field.subtract(
                field.multiply(alpha, field.subtract(beta4, newX)), field.add(gamma4, gamma4))
            return Jacobian(x: newX, y: newY, z: newZ)
        }

        func adding(_ other: Jacobian) -> Jacobian {
            if z.isZero { return other }
            if other.z.isZero { return self }
            let (zz, otherZZ) = (field.square(z), field.square(other.z))
            let (u, otherU) = (field.multiply(x, otherZZ), field.multiply(other.x, zz))
            let s = field.multiply(y, field.multiply(otherZZ, other.z))
            let otherS = field.multiply(other.y, field.multiply(zz, z))
            let (h, r) = (field.subtract(otherU, u), field.subtract(otherS, s))
            if h.isZero { return r.isZero ? doubled() : .infinity }
            let hh = field.square(h)
            let hhh = field.multiply(hh, h)
            let v = field.multiply(u, hh)
            let newX = field.subtract(field.subtract(field.square(r), hhh), field.add(v, v))
            let newY = field.subtract(field.multiply(r, field.subtract(v, newX)), field.multiply(s, hhh))
            return Jacobian(x: newX, y: newY, z: field.multiply(h, field.multiply(z, other.z)))
        }

        /// Processes four bits of the scalar at a time.
        func multiplied(by scalar: Number256) -> Jacobian {
            var multiples = [Jacobian.infinity, self]
            for _ in 2..<16 { multiples.append(multiples[multiples.count - 1].adding(self)) }
            var result = Jacobian.infinity
            for index in (0..<64).reversed() {
                for _ in 0..<4 { result = result.doubled() }
                let digit = scalar.digit(index)
                if digit != 0 { result = result.adding(multiples[digit]) }
            }
            return result
        }
    }
}

/// A private key of the curve with its public half. Test keys only.
struct P256PrivateKey: Sendable, Hashable {
    let scalar: Number256
    let point: P256.Point

    /// - Precondition: 0 < scalar < order.
    init(_ scalar: Number256) {
        guard scalar < P256.order, let point = P256.generator.multiplied(by: scalar) else {
            preconditionFailure("a private key lies between 0 and the order")
        }
        self.scalar = scalar
        self.point = point
    }

    /// Derives a key from a name: from the first hash of the name that is in range. The key or its negative is used,
    /// whichever has the point with the smaller y, because a certificate contains only x (Book C-8, 8.2).
    init(name: String) {
        let key = P256PrivateKey(P256.scalar(from: Array(name.utf8)))
        let isSmaller = P256.Point(x: key.point.x.bytes) == key.point
        self = isSmaller ? key : P256PrivateKey(P256.order.subtracting(key.scalar).difference)
    }
}

extension P256 {
    /// Derives a scalar between 0 and the order from a seed.
    static func scalar(from seed: [UInt8]) -> Number256 {
        var hash = SHA256.hash(seed)
        while Number256(hash).isZero || !(Number256(hash) < order) { hash = SHA256.hash(hash) }
        return Number256(hash)
    }

    /// Returns a·b modulo the order.
    static func product(_ a: Number256, _ b: Number256) -> Number256 {
        scalars.decode(scalars.multiply(scalars.encode(scalars.reduce(a)), scalars.encode(scalars.reduce(b))))
    }
}
