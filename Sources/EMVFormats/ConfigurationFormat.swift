// SPDX-License-Identifier: Apache-2.0
import EMVKit
import Foundation

extension Configuration {
    /// The name of the format.
    public static let formatName = "emv-configuration/1"

    /// Reads a configuration; `file` names it in errors.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node(), formatRequired: true)
    }

    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
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
            version: try object.value("version", or: "") { node throws(FormatError) in try node.string() },
            validFrom: try object.optional("validFrom") { node throws(FormatError) in try node.date() })
    }
}

/// The bytes of a file, or an error that names it.
func readFile(_ path: String) throws(FormatError) -> Bytes {
    do {
        return Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw FormatError(file: path, message: "expected a readable file")
    }
}

/// Twelve digits.
let largestAmount: UInt64 = 999_999_999_999

extension Autorun {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["type", "amount"])
        self.init(
            type: try object.value("type", or: .purchase) { node throws(FormatError) in try node.transactionType() },
            amount: try object.required("amount").integer(0...largestAmount))
    }
}

extension Combination {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "aid", "kernel", "kernelId", "name", "transactionTypes", "limits", "statusCheck", "zeroAmount",
            "extendedSelection", "ttq", "data", "usageControl", "dynamicLimits", "protection",
        ])
        self.init(
            aid: try object.required("aid").hex(5...16),
            kernel: try Combination.kernel(object),
            name: try object.value("name", or: "") { node throws(FormatError) in try node.string() },
            transactionTypes: try object.list("transactionTypes") { node throws(FormatError) in
                try node.transactionType()
            },
            limits: try object.value("limits", or: Limits()) { node throws(FormatError) in try Limits(node) },
            statusCheck: try object.value("statusCheck", or: false) { node throws(FormatError) in try node.bool() },
            zeroAmount: try object.value("zeroAmount", or: .online) { node throws(FormatError) in try node.zeroAmount()
            },
            extendedSelection: try object.value("extendedSelection", or: false) { node throws(FormatError) in
                try node.bool()
            },
            ttq: try object.optional("ttq") { node throws(FormatError) in try node.hex(4...4) },
            data: try object.value("data", or: [:]) { node throws(FormatError) in try node.dataObjects() },
            usageControl: try object.value("usageControl", or: true) { node throws(FormatError) in try node.bool() },
            dynamicLimits: try object.list("dynamicLimits") { node throws(FormatError) in try DynamicLimit(node) },
            protection: try object.optional("protection") { node throws(FormatError) in try Protection(node) })
    }

    private static func kernel(_ object: ObjectNode) throws(FormatError) -> KernelID {
        switch (object["kernel"], object["kernelId"]) {
        case (let number?, nil):
            return KernelID(number: UInt8(try number.integer(1...255)))
        case (nil, let identifier?):
            guard let kernel = KernelID(try identifier.hex(1...8)) else {
                throw identifier.expected("hex of 1 to 8 bytes")
            }
            return kernel
        case (_?, let second?):
            throw second.error("expected \"kernel\" or \"kernelId\", found both")
        case (nil, nil):
            throw object.node.error("expected the key \"kernel\" or \"kernelId\"")
        }
    }
}

extension Node {
    fileprivate func zeroAmount() throws(FormatError) -> ZeroAmount {
        try choice(["online": .online, "notAllowed": .notAllowed, "offlineAllowed": .offlineAllowed])
    }
}

extension Limits {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["transaction", "floor", "terminalFloor", "cvmRequired", "cdcvmTransaction"])
        func limit(_ name: String) throws(FormatError) -> UInt64? {
            try object.optional(name) { node throws(FormatError) in try node.integer(0...largestAmount) }
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

extension CAKey {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object(["rid", "index", "exponent", "modulus", "sha1", "expires", "test"])
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
            throw pan.error("expected the digits of an account number")
        }
        self.init(pan: bytes, sequence: try object.optional("sequence") { node throws(FormatError) in try node.byte() })
    }
}

extension Protection {
    init(_ node: Node) throws(FormatError) {
        let object = try node.object([
            "profile", "cdcvmTrust", "unsolicitedSdad", "odaTamper", "cidMismatch", "brandCheck", "expiryMismatch",
            "luhn",
            "offline", "allowTestKeys", "minCaBits", "maxTaps", "maxRecords", "magStripeMode", "minUnDigits", "torn",
            "tornLifetime_s", "relay", "relay.maxCardTime_ms", "relay.latency_us",
        ])
        func rule(_ name: String, _ choices: KeyValuePairs<String, Rule>) throws(FormatError) -> Rule {
            try object.value(name, or: .profile) { node throws(FormatError) in try node.choice(choices) }
        }
        func count(_ name: String, _ range: ClosedRange<UInt64>) throws(FormatError) -> UInt64? {
            try object.optional(name) { node throws(FormatError) in try node.integer(range) }
        }
        self.init(
            profile: try object.value("profile", or: .guarded) { node throws(FormatError) in
                try node.choice(["book": .book, "guarded": .guarded, "strict": .strict])
            },
            cdcvmTrust: try object.value("cdcvmTrust", or: .profile) { node throws(FormatError) in
                try node.choice(["book": .book, "verifyIfPresent": .verifyIfPresent, "authenticated": .authenticated])
            },
            unsolicitedSDAD: try rule(
                "unsolicitedSdad", ["ignore": .off, "report": .report, "verify": .enforce, "decline": .enforce]),
            odaTamper: try rule("odaTamper", ["book": .report, "report": .report, "decline": .enforce]),
            cidMismatch: try rule("cidMismatch", ["off": .off, "report": .report, "decline": .enforce]),
            brandCheck: try rule("brandCheck", ["off": .off, "report": .report, "decline": .enforce]),
            expiryMismatch: try rule("expiryMismatch", ["off": .off, "report": .report, "end": .enforce]),
            luhn: try rule("luhn", ["off": .off, "report": .report, "end": .enforce]),
            offline: try rule("offline", ["off": .off, "dynamicOda": .enforce]),
            allowTestKeys: try object.value("allowTestKeys", or: false) { node throws(FormatError) in try node.bool() },
            minCABits: try count("minCaBits", 1...2048).map { UInt16($0) },
            maxTaps: try count("maxTaps", 1...255).map { UInt8($0) },
            maxRecords: try count("maxRecords", 1...64).map { UInt8($0) },
            magStripeMode: try rule("magStripeMode", ["off": .off, "configured": .enforce]),
            minUNDigits: try count("minUnDigits", 1...8).map { UInt8($0) },
            torn: try object.value("torn", or: .profile) { node throws(FormatError) in
                try node.choice(["off": .off, "book": .book, "sameAmount": .sameSale])
            },
            tornLifetime: try count("tornLifetime_s", 1...65535).map { UInt16($0) },
            relay: try object.value("relay", or: .profile) { node throws(FormatError) in
                try node.choice(["off": .off, "book": .book, "decline": .declined, "requireRrp": .required])
            },
            relayMaxCardTime: try count("relay.maxCardTime_ms", 1...255).map { UInt8($0) },
            relayLatency: try count("relay.latency_us", 0...1_000_000).map { UInt32($0) })
    }
}
