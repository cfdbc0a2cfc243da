// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let portuguese = """
        message.03 Aprovado
        message.07 Não autorizado
        message.09 Introduzir PIN
        message.0F Erro de processamento
        message.10 Retirar cartão
        message.14 Boas-vindas
        message.15 Aproximar cartão
        message.16 Em processamento
        message.17 Cartão lido, retirar cartão
        message.18 Inserir ou passar cartão
        message.19 Apenas um cartão
        message.1A Aprovado, assinatura necessária
        message.1B Autorização em curso
        message.1C Inserir ou passar cartão, ou usar outro cartão
        message.1D Inserir cartão
        message.20 Instruções no telemóvel
        message.21 Aproximar cartão de novo
        label.payment Pagamento contactless
        label.cash Levantamento de numerário
        label.cashBack Pagamento com levantamento
        label.refund Reembolso
        label.lookUp Consultar
        label.storeCard Guardar cartão
        label.verify Verificar
        label.openTab Abrir conta
        loyalty.label Cartão de fidelidade
        loyalty.read Cartão de fidelidade lido
        loyalty.present Aproximar telemóvel
        loyalty.choose Escolher cartão no telemóvel
        loyalty.unlock Desbloquear telemóvel
        loyalty.again Aproximar telemóvel de novo
        loyalty.none Nenhum cartão de fidelidade
        loyalty.signUp Inscrição no telemóvel
        loyalty.failed Cartão de fidelidade não lido
        enrollment.required Condições a aceitar antes do primeiro pagamento
        enrollment.adminRequired Acesso de administrador necessário para aceitar as condições
        enrollment.outdated Novas condições a aceitar
        enrollment.revoked Aceitação das condições revogada
        enrollment.accepted Condições aceites
        alternative.retry Aproximar de novo o mesmo cartão
        alternative.startAgain Recomeçar o pagamento
        alternative.anotherCard Usar outro cartão
        alternative.otherInterface.chip Inserir cartão
        alternative.otherInterface.swipe Passar cartão
        alternative.otherInterface.chipOrSwipe Inserir ou passar cartão
        alternative.enterPIN Introduzir PIN
        alternative.waitAndRetry Tentar de novo dentro de momentos
        alternative.askHost Consultar este pagamento
        alternative.checkReader Verificar o leitor
        alternative.correctRequest Corrigir o montante
        alternative.administrator Iniciar sessão como administrador
        alternative.update Atualizar o leitor
        alternative.payRest Pagar o resto de outra forma
        alternative.cash Numerário
        alternative.paymentLink Link de pagamento
        alternative.help Ajuda
        amount.total Total
        amount.approved Valor aprovado
        amount.due Valor em falta
        amount.balance Saldo restante
        amount.cashBack Levantamento
        amount.pending Montante por definir
        amount.preauthorization Montante pré-autorizado
        amount.later A pagar mais tarde
        amount.later.day A pagar em
        amount.membership.weekly Todas as semanas
        amount.membership.monthly Todos os meses
        amount.membership.yearly Todos os anos
        amount.installment.weekly Prestação semanal
        amount.installment.monthly Prestação mensal
        amount.installment.yearly Prestação anual
        amount.line.item Preço
        amount.line.charge Sobretaxa
        amount.line.discount Desconto
        amount.line.tip Gorjeta
        amount.line.tax Imposto
        amount.line.donation Donativo
        amount.line.recurring Pagamento recorrente
        amount.line.installment Prestação
        progress.preparing Leitor em preparação
        progress.authorizing Autorização em curso
        progress.reversing Anulação em curso
        headline.approved Aprovado
        headline.accepted Aceite, autorização pendente
        headline.signature Aprovado, assinatura necessária
        headline.part Aprovado em parte, resto por pagar
        headline.verified Cartão verificado
        headline.authorizing Autorização em curso
        headline.declined Pagamento recusado
        headline.notCompleted Pagamento não concluído
        headline.otherCard Outro cartão necessário
        headline.otherInterface Inserir ou passar cartão
        headline.pin PIN necessário
        headline.wait Tentar de novo dentro de momentos
        headline.request Montante ou pedido a corrigir
        headline.reader Leitor a verificar
        headline.setUp Configuração necessária
        headline.unknown Resultado ainda desconhecido
        receipt.customerCopy Cópia do cliente
        receipt.merchantCopy Cópia do comerciante
        receipt.purchase Compra
        receipt.cash Levantamento de numerário
        receipt.cashBack Compra com levantamento
        receipt.refund Reembolso
        receipt.capture Conclusão da pré-autorização
        receipt.increment Reforço da pré-autorização
        receipt.void Anulação
        receipt.verification Verificação do cartão
        receipt.via Através de
        receipt.terminal Terminal
        receipt.merchant Número de comerciante
        receipt.sequence Transação
        receipt.reference Referência
        receipt.original Pagamento original
        receipt.card Cartão
        receipt.cardSequence Sequência do cartão
        receipt.entry Leitura
        receipt.contactless Contactless
        receipt.application Aplicação
        receipt.authorizationCode Código de autorização
        receipt.responseCode Código de resposta
        receipt.cryptogram Criptograma
        receipt.verified Verificação
        receipt.cvm.signature Assinatura
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm No dispositivo
        receipt.signature Assinatura
        receipt.approved Aprovado
        receipt.approvedOffline Aprovado offline
        receipt.declined Recusado
        receipt.notCompleted Não concluído
        receipt.unknown Resultado ainda desconhecido
        receipt.accepted Aceite, autorização pendente
        receipt.approvedLater Pago, autorizado mais tarde
        receipt.declinedLater Não pago, autorização recusada
        receipt.verifiedCard Cartão verificado
        receipt.nothingCharged Nada cobrado
        receipt.nothingRefunded Nada devolvido
        receipt.notYetCharged Reservado, ainda não cobrado
        delivery.title Recibo
        delivery.print Imprimir
        delivery.mail E-mail
        delivery.message Mensagem de texto
        delivery.code Código QR
        delivery.none Sem recibo
        delivery.address.mail Endereço de e-mail
        delivery.address.message Número de telemóvel
        education.start.title Início de um pagamento contactless
        education.start.1 Introduzir o montante final, com gorjetas e descontos incluídos
        education.start.2 Escolher pagamento contactless
        education.start.3 Virar o leitor para o cliente
        education.card.title Cartões contactless
        education.card.1 Manter o cartão plano e imóvel neste local
        education.card.2 Manter todos os outros cartões longe do leitor
        education.card.3 Retirar o cartão após o sinal, depois aguardar o resultado
        education.device.title Telemóveis e relógios
        education.device.1 Desbloquear primeiro o telemóvel ou o relógio
        education.device.2 Encostar a parte superior a este local
        education.device.3 Seguir as instruções no dispositivo, se as houver, depois aproximar de novo
        education.pin.title Introdução do PIN
        education.pin.1 Entregar o teclado PIN ao cliente
        education.pin.2 Desviar o olhar durante a introdução do PIN
        education.pin.3 Contar com um pedido de PIN também depois da resposta do banco
        education.accessibility.title Introdução do PIN sem visão
        education.accessibility.1 Ativar o modo de acessibilidade antes da introdução do PIN, a pedido do cliente
        education.accessibility.2 Guiar um dedo até à marca em relevo na tecla 5
        education.accessibility.3 Dar todo o tempo necessário e nunca perguntar o PIN
        education.result.title Resultados
        education.result.1 Mostrar o resultado ao cliente, aprovado ou recusado
        education.result.2 Oferecer um recibo em ambos os casos
        education.result.3 Oferecer outro cartão ou outra forma de pagamento após uma recusa
        education.try.title Um ensaio sem dinheiro
        education.try.1 Iniciar um pagamento de teste com o leitor simulado
        education.try.2 Ensaiar uma recusa e um PIN antes do primeiro cliente
        antenna.symbol Símbolo contactless no leitor
        antenna.display Centro do ecrã do leitor
        antenna.top Borda superior do leitor
        antenna.surface Centro da superfície do leitor
        antenna.slot Longe da ranhura do chip, no lado superior
        problem.amountAboveLimit Montante acima do limite contactless
        problem.amountAboveKernelLimit Montante acima do limite para este cartão
        problem.amountZero Montante zero não permitido
        problem.amountNotAllowed Montante não permitido em contactless
        problem.amountTooLarge Montante com mais de 12 dígitos
        problem.currencyInvalid Moeda fora da norma ISO 4217
        problem.currencyConflict Moedas diferentes num só pagamento
        problem.cashBackAboveAmount Levantamento acima do montante total
        problem.cashBackZero Levantamento de zero
        problem.lineItemsMismatch Linhas diferentes do total
        problem.transactionTypeNotConfigured Tipo de pagamento não configurado
        problem.currencyNotConfigured Moeda não configurada
        problem.preferredApplicationInvalid Identificador de aplicação não compreendido entre 5 e 16 bytes
        problem.requestInvalid Pedido em conflito com a configuração
        problem.linkTimedOut Sem resposta do cartão
        problem.linkDisturbed Interferência na ligação ao cartão
        problem.linkProtocolFailed Cartão fora do protocolo contactless
        problem.cardRemovedEarly Cartão retirado cedo demais
        problem.cardDataInvalid Dados do cartão em falta ou errados
        problem.cardStatusUnexpected Resposta inesperada do cartão
        problem.cardDataTooLarge Mais dados no cartão do que o leitor suporta
        problem.cardSwitched Cartões diferentes durante um pagamento
        problem.cardProtectionFailed Dados do cartão em contradição
        problem.severalCards Vários cartões junto ao leitor
        problem.tooManyPresentments Cartão aproximado demasiadas vezes
        problem.applicationsExhausted Nenhuma aplicação utilizável no cartão
        problem.deviceNotUnlocked Telemóvel ou relógio ainda bloqueado
        problem.otherInterfaceWanted Cartão sem contactless para este pagamento
        problem.cardDeclined Pagamento recusado pelo cartão
        problem.insufficientOfflineBalance Saldo do cartão demasiado baixo
        problem.issuerAnswerRefused Resposta do banco recusada pelo cartão
        problem.networkUnsupported Rede do cartão não aceite
        problem.preferredApplicationAbsent Aplicação escolhida ausente do cartão
        problem.issuerCountryUnsupported País do cartão não aceite
        problem.issuerCountryUnknown País do cartão desconhecido
        problem.pinRequired PIN necessário
        problem.pinPadMissing PIN necessário, sem teclado PIN
        problem.pinCancelled Introdução do PIN cancelada
        problem.pinTimedOut PIN não introduzido a tempo
        problem.pinBypassed Introdução do PIN omitida
        problem.pinPadFailed Teclado PIN avariado
        problem.pinAttemptsExceeded Demasiadas tentativas de PIN
        problem.incorrectPIN PIN incorreto
        problem.cancelledByPerson Pagamento cancelado
        problem.cancelledByProgram Pagamento cancelado pela aplicação
        problem.cardTimedOut Cartão não aproximado a tempo
        problem.cardNotRemoved Cartão anterior ainda no leitor
        problem.stoppedByTerminal Pagamento parado pelo terminal
        problem.suspended Aplicação em segundo plano
        problem.superseded Pagamento substituído por outro posterior
        problem.readerDetached Leitor desligado
        problem.readerMissing Nenhum leitor ligado
        problem.readerServiceMissing Serviço de leitor de cartões parado
        problem.readerInUse Leitor em uso por outro programa
        problem.readerUnsupported Leitor sem as funções necessárias
        problem.readerFailed Leitor avariado
        problem.readerBusy Outro pagamento neste leitor
        problem.notPrepared Leitor não preparado
        problem.preparationCancelled Preparação cancelada
        problem.nothingToComplete Nenhum pagamento à espera de resposta
        problem.randomMissing Nenhum número aleatório utilizável
        problem.kernelDefect Defeito do núcleo de pagamento
        problem.configurationInvalid Configuração inválida
        problem.configurationExpired Configuração expirada
        problem.configurationExpiresSoon Configuração prestes a expirar
        problem.caKeysMissing Nenhuma chave de autoridade para uma rede
        problem.caKeyExpired Chave de autoridade expirada
        problem.testKeys Chaves de teste na configuração
        problem.enrollmentRequired Condições ainda não aceites
        problem.enrollmentRevoked Aceitação das condições retirada
        problem.enrollmentOutdated Novas condições ainda não aceites
        problem.administratorRequired Acesso de administrador necessário
        problem.enrollmentSignatureInvalid Registo de aceitação não autêntico
        problem.enrollmentStoreFailed Registo de aceitação não guardado
        problem.enrollmentUnanswered Sem resposta a tempo sobre as condições
        problem.issuerDeclined Pagamento recusado pelo banco
        problem.insufficientFunds Saldo insuficiente
        problem.suspectedFraud Suspeita de fraude no banco
        problem.cardExpired Cartão expirado
        problem.cardLostOrStolen Cartão dado como perdido ou roubado
        problem.cardNotPermitted Tipo de pagamento não permitido para o cartão
        problem.issuerLimitExceeded Limite da conta excedido
        problem.issuerUnavailable Banco inacessível
        problem.hostUnreachable Sem ligação ao prestador de pagamentos
        problem.hostRejected Pedido rejeitado pelo prestador de pagamentos
        problem.authorizationTimedOut Sem resposta do prestador de pagamentos a tempo
        problem.authorizationInterrupted Autorização interrompida
        problem.authorizationAnswerLost Resposta do prestador de pagamentos perdida
        problem.reversalFailed Resultado do pagamento desconhecido
        problem.authorizationNotPossible Nada a autorizar nesta leitura
        problem.simulatedRead Cartão simulado num prestador real
        problem.keyUsed Chave de um pagamento anterior
        problem.saleSettled Encomenda já paga
        problem.saleOpen Pagamento anterior desta encomenda ainda em aberto
        problem.amountAboveDue Montante acima do preço da encomenda
        problem.refundAbovePaid Reembolso acima do montante pago
        problem.captureAboveAuthorized Montante acima do montante autorizado
        problem.alreadyVoided Pagamento já anulado
        problem.followUpNotPossible Impossível para este pagamento
        problem.approvedInPart Apenas parte do montante aprovada
        problem.offlineLimitReached Limite de pagamentos sem ligação atingido
        problem.offlineAmountAboveLimit Montante acima do limite sem ligação
        problem.offlineCardLimitReached Limite por cartão sem ligação atingido
        problem.offlineTooLong Demasiado tempo sem ligação
        problem.issuerDataTooLong Dados do banco demasiado longos para um cartão
        problem.chipRequested Chip do cartão exigido pelo banco
        problem.journalFailed Pagamento não registado
        problem.journalFull Memória de pagamentos cheia
        problem.journalInUse Registos de pagamentos em uso por outro programa
        problem.journalDamaged Registos de pagamentos danificados
        problem.journalRestored Registos de pagamentos repostos de uma cópia de segurança
        problem.own Outra causa
        """

    static let portugueseRemedies = """
        An amount above zero = Montante acima de zero
        An amount of at most 12 digits = Montante com 12 dígitos no máximo
        A numeric code up to 999, at most 4 decimals = Código numérico até 999, 4 casas decimais no máximo
        One currency for all amounts = Uma só moeda para todos os montantes
        A total that includes the cash back = Total que inclua o levantamento
        A cash back above zero, or a purchase = Levantamento acima de zero ou uma compra
        Line items that add up to the total = Linhas cuja soma dê o total
        A combination for this kind of payment in the configuration = \
        Combinação para este tipo de pagamento na configuração
        Identifiers of 5 to 16 bytes = Identificadores de 5 a 16 bytes
        A request that fits the configuration = Pedido conforme com a configuração
        Card held flat and still on the reader = Cartão plano e imóvel junto ao leitor
        Chip of the card, or another card = Chip do cartão ou outro cartão
        Card held on the reader until the signal = Cartão junto ao leitor até ao sinal
        The same card each time = O mesmo cartão de cada vez
        One card alone, out of the wallet = Um só cartão, fora da carteira
        Instructions on the phone, then the phone once more = Instruções no telemóvel, depois o telemóvel de novo
        Chip or magnetic stripe of the card = Chip ou banda magnética do cartão
        Another card, or another way to pay = Outro cartão ou outra forma de pagamento
        A card of an accepted network = Cartão de uma rede aceite
        Another choice, or another card = Outra escolha ou outro cartão
        A card of an accepted country = Cartão de um país aceite
        A card that names its country = Cartão que indique o país
        PIN entry on the PIN pad = Introdução do PIN no teclado PIN
        Chip of the card, or a payment link = Chip do cartão ou link de pagamento
        Another try, or another way to pay = Nova tentativa ou outra forma de pagamento
        Another try with PIN, or another way to pay = Nova tentativa com PIN ou outra forma de pagamento
        Connection of the PIN pad, or another way to pay = Ligação do teclado PIN ou outra forma de pagamento
        Another try with the right PIN = Nova tentativa com o PIN correto
        A new payment = Novo pagamento
        Another try = Nova tentativa
        A new payment in the foreground = Novo pagamento em primeiro plano
        The later payment = O pagamento posterior
        Cable or pairing of the reader = Cabo ou emparelhamento do leitor
        Start of the reader service = Início do serviço do leitor
        End of the other program = Fecho do outro programa
        A contactless reader = Leitor contactless
        Reader unplugged and plugged in again = Leitor desligado e ligado de novo
        End of the other payment = Fim do outro pagamento
        Preparation of the reader = Preparação do leitor
        A new preparation = Nova preparação
        Restart of the device = Reinício do dispositivo
        A report to support = Comunicação ao apoio técnico
        A corrected configuration = Configuração corrigida
        A new configuration = Nova configuração
        A configuration with the keys of the network = Configuração com as chaves da rede
        A configuration with present keys = Configuração com chaves válidas
        Keys of the networks before live payments = Chaves das redes antes de pagamentos reais
        Acceptance by an administrator = Aceitação por um administrador
        Contact with the payment provider = Contacto com o prestador de pagamentos
        Sign-in as an administrator = Início de sessão como administrador
        A record of the payment provider = Registo do prestador de pagamentos
        Storage of the device = Armazenamento do dispositivo
        Another way to pay = Outra forma de pagamento
        Another try later, or another card = Nova tentativa mais tarde ou outro cartão
        Network connection of the device = Ligação de rede do dispositivo
        Settings of the merchant account = Definições da conta de comerciante
        Nothing charged, a new payment = Nada cobrado, um novo pagamento
        A look-up of the payment at the provider before a new one = Consulta do pagamento no prestador antes de um novo
        A payment read = Leitura de um pagamento
        A real card, or acceptsSimulatedReads of a test host = \
        Cartão real, ou acceptsSimulatedReads num anfitrião de teste
        Card taken away, then a new payment = Cartão retirado, depois um novo pagamento
        A new key for every payment = Nova chave para cada pagamento
        Receipt of the payment = Recibo do pagamento
        End of the earlier payment = Fim do pagamento anterior
        An amount of at most the price = Montante que não exceda o preço
        An amount up to the payment less refunds = Montante até ao pagamento menos reembolsos
        An amount up to the authorized amount = Montante até ao montante autorizado
        Free space on the device = Espaço livre no dispositivo
        """
}
