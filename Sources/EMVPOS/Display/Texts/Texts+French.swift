// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let french = """
        message.03 Approuvé
        message.07 Non autorisé
        message.09 Saisir le code PIN
        message.0F Erreur de traitement
        message.10 Retirer la carte
        message.14 Bienvenue
        message.15 Présenter la carte
        message.16 Traitement en cours
        message.17 Carte lue, retirer la carte
        message.18 Insérer ou glisser la carte
        message.19 Une seule carte
        message.1A Approuvé, signature requise
        message.1B Autorisation en cours
        message.1C Insérer ou glisser la carte, ou essayer une autre carte
        message.1D Insérer la carte
        message.20 Instructions sur le téléphone
        message.21 Présenter de nouveau la carte
        label.payment Paiement sans contact
        label.cash Retrait d'espèces
        label.cashBack Paiement avec retrait d'espèces
        label.refund Remboursement
        label.lookUp Rechercher
        label.storeCard Enregistrer la carte
        label.verify Vérifier
        label.openTab Ouvrir une note
        loyalty.label Carte de fidélité
        loyalty.read Carte de fidélité lue
        loyalty.present Présenter le téléphone
        loyalty.choose Choix de carte sur le téléphone
        loyalty.unlock Déverrouiller le téléphone
        loyalty.again Présenter à nouveau le téléphone
        loyalty.none Carte de fidélité introuvable
        loyalty.signUp Inscription sur le téléphone
        loyalty.failed Carte de fidélité non lue
        enrollment.required Conditions à accepter avant le premier paiement
        enrollment.adminRequired Accès administrateur requis pour accepter les conditions
        enrollment.outdated Nouvelles conditions à accepter
        enrollment.revoked Acceptation des conditions révoquée
        enrollment.accepted Conditions acceptées
        alternative.retry Présenter de nouveau la même carte
        alternative.startAgain Recommencer le paiement
        alternative.anotherCard Utiliser une autre carte
        alternative.otherInterface.chip Insérer la carte
        alternative.otherInterface.swipe Glisser la carte
        alternative.otherInterface.chipOrSwipe Insérer ou glisser la carte
        alternative.enterPIN Saisir le code PIN
        alternative.waitAndRetry Réessayer dans un instant
        alternative.askHost Rechercher ce paiement
        alternative.checkReader Contrôler le lecteur
        alternative.correctRequest Corriger le montant
        alternative.administrator Se connecter comme administrateur
        alternative.update Mettre à jour le lecteur
        alternative.payRest Payer le reste autrement
        alternative.cash Espèces
        alternative.paymentLink Lien de paiement
        alternative.help Aide
        amount.total Total
        amount.approved Montant autorisé
        amount.due Reste à payer
        amount.balance Solde restant
        amount.cashBack Retrait d'espèces
        amount.pending Montant en attente
        amount.preauthorization Montant préautorisé
        amount.later Dû plus tard
        amount.later.day Dû le
        amount.membership.weekly Chaque semaine
        amount.membership.monthly Chaque mois
        amount.membership.yearly Chaque année
        amount.installment.weekly Échéance hebdomadaire
        amount.installment.monthly Échéance mensuelle
        amount.installment.yearly Échéance annuelle
        amount.line.item Prix
        amount.line.charge Supplément
        amount.line.discount Remise
        amount.line.tip Pourboire
        amount.line.tax Taxe
        amount.line.donation Don
        amount.line.recurring Paiement récurrent
        amount.line.installment Échéance
        progress.preparing Lecteur en préparation
        progress.authorizing Autorisation en cours
        progress.reversing Annulation en cours
        headline.approved Approuvé
        headline.accepted Paiement accepté, autorisation en attente
        headline.signature Approuvé, signature requise
        headline.part Approuvé en partie, reste à payer
        headline.verified Carte vérifiée
        headline.authorizing Autorisation en cours
        headline.declined Paiement refusé
        headline.notCompleted Paiement non abouti
        headline.otherCard Autre carte nécessaire
        headline.otherInterface Insérer ou glisser la carte
        headline.pin Code PIN requis
        headline.wait Réessayer dans un instant
        headline.request Montant ou demande à corriger
        headline.reader Lecteur à contrôler
        headline.setUp Configuration requise
        headline.unknown Résultat encore inconnu
        receipt.customerCopy Exemplaire client
        receipt.merchantCopy Exemplaire commerçant
        receipt.purchase Achat
        receipt.cash Retrait d'espèces
        receipt.cashBack Achat avec retrait d'espèces
        receipt.refund Remboursement
        receipt.capture Clôture de préautorisation
        receipt.increment Complément de préautorisation
        receipt.void Annulation
        receipt.verification Vérification de carte
        receipt.via Par
        receipt.terminal Terminal
        receipt.merchant Numéro commerçant
        receipt.sequence Transaction
        receipt.reference Référence
        receipt.original Paiement d'origine
        receipt.card Carte
        receipt.cardSequence Séquence carte
        receipt.entry Lecture
        receipt.contactless Sans contact
        receipt.application Application
        receipt.authorizationCode Autorisation
        receipt.responseCode Code réponse
        receipt.cryptogram Cryptogramme
        receipt.verified Vérification
        receipt.cvm.signature Signature
        receipt.cvm.onlinePIN Code PIN
        receipt.cvm.cdcvm Sur l'appareil
        receipt.signature Signature
        receipt.approved Approuvé
        receipt.approvedOffline Approuvé hors ligne
        receipt.declined Refusé
        receipt.notCompleted Non abouti
        receipt.unknown Résultat encore inconnu
        receipt.accepted Accepté, autorisation en attente
        receipt.approvedLater Payé, autorisé ultérieurement
        receipt.declinedLater Non payé, autorisation refusée
        receipt.verifiedCard Carte vérifiée
        receipt.nothingCharged Aucun débit
        receipt.nothingRefunded Aucun remboursement
        receipt.notYetCharged Réservé, pas encore débité
        delivery.title Reçu
        delivery.print Imprimer
        delivery.mail E-mail
        delivery.message SMS
        delivery.code Code QR
        delivery.none Pas de reçu
        delivery.address.mail Adresse e-mail
        delivery.address.message Numéro de mobile
        education.start.title Début d'un paiement sans contact
        education.start.1 Saisir le montant final, pourboire et remises compris
        education.start.2 Choisir le paiement sans contact
        education.start.3 Tourner le lecteur vers le client
        education.card.title Cartes sans contact
        education.card.1 Tenir la carte à plat et immobile à cet endroit
        education.card.2 Éloigner toute autre carte du lecteur
        education.card.3 Retirer la carte après le signal, puis attendre le résultat
        education.device.title Téléphones et montres
        education.device.1 Déverrouiller d'abord le téléphone ou la montre
        education.device.2 Tenir le haut de l'appareil à cet endroit
        education.device.3 Suivre les instructions affichées, puis présenter de nouveau l'appareil
        education.pin.title Saisie du code PIN
        education.pin.1 Remettre le clavier PIN au client
        education.pin.2 Détourner le regard pendant la saisie
        education.pin.3 Prévoir une demande de code PIN aussi après la réponse de la banque
        education.accessibility.title Saisie du code PIN sans la vue
        education.accessibility.1 Lancer le mode d'accessibilité avant la saisie, à la demande du client
        education.accessibility.2 Guider un doigt vers le repère en relief de la touche 5
        education.accessibility.3 Laisser tout le temps nécessaire, sans jamais demander le code
        education.result.title Résultats
        education.result.1 Montrer le résultat au client, approuvé ou refusé
        education.result.2 Proposer un reçu dans les deux cas
        education.result.3 Proposer une autre carte ou un autre moyen de payer après un refus
        education.try.title Un essai sans argent
        education.try.1 Lancer un paiement d'essai avec le lecteur simulé
        education.try.2 Simuler un refus et une saisie de code PIN avant le premier client
        antenna.symbol Symbole sans contact du lecteur
        antenna.display Milieu de l'écran du lecteur
        antenna.top Bord supérieur du lecteur
        antenna.surface Milieu de la surface du lecteur
        antenna.slot Face supérieure, loin du lecteur de puce
        problem.amountAboveLimit Montant au-dessus du plafond sans contact
        problem.amountAboveKernelLimit Montant au-dessus du plafond pour cette carte
        problem.amountZero Montant nul non permis
        problem.amountNotAllowed Montant non permis sans contact
        problem.amountTooLarge Montant de plus de 12 chiffres
        problem.currencyInvalid Devise hors de la norme ISO 4217
        problem.currencyConflict Devises différentes dans un paiement
        problem.cashBackAboveAmount Retrait d'espèces au-dessus du montant total
        problem.cashBackZero Retrait d'espèces nul
        problem.lineItemsMismatch Lignes différentes du total
        problem.transactionTypeNotConfigured Type de paiement non configuré
        problem.currencyNotConfigured Devise non configurée
        problem.preferredApplicationInvalid Identifiant d'application non compris entre 5 et 16 octets
        problem.requestInvalid Demande en conflit avec la configuration
        problem.linkTimedOut Aucune réponse de la carte
        problem.linkDisturbed Liaison perturbée avec la carte
        problem.linkProtocolFailed Carte hors du protocole sans contact
        problem.cardRemovedEarly Carte retirée trop tôt
        problem.cardDataInvalid Données de carte absentes ou erronées
        problem.cardStatusUnexpected Réponse inattendue de la carte
        problem.cardDataTooLarge Données de carte trop volumineuses pour le lecteur
        problem.cardSwitched Cartes différentes pendant un paiement
        problem.cardProtectionFailed Données de carte contradictoires
        problem.severalCards Plusieurs cartes près du lecteur
        problem.tooManyPresentments Carte présentée trop souvent
        problem.applicationsExhausted Aucune application utilisable sur la carte
        problem.deviceNotUnlocked Téléphone ou montre encore verrouillé
        problem.otherInterfaceWanted Carte inutilisable sans contact pour ce paiement
        problem.cardDeclined Paiement refusé par la carte
        problem.insufficientOfflineBalance Solde de la carte trop bas
        problem.issuerAnswerRefused Réponse de la banque refusée par la carte
        problem.networkUnsupported Réseau de carte non accepté
        problem.preferredApplicationAbsent Application choisie absente de la carte
        problem.issuerCountryUnsupported Pays de la carte non accepté
        problem.issuerCountryUnknown Pays de la carte inconnu
        problem.pinRequired Code PIN requis
        problem.pinPadMissing Code PIN requis, pas de clavier PIN
        problem.pinCancelled Saisie du code PIN annulée
        problem.pinTimedOut Code PIN non saisi à temps
        problem.pinBypassed Saisie du code PIN omise
        problem.pinPadFailed Clavier PIN en panne
        problem.pinAttemptsExceeded Trop de saisies du code PIN
        problem.incorrectPIN Code PIN incorrect
        problem.cancelledByPerson Paiement annulé
        problem.cancelledByProgram Paiement annulé par l'application
        problem.cardTimedOut Carte non présentée à temps
        problem.cardNotRemoved Carte précédente encore sur le lecteur
        problem.stoppedByTerminal Paiement arrêté par le terminal
        problem.suspended Application en arrière-plan
        problem.superseded Paiement remplacé par un autre
        problem.readerDetached Lecteur déconnecté
        problem.readerMissing Aucun lecteur connecté
        problem.readerServiceMissing Service de lecteur de cartes arrêté
        problem.readerInUse Lecteur occupé par un autre programme
        problem.readerUnsupported Lecteur sans les fonctions nécessaires
        problem.readerFailed Lecteur en panne
        problem.readerBusy Autre paiement sur ce lecteur
        problem.notPrepared Lecteur non préparé
        problem.preparationCancelled Préparation annulée
        problem.nothingToComplete Aucun paiement en attente de réponse
        problem.randomMissing Aucun nombre aléatoire utilisable
        problem.kernelDefect Défaut du noyau de paiement
        problem.configurationInvalid Configuration non valide
        problem.configurationExpired Configuration expirée
        problem.configurationExpiresSoon Configuration bientôt expirée
        problem.caKeysMissing Aucune clé d'autorité pour un réseau
        problem.caKeyExpired Clé d'autorité expirée
        problem.testKeys Clés de test dans la configuration
        problem.enrollmentRequired Conditions pas encore acceptées
        problem.enrollmentRevoked Acceptation des conditions révoquée
        problem.enrollmentOutdated Nouvelles conditions pas encore acceptées
        problem.administratorRequired Accès administrateur requis
        problem.enrollmentSignatureInvalid Preuve d'acceptation non authentique
        problem.enrollmentStoreFailed Preuve d'acceptation non enregistrée
        problem.enrollmentUnanswered Pas de réponse à temps sur les conditions
        problem.issuerDeclined Paiement refusé par la banque
        problem.insufficientFunds Provision insuffisante
        problem.suspectedFraud Soupçon de fraude à la banque
        problem.cardExpired Carte expirée
        problem.cardLostOrStolen Carte déclarée perdue ou volée
        problem.cardNotPermitted Type de paiement non permis avec cette carte
        problem.issuerLimitExceeded Plafond du compte dépassé
        problem.issuerUnavailable Banque injoignable
        problem.hostUnreachable Pas de connexion au prestataire de paiement
        problem.hostRejected Demande rejetée par le prestataire de paiement
        problem.authorizationTimedOut Pas de réponse du prestataire à temps
        problem.authorizationInterrupted Autorisation interrompue
        problem.authorizationAnswerLost Réponse du prestataire perdue
        problem.reversalFailed Résultat du paiement inconnu
        problem.authorizationNotPossible Rien à autoriser dans cette lecture
        problem.simulatedRead Carte simulée chez un vrai prestataire
        problem.keyUsed Clé d'un paiement antérieur
        problem.saleSettled Commande déjà payée
        problem.saleOpen Paiement antérieur de cette commande encore ouvert
        problem.amountAboveDue Montant supérieur au prix de la commande
        problem.refundAbovePaid Remboursement supérieur au montant payé
        problem.captureAboveAuthorized Montant supérieur au montant autorisé
        problem.alreadyVoided Paiement déjà annulé
        problem.followUpNotPossible Impossible pour ce paiement
        problem.approvedInPart Une partie seulement du montant approuvée
        problem.offlineLimitReached Limite des paiements sans connexion atteinte
        problem.offlineAmountAboveLimit Montant trop élevé sans connexion
        problem.offlineCardLimitReached Limite par carte sans connexion atteinte
        problem.offlineTooLong Trop longtemps sans connexion
        problem.issuerDataTooLong Données de la banque trop longues pour une carte
        problem.chipRequested Puce de la carte demandée par la banque
        problem.journalFailed Paiement non enregistré
        problem.journalFull Mémoire des paiements pleine
        problem.journalInUse Registre des paiements utilisé par un autre programme
        problem.journalDamaged Registre des paiements endommagé
        problem.journalRestored Registre des paiements restauré depuis une sauvegarde
        problem.own Autre cause
        """

    static let frenchRemedies = """
        Enter an amount above zero = Saisir un montant au-dessus de zéro
        Enter an amount of at most 12 digits = Saisir un montant de 12 chiffres au plus
        Use a numeric code up to 999 and at most 4 decimals = \
        Utiliser un code numérique jusqu'à 999 et 4 décimales au plus
        Use one currency for all amounts = Utiliser une seule devise pour tous les montants
        Include the cash back in the total = Inclure le retrait d'espèces dans le total
        Enter a cash back above zero, or choose a purchase = Saisir un retrait au-dessus de zéro, ou choisir un achat
        Make the line items add up to the total = Faire correspondre les lignes et le total
        Configure a combination for this kind of payment = Configurer une combinaison pour ce type de paiement
        Use identifiers of 5 to 16 bytes = Utiliser des identifiants de 5 à 16 octets
        Change the request to fit the configuration = Adapter la demande à la configuration
        Hold the card flat and still on the reader = Tenir la carte à plat et immobile sur le lecteur
        Use the chip of the card, or another card = Utiliser la puce de la carte, ou une autre carte
        Hold the card on the reader until the signal = Tenir la carte sur le lecteur jusqu'au signal
        Present the same card each time = Présenter la même carte à chaque fois
        Take the card out of the wallet and present it alone = Sortir la carte du portefeuille et la présenter seule
        Follow the instructions on the phone, then present it again = \
        Suivre les instructions du téléphone et le présenter à nouveau
        Use the chip or magnetic stripe of the card = Utiliser la puce ou la piste magnétique de la carte
        Use another card, or another way to pay = Utiliser une autre carte ou un autre moyen de payer
        Use a card of an accepted network = Utiliser une carte d'un réseau accepté
        Make another choice, or use another card = Faire un autre choix, ou utiliser une autre carte
        Use a card of an accepted country = Utiliser une carte d'un pays accepté
        Use a card that names its country = Utiliser une carte avec indication de son pays
        Enter the PIN on the PIN pad = Saisir le code sur le clavier PIN
        Use the chip of the card, or a payment link = Utiliser la puce de la carte, ou un lien de paiement
        Try again, or use another way to pay = Réessayer, ou utiliser un autre moyen de payer
        Try again with PIN, or use another way to pay = Réessayer avec le code PIN, ou payer autrement
        Check the connection of the PIN pad, or pay another way = \
        Vérifier le branchement du clavier PIN, ou payer autrement
        Try again with the right PIN = Réessayer avec le bon code
        Start a new payment = Lancer un nouveau paiement
        Try again = Réessayer
        Start a new payment with the app in the foreground = \
        Lancer un nouveau paiement avec l'application au premier plan
        Continue with the later payment = Continuer avec le paiement suivant
        Check the cable or pairing of the reader = Vérifier le câble ou l'appairage du lecteur
        Start the reader service = Démarrer le service de lecteur
        Close the other program = Fermer l'autre programme
        Use a contactless reader = Utiliser un lecteur sans contact
        Unplug the reader and plug it in again = Débrancher puis rebrancher le lecteur
        Wait for the other payment to end = Attendre la fin de l'autre paiement
        Prepare the reader = Préparer le lecteur
        Prepare the reader again = Préparer de nouveau le lecteur
        Restart the device = Redémarrer l'appareil
        Report the problem to support = Signaler le problème à l'assistance
        Correct the configuration = Corriger la configuration
        Load a new configuration = Charger une nouvelle configuration
        Load a configuration with the keys of the network = Charger une configuration avec les clés du réseau
        Load a configuration with current keys = Charger une configuration avec des clés à jour
        Load the keys of the networks before live payments = Charger les clés des réseaux avant les paiements réels
        Ask an administrator to accept the terms = Faire accepter les conditions par un administrateur
        Contact the payment provider = Contacter le prestataire de paiement
        Sign in as an administrator = Se connecter comme administrateur
        Request a genuine record from the payment provider = Demander une preuve authentique au prestataire de paiement
        Check the storage of the device = Vérifier la mémoire de l'appareil
        Use another way to pay = Utiliser un autre moyen de payer
        Try again later, or use another card = Réessayer plus tard, ou utiliser une autre carte
        Check the network connection of the device = Vérifier la connexion réseau de l'appareil
        Check the settings of the merchant account = Vérifier les réglages du compte commerçant
        Nothing charged, start a new payment = Aucun débit, lancer un nouveau paiement
        Look up the payment at the provider before a new one = \
        Rechercher le paiement chez le prestataire avant un nouveau
        Read the card for a payment = Lire la carte pour un paiement
        Use a real card, or acceptsSimulatedReads of a test host = \
        Utiliser une vraie carte, ou acceptsSimulatedReads en test
        Remove the card, then start a new payment = Retirer la carte, puis lancer un nouveau paiement
        Use a new key for every payment = Utiliser une nouvelle clé pour chaque paiement
        Check the receipt of the payment = Vérifier le reçu du paiement
        Finish the earlier payment first = Terminer d'abord le paiement antérieur
        Enter at most the price = Saisir au plus le prix
        Enter at most the payment less refunds = Saisir au plus le paiement moins les remboursements
        Enter at most the authorized amount = Saisir au plus le montant autorisé
        Free up space on the device = Libérer de l'espace sur l'appareil
        """
}
