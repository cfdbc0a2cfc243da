// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// Repeats offline data authentication over the exchanged objects, to find details that a kernel's decision does not
/// state: the certificate or signature that failed, and the check (EMV 4.3 Book 2, 5.3, 6.3, 6.4, 6.5.2 and 6.6.2; Book
/// C-3, annex C). It runs only after a kernel refused a card, and decides nothing itself.
struct CertificateChain {
    /// The first check that fails.
    struct Fault: Error {
        /// 90, 9F46 or 9F4B.
        let object: Tag
        /// The kernels' number of the result (``Explanation/signatureFault(_:_:)``).
        let code: UInt64
    }
    private struct Key {
        let modulus: Bytes, exponent: UInt32
    }

    let card: DataObjects
    let authority: CAKey?
    let today: CalendarDate
    /// The signed records, in the order of the file locator (Book 3, 10.3).
    let records: Bytes
    /// Values that the card received: 9F37, 9F02 and 5F2A.
    let sent: DataObjects
    /// True for fDDA of Kernels 3 and 7; the other kernels use CDA.
    let isFast: Bool
    /// True if the signature may have the format for online transactions (95).
    let isOnline: Bool

    /// `nil`: no check fails, or the data are not sufficient.
    var fault: Fault? {
        do throws(Fault) {
            try check()
            return nil
        } catch {
            return error
        }
    }

    private func check() throws(Fault) {
        guard let authority, authority.curve == nil, card[0x5A] != nil, card[0x90] != nil, card[0x9F32] != nil else {
            return
        }
        let top = Key(modulus: authority.modulus, exponent: authority.exponent)
        let issuer = try key(in: 0x90, by: top, format: 2, subject: 4, remainder: 0x92, exponent: 0x9F32, [])
        guard card[0x9F46] != nil, card[0x9F47] != nil else { return }
        let data = records + (card[0x9F4A] == nil ? [] : card[0x82] ?? [])
        let own = try key(in: 0x9F46, by: issuer, format: 4, subject: 10, remainder: 0x9F48, exponent: 0x9F47, data)
        if card[0x9F4B] != nil { try checkSignature(by: own) }
    }

    /// Steps 1 to 4 of each check.
    private func recover(_ tag: Tag, by key: Key, overhead: Int) throws(Fault) -> Bytes {
        let signature = card[tag] ?? []
        if key.modulus.count <= overhead { throw Fault(object: tag, code: 16) }
        if signature.count != key.modulus.count { throw Fault(object: tag, code: 17) }
        guard let block = Core.recover(signature, key.modulus, key.exponent) else {
            throw Fault(object: tag, code: 18)
        }
        if block.last != 0xBC { throw Fault(object: tag, code: 19) }
        if block.first != 0x6A { throw Fault(object: tag, code: 20) }
        return block
    }

    private func key(
        in tag: Tag, by signer: Key, format: UInt8, subject: Int, remainder: Tag, exponent: Tag, _ data: Bytes
    ) throws(Fault) -> Key {
        func require(_ holds: Bool, _ code: UInt64) throws(Fault) {
            if !holds { throw Fault(object: tag, code: code) }
        }
        let at = 2 + subject, tail = 21, rest = card[remainder] ?? [], power = card[exponent] ?? []
        let block = try recover(tag, by: signer, overhead: at + 9 + tail)
        try require(block[1] == format, 21)
        let room = block.count - (at + 9 + tail), length = Int(block[at + 7])
        try require(block[at + 5] == 1, 22)
        try require(length > 0 && length <= 248 && length <= block.count, 24)
        try require(length > room || rest.isEmpty, 25)
        try require(length <= room || !rest.isEmpty, 4)
        try require(length <= room || rest.count == length - room, 26)
        if tag == 0x9F46, let list = card[0x9F4A] { try require(list == [0x82], 37) }
        let hashed = Bytes(block[1..<(block.count - tail)]) + rest + power + data
        try require(Core.sha1(hashed).elementsEqual(block.suffix(tail).dropLast()), 23)
        let digits = CertificateChain.digits(Bytes(block[2..<at]))
        let account = CertificateChain.digits(card[0x5A] ?? [])
        try require(tag == 0x90 ? account.starts(with: digits) : account == digits, tag == 0x90 ? 29 : 31)
        let month = CertificateChain.number(block[at]), year = CertificateChain.number(block[at + 1])
        try require((1...12).contains(month) && year < 100, 32)
        let end = (year + (year < 50 ? 2000 : 1900)) * 12 + month
        try require(today.year * 12 + today.month <= end, 7)
        try require(block[at + 6] == 1, 33)
        try require((power.count == 1 || power.count == 3) && Int(block[at + 8]) == power.count, 34)
        let value = power.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        try require(value == 3 || value == 65537, 35)
        let modulus = Bytes(block[(at + 9)..<(at + 9 + min(length, room))]) + rest
        try require(modulus.first != 0 && (modulus.last ?? 0) & 1 != 0, 36)
        return Key(modulus: modulus, exponent: value)
    }

    private func checkSignature(by key: Key) throws(Fault) {
        func require(_ holds: Bool, _ code: UInt64) throws(Fault) {
            if !holds { throw Fault(object: 0x9F4B, code: code) }
        }
        let tail = 21, related = card[0x9F69] ?? []
        guard let number = sent[0x9F37] else { return }
        var data = number
        if isFast {
            guard let amount = sent[0x9F02], let currency = sent[0x5F2A], !related.isEmpty else { return }
            try require((5...16).contains(related.count), 40)
            data += amount + currency + related
        }
        let block = try recover(0x9F4B, by: key, overhead: 4 + tail)
        try require(block[1] == 5 || isOnline && block[1] == 0x95, 21)
        try require(block[2] == 1, 22)
        let size = Int(block[3])
        try require(size > 0 && size <= block.count - 4 - tail, 38)
        let hashed = Bytes(block[1..<(block.count - tail)]) + data
        try require(Core.sha1(hashed).elementsEqual(block.suffix(tail).dropLast()), 23)
        let count = Int(block[4])
        try require((2...8).contains(count), 39)
        guard !isFast else { return }
        try require(size >= 1 + count + 29, 38)
        try require(card[0x9F27]?.first == block[5 + count], 41)
        // The only check of CDA that remains is the hash over the transaction's data.
        try require(false, 42)
    }

    // MARK: Bytes

    /// Returns the number in a BCD byte; 100 or more if the byte is not BCD.
    private static func number(_ byte: UInt8) -> Int {
        byte & 0x0F > 9 ? 100 : Int(byte >> 4) * 10 + Int(byte & 0x0F)
    }
    private static func digits(_ bytes: Bytes) -> Bytes {
        Bytes(bytes.flatMap { [$0 >> 4, $0 & 0x0F] }.prefix { $0 != 0x0F })
    }
}

// MARK: Inputs from an ending

extension Explanation {
    /// Values of the signed records, in the order of the file locator; from file 11 on including their template (Book
    /// 3, 10.3).
    private var signedRecords: [Bytes] {
        guard let locator = card(0x94), locator.count % 4 == 0 else { return [] }
        var records: [Bytes] = []
        for at in stride(from: 0, to: locator.count, by: 4) {
            let file = locator[at] >> 3
            for place in 0..<Int(locator[at + 3]) {
                let number = Int(locator[at + 1]) + place
                let read = activation.exchanges.last {
                    $0.instruction == 0xB2 && $0.command.count > 3 && Int($0.command[2]) == number
                        && $0.command[3] >> 3 == file
                }
                guard let body = read?.body else { continue }
                var reader = TLVReader(body)
                records.append(file > 10 ? body : reader.next().map { Bytes($0.value) } ?? [])
            }
        }
        return records
    }

    /// Returns true if a signed record contains the object.
    func isInSignedRecord(_ tag: Tag) -> Bool {
        for record in signedRecords {
            var tree = TLVTree(record)
            while let (object, _) = tree.next() {
                if object.tag == tag { return true }
            }
        }
        return false
    }

    /// The certificates and the signature of the card.
    var chain: CertificateChain {
        let rid = activation.name.prefix(5)
        let index = card(0x8F)?.first
        var sent = DataObjects()
        for (tag, length): (Tag, Int) in [(0x9F37, 4), (0x9F02, 6), (0x5F2A, 2)] {
            // A recovered answer was requested in an earlier presentment.
            let value = objects.sent[tag] ?? ending.activations.last { $0.sent(tag) != nil }?.sent(tag)
            if let value, value.count == length { sent[tag] = value }
        }
        return CertificateChain(
            card: objects.card,
            authority: ending.configuration.caKeys.first { $0.rid.elementsEqual(rid) && $0.index == index },
            today: ending.transaction.date, records: signedRecords.flatMap { $0 }, sent: sent,
            isFast: kernel == 3 || kernel == 7,
            isOnline: kernel == 3 || kernel == 7 && card(0x9F27).map { ($0.first ?? 0) >> 6 != 1 } ?? true)
    }
}

extension Ending.Activation {
    /// The value of this object in the data that the card received.
    fileprivate func sent(_ tag: Tag) -> Bytes? { DialogueObjects(self).sent[tag] }
}
