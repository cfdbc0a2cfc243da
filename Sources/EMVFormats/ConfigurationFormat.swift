// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension Configuration {
    /// The name of the format.
    public static let formatName = "emv-configuration/1"

    /// Reads a configuration; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node(), formatRequired: true)
    }

    init(_ node: Node, formatRequired: Bool) throws(FormatError) {
        let object = try node.object([
            "format", "terminal", "combinations", "caKeys", "revoked", "exceptions", "protection", "autorun", "version",
            "validFrom",
        ])
        try object.format(Configuration.formatName, required: formatRequired)
        self.init(
            terminal: try object.value("terminal", or: [:]) { node throws(FormatError) in try node.dataObjects() },
            combinations: try object.list("combinations") { node throws(FormatError) in try Combination(node) },
            caKeys: try object.list("caKeys") { node throws(FormatError) in try CAKey(node) },
            revoked: try object.list("revoked") { node throws(FormatError) in try Revocation(node) },
            exceptions: try object.list("exceptions") { node throws(FormatError) in try ExceptionEntry(node) },
            protection: try object.value("protection", or: Protection()) { node throws(FormatError) in
                try Protection(node)
            },
            autorun: try object.optional("autorun") { node throws(FormatError) in try Autorun(node) },
            version: try object.value("version", or: "") { node throws(FormatError) in try node.name() })
        validFrom = try object.optional("validFrom") { node throws(FormatError) in try node.date() }
    }
}

/// Twelve digits.
let largestAmount: UInt64 = 999_999_999_999
let anAmount = "an amount in minor units"

extension Autorun {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["type", "amount"])
        self.init(
            type: try object.value("type", or: .purchase) { node throws(FormatError) in try node.transactionType() },
            amount: try object.required("amount").integer(0...largestAmount, anAmount))
    }
}

extension Combination {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "aid", "kernel", "kernelId", "name", "transactionTypes", "currency", "limits", "statusCheck", "zeroAmount",
            "extendedSelection", "ttq", "data", "usageControl", "dynamicLimits", "protection",
            "kernel4", "kernel5", "kernel6", "kernel7", "kernel8",
        ])
        self.init(
            aid: try object.required("aid").hex(5...16),
            kernel: try Combination.kernel(object),
            name: try object.value("name", or: "") { node throws(FormatError) in try node.name() },
            transactionTypes: try object.list("transactionTypes") { node throws(FormatError) in
                try node.transactionType()
            },
            limits: try object.value("limits", or: Limits()) { node throws(FormatError) in try Limits(node) },
            ttq: try object.optional("ttq") { node throws(FormatError) in try node.hex(4...4) },
            data: try object.value("data", or: [:]) { node throws(FormatError) in
                try node.dataObjects(leavingOut: try Combination.kernelID(object) == 5 ? ["DF83", "DF84"] : [])
            },
            protection: try object.optional("protection") { node throws(FormatError) in try Protection(node) })
        currency = try object.optional("currency") { node throws(FormatError) in try node.currency() }
        statusCheck = try object.value("statusCheck", or: false) { node throws(FormatError) in try node.bool() }
        zeroAmount = try object.value("zeroAmount", or: .online) { node throws(FormatError) in try node.zeroAmount()
        }
        extendedSelection = try object.value("extendedSelection", or: false) { node throws(FormatError) in
            try node.bool()
        }
    }

    /// The kernel with its own options. Those of Kernel 3 are listed among the common keys and refused with the others.
    private static func kernel(_ object: ObjectNode) throws(FormatError) -> CombinationKernel {
        let id = try kernelID(object)
        if let number = id.number, [2, 4, 5, 6, 7, 8].contains(number) {
            for key in ["usageControl", "dynamicLimits"] + ([2, 6, 7].contains(number) ? [] : ["ttq"]) {
                if let member = object[key] { throw member.expected("no \"\(key)\" with Kernel \(number)") }
            }
        }
        for number: UInt8 in [4, 5, 6, 7, 8] where id != KernelID(number: number) {
            guard let member = object["kernel\(number)"] else { continue }
            throw member.expected("a combination of Kernel \(number)", found: "one of \(id.shown)")
        }
        switch id {
        case 4:
            return .americanExpress(
                try object.value("kernel4", or: CombinationKernel.AmericanExpressOptions()) {
                    node throws(FormatError) in
                    try CombinationKernel.AmericanExpressOptions(node)
                })
        case 5:
            if let limit = try object["limits"]?.member("terminalFloor") {
                throw limit.expected("no \"terminalFloor\" with Kernel 5")
            }
            var options = try object.value("kernel5", or: CombinationKernel.JCBOptions()) { node throws(FormatError) in
                try CombinationKernel.JCBOptions(node)
            }
            options.transitAgent = try object["data"]?.member("DF83")?.hex(16...16)
            options.transitData = try object["data"]?.member("DF84")?.hex(50...50)
            return .jcb(options)
        case 6:
            return .discover(
                try object.value("kernel6", or: CombinationKernel.DiscoverOptions()) { node throws(FormatError) in
                    try CombinationKernel.DiscoverOptions(node)
                })
        case 7:
            return .unionPay(
                try object.value("kernel7", or: CombinationKernel.UnionPayOptions()) { node throws(FormatError) in
                    try CombinationKernel.UnionPayOptions(node)
                })
        case 8:
            return .kernel8(
                try object.value("kernel8", or: CombinationKernel.Kernel8Options()) { node throws(FormatError) in
                    try CombinationKernel.Kernel8Options(node)
                })
        default:
            break
        }
        let visa = CombinationKernel.VisaOptions(
            usageControl: try object.value("usageControl", or: true) { node throws(FormatError) in try node.bool() },
            dynamicLimits: try object.list("dynamicLimits") { node throws(FormatError) in try DynamicLimit(node) })
        return id == 3 ? .visa(visa) : CombinationKernel(id: id)
    }

    private static func kernelID(_ object: ObjectNode) throws(FormatError) -> KernelID {
        switch (object["kernel"], object["kernelId"]) {
        case (let number?, nil):
            return KernelID(number: UInt8(try number.integer(1...255, "the number of a kernel")))
        case (nil, let identifier?):
            guard let kernel = KernelID(try identifier.hex(1...8)) else {
                throw identifier.expected("hex of \(Shown.size(1...8))")
            }
            return kernel
        case (_?, let second?):
            throw second.expected("\"kernel\" or \"kernelId\"", found: "both")
        case (nil, nil):
            throw object.node.missing("\"kernel\" or \"kernelId\"")
        }
    }
}

extension Node {
    /// A member of an object that is read elsewhere.
    fileprivate func member(_ name: String) throws(FormatError) -> Node? {
        try members().first { $0.name == name }?.node
    }

    fileprivate func zeroAmount() throws(FormatError) -> Combination.ZeroAmount {
        try choice(["online": .online, "notAllowed": .notAllowed, "offlineAllowed": .offlineAllowed])
    }
}

extension Limits {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction"])
        func limit(_ name: String) throws(FormatError) -> UInt64? {
            try object.optional(name) { node throws(FormatError) in try node.integer(0...largestAmount, anAmount) }
        }
        self.init(
            transaction: try limit("transaction"), floor: try limit("floor"), terminalFloor: try limit("terminalFloor"),
            cvmRequired: try limit("cvmRequired"), cdcvmTransaction: try limit("cdcvmTransaction"))
    }
}

extension DynamicLimit {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["program", "limits", "zeroAmount", "statusCheck"])
        self.init(
            program: try object.required("program").hex(1...16),
            limits: try object.value("limits", or: Limits()) { node throws(FormatError) in try Limits(node) },
            zeroAmount: try object.value("zeroAmount", or: .online) { node throws(FormatError) in try node.zeroAmount()
            },
            statusCheck: try object.value("statusCheck", or: false) { node throws(FormatError) in try node.bool() })
    }
}

extension CombinationKernel.AmericanExpressOptions {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "tacDenial", "tacOnline", "tacDefault", "unpredictableNumberRange", "discretionaryDataObjectList",
            "dynamicLimits", "onlineAvailable",
        ])
        func code(_ name: String) throws(FormatError) -> Bytes {
            try object.value(name, or: [0, 0, 0, 0, 0]) { node throws(FormatError) in try node.hex(5...5) }
        }
        self.init(
            tacDenial: try code("tacDenial"), tacOnline: try code("tacOnline"), tacDefault: try code("tacDefault"),
            unpredictableNumberRange: try object.value("unpredictableNumberRange", or: 60) {
                node throws(FormatError) in Int(try node.integer(60...65_535, "a count of numbers"))
            },
            discretionaryDataObjectList: try object.value("discretionaryDataObjectList", or: []) {
                node throws(FormatError) in try node.hex(0...252)
            },
            dynamicLimits: try object.optional("dynamicLimits") { node throws(FormatError) in try LimitSets(node) },
            onlineAvailable: try object.value("onlineAvailable", or: true) { node throws(FormatError) in
                try node.bool()
            })
    }
}
extension CombinationKernel.JCBOptions {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "combinationOptions", "terminalInterchangeProfile", "tacDenial", "tacOnline", "tacDefault",
            "randomSelection", "removalTimeout",
        ])
        func code(_ name: String) throws(FormatError) -> Bytes? {
            try object.optional(name) { node throws(FormatError) in try node.hex(5...5) }
        }
        self.init(
            combinationOptions: try object.value("combinationOptions", or: [0x22, 0x00]) { node throws(FormatError) in
                try node.hex(2...2)
            },
            terminalInterchangeProfile: try object.value("terminalInterchangeProfile", or: [0, 0, 0]) {
                node throws(FormatError) in try node.hex(3...3)
            },
            tacDenial: try code("tacDenial"), tacOnline: try code("tacOnline"), tacDefault: try code("tacDefault"),
            randomSelection: try object.optional("randomSelection") { node throws(FormatError) in
                try RandomSelection(node)
            },
            removalTimeout: try object.value("removalTimeout", or: 0) { node throws(FormatError) in
                Int(try node.integer(0...9999, "a time in units of 100 ms"))
            })
    }
}

extension CombinationKernel.AmericanExpressOptions.LimitSets {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["default", "sets"])
        let standard = try object.required("default")
        var numbered: [Int: Limits] = [:]
        if let sets = object["sets"] {
            let members = try sets.object((1...15).map(String.init))
            for number in 1...15 {
                guard let set = members["\(number)"] else { continue }
                numbered[number] = try Limits(ofSet: set)
            }
        }
        self.init(standard: try Limits(ofSet: standard), numbered: numbered)
    }
}

extension Limits {
    /// Reads one limit set of Kernel 4, which has only three of the limits.
    fileprivate init(ofSet node: Node) throws(FormatError) {
        _ = try node.object(["transaction", "floor", "cvmRequired"])
        try self.init(node)
    }
}
extension CombinationKernel.JCBOptions.RandomSelection {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["threshold", "target", "maximumTarget"])
        self.init(
            threshold: try object.required("threshold").integer(0...largestAmount, anAmount),
            target: Int(try object.required("target").integer(0...99, "a share in percent")),
            maximumTarget: Int(try object.required("maximumTarget").integer(0...99, "a share in percent")))
    }
}

extension CombinationKernel.DiscoverOptions {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["otherInterfaces", "mode", "cvrOffset", "twoPresentments", "track1Tag"])
        self.init(
            mode: try object.value("mode", or: .automatic) { node throws(FormatError) in
                try node.choice(["auto": .automatic, "emv": .emv, "ms": .ms, "legacy": .legacy])
            },
            otherInterfaces: try object.optional("otherInterfaces") { node throws(FormatError) in
                try node.otherInterfaces()
            },
            cvrOffset: try object.value("cvrOffset", or: 2) { node throws(FormatError) in
                Int(try node.integer(0...24, "a position in 9F10, in bytes from 0"))
            },
            twoPresentments: try object.value("twoPresentments", or: true) { node throws(FormatError) in
                try node.bool()
            },
            track1: try object.value("track1Tag", or: 0x56) { node throws(FormatError) in
                guard let tag = Tag(rawValue: try node.hex(1...4).reduce(0) { $0 << 8 | UInt32($1) }) else {
                    throw node.expected("a tag of 1 to 4 bytes in hex", found: "bytes that are not one tag")
                }
                return tag
            })
    }
}

extension CombinationKernel.UnionPayOptions {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["otherInterfaces", "odaForOnline", "cvm"])
        self.init(
            odaForOnline: try object.value("odaForOnline", or: false) { node throws(FormatError) in try node.bool() },
            cvm: try object.value("cvm", or: true) { node throws(FormatError) in try node.bool() },
            otherInterfaces: try object.optional("otherInterfaces") { node throws(FormatError) in
                try node.otherInterfaces()
            })
    }
}

extension CombinationKernel.Kernel8Options {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["relayLatencyMicroseconds", "dataExchange"])
        self.init(
            relayLatencyMicroseconds: try object.value("relayLatencyMicroseconds", or: 0) { node throws(FormatError) in
                UInt32(try node.integer(0...UInt64(UInt32.max), "a time in microseconds"))
            },
            dataExchange: try object.value("dataExchange", or: true) { node throws(FormatError) in try node.bool() })
    }
}

extension Node {
    fileprivate func otherInterfaces() throws(FormatError) -> Set<OtherInterface> {
        var found: Set<OtherInterface> = []
        for element in try elements() {
            found.insert(try element.choice(["contact": .contact, "magstripe": .magstripe]))
        }
        return found
    }
}

extension CAKey {
    /// A row with a `suite` is a key on a curve, any other row is an RSA key.
    init(_ node: Node) throws(FormatError) {
        guard try node.member("suite") != nil else {
            try self.init(ofRSA: node)
            return
        }
        let object = try node.object(["rid", "index", "suite", "x", "y", "sha256", "expires", "test"])
        let suite = try object.required("suite").byte()
        let sizes = suite == 0x10 ? 32...32 : 1...66
        self.init(
            rid: try object.required("rid").hex(5...5),
            index: try object.required("index").byte(),
            curve: Curve(
                suite: suite, x: try object.required("x").hex(sizes), y: try object.required("y").hex(sizes),
                sha256: try object.optional("sha256") { node throws(FormatError) in try node.hex(32...32) }),
            expires: try object.optional("expires") { node throws(FormatError) in try node.date() },
            isTest: try object.value("test", or: false) { node throws(FormatError) in try node.bool() })
    }

    private init(ofRSA node: Node) throws(FormatError) {
        let object = try node.object([
            "rid", "index", "exponent", "modulus", "hashAlgorithm", "sha1", "expires", "test",
        ])
        _ = try object.optional("hashAlgorithm") { node throws(FormatError) in try node.choice(["01": true]) }
        self.init(
            rid: try object.required("rid").hex(5...5),
            index: try object.required("index").byte(),
            exponent: try object.required("exponent").hex(1...4).reduce(0) { $0 << 8 | UInt32($1) },
            modulus: try object.required("modulus").hex(1...256),
            sha1: try object.optional("sha1") { node throws(FormatError) in try node.hex(20...20) },
            expires: try object.optional("expires") { node throws(FormatError) in try node.date() },
            isTest: try object.value("test", or: false) { node throws(FormatError) in try node.bool() })
    }
}

extension Revocation {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["rid", "index", "serial"])
        self.init(
            rid: try object.required("rid").hex(5...5),
            index: try object.required("index").byte(),
            serial: try object.required("serial").hex(3...3))
    }
}

extension ExceptionEntry {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["pan", "sequence"])
        let pan = try object.required("pan")
        let text = try pan.string()
        guard let bytes = Hex.bytes(text.utf8.count % 2 == 0 ? text : text + "F"), (4...10).contains(bytes.count) else {
            throw pan.expected("8 to 19 digits of an account number")
        }
        self.init(pan: bytes, sequence: try object.optional("sequence") { node throws(FormatError) in try node.byte() })
    }
}

extension Protection {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "profile", "cdcvmTrust", "unsolicitedSdad", "odaTamper", "cidMismatch", "brandCheck", "expiryMismatch",
            "luhn",
            "offline", "allowTestKeys", "minCaBits", "maxTaps", "maxRecords", "magStripeMode", "legacyMode",
            "kernelFallback", "minUnDigits",
            "torn", "tornLifetime_s", "relay", "relay.maxCardTime_ms", "relay.latency_us",
        ])
        func rule(_ name: String, _ choices: KeyValuePairs<String, Rule>) throws(FormatError) -> Rule {
            try object.value(name, or: .profile) { node throws(FormatError) in try node.choice(choices) }
        }
        func count(_ name: String, _ range: ClosedRange<UInt64>, _ what: String) throws(FormatError) -> UInt64? {
            try object.optional(name) { node throws(FormatError) in try node.integer(range, what) }
        }
        self.init(
            profile: try object.value("profile", or: .guarded) { node throws(FormatError) in
                try node.choice(["book": .book, "guarded": .guarded, "strict": .strict])
            },
            offline: try rule("offline", ["off": .off, "dynamicOda": .enforce]),
            minUNDigits: try count("minUnDigits", 1...8, "a number of digits").map { UInt8($0) },
            torn: try object.value("torn", or: .profile) { node throws(FormatError) in
                try node.choice(["off": .off, "book": .book, "sameAmount": .sameSale])
            },
            tornLifetime: try count("tornLifetime_s", 1...65535, "a time in seconds").map { UInt16($0) },
            relay: try object.value("relay", or: .profile) { node throws(FormatError) in
                try node.choice(["off": .off, "book": .book, "decline": .declined, "requireRrp": .required])
            },
            relayMaxCardTime: try count("relay.maxCardTime_ms", 1...255, "a time in milliseconds").map { UInt8($0) },
            relayLatency: try count("relay.latency_us", 0...1_000_000, "a time in microseconds").map { UInt32($0) })
        cdcvmTrust = try object.value("cdcvmTrust", or: .profile) { node throws(FormatError) in
            try node.choice(["book": .book, "verifyIfPresent": .verifyIfPresent, "authenticated": .authenticated])
        }
        unsolicitedSDAD = try rule(
            "unsolicitedSdad", ["ignore": .off, "report": .report, "verify": .enforce, "decline": .enforce])
        odaTamper = try rule("odaTamper", ["book": .report, "report": .report, "decline": .enforce])
        cidMismatch = try rule("cidMismatch", ["off": .off, "report": .report, "decline": .enforce])
        brandCheck = try rule("brandCheck", ["off": .off, "report": .report, "decline": .enforce])
        expiryMismatch = try rule("expiryMismatch", ["off": .off, "report": .report, "end": .enforce])
        luhn = try rule("luhn", ["off": .off, "report": .report, "end": .enforce])
        allowTestKeys = try object.value("allowTestKeys", or: false) { node throws(FormatError) in try node.bool() }
        minCABits = try count("minCaBits", 1...2048, "the length of a modulus in bits").map { UInt16($0) }
        maxTaps = try count("maxTaps", 1...255, "a number of taps").map { UInt8($0) }
        maxRecords = try count("maxRecords", 1...64, "a number of records").map { UInt8($0) }
        magStripeMode = try rule("magStripeMode", ["off": .off, "configured": .enforce])
        legacyMode = try rule("legacyMode", ["off": .off, "configured": .enforce])
        kernelFallback = try rule("kernelFallback", ["report": .report, "refuse": .enforce])
    }
}
