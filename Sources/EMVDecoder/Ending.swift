// SPDX-License-Identifier: Apache-2.0
import EMVKernel

/// The data about a transaction at its end: the dialogue, the kernels' decisions, the outcome. ``Reason`` is derived
/// from it. It holds card data and is never shown itself.
package struct Ending {
    /// A command and its result.
    struct Exchange {
        var command: Bytes
        /// `nil`: the link failed.
        var response: Bytes?
        var fault: LinkFault?

        var instruction: UInt8 { command.count > 1 ? command[1] : 0 }
        var body: Bytes { Bytes((response ?? []).dropLast(2)) }
        /// `nil` if the answer before it cannot be read, because the last two bytes may then be digits of an account
        /// number.
        var statusWord: UInt16? {
            guard let response, response.count >= 2 else { return nil }
            if response.suffix(2).elementsEqual([0x90, 0x00]) { return 0x9000 }
            if response.count > 2 {
                var tree = TLVTree(body)
                while tree.next() != nil {}
                guard tree.error == nil else { return nil }
            }
            return UInt16(response[response.count - 2]) << 8 | UInt16(response[response.count - 1])
        }
        /// Name of the command in ISO 7816-4 and the specification.
        var name: String {
            switch instruction {
            case 0xA4: Array(command.dropFirst(5).prefix(14)) == Array("2PAY.SYS.DDF01".utf8) ? "SELECT PPSE" : "SELECT"
            case 0xA8: "GET PROCESSING OPTIONS"
            case 0xB2: "READ RECORD"
            case 0xAE: "GENERATE AC"
            case 0xCA: "GET DATA"
            case 0xDA: "PUT DATA"
            case 0x82: "EXTERNAL AUTHENTICATE"
            case 0x88: "INTERNAL AUTHENTICATE"
            case 0x2A: "COMPUTE CRYPTOGRAPHIC CHECKSUM"
            case 0xEA: "EXCHANGE RELAY RESISTANCE DATA"
            case 0xD0: "RECOVER AC"
            case 0xDF: "ECHO"
            case 0x1A: "SEND POI INFORMATION"
            case 0x32: "READ DATA"
            case 0x34: "WRITE DATA"
            default: "command " + Hex.string(command.prefix(4))
            }
        }
    }

    /// One selected application, or the directory, with its kernel's decisions.
    struct Activation {
        var name: Bytes
        var exchanges: [Exchange] = []
        var decisions: [KernelDecision] = []
        var end: NotedEnd?

        var isDirectory: Bool { name == Array("2PAY.SYS.DDF01".utf8) }
        var last: Exchange? { exchanges.last }
        /// The last result of the decision by this clause.
        func decided(_ clause: String) -> UInt64? { decisions.last { $0.clause == clause }?.value }
    }

    package let transaction: Transaction
    package let configuration: Configuration
    package var outcome = Outcome(status: .none, reason: .none)
    private(set) var activations: [Activation] = []
    /// The last reply from a source other than the card, if the outcome followed from it.
    private(set) var given: Reply?

    /// The issuer's answer was sent to the card.
    private(set) var isUpdated = false
    private var hasAnswer = false
    /// The response code (8A) of that answer.
    private(set) var issuerCode: Bytes?

    package init(_ transaction: Transaction, _ configuration: Configuration) {
        self.transaction = transaction
        self.configuration = configuration
    }

    /// Records one step: the waiting state, the reply, and the result.
    package mutating func note(
        _ state: KernelState?, _ command: Bytes, _ reply: Reply?, _ decisions: [KernelDecision], _ ends: [NotedEnd]
    ) {
        var exchange: Exchange?
        switch reply {
        case .response(let bytes, _)?: exchange = Exchange(command: command, response: bytes)
        case .fault(let fault)?: exchange = Exchange(command: command, fault: fault)
        case .online?, .pin?, .stop?, .deadlinePassed?, .removed?, .collision?, .abandon?: given = reply
        default: break
        }
        if case .online(let answer, _)? = reply {
            hasAnswer = true
            issuerCode = answer?[0x8A]
        }
        if let exchange {
            given = nil
            isUpdated = hasAnswer
            if activations.isEmpty || state?.kernel == nil && exchange.instruction == 0xA4 {
                let length = Int(command.dropFirst(4).first ?? 0)
                activations.append(Activation(name: Bytes(command.dropFirst(5).prefix(length))))
            }
            activations[activations.count - 1].exchanges.append(exchange)
        }
        guard !activations.isEmpty else { return }
        activations[activations.count - 1].decisions += decisions
        if let end = ends.first(where: { $0.kernel != nil }) { activations[activations.count - 1].end = end }
    }

    /// True while the issuer's answer is being sent to the card.
    var isUpdatePresented: Bool { isUpdated && issuerCode != nil }
    /// True if a GENERATE AC of an earlier presentment was not answered.
    var wasTorn: Bool {
        activations.dropLast().contains { $0.exchanges.contains { $0.instruction == 0xAE && $0.response == nil } }
    }

    /// The application that was selected last; `nil`: no application was selected.
    var current: Activation? { activations.last { !$0.isDirectory } }
    /// The last command, answered or not.
    var last: Exchange? { activations.last?.exchanges.last }
    /// The applications of the last presentment, in the order in which they were tried.
    var tried: [Activation] {
        let start = activations.lastIndex { $0.isDirectory }.map { $0 + 1 } ?? 0
        return Array(activations[start...])
    }

    /// The configured combination of an application.
    func combination(_ activation: Activation, _ kernel: KernelID?) -> Combination? {
        configuration.combinations.first {
            activation.name.starts(with: $0.aid) && (kernel == nil || $0.kernel.id == kernel)
        }
    }
}

/// Data objects of one application's dialogue: those from the card, and those sent to it.
struct DialogueObjects {
    private(set) var card = DataObjects()
    private(set) var sent = DataObjects()
    /// Plain objects that the card returned for GET DATA.
    private(set) var given = DataObjects()
    /// The first object that was returned twice.
    private(set) var repeated: Tag?
    /// The first object that was returned twice with different values.
    private(set) var contradicted: Tag?
    /// The first answer that is not sound BER-TLV.
    private(set) var broken: Ending.Exchange?

    init(_ activation: Ending.Activation) {
        var cryptograms = 0
        for exchange in activation.exchanges {
            if exchange.instruction == 0xA8 || exchange.instruction == 0xAE {
                let lists = DataLists(card, cryptograms: cryptograms)
                for object in lists.reading(of: exchange.command).objects { sent[object.tag] = object.value }
            }
            if exchange.instruction == 0xAE {
                // The second answer replaces the first.
                if cryptograms > 0 {
                    for tag: Tag in [0x9F27, 0x9F36, 0x9F26, 0x9F10, 0x9F4B, 0x9F50] { card[tag] = nil }
                }
                cryptograms += 1
            }
            learn(exchange)
        }
    }

    private mutating func learn(_ exchange: Ending.Exchange) {
        let body = exchange.body
        if exchange.instruction == 0xCA {
            var reader = TLVReader(body)
            if let object = reader.next(), !object.isConstructed { given[object.tag] = Bytes(object.value) }
            return
        }
        if body.first == 0x80 {
            var reader = TLVReader(body)
            guard let object = reader.next() else {
                if broken == nil { broken = exchange }
                return
            }
            let value = Bytes(object.value)
            if exchange.instruction == 0xA8, value.count >= 2 {
                add(0x82, Bytes(value.prefix(2)))
                add(0x94, Bytes(value.dropFirst(2)))
            } else if exchange.instruction == 0xAE, value.count >= 11 {
                add(0x9F27, Bytes(value.prefix(1)))
                add(0x9F36, Bytes(value[1..<3]))
                add(0x9F26, Bytes(value[3..<11]))
                add(0x9F10, Bytes(value.dropFirst(11)))
            }
            return
        }
        var tree = TLVTree(body)
        // Objects of records and answers are directly in their template; those of an FCI may be anywhere in it.
        let isFCI = exchange.instruction == 0xA4
        while let (object, depth) = tree.next() {
            if !object.isConstructed, isFCI || depth == 2 { add(object.tag, Bytes(object.value)) }
        }
        if tree.error != nil, broken == nil { broken = exchange }
    }

    private mutating func add(_ tag: Tag, _ value: Bytes) {
        if let earlier = card[tag] {
            if repeated == nil { repeated = tag }
            if contradicted == nil, earlier != value { contradicted = tag }
            return
        }
        card[tag] = value
    }
}
