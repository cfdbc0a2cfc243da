// SPDX-License-Identifier: Apache-2.0
/// One payment's exchange with the issuer, which may take several requests.
struct Conversation: Sendable, Equatable {
    let read: CardRead
    /// The tap to which the read and the payment belong.
    let tap: TapRecord
    let payment: PaymentRequest
    let means: Means
    /// The number of requests so far.
    var attempt = 0
    /// The number of PINs that the issuer or the kernel requested after a request.
    var challenges = 0
    /// The number of PINs requested so far, by any party.
    var entries = 0
    var pin: EncryptedPINBlock?
    /// The issuer's challenge that the next request answers.
    var challenge: PINChallenge?
    /// The challenge that the app received when it was asked for the PIN.
    var handedOver: PINChallenge?
    /// The kernel requested an online PIN; it does so once (Book A, Table 6-5).
    var kernelAskedForPIN = false

    // With a journal
    /// The journal has this read, and no result that contradicts an authorisation.
    var isLookedUp = false
    /// The journal's form of the read.
    var stored: StoredRead?
    /// The read is journalled.
    var isStored = false
    /// The amount after a change during the tap, if the change is not journalled.
    var changedAmount: Money?
    /// The number of requests in earlier authorisations of this tap; none of them reached the host.
    var earlierRequests = 0

    /// Returns `nil` for a read without a payment request.
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

    /// The payment may be open at the host.
    var hasLeft: Bool { attempt > 0 }

    var request: AuthorizationRequest {
        AuthorizationRequest(tap, payment, read, attempt: attempt, pin: pin, challenge: challenge)
    }

    var deferred: Deferred { Deferred(key: key, amount: amount, moment: tap.moment) }

    func reversal(_ reason: Reversal.Reason) -> Reversal {
        Reversal(key: key, reason: reason, amount: amount, moment: tap.moment, read: stored)
    }
}

/// The result of an online request, for a kernel that waits for it.
enum OnlineResult: Sendable, Equatable {
    case approved(Approval)
    case declined(Decline)
    /// The issuer requests a PIN, with data for the kernel.
    case challenged(PINChallenge)
    /// - Parameter reversal: why the payment has to be reversed; `nil` if nothing was sent.
    case noAnswer(reversal: Reversal.Reason?, [Problem])
    /// The PIN for the first request was not entered: nothing was sent.
    case nothingSent([Problem])
    /// The PIN that the issuer or the kernel requested after a request was not entered.
    case noPIN([Problem])
}

/// The outcome of a kernel that continued after the online request.
struct KernelVerdict: Sendable, Equatable {
    /// `none` if the kernel reached no outcome.
    let status: Outcome.Status
    let interface: Outcome.Interface
    /// Data for the host.
    let answer: CardData?
}

/// A reversal in progress, and the next step.
struct PendingReversal: Sendable, Equatable {
    enum Successor: Sendable, Equatable {
        // Reversals of a payment whose issuer waited for a PIN that was not entered.
        case read(TapRecord)
        case authorize(Conversation)
        case release

        // Reversals of the payment that is being authorised.
        case conclude
        /// The payment is declined if the reversal is confirmed.
        case decline(Decline)
        /// The kernel's decision without an answer applies if the reversal is confirmed.
        case kernel(KernelVerdict?)
    }

    let conversation: Conversation
    var reversal: Reversal
    /// The problems of the payment once it is reversed.
    let problems: [Problem]
    var attemptsLeft: Int
    let successor: Successor

    /// The payment of the current activity, which may differ from the one that is reversed.
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
    /// The reversal with the next attempt number.
    var repeated: Reversal {
        Reversal(key: key, reason: reason, amount: amount, moment: moment, attempt: attempt + 1, read: read)
    }
}

/// The result of the last authorisation.
struct LastResult: Sendable, Equatable {
    let key: ReconciliationKey
    let result: AuthorizationResult.Ending
    /// Only the hash of the read is stored, so that no account number remains.
    private let read: Int

    init(_ key: ReconciliationKey, _ read: CardRead, _ result: AuthorizationResult.Ending) {
        self.key = key
        self.result = result
        self.read = read.hashValue
    }

    func isFor(_ read: CardRead) -> Bool { self.read == read.hashValue }
}

extension CardRead {
    /// A PIN must be sent with the request.
    var wantsPIN: Bool { cvm == .onlinePIN || outcome.status == .requestOnlinePIN }
}

extension Problem {
    /// The problem of a kernel that requests another interface.
    init(_ interface: Outcome.Interface?) {
        self = TapOutcome.tryAnotherInterface(interface ?? .notApplicable).problems[0]
    }
}

extension AuthorizationResult {
    /// Returns the display's message at the end. It never states why an issuer refused.
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
