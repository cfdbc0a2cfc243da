// SPDX-License-Identifier: Apache-2.0
extension Reply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind and the number of bytes, never a value of a card or an issuer.
    public var description: String {
        switch self {
        case .response(let bytes, _): "response (\(bytes.count) bytes)"
        case .fault(let fault): "fault \(fault.rawValue)"
        case .card: "card"
        case .collision: "collision"
        case .collisionCleared: "collision cleared"
        case .removed: "removed"
        case .data(let bytes): "data (\(bytes.count) bytes)"
        case .deadlinePassed: "deadline passed"
        case .stop: "stop"
        case .carryOn: "carry on"
        case .online(let data?, _): "online \(data)"
        case .online(nil, _): "unable to go online"
        case .pin(true, let data): "pin \(data)"
        case .pin(false, _): "pin not captured"
        case .abandon: "abandon"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
