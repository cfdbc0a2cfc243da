// SPDX-License-Identifier: Apache-2.0
import EMVKernel
internal import EMVTripleDES

/// The algorithms of one cryptogram version: the session key, the input of the cryptogram, the issuer's answer and its
/// scripts.
///
/// Conformance/issuer-cryptography.md names the source of each.
public struct CryptogramRule: Sendable, Hashable {
    public var algorithm = KeyAlgorithm.tripleDES
    public var sessionKey: SessionKey
    public var input = Input.recommended
    /// Bytes of Issuer Application Data that the cryptogram covers, after the other data.
    public var issuerData: [Range<Int>]
    /// Whether the data are followed by 80 before the zeros (triple DES).
    public var isMarked = true
    public var response: ResponseMethod
    /// Whether the issuer's answer is computed with the card's own key instead of the session key.
    public var answersWithCardKey = false
    /// Response method 1: whether the code is M/Chip's two bytes, not two characters.
    public var hasBinaryCode = false
    public var messaging: SecureMessaging

    public enum SessionKey: Sendable, Hashable {
        /// No session key: the card's own key.
        case card
        /// EMV common session key over the counter.
        case common
        /// M/Chip: the common derivation over counter and unpredictable number.
        case mastercard
        /// EMV 2000's tree.
        case tree(height: Int, branches: Int)
        /// UnionPay: the counter and its complement under the card's key.
        case unionPay
    }

    /// The data that the cryptogram covers before the issuer's data.
    public enum Input: Sendable, Hashable {
        /// The ten data objects that Book 2 recommends (Table 26).
        case recommended
        /// As `recommended`, without Terminal Verification Results.
        case withoutTerminalResults
        /// Amount, unpredictable number, counter.
        case short
        /// Unpredictable number and counter.
        case number
    }

    /// Tags in the order the cryptogram covers them, each with its length in bytes.
    public var coveredTags: [(tag: Tag, length: Int)] {
        let recommended: [(tag: Tag, length: Int)] = [
            (0x9F02, 6), (0x9F03, 6), (0x9F1A, 2), (0x95, 5), (0x5F2A, 2), (0x9A, 3), (0x9C, 1), (0x9F37, 4),
            (0x82, 2), (0x9F36, 2),
        ]
        return switch input {
        case .short: [(0x9F02, 6), (0x9F37, 4), (0x9F36, 2)]
        case .number: [(0x9F37, 4), (0x9F36, 2)]
        case .recommended: recommended
        case .withoutTerminalResults: recommended.filter { $0.tag != 0x95 }
        }
    }
}

// MARK: - The known versions

extension CryptogramRule {
    /// The rule for this Issuer Application Data (9F10), or nil if the version is unknown.
    ///
    /// Data in the format of the Common Core Definitions are recognised in every scheme.
    public init?(issuerData: [UInt8], scheme: IssuerScheme) {
        if issuerData.count == 32, issuerData[0] == 0x0F, issuerData[16] == 0x0F {
            self.init(commonCore: issuerData[1])
            return
        }
        guard let rule = scheme.rule(issuerData) else { return nil }
        self = rule
    }

    private init?(commonCore version: UInt8) {
        guard version == 0xA5 || version == 0xA6 else { return nil }
        self.init(sessionKey: .common, issuerData: [0..<32], response: .second, messaging: .commonCore)
        algorithm = version == 0xA6 ? .aes : .tripleDES
    }

    init(
        sessionKey: SessionKey, issuerData: [Range<Int>], response: ResponseMethod, messaging: SecureMessaging
    ) {
        self.sessionKey = sessionKey
        self.issuerData = issuerData
        self.response = response
        self.messaging = messaging
    }
}

// MARK: - Computing

extension CryptogramRule {
    /// Returns the data that the cryptogram covers. `value` returns a data object. The result is nil if an object is
    /// missing or has the wrong length.
    package func message(_ value: (Tag) -> [UInt8]?) -> [UInt8]? {
        var message: [UInt8] = []
        for (tag, length) in coveredTags {
            guard let bytes = value(tag), bytes.count == length else { return nil }
            message += bytes
        }
        guard let data = value(0x9F10), issuerData.allSatisfy({ $0.upperBound <= data.count }) else { return nil }
        return message + issuerData.flatMap { data[$0] }
    }

    /// - Parameters:
    ///   - card: the card's own key for cryptograms.
    ///   - number: Unpredictable Number, 4 bytes.
    func key(_ card: CardKey, counter: UInt16, number: [UInt8]) -> CardKey {
        switch sessionKey {
        case .card: card
        case .common: card.sessionKey(diversifiedBy: counter.bigEndianBytes)
        case .mastercard: card.sessionKey(diversifiedBy: counter.bigEndianBytes + [0x00, 0x00] + number)
        case .tree(let height, let branches):
            card.treeSessionKey(
                counter: counter, height: height, branches: branches, start: [UInt8](repeating: 0, count: 16))
        case .unionPay:
            CardKey(
                tripleDES: card.encrypt(
                    [0, 0, 0, 0, 0, 0] + counter.bigEndianBytes + [0, 0, 0, 0, 0, 0] + (~counter).bigEndianBytes))
        }
    }

    /// - Parameter key: the session key.
    func cryptogram(_ key: CardKey, message: [UInt8]) -> [UInt8] {
        key.mac(message, padding: isMarked ? .marked : .zeros)
    }
}
