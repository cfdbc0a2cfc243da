// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The issuer of a simulated card: checks its cryptograms and answers them.
public struct SimulatedIssuer: Sendable, Hashable {
    private let application: CardApplication

    public init(_ application: CardApplication) { self.application = application }

    /// Returns whether the cryptogram (9F26) of a data record is the card's.
    ///
    /// - Parameter record: by tag; needs 82, 9F02, 9F10, 9F1A, 9F26, 9F36, 9F37, 95, 5F2A, 9A and 9C. Absent objects
    ///   count as zeros.
    public func accepts(_ record: [UInt32: [UInt8]]) -> Bool {
        guard let cryptogram = record[0x9F26], let counterBytes = record[0x9F36], counterBytes.count == 2,
            let issuerData = record[0x9F10]
        else { return false }
        let counter = UInt16(counterBytes[0]) << 8 | UInt16(counterBytes[1])
        guard let rule = CryptogramRule(issuerData: issuerData, scheme: application.issuerScheme),
            rule.algorithm == application.cardKeys.cryptogram.algorithm
        else { return false }
        let lengths = Dictionary(uniqueKeysWithValues: rule.coveredTags.map { ($0.tag, $0.length) })
        let value = { (tag: Tag) in record[tag.rawValue] ?? [UInt8](repeating: 0, count: lengths[tag] ?? 0) }
        guard let message = rule.message(value) else { return false }
        let key = rule.key(application.cardKeys.cryptogram, counter: counter, number: value(0x9F37))
        return rule.cryptogram(key, message: message) == cryptogram
    }

    /// Returns whether a mag-stripe mode track that the terminal filled in is this card's.
    ///
    /// - Parameters:
    ///   - track: Track 2 or Track 1 of the data record, as defined by the scheme's mag-stripe mode.
    ///   - counter: of the transaction; the track contains only its last digits.
    public func acceptsTrack(_ track: [UInt8], counter: UInt16) -> Bool {
        application.scheme.behaviour.trackVerifier?.accepts(track, counter, application) ?? false
    }

    /// Returns Issuer Authentication Data (91) for an authorisation response code such as "00" (approved) or "05".
    /// Kernel 2 sends no issuer's answer to the card.
    ///
    /// - Parameters:
    ///   - cryptogram: 9F26, 8 bytes.
    ///   - counter: 9F36.
    public func authenticationData(cryptogram: [UInt8], counter: UInt16, responseCode: String = "00") -> [UInt8] {
        application.scheme.behaviour.authenticationData(
            for: application, cryptogram: cryptogram, counter: counter, responseCode: responseCode)
    }
}
