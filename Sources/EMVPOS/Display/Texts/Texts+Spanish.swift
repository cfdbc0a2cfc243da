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
        Enter an amount above zero = Introducir un importe por encima de cero
        Enter an amount of at most 12 digits = Introducir un importe de 12 cifras como máximo
        Use a numeric code up to 999 and at most 4 decimals = \
        Usar un código numérico hasta 999 y 4 decimales como máximo
        Use one currency for all amounts = Usar una sola moneda para todos los importes
        Include the cash back in the total = Incluir la retirada de efectivo en el total
        Enter a cash back above zero, or choose a purchase = Introducir una retirada por encima de cero, o elegir compra
        Make the line items add up to the total = Hacer que las líneas sumen el total
        Configure a combination for this kind of payment = Configurar una combinación para este tipo de pago
        Use identifiers of 5 to 16 bytes = Usar identificadores de 5 a 16 bytes
        Change the request to fit the configuration = Adaptar la solicitud a la configuración
        Hold the card flat and still on the reader = Mantener la tarjeta plana y quieta sobre el lector
        Use the chip of the card, or another card = Usar el chip de la tarjeta u otra tarjeta
        Hold the card on the reader until the signal = Mantener la tarjeta sobre el lector hasta la señal
        Present the same card each time = Acercar la misma tarjeta cada vez
        Take the card out of the wallet and present it alone = Sacar la tarjeta de la cartera y acercarla sola
        Follow the instructions on the phone, then present it again = \
        Seguir las instrucciones del teléfono y acercarlo de nuevo
        Use the chip or magnetic stripe of the card = Usar el chip o la banda magnética de la tarjeta
        Use another card, or another way to pay = Usar otra tarjeta u otra forma de pago
        Use a card of an accepted network = Usar una tarjeta de una red aceptada
        Make another choice, or use another card = Elegir otra opción o usar otra tarjeta
        Use a card of an accepted country = Usar una tarjeta de un país aceptado
        Use a card that names its country = Usar una tarjeta con indicación de país
        Enter the PIN on the PIN pad = Introducir el PIN en el teclado PIN
        Use the chip of the card, or a payment link = Usar el chip de la tarjeta o un enlace de pago
        Try again, or use another way to pay = Intentar de nuevo o usar otra forma de pago
        Try again with PIN, or use another way to pay = Intentar de nuevo con PIN o usar otra forma de pago
        Check the connection of the PIN pad, or pay another way = \
        Revisar la conexión del teclado PIN o usar otra forma de pago
        Try again with the right PIN = Intentar de nuevo con el PIN correcto
        Start a new payment = Iniciar un nuevo pago
        Try again = Intentar de nuevo
        Start a new payment with the app in the foreground = Iniciar un nuevo pago con la aplicación en primer plano
        Continue with the later payment = Continuar con el pago posterior
        Check the cable or pairing of the reader = Revisar el cable o el emparejamiento del lector
        Start the reader service = Iniciar el servicio del lector
        Close the other program = Cerrar el otro programa
        Use a contactless reader = Usar un lector sin contacto
        Unplug the reader and plug it in again = Desenchufar el lector y enchufarlo de nuevo
        Wait for the other payment to end = Esperar a que termine el otro pago
        Prepare the reader = Preparar el lector
        Prepare the reader again = Preparar de nuevo el lector
        Restart the device = Reiniciar el dispositivo
        Report the problem to support = Comunicar el problema al servicio de asistencia
        Correct the configuration = Corregir la configuración
        Load a new configuration = Cargar una nueva configuración
        Load a configuration with the keys of the network = Cargar una configuración con las claves de la red
        Load a configuration with current keys = Cargar una configuración con claves vigentes
        Load the keys of the networks before live payments = Cargar las claves de las redes antes de pagos reales
        Ask an administrator to accept the terms = Pedir a un administrador que acepte las condiciones
        Contact the payment provider = Contactar con el proveedor de pagos
        Sign in as an administrator = Acceder como administrador
        Request a genuine record from the payment provider = Solicitar un registro auténtico al proveedor de pagos
        Check the storage of the device = Revisar la memoria del dispositivo
        Use another way to pay = Usar otra forma de pago
        Try again later, or use another card = Intentar de nuevo más tarde o usar otra tarjeta
        Check the network connection of the device = Revisar la conexión de red del dispositivo
        Check the settings of the merchant account = Revisar los ajustes de la cuenta del comercio
        Nothing charged, start a new payment = Sin cargo, iniciar un nuevo pago
        Look up the payment at the provider before a new one = Consultar el pago al proveedor antes de otro nuevo
        Read the card for a payment = Leer la tarjeta para un pago
        Use a real card, or acceptsSimulatedReads of a test host = \
        Usar una tarjeta real, o acceptsSimulatedReads en pruebas
        Remove the card, then start a new payment = Retirar la tarjeta e iniciar un nuevo pago
        Use a new key for every payment = Usar una clave nueva para cada pago
        Check the receipt of the payment = Comprobar el recibo del pago
        Finish the earlier payment first = Terminar primero el pago anterior
        Enter at most the price = Introducir como máximo el precio
        Enter at most the payment less refunds = Introducir como máximo el pago menos devoluciones
        Enter at most the authorized amount = Introducir como máximo el importe autorizado
        Free up space on the device = Liberar espacio en el dispositivo
        """
}
