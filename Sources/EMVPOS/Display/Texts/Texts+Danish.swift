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
        An amount above zero = Beløb over nul
        An amount of at most 12 digits = Beløb med højst 12 cifre
        A numeric code up to 999, at most 4 decimals = Talkode op til 999, højst 4 decimaler
        One currency for all amounts = Én valuta for alle beløb
        A total that includes the cash back = Total, der omfatter kontantudbetalingen
        A cash back above zero, or a purchase = Kontantudbetaling over nul eller et køb
        Line items that add up to the total = Linjer, der giver totalen
        A combination for this kind of payment in the configuration = \
        Kombination for denne betalingstype i konfigurationen
        Identifiers of 5 to 16 bytes = Identifikatorer på 5 til 16 byte
        A request that fits the configuration = Anmodning, der passer til konfigurationen
        Card held flat and still on the reader = Kortet fladt og stille mod læseren
        Chip of the card, or another card = Kortets chip eller et andet kort
        Card held on the reader until the signal = Kortet mod læseren indtil signalet
        The same card each time = Samme kort hver gang
        One card alone, out of the wallet = Ét kort alene, ude af pungen
        Instructions on the phone, then the phone once more = Vejledning på telefonen, derefter telefonen igen
        Chip or magnetic stripe of the card = Kortets chip eller magnetstribe
        Another card, or another way to pay = Andet kort eller anden betalingsmåde
        A card of an accepted network = Kort fra et accepteret netværk
        Another choice, or another card = Andet valg eller andet kort
        A card of an accepted country = Kort fra et accepteret land
        A card that names its country = Kort, der oplyser sit land
        PIN entry on the PIN pad = Indtastning af PIN på PIN-tastaturet
        Chip of the card, or a payment link = Kortets chip eller et betalingslink
        Another try, or another way to pay = Nyt forsøg eller anden betalingsmåde
        Another try with PIN, or another way to pay = Nyt forsøg med PIN eller anden betalingsmåde
        Connection of the PIN pad, or another way to pay = PIN-tastaturets tilslutning eller anden betalingsmåde
        Another try with the right PIN = Nyt forsøg med den rigtige PIN
        A new payment = Ny betaling
        Another try = Nyt forsøg
        A new payment in the foreground = Ny betaling i forgrunden
        The later payment = Den senere betaling
        Cable or pairing of the reader = Læserens kabel eller parring
        Start of the reader service = Start af læsertjenesten
        End of the other program = Afslutning af det andet program
        A contactless reader = Kontaktløs læser
        Reader unplugged and plugged in again = Læseren taget ud og sat i igen
        End of the other payment = Afslutning af den anden betaling
        Preparation of the reader = Klargøring af læseren
        A new preparation = Ny klargøring
        Restart of the device = Genstart af enheden
        A report to support = Melding til support
        A corrected configuration = Rettet konfiguration
        A new configuration = Ny konfiguration
        A configuration with the keys of the network = Konfiguration med netværkets nøgler
        A configuration with present keys = Konfiguration med gyldige nøgler
        Keys of the networks before live payments = Netværkenes nøgler før rigtige betalinger
        Acceptance by an administrator = Accept fra en administrator
        Contact with the payment provider = Kontakt med betalingstjenesten
        Sign-in as an administrator = Login som administrator
        A record of the payment provider = Bevis fra betalingstjenesten
        Storage of the device = Enhedens lager
        Another way to pay = Anden betalingsmåde
        Another try later, or another card = Nyt forsøg senere eller andet kort
        Network connection of the device = Enhedens netværksforbindelse
        Settings of the merchant account = Indstillinger for forretningens konto
        Nothing charged, a new payment = Intet trukket, en ny betaling
        A look-up of the payment at the provider before a new one = Opslag af betalingen hos tjenesten før en ny
        A payment read = Læsning af en betaling
        A real card, or acceptsSimulatedReads of a test host = \
        Et rigtigt kort, eller acceptsSimulatedReads hos en testvært
        Card taken away, then a new payment = Kortet fjernet, derefter en ny betaling
        A new key for every payment = Ny nøgle for hver betaling
        Receipt of the payment = Kvittering for betalingen
        End of the earlier payment = Afslutning af den tidligere betaling
        An amount of at most the price = Beløb på højst prisen
        An amount up to the payment less refunds = Beløb op til betalingen minus refunderinger
        An amount up to the authorized amount = Beløb op til det autoriserede beløb
        Free space on the device = Ledig plads på enheden
        """
}
