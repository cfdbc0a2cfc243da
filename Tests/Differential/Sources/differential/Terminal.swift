// SPDX-License-Identifier: Apache-2.0
// The messages between a kernel and its runner: the line protocol of Tests/Corpus/README.md as values.

/// The kernel's next request, with its messages.
struct Turn {
    var messages: [UInt8] = []
    /// Data objects for the terminal (data exchange): those that come before the step, and those with it.
    var sentBefore: Bytes = []
    var sent: Bytes = []
    var step: Step
}

enum Step {
    case poll([Parameter])
    case pollClear
    case pollRemoval([Parameter])
    case send(Bytes)
    case askRandom
    case askData
    /// A time to wait, which is sent as a question without objects.
    case wait
    case parked([Parameter])
    case done([Parameter])
    case refused(String)
}

/// A parameter of an outcome, as the trace format names it.
struct Parameter: Equatable {
    var key: String
    var value: String
}

enum Reply {
    case card
    case collision
    case cleared
    case removed
    case response(Bytes)
    /// With the time that it took, in microseconds.
    case timed(Bytes, Int)
    case data(Bytes)
    case deadline
    case stop
    case fault(String)
    case random(Bytes)
    /// `nil`: the issuer could not be reached.
    case online(Bytes?)
    case end

    var line: String {
        switch self {
        case .card: return "card"
        case .collision: return "collision"
        case .cleared: return "cleared"
        case .removed: return "removed"
        case .response(let bytes): return "response " + hex(bytes)
        case .timed(let bytes, let micros): return "response \(hex(bytes)) \(micros)"
        case .data(let bytes): return "data " + hex(bytes)
        case .deadline: return "deadline"
        case .stop: return "stop"
        case .fault(let kind): return "fault " + kind
        case .random(let bytes): return "random " + hex(bytes)
        case .online(let bytes): return bytes.map { "online " + hex($0) } ?? "online unable"
        case .end: return "end"
        }
    }

    init?(line: String) {
        let words = line.split(separator: " ")
        let rest = words.count > 1 ? String(words[1]) : ""
        switch words.first {
        case "card": self = .card
        case "collision": self = .collision
        case "cleared": self = .cleared
        case "removed": self = .removed
        case "response" where words.count > 2: self = .timed(unhex(rest) ?? [], Int(words[2]) ?? 0)
        case "response": self = .response(unhex(rest) ?? [])
        case "data": self = .data(unhex(rest) ?? [])
        case "deadline": self = .deadline
        case "stop": self = .stop
        case "fault": self = .fault(rest)
        case "random": self = .random(unhex(rest) ?? [])
        case "online": self = .online(rest == "unable" ? nil : unhex(rest) ?? [])
        case "end": self = .end
        default: return nil
        }
    }
}

extension Turn {
    var allSent: Bytes { sentBefore + sent }

    var lines: [String] {
        var out = messages.map { "message " + hex([$0]) }
        if !allSent.isEmpty { out.append("sent " + hex(allSent)) }
        func words(_ first: String, _ parameters: [Parameter]) -> String {
            ([first] + parameters.map { $0.key + "=" + $0.value }).joined(separator: " ")
        }
        switch step {
        case .poll(let parameters): out.append(words("poll", parameters))
        case .pollClear: out.append("poll clear")
        case .pollRemoval(let parameters): out.append(words("poll removal", parameters))
        case .send(let command): out.append("send " + hex(command))
        case .askRandom: out.append("ask random")
        case .askData, .wait: out.append("ask")
        case .parked(let parameters): out.append(words("parked", parameters))
        case .done(let parameters): out.append(words("done", parameters))
        case .refused(let text): out.append("refused " + text)
        }
        return out
    }
}

/// Card, cardholder and POS together.
protocol Terminal: AnyObject {
    func answer(_ turn: Turn) -> Reply
}

/// Nothing further comes for this transaction.
struct Ended: Error {}
