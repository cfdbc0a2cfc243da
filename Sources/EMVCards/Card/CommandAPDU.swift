// SPDX-License-Identifier: Apache-2.0
/// A command as received by the card. It has short length fields, as contactless readers send them.
struct CommandAPDU: Sendable {
    let header: [UInt8]
    let data: [UInt8]
    /// The value of the Le byte, if present.
    let expected: UInt8?

    var instructionClass: UInt8 { header[0] }
    var instruction: UInt8 { header[1] }
    var p1: UInt8 { header[2] }
    var p2: UInt8 { header[3] }

    /// Nil if the lengths contradict each other (ISO/IEC 7816-4, cases 1 to 4).
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        header = Array(bytes[0..<4])
        if bytes.count <= 5 {
            data = []
            expected = bytes.count == 5 ? bytes[4] : nil
            return
        }
        let count = Int(bytes[4])
        guard count > 0, bytes.count == 5 + count || bytes.count == 6 + count else { return nil }
        data = Array(bytes[5..<5 + count])
        expected = bytes.count == 6 + count ? bytes[5 + count] : nil
    }
}
