// SPDX-License-Identifier: Apache-2.0
/// The result of a transaction: the outcome parameter set (Book A, 6.2) and the data that accompany it.
public struct Outcome: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case none, approved, declined, onlineRequest, requestOnlinePIN, tryAgain, selectNext, endApplication
        case tryAnotherInterface
    }

    /// Where Entry Point starts again after a restart.
    public enum Start: Sendable, Hashable, CaseIterable {
        case a, b, c, d, notApplicable
    }

    public enum CVM: String, Sendable, Hashable, CaseIterable, Codable {
        case none, signature, onlinePIN, cdcvm, notApplicable
    }

    public enum OnlineResponse: Sendable, Hashable, CaseIterable {
        case emvData, any, notApplicable
    }

    public enum Interface: String, Sendable, Hashable, CaseIterable {
        case contactChip, magstripe, notApplicable
    }

    /// Why the transaction ended like this, in more detail than the outcome itself.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case none
        /// The kernel's own decision.
        case kernel
        /// Pre-processing blocked every combination of the transaction.
        case notAllowed
        /// No configured combination accepts the transaction type.
        case noCombination
        /// The card lists none of the configured applications.
        case noCommonApplication
        /// There were candidates, but all were eliminated.
        case selectionExhausted
        /// A kernel's own limit removed the last candidate.
        case kernelLimit
        /// Missing, malformed, duplicate or contradictory card data.
        case cardData
        /// An unexpected status word.
        case cardStatus
        /// Link faults until all presentments were used up.
        case link
        case tooManyTaps
        case stopped, abandoned
        /// The card of a later presentment is a different card.
        case cardSwitched
        /// No usable random number.
        case random
        /// More data than a presentment may contain.
        case storeFull
        /// A rule of the protection profile; ``Outcome/findings`` lists it.
        case protection
        /// More collisions than allowed.
        case collision
        /// A defect of the kernel; the transaction failed safe.
        case `internal`
    }

    // With this order of members, the compiler's memberwise initializer differs from the public one. It builds an
    // outcome in place, while any other initializer copies it with all its reference counts; sessions create outcomes
    // with it.
    /// Name of the selected application; empty if none was selected.
    public var applicationName: Bytes
    public var status: Status
    public var start: Start
    public var onlineResponse: OnlineResponse
    public var cvm: CVM
    public var alternateInterface: Interface
    public var receipt: Bool
    public var reason: Reason
    /// The kernel that decided; `nil`: Entry Point decided.
    public var kernel: KernelID?
    public var errorIndication: ErrorIndication
    /// `nil`: no removal is requested.
    public var removalTimeout: Duration?
    /// `nil`: no request.
    public var fieldOff: Duration?
    public var findings: Findings
    public var uiOnOutcome: UIRequest?
    public var uiOnRestart: UIRequest?
    public var dataRecord: CardData?
    public var discretionary: CardData?
}

extension Outcome {
    /// All other members are empty or not applicable.
    public init(
        status: Status, start: Start = .notApplicable, cvm: CVM = .notApplicable, reason: Reason = .kernel,
        kernel: KernelID? = nil, uiOnOutcome: UIRequest? = nil, dataRecord: CardData? = nil, applicationName: Bytes = []
    ) {
        self.init(
            applicationName: applicationName, status: status, start: start, onlineResponse: .notApplicable, cvm: cvm,
            alternateInterface: .notApplicable, receipt: false, reason: reason, kernel: kernel,
            errorIndication: ErrorIndication(), removalTimeout: nil, fieldOff: nil, findings: [],
            uiOnOutcome: uiOnOutcome, uiOnRestart: nil, dataRecord: dataRecord, discretionary: nil)
    }
}

/// Tag DF8115.
public struct ErrorIndication: Sendable, Hashable {
    public var l1: UInt8
    public var l2: UInt8
    public var l3: UInt8
    public var statusWord: UInt16
    public var messageOnError: UInt8

    public init(
        l1: UInt8 = 0, l2: UInt8 = 0, l3: UInt8 = 0, statusWord: UInt16 = 0, messageOnError: UInt8 = 0
    ) {
        self.l1 = l1
        self.l2 = l2
        self.l3 = l3
        self.statusWord = statusWord
        self.messageOnError = messageOnError
    }

    public var bytes: Bytes {
        [l1, l2, l3, UInt8(statusWord >> 8), UInt8(statusWord & 0xFF), messageOnError]
    }
}

/// Observations beyond the specification. A finding never changes an outcome of the specification by itself.
public struct Findings: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let cdcvmUnauthenticated = Findings(rawValue: 1 << 0)
    public static let limitNeedsAuthenticatedCDCVM = Findings(rawValue: 1 << 1)
    public static let brandMismatch = Findings(rawValue: 1 << 2)
    public static let unsolicitedSDAD = Findings(rawValue: 1 << 3)
    public static let odaTamper = Findings(rawValue: 1 << 4)
    public static let cidIADMismatch = Findings(rawValue: 1 << 5)
    public static let terminalTagFromCard = Findings(rawValue: 1 << 6)
    public static let panMismatch = Findings(rawValue: 1 << 7)
    public static let expiryMismatch = Findings(rawValue: 1 << 8)
    public static let luhn = Findings(rawValue: 1 << 9)
    public static let testKey = Findings(rawValue: 1 << 10)
    public static let rngSuspect = Findings(rawValue: 1 << 11)
    public static let dfNameMismatch = Findings(rawValue: 1 << 12)
    public static let odaStripped = Findings(rawValue: 1 << 13)
    public static let cvmFromPlainData = Findings(rawValue: 1 << 14)
    public static let recordRepeated = Findings(rawValue: 1 << 15)
    public static let candidatesDropped = Findings(rawValue: 1 << 16)
    public static let caKeyMissing = Findings(rawValue: 1 << 17)
    public static let caKeyExpired = Findings(rawValue: 1 << 18)
    public static let certificateExpired = Findings(rawValue: 1 << 19)
    public static let certificateRevoked = Findings(rawValue: 1 << 20)
    /// A more capable card ran in a weaker mode.
    public static let modeDowngrade = Findings(rawValue: 1 << 21)
    /// The card did not ask for the data that bind its signature to the transaction.
    public static let acBindingNotSent = Findings(rawValue: 1 << 22)
    /// Kernel 8: the blinded key is the card's own key, by which the card can be recognised.
    public static let cardKeyExposed = Findings(rawValue: 1 << 23)
    /// Kernel 8: the blinded key was already used in an earlier tap at this reader.
    public static let cardKeyRepeated = Findings(rawValue: 1 << 24)
    /// Kernel 8: an object that carries the card's decision came outside the data that the MAC covers.
    public static let unboundObject = Findings(rawValue: 1 << 25)
    /// The meaning of the signed data depends on a list that is not signed.
    public static let listUnsigned = Findings(rawValue: 1 << 26)
    /// An older kernel ran for an application that the card also offered to Kernel 8.
    public static let kernelFallback = Findings(rawValue: 1 << 27)

    static let known = [
        "CDCVM_UNAUTHENTICATED", "LIMIT_NEEDS_AUTHENTICATED_CDCVM", "BRAND_MISMATCH", "UNSOLICITED_SDAD", "ODA_TAMPER",
        "CID_IAD_MISMATCH", "TERMINAL_TAG_FROM_CARD", "PAN_MISMATCH", "EXPIRY_MISMATCH", "LUHN", "TEST_KEY",
        "RNG_SUSPECT",
        "DF_NAME_MISMATCH", "ODA_STRIPPED", "CVM_FROM_PLAIN_DATA", "RECORD_REPEATED", "CANDIDATES_DROPPED",
        "CA_KEY_MISSING",
        "CA_KEY_EXPIRED", "CERTIFICATE_EXPIRED", "CERTIFICATE_REVOKED", "MODE_DOWNGRADE", "AC_BINDING_NOT_SENT",
        "CARD_KEY_EXPOSED", "CARD_KEY_REPEATED", "UNBOUND_OBJECT", "LIST_UNSIGNED",
        "KERNEL_FALLBACK",
    ]

    /// Returns the finding with this name in traces.
    public init?(name: String) {
        guard let bit = Findings.known.firstIndex(of: name) else { return nil }
        self.init(rawValue: 1 << UInt32(bit))
    }

    /// The names of the findings in traces, in order.
    public var names: [String] {
        let bits = (0..<32).filter { rawValue & (1 << UInt32($0)) != 0 }
        return bits.map { $0 < Findings.known.count ? Findings.known[$0] : "FINDING_\($0)" }
    }
}

extension Findings: CustomStringConvertible {
    public var description: String { "[" + names.joined(separator: ", ") + "]" }
}
