// SPDX-License-Identifier: Apache-2.0
/// The passes to ask for in one tap. It has no amount and no currency, so it can never become a payment.
public struct LoyaltyRequest: Sendable, Hashable {
    /// The most programmes of a request; a longer one is rejected before the field is on.
    public static let maximumProgrammes = 6
    /// The range of ``timeout``.
    public static let timeouts: ClosedRange<Duration> = .milliseconds(10)...(.seconds(10))

    /// The programmes in the order in which they are asked for. If the list is empty, the phone is not asked.
    public let programmes: [LoyaltyProgramme]
    /// The time limit of the dialogue with the wallet; then a payment begins. `nil`: 300 ms before a payment, 2 s
    /// without one.
    public let timeout: Duration?

    /// Creates a request. Throws the flaw and the programme that has it: this is checked before anybody is asked for a
    /// phone.
    public init(_ programmes: [LoyaltyProgramme], timeout: Duration? = nil) throws(LoyaltyRequestError) {
        guard programmes.count <= LoyaltyRequest.maximumProgrammes else {
            throw LoyaltyRequestError(.tooManyProgrammes(programmes.count))
        }
        var seen: Set<LoyaltyProgramme.ID> = []
        for programme in programmes {
            guard !programme.id.rawValue.isEmpty else { throw LoyaltyRequestError(.emptyID) }
            guard seen.insert(programme.id).inserted else { throw LoyaltyRequestError(.repeatedID, programme.id) }
            if let flaw = programme.flaw { throw LoyaltyRequestError(flaw, programme.id) }
        }
        if let timeout, !LoyaltyRequest.timeouts.contains(timeout) { throw LoyaltyRequestError(.timeout) }
        self.programmes = programmes
        self.timeout = timeout
    }

    func limit(_ purpose: LoyaltyPurpose) -> Duration {
        timeout ?? (purpose == .passOnly ? .seconds(2) : .milliseconds(300))
    }
}

/// A flaw in a request for passes, and the programme that has it.
public struct LoyaltyRequestError: Error, Sendable, Hashable {
    public enum Flaw: Sendable, Hashable {
        /// The number of programmes; ``LoyaltyRequest/maximumProgrammes`` are allowed.
        case tooManyProgrammes(Int)
        case emptyID
        case repeatedID
        /// The identifier is not like `pass.com.example.club`: ASCII letters, digits, points, hyphens, underscores; at
        /// most 255.
        case passType
        /// A collector is a number above zero.
        case collector
        /// At least one kind of pass must be named: an empty set does not mean all.
        case noKinds
        /// A sign-up URL belongs to a pass type.
        case signUpOfCollector
        /// A sign-up without a pass needs a URL.
        case signUpWithoutURL
        /// The timeout is outside ``LoyaltyRequest/timeouts``.
        case timeout
    }

    public let flaw: Flaw
    /// `nil` if the flaw is in the request itself.
    public let programme: LoyaltyProgramme.ID?

    init(_ flaw: Flaw, _ programme: LoyaltyProgramme.ID? = nil) {
        self.flaw = flaw
        self.programme = programme
    }
}

extension LoyaltyRequestError: CustomStringConvertible {
    public var description: String {
        let text = "expected \(flaw.expected), found \(flaw.found)"
        return programme.map { "programme \($0): \(text)" } ?? text
    }
}

extension LoyaltyRequestError.Flaw {
    var expected: String {
        switch self {
        case .tooManyProgrammes: "at most \(LoyaltyRequest.maximumProgrammes) programmes"
        case .emptyID: "an id of 1 character or more"
        case .repeatedID: "each id once"
        case .passType: "a pass type identifier like pass.com.example.club, at most 255 characters"
        case .collector: "a collector above 0"
        case .noKinds: "at least one kind of pass"
        case .signUpOfCollector: "no sign-up URL with a collector: only a pass type has one"
        case .signUpWithoutURL: "a sign-up URL, since only that is to be sent"
        case .timeout: "a timeout of 10 ms to 10 s"
        }
    }

    var found: String {
        switch self {
        case .tooManyProgrammes(let count): "\(count)"
        case .emptyID: "an empty one"
        case .repeatedID: "one again"
        case .passType: "another text"
        case .collector: "0"
        case .noKinds, .signUpWithoutURL: "none"
        case .signUpOfCollector: "one"
        case .timeout: "another time"
        }
    }
}

extension LoyaltyProgramme {
    var flaw: LoyaltyRequestError.Flaw? {
        if signUpOnly, signUp == nil { return .signUpWithoutURL }
        switch wallet {
        case .passType(let identifier):
            let isName = identifier.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            let isWhole = identifier.hasPrefix("pass.") && identifier.utf8.count > 5 && identifier.utf8.count <= 255
            return isName && isWhole ? nil : .passType
        case .collector(let number, _, let kinds):
            if signUp != nil { return .signUpOfCollector }
            if number == 0 { return .collector }
            return kinds.isEmpty ? .noKinds : nil
        }
    }
}

/// The effect of a pass on a payment in the same tap.
public enum LoyaltyRule: String, Sendable, Hashable, CaseIterable {
    /// The payment follows whether or not a pass was read.
    case andPayment
    /// A pass that was read ends the tap; a payment follows only if none was read.
    case insteadOfPayment

    public var purpose: LoyaltyPurpose {
        switch self {
        case .andPayment: .andPayment
        case .insteadOfPayment: .insteadOfPayment
        }
    }
}
