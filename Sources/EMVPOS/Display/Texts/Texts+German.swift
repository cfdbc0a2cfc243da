// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let german = """
        message.03 Genehmigt
        message.07 Nicht genehmigt
        message.09 PIN eingeben
        message.0F Fehler bei der Verarbeitung
        message.10 Karte entfernen
        message.14 Willkommen
        message.15 Karte vorhalten
        message.16 Verarbeitung läuft
        message.17 Karte gelesen, Karte entfernen
        message.18 Karte einstecken oder durchziehen
        message.19 Nur eine Karte
        message.1A Genehmigt, Unterschrift erforderlich
        message.1B Autorisierung läuft
        message.1C Karte einstecken, durchziehen oder andere Karte nehmen
        message.1D Karte einstecken
        message.20 Anweisungen auf dem Telefon
        message.21 Karte erneut vorhalten
        label.payment Kontaktlose Zahlung
        label.cash Bargeldauszahlung
        label.cashBack Zahlung mit Barauszahlung
        label.refund Erstattung
        label.lookUp Nachschlagen
        label.storeCard Karte speichern
        label.verify Prüfen
        label.openTab Offene Rechnung anlegen
        loyalty.label Kundenkarte
        loyalty.read Kundenkarte gelesen
        loyalty.present Telefon vorhalten
        loyalty.choose Kundenkarte am Telefon wählen
        loyalty.unlock Telefon entsperren
        loyalty.again Telefon erneut vorhalten
        loyalty.none Keine Kundenkarte gefunden
        loyalty.signUp Anmeldung am Telefon angeboten
        loyalty.failed Kundenkarte nicht gelesen
        enrollment.required Bedingungen vor der ersten Zahlung anzunehmen
        enrollment.adminRequired Administratorzugang zur Annahme der Bedingungen erforderlich
        enrollment.outdated Neue Bedingungen anzunehmen
        enrollment.revoked Annahme der Bedingungen widerrufen
        enrollment.accepted Bedingungen angenommen
        alternative.retry Dieselbe Karte erneut vorhalten
        alternative.startAgain Zahlung neu beginnen
        alternative.anotherCard Andere Karte verwenden
        alternative.otherInterface.chip Karte einstecken
        alternative.otherInterface.swipe Karte durchziehen
        alternative.otherInterface.chipOrSwipe Karte einstecken oder durchziehen
        alternative.enterPIN PIN eingeben
        alternative.waitAndRetry In Kürze erneut versuchen
        alternative.askHost Diese Zahlung nachschlagen
        alternative.checkReader Leser prüfen
        alternative.correctRequest Betrag berichtigen
        alternative.administrator Als Administrator anmelden
        alternative.update Leser aktualisieren
        alternative.payRest Rest anders bezahlen
        alternative.cash Bargeld
        alternative.paymentLink Zahlungslink
        alternative.help Hilfe
        amount.total Summe
        amount.approved Genehmigter Betrag
        amount.due Noch zu zahlen
        amount.balance Restguthaben
        amount.cashBack Barauszahlung
        amount.pending Betrag noch nicht bekannt
        amount.preauthorization Vorautorisierter Betrag
        amount.later Später fällig
        amount.later.day Fällig am
        amount.membership.weekly Jede Woche
        amount.membership.monthly Jeden Monat
        amount.membership.yearly Jedes Jahr
        amount.installment.weekly Wöchentliche Rate
        amount.installment.monthly Monatliche Rate
        amount.installment.yearly Jährliche Rate
        amount.line.item Preis
        amount.line.charge Aufschlag
        amount.line.discount Rabatt
        amount.line.tip Trinkgeld
        amount.line.tax Steuer
        amount.line.donation Spende
        amount.line.recurring Wiederkehrende Zahlung
        amount.line.installment Rate
        progress.preparing Leser in Vorbereitung
        progress.authorizing Autorisierung läuft
        progress.reversing Storno läuft
        headline.approved Genehmigt
        headline.accepted Angenommen, Autorisierung steht aus
        headline.signature Genehmigt, Unterschrift erforderlich
        headline.part Teilweise genehmigt, Rest offen
        headline.verified Karte geprüft
        headline.authorizing Autorisierung läuft
        headline.declined Zahlung abgelehnt
        headline.notCompleted Zahlung nicht abgeschlossen
        headline.otherCard Andere Karte nötig
        headline.otherInterface Karte einstecken oder durchziehen
        headline.pin PIN erforderlich
        headline.wait In Kürze erneut versuchen
        headline.request Betrag oder Anfrage zu berichtigen
        headline.reader Leser zu prüfen
        headline.setUp Einrichtung erforderlich
        headline.unknown Ergebnis noch nicht bekannt
        receipt.customerCopy Kundenbeleg
        receipt.merchantCopy Händlerbeleg
        receipt.purchase Kauf
        receipt.cash Bargeldauszahlung
        receipt.cashBack Kauf mit Barauszahlung
        receipt.refund Erstattung
        receipt.capture Buchung der Vorautorisierung
        receipt.increment Erhöhung der Vorautorisierung
        receipt.void Storno
        receipt.verification Kartenprüfung
        receipt.via Über
        receipt.terminal Terminal
        receipt.merchant Händlernummer
        receipt.sequence Vorgang
        receipt.reference Referenz
        receipt.original Ursprüngliche Zahlung
        receipt.card Karte
        receipt.cardSequence Kartenfolge
        receipt.entry Eingabe
        receipt.contactless Kontaktlos
        receipt.application Anwendung
        receipt.authorizationCode Genehmigung
        receipt.responseCode Antwortcode
        receipt.cryptogram Kryptogramm
        receipt.verified Prüfung
        receipt.cvm.signature Unterschrift
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm Auf dem Gerät
        receipt.signature Unterschrift
        receipt.approved Genehmigt
        receipt.approvedOffline Offline genehmigt
        receipt.declined Abgelehnt
        receipt.notCompleted Nicht abgeschlossen
        receipt.unknown Ergebnis noch nicht bekannt
        receipt.accepted Angenommen, Autorisierung steht aus
        receipt.approvedLater Bezahlt, nachträglich autorisiert
        receipt.declinedLater Nicht bezahlt, Autorisierung abgelehnt
        receipt.verifiedCard Karte geprüft
        receipt.nothingCharged Nichts abgebucht
        receipt.nothingRefunded Nichts erstattet
        receipt.notYetCharged Reserviert, noch nicht abgebucht
        delivery.title Beleg
        delivery.print Drucken
        delivery.mail E-Mail
        delivery.message Textnachricht
        delivery.code QR-Code
        delivery.none Kein Beleg
        delivery.address.mail E-Mail-Adresse
        delivery.address.message Mobilnummer
        education.start.title Beginn einer kontaktlosen Zahlung
        education.start.1 Endbetrag eingeben, mit Trinkgeld und Rabatt
        education.start.2 Kontaktlose Zahlung wählen
        education.start.3 Leser zum Kunden drehen
        education.card.title Kontaktlose Karten
        education.card.1 Karte flach und ruhig an diese Stelle halten
        education.card.2 Alle anderen Karten vom Leser fernhalten
        education.card.3 Karte nach dem Signal entfernen, dann auf das Ergebnis warten
        education.device.title Telefone und Uhren
        education.device.1 Telefon oder Uhr zuerst entsperren
        education.device.2 Oberkante an diese Stelle halten
        education.device.3 Anweisungen auf dem Gerät folgen, dann erneut vorhalten
        education.pin.title PIN-Eingabe
        education.pin.1 PIN-Pad dem Kunden geben
        education.pin.2 Bei der PIN-Eingabe wegsehen
        education.pin.3 Mit einer PIN-Abfrage auch nach der Antwort der Bank rechnen
        education.accessibility.title PIN-Eingabe ohne Sicht
        education.accessibility.1 Bedienungshilfe auf Wunsch des Kunden vor der PIN-Eingabe einschalten
        education.accessibility.2 Finger zur fühlbaren Marke auf der Taste 5 führen
        education.accessibility.3 Alle nötige Zeit lassen und nie nach der PIN fragen
        education.result.title Ergebnisse
        education.result.1 Dem Kunden das Ergebnis zeigen, genehmigt oder abgelehnt
        education.result.2 In beiden Fällen einen Beleg anbieten
        education.result.3 Nach einer Ablehnung andere Karte oder andere Zahlart anbieten
        education.try.title Probe ohne Geld
        education.try.1 Testzahlung mit dem simulierten Leser beginnen
        education.try.2 Vor dem ersten Kunden eine Ablehnung und eine PIN durchspielen
        antenna.symbol Kontaktlos-Symbol auf dem Leser
        antenna.display Mitte der Anzeige des Lesers
        antenna.top Oberkante des Lesers
        antenna.surface Mitte der Oberseite des Lesers
        antenna.slot Oberseite, weit weg vom Chipschlitz
        problem.amountAboveLimit Betrag über der Kontaktlos-Grenze
        problem.amountAboveKernelLimit Betrag über der Grenze für diese Karte
        problem.amountZero Betrag null nicht erlaubt
        problem.amountNotAllowed Betrag kontaktlos nicht erlaubt
        problem.amountTooLarge Betrag mit mehr als 12 Stellen
        problem.currencyInvalid Währung außerhalb von ISO 4217
        problem.currencyConflict Verschiedene Währungen in einer Zahlung
        problem.cashBackAboveAmount Barauszahlung über dem Gesamtbetrag
        problem.cashBackZero Barauszahlung von null
        problem.lineItemsMismatch Posten abweichend von der Summe
        problem.transactionTypeNotConfigured Art der Zahlung nicht eingerichtet
        problem.currencyNotConfigured Währung nicht eingerichtet
        problem.preferredApplicationInvalid Anwendungskennung außerhalb von 5 bis 16 Bytes
        problem.requestInvalid Anfrage im Widerspruch zur Konfiguration
        problem.linkTimedOut Keine Antwort der Karte
        problem.linkDisturbed Gestörte Verbindung zur Karte
        problem.linkProtocolFailed Karte außerhalb des Kontaktlos-Protokolls
        problem.cardRemovedEarly Karte zu früh entfernt
        problem.cardDataInvalid Kartendaten fehlend oder falsch
        problem.cardStatusUnexpected Unerwartete Antwort der Karte
        problem.cardDataTooLarge Mehr Kartendaten als der Leser fasst
        problem.cardSwitched Verschiedene Karten bei einer Zahlung
        problem.cardProtectionFailed Kartendaten im Widerspruch zueinander
        problem.severalCards Mehrere Karten am Leser
        problem.tooManyPresentments Karte zu oft vorgehalten
        problem.applicationsExhausted Keine nutzbare Anwendung auf der Karte
        problem.deviceNotUnlocked Telefon oder Uhr noch gesperrt
        problem.otherInterfaceWanted Karte für diese Zahlung nicht kontaktlos
        problem.cardDeclined Zahlung von der Karte abgelehnt
        problem.insufficientOfflineBalance Guthaben auf der Karte zu niedrig
        problem.issuerAnswerRefused Antwort der Bank von der Karte abgelehnt
        problem.networkUnsupported Kartennetz nicht akzeptiert
        problem.preferredApplicationAbsent Gewählte Anwendung nicht auf der Karte
        problem.issuerCountryUnsupported Land der Karte nicht akzeptiert
        problem.issuerCountryUnknown Land der Karte unbekannt
        problem.pinRequired PIN erforderlich
        problem.pinPadMissing PIN erforderlich, kein PIN-Pad
        problem.pinCancelled PIN-Eingabe abgebrochen
        problem.pinTimedOut Keine PIN in der Zeit
        problem.pinBypassed PIN-Eingabe übergangen
        problem.pinPadFailed PIN-Pad gestört
        problem.pinAttemptsExceeded Zu viele PIN-Eingaben
        problem.incorrectPIN Falsche PIN
        problem.cancelledByPerson Zahlung abgebrochen
        problem.cancelledByProgram Zahlung von der App abgebrochen
        problem.cardTimedOut Keine Karte in der Zeit
        problem.cardNotRemoved Frühere Karte noch auf dem Leser
        problem.stoppedByTerminal Zahlung vom Terminal angehalten
        problem.suspended App im Hintergrund
        problem.superseded Zahlung durch eine spätere ersetzt
        problem.readerDetached Leser getrennt
        problem.readerMissing Kein Leser angeschlossen
        problem.readerServiceMissing Kartenleserdienst nicht gestartet
        problem.readerInUse Leser von einem anderen Programm belegt
        problem.readerUnsupported Leser ohne die nötigen Funktionen
        problem.readerFailed Leser gestört
        problem.readerBusy Andere Zahlung an diesem Leser
        problem.notPrepared Leser nicht vorbereitet
        problem.preparationCancelled Vorbereitung abgebrochen
        problem.nothingToComplete Keine Zahlung in Erwartung einer Antwort
        problem.randomMissing Keine brauchbare Zufallszahl
        problem.kernelDefect Fehler im Zahlungskern
        problem.configurationInvalid Konfiguration ungültig
        problem.configurationExpired Konfiguration abgelaufen
        problem.configurationExpiresSoon Konfiguration bald abgelaufen
        problem.caKeysMissing Kein Schlüssel der Zertifizierungsstelle für ein Netz
        problem.caKeyExpired Schlüssel der Zertifizierungsstelle abgelaufen
        problem.testKeys Testschlüssel in der Konfiguration
        problem.enrollmentRequired Bedingungen noch nicht angenommen
        problem.enrollmentRevoked Annahme der Bedingungen widerrufen
        problem.enrollmentOutdated Neue Bedingungen noch nicht angenommen
        problem.administratorRequired Administratorzugang erforderlich
        problem.enrollmentSignatureInvalid Annahmenachweis nicht echt
        problem.enrollmentStoreFailed Annahmenachweis nicht gespeichert
        problem.enrollmentUnanswered Keine rechtzeitige Auskunft über die Bedingungen
        problem.issuerDeclined Zahlung von der Bank abgelehnt
        problem.insufficientFunds Deckung nicht ausreichend
        problem.suspectedFraud Betrugsverdacht bei der Bank
        problem.cardExpired Abgelaufene Karte
        problem.cardLostOrStolen Karte als verloren oder gestohlen gemeldet
        problem.cardNotPermitted Art der Zahlung mit dieser Karte nicht erlaubt
        problem.issuerLimitExceeded Grenze des Kontos überschritten
        problem.issuerUnavailable Bank nicht erreichbar
        problem.hostUnreachable Keine Verbindung zum Zahlungsdienst
        problem.hostRejected Anfrage vom Zahlungsdienst zurückgewiesen
        problem.authorizationTimedOut Keine Antwort des Zahlungsdienstes in der Zeit
        problem.authorizationInterrupted Autorisierung unterbrochen
        problem.authorizationAnswerLost Antwort des Zahlungsdienstes verloren
        problem.reversalFailed Ergebnis der Zahlung unbekannt
        problem.authorizationNotPossible Nichts zu autorisieren
        problem.simulatedRead Simulierte Karte an einem echten Zahlungsdienst
        problem.keyUsed Schlüssel einer früheren Zahlung
        problem.saleSettled Bestellung schon bezahlt
        problem.saleOpen Frühere Zahlung dieser Bestellung noch offen
        problem.amountAboveDue Betrag über dem Preis der Bestellung
        problem.refundAbovePaid Erstattung über dem bezahlten Betrag
        problem.captureAboveAuthorized Betrag über dem autorisierten Betrag
        problem.alreadyVoided Zahlung schon storniert
        problem.followUpNotPossible Für diese Zahlung nicht möglich
        problem.approvedInPart Nur ein Teil des Betrags genehmigt
        problem.offlineLimitReached Grenze für Zahlungen ohne Verbindung erreicht
        problem.offlineAmountAboveLimit Betrag über Grenze ohne Verbindung
        problem.offlineCardLimitReached Grenze je Karte ohne Verbindung erreicht
        problem.offlineTooLong Zu lange ohne Verbindung
        problem.issuerDataTooLong Daten der Bank zu lang für eine Karte
        problem.chipRequested Chip der Karte von der Bank verlangt
        problem.journalFailed Zahlung nicht aufgezeichnet
        problem.journalFull Speicher für Zahlungen voll
        problem.journalInUse Zahlungsaufzeichnung von einem anderen Programm belegt
        problem.journalDamaged Zahlungsaufzeichnung beschädigt
        problem.journalRestored Zahlungsaufzeichnung aus einer Sicherung wiederhergestellt
        problem.own Andere Ursache
        """

    static let germanRemedies = """
        Enter an amount above zero = Betrag über null eingeben
        Enter an amount of at most 12 digits = Betrag mit höchstens 12 Stellen eingeben
        Use a numeric code up to 999 and at most 4 decimals = \
        Zahlencode bis 999 und höchstens 4 Nachkommastellen verwenden
        Use one currency for all amounts = Eine Währung für alle Beträge verwenden
        Include the cash back in the total = Barauszahlung in die Summe einrechnen
        Enter a cash back above zero, or choose a purchase = Barauszahlung über null eingeben oder Kauf wählen
        Make the line items add up to the total = Posten und Summe in Übereinstimmung bringen
        Configure a combination for this kind of payment = Kombination für diese Art der Zahlung einrichten
        Use identifiers of 5 to 16 bytes = Kennungen von 5 bis 16 Bytes verwenden
        Change the request to fit the configuration = Anfrage an die Konfiguration anpassen
        Hold the card flat and still on the reader = Karte flach und ruhig an den Leser halten
        Use the chip of the card, or another card = Chip der Karte oder andere Karte verwenden
        Hold the card on the reader until the signal = Karte bis zum Signal an den Leser halten
        Present the same card each time = Jedes Mal dieselbe Karte vorhalten
        Take the card out of the wallet and present it alone = Karte aus der Geldbörse nehmen und allein vorhalten
        Follow the instructions on the phone, then present it again = \
        Anweisungen auf dem Telefon folgen, dann erneut vorhalten
        Use the chip or magnetic stripe of the card = Chip oder Magnetstreifen der Karte verwenden
        Use another card, or another way to pay = Andere Karte oder andere Zahlart wählen
        Use a card of an accepted network = Karte eines akzeptierten Netzes verwenden
        Make another choice, or use another card = Andere Wahl treffen oder andere Karte verwenden
        Use a card of an accepted country = Karte aus einem akzeptierten Land verwenden
        Use a card that names its country = Karte mit Angabe ihres Landes verwenden
        Enter the PIN on the PIN pad = PIN am PIN-Pad eingeben
        Use the chip of the card, or a payment link = Chip der Karte oder Zahlungslink verwenden
        Try again, or use another way to pay = Erneut versuchen oder andere Zahlart wählen
        Try again with PIN, or use another way to pay = Mit PIN erneut versuchen oder andere Zahlart wählen
        Check the connection of the PIN pad, or pay another way = \
        Anschluss des PIN-Pads prüfen oder andere Zahlart wählen
        Try again with the right PIN = Mit der richtigen PIN erneut versuchen
        Start a new payment = Neue Zahlung beginnen
        Try again = Erneut versuchen
        Start a new payment with the app in the foreground = Neue Zahlung mit der App im Vordergrund beginnen
        Continue with the later payment = Mit der späteren Zahlung fortfahren
        Check the cable or pairing of the reader = Kabel oder Kopplung des Lesers prüfen
        Start the reader service = Kartenleserdienst starten
        Close the other program = Das andere Programm beenden
        Use a contactless reader = Kontaktlosen Leser verwenden
        Unplug the reader and plug it in again = Leser ausstecken und wieder einstecken
        Wait for the other payment to end = Ende der anderen Zahlung abwarten
        Prepare the reader = Leser vorbereiten
        Prepare the reader again = Leser erneut vorbereiten
        Restart the device = Gerät neu starten
        Report the problem to support = Problem dem Kundendienst melden
        Correct the configuration = Konfiguration berichtigen
        Load a new configuration = Neue Konfiguration laden
        Load a configuration with the keys of the network = Konfiguration mit den Schlüsseln des Netzes laden
        Load a configuration with current keys = Konfiguration mit gültigen Schlüsseln laden
        Load the keys of the networks before live payments = Schlüssel der Netze vor echten Zahlungen laden
        Ask an administrator to accept the terms = Bedingungen von einem Administrator annehmen lassen
        Contact the payment provider = Mit dem Zahlungsdienst Kontakt aufnehmen
        Sign in as an administrator = Als Administrator anmelden
        Request a genuine record from the payment provider = Echten Nachweis beim Zahlungsdienst anfordern
        Check the storage of the device = Speicher des Geräts prüfen
        Use another way to pay = Andere Zahlart wählen
        Try again later, or use another card = Später erneut versuchen oder andere Karte verwenden
        Check the network connection of the device = Netzverbindung des Geräts prüfen
        Check the settings of the merchant account = Einstellungen des Händlerkontos prüfen
        Nothing charged, start a new payment = Nichts abgebucht, neue Zahlung beginnen
        Look up the payment at the provider before a new one = Zahlung beim Dienst nachschlagen, erst dann neu beginnen
        Read the card for a payment = Karte für eine Zahlung lesen
        Use a real card, or acceptsSimulatedReads of a test host = \
        Echte Karte oder acceptsSimulatedReads eines Testhosts verwenden
        Remove the card, then start a new payment = Karte entfernen, dann neue Zahlung beginnen
        Use a new key for every payment = Für jede Zahlung einen neuen Schlüssel verwenden
        Check the receipt of the payment = Beleg der Zahlung prüfen
        Finish the earlier payment first = Zuerst die frühere Zahlung abschließen
        Enter at most the price = Höchstens den Preis eingeben
        Enter at most the payment less refunds = Höchstens die Zahlung abzüglich Erstattungen eingeben
        Enter at most the authorized amount = Höchstens den autorisierten Betrag eingeben
        Free up space on the device = Speicherplatz auf dem Gerät freigeben
        """
}
