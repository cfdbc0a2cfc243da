// SPDX-License-Identifier: Apache-2.0
extension Configuration.Identity {
    public init(_ configuration: Configuration) {
        self.init(
            version: configuration.version.isEmpty ? nil : configuration.version,
            fingerprint: configuration.fingerprint)
    }
}

extension Configuration {
    /// SHA-256 over all its values, in hexadecimal digits: two readers with equal fingerprints are configured alike.
    /// The accounts of `exceptions` are not included, only their number.
    public var fingerprint: String {
        Hex.string(ChainHash.hash(Bytes(CanonicalText.of(self).utf8)))
    }
}
