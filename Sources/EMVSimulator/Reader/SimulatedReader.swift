import EMVKit

/// A reader without hardware: what is presented to it is a ``CardPresentation``, and faults happen when that says so.
public actor SimulatedReader: CardTransport {
    /// Whether time passes.
    public enum Pace: Sendable, Hashable {
        /// Answers come at once; the elapsed time is the one the card reports.
        case instant
        /// Answers take as long as the card reports, and holds of the field are kept.
        case real
    }

    private var presentation: any CardPresentation
    private let pace: Pace
    private var isFieldOn = false
    private var inCollision = false
    private var isDetached = false

    /// Commands received since the reader was made, for tests.
    public private(set) var commandCount = 0

    public init(_ presentation: any CardPresentation, pace: Pace = .instant) {
        self.presentation = presentation
        self.pace = pace
    }

    /// A reader with this card on it.
    public init(_ profile: CardProfile, pace: Pace = .instant) {
        self.init(VirtualCard(profile), pace: pace)
    }

    /// Puts something else on the reader.
    public func present(_ presentation: any CardPresentation) {
        self.presentation = presentation
        inCollision = false
        isFieldOn = false
    }

    /// Unplugs the reader: everything fails from now on.
    public func detach() { isDetached = true }

    /// Plugs it in again.
    public func attach() { isDetached = false }

    public func open() async -> ReaderFault? {
        isDetached ? ReaderFault(.noReader, "The simulated reader is detached; attach() plugs it in again") : nil
    }

    public func waitForCard(_ poll: Poll) async -> CardEvent {
        if isDetached { return .readerGone }
        if poll.removalFirst {
            switchOff()
            return .removed
        }
        if let hold = poll.fieldOff {
            switchOff()
            if pace == .real { try? await Task.sleep(for: hold) }
        }
        isFieldOn = true
        let deadline = poll.timeout.map { ContinuousClock.now.advanced(by: $0) }
        while !Task.isCancelled {
            if isDetached { return .readerGone }
            switch presentation.poll() {
            case .one:
                defer { inCollision = false }
                return inCollision ? .collisionCleared : .card
            case .collision:
                if !inCollision {
                    inCollision = true
                    return .collision
                }
            case .none:
                if inCollision {
                    inCollision = false
                    return .collisionCleared
                }
            }
            if let deadline, ContinuousClock.now >= deadline { break }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return .nothing
    }

    public func transceive(_ command: Bytes) async -> Exchange {
        if isDetached { return .readerGone }
        commandCount += 1
        switch presentation.exchange(command) {
        case .response(let bytes, let milliseconds):
            let elapsed = Duration.nanoseconds(Int64(milliseconds * 1_000_000))
            if pace == .real { try? await Task.sleep(for: elapsed) }
            return isDetached ? .readerGone : .response(bytes, elapsed: elapsed)
        case .timeout: return .fault(.timeout)
        case .transmissionError: return .fault(.transmission)
        case .protocolError: return .fault(.protocol)
        case .removed: return .fault(.removed)
        }
    }

    public func fieldOff() async { switchOff() }

    private func switchOff() {
        guard isFieldOn else { return }
        presentation.reset()
        isFieldOn = false
    }
}
