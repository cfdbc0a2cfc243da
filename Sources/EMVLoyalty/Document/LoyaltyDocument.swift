// SPDX-License-Identifier: Apache-2.0
public import EMVFormats
public import EMVKit

/// A POS's loyalty configuration as a file (`emv-loyalty/1`): the programmes to ask for, the rule and the timeout. It
/// never contains keys.
public struct LoyaltyDocument: Sendable, Hashable {
    public static let formatName = "emv-loyalty/1"

    public var request: LoyaltyRequest
    /// `nil` reads passes alone, without a payment.
    public var rule: LoyaltyRule?

    public init(_ request: LoyaltyRequest, rule: LoyaltyRule? = .andPayment) {
        self.request = request
        self.rule = rule
    }

    /// Reads a document; `file` names it in errors. An unknown member, or a programme that could never be read, is an
    /// error that gives its position.
    public init(json bytes: Bytes, file: String = "") throws(FormatError) {
        try self.init(Document(bytes, file: file).node())
    }

    /// Reads a file.
    public init(contentsOf path: String) throws(FormatError) {
        try self.init(json: readFile(path), file: path)
    }

    private init(_ node: Node) throws(FormatError) {
        let object = try node.object(["format", "rule", "timeoutMs", "programmes"])
        try object.format(LoyaltyDocument.formatName, required: true)
        rule = try object.value("rule", or: .andPayment) { node throws(FormatError) in
            try node.choice(LoyaltyDocument.rules)
        }
        let range = LoyaltyDocument.milliseconds
        let timeout = try object.optional("timeoutMs") { node throws(FormatError) in
            try node.integer(range, "a time in milliseconds")
        }
        let list = try object.required("programmes")
        let elements = try list.elements()
        var programmes: [LoyaltyProgramme] = []
        for element in elements { programmes.append(try LoyaltyProgramme(element)) }
        do throws(LoyaltyRequestError) {
            request = try LoyaltyRequest(programmes, timeout: timeout.map { .milliseconds(Int64($0)) })
        } catch {
            // The error points at the programme at fault, or at the list if the request as a whole is at fault.
            let index = programmes.lastIndex { $0.id == error.programme }
            throw (index.map { elements[$0] } ?? list).expected(error.flaw.expected, found: error.flaw.found)
        }
    }

    private static let rules: KeyValuePairs<String, LoyaltyRule?> = [
        "andPayment": .andPayment, "insteadOfPayment": .insteadOfPayment, "passOnly": nil,
    ]

    /// The range of ``LoyaltyRequest/timeouts``.
    private static let milliseconds: ClosedRange<UInt64> = 10...10_000

    /// The document as JSON, which reads back as an equal document.
    public var json: String {
        var object = ObjectWriter()
        object.put("format", LoyaltyDocument.formatName)
        object.put("rule", LoyaltyDocument.rules.first { $0.value == rule }?.key)
        if let timeout = request.timeout {
            let (seconds, attoseconds) = timeout.components
            object.put("timeoutMs", UInt64(seconds) * 1_000 + UInt64(attoseconds / 1_000_000_000_000_000))
        }
        object.put("programmes", request.programmes.map { $0.text }, always: true)
        return object.json.text() + "\n"
    }
}

extension LoyaltyProgramme {
    fileprivate init(_ node: Node) throws(FormatError) {
        let object = try node.object(["id", "name", "apple", "google", "signUp", "signUpOnly"])
        let id = try object.required("id").string()
        if id.isEmpty { throw try object.required("id").expected("an id of 1 character or more") }
        let signUp = try object.optional("signUp") { node throws(FormatError) in
            guard let url = SignUpURL(try node.string()) else {
                throw node.expected("an https URL of at most \(SignUpURL.maximumLength) ASCII characters")
            }
            return url
        }
        self.init(
            id: ID(id), name: try object.value("name", or: id) { node throws(FormatError) in try node.name() },
            wallet: try LoyaltyProgramme.wallet(object), signUp: signUp,
            signUpOnly: try object.value("signUpOnly", or: false) { node throws(FormatError) in try node.bool() })
    }

    private static func wallet(_ object: ObjectNode) throws(FormatError) -> Wallet {
        switch (object["apple"], object["google"]) {
        case (let node?, nil):
            let apple = try node.object(["passType"])
            return .passType(try apple.required("passType").string())
        case (nil, let node?):
            let google = try node.object(["collector", "keyVersion", "kinds"])
            let kinds = try google.list("kinds") { node throws(FormatError) in
                let text = try node.string()
                guard let kind = PassKind(rawValue: text) else {
                    throw node.expected("one of " + PassKind.allCases.map(\.rawValue).joined(separator: ", "))
                }
                return kind
            }
            return .collector(
                UInt32(try google.required("collector").integer(1...UInt64(UInt32.max), "the number of a collector")),
                keyVersion: UInt32(
                    try google.required("keyVersion").integer(0...UInt64(UInt32.max), "the version of a key")),
                kinds: Set(kinds))
        case (nil, nil): throw object.node.missing("\"apple\" or \"google\"")
        case (_?, let second?): throw second.expected("\"apple\" or \"google\"", found: "both")
        }
    }

    fileprivate var text: JSON {
        var object = ObjectWriter()
        object.put("id", id.rawValue)
        object.put("name", name)
        var wallet = ObjectWriter()
        switch self.wallet {
        case .passType(let identifier):
            wallet.put("passType", identifier)
            object.put("apple", wallet.json)
        case .collector(let number, let version, let kinds):
            wallet.put("collector", UInt64(number))
            wallet.put("keyVersion", UInt64(version))
            wallet.put("kinds", PassKind.allCases.filter { kinds.contains($0) }.map { JSON(.string($0.rawValue)) })
            object.put("google", wallet.json)
        }
        object.put("signUp", signUp?.description)
        object.put("signUpOnly", signUpOnly, standard: false)
        return object.json
    }
}
