// SPDX-License-Identifier: Apache-2.0
@testable import EMVCards
@testable import EMVSimulator

/// A literal implementation of Entry Point and Kernel 3 from the books: no states, no limits, no optimisation. It
/// determines the result of a named card independently of the kernel.
struct NaiveKernel3 {
    struct Result: Hashable {
        var outcome: String
        var cvm = "notApplicable"
    }

    var terminal = PlainTerminal()
    var revokedSerials: Set<[UInt8]> = [[0x00, 0x00, 0xAA]]
    var aid = [UInt8](hex: "A0000000031010")
    /// YYMMDD
    var today = "261121"

    /// One presentment.
    func tap(_ card: inout VirtualCard) -> Result {
        let directory = card.respond(to: PlainTerminal.select(Array("2PAY.SYS.DDF01".utf8)))
        guard directory.suffix(2) == [0x90, 0x00] else { return Result(outcome: "endApplication") }
        for name in candidates(Array(directory.dropLast(2))) {
            let control = card.respond(to: PlainTerminal.select(name))
            guard control.suffix(2) == [0x90, 0x00],
                let list = PlainTerminal.find(0x9F38, in: Array(control.dropLast(2))), list.starts(with: [0x9F, 0x66])
            else { continue }
            let talk = terminal.tap(&card, aid: name)
            let options = talk.exchanges.count > 2 ? Array(talk.exchanges[2].response.suffix(2)) : talk.status
            switch options {
            case [0x69, 0x84]: return Result(outcome: "tryAnotherInterface")
            case [0x69, 0x85]: continue
            case [0x69, 0x86]: return Result(outcome: "tryAgain")
            default: return judge(talk)
            }
        }
        return Result(outcome: "endApplication")
    }

    /// Names to select, best first (Book B, 3.3.2.5 and 3.3.3.2).
    private func candidates(_ directory: [UInt8]) -> [[UInt8]] {
        guard let content = PlainTerminal.find(0xBF0C, in: directory), let entries = DataObject.parse(content) else {
            return []
        }
        var found: [(priority: Int, name: [UInt8])] = []
        for entry in entries where entry.tag == 0x61 {
            guard let name = PlainTerminal.find(0x4F, in: entry.value), name.starts(with: aid),
                PlainTerminal.find(0x9F2A, in: entry.value) ?? [3] == [3]
            else { continue }
            let priority = Int((PlainTerminal.find(0x87, in: entry.value)?.first ?? 0) & 0xF)
            found.append((priority == 0 ? 16 : priority, name))
        }
        return found.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
            .map(\.element.name)
    }

    /// From Card Read Complete on (Book C-3, 5.4 to 5.9).
    private func judge(_ talk: PlainTerminal.Conversation) -> Result {
        let end = Result(outcome: "endApplication")
        guard talk.status == [0x90, 0x00], talk.exchanges.count > 2, talk.exchanges[2].response.first == 0x77,
            !talk.hasRepeatedObjects, [0x57, 0x82, 0x9F10, 0x9F26, 0x9F36].allSatisfy({ talk[$0] != nil }),
            talk[0x94].map({ !$0.isEmpty && $0.count.isMultiple(of: 4) }) ?? true,
            talk.exchanges.dropFirst(3).allSatisfy({ $0.response.first == 0x70 })
        else { return end }

        let reader = TerminalQualifiers(bytes: [UInt8](hex: terminal.qualifiers))
        let qualifiers = talk[0x9F6C] ?? [0, 0]
        let type = talk[0x9F27]?[0] ?? (talk[0x9F10]![4] & 0x30) << 2
        var declined = ![0x40, 0x80].contains(type & 0xC0)
        var online = type & 0xC0 == 0x80 || reader.requiresOnline

        if type & 0xC0 == 0x40, talk[0x5F24]?.hex ?? "" < today {
            if qualifiers[0] & 0x08 != 0 { online = true } else { declined = true }
        }
        if let switched = usage(talk, qualifiers, &declined) { return switched }
        if !online, !declined, !authenticates(talk) {
            if qualifiers[0] & 0x20 != 0, !reader.isOfflineOnly {
                online = true
            } else if qualifiers[0] & 0x10 != 0, reader.supportsContact {
                return Result(outcome: "tryAnotherInterface")
            } else {
                declined = true
            }
        }
        let cvm = declined ? "notApplicable" : verify(talk, reader, type, &online, &declined)
        if declined { return Result(outcome: "declined") }
        return Result(outcome: online ? "onlineRequest" : "approved", cvm: cvm)
    }

    private func authenticates(_ talk: PlainTerminal.Conversation) -> Bool {
        guard talk[0x82]![0] & 0x20 != 0 else { return false }
        let check = ChainCheck(conversation: talk, terminal: terminal, revokedSerials: revokedSerials)
        return (try? check.verify()) == 0x05
    }

    /// Cash and cash back (5.5.1.3 and 5.5.1.4).
    private func usage(
        _ talk: PlainTerminal.Conversation, _ qualifiers: [UInt8], _ declined: inout Bool
    ) -> Result? {
        let isCash = terminal.type == "01"
        guard isCash || terminal.type == "09" else { return nil }
        let byte = isCash ? 0 : 1
        let domestic = talk[0x5F28] == [UInt8](hex: terminal.country)
        let control = talk[0x9F07] ?? [0, 0]
        let allowed = talk[0x5F28] != nil && control[byte] & (domestic ? 0x80 : 0x40) != 0
        guard !allowed else { return nil }
        if qualifiers[0] & (isCash ? 0x04 : 0x02) != 0 { return Result(outcome: "tryAnotherInterface") }
        declined = true
        return nil
    }

    /// 5.7.1
    private func verify(
        _ talk: PlainTerminal.Conversation, _ reader: TerminalQualifiers, _ type: UInt8, _ online: inout Bool,
        _ declined: inout Bool
    ) -> String {
        guard let qualifiers = talk[0x9F6C] else {
            guard reader.requiresVerification else { return "none" }
            if reader.supportsSignature { return "signature" }
            if reader.supportsOnlinePIN {
                online = true
                return "onlinePIN"
            }
            declined = true
            return "notApplicable"
        }
        if qualifiers[0] & 0x80 != 0, reader.supportsOnlinePIN {
            online = true
            return "onlinePIN"
        }
        if qualifiers[1] & 0x80 != 0 {
            if let signed = talk[0x9F69] {
                if signed.count >= 7, Array(signed[5...6]) == qualifiers { return "cdcvm" }
            } else if type & 0xC0 == 0x80 {
                return "cdcvm"
            }
            declined = true
            return "notApplicable"
        }
        if qualifiers[0] & 0x40 != 0, reader.supportsSignature { return "signature" }
        if reader.requiresVerification { declined = true }
        return "none"
    }
}
