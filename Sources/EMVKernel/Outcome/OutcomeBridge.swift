// SPDX-License-Identifier: Apache-2.0
internal import CEMV

extension Outcome {
    /// Builds the outcome with the bytes that belong to it, and the two records if the outcome states that they are
    /// present.
    @inline(__always)
    static func of(
        _ outcome: cemv_outcome, record: UnsafeBufferPointer<UInt8>, discretionary: UnsafeBufferPointer<UInt8>,
        name: UnsafeBufferPointer<UInt8>
    ) -> Outcome {
        unsafe Outcome(
            applicationName: Bytes(name),
            status: Status(code: outcome.status),
            start: Start(code: outcome.start),
            onlineResponse: OnlineResponse(code: outcome.online_response),
            cvm: CVM(code: outcome.cvm),
            alternateInterface: Interface(code: outcome.alternate_interface),
            receipt: outcome.receipt,
            reason: Reason(code: outcome.reason),
            kernel: KernelID(tuple: outcome.kernel_id, size: Int(outcome.kernel_id_size)),
            errorIndication: ErrorIndication(outcome.error_indication),
            removalTimeout: outcome.removal_timeout_100ms == 0
                ? nil : .milliseconds(Int(outcome.removal_timeout_100ms) * 100),
            fieldOff: Int32(outcome.field_off_100ms) == CEMV_FIELD_OFF_NA
                ? nil : .milliseconds(Int(outcome.field_off_100ms) * 100),
            findings: Findings(rawValue: outcome.findings),
            uiOnOutcome: outcome.ui_on_outcome_present ? UIRequest(outcome.ui_on_outcome) : nil,
            uiOnRestart: outcome.ui_on_restart_present ? UIRequest(outcome.ui_on_restart) : nil,
            dataRecord: outcome.data_record_present ? CardData(Bytes(record)) : nil,
            discretionary: outcome.discretionary_present ? CardData(Bytes(discretionary)) : nil)
    }
}

extension NotedEnd {
    /// Reads the number of the core's log (`CEMV_NOTE_ENDS`).
    init(_ kernel: KernelID?, noted value: UInt64) {
        self.kernel = kernel
        status = Outcome.Status(code: UInt8(truncatingIfNeeded: value >> 8))
        reason = Outcome.Reason(code: UInt8(truncatingIfNeeded: value))
    }
}

extension Outcome.Status {
    fileprivate init(code: UInt8) {
        switch cemv_outcome_status(rawValue: UInt32(code)) {
        case CEMV_OUTCOME_APPROVED: self = .approved
        case CEMV_OUTCOME_DECLINED: self = .declined
        case CEMV_OUTCOME_ONLINE_REQUEST: self = .onlineRequest
        case CEMV_OUTCOME_REQUEST_ONLINE_PIN: self = .requestOnlinePIN
        case CEMV_OUTCOME_END_APPLICATION: self = .endApplication
        case CEMV_OUTCOME_SELECT_NEXT: self = .selectNext
        case CEMV_OUTCOME_TRY_ANOTHER_INTERFACE: self = .tryAnotherInterface
        case CEMV_OUTCOME_TRY_AGAIN: self = .tryAgain
        default: self = .none
        }
    }
}

extension Outcome.Start {
    fileprivate init(code: UInt8) {
        switch cemv_start(rawValue: UInt32(code)) {
        case CEMV_START_A: self = .a
        case CEMV_START_B: self = .b
        case CEMV_START_C: self = .c
        case CEMV_START_D: self = .d
        default: self = .notApplicable
        }
    }
}

extension Outcome.OnlineResponse {
    fileprivate init(code: UInt8) {
        switch cemv_online_response(rawValue: UInt32(code)) {
        case CEMV_ONLINE_RESPONSE_EMV_DATA: self = .emvData
        case CEMV_ONLINE_RESPONSE_ANY: self = .any
        default: self = .notApplicable
        }
    }
}

extension Outcome.CVM {
    fileprivate init(code: UInt8) {
        switch cemv_cvm(rawValue: UInt32(code)) {
        case CEMV_CVM_NONE: self = .none
        case CEMV_CVM_SIGNATURE: self = .signature
        case CEMV_CVM_ONLINE_PIN: self = .onlinePIN
        case CEMV_CVM_CDCVM: self = .cdcvm
        default: self = .notApplicable
        }
    }
}

extension Outcome.Interface {
    fileprivate init(code: UInt8) {
        switch cemv_interface(rawValue: UInt32(code)) {
        case CEMV_INTERFACE_CONTACT_CHIP: self = .contactChip
        case CEMV_INTERFACE_MAGSTRIPE: self = .magstripe
        default: self = .notApplicable
        }
    }
}

extension Outcome.Reason {
    fileprivate init(code: UInt8) {
        switch cemv_reason(rawValue: UInt32(code)) {
        case CEMV_REASON_NONE: self = .none
        case CEMV_REASON_KERNEL: self = .kernel
        case CEMV_REASON_NOT_ALLOWED: self = .notAllowed
        case CEMV_REASON_NO_COMBINATION: self = .noCombination
        case CEMV_REASON_NO_COMMON_APPLICATION: self = .noCommonApplication
        case CEMV_REASON_SELECTION_EXHAUSTED: self = .selectionExhausted
        case CEMV_REASON_KERNEL_LIMIT: self = .kernelLimit
        case CEMV_REASON_CARD_DATA: self = .cardData
        case CEMV_REASON_CARD_STATUS: self = .cardStatus
        case CEMV_REASON_LINK: self = .link
        case CEMV_REASON_TOO_MANY_TAPS: self = .tooManyTaps
        case CEMV_REASON_STOPPED: self = .stopped
        case CEMV_REASON_ABANDONED: self = .abandoned
        case CEMV_REASON_CARD_SWITCHED: self = .cardSwitched
        case CEMV_REASON_RANDOM: self = .random
        case CEMV_REASON_STORE_FULL: self = .storeFull
        case CEMV_REASON_PROTECTION: self = .protection
        case CEMV_REASON_COLLISION: self = .collision
        default: self = .internal
        }
    }
}

extension KernelID {
    fileprivate init?(tuple: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8), size: Int) {
        guard (1...8).contains(size) else { return nil }
        let high = UInt64(tuple.0) << 24 | UInt64(tuple.1) << 16 | UInt64(tuple.2) << 8 | UInt64(tuple.3)
        let low = UInt64(tuple.4) << 24 | UInt64(tuple.5) << 16 | UInt64(tuple.6) << 8 | UInt64(tuple.7)
        self.init(packed: (high << 32 | low) >> UInt64(8 * (8 - size)), size: size)
    }
}

extension ErrorIndication {
    fileprivate init(_ bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) {
        self.init(
            l1: bytes.0, l2: bytes.1, l3: bytes.2, statusWord: UInt16(bytes.3) << 8 | UInt16(bytes.4),
            messageOnError: bytes.5)
    }
}

extension UIRequest {
    init(_ request: cemv_ui_request) {
        self.init(
            message: Message(rawValue: request.message),
            status: Status(code: request.status),
            hold: .milliseconds(Int64(request.hold_ms)),
            value: Value(request),
            language: UIRequest.language(request))
    }

    private static func language(_ request: cemv_ui_request) -> String {
        guard request.language_size > 0 else { return "" }
        var language = request.language
        return unsafe withUnsafeBytes(of: &language) {
            unsafe String(decoding: unsafe $0.prefix(Int(min(request.language_size, 8))), as: UTF8.self)
        }
    }
}

extension UIRequest.Status {
    fileprivate init(code: UInt8) {
        switch cemv_ui_status(rawValue: UInt32(code)) {
        case CEMV_UI_NOT_READY: self = .notReady
        case CEMV_UI_IDLE: self = .idle
        case CEMV_UI_READY_TO_READ: self = .readyToRead
        case CEMV_UI_PROCESSING: self = .processing
        case CEMV_UI_CARD_READ: self = .cardRead
        case CEMV_UI_PROCESSING_ERROR: self = .processingError
        default: self = .notApplicable
        }
    }
}

extension UIRequest.Value {
    fileprivate init?(_ request: cemv_ui_request) {
        switch cemv_value_qualifier(rawValue: UInt32(request.value_qualifier)) {
        case CEMV_VALUE_AMOUNT:
            self.init(qualifier: .amount, amount: request.value, currency: decimal(request.currency))
        case CEMV_VALUE_BALANCE:
            self.init(qualifier: .balance, amount: request.value, currency: decimal(request.currency))
        default: return nil
        }
    }
}

/// Returns the number of an ISO 4217 code in BCD.
private func decimal(_ bcd: UInt16) -> UInt16 {
    (bcd >> 12) * 1000 + (bcd >> 8 & 0xF) * 100 + (bcd >> 4 & 0xF) * 10 + (bcd & 0xF)
}
