// SPDX-License-Identifier: Apache-2.0
/// State that all applications of a card share.
struct CardMemory: Sendable {
    /// Application Transaction Counter of the last transaction.
    var counter: UInt16
    var device = Device.locked
    /// Changes made by the issuer's scripts.
    var updates = CardUpdates()
    /// The records that the transaction offers; nil before GET PROCESSING OPTIONS.
    var records: [CardFile.RecordNumber: [UInt8]]?

    /// The card was presented again after a transaction.
    private(set) var hasComeBack = false
    private let firstCounter: UInt16

    private var chains: [[UInt8]: CardChain] = [:]
    private var signatures: [[UInt8]: [UInt8]] = [:]

    enum Device: Sendable, Hashable {
        case locked
        /// The device has asked its holder, who unlocks it once it has left the field.
        case asking
        case unlocked
    }

    /// Limit of the signature cache. A full cache is emptied.
    private static let signatureLimit = 4096

    init(counter: UInt16) {
        self.counter = counter
        firstCounter = counter
    }

    mutating func fieldOff() {
        records = nil
        if counter != firstCounter { hasComeBack = true }
        if device == .asking { device = .unlocked }
    }

    /// The application's certificates; nil for a card without keys.
    mutating func chain(of application: CardApplication) -> CardChain? {
        guard let keys = application.keys else { return nil }
        if let known = chains[application.selectionName] { return known }
        let chain = CardChain.issue(application, keys: keys)
        chains[application.selectionName] = chain
        return chain
    }

    /// The application's certificates are made again: it has become another one.
    mutating func forgetChain(of application: CardApplication) { chains[application.selectionName] = nil }

    /// Signs a block of the key's length, with the errors that the application's flaws require.
    mutating func sign(_ block: [UInt8], for application: CardApplication, with key: RSAPrivateKey) -> [UInt8] {
        var signature: [UInt8]
        if let known = signatures[block] {
            signature = known
        } else {
            if signatures.count >= Self.signatureLimit { signatures.removeAll() }
            signature = key.sign(block)
            signatures[block] = signature
        }
        if application.flaws.contains(.corruptSignature) { signature[signature.count / 2] ^= 0x10 }
        return signature
    }
}
