// SPDX-License-Identifier: Apache-2.0
extension TapReader {
    public struct Options: Sendable {
        /// Return as soon as the outcome is known, without waiting until the last message was shown for its time;
        /// ``TapEvent/promptFinished`` reports that moment.
        public var returnReadResultImmediately: Bool = true
        /// An encrypted PIN can be collected for a card that is read. `false` by default: a card that wants a PIN ends
        /// as ``TapOutcome/onlinePINUnavailable(_:)``. A charge with a PIN pad does not need this option.
        public var hasPINPad: Bool = false
        /// How long to wait for a card if a request does not state a time; `nil` means without limit. 90 seconds by
        /// default: an amount that waits for ever is paid by the next person who comes by.
        public var cardTimeout: Duration?
        /// A new payment asks for the card's removal and waits for an empty field, up to ``cardTimeout``, if the last
        /// card was not seen to leave, and at the first payment of this reader. So a card that is left on the reader
        /// does not pay twice. `true` by default. Verifications, and passes that are read alone, do not wait.
        public var waitsForEmptyField: Bool
        /// Tag 9F41 of the first tap; with a journal, of the journal's very first tap.
        public var firstCounter: UInt32 = 1
        public var random: RandomSource
        /// Date and time of day.
        public var clock: @Sendable () -> LocalTime = { LocalTime.now() }
        /// The clock that measures deadlines and hold times.
        public var timer: any Clock<Duration>
        /// How long a transport may take to open its reader; `nil` means without limit.
        public var openDeadline: Duration? = .seconds(20)
        /// How long an ``Enrollment`` may take to answer; `nil` means without limit.
        public var enrollmentDeadline: Duration? = .seconds(10)
        /// How long an authoriser may take, and a reversal.
        public var authorizationDeadline: Duration = .seconds(30)
        /// How long a cardholder may take to enter a PIN if the host does not state a time.
        public var pinDeadline: Duration = .seconds(55)
        /// The number of PIN entries that an issuer may ask for in one payment; with 0 it may not ask.
        public var maximumPINRequests: Int = 3
        /// How often a reversal is tried before the result is unknown; at least 1.
        public var reversalAttempts: Int = 2
        /// If an answer is lost, the reader asks the host for the status (``Authorizer/status(of:)``) before it
        /// reverses the payment, and keeps the host's decision. `false` by default. ``SettlementPolicy/keepsApprovals``
        /// has this effect for payments that a settlement finishes.
        public var keepsApprovals: Bool = false
        /// How long to wait for the card that is to receive the issuer's answer.
        public var issuerUpdateTimeout: Duration = .seconds(10)
        /// The last day on which the configuration may be used.
        public var configurationLastDay: CalendarDate?
        /// Preparing fails if a network has no authority key that is still valid; otherwise that is a warning.
        public var requiresCAKeys: Bool = false
        /// Reports who has accepted the terms; `nil` means no acceptance is required.
        public var enrollment: (any Enrollment)?
        public var merchant: MerchantID = MerchantID(rawValue: "")
        /// The merchant to pay if a request does not state one: for prompt, card (9F4E) and receipt.
        public var payee: Merchant?
        /// Where payments are written before anything acts on them; with `nil`, nothing outlives the process. With a
        /// journal only an ``Authorizer`` answers a card that waits for its issuer:
        /// ``ReaderSession/complete(_:removalTimedOut:)`` is refused.
        public var journal: (any Journal)?
        /// Seals the account data that the journal stores. Without a sealer no account is stored, nothing is deferred,
        /// and every card is asked to go online.
        public var sealer: (any PayloadSealer)?
        /// Recognises taps of the same account, for cards without a Payment Account Reference; without it those are not
        /// deferred.
        public var fingerprints: (any AccountFingerprint)?
        /// Accepts payments that no host has seen: those that a card approves by itself, within the floor limits of the
        /// configuration, and those that are deferred. `nil`, the default: no such payment is accepted, whatever the
        /// configuration says. It needs a ``journal``, a ``sealer`` and ``fingerprints``, which ``TapReader/prepare()``
        /// checks, and a ``DeliveringAuthorizer``, which a charge checks: an approval that nobody reports is money
        /// given away.
        public var offline: OfflinePolicy?
        /// For tools that measure taps and accept no money: cards may approve by themselves, and no host is notified.
        package var takesCardApprovals = false

        /// The options of such tools. A card that already lies on the reader is read.
        package static var ofTools: Options {
            var options = Options(waitsForEmptyField: false)
            options.hasPINPad = true
            options.takesCardApprovals = true
            return options
        }
        /// Receives the figures of every tap and authorisation, without card data; `nil` means nothing is counted.
        public var metrics: (any MetricsSink)?
        /// The texts of the prompts, and their language if the card prefers none of those available.
        public var texts: TextCatalogue = TextCatalogue()

        public init(
            cardTimeout: Duration? = .seconds(90), waitsForEmptyField: Bool = true, random: RandomSource = .system,
            timer: any Clock<Duration> = ContinuousClock(), journal: (any Journal)? = nil,
            sealer: (any PayloadSealer)? = nil, fingerprints: (any AccountFingerprint)? = nil,
            offline: OfflinePolicy? = nil
        ) {
            self.cardTimeout = cardTimeout
            self.waitsForEmptyField = waitsForEmptyField
            self.random = random
            self.timer = timer
            self.journal = journal
            self.sealer = sealer
            self.fingerprints = fingerprints
            self.offline = offline
        }
    }
}
