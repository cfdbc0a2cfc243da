// SPDX-License-Identifier: Apache-2.0
// How a receipt is made of what a tap, an authorisation and the journal know.
extension Receipt {
    /// A PIN is no part of a read: where one was entered and approved, set ``verification``.
    ///
    /// - Parameters:
    ///   - read: the card as read.
    ///   - label: name of the application where the card gives none; without it the name of its network.
    public init(
        _ read: CardRead, kind: Kind = .purchase, result: Result, total: Money, merchant: Merchant, moment: LocalTime,
        label: String? = nil
    ) {
        self.init(
            ReceiptData(card: StoredRead(read)) { read.dataRecord[$0] ?? read.discretionary[$0] }, kind: kind,
            result: result, total: total, merchant: merchant, moment: moment, label: label)
        configuration = read.tap?.configuration
        // The kernel shows what a card lets be shown (Book C-3, 4.3.1.1).
        if let value = read.outcome.uiOnOutcome?.value, value.qualifier == .balance,
            let currency = Currency(numeric: value.currency)
        {
            balance = Money(minorUnits: value.amount, currency: currency)
        }
    }

    private init(
        _ data: ReceiptData, kind: Kind, result: Result, total: Money, merchant: Merchant, moment: LocalTime,
        label: String?
    ) {
        self.init(
            kind: kind, result: result, total: total, merchant: merchant, moment: moment,
            applicationIdentifier: Hex.string(data.applicationIdentifier))
        card = data.card.maskedPAN?.lastFourOnly
        cardSequence = data[0x5F34].map { Hex.string($0) }
        applicationLabel =
            data.label ?? label.map { PrintableText.cleaned($0) }
            ?? PaymentScheme(aid: data.applicationIdentifier)?.name
        cryptogram = data.cryptogram
        transactionCounter = data[0x9F36].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        verificationResults = data.card.application?.kernel == 3 ? nil : data[0x95].map { Hex.string($0) }
        statusInformation = data[0x9B].map { Hex.string($0) }
        verification = Receipt.verification(data.card.cvm, result)
        responseCode = Receipt.offlineResponse(data.card.authorization, result)
    }

    /// The receipt of a payment that was authorised, or refused: amount, bill, moment, counter and key are those of the
    /// tap. `nil` while the payment goes on, and where no payee is named.
    ///
    /// - Parameters:
    ///   - result: `nil` without a request; then the read itself was approved or declined.
    ///   - merchant: `nil`: that of the request or the reader.
    ///   - label: name of the application where the card gives none.
    public init?(
        _ read: CardRead, _ result: AuthorizationResult? = nil, merchant: Merchant? = nil, label: String? = nil
    ) {
        guard let tap = read.tap, let request = tap.request, let outcome = Result(read, result),
            let merchant = merchant ?? request.merchant
        else { return nil }
        self.init(
            read, kind: Kind(request.kind), result: outcome, total: request.amount, merchant: merchant,
            moment: tap.moment, label: label)
        if case .cashBack(let part) = request.kind { cashBack = part }
        lines = request.bill?.lines ?? []
        note = request.noteKey
        counter = tap.counter
        reference = tap.key.rawValue
        switch result?.ending {
        case .approved(let approval): add(approval)
        case .declined(let decline): responseCode = decline.responseCode ?? responseCode
        case .accepted, .pinRequested, .failed, .reversed, .unknown, nil: break
        }
    }

    /// What an approval says.
    mutating func add(_ approval: Approval) {
        if !approval.code.isEmpty { authorizationCode = approval.code }
        responseCode = approval.responseCode
        approvedAmount = approval.approvedAmount == total ? nil : approval.approvedAmount
        balance = approval.balance ?? balance
        if approval.isPINVerified { verification = .onlinePIN }
    }

    /// The receipt of a card that was read without an amount.
    public init(_ verification: CardVerification, merchant: Merchant, label: String? = nil) {
        let currency: Currency, later: DueLater?
        switch verification.tap.purpose {
        case .payment(let request): (currency, later) = (request.amount.currency, nil)
        case .verification(let request): (currency, later) = (request.currency, request.later)
        }
        self.init(
            CardRead(authorization: .onlineRequired, outcome: verification.outcome, tap: verification.tap),
            kind: .verification,
            result: .verified, total: Money(minorUnits: 0, currency: currency), merchant: merchant,
            moment: verification.tap.moment,
            label: label)
        self.later = later
        // A cryptogram without an amount approves nothing.
        cryptogram = nil
        self.verification = nil
        counter = verification.tap.counter
        reference = verification.tap.key.rawValue
    }

    /// What the journal knows of a payment or a follow-up, for a receipt to any payee; `nil` where no card was read,
    /// and where a person gave it up.
    ///
    /// - Parameter original: the payment that it follows.
    init?(_ tap: JournaledTap, _ ending: Settled.Ending, of original: JournaledTap?) {
        guard let card = (original ?? tap).read, let result = Result(tap, ending) else { return nil }
        self.init(
            ReceiptData(card: card) { card.clearRecord[$0] }, kind: tap.intent.kind, result: result, total: tap.amount,
            merchant: Merchant(""), moment: tap.intent.moment, label: nil)
        cashBack = tap.intent.cashBack
        note = tap.intent.isEstimated ? TextKey("amount.preauthorization") : nil
        counter = tap.intent.counter
        reference = tap.key.rawValue
        if let followUp = tap.intent.followUp { become(followUp, of: original) }
        switch ending {
        case .approved(let approval):
            add(approval)
            // An answer that recovery asked for does not say that the request carried a PIN; a deferred record
            // carries none.
            if tap.isPINSent, tap.queuedAs == nil { verification = .onlinePIN }
        case .declined(let decline): responseCode = decline.responseCode ?? responseCode
        case .accepted, .notCompleted, .unknown, .setAside, .writtenOff: break
        }
    }

    /// No card was there, and nothing of the dialogue with it belongs to a follow-up: only which card it was.
    private mutating func become(_ followUp: FollowUp, of payment: JournaledTap?) {
        kind = Kind(followUp.action)
        original = followUp.original.rawValue
        counter = nil
        cryptogram = nil
        transactionCounter = nil
        verificationResults = nil
        statusInformation = nil
        verification = nil
        if followUp.kind == .increment { note = TextKey("amount.preauthorization") }
        if let tip = followUp.tip, tip.minorUnits > 0, tip.minorUnits <= total.minorUnits {
            lines = [
                LineItem(.item, minorUnits: Int64(clamping: total.minorUnits - tip.minorUnits)),
                LineItem(.tip, minorUnits: Int64(clamping: tip.minorUnits)),
            ]
        }
        guard let kept = payment?.receipt else { return }
        terminal = kept.terminal
        applicationLabel = kept.applicationLabel ?? applicationLabel
    }

    /// The receipt of a payment that ``Settlement`` settled, after a crash too: made of what the journal keeps. `nil`
    /// where no card was read, and where a person gave the payment up.
    ///
    /// A follow-up has a receipt of its own, with the card and the reference of its payment (``original``).
    ///
    /// The journal keeps no bill and no terminal identifier: they are those of the receipt that the app gave when it
    /// acknowledged an earlier state, and the app's to set otherwise.
    ///
    /// - Parameter merchant: who was paid.
    public init?(_ settled: Settled, merchant: Merchant) {
        guard var receipt = settled.journaled else { return nil }
        receipt.merchant = merchant
        if let kept = settled.receipt, kept.reference == receipt.reference {
            if kept.total == receipt.total, !kept.lines.isEmpty { receipt.lines = kept.lines }
            receipt.note = kept.note
            receipt.terminal = kept.terminal
            receipt.balance = receipt.balance ?? kept.balance
            receipt.applicationLabel = kept.applicationLabel ?? receipt.applicationLabel
            receipt.configuration = kept.configuration
        }
        self = receipt
    }

    /// What a card asked for, as far as it has happened without the issuer's word: a device has verified its user
    /// before the tap; nobody signs a payment that was not taken.
    private static func verification(_ cvm: Outcome.CVM, _ result: Result) -> Outcome.CVM? {
        switch (cvm, result) {
        case (.none, _), (.onlinePIN, _), (.notApplicable, _), (_, .declined): nil
        case (.signature, .notCompleted), (.signature, .unknown): nil
        case (.signature, _), (.cdcvm, _): cvm
        }
    }

    /// EMV Book 4, table 35.
    private static func offlineResponse(_ authorization: CardRead.Authorization, _ result: Result) -> String? {
        switch (authorization, result) {
        case (.approvedOffline, .approvedOffline): "Y1"
        case (.declined, .declined): "Z1"
        default: nil
        }
    }
}

/// What a receipt takes of a card, after the tap and from a journal alike.
private struct ReceiptData {
    let card: StoredRead
    let object: (Tag) -> Bytes?

    subscript(tag: Tag) -> Bytes? { object(tag) }

    var applicationIdentifier: Bytes { card.application?.identifier ?? self[0x84] ?? self[0x9F06] ?? [] }

    /// The preferred name where its code table is one that is known here (EMV Book 4, 11.3), else the label.
    var label: String? { card.application.flatMap { $0.label.isEmpty ? nil : $0.label } }

    /// Without 9F27 the authorisation tells: an offline approval rests on a TC, an online one on an ARQC.
    var cryptogram: Receipt.Cryptogram? {
        guard let value = self[0x9F26] else { return nil }
        let kind: Receipt.Cryptogram.Kind =
            switch self[0x9F27]?.first.map({ $0 & 0xC0 }) {
            case 0x40: .tc
            case 0x80: .arqc
            case 0x00: .aac
            default:
                switch card.authorization {
                case .approvedOffline: .tc
                case .onlineRequired: .arqc
                case .declined: .aac
                }
            }
        return Receipt.Cryptogram(kind: kind, value: Hex.string(value))
    }
}

extension Receipt.Kind {
    fileprivate init(_ action: FollowUp.Action) {
        self =
            switch action {
            case .capture: .capture
            case .increment: .increment
            case .refund: .refund
            case .void: .void
            }
    }
}

extension Receipt.Result {
    /// `nil` where a person gave the payment up: nothing is known of it.
    fileprivate init?(_ tap: JournaledTap, _ ending: Settled.Ending) {
        let isDeferred = tap.queuedAs == .deferredAuthorization
        switch ending {
        case .approved(let approval):
            self = isDeferred ? .approvedLater : approval.origin == .card ? .approvedOffline : .approved
        case .declined: self = isDeferred ? .declinedLater : .declined
        case .accepted: self = .accepted
        case .notCompleted: self = .notCompleted
        case .unknown: self = .unknown
        case .setAside: self = tap.queuedAs == .offlineApproval ? .approvedOffline : .accepted
        case .writtenOff: return nil
        }
    }

    /// `nil` where the payment goes on.
    fileprivate init?(_ read: CardRead, _ result: AuthorizationResult?) {
        switch result?.ending {
        case .approved(let approval): self = approval.origin == .card ? .approvedOffline : .approved
        case .declined: self = .declined
        case .accepted: self = .accepted
        case .failed, .reversed: self = .notCompleted
        case .unknown: self = .unknown
        case .pinRequested: return nil
        case nil:
            switch read.authorization {
            case .approvedOffline: self = read.isDelayed ? .accepted : .approvedOffline
            case .declined: self = .declined
            case .onlineRequired: return nil
            }
        }
    }
}
