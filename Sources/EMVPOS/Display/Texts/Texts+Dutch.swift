// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let dutch = """
        message.03 Goedgekeurd
        message.07 Niet geautoriseerd
        message.09 Pincode invoeren
        message.0F Fout bij de verwerking
        message.10 Kaart wegnemen
        message.14 Welkom
        message.15 Kaart aanbieden
        message.16 Bezig met verwerken
        message.17 Kaart gelezen, kaart wegnemen
        message.18 Kaart insteken of doorhalen
        message.19 Slechts één kaart
        message.1A Goedgekeurd, handtekening vereist
        message.1B Bezig met autoriseren
        message.1C Kaart insteken of doorhalen, of andere kaart proberen
        message.1D Kaart insteken
        message.20 Instructies op de telefoon
        message.21 Kaart opnieuw aanbieden
        label.payment Contactloze betaling
        label.cash Geldopname
        label.cashBack Betaling met geldopname
        label.refund Terugbetaling
        label.lookUp Opzoeken
        label.storeCard Kaart bewaren
        label.verify Controleren
        label.openTab Rekening openen
        loyalty.label Klantenkaart
        loyalty.read Klantenkaart gelezen
        loyalty.present Telefoon aanbieden
        loyalty.choose Klantenkaart kiezen op telefoon
        loyalty.unlock Telefoon ontgrendelen
        loyalty.again Telefoon opnieuw aanbieden
        loyalty.none Geen klantenkaart gevonden
        loyalty.signUp Aanmelding op de telefoon
        loyalty.failed Klantenkaart niet gelezen
        enrollment.required Voorwaarden te aanvaarden vóór de eerste betaling
        enrollment.adminRequired Beheerderstoegang vereist om de voorwaarden te aanvaarden
        enrollment.outdated Nieuwe voorwaarden te aanvaarden
        enrollment.revoked Aanvaarding van de voorwaarden ingetrokken
        enrollment.accepted Voorwaarden aanvaard
        alternative.retry Dezelfde kaart opnieuw aanbieden
        alternative.startAgain Betaling opnieuw beginnen
        alternative.anotherCard Andere kaart gebruiken
        alternative.otherInterface.chip Kaart insteken
        alternative.otherInterface.swipe Kaart doorhalen
        alternative.otherInterface.chipOrSwipe Kaart insteken of doorhalen
        alternative.enterPIN Pincode invoeren
        alternative.waitAndRetry Over een ogenblik opnieuw proberen
        alternative.askHost Deze betaling opzoeken
        alternative.checkReader Lezer controleren
        alternative.correctRequest Bedrag corrigeren
        alternative.administrator Aanmelden als beheerder
        alternative.update Lezer bijwerken
        alternative.payRest Rest anders betalen
        alternative.cash Contant geld
        alternative.paymentLink Betaallink
        alternative.help Hulp
        amount.total Totaal
        amount.approved Goedgekeurd bedrag
        amount.due Nog te betalen
        amount.balance Resterend saldo
        amount.cashBack Geldopname
        amount.pending Bedrag nog niet bekend
        amount.preauthorization Vooraf geautoriseerd bedrag
        amount.later Later te betalen
        amount.later.day Te betalen op
        amount.membership.weekly Elke week
        amount.membership.monthly Elke maand
        amount.membership.yearly Elk jaar
        amount.installment.weekly Wekelijkse termijn
        amount.installment.monthly Maandelijkse termijn
        amount.installment.yearly Jaarlijkse termijn
        amount.line.item Prijs
        amount.line.charge Toeslag
        amount.line.discount Korting
        amount.line.tip Fooi
        amount.line.tax Belasting
        amount.line.donation Donatie
        amount.line.recurring Terugkerende betaling
        amount.line.installment Termijn
        progress.preparing Lezer in voorbereiding
        progress.authorizing Bezig met autoriseren
        progress.reversing Bezig met terugdraaien
        headline.approved Goedgekeurd
        headline.accepted Geaccepteerd, autorisatie volgt
        headline.signature Goedgekeurd, handtekening vereist
        headline.part Gedeeltelijk goedgekeurd, rest open
        headline.verified Kaart gecontroleerd
        headline.authorizing Bezig met autoriseren
        headline.declined Betaling geweigerd
        headline.notCompleted Betaling niet voltooid
        headline.otherCard Andere kaart nodig
        headline.otherInterface Kaart insteken of doorhalen
        headline.pin Pincode vereist
        headline.wait Over een ogenblik opnieuw proberen
        headline.request Bedrag of verzoek te corrigeren
        headline.reader Lezer te controleren
        headline.setUp Configuratie vereist
        headline.unknown Resultaat nog niet bekend
        receipt.customerCopy Exemplaar voor de klant
        receipt.merchantCopy Exemplaar voor de winkel
        receipt.purchase Aankoop
        receipt.cash Geldopname
        receipt.cashBack Aankoop met geldopname
        receipt.refund Terugbetaling
        receipt.capture Afronding voorautorisatie
        receipt.increment Verhoging voorautorisatie
        receipt.void Annulering
        receipt.verification Kaartcontrole
        receipt.via Via
        receipt.terminal Terminal
        receipt.merchant Winkelnummer
        receipt.sequence Transactie
        receipt.reference Kenmerk
        receipt.original Oorspronkelijke betaling
        receipt.card Kaart
        receipt.cardSequence Volgnummer kaart
        receipt.entry Leesmethode
        receipt.contactless Contactloos
        receipt.application Toepassing
        receipt.authorizationCode Autorisatiecode
        receipt.responseCode Antwoordcode
        receipt.cryptogram Cryptogram
        receipt.verified Controle
        receipt.cvm.signature Handtekening
        receipt.cvm.onlinePIN Pincode
        receipt.cvm.cdcvm Op het toestel
        receipt.signature Handtekening
        receipt.approved Goedgekeurd
        receipt.approvedOffline Offline goedgekeurd
        receipt.declined Geweigerd
        receipt.notCompleted Niet voltooid
        receipt.unknown Resultaat nog niet bekend
        receipt.accepted Geaccepteerd, autorisatie volgt
        receipt.approvedLater Betaald, later geautoriseerd
        receipt.declinedLater Niet betaald, autorisatie geweigerd
        receipt.verifiedCard Kaart gecontroleerd
        receipt.nothingCharged Niets afgeschreven
        receipt.nothingRefunded Niets terugbetaald
        receipt.notYetCharged Gereserveerd, nog niet afgeschreven
        delivery.title Bon
        delivery.print Afdrukken
        delivery.mail E-mail
        delivery.message Sms
        delivery.code QR-code
        delivery.none Geen bon
        delivery.address.mail E-mailadres
        delivery.address.message Mobiel nummer
        education.start.title Begin van een contactloze betaling
        education.start.1 Eindbedrag invoeren, met fooi en korting
        education.start.2 Contactloze betaling kiezen
        education.start.3 Lezer naar de klant draaien
        education.card.title Contactloze kaarten
        education.card.1 Kaart plat en stil op deze plaats houden
        education.card.2 Alle andere kaarten bij de lezer weghouden
        education.card.3 Kaart na het signaal wegnemen, dan op het resultaat wachten
        education.device.title Telefoons en horloges
        education.device.1 Telefoon of horloge eerst ontgrendelen
        education.device.2 Bovenkant op deze plaats houden
        education.device.3 Instructies op het scherm volgen, dan het toestel opnieuw aanbieden
        education.pin.title Invoer van de pincode
        education.pin.1 Pinpad aan de klant geven
        education.pin.2 Wegkijken tijdens de invoer
        education.pin.3 Ook na het antwoord van de bank op een vraag naar de pincode rekenen
        education.accessibility.title Invoer van de pincode zonder zicht
        education.accessibility.1 Toegankelijkheidsmodus vóór de invoer starten, op verzoek van de klant
        education.accessibility.2 Vinger naar het voelbare merkteken op toets 5 leiden
        education.accessibility.3 Alle nodige tijd geven en nooit naar de pincode vragen
        education.result.title Resultaten
        education.result.1 Resultaat aan de klant tonen, goedgekeurd of geweigerd
        education.result.2 In beide gevallen een bon aanbieden
        education.result.3 Na een weigering een andere kaart of betaalwijze aanbieden
        education.try.title Een proef zonder geld
        education.try.1 Proefbetaling met de gesimuleerde lezer starten
        education.try.2 Vóór de eerste klant een weigering en een pincode oefenen
        antenna.symbol Contactloos symbool op de lezer
        antenna.display Midden van het scherm van de lezer
        antenna.top Bovenrand van de lezer
        antenna.surface Midden van het bovenvlak van de lezer
        antenna.slot Bovenkant, ver van de chipgleuf
        problem.amountAboveLimit Bedrag boven de contactloze limiet
        problem.amountAboveKernelLimit Bedrag boven de limiet voor deze kaart
        problem.amountZero Bedrag nul niet toegestaan
        problem.amountNotAllowed Bedrag contactloos niet toegestaan
        problem.amountTooLarge Bedrag van meer dan 12 cijfers
        problem.currencyInvalid Valuta buiten ISO 4217
        problem.currencyConflict Verschillende valuta's in één betaling
        problem.cashBackAboveAmount Geldopname boven het totaalbedrag
        problem.cashBackZero Geldopname van nul
        problem.lineItemsMismatch Regels anders dan het totaal
        problem.transactionTypeNotConfigured Soort betaling niet ingesteld
        problem.currencyNotConfigured Valuta niet ingesteld
        problem.preferredApplicationInvalid Toepassingskenmerk niet van 5 tot 16 bytes
        problem.requestInvalid Verzoek in strijd met de configuratie
        problem.linkTimedOut Geen antwoord van de kaart
        problem.linkDisturbed Gestoorde verbinding met de kaart
        problem.linkProtocolFailed Kaart buiten het contactloze protocol
        problem.cardRemovedEarly Kaart te vroeg weggenomen
        problem.cardDataInvalid Kaartgegevens ontbrekend of onjuist
        problem.cardStatusUnexpected Onverwacht antwoord van de kaart
        problem.cardDataTooLarge Te veel gegevens op de kaart voor de lezer
        problem.cardSwitched Verschillende kaarten tijdens één betaling
        problem.cardProtectionFailed Tegenstrijdige kaartgegevens
        problem.severalCards Meerdere kaarten bij de lezer
        problem.tooManyPresentments Kaart te vaak aangeboden
        problem.applicationsExhausted Geen bruikbare toepassing op de kaart
        problem.deviceNotUnlocked Telefoon of horloge nog vergrendeld
        problem.otherInterfaceWanted Kaart niet contactloos voor deze betaling
        problem.cardDeclined Betaling door de kaart geweigerd
        problem.insufficientOfflineBalance Saldo op de kaart te laag
        problem.issuerAnswerRefused Antwoord van de bank door de kaart geweigerd
        problem.networkUnsupported Kaartnetwerk niet geaccepteerd
        problem.preferredApplicationAbsent Gekozen toepassing niet op de kaart
        problem.issuerCountryUnsupported Land van de kaart niet geaccepteerd
        problem.issuerCountryUnknown Land van de kaart onbekend
        problem.pinRequired Pincode vereist
        problem.pinPadMissing Pincode vereist, geen pinpad
        problem.pinCancelled Invoer van de pincode afgebroken
        problem.pinTimedOut Pincode niet op tijd ingevoerd
        problem.pinBypassed Invoer van de pincode overgeslagen
        problem.pinPadFailed Pinpad defect
        problem.pinAttemptsExceeded Te veel pogingen met pincode
        problem.incorrectPIN Onjuiste pincode
        problem.cancelledByPerson Betaling afgebroken
        problem.cancelledByProgram Betaling door de app afgebroken
        problem.cardTimedOut Kaart niet op tijd aangeboden
        problem.cardNotRemoved Vorige kaart nog op de lezer
        problem.stoppedByTerminal Betaling door de terminal gestopt
        problem.suspended App op de achtergrond
        problem.superseded Betaling door een latere vervangen
        problem.readerDetached Lezer losgekoppeld
        problem.readerMissing Geen lezer aangesloten
        problem.readerServiceMissing Kaartlezerdienst niet gestart
        problem.readerInUse Lezer bezet door een ander programma
        problem.readerUnsupported Lezer zonder de benodigde functies
        problem.readerFailed Lezer defect
        problem.readerBusy Andere betaling bij deze lezer
        problem.notPrepared Lezer niet voorbereid
        problem.preparationCancelled Voorbereiding afgebroken
        problem.nothingToComplete Geen betaling in afwachting van antwoord
        problem.randomMissing Geen bruikbaar toevalsgetal
        problem.kernelDefect Fout in de betaalkern
        problem.configurationInvalid Configuratie ongeldig
        problem.configurationExpired Configuratie verlopen
        problem.configurationExpiresSoon Configuratie binnenkort verlopen
        problem.caKeysMissing Geen sleutel van de autoriteit voor een netwerk
        problem.caKeyExpired Sleutel van de autoriteit verlopen
        problem.testKeys Testsleutels in de configuratie
        problem.enrollmentRequired Voorwaarden nog niet aanvaard
        problem.enrollmentRevoked Aanvaarding van de voorwaarden ingetrokken
        problem.enrollmentOutdated Nieuwe voorwaarden nog niet aanvaard
        problem.administratorRequired Beheerderstoegang vereist
        problem.enrollmentSignatureInvalid Bewijs van aanvaarding niet echt
        problem.enrollmentStoreFailed Bewijs van aanvaarding niet bewaard
        problem.enrollmentUnanswered Geen antwoord op tijd over de voorwaarden
        problem.issuerDeclined Betaling door de bank geweigerd
        problem.insufficientFunds Saldo ontoereikend
        problem.suspectedFraud Vermoeden van fraude bij de bank
        problem.cardExpired Verlopen kaart
        problem.cardLostOrStolen Kaart als verloren of gestolen gemeld
        problem.cardNotPermitted Soort betaling niet toegestaan voor de kaart
        problem.issuerLimitExceeded Limiet van de rekening overschreden
        problem.issuerUnavailable Bank niet bereikbaar
        problem.hostUnreachable Geen verbinding met de betaaldienst
        problem.hostRejected Verzoek door de betaaldienst afgewezen
        problem.authorizationTimedOut Geen antwoord van de betaaldienst op tijd
        problem.authorizationInterrupted Autorisatie onderbroken
        problem.authorizationAnswerLost Antwoord van de betaaldienst verloren
        problem.reversalFailed Resultaat van de betaling onbekend
        problem.authorizationNotPossible Niets te autoriseren
        problem.simulatedRead Gesimuleerde kaart bij een echte betaaldienst
        problem.keyUsed Sleutel van een eerdere betaling
        problem.saleSettled Bestelling al betaald
        problem.saleOpen Eerdere betaling van deze bestelling nog open
        problem.amountAboveDue Bedrag boven de prijs van de bestelling
        problem.refundAbovePaid Terugbetaling boven het betaalde bedrag
        problem.captureAboveAuthorized Bedrag boven het geautoriseerde bedrag
        problem.alreadyVoided Betaling al geannuleerd
        problem.followUpNotPossible Niet mogelijk voor deze betaling
        problem.approvedInPart Slechts een deel van het bedrag goedgekeurd
        problem.offlineLimitReached Grens van betalingen zonder verbinding bereikt
        problem.offlineAmountAboveLimit Bedrag boven grens zonder verbinding
        problem.offlineCardLimitReached Kaartgrens zonder verbinding bereikt
        problem.offlineTooLong Te lang zonder verbinding
        problem.issuerDataTooLong Gegevens van de bank te lang voor een kaart
        problem.chipRequested Chip van de kaart gevraagd door de bank
        problem.journalFailed Betaling niet vastgelegd
        problem.journalFull Opslag voor betalingen vol
        problem.journalInUse Betalingsgegevens in gebruik bij ander programma
        problem.journalDamaged Betalingsgegevens beschadigd
        problem.journalRestored Betalingsgegevens teruggezet uit back-up
        problem.own Andere oorzaak
        """

    static let dutchRemedies = """
        Enter an amount above zero = Bedrag boven nul invoeren
        Enter an amount of at most 12 digits = Bedrag van ten hoogste 12 cijfers invoeren
        Use a numeric code up to 999 and at most 4 decimals = Cijfercode tot 999 en ten hoogste 4 decimalen gebruiken
        Use one currency for all amounts = Eén valuta voor alle bedragen gebruiken
        Include the cash back in the total = Geldopname in het totaal opnemen
        Enter a cash back above zero, or choose a purchase = Geldopname boven nul invoeren, of aankoop kiezen
        Make the line items add up to the total = Regels en totaal met elkaar in overeenstemming brengen
        Configure a combination for this kind of payment = Combinatie voor deze soort betaling instellen
        Use identifiers of 5 to 16 bytes = Kenmerken van 5 tot 16 bytes gebruiken
        Change the request to fit the configuration = Verzoek aan de configuratie aanpassen
        Hold the card flat and still on the reader = Kaart plat en stil op de lezer houden
        Use the chip of the card, or another card = Chip van de kaart of andere kaart gebruiken
        Hold the card on the reader until the signal = Kaart tot het signaal op de lezer houden
        Present the same card each time = Elke keer dezelfde kaart aanbieden
        Take the card out of the wallet and present it alone = Kaart uit de portemonnee halen en alleen die aanbieden
        Follow the instructions on the phone, then present it again = \
        Instructies op de telefoon volgen, dan opnieuw aanbieden
        Use the chip or magnetic stripe of the card = Chip of magneetstrip van de kaart gebruiken
        Use another card, or another way to pay = Andere kaart of andere betaalwijze gebruiken
        Use a card of an accepted network = Kaart van een geaccepteerd netwerk gebruiken
        Make another choice, or use another card = Andere keuze maken, of andere kaart gebruiken
        Use a card of an accepted country = Kaart uit een geaccepteerd land gebruiken
        Use a card that names its country = Kaart met opgave van het land gebruiken
        Enter the PIN on the PIN pad = Pincode op het pinpad invoeren
        Use the chip of the card, or a payment link = Chip van de kaart of betaallink gebruiken
        Try again, or use another way to pay = Opnieuw proberen, of andere betaalwijze gebruiken
        Try again with PIN, or use another way to pay = Opnieuw proberen met pincode, of andere betaalwijze gebruiken
        Check the connection of the PIN pad, or pay another way = \
        Aansluiting van het pinpad controleren, of anders betalen
        Try again with the right PIN = Opnieuw proberen met de juiste pincode
        Start a new payment = Nieuwe betaling starten
        Try again = Opnieuw proberen
        Start a new payment with the app in the foreground = Nieuwe betaling starten met de app op de voorgrond
        Continue with the later payment = Doorgaan met de latere betaling
        Check the cable or pairing of the reader = Kabel of koppeling van de lezer controleren
        Start the reader service = Lezerdienst starten
        Close the other program = Het andere programma afsluiten
        Use a contactless reader = Contactloze lezer gebruiken
        Unplug the reader and plug it in again = Lezer losmaken en weer aansluiten
        Wait for the other payment to end = Einde van de andere betaling afwachten
        Prepare the reader = Lezer voorbereiden
        Prepare the reader again = Lezer opnieuw voorbereiden
        Restart the device = Toestel opnieuw starten
        Report the problem to support = Probleem aan de klantenservice melden
        Correct the configuration = Configuratie corrigeren
        Load a new configuration = Nieuwe configuratie laden
        Load a configuration with the keys of the network = Configuratie met de sleutels van het netwerk laden
        Load a configuration with current keys = Configuratie met geldige sleutels laden
        Load the keys of the networks before live payments = Sleutels van de netwerken laden vóór echte betalingen
        Ask an administrator to accept the terms = Voorwaarden door een beheerder laten aanvaarden
        Contact the payment provider = Contact opnemen met de betaaldienst
        Sign in as an administrator = Aanmelden als beheerder
        Request a genuine record from the payment provider = Echt bewijs bij de betaaldienst aanvragen
        Check the storage of the device = Geheugen van het toestel controleren
        Use another way to pay = Andere betaalwijze gebruiken
        Try again later, or use another card = Later opnieuw proberen, of andere kaart gebruiken
        Check the network connection of the device = Netwerkverbinding van het toestel controleren
        Check the settings of the merchant account = Instellingen van de winkelrekening controleren
        Nothing charged, start a new payment = Niets afgeschreven, nieuwe betaling starten
        Look up the payment at the provider before a new one = Betaling vóór een nieuwe opzoeken bij de dienst
        Read the card for a payment = Kaart lezen voor een betaling
        Use a real card, or acceptsSimulatedReads of a test host = \
        Echte kaart gebruiken, of acceptsSimulatedReads bij een test
        Remove the card, then start a new payment = Kaart wegnemen, dan nieuwe betaling starten
        Use a new key for every payment = Voor elke betaling een nieuwe sleutel gebruiken
        Check the receipt of the payment = Bon van de betaling controleren
        Finish the earlier payment first = Eerst de eerdere betaling afronden
        Enter at most the price = Hoogstens de prijs invoeren
        Enter at most the payment less refunds = Hoogstens de betaling min terugbetalingen invoeren
        Enter at most the authorized amount = Hoogstens het geautoriseerde bedrag invoeren
        Free up space on the device = Ruimte vrijmaken op het toestel
        """
}
