// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader with a card whose answers are prepared: the card is always present and answers at once.
actor PreparedCard: CardTransport {
    private let exchanges: [Dialogue.Exchange]
    private var answered = 0

    init(_ exchanges: [Dialogue.Exchange]) {
        self.exchanges = exchanges
    }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        if poll.removalFirst { return .removed }
        return .card
    }

    func transceive(_ command: Bytes) async -> Exchange {
        guard answered < exchanges.count else { return .fault(.timeout) }
        defer { answered += 1 }
        switch exchanges[answered].reply {
        case .response(let bytes, let elapsed): return .response(bytes, elapsed: elapsed)
        default: return .fault(.timeout)
        }
    }

    /// Ends a tap: the next one begins with the first answer.
    func fieldOff() async {
        answered = 0
    }

    func fieldOff(for hold: Duration) async {
        answered = 0
    }
}
