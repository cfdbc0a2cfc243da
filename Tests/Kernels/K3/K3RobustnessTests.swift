// SPDX-License-Identifier: Apache-2.0
// Whatever a card says ends in exactly one defined outcome: truncations, corruptions and tags of other kernels in whole
// dialogues.
import CEMV
import CEMVInternals
import TestData
import Testing

private let ends: Set<UInt8> = [
    UInt8(CEMV_OUTCOME_APPROVED.rawValue), UInt8(CEMV_OUTCOME_DECLINED.rawValue),
    UInt8(CEMV_OUTCOME_ONLINE_REQUEST.rawValue),
    UInt8(CEMV_OUTCOME_END_APPLICATION.rawValue), UInt8(CEMV_OUTCOME_TRY_ANOTHER_INTERFACE.rawValue),
]

/// Dialogues with what a changed byte may still bring.
enum K3Dialogue: CaseIterable {
    case online, refused, signedOffline, signedOnline, issuerUpdate

    var card: K3Card {
        switch self {
        case .online: return .online
        case .refused: return .refusing
        case .signedOffline: return .signedOffline
        case .signedOnline: return .signedOnline
        case .issuerUpdate:
            var card = K3Card.online
            card.gpo[0x9F6C] = [0x00, 0x40]
            return card
        }
    }

    var answer: K3Bytes? { self == .issuerUpdate ? hex("910A01020304050607083030 72098607 8416000002AABB") : nil }

    func sale(_ profile: cemv_profile) -> K3Sale {
        var sale = K3Sale(profile)
        if self == .issuerUpdate { sale.ttq = hex("3600C000") }
        return sale
    }
}

@Suite struct K3RobustnessTests {
    /// Replays `answers`; past their end the card is gone.
    private func replay(_ reader: K3Reader, _ answers: [K3Bytes], online: K3Bytes?) -> K3Result {
        let result = reader.run(online: online) { index, _ in
            index < answers.count ? .response(answers[index]) : .fault(CEMV_REPLY_TIMEOUT)
        }
        let sound =
            ends.contains(result.outcome.status) && result.steps < 120 && !result.leaks
            && result.outcome.reason != UInt8(CEMV_REASON_INTERNAL.rawValue)
        if !sound {
            Issue.record("status \(result.outcome.status), \(result.steps) steps, reason \(result.outcome.reason)")
        }
        if result.status != CEMV_OUTCOME_APPROVED && result.status != CEMV_OUTCOME_DECLINED
            && result.status != CEMV_OUTCOME_ONLINE_REQUEST
        {
            if !result.record.isEmpty { Issue.record("a data record with outcome \(result.outcome.status)") }
        }
        return result
    }

    private func recorded(_ dialogue: K3Dialogue, _ reader: K3Reader) -> [K3Bytes] {
        reader.tap(dialogue.card, online: dialogue.answer).answers
    }

    @Test(arguments: K3Dialogue.allCases, [CEMV_PROFILE_BOOK, CEMV_PROFILE_GUARDED, CEMV_PROFILE_STRICT])
    func everyTruncationEnds(dialogue: K3Dialogue, profile: cemv_profile) {
        let reader = K3Reader(dialogue.sale(profile))
        let answers = recorded(dialogue, reader)
        for place in answers.indices {
            for length in 0..<answers[place].count {
                var changed = answers
                changed[place] = K3Bytes(answers[place].prefix(length))
                let result = replay(reader, changed, online: dialogue.answer)
                if result.status == CEMV_OUTCOME_APPROVED {
                    Issue.record("approved with answer \(place) cut to \(length)")
                }
                // The same with a status word behind what is left.
                changed[place] += [0x90, 0x00]
                if length < answers[place].count - 2,
                    replay(reader, changed, online: dialogue.answer).status == CEMV_OUTCOME_APPROVED
                {
                    Issue.record("approved with body \(place) cut to \(length)")
                }
            }
        }
    }

    /// Every byte of every answer, three other values each; every 17th byte, all values.
    @Test(arguments: K3Dialogue.allCases)
    func everyCorruptedByteEnds(dialogue: K3Dialogue) {
        let reader = K3Reader(dialogue.sale(CEMV_PROFILE_BOOK)), guarded = K3Reader(dialogue.sale(CEMV_PROFILE_GUARDED))
        let answers = recorded(dialogue, reader)
        var approvals: Set<[Int]> = []
        for place in answers.indices {
            for at in answers[place].indices {
                let all = (place * 7 + at) % 17 == 0
                for change in all ? Array(UInt8(1)...255) : [0x01, 0x80, 0xFF] {
                    var changed = answers
                    changed[place][at] ^= change
                    let result = replay(all ? reader : guarded, changed, online: dialogue.answer)
                    if result.status == CEMV_OUTCOME_APPROVED { approvals.insert([place, at]) }
                }
            }
        }
        if dialogue == .signedOffline {
            // What annex C does not sign may change: directory, FCI, cryptogram, issuer data, track 2 behind the
            // account, qualifiers …
            let signed = signedPlaces(answers)
            #expect(approvals.isDisjoint(with: signed), "\(approvals.intersection(signed))")
            #expect(approvals.count < answers.map(\.count).reduce(0, +) / 2)
        } else {
            #expect(approvals.isEmpty)
        }
    }

    /// Where the values under signatures stand: 9F4B, 9F69, certificates, keys, PAN, expiry and country of the signed
    /// record.
    private func signedPlaces(_ answers: [K3Bytes]) -> Set<[Int]> {
        let card = K3Card.signedOffline
        var values: [K3Bytes] = [card.gpo[0x9F4B]!]
        for record in card.records {
            values += record.data.objects.filter { $0.tag != 0x8F }.map(\.value).filter { $0.count > 1 }
        }
        var places: Set<[Int]> = []
        for value in values {
            for (place, answer) in answers.enumerated() where place > 1 && answer.count >= value.count {
                for at in 0...(answer.count - value.count) where Array(answer[at..<at + value.count]) == value {
                    places.formUnion((at..<at + value.count).map { [place, $0] })
                }
            }
        }
        precondition(places.count > 250)
        return places
    }

    private static let rows: [cemv_tag_row] = (0..<Int(TAG_ROWS)).map { tag_row_at($0).pointee }

    /// The record of an outcome holds the terminal's values whatever the card brings.
    @Test(arguments: [0, 1, 2])
    func noTagFromTheCardChangesTerminalData(place: Int) {
        let terminal: [UInt32] = [0x9F02, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37]
        let reader = K3Reader(K3Sale())
        let honest = reader.tap(.signedOffline)
        for info in Self.rows where info.number != 0x9F38 {
            for size in Set([Int(info.min), Int(min(info.max, 60))]) {
                let value = K3Bytes(repeating: 0x31, count: size)
                var card = K3Card.signedOffline
                switch place {
                case 0: card.fci.objects.append((info.number, value))
                case 1: card.gpo.objects.append((info.number, value))
                default: card.records.append(K3Record(sfi: 4, number: 1, data: K3Data([(info.number, hexText(value))])))
                }
                let result = reader.tap(card)
                if !ends.contains(result.outcome.status) {
                    Issue.record("tag \(hexText(dataObject(info.number, []))): \(result.outcome.status)")
                }
                // A dialogue may end early; then the last command still carried the terminal's values.
                for tag in terminal where !result.record.isEmpty && result.value(tag) != honest.value(tag) {
                    Issue.record("tag \(hexText(dataObject(info.number, []))) changed \(String(tag, radix: 16))")
                }
                if let command = result.gpoCommand, command != honest.gpoCommand {
                    Issue.record("tag \(hexText(dataObject(info.number, []))) changed the command")
                }
            }
        }
    }

    @Test func everyStatusWordEnds() {
        let reader = K3Reader(K3Sale())
        for place in 2..<7 {
            for word in stride(from: UInt16(0), through: 0xFFFF, by: 257) {
                var card = K3Card.signedOffline
                let result = reader.run { index, command in
                    index == place
                        ? .response([UInt8(word >> 8), UInt8(word & 0xFF)]) : .response(card.answer(command))
                }
                if !ends.contains(result.outcome.status) || result.status == CEMV_OUTCOME_APPROVED {
                    Issue.record("\(place) \(word)")
                }
            }
        }
    }

    @Test func storeThatIsFullEndsTheApplication() {
        var card = K3Card.online
        card.records = (1...20).map {
            K3Record(number: UInt8($0), data: K3Data([(0xDF7F, hexText(K3Bytes(repeating: 0xAA, count: 240)))]))
        }
        let result = k3Tap(card)
        #expect(result.status == CEMV_OUTCOME_END_APPLICATION)
        #expect(result.reason == CEMV_REASON_STORE_FULL)
    }

    @Test func deeplyNestedAnswerEnds() {
        for depth in [1, 4, 8, 16, 60] {
            var inner = K3Card.online.gpo.encoded
            for _ in 0..<depth { inner = dataObject(0xE1, inner) }
            var card = K3Card.online
            card.gpoRaw = dataObject(0x77, inner)
            let result = k3Tap(card)
            #expect([CEMV_OUTCOME_ONLINE_REQUEST, CEMV_OUTCOME_END_APPLICATION].contains { $0 == result.status })
            if depth == 60 { #expect(result.status == CEMV_OUTCOME_END_APPLICATION) }
        }
    }
}

private extension cemv_tag_row {
    var number: UInt32 { row_tag(self) }
}
