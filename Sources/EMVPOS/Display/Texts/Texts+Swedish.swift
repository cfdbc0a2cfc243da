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
        Enter an amount above zero = Ange ett belopp över noll
        Enter an amount of at most 12 digits = Ange ett belopp med högst 12 siffror
        Use a numeric code up to 999 and at most 4 decimals = Använd en sifferkod upp till 999 och högst 4 decimaler
        Use one currency for all amounts = Använd samma valuta för alla belopp
        Include the cash back in the total = Räkna in kontantuttaget i totalen
        Enter a cash back above zero, or choose a purchase = Ange ett kontantuttag över noll eller välj köp
        Make the line items add up to the total = Få raderna att stämma med totalen
        Configure a combination for this kind of payment = Ställ in en kombination för denna betalningstyp
        Use identifiers of 5 to 16 bytes = Använd identifierare på 5 till 16 byte
        Change the request to fit the configuration = Anpassa begäran till konfigurationen
        Hold the card flat and still on the reader = Håll kortet plant och stilla mot läsaren
        Use the chip of the card, or another card = Använd kortets chip eller ett annat kort
        Hold the card on the reader until the signal = Håll kortet mot läsaren till signalen
        Present the same card each time = Visa samma kort varje gång
        Take the card out of the wallet and present it alone = Ta kortet ur plånboken och visa det ensamt
        Follow the instructions on the phone, then present it again = \
        Följ instruktionerna i telefonen, visa den sedan igen
        Use the chip or magnetic stripe of the card = Använd kortets chip eller magnetremsa
        Use another card, or another way to pay = Använd ett annat kort eller ett annat betalningssätt
        Use a card of an accepted network = Använd ett kort från ett accepterat nätverk
        Make another choice, or use another card = Gör ett annat val eller använd ett annat kort
        Use a card of an accepted country = Använd ett kort från ett accepterat land
        Use a card that names its country = Använd ett kort som anger sitt land
        Enter the PIN on the PIN pad = Ange PIN-koden på PIN-dosan
        Use the chip of the card, or a payment link = Använd kortets chip eller en betalningslänk
        Try again, or use another way to pay = Försök igen eller använd ett annat betalningssätt
        Try again with PIN, or use another way to pay = Försök igen med PIN-kod eller använd annat betalningssätt
        Check the connection of the PIN pad, or pay another way = \
        Kontrollera PIN-dosans anslutning eller betala på annat sätt
        Try again with the right PIN = Försök igen med rätt PIN-kod
        Start a new payment = Starta en ny betalning
        Try again = Försök igen
        Start a new payment with the app in the foreground = Starta en ny betalning med appen i förgrunden
        Continue with the later payment = Fortsätt med den senare betalningen
        Check the cable or pairing of the reader = Kontrollera läsarens kabel eller parkoppling
        Start the reader service = Starta läsartjänsten
        Close the other program = Avsluta det andra programmet
        Use a contactless reader = Använd en kontaktlös läsare
        Unplug the reader and plug it in again = Koppla ur läsaren och koppla in den igen
        Wait for the other payment to end = Vänta tills den andra betalningen avslutats
        Prepare the reader = Förbered läsaren
        Prepare the reader again = Förbered läsaren igen
        Restart the device = Starta om enheten
        Report the problem to support = Anmäl problemet till supporten
        Correct the configuration = Rätta konfigurationen
        Load a new configuration = Läs in en ny konfiguration
        Load a configuration with the keys of the network = Läs in en konfiguration med nätverkets nycklar
        Load a configuration with current keys = Läs in en konfiguration med giltiga nycklar
        Load the keys of the networks before live payments = Läs in nätverkens nycklar före riktiga betalningar
        Ask an administrator to accept the terms = Låt en administratör godkänna villkoren
        Contact the payment provider = Kontakta betaltjänsten
        Sign in as an administrator = Logga in som administratör
        Request a genuine record from the payment provider = Begär ett äkta bevis från betaltjänsten
        Check the storage of the device = Kontrollera enhetens lagring
        Use another way to pay = Använd ett annat betalningssätt
        Try again later, or use another card = Försök igen senare eller använd ett annat kort
        Check the network connection of the device = Kontrollera enhetens nätverksanslutning
        Check the settings of the merchant account = Kontrollera inställningarna för butikens konto
        Nothing charged, start a new payment = Inget debiterat, starta en ny betalning
        Look up the payment at the provider before a new one = Slå upp betalningen hos tjänsten före en ny
        Read the card for a payment = Läs kortet för en betalning
        Use a real card, or acceptsSimulatedReads of a test host = \
        Använd ett riktigt kort eller acceptsSimulatedReads vid test
        Remove the card, then start a new payment = Ta bort kortet, starta sedan en ny betalning
        Use a new key for every payment = Använd en ny nyckel för varje betalning
        Check the receipt of the payment = Kontrollera kvittot på betalningen
        Finish the earlier payment first = Avsluta först den tidigare betalningen
        Enter at most the price = Ange högst priset
        Enter at most the payment less refunds = Ange högst betalningen minus återbetalningar
        Enter at most the authorized amount = Ange högst det auktoriserade beloppet
        Free up space on the device = Frigör utrymme på enheten
        """
}
