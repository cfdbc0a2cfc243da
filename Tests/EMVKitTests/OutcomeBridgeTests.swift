// SPDX-License-Identifier: Apache-2.0
import CEMV
import Testing
@testable import EMVKernel
@testable import EMVKit
@testable import EMVPOS

/// The core's numbers and their Swift names. The numbers of the outcome parameter set and of the user interface request
/// are those of Book C-8 (A.1); an unknown number becomes the field's empty value.
@Suite struct OutcomeBridgeTests {
    private static func outcome(_ change: (inout cemv_outcome) -> Void) -> Outcome {
        var outcome = cemv_outcome()
        change(&outcome)
        let nothing = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        return unsafe Outcome.of(outcome, record: nothing, discretionary: nothing, name: nothing)
    }

    private static func request(_ change: (inout cemv_ui_request) -> Void) -> UIRequest {
        var request = cemv_ui_request()
        change(&request)
        return UIRequest(request)
    }

    @Test func everyStatusHasItsNumber() {
        let numbers: [UInt8: Outcome.Status] = [
            0x00: .none, 0x10: .approved, 0x20: .declined, 0x30: .onlineRequest, 0x34: .requestOnlinePIN,
            0x40: .endApplication, 0x50: .selectNext, 0x60: .tryAnotherInterface, 0x70: .tryAgain,
        ]
        #expect(Set(numbers.values) == Set(Outcome.Status.allCases))
        for code in UInt8.min...UInt8.max {
            #expect(Self.outcome { $0.status = code }.status == numbers[code] ?? .none, "\(code)")
        }
    }

    @Test func everyStartResponseCVMAndInterfaceHasItsNumber() {
        let starts: [UInt8: Outcome.Start] = [0x00: .a, 0x10: .b, 0x20: .c, 0x30: .d]
        let responses: [UInt8: Outcome.OnlineResponse] = [0x10: .emvData, 0x20: .any]
        let methods: [UInt8: Outcome.CVM] = [0x00: .none, 0x10: .signature, 0x20: .onlinePIN, 0x30: .cdcvm]
        let interfaces: [UInt8: Outcome.Interface] = [0x10: .contactChip, 0x20: .magstripe]
        for code in UInt8.min...UInt8.max {
            let outcome = Self.outcome {
                $0.start = code
                $0.online_response = code
                $0.cvm = code
                $0.alternate_interface = code
            }
            #expect(outcome.start == starts[code] ?? .notApplicable, "\(code)")
            #expect(outcome.onlineResponse == responses[code] ?? .notApplicable, "\(code)")
            #expect(outcome.cvm == methods[code] ?? .notApplicable, "\(code)")
            #expect(outcome.alternateInterface == interfaces[code] ?? .notApplicable, "\(code)")
        }
    }

    @Test func everyReasonHasItsNumber() {
        let names: [Outcome.Reason] = [
            .none, .kernel, .notAllowed, .noCombination, .noCommonApplication, .selectionExhausted, .kernelLimit,
            .cardData, .cardStatus, .link, .tooManyTaps, .stopped, .abandoned, .cardSwitched, .random, .storeFull,
            .protection, .collision, .internal,
        ]
        #expect(names == Outcome.Reason.allCases)
        for code in UInt8.min...UInt8.max {
            let expected = Int(code) < names.count ? names[Int(code)] : .internal
            #expect(Self.outcome { $0.reason = code }.reason == expected, "\(code)")
        }
    }

    @Test func timesAreTenthsOfASecond() {
        for tenths in [0, 1, 13, 0xFFFE, 0xFFFF] as [UInt16] {
            let outcome = Self.outcome {
                $0.removal_timeout_100ms = tenths
                $0.field_off_100ms = tenths
            }
            let time = Duration.milliseconds(Int(tenths) * 100)
            #expect(outcome.removalTimeout == (tenths == 0 ? nil : time))
            #expect(outcome.fieldOff == (tenths == 0xFFFF ? nil : time))
        }
    }

    @Test func kernelsAndErrorsAreTheirBytes() {
        for size in 0...9 {
            let outcome = Self.outcome {
                $0.kernel_id_size = UInt8(size)
                $0.kernel_id = (0x81, 0x02, 0x43, 0x04, 0xA5, 0x06, 0x37, 0x08)
                $0.error_indication = (1, 2, 3, 0x6A, 0x82, 0x1C)
            }
            let bytes = Bytes([0x81, 0x02, 0x43, 0x04, 0xA5, 0x06, 0x37, 0x08].prefix(size))
            #expect(outcome.kernel?.bytes == ((1...8).contains(size) ? bytes : nil))
            #expect(outcome.errorIndication.bytes == [1, 2, 3, 0x6A, 0x82, 0x1C])
        }
    }

    @Test func whatIsNotThereIsNil() {
        let bare = Self.outcome { _ in }
        #expect(bare.uiOnOutcome == nil && bare.uiOnRestart == nil && bare.dataRecord == nil)
        #expect(bare.discretionary == nil && !bare.receipt && bare.applicationName == [] && bare.findings == [])
        let full = Self.outcome {
            $0.ui_on_outcome_present = true
            $0.ui_on_outcome.message = 0x17
            $0.ui_on_restart_present = true
            $0.ui_on_restart.message = 0x21
            $0.data_record_present = true
            $0.discretionary_present = true
            $0.receipt = true
            $0.findings = 1 << 9
        }
        #expect(full.uiOnOutcome?.message == .cardReadOK && full.uiOnRestart?.message == .presentAgain)
        #expect(full.dataRecord == CardData([]) && full.discretionary == CardData([]) && full.receipt)
        #expect(full.findings == .luhn)
    }

    @Test func everyStatusOfADisplayHasItsNumber() {
        let names: [UIRequest.Status] = [.notReady, .idle, .readyToRead, .processing, .cardRead, .processingError]
        for code in UInt8.min...UInt8.max {
            let expected = Int(code) < names.count ? names[Int(code)] : .notApplicable
            #expect(Self.request { $0.status = code }.status == expected, "\(code)")
        }
    }

    @Test func amountsHaveTheirCurrency() {
        for number in [0, 1, 8, 36, 124, 392, 756, 826, 978, 985, 999] as [UInt16] {
            let digits = [number / 100, number / 10 % 10, number % 10]
            let request = Self.request {
                $0.value_qualifier = 1
                $0.value = 123_456_789_012
                $0.currency = digits.reduce(0) { $0 << 4 | $1 }
            }
            #expect(request.value == UIRequest.Value(qualifier: .amount, amount: 123_456_789_012, currency: number))
        }
        #expect(Self.request { $0.value_qualifier = 2 }.value?.qualifier == .balance)
        for other in [0, 3, 0xFF] as [UInt8] { #expect(Self.request { $0.value_qualifier = other }.value == nil) }
    }

    @Test func languagesAndTimesAreWhatTheRequestSays() {
        for size in 0...9 {
            let request = Self.request {
                $0.language = (0x64, 0x65, 0x65, 0x6E, 0x66, 0x72, 0x69, 0x74)
                $0.language_size = UInt8(size)
                $0.hold_ms = 1_300
            }
            #expect(request.language == String("deenfrit".prefix(size)) && request.hold == .milliseconds(1_300))
        }
    }
}
