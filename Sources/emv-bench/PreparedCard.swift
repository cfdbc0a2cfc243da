import EMVKit

/// A reader with a card whose answers stand ready: always there, never slow.
actor PreparedCard: CardTransport {
    private let responses: [Bytes]
    private var answered = 0

    init(_ responses: [Bytes]) {
        self.responses = responses
    }

    func waitForCard(_ poll: Poll) async -> CardEvent {
        if poll.removalFirst { return .removed }
        return .card
    }

    func transceive(_ command: Bytes) async -> Exchange {
        guard answered < responses.count else { return .fault(.timeout) }
        defer { answered += 1 }
        return .response(responses[answered], elapsed: nil)
    }

    /// The end of a tap: the next one begins with the first answer.
    func fieldOff() async {
        answered = 0
    }
}
