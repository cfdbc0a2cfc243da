// SPDX-License-Identifier: Apache-2.0
/// The fields that an acquirer's adapter needs for a message: the fields of ISO 8583:1987 that come from card and
/// cardholder, and the equivalent codes of ISO 20022 (nexo). <doc:FieldsForAHost> has the table by network and outcome,
/// and its sources. It contains cardholder data in the clear.
public struct HostFields: Sendable, Hashable {
    /// How the card was read (CardDataReadingCode of ISO 20022; element `CardDataNtryMd`).
    public enum CardDataEntry: String, Sendable, Hashable, CaseIterable {
        /// The card was read in EMV mode.
        case emvContactless = "ECTL"
        /// The tracks were read in a mag-stripe mode.
        case contactless = "CTLS"
    }

    /// How the cardholder was verified (AuthenticationMethodCode of ISO 20022; element `AuthntcnMtd`).
    public enum Verification: String, Sendable, Hashable, CaseIterable {
        case onlinePIN = "NPIN"
        case paperSignature = "PPSG"
    }

    /// Fields 2, 14, 22, 23, 35 and 45.
    public let message: MessageFields
    /// Field 52 and, if the host wants it, 53; `nil` if no PIN was entered. Field 52 has eight bytes: the host's
    /// specification states where a block of format 4 (sixteen bytes) belongs.
    public let pinBlock: EncryptedPINBlock?
    /// Field 55, `ICCRltdData`; `nil` in mag-stripe mode, which has no chip data.
    public let chip: IssuerDataField?
    /// `nil` if the read has neither a cryptogram nor a track.
    public let entry: CardDataEntry?
    /// `nil` if the cardholder was not verified, was verified on their own device, or by a method for which ISO 20022
    /// has no known code here. Field 55 contains it (9F34).
    public let verification: Verification?
}

extension HostFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Lists the fields that are present, and the codes.
    public var description: String {
        var text = "\(message)"
        if pinBlock != nil { text += ", 52" }
        if chip != nil { text += ", 55" }
        for code in [entry?.rawValue, verification?.rawValue] { if let code { text += ", \(code)" } }
        return text
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension AuthorizationRequest {
    /// Returns the fields for a host.
    ///
    /// - Parameters:
    ///   - set: the objects for field 55; `nil` means those that the kernel's book requires and allows.
    ///   - terminal: objects that the terminal adds for the issuer and that the read does not have, such as 9F1E.
    ///   - capability: third digit of field 22.
    ///   - separator: between account number and expiry date in field 35: `=` or `D`.
    public func hostFields(
        _ set: IssuerDataSet? = nil, terminal: DataObjects = DataObjects(),
        pin capability: ChipData.PINCapability = .unspecified, separator: Character = "="
    ) throws(IssuerDataSetError) -> HostFields {
        let chip = ChipData(read, terminal: terminal)
        let verification: HostFields.Verification? =
            pin != nil ? .onlinePIN : read.cvm == .signature ? .paperSignature : nil
        let entry: HostFields.CardDataEntry? =
            switch chip.mode {
            case .emv?: .emvContactless
            case .magneticStripe?: .contactless
            case nil: nil
            }
        return HostFields(
            message: chip.messageFields(pin: capability, separator: separator), pinBlock: pin,
            chip: chip.mode == .emv ? try chip.dataSet(set) : nil, entry: entry, verification: verification)
    }
}
