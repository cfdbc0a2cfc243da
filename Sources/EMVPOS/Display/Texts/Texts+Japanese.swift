// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let japanese = """
        message.03 承認
        message.07 承認不可
        message.09 暗証番号の入力
        message.0F 処理エラー
        message.10 カードを離す
        message.14 ようこそ
        message.15 カードをかざす
        message.16 処理中
        message.17 読み取り完了、カードを離す
        message.18 カードを挿入または磁気で読み取り
        message.19 カードは1枚のみ
        message.1A 承認、署名が必要
        message.1B 承認の確認中
        message.1C 挿入か磁気で読み取り、または別のカード
        message.1D カードを挿入
        message.20 スマートフォンの案内を確認
        message.21 もう一度カードをかざす
        label.payment 非接触での支払い
        label.cash 現金引き出し
        label.cashBack 現金払い出し付きの支払い
        label.refund 返金
        label.lookUp 照会
        label.storeCard カードの登録
        label.verify 確認
        label.openTab 後払いの開始
        loyalty.label ポイントカード
        loyalty.read ポイントカードの読み取り完了
        loyalty.present スマホをかざす
        loyalty.choose スマホでカードを選択
        loyalty.unlock スマホのロックを解除
        loyalty.again もう一度スマホをかざす
        loyalty.none ポイントカードなし
        loyalty.signUp スマホに入会案内を表示
        loyalty.failed ポイントカード読み取り不可
        enrollment.required 最初の支払いの前に規約への同意が必要
        enrollment.adminRequired 規約への同意には管理者権限が必要
        enrollment.outdated 新しい規約への同意が必要
        enrollment.revoked 規約への同意は取り消し済み
        enrollment.accepted 規約に同意済み
        alternative.retry 同じカードをもう一度かざす
        alternative.startAgain 支払いをやり直す
        alternative.anotherCard 別のカードを使う
        alternative.otherInterface.chip カードを挿入
        alternative.otherInterface.swipe カードを磁気で読み取り
        alternative.otherInterface.chipOrSwipe カードを挿入または磁気で読み取り
        alternative.enterPIN 暗証番号を入力
        alternative.waitAndRetry 少し待って再試行
        alternative.askHost この支払いを照会
        alternative.checkReader リーダーを点検
        alternative.correctRequest 金額を訂正
        alternative.administrator 管理者としてサインイン
        alternative.update リーダーを更新
        alternative.payRest 残額を別の方法で支払う
        alternative.cash 現金
        alternative.paymentLink 支払いリンク
        alternative.help ヘルプ
        amount.total 合計
        amount.approved 承認額
        amount.due 残りのお支払額
        amount.balance カード残高
        amount.cashBack 現金払い出し
        amount.pending 金額未確定
        amount.preauthorization 事前承認の金額
        amount.later 後日のお支払い
        amount.later.day お支払い日
        amount.membership.weekly 毎週
        amount.membership.monthly 毎月
        amount.membership.yearly 毎年
        amount.installment.weekly 週ごとの分割払い
        amount.installment.monthly 月ごとの分割払い
        amount.installment.yearly 年ごとの分割払い
        amount.line.item 価格
        amount.line.charge 追加料金
        amount.line.discount 割引
        amount.line.tip チップ
        amount.line.tax 税
        amount.line.donation 寄付
        amount.line.recurring 定期払い
        amount.line.installment 分割払い
        progress.preparing リーダーの準備中
        progress.authorizing 承認の確認中
        progress.reversing 取り消し中
        headline.approved 承認
        headline.accepted 受付済み、カード会社の確認待ち
        headline.signature 承認、署名が必要
        headline.part 一部のみ承認、残額は未払い
        headline.verified カード確認済み
        headline.authorizing 承認の確認中
        headline.declined 支払いの承認不可
        headline.notCompleted 支払い未完了
        headline.otherCard 別のカードが必要
        headline.otherInterface カードを挿入または磁気で読み取り
        headline.pin 暗証番号が必要
        headline.wait 少し待って再試行
        headline.request 金額または内容の訂正
        headline.reader リーダーの点検
        headline.setUp 設定が必要
        headline.unknown 結果は未確認
        receipt.customerCopy 会員控え
        receipt.merchantCopy 加盟店控え
        receipt.purchase 売上
        receipt.cash 現金引き出し
        receipt.cashBack 現金払い出し付き売上
        receipt.refund 返金
        receipt.capture 事前承認の売上確定
        receipt.increment 事前承認の増額
        receipt.void 取消
        receipt.verification カードの確認
        receipt.via 取扱
        receipt.terminal 端末番号
        receipt.merchant 加盟店番号
        receipt.sequence 取引番号
        receipt.reference 参照番号
        receipt.original 元のお支払い
        receipt.card カード番号
        receipt.cardSequence カード順番
        receipt.entry 読み取り
        receipt.contactless 非接触
        receipt.application アプリケーション
        receipt.authorizationCode 承認番号
        receipt.responseCode 応答コード
        receipt.cryptogram 暗号文
        receipt.verified 本人確認
        receipt.cvm.signature 署名
        receipt.cvm.onlinePIN 暗証番号
        receipt.cvm.cdcvm 利用者の機器で確認
        receipt.signature 署名
        receipt.approved 承認
        receipt.approvedOffline オフライン承認
        receipt.declined 承認不可
        receipt.notCompleted 未完了
        receipt.unknown 結果は未確認
        receipt.accepted 受付済み、カード会社の確認待ち
        receipt.approvedLater 支払済み、後日承認
        receipt.declinedLater 未払い、承認拒否
        receipt.verifiedCard カード確認済み
        receipt.nothingCharged 請求なし
        receipt.nothingRefunded 返金なし
        receipt.notYetCharged 与信確保のみ、未請求
        delivery.title レシート
        delivery.print 印刷
        delivery.mail メール
        delivery.message ショートメッセージ
        delivery.code QRコード
        delivery.none レシート不要
        delivery.address.mail メールアドレス
        delivery.address.message 携帯電話番号
        education.start.title 非接触での支払いの始め方
        education.start.1 チップと割引を含む最終金額を入力
        education.start.2 非接触での支払いを選択
        education.start.3 リーダーを支払う人に向ける
        education.card.title 非接触カード
        education.card.1 カードをこの位置に平らに当てたまま動かさない
        education.card.2 ほかのカードはリーダーから離す
        education.card.3 合図の後にカードを離し、結果を待つ
        education.device.title スマートフォンと腕時計
        education.device.1 先にスマートフォンや腕時計のロックを解除
        education.device.2 上部をこの位置に当てる
        education.device.3 画面の案内に従い、もう一度かざす
        education.pin.title 暗証番号の入力
        education.pin.1 入力装置を支払う人に渡す
        education.pin.2 入力の間は目をそらす
        education.pin.3 銀行の応答の後に暗証番号を求められる場合もある
        education.accessibility.title 見ずに行う暗証番号の入力
        education.accessibility.1 希望があれば、入力の前に補助モードを開始
        education.accessibility.2 5のキーの突起に指を案内
        education.accessibility.3 十分な時間を取り、暗証番号は決して尋ねない
        education.result.title 結果
        education.result.1 承認でも承認不可でも結果を見せる
        education.result.2 どちらの場合もレシートを勧める
        education.result.3 承認不可の後は別のカードや別の支払い方法を勧める
        education.try.title お金を使わない練習
        education.try.1 模擬リーダーでテスト支払いを開始
        education.try.2 最初の接客の前に承認不可と暗証番号を練習
        antenna.symbol リーダーの非接触マーク
        antenna.display リーダーの画面の中央
        antenna.top リーダーの上端
        antenna.surface リーダーの表面の中央
        antenna.slot ICの差し込み口から遠い上面
        problem.amountAboveLimit 非接触の上限を超える金額
        problem.amountAboveKernelLimit このカードの上限を超える金額
        problem.amountZero 金額0は不可
        problem.amountNotAllowed 非接触では不可の金額
        problem.amountTooLarge 12桁を超える金額
        problem.currencyInvalid ISO 4217にない通貨
        problem.currencyConflict 一つの支払いに異なる通貨
        problem.cashBackAboveAmount 合計を超える現金払い出し
        problem.cashBackZero 現金払い出しが0
        problem.lineItemsMismatch 明細と合計の不一致
        problem.transactionTypeNotConfigured 設定のない支払いの種類
        problem.currencyNotConfigured 未設定の通貨
        problem.preferredApplicationInvalid 5から16バイトの範囲外のアプリケーション識別子
        problem.requestInvalid 設定と矛盾する要求
        problem.linkTimedOut カードの応答なし
        problem.linkDisturbed カードとの通信の乱れ
        problem.linkProtocolFailed 非接触の規格外のカード
        problem.cardRemovedEarly 早すぎるカードの取り外し
        problem.cardDataInvalid カードのデータの欠落または誤り
        problem.cardStatusUnexpected カードの予期しない応答
        problem.cardDataTooLarge リーダーの容量を超えるカードのデータ
        problem.cardSwitched 一つの支払いに異なるカード
        problem.cardProtectionFailed カードのデータの矛盾
        problem.severalCards リーダーに複数のカード
        problem.tooManyPresentments かざす回数の超過
        problem.applicationsExhausted カードに使えるアプリケーションなし
        problem.deviceNotUnlocked スマートフォンまたは腕時計がロック中
        problem.otherInterfaceWanted この支払いは非接触に対応しないカード
        problem.cardDeclined カードによる承認不可
        problem.insufficientOfflineBalance カードの残高不足
        problem.issuerAnswerRefused 銀行の応答をカードが拒否
        problem.networkUnsupported 取り扱いのないカードブランド
        problem.preferredApplicationAbsent 選んだアプリケーションがカードにない
        problem.issuerCountryUnsupported 取り扱いのない国のカード
        problem.issuerCountryUnknown カードの国が不明
        problem.pinRequired 暗証番号が必要
        problem.pinPadMissing 暗証番号が必要、入力装置なし
        problem.pinCancelled 暗証番号の入力の中止
        problem.pinTimedOut 時間内に暗証番号なし
        problem.pinBypassed 暗証番号の入力の省略
        problem.pinPadFailed 暗証番号入力装置の故障
        problem.pinAttemptsExceeded 暗証番号の入力回数の超過
        problem.incorrectPIN 暗証番号の誤り
        problem.cancelledByPerson 支払いの中止
        problem.cancelledByProgram アプリによる支払いの中止
        problem.cardTimedOut 時間内にカードなし
        problem.cardNotRemoved 前のカードが置かれたまま
        problem.stoppedByTerminal 端末による支払いの停止
        problem.suspended アプリがバックグラウンドに移動
        problem.superseded 後の支払いに置き換え
        problem.readerDetached リーダーの切断
        problem.readerMissing リーダー未接続
        problem.readerServiceMissing リーダーのサービスが停止中
        problem.readerInUse 別のプログラムがリーダーを使用中
        problem.readerUnsupported 必要な機能のないリーダー
        problem.readerFailed リーダーの故障
        problem.readerBusy このリーダーで別の支払いが進行中
        problem.notPrepared リーダーの準備なし
        problem.preparationCancelled 準備の中止
        problem.nothingToComplete 応答待ちの支払いなし
        problem.randomMissing 使える乱数なし
        problem.kernelDefect 支払い処理の内部の不具合
        problem.configurationInvalid 設定の誤り
        problem.configurationExpired 設定の期限切れ
        problem.configurationExpiresSoon 設定の期限が間近
        problem.caKeysMissing カードブランドの認証局の鍵なし
        problem.caKeyExpired 認証局の鍵の期限切れ
        problem.testKeys 設定に試験用の鍵
        problem.enrollmentRequired 規約に未同意
        problem.enrollmentRevoked 規約への同意は取り消し済み
        problem.enrollmentOutdated 新しい規約に未同意
        problem.administratorRequired 管理者権限が必要
        problem.enrollmentSignatureInvalid 同意の記録が本物ではない
        problem.enrollmentStoreFailed 同意の記録の保存失敗
        problem.enrollmentUnanswered 規約に関する応答の時間切れ
        problem.issuerDeclined 銀行による承認不可
        problem.insufficientFunds 残高不足
        problem.suspectedFraud 銀行での不正利用の疑い
        problem.cardExpired 期限切れのカード
        problem.cardLostOrStolen 紛失または盗難の届けのあるカード
        problem.cardNotPermitted このカードに許されない支払いの種類
        problem.issuerLimitExceeded 口座の限度額の超過
        problem.issuerUnavailable 銀行に接続不可
        problem.hostUnreachable 決済事業者に接続不可
        problem.hostRejected 決済事業者による要求の拒否
        problem.authorizationTimedOut 時間内に決済事業者の応答なし
        problem.authorizationInterrupted 承認の中断
        problem.authorizationAnswerLost 決済事業者の応答の喪失
        problem.reversalFailed 支払いの結果が不明
        problem.authorizationNotPossible この読み取りに承認の対象なし
        problem.simulatedRead 実際の決済事業者への模擬カード
        problem.keyUsed 以前の支払いのキー
        problem.saleSettled 注文は支払済み
        problem.saleOpen この注文の以前の支払いが未完了
        problem.amountAboveDue 注文の価格を超える金額
        problem.refundAbovePaid 支払済みの金額を超える返金
        problem.captureAboveAuthorized 承認された金額を超える金額
        problem.alreadyVoided 支払いは取消済み
        problem.followUpNotPossible この支払いでは不可
        problem.approvedInPart 金額の一部のみ承認
        problem.offlineLimitReached オフライン支払いの上限に到達
        problem.offlineAmountAboveLimit オフライン限度額の超過
        problem.offlineCardLimitReached カードのオフライン限度に到達
        problem.offlineTooLong 長時間のオフライン
        problem.issuerDataTooLong カード会社のデータ長の超過
        problem.chipRequested 銀行によるカードのICの要求
        problem.journalFailed 支払いを記録できず
        problem.journalFull 支払い記録の容量不足
        problem.journalInUse 支払い記録が他のプログラムで使用中
        problem.journalDamaged 支払い記録の破損
        problem.journalRestored 支払い記録のバックアップからの復元
        problem.own その他の原因
        """

    static let japaneseRemedies = """
        Enter an amount above zero = 0を超える金額を入力
        Enter an amount of at most 12 digits = 12桁までの金額を入力
        Use a numeric code up to 999 and at most 4 decimals = 999までの数字コードと4桁までの小数を使う
        Use one currency for all amounts = すべての金額に一つの通貨を使う
        Include the cash back in the total = 合計に現金払い出しを含める
        Enter a cash back above zero, or choose a purchase = \
        0を超える現金払い出しを入力するか、通常の支払いを選択
        Make the line items add up to the total = 明細を合計と一致させる
        Configure a combination for this kind of payment = この種類の支払いの組み合わせを設定に追加
        Use identifiers of 5 to 16 bytes = 5から16バイトの識別子を使う
        Change the request to fit the configuration = 要求を設定に合わせる
        Hold the card flat and still on the reader = カードをリーダーに平らに当てたまま動かさない
        Use the chip of the card, or another card = カードのIC、または別のカードを使う
        Hold the card on the reader until the signal = 合図までカードをリーダーに当てる
        Present the same card each time = 毎回同じカードをかざす
        Take the card out of the wallet and present it alone = カードを財布から出し、1枚だけでかざす
        Follow the instructions on the phone, then present it again = \
        スマートフォンの案内に従い、もう一度かざす
        Use the chip or magnetic stripe of the card = カードのICまたは磁気を使う
        Use another card, or another way to pay = 別のカード、または別の支払い方法を使う
        Use a card of an accepted network = 取り扱いのあるブランドのカードを使う
        Make another choice, or use another card = 別のものを選択するか、別のカードを使う
        Use a card of an accepted country = 取り扱いのある国のカードを使う
        Use a card that names its country = 国の情報のあるカードを使う
        Enter the PIN on the PIN pad = 入力装置で暗証番号を入力
        Use the chip of the card, or a payment link = カードのIC、または支払いリンクを使う
        Try again, or use another way to pay = 再試行するか、別の支払い方法を使う
        Try again with PIN, or use another way to pay = \
        暗証番号で再試行するか、別の支払い方法を使う
        Check the connection of the PIN pad, or pay another way = \
        入力装置の接続を確認するか、別の支払い方法を使う
        Try again with the right PIN = 正しい暗証番号で再試行
        Start a new payment = 新しい支払いを開始
        Try again = 再試行する
        Start a new payment with the app in the foreground = アプリを前面にして新しい支払いを開始
        Continue with the later payment = 後の支払いを続ける
        Check the cable or pairing of the reader = リーダーのケーブルまたはペアリングを確認
        Start the reader service = リーダーのサービスを開始
        Close the other program = 別のプログラムを終了
        Use a contactless reader = 非接触リーダーを使う
        Unplug the reader and plug it in again = リーダーを抜いて差し直す
        Wait for the other payment to end = 別の支払いの終了を待つ
        Prepare the reader = リーダーを準備
        Prepare the reader again = リーダーをもう一度準備
        Restart the device = 機器を再起動
        Report the problem to support = サポートに問題を連絡
        Correct the configuration = 設定を訂正
        Load a new configuration = 新しい設定を読み込む
        Load a configuration with the keys of the network = カードブランドの鍵のある設定を読み込む
        Load a configuration with current keys = 有効な鍵のある設定を読み込む
        Load the keys of the networks before live payments = 本番の前にカードブランドの鍵を読み込む
        Ask an administrator to accept the terms = 管理者に条件への同意を依頼
        Contact the payment provider = 決済事業者に連絡
        Sign in as an administrator = 管理者としてサインイン
        Request a genuine record from the payment provider = 決済事業者に正しい記録を依頼
        Check the storage of the device = 機器の保存領域を確認
        Use another way to pay = 別の支払い方法を使う
        Try again later, or use another card = 後で再試行するか、別のカードを使う
        Check the network connection of the device = 機器のネットワーク接続を確認
        Check the settings of the merchant account = 加盟店アカウントの設定を確認
        Nothing charged, start a new payment = 請求なし、新しい支払いを開始
        Look up the payment at the provider before a new one = 新しい支払いの前に決済事業者で照会
        Read the card for a payment = 支払いのためにカードを読み取る
        Use a real card, or acceptsSimulatedReads of a test host = \
        実際のカード、またはテストのacceptsSimulatedReadsを使う
        Remove the card, then start a new payment = カードを離してから新しい支払いを開始
        Use a new key for every payment = 支払いごとに新しいキーを使う
        Check the receipt of the payment = 支払いのレシートを確認
        Finish the earlier payment first = 先に以前の支払いを完了
        Enter at most the price = 価格以下の金額を入力
        Enter at most the payment less refunds = 支払額から返金額を引いた金額以下を入力
        Enter at most the authorized amount = 承認された金額以下を入力
        Free up space on the device = 機器の空き容量を増やす
        """
}
