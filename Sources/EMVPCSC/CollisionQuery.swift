// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The command that asks a reader whether several cards are in its field. PC/SC has no such query: these are commands
/// of readers whose makers document one. Other readers are not asked.
struct CollisionQuery: Sendable, Hashable {
    let command: Bytes
    /// Whether the command makes the reader forget the card, so that it has to be connected again.
    let disturbs: Bool

    /// `nil` if the reader cannot detect several cards, or its maker does not document the command.
    init?(readerName: String) {
        let name = readerName.uppercased()
        if name.contains("ACR122U") {
            // The ACR122S manual of ACS, "Direct Transmit", with the chip's command for up to two cards of type A.
            command = [0xFF, 0x00, 0x00, 0x00, 0x04, 0xD4, 0x4A, 0x02, 0x00]
            disturbs = true
        } else if CollisionQuery.identiv.contains(where: name.contains) {
            // Identiv's reference manuals, CNTLESS_IS_COLLISION_DETECTED: for cards of type A.
            command = [0xE4]
            disturbs = false
        } else {
            return nil
        }
    }

    private static let identiv = [
        "UTRUST 3700 F", "UTRUST 3701 F", "UTRUST 3720", "UTRUST 3721", "UTRUST 4700 F", "UTRUST 4701 F",
        "UTRUST 4710 F", "UTRUST 4711 F", "CLOUD 3700 F", "CLOUD 3701 F", "CLOUD 4700 F", "CLOUD 4710 F",
    ]

    /// Whether the reader's answer reports several cards; an answer that the manual does not list counts as no.
    func saysSeveral(_ answer: Bytes) -> Bool {
        if disturbs {
            answer.count > 4 && answer.starts(with: [0xD5, 0x4B, 0x02]) && answer.suffix(2) == [0x90, 0x00]
        } else {
            answer == [0x01]
        }
    }

    /// For an ACR122U: switches the field off and on, so that a card that was already activated answers again.
    static func wakeCards(_ model: ReaderModel) -> [Bytes] { [model.antennaOff, model.antennaOn] }
}
