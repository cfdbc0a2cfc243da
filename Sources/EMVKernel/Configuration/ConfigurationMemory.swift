// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// The memory behind a checked configuration: C rows and the bytes they point to.
@safe
final class ConfigurationMemory {
    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    private(set) var combinations: UnsafePointer<cemv_combination>!
    private(set) var combinationCount = 0

    deinit {
        while let block = unsafe blocks.popLast() { unsafe block.deallocate() }
    }

    func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: Int(CEMV_ALIGNMENT))
        unsafe blocks.append(block)
        return unsafe block
    }

    private func allocate<Row>(_ rows: [Row]) -> UnsafePointer<Row> {
        let place = unsafe allocate(MemoryLayout<Row>.stride * rows.count).bindMemory(
            to: Row.self, capacity: rows.count)
        unsafe place.initialize(from: rows, count: rows.count)
        return unsafe UnsafePointer(place)
    }

    private func keep(_ bytes: Bytes) -> cemv_bytes {
        guard !bytes.isEmpty else { return unsafe cemv_bytes(data: nil, size: 0) }
        return unsafe cemv_bytes(data: allocate(bytes), size: bytes.count)
    }

    func rows(
        _ configuration: Configuration, _ kernels: [Kernel], _ secrets: SecretCrypto?
    ) throws(ConfigurationError) -> cemv_configuration {
        var combinations: [cemv_combination] = unsafe []
        for (index, combination) in configuration.combinations.enumerated() {
            unsafe combinations.append(try row(combination, index))
        }
        var keys: [cemv_ca_key] = unsafe []
        var curveKeys: [cemv_curve_key] = unsafe []
        for (index, key) in configuration.caKeys.enumerated() {
            if let curve = key.curve {
                unsafe curveKeys.append(try row(key, curve, index))
            } else {
                unsafe keys.append(try row(key, index))
            }
        }
        var revocations: [cemv_revocation] = []
        for (index, entry) in configuration.revoked.enumerated() { revocations.append(try row(entry, index)) }
        let exceptions = unsafe configuration.exceptions.map(row)
        let modules = unsafe kernels.map(row)

        var rows = unsafe cemv_configuration()
        unsafe rows.terminal_data = keep(configuration.terminal.encoded)
        unsafe self.combinations = allocate(combinations)
        combinationCount = unsafe combinations.count
        unsafe rows.combinations = self.combinations
        unsafe rows.combination_count = unsafe combinations.count
        unsafe rows.ca_keys = allocate(keys)
        unsafe rows.ca_key_count = unsafe keys.count
        unsafe rows.curve_keys = allocate(curveKeys)
        unsafe rows.curve_key_count = unsafe curveKeys.count
        unsafe rows.revocations = allocate(revocations)
        unsafe rows.revocation_count = revocations.count
        unsafe rows.exceptions = allocate(exceptions)
        unsafe rows.exception_count = unsafe exceptions.count
        unsafe rows.kernels = allocate(modules)
        unsafe rows.kernel_count = unsafe modules.count
        unsafe rows.poi_information = keep(configuration.poiInformation)
        unsafe rows.protection = cemv_protection(configuration.protection)
        if let secrets {
            var crypto = unsafe cemv_crypto_fastest().pointee
            unsafe crypto.secret = allocate([secrets.part])
            unsafe rows.crypto = allocate([crypto])
        } else {
            unsafe rows.crypto = cemv_crypto_fastest()
        }
        return unsafe rows
    }

    private func row(_ kernel: Kernel) -> cemv_kernel_row {
        var row = unsafe cemv_kernel_row()
        unsafe fill(&row.id, kernel.id.bytes)
        unsafe row.id_size = UInt8(kernel.id.size)
        unsafe row.module = allocate([kernel.module])
        return unsafe row
    }

    /// Returns the kernel's options in C; `nil` if the defaults apply or the kernel has no options.
    private func options(_ combination: Combination) -> UnsafeRawPointer? {
        switch combination.kernel.options {
        case .none:
            return nil
        case .visa(let options):
            var row = unsafe cemv_kernel_3_options()
            unsafe row.dynamic_limits = allocate(
                options.dynamicLimits.map { limit in
                    unsafe cemv_dynamic_limit(
                        program: keep(limit.program), limits: cemv_limits(limit.limits),
                        zero_amount: limit.zeroAmount.code, status_check: limit.statusCheck)
                })
            unsafe row.dynamic_limit_count = options.dynamicLimits.count
            unsafe row.usage_control_off = !options.usageControl
            unsafe row.gpo_format_1 = options.acceptsFormat1
            return unsafe UnsafeRawPointer(allocate([row]))
        case .americanExpress(let options):
            return unsafe UnsafeRawPointer(allocate([row(options)]))
        case .jcb(let options):
            return unsafe UnsafeRawPointer(allocate([row(options, combination.limits)]))
        case .discover(let options):
            var row = cemv_kernel_6_options()
            row.mode =
                switch options.mode {
                case .automatic: UInt8(CEMV_KERNEL_6_MODE_AUTO.rawValue)
                case .emv: UInt8(CEMV_KERNEL_6_MODE_EMV.rawValue)
                case .ms: UInt8(CEMV_KERNEL_6_MODE_MS.rawValue)
                case .legacy: UInt8(CEMV_KERNEL_6_MODE_LEGACY.rawValue)
                }
            row.other_interfaces = interfaces(options.otherInterfaces)
            // An out-of-range value stays out of range, so that the kernel's check reports it.
            row.cvr_byte = (0...254).contains(options.cvrOffset) ? UInt8(options.cvrOffset + 1) : .max
            row.one_presentment = !options.twoPresentments
            row.track_1_tag = options.track1.rawValue
            return unsafe UnsafeRawPointer(allocate([row]))
        case .unionPay(let options):
            var row = cemv_kernel_7_options()
            row.oda_for_online = options.odaForOnline
            row.cvm_off = !options.cvm
            row.other_interfaces = interfaces(options.otherInterfaces)
            return unsafe UnsafeRawPointer(allocate([row]))
        case .kernel8(let options):
            var row = cemv_kernel_8_options()
            row.relay_latency_us = options.relayLatencyMicroseconds
            row.no_data_exchange = !options.dataExchange
            return unsafe UnsafeRawPointer(allocate([row]))
        case .other(let bytes):
            return unsafe UnsafeRawPointer(allocate(bytes))  // aligned for any structure
        }
    }

    private func row(_ options: CombinationKernel.AmericanExpressOptions) -> cemv_kernel_4_options {
        var row = unsafe cemv_kernel_4_options()
        unsafe fill(&row.tac_denial, options.tacDenial)
        unsafe fill(&row.tac_online, options.tacOnline)
        unsafe fill(&row.tac_default, options.tacDefault)
        // An out-of-range value stays out of range, so that the kernel's check reports it.
        unsafe row.number_range = UInt16(exactly: options.unpredictableNumberRange).flatMap { $0 == 0 ? nil : $0 } ?? 1
        unsafe row.cannot_go_online = !options.onlineAvailable
        unsafe row.discretionary_list = keep(options.discretionaryDataObjectList)
        if let limits = options.dynamicLimits {
            var sets: [UnsafePointer<cemv_limits>?] = unsafe []
            unsafe sets.append(allocate([cemv_limits(limits.standard)]))
            for number in 1...Int(CEMV_KERNEL_4_LIMIT_SETS) {
                unsafe sets.append(limits.numbered[number].map { unsafe allocate([cemv_limits($0)]) })
            }
            unsafe row.dynamic_limits = allocate(sets)
        }
        return unsafe row
    }

    /// The options row of Kernel 5, which includes the kernel's own limits. An out-of-range value stays out of range,
    /// so that the kernel's check reports it.
    private func row(_ options: CombinationKernel.JCBOptions, _ limits: Limits) -> cemv_kernel_5_options {
        var row = cemv_kernel_5_options()
        row.limits = cemv_limits(limits)
        fill(&row.combination_options, options.combinationOptions)
        fill(&row.terminal_interchange_profile, options.terminalInterchangeProfile)
        let codes: [(Bytes?, UInt32)] = [
            (options.tacDenial, CEMV_KERNEL_5_GIVEN_TAC_DENIAL.rawValue),
            (options.tacOnline, CEMV_KERNEL_5_GIVEN_TAC_ONLINE.rawValue),
            (options.tacDefault, CEMV_KERNEL_5_GIVEN_TAC_DEFAULT.rawValue),
        ]
        for (code, given) in codes where code != nil { row.given |= UInt8(given) }
        fill(&row.tac_denial, options.tacDenial ?? [])
        fill(&row.tac_online, options.tacOnline ?? [])
        fill(&row.tac_default, options.tacDefault ?? [])
        if let selection = options.randomSelection {
            row.given |= UInt8(CEMV_KERNEL_5_GIVEN_SELECTION.rawValue)
            row.threshold = selection.threshold
            row.target = UInt8(exactly: selection.target) ?? .max
            row.maximum_target = UInt8(exactly: selection.maximumTarget) ?? .max
        }
        row.removal_timeout = UInt16(exactly: options.removalTimeout) ?? .max
        fill(&row.transit_agent, options.transitAgent ?? [])
        fill(&row.transit_data, options.transitData ?? [])
        return row
    }

    /// One set of bits, used by every kernel with this option.
    private func interfaces(_ given: Set<OtherInterface>?) -> UInt8 {
        guard let given else { return UInt8(CEMV_KERNEL_7_AS_TERMINAL.rawValue) }
        if given.isEmpty { return UInt8(CEMV_KERNEL_7_NO_INTERFACE.rawValue) }
        return given.reduce(0) { bits, interface in
            bits
                | UInt8(
                    interface == .contact ? CEMV_KERNEL_7_CONTACT.rawValue : CEMV_KERNEL_7_MAGSTRIPE.rawValue)
        }
    }

    private func row(_ combination: Combination, _ index: Int) throws(ConfigurationError) -> cemv_combination {
        let ownLimits = try combination.limitsOfKernel(index)
        try combination.checkOptions(index)
        let jcb = combination.kernel.jcb
        var row = unsafe cemv_combination()
        unsafe row.aid = keep(combination.aid)
        unsafe fill(&row.kernel_id, combination.kernel.id.bytes)
        unsafe row.kernel_id_size = UInt8(combination.kernel.id.size)
        unsafe row.extended_selection = combination.extendedSelection
        unsafe row.status_check = combination.statusCheck
        unsafe row.zero_amount = combination.zeroAmount.code
        unsafe row.transaction_types = keep(combination.transactionTypes.map { $0.rawValue })
        unsafe row.limits = cemv_limits(jcb == nil ? combination.limitsOfEntryPoint : Limits())
        unsafe row.ttq = keep(combination.ttq ?? [])
        unsafe row.data = keep((ownLimits ?? combination.data).encoded)
        unsafe row.options = options(combination)
        unsafe row.own_protection = combination.protection != nil
        unsafe row.protection = cemv_protection(combination.protection ?? Protection())
        return unsafe row
    }

    private func row(_ key: CAKey, _ index: Int) throws(ConfigurationError) -> cemv_ca_key {
        guard key.rid.count == 5 else {
            throw ConfigurationError(lengthOf: .rid, key.rid, 5, .caKey, index, key.rowName)
        }
        var row = unsafe cemv_ca_key()
        unsafe fill(&row.rid, key.rid)
        unsafe row.index = key.index
        unsafe row.exponent = key.exponent
        unsafe row.modulus = keep(key.modulus)
        unsafe row.sha1 = keep(key.sha1 ?? [])
        if let expires = key.expires { unsafe row.expires = expires.bcd }
        unsafe row.test = key.isTest
        return unsafe row
    }

    private func row(_ key: CAKey, _ curve: CAKey.Curve, _ index: Int) throws(ConfigurationError) -> cemv_curve_key {
        guard key.rid.count == 5 else {
            throw ConfigurationError(lengthOf: .rid, key.rid, 5, .caKey, index, key.rowName)
        }
        let size = Int(CEMV_SHA256_SIZE)
        if let sha256 = curve.sha256, sha256.count != size {
            throw ConfigurationError(lengthOf: .checksum256, sha256, size, .caKey, index, key.rowName)
        }
        if curve.suite == 0x10 {
            let size = Int(CEMV_P256_SIZE)
            guard curve.x.count == size, curve.y.count == size else {
                throw ConfigurationError(
                    section: .caKey, row: index, field: .point, reason: .badLength, rowName: key.rowName,
                    expected: "x and y of \(byteCount(size)) each",
                    found: "\(curve.x.count) and \(byteCount(curve.y.count))")
            }
        }
        var row = unsafe cemv_curve_key()
        unsafe fill(&row.rid, key.rid)
        unsafe row.index = key.index
        unsafe row.suite = curve.suite
        unsafe row.x = keep(curve.x)
        unsafe row.y = keep(curve.y)
        unsafe row.sha256 = keep(curve.sha256 ?? [])
        if let expires = key.expires { unsafe row.expires = expires.bcd }
        unsafe row.test = key.isTest
        return unsafe row
    }

    private func row(_ entry: Revocation, _ index: Int) throws(ConfigurationError) -> cemv_revocation {
        guard entry.rid.count == 5 else {
            throw ConfigurationError(lengthOf: .rid, entry.rid, 5, .revocation, index)
        }
        guard entry.serial.count == 3 else {
            throw ConfigurationError(lengthOf: .serial, entry.serial, 3, .revocation, index)
        }
        var row = cemv_revocation()
        fill(&row.rid, entry.rid)
        row.index = entry.index
        fill(&row.serial, entry.serial)
        return row
    }

    private func row(_ entry: ExceptionEntry) -> cemv_exception {
        unsafe cemv_exception(pan: keep(entry.pan), sequence: entry.sequence ?? 0, any_sequence: entry.sequence == nil)
    }
}

/// Copies bytes to the start of a fixed C array.
private func fill<Array>(_ array: inout Array, _ bytes: Bytes) {
    unsafe withUnsafeMutableBytes(of: &array) { unsafe $0.copyBytes(from: bytes.prefix($0.count)) }
}

extension Combination.ZeroAmount {
    fileprivate var code: UInt8 {
        switch self {
        case .online: UInt8(CEMV_ZERO_AMOUNT_ONLINE.rawValue)
        case .notAllowed: UInt8(CEMV_ZERO_AMOUNT_NOT_ALLOWED.rawValue)
        case .offlineAllowed: UInt8(CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED.rawValue)
        }
    }
}

extension Combination {
    /// Kernels 2 and 8 check limits themselves, at amount > limit. Returns their data with these limits as data
    /// objects. For an absent limit Kernel 2 gets the highest amount, its only way to say "no such limit", and Kernel 8
    /// uses its own default. Returns `nil` for every other kernel.
    fileprivate func limitsOfKernel(_ row: Int) throws(ConfigurationError) -> DataObjects? {
        let objects: [(Tag, UInt64?)]
        let absent: Bytes?
        if let fault = limits.fault("limits") {
            throw ConfigurationError(
                section: .combination, row: row, field: .limits, reason: .badValue, rowName: rowName,
                expected: fault.expected, found: fault.found)
        }
        switch kernel.id.number {
        case 2:
            objects = [
                (0xDF8123, limits.floor), (0xDF8124, limits.transaction), (0xDF8125, limits.cdcvmTransaction),
                (0xDF8126, limits.cvmRequired),
            ]
            absent = twelveDigits(999_999_999_999)
        case 8:
            objects = [(0x9F820D, limits.floor), (0x9F820E, limits.cvmRequired)]
            absent = nil
        default:
            return nil
        }
        var data = data
        for (tag, limit) in objects {
            if limit != nil, data[tag] != nil {
                throw ConfigurationError(
                    section: .combination, row: row, field: .limits, tag: tag, reason: .conflict, rowName: rowName,
                    expected: "this limit once, in \"limits\" or as \(tag) in \"data\"", found: "both")
            }
            if data[tag] == nil { data[tag] = limit.map(twelveDigits) ?? absent }
        }
        return data
    }

    /// The limits that Entry Point checks, not the kernel.
    fileprivate var limitsOfEntryPoint: Limits {
        switch kernel.id.number {
        case 2: return Limits()
        case 8:
            var rest = limits
            (rest.floor, rest.cvmRequired) = (nil, nil)
            return rest
        default: return limits
        }
    }
}

/// n 12.
private func twelveDigits(_ number: UInt64) -> Bytes {
    var left = number
    var digits = Bytes(repeating: 0, count: 6)
    for place in digits.indices.reversed() {
        digits[place] = UInt8(left % 10 | (left / 10 % 10) << 4)
        left /= 100
    }
    return digits
}

extension cemv_limits {
    fileprivate init(_ limits: Limits) {
        self.init()
        let all = [
            (CEMV_LIMIT_TRANSACTION, limits.transaction), (CEMV_LIMIT_FLOOR, limits.floor),
            (CEMV_LIMIT_TERMINAL_FLOOR, limits.terminalFloor), (CEMV_LIMIT_CVM_REQUIRED, limits.cvmRequired),
            (CEMV_LIMIT_CDCVM_TRANSACTION, limits.cdcvmTransaction),
        ]
        for (limit, value) in all {
            guard let value else { continue }
            unsafe withUnsafeMutableBytes(of: &amount) {
                unsafe $0.storeBytes(of: value, toByteOffset: Int(limit.rawValue) * 8, as: UInt64.self)
            }
            present |= 1 << UInt8(limit.rawValue)
        }
    }
}

extension cemv_protection {
    fileprivate init(_ protection: Protection) {
        self.init()
        switch protection.profile {
        case .guarded: profile = UInt8(CEMV_PROFILE_GUARDED.rawValue)
        case .book: profile = UInt8(CEMV_PROFILE_BOOK.rawValue)
        case .strict: profile = UInt8(CEMV_PROFILE_STRICT.rawValue)
        }
        switch protection.cdcvmTrust {
        case .profile: cdcvm_trust = UInt8(CEMV_CDCVM_PROFILE.rawValue)
        case .book: cdcvm_trust = UInt8(CEMV_CDCVM_BOOK.rawValue)
        case .verifyIfPresent: cdcvm_trust = UInt8(CEMV_CDCVM_VERIFY_IF_PRESENT.rawValue)
        case .authenticated: cdcvm_trust = UInt8(CEMV_CDCVM_AUTHENTICATED.rawValue)
        }
        unsolicited_sdad = protection.unsolicitedSDAD.code
        oda_tamper = protection.odaTamper.code
        cid_mismatch = protection.cidMismatch.code
        brand_check = protection.brandCheck.code
        expiry_mismatch = protection.expiryMismatch.code
        luhn = protection.luhn.code
        offline = protection.offline.code
        allow_test_keys = protection.allowTestKeys ? 1 : 0
        min_ca_bits = protection.minCABits ?? 0
        max_taps = protection.maxTaps ?? 0
        max_records = protection.maxRecords ?? 0
        magstripe = protection.magStripeMode.code
        legacy = protection.legacyMode.code
        kernel_fallback = protection.kernelFallback.code
        min_number_digits = protection.minUNDigits ?? 0
        torn = protection.torn.code
        torn_lifetime_s = protection.tornLifetime ?? 0
        relay = protection.relay.code
        relay_max_card_ms = protection.relayMaxCardTime ?? 0
        relay_latency_us = protection.relayLatency ?? 0
    }
}

extension Protection.Relay {
    fileprivate var code: UInt8 {
        switch self {
        case .profile: UInt8(CEMV_RELAY_PROFILE.rawValue)
        case .off: UInt8(CEMV_RELAY_OFF.rawValue)
        case .book: UInt8(CEMV_RELAY_BOOK.rawValue)
        case .declined: UInt8(CEMV_RELAY_DECLINE.rawValue)
        case .required: UInt8(CEMV_RELAY_REQUIRED.rawValue)
        }
    }
}

extension Protection.Torn {
    fileprivate var code: UInt8 {
        switch self {
        case .profile: UInt8(CEMV_TORN_PROFILE.rawValue)
        case .off: UInt8(CEMV_TORN_OFF.rawValue)
        case .book: UInt8(CEMV_TORN_BOOK.rawValue)
        case .sameSale: UInt8(CEMV_TORN_SAME_SALE.rawValue)
        }
    }
}

extension Protection.Rule {
    fileprivate var code: UInt8 {
        switch self {
        case .profile: UInt8(CEMV_RULE_PROFILE.rawValue)
        case .off: UInt8(CEMV_RULE_OFF.rawValue)
        case .report: UInt8(CEMV_RULE_REPORT.rawValue)
        case .enforce: UInt8(CEMV_RULE_ENFORCE.rawValue)
        }
    }
}

extension Combination {
    /// Rejects options that the kernel's C structure cannot hold: a fixed-length value of another length, and limit
    /// sets numbered outside 1 to 15.
    fileprivate func checkOptions(_ index: Int) throws(ConfigurationError) {
        if let options = kernel.americanExpress {
            try check(options.tacDenial, 5, "kernel4.tacDenial", index)
            try check(options.tacOnline, 5, "kernel4.tacOnline", index)
            try check(options.tacDefault, 5, "kernel4.tacDefault", index)
            let numbers = options.dynamicLimits.map { $0.numbered.keys.sorted() } ?? []
            if let number = numbers.first(where: { !(1...15).contains($0) }) {
                throw refused(
                    index, "kernel4.dynamicLimits", .badValue, "sets of the numbers 1 to 15", shownNumber(number))
            }
        }
        if let options = kernel.jcb {
            try check(options.combinationOptions, 2, "kernel5.combinationOptions", index)
            try check(options.terminalInterchangeProfile, 3, "kernel5.terminalInterchangeProfile", index)
            try check(options.tacDenial, 5, "kernel5.tacDenial", index)
            try check(options.tacOnline, 5, "kernel5.tacOnline", index)
            try check(options.tacDefault, 5, "kernel5.tacDefault", index)
            try check(options.transitAgent, 16, "data.DF83", index)
            try check(options.transitData, 50, "data.DF84", index)
        }
    }

    private func check(_ bytes: Bytes?, _ size: Int, _ option: String, _ index: Int) throws(ConfigurationError) {
        guard let bytes, bytes.count != size else { return }
        throw refused(index, option, .badLength, byteCount(size), byteCount(bytes.count))
    }

    private func refused(
        _ index: Int, _ option: String, _ reason: ConfigurationError.Reason, _ expected: String, _ found: String
    ) -> ConfigurationError {
        var error = ConfigurationError(
            section: .combination, row: index, field: .options, reason: reason, rowName: rowName, expected: expected,
            found: found)
        error.option = option
        return error
    }
}

extension ConfigurationError {
    /// Reports bytes whose length differs from that of the C row's member.
    fileprivate init(
        lengthOf field: Field, _ bytes: Bytes, _ size: Int, _ section: Section, _ row: Int, _ rowName: String? = nil
    ) {
        self.init(
            section: section, row: row, field: field, reason: .badLength, rowName: rowName,
            expected: byteCount(size), found: byteCount(bytes.count))
    }
}
