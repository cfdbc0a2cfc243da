// SPDX-License-Identifier: Apache-2.0
import EMVKit

#if !FUZZING
import Foundation

@testable import EMVLoyalty

extension WalletProperties {
    static let fuzz = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz")
}
#endif

/// Properties that hold for any bytes in a wallet's answers. The fuzzer (`Scripts/fuzz passes wallet`) compiles this
/// file together with the decoders; the ordinary tests replay the inputs that it kept.
///
/// Nothing is decrypted here, because a fuzzer has no key. A bundle's contents are passed to its decoder directly.
enum WalletProperties {
    private typealias Vectors = SmartTapVectors

    // MARK: - Decoders

    /// - Parameter input: its first byte selects the decoder for the rest.
    /// - Returns: the property that the input violates; `nil` if all hold.
    static func violated(byAnswer input: Bytes) -> String? {
        guard let choice = input.first else { return nil }
        let bytes = Bytes(input.dropFirst())
        return switch choice % 5 {
        case 0: ofSelection(bytes)
        case 1: ofPassAnswer(bytes)
        case 2: ofMessage(bytes[...])
        case 3: ofSmartTap(bytes)
        default: ofBundle(bytes)
        }
    }

    private static func selection(_ body: Bytes) -> Result<WalletSelection, LoyaltyFault> {
        do throws(LoyaltyFault) { return .success(try WalletSelection(body[...])) } catch { return .failure(error) }
    }

    private static func ofSelection(_ body: Bytes) -> String? {
        let found = selection(body)
        switch found {
        case .failure(.malformed(.selection)), .failure(.unsupportedVersion): return nil
        case .failure: return "a selection fails as something else"
        case .success(.apple): guard holds(body, "ApplePay") else { return "a wallet that did not answer" }
        case .success(.google(let smartTap)):
            guard holds(body, "AndroidPay") else { return "another wallet that did not answer" }
            if let nonce = smartTap.nonce, nonce.count != 32 || !holds(body, nonce) {
                return "a nonce that did not come"
            }
        case .success(.unknown): break
        }
        // Filler is ignored; a truncated tag or a missing byte makes the whole invalid.
        if selection(body + [0x00, 0xFF]) != found { return "filler behind a selection counts" }
        if selection(body + [0x9F]) != .failure(.malformed(.selection)) { return "half a tag is passed over" }
        if let last = body.last, last != 0x00, last != 0xFF,
            selection(body.dropLast()) != .failure(.malformed(.selection))
        {
            return "a selection without its last byte is one"
        }
        return nil
    }

    private static func outcome(_ answer: Bytes, _ command: VASCommand) -> PassOutcome? {
        var dialogue = VASDialogue([command])
        guard dialogue.next(nil) == .send(command.bytes), dialogue.next(.response(answer)) == .finished else {
            return nil
        }
        return dialogue.outcomes.count == 1 ? dialogue.outcomes[0] : nil
    }

    private static func ofPassAnswer(_ answer: Bytes) -> String? {
        let url = SignUpURL("https://club.example")
        for isURLOnly in [false, true] {
            let command = VASCommand(
                passType: VASVectors.passTypeHash, signUp: isURLOnly ? url : nil, isURLOnly: isURLOnly,
                purpose: .andPayment)
            guard let outcome = outcome(answer, command) else { return "one answer does not end one question" }
            guard answer.count >= 2 else {
                if outcome != .unreadable(.malformed(.passAnswer)) { return "an answer without a status word" }
                continue
            }
            let status = Bytes(answer.suffix(2))
            switch outcome {
            case .sealed(let pass):
                guard status == [0x90, 0x00], !isURLOnly, pass.passType == command.passType,
                    SealedPass.sizes.contains(pass.cryptogram.count), holds(answer, pass.cryptogram)
                else { return "a pass that did not come" }
            case .read, .notAsked: return "an answer that came is none, or is read without a key"
            case .unreadable(.malformed(.passAnswer)):
                if status != [0x90, 0x00] || isURLOnly { return "a status word that is malformed" }
            default:
                if self.outcome(status, command) != outcome { return "bytes before a status word count" }
            }
        }
        return nil
    }

    private static func records(_ bytes: ArraySlice<UInt8>) -> Result<[NDEFRecord], NDEFError> {
        do throws(NDEFError) { return .success(try NDEFReader.records(bytes)) } catch { return .failure(error) }
    }

    private static func ofMessage(_ bytes: ArraySlice<UInt8>) -> String? {
        guard case .success(let found) = records(bytes) else { return nil }
        guard (1...NDEFReader.maximumRecords).contains(found.count) else {
            return "a message of \(found.count) records"
        }
        let size = found.reduce(0) { $0 + 3 + $1.type.count + $1.identifier.count + $1.payload.count }
        guard size <= bytes.count else { return "more is read than came" }
        let written = NDEFRecord.message(found)
        guard records(written[...]) == .success(found) else { return "not read again as it was written" }
        guard records(bytes + [0x00]) == .failure(.trailing) else { return "a byte behind the last record counts" }
        guard records(bytes.dropLast()) == .failure(.truncated) else { return "a message without its last byte is one" }
        for record in found {
            if let name = record.name, name.isEmpty || name.utf8.count > 32 { return "a name of any length" }
            if record.payload.count < bytes.count, let violated = ofMessage(record.payload) { return violated }
        }
        return nil
    }

    private static func ofSmartTap(_ body: Bytes) -> String? {
        if let nonce = try? SmartTapSelection.nonce(selected: body[...]) {
            guard nonce.count == 32, holds(body, nonce), body[0] == 0, body[1] <= 1 else {
                return "a nonce of no wallet"
            }
        }
        if let answer = try? SmartTapRecords.negotiated(body[...], Vectors.terminal) {
            guard answer.key.count == 33, holds(body, answer.key), holds(body, Vectors.terminal.session) else {
                return "a key of another session"
            }
        }
        if let data = try? SmartTapRecords.bundle(body[...], Vectors.terminal) {
            guard data.count >= EncryptedBundle.overhead, holds(body, data), holds(body, Vectors.terminal.session)
            else { return "a bundle that did not come" }
        }
        return nil
    }

    private static func ofBundle(_ plain: Bytes) -> String? {
        if let value = try? PassBundle.value(plain, kinds: []) { return "\(value) that nobody asked for" }
        for kinds in [Set(PassKind.allCases), [.loyalty], [.offer, .transit]] {
            guard let value = try? PassBundle.value(plain, kinds: kinds) else { continue }
            guard let kind = value.kind, kinds.contains(kind) else { return "a kind that was not asked for" }
            guard holds(plain, value.bytes), value.made == nil else { return "a value that did not come" }
            // Hex has two characters per byte; UTF-16 has at most three bytes of UTF-8 for two.
            if let text = value.text, text.utf8.count > 2 * value.bytes.count { return "a text that did not come" }
        }
        return nil
    }

    // MARK: - Dialogues

    /// Answers for a dialogue, at their right positions and at all others.
    private static let answers: [Bytes] =
        [
            VASVectors.selected, Vectors.selected, Vectors.selectedAgain, Vectors.negotiated(),
            Vectors.data() + [0x90, 0x00], Vectors.data() + [0x91, 0x01], VASVectors.answer(VASVectors.cryptogram),
            VASVectors.answer(VASVectors.blanked), Vectors.negotiated(7, status: [0x92, 0x01]),
            Bytes(Vectors.data().prefix(40)) + [0x91, 0x00], Bytes(Vectors.data().dropFirst(40)) + [0x90, 0x00],
            Bytes(repeating: 0x30, count: 600) + [0x91, 0x00],
        ]
        + [0x9000, 0x9001, 0x9100, 0x9201, 0x9300, 0x9302, 0x9402, 0x9500, 0x6A82, 0x6A83, 0x6287, 0x6984, 0x6340]
        .map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }

    /// The dialogue's request: one byte of the input selects it.
    private static let requests: [LoyaltyRequest] = {
        func club(_ name: String, _ url: String? = nil, only: Bool = false) -> LoyaltyProgramme {
            LoyaltyProgramme(
                id: LoyaltyProgramme.ID(name), name: name, wallet: .passType("pass.example." + name),
                signUp: url.flatMap { SignUpURL($0) }, signUpOnly: only)
        }
        let points = LoyaltyProgramme(
            id: "points", name: "points",
            wallet: .collector(Vectors.collector, keyVersion: 1, kinds: [.loyalty, .offer]))
        let other = LoyaltyProgramme(
            id: "other", name: "other", wallet: .collector(7, keyVersion: 1, kinds: [.transit]))
        let all = [
            [club("a")], [points], [club("a"), points],
            [club("a", "https://a.example"), club("b"), club("c"), points, other],
            [club("a", "https://a.example", only: true)], (0..<6).map { club("p\($0)") }, [],
        ]
        return all.compactMap { try? LoyaltyRequest($0) }
    }()

    /// Plays a dialogue with the input: its first two bytes select purpose and request, the others are the answers.
    ///
    /// - Returns: the property that the input violates; `nil` if all hold.
    static func violated(byDialogue input: Bytes) -> String? { play(input).violated }

    /// Also returns the dialogue's findings and the number of its commands.
    static func play(_ input: Bytes) -> (violated: String?, findings: [Finding], commands: Int) {
        guard input.count >= 2 else { return (nil, [], 0) }
        let purposes: [LoyaltyPurpose] = [.andPayment, .insteadOfPayment, .passOnly, .paymentOnly]
        let purpose = purposes[Int(input[0] % 4)]
        let request = requests[Int(input[1]) % requests.count]
        var dialogue = WalletDialogue(request, purpose, terminal: Vectors.terminal)
        var script = AnswerScript(input.dropFirst(2)), watch = DialogueWatch(request, purpose)
        var step = dialogue.next(nil)
        while step != .finished {
            if let violated = watch.violated(by: step) { return (violated, dialogue.findings, watch.commands.count) }
            let answer = script.next(answers, for: step)
            step = dialogue.next(answer)
            if let violated = watch.violated(by: dialogue, after: answer, step) {
                return (violated, dialogue.findings, watch.commands.count)
            }
        }
        // A dialogue that has ended stays ended.
        for answer in [nil, .over, .response([0x90, 0x00]), .fault(.removed)] as [DialogueAnswer?] {
            let before = dialogue
            if dialogue.next(answer) != .finished || dialogue != before { return ("an end that goes on", [], 0) }
        }
        return (watch.violated(atEnd: dialogue), dialogue.findings, watch.commands.count)
    }

    fileprivate static func holds(_ bytes: Bytes, _ text: String) -> Bool { holds(bytes, Bytes(text.utf8)) }

    fileprivate static func holds(_ bytes: Bytes, _ part: Bytes) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...(bytes.count - part.count)).contains {
            bytes[$0] == first && bytes[$0..<($0 + part.count)].elementsEqual(part)
        }
    }
}

/// Answers defined by an input's bytes: entries of a table, unchanged, changed or cut; bytes of the input; faults.
private struct AnswerScript {
    private var left: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { left = bytes }

    private mutating func byte() -> Int { Int(left.popFirst() ?? 0) }

    private mutating func bytes(_ count: Int) -> Bytes {
        defer { left = left.dropFirst(count) }
        return Bytes(left.prefix(count))
    }

    mutating func next(_ answers: [Bytes], for step: DialogueStep) -> DialogueAnswer {
        let isSigning = if case .sign = step { true } else { false }
        // The signer signs correctly, unless the input requests otherwise.
        if isSigning, !(left.first.map { $0 >= 0xF0 } ?? false) { return .signature(SmartTapVectors.signature) }
        guard let choice = left.popFirst() else { return .response([0x6F, 0x00]) }
        let answer = answers[Int(choice & 0x3F) % answers.count]
        switch choice {
        case 0x00..<0x40: return .response(answer)
        case 0x40..<0x80:
            var changed = answer
            let place = (byte() | byte() << 8) % changed.count
            changed[place] ^= UInt8(byte())
            return .response(changed)
        case 0x80..<0xC0: return .response(Bytes(answer.prefix((byte() | byte() << 8) % (answer.count + 1))))
        case 0xC0..<0xE0: return .response(bytes(byte() | Int(choice & 0x1F) << 8))
        // A body for an input to find, with a status word of the protocols.
        case 0xE0..<0xF0:
            let body = bytes(byte())
            return .response(body + answers[answers.count - 13 + Int(choice & 0x0F) % 13])
        case 0xF0...0xF3: return .fault(LinkFault.allCases[Int(choice & 0x03)])
        case 0xF4: return .over
        case 0xF5: return .signature(nil)
        default: return .signature(bytes(byte()))
        }
    }
}

/// Properties that must hold during a dialogue.
private struct DialogueWatch {
    private let request: LoyaltyRequest
    private let purpose: LoyaltyPurpose
    private(set) var commands: [Bytes] = []
    private var answers: [Bytes] = []
    private var parts = Bytes()
    /// The last signature given, valid or not: without the collector's key it cannot be verified here.
    private var signature: Bytes?

    init(_ request: LoyaltyRequest, _ purpose: LoyaltyPurpose) {
        self.request = request
        self.purpose = purpose
    }

    private func count(_ prefix: Bytes) -> Int { commands.count { $0.starts(with: prefix) } }

    /// Checks a request.
    mutating func violated(by step: DialogueStep) -> String? {
        guard case .send(let command) = step else { return nil }
        commands.append(command)
        guard purpose != .paymentOnly, !request.programmes.isEmpty else { return "a question without a request" }
        guard WalletSelection.isOfDialogue(command) else { return "a command that is none of a wallet's" }
        guard (commands.count == 1) == (command == WalletSelection.command) else { return "the door is not the first" }
        let isWhole =
            command.count == 5 && command == SmartTapRecords.getMore
            || command.count > 6 && Int(command[4]) == command.count - 6 && command.last == 0x00
        guard isWhole else { return "lengths of a command" }
        guard count([0x00, 0xA4]) <= 2, count([0x90, 0xC0]) <= SmartTapDialogue.maximumParts,
            count([0x90, 0x53]) + count([0x90, 0x50]) <= 3, count([0x80, 0xCA]) <= request.programmes.count
        else { return "more commands than there may be" }
        if command.starts(with: [0x90, 0x50]) { return violated(byData: command) }
        return nil
    }

    /// GET DATA names exactly the kinds of the request.
    private func violated(byData command: Bytes) -> String? {
        let body = Bytes(command[5..<(command.count - 1)])
        guard let outer = try? NDEFReader.records(body).first("srq"),
            let records = try? NDEFReader.records(outer.payload.dropFirst(2)),
            let services = records.first("slr").flatMap({ try? NDEFReader.records($0.payload) }),
            let mode = records.first("pcr")?.payload.last
        else { return "GET DATA is no message" }
        guard services.map(\.payload) == [[PassKind.loyalty.service], [PassKind.offer.service]] else {
            return "kinds that were not asked for"
        }
        return mode == purpose.smartTapMode ? nil : "another purpose"
    }

    /// Checks the effect of an answer.
    mutating func violated(by dialogue: WalletDialogue, after answer: DialogueAnswer, _ step: DialogueStep) -> String? {
        switch answer {
        case .response(let bytes):
            answers.append(bytes)
            parts += bytes.dropLast(2)
        case .fault:
            guard dialogue.isLinkBroken, step == .finished else { return "a broken link goes on" }
        case .over: guard step == .finished else { return "a dialogue goes on without time" }
        case .signature(let bytes): signature = bytes
        }
        guard dialogue.findings.count == request.programmes.count else { return "not one outcome for each programme" }
        guard (step == .finished) == (dialogue.phase == .ended) else { return "an end that is none" }
        return nil
    }

    /// Checks the result.
    func violated(atEnd dialogue: WalletDialogue) -> String? {
        if dialogue.holdsPayment, !answers.contains(where: { $0.dropLast().last == 0x91 }) {
            return "a payment that is held back by nobody"
        }
        var passes = 0
        for (finding, programme) in zip(dialogue.findings, request.programmes) {
            switch (finding, programme.wallet) {
            case (.outcome(.sealed(let pass)), .passType(let name)):
                passes += 1
                let isHere = answers.contains {
                    $0.suffix(2) == [0x90, 0x00] && WalletProperties.holds($0, pass.cryptogram)
                }
                guard isHere, pass.passType == Digest.sha256(name.utf8), !programme.signUpOnly else {
                    return "a pass that did not come"
                }
            case (.bundle(let bundle), .collector):
                guard WalletProperties.holds(parts, bundle.data), bundle.signature == signature,
                    bundle.deviceKey.count == 33, WalletProperties.holds(parts, bundle.deviceKey),
                    bundle.signed.starts(with: SmartTapVectors.terminal.nonce)
                else { return "a bundle that did not come" }
            case (.outcome(.read), _): return "read without a key"
            case (.outcome(.sealed), _), (.bundle, _): return "a pass of the other wallet"
            case (.outcome(.signUpOffered), _):
                if programme.signUp == nil { return "an offer without a URL" }
            case (.outcome, _): break
            }
        }
        return purpose == .passOnly && passes > 1 ? "two passes where one is given" : nil
    }
}
