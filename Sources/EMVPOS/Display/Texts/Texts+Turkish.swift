// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let turkish = """
        message.03 Onaylandı
        message.07 Onaylanmadı
        message.09 Şifre girin
        message.0F İşlem hatası
        message.10 Kartı çekin
        message.14 Hoş geldiniz
        message.15 Kartı okutun
        message.16 İşleniyor
        message.17 Kart okundu, kartı çekin
        message.18 Kartı takın veya kaydırın
        message.19 Yalnızca bir kart
        message.1A Onaylandı, imza gerekli
        message.1B Onay bekleniyor
        message.1C Kartı takın, kaydırın veya başka kart kullanın
        message.1D Kartı takın
        message.20 Yönergeler telefonda
        message.21 Kartı yeniden okutun
        label.payment Temassız ödeme
        label.cash Nakit çekim
        label.cashBack Nakit çekimli ödeme
        label.refund İade
        label.lookUp Sorgula
        label.storeCard Kartı kaydet
        label.verify Doğrula
        label.openTab Adisyon aç
        loyalty.label Sadakat kartı
        loyalty.read Sadakat kartı okundu
        loyalty.present Telefonu okutun
        loyalty.choose Telefonda kart seçin
        loyalty.unlock Telefonun kilidini açın
        loyalty.again Telefonu yeniden okutun
        loyalty.none Sadakat kartı bulunamadı
        loyalty.signUp Telefonda üyelik teklifi
        loyalty.failed Sadakat kartı okunamadı
        enrollment.required İlk ödemeden önce kabul edilecek koşullar
        enrollment.adminRequired Koşulların kabulü için yönetici erişimi gerekli
        enrollment.outdated Kabul edilecek yeni koşullar
        enrollment.revoked Koşulların kabulü geri alındı
        enrollment.accepted Koşullar kabul edildi
        alternative.retry Aynı kartı yeniden okut
        alternative.startAgain Ödemeyi yeniden başlat
        alternative.anotherCard Başka kart kullan
        alternative.otherInterface.chip Kartı takın
        alternative.otherInterface.swipe Kartı kaydırın
        alternative.otherInterface.chipOrSwipe Kartı takın veya kaydırın
        alternative.enterPIN Şifre gir
        alternative.waitAndRetry Biraz sonra yeniden dene
        alternative.askHost Bu ödemeyi sorgula
        alternative.checkReader Okuyucuyu denetle
        alternative.correctRequest Tutarı düzelt
        alternative.administrator Yönetici olarak giriş yap
        alternative.update Okuyucuyu güncelle
        alternative.payRest Kalanı başka yolla öde
        alternative.cash Nakit
        alternative.paymentLink Ödeme bağlantısı
        alternative.help Yardım
        amount.total Toplam
        amount.approved Onaylanan tutar
        amount.due Kalan tutar
        amount.balance Kalan bakiye
        amount.cashBack Nakit çekim
        amount.pending Tutar henüz belirlenmedi
        amount.preauthorization Ön provizyon tutarı
        amount.later Daha sonra ödenecek
        amount.later.day Vade tarihi
        amount.membership.weekly Her hafta
        amount.membership.monthly Her ay
        amount.membership.yearly Her yıl
        amount.installment.weekly Haftalık taksit
        amount.installment.monthly Aylık taksit
        amount.installment.yearly Yıllık taksit
        amount.line.item Fiyat
        amount.line.charge Ek ücret
        amount.line.discount İndirim
        amount.line.tip Bahşiş
        amount.line.tax Vergi
        amount.line.donation Bağış
        amount.line.recurring Düzenli ödeme
        amount.line.installment Taksit
        progress.preparing Okuyucu hazırlanıyor
        progress.authorizing Onay bekleniyor
        progress.reversing İptal ediliyor
        headline.approved Onaylandı
        headline.accepted Kabul edildi, onay bekleniyor
        headline.signature Onaylandı, imza gerekli
        headline.part Kısmen onaylandı, kalan ödenmedi
        headline.verified Kart doğrulandı
        headline.authorizing Onay bekleniyor
        headline.declined Ödeme reddedildi
        headline.notCompleted Ödeme tamamlanmadı
        headline.otherCard Başka kart gerekli
        headline.otherInterface Kartı takın veya kaydırın
        headline.pin Şifre gerekli
        headline.wait Biraz sonra yeniden deneyin
        headline.request Düzeltilecek tutar veya istek
        headline.reader Denetlenecek okuyucu
        headline.setUp Kurulum gerekli
        headline.unknown Sonuç henüz bilinmiyor
        receipt.customerCopy Müşteri nüshası
        receipt.merchantCopy İşyeri nüshası
        receipt.purchase Satış
        receipt.cash Nakit çekim
        receipt.cashBack Nakit çekimli satış
        receipt.refund İade
        receipt.capture Ön provizyon kapama
        receipt.increment Ön provizyon artırımı
        receipt.void İptal
        receipt.verification Kart doğrulama
        receipt.via Aracı
        receipt.terminal Terminal
        receipt.merchant İşyeri numarası
        receipt.sequence İşlem
        receipt.reference Referans
        receipt.original Asıl ödeme
        receipt.card Kart
        receipt.cardSequence Kart sıra no
        receipt.entry Okuma
        receipt.contactless Temassız
        receipt.application Uygulama
        receipt.authorizationCode Onay kodu
        receipt.responseCode Yanıt kodu
        receipt.cryptogram Kriptogram
        receipt.verified Doğrulama
        receipt.cvm.signature İmza
        receipt.cvm.onlinePIN Şifre
        receipt.cvm.cdcvm Cihazda
        receipt.signature İmza
        receipt.approved Onaylandı
        receipt.approvedOffline Çevrimdışı onaylandı
        receipt.declined Reddedildi
        receipt.notCompleted Tamamlanmadı
        receipt.unknown Sonuç henüz bilinmiyor
        receipt.accepted Kabul edildi, onay bekleniyor
        receipt.approvedLater Ödendi, sonradan onaylandı
        receipt.declinedLater Ödenmedi, onay reddedildi
        receipt.verifiedCard Kart doğrulandı
        receipt.nothingCharged Tahsilat yapılmadı
        receipt.nothingRefunded İade yapılmadı
        receipt.notYetCharged Bloke edildi, henüz tahsil edilmedi
        delivery.title Fiş
        delivery.print Yazdır
        delivery.mail E-posta
        delivery.message Kısa mesaj
        delivery.code QR kodu
        delivery.none Fiş yok
        delivery.address.mail E-posta adresi
        delivery.address.message Cep telefonu numarası
        education.start.title Temassız ödemeye başlama
        education.start.1 Bahşiş ve indirim dahil son tutarı girin
        education.start.2 Temassız ödemeyi seçin
        education.start.3 Okuyucuyu müşteriye çevirin
        education.card.title Temassız kartlar
        education.card.1 Kartı bu yerde düz ve sabit tutun
        education.card.2 Diğer tüm kartları okuyucudan uzak tutun
        education.card.3 Sinyalden sonra kartı çekin, sonra sonucu bekleyin
        education.device.title Telefonlar ve saatler
        education.device.1 Önce telefonun veya saatin kilidini açın
        education.device.2 Üst kenarını bu yere tutun
        education.device.3 Cihazda yönerge varsa uygulayın, sonra yeniden okutun
        education.pin.title Şifre girişi
        education.pin.1 Şifre klavyesini müşteriye verin
        education.pin.2 Şifre girilirken başka yöne bakın
        education.pin.3 Bankanın yanıtından sonra da şifre istenebileceğini hesaba katın
        education.accessibility.title Görmeden şifre girişi
        education.accessibility.1 Müşteri isterse şifre girişinden önce erişilebilirlik kipini açın
        education.accessibility.2 Parmağı 5 tuşundaki kabartma işarete götürün
        education.accessibility.3 Gereken zamanı tanıyın ve şifreyi asla sormayın
        education.result.title Sonuçlar
        education.result.1 Sonucu müşteriye gösterin, onay da olsa ret de olsa
        education.result.2 Her iki durumda da fiş önerin
        education.result.3 Retten sonra başka kart veya başka ödeme yolu önerin
        education.try.title Parasız deneme
        education.try.1 Benzetimli okuyucuyla deneme ödemesi başlatın
        education.try.2 İlk müşteriden önce bir ret ve bir şifre deneyin
        antenna.symbol Okuyucudaki temassız simgesi
        antenna.display Okuyucu ekranının ortası
        antenna.top Okuyucunun üst kenarı
        antenna.surface Okuyucu yüzeyinin ortası
        antenna.slot Çip yuvasından uzakta, üst tarafta
        problem.amountAboveLimit Tutar temassız sınırının üzerinde
        problem.amountAboveKernelLimit Tutar bu kartın sınırının üzerinde
        problem.amountZero Sıfır tutara izin verilmiyor
        problem.amountNotAllowed Tutara temassız izin verilmiyor
        problem.amountTooLarge 12 basamaktan uzun tutar
        problem.currencyInvalid ISO 4217 dışında para birimi
        problem.currencyConflict Tek ödemede farklı para birimleri
        problem.cashBackAboveAmount Nakit çekim toplam tutarın üzerinde
        problem.cashBackZero Sıfır tutarlı nakit çekim
        problem.lineItemsMismatch Toplamdan farklı kalemler
        problem.transactionTypeNotConfigured Ödeme türü ayarlanmamış
        problem.currencyNotConfigured Para birimi ayarlanmamış
        problem.preferredApplicationInvalid 5 ile 16 bayt arasında olmayan uygulama tanımlayıcısı
        problem.requestInvalid Yapılandırmayla çelişen istek
        problem.linkTimedOut Karttan yanıt yok
        problem.linkDisturbed Kartla bağlantı bozuk
        problem.linkProtocolFailed Temassız protokolüne uymayan kart
        problem.cardRemovedEarly Kart çok erken çekildi
        problem.cardDataInvalid Kart verileri eksik veya hatalı
        problem.cardStatusUnexpected Karttan beklenmeyen yanıt
        problem.cardDataTooLarge Kartta okuyucunun alabileceğinden çok veri
        problem.cardSwitched Tek ödemede farklı kartlar
        problem.cardProtectionFailed Birbiriyle çelişen kart verileri
        problem.severalCards Okuyucuda birden çok kart
        problem.tooManyPresentments Kart çok fazla okutuldu
        problem.applicationsExhausted Kartta kullanılabilir uygulama yok
        problem.deviceNotUnlocked Telefon veya saat hâlâ kilitli
        problem.otherInterfaceWanted Kart bu ödemede temassız değil
        problem.cardDeclined Ödeme kart tarafından reddedildi
        problem.insufficientOfflineBalance Karttaki bakiye çok düşük
        problem.issuerAnswerRefused Bankanın yanıtı kart tarafından reddedildi
        problem.networkUnsupported Kart ağı kabul edilmiyor
        problem.preferredApplicationAbsent Seçilen uygulama kartta yok
        problem.issuerCountryUnsupported Kartın ülkesi kabul edilmiyor
        problem.issuerCountryUnknown Kartın ülkesi bilinmiyor
        problem.pinRequired Şifre gerekli
        problem.pinPadMissing Şifre gerekli, şifre klavyesi yok
        problem.pinCancelled Şifre girişi iptal edildi
        problem.pinTimedOut Süresinde şifre girilmedi
        problem.pinBypassed Şifre girişi atlandı
        problem.pinPadFailed Şifre klavyesi arızalı
        problem.pinAttemptsExceeded Çok fazla şifre girişi
        problem.incorrectPIN Yanlış şifre
        problem.cancelledByPerson Ödeme iptal edildi
        problem.cancelledByProgram Ödeme uygulama tarafından iptal edildi
        problem.cardTimedOut Süresinde kart okutulmadı
        problem.cardNotRemoved Önceki kart hâlâ okuyucuda
        problem.stoppedByTerminal Ödeme terminal tarafından durduruldu
        problem.suspended Uygulama arka planda
        problem.superseded Ödemenin yerini sonraki bir ödeme aldı
        problem.readerDetached Okuyucunun bağlantısı kesildi
        problem.readerMissing Bağlı okuyucu yok
        problem.readerServiceMissing Kart okuyucu hizmeti çalışmıyor
        problem.readerInUse Okuyucu başka bir programda kullanımda
        problem.readerUnsupported Gerekli işlevleri olmayan okuyucu
        problem.readerFailed Okuyucu arızalı
        problem.readerBusy Bu okuyucuda başka bir ödeme
        problem.notPrepared Okuyucu hazır değil
        problem.preparationCancelled Hazırlık iptal edildi
        problem.nothingToComplete Yanıt bekleyen ödeme yok
        problem.randomMissing Kullanılabilir rastgele sayı yok
        problem.kernelDefect Ödeme çekirdeğinde hata
        problem.configurationInvalid Yapılandırma geçersiz
        problem.configurationExpired Yapılandırmanın süresi doldu
        problem.configurationExpiresSoon Yapılandırmanın süresi dolmak üzere
        problem.caKeysMissing Bir ağ için sertifika otoritesi anahtarı yok
        problem.caKeyExpired Sertifika otoritesi anahtarının süresi doldu
        problem.testKeys Yapılandırmada test anahtarları
        problem.enrollmentRequired Koşullar henüz kabul edilmedi
        problem.enrollmentRevoked Koşulların kabulü iptal edildi
        problem.enrollmentOutdated Yeni koşullar henüz kabul edilmedi
        problem.administratorRequired Yönetici erişimi gerekli
        problem.enrollmentSignatureInvalid Kabul kaydı gerçek değil
        problem.enrollmentStoreFailed Kabul kaydı saklanamadı
        problem.enrollmentUnanswered Koşullar hakkında zamanında yanıt yok
        problem.issuerDeclined Ödeme banka tarafından reddedildi
        problem.insufficientFunds Yetersiz bakiye
        problem.suspectedFraud Bankada dolandırıcılık şüphesi
        problem.cardExpired Süresi dolmuş kart
        problem.cardLostOrStolen Kayıp veya çalıntı bildirilmiş kart
        problem.cardNotPermitted Ödeme türüne bu kartta izin verilmiyor
        problem.issuerLimitExceeded Hesap sınırı aşıldı
        problem.issuerUnavailable Bankaya ulaşılamıyor
        problem.hostUnreachable Ödeme hizmetiyle bağlantı yok
        problem.hostRejected İstek ödeme hizmeti tarafından reddedildi
        problem.authorizationTimedOut Ödeme hizmetinden süresinde yanıt gelmedi
        problem.authorizationInterrupted Onay yarıda kesildi
        problem.authorizationAnswerLost Ödeme hizmetinin yanıtı kayboldu
        problem.reversalFailed Ödemenin sonucu bilinmiyor
        problem.authorizationNotPossible Bu okumada onaylanacak bir şey yok
        problem.simulatedRead Gerçek ödeme hizmetinde benzetim kartı
        problem.keyUsed Önceki bir ödemenin anahtarı
        problem.saleSettled Sipariş zaten ödendi
        problem.saleOpen Bu siparişin önceki ödemesi hâlâ açık
        problem.amountAboveDue Tutar siparişin fiyatının üzerinde
        problem.refundAbovePaid İade ödenen tutarın üzerinde
        problem.captureAboveAuthorized Tutar onaylanan tutarın üzerinde
        problem.alreadyVoided Ödeme zaten iptal edildi
        problem.followUpNotPossible Bu ödeme için mümkün değil
        problem.approvedInPart Tutarın yalnızca bir bölümü onaylandı
        problem.offlineLimitReached Bağlantısız ödeme sınırına ulaşıldı
        problem.offlineAmountAboveLimit Tutar bağlantısız sınırın üzerinde
        problem.offlineCardLimitReached Kartın bağlantısız sınırına ulaşıldı
        problem.offlineTooLong Çok uzun süre bağlantısız
        problem.issuerDataTooLong Bankanın verileri bir kart için çok uzun
        problem.chipRequested Kartın çipi banka tarafından isteniyor
        problem.journalFailed Ödeme kaydedilmedi
        problem.journalFull Ödeme deposu dolu
        problem.journalInUse Ödeme kayıtları başka bir programda kullanımda
        problem.journalDamaged Ödeme kayıtları hasarlı
        problem.journalRestored Yedekten geri yüklenmiş ödeme kayıtları
        problem.own Başka bir neden
        """

    static let turkishRemedies = """
        Enter an amount above zero = Sıfırın üzerinde bir tutar girin
        Enter an amount of at most 12 digits = En çok 12 basamaklı bir tutar girin
        Use a numeric code up to 999 and at most 4 decimals = \
        En çok 999 olan sayısal kod ve en çok 4 ondalık kullanın
        Use one currency for all amounts = Tüm tutarlar için tek para birimi kullanın
        Include the cash back in the total = Nakit çekimi toplama katın
        Enter a cash back above zero, or choose a purchase = \
        Sıfırın üzerinde nakit çekim girin veya satışı seçin
        Make the line items add up to the total = Kalemlerin toplamı vermesini sağlayın
        Configure a combination for this kind of payment = Bu ödeme türü için bir birleşim yapılandırın
        Use identifiers of 5 to 16 bytes = 5 ile 16 bayt arası tanımlayıcılar kullanın
        Change the request to fit the configuration = İsteği yapılandırmaya uydurun
        Hold the card flat and still on the reader = Kartı okuyucuda düz ve sabit tutun
        Use the chip of the card, or another card = Kartın çipini veya başka kart kullanın
        Hold the card on the reader until the signal = Kartı sinyale kadar okuyucuda tutun
        Present the same card each time = Her seferinde aynı kartı okutun
        Take the card out of the wallet and present it alone = Kartı cüzdandan çıkarıp tek başına okutun
        Follow the instructions on the phone, then present it again = \
        Telefondaki yönergeleri uygulayın, sonra yeniden okutun
        Use the chip or magnetic stripe of the card = Kartın çipini veya manyetik şeridini kullanın
        Use another card, or another way to pay = Başka kart veya başka ödeme yolu kullanın
        Use a card of an accepted network = Kabul edilen bir ağın kartını kullanın
        Make another choice, or use another card = Başka seçim yapın veya başka kart kullanın
        Use a card of an accepted country = Kabul edilen bir ülkenin kartını kullanın
        Use a card that names its country = Ülkesini bildiren bir kart kullanın
        Enter the PIN on the PIN pad = Şifreyi şifre klavyesinde girin
        Use the chip of the card, or a payment link = Kartın çipini veya ödeme bağlantısını kullanın
        Try again, or use another way to pay = Yeniden deneyin veya başka ödeme yolu kullanın
        Try again with PIN, or use another way to pay = Şifreyle yeniden deneyin veya başka ödeme yolu kullanın
        Check the connection of the PIN pad, or pay another way = \
        Şifre klavyesi bağlantısını denetleyin veya başka yolla ödeyin
        Try again with the right PIN = Doğru şifreyle yeniden deneyin
        Start a new payment = Yeni bir ödeme başlatın
        Try again = Yeniden deneyin
        Start a new payment with the app in the foreground = Uygulama ön plandayken yeni bir ödeme başlatın
        Continue with the later payment = Sonraki ödemeyle devam edin
        Check the cable or pairing of the reader = Okuyucunun kablosunu veya eşleştirmesini denetleyin
        Start the reader service = Okuyucu hizmetini başlatın
        Close the other program = Diğer programı kapatın
        Use a contactless reader = Temassız bir okuyucu kullanın
        Unplug the reader and plug it in again = Okuyucuyu çıkarıp yeniden takın
        Wait for the other payment to end = Diğer ödemenin bitmesini bekleyin
        Prepare the reader = Okuyucuyu hazırlayın
        Prepare the reader again = Okuyucuyu yeniden hazırlayın
        Restart the device = Cihazı yeniden başlatın
        Report the problem to support = Sorunu desteğe bildirin
        Correct the configuration = Yapılandırmayı düzeltin
        Load a new configuration = Yeni bir yapılandırma yükleyin
        Load a configuration with the keys of the network = Ağın anahtarlarını içeren bir yapılandırma yükleyin
        Load a configuration with current keys = Geçerli anahtarları olan bir yapılandırma yükleyin
        Load the keys of the networks before live payments = \
        Gerçek ödemelerden önce ağların anahtarlarını yükleyin
        Ask an administrator to accept the terms = Koşulları bir yöneticiye kabul ettirin
        Contact the payment provider = Ödeme hizmetiyle görüşün
        Sign in as an administrator = Yönetici olarak giriş yapın
        Request a genuine record from the payment provider = Ödeme hizmetinden gerçek bir kayıt isteyin
        Check the storage of the device = Cihazın depolama alanını denetleyin
        Use another way to pay = Başka ödeme yolu kullanın
        Try again later, or use another card = Daha sonra yeniden deneyin veya başka kart kullanın
        Check the network connection of the device = Cihazın ağ bağlantısını denetleyin
        Check the settings of the merchant account = İşyeri hesabının ayarlarını denetleyin
        Nothing charged, start a new payment = Tahsilat yok, yeni bir ödeme başlatın
        Look up the payment at the provider before a new one = Yeni ödemeden önce bu ödemeyi hizmette sorgulayın
        Read the card for a payment = Kartı bir ödeme için okutun
        Use a real card, or acceptsSimulatedReads of a test host = \
        Gerçek kart veya testte acceptsSimulatedReads kullanın
        Remove the card, then start a new payment = Kartı çekin, sonra yeni bir ödeme başlatın
        Use a new key for every payment = Her ödeme için yeni anahtar kullanın
        Check the receipt of the payment = Ödemenin fişini denetleyin
        Finish the earlier payment first = Önce önceki ödemeyi bitirin
        Enter at most the price = Fiyatı aşmayan bir tutar girin
        Enter at most the payment less refunds = İadeler düşülmüş ödemeyi aşmayan bir tutar girin
        Enter at most the authorized amount = Onaylanan tutarı aşmayan bir tutar girin
        Free up space on the device = Cihazda yer açın
        """
}
