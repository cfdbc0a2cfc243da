// SPDX-License-Identifier: Apache-2.0
/// What an acquirer's adapter takes for a message: the fields of ISO 8583:1987 that come from card and cardholder, and
/// the codes of ISO 20022 (nexo) for the same. <doc:HostFields> has the table by network and outcome, and its sources.
/// Cardholder data in the clear.
public struct HostFields: Sendable, Hashable {
    /// How the card was read (CardDataReadingCode of ISO 20022; element `CardDataNtryMd`).
    public enum CardDataEntry: String, Sendable, Hashable, CaseIterable {
        /// EMV mode.
        case emvContactless = "ECTL"
        /// Tracks of a mag-stripe mode.
        case contactless = "CTLS"
    }

    /// How the cardholder was verified (AuthenticationMethodCode of ISO 20022; element `AuthntcnMtd`).
    public enum Verification: String, Sendable, Hashable, CaseIterable {
        case onlinePIN = "NPIN"
        case paperSignature = "PPSG"
    }

    /// 2, 14, 22, 23, 35 and 45.
    public let message: MessageFields
    /// 52 and, as the host wants it, 53; `nil`: no PIN was entered. Field 52 has eight bytes: a block of format 4
    /// (sixteen) goes where the host's specification puts it.
    public let pinBlock: EncryptedPINBlock?
    /// 55, `ICCRltdData`; `nil` in mag-stripe mode, where no chip data are.
    public let chip: IssuerDataField?
    /// `nil`: the read has neither a cryptogram nor a track.
    public let entry: CardDataEntry?
    /// `nil`: no verification, one on the cardholder's own device, or none that ISO 20022 is known to have a code for
    /// here. Field 55 tells it (9F34).
    public let verification: Verification?
}

extension HostFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which fields there are, and the codes.
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
    /// The fields for a host.
    ///
    /// - Parameters:
    ///   - set: what goes into field 55; `nil`: what the kernel's book requires and allows.
    ///   - terminal: objects that the terminal adds for the issuer and the read does not have, such as 9F1E.
    ///   - pin: third digit of field 22.
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
