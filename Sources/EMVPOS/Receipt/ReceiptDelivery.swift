// SPDX-License-Identifier: Apache-2.0
/// The choice of a receipt after the result, including a decline (row I3): a state machine that an app shows. It sends
/// nothing; the app carries out ``State/deliver(_:)`` and reports the result.
public struct ReceiptDelivery: Sendable, Hashable {
    /// In display order.
    public enum Way: String, Sendable, Hashable, CaseIterable, Codable {
        case print, mail, message, code
        /// The customer wants no receipt. Always offered.
        case none

        /// The text of its button.
        public var textKey: TextKey { TextKey("delivery.\(rawValue)") }
        /// The kind of address to type; `nil`: no address.
        public var addressKey: TextKey? {
            switch self {
            case .mail, .message: TextKey("delivery.address.\(rawValue)")
            case .print, .code, .none: nil
            }
        }
    }

    public enum Destination: Sendable, Hashable {
        case printer
        case mail(ReceiptDelivery.EmailAddress)
        case message(ReceiptDelivery.PhoneNumber)
        /// On a screen, as a code with ``Receipt/codeText(in:texts:limit:)``.
        case code

        public var way: Way {
            switch self {
            case .printer: .print
            case .mail: .mail
            case .message: .message
            case .code: .code
            }
        }
    }

    public enum State: Sendable, Hashable {
        /// - Parameter failed: the way that was tried last and failed.
        case choosing(failed: Way?)
        /// An address is being typed.
        ///
        /// - Parameters:
        ///   - text: the present text of the field; it is kept if it is not valid.
        ///   - isWrong: it was entered, and is not a valid address.
        case typing(Way, text: String, isWrong: Bool)
        /// The app must deliver the receipt now.
        case deliver(Destination)
        /// - Parameter way: how the customer got the receipt; ``Way/none``: no receipt was wanted.
        case ended(Way)
    }

    public let receipt: Receipt
    public let ways: [Way]
    /// The region of a telephone number without a country code.
    public let region: ReceiptDelivery.PhoneNumber.Region
    public private(set) var state = State.choosing(failed: nil)
    /// The text typed for each way, so that nobody has to type it twice.
    private var typed: [Way: String] = [:]

    /// - Parameters:
    ///   - ways: the ways that this POS supports, in its order; ``Way/none`` is added at the end if it is missing.
    ///   - region: the region of a telephone number without a country code.
    public init(_ receipt: Receipt, ways: [Way] = Way.allCases, region: ReceiptDelivery.PhoneNumber.Region) {
        self.receipt = receipt
        var offered: [Way] = []
        for way in ways where !offered.contains(way) { offered.append(way) }
        self.ways = offered.contains(.none) ? offered : offered + [.none]
        self.region = region
    }

    /// The merchant keeps a copy to sign on, whatever the customer chooses.
    public var needsMerchantCopy: Bool { receipt.verification == .signature && receipt.isSigned }

    /// A button was pressed. A button that is not offered, or is pressed in another state, changes nothing.
    public mutating func choose(_ way: Way) {
        guard ways.contains(way) else { return }
        switch state {
        case .choosing, .typing: break
        case .deliver, .ended: return
        }
        switch way {
        case .none: state = .ended(.none)
        case .print: state = .deliver(.printer)
        case .code: state = .deliver(.code)
        case .mail, .message: state = .typing(way, text: typed[way] ?? "", isWrong: false)
        }
    }

    /// An address was typed and entered. A wrong address stays in its field.
    public mutating func enter(_ text: String) {
        guard case .typing(let way, _, _) = state else { return }
        typed[way] = text
        let destination: Destination? =
            switch way {
            case .mail: ReceiptDelivery.EmailAddress(typed: text).map { .mail($0) }
            case .message: ReceiptDelivery.PhoneNumber(typed: text, region: region).map { .message($0) }
            case .print, .code, .none: nil
            }
        state = destination.map { .deliver($0) } ?? .typing(way, text: text, isWrong: true)
    }

    /// Returns to the choice; the typed text is kept.
    public mutating func back(keeping text: String? = nil) {
        guard case .typing(let way, _, _) = state else { return }
        if let text { typed[way] = text }
        state = .choosing(failed: nil)
    }

    /// The delivery ended. After a failure the customer chooses again.
    public mutating func delivered(_ isDone: Bool) {
        guard case .deliver(let destination) = state else { return }
        state = isDone ? .ended(destination.way) : .choosing(failed: destination.way)
    }

    /// Nobody chose in time, or the next customer has arrived.
    public mutating func giveUp() {
        if case .ended = state { return }
        state = .ended(.none)
    }
}

extension ReceiptDelivery: CustomStringConvertible, CustomReflectable {
    /// The state without addresses.
    public var description: String {
        switch state {
        case .choosing: "receipt: choosing"
        case .typing(let way, _, _): "receipt: \(way.rawValue), an address is typed"
        case .deliver(let destination): "receipt: \(destination.way.rawValue), to be delivered"
        case .ended(let way): "receipt: \(way.rawValue)"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
