// SPDX-License-Identifier: Apache-2.0
extension TextTables {
    static let spanish = """
        message.03 Aprobado
        message.07 No autorizado
        message.09 Introducir el PIN
        message.0F Error de proceso
        message.10 Retirar la tarjeta
        message.14 Le damos la bienvenida
        message.15 Acercar la tarjeta
        message.16 En proceso
        message.17 Tarjeta leída, retirar la tarjeta
        message.18 Insertar o deslizar la tarjeta
        message.19 Una sola tarjeta
        message.1A Aprobado, firma necesaria
        message.1B Autorización en curso
        message.1C Insertar o deslizar la tarjeta, o probar otra tarjeta
        message.1D Insertar la tarjeta
        message.20 Instrucciones en el teléfono
        message.21 Acercar de nuevo la tarjeta
        label.payment Pago sin contacto
        label.cash Retirada de efectivo
        label.cashBack Pago con retirada de efectivo
        label.refund Devolución
        label.lookUp Consultar
        label.storeCard Guardar tarjeta
        label.verify Verificar
        label.openTab Abrir cuenta
        loyalty.label Tarjeta de fidelidad
        loyalty.read Tarjeta de fidelidad leída
        loyalty.present Acercar el teléfono
        loyalty.choose Elegir tarjeta en el teléfono
        loyalty.unlock Desbloquear el teléfono
        loyalty.again Acercar de nuevo el teléfono
        loyalty.none Sin tarjeta de fidelidad
        loyalty.signUp Inscripción en el teléfono
        loyalty.failed Tarjeta de fidelidad no leída
        enrollment.required Condiciones por aceptar antes del primer pago
        enrollment.adminRequired Acceso de administrador necesario para aceptar las condiciones
        enrollment.outdated Nuevas condiciones por aceptar
        enrollment.revoked Aceptación de las condiciones revocada
        enrollment.accepted Condiciones aceptadas
        alternative.retry Acercar de nuevo la misma tarjeta
        alternative.startAgain Empezar el pago de nuevo
        alternative.anotherCard Usar otra tarjeta
        alternative.otherInterface.chip Insertar la tarjeta
        alternative.otherInterface.swipe Deslizar la tarjeta
        alternative.otherInterface.chipOrSwipe Insertar o deslizar la tarjeta
        alternative.enterPIN Introducir el PIN
        alternative.waitAndRetry Intentar de nuevo en un momento
        alternative.askHost Consultar este pago
        alternative.checkReader Revisar el lector
        alternative.correctRequest Corregir el importe
        alternative.administrator Acceder como administrador
        alternative.update Actualizar el lector
        alternative.payRest Pagar el resto de otra forma
        alternative.cash Efectivo
        alternative.paymentLink Enlace de pago
        alternative.help Ayuda
        amount.total Total
        amount.approved Importe autorizado
        amount.due Importe pendiente
        amount.balance Saldo restante
        amount.cashBack Retirada de efectivo
        amount.pending Importe por determinar
        amount.preauthorization Importe preautorizado
        amount.later A pagar más adelante
        amount.later.day A pagar el
        amount.membership.weekly Cada semana
        amount.membership.monthly Cada mes
        amount.membership.yearly Cada año
        amount.installment.weekly Plazo semanal
        amount.installment.monthly Plazo mensual
        amount.installment.yearly Plazo anual
        amount.line.item Precio
        amount.line.charge Recargo
        amount.line.discount Descuento
        amount.line.tip Propina
        amount.line.tax Impuesto
        amount.line.donation Donación
        amount.line.recurring Pago recurrente
        amount.line.installment Plazo
        progress.preparing Lector en preparación
        progress.authorizing Autorización en curso
        progress.reversing Anulación en curso
        headline.approved Aprobado
        headline.accepted Aceptado, autorización pendiente
        headline.signature Aprobado, firma necesaria
        headline.part Aprobado en parte, resto pendiente
        headline.verified Tarjeta verificada
        headline.authorizing Autorización en curso
        headline.declined Pago denegado
        headline.notCompleted Pago no completado
        headline.otherCard Otra tarjeta necesaria
        headline.otherInterface Insertar o deslizar la tarjeta
        headline.pin PIN necesario
        headline.wait Intentar de nuevo en un momento
        headline.request Importe o solicitud por corregir
        headline.reader Lector por revisar
        headline.setUp Configuración necesaria
        headline.unknown Resultado aún desconocido
        receipt.customerCopy Copia para el cliente
        receipt.merchantCopy Copia para el comercio
        receipt.purchase Compra
        receipt.cash Retirada de efectivo
        receipt.cashBack Compra con retirada de efectivo
        receipt.refund Devolución
        receipt.capture Confirmación de preautorización
        receipt.increment Ampliación de preautorización
        receipt.void Anulación
        receipt.verification Verificación de tarjeta
        receipt.via Mediante
        receipt.terminal Terminal
        receipt.merchant Número de comercio
        receipt.sequence Operación
        receipt.reference Referencia
        receipt.original Pago original
        receipt.card Tarjeta
        receipt.cardSequence Secuencia
        receipt.entry Lectura
        receipt.contactless Sin contacto
        receipt.application Aplicación
        receipt.authorizationCode Autorización
        receipt.responseCode Respuesta
        receipt.cryptogram Criptograma
        receipt.verified Verificación
        receipt.cvm.signature Firma
        receipt.cvm.onlinePIN PIN
        receipt.cvm.cdcvm En el dispositivo
        receipt.signature Firma
        receipt.approved Aprobado
        receipt.approvedOffline Aprobado sin conexión
        receipt.declined Denegado
        receipt.notCompleted No completado
        receipt.unknown Resultado aún desconocido
        receipt.accepted Aceptado, autorización pendiente
        receipt.approvedLater Pagado, autorizado más tarde
        receipt.declinedLater No pagado, autorización denegada
        receipt.verifiedCard Tarjeta verificada
        receipt.nothingCharged Sin cargo
        receipt.nothingRefunded Sin devolución
        receipt.notYetCharged Reservado, aún sin cargo
        delivery.title Recibo
        delivery.print Imprimir
        delivery.mail Correo electrónico
        delivery.message Mensaje de texto
        delivery.code Código QR
        delivery.none Sin recibo
        delivery.address.mail Dirección de correo electrónico
        delivery.address.message Número de móvil
        education.start.title Inicio de un pago sin contacto
        education.start.1 Introducir el importe final, con propina y descuentos
        education.start.2 Elegir pago sin contacto
        education.start.3 Girar el lector hacia el cliente
        education.card.title Tarjetas sin contacto
        education.card.1 Mantener la tarjeta plana y quieta en este lugar
        education.card.2 Apartar del lector las demás tarjetas
        education.card.3 Retirar la tarjeta tras la señal y esperar el resultado
        education.device.title Teléfonos y relojes
        education.device.1 Desbloquear primero el teléfono o el reloj
        education.device.2 Mantener la parte superior en este lugar
        education.device.3 Seguir las instrucciones de la pantalla y acercar de nuevo el dispositivo
        education.pin.title Introducción del PIN
        education.pin.1 Entregar el teclado PIN al cliente
        education.pin.2 Apartar la mirada durante la introducción del PIN
        education.pin.3 Contar con una petición de PIN también tras la respuesta del banco
        education.accessibility.title Introducción del PIN sin la vista
        education.accessibility.1 Activar el modo de accesibilidad antes de introducir el PIN, a petición del cliente
        education.accessibility.2 Guiar un dedo hasta la marca en relieve de la tecla 5
        education.accessibility.3 Dar todo el tiempo necesario y no preguntar nunca el PIN
        education.result.title Resultados
        education.result.1 Mostrar el resultado al cliente, aprobado o denegado
        education.result.2 Ofrecer un recibo en ambos casos
        education.result.3 Ofrecer otra tarjeta u otra forma de pago tras un rechazo
        education.try.title Una prueba sin dinero
        education.try.1 Iniciar un pago de prueba con el lector simulado
        education.try.2 Ensayar un rechazo y un PIN antes del primer cliente
        antenna.symbol Símbolo sin contacto del lector
        antenna.display Centro de la pantalla del lector
        antenna.top Borde superior del lector
        antenna.surface Centro de la superficie del lector
        antenna.slot Cara superior, lejos de la ranura del chip
        problem.amountAboveLimit Importe por encima del límite sin contacto
        problem.amountAboveKernelLimit Importe por encima del límite para esta tarjeta
        problem.amountZero Importe cero no permitido
        problem.amountNotAllowed Importe no permitido sin contacto
        problem.amountTooLarge Importe de más de 12 cifras
        problem.currencyInvalid Moneda fuera de ISO 4217
        problem.currencyConflict Monedas distintas en un pago
        problem.cashBackAboveAmount Retirada de efectivo por encima del total
        problem.cashBackZero Retirada de efectivo de cero
        problem.lineItemsMismatch Líneas distintas del total
        problem.transactionTypeNotConfigured Tipo de pago no configurado
        problem.currencyNotConfigured Moneda no configurada
        problem.preferredApplicationInvalid Identificador de aplicación no comprendido entre 5 y 16 bytes
        problem.requestInvalid Solicitud en conflicto con la configuración
        problem.linkTimedOut Sin respuesta de la tarjeta
        problem.linkDisturbed Interferencias en la conexión con la tarjeta
        problem.linkProtocolFailed Tarjeta fuera del protocolo sin contacto
        problem.cardRemovedEarly Tarjeta retirada demasiado pronto
        problem.cardDataInvalid Datos de tarjeta ausentes o erróneos
        problem.cardStatusUnexpected Respuesta inesperada de la tarjeta
        problem.cardDataTooLarge Demasiados datos en la tarjeta para el lector
        problem.cardSwitched Tarjetas distintas durante un pago
        problem.cardProtectionFailed Datos de tarjeta contradictorios
        problem.severalCards Varias tarjetas junto al lector
        problem.tooManyPresentments Tarjeta acercada demasiadas veces
        problem.applicationsExhausted Ninguna aplicación utilizable en la tarjeta
        problem.deviceNotUnlocked Teléfono o reloj aún bloqueado
        problem.otherInterfaceWanted Tarjeta sin contacto no válida para este pago
        problem.cardDeclined Pago denegado por la tarjeta
        problem.insufficientOfflineBalance Saldo de la tarjeta demasiado bajo
        problem.issuerAnswerRefused Respuesta del banco rechazada por la tarjeta
        problem.networkUnsupported Red de tarjetas no aceptada
        problem.preferredApplicationAbsent Aplicación elegida ausente de la tarjeta
        problem.issuerCountryUnsupported País de la tarjeta no aceptado
        problem.issuerCountryUnknown País de la tarjeta desconocido
        problem.pinRequired PIN necesario
        problem.pinPadMissing PIN necesario, sin teclado PIN
        problem.pinCancelled Introducción del PIN cancelada
        problem.pinTimedOut PIN no introducido a tiempo
        problem.pinBypassed Introducción del PIN omitida
        problem.pinPadFailed Teclado PIN averiado
        problem.pinAttemptsExceeded Demasiados intentos de PIN
        problem.incorrectPIN PIN incorrecto
        problem.cancelledByPerson Pago cancelado
        problem.cancelledByProgram Pago cancelado por la aplicación
        problem.cardTimedOut Tarjeta no acercada a tiempo
        problem.cardNotRemoved Tarjeta anterior aún en el lector
        problem.stoppedByTerminal Pago detenido por el terminal
        problem.suspended Aplicación en segundo plano
        problem.superseded Pago sustituido por otro posterior
        problem.readerDetached Lector desconectado
        problem.readerMissing Ningún lector conectado
        problem.readerServiceMissing Servicio del lector detenido
        problem.readerInUse Lector ocupado por otro programa
        problem.readerUnsupported Lector sin las funciones necesarias
        problem.readerFailed Lector averiado
        problem.readerBusy Otro pago en este lector
        problem.notPrepared Lector no preparado
        problem.preparationCancelled Preparación cancelada
        problem.nothingToComplete Ningún pago a la espera de respuesta
        problem.randomMissing Ningún número aleatorio utilizable
        problem.kernelDefect Defecto del núcleo de pago
        problem.configurationInvalid Configuración no válida
        problem.configurationExpired Configuración caducada
        problem.configurationExpiresSoon Configuración a punto de caducar
        problem.caKeysMissing Ninguna clave de autoridad para una red
        problem.caKeyExpired Clave de autoridad caducada
        problem.testKeys Claves de prueba en la configuración
        problem.enrollmentRequired Condiciones aún no aceptadas
        problem.enrollmentRevoked Aceptación de las condiciones revocada
        problem.enrollmentOutdated Nuevas condiciones aún no aceptadas
        problem.administratorRequired Acceso de administrador necesario
        problem.enrollmentSignatureInvalid Registro de aceptación no auténtico
        problem.enrollmentStoreFailed Registro de aceptación no guardado
        problem.enrollmentUnanswered Sin respuesta a tiempo sobre las condiciones
        problem.issuerDeclined Pago denegado por el banco
        problem.insufficientFunds Fondos insuficientes
        problem.suspectedFraud Sospecha de fraude en el banco
        problem.cardExpired Tarjeta caducada
        problem.cardLostOrStolen Tarjeta declarada perdida o robada
        problem.cardNotPermitted Tipo de pago no permitido para la tarjeta
        problem.issuerLimitExceeded Límite de la cuenta superado
        problem.issuerUnavailable Banco no disponible
        problem.hostUnreachable Sin conexión con el proveedor de pagos
        problem.hostRejected Solicitud rechazada por el proveedor de pagos
        problem.authorizationTimedOut Sin respuesta del proveedor a tiempo
        problem.authorizationInterrupted Autorización interrumpida
        problem.authorizationAnswerLost Respuesta del proveedor perdida
        problem.reversalFailed Resultado del pago desconocido
        problem.authorizationNotPossible Nada que autorizar en esta lectura
        problem.simulatedRead Tarjeta simulada ante un proveedor real
        problem.keyUsed Clave de un pago anterior
        problem.saleSettled Pedido ya pagado
        problem.saleOpen Pago anterior de este pedido aún abierto
        problem.amountAboveDue Importe superior al precio del pedido
        problem.refundAbovePaid Devolución superior al importe pagado
        problem.captureAboveAuthorized Importe superior al importe autorizado
        problem.alreadyVoided Pago ya anulado
        problem.followUpNotPossible Imposible para este pago
        problem.approvedInPart Solo una parte del importe aprobada
        problem.offlineLimitReached Límite de pagos sin conexión alcanzado
        problem.offlineAmountAboveLimit Importe por encima del límite sin conexión
        problem.offlineCardLimitReached Límite por tarjeta sin conexión alcanzado
        problem.offlineTooLong Demasiado tiempo sin conexión
        problem.issuerDataTooLong Datos del banco demasiado largos para una tarjeta
        problem.chipRequested Chip de la tarjeta exigido por el banco
        problem.journalFailed Pago no registrado
        problem.journalFull Memoria de pagos llena
        problem.journalInUse Registro de pagos en uso por otro programa
        problem.journalDamaged Registro de pagos dañado
        problem.journalRestored Registro de pagos restaurado de una copia de seguridad
        problem.own Otra causa
        """

    static let spanishRemedies = """
        An amount above zero = Importe por encima de cero
        An amount of at most 12 digits = Importe de 12 cifras como máximo
        A numeric code up to 999, at most 4 decimals = Código numérico hasta 999, 4 decimales como máximo
        One currency for all amounts = Una moneda para todos los importes
        A total that includes the cash back = Total con la retirada de efectivo incluida
        A cash back above zero, or a purchase = Retirada de efectivo por encima de cero, o compra
        Line items that add up to the total = Líneas que sumen el total
        A combination for this kind of payment in the configuration = \
        Combinación para este tipo de pago en la configuración
        Identifiers of 5 to 16 bytes = Identificadores de 5 a 16 bytes
        A request that fits the configuration = Solicitud conforme a la configuración
        Card held flat and still on the reader = Tarjeta plana y quieta sobre el lector
        Chip of the card, or another card = Chip de la tarjeta u otra tarjeta
        Card held on the reader until the signal = Tarjeta sobre el lector hasta la señal
        The same card each time = La misma tarjeta cada vez
        One card alone, out of the wallet = Una sola tarjeta, fuera de la cartera
        Instructions on the phone, then the phone once more = Instrucciones en el teléfono y teléfono de nuevo
        Chip or magnetic stripe of the card = Chip o banda magnética de la tarjeta
        Another card, or another way to pay = Otra tarjeta u otra forma de pago
        A card of an accepted network = Tarjeta de una red aceptada
        Another choice, or another card = Otra elección u otra tarjeta
        A card of an accepted country = Tarjeta de un país aceptado
        A card that names its country = Tarjeta con indicación de país
        PIN entry on the PIN pad = Introducción del PIN en el teclado PIN
        Chip of the card, or a payment link = Chip de la tarjeta o enlace de pago
        Another try, or another way to pay = Nuevo intento u otra forma de pago
        Another try with PIN, or another way to pay = Nuevo intento con PIN u otra forma de pago
        Connection of the PIN pad, or another way to pay = Conexión del teclado PIN u otra forma de pago
        Another try with the right PIN = Nuevo intento con el PIN correcto
        A new payment = Nuevo pago
        Another try = Nuevo intento
        A new payment in the foreground = Nuevo pago en primer plano
        The later payment = El pago posterior
        Cable or pairing of the reader = Cable o emparejamiento del lector
        Start of the reader service = Inicio del servicio del lector
        End of the other program = Cierre del otro programa
        A contactless reader = Lector sin contacto
        Reader unplugged and plugged in again = Lector desenchufado y enchufado de nuevo
        End of the other payment = Fin del otro pago
        Preparation of the reader = Preparación del lector
        A new preparation = Nueva preparación
        Restart of the device = Reinicio del dispositivo
        A report to support = Aviso al servicio de asistencia
        A corrected configuration = Configuración corregida
        A new configuration = Nueva configuración
        A configuration with the keys of the network = Configuración con las claves de la red
        A configuration with present keys = Configuración con claves vigentes
        Keys of the networks before live payments = Claves de las redes antes de pagos reales
        Acceptance by an administrator = Aceptación por un administrador
        Contact with the payment provider = Contacto con el proveedor de pagos
        Sign-in as an administrator = Acceso como administrador
        A record of the payment provider = Registro del proveedor de pagos
        Storage of the device = Memoria del dispositivo
        Another way to pay = Otra forma de pago
        Another try later, or another card = Nuevo intento más tarde u otra tarjeta
        Network connection of the device = Conexión de red del dispositivo
        Settings of the merchant account = Ajustes de la cuenta del comercio
        Nothing charged, a new payment = Sin cargo, un nuevo pago
        A look-up of the payment at the provider before a new one = Consulta del pago al proveedor antes de otro nuevo
        A payment read = Lectura de pago
        A real card, or acceptsSimulatedReads of a test host = \
        Una tarjeta real, o acceptsSimulatedReads de un host de pruebas
        Card taken away, then a new payment = Tarjeta retirada y un nuevo pago
        A new key for every payment = Clave nueva para cada pago
        Receipt of the payment = Recibo del pago
        End of the earlier payment = Fin del pago anterior
        An amount of at most the price = Importe no superior al precio
        An amount up to the payment less refunds = Importe hasta el pago menos devoluciones
        An amount up to the authorized amount = Importe hasta el importe autorizado
        Free space on the device = Espacio libre en el dispositivo
        """
}
