// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The issuer's data for people: issuer application data, form factor, tracks, and the fields of the message.
struct IssuerView {
    var scheme: PaymentScheme?
    var showsPAN = false

    /// Lines below a data object of the tree; empty for objects without such a meaning.
    func meanings(of tag: Tag, _ value: Bytes) -> [String] {
        switch tag.rawValue {
        case 0x9F10: issuerData(IssuerApplicationData(value, scheme: scheme))
        case 0x9F6E where scheme == .visa || scheme == .mastercard || scheme == .jcb: formFactor(value)
        case 0x9F67 where scheme == .amex: formFactor(value)
        case 0x57, 0x9F6B: track2(Track2(value))
        case 0x56: track1(Track1(value))
        default: []
        }
    }

    private func hex(_ bytes: some Collection<UInt8>) -> String { Hex.string(bytes) }

    // MARK: Issuer application data

    private func issuerData(_ data: IssuerApplicationData) -> [String] {
        guard let format = data.format else {
            return ["format unknown: " + (data.problem.map { Names.problem($0) } ?? "")]
        }
        var lines = [
            "format: \(Names.format(format))" + (data.isAssumed ? ", told by its shape" : ""),
            "key index \(hex([data.keyIndex])), cryptogram version \(hex([data.version]))",
        ]
        if data.sessionKey != .unpublished {
            lines.append("session key: " + Names.sessionKey(data.sessionKey))
        }
        if data.usesAES { lines.append("the cryptogram is made with AES") }
        if data.coversCounters { lines.append("the cryptogram covers the counters") }
        lines.append("card verification results \(hex(data.verificationResults))")
        lines += IssuerView.lines(of: data.fields, jcb: false).map { "  " + $0 }
        lines += parts(of: data)
        return lines
    }

    private func parts(of data: IssuerApplicationData) -> [String] {
        var lines: [String] = []
        if let algorithm = data.algorithm { lines.append("algorithm \(hex([algorithm]))") }
        if !data.dynamicNumber.isEmpty {
            lines.append("data authentication code or ICC dynamic number \(hex(data.dynamicNumber))")
        }
        if !data.counters.isEmpty { lines.append("counters \(hex(data.counters))") }
        for counter in data.offlineCounters {
            lines.append("  offline amount \(counter.amount), consecutive transactions \(counter.number)")
        }
        if !data.lastOnlineCounter.isEmpty {
            lines.append("counter of the last online transaction \(hex(data.lastOnlineCounter))")
        }
        if !data.discretionary.isEmpty { lines.append("issuer discretionary data \(hex(data.discretionary))") }
        if !data.rest.isEmpty { lines.append("not understood: \(hex(data.rest))") }
        return lines
    }

    /// Set bits, codes with their names, numbers above zero; reserved bits only if they are set.
    static func lines(of fields: [BitField], jcb: Bool) -> [String] {
        fields.compactMap { field in
            let place = "byte \(field.byte) \(bits(field.mask)): "
            let name = Names.meaning(field.meaning)
            let code = Names.value(field, isJCB: jcb)
            // JCB does not publish every code and bit.
            if code == "Unknown" { return place + name + ": code \(field.value)" }
            if !code.isEmpty { return place + name + ": " + code }
            if field.value == 0 || field.meaning == .length { return nil }
            return place + name + (field.mask.nonzeroBitCount == 1 ? "" : ": \(field.value)")
        }
    }

    private static func bits(_ mask: UInt8) -> String {
        let high = 8 - mask.leadingZeroBitCount
        let low = mask.trailingZeroBitCount + 1
        return high == low ? "bit \(high)" : "bits \(high)-\(low)"
    }

    // MARK: Form factor

    private func formFactor(_ value: Bytes) -> [String] {
        guard let scheme else { return [] }
        let factor = FormFactor(value[...], scheme: scheme)
        guard factor.isKnown else { return ["not a form factor of this scheme"] }
        var lines = IssuerView.lines(of: factor.fields, jcb: scheme == .jcb)
        if let country = factor.country { lines.append("country \(country)") }
        if let identifier = factor.identifier {
            lines.append("unique identifier \(hex([UInt8(identifier >> 8), UInt8(identifier & 0xFF)]))")
        }
        if let device = factor.deviceType { lines.append("device type \(device)") }
        if !factor.proprietary.isEmpty { lines.append("proprietary data \(hex(factor.proprietary))") }
        return lines
    }

    // MARK: Tracks

    private func account(_ number: AccountNumber?) -> String {
        number.map { showsPAN ? $0.digits : $0.masked } ?? "none"
    }

    private func track2(_ track: Track2) -> [String] {
        if let problem = track.problem { return ["no track: " + Names.track(problem)] }
        var lines = ["account \(account(track.accountNumber))"]
        if showsPAN, let expiry = track.expiry { lines.append("expiry \(expiry)") }
        if showsPAN, let code = track.serviceCode { lines.append("service code \(code)") }
        return lines
    }

    private func track1(_ track: Track1) -> [String] {
        if let problem = track.problem { return ["no track: " + Names.track(problem)] }
        var lines = ["account \(account(track.accountNumber))"]
        if showsPAN { lines += ["name \(track.name)"] + (track.serviceCode.map { ["service code \($0)"] } ?? []) }
        return lines
    }

    // MARK: The message

    /// Track 1, CVC3 and the positions of the digits in the tracks of mag-stripe mode.
    private static let magStripeTags: [Tag] = [
        0x56, 0x9F60, 0x9F61, 0x9F62, 0x9F63, 0x9F64, 0x9F65, 0x9F66, 0x9F67, 0x9F6B,
    ]

    /// The fields of the message that follow from these data objects, one line each; empty if there is neither a
    /// cryptogram nor a track.
    ///
    /// - Parameter isRecord: true if the objects are one record of a card. A single record never has a chip cryptogram,
    ///   so only objects of mag-stripe mode identify that mode.
    func message(of objects: DataObjects, isRecord: Bool) -> [String] {
        let chip = ChipData(record: CardData(objects.encoded), scheme: scheme)
        guard let mode = chip.mode else { return [] }
        if isRecord, mode != .emv, IssuerView.magStripeTags.allSatisfy({ objects[$0] == nil }) { return [] }
        let kind = mode == .emv ? "EMV mode" : "mag-stripe mode"
        let scheme = chip.scheme?.rawValue ?? "unknown scheme"
        var lines = [scheme + ", " + kind + IssuerView.type(chip.cryptogramType)]
        let fields = chip.messageFields()
        if fields.accountNumber != nil { lines.append("field 2, account number: \(account(chip.accountNumber))") }
        if let expiry = fields.expiry { lines.append("field 14, expiry: \(showsPAN ? expiry : "****")") }
        if let entryMode = fields.entryMode { lines.append("field 22, entry mode: \(entryMode)") }
        if let sequence = fields.sequenceNumber { lines.append("field 23, sequence number: \(sequence)") }
        if let track = fields.track2 {
            let shown = showsPAN ? track : account(chip.accountNumber) + "=, \(track.count) characters"
            lines.append("field 35, track 2: " + shown)
        }
        if let track = fields.track1 {
            lines.append("field 45, track 1: \(showsPAN ? track : "\(track.count) characters")")
        }
        return lines + (mode == .emv ? dataSet(of: chip, objects) : [])
    }

    private static func type(_ type: ChipData.CryptogramType?) -> String {
        switch type {
        case .aac: ", aac"
        case .tc: ", tc"
        case .arqc: ", arqc"
        case nil: ""
        }
    }

    /// Data that the terminal adds; a card's answer alone does not contain them.
    private static let ofTerminal: Set<Tag> = [
        0x95, 0x9A, 0x9C, 0x5F2A, 0x9F02, 0x9F03, 0x9F1A, 0x9F1E, 0x9F33, 0x9F34, 0x9F35, 0x9F37, 0x9F41,
    ]

    private func dataSet(of chip: ChipData, _ objects: DataObjects) -> [String] {
        do throws(IssuerDataSetError) {
            let field = try chip.dataSet()
            let tags = TLVReader(field.bytes).map { "\($0.tag)" }.joined(separator: " ")
            let left = field.leftOut == 0 ? "" : ", \(field.leftOut) left out"
            return ["field 55, \(field.bytes.count) bytes: \(tags)\(left)"]
        } catch {
            switch error {
            case .missing(let tag)
            where IssuerView.ofTerminal.contains(tag) && IssuerView.ofTerminal.allSatisfy({ objects[$0] == nil }):
                return []
            case .missing(let tag): return ["field 55: \(tag) is missing"]
            case .tooLong(let needed): return ["field 55: \(needed) bytes are too many"]
            case .noDefault: return ["field 55: the scheme is not known"]
            case .duplicate, .tooManyEntries: return []
            }
        }
    }
}
