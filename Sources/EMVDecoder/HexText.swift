// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Hex digits as people paste them.
public enum HexText {
    /// Why a text is no hex; it shows no digit of it.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        public var description: String
    }

    /// Pairs of hex digits, with white space anywhere between digits; the place of a fault counts characters from 1.
    public static func bytes(_ text: String) throws(Fault) -> Bytes {
        var bytes = Bytes()
        var high: UInt8?
        var position = 0
        for character in text {
            position += 1
            if character.isWhitespace { continue }
            guard character.isASCII, let digit = character.hexDigitValue else {
                throw Fault(description: "character \(position), \"\(character)\": expected a hex digit")
            }
            if let upper = high {
                bytes.append(upper << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil else {
            throw Fault(description: "character \(position): an odd number of hex digits, expected pairs")
        }
        guard !bytes.isEmpty else { throw Fault(description: "no hex digits given") }
        return bytes
    }
}
