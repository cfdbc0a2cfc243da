// SPDX-License-Identifier: Apache-2.0
/// One payment on its way to the issuer and back, perhaps several times.
struct Conversation: Sendable, Equatable {
    let read: CardRead
    /// The tap and the payment that the read is of.
    let tap: TapRecord
    let payment: PaymentRequest
    let means: Means
    /// Requests so far.
    var attempt = 0
    /// PINs requested after a request so far, by the issuer or the kernel.
    var challenges = 0
    /// PINs asked for so far, by whomever.
    var entries = 0
    var pin: EncryptedPINBlock?
    /// The issuer's, which the next request answers.
    var challenge: PINChallenge?
    /// What the app was told where it is to bring the PIN.
    var handedOver: PINChallenge?
    /// The kernel requested an online PIN; it does so once (Book A, Table 6-5).
    var kernelAskedForPIN = false

    // With a journal
    /// The journal knows of this read, and nothing that speaks against it.
    var isLookedUp = false
    /// What the journal keeps of the card.
    var stored: StoredRead?
    /// It is journalled.
    var isStored = false
    /// What the amount became during the tap, where that is not journalled.
    var changedAmount: Money?
    /// Of earlier authorisations of this tap; none of them reached the host.
    var earlierRequests = 0

    /// Returns `nil` for a read that no payment request belongs to.
    init?(_ read: CardRead, _ means: Means, pin: EncryptedPINBlock? = nil) {
        guard let tap = read.tap, let payment = tap.request else { return nil }
        self.read = read
        self.tap = tap
        self.payment = payment
        self.means = means
        self.pin = pin
    }

    var key: ReconciliationKey { tap.key }
    var amount: Money { payment.amount }

    /// Something may be open at the host.
    var hasLeft: Bool { attempt > 0 }

    var request: AuthorizationRequest {
        AuthorizationRequest(tap, payment, read, attempt: attempt, pin: pin, challenge: challenge)
    }

    var deferred: Deferred { Deferred(key: key, amount: amount, moment: tap.moment) }

    func reversal(_ reason: Reversal.Reason) -> Reversal {
        Reversal(key: key, reason: reason, amount: amount, moment: tap.moment, read: stored)
    }
}

/// What came of an online request, for a kernel that waits for it.
enum OnlineResult: Sendable, Equatable {
    case approved(Approval)
    case declined(Decline)
    /// The issuer requests a PIN, with data for the kernel.
    case challenged(PINChallenge)
    /// - Parameter reversal: why the payment has to be reversed; `nil`: nothing has left.
    case noAnswer(reversal: Reversal.Reason?, [Problem])
    /// The PIN that goes with the first request did not come: nothing was sent.
    case nothingSent([Problem])
    /// The PIN that issuer or kernel requested after a request did not come.
    case noPIN([Problem])
}

/// What a kernel that went on after the online request ended with.
struct KernelVerdict: Sendable, Equatable {
    /// `none`: it came to no outcome.
    let status: Outcome.Status
    let interface: Outcome.Interface
    /// For the host.
    let answer: CardData?
}

/// A reversal under way, and what follows it.
struct PendingReversal: Sendable, Equatable {
    enum Successor: Sendable, Equatable {
        // Of a payment whose issuer waited for a PIN that will not come.
        case read(TapRecord)
        case authorize(Conversation)
        case release

        // Of the payment that is authorised.
        case conclude
        /// Declined, where the reversal is confirmed.
        case decline(Decline)
        /// As the kernel decided without an answer, where the reversal is confirmed.
        case kernel(KernelVerdict?)
    }

    let conversation: Conversation
    var reversal: Reversal
    /// Of the payment, once it is reversed.
    let problems: [Problem]
    var attemptsLeft: Int
    let successor: Successor

    /// The payment of the activity under way, which need not be the one that is reversed.
    var ofActivity: Conversation? {
        switch successor {
        case .read, .release: nil
        case .authorize(let next): next
        case .conclude, .decline, .kernel: conversation
        }
    }

    var isBeforeRead: Bool { if case .read = successor { true } else { false } }
}

extension Reversal {
    /// The same once more.
    var repeated: Reversal {
        Reversal(key: key, reason: reason, amount: amount, moment: moment, attempt: attempt + 1, read: read)
    }
}

/// The result of the last authorisation.
struct LastResult: Sendable, Equatable {
    let key: ReconciliationKey
    let result: AuthorizationResult.Ending
    /// Of the read only its hash is kept: no account number stays behind.
    private let read: Int

    init(_ key: ReconciliationKey, _ read: CardRead, _ result: AuthorizationResult.Ending) {
        self.key = key
        self.result = result
        self.read = read.hashValue
    }

    func isFor(_ read: CardRead) -> Bool { self.read == read.hashValue }
}

extension CardRead {
    /// A PIN has to go with the request.
    var wantsPIN: Bool { cvm == .onlinePIN || outcome.status == .requestOnlinePIN }
}

extension Problem {
    /// A kernel that requests another interface.
    init(_ interface: Outcome.Interface?) {
        self = TapOutcome.tryAnotherInterface(interface ?? .notApplicable).problems[0]
    }
}

extension AuthorizationResult {
    /// What the display shows at the end. Never why an issuer refused.
    public func prompt(for read: CardRead, texts: TextCatalogue = TextCatalogue()) -> Prompt {
        Prompt(
            ending.message(for: read).preferring(read.tap?.presented[0x5F2D]), texts: texts, payment: read.tap?.request)
    }

}

extension AuthorizationResult.Ending {
    func message(for read: CardRead) -> UIRequest {
        let message = Presentation(ending: self, of: read).message
        let isDirective = [.insertCard, .insertOrSwipe, .tryAnotherCard].contains(message)
        return UIRequest(message: message, status: isDirective ? .processingError : .idle)
    }
}
