// SPDX-License-Identifier: Apache-2.0
/// A payment scheme whose data this library reads.
public enum PaymentScheme: String, Sendable, Hashable, CaseIterable {
    case visa, mastercard, amex, jcb, discover, unionPay

    /// The name as the network writes it.
    public var name: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "Mastercard"
        case .amex: "American Express"
        case .jcb: "JCB"
        case .discover: "Discover"
        case .unionPay: "UnionPay"
        }
    }

    /// Finds the scheme by the registered provider, the first five bytes of an AID or DF name; `nil` for any other.
    public init?(aid: Bytes) {
        guard let scheme = CryptogramBridge.scheme(ofAID: aid) else { return nil }
        self = scheme
    }

    /// Finds the scheme by the kernel of an outcome: kernels 2 to 7.
    public init?(kernel: KernelID) {
        guard let scheme = CryptogramBridge.scheme(ofKernel: kernel.bytes) else { return nil }
        self = scheme
    }
}
