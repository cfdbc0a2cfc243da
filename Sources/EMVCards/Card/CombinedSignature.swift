// SPDX-License-Identifier: Apache-2.0
// Combined dynamic data authentication (Book 2, 6.6), for the cards of every scheme that sign in GENERATE AC or with a
// cryptogram.
internal import EMVTripleDES

extension CardApplication {
    /// ICC Dynamic Number of a transaction, 8 bytes. It differs for each counter and each number of the terminal.
    func dynamicNumber(_ counter: UInt16, _ terminalNumber: [UInt8]) -> [UInt8] {
        Array(SHA1.hash(Array(pan.utf8) + counter.bigEndianBytes + terminalNumber).prefix(8))
    }

    /// Returns the block to sign (Book 2, 6.6.1), with the flaws of this card.
    ///
    /// - Parameters:
    ///   - data: the input of the transaction data hash.
    ///   - extra: further data that the scheme signs.
    ///   - terminalNumber: Unpredictable Number, 4 bytes.
    ///   - length: of the card's key.
    func combinedBlock(
        _ type: CryptogramType, _ cryptogram: [UInt8], counter: UInt16, terminalNumber: [UInt8], over data: [UInt8],
        extra: [UInt8] = [], length: Int
    ) -> [UInt8] {
        let number = dynamicNumber(counter, terminalNumber)
        let shownType = flaws.contains(.differingCryptogramType) ? type.rawValue ^ 0xC0 : type.rawValue
        var hash = SHA1.hash(data)
        if flaws.contains(.differingTransactionData) { hash[0] ^= 0x01 }
        var signedNumber = terminalNumber
        if flaws.contains(.signatureOverOtherNumber) { signedNumber[3] ^= 0x01 }
        return Certificate.dynamicBlock(
            format: flaws.contains(.swappedSignatureFormat) ? 0x95 : 0x05,
            cardData: [UInt8(number.count)] + number + [shownType] + cryptogram + hash + extra,
            terminalData: signedNumber, length: length)
    }
}
