// SPDX-License-Identifier: Apache-2.0
/// The card's decision about a transaction, made before it computes anything.
enum QualifiedDecision: Sendable, Hashable {
    case refuse(StatusWord)
    /// The holder must confirm on the device first.
    case askCardholder
    case answer(CryptogramType, qualifiers: [UInt8]?, usesDeviceVerification: Bool)
}

extension QualifiedBehaviour {
    /// - Parameter verified: whether the cardholder has unlocked the device for this payment.
    func decide(_ terminal: TerminalData, for application: CardApplication, verified: Bool) -> QualifiedDecision {
        let reader = terminal.qualifiers
        if let refusal = application.refusal { return .refuse(refusal) }
        guard reader.supportsEMV else { return .refuse(.conditionsNotSatisfied) }

        var chosen: CardVerification?
        if reader.requiresVerification || alwaysVerifies {
            chosen = verification.first { reader.offers($0) }
            if chosen == .consumerDevice, !verified { return .askCardholder }
            if chosen == nil, reader.requiresVerification {
                switch withoutCommonVerification {
                case .goOn: break
                case .decline: return answer(.decline, nil)
                case .useContact:
                    return reader.supportsContact ? .refuse(.useAnotherInterface) : answer(.decline, nil)
                }
            }
        }
        return answer(application.cryptogramType(terminal, asksOnlinePIN: chosen == .onlinePIN), chosen)
    }

    private func answer(_ type: CryptogramType, _ chosen: CardVerification?) -> QualifiedDecision {
        var bytes = qualifiers
        if bytes != nil, type != .decline {
            switch chosen {
            case .onlinePIN: bytes?[0] |= 0x80
            case .signature: bytes?[0] |= 0x40
            case .consumerDevice, .consumerDeviceClaimed: bytes?[1] |= 0x80
            case nil: break
            }
        }
        return .answer(type, qualifiers: bytes, usesDeviceVerification: chosen == .consumerDevice)
    }
}

extension CardApplication {
    /// The cryptogram type that follows from the disposition.
    func cryptogramType(_ terminal: TerminalData, asksOnlinePIN: Bool) -> CryptogramType {
        let reader = terminal.qualifiers
        switch disposition {
        case .decline: return .decline
        case .offlineRegardless: return .offline
        case .online: return reader.isOfflineOnly ? .decline : .online
        case .offline(let limit):
            if terminal.amount <= limit, !reader.requiresOnline, !asksOnlinePIN { return .offline }
            return reader.isOfflineOnly ? .decline : .online
        }
    }
}

extension TerminalQualifiers {
    func offers(_ method: CardVerification) -> Bool {
        switch method {
        case .onlinePIN: supportsOnlinePIN && !isOfflineOnly
        case .signature: supportsSignature
        case .consumerDevice: supportsConsumerDevice
        case .consumerDeviceClaimed: true
        }
    }
}
