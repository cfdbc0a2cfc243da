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
        An amount above zero = Kwota powyżej zera
        An amount of at most 12 digits = Kwota o najwyżej 12 cyfrach
        A numeric code up to 999, at most 4 decimals = Kod liczbowy do 999, najwyżej 4 miejsca po przecinku
        One currency for all amounts = Jedna waluta dla wszystkich kwot
        A total that includes the cash back = Suma obejmująca wypłatę gotówki
        A cash back above zero, or a purchase = Wypłata gotówki powyżej zera lub sprzedaż
        Line items that add up to the total = Pozycje zgodne z sumą
        A combination for this kind of payment in the configuration = \
        Kombinacja dla tego rodzaju płatności w konfiguracji
        Identifiers of 5 to 16 bytes = Identyfikatory od 5 do 16 bajtów
        A request that fits the configuration = Żądanie zgodne z konfiguracją
        Card held flat and still on the reader = Karta płasko i nieruchomo na czytniku
        Chip of the card, or another card = Chip karty lub inna karta
        Card held on the reader until the signal = Karta na czytniku aż do sygnału
        The same card each time = Za każdym razem ta sama karta
        One card alone, out of the wallet = Jedna karta, wyjęta z portfela
        Instructions on the phone, then the phone once more = Instrukcje na telefonie, potem telefon ponownie
        Chip or magnetic stripe of the card = Chip lub pasek magnetyczny karty
        Another card, or another way to pay = Inna karta lub inna forma płatności
        A card of an accepted network = Karta akceptowanej sieci
        Another choice, or another card = Inny wybór lub inna karta
        A card of an accepted country = Karta z akceptowanego kraju
        A card that names its country = Karta z podanym krajem
        PIN entry on the PIN pad = Wprowadzenie PIN-u na klawiaturze PIN
        Chip of the card, or a payment link = Chip karty lub link do płatności
        Another try, or another way to pay = Ponowna próba lub inna forma płatności
        Another try with PIN, or another way to pay = Ponowna próba z PIN-em lub inna forma płatności
        Connection of the PIN pad, or another way to pay = Podłączenie klawiatury PIN lub inna forma płatności
        Another try with the right PIN = Ponowna próba z prawidłowym PIN-em
        A new payment = Nowa płatność
        Another try = Ponowna próba
        A new payment in the foreground = Nowa płatność na pierwszym planie
        The later payment = Późniejsza płatność
        Cable or pairing of the reader = Kabel lub parowanie czytnika
        Start of the reader service = Uruchomienie usługi czytnika
        End of the other program = Zakończenie innego programu
        A contactless reader = Czytnik zbliżeniowy
        Reader unplugged and plugged in again = Czytnik odłączony i podłączony ponownie
        End of the other payment = Zakończenie innej płatności
        Preparation of the reader = Przygotowanie czytnika
        A new preparation = Nowe przygotowanie
        Restart of the device = Ponowne uruchomienie urządzenia
        A report to support = Zgłoszenie do pomocy technicznej
        A corrected configuration = Poprawiona konfiguracja
        A new configuration = Nowa konfiguracja
        A configuration with the keys of the network = Konfiguracja z kluczami sieci
        A configuration with present keys = Konfiguracja z ważnymi kluczami
        Keys of the networks before live payments = Klucze sieci przed prawdziwymi płatnościami
        Acceptance by an administrator = Akceptacja przez administratora
        Contact with the payment provider = Kontakt z dostawcą płatności
        Sign-in as an administrator = Zalogowanie jako administrator
        A record of the payment provider = Potwierdzenie od dostawcy płatności
        Storage of the device = Pamięć urządzenia
        Another way to pay = Inna forma płatności
        Another try later, or another card = Ponowna próba później lub inna karta
        Network connection of the device = Połączenie sieciowe urządzenia
        Settings of the merchant account = Ustawienia konta sprzedawcy
        Nothing charged, a new payment = Nic nie pobrano, nowa płatność
        A look-up of the payment at the provider before a new one = Wyszukanie płatności u dostawcy przed nową
        A payment read = Odczyt płatności
        A real card, or acceptsSimulatedReads of a test host = \
        Prawdziwa karta lub acceptsSimulatedReads hosta testowego
        Card taken away, then a new payment = Karta zabrana, potem nowa płatność
        A new key for every payment = Nowy klucz dla każdej płatności
        Receipt of the payment = Potwierdzenie płatności
        End of the earlier payment = Zakończenie wcześniejszej płatności
        An amount of at most the price = Kwota nie wyższa niż cena
        An amount up to the payment less refunds = Kwota do wysokości płatności pomniejszonej o zwroty
        An amount up to the authorized amount = Kwota do wysokości autoryzacji
        Free space on the device = Wolne miejsce na urządzeniu
        """
}
