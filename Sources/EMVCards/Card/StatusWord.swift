// SPDX-License-Identifier: Apache-2.0
/// The two status bytes that end every response.
public struct StatusWord: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ rawValue: UInt16) { self.rawValue = rawValue }

    public var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)] }

    public static let success = StatusWord(0x9000)
    public static let selectedFileInvalidated = StatusWord(0x6283)
    public static let authenticationFailed = StatusWord(0x6300)
    public static let wrongLength = StatusWord(0x6700)
    public static let securityStatusNotSatisfied = StatusWord(0x6982)
    public static let useAnotherInterface = StatusWord(0x6984)
    public static let conditionsNotSatisfied = StatusWord(0x6985)
    /// Answer to GET PROCESSING OPTIONS: the cardholder must act on the device.
    public static let seePhone = StatusWord(0x6986)
    public static let wrongData = StatusWord(0x6A80)
    public static let functionNotSupported = StatusWord(0x6A81)
    public static let fileNotFound = StatusWord(0x6A82)
    public static let recordNotFound = StatusWord(0x6A83)
    public static let wrongParameters = StatusWord(0x6A86)
    public static let referencedDataNotFound = StatusWord(0x6A88)
    public static let instructionNotSupported = StatusWord(0x6D00)
    public static let classNotSupported = StatusWord(0x6E00)
    /// Secure messaging data objects are incorrect: a wrong MAC.
    public static let securityMessagingWrong = StatusWord(0x6988)
    public static let noPreciseDiagnosis = StatusWord(0x6F00)
}
