// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let swedish = """
        message.03 Godkänt
        message.07 Medges ej
        message.09 Ange PIN-kod
        message.0F Behandlingsfel
        message.10 Ta bort kortet
        message.14 Välkommen
        message.15 Visa kortet
        message.16 Behandlas
        message.17 Kortet läst, ta bort kortet
        message.18 Sätt i eller dra kortet
        message.19 Endast ett kort
        message.1A Godkänt, underskrift krävs
        message.1B Auktorisering pågår
        message.1C Sätt i eller dra kortet, eller använd ett annat kort
        message.1D Sätt i kortet
        message.20 Instruktioner i telefonen
        message.21 Visa kortet igen
        label.payment Kontaktlös betalning
        label.cash Kontantuttag
        label.cashBack Betalning med kontantuttag
        label.refund Återbetalning
        label.lookUp Slå upp
        label.storeCard Spara kortet
        label.verify Verifiera
        label.openTab Öppna nota
        loyalty.label Lojalitetskort
        loyalty.read Lojalitetskort läst
        loyalty.present Visa telefonen
        loyalty.choose Välj lojalitetskort i telefonen
        loyalty.unlock Lås upp telefonen
        loyalty.again Visa telefonen igen
        loyalty.none Inget lojalitetskort hittades
        loyalty.signUp Anmälan i telefonen
        loyalty.failed Lojalitetskort inte läst
        enrollment.required Villkor att godkänna före första betalningen
        enrollment.adminRequired Administratörsbehörighet krävs för att godkänna villkoren
        enrollment.outdated Nya villkor att godkänna
        enrollment.revoked Godkännandet av villkoren återkallat
        enrollment.accepted Villkor godkända
        alternative.retry Visa samma kort igen
        alternative.startAgain Börja om betalningen
        alternative.anotherCard Använd ett annat kort
        alternative.otherInterface.chip Sätt i kortet
        alternative.otherInterface.swipe Dra kortet
        alternative.otherInterface.chipOrSwipe Sätt i eller dra kortet
        alternative.enterPIN Ange PIN-kod
        alternative.waitAndRetry Försök igen om en stund
        alternative.askHost Slå upp betalningen
        alternative.checkReader Kontrollera läsaren
        alternative.correctRequest Rätta beloppet
        alternative.administrator Logga in som administratör
        alternative.update Uppdatera läsaren
        alternative.payRest Betala resten på annat sätt
        alternative.cash Kontanter
        alternative.paymentLink Betalningslänk
        alternative.help Hjälp
        amount.total Totalt
        amount.approved Godkänt belopp
        amount.due Återstår att betala
        amount.balance Återstående saldo
        amount.cashBack Kontantuttag
        amount.pending Belopp ej fastställt
        amount.preauthorization Reserverat belopp
        amount.later Att betala senare
        amount.later.day Förfallodag
        amount.membership.weekly Varje vecka
        amount.membership.monthly Varje månad
        amount.membership.yearly Varje år
        amount.installment.weekly Veckovis delbetalning
        amount.installment.monthly Månadsvis delbetalning
        amount.installment.yearly Årlig delbetalning
        amount.line.item Pris
        amount.line.charge Tillägg
        amount.line.discount Rabatt
        amount.line.tip Dricks
        amount.line.tax Skatt
        amount.line.donation Donation
        amount.line.recurring Återkommande betalning
        amount.line.installment Delbetalning
        progress.preparing Läsaren förbereds
        progress.authorizing Auktorisering pågår
        progress.reversing Reversering pågår
        headline.approved Godkänt
        headline.accepted Mottaget, auktorisering återstår
        headline.signature Godkänt, underskrift krävs
        headline.part Delvis godkänt, resten obetald
        headline.verified Kortet verifierat
        headline.authorizing Auktorisering pågår
        headline.declined Betalningen nekad
        headline.notCompleted Betalningen inte slutförd
        headline.otherCard Annat kort krävs
        headline.otherInterface Sätt i eller dra kortet
        headline.pin PIN-kod krävs
        headline.wait Försök igen om en stund
        headline.request Belopp eller begäran att rätta
        headline.reader Läsare att kontrollera
        headline.setUp Konfiguration krävs
        headline.unknown Resultatet ännu okänt
        receipt.customerCopy Kundens exemplar
        receipt.merchantCopy Butikens exemplar
        receipt.purchase Köp
        receipt.cash Kontantuttag
        receipt.cashBack Köp med kontantuttag
        receipt.refund Återbetalning
        receipt.capture Debitering av reserverat belopp
        receipt.increment Höjning av reserverat belopp
        receipt.void Makulering
        receipt.verification Kortverifiering
        receipt.via Via
        receipt.terminal Terminal
        receipt.merchant Butiksnummer
        receipt.sequence Transaktion
        receipt.reference Referens
        receipt.original Ursprunglig betalning
        receipt.card Kort
        receipt.cardSequence Kortsekvens
        receipt.entry Läsning
        receipt.contactless Kontaktlös
        receipt.application Applikation
        receipt.authorizationCode Kontrollnummer
        receipt.responseCode Svarskod
        receipt.cryptogram Kryptogram
        receipt.verified Verifiering
        receipt.cvm.signature Underskrift
        receipt.cvm.onlinePIN PIN-kod
        receipt.cvm.cdcvm På enheten
        receipt.signature Underskrift
        receipt.approved Godkänt
        receipt.approvedOffline Godkänt offline
        receipt.declined Medges ej
        receipt.notCompleted Inte slutfört
        receipt.unknown Resultatet ännu okänt
        receipt.accepted Mottaget, auktorisering återstår
        receipt.approvedLater Betalt, auktoriserat i efterhand
        receipt.declinedLater Inte betalt, auktorisering nekad
        receipt.verifiedCard Kortet verifierat
        receipt.nothingCharged Inget debiterat
        receipt.nothingRefunded Inget återbetalt
        receipt.notYetCharged Reserverat, ännu inte debiterat
        delivery.title Kvitto
        delivery.print Skriv ut
        delivery.mail E-post
        delivery.message Sms
        delivery.code QR-kod
        delivery.none Inget kvitto
        delivery.address.mail E-postadress
        delivery.address.message Mobilnummer
        education.start.title Början av en kontaktlös betalning
        education.start.1 Ange slutbeloppet, dricks och rabatter inräknade
        education.start.2 Välj kontaktlös betalning
        education.start.3 Vänd läsaren mot kunden
        education.card.title Kontaktlösa kort
        education.card.1 Håll kortet plant och stilla på denna plats
        education.card.2 Håll alla andra kort borta från läsaren
        education.card.3 Ta bort kortet efter signalen, vänta sedan på resultatet
        education.device.title Telefoner och klockor
        education.device.1 Lås först upp telefonen eller klockan
        education.device.2 Håll överkanten mot denna plats
        education.device.3 Följ instruktionerna på enheten om sådana visas, visa den sedan igen
        education.pin.title Inmatning av PIN-kod
        education.pin.1 Räck PIN-dosan till kunden
        education.pin.2 Titta bort under inmatningen av PIN-kod
        education.pin.3 Räkna med en fråga om PIN-kod även efter bankens svar
        education.accessibility.title Inmatning av PIN-kod utan syn
        education.accessibility.1 Starta tillgänglighetsläget före inmatningen av PIN-kod, på kundens begäran
        education.accessibility.2 Led ett finger till det upphöjda märket på knapp 5
        education.accessibility.3 Ge all tid som behövs och fråga aldrig efter PIN-koden
        education.result.title Resultat
        education.result.1 Visa kunden resultatet, godkänt eller nekat
        education.result.2 Erbjud kvitto i båda fallen
        education.result.3 Erbjud annat kort eller annat betalningssätt efter ett nekande
        education.try.title Ett prov utan pengar
        education.try.1 Starta en testbetalning med den simulerade läsaren
        education.try.2 Öva på ett nekande och en PIN-kod före den första kunden
        antenna.symbol Kontaktlös-symbolen på läsaren
        antenna.display Mitten av läsarens skärm
        antenna.top Läsarens överkant
        antenna.surface Mitten av läsarens yta
        antenna.slot Långt från chipöppningen, på ovansidan
        problem.amountAboveLimit Belopp över gränsen för kontaktlöst
        problem.amountAboveKernelLimit Belopp över gränsen för detta kort
        problem.amountZero Beloppet noll ej tillåtet
        problem.amountNotAllowed Beloppet ej tillåtet kontaktlöst
        problem.amountTooLarge Belopp med fler än 12 siffror
        problem.currencyInvalid Valuta utanför ISO 4217
        problem.currencyConflict Olika valutor i en betalning
        problem.cashBackAboveAmount Kontantuttag över totalbeloppet
        problem.cashBackZero Kontantuttag på noll
        problem.lineItemsMismatch Rader som avviker från totalen
        problem.transactionTypeNotConfigured Betalningstypen inte inställd
        problem.currencyNotConfigured Valuta inte inställd
        problem.preferredApplicationInvalid Applikationsidentifierare inte på 5 till 16 byte
        problem.requestInvalid Begäran i strid med konfigurationen
        problem.linkTimedOut Inget svar från kortet
        problem.linkDisturbed Störd förbindelse med kortet
        problem.linkProtocolFailed Kort utanför det kontaktlösa protokollet
        problem.cardRemovedEarly Kortet borttaget för tidigt
        problem.cardDataInvalid Saknade eller felaktiga kortdata
        problem.cardStatusUnexpected Oväntat svar från kortet
        problem.cardDataTooLarge Mer data på kortet än läsaren rymmer
        problem.cardSwitched Olika kort under en betalning
        problem.cardProtectionFailed Motstridiga kortdata
        problem.severalCards Flera kort vid läsaren
        problem.tooManyPresentments Kortet visat för många gånger
        problem.applicationsExhausted Ingen användbar applikation på kortet
        problem.deviceNotUnlocked Telefon eller klocka fortfarande låst
        problem.otherInterfaceWanted Kort utan kontaktlös funktion för denna betalning
        problem.cardDeclined Betalningen nekad av kortet
        problem.insufficientOfflineBalance För lågt saldo på kortet
        problem.issuerAnswerRefused Bankens svar avvisat av kortet
        problem.networkUnsupported Kortnätverket ej accepterat
        problem.preferredApplicationAbsent Vald applikation saknas på kortet
        problem.issuerCountryUnsupported Kortets land ej accepterat
        problem.issuerCountryUnknown Kortets land okänt
        problem.pinRequired PIN-kod krävs
        problem.pinPadMissing PIN-kod krävs, ingen PIN-dosa
        problem.pinCancelled Inmatning av PIN-kod avbruten
        problem.pinTimedOut PIN-kod inte angiven i tid
        problem.pinBypassed Inmatning av PIN-kod överhoppad
        problem.pinPadFailed PIN-dosan ur funktion
        problem.pinAttemptsExceeded För många PIN-försök
        problem.incorrectPIN Fel PIN-kod
        problem.cancelledByPerson Betalningen avbruten
        problem.cancelledByProgram Betalningen avbruten av appen
        problem.cardTimedOut Kort inte visat i tid
        problem.cardNotRemoved Tidigare kort kvar på läsaren
        problem.stoppedByTerminal Betalningen stoppad av terminalen
        problem.suspended Appen i bakgrunden
        problem.superseded Betalningen ersatt av en senare
        problem.readerDetached Läsaren frånkopplad
        problem.readerMissing Ingen läsare ansluten
        problem.readerServiceMissing Kortläsartjänsten inte startad
        problem.readerInUse Läsaren upptagen av ett annat program
        problem.readerUnsupported Läsare utan nödvändiga funktioner
        problem.readerFailed Läsaren ur funktion
        problem.readerBusy Annan betalning vid denna läsare
        problem.notPrepared Läsaren inte förberedd
        problem.preparationCancelled Förberedelsen avbruten
        problem.nothingToComplete Ingen betalning i väntan på svar
        problem.randomMissing Inget användbart slumptal
        problem.kernelDefect Fel i betalningskärnan
        problem.configurationInvalid Ogiltig konfiguration
        problem.configurationExpired Utgången konfiguration
        problem.configurationExpiresSoon Konfigurationen går snart ut
        problem.caKeysMissing Certifikatutfärdarens nyckel saknas för ett nätverk
        problem.caKeyExpired Certifikatutfärdarens nyckel utgången
        problem.testKeys Testnycklar i konfigurationen
        problem.enrollmentRequired Villkoren ännu inte godkända
        problem.enrollmentRevoked Godkännande av villkoren återtaget
        problem.enrollmentOutdated Nya villkor ännu inte godkända
        problem.administratorRequired Administratörsbehörighet krävs
        problem.enrollmentSignatureInvalid Bevis på godkännande inte äkta
        problem.enrollmentStoreFailed Bevis på godkännande inte sparat
        problem.enrollmentUnanswered Inget svar i tid om villkoren
        problem.issuerDeclined Betalningen nekad av banken
        problem.insufficientFunds Otillräcklig täckning
        problem.suspectedFraud Bedrägerimisstanke hos banken
        problem.cardExpired Utgånget kort
        problem.cardLostOrStolen Kortet anmält förlorat eller stulet
        problem.cardNotPermitted Betalningstypen ej tillåten för kortet
        problem.issuerLimitExceeded Kontots gräns överskriden
        problem.issuerUnavailable Banken går inte att nå
        problem.hostUnreachable Ingen förbindelse med betaltjänsten
        problem.hostRejected Begäran avvisad av betaltjänsten
        problem.authorizationTimedOut Inget svar från betaltjänsten i tid
        problem.authorizationInterrupted Auktoriseringen avbruten
        problem.authorizationAnswerLost Betaltjänstens svar förlorat
        problem.reversalFailed Betalningens resultat okänt
        problem.authorizationNotPossible Inget att auktorisera i denna läsning
        problem.simulatedRead Simulerat kort hos en verklig betaltjänst
        problem.keyUsed Nyckel till en tidigare betalning
        problem.saleSettled Beställningen redan betald
        problem.saleOpen Tidigare betalning av beställningen ännu öppen
        problem.amountAboveDue Belopp över beställningens pris
        problem.refundAbovePaid Återbetalning över betalt belopp
        problem.captureAboveAuthorized Belopp över det auktoriserade beloppet
        problem.alreadyVoided Betalningen redan makulerad
        problem.followUpNotPossible Inte möjligt för den här betalningen
        problem.approvedInPart Endast en del av beloppet godkänd
        problem.offlineLimitReached Gränsen för betalningar utan förbindelse nådd
        problem.offlineAmountAboveLimit Belopp över gränsen utan förbindelse
        problem.offlineCardLimitReached Kortets gräns utan förbindelse nådd
        problem.offlineTooLong För länge utan förbindelse
        problem.issuerDataTooLong Bankens data för långa för ett kort
        problem.chipRequested Kortets chip krävs av banken
        problem.journalFailed Betalningen inte registrerad
        problem.journalFull Lagringen för betalningar full
        problem.journalInUse Betalningsregistret upptaget av ett annat program
        problem.journalDamaged Betalningsregistret skadat
        problem.journalRestored Betalningsregistret återställt från säkerhetskopia
        problem.own Annan orsak
        """

    static let swedishRemedies = """
        An amount above zero = Belopp över noll
        An amount of at most 12 digits = Belopp med högst 12 siffror
        A numeric code up to 999, at most 4 decimals = Sifferkod upp till 999, högst 4 decimaler
        One currency for all amounts = Samma valuta för alla belopp
        A total that includes the cash back = Total som omfattar kontantuttaget
        A cash back above zero, or a purchase = Kontantuttag över noll eller ett köp
        Line items that add up to the total = Rader som ger totalen
        A combination for this kind of payment in the configuration = \
        Kombination för denna betalningstyp i konfigurationen
        Identifiers of 5 to 16 bytes = Identifierare på 5 till 16 byte
        A request that fits the configuration = Begäran som passar konfigurationen
        Card held flat and still on the reader = Kortet plant och stilla mot läsaren
        Chip of the card, or another card = Kortets chip eller ett annat kort
        Card held on the reader until the signal = Kortet mot läsaren till signalen
        The same card each time = Samma kort varje gång
        One card alone, out of the wallet = Ett enda kort, ur plånboken
        Instructions on the phone, then the phone once more = Instruktioner i telefonen, sedan telefonen igen
        Chip or magnetic stripe of the card = Kortets chip eller magnetremsa
        Another card, or another way to pay = Annat kort eller annat betalningssätt
        A card of an accepted network = Kort från ett accepterat nätverk
        Another choice, or another card = Annat val eller annat kort
        A card of an accepted country = Kort från ett accepterat land
        A card that names its country = Kort som anger sitt land
        PIN entry on the PIN pad = Inmatning av PIN-kod på PIN-dosan
        Chip of the card, or a payment link = Kortets chip eller en betalningslänk
        Another try, or another way to pay = Nytt försök eller annat betalningssätt
        Another try with PIN, or another way to pay = Nytt försök med PIN-kod eller annat betalningssätt
        Connection of the PIN pad, or another way to pay = PIN-dosans anslutning eller annat betalningssätt
        Another try with the right PIN = Nytt försök med rätt PIN-kod
        A new payment = Ny betalning
        Another try = Nytt försök
        A new payment in the foreground = Ny betalning i förgrunden
        The later payment = Den senare betalningen
        Cable or pairing of the reader = Läsarens kabel eller parkoppling
        Start of the reader service = Start av läsartjänsten
        End of the other program = Avslut av det andra programmet
        A contactless reader = Kontaktlös läsare
        Reader unplugged and plugged in again = Läsaren urkopplad och inkopplad igen
        End of the other payment = Avslut av den andra betalningen
        Preparation of the reader = Förberedelse av läsaren
        A new preparation = Ny förberedelse
        Restart of the device = Omstart av enheten
        A report to support = Anmälan till supporten
        A corrected configuration = Rättad konfiguration
        A new configuration = Ny konfiguration
        A configuration with the keys of the network = Konfiguration med nätverkets nycklar
        A configuration with present keys = Konfiguration med giltiga nycklar
        Keys of the networks before live payments = Nätverkens nycklar före riktiga betalningar
        Acceptance by an administrator = Godkännande av en administratör
        Contact with the payment provider = Kontakt med betaltjänsten
        Sign-in as an administrator = Inloggning som administratör
        A record of the payment provider = Bevis från betaltjänsten
        Storage of the device = Enhetens lagring
        Another way to pay = Annat betalningssätt
        Another try later, or another card = Nytt försök senare eller annat kort
        Network connection of the device = Enhetens nätverksanslutning
        Settings of the merchant account = Inställningar för butikens konto
        Nothing charged, a new payment = Inget debiterat, en ny betalning
        A look-up of the payment at the provider before a new one = Uppslag av betalningen hos tjänsten före en ny
        A payment read = Läsning av en betalning
        A real card, or acceptsSimulatedReads of a test host = \
        Ett riktigt kort, eller acceptsSimulatedReads hos en testvärd
        Card taken away, then a new payment = Kortet borttaget, sedan en ny betalning
        A new key for every payment = Ny nyckel för varje betalning
        Receipt of the payment = Kvitto på betalningen
        End of the earlier payment = Avslut av den tidigare betalningen
        An amount of at most the price = Belopp på högst priset
        An amount up to the payment less refunds = Belopp upp till betalningen minus återbetalningar
        An amount up to the authorized amount = Belopp upp till det auktoriserade beloppet
        Free space on the device = Ledigt utrymme på enheten
        """
}
