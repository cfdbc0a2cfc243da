// SPDX-License-Identifier: Apache-2.0
/// The scheme that defines the cryptogram version numbers of a card. Schemes with simulated cards define theirs in
/// their directory.
public struct IssuerScheme: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    public let description: String
    let rule: @Sendable (_ issuerData: [UInt8]) -> CryptogramRule?

    /// - Parameters:
    ///   - name: unique among the schemes.
    ///   - rule: the rule for this Issuer Application Data (9F10); nil if the version is unknown.
    init(_ name: String, rule: @escaping @Sendable (_ issuerData: [UInt8]) -> CryptogramRule?) {
        description = name
        self.rule = rule
    }

    public static var allCases: [IssuerScheme] { Schemes.issuers }

    public static func == (one: IssuerScheme, other: IssuerScheme) -> Bool { one.description == other.description }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

// MARK: - Schemes without simulated cards

extension IssuerScheme {
    public static let interac = IssuerScheme("interac") { data in
        guard data.count >= 7, data[2] == 0x85 else { return nil }
        var rule = CryptogramRule(
            sessionKey: .mastercard, issuerData: [3..<7], response: .first, messaging: .interac)
        rule.hasBinaryCode = true
        return rule
    }
}
