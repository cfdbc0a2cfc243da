// SPDX-License-Identifier: Apache-2.0
/// The data that the terminal sent for a data object list. Objects that the list does not contain read as zeros.
struct TerminalData: Sendable {
    private var values: [UInt32: [UInt8]] = [:]
    /// The values as received, concatenated.
    private(set) var raw: [UInt8] = []

    /// Nil unless the data is exactly as long as the list asks. The first of repeated tags counts.
    init?(_ list: [DataRequest], _ data: [UInt8]) {
        guard data.count == list.dataLength else { return nil }
        raw = data
        var at = 0
        for request in list {
            let value = Array(data[at..<at + Int(request.length)])
            if values[request.tag] == nil { values[request.tag] = value }
            at += Int(request.length)
        }
    }

    /// Returns a value in the received length; empty if it was not requested.
    func raw(_ tag: UInt32) -> [UInt8] { values[tag] ?? [] }

    /// Merges data from a later command, which replace earlier values of the same tags.
    func overridden(by later: TerminalData) -> TerminalData {
        var merged = self
        for (tag, value) in later.values { merged.values[tag] = value }
        merged.raw += later.raw
        return merged
    }

    /// A terminal that has sent no data.
    static let none = TerminalData()

    private init() {}

    func bytes(_ tag: UInt32, _ count: Int) -> [UInt8] {
        let value = values[tag] ?? []
        return Array(value.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - value.count))
    }

    /// Amount, Authorised, in minor units.
    var amount: UInt64 { Self.minorUnits(bytes(0x9F02, 6)) }

    /// An amount as n12.
    static func minorUnits(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0) { $0 * 100 + UInt64($1 >> 4) * 10 + UInt64($1 & 0xF) }
    }

    var qualifiers: TerminalQualifiers { TerminalQualifiers(bytes: bytes(0x9F66, 4)) }
}

/// Terminal Transaction Qualifiers (EMV Book A, 5.7), as a card reads them.
struct TerminalQualifiers: Sendable {
    let bytes: [UInt8]

    var supportsMagneticStripe: Bool { bit(1, 8) }
    var supportsEMV: Bool { bit(1, 6) }
    var supportsContact: Bool { bit(1, 5) }
    var isOfflineOnly: Bool { bit(1, 4) }
    var supportsOnlinePIN: Bool { bit(1, 3) }
    var supportsSignature: Bool { bit(1, 2) }
    var wantsSignatureOnline: Bool { bit(1, 1) }
    var requiresOnline: Bool { bit(2, 8) }
    var requiresVerification: Bool { bit(2, 7) }
    var supportsConsumerDevice: Bool { bit(3, 7) }

    private func bit(_ byte: Int, _ bit: Int) -> Bool { bytes[byte - 1] >> UInt8(bit - 1) & 1 == 1 }
}
