// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The least time that a dialogue occupies the air, by ISO/IEC 14443 type A. The card's own computing time is not
/// included, nor is the time to find and activate the card.
///
/// - A character is 8 data bits and a parity bit; a frame also has a start and an end: one elementary time unit each.
/// - An elementary time unit is 128 carrier periods at 106 kbit/s, 32 at 424, 16 at 848 (carrier 13.56 MHz).
/// - A block (ISO/IEC 14443-4) is PCB, up to `frameSize - 3` bytes of information and two bytes of CRC; no CID, no NAD.
///   A longer command or response is chained, and each block but its last is acknowledged with an R-block of three
///   bytes.
/// - At least 1172 carrier periods pass between a frame of the reader and one of the card, and at least 6780 between a
///   frame of the card and the next one of the reader (EMV Contactless Book D: frame delay times).
struct AirTime {
    /// FSC and FSD: bytes of a frame.
    static let frameSize = 256
    /// PCB and CRC.
    static let overhead = 3
    static let carrier = 13_560_000.0
    static let readerToCard = 1172.0
    static let cardToReader = 6780.0

    /// kbit/s, and the carrier periods of one elementary time unit.
    static let rates = [("106", 128.0), ("424", 32.0), ("848", 16.0)]

    /// Returns the milliseconds at one rate.
    static func milliseconds(_ exchanges: [Dialogue.Exchange], periods: Double) -> Double {
        let total = exchanges.reduce(0.0) { sum, exchange in
            sum + message(exchange.command.count, periods) + message(exchange.response.count, periods)
                + blocks(exchange.command.count) * (readerToCard + cardToReader)
                + (blocks(exchange.response.count) - 1) * (readerToCard + cardToReader)
        }
        return total / carrier * 1000
    }

    /// Carrier periods of one message and of the acknowledgements within it, without the delays.
    static func message(_ count: Int, _ periods: Double) -> Double {
        let blocks = blocks(count)
        let acknowledgements = blocks - 1
        return
            (frames(bytes: Double(count) + blocks * Double(overhead), count: blocks)
            + frames(bytes: acknowledgements * Double(overhead), count: acknowledgements)) * periods
    }

    private static func frames(bytes: Double, count: Double) -> Double { bytes * 9 + count * 2 }

    private static func blocks(_ count: Int) -> Double {
        Double(max(1, (count + frameSize - overhead - 1) / (frameSize - overhead)))
    }
}
