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
        Enter an amount above zero = Introduzir um montante acima de zero
        Enter an amount of at most 12 digits = Introduzir um montante com 12 dígitos no máximo
        Use a numeric code up to 999 and at most 4 decimals = \
        Usar um código numérico até 999 e 4 casas decimais no máximo
        Use one currency for all amounts = Usar uma só moeda para todos os montantes
        Include the cash back in the total = Incluir o levantamento no total
        Enter a cash back above zero, or choose a purchase = Introduzir um levantamento acima de zero ou escolher compra
        Make the line items add up to the total = Fazer corresponder as linhas ao total
        Configure a combination for this kind of payment = Configurar uma combinação para este tipo de pagamento
        Use identifiers of 5 to 16 bytes = Usar identificadores de 5 a 16 bytes
        Change the request to fit the configuration = Adaptar o pedido à configuração
        Hold the card flat and still on the reader = Manter o cartão plano e imóvel junto ao leitor
        Use the chip of the card, or another card = Usar o chip do cartão ou outro cartão
        Hold the card on the reader until the signal = Manter o cartão junto ao leitor até ao sinal
        Present the same card each time = Aproximar o mesmo cartão de cada vez
        Take the card out of the wallet and present it alone = Tirar o cartão da carteira e aproximá-lo sozinho
        Follow the instructions on the phone, then present it again = \
        Seguir as instruções no telemóvel e aproximá-lo de novo
        Use the chip or magnetic stripe of the card = Usar o chip ou a banda magnética do cartão
        Use another card, or another way to pay = Usar outro cartão ou outra forma de pagamento
        Use a card of an accepted network = Usar um cartão de uma rede aceite
        Make another choice, or use another card = Fazer outra escolha ou usar outro cartão
        Use a card of an accepted country = Usar um cartão de um país aceite
        Use a card that names its country = Usar um cartão que indique o país
        Enter the PIN on the PIN pad = Introduzir o PIN no teclado PIN
        Use the chip of the card, or a payment link = Usar o chip do cartão ou um link de pagamento
        Try again, or use another way to pay = Tentar de novo ou usar outra forma de pagamento
        Try again with PIN, or use another way to pay = Tentar de novo com PIN ou usar outra forma de pagamento
        Check the connection of the PIN pad, or pay another way = \
        Verificar a ligação do teclado PIN ou pagar de outra forma
        Try again with the right PIN = Tentar de novo com o PIN correto
        Start a new payment = Iniciar um novo pagamento
        Try again = Tentar de novo
        Start a new payment with the app in the foreground = \
        Iniciar um novo pagamento com a aplicação em primeiro plano
        Continue with the later payment = Continuar com o pagamento posterior
        Check the cable or pairing of the reader = Verificar o cabo ou o emparelhamento do leitor
        Start the reader service = Iniciar o serviço do leitor
        Close the other program = Fechar o outro programa
        Use a contactless reader = Usar um leitor contactless
        Unplug the reader and plug it in again = Desligar o leitor e ligá-lo de novo
        Wait for the other payment to end = Aguardar o fim do outro pagamento
        Prepare the reader = Preparar o leitor
        Prepare the reader again = Preparar de novo o leitor
        Restart the device = Reiniciar o dispositivo
        Report the problem to support = Comunicar o problema ao apoio técnico
        Correct the configuration = Corrigir a configuração
        Load a new configuration = Carregar uma nova configuração
        Load a configuration with the keys of the network = Carregar uma configuração com as chaves da rede
        Load a configuration with current keys = Carregar uma configuração com chaves válidas
        Load the keys of the networks before live payments = Carregar as chaves das redes antes de pagamentos reais
        Ask an administrator to accept the terms = Pedir a um administrador que aceite as condições
        Contact the payment provider = Contactar o prestador de pagamentos
        Sign in as an administrator = Iniciar sessão como administrador
        Request a genuine record from the payment provider = Pedir um registo autêntico ao prestador de pagamentos
        Check the storage of the device = Verificar o armazenamento do dispositivo
        Use another way to pay = Usar outra forma de pagamento
        Try again later, or use another card = Tentar de novo mais tarde ou usar outro cartão
        Check the network connection of the device = Verificar a ligação de rede do dispositivo
        Check the settings of the merchant account = Verificar as definições da conta de comerciante
        Nothing charged, start a new payment = Nada cobrado, iniciar um novo pagamento
        Look up the payment at the provider before a new one = Consultar o pagamento no prestador antes de um novo
        Read the card for a payment = Ler o cartão para um pagamento
        Use a real card, or acceptsSimulatedReads of a test host = \
        Usar um cartão real ou acceptsSimulatedReads em teste
        Remove the card, then start a new payment = Retirar o cartão e iniciar um novo pagamento
        Use a new key for every payment = Usar uma nova chave para cada pagamento
        Check the receipt of the payment = Verificar o recibo do pagamento
        Finish the earlier payment first = Concluir primeiro o pagamento anterior
        Enter at most the price = Introduzir no máximo o preço
        Enter at most the payment less refunds = Introduzir no máximo o pagamento menos reembolsos
        Enter at most the authorized amount = Introduzir no máximo o montante autorizado
        Free up space on the device = Libertar espaço no dispositivo
        """
}
