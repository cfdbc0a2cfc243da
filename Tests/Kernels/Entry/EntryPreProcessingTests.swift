// SPDX-License-Identifier: Apache-2.0
// Pre-processing, Book B v2.10, 3.1.1 and 3.2.1.1.
import CEMV
import CEMVInternals
import Testing

private let unitOf: [UInt8: UInt64] = [0: 1, 2: 100, 3: 1000]

private func indicators(of row: EntryRow, _ sale: cemv_transaction) -> cemv_indicators {
    let configuration = EntryConfiguration([row])
    var sale = sale
    return cemv_preprocess(configuration.c.combinations, &sale)
}

private func naive(_ row: EntryRow) -> NaiveEntryConfiguration {
    func limit(_ limit: cemv_limit) -> UInt64? { row.limits.first { $0.0 == limit }?.1 }
    return NaiveEntryConfiguration(
        statusCheckSupport: row.statusCheck,
        zeroAmountAllowed: row.zeroAmount == CEMV_ZERO_AMOUNT_NOT_ALLOWED ? false : nil,
        zeroAmountForOfflineAllowed: row.zeroAmount == CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED ? true : nil,
        transactionLimit: limit(CEMV_LIMIT_TRANSACTION), floorLimit: limit(CEMV_LIMIT_FLOOR),
        terminalFloorLimit: limit(CEMV_LIMIT_TERMINAL_FLOOR), cvmRequiredLimit: limit(CEMV_LIMIT_CVM_REQUIRED),
        ttq: row.ttq.isEmpty ? nil : NaiveTTQ(row.ttq[0], row.ttq[1], row.ttq[2], row.ttq[3]))
}

private func plain(_ indicators: cemv_indicators) -> NaiveIndicators {
    NaiveIndicators(
        statusCheckRequested: indicators.status_check_requested, notAllowed: indicators.not_allowed,
        zeroAmount: indicators.zero_amount,
        cvmRequiredLimitExceeded: indicators.cvm_required_limit_exceeded,
        floorLimitExceeded: indicators.floor_limit_exceeded,
        copyOfTTQ: indicators.ttq_present
            ? NaiveTTQ(indicators.ttq.0, indicators.ttq.1, indicators.ttq.2, indicators.ttq.3) : nil)
}

/// What is named as the first cause of a refusal.
private func blocker(_ row: EntryRow, amount: UInt64, notAllowed: Bool) -> Int32 {
    guard notAllowed else { return CEMV_BLOCKED_BY_NOTHING }
    if amount == 0 && row.zeroAmount == CEMV_ZERO_AMOUNT_NOT_ALLOWED { return CEMV_BLOCKED_BY_ZERO_AMOUNT }
    if let limit = row.limits.first(where: { $0.0 == CEMV_LIMIT_TRANSACTION }), amount >= limit.1 {
        return Int32(CEMV_LIMIT_TRANSACTION.rawValue)
    }
    return CEMV_BLOCKED_BY_ZERO_AMOUNT
}

private let ttqs: [[UInt8]] = [
    [], [0x36, 0x00, 0x40, 0x80], [0x3E, 0xC0, 0x40, 0x00], [0x08, 0x00, 0x00, 0x00], [0xFF, 0xFF, 0xFF, 0xFF],
    [0x26, 0x80, 0x00, 0x00],
]

extension EntryPoint {
    @Suite struct PreProcessingTests {
        @Test(
            arguments: [0, 2, 3] as [UInt8],
            [CEMV_ZERO_AMOUNT_ONLINE, CEMV_ZERO_AMOUNT_NOT_ALLOWED, CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED])
        func allCombinationsOfLimitsAgreeWithTheNaiveReading(exponent: UInt8, zeroAmount: cemv_zero_amount) {
            let unit = unitOf[exponent]!
            let kinds = [CEMV_LIMIT_TRANSACTION, CEMV_LIMIT_FLOOR, CEMV_LIMIT_TERMINAL_FLOOR, CEMV_LIMIT_CVM_REQUIRED]
            var differences = 0
            for amount in Set([0, 1, unit, unit + 1, 99_999]) {
                for choice in 0..<256 {
                    var row = EntryRow(zeroAmount: zeroAmount)
                    for (place, kind) in kinds.enumerated() {
                        switch choice >> (2 * place) & 3 {
                        case 1: row.limits.append((kind, amount == 0 ? 0 : amount - 1))
                        case 2: row.limits.append((kind, amount))
                        case 3: row.limits.append((kind, amount + 1))
                        default: break
                        }
                    }
                    for statusCheck in [false, true] {
                        for ttq in ttqs {
                            row.statusCheck = statusCheck
                            row.ttq = ttq
                            let found = indicators(of: row, entrySale(amount, exponent: exponent))
                            let expected = naivePreProcess(naive(row), amount: amount, currencyExponent: Int(exponent))
                            let blocked = blocker(row, amount: amount, notAllowed: expected.notAllowed)
                            if plain(found) != expected || Int32(found.blocked_by) != blocked { differences += 1 }
                        }
                    }
                }
            }
            #expect(differences == 0)
        }

        @Test func singleUnitFollowsTheExponentOfTheCurrency() {
            for (exponent, unit) in [(0, 1), (1, 10), (2, 100), (3, 1000), (4, 10000)] as [(UInt8, UInt64)] {
                #expect(
                    indicators(of: EntryRow(statusCheck: true), entrySale(unit, exponent: exponent))
                        .status_check_requested)
                #expect(
                    !indicators(of: EntryRow(statusCheck: true), entrySale(unit + 1, exponent: exponent))
                        .status_check_requested)
                #expect(
                    !indicators(of: EntryRow(statusCheck: false), entrySale(unit, exponent: exponent))
                        .status_check_requested)
            }
        }

        @Test func limitOfTheVerifiedDeviceSetsNoIndicator() {
            #expect(
                plain(indicators(of: EntryRow(limits: [(CEMV_LIMIT_CDCVM_TRANSACTION, 1)]), entrySale(1000)))
                    == NaiveIndicators())
        }

        @Test func limitsHoldToTheLargestAmount() {
            let row = EntryRow(limits: [(CEMV_LIMIT_TRANSACTION, 999_999_999_999)])
            #expect(indicators(of: row, entrySale(999_999_999_999)).not_allowed)
            #expect(!indicators(of: row, entrySale(999_999_999_998)).not_allowed)
        }

        @Test func configuredTTQNeverChanges() {
            let configuration = EntryConfiguration([
                EntryRow(limits: [(CEMV_LIMIT_FLOOR, 0)], ttq: [0x36, 0xC0, 0x40, 0x80])
            ])
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            let session = EntrySession(configuration)
            session.activate()
            #expect(script.seen(0).indicators.ttq.1 == 0x80)
            #expect(entryBytes(configuration.c.combinations[0].ttq) == [0x36, 0xC0, 0x40, 0x80])
        }

        @Test func startByTheReaderAtBUsesTheTTQAsConfigured() {
            for ttq in ttqs {
                let row = EntryRow(
                    statusCheck: true, zeroAmount: CEMV_ZERO_AMOUNT_NOT_ALLOWED,
                    limits: [(CEMV_LIMIT_TRANSACTION, 0), (CEMV_LIMIT_FLOOR, 0), (CEMV_LIMIT_CVM_REQUIRED, 0)], ttq: ttq
                )
                for amount in [0, 100] as [UInt64] {
                    let found = indicators(of: row, entrySale(amount, startB: true))
                    #expect(plain(found) == naiveStartB(naive(row)))
                    #expect(Int32(found.blocked_by) == CEMV_BLOCKED_BY_NOTHING)
                }
            }
        }

        @Test func allCombinationsBlockedTriesAnotherInterface() {
            let blocked = EntryRow(limits: [(CEMV_LIMIT_TRANSACTION, 1000)])
            let configuration = EntryConfiguration([
                blocked, EntryRow(aid: EntryCard.visa, limits: [(CEMV_LIMIT_TRANSACTION, 500)]),
            ])
            let session = EntrySession(configuration, entrySale(1000))
            #expect(session.log == ["ui 18 5", "done"])
            let outcome = session.outcome
            #expect(session.status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE && session.reason == CEMV_REASON_NOT_ALLOWED)
            #expect(
                outcome.start == 0xF0 && outcome.online_response == 0xF0 && outcome.cvm == 0xF0
                    && outcome.alternate_interface == 0xF0)
            #expect(
                outcome.ui_on_outcome_present && !outcome.ui_on_restart_present && !outcome.data_record_present
                    && !outcome.discretionary_present)
            #expect(
                !outcome.receipt && Int32(outcome.field_off_100ms) == CEMV_FIELD_OFF_NA
                    && outcome.removal_timeout_100ms == 0
                    && outcome.kernel_id_size == 0)
            #expect(EntrySession(configuration, entrySale(999)).log == ["ui 15 2", "poll keep"])
        }

        @Test func combinationsAreThoseOfTheTransactionType() {
            let rows = [
                EntryRow(), EntryRow(aid: EntryCard.visa, types: [0x00, 0x20]),
                EntryRow(aid: EntryCard.mastercard, types: [0x01]),
            ]
            let configuration = EntryConfiguration(rows)
            for type in [0x00, 0x01, 0x09, 0x20] as [UInt8] {
                for (place, row) in rows.enumerated() {
                    #expect(
                        cemv_combination_takes(configuration.c.combinations + place, type)
                            == (row.types.isEmpty ? [0x00] : row.types).contains(type))
                }
            }
            let session = EntrySession(configuration, entrySale(type: 0x09))
            #expect(session.log == ["ui 18 5", "done"])
            #expect(
                session.status == CEMV_OUTCOME_TRY_ANOTHER_INTERFACE && session.reason == CEMV_REASON_NO_COMBINATION)
        }

        @Test func blockedCombinationIsNoCandidate() {
            let script = EntryScript(entryOutcome(CEMV_OUTCOME_APPROVED))
            let session = EntrySession(
                EntryConfiguration([EntryRow(limits: [(CEMV_LIMIT_TRANSACTION, 1000)]), EntryRow(kernel: [0x22])]),
                entrySale(1000))
            session.activate()
            #expect(script.seen(0).combination.pointee.kernel_id.0 == 0x22)
        }
    }
}
