// SPDX-License-Identifier: Apache-2.0
// Creates receipts from the data of a tap, an authorisation and the journal.
extension Receipt {
    /// Creates a receipt of a read. A PIN is not part of a read: if one was entered and approved, set ``verification``.
    ///
    /// - Parameters:
    ///   - read: the card as read.
    ///   - kind: the kind of transaction.
    ///   - result: the result to print.
    ///   - total: the requested amount.
    ///   - merchant: the payee.
    ///   - moment: the local date and time of the tap.
    ///   - label: name of the application if the card gives none; without it the name of the card's network.
    public init(
        _ read: CardRead, kind: Kind = .purchase, result: Result, total: Money, merchant: Merchant, moment: LocalTime,
        label: String? = nil
    ) {
        self.init(
            ReceiptData(card: StoredRead(read)) { read.dataRecord[$0] ?? read.discretionary[$0] }, kind: kind,
            result: result, total: total, merchant: merchant, moment: moment, label: label)
        configuration = read.tap?.configuration
        // The kernel shows a balance that the card allows to be shown (Book C-3, 4.3.1.1).
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

    /// Creates the receipt of a payment that was authorised or refused. Amount, bill, moment, counter and key come from
    /// the tap. `nil` while the payment is in progress, and if no payee is named.
    ///
    /// - Parameters:
    ///   - read: the card as read, with its tap.
    ///   - result: `nil` without a request; then the read itself was approved or declined.
    ///   - merchant: `nil` means the merchant of the request or the reader.
    ///   - label: name of the application if the card gives none.
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

    /// Adds the data of an approval.
    mutating func add(_ approval: Approval) {
        if !approval.code.isEmpty { authorizationCode = approval.code }
        responseCode = approval.responseCode
        approvedAmount = approval.approvedAmount == total ? nil : approval.approvedAmount
        balance = approval.balance ?? balance
        if approval.isPINVerified { verification = .onlinePIN }
    }

    /// Creates the receipt of a card that was read without an amount.
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

    /// Creates a receipt from the journal's data of a payment or a follow-up, for any payee; `nil` if no card was read,
    /// and if a person gave the payment up.
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
            // An answer that recovery requested does not prove that the request carried a PIN; a deferred record
            // carries no PIN.
            if tap.isPINSent, tap.queuedAs == nil { verification = .onlinePIN }
        case .declined(let decline): responseCode = decline.responseCode ?? responseCode
        case .accepted, .notCompleted, .unknown, .setAside, .writtenOff: break
        }
    }

    /// No card was present for a follow-up, so it has no data of a dialogue with a card: only the card's identity is
    /// kept.
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

    /// Creates the receipt of a payment that ``Settlement`` settled, also after a crash, from the journal's data. `nil`
    /// if no card was read, and if a person gave the payment up.
    ///
    /// A follow-up has a separate receipt, with the card and the reference of its payment (``original``).
    ///
    /// The journal stores no bill and no terminal identifier. They come from the receipt that the app passed when it
    /// acknowledged an earlier state; the app may set others.
    ///
    /// - Parameters:
    ///   - settled: the settled payment.
    ///   - merchant: the merchant that was paid.
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

    /// Returns the verification that a card asked for, if it took place without the issuer: a device has verified its
    /// user before the tap; nobody signs for a payment that was not taken.
    private static func verification(_ cvm: Outcome.CVM, _ result: Result) -> Outcome.CVM? {
        switch (cvm, result) {
        case (.none, _), (.onlinePIN, _), (.notApplicable, _), (_, .declined): nil
        case (.signature, .notCompleted), (.signature, .unknown): nil
        case (.signature, _), (.cdcvm, _): cvm
        }
    }

    /// Returns the response code of EMV Book 4, table 35.
    private static func offlineResponse(_ authorization: CardRead.Authorization, _ result: Result) -> String? {
        switch (authorization, result) {
        case (.approvedOffline, .approvedOffline): "Y1"
        case (.declined, .declined): "Z1"
        default: nil
        }
    }
}

/// The card's data for a receipt, after the tap and from a journal alike.
private struct ReceiptData {
    let card: StoredRead
    let object: (Tag) -> Bytes?

    subscript(tag: Tag) -> Bytes? { object(tag) }

    var applicationIdentifier: Bytes { card.application?.identifier ?? self[0x84] ?? self[0x9F06] ?? [] }

    /// The preferred name if its code table is supported (EMV Book 4, 11.3), otherwise the label.
    var label: String? { card.application.flatMap { $0.label.isEmpty ? nil : $0.label } }

    /// Without 9F27 the authorisation determines the type: an offline approval has a TC, an online one an ARQC.
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
    /// Returns `nil` if a person gave the payment up, because nothing is known of it.
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

    /// Returns `nil` while the payment is in progress.
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
