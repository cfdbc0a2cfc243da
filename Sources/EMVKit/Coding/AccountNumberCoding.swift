// SPDX-License-Identifier: Apache-2.0
/// Masked.
extension AccountNumber: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(masked)
    }
}
