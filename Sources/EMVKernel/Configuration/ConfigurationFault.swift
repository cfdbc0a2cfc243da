// SPDX-License-Identifier: Apache-2.0
internal import CEMV

extension CAKey {
    var rowName: String { "RID \(Hex.string(rid)), index \(Hex.string(CollectionOfOne(index)))" }
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
            // For an error in the number of rows, the place is the list.
            rowName: fault.field == .none ? nil : configuration.rowName(fault.section, fault.row),
            expected: expectation.expected, found: expectation.found)
        guard fault.field == .options, section == .combination, configuration.combinations.indices.contains(row)
        else { return }
        let kernel = configuration.combinations[row].kernel
        option = kernel.option(error.option).map { "kernel\(kernel.id).\($0)" }
    }
}

/// Limits from the kernel's headers, for error texts.
enum CoreLimit {
    static let kernels = Int(CEMV_MAX_KERNELS), kernelMemory = Int(CEMV_KERNEL_MEMORY_MAX)
    static let kernelTags = Int(CEMV_KERNEL_TAGS_MAX), combinations = Int(CEMV_MAX_COMBINATIONS)
    static let caKeys = Int(CEMV_MAX_CA_KEYS), dynamicLimits = Int(CEMV_MAX_DYNAMIC_LIMITS)
    static let records = Int(CEMV_MAX_RECORDS), tornTransactions = Int(CEMV_TORN_RECORDS)
    static let proprietaryObjects = Int(CEMV_KERNEL_8_PROPRIETARY_MAX)
}

/// The format of a data object in a table of the kernel.
struct TagForm {
    let lengths: ClosedRange<Int>
    /// The format in words, for formats that restrict the characters.
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

extension CheckFault {
    /// Searches the base table first, then the tables of the kernels.
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

    /// Moves a fault of an option of Kernel 5 or 8 in C to the member that it has in a configuration. `number`: index
    /// of the key among those on a curve.
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
    /// Returns the row, among all CA keys, of the `index`-th key on a curve, or of the `index`-th other key.
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
    /// Name and AID, unless they could be an account number: an AID of a registered provider begins with A to F
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
            ? shownAID : "\(PrintableText.shown(name)), \(shownAID)"
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
