/// What a card makes of a transaction before it computes anything.
enum CardDecision: Sendable, Hashable {
    case refuse(StatusWord)
    /// The device wants its cardholder first.
    case askCardholder
    case answer(CryptogramType, qualifiers: [UInt8]?, usesDeviceVerification: Bool)
}

/// Cryptogram Information Data, bits 8 and 7.
enum CryptogramType: UInt8, Sendable, Hashable {
    case decline = 0x00
    case offline = 0x40
    case online = 0x80

    /// Bits 6 and 5 of the fifth byte of Visa's issuer application data.
    var resultBits: UInt8 { rawValue >> 2 }
}

extension CardApplication {
    /// - Parameter verified: whether the cardholder has unlocked the device for this payment.
    func decide(_ terminal: TerminalData, verified: Bool) -> CardDecision {
        let reader = terminal.qualifiers
        if let refusal { return .refuse(refusal) }
        guard reader.supportsEMV else { return .refuse(.conditionsNotSatisfied) }

        var chosen: Verification?
        if reader.requiresVerification || alwaysVerifies {
            chosen = verification.first { isOffered($0, by: reader) }
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
        return answer(cryptogramType(terminal, chosen), chosen)
    }

    private func cryptogramType(_ terminal: TerminalData, _ chosen: Verification?) -> CryptogramType {
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

    private func isOffered(_ method: Verification, by reader: TerminalQualifiers) -> Bool {
        switch method {
        case .onlinePIN: reader.supportsOnlinePIN && !reader.isOfflineOnly
        case .signature: reader.supportsSignature
        case .consumerDevice: reader.supportsConsumerDevice
        case .consumerDeviceClaimed: true
        }
    }

    private func answer(_ type: CryptogramType, _ chosen: Verification?) -> CardDecision {
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
