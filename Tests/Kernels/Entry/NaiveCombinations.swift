// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain reading of Book B v2.10, 3.3.2.5 to 3.3.3.6.
// Written from the book alone.

/// A directory entry, template 61 (Book B Table 3-2). `nil` means absent.
struct NaiveDirectoryEntry: Equatable, Sendable {
    var adfName: [UInt8]?
    var priority: UInt8? = nil
    var kernelIdentifier: [UInt8]? = nil
    var extendedSelection: [UInt8]? = nil
}

/// A combination of the reader.
struct NaiveReaderCombination: Equatable, Sendable {
    var aid: [UInt8]
    /// One byte for an international kernel, three or more for a domestic one.
    var kernelID: [UInt8]
    var extendedSelectionSupport: Bool? = nil
    /// The indicator of pre-processing.
    var notAllowed = false
}

/// An entry of the candidate list (Book B 3.3.2.5 E), with where it came from.
struct NaiveCandidate: Equatable, Sendable {
    var combination: Int
    var entry: Int
    var adfName: [UInt8]
    var aid: [UInt8]
    var kernelID: [UInt8]
    var priority: UInt8?
    var extendedSelection: [UInt8]?
    /// The name for SELECT (3.3.3.3, 3.3.3.4).
    var selectName: [UInt8]
}

/// Book B 3.3 gives an unassigned priority the rank of F; 3.3.3.2 only says "lowest".
enum NaiveUnassignedPriority: Sendable {
    /// Equal to 15, so that the order in the PPSE decides between them.
    case equalToFifteen
    /// After 15.
    case belowFifteen
}

/// Whose AID this is, for the defaults of Table 3-6.
private func naiveDefaultKernel(_ aid: [UInt8]) -> UInt8 {
    if aid.count < 5 { return 0 }
    let rid = Array(aid[0..<5])
    if rid == [0xA0, 0x00, 0x00, 0x00, 0x25] { return 4 }  // American Express
    if rid == [0xA0, 0x00, 0x00, 0x01, 0x52] { return 6 }  // Discover
    if rid == [0xA0, 0x00, 0x00, 0x03, 0x24] { return 6 }  // Discover, former Zip
    if rid == [0xA0, 0x00, 0x00, 0x00, 0x65] { return 5 }  // JCB
    if rid == [0xA0, 0x00, 0x00, 0x00, 0x04] { return 2 }  // Mastercard
    if rid == [0xA0, 0x00, 0x00, 0x03, 0x33] { return 7 }  // UnionPay
    if naiveIsVisaAID(aid) { return 3 }
    return 0
}

/// A Visa AID, by its registered application provider.
func naiveIsVisaAID(_ aid: [UInt8]) -> Bool {
    if aid.count < 5 { return false }
    return Array(aid[0..<5]) == [0xA0, 0x00, 0x00, 0x00, 0x03]
}

/// 3.3.2.5 C; `nil` sends us on to the next directory entry.
func naiveRequestedKernelID(_ identifier: [UInt8]?, matchingAID: [UInt8]) -> [UInt8]? {
    guard let identifier = identifier else {
        return [naiveDefaultKernel(matchingAID)]
    }
    if identifier.isEmpty {
        return [naiveDefaultKernel(matchingAID)]
    }
    if identifier == [0x00] {
        return [naiveDefaultKernel(matchingAID)]
    }
    let type = identifier[0] >> 6
    if type == 0 || type == 1 {
        return [identifier[0]]
    }
    if identifier.count < 3 {
        return nil
    }
    if identifier[0] & 0x3F != 0 {
        return [identifier[0], identifier[1], identifier[2]]
    }
    // The book leaves a domestic kernel with short identifier 0 open: we skip the entry.
    return nil
}

/// 3.3.2.5 D.
func naiveKernelSupported(requested: [UInt8], kernelID: [UInt8]) -> Bool {
    if requested == [0] {
        return true
    }
    if requested.count == 1 {
        // International: byte 1 alone identifies the kernel.
        if kernelID.isEmpty { return false }
        if kernelID[0] >> 6 >= 2 { return false }
        return kernelID[0] == requested[0]
    }
    if kernelID.count < 3 { return false }
    return Array(kernelID[0..<3]) == requested
}

/// The candidate list in the order in which the entries are tried (3.3.2.5, 3.3.3.1 to 3.3.3.4),
/// every candidate being removed when its turn has passed.
func naiveCandidates(
    entries: [NaiveDirectoryEntry], combinations: [NaiveReaderCombination],
    unassigned: NaiveUnassignedPriority = .equalToFifteen
) -> [NaiveCandidate] {
    var list: [NaiveCandidate] = []

    for c in combinations.indices {
        let combination = combinations[c]
        if combination.notAllowed { continue }
        for e in entries.indices {
            let entry = entries[e]
            // A
            guard let name = entry.adfName else { continue }
            if name.count < 5 { continue }
            if name.count > 16 { continue }
            // B
            if name.count < combination.aid.count { continue }
            if Array(name[0..<combination.aid.count]) != combination.aid { continue }
            // C
            guard
                let requested = naiveRequestedKernelID(
                    entry.kernelIdentifier, matchingAID: combination.aid)
            else { continue }
            // D
            if !naiveKernelSupported(requested: requested, kernelID: combination.kernelID) {
                continue
            }
            // E, and 3.3.3.3 for the name
            var selectName = name
            if let extended = entry.extendedSelection {
                if combination.extendedSelectionSupport == true {
                    selectName += extended
                }
            }
            list.append(
                NaiveCandidate(
                    combination: c, entry: e, adfName: name, aid: combination.aid,
                    kernelID: combination.kernelID, priority: entry.priority,
                    extendedSelection: entry.extendedSelection, selectName: selectName))
        }
    }

    // 3.3.3.2, again and again until nothing is left. Where one entry suits several reader
    // combinations the book lets us choose: the order of the configuration.
    var ordered: [NaiveCandidate] = []
    while !list.isEmpty {
        var best = 0
        for i in list.indices {
            let rank = naivePriorityRank(list[i].priority, unassigned: unassigned)
            let bestRank = naivePriorityRank(list[best].priority, unassigned: unassigned)
            if rank < bestRank {
                best = i
            } else if rank == bestRank {
                if list[i].entry < list[best].entry {
                    best = i
                } else if list[i].entry == list[best].entry {
                    if list[i].combination < list[best].combination {
                        best = i
                    }
                }
            }
        }
        ordered.append(list.remove(at: best))
    }
    return ordered
}

/// 3.3.1.1: low nibble only; absent counts as 0.
func naivePriorityRank(_ indicator: UInt8?, unassigned: NaiveUnassignedPriority) -> Int {
    let value = Int((indicator ?? 0) & 0x0F)
    if value != 0 { return value }
    switch unassigned {
    case .equalToFifteen: return 15
    case .belowFifteen: return 16
    }
}

/// What final selection does with the answer to SELECT (3.3.3.5, 3.3.3.6).
enum NaiveAfterSelect: Equatable, Sendable {
    case activateKernel
    case dropCandidate
    /// Message 1C, ready to read.
    case endApplication
}

/// `pdolTags` is `nil` where the FCI has no PDOL.
func naiveAfterSelect(
    statusWord: UInt16, issuerDataPresent: Bool, aid: [UInt8], kernelID: [UInt8],
    pdolTags: [UInt32]?
) -> NaiveAfterSelect {
    // 3.3.3.5
    if statusWord != 0x9000 {
        if issuerDataPresent {
            return .endApplication
        }
        return .dropCandidate
    }
    // 3.3.3.6
    if naiveIsVisaAID(aid) && kernelID == [3] {
        guard let tags = pdolTags else { return .dropCandidate }
        if !tags.contains(0x9F66) {
            return .dropCandidate
        }
    }
    return .activateKernel
}
