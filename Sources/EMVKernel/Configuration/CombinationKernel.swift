// SPDX-License-Identifier: Apache-2.0

/// The kernel that a combination names, with that kernel's own options.
///
///     Combination(aid: visa, kernel: .visa(.init(usageControl: false)), ttq: ttq)
///
/// An integer literal means the kernel of that number with its default options: `kernel: 2`.
public struct CombinationKernel: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let id: KernelID
    var options: Options

    enum Options: Sendable, Hashable {
        case none
        case visa(VisaOptions)
        case americanExpress(AmericanExpressOptions)
        case jcb(JCBOptions)
        case discover(DiscoverOptions)
        case unionPay(UnionPayOptions)
        case kernel8(Kernel8Options)
        case other(Bytes)
    }

    private init(_ id: KernelID, _ options: Options = .none) {
        self.id = id
        self.options = options
    }

    /// A built-in or third-party kernel with its defaults.
    public init(id: KernelID) {
        switch id {
        case 3: self.init(id, .visa(.init()))
        case 4: self.init(id, .americanExpress(.init()))
        case 5: self.init(id, .jcb(.init()))
        case 6: self.init(id, .discover(.init()))
        case 7: self.init(id, .unionPay(.init()))
        case 8: self.init(id, .kernel8(.init()))
        default: self.init(id, .none)
        }
    }

    public init(integerLiteral value: UInt8) {
        self.init(id: KernelID(number: value))
    }

    /// Kernel 2. It is configured by data objects only.
    public static var mastercard: CombinationKernel { CombinationKernel(2) }

    /// Kernel 3.
    public static func visa(_ options: VisaOptions = VisaOptions()) -> CombinationKernel {
        CombinationKernel(3, .visa(options))
    }

    /// A third-party kernel. `options` are the bytes of its C options structure; empty: its defaults.
    public static func other(_ id: KernelID, options: Bytes = []) -> CombinationKernel {
        options.isEmpty ? CombinationKernel(id: id) : CombinationKernel(id, .other(options))
    }

    /// The options of Kernel 3; `nil` for another kernel, and setting them then has no effect.
    public var visa: VisaOptions? {
        get { if case .visa(let options) = options { options } else { nil } }
        set { if id == 3 { options = .visa(newValue ?? VisaOptions()) } }
    }

    /// Kernel 4: American Express.
    public static func americanExpress(
        _ options: AmericanExpressOptions = AmericanExpressOptions()
    ) -> CombinationKernel {
        CombinationKernel(4, .americanExpress(options))
    }

    /// The options of Kernel 4; see `visa`.
    public var americanExpress: AmericanExpressOptions? {
        get { if case .americanExpress(let options) = options { options } else { nil } }
        set { if id == 4 { options = .americanExpress(newValue ?? AmericanExpressOptions()) } }
    }

    /// Kernel 5: JCB J/Speedy. This kernel checks the combination's limits itself, at amount >= limit, including the
    /// floor limit.
    public static func jcb(_ options: JCBOptions = JCBOptions()) -> CombinationKernel {
        CombinationKernel(5, .jcb(options))
    }

    /// The options of Kernel 5; see `visa`.
    public var jcb: JCBOptions? {
        get { if case .jcb(let options) = options { options } else { nil } }
        set { if id == 5 { options = .jcb(newValue ?? JCBOptions()) } }
    }

    /// Kernel 6: Discover, Diners Club and the networks that use its applications.
    public static func discover(_ options: DiscoverOptions = DiscoverOptions()) -> CombinationKernel {
        CombinationKernel(6, .discover(options))
    }

    /// Kernel 7: UnionPay QuickPass.
    public static func unionPay(_ options: UnionPayOptions = UnionPayOptions()) -> CombinationKernel {
        CombinationKernel(7, .unionPay(options))
    }

    /// The options of Kernel 6; see `visa`.
    public var discover: DiscoverOptions? {
        get { if case .discover(let options) = options { options } else { nil } }
        set { if id == 6 { options = .discover(newValue ?? DiscoverOptions()) } }
    }

    /// The options of Kernel 7; see `visa`.
    public var unionPay: UnionPayOptions? {
        get { if case .unionPay(let options) = options { options } else { nil } }
        set { if id == 7 { options = .unionPay(newValue ?? UnionPayOptions()) } }
    }

    /// Kernel 8: one kernel for cards of every scheme (Book C-8). The check of the configuration needs a
    /// ``SecretCrypto`` for it. This kernel checks the limits `floor` and `cvmRequired` itself, at amount > limit;
    /// `transaction` stays with Entry Point, and any other limit is rejected.
    public static func kernel8(_ options: Kernel8Options = Kernel8Options()) -> CombinationKernel {
        CombinationKernel(8, .kernel8(options))
    }

    /// The options of Kernel 8; see `visa`.
    public var kernel8: Kernel8Options? {
        get { if case .kernel8(let options) = options { options } else { nil } }
        set { if id == 8 { options = .kernel8(newValue ?? Kernel8Options()) } }
    }

    public var description: String { id.description }
}

extension CombinationKernel {
    /// Options of a combination for Kernel 3, in addition to the common members.
    public struct VisaOptions: Sendable, Hashable {
        /// `false` switches the optional cash and cash-back checks of Book C-3, 5.5.1.3 and 5.5.1.4, off.
        public var usageControl: Bool
        /// Up to four sets of limits chosen by the card's Application Program Identifier (9F5A).
        public var dynamicLimits: [DynamicLimit]
        /// Accepts tag 80 in answer to GET PROCESSING OPTIONS.
        public var acceptsFormat1: Bool

        public init(usageControl: Bool = true, dynamicLimits: [DynamicLimit] = [], acceptsFormat1: Bool = false) {
            self.usageControl = usageControl
            self.dynamicLimits = dynamicLimits
            self.acceptsFormat1 = acceptsFormat1
        }
    }
}

extension CombinationKernel {
    /// Options of a combination for Kernel 4, in addition to the common members.
    public struct AmericanExpressOptions: Sendable, Hashable {
        /// Dynamic reader limits (Book C-4, 7.2.1): only `transaction`, `floor` and `cvmRequired` of each set are used.
        public struct LimitSets: Sendable, Hashable {
            /// For cards that name no set, or one that is not listed here.
            public var standard: Limits
            /// Sets by the number that the card names, 1 to 15.
            public var numbered: [Int: Limits]

            public init(standard: Limits, numbered: [Int: Limits] = [:]) {
                self.standard = standard
                self.numbered = numbered
            }
        }

        /// Terminal Action Codes, 5 bytes each.
        public var tacDenial: Bytes
        public var tacOnline: Bytes
        public var tacDefault: Bytes
        /// Months from which the unpredictable number of mag-stripe mode is taken, 60 to 65,535.
        public var unpredictableNumberRange: Int
        /// Objects that accompany a completed transaction: a list of tags and lengths, up to 252 bytes.
        public var discretionaryDataObjectList: Bytes
        /// `nil`: only the limits of the combination apply.
        public var dynamicLimits: LimitSets?
        /// `false`: the host cannot be reached, and the reader knows it. An online request requires this property and
        /// the transaction's ``PaymentRequest/onlineAvailable`` to be `true`.
        public var onlineAvailable: Bool

        public init(
            tacDenial: Bytes = [0, 0, 0, 0, 0], tacOnline: Bytes = [0, 0, 0, 0, 0],
            tacDefault: Bytes = [0, 0, 0, 0, 0],
            unpredictableNumberRange: Int = 60, discretionaryDataObjectList: Bytes = [],
            dynamicLimits: LimitSets? = nil,
            onlineAvailable: Bool = true
        ) {
            self.tacDenial = tacDenial
            self.tacOnline = tacOnline
            self.tacDefault = tacDefault
            self.unpredictableNumberRange = unpredictableNumberRange
            self.discretionaryDataObjectList = discretionaryDataObjectList
            self.dynamicLimits = dynamicLimits
            self.onlineAvailable = onlineAvailable
        }
    }
}

/// Another interface that the terminal offers if this one cannot continue.
public enum OtherInterface: String, Sendable, Hashable, CaseIterable {
    /// The contact chip; named first if both are offered.
    case contact
    /// The magnetic stripe.
    case magstripe
}

extension CombinationKernel {
    /// Options of a combination for Kernel 5, in addition to the common members (Book C-5, Table 3-1).
    public struct JCBOptions: Sendable, Hashable {
        /// Random selection of transactions below the floor limit (EMV Book 3, 10.6.2).
        public struct RandomSelection: Sendable, Hashable {
            /// Minor units, below the floor limit.
            public var threshold: UInt64
            /// Percent, 0 to 99, at most `maximumTarget`.
            public var target: Int
            /// Percent, 0 to 99.
            public var maximumTarget: Int

            public init(threshold: UInt64, target: Int, maximumTarget: Int) {
                self.threshold = threshold
                self.target = target
                self.maximumTarget = maximumTarget
            }
        }

        /// Two bytes (Book C-5, A.3).
        public var combinationOptions: Bytes
        /// Three bytes, static (A.9).
        public var terminalInterchangeProfile: Bytes
        /// Five bytes; `nil`: 0410000000 (Annex D).
        public var tacDenial: Bytes?
        /// Five bytes; `nil`: 9060009000.
        public var tacOnline: Bytes?
        /// Five bytes; `nil`: 9040008000.
        public var tacDefault: Bytes?
        public var randomSelection: RandomSelection?
        /// Units of 100 ms, 0 to 9999 (3.12.4).
        public var removalTimeout: Int
        /// Transit Agent ID ("DF83", 16 bytes) and Transit Related Data ("DF84", 50 bytes), for the card's data object
        /// lists. These two numbers are not valid tags, so they cannot be given as data objects.
        public var transitAgent: Bytes?
        public var transitData: Bytes?

        public init(
            combinationOptions: Bytes = [0x22, 0x00], terminalInterchangeProfile: Bytes = [0, 0, 0],
            tacDenial: Bytes? = nil, tacOnline: Bytes? = nil, tacDefault: Bytes? = nil,
            randomSelection: RandomSelection? = nil, removalTimeout: Int = 0
        ) {
            self.combinationOptions = combinationOptions
            self.terminalInterchangeProfile = terminalInterchangeProfile
            self.tacDenial = tacDenial
            self.tacOnline = tacOnline
            self.tacDefault = tacDefault
            self.randomSelection = randomSelection
            self.removalTimeout = removalTimeout
        }
    }
}

extension CombinationKernel {
    /// Options of a combination for Kernel 6, in addition to the common members.
    public struct DiscoverOptions: Sendable, Hashable {
        /// The mode in which a combination runs (Book C-6, 2.1 and 2.3.1).
        public enum Mode: String, Sendable, Hashable, CaseIterable {
            /// Legacy for the RID A000000324; MS if the TTQ states mag-stripe mode without EMV mode; otherwise as card
            /// and reader agree.
            case automatic = "auto"
            case emv
            case ms
            /// Legacy MS mode ("Zip").
            case legacy
        }

        public var mode: Mode
        /// `nil`: contact if TTQ byte 1 bit 5 is set, the magnetic stripe if 9F33 byte 1 bit 7 is set.
        public var otherInterfaces: Set<OtherInterface>?
        /// Offset of the Card Verification Results in 9F10, counted from 0; 0 to 24.
        public var cvrOffset: Int
        /// `false`: no issuer update; a second presentment is never requested.
        public var twoPresentments: Bool
        /// The data object with track 1 of the mag-stripe modes.
        public var track1: Tag

        public init(
            mode: Mode = .automatic, otherInterfaces: Set<OtherInterface>? = nil, cvrOffset: Int = 2,
            twoPresentments: Bool = true, track1: Tag = 0x56
        ) {
            self.mode = mode
            self.otherInterfaces = otherInterfaces
            self.cvrOffset = cvrOffset
            self.twoPresentments = twoPresentments
            self.track1 = track1
        }
    }
}

extension CombinationKernel {
    /// Options of a combination for Kernel 7, in addition to the common members.
    public struct UnionPayOptions: Sendable, Hashable {
        /// The reader evaluates DF61 and asks for the card's signature for online transactions too: transit.
        public var odaForOnline: Bool
        /// `false`: this kernel does not verify the cardholder, as at cash dispensers.
        public var cvm: Bool
        /// As for Kernel 6 (``CombinationKernel/DiscoverOptions/otherInterfaces``).
        public var otherInterfaces: Set<OtherInterface>?

        public init(odaForOnline: Bool = false, cvm: Bool = true, otherInterfaces: Set<OtherInterface>? = nil) {
            self.odaForOnline = odaForOnline
            self.cvm = cvm
            self.otherInterfaces = otherInterfaces
        }
    }
}

extension CombinationKernel {
    /// Options of a combination for Kernel 8, in addition to the common members.
    public struct Kernel8Options: Sendable, Hashable {
        /// A fixed latency of the link, subtracted from each measured time of relay resistance (Book C-8, 21.17); 0:
        /// the latency of the ``ReaderMemory`` or of the protection is used.
        public var relayLatencyMicroseconds: UInt32
        /// The implementation option Data Exchange and Data Storage (3.1): questions to the terminal, READ DATA, WRITE
        /// DATA. Without effect unless the terminal's objects ask for it.
        public var dataExchange: Bool

        public init(relayLatencyMicroseconds: UInt32 = 0, dataExchange: Bool = true) {
            self.relayLatencyMicroseconds = relayLatencyMicroseconds
            self.dataExchange = dataExchange
        }
    }
}

/// A set of limits for cards whose Application Program Identifier (9F5A) begins with `program`.
public struct DynamicLimit: Sendable, Hashable {
    /// 1 to 16 bytes.
    public var program: Bytes
    public var limits: Limits
    public var zeroAmount: Combination.ZeroAmount
    public var statusCheck: Bool

    public init(program: Bytes, limits: Limits, zeroAmount: Combination.ZeroAmount = .online, statusCheck: Bool = false)
    {
        self.program = program
        self.limits = limits
        self.zeroAmount = zeroAmount
        self.statusCheck = statusCheck
    }
}

extension CombinationKernel {
    /// Returns the name, in the configuration format, of the option with this number in the kernel's header.
    func option(_ code: UInt32) -> String? {
        let names: [String] =
            switch options {
            case .none, .visa, .kernel8, .other: []
            case .americanExpress: ["unpredictableNumberRange", "discretionaryDataObjectList", "dynamicLimits"]
            case .jcb:
                ["combinationOptions", "terminalInterchangeProfile", "randomSelection", "removalTimeout"]
            case .discover: ["mode", "otherInterfaces", "cvrOffset", "track1Tag"]
            case .unionPay: ["otherInterfaces"]
            }
        return code >= 1 && code <= names.count ? names[Int(code) - 1] : nil
    }
}
