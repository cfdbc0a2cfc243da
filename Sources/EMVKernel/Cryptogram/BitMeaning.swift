// SPDX-License-Identifier: Apache-2.0
/// The meaning of a bit, or of a group of bits, in card verification results or a form factor.
///
/// Raw values are those of the C header.
public enum BitMeaning: UInt8, Sendable, Hashable, CaseIterable {
    case reserved = 0
    case length
    case secondAC
    case firstAC
    case issuerAuthenticated
    case issuerNotAuthenticated
    case issuerFailed
    case issuerFailedBefore
    case issuerNotAuthenticatedBefore
    case ddaDone
    case cdaDone
    case secondCDADone
    case sdaFailedBefore
    case ddaFailedBefore
    case odaFailedBefore
    case cdaFailedBefore
    case offlinePINDone
    case offlinePINEnciphered
    case offlinePINGood
    case offlinePINBad
    case offlinePINNotDone
    case offlinePINChanged
    case pinTriesUsedUp
    case pinTryCounter
    case pinCommandMissing
    case pinBelievedWrongly
    case blockedByPINTries
    case cdcvmDone
    case cvmEntity
    case cvmType
    case onlinePINRequired
    case signatureRequired
    case cvmRequired
    case confirmationCodeDone
    case confirmationCodeBad
    case velocityExceeded
    case lowerCount1
    case upperCount1
    case lowerAmount1
    case upperAmount1
    case lowerCount2
    case upperCount2
    case lowerAmount2
    case upperAmount2
    case singleAmount
    case daysOffline
    case contactlessCount
    case contactlessAmount
    case contactlessSingleAmount
    case cvmCount1
    case cvmCount2
    case cvmAmount1
    case cvmAmount2
    case cvmSingleAmount1
    case cvmSingleAmount2
    case newCard
    case lastOnlineIncomplete
    case lastContactlessIncomplete
    case goOnlineWasSet
    case unableToGoOnline
    case scriptCounter
    case scriptReceived
    case scriptFailed
    case dateCheckFailed
    case defaultActionSkipped
    case domestic
    case international
    case checkTableMatch
    case checkTableNoMatch
    case onlineCryptogramRequired
    case typeNeedsOnlinePIN
    case typeNeedsNoCVM
    case pdolCheckInvalid
    case pdolForcedOnline
    case pdolForcedDecline
    case pdolCheckID
    case profileID
    case issuerBits
    case readerContactChip
    case readerOfflineOnly
    case readerOnlinePIN
    case readerSignature
    case readerIssuerUpdate
    case notInDebugMode
    case notRooted
    case notHooked
    case integrityIntact
    case hasConnectivity
    case genuineDevice
    case scriptsUseSessionKeys
    case indicatorVersion
    case deviceType
    case passcodeCapable
    case signaturePanel
    case hologram
    case cvv2Printed
    case twoWayMessaging
    case cloudCredentials
    case biometricCapable
    case technology
    case secureElement
}

/// A bit or a group of bits with one meaning, and its value.
public struct BitField: Sendable, Hashable {
    /// The byte's number, counted from 1 as in the specification.
    public let byte: Int
    /// The bits within the byte; they are adjacent.
    public let mask: UInt8
    public let meaning: BitMeaning
    /// The value of these bits, shifted down.
    public let value: UInt8
}
