// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// A kernel that a program brings, listed where a configuration is checked:
///
///     TapReader(transport, configuration: configuration, kernels: [.visa, .mastercard])
///
/// A firmware in C links what it lists and no more. Swift's linker on Linux keeps the built-in kernels that a program
/// does not list; they are never called.
@safe
public struct Kernel: Sendable {
    public let id: KernelID
    nonisolated(unsafe) let module: cemv_kernel_module

    init(id: KernelID, module: cemv_kernel_module) {
        self.id = id
        unsafe self.module = module
    }

    /// A third-party kernel: `module` points to its `struct cemv_kernel_module` (`cemv_kernel.h`), which is
    /// copied. What that leads to (functions, tags, edges) must live as long as the program does.
    @unsafe
    public init(id: KernelID, module: UnsafeRawPointer) {
        unsafe self.init(id: id, module: module.load(as: cemv_kernel_module.self))
    }

    /// Kernel 2.
    public static var mastercard: Kernel { unsafe Kernel(id: 2, module: cemv_kernel_2) }
    /// Kernel 3.
    public static var visa: Kernel { unsafe Kernel(id: 3, module: cemv_kernel_3) }
    /// Kernel 4.
    public static var americanExpress: Kernel { unsafe Kernel(id: 4, module: cemv_kernel_4) }
    /// Kernel 5.
    public static var jcb: Kernel { unsafe Kernel(id: 5, module: cemv_kernel_5) }
    /// Kernel 6.
    public static var discover: Kernel { unsafe Kernel(id: 6, module: cemv_kernel_6) }
    /// Kernel 7.
    public static var unionPay: Kernel { unsafe Kernel(id: 7, module: cemv_kernel_7) }
    /// Kernel 8, for cards of every scheme. It needs a ``SecretCrypto``, and a session with it takes 10,240 bytes
    /// instead of 8,192.
    public static var kernel8: Kernel { unsafe Kernel(id: 8, module: cemv_kernel_8) }
}

extension [Kernel] {
    /// Every built-in kernel of one scheme: all but Kernel 8.
    public static var all: [Kernel] { [.mastercard, .visa, .americanExpress, .jcb, .discover, .unionPay] }

    /// Every built-in kernel; Kernel 8 where a combination names it.
    static func all(for configuration: Configuration) -> [Kernel] {
        configuration.combinations.contains { $0.kernel.id == 8 } ? all + [.kernel8] : all
    }
}

/// What computes with the secrets of Kernel 8: its private key, the shared secret, session keys, the card's blinding
/// factor (Book C-8, chapter 8). EMVKit has none of its own: EMVSecureChannel brings one over swift-crypto
/// (`SecretCrypto.swiftCrypto`), or a library or secure element stands behind one of yours.
///
///     TapReader(transport, configuration: configuration, secrets: .swiftCrypto)
@safe
public struct SecretCrypto: Sendable {
    let part: cemv_crypto_secret

    /// 64 bytes x and y of a point out, 32 bytes of a scalar in.
    public typealias Public = @convention(c) (UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?) -> Void
    /// 32 bytes x out; 32 bytes of a scalar and 64 of a point in.
    public typealias Multiply =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
        ) -> Void
    /// A key of 16 bytes, blocks of 16 bytes in place, and their number.
    public typealias Encrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int) -> Void
    /// A key of 16 bytes, a block of 16 bytes in place.
    public typealias Decrypt = @convention(c) (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Void
    /// A key of 16 bytes, a chaining value of 16 bytes in place, blocks of 16 bytes, and their number.
    public typealias Chain =
        @convention(c) (
            UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, UnsafePointer<UInt8>?, Int
        ) -> Void

    /// From functions that keep the contract of `struct cemv_crypto_secret` (`cemv_crypto.h`): they take a time that
    /// does not depend on scalars, keys and blocks, leave no copy of them behind and do not fail. No pointer is `nil`.
    ///
    /// - Parameters:
    ///   - p256Public: scalar * G on P-256, 0 < scalar < n.
    ///   - p256Multiply: x of scalar * point, 0 < scalar < n, a point of the curve.
    ///   - aesEncrypt: AES-128 of each block by itself.
    ///   - aesDecrypt: the inverse, of one block.
    ///   - aesChain: for each block, chain = AES(chain xor block).
    @unsafe
    public init(
        p256Public: Public, p256Multiply: Multiply, aesEncrypt: Encrypt, aesDecrypt: Decrypt, aesChain: Chain
    ) {
        unsafe part = cemv_crypto_secret(
            p256_public: p256Public, p256_multiply: p256Multiply, aes_encrypt: aesEncrypt, aes_decrypt: aesDecrypt,
            aes_chain: aesChain)
    }

    /// From C: `table` points to a `struct cemv_crypto_secret`, which is copied. Its functions must live as long as the
    /// program does, and none is `NULL`.
    @unsafe
    public init(table: UnsafeRawPointer) {
        unsafe part = table.load(as: cemv_crypto_secret.self)
    }
}

/// A configuration that the kernel has checked, row by row. Immutable, shared by any number of sessions and threads.
@safe
public final class CheckedConfiguration: Sendable {
    public let configuration: Configuration
    /// ``Configuration/currency``.
    let currency: UInt16?
    let kernels: [Kernel]
    private let secrets: SecretCrypto?
    /// Every pointer that the kernel keeps points into this memory, which is not written after `init`.
    private nonisolated(unsafe) let memory: ConfigurationMemory
    nonisolated(unsafe) let checked: OpaquePointer

    /// For every built-in kernel; for Kernel 8 where a combination names it.
    ///
    /// - Parameter secrets: for Kernel 8 alone. Without it a combination of Kernel 8 is refused
    ///   (``ConfigurationError/Field/secretCrypto``).
    public convenience init(
        _ configuration: Configuration, secrets: SecretCrypto? = nil
    ) throws(ConfigurationError) {
        try self.init(configuration, kernels: .all(for: configuration), secrets: secrets)
    }

    /// For these kernels alone. Throws for the first row that is not right; nothing is guessed or repaired.
    public init(
        _ configuration: Configuration, kernels: [Kernel], secrets: SecretCrypto? = nil
    ) throws(ConfigurationError) {
        try configuration.checkCurrency()
        let memory = ConfigurationMemory()
        var rows = try unsafe memory.rows(configuration, kernels, secrets)
        let size = unsafe cemv_checked_size(&rows)
        var checked: OpaquePointer?
        var error = cemv_config_error()
        let status = unsafe cemv_configuration_check(&rows, memory.allocate(size), size, &checked, &error)
        guard status == CEMV_OK, let result = unsafe checked else {
            throw ConfigurationError(status: status, error: error, configuration: configuration, kernels: kernels)
        }
        self.configuration = configuration
        currency = configuration.currency
        self.kernels = kernels
        self.secrets = secrets
        unsafe self.memory = memory
        unsafe self.checked = result
    }

    /// Another configuration for the same kernels.
    func with(_ configuration: Configuration) throws(ConfigurationError) -> CheckedConfiguration {
        try CheckedConfiguration(configuration, kernels: kernels, secrets: secrets)
    }

    /// The same with every floor limit at zero: every card is asked to go online.
    func onlineOnly() throws(ConfigurationError) -> CheckedConfiguration {
        try CheckedConfiguration(configuration.onlineOnly, kernels: kernels, secrets: secrets)
    }

    /// Which limit keeps the combinations of this transaction from being used, for people to read: the highest where
    /// there are several.
    public func limitRule(for transaction: Transaction) -> LimitRule {
        limitRule(for: transaction) { _ in true } ?? .other
    }

    /// As ``limitRule(for:)`` among the combinations for applications that a card offers; `nil` where no limit keeps
    /// any of them from being used.
    public func limitRule(for transaction: Transaction, offered: [Bytes]) -> LimitRule? {
        limitRule(for: transaction) { aid in offered.contains { $0.starts(with: aid) } }
    }

    private func limitRule(for transaction: Transaction, among isMeant: (Bytes) -> Bool) -> LimitRule? {
        var row = unsafe cemv_transaction(transaction)
        var found: LimitRule?
        for index in unsafe 0..<memory.combinationCount {
            let combination = unsafe memory.combinations + index
            guard unsafe cemv_combination_takes(combination, row.type) else { continue }
            guard isMeant(configuration.combinations[index].aid) else { continue }
            let indicators = unsafe cemv_preprocess(combination, &row)
            guard indicators.not_allowed else { continue }
            let rule = LimitRule(indicators.blocked_by, configuration.combinations[index].limits, transaction.money)
            found = found.map { $0.widened(rule) } ?? rule
        }
        return found
    }
}

/// The memory behind a checked configuration: C rows and the bytes they point to.
@safe
private final class ConfigurationMemory {
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
            var crypto = unsafe cemv_crypto_builtin
            unsafe crypto.secret = allocate([secrets.part])
            unsafe rows.crypto = allocate([crypto])
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

    /// `nil`: the kernel's defaults, or it has none.
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
            // Out of range stays out of range: the kernel's check names it.
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

    private func row(_ options: AmericanExpressOptions) -> cemv_kernel_4_options {
        var row = unsafe cemv_kernel_4_options()
        unsafe fill(&row.tac_denial, options.tacDenial)
        unsafe fill(&row.tac_online, options.tacOnline)
        unsafe fill(&row.tac_default, options.tacDefault)
        // Out of range stays out of range: the kernel's check names it.
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

    /// Kernel 5. Its limits are its own; what is out of range stays so: the kernel's check names it.
    private func row(_ options: JCBOptions, _ limits: Limits) -> cemv_kernel_5_options {
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

    /// One set of bits for every kernel that has them.
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

extension CAKey {
    fileprivate var rowName: String { "RID \(Hex.string(rid)), index \(Hex.string(CollectionOfOne(index)))" }
}

extension ZeroAmount {
    fileprivate var code: UInt8 {
        switch self {
        case .online: UInt8(CEMV_ZERO_AMOUNT_ONLINE.rawValue)
        case .notAllowed: UInt8(CEMV_ZERO_AMOUNT_NOT_ALLOWED.rawValue)
        case .offlineAllowed: UInt8(CEMV_ZERO_AMOUNT_OFFLINE_ALLOWED.rawValue)
        }
    }
}

extension Combination {
    /// Kernels 2 and 8 check limits themselves, at amount > limit: their data with these as data objects. Absent is "no
    /// such limit" for Kernel 2, which knows it only as the highest amount, and the kernel's own default for Kernel 8.
    /// `nil` for every other kernel.
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

    /// Those that are not the kernel's own.
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

extension LimitRule {
    fileprivate init(_ blockedBy: UInt8, _ limits: Limits, _ money: (UInt64) -> Money?) {
        switch Int32(blockedBy) {
        case Int32(CEMV_LIMIT_TRANSACTION.rawValue): self = .transactionLimit(limits.transaction.flatMap(money))
        case CEMV_BLOCKED_BY_ZERO_AMOUNT: self = .zeroAmount
        default: self = .other
        }
    }

    /// The rule that stands for two combinations that are blocked both.
    fileprivate func widened(_ rule: LimitRule) -> LimitRule {
        if case .transactionLimit(let one?) = self, case .transactionLimit(let other?) = rule {
            return .transactionLimit(one.minorUnits < other.minorUnits ? other : one)
        }
        return self == rule ? self : .other
    }
}

extension ConfigurationError {
    init(
        status: cemv_status, error: cemv_config_error, configuration: Configuration, kernels: [Kernel],
        transaction: Transaction? = nil
    ) {
        let section = Section(code: UInt32(error.section))
        let row = section == .caKey ? configuration.place(onCurve: false, Int(error.row)) ?? 0 : Int(error.row)
        var fault = CheckFault(
            section: section, row: row, field: Field(code: UInt32(error.field)), tag: Tag(rawValue: error.tag),
            reason: Reason(status), option: error.option, configuration: configuration, kernels: kernels,
            transaction: transaction)
        fault.move(error.tag)
        let expectation = fault.expectation
        self.init(
            section: fault.section, row: fault.row, field: fault.field, tag: fault.tag, reason: fault.reason,
            // A number of rows is the list's.
            rowName: fault.field == .none ? nil : configuration.rowName(fault.section, fault.row),
            expected: expectation.expected, found: expectation.found)
        guard fault.field == .options, section == .combination, configuration.combinations.indices.contains(row)
        else { return }
        let kernel = configuration.combinations[row].kernel
        option = kernel.option(error.option).map { "kernel\(kernel.id).\($0)" }
    }
}

/// What the headers of the kernel allow, for the words of an error.
enum CoreLimit {
    static let kernels = Int(CEMV_MAX_KERNELS), kernelMemory = Int(CEMV_KERNEL_MEMORY_MAX)
    static let kernelTags = Int(CEMV_KERNEL_TAGS_MAX), combinations = Int(CEMV_MAX_COMBINATIONS)
    static let caKeys = Int(CEMV_MAX_CA_KEYS), dynamicLimits = Int(CEMV_MAX_DYNAMIC_LIMITS)
    static let records = Int(CEMV_MAX_RECORDS), tornTransactions = Int(CEMV_TORN_RECORDS)
    static let proprietaryObjects = Int(CEMV_KERNEL_8_PROPRIETARY_MAX)
}

/// The form of a data object in a table of the kernel.
struct TagForm {
    let lengths: ClosedRange<Int>
    /// The format in words, of those that restrict the characters.
    let characters: String?

    fileprivate init(_ row: cemv_tag_row) {
        lengths = Int(row.min)...Int(max(row.min, row.max))
        characters =
            switch cemv_format(rawValue: row.format) {
            case CEMV_FORMAT_N: "decimal digits, two a byte (format n)"
            case CEMV_FORMAT_CN: "decimal digits, two a byte, and then only F (format cn)"
            case CEMV_FORMAT_AN: "letters and digits (format an)"
            case CEMV_FORMAT_ANS: "printable characters (format ans)"
            case CEMV_FORMAT_A: "letters (format a)"
            default: nil
            }
    }
}

extension Kernel {
    var memorySize: Int { unsafe Int(module.memory_size) }
    var tagCount: Int { unsafe Int(module.tags.count) }
}

extension CheckFault {
    /// In the base table, else in those of the kernels.
    func forms(of tag: Tag) -> [TagForm] {
        if let row = unsafe cemv_base_tag(tag.rawValue) { return [unsafe TagForm(row.pointee)] }
        var forms: [TagForm] = []
        for kernel in kernels {
            let tags = unsafe kernel.module.tags
            for place in unsafe 0..<Int(tags.count) where unsafe tags.rows[place].tag == tag.rawValue {
                unsafe forms.append(TagForm(tags.rows[place]))
            }
        }
        return forms
    }

    /// What is an option of Kernel 5 or 8 in C may be elsewhere in a configuration. `number`: of the key on a curve.
    fileprivate mutating func move(_ number: UInt32) {
        guard field == .options, section == .combination, configuration.combinations.indices.contains(row)
        else { return }
        let kernel = configuration.combinations[row].kernel
        if kernel.jcb != nil, option == CEMV_KERNEL_5_LIMITS.rawValue { field = .limits }
        guard kernel.kernel8 != nil else { return }
        switch cemv_kernel_8_option(rawValue: option) {
        case CEMV_KERNEL_8_SECRET_CRYPTO:
            field = .secretCrypto
        case CEMV_KERNEL_8_PROPRIETARY:
            field = .data
        case CEMV_KERNEL_8_CURVE_KEYS:
            section = .caKey
            row = configuration.place(onCurve: true, Int(number)) ?? 0
            tag = nil
            field =
                switch reason {
                case .duplicate: .index
                case .badChecksum: .checksum256
                default: .point
                }
        default:
            break
        }
    }
}

extension Configuration {
    /// Among all CA keys, the place of the one that is `index`-th of those on a curve or of the others.
    fileprivate func place(onCurve: Bool, _ index: Int) -> Int? {
        let places = caKeys.indices.filter { (caKeys[$0].curve != nil) == onCurve }
        return places.indices.contains(index) ? places[index] : nil
    }

    fileprivate func rowName(_ section: ConfigurationError.Section, _ row: Int) -> String? {
        switch section {
        case .combination where combinations.indices.contains(row):
            return combinations[row].rowName
        case .caKey where caKeys.indices.contains(row):
            return caKeys[row].rowName
        default:
            return nil
        }
    }
}

extension Combination {
    /// Name and AID, as far as neither can be an account number: an AID of a registered provider begins with A to F
    /// (ISO/IEC 7816-5).
    var rowName: String {
        let shownAID = aid.first.map { $0 >= 0xA0 } == true ? Hex.string(aid) : "AID of \(aid.count) bytes"
        var digits = 0
        var mostDigits = 0
        for scalar in name.unicodeScalars {
            digits = scalar.properties.numericType != nil ? digits + 1 : 0
            mostDigits = max(mostDigits, digits)
        }
        return name.isEmpty || name.count > 40 || mostDigits >= 5
            ? shownAID : "\(TextDirection.shown(name)), \(shownAID)"
    }
}

extension ConfigurationError.Section {
    fileprivate init(code: UInt32) {
        switch cemv_config_section(rawValue: code) {
        case CEMV_SECTION_TERMINAL: self = .terminal
        case CEMV_SECTION_COMBINATION: self = .combination
        case CEMV_SECTION_CA_KEY: self = .caKey
        case CEMV_SECTION_REVOCATION: self = .revocation
        case CEMV_SECTION_EXCEPTION: self = .exception
        case CEMV_SECTION_KERNEL: self = .kernel
        case CEMV_SECTION_PROTECTION: self = .protection
        case CEMV_SECTION_TRANSACTION: self = .transaction
        default: self = .other
        }
    }
}

extension ConfigurationError.Field {
    fileprivate init(code: UInt32) {
        switch cemv_config_field(rawValue: code) {
        case CEMV_FIELD_AID: self = .aid
        case CEMV_FIELD_KERNEL_ID: self = .kernelID
        case CEMV_FIELD_TRANSACTION_TYPES: self = .transactionTypes
        case CEMV_FIELD_LIMITS: self = .limits
        case CEMV_FIELD_TTQ: self = .ttq
        case CEMV_FIELD_DATA: self = .data
        case CEMV_FIELD_ZERO_AMOUNT: self = .zeroAmount
        case CEMV_FIELD_DYNAMIC_LIMITS: self = .dynamicLimits
        case CEMV_FIELD_RID: self = .rid
        case CEMV_FIELD_INDEX: self = .index
        case CEMV_FIELD_EXPONENT: self = .exponent
        case CEMV_FIELD_MODULUS: self = .modulus
        case CEMV_FIELD_CHECKSUM: self = .checksum
        case CEMV_FIELD_EXPIRY: self = .expiry
        case CEMV_FIELD_SERIAL: self = .serial
        case CEMV_FIELD_PAN: self = .pan
        case CEMV_FIELD_SEQUENCE: self = .sequence
        case CEMV_FIELD_TYPE: self = .type
        case CEMV_FIELD_AMOUNT: self = .amount
        case CEMV_FIELD_CURRENCY: self = .currency
        case CEMV_FIELD_EXPONENT_OF_CURRENCY: self = .currencyExponent
        case CEMV_FIELD_DATE: self = .date
        case CEMV_FIELD_TIME: self = .time
        case CEMV_FIELD_COUNTER: self = .counter
        case CEMV_FIELD_RANDOM: self = .random
        case CEMV_FIELD_MEMORY: self = .memory
        case CEMV_FIELD_PROTECTION: self = .protection
        case CEMV_FIELD_MODULE: self = .module
        case CEMV_FIELD_READER_MEMORY: self = .readerMemory
        case CEMV_FIELD_TAGS: self = .tags
        case CEMV_FIELD_OPTIONS: self = .options
        default: self = .none
        }
    }
}

extension ConfigurationError.Reason {
    fileprivate init(_ status: cemv_status) {
        switch status {
        case CEMV_NO_MEMORY: self = .noMemory
        case CEMV_MISSING: self = .missing
        case CEMV_BAD_LENGTH: self = .badLength
        case CEMV_BAD_VALUE: self = .badValue
        case CEMV_BAD_TLV: self = .badTLV
        case CEMV_UNKNOWN_TAG: self = .unknownTag
        case CEMV_NOT_CONFIGURABLE: self = .notConfigurable
        case CEMV_DUPLICATE: self = .duplicate
        case CEMV_UNKNOWN_KERNEL: self = .unknownKernel
        case CEMV_BAD_CHECKSUM: self = .badChecksum
        case CEMV_TOO_MANY: self = .tooMany
        case CEMV_NO_RANDOM: self = .noRandom
        case CEMV_WEAK_KEY: self = .weakKey
        case CEMV_CONFLICT: self = .conflict
        default: self = .other
        }
    }
}

extension Combination {
    /// What the kernel's structure cannot hold is refused before: fixed lengths, and sets beyond the numbers 1 to 15.
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
    /// Bytes of another length than the C row holds.
    fileprivate init(
        lengthOf field: Field, _ bytes: Bytes, _ size: Int, _ section: Section, _ row: Int, _ rowName: String? = nil
    ) {
        self.init(
            section: section, row: row, field: field, reason: .badLength, rowName: rowName,
            expected: byteCount(size), found: byteCount(bytes.count))
    }
}
