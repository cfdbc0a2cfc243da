// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain reading of Book B v2.10, 3.1.1 and 3.2.1.1.
// Written from the book alone, without the kernel beside it: the two are compared by tests.

/// Terminal Transaction Qualifiers, 9F66 (Book A Table 5-4).
struct NaiveTTQ: Equatable, Hashable, Sendable {
    var byte1: UInt8
    var byte2: UInt8
    var byte3: UInt8
    var byte4: UInt8

    init(_ byte1: UInt8, _ byte2: UInt8, _ byte3: UInt8, _ byte4: UInt8) {
        self.byte1 = byte1
        self.byte2 = byte2
        self.byte3 = byte3
        self.byte4 = byte4
    }

    var bytes: [UInt8] { [byte1, byte2, byte3, byte4] }

    var contactChipSupported: Bool { byte1 & 0x10 != 0 }
    var offlineOnly: Bool { byte1 & 0x08 != 0 }
    var onlinePINSupported: Bool { byte1 & 0x04 != 0 }
    var signatureSupported: Bool { byte1 & 0x02 != 0 }
    var odaForOnlineSupported: Bool { byte1 & 0x01 != 0 }
    var onlineCryptogramRequired: Bool { byte2 & 0x80 != 0 }
    var cvmRequired: Bool { byte2 & 0x40 != 0 }
    var issuerUpdateSupported: Bool { byte3 & 0x80 != 0 }
    var cdcvmSupported: Bool { byte3 & 0x40 != 0 }
}

/// Entry Point configuration data of one combination (Book A Table 5-2). `nil` means absent.
struct NaiveEntryConfiguration: Equatable, Sendable {
    /// The transaction types this set is for (Book A 8.1.1.1); `nil` means all.
    var transactionTypes: [UInt8]? = nil
    var statusCheckSupport: Bool? = nil
    var zeroAmountAllowed: Bool? = nil
    var zeroAmountForOfflineAllowed: Bool? = nil
    var transactionLimit: UInt64? = nil
    var floorLimit: UInt64? = nil
    var terminalFloorLimit: UInt64? = nil
    var cvmRequiredLimit: UInt64? = nil
    var ttq: NaiveTTQ? = nil
}

/// Entry Point pre-processing indicators (Book A Table 5-3).
struct NaiveIndicators: Equatable, Sendable {
    var statusCheckRequested = false
    var notAllowed = false
    var zeroAmount = false
    var cvmRequiredLimitExceeded = false
    var floorLimitExceeded = false
    var copyOfTTQ: NaiveTTQ? = nil
}

/// One combination, Start A (Book B 3.1.1.1 to 3.1.1.12).
func naivePreProcess(
    _ configuration: NaiveEntryConfiguration, amount: UInt64, currencyExponent: Int
) -> NaiveIndicators {
    // 3.1.1.1
    var indicators = NaiveIndicators()

    // 3.1.1.2
    if let ttq = configuration.ttq {
        var copy = ttq
        copy.byte2 &= 0x3F
        indicators.copyOfTTQ = copy
    }

    // 3.1.1.3: one major unit of the currency
    var singleUnit: UInt64 = 1
    var digits = 0
    while digits < currencyExponent {
        singleUnit *= 10
        digits += 1
    }
    if configuration.statusCheckSupport == true {
        if amount == singleUnit {
            indicators.statusCheckRequested = true
        }
    }

    // 3.1.1.4
    if amount == 0 {
        if configuration.zeroAmountForOfflineAllowed == true {
            // carries on with 3.1.1.5
        } else {
            if configuration.zeroAmountAllowed == false {
                indicators.notAllowed = true
            } else {
                indicators.zeroAmount = true
            }
        }
    }

    // 3.1.1.5
    if let limit = configuration.transactionLimit {
        if amount >= limit {
            indicators.notAllowed = true
        }
    }

    // 3.1.1.6
    if let limit = configuration.floorLimit {
        if amount > limit {
            indicators.floorLimitExceeded = true
        }
    }

    // 3.1.1.7
    if configuration.floorLimit == nil {
        if let limit = configuration.terminalFloorLimit {
            if amount > limit {
                indicators.floorLimitExceeded = true
            }
        }
    }

    // 3.1.1.8
    if let limit = configuration.cvmRequiredLimit {
        if amount >= limit {
            indicators.cvmRequiredLimitExceeded = true
        }
    }

    if var copy = indicators.copyOfTTQ {
        // 3.1.1.9
        if indicators.floorLimitExceeded {
            copy.byte2 |= 0x80
        }
        // 3.1.1.10
        if indicators.statusCheckRequested {
            copy.byte2 |= 0x80
        }
        // 3.1.1.11
        if indicators.zeroAmount {
            if copy.offlineOnly {
                indicators.notAllowed = true
            } else {
                copy.byte2 |= 0x80
            }
        }
        // 3.1.1.12
        if indicators.cvmRequiredLimitExceeded {
            copy.byte2 |= 0x40
        }
        indicators.copyOfTTQ = copy
    }

    return indicators
}

/// What Start A leaves behind for the combinations of one transaction.
struct NaivePreProcessingResult: Equatable, Sendable {
    /// One place per configured combination; `nil` where it is not for this transaction type.
    var indicators: [NaiveIndicators?]
    /// 3.1.1.13: every combination of the transaction is blocked
    /// (message 18, processing error). True as well where there is none at all.
    var tryAnotherInterface: Bool
}

/// All combinations, Start A (Book B 3.1.1.1 to 3.1.1.13).
func naivePreProcess(
    _ combinations: [NaiveEntryConfiguration], amount: UInt64, currencyExponent: Int, type: UInt8
) -> NaivePreProcessingResult {
    var all: [NaiveIndicators?] = []
    var anyAllowed = false
    for configuration in combinations {
        // Book A 8.1.1.1: the combinations belong to a type of transaction
        if let types = configuration.transactionTypes {
            if !types.contains(type) {
                all.append(nil)
                continue
            }
        }
        let indicators = naivePreProcess(
            configuration, amount: amount, currencyExponent: currencyExponent)
        if !indicators.notAllowed {
            anyAllowed = true
        }
        all.append(indicators)
    }
    // 3.1.1.13
    return NaivePreProcessingResult(indicators: all, tryAnotherInterface: !anyAllowed)
}

/// One combination at Start B by the reader with the Restart flag 0 (Book B 3.2.1.1):
/// all zero, the TTQ exactly as configured.
func naiveStartB(_ configuration: NaiveEntryConfiguration) -> NaiveIndicators {
    var indicators = NaiveIndicators()
    indicators.copyOfTTQ = configuration.ttq
    return indicators
}
