// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// GET VAS DATA: one pass type is asked for. The tags are those that public descriptions agree on. The terminal's nonce
/// (9F28) and the filter (9F2B) are optional, and not sent.
struct VASCommand: Sendable, Hashable {
    /// SHA-256 of the pass type identifier.
    var passType: Bytes
    var signUp: SignUpURL?
    /// No pass: the URL is all that is sent.
    var isURLOnly = false
    var purpose: LoyaltyPurpose
    /// Another pass type is asked for in the same tap.
    var hasMore = false

    var bytes: Bytes {
        var data = VASCommand.object([0x9F, 0x22], [0x01, 0x00])
        data += VASCommand.object([0x9F, 0x25], passType)
        data += VASCommand.object([0x9F, 0x26], [0x00, 0x80, 0x00, (hasMore ? 0x80 : 0x00) | purpose.vasMode])
        if let signUp { data += VASCommand.object([0x9F, 0x29], signUp.bytes) }
        precondition(data.count < 256, "more than a short command holds")
        return [0x80, 0xCA, 0x01, isURLOnly ? 0x00 : 0x01, UInt8(data.count)] + data + [0x00]
    }

    /// - Parameter value: at most 255 bytes.
    static func object(_ tag: Bytes, _ value: Bytes) -> Bytes {
        precondition(value.count < 256, "a value longer than a length of two bytes says")
        let length: Bytes = value.count < 0x80 ? [UInt8(value.count)] : [0x81, UInt8(value.count)]
        return tag + length + value
    }
}
