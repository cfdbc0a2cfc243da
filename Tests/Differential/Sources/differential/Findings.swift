// SPDX-License-Identifier: Apache-2.0
// Differences in which the clause is with the independent implementation, while CEMV is not yet corrected. A tap that
// parts and shows such a case is counted, not reported; a finding that a long run no longer counts is taken out here.

struct Finding: Hashable {
    /// What differs, and the clause.
    let name: String
    /// The tap has such a case.
    let shows: @Sendable (World) -> Bool

    static let open: [Finding] = []

    static func == (a: Finding, b: Finding) -> Bool { a.name == b.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The same of Kernel 2, each with a switch in the independent implementation: a tap that differs, and differs no more
/// once Kernel 2 is played as CEMV has it, shows these findings and nothing else.
enum Finding2: String, CaseIterable {
    /// Book C-8, 4.1.3: objects before the one that makes a response malformed are stored.
    case beforeMalformed = "objects before the malformed one of a response (Book C-8, 4.1.3)"
    /// Book C-8, CreateDataRecord: what is present goes into the data record, with a length of zero too.
    case emptyInRecord = "an empty object in the data record (Book C-8, 4.3)"
    /// Book C-8, 4.1.3: an object that the kernel's dictionary does not list is ignored, the issuer's and those of
    /// terminals that are not in it too.
    case unlistedObject = "an object of the issuer or the terminal that the dictionary does not list (Book C-8, 4.1.3)"
    /// Book C-8, 4.1.3: every primitive object, in whatever template.
    case unknownTemplate = "an FCI with objects in a template that nobody knows (Book C-8, 4.1.3)"

    /// Book C-8, 4.3, AddToList and AddListToList: what a list has already is updated, not kept nor added once more.
    case listUpdate = "an object that a list has already (Book C-8, 4.3)"
    /// The digest's 3.0: what was to be sent is sent, S456.21 to 23 before an end of the same step too.
    case exchangeBeforeEnd = "data for the terminal before an end of the same step (S456.23, S78.14)"
    /// The digest's S3R1.6: no record to read ends with the error indication alone.
    case nothingToRead = "discretionary data where there is no record to read (S3R1.6)"

    /// The digest's S3.65 and S3R1.20 with S456.2, .7 and .21: Tags To Read get TVR as it is.
    case readResults = "TVR for Tags To Read while records are read (S3.65, S456.7)"

    /// The digest's 3.0, spool: an object goes to Data To Send with the value that it has then.
    case valueAtSending = "an object that changed between spooling and sending (3.0)"

    /// Those that are played as CEMV has them.
    static var played: Set<Finding2> = []
    static func asPlayed(_ finding: Finding2) -> Bool { played.contains(finding) }
}
