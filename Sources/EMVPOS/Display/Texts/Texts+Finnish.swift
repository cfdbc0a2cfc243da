// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let finnish = """
        message.03 Hyväksytty
        message.07 Ei hyväksytty
        message.09 Näppäile tunnusluku
        message.0F Käsittelyvirhe
        message.10 Ota kortti pois
        message.14 Tervetuloa
        message.15 Näytä kortti
        message.16 Käsitellään
        message.17 Kortti luettu, ota kortti pois
        message.18 Aseta tai vedä kortti
        message.19 Vain yksi kortti
        message.1A Hyväksytty, allekirjoitus vaaditaan
        message.1B Varmennus käynnissä
        message.1C Aseta tai vedä kortti tai käytä toista korttia
        message.1D Aseta kortti
        message.20 Ohjeet puhelimessa
        message.21 Näytä kortti uudelleen
        label.payment Lähimaksu
        label.cash Käteisnosto
        label.cashBack Maksu ja käteisnosto
        label.refund Hyvitys
        label.lookUp Hae
        label.storeCard Tallenna kortti
        label.verify Tarkista
        label.openTab Avaa lasku
        loyalty.label Kanta-asiakaskortti
        loyalty.read Kanta-asiakaskortti luettu
        loyalty.present Näytä puhelin
        loyalty.choose Valitse kortti puhelimesta
        loyalty.unlock Avaa puhelimen lukitus
        loyalty.again Näytä puhelin uudelleen
        loyalty.none Kanta-asiakaskorttia ei löytynyt
        loyalty.signUp Liittyminen puhelimessa
        loyalty.failed Kanta-asiakaskorttia ei luettu
        enrollment.required Ehdot hyväksyttävä ennen ensimmäistä maksua
        enrollment.adminRequired Ehtojen hyväksyminen vaatii pääkäyttäjän oikeudet
        enrollment.outdated Uudet ehdot hyväksyttävä
        enrollment.revoked Ehtojen hyväksyntä peruttu
        enrollment.accepted Ehdot hyväksytty
        alternative.retry Näytä sama kortti uudelleen
        alternative.startAgain Aloita maksu alusta
        alternative.anotherCard Käytä toista korttia
        alternative.otherInterface.chip Aseta kortti
        alternative.otherInterface.swipe Vedä kortti
        alternative.otherInterface.chipOrSwipe Aseta tai vedä kortti
        alternative.enterPIN Näppäile tunnusluku
        alternative.waitAndRetry Yritä uudelleen hetken kuluttua
        alternative.askHost Hae tämä maksu
        alternative.checkReader Tarkista lukija
        alternative.correctRequest Korjaa summa
        alternative.administrator Kirjaudu pääkäyttäjänä
        alternative.update Päivitä lukija
        alternative.payRest Maksa loput toisella tavalla
        alternative.cash Käteinen
        alternative.paymentLink Maksulinkki
        alternative.help Ohje
        amount.total Yhteensä
        amount.approved Hyväksytty summa
        amount.due Maksamatta
        amount.balance Jäljellä oleva saldo
        amount.cashBack Käteisnosto
        amount.pending Summa vahvistamatta
        amount.preauthorization Katevaraus
        amount.later Maksetaan myöhemmin
        amount.later.day Eräpäivä
        amount.membership.weekly Joka viikko
        amount.membership.monthly Joka kuukausi
        amount.membership.yearly Joka vuosi
        amount.installment.weekly Viikkoerä
        amount.installment.monthly Kuukausierä
        amount.installment.yearly Vuosierä
        amount.line.item Hinta
        amount.line.charge Lisämaksu
        amount.line.discount Alennus
        amount.line.tip Juomaraha
        amount.line.tax Vero
        amount.line.donation Lahjoitus
        amount.line.recurring Toistuva maksu
        amount.line.installment Maksuerä
        progress.preparing Lukijan valmistelu
        progress.authorizing Varmennus käynnissä
        progress.reversing Peruutus käynnissä
        headline.approved Hyväksytty
        headline.accepted Vastaanotettu, varmennus odottaa
        headline.signature Hyväksytty, allekirjoitus vaaditaan
        headline.part Osittain hyväksytty, loput maksamatta
        headline.verified Kortti tarkistettu
        headline.authorizing Varmennus käynnissä
        headline.declined Maksu hylätty
        headline.notCompleted Maksu jäi kesken
        headline.otherCard Toinen kortti tarvitaan
        headline.otherInterface Aseta tai vedä kortti
        headline.pin Tunnusluku vaaditaan
        headline.wait Yritä uudelleen hetken kuluttua
        headline.request Summa tai pyyntö korjattava
        headline.reader Lukija tarkistettava
        headline.setUp Käyttöönotto vaaditaan
        headline.unknown Tulos vielä tuntematon
        receipt.customerCopy Asiakkaan kappale
        receipt.merchantCopy Kauppiaan kappale
        receipt.purchase Osto
        receipt.cash Käteisnosto
        receipt.cashBack Osto ja käteisnosto
        receipt.refund Hyvitys
        receipt.capture Katevarauksen veloitus
        receipt.increment Katevarauksen korotus
        receipt.void Peruutus
        receipt.verification Kortin tarkistus
        receipt.via Välittäjä
        receipt.terminal Pääte
        receipt.merchant Kauppiasnumero
        receipt.sequence Tapahtuma
        receipt.reference Viite
        receipt.original Alkuperäinen maksu
        receipt.card Kortti
        receipt.cardSequence Kortin järjestysnumero
        receipt.entry Lukutapa
        receipt.contactless Lähiluku
        receipt.application Sovellus
        receipt.authorizationCode Varmennusnumero
        receipt.responseCode Vastauskoodi
        receipt.cryptogram Kryptogrammi
        receipt.verified Todennus
        receipt.cvm.signature Allekirjoitus
        receipt.cvm.onlinePIN Tunnusluku
        receipt.cvm.cdcvm Laitteella
        receipt.signature Allekirjoitus
        receipt.approved Hyväksytty
        receipt.approvedOffline Hyväksytty ilman yhteyttä
        receipt.declined Hylätty
        receipt.notCompleted Jäi kesken
        receipt.unknown Tulos vielä tuntematon
        receipt.accepted Vastaanotettu, varmennus odottaa
        receipt.approvedLater Maksettu, varmennettu jälkikäteen
        receipt.declinedLater Ei maksettu, varmennus hylätty
        receipt.verifiedCard Kortti tarkistettu
        receipt.nothingCharged Mitään ei veloitettu
        receipt.nothingRefunded Mitään ei hyvitetty
        receipt.notYetCharged Varattu, ei vielä veloitettu
        delivery.title Kuitti
        delivery.print Tulosta
        delivery.mail Sähköposti
        delivery.message Tekstiviesti
        delivery.code QR-koodi
        delivery.none Ei kuittia
        delivery.address.mail Sähköpostiosoite
        delivery.address.message Matkapuhelinnumero
        education.start.title Lähimaksun aloitus
        education.start.1 Syötä loppusumma, juomarahat ja alennukset mukaan lukien
        education.start.2 Valitse lähimaksu
        education.start.3 Käännä lukija asiakkaaseen päin
        education.card.title Lähimaksukortit
        education.card.1 Pidä korttia lappeellaan ja paikallaan tässä kohdassa
        education.card.2 Pidä kaikki muut kortit kaukana lukijasta
        education.card.3 Ota kortti pois merkkiäänen jälkeen ja odota tulosta
        education.device.title Puhelimet ja kellot
        education.device.1 Avaa ensin puhelimen tai kellon lukitus
        education.device.2 Pidä yläreunaa tässä kohdassa
        education.device.3 Noudata laitteen ohjeita, jos niitä näkyy, ja näytä se sitten uudelleen
        education.pin.title Tunnusluvun näppäily
        education.pin.1 Anna tunnuslukunäppäimistö asiakkaalle
        education.pin.2 Katso pois tunnusluvun näppäilyn ajan
        education.pin.3 Varaudu tunnusluvun pyyntöön myös pankin vastauksen jälkeen
        education.accessibility.title Tunnusluvun näppäily näkemättä
        education.accessibility.1 Käynnistä asiakkaan pyynnöstä esteettömyystila ennen tunnusluvun näppäilyä
        education.accessibility.2 Ohjaa sormi näppäimen 5 kohomerkille
        education.accessibility.3 Anna kaikki tarvittava aika äläkä koskaan kysy tunnuslukua
        education.result.title Tulokset
        education.result.1 Näytä asiakkaalle tulos, hyväksytty tai hylätty
        education.result.2 Tarjoa kuitti molemmissa tapauksissa
        education.result.3 Tarjoa hylkäyksen jälkeen toista korttia tai toista maksutapaa
        education.try.title Harjoitus ilman rahaa
        education.try.1 Aloita testimaksu simuloidulla lukijalla
        education.try.2 Harjoittele hylkäys ja tunnusluku ennen ensimmäistä asiakasta
        antenna.symbol Lukijan lähilukusymboli
        antenna.display Lukijan näytön keskikohta
        antenna.top Lukijan yläreuna
        antenna.surface Lukijan pinnan keskikohta
        antenna.slot Kaukana siruaukosta, yläpuolella
        problem.amountAboveLimit Summa yli lähimaksurajan
        problem.amountAboveKernelLimit Summa yli tämän kortin rajan
        problem.amountZero Summa nolla ei sallittu
        problem.amountNotAllowed Summa ei sallittu lähimaksuna
        problem.amountTooLarge Summassa yli 12 numeroa
        problem.currencyInvalid Valuutta ei ISO 4217 -standardissa
        problem.currencyConflict Eri valuuttoja samassa maksussa
        problem.cashBackAboveAmount Käteisnosto yli kokonaissumman
        problem.cashBackZero Käteisnosto nolla
        problem.lineItemsMismatch Rivit eri kuin loppusumma
        problem.transactionTypeNotConfigured Maksutapahtuman lajia ei määritetty
        problem.currencyNotConfigured Valuutta määrittämättä
        problem.preferredApplicationInvalid Sovellustunnus ei 5–16 tavua
        problem.requestInvalid Pyyntö ristiriidassa asetusten kanssa
        problem.linkTimedOut Ei vastausta kortilta
        problem.linkDisturbed Häiriö yhteydessä korttiin
        problem.linkProtocolFailed Kortti lähimaksuprotokollan vastainen
        problem.cardRemovedEarly Kortti otettu pois liian aikaisin
        problem.cardDataInvalid Kortin tiedot puutteelliset tai virheelliset
        problem.cardStatusUnexpected Odottamaton vastaus kortilta
        problem.cardDataTooLarge Kortilla enemmän tietoa kuin lukijaan mahtuu
        problem.cardSwitched Eri kortteja saman maksun aikana
        problem.cardProtectionFailed Kortin tiedot ristiriidassa keskenään
        problem.severalCards Useita kortteja lukijalla
        problem.tooManyPresentments Kortti näytetty liian monta kertaa
        problem.applicationsExhausted Ei käyttökelpoista sovellusta kortilla
        problem.deviceNotUnlocked Puhelin tai kello vielä lukittu
        problem.otherInterfaceWanted Kortilla ei lähimaksua tähän maksuun
        problem.cardDeclined Kortti hylkäsi maksun
        problem.insufficientOfflineBalance Kortin saldo liian pieni
        problem.issuerAnswerRefused Kortti hylkäsi pankin vastauksen
        problem.networkUnsupported Korttiverkkoa ei hyväksytä
        problem.preferredApplicationAbsent Valittu sovellus puuttuu kortilta
        problem.issuerCountryUnsupported Kortin maata ei hyväksytä
        problem.issuerCountryUnknown Kortin maa tuntematon
        problem.pinRequired Tunnusluku vaaditaan
        problem.pinPadMissing Tunnusluku vaaditaan, ei näppäimistöä
        problem.pinCancelled Tunnusluvun näppäily keskeytetty
        problem.pinTimedOut Tunnuslukua ei näppäilty ajoissa
        problem.pinBypassed Tunnusluvun näppäily ohitettu
        problem.pinPadFailed Tunnuslukunäppäimistö epäkunnossa
        problem.pinAttemptsExceeded Liian monta tunnuslukuyritystä
        problem.incorrectPIN Väärä tunnusluku
        problem.cancelledByPerson Maksu keskeytetty
        problem.cancelledByProgram Sovellus keskeytti maksun
        problem.cardTimedOut Korttia ei näytetty ajoissa
        problem.cardNotRemoved Edellinen kortti yhä lukijalla
        problem.stoppedByTerminal Pääte pysäytti maksun
        problem.suspended Sovellus taustalla
        problem.superseded Maksu korvattu myöhemmällä
        problem.readerDetached Lukija irrotettu
        problem.readerMissing Ei lukijaa liitettynä
        problem.readerServiceMissing Kortinlukijapalvelu ei käynnissä
        problem.readerInUse Lukija toisen ohjelman käytössä
        problem.readerUnsupported Lukija ilman tarvittavia toimintoja
        problem.readerFailed Lukija epäkunnossa
        problem.readerBusy Toinen maksu tällä lukijalla
        problem.notPrepared Lukija valmistelematta
        problem.preparationCancelled Valmistelu keskeytetty
        problem.nothingToComplete Ei vastausta odottavaa maksua
        problem.randomMissing Ei käyttökelpoista satunnaislukua
        problem.kernelDefect Vika maksuytimessä
        problem.configurationInvalid Asetukset virheelliset
        problem.configurationExpired Asetukset vanhentuneet
        problem.configurationExpiresSoon Asetukset vanhenemassa pian
        problem.caKeysMissing Verkon varmentajan avain puuttuu
        problem.caKeyExpired Varmentajan avain vanhentunut
        problem.testKeys Testiavaimia asetuksissa
        problem.enrollmentRequired Ehtoja ei vielä hyväksytty
        problem.enrollmentRevoked Ehtojen hyväksyminen peruutettu
        problem.enrollmentOutdated Uusia ehtoja ei vielä hyväksytty
        problem.administratorRequired Pääkäyttäjän oikeudet vaaditaan
        problem.enrollmentSignatureInvalid Hyväksymistodiste ei aito
        problem.enrollmentStoreFailed Hyväksymistodiste tallentamatta
        problem.enrollmentUnanswered Ei vastausta ehdoista ajoissa
        problem.issuerDeclined Pankki hylkäsi maksun
        problem.insufficientFunds Kate ei riitä
        problem.suspectedFraud Pankki epäilee petosta
        problem.cardExpired Kortti vanhentunut
        problem.cardLostOrStolen Kortti ilmoitettu kadonneeksi tai varastetuksi
        problem.cardNotPermitted Maksun laji ei sallittu kortille
        problem.issuerLimitExceeded Tilin raja ylitetty
        problem.issuerUnavailable Pankki ei tavoitettavissa
        problem.hostUnreachable Ei yhteyttä maksupalveluun
        problem.hostRejected Maksupalvelu hylkäsi pyynnön
        problem.authorizationTimedOut Ei vastausta maksupalvelulta ajoissa
        problem.authorizationInterrupted Varmennus keskeytynyt
        problem.authorizationAnswerLost Maksupalvelun vastaus kadonnut
        problem.reversalFailed Maksun tulos tuntematon
        problem.authorizationNotPossible Ei varmennettavaa tässä luennassa
        problem.simulatedRead Simuloitu kortti oikeassa maksupalvelussa
        problem.keyUsed Aiemman maksun avain
        problem.saleSettled Tilaus jo maksettu
        problem.saleOpen Tilauksen aiempi maksu vielä avoin
        problem.amountAboveDue Summa yli tilauksen hinnan
        problem.refundAbovePaid Hyvitys yli maksetun summan
        problem.captureAboveAuthorized Summa yli varmennetun summan
        problem.alreadyVoided Maksu jo peruutettu
        problem.followUpNotPossible Ei mahdollista tälle maksulle
        problem.approvedInPart Vain osa summasta hyväksytty
        problem.offlineLimitReached Ilman yhteyttä maksettavien raja täynnä
        problem.offlineAmountAboveLimit Summa yli rajan ilman yhteyttä
        problem.offlineCardLimitReached Kortin raja ilman yhteyttä täynnä
        problem.offlineTooLong Liian kauan ilman yhteyttä
        problem.issuerDataTooLong Pankin tiedot liian pitkät kortille
        problem.chipRequested Pankki vaatii kortin sirun
        problem.journalFailed Maksu kirjaamatta
        problem.journalFull Maksujen tallennustila täynnä
        problem.journalInUse Maksukirjanpito toisen ohjelman käytössä
        problem.journalDamaged Maksukirjanpito vioittunut
        problem.journalRestored Maksukirjanpito palautettu varmuuskopiosta
        problem.own Muu syy
        """

    static let finnishRemedies = """
        Enter an amount above zero = Syötä nollaa suurempi summa
        Enter an amount of at most 12 digits = Syötä enintään 12-numeroinen summa
        Use a numeric code up to 999 and at most 4 decimals = Käytä enintään numerokoodia 999 ja 4 desimaalia
        Use one currency for all amounts = Käytä samaa valuuttaa kaikille summille
        Include the cash back in the total = Sisällytä käteisnosto loppusummaan
        Enter a cash back above zero, or choose a purchase = Syötä nollaa suurempi käteisnosto tai valitse osto
        Make the line items add up to the total = Täsmäytä rivit loppusummaan
        Configure a combination for this kind of payment = Määritä yhdistelmä tälle maksulajille
        Use identifiers of 5 to 16 bytes = Käytä 5–16 tavun tunnuksia
        Change the request to fit the configuration = Sovita pyyntö asetuksiin
        Hold the card flat and still on the reader = Pidä korttia lappeellaan ja paikallaan lukijalla
        Use the chip of the card, or another card = Käytä kortin sirua tai toista korttia
        Hold the card on the reader until the signal = Pidä korttia lukijalla merkkiääneen asti
        Present the same card each time = Näytä joka kerta sama kortti
        Take the card out of the wallet and present it alone = Ota kortti lompakosta ja näytä se yksinään
        Follow the instructions on the phone, then present it again = \
        Noudata puhelimen ohjeita ja näytä se sitten uudelleen
        Use the chip or magnetic stripe of the card = Käytä kortin sirua tai magneettijuovaa
        Use another card, or another way to pay = Käytä toista korttia tai toista maksutapaa
        Use a card of an accepted network = Käytä hyväksytyn verkon korttia
        Make another choice, or use another card = Tee toinen valinta tai käytä toista korttia
        Use a card of an accepted country = Käytä hyväksytyn maan korttia
        Use a card that names its country = Käytä maansa ilmoittavaa korttia
        Enter the PIN on the PIN pad = Näppäile tunnusluku näppäimistöllä
        Use the chip of the card, or a payment link = Käytä kortin sirua tai maksulinkkiä
        Try again, or use another way to pay = Yritä uudelleen tai käytä toista maksutapaa
        Try again with PIN, or use another way to pay = Yritä uudelleen tunnusluvulla tai käytä toista maksutapaa
        Check the connection of the PIN pad, or pay another way = \
        Tarkista näppäimistön liitäntä tai käytä toista maksutapaa
        Try again with the right PIN = Yritä uudelleen oikealla tunnusluvulla
        Start a new payment = Aloita uusi maksu
        Try again = Yritä uudelleen
        Start a new payment with the app in the foreground = Aloita uusi maksu sovelluksen ollessa etualalla
        Continue with the later payment = Jatka myöhempää maksua
        Check the cable or pairing of the reader = Tarkista lukijan kaapeli tai laitepari
        Start the reader service = Käynnistä lukijapalvelu
        Close the other program = Sulje toinen ohjelma
        Use a contactless reader = Käytä lähimaksulukijaa
        Unplug the reader and plug it in again = Irrota lukija ja kiinnitä se takaisin
        Wait for the other payment to end = Odota toisen maksun päättymistä
        Prepare the reader = Valmistele lukija
        Prepare the reader again = Valmistele lukija uudelleen
        Restart the device = Käynnistä laite uudelleen
        Report the problem to support = Ilmoita ongelmasta tukeen
        Correct the configuration = Korjaa asetukset
        Load a new configuration = Lataa uudet asetukset
        Load a configuration with the keys of the network = Lataa verkon avaimet sisältävät asetukset
        Load a configuration with current keys = Lataa voimassa olevat avaimet sisältävät asetukset
        Load the keys of the networks before live payments = Lataa verkkojen avaimet ennen oikeita maksuja
        Ask an administrator to accept the terms = Pyydä pääkäyttäjää hyväksymään ehdot
        Contact the payment provider = Ota yhteys maksupalveluun
        Sign in as an administrator = Kirjaudu pääkäyttäjänä
        Request a genuine record from the payment provider = Pyydä maksupalvelulta aito todiste
        Check the storage of the device = Tarkista laitteen tallennustila
        Use another way to pay = Käytä toista maksutapaa
        Try again later, or use another card = Yritä uudelleen myöhemmin tai käytä toista korttia
        Check the network connection of the device = Tarkista laitteen verkkoyhteys
        Check the settings of the merchant account = Tarkista kauppiastilin asetukset
        Nothing charged, start a new payment = Mitään ei veloitettu, aloita uusi maksu
        Look up the payment at the provider before a new one = Hae maksu palvelusta ennen uutta
        Read the card for a payment = Lue kortti maksua varten
        Use a real card, or acceptsSimulatedReads of a test host = \
        Käytä oikeaa korttia tai testissä acceptsSimulatedReads
        Remove the card, then start a new payment = Ota kortti pois ja aloita sitten uusi maksu
        Use a new key for every payment = Käytä uutta avainta joka maksulle
        Check the receipt of the payment = Tarkista maksun kuitti
        Finish the earlier payment first = Vie ensin aiempi maksu loppuun
        Enter at most the price = Syötä enintään hinta
        Enter at most the payment less refunds = Syötä enintään maksu miinus hyvitykset
        Enter at most the authorized amount = Syötä enintään varmennettu summa
        Free up space on the device = Vapauta tilaa laitteelta
        """
}
