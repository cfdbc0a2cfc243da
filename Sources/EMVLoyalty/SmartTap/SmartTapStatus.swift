// SPDX-License-Identifier: Apache-2.0
/// The meaning of a Smart Tap status word: its first byte decides.
enum SmartTapStatus: Sendable, Hashable {
    /// 90xx: success, a payment may follow.
    case done
    /// 9001: success, but there is no pass.
    case noPass
    /// 9100: more data; a payment must not follow yet.
    case more
    /// Any other 91xx: success, but a payment must not follow at once.
    case held
    /// 92xx: a temporary error; try again.
    case passing
    /// 9300: the phone is locked.
    case locked
    /// Any other 93xx: the owner must act.
    case choose
    /// 94xx, 95xx, and any other value.
    case refused

    init(_ status: WalletStatus) {
        switch (status.rawValue >> 8, status.rawValue & 0xFF) {
        case (0x90, 0x01): self = .noPass
        case (0x90, _): self = .done
        case (0x91, 0x00): self = .more
        case (0x91, _): self = .held
        case (0x92, _): self = .passing
        case (0x93, 0x00): self = .locked
        case (0x93, _): self = .choose
        default: self = .refused
        }
    }

    /// 91xx: the phone is not ready for a payment yet.
    var holdsPayment: Bool { self == .more || self == .held }
}
