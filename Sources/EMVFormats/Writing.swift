// SPDX-License-Identifier: Apache-2.0
import EMVKernel

extension Configuration {
    /// The configuration in its format. Reading it returns an equal value.
    public var json: String { node.text() + "\n" }
}

extension Trace {
    /// The trace in its format. Reading it returns an equal value.
    public var json: String { node.text() + "\n" }
}

/// Builds an object; absent values produce no key.
package struct ObjectWriter {
    private(set) var members: [JSON.Member] = []

    package init() {}

    fileprivate init(members: [JSON.Member]) { self.members = members }

    package mutating func put(_ name: String, _ value: JSON?) {
        if let value { members.append(JSON.Member(name: name, nameOffset: 0, value: value)) }
    }

    package mutating func put(_ name: String, _ text: String?) {
        put(name, text.map { JSON(.string($0)) })
    }

    package mutating func put(_ name: String, hex bytes: Bytes?) {
        put(name, bytes.map { Hex.string($0) })
    }

    mutating func put(_ name: String, byte: UInt8?) {
        put(name, hex: byte.map { [$0] })
    }

    package mutating func put(_ name: String, _ number: UInt64?) {
        put(name, number.map { JSON(.number("\($0)")) })
    }

    /// Written only if it differs from the standard.
    package mutating func put(_ name: String, _ flag: Bool, standard: Bool) {
        if flag != standard { put(name, JSON(.bool(flag))) }
    }

    package mutating func put(_ name: String, _ values: [JSON], always: Bool = false) {
        if always || !values.isEmpty { put(name, JSON(.array(values))) }
    }

    mutating func put(_ name: String, _ data: DataObjects) {
        if !data.isEmpty { put(name, data.node) }
    }

    /// Adds data objects, together with the values of Kernel 5 whose numbers are not tags.
    mutating func put(_ name: String, _ data: DataObjects, _ jcb: CombinationKernel.JCBOptions?) {
        guard let jcb, jcb.transitAgent != nil || jcb.transitData != nil else { return put(name, data) }
        var members: [JSON.Member] = []
        if case .object(let given) = data.node.value { members = given }
        var object = ObjectWriter(members: members)
        object.put("DF83", hex: jcb.transitAgent)
        object.put("DF84", hex: jcb.transitData)
        put(name, object.json)
    }

    var isEmpty: Bool { members.isEmpty }
    package var json: JSON { JSON(.object(members)) }
}

extension DataObjects {
    /// A template that occurs several times becomes an array of values, at its first place.
    fileprivate var node: JSON {
        var object = ObjectWriter()
        for (place, element) in elements.enumerated() {
            let values = all(element.tag)
            if values.count == 1 {
                object.put(element.tag.description, hex: element.value)
            } else if elements.firstIndex(where: { $0.tag == element.tag }) == place {
                object.put(element.tag.description, values.map { JSON(.string(Hex.string($0))) })
            }
        }
        return object.json
    }
}

extension Configuration {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("format", Configuration.formatName)
        if !version.isEmpty { object.put("version", version) }
        object.put("validFrom", validFrom?.description)
        object.put("terminal", terminal)
        object.put("combinations", combinations.map { $0.node })
        object.put("caKeys", caKeys.map { $0.node })
        object.put("revoked", revoked.map { $0.node })
        object.put("exceptions", exceptions.map { $0.node })
        if protection != Protection() { object.put("protection", protection.node) }
        object.put("autorun", autorun?.node)
        return object.json
    }
}

extension Autorun {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("type", byte: type.rawValue)
        object.put("amount", amount)
        return object.json
    }
}

extension Combination {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("aid", hex: aid)
        if let number = kernel.id.number {
            object.put("kernel", UInt64(number))
        } else {
            object.put("kernelId", hex: kernel.id.bytes)
        }
        if !name.isEmpty { object.put("name", name) }
        object.put("transactionTypes", transactionTypes.map { JSON(.string($0.description)) })
        object.put("currency", currency.map { String($0 + 10_000).suffix(4) }.map(String.init))
        if limits != Limits() { object.put("limits", limits.node) }
        object.put("statusCheck", statusCheck, standard: false)
        if zeroAmount != .online { object.put("zeroAmount", zeroAmount.rawValue) }
        object.put("extendedSelection", extendedSelection, standard: false)
        object.put("ttq", hex: ttq)
        object.put("data", data, kernel.jcb)
        if let visa = kernel.visa {
            object.put("usageControl", visa.usageControl, standard: true)
            object.put("dynamicLimits", visa.dynamicLimits.map { $0.node })
        }
        if let express = kernel.americanExpress, express != CombinationKernel.AmericanExpressOptions() {
            object.put("kernel4", express.node)
        }
        if let jcb = kernel.jcb, let node = jcb.node { object.put("kernel5", node) }
        if let discover = kernel.discover, discover != CombinationKernel.DiscoverOptions() {
            object.put("kernel6", discover.node)
        }
        if let unionPay = kernel.unionPay, unionPay != CombinationKernel.UnionPayOptions() {
            object.put("kernel7", unionPay.node)
        }
        if let kernel8 = kernel.kernel8, kernel8 != CombinationKernel.Kernel8Options() {
            object.put("kernel8", kernel8.node)
        }
        object.put("protection", protection?.node)
        return object.json
    }
}

extension CombinationKernel.AmericanExpressOptions {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        let standard = CombinationKernel.AmericanExpressOptions()
        if tacDenial != standard.tacDenial { object.put("tacDenial", hex: tacDenial) }
        if tacOnline != standard.tacOnline { object.put("tacOnline", hex: tacOnline) }
        if tacDefault != standard.tacDefault { object.put("tacDefault", hex: tacDefault) }
        if unpredictableNumberRange != standard.unpredictableNumberRange {
            object.put("unpredictableNumberRange", UInt64(clamping: unpredictableNumberRange))
        }
        if !discretionaryDataObjectList.isEmpty {
            object.put("discretionaryDataObjectList", hex: discretionaryDataObjectList)
        }
        if let dynamicLimits { object.put("dynamicLimits", dynamicLimits.node) }
        object.put("onlineAvailable", onlineAvailable, standard: true)
        return object.json
    }
}

extension CombinationKernel.AmericanExpressOptions.LimitSets {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("default", standard.node)
        var sets = ObjectWriter()
        for (number, limits) in numbered.sorted(by: { $0.key < $1.key }) { sets.put("\(number)", limits.node) }
        if !numbered.isEmpty { object.put("sets", sets.json) }
        return object.json
    }
}

extension CombinationKernel.JCBOptions {
    /// `nil`: all options have defaults. The two objects of a transit reader are written among the data.
    fileprivate var node: JSON? {
        var object = ObjectWriter()
        if combinationOptions != [0x22, 0x00] { object.put("combinationOptions", hex: combinationOptions) }
        if terminalInterchangeProfile != [0, 0, 0] {
            object.put("terminalInterchangeProfile", hex: terminalInterchangeProfile)
        }
        object.put("tacDenial", hex: tacDenial)
        object.put("tacOnline", hex: tacOnline)
        object.put("tacDefault", hex: tacDefault)
        if let randomSelection {
            var selection = ObjectWriter()
            selection.put("threshold", randomSelection.threshold)
            selection.put("target", UInt64(clamping: randomSelection.target))
            selection.put("maximumTarget", UInt64(clamping: randomSelection.maximumTarget))
            object.put("randomSelection", selection.json)
        }
        if removalTimeout != 0 { object.put("removalTimeout", UInt64(clamping: removalTimeout)) }
        return object.isEmpty ? nil : object.json
    }
}

extension CombinationKernel.DiscoverOptions {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        if let otherInterfaces { object.put("otherInterfaces", otherInterfaces.names) }
        if mode != .automatic { object.put("mode", mode.rawValue) }
        if cvrOffset != 2 { object.put("cvrOffset", UInt64(clamping: cvrOffset)) }
        object.put("twoPresentments", twoPresentments, standard: true)
        if track1 != 0x56 { object.put("track1Tag", hex: track1.bytes) }
        return object.json
    }
}

extension CombinationKernel.UnionPayOptions {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        if let otherInterfaces { object.put("otherInterfaces", otherInterfaces.names) }
        object.put("odaForOnline", odaForOnline, standard: false)
        object.put("cvm", cvm, standard: true)
        return object.json
    }
}

extension CombinationKernel.Kernel8Options {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        if relayLatencyMicroseconds != 0 { object.put("relayLatencyMicroseconds", UInt64(relayLatencyMicroseconds)) }
        object.put("dataExchange", dataExchange, standard: true)
        return object.json
    }
}

extension Set<OtherInterface> {
    fileprivate var names: JSON {
        JSON(.array(OtherInterface.allCases.filter(contains).map { JSON(.string($0.rawValue)) }))
    }
}

extension Limits {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("transaction", transaction)
        object.put("floor", floor)
        object.put("terminalFloor", terminalFloor)
        object.put("cvmRequired", cvmRequired)
        object.put("cdcvmTransaction", cdcvmTransaction)
        return object.json
    }
}

extension DynamicLimit {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("program", hex: program)
        object.put("limits", limits.node)
        if zeroAmount != .online { object.put("zeroAmount", zeroAmount.rawValue) }
        object.put("statusCheck", statusCheck, standard: false)
        return object.json
    }
}

extension CAKey {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("rid", hex: rid)
        object.put("index", byte: index)
        if let curve {
            object.put("suite", byte: curve.suite)
            object.put("x", hex: curve.x)
            object.put("y", hex: curve.y)
            object.put("sha256", hex: curve.sha256)
        } else {
            let digits = Bytes([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: exponent >> UInt32($0)) })
            object.put("exponent", hex: Bytes(digits.drop { $0 == 0 }))
            object.put("modulus", hex: modulus)
            object.put("sha1", hex: sha1)
        }
        object.put("expires", expires?.description)
        object.put("test", isTest, standard: false)
        return object.json
    }
}

extension Revocation {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("rid", hex: rid)
        object.put("index", byte: index)
        object.put("serial", hex: serial)
        return object.json
    }
}

extension ExceptionEntry {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("pan", hex: pan)
        object.put("sequence", byte: sequence)
        return object.json
    }
}

extension Protection {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("profile", profile.rawValue)
        switch cdcvmTrust {
        case .profile: break
        case .book: object.put("cdcvmTrust", "book")
        case .verifyIfPresent: object.put("cdcvmTrust", "verifyIfPresent")
        case .authenticated: object.put("cdcvmTrust", "authenticated")
        }
        object.put("unsolicitedSdad", unsolicitedSDAD.name(off: "ignore", enforce: "verify"))
        object.put("odaTamper", odaTamper.name(off: "book", enforce: "decline"))
        object.put("cidMismatch", cidMismatch.name(off: "off", enforce: "decline"))
        object.put("brandCheck", brandCheck.name(off: "off", enforce: "decline"))
        object.put("expiryMismatch", expiryMismatch.name(off: "off", enforce: "end"))
        object.put("luhn", luhn.name(off: "off", enforce: "end"))
        object.put("offline", offline == .report ? nil : offline.name(off: "off", enforce: "dynamicOda"))
        object.put("allowTestKeys", allowTestKeys, standard: false)
        object.put("minCaBits", minCABits.map { UInt64($0) })
        object.put("maxTaps", maxTaps.map { UInt64($0) })
        object.put("maxRecords", maxRecords.map { UInt64($0) })
        object.put(
            "magStripeMode", magStripeMode == .report ? nil : magStripeMode.name(off: "off", enforce: "configured"))
        object.put("legacyMode", legacyMode == .report ? nil : legacyMode.name(off: "off", enforce: "configured"))
        object.put("kernelFallback", kernelFallback.name(off: "report", enforce: "refuse"))
        object.put("minUnDigits", minUNDigits.map { UInt64($0) })
        switch torn {
        case .profile: break
        case .off: object.put("torn", "off")
        case .book: object.put("torn", "book")
        case .sameSale: object.put("torn", "sameAmount")
        }
        object.put("tornLifetime_s", tornLifetime.map { UInt64($0) })
        switch relay {
        case .profile: break
        case .off: object.put("relay", "off")
        case .book: object.put("relay", "book")
        case .declined: object.put("relay", "decline")
        case .required: object.put("relay", "requireRrp")
        }
        object.put("relay.maxCardTime_ms", relayMaxCardTime.map { UInt64($0) })
        object.put("relay.latency_us", relayLatency.map { UInt64($0) })
        return object.json
    }
}

extension Protection.Rule {
    fileprivate func name(off: String, enforce: String) -> String? {
        switch self {
        case .profile: nil
        case .off: off
        case .report: "report"
        case .enforce: enforce
        }
    }
}

extension Transaction {
    /// `isComplete`: also writes the keys with default values, which a further transaction would otherwise inherit.
    fileprivate func node(isComplete: Bool = false) -> JSON {
        var object = ObjectWriter()
        object.put("type", byte: type.rawValue)
        object.put("amount", amount)
        object.put("amountOther", amountOther)
        let digits = String(currency)
        object.put("currency", String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)
        object.put("exponent", UInt64(exponent))
        object.put("date", date.description)
        object.put("time", time.description)
        object.put("counter", UInt64(counter))
        if case .fixed(let bytes) = random { object.put("random", hex: bytes) }
        if isComplete || !onlineAvailable { object.put("onlineAvailable", JSON(.bool(onlineAvailable))) }
        if isComplete || utcOffset != 0 { object.put("utcOffset", JSON(.number("\(utcOffset)"))) }
        if isComplete || !data.isEmpty { object.put("data", data.node) }
        return object.json
    }
}

extension Trace {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("format", Trace.formatName)
        if !name.isEmpty { object.put("name", name) }
        if !source.isEmpty { object.put("source", source) }
        object.put("redacted", isRedacted, standard: false)
        object.put("configuration", configuration.node)
        object.put("transaction", transaction.node())
        if let loyalty, let document = try? JSONReader.read(Array(loyalty.utf8)) { object.put("loyalty", document) }
        object.put("match", match.rawValue)
        object.put("exchanges", items.map { $0.node }, always: true)
        object.put("expect", expectation.node)
        object.put("recorded", recorded?.node)
        return object.json
    }
}

extension Trace.Recorded {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("tap", tap.rawValue)
        object.put("outcome", outcome?.rawValue)
        object.put("cvm", cvm?.rawValue)
        object.put(
            "differences",
            differences.map { difference in
                var object = ObjectWriter()
                object.put("place", difference.place)
                object.put("expected", difference.expected)
                object.put("found", difference.found)
                return object.json
            })
        return object.json
    }
}

extension Trace.Item {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        switch self {
        case .exchange(let command, let response, let elapsed):
            object.put("c", hex: command)
            object.put("r", hex: response)
            object.put("ms", elapsed.map { JSON(.number($0.milliseconds)) })
        case .fault(let command, let fault):
            object.put("c", hex: command)
            object.put("fault", fault.rawValue)
        case .tap(let number):
            object.put("tap", UInt64(number))
        case .collision:
            object.put("collision", JSON(.bool(true)))
        case .online(let data):
            object.put("online", data?.node ?? JSON(.null))
        case .pin(let captured):
            object.put("pin", captured ? "captured" : "notCaptured")
        case .terminalData(let data):
            object.put("det", data.node)
        case .dataExchange(let data):
            object.put("dek", data.node)
        case .stop:
            object.put("stop", JSON(.bool(true)))
        case .deadline:
            object.put("deadline", JSON(.bool(true)))
        case .removed:
            object.put("removed", JSON(.bool(true)))
        case .prelude(let items):
            object.put("prelude", items.map { $0.node }, always: true)
        case .sale(let transaction):
            object.put("sale", transaction.node(isComplete: true))
        }
        return object.json
    }
}

extension Duration {
    /// Milliseconds with up to three decimals.
    fileprivate var milliseconds: String {
        let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
        let rest = String(microseconds % 1000)
        guard microseconds % 1000 != 0 else { return "\(microseconds / 1000)" }
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
    }
}

extension Trace.Expectation {
    fileprivate var node: JSON {
        var object = ObjectWriter()
        object.put("tap", tap?.rawValue)
        object.put("outcome", outcome?.rawValue)
        object.put("cvm", cvm?.rawValue)
        object.put("message", message?.description)
        if let messages { object.put("messages", messages.map { JSON(.string($0.description)) }, always: true) }
        object.put("apdus", apdus.map { UInt64($0) })
        object.put("errorIndication", hex: errorIndication)
        object.put("start", start?.name)
        object.put("restartMessage", restartMessage.map { $0.map { JSON(.string($0.description)) } ?? JSON(.null) })
        object.put("alternateInterface", alternateInterface?.name)
        object.put("receipt", receipt.map { JSON(.bool($0)) })
        object.put("removalTimeout", removalTimeout.map { UInt64($0) })
        object.put("fieldOffMs", fieldOff.map { $0.map { JSON(.number($0.milliseconds)) } ?? JSON(.null) })
        object.put("holdMs", hold.map { $0.map { JSON(.number($0.milliseconds)) } ?? JSON(.null) })
        object.put("valueQualifier", valueQualifier?.rawValue)
        object.put("value", value.map { $0.map { JSON(.number("\($0)")) } ?? JSON(.null) })
        if !loyalty.isEmpty {
            var passes = ObjectWriter()
            for (id, outcome) in loyalty.sorted(by: { $0.key < $1.key }) { passes.put(id, outcome) }
            object.put("loyalty", passes.json)
        }
        object.put("data", Trace.Expectation.node(data))
        object.put("discretionary", Trace.Expectation.node(discretionary))
        if let findings { object.put("findings", findings.names.map { JSON(.string($0)) }, always: true) }
        return object.json
    }

    private static func node(_ data: [Trace.Datum]) -> JSON? {
        guard !data.isEmpty else { return nil }
        var object = ObjectWriter()
        for datum in data {
            object.put(datum.tag.description, datum.value.map { JSON(.string(Hex.string($0))) } ?? JSON(.null))
        }
        return object.json
    }
}
