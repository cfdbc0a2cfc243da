// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// A reader model's properties outside PC/SC: its antenna, lights and buzzer, from its maker's manual.
public struct ReaderModel: Sendable, Hashable {
    public enum Light: Sendable, Hashable, CaseIterable {
        case off, green, red
    }

    private enum Family: Sendable, Hashable {
        /// ACR122U: pseudo APDUs, and the commands of its PN532.
        case acr122
        /// ACR1251U, ACR1252U, ACR1552U and similar models: commands of class E0.
        case acr125
    }

    /// The maker's name of the model.
    public let name: String
    private let family: Family

    /// `nil` for a model without known commands.
    public init?(readerName: String) {
        let name = readerName.uppercased()
        if name.contains("ACR122U") {
            self.init(name: "ACR122U", family: .acr122)
        } else if let model = ["ACR1251", "ACR1252", "ACR1255", "ACM1252"].first(where: name.contains) {
            self.init(name: model + "U", family: .acr125)
        } else {
            return nil
        }
    }

    private init(name: String, family: Family) {
        self.name = name
        self.family = family
    }

    /// Reads the firmware version: a command without side effects.
    var version: Bytes {
        switch family {
        case .acr122: [0xFF, 0x00, 0x48, 0x00, 0x00]
        case .acr125: [0xE0, 0x00, 0x00, 0x18, 0x00]
        }
    }

    public var antennaOff: Bytes {
        switch family {
        case .acr122: [0xFF, 0x00, 0x00, 0x00, 0x04, 0xD4, 0x32, 0x01, 0x00]
        case .acr125: [0xE0, 0x00, 0x00, 0x25, 0x01, 0x00]
        }
    }

    public var antennaOn: Bytes {
        switch family {
        case .acr122: [0xFF, 0x00, 0x00, 0x00, 0x04, 0xD4, 0x32, 0x01, 0x01]
        case .acr125: [0xE0, 0x00, 0x00, 0x25, 0x01, 0x01]
        }
    }

    public func command(for light: Light) -> Bytes? {
        switch (family, light) {
        case (.acr122, .off): [0xFF, 0x00, 0x40, 0x0C, 0x04, 0x00, 0x00, 0x00, 0x00]
        case (.acr122, .red): [0xFF, 0x00, 0x40, 0x0D, 0x04, 0x00, 0x00, 0x00, 0x00]
        case (.acr122, .green): [0xFF, 0x00, 0x40, 0x0E, 0x04, 0x00, 0x00, 0x00, 0x00]
        // The ACR1255U-J1 numbers its colours in reverse.
        case (.acr125, _) where name.hasPrefix("ACR1255"): nil
        case (.acr125, .off): [0xE0, 0x00, 0x00, 0x29, 0x01, 0x00]
        case (.acr125, .red): [0xE0, 0x00, 0x00, 0x29, 0x01, 0x01]
        case (.acr125, .green): [0xE0, 0x00, 0x00, 0x29, 0x01, 0x02]
        }
    }

    /// The command for the buzzer. The ACR122U counts in units of 100 ms, the others in 10 ms; at least one unit, at
    /// most 255.
    public func buzz(for duration: Duration) -> Bytes {
        let unit: Duration = family == .acr122 ? .milliseconds(100) : .milliseconds(10)
        let count = max(1, min(254, (duration / unit).rounded()))
        switch family {
        case .acr122: return [0xFF, 0x00, 0x40, 0x00, 0x04, UInt8(count), 0x00, 0x01, 0x01]
        case .acr125: return [0xE0, 0x00, 0x00, 0x28, 0x01, UInt8(count)]
        }
    }
}
