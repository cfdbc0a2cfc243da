// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    /// Problems have their English texts in `ProblemTable`.
    static let english = """
        message.03 Approved
        message.07 Not authorised
        message.09 Enter PIN
        message.0F Processing error
        message.10 Remove card
        message.14 Welcome
        message.15 Present card
        message.16 Processing
        message.17 Card read, remove card
        message.18 Insert or swipe card
        message.19 One card only
        message.1A Approved, signature required
        message.1B Authorisation in progress
        message.1C Insert or swipe card, or try another card
        message.1D Insert card
        message.20 Instructions on phone
        message.21 Present card again
        label.payment Contactless payment
        label.cash Cash withdrawal
        label.cashBack Payment with cash back
        label.refund Refund
        label.lookUp Look up
        label.storeCard Store card
        label.verify Verify
        label.openTab Open tab
        loyalty.label Loyalty card
        loyalty.read Loyalty card read
        loyalty.present Present phone
        loyalty.choose Loyalty card choice on phone
        loyalty.unlock Unlock phone
        loyalty.again Present phone again
        loyalty.none No loyalty card found
        loyalty.signUp Sign-up offer on phone
        loyalty.failed Loyalty card not read
        enrollment.required Terms to accept before the first payment
        enrollment.adminRequired Administrator access required to accept the terms
        enrollment.outdated New terms to accept
        enrollment.revoked Acceptance of the terms revoked
        enrollment.accepted Terms accepted
        alternative.retry Present same card again
        alternative.startAgain Start the payment again
        alternative.anotherCard Use another card
        alternative.otherInterface.chip Insert card
        alternative.otherInterface.swipe Swipe card
        alternative.otherInterface.chipOrSwipe Insert or swipe card
        alternative.enterPIN Enter PIN
        alternative.waitAndRetry Try again in a moment
        alternative.askHost Look up this payment
        alternative.checkReader Check the reader
        alternative.correctRequest Correct the amount
        alternative.administrator Sign in as administrator
        alternative.update Update the reader
        alternative.payRest Pay the rest another way
        alternative.cash Cash
        alternative.paymentLink Payment link
        alternative.help Help
        amount.total Total
        amount.approved Approved amount
        amount.due Amount due
        amount.balance Remaining balance
        amount.cashBack Cash back
        amount.pending Amount pending
        amount.preauthorization Preauthorised amount
        amount.later Due later
        amount.later.day Due on
        amount.membership.weekly Every week
        amount.membership.monthly Every month
        amount.membership.yearly Every year
        amount.installment.weekly Weekly instalment
        amount.installment.monthly Monthly instalment
        amount.installment.yearly Yearly instalment
        amount.line.item Price
        amount.line.charge Surcharge
        amount.line.discount Discount
        amount.line.tip Tip
        amount.line.tax Tax
        amount.line.donation Donation
        amount.line.recurring Recurring payment
        amount.line.installment Instalment
        progress.preparing Reader in preparation
        progress.authorizing Authorisation in progress
        progress.reversing Reversal in progress
        headline.approved Approved
        headline.accepted Accepted, authorisation pending
        headline.signature Approved, signature required
        headline.part Approved in part, rest still open
        headline.verified Card verified
        headline.authorizing Authorisation in progress
        headline.declined Payment declined
        headline.notCompleted Payment not completed
        headline.otherCard Another card needed
        headline.otherInterface Insert or swipe card
        headline.pin PIN required
        headline.wait Try again in a moment
        headline.request Amount or request to correct
        headline.reader Reader to check
        headline.setUp Set-up required
        headline.unknown Result not known yet
        receipt.customerCopy Customer copy
        receipt.merchantCopy Merchant copy
        receipt.purchase Purchase
        receipt.cash Cash withdrawal
        receipt.cashBack Purchase with cash back
        receipt.refund Refund
        receipt.capture Preauthorisation completion
        receipt.increment Incremental preauthorisation
        receipt.void Cancellation
        receipt.verification Card verification
        receipt.via Through
        receipt.terminal Terminal
        receipt.merchant Merchant number
        receipt.sequence Transaction
        receipt.reference Reference
        receipt.original Original payment
        receipt.card Card
        receipt.cardSequence Card sequence
        receipt.entry Entry
        receipt.contactless Contactless
        receipt.application Application
        receipt.authorizationCode Authorisation code
        receipt.responseCode Response code
        receipt.cryptogram Cryptogram
        receipt.verified Verification
        receipt.cvm.signature Signature
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm On device
        receipt.signature Signature
        receipt.approved Approved
        receipt.approvedOffline Approved offline
        receipt.declined Declined
        receipt.notCompleted Not completed
        receipt.unknown Result not known yet
        receipt.accepted Accepted, authorisation pending
        receipt.approvedLater Paid, authorised later
        receipt.declinedLater Not paid, authorisation declined
        receipt.verifiedCard Card verified
        receipt.nothingCharged Nothing charged
        receipt.nothingRefunded Nothing refunded
        receipt.notYetCharged Reserved, not charged yet
        delivery.title Receipt
        delivery.print Print
        delivery.mail E-mail
        delivery.message Text message
        delivery.code QR code
        delivery.none No receipt
        delivery.address.mail E-mail address
        delivery.address.message Mobile number
        education.start.title Start of a contactless payment
        education.start.1 Enter the final amount, tips and discounts included
        education.start.2 Choose contactless payment
        education.start.3 Turn the reader towards the customer
        education.card.title Contactless cards
        education.card.1 Hold the card flat and still at this place
        education.card.2 Keep all other cards away from the reader
        education.card.3 Remove the card after the signal, then wait for the result
        education.device.title Phones and watches
        education.device.1 Unlock the phone or watch first
        education.device.2 Hold its top at this place
        education.device.3 Follow the instructions on it where it shows some, then present it again
        education.pin.title PIN entry
        education.pin.1 Hand the PIN pad to the customer
        education.pin.2 Look away during PIN entry
        education.pin.3 Expect a PIN request after the answer of the bank, too
        education.accessibility.title PIN entry without sight
        education.accessibility.1 Start accessibility mode before PIN entry, on the customer's request
        education.accessibility.2 Guide a finger to the raised mark on key 5
        education.accessibility.3 Allow all the time needed, and never ask for the PIN
        education.result.title Results
        education.result.1 Show the result to the customer, approved or declined
        education.result.2 Offer a receipt in either case
        education.result.3 Offer another card or another way to pay after a decline
        education.try.title A trial without money
        education.try.1 Start a test payment with the simulated reader
        education.try.2 Play through a decline and a PIN before the first customer
        antenna.symbol Contactless symbol on the reader
        antenna.display Middle of the reader's display
        antenna.top Upper edge of the reader
        antenna.surface Middle of the reader's surface
        antenna.slot Far from the chip slot, on the upper side
        """
}
