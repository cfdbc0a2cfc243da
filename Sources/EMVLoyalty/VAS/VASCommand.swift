// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// GET VAS DATA, which asks for one pass type. Public descriptions agree on these tags. The terminal's nonce (9F28) and
/// the filter (9F2B) are optional, and not sent.
struct VASCommand: Sendable, Hashable {
    /// SHA-256 of the pass type identifier.
    var passType: Bytes
    var signUp: SignUpURL?
    /// Sends only the URL and asks for no pass.
    var isURLOnly = false
    var purpose: LoyaltyPurpose
    /// Whether another pass type is asked for in this tap.
    var hasMore = false

    private static let header: Bytes = [0x80, 0xCA, 0x01]
    private static let version: Bytes = [0x01, 0x00]
    private static let capabilities: Bytes = [0x00, 0x80, 0x00]
    private static let tags: (version: Bytes, passType: Bytes, mode: Bytes, signUp: Bytes) = (
        [0x9F, 0x22], [0x9F, 0x25], [0x9F, 0x26], [0x9F, 0x29]
    )

    /// The command, written into one array, because the phone is waiting for it.
    var bytes: Bytes {
        var command = Bytes()
        command.reserveCapacity(6 + 5 + 3 + 32 + 7 + (signUp.map { 3 + $0.description.utf8.count } ?? 0))
        command += VASCommand.header
        command.append(isURLOnly ? 0x00 : 0x01)
        command.append(0)
        VASCommand.append(VASCommand.tags.version, VASCommand.version, to: &command)
        VASCommand.append(VASCommand.tags.passType, passType, to: &command)
        command += VASCommand.tags.mode
        command.append(4)
        command += VASCommand.capabilities
        command.append((hasMore ? 0x80 : 0x00) | purpose.vasMode)
        if let signUp { VASCommand.append(VASCommand.tags.signUp, signUp.description.utf8, to: &command) }
        let count = command.count - 5
        precondition(count < 256, "more than a short command holds")
        command[4] = UInt8(count)
        command.append(0x00)
        return command
    }

    /// - Parameter value: at most 255 bytes.
    static func object(_ tag: Bytes, _ value: Bytes) -> Bytes {
        var object = Bytes()
        append(tag, value, to: &object)
        return object
    }

    private static func append(_ tag: Bytes, _ value: some Collection<UInt8>, to bytes: inout Bytes) {
        let count = value.count
        precondition(count < 256, "a value longer than a length of two bytes says")
        bytes += tag
        if count >= 0x80 { bytes.append(0x81) }
        bytes.append(UInt8(count))
        bytes.append(contentsOf: value)
    }
}
