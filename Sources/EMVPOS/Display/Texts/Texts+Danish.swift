// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let danish = """
        message.03 Godkendt
        message.07 Ikke godkendt
        message.09 Indtast PIN
        message.0F Behandlingsfejl
        message.10 Fjern kortet
        message.14 Velkommen
        message.15 Vis kortet
        message.16 Behandles
        message.17 Kortet læst, fjern kortet
        message.18 Indsæt eller swipe kortet
        message.19 Kun ét kort
        message.1A Godkendt, underskrift påkrævet
        message.1B Autorisation i gang
        message.1C Indsæt eller swipe kortet, eller brug et andet kort
        message.1D Indsæt kortet
        message.20 Vejledning på telefonen
        message.21 Vis kortet igen
        label.payment Kontaktløs betaling
        label.cash Kontanthævning
        label.cashBack Betaling med kontantudbetaling
        label.refund Refundering
        label.lookUp Slå op
        label.storeCard Gem kortet
        label.verify Verificer
        label.openTab Åbn regning
        loyalty.label Fordelskort
        loyalty.read Fordelskort læst
        loyalty.present Vis telefonen
        loyalty.choose Vælg fordelskort på telefonen
        loyalty.unlock Lås telefonen op
        loyalty.again Vis telefonen igen
        loyalty.none Intet fordelskort fundet
        loyalty.signUp Tilmelding på telefonen
        loyalty.failed Fordelskort ikke læst
        enrollment.required Vilkår at acceptere før første betaling
        enrollment.adminRequired Administratoradgang påkrævet for at acceptere vilkårene
        enrollment.outdated Nye vilkår at acceptere
        enrollment.revoked Accept af vilkårene tilbagekaldt
        enrollment.accepted Vilkår accepteret
        alternative.retry Vis samme kort igen
        alternative.startAgain Start betalingen forfra
        alternative.anotherCard Brug et andet kort
        alternative.otherInterface.chip Indsæt kortet
        alternative.otherInterface.swipe Swipe kortet
        alternative.otherInterface.chipOrSwipe Indsæt eller swipe kortet
        alternative.enterPIN Indtast PIN
        alternative.waitAndRetry Prøv igen om lidt
        alternative.askHost Slå betalingen op
        alternative.checkReader Kontroller læseren
        alternative.correctRequest Ret beløbet
        alternative.administrator Log ind som administrator
        alternative.update Opdater læseren
        alternative.payRest Betal resten på en anden måde
        alternative.cash Kontanter
        alternative.paymentLink Betalingslink
        alternative.help Hjælp
        amount.total I alt
        amount.approved Godkendt beløb
        amount.due Resterende beløb
        amount.balance Resterende saldo
        amount.cashBack Kontantudbetaling
        amount.pending Beløb ikke fastsat
        amount.preauthorization Reserveret beløb
        amount.later At betale senere
        amount.later.day Forfaldsdato
        amount.membership.weekly Hver uge
        amount.membership.monthly Hver måned
        amount.membership.yearly Hvert år
        amount.installment.weekly Ugentlig rate
        amount.installment.monthly Månedlig rate
        amount.installment.yearly Årlig rate
        amount.line.item Pris
        amount.line.charge Tillæg
        amount.line.discount Rabat
        amount.line.tip Drikkepenge
        amount.line.tax Afgift
        amount.line.donation Donation
        amount.line.recurring Løbende betaling
        amount.line.installment Rate
        progress.preparing Læseren klargøres
        progress.authorizing Autorisation i gang
        progress.reversing Tilbageførsel i gang
        headline.approved Godkendt
        headline.accepted Modtaget, autorisation afventer
        headline.signature Godkendt, underskrift påkrævet
        headline.part Delvist godkendt, resten ubetalt
        headline.verified Kortet verificeret
        headline.authorizing Autorisation i gang
        headline.declined Betalingen afvist
        headline.notCompleted Betalingen ikke gennemført
        headline.otherCard Andet kort påkrævet
        headline.otherInterface Indsæt eller swipe kortet
        headline.pin PIN påkrævet
        headline.wait Prøv igen om lidt
        headline.request Beløb eller anmodning at rette
        headline.reader Læser at kontrollere
        headline.setUp Opsætning påkrævet
        headline.unknown Resultatet endnu ukendt
        receipt.customerCopy Kundens kvittering
        receipt.merchantCopy Forretningens kvittering
        receipt.purchase Køb
        receipt.cash Kontanthævning
        receipt.cashBack Køb med kontantudbetaling
        receipt.refund Refundering
        receipt.capture Hævning af reserveret beløb
        receipt.increment Forhøjelse af reserveret beløb
        receipt.void Annullering
        receipt.verification Kortverificering
        receipt.via Via
        receipt.terminal Terminal
        receipt.merchant Forretningsnummer
        receipt.sequence Transaktion
        receipt.reference Reference
        receipt.original Oprindelig betaling
        receipt.card Kort
        receipt.cardSequence Kortsekvens
        receipt.entry Læsning
        receipt.contactless Kontaktløs
        receipt.application Applikation
        receipt.authorizationCode Autorisationskode
        receipt.responseCode Svarkode
        receipt.cryptogram Kryptogram
        receipt.verified Verificering
        receipt.cvm.signature Underskrift
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm På enheden
        receipt.signature Underskrift
        receipt.approved Godkendt
        receipt.approvedOffline Godkendt offline
        receipt.declined Afvist
        receipt.notCompleted Ikke gennemført
        receipt.unknown Resultatet endnu ukendt
        receipt.accepted Modtaget, autorisation afventer
        receipt.approvedLater Betalt, autoriseret senere
        receipt.declinedLater Ikke betalt, autorisation afvist
        receipt.verifiedCard Kortet verificeret
        receipt.nothingCharged Intet trukket
        receipt.nothingRefunded Intet refunderet
        receipt.notYetCharged Reserveret, endnu ikke trukket
        delivery.title Kvittering
        delivery.print Udskriv
        delivery.mail E-mail
        delivery.message Sms
        delivery.code QR-kode
        delivery.none Ingen kvittering
        delivery.address.mail E-mailadresse
        delivery.address.message Mobilnummer
        education.start.title Start på en kontaktløs betaling
        education.start.1 Indtast slutbeløbet, med drikkepenge og rabatter
        education.start.2 Vælg kontaktløs betaling
        education.start.3 Vend læseren mod kunden
        education.card.title Kontaktløse kort
        education.card.1 Hold kortet fladt og stille på dette sted
        education.card.2 Hold alle andre kort væk fra læseren
        education.card.3 Fjern kortet efter signalet, vent derefter på resultatet
        education.device.title Telefoner og ure
        education.device.1 Lås først telefonen eller uret op
        education.device.2 Hold overkanten mod dette sted
        education.device.3 Følg eventuelle anvisninger på enheden, og vis den derefter igen
        education.pin.title Indtastning af PIN
        education.pin.1 Ræk PIN-tastaturet til kunden
        education.pin.2 Se væk under indtastningen af PIN
        education.pin.3 Regn også med et spørgsmål om PIN efter bankens svar
        education.accessibility.title Indtastning af PIN uden syn
        education.accessibility.1 Start tilgængelighedstilstand før indtastning af PIN, på kundens ønske
        education.accessibility.2 Før en finger til det hævede mærke på tast 5
        education.accessibility.3 Giv al den nødvendige tid, og spørg aldrig om PIN
        education.result.title Resultater
        education.result.1 Vis kunden resultatet, godkendt eller afvist
        education.result.2 Tilbyd kvittering i begge tilfælde
        education.result.3 Tilbyd andet kort eller anden betalingsmåde efter en afvisning
        education.try.title En prøve uden penge
        education.try.1 Start en testbetaling med den simulerede læser
        education.try.2 Øv en afvisning og en PIN før den første kunde
        antenna.symbol Kontaktløs-symbolet på læseren
        antenna.display Midten af læserens skærm
        antenna.top Læserens overkant
        antenna.surface Midten af læserens overflade
        antenna.slot Langt fra chipåbningen, på oversiden
        problem.amountAboveLimit Beløb over grænsen for kontaktløs betaling
        problem.amountAboveKernelLimit Beløb over grænsen for dette kort
        problem.amountZero Beløbet nul ikke tilladt
        problem.amountNotAllowed Beløbet ikke tilladt kontaktløst
        problem.amountTooLarge Beløb med mere end 12 cifre
        problem.currencyInvalid Valuta uden for ISO 4217
        problem.currencyConflict Forskellige valutaer i én betaling
        problem.cashBackAboveAmount Kontantudbetaling over det samlede beløb
        problem.cashBackZero Kontantudbetaling på nul
        problem.lineItemsMismatch Linjer, der afviger fra totalen
        problem.transactionTypeNotConfigured Betalingstypen ikke sat op
        problem.currencyNotConfigured Valuta ikke sat op
        problem.preferredApplicationInvalid Applikationsidentifikator ikke på 5 til 16 byte
        problem.requestInvalid Anmodning i strid med konfigurationen
        problem.linkTimedOut Intet svar fra kortet
        problem.linkDisturbed Forstyrret forbindelse til kortet
        problem.linkProtocolFailed Kort uden for den kontaktløse protokol
        problem.cardRemovedEarly Kortet fjernet for tidligt
        problem.cardDataInvalid Manglende eller forkerte kortdata
        problem.cardStatusUnexpected Uventet svar fra kortet
        problem.cardDataTooLarge Flere data på kortet end læseren rummer
        problem.cardSwitched Forskellige kort under én betaling
        problem.cardProtectionFailed Modstridende kortdata
        problem.severalCards Flere kort ved læseren
        problem.tooManyPresentments Kortet vist for mange gange
        problem.applicationsExhausted Ingen brugbar applikation på kortet
        problem.deviceNotUnlocked Telefon eller ur stadig låst
        problem.otherInterfaceWanted Kort uden kontaktløs funktion til denne betaling
        problem.cardDeclined Betalingen afvist af kortet
        problem.insufficientOfflineBalance For lav saldo på kortet
        problem.issuerAnswerRefused Bankens svar afvist af kortet
        problem.networkUnsupported Kortnetværket ikke accepteret
        problem.preferredApplicationAbsent Valgt applikation mangler på kortet
        problem.issuerCountryUnsupported Kortets land ikke accepteret
        problem.issuerCountryUnknown Kortets land ukendt
        problem.pinRequired PIN påkrævet
        problem.pinPadMissing PIN påkrævet, intet PIN-tastatur
        problem.pinCancelled Indtastning af PIN afbrudt
        problem.pinTimedOut PIN ikke indtastet i tide
        problem.pinBypassed Indtastning af PIN sprunget over
        problem.pinPadFailed PIN-tastaturet ude af drift
        problem.pinAttemptsExceeded For mange PIN-forsøg
        problem.incorrectPIN Forkert PIN
        problem.cancelledByPerson Betalingen afbrudt
        problem.cancelledByProgram Betalingen afbrudt af appen
        problem.cardTimedOut Kort ikke vist i tide
        problem.cardNotRemoved Tidligere kort stadig på læseren
        problem.stoppedByTerminal Betalingen stoppet af terminalen
        problem.suspended Appen i baggrunden
        problem.superseded Betalingen erstattet af en senere
        problem.readerDetached Læseren frakoblet
        problem.readerMissing Ingen læser tilsluttet
        problem.readerServiceMissing Kortlæsertjenesten ikke startet
        problem.readerInUse Læseren optaget af et andet program
        problem.readerUnsupported Læser uden de nødvendige funktioner
        problem.readerFailed Læseren ude af drift
        problem.readerBusy Anden betaling på denne læser
        problem.notPrepared Læseren ikke klargjort
        problem.preparationCancelled Klargøringen afbrudt
        problem.nothingToComplete Ingen betaling venter på svar
        problem.randomMissing Intet brugbart tilfældigt tal
        problem.kernelDefect Fejl i betalingskernen
        problem.configurationInvalid Ugyldig konfiguration
        problem.configurationExpired Udløbet konfiguration
        problem.configurationExpiresSoon Konfigurationen udløber snart
        problem.caKeysMissing Certifikatudstederens nøgle mangler til et netværk
        problem.caKeyExpired Certifikatudstederens nøgle udløbet
        problem.testKeys Testnøgler i konfigurationen
        problem.enrollmentRequired Vilkårene endnu ikke accepteret
        problem.enrollmentRevoked Accept af vilkårene trukket tilbage
        problem.enrollmentOutdated Nye vilkår endnu ikke accepteret
        problem.administratorRequired Administratoradgang påkrævet
        problem.enrollmentSignatureInvalid Bevis på accept ikke ægte
        problem.enrollmentStoreFailed Bevis på accept ikke gemt
        problem.enrollmentUnanswered Intet svar i tide om vilkårene
        problem.issuerDeclined Betalingen afvist af banken
        problem.insufficientFunds Utilstrækkelig dækning
        problem.suspectedFraud Mistanke om svindel hos banken
        problem.cardExpired Udløbet kort
        problem.cardLostOrStolen Kortet meldt tabt eller stjålet
        problem.cardNotPermitted Betalingstypen ikke tilladt for kortet
        problem.issuerLimitExceeded Kontoens grænse overskredet
        problem.issuerUnavailable Banken ikke tilgængelig
        problem.hostUnreachable Ingen forbindelse til betalingstjenesten
        problem.hostRejected Anmodning afvist af betalingstjenesten
        problem.authorizationTimedOut Intet svar fra betalingstjenesten i tide
        problem.authorizationInterrupted Autorisationen afbrudt
        problem.authorizationAnswerLost Betalingstjenestens svar tabt
        problem.reversalFailed Betalingens resultat ukendt
        problem.authorizationNotPossible Intet at autorisere i denne læsning
        problem.simulatedRead Simuleret kort hos en rigtig betalingstjeneste
        problem.keyUsed Nøgle til en tidligere betaling
        problem.saleSettled Bestillingen allerede betalt
        problem.saleOpen Tidligere betaling af bestillingen stadig åben
        problem.amountAboveDue Beløb over bestillingens pris
        problem.refundAbovePaid Refundering over det betalte beløb
        problem.captureAboveAuthorized Beløb over det autoriserede beløb
        problem.alreadyVoided Betalingen allerede annulleret
        problem.followUpNotPossible Ikke muligt for denne betaling
        problem.approvedInPart Kun en del af beløbet godkendt
        problem.offlineLimitReached Grænsen for betalinger uden forbindelse nået
        problem.offlineAmountAboveLimit Beløb over grænsen uden forbindelse
        problem.offlineCardLimitReached Kortets grænse uden forbindelse nået
        problem.offlineTooLong For længe uden forbindelse
        problem.issuerDataTooLong Bankens data for lange til et kort
        problem.chipRequested Kortets chip kræves af banken
        problem.journalFailed Betalingen ikke registreret
        problem.journalFull Lageret til betalinger fuldt
        problem.journalInUse Betalingsregistret optaget af et andet program
        problem.journalDamaged Betalingsregistret beskadiget
        problem.journalRestored Betalingsregistret gendannet fra sikkerhedskopi
        problem.own Anden årsag
        """

    static let danishRemedies = """
        Enter an amount above zero = Angiv et beløb over nul
        Enter an amount of at most 12 digits = Angiv et beløb med højst 12 cifre
        Use a numeric code up to 999 and at most 4 decimals = Brug en talkode op til 999 og højst 4 decimaler
        Use one currency for all amounts = Brug én valuta for alle beløb
        Include the cash back in the total = Medregn kontantudbetalingen i totalen
        Enter a cash back above zero, or choose a purchase = Angiv en kontantudbetaling over nul, eller vælg køb
        Make the line items add up to the total = Få linjerne til at stemme med totalen
        Configure a combination for this kind of payment = Opsæt en kombination for denne betalingstype
        Use identifiers of 5 to 16 bytes = Brug identifikatorer på 5 til 16 byte
        Change the request to fit the configuration = Tilpas anmodningen til konfigurationen
        Hold the card flat and still on the reader = Hold kortet fladt og stille mod læseren
        Use the chip of the card, or another card = Brug kortets chip eller et andet kort
        Hold the card on the reader until the signal = Hold kortet mod læseren indtil signalet
        Present the same card each time = Vis samme kort hver gang
        Take the card out of the wallet and present it alone = Tag kortet ud af pungen, og vis det alene
        Follow the instructions on the phone, then present it again = Følg vejledningen på telefonen, og vis den igen
        Use the chip or magnetic stripe of the card = Brug kortets chip eller magnetstribe
        Use another card, or another way to pay = Brug et andet kort eller en anden betalingsmåde
        Use a card of an accepted network = Brug et kort fra et accepteret netværk
        Make another choice, or use another card = Foretag et andet valg, eller brug et andet kort
        Use a card of an accepted country = Brug et kort fra et accepteret land
        Use a card that names its country = Brug et kort, der oplyser sit land
        Enter the PIN on the PIN pad = Indtast PIN på PIN-tastaturet
        Use the chip of the card, or a payment link = Brug kortets chip eller et betalingslink
        Try again, or use another way to pay = Prøv igen, eller brug en anden betalingsmåde
        Try again with PIN, or use another way to pay = Prøv igen med PIN, eller brug en anden betalingsmåde
        Check the connection of the PIN pad, or pay another way = Kontroller PIN-tastaturet, eller betal på anden måde
        Try again with the right PIN = Prøv igen med den rigtige PIN
        Start a new payment = Start en ny betaling
        Try again = Prøv igen
        Start a new payment with the app in the foreground = Start en ny betaling med appen i forgrunden
        Continue with the later payment = Fortsæt med den senere betaling
        Check the cable or pairing of the reader = Kontroller læserens kabel eller parring
        Start the reader service = Start læsertjenesten
        Close the other program = Afslut det andet program
        Use a contactless reader = Brug en kontaktløs læser
        Unplug the reader and plug it in again = Tag læseren ud, og sæt den i igen
        Wait for the other payment to end = Vent på afslutningen af den anden betaling
        Prepare the reader = Klargør læseren
        Prepare the reader again = Klargør læseren igen
        Restart the device = Genstart enheden
        Report the problem to support = Meld problemet til support
        Correct the configuration = Ret konfigurationen
        Load a new configuration = Indlæs en ny konfiguration
        Load a configuration with the keys of the network = Indlæs en konfiguration med netværkets nøgler
        Load a configuration with current keys = Indlæs en konfiguration med gyldige nøgler
        Load the keys of the networks before live payments = Indlæs netværkenes nøgler før rigtige betalinger
        Ask an administrator to accept the terms = Lad en administrator acceptere vilkårene
        Contact the payment provider = Kontakt betalingstjenesten
        Sign in as an administrator = Log ind som administrator
        Request a genuine record from the payment provider = Bed betalingstjenesten om et ægte bevis
        Check the storage of the device = Kontroller enhedens lager
        Use another way to pay = Brug en anden betalingsmåde
        Try again later, or use another card = Prøv igen senere, eller brug et andet kort
        Check the network connection of the device = Kontroller enhedens netværksforbindelse
        Check the settings of the merchant account = Kontroller indstillingerne for forretningens konto
        Nothing charged, start a new payment = Intet trukket, start en ny betaling
        Look up the payment at the provider before a new one = Slå betalingen op hos tjenesten før en ny
        Read the card for a payment = Læs kortet til en betaling
        Use a real card, or acceptsSimulatedReads of a test host = \
        Brug et rigtigt kort eller acceptsSimulatedReads ved test
        Remove the card, then start a new payment = Fjern kortet, og start derefter en ny betaling
        Use a new key for every payment = Brug en ny nøgle for hver betaling
        Check the receipt of the payment = Kontroller kvitteringen for betalingen
        Finish the earlier payment first = Afslut først den tidligere betaling
        Enter at most the price = Angiv højst prisen
        Enter at most the payment less refunds = Angiv højst betalingen minus refunderinger
        Enter at most the authorized amount = Angiv højst det autoriserede beløb
        Free up space on the device = Frigør plads på enheden
        """
}
