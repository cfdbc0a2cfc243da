// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let italian = """
        message.03 Approvato
        message.07 Non autorizzato
        message.09 Inserire il PIN
        message.0F Errore di elaborazione
        message.10 Rimuovere la carta
        message.14 Benvenuti
        message.15 Avvicinare la carta
        message.16 Elaborazione in corso
        message.17 Carta letta, rimuovere la carta
        message.18 Inserire o strisciare la carta
        message.19 Una sola carta
        message.1A Approvato, firma richiesta
        message.1B Autorizzazione in corso
        message.1C Inserire o strisciare la carta, o provare un'altra carta
        message.1D Inserire la carta
        message.20 Istruzioni sul telefono
        message.21 Avvicinare di nuovo la carta
        label.payment Pagamento contactless
        label.cash Prelievo di contanti
        label.cashBack Pagamento con prelievo di contanti
        label.refund Rimborso
        label.lookUp Cerca
        label.storeCard Salva la carta
        label.verify Verifica
        label.openTab Apri un conto
        loyalty.label Carta fedeltà
        loyalty.read Carta fedeltà letta
        loyalty.present Avvicinare il telefono
        loyalty.choose Scegliere la carta sul telefono
        loyalty.unlock Sbloccare il telefono
        loyalty.again Avvicinare di nuovo il telefono
        loyalty.none Nessuna carta fedeltà
        loyalty.signUp Iscrizione sul telefono
        loyalty.failed Carta fedeltà non letta
        enrollment.required Condizioni da accettare prima del primo pagamento
        enrollment.adminRequired Accesso di amministratore richiesto per accettare le condizioni
        enrollment.outdated Nuove condizioni da accettare
        enrollment.revoked Accettazione delle condizioni revocata
        enrollment.accepted Condizioni accettate
        alternative.retry Avvicina di nuovo la stessa carta
        alternative.startAgain Ricomincia il pagamento
        alternative.anotherCard Usa un'altra carta
        alternative.otherInterface.chip Inserire la carta
        alternative.otherInterface.swipe Strisciare la carta
        alternative.otherInterface.chipOrSwipe Inserire o strisciare la carta
        alternative.enterPIN Inserisci il PIN
        alternative.waitAndRetry Riprova tra un momento
        alternative.askHost Cerca questo pagamento
        alternative.checkReader Controlla il lettore
        alternative.correctRequest Correggi l'importo
        alternative.administrator Accedi come amministratore
        alternative.update Aggiorna il lettore
        alternative.payRest Paga il resto in altro modo
        alternative.cash Contanti
        alternative.paymentLink Link di pagamento
        alternative.help Aiuto
        amount.total Totale
        amount.approved Importo autorizzato
        amount.due Resto da pagare
        amount.balance Saldo residuo
        amount.cashBack Prelievo di contanti
        amount.pending Importo da definire
        amount.preauthorization Importo preautorizzato
        amount.later Da pagare in seguito
        amount.later.day Da pagare il
        amount.membership.weekly Ogni settimana
        amount.membership.monthly Ogni mese
        amount.membership.yearly Ogni anno
        amount.installment.weekly Rata settimanale
        amount.installment.monthly Rata mensile
        amount.installment.yearly Rata annuale
        amount.line.item Prezzo
        amount.line.charge Supplemento
        amount.line.discount Sconto
        amount.line.tip Mancia
        amount.line.tax Imposta
        amount.line.donation Donazione
        amount.line.recurring Pagamento ricorrente
        amount.line.installment Rata
        progress.preparing Lettore in preparazione
        progress.authorizing Autorizzazione in corso
        progress.reversing Storno in corso
        headline.approved Approvato
        headline.accepted Accettato, autorizzazione in sospeso
        headline.signature Approvato, firma richiesta
        headline.part Approvato in parte, resto da pagare
        headline.verified Carta verificata
        headline.authorizing Autorizzazione in corso
        headline.declined Pagamento rifiutato
        headline.notCompleted Pagamento non completato
        headline.otherCard Altra carta necessaria
        headline.otherInterface Inserire o strisciare la carta
        headline.pin PIN richiesto
        headline.wait Riprovare tra un momento
        headline.request Importo o richiesta da correggere
        headline.reader Lettore da controllare
        headline.setUp Configurazione richiesta
        headline.unknown Esito non ancora noto
        receipt.customerCopy Copia cliente
        receipt.merchantCopy Copia esercente
        receipt.purchase Acquisto
        receipt.cash Prelievo di contanti
        receipt.cashBack Acquisto con prelievo
        receipt.refund Rimborso
        receipt.capture Chiusura della preautorizzazione
        receipt.increment Incremento della preautorizzazione
        receipt.void Storno
        receipt.verification Verifica della carta
        receipt.via Tramite
        receipt.terminal Terminale
        receipt.merchant Codice esercente
        receipt.sequence Operazione
        receipt.reference Riferimento
        receipt.original Pagamento originario
        receipt.card Carta
        receipt.cardSequence Sequenza carta
        receipt.entry Lettura
        receipt.contactless Contactless
        receipt.application Applicazione
        receipt.authorizationCode Autorizzazione
        receipt.responseCode Codice risposta
        receipt.cryptogram Crittogramma
        receipt.verified Verifica
        receipt.cvm.signature Firma
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm Sul dispositivo
        receipt.signature Firma
        receipt.approved Approvato
        receipt.approvedOffline Approvato offline
        receipt.declined Rifiutato
        receipt.notCompleted Non completato
        receipt.unknown Esito non ancora noto
        receipt.accepted Accettato, autorizzazione in sospeso
        receipt.approvedLater Pagato, autorizzato in seguito
        receipt.declinedLater Non pagato, autorizzazione negata
        receipt.verifiedCard Carta verificata
        receipt.nothingCharged Nessun addebito
        receipt.nothingRefunded Nessun rimborso
        receipt.notYetCharged Preautorizzato, non ancora addebitato
        delivery.title Ricevuta
        delivery.print Stampa
        delivery.mail E-mail
        delivery.message SMS
        delivery.code Codice QR
        delivery.none Nessuna ricevuta
        delivery.address.mail Indirizzo e-mail
        delivery.address.message Numero di cellulare
        education.start.title Inizio di un pagamento contactless
        education.start.1 Inserire l'importo finale, con mancia e sconti
        education.start.2 Scegliere il pagamento contactless
        education.start.3 Girare il lettore verso il cliente
        education.card.title Carte contactless
        education.card.1 Tenere la carta in piano e ferma in questo punto
        education.card.2 Tenere lontane dal lettore le altre carte
        education.card.3 Rimuovere la carta dopo il segnale, poi attendere l'esito
        education.device.title Telefoni e orologi
        education.device.1 Sbloccare prima il telefono o l'orologio
        education.device.2 Tenere la parte superiore in questo punto
        education.device.3 Seguire le istruzioni sullo schermo, poi avvicinare di nuovo il dispositivo
        education.pin.title Inserimento del PIN
        education.pin.1 Dare la tastiera PIN al cliente
        education.pin.2 Distogliere lo sguardo durante l'inserimento
        education.pin.3 Prevedere una richiesta di PIN anche dopo la risposta della banca
        education.accessibility.title Inserimento del PIN senza la vista
        education.accessibility.1 Avviare la modalità di accessibilità prima del PIN, su richiesta del cliente
        education.accessibility.2 Guidare un dito al segno in rilievo del tasto 5
        education.accessibility.3 Lasciare tutto il tempo necessario e non chiedere mai il PIN
        education.result.title Esiti
        education.result.1 Mostrare l'esito al cliente, approvato o rifiutato
        education.result.2 Offrire una ricevuta in entrambi i casi
        education.result.3 Offrire un'altra carta o un altro modo di pagare dopo un rifiuto
        education.try.title Una prova senza denaro
        education.try.1 Avviare un pagamento di prova con il lettore simulato
        education.try.2 Provare un rifiuto e un PIN prima del primo cliente
        antenna.symbol Simbolo contactless del lettore
        antenna.display Centro dello schermo del lettore
        antenna.top Bordo superiore del lettore
        antenna.surface Centro della superficie del lettore
        antenna.slot Lato superiore, lontano dalla fessura del chip
        problem.amountAboveLimit Importo oltre il limite contactless
        problem.amountAboveKernelLimit Importo oltre il limite per questa carta
        problem.amountZero Importo zero non ammesso
        problem.amountNotAllowed Importo non ammesso in modalità contactless
        problem.amountTooLarge Importo con più di 12 cifre
        problem.currencyInvalid Valuta non prevista da ISO 4217
        problem.currencyConflict Valute diverse in un pagamento
        problem.cashBackAboveAmount Prelievo oltre l'importo totale
        problem.cashBackZero Prelievo pari a zero
        problem.lineItemsMismatch Voci diverse dal totale
        problem.transactionTypeNotConfigured Tipo di pagamento non configurato
        problem.currencyNotConfigured Valuta non configurata
        problem.preferredApplicationInvalid Identificativo di applicazione non tra 5 e 16 byte
        problem.requestInvalid Richiesta in conflitto con la configurazione
        problem.linkTimedOut Nessuna risposta dalla carta
        problem.linkDisturbed Collegamento disturbato con la carta
        problem.linkProtocolFailed Carta fuori dal protocollo contactless
        problem.cardRemovedEarly Carta rimossa troppo presto
        problem.cardDataInvalid Dati della carta mancanti o errati
        problem.cardStatusUnexpected Risposta inattesa dalla carta
        problem.cardDataTooLarge Troppi dati sulla carta per il lettore
        problem.cardSwitched Carte diverse durante un pagamento
        problem.cardProtectionFailed Dati della carta in contraddizione
        problem.severalCards Più carte vicino al lettore
        problem.tooManyPresentments Carta avvicinata troppe volte
        problem.applicationsExhausted Nessuna applicazione utilizzabile sulla carta
        problem.deviceNotUnlocked Telefono o orologio ancora bloccato
        problem.otherInterfaceWanted Carta non contactless per questo pagamento
        problem.cardDeclined Pagamento rifiutato dalla carta
        problem.insufficientOfflineBalance Saldo sulla carta troppo basso
        problem.issuerAnswerRefused Risposta della banca rifiutata dalla carta
        problem.networkUnsupported Circuito della carta non accettato
        problem.preferredApplicationAbsent Applicazione scelta assente dalla carta
        problem.issuerCountryUnsupported Paese della carta non accettato
        problem.issuerCountryUnknown Paese della carta sconosciuto
        problem.pinRequired PIN richiesto
        problem.pinPadMissing PIN richiesto, nessuna tastiera PIN
        problem.pinCancelled Inserimento del PIN annullato
        problem.pinTimedOut PIN non inserito in tempo
        problem.pinBypassed Inserimento del PIN saltato
        problem.pinPadFailed Tastiera PIN guasta
        problem.pinAttemptsExceeded Troppi inserimenti del PIN
        problem.incorrectPIN PIN errato
        problem.cancelledByPerson Pagamento annullato
        problem.cancelledByProgram Pagamento annullato dall'app
        problem.cardTimedOut Carta non avvicinata in tempo
        problem.cardNotRemoved Carta precedente ancora sul lettore
        problem.stoppedByTerminal Pagamento fermato dal terminale
        problem.suspended App in secondo piano
        problem.superseded Pagamento sostituito da uno successivo
        problem.readerDetached Lettore scollegato
        problem.readerMissing Nessun lettore collegato
        problem.readerServiceMissing Servizio del lettore non avviato
        problem.readerInUse Lettore occupato da un altro programma
        problem.readerUnsupported Lettore senza le funzioni necessarie
        problem.readerFailed Lettore guasto
        problem.readerBusy Altro pagamento su questo lettore
        problem.notPrepared Lettore non preparato
        problem.preparationCancelled Preparazione annullata
        problem.nothingToComplete Nessun pagamento in attesa di risposta
        problem.randomMissing Nessun numero casuale utilizzabile
        problem.kernelDefect Difetto del nucleo di pagamento
        problem.configurationInvalid Configurazione non valida
        problem.configurationExpired Configurazione scaduta
        problem.configurationExpiresSoon Configurazione in scadenza
        problem.caKeysMissing Nessuna chiave di autorità per un circuito
        problem.caKeyExpired Chiave di autorità scaduta
        problem.testKeys Chiavi di prova nella configurazione
        problem.enrollmentRequired Condizioni non ancora accettate
        problem.enrollmentRevoked Accettazione delle condizioni revocata
        problem.enrollmentOutdated Nuove condizioni non ancora accettate
        problem.administratorRequired Accesso di amministratore richiesto
        problem.enrollmentSignatureInvalid Prova di accettazione non autentica
        problem.enrollmentStoreFailed Prova di accettazione non salvata
        problem.enrollmentUnanswered Nessuna risposta in tempo sulle condizioni
        problem.issuerDeclined Pagamento rifiutato dalla banca
        problem.insufficientFunds Fondi insufficienti
        problem.suspectedFraud Sospetto di frode presso la banca
        problem.cardExpired Carta scaduta
        problem.cardLostOrStolen Carta segnalata smarrita o rubata
        problem.cardNotPermitted Tipo di pagamento non ammesso per la carta
        problem.issuerLimitExceeded Limite del conto superato
        problem.issuerUnavailable Banca non raggiungibile
        problem.hostUnreachable Nessun collegamento al fornitore di pagamenti
        problem.hostRejected Richiesta respinta dal fornitore di pagamenti
        problem.authorizationTimedOut Nessuna risposta del fornitore in tempo
        problem.authorizationInterrupted Autorizzazione interrotta
        problem.authorizationAnswerLost Risposta del fornitore persa
        problem.reversalFailed Esito del pagamento sconosciuto
        problem.authorizationNotPossible Niente da autorizzare in questa lettura
        problem.simulatedRead Carta simulata presso un fornitore reale
        problem.keyUsed Chiave di un pagamento precedente
        problem.saleSettled Ordine già pagato
        problem.saleOpen Pagamento precedente di questo ordine ancora aperto
        problem.amountAboveDue Importo superiore al prezzo dell'ordine
        problem.refundAbovePaid Rimborso superiore all'importo pagato
        problem.captureAboveAuthorized Importo superiore all'importo autorizzato
        problem.alreadyVoided Pagamento già stornato
        problem.followUpNotPossible Non possibile per questo pagamento
        problem.approvedInPart Solo una parte dell'importo approvata
        problem.offlineLimitReached Limite dei pagamenti senza connessione raggiunto
        problem.offlineAmountAboveLimit Importo oltre il limite senza connessione
        problem.offlineCardLimitReached Limite per carta senza connessione raggiunto
        problem.offlineTooLong Troppo tempo senza connessione
        problem.issuerDataTooLong Dati della banca troppo lunghi per una carta
        problem.chipRequested Chip della carta richiesto dalla banca
        problem.journalFailed Pagamento non registrato
        problem.journalFull Memoria dei pagamenti piena
        problem.journalInUse Registro dei pagamenti in uso da un altro programma
        problem.journalDamaged Registro dei pagamenti danneggiato
        problem.journalRestored Registro dei pagamenti ripristinato da un backup
        problem.own Altra causa
        """

    static let italianRemedies = """
        Enter an amount above zero = Inserire un importo oltre zero
        Enter an amount of at most 12 digits = Inserire un importo di 12 cifre al massimo
        Use a numeric code up to 999 and at most 4 decimals = \
        Usare un codice numerico fino a 999 e 4 decimali al massimo
        Use one currency for all amounts = Usare una sola valuta per tutti gli importi
        Include the cash back in the total = Includere il prelievo nel totale
        Enter a cash back above zero, or choose a purchase = Inserire un prelievo oltre zero, o scegliere l'acquisto
        Make the line items add up to the total = Far corrispondere le voci al totale
        Configure a combination for this kind of payment = Configurare una combinazione per questo tipo di pagamento
        Use identifiers of 5 to 16 bytes = Usare identificativi da 5 a 16 byte
        Change the request to fit the configuration = Adattare la richiesta alla configurazione
        Hold the card flat and still on the reader = Tenere la carta in piano e ferma sul lettore
        Use the chip of the card, or another card = Usare il chip della carta, o un'altra carta
        Hold the card on the reader until the signal = Tenere la carta sul lettore fino al segnale
        Present the same card each time = Avvicinare la stessa carta ogni volta
        Take the card out of the wallet and present it alone = Togliere la carta dal portafoglio e avvicinarla da sola
        Follow the instructions on the phone, then present it again = \
        Seguire le istruzioni sul telefono, poi avvicinarlo di nuovo
        Use the chip or magnetic stripe of the card = Usare il chip o la banda magnetica della carta
        Use another card, or another way to pay = Usare un'altra carta, o un altro modo di pagare
        Use a card of an accepted network = Usare una carta di un circuito accettato
        Make another choice, or use another card = Fare un'altra scelta, o usare un'altra carta
        Use a card of an accepted country = Usare una carta di un paese accettato
        Use a card that names its country = Usare una carta con indicazione del paese
        Enter the PIN on the PIN pad = Inserire il PIN sulla tastiera PIN
        Use the chip of the card, or a payment link = Usare il chip della carta, o un link di pagamento
        Try again, or use another way to pay = Riprovare, o usare un altro modo di pagare
        Try again with PIN, or use another way to pay = Riprovare con PIN, o usare un altro modo di pagare
        Check the connection of the PIN pad, or pay another way = Controllare la tastiera PIN, o pagare in altro modo
        Try again with the right PIN = Riprovare con il PIN giusto
        Start a new payment = Avviare un nuovo pagamento
        Try again = Riprovare
        Start a new payment with the app in the foreground = Avviare un nuovo pagamento con l'app in primo piano
        Continue with the later payment = Continuare con il pagamento successivo
        Check the cable or pairing of the reader = Controllare il cavo o l'abbinamento del lettore
        Start the reader service = Avviare il servizio del lettore
        Close the other program = Chiudere l'altro programma
        Use a contactless reader = Usare un lettore contactless
        Unplug the reader and plug it in again = Scollegare e ricollegare il lettore
        Wait for the other payment to end = Attendere la fine dell'altro pagamento
        Prepare the reader = Preparare il lettore
        Prepare the reader again = Preparare di nuovo il lettore
        Restart the device = Riavviare il dispositivo
        Report the problem to support = Segnalare il problema all'assistenza
        Correct the configuration = Correggere la configurazione
        Load a new configuration = Caricare una nuova configurazione
        Load a configuration with the keys of the network = Caricare una configurazione con le chiavi del circuito
        Load a configuration with current keys = Caricare una configurazione con chiavi attuali
        Load the keys of the networks before live payments = Caricare le chiavi dei circuiti prima dei pagamenti veri
        Ask an administrator to accept the terms = Far accettare le condizioni da un amministratore
        Contact the payment provider = Contattare il fornitore di pagamenti
        Sign in as an administrator = Accedere come amministratore
        Request a genuine record from the payment provider = Richiedere una prova autentica al fornitore di pagamenti
        Check the storage of the device = Controllare la memoria del dispositivo
        Use another way to pay = Usare un altro modo di pagare
        Try again later, or use another card = Riprovare più tardi, o usare un'altra carta
        Check the network connection of the device = Controllare la connessione di rete del dispositivo
        Check the settings of the merchant account = Controllare le impostazioni del conto esercente
        Nothing charged, start a new payment = Nessun addebito, avviare un nuovo pagamento
        Look up the payment at the provider before a new one = \
        Cercare il pagamento presso il fornitore prima di uno nuovo
        Read the card for a payment = Leggere la carta per un pagamento
        Use a real card, or acceptsSimulatedReads of a test host = \
        Usare una carta vera, o acceptsSimulatedReads in prova
        Remove the card, then start a new payment = Rimuovere la carta, poi avviare un nuovo pagamento
        Use a new key for every payment = Usare una nuova chiave per ogni pagamento
        Check the receipt of the payment = Controllare la ricevuta del pagamento
        Finish the earlier payment first = Concludere prima il pagamento precedente
        Enter at most the price = Inserire al massimo il prezzo
        Enter at most the payment less refunds = Inserire al massimo il pagamento meno i rimborsi
        Enter at most the authorized amount = Inserire al massimo l'importo autorizzato
        Free up space on the device = Liberare spazio sul dispositivo
        """
}
