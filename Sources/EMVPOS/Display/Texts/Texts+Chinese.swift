// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let chinese = """
        message.03 已批准
        message.07 未获授权
        message.09 输入密码
        message.0F 处理错误
        message.10 移开卡片
        message.14 欢迎
        message.15 出示卡片
        message.16 处理中
        message.17 读卡完成，移开卡片
        message.18 插卡或刷卡
        message.19 仅限一张卡
        message.1A 已批准，需要签名
        message.1B 授权处理中
        message.1C 插卡、刷卡或换一张卡
        message.1D 插卡
        message.20 查看手机提示
        message.21 再次出示卡片
        label.payment 非接触式付款
        label.cash 取现
        label.cashBack 付款并取现
        label.refund 退款
        label.lookUp 查询
        label.storeCard 保存卡片
        label.verify 验证
        label.openTab 开立账单
        loyalty.label 会员卡
        loyalty.read 会员卡读取完成
        loyalty.present 出示手机
        loyalty.choose 在手机上选择会员卡
        loyalty.unlock 解锁手机
        loyalty.again 再次出示手机
        loyalty.none 未找到会员卡
        loyalty.signUp 手机显示入会链接
        loyalty.failed 会员卡未读取
        enrollment.required 首次付款前需接受条款
        enrollment.adminRequired 接受条款需要管理员权限
        enrollment.outdated 需接受新条款
        enrollment.revoked 条款的接受已撤销
        enrollment.accepted 条款已接受
        alternative.retry 再次使用同一张卡
        alternative.startAgain 重新开始付款
        alternative.anotherCard 使用另一张卡
        alternative.otherInterface.chip 插卡
        alternative.otherInterface.swipe 刷卡
        alternative.otherInterface.chipOrSwipe 插卡或刷卡
        alternative.enterPIN 输入密码
        alternative.waitAndRetry 稍后重试
        alternative.askHost 查询此笔付款
        alternative.checkReader 检查读卡器
        alternative.correctRequest 更正金额
        alternative.administrator 以管理员身份登录
        alternative.update 更新读卡器
        alternative.payRest 用其他方式支付剩余金额
        alternative.cash 现金
        alternative.paymentLink 付款链接
        alternative.help 帮助
        amount.total 合计
        amount.approved 批准金额
        amount.due 待付金额
        amount.balance 卡内余额
        amount.cashBack 取现
        amount.pending 金额待定
        amount.preauthorization 预授权金额
        amount.later 稍后支付
        amount.later.day 到期日
        amount.membership.weekly 每周
        amount.membership.monthly 每月
        amount.membership.yearly 每年
        amount.installment.weekly 每周分期
        amount.installment.monthly 每月分期
        amount.installment.yearly 每年分期
        amount.line.item 价格
        amount.line.charge 附加费
        amount.line.discount 折扣
        amount.line.tip 小费
        amount.line.tax 税
        amount.line.donation 捐款
        amount.line.recurring 定期付款
        amount.line.installment 分期付款
        progress.preparing 读卡器准备中
        progress.authorizing 授权处理中
        progress.reversing 冲正处理中
        headline.approved 已批准
        headline.accepted 已接受，等待授权
        headline.signature 已批准，需要签名
        headline.part 部分批准，剩余金额未付
        headline.verified 卡片已验证
        headline.authorizing 授权处理中
        headline.declined 付款被拒绝
        headline.notCompleted 付款未完成
        headline.otherCard 需要另一张卡
        headline.otherInterface 插卡或刷卡
        headline.pin 需要密码
        headline.wait 稍后重试
        headline.request 更正金额或请求
        headline.reader 检查读卡器
        headline.setUp 需要设置
        headline.unknown 结果尚未确定
        receipt.customerCopy 持卡人存根
        receipt.merchantCopy 商户存根
        receipt.purchase 消费
        receipt.cash 取现
        receipt.cashBack 消费并取现
        receipt.refund 退款
        receipt.capture 预授权完成
        receipt.increment 追加预授权
        receipt.void 撤销
        receipt.verification 卡片验证
        receipt.via 代收方
        receipt.terminal 终端号
        receipt.merchant 商户号
        receipt.sequence 流水号
        receipt.reference 参考号
        receipt.original 原交易
        receipt.card 卡号
        receipt.cardSequence 卡序列号
        receipt.entry 读取方式
        receipt.contactless 非接触
        receipt.application 应用
        receipt.authorizationCode 授权码
        receipt.responseCode 应答码
        receipt.cryptogram 密文
        receipt.verified 持卡人验证
        receipt.cvm.signature 签名
        receipt.cvm.onlinePIN 密码
        receipt.cvm.cdcvm 设备验证
        receipt.signature 签名
        receipt.approved 已批准
        receipt.approvedOffline 脱机批准
        receipt.declined 已拒绝
        receipt.notCompleted 未完成
        receipt.unknown 结果尚未确定
        receipt.accepted 已接受，等待授权
        receipt.approvedLater 已支付，事后授权
        receipt.declinedLater 未支付，授权被拒绝
        receipt.verifiedCard 卡片已验证
        receipt.nothingCharged 未扣款
        receipt.nothingRefunded 未退款
        receipt.notYetCharged 已预留，尚未扣款
        delivery.title 收据
        delivery.print 打印
        delivery.mail 电子邮件
        delivery.message 短信
        delivery.code 二维码
        delivery.none 不需要收据
        delivery.address.mail 电子邮件地址
        delivery.address.message 手机号码
        education.start.title 非接触式付款的开始
        education.start.1 输入含小费和折扣的最终金额
        education.start.2 选择非接触式付款
        education.start.3 将读卡器转向顾客
        education.card.title 非接触卡
        education.card.1 将卡片平放于此处，保持不动
        education.card.2 其他卡片远离读卡器
        education.card.3 提示后移开卡片，等待结果
        education.device.title 手机和手表
        education.device.1 先解锁手机或手表
        education.device.2 将其顶部靠近此处
        education.device.3 按屏幕提示操作，然后再次靠近
        education.pin.title 密码输入
        education.pin.1 将密码键盘交给顾客
        education.pin.2 输入密码时移开视线
        education.pin.3 银行应答之后也可能要求密码
        education.accessibility.title 视障人士的密码输入
        education.accessibility.1 应顾客要求，输入密码前启动无障碍模式
        education.accessibility.2 将手指引导至数字5键的凸点
        education.accessibility.3 给予充足时间，绝不询问密码
        education.result.title 结果
        education.result.1 无论批准或拒绝，向顾客展示结果
        education.result.2 两种情况均提供收据
        education.result.3 拒绝之后提供另一张卡或其他付款方式
        education.try.title 不涉及资金的试用
        education.try.1 用模拟读卡器开始测试付款
        education.try.2 接待首位顾客前，演练一次拒绝和一次密码
        antenna.symbol 读卡器上的非接触标志
        antenna.display 读卡器屏幕中央
        antenna.top 读卡器上边缘
        antenna.surface 读卡器表面中央
        antenna.slot 远离芯片插槽的上表面
        problem.amountAboveLimit 金额超过非接触限额
        problem.amountAboveKernelLimit 金额超过此卡限额
        problem.amountZero 不允许零金额
        problem.amountNotAllowed 非接触不允许的金额
        problem.amountTooLarge 金额超过12位
        problem.currencyInvalid ISO 4217之外的货币
        problem.currencyConflict 同一付款中货币不一致
        problem.cashBackAboveAmount 取现超过总金额
        problem.cashBackZero 取现为零
        problem.lineItemsMismatch 明细与合计不符
        problem.transactionTypeNotConfigured 未设置此类付款
        problem.currencyNotConfigured 货币未配置
        problem.preferredApplicationInvalid 应用标识不在5至16字节之内
        problem.requestInvalid 请求与配置冲突
        problem.linkTimedOut 卡片无应答
        problem.linkDisturbed 与卡片的通信受干扰
        problem.linkProtocolFailed 卡片不符合非接触协议
        problem.cardRemovedEarly 过早移开卡片
        problem.cardDataInvalid 卡片数据缺失或错误
        problem.cardStatusUnexpected 卡片的意外应答
        problem.cardDataTooLarge 卡片数据超出读卡器容量
        problem.cardSwitched 同一付款中卡片不一致
        problem.cardProtectionFailed 卡片数据相互矛盾
        problem.severalCards 读卡器上有多张卡
        problem.tooManyPresentments 卡片出示次数过多
        problem.applicationsExhausted 卡片上无可用应用
        problem.deviceNotUnlocked 手机或手表尚未解锁
        problem.otherInterfaceWanted 此卡不支持本次非接触付款
        problem.cardDeclined 付款被卡片拒绝
        problem.insufficientOfflineBalance 卡内余额不足
        problem.issuerAnswerRefused 发卡行应答被卡片拒绝
        problem.networkUnsupported 不接受的卡组织
        problem.preferredApplicationAbsent 卡片上无所选应用
        problem.issuerCountryUnsupported 不接受的发卡国家
        problem.issuerCountryUnknown 发卡国家未知
        problem.pinRequired 需要密码
        problem.pinPadMissing 需要密码，无密码键盘
        problem.pinCancelled 密码输入已取消
        problem.pinTimedOut 密码输入超时
        problem.pinBypassed 密码输入被跳过
        problem.pinPadFailed 密码键盘故障
        problem.pinAttemptsExceeded 密码输入次数过多
        problem.incorrectPIN 密码错误
        problem.cancelledByPerson 付款已取消
        problem.cancelledByProgram 付款被应用程序取消
        problem.cardTimedOut 等待卡片超时
        problem.cardNotRemoved 前一张卡仍在读卡器上
        problem.stoppedByTerminal 付款被终端停止
        problem.suspended 应用程序在后台
        problem.superseded 付款被后一笔取代
        problem.readerDetached 读卡器已断开
        problem.readerMissing 未连接读卡器
        problem.readerServiceMissing 读卡器服务未运行
        problem.readerInUse 读卡器被其他程序占用
        problem.readerUnsupported 读卡器缺少所需功能
        problem.readerFailed 读卡器故障
        problem.readerBusy 此读卡器上有另一笔付款
        problem.notPrepared 读卡器未准备
        problem.preparationCancelled 准备已取消
        problem.nothingToComplete 无等待应答的付款
        problem.randomMissing 无可用随机数
        problem.kernelDefect 付款内核缺陷
        problem.configurationInvalid 配置无效
        problem.configurationExpired 配置已过期
        problem.configurationExpiresSoon 配置即将过期
        problem.caKeysMissing 缺少某卡组织的认证中心密钥
        problem.caKeyExpired 认证中心密钥已过期
        problem.testKeys 配置中有测试密钥
        problem.enrollmentRequired 尚未接受条款
        problem.enrollmentRevoked 条款的接受已撤销
        problem.enrollmentOutdated 尚未接受新条款
        problem.administratorRequired 需要管理员权限
        problem.enrollmentSignatureInvalid 接受记录不真实
        problem.enrollmentStoreFailed 接受记录未保存
        problem.enrollmentUnanswered 未及时收到有关条款的答复
        problem.issuerDeclined 付款被发卡行拒绝
        problem.insufficientFunds 余额不足
        problem.suspectedFraud 发卡行怀疑欺诈
        problem.cardExpired 卡片已过期
        problem.cardLostOrStolen 卡片已挂失
        problem.cardNotPermitted 此卡不允许此类付款
        problem.issuerLimitExceeded 超过账户限额
        problem.issuerUnavailable 无法联系发卡行
        problem.hostUnreachable 无法连接支付服务商
        problem.hostRejected 请求被支付服务商拒绝
        problem.authorizationTimedOut 支付服务商应答超时
        problem.authorizationInterrupted 授权中断
        problem.authorizationAnswerLost 支付服务商应答丢失
        problem.reversalFailed 付款结果未知
        problem.authorizationNotPossible 此次读取无可授权内容
        problem.simulatedRead 模拟卡用于真实支付服务商
        problem.keyUsed 之前付款的密钥
        problem.saleSettled 订单已支付
        problem.saleOpen 此订单之前的付款尚未结束
        problem.amountAboveDue 金额超过订单价格
        problem.refundAbovePaid 退款超过已付金额
        problem.captureAboveAuthorized 金额超过授权金额
        problem.alreadyVoided 付款已撤销
        problem.followUpNotPossible 此付款不支持该操作
        problem.approvedInPart 仅批准部分金额
        problem.offlineLimitReached 已达离线付款上限
        problem.offlineAmountAboveLimit 金额超过离线限额
        problem.offlineCardLimitReached 已达单卡离线限额
        problem.offlineTooLong 离线时间过长
        problem.issuerDataTooLong 发卡行数据过长
        problem.chipRequested 发卡行要求使用芯片
        problem.journalFailed 付款未记录
        problem.journalFull 付款记录存储已满
        problem.journalInUse 付款记录正被其他程序使用
        problem.journalDamaged 付款记录损坏
        problem.journalRestored 付款记录由备份恢复
        problem.own 其他原因
        """

    static let chineseRemedies = """
        Enter an amount above zero = 输入大于零的金额
        Enter an amount of at most 12 digits = 输入最多12位的金额
        Use a numeric code up to 999 and at most 4 decimals = 使用不超过999的数字代码和最多4位小数
        Use one currency for all amounts = 所有金额使用同一货币
        Include the cash back in the total = 将取现计入合计
        Enter a cash back above zero, or choose a purchase = 输入大于零的取现，或选择普通消费
        Make the line items add up to the total = 使明细与合计相符
        Configure a combination for this kind of payment = 在配置中加入此类付款的组合
        Use identifiers of 5 to 16 bytes = 使用5至16字节的标识
        Change the request to fit the configuration = 按配置修改请求
        Hold the card flat and still on the reader = 将卡片平放在读卡器上，保持不动
        Use the chip of the card, or another card = 插卡，或使用另一张卡
        Hold the card on the reader until the signal = 将卡片放在读卡器上直至提示
        Present the same card each time = 每次使用同一张卡
        Take the card out of the wallet and present it alone = 从钱包取出卡片，单独出示
        Follow the instructions on the phone, then present it again = 按手机提示操作，再次靠近手机
        Use the chip or magnetic stripe of the card = 使用卡片的芯片或磁条
        Use another card, or another way to pay = 使用另一张卡，或其他付款方式
        Use a card of an accepted network = 使用可接受卡组织的卡片
        Make another choice, or use another card = 作出其他选择，或使用另一张卡
        Use a card of an accepted country = 使用可接受国家的卡片
        Use a card that names its country = 使用注明国家的卡片
        Enter the PIN on the PIN pad = 在密码键盘上输入密码
        Use the chip of the card, or a payment link = 插卡，或使用付款链接
        Try again, or use another way to pay = 重试，或使用其他付款方式
        Try again with PIN, or use another way to pay = 输入密码重试，或使用其他付款方式
        Check the connection of the PIN pad, or pay another way = \
        检查密码键盘的连接，或使用其他付款方式
        Try again with the right PIN = 用正确密码重试
        Start a new payment = 开始新的付款
        Try again = 重试
        Start a new payment with the app in the foreground = 在前台开始新的付款
        Continue with the later payment = 继续后一笔付款
        Check the cable or pairing of the reader = 检查读卡器的连线或配对
        Start the reader service = 启动读卡器服务
        Close the other program = 关闭其他程序
        Use a contactless reader = 使用非接触读卡器
        Unplug the reader and plug it in again = 重新插拔读卡器
        Wait for the other payment to end = 等待另一笔付款结束
        Prepare the reader = 准备读卡器
        Prepare the reader again = 重新准备读卡器
        Restart the device = 重启设备
        Report the problem to support = 向技术支持报告问题
        Correct the configuration = 更正配置
        Load a new configuration = 加载新的配置
        Load a configuration with the keys of the network = 加载含该卡组织密钥的配置
        Load a configuration with current keys = 加载含有效密钥的配置
        Load the keys of the networks before live payments = 正式付款前加载卡组织密钥
        Ask an administrator to accept the terms = 由管理员接受条款
        Contact the payment provider = 联系支付服务商
        Sign in as an administrator = 以管理员身份登录
        Request a genuine record from the payment provider = 向支付服务商索取真实记录
        Check the storage of the device = 检查设备的存储空间
        Use another way to pay = 使用其他付款方式
        Try again later, or use another card = 稍后重试，或使用另一张卡
        Check the network connection of the device = 检查设备的网络连接
        Check the settings of the merchant account = 检查商户账户的设置
        Nothing charged, start a new payment = 未扣款，开始新的付款
        Look up the payment at the provider before a new one = 重新付款前向服务商查询
        Read the card for a payment = 读取卡片用于付款
        Use a real card, or acceptsSimulatedReads of a test host = \
        使用真实的卡，或测试主机的acceptsSimulatedReads
        Remove the card, then start a new payment = 移开卡片，再开始新的付款
        Use a new key for every payment = 每次付款使用新密钥
        Check the receipt of the payment = 核对付款收据
        Finish the earlier payment first = 先完成之前的付款
        Enter at most the price = 输入不超过价格的金额
        Enter at most the payment less refunds = 输入不超过付款减去退款的金额
        Enter at most the authorized amount = 输入不超过授权金额的金额
        Free up space on the device = 释放设备的存储空间
        """
}
