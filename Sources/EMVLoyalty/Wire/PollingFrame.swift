// SPDX-License-Identifier: Apache-2.0
public import EMVKit

/// The purpose of a tap, as a reader announces it.
public enum LoyaltyPurpose: String, Sendable, Hashable, CaseIterable {
    /// A pass without a payment.
    case passOnly
    /// A pass and a payment in one tap.
    case andPayment
    /// A pass, and a payment only if no pass is read.
    case insteadOfPayment
    /// A payment without any dialogue with a wallet.
    case paymentOnly
}

/// The frame that a reader sends between its polls, so that the phone shows the pass by itself (Enhanced Contactless
/// Polling, version 1; public descriptions agree).
public enum PollingFrame {
    /// Seven bytes, including CRC_A. Without the frame, a pass that the owner chose beforehand can still be read.
    public static func bytes(_ purpose: LoyaltyPurpose) -> Bytes {
        let frame: Bytes = [0x6A, 0x01, 0x00, 0x00, purpose.vasMode]
        let check = crc(frame)
        return frame + [UInt8(truncatingIfNeeded: check), UInt8(check >> 8)]
    }

    /// CRC_A of ISO/IEC 14443-3; sent with its low byte first.
    static func crc(_ bytes: Bytes) -> UInt16 {
        var crc: UInt16 = 0x6363
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x8408 : crc >> 1 }
        }
        return crc
    }
}

extension LoyaltyPurpose {
    /// The last byte of the polling frame, and bits 1–0 of 9F26.
    var vasMode: UInt8 {
        switch self {
        case .insteadOfPayment: 0
        case .andPayment: 1
        case .passOnly: 2
        case .paymentOnly: 3
        }
    }

    /// The last byte of Smart Tap's POS capabilities.
    var smartTapMode: UInt8 {
        switch self {
        case .passOnly: 0x01
        case .paymentOnly: 0x02
        case .andPayment: 0x04
        case .insteadOfPayment: 0x08
        }
    }
}
