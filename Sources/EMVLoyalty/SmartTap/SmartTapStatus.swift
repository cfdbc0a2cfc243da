// SPDX-License-Identifier: Apache-2.0
/// What a status word of Smart Tap means: its first byte decides.
enum SmartTapStatus: Sendable, Hashable {
    /// 90xx: done, a payment may follow.
    case done
    /// 9001: done, and there is no pass.
    case noPass
    /// 9100: more data; a payment must not follow yet.
    case more
    /// Any other 91xx: no error, and a payment must not follow at once.
    case held
    /// 92xx: it may pass; try again.
    case passing
    /// 9300: the phone is locked.
    case locked
    /// Any other 93xx: the owner must act.
    case choose
    /// 94xx, 95xx, and whatever is none of these.
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

    /// 91xx: the phone is not ready for a payment.
    var holdsPayment: Bool { self == .more || self == .held }
}
