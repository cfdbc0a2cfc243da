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
        An amount above zero = Importo oltre zero
        An amount of at most 12 digits = Importo di 12 cifre al massimo
        A numeric code up to 999, at most 4 decimals = Codice numerico fino a 999, 4 decimali al massimo
        One currency for all amounts = Una sola valuta per tutti gli importi
        A total that includes the cash back = Totale con il prelievo incluso
        A cash back above zero, or a purchase = Prelievo oltre zero, o acquisto
        Line items that add up to the total = Voci con somma pari al totale
        A combination for this kind of payment in the configuration = \
        Combinazione per questo tipo di pagamento nella configurazione
        Identifiers of 5 to 16 bytes = Identificativi da 5 a 16 byte
        A request that fits the configuration = Richiesta adatta alla configurazione
        Card held flat and still on the reader = Carta in piano e ferma sul lettore
        Chip of the card, or another card = Chip della carta, o altra carta
        Card held on the reader until the signal = Carta sul lettore fino al segnale
        The same card each time = Stessa carta ogni volta
        One card alone, out of the wallet = Una sola carta, fuori dal portafoglio
        Instructions on the phone, then the phone once more = Istruzioni sul telefono, poi di nuovo il telefono
        Chip or magnetic stripe of the card = Chip o banda magnetica della carta
        Another card, or another way to pay = Altra carta, o altro modo di pagare
        A card of an accepted network = Carta di un circuito accettato
        Another choice, or another card = Altra scelta, o altra carta
        A card of an accepted country = Carta di un paese accettato
        A card that names its country = Carta con indicazione del paese
        PIN entry on the PIN pad = Inserimento sulla tastiera PIN
        Chip of the card, or a payment link = Chip della carta, o link di pagamento
        Another try, or another way to pay = Nuovo tentativo, o altro modo di pagare
        Another try with PIN, or another way to pay = Nuovo tentativo con PIN, o altro modo di pagare
        Connection of the PIN pad, or another way to pay = Collegamento della tastiera PIN, o altro modo di pagare
        Another try with the right PIN = Nuovo tentativo con il PIN giusto
        A new payment = Nuovo pagamento
        Another try = Nuovo tentativo
        A new payment in the foreground = Nuovo pagamento in primo piano
        The later payment = Pagamento successivo
        Cable or pairing of the reader = Cavo o abbinamento del lettore
        Start of the reader service = Avvio del servizio del lettore
        End of the other program = Chiusura dell'altro programma
        A contactless reader = Lettore contactless
        Reader unplugged and plugged in again = Lettore scollegato e ricollegato
        End of the other payment = Fine dell'altro pagamento
        Preparation of the reader = Preparazione del lettore
        A new preparation = Nuova preparazione
        Restart of the device = Riavvio del dispositivo
        A report to support = Segnalazione all'assistenza
        A corrected configuration = Configurazione corretta
        A new configuration = Nuova configurazione
        A configuration with the keys of the network = Configurazione con le chiavi del circuito
        A configuration with present keys = Configurazione con chiavi attuali
        Keys of the networks before live payments = Chiavi dei circuiti prima dei pagamenti veri
        Acceptance by an administrator = Accettazione da parte di un amministratore
        Contact with the payment provider = Contatto con il fornitore di pagamenti
        Sign-in as an administrator = Accesso come amministratore
        A record of the payment provider = Prova del fornitore di pagamenti
        Storage of the device = Memoria del dispositivo
        Another way to pay = Altro modo di pagare
        Another try later, or another card = Nuovo tentativo più tardi, o altra carta
        Network connection of the device = Connessione di rete del dispositivo
        Settings of the merchant account = Impostazioni del conto esercente
        Nothing charged, a new payment = Nessun addebito, un nuovo pagamento
        A look-up of the payment at the provider before a new one = \
        Ricerca del pagamento presso il fornitore prima di uno nuovo
        A payment read = Lettura di pagamento
        A real card, or acceptsSimulatedReads of a test host = \
        Una carta vera, o acceptsSimulatedReads di un host di prova
        Card taken away, then a new payment = Carta rimossa, poi un nuovo pagamento
        A new key for every payment = Nuova chiave per ogni pagamento
        Receipt of the payment = Ricevuta del pagamento
        End of the earlier payment = Fine del pagamento precedente
        An amount of at most the price = Importo non superiore al prezzo
        An amount up to the payment less refunds = Importo entro il pagamento meno i rimborsi
        An amount up to the authorized amount = Importo entro l'importo autorizzato
        Free space on the device = Spazio libero sul dispositivo
        """
}
