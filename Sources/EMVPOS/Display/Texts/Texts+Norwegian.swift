// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let norwegian = """
        message.03 Godkjent
        message.07 Ikke godkjent
        message.09 Tast PIN
        message.0F Behandlingsfeil
        message.10 Fjern kortet
        message.14 Velkommen
        message.15 Vis kortet
        message.16 Behandles
        message.17 Kortet lest, fjern kortet
        message.18 Sett inn eller dra kortet
        message.19 Bare ett kort
        message.1A Godkjent, signatur kreves
        message.1B Autorisering pågår
        message.1C Sett inn eller dra kortet, eller bruk et annet kort
        message.1D Sett inn kortet
        message.20 Instruksjoner på telefonen
        message.21 Vis kortet igjen
        label.payment Kontaktløs betaling
        label.cash Kontantuttak
        label.cashBack Betaling med kontantuttak
        label.refund Refusjon
        label.lookUp Slå opp
        label.storeCard Lagre kortet
        label.verify Verifiser
        label.openTab Åpne regning
        loyalty.label Fordelskort
        loyalty.read Fordelskort lest
        loyalty.present Vis telefonen
        loyalty.choose Velg fordelskort på telefonen
        loyalty.unlock Lås opp telefonen
        loyalty.again Vis telefonen igjen
        loyalty.none Fant ikke noe fordelskort
        loyalty.signUp Innmelding på telefonen
        loyalty.failed Fordelskort ikke lest
        enrollment.required Vilkår å godta før første betaling
        enrollment.adminRequired Administratortilgang kreves for å godta vilkårene
        enrollment.outdated Nye vilkår å godta
        enrollment.revoked Godtakelse av vilkårene trukket tilbake
        enrollment.accepted Vilkår godtatt
        alternative.retry Vis samme kort igjen
        alternative.startAgain Start betalingen på nytt
        alternative.anotherCard Bruk et annet kort
        alternative.otherInterface.chip Sett inn kortet
        alternative.otherInterface.swipe Dra kortet
        alternative.otherInterface.chipOrSwipe Sett inn eller dra kortet
        alternative.enterPIN Tast PIN
        alternative.waitAndRetry Prøv igjen om litt
        alternative.askHost Slå opp betalingen
        alternative.checkReader Kontroller leseren
        alternative.correctRequest Rett beløpet
        alternative.administrator Logg inn som administrator
        alternative.update Oppdater leseren
        alternative.payRest Betal resten på en annen måte
        alternative.cash Kontanter
        alternative.paymentLink Betalingslenke
        alternative.help Hjelp
        amount.total Totalt
        amount.approved Godkjent beløp
        amount.due Gjenstår å betale
        amount.balance Gjenværende saldo
        amount.cashBack Kontantuttak
        amount.pending Beløp ikke fastsatt
        amount.preauthorization Reservert beløp
        amount.later Å betale senere
        amount.later.day Forfallsdato
        amount.membership.weekly Hver uke
        amount.membership.monthly Hver måned
        amount.membership.yearly Hvert år
        amount.installment.weekly Ukentlig avdrag
        amount.installment.monthly Månedlig avdrag
        amount.installment.yearly Årlig avdrag
        amount.line.item Pris
        amount.line.charge Tillegg
        amount.line.discount Rabatt
        amount.line.tip Tips
        amount.line.tax Avgift
        amount.line.donation Donasjon
        amount.line.recurring Gjentakende betaling
        amount.line.installment Avdrag
        progress.preparing Leseren klargjøres
        progress.authorizing Autorisering pågår
        progress.reversing Reversering pågår
        headline.approved Godkjent
        headline.accepted Mottatt, autorisering gjenstår
        headline.signature Godkjent, signatur kreves
        headline.part Delvis godkjent, resten ubetalt
        headline.verified Kortet verifisert
        headline.authorizing Autorisering pågår
        headline.declined Betalingen avvist
        headline.notCompleted Betalingen ikke fullført
        headline.otherCard Annet kort kreves
        headline.otherInterface Sett inn eller dra kortet
        headline.pin PIN kreves
        headline.wait Prøv igjen om litt
        headline.request Beløp eller forespørsel å rette
        headline.reader Leser å kontrollere
        headline.setUp Oppsett kreves
        headline.unknown Resultatet ennå ukjent
        receipt.customerCopy Kundens kvittering
        receipt.merchantCopy Butikkens kvittering
        receipt.purchase Varekjøp
        receipt.cash Kontantuttak
        receipt.cashBack Varekjøp med kontantuttak
        receipt.refund Refusjon
        receipt.capture Trekk av reservert beløp
        receipt.increment Økning av reservert beløp
        receipt.void Annullering
        receipt.verification Kortverifisering
        receipt.via Via
        receipt.terminal Terminal
        receipt.merchant Brukerstednummer
        receipt.sequence Transaksjon
        receipt.reference Referanse
        receipt.original Opprinnelig betaling
        receipt.card Kort
        receipt.cardSequence Kortsekvens
        receipt.entry Lesing
        receipt.contactless Kontaktløs
        receipt.application Applikasjon
        receipt.authorizationCode Autorisasjonskode
        receipt.responseCode Svarkode
        receipt.cryptogram Kryptogram
        receipt.verified Verifisering
        receipt.cvm.signature Signatur
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm På enheten
        receipt.signature Signatur
        receipt.approved Godkjent
        receipt.approvedOffline Godkjent offline
        receipt.declined Avvist
        receipt.notCompleted Ikke fullført
        receipt.unknown Resultatet ennå ukjent
        receipt.accepted Mottatt, autorisering gjenstår
        receipt.approvedLater Betalt, autorisert i etterkant
        receipt.declinedLater Ikke betalt, autorisering avvist
        receipt.verifiedCard Kortet verifisert
        receipt.nothingCharged Ingenting belastet
        receipt.nothingRefunded Ingenting refundert
        receipt.notYetCharged Reservert, ennå ikke belastet
        delivery.title Kvittering
        delivery.print Skriv ut
        delivery.mail E-post
        delivery.message Tekstmelding
        delivery.code QR-kode
        delivery.none Ingen kvittering
        delivery.address.mail E-postadresse
        delivery.address.message Mobilnummer
        education.start.title Start på en kontaktløs betaling
        education.start.1 Tast sluttbeløpet, med tips og rabatter
        education.start.2 Velg kontaktløs betaling
        education.start.3 Vend leseren mot kunden
        education.card.title Kontaktløse kort
        education.card.1 Hold kortet flatt og i ro på dette stedet
        education.card.2 Hold alle andre kort unna leseren
        education.card.3 Fjern kortet etter signalet, vent så på resultatet
        education.device.title Telefoner og klokker
        education.device.1 Lås først opp telefonen eller klokken
        education.device.2 Hold overkanten mot dette stedet
        education.device.3 Følg instruksjonene på enheten hvis den viser noen, vis den så igjen
        education.pin.title Tasting av PIN
        education.pin.1 Gi PIN-tastaturet til kunden
        education.pin.2 Se bort mens PIN tastes
        education.pin.3 Regn med et PIN-spørsmål også etter svaret fra banken
        education.accessibility.title Tasting av PIN uten syn
        education.accessibility.1 Start tilgjengelighetsmodus før tasting av PIN, på kundens ønske
        education.accessibility.2 Før en finger til det hevede merket på tast 5
        education.accessibility.3 Gi all tiden som trengs, og spør aldri om PIN
        education.result.title Resultater
        education.result.1 Vis kunden resultatet, godkjent eller avvist
        education.result.2 Tilby kvittering i begge tilfeller
        education.result.3 Tilby annet kort eller annen betalingsmåte etter en avvisning
        education.try.title En prøve uten penger
        education.try.1 Start en testbetaling med den simulerte leseren
        education.try.2 Øv på en avvisning og en PIN før den første kunden
        antenna.symbol Kontaktløssymbolet på leseren
        antenna.display Midten av leserens skjerm
        antenna.top Leserens overkant
        antenna.surface Midten av leserens overflate
        antenna.slot Langt fra chipåpningen, på oversiden
        problem.amountAboveLimit Beløp over kontaktløsgrensen
        problem.amountAboveKernelLimit Beløp over grensen for dette kortet
        problem.amountZero Beløpet null ikke tillatt
        problem.amountNotAllowed Beløpet ikke tillatt kontaktløst
        problem.amountTooLarge Beløp med mer enn 12 sifre
        problem.currencyInvalid Valuta utenfor ISO 4217
        problem.currencyConflict Ulike valutaer i én betaling
        problem.cashBackAboveAmount Kontantuttak over totalbeløpet
        problem.cashBackZero Kontantuttak på null
        problem.lineItemsMismatch Linjer som avviker fra totalen
        problem.transactionTypeNotConfigured Betalingstypen ikke satt opp
        problem.currencyNotConfigured Valuta ikke satt opp
        problem.preferredApplicationInvalid Applikasjonsidentifikator ikke på 5 til 16 byte
        problem.requestInvalid Forespørsel i strid med konfigurasjonen
        problem.linkTimedOut Ikke noe svar fra kortet
        problem.linkDisturbed Forstyrret forbindelse med kortet
        problem.linkProtocolFailed Kort utenfor den kontaktløse protokollen
        problem.cardRemovedEarly Kortet fjernet for tidlig
        problem.cardDataInvalid Manglende eller feil kortdata
        problem.cardStatusUnexpected Uventet svar fra kortet
        problem.cardDataTooLarge Mer data på kortet enn leseren rommer
        problem.cardSwitched Ulike kort i løpet av én betaling
        problem.cardProtectionFailed Motstridende kortdata
        problem.severalCards Flere kort ved leseren
        problem.tooManyPresentments Kortet vist for mange ganger
        problem.applicationsExhausted Ingen brukbar applikasjon på kortet
        problem.deviceNotUnlocked Telefon eller klokke fortsatt låst
        problem.otherInterfaceWanted Kort uten kontaktløs funksjon for denne betalingen
        problem.cardDeclined Betalingen avvist av kortet
        problem.insufficientOfflineBalance For lav saldo på kortet
        problem.issuerAnswerRefused Bankens svar avvist av kortet
        problem.networkUnsupported Kortnettverket ikke akseptert
        problem.preferredApplicationAbsent Valgt applikasjon mangler på kortet
        problem.issuerCountryUnsupported Kortets land ikke akseptert
        problem.issuerCountryUnknown Kortets land ukjent
        problem.pinRequired PIN kreves
        problem.pinPadMissing PIN kreves, ikke noe PIN-tastatur
        problem.pinCancelled Tasting av PIN avbrutt
        problem.pinTimedOut PIN ikke tastet i tide
        problem.pinBypassed Tasting av PIN hoppet over
        problem.pinPadFailed PIN-tastaturet ute av drift
        problem.pinAttemptsExceeded For mange PIN-forsøk
        problem.incorrectPIN Feil PIN
        problem.cancelledByPerson Betalingen avbrutt
        problem.cancelledByProgram Betalingen avbrutt av appen
        problem.cardTimedOut Kort ikke vist i tide
        problem.cardNotRemoved Forrige kort fortsatt på leseren
        problem.stoppedByTerminal Betalingen stoppet av terminalen
        problem.suspended Appen i bakgrunnen
        problem.superseded Betalingen erstattet av en senere
        problem.readerDetached Leseren frakoblet
        problem.readerMissing Ingen leser tilkoblet
        problem.readerServiceMissing Kortlesertjenesten ikke startet
        problem.readerInUse Leseren opptatt av et annet program
        problem.readerUnsupported Leser uten nødvendige funksjoner
        problem.readerFailed Leseren ute av drift
        problem.readerBusy Annen betaling på denne leseren
        problem.notPrepared Leseren ikke klargjort
        problem.preparationCancelled Klargjøringen avbrutt
        problem.nothingToComplete Ingen betaling i vente på svar
        problem.randomMissing Ikke noe brukbart tilfeldig tall
        problem.kernelDefect Feil i betalingskjernen
        problem.configurationInvalid Ugyldig konfigurasjon
        problem.configurationExpired Utløpt konfigurasjon
        problem.configurationExpiresSoon Konfigurasjonen utløper snart
        problem.caKeysMissing Sertifikatutstederens nøkkel mangler for et nettverk
        problem.caKeyExpired Sertifikatutstederens nøkkel utløpt
        problem.testKeys Testnøkler i konfigurasjonen
        problem.enrollmentRequired Vilkårene ennå ikke godtatt
        problem.enrollmentRevoked Godkjenning av vilkårene tilbakekalt
        problem.enrollmentOutdated Nye vilkår ennå ikke godtatt
        problem.administratorRequired Administratortilgang kreves
        problem.enrollmentSignatureInvalid Bevis på godtakelse ikke ekte
        problem.enrollmentStoreFailed Bevis på godtakelse ikke lagret
        problem.enrollmentUnanswered Ikke noe svar i tide om vilkårene
        problem.issuerDeclined Betalingen avvist av banken
        problem.insufficientFunds Utilstrekkelig dekning
        problem.suspectedFraud Mistanke om svindel hos banken
        problem.cardExpired Utløpt kort
        problem.cardLostOrStolen Kortet meldt tapt eller stjålet
        problem.cardNotPermitted Betalingstypen ikke tillatt for kortet
        problem.issuerLimitExceeded Kontogrensen overskredet
        problem.issuerUnavailable Banken ikke tilgjengelig
        problem.hostUnreachable Ingen forbindelse med betalingstjenesten
        problem.hostRejected Forespørsel avvist av betalingstjenesten
        problem.authorizationTimedOut Ikke noe svar fra betalingstjenesten i tide
        problem.authorizationInterrupted Autoriseringen avbrutt
        problem.authorizationAnswerLost Svaret fra betalingstjenesten tapt
        problem.reversalFailed Betalingens resultat ukjent
        problem.authorizationNotPossible Ingenting å autorisere i denne lesingen
        problem.simulatedRead Simulert kort hos en virkelig betalingstjeneste
        problem.keyUsed Nøkkel til en tidligere betaling
        problem.saleSettled Bestillingen allerede betalt
        problem.saleOpen Tidligere betaling av bestillingen fortsatt åpen
        problem.amountAboveDue Beløp over prisen på bestillingen
        problem.refundAbovePaid Refusjon over betalt beløp
        problem.captureAboveAuthorized Beløp over det autoriserte beløpet
        problem.alreadyVoided Betalingen allerede annullert
        problem.followUpNotPossible Ikke mulig for denne betalingen
        problem.approvedInPart Bare en del av beløpet godkjent
        problem.offlineLimitReached Grensen for betalinger uten forbindelse nådd
        problem.offlineAmountAboveLimit Beløp over grensen uten forbindelse
        problem.offlineCardLimitReached Kortets grense uten forbindelse nådd
        problem.offlineTooLong For lenge uten forbindelse
        problem.issuerDataTooLong Bankens data for lange for et kort
        problem.chipRequested Kortets chip kreves av banken
        problem.journalFailed Betalingen ikke registrert
        problem.journalFull Lageret for betalinger fullt
        problem.journalInUse Betalingsregisteret opptatt av et annet program
        problem.journalDamaged Betalingsregisteret skadet
        problem.journalRestored Betalingsregisteret gjenopprettet fra sikkerhetskopi
        problem.own Annen årsak
        """

    static let norwegianRemedies = """
        Enter an amount above zero = Angi et beløp over null
        Enter an amount of at most 12 digits = Angi et beløp med høyst 12 sifre
        Use a numeric code up to 999 and at most 4 decimals = Bruk en tallkode opptil 999 og høyst 4 desimaler
        Use one currency for all amounts = Bruk én valuta for alle beløp
        Include the cash back in the total = Regn kontantuttaket med i totalen
        Enter a cash back above zero, or choose a purchase = Angi et kontantuttak over null eller velg varekjøp
        Make the line items add up to the total = Få linjene til å stemme med totalen
        Configure a combination for this kind of payment = Sett opp en kombinasjon for denne betalingstypen
        Use identifiers of 5 to 16 bytes = Bruk identifikatorer på 5 til 16 byte
        Change the request to fit the configuration = Tilpass forespørselen til konfigurasjonen
        Hold the card flat and still on the reader = Hold kortet flatt og i ro på leseren
        Use the chip of the card, or another card = Bruk kortets chip eller et annet kort
        Hold the card on the reader until the signal = Hold kortet på leseren til signalet
        Present the same card each time = Vis samme kort hver gang
        Take the card out of the wallet and present it alone = Ta kortet ut av lommeboken og vis det alene
        Follow the instructions on the phone, then present it again = \
        Følg instruksjonene på telefonen, vis den så igjen
        Use the chip or magnetic stripe of the card = Bruk kortets chip eller magnetstripe
        Use another card, or another way to pay = Bruk et annet kort eller en annen betalingsmåte
        Use a card of an accepted network = Bruk et kort fra et akseptert nettverk
        Make another choice, or use another card = Gjør et annet valg eller bruk et annet kort
        Use a card of an accepted country = Bruk et kort fra et akseptert land
        Use a card that names its country = Bruk et kort som oppgir sitt land
        Enter the PIN on the PIN pad = Tast PIN på PIN-tastaturet
        Use the chip of the card, or a payment link = Bruk kortets chip eller en betalingslenke
        Try again, or use another way to pay = Prøv igjen eller bruk en annen betalingsmåte
        Try again with PIN, or use another way to pay = Prøv igjen med PIN eller bruk en annen betalingsmåte
        Check the connection of the PIN pad, or pay another way = \
        Kontroller PIN-tastaturets tilkobling eller betal på annen måte
        Try again with the right PIN = Prøv igjen med riktig PIN
        Start a new payment = Start en ny betaling
        Try again = Prøv igjen
        Start a new payment with the app in the foreground = Start en ny betaling med appen i forgrunnen
        Continue with the later payment = Fortsett med den senere betalingen
        Check the cable or pairing of the reader = Kontroller leserens kabel eller paring
        Start the reader service = Start lesertjenesten
        Close the other program = Avslutt det andre programmet
        Use a contactless reader = Bruk en kontaktløs leser
        Unplug the reader and plug it in again = Koble leseren fra og til igjen
        Wait for the other payment to end = Vent til den andre betalingen avsluttes
        Prepare the reader = Klargjør leseren
        Prepare the reader again = Klargjør leseren på nytt
        Restart the device = Start enheten på nytt
        Report the problem to support = Meld problemet til kundestøtte
        Correct the configuration = Rett konfigurasjonen
        Load a new configuration = Last inn en ny konfigurasjon
        Load a configuration with the keys of the network = Last inn en konfigurasjon med nettverkets nøkler
        Load a configuration with current keys = Last inn en konfigurasjon med gyldige nøkler
        Load the keys of the networks before live payments = Last inn nettverkenes nøkler før ekte betalinger
        Ask an administrator to accept the terms = La en administrator godta vilkårene
        Contact the payment provider = Kontakt betalingstjenesten
        Sign in as an administrator = Logg inn som administrator
        Request a genuine record from the payment provider = Be betalingstjenesten om et ekte bevis
        Check the storage of the device = Kontroller enhetens lager
        Use another way to pay = Bruk en annen betalingsmåte
        Try again later, or use another card = Prøv igjen senere eller bruk et annet kort
        Check the network connection of the device = Kontroller enhetens nettverksforbindelse
        Check the settings of the merchant account = Kontroller innstillingene for brukerstedets konto
        Nothing charged, start a new payment = Ingenting belastet, start en ny betaling
        Look up the payment at the provider before a new one = Slå opp betalingen hos tjenesten før en ny
        Read the card for a payment = Les kortet for en betaling
        Use a real card, or acceptsSimulatedReads of a test host = \
        Bruk et ekte kort eller acceptsSimulatedReads ved test
        Remove the card, then start a new payment = Fjern kortet, start deretter en ny betaling
        Use a new key for every payment = Bruk en ny nøkkel for hver betaling
        Check the receipt of the payment = Kontroller kvitteringen for betalingen
        Finish the earlier payment first = Avslutt først den tidligere betalingen
        Enter at most the price = Angi høyst prisen
        Enter at most the payment less refunds = Angi høyst betalingen minus refusjoner
        Enter at most the authorized amount = Angi høyst det autoriserte beløpet
        Free up space on the device = Frigjør plass på enheten
        """
}
