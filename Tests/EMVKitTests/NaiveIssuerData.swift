// SPDX-License-Identifier: Apache-2.0
import EMVKit

/// An independent decoder of Issuer Application Data, written from public sources alone: slow, without slices, one rule
/// after the other.
struct NaiveIssuerData {
    var format = "unknown"
    var key: UInt8 = 0
    var version: UInt8 = 0
    var results: [UInt8] = []
    var dac: [UInt8] = []
    var counters: [UInt8] = []
    var lastOnline: [UInt8] = []
    var discretionary: [UInt8] = []
    var rest: [UInt8] = []

    init(_ data: [UInt8], _ scheme: PaymentScheme?) {
        guard data.count >= 1, data.count <= 32 else { return }
        if data.count == 32, data[0] == 15, data[16] == 15, data[1] >= 0xA0 {
            if data[1] == 0xA5 || data[1] == 0xA6 { commonCore(data) }
            return
        }
        switch scheme {
        case .visa: visa(data)
        case .mastercard: mChip(data)
        case .amex: descendant(data, "amex", length: 6, results: 3, algorithm: false)
        case .jcb: descendant(data, "jcb", length: 7, results: 4, algorithm: false)
        case .unionPay: descendant(data, "unionPay", length: 7, results: 3, algorithm: true)
        case .discover: discover(data)
        case nil:
            mChip(data)
            if format == "unknown" { visa(data) }
        }
    }

    private mutating func commonCore(_ data: [UInt8]) {
        format = "commonCore"
        (version, key) = (data[1], data[2])
        results = Array(data[3...7])
        counters = Array(data[8...15])
        discretionary = Array(data[17...31])
    }

    private mutating func visa(_ data: [UInt8]) {
        if data[0] == 0x1F {
            guard data.count == 32, [2, 4].contains(data[1] / 16) else { return }
            format = "visa\(data[1] / 16)"
            (version, key) = (data[1], data[2])
            results = Array(data[3...7])
            discretionary = Array(data[8...31])
        } else if data.count >= 7, [0, 1, 3].contains(data[2] / 16) {
            descendant(data, "visa\(data[2] / 16)", length: 6, results: 3, algorithm: false)
        }
    }

    private mutating func descendant(
        _ data: [UInt8], _ name: String, length: UInt8, results size: UInt8, algorithm: Bool
    ) {
        let fixed = 4 + Int(size) + (algorithm ? 1 : 0)
        guard data[0] == length, data.count >= fixed, data[3] == size else { return }
        format = name
        (key, version) = (data[1], data[2])
        results = Array(data[3..<(4 + Int(size))])
        let tail = Array(data.dropFirst(fixed))
        guard let count = tail.first.map(Int.init) else { return }
        if count <= tail.count - 1 {
            discretionary = Array(tail[1..<(1 + count)])
            rest = Array(tail[(1 + count)...])
        } else {
            rest = tail
        }
    }

    private mutating func mChip(_ data: [UInt8]) {
        let sets: [Int: (counters: Int, atc: Int)] = [18: (8, 0), 20: (8, 2), 26: (16, 0), 28: (16, 2)]
        guard let sizes = sets[data.count], (0x10...0x15).contains(data[1]) else { return }
        format = data.count == 18 ? "mChip4" : "mChipAdvance"
        (key, version) = (data[0], data[1])
        results = Array(data[2...7])
        dac = Array(data[8...9])
        counters = Array(data[10..<(10 + sizes.counters)])
        lastOnline = Array(data.suffix(sizes.atc))
    }

    private mutating func discover(_ data: [UInt8]) {
        guard data.count >= 2, let size = [5: 6, 6: 6, 0x15: 8, 0x16: 8][data[1]], data.count >= 2 + size else {
            return
        }
        format = "discover"
        (key, version) = (data[0], data[1])
        results = Array(data[2..<(2 + size)])
        discretionary = Array(data.dropFirst(2 + size))
    }

    // MARK: Bits

    /// Meanings of single bits by format, each byte from bit 8 down; nil: part of a number, reserved, or not public.
    static func flags(_ format: IssuerApplicationData.Format, version: UInt8) -> [[BitMeaning?]] {
        switch format {
        case .visa0, .visa1, .visa3, .amex, .unionPay: visa
        case .visa2, .visa4: visaMobile
        case .mChip4, .mChipAdvance: mChip
        case .commonCore: commonCore
        case .discover: version >= 0x15 ? discover : Array(repeating: nothing, count: 6)
        case .jcb: Array(repeating: nothing, count: 5)
        }
    }

    private static let nothing = [BitMeaning?](repeating: nil, count: 8)
    private static let types: [BitMeaning?] = [nil, nil, nil, nil]
    private static let history: [BitMeaning?] = [
        .lastOnlineIncomplete, .pinTriesUsedUp, .velocityExceeded, .newCard, .issuerFailedBefore,
        .issuerNotAuthenticatedBefore,
        .blockedByPINTries, .sdaFailedBefore,
    ]
    private static let scripts: [BitMeaning?] = [
        nil, nil, nil, nil, .scriptFailed, .ddaFailedBefore, .ddaDone, .pinCommandMissing,
    ]
    private static let visa: [[BitMeaning?]] = [
        nothing, types + [.issuerFailed, .offlinePINDone, .offlinePINBad, .unableToGoOnline], history, scripts,
    ]
    private static let visaMobile: [[BitMeaning?]] = [
        nothing, types + [.issuerFailed, .cdcvmDone, nil, .unableToGoOnline], history, scripts,
        [
            .notInDebugMode, .notRooted, .notHooked, .integrityIntact, .hasConnectivity, .genuineDevice, .cdcvmDone,
            .scriptsUseSessionKeys,
        ],
    ]
    private static let mChip: [[BitMeaning?]] = [
        types + [.dateCheckFailed, .offlinePINDone, .offlinePINEnciphered, .offlinePINGood],
        [
            .ddaDone, .cdaDone, .secondCDADone, .issuerAuthenticated, .defaultActionSkipped, .offlinePINChanged, nil,
            nil,
        ],
        nothing,
        [
            .lastOnlineIncomplete, .unableToGoOnline, .offlinePINNotDone, .offlinePINBad, .pinTriesUsedUp,
            .international, .domestic,
            .pinBelievedWrongly,
        ],
        [
            .lowerCount1, .upperCount1, .lowerAmount1, .upperAmount1, .goOnlineWasSet, .issuerFailed, .scriptReceived,
            .scriptFailed,
        ],
        [
            .lowerCount2, .upperCount2, .lowerAmount2, .upperAmount2, .singleAmount, .daysOffline, .checkTableMatch,
            .checkTableNoMatch,
        ],
    ]
    private static let commonCore: [[BitMeaning?]] = [
        types + [.cdaDone, .ddaDone, .issuerNotAuthenticated, .issuerFailed],
        types + [.offlinePINDone, .offlinePINBad, .pinTriesUsedUp, .lastOnlineIncomplete],
        [.lowerCount1, .upperCount1, .lowerAmount1, .upperAmount1, nil, nil, nil, nil],
        types + [.scriptFailed, .odaFailedBefore, .goOnlineWasSet, .unableToGoOnline],
        nothing,
    ]
    private static let discover: [[BitMeaning?]] = [
        [.onlinePINRequired, .signatureRequired, nil, nil, nil, nil, nil, nil],
        [
            .onlineCryptogramRequired, .typeNeedsOnlinePIN, .typeNeedsNoCVM, .domestic, .international, .pinTriesUsedUp,
            .confirmationCodeDone, .confirmationCodeBad,
        ],
        [.cvmRequired, nil, .cvmCount1, .cvmCount2, .cvmAmount1, .cvmAmount2, .cvmSingleAmount1, .cvmSingleAmount2],
        [
            .cdaFailedBefore, .lastContactlessIncomplete, .goOnlineWasSet, .issuerFailedBefore, .scriptFailed,
            .pdolCheckInvalid,
            .pdolForcedOnline, .pdolForcedDecline,
        ],
        [
            .contactlessCount, .contactlessAmount, .contactlessSingleAmount, .lowerCount1, .upperCount1, .lowerAmount1,
            .upperAmount1,
            .singleAmount,
        ],
        nothing,
        [
            .readerContactChip, .readerOfflineOnly, .readerOnlinePIN, .readerSignature, .readerIssuerUpdate, nil, nil,
            nil,
        ],
        nothing,
    ]
}
