// SPDX-License-Identifier: Apache-2.0
internal import CEMV

/// All calls from Swift into the C module cryptogram/. Bytes are lent for the call, and parts of them are returned as
/// slices.
enum CryptogramBridge {
    private static func lend<Result>(_ bytes: ArraySlice<UInt8>, _ body: (cemv_bytes) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { unsafe body(cemv_bytes(data: $0.baseAddress, size: $0.count)) }
    }

    /// Returns the slice of `whole` at which `part` lies in the lent bytes.
    private static func slice(
        _ part: cemv_bytes, of whole: cemv_bytes, in bytes: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8> {
        guard unsafe part.size > 0, let from = unsafe part.data, let base = unsafe whole.data else {
            return bytes[bytes.endIndex...]
        }
        let start = unsafe bytes.startIndex + (from - base)
        return unsafe bytes[start..<(start + part.size)]
    }

    // MARK: Schemes

    static func scheme(ofAID aid: Bytes) -> PaymentScheme? {
        unsafe lend(aid[...]) { unsafe PaymentScheme(cemv_scheme_of_aid($0)) }
    }

    static func scheme(ofKernel kernel: Bytes) -> PaymentScheme? {
        unsafe lend(kernel[...]) { unsafe PaymentScheme(cemv_scheme_of_kernel($0)) }
    }

    // MARK: Issuer application data

    static func read(_ data: inout IssuerApplicationData, scheme: PaymentScheme?) {
        let bytes = data.bytes
        unsafe lend(bytes) { lent in
            var iad = unsafe cemv_iad()
            _ = unsafe cemv_iad_read(lent, PaymentScheme.code(scheme), &iad)
            data.format = unsafe IssuerApplicationData.Format(rawValue: iad.format)
            data.problem = unsafe IssuerApplicationData.Problem(rawValue: iad.reason)
            data.isAssumed = unsafe iad.assumed
            data.keyIndex = unsafe iad.key_index
            data.version = unsafe iad.version
            data.sessionKey = unsafe IssuerApplicationData.SessionKey(rawValue: iad.session_key) ?? .unpublished
            data.coversCounters = unsafe iad.counters_covered
            data.usesAES = unsafe iad.aes
            data.algorithm = unsafe data.format == .unionPay ? iad.algorithm : nil
            data.verificationResults = unsafe slice(iad.cvr, of: lent, in: bytes)
            data.dynamicNumber = unsafe slice(iad.dynamic_number, of: lent, in: bytes)
            data.counters = unsafe slice(iad.counters, of: lent, in: bytes)
            data.lastOnlineCounter = unsafe slice(iad.last_online_atc, of: lent, in: bytes)
            data.discretionary = unsafe slice(iad.discretionary, of: lent, in: bytes)
            data.rest = unsafe slice(iad.rest, of: lent, in: bytes)
        }
    }

    static func fields(of data: IssuerApplicationData) -> [BitField] {
        guard let format = data.format else { return [] }
        return fields(layout: layout(of: format, version: data.version), data.verificationResults)
    }

    private static func layout(of format: IssuerApplicationData.Format, version: UInt8) -> cemv_layout {
        switch format {
        case .visa0, .visa1, .visa3, .amex, .unionPay: CEMV_LAYOUT_CVR_VISA
        case .visa2, .visa4: CEMV_LAYOUT_CVR_VISA_MOBILE
        case .mChip4, .mChipAdvance: CEMV_LAYOUT_CVR_MCHIP
        case .jcb: CEMV_LAYOUT_CVR_TYPES_SECOND
        case .discover: version < 0x10 ? CEMV_LAYOUT_CVR_TYPES_FIRST : CEMV_LAYOUT_CVR_DISCOVER
        case .commonCore: CEMV_LAYOUT_CVR_CCD
        }
    }

    private static func fields(layout: cemv_layout, _ bytes: ArraySlice<UInt8>) -> [BitField] {
        unsafe lend(bytes) { lent in
            var cursor = unsafe cemv_field_open(UInt8(layout.rawValue), lent)
            var field = cemv_field()
            var fields: [BitField] = []
            while unsafe cemv_field_next(&cursor, &field) {
                let meaning = BitMeaning(rawValue: field.meaning) ?? .reserved
                fields.append(BitField(byte: Int(field.byte), mask: field.mask, meaning: meaning, value: field.value))
            }
            return fields
        }
    }

    static func counters(of data: IssuerApplicationData) -> [IssuerApplicationData.OfflineCounter] {
        unsafe lend(data.bytes) { lent in
            var iad = unsafe cemv_iad()
            guard data.format == .mChip4 || data.format == .mChipAdvance,
                unsafe cemv_iad_read(lent, CEMV_SCHEME_MASTERCARD, &iad)
            else { return [] }
            return (0..<2).compactMap { index in
                var counter = cemv_offline_counter()
                guard unsafe cemv_iad_counter(&iad, index, &counter) else { return nil }
                return IssuerApplicationData.OfflineCounter(amount: counter.amount, number: counter.number)
            }
        }
    }

    // MARK: Tracks

    private static func text(_ digits: cemv_digits, separator: Character = "=") -> String {
        let mark = separator.asciiValue ?? UInt8(ascii: "=")
        let nibbles = unsafe (0..<Int(digits.count)).map { unsafe cemv_digit(digits, $0) }
        return String(
            decoding: nibbles.map { $0 <= 9 ? 0x30 + $0 : $0 == 0x0D ? mark : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func text(_ bytes: cemv_bytes) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: bytes.data, count: bytes.data == nil ? 0 : bytes.size), as: UTF8.self)
    }

    static func read(_ track: inout Track2) {
        unsafe lend(track.bytes) { lent in
            var read = unsafe cemv_track2()
            _ = unsafe cemv_track2_read(lent, &read)
            track.problem = unsafe TrackProblem(rawValue: read.error)
            track.accountNumber = unsafe AccountNumber(digits: text(read.pan))
            track.expiry = unsafe ExpiryMonth(yymm: text(read.expiry))
            track.serviceCode = unsafe read.service_code.count == 0 ? nil : text(read.service_code)
            track.discretionary = unsafe text(read.discretionary)
        }
    }

    static func text(of track: Track2, separator: Character) -> String {
        unsafe lend(track.bytes) { lent in
            var read = unsafe cemv_track2()
            _ = unsafe cemv_track2_read(lent, &read)
            return unsafe text(read.all, separator: separator)
        }
    }

    static func read(_ track: inout Track1) {
        unsafe lend(track.bytes) { lent in
            var read = unsafe cemv_track1()
            _ = unsafe cemv_track1_read(lent, &read)
            track.problem = unsafe TrackProblem(rawValue: read.error)
            track.accountNumber = unsafe AccountNumber(digits: text(read.pan))
            track.name = unsafe text(read.name)
            track.expiry = unsafe ExpiryMonth(yymm: text(read.expiry))
            track.serviceCode = unsafe read.service_code.size == 0 ? nil : text(read.service_code)
            track.discretionary = unsafe text(read.discretionary)
        }
    }

    static func accountNumber(cn: ArraySlice<UInt8>) -> AccountNumber? {
        unsafe lend(cn) { unsafe AccountNumber(digits: text(cemv_digits_of_cn($0))) }
    }

    // MARK: Form factor

    static func read(_ factor: inout FormFactor) {
        let bytes = factor.bytes
        let scheme = factor.scheme
        unsafe lend(bytes) { lent in
            var read = unsafe cemv_form_factor()
            factor.isKnown = unsafe cemv_form_factor_read(lent, PaymentScheme.code(scheme), &read)
            guard factor.isKnown else { return }
            if scheme == .mastercard {
                factor.country = unsafe Hex.string([UInt8(read.country >> 8), UInt8(read.country & 0xFF)])
                factor.identifier = unsafe read.identifier
                if unsafe read.device_present {
                    factor.deviceType = unsafe String(decoding: [read.device.0, read.device.1], as: UTF8.self)
                }
                factor.proprietary = unsafe slice(read.proprietary, of: lent, in: bytes)
            } else if unsafe read.device_present {
                factor.deviceCode = unsafe read.device.0
                factor.fields = unsafe fields(layout: cemv_layout(UInt32(read.layout)), bytes)
            }
        }
    }

    // MARK: Chip data

    /// Lends the lists of chip data to a fresh index over them.
    private static func withChip<Result>(_ lists: [Bytes], _ body: (inout cemv_chip, [cemv_bytes]) -> Result) -> Result
    {
        unsafe lend(lists[0][...]) { record in
            unsafe lend(lists[1][...]) { discretionary in
                unsafe lend(lists[2][...]) { terminal in
                    unsafe lend(lists[3][...]) { name in
                        var chip = cemv_chip()
                        unsafe cemv_chip_clear(&chip)
                        _ = unsafe cemv_chip_add(&chip, record)
                        _ = unsafe cemv_chip_add(&chip, discretionary)
                        _ = unsafe cemv_chip_add(&chip, terminal)
                        unsafe cemv_chip_add_value(&chip, 0x84, name)
                        return unsafe body(&chip, [record, discretionary, terminal, name])
                    }
                }
            }
        }
    }

    static func index(
        _ lists: [Bytes], scheme: PaymentScheme?
    ) -> (objects: [ChipData.Object], scheme: PaymentScheme?, mode: ChipData.Mode?) {
        unsafe withChip(lists) { chip, lent in
            var extract = unsafe cemv_extract()
            unsafe cemv_chip_extract(&chip, PaymentScheme.code(scheme), &extract)
            return unsafe (
                objects(&chip, lent), PaymentScheme(cemv_scheme(UInt32(extract.scheme))),
                ChipData.Mode(rawValue: extract.mode)
            )
        }
    }

    private static func objects(_ chip: inout cemv_chip, _ lent: [cemv_bytes]) -> [ChipData.Object] {
        let count = Int(chip.count)
        return unsafe withUnsafeBytes(of: &chip.object) { raw in
            let objects = unsafe raw.bindMemory(to: cemv_chip_object.self)
            return (0..<count).map { number in
                let object = unsafe objects[number]
                let list = unsafe Int(object.list)
                let start = unsafe object.value.data! - lent[list].data!
                return unsafe ChipData.Object(
                    tag: Tag(unchecked: object.tag), list: list, range: start..<(start + object.value.size))
            }
        }
    }

    // MARK: The data set

    static func entries(ofKernel kernel: Bytes) -> [IssuerDataSet.Entry]? {
        guard kernel.count == 1 else { return nil }
        let set = unsafe cemv_data_set_of_kernel(kernel[0])
        guard unsafe set.count > 0 else { return nil }
        return unsafe UnsafeBufferPointer(start: set.entries, count: set.count).map { entry in
            IssuerDataSet.Entry(
                Tag(unchecked: entry.tag), required: entry.presence == UInt8(CEMV_PRESENCE_REQUIRED.rawValue))
        }
    }

    static func write(_ set: IssuerDataSet, of chip: ChipData) throws(IssuerDataSetError) -> IssuerDataField {
        guard set.entries.count <= IssuerDataSet.maximumEntries else { throw .tooManyEntries(set.entries.count) }
        let entries = set.entries.map { entry in
            let presence = entry.isRequired ? CEMV_PRESENCE_REQUIRED : CEMV_PRESENCE_OPTIONAL
            return cemv_data_set_entry(tag: entry.tag.rawValue, presence: UInt8(presence.rawValue))
        }
        var result = cemv_data_set_result()
        // A header has at most eight bytes, which bounds the size of every set.
        let limit = min(max(set.limit, 0), chip.lists.reduce(8 * entries.count) { $0 + $1.count })
        let bytes = unsafe Bytes(unsafeUninitializedCapacity: limit) { buffer, count in
            unsafe entries.withUnsafeBufferPointer { entries in
                var row = unsafe cemv_data_set(
                    entries: entries.baseAddress, count: entries.count, limit: limit,
                    leave_out: set.overflow == .leaveOut)
                let fault = unsafe cemv_data_set_check(&row, &result.tag)
                result.error = UInt8(fault.rawValue)
                guard fault == CEMV_DATA_SET_OK else { return }
                result = unsafe withChip(chip.lists) { chip, _ in
                    unsafe cemv_data_set_write(&chip, &row, buffer.baseAddress, limit)
                }
            }
            count = result.error == UInt8(CEMV_DATA_SET_OK.rawValue) ? result.size : 0
        }
        switch cemv_data_set_error(UInt32(result.error)) {
        case CEMV_DATA_SET_OK: return IssuerDataField(bytes: bytes, leftOut: result.left_out)
        case CEMV_DATA_SET_MISSING: throw .missing(Tag(unchecked: result.tag))
        case CEMV_DATA_SET_BAD_ENTRY: throw .duplicate(Tag(unchecked: result.tag))
        default: throw .tooLong(needed: result.size)
        }
    }

    // MARK: Other fields

    static func messageFields(of chip: ChipData, pin: ChipData.PINCapability, separator: Character) -> MessageFields {
        unsafe withChip(chip.lists) { row, _ in
            var extract = unsafe cemv_extract()
            unsafe cemv_chip_extract(&row, PaymentScheme.code(chip.scheme), &extract)
            var fields = cemv_iso_fields()
            defer { unsafe cemv_iso_fields_wipe(&fields) }
            let mark = CChar(bitPattern: separator.asciiValue ?? UInt8(ascii: "="))
            unsafe cemv_iso_fields_write(&extract, pin.rawValue, mark, &fields)
            return MessageFields(
                accountNumber: text(of: &fields.pan), expiry: text(of: &fields.expiry),
                entryMode: text(of: &fields.entry_mode),
                sequenceNumber: text(of: &fields.sequence), track2: text(of: &fields.track2),
                track1: text(of: &fields.track1))
        }
    }

    /// Returns the text up to its NUL; `nil` if there is no text.
    private static func text<Characters>(of characters: inout Characters) -> String? {
        let text = unsafe withUnsafeBytes(of: &characters) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? nil : text
    }
}

extension PaymentScheme {
    fileprivate init?(_ scheme: cemv_scheme) {
        switch scheme {
        case CEMV_SCHEME_VISA: self = .visa
        case CEMV_SCHEME_MASTERCARD: self = .mastercard
        case CEMV_SCHEME_AMEX: self = .amex
        case CEMV_SCHEME_JCB: self = .jcb
        case CEMV_SCHEME_DISCOVER: self = .discover
        case CEMV_SCHEME_UNIONPAY: self = .unionPay
        default: return nil
        }
    }

    fileprivate static func code(_ scheme: PaymentScheme?) -> cemv_scheme {
        switch scheme {
        case nil: CEMV_SCHEME_UNKNOWN
        case .visa: CEMV_SCHEME_VISA
        case .mastercard: CEMV_SCHEME_MASTERCARD
        case .amex: CEMV_SCHEME_AMEX
        case .jcb: CEMV_SCHEME_JCB
        case .discover: CEMV_SCHEME_DISCOVER
        case .unionPay: CEMV_SCHEME_UNIONPAY
        }
    }
}

/// SHA-256, with which a journal chains its events.
package enum ChainHash {
    package static func hash(_ bytes: Bytes) -> Bytes {
        var state = cemv_sha256()
        var digest = Bytes(repeating: 0, count: Int(CEMV_SHA256_SIZE))
        unsafe cemv_sha256_init(&state)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe cemv_sha256_update(&state, cemv_bytes(data: bytes.baseAddress, size: bytes.count))
        }
        unsafe cemv_sha256_final(&state, &digest)
        return digest
    }
}
