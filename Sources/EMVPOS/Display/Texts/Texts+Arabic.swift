// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let arabic = """
        message.03 تمت الموافقة
        message.07 غير مصرح به
        message.09 أدخل الرقم السري
        message.0F خطأ في المعالجة
        message.10 أبعد البطاقة
        message.14 مرحبًا
        message.15 قرّب البطاقة
        message.16 جارٍ المعالجة
        message.17 تمت قراءة البطاقة، أبعد البطاقة
        message.18 أدخل البطاقة أو مررها
        message.19 بطاقة واحدة فقط
        message.1A تمت الموافقة، التوقيع مطلوب
        message.1B جارٍ التفويض
        message.1C أدخل البطاقة أو مررها، أو استخدم بطاقة أخرى
        message.1D أدخل البطاقة
        message.20 التعليمات على الهاتف
        message.21 قرّب البطاقة مرة أخرى
        label.payment دفع لا تلامسي
        label.cash سحب نقدي
        label.cashBack دفع مع سحب نقدي
        label.refund استرداد
        label.lookUp استعلام
        label.storeCard حفظ البطاقة
        label.verify تحقق
        label.openTab فتح حساب مؤجل
        loyalty.label بطاقة الولاء
        loyalty.read تمت قراءة بطاقة الولاء
        loyalty.present قرّب الهاتف
        loyalty.choose اختيار بطاقة الولاء على الهاتف
        loyalty.unlock افتح قفل الهاتف
        loyalty.again قرّب الهاتف مرة أخرى
        loyalty.none لا توجد بطاقة ولاء
        loyalty.signUp عرض التسجيل على الهاتف
        loyalty.failed تعذرت قراءة بطاقة الولاء
        enrollment.required شروط مطلوب قبولها قبل أول دفعة
        enrollment.adminRequired صلاحية المسؤول مطلوبة لقبول الشروط
        enrollment.outdated شروط جديدة مطلوب قبولها
        enrollment.revoked أُلغي قبول الشروط
        enrollment.accepted تم قبول الشروط
        alternative.retry تقريب البطاقة نفسها مرة أخرى
        alternative.startAgain بدء الدفعة من جديد
        alternative.anotherCard استخدام بطاقة أخرى
        alternative.otherInterface.chip أدخل البطاقة
        alternative.otherInterface.swipe مرر البطاقة
        alternative.otherInterface.chipOrSwipe أدخل البطاقة أو مررها
        alternative.enterPIN إدخال الرقم السري
        alternative.waitAndRetry إعادة المحاولة بعد قليل
        alternative.askHost الاستعلام عن هذه الدفعة
        alternative.checkReader فحص القارئ
        alternative.correctRequest تصحيح المبلغ
        alternative.administrator تسجيل الدخول بصفة مسؤول
        alternative.update تحديث القارئ
        alternative.payRest دفع الباقي بطريقة أخرى
        alternative.cash نقد
        alternative.paymentLink رابط دفع
        alternative.help مساعدة
        amount.total الإجمالي
        amount.approved المبلغ الموافق عليه
        amount.due المبلغ المتبقي
        amount.balance الرصيد المتبقي
        amount.cashBack سحب نقدي
        amount.pending المبلغ غير محدد بعد
        amount.preauthorization مبلغ التفويض المسبق
        amount.later مستحق لاحقًا
        amount.later.day تاريخ الاستحقاق
        amount.membership.weekly كل أسبوع
        amount.membership.monthly كل شهر
        amount.membership.yearly كل سنة
        amount.installment.weekly قسط أسبوعي
        amount.installment.monthly قسط شهري
        amount.installment.yearly قسط سنوي
        amount.line.item السعر
        amount.line.charge رسم إضافي
        amount.line.discount خصم
        amount.line.tip إكرامية
        amount.line.tax ضريبة
        amount.line.donation تبرع
        amount.line.recurring دفعة متكررة
        amount.line.installment قسط
        progress.preparing جارٍ تجهيز القارئ
        progress.authorizing جارٍ التفويض
        progress.reversing جارٍ عكس العملية
        headline.approved تمت الموافقة
        headline.accepted تم القبول، التفويض معلق
        headline.signature تمت الموافقة، التوقيع مطلوب
        headline.part تمت الموافقة على جزء، والباقي غير مدفوع
        headline.verified تم التحقق من البطاقة
        headline.authorizing جارٍ التفويض
        headline.declined رُفضت الدفعة
        headline.notCompleted لم تكتمل الدفعة
        headline.otherCard بطاقة أخرى مطلوبة
        headline.otherInterface أدخل البطاقة أو مررها
        headline.pin الرقم السري مطلوب
        headline.wait أعد المحاولة بعد قليل
        headline.request مبلغ أو طلب يحتاج إلى تصحيح
        headline.reader القارئ يحتاج إلى فحص
        headline.setUp الإعداد مطلوب
        headline.unknown النتيجة غير معروفة بعد
        receipt.customerCopy نسخة العميل
        receipt.merchantCopy نسخة التاجر
        receipt.purchase شراء
        receipt.cash سحب نقدي
        receipt.cashBack شراء مع سحب نقدي
        receipt.refund استرداد
        receipt.capture إتمام التفويض المسبق
        receipt.increment زيادة التفويض المسبق
        receipt.void إلغاء
        receipt.verification التحقق من البطاقة
        receipt.via عبر
        receipt.terminal الجهاز
        receipt.merchant رقم التاجر
        receipt.sequence رقم العملية
        receipt.reference المرجع
        receipt.original الدفعة الأصلية
        receipt.card البطاقة
        receipt.cardSequence تسلسل البطاقة
        receipt.entry طريقة القراءة
        receipt.contactless لا تلامسي
        receipt.application التطبيق
        receipt.authorizationCode رمز الموافقة
        receipt.responseCode رمز الاستجابة
        receipt.cryptogram الشيفرة
        receipt.verified التحقق
        receipt.cvm.signature توقيع
        receipt.cvm.onlinePIN الرقم السري
        receipt.cvm.cdcvm على جهاز العميل
        receipt.signature التوقيع
        receipt.approved تمت الموافقة
        receipt.approvedOffline تمت الموافقة دون اتصال
        receipt.declined مرفوضة
        receipt.notCompleted لم تكتمل
        receipt.unknown النتيجة غير معروفة بعد
        receipt.accepted تم القبول، التفويض معلق
        receipt.approvedLater مدفوعة، تم التفويض لاحقًا
        receipt.declinedLater غير مدفوعة، رُفض التفويض
        receipt.verifiedCard تم التحقق من البطاقة
        receipt.nothingCharged لم يُخصم شيء
        receipt.nothingRefunded لم يُسترد شيء
        receipt.notYetCharged محجوز، لم يُخصم بعد
        delivery.title إيصال
        delivery.print طباعة
        delivery.mail بريد إلكتروني
        delivery.message رسالة نصية
        delivery.code رمز QR
        delivery.none بدون إيصال
        delivery.address.mail عنوان البريد الإلكتروني
        delivery.address.message رقم الهاتف المحمول
        education.start.title بدء دفعة لا تلامسية
        education.start.1 أدخل المبلغ النهائي شاملًا الإكراميات والخصومات
        education.start.2 اختر الدفع اللاتلامسي
        education.start.3 أدر القارئ نحو العميل
        education.card.title البطاقات اللاتلامسية
        education.card.1 ثبّت البطاقة مستوية عند هذا الموضع
        education.card.2 أبعد كل البطاقات الأخرى عن القارئ
        education.card.3 أبعد البطاقة بعد الإشارة، ثم انتظر النتيجة
        education.device.title الهواتف والساعات
        education.device.1 افتح قفل الهاتف أو الساعة أولًا
        education.device.2 ضع حافته العليا عند هذا الموضع
        education.device.3 اتبع التعليمات على الجهاز إن ظهرت، ثم قرّبه مرة \
        أخرى
        education.pin.title إدخال الرقم السري
        education.pin.1 سلّم لوحة الرقم السري إلى العميل
        education.pin.2 انظر بعيدًا أثناء إدخال الرقم السري
        education.pin.3 توقّع طلب الرقم السري بعد رد البنك أيضًا
        education.accessibility.title إدخال الرقم السري دون إبصار
        education.accessibility.1 شغّل وضع إمكانية الوصول قبل إدخال الرقم \
        السري، بطلب من العميل
        education.accessibility.2 وجّه الإصبع إلى العلامة البارزة على المفتاح 5
        education.accessibility.3 امنح كل الوقت اللازم، ولا تسأل أبدًا عن الرقم \
        السري
        education.result.title النتائج
        education.result.1 اعرض النتيجة على العميل، موافقة أو رفضًا
        education.result.2 اعرض الإيصال في الحالتين
        education.result.3 اعرض بطاقة أخرى أو طريقة دفع أخرى بعد الرفض
        education.try.title تجربة دون نقود
        education.try.1 ابدأ دفعة تجريبية بالقارئ المحاكى
        education.try.2 جرّب رفضًا ورقمًا سريًا قبل أول عميل
        antenna.symbol رمز الدفع اللاتلامسي على القارئ
        antenna.display وسط شاشة القارئ
        antenna.top الحافة العليا للقارئ
        antenna.surface وسط سطح القارئ
        antenna.slot بعيدًا عن فتحة الشريحة، على الجانب العلوي
        problem.amountAboveLimit المبلغ فوق حد الدفع اللاتلامسي
        problem.amountAboveKernelLimit المبلغ فوق حد هذه البطاقة
        problem.amountZero مبلغ صفر غير مسموح به
        problem.amountNotAllowed المبلغ غير مسموح به لا تلامسيًا
        problem.amountTooLarge مبلغ بأكثر من 12 رقمًا
        problem.currencyInvalid عملة خارج معيار ISO 4217
        problem.currencyConflict عملات مختلفة في دفعة واحدة
        problem.cashBackAboveAmount سحب نقدي فوق المبلغ الإجمالي
        problem.cashBackZero سحب نقدي قيمته صفر
        problem.lineItemsMismatch بنود لا تطابق الإجمالي
        problem.transactionTypeNotConfigured نوع الدفع غير معد
        problem.currencyNotConfigured العملة غير معدة
        problem.preferredApplicationInvalid معرّف تطبيق خارج النطاق من 5 إلى 16 بايت
        problem.requestInvalid طلب يتعارض مع الإعدادات
        problem.linkTimedOut لا رد من البطاقة
        problem.linkDisturbed اتصال مضطرب بالبطاقة
        problem.linkProtocolFailed بطاقة خارج البروتوكول اللاتلامسي
        problem.cardRemovedEarly أُبعدت البطاقة مبكرًا جدًا
        problem.cardDataInvalid بيانات البطاقة ناقصة أو خاطئة
        problem.cardStatusUnexpected رد غير متوقع من البطاقة
        problem.cardDataTooLarge بيانات في البطاقة أكثر مما يسعه القارئ
        problem.cardSwitched بطاقات مختلفة أثناء دفعة واحدة
        problem.cardProtectionFailed بيانات البطاقة متعارضة
        problem.severalCards عدة بطاقات عند القارئ
        problem.tooManyPresentments قُرّبت البطاقة مرات كثيرة
        problem.applicationsExhausted لا تطبيق صالح على البطاقة
        problem.deviceNotUnlocked الهاتف أو الساعة لا يزال مقفلًا
        problem.otherInterfaceWanted البطاقة لا تدعم اللاتلامس لهذه الدفعة
        problem.cardDeclined رفضت البطاقة الدفعة
        problem.insufficientOfflineBalance رصيد البطاقة منخفض جدًا
        problem.issuerAnswerRefused رفضت البطاقة رد البنك
        problem.networkUnsupported شبكة البطاقة غير مقبولة
        problem.preferredApplicationAbsent التطبيق المختار غير موجود على البطاقة
        problem.issuerCountryUnsupported بلد البطاقة غير مقبول
        problem.issuerCountryUnknown بلد البطاقة غير معروف
        problem.pinRequired الرقم السري مطلوب
        problem.pinPadMissing الرقم السري مطلوب، لا توجد لوحة أرقام
        problem.pinCancelled أُلغي إدخال الرقم السري
        problem.pinTimedOut لم يُدخل الرقم السري في الوقت المحدد
        problem.pinBypassed تم تخطي إدخال الرقم السري
        problem.pinPadFailed لوحة الرقم السري معطلة
        problem.pinAttemptsExceeded محاولات كثيرة للرقم السري
        problem.incorrectPIN رقم سري غير صحيح
        problem.cancelledByPerson أُلغيت الدفعة
        problem.cancelledByProgram ألغى التطبيق الدفعة
        problem.cardTimedOut لم تُقرّب بطاقة في الوقت المحدد
        problem.cardNotRemoved البطاقة السابقة لا تزال على القارئ
        problem.stoppedByTerminal أوقف الجهاز الدفعة
        problem.suspended التطبيق في الخلفية
        problem.superseded حلت دفعة لاحقة محل هذه الدفعة
        problem.readerDetached القارئ مفصول
        problem.readerMissing لا قارئ متصل
        problem.readerServiceMissing خدمة قارئ البطاقات لا تعمل
        problem.readerInUse القارئ مشغول ببرنامج آخر
        problem.readerUnsupported قارئ دون الوظائف اللازمة
        problem.readerFailed القارئ معطل
        problem.readerBusy دفعة أخرى على هذا القارئ
        problem.notPrepared القارئ غير مجهز
        problem.preparationCancelled أُلغي التجهيز
        problem.nothingToComplete لا دفعة تنتظر ردًا
        problem.randomMissing لا رقم عشوائي صالح
        problem.kernelDefect عيب في نواة الدفع
        problem.configurationInvalid الإعدادات غير صالحة
        problem.configurationExpired انتهت صلاحية الإعدادات
        problem.configurationExpiresSoon صلاحية الإعدادات على وشك الانتهاء
        problem.caKeysMissing لا مفتاح من هيئة التصديق لإحدى الشبكات
        problem.caKeyExpired انتهت صلاحية مفتاح هيئة التصديق
        problem.testKeys مفاتيح اختبار في الإعدادات
        problem.enrollmentRequired لم تُقبل الشروط بعد
        problem.enrollmentRevoked سُحب قبول الشروط
        problem.enrollmentOutdated لم تُقبل الشروط الجديدة بعد
        problem.administratorRequired صلاحية المسؤول مطلوبة
        problem.enrollmentSignatureInvalid سجل القبول غير أصلي
        problem.enrollmentStoreFailed لم يُحفظ سجل القبول
        problem.enrollmentUnanswered لا رد في الوقت المحدد بشأن الشروط
        problem.issuerDeclined رفض البنك الدفعة
        problem.insufficientFunds رصيد غير كافٍ
        problem.suspectedFraud اشتباه باحتيال لدى البنك
        problem.cardExpired بطاقة منتهية الصلاحية
        problem.cardLostOrStolen بطاقة مبلغ عن فقدانها أو سرقتها
        problem.cardNotPermitted نوع الدفع غير مسموح به للبطاقة
        problem.issuerLimitExceeded تم تجاوز حد الحساب
        problem.issuerUnavailable تعذر الوصول إلى البنك
        problem.hostUnreachable لا اتصال بمزود الدفع
        problem.hostRejected رفض مزود الدفع الطلب
        problem.authorizationTimedOut لا رد من مزود الدفع في الوقت المحدد
        problem.authorizationInterrupted انقطع التفويض
        problem.authorizationAnswerLost فُقد رد مزود الدفع
        problem.reversalFailed نتيجة الدفعة غير معروفة
        problem.authorizationNotPossible لا شيء للتفويض في هذه القراءة
        problem.simulatedRead بطاقة محاكاة لدى مزود دفع حقيقي
        problem.keyUsed مفتاح دفعة سابقة
        problem.saleSettled الطلب مدفوع من قبل
        problem.saleOpen دفعة سابقة لهذا الطلب لا تزال مفتوحة
        problem.amountAboveDue المبلغ فوق سعر الطلب
        problem.refundAbovePaid استرداد فوق المبلغ المدفوع
        problem.captureAboveAuthorized المبلغ فوق المبلغ المصرح به
        problem.alreadyVoided الدفعة ملغاة من قبل
        problem.followUpNotPossible غير ممكن لهذه الدفعة
        problem.approvedInPart تمت الموافقة على جزء من المبلغ فقط
        problem.offlineLimitReached بلوغ حد الدفعات دون اتصال
        problem.offlineAmountAboveLimit المبلغ فوق الحد دون اتصال
        problem.offlineCardLimitReached بلوغ حد البطاقة دون اتصال
        problem.offlineTooLong مدة طويلة دون اتصال
        problem.issuerDataTooLong بيانات البنك أطول مما تسعه البطاقة
        problem.chipRequested البنك يطلب شريحة البطاقة
        problem.journalFailed لم تُسجل الدفعة
        problem.journalFull ذاكرة الدفعات ممتلئة
        problem.journalInUse سجلات الدفعات مشغولة ببرنامج آخر
        problem.journalDamaged سجلات الدفعات تالفة
        problem.journalRestored سجلات الدفعات مستعادة من نسخة احتياطية
        problem.own سبب آخر
        """

    static let arabicRemedies = """
        Enter an amount above zero = أدخل مبلغًا فوق الصفر
        Enter an amount of at most 12 digits = أدخل مبلغًا من 12 رقمًا على الأكثر
        Use a numeric code up to 999 and at most 4 decimals = \
        استخدم رمزًا رقميًا حتى 999، و4 خانات عشرية على الأكثر
        Use one currency for all amounts = استخدم عملة واحدة لكل المبالغ
        Include the cash back in the total = أدرج السحب النقدي في الإجمالي
        Enter a cash back above zero, or choose a purchase = \
        أدخل سحبًا نقديًا فوق الصفر أو اختر الشراء
        Make the line items add up to the total = طابق مجموع البنود مع الإجمالي
        Configure a combination for this kind of payment = أعدّ توليفة لهذا النوع من الدفع
        Use identifiers of 5 to 16 bytes = استخدم معرّفات من 5 إلى 16 بايت
        Change the request to fit the configuration = عدّل الطلب ليوافق الإعدادات
        Hold the card flat and still on the reader = ثبّت البطاقة مستوية على القارئ
        Use the chip of the card, or another card = استخدم شريحة البطاقة أو بطاقة أخرى
        Hold the card on the reader until the signal = أبقِ البطاقة على القارئ حتى الإشارة
        Present the same card each time = قرّب البطاقة نفسها كل مرة
        Take the card out of the wallet and present it alone = \
        أخرج البطاقة من المحفظة وقرّبها وحدها
        Follow the instructions on the phone, then present it again = \
        اتبع التعليمات على الهاتف، ثم قرّبه مرة أخرى
        Use the chip or magnetic stripe of the card = \
        استخدم شريحة البطاقة أو شريطها الممغنط
        Use another card, or another way to pay = استخدم بطاقة أخرى أو طريقة دفع أخرى
        Use a card of an accepted network = استخدم بطاقة من شبكة مقبولة
        Make another choice, or use another card = اختر خيارًا آخر أو استخدم بطاقة أخرى
        Use a card of an accepted country = استخدم بطاقة من بلد مقبول
        Use a card that names its country = استخدم بطاقة تذكر بلدها
        Enter the PIN on the PIN pad = أدخل الرقم السري على لوحة الرقم السري
        Use the chip of the card, or a payment link = استخدم شريحة البطاقة أو رابط دفع
        Try again, or use another way to pay = أعد المحاولة أو استخدم طريقة دفع أخرى
        Try again with PIN, or use another way to pay = \
        أعد المحاولة بالرقم السري أو استخدم طريقة دفع أخرى
        Check the connection of the PIN pad, or pay another way = \
        افحص توصيل لوحة الرقم السري أو استخدم طريقة دفع أخرى
        Try again with the right PIN = أعد المحاولة بالرقم السري الصحيح
        Start a new payment = ابدأ دفعة جديدة
        Try again = أعد المحاولة
        Start a new payment with the app in the foreground = \
        ابدأ دفعة جديدة والتطبيق في المقدمة
        Continue with the later payment = تابع الدفعة اللاحقة
        Check the cable or pairing of the reader = افحص كابل القارئ أو اقترانه
        Start the reader service = شغّل خدمة القارئ
        Close the other program = أغلق البرنامج الآخر
        Use a contactless reader = استخدم قارئًا لا تلامسيًا
        Unplug the reader and plug it in again = افصل القارئ ووصّله من جديد
        Wait for the other payment to end = انتظر انتهاء الدفعة الأخرى
        Prepare the reader = جهّز القارئ
        Prepare the reader again = جهّز القارئ من جديد
        Restart the device = أعد تشغيل الجهاز
        Report the problem to support = أبلغ الدعم بالمشكلة
        Correct the configuration = صحّح الإعدادات
        Load a new configuration = حمّل إعدادات جديدة
        Load a configuration with the keys of the network = حمّل إعدادات تضم مفاتيح الشبكة
        Load a configuration with current keys = حمّل إعدادات بمفاتيح سارية
        Load the keys of the networks before live payments = \
        حمّل مفاتيح الشبكات قبل الدفعات الحقيقية
        Ask an administrator to accept the terms = اطلب من مسؤول قبول الشروط
        Contact the payment provider = اتصل بمزود الدفع
        Sign in as an administrator = سجّل الدخول بصفة مسؤول
        Request a genuine record from the payment provider = اطلب سجلًا أصليًا من مزود الدفع
        Check the storage of the device = افحص ذاكرة الجهاز
        Use another way to pay = استخدم طريقة دفع أخرى
        Try again later, or use another card = \
        أعد المحاولة لاحقًا أو استخدم بطاقة أخرى
        Check the network connection of the device = افحص اتصال الجهاز بالشبكة
        Check the settings of the merchant account = افحص إعدادات حساب التاجر
        Nothing charged, start a new payment = لا خصم، ابدأ دفعة جديدة
        Look up the payment at the provider before a new one = \
        استعلم عن الدفعة لدى المزود قبل دفعة جديدة
        Read the card for a payment = اقرأ البطاقة من أجل دفعة
        Use a real card, or acceptsSimulatedReads of a test host = \
        استخدم بطاقة حقيقية، أو acceptsSimulatedReads لمضيف اختبار
        Remove the card, then start a new payment = أبعد البطاقة، ثم ابدأ دفعة جديدة
        Use a new key for every payment = استخدم مفتاحًا جديدًا لكل دفعة
        Check the receipt of the payment = راجع إيصال الدفعة
        Finish the earlier payment first = أكمل الدفعة السابقة أولًا
        Enter at most the price = أدخل مبلغًا لا يتجاوز السعر
        Enter at most the payment less refunds = \
        أدخل مبلغًا لا يتجاوز الدفعة ناقص المبالغ المستردة
        Enter at most the authorized amount = أدخل مبلغًا لا يتجاوز المصرح به
        Free up space on the device = وفّر مساحة على الجهاز
        """
}
