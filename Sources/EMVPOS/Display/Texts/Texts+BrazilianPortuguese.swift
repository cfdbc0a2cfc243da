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
        An amount above zero = Valor acima de zero
        An amount of at most 12 digits = Valor com 12 dígitos no máximo
        One currency for all amounts = Uma só moeda para todos os valores
        A total that includes the cash back = Total que inclua o saque
        A cash back above zero, or a purchase = Saque acima de zero ou uma compra
        A request that fits the configuration = Solicitação conforme com a configuração
        Card held on the reader until the signal = Cartão junto ao leitor até o sinal
        Instructions on the phone, then the phone once more = Instruções no celular, depois o celular de novo
        A card of an accepted network = Cartão de uma bandeira aceita
        A card of an accepted country = Cartão de um país aceito
        PIN entry on the PIN pad = Digitação da senha no teclado de senha
        Another try with PIN, or another way to pay = Nova tentativa com senha ou outra forma de pagamento
        Connection of the PIN pad, or another way to pay = Conexão do teclado de senha ou outra forma de pagamento
        Another try with the right PIN = Nova tentativa com a senha correta
        End of the other program = Fechamento do outro programa
        A contactless reader = Leitor por aproximação
        Reader unplugged and plugged in again = Leitor desconectado e conectado de novo
        Restart of the device = Reinicialização do dispositivo
        A report to support = Relato ao suporte técnico
        A configuration with the keys of the network = Configuração com as chaves da bandeira
        Keys of the networks before live payments = Chaves das bandeiras antes de pagamentos reais
        Contact with the payment provider = Contato com o provedor de pagamentos
        Sign-in as an administrator = Acesso como administrador
        A record of the payment provider = Registro do provedor de pagamentos
        Network connection of the device = Conexão de rede do dispositivo
        A real card, or acceptsSimulatedReads of a test host = \
        Cartão real, ou acceptsSimulatedReads num host de teste
        Settings of the merchant account = Configurações da conta do estabelecimento
        A look-up of the payment at the provider before a new one = Consulta do pagamento no provedor antes de um novo
        Receipt of the payment = Comprovante do pagamento
        An amount of at most the price = Valor que não exceda o preço
        An amount up to the payment less refunds = Valor até o pagamento menos reembolsos
        An amount up to the authorized amount = Valor até o valor autorizado
        """
}
