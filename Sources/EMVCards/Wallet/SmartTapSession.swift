// SPDX-License-Identifier: Apache-2.0
// NEGOTIATE, GET DATA and GET MORE of the simulated Smart Tap wallet.
internal import EMVTripleDES

/// The state of a presentment.
struct SmartTapSession: Sendable, Hashable {
    var hasBegun = false
    /// The application was selected, not only the directory.
    var isSelected = false
    /// The nonce that the reader must sign; nil before one was sent.
    var nonce: [UInt8]?
    var identifier: [UInt8]?
    /// Sequence number of the last answer.
    var sequence: UInt8?
    var collector: UInt32?
    var keys: SmartTapKeys?
    var pending: [UInt8] = []
    var lastStatus = StatusWord.success
    var refusals = 0
    var cipherCount: UInt8 = 0
    var askedToUnlock = false
    var askedToChoose = false
    var firstFitting: Int?
}

/// The session keys that both sides derive.
struct SmartTapKeys: Sendable, Hashable {
    let cipher: [UInt8]
    let code: [UInt8]

    /// - Parameters:
    ///   - secret: x of the product of one side's ephemeral private key and the other's public key.
    ///   - deviceKey: 33 bytes.
    init(secret: [UInt8], deviceKey: [UInt8], signed: [UInt8], signature: [UInt8]) {
        let bytes = HashedKeys.expanded(secret, salt: deviceKey, info: signed + signature, count: 48)
        cipher = Array(bytes.prefix(16))
        code = Array(bytes.suffix(32))
    }

    /// Returns initialisation vector, ciphertext and authentication code.
    func seal(_ plain: [UInt8], vector: [UInt8]) -> [UInt8] {
        let hidden = vector + AES(key: cipher).counterMode(plain, from: vector + [0, 0, 0, 0])
        return hidden + HMAC.mac(hidden, key: code)
    }
}

/// The status in an answer's `ses` record.
private enum SessionStatus: UInt8 {
    case good = 0x01
    case format = 0x02
    case version = 0x03
    case sequence = 0x04
    case unknownMerchant = 0x05
    case merchantMissing = 0x06
    case serviceMissing = 0x07
    case again = 0x08
}

extension SmartTapWallet {
    var isExhausted: Bool { errorBudget.map { session.refusals >= $0 } ?? false }

    /// Answers a command to the selected wallet; nil sends no answer.
    mutating func respond(to bytes: [UInt8]) -> [UInt8]? {
        if isExhausted { return nil }
        guard let command = CommandAPDU(bytes) else { return complain("lengths of the command", .wrongLength) }
        guard command.instructionClass == 0x90 else { return complain("class of the command", .classNotSupported) }
        guard command.p1 == 0, command.p2 == 0 else { return complain("parameters", .wrongParameters) }
        guard command.expected == 0 else { return complain("no Le of zero", .wrongLength) }
        switch command.instruction {
        case 0x53, 0x50:
            let maySkip = directory.allowsSkipping || !answersSecondSelect
            if !session.isSelected, !maySkip || session.nonce == nil {
                return complain("no second SELECT, which may not be skipped", .conditionsNotSatisfied)
            }
            if let refusal { return refuse(refusal) }
            if isLocked {
                session.askedToUnlock = true
                return refuse(StatusWord(0x9300))
            }
            return command.instruction == 0x53 ? negotiate(command.data) : data(command.data)
        case 0xC0:
            guard command.data.isEmpty else { return complain("GET MORE with data", .wrongLength) }
            return more()
        default: return complain("unknown command", StatusWord(0x9400))
        }
    }

    private mutating func refuse(_ status: StatusWord) -> [UInt8] {
        session.refusals += 1
        session.pending = []
        return status.bytes
    }

    private mutating func complain(_ text: String, _ status: StatusWord) -> [UInt8] {
        complaints.append(text)
        return refuse(status)
    }

    // MARK: Records that both requests have

    /// Returns the records inside a request of this type, after its version; nil if the request is malformed.
    private func request(_ type: String, _ data: [UInt8]) -> [WalletRecord]? {
        guard let records = WalletRecord.parse(data), records.count == 1, records[0].format == 4,
            records[0].name == type, records[0].payload.starts(with: [0x00, 0x01])
        else { return nil }
        return WalletRecord.parse(Array(records[0].payload.dropFirst(2)))
    }

    /// Checks the reader's session record and advances the sequence. Returns the error, or nil.
    private mutating func follow(_ records: [WalletRecord]) -> SessionStatus? {
        guard let record = records.first(named: "ses"), record.payload.count == 10 else { return .format }
        let (identifier, sequence) = (Array(record.payload.prefix(8)), record.payload[8])
        guard record.payload[9] == SessionStatus.good.rawValue else { return .format }
        if let known = session.identifier {
            guard known == identifier, sequence == session.sequence.map({ $0 &+ 1 }) else { return .sequence }
        } else {
            // Readers begin with 0 or 1.
            guard sequence <= 1 else { return .sequence }
        }
        session.identifier = identifier
        session.sequence = sequence &+ 1
        return nil
    }

    private func answerRecord(_ status: SessionStatus) -> WalletRecord {
        var identifier = session.identifier ?? [UInt8](repeating: 0, count: 8)
        var sequence = session.sequence ?? 0
        if flaws.contains(.otherSession) { identifier[7] ^= 0x01 }
        if flaws.contains(.otherSequence) { sequence &+= 1 }
        let said: SessionStatus = flaws.contains(.sessionStatus) ? .again : status
        return WalletRecord("ses", identifier + [sequence, said.rawValue])
    }

    /// Builds an answer that contains only the error.
    private mutating func refuse(
        _ type: String, _ status: SessionStatus, _ word: StatusWord, because text: String
    ) -> [UInt8] {
        complaints.append(text)
        session.refusals += 1
        return WalletRecord.message([WalletRecord(type, [answerRecord(status)])]) + word.bytes
    }

    /// Parses the collector after the format byte 04.
    private func collector(_ record: WalletRecord?) -> UInt32? {
        guard let payload = record?.payload, payload.count == 5, payload[0] == 0x04 else { return nil }
        return payload.dropFirst().reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: NEGOTIATE

    private mutating func negotiate(_ data: [UInt8]) -> [UInt8] {
        guard let records = request("ngr", data) else {
            return complain("NEGOTIATE is no ngr of version 1", StatusWord(0x9402))
        }
        if let wrong = follow(records) { return refuse("nrs", wrong, StatusWord(0x9402), because: "session \(wrong)") }
        guard let payload = records.first(named: "cpr")?.payload, payload.count > 70,
            let inner = WalletRecord.parse(Array(payload.dropFirst(70)))
        else { return refuse("nrs", .format, StatusWord(0x9402), because: "cpr") }
        let (nonce, mode, terminalKey) = (Array(payload[0..<32]), payload[32], Array(payload[33..<66]))
        let version = payload[66..<70].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard mode == 0x01 else { return refuse("nrs", .format, StatusWord(0x9500), because: "not authenticated live") }
        guard let collector = collector(inner.first(named: "cld")) else {
            return refuse("nrs", .merchantMissing, StatusWord(0x9402), because: "cld")
        }
        guard let merchant = merchants.first(where: { $0.collector == collector && $0.keyVersion == version }),
            let signer = P256.Point(compressed: merchant.publicKey)
        else { return refuse("nrs", .unknownMerchant, StatusWord(0x9500), because: "unknown merchant or key version") }
        guard let terminal = P256.Point(compressed: terminalKey) else {
            return refuse("nrs", .format, StatusWord(0x9403), because: "the terminal's key is no point")
        }
        let signed =
            nonce + (session.nonce ?? []) + [UInt8](inner.first(named: "cld")?.payload.dropFirst() ?? []) + terminalKey
        guard let signature = inner.first(named: "sig")?.payload, signature.first == 0x04,
            ECDSA.verify(Array(signature.dropFirst()), signed, by: signer)
        else { return refuse("nrs", .good, StatusWord(0x9500), because: "signature") }

        let secret = terminal.multiplied(by: deviceKey.scalar)?.x.bytes ?? []
        session.keys = SmartTapKeys(
            secret: secret, deviceKey: deviceKey.point.compressed, signed: signed,
            signature: Array(signature.dropFirst()))
        session.collector = collector
        return WalletRecord.message([WalletRecord("nrs", [answerRecord(.good)] + deviceKeyRecords)])
            + StatusWord.success.bytes
    }

    private var deviceKeyRecords: [WalletRecord] {
        var key = deviceKey.point.compressed
        if flaws.contains(.infinity) { key = [UInt8](repeating: 0, count: 33) }
        if flaws.contains(.offCurve) {
            while P256.Point(compressed: key) != nil { key[32] &+= 1 }
        }
        if flaws.contains(.missingDeviceKey) { return [] }
        let other = P256PrivateKey(name: "another device").point.compressed
        return [WalletRecord("dpk", key)] + (flaws.contains(.duplicateDeviceKey) ? [WalletRecord("dpk", other)] : [])
    }

    // MARK: GET DATA

    private mutating func data(_ data: [UInt8]) -> [UInt8] {
        guard let records = request("srq", data) else {
            return complain("GET DATA is no srq of version 1", StatusWord(0x9402))
        }
        if let wrong = follow(records) { return refuse("srs", wrong, StatusWord(0x9402), because: "session \(wrong)") }
        guard let merchant = records.first(named: "mer").flatMap({ WalletRecord.parse($0.payload) }),
            let collector = collector(merchant.first(named: "cld"))
        else { return refuse("srs", .merchantMissing, StatusWord(0x9407), because: "mer without cld") }
        guard let services = records.first(named: "slr").flatMap({ WalletRecord.parse($0.payload) }),
            services.allSatisfy({ $0.name == "str" && $0.payload.count == 1 })
        else { return refuse("srs", .serviceMissing, StatusWord(0x9402), because: "slr") }
        guard let capabilities = records.first(named: "pcr")?.payload, capabilities.count == 5 else {
            return refuse("srs", .format, StatusWord(0x9402), because: "pcr")
        }
        checkPrivacy(services, capabilities)
        guard session.keys != nil || answersStrangers else { return refuse(StatusWord(0x9500)) }
        if session.keys != nil, session.collector != collector {
            return refuse(
                "srs", .unknownMerchant, StatusWord(0x9500), because: "another merchant than was authenticated")
        }
        if transientFailures > 0 {
            transientFailures -= 1
            return refuse(StatusWord(0x9203))
        }
        let kinds = Set(services.map { $0.payload[0] })
        let all = kinds.contains(0x00) || kinds.contains(0x01)
        let fitting = passes.indices.filter {
            passes[$0].collector == collector && (all || kinds.contains(passes[$0].kind.rawValue))
        }
        return answer(fitting, wantsPayment: capabilities[4] & 0x0E != 0)
    }

    private mutating func checkPrivacy(_ services: [WalletRecord], _ capabilities: [UInt8]) {
        if services.contains(where: { $0.payload[0] < 0x03 }) { complaints.append("asked for everything") }
        if capabilities[0] & 0x40 != 0 { complaints.append("announced zlib") }
        if ![0x01, 0x02, 0x04, 0x08].contains(capabilities[4]) { complaints.append("not one mode") }
    }

    private mutating func answer(_ fitting: [Int], wantsPayment: Bool) -> [UInt8] {
        if fitting.isEmpty {
            return sendsCustomer
                ? send(WalletRecord.message([WalletRecord("asv", customer)]), StatusWord(0x9001))
                : send(nil, StatusWord(0x9001))
        }
        let chosen = choice.flatMap { fitting.contains($0) ? $0 : nil }
        guard let place = chosen ?? (fitting.count == 1 ? fitting[0] : nil) else {
            session.askedToChoose = true
            session.firstFitting = fitting[0]
            return send(nil, StatusWord(0x9302))
        }
        var values = [value(of: passes[place])]
        if flaws.contains(.twoPasses) { values.append(value(of: passes[place])) }
        if sendsCustomer { values.insert(WalletRecord("asv", customer), at: 0) }
        let status: StatusWord = wantsPayment && !isReadyToPay ? StatusWord(0x9101) : .success
        return send(WalletRecord.message(values), status)
    }

    /// An object of the customer, which the reader did not request.
    private var customer: [WalletRecord] {
        [
            WalletRecord(
                "cus",
                [
                    WalletRecord("cid", [0x04, 0xC0, 0xFF, 0xEE, 0x01]), WalletRecord("cpl", [0x01, 0x65, 0x6E]),
                    WalletRecord("cut", [0x04, 0x00]),
                ])
        ]
    }

    private func value(of pass: Pass) -> WalletRecord {
        var content = flaws.contains(.emptyValue) ? [] : pass.value
        if flaws.contains(.huge) { content += [UInt8](repeating: 0x30, count: 6000) }
        var number: WalletRecord
        switch pass.writing {
        case .text: number = WalletRecord(text: content, named: "n")
        case .textIn(let language):
            number = WalletRecord(text: [], named: "n")
            number.payload = [UInt8(language.utf8.count & 0x3F)] + Array(language.utf8) + content
        case .format(let format): number = WalletRecord("n", [format] + content)
        }
        if flaws.contains(.unknownFormat) { number = WalletRecord("n", [0x77] + content) }
        let kind = flaws.contains(.otherKind) ? (pass.kind == .offer ? .loyalty : .offer) : pass.kind
        var object = WalletRecord(
            kind.object, [WalletRecord("oid", [0x04] + SHA256.hash(content).prefix(8)), number])
        if flaws.contains(.nested) { for _ in 0..<6 { object = WalletRecord(kind.object, [object]) } }
        let issuer = WalletRecord("i", [0x04, 0x01] + pass.collector.bigEndianBytes)
        return WalletRecord("asv", [issuer, object])
    }

    /// - Parameter plain: nil sends no bundle.
    private mutating func send(_ plain: [UInt8]?, _ status: StatusWord) -> [UInt8] {
        var records = [answerRecord(.good)]
        if let plain, !flaws.contains(.missingBundle) { records.append(WalletRecord("reb", bundle(plain))) }
        var answer = WalletRecord.message([WalletRecord("srs", records)])
        if flaws.contains(.lyingLength) { answer[2] &+= 7 }
        session.pending = answer
        session.lastStatus = status
        return more()
    }

    private mutating func bundle(_ plain: [UInt8]) -> [UInt8] {
        var plain = plain
        // Marks the first record as the first chunk of a chunked record.
        if flaws.contains(.chunked) { plain[0] |= 0x20 }
        guard let keys = session.keys, !flaws.contains(.plain) else { return [0x00] + plain }
        var sealed = keys.seal(plain, vector: vector)
        session.cipherCount &+= 1
        if flaws.contains(.changedVector) { sealed[0] ^= 0x01 }
        if flaws.contains(.changedCipher) { sealed[12] ^= 0x01 }
        if flaws.contains(.changedCode) { sealed[sealed.count - 1] ^= 0x01 }
        if flaws.contains(.shortBundle) { sealed = Array(sealed.prefix(43)) }
        return [flaws.contains(.compressed) ? 0x03 : 0x01] + sealed
    }

    // MARK: GET MORE

    private mutating func more() -> [UInt8] {
        if flaws.contains(.endless) { return [UInt8](repeating: 0xD4, count: 16) + [0x91, 0x00] }
        guard !session.pending.isEmpty else { return complain("GET MORE where nothing is left", StatusWord(0x9404)) }
        let part = Array(session.pending.prefix(partSize))
        session.pending.removeFirst(part.count)
        return part + (session.pending.isEmpty ? session.lastStatus : StatusWord(0x9100)).bytes
    }
}
