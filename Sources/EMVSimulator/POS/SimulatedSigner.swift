// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// Signs enrolment records with a publicly known key (HMAC with SHA-1): for tests and demonstrations only.
public struct SimulatedSigner: EnrollmentSigner {
    private let key: [UInt8]

    /// - Parameter name: signers with equal names make equal signatures.
    public init(name: String = "simulator") { key = SHA1.hash(Array(name.utf8)) }

    public func sign(_ bytes: Bytes) -> Bytes {
        let padded = key + [UInt8](repeating: 0, count: 64 - key.count)
        let inner = SHA1.hash(padded.map { $0 ^ 0x36 } + bytes)
        return SHA1.hash(padded.map { $0 ^ 0x5C } + inner)
    }

    public func isGenuine(_ signature: Bytes, of bytes: Bytes) -> Bool { signature == sign(bytes) }
}
