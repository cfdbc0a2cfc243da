// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// The answer to SELECT `OSE.VAS.01`, the command common to all wallets: it identifies the wallet.
package enum WalletSelection: Sendable, Hashable {
    /// Version 1.0. The capabilities are not used: no public source is sure of their bits.
    case apple
    case google(SmartTapSelection)
    /// There is no wallet, or an unknown one.
    case unknown

    static let command: Bytes = [0x00, 0xA4, 0x04, 0x00, 0x0A] + Bytes("OSE.VAS.01".utf8) + [0x00]

    /// Whether a command belongs to one of these dialogues and is never sent by a kernel.
    package static func isOfDialogue(_ command: Bytes) -> Bool {
        command == WalletSelection.command || command == SmartTapSelection.select || command.first == 0x90
            || command.count > 5 && command.starts(with: [0x80, 0xCA, 0x01]) && command[3] <= 0x01
    }

    /// - Parameter body: the data of an answer with status 9000.
    init(_ body: ArraySlice<UInt8>) throws(LoyaltyFault) {
        let template = try ObjectList(body, of: .selection).constructed(0x6F)
        guard let template else { throw .malformed(.selection) }
        let fci = try ObjectList(template, of: .selection)
        guard let label = fci.value(0x50) else {
            self = .unknown
            return
        }
        if label == WalletSelection.appleLabel {
            guard fci.value(0x9F21) == WalletSelection.appleVersion else { throw .unsupportedVersion }
            self = .apple
        } else if label == WalletSelection.googleLabel {
            self = .google(try SmartTapSelection(fci))
        } else {
            self = .unknown
        }
    }

    private static let appleLabel = ArraySlice("ApplePay".utf8)
    private static let appleVersion: ArraySlice<UInt8> = [0x01, 0x00]
    private static let googleLabel = ArraySlice("AndroidPay".utf8)
}

/// The data objects of one level. Each tag may occur once, except the entries of a directory: a repeated tag or invalid
/// TLV makes the whole answer malformed.
struct ObjectList: Sendable {
    /// A valid wallet answer never has more objects.
    static let maximumObjects = 32

    private var objects: [TLV] = []
    private let part: LoyaltyFault.Part

    init(_ bytes: ArraySlice<UInt8>, of part: LoyaltyFault.Part) throws(LoyaltyFault) {
        self.part = part
        objects.reserveCapacity(4)
        var reader = TLVReader(bytes)
        while let object = reader.next() {
            let isRepeated = object.tag != 0x61 && first(object.tag) != nil
            guard objects.count < ObjectList.maximumObjects, !isRepeated else { throw .malformed(part) }
            objects.append(object)
        }
        guard reader.error == nil else { throw .malformed(part) }
    }

    func value(_ tag: Tag) -> ArraySlice<UInt8>? { first(tag)?.value }

    func all(_ tag: Tag) -> [ArraySlice<UInt8>] { objects.filter { $0.tag == tag }.map(\.value) }

    /// The value of a template; `nil` if it is absent.
    func constructed(_ tag: Tag) throws(LoyaltyFault) -> ArraySlice<UInt8>? {
        guard let object = first(tag) else { return nil }
        guard object.isConstructed else { throw .malformed(part) }
        return object.value
    }

    /// Loops over indices, because an iterator over the objects allocates in unoptimised builds.
    private func first(_ tag: Tag) -> TLV? {
        for index in objects.indices where objects[index].tag == tag { return objects[index] }
        return nil
    }

    func list(_ tag: Tag) throws(LoyaltyFault) -> ObjectList? {
        guard let value = try constructed(tag) else { return nil }
        return try ObjectList(value, of: part)
    }
}

/// A response: body and status word.
struct WalletResponse: Sendable, Hashable {
    /// A slice of the response: nothing is copied while the phone waits.
    let body: ArraySlice<UInt8>
    let status: WalletStatus

    /// `nil` for fewer than two bytes.
    init?(_ bytes: Bytes) {
        guard bytes.count >= 2 else { return nil }
        body = bytes.dropLast(2)
        status = WalletStatus(rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }
}
