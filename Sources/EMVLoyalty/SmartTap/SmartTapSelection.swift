// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The Smart Tap data in the first answer of Google's wallet. Each part may be missing.
package struct SmartTapSelection: Sendable, Hashable {
    static let application: Bytes = [0xA0, 0x00, 0x00, 0x04, 0x76, 0xD0, 0x00, 0x01, 0x11]
    package static let select: Bytes = [0x00, 0xA4, 0x04, 0x00, 0x09] + application + [0x00]
    static let nonceSize = 32

    /// The phone's nonce, used if the second SELECT returns none. It is DF6E in the directory entry, otherwise DF6E
    /// next to the label, otherwise C2.
    var nonce: Bytes?
    /// Whether there are directory entries, but none for Smart Tap.
    var isAbsent = false
    /// Whether version 1 is outside the range of versions in the entry.
    var isOtherVersion = false

    init(nonce: Bytes? = nil) { self.nonce = nonce }

    init(_ fci: ObjectList) throws(LoyaltyFault) {
        nonce = SmartTapSelection.nonce(fci.value(0xDF6E)) ?? SmartTapSelection.nonce(fci.value(0xC2))
        let issuer = try fci.list(0xA5)?.list(0xBF0C)
        guard let entries = issuer?.all(0x61), !entries.isEmpty else { return }
        isAbsent = true
        for entry in entries {
            let objects = try ObjectList(entry, of: .selection)
            guard objects.value(0x4F) == SmartTapSelection.application[...] else { continue }
            isAbsent = false
            guard let data = try objects.list(0x73) else { return }
            nonce = SmartTapSelection.nonce(data.value(0xDF6E)) ?? nonce
            let lowest = SmartTapSelection.number(data.value(0xDF6D)) ?? 0
            let highest = SmartTapSelection.number(data.value(0xDF4D)) ?? 1
            isOtherVersion = !(lowest...max(lowest, highest)).contains(1)
            return
        }
    }

    private static func nonce(_ value: ArraySlice<UInt8>?) -> Bytes? {
        value.flatMap { $0.count == nonceSize ? Bytes($0) : nil }
    }

    private static func number(_ value: ArraySlice<UInt8>?) -> Int? {
        value.flatMap { $0.count == 2 ? Int($0[$0.startIndex]) << 8 | Int($0[$0.startIndex + 1]) : nil }
    }

    /// The nonce in the answer to the second SELECT, which holds the lowest version, the highest version, and a message
    /// with the record `mdn`.
    static func nonce(selected body: ArraySlice<UInt8>) throws(LoyaltyFault) -> Bytes {
        guard let lowest = number(body.prefix(2)), let highest = number(body.dropFirst(2).prefix(2)) else {
            throw .malformed(.selection)
        }
        guard lowest <= 1, highest >= 1 else { throw .unsupportedVersion }
        do throws(NDEFError) {
            let records = try NDEFReader.records(body.dropFirst(4))
            guard let payload = try records.only("mdn")?.payload, payload.count == 1 + nonceSize, payload.first == 0x04
            else { throw NDEFError.truncated }
            return Bytes(payload.dropFirst())
        } catch {
            throw .malformed(.selection)
        }
    }
}
