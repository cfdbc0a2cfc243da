// SPDX-License-Identifier: Apache-2.0
// Stateless decisions of Kernel 2: restrictions, cardholder verification, action analysis, GENERATE AC, offline
// authentication, tracks and data storage (section 4 of the engineering digest; Book 2, 6; Book 3, 10).

extension Kernel2 {
    // MARK: 4.1

    private func date(_ tag: UInt32) -> Int {
        let digits = nibbles(db[tag]!).reduce(0) { $0 * 10 + Int($1) }
        return digits >= 500000 ? digits + 19_000_000 : digits + 20_000_000
    }

    func restrict() {
        if has(0x9F08) && db[0x9F08] != db[0x9F09] { mark(1, 0x80) }
        if has(0x5F25) && date(0x9A) < date(0x5F25) { mark(1, 0x20) }
        if date(0x9A) > date(0x5F24) { mark(1, 0x40) }
        if !has(0x9F07) { return }
        at("PRE.9", byte(0x9F07, 0), byte(0x9F07, 1), byte(0x9C, 0), db[0x5F28] == db[0x9F1A])
        let isTeller = [0x14, 0x15, 0x16].contains(byte(0x9F35, 0)) && isSet(0x9F40, 0, 0x80)
        if !isSet(0x9F07, 0, isTeller ? 0x02 : 0x01) {
            mark(1, 0x10)
            return
        }
        if !has(0x5F28) { return }
        let domestic = db[0x5F28] == db[0x9F1A]
        let kind = byte(0x9C, 0)
        if kind == 0x01 || kind == 0x17 {
            if !isSet(0x9F07, 0, domestic ? 0x80 : 0x40) { mark(1, 0x10) }
        }
        if kind == 0x00 || kind == 0x09 {
            if !isSet(0x9F07, 0, domestic ? 0x28 : 0x14) { mark(1, 0x10) }
        }
        if amount(db[0x9F03] ?? []) != 0 {
            if !isSet(0x9F07, 1, domestic ? 0x80 : 0x40) { mark(1, 0x10) }
        }
    }

    // MARK: 4.2

    private var unattended: Bool { [4, 5, 6].contains(byte(0x9F35, 0) & 0x0F) }

    private func supports(_ code: UInt8) -> Bool {
        let capability = byte(0x9F33, 1)
        switch code {
        case 0x00: return true  // Book 4, 6.3.4
        case 0x01: return capability & 0x80 != 0
        case 0x02: return capability & 0x40 != 0
        case 0x03: return capability & 0xA0 == 0xA0
        case 0x04: return capability & 0x10 != 0
        case 0x05: return capability & 0x30 == 0x30
        case 0x1E: return capability & 0x20 != 0
        case 0x1F: return capability & 0x08 != 0
        default: return false
        }
    }

    private func holds(_ condition: UInt8, _ code: UInt8, _ x: UInt64, _ y: UInt64) -> Bool {
        let kind = byte(0x9C, 0)
        let unattendedCash = unattended && kind == 0x01
        let manualCash = !unattended && (kind == 0x01 || kind == 0x17)
        let cashback = kind == 0x09
        switch condition {
        case 0x00: return true
        case 0x01: return unattendedCash
        case 0x02: return !unattendedCash && !manualCash && !cashback
        case 0x03: return supports(code)
        case 0x04: return manualCash
        case 0x05: return cashback
        case 0x06...0x09:
            if !has(0x9F42) || !has(0x5F2A) || db[0x9F42] != db[0x5F2A] { return false }
            let value = amount(db[0x9F02]!)
            switch condition {
            case 0x06: return value < x
            case 0x07: return value > x
            case 0x08: return value < y
            default: return value > y
            }
        default: return false
        }
    }

    private func verified(_ method: String, _ results: Bytes) {
        cvm = method
        at("CVM", hex(results), method)
        db[0x9F34] = results
    }

    func selectCvm() throws {
        if onDevice {
            if exceeds(0xDF8126) {
                verified("cdcvm", [0x01, 0x00, 0x02])
            } else {
                verified("none", [0x3F, 0x00, 0x02])
            }
            return
        }
        if !isSet(0x82, 0, 0x10) { return verified("none", [0x3F, 0x00, 0x00]) }
        let list = db[0x8E] ?? []
        if list.count <= 8 {
            mark(0, 0x20)
            return verified("none", [0x3F, 0x00, 0x00])
        }
        if list.count % 2 != 0 { throw otherCard(0x06) }
        let x = UInt64(number(Array(list[0..<4])))
        let y = UInt64(number(Array(list[4..<8])))
        var at = 8
        while at < list.count {
            let (rule, condition) = (list[at], list[at + 1])
            let code = rule & 0x3F
            at += 2
            self.at("CVM.15", condition, holds(condition, code, x, y), supports(code))
            if !holds(condition, code, x, y) { continue }
            let recognised = [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x1E, 0x1F].contains(code)
            if !recognised { mark(2, 0x40) }
            if recognised && code != 0x00 && supports(code) {
                switch code {
                case 0x02:
                    mark(2, 0x04)
                    verified("onlinePIN", [rule, condition, 0x00])
                case 0x1E:
                    receipt = true
                    verified("signature", [rule, condition, 0x00])
                default: verified("none", [rule, condition, 0x02])
                }
                return
            }
            if code != 0x00 && rule & 0x40 != 0 && at < list.count { continue }
            mark(2, 0x80)
            return verified("none", code == 0x00 ? [rule, condition, 0x01] : [0x3F, 0x00, 0x01])
        }
        mark(2, 0x80)
        verified("none", [0x3F, 0x00, 0x01])
    }

    // MARK: 4.3

    private func meets(_ own: UInt32, _ issuer: UInt32) -> Bool {
        for i in 0..<5 where (byte(own, i) | byte(issuer, i)) & byte(0x95, i) != 0 { return true }
        return false
    }

    func analyze() {
        if meets(0xDF8121, 0x9F0E) {
            type = 0x00
            return
        }
        let clear = db[0x95]!.allSatisfy { $0 == 0 }
        at("TAA", byte(0x9F35, 0), has(0x9F0D), has(0x9F0F), clear)
        switch byte(0x9F35, 0) {
        case 0x11, 0x21, 0x14, 0x24, 0x34: type = 0x80
        case 0x13, 0x16, 0x23, 0x26, 0x36:
            type = (has(0x9F0D) ? !meets(0xDF8120, 0x9F0D) : clear) ? 0x40 : 0x00
        default:
            type = (has(0x9F0F) ? !meets(0xDF8122, 0x9F0F) : clear) ? 0x40 : 0x80
        }
    }

    // MARK: 4.5

    /// The data of GENERATE AC; leaves the reference control parameter in DF8114.
    func cryptogramCommand() throws -> Bytes {
        var signed = false
        var writes = false
        if isSet(0xDF8128, 0, 0x80) {
            if !isSet(0x95, 0, 0x04) {
                signed = true
                if has(0xDF62) && has(0x9F5B) {
                    if !has(0xDF8108) || !has(0xDF810A) { throw otherCard(0x0D) }
                    let wanted = byte(0xDF8108, 0) & 0xC0
                    if wanted == 0x00 || wanted == type || (wanted == 0x80 && type == 0x40) {
                        type = wanted
                        writes = true
                    } else if (type == 0x00 && isSet(0xDF810A, 0, 0x20)) || (type == 0x80 && isSet(0xDF810A, 0, 0x40)) {
                        writes = true
                    } else if isSet(0xDF810A, 0, 0x04) {
                        throw otherCard(0x0E)
                    }
                }
            } else if onDevice {
                type = 0x00
            }
        } else if cda {
            if isSet(0x95, 0, 0x04) {
                if onDevice { type = 0x00 }
            } else {
                signed = type != 0x00 || isSet(0x9F5D, 1, 0x01)
            }
        }
        if writes && list(0x9F5B).contains(where: { $0.tag == 0xDF61 }) && db[0xDF8109] != nil {
            let version = byte(0x9F5D, 0) & 0x0F
            db[0xDF61] = version == 1 ? storageHash() : storageHashAES()
        }
        at("GAC", type, signed, writes, isSet(0xDF8128, 0, 0x80), cda, onDevice)
        if writes || db[0xDF8108] != nil { at("GAC.5", byte(0xDF8108, 0), byte(0xDF810A, 0), writes) }
        if parseList(db[0x8C]!) == nil { throw otherCard(0x06) }  // C-8, 4.7.2
        // 4.6.2 and Conformance/interpretations.md: the number as it is, all of its four bytes.
        if signed && !list(0x8C).contains(where: { $0.tag == 0x9F37 && $0.length == 4 }) { throw otherCard(0x06) }
        db[0xDF8114] = [type | (signed ? 0x10 : 0x00)]
        db[0xDF8107] = related(list(0x8C))
        var data = db[0xDF8107]!
        if writes {
            data += storageData()
            db[0xDF8128]![0] |= 0x40
        }
        if data.count > 255 { throw otherCard(0x06) }
        return data
    }

    /// DSDOL: the last entry supplies only the bytes that are available (1.1, rule 6).
    private func storageData() -> Bytes {
        var entries = list(0x9F5B)
        guard let last = entries.popLast() else { return [] }
        let value = db[last.tag] ?? []
        return related(entries) + (value.count < last.length ? value : related([last]))
    }

    // MARK: 4.6

    private var identifier: Bytes { Array(name.prefix(5)) }

    func authority() -> AuthorityKey? {
        guard has(0x8F) else { return nil }
        let index = byte(0x8F, 0)
        return entryPoint.configuration.keys.first { $0.rid == identifier && $0.index == index }
    }

    func verifySignature() -> Bool {
        guard
            let key = recoverCardKey(
                card: db, rid: identifier, covered: staticData, configuration: entryPoint.configuration,
                today: db[0x9A]!)
        else { return false }
        guard let plain = key.recover(db[0x9F4B]!), plain.count >= 25, plain[0] == 0x6A, plain[1] == 0x05,
            plain[2] == 0x01, plain.last == 0xBC
        else { return false }
        let body = Array(plain[1..<plain.count - 21])
        let number9F37 = list(0x8C).contains { $0.tag == 0x9F37 } ? db[0x9F37]! : []
        if number9F37.isEmpty { return false }
        if sha1(body + number9F37) != Array(plain[plain.count - 21..<plain.count - 1]) { return false }
        at("4.6", relayPerformed, idsRead, Int(plain[3]))
        let size = Int(plain[3])
        if size > plain.count - 25 || size < 1 { return false }
        let dynamic = Array(plain[4..<4 + size])
        let own = Int(dynamic[0])
        if own < 2 || own > 8 || size < 30 + own { return false }
        let extra = Array(dynamic[(30 + own)...])
        if [dynamic[1 + own]] != db[0x9F27] { return false }
        if Array(dynamic[10 + own..<30 + own]) != transactionHash() { return false }
        var relay: Bytes?
        if relayPerformed {
            let width = idsRead ? (byte(0x9F5D, 0) & 0x0F == 1 ? 16 : 32) : 0
            if extra.count < width + 14 { return false }
            relay = Array(extra[width..<width + 14])
        }
        if let relay {
            let expected = [0xDF8301, 0xDF8302, 0xDF8303, 0xDF8304, 0xDF8305].flatMap { db[$0] ?? [] }
            if relay != expected { return false }
        }
        if idsRead {
            let width = byte(0x9F5D, 0) & 0x0F == 1 ? 8 : 16
            if extra.count >= width { db[0xDF8101] = Array(extra[0..<width]) }
            if extra.count >= 2 * width { db[0xDF8102] = Array(extra[width..<2 * width]) }
        }
        db[0x9F4C] = Array(dynamic[1..<1 + own])
        db[0x9F26] = Array(dynamic[2 + own..<10 + own])
        return true
    }

    private func transactionHash() -> Bytes {
        var input = parseObjects(db[0xDF8111] ?? [])?.first?.value ?? []
        input += db[0xDF8107] ?? []
        if let outer = parseObjects(cryptogramAnswer)?.first, let objects = parseObjects(outer.value) {
            for object in objects where object.tag != 0x9F4B { input += outer.value[object.start..<object.end] }
        }
        return sha1(input)
    }

    // MARK: accounts

    private func digits(_ value: Bytes) -> [UInt8] {
        var out = nibbles(value)
        while out.last == 0x0F { out.removeLast() }
        return out
    }

    /// S456.19.
    func storageIdentifier() -> Bytes {
        var out = digits(db[0x5A]!) + (has(0x5F34) ? nibbles(db[0x5F34]!) : [0, 0])
        if out.count % 2 != 0 { out.insert(0, at: 0) }
        while out.count < 16 { out = [0, 0] + out }
        return pack(out)
    }

    private func pack(_ digits: [UInt8]) -> Bytes {
        stride(from: 0, to: digits.count, by: 2).map {
            digits[$0] << 4 | ($0 + 1 < digits.count ? digits[$0 + 1] : 0x0F)
        }
    }

    /// The digits of a number, `count` of them, the lowest last.
    private func spread(_ value: UInt64, _ count: Int) -> [UInt8] {
        var out: [UInt8] = []
        var rest = value
        for _ in 0..<count {
            out.insert(UInt8(rest % 10), at: 0)
            rest /= 10
        }
        return out
    }

    /// 4.10.
    func rewriteTrack() {
        guard has(0x57) else { return }
        at("4.10", byte(0x8F, 0) < 0x0A, byte(0xDF8307, 0))
        let track = nibbles(db[0x57]!)
        guard let separator = track.firstIndex(of: 0x0D), separator + 8 <= track.count else { return }
        let entropy = db[0xDF8302]!
        var own: [UInt8] = [has(0x8F) && byte(0x8F, 0) < 0x0A ? byte(0x8F, 0) : 0, byte(0xDF8307, 0)]
        own += spread(UInt64(number(Array(entropy[2...]))), 5)
        if separator <= 16 { own += spread(UInt64(entropy[1]), 3) }
        own += spread(UInt64(min(999, number(db[0xDF8306]!) / 10)), 3)
        db[0x57] = pack(Array(track[0..<separator + 8]) + own)
    }

    // MARK: 4.11

    /// Start and end of the discretionary data of track 2, in digits; `nil`: a wrong layout, for example a non-digit in
    /// the account number (Conformance/interpretations.md).
    private func field2(_ track: [UInt8]) -> Range<Int>? {
        guard let separator = track.firstIndex(of: 0x0D), track[..<separator].allSatisfy({ $0 <= 9 }) else {
            return nil
        }
        var at = separator + 1
        at += at < track.count && track[at] == 0x0D ? 1 : 4
        at += at < track.count && track[at] == 0x0D ? 1 : 3
        var end = track.count
        while end > 0 && track[end - 1] == 0x0F { end -= 1 }
        return at <= end ? at..<end : nil
    }

    private func field1(_ track: Bytes) -> Range<Int>? {
        guard let first = track.firstIndex(of: 0x5E),
            let second = track[(first + 1)...].firstIndex(of: 0x5E)
        else { return nil }
        var at = second + 1
        at += at < track.count && track[at] == 0x5E ? 1 : 4
        at += at < track.count && track[at] == 0x5E ? 1 : 3
        return at <= track.count ? at..<track.count : nil
    }

    /// Positions that a bitmap names, the lowest first; 1 is the last digit.
    private func positions(_ bitmap: Bytes) -> [Int] {
        var out: [Int] = []
        for (i, value) in bitmap.reversed().enumerated() {
            for bit in 0..<8 where value >> UInt8(bit) & 1 == 1 { out.append(8 * i + bit + 1) }
        }
        return out
    }

    /// S7.22 and S7.23; `nil`: invalid data.
    func stripeDigits() -> Int? {
        let count = positions(db[0x9F66]!).count - Int(byte(0x9F67, 0))
        at("S7.22", count, has(0x56))
        if count < 0 || count > 8 { return nil }
        if has(0x56) {
            if !has(0x9F62) || !has(0x9F63) || !has(0x9F64) { return nil }
            if positions(db[0x9F63]!).count - Int(byte(0x9F64, 0)) != count { return nil }
        }
        guard let field = field2(nibbles(db[0x9F6B]!)), !field.isEmpty else { return nil }
        db[0xDF812B] = pack(Array(nibbles(db[0x9F6B]!)[field]))
        if has(0x56) {
            guard let other = field1(db[0x56]!), !other.isEmpty else { return nil }
            db[0xDF812A] = Array(db[0x56]![other])
        }
        return count
    }

    private struct Marks {
        var checksum: UInt32
        var checksumPlaces: UInt32
        var numberPlaces: UInt32
        var counterDigits: UInt32
    }

    /// 4.11.3, on digits. A position beyond them has no place: no step compares positions with a length (S7.22, S7.23).
    private func fill(_ field: inout [UInt8], _ marks: Marks, _ count: Int, _ shown: Int) {
        func put(_ value: UInt64, _ places: [Int]) {
            let digits = Array(spread(value, places.count).reversed())
            for (i, place) in places.enumerated() where place <= field.count { field[field.count - place] = digits[i] }
        }
        put(UInt64(number(db[marks.checksum]!)), positions(db[marks.checksumPlaces]!))
        let places = positions(db[marks.numberPlaces]!)
        put(amount(db[0x9F6A]!), Array(places.prefix(count)))
        let counter = Int(byte(marks.counterDigits, 0))
        put(UInt64(number(db[0x9F36]!)), Array(places.suffix(counter)))
        field[field.count - 1] = UInt8(shown)
    }

    func fillTracks(_ count: Int, _ shown: Int) {
        var second = nibbles(db[0x9F6B]!)
        let place = field2(second)!
        var field = Array(second[place])
        fill(
            &field, Marks(checksum: 0x9F61, checksumPlaces: 0x9F65, numberPlaces: 0x9F66, counterDigits: 0x9F67), count,
            shown)
        second.replaceSubrange(place, with: field)
        db[0x9F6B] = pack(second)
        guard has(0x56) else { return }
        var first = db[0x56]!
        let other = field1(first)!
        // Only the named positions are digits; all others stay unchanged.
        var marked = [UInt8](repeating: 0xFF, count: other.count)
        fill(
            &marked, Marks(checksum: 0x9F60, checksumPlaces: 0x9F62, numberPlaces: 0x9F63, counterDigits: 0x9F64),
            count,
            shown)
        for (i, digit) in marked.enumerated() where digit != 0xFF { first[other.lowerBound + i] = 0x30 | digit }
        db[0x56] = first
    }

    // MARK: 4.16

    private func operatorIdentifier() -> Bytes {
        if has(0x9F6F) && isSet(0x9F6F, 0, 0x80) && isSet(0xDF62, 0, 0x40) { return Bytes(repeating: 0, count: 8) }
        return has(0x9F5C) ? db[0x9F5C]! : Bytes(repeating: 0, count: 8)
    }

    func storageHash() -> Bytes {
        at("4.16", 1, db[0x9F5E]!.count)
        let (input, card) = (db[0xDF8109]!, db[0x9F5E]!)
        let own = operatorIdentifier()
        func part(_ byte: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: (Int(byte >> 4) * 10 + Int(byte & 0x0F)) * 2) }
        let left = card.prefix(6).map(part) + own[4...5]
        let right = card.suffix(6).map(part) + own[6...7]
        let mixed = zip(input, own).map { $0 ^ $1 }
        let out = TripleDES.encrypt(mixed, Array(left), Array(right))
        return zip(out, input).map { $0 ^ $1 }
    }

    func storageHashAES() -> Bytes {
        at("4.16", 2, db[0x9F5E]!.count)
        let (input, card) = (db[0xDF8109]!, db[0x9F5E]!)
        let own = operatorIdentifier()
        let message = input + own
        let key = Bytes(repeating: 0, count: 11 - card.count) + card + own[4...7] + [0x3F]
        let out = AES128.encrypt(message, key)
        return Array(zip(out, message).map { $0 ^ $1 }.prefix(8))
    }
}
