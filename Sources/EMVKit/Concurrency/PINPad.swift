// SPDX-License-Identifier: Apache-2.0
/// A secure device on which a cardholder enters a PIN. It gives an encrypted block; the digits never leave it.
///
/// While it collects a PIN nothing may be shown from which the cardholder could be recognised: no account number, name
/// or telephone number. A call must return soon after its task is cancelled.
public protocol PINPad: Sendable {
    /// It can guide people who do not see the keys.
    var supportsAccessibility: Bool { get }

    func collectPIN(_ request: PINRequest) async -> PINEntry
}

extension PINPad {
    public var supportsAccessibility: Bool { false }
}
