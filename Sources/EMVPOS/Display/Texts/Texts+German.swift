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
        An amount above zero = Betrag über null
        An amount of at most 12 digits = Betrag mit höchstens 12 Stellen
        A numeric code up to 999, at most 4 decimals = Zahlencode bis 999, höchstens 4 Nachkommastellen
        One currency for all amounts = Eine Währung für alle Beträge
        A total that includes the cash back = Summe einschließlich der Barauszahlung
        A cash back above zero, or a purchase = Barauszahlung über null oder Kauf
        Line items that add up to the total = Posten mit der Summe als Ergebnis
        A combination for this kind of payment in the configuration = \
        Kombination für diese Art der Zahlung in der Konfiguration
        Identifiers of 5 to 16 bytes = Kennungen von 5 bis 16 Bytes
        A request that fits the configuration = Zur Konfiguration passende Anfrage
        Card held flat and still on the reader = Karte flach und ruhig am Leser
        Chip of the card, or another card = Chip der Karte oder andere Karte
        Card held on the reader until the signal = Karte bis zum Signal am Leser
        The same card each time = Jedes Mal dieselbe Karte
        One card alone, out of the wallet = Eine Karte allein, ohne Geldbörse
        Instructions on the phone, then the phone once more = Anweisungen auf dem Telefon, dann noch einmal das Telefon
        Chip or magnetic stripe of the card = Chip oder Magnetstreifen der Karte
        Another card, or another way to pay = Andere Karte oder andere Zahlart
        A card of an accepted network = Karte eines akzeptierten Netzes
        Another choice, or another card = Andere Wahl oder andere Karte
        A card of an accepted country = Karte aus einem akzeptierten Land
        A card that names its country = Karte mit Angabe ihres Landes
        PIN entry on the PIN pad = PIN-Eingabe am PIN-Pad
        Chip of the card, or a payment link = Chip der Karte oder Zahlungslink
        Another try, or another way to pay = Neuer Versuch oder andere Zahlart
        Another try with PIN, or another way to pay = Neuer Versuch mit PIN oder andere Zahlart
        Connection of the PIN pad, or another way to pay = Anschluss des PIN-Pads oder andere Zahlart
        Another try with the right PIN = Neuer Versuch mit der richtigen PIN
        A new payment = Neue Zahlung
        Another try = Neuer Versuch
        A new payment in the foreground = Neue Zahlung im Vordergrund
        The later payment = Die spätere Zahlung
        Cable or pairing of the reader = Kabel oder Kopplung des Lesers
        Start of the reader service = Start des Leserdienstes
        End of the other program = Ende des anderen Programms
        A contactless reader = Kontaktloser Leser
        Reader unplugged and plugged in again = Leser aus- und wieder einstecken
        End of the other payment = Ende der anderen Zahlung
        Preparation of the reader = Vorbereitung des Lesers
        A new preparation = Neue Vorbereitung
        Restart of the device = Neustart des Geräts
        A report to support = Meldung an den Kundendienst
        A corrected configuration = Berichtigte Konfiguration
        A new configuration = Neue Konfiguration
        A configuration with the keys of the network = Konfiguration mit den Schlüsseln des Netzes
        A configuration with present keys = Konfiguration mit gültigen Schlüsseln
        Keys of the networks before live payments = Schlüssel der Netze vor echten Zahlungen
        Acceptance by an administrator = Annahme durch einen Administrator
        Contact with the payment provider = Rücksprache mit dem Zahlungsdienst
        Sign-in as an administrator = Anmeldung als Administrator
        A record of the payment provider = Nachweis des Zahlungsdienstes
        Storage of the device = Speicher des Geräts
        Another way to pay = Andere Zahlart
        Another try later, or another card = Späterer Versuch oder andere Karte
        Network connection of the device = Netzverbindung des Geräts
        Settings of the merchant account = Einstellungen des Händlerkontos
        Nothing charged, a new payment = Nichts belastet, eine neue Zahlung
        A look-up of the payment at the provider before a new one = Nachschlagen der Zahlung beim Dienst vor einer neuen
        A payment read = Lesen einer Zahlung
        A real card, or acceptsSimulatedReads of a test host = \
        Eine echte Karte, oder acceptsSimulatedReads eines Testhosts
        Card taken away, then a new payment = Karte entfernt, dann eine neue Zahlung
        A new key for every payment = Neuer Schlüssel für jede Zahlung
        Receipt of the payment = Beleg der Zahlung
        End of the earlier payment = Ende der früheren Zahlung
        An amount of at most the price = Betrag von höchstens dem Preis
        An amount up to the payment less refunds = Betrag bis zur Zahlung abzüglich Erstattungen
        An amount up to the authorized amount = Betrag bis zum autorisierten Betrag
        Free space on the device = Freier Platz auf dem Gerät
        """
}
