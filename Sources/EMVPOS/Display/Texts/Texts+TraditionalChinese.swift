// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let traditionalChinese = """
        message.03 已核准
        message.07 未獲授權
        message.09 輸入密碼
        message.0F 處理錯誤
        message.10 移開卡片
        message.14 歡迎光臨
        message.15 感應卡片
        message.16 處理中
        message.17 讀卡完成，移開卡片
        message.18 插卡或刷卡
        message.19 僅限一張卡片
        message.1A 已核准，需要簽名
        message.1B 授權處理中
        message.1C 插卡、刷卡或換另一張卡
        message.1D 插卡
        message.20 依手機指示操作
        message.21 再次感應卡片
        label.payment 感應付款
        label.cash 提領現金
        label.cashBack 付款並提領現金
        label.refund 退款
        label.lookUp 查詢
        label.storeCard 儲存卡片
        label.verify 驗證
        label.openTab 開立帳單
        loyalty.label 會員卡
        loyalty.read 會員卡讀取完成
        loyalty.present 感應手機
        loyalty.choose 在手機上選擇會員卡
        loyalty.unlock 解鎖手機
        loyalty.again 再次感應手機
        loyalty.none 找不到會員卡
        loyalty.signUp 手機顯示入會連結
        loyalty.failed 會員卡未讀取
        enrollment.required 首次付款前需接受條款
        enrollment.adminRequired 接受條款需要管理員權限
        enrollment.outdated 需接受新條款
        enrollment.revoked 條款的接受已撤銷
        enrollment.accepted 條款已接受
        alternative.retry 再次使用同一張卡
        alternative.startAgain 重新開始付款
        alternative.anotherCard 使用另一張卡
        alternative.otherInterface.chip 插卡
        alternative.otherInterface.swipe 刷卡
        alternative.otherInterface.chipOrSwipe 插卡或刷卡
        alternative.enterPIN 輸入密碼
        alternative.waitAndRetry 稍後重試
        alternative.askHost 查詢此筆付款
        alternative.checkReader 檢查讀卡機
        alternative.correctRequest 更正金額
        alternative.administrator 以管理員身分登入
        alternative.update 更新讀卡機
        alternative.payRest 以其他方式支付剩餘金額
        alternative.cash 現金
        alternative.paymentLink 付款連結
        alternative.help 說明
        amount.total 總計
        amount.approved 核准金額
        amount.due 待付金額
        amount.balance 卡片餘額
        amount.cashBack 提領現金
        amount.pending 金額待定
        amount.preauthorization 預先授權金額
        amount.later 稍後付款
        amount.later.day 到期日
        amount.membership.weekly 每週
        amount.membership.monthly 每月
        amount.membership.yearly 每年
        amount.installment.weekly 每週分期
        amount.installment.monthly 每月分期
        amount.installment.yearly 每年分期
        amount.line.item 價格
        amount.line.charge 附加費
        amount.line.discount 折扣
        amount.line.tip 小費
        amount.line.tax 稅
        amount.line.donation 捐款
        amount.line.recurring 定期付款
        amount.line.installment 分期付款
        progress.preparing 讀卡機準備中
        progress.authorizing 授權處理中
        progress.reversing 沖正處理中
        headline.approved 已核准
        headline.accepted 已受理，等待授權
        headline.signature 已核准，需要簽名
        headline.part 部分核准，剩餘金額未付
        headline.verified 卡片已驗證
        headline.authorizing 授權處理中
        headline.declined 付款遭拒
        headline.notCompleted 付款未完成
        headline.otherCard 需要另一張卡
        headline.otherInterface 插卡或刷卡
        headline.pin 需要密碼
        headline.wait 稍後重試
        headline.request 更正金額或要求
        headline.reader 檢查讀卡機
        headline.setUp 需要設定
        headline.unknown 結果尚未確定
        receipt.customerCopy 持卡人存根
        receipt.merchantCopy 商店存根
        receipt.purchase 銷售
        receipt.cash 提領現金
        receipt.cashBack 銷售並提領現金
        receipt.refund 退款
        receipt.capture 預先授權完成
        receipt.increment 追加預先授權
        receipt.void 取消交易
        receipt.verification 卡片驗證
        receipt.via 經由
        receipt.terminal 端末機
        receipt.merchant 商店代號
        receipt.sequence 交易序號
        receipt.reference 參考號碼
        receipt.original 原交易
        receipt.card 卡號
        receipt.cardSequence 卡片序號
        receipt.entry 讀取方式
        receipt.contactless 感應
        receipt.application 應用程式
        receipt.authorizationCode 授權碼
        receipt.responseCode 回應碼
        receipt.cryptogram 交易驗證碼
        receipt.verified 驗證方式
        receipt.cvm.signature 簽名
        receipt.cvm.onlinePIN 密碼
        receipt.cvm.cdcvm 於裝置上
        receipt.signature 簽名
        receipt.approved 已核准
        receipt.approvedOffline 已離線核准
        receipt.declined 已拒絕
        receipt.notCompleted 未完成
        receipt.unknown 結果尚未確定
        receipt.accepted 已受理，等待授權
        receipt.approvedLater 已付款，事後授權
        receipt.declinedLater 未付款，授權遭拒
        receipt.verifiedCard 卡片已驗證
        receipt.nothingCharged 未扣款
        receipt.nothingRefunded 未退款
        receipt.notYetCharged 已保留，尚未扣款
        delivery.title 收據
        delivery.print 列印
        delivery.mail 電子郵件
        delivery.message 簡訊
        delivery.code QR 碼
        delivery.none 不需要收據
        delivery.address.mail 電子郵件地址
        delivery.address.message 手機號碼
        education.start.title 開始感應付款
        education.start.1 輸入最終金額，包含小費與折扣
        education.start.2 選擇感應付款
        education.start.3 將讀卡機轉向顧客
        education.card.title 感應式卡片
        education.card.1 將卡片平放於此處並保持不動
        education.card.2 其他卡片遠離讀卡機
        education.card.3 提示後移開卡片，等待結果
        education.device.title 手機與手錶
        education.device.1 先解鎖手機或手錶
        education.device.2 將頂端靠近此處
        education.device.3 依裝置上的指示操作，再次感應
        education.pin.title 輸入密碼
        education.pin.1 將密碼鍵盤交給顧客
        education.pin.2 輸入密碼時轉移視線
        education.pin.3 銀行回覆後仍可能要求密碼
        education.accessibility.title 視障者輸入密碼
        education.accessibility.1 依顧客要求，輸入密碼前開啟無障礙模式
        education.accessibility.2 引導手指到5號鍵的凸點
        education.accessibility.3 給予足夠時間，切勿詢問密碼
        education.result.title 結果
        education.result.1 向顧客顯示結果，無論核准或拒絕
        education.result.2 兩種情況都提供收據
        education.result.3 遭拒後提供另一張卡或其他付款方式
        education.try.title 不涉及金錢的練習
        education.try.1 用模擬讀卡機開始測試付款
        education.try.2 接待首位顧客前演練拒絕與密碼輸入
        antenna.symbol 讀卡機上的感應符號
        antenna.display 讀卡機螢幕中央
        antenna.top 讀卡機上緣
        antenna.surface 讀卡機表面中央
        antenna.slot 上側，遠離晶片插槽
        problem.amountAboveLimit 金額超過感應限額
        problem.amountAboveKernelLimit 金額超過此卡限額
        problem.amountZero 不接受零元金額
        problem.amountNotAllowed 金額不允許感應付款
        problem.amountTooLarge 金額超過12位數
        problem.currencyInvalid 幣別不屬於ISO 4217
        problem.currencyConflict 同一筆付款中幣別不同
        problem.cashBackAboveAmount 提領現金超過總金額
        problem.cashBackZero 提領現金為零
        problem.lineItemsMismatch 明細與總計不符
        problem.transactionTypeNotConfigured 付款類型未設定
        problem.currencyNotConfigured 幣別未設定
        problem.preferredApplicationInvalid 應用程式識別碼不在5至16位元組內
        problem.requestInvalid 要求與設定衝突
        problem.linkTimedOut 卡片無回應
        problem.linkDisturbed 與卡片的連線受干擾
        problem.linkProtocolFailed 卡片不符感應協定
        problem.cardRemovedEarly 卡片移開過早
        problem.cardDataInvalid 卡片資料缺少或錯誤
        problem.cardStatusUnexpected 卡片回應異常
        problem.cardDataTooLarge 卡片資料超出讀卡機容量
        problem.cardSwitched 一筆付款中出現不同卡片
        problem.cardProtectionFailed 卡片資料互相矛盾
        problem.severalCards 讀卡機上有多張卡片
        problem.tooManyPresentments 感應卡片次數過多
        problem.applicationsExhausted 卡片上沒有可用的應用程式
        problem.deviceNotUnlocked 手機或手錶仍鎖定
        problem.otherInterfaceWanted 卡片不支援此筆付款的感應
        problem.cardDeclined 付款遭卡片拒絕
        problem.insufficientOfflineBalance 卡片餘額不足
        problem.issuerAnswerRefused 銀行回覆遭卡片拒絕
        problem.networkUnsupported 不接受此卡組織
        problem.preferredApplicationAbsent 卡片上沒有所選應用程式
        problem.issuerCountryUnsupported 不接受此卡片的國家
        problem.issuerCountryUnknown 卡片國家不明
        problem.pinRequired 需要密碼
        problem.pinPadMissing 需要密碼，沒有密碼鍵盤
        problem.pinCancelled 密碼輸入已取消
        problem.pinTimedOut 未及時輸入密碼
        problem.pinBypassed 略過密碼輸入
        problem.pinPadFailed 密碼鍵盤故障
        problem.pinAttemptsExceeded 密碼輸入次數過多
        problem.incorrectPIN 密碼錯誤
        problem.cancelledByPerson 付款已取消
        problem.cancelledByProgram 付款已由應用程式取消
        problem.cardTimedOut 未及時感應卡片
        problem.cardNotRemoved 前一張卡仍在讀卡機上
        problem.stoppedByTerminal 付款已由端末機停止
        problem.suspended 應用程式在背景執行
        problem.superseded 付款已由後一筆取代
        problem.readerDetached 讀卡機已中斷連線
        problem.readerMissing 未連接讀卡機
        problem.readerServiceMissing 讀卡機服務未執行
        problem.readerInUse 讀卡機由其他程式使用中
        problem.readerUnsupported 讀卡機缺少所需功能
        problem.readerFailed 讀卡機故障
        problem.readerBusy 此讀卡機有另一筆付款
        problem.notPrepared 讀卡機未準備
        problem.preparationCancelled 準備已取消
        problem.nothingToComplete 沒有等待回覆的付款
        problem.randomMissing 沒有可用的亂數
        problem.kernelDefect 付款核心有缺陷
        problem.configurationInvalid 設定無效
        problem.configurationExpired 設定已過期
        problem.configurationExpiresSoon 設定即將過期
        problem.caKeysMissing 某卡組織缺少憑證機構金鑰
        problem.caKeyExpired 憑證機構金鑰已過期
        problem.testKeys 設定中有測試金鑰
        problem.enrollmentRequired 條款尚未接受
        problem.enrollmentRevoked 條款的接受已撤回
        problem.enrollmentOutdated 新條款尚未接受
        problem.administratorRequired 需要管理員權限
        problem.enrollmentSignatureInvalid 接受紀錄不真實
        problem.enrollmentStoreFailed 接受紀錄未儲存
        problem.enrollmentUnanswered 未及時收到有關條款的回覆
        problem.issuerDeclined 付款遭銀行拒絕
        problem.insufficientFunds 餘額不足
        problem.suspectedFraud 銀行懷疑有詐欺
        problem.cardExpired 卡片已過期
        problem.cardLostOrStolen 卡片已掛失或遭竊
        problem.cardNotPermitted 此卡不允許此類付款
        problem.issuerLimitExceeded 超過帳戶限額
        problem.issuerUnavailable 無法連線銀行
        problem.hostUnreachable 無法連線付款服務商
        problem.hostRejected 要求遭付款服務商拒絕
        problem.authorizationTimedOut 付款服務商未及時回覆
        problem.authorizationInterrupted 授權中斷
        problem.authorizationAnswerLost 付款服務商的回覆遺失
        problem.reversalFailed 付款結果不明
        problem.authorizationNotPossible 此次讀取沒有需授權的內容
        problem.simulatedRead 模擬卡用於真實付款服務商
        problem.keyUsed 先前付款的金鑰
        problem.saleSettled 訂單已付款
        problem.saleOpen 此訂單先前的付款尚未結束
        problem.amountAboveDue 金額超過訂單價格
        problem.refundAbovePaid 退款超過已付金額
        problem.captureAboveAuthorized 金額超過授權金額
        problem.alreadyVoided 付款已撤銷
        problem.followUpNotPossible 此付款不支援該操作
        problem.approvedInPart 僅核准部分金額
        problem.offlineLimitReached 已達離線付款限額
        problem.offlineAmountAboveLimit 金額超過離線限額
        problem.offlineCardLimitReached 已達單卡離線限額
        problem.offlineTooLong 離線時間過長
        problem.issuerDataTooLong 銀行資料超出卡片長度
        problem.chipRequested 銀行要求使用晶片
        problem.journalFailed 付款未記錄
        problem.journalFull 付款儲存空間已滿
        problem.journalInUse 付款紀錄由其他程式使用中
        problem.journalDamaged 付款紀錄損壞
        problem.journalRestored 付款紀錄由備份還原
        problem.own 其他原因
        """

    static let traditionalChineseRemedies = """
        Enter an amount above zero = 輸入大於零的金額
        Enter an amount of at most 12 digits = 輸入最多12位數的金額
        Use a numeric code up to 999 and at most 4 decimals = 使用999以內的數字代碼與最多4位小數
        Use one currency for all amounts = 所有金額使用同一幣別
        Include the cash back in the total = 將提領現金計入總計
        Enter a cash back above zero, or choose a purchase = 輸入大於零的提領現金，或選擇一般銷售
        Make the line items add up to the total = 使明細與總計相符
        Configure a combination for this kind of payment = 在設定中加入此類付款的組合
        Use identifiers of 5 to 16 bytes = 使用5至16位元組的識別碼
        Change the request to fit the configuration = 依設定修改要求
        Hold the card flat and still on the reader = 將卡片平放在讀卡機上，保持不動
        Use the chip of the card, or another card = 插卡，或使用另一張卡
        Hold the card on the reader until the signal = 將卡片放在讀卡機上直到提示
        Present the same card each time = 每次使用同一張卡
        Take the card out of the wallet and present it alone = 從皮夾取出卡片，單獨感應
        Follow the instructions on the phone, then present it again = 依手機指示操作，再次感應手機
        Use the chip or magnetic stripe of the card = 使用卡片的晶片或磁條
        Use another card, or another way to pay = 使用另一張卡，或其他付款方式
        Use a card of an accepted network = 使用可接受卡組織的卡片
        Make another choice, or use another card = 做其他選擇，或使用另一張卡
        Use a card of an accepted country = 使用可接受國家的卡片
        Use a card that names its country = 使用註明國家的卡片
        Enter the PIN on the PIN pad = 在密碼鍵盤上輸入密碼
        Use the chip of the card, or a payment link = 插卡，或使用付款連結
        Try again, or use another way to pay = 重試，或使用其他付款方式
        Try again with PIN, or use another way to pay = 輸入密碼重試，或使用其他付款方式
        Check the connection of the PIN pad, or pay another way = \
        檢查密碼鍵盤的連線，或使用其他付款方式
        Try again with the right PIN = 以正確密碼重試
        Start a new payment = 開始新的付款
        Try again = 重試
        Start a new payment with the app in the foreground = 在前景開始新的付款
        Continue with the later payment = 繼續後一筆付款
        Check the cable or pairing of the reader = 檢查讀卡機的連接線或配對
        Start the reader service = 啟動讀卡機服務
        Close the other program = 關閉其他程式
        Use a contactless reader = 使用感應式讀卡機
        Unplug the reader and plug it in again = 重新插拔讀卡機
        Wait for the other payment to end = 等待另一筆付款結束
        Prepare the reader = 準備讀卡機
        Prepare the reader again = 重新準備讀卡機
        Restart the device = 重新啟動裝置
        Report the problem to support = 向技術支援回報問題
        Correct the configuration = 更正設定
        Load a new configuration = 載入新的設定
        Load a configuration with the keys of the network = 載入含該卡組織金鑰的設定
        Load a configuration with current keys = 載入含有效金鑰的設定
        Load the keys of the networks before live payments = 正式付款前載入卡組織金鑰
        Ask an administrator to accept the terms = 由管理員接受條款
        Contact the payment provider = 聯絡付款服務商
        Sign in as an administrator = 以管理員身分登入
        Request a genuine record from the payment provider = 向付款服務商索取真實紀錄
        Check the storage of the device = 檢查裝置的儲存空間
        Use another way to pay = 使用其他付款方式
        Try again later, or use another card = 稍後重試，或使用另一張卡
        Check the network connection of the device = 檢查裝置的網路連線
        Check the settings of the merchant account = 檢查商店帳戶的設定
        Nothing charged, start a new payment = 未扣款，開始新的付款
        Look up the payment at the provider before a new one = 重新付款前向服務商查詢
        Read the card for a payment = 讀取卡片以供付款
        Use a real card, or acceptsSimulatedReads of a test host = \
        使用真實的卡，或測試主機的acceptsSimulatedReads
        Remove the card, then start a new payment = 移開卡片，再開始新的付款
        Use a new key for every payment = 每次付款使用新金鑰
        Check the receipt of the payment = 核對付款收據
        Finish the earlier payment first = 先完成先前的付款
        Enter at most the price = 輸入不超過價格的金額
        Enter at most the payment less refunds = 輸入不超過付款減去退款的金額
        Enter at most the authorized amount = 輸入不超過授權金額的金額
        Free up space on the device = 釋放裝置的儲存空間
        """
}
