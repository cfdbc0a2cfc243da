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
        An amount above zero = Montant au-dessus de zéro
        An amount of at most 12 digits = Montant de 12 chiffres au plus
        A numeric code up to 999, at most 4 decimals = Code numérique jusqu'à 999, 4 décimales au plus
        One currency for all amounts = Une seule devise pour tous les montants
        A total that includes the cash back = Total comprenant le retrait d'espèces
        A cash back above zero, or a purchase = Retrait d'espèces au-dessus de zéro, ou achat
        Line items that add up to the total = Lignes dont la somme donne le total
        A combination for this kind of payment in the configuration = \
        Combinaison pour ce type de paiement dans la configuration
        Identifiers of 5 to 16 bytes = Identifiants de 5 à 16 octets
        A request that fits the configuration = Demande conforme à la configuration
        Card held flat and still on the reader = Carte à plat et immobile sur le lecteur
        Chip of the card, or another card = Puce de la carte, ou autre carte
        Card held on the reader until the signal = Carte tenue sur le lecteur jusqu'au signal
        The same card each time = Même carte à chaque fois
        One card alone, out of the wallet = Une seule carte, hors du portefeuille
        Instructions on the phone, then the phone once more = \
        Instructions sur le téléphone, puis téléphone à nouveau
        Chip or magnetic stripe of the card = Puce ou piste magnétique de la carte
        Another card, or another way to pay = Autre carte, ou autre moyen de payer
        A card of an accepted network = Carte d'un réseau accepté
        Another choice, or another card = Autre choix, ou autre carte
        A card of an accepted country = Carte d'un pays accepté
        A card that names its country = Carte avec indication de son pays
        PIN entry on the PIN pad = Saisie du code sur le clavier PIN
        Chip of the card, or a payment link = Puce de la carte, ou lien de paiement
        Another try, or another way to pay = Nouvel essai, ou autre moyen de payer
        Another try with PIN, or another way to pay = Nouvel essai avec code PIN, ou autre moyen de payer
        Connection of the PIN pad, or another way to pay = Branchement du clavier PIN, ou autre moyen de payer
        Another try with the right PIN = Nouvel essai avec le bon code
        A new payment = Nouveau paiement
        Another try = Nouvel essai
        A new payment in the foreground = Nouveau paiement au premier plan
        The later payment = Paiement suivant
        Cable or pairing of the reader = Câble ou appairage du lecteur
        Start of the reader service = Démarrage du service de lecteur
        End of the other program = Fermeture de l'autre programme
        A contactless reader = Lecteur sans contact
        Reader unplugged and plugged in again = Lecteur débranché puis rebranché
        End of the other payment = Fin de l'autre paiement
        Preparation of the reader = Préparation du lecteur
        A new preparation = Nouvelle préparation
        Restart of the device = Redémarrage de l'appareil
        A report to support = Signalement à l'assistance
        A corrected configuration = Configuration corrigée
        A new configuration = Nouvelle configuration
        A configuration with the keys of the network = Configuration avec les clés du réseau
        A configuration with present keys = Configuration avec des clés à jour
        Keys of the networks before live payments = Clés des réseaux avant les paiements réels
        Acceptance by an administrator = Acceptation par un administrateur
        Contact with the payment provider = Contact avec le prestataire de paiement
        Sign-in as an administrator = Connexion comme administrateur
        A record of the payment provider = Preuve du prestataire de paiement
        Storage of the device = Mémoire de l'appareil
        Another way to pay = Autre moyen de payer
        Another try later, or another card = Nouvel essai plus tard, ou autre carte
        Network connection of the device = Connexion réseau de l'appareil
        Settings of the merchant account = Réglages du compte commerçant
        Nothing charged, a new payment = Aucun débit, un nouveau paiement
        A look-up of the payment at the provider before a new one = \
        Recherche du paiement chez le prestataire avant un nouveau
        A payment read = Lecture de paiement
        A real card, or acceptsSimulatedReads of a test host = \
        Une vraie carte, ou acceptsSimulatedReads d'un hôte de test
        Card taken away, then a new payment = Carte retirée, puis un nouveau paiement
        A new key for every payment = Nouvelle clé pour chaque paiement
        Receipt of the payment = Reçu du paiement
        End of the earlier payment = Fin du paiement antérieur
        An amount of at most the price = Montant au plus égal au prix
        An amount up to the payment less refunds = Montant limité au paiement moins les remboursements
        An amount up to the authorized amount = Montant limité au montant autorisé
        Free space on the device = Espace libre sur l'appareil
        """
}
