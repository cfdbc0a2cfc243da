// SPDX-License-Identifier: Apache-2.0
/// A secure device on which a cardholder enters a PIN. It returns an encrypted block; the digits never leave it.
///
/// While it collects a PIN the screen must not identify the cardholder: it must not show an account number, a name or a
/// telephone number. A call must return soon after its task is cancelled.
public protocol PINPad: Sendable {
    /// It can guide people who do not see the keys.
    var supportsAccessibility: Bool { get }

    func collectPIN(_ request: PINRequest) async -> PINEntry
}

extension PINPad {
    public var supportsAccessibility: Bool { false }
}
