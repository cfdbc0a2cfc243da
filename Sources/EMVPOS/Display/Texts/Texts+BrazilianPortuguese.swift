// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    /// Texts in which Brazil uses other words than ``portuguese``.
    static let brazilianPortuguese = """
        message.09 Digite a senha
        message.10 Retire o cartão
        message.15 Aproxime o cartão
        message.17 Cartão lido, retire o cartão
        message.18 Insira ou passe o cartão
        message.1B Autorização em andamento
        message.1C Insira ou passe o cartão, ou use outro cartão
        message.1D Insira o cartão
        message.20 Instruções no celular
        message.21 Aproxime o cartão de novo
        loyalty.present Aproxime o celular
        loyalty.choose Escolha o cartão no celular
        loyalty.unlock Desbloqueie o celular
        loyalty.again Aproxime o celular de novo
        loyalty.signUp Inscrição no celular
        label.payment Pagamento por aproximação
        label.cash Saque
        label.cashBack Pagamento com saque
        label.storeCard Salvar cartão
        label.openTab Abrir comanda
        enrollment.accepted Condições aceitas
        alternative.otherInterface.chip Insira o cartão
        alternative.otherInterface.swipe Passe o cartão
        alternative.otherInterface.chipOrSwipe Insira ou passe o cartão
        alternative.enterPIN Digitar a senha
        alternative.waitAndRetry Tentar de novo em instantes
        alternative.correctRequest Corrigir o valor
        alternative.administrator Entrar como administrador
        alternative.payRest Pagar o restante de outra forma
        alternative.cash Dinheiro
        amount.cashBack Saque
        amount.due Valor restante
        amount.pending Valor a definir
        amount.preauthorization Valor pré-autorizado
        delivery.title Comprovante
        delivery.none Sem comprovante
        delivery.address.message Número de celular
        amount.installment.weekly Parcela semanal
        amount.installment.monthly Parcela mensal
        amount.installment.yearly Parcela anual
        amount.line.charge Acréscimo
        amount.line.donation Doação
        amount.line.installment Parcela
        progress.authorizing Autorização em andamento
        progress.reversing Estorno em andamento
        headline.part Aprovado em parte, restante a pagar
        headline.accepted Aceito, autorização pendente
        headline.authorizing Autorização em andamento
        headline.otherInterface Insira ou passe o cartão
        headline.pin Senha necessária
        headline.wait Tente de novo em instantes
        headline.request Valor ou solicitação a corrigir
        receipt.customerCopy Via do cliente
        receipt.merchantCopy Via do estabelecimento
        receipt.cash Saque
        receipt.cashBack Compra com saque
        receipt.increment Aumento da pré-autorização
        receipt.void Cancelamento
        receipt.merchant Número do estabelecimento
        receipt.contactless Aproximação
        receipt.cvm.onlinePIN Senha
        receipt.accepted Aceito, autorização pendente
        receipt.nothingRefunded Nada estornado
        education.start.title Início de um pagamento por aproximação
        education.start.1 Digitar o valor final, com gorjetas e descontos incluídos
        education.start.2 Escolher pagamento por aproximação
        education.card.title Cartões por aproximação
        education.device.title Celulares e relógios
        education.device.1 Desbloquear primeiro o celular ou o relógio
        education.pin.title Digitação da senha
        education.pin.1 Entregar o teclado de senha ao cliente
        education.pin.2 Desviar o olhar durante a digitação da senha
        education.pin.3 Contar com uma solicitação de senha também depois da resposta do banco
        education.accessibility.title Digitação da senha sem visão
        education.accessibility.1 Ativar o modo de acessibilidade antes da digitação da senha, a pedido do cliente
        education.accessibility.2 Guiar um dedo até a marca em relevo na tecla 5
        education.accessibility.3 Dar todo o tempo necessário e nunca perguntar a senha
        education.result.2 Oferecer um comprovante em ambos os casos
        education.try.title Um teste sem dinheiro
        education.try.2 Ensaiar uma recusa e uma senha antes do primeiro cliente
        antenna.symbol Símbolo de aproximação no leitor
        antenna.display Centro da tela do leitor
        problem.amountAboveLimit Valor acima do limite por aproximação
        problem.amountAboveKernelLimit Valor acima do limite para este cartão
        problem.amountZero Valor zero não permitido
        problem.amountNotAllowed Valor não permitido por aproximação
        problem.amountTooLarge Valor com mais de 12 dígitos
        problem.cashBackAboveAmount Saque acima do valor total
        problem.cashBackZero Saque de zero
        problem.requestInvalid Solicitação em conflito com a configuração
        problem.linkDisturbed Interferência na conexão com o cartão
        problem.linkProtocolFailed Cartão fora do protocolo de aproximação
        problem.tooManyPresentments Cartão aproximado vezes demais
        problem.deviceNotUnlocked Celular ou relógio ainda bloqueado
        problem.otherInterfaceWanted Cartão sem aproximação para este pagamento
        problem.insufficientOfflineBalance Saldo do cartão baixo demais
        problem.networkUnsupported Bandeira do cartão não aceita
        problem.issuerCountryUnsupported País do cartão não aceito
        problem.pinRequired Senha necessária
        problem.pinPadMissing Senha necessária, sem teclado de senha
        problem.pinCancelled Digitação da senha cancelada
        problem.pinTimedOut Senha não digitada a tempo
        problem.pinBypassed Digitação da senha omitida
        problem.pinPadFailed Teclado de senha com defeito
        problem.pinAttemptsExceeded Excesso de tentativas de senha
        problem.incorrectPIN Senha incorreta
        problem.cancelledByProgram Pagamento cancelado pelo aplicativo
        problem.suspended Aplicativo em segundo plano
        problem.readerDetached Leitor desconectado
        problem.readerMissing Nenhum leitor conectado
        problem.readerFailed Leitor com defeito
        problem.nothingToComplete Nenhum pagamento aguardando resposta
        problem.caKeysMissing Nenhuma chave de autoridade para uma bandeira
        problem.enrollmentRequired Condições ainda não aceitas
        problem.enrollmentOutdated Novas condições ainda não aceitas
        problem.enrollmentSignatureInvalid Registro de aceitação não autêntico
        problem.enrollmentStoreFailed Registro de aceitação não salvo
        problem.simulatedRead Cartão simulado em provedor real
        problem.cardLostOrStolen Cartão informado como perdido ou roubado
        problem.hostUnreachable Sem conexão com o provedor de pagamentos
        problem.hostRejected Solicitação rejeitada pelo provedor de pagamentos
        problem.authorizationTimedOut Sem resposta do provedor de pagamentos a tempo
        problem.authorizationAnswerLost Resposta do provedor de pagamentos perdida
        problem.saleSettled Pedido já pago
        problem.saleOpen Pagamento anterior deste pedido ainda em aberto
        problem.amountAboveDue Valor acima do preço do pedido
        problem.refundAbovePaid Reembolso acima do valor pago
        problem.captureAboveAuthorized Valor acima do valor autorizado
        problem.alreadyVoided Pagamento já cancelado
        problem.approvedInPart Apenas parte do valor aprovada
        problem.offlineLimitReached Limite de pagamentos sem conexão atingido
        problem.offlineAmountAboveLimit Valor acima do limite sem conexão
        problem.offlineCardLimitReached Limite por cartão sem conexão atingido
        problem.offlineTooLong Tempo demais sem conexão
        problem.issuerDataTooLong Dados do banco longos demais para um cartão
        problem.journalFailed Pagamento não registrado
        problem.journalInUse Registros de pagamentos em uso por outro programa
        problem.journalDamaged Registros de pagamentos danificados
        problem.journalRestored Registros de pagamentos restaurados de um backup
        """

    static let brazilianPortugueseRemedies = """
        Enter an amount above zero = Digitar um valor acima de zero
        Enter an amount of at most 12 digits = Digitar um valor com 12 dígitos no máximo
        Use one currency for all amounts = Usar uma só moeda para todos os valores
        Include the cash back in the total = Incluir o saque no total
        Enter a cash back above zero, or choose a purchase = Digitar um saque acima de zero ou escolher compra
        Change the request to fit the configuration = Adaptar a solicitação à configuração
        Hold the card on the reader until the signal = Manter o cartão junto ao leitor até o sinal
        Follow the instructions on the phone, then present it again = \
        Seguir as instruções no celular e aproximá-lo de novo
        Use the chip or magnetic stripe of the card = Usar o chip ou a tarja magnética do cartão
        Use a card of an accepted network = Usar um cartão de uma bandeira aceita
        Use a card of an accepted country = Usar um cartão de um país aceito
        Enter the PIN on the PIN pad = Digitar a senha no teclado de senha
        Try again with PIN, or use another way to pay = Tentar de novo com senha ou usar outra forma de pagamento
        Check the connection of the PIN pad, or pay another way = \
        Verificar a conexão do teclado de senha ou pagar de outra forma
        Try again with the right PIN = Tentar de novo com a senha correta
        Start a new payment with the app in the foreground = \
        Iniciar um novo pagamento com o aplicativo em primeiro plano
        Check the cable or pairing of the reader = Verificar o cabo ou o pareamento do leitor
        Use a contactless reader = Usar um leitor por aproximação
        Unplug the reader and plug it in again = Desconectar o leitor e conectá-lo de novo
        Report the problem to support = Relatar o problema ao suporte técnico
        Load a configuration with the keys of the network = Carregar uma configuração com as chaves da bandeira
        Load the keys of the networks before live payments = Carregar as chaves das bandeiras antes de pagamentos reais
        Contact the payment provider = Entrar em contato com o provedor de pagamentos
        Sign in as an administrator = Entrar como administrador
        Request a genuine record from the payment provider = Solicitar um registro autêntico ao provedor de pagamentos
        Check the network connection of the device = Verificar a conexão de rede do dispositivo
        Check the settings of the merchant account = Verificar as configurações da conta do estabelecimento
        Look up the payment at the provider before a new one = Consultar o pagamento no provedor antes de um novo
        Check the receipt of the payment = Verificar o comprovante do pagamento
        Enter at most the price = Digitar no máximo o preço
        Enter at most the payment less refunds = Digitar no máximo o pagamento menos reembolsos
        Enter at most the authorized amount = Digitar no máximo o valor autorizado
        Free up space on the device = Liberar espaço no dispositivo
        """
}
