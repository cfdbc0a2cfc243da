// SPDX-License-Identifier: Apache-2.0
extension [UInt8] {
    /// The bytes of a constant in hexadecimal.
    ///
    /// - Precondition: `hex` has an even number of digits, all hexadecimal.
    @inline(never)
    init(hex: String) {
        let digits = hex.utf8.map { digit -> UInt8 in
            switch digit {
            case 0x30...0x39: digit - 0x30
            case 0x41...0x46: digit - 0x41 + 10
            case 0x61...0x66: digit - 0x61 + 10
            default: preconditionFailure("not a hexadecimal digit")
            }
        }
        precondition(digits.count.isMultiple(of: 2), "a byte has two digits")
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Upper-case digits without separators.
    var hex: String {
        let digits: [Character] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F"]
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
