// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let czech = """
        message.03 Schváleno
        message.07 Neschváleno
        message.09 Zadejte PIN
        message.0F Chyba zpracování
        message.10 Odeberte kartu
        message.14 Vítejte
        message.15 Přiložte kartu
        message.16 Probíhá zpracování
        message.17 Karta načtena, odeberte kartu
        message.18 Vložte nebo protáhněte kartu
        message.19 Pouze jedna karta
        message.1A Schváleno, nutný podpis
        message.1B Probíhá autorizace
        message.1C Vložte nebo protáhněte kartu, nebo použijte jinou
        message.1D Vložte kartu
        message.20 Pokyny v telefonu
        message.21 Přiložte kartu znovu
        label.payment Bezkontaktní platba
        label.cash Výběr hotovosti
        label.cashBack Platba s výběrem hotovosti
        label.refund Vratka
        label.lookUp Vyhledat
        label.storeCard Uložit kartu
        label.verify Ověřit
        label.openTab Otevřít účet
        loyalty.label Věrnostní karta
        loyalty.read Věrnostní karta načtena
        loyalty.present Přiložte telefon
        loyalty.choose Vyberte kartu v telefonu
        loyalty.unlock Odemkněte telefon
        loyalty.again Přiložte telefon znovu
        loyalty.none Věrnostní karta nenalezena
        loyalty.signUp Nabídka registrace v telefonu
        loyalty.failed Věrnostní karta nenačtena
        enrollment.required Podmínky k přijetí před první platbou
        enrollment.adminRequired Přijetí podmínek vyžaduje přístup správce
        enrollment.outdated Nové podmínky k přijetí
        enrollment.revoked Přijetí podmínek odvoláno
        enrollment.accepted Podmínky přijaty
        alternative.retry Přiložit znovu stejnou kartu
        alternative.startAgain Začít platbu znovu
        alternative.anotherCard Použít jinou kartu
        alternative.otherInterface.chip Vložte kartu
        alternative.otherInterface.swipe Protáhněte kartu
        alternative.otherInterface.chipOrSwipe Vložte nebo protáhněte kartu
        alternative.enterPIN Zadat PIN
        alternative.waitAndRetry Zkusit znovu za okamžik
        alternative.askHost Vyhledat tuto platbu
        alternative.checkReader Zkontrolovat čtečku
        alternative.correctRequest Opravit částku
        alternative.administrator Přihlásit se jako správce
        alternative.update Aktualizovat čtečku
        alternative.payRest Zaplatit zbytek jinak
        alternative.cash Hotovost
        alternative.paymentLink Platební odkaz
        alternative.help Nápověda
        amount.total Celkem
        amount.approved Schválená částka
        amount.due Zbývá zaplatit
        amount.balance Zbývající zůstatek
        amount.cashBack Výběr hotovosti
        amount.pending Částka neurčena
        amount.preauthorization Předautorizovaná částka
        amount.later Splatné později
        amount.later.day Splatnost
        amount.membership.weekly Každý týden
        amount.membership.monthly Každý měsíc
        amount.membership.yearly Každý rok
        amount.installment.weekly Týdenní splátka
        amount.installment.monthly Měsíční splátka
        amount.installment.yearly Roční splátka
        amount.line.item Cena
        amount.line.charge Příplatek
        amount.line.discount Sleva
        amount.line.tip Spropitné
        amount.line.tax Daň
        amount.line.donation Dar
        amount.line.recurring Opakovaná platba
        amount.line.installment Splátka
        progress.preparing Příprava čtečky
        progress.authorizing Probíhá autorizace
        progress.reversing Probíhá storno
        headline.approved Schváleno
        headline.accepted Přijato, čeká se na autorizaci
        headline.signature Schváleno, nutný podpis
        headline.part Částečně schváleno, zbytek nezaplacen
        headline.verified Karta ověřena
        headline.authorizing Probíhá autorizace
        headline.declined Platba zamítnuta
        headline.notCompleted Platba nedokončena
        headline.otherCard Nutná jiná karta
        headline.otherInterface Vložte nebo protáhněte kartu
        headline.pin Nutný PIN
        headline.wait Zkuste to znovu za okamžik
        headline.request Částka nebo požadavek k opravě
        headline.reader Čtečka ke kontrole
        headline.setUp Nutné nastavení
        headline.unknown Výsledek zatím neznámý
        receipt.customerCopy Kopie pro zákazníka
        receipt.merchantCopy Kopie pro obchodníka
        receipt.purchase Prodej
        receipt.cash Výběr hotovosti
        receipt.cashBack Prodej s výběrem hotovosti
        receipt.refund Vratka
        receipt.capture Dokončení předautorizace
        receipt.increment Navýšení předautorizace
        receipt.void Storno
        receipt.verification Ověření karty
        receipt.via Prostřednictvím
        receipt.terminal Terminál
        receipt.merchant Číslo obchodníka
        receipt.sequence Transakce
        receipt.reference Reference
        receipt.original Původní platba
        receipt.card Karta
        receipt.cardSequence Pořadí karty
        receipt.entry Načtení
        receipt.contactless Bezkontaktně
        receipt.application Aplikace
        receipt.authorizationCode Autorizační kód
        receipt.responseCode Kód odpovědi
        receipt.cryptogram Kryptogram
        receipt.verified Ověření
        receipt.cvm.signature Podpis
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm Na zařízení
        receipt.signature Podpis
        receipt.approved Schváleno
        receipt.approvedOffline Schváleno offline
        receipt.declined Zamítnuto
        receipt.notCompleted Nedokončeno
        receipt.unknown Výsledek zatím neznámý
        receipt.accepted Přijato, čeká se na autorizaci
        receipt.approvedLater Zaplaceno, autorizováno dodatečně
        receipt.declinedLater Nezaplaceno, autorizace zamítnuta
        receipt.verifiedCard Karta ověřena
        receipt.nothingCharged Nic neúčtováno
        receipt.nothingRefunded Nic nevráceno
        receipt.notYetCharged Rezervováno, zatím neúčtováno
        delivery.title Doklad
        delivery.print Vytisknout
        delivery.mail E-mail
        delivery.message SMS
        delivery.code QR kód
        delivery.none Bez dokladu
        delivery.address.mail E-mailová adresa
        delivery.address.message Číslo mobilu
        education.start.title Začátek bezkontaktní platby
        education.start.1 Zadejte konečnou částku včetně spropitného a slev
        education.start.2 Zvolte bezkontaktní platbu
        education.start.3 Otočte čtečku k zákazníkovi
        education.card.title Bezkontaktní karty
        education.card.1 Držte kartu naplocho a v klidu na tomto místě
        education.card.2 Držte všechny ostatní karty dál od čtečky
        education.card.3 Po signálu kartu odeberte, potom vyčkejte na výsledek
        education.device.title Telefony a hodinky
        education.device.1 Nejprve odemkněte telefon nebo hodinky
        education.device.2 Přiložte horní okraj k tomuto místu
        education.device.3 Řiďte se pokyny na zařízení, pokud se objeví, potom zařízení přiložte znovu
        education.pin.title Zadávání PIN
        education.pin.1 Podejte zákazníkovi klávesnici pro PIN
        education.pin.2 Při zadávání PIN odvraťte zrak
        education.pin.3 Počítejte s žádostí o PIN i po odpovědi banky
        education.accessibility.title Zadávání PIN bez použití zraku
        education.accessibility.1 Na přání zákazníka zapněte před zadáním PIN režim přístupnosti
        education.accessibility.2 Veďte prst k hmatové značce na klávese 5
        education.accessibility.3 Dopřejte všechen potřebný čas a nikdy se na PIN neptejte
        education.result.title Výsledky
        education.result.1 Ukažte zákazníkovi výsledek, schválení i zamítnutí
        education.result.2 V obou případech nabídněte doklad
        education.result.3 Po zamítnutí nabídněte jinou kartu nebo jiný způsob platby
        education.try.title Zkouška bez peněz
        education.try.1 Začněte zkušební platbu se simulovanou čtečkou
        education.try.2 Před prvním zákazníkem si vyzkoušejte zamítnutí a PIN
        antenna.symbol Bezkontaktní symbol na čtečce
        antenna.display Střed displeje čtečky
        antenna.top Horní okraj čtečky
        antenna.surface Střed plochy čtečky
        antenna.slot Daleko od otvoru pro čip, na horní straně
        problem.amountAboveLimit Částka nad bezkontaktním limitem
        problem.amountAboveKernelLimit Částka nad limitem pro tuto kartu
        problem.amountZero Nulová částka nepovolena
        problem.amountNotAllowed Částka bezkontaktně nepovolena
        problem.amountTooLarge Částka o více než 12 číslicích
        problem.currencyInvalid Měna mimo ISO 4217
        problem.currencyConflict Různé měny v jedné platbě
        problem.cashBackAboveAmount Výběr hotovosti nad celkovou částkou
        problem.cashBackZero Nulový výběr hotovosti
        problem.lineItemsMismatch Položky neodpovídají součtu
        problem.transactionTypeNotConfigured Druh platby nenastaven
        problem.currencyNotConfigured Měna nenastavena
        problem.preferredApplicationInvalid Identifikátor aplikace mimo rozsah 5 až 16 bajtů
        problem.requestInvalid Požadavek v rozporu s konfigurací
        problem.linkTimedOut Žádná odpověď karty
        problem.linkDisturbed Rušené spojení s kartou
        problem.linkProtocolFailed Karta mimo bezkontaktní protokol
        problem.cardRemovedEarly Karta odebrána příliš brzy
        problem.cardDataInvalid Chybějící nebo chybné údaje karty
        problem.cardStatusUnexpected Neočekávaná odpověď karty
        problem.cardDataTooLarge Více údajů na kartě, než čtečka pojme
        problem.cardSwitched Různé karty během jedné platby
        problem.cardProtectionFailed Vzájemně rozporné údaje karty
        problem.severalCards Několik karet u čtečky
        problem.tooManyPresentments Karta přiložena příliš mnohokrát
        problem.applicationsExhausted Žádná použitelná aplikace na kartě
        problem.deviceNotUnlocked Telefon nebo hodinky stále uzamčeny
        problem.otherInterfaceWanted Karta bez bezkontaktní funkce pro tuto platbu
        problem.cardDeclined Platba zamítnuta kartou
        problem.insufficientOfflineBalance Příliš nízký zůstatek na kartě
        problem.issuerAnswerRefused Odpověď banky odmítnuta kartou
        problem.networkUnsupported Síť karty nepřijímána
        problem.preferredApplicationAbsent Zvolená aplikace na kartě chybí
        problem.issuerCountryUnsupported Země karty nepřijímána
        problem.issuerCountryUnknown Země karty neznámá
        problem.pinRequired Nutný PIN
        problem.pinPadMissing Nutný PIN, žádná klávesnice pro PIN
        problem.pinCancelled Zadání PIN zrušeno
        problem.pinTimedOut PIN nezadán včas
        problem.pinBypassed Zadání PIN přeskočeno
        problem.pinPadFailed Porucha klávesnice pro PIN
        problem.pinAttemptsExceeded Příliš mnoho pokusů o zadání PIN
        problem.incorrectPIN Nesprávný PIN
        problem.cancelledByPerson Platba zrušena
        problem.cancelledByProgram Platba zrušena aplikací
        problem.cardTimedOut Karta nepřiložena včas
        problem.cardNotRemoved Předchozí karta stále na čtečce
        problem.stoppedByTerminal Platba zastavena terminálem
        problem.suspended Aplikace na pozadí
        problem.superseded Platba nahrazena pozdější
        problem.readerDetached Čtečka odpojena
        problem.readerMissing Žádná připojená čtečka
        problem.readerServiceMissing Služba čtečky karet neběží
        problem.readerInUse Čtečka používána jiným programem
        problem.readerUnsupported Čtečka bez potřebných funkcí
        problem.readerFailed Porucha čtečky
        problem.readerBusy Jiná platba na této čtečce
        problem.notPrepared Čtečka nepřipravena
        problem.preparationCancelled Příprava zrušena
        problem.nothingToComplete Žádná platba čekající na odpověď
        problem.randomMissing Žádné použitelné náhodné číslo
        problem.kernelDefect Vada platebního jádra
        problem.configurationInvalid Neplatná konfigurace
        problem.configurationExpired Konfigurace vypršela
        problem.configurationExpiresSoon Konfigurace brzy vyprší
        problem.caKeysMissing Žádný klíč autority pro síť
        problem.caKeyExpired Klíč autority vypršel
        problem.testKeys Testovací klíče v konfiguraci
        problem.enrollmentRequired Podmínky dosud nepřijaty
        problem.enrollmentRevoked Souhlas s podmínkami odvolán
        problem.enrollmentOutdated Nové podmínky dosud nepřijaty
        problem.administratorRequired Nutný přístup správce
        problem.enrollmentSignatureInvalid Nepravý záznam o přijetí
        problem.enrollmentStoreFailed Záznam o přijetí neuložen
        problem.enrollmentUnanswered Žádná včasná odpověď o podmínkách
        problem.issuerDeclined Platba zamítnuta bankou
        problem.insufficientFunds Nedostatek prostředků
        problem.suspectedFraud Podezření banky na podvod
        problem.cardExpired Prošlá karta
        problem.cardLostOrStolen Karta nahlášena jako ztracená nebo odcizená
        problem.cardNotPermitted Druh platby pro kartu nepovolen
        problem.issuerLimitExceeded Limit účtu překročen
        problem.issuerUnavailable Banka nedostupná
        problem.hostUnreachable Žádné spojení s poskytovatelem plateb
        problem.hostRejected Požadavek odmítnut poskytovatelem plateb
        problem.authorizationTimedOut Žádná včasná odpověď poskytovatele plateb
        problem.authorizationInterrupted Autorizace přerušena
        problem.authorizationAnswerLost Odpověď poskytovatele plateb ztracena
        problem.reversalFailed Výsledek platby neznámý
        problem.authorizationNotPossible V tomto načtení nic k autorizaci
        problem.simulatedRead Simulovaná karta u skutečného poskytovatele plateb
        problem.keyUsed Klíč dřívější platby
        problem.saleSettled Objednávka již zaplacena
        problem.saleOpen Dřívější platba této objednávky stále otevřená
        problem.amountAboveDue Částka nad cenou objednávky
        problem.refundAbovePaid Vratka vyšší než zaplacená částka
        problem.captureAboveAuthorized Částka nad autorizovanou částkou
        problem.alreadyVoided Platba již stornována
        problem.followUpNotPossible Nemožné pro tuto platbu
        problem.approvedInPart Schválena jen část částky
        problem.offlineLimitReached Dosažen limit plateb bez spojení
        problem.offlineAmountAboveLimit Částka nad limitem bez spojení
        problem.offlineCardLimitReached Limit karty bez spojení dosažen
        problem.offlineTooLong Příliš dlouho bez spojení
        problem.issuerDataTooLong Údaje banky pro kartu příliš dlouhé
        problem.chipRequested Čip karty požadovaný bankou
        problem.journalFailed Platba nezaznamenána
        problem.journalFull Úložiště plateb plné
        problem.journalInUse Záznamy plateb používány jiným programem
        problem.journalDamaged Záznamy plateb poškozeny
        problem.journalRestored Záznamy plateb obnoveny ze zálohy
        problem.own Jiná příčina
        """

    static let czechRemedies = """
        Enter an amount above zero = Zadejte částku nad nulou
        Enter an amount of at most 12 digits = Zadejte částku o nejvýše 12 číslicích
        Use a numeric code up to 999 and at most 4 decimals = \
        Použijte číselný kód do 999 a nejvýše 4 desetinná místa
        Use one currency for all amounts = Použijte jednu měnu pro všechny částky
        Include the cash back in the total = Zahrňte výběr hotovosti do součtu
        Enter a cash back above zero, or choose a purchase = Zadejte výběr hotovosti nad nulou nebo zvolte prodej
        Make the line items add up to the total = Uveďte položky do souladu se součtem
        Configure a combination for this kind of payment = Nastavte kombinaci pro tento druh platby
        Use identifiers of 5 to 16 bytes = Použijte identifikátory o 5 až 16 bajtech
        Change the request to fit the configuration = Přizpůsobte požadavek konfiguraci
        Hold the card flat and still on the reader = Držte kartu naplocho a v klidu na čtečce
        Use the chip of the card, or another card = Použijte čip karty nebo jinou kartu
        Hold the card on the reader until the signal = Držte kartu na čtečce až do signálu
        Present the same card each time = Přiložte pokaždé stejnou kartu
        Take the card out of the wallet and present it alone = Vyjměte kartu z peněženky a přiložte ji samotnou
        Follow the instructions on the phone, then present it again = \
        Řiďte se pokyny v telefonu, potom ho přiložte znovu
        Use the chip or magnetic stripe of the card = Použijte čip nebo magnetický proužek karty
        Use another card, or another way to pay = Použijte jinou kartu nebo jiný způsob platby
        Use a card of an accepted network = Použijte kartu přijímané sítě
        Make another choice, or use another card = Zvolte jinou možnost nebo použijte jinou kartu
        Use a card of an accepted country = Použijte kartu z přijímané země
        Use a card that names its country = Použijte kartu s uvedenou zemí
        Enter the PIN on the PIN pad = Zadejte PIN na klávesnici pro PIN
        Use the chip of the card, or a payment link = Použijte čip karty nebo platební odkaz
        Try again, or use another way to pay = Zkuste to znovu nebo použijte jiný způsob platby
        Try again with PIN, or use another way to pay = Zkuste to znovu s PIN nebo použijte jiný způsob platby
        Check the connection of the PIN pad, or pay another way = \
        Zkontrolujte připojení klávesnice pro PIN nebo zaplaťte jinak
        Try again with the right PIN = Zkuste to znovu se správným PIN
        Start a new payment = Začněte novou platbu
        Try again = Zkuste to znovu
        Start a new payment with the app in the foreground = Začněte novou platbu s aplikací v popředí
        Continue with the later payment = Pokračujte s pozdější platbou
        Check the cable or pairing of the reader = Zkontrolujte kabel nebo párování čtečky
        Start the reader service = Spusťte službu čtečky
        Close the other program = Ukončete druhý program
        Use a contactless reader = Použijte bezkontaktní čtečku
        Unplug the reader and plug it in again = Odpojte čtečku a znovu ji připojte
        Wait for the other payment to end = Počkejte na konec druhé platby
        Prepare the reader = Připravte čtečku
        Prepare the reader again = Připravte čtečku znovu
        Restart the device = Restartujte zařízení
        Report the problem to support = Nahlaste problém podpoře
        Correct the configuration = Opravte konfiguraci
        Load a new configuration = Načtěte novou konfiguraci
        Load a configuration with the keys of the network = Načtěte konfiguraci s klíči sítě
        Load a configuration with current keys = Načtěte konfiguraci s platnými klíči
        Load the keys of the networks before live payments = Načtěte klíče sítí před skutečnými platbami
        Ask an administrator to accept the terms = Nechte správce přijmout podmínky
        Contact the payment provider = Obraťte se na poskytovatele plateb
        Sign in as an administrator = Přihlaste se jako správce
        Request a genuine record from the payment provider = Vyžádejte si pravý záznam od poskytovatele plateb
        Check the storage of the device = Zkontrolujte úložiště zařízení
        Use another way to pay = Použijte jiný způsob platby
        Try again later, or use another card = Zkuste to později nebo použijte jinou kartu
        Check the network connection of the device = Zkontrolujte síťové připojení zařízení
        Check the settings of the merchant account = Zkontrolujte nastavení účtu obchodníka
        Nothing charged, start a new payment = Nic neúčtováno, začněte novou platbu
        Look up the payment at the provider before a new one = Vyhledejte platbu u poskytovatele před novou
        Read the card for a payment = Načtěte kartu pro platbu
        Use a real card, or acceptsSimulatedReads of a test host = \
        Použijte skutečnou kartu, nebo acceptsSimulatedReads při testu
        Remove the card, then start a new payment = Odeberte kartu, potom začněte novou platbu
        Use a new key for every payment = Použijte nový klíč pro každou platbu
        Check the receipt of the payment = Zkontrolujte doklad o platbě
        Finish the earlier payment first = Nejprve dokončete dřívější platbu
        Enter at most the price = Zadejte nejvýše cenu
        Enter at most the payment less refunds = Zadejte nejvýše částku platby bez vrácených částek
        Enter at most the authorized amount = Zadejte nejvýše autorizovanou částku
        Free up space on the device = Uvolněte místo v zařízení
        """
}
