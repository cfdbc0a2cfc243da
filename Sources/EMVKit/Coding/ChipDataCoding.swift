// SPDX-License-Identifier: Apache-2.0
extension ChipData: Encodable {
    /// Scheme, mode, the type of cryptogram and the masked account number; never a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(scheme?.rawValue, forKey: .scheme)
        try container.encodeIfPresent(mode.map { "\($0)" }, forKey: .mode)
        try container.encodeIfPresent(cryptogramType.map { "\($0)" }, forKey: .cryptogramType)
        try container.encodeIfPresent(maskedAccountNumber, forKey: .maskedAccountNumber)
    }

    private enum Key: String, CodingKey {
        case scheme, mode, cryptogramType, maskedAccountNumber
    }
}
