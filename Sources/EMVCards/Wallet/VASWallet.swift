// SPDX-License-Identifier: Apache-2.0
internal import EMVTripleDES

// A wallet that answers GET VAS DATA and encrypts its passes for their merchants, as far as that protocol is public. It
// was written from the facts of the protocol alone: it shares no code with the reader in EMVLoyalty, and computes with
// the simulator's own P-256, SHA-256 and AES.

/// A phone's wallet for Apple's VAS 1.0, with several passes.
public struct VASWallet: Sendable, Hashable {
    public var passes: [Pass]
    /// The owner has not authenticated. Requests that announce further ones are answered with "not found", the last one
    /// with "locked" (6287).
    public var isLocked = false
    /// A payment card was authenticated, so a payment may be performed.
    public var isCardAuthenticated = true
    /// After a failed request, the owner unlocks the phone and consents once it has left the field.
    public var unlocksBetweenTaps = false
    /// After a failed request, the wallet is no longer found in later presentments until the owner has authenticated
    /// again, as on phones that can also pay.
    public var endsWithFieldAfterFailure = false
    /// Number of refused requests in one presentment after which it stops answering; nil for no limit.
    public var errorBudget: Int?
    /// Answer to a request with only the sign-up URL. No public source documents the answer of real phones.
    public var answerToURLAlone = StatusWord.success
    public var clock: PassClock
    /// Seed of the device keys: equal seeds and cryptogram counts give equal keys.
    public var seed: [UInt8] = Array("wallet".utf8)
    public var flaws: Set<VASFlaw> = []

    /// Sign-up URLs that readers have offered, in order.
    public private(set) var signUps: [String] = []
    /// The readers' violations of the protocol, in order.
    public private(set) var complaints: [String] = []
    /// Number of cryptograms so far.
    public private(set) var cryptogramCount = 0

    private var presentment = Presentment()
    private var isRouted = true
    private var lastCryptogram: [UInt8]?

    /// One pass.
    public struct Pass: Sendable, Hashable {
        /// Pass type identifier.
        public var passType: String
        /// At most 64 bytes on an honest phone.
        public var message: [UInt8]
        /// The merchant's key, 33 bytes.
        public var publicKey: [UInt8]
        /// Mobile token (9F2A); may be empty.
        public var token: [UInt8] = []
        public var state = State.ready

        public enum State: Sendable, Hashable {
            case ready
            /// 6287: the owner must unlock it.
            case locked
            /// 6984: the owner must act on the phone.
            case needsOwner
        }

        public init(_ passType: String, _ message: String, for key: SimulatedPassKey) {
            self.passType = passType
            self.message = Array(message.utf8)
            publicKey = key.publicKey
        }
    }

    /// State that is lost when the field goes off.
    private struct Presentment: Sendable, Hashable {
        var refusals = 0
        var failed = false
        /// A request without "more to come" was answered.
        var isOver = false
        var requests = 0
    }

    /// - Parameter clock: by default fixed at 2026-11-21 12:00:00 UTC.
    public init(_ passes: [Pass], clock: PassClock = .fixed(816_955_200)) {
        self.passes = passes
        self.clock = clock
    }

    /// The owner authenticates.
    public mutating func authenticate() {
        isLocked = false
        isRouted = true
        for index in passes.indices { passes[index].state = .ready }
    }

    mutating func fieldOff() {
        if presentment.failed {
            if unlocksBetweenTaps {
                authenticate()
            } else if endsWithFieldAfterFailure {
                isRouted = false
            }
        }
        presentment = Presentment()
    }

    /// "OSE.VAS.01"
    static let directoryName = Array("OSE.VAS.01".utf8)

    mutating func selectDirectory() -> [UInt8]? {
        if isExhausted { return nil }
        guard isRouted else { return refuse(.fileNotFound) }
        let version: [UInt8] = flaws.contains(.otherVersion) ? [0x02, 0x00] : [0x01, 0x00]
        // From bit 1: plain data, encrypted data, VAS may be skipped, performed, payment may be skipped, performed.
        let capabilities: UInt8 = isCardAuthenticated ? 0x3E : 0x1E
        let nonce = Array(SHA256.hash(seed + UInt64(cryptogramCount).bigEndianBytes).prefix(4))
        let control = DataObject(
            0x6F,
            [
                DataObject(0x50, Array("ApplePay".utf8)), DataObject(0x9F21, version), DataObject(0x9F24, nonce),
                DataObject(0x9F23, [0, 0, 0, capabilities]),
            ])
        return control.bytes + StatusWord.success.bytes
    }

    var isExhausted: Bool { errorBudget.map { presentment.refusals >= $0 } ?? false }

    private mutating func refuse(_ status: StatusWord) -> [UInt8] {
        presentment.refusals += 1
        presentment.failed = true
        return status.bytes
    }

    private mutating func complain(_ text: String, _ status: StatusWord) -> [UInt8] {
        complaints.append(text)
        return refuse(status)
    }

    /// Answers GET VAS DATA or any other command to the selected wallet; nil sends no answer.
    mutating func respond(to bytes: [UInt8]) -> [UInt8]? {
        if isExhausted { return nil }
        guard let command = CommandAPDU(bytes) else { return complain("lengths of the command", .wrongLength) }
        guard (command.instructionClass, command.instruction) == (0x80, 0xCA) else {
            return refuse(.instructionNotSupported)
        }
        guard command.p1 == 0x01, command.p2 <= 0x01 else { return complain("parameters", StatusWord(0x6B00)) }
        guard command.expected == 0x00 else { return complain("no Le of zero", .wrongLength) }
        let request: Request
        switch Request.parse(command.data, isFull: command.p2 == 0x01) {
        case .failure(let refusal): return complain(refusal.text, refusal.status)
        case .success(let parsed): request = parsed
        }
        checkOrder(of: request)
        if let url = request.url { signUps.append(url) }
        guard request.isFull else {
            return answerToURLAlone == .success ? StatusWord.success.bytes : refuse(answerToURLAlone)
        }
        return answer(request)
    }

    private mutating func checkOrder(of request: Request) {
        if presentment.isOver { complaints.append("a request after the last") }
        if request.mode == .payment { complaints.append("a request in the mode of payment alone") }
        if request.mode == .pass, presentment.requests > 0 || request.isFollowed {
            complaints.append("several requests in the mode of a pass alone")
        }
        presentment.requests += 1
        presentment.isOver = !request.isFollowed
    }

    private mutating func answer(_ request: Request) -> [UInt8] {
        if isLocked {
            // As observed on an idle phone: every request is answered with "not found" except the last, which gives the
            // reason.
            return refuse(request.isFollowed ? .recordNotFound : StatusWord(0x6287))
        }
        guard let pass = passes.first(where: { SHA256.hash(Array($0.passType.utf8)) == request.identifier }) else {
            return refuse(.recordNotFound)
        }
        switch pass.state {
        case .ready: return present(pass, request.identifier)
        case .locked: return refuse(StatusWord(0x6287))
        case .needsOwner: return refuse(.useAnotherInterface)
        }
    }

    private mutating func present(_ pass: Pass, _ identifier: [UInt8]) -> [UInt8] {
        let sealed = cryptogram(of: pass, identifier)
        var objects = [DataObject(0x9F2A, pass.token)]
        if !flaws.contains(.missingCryptogram) { objects.append(DataObject(0x9F27, sealed)) }
        if flaws.contains(.duplicateCryptogram) {
            objects.append(DataObject(0x9F27, sealed.map { $0 ^ 0x01 }))
        }
        let inner = objects.flatMap { $0.bytes }
        var answer = flaws.contains(.missingTemplate) ? inner : DataObject(0x70, inner).bytes
        if flaws.contains(.lyingLength) { answer[1] &+= 1 }
        if flaws.contains(.truncatedAnswer) { answer.removeLast(5) }
        return answer + StatusWord.success.bytes
    }

    // MARK: The cryptogram

    /// The input of the key derivation in addition to the secret: the algorithm's name with its length, and the
    /// protocol's text.
    private static let sharedText = [0x0D] + Array("id-aes256-GCMApplePay encrypted VAS data".utf8)

    private mutating func cryptogram(of pass: Pass, _ identifier: [UInt8]) -> [UInt8] {
        if flaws.contains(.replayedCryptogram), let lastCryptogram { return lastCryptogram }
        let device = P256PrivateKey(P256.scalar(from: seed + UInt64(cryptogramCount).bigEndianBytes))
        cryptogramCount += 1
        var message = pass.message
        if flaws.contains(.longMessage) { message += [UInt8](repeating: 0x41, count: max(0, 65 - message.count)) }
        if flaws.contains(.emptyMessage) { message = [] }
        var seconds = clock.seconds
        if flaws.contains(.pastTime) { seconds &-= 3600 }
        if flaws.contains(.futureTime) { seconds &+= 3600 }
        var plain = UInt64(seconds).bigEndianBytes.suffix(4) + message
        if flaws.contains(.shortPlain) { plain = [0x00, 0x01] }
        var merchant = pass.publicKey
        if flaws.contains(.otherKey) { merchant = SimulatedPassKey(name: "another merchant").publicKey }
        let key = Self.key(device.scalar, merchant, identifier)
        var bytes = SimulatedPassKey.identifier(of: pass.publicKey)
        if flaws.contains(.otherKeyIdentifier) { bytes = SimulatedPassKey(name: "another merchant").identifier }
        bytes += deviceX(device)
        bytes += AES(key: key).galoisSeal(Array(plain), nonce: [UInt8](repeating: 0, count: 16))
        if flaws.contains(.changedCryptogram) { bytes[bytes.count - 20] ^= 0x40 }
        if flaws.contains(.truncatedCryptogram) { bytes = Array(bytes.prefix(51)) }
        if flaws.contains(.emptyCryptogram) { bytes = [] }
        lastCryptogram = bytes
        return bytes
    }

    private func deviceX(_ device: P256PrivateKey) -> [UInt8] {
        if flaws.contains(.zeroX) { return [UInt8](repeating: 0, count: 32) }
        if flaws.contains(.largeX) { return [UInt8](repeating: 0xFF, count: 32) }
        guard flaws.contains(.offCurve) else { return device.point.x.bytes }
        var x = device.point.x.bytes
        while P256.Point(x: x) != nil { x[31] &+= 1 }
        return x
    }

    /// Derives the key of AES-256-GCM. The sign of y does not matter, because only x of the product is used.
    static func key(_ scalar: Number256, _ publicKey: [UInt8], _ identifier: [UInt8]) -> [UInt8] {
        let secret = P256.Point(x: Array(publicKey.dropFirst()))?.multiplied(by: scalar)?.x.bytes
        return key(secret: secret ?? [UInt8](repeating: 0, count: 32), identifier)
    }

    static func key(secret: [UInt8], _ identifier: [UInt8]) -> [UInt8] {
        HashedKeys.concatenated(secret, shared: sharedText + identifier, count: 32)
    }
}

/// Behaviour that no honest wallet shows.
public enum VASFlaw: String, Sendable, Hashable, CaseIterable {
    /// The directory reports version 2.0.
    case otherVersion
    /// The device key's x does not belong to a point.
    case offCurve
    case zeroX
    /// The device key's x is not below the prime.
    case largeX
    case otherKeyIdentifier
    /// Encrypted for another merchant's key, but with the right key's identifier.
    case otherKey
    case changedCryptogram
    case truncatedCryptogram
    case emptyCryptogram
    case missingCryptogram
    case duplicateCryptogram
    case missingTemplate
    /// The template claims one byte more than it has.
    case lyingLength
    case truncatedAnswer
    /// 65 bytes, one more than allowed in a pass.
    case longMessage
    case emptyMessage
    /// Two bytes, too short for the time.
    case shortPlain
    /// The first cryptogram is repeated in every answer.
    case replayedCryptogram
    /// The time is an hour ago.
    case pastTime
    /// The time is in an hour.
    case futureTime
}

/// The content of GET VAS DATA.
private struct Request {
    let isFull: Bool
    /// SHA-256 of the pass type identifier.
    let identifier: [UInt8]
    let url: String?
    let isFollowed: Bool
    let mode: Mode

    enum Mode: UInt8 {
        case passElsePayment = 0
        case passAndPayment = 1
        case pass = 2
        case payment = 3
    }

    struct Refusal: Error {
        let text: String
        let status: StatusWord
        init(_ text: String, _ status: StatusWord = .wrongData) {
            self.text = text
            self.status = status
        }
    }

    static func parse(_ data: [UInt8], isFull: Bool) -> Result<Request, Refusal> {
        guard let objects = DataObject.parse(data) else { return .failure(Refusal("data objects")) }
        var values: [UInt32: [UInt8]] = [:]
        for object in objects where values.updateValue(object.value, forKey: object.tag) != nil {
            return .failure(Refusal("a data object twice"))
        }
        guard values[0x9F22] == [0x01, 0x00] else { return .failure(Refusal("protocol version", StatusWord(0x6340))) }
        guard let capabilities = values[0x9F26], capabilities.count == 4, capabilities[0] == 0 else {
            return .failure(Refusal("terminal capabilities"))
        }
        guard capabilities[1] & 0x80 != 0 else { return .failure(Refusal("a terminal without VAS")) }
        if let nonce = values[0x9F28], nonce.count != 4 { return .failure(Refusal("terminal nonce")) }
        if let filter = values[0x9F2B], !(4...5).contains(filter.count) || filter[0] != 0x01 {
            return .failure(Refusal("filter"))
        }
        let url = values[0x9F29].map { String(decoding: $0, as: UTF8.self) }
        if let url, url.isEmpty || url.utf8.count > 64 { return .failure(Refusal("sign-up URL")) }
        if !isFull, url == nil { return .failure(Refusal("no sign-up URL")) }
        guard let identifier = values[0x9F25], identifier.count == 32 else {
            return .failure(Refusal("pass type identifier"))
        }
        let mode = Mode(rawValue: capabilities[3] & 0x03) ?? .payment
        return .success(
            Request(
                isFull: isFull, identifier: identifier, url: url, isFollowed: capabilities[3] & 0x80 != 0, mode: mode))
    }
}
