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
        An amount above zero = Sıfırın üzerinde tutar
        An amount of at most 12 digits = En çok 12 basamaklı tutar
        A numeric code up to 999, at most 4 decimals = En çok 999 olan sayısal kod, en çok 4 ondalık
        One currency for all amounts = Tüm tutarlar için tek para birimi
        A total that includes the cash back = Nakit çekimi içeren toplam
        A cash back above zero, or a purchase = Sıfırın üzerinde nakit çekim veya satış
        Line items that add up to the total = Toplamı veren kalemler
        A combination for this kind of payment in the configuration = Yapılandırmada bu ödeme türü için birleşim
        Identifiers of 5 to 16 bytes = 5 ile 16 bayt arası tanımlayıcılar
        A request that fits the configuration = Yapılandırmaya uyan istek
        Card held flat and still on the reader = Okuyucuda düz ve sabit tutulan kart
        Chip of the card, or another card = Kartın çipi veya başka kart
        Card held on the reader until the signal = Sinyale kadar okuyucuda tutulan kart
        The same card each time = Her seferinde aynı kart
        One card alone, out of the wallet = Cüzdandan çıkarılmış tek kart
        Instructions on the phone, then the phone once more = Telefondaki yönergeler, sonra yeniden telefon
        Chip or magnetic stripe of the card = Kartın çipi veya manyetik şeridi
        Another card, or another way to pay = Başka kart veya başka ödeme yolu
        A card of an accepted network = Kabul edilen bir ağın kartı
        Another choice, or another card = Başka seçim veya başka kart
        A card of an accepted country = Kabul edilen bir ülkenin kartı
        A card that names its country = Ülkesini bildiren kart
        PIN entry on the PIN pad = Şifre klavyesinde şifre girişi
        Chip of the card, or a payment link = Kartın çipi veya ödeme bağlantısı
        Another try, or another way to pay = Yeniden deneme veya başka ödeme yolu
        Another try with PIN, or another way to pay = Şifreyle yeniden deneme veya başka ödeme yolu
        Connection of the PIN pad, or another way to pay = Şifre klavyesinin bağlantısı veya başka ödeme yolu
        Another try with the right PIN = Doğru şifreyle yeniden deneme
        A new payment = Yeni ödeme
        Another try = Yeniden deneme
        A new payment in the foreground = Ön planda yeni ödeme
        The later payment = Sonraki ödeme
        Cable or pairing of the reader = Okuyucunun kablosu veya eşleştirmesi
        Start of the reader service = Okuyucu hizmetinin başlatılması
        End of the other program = Diğer programın kapatılması
        A contactless reader = Temassız okuyucu
        Reader unplugged and plugged in again = Okuyucunun çıkarılıp yeniden takılması
        End of the other payment = Diğer ödemenin bitmesi
        Preparation of the reader = Okuyucunun hazırlanması
        A new preparation = Yeni hazırlık
        Restart of the device = Cihazın yeniden başlatılması
        A report to support = Desteğe bildirim
        A corrected configuration = Düzeltilmiş yapılandırma
        A new configuration = Yeni yapılandırma
        A configuration with the keys of the network = Ağın anahtarlarını içeren yapılandırma
        A configuration with present keys = Geçerli anahtarları olan yapılandırma
        Keys of the networks before live payments = Gerçek ödemelerden önce ağların anahtarları
        Acceptance by an administrator = Bir yöneticinin kabulü
        Contact with the payment provider = Ödeme hizmetiyle görüşme
        Sign-in as an administrator = Yönetici olarak giriş
        A record of the payment provider = Ödeme hizmetinin kaydı
        Storage of the device = Cihazın depolama alanı
        Another way to pay = Başka ödeme yolu
        Another try later, or another card = Daha sonra yeniden deneme veya başka kart
        Network connection of the device = Cihazın ağ bağlantısı
        Settings of the merchant account = İşyeri hesabının ayarları
        Nothing charged, a new payment = Tahsilat yok, yeni bir ödeme
        A look-up of the payment at the provider before a new one = Yeni ödemeden önce hizmette ödeme sorgusu
        A payment read = Bir ödemenin okunması
        A real card, or acceptsSimulatedReads of a test host = \
        Gerçek kart veya test sunucusunda acceptsSimulatedReads
        Card taken away, then a new payment = Kart alındıktan sonra yeni bir ödeme
        A new key for every payment = Her ödeme için yeni anahtar
        Receipt of the payment = Ödemenin fişi
        End of the earlier payment = Önceki ödemenin bitmesi
        An amount of at most the price = En çok fiyat kadar tutar
        An amount up to the payment less refunds = İadeler düşülmüş ödemeye kadar tutar
        An amount up to the authorized amount = Onaylanan tutarı aşmayan tutar
        Free space on the device = Cihazda boş alan
        """
}
