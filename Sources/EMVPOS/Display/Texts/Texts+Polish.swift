// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let polish = """
        message.03 Zaakceptowano
        message.07 Brak autoryzacji
        message.09 Wprowadź PIN
        message.0F Błąd przetwarzania
        message.10 Zabierz kartę
        message.14 Witamy
        message.15 Zbliż kartę
        message.16 Przetwarzanie
        message.17 Karta odczytana, zabierz kartę
        message.18 Włóż lub przeciągnij kartę
        message.19 Tylko jedna karta
        message.1A Zaakceptowano, wymagany podpis
        message.1B Trwa autoryzacja
        message.1C Włóż lub przeciągnij kartę albo użyj innej karty
        message.1D Włóż kartę
        message.20 Instrukcje na telefonie
        message.21 Zbliż kartę ponownie
        label.payment Płatność zbliżeniowa
        label.cash Wypłata gotówki
        label.cashBack Płatność z wypłatą gotówki
        label.refund Zwrot
        label.lookUp Wyszukaj
        label.storeCard Zapisz kartę
        label.verify Sprawdź
        label.openTab Otwórz rachunek
        loyalty.label Karta lojalnościowa
        loyalty.read Karta lojalnościowa odczytana
        loyalty.present Zbliż telefon
        loyalty.choose Wybierz kartę na telefonie
        loyalty.unlock Odblokuj telefon
        loyalty.again Zbliż telefon ponownie
        loyalty.none Brak karty lojalnościowej
        loyalty.signUp Zapis do programu na telefonie
        loyalty.failed Karta lojalnościowa nieodczytana
        enrollment.required Warunki do zaakceptowania przed pierwszą płatnością
        enrollment.adminRequired Akceptacja warunków wymaga dostępu administratora
        enrollment.outdated Nowe warunki do zaakceptowania
        enrollment.revoked Akceptacja warunków cofnięta
        enrollment.accepted Warunki zaakceptowane
        alternative.retry Zbliż ponownie tę samą kartę
        alternative.startAgain Rozpocznij płatność od nowa
        alternative.anotherCard Użyj innej karty
        alternative.otherInterface.chip Włóż kartę
        alternative.otherInterface.swipe Przeciągnij kartę
        alternative.otherInterface.chipOrSwipe Włóż lub przeciągnij kartę
        alternative.enterPIN Wprowadź PIN
        alternative.waitAndRetry Spróbuj ponownie za chwilę
        alternative.askHost Wyszukaj tę płatność
        alternative.checkReader Sprawdź czytnik
        alternative.correctRequest Popraw kwotę
        alternative.administrator Zaloguj się jako administrator
        alternative.update Zaktualizuj czytnik
        alternative.payRest Zapłać resztę inaczej
        alternative.cash Gotówka
        alternative.paymentLink Link do płatności
        alternative.help Pomoc
        amount.total Razem
        amount.approved Zaakceptowana kwota
        amount.due Pozostało do zapłaty
        amount.balance Pozostałe saldo
        amount.cashBack Wypłata gotówki
        amount.pending Kwota nieustalona
        amount.preauthorization Kwota preautoryzowana
        amount.later Płatne później
        amount.later.day Termin płatności
        amount.membership.weekly Co tydzień
        amount.membership.monthly Co miesiąc
        amount.membership.yearly Co rok
        amount.installment.weekly Rata tygodniowa
        amount.installment.monthly Rata miesięczna
        amount.installment.yearly Rata roczna
        amount.line.item Cena
        amount.line.charge Dopłata
        amount.line.discount Rabat
        amount.line.tip Napiwek
        amount.line.tax Podatek
        amount.line.donation Darowizna
        amount.line.recurring Płatność cykliczna
        amount.line.installment Rata
        progress.preparing Przygotowanie czytnika
        progress.authorizing Trwa autoryzacja
        progress.reversing Trwa anulowanie
        headline.approved Zaakceptowano
        headline.accepted Przyjęto, oczekiwanie na autoryzację
        headline.signature Zaakceptowano, wymagany podpis
        headline.part Zaakceptowano częściowo, reszta do zapłaty
        headline.verified Karta sprawdzona
        headline.authorizing Trwa autoryzacja
        headline.declined Płatność odrzucona
        headline.notCompleted Płatność niezakończona
        headline.otherCard Potrzebna inna karta
        headline.otherInterface Włóż lub przeciągnij kartę
        headline.pin Wymagany PIN
        headline.wait Spróbuj ponownie za chwilę
        headline.request Kwota lub żądanie do poprawienia
        headline.reader Czytnik do sprawdzenia
        headline.setUp Wymagana konfiguracja
        headline.unknown Wynik jeszcze nieznany
        receipt.customerCopy Kopia dla klienta
        receipt.merchantCopy Kopia dla sprzedawcy
        receipt.purchase Sprzedaż
        receipt.cash Wypłata gotówki
        receipt.cashBack Sprzedaż z wypłatą gotówki
        receipt.refund Zwrot
        receipt.capture Zakończenie preautoryzacji
        receipt.increment Zwiększenie preautoryzacji
        receipt.void Anulowanie
        receipt.verification Sprawdzenie karty
        receipt.via Przez
        receipt.terminal Terminal
        receipt.merchant Numer sprzedawcy
        receipt.sequence Transakcja
        receipt.reference Numer referencyjny
        receipt.original Pierwotna płatność
        receipt.card Karta
        receipt.cardSequence Numer sekwencyjny karty
        receipt.entry Odczyt
        receipt.contactless Zbliżeniowo
        receipt.application Aplikacja
        receipt.authorizationCode Kod autoryzacji
        receipt.responseCode Kod odpowiedzi
        receipt.cryptogram Kryptogram
        receipt.verified Weryfikacja
        receipt.cvm.signature Podpis
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm Na urządzeniu
        receipt.signature Podpis
        receipt.approved Zaakceptowano
        receipt.approvedOffline Zaakceptowano offline
        receipt.declined Odrzucono
        receipt.notCompleted Niezakończono
        receipt.unknown Wynik jeszcze nieznany
        receipt.accepted Przyjęto, oczekiwanie na autoryzację
        receipt.approvedLater Zapłacono, autoryzowano później
        receipt.declinedLater Nie zapłacono, odmowa autoryzacji
        receipt.verifiedCard Karta sprawdzona
        receipt.nothingCharged Nic nie pobrano
        receipt.nothingRefunded Nic nie zwrócono
        receipt.notYetCharged Zarezerwowano, jeszcze nie pobrano
        delivery.title Potwierdzenie
        delivery.print Drukuj
        delivery.mail E-mail
        delivery.message SMS
        delivery.code Kod QR
        delivery.none Bez potwierdzenia
        delivery.address.mail Adres e-mail
        delivery.address.message Numer telefonu komórkowego
        education.start.title Początek płatności zbliżeniowej
        education.start.1 Wprowadź kwotę końcową, z napiwkami i rabatami
        education.start.2 Wybierz płatność zbliżeniową
        education.start.3 Obróć czytnik w stronę klienta
        education.card.title Karty zbliżeniowe
        education.card.1 Trzymaj kartę płasko i nieruchomo w tym miejscu
        education.card.2 Trzymaj wszystkie inne karty z dala od czytnika
        education.card.3 Zabierz kartę po sygnale, potem poczekaj na wynik
        education.device.title Telefony i zegarki
        education.device.1 Najpierw odblokuj telefon lub zegarek
        education.device.2 Przyłóż górną krawędź w tym miejscu
        education.device.3 Wykonaj instrukcje z urządzenia, jeśli się pojawią, potem zbliż je ponownie
        education.pin.title Wprowadzanie PIN-u
        education.pin.1 Podaj klientowi klawiaturę PIN
        education.pin.2 Odwróć wzrok podczas wprowadzania PIN-u
        education.pin.3 Licz się z prośbą o PIN także po odpowiedzi banku
        education.accessibility.title Wprowadzanie PIN-u bez użycia wzroku
        education.accessibility.1 Włącz tryb dostępności przed wprowadzeniem PIN-u, na życzenie klienta
        education.accessibility.2 Poprowadź palec do wypukłego znaku na klawiszu 5
        education.accessibility.3 Daj tyle czasu, ile trzeba, i nigdy nie pytaj o PIN
        education.result.title Wyniki
        education.result.1 Pokaż klientowi wynik, akceptację lub odmowę
        education.result.2 Zaproponuj potwierdzenie w obu przypadkach
        education.result.3 Po odmowie zaproponuj inną kartę lub inną formę płatności
        education.try.title Próba bez pieniędzy
        education.try.1 Rozpocznij płatność testową z symulowanym czytnikiem
        education.try.2 Przećwicz odmowę i PIN przed pierwszym klientem
        antenna.symbol Symbol zbliżeniowy na czytniku
        antenna.display Środek wyświetlacza czytnika
        antenna.top Górna krawędź czytnika
        antenna.surface Środek powierzchni czytnika
        antenna.slot Z dala od szczeliny na kartę, na górnej stronie
        problem.amountAboveLimit Kwota powyżej limitu zbliżeniowego
        problem.amountAboveKernelLimit Kwota powyżej limitu dla tej karty
        problem.amountZero Kwota zero niedozwolona
        problem.amountNotAllowed Kwota niedozwolona zbliżeniowo
        problem.amountTooLarge Kwota o więcej niż 12 cyfrach
        problem.currencyInvalid Waluta spoza ISO 4217
        problem.currencyConflict Różne waluty w jednej płatności
        problem.cashBackAboveAmount Wypłata gotówki powyżej kwoty całkowitej
        problem.cashBackZero Zerowa wypłata gotówki
        problem.lineItemsMismatch Pozycje niezgodne z sumą
        problem.transactionTypeNotConfigured Rodzaj płatności nieskonfigurowany
        problem.currencyNotConfigured Waluta nieskonfigurowana
        problem.preferredApplicationInvalid Identyfikator aplikacji spoza zakresu od 5 do 16 bajtów
        problem.requestInvalid Żądanie sprzeczne z konfiguracją
        problem.linkTimedOut Brak odpowiedzi karty
        problem.linkDisturbed Zakłócone połączenie z kartą
        problem.linkProtocolFailed Karta niezgodna z protokołem zbliżeniowym
        problem.cardRemovedEarly Karta zabrana zbyt wcześnie
        problem.cardDataInvalid Brakujące lub błędne dane karty
        problem.cardStatusUnexpected Nieoczekiwana odpowiedź karty
        problem.cardDataTooLarge Więcej danych na karcie, niż mieści czytnik
        problem.cardSwitched Różne karty podczas jednej płatności
        problem.cardProtectionFailed Sprzeczne dane karty
        problem.severalCards Kilka kart przy czytniku
        problem.tooManyPresentments Karta zbliżana zbyt wiele razy
        problem.applicationsExhausted Brak użytecznej aplikacji na karcie
        problem.deviceNotUnlocked Telefon lub zegarek nadal zablokowany
        problem.otherInterfaceWanted Karta bez trybu zbliżeniowego dla tej płatności
        problem.cardDeclined Płatność odrzucona przez kartę
        problem.insufficientOfflineBalance Zbyt niskie saldo na karcie
        problem.issuerAnswerRefused Odpowiedź banku odrzucona przez kartę
        problem.networkUnsupported Nieakceptowana sieć karty
        problem.preferredApplicationAbsent Brak wybranej aplikacji na karcie
        problem.issuerCountryUnsupported Nieakceptowany kraj karty
        problem.issuerCountryUnknown Nieznany kraj karty
        problem.pinRequired Wymagany PIN
        problem.pinPadMissing Wymagany PIN, brak klawiatury PIN
        problem.pinCancelled Wprowadzanie PIN-u anulowane
        problem.pinTimedOut Brak PIN-u w wymaganym czasie
        problem.pinBypassed Wprowadzanie PIN-u pominięte
        problem.pinPadFailed Awaria klawiatury PIN
        problem.pinAttemptsExceeded Zbyt wiele prób wprowadzenia PIN-u
        problem.incorrectPIN Nieprawidłowy PIN
        problem.cancelledByPerson Płatność anulowana
        problem.cancelledByProgram Płatność anulowana przez aplikację
        problem.cardTimedOut Brak karty w wymaganym czasie
        problem.cardNotRemoved Poprzednia karta nadal na czytniku
        problem.stoppedByTerminal Płatność zatrzymana przez terminal
        problem.suspended Aplikacja w tle
        problem.superseded Płatność zastąpiona późniejszą
        problem.readerDetached Czytnik odłączony
        problem.readerMissing Brak podłączonego czytnika
        problem.readerServiceMissing Usługa czytnika kart nieuruchomiona
        problem.readerInUse Czytnik używany przez inny program
        problem.readerUnsupported Czytnik bez potrzebnych funkcji
        problem.readerFailed Awaria czytnika
        problem.readerBusy Inna płatność na tym czytniku
        problem.notPrepared Czytnik nieprzygotowany
        problem.preparationCancelled Przygotowanie anulowane
        problem.nothingToComplete Brak płatności oczekującej na odpowiedź
        problem.randomMissing Brak użytecznej liczby losowej
        problem.kernelDefect Usterka jądra płatniczego
        problem.configurationInvalid Konfiguracja nieprawidłowa
        problem.configurationExpired Konfiguracja wygasła
        problem.configurationExpiresSoon Konfiguracja wkrótce wygasa
        problem.caKeysMissing Brak klucza urzędu certyfikacji dla sieci
        problem.caKeyExpired Klucz urzędu certyfikacji wygasł
        problem.testKeys Klucze testowe w konfiguracji
        problem.enrollmentRequired Warunki jeszcze niezaakceptowane
        problem.enrollmentRevoked Zgoda na warunki cofnięta
        problem.enrollmentOutdated Nowe warunki jeszcze niezaakceptowane
        problem.administratorRequired Wymagany dostęp administratora
        problem.enrollmentSignatureInvalid Nieautentyczne potwierdzenie akceptacji
        problem.enrollmentStoreFailed Niezapisane potwierdzenie akceptacji
        problem.enrollmentUnanswered Brak odpowiedzi na czas w sprawie warunków
        problem.issuerDeclined Płatność odrzucona przez bank
        problem.insufficientFunds Brak wystarczających środków
        problem.suspectedFraud Podejrzenie oszustwa w banku
        problem.cardExpired Karta po terminie ważności
        problem.cardLostOrStolen Karta zgłoszona jako zgubiona lub skradziona
        problem.cardNotPermitted Rodzaj płatności niedozwolony dla karty
        problem.issuerLimitExceeded Przekroczony limit konta
        problem.issuerUnavailable Bank nieosiągalny
        problem.hostUnreachable Brak połączenia z dostawcą płatności
        problem.hostRejected Żądanie odrzucone przez dostawcę płatności
        problem.authorizationTimedOut Brak odpowiedzi dostawcy płatności w wymaganym czasie
        problem.authorizationInterrupted Autoryzacja przerwana
        problem.authorizationAnswerLost Utracona odpowiedź dostawcy płatności
        problem.reversalFailed Wynik płatności nieznany
        problem.authorizationNotPossible Nic do autoryzacji w tym odczycie
        problem.simulatedRead Symulowana karta u prawdziwego dostawcy płatności
        problem.keyUsed Klucz wcześniejszej płatności
        problem.saleSettled Zamówienie już opłacone
        problem.saleOpen Wcześniejsza płatność tego zamówienia nadal otwarta
        problem.amountAboveDue Kwota powyżej ceny zamówienia
        problem.refundAbovePaid Zwrot powyżej zapłaconej kwoty
        problem.captureAboveAuthorized Kwota powyżej kwoty autoryzowanej
        problem.alreadyVoided Płatność już anulowana
        problem.followUpNotPossible Niemożliwe dla tej płatności
        problem.approvedInPart Zaakceptowano tylko część kwoty
        problem.offlineLimitReached Osiągnięty limit płatności bez połączenia
        problem.offlineAmountAboveLimit Kwota powyżej limitu bez połączenia
        problem.offlineCardLimitReached Limit karty bez połączenia osiągnięty
        problem.offlineTooLong Zbyt długo bez połączenia
        problem.issuerDataTooLong Dane banku za długie dla karty
        problem.chipRequested Chip karty wymagany przez bank
        problem.journalFailed Płatność niezarejestrowana
        problem.journalFull Pamięć płatności pełna
        problem.journalInUse Rejestr płatności używany przez inny program
        problem.journalDamaged Rejestr płatności uszkodzony
        problem.journalRestored Rejestr płatności przywrócony z kopii zapasowej
        problem.own Inna przyczyna
        """

    static let polishRemedies = """
        Enter an amount above zero = Wprowadź kwotę powyżej zera
        Enter an amount of at most 12 digits = Wprowadź kwotę o najwyżej 12 cyfrach
        Use a numeric code up to 999 and at most 4 decimals = \
        Użyj kodu liczbowego do 999 i najwyżej 4 miejsc po przecinku
        Use one currency for all amounts = Użyj jednej waluty dla wszystkich kwot
        Include the cash back in the total = Wlicz wypłatę gotówki do sumy
        Enter a cash back above zero, or choose a purchase = \
        Wprowadź wypłatę gotówki powyżej zera lub wybierz sprzedaż
        Make the line items add up to the total = Uzgodnij pozycje z sumą
        Configure a combination for this kind of payment = Skonfiguruj kombinację dla tego rodzaju płatności
        Use identifiers of 5 to 16 bytes = Użyj identyfikatorów od 5 do 16 bajtów
        Change the request to fit the configuration = Dostosuj żądanie do konfiguracji
        Hold the card flat and still on the reader = Trzymaj kartę płasko i nieruchomo na czytniku
        Use the chip of the card, or another card = Użyj chipa karty lub innej karty
        Hold the card on the reader until the signal = Trzymaj kartę na czytniku aż do sygnału
        Present the same card each time = Za każdym razem zbliż tę samą kartę
        Take the card out of the wallet and present it alone = Wyjmij kartę z portfela i zbliż ją osobno
        Follow the instructions on the phone, then present it again = \
        Wykonaj instrukcje na telefonie, potem zbliż go ponownie
        Use the chip or magnetic stripe of the card = Użyj chipa lub paska magnetycznego karty
        Use another card, or another way to pay = Użyj innej karty lub innej formy płatności
        Use a card of an accepted network = Użyj karty akceptowanej sieci
        Make another choice, or use another card = Dokonaj innego wyboru lub użyj innej karty
        Use a card of an accepted country = Użyj karty z akceptowanego kraju
        Use a card that names its country = Użyj karty z podanym krajem
        Enter the PIN on the PIN pad = Wprowadź PIN na klawiaturze PIN
        Use the chip of the card, or a payment link = Użyj chipa karty lub linku do płatności
        Try again, or use another way to pay = Spróbuj ponownie lub użyj innej formy płatności
        Try again with PIN, or use another way to pay = Spróbuj ponownie z PIN-em lub użyj innej formy płatności
        Check the connection of the PIN pad, or pay another way = \
        Sprawdź podłączenie klawiatury PIN lub zapłać inaczej
        Try again with the right PIN = Spróbuj ponownie z prawidłowym PIN-em
        Start a new payment = Rozpocznij nową płatność
        Try again = Spróbuj ponownie
        Start a new payment with the app in the foreground = \
        Rozpocznij nową płatność z aplikacją na pierwszym planie
        Continue with the later payment = Kontynuuj późniejszą płatność
        Check the cable or pairing of the reader = Sprawdź kabel lub parowanie czytnika
        Start the reader service = Uruchom usługę czytnika
        Close the other program = Zamknij drugi program
        Use a contactless reader = Użyj czytnika zbliżeniowego
        Unplug the reader and plug it in again = Odłącz czytnik i podłącz go ponownie
        Wait for the other payment to end = Poczekaj na zakończenie innej płatności
        Prepare the reader = Przygotuj czytnik
        Prepare the reader again = Przygotuj czytnik ponownie
        Restart the device = Uruchom urządzenie ponownie
        Report the problem to support = Zgłoś problem do pomocy technicznej
        Correct the configuration = Popraw konfigurację
        Load a new configuration = Wczytaj nową konfigurację
        Load a configuration with the keys of the network = Wczytaj konfigurację z kluczami sieci
        Load a configuration with current keys = Wczytaj konfigurację z ważnymi kluczami
        Load the keys of the networks before live payments = Wczytaj klucze sieci przed prawdziwymi płatnościami
        Ask an administrator to accept the terms = Poproś administratora o akceptację warunków
        Contact the payment provider = Skontaktuj się z dostawcą płatności
        Sign in as an administrator = Zaloguj się jako administrator
        Request a genuine record from the payment provider = Poproś dostawcę płatności o autentyczne potwierdzenie
        Check the storage of the device = Sprawdź pamięć urządzenia
        Use another way to pay = Użyj innej formy płatności
        Try again later, or use another card = Spróbuj ponownie później lub użyj innej karty
        Check the network connection of the device = Sprawdź połączenie sieciowe urządzenia
        Check the settings of the merchant account = Sprawdź ustawienia konta sprzedawcy
        Nothing charged, start a new payment = Nic nie pobrano, rozpocznij nową płatność
        Look up the payment at the provider before a new one = Wyszukaj płatność u dostawcy przed rozpoczęciem nowej
        Read the card for a payment = Odczytaj kartę do płatności
        Use a real card, or acceptsSimulatedReads of a test host = \
        Użyj prawdziwej karty lub acceptsSimulatedReads w testach
        Remove the card, then start a new payment = Zabierz kartę, potem rozpocznij nową płatność
        Use a new key for every payment = Użyj nowego klucza dla każdej płatności
        Check the receipt of the payment = Sprawdź potwierdzenie płatności
        Finish the earlier payment first = Najpierw zakończ wcześniejszą płatność
        Enter at most the price = Wprowadź kwotę nie wyższą niż cena
        Enter at most the payment less refunds = Wprowadź najwyżej kwotę płatności pomniejszoną o zwroty
        Enter at most the authorized amount = Wprowadź kwotę do wysokości autoryzacji
        Free up space on the device = Zwolnij miejsce na urządzeniu
        """
}
