// SPDX-License-Identifier: Apache-2.0
/// What a Visa card makes of a transaction before it computes anything.
enum VisaDecision: Sendable, Hashable {
    case refuse(StatusWord)
    /// The device wants its cardholder first.
    case askCardholder
    case answer(CryptogramType, qualifiers: [UInt8]?, usesDeviceVerification: Bool)
}

extension CardApplication {
    /// - Parameter verified: whether the cardholder has unlocked the device for this payment.
    func decide(_ terminal: TerminalData, verified: Bool) -> VisaDecision {
        let reader = terminal.qualifiers
        if let refusal { return .refuse(refusal) }
        guard reader.supportsEMV else { return .refuse(.conditionsNotSatisfied) }

        var chosen: VisaBehaviour.Verification?
        if reader.requiresVerification || visa.alwaysVerifies {
            chosen = visa.verification.first { isOffered($0, by: reader) }
            if chosen == .consumerDevice, !verified { return .askCardholder }
            if chosen == nil, reader.requiresVerification {
                switch visa.withoutCommonVerification {
                case .goOn: break
                case .decline: return answer(.decline, nil)
                case .useContact:
                    return reader.supportsContact ? .refuse(.useAnotherInterface) : answer(.decline, nil)
                }
            }
        }
        return answer(cryptogramType(terminal, chosen), chosen)
    }

    private func cryptogramType(_ terminal: TerminalData, _ chosen: VisaBehaviour.Verification?) -> CryptogramType {
        let reader = terminal.qualifiers
        switch disposition {
        case .decline: return .decline
        case .offlineRegardless: return .offline
        case .online: return reader.isOfflineOnly ? .decline : .online
        case .offline(let limit):
            if terminal.amount <= limit, !reader.requiresOnline, chosen != .onlinePIN { return .offline }
            return reader.isOfflineOnly ? .decline : .online
        }
    }

    private func isOffered(_ method: VisaBehaviour.Verification, by reader: TerminalQualifiers) -> Bool {
        switch method {
        case .onlinePIN: reader.supportsOnlinePIN && !reader.isOfflineOnly
        case .signature: reader.supportsSignature
        case .consumerDevice: reader.supportsConsumerDevice
        case .consumerDeviceClaimed: true
        }
    }

    private func answer(_ type: CryptogramType, _ chosen: VisaBehaviour.Verification?) -> VisaDecision {
        var bytes = visa.qualifiers
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
